#include "harness/run/search.h"

// How long one search may take, and the number of process starts that it may take in addition.
#define SEARCH_US ((int64_t)3 * 1000000)
#define SEARCH_STARTS 16
// How long the run with full time-outs for the earlier cases may take, without these time-outs.
#define PATIENT_US ((int64_t)10 * 1000000)
// Sending one case again and again may take this fraction of the remaining time.
#define REPEATING_PART 2
// Unexpected answers that come later than this are not looked for.
#define LATE_US ((int64_t)1000000)
// The length of one wait.
#define SLICE_MS 25

void jck_search_init(jck_search *search, jck_worker *worker, const jck_case *test_case,
                     const jck_attempt *seen, int64_t left_us)
{
    int64_t most_us = SEARCH_US + SEARCH_STARTS * worker->link.opening.took_us;
    int64_t room_us = left_us < most_us ? left_us : most_us;
    room_us *= jck_busy_times(worker->link.clock, JCK_DOUBT_TIMES_MOST);
    *search = (jck_search){
        .worker = worker,
        .test_case = test_case,
        .seen = seen,
        .deadline_us = jrpc_clock_now_us(worker->link.clock) + room_us,
        .window_us = LATE_US,
    };
}

void jck_search_done(jck_search *search)
{
    jck_attempt_free(search->best);
    search->best = NULL;
}

static int64_t now(const jck_search *search)
{
    return jrpc_clock_now_us(search->worker->link.clock);
}

// Gives unanswered messages of a case the full time for an answer, so that a late answer is not
// taken for one to a later message.
static void let_answer(jck_search *search, const jck_case *test_case, jck_attempt *attempt)
{
    const jck_link *link = &search->worker->link;
    const jck_connection *open = jck_link_connection(&search->worker->link, 'a');
    size_t missing = jck_attempt_left_open(attempt);
    size_t had = jck_attempt_heard_all(attempt);
    int64_t began_us = now(search);
    int64_t until_us = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
    while (jck_attempt_heard_all(attempt) < had + missing && now(search) < until_us &&
           jck_connection_is_open(open)) {
        jck_worker_linger(search->worker, test_case, attempt, SLICE_MS);
    }
    search->deadline_us += now(search) - began_us;
}

// Sends cases whose verdict does not matter; *ret_sent are their attempts, the last one first.
// PASSES: the target did not accept all of them as before.
static jck_trial_end send_all(jck_search *search, const jck_case *const *cases, size_t count,
                              jck_attempt **ret_sent)
{
    jck_worker_start_afresh(search->worker);
    for (size_t i = 0; i < count; i++) {
        if (now(search) >= search->deadline_us) {
            return JCK_TRIAL_STOP;
        }
        jck_attempt *attempt = jck_worker_replay(search->worker, cases[i]);
        if (attempt == NULL) {
            return JCK_TRIAL_PASSES;
        }
        attempt->before = *ret_sent;
        *ret_sent = attempt;
        if (search->patient) {
            let_answer(search, cases[i], attempt);
        }
        if (attempt->evidence.process_gone) {
            return JCK_TRIAL_PASSES;
        }
    }
    return JCK_TRIAL_FAILS;
}

// Copies what was sent, the first attempt first.
static void keep_sent(jck_evidence *sent, const jck_attempt *last)
{
    size_t depth = 0;
    for (const jck_attempt *at = last; at != NULL; at = at->before) {
        depth++;
    }
    for (; depth > 0; depth--) {
        const jck_attempt *at = last;
        for (size_t i = 1; i < depth; i++) {
            at = at->before;
        }
        for (size_t i = 0; i < at->evidence.count; i++) {
            if (at->evidence.messages[i].direction == JCK_SENT) {
                (void)jck_evidence_add(sent, &at->evidence.messages[i]);
            }
        }
    }
}

// Keeps the attempt (owned) as the best, with what was sent before it (borrowed) and in it.
static void keep_best(jck_search *search, jck_attempt *attempt, jck_attempt *before)
{
    jck_attempt_free(search->best);
    search->best = attempt;
    if (jck_evidence_init(&search->sent, &attempt->arena, 0)) {
        attempt->before = before;
        keep_sent(&search->sent, attempt);
        attempt->before = NULL;
    }
}

// Whether the missing answer comes after all within the full time for an answer: then the target is
// only slow now and then. Each search waits once.
static bool comes_late(jck_search *search, jck_attempt *attempt)
{
    const jck_timing *timing = &search->worker->link.timing;
    if (search->waited || !jck_attempt_was_overtaken(attempt)) {
        return false;
    }
    int64_t began_us = now(search);
    int64_t until_us = jrpc_deadline_in_ms(search->worker->link.clock, timing->reply_ms);
    search->waited = true;
    while (!search->slow && now(search) < until_us &&
           jck_connection_is_open(jck_link_connection(&search->worker->link, 'a'))) {
        jck_worker_linger(search->worker, search->test_case, attempt, SLICE_MS);
        search->slow = !jck_attempt_repeats(attempt, search->seen);
    }
    search->deadline_us += now(search) - began_us;
    return search->slow;
}

