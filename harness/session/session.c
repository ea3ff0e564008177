#include "harness/session/session.h"

#include "harness/session/await.h"
#include "harness/session/collect.h"
#include "harness/session/params.h"
#include "reference/base/limits.h"
#include "reference/rpc/message.h"

#include <string.h>

void jck_session_init(jck_session *session, jck_link *link)
{
    *session = (jck_session){.link = link};
    jrpc_buffer_init(&session->payload, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&session->fence, jrpc_allocator_heap(), 1024);
}

void jck_session_done(jck_session *session)
{
    jrpc_buffer_done(&session->payload);
    jrpc_buffer_done(&session->fence);
}

bool jck_session_expand(jck_session *session, const jck_payload *payload, jck_variables *variables,
                        jrpc_error *error)
{
    jrpc_buffer_clear(&session->payload);
    return jck_variables_expand(variables, payload, &session->payload, error);
}

static bool one_is_silence(const jck_expect *alternatives, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (alternatives[i].kind == JCK_EXPECT_NOTHING ||
            alternatives[i].kind == JCK_EXPECT_ANYTHING) {
            return true;
        }
    }
    return false;
}

// Whether an expectation can be met by silence.
static bool silence_can_be_right(const jck_expect *expect)
{
    return expect->kind == JCK_EXPECT_NOTHING || expect->kind == JCK_EXPECT_CLOSED ||
           expect->kind == JCK_EXPECT_ANYTHING ||
           one_is_silence(expect->alternatives, expect->alternative_count) ||
           one_is_silence(expect->accepted, expect->accepted_count);
}

