// Records what was sent and heard under the step it belongs to.
#include "harness/judge/match.h"
#include "harness/judge/owed.h"
#include "harness/link/capture.h"
#include "harness/session/exec.h"
#include "reference/rpc/message.h"

#include <string.h>

bool jck_exec_goes_on(const jck_exec *exec)
{
    bool goes_on = exec->status == JCK_SESSION_OK;
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX && goes_on; i++) {
        const jck_connection *connection = &exec->session->link->connections[i];
        goes_on = connection->state == JCK_CONNECTION_CLOSED || jck_connection_is_open(connection);
    }
    return goes_on;
}

void jck_exec_settle(jck_exec *exec, jck_settled settled)
{
    exec->evidence->settled[exec->step] = settled;
}

bool jck_exec_has_heard(const jck_exec *exec)
{
    for (size_t i = exec->evidence->count; i > 0; i--) {
        const jck_message *message = &exec->evidence->messages[i - 1];
        if (message->step == exec->step && message->direction == JCK_RECEIVED &&
            message->role == JCK_MESSAGE_OF_CASE && !message->originated) {
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

void jck_exec_note(jck_exec *exec, char connection, jrpc_peer_event event)
{
    switch (event) {
    case JRPC_PEER_MESSAGE:
    case JRPC_PEER_NOISE:
    case JRPC_PEER_SILENT:
        return;
    case JRPC_PEER_ENDED:
        // What the target sent before it left can still be heard: the collection will find the end.
        return;
    case JRPC_PEER_TIMEOUT:
        exec->session->timers_expired++;
        jck_exec_settle(exec, JCK_UNSENT);
        jck_connection_fail(jck_link_connection(exec->session->link, connection),
                            JCK_CONNECTION_MUTE);
        return;
    case JRPC_PEER_INTERRUPTED:
        exec->status = JCK_SESSION_INTERRUPTED;
        return;
    case JRPC_PEER_FAULT:
        exec->status = JCK_SESSION_FAULT;
        return;
    }
}

// Whether a message, or an element of it, carries an id that this execution made up.
static bool has_own_id(const jck_exec *exec, jrpc_json value)
{
    int step = 0;
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        jck_id_origin origin =
            jck_variables_origin(exec->variables, jrpc_json_get(value, "id"), &step);
        return origin == JCK_ID_OF_STEP || origin == JCK_ID_OF_CASE;
    }
    bool own = false;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); !own && jrpc_json_step(&it);) {
        own = !jrpc_json_is(it.value, JRPC_JSON_ARRAY) && has_own_id(exec, it.value);
    }
    return own;
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
                                .fence = heard->fence,
                                .own_id = has_own_id(exec, heard->value),
                                .originated = heard->kind == JCK_HEARD_PUSH ||
                                              heard->kind == JCK_HEARD_REQUEST,
                                .why = received->why,
                                .flaw = received->flaw,
                                .flaw_of = received->flaw_of,
                                .http_status = received->http_status,
                                .http_headers = received->http_headers,
                                .http_reused = received->http_reused,
                                .http_closed = received->http_closed,
                                .http_surplus = received->http_surplus,
                                .http_early = received->http_early,
                                .http_left = received->http_left});
}

// Text that does not even begin like a message (a log line, a page) does not count as an answer.
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

// Whether a message can only be the answer to something whose id could not be read.
static bool is_of_nobody(jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return jrpc_json_is(jrpc_json_get(value, "id"), JRPC_JSON_NULL) &&
               jrpc_json_exists(jrpc_json_get(value, "error"));
    }
    bool all = jrpc_json_count(value) > 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); all && jrpc_json_step(&it);) {
        all = !jrpc_json_is(it.value, JRPC_JSON_ARRAY) && is_of_nobody(it.value);
    }
    return all;
}

// Whether what was sent can be answered with an error that lacks its id.
static bool may_be_refused(const jck_exec *exec, const jck_message *sent)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_owed owed = jck_owed_for(sent->bytes, jck_variables_absent(exec->variables), &document);
    bool single = owed.input == JRPC_INPUT_SINGLE;
    bool in_order = single && owed.message.kind != JRPC_MESSAGE_INVALID;
    if (owed.input == JRPC_INPUT_BATCH) {
        in_order = true;
        for (jrpc_json_iterator it = jrpc_json_iterate(owed.batch); jrpc_json_step(&it);) {
            in_order = in_order && jrpc_message_classify(it.value).kind != JRPC_MESSAGE_INVALID;
        }
    }
    jrpc_json_document_done(&document);
    return !in_order;
}

static bool is_of(const jck_message *message, jck_direction direction, char connection, int step)
{
    return message->direction == direction && message->role == JCK_MESSAGE_OF_CASE &&
           message->connection == connection && message->step == step;
}

