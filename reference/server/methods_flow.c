// Fixture methods that give more than one value: flow with its two companions, stream.
#include "reference/server/fixture.h"

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

bool jrpc_fixture_add_flows(jrpc_server *server, jrpc_error *error)
{
    const jrpc_parameter id[] = {{"id", false}};
    const jrpc_parameter items[] = {{"n", false}};
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
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!jrpc_router_add(server->router, &methods[i].method, methods[i].handler, server,
                             error)) {
            return false;
        }
    }
    return true;
}
