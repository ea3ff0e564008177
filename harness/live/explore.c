#include "harness/live/explore.h"

#include "harness/live/live_private.h"

#include <stdlib.h>

// Times in a row that a target of ours may fail to open.
#define OPENINGS_MOST 3u

// Records how each message of a round was answered; those that showed something new are kept.
static void learn(jck_fuzzer *fuzzer)
{
    for (size_t i = 0; i < fuzzer->round->count; i++) {
        const jck_sent *sent = &fuzzer->round->sent[i];
        if (jck_kinds_is_new(&fuzzer->live->kinds, sent->behaviour)) {
            jck_pool_add(&fuzzer->live->pool, sent->bytes);
        }
    }
}

static void wait_for_most(void *context)
{
    jck_ahead_wait_most(context);
}

static bool has_several_connections(const jck_round *round)
{
    for (size_t i = 1; i < round->count; i++) {
        if (round->sent[i].connection != round->sent[0].connection) {
            return true;
        }
    }
    return false;
}

// A target that answers nothing over a second connection while the first is open may serve one
// after the other, which no sentence forbids. Returns whether this may explain the outcome.
static bool learn_turns(jck_fuzzer *fuzzer, jck_round_outcome outcome)
{
    bool explains =
        outcome == JCK_ROUND_UNOPENED && !fuzzer->in_turn && has_several_connections(fuzzer->round);
    if (explains) {
        fuzzer->in_turn = true;
        jck_link_drop(&fuzzer->worker->link);
    }
    return explains;
}

// A process that we started may end after the last round, unseen, or while it is connected to: it
// is started again. Returns whether another attempt is made.
static bool opens_again(jck_fuzzer *fuzzer, jck_round_outcome outcome)
{
    jck_worker *worker = fuzzer->worker;
    bool ours = fuzzer->single || jck_host_is_used(worker->link.host);
    bool again = outcome == JCK_ROUND_UNOPENED && ours && fuzzer->unopened < OPENINGS_MOST &&
                 !jck_live_is_over(fuzzer->live, worker);
    fuzzer->unopened = again ? fuzzer->unopened + 1 : 0;
    if (again) {
        jck_link_drop(&worker->link);
    }
    return again;
}

// Runs one round and handles the result. Returns whether the fuzzer goes on.
static bool run_round(jck_fuzzer *fuzzer)
{
    jck_worker *worker = fuzzer->worker;
    jrpc_error error = {0};
    if (fuzzer->in_turn && has_several_connections(fuzzer->round)) {
        jck_fuzzer_fill(fuzzer, fuzzer->round);
    }
    int64_t before = jrpc_clock_now_us(worker->link.clock);
    jck_fuzzer_hurry(fuzzer);
    jck_ahead_begin(&fuzzer->ahead);
    fuzzer->round->rest = wait_for_most;
    fuzzer->round->rest_context = &fuzzer->ahead;
    jck_round_outcome outcome = jck_round_run(fuzzer->round, &fuzzer->splits, &error);
    fuzzer->round->rest = NULL;
    jck_ahead_wait(&fuzzer->ahead);
    if (learn_turns(fuzzer, outcome) || opens_again(fuzzer, outcome)) {
        return true;
    }
    jck_fuzzer_keep_pace(fuzzer, jrpc_clock_now_us(worker->link.clock) - before);
    jck_live_count(fuzzer->live, worker, fuzzer->round->count);
    if (jck_live_stop_for(worker, outcome, &error)) {
        return false;
    }
    learn(fuzzer);
    bool clean = outcome == JCK_ROUND_CLEAN;
    bool goes_on = jck_fuzzer_follow(fuzzer, clean) && jck_fuzzer_follow_lines(fuzzer, clean) &&
                   (clean ? jck_fuzzer_send_alone(fuzzer) && jck_fuzzer_relate(fuzzer)
                          : jck_fuzzer_hunt(fuzzer)) &&
                   jck_fuzzer_measure(fuzzer) && jck_fuzzer_visit(fuzzer) &&
                   jck_fuzzer_count_effects(fuzzer);
    jck_round *over = fuzzer->round;
    fuzzer->round = fuzzer->next;
    fuzzer->next = over;
    return goes_on;
}

