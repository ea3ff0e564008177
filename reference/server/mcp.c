#include "reference/server/mcp.h"
#include "reference/server/mcp_tools.h"

#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"
#define SERVER_INFO "{\"name\":\"jrpc-reference\",\"version\":\"0.1.0\"}"

// One request at hand.
typedef struct asked {
    jrpc_bend *bend;
    const jrpc_message *message;
    jrpc_response *response;
    bool modern;
} asked;

bool jrpc_mcp_errs(const jrpc_bend *bend, const char *fault)
{
    return jrpc_fault_is_on(bend->connection, fault);
}

static bool errs(const asked *now, const char *fault)
{
    return jrpc_mcp_errs(now->bend, fault);
}

bool jrpc_mcp_calls(const jrpc_message *message, const char *method)
{
    return jrpc_json_string_is(message->method, jrpc_slice_str(method));
}

static jrpc_json param(const asked *now, const char *name)
{
    return jrpc_json_get(now->message->params, name);
}

static void fail(const asked *now, const char *code, const char *message, const char *data)
{
    now->response->result = (jrpc_slice){NULL, 0};
    now->response->code = jrpc_slice_str(code);
    now->response->message = jrpc_slice_str(message);
    now->response->data = jrpc_slice_str(data);
}

static void give_text(const asked *now, jrpc_slice result)
{
    now->response->code = now->response->message = now->response->data = (jrpc_slice){NULL, 0};
    now->response->result = result;
}

static const char *hints_of(const asked *now)
{
    return errs(now, "mcp-2026-07-28-hints-missing")  ? ""
           : errs(now, "mcp-2026-07-28-ttl-negative") ? ",\"ttlMs\":-1,\"cacheScope\":\"public\""
           : errs(now, "mcp-2026-07-28-scope-unknown")
               ? ",\"ttlMs\":60000,\"cacheScope\":\"shared\""
           : errs(now, "mcp-2026-07-28-scope-changes") && jrpc_json_exists(param(now, "cursor"))
               ? ",\"ttlMs\":60000,\"cacheScope\":\"private\""
               : ",\"ttlMs\":60000,\"cacheScope\":\"public\"";
}

// Gives a result of these members; `kept` ones carry hints for caches.
static void give(const asked *now, const char *members, bool kept)
{
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    (void)jrpc_buffer_printf(&out, "{%s", members);
    if (now->modern) {
        const char *comma = members[0] == '\0' ? "" : ",";
        (void)jrpc_buffer_printf(&out, "%s%s", comma,
                                 errs(now, "mcp-2026-07-28-result-type-missing")
                                     ? "\"kind\":\"complete\""
                                     : "\"resultType\":\"complete\"");
        (void)jrpc_buffer_append_str(&out, kept ? hints_of(now) : "");
        if (!errs(now, "mcp-2026-07-28-server-info-missing")) {
            (void)jrpc_buffer_append_str(
                &out, ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "}");
        }
    }
    (void)jrpc_buffer_append_char(&out, '}');
    give_text(now, jrpc_buffer_slice(&out));
}

static void send_own(const asked *now, jrpc_slice message)
{
    (void)jrpc_connection_send(now->bend->connection, message);
}

// Says how far a request is, twice, where it asked for that.
static void report_progress(const asked *now)
{
    jrpc_json token = jrpc_json_pointer(now->message->params, JRPC_SLICE("/_meta/progressToken"));
    jrpc_slice spelling = jrpc_json_spelling(token);
    bool asked_for = jrpc_json_exists(token);
    if (!asked_for && errs(now, "mcp-progress-unasked")) {
        spelling = JRPC_SLICE("\"nobody's\"");
        asked_for = true;
    }
    spelling = errs(now, "mcp-progress-other-token") ? JRPC_SLICE("\"nobody's\"") : spelling;
    bool falls = errs(now, "mcp-progress-falls");
    for (int step = 1; step <= 2 && asked_for; step++) {
        jrpc_buffer out = jrpc_bend_buffer(now->bend);
        (void)jrpc_buffer_printf(&out,
                                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                                 "\"params\":{\"progressToken\":%.*s,\"progress\":%d,\"total\":2}}",
                                 (int)spelling.len, spelling.ptr, falls ? 1 : step);
        if (step == 2 && errs(now, "mcp-progress-late")) {
            jrpc_sink sink = jrpc_connection_sink(now->bend->connection);
            (void)sink.send(sink.context, jrpc_buffer_slice(&out));
        } else {
            send_own(now, jrpc_buffer_slice(&out));
        }
    }
}