// Whether an attempt (NULL: there is none) shows the failure again, and not only for a while.
static bool repeats(jck_search *search, jck_attempt *attempt)
{
    return attempt != NULL && jck_attempt_repeats(attempt, search->seen) &&
           !comes_late(search, attempt);
}

static jck_trial_end fails_again(void *context, const jck_case *const *cases, size_t count)
{
    jck_search *search = context;
    jck_attempt *before = NULL;
    if (search->slow) {
        return JCK_TRIAL_STOP;
    }
    jck_trial_end end = send_all(search, cases, count, &before);
    if (end == JCK_TRIAL_FAILS) {
        jck_attempt *attempt = jck_worker_replay(search->worker, search->test_case);
        if (repeats(search, attempt)) {
            keep_best(search, attempt, before);
        } else {
            jck_attempt_free(attempt);
            end = search->slow ? JCK_TRIAL_STOP : JCK_TRIAL_PASSES;
        }
    }
    jck_attempt_free(before);
    return end;
}

// Whether the case also fails if the cases before it had the full time for their answers.
static bool is_not_their_answer(jck_search *search, const jck_case *const *cases, size_t count)
{
    bool ends = search->best->verdict.outcome >= JCK_OUTCOME_ENDED;
    if (count == 0 || ends || jck_attempt_foreign(search->best) == NULL) {
        return true;
    }
    int64_t least_us = now(search) + PATIENT_US;
    search->deadline_us = search->deadline_us > least_us ? search->deadline_us : least_us;
    search->patient = true;
    jck_trial_end end = fails_again(search, cases, count);
    search->patient = false;
    search->slow = search->slow || end == JCK_TRIAL_PASSES;
    return end == JCK_TRIAL_FAILS;
}

bool jck_search_again(jck_search *search, const jck_case **cases, size_t count, size_t *ret_left)
{
    return jck_company_shrink(cases, count, fails_again, search, ret_left) &&
           is_not_their_answer(search, cases, *ret_left);
}

bool jck_search_repeating(jck_search *search, size_t *ret_left)
{
    jck_attempt *before = NULL;
    bool found = false;
    int64_t until_us = now(search) + (search->deadline_us - now(search)) / REPEATING_PART;
    jck_worker_start_afresh(search->worker);
    for (size_t i = 0; i < JCK_REPETITIONS_MAX && now(search) < until_us && !search->slow; i++) {
        jck_attempt *attempt = jck_worker_replay(search->worker, search->test_case);
        if (attempt == NULL) {
            break;
        }
        if (repeats(search, attempt)) {
            keep_best(search, attempt, before);
            *ret_left = i;
            found = true;
            break;
        }
        attempt->before = before;
        before = attempt;
        if (attempt->evidence.process_gone) {
            break;
        }
    }
    jck_attempt_free(before);
    return found;
}

// Whether any of these is answered, in time or late, although no answer is owed.
static jck_trial_end is_answered(void *context, const jck_case *const *cases, size_t count)
{
    jck_search *search = context;
    jck_attempt *last = NULL;
    bool answered = false;
    jck_worker_start_afresh(search->worker);
    int64_t began_us = now(search);
    for (size_t i = 0; i < count && !answered; i++) {
        jck_attempt_free(last);
        last = jck_worker_replay(search->worker, cases[i]);
        answered =
            last != NULL && jck_attempt_foreign(last) != NULL && jck_attempt_has_finding(last);
    }
    int64_t until_us = now(search) + search->window_us;
    while (last != NULL && !answered && now(search) < until_us &&
           now(search) < search->deadline_us) {
        jck_worker_linger(search->worker, cases[count - 1], last, SLICE_MS);
        answered = jck_attempt_foreign(last) != NULL && jck_attempt_has_finding(last);
    }
    jck_attempt_free(last);
    if (!answered) {
        return now(search) < search->deadline_us ? JCK_TRIAL_PASSES : JCK_TRIAL_STOP;
    }
    // Whichever case it was, the answer came no later after it than after the first.
    search->late_us = now(search) - began_us;
    search->window_us = search->late_us + search->late_us / 4 < LATE_US
                            ? search->late_us + search->late_us / 4
                            : LATE_US;
    return JCK_TRIAL_FAILS;
}

bool jck_search_late(jck_search *search, const jck_case **cases, size_t count, size_t *ret_left)
{
    return count > 0 && !jck_target_traits(search->worker->link.target)->exchanges &&
           jck_company_reduce(cases, count, is_answered, search, ret_left);
}
