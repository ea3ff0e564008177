// The judge on whole sessions: whatever came in whatever step, on whatever connection, around
// whatever HTTP head, and however it ended, the verdict is sound and always the same; memory that
// runs out is the harness's error; a session in which the target does what its case asks passes; a
// single defect or missing answer in it is noticed; an answer that is repeated in place of the next
// one is reported once; a wrong asynchronous result breaks its own rule and no other.
//
// Text: fuzz/session/script.h. Options: which of these claims, two for it (the n-th allocation that
// fails, the choice among right answers, the defect), one to repeat an answer. Each input pays for
// one claim.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/session/results.h"
#include "fuzz/session/right.h"
#include "fuzz/session/script.h"

static void judge_twice(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    exchange_require_repeatable(e);
}

static void judge_once(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    exchange_require_sound_verdict(e);
}

static void judge_starved(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    exchange_require_frugal(e, input->options[1]);
}

static void judge_right(exchange *e, const fuzz_input *input)
{
    jrpc_arena arena;
    right_session how = {.choice = input->options[1]};
    // What a right client does is not what a right server answers.
    if (e->test_case->side == JCK_SIDE_SERVER && right_play(e, &how)) {
        jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
        exchange_require_sound(e, &verdict);
        FUZZ_REQUIRE(verdict.conformant);
        FUZZ_REQUIRE(verdict.outcome <= how.worst);
        jrpc_arena_done(&arena);
    }
}

static void require_noticed(exchange *e)
{
    jrpc_arena arena;
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    exchange_require_sound(e, &verdict);
    FUZZ_REQUIRE(verdict.findings.count != 0);
    jrpc_arena_done(&arena);
}

static void judge_wrong(exchange *e, const fuzz_input *input)
{
    right_session how = {.choice = input->options[1],
                         .bad = &right_defects[input->options[2] % RIGHT_DEFECTS]};
    if (right_play(e, &how) && how.spoilt > 0 && how.strict) {
        require_noticed(e);
    }
}

static void judge_stale(exchange *e, const fuzz_input *input)
{
    jrpc_arena arena;
    right_session how = {.choice = input->options[1], .stale = 2 + input->options[2] % 4};
    if (right_play(e, &how) && how.repeated >= 0) {
        size_t there = 0;
        jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
        exchange_require_sound(e, &verdict);
        for (size_t i = 0; i < verdict.findings.count; i++) {
            there += verdict.findings.items[i].step == how.repeated ? 1 : 0;
        }
        FUZZ_REQUIRE(there == 1);
        jrpc_arena_done(&arena);
    }
}

static void judge_lacking(exchange *e, const fuzz_input *input)
{
    if (input->options[3] != 0) {
        judge_stale(e, input);
        return;
    }
    right_session how = {.choice = input->options[1], .left_out = 1 + input->options[2] % 4};
    if (right_play(e, &how) && how.missed) {
        require_noticed(e);
    }
}

static void judge_results(exchange *e, const fuzz_input *input)
{
    jrpc_arena arena;
    const char *broken = NULL;
    if (results_play(e, input->options[1], &broken)) {
        bool found = false;
        jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
        exchange_require_sound(e, &verdict);
        for (size_t i = 0; i < verdict.findings.count; i++) {
            jrpc_slice rule = verdict.findings.items[i].rule;
            found = found || (broken != NULL && jrpc_slice_is(rule, broken));
            FUZZ_REQUIRE(broken != NULL || !results_is_rule(rule));
        }
        FUZZ_REQUIRE(broken == NULL || found);
        jrpc_arena_done(&arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const claims[])(exchange * e, const fuzz_input *input) = {
        judge_once,  judge_twice,   judge_starved, judge_right,
        judge_wrong, judge_lacking, judge_results};
    fuzz_input input = fuzz_input_of(data, size);
    exchange e;
    script_begin(&e, input.text);
    claims[input.options[0] % (sizeof claims / sizeof *claims)](&e, &input);
    exchange_done(&e);
    return 0;
}
