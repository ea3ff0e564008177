#include "harness/run/ledger.h"

#include "harness/run/event.h"
#include "reference/base/limits.h"

#include <stdio.h>
#include <string.h>

#define KEPT_BYTES ((size_t)1 << 30)

bool jck_ledger_init(jck_ledger *ledger, const jck_run_options *options, jrpc_arena *arena)
{
    *ledger = (jck_ledger){.options = options, .calibration = {.absent_answers = true}};
    size_t rules = jck_suite_rule_count(options->suite);
    ledger->rules_tested = jrpc_arena_array(arena, rules + 1, sizeof *ledger->rules_tested);
    ledger->rules_named = jrpc_arena_array(arena, rules + 1, sizeof *ledger->rules_named);
    ledger->broken = jrpc_arena_array(arena, rules + 1, sizeof *ledger->broken);
    ledger->calibration.broken = ledger->broken;
    ledger->jobs = options->jobs > 0 ? options->jobs : 1;
    ledger->deadline_us =
        options->max_us > 0 ? jrpc_clock_now_us(options->clock) + options->max_us : INT64_MAX;
    ledger->result.conformant = true;
    jrpc_buffer_init(&ledger->line, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&ledger->kept, jrpc_allocator_heap(), KEPT_BYTES);
    bool hosting = jck_host_init(&ledger->host, options->target, options->clock,
                                 options->timing.grace_ms, options->interrupt_fd);
    return hosting && ledger->rules_tested != NULL && ledger->rules_named != NULL &&
           ledger->broken != NULL && pthread_mutex_init(&ledger->lock, NULL) == 0 &&
           pthread_cond_init(&ledger->left, NULL) == 0 &&
           pthread_cond_init(&ledger->once.changed, NULL) == 0 &&
           pthread_cond_init(&ledger->reserve.changed, NULL) == 0;
}

void jck_ledger_done(jck_ledger *ledger)
{
    jck_host_done(&ledger->host);
    jrpc_buffer_done(&ledger->kept);
    jrpc_buffer_done(&ledger->line);
    (void)pthread_cond_destroy(&ledger->reserve.changed);
    (void)pthread_cond_destroy(&ledger->once.changed);
    (void)pthread_cond_destroy(&ledger->left);
    (void)pthread_mutex_destroy(&ledger->lock);
}

void jck_ledger_starve(jck_ledger *ledger)
{
    jrpc_error error = {0};
    (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory for a case");
    jck_ledger_stop(ledger, JCK_RUN_FAULT, &error);
}

jck_attempt *jck_ledger_attempt(jck_ledger *ledger, const jck_case *test_case)
{
    const jck_run_options *options = ledger->options;
    (void)pthread_mutex_lock(&ledger->lock);
    uint32_t serial = ++ledger->serial;
    (void)pthread_mutex_unlock(&ledger->lock);
    jck_attempt *attempt = jck_attempt_new(test_case, options->target, options->nonce, serial);
    if (attempt == NULL) {
        jck_ledger_starve(ledger);
    }
    return attempt;
}

// The position of the next case, or the number of cases. Called with the lock held.
static size_t next_case(jck_ledger *ledger, const jck_plan *plan, bool waiting)
{
    size_t *next = &ledger->next_waiting;
    for (; waiting && ledger->taken != NULL && *next < plan->waiting_count; (*next)++) {
        if (!ledger->taken[plan->waiting[*next]]) {
            return plan->waiting[*next];
        }
    }
    while (ledger->taken != NULL && ledger->next < plan->case_count &&
           ledger->taken[ledger->next]) {
        ledger->next++;
    }
    return ledger->next;
}

const jck_case *jck_ledger_take(jck_ledger *ledger, const jck_plan *plan, bool waiting)
{
    jck_ledger_look_at_time(ledger);
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_case *taken = NULL;
    size_t position = ledger->stopping ? plan->case_count : next_case(ledger, plan, waiting);
    if (position < plan->case_count) {
        taken = plan->cases[position];
        ledger->given++;
        if (ledger->taken != NULL) {
            ledger->taken[position] = true;
        } else {
            ledger->next++;
        }
    }
    (void)pthread_mutex_unlock(&ledger->lock);
    return taken;
}

void jck_ledger_share_limit(jck_ledger *ledger, jck_link *link)
{
    jck_learned *learned = &link->learned;
    (void)pthread_mutex_lock(&ledger->lock);
    int64_t *interval_us = &ledger->limit_interval_us;
    *interval_us = learned->interval_us > *interval_us ? learned->interval_us : *interval_us;
    if (learned->limit_code != 0) {
        int64_t *until_us = &ledger->limit_until_us;
        ledger->limit_code = learned->limit_code;
        memcpy(ledger->limit_words, learned->limit_words, sizeof ledger->limit_words);
        *until_us = link->sent_us > *until_us ? link->sent_us : *until_us;
    }
    learned->interval_us = *interval_us;
    link->sent_us = ledger->limit_until_us > link->sent_us ? ledger->limit_until_us : link->sent_us;
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_is_limited(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool limited = ledger->limit_interval_us > 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return limited;
}

// So many cases in a row that got the error although they were run again: it has another meaning.
#define LIMITED_IN_VAIN_MAX 8

bool jck_ledger_is_refused(jck_ledger *ledger, const jck_evidence *evidence, bool again)
{
    char code[24];
    (void)pthread_mutex_lock(&ledger->lock);
    bool looks = ledger->limit_code != 0 && ledger->limited_in_vain < LIMITED_IN_VAIN_MAX;
    bool refused = false;
    (void)snprintf(code, sizeof code, "%lld", (long long)ledger->limit_code);
    for (size_t i = 0; looks && i < evidence->count && !refused; i++) {
        const jck_message *message = &evidence->messages[i];
        refused = message->direction == JCK_RECEIVED &&
                  jrpc_slice_contains(message->bytes, jrpc_slice_str(code)) &&
                  jrpc_slice_contains(message->bytes, jrpc_slice_str(ledger->limit_words));
    }
    ledger->limited_in_vain = !again    ? ledger->limited_in_vain
                              : refused ? ledger->limited_in_vain + 1
                                        : 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return refused;
}

const jck_case *jck_ledger_take_resting(jck_ledger *ledger, const jck_plan *plan)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_case *taken = NULL;
    if (!ledger->stopping && ledger->next_resting < plan->resting_count) {
        taken = plan->resting[ledger->next_resting++];
    }
    (void)pthread_mutex_unlock(&ledger->lock);
    return taken;
}

bool jck_ledger_has_resting(jck_ledger *ledger, const jck_plan *plan)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool has = ledger->next_resting < plan->resting_count;
    (void)pthread_mutex_unlock(&ledger->lock);
    return has;
}

