#include "fuzz/model/witness.h"

typedef struct maker {
    witness_resolve *resolve;
    void *context;
    jrpc_buffer *out;
} maker;

static bool put(const maker *m, jrpc_json pattern);

// The name of the only member, where it begins with a dollar sign and is not a variable.
static const char *matcher_of(jrpc_json pattern, jrpc_json *ret_argument)
{
    static const char *const names[] = {"$any",    "$type", "$range",   "$in",
                                        "$absent", "$each", "$contains"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *ret_argument = jrpc_json_get(pattern, names[i]);
        if (jrpc_json_count(pattern) == 1 && jrpc_json_exists(*ret_argument)) {
            return names[i];
        }
    }
    return "";
}

// Whether it is a matcher that nothing is made for here.
static bool is_other_matcher(jrpc_json pattern)
{
    jrpc_json_iterator it = jrpc_json_iterate(pattern);
    return jrpc_json_count(pattern) == 1 && jrpc_json_step(&it) &&
           jrpc_slice_starts_with(jrpc_json_spelling(it.key), JRPC_SLICE("\"$")) &&
           !jrpc_slice_starts_with(jrpc_json_spelling(it.key), JRPC_SLICE("\"${"));
}

bool witness_is_anything(jrpc_json pattern)
{
    jrpc_json argument = JRPC_JSON_ABSENT;
    return strcmp(matcher_of(pattern, &argument), "$any") == 0;
}

bool witness_is_absence(jrpc_json pattern)
{
    jrpc_json argument = JRPC_JSON_ABSENT;
    return strcmp(matcher_of(pattern, &argument), "$absent") == 0 &&
           jrpc_json_is(argument, JRPC_JSON_TRUE);
}

// Whether a member with this pattern may be left out: absence, or a choice that begins with it.
static bool may_be_left_out(jrpc_json pattern)
{
    jrpc_json argument = JRPC_JSON_ABSENT;
    return witness_is_absence(pattern) || (strcmp(matcher_of(pattern, &argument), "$in") == 0 &&
                                           witness_is_absence(jrpc_json_element(argument, 0)));
}

static bool put_type(const maker *m, jrpc_json type)
{
    static const struct {
        const char *type, *value;
    } values[] = {{"string", "\"\""}, {"number", "0.5"}, {"integer", "1"}, {"boolean", "true"},
                  {"null", "null"},   {"object", "{}"},  {"array", "[]"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (jrpc_json_string_is(type, jrpc_slice_str(values[i].type))) {
            return jrpc_buffer_append_str(m->out, values[i].value);
        }
    }
    return false;
}

// A String contains itself; whatever else it is is the element of an Array, or a member.
static bool put_container(const maker *m, jrpc_json part)
{
    if (jrpc_json_is(part, JRPC_JSON_STRING) || jrpc_json_is(part, JRPC_JSON_OBJECT)) {
        return put(m, part);
    }
    return jrpc_buffer_append_char(m->out, '[') && put(m, part) &&
           jrpc_buffer_append_char(m->out, ']');
}

static bool put_matched(const maker *m, const char *matcher, jrpc_json argument)
{
    if (strcmp(matcher, "$any") == 0) {
        return jrpc_buffer_append_str(m->out, "0");
    }
    if (strcmp(matcher, "$type") == 0) {
        return put_type(m, argument);
    }
    if (strcmp(matcher, "$in") == 0) {
        return put(m, jrpc_json_element(argument, 0));
    }
    if (strcmp(matcher, "$range") == 0) {
        return put(m, jrpc_json_element(argument, 1));
    }
    if (strcmp(matcher, "$contains") == 0) {
        return put_container(m, argument);
    }
    if (strcmp(matcher, "$each") == 0) {
        return jrpc_buffer_append_char(m->out, '[') && put(m, argument) &&
               jrpc_buffer_append_char(m->out, ']');
    }
    return false;
}

static bool put_string(const maker *m, jrpc_json string)
{
    jrpc_slice text = jrpc_json_spelling(string);
    jrpc_slice spelling = text;
    if (text.len > 5 && jrpc_slice_starts_with(text, JRPC_SLICE("\"${")) &&
        text.ptr[text.len - 2] == '}' &&
        !m->resolve(m->context, jrpc_slice_of(text.ptr + 3, text.len - 5), &spelling)) {
        return false;
    }
    return jrpc_buffer_append(m->out, spelling);
}

static bool put_members(const maker *m, jrpc_json container, bool object)
{
    const char *between = "";
    jrpc_buffer_append_char(m->out, object ? '{' : '[');
    for (jrpc_json_iterator it = jrpc_json_iterate(container); jrpc_json_step(&it);) {
        if (object && may_be_left_out(it.value)) {
            continue;
        }
        jrpc_buffer_append_str(m->out, between);
        between = ",";
        if (object) {
            jrpc_buffer_append(m->out, jrpc_json_spelling(it.key));
            jrpc_buffer_append_char(m->out, ':');
        }
        if (!put(m, it.value)) {
            return false;
        }
    }
    return jrpc_buffer_append_char(m->out, object ? '}' : ']');
}

static bool put(const maker *m, jrpc_json pattern)
{
    jrpc_json argument = JRPC_JSON_ABSENT;
    const char *matcher = matcher_of(pattern, &argument);
    switch (jrpc_json_kind_of(pattern)) {
    case JRPC_JSON_NONE:
        return false;
    case JRPC_JSON_OBJECT:
        return matcher[0] != '\0' ? put_matched(m, matcher, argument)
                                  : !is_other_matcher(pattern) && put_members(m, pattern, true);
    case JRPC_JSON_ARRAY:
        return put_members(m, pattern, false);
    case JRPC_JSON_STRING:
        return put_string(m, pattern);
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
    case JRPC_JSON_NUMBER:
        break;
    }
    return jrpc_buffer_append(m->out, jrpc_json_spelling(pattern));
}

bool witness_put(jrpc_json pattern, witness_resolve *resolve, void *context, jrpc_buffer *out)
{
    const maker m = {resolve, context, out};
    return put(&m, pattern) && !out->failed;
}
