// Routes: what may be registered, that structured and plain callers meet the same handler and the
// same authorization, what each role dispatches, and what rpc.describe tells.
#include "tests/unit/rpc/rpc_test.h"

#include <stdio.h>
#include <string.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define V "\"jsonrpc\":\"2.0\""
#define PLAIN(method, id) "{" V ",\"method\":\"" method "\",\"id\":" id "}"
#define USER_GET V ",\"method\":\"user.get\",\"resource\":\"user\",\"verb\":\"get\""
#define REFUSED(data)                                                                              \
    "{" V ",\"error\":{\"code\":-32600,\"message\":\"Invalid Request\",\"data\":\"" data           \
    "\"},\"id\":1}"
#define NOT_FOUND "{" V ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"},\"id\":1}"

static const jrpc_method any = {.any_params = true};

static void add_route(jrpc_router *router, const char *resource, const char *subresource,
                      const char *verb, jrpc_handler handler, void *context)
{
    const jrpc_route route = {resource, subresource, verb};
    jrpc_error error = {.code = JRPC_OK};
    if (!jrpc_router_add_route(router, &route, &any, handler, context, &error)) {
        fail_msg("%s.%s: %s", resource, verb, error.message);
    }
}

static void write_field(jrpc_call *call, jrpc_json field)
{
    if (jrpc_json_exists(field)) {
        jrpc_json_write_value(call->result, field);
    } else {
        jrpc_json_write_null(call->result);
    }
}

// Answers [the route, target, parent, params, cache, result, whether a fresh result is wanted].
static bool tell(void *context, jrpc_call *call)
{
    if (context != NULL) {
        ++*(int *)context;
    }
    const jrpc_route *route = call->route;
    char name[64];
    (void)snprintf(name, sizeof name, "%s/%s:%s", route->resource,
                   route->subresource == NULL ? "" : route->subresource, route->verb);
    jrpc_json_write_begin_array(call->result);
    jrpc_json_write_str(call->result, name);
    write_field(call, call->fields->target);
    write_field(call, call->fields->parent);
    write_field(call, call->params);
    write_field(call, call->fields->cache);
    write_field(call, call->fields->result);
    jrpc_json_write_bool(call->result, jrpc_call_wants_fresh(call));
    jrpc_json_write_end_array(call->result);
    return true;
}

static bool hint(void *context, jrpc_call *call)
{
    jrpc_call_cache(call, 4294967295u);
    return context == NULL || jrpc_call_fail(call, 1, "no", JRPC_SLICE(""));
}

// user get, repo get, repo/issue get, repo/get get; hint get, hint fail; plain subtract and others.
static jrpc_router *make_routes(const jrpc_allocator *allocator, jrpc_role role, int *calls)
{
    jrpc_router *router = make_router(allocator, role, NULL, NULL);
    add_route(router, "user", NULL, "get", tell, calls);
    add_route(router, "repo", NULL, "get", tell, calls);
    add_route(router, "repo", "issue", "get", tell, calls);
    add_route(router, "repo", "get", "get", tell, calls);
    add_route(router, "hint", NULL, "get", hint, NULL);
    add_route(router, "hint", NULL, "fail", hint, router);
    return router;
}

