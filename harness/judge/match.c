#include "harness/judge/match.h"

#include "harness/describe/openrpc.h"
#include "harness/evidence/evidence.h"
#include "harness/schema/fit.h"
#include "harness/schema/reference.h"
#include "harness/schema/schema.h"
#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

// Bytes of a schema keyword's value that a reason quotes.
#define SCHEMA_SHOWN 120

bool jck_is_matcher(jrpc_json pattern, jrpc_json *ret_name, jrpc_json *ret_argument)
{
    if (!jrpc_json_is(pattern, JRPC_JSON_OBJECT) || jrpc_json_count(pattern) != 1) {
        return false;
    }
    jrpc_json_iterator it = jrpc_json_iterate(pattern);
    if (!jrpc_json_step(&it)) {
        return false;
    }
    jrpc_slice spelling = jrpc_json_spelling(it.key);
    if (!jrpc_slice_starts_with(spelling, JRPC_SLICE("\"$")) ||
        jrpc_slice_starts_with(spelling, JRPC_SLICE("\"${"))) {
        return false;
    }
    *ret_name = it.key;
    *ret_argument = it.value;
    return true;
}

static bool match_type(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    (void)matching;
    static const struct {
        const char *name;
        jrpc_json_kind kinds[2];
    } types[] = {
        {"string", {JRPC_JSON_STRING, JRPC_JSON_STRING}},
        {"number", {JRPC_JSON_NUMBER, JRPC_JSON_NUMBER}},
        {"boolean", {JRPC_JSON_TRUE, JRPC_JSON_FALSE}},
        {"null", {JRPC_JSON_NULL, JRPC_JSON_NULL}},
        {"object", {JRPC_JSON_OBJECT, JRPC_JSON_OBJECT}},
        {"array", {JRPC_JSON_ARRAY, JRPC_JSON_ARRAY}},
    };
    if (jrpc_json_string_is(argument, JRPC_SLICE("integer"))) {
        return jrpc_json_is_integer(value);
    }
    jrpc_json_kind kind = jrpc_json_kind_of(value);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (jrpc_json_string_is(argument, jrpc_slice_str(types[i].name))) {
            return kind == types[i].kinds[0] || kind == types[i].kinds[1];
        }
    }
    return false;
}

static bool match_range(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    (void)matching;
    if (!jrpc_json_is(value, JRPC_JSON_NUMBER)) {
        return false;
    }
    jrpc_slice number = jrpc_json_spelling(value);
    jrpc_slice low = jrpc_json_spelling(jrpc_json_element(argument, 0));
    jrpc_slice high = jrpc_json_spelling(jrpc_json_element(argument, 1));
    return jrpc_json_number_compare(low, number) <= 0 &&
           jrpc_json_number_compare(number, high) <= 0;
}

static bool match_in(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(argument); jrpc_json_step(&it);) {
        if (jck_match(matching, it.value, value)) {
            return true;
        }
    }
    return false;
}

static bool match_absent(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    (void)matching;
    return jrpc_json_exists(value) != jrpc_json_is(argument, JRPC_JSON_TRUE);
}

// A String contains a String as a substring; an Array contains a matching element; an Object
// contains the members of the pattern.
static bool match_contains(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    if (jrpc_json_is(value, JRPC_JSON_STRING)) {
        jrpc_slice whole = {NULL, 0};
        jrpc_slice part = {NULL, 0};
        return jrpc_json_string(value, matching->arena, &whole) &&
               jrpc_json_string(jck_pattern_value(matching, argument), matching->arena, &part) &&
               jrpc_slice_contains(whole, part);
    }
    if (jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return jck_match_subset(matching, argument, value);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (jck_match(matching, argument, it.value)) {
            return true;
        }
    }
    return false;
}

static bool match_each(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY) && !jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (!jck_match(matching, argument, it.value)) {
            return false;
        }
    }
    return true;
}

// The value itself matches, or one inside it at any depth: all values in containers are checked,
// but not the names of members.
static bool match_somewhere(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    if (!jrpc_json_exists(value) || jck_match(matching, argument, value)) {
        return jrpc_json_exists(value);
    }
    uint32_t end = value.document->nodes[value.index].next;
    for (uint32_t i = value.index; i < end; i++) {
        jrpc_json_iterator it = jrpc_json_iterate((jrpc_json){value.document, i});
        while (jrpc_json_step(&it)) {
            if (jck_match(matching, argument, it.value)) {
                return true;
            }
        }
    }
    return false;
}

