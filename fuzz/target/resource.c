// Messages of RO-JRPC: what is read of a message, what is wrong about it, where it is routed and
// what is answered are what the lists say; what is built is read again as it was meant, and is
// refused exactly where the parts cannot stand together.
//
// Options: the role and the status of a result, the n-th allocation that fails. A route is
// registered for the names of the message itself.
#include "fuzz/fuzz.h"
#include "fuzz/model/answer.h"
#include "fuzz/model/described.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/route.h"
#include "reference/json/read.h"
#include "reference/rpc/build.h"
#include "reference/rpc/router.h"

#include <stdio.h>

enum { ROOM = 1 << 20, MAX_DEPTH = 64, ROUTES = 8 };

static const jrpc_route routes[ROUTES] = {
    {"user", NULL, "get"},         {"user", NULL, "delete"}, {"repo", "issue", "get"},
    {"repo", "issue", "close"},    {"repo", NULL, "list"},   {"vault", NULL, "open"},
    {"\xC3\xA9 \"x\"", "s", "\n"}, {"vault", NULL, "lock"},
};

// The route that the message names, where it is registered too; the model of a call has no context.
static jrpc_route own;
static jrpc_slice own_name;
static tree_pool *model_pool;

static bool answer_name(void *context, jrpc_call *call)
{
    ++*(size_t *)context;
    FUZZ_REQUIRE(call->route != NULL && call->allowed);
    // What has an id is a call; a result message has none.
    FUZZ_REQUIRE(call->notification == !jrpc_json_exists(call->id));
    if (jrpc_route_is(call->route, "vault:lock")) {
        return false; // without a word about it
    }
    jrpc_json_write_string(call->result, call->method);
    jrpc_call_cache(call, 60);
    return true;
}

static bool may(void *context, jrpc_call *call)
{
    (void)context;
    bool allowed = !jrpc_route_is(call->route, "vault:open");
    if (allowed) { // what it says of a refusal that it then does not utter is forgotten
        (void)jrpc_call_fail(call, -31999, "refused", JRPC_SLICE("1"));
    }
    return allowed;
}

static bool register_routes(jrpc_router *router, size_t *calls)
{
    static const jrpc_method any = {.any_params = true};
    jrpc_router_authorize(router, may, NULL);
    bool whole = true;
    for (size_t i = 0; i < ROUTES; i++) {
        whole = jrpc_router_add_route(router, &routes[i], &any, answer_name, calls, NULL) && whole;
    }
    return whole;
}

// A member of the message as a C string; NULL where there is none that can be one.
static const char *text_of(tree_pool *pool, const tree *message, const char *name)
{
    const tree *member = message->kind == 'o' ? tree_member(message, name) : NULL;
    if (member == NULL || member->kind != 's' ||
        (member->content.len != 0 && memchr(member->content.ptr, 0, member->content.len) != NULL)) {
        return NULL;
    }
    char *copy = tree_alloc(pool, member->content.len + 1);
    memcpy(copy, member->content.len == 0 ? "" : member->content.ptr, member->content.len);
    return copy;
}

static bool is_registered(jrpc_slice name)
{
    static const char *const known[ROUTES] = {
        "user.get",  "user.delete", "repo.issue.get",      "repo.issue.close",
        "repo.list", "vault.open",  "\xC3\xA9 \"x\".s.\n", "vault.lock",
    };
    for (size_t i = 0; i < ROUTES; i++) {
        if (jrpc_slice_is(name, known[i])) {
            return true;
        }
    }
    return own_name.len != 0 && jrpc_slice_equal(name, own_name);
}

static bool is_reserved(const char *verb)
{
    return strcmp(verb, "yield") == 0 || strcmp(verb, "return") == 0;
}

