// The head of a WebSocket frame (RFC 6455, section 5.2): its bits, and the payload length in 7, 16
// or 64 of them. No I/O.
#ifndef JRPC_WIRE_FRAME_HEAD_H
#define JRPC_WIRE_FRAME_HEAD_H

#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JRPC_FRAME_FINAL = 0x80, // in the first byte: the last fragment of its message
    JRPC_FRAME_RESERVED = 0x70,
    JRPC_FRAME_OPCODE = 0x0F,
    JRPC_FRAME_MASKED = 0x80, // in the second byte
    JRPC_FRAME_LENGTH = 0x7F,
    JRPC_FRAME_LENGTH_16 = 126, // in place of a length: it is in the next two bytes,
    JRPC_FRAME_LENGTH_64 = 127, // … in the next eight
    JRPC_FRAME_MASK_BYTES = 4,
    JRPC_FRAME_PLAIN_MAX = 10, // bytes of the longest head without a mask
    JRPC_FRAME_HEAD_MAX = JRPC_FRAME_PLAIN_MAX + JRPC_FRAME_MASK_BYTES,
};

// The length of the head that starts with these bytes, including the mask; 2 if that is not known
// yet.
size_t jrpc_frame_head_length(jrpc_slice head);
// The length of the payload, from a complete head.
uint64_t jrpc_frame_payload_length(jrpc_slice head);
// Writes a head without the bytes of a mask, with the length in as few bytes as it needs. Returns
// how many bytes it has.
size_t jrpc_frame_head_write(char head[JRPC_FRAME_PLAIN_MAX], unsigned first, bool masked,
                             uint64_t length);

#endif
