#include "reference/wire/unmask.h"

#include <string.h>

enum { CLOSE = 0x88 }; // the first byte of a Close

// The head is complete: passes it on without its mask and reserved bits.
static bool put_head(jrpc_unmask *self, jrpc_buffer *out)
{
    const jrpc_slice head = jrpc_slice_of(self->head, self->head_len);
    const char *flaw = self->of_client ? jrpc_frame_flaw_of_client(&self->order, head)
                                       : jrpc_frame_flaw(&self->order, head);
    self->flaw = self->flaw != NULL ? self->flaw : flaw;
    memset(self->mask, 0, sizeof self->mask);
    if (((unsigned char)head.ptr[1] & JRPC_FRAME_MASKED) != 0) {
        memcpy(self->mask, head.ptr + head.len - sizeof self->mask, sizeof self->mask);
    }
    unsigned first = (unsigned char)head.ptr[0] & ~(unsigned)JRPC_FRAME_RESERVED;
    self->left = jrpc_frame_payload_length(head);
    self->closing = first == CLOSE && self->left <= JRPC_UNMASK_CLOSE;
    self->body_len = 0;
    self->turn = 0;
    self->head_len = 0;
    char plain[JRPC_FRAME_PLAIN_MAX];
    size_t len = jrpc_frame_head_write(plain, first, false, self->left);
    return jrpc_buffer_append(out, jrpc_slice_of(plain, len));
}

static bool put_payload(jrpc_unmask *self, jrpc_slice bytes, jrpc_buffer *out)
{
    char *room;
    if (!jrpc_buffer_reserve(out, bytes.len, &room)) {
        return false;
    }
    for (size_t i = 0; i < bytes.len; i++) {
        room[i] = (char)((unsigned char)bytes.ptr[i] ^ (unsigned char)self->mask[self->turn]);
        self->turn = (self->turn + 1) % JRPC_FRAME_MASK_BYTES;
    }
    if (self->closing) {
        memcpy(self->body + self->body_len, room, bytes.len);
        self->body_len += bytes.len;
    }
    jrpc_buffer_grew(out, bytes.len);
    self->left -= bytes.len;
    return true;
}

bool jrpc_unmask_at_close(const jrpc_unmask *self)
{
    return self->closing && self->left == 0 && self->head_len == 0;
}

bool jrpc_unmask_feed(jrpc_unmask *self, jrpc_slice *bytes, jrpc_buffer *out)
{
    const size_t before = out->len;
    while (bytes->len > 0) {
        size_t len = 1;
        bool between = self->left == 0 && self->head_len == 0;
        if (between && out->len > before &&
            (jrpc_unmask_at_close(self) || (unsigned char)bytes->ptr[0] == CLOSE)) {
            return true;
        }
        if (self->left > 0) {
            len = bytes->len < self->left ? bytes->len : (size_t)self->left;
            if (!put_payload(self, jrpc_slice_of(bytes->ptr, len), out)) {
                return false;
            }
        } else {
            self->head[self->head_len++] = bytes->ptr[0];
            if (self->head_len >= 2 &&
                self->head_len ==
                    jrpc_frame_head_length(jrpc_slice_of(self->head, self->head_len)) &&
                !put_head(self, out)) {
                return false;
            }
        }
        *bytes = jrpc_slice_from(*bytes, len);
    }
    return true;
}
