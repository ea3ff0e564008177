#include "reference/server/fault.h"

#include <string.h>

static const jrpc_fault_table *const tables[] = {
#if JRPC_HTTP
    &jrpc_faults_http,        &jrpc_faults_http_bytes,
#endif
    &jrpc_faults_credentials, &jrpc_faults_batch,      &jrpc_faults_bytes,
    &jrpc_faults_collect,     &jrpc_faults_count,      &jrpc_faults_encoding,
    &jrpc_faults_flow,        &jrpc_faults_guarded,    &jrpc_faults_id,
    &jrpc_faults_json,        &jrpc_faults_lengths,    &jrpc_faults_lenient,
    &jrpc_faults_mcp,         &jrpc_faults_method,     &jrpc_faults_names,
    &jrpc_faults_output,      &jrpc_faults_profile,    &jrpc_faults_rare,
    &jrpc_faults_request,     &jrpc_faults_resource,   &jrpc_faults_resource_data,
    &jrpc_faults_response,    &jrpc_faults_results,    &jrpc_faults_session,
    &jrpc_faults_state,       &jrpc_faults_stream,     &jrpc_faults_transport,
    &jrpc_faults_values,      &jrpc_faults_version1,   &jrpc_faults_websocket,
    &jrpc_faults_fragments,   &jrpc_faults_heads,
};

size_t jrpc_fault_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        count += tables[i]->count;
    }
    return count;
}

const jrpc_fault *jrpc_fault_at(size_t index)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (index < tables[i]->count) {
            return &tables[i]->faults[index];
        }
        index -= tables[i]->count;
    }
    return NULL;
}

const jrpc_fault *jrpc_fault_find(const char *name)
{
    const jrpc_fault *fault;
    for (size_t i = 0; (fault = jrpc_fault_at(i)) != NULL; i++) {
        if (strcmp(fault->name, name) == 0) {
            return fault;
        }
    }
    return NULL;
}

