// Texts in, answers out: sections 4 to 6, and the exchanges printed in section 7.
#include "tests/unit/rpc/rpc_test.h"

#define V "\"jsonrpc\":\"2.0\""
#define E_PARSE "\"error\":{\"code\":-32700,\"message\":\"Parse error\"}"
#define E_INVALID "\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"}"
#define E_METHOD "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}"
#define E_PARAMS "\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}"
#define E_INTERNAL "\"error\":{\"code\":-32603,\"message\":\"Internal error\"}"
#define CALL(method, params) "{" V ",\"method\":\"" method "\",\"params\":" params ",\"id\":1}"
#define OK(result) "{" V ",\"result\":" result ",\"id\":1}"
#define ERR(error) "{" V "," error ",\"id\":1}"
#define ERR_NULL(error) "{" V "," error ",\"id\":null}"

typedef struct row {
    const char *name;
    const char *text;
    const char *answer;
} row;

static const row rows[] = {
    {"params by position", CALL("subtract", "[42,23]"), OK("19")},
    {"params by position the other way round", CALL("subtract", "[23,42]"), OK("-19")},
    {"params by name", CALL("subtract", "{\"subtrahend\":23,\"minuend\":42}"), OK("19")},
    {"a notification", "{" V ",\"method\":\"subtract\",\"params\":[1,2]}", ""},
    {"an unknown method", CALL("foobar", "[]"), ERR(E_METHOD)},
    {"no JSON", "{" V ",\"method\":\"foobar, \"params\":\"bar\",\"baz]", ERR_NULL(E_PARSE)},
    {"an empty text", "", ERR_NULL(E_PARSE)},
    {"an invalid request", "{" V ",\"method\":1,\"params\":\"bar\"}", ERR_NULL(E_INVALID)},
    {"a batch that is not JSON",
     "[{" V ",\"method\":\"sum\",\"params\":[1],\"id\":\"1\"},{" V ",\"method\"]",
     ERR_NULL(E_PARSE)},
    {"an empty batch", "[]", ERR_NULL(E_INVALID)},
    {"a batch of one invalid element", "[1]", "[" ERR_NULL(E_INVALID) "]"},
    {"a batch of invalid elements", "[1,2,3]",
     "[" ERR_NULL(E_INVALID) "," ERR_NULL(E_INVALID) "," ERR_NULL(E_INVALID) "]"},
    {"a mixed batch",
     "[" CALL("subtract", "[42,23]") ",{" V
                                     ",\"method\":\"echo\",\"params\":[7]},{\"foo\":\"boo\"}," CALL(
                                         "foo.get", "{\"name\":\"myself\"}") "," CALL("echo",
                                                                                      "[]") "]",
     "[" OK("19") "," ERR_NULL(E_INVALID) "," ERR(E_METHOD) "," OK("[]") "]"},
    {"a batch of notifications",
     "[{" V ",\"method\":\"echo\"},{" V ",\"method\":\"foobar\"},{" V ",\"method\":\"fail\"}]", ""},
    {"a batch of one call", "[" CALL("echo", "[1]") "]", "[" OK("[1]") "]"},
    {"a nested batch is one invalid element", "[[" CALL("echo", "[1]") "]," CALL("echo", "[2]") "]",
     "[" ERR_NULL(E_INVALID) "," OK("[2]") "]"},
    {"an empty nested batch is one invalid element", "[[]]", "[" ERR_NULL(E_INVALID) "]"},
    {"a batch of Responses", "[{" V ",\"result\":1,\"id\":1}]", ""},
    {"one id twice in a batch", "[" CALL("echo", "[1]") "," CALL("echo", "[2]") "]",
     "[" OK("[1]") "," OK("[2]") "]"},

    {"a String id as it was spelled", "{" V ",\"method\":\"echo\",\"id\":\"\\u00e4\\/\"}",
     "{" V ",\"result\":null,\"id\":\"\\u00e4\\/\"}"},
    {"a Number id as it was spelled", "{" V ",\"method\":\"echo\",\"id\":1.00e2}",
     "{" V ",\"result\":null,\"id\":1.00e2}"},
    {"an id past every integer",
     "{" V ",\"method\":\"echo\",\"id\":123456789012345678901234567890}",
     "{" V ",\"result\":null,\"id\":123456789012345678901234567890}"},
    {"the id null is a call", "{" V ",\"method\":\"echo\",\"id\":null}",
     "{" V ",\"result\":null,\"id\":null}"},
    {"an id of another type", "{" V ",\"method\":\"echo\",\"id\":{}}", ERR_NULL(E_INVALID)},
    {"an invalid request keeps a readable id", "{\"method\":\"echo\",\"id\":1}", ERR(E_INVALID)},
    {"null as params", CALL("echo", "null"), ERR(E_INVALID)},
    {"a method name with an escape", CALL("ech\\u006f", "[1]"), OK("[1]")},
    {"a method name that goes on behind a NUL", CALL("echo\\u0000", "[1]"), ERR(E_METHOD)},
    {"an empty method name", CALL("", "[1]"), ERR(E_METHOD)},
    {"method names are case-sensitive", CALL("Echo", "[1]"), ERR(E_METHOD)},
    {"a reserved method that is not there", CALL("rpc.foo", "[]"), ERR(E_METHOD)},
    {"a Response", "{" V ",\"result\":1,\"id\":1}", ""},
    {"an invalid Response", "{" V ",\"result\":1,\"error\":{}}", ""},
    {"a result message on a server", "{" V ",\"method\":\"echo\",\"verb\":\"yield\",\"result\":1}",
     ""},

    {"a handler that wrote nothing", "{" V ",\"method\":\"echo\",\"id\":1}", OK("null")},
    {"a handler that failed without a word", CALL("fail", "[]"), ERR(E_INTERNAL)},
    {"a handler that described its failure", CALL("app_error", "[]"),
     ERR("\"error\":{\"code\":42,\"message\":\"no \\\"more\\\"\",\"data\":{\"a\":[1]}}")},
    {"a failing handler spoils nothing that follows",
     "[" CALL("fail", "[]") "," CALL("echo", "[]") "]", "[" ERR(E_INTERNAL) "," OK("[]") "]"},
    {"a failing notification", "{" V ",\"method\":\"fail\"}", ""},
    {"a notification of an unknown method", "{" V ",\"method\":\"foobar\"}", ""},
    {"a notification with params that do not fit", "{" V ",\"method\":\"subtract\",\"params\":[1]}",
     ""},
    {"an application error of a notification", "{" V ",\"method\":\"app_error\"}", ""},

    {"too few positions", CALL("subtract", "[1]"), ERR(E_PARAMS)},
    {"too many positions", CALL("subtract", "[1,2,3]"), ERR(E_PARAMS)},
    {"a missing name", CALL("subtract", "{\"minuend\":1}"), ERR(E_PARAMS)},
    {"an unknown name", CALL("subtract", "{\"minuend\":1,\"subtrahend\":2,\"x\":3}"),
     ERR(E_PARAMS)},
    {"an unknown name before the others",
     CALL("subtract", "{\"x\":3,\"minuend\":1,\"subtrahend\":2}"), ERR(E_PARAMS)},
    {"a name in another case", CALL("subtract", "{\"Minuend\":1,\"subtrahend\":2}"), ERR(E_PARAMS)},
    {"a name with an escape", CALL("subtract", "{\"m\\u0069nuend\":1,\"subtrahend\":2}"), OK("-1")},
    {"the last of two names", CALL("subtract", "{\"minuend\":9,\"subtrahend\":2,\"minuend\":1}"),
     OK("-1")},
    {"no params where some are required", "{" V ",\"method\":\"subtract\",\"id\":1}",
     ERR(E_PARAMS)},
    {"null counts as a value", CALL("arguments", "[null]"), OK("[null,\"absent\",\"absent\"]")},
    {"optional params may be missing", CALL("arguments", "{\"a\":1,\"c\":3}"),
     OK("[1,\"absent\",3]")},
    {"optional params may be there", CALL("arguments", "[1,2,3]"), OK("[1,2,3]")},
    {"optional params have a bound", CALL("arguments", "[1,2,3,4]"), ERR(E_PARAMS)},
    {"a required one among optional ones", CALL("arguments", "{\"b\":1}"), ERR(E_PARAMS)},
    {"no params for a method without any", "{" V ",\"method\":\"none\",\"id\":1}", OK("[]")},
    {"an empty Array for a method without params", CALL("none", "[]"), OK("[]")},
    {"an empty Object for a method without params", CALL("none", "{}"), OK("[]")},
    {"a position for a method without params", CALL("none", "[1]"), ERR(E_PARAMS)},
    {"a name for a method without params", CALL("none", "{\"a\":1}"), ERR(E_PARAMS)},
    {"any Object", CALL("echo", "{\"a\":[1.0]}"), OK("{\"a\":[1.0]}")},
};

