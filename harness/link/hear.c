#include "harness/link/hear.h"

#include "harness/suite/amend.h"
#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"
#include "reference/net/descriptor.h"
#include "reference/wire/websocket_handshake.h"

#include <stdio.h>

bool jck_heard_is_end(jck_heard_kind kind)
{
    return kind == JCK_HEARD_END || kind == JCK_HEARD_FLOOD || kind == JCK_HEARD_INTERRUPT ||
           kind == JCK_HEARD_FAULT;
}

bool jck_heard_ends_wait(jck_heard_kind kind)
{
    return kind == JCK_HEARD_TIMEOUT || kind == JCK_HEARD_SILENCE || jck_heard_is_end(kind);
}

static jrpc_json member_of_method(jrpc_json object, jrpc_json request)
{
    jrpc_json found = JRPC_JSON_ABSENT;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        if (jrpc_json_equal(it.key, jrpc_json_get(request, "method"))) {
            found = it.value;
        }
    }
    return found;
}

static void put_member(jrpc_buffer *reply, const char *name, jrpc_json value)
{
    jrpc_buffer_append_str(reply, name);
    jrpc_json_compact(reply, value);
}

// Answers a request from the target: with the next answer that the case has for it, with the result
// that its description gives, or with -32601.
static void write_reply(jck_link *link, jrpc_json request, jrpc_buffer *reply)
{
    jrpc_json turns = member_of_method(link->requests, request);
    jrpc_json turn = jrpc_json_element(turns, link->replied);
    jrpc_json result = jrpc_json_exists(turns) ? jrpc_json_get(turn, "result")
                                               : member_of_method(link->target->requests, request);
    link->replied += jrpc_json_exists(turns) ? 1 : 0;
    jrpc_buffer_append_str(reply, "{\"jsonrpc\":\"2.0\",");
    if (jrpc_json_exists(result)) {
        put_member(reply, "\"result\":", result);
    } else if (jrpc_json_exists(turn)) {
        put_member(reply, "\"error\":", jrpc_json_get(turn, "error"));
    } else {
        jrpc_buffer_append_str(reply,
                               "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
    }
    put_member(reply, ",\"id\":", jrpc_json_get(request, "id"));
    jrpc_buffer_append_str(reply, "}");
}

// Copies the request (its text is borrowed from the peer, which is needed for answering) and
// answers it.
static void answer_request(jck_link *link, jck_connection *open, jck_heard *heard,
                           int64_t deadline_us)
{
    jrpc_buffer_clear(&open->request);
    jrpc_buffer_clear(&open->reply);
    heard->kind = JCK_HEARD_FAULT;
    if (!jrpc_buffer_append(&open->request, heard->received.bytes)) {
        return;
    }
    heard->received.bytes = jrpc_buffer_slice(&open->request);
    if (!jrpc_json_read(&open->document, heard->received.bytes, JCK_MESSAGE_DEPTH, NULL)) {
        return;
    }
    heard->value = jrpc_json_root(&open->document);
    if (open->replies_left > 0) {
        heard->kind = JCK_HEARD_REQUEST;
        return; // it asks but never reads: it gets no more answers
    }
    write_reply(link, heard->value, &open->reply);
    if (open->reply.failed) {
        return;
    }
    heard->reply = jrpc_buffer_slice(&open->reply);
    heard->kind = JCK_HEARD_REQUEST;
    jrpc_error ignored = {0};
    // If the connection has failed, the next attempt to listen shows it.
    int64_t soon = jrpc_deadline_in_ms(link->clock, link->timing.patience_ms);
    static const jrpc_manner aside = {.aside = true};
    if (jrpc_peer_send_as(open->peer, heard->reply, &aside, soon < deadline_us ? soon : deadline_us,
                          &ignored) == JRPC_PEER_TIMEOUT) {
        open->replies_left++;
    }
}

// A message that the target originated has a method, and is not one of ours sent back.
static bool is_own(jrpc_json value)
{
    jrpc_json method = jrpc_json_get(value, "method");
    return jrpc_json_is(method, JRPC_JSON_STRING) &&
           !jrpc_slice_starts_with(jrpc_json_spelling(method), JRPC_SLICE("\"jrpcheck."));
}

static jck_heard_kind kind_of_fence(jck_fence_role role)
{
    switch (role) {
    case JCK_FENCE_ANSWER:
        return JCK_HEARD_FENCE;
    case JCK_FENCE_LATE:
    case JCK_FENCE_AGAIN:
        return JCK_HEARD_LATE_FENCE;
    case JCK_FENCE_ECHO:
        return JCK_HEARD_ECHO;
    case JCK_FENCE_INVENTED: // a Response to nothing: the case is to see it
    case JCK_FENCE_NONE:
        break;
    }
    return JCK_HEARD_MESSAGE;
}

static jck_heard recognize(const jck_link *link, jck_connection *open,
                           const jrpc_received *received)
{
    jck_heard heard = {.kind = JCK_HEARD_MESSAGE, .received = *received, .value = JRPC_JSON_ABSENT};
    jrpc_slice text = received->bytes;
    if (jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF"))) {
        text = jrpc_slice_of(text.ptr + 3, text.len - 3); // a breach, but still an answer
    }
    jrpc_error why = {0};
    if (jrpc_json_read(&open->document, text, JCK_MESSAGE_DEPTH, &why)) {
        heard.value = jrpc_json_root(&open->document);
    }
    heard.broken = why.code == JRPC_ERROR_SYNTAX;
    uint32_t number = 0;
    heard.fence =
        jck_fence_recognize(&open->fences, &open->fence, link->nonce, heard.value, &number);
    if (heard.fence == JCK_FENCE_NONE &&
        jck_fence_numbers_have(&link->fence_numbers, heard.value)) {
        heard.fence = JCK_FENCE_INVENTED; // it was sent on another connection
    }
    heard.kind = kind_of_fence(heard.fence);
    if (heard.fence == JCK_FENCE_NONE && is_own(heard.value)) {
        bool asks = jrpc_json_exists(jrpc_json_get(heard.value, "id"));
        bool answers = jrpc_json_exists(jrpc_json_get(heard.value, "result"));
        heard.kind = !asks ? JCK_HEARD_PUSH : !answers ? JCK_HEARD_REQUEST : JCK_HEARD_MESSAGE;
    }
    return heard;
}

// Waits until a given time, with a reason of its own. False when interrupted.
static bool wait_until(const jck_link *link, int64_t deadline_us)
{
    struct pollfd stop = {.fd = link->endpoint.interrupt_fd, .events = POLLIN};
    return jrpc_descriptor_poll(&stop, 1, link->clock, deadline_us) == 0;
}

bool jck_link_is_interrupted(const jck_link *link)
{
    return !wait_until(link, 0);
}

// How long to wait after HTTP 429 if the target does not say, how long at most whatever it says,
// and how often a message is sent again.
#define RETRY_MS 200
#define RETRY_MOST_MS 60000
#define RETRIES_MOST 8
#define INTERVAL_LEAST_US 20000
// The same if it did not ask for time but refused fences, and how many refusals count as that.
#define INTERVAL_UNASKED_US 50000
#define REFUSALS_MOST 8
// Codes between these are predefined or reserved (JSON-RPC 2.0, section 5.1).
#define CODE_RESERVED_LEAST (-32768)
#define CODE_OF_SERVER_LEAST (-32099)
#define INTERVAL_MOST_US 5000000

static int64_t retry_after_ms(const jrpc_received *received)
{
    jrpc_slice value = jrpc_head_value(received->http_headers, "Retry-After");
    int64_t seconds = 0;
    for (size_t i = 0; i < value.len && value.ptr[i] >= '0' && value.ptr[i] <= '9'; i++) {
        seconds = seconds < RETRY_MOST_MS ? seconds * 10 + (value.ptr[i] - '0') : seconds;
    }
    int64_t ms = seconds > 0 ? seconds * 1000 : RETRY_MS;
    return ms < RETRY_MOST_MS ? ms : RETRY_MOST_MS;
}

// Sends the target messages at longer intervals from now on.
static void slow_down(jck_link *link, int64_t most_us)
{
    int64_t slower = link->learned.interval_us * 2;
    slower = slower < INTERVAL_LEAST_US ? INTERVAL_LEAST_US : slower;
    link->learned.interval_us = slower < most_us ? slower : most_us;
    link->deferred++;
}

// Fences are equal calls and get equal errors. A fence that is refused with a code of the server's
// own came too fast for it; if slower ones are refused too, the pace is not the reason.
static void notice_limit(jck_link *link, jrpc_json answer)
{
    jck_learned *learned = &link->learned;
    int64_t code = 0;
    jrpc_json error = jrpc_json_get(answer, "error");
    (void)jrpc_json_int64(jrpc_json_get(error, "code"), &code);
    bool usual = learned->fence_code == 0 || code == learned->fence_code;
    bool of_server = code != 0 && (code < CODE_RESERVED_LEAST || code >= CODE_OF_SERVER_LEAST);
    if (usual) {
        learned->fence_code = code;
    } else if (of_server && learned->fences_refused < REFUSALS_MOST) {
        learned->fences_refused++;
        jrpc_slice words = jrpc_json_spelling(jrpc_json_get(error, "message"));
        size_t most = sizeof learned->limit_words - 1;
        (void)snprintf(learned->limit_words, most + 1, "%.*s",
                       (int)(words.len < most ? words.len : most), words.len > 0 ? words.ptr : "");
        learned->limit_code = code;
        link->refused = true;
        slow_down(link, INTERVAL_UNASKED_US);
        jck_link_pause(link);
    }
}

// The target asks for a pause: it gets one, and longer intervals from then on, and what it did not
// accept is sent again.
static jck_heard_kind come_later(jck_link *link, jck_connection *open,
                                 const jrpc_received *received)
{
    slow_down(link, INTERVAL_MOST_US);
    open->retries++;
    if (!wait_until(link, jrpc_deadline_in_ms(link->clock, retry_after_ms(received)))) {
        return JCK_HEARD_INTERRUPT;
    }
    jrpc_error ignored = {0};
    link->sent_us = jrpc_clock_now_us(link->clock);
    jrpc_peer_event event =
        jrpc_peer_send_as(open->peer, jrpc_buffer_slice(&open->last), &open->last_manner,
                          jrpc_deadline_in_ms(link->clock, link->timing.reply_ms), &ignored);
    return event == JRPC_PEER_MESSAGE ? JCK_HEARD_DEFERRED : JCK_HEARD_END;
}

static bool asks_to_come_later(const jck_connection *open, jrpc_peer_event event,
                               const jrpc_received *received)
{
    bool spoke =
        event == JRPC_PEER_MESSAGE || event == JRPC_PEER_NOISE || event == JRPC_PEER_SILENT;
    return spoke && received->http_status == 429 && open->last.len > 0 &&
           open->retries < RETRIES_MOST;
}

// The other side closed the connection. If it does so after each answer, this is like the end of an
// exchange over HTTP, unless its process is gone too.
static jck_heard_kind hear_end(jck_link *link, jck_connection *open)
{
    jck_host_end end;
    int64_t follow_ms = open->heard_count > 0 ? JCK_FOLLOW_LEAST_MS : JCK_FOLLOW_MS;
    bool one = link->learned.use == JCK_USE_ONE && open->state != JCK_CONNECTION_OPENING;
    if (one && !jck_host_follows(link->host, link->generation, follow_ms, &end)) {
        jck_connection_close(open, link->timing.grace_ms);
        return JCK_HEARD_SILENCE;
    }
    jck_connection_fail(open, JCK_CONNECTION_ENDED);
    return JCK_HEARD_END;
}

static void add_work(jck_work *work, size_t messages, int64_t took_us)
{
    work->us += took_us;
    work->messages += (int64_t)messages;
}

void jck_learn_work(jck_learned *learned, size_t messages, int64_t took_us)
{
    if (messages > 0) {
        int64_t each = took_us / (int64_t)messages;
        learned->us_per_message = each > learned->us_per_message ? each : learned->us_per_message;
        add_work(&learned->work, messages, took_us);
        learned->prompt += each <= JCK_PROMPT_US;
        learned->tardy += each > JCK_PROMPT_US;
    }
    if (messages >= JCK_MANY_MESSAGES) {
        add_work(&learned->many.work, messages, took_us);
    }
}

void jck_learn_pace(jck_link *link, const jck_connection *open)
{
    jck_learn_work(&link->learned, open->messages_since,
                   jrpc_clock_now_us(link->clock) - open->asked_us);
}

jck_heard jck_link_hear(jck_link *link, char connection, int64_t deadline_us, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    jck_heard heard = {.kind = JCK_HEARD_END, .value = JRPC_JSON_ABSENT};
    if (open->peer == NULL) {
        heard.kind = link->learned.use == JCK_USE_ONE ? JCK_HEARD_SILENCE : JCK_HEARD_END;
        return heard;
    }
    if (open->heard_us > deadline_us) {
        heard.kind = JCK_HEARD_TIMEOUT; // the last message came too late, and so will the rest
        return heard;
    }
    size_t longest = link->endpoint.max_message;
    size_t most = JCK_FLOOD_BYTES / 2 > longest ? JCK_FLOOD_BYTES : 2 * longest;
    jck_spent_kind before = jck_spent_listen(&link->spent, link->clock);
    jrpc_peer_event event = jrpc_peer_receive(open->peer, deadline_us, &heard.received, error);
    jck_spent_heard(&link->spent, link->clock, before, event == JRPC_PEER_TIMEOUT);
    if ((event == JRPC_PEER_MESSAGE || event == JRPC_PEER_NOISE) &&
        jck_connection_counts_flood(open, &heard.received, most)) {
        jck_connection_fail(open, JCK_CONNECTION_FLOODING);
        heard = (jck_heard){.kind = JCK_HEARD_FLOOD, .value = JRPC_JSON_ABSENT};
        return heard;
    }
    if (asks_to_come_later(open, event, &heard.received)) {
        // This answer only asks for time; once it has ended the message can be sent again.
        heard.kind = event == JRPC_PEER_SILENT ? come_later(link, open, &heard.received)
                                               : JCK_HEARD_DEFERRED;
        return heard;
    }
    switch (event) {
    case JRPC_PEER_MESSAGE:
        heard = recognize(link, open, &heard.received);
        if (heard.kind == JCK_HEARD_FENCE) {
            notice_limit(link, heard.value);
        }
        if (heard.kind == JCK_HEARD_REQUEST) {
            answer_request(link, open, &heard, deadline_us);
        }
        break;
    case JRPC_PEER_NOISE:
        heard.kind = JCK_HEARD_NOISE;
        break;
    case JRPC_PEER_SILENT:
        if (open->state == JCK_CONNECTION_ASKED) {
            jck_learn_pace(link, open);
        }
        jck_connection_settled(open);
        heard.kind = JCK_HEARD_SILENCE;
        break;
    case JRPC_PEER_ENDED:
        heard.kind = hear_end(link, open);
        break;
    case JRPC_PEER_TIMEOUT:
        heard.kind = JCK_HEARD_TIMEOUT;
        break;
    case JRPC_PEER_INTERRUPTED:
        heard.kind = JCK_HEARD_INTERRUPT;
        break;
    case JRPC_PEER_FAULT:
        heard.kind = JCK_HEARD_FAULT;
        break;
    }
    return heard;
}

void jck_link_hear_anew(jck_link *link)
{
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_connection_hear_anew(&link->connections[i]);
    }
}