static bool match_any(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    (void)matching;
    (void)argument;
    return jrpc_json_exists(value);
}

static bool match_not(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    return jrpc_json_exists(value) && !jck_match(matching, argument, value);
}

static bool match_all(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(argument); jrpc_json_step(&it);) {
        if (!jck_match(matching, it.value, value)) {
            return false;
        }
    }
    return true;
}

// Whether a character is in a list of characters and ranges, such as "A-Z_.".
static bool is_listed(jrpc_slice list, char c)
{
    for (size_t i = 0; i < list.len; i++) {
        bool range = i + 2 < list.len && list.ptr[i + 1] == '-';
        char last = list.ptr[range ? i + 2 : i];
        if (c >= list.ptr[i] && c <= last) {
            return true;
        }
        i += range ? 2 : 0;
    }
    return false;
}

static bool match_chars(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    jrpc_slice list = {NULL, 0};
    jrpc_slice text = {NULL, 0};
    if (!jrpc_json_string(argument, matching->arena, &list) ||
        !jrpc_json_string(value, matching->arena, &text)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (!is_listed(list, text.ptr[i])) {
            return false;
        }
    }
    return true;
}

// Bytes of a String in UTF-8, elements of an Array, members of an Object.
static bool match_length(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    jrpc_slice text = {NULL, 0};
    int64_t least = 0;
    int64_t most = 0;
    bool string = jrpc_json_string(value, matching->arena, &text);
    bool counted = jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_is(value, JRPC_JSON_OBJECT);
    int64_t length = string ? (int64_t)text.len : (int64_t)jrpc_json_count(value);
    return (string || counted) && jrpc_json_int64(jrpc_json_element(argument, 0), &least) &&
           jrpc_json_int64(jrpc_json_element(argument, 1), &most) && length >= least &&
           length <= most;
}

// Checks that no two elements have the same value at the pointer.
static bool match_unique(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    jrpc_slice pointer = {NULL, 0};
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY) ||
        !jrpc_json_string(argument, matching->arena, &pointer)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        jrpc_json one = jrpc_json_pointer(it.value, pointer);
        jrpc_json_iterator others = it;
        while (jrpc_json_exists(one) && jrpc_json_step(&others)) {
            jrpc_json other = jrpc_json_pointer(others.value, pointer);
            if (jrpc_json_exists(other) && jrpc_json_equal(one, other)) {
                return false;
            }
        }
    }
    return true;
}

static bool match_json_schema(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    (void)argument;
    return jck_is_json_schema(value, matching->arena);
}

// The target of a reference in the description of the service.
static jrpc_json referred(const jck_matching *matching, jrpc_json reference)
{
    jrpc_slice text = {NULL, 0};
    return jrpc_json_string(reference, matching->arena, &text)
               ? jck_reference_find(matching->description, text, matching->arena)
               : JRPC_JSON_ABSENT;
}

// How well a value fits the schema that the argument of $fits refers to or that its variable holds.
static jck_fit fit(const jck_matching *matching, jrpc_json argument, jrpc_json value,
                   jck_misfit *ret_misfit)
{
    jrpc_slice name = {NULL, 0};
    return jck_is_variable(argument, &name)
               ? jck_schema_fit_document(jck_pattern_value(matching, argument), value,
                                         matching->arena, ret_misfit)
               : jck_schema_fit(referred(matching, argument), matching->description, value,
                                matching->arena, ret_misfit);
}

static bool match_fits(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    return jrpc_json_exists(value) && fit(matching, argument, value, NULL) != JCK_FIT_NO;
}

static bool match_printed(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    return jrpc_json_exists(value) && jrpc_json_equal(referred(matching, argument), value);
}

static bool match_openrpc(const jck_matching *matching, jrpc_json argument, jrpc_json value)
{
    jrpc_slice part = {NULL, 0};
    return jrpc_json_string(argument, matching->arena, &part) &&
           jck_openrpc_flaw(value, part, matching->arena) == NULL;
}

