// One case, run once: opened, executed, judged.
#include "harness/link/recycle.h"
#include "harness/run/held.h"
#include "harness/run/once.h"
#include "harness/run/worker.h"

#define NOT_FOUND 404

// Deals with a session that was not completed. False if the run stops.
static bool session_went_on(jck_worker *worker, jck_session_status status, const jrpc_error *error)
{
    jck_ledger *ledger = worker->ledger;
    switch (status) {
    case JCK_SESSION_OK:
    case JCK_SESSION_DISTURBED:
    case JCK_SESSION_SINGLE:
        return true;
    case JCK_SESSION_UNOPENED:
        jck_ledger_stop(ledger, JCK_RUN_UNOPENED, error);
        return false;
    case JCK_SESSION_MUTE:
        jck_ledger_stop(ledger, JCK_RUN_MUTE, error);
        return false;
    case JCK_SESSION_INTERRUPTED:
        jck_ledger_stop(ledger, JCK_RUN_INTERRUPTED, NULL);
        return false;
    case JCK_SESSION_FAULT:
        jck_ledger_stop(ledger, JCK_RUN_FAULT, error);
        return false;
    }
    return false;
}

// What a case is sent to: a process of ours, otherwise a connection, because only that can be
// renewed.
static uint64_t home_of(const jck_worker *worker)
{
    return jck_host_is_used(worker->link.host) ? worker->link.generation : worker->link.opened;
}

static bool is_unopened(jck_session_status status)
{
    return status == JCK_SESSION_UNOPENED || status == JCK_SESSION_MUTE;
}

// Runs the session. A target that was open before and cannot be opened now gets a second chance
// from the start: a port may not be free yet, or another worker's case may be ending it.
static jck_session_status run_session(jck_worker *worker, const jck_case *test_case,
                                      jck_attempt *attempt, jck_watch watch, jrpc_error *error)
{
    uint64_t opened = worker->link.opened;
    jck_session_status status = JCK_SESSION_FAULT;
    if (!worker->further) {
        jck_once_await(worker, false);
    }
    for (int chance = 0; chance < 2; chance++) {
        jrpc_error_clear(error);
        status = jck_session_run(&worker->session, test_case, &attempt->variables, watch,
                                 &attempt->evidence, error);
        if (!is_unopened(status) || opened == 0 || attempt->evidence.count > 0) {
            break;
        }
        // A process that is listened to in the background may hold what a second one needs.
        jck_link_drop_aside(&worker->link);
        jck_link_stop(&worker->link);
    }
    jck_history_note(&worker->history, home_of(worker), test_case);
    return status;
}

bool jck_worker_shares_process(const jck_worker *worker)
{
    const jck_ledger *ledger = worker->ledger;
    return ledger->jobs > 1 && !ledger->apart && jck_host_is_used(worker->link.host);
}

// Reports that a target that answers the first worker does not answer this one at the same time.
static void explain_crowd(const jck_worker *worker, jrpc_error *error)
{
    const jrpc_error said = *error;
    jrpc_error_clear(error);
    (void)jrpc_error_set(error, JRPC_ERROR_CLOSED,
                         "the target does not serve %u connections at once: run it with --jobs 1 "
                         "(with other connections open, %.200s)",
                         worker->ledger->jobs, said.message);
}

static bool captures_a_header(const jck_target *target)
{
    for (size_t i = 0; i < target->prelude_count; i++) {
        for (size_t k = 0; k < target->prelude[i].capture_count; k++) {
            if (jrpc_slice_starts_with(target->prelude[i].captures[k].from,
                                       JRPC_SLICE("header:"))) {
                return true;
            }
        }
    }
    return false;
}

static bool speaks_http_itself(const jck_case *test_case)
{
    bool speaks = test_case->bare;
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jrpc_manner *manner = &test_case->steps[i].manner;
        speaks = speaks || manner->http_method != NULL || manner->headers != NULL;
    }
    return speaks;
}

// Whether the target has ended the session that its prelude began: it may do so at any time with
// status 404, and clients then begin a new one. This does not apply to a case that ends or leaves
// the session itself.
static bool lost_its_session(const jck_worker *worker, const jck_case *test_case,
                             const jck_evidence *evidence)
{
    if (!captures_a_header(worker->link.target) || speaks_http_itself(test_case)) {
        return false;
    }
    bool lost = false;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        lost = lost || (message->direction == JCK_RECEIVED && message->http_status == NOT_FOUND);
    }
    return lost;
}

// Whether the target closed a connection during the last session only because of the number of
// messages on it.
static bool was_recycled(jck_worker *worker)
{
    size_t carried = worker->session.closed_after;
    return carried > 0 && jck_link_recycles(&worker->link, carried);
}

