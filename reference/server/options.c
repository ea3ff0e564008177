#include "reference/server/options.h"

#include "reference/base/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A connection over HTTP or WebSocket that says nothing for so long is closed.
enum { IDLE_SECONDS = 300 };

typedef bool take(jrpc_server_options *options, const char *value, jrpc_error *error);

static bool take_stdio(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    (void)value;
    (void)error;
    options->stdio = true;
    return true;
}

static bool take_framing(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    return jrpc_framing_from_name(jrpc_slice_str(value), &options->framing) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "there is no framing '%s'; choose line, content-length, concatenated or "
                          "length32",
                          value);
}

static jrpc_listen_at *next_listener(jrpc_server_options *options, jrpc_error *error)
{
    if (options->listener_count == JRPC_LISTENERS_MAX) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "there can be at most %d listeners",
                             JRPC_LISTENERS_MAX);
        return NULL;
    }
    return &options->listeners[options->listener_count++];
}

static bool take_address(jrpc_server_options *options, const char *name, jrpc_listen_kind kind,
                         const char *value, jrpc_error *error)
{
    jrpc_listen_at *at = next_listener(options, error);
    if (at == NULL) {
        return false;
    }
    const char *colon = strrchr(value, ':');
    size_t len = colon == NULL ? 0 : (size_t)(colon - value);
    const char *host = value;
    if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    }
    if (len == 0 || len >= sizeof at->host || colon[1] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "%s '%s' is no HOST:PORT; write it like 127.0.0.1:4000 (port 0 "
                              "chooses a free one)",
                              name, value);
    }
    memcpy(at->host, host, len);
    at->host[len] = '\0';
    at->port = colon + 1;
    at->kind = kind;
    return true;
}

static bool take_tcp(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    return take_address(options, "--tcp", JRPC_LISTEN_TCP, value, error);
}

static bool refuse_without_http(const char *name, jrpc_error *error)
{
    return JRPC_HTTP ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "%s is not in this build; configure it with -DJRPC_HTTP=ON", name);
}

static bool take_http(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    return refuse_without_http("--http", error) &&
           take_address(options, "--http", JRPC_LISTEN_HTTP, value, error);
}

static bool take_websocket(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    return refuse_without_http("--ws", error) &&
           take_address(options, "--ws", JRPC_LISTEN_WEBSOCKET, value, error);
}

static bool take_unix(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    jrpc_listen_at *at = next_listener(options, error);
    if (at == NULL) {
        return false;
    }
    at->path = value;
    return true;
}

static bool take_fault(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    const jrpc_fault *fault = jrpc_fault_find(value);
    if (fault == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "there is no fault '%s'; jrpc-reference --list-faults shows them all",
                              value);
    }
    if (options->fault_count == JRPC_FAULTS_MAX) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "there can be at most %d faults at once",
                              JRPC_FAULTS_MAX);
    }
    options->faults[options->fault_count++] = fault;
    return true;
}

static bool take_access_log(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    options->access_log = value;
    return value[0] != '\0' || jrpc_error_set(error, JRPC_ERROR_USAGE,
                                              "--access-log is empty; write --access-log FILE");
}

static bool take_v1(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    (void)value;
    (void)error;
    options->v1 = true;
    return true;
}

static bool take_sessions(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    (void)value;
    options->sessions = true;
    return refuse_without_http("--sessions", error);
}

static bool take_token_key(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    options->token_key = value;
    return value[0] != '\0' || jrpc_error_set(error, JRPC_ERROR_USAGE, "--token-key is empty");
}

static bool take_origin(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    if (options->origin_count == JRPC_ORIGINS_MAX) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "there can be at most %d origins",
                              JRPC_ORIGINS_MAX);
    }
    options->origins[options->origin_count++] = value;
    return strstr(value, "://") != NULL ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "--origin '%s' is not an origin; write it like https://example.org",
                          value);
}

