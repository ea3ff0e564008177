#include "reference/driver/command.h"

#include "reference/json/read.h"

static const struct {
    const char *word;
    jrpc_command_kind kind;
    bool one; // it is a request itself
} kinds[] = {
    {"connect", JRPC_COMMAND_CONNECT, false}, {"call", JRPC_COMMAND_CALL, true},
    {"notify", JRPC_COMMAND_NOTIFY, true},    {"batch", JRPC_COMMAND_BATCH, false},
    {"ping", JRPC_COMMAND_PING, false},       {"close", JRPC_COMMAND_CLOSE, false},
};

static bool invalid(jrpc_error *error, const char *why)
{
    return jrpc_error_set(error, JRPC_ERROR_INVALID, "%s", why);
}

static jrpc_slice content_of(jrpc_json value, const char *name, jrpc_arena *arena)
{
    jrpc_slice content = {NULL, 0};
    (void)jrpc_json_string(jrpc_json_get(value, name), arena, &content);
    return content;
}

// Reads the parts that make up the method.
static void read_parts(jrpc_json value, jrpc_arena *arena, jrpc_commanded_request *request)
{
    request->structured = true;
    request->parts = (jrpc_request_parts){
        .resource = content_of(value, "resource", arena),
        .subresource = content_of(value, "subresource", arena),
        .verb = content_of(value, "verb", arena),
        .target = jrpc_json_spelling(jrpc_json_get(value, "target")),
        .parent = jrpc_json_spelling(jrpc_json_get(value, "parent")),
        .params = request->params,
        .cache = content_of(value, "cache", arena),
    };
}

static bool read_request(jrpc_json value, jrpc_arena *arena, jrpc_commanded_request *request,
                         jrpc_error *error)
{
    request->params = jrpc_json_spelling(jrpc_json_get(value, "params"));
    if (jrpc_json_exists(jrpc_json_get(value, "resource"))) {
        read_parts(value, arena, request);
        return true;
    }
    return jrpc_json_string(jrpc_json_get(value, "method"), arena, &request->method) ||
           invalid(error, "a request without a String `method`");
}

static bool read_list(jrpc_json list, jrpc_arena *arena, jrpc_command *command, jrpc_error *error)
{
    if (!jrpc_json_is(list, JRPC_JSON_ARRAY)) {
        return invalid(error, "a batch without `list`");
    }
    command->requests =
        jrpc_arena_array(arena, jrpc_json_count(list) + 1, sizeof *command->requests);
    if (command->requests == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a batch");
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(list); jrpc_json_step(&it);) {
        jrpc_commanded_request *request = &command->requests[command->count++];
        request->notification = jrpc_json_is(jrpc_json_get(it.value, "notify"), JRPC_JSON_TRUE);
        if (!read_request(it.value, arena, request, error)) {
            return false;
        }
    }
    return true;
}

bool jrpc_command_read(jrpc_slice line, jrpc_json_document *document, jrpc_arena *arena,
                       jrpc_command *ret_command, bool *ret_tagged, jrpc_error *error)
{
    *ret_command = (jrpc_command){.kind = JRPC_COMMAND_PING};
    *ret_tagged = false;
    if (!jrpc_json_read(document, line, UINT32_MAX, error)) {
        return jrpc_error_prefix(error, "a command is not JSON");
    }
    jrpc_json root = jrpc_json_root(document);
    *ret_tagged = jrpc_json_int64(jrpc_json_get(root, "tag"), &ret_command->tag);
    if (!*ret_tagged) {
        return invalid(error, "a command without an integer `tag`");
    }
    jrpc_json word = jrpc_json_get(root, "do");
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds &&
           !jrpc_json_string_is(word, jrpc_slice_str(kinds[i].word))) {
        i++;
    }
    if (i == sizeof kinds / sizeof *kinds) {
        return invalid(error, "this driver knows connect, call, notify, batch, ping and close");
    }
    ret_command->kind = kinds[i].kind;
    if (kinds[i].kind == JRPC_COMMAND_BATCH) {
        return read_list(jrpc_json_get(root, "list"), arena, ret_command, error);
    }
    if (!kinds[i].one) {
        return true;
    }
    ret_command->requests = jrpc_arena_array(arena, 1, sizeof *ret_command->requests);
    ret_command->count = 1;
    if (ret_command->requests == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a request");
    }
    ret_command->requests->notification = kinds[i].kind == JRPC_COMMAND_NOTIFY;
    return read_request(root, arena, ret_command->requests, error);
}
