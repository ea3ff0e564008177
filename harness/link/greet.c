// Opening a connection: start, connect, prelude, first fence.
#include "harness/link/link.h"
#include "harness/link/prelude.h"

#include "harness/evidence/excerpt.h"
#include "harness/link/capture.h"
#include "reference/base/limits.h"
#include "reference/net/descriptor.h"

#include <stdio.h>

// Between two attempts to connect to something that is only just starting.
#define RETRY_MS 20

// Connects; while a command that we started is getting ready, a refusal is tried again.
static jrpc_peer *connect_peer(jck_link *link, int64_t deadline_us, jrpc_error *error)
{
    for (;;) {
        jrpc_error attempt = {0};
        jrpc_peer *peer = jrpc_peer_open(&link->endpoint, deadline_us, &attempt);
        jck_host_end end;
        // That it speaks something else does not change by waiting.
        bool starting = jck_host_is_starting(link->host, link->generation) &&
                        attempt.code != JRPC_ERROR_INTERRUPTED &&
                        attempt.code != JRPC_ERROR_INVALID && attempt.code != JRPC_ERROR_USAGE &&
                        !jck_host_is_gone(link->host, link->generation, 0, &end) &&
                        jrpc_clock_now_us(link->clock) < deadline_us;
        if (peer != NULL || !starting) {
            if (peer == NULL && error != NULL) {
                *error = attempt;
            }
            return peer;
        }
        // The end of the process is what else could happen now: waiting for it is the pause.
        int64_t pause = jrpc_deadline_in_ms(link->clock, RETRY_MS);
        (void)jck_host_is_gone(link->host, link->generation, pause, &end);
        struct pollfd stop = {.fd = link->endpoint.interrupt_fd, .events = POLLIN};
        if (jrpc_descriptor_poll(&stop, 1, link->clock, 0) > 0) {
            (void)jrpc_error_set(error, JRPC_ERROR_INTERRUPTED, "interrupted");
            return NULL;
        }
    }
}

// Remembers how what a target wrote begins, for the sentence that says it never answered.
static void remember_words(jck_link *link, jrpc_slice bytes)
{
    if (link->first_words[0] == '\0' && bytes.len > 0) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
        (void)snprintf(link->first_words, sizeof link->first_words, "%s",
                       jck_excerpt(&arena, bytes, 30));
        jrpc_arena_done(&arena);
    }
}

// Whether a message can be the answer to the first fence although it lacks the fence's id: a
// Response without an id of its own.
static bool answers_without_id(jrpc_json value)
{
    jrpc_json id = jrpc_json_get(value, "id");
    return jrpc_json_is(value, JRPC_JSON_OBJECT) &&
           !jrpc_json_exists(jrpc_json_get(value, "method")) &&
           (!jrpc_json_exists(id) || !jrpc_json_is(id, JRPC_JSON_STRING));
}

// How long one style of fence is given before the next one is tried beside it.
#define STYLE_MS 1500

// Sends a first fence in the connection's style.
static jck_link_status send_first_fence(jck_link *link, char connection, uint32_t *ret_serial,
                                        jrpc_error *error)
{
    jrpc_buffer sent;
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), 1024);
    jrpc_peer_event event = jck_link_send_fence(link, connection, ret_serial, &sent, error);
    jrpc_buffer_done(&sent);
    return event == JRPC_PEER_INTERRUPTED ? JCK_LINK_INTERRUPTED
           : event == JRPC_PEER_FAULT     ? JCK_LINK_FAULT
                                          : JCK_LINK_OK;
}

