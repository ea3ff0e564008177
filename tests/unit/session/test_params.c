// Params written into calls for targets that answer none without.
#include "harness/session/params.h"
#include "reference/base/limits.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void calls_without_params_get_an_empty_array_and_nothing_else_changes(void **state)
{
    static const struct {
        const char *text, *completed;
    } rows[] = {
        {"{\"method\":\"m\",\"id\":1}", "{\"method\":\"m\",\"id\":1,\"params\":[]}"},
        {" { \"id\" : 1.0, \"method\" : [] } ",
         " { \"id\" : 1.0, \"method\" : [] ,\"params\":[]} "},
        {"[{\"method\":\"a\"},1,{\"method\":\"b\",\"params\":{}},{\"method\":\"}\"}]",
         "[{\"method\":\"a\",\"params\":[]},1,{\"method\":\"b\",\"params\":{}},"
         "{\"method\":\"}\",\"params\":[]}]"},
        {"{\"method\":\"m\",\"params\":null}", "{\"method\":\"m\",\"params\":null}"},
        {"{\"id\":1,\"result\":2}", "{\"id\":1,\"result\":2}"},
        {"{\"method\":\"m\",\"error\":2}", "{\"method\":\"m\",\"error\":2}"},
        {"[[{\"method\":\"m\"}]]", "[[{\"method\":\"m\"}]]"},
        {"{\"method\":\"m\"", "{\"method\":\"m\""},
        {"{}", "{}"},
        {"[]", "[]"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_buffer payload;
        jrpc_buffer_init(&payload, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
        assert_true(jrpc_buffer_append_str(&payload, rows[i].text));
        assert_true(jck_params_complete(&payload));
        assert_int_equal(payload.len, strlen(rows[i].completed));
        assert_memory_equal(payload.len == 0 ? "" : payload.ptr, rows[i].completed, payload.len);
        jrpc_buffer_done(&payload);
    }
}

static void a_payload_without_room_is_reported(void **state)
{
    jrpc_buffer payload;
    (void)state;
    jrpc_buffer_init(&payload, jrpc_allocator_heap(), 24);
    assert_true(jrpc_buffer_append_str(&payload, "{\"method\":\"m\",\"id\":1}"));
    assert_false(jck_params_complete(&payload));
    jrpc_buffer_done(&payload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_without_params_get_an_empty_array_and_nothing_else_changes),
        cmocka_unit_test(a_payload_without_room_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
