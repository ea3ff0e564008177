#include "harness/parser/run_state.h"

#include "harness/parser/greet.h"
#include "harness/parser/identity.h"
#include "harness/parser/record.h"
#include "harness/run/announce.h"

#include <assert.h>

#define RUN_BYTES ((size_t)256 << 20)
#define CASE_BYTES ((size_t)1 << 30)
#define TEXTS_BYTES ((size_t)512 << 20)

static bool no_variable(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    (void)name;
    (void)ret_spelling;
    return false;
}

bool jck_parser_report(jck_parser_run_state *self, const jck_case *test_case,
                       const jck_parser_exchange *exchanges, size_t count)
{
    jck_verdict verdict;
    jck_evidence evidence;
    jrpc_arena_clear(&self->arena);
    if (!jck_parser_record(&self->arena, exchanges, count, test_case->step_count, &evidence)) {
        jck_ledger_starve(&self->ledger);
        return false;
    }
    const jck_bench bench = {
        .suite = self->options->suite,
        .scale = &self->scale,
        .ignores_rest = self->ignores_rest,
    };
    jck_parser_judge(&bench, test_case, exchanges, count, &self->arena, &verdict);
    jck_ledger_report_verdict(&self->ledger, test_case, &verdict, &evidence);
    return !jck_ledger_look_at_time(&self->ledger) && !jck_ledger_stopping(&self->ledger);
}

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

bool jck_parser_expand(jck_parser_run_state *self, const jck_case *test_case, size_t step)
{
    if (jck_payload_expand(&test_case->steps[step].payload, no_variable, NULL, &self->texts,
                           &self->error)) {
        return true;
    }
    jck_ledger_stop(&self->ledger, JCK_RUN_FAULT, &self->error);
    return false;
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

static void run_with(jck_parser_run_state *self, bool of_cases, jck_parser_body *body)
{
    const jck_run_options *options = self->options;
    int64_t began_us = jrpc_clock_now_us(options->clock);
    bool opened = open_parser(self, self->adapter, options->target);
    for (size_t i = 0; i < self->other_count && opened; i++) {
        opened = open_parser(self, self->others[i], &options->against[i]);
    }
    // Nobody knows how many findings fuzzing will have, so no number of cases is announced.
    jck_plan announced = self->plan;
    announced.case_count = of_cases ? announced.case_count : 0;
    jck_announce_start(&self->ledger, &announced, options->target->mapping_count);
    if (opened) {
        body(self);
    }
    self->ledger.result.ways[JCK_WAY_ONCE] = jck_adapter_know(self->adapter).only_in_company;
    jck_announce_finish(&self->ledger, began_us);
}

// NULL if out of memory.
static jck_adapter *adapter_of(const jck_run_options *options, const jck_target *target)
{
    const jck_adapter_options how = {
        .argv = target->command,
        .directory = target->directory,
        .environment = target->environment,
        .memory = target->memory,
        .each = options->each,
        .start_ms = options->timing.start_ms,
        .reply_ms = options->timing.reply_ms,
        .grace_ms = options->timing.grace_ms,
        .interrupt_fd = options->interrupt_fd,
        .clock = options->clock,
    };
    return jck_adapter_open(&how);
}

// False if out of memory.
static bool open_adapters(jck_parser_run_state *self)
{
    const jck_run_options *options = self->options;
    assert(options->against_count < JCK_SIDES_MAX);
    self->adapter = adapter_of(options, options->target);
    bool opened = self->adapter != NULL;
    for (size_t i = 0; i < options->against_count && opened; i++) {
        self->others[i] = adapter_of(options, &options->against[i]);
        opened = self->others[i] != NULL;
        self->other_count += opened ? 1 : 0;
    }
    return opened;
}

static void close_adapters(jck_parser_run_state *self)
{
    jck_adapter_close(self->adapter);
    for (size_t i = 0; i < self->other_count; i++) {
        jck_adapter_close(self->others[i]);
    }
}

void jck_parser_run_with(const jck_run_options *options, bool of_cases, jck_parser_body *body,
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
        jck_scale_init(&self->scale);
        jrpc_arena_init(&self->arena, jrpc_allocator_heap(), CASE_BYTES);
        jrpc_buffer_init(&self->texts, jrpc_allocator_heap(), TEXTS_BYTES);
        if (open_adapters(self) &&
            jck_plan_make(options->suite, &options->plan, &arena, &self->plan)) {
            run_with(self, of_cases, body);
            *ret_result = self->ledger.result;
        }
        close_adapters(self);
        jck_scale_done(&self->scale);
        jrpc_arena_done(&self->arena);
        jrpc_buffer_done(&self->texts);
        jck_ledger_done(&self->ledger);
    }
    jrpc_arena_done(&arena);
}
