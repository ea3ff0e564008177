// Whole runs against the reference server, which stands behind a scripted peer and has all methods.
#include "reference/base/limits.h"
#include "reference/server/fault.h"
#include "reference/server/methods.h"
#include "tests/unit/run/scripted_run.h"

enum { CONNECTIONS_MAX = 200 };

typedef struct served {
    scripted_run run; // first: what a scripted connection leads to
    jrpc_server server;
    jrpc_connection connections[CONNECTIONS_MAX];
    unsigned opened;
} served;

static bool deliver(jrpc_connection *connection, jrpc_slice payload)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), RUN_BYTES);
    assert_true(jrpc_buffer_append(&text, payload) && jrpc_buffer_append_char(&text, '\0'));
    script_say(connection->carrier, 1, text.ptr);
    jrpc_buffer_done(&text);
    return true;
}

static void serve(scripted *c, const char *text, bool is_fence)
{
    served *s = c->of->context;
    (void)is_fence;
    assert_in_range(c->number, 1, CONNECTIONS_MAX - 1);
    jrpc_connection *connection = &s->connections[c->number];
    for (; s->opened < c->number; s->opened++) {
        jrpc_connection *next = &s->connections[s->opened + 1];
        *next = (jrpc_connection){.deliver = deliver};
        assert_true(jrpc_connection_init(next, &s->server));
        next->deliver = deliver;
    }
    connection->carrier = c;
    connection->one_answer = c->of->exchanges;
    jrpc_connection_handle(connection, jrpc_slice_str(text));
}

static void begin(served *s, jrpc_transport transport, const char *fault)
{
    jrpc_error error = {.code = JRPC_OK};
    memset(s, 0, sizeof *s);
    run_begin(&s->run, transport);
    s->run.side.on_message = serve;
    s->run.options.discover = true;
    s->server = (jrpc_server){.allocator = jrpc_allocator_heap(),
                              .max_message = RUN_BYTES,
                              .max_depth = JRPC_LIMIT_DEPTH,
                              .stop_fd = -1};
    if (fault != NULL) {
        s->server.faults[s->server.fault_count++] = jrpc_fault_find(fault);
    }
    jrpc_fault_install(&s->server);
    assert_int_equal(pthread_mutex_init(&s->server.lock, NULL), 0);
    s->server.router = jrpc_router_new(s->server.allocator, JRPC_ROLE_SERVER, &s->server.hooks);
    assert_true(jrpc_server_add_methods(&s->server, &error));
    static const char *const named[] = {"fail=fail",
                                        "app_error=app_error",
                                        "count=count",
                                        "push=push",
                                        "optional=optional",
                                        "denied=denied",
                                        "nonce=nonce",
                                        "signed=signed",
                                        "user=user",
                                        "repo/issue=repo/issue",
                                        "project/task=project/task",
                                        "attachment=attachment",
                                        "job=job",
                                        "session=session"};
    static const char *const declared[] = {"authorization", "nonce", "signature", "update"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        assert_true(jck_target_add_mapping(&s->run.target, named[i], &error));
    }
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        assert_true(jck_target_declare(&s->run.target, jrpc_slice_str(declared[i])));
    }
}

static void end(served *s)
{
    for (unsigned i = 1; i <= s->opened; i++) {
        jrpc_connection_done(&s->connections[i]);
    }
    jrpc_router_free(s->server.router);
    (void)pthread_mutex_destroy(&s->server.lock);
    run_end(&s->run);
}

// What the scripted peer cannot carry: bytes outside of messages, and NULs.
static bool is_carried(const jck_case *test_case)
{
    bool carried = !test_case->hazard;
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_payload *payload = &test_case->steps[i].payload;
        carried = carried && !payload->raw && payload->chunk_count == 0 &&
                  payload->kind != JCK_PAYLOAD_BYTES && payload->kind != JCK_PAYLOAD_REPEAT;
    }
    return carried;
}

static void pick_suite(served *s)
{
    for (size_t i = 0; i < jck_suite_case_count(run_suite); i++) {
        const jck_case *test_case = jck_suite_case(run_suite, i);
        bool mine = jrpc_slice_is(test_case->suite, "jsonrpc-2.0") ||
                    jrpc_slice_is(test_case->suite, "ro-jrpc-1.0");
        s->run.selected[i] = mine && test_case->side == JCK_SIDE_SERVER && is_carried(test_case);
    }
}

// Runs what the peer carries; nothing may be found, and little may be left out.
static void accuse_nobody(jrpc_transport transport, unsigned jobs)
{
    static served s;
    begin(&s, transport, NULL);
    pick_suite(&s);
    s.run.options.jobs = jobs;
    jck_run(&s.run.options, &s.run.result);
    const jck_run_result *result = &s.run.result;
    assert_int_equal(result->end, JCK_RUN_FINISHED);
    assert_true(result->conformant);
    assert_int_equal(result->judged,
                     result->counts[JCK_OUTCOME_PASS] + result->counts[JCK_OUTCOME_OBSERVE]);
    assert_true(result->judged > 1000);
    assert_true(result->skipped < 80);
    assert_int_equal(result->ways[JCK_WAY_ONCE], 0);
    end(&s);
}

static void the_reference_server_is_accused_of_nothing(void **state)
{
    (void)state;
    accuse_nobody(JRPC_TRANSPORT_STDIO, 1);
    accuse_nobody(JRPC_TRANSPORT_HTTP, 1);
    accuse_nobody(JRPC_TRANSPORT_WEBSOCKET, 1);
}

static void workers_side_by_side_come_to_the_same_verdicts(void **state)
{
    (void)state;
    accuse_nobody(JRPC_TRANSPORT_TCP, 1);
    accuse_nobody(JRPC_TRANSPORT_TCP, 3);
}

static void methods_that_nobody_named_are_found(void **state)
{
    (void)state;
    static served s;
    begin(&s, JRPC_TRANSPORT_STDIO, NULL);
    run_pick(&s.run, "examples/");
    jck_run(&s.run.options, &s.run.result);
    static const char *const found[] = {"subtract", "sum",          "get_data",
                                        "update",   "notify_hello", "echo"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        const jck_mapping *mapping = jck_target_mapping(&s.run.target, jrpc_slice_str(found[i]));
        assert_non_null(mapping);
        assert_true(mapping->by_position);
    }
    assert_true(s.run.result.conformant);
    assert_true(s.run.result.skipped < 3);
    end(&s);
}

static void one_fault_is_found_by_the_case_that_is_for_it(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *id, *rule;
    } rows[] = {
        {"batch-empty-answered-with-array", "batch/empty", "J2-6d"},
        {"notification-error-answered", "notification/unknown", "J2-4.1c"},
        {"id-fraction-truncated", "id/fraction-half", "J2-4e"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static served s;
        begin(&s, JRPC_TRANSPORT_STDIO, rows[i].fault);
        assert_non_null(s.server.faults[0]);
        run_pick(&s.run, rows[i].id);
        run_pick(&s.run, "call/");
        jck_run(&s.run.options, &s.run.result);
        expect_of(&s.run, rows[i].id, "fail", "");
        assert_string_equal(run_reported(&s.run, rows[i].id)->rule, rows[i].rule);
        expect_of(&s.run, "call/unknown-method", "pass", "");
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_server_is_accused_of_nothing),
        cmocka_unit_test(workers_side_by_side_come_to_the_same_verdicts),
        cmocka_unit_test(methods_that_nobody_named_are_found),
        cmocka_unit_test(one_fault_is_found_by_the_case_that_is_for_it),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
