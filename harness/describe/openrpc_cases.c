// What a description says about its methods, as cases: every example is sent, and the response must
// fit.
#include "harness/describe/located.h"
#include "harness/describe/openrpc.h"
#include "reference/json/write.h"

#define CASE_BYTES ((size_t)16 << 20)
#define SLUG_BYTES 60

// The state while cases are made of an example.
typedef struct writing {
    jck_looking looking;
    jrpc_buffer text;
    jck_openrpc_take take;
    void *context;
    unsigned method_index, example_index;
    jck_located method, params, result, example;
} writing;

static void put(writing *w, const char *text)
{
    (void)jrpc_buffer_append_str(&w->text, text);
}

// Writes a value as spelled; "${" becomes "$${", since it would begin a variable in a case.
static void put_value(writing *w, jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    for (size_t i = 0; i < spelling.len; i++) {
        if (spelling.ptr[i] == '$' && i + 1 < spelling.len && spelling.ptr[i + 1] == '{') {
            put(w, "$");
        }
        (void)jrpc_buffer_append_char(&w->text, spelling.ptr[i]);
    }
}

static void put_id(writing *w, const char *how)
{
    jrpc_slice name = {"", 0};
    char slug[SLUG_BYTES + 1];
    size_t len = 0;
    (void)jrpc_json_string(jrpc_json_get(w->method.value, "name"), w->looking.arena, &name);
    for (; len < name.len && len < SLUG_BYTES; len++) {
        char c = name.ptr[len];
        bool capital = c >= 'A' && c <= 'Z';
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
        slug[len] = capital ? (char)(c + ('a' - 'A')) : plain ? c : '-';
    }
    slug[len] = '\0';
    (void)jrpc_buffer_printf(&w->text, "openrpc-example/%u-%s-%u%s", w->method_index, slug,
                             w->example_index, how);
}

// The descriptor of a param of the example: found by name, else by position.
static jck_located descriptor_of(const writing *w, jck_located param, unsigned index)
{
    jrpc_slice name = {NULL, 0};
    bool named = jrpc_json_string(jrpc_json_get(param.value, "name"), w->looking.arena, &name);
    for (unsigned i = 0; named && i < jrpc_json_count(w->params.value); i++) {
        jck_located one = jck_locate_element(&w->looking, w->params, i);
        if (jrpc_json_string_is(jrpc_json_get(one.value, "name"), name)) {
            return one;
        }
    }
    return jck_locate_element(&w->looking, w->params, index);
}

// Writes the params of the example; false if they cannot be passed in this way.
static bool put_params(writing *w, jck_located given, bool by_name)
{
    unsigned count = jrpc_json_count(given.value);
    put(w, by_name ? "{" : "[");
    for (unsigned i = 0; i < count; i++) {
        jck_located param = jck_locate_element(&w->looking, given, i);
        jck_located value = jck_locate(&w->looking, param, "value");
        jck_located descriptor = descriptor_of(w, param, i);
        jck_located at_place = jck_locate_element(&w->looking, w->params, i);
        jrpc_json name = jrpc_json_get(descriptor.value, "name");
        if (!jrpc_json_exists(value.value) || !jrpc_json_is(name, JRPC_JSON_STRING) ||
            (!by_name && descriptor.value.index != at_place.value.index)) {
            return false;
        }
        put(w, i == 0 ? "" : ",");
        if (by_name) {
            put_value(w, name);
            put(w, ":");
        }
        put_value(w, value.value);
    }
    put(w, by_name ? "}" : "]");
    return true;
}

// Writes a pattern that accepts whatever fits the schema of the result.
static void put_fits(writing *w)
{
    if (jrpc_json_exists(jrpc_json_get(w->result.value, "schema"))) {
        put(w, "{\"$fits\":");
        (void)jrpc_json_quote(&w->text, jrpc_slice_str(jrpc_arena_printf(
                                            w->looking.arena, "%s/schema", w->result.path)));
        put(w, "}");
    } else {
        put(w, "{\"$any\":true}");
    }
}

// Expects the result in the example; another result that fits the schema is recorded.
static void put_result(writing *w, jck_located printed, jck_openrpc_shape shape)
{
    put(w, "{\"any-of\":[{\"result\":{\"$all\":[{\"$printed\":");
    (void)jrpc_json_quote(&w->text, jrpc_slice_str(printed.path));
    put(w, "},");
    put_fits(w);
    put(w, "]}},{\"as\":\"observe:another-result\",\"rule\":\"OR-3a\",\"result\":");
    put_fits(w);
    put(w, "}");
    if (shape == JCK_OPENRPC_BY_NAME) {
        // The params were taken: it is the result that does not fit.
        put(w, ",{\"as\":\"warn\",\"rule\":\"OR-2a\",\"result\":{\"$any\":true}}");
    }
    if (shape == JCK_OPENRPC_BY_NAME_UNSAID) {
        put(w, ",{\"as\":\"observe:by-name-refused\",\"rule\":\"OR-3b\",\"error\":{}}");
    }
    put(w, "]}");
}

