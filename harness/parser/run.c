#include "harness/parser/run.h"

#include "harness/parser/greet.h"
#include "harness/parser/identity.h"
#include "harness/parser/record.h"
#include "harness/parser/run_private.h"
#include "harness/parser/steps.h"
#include "harness/run/announce.h"
#include "reference/base/limits.h"

#define RUN_BYTES ((size_t)256 << 20)
#define CASE_BYTES ((size_t)1 << 30)
#define TEXTS_BYTES ((size_t)512 << 20)
// Bytes of the texts of cases that are asked in one go.
#define BATCH_BYTES ((size_t)8 << 20)

static bool no_variable(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    (void)name;
    (void)ret_spelling;
    return false;
}

// Judges a case, counts and reports it. False: no more.
bool jck_parser_report(jck_parser_run_state *self, const jck_case *test_case,
                       const jck_tried *tried, size_t count)
{
    jck_verdict verdict;
    jck_evidence evidence;
    jrpc_arena_clear(&self->arena);
    if (!jck_parser_record(&self->arena, tried, count, test_case->step_count, &evidence)) {
        jck_ledger_starve(&self->ledger);
        return false;
    }
    const jck_bench bench = {
        .suite = self->options->suite,
        .scale = &self->scale,
        .ignores_rest = self->ignores_rest,
    };
    jck_parser_judge(&bench, test_case, tried, count, &self->arena, &verdict);
    jck_ledger_report_verdict(&self->ledger, test_case, &verdict, &evidence);
    return !jck_ledger_look_at_time(&self->ledger) && !jck_ledger_stopping(&self->ledger);
}

// What an end of asking means for the run. False: no more.
bool jck_parser_asked(jck_parser_run_state *self, jck_ask_status status)
{
    switch (status) {
    case JCK_ASK_DONE:
        return true;
    case JCK_ASK_STOPPED:
        break;
    case JCK_ASK_UNOPENED:
        jck_ledger_stop(&self->ledger, JCK_RUN_UNOPENED, &self->error);
        break;
    case JCK_ASK_INTERRUPTED:
        jck_ledger_stop(&self->ledger, JCK_RUN_INTERRUPTED, NULL);
        break;
    case JCK_ASK_FAULT:
        jck_ledger_stop(&self->ledger, JCK_RUN_FAULT, &self->error);
        break;
    }
    return false;
}

static bool take_case(void *context, size_t index, const jck_reply *reply)
{
    jck_parser_run_state *self = context;
    const jck_tried tried = {.text = self->questions[index], .reply = *reply};
    return jck_parser_report(self, self->cases[index], &tried, 1);
}

// Asks the cases of the batch, all under way at once.
static bool run_batch(jck_parser_run_state *self)
{
    size_t count = self->count;
    self->count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? self->begins[i + 1] : self->texts.len;
        self->questions[i] =
            jrpc_slice_of(self->texts.ptr + self->begins[i], end - self->begins[i]);
    }
    const jck_questions questions = {
        .texts = self->questions, .count = count, .take = take_case, .context = self};
    bool on = count == 0 ||
              jck_parser_asked(self, jck_adapter_ask(self->adapter, &questions, &self->error));
    jrpc_buffer_clear(&self->texts);
    return on;
}

bool jck_parser_expand(jck_parser_run_state *self, const jck_case *test_case, size_t step)
{
    if (jck_payload_expand(&test_case->steps[step].payload, no_variable, NULL, &self->texts,
                           &self->error)) {
        return true;
    }
    jck_ledger_stop(&self->ledger, JCK_RUN_FAULT, &self->error);
    return false;
}

static bool run_case(jck_parser_run_state *self, const jck_case *test_case)
{
    if (test_case->step_count > 1) {
        return run_batch(self) && jck_parser_run_steps(self, test_case);
    }
    if (self->count == JCK_BATCH_CASES || self->texts.len > BATCH_BYTES) {
        if (!run_batch(self)) {
            return false;
        }
    }
    size_t begin = self->texts.len;
    if (!jck_parser_expand(self, test_case, 0)) {
        return false;
    }
    self->begins[self->count] = begin;
    self->cases[self->count++] = test_case;
    return true;
}

// Values with something after them that no extension explains.
static const jrpc_slice rests[] = {JRPC_SLICE_INIT("[1]x"), JRPC_SLICE_INIT("[1]}")};
#define RESTS (sizeof rests / sizeof *rests)

static bool take_rest(void *context, size_t index, const jck_reply *reply)
{
    size_t *accepted = context;
    (void)index;
    *accepted += jck_reply_accepts(reply) ? 1 : 0;
    return true;
}