static const char *capabilities(const asked *now)
{
    return errs(now, "mcp-capability-undeclared") ? "{\"logging\":{}}"
           : errs(now, "mcp-capability-array")
               ? "{\"tools\":[],\"resources\":{},\"prompts\":{},\"logging\":{}}"
               : "{\"tools\":{\"listChanged\":true},\"resources\":{},\"prompts\":{},\"logging\":{},"
                 "\"completions\":{}}";
}

static void ping(const asked *now)
{
    give(now, "", false);
    if (errs(now, "mcp-ping-null")) {
        give_text(now, JRPC_SLICE("null"));
    }
}

static void initialize(const asked *now)
{
    static const char *const earlier[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
    jrpc_json wanted = param(now, "protocolVersion");
    bool known = jrpc_json_string_is(wanted, JRPC_SLICE(JRPC_MCP_LEGACY));
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++) {
        known = known || jrpc_json_string_is(wanted, jrpc_slice_str(earlier[i]));
    }
    jrpc_slice spoken =
        known || (errs(now, "mcp-version-echoed") && jrpc_json_is(wanted, JRPC_JSON_STRING))
            ? jrpc_json_spelling(wanted)
            : JRPC_SLICE("\"" JRPC_MCP_LEGACY "\"");
    if (errs(now, "mcp-version-changed")) {
        bool older = jrpc_json_string_is(wanted, JRPC_SLICE("2025-06-18"));
        spoken = older ? JRPC_SLICE("\"" JRPC_MCP_LEGACY "\"") : JRPC_SLICE("\"2025-06-18\"");
    }
    if (errs(now, "mcp-request-before-initialized")) {
        send_own(now, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"roots/list\"}"));
    }
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    (void)jrpc_buffer_printf(&out, "\"protocolVersion\":%.*s,\"capabilities\":%s%s",
                             (int)spoken.len, spoken.ptr, capabilities(now),
                             errs(now, "mcp-server-info-missing") ? ""
                                                                  : ",\"serverInfo\":" SERVER_INFO);
    (void)jrpc_buffer_append_char(&out, '\0');
    give(now, out.ptr == NULL ? "" : out.ptr, false);
}

static void refuse_initialize(const asked *now)
{
    fail(now, "-32601", "\"This server has no handshake\"",
         errs(now, "mcp-2026-07-28-initialize-refused-bare") ? ""
                                                             : "{\"supported\":[\"" JRPC_MCP_MODERN
                                                               "\"]}");
}

static void discover(const asked *now)
{
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    bool empty = errs(now, "mcp-2026-07-28-discover-empty");
    now->bend->connection->found = true;
    (void)jrpc_buffer_printf(&out, "\"supportedVersions\":[%s],\"capabilities\":%s%c",
                             empty ? "" : "\"" JRPC_MCP_MODERN "\"", capabilities(now), '\0');
    give(now, out.ptr == NULL ? "" : out.ptr, true);
}

// What the last page of a list says of the next one.
static const char *last_cursor(const asked *now)
{
    return errs(now, "mcp-cursor-null") ? ",\"nextCursor\":null" : "";
}

static void list_tools(const asked *now)
{
    jrpc_json cursor = param(now, "cursor");
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    bool second = jrpc_json_string_is(cursor, JRPC_SLICE("page-2"));
    report_progress(now);
    if (errs(now, "mcp-2026-07-28-server-request") || errs(now, "mcp-roots-undeclared")) {
        send_own(now, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"roots/list\"}"));
    }
    if (errs(now, "mcp-2026-07-28-log-unasked")) {
        send_own(now, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
                                 "\"params\":{\"level\":\"info\",\"data\":\"listing\"}}"));
    }
    if (jrpc_json_exists(cursor) &&
        (second ? errs(now, "mcp-cursor-lost") : !errs(now, "mcp-cursor-unchecked"))) {
        fail(now, "-32602", "\"Unknown cursor\"", "");
        return;
    }
    if (errs(now, "mcp-tools-object")) {
        give(now, "\"tools\":{\"echo\":{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}}",
             true);
        return;
    }
    (void)jrpc_buffer_printf(&out, "\"tools\":[%s]%s%c", jrpc_mcp_tools(now->bend, second),
                             second                           ? last_cursor(now)
                             : errs(now, "mcp-cursor-number") ? ",\"nextCursor\":2"
                                                              : ",\"nextCursor\":\"page-2\"",
                             '\0');
    give(now, out.ptr == NULL ? "" : out.ptr, true);
}