static void put_expectation(writing *w, jck_openrpc_shape shape, const char **ret_rule)
{
    jck_located printed = jck_locate(&w->looking, w->example, "result");
    jck_located value = jck_locate(&w->looking, printed, "value");
    jck_located error = jck_locate(&w->looking, w->example, "error");
    jck_located error_value = jck_locate(&w->looking, error, "value");
    jrpc_json code = jrpc_json_get(error_value.value, "code");
    if (jrpc_json_exists(value.value)) {
        put_result(w, value, shape);
        *ret_rule = shape == JCK_OPENRPC_BY_NAME ? "OR-2d" : "OR-2a";
    } else if (jrpc_json_is_integer(code)) {
        put(w, "{\"error\":{\"code\":");
        put_value(w, code);
        put(w, "}}");
        *ret_rule = "OR-2b";
    } else {
        put(w, "\"nothing\"");
        *ret_rule = "OR-2c";
    }
}

static bool write_case(writing *w, jck_openrpc_shape shape)
{
    static const char *const hows[] = {
        [JCK_OPENRPC_BY_POSITION] = "",
        [JCK_OPENRPC_BY_NAME] = "-by-name",
        [JCK_OPENRPC_BY_NAME_UNSAID] = "-by-name",
    };
    jck_located given = jck_locate(&w->looking, w->example, "params");
    bool notified = !jrpc_json_exists(jrpc_json_get(w->example.value, "result")) &&
                    !jrpc_json_exists(jrpc_json_get(w->example.value, "error"));
    const char *rule = "";
    jrpc_buffer_clear(&w->text);
    put(w, "{\"id\":\"");
    put_id(w, hows[shape]);
    put(w, "\",\"title\":\"an example of the description gives what the description says\","
           "\"why\":");
    (void)jrpc_json_quote(&w->text, jrpc_slice_str(w->example.path));
    put(w, ",\"send\":");
    put(w, "{\"jsonrpc\":\"2.0\",\"method\":");
    put_value(w, jrpc_json_get(w->method.value, "name"));
    put(w, ",\"params\":");
    if (!put_params(w, given, shape != JCK_OPENRPC_BY_POSITION)) {
        return true;
    }
    put(w, notified ? "}" : ",\"id\":\"${id}\"}");
    put(w, ",\"expect\":");
    put_expectation(w, shape, &rule);
    (void)jrpc_buffer_printf(&w->text, ",\"rules\":[\"%s\"]}", rule);
    return !w->text.failed && !w->looking.arena->failed &&
           w->take(w->context, jrpc_buffer_slice(&w->text));
}

static bool write_example(writing *w)
{
    jrpc_json structure = jrpc_json_get(w->method.value, "paramStructure");
    jck_located given = jck_locate(&w->looking, w->example, "params");
    bool said = jrpc_json_is(structure, JRPC_JSON_STRING);
    bool only_by_name = jrpc_json_string_is(structure, JRPC_SLICE("by-name"));
    bool by_name = !jrpc_json_string_is(structure, JRPC_SLICE("by-position")) &&
                   jrpc_json_count(given.value) > 0;
    if (!jrpc_json_is(given.value, JRPC_JSON_ARRAY)) {
        return true;
    }
    return (only_by_name || write_case(w, JCK_OPENRPC_BY_POSITION)) &&
           (!(by_name || only_by_name) ||
            write_case(w, said ? JCK_OPENRPC_BY_NAME : JCK_OPENRPC_BY_NAME_UNSAID));
}

bool jck_openrpc_each_case(jrpc_json root, jrpc_arena *arena, jck_openrpc_take take, void *context)
{
    writing w = {.looking = {root, arena}, .take = take, .context = context};
    jck_located methods = jck_locate(&w.looking, jck_locate_root(&w.looking), "methods");
    bool going = true;
    jrpc_buffer_init(&w.text, jrpc_allocator_heap(), CASE_BYTES);
    for (unsigned i = 0; going && i < jrpc_json_count(methods.value); i++) {
        w.method_index = i;
        w.method = jck_locate_element(&w.looking, methods, i);
        w.params = jck_locate(&w.looking, w.method, "params");
        w.result = jck_locate(&w.looking, w.method, "result");
        jck_located examples = jck_locate(&w.looking, w.method, "examples");
        bool named = jrpc_json_is(jrpc_json_get(w.method.value, "name"), JRPC_JSON_STRING);
        for (unsigned k = 0; going && named && k < jrpc_json_count(examples.value); k++) {
            w.example_index = k;
            w.example = jck_locate_element(&w.looking, examples, k);
            going = write_example(&w);
        }
    }
    jrpc_buffer_done(&w.text);
    return going && !arena->failed;
}
