#include "reference/rpc/resource.h"

#include <stddef.h>

static const struct {
    jrpc_slice name;
    size_t place; // in a jrpc_resource
    bool routing;
} members[] = {
    {JRPC_SLICE_INIT("resource"), offsetof(jrpc_resource, resource), true},
    {JRPC_SLICE_INIT("subresource"), offsetof(jrpc_resource, subresource), true},
    {JRPC_SLICE_INIT("verb"), offsetof(jrpc_resource, verb), true},
    {JRPC_SLICE_INIT("target"), offsetof(jrpc_resource, target), true},
    {JRPC_SLICE_INIT("parent"), offsetof(jrpc_resource, parent), true},
    {JRPC_SLICE_INIT("cache"), offsetof(jrpc_resource, cache), false},
    {JRPC_SLICE_INIT("request_id"), offsetof(jrpc_resource, request_id), false},
    {JRPC_SLICE_INIT("result"), offsetof(jrpc_resource, result), false},
};

static void read_member(jrpc_resource *fields, jrpc_json key, jrpc_json value)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        // The lengths are compared here as well: most members fail by them, and are many.
        if (jrpc_json_count(key) == members[i].name.len &&
            jrpc_json_string_is(key, members[i].name)) {
            *(jrpc_json *)(void *)((char *)fields + members[i].place) = value;
            fields->structured = fields->structured || members[i].routing;
            return;
        }
    }
}

jrpc_resource jrpc_resource_read(jrpc_json message)
{
    jrpc_resource fields = {.structured = false}; // a zeroed value is JRPC_JSON_ABSENT
    if (jrpc_json_is(message, JRPC_JSON_OBJECT)) {
        for (jrpc_json_iterator it = jrpc_json_iterate(message); jrpc_json_step(&it);) {
            read_member(&fields, it.key, it.value);
        }
    }
    return fields;
}

static bool is_name(jrpc_json value)
{
    return !jrpc_json_exists(value) ||
           (jrpc_json_is(value, JRPC_JSON_STRING) && jrpc_json_count(value) != 0);
}

static bool is_instance(jrpc_json value)
{
    return !jrpc_json_exists(value) || jrpc_json_is(value, JRPC_JSON_STRING) ||
           jrpc_json_is(value, JRPC_JSON_NUMBER);
}

// Takes a name off the front of what is left of the method. False where it does not stand there.
static bool take_name(jrpc_slice *left, jrpc_json name, bool last)
{
    size_t len = jrpc_json_count(name);
    if (left->len < len || !jrpc_json_string_is(name, jrpc_slice_of(left->ptr, len))) {
        return false;
    }
    *left = jrpc_slice_from(*left, len);
    if (last) {
        return left->len == 0;
    }
    if (left->len == 0 || left->ptr[0] != '.') {
        return false;
    }
    *left = jrpc_slice_from(*left, 1);
    return true;
}

static jrpc_resource_reason check_method(const jrpc_resource *fields, jrpc_slice method)
{
    bool nested = jrpc_json_exists(fields->subresource);
    jrpc_slice left = method;
    if (!take_name(&left, fields->resource, false) ||
        (nested && !take_name(&left, fields->subresource, false)) ||
        !take_name(&left, fields->verb, true)) {
        return JRPC_RESOURCE_MISMATCH;
    }
    size_t dots = 0;
    for (size_t i = 0; i < method.len; i++) {
        dots += method.ptr[i] == '.';
    }
    return dots == (nested ? 2 : 1) ? JRPC_RESOURCE_VALID : JRPC_RESOURCE_DOT;
}