// The member of `object` with the same name as `key`, with escapes resolved, or with the value of
// the variable.
static jrpc_json same_member(const jck_matching *matching, jrpc_json object, jrpc_json key)
{
    jrpc_slice name = {NULL, 0};
    if (!jrpc_json_string(jck_pattern_value(matching, key), matching->arena, &name)) {
        return JRPC_JSON_ABSENT;
    }
    return jrpc_json_member(object, name);
}

// The same for the part of the result at the JSON Pointer `where`.
static const char *reason_at(const jck_matching *matching, jrpc_json pattern, jrpc_json value,
                             const char *where)
{
    jrpc_json name = JRPC_JSON_ABSENT;
    jrpc_json argument = JRPC_JSON_ABSENT;
    jrpc_slice part = {NULL, 0};
    jck_misfit misfit;
    const char *reason = NULL;
    if (!jck_is_matcher(pattern, &name, &argument)) {
        return NULL;
    }
    bool all = jrpc_json_string_is(name, JRPC_SLICE("$all"));
    bool subset = jrpc_json_string_is(name, JRPC_SLICE("$contains")) &&
                  jrpc_json_is(argument, JRPC_JSON_OBJECT) && jrpc_json_is(value, JRPC_JSON_OBJECT);
    if (all || subset) {
        for (jrpc_json_iterator it = jrpc_json_iterate(argument);
             reason == NULL && jrpc_json_step(&it);) {
            jrpc_slice key = subset ? jrpc_json_spelling(it.key) : JRPC_SLICE("");
            const char *below = subset && key.len > 2
                                    ? jrpc_arena_printf(matching->arena, "%s/%.*s", where,
                                                        (int)key.len - 2, key.ptr + 1)
                                    : where;
            reason =
                reason_at(matching, it.value, subset ? same_member(matching, value, it.key) : value,
                          below == NULL ? "" : below);
        }
        return reason;
    }
    if (jrpc_json_string_is(name, JRPC_SLICE("$openrpc"))) {
        (void)jrpc_json_string(argument, matching->arena, &part);
        return jck_openrpc_flaw(value, part, matching->arena);
    }
    if (!jrpc_json_string_is(name, JRPC_SLICE("$fits"))) {
        return NULL;
    }
    if (!jrpc_json_exists(value)) {
        return jrpc_arena_printf(matching->arena, "result%s is missing", where);
    }
    return fit(matching, argument, value, &misfit) != JCK_FIT_NO
               ? NULL
               : jrpc_arena_printf(matching->arena, "result%s%s does not fit its schema: %.*s %s",
                                   where, misfit.where, (int)misfit.keyword.len, misfit.keyword.ptr,
                                   jck_excerpt(matching->arena, jrpc_json_spelling(misfit.argument),
                                               SCHEMA_SHOWN));
}

const char *jck_matching_reason(const jck_matching *matching, jrpc_json pattern, jrpc_json value)
{
    return reason_at(matching, pattern, value, "");
}

static const struct {
    const char *name;
    bool (*match)(const jck_matching *matching, jrpc_json argument, jrpc_json value);
} matchers[] = {
    {"$type", match_type},
    {"$range", match_range},
    {"$in", match_in},
    {"$absent", match_absent},
    {"$contains", match_contains},
    {"$each", match_each},
    {"$somewhere", match_somewhere},
    {"$any", match_any},
    {"$all", match_all},
    {"$not", match_not},
    {"$chars", match_chars},
    {"$length", match_length},
    {"$unique", match_unique},
    {"$json-schema", match_json_schema},
    {"$fits", match_fits},
    {"$printed", match_printed},
    {"$openrpc", match_openrpc},
};

static bool match_array(const jck_matching *matching, jrpc_json pattern, jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY) ||
        jrpc_json_count(pattern) != jrpc_json_count(value)) {
        return false;
    }
    jrpc_json_iterator elements = jrpc_json_iterate(value);
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        (void)jrpc_json_step(&elements); // both have the same number of elements
        if (!jck_match(matching, it.value, elements.value)) {
            return false;
        }
    }
    return true;
}

