// The reference server as one of the Model Context Protocol: which messages it takes.
#include "reference/server/mcp.h"

#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"

enum { UNSUPPORTED_VERSION = -32022 };

static void refuse(jrpc_message *message, int code)
{
    bool named =
        jrpc_json_is(message->id, JRPC_JSON_STRING) || jrpc_json_is(message->id, JRPC_JSON_NUMBER);
    jrpc_bend_refuse(message, code, named ? message->id : JRPC_JSON_ABSENT);
    message->reply_owed = jrpc_json_exists(message->id);
}

// A subscription that a client has cancelled gets nothing any more.
static void take_cancelled(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_buffer *held = &bend->connection->held;
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(message->params, "requestId"));
    if (held->len > 0 && jrpc_slice_equal(id, jrpc_buffer_slice(held))) {
        if (jrpc_mcp_errs(bend, "mcp-2026-07-28-cancelled-answered")) {
            jrpc_buffer out = jrpc_bend_buffer(bend);
            (void)jrpc_buffer_printf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{}}",
                                     (int)id.len, id.ptr);
            (void)jrpc_connection_send(bend->connection, jrpc_buffer_slice(&out));
        }
        jrpc_buffer_clear(held);
    }
}

void jrpc_mcp_message(jrpc_bend *bend, jrpc_message *message)
{
    bool null = jrpc_json_is(message->id, JRPC_JSON_NULL);
    bool fraction =
        jrpc_json_is(message->id, JRPC_JSON_NUMBER) && !jrpc_json_is_integer(message->id);
    if ((null && !jrpc_mcp_errs(bend, "mcp-null-id-served")) || fraction) {
        refuse(message, JRPC_INVALID_REQUEST);
    } else if (message->kind != JRPC_MESSAGE_INVALID &&
               jrpc_json_is(message->params, JRPC_JSON_ARRAY)) {
        refuse(message, JRPC_INVALID_PARAMS);
    }
    bool cancels = jrpc_mcp_calls(message, "notifications/cancelled");
    if (cancels && message->kind == JRPC_MESSAGE_NOTIFICATION) {
        take_cancelled(bend, message);
        if (jrpc_mcp_errs(bend, "mcp-cancellation-answered")) {
            jrpc_bend_refuse(message, JRPC_INVALID_PARAMS, JRPC_JSON_ABSENT);
        }
    }
}

// What is wrong with the `_meta` of a request, as an error code; 0: nothing.
static int meta_error(const jrpc_bend *bend, jrpc_json meta)
{
    jrpc_json version = jrpc_json_get(meta, META_VERSION);
    jrpc_json level = jrpc_json_get(meta, META_LOG_LEVEL);
    bool complete = jrpc_json_is(version, JRPC_JSON_STRING) &&
                    jrpc_json_is(jrpc_json_get(meta, META_CAPABILITIES), JRPC_JSON_OBJECT);
    if (!complete) {
        return jrpc_mcp_errs(bend, "mcp-2026-07-28-meta-unchecked") ? 0 : JRPC_INVALID_PARAMS;
    }
    if (!jrpc_json_string_is(version, JRPC_SLICE(JRPC_MCP_MODERN))) {
        return jrpc_mcp_errs(bend, "mcp-2026-07-28-version-unchecked") ? 0 : UNSUPPORTED_VERSION;
    }
    bool strange = jrpc_json_exists(level) && !jrpc_mcp_is_level(level);
    return strange && !jrpc_mcp_errs(bend, "mcp-2026-07-28-log-level-unchecked")
               ? JRPC_INVALID_PARAMS
               : 0;
}

// The fixture's methods know nothing of `_meta`.
static void strip_meta(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    const char *between = "{";
    for (jrpc_json_iterator it = jrpc_json_iterate(message->params); jrpc_json_step(&it);) {
        if (!jrpc_json_string_is(it.key, JRPC_SLICE("_meta"))) {
            (void)jrpc_buffer_append_str(&out, between);
            (void)jrpc_buffer_append(&out, jrpc_json_spelling(it.key));
            (void)jrpc_buffer_append_char(&out, ':');
            (void)jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
            between = ",";
        }
    }
    (void)jrpc_buffer_append_str(&out, between[0] == '{' ? "{}" : "}");
    jrpc_bend_member(bend, message, "params", jrpc_buffer_slice(&out));
}

void jrpc_mcp_modern_message(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_mcp_message(bend, message);
    if (message->kind != JRPC_MESSAGE_CALL || jrpc_mcp_calls(message, "initialize")) {
        return;
    }
    int code = meta_error(bend, jrpc_json_get(message->params, "_meta"));
    if (code == 0 && jrpc_mcp_errs(bend, "mcp-2026-07-28-discover-demanded")) {
        bool discovers = jrpc_mcp_calls(message, "server/discover");
        bend->connection->tainted = bend->connection->tainted || discovers;
        code = bend->connection->tainted ? 0 : JRPC_INVALID_REQUEST;
    }
    if (code != 0) {
        refuse(message, code);
    } else if (!jrpc_mcp_modern_serves(message)) {
        strip_meta(bend, message);
    }
}
