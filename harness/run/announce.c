#include "harness/run/announce.h"

#include "harness/run/event.h"
#include "harness/run/once.h"

#include <stdio.h>

static void emit_start(jck_ledger *ledger, const jck_plan *plan, size_t mapped)
{
    const jck_run_options *options = ledger->options;
    char started[32];
    jrpc_clock_rfc3339(started);
    size_t grounds = 0;
    for (size_t i = 0; i < plan->ground_count; i++) {
        grounds += jck_plan_asks_for(options->suite, &options->plan, plan->grounds[i]);
    }
    const jck_start_event event = {
        .suite = options->suite,
        .target = options->target,
        .against = options->against,
        .against_count = options->against_count,
        .side = options->side,
        .selected = plan->case_count + plan->resting_count + grounds,
        .seed = options->plan.seed,
        .started = started,
        .strict = options->strict,
        .mapped = mapped,
        .words = options->words,
        .command = options->command,
        .shard_index = options->plan.shard_index,
        .shard_count = options->plan.shard_count,
    };
    jrpc_buffer_clear(&ledger->line);
    if (jck_event_write_start(&ledger->line, &event)) {
        options->emit(options->context, jrpc_buffer_slice(&ledger->line));
    }
}

// The rules that the selected cases name.
static void emit_rules(jck_ledger *ledger)
{
    const jck_run_options *options = ledger->options;
    const jck_suite *suite = options->suite;
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        if (options->plan.selected[i]) {
            jck_suite_mark_rules(suite, jck_suite_case(suite, i), ledger->rules_named);
        }
    }
    for (size_t r = 0; r < jck_suite_rule_count(suite); r++) {
        jrpc_buffer_clear(&ledger->line);
        if (ledger->rules_named[r] &&
            jck_event_write_rule(&ledger->line, jck_suite_rule(suite, r))) {
            options->emit(options->context, jrpc_buffer_slice(&ledger->line));
        }
    }
}

void jck_announce_start(jck_ledger *ledger, const jck_plan *plan, size_t mapped)
{
    emit_start(ledger, plan, mapped);
    emit_rules(ledger);
}

void jck_announce_finish(jck_ledger *ledger, int64_t began_us)
{
    const jck_run_options *options = ledger->options;
    jck_run_result *result = &ledger->result;
    const char *const stops[] = {
        NULL,
        "the target could not be opened",
        "the target answers nothing",
        NULL,
        "the harness failed",
        options->explore != NULL ? "the ground cases took all the time for the run (--time)"
                                 : "the time for the run is up (--max-time)",
    };
    static const char *const words[] = {NULL, "unopened", "mute", NULL, "fault", "time"};
    result->conformant = result->conformant && result->end != JCK_RUN_MUTE;
    char note[sizeof ledger->once.why.message + 128] = "";
    if (jck_once_is_found(ledger)) {
        (void)snprintf(note, sizeof note,
                       "the target does not run twice at a time, so that one process was used (a "
                       "second one: %s)",
                       ledger->once.why.message);
    }
    const jck_finish_event event = {
        .counts = result->counts,
        .judged = result->judged,
        .skipped = result->skipped,
        .unexpected = result->unexpected,
        .suite = options->suite,
        .rules_tested = ledger->rules_tested,
        .selected = options->plan.selected,
        .hint = atomic_load(&ledger->reads_values)
                    ? "this server reads JSON values one after the other, not "
                      "lines: add --framing concatenated"
                    : NULL,
        .note = note[0] == '\0' ? NULL : note,
        .duration_us = jrpc_clock_now_us(options->clock) - began_us,
        .timers_expired = result->timers_expired,
        .sessions_lost = result->sessions_lost,
        .spent = &result->spent,
        .only_in_company = result->ways[JCK_WAY_ONCE] + result->ways[JCK_WAY_UNTRIED],
        .interrupted = result->end == JCK_RUN_INTERRUPTED,
        .conformant = result->conformant && result->end == JCK_RUN_FINISHED && result->judged > 0,
        .stop = words[result->end],
        .stopped = result->error.message[0] != '\0' ? result->error.message : stops[result->end],
    };
    jrpc_buffer_clear(&ledger->line);
    if (jck_event_write_finish(&ledger->line, &event)) {
        options->emit(options->context, jrpc_buffer_slice(&ledger->line));
    }
}
