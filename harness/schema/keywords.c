// The keywords of validation, and what each says of a value.
#include "harness/schema/decimal.h"
#include "harness/schema/fit_private.h"
#include "harness/schema/pattern.h"
#include "reference/json/equal.h"

#include <stdint.h>

#define ELEMENT ((jrpc_slice){NULL, 0})
#define ARGUMENTS jck_fitting *self, jrpc_json schema, jrpc_json argument, jrpc_json value
#define UNUSED (void)self, (void)schema, (void)argument, (void)value

static bool has_type(jrpc_json name, jrpc_json value)
{
    static const char *const names[] = {
        [JRPC_JSON_NULL] = "null",     [JRPC_JSON_FALSE] = "boolean", [JRPC_JSON_TRUE] = "boolean",
        [JRPC_JSON_NUMBER] = "number", [JRPC_JSON_STRING] = "string", [JRPC_JSON_ARRAY] = "array",
        [JRPC_JSON_OBJECT] = "object",
    };
    jrpc_json_kind kind = jrpc_json_kind_of(value);
    return jrpc_json_string_is(name, jrpc_slice_str(names[kind])) ||
           (jrpc_json_string_is(name, JRPC_SLICE("integer")) && jrpc_json_is_integer(value));
}

static jck_fit fit_type(ARGUMENTS)
{
    UNUSED;
    bool found = has_type(argument, value);
    jrpc_json_iterator it = jrpc_json_iterate(argument);
    while (!found && jrpc_json_step(&it)) {
        found = has_type(it.value, value);
    }
    return jck_fit_of(found);
}

static jck_fit fit_enum(ARGUMENTS)
{
    UNUSED;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument); jrpc_json_step(&it);) {
        if (jrpc_json_equal(it.value, value)) {
            return JCK_FIT_YES;
        }
    }
    return JCK_FIT_NO;
}

static jck_fit fit_const(ARGUMENTS)
{
    UNUSED;
    return jck_fit_of(jrpc_json_equal(argument, value));
}

// How the value compares with the argument; 0 as well if that is not a Number.
static int compare(jrpc_json value, jrpc_json argument)
{
    return jrpc_json_is(argument, JRPC_JSON_NUMBER)
               ? jrpc_json_number_compare(jrpc_json_spelling(value), jrpc_json_spelling(argument))
               : 0;
}

static jck_fit fit_minimum(ARGUMENTS)
{
    UNUSED;
    return jck_fit_of(compare(value, argument) >= 0);
}

static jck_fit fit_maximum(ARGUMENTS)
{
    UNUSED;
    return jck_fit_of(compare(value, argument) <= 0);
}

// Draft 4 has `true` here, which means something else: that is not judged.
static jck_fit fit_exclusive_minimum(ARGUMENTS)
{
    UNUSED;
    return jrpc_json_is(argument, JRPC_JSON_NUMBER) ? jck_fit_of(compare(value, argument) > 0)
                                                    : JCK_FIT_UNSURE;
}

static jck_fit fit_exclusive_maximum(ARGUMENTS)
{
    UNUSED;
    return jrpc_json_is(argument, JRPC_JSON_NUMBER) ? jck_fit_of(compare(value, argument) < 0)
                                                    : JCK_FIT_UNSURE;
}

static jck_fit fit_multiple(ARGUMENTS)
{
    UNUSED;
    if (!jrpc_json_is(argument, JRPC_JSON_NUMBER)) {
        return JCK_FIT_UNSURE;
    }
    switch (jck_is_multiple(jrpc_json_spelling(value), jrpc_json_spelling(argument))) {
    case JCK_MULTIPLE_IS:
        return JCK_FIT_YES;
    case JCK_MULTIPLE_NOT:
        return JCK_FIT_NO;
    case JCK_MULTIPLE_UNSURE:
        break;
    }
    return JCK_FIT_UNSURE;
}

// How many characters a String has, or elements, or members of different names.
static int64_t length_of(jck_fitting *self, jrpc_json value)
{
    jrpc_slice text;
    int64_t length = 0;
    if (!jrpc_json_string(value, self->arena, &text)) {
        return jrpc_json_count(value);
    }
    for (size_t i = 0; i < text.len; i++) {
        length += ((unsigned char)text.ptr[i] & 0xc0) == 0x80 ? 0 : 1;
    }
    return length;
}

static jck_fit fit_least(ARGUMENTS)
{
    (void)schema;
    int64_t least = 0;
    return !jrpc_json_int64(argument, &least) ? JCK_FIT_UNSURE
                                              : jck_fit_of(length_of(self, value) >= least);
}

static jck_fit fit_most(ARGUMENTS)
{
    (void)schema;
    int64_t most = 0;
    return !jrpc_json_int64(argument, &most) ? JCK_FIT_UNSURE
                                             : jck_fit_of(length_of(self, value) <= most);
}

