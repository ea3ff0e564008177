#include "reference/net/inbox.h"

#include "reference/base/limits.h"

enum { FEED_BYTES = 64 << 10 };

void jrpc_inbox_init(jrpc_inbox *inbox, jrpc_framing framing, size_t max_message,
                     const jrpc_allocator *allocator)
{
    *inbox = (jrpc_inbox){.fed = 0};
    jrpc_decoder_init(&inbox->decoder, framing, max_message, allocator);
    jrpc_buffer_init(&inbox->raw, allocator, JRPC_LIMIT_INBOX_BYTES + FEED_BYTES);
}

void jrpc_inbox_done(jrpc_inbox *inbox)
{
    jrpc_decoder_done(&inbox->decoder);
    jrpc_buffer_done(&inbox->raw);
}

bool jrpc_inbox_has_room(const jrpc_inbox *inbox)
{
    return inbox->raw.len < JRPC_LIMIT_INBOX_BYTES;
}

bool jrpc_inbox_add(jrpc_inbox *inbox, jrpc_slice bytes, int64_t at_us)
{
    if (inbox->raw_taken == inbox->raw.len) {
        jrpc_buffer_clear(&inbox->raw);
        inbox->raw_taken = 0;
    }
    if (!jrpc_buffer_append(&inbox->raw, bytes)) {
        return false;
    }
    inbox->arrived += bytes.len;
    if (inbox->mark_count < JRPC_INBOX_MARKS) {
        inbox->mark_count++;
    }
    size_t last = (inbox->first_mark + inbox->mark_count - 1) % JRPC_INBOX_MARKS;
    inbox->marks[last].end = inbox->arrived;
    inbox->marks[last].at_us = at_us;
    return true;
}

void jrpc_inbox_end(jrpc_inbox *inbox)
{
    inbox->ended = true;
}

// When the byte before this offset of the stream arrived. Marks after it are dropped.
static int64_t time_of(jrpc_inbox *inbox, uint64_t end)
{
    while (inbox->mark_count > 1 && inbox->marks[inbox->first_mark].end < end) {
        inbox->first_mark = (inbox->first_mark + 1) % JRPC_INBOX_MARKS;
        inbox->mark_count--;
    }
    return inbox->marks[inbox->first_mark].at_us;
}

// Where the message that the decoder just handed out ends in the stream.
static uint64_t decoded_end(const jrpc_inbox *inbox)
{
    const jrpc_decoder *decoder = &inbox->decoder;
    uint64_t held = decoder->input.len - decoder->taken;
    return inbox->fed - (held < inbox->fed ? held : inbox->fed);
}

// Gives the decoder a piece. False with MEMORY or LIMIT.
static bool feed(jrpc_inbox *inbox, jrpc_error *error)
{
    jrpc_slice left = jrpc_slice_from(jrpc_buffer_slice(&inbox->raw), inbox->raw_taken);
    left.len = left.len > FEED_BYTES ? FEED_BYTES : left.len;
    if (!jrpc_decoder_feed(&inbox->decoder, left, error)) {
        return false;
    }
    inbox->raw_taken += left.len;
    inbox->fed += left.len;
    return true;
}

jrpc_inbox_state jrpc_inbox_next(jrpc_inbox *inbox, jrpc_slice *ret_bytes, int64_t *ret_at_us,
                                 jrpc_error *error)
{
    for (;;) {
        jrpc_decoded decoded = jrpc_decoder_next(&inbox->decoder, ret_bytes, error);
        if (decoded == JRPC_DECODED_MORE && inbox->raw_taken < inbox->raw.len) {
            // The decoder takes less than a whole piece past its limit only while it still holds
            // messages, and it just said that it has none.
            if (!feed(inbox, error)) {
                return JRPC_INBOX_FAULT;
            }
            continue;
        }
        if (decoded == JRPC_DECODED_MORE && inbox->ended && !inbox->end_decoded) {
            decoded = jrpc_decoder_end(&inbox->decoder, ret_bytes, error);
            inbox->end_decoded = decoded == JRPC_DECODED_MORE;
        }
        switch (decoded) {
        case JRPC_DECODED_DONE:
        case JRPC_DECODED_BAD:
            *ret_at_us = time_of(inbox, decoded_end(inbox));
            return decoded == JRPC_DECODED_DONE ? JRPC_INBOX_MESSAGE : JRPC_INBOX_NOISE;
        case JRPC_DECODED_MORE:
            return inbox->ended ? JRPC_INBOX_ENDED : JRPC_INBOX_EMPTY;
        }
    }
}
