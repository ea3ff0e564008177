#include "reference/server/http.h"

#include "reference/json/write.h"
#include "reference/server/credentials.h"
#include "reference/server/fault.h"
#include "reference/server/http_sessions.h"
#include "reference/wire/sse.h"
#include "reference/wire/websocket_handshake.h"

#include <ctype.h>
#include <string.h>

// Where calls come in the query of a GET.
#define STREAM_PATH "/rpc/stream"
// Bytes that may wait in a stream for a client that reads slowly.
#define STREAM_BYTES ((size_t)64 << 20)

// Where what is sent during one exchange goes.
typedef struct exchange {
    jrpc_http_reply *reply;
    jrpc_http_stream *stream; // of the session; NULL: none is open
} exchange;

// What is not an answer goes to the session's stream, where there is one.
static bool deliver(jrpc_connection *connection, jrpc_slice payload)
{
    const exchange *now = connection->carrier;
    if (now == NULL) {
        return false; // nobody waits for it any more
    }
    if (now->stream == NULL || connection->answering) {
        return connection->one_answer || now->stream != NULL
                   ? jrpc_buffer_append(&now->reply->body, payload)
                   : jrpc_sse_encode(payload, &now->reply->body);
    }
    jrpc_buffer event;
    jrpc_buffer_init(&event, connection->server->allocator, STREAM_BYTES);
    bool taken = jrpc_sse_encode(payload, &event);
    jrpc_fault_stream_event(connection, &event);
    taken = taken && jrpc_http_stream_put(now->stream, jrpc_buffer_slice(&event));
    jrpc_buffer_done(&event);
    return taken;
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
    return list != NULL && jrpc_head_lists(jrpc_slice_str(list), type);
}

static void refuse(jrpc_http_reply *reply, int status, const char *words)
{
    reply->status = status;
    reply->content_type = "text/plain; charset=utf-8";
    (void)jrpc_buffer_append_str(&reply->body, words);
}

// Answers into `reply`, or onto a stream beside it.
static void answer_into(jrpc_connection *connection, const jrpc_http_request *request,
                        jrpc_http_reply *reply, jrpc_http_stream *stream)
{
    bool events = stream == NULL && mentions(request->accept, "text/event-stream") &&
                  (connection->streams || (!mentions(request->accept, "application/json") &&
                                           !mentions(request->accept, "*/*")));
    connection->one_answer = !events && stream == NULL;
    connection->events = events;
    connection->mark_due = false;
    reply->content_type = events ? "text/event-stream" : "application/json";
    if (request->oversize) {
        reply->status = 413;
        connection->answering = true;
        (void)jrpc_connection_send(connection,
                                   JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
                                              "\"message\":\"Invalid Request\"},\"id\":null}"));
        connection->answering = false;
        return;
    }
    jrpc_connection_handle(connection, request->body);
    if (connection->mark_due) {
        (void)jrpc_sse_encode(JRPC_SLICE("[DONE]"), &reply->body);
    }
    if (connection->closing || connection->finished) {
        reply->status = reply->body.len == 0 ? 0 : reply->status;
        reply->close = true;
    } else if (reply->body.len == 0) {
        reply->status = 204;
        reply->content_type = NULL;
    }
}

static void answer(jrpc_connection *connection, const jrpc_http_request *request,
                   jrpc_http_reply *reply, jrpc_http_stream *stream)
{
    exchange now = {reply, stream};
    connection->carrier = &now; // cppcheck-suppress autoVariables
    answer_into(connection, request, reply, stream);
    connection->carrier = NULL;
}

// Opens the session's stream of events.
static void open_stream(jrpc_http_sessions *sessions, const jrpc_http_request *request,
                        jrpc_http_reply *reply)
{
    if (request->session == NULL) {
        refuse(reply, 400, "A stream of events belongs to a session: " JRPC_SESSION_HEADER ".\n");
        return;
    }
    reply->stream = jrpc_http_sessions_open(sessions, request->session, STREAM_BYTES);
    if (reply->stream == NULL) {
        refuse(reply, 404, "There is no such session.\n");
        return;
    }
    reply->content_type = "text/event-stream";
    // The head goes out at once, with the first bytes after it.
    (void)jrpc_http_stream_put(reply->stream, JRPC_SLICE(":\n\n"));
}

static void answer_in_session(jrpc_connection *connection, jrpc_http_sessions *sessions,
                              const jrpc_http_request *request, jrpc_http_reply *reply)
{
    jrpc_http_stream *stream = NULL;
    if (request->session == NULL) {
        jrpc_http_sessions_begin(sessions, connection->session);
        reply->session = connection->session;
    } else if (!jrpc_http_sessions_find(sessions, request->session, &stream)) {
        refuse(reply, 404, "There is no such session.\n");
        return;
    }
    answer(connection, request, reply, stream);
    jrpc_http_stream_unref(stream);
}

// A call in a query: its method, its id, and params with names.
typedef struct asked {
    const jrpc_connection *connection;
    jrpc_buffer members, params;
} asked;

static bool is_number(jrpc_connection const *connection, const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '\0' && (text[0] != '0' || digits == 1) &&
           !jrpc_fault_is_on(connection, "sse-query-id-text");
}