static bool sent_refusable(const jck_exec *exec, char connection, int step)
{
    const jck_evidence *evidence = exec->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        if (is_of(&evidence->messages[i], JCK_SENT, connection, step)) {
            return may_be_refused(exec, &evidence->messages[i]);
        }
    }
    return false;
}

static bool was_answered(const jck_exec *exec, char connection, int step)
{
    const jck_evidence *evidence = exec->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        if (is_of(&evidence->messages[i], JCK_RECEIVED, connection, step) &&
            !evidence->messages[i].originated) {
            return true;
        }
    }
    return false;
}

// The step that `value`, heard on `connection`, answers. A concurrent target may refuse a message
// after it has answered later ones, fences included: an error with id null (or an Array of them)
// belongs to an earlier step if that step sent something that can be refused without its id and has
// no answer, while the last message sent is valid. Otherwise it is the current step.
static int step_refused(const jck_exec *exec, char connection, jrpc_json value)
{
    const jck_step *steps = exec->test_case->steps;
    if (exec->step == 0 || steps[exec->step].kind != JCK_STEP_SEND || !is_of_nobody(value) ||
        sent_refusable(exec, connection, exec->step)) {
        return exec->step;
    }
    for (int step = 0; step < exec->step; step++) {
        // What an expectation leaves to a later step is judged in that step.
        bool judged =
            steps[step].kind == JCK_STEP_SEND && steps[step].expect.kind != JCK_EXPECT_UNSTATED;
        if (judged && sent_refusable(exec, connection, step) &&
            !was_answered(exec, connection, step)) {
            return step;
        }
    }
    return exec->step;
}

static bool sent_id(const jck_exec *exec, char connection, int step, jrpc_slice id)
{
    const jck_evidence *evidence = exec->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        if (is_of(&evidence->messages[i], JCK_SENT, connection, step) &&
            jrpc_slice_contains(evidence->messages[i].bytes, id)) {
            return true;
        }
    }
    return false;
}

// The step that `value`, which has an id of the whole case, answers: an earlier one if that one
// sent the id, has no answer yet, and is judged by itself, while the current one did not send it.
// A concurrent target may answer it after the fences that follow it.
static int step_named(const jck_exec *exec, char connection, jrpc_json value)
{
    const jck_step *steps = exec->test_case->steps;
    jrpc_json id = jrpc_json_get(value, "id");
    jrpc_slice spelling = jrpc_json_spelling(id);
    if (steps[exec->step].kind != JCK_STEP_SEND || !jrpc_json_is(id, JRPC_JSON_STRING) ||
        sent_id(exec, connection, exec->step, spelling)) {
        return exec->step;
    }
    for (int step = 0; step < exec->step; step++) {
        bool judged =
            steps[step].kind == JCK_STEP_SEND && steps[step].expect.kind != JCK_EXPECT_UNSTATED;
        if (judged && sent_id(exec, connection, step, spelling) &&
            !was_answered(exec, connection, step)) {
            return step;
        }
    }
    return exec->step;
}

// Records a message of the case under the step whose id it carries, or as belonging to an earlier
// execution. Returns what the caller that waits has to take it for.
static jck_heard_kind record_message(jck_exec *exec, char connection, const jck_heard *heard)
{
    int now = exec->step;
    int step = now;
    jrpc_json first = jrpc_json_is(heard->value, JRPC_JSON_ARRAY)
                          ? jrpc_json_element(heard->value, 0)
                          : heard->value;
    jck_id_origin origin = jck_variables_origin(exec->variables, jrpc_json_get(first, "id"), &step);
    // What comes in the answer to a request of HTTP is meant for it, whatever its id.
    bool exchanged =
        jck_link_exchanges(exec->session->link) && exec->session->link->target->events_url == NULL;
    if (origin == JCK_ID_OF_ANOTHER && !exchanged) {
        exec->evidence->strays++;
        record_heard(exec, connection, JCK_MESSAGE_OF_SESSION, heard);
        return JCK_HEARD_LATE_FENCE;
    }
    if (origin == JCK_ID_OF_STEP && step < now) {
        exec->step = step;
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, heard);
        exec->step = now;
        return JCK_HEARD_LATE_FENCE;
    }
    exec->step = origin == JCK_ID_OF_CASE ? step_named(exec, connection, heard->value)
                                          : step_refused(exec, connection, heard->value);
    record_heard(exec, connection, JCK_MESSAGE_OF_CASE, heard);
    if (exec->step < now) {
        exec->step = now;
        return JCK_HEARD_LATE_FENCE;
    }
    jck_capture_from(&exec->test_case->steps[now], heard, exec->variables);
    return is_chatter(heard) ? JCK_HEARD_NOISE : heard->kind;
}