// Waits for the answer to the fence just sent, or a late one to a fence sent before: a target that
// is only just starting answers them all in the end. MUTE when the deadline passes.
static jck_link_status await_fence(jck_link *link, char connection, uint32_t serial,
                                   int64_t deadline_us, uint32_t *ret_answered, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    for (;;) {
        jck_heard heard = jck_link_hear(link, connection, serial, deadline_us, error);
        switch (heard.kind) {
        case JCK_HEARD_FENCE:
            *ret_answered = serial;
            return JCK_LINK_OK;
        case JCK_HEARD_LATE_FENCE:
            *ret_answered = jck_fence_answered(link->nonce, heard.value);
            return JCK_LINK_OK;
        case JCK_HEARD_ECHO:
            remember_words(link, heard.received.bytes);
            return JCK_LINK_ECHOES;
        case JCK_HEARD_MESSAGE:
            remember_words(link, heard.received.bytes);
            if (answers_without_id(heard.value)) {
                jck_fence_learn(&open->fence, heard.value);
                *ret_answered = serial;
                return JCK_LINK_OK;
            }
            break;
        case JCK_HEARD_NOISE:
            link->first_status = heard.received.http_status;
            remember_words(link, heard.received.bytes);
            break;
        case JCK_HEARD_PUSH:
        case JCK_HEARD_REQUEST:
            break;
        case JCK_HEARD_SILENCE:
            link->first_status = heard.received.http_status;
            if (link->target->events_url != NULL) {
                break; // the answer may still come as an event
            }
            return JCK_LINK_MUTE; // over HTTP this is known without waiting
        case JCK_HEARD_END:
            jrpc_error_set(error, JRPC_ERROR_CLOSED, "it ended before it answered anything");
            return JCK_LINK_UNOPENED;
        case JCK_HEARD_FLOOD:
            link->floods = true;
            return JCK_LINK_MUTE;
        case JCK_HEARD_TIMEOUT:
            return JCK_LINK_MUTE;
        case JCK_HEARD_INTERRUPT:
            return JCK_LINK_INTERRUPTED;
        case JCK_HEARD_FAULT:
            return JCK_LINK_FAULT;
        }
    }
}

// Style number `index` of a first fence: a method that does not exist (it serves best, as it has no
// effect), the same with params, then the methods the target is said to have. False past the last.
static bool style_at(const jck_link *link, size_t index, jck_fence_style *ret_style)
{
    *ret_style = (jck_fence_style){.with_params = index == 1};
    if (index < 2) {
        (void)snprintf(ret_style->method, sizeof ret_style->method, "\"jrpcheck.fence.%08x\"",
                       link->nonce);
        return true;
    }
    size_t mapping = index - 2;
    if (mapping >= link->target->mapping_count) {
        return false;
    }
    jrpc_slice method = link->target->mappings[mapping].method;
    (void)snprintf(ret_style->method, sizeof ret_style->method, "%.*s", (int)method.len,
                   method.ptr);
    return true;
}

// Finds the style of fence that the target answers; what it answered before is tried first.
static jck_link_status find_fence(jck_link *link, char connection, int64_t deadline_us,
                                  jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    uint32_t first = link->fences + 1;
    jck_fence_style next;
    for (size_t index = link->style; style_at(link, index, &next); index++) {
        open->fence = next;
        uint32_t serial = 0;
        jck_link_status status = send_first_fence(link, connection, &serial, error);
        if (status != JCK_LINK_OK) {
            return status;
        }
        bool last = !style_at(link, index + 1, &next);
        int64_t soon = jrpc_deadline_in_ms(link->clock, STYLE_MS);
        uint32_t answered = 0;
        status = await_fence(link, connection, serial,
                             last || soon > deadline_us ? deadline_us : soon, &answered, error);
        if (status == JCK_LINK_OK && answered >= first && answered < serial) {
            (void)style_at(link, link->style + (answered - first), &open->fence);
        }
        if (status == JCK_LINK_OK && answered >= first) {
            link->style += answered - first;
        }
        if (status != JCK_LINK_MUTE || link->floods) {
            return status;
        }
    }
    return JCK_LINK_MUTE;
}

static jck_link_status greet(jck_link *link, char connection, int64_t deadline_us,
                             jrpc_error *error)
{
    for (size_t i = 0; i < link->target->prelude_count; i++) {
        jck_link_status status = jck_prelude_step(link, connection, &link->target->prelude[i],
                                                  (int)i, deadline_us, error);
        if (status != JCK_LINK_OK) {
            return status;
        }
    }
    if (link->target->events_url != NULL) {
        jrpc_peer *peer = jck_link_connection(link, connection)->peer;
        jrpc_peer_event event = jrpc_peer_listen(peer, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event == JRPC_PEER_INTERRUPTED ? JCK_LINK_INTERRUPTED : JCK_LINK_UNOPENED;
        }
    }
    return find_fence(link, connection, deadline_us, error);
}

// How much of what a target said last is repeated, in bytes.
#define LAST_WORDS 200

