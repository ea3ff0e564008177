#include "reference/net/http_answer.h"

#include "reference/base/limits.h"
#include "reference/net/http_flaw.h"
#include "reference/net/http_head.h"
#include "reference/wire/websocket_handshake.h"

#include <stdio.h>
#include <strings.h>

enum { ITEMS_BYTES = 64 << 20 };
// A body that is longer than a message may be is heard to so many times that length, and dropped.
#define LENGTHS_HEARD ((size_t)3)

// Why bytes are no message.
typedef enum noise {
    NOISE_NONE,
    NOISE_NO_JSON, // a page that does not claim to be JSON
    NOISE_BROKEN,  // the exchange broke off
    NOISE_LONG,    // an event is too long
    NOISE_CUT,     // it ends where its Content-Length ends, but not where its body does
} noise;

typedef struct item {
    size_t at, len, true_len; // in `body`
    int64_t at_us;
    noise noise;
} item;

void jrpc_http_answer_init(jrpc_http_answer *answer, size_t max_message,
                           const jrpc_allocator *allocator)
{
    *answer = (jrpc_http_answer){.max_message = max_message};
    jrpc_buffer_init(&answer->head, allocator, JRPC_LIMIT_HEADER_BYTES * 16);
    jrpc_buffer_init(&answer->body, allocator, JRPC_LIMIT_INBOX_BYTES);
    jrpc_buffer_init(&answer->items, allocator, ITEMS_BYTES);
    jrpc_sse_init(&answer->sse, max_message, allocator);
}

void jrpc_http_answer_done(jrpc_http_answer *answer)
{
    jrpc_buffer_done(&answer->head);
    jrpc_buffer_done(&answer->body);
    jrpc_buffer_done(&answer->items);
    jrpc_sse_done(&answer->sse);
}

void jrpc_http_answer_clear(jrpc_http_answer *answer)
{
    jrpc_buffer_clear(&answer->head);
    jrpc_buffer_clear(&answer->body);
    jrpc_buffer_clear(&answer->items);
    jrpc_sse_clear(&answer->sse);
    answer->item_taken = answer->arrived = answer->length = 0;
    answer->events = answer->json_type = answer->typed = answer->cut = false;
    answer->failed = answer->reused = answer->headed = answer->marked = false;
    answer->closed = answer->surplus = answer->early = false;
    answer->left = NULL;
    answer->sized = answer->measured = answer->chunked = answer->whole = false;
    answer->bounds = (jrpc_bounds){0};
    answer->flaw = NULL;
    answer->status = 0;
}

// The value of a header line if it has this name (with its colon); an empty slice without a
// pointer if not.
static jrpc_slice value_of(jrpc_slice line, const char *name)
{
    size_t len = strlen(name);
    if (line.len < len || strncasecmp(line.ptr, name, len) != 0) {
        return (jrpc_slice){NULL, 0};
    }
    jrpc_slice value = jrpc_slice_from(line, len);
    while (value.len > 0 && (value.ptr[0] == ' ' || value.ptr[0] == '\t')) {
        value = jrpc_slice_from(value, 1);
    }
    return value;
}

