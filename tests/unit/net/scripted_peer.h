// A peer that a test scripts, over a clock that the test moves: nothing is waited for, and every
// order of events can be had. It stands behind the same functions as the peers of the transports
// (peer_private.h) and is reached by the endpoint's `dial`.
//
// What the other side does is a function of the test's, called for each message that is sent; it
// says what comes, and after how many milliseconds. Receiving takes the next of what was said and
// moves the clock to when it comes, or to the deadline.
//
// Each thread has a time of its own, which only its own waits move: where several workers share a
// script, what one of them sees in time does not depend on when the others run.
#ifndef JRPC_TEST_SCRIPTED_PEER_H
#define JRPC_TEST_SCRIPTED_PEER_H

#include "reference/json/read.h"
#include "reference/net/peer_private.h"
#include "reference/rpc/message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_EVENTS_MAX = 256, SCRIPT_DEPTH = 100, SCRIPT_SENT_MAX = 64 };

typedef struct script script;

typedef struct script_event {
    int64_t at_us;
    jrpc_peer_event event;
    char *text; // owned; NULL: none
    int http_status;
    jrpc_peer_ending ending; // of ENDED
} script_event;

// One connection to the scripted side.
typedef struct scripted {
    jrpc_peer peer;
    script *of;
    unsigned number; // from 1
    jrpc_framing framing;
    script_event events[SCRIPT_EVENTS_MAX];
    size_t count;
    bool silent; // SILENT comes whenever nothing is under way, as over HTTP
    bool half_closed;
    int state;    // for the test
    size_t grows; // bytes of a message without end that come in a second
    int last_status;
    char *last; // what was handed out last, which is borrowed until the next call
    jrpc_peer_ending ending;
} scripted;

struct script {
    pthread_mutex_t lock; // connections may belong to several threads
    jrpc_clock clock;
    int64_t now_us;      // of the thread that has the lock; of the first thread when nobody has
    pthread_t first;     // the one that began the script
    int64_t first_us;    // its time while another thread has the lock
    pthread_key_t times; // of the other threads
    unsigned slowdown;   // of the machine, as jrpc_clock_slowdown
    bool exchanges;      // speaks as HTTP does
    int64_t process;     // that the other side is, as a group; 0: none is known
    unsigned opened;
    unsigned closed;
    char headers[3][64];         // that were set last, copied
    jrpc_error_code refuses;     // opening fails with that
    unsigned refuses_from;       // … from that connection on (0: never)
    bool refuses_handshakes;     // … and with a handshake of a step's own
    unsigned refused;            // connections so far
    jrpc_peer_event send_event;  // what the next send gives instead of MESSAGE (0: MESSAGE)
    char *sent[SCRIPT_SENT_MAX]; // the messages that came first, in order
    size_t sent_count;
    // What the other side does with a message; NULL: answers every call with -32601.
    void (*on_message)(scripted *connection, const char *text, bool is_fence);
    void (*on_close_write)(scripted *connection);
    void (*on_idle)(scripted *connection); // nothing has been said that was not received yet
    int state;                             // for the test
    int64_t busy_until_us;                 // likewise
    void *context;                         // likewise
};

static inline void script_enter(script *of)
{
    (void)pthread_mutex_lock(&of->lock);
    if (!pthread_equal(pthread_self(), of->first)) {
        void *time = pthread_getspecific(of->times); // NULL: it is new, and begins with the first
        of->first_us = of->now_us;
        of->now_us = time == NULL ? of->now_us : (int64_t)(intptr_t)time;
    }
}

static inline void script_leave(script *of)
{
    if (!pthread_equal(pthread_self(), of->first)) {
        (void)pthread_setspecific(of->times, (void *)(intptr_t)of->now_us);
        of->now_us = of->first_us;
    }
    (void)pthread_mutex_unlock(&of->lock);
}

static inline int64_t script_now(void *context)
{
    script *of = context;
    script_enter(of);
    int64_t now_us = of->now_us;
    script_leave(of);
    return now_us;
}