// Whether the target is known to be silent on messages like the payload.
static bool silence_is_known(const jck_session *session)
{
    bool params_wanted = jck_link_connection(session->link, 'a')->fence.with_params;
    if (!session->silent_on_parse_error && !session->silent_on_batch &&
        !session->silent_on_positional && !session->silent_on_named && !params_wanted) {
        return false;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_input_kind kind =
        jrpc_input_read(&document, jrpc_buffer_slice(&session->payload), JCK_MESSAGE_DEPTH, NULL);
    jrpc_json params = jrpc_json_get(jrpc_json_root(&document), "params");
    bool lacks_params = kind == JRPC_INPUT_SINGLE && !jrpc_json_exists(params);
    bool positional = kind == JRPC_INPUT_SINGLE && jrpc_json_is(params, JRPC_JSON_ARRAY);
    bool named = kind == JRPC_INPUT_SINGLE && jrpc_json_is(params, JRPC_JSON_OBJECT);
    jrpc_json_document_done(&document);
    return (lacks_params && params_wanted) || (positional && session->silent_on_positional) ||
           (named && session->silent_on_named) ||
           (kind == JRPC_INPUT_PARSE_ERROR && session->silent_on_parse_error) ||
           (kind == JRPC_INPUT_BATCH && session->silent_on_batch);
}

// How many messages a step waits for before its fence goes out.
static size_t answers_awaited(const jck_session *session, const jck_step *step)
{
    bool none = step->expect.kind == JCK_EXPECT_UNSTATED || silence_can_be_right(&step->expect) ||
                silence_is_known(session);
    return none ? 0 : 1;
}

// Over HTTP every message has an exchange of its own, and its end takes the place of fences.
static bool speaks_in_exchanges(const jck_exec *exec)
{
    return jck_target_traits(exec->session->link->target)->exchanges;
}

static void send_payload(jck_exec *exec, const jck_step *step)
{
    jck_session *session = exec->session;
    jck_connection *open = jck_link_connection(session->link, step->connection);
    jrpc_slice payload = jrpc_buffer_slice(&session->payload);
    int64_t deadline = jrpc_deadline_in_ms(session->link->clock, session->link->timing.reply_ms);
    jrpc_peer_event event = JRPC_PEER_FAULT;
    jrpc_manner manner = step->manner;
    manner.aside = step->kind == JCK_STEP_REPLY; // the exchange under way may wait for it
    exec->exchanging = true;
    if (step->payload.raw) {
        event = jck_send_raw(open->peer, &step->payload, payload, deadline, exec->error);
    } else if (step->payload.chunk_count > 0) {
        event = jrpc_peer_send_chunks(open->peer, payload, step->payload.chunks,
                                      step->payload.chunk_count, deadline, exec->error);
    } else {
        event = jrpc_peer_send_as(open->peer, payload, &manner, deadline, exec->error);
    }
    jck_exec_sent(exec, step->connection, JCK_MESSAGE_OF_CASE, payload);
    jck_exec_note(exec, event);
}

// Gives a target that answers no call without params what it wants, where the case is not about
// that and its bytes are not counted.
static bool oblige(jck_exec *exec, const jck_step *step)
{
    jck_session *session = exec->session;
    if (!jck_link_connection(session->link, 'a')->fence.with_params) {
        return true;
    }
    if (step->payload.raw || step->payload.chunk_count > 0 ||
        jck_case_names_role(exec->test_case, JCK_ROLE_PARAMS_OMITTED)) {
        exec->evidence->params_wanted = true;
        return true;
    }
    return jck_params_complete(&session->payload) ||
           jrpc_error_set(exec->error, JRPC_ERROR_LIMIT,
                          "no room for the params that the target wants in every call");
}

// The exchange of a message, and what a stream of events beside it brings: the answer itself, where
// the exchange did not.
static void run_exchange(jck_exec *exec, const jck_step *step)
{
    jck_session *session = exec->session;
    if (step->expect.kind == JCK_EXPECT_UNSTATED && !jrpc_json_exists(step->http_answers)) {
        exec->evidence->settled[exec->step] = JCK_SETTLED;
        return;
    }
    bool heard = jck_collect_exchange(exec, step->connection);
    if (session->link->target->events_url == NULL || !jck_exec_goes_on(exec)) {
        return;
    }
    jck_settled settled = exec->evidence->settled[exec->step];
    size_t awaited = answers_awaited(session, step);
    if (!heard && awaited > 0) {
        (void)jck_collect(exec, step->connection, awaited, session->link->timing.reply_ms);
    }
    jck_collect_for(exec, step->connection,
                    exec->watch != JCK_WATCH_FENCES ? session->link->timing.quiet_ms : 0);
    if (jck_exec_goes_on(exec)) {
        exec->evidence->settled[exec->step] = settled;
    }
}

#define MORE_FENCES 2

static void run_send(jck_exec *exec, const jck_step *step, bool last)
{
    jck_session *session = exec->session;
    if (!jck_session_expand(session, &step->payload, exec->variables, exec->error)) {
        if (exec->step > 0 && exec->error->code == JRPC_ERROR_INVALID) {
            // An answer did not bring what this step was to send: that answer is the finding.
            *exec->error = (jrpc_error){0};
            exec->cut_short = true;
        } else {
            exec->status = JCK_SESSION_FAULT;
        }
        return;
    }
    if (!oblige(exec, step)) {
        exec->status = JCK_SESSION_FAULT;
        return;
    }
    send_payload(exec, step);
    if (!jck_exec_goes_on(exec)) {
        return;
    }
    if (speaks_in_exchanges(exec)) {
        run_exchange(exec, step);
        return;
    }
    if (step->manner.close) {
        exec->unfenced = true; // nothing may follow a close
        exec->evidence->settled[exec->step] = JCK_SETTLED;
        jck_collect_for(exec, step->connection, session->link->timing.reply_ms);
        return;
    }
    bool left_to_later = step->expect.kind == JCK_EXPECT_UNSTATED;
    exec->unfenced = exec->unfenced || step->payload.raw; // raw bytes may swallow a fence
    if (step->payload.raw && !(left_to_later && !last)) {
        jck_collect(exec, step->connection, answers_awaited(session, step),
                    session->link->timing.patience_ms);
        jck_collect_quiet(exec, step->connection);
        return;
    }
    if (left_to_later) {
        exec->evidence->settled[exec->step] = JCK_SETTLED;
        return;
    }
    size_t awaited = answers_awaited(session, step);
    bool settled = jck_collect(exec, step->connection, awaited, session->link->timing.patience_ms);
    if (exec->watch != JCK_WATCH_FENCES && awaited == 0 && jck_exec_goes_on(exec)) {
        jck_collect_quiet(exec, step->connection);
    }
    if (jck_exec_goes_on(exec) && (!settled || awaited == 0 || last)) {
        jck_collect_fence(exec, step->connection, settled ? 0 : awaited);
    }
    if (exec->watch == JCK_WATCH_LINGER && last) {
        jck_collect_quiet(exec, step->connection);
    }
    // A concurrent target may answer a fence before what was sent ahead of it: silence is believed
    // after a few of them.
    for (int again = 0;
         again < MORE_FENCES && awaited == 0 && jck_exec_goes_on(exec) && !jck_exec_has_heard(exec);
         again++) {
        jck_collect_fence(exec, step->connection, 0);
    }
}

// How many messages the patterns ask for at least; *ret_optional is how many more there may be,
// where one stands for any number.
static size_t messages_awaited(jrpc_json patterns, size_t *ret_optional)
{
    size_t awaited = 0;
    *ret_optional = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        jrpc_json times = jrpc_json_get(it.value, "$times");
        int64_t least = 1;
        if (jrpc_json_is(times, JRPC_JSON_ARRAY)) {
            int64_t most = 0;
            (void)jrpc_json_int64(jrpc_json_element(times, 0), &least);
            bool bounded = jrpc_json_int64(jrpc_json_element(times, 1), &most);
            *ret_optional += !bounded ? 1 : most > least ? (size_t)(most - least) : 0;
        } else if (jrpc_json_exists(times)) {
            (void)jrpc_json_int64(times, &least);
        }
        awaited += least > 0 ? (size_t)least : 0;
    }
    return awaited;
}

