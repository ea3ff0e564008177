// A router of any size: whatever was registered is found, whatever was not is not, the same name is
// refused the second time, and the description lists every verb; where memory ran out once, what
// was there before is there still. Parameters that cannot be told apart are refused. An error's
// message of any length comes whole or not at all, and no block of memory stays behind.
//
// The text makes the names; options: how many there are, the n-th allocation that fails, the length
// of the message.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "fuzz/starve.h"
#include "reference/base/utf8.h"
#include "reference/json/write.h"
#include "reference/rpc/build.h"
#include "reference/rpc/router.h"

#include <stdio.h>

enum { ROOM = 4 << 20, MOST = 1 + 255, NAME_BYTES = 24, MESSAGE_MOST = 255 * 64 + 2 };

typedef struct entry {
    char resource[NAME_BYTES * 2]; // empty: a method
    char sub[NAME_BYTES * 2];      // empty: none
    char last[NAME_BYTES * 2];     // the verb, or the method
    char name[NAME_BYTES * 6];
} entry;

typedef struct registry {
    jrpc_router *router;
    entry entries[MOST];
    size_t count, routes;
    char message[MESSAGE_MOST + 1];
} registry;

static bool give_name(void *context, jrpc_call *call)
{
    const registry *all = context;
    if (jrpc_slice_is(call->method, "fail")) {
        return jrpc_call_fail(call, 7, all->message, JRPC_SLICE("[1]"));
    }
    jrpc_json_write_string(call->result, call->method);
    return true;
}

// The `number`-th name: methods, resources with many verbs, many resources with one, subresources.
static void name_entry(entry *made, const char *base, size_t number)
{
    *made = (entry){.resource = ""};
    switch (number % 4) {
    case 0:
        (void)snprintf(made->last, sizeof made->last, "%s%zu", base, number);
        break;
    case 1:
        (void)snprintf(made->resource, sizeof made->resource, "%sR", base);
        (void)snprintf(made->last, sizeof made->last, "v%zu", number);
        break;
    case 2:
        (void)snprintf(made->resource, sizeof made->resource, "r%zu", number);
        (void)snprintf(made->last, sizeof made->last, "%sv", base);
        break;
    default:
        (void)snprintf(made->resource, sizeof made->resource, "%sR", base);
        (void)snprintf(made->sub, sizeof made->sub, "s%zu", number);
        (void)snprintf(made->last, sizeof made->last, "v");
        break;
    }
    const char *dot = made->sub[0] == '\0' ? "" : ".";
    // By way of another buffer: to some compilers members of one struct may overlap.
    char name[sizeof made->name];
    (void)snprintf(name, sizeof name, "%s%s%s%s%s", made->resource, dot, made->sub,
                   made->resource[0] == '\0' ? "" : ".", made->last);
    memcpy(made->name, name, sizeof name);
}

static bool add(registry *all, const entry *made, jrpc_error *error)
{
    const jrpc_method method = {.name = made->name, .any_params = true};
    const jrpc_route route = {made->resource, made->sub[0] == '\0' ? NULL : made->sub, made->last};
    *error = (jrpc_error){.code = JRPC_OK};
    return made->resource[0] == '\0'
               ? jrpc_router_add(all->router, &method, give_name, all, error)
               : jrpc_router_add_route(all->router, &route, &method, give_name, all, error);
}

static void register_all(registry *all, const fuzz_starve *starve, const char *base, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        entry *made = &all->entries[all->count];
        jrpc_error error;
        name_entry(made, base, i);
        bool failed_before = fuzz_starve_failed(starve);
        bool added = add(all, made, &error);
        if (!added && error.code == JRPC_ERROR_MEMORY) {
            FUZZ_REQUIRE(!failed_before && fuzz_starve_failed(starve));
            added = add(all, made, &error); // now there is memory
        }
        FUZZ_REQUIRE(added && error.code == JRPC_OK);
        all->count++;
        all->routes += made->resource[0] == '\0' ? 0 : 1;
    }
}

static jrpc_reply ask(const registry *all, const char *method, jrpc_buffer *out)
{
    jrpc_buffer question;
    jrpc_buffer_init(&question, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&question, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":") &&
                 jrpc_json_quote(&question, jrpc_slice_str(method)) &&
                 jrpc_buffer_append_char(&question, '}'));
    jrpc_buffer_clear(out);
    jrpc_error error = {.code = JRPC_OK};
    jrpc_reply reply =
        jrpc_router_handle(all->router, jrpc_buffer_slice(&question), 64, NULL, out, &error);
    FUZZ_REQUIRE((reply == JRPC_REPLY_FAILED) == (error.code != JRPC_OK));
    jrpc_buffer_done(&question);
    return reply;
}