static inline unsigned script_slowdown(void *context)
{
    return ((const script *)context)->slowdown;
}

static inline void script_event_at(scripted *c, int64_t after_ms, script_event event)
{
    if (c->count == SCRIPT_EVENTS_MAX) {
        abort();
    }
    event.at_us = c->of->now_us + after_ms * 1000;
    size_t place = c->count++;
    while (place > 0 && c->events[place - 1].at_us > event.at_us) {
        c->events[place] = c->events[place - 1];
        place--;
    }
    c->events[place] = event;
}

// A message comes.
static inline void script_say(scripted *c, int64_t after_ms, const char *text)
{
    script_event_at(c, after_ms,
                    (script_event){.event = JRPC_PEER_MESSAGE,
                                   .text = strdup(text),
                                   .http_status = c->of->exchanges ? 200 : 0});
}

static inline void script_noise(scripted *c, int64_t after_ms, const char *text)
{
    script_event_at(c, after_ms, (script_event){.event = JRPC_PEER_NOISE, .text = strdup(text)});
}

// The connection ends.
static inline void script_end(scripted *c, int64_t after_ms, jrpc_end_kind kind, int value)
{
    script_event_at(c, after_ms, (script_event){.event = JRPC_PEER_ENDED, .ending = {kind, value}});
}

// Something that is none of a server's doing: INTERRUPTED or FAULT.
static inline void script_happen(scripted *c, int64_t after_ms, jrpc_peer_event event)
{
    script_event_at(c, after_ms, (script_event){.event = event});
}

// Over HTTP: the exchange ends with that status and no more.
static inline void script_status(scripted *c, int64_t after_ms, int status)
{
    script_event_at(c, after_ms, (script_event){.event = JRPC_PEER_SILENT, .http_status = status});
}

// The member of a message as spelled, "" if it has none of that name.
static inline void script_member(const char *text, const char *name, char *out, size_t size)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    out[0] = '\0';
    if (jrpc_json_read(&document, jrpc_slice_str(text), SCRIPT_DEPTH, NULL)) {
        jrpc_slice spelling = jrpc_json_spelling(jrpc_json_get(jrpc_json_root(&document), name));
        (void)snprintf(out, size, "%.*s", (int)spelling.len, spelling.len > 0 ? spelling.ptr : "");
    }
    jrpc_json_document_done(&document);
}

static inline void script_id(const char *text, char id[128])
{
    script_member(text, "id", id, 128);
}

// Says an error with this id as spelled.
static inline void script_error(scripted *c, int64_t after_ms, int code, const char *id)
{
    char answer[512];
    (void)snprintf(answer, sizeof answer,
                   "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"m\"},\"id\":%s}",
                   code, id);
    script_say(c, after_ms, answer);
}

// Says a Response to a call (nothing to a notification, -32700 to what is not valid JSON).
static inline void script_answer(scripted *c, int64_t after_ms, const char *text)
{
    char id[128];
    script_id(text, id);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool valid = jrpc_json_read(&document, jrpc_slice_str(text), SCRIPT_DEPTH, NULL);
    jrpc_json_document_done(&document);
    if (valid && id[0] == '\0') {
        return;
    }
    script_error(c, after_ms, valid ? -32601 : -32700, valid ? id : "null");
}

static inline scripted *scripted_of(jrpc_peer *peer)
{
    return (scripted *)(void *)peer; // `peer` is the first member
}