// The content of an argument as a JSON String; the fault leaves it as it stands in the query.
static void put_content(const asked *call, jrpc_buffer *out, const char *text)
{
    if (!jrpc_fault_is_on(call->connection, "sse-query-undecoded")) {
        (void)jrpc_json_quote(out, jrpc_slice_str(text));
        return;
    }
    (void)jrpc_buffer_append_char(out, '"');
    for (; *text != '\0'; text++) {
        (void)jrpc_buffer_printf(out, isalnum((unsigned char)*text) ? "%c" : "%%%02X",
                                 (unsigned char)*text);
    }
    (void)jrpc_buffer_append_char(out, '"');
}

static void take_argument(void *context, const char *name, const char *value)
{
    asked *call = context;
    const char *text = value == NULL ? "" : value;
    bool id = strcmp(name, "id") == 0;
    if (id || strcmp(name, "method") == 0) {
        (void)jrpc_buffer_printf(&call->members, ",\"%s\":", name);
        if (id && jrpc_fault_is_on(call->connection, "sse-query-id-default")) {
            (void)jrpc_buffer_append_char(&call->members, '1');
        } else if (id && is_number(call->connection, text)) {
            (void)jrpc_buffer_append_str(&call->members, text);
        } else {
            put_content(call, &call->members, text);
        }
        return;
    }
    (void)jrpc_buffer_append_char(&call->params, call->params.len == 0 ? '{' : ',');
    (void)jrpc_json_quote(&call->params, jrpc_slice_str(name));
    (void)jrpc_buffer_append_char(&call->params, ':');
    put_content(call, &call->params, text);
}

// Answers a call in the query of a GET with a stream of events.
static void answer_query(jrpc_connection *connection, const jrpc_http_request *request,
                         jrpc_http_reply *reply)
{
    asked call = {.connection = connection};
    jrpc_buffer_init(&call.members, connection->server->allocator, connection->server->max_message);
    jrpc_buffer_init(&call.params, connection->server->allocator, connection->server->max_message);
    (void)jrpc_buffer_append_str(&call.members, "{\"jsonrpc\":\"2.0\"");
    jrpc_http_request_arguments(request, take_argument, &call);
    if (call.params.len > 0) {
        (void)jrpc_buffer_append_str(&call.members, ",\"params\":");
        (void)jrpc_buffer_append(&call.members, jrpc_buffer_slice(&call.params));
        (void)jrpc_buffer_append_char(&call.members, '}');
    }
    (void)jrpc_buffer_append_char(&call.members, '}');
    jrpc_http_request made = *request;
    made.accept = "text/event-stream";
    made.body = jrpc_buffer_slice(&call.members);
    if (call.members.failed || call.params.failed) {
        refuse(reply, 414, "The query is too long.\n");
    } else {
        answer(connection, &made, reply, NULL);
    }
    jrpc_buffer_done(&call.members);
    jrpc_buffer_done(&call.params);
}

static bool is_query(const jrpc_connection *connection, const jrpc_http_request *request)
{
    return strcmp(request->method, "GET") == 0 && strcmp(request->path, STREAM_PATH) == 0 &&
           !jrpc_fault_is_on(connection, "sse-query-refused");
}

static void serve(jrpc_connection *connection, const jrpc_http_request *request,
                  jrpc_http_reply *reply)
{
    jrpc_http_sessions *sessions = connection->server->sessions;
    bool post = strcmp(request->method, "POST") == 0;
    const char *token = jrpc_http_request_header(request, "Authorization");
    if (!jrpc_server_allows(connection->server, request->origin)) {
        refuse(reply, 403, "No page of that origin may call.\n");
    } else if (!jrpc_credentials_pass(connection, jrpc_slice_str(token))) {
        if (post && jrpc_credentials_run_anyway(connection)) {
            answer(connection, request, reply, NULL);
            jrpc_buffer_clear(&reply->body);
        }
        refuse(reply, 401, "A valid token is required.\n");
    } else if (is_query(connection, request)) {
        answer_query(connection, request, reply);
    } else if (post && sessions != NULL) {
        answer_in_session(connection, sessions, request, reply);
    } else if (post) {
        answer(connection, request, reply, NULL);
    } else if (sessions != NULL && strcmp(request->method, "GET") == 0 &&
               mentions(request->accept, "text/event-stream")) {
        open_stream(sessions, request, reply);
    } else if (sessions != NULL && strcmp(request->method, "DELETE") == 0) {
        bool ended = request->session != NULL && jrpc_http_sessions_end(sessions, request->session);
        reply->status = ended ? 204 : 404;
    } else {
        reply->allow = sessions == NULL ? "POST" : "DELETE, GET, POST";
        refuse(reply, 405, "JSON-RPC messages are POSTed here.\n");
    }
}

static void handle(void *context, void *state, const jrpc_http_request *request,
                   jrpc_http_reply *reply)
{
    (void)context;
    jrpc_connection *connection = state;
    if (jrpc_fault_http_request(connection, request, reply)) {
        serve(connection, request, reply);
    }
    jrpc_fault_http_reply(connection, request, reply);
}

jrpc_http_handlers jrpc_server_http_handlers(jrpc_server *server)
{
    return (jrpc_http_handlers){
        .context = server, .opened = opened, .closed = closed, .handle = handle};
}

jrpc_http_listener *jrpc_server_http(jrpc_server *server, const char *host, const char *port,
                                     jrpc_error *error)
{
    const jrpc_http_handlers handlers = jrpc_server_http_handlers(server);
    const jrpc_http_limits limits = {.body = server->max_message,
                                     .idle_s = server->idle_s,
                                     .connections = server->max_connections,
                                     .session = JRPC_SESSION_HEADER};
    return jrpc_http_listener_new(host, port, &handlers, &limits, server->allocator, error);
}
