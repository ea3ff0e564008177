#include "reference/server/http.h"

#include "reference/server/fault.h"
#include "reference/wire/sse.h"

#include <string.h>
#include <strings.h>

enum { IDLE_SECONDS = 60 };

static bool deliver(jrpc_connection *connection, jrpc_slice payload)
{
    jrpc_http_reply *reply = connection->carrier;
    return connection->one_answer ? jrpc_buffer_append(&reply->body, payload)
                                  : jrpc_sse_encode(payload, &reply->body);
}

static void *opened(void *context)
{
    jrpc_server *server = context;
    jrpc_connection *connection = jrpc_allocate(server->allocator, sizeof *connection);
    if (connection != NULL) {
        *connection =
            (jrpc_connection){.input = -1, .output = -1, .transport = "http", .deliver = deliver};
        if (!jrpc_connection_init(connection, server)) {
            jrpc_deallocate(server->allocator, connection);
            connection = NULL;
        }
    }
    return connection;
}

static void closed(void *context, void *state)
{
    jrpc_server *server = context;
    jrpc_connection_done(state);
    jrpc_deallocate(server->allocator, state);
}

static bool mentions(const char *list, const char *type)
{
    size_t len = strlen(type);
    for (const char *at = list; at != NULL && *at != '\0'; at++) {
        if (strncasecmp(at, type, len) == 0) {
            return true;
        }
    }
    return false;
}

static void refuse(jrpc_http_reply *reply, int status, const char *words)
{
    reply->status = status;
    reply->content_type = "text/plain; charset=utf-8";
    (void)jrpc_buffer_append_str(&reply->body, words);
}

static void answer(jrpc_connection *connection, const jrpc_http_request *request,
                   jrpc_http_reply *reply)
{
    bool events = mentions(request->accept, "text/event-stream") &&
                  !mentions(request->accept, "application/json") &&
                  !mentions(request->accept, "*/*");
    connection->one_answer = !events;
    connection->carrier = reply;
    reply->content_type = events ? "text/event-stream" : "application/json";
    if (request->oversize) {
        reply->status = 413;
        (void)jrpc_connection_send(connection,
                                   JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
                                              "\"message\":\"Invalid Request\"},\"id\":null}"));
        return;
    }
    jrpc_connection_handle(connection, request->body);
    if (connection->closing || connection->finished) {
        reply->status = reply->body.len == 0 ? 0 : reply->status;
        reply->close = true;
    } else if (reply->body.len == 0) {
        reply->status = 204;
        reply->content_type = NULL;
    }
}

static void handle(void *context, void *state, const jrpc_http_request *request,
                   jrpc_http_reply *reply)
{
    (void)context;
    jrpc_connection *connection = state;
    if (jrpc_fault_http_request(connection, request, reply)) {
        if (strcmp(request->method, "POST") == 0) {
            answer(connection, request, reply);
        } else {
            reply->allow = "POST";
            refuse(reply, 405, "JSON-RPC messages are POSTed here.\n");
        }
    }
    jrpc_fault_http_reply(connection, request, reply);
}

jrpc_http_listener *jrpc_server_http(jrpc_server *server, const char *host, const char *port,
                                     jrpc_error *error)
{
    const jrpc_http_handlers handlers = {
        .context = server, .opened = opened, .closed = closed, .handle = handle};
    return jrpc_http_listener_new(host, port, &handlers, server->max_message, IDLE_SECONDS,
                                  server->allocator, error);
}
