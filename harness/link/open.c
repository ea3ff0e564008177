#include "harness/link/open.h"

#include "harness/link/capture.h"
#include "harness/link/greeting.h"
#include "harness/link/hear.h"
#include "harness/link/prelude.h"
#include "reference/net/descriptor.h"

#include <stdio.h>
#include <string.h>

// The pause between two attempts to connect to a target that is still starting.
#define RETRY_MS 20
#define FENCE_BYTES 1024
// The connection used for asking whether a target answers on another one.
#define ELSEWHERE (char)('a' + JCK_CONNECTIONS_MAX - 1)
// How long a target may take to write out what it buffers once we have closed our side.
#define REST_MS 500
// How often a target that answered before may end again while it is being opened, because of
// another worker's case.
#define OPENINGS_MAX 5

static jck_link_status status_of(const jrpc_error *error)
{
    return error->code == JRPC_ERROR_INTERRUPTED ? JCK_LINK_INTERRUPTED : JCK_LINK_UNOPENED;
}

static jck_link_status start_host(const jck_link_opening *now)
{
    jck_link *link = now->link;
    uint32_t before = link->generation;
    bool running = jck_host_start(link->host, now->deadline_us, &link->generation, now->error);
    if (link->generation != before) {
        jck_link_drop(link); // open connections lead to a process that is gone
    }
    return running ? JCK_LINK_OK : status_of(now->error);
}

// Waits a moment for the started command to listen. False if it ended or the time is up.
static bool may_listen_soon(const jck_link_opening *now, const jrpc_error *refusal)
{
    const jck_link *link = now->link;
    jck_host_end end;
    struct pollfd stop = {.fd = link->endpoint.interrupt_fd, .events = POLLIN};
    // Waiting does not help if it speaks another protocol.
    if (!jck_host_is_starting(link->host, link->generation) ||
        refusal->code == JRPC_ERROR_INVALID || refusal->code == JRPC_ERROR_USAGE ||
        refusal->code == JRPC_ERROR_INTERRUPTED ||
        jrpc_clock_now_us(link->clock) >= now->deadline_us) {
        return false;
    }
    (void)jrpc_descriptor_poll(&stop, 1, link->clock, jrpc_deadline_in_ms(link->clock, RETRY_MS));
    return !jck_host_is_gone(link->host, link->generation, 0, &end);
}

// Whether a header line is the one with the target's credential.
static bool is_credential(const jck_target *target, const char *line)
{
    const char *right = target->credentials[JCK_CREDENTIAL_RIGHT];
    return right != NULL && strcmp(line, right) == 0;
}

// The headers of the target with the credential of this connection: only the handshake carries one.
static const char *const *headers_shown(const jck_link_opening *now)
{
    const jck_target *target = now->link->target;
    size_t count = 0;
    while (target->headers != NULL && target->headers[count] != NULL) {
        count++;
    }
    const char **headers = jrpc_arena_array(&now->link->record, count + 2, sizeof *headers);
    size_t kept = 0;
    for (size_t i = 0; headers != NULL && i < count; i++) {
        if (!is_credential(target, target->headers[i])) {
            headers[kept++] = target->headers[i];
        }
    }
    if (headers != NULL && now->link->shown != JCK_CREDENTIAL_NONE) {
        headers[kept] = jck_target_credential(target, now->link->shown, &now->link->record);
    }
    return headers;
}

static jck_link_status connect_peer(const jck_link_opening *now)
{
    for (;;) {
        jrpc_error refusal = {0};
        jrpc_endpoint endpoint = now->link->endpoint;
        const jck_target *target = now->link->target;
        bool made = target->signer != NULL || now->link->shown != JCK_CREDENTIAL_RIGHT;
        if (made && jck_target_traits(target)->upgrades) {
            endpoint.headers = headers_shown(now);
        }
        endpoint.handshake = now->link->handshake;
        jrpc_peer *peer = jrpc_peer_open(&endpoint, now->deadline_us, &refusal);
        struct pollfd stop = {.fd = now->link->endpoint.interrupt_fd, .events = POLLIN};
        if (peer != NULL) {
            jck_connection_begin(now->open, peer, ++now->link->begun);
            now->link->opening.connected = true;
            return JCK_LINK_OK;
        }
        bool again = may_listen_soon(now, &refusal);
        if (jrpc_descriptor_poll(&stop, 1, now->link->clock, 0) > 0) {
            return JCK_LINK_INTERRUPTED;
        }
        if (!again) {
            *now->error = refusal;
            jck_link_status status = status_of(&refusal);
            jck_explain_start(now->link, now->error);
            return status;
        }
    }
}

