#include "reference/server/collect.h"

#include "reference/json/read.h"
#include "reference/rpc/response.h"
#include "reference/server/bend.h"

#include <inttypes.h>
#include <stdio.h>

#define PULL_ID "\"pull of the server\""

enum { NO_FLOW = -32000, ANSWER_DEPTH = 16, MESSAGE_BYTES = 256, ITEM_MAX = 1000000000 };

// Faults in this file: the code that does the right thing queries them by name.
static const jrpc_fault rows[] = {
    {JRPC_ROW("kx-collect-without-pull", "KX-4i", "collect gives 0 and pulls nothing")},
    {JRPC_ROW("kx-collect-first-item", "KX-4i", "collect gives the first item of the Flow")},
    {JRPC_ROW("kx-collect-end-fails", "KX-4i", "collect fails where the Flow has ended")},
    {JRPC_ROW("kx-collect-error-ends", "KX-4i",
              "collect gives the sum so far where the Flow fails")},
    {JRPC_ROW("kx-collect-pull-of-zero", "KX-4i",
              "collect pulls the Flow 0, whatever it is given")},
    {JRPC_ROW("kx-collect-deaf", "KX-4i",
              "while a Flow of the client is open, calls of the client are dropped")},
};

const jrpc_fault_table jrpc_faults_collect = JRPC_FAULT_TABLE(rows);

static bool pull(jrpc_connection *connection)
{
    jrpc_slice flow = jrpc_buffer_slice(&connection->collect.flow);
    if (jrpc_fault_is_on(connection, "kx-collect-pull-of-zero")) {
        flow = JRPC_SLICE("0");
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, connection->server->allocator, flow.len + MESSAGE_BYTES);
    (void)jrpc_buffer_append_str(
        &text, "{\"jsonrpc\":\"2.0\",\"method\":\"kotlinx.rpc.jsonrpc.internal.nextFlowValue\","
               "\"params\":[");
    (void)jrpc_buffer_append(&text, flow);
    (void)jrpc_buffer_append_str(&text, "],\"id\":" PULL_ID "}");
    connection->collect.pulls++;
    bool sent = !text.failed && jrpc_connection_send(connection, jrpc_buffer_slice(&text));
    jrpc_buffer_done(&text);
    return sent;
}

// Gives the call its Response: the sum, or that the Flow failed.
static void end(jrpc_connection *connection, bool failed)
{
    static const jrpc_slice none = {NULL, 0};
    jrpc_slice id = jrpc_buffer_slice(&connection->collect.id);
    char number[24];
    (void)snprintf(number, sizeof number, "%" PRId64, failed ? NO_FLOW : connection->collect.sum);
    const jrpc_response response = {
        .version = JRPC_SLICE("\"2.0\""),
        .result = failed ? none : jrpc_slice_str(number),
        .code = failed ? jrpc_slice_str(number) : none,
        .message = failed ? JRPC_SLICE("\"the Flow of the client failed\"") : none,
        .id = id,
    };
    jrpc_buffer text;
    jrpc_buffer_init(&text, connection->server->allocator, id.len + MESSAGE_BYTES);
    (void)(jrpc_response_write(&text, &response) &&
           jrpc_connection_send(connection, jrpc_buffer_slice(&text)));
    jrpc_buffer_done(&text);
    jrpc_buffer_clear(&connection->collect.id);
}

bool jrpc_collect(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_connection *connection = call->connection;
    if (connection->one_answer || call->notification || connection->collect.id.len > 0) {
        return jrpc_call_fail(call, NO_FLOW, "No Flow can be pulled now", JRPC_SLICE(""));
    }
    if (jrpc_fault_is_on(connection, "kx-collect-without-pull")) {
        jrpc_json_write_int(call->result, 0);
        return true;
    }
    connection->collect.sum = 0;
    connection->collect.pulls = 0;
    jrpc_buffer_clear(&connection->collect.flow);
    bool kept =
        jrpc_buffer_append(&connection->collect.flow, jrpc_json_spelling(call->arguments[0])) &&
        jrpc_buffer_append(&connection->collect.id, jrpc_json_spelling(call->id));
    connection->withhold = kept && pull(connection);
    return connection->withhold;
}

static void take_answer(jrpc_connection *connection, jrpc_json answer)
{
    int64_t item = 0;
    int64_t code = 0;
    bool first_only = jrpc_fault_is_on(connection, "kx-collect-first-item");
    if (jrpc_json_int64(jrpc_json_get(answer, "result"), &item) && item >= -ITEM_MAX &&
        item <= ITEM_MAX && connection->collect.pulls < JRPC_COLLECT_PULLS_MAX) {
        connection->collect.sum += item;
        if (first_only || !pull(connection)) {
            end(connection, false);
        }
        return;
    }
    (void)jrpc_json_int64(jrpc_json_get(jrpc_json_get(answer, "error"), "code"), &code);
    bool ended = code == JRPC_FLOW_ENDED && !jrpc_fault_is_on(connection, "kx-collect-end-fails");
    end(connection, !ended && !jrpc_fault_is_on(connection, "kx-collect-error-ends"));
}

bool jrpc_collect_takes(jrpc_connection *connection, jrpc_slice text)
{
    if (connection->collect.id.len == 0) {
        return false;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, connection->server->allocator);
    bool read = jrpc_json_read(&document, text, ANSWER_DEPTH, NULL);
    jrpc_json root = read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT;
    bool answers = jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(root, "id")), PULL_ID) &&
                   !jrpc_json_exists(jrpc_json_get(root, "method"));
    if (answers) {
        take_answer(connection, root);
    }
    jrpc_json_document_done(&document);
    return answers || jrpc_fault_is_on(connection, "kx-collect-deaf");
}