static inline jrpc_peer_event scripted_take(jrpc_peer *peer, jrpc_slice payload,
                                            int64_t deadline_us, jrpc_error *error)
{
    (void)error;
    scripted *c = scripted_of(peer);
    script *of = c->of;
    jrpc_peer_event event = of->send_event;
    of->send_event = JRPC_PEER_MESSAGE;
    if (event != JRPC_PEER_MESSAGE) {
        of->now_us = event == JRPC_PEER_TIMEOUT ? deadline_us : of->now_us;
        return event;
    }
    char *text = calloc(1, payload.len + 1);
    if (text == NULL) {
        abort();
    }
    memcpy(text, payload.ptr, payload.len);
    // Over HTTP nobody is told any more that the exchange before this one is over.
    while (of->exchanges && c->count > 0 && c->events[c->count - 1].event == JRPC_PEER_SILENT) {
        c->count--;
    }
    if (of->on_message == NULL) {
        script_answer(c, 1, text);
    } else {
        of->on_message(c, text, strstr(text, "jck-fence-") != NULL);
    }
    if (of->sent_count < SCRIPT_SENT_MAX) {
        of->sent[of->sent_count++] = text;
    } else {
        free(text);
    }
    c->silent = of->exchanges;
    return JRPC_PEER_MESSAGE;
}

static inline jrpc_peer_event scripted_send(jrpc_peer *peer, jrpc_slice payload,
                                            int64_t deadline_us, jrpc_error *error)
{
    script *of = scripted_of(peer)->of;
    script_enter(of);
    jrpc_peer_event event = scripted_take(peer, payload, deadline_us, error);
    script_leave(of);
    return event;
}

static inline void scripted_set_headers(jrpc_peer *peer, const char *const *headers)
{
    script *of = scripted_of(peer)->of;
    script_enter(of);
    memset(of->headers, 0, sizeof of->headers);
    for (size_t i = 0; i < 3 && headers[i] != NULL; i++) {
        (void)snprintf(of->headers[i], sizeof of->headers[i], "%s", headers[i]);
    }
    script_leave(of);
}

static inline jrpc_peer_event scripted_send_as(jrpc_peer *peer, jrpc_slice payload,
                                               const jrpc_manner *manner, int64_t deadline_us,
                                               jrpc_error *error)
{
    if (manner->headers != NULL) {
        scripted_set_headers(peer, manner->headers);
    }
    return scripted_send(peer, payload, deadline_us, error);
}

static inline jrpc_peer_event scripted_send_chunks(jrpc_peer *peer, jrpc_slice payload,
                                                   const size_t *offsets, size_t count,
                                                   int64_t deadline_us, jrpc_error *error)
{
    (void)offsets;
    (void)count;
    return scripted_send(peer, payload, deadline_us, error);
}

static inline jrpc_peer_event scripted_give(jrpc_peer *peer, int64_t deadline_us,
                                            jrpc_received *ret_received, jrpc_error *error)
{
    (void)error;
    scripted *c = scripted_of(peer);
    script *of = c->of;
    free(c->last);
    c->last = NULL;
    *ret_received = (jrpc_received){.http_status = 0};
    if (c->count == 0 && of->on_idle != NULL) {
        of->on_idle(c);
    }
    if (c->count == 0 && c->silent) {
        ret_received->http_status = c->last_status;
        return JRPC_PEER_SILENT;
    }
    if (c->count == 0 || (c->events[0].at_us > deadline_us && c->events[0].at_us > of->now_us)) {
        of->now_us = deadline_us > of->now_us ? deadline_us : of->now_us;
        ret_received->true_len = c->grows * (size_t)(of->now_us / 1000) / 1000;
        return JRPC_PEER_TIMEOUT;
    }
    script_event event = c->events[0];
    of->now_us = event.at_us > of->now_us ? event.at_us : of->now_us;
    if (event.event != JRPC_PEER_ENDED) { // an end stays
        memmove(c->events, c->events + 1, --c->count * sizeof *c->events);
    }
    c->ending = event.ending;
    c->last_status = event.http_status;
    c->last = event.event == JRPC_PEER_ENDED ? NULL : event.text;
    ret_received->bytes = jrpc_slice_str(event.text);
    ret_received->true_len = ret_received->bytes.len;
    ret_received->at_us = of->now_us;
    ret_received->http_status = event.http_status;
    ret_received->why = event.event == JRPC_PEER_NOISE ? "no frame" : NULL;
    return event.event;
}

