// Which revision a target speaks, by what its prelude captures.
#include "harness/run/revision.h"

#include "tests/unit/net/scripted_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// What the server answers to the prelude as its result; NULL: an error.
static const char *spoken_by_server;

static void welcome(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    if (is_fence || spoken_by_server == NULL) {
        script_answer(c, 1, text);
        return;
    }
    script_id(text, id);
    (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"result\":{\"v\":%s},\"id\":%s}",
                   spoken_by_server, id);
    script_say(c, 1, answer);
}

static void interrupt(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_happen(c, 1, JRPC_PEER_INTERRUPTED);
}

typedef struct tried {
    jck_revision_answer answer;
    char spoken[64];
} tried;

// Asks a server that behaves so for the revision "two"; `refuses`: nobody is there.
static tried ask(void (*behaviour)(scripted *, const char *, bool), const char *result,
                 bool refuses, bool beside_others)
{
    const jck_timing timing = {
        .start_ms = 1000, .reply_ms = 500, .patience_ms = 100, .quiet_ms = 50, .grace_ms = 10};
    const jck_capture capture = {.name = JRPC_SLICE("revision"), .from = JRPC_SLICE("/result/v")};
    const jck_step prelude = {
        .kind = JCK_STEP_SEND,
        .connection = 'a',
        .payload = {.kind = JCK_PAYLOAD_TEXT,
                    .text = JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"i\",\"id\":\"${id}\"}")},
        .expect = {.kind = JCK_EXPECT_ANYTHING},
        .captures = &capture,
        .capture_count = 1};
    script side;
    tried got = {.answer = JCK_REVISION_REFUSED};
    jrpc_error error = {.code = JRPC_OK};
    script_init(&side);
    side.on_message = behaviour;
    side.refuses = JRPC_ERROR_CLOSED;
    side.refuses_from = refuses ? 1 : 0;
    spoken_by_server = result;
    jck_target target = {.transport = JRPC_TRANSPORT_TCP,
                         .host = "h",
                         .port = "1",
                         .dial = scripted_dial,
                         .dial_context = &side,
                         .prelude = &prelude,
                         .prelude_count = 1};
    jck_host host;
    assert_true(jck_host_init(&host, &target, &side.clock, timing.grace_ms, -1));
    const jck_revision_trial trial = {.target = &target,
                                      .host = &host,
                                      .revision = JRPC_SLICE("two"),
                                      .beside_others = beside_others,
                                      .timing = &timing,
                                      .clock = &side.clock,
                                      .interrupt_fd = -1,
                                      .nonce = 1};
    got.answer = jck_revision_try(&trial, got.spoken, sizeof got.spoken, &error);
    assert_int_equal(side.opened, side.closed);
    jck_host_done(&host);
    script_done(&side);
    return got;
}

static void the_revision_is_what_the_prelude_captures(void **state)
{
    (void)state;
    tried got = ask(welcome, "\"two\"", false, false);
    assert_int_equal(got.answer, JCK_REVISION_SPOKEN);
    assert_string_equal(got.spoken, "\"two\"");
    got = ask(welcome, "[\"one\",\"two\"]", false, false);
    assert_int_equal(got.answer, JCK_REVISION_SPOKEN);
    got = ask(welcome, "\"one\"", false, false);
    assert_int_equal(got.answer, JCK_REVISION_OTHER);
    assert_string_equal(got.spoken, "\"one\"");
    assert_int_equal(ask(welcome, "[\"one\"]", false, false).answer, JCK_REVISION_OTHER);
    // One for targets that speak others beside it.
    assert_int_equal(ask(welcome, "[\"two\"]", false, true).answer, JCK_REVISION_OTHER);
    assert_int_equal(ask(welcome, "[\"two\",\"one\"]", false, true).answer, JCK_REVISION_SPOKEN);
}

static void a_prelude_that_fails_tells_why(void **state)
{
    (void)state;
    tried got = ask(welcome, NULL, false, false);
    assert_int_equal(got.answer, JCK_REVISION_REFUSED);
    assert_string_equal(got.spoken, "");
    assert_int_equal(ask(welcome, "\"two\"", true, false).answer, JCK_REVISION_UNOPENED);
    assert_int_equal(ask(interrupt, NULL, false, false).answer, JCK_REVISION_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_revision_is_what_the_prelude_captures),
        cmocka_unit_test(a_prelude_that_fails_tells_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
