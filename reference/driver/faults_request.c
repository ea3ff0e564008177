// Faults of a Request: its members, and how many of them.
#include "reference/driver/change.h"

#include "reference/json/write.h"

#include <string.h>

static jrpc_slice first_element(jrpc_change *change, jrpc_slice params)
{
    jrpc_json value = jrpc_change_json(change, params);
    return jrpc_json_count(value) == 1 && jrpc_json_is(value, JRPC_JSON_ARRAY)
               ? jrpc_json_spelling(jrpc_json_element(value, 0))
               : params;
}

static jrpc_slice wrap(jrpc_change *change, jrpc_slice params)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_char(&out, '[');
    jrpc_buffer_append(&out, params);
    jrpc_buffer_append_char(&out, ']');
    return jrpc_buffer_slice(&out);
}

static jrpc_slice as_text(jrpc_change *change, jrpc_slice params)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_json_quote(&out, params);
    return jrpc_buffer_slice(&out);
}

static jrpc_slice by_name(jrpc_change *change, jrpc_slice params)
{
    jrpc_json value = jrpc_change_json(change, params);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return params;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    unsigned at = 0;
    jrpc_buffer_append_char(&out, '{');
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it); at++) {
        jrpc_buffer_printf(&out, "%s\"%u\":", at > 0 ? "," : "", at);
        jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
    }
    jrpc_buffer_append_char(&out, '}');
    return jrpc_buffer_slice(&out);
}

static void put_element(jrpc_buffer *out, jrpc_json value)
{
    jrpc_buffer_append_char(out, out->len == 0 ? '[' : ',');
    jrpc_buffer_append(out, jrpc_json_spelling(value));
}

static jrpc_slice end_array(jrpc_buffer *out)
{
    jrpc_buffer_append_str(out, out->len == 0 ? "[]" : "]");
    return jrpc_buffer_slice(out);
}

static jrpc_slice by_position(jrpc_change *change, jrpc_slice params)
{
    jrpc_json value = jrpc_change_json(change, params);
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return params;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        put_element(&out, it.value);
    }
    return end_array(&out);
}

static jrpc_slice backwards(jrpc_change *change, jrpc_slice params)
{
    jrpc_json value = jrpc_change_json(change, params);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return params;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    for (uint32_t i = jrpc_json_count(value); i > 0; i--) {
        put_element(&out, jrpc_json_element(value, i - 1));
    }
    return end_array(&out);
}

static void params_null(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    (void)change;
    (void)parts;
    if (request->params.len == 0) {
        request->params = JRPC_SLICE("null");
    }
}

static void method_lower(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    (void)parts;
    jrpc_buffer out = jrpc_change_buffer(change);
    for (size_t i = 0; i < request->method.len; i++) {
        char c = request->method.ptr[i];
        jrpc_buffer_append_char(&out, c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c);
    }
    request->method = jrpc_buffer_slice(&out);
}

static void method_cut(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    const char *nul =
        parts->method.len > 0 ? memchr(parts->method.ptr, '\0', parts->method.len) : NULL;
    if (nul != NULL) {
        jrpc_buffer out = jrpc_change_buffer(change);
        size_t len = (size_t)(nul - parts->method.ptr);
        (void)jrpc_json_quote(&out, jrpc_slice_of(parts->method.ptr, len));
        request->method = jrpc_buffer_slice(&out);
    }
}

static void method_cut_long(jrpc_change *change, const jrpc_call_parts *parts,
                            jrpc_request *request)
{
    enum { KEPT = 255 };
    if (parts->method.len > KEPT) {
        jrpc_buffer out = jrpc_change_buffer(change);
        (void)jrpc_json_quote(&out, jrpc_slice_of(parts->method.ptr, KEPT));
        request->method = jrpc_buffer_slice(&out);
    }
}

// Its id with something around it.
static void id_around(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    (void)parts;
    const char *around = change->fault->spelling; // the text before, '@', the text after
    if (request->id.len > 0) {
        jrpc_buffer out = jrpc_change_buffer(change);
        for (; *around != '\0'; around++) {
            if (*around == '@') {
                jrpc_buffer_append(&out, request->id);
            } else {
                jrpc_buffer_append_char(&out, *around);
            }
        }
        request->id = jrpc_buffer_slice(&out);
    }
}

static void notification_id(jrpc_change *change, const jrpc_call_parts *parts,
                            jrpc_request *request)
{
    if (parts->notification) {
        jrpc_buffer out = jrpc_change_buffer(change);
        jrpc_buffer_printf(&out, "%zu", 700 + change->driver->memory.notified++);
        request->id = jrpc_buffer_slice(&out);
    }
}

// The call for such an id of ours: the oldest one in flight.
static void match_oldest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (memory->under_way_count > 0 && jrpc_json_exists(message->id) &&
        !jrpc_json_is(message->id, JRPC_JSON_NULL)) {
        *id = memory->under_way[0];
    }
}

