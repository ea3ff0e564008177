#include "harness/live/live_private.h"

#include "harness/live/save.h"
#include "harness/suite/select.h"

#include <stdlib.h>

#define PROGRESS_US 500000
// Between two events that say how far the run has come.
#define EVENT_US 5000000
// Of a finding that is shown as it is confirmed.
#define EXCERPT_BYTES 120
#define SHOWN_BYTES ((size_t)16 << 10)

jck_live *jck_live_new(const jck_live_options *options, jrpc_error *error)
{
    jck_live *live = calloc(1, sizeof *live);
    if (live == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for fuzzing");
        return NULL;
    }
    live->options = *options;
    jck_edges_init(&live->edges);
    bool locked = pthread_mutex_init(&live->lock, NULL) == 0 && jck_kinds_init(&live->kinds) &&
                  jck_pool_init(&live->pool, options->corpus);
    if (!locked || !jck_pool_read(&live->pool, error) ||
        (options->save != NULL && !jck_save_begin(options->save, error))) {
        jck_live_free(live);
        return NULL;
    }
    return live;
}

void jck_live_free(jck_live *live)
{
    if (live != NULL) {
        jck_edges_done(&live->edges);
        jck_pool_done(&live->pool);
        jck_kinds_done(&live->kinds);
        (void)pthread_mutex_destroy(&live->lock);
        free(live);
    }
}

const char *jck_live_variable(const jck_live *live, size_t index, jrpc_arena *arena)
{
    return jck_edges_variable(&live->edges, index, arena);
}

static int64_t now_us(const jck_worker *worker)
{
    return jrpc_clock_now_us(worker->link.clock);
}

static void read_figures(jck_live *live, int64_t now, jck_live_figures *ret)
{
    *ret = (jck_live_figures){
        .elapsed_us = live->began_us == 0 || now < live->began_us ? 0 : now - live->began_us,
        .messages = live->messages,
        .edges = live->edges.count,
        .behaviours = jck_kinds_seen(&live->kinds),
        .findings = live->findings,
        .flaky = live->flaky,
    };
}

bool jck_live_is_over(jck_live *live, jck_worker *worker)
{
    const jck_live_options *options = &live->options;
    (void)pthread_mutex_lock(&live->lock);
    bool over = now_us(worker) >= worker->ledger->deadline_us ||
                (options->max_messages > 0 && live->messages >= options->max_messages);
    (void)pthread_mutex_unlock(&live->lock);
    return over || jck_ledger_stopping(worker->ledger);
}

bool jck_live_leaves_out(const jck_live *live, jrpc_slice rule)
{
    const jck_live_options *options = &live->options;
    bool named = options->only_count == 0;
    for (size_t i = 0; i < options->only_count && !named; i++) {
        named = jck_pattern_matches(options->only[i], rule);
    }
    return !named;
}

void jck_live_report(jck_live *live, jck_worker *worker)
{
    jck_live_figures figures;
    jck_live_read(live, &figures);
    const jck_fuzz_event event = {
        .elapsed_us = figures.elapsed_us,
        .messages = figures.messages,
        .behaviours = figures.behaviours,
        .edges = figures.edges,
        .findings = figures.findings,
        .suspicions = figures.flaky,
    };
    jck_ledger_report_fuzz(worker->ledger, &event);
}

void jck_live_count(jck_live *live, jck_worker *worker, size_t messages)
{
    (void)pthread_mutex_lock(&live->lock);
    int64_t now = now_us(worker);
    live->messages += messages;
    live->counted_us = now;
    const bool due = now - live->event_us >= EVENT_US;
    live->event_us = due ? now : live->event_us;
    if (live->options.progress != NULL && now - live->reported_us >= PROGRESS_US) {
        jck_live_figures figures;
        live->reported_us = now;
        read_figures(live, now, &figures);
        live->options.progress(live->options.context, &figures);
    }
    (void)pthread_mutex_unlock(&live->lock);
    if (due) {
        jck_live_report(live, worker);
    }
}

void jck_live_count_finding(jck_live *live, const jck_finding *finding, jrpc_slice sent)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), SHOWN_BYTES);
    const char *rule = jck_excerpt(&arena, finding->rule, EXCERPT_BYTES);
    const char *what = jck_excerpt(&arena, finding->text, EXCERPT_BYTES);
    const char *message = jck_excerpt(&arena, sent, EXCERPT_BYTES);
    (void)pthread_mutex_lock(&live->lock);
    live->findings++;
    if (live->options.found != NULL) {
        live->options.found(live->options.context, jck_level_name(finding->level), rule, what,
                            message);
    }
    (void)pthread_mutex_unlock(&live->lock);
    jrpc_arena_done(&arena);
}

size_t jck_live_count_flaky(jck_live *live)
{
    (void)pthread_mutex_lock(&live->lock);
    size_t number = ++live->flaky;
    (void)pthread_mutex_unlock(&live->lock);
    return number;
}

void jck_live_note_trouble(jck_live *live, const jrpc_error *error)
{
    (void)pthread_mutex_lock(&live->lock);
    if (live->trouble.code == JRPC_OK) {
        live->trouble = *error;
    }
    (void)pthread_mutex_unlock(&live->lock);
}

void jck_live_read(jck_live *live, jck_live_figures *ret_figures)
{
    (void)pthread_mutex_lock(&live->lock);
    read_figures(live, live->counted_us, ret_figures);
    (void)pthread_mutex_unlock(&live->lock);
}

const jrpc_error *jck_live_trouble(const jck_live *live)
{
    return live->trouble.code != JRPC_OK ? &live->trouble : &live->pool.why;
}

bool jck_live_stop_for(jck_worker *worker, jck_round_outcome outcome, const jrpc_error *error)
{
    switch (outcome) {
    case JCK_ROUND_CLEAN:
    case JCK_ROUND_SUSPICIOUS:
        return false;
    case JCK_ROUND_UNOPENED:
        jck_ledger_stop(worker->ledger, JCK_RUN_UNOPENED, error);
        return true;
    case JCK_ROUND_INTERRUPTED:
        jck_ledger_stop(worker->ledger, JCK_RUN_INTERRUPTED, NULL);
        return true;
    case JCK_ROUND_FAULT:
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, error);
        return true;
    }
    return true;
}