static jck_link_status run_prelude(const jck_link_opening *now)
{
    const jck_target *target = now->link->target;
    jck_link_status status = JCK_LINK_OK;
    for (size_t i = 0; i < target->prelude_count && status == JCK_LINK_OK; i++) {
        if (jck_prelude_applies(target, &target->prelude[i])) {
            status = jck_prelude_step(now->link, now->connection, &target->prelude[i], (int)i,
                                      now->deadline_us, now->error);
        }
    }
    return status;
}

static jck_link_status listen_for_events(const jck_link_opening *now)
{
    if (now->link->target->events_url == NULL) {
        return JCK_LINK_OK;
    }
    jrpc_peer_event event = jrpc_peer_listen(now->open->peer, now->deadline_us, now->error);
    return event == JRPC_PEER_MESSAGE       ? JCK_LINK_OK
           : event == JRPC_PEER_INTERRUPTED ? JCK_LINK_INTERRUPTED
                                            : JCK_LINK_UNOPENED;
}

// On the first opening, asks once more on the same connection: a target that closes it instead,
// while its process still runs, accepts one message per connection.
static jck_link_status learn_use(const jck_link_opening *now)
{
    jck_link *link = now->link;
    const jrpc_traits *traits = jck_target_traits(link->target);
    if (link->learned.use != JCK_USE_UNKNOWN || traits->exchanges || !traits->can_reconnect ||
        link->target->prelude_count > 0) {
        return JCK_LINK_OK;
    }
    link->learned.use = JCK_USE_MANY;
    jck_link_status status = jck_greet_send_fence(now);
    int64_t soon = jrpc_deadline_in_ms(link->clock, link->timing.patience_ms);
    jck_heard_kind kind = JCK_HEARD_NOISE;
    while (status == JCK_LINK_OK && kind != JCK_HEARD_FENCE && kind != JCK_HEARD_TIMEOUT &&
           !jck_heard_is_end(kind)) {
        kind = jck_link_hear(link, now->connection, soon, now->error).kind;
    }
    jck_host_end end;
    int64_t follow = jrpc_deadline_in_ms(link->clock, JCK_FOLLOW_MS);
    if (kind == JCK_HEARD_END && !jck_host_is_gone(link->host, link->generation, follow, &end)) {
        link->learned.use = JCK_USE_ONE;
        jck_link_close(link, now->connection);
        return connect_peer(now);
    }
    return kind == JCK_HEARD_INTERRUPT ? JCK_LINK_INTERRUPTED : status;
}

// Opens the connection itself. If a target is known to accept one message per connection, that
// message belongs to a case, so no fence is sent first unless its answer is what the caller wants.
static jck_link_status open_in_line(const jck_link_opening *now)
{
    jck_link_status status = start_host(now);
    if (status == JCK_LINK_OK) {
        status = connect_peer(now);
    }
    if (status == JCK_LINK_OK && !now->link->bare) {
        status = run_prelude(now);
    }
    // A connection without a prelude has the names of the connections before it.
    if (status == JCK_LINK_OK && !jck_capture_for_connection(now->link, now->connection)) {
        status = JCK_LINK_FAULT;
    }
    if (now->link->bare) {
        return status;
    }
    if (status == JCK_LINK_OK) {
        status = listen_for_events(now);
    }
    if (status == JCK_LINK_OK &&
        (now->link->learned.use != JCK_USE_ONE || now->connection == ELSEWHERE)) {
        status = jck_greet_find_fence(now);
    }
    if (status == JCK_LINK_OK) {
        status = learn_use(now);
    }
    if (status == JCK_LINK_OK && now->link->learned.use != JCK_USE_ONE) {
        status = jck_greet_learn_params(now);
    }
    return status;
}

// An answer without its end, such as a line feed, is not a message; at the end of the stream it is
// delivered and can be shown.
static void hear_the_rest(const jck_link_opening *now)
{
    if (now->link->opening.words[0] != '\0' || !jck_target_traits(now->link->target)->byte_stream) {
        return;
    }
    jrpc_peer_close_write(now->open->peer);
    int64_t deadline = jrpc_deadline_in_ms(now->link->clock, REST_MS);
    jck_heard_kind kind = JCK_HEARD_NOISE;
    for (int i = 0; i < 8 && kind != JCK_HEARD_TIMEOUT && !jck_heard_is_end(kind); i++) {
        jrpc_error ignored = {0};
        jck_heard heard = jck_link_hear(now->link, now->connection, deadline, &ignored);
        jck_remember_words(now->link, heard.received.bytes);
        (void)jck_greet_record(now, JCK_RECEIVED, JCK_MESSAGE_NOISE, &heard, heard.received.bytes);
        kind = heard.kind;
    }
}