// A failure of the tool itself, which the caller is to see.
static void give_failure(const asked *now, const char *text)
{
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    bool bare = errs(now, "mcp-error-content-string");
    (void)jrpc_buffer_printf(&out, "\"content\":%s\"%s\"%s,\"isError\":%s%c",
                             bare ? "" : "[{\"type\":\"text\",\"text\":", text, bare ? "" : "}]",
                             errs(now, "mcp-is-error-string") ? "\"true\"" : "true", '\0');
    give(now, out.ptr == NULL ? "" : out.ptr, false);
}

// The result of a tool: one text, and the same as `outputSchema` describes it.
static void give_content(const asked *now, jrpc_slice text)
{
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    bool object = errs(now, "mcp-content-object");
    if (errs(now, "mcp-tool-id-string") && now->response->id.ptr[0] != '"') {
        jrpc_buffer id = jrpc_bend_buffer(now->bend);
        (void)jrpc_json_quote(&id, now->response->id);
        now->response->id = jrpc_buffer_slice(&id);
    }
    text = errs(now, "mcp-content-text-number") ? JRPC_SLICE("7") : text;
    (void)jrpc_buffer_printf(&out, "\"content\":%s{%s\"text\":%.*s}%s", object ? "" : "[",
                             errs(now, "mcp-content-untyped") ? "" : "\"type\":\"text\",",
                             (int)text.len, text.ptr, object ? "" : "]");
    if (errs(now, "mcp-structured-string")) {
        (void)jrpc_buffer_append_str(&out, ",\"structuredContent\":\"as text\"");
    } else if (!errs(now, "mcp-structured-missing")) {
        text = jrpc_mcp_content_misfits(now->bend) ? JRPC_SLICE("7") : text;
        (void)jrpc_buffer_printf(&out, ",\"structuredContent\":{\"message\":%.*s}", (int)text.len,
                                 text.ptr);
    }
    (void)jrpc_buffer_append_char(&out, '\0');
    give(now, out.ptr == NULL ? "" : out.ptr, false);
}

// Whether the call is of another harmless tool, which takes other arguments than `echo`.
static bool is_of_small_tool(const asked *now)
{
    static const char *const tools[] = {
        "add", "subtract", "greet", "hello", "now", "multiply", "sum", "get-structured-content",
    };
    bool is = jrpc_json_exists(jrpc_json_get(param(now, "arguments"), "text"));
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        is = is || jrpc_json_string_is(param(now, "name"), jrpc_slice_str(tools[i]));
    }
    return is && (errs(now, "mcp-content-text-number") || jrpc_mcp_content_misfits(now->bend) ||
                  errs(now, "mcp-structured-string") || errs(now, "mcp-error-content-string") ||
                  errs(now, "mcp-is-error-string") || errs(now, "mcp-tool-id-string"));
}

static void call_tool(const asked *now)
{
    report_progress(now);
    jrpc_json name = param(now, "name");
    jrpc_json text = jrpc_json_get(param(now, "arguments"), "message");
    if (!jrpc_json_is(name, JRPC_JSON_STRING)) {
        fail(now, errs(now, "mcp-call-without-name-internal-error") ? "-32603" : "-32602",
             "\"Invalid params\"", "");
    } else if (is_of_small_tool(now)) {
        if (errs(now, "mcp-error-content-string") || errs(now, "mcp-is-error-string")) {
            give_failure(now, "Wrong arguments");
        } else {
            give_content(now, JRPC_SLICE("\"5\""));
        }
    } else if (jrpc_json_string_is(name, JRPC_SLICE("status"))) {
        give(now,
             errs(now, "mcp-structured-misfit-unasked")
                 ? "\"content\":[],\"structuredContent\":{\"up\":\"yes\"}"
                 : "\"content\":[],\"structuredContent\":{\"up\":true}",
             false);
    } else if (jrpc_json_string_is(name, JRPC_SLICE("fail"))) {
        give_failure(now, "This tool fails");
    } else if (!jrpc_json_string_is(name, JRPC_SLICE("echo"))) {
        if (errs(now, "mcp-unknown-tool-result")) {
            give_failure(now, "Unknown tool");
        } else {
            fail(now, "-32602", "\"Unknown tool\"", "");
        }
    } else if (!jrpc_json_is(text, JRPC_JSON_STRING)) {
        give_failure(now, "The argument message is missing");
    } else {
        give_content(now, jrpc_json_spelling(text));
    }
}

