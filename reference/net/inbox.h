// What a stream brought and nobody has asked for yet: raw bytes with their times on one side,
// messages on the other. Decoding happens on demand, so that the decoder never holds more than one
// message and one piece.
#ifndef JRPC_NET_INBOX_H
#define JRPC_NET_INBOX_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JRPC_INBOX_MARKS 256

typedef struct jrpc_inbox {
    jrpc_decoder decoder;
    jrpc_buffer raw;  // received, not yet given to the decoder
    size_t raw_taken; // of which the decoder has these
    uint64_t fed;     // bytes given to the decoder, ever
    uint64_t arrived; // bytes received, ever
    bool ended;       // no more will come
    bool end_decoded;
    // When the bytes up to an offset arrived: a ring. Full, the newest mark is moved.
    struct {
        uint64_t end;
        int64_t at_us;
    } marks[JRPC_INBOX_MARKS];
    size_t first_mark, mark_count;
} jrpc_inbox;

typedef enum jrpc_inbox_state {
    JRPC_INBOX_MESSAGE,
    JRPC_INBOX_NOISE, // *error says why
    JRPC_INBOX_EMPTY, // more bytes are needed
    JRPC_INBOX_ENDED, // nothing is left and no more will come
    JRPC_INBOX_FAULT, // memory: *error says
} jrpc_inbox_state;

// Initializes caller's storage; `allocator` is borrowed. `max_message` in bytes.
void jrpc_inbox_init(jrpc_inbox *inbox, jrpc_framing framing, size_t max_message,
                     const jrpc_allocator *allocator);
void jrpc_inbox_done(jrpc_inbox *inbox);
// Whether another piece may be added (JRPC_LIMIT_INBOX_BYTES).
bool jrpc_inbox_has_room(const jrpc_inbox *inbox);
// Adds received bytes with the time they came. False without memory.
bool jrpc_inbox_add(jrpc_inbox *inbox, jrpc_slice bytes, int64_t at_us);
// Says that no more will come.
void jrpc_inbox_end(jrpc_inbox *inbox);
// The next message or noise, borrowed until the next call, and when its last byte arrived.
jrpc_inbox_state jrpc_inbox_next(jrpc_inbox *inbox, jrpc_slice *ret_bytes, int64_t *ret_at_us,
                                 jrpc_error *error);

#endif
