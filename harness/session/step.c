// Executes the steps of a case and records what happens.
#include "harness/session/step.h"

#include "harness/judge/owed.h"
#include "harness/session/collect.h"
#include "harness/session/params.h"
#include "reference/json/write.h"
#include "reference/rpc/message.h"

static bool one_is(jck_expect_kind kind, const jck_expect *alternatives, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (alternatives[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static bool can_be(jck_expect_kind kind, const jck_expect *expect)
{
    return expect->kind == kind || one_is(kind, expect->alternatives, expect->alternative_count) ||
           one_is(kind, expect->accepted, expect->accepted_count);
}

// Whether the target is known to leave messages like the payload unanswered.
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

// Whether the target was seen to leave several messages of that kind unanswered.
static bool is_usually_silent(const jck_session *session)
{
    return session->usual_silences != 0 &&
           (session->usual_silences & jck_owed_bit(jrpc_buffer_slice(&session->payload))) != 0;
}

// Whether no answer is owed for the payload, or what is owed is not known.
static bool nothing_is_owed(const jck_session *session)
{
    static const jrpc_slice nobody = {NULL, 0};
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_owed_kind kind = jck_owed_for(jrpc_buffer_slice(&session->payload), nobody, &document).kind;
    jrpc_json_document_done(&document);
    return kind == JCK_OWED_NOTHING || kind == JCK_OWED_UNKNOWN;
}

// Whether the payload may be the rest of a message that an earlier step has begun: then what it is
// by itself says nothing.
static bool continues_message(const jck_exec *exec, const jck_step *step)
{
    bool continues = false;
    for (int i = 0; step->payload.raw && i < exec->step && !continues; i++) {
        const jck_step *earlier = &exec->test_case->steps[i];
        continues = earlier->kind == JCK_STEP_SEND && earlier->payload.raw &&
                    earlier->connection == step->connection;
    }
    return continues;
}

// How many messages a step waits for before its fence is sent. Even if any answer is right, one
// that is owed is waited for: if it came late and without an id, it would be taken for that of the
// next case.
static size_t answers_awaited(const jck_exec *exec, const jck_step *step)
{
    const jck_session *session = exec->session;
    const jck_expect *expect = &step->expect;
    bool none = expect->kind == JCK_EXPECT_UNSTATED || expect->kind == JCK_EXPECT_CLOSED ||
                can_be(JCK_EXPECT_NOTHING, expect) ||
                (!continues_message(exec, step) && silence_is_known(session));
    bool either = can_be(JCK_EXPECT_ANYTHING, expect) || expect->kind == JCK_EXPECT_OWED;
    return none || (either && nothing_is_owed(session)) ? 0 : 1;
}

// The headers that replace the target's if a step has a different credential.
static const char *const *other_credential(jck_exec *exec, const jck_step *step)
{
    const jck_target *target = exec->session->link->target;
    const char **headers = jrpc_arena_array(exec->evidence->arena, 2, sizeof *headers);
    if (headers != NULL) {
        headers[0] = jck_target_credential(target, step->credential, exec->evidence->arena);
    }
    return headers;
}

static void send_payload(jck_exec *exec, const jck_step *step)
{
    jck_link *link = exec->session->link;
    jrpc_slice payload = jrpc_buffer_slice(&exec->session->payload);
    jrpc_manner manner = step->manner;
    if (step->credential != JCK_CREDENTIAL_RIGHT && !step->shakes_anew) {
        manner.headers = other_credential(exec, step);
    }
    if (step->in_query && link->target->streams_url != NULL) {
        manner.url = jck_target_query(link->target, payload, exec->evidence->arena);
    }
    manner.aside = step->kind == JCK_STEP_REPLY; // the current exchange may wait for it
    bool own = manner.chunked || manner.ping;    // then the transport splits the payload
    bool pieces = step->payload.raw || (step->payload.chunk_count > 0 && !own);
    manner.pieces = own ? step->payload.chunks : NULL;
    manner.piece_count = own ? step->payload.chunk_count : 0;
    jrpc_peer_event event =
        pieces ? jck_link_send_chunks(link, step->connection, &step->payload, payload, exec->error)
               : jck_link_send(link, step->connection, payload, &manner, exec->error);
    jck_exec_sent(exec, step->connection, JCK_MESSAGE_OF_CASE, payload);
    jck_exec_note(exec, step->connection, event);
}

// Adds params for a target that leaves calls without them unanswered, unless the case is about that
// or counts bytes.
static bool add_params_if_required(jck_exec *exec, const jck_step *step)
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

// Whether a stream of events was opened with the connection.
static bool listens_beside(const jck_exec *exec)
{
    return exec->session->link->target->events_url != NULL && !exec->test_case->bare;
}

// The exchange of a message, and what comes on a stream of events at the same time: the answer
// itself, if the exchange did not bring it.
static void run_exchange(jck_exec *exec, const jck_step *step)
{
    jck_session *session = exec->session;
    if (step->expect.kind == JCK_EXPECT_UNSTATED && !jrpc_json_exists(step->http_answers)) {
        jck_exec_settle(exec, JCK_SETTLED);
        return;
    }
    size_t awaited = answers_awaited(exec, step);
    (void)jck_collect_all(exec, step->connection, awaited);
    if (!listens_beside(exec) || !jck_exec_goes_on(exec)) {
        return;
    }
    jck_settled settled = exec->evidence->settled[exec->step];
    if (!jck_exec_has_heard(exec) && awaited > 0) {
        (void)jck_collect(exec, step->connection, awaited, session->link->timing.reply_ms);
    }
    bool quiet = exec->watch != JCK_WATCH_FENCES;
    jck_collect_for(exec, step->connection, quiet ? session->link->timing.quiet_ms : 0);
    if (jck_exec_goes_on(exec)) {
        jck_exec_settle(exec, settled);
    }
}

// How long a target that was only just started may take to read the request to exit.
#define STARTS_TIMES 2

static int64_t time_to_leave_ms(const jck_link *link)
{
    const jck_timing *timing = &link->timing;
    int64_t starts_ms = STARTS_TIMES * link->learned.starts_us / 1000;
    starts_ms = starts_ms < timing->start_ms ? starts_ms : timing->start_ms;
    return starts_ms > timing->reply_ms ? starts_ms : timing->reply_ms;
}

// How long it may take to answer: what it was seen to need for starting several times, and the
// time of one answer, which a first look does not shorten here.
static int64_t time_to_answer_ms(const jck_link *link)
{
    const jck_timing *timing = &link->timing;
    int64_t reply_ms = timing->listen_ms > 0 ? timing->listen_ms : timing->reply_ms;
    int64_t ms = reply_ms + STARTS_TIMES * link->learned.starts_us / 1000;
    return ms < timing->start_ms ? ms : timing->start_ms;
}

// After a message that may leave the connection out of step: listens without sending a fence, which
// the target might swallow or must not get.
static void listen_only(jck_exec *exec, const jck_step *step)
{
    const jck_timing *timing = &exec->session->link->timing;
    jck_connection_spend(jck_link_connection(exec->session->link, step->connection));
    if (step->manner.close) {
        jck_exec_settle(exec, JCK_SETTLED);
        jck_collect_for(exec, step->connection, timing->reply_ms);
        return;
    }
    if (exec->test_case->bare && step->expect.kind == JCK_EXPECT_CLOSED) {
        jck_exec_settle(exec, JCK_SETTLED);
        jck_collect_for(exec, step->connection, time_to_leave_ms(exec->session->link));
        return;
    }
    bool bare = exec->test_case->bare; // then the target may still be starting
    size_t awaited = answers_awaited(exec, step);
    bool came = jck_collect(exec, step->connection, awaited,
                            bare ? time_to_answer_ms(exec->session->link) : timing->patience_ms);
    jck_collect_surplus(exec, step->connection, came && (awaited > 0 || !bare));
}

#define MORE_FENCES 2

// Waits for what is owed, then for the proof that nothing more comes.
static void run_answers(jck_exec *exec, const jck_step *step, bool last)
{
    jck_session *session = exec->session;
    bool alone = exec->watch != JCK_WATCH_FENCES;
    size_t awaited = answers_awaited(exec, step);
    // If any answer is right, a missing one says nothing about how long messages are answered.
    bool wanted = awaited > 0 && !can_be(JCK_EXPECT_ANYTHING, &step->expect);
    uint64_t before = session->timers_expired;
    exec->usually_silent =
        awaited > 0 && !alone && session->link->timing.listen_ms > 0 && is_usually_silent(session);
    bool settled = jck_collect(exec, step->connection, awaited,
                               exec->usually_silent ? 0 : session->link->timing.patience_ms);
    if (alone && awaited == 0 && jck_exec_goes_on(exec)) {
        if (silence_is_known(session)) {
            jck_collect_while_busy(exec, step->connection);
        } else {
            jck_collect_quiet(exec, step->connection);
        }
    }
    if (jck_exec_goes_on(exec) && (!settled || awaited == 0 || last)) {
        bool came = jck_collect_all(exec, step->connection, settled || !wanted ? 0 : awaited);
        // A first wait in vain only sent the fence a little early.
        session->timers_excused += came && wanted ? session->timers_expired - before : 0;
    }
    if (exec->watch == JCK_WATCH_LINGER && last) {
        jck_collect_quiet(exec, step->connection);
    }
    // A concurrent target may answer a fence before an earlier message: silence is believed only
    // after a few fences.
    for (int again = 0;
         again < MORE_FENCES && !wanted && jck_exec_goes_on(exec) && !jck_exec_has_heard(exec);
         again++) {
        (void)jck_collect_all(exec, step->connection, 0);
    }
    // The answer to a long message may come even later.
    if (!wanted && step->expect.kind != JCK_EXPECT_NOTHING && !silence_is_known(session)) {
        jck_collect_late(exec, step->connection, session->payload.len);
    }
}

static void run_send(jck_exec *exec, const jck_step *step, bool last)
{
    if (!add_params_if_required(exec, step)) {
        exec->status = JCK_SESSION_FAULT;
        return;
    }
    send_payload(exec, step);
    if (!jck_exec_goes_on(exec)) {
        return;
    }
    bool exchanges = jck_link_exchanges(exec->session->link);
    bool left_to_later = step->expect.kind == JCK_EXPECT_UNSTATED;
    if (step->payload.raw) {
        jck_connection_spend(jck_link_connection(exec->session->link, step->connection));
    }
    if (exchanges && !step->payload.raw) {
        run_exchange(exec, step);
    } else if (step->manner.close ||
               ((step->payload.raw || exec->test_case->bare) && (last || !left_to_later))) {
        listen_only(exec, step);
    } else if (left_to_later) {
        jck_exec_settle(exec, JCK_SETTLED);
    } else {
        run_answers(exec, step, last);
    }
}

// How many messages the patterns ask for at least; *ret_optional is how many more there may be
// (SIZE_MAX: any number).
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
            size_t more = !bounded ? SIZE_MAX : most > least ? (size_t)(most - least) : 0;
            *ret_optional = more > SIZE_MAX - *ret_optional ? SIZE_MAX : *ret_optional + more;
        } else if (jrpc_json_exists(times)) {
            (void)jrpc_json_int64(times, &least);
        }
        awaited += least > 0 ? (size_t)least : 0;
    }
    return awaited;
}

