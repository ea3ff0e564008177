// The reference server as one of the Model Context Protocol: what it asks of requests over HTTP,
// and by which status it answers.
#include "reference/server/http_sessions.h"
#include "reference/server/mcp.h"
#include "reference/wire/sha1.h"

#include <string.h>
#include <strings.h>

#define BASE64_PREFIX "=?base64?"

static bool is_post(const jrpc_http_request *request)
{
    return strcmp(request->method, "POST") == 0;
}

static void refuse(jrpc_http_reply *reply, int status, const char *words)
{
    reply->status = status;
    reply->content_type = "text/plain; charset=utf-8";
    (void)jrpc_buffer_append_str(&reply->body, words);
}

// A page of this machine may call; whether others may, --origin says, and it was asked before.
static bool is_of_this_machine(const char *origin)
{
    static const char *const hosts[] = {"http://localhost", "http://127.0.0.1", "http://[::1]",
                                        "https://localhost"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        size_t len = strlen(hosts[i]);
        if (strncasecmp(origin, hosts[i], len) == 0 &&
            (origin[len] == '\0' || origin[len] == ':')) {
            return true;
        }
    }
    return false;
}

// Whether a fault leaves the origin of requests with this method unchecked.
static bool leaves_origin(const jrpc_bend *bend, const char *method)
{
    return (strcmp(method, "GET") == 0 && jrpc_mcp_errs(bend, "mcp-origin-get-unchecked")) ||
           (strcmp(method, "DELETE") == 0 && jrpc_mcp_errs(bend, "mcp-origin-delete-unchecked"));
}

static bool takes_origin(const jrpc_bend *bend, const jrpc_http_request *request,
                         jrpc_http_reply *reply)
{
    if (request->origin == NULL || is_of_this_machine(request->origin) ||
        bend->connection->server->origins != NULL || jrpc_mcp_errs(bend, "mcp-origin-unchecked") ||
        leaves_origin(bend, request->method)) {
        return true;
    }
    refuse(reply, jrpc_mcp_errs(bend, "mcp-origin-other-status") ? 400 : 403,
           "No page of that origin may call.\n");
    return false;
}

// Whether the answer has to be a stream: messages go out before it.
static bool wants_stream(jrpc_json message)
{
    return jrpc_json_exists(
               jrpc_json_pointer(message, JRPC_SLICE("/params/_meta/progressToken"))) ||
           jrpc_json_string_is(jrpc_json_get(message, "method"),
                               JRPC_SLICE("subscriptions/listen"));
}

static bool takes_session(const jrpc_bend *bend, const jrpc_http_request *request,
                          jrpc_json message, jrpc_http_reply *reply)
{
    bool begins = jrpc_json_string_is(jrpc_json_get(message, "method"), JRPC_SLICE("initialize"));
    const char *version = jrpc_http_request_header(request, "MCP-Protocol-Version");
    bool spoken = version == NULL || strcmp(version, JRPC_MCP_LEGACY) == 0 ||
                  strcmp(version, "2025-06-18") == 0 || strcmp(version, "2025-03-26") == 0;
    if (!spoken && !jrpc_mcp_errs(bend, "mcp-version-header-unchecked")) {
        refuse(reply, 400, "There is no such revision.\n");
        return false;
    }
    if (bend->connection->server->sessions != NULL && request->session == NULL && !begins) {
        refuse(reply, jrpc_mcp_errs(bend, "mcp-session-missing-other-status") ? 404 : 400,
               "A session is begun with initialize: " JRPC_SESSION_HEADER ".\n");
        return false;
    }
    return true;
}