static void conclude(const jck_link_opening *now, jck_link_status status, int64_t began_us)
{
    jck_link *link = now->link;
    link->opening.status = status;
    link->opening.took_us = jrpc_clock_now_us(link->clock) - began_us;
    if (now->connection == 'a') {
        link->learned.served_next += status == JCK_LINK_OK && link->learned.unserved;
        link->learned.unserved = status == JCK_LINK_MUTE;
    }
    if (status == JCK_LINK_OK) {
        bool answered = !link->bare && link->opening.took_us > link->learned.starts_us;
        link->learned.starts_us = answered ? link->opening.took_us : link->learned.starts_us;
        jck_connection_greeted(now->open);
        link->opened++;
        jck_host_answers(link->host, link->generation);
        return;
    }
    if (status == JCK_LINK_UNOPENED) {
        jck_explain_end(link, now->connection, now->error);
    } else if (status == JCK_LINK_MUTE || status == JCK_LINK_FLOODS || status == JCK_LINK_ECHOES) {
        hear_the_rest(now);
        jck_explain_silence(link, now->error);
    }
    jck_link_close(link, now->connection);
}

// How long opening a connection may take: longer than configured if the child or the machine was
// seen to be slow. A target that was open before does not have to start, so a further connection
// only gets FURTHER_TIMES the time of an answer, but at least FURTHER_LEAST_MS, or
// UNSERVED_LEAST_MS if the target was seen to leave a connection unserved and to serve the next.
// Connection 'a' gets the least time; if that was not enough, another connection gets the full
// time.
#define OPENING_TIMES 3
#define FURTHER_TIMES 2
#define FURTHER_LEAST_MS 3000
#define FURTHER_STARTS 10 // … and so many times the longest opening so far
#define UNSERVED_LEAST_MS 300
// A process that starts on a busy machine has at most so many times as long, unless the user said
// how long starting may take.
#define START_TIMES_MOST 4

// Whether the target is a new process, or the next connection starts one.
static bool has_to_start(jck_link *link)
{
    jck_host_end end;
    bool known = link->opened > 0 && !jck_target_traits(link->target)->is_child;
    return !known || (jck_host_is_used(link->host) &&
                      (jck_host_is_starting(link->host, link->generation) ||
                       jck_host_is_gone(link->host, link->generation, 0, &end)));
}

static int64_t most(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static unsigned start_times(const jck_link *link)
{
    bool elastic = link->timing.elastic && link->target->start_ms == 0;
    return elastic ? jck_busy_times(link->clock, START_TIMES_MOST) : 1;
}

static int64_t patience_us(jck_link *link, char connection)
{
    const jck_learned *learned = &link->learned;
    int64_t agreed_us = link->timing.start_ms * 1000;
    bool second = connection != 'a' && jck_connection_is_in_order(jck_link_connection(link, 'a'));
    bool child = jck_target_traits(link->target)->is_child;
    if (!second && (learned->unserved || has_to_start(link))) {
        return most(child ? OPENING_TIMES * learned->starts_us : 0, agreed_us * start_times(link));
    }
    int64_t least_ms = learned->served_next == 0 ? FURTHER_LEAST_MS : UNSERVED_LEAST_MS;
    if (connection != 'a') {
        least_ms = most(FURTHER_TIMES * link->timing.reply_ms, least_ms);
    }
    int64_t further_us = most(least_ms * 1000, FURTHER_STARTS * learned->starts_us);
    return further_us < agreed_us ? further_us : agreed_us;
}

static jck_link_status open_once(jck_link *link, char connection, jrpc_error *error)
{
    int64_t began = jrpc_clock_now_us(link->clock);
    int64_t granted_us = patience_us(link, connection);
    const jck_link_opening now = {.link = link,
                                  .connection = connection,
                                  .open = jck_link_connection(link, connection),
                                  .deadline_us = began + granted_us,
                                  .error = error};
    jrpc_arena_clear(&link->record);
    link->opening = (jck_opening){.status = JCK_LINK_FAULT, .granted_ms = granted_us / 1000};
    jrpc_error_clear(error);
    if (!jck_evidence_init(&link->opening.record, &link->record, 1)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a connection");
        return JCK_LINK_FAULT;
    }
    jck_spent_kind before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_OPENING);
    jck_link_status status = open_in_line(&now);
    conclude(&now, status, began);
    (void)jck_spent_begin(&link->spent, link->clock, before);
    return status;
}

