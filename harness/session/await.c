#include "harness/session/await.h"

#include "harness/judge/match.h"
#include "reference/json/read.h"

// How often a pattern must still be met at least.
static int64_t least_of(jrpc_json pattern)
{
    jrpc_json times = jrpc_json_get(pattern, "$times");
    int64_t least = 1;
    if (jrpc_json_is(times, JRPC_JSON_ARRAY)) {
        times = jrpc_json_element(times, 0);
    }
    if (jrpc_json_exists(times)) {
        (void)jrpc_json_int64(times, &least);
    }
    return least;
}

// Counts a message for the first pattern that still waits for it.
static void count_message(const jck_exec *exec, jrpc_json patterns, const jck_message *message,
                          int64_t *missing)
{
    const jck_matching matching = {.resolve = jck_variables_resolve,
                                   .context = exec->variables,
                                   .arena = exec->evidence->arena};
    jrpc_json_document document;
    size_t index = 0;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, message->bytes, JCK_MESSAGE_DEPTH, NULL)) {
        jrpc_json value = jrpc_json_root(&document);
        jrpc_json_iterator it = jrpc_json_iterate(patterns);
        for (bool counted = false; !counted && jrpc_json_step(&it); index++) {
            counted = missing[index] > 0 && jck_match_message(&matching, it.value, value);
            missing[index] -= counted ? 1 : 0;
        }
    }
    jrpc_json_document_done(&document);
}

static bool all_met(const int64_t *missing, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (missing[i] > 0) {
            return false;
        }
    }
    return true;
}

bool jck_await(jck_exec *exec, const jck_step *step, int64_t within_ms)
{
    jck_evidence *evidence = exec->evidence;
    const jrpc_clock *clock = exec->session->link->clock;
    int64_t deadline_us = jrpc_deadline_in_ms(clock, within_ms);
    size_t count = jrpc_json_count(step->patterns);
    int64_t *missing = jrpc_arena_array(evidence->arena, count + 1, sizeof *missing);
    if (missing == NULL) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for what is awaited");
        exec->status = JCK_SESSION_FAULT;
        return false;
    }
    size_t index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it);) {
        missing[index++] = least_of(it.value);
    }
    size_t seen = evidence->count;
    while (!all_met(missing, count)) {
        int64_t left_ms = (deadline_us - jrpc_clock_now_us(clock)) / 1000;
        if (!jck_collect(exec, step->connection, 1, left_ms > 0 ? left_ms : 0)) {
            return false;
        }
        for (; seen < evidence->count; seen++) {
            const jck_message *message = &evidence->messages[seen];
            if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
                message->step == exec->step) {
                count_message(exec, step->patterns, message, missing);
            }
        }
    }
    jck_exec_settle(exec, JCK_SETTLED);
    return true;
}