static inline jrpc_peer_event scripted_receive(jrpc_peer *peer, int64_t deadline_us,
                                               jrpc_received *ret_received, jrpc_error *error)
{
    script *of = scripted_of(peer)->of;
    script_enter(of);
    jrpc_peer_event event = scripted_give(peer, deadline_us, ret_received, error);
    script_leave(of);
    return event;
}

static inline int64_t scripted_process(const jrpc_peer *peer)
{
    return ((const scripted *)(const void *)peer)->of->process;
}

static inline void scripted_close_write(jrpc_peer *peer)
{
    scripted *c = scripted_of(peer);
    script_enter(c->of);
    c->half_closed = true;
    if (c->of->on_close_write != NULL) {
        c->of->on_close_write(c);
    }
    script_leave(c->of);
}

static inline jrpc_peer_ending scripted_end(jrpc_peer *peer, int64_t deadline_us)
{
    (void)deadline_us;
    return scripted_of(peer)->ending;
}

static inline void scripted_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    (void)peer;
    (void)jrpc_buffer_append_str(out, "last words\n");
}

static inline void scripted_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    scripted *c = scripted_of(peer);
    for (size_t i = 0; i < c->count; i++) {
        free(c->events[i].text);
    }
    free(c->last);
    script_enter(c->of);
    c->of->closed++;
    script_leave(c->of);
    free(c);
}

static inline jrpc_peer *scripted_dial(const jrpc_endpoint *endpoint, int64_t deadline_us,
                                       jrpc_error *error)
{
    static const jrpc_peer_operations operations = {
        .send = scripted_send,
        .send_as = scripted_send_as,
        .set_headers = scripted_set_headers,
        .send_raw = scripted_send,
        .send_chunks = scripted_send_chunks,
        .receive = scripted_receive,
        .close_write = scripted_close_write,
        .end = scripted_end,
        .stderr_tail = scripted_stderr_tail,
        .process = scripted_process,
        .close = scripted_close,
    };
    (void)deadline_us;
    script *of = endpoint->dial_context;
    script_enter(of);
    bool refuses = (of->refuses_from > 0 && of->opened + 1 >= of->refuses_from) ||
                   (of->refuses_handshakes && endpoint->handshake != NULL);
    of->refused += refuses;
    script_leave(of);
    if (refuses) {
        (void)jrpc_error_set(error, of->refuses, "cannot connect: connection refused");
        return NULL;
    }
    scripted *c = calloc(1, sizeof *c);
    if (c == NULL) {
        abort();
    }
    c->peer.operations = &operations;
    c->of = of;
    c->framing = endpoint->framing;
    script_enter(of);
    c->number = ++of->opened;
    script_leave(of);
    c->last_status = of->exchanges ? 200 : 0;
    return &c->peer;
}

// Initializes caller's storage.
static inline void script_init(script *s)
{
    *s = (script){.now_us = 1000000,
                  .slowdown = 1,
                  .clock = {.now_us = script_now, .slowdown = script_slowdown}};
    s->clock.context = s;
    s->first = pthread_self();
    // Recursive: what a test does with a message may open another connection.
    pthread_mutexattr_t again;
    if (pthread_mutexattr_init(&again) != 0 ||
        pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE) != 0 ||
        pthread_mutex_init(&s->lock, &again) != 0 || pthread_key_create(&s->times, NULL) != 0) {
        abort();
    }
    (void)pthread_mutexattr_destroy(&again);
}

static inline void script_forget_sent(script *s)
{
    for (size_t i = 0; i < s->sent_count; i++) {
        free(s->sent[i]);
    }
    s->sent_count = 0;
}

static inline void script_done(script *s)
{
    script_forget_sent(s);
    (void)pthread_key_delete(s->times);
    (void)pthread_mutex_destroy(&s->lock);
}

#endif
