#include "fuzz/session/exchange.h"

#include "fuzz/fuzz.h"
#include "reference/base/utf8.h"
#include "reference/base/visible.h"

#define ARENA_BYTES ((size_t)256 << 20)
// Different from zero, so that ids are seen to be the run's own.
enum { NONCE = 7, SERIAL = 1 };

void exchange_begin(exchange *e, const jck_suite *suite, const jck_target *target,
                    const jck_case *test_case)
{
    *e =
        (exchange){.suite = suite, .test_case = test_case, .calibration = {.absent_answers = true}};
    jrpc_arena_init(&e->arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&e->variables, &e->arena, target, NONCE, SERIAL);
    FUZZ_REQUIRE(jck_evidence_init(&e->evidence, &e->arena, test_case->step_count));
    for (size_t i = 0; i < test_case->step_count; i++) {
        e->evidence.settled[i] = JCK_FENCED;
    }
}

void exchange_done(exchange *e)
{
    jrpc_arena_done(&e->arena);
}

bool exchange_expand(exchange *e, size_t step, size_t maximum, jrpc_buffer *out)
{
    const jck_step *of_case = &e->test_case->steps[step];
    jrpc_buffer_init(out, jrpc_allocator_heap(), maximum);
    jck_variables_set_step(&e->variables, (int)step);
    return of_case->kind == JCK_STEP_SEND &&
           jck_payload_expand(&of_case->payload, jck_variables_resolve, &e->variables, out, NULL);
}

bool exchange_send(exchange *e, size_t step, size_t maximum)
{
    jrpc_buffer sent;
    bool whole = exchange_expand(e, step, maximum, &sent);
    if (whole) {
        jck_message message = exchange_answer(e, step, jrpc_buffer_slice(&sent));
        message.direction = JCK_SENT;
        exchange_add(e, &message);
    }
    jrpc_buffer_done(&sent);
    return whole;
}

void exchange_add(exchange *e, const jck_message *message)
{
    const jck_message *before = e->evidence.messages;
    size_t count = e->evidence.count;
    size_t kept = e->evidence.kept_bytes;
    FUZZ_REQUIRE(jck_evidence_add(&e->evidence, message));
    FUZZ_REQUIRE(e->evidence.count == count + 1);
    FUZZ_REQUIRE(e->evidence.kept_bytes == kept + e->evidence.messages[count].bytes.len);
    // Nothing is lost when the list moves to make room. Its old place stays in the arena.
    for (size_t i = 0; i < count && e->evidence.messages != before; i++) {
        const jck_message *now = &e->evidence.messages[i];
        FUZZ_REQUIRE(now->bytes.ptr == before[i].bytes.ptr && now->step == before[i].step &&
                     now->direction == before[i].direction);
    }
}

jck_message exchange_answer(const exchange *e, size_t step, jrpc_slice bytes)
{
    return (jck_message){.direction = JCK_RECEIVED,
                         .connection = e->test_case->steps[step].connection,
                         .step = (int)step,
                         .bytes = bytes,
                         .true_len = bytes.len};
}

jrpc_slice exchange_sent(const exchange *e, size_t step)
{
    for (size_t i = 0; i < e->evidence.count; i++) {
        const jck_message *message = &e->evidence.messages[i];
        if (message->direction == JCK_SENT && message->step == (int)step) {
            return message->bytes;
        }
    }
    return (jrpc_slice){NULL, 0};
}

static jck_verdict judge_within(exchange *e, size_t limit, const jrpc_allocator *allocator,
                                jrpc_arena *arena)
{
    jck_verdict verdict;
    jrpc_arena_init(arena, allocator, limit);
    jck_judge(e->suite, e->test_case, &e->variables, &e->evidence, &e->calibration, arena,
              &verdict);
    return verdict;
}

jck_verdict exchange_judge(exchange *e, const jrpc_allocator *allocator, jrpc_arena *arena)
{
    return judge_within(e, ARENA_BYTES, allocator, arena);
}

// If a target has left in an orderly way, the difference is that it ended, not that it was silent.
// One that still runs or has crashed did not leave.
static void require_named_silence(const exchange *e, const jck_finding *finding)
{
    static const jrpc_slice silences[] = {JRPC_SLICE_INIT("silence to "),
                                          JRPC_SLICE_INIT("no Response, but HTTP status ")};
    const jck_evidence *evidence = &e->evidence;
    bool left = evidence->settled[finding->step] == JCK_GONE &&
                (!evidence->process_gone || evidence->orderly);
    FUZZ_REQUIRE(left || !jrpc_slice_is(finding->difference, "an end instead of an answer"));
    for (size_t i = 0; i < sizeof silences / sizeof *silences; i++) {
        FUZZ_REQUIRE(!left || !jrpc_slice_starts_with(finding->difference, silences[i]));
    }
}

// No example of a right answer is given twice.
static void require_examples(const jck_finding *finding)
{
    for (size_t i = 0; i < finding->expected_count; i++) {
        for (size_t k = 0; k < i; k++) {
            const jck_example *one = &finding->expected[i];
            const jck_example *other = &finding->expected[k];
            FUZZ_REQUIRE(one->kind != other->kind || !jrpc_slice_equal(one->text, other->text));
        }
    }
}