// Registers the message's own route, if it has one that may be.
static void register_own(jrpc_router *router, jrpc_role role, const tree *message, size_t *calls)
{
    own_name = (jrpc_slice){NULL, 0};
    if (message->kind != 'o') {
        return;
    }
    jrpc_route route = {text_of(model_pool, message, "resource"),
                        text_of(model_pool, message, "subresource"),
                        text_of(model_pool, message, "verb")};
    if (route.resource == NULL || route.verb == NULL ||
        (route.subresource == NULL && tree_member(message, "subresource") != NULL)) {
        return;
    }
    jrpc_slice name = route_name(model_pool, message);
    bool good = route_name_is_good("resource", jrpc_slice_str(route.resource)) &&
                route_name_is_good("verb", jrpc_slice_str(route.verb)) &&
                (route.subresource == NULL ||
                 route_name_is_good("subresource", jrpc_slice_str(route.subresource))) &&
                (role == JRPC_ROLE_CLIENT || !is_reserved(route.verb));
    const jrpc_method any = {.any_params = true};
    jrpc_error error = {.code = JRPC_OK};
    bool added = jrpc_router_add_route(router, &route, &any, answer_name, calls, &error);
    FUZZ_REQUIRE(added == (good && !is_registered(name)));
    FUZZ_REQUIRE(added == (error.code == JRPC_OK));
    FUZZ_REQUIRE(jrpc_router_method_count(router) == ROUTES + (added ? 1 : 0));
    own_name = added ? name : own_name;
    own = route;
}

static void put(jrpc_buffer *out, jrpc_slice bytes)
{
    FUZZ_REQUIRE(jrpc_buffer_append(out, bytes));
}

static void describe(jrpc_buffer *out)
{
    jrpc_route known[ROUTES + 1];
    memcpy(known, routes, sizeof routes);
    known[ROUTES] = own;
    described_put(out, known, ROUTES + (own_name.len == 0 ? 0 : 1));
}

// What a router with these routes answers to a valid message.
static void call_route(const tree *message, const answer_class *class, jrpc_buffer *out,
                       size_t *calls)
{
    const tree *method = tree_member(message, "method");
    const tree *params = tree_member(message, "params");
    jrpc_resource_reason reason =
        route_reason(model_pool, message, class->kind == JRPC_MESSAGE_RESULT);
    char inside[256];
    if (reason != JRPC_RESOURCE_VALID) {
        (void)snprintf(inside, sizeof inside,
                       "-32600,\"message\":\"Invalid Request\",\"data\":\"%s\"",
                       jrpc_resource_reason_text(reason));
        answer_put_error(out, inside, class->id);
    } else if (tree_is_text(method, "rpc.describe") && params != NULL && params->count != 0) {
        answer_put_error(out, "-32602,\"message\":\"Invalid params\"", class->id);
    } else if (!tree_is_text(method, "rpc.describe") && !is_registered(method->content)) {
        answer_put_error(out, "-32601,\"message\":\"Method not found\"", class->id);
    } else if (tree_is_text(method, "vault.open")) {
        answer_put_error(out, "-32001,\"message\":\"Server error\"", class->id);
    } else if (tree_is_text(method, "vault.lock")) {
        ++*calls;
        answer_put_error(out, "-32603,\"message\":\"Internal error\"", class->id);
    } else {
        bool described = tree_is_text(method, "rpc.describe");
        put(out, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"result\":"));
        if (described) {
            describe(out);
        } else {
            ++*calls;
            FUZZ_REQUIRE(jrpc_json_quote(out, method->content));
            put(out, JRPC_SLICE(",\"cache\":{\"max-age\":60}"));
        }
        put(out, JRPC_SLICE(",\"id\":"));
        put(out, class->id == NULL ? JRPC_SLICE("null") : class->id->spelling);
        put(out, JRPC_SLICE("}"));
    }
}

// The description names the message's own route where it belongs, also where the params are there,
// but empty.
static void require_described(const jrpc_router *router, const char *params)
{
    char request[80];
    (void)snprintf(request, sizeof request,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"rpc.describe\"%s,\"id\":0}", params);
    jrpc_buffer out;
    jrpc_buffer expected;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&expected, jrpc_allocator_heap(), ROOM);
    put(&expected, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"result\":"));
    describe(&expected);
    put(&expected, JRPC_SLICE(",\"id\":0}"));
    FUZZ_REQUIRE(jrpc_router_handle(router, jrpc_slice_str(request), MAX_DEPTH, NULL, &out, NULL) ==
                 JRPC_REPLY_TEXT);
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&out), jrpc_buffer_slice(&expected)));
    jrpc_buffer_done(&expected);
    jrpc_buffer_done(&out);
}

