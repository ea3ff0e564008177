// Patterns: the matchers and variables inside them.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "reference/json/equal.h"

static bool is_true(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_TRUE);
}

static bool is_array(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) > 0;
}

static bool is_type(jrpc_json value)
{
    static const char *const types[] = {"string", "number", "integer", "boolean",
                                        "null",   "object", "array",   NULL};
    for (const char *const *type = types; *type != NULL; type++) {
        if (jrpc_json_string_is(value, jrpc_slice_str(*type))) {
            return true;
        }
    }
    return false;
}

static bool is_range(jrpc_json value)
{
    jrpc_json low = jrpc_json_element(value, 0);
    jrpc_json high = jrpc_json_element(value, 1);
    return jrpc_json_count(value) == 2 && jrpc_json_is(low, JRPC_JSON_NUMBER) &&
           jrpc_json_is(high, JRPC_JSON_NUMBER) &&
           jrpc_json_number_compare(jrpc_json_spelling(low), jrpc_json_spelling(high)) <= 0;
}

static bool is_lengths(jrpc_json value)
{
    int64_t least = 0;
    int64_t most = 0;
    return is_range(value) && jrpc_json_int64(jrpc_json_element(value, 0), &least) &&
           jrpc_json_int64(jrpc_json_element(value, 1), &most);
}

static bool is_text(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_STRING);
}

static bool is_anything(jrpc_json value)
{
    return jrpc_json_exists(value);
}

static const struct {
    const char *name;
    bool (*accepts)(jrpc_json argument);
    const char *wanted;
} matchers[] = {
    {"$type", is_type, "string, number, integer, boolean, null, object or array"},
    {"$range", is_range, "[lowest, highest], two Numbers"},
    {"$in", is_array, "a non-empty Array of values"},
    {"$absent", is_true, "true"},
    {"$any", is_true, "true"},
    {"$contains", is_anything, "a value"},
    {"$all", is_array, "a non-empty Array of patterns"},
    {"$not", is_anything, "a pattern"},
    {"$chars", is_text, "the characters that a String may have, and ranges of them: A-Z0-9_"},
    {"$length", is_lengths, "[least, most], two whole Numbers"},
    {"$unique", is_text, "a JSON Pointer into each element"},
    {"$json-schema", is_true, "true"},
    {"$fits", is_text, "a reference into the description of the service, or a captured schema"},
    {"$printed", is_text, "a reference into the description of the service"},
    {"$openrpc", is_text, "form, names, references, schemas, order or examples"},
    {"$each", is_anything, "a pattern"},
    {"$somewhere", is_anything, "a pattern"},
};

static void check_matcher(jck_reader *reader, jrpc_json object, jrpc_json key, jrpc_json argument)
{
    jrpc_slice name;
    if (!jrpc_json_string(key, reader->arena, &name)) {
        (void)jck_reader_starve(reader);
        return;
    }
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, name);
    for (size_t i = 0; i < sizeof matchers / sizeof matchers[0]; i++) {
        jck_nearest_offer(&nearest, jrpc_slice_str(matchers[i].name));
        if (!jrpc_slice_is(name, matchers[i].name)) {
            continue;
        }
        if (jrpc_json_count(object) != 1) {
            (void)jck_wrong(reader, key, "the matcher %s must be the only member of its Object",
                            matchers[i].name);
        }
        if (!matchers[i].accepts(argument)) {
            (void)jck_wrong(reader, argument, "%s takes %s", matchers[i].name, matchers[i].wanted);
        }
        return;
    }
    (void)jck_wrong(
        reader, key, "unknown matcher \"%.*s\"%s", JCK_WORD(name),
        jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0'
            ? hint
            : "; known are $type, $range, $in, $absent, $contains, $each, $somewhere, $any, $all, "
              "$not, $chars, $length, $unique, $json-schema, $fits, $printed, $openrpc");
}

// Patterns nest, but the nodes are in one array: each of them is checked in turn.
void jck_check_pattern(jck_reader *reader, const jck_scope *scope, jrpc_json pattern)
{
    const jrpc_json_document *document = pattern.document;
    uint32_t end = document->nodes[pattern.index].next;
    for (uint32_t i = pattern.index; i < end; i++) {
        jrpc_json value = {document, i};
        jrpc_slice name;
        // Keys of members are nodes too, and may be variables as well.
        if (jck_is_variable(value, &name)) {
            (void)jck_check_variable(reader, scope, jrpc_json_offset(value), name);
        }
        jrpc_json_iterator members = jrpc_json_iterate(value);
        while (jrpc_json_step(&members) && members.members) {
            jrpc_slice spelling = jrpc_json_spelling(members.key);
            bool variable = jck_is_variable(members.key, &name);
            if (jrpc_slice_starts_with(spelling, JRPC_SLICE("\"$")) && !variable) {
                check_matcher(reader, value, members.key, members.value);
            }
        }
    }
}

// What a driver may report about a command, or about what the server sent.
static const char *const reported[] = {
    "result", "error",  "failed", "list",       "unwritable", "event",
    "method", "params", "any-of", "hangs-up",   "resource",   "subresource",
    "parent", "target", "verb",   "request_id", NULL};

void jck_check_outcome(jck_reader *reader, const jck_scope *scope, jrpc_json pattern)
{
    (void)jck_read_object(reader, pattern, "an outcome", reported);
    jrpc_json failed = jrpc_json_get(pattern, "failed");
    jrpc_json hangs_up = jrpc_json_get(pattern, "hangs-up");
    if (jrpc_json_exists(failed) && !jrpc_json_is(failed, JRPC_JSON_TRUE)) {
        (void)jck_wrong(reader, failed, "failed takes true: what a library says is never compared");
    }
    if (jrpc_json_exists(hangs_up) && !jrpc_json_is(hangs_up, JRPC_JSON_TRUE)) {
        (void)jck_wrong(reader, hangs_up,
                        "hangs-up takes true: the client has closed a connection");
    }
    jck_check_pattern(reader, scope, pattern);
}