static void structured_and_plain_callers_meet_the_same_handler(void **state)
{
    (void)state;
    static const char *const talk[][2] = {
        {PLAIN("user.get", "1"),
         "{" V ",\"result\":[\"user/:get\",null,null,null,null,null,false],\"id\":1}"},
        {"{" USER_GET ",\"target\":\"\\u0034\",\"params\":[7],\"id\":1}",
         "{" V ",\"result\":[\"user/:get\",\"\\u0034\",null,[7],null,null,false],\"id\":1}"},
        {"{\"id\":\"\\u0031\",\"verb\":\"g\\u0065t\",\"target\":1.0,\"cache\":\"no-cache\","
         "\"resource\":\"us\\u0065r\",\"method\":\"\\u0075ser.get\",\"meta\":{}," V "}",
         "{" V ",\"result\":[\"user/:get\",1.0,null,null,\"no-cache\",null,true],"
         "\"id\":\"\\u0031\"}"},
        {"{" V ",\"method\":\"repo.issue.get\",\"resource\":\"repo\",\"subresource\":\"issue\","
         "\"verb\":\"get\",\"parent\":99,\"target\":\"7\",\"cache\":1,\"id\":null}",
         "{" V ",\"result\":[\"repo/issue:get\",\"7\",99,null,1,null,false],\"id\":null}"},
        {PLAIN("repo.issue.get", "1"),
         "{" V ",\"result\":[\"repo/issue:get\",null,null,null,null,null,false],\"id\":1}"},
        {"{" V ",\"method\":\"repo.get.get\",\"resource\":\"repo\",\"subresource\":\"get\","
         "\"verb\":\"get\",\"id\":1}",
         "{" V ",\"result\":[\"repo/get:get\",null,null,null,null,null,false],\"id\":1}"},
        {"[{" USER_GET ",\"target\":1},{" USER_GET ",\"target\":2,\"id\":1}]",
         "[{" V ",\"result\":[\"user/:get\",2,null,null,null,null,false],\"id\":1}]"},
        {"{" USER_GET ",\"target\":1}", ""},
        {"{" V ",\"method\":\"subtract\",\"params\":[3,1],\"target\":1,\"id\":1}",
         "{" V ",\"result\":2,\"id\":1}"},
    };
    jrpc_router *router = make_routes(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    for (size_t i = 0; i < LENGTH(talk); i++) {
        assert_answer_of(router, talk[i][0], talk[i][1]);
    }
    jrpc_router_free(router);
}

static void what_disagrees_reaches_no_handler(void **state)
{
    (void)state;
    static const char mismatch[] =
        REFUSED("`method` is not `resource`, `subresource` (if any) and `verb` joined by dots");
    static const char *const talk[][2] = {
        {"{" USER_GET ",\"resource\":\"repo\",\"id\":1}", mismatch},
        {"{" USER_GET ",\"subresource\":\"issue\",\"id\":1}", mismatch},
        {"{" USER_GET ",\"method\":\"subtract\",\"params\":[3,1],\"id\":1}", mismatch},
        {"{" USER_GET ",\"verb\":\"GET\",\"id\":1}", mismatch},
        {"{" USER_GET ",\"target\":null,\"id\":1}",
         REFUSED("`target` is neither String nor Number")},
        {"{" V ",\"method\":\"repo.issue.get\",\"resource\":\"repo.issue\",\"verb\":\"get\","
         "\"id\":1}",
         REFUSED("a name among `resource`, `subresource` and `verb` holds a dot")},
        {"{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\",\"id\":1}",
         REFUSED("the verbs yield and return are reserved for result messages")},
        {"{" V ",\"method\":\"job.return\",\"resource\":\"job\",\"verb\":\"return\",\"id\":1,"
         "\"result\":{\"status\":\"done\"}}",
         REFUSED("the verbs yield and return are reserved for result messages")},
        {"{" USER_GET ",\"target\":null}", ""},
        {"[{" USER_GET ",\"target\":null},{" USER_GET ",\"verb\":\"x\"}]", ""},
        {"{" USER_GET ",\"method\":\"user.put\",\"verb\":\"put\",\"id\":1}", NOT_FOUND},
        {"{" V ",\"method\":\"rpc.get\",\"resource\":\"rpc\",\"verb\":\"get\",\"id\":1}",
         NOT_FOUND},
        {PLAIN("User.get", "1"), NOT_FOUND},
        {PLAIN("user.get\\u0000", "1"), NOT_FOUND},
        {PLAIN("job.yield", "1"), NOT_FOUND},
    };
    int calls = 0;
    jrpc_router *router = make_routes(jrpc_allocator_heap(), JRPC_ROLE_SERVER, &calls);
    for (size_t i = 0; i < LENGTH(talk); i++) {
        assert_answer_of(router, talk[i][0], talk[i][1]);
    }
    assert_int_equal(calls, 0);
    jrpc_router_free(router);
}

static void a_router_without_routes_knows_no_structured_members(void **state)
{
    (void)state;
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    assert_answer_of(router, "{" V ",\"method\":\"echo\",\"verb\":7,\"resource\":null,\"id\":1}",
                     "{" V ",\"result\":null,\"id\":1}");
    assert_answer_of(router, PLAIN("rpc.describe", "1"), NOT_FOUND);
    jrpc_router_free(router);
}

static void a_hint_stands_in_the_response_of_a_success_alone(void **state)
{
    (void)state;
    jrpc_router *router = make_routes(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    assert_answer_of(router, PLAIN("hint.get", "1"),
                     "{" V ",\"result\":null,\"cache\":{\"max-age\":4294967295},\"id\":1}");
    assert_answer_of(router, PLAIN("hint.fail", "1"),
                     "{" V ",\"error\":{\"code\":1,\"message\":\"no\"},\"id\":1}");
    jrpc_router_free(router);
}

// Who may: nobody gets issues; users are told in words of their own.
static bool may(void *context, jrpc_call *call)
{
    ++*(int *)context;
    if (jrpc_route_is(call->route, "user:get")) {
        return jrpc_call_fail(call, 7, "not you", JRPC_SLICE("[]"));
    }
    return !jrpc_route_is(call->route, "repo/issue:get");
}

static void nobody_gets_around_the_authorization(void **state)
{
    (void)state;
    static const char own[] = "{" V ",\"error\":{\"code\":7,\"message\":\"not you\",\"data\":[]},"
                              "\"id\":1}";
    static const char standard[] = "{" V ",\"error\":{\"code\":-32001,\"message\":\"Server error\"}"
                                   ",\"id\":1}";
    static const char *const talk[][2] = {
        {PLAIN("user.get", "1"), own},
        {"{" USER_GET ",\"id\":1}", own},
        {"{" USER_GET ",\"meta\":{\"role\":\"admin\"},\"params\":{\"meta\":1},\"id\":1}", own},
        {"[{" USER_GET "},{" V ",\"method\":\"user.get\"}]", ""},
        {PLAIN("repo.issue.get", "1"), standard},
        {PLAIN("r\\u0065po.issue.get", "1"), standard},
        {"{" V ",\"method\":\"repo.issue.get\",\"resource\":\"repo\",\"subresource\":\"issue\","
         "\"verb\":\"get\",\"id\":1}",
         standard},
    };
    int calls = 0;
    int asked = 0;
    jrpc_router *router = make_routes(jrpc_allocator_heap(), JRPC_ROLE_SERVER, &calls);
    jrpc_router_authorize(router, may, &asked);
    for (size_t i = 0; i < LENGTH(talk); i++) {
        assert_answer_of(router, talk[i][0], talk[i][1]);
    }
    assert_int_equal(calls, 0);
    assert_int_equal(asked, 8);
    assert_answer_of(router, PLAIN("repo.get", "1"),
                     "{" V ",\"result\":[\"repo/:get\",null,null,null,null,null,false],\"id\":1}");
    assert_int_equal(asked, 9);
    assert_answer_of(router, "{" V ",\"method\":\"subtract\",\"params\":[3,1],\"id\":1}",
                     "{" V ",\"result\":2,\"id\":1}");
    assert_int_equal(asked, 9);
    jrpc_router_authorize(router, NULL, NULL);
    assert_answer_of(router, "{" USER_GET "}", "");
    assert_int_equal(calls, 2);
    jrpc_router_free(router);
}

static void a_pattern_names_one_route(void **state)
{
    (void)state;
    const jrpc_route user = {"user", NULL, "get"};
    const jrpc_route issue = {"repo", "issue", "get"};
    const jrpc_route odd = {"a/b", NULL, "c:d"};
    assert_true(jrpc_route_is(&user, "user:get"));
    assert_true(jrpc_route_is(&issue, "repo/issue:get"));
    assert_true(jrpc_route_is(&odd, "a/b:c:d"));
    static const char *const others[] = {
        "",          "user", "user:",     "user:ge", "user:gets", "User:get",   "user.get",
        "user/:get", ":get", "users:get", "use:get", "repo:get",  "repo/issue", "*:*"};
    for (size_t i = 0; i < LENGTH(others); i++) {
        assert_false(jrpc_route_is(&user, others[i]));
        assert_false(jrpc_route_is(&issue, others[i]));
    }
}

static void a_client_dispatches_result_messages_and_a_server_does_not(void **state)
{
    (void)state;
    static const char *const results[] = {
        "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\","
        "\"target\":\"job-1\",\"result\":{\"status\":\"pending\"},\"request_id\":1}",
        "[{" V ",\"method\":\"job.return\",\"resource\":\"job\",\"verb\":\"return\","
        "\"target\":\"job-1\",\"result\":{\"status\":\"done\"}}]",
        "{" V ",\"method\":\"repo.run.yield\",\"resource\":\"repo\",\"subresource\":\"run\","
        "\"parent\":1,\"verb\":\"yield\",\"result\":null}",
    };
    static const char *const others[] = {
        "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\"}",
        "{" V ",\"method\":\"job.other\",\"resource\":\"job\",\"verb\":\"yield\",\"result\":1}",
        "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\",\"result\":1,"
        "\"target\":null}",
        "{" V ",\"method\":\"task.yield\",\"resource\":\"task\",\"verb\":\"yield\",\"result\":1}",
    };
    int calls = 0;
    jrpc_router *client = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_CLIENT, NULL);
    add_route(client, "job", NULL, "yield", tell, &calls);
    add_route(client, "job", NULL, "return", tell, &calls);
    add_route(client, "repo", "run", "yield", tell, &calls);
    jrpc_router *server = make_routes(jrpc_allocator_heap(), JRPC_ROLE_SERVER, &calls);
    for (size_t i = 0; i < LENGTH(results); i++) {
        assert_answer_of(server, results[i], "");
        assert_int_equal(calls, i);
        assert_answer_of(client, results[i], "");
        assert_int_equal(calls, i + 1);
    }
    for (size_t i = 0; i < LENGTH(others); i++) {
        assert_answer_of(client, others[i], "");
        assert_answer_of(server, others[i], "");
    }
    assert_answer_of(client,
                     "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\","
                     "\"result\":1,\"id\":1}",
                     REFUSED("the verbs yield and return are reserved for result messages"));
    assert_int_equal(calls, LENGTH(results));
    jrpc_router_free(client);
    jrpc_router_free(server);
}

static void names_that_cannot_be_told_apart_are_refused(void **state)
{
    (void)state;
    static const struct {
        jrpc_route route;
        const char *words;
    } rows[] = {
        {{"", NULL, "get"}, "the resource is empty"},
        {{NULL, NULL, "get"}, "the resource is empty"},
        {{"user", NULL, ""}, "the verb is empty"},
        {{"user", NULL, NULL}, "the verb is empty"},
        {{"user", "", "get"}, "the subresource is empty"},
        {{"a.b", NULL, "get"}, "the resource a.b holds a dot"},
        {{"a", "b.c", "get"}, "the subresource b.c holds a dot"},
        {{"a", NULL, "get.all"}, "the verb get.all holds a dot"},
        {{"rpc", NULL, "get"}, "the resource rpc is reserved"},
        {{"rpc", "a", "get"}, "the resource rpc is reserved"},
        {{"a\xFF", NULL, "get"}, "the resource is no UTF-8"},
        {{"a", NULL, "yield"}, "the verb yield of a"},
        {{"a", "b", "return"}, "the verb return of a"},
        {{"user", NULL, "get"}, "method user.get is registered already"},
        {{"repo", "issue", "get"}, "method repo.issue.get is registered already"},
        {{"plain", NULL, "get"}, "method plain.get is registered already"},
    };
    jrpc_router *router = make_routes(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    add_method(router, "plain.get", NULL, 0, true, handle_echo, NULL);
    size_t before = jrpc_router_method_count(router);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        jrpc_error error = {.code = JRPC_OK};
        assert_false(jrpc_router_add_route(router, &rows[i].route, &any, tell, NULL, &error));
        assert_int_equal(error.code, JRPC_ERROR_INVALID);
        if (strstr(error.message, rows[i].words) == NULL) {
            fail_msg("got \"%s\", expected \"%s\"", error.message, rows[i].words);
        }
    }
    const jrpc_route wild = {"a", NULL, "b"};
    assert_false(jrpc_router_add_route(router, &wild, &any, NULL, NULL, NULL));
    assert_int_equal(jrpc_router_method_count(router), before);
    add_route(router, "x", NULL, "rpc", tell, NULL);
    add_route(router, "yield", NULL, "get", tell, NULL);
    add_route(router, "a/b :", NULL, "\xF0\x9D\x84\x9E", tell, NULL);
    assert_answer_of(router,
                     "{" V ",\"method\":\"a/b :.\\ud834\\udd1e\",\"resource\":\"a/b :\","
                     "\"verb\":\"\xF0\x9D\x84\x9E\",\"id\":1}",
                     "{" V
                     ",\"result\":[\"a/b :/:\xF0\x9D\x84\x9E\",null,null,null,null,null,false]"
                     ",\"id\":1}");
    jrpc_router_free(router);
}

static void describe_tells_what_was_registered_in_its_order(void **state)
{
    (void)state;
    static const char expected[] =
        "{" V ",\"result\":{\"extension\":\"ro-jrpc\",\"version\":\"1.0\",\"resources\":{"
        "\"b\":{\"subresources\":{\"z\":{\"verbs\":[\"v\"]},\"y\":{\"verbs\":[\"v\",\"u\"]}}},"
        "\"a\\\"\":{\"verbs\":[\"v\",\"u\"],\"subresources\":{\"y\":{\"verbs\":[\"v\"]}}}}},"
        "\"id\":1}";
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL, NULL);
    add_route(router, "b", "z", "v", tell, NULL);
    add_route(router, "a\"", NULL, "v", tell, NULL);
    add_route(router, "b", "y", "v", tell, NULL);
    add_route(router, "a\"", NULL, "u", tell, NULL);
    add_route(router, "a\"", "y", "v", tell, NULL);
    add_route(router, "b", "y", "u", tell, NULL);
    const jrpc_route refused = {"c", NULL, "yield"};
    assert_false(jrpc_router_add_route(router, &refused, &any, tell, NULL, NULL));
    const jrpc_route again = {"b", "y", "u"};
    assert_false(jrpc_router_add_route(router, &again, &any, tell, NULL, NULL));
    assert_answer_of(router, PLAIN("rpc.describe", "1"), expected);
    assert_answer_of(router,
                     "{" V ",\"method\":\"rpc.describe\",\"resource\":\"rpc\","
                     "\"verb\":\"describe\",\"params\":{},\"id\":1}",
                     expected);
    assert_answer_of(router, "{" V ",\"method\":\"rpc.describe\"}", "");
    assert_answer_of(router, "{" V ",\"method\":\"rpc.describe\",\"params\":[1],\"id\":1}",
                     "{" V ",\"error\":{\"code\":-32602,\"message\":\"Invalid params\"},\"id\":1}");
    jrpc_router_free(router);
}

