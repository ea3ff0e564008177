// The members of a Response, each left out when empty.
#include "tests/unit/rpc/rpc_test.h"

static void assert_written(jrpc_response response, const char *expected)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    assert_true(jrpc_response_write(&out, &response));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), expected));
    jrpc_buffer_done(&out);
}

static void members_come_in_the_order_of_section_5(void **state)
{
    (void)state;
    assert_written((jrpc_response){.version = JRPC_SLICE("\"2.0\""),
                                   .result = JRPC_SLICE("1"),
                                   .error = JRPC_SLICE("2"),
                                   .id = JRPC_SLICE("3"),
                                   .extra = JRPC_SLICE("\"a\":4,\"b\":5")},
                   "{\"jsonrpc\":\"2.0\",\"result\":1,\"error\":2,\"id\":3,\"a\":4,\"b\":5}");
}

static void an_error_is_made_of_its_parts(void **state)
{
    (void)state;
    assert_written((jrpc_response){.code = JRPC_SLICE("1"),
                                   .message = JRPC_SLICE("\"m\""),
                                   .data = JRPC_SLICE("[]"),
                                   .id = JRPC_SLICE("null")},
                   "{\"error\":{\"code\":1,\"message\":\"m\",\"data\":[]},\"id\":null}");
    assert_written((jrpc_response){.message = JRPC_SLICE("\"m\"")},
                   "{\"error\":{\"message\":\"m\"}}");
    assert_written((jrpc_response){.data = JRPC_SLICE("[]")}, "{\"error\":{\"data\":[]}}");
    assert_written((jrpc_response){.error = JRPC_SLICE("\"e\""), .code = JRPC_SLICE("1")},
                   "{\"error\":\"e\"}");
}

static void empty_members_are_left_out(void **state)
{
    (void)state;
    assert_written((jrpc_response){.suppressed = false}, "{}");
    assert_written((jrpc_response){.extra = JRPC_SLICE("\"a\":1")}, "{\"a\":1}");
    assert_written((jrpc_response){.result = JRPC_SLICE("1"), .suppressed = true}, "");
}

static void a_full_buffer_is_reported(void **state)
{
    (void)state;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 11);
    jrpc_response response = {.result = JRPC_SLICE("1")};
    assert_false(jrpc_response_write(&out, &response));
    jrpc_buffer_done(&out);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 12);
    assert_true(jrpc_response_write(&out, &response));
    jrpc_buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_the_order_of_section_5),
        cmocka_unit_test(an_error_is_made_of_its_parts),
        cmocka_unit_test(empty_members_are_left_out),
        cmocka_unit_test(a_full_buffer_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
