#include "harness/drive/client.h"

#include "reference/json/write.h"
#include "reference/net/descriptor.h"

#include <string.h>

#define WORDS_BYTES ((size_t)64 << 10)

void jck_client_init(jck_client *client, const jck_client_options *options)
{
    *client = (jck_client){.options = *options};
    if (options->poll == NULL) {
        client->options.poll = jrpc_descriptor_poll;
    }
    jck_client_driver_init(&client->driver);
}

void jck_client_stop(jck_client *client)
{
    jck_reception_drop_all(&client->reception);
    jck_client_driver_stop(&client->driver, client->options.grace_ms);
    client->connected = false;
}

void jck_client_done(jck_client *client)
{
    jck_client_stop(client);
    if (client->listening) {
        jck_reception_close(&client->reception);
        client->listening = false;
    }
}

int64_t jck_client_patience_ms(const jck_client *client)
{
    return 2 * client->timeout_ms;
}

// The command that starts a bridge to the listener, as a JSON Array.
static bool append_bridge(const jck_client *client, jrpc_buffer *out)
{
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, out);
    jrpc_json_write_begin_array(&writer);
    jrpc_json_write_str(&writer, client->options.self);
    jrpc_json_write_str(&writer, "bridge");
    jrpc_json_write_str(&writer, jrpc_acceptor_address(client->reception.acceptor));
    jrpc_json_write_end_array(&writer);
    return !out->failed;
}

// The environment of the driver: that of the target's description, and where to connect.
const char *const *jck_client_environment(const jck_client *client, int64_t timeout_ms,
                                          jrpc_arena *arena)
{
    const jck_target *target = client->options.target;
    size_t count = 0;
    while (target->environment != NULL && target->environment[count] != NULL) {
        count++;
    }
    const char **lines = jrpc_arena_array(arena, count + 5, sizeof *lines);
    jrpc_buffer bridge;
    jrpc_buffer_init(&bridge, jrpc_allocator_heap(), WORDS_BYTES);
    if (lines != NULL && append_bridge(client, &bridge)) {
        for (size_t i = 0; i < count; i++) {
            lines[i] = target->environment[i];
        }
        lines[count++] = jrpc_arena_printf(arena, "JRPCHECK_URL=%s",
                                           jrpc_acceptor_address(client->reception.acceptor));
        lines[count++] =
            jrpc_arena_printf(arena, "JRPCHECK_FRAMING=%s", jrpc_framing_name(target->framing));
        lines[count++] = jrpc_arena_printf(arena, "JRPCHECK_TIMEOUT=%lld", (long long)timeout_ms);
        lines[count] =
            jrpc_arena_printf(arena, "JRPCHECK_SERVER=%.*s", (int)bridge.len, bridge.ptr);
    }
    jrpc_buffer_done(&bridge);
    return lines == NULL || arena->failed ? NULL : lines;
}

static bool start_driver(jck_client *client, int64_t timeout_ms, jrpc_error *error)
{
    const jck_client_options *options = &client->options;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), WORDS_BYTES * 4);
    const char *const *environment = jck_client_environment(client, timeout_ms, &arena);
    bool started = environment != NULL || jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    if (started) {
        const jrpc_endpoint endpoint = {
            .transport = JRPC_TRANSPORT_STDIO,
            .role = JRPC_ROLE_CLIENT,
            .framing = JRPC_FRAMING_LINE,
            .argv = options->target->command,
            .directory = options->target->directory,
            .environment = environment,
            .dial = options->target->dial,
            .dial_context = options->target->dial_context,
            .memory = options->target->memory,
            .max_message = client->reception.endpoint.max_message,
            .interrupt_fd = options->interrupt_fd,
            .allocator = jrpc_allocator_heap(),
            .clock = options->clock,
        };
        started =
            jck_client_driver_start(&client->driver, &endpoint,
                                    jrpc_deadline_in_ms(options->clock, options->start_ms), error);
    }
    jrpc_arena_done(&arena);
    return started;
}

jck_client_status jck_client_open(jck_client *client, int64_t timeout_ms, jrpc_error *error)
{
    const jck_client_options *options = &client->options;
    if (!client->listening) {
        client->listening = true;
        if (!jck_reception_open(&client->reception, options->target, options->clock,
                                options->interrupt_fd, error)) {
            return JCK_CLIENT_FAULT;
        }
    }
    if (options->undriven) {
        client->timeout_ms = timeout_ms;
        return JCK_CLIENT_OK;
    }
    if (client->driver.peer != NULL && client->timeout_ms != timeout_ms) {
        jck_client_stop(client);
    }
    if (client->driver.peer == NULL) {
        client->timeout_ms = timeout_ms;
        client->starts++;
        if (!start_driver(client, timeout_ms, error)) {
            return error->code == JRPC_ERROR_INTERRUPTED ? JCK_CLIENT_INTERRUPTED
                                                         : JCK_CLIENT_UNOPENED;
        }
    }
    return JCK_CLIENT_OK;
}