// Adds to an error what the target said last on its standard error, or else what it wrote instead
// of an answer: most often that is the reason. Lines become one.
static void repeat_last_words(const jck_link *link, jrpc_buffer *tail, jrpc_error *error)
{
    while (tail->len > 0 && strchr(" \t\r\n", tail->ptr[tail->len - 1]) != NULL) {
        tail->len--;
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    jrpc_slice last = jrpc_buffer_slice(tail);
    if (last.len > LAST_WORDS) {
        last = jrpc_slice_of(last.ptr + (last.len - LAST_WORDS), LAST_WORDS);
        const char *line_end = memchr(last.ptr, '\n', last.len);
        size_t cut = line_end == NULL ? 0 : (size_t)(line_end + 1 - last.ptr);
        last = jrpc_slice_of(last.ptr + cut, last.len - cut);
    }
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), (size_t)4 * LAST_WORDS);
    for (size_t i = 0; i < last.len; i++) {
        bool feeds = last.ptr[i] == '\n' || last.ptr[i] == '\r';
        (void)jrpc_buffer_append_char(&line, feeds ? ' ' : last.ptr[i]);
    }
    size_t len = strlen(error->message);
    size_t room = sizeof error->message - len;
    if (line.len > 0) {
        (void)snprintf(error->message + len, room, "; it said last: %s",
                       jck_excerpt(&arena, jrpc_buffer_slice(&line), LAST_WORDS));
    } else if (link->first_words[0] != '\0') {
        (void)snprintf(error->message + len, room,
                       "; it wrote \"%s\" first; is it a JSON-RPC server?", link->first_words);
    }
    jrpc_buffer_done(&line);
    jrpc_arena_done(&arena);
}

// Adds to an error how the process behind a target ended, and what it said last.
static void explain_end(jck_link *link, char connection, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (open->peer == NULL || error == NULL) {
        return;
    }
    jrpc_peer_ending ending =
        jrpc_peer_end(open->peer, jrpc_deadline_in_ms(link->clock, link->timing.grace_ms));
    if (ending.kind == JRPC_END_EXITED) {
        jrpc_error_prefix(error, "the target exited with status %d", ending.value);
    } else if (ending.kind == JRPC_END_SIGNALED) {
        jrpc_error_prefix(error, "the target was ended by signal %d", ending.value);
    } else if (ending.kind <= JRPC_END_RESET && error->code == JRPC_ERROR_CLOSED) {
        jrpc_error_prefix(error, "the target closed the connection");
    }
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jrpc_peer_stderr_tail(open->peer, &tail);
    repeat_last_words(link, &tail, error);
    remember_words(link, jrpc_buffer_slice(&tail));
    jrpc_buffer_done(&tail);
}

// What HTTP says about a target that answers nothing.
static const char *explain_status(int status)
{
    static const struct {
        int first, last;
        const char *words;
    } known[] = {
        {300, 399, "a redirect, which is not followed; name the address it leads to"},
        {401, 401, "credentials are missing or wrong: --header 'Authorization: Bearer ...'"},
        {403, 403, "the credentials do not allow it: --header 'Authorization: Bearer ...'"},
        {404, 404, "nothing is served at this path; check the URL"},
        {405, 405, "no POST is served at this path; check the URL"},
        {407, 407, "the proxy asks for credentials; see http_proxy and no_proxy"},
        {415, 415, "another content type is asked for: --header 'Content-Type: ...'"},
        {500, 599, "the server, or a gateway before it, failed"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (status >= known[i].first && status <= known[i].last) {
            return known[i].words;
        }
    }
    return "is it a JSON-RPC server that is served there?";
}

// How long a target may take to give out what it holds when we say that we send no more.
#define REST_MS 500

// An answer that was never ended, by a line feed say, is no message; at the end of the stream it
// comes out and can be shown.
static void hear_the_rest(jck_link *link, char connection)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (link->first_words[0] != '\0' || !jck_target_traits(link->target)->byte_stream) {
        return;
    }
    jrpc_peer_close_write(open->peer);
    int64_t deadline = jrpc_deadline_in_ms(link->clock, REST_MS);
    for (int heard_count = 0; heard_count < 8; heard_count++) {
        jrpc_error ignored = {0};
        jck_heard heard = jck_link_hear(link, connection, 0, deadline, &ignored);
        if (heard.kind == JCK_HEARD_END || heard.kind == JCK_HEARD_TIMEOUT ||
            heard.kind == JCK_HEARD_INTERRUPT || heard.kind == JCK_HEARD_FAULT) {
            return;
        }
        remember_words(link, heard.received.bytes);
    }
}

