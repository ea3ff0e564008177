// "Content-Length: N", an empty line and N bytes: the Language Server Protocol's base protocol.
//
// What is not a frame is refused line by line, so that a server's log lines on stdout show up one
// by one and the frames between them are still found. After a head that says no usable length,
// whose body therefore has no known end, only a Content-Length header starts the next frame.
#include "reference/base/limits.h"
#include "reference/wire/decoder.h"
#include "reference/wire/head.h"

#include <stdint.h>

enum {
    STATE_HEAD,   // before or inside a head
    STATE_RESYNC, // before a head that must begin with Content-Length
    STATE_BODY,
};

// A line without an end is refused in pieces. What stays behind is longer than "}Content-Length:",
// so that no header is cut in two.
enum { KEPT_BYTES = 32 };

static const char no_header[] = "the bytes are no header";

// Refuses pending input up to `end`, an index into input, and looks at the next line afresh.
static jrpc_decoded refuse_to(jrpc_decoder *decoder, size_t end, int state, jrpc_slice *ret_payload,
                              jrpc_error *error, jrpc_error_code code, const char *why)
{
    decoder->state = state;
    decoder->scanned = end;
    return jrpc_decoder_refuse(decoder, end - decoder->taken, ret_payload, error, code, why);
}

// The window of one head is full and shows no whole line.
static jrpc_decoded refuse_window(jrpc_decoder *decoder, size_t end, jrpc_slice *ret_payload,
                                  jrpc_error *error)
{
    jrpc_slice window = {decoder->input.ptr + decoder->taken, end - decoder->taken};
    size_t at = jrpc_head_behind_body(window);
    size_t cut = at < window.len ? at : window.len - KEPT_BYTES;
    return refuse_to(decoder, decoder->taken + cut, STATE_RESYNC, ret_payload, error,
                     JRPC_ERROR_LIMIT, "the head is longer than a head may be");
}

// A whole line that is not a header, from `mark` to the line feed at `feed`.
static jrpc_decoded refuse_line(jrpc_decoder *decoder, size_t feed, jrpc_slice *ret_payload,
                                jrpc_error *error)
{
    jrpc_slice line = {decoder->input.ptr + decoder->mark, feed - decoder->mark};
    size_t at = jrpc_head_behind_body(line);
    size_t end = at < line.len ? decoder->mark + at : feed + 1;
    decoder->behind_body = decoder->uncounted = false;
    return refuse_to(decoder, end, decoder->state, ret_payload, error, JRPC_ERROR_SYNTAX,
                     no_header);
}

// What the head breaks though it can be read: each of its lines ends in CR LF. Its first is not
// empty.
static const char *flaw_of(jrpc_slice head)
{
    for (size_t i = 1; i < head.len; i++) {
        if (head.ptr[i] == '\n' && head.ptr[i - 1] != '\r') {
            return "a line of the head ends in a line feed alone, not in CR LF";
        }
    }
    return NULL;
}

// The empty line at the end of a head; `behind` is where its body begins. DONE: it was read.
static jrpc_decoded finish_head(jrpc_decoder *decoder, size_t behind, jrpc_slice *ret_payload,
                                jrpc_error *error)
{
    jrpc_slice head = {decoder->input.ptr + decoder->taken, behind - decoder->taken};
    const char *why = jrpc_head_read(head, &decoder->body);
    if (why != NULL) {
        bool is_empty = decoder->mark == decoder->taken;
        decoder->behind_body = decoder->behind_body && is_empty;
        decoder->uncounted = decoder->behind_body;
        return refuse_to(decoder, behind, STATE_RESYNC, ret_payload, error, JRPC_ERROR_SYNTAX, why);
    }
    decoder->flaw = decoder->uncounted
                        ? "the Content-Length of the message before this one does not count the "
                          "line break after it"
                        : flaw_of(head);
    decoder->behind_body = decoder->uncounted = false;
    decoder->taken = decoder->mark = decoder->scanned = behind;
    decoder->state = STATE_BODY;
    return JRPC_DECODED_DONE;
}

// Reads lines until the head is complete (DONE), is no head (BAD) or needs more bytes.
static jrpc_decoded read_head(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error)
{
    for (;;) {
        size_t pending = decoder->input.len - decoder->taken;
        bool window_full = pending >= JRPC_LIMIT_HEADER_BYTES;
        size_t to = decoder->taken + (window_full ? JRPC_LIMIT_HEADER_BYTES : pending);
        const char *found = decoder->scanned < to ? memchr(decoder->input.ptr + decoder->scanned,
                                                           '\n', to - decoder->scanned)
                                                  : NULL;
        if (found == NULL && window_full) {
            return refuse_window(decoder, to, ret_payload, error);
        }
        if (found == NULL) {
            decoder->scanned = to;
            return JRPC_DECODED_MORE;
        }
        size_t feed = (size_t)(found - decoder->input.ptr);
        bool first = decoder->mark == decoder->taken;
        jrpc_slice line = {decoder->input.ptr + decoder->mark, feed - decoder->mark};
        switch (jrpc_head_line_kind(line)) {
        case JRPC_HEAD_LINE_EMPTY:
            return finish_head(decoder, feed + 1, ret_payload, error);
        case JRPC_HEAD_LINE_CONTENT_LENGTH:
            break;
        case JRPC_HEAD_LINE_OTHER:
            if (first && decoder->state == STATE_RESYNC) {
                return refuse_line(decoder, feed, ret_payload, error);
            }
            break;
        case JRPC_HEAD_LINE_NONE:
            return refuse_line(decoder, feed, ret_payload, error);
        }
        decoder->mark = decoder->scanned = feed + 1;
    }
}

jrpc_decoded jrpc_content_length_next(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                      jrpc_error *error)
{
    if (!jrpc_decoder_discard(decoder)) {
        return JRPC_DECODED_MORE;
    }
    if (decoder->state != STATE_BODY) {
        jrpc_decoded head = read_head(decoder, ret_payload, error);
        if (head != JRPC_DECODED_DONE) {
            return head;
        }
    }
    jrpc_decoded counted = jrpc_decoder_counted(decoder, ret_payload, error);
    decoder->behind_body = counted == JRPC_DECODED_DONE;
    return counted;
}

jrpc_decoded jrpc_content_length_end(jrpc_decoder *decoder, jrpc_slice *ret_payload,
                                     jrpc_error *error)
{
    size_t pending = decoder->input.len - decoder->taken;
    if (decoder->state == STATE_BODY) {
        return refuse_to(decoder, decoder->input.len, STATE_HEAD, ret_payload, error,
                         JRPC_ERROR_SYNTAX, "the stream ended inside a frame");
    }
    if (pending == 0) {
        return JRPC_DECODED_MORE;
    }
    return refuse_to(decoder, decoder->input.len, STATE_HEAD, ret_payload, error, JRPC_ERROR_SYNTAX,
                     "the stream ended before a frame began");
}

bool jrpc_content_length_encode(jrpc_slice payload, jrpc_buffer *out)
{
    return jrpc_buffer_printf(out, "Content-Length: %zu\r\n\r\n", payload.len) &&
           jrpc_buffer_append(out, payload);
}