static jck_fit found_in(jck_fitting *self, jrpc_json pattern, jrpc_json string)
{
    jrpc_slice expression;
    jrpc_slice text;
    if (!jrpc_json_string(pattern, self->arena, &expression) ||
        !jrpc_json_string(string, self->arena, &text)) {
        return JCK_FIT_UNSURE;
    }
    switch (jck_pattern_find(expression, text)) {
    case JCK_FOUND:
        return JCK_FIT_YES;
    case JCK_FOUND_NOT:
        return JCK_FIT_NO;
    case JCK_FOUND_UNSURE:
        break;
    }
    return JCK_FIT_UNSURE;
}

static jck_fit fit_pattern(ARGUMENTS)
{
    UNUSED;
    return found_in(self, argument, value);
}

static jck_fit fit_unique(ARGUMENTS)
{
    (void)schema;
    if (!jrpc_json_is(argument, JRPC_JSON_TRUE)) {
        return JCK_FIT_YES;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        jrpc_json_iterator others = it;
        while (jrpc_json_step(&others)) {
            if (!jck_fit_step(self)) {
                return JCK_FIT_UNSURE;
            }
            if (jrpc_json_equal(it.value, others.value)) {
                return JCK_FIT_NO;
            }
        }
    }
    return JCK_FIT_YES;
}

// `items` is one schema for all elements, or an Array with one for each of the first elements; then
// `additionalItems` is for the others.
static jck_fit fit_items(ARGUMENTS)
{
    bool list = jrpc_json_is(argument, JRPC_JSON_ARRAY);
    jrpc_json further = jrpc_json_get(schema, "additionalItems");
    jck_fit fit = JCK_FIT_YES;
    unsigned index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); fit != JCK_FIT_NO && jrpc_json_step(&it);
         index++) {
        jrpc_json one = list ? jrpc_json_element(argument, index) : argument;
        one = jrpc_json_exists(one) ? one : further;
        if (jrpc_json_exists(one)) {
            fit = jck_fit_and(fit, jck_fit_within(self, one, it.value, ELEMENT, index));
        }
    }
    return fit;
}

static jck_fit fit_contains(ARGUMENTS)
{
    (void)schema;
    jck_fit best = JCK_FIT_NO;
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         best != JCK_FIT_YES && jrpc_json_step(&it);) {
        best = jck_fit_or(best, jck_fit_quietly(self, argument, it.value));
    }
    return best;
}

static bool has_member(jck_fitting *self, jrpc_json object, jrpc_json name)
{
    jrpc_slice text;
    return jrpc_json_string(name, self->arena, &text) &&
           jrpc_json_exists(jrpc_json_member(object, text));
}

static jck_fit fit_required(ARGUMENTS)
{
    (void)schema;
    bool complete = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument); complete && jrpc_json_step(&it);) {
        complete = has_member(self, value, it.value);
    }
    return jck_fit_of(complete);
}

// What a member's value must fit: one of `properties`, all of `patternProperties` that its name
// matches, or else `additionalProperties`.
static jck_fit fit_member(jck_fitting *self, jrpc_json schema, jrpc_json key, jrpc_json member)
{
    jrpc_slice name;
    jck_fit known = JCK_FIT_NO; // whether one of the first two is about it
    jck_fit fit = JCK_FIT_YES;
    if (!jrpc_json_string(key, self->arena, &name)) {
        return JCK_FIT_UNSURE;
    }
    jrpc_json own = jrpc_json_member(jrpc_json_get(schema, "properties"), name);
    if (jrpc_json_exists(own)) {
        known = JCK_FIT_YES;
        fit = jck_fit_within(self, own, member, name, 0);
    }
    jrpc_json patterns = jrpc_json_get(schema, "patternProperties");
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        jck_fit found = found_in(self, it.key, key);
        known = jck_fit_or(known, found);
        if (found == JCK_FIT_YES) {
            fit = jck_fit_and(fit, jck_fit_within(self, it.value, member, name, 0));
        } else if (found == JCK_FIT_UNSURE) {
            fit = jck_fit_and(fit, JCK_FIT_UNSURE);
        }
    }
    jrpc_json further = jrpc_json_get(schema, "additionalProperties");
    if (known == JCK_FIT_NO && jrpc_json_exists(further)) {
        fit = jck_fit_and(fit, jck_fit_within(self, further, member, name, 0));
    }
    return fit;
}

// Stands for all three keywords that say what members must fit. Members are checked once, by the
// first of these keywords that the schema has.
static jck_fit fit_members(ARGUMENTS)
{
    static const char *const three[] = {"properties", "patternProperties", "additionalProperties"};
    jrpc_json first = JRPC_JSON_ABSENT;
    for (size_t i = 0; i < sizeof three / sizeof *three && !jrpc_json_exists(first); i++) {
        first = jrpc_json_get(schema, three[i]);
    }
    jck_fit fit = JCK_FIT_YES;
    if (argument.index != first.index) {
        return fit;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        fit = jck_fit_and(fit, fit_member(self, schema, it.key, it.value));
    }
    return fit;
}

