// Asynchronous results: sent while and long after the call, from another thread too, never past
// their end, and beside exactly one Response.
#include "reference/rpc/results.h"
#include "tests/unit/rpc/rpc_test.h"

#include <pthread.h>

#define V "\"jsonrpc\":\"2.0\""

// What came out of a sink, a message a line.
typedef struct heard {
    jrpc_buffer text;
    bool gone; // the other side takes nothing
    jrpc_results results;
} heard;

static bool hear(void *context, jrpc_slice message)
{
    heard *self = context;
    return !self->gone && jrpc_buffer_append(&self->text, message) &&
           jrpc_buffer_append_char(&self->text, '\n');
}

static void assert_heard(heard *self, const char *expected)
{
    if (!jrpc_slice_is(jrpc_buffer_slice(&self->text), expected)) {
        fail_msg("got      %.*s\n  expected %s", (int)self->text.len, self->text.ptr, expected);
    }
    jrpc_buffer_clear(&self->text);
}

// Accepts the work, tells so at once, and keeps the way back.
static bool create(void *context, jrpc_call *call)
{
    heard *self = context;
    const jrpc_result_parts scope = {.resource = JRPC_SLICE("job"),
                                     .target = JRPC_SLICE("\"j\""),
                                     .request_id = jrpc_json_spelling(call->id)};
    const jrpc_sink sink = {.send = hear, .context = self};
    jrpc_json_write_str(call->result, "accepted");
    return jrpc_results_begin(&self->results, jrpc_allocator_heap(), sink, &scope, NULL) &&
           jrpc_results_yield(&self->results, JRPC_STATUS_ACCEPTED, JRPC_SLICE(""), NULL);
}

static void *finish(void *context)
{
    heard *self = context;
    assert_true(jrpc_results_yield(&self->results, JRPC_STATUS_PENDING,
                                   JRPC_SLICE("{\"progress\":60}"), NULL));
    assert_true(jrpc_results_return(&self->results, JRPC_STATUS_DONE, JRPC_SLICE(""), NULL));
    return NULL;
}

static void results_come_after_the_one_response_and_end_with_the_return(void **state)
{
    (void)state;
    heard self = {.gone = false};
    jrpc_buffer_init(&self.text, jrpc_allocator_heap(), OUT_BYTES);
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    const jrpc_route route = {"attachment", NULL, "create"};
    const jrpc_method takes = {.any_params = true};
    assert_true(jrpc_router_add_route(router, &route, &takes, create, &self, NULL));
    assert_answer_of(router, "{" V ",\"method\":\"attachment.create\",\"id\":1.0}",
                     "{" V ",\"result\":\"accepted\",\"id\":1.0}");
    assert_heard(&self, "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"target\":\"j\","
                        "\"verb\":\"yield\",\"result\":{\"status\":\"accepted\"},"
                        "\"request_id\":1.0}\n");
    // The message, its document and the router's call are long gone.
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, finish, &self), 0);
    pthread_join(thread, NULL);
    assert_heard(&self, "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"target\":\"j\","
                        "\"verb\":\"yield\",\"result\":{\"status\":\"pending\",\"progress\":60},"
                        "\"request_id\":1.0}\n"
                        "{" V ",\"method\":\"job.return\",\"resource\":\"job\",\"target\":\"j\","
                        "\"verb\":\"return\",\"result\":{\"status\":\"done\"},"
                        "\"request_id\":1.0}\n");
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_results_yield(&self.results, JRPC_STATUS_PENDING, JRPC_SLICE(""), &error));
    assert_int_equal(error.code, JRPC_ERROR_INVALID);
    assert_false(jrpc_results_return(&self.results, JRPC_STATUS_DONE, JRPC_SLICE(""), NULL));
    assert_heard(&self, "");
    jrpc_results_done(&self.results);
    jrpc_router_free(router);
    jrpc_buffer_done(&self.text);
}

