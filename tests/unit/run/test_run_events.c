// Whole runs against a server that sends results of its own, which may come while a later case
// runs.
#include "tests/unit/run/scripted_run.h"

#define RESPONSE "ro-results/response-string-id"
#define EVENTS "ro-session/without-request-id"

// When the last result of each comes: that of an attachment after that of a session which began
// later, because no case waits for it.
enum { SESSION_MS = 40, ATTACHMENT_MS = RUN_QUIET_MS * 2 };

static void say_result(scripted *c, int64_t after_ms, const char *correlation)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"task.return\",\"resource\":\"task\","
                   "\"verb\":\"return\",\"target\":\"7\",\"result\":{\"status\":\"done\"}%s}",
                   correlation);
    script_say(c, after_ms, text);
}

static void accept(scripted *c, const char *id)
{
    char text[256];
    (void)snprintf(text, sizeof text,
                   "{\"jsonrpc\":\"2.0\",\"result\":{\"status\":\"accepted\"},\"id\":%s}", id);
    script_say(c, 1, text);
}

static void serve_results(scripted *c, const char *text, bool of_sessions_too)
{
    char method[64];
    char id[128];
    char correlation[160];
    script_member(text, "method", method, sizeof method);
    script_id(text, id);
    (void)snprintf(correlation, sizeof correlation, ",\"request_id\":%s", id);
    if (strcmp(method, "\"attachment.create\"") == 0) {
        accept(c, id);
        say_result(c, ATTACHMENT_MS, correlation);
    } else if (strcmp(method, "\"session.start\"") == 0) {
        accept(c, id);
        say_result(c, SESSION_MS, of_sessions_too ? correlation : "");
    } else {
        run_answer(c, 1, text);
    }
}

static void serve_rightly(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    serve_results(c, text, false);
}

static void serve_request_ids_everywhere(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    serve_results(c, text, true);
}

static void run_both(scripted_run *run, jrpc_transport transport, run_behaviour *behaviour)
{
    jrpc_error error = {.code = JRPC_OK};
    run_begin(run, transport);
    assert_true(jck_target_add_mapping(&run->target, "attachment=attachment", &error));
    assert_true(jck_target_add_mapping(&run->target, "session=session", &error));
    GO_ON(run, behaviour, RESPONSE, EVENTS);
    assert_int_equal(run->result.end, JCK_RUN_FINISHED);
    expect_of(run, RESPONSE, "pass", "");
}

static void a_result_that_an_earlier_case_asked_for_accuses_nobody(void **state)
{
    (void)state;
    static const jrpc_transport transports[] = {JRPC_TRANSPORT_STDIO, JRPC_TRANSPORT_TCP};
    for (size_t i = 0; i < sizeof transports / sizeof transports[0]; i++) {
        static scripted_run run;
        run_both(&run, transports[i], serve_rightly);
        expect_of(&run, EVENTS, "pass", "");
        assert_int_equal(run_reported(&run, EVENTS)->attempts, 1);
        run_end(&run);
    }
}

static void a_wrong_result_is_reported_all_the_same(void **state)
{
    (void)state;
    static scripted_run run;
    run_both(&run, JRPC_TRANSPORT_STDIO, serve_request_ids_everywhere);
    expect_of(&run, EVENTS, "warn", "");
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_that_an_earlier_case_asked_for_accuses_nobody),
        cmocka_unit_test(a_wrong_result_is_reported_all_the_same),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
