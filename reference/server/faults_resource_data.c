// Faults in what an RO-JRPC server keeps and tells: discovery, permissions, metadata, data, caches
// between connections.
#include "reference/server/bend.h"

static void describe_less(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (jrpc_bend_calls(bend, "\"rpc.describe\"")) {
        response->result = JRPC_SLICE("{\"extension\":\"ro-jrpc\",\"version\":\"1.0\","
                                      "\"resources\":{\"session\":{\"verbs\":[\"start\"]}}}");
    }
}

// Once a verb of a resource was denied on a connection, so is every other one there.
static void deny_resource(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    jrpc_connection *connection = bend->connection;
    connection->tainted = connection->tainted || !call->allowed;
    call->allowed = call->allowed && !connection->tainted;
}

static void target_from_meta(jrpc_bend *bend, jrpc_message *message)
{
    static const char *const names[] = {"target", "id", "user"};
    jrpc_json meta = jrpc_json_get(message->value, "meta");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jrpc_json other = jrpc_json_get(meta, names[i]);
        if (jrpc_json_exists(other)) {
            jrpc_bend_member(bend, message, "target", jrpc_json_spelling(other));
            return;
        }
    }
}

static void create_without_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && jrpc_bend_calls(bend, "\"user.create\"")) {
        response->result = jrpc_json_exists(message->params) ? jrpc_json_spelling(message->params)
                                                             : JRPC_SLICE("{}");
    }
}

// An update changes the user that the update before it was for.
static void update_previous(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer *last = &bend->connection->seen;
    if (!jrpc_bend_calls(bend, "\"user.update\"")) {
        return;
    }
    jrpc_slice own =
        jrpc_bend_copy(bend, jrpc_json_spelling(jrpc_json_get(message->value, "target")));
    if (last->len > 0) {
        jrpc_bend_member(bend, message, "target", jrpc_bend_copy(bend, jrpc_buffer_slice(last)));
    }
    jrpc_buffer_clear(last);
    jrpc_buffer_append(last, own);
}

// What another open connection got last from the same method.
static void share_cache(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    jrpc_connection *connection = bend->connection;
    jrpc_server *server = connection->server;
    if (message == NULL || !jrpc_bend_calls(bend, "\"user.get\"")) {
        return;
    }
    jrpc_slice own = response->result;
    pthread_mutex_lock(&server->lock);
    for (const jrpc_connection *other = server->open; other != NULL; other = other->next) {
        if (other != connection && other->seen.len > 0) {
            response->result = jrpc_bend_copy(bend, jrpc_buffer_slice(&other->seen));
        }
    }
    jrpc_buffer_clear(&connection->seen);
    jrpc_buffer_append(&connection->seen, own);
    pthread_mutex_unlock(&server->lock);
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("ro-describe-incomplete", "RO-11b", "rpc.describe names no resource but session"),
     .response = describe_less, .when = JRPC_OUTCOME_SUCCESS | JRPC_OUTCOME_UNKNOWN},
    {JRPC_ROW("ro-denied-whole-resource", "RO-12a",
              "after one denied call every call of a route is denied on that connection"),
     .bind = deny_resource},
    {JRPC_ROW("ro-meta-as-target", "RO-15a",
              "target, id or user in meta take the place of the target"),
     .message = target_from_meta},
    {JRPC_ROW("ro-create-without-id", "RO-9c", "user.create gives back the params alone"),
     .response = create_without_id, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("ro-update-elsewhere", "RO-9b",
              "user.update changes the user that the update before it was for"),
     .message = update_previous},
    {JRPC_ROW("ro-cache-keys-shared", "RO-18d",
              "user.get is answered by what another open connection got last from it"),
     .response = share_cache, .when = JRPC_OUTCOME_SUCCESS},
};

const jrpc_fault_table jrpc_faults_resource_data = JRPC_FAULT_TABLE(rows);
