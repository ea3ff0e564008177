// Routes that are registered while memory runs out.
#include "tests/unit/rpc/rpc_test.h"

#include <stdio.h>

static const jrpc_method any = {.any_params = true};
static const jrpc_slice describe =
    JRPC_SLICE_INIT("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.describe\",\"id\":1}");

static size_t count_of(jrpc_slice text, const char *part)
{
    size_t count = 0;
    for (size_t i = 0; i + strlen(part) <= text.len; i++) {
        count += memcmp(text.ptr + i, part, strlen(part)) == 0;
    }
    return count;
}

// Names of every length, so that each copy that a route needs is once the first without memory.
static void routes_are_registered_whole_or_not_at_all(void **state)
{
    (void)state;
    for (size_t len = 1; len < 900; len += len < 300 ? 1 : 37) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, 8);
        jrpc_router *router = jrpc_router_new(&failing.allocator, JRPC_ROLE_SERVER, NULL);
        assert_non_null(router);
        size_t added = 0;
        for (bool more = true; more;) {
            char names[3][1000];
            for (size_t i = 0; i < 3; i++) {
                memset(names[i], 'a' + (int)i, len);
                (void)snprintf(names[i] + len, 20, "%zu", added);
            }
            const jrpc_route route = {names[0], len % 2 == 0 ? NULL : names[1], names[2]};
            jrpc_error error = {.code = JRPC_OK};
            more = jrpc_router_add_route(router, &route, &any, handle_echo, NULL, &error);
            assert_int_equal(error.code, more ? JRPC_OK : JRPC_ERROR_MEMORY);
            added += more;
            assert_true(added < 10000);
        }
        failing.remaining = SIZE_MAX;
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
        assert_int_equal(jrpc_router_handle(router, describe, 64, NULL, &out, NULL),
                         JRPC_REPLY_TEXT);
        assert_int_equal(count_of(jrpc_buffer_slice(&out), "\"verbs\":["), added);
        assert_int_equal(jrpc_router_method_count(router), added);
        jrpc_buffer_done(&out);
        jrpc_router_free(router);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(routes_are_registered_whole_or_not_at_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