// How many messages a payload is: the elements of a batch, or one.
static size_t messages_in(jck_connection *open, jrpc_slice payload)
{
    if (payload.len == 0 || payload.ptr[0] != '[' ||
        !jrpc_json_read(&open->document, payload, JCK_MESSAGE_DEPTH, NULL)) {
        return 1;
    }
    size_t count = jrpc_json_count(jrpc_json_root(&open->document));
    return count > 0 ? count : 1;
}

// Waits for the message's turn. False when interrupted.
static bool take_turn(jck_link *link)
{
    int64_t interval = link->timing.interval_us > link->learned.interval_us
                           ? link->timing.interval_us
                           : link->learned.interval_us;
    bool goes_on =
        interval == 0 || link->sent_us == 0 || wait_until(link, link->sent_us + interval);
    link->sent_us = jrpc_clock_now_us(link->clock);
    return goes_on;
}

// What has to happen before any message is sent. False when interrupted.
static bool begin_sending(jck_link *link, jck_connection *open, jrpc_slice payload)
{
    if (!take_turn(link)) {
        return false;
    }
    open->retries = 0;
    jck_connection_asked(open, messages_in(open, payload), payload.len, link->sent_us);
    return true;
}

// Some targets take seconds to parse a message of this length while they read it.
#define TAKEN_SLOWLY_BYTES ((size_t)4 << 20)

