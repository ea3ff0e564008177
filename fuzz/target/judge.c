// The judge takes any bytes, always to the same verdict; it lets a correct answer pass and notices
// a defect in it; memory that runs out is the harness's error and no accusation.
//
// Options: two bytes choose the case, one the kind of silence, one the defect and the n-th
// allocation that fails, one what HTTP said around it. The text is what came back, a message a
// line.
#include "harness/judge/judge.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "reference/rpc/router.h"

enum { ROOM = 1 << 20, PAYLOAD_ROOM = 1 << 14, MESSAGES_MAX = 24 };

typedef struct trial {
    jrpc_arena arena;
    jck_variables variables;
    jck_evidence evidence;
    const jck_case *test_case;
    unsigned http;
} trial;

static void begin(trial *t, const jck_case *test_case)
{
    t->test_case = test_case;
    t->http = 0;
    jrpc_arena_init(&t->arena, jrpc_allocator_heap(), (size_t)256 << 20);
    jck_variables_init(&t->variables, &t->arena, fuzz_target(), 7, 1);
    FUZZ_REQUIRE(jck_evidence_init(&t->evidence, &t->arena, test_case->step_count));
}

// What HTTP may have said around an answer; `choice` 0: it did not come over HTTP.
static void add_http(jck_message *message, unsigned choice)
{
    // Longer than what is kept of a type.
    static const char long_type[] =
        "Content-Type: text/html\r\nContent-Type: a/very long type that goes on and on and on and "
        "on "
        "and on and on and on and on and on and on and on and on and on and on and on and on\r\n";
    static const int statuses[] = {200, 204, 400, 404, 413, 500};
    static const char *const headers[] = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n",
        "content-type:Application/JSON; charset=utf-8\nA: b\n",
        "Content-Type: text/event-stream\r\n",
        long_type,
    };
    if (choice != 0) {
        message->http_status = statuses[choice % (sizeof statuses / sizeof *statuses)];
        message->http_headers =
            jrpc_slice_str(headers[choice / 6 % (sizeof headers / sizeof *headers)]);
        message->http_reused = choice >= 128;
    }
}

static void record(trial *t, jck_direction direction, jck_role_of_message role, int step,
                   jrpc_slice bytes)
{
    jck_message message = {.direction = direction,
                           .role = role,
                           .connection = t->test_case->steps[step].connection,
                           .step = step,
                           .bytes = bytes,
                           .true_len = bytes.len,
                           .why = role == JCK_MESSAGE_NOISE ? "no frame" : NULL};
    add_http(&message, direction == JCK_RECEIVED ? t->http : 0);
    FUZZ_REQUIRE(jck_evidence_add(&t->evidence, &message));
}

// What the step sends; false if it is too long for a fuzz run, or sends nothing.
static bool expand(trial *t, int step, jrpc_buffer *out)
{
    jck_variables_set_step(&t->variables, step);
    return t->test_case->steps[step].kind == JCK_STEP_SEND &&
           jck_payload_expand(&t->test_case->steps[step].payload, jck_variables_resolve,
                              &t->variables, out, NULL);
}

static jck_verdict judge(trial *t, const jrpc_allocator *allocator, jrpc_arena *arena)
{
    jck_verdict verdict;
    jrpc_arena_init(arena, allocator, (size_t)256 << 20);
    jck_judge(fuzz_suite(), t->test_case, &t->variables, &t->evidence, NULL, arena, &verdict);
    return verdict;
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
}

static void require_printable(const jck_verdict *verdict)
{
    for (size_t i = 0; i < verdict->findings.count; i++) {
        jrpc_slice text = verdict->findings.items[i].text;
        FUZZ_REQUIRE(text.len != 0);
        for (size_t j = 0; j < text.len; j++) {
            FUZZ_REQUIRE((unsigned char)text.ptr[j] >= 0x20 && text.ptr[j] != 0x7F);
        }
    }
}

// Whatever came back.
static void judge_hostile(const fuzz_input *input, const jck_case *test_case)
{
    trial t;
    begin(&t, test_case);
    t.http = input->options[4];
    jrpc_slice rest = input->text;
    for (size_t i = 0; i < test_case->step_count; i++) {
        jrpc_buffer sent;
        jrpc_buffer_init(&sent, jrpc_allocator_heap(), PAYLOAD_ROOM);
        if (expand(&t, (int)i, &sent)) {
            record(&t, JCK_SENT, JCK_MESSAGE_OF_CASE, (int)i, jrpc_buffer_slice(&sent));
        }
        jrpc_buffer_done(&sent);
        for (int n = 0; n < MESSAGES_MAX && rest.len != 0; n++) {
            const char *feed = memchr(rest.ptr, '\n', rest.len);
            size_t len = feed == NULL ? rest.len : (size_t)(feed - rest.ptr);
            bool noise = (input->options[2] & 64) != 0 && n == 1;
            record(&t, JCK_RECEIVED, noise ? JCK_MESSAGE_NOISE : JCK_MESSAGE_OF_CASE, (int)i,
                   jrpc_slice_of(rest.ptr, len));
            rest = jrpc_slice_from(rest, feed == NULL ? len : len + 1);
            if ((input->options[2] & 32) != 0) {
                break; // one message a step
            }
        }
        t.evidence.settled[i] = (jck_settled)(input->options[2] % 8);
    }
    t.evidence.muteness = (jck_muteness)(input->options[3] % 3);
    t.evidence.end.kind = (jrpc_end_kind)(input->options[3] / 3 % 6);
    t.evidence.process_gone = t.evidence.end.kind == JRPC_END_EXITED;

    jrpc_arena first_arena;
    jrpc_arena second_arena;
    jrpc_arena starved_arena;
    jck_verdict first = judge(&t, jrpc_allocator_heap(), &first_arena);
    jck_verdict second = judge(&t, jrpc_allocator_heap(), &second_arena);
    require_same(&first, &second);
    require_printable(&first);
    FUZZ_REQUIRE(first.outcome != JCK_OUTCOME_ERROR);

    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, input->options[3]);
    jck_verdict starved = judge(&t, &failing.allocator, &starved_arena);
    FUZZ_REQUIRE(starved.outcome == JCK_OUTCOME_ERROR || failing.count <= input->options[3]);
    jrpc_arena_done(&starved_arena);
    jrpc_arena_done(&second_arena);
    jrpc_arena_done(&first_arena);
    jrpc_arena_done(&t.arena);
}

