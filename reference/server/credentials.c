#include "reference/server/credentials.h"

#include "reference/json/read.h"
#include "reference/server/bend.h"
#include "reference/wire/token.h"

#include <strings.h>
#include <time.h>

enum { CLAIMS_DEPTH = 8, ISSUED_SECONDS = 60 };

// Faults in this file: the code that does the right thing queries them by name.
static const jrpc_fault rows[] = {
    {JRPC_ROW("credential-unchecked", "SEC-m", "messages without a token are served")},
    {JRPC_ROW("credential-has-effect", "SEC-m",
              "a message without a valid token takes effect before it is refused")},
    {JRPC_ROW("credential-forgery-served", "SEC-m", "the signature of a token is not checked")},
    {JRPC_ROW("credential-unsigned-served", "SEC-m", "a token of the algorithm none is valid")},
    {JRPC_ROW("credential-expired-served", "SEC-n", "a token never expires")},
    {JRPC_ROW("credential-remembered", "SEC-m",
              "after a message without a valid token every other on the connection is refused")},
    {JRPC_ROW("credential-denied-to-all", "SEC-o", "restricted is served to nobody")},
    {JRPC_ROW("credential-role-unchecked", "SEC-o", "restricted is served to every role")},
};

const jrpc_fault_table jrpc_faults_credentials = JRPC_FAULT_TABLE(rows);

bool jrpc_credentials_run_anyway(const jrpc_connection *connection)
{
    return jrpc_fault_is_on(connection, "credential-has-effect");
}

// Whether a token without `exp` was issued within a minute of now, as the Engine API requires.
static bool is_fresh(const jrpc_connection *connection, jrpc_json claims)
{
    int64_t issued = 0;
    int64_t now = (int64_t)time(NULL);
    bool acceptable = !jrpc_json_exists(jrpc_json_get(claims, "jrpcheck")) ||
                      !jrpc_fault_is_on(connection, "eth-token-claims-refused");
    return acceptable && jrpc_json_int64(jrpc_json_get(claims, "iat"), &issued) &&
           ((issued >= now - ISSUED_SECONDS && issued <= now + ISSUED_SECONDS) ||
            jrpc_fault_is_on(connection, "eth-token-stale-served"));
}

// Whether the claims hold now; the role in them is noted.
static bool holds(jrpc_connection *connection, jrpc_slice claims)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, connection->server->allocator);
    int64_t expires = 0;
    bool read = jrpc_json_read(&document, claims, CLAIMS_DEPTH, NULL);
    jrpc_json root = read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT;
    bool now = jrpc_json_int64(jrpc_json_get(root, "exp"), &expires)
                   ? expires > (int64_t)time(NULL) ||
                         jrpc_fault_is_on(connection, "credential-expired-served")
                   : is_fresh(connection, root);
    connection->limited = !jrpc_json_string_is(jrpc_json_get(root, "role"), JRPC_SLICE("admin")) &&
                          !jrpc_fault_is_on(connection, "credential-role-unchecked");
    connection->limited =
        connection->limited || jrpc_fault_is_on(connection, "credential-denied-to-all");
    jrpc_json_document_done(&document);
    return now;
}

bool jrpc_credentials_pass(jrpc_connection *connection, jrpc_slice given)
{
    static const char scheme[] = "Bearer ";
    const size_t scheme_len = sizeof scheme - 1;
    const char *key = connection->server->token_key;
    connection->limited = false;
    if (key == NULL || jrpc_fault_is_on(connection, "credential-unchecked")) {
        return true;
    }
    if (given.len < scheme_len || strncasecmp(given.ptr, scheme, scheme_len) != 0) {
        return false;
    }
    jrpc_buffer claims;
    jrpc_buffer_init(&claims, connection->server->allocator, JRPC_TOKEN_CLAIMS_MAX);
    bool right = false;
    switch (jrpc_token_read(jrpc_slice_from(given, scheme_len), jrpc_slice_str(key), &claims)) {
    case JRPC_TOKEN_SIGNED:
        right = true;
        break;
    case JRPC_TOKEN_FORGED:
        right = jrpc_fault_is_on(connection, "credential-forgery-served");
        break;
    case JRPC_TOKEN_UNSIGNED:
        right = jrpc_fault_is_on(connection, "credential-unsigned-served");
        break;
    case JRPC_TOKEN_MALFORMED:
        break;
    }
    right = right && holds(connection, jrpc_buffer_slice(&claims)) && !connection->tainted;
    connection->tainted = !right && jrpc_fault_is_on(connection, "credential-remembered");
    jrpc_buffer_done(&claims);
    return right;
}