// A list that is all on one page.
static void give_list(const asked *now, const char *list)
{
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    (void)jrpc_buffer_printf(&out, "%s%s%c", list, last_cursor(now), '\0');
    give(now, out.ptr == NULL ? "" : out.ptr, true);
}

static void list_resources(const asked *now)
{
    give_list(now, errs(now, "mcp-resource-name-missing")
                       ? "\"resources\":[{\"uri\":\"memo://one\"}]"
                       : "\"resources\":[{\"uri\":\"memo://one\",\"name\":\"one\"}]");
}

static void list_templates(const asked *now)
{
    give_list(now, "\"resourceTemplates\":[]");
}

static void read_resource(const asked *now)
{
    if (jrpc_json_string_is(param(now, "uri"), JRPC_SLICE("memo://one"))) {
        give(now,
             errs(now, "mcp-resource-text-number")
                 ? "\"contents\":[{\"uri\":\"memo://one\",\"text\":1}]"
                 : "\"contents\":[{\"uri\":\"memo://one\",\"text\":\"one\"}]",
             true);
    } else if (errs(now, "mcp-resource-unknown-empty")) {
        give(now, "\"contents\":[]", true);
    } else {
        bool old = !now->modern || errs(now, "mcp-2026-07-28-resource-old-code");
        fail(now, old ? "-32002" : "-32602", "\"Resource not found\"", "");
    }
}

static void list_prompts(const asked *now)
{
    if (errs(now, "mcp-prompts-missing")) {
        give(now, "", true);
    } else {
        give_list(now, "\"prompts\":[{\"name\":\"greet\"},{\"name\":\"part\"},"
                       "{\"name\":\"about\",\"arguments\":[{\"name\":\"topic\",\"required\":"
                       "true}]}]");
    }
}

static bool is_prompt(jrpc_json name)
{
    return jrpc_json_string_is(name, JRPC_SLICE("greet")) ||
           jrpc_json_string_is(name, JRPC_SLICE("part")) ||
           jrpc_json_string_is(name, JRPC_SLICE("about"));
}

static void get_prompt(const asked *now)
{
    jrpc_json name = param(now, "name");
    bool about = jrpc_json_string_is(name, JRPC_SLICE("about"));
    if (about && !jrpc_json_exists(jrpc_json_get(param(now, "arguments"), "topic")) &&
        !errs(now, "mcp-prompt-argument-unchecked")) {
        fail(now, "-32602", "\"The argument topic is missing\"", "");
    } else if (!is_prompt(name)) {
        fail(now, errs(now, "mcp-prompt-unknown-internal-error") ? "-32603" : "-32602",
             "\"Unknown prompt\"", "");
    } else if (errs(now, "mcp-prompt-content-string")) {
        give(now, "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]", false);
    } else {
        give(now,
             errs(now, "mcp-prompt-role") ? "\"messages\":[{\"role\":\"system\",\"content\":"
                                            "{\"type\":\"text\",\"text\":\"Hello\"}}]"
                                          : "\"messages\":[{\"role\":\"user\",\"content\":"
                                            "{\"type\":\"text\",\"text\":\"Hello\"}}]",
             false);
    }
}

static void complete(const asked *now)
{
    const int values = errs(now, "mcp-completion-long") ? 101 : 1; // 100 at most are allowed
    const char *value = errs(now, "mcp-completion-numbers") ? "1" : "\"one\"";
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    (void)jrpc_buffer_append_str(&out, "\"completion\":{\"values\":[");
    for (int i = 0; i < values; i++) {
        (void)jrpc_buffer_printf(&out, "%s%s", i == 0 ? "" : ",", value);
    }
    (void)jrpc_buffer_printf(&out, "],\"hasMore\":false}%c", '\0');
    if (is_prompt(jrpc_json_get(param(now, "ref"), "name"))) {
        give(now, out.ptr == NULL ? "" : out.ptr, false);
    } else {
        fail(now, "-32602", "\"Unknown reference\"", "");
    }
}