void jck_ledger_leave_rest(jck_ledger *ledger, const jck_plan *plan)
{
    (void)pthread_mutex_lock(&ledger->lock);
    if (ledger->running == 0 && (ledger->stopping || ledger->given >= plan->case_count)) {
        atomic_store(&ledger->rest_is_over, true);
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_enter(jck_ledger *ledger, jck_turn turn)
{
    bool alone = turn == JCK_TURN_ALONE;
    (void)pthread_mutex_lock(&ledger->lock);
    // A worker that waits to run alone has priority; otherwise it might wait until the end of the
    // run.
    ledger->waiting += alone ? 1 : 0;
    while (ledger->turn == JCK_TURN_ALONE || (alone ? ledger->running > 0 : ledger->waiting > 0)) {
        (void)pthread_cond_wait(&ledger->left, &ledger->lock);
    }
    ledger->waiting -= alone ? 1 : 0;
    ledger->turn = turn;
    ledger->running++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_leave(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->running--;
    ledger->turn = JCK_TURN_BESIDE;
    (void)pthread_cond_broadcast(&ledger->left);
    (void)pthread_mutex_unlock(&ledger->lock);
}

// What is known about the end of a generation. The ledger is locked.
static struct jck_crash *crash_of(jck_ledger *ledger, uint32_t generation)
{
    struct jck_crash *crash = &ledger->crashes[generation % JCK_GENERATIONS_KEPT];
    if (crash->generation != generation) {
        *crash = (struct jck_crash){.generation = generation};
    }
    return crash;
}

void jck_ledger_suspect(jck_ledger *ledger, uint32_t generation)
{
    (void)pthread_mutex_lock(&ledger->lock);
    crash_of(ledger, generation)->suspects++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_explain(jck_ledger *ledger, uint32_t generation)
{
    (void)pthread_mutex_lock(&ledger->lock);
    crash_of(ledger, generation)->explained = true;
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_resolve(jck_ledger *ledger, uint32_t generation, bool guilty)
{
    (void)pthread_mutex_lock(&ledger->lock);
    struct jck_crash *crash = &ledger->crashes[generation % JCK_GENERATIONS_KEPT];
    bool known = crash->generation == generation && crash->suspects > 0;
    if (known) {
        crash->suspects--;
        crash->explained = crash->explained || guilty;
    }
    bool unexplained = known && crash->suspects == 0 && !crash->explained;
    (void)pthread_mutex_unlock(&ledger->lock);
    return unexplained;
}

static bool is_up(const jck_ledger *ledger)
{
    return ledger->deadline_us != INT64_MAX &&
           jrpc_clock_now_us(ledger->options->clock) >= ledger->deadline_us;
}

void jck_ledger_stop(jck_ledger *ledger, jck_run_end end, const jrpc_error *error)
{
    // When the time limit is up, waits are interrupted as if by a signal.
    bool late = end == JCK_RUN_INTERRUPTED && is_up(ledger);
    (void)pthread_mutex_lock(&ledger->lock);
    if (!ledger->stopping || ledger->result.end == JCK_RUN_FINISHED) {
        ledger->stopping = true;
        ledger->result.end = late ? JCK_RUN_TIME_UP : end;
        if (error != NULL) {
            ledger->result.error = *error;
        }
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_stopping(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool stopping = ledger->stopping;
    (void)pthread_mutex_unlock(&ledger->lock);
    return stopping;
}

bool jck_ledger_has_to_end(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool ends = ledger->stopping && (ledger->result.end == JCK_RUN_INTERRUPTED ||
                                     ledger->result.end == JCK_RUN_TIME_UP);
    (void)pthread_mutex_unlock(&ledger->lock);
    return ends;
}

bool jck_ledger_lost_target(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool lost = ledger->stopping &&
                (ledger->result.end == JCK_RUN_UNOPENED || ledger->result.end == JCK_RUN_MUTE);
    (void)pthread_mutex_unlock(&ledger->lock);
    return lost;
}

bool jck_ledger_look_at_time(jck_ledger *ledger)
{
    bool up = is_up(ledger);
    if (up) {
        jck_ledger_stop(ledger, JCK_RUN_TIME_UP, NULL);
    }
    return up;
}

// Whether an outcome makes the run non-conformant.
static bool is_breach(const jck_ledger *ledger, const jck_case_report *report)
{
    return report->verdict != NULL &&
           (!report->verdict->conformant ||
            (ledger->options->strict && report->outcome == JCK_OUTCOME_WARN));
}

static void count(jck_ledger *ledger, const jck_case_report *report, bool expected)
{
    ledger->result.counts[report->outcome]++;
    ledger->result.ways[report->company == NULL ? JCK_WAY_COMPANY : report->company->way]++;
    if (report->verdict == NULL || report->outcome == JCK_OUTCOME_BLOCKED) {
        bool mistake = report->reason != NULL && report->reason->code == JCK_REASON_DRIVER_MISTAKE;
        ledger->result.driver_mistakes += mistake;
        ledger->result.skipped++;
        return;
    }
    ledger->result.judged++;
    jck_suite_mark_rules(ledger->options->suite, report->test_case, ledger->rules_tested);
    if (is_breach(ledger, report) && !expected) {
        ledger->result.unexpected++;
        ledger->result.conformant = false;
        ledger->stopping = ledger->stopping || ledger->options->fail_fast;
    }
}

// Emits an event line, or keeps it as long as a ground case is provisional. Called with the lock
// held. False without memory.
static bool emit(jck_ledger *ledger, jrpc_slice line)
{
    if (ledger->provisional > 0) {
        return jrpc_buffer_append(&ledger->kept, line);
    }
    if (!ledger->is_void) {
        ledger->options->emit(ledger->options->context, line);
    }
    return true;
}

// Emits ledger->line if it could be written; the run ends if it could not. Called with the lock
// held.
static void emit_line(jck_ledger *ledger, bool written)
{
    if (!written || !emit(ledger, jrpc_buffer_slice(&ledger->line))) {
        ledger->result.end = JCK_RUN_FAULT;
        ledger->stopping = true;
        jrpc_error_set(&ledger->result.error, JRPC_ERROR_MEMORY, "out of memory for an event");
    }
}

void jck_ledger_report(jck_ledger *ledger, const jck_case_report *report)
{
    const jck_run_options *options = ledger->options;
    (void)pthread_mutex_lock(&ledger->lock);
    bool expected = options->expects != NULL &&
                    options->expects(options->baseline, report->test_case, report->outcome);
    bool selected = strcmp(report->kind, "case") == 0;
    if (selected) {
        if (report->verdict != NULL) {
            jck_repeats_mark(&ledger->repeats, &report->verdict->findings);
        }
        count(ledger, report, expected);
    }
    const jck_case_event event = {
        .kind = report->kind,
        .test_case = report->test_case,
        .verdict = report->verdict,
        .outcome = report->outcome,
        .reason = report->reason,
        .evidence = report->evidence,
        .expected = expected,
        .company = report->company,
        .sequence = report->company == NULL ? NULL : report->company->messages,
        .sequence_count = report->company == NULL ? 0 : report->company->message_count,
        .attempts = report->attempts,
    };
    jrpc_buffer_clear(&ledger->line);
    emit_line(ledger, jck_event_write_case(&ledger->line, &event));
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_report_fuzz(jck_ledger *ledger, const jck_fuzz_event *event)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jrpc_buffer_clear(&ledger->line);
    emit_line(ledger, jck_event_write_fuzz(&ledger->line, event));
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_report_execution(jck_ledger *ledger, const jck_execution *execution)
{
    jck_attempt *attempt = execution->judged ? execution->attempt : NULL;
    const jck_case_report report = {
        .kind = execution->kind,
        .test_case = execution->test_case,
        .outcome = execution->outcome,
        .reason = &execution->reason,
        .company = &execution->company,
        .attempts = attempt == NULL ? NULL : attempt->before,
        .verdict = attempt == NULL ? NULL : &attempt->verdict,
        .evidence = attempt == NULL ? NULL : &attempt->evidence,
    };
    jck_ledger_report(ledger, &report);
}

void jck_ledger_report_verdict(jck_ledger *ledger, const jck_case *test_case, jck_verdict *verdict,
                               const jck_evidence *evidence)
{
    const jck_case_report report = {
        .kind = "case",
        .test_case = test_case,
        .outcome = verdict->outcome,
        .verdict = verdict,
        .evidence = evidence,
    };
    jck_ledger_report(ledger, &report);
}