jrpc_resource_reason jrpc_resource_check(const jrpc_resource *fields, jrpc_slice method)
{
    if (!fields->structured) {
        return JRPC_RESOURCE_VALID;
    }
    bool resource = jrpc_json_exists(fields->resource);
    bool verb = jrpc_json_exists(fields->verb);
    bool subresource = jrpc_json_exists(fields->subresource);
    bool parent = jrpc_json_exists(fields->parent);
    const struct {
        bool broken;
        jrpc_resource_reason reason;
    } rules[] = {
        {!is_name(fields->resource), JRPC_RESOURCE_TYPE},
        {!is_name(fields->verb), JRPC_RESOURCE_VERB_TYPE},
        {!is_name(fields->subresource), JRPC_RESOURCE_SUBRESOURCE_TYPE},
        {!is_instance(fields->target), JRPC_RESOURCE_TARGET_TYPE},
        {!is_instance(fields->parent), JRPC_RESOURCE_PARENT_TYPE},
        {resource && !verb, JRPC_RESOURCE_WITHOUT_VERB},
        {verb && !resource, JRPC_RESOURCE_VERB_ALONE},
        {subresource && !resource, JRPC_RESOURCE_SUBRESOURCE_ALONE},
        {parent && !resource, JRPC_RESOURCE_PARENT_ALONE},
        {parent && !subresource, JRPC_RESOURCE_PARENT_WITHOUT_SUB},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].broken) {
            return rules[i].reason;
        }
    }
    return resource ? check_method(fields, method) : JRPC_RESOURCE_VALID;
}

const char *jrpc_resource_reason_text(jrpc_resource_reason reason)
{
    switch (reason) {
    case JRPC_RESOURCE_VALID:
        return "the structured members are valid";
    case JRPC_RESOURCE_TYPE:
        return "`resource` is not a non-empty String";
    case JRPC_RESOURCE_VERB_TYPE:
        return "`verb` is not a non-empty String";
    case JRPC_RESOURCE_SUBRESOURCE_TYPE:
        return "`subresource` is not a non-empty String";
    case JRPC_RESOURCE_TARGET_TYPE:
        return "`target` is neither String nor Number";
    case JRPC_RESOURCE_PARENT_TYPE:
        return "`parent` is neither String nor Number";
    case JRPC_RESOURCE_WITHOUT_VERB:
        return "`verb` is missing beside `resource`";
    case JRPC_RESOURCE_VERB_ALONE:
        return "`resource` is missing beside `verb`";
    case JRPC_RESOURCE_SUBRESOURCE_ALONE:
        return "`subresource` stands without `resource`";
    case JRPC_RESOURCE_PARENT_ALONE:
        return "`parent` stands without `resource`";
    case JRPC_RESOURCE_PARENT_WITHOUT_SUB:
        return "`parent` stands without `subresource`";
    case JRPC_RESOURCE_MISMATCH:
        return "`method` is not `resource`, `subresource` (if any) and `verb` joined by dots";
    case JRPC_RESOURCE_DOT:
        return "a name among `resource`, `subresource` and `verb` holds a dot";
    case JRPC_RESOURCE_RESERVED_VERB:
        return "the verbs yield and return are reserved for result messages";
    }
    return "the reason is unknown";
}

bool jrpc_resource_verb_is_reserved(jrpc_slice verb)
{
    return jrpc_slice_is(verb, "yield") || jrpc_slice_is(verb, "return");
}

static const struct {
    jrpc_slice word;
    jrpc_status status;
} statuses[] = {
    {JRPC_SLICE_INIT("accepted"), JRPC_STATUS_ACCEPTED},
    {JRPC_SLICE_INIT("pending"), JRPC_STATUS_PENDING},
    {JRPC_SLICE_INIT("done"), JRPC_STATUS_DONE},
    {JRPC_SLICE_INIT("error"), JRPC_STATUS_ERROR},
};

jrpc_status jrpc_status_of(jrpc_json result)
{
    jrpc_json status = jrpc_json_get(result, "status");
    if (!jrpc_json_exists(status)) {
        return JRPC_STATUS_NONE;
    }
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (jrpc_json_string_is(status, statuses[i].word)) {
            return statuses[i].status;
        }
    }
    return JRPC_STATUS_UNKNOWN;
}

const char *jrpc_status_word(jrpc_status status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status) {
            return statuses[i].word.ptr;
        }
    }
    return NULL;
}