// What is read of a message and what is wrong about it, without a router.
static void require_reason(jrpc_slice text, const tree *message)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    FUZZ_REQUIRE(jrpc_json_read(&document, text, MAX_DEPTH, NULL));
    const jrpc_resource fields = jrpc_resource_read(jrpc_json_root(&document));
    const struct {
        const char *name;
        jrpc_json value;
    } members[] = {
        {"resource", fields.resource},
        {"subresource", fields.subresource},
        {"verb", fields.verb},
        {"target", fields.target},
        {"parent", fields.parent},
        {"cache", fields.cache},
        {"request_id", fields.request_id},
        {"result", fields.result},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const tree *expected = tree_member(message, members[i].name);
        FUZZ_REQUIRE(jrpc_json_exists(members[i].value) == (expected != NULL));
        FUZZ_REQUIRE(expected == NULL ||
                     jrpc_slice_equal(jrpc_json_spelling(members[i].value), expected->spelling));
    }
    const tree *method = tree_member(message, "method");
    if (method != NULL && method->kind == 's') {
        FUZZ_REQUIRE(jrpc_resource_check(&fields, method->content) ==
                     route_reason(model_pool, message, true));
    }
    jrpc_json_document_done(&document);
}

static jrpc_reply handle(const jrpc_allocator *allocator, jrpc_role role, const tree *message,
                         jrpc_slice text, jrpc_buffer *out, size_t *calls)
{
    jrpc_router *router = jrpc_router_new(allocator, role, NULL);
    bool whole = router != NULL && register_routes(router, calls);
    FUZZ_REQUIRE(whole || allocator != jrpc_allocator_heap());
    if (whole && allocator == jrpc_allocator_heap() && message != NULL) {
        register_own(router, role, message, calls);
    }
    jrpc_reply reply = JRPC_REPLY_FAILED;
    if (whole) {
        reply = jrpc_router_handle(router, text, MAX_DEPTH, NULL, out, NULL);
    }
    if (whole && own_name.len != 0) {
        static const char *const empty[] = {"", ",\"params\":[]", ",\"params\":{}"};
        require_described(router, empty[text.len % 3]);
    }
    jrpc_router_free(router);
    return reply;
}

static jrpc_slice content_of(const tree *message, const char *name)
{
    const tree *member = tree_member(message, name);
    return member != NULL && member->kind == 's' ? member->content : (jrpc_slice){NULL, 0};
}

static jrpc_slice spelling_of(const tree *message, const char *name)
{
    const tree *member = tree_member(message, name);
    return member == NULL ? (jrpc_slice){NULL, 0} : member->spelling;
}

static bool is_kind(const tree *message, const char *name, const char *kinds)
{
    const tree *member = tree_member(message, name);
    return member == NULL || strchr(kinds, member->kind) != NULL;
}

// What is in a buffer before a message is written to it. It stays there.
static const jrpc_slice before = JRPC_SLICE_INIT("before");

// Whether names and instances can stand in one message.
static bool fits(const tree *message, jrpc_slice verb)
{
    jrpc_slice sub = content_of(message, "subresource");
    return route_name_is_good("resource", content_of(message, "resource")) &&
           route_name_is_good("verb", verb) &&
           (sub.len == 0 || route_name_is_good("subresource", sub)) &&
           is_kind(message, "target", "0s") && is_kind(message, "parent", "0s") &&
           (sub.len != 0 || tree_member(message, "parent") == NULL);
}

