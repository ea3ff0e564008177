#include "reference/wire/frame_flaw.h"

#include "reference/wire/frame_head.h"

#include <string.h>

enum {
    CONTINUATION = 0x0,
    BINARY = 0x2,
    CLOSE = 0x8, // the first of the control frames
    PONG = 0xA,  // … and the last
    CONTROL_MAX = 125,
};

// What is wrong with the frame by itself, whatever came before it.
static const char *flaw_of_form(jrpc_slice head)
{
    unsigned first = (unsigned char)head.ptr[0];
    unsigned opcode = first & JRPC_FRAME_OPCODE;
    bool control = opcode >= CLOSE;
    char shortest[JRPC_FRAME_PLAIN_MAX];
    if (((unsigned char)head.ptr[1] & JRPC_FRAME_MASKED) != 0) {
        return "the server masks its frames, which it must not do (RFC 6455, section 5.1)";
    }
    if ((first & JRPC_FRAME_RESERVED) != 0) {
        return "a frame with a reserved bit set, although no extension was agreed (RFC 6455, "
               "section 5.2)";
    }
    if (opcode > PONG || (opcode > BINARY && !control)) {
        return "a frame with a reserved opcode (RFC 6455, section 5.2)";
    }
    if (control && (first & JRPC_FRAME_FINAL) == 0) {
        return "a control frame in fragments (RFC 6455, section 5.5)";
    }
    uint64_t length = jrpc_frame_payload_length(head);
    if (control && length > CONTROL_MAX) {
        return "a control frame of more than 125 bytes (RFC 6455, section 5.5)";
    }
    return jrpc_frame_head_write(shortest, first, false, length) < head.len
               ? "a frame that states its length in more bytes than necessary (RFC 6455, section "
                 "5.2)"
               : NULL;
}

// What is wrong with a frame because of the frames before it.
static const char *flaw_of_order(const jrpc_frame_order *order, unsigned opcode)
{
    if (opcode >= CLOSE) {
        return NULL;
    }
    if (order->closed) {
        return "a message after the Close, which is the last frame (RFC 6455, section 5.5.1)";
    }
    if (opcode == CONTINUATION) {
        return order->in_fragments
                   ? NULL
                   : "a continuation of a message that has not begun (RFC 6455, section 5.4)";
    }
    return order->in_fragments
               ? "a message between the fragments of another (RFC 6455, section 5.4)"
               : NULL;
}

const char *jrpc_frame_flaw(jrpc_frame_order *order, jrpc_slice head)
{
    unsigned first = (unsigned char)head.ptr[0];
    unsigned opcode = first & JRPC_FRAME_OPCODE;
    const char *flaw = flaw_of_form(head);
    flaw = flaw != NULL ? flaw : flaw_of_order(order, opcode);
    if (opcode < CLOSE) {
        order->in_fragments = (first & JRPC_FRAME_FINAL) == 0;
    }
    order->closed = order->closed || opcode == CLOSE;
    return flaw;
}

// What is wrong with the mask of a client's frame; a random one comes again once in 2^32 frames.
static const char *flaw_of_mask(jrpc_frame_order *order, jrpc_slice head)
{
    const char *mask = head.ptr + head.len - sizeof order->mask;
    bool again = order->masked && memcmp(order->mask, mask, sizeof order->mask) == 0;
    memcpy(order->mask, mask, sizeof order->mask);
    order->masked = true;
    return again ? "the client masks two frames with the same key, which has to be a fresh one for "
                   "each frame (RFC 6455, section 5.3)"
                 : NULL;
}

const char *jrpc_frame_flaw_of_client(jrpc_frame_order *order, jrpc_slice head)
{
    char plain[JRPC_FRAME_HEAD_MAX];
    if (((unsigned char)head.ptr[1] & JRPC_FRAME_MASKED) == 0) {
        return "the client sends a frame without a mask (RFC 6455, section 5.1: \"a client MUST "
               "mask "
               "all frames\")";
    }
    const char *flaw = jrpc_frame_payload_length(head) > 0 ? flaw_of_mask(order, head) : NULL;
    memcpy(plain, head.ptr, head.len);
    plain[1] = (char)((unsigned char)plain[1] & (unsigned)~JRPC_FRAME_MASKED);
    const char *other =
        jrpc_frame_flaw(order, jrpc_slice_of(plain, head.len - JRPC_FRAME_MASK_BYTES));
    return flaw != NULL ? flaw : other;
}
