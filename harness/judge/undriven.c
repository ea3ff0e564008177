// A client that runs by itself: each Request that it writes, and its behaviour under one kind of
// answer compared with that under correct ones.
#include "harness/judge/client_view.h"
#include "harness/judge/sight.h"
#include "reference/json/equal.h"

enum { OPEN_MAX = 256 }; // calls in flight that are tracked

// A call that has not been answered yet.
typedef struct open_call {
    char connection;
    jrpc_json id;
} open_call;

typedef struct open_calls {
    int step; // a separate run
    open_call items[OPEN_MAX];
    size_t count;
} open_calls;

typedef struct tally {
    size_t calls, notifications, batches; // of the first run
} tally;

static void close_answered(open_calls *calls, char connection, jrpc_json answer)
{
    size_t kept = 0;
    for (size_t i = 0; i < calls->count; i++) {
        if (calls->items[i].connection != connection ||
            !jck_is_answered_by(answer, calls->items[i].id)) {
            calls->items[kept++] = calls->items[i];
        }
    }
    calls->count = kept;
}

// A Request: an id may belong to only one call in flight.
static void note_request(jck_trial *trial, open_calls *calls, const jck_message *message,
                         jrpc_json object, tally *seen)
{
    jrpc_json id = jrpc_json_get(object, "id");
    if (!jrpc_json_exists(jrpc_json_get(object, "method"))) {
        return;
    }
    if (!jrpc_json_exists(id)) {
        seen->notifications += message->step == 0;
        return;
    }
    seen->calls += message->step == 0;
    for (size_t i = 0; i < calls->count; i++) {
        if (calls->items[i].connection == message->connection &&
            jrpc_json_equal(calls->items[i].id, id)) {
            jck_add_finding(trial->findings, message->step, JCK_ROLE_REQUEST_ID_OF_ITS_OWN,
                            "the id %s belongs to a call that is still under way",
                            jck_shown(trial, id));
            return;
        }
    }
    if (calls->count < OPEN_MAX) {
        calls->items[calls->count++] = (open_call){message->connection, id};
    }
}

static void look_at(jck_client_view *view, open_calls *calls, const jck_message *message,
                    tally *seen)
{
    jck_trial *trial = view->trial;
    if (message->step != calls->step) {
        calls->step = message->step;
        calls->count = 0;
    }
    if (message->role == JCK_MESSAGE_NOISE) {
        jck_add_finding(trial->findings, message->step, JCK_ROLE_REQUEST_FRAMING, "%s: %s",
                        message->why, jck_excerpt(trial->arena, message->bytes, 160));
        return;
    }
    if (message->role != JCK_MESSAGE_OF_CASE) {
        return; // what it prints
    }
    jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
    if (message->direction == JCK_SENT) {
        close_answered(calls, message->connection, value);
        return;
    }
    jck_judge_written(view, message, value);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        note_request(trial, calls, message, value, seen);
        return;
    }
    seen->batches += message->step == 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        note_request(trial, calls, message, it.value, seen);
    }
}

static void observe_count(jck_trial *trial, const char *name, size_t count)
{
    if (count > 0) {
        jck_observe_count(trial->findings, name, count);
    }
}

static void observe_end(jck_trial *trial, jrpc_peer_ending end)
{
    const char *text =
        end.kind == JRPC_END_EXITED ? jrpc_arena_printf(trial->arena, "with status %d", end.value)
        : end.kind == JRPC_END_SIGNALED ? jrpc_arena_printf(trial->arena, "by signal %d", end.value)
                                        : "not by itself";
    if (text != NULL) {
        jck_observe(trial->findings, JRPC_SLICE("ends"), jrpc_slice_str(text));
    }
}

// Compares one run with the first one, and the first one with another run of the same kind.
static void judge_against_first(jck_trial *trial, int step)
{
    jck_sight first;
    jck_sight odd;
    jck_sight again;
    if (!jck_sight_of(trial->evidence, 0, trial->arena, &first) ||
        !jck_sight_of(trial->evidence, step, trial->arena, &odd)) {
        trial->findings->failed = true;
        return;
    }
    const char *difference =
        jck_sight_difference(&first, &odd, trial->test_case->steps[step].same, trial->arena);
    if (difference == NULL || odd.end.kind == JRPC_END_SIGNALED) {
        return; // a crash is reported as such
    }
    for (size_t i = (size_t)step + 1; i < trial->test_case->step_count; i++) {
        bool ran = trial->test_case->steps[i].again && trial->evidence->settled[i] != JCK_NOT_RUN;
        if (ran && jck_sight_of(trial->evidence, (int)i, trial->arena, &again) &&
            jck_sight_difference(&first, &again, JCK_SAME_EVERYTHING, trial->arena) != NULL) {
            jck_observe(trial->findings, JRPC_SLICE("repeatable"), JRPC_SLICE("no"));
            return;
        }
    }
    const jck_rule *rule = jck_suite_find_rule(trial->findings->suite, trial->test_case->rules[0]);
    if (rule != NULL && jck_case_level(trial->test_case, rule) == JCK_LEVEL_OBSERVE) {
        jck_observe(trial->findings, rule->id, jrpc_slice_str(difference));
        return;
    }
    jck_add_finding_of_at(trial->findings, step, trial->test_case->rules[0], JCK_LEVEL_SHOULD,
                          "the client %s", difference);
}

void jck_judge_undriven(jck_client_view *view)
{
    jck_trial *trial = view->trial;
    const jck_case *test_case = trial->test_case;
    bool compared = false;
    for (size_t i = 0; i < test_case->step_count; i++) {
        compared = compared || test_case->steps[i].same != JCK_SAME_NOTHING;
    }
    if (compared) {
        // The form of its Requests is judged if nothing else is.
        for (size_t i = 0; i < test_case->step_count; i++) {
            if (test_case->steps[i].same != JCK_SAME_NOTHING &&
                trial->evidence->settled[i] != JCK_NOT_RUN) {
                judge_against_first(trial, (int)i);
            }
        }
        return;
    }
    tally seen = {0};
    open_calls *calls = jrpc_arena_alloc(trial->arena, sizeof *calls);
    if (calls == NULL) {
        trial->findings->failed = true;
        return;
    }
    for (size_t i = 0; i < trial->evidence->count; i++) {
        look_at(view, calls, &trial->evidence->messages[i], &seen);
    }
    observe_count(trial, "calls", seen.calls);
    observe_count(trial, "notifications", seen.notifications);
    observe_count(trial, "batches", seen.batches);
    observe_end(trial, trial->evidence->ends[0]);
}
