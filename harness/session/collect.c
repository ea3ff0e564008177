#include "harness/session/collect.h"

#include "harness/link/capture.h"

#include <stdio.h>
#include <string.h>

bool jck_exec_goes_on(const jck_exec *exec)
{
    return exec->status == JCK_SESSION_OK && !exec->gone && !exec->mute && !exec->flooded;
}

bool jck_exec_has_heard(const jck_exec *exec)
{
    for (size_t i = exec->evidence->count; i > 0; i--) {
        const jck_message *message = &exec->evidence->messages[i - 1];
        if (message->step == exec->step && message->direction == JCK_RECEIVED &&
            message->role == JCK_MESSAGE_OF_CASE) {
            return true;
        }
    }
    return false;
}

static void record(jck_exec *exec, const jck_message *message)
{
    jck_message stamped = *message;
    stamped.step = exec->step;
    stamped.at_us =
        (message->at_us == 0 ? jrpc_clock_now_us(exec->session->link->clock) : message->at_us) -
        exec->began_us;
    if (!jck_evidence_add(exec->evidence, &stamped)) {
        jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for the evidence of %.*s",
                       (int)exec->test_case->id.len, exec->test_case->id.ptr);
        exec->status = JCK_SESSION_FAULT;
    }
}

void jck_exec_sent(jck_exec *exec, char connection, jck_role_of_message role, jrpc_slice bytes)
{
    record(exec, &(jck_message){.direction = JCK_SENT,
                                .role = role,
                                .connection = connection,
                                .bytes = bytes,
                                .true_len = bytes.len});
}

static void record_heard(jck_exec *exec, char connection, jck_role_of_message role,
                         const jck_heard *heard)
{
    const jrpc_received *received = &heard->received;
    record(exec, &(jck_message){.direction = JCK_RECEIVED,
                                .role = role,
                                .connection = connection,
                                .at_us = received->at_us,
                                .bytes = received->bytes,
                                .true_len = received->true_len > received->bytes.len
                                                ? received->true_len
                                                : received->bytes.len,
                                .broken = heard->broken,
                                .why = received->why,
                                .http_status = received->http_status,
                                .http_headers = received->http_headers,
                                .http_reused = received->http_reused});
}

void jck_exec_note(jck_exec *exec, jrpc_peer_event event)
{
    switch (event) {
    case JRPC_PEER_MESSAGE:
    case JRPC_PEER_NOISE:
    case JRPC_PEER_SILENT:
        return;
    case JRPC_PEER_ENDED:
        // What it said before it left is still to be heard: the collection finds the end.
        return;
    case JRPC_PEER_TIMEOUT:
        exec->session->timers_expired++;
        exec->evidence->settled[exec->step] = JCK_UNSENT;
        exec->mute = true;
        return;
    case JRPC_PEER_INTERRUPTED:
        exec->status = JCK_SESSION_INTERRUPTED;
        return;
    case JRPC_PEER_FAULT:
        exec->status = JCK_SESSION_FAULT;
        return;
    }
}

// Keeps the id of the server's request, so that a later step can answer it.
static void keep_request(jck_exec *exec, jrpc_json request)
{
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(request, "id"));
    (void)jrpc_arena_copy(exec->evidence->arena, id, &exec->requested_id);
}

// Where a message belongs that carries an id of ours: ids name the execution and the step.
typedef enum home {
    HOME_HERE,      // this step, or no id that says otherwise
    HOME_EARLIER,   // an earlier step of this case, *ret_step
    HOME_ELSEWHERE, // an execution before this one
} home;