// What was built is JSON, of its kind, in order, and says what it was built from.
static void require_built(tree_pool *pool, jrpc_slice built, const tree *message, bool request,
                          jrpc_slice verb)
{
    FUZZ_REQUIRE(grammar_check(built, TREE_DEPTH).verdict == GRAMMAR_JSON);
    const tree *again = tree_read(pool, built);
    answer_class class = answer_classify(again);
    bool called = tree_member(message, "id") != NULL;
    FUZZ_REQUIRE(class.kind == (!request ? JRPC_MESSAGE_RESULT
                                : called ? JRPC_MESSAGE_CALL
                                         : JRPC_MESSAGE_NOTIFICATION));
    FUZZ_REQUIRE(route_reason(pool, again, !request) == JRPC_RESOURCE_VALID);
    FUZZ_REQUIRE(jrpc_slice_equal(content_of(again, "verb"), verb));
    FUZZ_REQUIRE(jrpc_slice_equal(content_of(again, "resource"), content_of(message, "resource")));
    static const char *const values[] = {"target", "parent", "params", "id"};
    for (size_t i = 0; i < (request ? 4 : 2); i++) {
        const tree *said = tree_member(message, values[i]);
        const tree *written = tree_member(again, values[i]);
        FUZZ_REQUIRE((said == NULL) == (written == NULL));
        FUZZ_REQUIRE(said == NULL || tree_equal(said, written) != TREE_DIFFERENT);
    }
    if (request) {
        FUZZ_REQUIRE(jrpc_slice_equal(content_of(again, "cache"), content_of(message, "cache")));
    }
}

static void build_request(tree_pool *pool, const tree *message, const jrpc_allocator *allocator,
                          size_t maximum)
{
    const jrpc_request_parts parts = {
        .resource = content_of(message, "resource"),
        .subresource = content_of(message, "subresource"),
        .verb = content_of(message, "verb"),
        .target = spelling_of(message, "target"),
        .parent = spelling_of(message, "parent"),
        .params = spelling_of(message, "params"),
        .cache = content_of(message, "cache"),
        .id = spelling_of(message, "id"),
    };
    jrpc_buffer out;
    jrpc_buffer_init(&out, allocator, before.len + maximum);
    jrpc_error error = {.code = JRPC_OK};
    size_t begin = jrpc_buffer_append(&out, before) ? before.len : 0;
    bool failed = out.failed;
    bool built = !failed && jrpc_build_request(&out, &parts, &error);
    bool good = fits(message, parts.verb) && !tree_is_text(tree_member(message, "verb"), "yield") &&
                !tree_is_text(tree_member(message, "verb"), "return") &&
                is_kind(message, "params", "ao") && is_kind(message, "id", "0sz") &&
                (parts.cache.len == 0 || jrpc_slice_is(parts.cache, "no-cache"));
    FUZZ_REQUIRE(failed || built == (error.code == JRPC_OK));
    FUZZ_REQUIRE(!built || good);
    FUZZ_REQUIRE(built || !good || failed || error.code == JRPC_ERROR_LIMIT);
    FUZZ_REQUIRE(begin == 0 || jrpc_slice_starts_with(jrpc_buffer_slice(&out), before));
    FUZZ_REQUIRE(built || out.len == begin);
    if (allocator == jrpc_allocator_heap() && maximum == ROOM) {
        FUZZ_REQUIRE(built == good);
    }
    if (built) {
        require_built(pool, jrpc_slice_from(jrpc_buffer_slice(&out), begin), message, true,
                      parts.verb);
    }
    jrpc_buffer_done(&out);
}