static const tree *answer(tree_pool *pool, const jrpc_buffer *out)
{
    FUZZ_REQUIRE(grammar_check(jrpc_buffer_slice(out), 64).verdict == GRAMMAR_JSON);
    return tree_read(pool, jrpc_buffer_slice(out));
}

static void require_found(const registry *all, tree_pool *pool, const char *name, bool known)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(ask(all, name, &out) == JRPC_REPLY_TEXT);
    const tree *got = answer(pool, &out);
    if (known) {
        FUZZ_REQUIRE(tree_is_text(tree_member(got, "result"), name));
    } else {
        const tree *error = tree_member(got, "error");
        FUZZ_REQUIRE(error != NULL &&
                     jrpc_slice_is(tree_member(error, "code")->spelling, "-32601"));
    }
    jrpc_buffer_done(&out);
}

// Every verb stands in the description once, and nothing else does.
static void require_described(const registry *all, tree_pool *pool)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(ask(all, "rpc.describe", &out) == JRPC_REPLY_TEXT);
    const tree *result = tree_member(answer(pool, &out), "result");
    if (all->routes == 0) {
        FUZZ_REQUIRE(result == NULL);
        jrpc_buffer_done(&out);
        return;
    }
    const tree *resources = tree_member(result, "resources");
    size_t told = 0;
    for (size_t i = 0; i < resources->count; i++) {
        const tree *verbs = tree_member(resources->items[i], "verbs");
        const tree *subs = tree_member(resources->items[i], "subresources");
        told += verbs == NULL ? 0 : verbs->count;
        for (size_t j = 0; subs != NULL && j < subs->count; j++) {
            told += tree_member(subs->items[j], "verbs")->count;
        }
    }
    FUZZ_REQUIRE(told == all->routes);
    for (size_t i = 0; i < all->count; i++) {
        const entry *one = &all->entries[i];
        if (one->resource[0] == '\0') {
            continue;
        }
        const tree *at = tree_member(resources, one->resource);
        at = one->sub[0] == '\0' || at == NULL
                 ? at
                 : tree_member(tree_member(at, "subresources"), one->sub);
        const tree *verbs = at == NULL ? NULL : tree_member(at, "verbs");
        size_t times = 0;
        for (size_t j = 0; verbs != NULL && j < verbs->count; j++) {
            times += tree_is_text(verbs->items[j], one->last) ? 1 : 0;
        }
        FUZZ_REQUIRE(times == 1);
    }
    jrpc_buffer_done(&out);
}

static void require_registered(registry *all, tree_pool *pool)
{
    FUZZ_REQUIRE(jrpc_router_method_count(all->router) == all->count);
    for (size_t i = 0; i < all->count; i++) {
        const entry *one = &all->entries[i];
        char longer[sizeof one->name + 1];
        (void)snprintf(longer, sizeof longer, "%sx", one->name);
        require_found(all, pool, one->name, true);
        require_found(all, pool, longer, false);
        jrpc_error error;
        FUZZ_REQUIRE(!add(all, one, &error) && error.code == JRPC_ERROR_INVALID);
    }
    FUZZ_REQUIRE(jrpc_router_method_count(all->router) == all->count);
    require_described(all, pool);
}

// A failing handler's message of `len` bytes, with every allocation of the answer failing in turn.
static void require_message(size_t len)
{
    for (size_t fails_at = 0;; fails_at++) {
        fuzz_starve starve;
        static registry all;
        fuzz_starve_init(&starve, SIZE_MAX, true);
        all = (registry){.router = jrpc_router_new(&starve.allocator, JRPC_ROLE_SERVER, NULL)};
        memset(all.message, 'm', len);
        const jrpc_method fail = {.name = "fail", .any_params = true};
        FUZZ_REQUIRE(all.router != NULL &&
                     jrpc_router_add(all.router, &fail, give_name, &all, NULL));
        jrpc_buffer out;
        jrpc_buffer_init(&out, &starve.allocator, ROOM);
        starve.fails_at = starve.asked + fails_at;
        jrpc_reply reply = ask(&all, "fail", &out);
        bool failed = fuzz_starve_failed(&starve);
        FUZZ_REQUIRE(reply == JRPC_REPLY_TEXT || failed);
        if (reply == JRPC_REPLY_TEXT) {
            tree_pool pool = {NULL};
            const tree *error = tree_member(answer(&pool, &out), "error");
            FUZZ_REQUIRE(jrpc_slice_is(tree_member(error, "code")->spelling, "7") &&
                         tree_is_text(tree_member(error, "message"), all.message));
            tree_pool_done(&pool);
        }
        jrpc_buffer_done(&out);
        jrpc_router_free(all.router);
        FUZZ_REQUIRE(starve.live == 0);
        if (!failed) {
            return;
        }
    }
}

