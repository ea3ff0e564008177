// Servers that show which profile they want: by what they say at once, by the answer to a question,
// or in another framing only.
#include "tests/unit/run/scripted_run.h"

// Runs one case against a server that behaves so; the profile that it looks like, "" for none.
static const char *look_at(scripted_run *run, jrpc_transport transport, run_behaviour *behaviour)
{
    static char name[32];
    size_t count = 0;
    run_begin(run, transport);
    run->target.recognitions = jck_recognitions_load(run_suite, "cases", &count);
    run->target.recognition_count = count;
    assert_int_not_equal(count, 0);
    run->options.discover = true;
    GO_ON(run, behaviour, "call/unknown-method");
    const jck_recognition *looks_like = run->target.looks_like;
    (void)snprintf(name, sizeof name, "%.*s", looks_like == NULL ? 0 : (int)looks_like->profile.len,
                   looks_like == NULL ? "" : looks_like->profile.ptr);
    return name;
}

static void nothing_is_read_into_a_server_of_the_specification(void **state)
{
    (void)state;
    static scripted_run run;

    assert_string_equal(look_at(&run, JRPC_TRANSPORT_STDIO, run_answer_rightly), "");
    assert_true(run.result.conformant);
    run_end(&run);
}

static void answer_pings(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    (void)is_fence;
    script_id(text, id);
    if (strstr(text, "\"method\":\"ping\"") != NULL) {
        (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", id);
        script_say(c, 1, answer);
    } else {
        run_answer(c, 1, text);
    }
}

static void an_answer_to_a_question_gives_it_away(void **state)
{
    (void)state;
    static scripted_run run;
    assert_string_equal(look_at(&run, JRPC_TRANSPORT_STDIO, answer_pings), "mcp");
    assert_true(run.result.conformant); // which changes no verdict
    run_end(&run);
}

static void ask_for_initialize(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    (void)is_fence;
    script_id(text, id);
    script_error(c, 1, -32002, id);
}

static void what_it_says_at_once_gives_it_away(void **state)
{
    (void)state;
    static scripted_run run;
    assert_string_equal(look_at(&run, JRPC_TRANSPORT_STDIO, ask_for_initialize), "lsp");
    run_end(&run);
}

static void answer_in_another_framing(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    (void)is_fence;
    script_id(text, id);
    if (c->framing == JRPC_FRAMING_CONTENT_LENGTH && strstr(text, "\"initialize\"") != NULL) {
        (void)snprintf(answer, sizeof answer,
                       "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"capabilities\":{}}}", id);
        script_say(c, 1, answer);
    }
}

static void one_that_is_silent_is_asked_in_another_framing(void **state)
{
    (void)state;
    static scripted_run run;
    assert_string_equal(look_at(&run, JRPC_TRANSPORT_STDIO, answer_in_another_framing), "lsp");
    assert_int_equal(run.result.end, JCK_RUN_MUTE);
    assert_int_equal(run.side.opened, 2);
    run_end(&run);
}

static void refuse_without_a_session(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_event_at(c, 1,
                    (script_event){.event = JRPC_PEER_MESSAGE,
                                   .text = strdup("{\"error\":\"Missing session ID\"}"),
                                   .http_status = 400});
    script_status(c, 1, 400);
}

static void a_refusal_over_http_gives_it_away(void **state)
{
    (void)state;
    static scripted_run run;
    assert_string_equal(look_at(&run, JRPC_TRANSPORT_HTTP, refuse_without_a_session), "mcp");
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_read_into_a_server_of_the_specification),
        cmocka_unit_test(an_answer_to_a_question_gives_it_away),
        cmocka_unit_test(what_it_says_at_once_gives_it_away),
        cmocka_unit_test(one_that_is_silent_is_asked_in_another_framing),
        cmocka_unit_test(a_refusal_over_http_gives_it_away),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
