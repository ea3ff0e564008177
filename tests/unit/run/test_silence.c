// Which kinds of messages a target leaves unanswered.
#include "harness/run/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ABSENT "{\"jsonrpc\":\"2.0\",\"method\":\"absent\",\"id\":"

static void usual_calls_and_what_is_owed_nothing_have_no_kind(void **state)
{
    (void)state;
    static const char *const usual[] = {
        ABSENT "1}",
        ABSENT "\"a\"}",
        ABSENT "1.0}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"absent\"}",
        "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":1}",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"absent\"}]",
    };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        assert_int_equal(jck_owed_bit(jrpc_slice_str(usual[i])), 0);
    }
    static char text[5000];
    memset(text, '[', sizeof text);
    assert_int_equal(jck_owed_bit(jrpc_slice_of(text, sizeof text)), 0);
}

static void each_other_kind_has_a_bit_of_its_own(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        "{",
        "[]",
        "[1]",
        "1",
        ABSENT "null}",
        ABSENT "1.5}",
        ABSENT "{}}",
        "{\"method\":\"absent\",\"id\":1}",
        "{\"jsonrpc\":\"1.0\",\"method\":\"absent\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"absent\",\"params\":1,\"id\":1}",
    };
    uint32_t seen = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t bit = jck_owed_bit(jrpc_slice_str(kinds[i]));
        assert_int_not_equal(bit, 0);
        assert_int_equal(bit & (bit - 1), 0);
        assert_int_equal(seen & bit, 0);
        seen |= bit;
    }
    assert_int_equal(jck_owed_bit(JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":null,\"id\":2}")),
                     jck_owed_bit(JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":[],\"id\":\"x\"}")));
}

// One case of one step: what was sent, whether it was answered, and how its step ended.
static void see(jck_silences *silences, const char *sent, bool answered, jck_settled settled)
{
    jck_message messages[2] = {
        {.direction = JCK_SENT, .role = JCK_MESSAGE_OF_CASE, .bytes = jrpc_slice_str(sent)},
        {.direction = JCK_RECEIVED, .role = JCK_MESSAGE_OF_CASE, .bytes = JRPC_SLICE("{}")},
    };
    const jck_evidence evidence = {
        .messages = messages, .count = answered ? 2 : 1, .settled = &settled, .step_count = 1};
    jck_silences_note(silences, &evidence);
}

static void a_kind_is_usual_when_several_were_left_unanswered_and_none_was_answered(void **state)
{
    (void)state;
    jck_silences silences = {.any = false};
    uint32_t scalar = jck_owed_bit(JRPC_SLICE("1"));
    uint32_t text = jck_owed_bit(JRPC_SLICE("{"));
    see(&silences, "1", false, JCK_FENCED);
    see(&silences, "2", false, JCK_MUTE);    // it may only have been too slow
    see(&silences, "3", false, JCK_SETTLED); // its answer is waited for later
    assert_int_equal(jck_silences_usual(&silences), 0);
    see(&silences, "\"foo\"", false, JCK_FENCED);
    see(&silences, "{", false, JCK_FENCED);
    assert_int_equal(jck_silences_usual(&silences), scalar);
    see(&silences, "[", false, JCK_FENCED);
    assert_int_equal(jck_silences_usual(&silences), scalar | text);
    see(&silences, "null", true, JCK_SETTLED);
    see(&silences, "null", false, JCK_FENCED);
    assert_int_equal(jck_silences_usual(&silences), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_calls_and_what_is_owed_nothing_have_no_kind),
        cmocka_unit_test(each_other_kind_has_a_bit_of_its_own),
        cmocka_unit_test(a_kind_is_usual_when_several_were_left_unanswered_and_none_was_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