static home home_of(const jck_exec *exec, jrpc_json value, int *ret_step)
{
    jrpc_json first = jrpc_json_is(value, JRPC_JSON_ARRAY) ? jrpc_json_element(value, 0) : value;
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(first, "id"));
    char all[32];
    char ours[48];
    int all_len = snprintf(all, sizeof all, "\"jck-%08x-", exec->variables->nonce);
    int ours_len = snprintf(ours, sizeof ours, "%s%u-", all, exec->variables->serial);
    if (!jrpc_slice_starts_with(id, jrpc_slice_of(all, (size_t)all_len))) {
        return HOME_HERE;
    }
    if (!jrpc_slice_starts_with(id, jrpc_slice_of(ours, (size_t)ours_len))) {
        return HOME_ELSEWHERE;
    }
    int step = 0;
    for (size_t i = (size_t)ours_len; i + 1 < id.len; i++) {
        if (id.ptr[i] < '0' || id.ptr[i] > '9' || step > exec->step) {
            return HOME_HERE; // ${id.NAME}: fixed for the case, not for a step
        }
        step = step * 10 + (id.ptr[i] - '0');
    }
    *ret_step = step;
    return step < exec->step ? HOME_EARLIER : HOME_HERE;
}

// Text that does not even begin like a message (a log line, a page) is no answer to wait for.
static bool is_chatter(const jck_heard *heard)
{
    if (jrpc_json_exists(heard->value)) {
        return false;
    }
    jrpc_slice text = heard->received.bytes;
    size_t at = jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF")) ? 3 : 0;
    while (at < text.len && strchr(" \t\r\n", text.ptr[at]) != NULL && text.ptr[at] != '\0') {
        at++;
    }
    return at == text.len || (text.ptr[at] != '{' && text.ptr[at] != '[');
}

// Writes down a message of the case, or tells that it belongs to one before. Returns what it is to
// whoever waits.
static jck_heard_kind hear_message(jck_exec *exec, char connection, const jck_heard *heard)
{
    int now = exec->step;
    int step = now;
    switch (home_of(exec, heard->value, &step)) {
    case HOME_HERE:
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, heard);
        jck_capture_from(&exec->test_case->steps[now], heard, exec->variables);
        return is_chatter(heard) ? JCK_HEARD_NOISE : JCK_HEARD_MESSAGE;
    case HOME_EARLIER:
        exec->step = step;
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, heard);
        exec->step = now;
        return JCK_HEARD_LATE_FENCE;
    case HOME_ELSEWHERE:
        exec->evidence->strays++;
        record_heard(exec, connection, JCK_MESSAGE_OF_SESSION, heard);
        return JCK_HEARD_LATE_FENCE;
    }
    return JCK_HEARD_MESSAGE;
}

// Hears one message and writes it down. Returns what it was.
static jck_heard_kind hear(jck_exec *exec, char connection, uint32_t fence, int64_t deadline_us)
{
    jck_link *link = exec->session->link;
    jck_heard heard = jck_link_hear(link, connection, fence, deadline_us, exec->error);
    bool receiving = exec->test_case->steps[exec->step].kind == JCK_STEP_RECEIVE;
    switch (heard.kind) {
    case JCK_HEARD_MESSAGE:
        return hear_message(exec, connection, &heard);
    case JCK_HEARD_PUSH:
        // What a RECEIVE step may wait for; whoever waits for an answer goes on waiting.
        (void)hear_message(exec, connection, &heard);
        return receiving ? JCK_HEARD_MESSAGE : JCK_HEARD_PUSH;
    case JCK_HEARD_ECHO:
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, &heard);
        break;
    case JCK_HEARD_FENCE:
    case JCK_HEARD_LATE_FENCE:
        record_heard(exec, connection, JCK_MESSAGE_OF_FENCE, &heard);
        break;
    case JCK_HEARD_REQUEST:
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, &heard);
        jck_exec_sent(exec, connection, JCK_MESSAGE_OF_SESSION, heard.reply);
        keep_request(exec, heard.value);
        break;
    case JCK_HEARD_NOISE:
        record_heard(exec, connection, JCK_MESSAGE_NOISE, &heard);
        break;
    case JCK_HEARD_SILENCE:
        exec->exchanging = false;
        if (heard.received.http_status != 0) {
            record_heard(exec, connection, JCK_MESSAGE_OF_SESSION, &heard);
        }
        break;
    case JCK_HEARD_TIMEOUT:
        break;
    case JCK_HEARD_FLOOD: {
        const jck_connection *open = jck_link_connection(link, connection);
        exec->flooded = true;
        exec->evidence->settled[exec->step] = JCK_FLOODED;
        exec->evidence->flood_messages = open->heard_count;
        exec->evidence->flood_bytes = open->heard_bytes;
        break;
    }
    case JCK_HEARD_END:
        exec->gone = true;
        exec->evidence->settled[exec->step] = JCK_GONE;
        break;
    case JCK_HEARD_INTERRUPT:
        exec->status = JCK_SESSION_INTERRUPTED;
        break;
    case JCK_HEARD_FAULT:
        exec->status = JCK_SESSION_FAULT;
        break;
    }
    return heard.kind;
}

