// Calls that a target wraps in another method. A plain tree of the message says what must be sent:
// the template, with the params of the case where it asks for them, under the names of the method.
// What cannot be wrapped is reported.
//
// The text is [TEMPLATE, NAMES, MESSAGE]: "${c}" is a method that is wrapped, "${d}" one that is
// not. If the template or the names are null, they are missing.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/member.h"
#include "harness/suite/call.h"
#include "harness/suite/payload.h"
#include "reference/json/read.h"

enum { ROOM = 1 << 20 };

static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    *ret_spelling = jrpc_slice_is(name, "c") ? JRPC_SLICE("\"wrapped\"") : JRPC_SLICE("\"plain\"");
    return jrpc_slice_is(name, "c") || jrpc_slice_is(name, "d");
}

static const jck_call *call_of(void *context, jrpc_slice capability)
{
    return jrpc_slice_is(capability, "c") ? context : NULL;
}

// ---- the model

typedef struct model {
    const tree *template, *names; // NULL: absent
    jrpc_buffer out;
    size_t mentions, calls;
} model;

static void put(model *m, jrpc_slice text)
{
    FUZZ_REQUIRE(jrpc_buffer_append(&m->out, text));
}

static bool is_spelled(const tree *value, const char *spelling)
{
    return value != NULL && value->kind == 's' && jrpc_slice_is(value->spelling, spelling);
}

// A value as it is, except that methods are replaced.
static void put_value(void *context, const tree *value)
{
    model *m = context;
    bool container = value->kind == 'a' || value->kind == 'o';
    if (!container) {
        m->mentions += is_spelled(value, "\"${c}\"") ? 1 : 0;
        put(m, is_spelled(value, "\"${c}\"")   ? JRPC_SLICE("\"wrapped\"")
               : is_spelled(value, "\"${d}\"") ? JRPC_SLICE("\"plain\"")
                                               : value->spelling);
        return;
    }
    tree_put_container(&m->out, value, put_value, m);
}

// The params of the case, under the method's names.
static void put_params(model *m, const tree *params)
{
    if (params->kind != 'o') {
        put_value(m, params);
        return;
    }
    put(m, JRPC_SLICE("{"));
    for (size_t i = 0; i < params->count; i++) {
        const tree *name = params->names[i];
        for (size_t k = m->names == NULL ? 0 : m->names->count; k > 0; k--) {
            bool same = tree_equal(m->names->names[k - 1], params->names[i]) == TREE_EQUAL;
            name = same ? m->names->items[k - 1] : name; // the first of them counts
        }
        put(m, i == 0 ? JRPC_SLICE("") : JRPC_SLICE(","));
        put_value(m, name);
        put(m, JRPC_SLICE(":"));
        put_value(m, params->items[i]);
    }
    put(m, JRPC_SLICE("}"));
}

// "${params/NAME}" or "${params/0}", one level deep; *ret_part is NULL if the case has no such
// param.
static bool is_part(const tree *value, const tree *params, const tree **ret_part)
{
    jrpc_slice text = value->kind == 's' ? value->content : (jrpc_slice){"", 0};
    if (!jrpc_slice_starts_with(text, JRPC_SLICE("${params")) || text.ptr[text.len - 1] != '}') {
        return false;
    }
    jrpc_slice step = jrpc_slice_of(text.ptr + 8, text.len - 9);
    *ret_part = params;
    if (step.len == 0) {
        return true;
    }
    jrpc_slice word = jrpc_slice_from(step, 1);
    const tree *found = NULL;
    for (size_t i = 0; params != NULL && i < params->count; i++) {
        bool same = params->kind == 'o'
                        ? jrpc_slice_equal(params->names[i]->content, word)
                        : params->kind == 'a' && word.len == 1 && (size_t)(word.ptr[0] - '0') == i;
        found = same ? params->items[i] : found;
    }
    *ret_part = found;
    return true;
}

static void put_template(model *m, const tree *value, const tree *params)
{
    const tree *part = NULL;
    if (is_part(value, params, &part)) {
        if (part == params) {
            put_params(m, params);
        } else {
            put_value(m, part);
        }
        return;
    }
    if (value->kind != 'a' && value->kind != 'o') {
        put_value(m, value);
        return;
    }
    const char *between = "";
    put(m, value->kind == 'a' ? JRPC_SLICE("[") : JRPC_SLICE("{"));
    for (size_t i = 0; i < value->count; i++) {
        if (is_part(value->items[i], params, &part) && part == NULL) {
            continue;
        }
        put(m, jrpc_slice_str(between));
        between = ",";
        if (value->kind == 'o') {
            put_value(m, value->names[i]);
            put(m, JRPC_SLICE(":"));
        }
        put_template(m, value->items[i], params);
    }
    put(m, value->kind == 'a' ? JRPC_SLICE("]") : JRPC_SLICE("}"));
}

static size_t occurrences(const tree *object, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < object->count; i++) {
        count += jrpc_slice_is(object->names[i]->content, name) ? 1 : 0;
    }
    return count;
}

