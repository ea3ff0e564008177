// A description of a service: in each of its parts, the same is wrong as a second reader finds;
// each example gives the right cases in the right order, with its params, its result and the schema
// of its result; and lack of memory is reported.
//
// Options: the n-th allocation that fails.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/service.h"
#include "harness/describe/openrpc.h"
#include "harness/schema/fit.h"
#include "harness/schema/schema.h"
#include "reference/json/read.h"

#include <stdio.h>

enum { ARENA_BYTES = 64 << 20, CASES_MOST = 2000 };

// A description, read twice.
typedef struct service {
    jrpc_json_document document;
    const tree *root;
    tree_pool pool;
    jrpc_arena arena;
} service;

// The same value in the document: the one with the same bytes.
static jrpc_json same_value(const service *of, const tree *value)
{
    for (uint32_t i = 0; i < of->document.count; i++) {
        jrpc_json one = {&of->document, i};
        if (jrpc_json_spelling(one).ptr == value->spelling.ptr) {
            return one;
        }
    }
    return JRPC_JSON_ABSENT;
}

// ---- what is wrong

typedef struct judged {
    service *of;
    bool wrong;
} judged;

static void check_schema(void *context, const tree *descriptor)
{
    judged *j = context;
    const tree *schema = descriptor->kind == 'o' ? tree_member(descriptor, "schema") : NULL;
    j->wrong = j->wrong ||
               (schema != NULL && !jck_is_json_schema(same_value(j->of, schema), &j->of->arena));
}

static void check_value(void *context, const tree *value, const tree *descriptor)
{
    judged *j = context;
    const tree *schema =
        descriptor != NULL && descriptor->kind == 'o' ? tree_member(descriptor, "schema") : NULL;
    if (schema != NULL && value != NULL) {
        jck_fit fit = jck_schema_fit(same_value(j->of, schema), jrpc_json_root(&j->of->document),
                                     same_value(j->of, value), &j->of->arena, NULL);
        j->wrong = j->wrong || fit == JCK_FIT_NO;
    }
}

static void require_flaw(service *of, const char *part, bool wrong)
{
    const char *flaw =
        jck_openrpc_flaw(jrpc_json_root(&of->document), jrpc_slice_str(part), &of->arena);
    FUZZ_REQUIRE(of->arena.failed || (flaw != NULL) == wrong);
    FUZZ_REQUIRE(flaw == NULL || flaw[0] != '\0');
}

static void require_flaws(service *of)
{
    judged schemas = {.of = of};
    judged examples = {.of = of};
    service_flaws flaws = service_check(of->root);
    service_each_descriptor(of->root, check_schema, &schemas);
    service_each_value(of->root, check_value, &examples);
    require_flaw(of, "form", flaws.form);
    if (!flaws.unsure) {
        require_flaw(of, "names", flaws.names);
    }
    require_flaw(of, "references", flaws.references);
    require_flaw(of, "schemas", schemas.wrong);
    require_flaw(of, "order", flaws.order);
    require_flaw(of, "examples", examples.wrong);
    require_flaw(of, "nothing", false);
    size_t parts = 0;
    for (const char *const *part = jck_openrpc_parts(); *part != NULL; part++) {
        parts++;
    }
    FUZZ_REQUIRE(parts == 6);
}

// ---- cases

typedef struct compared {
    service *of;
    service_case wanted[CASES_MOST];
    size_t count, taken;
} compared;

static void want(void *context, const service_case *one)
{
    compared *c = context;
    if (c->count < CASES_MOST) {
        c->wanted[c->count] = *one;
    }
    c->count++;
}

// Whether a text is a spelling in which "${" stands as "$${".
static bool is_literal(jrpc_slice text, jrpc_slice spelling)
{
    size_t at = 0;
    for (size_t i = 0; i < spelling.len; i++) {
        bool begins = spelling.ptr[i] == '$' && i + 1 < spelling.len && spelling.ptr[i + 1] == '{';
        if (begins && (at >= text.len || text.ptr[at++] != '$')) {
            return false;
        }
        if (at >= text.len || text.ptr[at++] != spelling.ptr[i]) {
            return false;
        }
    }
    return at == text.len;
}

