// A reader of JSON Schema, as much of it as docs/event.schema.json uses. A keyword that it does not
// know fails the test, so that nothing in the schema goes unchecked.
#ifndef TESTS_UNIT_RUN_SCHEMA_H
#define TESTS_UNIT_RUN_SCHEMA_H

#include "reference/base/error.h"
#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct schema {
    char *text;
    jrpc_json_document document;
    char why[256]; // the first thing that did not hold
} schema;

static inline void schema_open(schema *s, const char *path)
{
    *s = (schema){0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fail_msg("%s cannot be opened", path);
    }
    enum { MOST = 1 << 18 };
    s->text = malloc(MOST);
    assert_non_null(s->text);
    size_t len = fread(s->text, 1, MOST, stream);
    assert_int_equal(fclose(stream), 0);
    jrpc_json_document_init(&s->document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&s->document, jrpc_slice_of(s->text, len), JRPC_LIMIT_DEPTH, NULL));
}

static inline void schema_close(schema *s)
{
    jrpc_json_document_done(&s->document);
    free(s->text);
}

static inline bool schema_fails(schema *s, const char *keyword, jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    if (s->why[0] == '\0') {
        (void)snprintf(s->why, sizeof s->why, "%s: %.*s", keyword,
                       (int)(spelling.len < 160 ? spelling.len : 160), spelling.ptr);
    }
    return false;
}

static inline bool schema_holds(schema *s, jrpc_json rule, jrpc_json value);

// Whether it holds, without a word when it does not.
static inline bool schema_matches(schema *s, jrpc_json rule, jrpc_json value)
{
    schema quiet = *s;
    return schema_holds(&quiet, rule, value);
}

static inline bool schema_is_type(jrpc_json type, jrpc_json value)
{
    static const struct {
        const char *name;
        jrpc_json_kind kind;
    } types[] = {{"object", JRPC_JSON_OBJECT},
                 {"array", JRPC_JSON_ARRAY},
                 {"string", JRPC_JSON_STRING},
                 {"null", JRPC_JSON_NULL},
                 {"number", JRPC_JSON_NUMBER}};
    if (jrpc_json_string_is(type, JRPC_SLICE("boolean"))) {
        return jrpc_json_is(value, JRPC_JSON_TRUE) || jrpc_json_is(value, JRPC_JSON_FALSE);
    }
    if (jrpc_json_string_is(type, JRPC_SLICE("integer"))) {
        return jrpc_json_is_integer(value);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (jrpc_json_string_is(type, jrpc_slice_str(types[i].name))) {
            return jrpc_json_is(value, types[i].kind);
        }
    }
    fail_msg("unknown type in the schema");
    return false;
}

static inline jrpc_json schema_named(jrpc_json object, jrpc_json string)
{
    jrpc_slice spelling = jrpc_json_spelling(string);
    return jrpc_json_member(object, jrpc_slice_of(spelling.ptr + 1, spelling.len - 2));
}

// How many members of `list` (schemas) hold.
static inline size_t schema_count(schema *s, jrpc_json list, jrpc_json value)
{
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(list); jrpc_json_step(&it);) {
        count += schema_matches(s, it.value, value);
    }
    return count;
}

static inline bool schema_object(schema *s, jrpc_json rule, jrpc_json value)
{
    jrpc_json properties = jrpc_json_get(rule, "properties");
    jrpc_json more = jrpc_json_get(rule, "additionalProperties");
    jrpc_json names = jrpc_json_get(rule, "propertyNames");
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(rule, "required"));
         jrpc_json_step(&it);) {
        if (!jrpc_json_exists(schema_named(value, it.value))) {
            return schema_fails(s, "required", it.value);
        }
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(rule, "dependentRequired"));
         jrpc_json_step(&it);) {
        jrpc_json other = jrpc_json_element(it.value, 0);
        if (jrpc_json_exists(schema_named(value, it.key)) &&
            !jrpc_json_exists(schema_named(value, other))) {
            return schema_fails(s, "dependentRequired", other);
        }
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it) && it.members;) {
        jrpc_json of_member = schema_named(properties, it.key);
        bool holds = jrpc_json_exists(of_member) ? schema_holds(s, of_member, it.value)
                     : !jrpc_json_exists(more)   ? true
                                                 : schema_holds(s, more, it.value);
        if (!holds || (jrpc_json_exists(names) && !schema_holds(s, names, it.key))) {
            return schema_fails(s, "member", it.key);
        }
    }
    return true;
}

static inline bool schema_array(schema *s, jrpc_json rule, jrpc_json value)
{
    jrpc_json items = jrpc_json_get(rule, "items");
    bool unique = jrpc_json_is(jrpc_json_get(rule, "uniqueItems"), JRPC_JSON_TRUE);
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (jrpc_json_exists(items) && !schema_holds(s, items, it.value)) {
            return false;
        }
        for (uint32_t i = 0; unique && i < jrpc_json_count(value); i++) {
            jrpc_json other = jrpc_json_element(value, i);
            if (other.index != it.value.index && jrpc_json_equal(other, it.value)) {
                return schema_fails(s, "uniqueItems", it.value);
            }
        }
    }
    return true;
}