void jrpc_http_answer_header(jrpc_http_answer *answer, jrpc_slice line)
{
    if (answer->arrived != 0) {
        jrpc_buffer_append(&answer->head, line); // a trailer: it says nothing about the body before
        return;
    }
    if (jrpc_slice_starts_with(line, JRPC_SLICE("HTTP/"))) {
        jrpc_buffer_clear(&answer->head); // what came before was an interim response
        answer->events = answer->json_type = answer->typed = false;
        answer->length = 0;
        answer->status = 0;
        answer->sized = jrpc_slice_starts_with(line, JRPC_SLICE("HTTP/1.0"));
        answer->measured = answer->chunked = false;
        const char *space = memchr(line.ptr, ' ', line.len);
        for (size_t i = 1; space != NULL && i <= 3 && space + i < line.ptr + line.len; i++) {
            bool digit = space[i] >= '0' && space[i] <= '9';
            answer->status = answer->status * 10 + (digit ? space[i] - '0' : 0);
        }
    }
    jrpc_buffer_append(&answer->head, line);
    bool empty = line.len == 0 || jrpc_slice_starts_with(line, JRPC_SLICE("\r")) ||
                 jrpc_slice_starts_with(line, JRPC_SLICE("\n"));
    answer->headed = answer->status >= 200 && empty;
    jrpc_slice type = value_of(line, "content-type:");
    if (type.ptr != NULL) {
        answer->typed = true;
        answer->json_type = answer->json_type || jrpc_head_lists(type, "json");
        answer->events = jrpc_head_lists(type, "text/event-stream");
    }
    answer->chunked = answer->chunked || value_of(line, "transfer-encoding:").ptr != NULL;
    answer->sized =
        answer->sized || answer->chunked || jrpc_head_lists(value_of(line, "connection:"), "close");
    jrpc_slice length = value_of(line, "content-length:");
    if (length.ptr == NULL) {
        return;
    }
    answer->sized = answer->measured = true;
    answer->length = 0; // said twice: the last one
    for (size_t i = 0; i < length.len && length.ptr[i] >= '0' && length.ptr[i] <= '9' &&
                       answer->length < SIZE_MAX / 100;
         i++) {
        answer->length = answer->length * 10 + (size_t)(length.ptr[i] - '0');
    }
}

static void add_item(jrpc_http_answer *answer, const item *entry)
{
    jrpc_slice bytes = {(const char *)entry, sizeof *entry};
    answer->failed = !jrpc_buffer_append(&answer->items, bytes) || answer->failed;
}

static void add_event(jrpc_http_answer *answer, jrpc_slice data, int64_t at_us, noise why)
{
    // The end of a stream, by the custom of some servers; and an event that carries an id alone,
    // with which streams begin that can be taken up again.
    bool mark = jrpc_slice_is(data, "[DONE]");
    if (mark || (why == NOISE_NONE && data.len == 0)) {
        answer->marked = answer->marked || mark;
        return;
    }
    const item entry = {answer->body.len, data.len, data.len, at_us, why};
    if (jrpc_buffer_append(&answer->body, data)) {
        add_item(answer, &entry);
    } else {
        answer->failed = true;
    }
}

// A stream may go on for ever: what was read of it is not kept.
static void forget_taken(jrpc_http_answer *answer)
{
    jrpc_buffer_clear(&answer->body);
    jrpc_buffer_clear(&answer->items);
    answer->item_taken = 0;
}

// Looks for the end of the JSON value in the body.
static void look_for_end(jrpc_http_answer *answer, jrpc_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        jrpc_bound bound = jrpc_bounds_step(&answer->bounds, bytes.ptr[i]);
        if (bound != JRPC_BOUND_SPACE) {
            // More follows a complete value, so that was not the whole body.
            answer->whole = bound == JRPC_BOUND_LAST && !answer->whole;
        }
    }
}

bool jrpc_http_answer_body(jrpc_http_answer *answer, jrpc_slice bytes, int64_t at_us)
{
    answer->arrived += bytes.len;
    answer->last_us = at_us;
    if (answer->events) {
        if (jrpc_http_answer_is_taken(answer)) {
            forget_taken(answer);
        }
        jrpc_slice data;
        for (;;) {
            switch (jrpc_sse_next(&answer->sse, &bytes, &data, NULL)) {
            case JRPC_DECODED_DONE:
                add_event(answer, data, at_us, NOISE_NONE);
                break;
            case JRPC_DECODED_BAD:
                add_event(answer, data, at_us, NOISE_LONG);
                break;
            case JRPC_DECODED_MORE:
                return !answer->failed;
            }
        }
    }
    look_for_end(answer, bytes);
    size_t room = answer->max_message - answer->body.len;
    answer->cut = answer->cut || bytes.len > room;
    bytes.len = bytes.len > room ? room : bytes.len;
    answer->failed = !jrpc_buffer_append(&answer->body, bytes) || answer->failed;
    // How long it is in the end is worth knowing, up to a point.
    return !answer->failed && answer->arrived <= LENGTHS_HEARD * answer->max_message;
}