static void a_result_that_cannot_be_built_is_refused_and_ends_nothing(void **state)
{
    (void)state;
    heard self = {.gone = false};
    jrpc_buffer_init(&self.text, jrpc_allocator_heap(), OUT_BYTES);
    const jrpc_result_parts scope = {.resource = JRPC_SLICE("session"), .target = JRPC_SLICE("9")};
    const jrpc_sink sink = {.send = hear, .context = &self};
    assert_true(jrpc_results_begin(&self.results, jrpc_allocator_heap(), sink, &scope, NULL));
    static const struct {
        jrpc_status status;
        const char *members;
        bool final;
    } wrong[] = {
        {JRPC_STATUS_DONE, "", false},   {JRPC_STATUS_PENDING, "", true},
        {JRPC_STATUS_UNKNOWN, "", true}, {JRPC_STATUS_DONE, "[]", true},
        {JRPC_STATUS_DONE, "{", true},   {JRPC_STATUS_DONE, "{\"status\":\"done\"}", true},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        jrpc_slice members = jrpc_slice_str(wrong[i].members);
        jrpc_error error = {.code = JRPC_OK};
        assert_false(wrong[i].final
                         ? jrpc_results_return(&self.results, wrong[i].status, members, &error)
                         : jrpc_results_yield(&self.results, wrong[i].status, members, &error));
        assert_int_equal(error.code, JRPC_ERROR_INVALID);
    }
    assert_heard(&self, "");
    assert_true(jrpc_results_return(&self.results, JRPC_STATUS_ERROR, JRPC_SLICE("{}"), NULL));
    assert_heard(&self, "{" V ",\"method\":\"session.return\",\"resource\":\"session\","
                        "\"target\":9,\"verb\":\"return\",\"result\":{\"status\":\"error\"}}\n");
    jrpc_results_done(&self.results);
    jrpc_buffer_done(&self.text);
}

static void a_sink_that_takes_nothing_and_memory_that_is_out_are_reported(void **state)
{
    (void)state;
    heard self = {.gone = true};
    const jrpc_sink sink = {.send = hear, .context = &self};
    const jrpc_result_parts scope = {.resource = JRPC_SLICE("job"), .request_id = JRPC_SLICE("1")};
    assert_true(jrpc_results_begin(&self.results, jrpc_allocator_heap(), sink, &scope, NULL));
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_results_yield(&self.results, JRPC_STATUS_PENDING, JRPC_SLICE(""), &error));
    assert_int_equal(error.code, JRPC_ERROR_CLOSED);
    jrpc_results_done(&self.results);

    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, 0);
    jrpc_error_clear(&error);
    assert_false(jrpc_results_begin(&self.results, &failing.allocator, sink, &scope, &error));
    assert_int_equal(error.code, JRPC_ERROR_MEMORY);
    assert_false(jrpc_results_return(&self.results, JRPC_STATUS_DONE, JRPC_SLICE(""), NULL));
    jrpc_results_done(&self.results);
    // The parts are too long for one block, so one is already held when memory runs out.
    enum { LONG = 100000 };
    static char words[LONG];
    const jrpc_result_parts long_scope = {.resource = jrpc_slice_of(words, LONG),
                                          .target = jrpc_slice_of(words, LONG),
                                          .parent = jrpc_slice_of(words, LONG)};
    for (size_t successes = 0; successes < 3; successes++) {
        jrpc_failing_allocator_init(&failing, successes);
        assert_false(
            jrpc_results_begin(&self.results, &failing.allocator, sink, &long_scope, &error));
    }
    jrpc_results zeroed = {.ended = false};
    jrpc_results_done(&zeroed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_after_the_one_response_and_end_with_the_return),
        cmocka_unit_test(a_result_that_cannot_be_built_is_refused_and_ends_nothing),
        cmocka_unit_test(a_sink_that_takes_nothing_and_memory_that_is_out_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