// The names of parameters differ, there is a limit to their number, and no required parameter
// follows an optional one.
static void require_parameters(const fuzz_input *input, const char *base)
{
    enum { ROOM_FOR = JRPC_CALL_ARGUMENTS_MAX + 2 };
    char names[ROOM_FOR][NAME_BYTES + 8];
    jrpc_parameter parameters[ROOM_FOR];
    size_t count = 1 + input->options[0] % ROOM_FOR;
    size_t one = input->options[1] % count;
    size_t other = input->options[2] % count;
    size_t optional = input->options[3] % (count + 1); // from this one on
    size_t required = count - 1 - input->options[4] % count;
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s%zu", base, i == other ? one : i);
        parameters[i] =
            (jrpc_parameter){.name = names[i], .optional = i >= optional && i != required};
    }
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    const jrpc_method method = {.name = "m", .parameters = parameters, .parameter_count = count};
    jrpc_error error = {.code = JRPC_OK};
    bool added = jrpc_router_add(router, &method, give_name, NULL, &error);
    bool in_order = optional >= required; // no optional one stands before a required one
    FUZZ_REQUIRE(added == (one == other && in_order && count <= JRPC_CALL_ARGUMENTS_MAX));
    FUZZ_REQUIRE(added == (error.code == JRPC_OK));
    FUZZ_REQUIRE(jrpc_router_method_count(router) == (added ? 1 : 0));
    jrpc_router_free(router);
}

// A name is UTF-8, is not empty and has no dot; a resource is not called rpc.
static void require_name(jrpc_slice name)
{
    static const char *const kinds[] = {"resource", "verb", "subresource"};
    bool right = name.len > 0 && memchr(name.ptr, '.', name.len) == NULL &&
                 jrpc_utf8_is_valid(name.ptr, name.len);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        jrpc_error error = {.code = JRPC_OK};
        bool taken = jrpc_build_check_name(kinds[i], name, &error);
        FUZZ_REQUIRE(taken == (right && (i != 0 || !jrpc_slice_is(name, "rpc"))));
        FUZZ_REQUIRE(taken == (error.code == JRPC_OK));
    }
}

// Tries the text itself, the text with a dot at each place, and names like the reserved one.
static void require_names(jrpc_slice text)
{
    static const char *const near[] = {"rpc", "rp", "rpcs", "xrpc", "RPC", "", ".", "rpc.", "r"};
    char dotted[NAME_BYTES];
    size_t len = text.len < sizeof dotted ? text.len : sizeof dotted;
    require_name(text);
    for (size_t i = 0; i < len; i++) {
        memcpy(dotted, text.ptr, len);
        dotted[i] = '.';
        require_name(jrpc_slice_of(dotted, len));
    }
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        require_name(jrpc_slice_str(near[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (fuzz_turn(&input, 0, 8)) {
        require_names(input.text);
    }
    static registry all;
    char base[NAME_BYTES] = "";
    size_t len = 0;
    for (size_t i = 0; i < input.text.len && len + 1 < sizeof base; i++) {
        char c = input.text.ptr[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_') {
            base[len++] = c;
        }
    }
    fuzz_starve starve;
    bool starving = input.options[1] != 0;
    fuzz_starve_init(
        &starve, starving ? (size_t)input.options[1] * 3 + input.options[2] % 3 : SIZE_MAX, true);
    tree_pool pool = {NULL};
    all = (registry){.router = jrpc_router_new(&starve.allocator, JRPC_ROLE_SERVER, NULL)};
    if (all.router != NULL) {
        register_all(&all, &starve, base, input.options[0]);
        // What fails now would fail in an answer.
        starve.fails_at = SIZE_MAX;
        require_registered(&all, &pool);
        jrpc_router_free(all.router);
    }
    FUZZ_REQUIRE(starve.live == 0);
    tree_pool_done(&pool);
    require_parameters(&input, base);
    if (input.options[3] != 0 && fuzz_turn(&input, 0, 4)) {
        require_message((size_t)input.options[3] * 64 + input.options[4] % 3 - 1);
    }
    return 0;
}
