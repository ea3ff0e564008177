// The judge on whole sessions: whatever came in whatever step, on whatever connection, around
// whatever HTTP head, and however it ended, the verdict is sound and always the same; memory that
// runs out is the harness's error; a session in which the target does what its case asks passes; a
// single defect or missing answer in it is noticed; an answer that is repeated in place of the next
// one is reported once; a wrong asynchronous result breaks its own rule and no other; what comes
// where nothing is owed is noticed; and neither the status within its class nor the order of
// answers with and without a body changes what is found.
//
// Text: fuzz/session/script.h. Options: which of these claims, two for it (the n-th allocation that
// fails, the choice among right answers, the defect), one to repeat an answer. Each input pays for
// one claim.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/session/results.h"
#include "fuzz/session/right.h"
#include "fuzz/session/script.h"
#include "reference/json/read.h"

#include <stdio.h>

static void judge_twice(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    exchange_require_repeatable(e);
}

// A case that is blocked is blocked as well if its decisive rule is one whose answers are only
// recorded.
static void require_blocked_alike(exchange *e)
{
    jrpc_arena arena;
    jrpc_json_document document;
    char levels[200];
    const jck_case *test_case = e->test_case;
    const jck_rule *rule = jck_suite_find_rule(e->suite, test_case->rules[0]);
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    bool blocked = verdict.outcome == JCK_OUTCOME_BLOCKED;
    jrpc_arena_done(&arena);
    if (!blocked || rule == NULL || rule->profiled) {
        return;
    }
    jck_case recorded = *test_case;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    (void)snprintf(levels, sizeof levels, "{\"%.*s\":\"O\"}", (int)rule->id.len, rule->id.ptr);
    FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_slice_str(levels), 2, NULL));
    recorded.level_of = jrpc_json_root(&document);
    e->test_case = &recorded;
    verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    FUZZ_REQUIRE(verdict.outcome == JCK_OUTCOME_BLOCKED);
    jrpc_arena_done(&arena);
    e->test_case = test_case;
    jrpc_json_document_done(&document);
}

static void judge_once(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    exchange_require_sound_verdict(e);
    if (fuzz_turn(input, 0, 8)) {
        require_blocked_alike(e);
    }
}

static void judge_starved(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    exchange_require_frugal(e, input->options[1]);
}

// Runs in memory that is too small. If each input runs once, many sizes are tried for an exchange
// over HTTP, because its description has memory of its own, which must be freed.
static void judge_short(exchange *e, const fuzz_input *input)
{
    script_play(e, input->text);
    size_t over_http = 0;
    for (size_t i = 0; i < e->evidence.count; i++) {
        over_http += e->evidence.messages[i].http_status != 0;
    }
    exchange_require_short(e, !fuzz_every_claim ? 3 : over_http != 0 ? 200 : 20, input->turn);
}

// Whether an expectation, or an answer that is accepted beside it, asks for a status.
static bool asks_for_status(const jck_expect *expect)
{
    bool asks = jrpc_json_exists(expect->http_status);
    for (size_t i = 0; i < expect->alternative_count; i++) {
        asks = asks || jrpc_json_exists(expect->alternatives[i].http_status);
    }
    for (size_t i = 0; i < expect->accepted_count; i++) {
        asks = asks || jrpc_json_exists(expect->accepted[i].http_status);
    }
    return asks;
}

// A case that does not ask for a status makes no difference between those that fail, nor between
// the others, up to the first and last of each.
static void judge_statuses(exchange *e, const fuzz_input *input)
{
    enum { TOO_LARGE = 413, FIRST_FAILURE = 400 };
    static const int failed[] = {400, 401, 499, 500, 599};
    static const int done[] = {200, 204, 299, 300, 399};
    jrpc_arena arena;
    script_play(e, input->text);
    for (size_t i = 0; i < e->test_case->step_count; i++) {
        const jck_step *step = &e->test_case->steps[i];
        if (jrpc_json_exists(step->http_answers) || asks_for_status(&step->expect)) {
            return;
        }
    }
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    exchange_require_sound(e, &verdict);
    for (size_t k = 0; k < sizeof failed / sizeof *failed; k++) {
        bool changed = false;
        for (size_t i = 0; i < e->evidence.count; i++) {
            jck_message *message = &e->evidence.messages[i];
            if (message->http_status > 0 && message->http_status != TOO_LARGE) {
                bool fails = message->http_status >= FIRST_FAILURE;
                message->http_status = fails ? failed[k] : done[k];
                changed = true;
            }
        }
        if (changed) {
            exchange_require_alike(e, &verdict);
        }
    }
    jrpc_arena_done(&arena);
}