// If more may come than what is owed, it is waited for this many times as long as what was owed
// took, within these limits.
#define MORE_TIMES 3
#define MORE_LEAST_MS 50

// What may still come after everything that is owed has come and a fence has been answered.
static void collect_more(jck_exec *exec, const jck_step *step, int64_t took_ms)
{
    int64_t quiet_ms = exec->session->link->timing.quiet_ms;
    int64_t window_ms = took_ms * MORE_TIMES > MORE_LEAST_MS ? took_ms * MORE_TIMES : MORE_LEAST_MS;
    bool alone = exec->watch != JCK_WATCH_FENCES;
    jck_collect_for(exec, step->connection, alone || window_ms > quiet_ms ? quiet_ms : window_ms);
}

// Whether as many messages came as the step can get at most.
static bool has_all(const jck_exec *exec, const jck_step *step, size_t most)
{
    size_t came = 0;
    for (size_t i = 0; i < exec->evidence->count; i++) {
        came += jck_evidence_is_answer(&exec->evidence->messages[i], exec->step, step->connection);
    }
    return came >= most;
}

// Longer than timers of servers for the rest of a message that has begun; as long as a slow network
// may need.
#define PAUSE_MS 250
// The same for the rest of a run: at most so long, looking so often whether that is over.
#define REST_MOST_MS 10000
#define REST_SLICE_MS 10
// If the case runs alone, it lasts as long as it did in company, or at least so long.
#define REST_ALONE_MS 2000

