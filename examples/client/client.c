// Calls a JSON-RPC 2.0 server: client ADDRESS METHOD [PARAMS], or several calls as one batch with
// client ADDRESS --batch METHOD... ; ADDRESS is tcp://HOST:PORT, unix:PATH, http://… or ws://…
#include "reference/client/client.h"
#include "reference/client/address.h"

#include <stdio.h>
#include <string.h>

enum { TIMEOUT_MS = 5000, BATCH_MAX = 16 };

static void print(const char *what, jrpc_json value)
{
    jrpc_slice text = jrpc_json_spelling(value);
    printf("%s %.*s\n", what, (int)text.len, text.ptr == NULL ? "" : text.ptr);
}

// What the server sends on its own.
static void on_push(void *context, const jrpc_message *message)
{
    (void)context;
    print("pushed", message->method);
}

// Called once for each call of the batch, in the order in which the answers come.
static void on_answer(void *context, const jrpc_answer *answer)
{
    if (answer->kind == JRPC_ANSWER_RESULT || answer->kind == JRPC_ANSWER_ERROR) {
        printf("%s: ", (const char *)context);
        print(jrpc_answer_kind_name(answer->kind), answer->value);
    } else {
        printf("%s: %s\n", (const char *)context, answer->why);
    }
}

static bool call(jrpc_client *client, const char *method, const char *params, jrpc_error *error)
{
    jrpc_answer answer;
    if (!jrpc_client_call(client, method, params, TIMEOUT_MS, &answer, error)) {
        return false;
    }
    print("result", answer.value);
    return true;
}

static bool batch(jrpc_client *client, char **methods, size_t count, jrpc_error *error)
{
    jrpc_call_parts parts[BATCH_MAX];
    count = count < BATCH_MAX ? count : BATCH_MAX;
    for (size_t i = 0; i < count; i++) {
        parts[i] = (jrpc_call_parts){
            .method = jrpc_slice_str(methods[i]), .answered = on_answer, .context = methods[i]};
    }
    return jrpc_client_start_batch(client, parts, count, NULL, error) &&
           jrpc_client_wait(client, JRPC_DEADLINE_NEVER, error);
}

int main(int argc, char **argv)
{
    jrpc_error error = {.code = JRPC_OK};
    jrpc_client_address address;
    jrpc_endpoint endpoint;
    if (argc < 3 || !jrpc_client_address_read(argv[1], &address, &endpoint, &error)) {
        (void)fprintf(stderr, "client: %s\n",
                      argc < 3 ? "usage: client ADDRESS METHOD [PARAMS]" : error.message);
        return 2;
    }
    const jrpc_client_options options = {
        .endpoint = &endpoint, .ear = {.own = on_push}, .timeout_ms = TIMEOUT_MS};
    jrpc_client *client = jrpc_client_open(&options, &error);
    bool ok = client != NULL;
    if (ok && strcmp(argv[2], "--batch") == 0) {
        ok = batch(client, argv + 3, (size_t)(argc - 3), &error);
    } else if (ok) {
        ok = call(client, argv[2], argc > 3 ? argv[3] : NULL, &error);
    }
    jrpc_client_close(client);
    if (!ok) {
        (void)fprintf(stderr, "client: %s\n", error.message);
    }
    return ok ? 0 : 1;
}
