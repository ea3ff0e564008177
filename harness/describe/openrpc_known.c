#include "harness/describe/openrpc_known.h"

#include "harness/describe/located.h"
#include "reference/json/equal.h"

#include <string.h>

// The params of an example, and its result.
typedef struct printed {
    const jck_looking *looking;
    jck_located params; // an Array of Example Objects
    jrpc_json result;
} printed;

static jrpc_json param_of(const printed *example, unsigned index)
{
    return jck_locate(example->looking,
                      jck_locate_element(example->looking, example->params, index), "value")
        .value;
}

// Sums of such numbers do not overflow.
static bool is_small(int64_t number)
{
    return number > INT32_MIN && number < INT32_MAX;
}

static bool is_difference(const printed *example)
{
    int64_t a;
    int64_t b;
    int64_t difference;
    return jrpc_json_count(example->params.value) == 2 &&
           jrpc_json_int64(param_of(example, 0), &a) && jrpc_json_int64(param_of(example, 1), &b) &&
           jrpc_json_int64(example->result, &difference) && b != 0 && is_small(a) && is_small(b) &&
           a - b == difference;
}

static bool is_total(const printed *example)
{
    int64_t total = 0;
    int64_t owed;
    unsigned count = jrpc_json_count(example->params.value);
    bool numbers = count > 1 && jrpc_json_int64(example->result, &owed);
    for (unsigned i = 0; i < count && numbers; i++) {
        int64_t term = 0;
        numbers = jrpc_json_int64(param_of(example, i), &term) && is_small(term) && is_small(total);
        total += term;
    }
    return numbers && total == owed;
}

static bool is_echo(const printed *example)
{
    return jrpc_json_count(example->params.value) == 1 &&
           jrpc_json_equal(param_of(example, 0), example->result);
}

static bool is_greeting(const printed *example)
{
    return jrpc_json_count(example->params.value) == 0 &&
           jrpc_json_string_is(jrpc_json_element(example->result, 0), JRPC_SLICE("hello"));
}

static const struct {
    const char *capability;
    bool (*gives)(const printed *example);
} known[] = {
    {"subtract", is_difference},
    {"sum", is_total},
    {"echo", is_echo},
    {"get_data", is_greeting},
};

static bool is_separator(char c)
{
    return c == '.' || c == '/' || c == ':' || c == '-';
}

static bool is_named(jrpc_slice name, const char *capability)
{
    size_t from = name.len;
    while (from > 0 && !is_separator(name.ptr[from - 1])) {
        from--;
    }
    bool same = name.len - from == strlen(capability);
    for (size_t i = 0; same && from + i < name.len; i++) {
        char c = name.ptr[from + i];
        same = (c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) == capability[i];
    }
    return same;
}

static bool is_shown(const jck_looking *looking, jck_located method,
                     bool (*gives)(const printed *example))
{
    jck_located examples = jck_locate(looking, method, "examples");
    unsigned count = jrpc_json_count(examples.value);
    bool shown = count > 0;
    for (unsigned i = 0; i < count && shown; i++) {
        jck_located example = jck_locate_element(looking, examples, i);
        jck_located result = jck_locate(looking, example, "result");
        const printed one = {looking, jck_locate(looking, example, "params"),
                             jck_locate(looking, result, "value").value};
        shown = jrpc_json_exists(one.result) && gives(&one);
    }
    return shown;
}

static void take(const jck_looking *looking, jck_located method, jck_openrpc_known *ret)
{
    jrpc_json structure = jrpc_json_get(method.value, "paramStructure");
    jck_located params = jck_locate(looking, method, "params");
    ret->by_position = !jrpc_json_string_is(structure, JRPC_SLICE("by-name"));
    ret->by_name = !jrpc_json_string_is(structure, JRPC_SLICE("by-position"));
    for (unsigned i = 0; i < sizeof ret->names / sizeof *ret->names; i++) {
        jck_located one = jck_locate_element(looking, params, i);
        if (!jrpc_json_string(jrpc_json_get(one.value, "name"), looking->arena, &ret->names[i])) {
            ret->names[i] = (jrpc_slice){"", 0};
        }
    }
}

bool jck_openrpc_find_known(jrpc_json root, const char *capability, jrpc_arena *arena,
                            jck_openrpc_known *ret)
{
    const jck_looking looking = {root, arena};
    jck_located methods = jck_locate(&looking, jck_locate_root(&looking), "methods");
    bool (*gives)(const printed *example) = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gives = strcmp(known[i].capability, capability) == 0 ? known[i].gives : gives;
    }
    for (int by_example = 0; by_example < 2 && gives != NULL; by_example++) {
        for (unsigned i = 0; i < jrpc_json_count(methods.value); i++) {
            jck_located method = jck_locate_element(&looking, methods, i);
            bool named = jrpc_json_string(jrpc_json_get(method.value, "name"), arena, &ret->method);
            if (named && (by_example == 0 ? is_named(ret->method, capability)
                                          : is_shown(&looking, method, gives))) {
                take(&looking, method, ret);
                return true;
            }
        }
    }
    return false;
}