static void every_text_gets_its_answer(void **state)
{
    (void)state;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("  %s\n", rows[i].name);
        assert_answer_of(router, rows[i].text, rows[i].answer);
    }
    jrpc_router_free(router);
}

static void what_is_rejected_has_no_effect_and_what_is_silent_has_one(void **state)
{
    (void)state;
    int calls = 0;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, &calls);
    assert_answer_of(router, "{" V ",\"method\":\"echo\",\"params\":[1]}", "");
    assert_answer_of(router, "[{" V ",\"method\":\"echo\"},{" V ",\"method\":\"fail\"}]", "");
    assert_int_equal(calls, 3);
    assert_answer_of(router, "{" V ",\"method\":\"subtract\",\"params\":[1]}", "");
    assert_answer_of(router, "{\"method\":\"echo\",\"id\":1}", ERR(E_INVALID));
    assert_answer_of(router, "{" V ",\"method\":\"echo\",\"verb\":\"return\",\"result\":1}", "");
    assert_int_equal(calls, 3);
    jrpc_router_free(router);
}

static void a_client_dispatches_result_messages(void **state)
{
    (void)state;
    int calls = 0;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_CLIENT, NULL, &calls);
    assert_answer_of(router, "{" V ",\"method\":\"echo\",\"verb\":\"yield\",\"result\":1}", "");
    assert_int_equal(calls, 1);
    assert_answer_of(router, CALL("echo", "[1]"), OK("[1]"));
    assert_answer_of(router, "{" V ",\"result\":1,\"id\":1}", "");
    assert_int_equal(calls, 2);
    jrpc_router_free(router);
}

