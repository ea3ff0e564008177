#include "reference/wire/unmask.h"

#include <string.h>

enum {
    MASKED = 0x80,
    RESERVED_BITS = 0x70,
    LENGTH = 0x7F,
    LENGTH_16 = 126,
    LENGTH_64 = 127,
    MASK_BYTES = 4,
    CLOSE = 0x88, // the first byte of a Close
};

// How long the head is that begins with these bytes; 2 while that is not known.
static size_t head_length(const jrpc_unmask *self)
{
    if (self->head_len < 2) {
        return 2;
    }
    unsigned second = (unsigned char)self->head[1];
    unsigned length = second & LENGTH;
    return 2U +
           (length == LENGTH_16   ? 2U
            : length == LENGTH_64 ? 8U
                                  : 0U) +
           ((second & MASKED) != 0 ? MASK_BYTES : 0U);
}

// Appends the head of a frame without a mask, with its length in as few bytes as it needs.
static bool put_plain_head(char first, uint64_t length, jrpc_buffer *out)
{
    size_t bytes = length < LENGTH_16 ? 0 : length <= UINT16_MAX ? 2 : 8;
    char head[2 + 8] = {first, (char)(bytes == 0 ? length : bytes == 2 ? LENGTH_16 : LENGTH_64)};
    for (size_t i = 0; i < bytes; i++) {
        head[2 + i] = (char)(unsigned char)(length >> (8 * (bytes - 1 - i)));
    }
    return jrpc_buffer_append(out, jrpc_slice_of(head, 2 + bytes));
}

// The head is whole: passes it on without its mask and reserved bits.
static bool put_head(jrpc_unmask *self, jrpc_buffer *out)
{
    size_t len = self->head_len;
    const char *flaw = jrpc_frame_flaw(&self->order, jrpc_slice_of(self->head, len));
    bool masked = ((unsigned char)self->head[1] & MASKED) != 0;
    if (masked) {
        len -= MASK_BYTES;
        memcpy(self->mask, self->head + len, MASK_BYTES);
    } else {
        memset(self->mask, 0, MASK_BYTES);
    }
    self->left = (unsigned char)self->head[1] & LENGTH;
    if (len > 2) {
        self->left = 0;
        for (size_t i = 2; i < len; i++) {
            self->left = self->left << 8 | (unsigned char)self->head[i];
        }
    }
    self->flaw = self->flaw != NULL ? self->flaw : flaw;
    self->head[0] = (char)((unsigned char)self->head[0] & ~(unsigned)RESERVED_BITS);
    self->closing = (unsigned char)self->head[0] == CLOSE && self->left <= JRPC_UNMASK_CLOSE;
    self->body_len = 0;
    self->turn = 0;
    self->head_len = 0;
    return put_plain_head(self->head[0], self->left, out);
}

static bool put_payload(jrpc_unmask *self, jrpc_slice bytes, jrpc_buffer *out)
{
    char *room;
    if (!jrpc_buffer_reserve(out, bytes.len, &room)) {
        return false;
    }
    for (size_t i = 0; i < bytes.len; i++) {
        room[i] = (char)((unsigned char)bytes.ptr[i] ^ (unsigned char)self->mask[self->turn]);
        self->turn = (self->turn + 1) % MASK_BYTES;
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
            if (self->head_len >= 2 && self->head_len == head_length(self) &&
                !put_head(self, out)) {
                return false;
            }
        }
        *bytes = jrpc_slice_from(*bytes, len);
    }
    return true;
}