// How long the step lasts at least. An attempt alone lasts as long as the one before it.
static int64_t rest_least_ms(const jck_exec *exec, bool alone)
{
    const jck_session *session = exec->session;
    int64_t least_ms = session->rest_least_ms;
    int64_t before_ms = session->rested == exec->test_case ? session->rested_ms : 0;
    least_ms = alone && least_ms < REST_ALONE_MS ? REST_ALONE_MS : least_ms;
    return least_ms > before_ms ? least_ms : before_ms;
}

// Listens while other cases run.
static void sit_out(jck_exec *exec, const jck_step *step)
{
    jck_session *session = exec->session;
    const jrpc_clock *clock = session->link->clock;
    bool alone = exec->watch != JCK_WATCH_FENCES;
    int64_t began_us = jrpc_clock_now_us(clock);
    int64_t least_ms = rest_least_ms(exec, alone);
    int64_t most_ms = session->rest_most_ms > 0 ? session->rest_most_ms : REST_MOST_MS;
    int64_t passed_ms = 0;
    const jck_connection *open = jck_link_connection(session->link, step->connection);
    while (jck_exec_goes_on(exec) && jck_connection_is_open(open) && passed_ms < REST_MOST_MS) {
        bool over = alone || session->rest_is_over == NULL || atomic_load(session->rest_is_over) ||
                    passed_ms >= most_ms;
        int64_t left_ms = over ? least_ms - passed_ms : REST_SLICE_MS;
        if (left_ms <= 0) {
            break;
        }
        jck_collect_for(exec, step->connection, left_ms < REST_SLICE_MS ? left_ms : REST_SLICE_MS);
        passed_ms = (jrpc_clock_now_us(clock) - began_us) / 1000;
    }
    int learned_ms = session->learned_quiet_ms == NULL ? 0 : atomic_load(session->learned_quiet_ms);
    if (!alone && learned_ms > 0 && learned_ms < session->link->timing.quiet_ms) {
        session->link->timing.quiet_ms = learned_ms; // the target was not yet known before
    }
    session->rested = exec->test_case;
    session->rested_ms = passed_ms > least_ms ? passed_ms : least_ms;
}