bool jrpc_mcp_is_level(jrpc_json level)
{
    static const char *const levels[] = {"debug", "info",     "notice", "warning",
                                         "error", "critical", "alert",  "emergency"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (jrpc_json_string_is(level, jrpc_slice_str(levels[i]))) {
            return true;
        }
    }
    return false;
}

static void set_level(const asked *now)
{
    if (jrpc_mcp_is_level(param(now, "level")) || errs(now, "mcp-log-level-unchecked")) {
        give(now, "", false);
    } else {
        fail(now, "-32602", "\"Unknown level\"", "");
    }
}

// Nothing here changes, so a subscription is acknowledged, and over HTTP ends at once. On a stream
// it goes on until it is cancelled, without a word.
static void listen(const asked *now)
{
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    jrpc_slice id = errs(now, "mcp-2026-07-28-subscription-other-id")
                        ? JRPC_SLICE("0")
                        : jrpc_json_spelling(now->message->id);
    (void)jrpc_buffer_printf(&out,
                             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/"
                             "acknowledged\",\"params\":{\"_meta\":{\"" META_SUBSCRIPTION
                             "\":%.*s},\"notifications\":{}}}",
                             (int)id.len, id.ptr);
    if (!errs(now, "mcp-2026-07-28-subscription-unacknowledged")) {
        send_own(now, jrpc_buffer_slice(&out));
    }
    if (now->bend->connection->deliver == NULL) {
        now->response->suppressed = true;
        jrpc_buffer_clear(&now->bend->connection->held);
        (void)jrpc_buffer_append(&now->bend->connection->held,
                                 jrpc_json_spelling(now->message->id));
        return;
    }
    jrpc_buffer end = jrpc_bend_buffer(now->bend);
    (void)jrpc_buffer_printf(
        &end, "{\"resultType\":\"complete\",\"_meta\":{\"" META_SUBSCRIPTION "\":%.*s}}",
        (int)id.len, id.ptr);
    give_text(now, jrpc_buffer_slice(&end));
}

enum { LEGACY = 1, MODERN = 2, BOTH = LEGACY | MODERN };

static const struct {
    const char *name;
    int eras;
    void (*answer)(const asked *now);
} methods[] = {
    {"initialize", LEGACY, initialize},       {"initialize", MODERN, refuse_initialize},
    {"server/discover", MODERN, discover},    {"ping", LEGACY, ping},
    {"tools/list", BOTH, list_tools},         {"tools/call", BOTH, call_tool},
    {"resources/list", BOTH, list_resources}, {"resources/templates/list", BOTH, list_templates},
    {"resources/read", BOTH, read_resource},  {"prompts/list", BOTH, list_prompts},
    {"prompts/get", BOTH, get_prompt},        {"logging/setLevel", LEGACY, set_level},
    {"completion/complete", BOTH, complete},  {"subscriptions/listen", MODERN, listen},
};

// The function of a method of this era, or NULL.
static void (*find(const jrpc_message *message, int era))(const asked *now)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if ((methods[i].eras & era) != 0 && jrpc_mcp_calls(message, methods[i].name)) {
            return methods[i].answer;
        }
    }
    return NULL;
}

bool jrpc_mcp_modern_serves(const jrpc_message *message)
{
    return find(message, MODERN) != NULL;
}

static void answer(const asked *now, int era)
{
    void (*found)(const asked *) = now->message == NULL ? NULL : find(now->message, era);
    if (found != NULL && now->message->kind == JRPC_MESSAGE_CALL) {
        found(now);
    }
}

void jrpc_mcp_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    answer(&(asked){bend, message, response, false}, LEGACY);
}

void jrpc_mcp_modern_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    const asked now = {bend, message, response, true};
    if (jrpc_slice_is(response->code, "-32022")) {
        fail(&now, errs(&now, "mcp-2026-07-28-version-other-code") ? "-32602" : "-32022",
             "\"Unsupported protocol version\"",
             errs(&now, "mcp-2026-07-28-version-unlisted") ? ""
                                                           : "{\"supported\":[\"" JRPC_MCP_MODERN
                                                             "\"]}");
        return;
    }
    answer(&now, MODERN);
}