// Whether a body that is not said to be JSON looks as if it were meant to be.
static bool looks_like_json(jrpc_slice body)
{
    static const char space[] = " \t\r\n";
    while (body.len > 0 && memchr(space, body.ptr[0], sizeof space - 1) != NULL) {
        body = jrpc_slice_from(body, 1);
    }
    while (body.len > 0 && memchr(space, body.ptr[body.len - 1], sizeof space - 1) != NULL) {
        body.len--;
    }
    char first = body.len > 0 ? body.ptr[0] : '\0';
    char last = body.len > 0 ? body.ptr[body.len - 1] : '\0';
    return (first == '{' && last == '}') || (first == '[' && last == ']');
}

void jrpc_http_answer_check_end(jrpc_http_answer *answer, bool broken, bool more)
{
    if (more) {
        answer->flaw_of = JRPC_FLAW_SHORT;
        answer->flaw = "the Content-Length of an HTTP answer is smaller than its body: the rest of "
                       "the body follows as if it were the next answer";
    } else if (broken && answer->headed && answer->whole && !answer->cut) {
        answer->flaw_of = JRPC_FLAW_LENGTH;
        answer->flaw = answer->chunked ? "an HTTP answer in chunks without the last chunk: the "
                                         "connection was closed instead"
                                       : "an HTTP answer whose Content-Length is larger than its "
                                         "body: the connection was closed instead";
    }
}

static bool is_plain(jrpc_slice body)
{
    return body.len > 0 && (body.ptr[0] == '{' || body.ptr[0] == '[');
}

// Notes what is wrong with the head, unless something worse is known.
static void look_at_head(jrpc_http_answer *answer, jrpc_slice body)
{
    if (answer->flaw == NULL) {
        answer->flaw = jrpc_http_flaw_of_head(jrpc_buffer_slice(&answer->head), answer->status,
                                              answer->whole && is_plain(body));
        answer->flaw_of = JRPC_FLAW_FIELDS;
    }
}

void jrpc_http_answer_end(jrpc_http_answer *answer, int64_t at_us, const char *broken)
{
    look_at_head(answer, jrpc_buffer_slice(&answer->body));
    if (broken != NULL) {
        (void)snprintf(answer->why, sizeof answer->why, "the answer broke off: %s", broken);
    }
    if (answer->events) {
        if (broken != NULL) {
            add_event(answer, JRPC_SLICE(""), at_us, NOISE_BROKEN);
        }
        return;
    }
    if (answer->body.len == 0 && broken == NULL) {
        return;
    }
    bool json = answer->json_type || looks_like_json(jrpc_buffer_slice(&answer->body));
    size_t length = answer->arrived > answer->length ? answer->arrived : answer->length;
    bool short_of = answer->flaw != NULL && answer->flaw_of == JRPC_FLAW_SHORT;
    const item entry = {.len = answer->body.len,
                        .true_len = answer->cut ? length : answer->body.len,
                        .at_us = at_us,
                        .noise = broken != NULL ? NOISE_BROKEN
                                 : short_of     ? NOISE_CUT
                                 : json         ? NOISE_NONE
                                                : NOISE_NO_JSON};
    add_item(answer, &entry);
}