// The same for ids that are null, or a boolean.
static void match_any(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)message;
    const jrpc_driver_memory *memory = &change->driver->memory;
    *id = memory->under_way_count > 0 ? memory->under_way[0] : *id;
}

// Looks for our number in an id such as ["7"], {"n":7}, 7.5 or "7".
static void match_number(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)change;
    jrpc_slice text = jrpc_json_spelling(message->id);
    uint64_t number = 0;
    size_t i = 0;
    while (i < text.len && (text.ptr[i] < '0' || text.ptr[i] > '9')) {
        i++;
    }
    for (; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++) {
        number = number * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    *id = number;
}

#define MEMBER(function, member_, text) JRPC_ROW_OF(jrpc_row_##function##_member, member_, text)
#define PARAMS(function) .request = jrpc_row_params, .respell = function

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("version-missing", "CL-1", "Requests have no jsonrpc"),
     MEMBER(request, version, "")},
    {JRPC_CLIENT_ROW("version-1.0", "CL-1", "jsonrpc is \"1.0\""),
     MEMBER(request, version, "\"1.0\"")},
    {JRPC_CLIENT_ROW("version-number", "CL-1", "jsonrpc is the Number 2.0"),
     MEMBER(request, version, "2.0")},
    {JRPC_CLIENT_ROW("version-2", "CL-1", "jsonrpc is \"2\""), MEMBER(request, version, "\"2\"")},
    {JRPC_CLIENT_ROW("version-missing-notification", "CL-1", "notifications have no jsonrpc"),
     MEMBER(notification, version, "")},
    {JRPC_CLIENT_ROW("method-lower", "CL-2", "the method is written in small letters"),
     .request = method_lower},
    {JRPC_CLIENT_ROW("method-cut-at-nul", "CL-2", "the method ends at U+0000"),
     .request = method_cut},
    {JRPC_CLIENT_ROW("method-cut-long", "CL-2", "the method ends after 255 bytes"),
     .request = method_cut_long},
    {JRPC_CLIENT_ROW("params-dropped", "CL-3", "Requests have no params"),
     MEMBER(request, params, "")},
    {JRPC_CLIENT_ROW("params-dropped-notification", "CL-3", "notifications have no params"),
     MEMBER(notification, params, "")},
    {JRPC_CLIENT_ROW("params-scalar", "CL-3",
                     "an Array of one argument is written as that argument"),
     PARAMS(first_element)},
    {JRPC_CLIENT_ROW("params-null", "CL-3", "where there are no params, they are null"),
     .request = params_null},
    {JRPC_CLIENT_ROW("params-wrapped", "CL-3", "params are an Array with the params in it"),
     PARAMS(wrap)},
    {JRPC_CLIENT_ROW("params-text", "CL-3", "params are a String with their JSON in it"),
     PARAMS(as_text)},
    {JRPC_CLIENT_ROW("params-by-name", "CL-3",
                     "arguments by position are written as an Object with numbers as names"),
     PARAMS(by_name)},
    {JRPC_CLIENT_ROW("params-by-position", "CL-3", "named arguments are written as an Array"),
     PARAMS(by_position)},
    {JRPC_CLIENT_ROW("params-backwards", "CL-3", "arguments by position are written backwards"),
     PARAMS(backwards)},
    {JRPC_CLIENT_ROW("id-missing", "CL-4", "calls have no id"), MEMBER(call, id, "")},
    {JRPC_CLIENT_ROW("id-null", "CL-4", "every call has the id null"), MEMBER(call, id, "null"),
     .match = match_any},
    {JRPC_CLIENT_ROW("id-true", "CL-4", "every call has the id true"), MEMBER(call, id, "true"),
     .match = match_oldest},
    {JRPC_CLIENT_ROW("id-fraction", "CL-4", "ids have a fraction: 7.5"), .request = id_around,
     .spelling = "@.5", .match = match_number},
    {JRPC_CLIENT_ROW("id-array", "CL-4", "ids are Arrays: [7]"), .request = id_around,
     .spelling = "[@]", .match = match_number},
    {JRPC_CLIENT_ROW("id-string", "CL-a", "ids are Strings: \"7\""), .request = id_around,
     .spelling = "\"@\"", .match = match_number},
    {JRPC_CLIENT_ROW("id-object", "CL-4", "ids are Objects: {\"n\":7}"), .request = id_around,
     .spelling = "{\"n\":@}", .match = match_number},
    {JRPC_CLIENT_ROW("id-reused", "CL-5",
                     "every call has the id 1; answers go to the oldest one under way"),
     MEMBER(call, id, "1"), .match = match_oldest},
    {JRPC_CLIENT_ROW("id-in-notification", "CL-6", "notifications have an id"),
     .request = notification_id},
    {JRPC_CLIENT_ROW("id-null-in-notification", "CL-6", "notifications have the id null"),
     MEMBER(notification, id, "null")},
};

const jrpc_client_fault_table jrpc_client_faults_request = JRPC_CLIENT_FAULT_TABLE(rows);
