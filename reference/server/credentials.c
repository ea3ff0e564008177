#include "reference/server/credentials.h"

#include "reference/json/read.h"
#include "reference/server/fault.h"
#include "reference/wire/token.h"

#include <string.h>
#include <strings.h>
#include <time.h>

enum { CLAIMS_DEPTH = 8 };

// Faults in what follows: the code that does the right thing asks for them by name.
static const jrpc_fault rows[] = {
    {.name = "credential-unchecked", .rule = "SEC-m", .description = "no token is asked for"},
    {.name = "credential-has-effect",
     .rule = "SEC-m",
     .description = "a message without a right token takes effect before it is refused"},
    {.name = "credential-forgery-served",
     .rule = "SEC-m",
     .description = "the signature of a token is not looked at"},
    {.name = "credential-unsigned-served",
     .rule = "SEC-m",
     .description = "a token of the algorithm none is right"},
    {.name = "credential-expired-served",
     .rule = "SEC-n",
     .description = "a token is right for ever"},
    {.name = "credential-remembered",
     .rule = "SEC-m",
     .description =
         "after a message without a right token every other on the connection is refused"},
    {.name = "credential-denied-to-all",
     .rule = "SEC-o",
     .description = "restricted is served to nobody"},
    {.name = "credential-role-unchecked",
     .rule = "SEC-o",
     .description = "restricted is served to every role"},
};

const jrpc_fault_table jrpc_faults_credentials = JRPC_FAULT_TABLE(rows);

static bool errs(const jrpc_connection *connection, const char *fault)
{
    const jrpc_server *server = connection->server;
    bool found = false;
    for (size_t i = 0; i < server->fault_count && !found; i++) {
        found = strcmp(server->faults[i]->name, fault) == 0;
    }
    return found;
}

bool jrpc_credentials_run_anyway(const jrpc_connection *connection)
{
    return errs(connection, "credential-has-effect");
}

// Whether the claims hold now; the role in them is noted.
static bool holds(jrpc_connection *connection, jrpc_slice claims)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, connection->server->allocator);
    int64_t expires = 0;
    bool read = jrpc_json_read(&document, claims, CLAIMS_DEPTH, NULL);
    jrpc_json root = read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT;
    bool now = jrpc_json_int64(jrpc_json_get(root, "exp"), &expires) &&
               (expires > (int64_t)time(NULL) || errs(connection, "credential-expired-served"));
    connection->limited = !jrpc_json_string_is(jrpc_json_get(root, "role"), JRPC_SLICE("admin")) &&
                          !errs(connection, "credential-role-unchecked");
    connection->limited = connection->limited || errs(connection, "credential-denied-to-all");
    jrpc_json_document_done(&document);
    return now;
}

bool jrpc_credentials_pass(jrpc_connection *connection, const jrpc_http_request *request)
{
    static const char scheme[] = "Bearer ";
    const char *key = connection->server->token_key;
    const char *given = jrpc_http_request_header(request, "Authorization");
    connection->limited = false;
    if (key == NULL || errs(connection, "credential-unchecked")) {
        return true;
    }
    if (given == NULL || strncasecmp(given, scheme, sizeof scheme - 1) != 0) {
        return false;
    }
    jrpc_buffer claims;
    jrpc_buffer_init(&claims, connection->server->allocator, JRPC_TOKEN_CLAIMS_MAX);
    bool right = false;
    switch (
        jrpc_token_read(jrpc_slice_str(given + sizeof scheme - 1), jrpc_slice_str(key), &claims)) {
    case JRPC_TOKEN_SIGNED:
        right = true;
        break;
    case JRPC_TOKEN_FORGED:
        right = errs(connection, "credential-forgery-served");
        break;
    case JRPC_TOKEN_UNSIGNED:
        right = errs(connection, "credential-unsigned-served");
        break;
    case JRPC_TOKEN_MALFORMED:
        break;
    }
    right = right && holds(connection, jrpc_buffer_slice(&claims)) && !connection->tainted;
    connection->tainted = !right && errs(connection, "credential-remembered");
    jrpc_buffer_done(&claims);
    return right;
}