static bool tell_number(void *context, jrpc_call *call)
{
    jrpc_json_write_int(call->result, *(const int *)context);
    return true;
}

static void ten_thousand_verbs_are_found_each(void **state)
{
    (void)state;
    enum { RESOURCES = 40, SUBRESOURCES = 10, VERBS = 25 };
    static int numbers[RESOURCES * SUBRESOURCES * VERBS];
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    char names[3][16];
    for (int i = 0; i < (int)LENGTH(numbers); i++) {
        numbers[i] = i;
        (void)snprintf(names[0], sizeof names[0], "r%d", i % RESOURCES);
        (void)snprintf(names[1], sizeof names[1], "s%d", i / RESOURCES % SUBRESOURCES);
        (void)snprintf(names[2], sizeof names[2], "v%d", i / RESOURCES / SUBRESOURCES);
        add_route(router, names[0], i / RESOURCES % SUBRESOURCES == 0 ? NULL : names[1], names[2],
                  tell_number, &numbers[i]);
    }
    for (int i = 0; i < (int)LENGTH(numbers); i += 7) {
        char text[200];
        char expected[80];
        int sub = i / RESOURCES % SUBRESOURCES;
        (void)snprintf(names[1], sizeof names[1], "s%d.", sub);
        (void)snprintf(text, sizeof text, "{" V ",\"method\":\"r%d.%sv%d\",\"id\":1}",
                       i % RESOURCES, sub == 0 ? "" : names[1], i / RESOURCES / SUBRESOURCES);
        (void)snprintf(expected, sizeof expected, "{" V ",\"result\":%d,\"id\":1}", i);
        assert_answer_of(router, text, expected);
    }
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    assert_int_equal(
        jrpc_router_handle(router, JRPC_SLICE(PLAIN("rpc.describe", "1")), 8, NULL, &out, NULL),
        JRPC_REPLY_TEXT);
    size_t verbs = 0;
    for (size_t i = 0; i + 1 < out.len; i++) {
        verbs += out.ptr[i] == '"' && out.ptr[i + 1] == 'v' && out.ptr[i + 2] != 'e';
    }
    assert_int_equal(verbs, LENGTH(numbers));
    jrpc_buffer_done(&out);
    jrpc_router_free(router);
}