static const tree *only(const tree *object, const char *name)
{
    const tree *value = object != NULL && object->kind == 'o' ? tree_member(object, name) : NULL;
    FUZZ_REQUIRE(value != NULL);
    return value;
}

static void require_params(const service_case *one, const tree *params)
{
    FUZZ_REQUIRE(params->kind == (one->by_name ? 'o' : 'a') && params->count == one->count);
    for (size_t i = 0; i < one->count; i++) {
        FUZZ_REQUIRE(is_literal(params->items[i]->spelling, one->values[i]->spelling));
        FUZZ_REQUIRE(!one->by_name ||
                     is_literal(params->names[i]->spelling, one->names[i]->spelling));
    }
}

// A pattern accepts what fits the schema of the result, or anything if there is no schema.
static void require_fits(const service *of, const service_case *one, const tree *pattern)
{
    if (one->schema == NULL) {
        FUZZ_REQUIRE(jrpc_slice_is(only(pattern, "$any")->spelling, "true"));
        return;
    }
    FUZZ_REQUIRE(service_find(of->root, only(pattern, "$fits")->content) == one->schema);
}

static void require_result(const service *of, const service_case *one, const tree *expect)
{
    const tree *any = only(expect, "any-of");
    FUZZ_REQUIRE(any->kind == 'a' && any->count == (one->by_name ? 3 : 2));
    const tree *both = only(only(any->items[0], "result"), "$all");
    FUZZ_REQUIRE(both->count == 2);
    FUZZ_REQUIRE(service_find(of->root, only(both->items[0], "$printed")->content) == one->value);
    require_fits(of, one, both->items[1]);
    FUZZ_REQUIRE(tree_is_text(only(any->items[1], "as"), "observe:another-result"));
    require_fits(of, one, only(any->items[1], "result"));
    if (one->by_name) {
        const tree *third = any->items[2];
        FUZZ_REQUIRE(
            tree_is_text(only(third, "as"), one->said ? "warn" : "observe:by-name-refused"));
        FUZZ_REQUIRE(only(third, one->said ? "result" : "error") != NULL);
    }
}

static void require_expectation(const service *of, const service_case *one, const tree *test_case)
{
    const tree *expect = only(test_case, "expect");
    const char *rule = "OR-2c";
    if (one->value != NULL) {
        require_result(of, one, expect);
        rule = one->by_name && one->said ? "OR-2d" : "OR-2a";
    } else if (expect->kind == 'o') {
        const tree *code = only(only(expect, "error"), "code");
        FUZZ_REQUIRE(one->code != NULL && is_literal(code->spelling, one->code->spelling));
        rule = "OR-2b";
    } else {
        // The error's code is missing or is not an integer, so the case cannot expect it.
        FUZZ_REQUIRE(tree_is_text(expect, "nothing"));
        bool digits = one->code != NULL && one->code->kind == '0';
        for (size_t i = 0; digits && i < one->code->spelling.len; i++) {
            digits = strchr(".eE", one->code->spelling.ptr[i]) == NULL;
        }
        FUZZ_REQUIRE(!digits);
    }
    const tree *rules = only(test_case, "rules");
    FUZZ_REQUIRE(rules->count == 1 && tree_is_text(rules->items[0], rule));
}

// An id contains both numbers and how params are passed.
static void require_id(const service_case *one, const tree *id)
{
    char begin[64];
    char end[64];
    size_t begins = (size_t)snprintf(begin, sizeof begin, "openrpc-example/%zu-", one->method);
    size_t ends =
        (size_t)snprintf(end, sizeof end, "-%zu%s", one->example, one->by_name ? "-by-name" : "");
    FUZZ_REQUIRE(id->kind == 's' && id->content.len >= begins + ends);
    FUZZ_REQUIRE(memcmp(id->content.ptr, begin, begins) == 0);
    FUZZ_REQUIRE(memcmp(id->content.ptr + id->content.len - ends, end, ends) == 0);
    for (size_t i = begins; i < id->content.len; i++) {
        FUZZ_REQUIRE(strchr("abcdefghijklmnopqrstuvwxyz0123456789-._", id->content.ptr[i]) != NULL);
    }
}