bool jck_match_subset(const jck_matching *matching, jrpc_json pattern, jrpc_json value)
{
    jrpc_json name = JRPC_JSON_ABSENT;
    jrpc_json argument = JRPC_JSON_ABSENT;
    if (!jrpc_json_is(pattern, JRPC_JSON_OBJECT) || jck_is_matcher(pattern, &name, &argument)) {
        return jck_match(matching, pattern, value);
    }
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        if (!jck_match(matching, it.value, same_member(matching, value, it.key))) {
            return false;
        }
    }
    return true;
}

static bool match_object(const jck_matching *matching, jrpc_json pattern, jrpc_json value)
{
    if (!jck_match_subset(matching, pattern, value)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (!jrpc_json_exists(same_member(matching, pattern, it.key))) {
            return false;
        }
    }
    return true;
}

jrpc_json jck_pattern_value(const jck_matching *matching, jrpc_json pattern)
{
    jrpc_slice name = {NULL, 0};
    jrpc_slice spelling = {NULL, 0};
    jrpc_json printed = jrpc_json_get(pattern, "$printed");
    if (jrpc_json_exists(printed)) {
        return referred(matching, printed);
    }
    if (!jck_is_variable(pattern, &name) ||
        !matching->resolve(matching->context, name, &spelling)) {
        return pattern;
    }
    // The document lives in the arena: spellings of variables are small and few.
    jrpc_json_document on_heap;
    jrpc_json_document_init(&on_heap, matching->arena->allocator);
    jrpc_json value = JRPC_JSON_ABSENT;
    jrpc_error error = {0};
    if (!jrpc_json_read(&on_heap, spelling, JRPC_LIMIT_DEPTH, &error)) {
        matching->arena->failed = matching->arena->failed || error.code == JRPC_ERROR_MEMORY;
    } else {
        jrpc_json_document *document = jrpc_arena_alloc(matching->arena, sizeof *document);
        jrpc_json_node *nodes = jrpc_arena_array(matching->arena, on_heap.count, sizeof *nodes);
        if (document != NULL && nodes != NULL) {
            memcpy(nodes, on_heap.nodes, on_heap.count * sizeof *nodes);
            *document = (jrpc_json_document){.text = spelling,
                                             .nodes = nodes,
                                             .count = on_heap.count,
                                             .capacity = on_heap.count};
            value = jrpc_json_root(document);
        }
    }
    jrpc_json_document_done(&on_heap);
    return value;
}

bool jck_match_message(const jck_matching *matching, jrpc_json pattern, jrpc_json message)
{
    jrpc_json batch = jrpc_json_get(pattern, "$batch");
    if (jrpc_json_exists(batch)) {
        return jrpc_json_is(message, JRPC_JSON_ARRAY) &&
               jrpc_json_count(message) == jrpc_json_count(batch);
    }
    if (!jrpc_json_is(message, JRPC_JSON_OBJECT)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        bool beside = jrpc_json_string_is(it.key, JRPC_SLICE("$times")) ||
                      jrpc_json_string_is(it.key, JRPC_SLICE("$rising")) ||
                      jrpc_json_string_is(it.key, JRPC_SLICE("$rule"));
        if (!beside &&
            !jck_match_subset(matching, it.value, same_member(matching, message, it.key))) {
            return false;
        }
    }
    return true;
}

bool jck_match(const jck_matching *matching, jrpc_json pattern, jrpc_json value)
{
    jrpc_json name = JRPC_JSON_ABSENT;
    jrpc_json argument = JRPC_JSON_ABSENT;
    if (jck_is_matcher(pattern, &name, &argument)) {
        for (size_t i = 0; i < sizeof matchers / sizeof matchers[0]; i++) {
            if (jrpc_json_string_is(name, jrpc_slice_str(matchers[i].name))) {
                return matchers[i].match(matching, argument, value);
            }
        }
        return false;
    }
    if (!jrpc_json_exists(value)) {
        return false;
    }
    switch (jrpc_json_kind_of(pattern)) {
    case JRPC_JSON_OBJECT:
        return match_object(matching, pattern, value);
    case JRPC_JSON_ARRAY:
        return match_array(matching, pattern, value);
    case JRPC_JSON_STRING:
        return jrpc_json_equal(jck_pattern_value(matching, pattern), value);
    case JRPC_JSON_NONE:
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
    case JRPC_JSON_NUMBER:
        return jrpc_json_equal(pattern, value);
    }
    return false;
}
