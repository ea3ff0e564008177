#include "harness/run/shrink.h"

#include "harness/generate/minimize.h"
#include "harness/link/hear.h"
#include "harness/run/shrink_payload.h"
#include "harness/run/worker.h"

#include <string.h>

#define SHRINK_US ((int64_t)60 * 1000000)
#define PROBES_MAX 2000
#define STEPS_MAX 4096

typedef struct shrinking {
    jck_worker *worker;
    jrpc_arena *arena; // of what is kept
    jck_case best;
    jck_attempt *seen; // what the case showed; owned
    int64_t deadline_us;
    size_t probes;
} shrinking;

static bool is_over(const shrinking *self)
{
    return self->probes >= PROBES_MAX ||
           jrpc_clock_now_us(self->worker->link.clock) >= self->deadline_us ||
           jck_link_is_interrupted(&self->worker->link);
}

static jck_attempt *attempt_afresh(shrinking *self, const jck_case *test_case)
{
    self->probes++;
    jck_worker_start_afresh(self->worker);
    return jck_worker_replay(self->worker, test_case);
}

static jck_probe probe(shrinking *self, const jck_case *test_case)
{
    if (is_over(self)) {
        return JCK_PROBE_STOPS;
    }
    jck_attempt *attempt = attempt_afresh(self, test_case);
    bool shows = attempt != NULL && jck_attempt_repeats(attempt, self->seen);
    jck_attempt_free(attempt);
    return shows ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

static void keep_steps(const jck_step *from, const size_t *parts, size_t count, jck_step *to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[parts[i]];
    }
}

// Steps being left out.
typedef struct fewer {
    shrinking *self;
    jck_step *room;
} fewer;

static jck_probe try_steps(void *context, const size_t *parts, size_t count)
{
    const fewer *now = context;
    jck_case candidate = now->self->best;
    keep_steps(now->self->best.steps, parts, count, now->room);
    candidate.steps = now->room;
    candidate.step_count = count;
    return probe(now->self, &candidate);
}

// Leaves out steps. False when memory is out.
static bool shrink_steps(shrinking *self)
{
    size_t count = self->best.step_count;
    if (count < 2 || count > STEPS_MAX) {
        return true;
    }
    size_t *parts = jrpc_arena_array(self->arena, count, sizeof *parts);
    size_t *scratch = jrpc_arena_array(self->arena, count, sizeof *scratch);
    jck_step *room = jrpc_arena_array(self->arena, count, sizeof *room);
    jck_step *kept = jrpc_arena_array(self->arena, count, sizeof *kept);
    if (parts == NULL || scratch == NULL || room == NULL || kept == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = i;
    }
    fewer now = {self, room};
    size_t left = jck_minimize(parts, count, scratch, PROBES_MAX, try_steps, &now);
    keep_steps(self->best.steps, parts, left, kept);
    self->best.steps = kept;
    self->best.step_count = left;
    return true;
}

// One step's message being made smaller.
typedef struct smaller {
    shrinking *self;
    size_t step;
    jck_step *room;
} smaller;

static jck_probe try_step(const smaller *now, const jck_step *step)
{
    jck_case candidate = now->self->best;
    memcpy(now->room, now->self->best.steps, candidate.step_count * sizeof *now->room);
    now->room[now->step] = *step;
    candidate.steps = now->room;
    return probe(now->self, &candidate);
}

static jck_probe try_payload(void *context, const jck_payload *payload)
{
    const smaller *now = context;
    jck_step step = now->self->best.steps[now->step];
    step.payload = *payload;
    return try_step(now, &step);
}

// Whether the step may have another message: then it expects what is owed for that.
static bool can_change(const smaller *now, jck_step *ret_step)
{
    jck_step step = now->self->best.steps[now->step];
    bool plain = step.kind == JCK_STEP_SEND && !step.payload.raw && step.payload.chunk_count == 0 &&
                 step.capture_count == 0;
    if (plain && step.expect.kind != JCK_EXPECT_UNSTATED &&
        step.expect.kind != JCK_EXPECT_ANYTHING) {
        step.expect = (jck_expect){.kind = JCK_EXPECT_OWED};
    }
    *ret_step = step;
    return plain && try_step(now, &step) == JCK_PROBE_SHOWS;
}