static bool take(void *context, jrpc_slice text)
{
    compared *c = context;
    FUZZ_REQUIRE(c->taken < c->count);
    const service_case *one = &c->wanted[c->taken++];
    FUZZ_REQUIRE(grammar_check(text, TREE_DEPTH + 8).verdict == GRAMMAR_JSON);
    const tree *test_case = tree_read(&c->of->pool, text);
    const tree *sent = only(test_case, "send");
    require_id(one, only(test_case, "id"));
    FUZZ_REQUIRE(tree_is_text(only(sent, "jsonrpc"), "2.0"));
    FUZZ_REQUIRE(is_literal(only(sent, "method")->spelling, one->name->spelling));
    FUZZ_REQUIRE((tree_member(sent, "id") == NULL) == one->notified);
    require_params(one, only(sent, "params"));
    require_expectation(c->of, one, test_case);
    return true;
}

// The first case that is taken is the last one.
static bool take_one(void *context, jrpc_slice text)
{
    size_t *taken = context;
    (void)text;
    ++*taken;
    return false;
}

static void require_cases(service *of)
{
    static compared c;
    c = (compared){.of = of};
    service_each_case(&of->pool, of->root, want, &c);
    if (c.count > CASES_MOST) {
        return;
    }
    jrpc_json root = jrpc_json_root(&of->document);
    bool all = jck_openrpc_each_case(root, &of->arena, take, &c);
    FUZZ_REQUIRE(all ? c.taken == c.count : of->arena.failed);
    size_t taken = 0;
    all = jck_openrpc_each_case(root, &of->arena, take_one, &taken);
    FUZZ_REQUIRE(of->arena.failed || (taken == (c.count > 0 ? 1 : 0) && all == (c.count == 0)));
}

static bool count_one(void *context, jrpc_slice text)
{
    size_t *taken = context;
    FUZZ_REQUIRE(text.len > 0);
    ++*taken;
    return true;
}

// If memory runs out, fewer cases are made, and that is reported.
static void require_frugal(const service *of, size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_arena arena;
    size_t some = 0;
    size_t every = 0;
    jrpc_json root = jrpc_json_root(&of->document);
    jrpc_failing_allocator_init(&failing, successes);
    jrpc_arena_init(&arena, &failing.allocator, ARENA_BYTES);
    bool whole = jck_openrpc_each_case(root, &arena, count_one, &some);
    jrpc_arena_done(&arena);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    (void)jck_openrpc_each_case(root, &arena, count_one, &every);
    FUZZ_REQUIRE(arena.failed || (whole ? some == every : some <= every));
    jrpc_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    service of = {.pool = {NULL}};
    jrpc_json_document_init(&of.document, jrpc_allocator_heap());
    jrpc_arena_init(&of.arena, jrpc_allocator_heap(), ARENA_BYTES);
    if (grammar_check(input.text, TREE_DEPTH).verdict == GRAMMAR_JSON &&
        jrpc_json_read(&of.document, input.text, TREE_DEPTH, NULL)) {
        of.root = tree_read(&of.pool, input.text);
        const tree *methods = of.root->kind == 'o' ? tree_member(of.root, "methods") : NULL;
        bool is = of.root->kind == 'o' && tree_member(of.root, "openrpc") != NULL &&
                  methods != NULL && methods->kind == 'a';
        FUZZ_REQUIRE(jck_openrpc_is(jrpc_json_root(&of.document), NULL) == is);
        if (service_is_plain(of.root)) {
            require_flaws(&of);
            require_cases(&of);
        }
        if (input.options[0] != 0) {
            require_frugal(&of, input.options[0] - 1u);
        }
    }
    jrpc_arena_done(&of.arena);
    jrpc_json_document_done(&of.document);
    tree_pool_done(&of.pool);
    return 0;
}