// Finds out whether a target over HTTP accepts a chunked body, which it need not. Returns whether
// the run goes on.
static bool learn_travels(jck_fuzzer *fuzzer)
{
    jck_round *round = fuzzer->round;
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
    jck_live_count(fuzzer->live, fuzzer->worker, round->count);
    fuzzer->travels.chunked = outcome == JCK_ROUND_CLEAN && round->count == 1;
    return !jck_live_stop_for(fuzzer->worker, outcome, &error);
}

// How many prefixes of a name must be served: a method may have the name of another minus its last
// letter.
#define CUTS 3u

// Whether the target runs a known method under each of the longest prefixes of its name, as one
// that compares too few characters does. Returns whether the run goes on.
static bool learn_cut(jck_fuzzer *fuzzer, const jck_mapping *mapping, const jck_method *method)
{
    jck_round *round = fuzzer->round;
    jrpc_error error = {0};
    jrpc_slice name = jrpc_slice_inside(method->name);
    jck_round_clear(round);
    fuzzer->context.cut = mapping;
    for (size_t cut = 1; cut <= CUTS; cut++) {
        jrpc_buffer_clear(&fuzzer->message);
        (void)jck_grammar_renamed(&fuzzer->grammar, method, jrpc_slice_of(name.ptr, name.len - cut),
                                  cut, &fuzzer->random, &fuzzer->message);
        (void)jck_round_add(round, 'a', jrpc_buffer_slice(&fuzzer->message), NULL);
    }
    jck_round_outcome outcome = jck_round_run(round, NULL, &error);
    jck_live_count(fuzzer->live, fuzzer->worker, round->count);
    size_t served = 0;
    for (size_t i = 0; i < round->count; i++) {
        served += round->sent[i].symptom == JCK_SYMPTOM_WRONG ? 1 : 0;
    }
    fuzzer->context.cut = served == CUTS ? mapping : NULL;
    return !jck_live_stop_for(fuzzer->worker, outcome, &error);
}

// Looks for one method whose name is compared too loosely. Returns whether the run goes on.
static bool learn_names(jck_fuzzer *fuzzer)
{
    const jck_target *target = fuzzer->context.target;
    bool goes_on = true;
    if (fuzzer->context.calibration->absent_gives_result) { // so every name gets one
        return true;
    }
    for (size_t i = 0; i < target->mapping_count && goes_on && fuzzer->context.cut == NULL; i++) {
        const jck_mapping *mapping = &target->mappings[i];
        if (jck_live_is_over(fuzzer->live, fuzzer->worker)) {
            break;
        }
        bool long_enough = mapping->method.len > CUTS + 2; // with its quotes
        for (size_t j = 0; long_enough && j < fuzzer->grammar.method_count; j++) {
            if (jrpc_slice_equal(fuzzer->methods[j].name, mapping->method)) {
                goes_on = learn_cut(fuzzer, mapping, &fuzzer->methods[j]);
                break;
            }
        }
    }
    return goes_on;
}

void jck_live_explore(void *context, jck_worker *worker)
{
    jck_live *live = context;
    (void)pthread_mutex_lock(&live->lock);
    const int64_t now = jrpc_clock_now_us(worker->link.clock);
    live->began_us = live->began_us == 0 ? now : live->began_us;
    live->event_us = live->event_us == 0 ? now : live->event_us;
    unsigned number = live->workers++;
    live->working++;
    (void)pthread_mutex_unlock(&live->lock);
    jck_fuzzer *fuzzer = malloc(sizeof *fuzzer);
    if (fuzzer == NULL || !jck_fuzzer_init(fuzzer, live, worker, number)) {
        jrpc_error error = {0};
        (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory for a fuzzer");
        jck_ledger_stop(worker->ledger, JCK_RUN_FAULT, &error);
    } else if (learn_travels(fuzzer) && learn_names(fuzzer) && jck_fuzzer_follow(fuzzer, false) &&
               jck_fuzzer_follow_lines(fuzzer, false)) {
        jck_fuzzer_fill(fuzzer, fuzzer->round);
        while (!jck_live_is_over(live, worker) && run_round(fuzzer)) {
        }
    }
    if (fuzzer != NULL) {
        jck_fuzzer_done(fuzzer);
    }
    free(fuzzer);
    (void)pthread_mutex_lock(&live->lock);
    const bool last = --live->working == 0;
    (void)pthread_mutex_unlock(&live->lock);
    if (last) {
        jck_live_report(live, worker);
    }
}
