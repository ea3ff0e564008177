// The keywords that say something of a value as it stands, and what each says.
#include "harness/schema/decimal.h"
#include "harness/schema/fit_private.h"
#include "harness/schema/pattern.h"
#include "reference/json/equal.h"

#include <stdint.h>

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

jck_fit jck_fit_pattern(jck_fitting *self, jrpc_json pattern, jrpc_json string)
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
    return jck_fit_pattern(self, argument, value);
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

bool jck_has_member(jck_fitting *self, jrpc_json object, jrpc_json name)
{
    jrpc_slice text;
    return jrpc_json_string(name, self->arena, &text) &&
           jrpc_json_exists(jrpc_json_member(object, text));
}

jck_fit jck_fit_required(jck_fitting *self, jrpc_json names, jrpc_json object)
{
    bool complete = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(names); complete && jrpc_json_step(&it);) {
        complete = jck_has_member(self, object, it.value);
    }
    return jck_fit_of(complete);
}

static jck_fit fit_required(ARGUMENTS)
{
    (void)schema;
    return jck_fit_required(self, argument, value);
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
    {"minProperties", JRPC_JSON_OBJECT, fit_least},
    {"maxProperties", JRPC_JSON_OBJECT, fit_most},
    {"required", JRPC_JSON_OBJECT, fit_required},
};

const jck_keyword *jck_assertions(size_t *ret_count)
{
    *ret_count = sizeof keywords / sizeof *keywords;
    return keywords;
}