// Learns whether the parser lets pass whatever follows the value. False: no more.
static bool learn_rest(jck_parser_run_state *self)
{
    size_t accepted = 0;
    const jck_questions questions = {
        .texts = rests, .count = RESTS, .take = take_rest, .context = &accepted};
    bool on = jck_parser_asked(self, jck_adapter_ask(self->adapter, &questions, &self->error));
    self->ignores_rest = accepted == RESTS;
    return on;
}

static void run_cases(jck_parser_run_state *self)
{
    bool on = learn_rest(self);
    for (size_t i = 0; i < self->plan.case_count && on; i++) {
        on = run_case(self, self->plan.cases[i]);
    }
    if (on && run_batch(self) && !jck_adapter_finish(self->adapter, &self->error)) {
        jck_ledger_stop(&self->ledger, JCK_RUN_UNOPENED, &self->error);
    }
}

static bool open_parser(jck_parser_run_state *self, jck_adapter *adapter, jck_target *target)
{
    jck_greeting greeting = jck_parser_greet(adapter, self->options->each, &self->error);
    jck_identity_take(jck_adapter_know(adapter).identity, target);
    switch (greeting) {
    case JCK_GREETING_FINE:
        return true;
    case JCK_GREETING_UNOPENED:
        jck_ledger_stop(&self->ledger, JCK_RUN_UNOPENED, &self->error);
        break;
    case JCK_GREETING_MUTE:
        jck_ledger_stop(&self->ledger, JCK_RUN_MUTE, &self->error);
        break;
    case JCK_GREETING_INTERRUPTED:
        jck_ledger_stop(&self->ledger, JCK_RUN_INTERRUPTED, NULL);
        break;
    case JCK_GREETING_FAULT:
        jck_ledger_stop(&self->ledger, JCK_RUN_FAULT, &self->error);
        break;
    }
    return false;
}

static void run_with(jck_parser_run_state *self, jck_parser_body *body)
{
    const jck_run_options *options = self->options;
    int64_t began_us = jrpc_clock_now_us(options->clock);
    bool opened = open_parser(self, self->adapter, options->target) &&
                  (self->other == NULL || open_parser(self, self->other, options->against));
    // How many findings fuzzing will have is not known; then no number of cases is promised.
    jck_plan told = self->plan;
    told.case_count = body == run_cases ? told.case_count : 0;
    jck_announce_start(&self->ledger, &told, options->target->mapping_count);
    if (opened) {
        body(self);
    }
    self->ledger.result.ways[JCK_WAY_ONCE] = jck_adapter_know(self->adapter).only_in_company;
    jck_announce_finish(&self->ledger, began_us);
}

// NULL when memory is out, and without a target.
static jck_adapter *adapter_of(const jck_run_options *options, const jck_target *target)
{
    const jck_adapter_options how = {
        .argv = target == NULL ? NULL : target->command,
        .directory = target == NULL ? NULL : target->directory,
        .environment = target == NULL ? NULL : target->environment,
        .memory = target == NULL ? 0 : target->memory,
        .each = options->each,
        .start_ms = options->timing.start_ms,
        .reply_ms = options->timing.reply_ms,
        .grace_ms = options->timing.grace_ms,
        .interrupt_fd = options->interrupt_fd,
        .clock = options->clock,
    };
    return target == NULL ? NULL : jck_adapter_open(&how);
}

void jck_parser_run_with(const jck_run_options *options, jck_parser_body *body,
                         jck_run_result *ret_result)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), RUN_BYTES);
    jck_parser_run_state *self = jrpc_arena_alloc(&arena, sizeof *self);
    *ret_result = (jck_run_result){.end = JCK_RUN_FAULT};
    (void)jrpc_error_set(&ret_result->error, JRPC_ERROR_MEMORY, "out of memory for the run");
    bool ready = self != NULL && jck_ledger_init(&self->ledger, options, &arena);
    if (ready) {
        self->options = options;
        self->lasting = &arena;
        self->adapter = adapter_of(options, options->target);
        self->other = adapter_of(options, options->against);
        jck_scale_init(&self->scale);
        jrpc_arena_init(&self->arena, jrpc_allocator_heap(), CASE_BYTES);
        jrpc_buffer_init(&self->texts, jrpc_allocator_heap(), TEXTS_BYTES);
        if (self->adapter != NULL && (self->other != NULL || options->against == NULL) &&
            jck_plan_make(options->suite, &options->plan, &arena, &self->plan)) {
            run_with(self, body);
            *ret_result = self->ledger.result;
        }
        jck_adapter_close(self->adapter);
        jck_adapter_close(self->other);
        jck_scale_done(&self->scale);
        jrpc_arena_done(&self->arena);
        jrpc_buffer_done(&self->texts);
        jck_ledger_done(&self->ledger);
    }
    jrpc_arena_done(&arena);
}

void jck_parser_run(const jck_run_options *options, jck_run_result *ret_result)
{
    jck_parser_run_with(options, run_cases, ret_result);
}
