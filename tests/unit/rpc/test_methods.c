// Registration: what is refused, that names are copied, and that lookups survive growth.
#include "tests/unit/rpc/rpc_test.h"

#include <stdio.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static void assert_refused(jrpc_router *router, jrpc_method method, jrpc_handler handler)
{
    jrpc_error error = {.code = JRPC_OK};
    size_t before = jrpc_router_method_count(router);
    assert_false(jrpc_router_add(router, &method, handler, NULL, &error));
    assert_int_equal(error.code, JRPC_ERROR_INVALID);
    assert_int_equal(jrpc_router_method_count(router), before);
}

static void what_breaks_the_contract_is_refused(void **state)
{
    (void)state;
    static const jrpc_parameter nameless[] = {{"a", false}, {"", false}};
    static const jrpc_parameter null_name[] = {{NULL, false}};
    static const jrpc_parameter twice[] = {{"a", false}, {"b", false}, {"a", false}};
    static const jrpc_parameter late[] = {{"a", true}, {"b", false}};
    static const jrpc_parameter one[] = {{"a", false}};
    static const jrpc_parameter many[] = {
        {"a", false}, {"b", false}, {"c", false}, {"d", false}, {"e", false}, {"f", false},
        {"g", false}, {"h", false}, {"i", false}, {"j", false}, {"k", false}, {"l", false},
        {"m", false}, {"n", false}, {"o", false}, {"p", false}, {"q", false}};
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    assert_int_equal(jrpc_router_method_count(router), 6);
    assert_refused(router, (jrpc_method){.name = ""}, handle_echo);
    assert_refused(router, (jrpc_method){.name = NULL}, handle_echo);
    assert_refused(router, (jrpc_method){.name = "x"}, NULL);
    assert_refused(router, (jrpc_method){.name = "rpc."}, handle_echo);
    assert_refused(router, (jrpc_method){.name = "rpc.describe"}, handle_echo);
    assert_refused(router, (jrpc_method){.name = "echo"}, handle_echo);
    assert_refused(router, (jrpc_method){"x", nameless, COUNT(nameless), false}, handle_echo);
    assert_refused(router, (jrpc_method){"x", null_name, COUNT(null_name), false}, handle_echo);
    assert_refused(router, (jrpc_method){"x", twice, COUNT(twice), false}, handle_echo);
    assert_refused(router, (jrpc_method){"x", late, COUNT(late), false}, handle_echo);
    assert_refused(router, (jrpc_method){"x", one, COUNT(one), true}, handle_echo);
    assert_refused(router, (jrpc_method){"x", many, COUNT(many), false}, handle_echo);
    add_method(router, "x", many, COUNT(many) - 1, false, handle_echo, NULL);
    add_method(router, "rpc", NULL, 0, true, handle_echo, NULL);
    add_method(router, "rpcx", NULL, 0, true, handle_echo, NULL);
    jrpc_router_free(router);
    jrpc_router_free(NULL);
}

static bool handle_number(void *context, jrpc_call *call)
{
    jrpc_json_write_int(call->result, *(const int *)context);
    return true;
}

static void a_thousand_methods_are_found_by_copied_names(void **state)
{
    (void)state;
    static int numbers[1000];
    char name[16];
    char parameter_name[16];
    jrpc_parameter parameter = {parameter_name, true};
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    for (int i = 0; i < 1000; i++) {
        numbers[i] = i;
        snprintf(name, sizeof name, "m%d", i);
        snprintf(parameter_name, sizeof parameter_name, "p%d", i);
        add_method(router, name, &parameter, 1, false, handle_number, &numbers[i]);
    }
    memset(name, 'x', sizeof name);
    memset(parameter_name, 'x', sizeof parameter_name);
    assert_int_equal(jrpc_router_method_count(router), 1000);
    for (int i = 0; i < 1000; i++) {
        char text[128];
        char answer[128];
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"method\":\"m%d\",\"params\":{\"p%d\":0},\"id\":1}", i, i);
        snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"result\":%d,\"id\":1}", i);
        assert_answer_of(router, text, answer);
    }
    assert_answer_of(router, "{\"jsonrpc\":\"2.0\",\"method\":\"m1000\",\"id\":1}",
                     "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not "
                     "found\"},\"id\":1}");
    jrpc_router_free(router);
}

static void a_router_without_methods_finds_none(void **state)
{
    (void)state;
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    assert_answer_of(router, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}",
                     "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not "
                     "found\"},\"id\":1}");
    jrpc_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_breaks_the_contract_is_refused),
        cmocka_unit_test(a_thousand_methods_are_found_by_copied_names),
        cmocka_unit_test(a_router_without_methods_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