static void build_result(tree_pool *pool, const tree *message, jrpc_status status, bool final)
{
    const tree *result = tree_member(message, "result");
    const tree *said = result == NULL ? NULL : tree_member(result, "status");
    const jrpc_result_parts parts = {
        .resource = content_of(message, "resource"),
        .subresource = content_of(message, "subresource"),
        .target = spelling_of(message, "target"),
        .parent = spelling_of(message, "parent"),
        .final = final,
        .status = status,
        .result = spelling_of(message, "result"),
        .request_id = spelling_of(message, "request_id"),
    };
    jrpc_slice verb = final ? JRPC_SLICE("return") : JRPC_SLICE("yield");
    bool given = status != JRPC_STATUS_NONE;
    const char *word = given ? jrpc_status_word(status) : NULL;
    bool goes = status != JRPC_STATUS_UNKNOWN && fits(message, verb) &&
                is_kind(message, "request_id", "0sz") && (given || result != NULL) &&
                (!given || result == NULL || (result->kind == 'o' && said == NULL));
    static const char *const words[] = {"accepted", "pending", "done", "error"};
    bool agrees = !given && said == NULL;
    for (size_t i = 0; i < 4; i++) {
        bool this_one = given ? word != NULL && strcmp(word, words[i]) == 0
                              : said != NULL && tree_is_text(said, words[i]);
        agrees = agrees || (this_one && final == (i >= 2));
    }
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    jrpc_error error = {.code = JRPC_OK};
    FUZZ_REQUIRE(jrpc_buffer_append(&out, before));
    bool built = jrpc_build_result(&out, &parts, &error);
    FUZZ_REQUIRE(built == (error.code == JRPC_OK) && built == (goes && agrees));
    FUZZ_REQUIRE(jrpc_slice_starts_with(jrpc_buffer_slice(&out), before));
    FUZZ_REQUIRE(built || out.len == before.len);
    if (built) {
        jrpc_slice text = jrpc_slice_from(jrpc_buffer_slice(&out), before.len);
        require_built(pool, text, message, false, verb);
        const tree *again = tree_member(tree_read(pool, text), "result");
        FUZZ_REQUIRE(!given || tree_is_text(tree_member(again, "status"), word));
    }
    jrpc_buffer_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    bool client = (input.options[0] & 1) != 0;
    jrpc_role role = client ? JRPC_ROLE_CLIENT : JRPC_ROLE_SERVER;
    bool json = grammar_check(input.text, MAX_DEPTH).verdict == GRAMMAR_JSON;
    tree_pool pool = {NULL};
    model_pool = &pool;
    own_name = (jrpc_slice){NULL, 0};
    const tree *root = json ? tree_read(&pool, input.text) : NULL;
    const tree *message =
        root != NULL && root->kind == 'a' && root->count != 0 ? root->items[0] : root;
    size_t calls = 0;
    size_t calls_expected;
    jrpc_buffer answer;
    jrpc_buffer expected;
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&expected, jrpc_allocator_heap(), ROOM);
    if (fuzz_turn(&input, 0, 2)) {
        jrpc_reply reply =
            handle(jrpc_allocator_heap(), role, message, input.text, &answer, &calls);
        FUZZ_REQUIRE(reply == (answer.len == 0 ? JRPC_REPLY_NOTHING : JRPC_REPLY_TEXT));
        if (answer_expected_by(&pool, input.text, MAX_DEPTH, client, call_route, &expected,
                               &calls_expected)) {
            FUZZ_REQUIRE(
                jrpc_slice_equal(jrpc_buffer_slice(&answer), jrpc_buffer_slice(&expected)));
            FUZZ_REQUIRE(calls == calls_expected);
        }
    }
    bool builds = fuzz_turn(&input, 1, 2);
    if (builds && root != NULL) {
        require_reason(message->spelling, message);
    }
    if (builds && message != NULL && message->kind == 'o') {
        build_request(&pool, message, jrpc_allocator_heap(), ROOM);
        build_request(&pool, message, jrpc_allocator_heap(), (size_t)2 * input.options[1]);
        build_result(&pool, message, (jrpc_status)(input.options[0] / 4 % 6),
                     (input.options[0] & 2) != 0);
    }
    if (input.options[1] != 0) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, input.options[1] - 1u);
        jrpc_buffer starved;
        jrpc_buffer_init(&starved, &failing.allocator, ROOM);
        own_name = (jrpc_slice){NULL, 0};
        jrpc_reply reply = handle(&failing.allocator, role, NULL, input.text, &starved, &calls);
        FUZZ_REQUIRE(reply != JRPC_REPLY_FAILED ||
                     (failing.count >= input.options[1] && starved.len == 0));
        jrpc_buffer_done(&starved);
        if (message != NULL && message->kind == 'o') {
            jrpc_failing_allocator_init(&failing, input.options[1] / 4u);
            build_request(&pool, message, &failing.allocator, ROOM);
        }
    }
    jrpc_buffer_done(&expected);
    jrpc_buffer_done(&answer);
    tree_pool_done(&pool);
    return 0;
}