jck_link_status jck_link_open(jck_link *link, char connection, jrpc_error *error)
{
    jck_host_end end;
    jrpc_error ignored = {0};
    error = error == NULL ? &ignored : error;
    // An end between two cases that was not noticed yet is left for the next case to see.
    if (jck_host_is_gone(link->host, link->generation, 0, &end) &&
        (end.by_us || end.seen ||
         !jck_connection_is_in_order(jck_link_connection(link, connection)))) {
        jck_link_drop(link);
    }
    if (jck_link_connection(link, connection)->state != JCK_CONNECTION_CLOSED) {
        return JCK_LINK_OK;
    }
    for (int left = OPENINGS_MAX;; left--) {
        bool hurried = connection == 'a' && patience_us(link, 'a') < link->timing.start_ms * 1000;
        bool answered = jck_host_has_answered(link->host);
        jck_link_status status = open_once(link, connection, error);
        bool failed = status == JCK_LINK_UNOPENED || status == JCK_LINK_MUTE;
        // The end of a connection may be seen before the end of its process, which is alive if it
        // refused the connection with an answer.
        failed = failed && error->code != JRPC_ERROR_INVALID;
        int64_t soon = jrpc_deadline_in_ms(link->clock, JCK_FOLLOW_MS);
        if (status == JCK_LINK_MUTE && hurried && left > 1) {
            continue; // the next one has the full time
        }
        if (!failed || !answered || left == 1 ||
            !jck_host_is_gone(link->host, link->generation, soon, &end)) {
            return status;
        }
    }
}

jck_link_status jck_link_open_as(jck_link *link, char connection, jck_credential shown,
                                 const char *const *handshake, jrpc_error *error)
{
    link->shown = shown;
    link->handshake = handshake;
    jck_link_status opened = jck_link_open(link, connection, error);
    link->shown = JCK_CREDENTIAL_RIGHT;
    link->handshake = NULL;
    return opened;
}

jck_link_status jck_link_begin_case(jck_link *link, bool bare, jrpc_error *error)
{
    jck_link_leave_used(link);
    link->refused = false;
    if (bare) {
        jck_link_drop(link);
    }
    link->bare = bare;
    jck_link_status opened = jck_link_open(link, 'a', error);
    jck_link_hear_anew(link);
    return opened;
}

// Sends a fence and waits for its answer. *ret_alone: nothing but notifications came before it.
static bool answers_within(jck_link *link, char connection, int64_t within_ms, bool *ret_alone)
{
    jrpc_error ignored = {0};
    jrpc_buffer sent;
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), FENCE_BYTES);
    int64_t deadline = jrpc_deadline_in_ms(link->clock, within_ms);
    bool asked = jck_link_send_fence(link, connection, &sent, &ignored) == JRPC_PEER_MESSAGE;
    jrpc_buffer_done(&sent);
    jck_heard_kind kind = asked ? JCK_HEARD_PUSH : JCK_HEARD_END;
    *ret_alone = true;
    while (kind != JCK_HEARD_FENCE && !jck_heard_ends_wait(kind)) {
        kind = jck_link_hear(link, connection, deadline, &ignored).kind;
        *ret_alone = *ret_alone && (kind == JCK_HEARD_FENCE || kind == JCK_HEARD_PUSH);
    }
    return kind == JCK_HEARD_FENCE;
}

bool jck_link_answers(jck_link *link, char connection)
{
    bool alone = false;
    return answers_within(link, connection, link->timing.reply_ms, &alone);
}

bool jck_link_is_in_step(jck_link *link, char connection)
{
    jck_connection *open = jck_link_connection(link, connection);
    bool alone = false;
    bool in_step = open->state == JCK_CONNECTION_SPENT && !open->fence.by_form &&
                   answers_within(link, connection, link->timing.patience_ms, &alone) && alone;
    if (in_step) {
        jck_connection_regain(open);
    }
    return in_step;
}

bool jck_link_answers_elsewhere(jck_link *link)
{
    if (!jck_target_traits(link->target)->can_reconnect) {
        return false; // the process is the connection
    }
    jck_link_close(link, ELSEWHERE);
    bool answers = jck_link_open(link, ELSEWHERE, NULL) == JCK_LINK_OK;
    jck_link_close(link, ELSEWHERE);
    return answers;
}