static jck_fit fit_names(ARGUMENTS)
{
    (void)schema;
    jck_fit fit = JCK_FIT_YES;
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        fit = jck_fit_and(fit, jck_fit_schema(self, argument, it.key));
    }
    return fit;
}

static jck_fit fit_dependencies(ARGUMENTS)
{
    jck_fit fit = JCK_FIT_YES;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        if (has_member(self, value, it.key)) {
            fit = jck_fit_and(fit, jrpc_json_is(it.value, JRPC_JSON_ARRAY)
                                       ? fit_required(self, schema, it.value, value)
                                       : jck_fit_schema(self, it.value, value));
        }
    }
    return fit;
}

static jck_fit fit_all_of(ARGUMENTS)
{
    (void)schema;
    jck_fit fit = JCK_FIT_YES;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        fit = jck_fit_and(fit, jck_fit_schema(self, it.value, value));
    }
    return fit;
}

static jck_fit fit_any_of(ARGUMENTS)
{
    (void)schema;
    jck_fit best = JCK_FIT_NO;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument);
         best != JCK_FIT_YES && jrpc_json_step(&it);) {
        best = jck_fit_or(best, jck_fit_quietly(self, it.value, value));
    }
    return best;
}

static jck_fit fit_one_of(ARGUMENTS)
{
    (void)schema;
    unsigned fitting = 0;
    unsigned unsure = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument); jrpc_json_step(&it);) {
        jck_fit here = jck_fit_quietly(self, it.value, value);
        fitting += here == JCK_FIT_YES ? 1 : 0;
        unsure += here == JCK_FIT_UNSURE ? 1 : 0;
    }
    return fitting > 1 ? JCK_FIT_NO : unsure > 0 ? JCK_FIT_UNSURE : jck_fit_of(fitting == 1);
}

static jck_fit fit_not(ARGUMENTS)
{
    (void)schema;
    return jck_fit_not(jck_fit_quietly(self, argument, value));
}

static jck_fit fit_if(ARGUMENTS)
{
    jrpc_json then = jrpc_json_get(schema, "then");
    jrpc_json otherwise = jrpc_json_get(schema, "else");
    jck_fit condition = jck_fit_quietly(self, argument, value);
    jrpc_json branch = condition == JCK_FIT_YES ? then : otherwise;
    if (condition == JCK_FIT_UNSURE) {
        return jrpc_json_exists(then) || jrpc_json_exists(otherwise) ? JCK_FIT_UNSURE : JCK_FIT_YES;
    }
    return jrpc_json_exists(branch) ? jck_fit_schema(self, branch, value) : JCK_FIT_YES;
}

static const jck_keyword keywords[] = {
    {"type", JRPC_JSON_NONE, fit_type},
    {"enum", JRPC_JSON_NONE, fit_enum},
    {"const", JRPC_JSON_NONE, fit_const},
    {"multipleOf", JRPC_JSON_NUMBER, fit_multiple},
    {"minimum", JRPC_JSON_NUMBER, fit_minimum},
    {"maximum", JRPC_JSON_NUMBER, fit_maximum},
    {"exclusiveMinimum", JRPC_JSON_NUMBER, fit_exclusive_minimum},
    {"exclusiveMaximum", JRPC_JSON_NUMBER, fit_exclusive_maximum},
    {"minLength", JRPC_JSON_STRING, fit_least},
    {"maxLength", JRPC_JSON_STRING, fit_most},
    {"pattern", JRPC_JSON_STRING, fit_pattern},
    {"minItems", JRPC_JSON_ARRAY, fit_least},
    {"maxItems", JRPC_JSON_ARRAY, fit_most},
    {"uniqueItems", JRPC_JSON_ARRAY, fit_unique},
    {"items", JRPC_JSON_ARRAY, fit_items},
    {"contains", JRPC_JSON_ARRAY, fit_contains},
    {"minProperties", JRPC_JSON_OBJECT, fit_least},
    {"maxProperties", JRPC_JSON_OBJECT, fit_most},
    {"required", JRPC_JSON_OBJECT, fit_required},
    {"properties", JRPC_JSON_OBJECT, fit_members},
    {"patternProperties", JRPC_JSON_OBJECT, fit_members},
    {"additionalProperties", JRPC_JSON_OBJECT, fit_members},
    {"propertyNames", JRPC_JSON_OBJECT, fit_names},
    {"dependencies", JRPC_JSON_OBJECT, fit_dependencies},
    {"allOf", JRPC_JSON_NONE, fit_all_of},
    {"anyOf", JRPC_JSON_NONE, fit_any_of},
    {"oneOf", JRPC_JSON_NONE, fit_one_of},
    {"not", JRPC_JSON_NONE, fit_not},
    {"if", JRPC_JSON_NONE, fit_if},
};

const jck_keyword *jck_keywords(size_t *ret_count)
{
    *ret_count = sizeof keywords / sizeof *keywords;
    return keywords;
}
