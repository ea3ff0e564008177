#include "reference/wire/frame_head.h"

// How many bytes the length has after the first two.
static size_t extended_bytes(jrpc_slice head)
{
    unsigned length = (unsigned char)head.ptr[1] & JRPC_FRAME_LENGTH;
    return length == JRPC_FRAME_LENGTH_16 ? 2 : length == JRPC_FRAME_LENGTH_64 ? 8 : 0;
}

size_t jrpc_frame_head_length(jrpc_slice head)
{
    if (head.len < 2) {
        return 2;
    }
    bool masked = ((unsigned char)head.ptr[1] & JRPC_FRAME_MASKED) != 0;
    return 2 + extended_bytes(head) + (masked ? JRPC_FRAME_MASK_BYTES : 0);
}

uint64_t jrpc_frame_payload_length(jrpc_slice head)
{
    size_t bytes = extended_bytes(head);
    uint64_t length = bytes == 0 ? (unsigned char)head.ptr[1] & JRPC_FRAME_LENGTH : 0;
    for (size_t i = 0; i < bytes; i++) {
        length = length << 8 | (unsigned char)head.ptr[2 + i];
    }
    return length;
}

size_t jrpc_frame_head_write(char head[JRPC_FRAME_PLAIN_MAX], unsigned first, bool masked,
                             uint64_t length)
{
    size_t bytes = length < JRPC_FRAME_LENGTH_16 ? 0 : length <= UINT16_MAX ? 2 : 8;
    unsigned in_second = bytes == 0   ? (unsigned)length
                         : bytes == 2 ? JRPC_FRAME_LENGTH_16
                                      : JRPC_FRAME_LENGTH_64;
    head[0] = (char)(unsigned char)first;
    head[1] = (char)(unsigned char)(in_second | (masked ? JRPC_FRAME_MASKED : 0u));
    for (size_t i = 0; i < bytes; i++) {
        head[2 + i] = (char)(unsigned char)(length >> (8 * (bytes - 1 - i)));
    }
    return 2 + bytes;
}