// Says why a target that took our first fence and did not answer it may be so quiet.
static void explain_silence(const jck_link *link, jrpc_error *error)
{
    if (link->echoes) {
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target sends back what it is sent, as cat does: it is no JSON-RPC "
                       "server; check the command or the address");
    } else if (link->first_status != 0) {
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target answers calls with HTTP status %d and no Response%s%s%s: %s",
                       link->first_status, link->first_words[0] != '\0' ? " (\"" : "",
                       link->first_words, link->first_words[0] != '\0' ? "\")" : "",
                       explain_status(link->first_status));
    } else if (link->floods) {
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target writes without end and answers no call; it wrote \"%s\" first; "
                       "is it a JSON-RPC server?",
                       link->first_words);
    } else if (strncmp(link->first_words, "Content-Length", 14) == 0 &&
               link->target->framing == JRPC_FRAMING_LINE) {
        jrpc_error_set(
            error, JRPC_ERROR_TIMEOUT,
            "the target answered no call within %lld ms; it wrote \"%s\" first, as servers "
            "do that frame messages by headers: try --framing content-length",
            (long long)link->timing.start_ms, link->first_words);
    } else if (link->first_words[0] == '{' && link->target->framing == JRPC_FRAMING_LINE) {
        jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                       "the target answered no call within %lld ms with one line: it wrote \"%s\", "
                       "spread over several lines or without a line feed behind it; it may need "
                       "another --framing",
                       (long long)link->timing.start_ms, link->first_words);
    } else if (link->first_words[0] != '\0') {
        jrpc_error_set(
            error, JRPC_ERROR_TIMEOUT,
            "the target answered no call within %lld ms; it wrote \"%s\" first, which is "
            "no answer; it may need --framing, a prelude, or to log elsewhere",
            (long long)link->timing.start_ms, link->first_words);
    } else {
        bool framed = jck_target_traits(link->target)->byte_stream;
        jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                       "the target is open and answered no call within %lld ms; it may need %sa "
                       "prelude (--prelude FILE)%s",
                       (long long)link->timing.start_ms, framed ? "another --framing, or " : "",
                       framed ? "" : ", or another protocol is spoken at this address");
    }
}

static jck_link_status status_of_failure(const jrpc_error *error)
{
    return error->code == JRPC_ERROR_INTERRUPTED ? JCK_LINK_INTERRUPTED : JCK_LINK_UNOPENED;
}

// Connects and greets once.
static jck_link_status open_once(jck_link *link, char connection, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    int64_t began = jrpc_clock_now_us(link->clock);
    int64_t deadline = began + link->timing.start_ms * 1000;
    link->first_words[0] = '\0';
    link->first_status = 0;
    link->floods = false;
    uint32_t before = link->generation;
    bool running = jck_host_start(link->host, deadline, &link->generation, error);
    if (link->generation != before) {
        jck_link_drop(link); // what is open leads to a process that is gone
    }
    if (!running) {
        return status_of_failure(error);
    }
    open->peer = connect_peer(link, deadline, error);
    if (open->peer == NULL) {
        return status_of_failure(error);
    }
    jck_link_status status = greet(link, connection, deadline, error);
    if (status == JCK_LINK_OK) {
        link->opened++;
        jck_host_answers(link->host, link->generation);
        link->opening_us = jrpc_clock_now_us(link->clock) - began;
    } else {
        if (status == JCK_LINK_UNOPENED) {
            explain_end(link, connection, error);
        } else if (status == JCK_LINK_MUTE || status == JCK_LINK_ECHOES) {
            hear_the_rest(link, connection);
            link->echoes = status == JCK_LINK_ECHOES;
            explain_silence(link, error);
        }
        jck_link_close(link, connection);
    }
    return status;
}

// How often a target that answered before may be gone again while it is being greeted: another
// worker's case ended it.
#define GREETINGS_MAX 5
#define FOLLOW_MS 150

jck_link_status jck_link_open(jck_link *link, char connection, jrpc_error *error)
{
    jck_host_end end;
    if (jck_host_is_gone(link->host, link->generation, 0, &end)) {
        jck_link_drop(link);
    }
    if (jck_link_connection(link, connection)->peer != NULL) {
        return JCK_LINK_OK;
    }
    jck_link_status status = JCK_LINK_UNOPENED;
    jrpc_error ignored = {0};
    error = error == NULL ? &ignored : error;
    for (int i = 0; i < GREETINGS_MAX; i++) {
        bool answered = jck_host_has_answered(link->host);
        jrpc_error_clear(error);
        status = open_once(link, connection, error);
        bool failed = status == JCK_LINK_UNOPENED || status == JCK_LINK_MUTE;
        // The end of a connection may be seen before that of the process.
        int64_t soon = jrpc_deadline_in_ms(link->clock, FOLLOW_MS);
        if (!failed || !answered || !jck_host_is_gone(link->host, link->generation, soon, &end)) {
            break;
        }
    }
    return status;
}