static void run_receive(jck_exec *exec, const jck_step *step)
{
    const jck_target *target = exec->session->link->target;
    if (speaks_in_exchanges(exec) && target->events_url == NULL) {
        (void)jck_collect_exchange(exec, step->connection);
        return;
    }
    size_t optional = 0;
    size_t awaited = messages_awaited(step->patterns, &optional);
    bool async = jrpc_slice_is(step->within, "async");
    int64_t within_ms =
        async && target->async_ms > 0 ? target->async_ms : exec->session->link->timing.reply_ms;
    bool settled = async ? jck_await(exec, step, within_ms)
                         : jck_collect(exec, step->connection, awaited, within_ms);
    if (speaks_in_exchanges(exec)) {
        (void)jck_collect_exchange(exec, step->connection);
        jck_collect_for(exec, step->connection, 0);
    } else if (jck_exec_goes_on(exec) && !exec->closed_write) {
        // What was heard may be what need not come: then something is still on its way. Where
        // fences have no ids, that something has been taken for the fence's answer.
        const jck_connection *open = jck_link_connection(exec->session->link, step->connection);
        size_t on_its_way = open->fence.by_form ? 0 : optional;
        jck_collect_fence(exec, step->connection, settled ? on_its_way : awaited);
    }
}

// Answers the last request of the server's own with the members of the step.
static void run_reply(jck_exec *exec, const jck_step *step)
{
    jck_session *session = exec->session;
    jrpc_buffer_clear(&session->payload);
    jrpc_buffer_append_str(&session->payload, "{\"jsonrpc\":\"2.0\"");
    for (jrpc_json_iterator it = jrpc_json_iterate(step->reply); jrpc_json_step(&it);) {
        jrpc_buffer_append_str(&session->payload, ",");
        jrpc_buffer_append(&session->payload, jrpc_json_spelling(it.key));
        jrpc_buffer_append_str(&session->payload, ":");
        jrpc_json_compact(&session->payload, it.value);
    }
    jrpc_buffer_append_str(&session->payload, ",\"id\":");
    jrpc_buffer_append(&session->payload,
                       exec->requested_id.len > 0 ? exec->requested_id : JRPC_SLICE("null"));
    jrpc_buffer_append_str(&session->payload, "}");
    send_payload(exec, step);
}

static void run_close(jck_exec *exec, const jck_step *step)
{
    jck_connection *open = jck_link_connection(exec->session->link, step->connection);
    jrpc_peer_close_write(open->peer);
    exec->closed_write = true;
    exec->unfenced = true;
    exec->evidence->settled[exec->step] = JCK_SETTLED;
}

static void run_step(jck_exec *exec, const jck_step *step, bool last)
{
    switch (step->kind) {
    case JCK_STEP_SEND:
        run_send(exec, step, last);
        break;
    case JCK_STEP_RECEIVE:
        run_receive(exec, step);
        break;
    case JCK_STEP_REPLY:
        run_reply(exec, step);
        break;
    case JCK_STEP_FENCE:
        if (speaks_in_exchanges(exec)) {
            (void)jck_collect_exchange(exec, step->connection);
        } else {
            jck_collect_fence(exec, step->connection, 0);
        }
        break;
    case JCK_STEP_CLOSE:
        run_close(exec, step);
        break;
    }
}

