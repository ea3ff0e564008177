// The n-th allocation fails, for every n: the whole answer or none.
#include "tests/unit/rpc/rpc_test.h"

#define V "\"jsonrpc\":\"2.0\""

static const char batch[] =
    "[{" V ",\"method\":\"subtract\",\"params\":[42,23],\"id\":\"\\u0061\"},"
    "{" V ",\"method\":\"ech\\u006f\",\"params\":{\"a\":[1,2,3]},\"id\":2},"
    "{" V ",\"method\":\"app_error\",\"id\":3},{" V ",\"method\":\"fail\",\"id\":4},"
    "{" V ",\"method\":\"app_error\"},{" V ",\"method\":\"foobar\",\"id\":5},1]";

static void an_answer_is_whole_or_not_there(void **state)
{
    (void)state;
    static const char *const texts[] = {
        batch,
        "{" V ",\"method\":\"app_error\",\"id\":3}",
        "{" V ",\"method\":\"ech\\u006f\",\"params\":[1],\"id\":3}",
        "{" V ",\"method\":\"app_error\"}",
        "[]",
        "{",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, SIZE_MAX);
        jrpc_router *router = make_router(&failing.allocator, JRPC_ROLE_SERVER, NULL, NULL);
        jrpc_buffer whole;
        jrpc_buffer_init(&whole, jrpc_allocator_heap(), OUT_BYTES);
        jrpc_reply expected =
            jrpc_router_handle(router, jrpc_slice_str(texts[i]), 64, NULL, &whole, NULL);
        assert_int_not_equal(expected, JRPC_REPLY_FAILED);
        jrpc_reply reply = JRPC_REPLY_FAILED;
        for (size_t n = 0; reply == JRPC_REPLY_FAILED; n++) {
            assert_true(n < 1000);
            failing.remaining = n;
            jrpc_buffer out;
            jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
            assert_true(jrpc_buffer_append_str(&out, "before"));
            jrpc_error error = {.code = JRPC_OK};
            reply = jrpc_router_handle(router, jrpc_slice_str(texts[i]), 64, NULL, &out, &error);
            jrpc_slice answer = jrpc_slice_from(jrpc_buffer_slice(&out), 6);
            if (reply == JRPC_REPLY_FAILED) {
                assert_int_equal(error.code, JRPC_ERROR_MEMORY);
                assert_int_equal(answer.len, 0);
            } else {
                assert_true(n > 0);
                assert_int_equal(reply, expected);
                assert_true(jrpc_slice_equal(answer, jrpc_buffer_slice(&whole)));
            }
            jrpc_buffer_done(&out);
        }
        jrpc_buffer_done(&whole);
        jrpc_router_free(router);
    }
}

// A message takes a little memory, so that in long batches each step is once the one without.
static void a_long_batch_without_memory_is_not_answered(void **state)
{
    (void)state;
    static const char *const elements[] = {
        "1,",
        "{" V ",\"method\":\"user.get\",\"verb\":\"get\",\"id\":1},",
        "{" V ",\"method\":\"foobar\",\"id\":1},",
    };
    const jrpc_route route = {"user", NULL, "get"};
    const jrpc_method takes = {.any_params = true};
    for (size_t i = 0; i < 3 * sizeof elements / sizeof elements[0]; i++) {
        jrpc_buffer text;
        jrpc_buffer_init(&text, jrpc_allocator_heap(), 1 << 20);
        // Elements that need less come first in some, so that the arena's blocks end elsewhere.
        assert_true(jrpc_buffer_append_str(&text, i / 3 == 0 ? "[" : i / 3 == 1 ? "[1," : "[1,1,"));
        for (size_t n = 0; n < 600; n++) {
            assert_true(jrpc_buffer_append_str(&text, elements[i % 3]));
        }
        assert_true(jrpc_buffer_append_str(&text, "1]"));
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, SIZE_MAX);
        jrpc_router *router = make_router(&failing.allocator, JRPC_ROLE_SERVER, NULL, NULL);
        assert_true(jrpc_router_add_route(router, &route, &takes, handle_echo, NULL, NULL));
        jrpc_reply reply = JRPC_REPLY_FAILED;
        for (size_t n = 0; reply == JRPC_REPLY_FAILED; n++) {
            assert_true(n < 1000);
            failing.remaining = n;
            jrpc_buffer out;
            jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
            reply = jrpc_router_handle(router, jrpc_buffer_slice(&text), 64, NULL, &out, NULL);
            assert_int_equal(out.len == 0, reply == JRPC_REPLY_FAILED);
            jrpc_buffer_done(&out);
        }
        jrpc_router_free(router);
        jrpc_buffer_done(&text);
    }
}

static void a_full_output_keeps_what_it_held(void **state)
{
    (void)state;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    jrpc_buffer whole;
    jrpc_buffer_init(&whole, jrpc_allocator_heap(), OUT_BYTES);
    jrpc_router_handle(router, jrpc_slice_str(batch), 64, NULL, &whole, NULL);
    for (size_t maximum = 1; maximum <= whole.len + 1; maximum++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), maximum);
        assert_true(jrpc_buffer_append_char(&out, 'x'));
        jrpc_error error = {.code = JRPC_OK};
        jrpc_reply reply =
            jrpc_router_handle(router, jrpc_slice_str(batch), 64, NULL, &out, &error);
        assert_int_equal(reply, maximum <= whole.len ? JRPC_REPLY_FAILED : JRPC_REPLY_TEXT);
        assert_int_equal(out.len, maximum <= whole.len ? 1 : whole.len + 1);
        assert_int_equal(error.code == JRPC_OK, reply == JRPC_REPLY_TEXT);
        jrpc_buffer_done(&out);
    }
    jrpc_buffer_done(&whole);
    jrpc_router_free(router);
}

static void registration_without_memory_changes_nothing(void **state)
{
    (void)state;
    static const jrpc_parameter parameters[] = {{"a", false}, {"b", true}};
    const jrpc_method method = {"m", parameters, 2, false};
    bool added = false;
    for (size_t n = 0; !added; n++) {
        assert_true(n < 100);
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, n);
        jrpc_router *router = jrpc_router_new(&failing.allocator, JRPC_ROLE_SERVER, NULL);
        if (router == NULL) {
            assert_int_equal(n, 0);
            continue;
        }
        jrpc_error error = {.code = JRPC_OK};
        added = jrpc_router_add(router, &method, handle_arguments, NULL, &error);
        assert_int_equal(jrpc_router_method_count(router), added ? 1 : 0);
        assert_int_equal(error.code, added ? JRPC_OK : JRPC_ERROR_MEMORY);
        failing.remaining = SIZE_MAX;
        if (!added) {
            assert_true(jrpc_router_add(router, &method, handle_arguments, NULL, NULL));
        }
        assert_answer_of(router, "{" V ",\"method\":\"m\",\"params\":[1],\"id\":1}",
                         "{" V ",\"result\":[1,\"absent\"],\"id\":1}");
        jrpc_router_free(router);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_whole_or_not_there),
        cmocka_unit_test(a_long_batch_without_memory_is_not_answered),
        cmocka_unit_test(a_full_output_keeps_what_it_held),
        cmocka_unit_test(registration_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