static bool take_number(const char *name, const char *value, unsigned long least,
                        unsigned long most, unsigned long *ret, jrpc_error *error)
{
    char *end = NULL;
    errno = 0;
    *ret = strtoul(value, &end, 10);
    bool number = value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0;
    return (number && *ret >= least && *ret <= most) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE, "%s '%s' is not a number from %lu to %lu", name,
                          value, least, most);
}

static bool take_max_message(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    unsigned long bytes = 0;
    bool taken = take_number("--max-message", value, 1, 1ul << 30, &bytes, error);
    options->max_message = bytes;
    return taken;
}

static bool take_max_connections(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    unsigned long count = 0;
    bool taken = take_number("--max-connections", value, 1, JRPC_LIMIT_CONNECTIONS, &count, error);
    options->max_connections = (unsigned)count;
    return taken;
}

static bool take_idle(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    unsigned long seconds = 0;
    bool taken = take_number("--idle", value, 0, 86400, &seconds, error);
    options->idle_s = (unsigned)seconds;
    return taken;
}

static bool take_habit(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    options->habit = jrpc_habit_find(value);
    return options->habit != NULL ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "--as '%s' is not known; choose ethereum, jrpc2, kotlin-design, "
                          "kotlinx-rpc, lsp, mcp or mcp-2026-07-28",
                          value);
}

static bool take_delay(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    unsigned long ms = 0;
    bool taken = take_number("--delay", value, 0, 60000, &ms, error);
    options->delay_ms = (unsigned)ms;
    return taken;
}

static bool take_list(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    (void)value;
    (void)error;
    options->action = JRPC_SERVER_LIST_FAULTS;
    return true;
}

static bool take_help(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    (void)value;
    (void)error;
    options->action = JRPC_SERVER_HELP;
    return true;
}

static bool take_version(jrpc_server_options *options, const char *value, jrpc_error *error)
{
    (void)value;
    (void)error;
    options->action = JRPC_SERVER_VERSION;
    return true;
}

static const struct {
    const char *name;
    const char *value; // NULL: takes none
    take *take;
} table[] = {
    {"--stdio", NULL, take_stdio},
    {"--framing", "NAME", take_framing},
    {"--tcp", "HOST:PORT", take_tcp},
    {"--unix", "PATH", take_unix},
    {"--http", "HOST:PORT", take_http},
    {"--ws", "HOST:PORT", take_websocket},
    {"--sessions", NULL, take_sessions},
    {"--origin", "ORIGIN", take_origin},
    {"--token-key", "KEY", take_token_key},
    {"--max-message", "BYTES", take_max_message},
    {"--max-connections", "N", take_max_connections},
    {"--idle", "SECONDS", take_idle},
    {"--delay", "MS", take_delay},
    {"--access-log", "FILE", take_access_log},
    {"--fault", "NAME", take_fault},
    {"--v1", NULL, take_v1},
    {"--as", "NAME", take_habit},
    {"--list-faults", NULL, take_list},
    {"--help", NULL, take_help},
    {"--version", NULL, take_version},
};