bool jrpc_mcp_http_request(jrpc_bend *bend, const jrpc_http_request *request,
                           jrpc_http_reply *reply)
{
    bool takes = takes_origin(bend, request, reply);
    if (takes && strcmp(request->method, "DELETE") == 0 &&
        jrpc_mcp_errs(bend, "mcp-session-outlives-delete")) {
        reply->status = 204;
        return false;
    }
    if (takes && strcmp(request->method, "GET") == 0 &&
        jrpc_mcp_errs(bend, "mcp-origin-get-unchecked")) {
        reply->content_type = "text/event-stream"; // one that ends at once
        reply->status = 200;
        return false;
    }
    if (takes && strcmp(request->method, "GET") == 0 && jrpc_mcp_errs(bend, "mcp-get-not-found")) {
        refuse(reply, 404, "Nothing is here.\n");
        return false;
    }
    if (takes && is_post(request)) {
        jrpc_json message = jrpc_bend_json(bend, request->body);
        bend->connection->streams = wants_stream(message);
        takes = takes_session(bend, request, message, reply);
    }
    jrpc_arena_clear(bend->arena);
    return takes;
}

// What the header repeats of the message: its text, or the base64 of it.
static bool header_is(jrpc_bend *bend, const char *header, jrpc_slice text, bool encoded_too)
{
    size_t len = strlen(BASE64_PREFIX);
    if (header == NULL) {
        return false;
    }
    if (!encoded_too || strncmp(header, BASE64_PREFIX, len) != 0 ||
        jrpc_mcp_errs(bend, "mcp-2026-07-28-name-header-not-decoded")) {
        return jrpc_slice_is(text, header);
    }
    char *encoded = jrpc_arena_alloc(bend->arena, text.len / 3 * 4 + 8);
    if (encoded == NULL) {
        return false;
    }
    jrpc_base64(text, encoded);
    size_t encoded_len = strlen(encoded);
    return strncmp(header + len, encoded, encoded_len) == 0 &&
           strcmp(header + len + encoded_len, "?=") == 0;
}

static bool has_name(jrpc_json method)
{
    return jrpc_json_string_is(method, JRPC_SLICE("tools/call")) ||
           jrpc_json_string_is(method, JRPC_SLICE("resources/read")) ||
           jrpc_json_string_is(method, JRPC_SLICE("prompts/get"));
}

// Whether the headers of a request say the same as its body.
static bool headers_agree(jrpc_bend *bend, const jrpc_http_request *request, jrpc_json message)
{
    jrpc_json method = jrpc_json_get(message, "method");
    jrpc_json params = jrpc_json_get(message, "params");
    jrpc_json version =
        jrpc_json_get(jrpc_json_get(params, "_meta"), "io.modelcontextprotocol/protocolVersion");
    jrpc_json name = jrpc_json_get(params, "name");
    name = jrpc_json_exists(name) ? name : jrpc_json_get(params, "uri");
    jrpc_slice text;
    bool agree = true;
    if (jrpc_json_string(method, bend->arena, &text) && text.len > 0 && text.len <= 4096 &&
        !jrpc_mcp_errs(bend, "mcp-2026-07-28-method-header-unchecked")) {
        bool odd = false; // no header can carry it
        for (size_t i = 0; i < text.len; i++) {
            odd = odd || text.ptr[i] < ' ' || text.ptr[i] > '~';
        }
        odd = odd || text.ptr[0] == ' ' || text.ptr[text.len - 1] == ' ';
        agree =
            odd || header_is(bend, jrpc_http_request_header(request, "Mcp-Method"), text, false);
    }
    if (agree && jrpc_json_string(version, bend->arena, &text) &&
        !jrpc_mcp_errs(bend, "mcp-2026-07-28-version-header-unchecked")) {
        agree =
            header_is(bend, jrpc_http_request_header(request, "MCP-Protocol-Version"), text, false);
    }
    if (agree && has_name(method) && jrpc_json_string(name, bend->arena, &text) &&
        !jrpc_mcp_errs(bend, "mcp-2026-07-28-name-header-unchecked")) {
        agree = header_is(bend, jrpc_http_request_header(request, "Mcp-Name"), text, true);
    }
    return agree;
}

static void refuse_headers(const jrpc_bend *bend, jrpc_json message, jrpc_http_reply *reply)
{
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(message, "id"));
    reply->status = jrpc_mcp_errs(bend, "mcp-2026-07-28-mismatch-status") ? 200 : 400;
    reply->content_type = "application/json";
    (void)jrpc_buffer_printf(
        &reply->body,
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%s,\"message\":\"Header mismatch\"},\"id\":%.*s}",
        jrpc_mcp_errs(bend, "mcp-2026-07-28-mismatch-code") ? "-32600" : "-32020", (int)id.len,
        id.ptr);
}