// How often a case may be run again because another worker ended the process that they share.
#define DISTURBANCES_MAX 8

// How often a case may be run again because the target refused messages that came too fast.
#define LIMITED_MAX 2

// Repeats the session until no other worker ends the process meanwhile; also once if the target has
// ended the session or the connection as it may at any time. *ret_attempt is the last
// attempt, even if it failed; NULL without memory.
static jck_session_status run_undisturbed(jck_worker *worker, const jck_case *test_case,
                                          jck_watch watch, jck_attempt **ret_attempt,
                                          jrpc_error *error)
{
    jck_session_status status = JCK_SESSION_FAULT;
    bool renewed = false;
    bool reconnected = false;
    int limited = 0;
    *ret_attempt = NULL;
    for (int i = 0; i <= DISTURBANCES_MAX; i++) {
        jck_attempt_free(*ret_attempt);
        *ret_attempt = jck_ledger_attempt(worker->ledger, test_case);
        if (*ret_attempt == NULL) {
            (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a case");
            return JCK_SESSION_FAULT;
        }
        jck_ledger_share_limit(worker->ledger, &worker->link);
        status = run_session(worker, test_case, *ret_attempt, watch, error);
        jck_ledger_share_limit(worker->ledger, &worker->link);
        if (status == JCK_SESSION_OK && !renewed &&
            lost_its_session(worker, test_case, &(*ret_attempt)->evidence)) {
            renewed = true;
            worker->sessions_lost++;
            jck_link_drop(&worker->link);
        } else if (status == JCK_SESSION_OK && !reconnected && was_recycled(worker)) {
            reconnected = true;
        } else if (status == JCK_SESSION_OK && limited < LIMITED_MAX &&
                   jck_ledger_is_refused(worker->ledger, &(*ret_attempt)->evidence, limited > 0)) {
            limited++;
            jck_link_pause(&worker->link);
        } else if (is_unopened(status) && jck_once_retries(worker, error)) {
            // the other processes have ended
        } else if (status != JCK_SESSION_DISTURBED) {
            break;
        }
    }
    if (is_unopened(status) && worker->link.opened == 0 && worker->ledger->jobs > 1 &&
        jck_target_traits(worker->link.target)->can_reconnect) {
        explain_crowd(worker, error);
    }
    return status;
}

void jck_worker_judge(jck_worker *worker, const jck_case *test_case, jck_attempt *attempt)
{
    jck_judge(worker->ledger->options->suite, test_case, &attempt->variables, &attempt->evidence,
              worker->calibration, &attempt->arena, &attempt->verdict);
}

// Whether a case can be expected to be answered as fast as others: it is not slow on purpose, and
// does not wait for messages that the target originates.
static bool may_hurry(const jck_case *test_case)
{
    return jck_case_receives_responses(test_case) && !jck_case_mentions(test_case, "slow");
}

// A case that has taught that the target is silent is run again as if nobody knew.
static void apply_silences(jck_worker *worker)
{
    const jck_ledger *ledger = worker->ledger;
    bool known = !worker->doubts_silence;
    worker->session.silent_on_parse_error = known && ledger->silent_on_parse_error;
    worker->session.silent_on_batch = known && ledger->silent_on_batch;
    worker->session.silent_on_positional = known && ledger->calibration.positional.silent;
    worker->session.silent_on_named = known && ledger->calibration.named.silent;
    worker->session.usual_silences = known ? jck_ledger_silences(worker->ledger) : 0;
}

// Whether we write an HTTP request in bytes of our own: some of these ways wait for the server
// before the request is complete.
static bool takes_its_time(const jck_case *test_case)
{
    bool takes = false;
    for (size_t i = 0; i < test_case->step_count && !takes; i++) {
        takes = test_case->steps[i].manner.bytes != JRPC_BYTES_USUAL;
    }
    return takes;
}

// The longest time that such a way takes by itself.
#define OWN_TIME_MS 2000

jck_timing jck_worker_full_timing(const jck_worker *worker, const jck_case *test_case)
{
    const jck_timing *most = &worker->ledger->options->timing;
    if (!may_hurry(test_case)) {
        return *most;
    }
    jck_timing full = jck_ledger_full(worker->ledger, jck_case_expects_result(test_case));
    if (takes_its_time(test_case) && full.reply_ms < most->reply_ms) {
        full.reply_ms += OWN_TIME_MS;
        full.reply_ms = full.reply_ms < most->reply_ms ? full.reply_ms : most->reply_ms;
    }
    return full;
}

// How long a process of ours that has nothing to do may take for its answer in a first look.
#define IDLE_MS 50

// How long an attempt waits: a first look, as long as was learned. An attempt aside waits somewhat
// longer.
static jck_timing timing_of(const jck_worker *worker, const jck_case *test_case, jck_watch watch,
                            bool aside, const jck_timing *full)
{
    jck_timing timing = *full;
    bool first = watch == JCK_WATCH_FENCES;
    if (may_hurry(test_case) && (first || aside)) {
        jck_timing learned =
            worker->hurries ? jck_pace_at_first(full) : jck_ledger_timing(worker->ledger);
        learned = aside ? jck_pace_aside(&learned, full) : learned;
        timing.reply_ms = learned.reply_ms;
        timing.quiet_ms = learned.quiet_ms;
        timing.patience_ms = learned.patience_ms;
        bool listens = worker->ledger->options->explore == NULL;
        timing.listen_ms = listens && learned.reply_ms < full->reply_ms ? full->reply_ms : 0;
        timing.idle_ms = timing.listen_ms > 0 && !takes_its_time(test_case) ? IDLE_MS : 0;
    }
    return timing;
}

static jck_tried try_once(jck_worker *worker, const jck_case *test_case, jck_watch watch,
                          bool aside, jck_attempt **ret_attempt)
{
    const jck_timing full = jck_worker_full_timing(worker, test_case);
    jrpc_error error = {0};
    jck_attempt *attempt = NULL;
    apply_silences(worker);
    *ret_attempt = NULL;
    uint64_t in_vain = jck_session_waits_in_vain(&worker->session);
    worker->link.mute = 0;
    worker->quiet_ms = 0;
    worker->link.timing = timing_of(worker, test_case, watch, aside, &full);
    // A bare case gives a target that starts its full time in any look.
    bool starts = test_case->bare && !jck_link_exchanges(&worker->link);
    bool hurried = !starts && (worker->link.timing.reply_ms < full.reply_ms ||
                               worker->link.timing.quiet_ms < full.quiet_ms);
    jck_session_status status = run_undisturbed(worker, test_case, watch, &attempt, &error);
    worker->link.timing = worker->ledger->options->timing;
    jck_ledger_share_many(worker->ledger, &worker->link.learned.many);
    if (status == JCK_SESSION_SINGLE) {
        jck_attempt_free(attempt);
        jck_link_drop(&worker->link);
        return JCK_TRIED_NO_ROOM; // the session saw that the first connection works
    }
    // If others end the process again and again, this record has to do.
    if (status != JCK_SESSION_OK && status != JCK_SESSION_DISTURBED) {
        jck_attempt_free(attempt);
        (void)session_went_on(worker, status, &error);
        return JCK_TRIED_STOP;
    }
    jck_worker_judge(worker, test_case, attempt);
    if (jck_attempt_has_finding(attempt) && was_recycled(worker)) {
        jck_attempt_free(attempt);
        return JCK_TRIED_CUT_OFF;
    }
    if (jck_attempt_has_finding(attempt) &&
        jck_ledger_is_refused(worker->ledger, &attempt->evidence, false)) {
        jck_attempt_free(attempt);
        return JCK_TRIED_LIMITED;
    }
    bool mute = attempt->evidence.muteness != JCK_NOT_MUTE;
    // In a case with RECEIVE steps an answer that came late looks like one that the fence brought.
    bool whole = aside && !mute && !jck_case_receives(test_case);
    attempt->hasty = (hurried && jck_session_waits_in_vain(&worker->session) > in_vain &&
                      (!whole || jck_attempt_was_overtaken(attempt))) ||
                     (jck_attempt_has_finding(attempt) && worker->turn != JCK_TURN_ALONE &&
                      jck_ledger_is_strained(worker->ledger));
    attempt->listening = attempt->hasty && mute ? worker->link.mute : 0;
    attempt->full_ms = full.reply_ms;
    if (may_hurry(test_case) && !test_case->hazard) { // after a hazard, the pace proves nothing
        jck_ledger_note_pace(worker->ledger, &attempt->evidence);
    }
    jck_ledger_note_silences(worker->ledger, &attempt->evidence);
    *ret_attempt = attempt;
    return JCK_TRIED;
}

// If a target starts faster than this, it is restarted for an attempt alone. For slower ones, it is
// cheaper to wait for the quiet window.
#define QUICK_START_US 20000
// The window of an attempt aside if the process has nothing to do.
#define IDLE_QUIET_MS 100

int64_t jck_worker_window_ms(jck_worker *worker)
{
    const jck_timing first = jck_ledger_timing(worker->ledger);
    int64_t window_ms = jck_pace_aside(&first, &worker->link.timing).quiet_ms;
    bool idle = window_ms > IDLE_QUIET_MS && jck_link_has_nothing_to_do(&worker->link);
    return idle ? IDLE_QUIET_MS : window_ms;
}

// Makes the link quiet: with a new connection if that is cheap, otherwise by listening to the
// current one, unless that has been done. Returns whether it is a new one.
static bool isolate(jck_worker *worker, bool aside)
{
    if (worker->link.opening.took_us <= QUICK_START_US ||
        jck_target_traits(worker->link.target)->can_reconnect) {
        jck_link_drop(&worker->link);
        return true;
    }
    int64_t left_ms =
        aside ? jck_worker_window_ms(worker) - worker->quiet_ms : worker->link.timing.quiet_ms;
    uint64_t number = jck_link_connection(&worker->link, 'a')->number;
    if (jck_session_listen(&worker->session, left_ms > 0 ? left_ms : 1)) {
        jck_held_doubt(worker, number); // an execution that is pending there may be answered
    }
    return false;
}

// After this many times in a run that a new process only confirmed an attempt alone, none is
// started for that.
#define RESTARTS_MAX 3

// Tries a case alone. A finding about a message without its id may be due to a late answer that
// came even after the quiet window: slow targets answer late too. One about messages of the
// target's own may be due to the attempt before: its process may still send them, even on another
// connection. Then a new process decides.
static jck_tried try_isolated(jck_worker *worker, const jck_case *test_case, bool aside,
                              jck_attempt **ret_attempt)
{
    bool is_new = isolate(worker, aside);
    jck_tried end = try_once(worker, test_case, JCK_WATCH_QUIET, aside, ret_attempt);
    bool heard = end == JCK_TRIED && jck_attempt_may_hear_earlier(*ret_attempt, test_case);
    bool late = end == JCK_TRIED && !is_new && jck_attempt_has_finding(*ret_attempt) &&
                jck_attempt_foreign(*ret_attempt) != NULL;
    if ((!heard && !late) || jck_ledger_restarts_in_vain(worker->ledger, 0) >= RESTARTS_MAX) {
        return end;
    }
    jck_attempt *anew = NULL;
    if (heard) {
        (void)jck_session_listen(&worker->session, worker->link.timing.quiet_ms);
        jck_worker_start_afresh(worker);
    } else {
        jck_link_drop(&worker->link);
    }
    end = try_once(worker, test_case, JCK_WATCH_QUIET, aside, &anew);
    if (anew != NULL) {
        (void)jck_ledger_restarts_in_vain(worker->ledger, jck_attempt_repeats(anew, *ret_attempt));
        jck_attempt_free(*ret_attempt);
        *ret_attempt = anew;
    }
    return end == JCK_TRIED_STOP ? end : JCK_TRIED;
}

jck_tried jck_worker_try(jck_worker *worker, const jck_case *test_case, jck_watch watch,
                         jck_attempt **ret_attempt)
{
    return try_once(worker, test_case, watch, false, ret_attempt);
}

jck_tried jck_worker_try_alone(jck_worker *worker, const jck_case *test_case,
                               jck_attempt **ret_attempt)
{
    return try_isolated(worker, test_case, false, ret_attempt);
}

jck_tried jck_worker_try_aside(jck_worker *worker, const jck_case *test_case,
                               jck_attempt **ret_attempt)
{
    return try_isolated(worker, test_case, true, ret_attempt);
}

void jck_worker_start_afresh(jck_worker *worker)
{
    if (jck_host_is_used(worker->link.host)) {
        jck_link_stop(&worker->link);
    } else {
        jck_link_drop(&worker->link);
    }
}

jck_attempt *jck_worker_replay(jck_worker *worker, const jck_case *test_case)
{
    jrpc_error ignored = {0};
    jck_attempt *attempt = jck_ledger_attempt(worker->ledger, test_case);
    apply_silences(worker);
    bool replayed = attempt != NULL && run_session(worker, test_case, attempt, JCK_WATCH_FENCES,
                                                   &ignored) == JCK_SESSION_OK;
    if (replayed && was_recycled(worker)) {
        jck_attempt_free(attempt);
        attempt = jck_ledger_attempt(worker->ledger, test_case);
        replayed = attempt != NULL && run_session(worker, test_case, attempt, JCK_WATCH_FENCES,
                                                  &ignored) == JCK_SESSION_OK;
    }
    if (!replayed) {
        jck_attempt_free(attempt);
        return NULL;
    }
    jck_worker_judge(worker, test_case, attempt);
    return attempt;
}

void jck_worker_linger(jck_worker *worker, const jck_case *test_case, jck_attempt *attempt,
                       int64_t window_ms)
{
    bool came = jck_session_linger(&worker->session, test_case, &attempt->variables,
                                   &attempt->evidence, window_ms);
    worker->quiet_ms = came ? 0 : window_ms;
    if (came) {
        jck_worker_judge(worker, test_case, attempt);
    }
}