// Shorter messages fit into the buffers of the system. The target itself has to read longer ones,
// which may take this many times as long on a busy machine.
#define TAKEN_AT_ONCE_BYTES ((size_t)16 << 10)
#define TAKEN_TIMES_MOST 8

// The deadline for sending so many bytes: a first look shortens the wait for answers, not this one.
static int64_t taken_by(const jck_link *link, size_t bytes)
{
    int64_t full_ms = link->timing.listen_ms;
    full_ms = full_ms > link->timing.reply_ms ? full_ms : link->timing.reply_ms;
    int64_t more_us = bytes >= TAKEN_SLOWLY_BYTES ? jck_reading_most_us(bytes) : 0;
    bool elastic = bytes >= TAKEN_AT_ONCE_BYTES && link->timing.elastic;
    int64_t times = elastic ? jck_busy_times(link->clock, TAKEN_TIMES_MOST) : 1;
    return jrpc_deadline_in_ms(link->clock, (full_ms + more_us / 1000) * times);
}

jrpc_peer_event jck_link_send(jck_link *link, char connection, jrpc_slice payload,
                              const jrpc_manner *manner, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (!begin_sending(link, open, payload)) {
        return JRPC_PEER_INTERRUPTED;
    }
    jrpc_buffer_clear(&open->last);
    if (jck_target_traits(link->target)->exchanges && !manner->aside) {
        (void)jrpc_buffer_append(&open->last, payload); // too long: it is not sent again
        open->last_manner = *manner;
    }
    jrpc_peer_event event =
        jrpc_peer_send_as(open->peer, payload, manner, taken_by(link, payload.len), error);
    open->sending_us += jrpc_clock_now_us(link->clock) - link->sent_us;
    return event;
}

