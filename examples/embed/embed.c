// A JSON-RPC server in one file: libjrpc's parser and router between this program's own input and
// output.
//
//   $ printf '%s\n' '{"jsonrpc":"2.0","method":"greet","params":{"name":"Ada"},"id":1}' | ./embed
//   {"jsonrpc":"2.0","result":"Hello, Ada","id":1}
#define _POSIX_C_SOURCE 200809L // for getline
#include "reference/base/arena.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"
#include "reference/rpc/router.h"

#include <stdio.h>
#include <stdlib.h>

#define ANSWER_BYTES_MAX ((size_t)64 << 20)

// greet(name): arguments come in declared order, whether they were sent by name or by position.
static bool greet(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_slice name;
    if (!jrpc_json_string(call->arguments[0], call->arena, &name)) {
        return jrpc_call_fail(call, -32602, "name must be a String", JRPC_SLICE(""));
    }
    const char *text = jrpc_arena_printf(call->arena, "Hello, %.*s", (int)name.len, name.ptr);
    if (text == NULL) {
        return false; // becomes an Internal error, -32603
    }
    jrpc_json_write_str(call->result, text);
    return true;
}

// members(…): how many members or elements each argument has, read with the parser's own view.
static bool members(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json_write_begin_array(call->result);
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        jrpc_json_write_int(call->result, jrpc_json_count(it.value));
    }
    jrpc_json_write_end_array(call->result);
    return true;
}

static bool add_methods(jrpc_router *router, jrpc_error *error)
{
    static const jrpc_parameter parameters[] = {{.name = "name"}};
    const jrpc_method of_name = {.name = "greet", .parameters = parameters, .parameter_count = 1};
    const jrpc_method of_any = {.name = "members", .any_params = true};
    return jrpc_router_add(router, &of_name, greet, NULL, error) &&
           jrpc_router_add(router, &of_any, members, NULL, error);
}

// The parser by itself: a file of settings, say.
static bool read_settings(const char *text, jrpc_error *error)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, error);
    int64_t version = 0;
    if (read && jrpc_json_int64(jrpc_json_get(jrpc_json_root(&document), "version"), &version)) {
        (void)fprintf(stderr, "settings of version %d\n", (int)version);
    }
    jrpc_json_document_done(&document);
    return read;
}

int main(int argc, char **argv)
{
    jrpc_error error = {0};
    jrpc_buffer answer;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    bool good = router != NULL && add_methods(router, &error) &&
                read_settings(argc > 1 ? argv[1] : "{\"version\":1}", &error);
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), ANSWER_BYTES_MAX);
    while (good && (len = getline(&line, &room, stdin)) > 0) {
        jrpc_buffer_clear(&answer);
        if (jrpc_router_handle(router, jrpc_slice_of(line, (size_t)len), JRPC_LIMIT_DEPTH, NULL,
                               &answer, &error) == JRPC_REPLY_TEXT) {
            jrpc_slice text = jrpc_buffer_slice(&answer);
            good = fwrite(text.ptr, 1, text.len, stdout) == text.len && putchar('\n') == '\n' &&
                   fflush(stdout) == 0;
        }
    }
    if (!good) {
        (void)fprintf(stderr, "embed: %s\n", error.message);
    }
    jrpc_buffer_done(&answer);
    jrpc_router_free(router);
    free(line);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