static jck_session_status status_of(jck_link_status status)
{
    switch (status) {
    case JCK_LINK_OK:
        return JCK_SESSION_OK;
    case JCK_LINK_UNOPENED:
        return JCK_SESSION_UNOPENED;
    case JCK_LINK_MUTE:
    case JCK_LINK_ECHOES:
        return JCK_SESSION_MUTE;
    case JCK_LINK_INTERRUPTED:
        return JCK_SESSION_INTERRUPTED;
    case JCK_LINK_FAULT:
        return JCK_SESSION_FAULT;
    }
    return JCK_SESSION_FAULT;
}

// What the prelude captured holds in every case; its ids do not, for each case has its own.
static void inherit(jck_variables *variables, const jck_variable *captured)
{
    for (; captured != NULL; captured = captured->next) {
        bool number = false;
        jrpc_slice suffix;
        if (!jck_is_id_variable(captured->name, &number, &suffix)) {
            (void)jck_variables_capture(variables, captured->name, captured->spelling);
        }
    }
}

// What a target wrote before it answered anything was asked for by no case: the first one tells it.
static bool note_greeting(jck_link *link, jck_evidence *evidence)
{
    jrpc_slice words = jrpc_slice_str(link->first_words);
    bool greeting = words.len > 0 && words.ptr[0] != '{' && words.ptr[0] != '[' &&
                    !jck_target_traits(link->target)->exchanges;
    bool noted = !greeting || jck_evidence_add(evidence, &(jck_message){.direction = JCK_RECEIVED,
                                                                        .role = JCK_MESSAGE_NOISE,
                                                                        .connection = 'a',
                                                                        .bytes = words,
                                                                        .true_len = words.len});
    link->first_words[0] = '\0';
    return noted;
}

static bool uses_two_connections(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].connection != 'a') {
            return true;
        }
    }
    return false;
}

jck_session_status jck_session_run(jck_session *session, const jck_case *test_case,
                                   jck_variables *variables, jck_watch watch,
                                   jck_evidence *evidence, jrpc_error *error)
{
    if (session->single && uses_two_connections(test_case)) {
        return JCK_SESSION_SINGLE;
    }
    jck_link_status opened = jck_link_open(session->link, 'a', error);
    if (opened != JCK_LINK_OK) {
        return status_of(opened);
    }
    if (!note_greeting(session->link, evidence)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for what the target wrote");
        return JCK_SESSION_FAULT;
    }
    jck_link_hear_anew(session->link);
    evidence->generation = session->link->generation;
    evidence->isolated = watch != JCK_WATCH_FENCES;
    inherit(variables, session->link->captured.first);
    jck_exec exec = {
        .session = session,
        .test_case = test_case,
        .variables = variables,
        .evidence = evidence,
        .watch = watch,
        .began_us = jrpc_clock_now_us(session->link->clock),
        .error = error,
    };
    for (size_t i = 0; i < test_case->step_count && jck_exec_goes_on(&exec) && !exec.cut_short;
         i++) {
        const jck_step *step = &test_case->steps[i];
        exec.step = (int)i;
        jck_variables_set_step(variables, (int)i);
        opened = jck_link_open(session->link, step->connection, error);
        if (opened != JCK_LINK_OK) {
            bool refused = opened == JCK_LINK_UNOPENED || opened == JCK_LINK_MUTE;
            bool single = refused && step->connection != 'a' &&
                          jck_link_connection(session->link, 'a')->peer != NULL;
            session->single = session->single || single;
            return single ? JCK_SESSION_SINGLE : status_of(opened);
        }
        run_step(&exec, step, i + 1 == test_case->step_count);
    }
    jck_exec_conclude(&exec);
    return exec.status == JCK_SESSION_OK && exec.disturbed ? JCK_SESSION_DISTURBED : exec.status;
}

bool jck_session_listen(jck_session *session, int64_t window_ms)
{
    int64_t deadline = jrpc_deadline_in_ms(session->link->clock, window_ms);
    jck_connection *open = jck_link_connection(session->link, 'a');
    bool came = false;
    while (open->peer != NULL) {
        jrpc_error ignored = {0};
        jck_heard heard = jck_link_hear(session->link, 'a', 0, deadline, &ignored);
        if (heard.kind == JCK_HEARD_FLOOD) {
            jck_link_drop(session->link);
        }
        if (heard.kind != JCK_HEARD_MESSAGE && heard.kind != JCK_HEARD_PUSH) {
            break;
        }
        came = came || heard.kind == JCK_HEARD_MESSAGE;
    }
    return came;
}