static void registration_without_memory_changes_nothing(void **state)
{
    (void)state;
    static const char description[] =
        "{" V ",\"result\":{\"extension\":\"ro-jrpc\",\"version\":\"1.0\","
        "\"resources\":{\"a\":{\"subresources\":{\"b\":{\"verbs\":[\"c\"]}}"
        "}}},\"id\":1}";
    const jrpc_route route = {"a", "b", "c"};
    bool added = false;
    for (size_t n = 1; !added; n++) {
        assert_true(n < 100);
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, n);
        jrpc_router *router = jrpc_router_new(&failing.allocator, JRPC_ROLE_SERVER, NULL);
        assert_non_null(router);
        jrpc_error error = {.code = JRPC_OK};
        added = jrpc_router_add_route(router, &route, &any, tell, NULL, &error);
        assert_int_equal(error.code, added ? JRPC_OK : JRPC_ERROR_MEMORY);
        assert_int_equal(jrpc_router_method_count(router), added ? 1 : 0);
        failing.remaining = SIZE_MAX;
        if (!added) {
            assert_answer_of(router, PLAIN("rpc.describe", "1"), NOT_FOUND);
            assert_true(jrpc_router_add_route(router, &route, &any, tell, NULL, NULL));
        }
        assert_answer_of(router, PLAIN("rpc.describe", "1"), description);
        jrpc_router_free(router);
    }
}