void exchange_require_sound(const exchange *e, const jck_verdict *verdict)
{
    FUZZ_REQUIRE(verdict->outcome != JCK_OUTCOME_ERROR);
    // A case is blocked by a broken rule, or by a mistake of the client's driver.
    FUZZ_REQUIRE((verdict->outcome == JCK_OUTCOME_BLOCKED) ==
                 (verdict->blocked_by.len > 0 || verdict->driver_mistake != NULL));
    for (size_t i = 0; i < verdict->findings.count; i++) {
        const jck_finding *finding = &verdict->findings.items[i];
        // The outcome shows what counts, whatever else was found.
        bool must = !finding->known && finding->level == JCK_LEVEL_MUST;
        bool should = !finding->known && finding->level == JCK_LEVEL_SHOULD;
        FUZZ_REQUIRE(!must || (verdict->outcome >= JCK_OUTCOME_FAIL && !verdict->conformant));
        FUZZ_REQUIRE(!should || (verdict->outcome >= JCK_OUTCOME_WARN &&
                                 verdict->outcome != JCK_OUTCOME_BLOCKED));
        FUZZ_REQUIRE(jck_suite_find_rule(e->suite, finding->rule) != NULL);
        FUZZ_REQUIRE(finding->step >= 0 && finding->step < (int)e->evidence.step_count);
        FUZZ_REQUIRE(finding->text.len != 0);
        require_named_silence(e, finding);
        require_examples(finding);
        for (size_t j = 0; j < finding->text.len;) {
            const char *at = finding->text.ptr + j;
            size_t len = jrpc_utf8_sequence(at, finding->text.len - j, NULL);
            // A character that was cut in two is replaced where the text is written.
            FUZZ_REQUIRE(len == 0 || jrpc_visible_sequence(at, len) == len);
            j += len > 0 ? len : 1;
        }
    }
}

void exchange_require_sound_verdict(exchange *e)
{
    jrpc_arena arena;
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    exchange_require_sound(e, &verdict);
    jrpc_arena_done(&arena);
}

static void require_same(const jck_verdict *a, const jck_verdict *b)
{
    FUZZ_REQUIRE(a->outcome == b->outcome && a->conformant == b->conformant);
    FUZZ_REQUIRE(a->findings.count == b->findings.count);
    FUZZ_REQUIRE(a->findings.observation_count == b->findings.observation_count);
    for (size_t i = 0; i < a->findings.count; i++) {
        const jck_finding *x = &a->findings.items[i];
        const jck_finding *y = &b->findings.items[i];
        FUZZ_REQUIRE(jrpc_slice_equal(x->rule, y->rule) && x->level == y->level);
        FUZZ_REQUIRE(x->step == y->step && jrpc_slice_equal(x->text, y->text));
    }
    for (size_t i = 0; i < a->findings.observation_count; i++) {
        const jck_observation *x = &a->findings.observations[i];
        const jck_observation *y = &b->findings.observations[i];
        FUZZ_REQUIRE(jrpc_slice_equal(x->name, y->name) && jrpc_slice_equal(x->value, y->value));
    }
}

void exchange_require_repeatable(exchange *e)
{
    jrpc_arena first_arena;
    jrpc_arena second_arena;
    jck_verdict first = exchange_judge(e, jrpc_allocator_heap(), &first_arena);
    jck_verdict second = exchange_judge(e, jrpc_allocator_heap(), &second_arena);
    exchange_require_sound(e, &first);
    require_same(&first, &second);
    jrpc_arena_done(&second_arena);
    jrpc_arena_done(&first_arena);
}

void exchange_require_short(exchange *e, size_t rooms, uint32_t turn)
{
    jrpc_arena arena;
    (void)exchange_judge(e, jrpc_allocator_heap(), &arena);
    size_t whole = arena.used;
    jrpc_arena_done(&arena);
    for (size_t i = 0; i < rooms; i++) {
        size_t room = (whole * i / rooms + turn % (whole / rooms + 1)) % (whole + 1);
        jck_verdict verdict = judge_within(e, room, jrpc_allocator_heap(), &arena);
        FUZZ_REQUIRE((verdict.outcome == JCK_OUTCOME_ERROR) == arena.failed);
        // The last allocation does not need the bytes by which it is rounded up.
        FUZZ_REQUIRE(arena.failed ? !verdict.conformant : room + _Alignof(max_align_t) > whole);
        jrpc_arena_done(&arena);
    }
}

void exchange_require_alike(exchange *e, const jck_verdict *before)
{
    jrpc_arena arena;
    jck_verdict now = exchange_judge(e, jrpc_allocator_heap(), &arena);
    FUZZ_REQUIRE(now.outcome == before->outcome && now.conformant == before->conformant);
    FUZZ_REQUIRE(now.findings.count == before->findings.count);
    for (size_t i = 0; i < now.findings.count; i++) {
        const jck_finding *x = &before->findings.items[i];
        const jck_finding *y = &now.findings.items[i];
        FUZZ_REQUIRE(jrpc_slice_equal(x->rule, y->rule) && x->level == y->level);
        FUZZ_REQUIRE(x->step == y->step);
    }
    jrpc_arena_done(&arena);
}

void exchange_require_frugal(exchange *e, size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_arena arena;
    jrpc_failing_allocator_init(&failing, successes);
    jck_verdict verdict = exchange_judge(e, &failing.allocator, &arena);
    if (verdict.outcome == JCK_OUTCOME_ERROR) {
        FUZZ_REQUIRE(failing.count > successes && !verdict.conformant);
    } else {
        FUZZ_REQUIRE(failing.count <= successes);
        exchange_require_sound(e, &verdict);
    }
    jrpc_arena_done(&arena);
}