const char *jrpc_server_help(void)
{
    return "usage: jrpc-reference [--stdio] [--framing NAME] [--tcp HOST:PORT]… [--unix PATH]…\n"
           "                      [--http HOST:PORT]… [--ws HOST:PORT]…\n"
           "                      [--sessions] [--origin ORIGIN]… [--idle SECONDS]\n"
           "                      [--token-key KEY]\n"
           "                      [--max-message BYTES] [--max-connections N]\n"
           "                      [--delay MS] [--access-log FILE]\n"
           "                      [--fault NAME]… [--v1] [--as NAME]\n"
           "       jrpc-reference --list-faults | --help | --version\n"
           "\n"
           "A JSON-RPC 2.0 server that keeps every rule, or breaks exactly the ones it is told "
           "to.\n"
           "\n"
           "  --stdio          serve stdin and stdout (the default when nothing else is given)\n"
           "  --framing NAME   line (default), content-length, concatenated or length32\n"
           "  --tcp HOST:PORT  listen on TCP; port 0 chooses a free one\n"
           "  --unix PATH      listen on a Unix socket\n"
           "  --http HOST:PORT serve HTTP: POST a message to any path\n"
           "  --ws HOST:PORT   serve WebSocket\n"
           "  --sessions       over HTTP: give each client an id of a session, and with GET a "
           "stream\n"
           "                   of events for what is not an answer\n"
           "  --origin ORIGIN  over HTTP and WebSocket: 403 for pages of other origins\n"
           "  --token-key KEY  over HTTP, WebSocket: 401 without a JWT (HS256) of this key;\n"
           "                   the method tokened wants one in its param token\n"
           "  --idle SECONDS   close a connection over HTTP or WebSocket that is silent for so "
           "long\n"
           "                   (default 300; 0: never)\n"
           "  --max-message BYTES   refuse longer messages (default 64 MiB)\n"
           "  --max-connections N   at once, of each listener (default 256)\n"
           "  --delay MS       take so long for each message, as a server far away does\n"
           "  --access-log FILE  append a JSON line for each call; - is standard error\n"
           "  --fault NAME     get one thing wrong; may be repeated\n"
           "  --v1             serve JSON-RPC 1.0 too (every fault named v1-… does so as well)\n"
           "  --as NAME        follow ethereum, jrpc2, kotlin-design, kotlinx-rpc, lsp, mcp\n"
           "                   or mcp-2026-07-28 where they say more than the specification\n"
           "                   (faults named jr-, kd-, kx-… do so too)\n"
           "  --list-faults    print every fault: name, rule, what it does\n"
           "\n"
           "Addresses are printed on stderr as \"listening on tcp://127.0.0.1:4000\".\n";
}

static bool take_one(jrpc_server_options *options, int argc, char *const *argv, int *at,
                     jrpc_error *error)
{
    const char *word = argv[*at];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t len = strlen(table[i].name);
        bool joined = strncmp(word, table[i].name, len) == 0 && word[len] == '=';
        if (strcmp(word, table[i].name) != 0 && !joined) {
            continue;
        }
        if (table[i].value == NULL) {
            return joined
                       ? jrpc_error_set(error, JRPC_ERROR_USAGE, "%s takes no value", table[i].name)
                       : table[i].take(options, NULL, error);
        }
        if (joined) {
            return table[i].take(options, word + len + 1, error);
        }
        if (*at + 1 == argc) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE, "%s needs a value: %s %s", word, word,
                                  table[i].value);
        }
        return table[i].take(options, argv[++*at], error);
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "unknown option '%s'; jrpc-reference --help shows them all", word);
}

bool jrpc_server_options_read(int argc, char *const *argv, jrpc_server_options *ret_options,
                              jrpc_error *error)
{
    jrpc_server_options options = {.framing = JRPC_FRAMING_LINE,
                                   .max_message = JRPC_LIMIT_MESSAGE_BYTES,
                                   .max_connections = JRPC_LIMIT_CONNECTIONS,
                                   .idle_s = IDLE_SECONDS};
    for (int at = 1; at < argc; at++) {
        if (!take_one(&options, argc, argv, &at, error)) {
            return false;
        }
    }
    for (size_t i = 0; i < options.fault_count; i++) {
        options.v1 = options.v1 || strncmp(options.faults[i]->name, "v1-", 3) == 0;
        if (options.habit == NULL) {
            options.habit = jrpc_habit_of_fault(options.faults[i]->name);
        }
    }
    // A server of MCP with a handshake has sessions over HTTP.
    options.sessions = options.sessions || (JRPC_HTTP && options.habit == jrpc_habit_find("mcp"));
    if (options.listener_count == 0) {
        options.stdio = true;
    }
    *ret_options = options;
    return true;
}