static void an_answer_is_whole_or_not_there(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{" USER_GET ",\"target\":null,\"id\":1}",
        "{" V
        ",\"method\":\"us\\u0065r.get\",\"resource\":\"us\\u0065r\",\"verb\":\"get\",\"id\":1}",
        PLAIN("rpc.describe", "1"),
        PLAIN("repo.issue.get", "1"),
    };
    int asked = 0;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, SIZE_MAX);
        jrpc_router *router = make_routes(&failing.allocator, JRPC_ROLE_SERVER, NULL);
        jrpc_router_authorize(router, may, &asked);
        jrpc_reply reply = JRPC_REPLY_FAILED;
        for (size_t n = 0; reply == JRPC_REPLY_FAILED; n++) {
            assert_true(n < 100);
            failing.remaining = n;
            jrpc_buffer out;
            jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
            jrpc_error error = {.code = JRPC_OK};
            reply = jrpc_router_handle(router, jrpc_slice_str(texts[i]), 64, NULL, &out, &error);
            assert_int_equal(error.code == JRPC_ERROR_MEMORY, reply == JRPC_REPLY_FAILED);
            assert_int_equal(out.len == 0, reply == JRPC_REPLY_FAILED);
            jrpc_buffer_done(&out);
        }
        jrpc_router_free(router);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structured_and_plain_callers_meet_the_same_handler),
        cmocka_unit_test(what_disagrees_reaches_no_handler),
        cmocka_unit_test(a_router_without_routes_knows_no_structured_members),
        cmocka_unit_test(a_hint_stands_in_the_response_of_a_success_alone),
        cmocka_unit_test(nobody_gets_around_the_authorization),
        cmocka_unit_test(a_pattern_names_one_route),
        cmocka_unit_test(a_client_dispatches_result_messages_and_a_server_does_not),
        cmocka_unit_test(names_that_cannot_be_told_apart_are_refused),
        cmocka_unit_test(describe_tells_what_was_registered_in_its_order),
        cmocka_unit_test(ten_thousand_verbs_are_found_each),
        cmocka_unit_test(registration_without_memory_changes_nothing),
        cmocka_unit_test(an_answer_is_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