bool jck_collect(jck_exec *exec, char connection, size_t count, int64_t within_ms)
{
    int64_t deadline = jrpc_deadline_in_ms(exec->session->link->clock, within_ms);
    exec->evidence->settled[exec->step] = JCK_SETTLED;
    while (count > 0 && jck_exec_goes_on(exec)) {
        switch (hear(exec, connection, 0, deadline)) {
        case JCK_HEARD_MESSAGE:
        case JCK_HEARD_ECHO:
            count--;
            break;
        case JCK_HEARD_SILENCE:
            if (exec->session->link->target->events_url != NULL) {
                break; // it may still come as an event
            }
            exec->evidence->settled[exec->step] = JCK_TRANSPORT_END;
            return false;
        case JCK_HEARD_TIMEOUT:
            exec->session->timers_expired++;
            return false;
        case JCK_HEARD_FENCE:
        case JCK_HEARD_LATE_FENCE:
        case JCK_HEARD_PUSH:
        case JCK_HEARD_REQUEST:
        case JCK_HEARD_NOISE:
        case JCK_HEARD_END:
        case JCK_HEARD_FLOOD:
        case JCK_HEARD_INTERRUPT:
        case JCK_HEARD_FAULT:
            break;
        }
    }
    return count == 0;
}

// A stream of events is listened to for so many times the time of one answer.
#define EXCHANGE_PATIENCE 4

bool jck_collect_exchange(jck_exec *exec, char connection)
{
    jck_session *session = exec->session;
    const jrpc_clock *clock = session->link->clock;
    int64_t reply_ms = session->link->timing.reply_ms;
    int64_t deadline = jrpc_deadline_in_ms(clock, reply_ms);
    int64_t last = jrpc_deadline_in_ms(clock, EXCHANGE_PATIENCE * reply_ms);
    bool heard = false;
    exec->evidence->settled[exec->step] = JCK_SETTLED;
    if (!exec->exchanging && session->link->target->events_url != NULL) {
        exec->evidence->settled[exec->step] = JCK_TRANSPORT_END; // that it is over was told before
        return false;
    }
    while (jck_exec_goes_on(exec)) {
        switch (hear(exec, connection, 0, deadline)) {
        case JCK_HEARD_SILENCE:
            exec->evidence->settled[exec->step] = JCK_TRANSPORT_END;
            return heard;
        case JCK_HEARD_TIMEOUT:
            session->timers_expired++;
            if (heard) {
                exec->unfenced = true; // a stream of events without an end: it is left
                return heard;
            }
            exec->evidence->settled[exec->step] = JCK_MUTE;
            exec->mute = true;
            break;
        case JCK_HEARD_MESSAGE:
        case JCK_HEARD_ECHO:
            heard = true;
            deadline = jrpc_deadline_in_ms(clock, reply_ms);
            deadline = deadline < last ? deadline : last;
            break;
        case JCK_HEARD_FENCE:
        case JCK_HEARD_LATE_FENCE:
        case JCK_HEARD_PUSH:
        case JCK_HEARD_REQUEST:
        case JCK_HEARD_NOISE:
        case JCK_HEARD_END:
        case JCK_HEARD_FLOOD:
        case JCK_HEARD_INTERRUPT:
        case JCK_HEARD_FAULT:
            break;
        }
    }
    return heard;
}

void jck_collect_for(jck_exec *exec, char connection, int64_t window_ms)
{
    int64_t deadline = jrpc_deadline_in_ms(exec->session->link->clock, window_ms);
    while (jck_exec_goes_on(exec) && hear(exec, connection, 0, deadline) != JCK_HEARD_TIMEOUT) {
    }
}