void jrpc_http_answer_add(jrpc_http_answer *answer, jrpc_slice head, jrpc_slice content,
                          int64_t at_us)
{
    answer->arrived = 0;
    for (size_t at = 0; at < head.len;) {
        const char *end = memchr(head.ptr + at, '\n', head.len - at);
        size_t next = end == NULL ? head.len : (size_t)(end - head.ptr) + 1;
        jrpc_http_answer_header(answer, jrpc_slice_of(head.ptr + at, next - at));
        at = next;
    }
    jrpc_buffer_clear(&answer->head);
    jrpc_buffer_append(&answer->head, head);
    answer->bounds = (jrpc_bounds){0};
    answer->whole = false;
    look_for_end(answer, content);
    look_at_head(answer, content);
    if (answer->events) {
        (void)jrpc_http_answer_body(answer, content, at_us);
    } else if (content.len > 0) {
        bool json = answer->json_type || looks_like_json(content);
        add_event(answer, content, at_us, json ? NOISE_NONE : NOISE_NO_JSON);
    }
}

const char *jrpc_http_answer_is_endless(const jrpc_http_answer *answer)
{
    bool whole = answer->whole || (answer->arrived == 0 && !answer->sized);
    if (!answer->headed || answer->events || !jrpc_http_has_body(answer->status) || !whole) {
        return NULL;
    }
    return answer->chunked ? "an HTTP answer in chunks without the last chunk, and the connection "
                             "stays open: nothing shows where the answer ends"
           : answer->measured ? "an HTTP answer whose Content-Length is larger than its body"
           : answer->sized ? "an HTTP answer after which the connection should close, but it stays "
                             "open: nothing shows where the answer ends"
                           : "an HTTP answer without Content-Length or chunks, and the connection "
                             "stays open: nothing shows where the answer ends";
}

bool jrpc_http_answer_is_sized(const jrpc_http_answer *answer)
{
    bool shown = answer->measured || answer->chunked || !jrpc_http_has_body(answer->status);
    return answer->headed && shown && !answer->events && answer->flaw == NULL &&
           !jrpc_http_head_announces_close(jrpc_buffer_slice(&answer->head));
}

bool jrpc_http_answer_is_cut(const jrpc_http_answer *answer)
{
    return answer->measured && !answer->chunked && !answer->events && !answer->whole &&
           is_plain(jrpc_buffer_slice(&answer->body)) && answer->arrived == answer->length;
}

void jrpc_http_answer_describe(const jrpc_http_answer *answer, jrpc_received *ret_received)
{
    *ret_received = (jrpc_received){.http_status = answer->status,
                                    .http_headers = jrpc_buffer_slice(&answer->head),
                                    .http_reused = answer->reused,
                                    .http_closed = answer->closed,
                                    .http_surplus = answer->surplus,
                                    .http_early = answer->early,
                                    .http_left = answer->left,
                                    .flaw = answer->flaw,
                                    .flaw_of = answer->flaw_of,
                                    .http_marked = answer->marked};
}

static const char *explain(jrpc_http_answer *answer, noise why)
{
    switch (why) {
    case NOISE_NONE:
        return NULL;
    case NOISE_NO_JSON:
        (void)snprintf(answer->why, sizeof answer->why,
                       "an HTTP answer of status %d %s, which does not claim to be JSON",
                       answer->status,
                       answer->typed ? "with another content type" : "without a content type");
        break;
    case NOISE_BROKEN:
        break; // written when it happened
    case NOISE_CUT:
        return answer->flaw;
    case NOISE_LONG:
        return "an event is longer than a message may be";
    }
    return answer->why;
}

bool jrpc_http_answer_take(jrpc_http_answer *answer, jrpc_received *ret_received)
{
    if (jrpc_http_answer_is_taken(answer)) {
        return false;
    }
    item entry;
    memcpy(&entry, answer->items.ptr + answer->item_taken, sizeof entry);
    answer->item_taken += sizeof entry;
    jrpc_http_answer_describe(answer, ret_received);
    if (entry.len > 0) {
        ret_received->bytes = jrpc_slice_of(answer->body.ptr + entry.at, entry.len);
    }
    ret_received->true_len = entry.true_len;
    ret_received->at_us = entry.at_us;
    ret_received->why = explain(answer, entry.noise);
    return true;
}

bool jrpc_http_answer_is_taken(const jrpc_http_answer *answer)
{
    return answer->item_taken == answer->items.len;
}