static jrpc_peer_event send_raw(jrpc_peer *peer, const jck_payload *how, jrpc_slice bytes,
                                int64_t deadline_us, jrpc_error *error)
{
    size_t at = 0;
    for (size_t i = 0; i <= how->chunk_count; i++) {
        size_t to = i < how->chunk_count ? how->chunks[i] : bytes.len;
        to = to > bytes.len ? bytes.len : to;
        if (to <= at) {
            continue;
        }
        jrpc_peer_event event =
            jrpc_peer_send_raw(peer, jrpc_slice_of(bytes.ptr + at, to - at), deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
        at = to;
    }
    return JRPC_PEER_MESSAGE;
}

jrpc_peer_event jck_link_send_chunks(jck_link *link, char connection, const jck_payload *how,
                                     jrpc_slice payload, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (!begin_sending(link, open, payload)) {
        return JRPC_PEER_INTERRUPTED;
    }
    int64_t deadline = taken_by(link, payload.len);
    return how->raw ? send_raw(open->peer, how, payload, deadline, error)
                    : jrpc_peer_send_chunks(open->peer, payload, how->chunks, how->chunk_count,
                                            deadline, error);
}

jrpc_peer_event jck_link_send_many(jck_link *link, char connection, jrpc_slice framed,
                                   size_t messages, const jck_payload *how, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (!take_turn(link)) {
        return JRPC_PEER_INTERRUPTED;
    }
    jck_connection_asked(open, messages, framed.len, link->sent_us);
    return send_raw(open->peer, how, framed, taken_by(link, framed.len), error);
}

jrpc_peer_event jck_link_send_fence(jck_link *link, char connection, jrpc_buffer *sent,
                                    jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (!jck_fence_write(&open->fences, &open->fence, link->nonce, &link->random, sent) ||
        !jck_amend(link->target->request_params, sent, 0)) {
        jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a fence");
        return JRPC_PEER_FAULT;
    }
    if (open->fence.number) {
        jck_fence_numbers_add(&link->fence_numbers, &open->fences);
    }
    if (!take_turn(link)) {
        return JRPC_PEER_INTERRUPTED;
    }
    open->carried++;
    return jrpc_peer_send(open->peer, jrpc_buffer_slice(sent), taken_by(link, sent->len), error);
}
