// Fixture methods that give more than one value: flow with its two companions, stream, tokens.
#include "reference/server/fixture.h"

#include "reference/base/utf8.h"
#include "reference/server/collect.h"
#include "reference/server/connection.h"

#include <inttypes.h>
#include <stdio.h>

static jrpc_flow *place_of(jrpc_fixture *fixture, int64_t id)
{
    return &fixture->flows[id % JRPC_FLOWS_MAX];
}

static bool begin(jrpc_server *server, jrpc_call *call, bool fails)
{
    pthread_mutex_lock(&server->lock);
    int64_t id = ++server->fixture.flow_count;
    *place_of(&server->fixture, id) = (jrpc_flow){.id = id, .fails = fails};
    pthread_mutex_unlock(&server->lock);
    jrpc_json_write_int(call->result, id);
    return true;
}

static bool flow(void *context, jrpc_call *call)
{
    return begin(context, call, false);
}

static bool failing_flow(void *context, jrpc_call *call)
{
    return begin(context, call, true);
}

static bool next_value(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    int64_t id;
    if (!jrpc_json_int64(call->arguments[0], &id)) {
        return jrpc_fixture_bad_params(call);
    }
    int64_t value = -1;
    bool failed = false;
    pthread_mutex_lock(&server->lock);
    if (id > 0 && place_of(&server->fixture, id)->id == id) {
        jrpc_flow *known = place_of(&server->fixture, id);
        if (known->next == 0) {
            atomic_fetch_add(&server->effects, 1); // collecting begins
        }
        value = known->next < JRPC_FLOW_VALUES ? known->next++ : -1;
        failed = known->fails && value > 0;
    }
    pthread_mutex_unlock(&server->lock);
    if (failed) {
        return jrpc_call_fail(call, JRPC_FLOW_FAILED, "Flow failed", JRPC_SLICE(""));
    }
    if (value < 0) {
        return jrpc_call_fail(call, JRPC_FLOW_ENDED, "Flow ended", JRPC_SLICE(""));
    }
    jrpc_json_write_int(call->result, value);
    return true;
}

static bool cancel(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    int64_t id;
    if (!jrpc_json_int64(call->arguments[0], &id)) {
        return jrpc_fixture_bad_params(call);
    }
    pthread_mutex_lock(&server->lock);
    if (id > 0 && place_of(&server->fixture, id)->id == id) {
        *place_of(&server->fixture, id) = (jrpc_flow){.id = 0};
    }
    pthread_mutex_unlock(&server->lock);
    return true;
}

static bool stream(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_connection *connection = call->connection;
    int64_t items;
    if (!jrpc_json_int64(call->arguments[0], &items) || items < 0 || items > JRPC_STREAM_MAXIMUM) {
        return jrpc_fixture_bad_params(call);
    }
    bool sent = true;
    for (int64_t i = 0; sent && !connection->one_answer && i < items; i++) {
        char text[96];
        (void)snprintf(text, sizeof text,
                       "{\"jsonrpc\":\"2.0\",\"method\":\"stream.item\",\"params\":[%" PRId64 "]}",
                       i);
        sent = jrpc_connection_send(connection, jrpc_slice_str(text));
    }
    return sent;
}

// Sends a part of the result of a call as a Response of its own.
static bool send_part(jrpc_call *call, jrpc_slice part, bool first)
{
    jrpc_connection *connection = call->connection;
    jrpc_buffer text;
    jrpc_buffer_init(&text, connection->server->allocator, connection->server->max_message);
    (void)jrpc_buffer_append_str(&text, "{\"jsonrpc\":\"2.0\",\"result\":");
    (void)jrpc_json_quote(&text, part);
    (void)jrpc_buffer_append_str(&text, first ? ",\"event\":\"start\",\"id\":" : ",\"id\":");
    (void)jrpc_buffer_append(&text, jrpc_json_spelling(call->id));
    (void)jrpc_buffer_append_char(&text, '}');
    bool sent = !text.failed && jrpc_connection_send(connection, jrpc_buffer_slice(&text));
    jrpc_buffer_done(&text);
    return sent;
}

static bool tokens(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_connection *connection = call->connection;
    jrpc_slice message;
    if (!jrpc_json_string(call->arguments[0], call->arena, &message)) {
        return jrpc_fixture_bad_params(call);
    }
    if (connection->events && !call->notification) {
        connection->mark_due = true;
        size_t len = 0;
        bool sent = send_part(call, JRPC_SLICE(""), true);
        while (sent && (len = jrpc_utf8_sequence(message.ptr, message.len, NULL)) < message.len &&
               len > 0) {
            sent = send_part(call, jrpc_slice_of(message.ptr, len), false);
            message = jrpc_slice_from(message, len);
        }
    }
    jrpc_json_write_string(call->result, message);
    return true;
}

bool jrpc_fixture_add_flows(jrpc_server *server, jrpc_error *error)
{
    const jrpc_parameter id[] = {{"id", false}};
    const jrpc_parameter items[] = {{"n", false}};
    const jrpc_parameter flow_id[] = {{"flow", false}};
    const jrpc_parameter message[] = {{"message", false}};
    const struct {
        jrpc_method method;
        jrpc_handler handler;
    } methods[] = {
        {{.name = "flow"}, flow},
        {{.name = "failing_flow"}, failing_flow},
        {{.name = "kotlinx.rpc.jsonrpc.internal.nextFlowValue",
          .parameters = id,
          .parameter_count = 1},
         next_value},
        {{.name = "kotlinx.rpc.jsonrpc.internal.cancelFlow",
          .parameters = id,
          .parameter_count = 1},
         cancel},
        {{.name = "stream", .parameters = items, .parameter_count = 1}, stream},
        {{.name = "collect", .parameters = flow_id, .parameter_count = 1}, jrpc_collect},
        {{.name = "tokens", .parameters = message, .parameter_count = 1}, tokens},
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!jrpc_router_add(server->router, &methods[i].method, methods[i].handler, server,
                             error)) {
            return false;
        }
    }
    return true;
}