bool jrpc_fault_is_on(const jrpc_connection *connection, const char *name)
{
    const jrpc_server *server = connection->server;
    for (size_t i = 0; i < server->fault_count; i++) {
        if (strcmp(server->faults[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

void jrpc_fault_list(FILE *out)
{
    const jrpc_fault *fault;
    for (size_t i = 0; (fault = jrpc_fault_at(i)) != NULL; i++) {
        (void)fprintf(out, "%s\t%s\t%s\n", fault->name, fault->rule, fault->description);
    }
}

// Calls `point` of every fault that has it, with a bend made for it.
#define FOR_EACH(connection_, exchange_, point, bend)                                              \
    jrpc_bend bend = {                                                                             \
        .connection = (connection_), .exchange = (exchange_), .arena = &(connection_)->arena};     \
    for (size_t i = 0; i < (connection_)->server->fault_count; i++)                                \
        if ((bend.fault = (connection_)->server->faults[i])->point != NULL)

static void bend_text(void *context, jrpc_exchange *exchange, jrpc_slice *text)
{
    (void)context;
    FOR_EACH((jrpc_connection *)exchange->connection, exchange, text, bend)
    {
        bend.fault->text(&bend, text);
    }
}

static void bend_input(void *context, jrpc_exchange *exchange, jrpc_json root,
                       jrpc_input_kind *kind)
{
    (void)context;
    FOR_EACH((jrpc_connection *)exchange->connection, exchange, input, bend)
    {
        bend.fault->input(&bend, root, kind);
    }
}

static void bend_message(void *context, jrpc_exchange *exchange, jrpc_message *message)
{
    (void)context;
    jrpc_connection *connection = exchange->connection;
    connection->found = connection->fits = connection->withhold = false;
    connection->method = jrpc_json_spelling(message->method);
    FOR_EACH(connection, exchange, message, bend)
    {
        bend.fault->message(&bend, message);
    }
}

static void bend_bind(void *context, jrpc_exchange *exchange, jrpc_call *call, bool *ok)
{
    (void)context;
    jrpc_connection *connection = exchange->connection;
    connection->found = true;
    FOR_EACH(connection, exchange, bind, bend)
    {
        bend.fault->bind(&bend, call, ok);
    }
    connection->fits = *ok;
}

static jrpc_outcome outcome_of(const jrpc_connection *connection, const jrpc_message *message,
                               const jrpc_response *response)
{
    if (message == NULL) {
        return jrpc_slice_is(response->code, "-32700") ? JRPC_OUTCOME_PARSE_ERROR
                                                       : JRPC_OUTCOME_EMPTY_BATCH;
    }
    if (message->kind == JRPC_MESSAGE_INVALID ||
        (!connection->found && jrpc_slice_is(response->code, "-32600"))) {
        return JRPC_OUTCOME_INVALID;
    }
    if (response->code.len == 0) {
        return JRPC_OUTCOME_SUCCESS;
    }
    if (!connection->found) {
        return JRPC_OUTCOME_UNKNOWN;
    }
    if (!connection->fits || jrpc_slice_is(response->code, "-32602")) {
        return JRPC_OUTCOME_BAD_PARAMS;
    }
    return jrpc_slice_is(response->code, "-32603") ? JRPC_OUTCOME_FAILURE
                                                   : JRPC_OUTCOME_APPLICATION;
}

static void bend_response(void *context, jrpc_exchange *exchange, const jrpc_message *message,
                          jrpc_response *response)
{
    (void)context;
    jrpc_connection *connection = exchange->connection;
    jrpc_outcome outcome = outcome_of(connection, message, response);
    FOR_EACH(connection, exchange, response, bend)
    {
        bend.outcome = outcome;
        if (bend.fault->when == 0 || (bend.fault->when & (unsigned)outcome) != 0) {
            bend.fault->response(&bend, message, response);
        }
    }
    if (message != NULL && connection->withhold) {
        response->suppressed = true;
    }
}

static void bend_batch(void *context, jrpc_exchange *exchange, jrpc_batch_reply *reply)
{
    (void)context;
    FOR_EACH((jrpc_connection *)exchange->connection, exchange, batch, bend)
    {
        bend.fault->batch(&bend, reply);
    }
}

void jrpc_fault_install(jrpc_server *server)
{
    server->hooks = (jrpc_hooks){
        .context = server,
        .text = bend_text,
        .input = bend_input,
        .message = bend_message,
        .bind = bend_bind,
        .response = bend_response,
        .batch = bend_batch,
    };
}

void jrpc_fault_received(jrpc_connection *connection, jrpc_slice *bytes)
{
    FOR_EACH(connection, NULL, received, bend)
    {
        bend.fault->received(&bend, bytes);
    }
}

bool jrpc_fault_incoming(jrpc_connection *connection, jrpc_slice text)
{
    bool keep = true;
    FOR_EACH(connection, NULL, incoming, bend)
    {
        keep = keep && bend.fault->incoming(&bend, text);
    }
    return keep;
}

bool jrpc_fault_outgoing(jrpc_connection *connection, jrpc_slice *payload)
{
    bool keep = true;
    FOR_EACH(connection, NULL, outgoing, bend)
    {
        keep = keep && bend.fault->outgoing(&bend, payload);
    }
    return keep;
}

void jrpc_fault_framed(jrpc_connection *connection, jrpc_slice *bytes)
{
    FOR_EACH(connection, NULL, framed, bend)
    {
        bend.fault->framed(&bend, bytes);
    }
}

void jrpc_fault_started(jrpc_connection *connection)
{
    FOR_EACH(connection, NULL, started, bend)
    {
        bend.fault->started(&bend);
    }
}

void jrpc_fault_ended(jrpc_connection *connection)
{
    FOR_EACH(connection, NULL, ended, bend)
    {
        bend.fault->ended(&bend);
    }
}

bool jrpc_fault_http_request(jrpc_connection *connection, const jrpc_http_request *request,
                             jrpc_http_reply *reply)
{
    bool serve = true;
    FOR_EACH(connection, NULL, http_request, bend)
    {
        serve = serve && bend.fault->http_request(&bend, request, reply);
    }
    return serve;
}

void jrpc_fault_http_reply(jrpc_connection *connection, const jrpc_http_request *request,
                           jrpc_http_reply *reply)
{
    FOR_EACH(connection, NULL, http_reply, bend)
    {
        bend.fault->http_reply(&bend, request, reply);
    }
}

void jrpc_fault_stream_event(jrpc_connection *connection, jrpc_buffer *event)
{
    FOR_EACH(connection, NULL, stream_event, bend)
    {
        bend.fault->stream_event(&bend, event);
    }
}

jrpc_handshake jrpc_fault_websocket_handshake(jrpc_connection *connection, jrpc_slice head)
{
    jrpc_handshake what = JRPC_HANDSHAKE_CHECKED;
    FOR_EACH(connection, NULL, websocket_handshake, bend)
    {
        what = bend.fault->websocket_handshake(&bend, head);
    }
    return what;
}

void jrpc_fault_websocket_received(jrpc_connection *connection, jrpc_slice *bytes)
{
    FOR_EACH(connection, NULL, websocket_received, bend)
    {
        bend.fault->websocket_received(&bend, bytes);
    }
}

void jrpc_fault_websocket_out(jrpc_connection *connection, jrpc_buffer *out)
{
    FOR_EACH(connection, NULL, websocket_out, bend)
    {
        bend.fault->websocket_out(&bend, out);
    }
}

void jrpc_fault_websocket_send(jrpc_connection *connection, jrpc_websocket_reply *reply)
{
    FOR_EACH(connection, NULL, websocket_send, bend)
    {
        bend.fault->websocket_send(&bend, reply);
    }
}

void jrpc_fault_websocket_framed(jrpc_connection *connection, jrpc_buffer *out)
{
    FOR_EACH(connection, NULL, websocket_framed, bend)
    {
        bend.fault->websocket_framed(&bend, out);
    }
}
