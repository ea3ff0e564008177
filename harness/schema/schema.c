#include "harness/schema/schema.h"

#include "reference/json/equal.h"

// How deep schemas may nest; what nests deeper is not checked.
#define DEPTH_MAX 128

typedef bool check(jrpc_json value, jrpc_arena *arena, int depth);

static bool is_schema(jrpc_json value, jrpc_arena *arena, int depth);

static bool is_string(jrpc_json value, jrpc_arena *arena, int depth)
{
    (void)arena;
    (void)depth;
    return jrpc_json_is(value, JRPC_JSON_STRING);
}

static bool is_boolean(jrpc_json value, jrpc_arena *arena, int depth)
{
    (void)arena;
    (void)depth;
    return jrpc_json_is(value, JRPC_JSON_TRUE) || jrpc_json_is(value, JRPC_JSON_FALSE);
}

static bool is_number(jrpc_json value, jrpc_arena *arena, int depth)
{
    (void)arena;
    (void)depth;
    return jrpc_json_is(value, JRPC_JSON_NUMBER);
}

static bool is_above_zero(jrpc_json value, jrpc_arena *arena, int depth)
{
    return is_number(value, arena, depth) &&
           jrpc_json_number_compare(jrpc_json_spelling(value), JRPC_SLICE("0")) > 0;
}

static bool is_count(jrpc_json value, jrpc_arena *arena, int depth)
{
    (void)arena;
    (void)depth;
    return jrpc_json_is_integer(value) &&
           jrpc_json_number_compare(jrpc_json_spelling(value), JRPC_SLICE("0")) >= 0;
}

static bool is_array(jrpc_json value, jrpc_arena *arena, int depth)
{
    (void)arena;
    (void)depth;
    return jrpc_json_is(value, JRPC_JSON_ARRAY);
}

// An Array of different Strings.
static bool is_names(jrpc_json value, jrpc_arena *arena, int depth)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        jrpc_json_iterator others = it;
        if (!is_string(it.value, arena, depth)) {
            return false;
        }
        while (jrpc_json_step(&others)) {
            if (jrpc_json_equal(it.value, others.value)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_type_name(jrpc_json value)
{
    static const char *const types[] = {"string", "number", "integer", "boolean",
                                        "null",   "object", "array"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (jrpc_json_string_is(value, jrpc_slice_str(types[i]))) {
            return true;
        }
    }
    return false;
}

static bool is_type(jrpc_json value, jrpc_arena *arena, int depth)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return is_type_name(value);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (!is_type_name(it.value)) {
            return false;
        }
    }
    return jrpc_json_count(value) > 0 && is_names(value, arena, depth);
}

static bool is_schemas(jrpc_json value, jrpc_arena *arena, int depth)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (!is_schema(it.value, arena, depth)) {
            return false;
        }
    }
    return true;
}

static bool is_list_of_schemas(jrpc_json value, jrpc_arena *arena, int depth)
{
    return jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) > 0 &&
           is_schemas(value, arena, depth);
}

static bool is_map_of_schemas(jrpc_json value, jrpc_arena *arena, int depth)
{
    return jrpc_json_is(value, JRPC_JSON_OBJECT) && is_schemas(value, arena, depth);
}

// Before 2020-12 `items` could be a list of schemas.
static bool is_items(jrpc_json value, jrpc_arena *arena, int depth)
{
    return jrpc_json_is(value, JRPC_JSON_ARRAY) ? is_schemas(value, arena, depth)
                                                : is_schema(value, arena, depth);
}

static const struct {
    const char *keyword;
    check *holds;
} keywords[] = {
    {"$schema", is_string},
    {"$id", is_string},
    {"$ref", is_string},
    {"$anchor", is_string},
    {"$comment", is_string},
    {"$defs", is_map_of_schemas},
    {"definitions", is_map_of_schemas},
    {"title", is_string},
    {"description", is_string},
    {"format", is_string},
    {"pattern", is_string},
    {"type", is_type},
    {"enum", is_array},
    {"examples", is_array},
    {"required", is_names},
    {"properties", is_map_of_schemas},
    {"patternProperties", is_map_of_schemas},
    {"dependentSchemas", is_map_of_schemas},
    {"additionalProperties", is_schema},
    {"unevaluatedProperties", is_schema},
    {"propertyNames", is_schema},
    {"items", is_items},
    {"prefixItems", is_list_of_schemas},
    {"additionalItems", is_schema},
    {"unevaluatedItems", is_schema},
    {"contains", is_schema},
    {"allOf", is_list_of_schemas},
    {"anyOf", is_list_of_schemas},
    {"oneOf", is_list_of_schemas},
    {"not", is_schema},
    {"if", is_schema},
    {"then", is_schema},
    {"else", is_schema},
    {"minimum", is_number},
    {"maximum", is_number},
    {"exclusiveMinimum", is_number},
    {"exclusiveMaximum", is_number},
    {"multipleOf", is_above_zero},
    {"minLength", is_count},
    {"maxLength", is_count},
    {"minItems", is_count},
    {"maxItems", is_count},
    {"minProperties", is_count},
    {"maxProperties", is_count},
    {"uniqueItems", is_boolean},
    {"readOnly", is_boolean},
    {"writeOnly", is_boolean},
};

static bool keyword_holds(jrpc_slice keyword, jrpc_json value, jrpc_arena *arena, int depth)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (jrpc_slice_is(keyword, keywords[i].keyword)) {
            return keywords[i].holds(value, arena, depth);
        }
    }
    return true;
}

static bool is_schema(jrpc_json value, jrpc_arena *arena, int depth)
{
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return is_boolean(value, arena, depth);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         depth < DEPTH_MAX && jrpc_json_step(&it);) {
        jrpc_slice keyword;
        if (!jrpc_json_string(it.key, arena, &keyword) ||
            !keyword_holds(keyword, it.value, arena, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool jck_is_json_schema(jrpc_json value, jrpc_arena *arena)
{
    return jrpc_json_exists(value) && is_schema(value, arena, 0);
}