void jck_collect_quiet(jck_exec *exec, char connection)
{
    jck_collect_for(exec, connection, exec->session->link->timing.quiet_ms);
}

// How long a fence is waited for before a second connection is asked whether the target is alive.
#define SOON_MS 1500

// How often an answer that comes while a fence is waited for gives that fence its time anew.
#define EXTENSIONS_MAX 3

// How long a fence is waited for before a second one is sent.
#define KNOCK_MS 300

// How long a target that was seen to lose fences is left alone between a message and the fence.
#define APART_MS 25

static uint32_t send_fence(jck_exec *exec, char connection)
{
    jck_session *session = exec->session;
    uint32_t serial = 0;
    jrpc_buffer_clear(&session->fence);
    jck_exec_note(exec, jck_link_send_fence(session->link, connection, &serial, &session->fence,
                                            exec->error));
    jck_exec_sent(exec, connection, JCK_MESSAGE_OF_FENCE, jrpc_buffer_slice(&session->fence));
    return serial;
}

static bool can_ask_elsewhere(const jck_link *link)
{
    return jck_target_traits(link->target)->can_reconnect;
}

void jck_collect_fence(jck_exec *exec, char connection, size_t missing)
{
    jck_session *session = exec->session;
    jck_link *link = session->link;
    if (exec->evidence->settled[exec->step] == JCK_TRANSPORT_END) {
        return; // the transport has proved more than a fence could
    }
    if (link->loses_fences) {
        jck_collect_for(exec, connection, APART_MS);
    }
    uint32_t serial = send_fence(exec, connection);
    int64_t last = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
    int64_t soon = jrpc_deadline_in_ms(link->clock, SOON_MS);
    soon = can_ask_elsewhere(link) && soon < last ? soon : last;
    int64_t knock = jrpc_deadline_in_ms(link->clock, KNOCK_MS);
    int64_t deadline = knock < soon ? knock : soon;
    bool knocked = deadline == soon;
    bool overdue = false; // a second fence is out, and the first was never answered
    int extensions = EXTENSIONS_MAX;
    while (jck_exec_goes_on(exec)) {
        jck_heard_kind kind = hear(exec, connection, serial, deadline);
        if (kind == JCK_HEARD_TIMEOUT && !knocked) {
            // A reader that takes each read for one message has lost the fence behind the message.
            serial = send_fence(exec, connection);
            knocked = true;
            overdue = true;
            deadline = soon;
            continue;
        }
        overdue = overdue && kind != JCK_HEARD_LATE_FENCE;
        if (kind == JCK_HEARD_TIMEOUT && deadline < last) {
            // A target that answers on a new connection has had time to answer on this one.
            bool elsewhere = jck_link_answers_elsewhere(link);
            deadline = elsewhere ? jrpc_deadline_in_ms(link->clock, link->timing.quiet_ms) : last;
            last = deadline;
            continue;
        }
        if (kind == JCK_HEARD_FENCE) {
            exec->evidence->settled[exec->step] = JCK_FENCED;
            link->loses_fences = link->loses_fences || overdue;
            break;
        }
        if (kind == JCK_HEARD_MESSAGE && missing > 0) {
            missing--;
        }
        if ((kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_LATE_FENCE) && extensions > 0) {
            // A target that answers one call after the other has only now begun with the fence.
            extensions--;
            deadline = last = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
        }
        if (kind == JCK_HEARD_TIMEOUT || kind == JCK_HEARD_ECHO) {
            session->timers_expired += kind == JCK_HEARD_TIMEOUT;
            exec->evidence->settled[exec->step] = JCK_MUTE;
            exec->mute = true;
        }
    }
    if (missing > 0 && jck_exec_goes_on(exec)) {
        jck_collect_quiet(exec, connection);
    }
}

jrpc_peer_event jck_send_raw(jrpc_peer *peer, const jck_payload *payload, jrpc_slice bytes,
                             int64_t deadline_us, jrpc_error *error)
{
    size_t at = 0;
    for (size_t i = 0; i <= payload->chunk_count; i++) {
        size_t to = i < payload->chunk_count ? payload->chunks[i] : bytes.len;
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