static bool shrink_messages(shrinking *self)
{
    size_t count = self->best.step_count;
    jck_step *room = jrpc_arena_array(self->arena, count, sizeof *room);
    jck_step *kept = jrpc_arena_array(self->arena, count, sizeof *kept);
    bool done = room != NULL && kept != NULL;
    if (done) {
        memcpy(kept, self->best.steps, count * sizeof *kept);
        self->best.steps = kept;
    }
    for (size_t i = 0; done && i < count && !is_over(self); i++) {
        smaller now = {self, i, room};
        jck_step step;
        if (!can_change(&now, &step)) {
            continue;
        }
        jck_step before = kept[i];
        kept[i].expect = step.expect;
        jck_payload payload = step.payload;
        done = jck_shrink_payload(&payload, self->arena, try_payload, &now);
        if (jck_payload_spelled(&payload) < jck_payload_spelled(&before.payload)) {
            kept[i].payload = payload;
        } else {
            kept[i] = before; // it is no smaller, and keeps its own expectation
        }
    }
    return done;
}

static size_t bytes_of(const jck_case *test_case)
{
    size_t bytes = 0;
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].kind == JCK_STEP_SEND) {
            bytes += jck_payload_spelled(&test_case->steps[i].payload);
        }
    }
    return bytes;
}

static jrpc_slice rule_of(const jck_worker *worker, const jck_attempt *attempt)
{
    const jck_findings *findings = &attempt->verdict.findings;
    for (size_t i = 0; i < findings->count; i++) {
        const jck_rule *rule =
            jck_suite_find_rule(worker->ledger->options->suite, findings->items[i].rule);
        if (!findings->items[i].known && rule != NULL) {
            return rule->id;
        }
    }
    return (jrpc_slice){NULL, 0};
}

// Called when the target is open and its ground cases have run.
static bool shrink(jck_worker *worker, const jck_case *test_case, jrpc_arena *arena,
                   jck_shrunk *ret_shrunk)
{
    const jck_run_options *options = worker->ledger->options;
    int64_t now_us = jrpc_clock_now_us(worker->link.clock);
    shrinking self = {.worker = worker,
                      .arena = arena,
                      .best = *test_case,
                      .deadline_us = now_us + (options->max_us > 0 ? options->max_us : SHRINK_US)};
    *ret_shrunk = (jck_shrunk){.smallest = *test_case, .before = bytes_of(test_case)};
    self.seen = attempt_afresh(&self, test_case);
    bool done = true;
    if (self.seen != NULL && jck_attempt_has_finding(self.seen) &&
        self.seen->verdict.outcome != JCK_OUTCOME_BLOCKED) {
        ret_shrunk->failed = true;
        ret_shrunk->outcome = self.seen->verdict.outcome;
        ret_shrunk->rule = rule_of(worker, self.seen);
        done = shrink_steps(&self) && shrink_messages(&self);
        ret_shrunk->smallest = self.best;
    }
    ret_shrunk->probes = self.probes;
    ret_shrunk->bytes = bytes_of(&self.best);
    jck_attempt_free(self.seen);
    return done;
}

static void drop_line(void *context, jrpc_slice line)
{
    (void)context;
    (void)line;
}

bool jck_shrink(const jck_run_options *options, const jck_case *test_case, jrpc_arena *arena,
                jck_shrunk *ret_shrunk, jck_run_end *ret_end, jrpc_error *error)
{
    jck_run_options quiet = *options;
    quiet.emit = drop_line;
    quiet.max_us = 0; // shrinking has a time of its own
    quiet.jobs = 1;
    jck_ledger ledger;
    jck_plan plan = {0};
    *ret_end = JCK_RUN_FAULT;
    if (!jck_ledger_init(&ledger, &quiet, arena) ||
        !jck_plan_make(quiet.suite, &quiet.plan, arena, &plan)) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the plan");
    }
    jck_worker worker;
    bool silence = false;
    jck_worker_init(&worker, &ledger, &plan);
    bool done = jck_worker_open(&worker, &silence) && jck_worker_run_grounds(&worker);
    quiet.max_us = options->max_us;
    if (done && !shrink(&worker, test_case, arena, ret_shrunk)) {
        jrpc_error_set(&ledger.result.error, JRPC_ERROR_MEMORY, "out of memory while shrinking");
        ledger.result.end = JCK_RUN_FAULT;
        done = false;
    }
    bool interrupted = done && jck_link_is_interrupted(&worker.link);
    *ret_end = interrupted ? JCK_RUN_INTERRUPTED : ledger.result.end;
    if (!done && error != NULL) {
        *error = ledger.result.error;
    }
    jck_worker_done(&worker);
    jck_ledger_done(&ledger);
    return done;
}