// An exchange of HTTP that had a body and one that had none: it does not matter which came first.
static void judge_bodies(exchange *e, const fuzz_input *input)
{
    jrpc_arena arena;
    right_session how = {.choice = input->options[1]};
    size_t count = 0;
    if (e->test_case->side == JCK_SIDE_SERVER && right_play(e, &how)) {
        count = e->evidence.count;
    }
    if (count == 0 || e->evidence.messages[count - 1].http_status == 0) {
        return;
    }
    jck_message empty = e->evidence.messages[count - 1];
    jck_message full = empty;
    empty.role = JCK_MESSAGE_OF_SESSION;
    empty.bytes = (jrpc_slice){"", 0};
    empty.true_len = 0;
    full.role = full.bytes.len == 0 ? JCK_MESSAGE_NOISE : full.role;
    full.bytes = full.bytes.len == 0 ? JRPC_SLICE("body") : full.bytes;
    full.true_len = full.bytes.len;
    e->evidence.messages[count - 1] = full;
    exchange_add(e, &empty);
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    exchange_require_sound(e, &verdict);
    e->evidence.messages[count] = full;
    e->evidence.messages[count - 1] = empty;
    exchange_require_alike(e, &verdict);
    jrpc_arena_done(&arena);
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

// Whatever comes where nothing is owed is noticed, also what cannot be read and what is empty.
static void judge_noise(exchange *e, const fuzz_input *input)
{
    static const char *const noise[] = {"", " ", "{", "[", "x", "null", "{}", "1 2"};
    right_session how = {.choice = input->options[1]};
    const jck_case *test_case = e->test_case;
    const jck_step *last = &test_case->steps[test_case->step_count - 1];
    const jck_expect *expect = &last->expect;
    if (expect->kind == JCK_EXPECT_ANY_OF) {
        expect = &expect->alternatives[how.choice % expect->alternative_count];
    }
    if (test_case->side != JCK_SIDE_SERVER || last->kind != JCK_STEP_SEND ||
        expect->kind != JCK_EXPECT_NOTHING || jrpc_json_exists(last->http_answers) ||
        last->expect.accepted_count != 0 || !right_play(e, &how)) {
        return;
    }
    e->evidence.of_messages = true;
    jrpc_slice bytes = jrpc_slice_str(noise[input->options[2] % (sizeof noise / sizeof *noise)]);
    jck_message message = exchange_answer(e, test_case->step_count - 1, bytes);
    exchange_add(e, &message);
    require_noticed(e);
}

static bool needs_stream(const jck_case *test_case)
{
    bool streams = false;
    for (size_t i = 0; i < test_case->need_count; i++) {
        streams = streams || jrpc_slice_is(test_case->needs[i], "stream");
    }
    return streams;
}

// Lines that came as one event are read one by one, as many as are examined, not one more.
static void judge_lines(exchange *e, const fuzz_input *input)
{
    enum { LINES_MOST = 256, ROOM = 1 << 16 };
    static const size_t counts[] = {2, 3, 17, 255, 256, 257, 258, 300};
    size_t count = counts[input->options[1] % (sizeof counts / sizeof *counts)];
    const jck_specification *by = jck_suite_specification_of(e->suite, e->test_case);
    const jck_rule *rule = by == NULL ? NULL : by->roles[JCK_ROLE_EVENT_LINES];
    if (!needs_stream(e->test_case) || rule == NULL || rule->off ||
        e->test_case->steps[0].expect.kind != JCK_EXPECT_RESPONSE || !exchange_send(e, 0, ROOM)) {
        return;
    }
    jrpc_arena arena;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(jrpc_buffer_append_str(&text, i == 0 ? "" : "\n") &&
                     jrpc_buffer_append_str(&text, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":1}"));
    }
    jck_message message = exchange_answer(e, 0, jrpc_buffer_slice(&text));
    exchange_add(e, &message);
    jrpc_buffer_done(&text);
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    bool observed = false;
    for (size_t i = 0; i < verdict.findings.observation_count; i++) {
        const jck_observation *one = &verdict.findings.observations[i];
        observed = observed || (jrpc_slice_equal(one->name, rule->id) &&
                                jrpc_slice_is(one->value, "run-together"));
    }
    FUZZ_REQUIRE(observed == (count <= LINES_MOST));
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
    // One of the first four, or any that comes after many others.
    unsigned which = input->options[2];
    right_session how = {.choice = input->options[1],
                         .left_out = 1 + (which >= 200 && which <= 250 ? which - 200 : which % 4)};
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
        judge_once,    judge_twice,    judge_starved, judge_right, judge_wrong, judge_lacking,
        judge_results, judge_statuses, judge_bodies,  judge_noise, judge_lines, judge_short};
    fuzz_input input = fuzz_input_of(data, size);
    exchange e;
    script_begin(&e, input.text);
    claims[input.options[0] % (sizeof claims / sizeof *claims)](&e, &input);
    exchange_done(&e);
    return 0;
}
