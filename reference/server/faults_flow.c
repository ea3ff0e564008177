// Faults in Flows (kotlinx.rpc) at their edges: ids that nobody gave, pulls at the same time, what
// is counted.
#include "reference/server/bend.h"

#include <stdlib.h>
#include <string.h>

#define NEXT_VALUE "\"kotlinx.rpc.jsonrpc.internal.nextFlowValue\""

enum { FLOWS_MOST = 1000 };

static bool is_start(const jrpc_bend *bend)
{
    return jrpc_bend_calls(bend, "\"flow\"") || jrpc_bend_calls(bend, "\"failing_flow\"");
}

// The Flow takes effect when it is asked for instead of when it is collected.
static void count_at_start(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    (void)response;
    if (is_start(bend)) {
        atomic_fetch_add(&bend->connection->server->effects, 1);
    }
}

// The end of a Flow that gave nothing before: what an unknown id is answered with.
static void null_for_unknown(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    jrpc_json id = jrpc_json_element(message == NULL ? JRPC_JSON_ABSENT : message->params, 0);
    int64_t number = 0;
    if (jrpc_bend_calls(bend, NEXT_VALUE) && jrpc_json_int64(id, &number) &&
        number > bend->connection->server->fixture.flow_count) {
        response->code = response->message = response->data = (jrpc_slice){NULL, 0};
        response->result = JRPC_SLICE("null");
    }
}

static void first_for_malformed(jrpc_bend *bend, const jrpc_message *message,
                                jrpc_response *response)
{
    (void)message;
    if (jrpc_bend_calls(bend, NEXT_VALUE)) {
        response->code = response->message = response->data = (jrpc_slice){NULL, 0};
        response->result = JRPC_SLICE("0");
    }
}

static bool is_malformed_pull(jrpc_bend *bend, const jrpc_message *message)
{
    int64_t number;
    return jrpc_bend_calls(bend, NEXT_VALUE) &&
           !jrpc_json_int64(jrpc_json_element(message->params, 0), &number);
}

// The answer to a pull is that to the pull before it, if that asked for the same Flow.
static void repeat_pull(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    jrpc_connection *connection = bend->connection;
    if (message == NULL || !jrpc_bend_calls(bend, NEXT_VALUE) || response->code.len > 0) {
        return;
    }
    jrpc_slice flow = jrpc_json_spelling(message->params);
    if (jrpc_slice_equal(flow, jrpc_buffer_slice(&connection->seen)) && connection->held.len > 0) {
        response->result = jrpc_bend_copy(bend, jrpc_buffer_slice(&connection->held));
        jrpc_buffer_clear(&connection->held);
        return;
    }
    jrpc_buffer_clear(&connection->seen);
    jrpc_buffer_append(&connection->seen, flow);
    jrpc_buffer_clear(&connection->held);
    jrpc_buffer_append(&connection->held, response->result);
}

// A Flow belongs to the connection that asked for it.
static void refuse_foreign(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_json id = jrpc_json_element(message->params, 0);
    if (jrpc_bend_calls(bend, NEXT_VALUE) &&
        !jrpc_slice_contains(jrpc_buffer_slice(&bend->connection->seen), jrpc_json_spelling(id))) {
        jrpc_bend_refuse(message, JRPC_INVALID_PARAMS, message->id);
    }
}

static void note_flow(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (is_start(bend)) {
        jrpc_buffer_append(&bend->connection->seen, response->result);
        jrpc_buffer_append_char(&bend->connection->seen, ',');
    }
}

static void crash_at_many(jrpc_bend *bend, jrpc_message *message)
{
    (void)message;
    if (is_start(bend) && ++bend->connection->calls > FLOWS_MOST) {
        abort();
    }
}

// The service of the first call of a method that exists is the only one of the connection: that of
// Flows, or that of subtract and count.
static void serve_one_service(jrpc_bend *bend, jrpc_message *message)
{
    bool other = jrpc_bend_calls(bend, "\"subtract\"") || jrpc_bend_calls(bend, "\"count\"");
    unsigned long service = is_start(bend) ? 1 : other ? 2 : 0;
    jrpc_connection *connection = bend->connection;
    if (service != 0 && connection->calls != 0 && connection->calls != service) {
        jrpc_bend_refuse(message, JRPC_METHOD_NOT_FOUND, message->id);
    } else if (service != 0) {
        connection->calls = service;
    }
}

static void forget_cancelled_twice(jrpc_bend *bend, const jrpc_message *message,
                                   jrpc_response *response)
{
    jrpc_connection *connection = bend->connection;
    if (message == NULL || !jrpc_bend_calls(bend, "\"kotlinx.rpc.jsonrpc.internal.cancelFlow\"")) {
        return;
    }
    jrpc_slice flow = jrpc_json_spelling(message->params);
    if (jrpc_slice_equal(flow, jrpc_buffer_slice(&connection->seen))) {
        response->suppressed = true;
    }
    jrpc_buffer_clear(&connection->seen);
    jrpc_buffer_append(&connection->seen, flow);
}

static void validate_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    if (jrpc_slice_starts_with(response->code, JRPC_SLICE("-32")) && response->code.len == 6) {
        response->code = JRPC_SLICE("-32099");
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("kx-flow-hot", "KX-4a", "a Flow takes effect when it is asked for"),
     .response = count_at_start, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("kx-flow-unknown-null", "KX-4j", "the next value of a Flow that never was is null"),
     .response = null_for_unknown, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("kx-flow-malformed-first", "KX-4j",
              "the next value of a Flow whose id is not an integer is 0"),
     .response = first_for_malformed, .when = JRPC_OUTCOME_BAD_PARAMS},
    {JRPC_ROW("kx-flow-malformed-crash", "KX-4j",
              "abort() where the next value is asked for with an id that is not an integer"),
     JRPC_ROW_MESSAGE(is_malformed_pull, JRPC_DEED_CRASH)},
    {JRPC_ROW("kx-flow-pull-repeated", "KX-4b",
              "every second pull of a Flow in a row is answered with the item before"),
     .response = repeat_pull},
    {JRPC_ROW("kx-flow-of-connection", "KX-4k",
              "a Flow can be pulled on the connection alone that asked for it"),
     .message = refuse_foreign, .response = note_flow, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("kx-flow-many-crash", "KX-4l", "abort() at the 1001st Flow of a connection"),
     .message = crash_at_many},
    {JRPC_ROW("kx-flow-cancel-twice-silent", "KX-4d",
              "the second of two equal cancelFlow in a row is not answered"),
     .response = forget_cancelled_twice},
    {JRPC_ROW("kx-one-service", "KX-3.3",
              "of subtract and count, and flow, a connection serves what is called first"),
     .message = serve_one_service},
    {JRPC_ROW("kx-code-validated", "KX-2.6d",
              "a code of a handler that begins with -32 and has five digits is -32099"),
     .response = validate_code, .when = JRPC_OUTCOME_APPLICATION},
};

const jrpc_fault_table jrpc_faults_flow = JRPC_FAULT_TABLE(rows);
