// The reference server as a language server (--as lsp): the way from initialize to exit, and the
// faults on it.
#include "reference/server/lsp.h"

#include "reference/server/mcp.h"
#include "reference/wire/head.h"
#include "reference/wire/websocket_handshake.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_INITIALIZED = -32002, RESERVED = -32850 };

// Where a connection stands.
enum { FRESH, RUNNING, SHUT };

static bool is_dollar(const jrpc_message *message)
{
    return jrpc_slice_starts_with(jrpc_json_spelling(message->method), JRPC_SLICE("\"$/"));
}

static void follow(jrpc_bend *bend, jrpc_message *message)
{
    size_t *phase = &bend->connection->scan[0];
    bool call = message->kind == JRPC_MESSAGE_CALL;
    if (call && jrpc_mcp_calls(message, "initialize")) {
        *phase = RUNNING;
        if (jrpc_mcp_errs(bend, "lsp-registers-before-initialize-result")) {
            (void)jrpc_connection_send(
                bend->connection,
                JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"client/registerCapability\","
                           "\"params\":{\"registrations\":[]},\"id\":\"register\"}"));
        }
    } else if (call && *phase == FRESH && !jrpc_mcp_errs(bend, "lsp-served-before-initialize")) {
        jrpc_bend_refuse(message,
                         jrpc_mcp_errs(bend, "lsp-code-of-lsp") ? RESERVED : NOT_INITIALIZED,
                         message->id);
    } else if (call && *phase == SHUT && !jrpc_mcp_errs(bend, "lsp-served-after-shutdown")) {
        jrpc_bend_refuse(message, JRPC_INVALID_REQUEST, message->id);
    } else if (call && jrpc_mcp_calls(message, "shutdown")) {
        *phase = SHUT;
    } else if (message->kind == JRPC_MESSAGE_NOTIFICATION && jrpc_mcp_calls(message, "exit")) {
        bool right = jrpc_mcp_errs(bend, "lsp-exit-status-reversed") == (*phase != SHUT);
        atomic_store(&bend->connection->server->exit_status, right ? 0 : 1);
        bend->connection->closing =
            !jrpc_mcp_errs(bend, "lsp-exit-ignored") &&
            (*phase != FRESH || !jrpc_mcp_errs(bend, "lsp-exit-needs-initialize"));
    } else if (message->kind == JRPC_MESSAGE_NOTIFICATION && *phase == FRESH &&
               jrpc_mcp_errs(bend, "lsp-notification-before-initialize-answered")) {
        jrpc_bend_refuse(message, NOT_INITIALIZED, JRPC_JSON_ABSENT);
    }
}

// Under the fault, a call with params is answered when the next message has come, unless that
// cancels it.
static void settle(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_buffer *held = &bend->connection->held;
    jrpc_slice cancelled = jrpc_json_spelling(jrpc_json_get(message->params, "id"));
    if (held->len == 0 || !jrpc_mcp_errs(bend, "lsp-cancelled-unanswered")) {
        return;
    }
    if (!jrpc_mcp_calls(message, "$/cancelRequest") ||
        !jrpc_slice_equal(cancelled, jrpc_buffer_slice(held))) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        (void)jrpc_buffer_printf(&out,
                                 "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,"
                                 "\"message\":\"Method not found\"},\"id\":%.*s}",
                                 (int)held->len, held->ptr);
        (void)jrpc_connection_send(bend->connection, jrpc_buffer_slice(&out));
    }
    jrpc_buffer_clear(held);
}

void jrpc_lsp_message(jrpc_bend *bend, jrpc_message *message)
{
    settle(bend, message);
    follow(bend, message);
    if (message->kind == JRPC_MESSAGE_NOTIFICATION && is_dollar(message) &&
        jrpc_mcp_errs(bend, "lsp-dollar-notification-answered")) {
        jrpc_bend_refuse(message, JRPC_METHOD_NOT_FOUND, JRPC_JSON_ABSENT);
    }
}

static bool begins_with_bare_line(jrpc_slice bytes)
{
    const char *end = memchr(bytes.ptr, '\n', bytes.len);
    return end != NULL && end > bytes.ptr && end[-1] != '\r';
}

static bool names_another_charset(jrpc_slice head)
{
    return jrpc_slice_contains(head, JRPC_SLICE("charset=")) &&
           !jrpc_slice_contains(head, JRPC_SLICE("charset=utf-8")) &&
           !jrpc_slice_contains(head, JRPC_SLICE("charset=utf8"));
}

void jrpc_lsp_received(jrpc_bend *bend, jrpc_slice *bytes)
{
    size_t *body = &bend->connection->scan[1]; // bytes of the body that are still to come
    size_t *spoiled = &bend->connection->scan[2];
    if (bend->connection->server->framing != JRPC_FRAMING_CONTENT_LENGTH ||
        jrpc_mcp_errs(bend, "lsp-charset-unchecked")) {
        return;
    }
    if (*body == 0 && jrpc_mcp_errs(bend, "lsp-line-feed-crash") && begins_with_bare_line(*bytes)) {
        abort();
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_slice rest = *bytes;
    while (rest.len > 0) {
        jrpc_slice piece = jrpc_slice_of(rest.ptr, *body < rest.len ? *body : rest.len);
        for (size_t i = 0; *spoiled && i < piece.len; i++) {
            (void)jrpc_buffer_append_char(&out, '!');
        }
        if (!*spoiled) {
            (void)jrpc_buffer_append(&out, piece);
        }
        *body -= piece.len;
        rest = jrpc_slice_from(rest, piece.len);
        if (rest.len == 0) {
            break; // the body may go on in the next read
        }
        size_t head_bytes = jrpc_head_length(rest);
        jrpc_slice head = jrpc_slice_of(rest.ptr, head_bytes == 0 ? rest.len : head_bytes);
        *spoiled = names_another_charset(head);
        if (head_bytes == 0 || jrpc_head_read(head, body) != NULL) {
            *body = 0;
        }
        (void)jrpc_buffer_append(&out, head);
        rest = jrpc_slice_from(rest, head.len);
    }
    *bytes = jrpc_buffer_slice(&out);
}

static void give(jrpc_response *response, const char *result)
{
    response->code = response->message = response->data = (jrpc_slice){NULL, 0};
    response->result = jrpc_slice_str(result);
}

void jrpc_lsp_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message == NULL || message->kind != JRPC_MESSAGE_CALL) {
        return;
    }
    if (jrpc_mcp_calls(message, "initialize")) {
        give(response, jrpc_mcp_errs(bend, "lsp-capabilities-missing")
                           ? "{\"serverInfo\":{\"name\":\"jrpc-reference\"}}"
                           : "{\"capabilities\":{},\"serverInfo\":{\"name\":\"jrpc-reference\"}}");
    } else if (jrpc_mcp_calls(message, "shutdown")) {
        give(response, jrpc_mcp_errs(bend, "lsp-shutdown-object") ? "{}" : "null");
    } else if (is_dollar(message) && jrpc_mcp_errs(bend, "lsp-dollar-request-null")) {
        give(response, "null");
    } else if (jrpc_json_exists(message->params) &&
               jrpc_mcp_errs(bend, "lsp-cancelled-unanswered")) {
        response->suppressed = true;
        (void)jrpc_buffer_append(&bend->connection->held, jrpc_json_spelling(message->id));
    }
}