// Cases that a router without methods answers in full, without any state.
static bool is_plain(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_step *step = &test_case->steps[i];
        if (step->kind != JCK_STEP_SEND || step->payload.raw || step->capture_count != 0 ||
            step->connection != 'a' || step->expect.kind == JCK_EXPECT_CLOSED) {
            return false;
        }
    }
    return test_case->need_count == 0 && jrpc_slice_is(test_case->suite, "jsonrpc-2.0");
}

// Puts one name in the place of another, of the same length; how often.
static size_t spoil(jrpc_buffer *answer, const char *from, const char *to)
{
    size_t len = strlen(from);
    size_t count = 0;
    for (size_t i = 0; i + len <= answer->len; i++) {
        if (memcmp(answer->ptr + i, from, len) == 0) {
            memcpy(answer->ptr + i, to, len);
            count++;
        }
    }
    return count;
}

typedef struct defect {
    const char *from, *to;
} defect;

static const defect defects[] = {
    {"\"jsonrpc\":\"2.0\"", "\"jsonrpc\":\"2.1\""},
    {"\"jsonrpc\":", "\"jsonrqc\":"},
    {"\"code\":-32", "\"code\":\"32"},
    {"\"message\":\"", "\"massage\":\""},
    {"\"error\":", "\"errar\":"},
    {",\"id\":", ",\"ix\":"},
};

// The right answers, spoilt by `bad` if there is one. True if there was anything to spoil.
static bool judge_answers(const jck_case *test_case, const defect *bad, jck_verdict *ret_verdict,
                          jrpc_arena *arena)
{
    trial t;
    begin(&t, test_case);
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    FUZZ_REQUIRE(router != NULL);
    bool complete = true;
    size_t spoilt = 0;
    for (size_t i = 0; i < test_case->step_count; i++) {
        jrpc_buffer sent;
        jrpc_buffer answer;
        jrpc_buffer_init(&sent, jrpc_allocator_heap(), PAYLOAD_ROOM);
        jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
        complete = expand(&t, (int)i, &sent) && complete;
        record(&t, JCK_SENT, JCK_MESSAGE_OF_CASE, (int)i, jrpc_buffer_slice(&sent));
        if (jrpc_router_handle(router, jrpc_buffer_slice(&sent), 1024, NULL, &answer, NULL) ==
            JRPC_REPLY_TEXT) {
            spoilt += bad == NULL ? 0 : spoil(&answer, bad->from, bad->to);
            record(&t, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, (int)i, jrpc_buffer_slice(&answer));
        }
        t.evidence.settled[i] = JCK_FENCED;
        jrpc_buffer_done(&answer);
        jrpc_buffer_done(&sent);
    }
    *ret_verdict = judge(&t, jrpc_allocator_heap(), arena);
    jrpc_router_free(router);
    jrpc_arena_done(&t.arena);
    return complete && (bad == NULL || spoilt != 0);
}

static void require_discernment(const fuzz_input *input, const jck_case *test_case)
{
    jrpc_arena arena;
    jck_verdict verdict;
    if (!judge_answers(test_case, NULL, &verdict, &arena)) {
        jrpc_arena_done(&arena);
        return;
    }
    FUZZ_REQUIRE(verdict.conformant);
    FUZZ_REQUIRE(verdict.outcome <= JCK_OUTCOME_WARN);
    jrpc_arena_done(&arena);
    // Alternatives may allow what is a defect elsewhere, such as an answer in the manner of 1.0.
    for (size_t i = 0; i < test_case->step_count; i++) {
        jck_expect_kind kind = test_case->steps[i].expect.kind;
        if (kind != JCK_EXPECT_RESPONSE && kind != JCK_EXPECT_BATCH) {
            return;
        }
    }
    const defect *bad = &defects[input->options[3] % (sizeof defects / sizeof *defects)];
    if (judge_answers(test_case, bad, &verdict, &arena)) {
        FUZZ_REQUIRE(!verdict.conformant && verdict.findings.count != 0);
    }
    jrpc_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    size_t index = input.options[0] + input.options[1] * (size_t)255;
    const jck_case *test_case =
        jck_suite_case(fuzz_suite(), index % jck_suite_case_count(fuzz_suite()));
    judge_hostile(&input, test_case);
    if (is_plain(test_case)) {
        require_discernment(&input, test_case);
    }
    return 0;
}