bool jrpc_mcp_modern_http_request(jrpc_bend *bend, const jrpc_http_request *request,
                                  jrpc_http_reply *reply)
{
    bool takes = takes_origin(bend, request, reply);
    if (takes && is_post(request)) {
        jrpc_json message = jrpc_bend_json(bend, request->body);
        // What a client with a handshake sends is refused by a message that helps it.
        bool shakes =
            jrpc_json_string_is(jrpc_json_get(message, "method"), JRPC_SLICE("initialize"));
        bool asks = !shakes && jrpc_json_is(jrpc_json_get(message, "method"), JRPC_JSON_STRING) &&
                    (jrpc_json_is(jrpc_json_get(message, "id"), JRPC_JSON_STRING) ||
                     jrpc_json_is(jrpc_json_get(message, "id"), JRPC_JSON_NUMBER));
        bend->connection->streams = wants_stream(message);
        takes = !asks || headers_agree(bend, request, message);
        if (!takes) {
            refuse_headers(bend, message, reply);
        }
    }
    jrpc_arena_clear(bend->arena);
    return takes;
}

void jrpc_mcp_http_reply(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    if (is_post(request) && reply->status == 204 &&
        !jrpc_mcp_errs(bend, "mcp-notification-no-content")) {
        reply->status = 202;
    }
    if (reply->content_type != NULL && strcmp(reply->content_type, "text/event-stream") == 0 &&
        !jrpc_mcp_errs(bend, "mcp-2026-07-28-stream-buffered")) {
        reply->unbuffered = true;
    }
    if (reply->content_type != NULL && strcmp(reply->content_type, "application/json") == 0 &&
        jrpc_mcp_errs(bend, "mcp-answer-text")) {
        reply->content_type = "text/plain";
    }
    if (is_post(request) && reply->session == NULL &&
        jrpc_mcp_errs(bend, "mcp-session-id-changes")) {
        reply->session = "another";
    }
    if (reply->session != NULL && jrpc_mcp_errs(bend, "mcp-session-id-blank")) {
        char blank[JRPC_SESSION_ID_BYTES];
        memcpy(blank, bend->connection->session, sizeof blank);
        blank[JRPC_SESSION_ID_BYTES / 2] = ' ';
        jrpc_http_sessions_rename(bend->connection->server->sessions, bend->connection->session,
                                  blank);
        memcpy(bend->connection->session, blank, sizeof blank);
    }
}

void jrpc_mcp_modern_http_reply(jrpc_bend *bend, const jrpc_http_request *request,
                                jrpc_http_reply *reply)
{
    jrpc_mcp_http_reply(bend, request, reply);
    if (is_post(request) && jrpc_mcp_errs(bend, "mcp-2026-07-28-session-minted")) {
        reply->session = "minted";
    }
    if (!is_post(request) && reply->status == 405 &&
        jrpc_mcp_errs(bend, "mcp-2026-07-28-get-served")) {
        reply->status = 200;
    }
    if (!is_post(request) || reply->status != 200) {
        return;
    }
    int64_t code = 0;
    jrpc_json answer = jrpc_bend_json(bend, jrpc_buffer_slice(&reply->body));
    (void)jrpc_json_int64(jrpc_json_get(jrpc_json_get(answer, "error"), "code"), &code);
    jrpc_json asked = jrpc_bend_json(bend, request->body);
    bool told = jrpc_json_exists(
        jrpc_json_pointer(asked, JRPC_SLICE("/params/_meta/"
                                            "io.modelcontextprotocol~1clientCapabilities")));
    if (code == JRPC_METHOD_NOT_FOUND && !jrpc_mcp_errs(bend, "mcp-2026-07-28-unknown-status")) {
        reply->status = 404;
    } else if (((code == JRPC_INVALID_PARAMS && !told) || code == -32022) &&
               !jrpc_mcp_errs(bend, "mcp-2026-07-28-bad-meta-status")) {
        reply->status = 400;
    }
    jrpc_arena_clear(bend->arena);
}