static void text_past_the_depth_is_no_json(void **state)
{
    (void)state;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    assert_int_equal(jrpc_router_handle(router, JRPC_SLICE("[[[]]]"), 2, NULL, &out, NULL),
                     JRPC_REPLY_TEXT);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), ERR_NULL(E_PARSE)));
    jrpc_buffer_done(&out);
    jrpc_router_free(router);
}

static void an_answer_goes_behind_what_is_there(void **state)
{
    (void)state;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    jrpc_buffer_append_str(&out, "head ");
    jrpc_router_handle(router, JRPC_SLICE(CALL("echo", "[1]")), 8, NULL, &out, NULL);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), "head " OK("[1]")));
    jrpc_buffer_done(&out);
    jrpc_router_free(router);
}

static void a_batch_past_its_limit_is_one_invalid_request(void **state)
{
    (void)state;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), OUT_BYTES);
    jrpc_buffer_append_char(&text, '[');
    for (size_t i = 0; i < JRPC_LIMIT_BATCH_ELEMENTS; i++) {
        jrpc_buffer_append_str(&text, "1,");
    }
    jrpc_buffer_append_str(&text, "1]");
    assert_true(jrpc_buffer_append_char(&text, '\0'));
    assert_answer_of(router, text.ptr, ERR_NULL(E_INVALID));

    jrpc_buffer_truncate(&text, text.len - 4);
    jrpc_buffer_append_char(&text, ']');
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    assert_int_equal(jrpc_router_handle(router, jrpc_buffer_slice(&text), 8, NULL, &out, NULL),
                     JRPC_REPLY_TEXT);
    assert_int_equal(out.len, JRPC_LIMIT_BATCH_ELEMENTS * (sizeof ERR_NULL(E_INVALID) - 1 + 1) + 1);
    jrpc_buffer_done(&out);
    jrpc_buffer_done(&text);
    jrpc_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_gets_its_answer),
        cmocka_unit_test(what_is_rejected_has_no_effect_and_what_is_silent_has_one),
        cmocka_unit_test(a_client_dispatches_result_messages),
        cmocka_unit_test(text_past_the_depth_is_no_json),
        cmocka_unit_test(an_answer_goes_behind_what_is_there),
        cmocka_unit_test(a_batch_past_its_limit_is_one_invalid_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