// Keeps the id of the server's request, so that a later step can answer it.
static void keep_request(jck_exec *exec, jrpc_json request)
{
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(request, "id"));
    (void)jrpc_arena_copy(exec->evidence->arena, id, &exec->requested_id);
}

static void record_flood(jck_exec *exec, char connection)
{
    const jck_connection *open = jck_link_connection(exec->session->link, connection);
    jck_exec_settle(exec, JCK_FLOODED);
    exec->evidence->flood_messages = open->heard_count;
    exec->evidence->flood_bytes = open->heard_bytes;
}

// Whether a RECEIVE step waits for a message like this one from the target: one of its patterns
// matches it, or the step does not wait for any Response.
static bool is_waited_for(const jck_exec *exec, jrpc_json value)
{
    const jck_step *step = &exec->test_case->steps[exec->step];
    const jck_matching matching = {.resolve = jck_variables_resolve,
                                   .context = exec->variables,
                                   .arena = exec->evidence->arena};
    bool own = false;
    bool replies = false;
    jrpc_json_iterator it =
        jrpc_json_iterate(step->kind == JCK_STEP_RECEIVE ? step->patterns : JRPC_JSON_ABSENT);
    while (jrpc_json_step(&it)) {
        bool is_reply = jck_pattern_is_of_response(it.value);
        if (!is_reply && jck_match_message(&matching, it.value, value)) {
            return true;
        }
        replies = replies || is_reply;
        own = own || !is_reply;
    }
    return own && !replies;
}

jck_heard_kind jck_exec_note_heard(jck_exec *exec, char connection, const jck_heard *heard)
{
    switch (heard->kind) {
    case JCK_HEARD_MESSAGE:
        return record_message(exec, connection, heard);
    case JCK_HEARD_PUSH:
        // A RECEIVE step may wait for it; any other step goes on waiting for its answer.
        (void)record_message(exec, connection, heard);
        return is_waited_for(exec, heard->value) ? JCK_HEARD_MESSAGE : JCK_HEARD_PUSH;
    case JCK_HEARD_ECHO:
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, heard);
        break;
    case JCK_HEARD_FENCE:
    case JCK_HEARD_LATE_FENCE:
        record_heard(exec, connection, JCK_MESSAGE_OF_FENCE, heard);
        break;
    case JCK_HEARD_REQUEST:
        record_heard(exec, connection, JCK_MESSAGE_OF_CASE, heard);
        if (heard->reply.len > 0) {
            jck_exec_sent(exec, connection, JCK_MESSAGE_OF_SESSION, heard->reply);
        }
        keep_request(exec, heard->value);
        break;
    case JCK_HEARD_NOISE:
        record_heard(exec, connection, JCK_MESSAGE_NOISE, heard);
        break;
    case JCK_HEARD_SILENCE:
    case JCK_HEARD_DEFERRED:
        exec->evidence->marked = exec->evidence->marked || heard->received.http_marked;
        if (heard->received.http_status != 0) {
            record_heard(exec, connection, JCK_MESSAGE_OF_SESSION, heard);
        }
        break;
    case JCK_HEARD_TIMEOUT:
        break;
    case JCK_HEARD_FLOOD:
        record_flood(exec, connection);
        break;
    case JCK_HEARD_END:
        jck_exec_settle(exec, JCK_GONE);
        break;
    case JCK_HEARD_INTERRUPT:
        exec->status = JCK_SESSION_INTERRUPTED;
        break;
    case JCK_HEARD_FAULT:
        exec->status = JCK_SESSION_FAULT;
        break;
    }
    return heard->kind;
}

jck_heard_kind jck_exec_hear(jck_exec *exec, char connection, int64_t deadline_us)
{
    jck_heard heard = jck_link_hear(exec->session->link, connection, deadline_us, exec->error);
    return jck_exec_note_heard(exec, connection, &heard);
}

void jck_exec_record_opening(jck_exec *exec)
{
    jck_link *link = exec->session->link;
    jck_evidence *opening = &link->opening.record;
    bool first = link->opened == 1;
    for (size_t i = 0; i < opening->count; i++) {
        jck_message message = opening->messages[i];
        bool text =
            message.bytes.len > 0 && message.bytes.ptr[0] != '{' && message.bytes.ptr[0] != '[';
        bool page = text && jck_target_traits(link->target)->exchanges;
        if (message.direction == JCK_RECEIVED && message.role != JCK_MESSAGE_OF_FENCE && text) {
            message.role = JCK_MESSAGE_NOISE;
        } else {
            message.role = JCK_MESSAGE_OF_OPENING;
        }
        if (page || (message.role == JCK_MESSAGE_OF_OPENING && !first)) {
            continue;
        }
        message.at_us = 0;
        record(exec, &message);
    }
    opening->count = 0;
}