static void run_receive(jck_exec *exec, const jck_step *step)
{
    jck_link *link = exec->session->link;
    const jck_connection *open = jck_link_connection(link, step->connection);
    bool exchanges = jck_link_exchanges(link);
    if (exchanges && !listens_beside(exec)) {
        (void)jck_collect_all(exec, step->connection, 0);
        return;
    }
    if (jrpc_slice_is(step->within, "pause")) {
        jck_collect_for(exec, step->connection, PAUSE_MS);
        jck_exec_settle(exec, JCK_SETTLED);
        return;
    }
    if (jrpc_slice_is(step->within, "rest")) {
        sit_out(exec, step);
        jck_exec_settle(exec, JCK_SETTLED);
        return;
    }
    size_t optional = 0;
    size_t awaited = messages_awaited(step->patterns, &optional);
    bool async = jrpc_slice_is(step->within, "async");
    int64_t within_ms = async && link->target->async_ms > 0 ? link->target->async_ms
                        : exec->test_case->bare ? time_to_answer_ms(link) // it is still starting
                                                : link->timing.reply_ms;
    int64_t began_us = jrpc_clock_now_us(link->clock);
    // If more messages may come than are due, their number does not show which of them have come.
    // The same holds if the target may have sent messages of its own before the answer.
    bool one_by_one = async || optional > 0 || jrpc_slice_is(step->within, "unprompted");
    bool settled = one_by_one ? jck_await(exec, step, within_ms)
                              : jck_collect(exec, step->connection, awaited, within_ms);
    int64_t took_ms = (jrpc_clock_now_us(link->clock) - began_us) / 1000;
    if (exchanges) {
        (void)jck_collect_all(exec, step->connection, 0);
        jck_collect_for(exec, step->connection, 0);
    } else if (exec->test_case->bare && jck_exec_goes_on(exec)) {
        jck_collect_surplus(exec, step->connection, settled && awaited > 0);
    } else if (jck_exec_goes_on(exec) && open->state != JCK_CONNECTION_HALF) {
        (void)jck_collect_all(exec, step->connection, settled ? 0 : awaited);
        // If fences have no ids, a message may have been taken for the fence's answer.
        bool more = optional > 0 && (exec->watch != JCK_WATCH_FENCES || optional == SIZE_MAX ||
                                     !has_all(exec, step, awaited + optional));
        if (settled && more && !open->fence.by_form && jck_exec_goes_on(exec)) {
            collect_more(exec, step, took_ms);
        }
    }
}

// Answers the last request that the server sent, with the members of the step.
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
    if (step->half) {
        jck_connection_half_close(open);
    } else {
        if (open->peer != NULL) {
            jrpc_peer_close_hard(open->peer); // answers stay unread
        }
        jck_connection_close(open, exec->session->link->timing.grace_ms);
    }
    jck_exec_settle(exec, JCK_SETTLED);
}

void jck_step_run(jck_exec *exec, const jck_step *step, bool last)
{
    exec->usually_silent = false;
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
        (void)jck_collect_all(exec, step->connection, 0);
        break;
    case JCK_STEP_CLOSE:
        run_close(exec, step);
        break;
    case JCK_STEP_DO:
    case JCK_STEP_HEAR:
    case JCK_STEP_ANSWER:
    case JCK_STEP_OUTCOME:
    case JCK_STEP_LEAVE:
    case JCK_STEP_SERVE:
        break; // of cases that test a client: harness/drive runs them
    }
}
