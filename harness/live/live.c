#include "harness/live/live_private.h"

#include "harness/live/save.h"
#include "harness/suite/select.h"

#include <stdlib.h>

#define PROGRESS_US 500000

jck_live *jck_live_new(const jck_live_options *options, jrpc_error *error)
{
    jck_live *live = calloc(1, sizeof *live);
    if (live == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for fuzzing");
        return NULL;
    }
    live->options = *options;
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
        jck_pool_done(&live->pool);
        jck_kinds_done(&live->kinds);
        (void)pthread_mutex_destroy(&live->lock);
        free(live);
    }
}

static int64_t now_us(const jck_worker *worker)
{
    return jrpc_clock_now_us(worker->link.clock);
}

static void read_figures(jck_live *live, int64_t now, jck_live_figures *ret)
{
    *ret = (jck_live_figures){
        .elapsed_us = live->began_us == 0 ? 0 : now - live->began_us,
        .messages = live->messages,
        .behaviours = jck_kinds_seen(&live->kinds),
        .findings = live->findings,
        .flaky = live->flaky,
    };
}

bool jck_live_is_over(jck_live *live, jck_worker *worker)
{
    const jck_live_options *options = &live->options;
    (void)jck_ledger_look_at_time(worker->ledger);
    (void)pthread_mutex_lock(&live->lock);
    bool over = (options->max_us > 0 && now_us(worker) - live->began_us >= options->max_us) ||
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

void jck_live_count(jck_live *live, jck_worker *worker, size_t messages)
{
    (void)pthread_mutex_lock(&live->lock);
    int64_t now = now_us(worker);
    live->messages += messages;
    live->counted_us = now;
    if (live->options.progress != NULL && now - live->reported_us >= PROGRESS_US) {
        jck_live_figures figures;
        live->reported_us = now;
        read_figures(live, now, &figures);
        live->options.progress(live->options.context, &figures);
    }
    (void)pthread_mutex_unlock(&live->lock);
}

void jck_live_count_finding(jck_live *live)
{
    (void)pthread_mutex_lock(&live->lock);
    live->findings++;
    (void)pthread_mutex_unlock(&live->lock);
}

void jck_live_count_flaky(jck_live *live)
{
    (void)pthread_mutex_lock(&live->lock);
    live->flaky++;
    (void)pthread_mutex_unlock(&live->lock);
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

// Notes how each message of a round was answered; those that brought something new are kept.
static void learn(jck_fuzzer *fuzzer)
{
    for (size_t i = 0; i < fuzzer->round.count; i++) {
        const jck_sent *sent = &fuzzer->round.sent[i];
        if (jck_kinds_is_new(&fuzzer->live->kinds, sent->behaviour)) {
            jck_pool_add(&fuzzer->live->pool, sent->bytes);
        }
    }
}

// One round, and what follows from it. Whether the fuzzer goes on.
static bool run_round(jck_fuzzer *fuzzer)
{
    jck_worker *worker = fuzzer->worker;
    jrpc_error error = {0};
    jck_fuzzer_fill(fuzzer);
    jck_round_outcome outcome = jck_round_run(&fuzzer->round, &fuzzer->random, &error);
    jck_live_count(fuzzer->live, worker, fuzzer->round.count);
    if (jck_live_stop_for(worker, outcome, &error)) {
        return false;
    }
    learn(fuzzer);
    return (outcome == JCK_ROUND_CLEAN || jck_fuzzer_hunt(fuzzer)) && jck_fuzzer_measure(fuzzer);
}

// Finds out whether a target over HTTP takes a chunked body, which it need not. Whether the run
// goes on.
static bool learn_travels(jck_fuzzer *fuzzer)
{
    jck_round *round = &fuzzer->round;
    jrpc_error error = {0};
    const jck_travel chunked = {.chunked = true};
    if (!jck_target_traits(fuzzer->context.target)->exchanges) {
        return true;
    }
    jck_round_clear(round);
    jrpc_buffer_clear(&fuzzer->message);
    (void)jrpc_buffer_printf(&fuzzer->message,
                             "{\"jsonrpc\":\"2.0\",\"method\":%.*s,\"params\":[],\"id\":1}",
                             (int)fuzzer->context.absent.len, fuzzer->context.absent.ptr);
    (void)jck_round_add(round, 'a', jrpc_buffer_slice(&fuzzer->message), &chunked);
    jck_round_outcome outcome = jck_round_run(round, NULL, &error);
    fuzzer->travels.chunked = outcome == JCK_ROUND_CLEAN && round->count == 1;
    return !jck_live_stop_for(fuzzer->worker, outcome, &error);
}

void jck_live_explore(void *context, jck_worker *worker)
{
    jck_live *live = context;
    (void)pthread_mutex_lock(&live->lock);
    live->began_us = live->began_us == 0 ? now_us(worker) : live->began_us;
    unsigned number = live->workers++;
    (void)pthread_mutex_unlock(&live->lock);
    jck_fuzzer *fuzzer = malloc(sizeof *fuzzer);
    if (fuzzer == NULL || !jck_fuzzer_init(fuzzer, live, worker, number)) {
        jrpc_error error = {0};
        (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory for a fuzzer");
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
    } else if (learn_travels(fuzzer)) {
        while (!jck_live_is_over(live, worker) && run_round(fuzzer)) {
        }
    }
    if (fuzzer != NULL) {
        jck_fuzzer_done(fuzzer);
    }
    free(fuzzer);
}