// A lower or upper bound on a count or a value.
static inline bool schema_bounds(schema *s, jrpc_json rule, jrpc_json value)
{
    static const struct {
        const char *keyword;
        jrpc_json_kind kind;
        bool least;
    } bounds[] = {{"minItems", JRPC_JSON_ARRAY, true},
                  {"minLength", JRPC_JSON_STRING, true},
                  {"maxLength", JRPC_JSON_STRING, false},
                  {"minimum", JRPC_JSON_NUMBER, true}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        int64_t bound = 0;
        int64_t measure = jrpc_json_count(value);
        if (!jrpc_json_int64(jrpc_json_get(rule, bounds[i].keyword), &bound) ||
            !jrpc_json_is(value, bounds[i].kind)) {
            continue;
        }
        (void)jrpc_json_int64(value, &measure);
        if (bounds[i].least ? measure < bound : measure > bound) {
            return schema_fails(s, bounds[i].keyword, value);
        }
    }
    return true;
}

static inline void schema_check_keywords(jrpc_json rule)
{
    static const char *const known[] = {"$schema",
                                        "$id",
                                        "title",
                                        "description",
                                        "type",
                                        "required",
                                        "properties",
                                        "allOf",
                                        "oneOf",
                                        "if",
                                        "then",
                                        "$ref",
                                        "$defs",
                                        "minimum",
                                        "minLength",
                                        "maxLength",
                                        "minItems",
                                        "enum",
                                        "const",
                                        "items",
                                        "uniqueItems",
                                        "pattern",
                                        "propertyNames",
                                        "additionalProperties",
                                        "dependentRequired",
                                        "format",
                                        "contentEncoding"};
    for (jrpc_json_iterator it = jrpc_json_iterate(rule); jrpc_json_step(&it);) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            is_known = is_known || jrpc_json_string_is(it.key, jrpc_slice_str(known[i]));
        }
        assert_true(is_known);
    }
}

// Whether `value` is what `rule` asks for; s->why says what not.
static inline bool schema_holds(schema *s, jrpc_json rule, jrpc_json value)
{
    if (!jrpc_json_is(rule, JRPC_JSON_OBJECT)) {
        return jrpc_json_is(rule, JRPC_JSON_TRUE) || schema_fails(s, "false", value);
    }
    schema_check_keywords(rule);
    jrpc_json reference = jrpc_json_get(rule, "$ref");
    if (jrpc_json_exists(reference)) {
        jrpc_slice at = jrpc_json_spelling(reference); // "#/$defs/name", with its quotes
        jrpc_json target =
            jrpc_json_pointer(jrpc_json_root(&s->document), jrpc_slice_of(at.ptr + 2, at.len - 3));
        assert_true(jrpc_json_exists(target));
        if (!schema_holds(s, target, value)) {
            return false;
        }
    }
    jrpc_json type = jrpc_json_get(rule, "type");
    if (jrpc_json_exists(type) && !schema_is_type(type, value)) {
        return schema_fails(s, "type", value);
    }
    jrpc_json constant = jrpc_json_get(rule, "const");
    if (jrpc_json_exists(constant) && !jrpc_json_equal(constant, value)) {
        return schema_fails(s, "const", value);
    }
    jrpc_json choice = jrpc_json_get(rule, "enum");
    bool chosen = !jrpc_json_exists(choice);
    for (jrpc_json_iterator it = jrpc_json_iterate(choice); jrpc_json_step(&it);) {
        chosen = chosen || jrpc_json_equal(it.value, value);
    }
    if (!chosen) {
        return schema_fails(s, "enum", value);
    }
    jrpc_json one_of = jrpc_json_get(rule, "oneOf");
    if (jrpc_json_exists(one_of) && schema_count(s, one_of, value) != 1) {
        return schema_fails(s, "oneOf", value);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(rule, "allOf"));
         jrpc_json_step(&it);) {
        if (!schema_holds(s, it.value, value)) {
            return false;
        }
    }
    jrpc_json condition = jrpc_json_get(rule, "if");
    if (jrpc_json_exists(condition) && schema_matches(s, condition, value) &&
        !schema_holds(s, jrpc_json_get(rule, "then"), value)) {
        return false;
    }
    return schema_bounds(s, rule, value) &&
           (!jrpc_json_is(value, JRPC_JSON_OBJECT) || schema_object(s, rule, value)) &&
           (!jrpc_json_is(value, JRPC_JSON_ARRAY) || schema_array(s, rule, value));
}

#endif
