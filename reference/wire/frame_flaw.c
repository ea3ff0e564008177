#include "reference/wire/frame_flaw.h"

#include <stdint.h>

enum {
    FINAL = 0x80,
    RESERVED_BITS = 0x70,
    OPCODE = 0x0F,
    MASKED = 0x80,
    LENGTH = 0x7F,
    LENGTH_16 = 126,
    LENGTH_64 = 127,
    CONTINUATION = 0x0,
    BINARY = 0x2,
    CONTROL = 0x8, // the first of the control frames
    CLOSE = 0x8,
    PONG = 0xA,
};

// The value of an extended length; 0 where the head has none.
static uint64_t extended_length(jrpc_slice head)
{
    unsigned length = (unsigned char)head.ptr[1] & LENGTH;
    size_t bytes = length == LENGTH_16 ? 2 : length == LENGTH_64 ? 8 : 0;
    uint64_t value = 0;
    for (size_t i = 2; i < 2 + bytes && i < head.len; i++) {
        value = value << 8 | (unsigned char)head.ptr[i];
    }
    return value;
}

static const char *flaw_of_length(jrpc_slice head)
{
    unsigned length = (unsigned char)head.ptr[1] & LENGTH;
    uint64_t value = extended_length(head);
    return (length == LENGTH_16 && value < LENGTH_16) ||
                   (length == LENGTH_64 && value <= UINT16_MAX)
               ? "a frame whose length takes more bytes than it needs (RFC 6455, section 5.2)"
               : NULL;
}

static const char *flaw_of_order(const jrpc_frame_order *order, unsigned opcode)
{
    return order->closed && opcode < CONTROL
               ? "a message after the Close, which is the last that a server sends (RFC 6455, "
                 "section 5.5.1)"
           : opcode == CONTINUATION && !order->in_fragments
               ? "a continuation of a message that has not begun (RFC 6455, section 5.4)"
           : opcode != CONTINUATION && opcode < CONTROL && order->in_fragments
               ? "another message between the fragments of one (RFC 6455, section 5.4)"
               : NULL;
}

const char *jrpc_frame_flaw(jrpc_frame_order *order, jrpc_slice head)
{
    unsigned first = (unsigned char)head.ptr[0];
    unsigned second = (unsigned char)head.ptr[1];
    unsigned opcode = first & OPCODE;
    bool final = (first & FINAL) != 0;
    bool control = opcode >= CONTROL;
    const char *flaw =
        (second & MASKED) != 0
            ? "the server masks its frames, and it must not (RFC 6455, section 5.1)"
        : (first & RESERVED_BITS) != 0
            ? "a frame with a reserved bit that no extension uses (RFC 6455, section "
              "5.2)"
        : opcode > PONG || (opcode > BINARY && !control)
            ? "a frame with a reserved opcode (RFC 6455, section 5.2)"
        : control && !final ? "a control frame in fragments (RFC 6455, section 5.5)"
        : control && (second & LENGTH) > 125
            ? "a control frame of more than 125 bytes (RFC 6455, section 5.5)"
            : NULL;
    flaw = flaw != NULL ? flaw : flaw_of_length(head);
    flaw = flaw != NULL ? flaw : flaw_of_order(order, opcode);
    if (!control) {
        order->in_fragments = !final;
    }
    order->closed = order->closed || opcode == CLOSE;
    return flaw;
}
