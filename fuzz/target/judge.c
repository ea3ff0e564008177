// The judge takes any bytes, always to the same verdict; it lets a correct answer pass and notices
// a defect in it; memory that runs out is the harness's error and no accusation.
//
// Options: two bytes choose the case (fuzz_case), one the kind of silence, one the defect or the
// n-th allocation that fails, one what HTTP said around it. The text is what came back, a message a
// line.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/session/right.h"
#include "reference/rpc/router.h"

enum {
    ROOM = 1 << 20,
    PAYLOAD_ROOM = 1 << 14,
    HOSTILE_ROOM = 1 << 12,
    MESSAGES_MAX = 24,
    STEPS_USUAL = 100, // a longer case costs as much as hundreds of others
    LONG_TURNS = 64,
};

typedef enum claim {
    CLAIM_SOUND,
    CLAIM_FRUGAL,
    CLAIM_LENIENT, // a right answer passes
    CLAIM_STRICT,  // a defect in it does not
    CLAIM_REPEATABLE,
} claim;

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

// Whatever came back.
static void play_hostile(const fuzz_input *input, exchange *e)
{
    jrpc_slice rest = input->text;
    for (size_t i = 0; i < e->test_case->step_count; i++) {
        (void)exchange_send(e, i, HOSTILE_ROOM);
        jrpc_slice line;
        for (int n = 0; n < MESSAGES_MAX && jrpc_slice_take_line(&rest, &line); n++) {
            jck_message message = exchange_answer(e, i, line);
            bool noise = (input->options[2] & 64) != 0 && n == 1;
            message.role = noise ? JCK_MESSAGE_NOISE : JCK_MESSAGE_OF_CASE;
            message.why = noise ? "no frame" : NULL;
            add_http(&message, input->options[4]);
            exchange_add(e, &message);
            if ((input->options[2] & 32) != 0) {
                break; // one message a step
            }
        }
        e->evidence.settled[i] = (jck_settled)(input->options[2] % 8);
    }
    e->evidence.muteness = (jck_muteness)(input->options[3] % 3);
    e->evidence.end.kind = (jrpc_end_kind)(input->options[3] / 3 % 6);
    e->evidence.process_gone = e->evidence.end.kind == JRPC_END_EXITED;
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

// The answers of the router, spoilt by `bad` if there is one. False if there was nothing to spoil.
static bool play_right(exchange *e, const right_defect *bad)
{
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    FUZZ_REQUIRE(router != NULL);
    bool complete = true;
    size_t spoilt = 0;
    for (size_t i = 0; i < e->test_case->step_count; i++) {
        jrpc_buffer answer;
        jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
        complete = exchange_send(e, i, PAYLOAD_ROOM) && complete;
        if (jrpc_router_handle(router, exchange_sent(e, i), 1024, NULL, &answer, NULL) ==
            JRPC_REPLY_TEXT) {
            spoilt += bad == NULL ? 0 : right_spoil(bad, &answer);
            jck_message message = exchange_answer(e, i, jrpc_buffer_slice(&answer));
            exchange_add(e, &message);
        }
        jrpc_buffer_done(&answer);
    }
    jrpc_router_free(router);
    return complete && (bad == NULL || spoilt != 0);
}

static void require_lenient(exchange *e)
{
    jrpc_arena arena;
    if (play_right(e, NULL)) {
        jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
        exchange_require_sound(e, &verdict);
        FUZZ_REQUIRE(verdict.conformant);
        FUZZ_REQUIRE(verdict.outcome <= JCK_OUTCOME_WARN);
        jrpc_arena_done(&arena);
    }
}

static void require_strict(exchange *e, unsigned defect)
{
    jrpc_arena arena;
    // Alternatives may allow what is a defect elsewhere, such as an answer in the manner of 1.0.
    for (size_t i = 0; i < e->test_case->step_count; i++) {
        jck_expect_kind kind = e->test_case->steps[i].expect.kind;
        if (kind != JCK_EXPECT_RESPONSE && kind != JCK_EXPECT_BATCH) {
            return;
        }
    }
    if (play_right(e, &right_defects[defect % RIGHT_DEFECTS])) {
        jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
        exchange_require_sound(e, &verdict);
        FUZZ_REQUIRE(!verdict.conformant && verdict.findings.count != 0);
        jrpc_arena_done(&arena);
    }
}

static void try_claim(const fuzz_input *input, const jck_case *test_case, claim tried)
{
    exchange e;
    exchange_begin(&e, fuzz_suite(), fuzz_target(), test_case);
    if (tried != CLAIM_LENIENT && tried != CLAIM_STRICT) {
        play_hostile(input, &e);
    }
    switch (tried) {
    case CLAIM_SOUND:
        exchange_require_sound_verdict(&e);
        break;
    case CLAIM_REPEATABLE:
        exchange_require_repeatable(&e);
        break;
    case CLAIM_FRUGAL:
        exchange_require_frugal(&e, input->options[3]);
        break;
    case CLAIM_LENIENT:
        require_lenient(&e);
        break;
    case CLAIM_STRICT:
        require_strict(&e, input->options[3]);
        break;
    }
    exchange_done(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    const jck_case *test_case = fuzz_case(input.options[0] + input.options[1] * (size_t)255);
    if (test_case->step_count > STEPS_USUAL && !fuzz_turn(&input, 0, LONG_TURNS)) {
        return 0;
    }
    unsigned claims = is_plain(test_case) ? CLAIM_REPEATABLE : CLAIM_LENIENT;
    // To judge twice costs twice, so that is tried less often.
    bool twice = fuzz_turn(&input, 0, 7);
    if (twice) {
        try_claim(&input, test_case, CLAIM_REPEATABLE);
    }
    for (unsigned i = 0; i < claims; i++) {
        if (fuzz_every_claim || (!twice && fuzz_turn(&input, i, claims))) {
            try_claim(&input, test_case, (claim)i);
        }
    }
    return 0;
}