static void put_message(model *m, const tree *message)
{
    const tree *params = member_get(message, "params");
    bool wrapped = message->kind == 'o' && is_spelled(member_get(message, "method"), "\"${c}\"") &&
                   occurrences(message, "method") == 1 && occurrences(message, "params") <= 1 &&
                   (params == NULL || params->kind == 'a' || params->kind == 'o');
    if (!wrapped || (params == NULL && m->template == NULL)) {
        m->calls += wrapped ? 1 : 0;
        put_value(m, message);
        return;
    }
    m->calls++;
    put(m, JRPC_SLICE("{"));
    for (size_t i = 0; i < message->count + (params == NULL ? 1 : 0); i++) {
        bool here = i == message->count || message->items[i] == params;
        put(m, i == 0 ? JRPC_SLICE("") : JRPC_SLICE(","));
        if (i < message->count) {
            put_value(m, message->names[i]);
        } else {
            put(m, JRPC_SLICE("\"params\""));
        }
        put(m, JRPC_SLICE(":"));
        if (!here) {
            put_value(m, message->items[i]);
        } else if (m->template != NULL) {
            put_template(m, m->template, params);
        } else {
            put_params(m, params);
        }
    }
    put(m, JRPC_SLICE("}"));
}

static size_t mentions_in(const tree *value)
{
    size_t count = is_spelled(value, "\"${c}\"") ? 1 : 0;
    for (size_t i = 0; (value->kind == 'a' || value->kind == 'o') && i < value->count; i++) {
        count += mentions_in(value->items[i]);
        count += value->kind == 'o' ? mentions_in(value->names[i]) : 0;
    }
    return count;
}

// ---- the claims

// The model knows variables that are whole Strings, and references one level deep into params. It
// knows no escapes in names.
static bool is_known(const tree *value, bool template)
{
    if (value->kind == 's') {
        jrpc_slice text = value->content;
        bool method = is_spelled(value, "\"${c}\"") || is_spelled(value, "\"${d}\"");
        bool part = template && jrpc_slice_starts_with(text, JRPC_SLICE("${params")) &&
                    (text.len == 9 || (text.len == 11 && text.ptr[8] == '/' &&
                                       strchr("{}$ ", text.ptr[9]) == NULL)) &&
                    text.ptr[text.len - 1] == '}' && memchr(text.ptr, '~', text.len) == NULL &&
                    value->spelling.len == text.len + 2;
        return method || part || memchr(value->spelling.ptr, '$', value->spelling.len) == NULL;
    }
    for (size_t i = 0; (value->kind == 'a' || value->kind == 'o') && i < value->count; i++) {
        if (!is_known(value->items[i], template) ||
            (value->kind == 'o' && !is_known(value->names[i], false))) {
            return false;
        }
    }
    return true;
}

static void require_wrapped(tree_pool *pool, jrpc_json root, const tree *all)
{
    const tree *message = all->items[2];
    model m = {.template = all->items[0]->kind == 'z' ? NULL : all->items[0],
               .names = all->items[1]->kind == 'o' ? all->items[1] : NULL};
    jck_call call = {.params = m.template == NULL ? JRPC_JSON_ABSENT : jrpc_json_element(root, 0),
                     .names = m.names == NULL ? JRPC_JSON_ABSENT : jrpc_json_element(root, 1)};
    jck_payload payload = {.kind = JCK_PAYLOAD_JSON, .json = jrpc_json_element(root, 2)};
    jrpc_buffer out;
    jrpc_error error = {.code = JRPC_OK};
    jrpc_buffer_init(&m.out, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    if (message->kind == 'a') {
        put(&m, JRPC_SLICE("["));
        for (size_t i = 0; i < message->count; i++) {
            put(&m, i == 0 ? JRPC_SLICE("") : JRPC_SLICE(","));
            put_message(&m, message->items[i]);
        }
        put(&m, JRPC_SLICE("]"));
    } else {
        put_message(&m, message);
    }
    FUZZ_REQUIRE(jck_call_expand(&payload, resolve, call_of, &call, &out, &error));
    jrpc_slice text = jrpc_buffer_slice(&out);
    FUZZ_REQUIRE(grammar_check(text, TREE_DEPTH * 3).verdict == GRAMMAR_JSON);
    FUZZ_REQUIRE(tree_equal(tree_read(pool, text), tree_read(pool, jrpc_buffer_slice(&m.out))) !=
                 TREE_DIFFERENT);
    FUZZ_REQUIRE(jck_call_is_spelled_out(&payload, call_of, &call) ==
                 (mentions_in(message) > m.calls));
    jrpc_buffer_done(&out);
    jrpc_buffer_done(&m.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (grammar_check(input.text, TREE_DEPTH / 4).verdict == GRAMMAR_JSON &&
        jrpc_json_read(&document, input.text, TREE_DEPTH, NULL)) {
        const tree *all = tree_read(&pool, input.text);
        // "${params}" as a whole template needs params in each message.
        bool three = all->kind == 'a' && all->count == 3 && all->items[0]->kind != 's';
        bool names = three && all->items[1]->kind == 'o';
        for (size_t i = 0; names && i < all->items[1]->count; i++) {
            names = all->items[1]->items[i]->kind == 's';
        }
        if (three && (names || all->items[1]->kind == 'z') && is_known(all->items[0], true) &&
            is_known(all->items[1], false) && is_known(all->items[2], false)) {
            require_wrapped(&pool, jrpc_json_root(&document), all);
        }
    }
    jrpc_json_document_done(&document);
    tree_pool_done(&pool);
    return 0;
}
