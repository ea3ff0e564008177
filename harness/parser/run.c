#include "harness/parser/run.h"

#include "harness/parser/run_state.h"
#include "harness/parser/steps.h"

// Bytes of texts of cases that are sent together.
#define BATCH_BYTES ((size_t)8 << 20)

static bool take_case(void *context, size_t index, const jck_reply *reply)
{
    jck_parser_run_state *self = context;
    const jck_parser_exchange exchange = {.text = self->questions[index], .reply = *reply};
    return jck_parser_report(self, self->cases[index], &exchange, 1);
}

// Asks the cases of the batch, all in flight at once.
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

// Values followed by something that no extension explains.
static const jrpc_slice rests[] = {JRPC_SLICE_INIT("[1]x"), JRPC_SLICE_INIT("[1]}")};
#define RESTS (sizeof rests / sizeof *rests)

static bool take_rest(void *context, size_t index, const jck_reply *reply)
{
    size_t *accepted = context;
    (void)index;
    *accepted += jck_reply_accepts(reply) ? 1 : 0;
    return true;
}

// Finds out whether the parser ignores whatever follows the value. False: stop.
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

void jck_parser_run(const jck_run_options *options, jck_run_result *ret_result)
{
    jck_parser_run_with(options, true, run_cases, ret_result);
}
