// Servers that follow a text beside the specification (--as NAME): each is a row made like a fault
// that comes before every fault. And the faults in following it.
#include "reference/server/bend.h"
#include "reference/server/ethereum.h"
#include "reference/server/lsp.h"
#include "reference/server/mcp.h"
#include "reference/server/openrpc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NEXT_VALUE "\"kotlinx.rpc.jsonrpc.internal.nextFlowValue\""
#define CANCEL_FLOW "\"kotlinx.rpc.jsonrpc.internal.cancelFlow\""
#define FAILURE                                                                                    \
    "{\"class\":\"java.lang.IllegalStateException\",\"message\":\"the handler failed\","           \
    "\"stackTrace\":[\"at reference.Fixture.fail(Fixture.kt:1)\"]}"

// kotlinx.rpc: an exception without a code of its own; and rpc.defined is a method, which the
// router, as the specification has it, does not take.
static void describe_failure(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    int64_t code;
    if (jrpc_json_int64(jrpc_bend_json(bend, response->code), &code) &&
        code == JRPC_METHOD_NOT_FOUND) {
        if (jrpc_bend_calls(bend, "\"rpc.defined\"")) {
            response->code = response->message = response->data = JRPC_SLICE("");
            response->result = JRPC_SLICE("null");
        }
        return;
    }
    jrpc_json said = jrpc_json_get(message->params, "message");
    said = jrpc_json_exists(said) ? said : jrpc_json_element(message->params, 0);
    bool says = jrpc_bend_calls(bend, "\"throw\"") && jrpc_json_is(said, JRPC_JSON_STRING);
    response->code = JRPC_SLICE("-32000");
    response->message = says ? jrpc_json_spelling(said) : JRPC_SLICE("\"the handler failed\"");
    response->data = JRPC_SLICE(FAILURE);
}

static void show_metrics(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (jrpc_bend_calls(bend, "\"rpc.serverInfo\"")) {
        response->code = response->message = response->data = JRPC_SLICE("");
        response->result = JRPC_SLICE("{\"methods\":[],\"metrics\":{\"rpc_requests\":1}}");
    }
}

static void refuse_null_id(jrpc_bend *bend, jrpc_message *message)
{
    (void)bend;
    if (jrpc_json_is(message->id, JRPC_JSON_NULL)) {
        jrpc_bend_refuse(message, JRPC_INVALID_REQUEST, JRPC_JSON_ABSENT);
    }
}

static bool is_batch(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)root;
    return kind == JRPC_INPUT_BATCH && !jrpc_mcp_errs(bend, "mcp-batches-served");
}

#if JRPC_HTTP
#define OVER_HTTP(request_, reply_) .http_request = request_, .http_reply = reply_
#else
#define OVER_HTTP(request_, reply_) .http_request = NULL
#endif

// The faults named PREFIX… are faults in it.
static const struct {
    const char *prefix;
    jrpc_fault row;
} habits[] = {
    {"jr-",
     {JRPC_ROW("jrpc2", "JR-a", "an empty batch is answered -32700"),
      JRPC_ROW_CODE(JRPC_OUTCOME_EMPTY_BATCH, "-32700")}},
    {"kd-",
     {JRPC_ROW("kotlin-design", "KD-5.2", "a null id is refused"), .message = refuse_null_id}},
    {"kx-",
     {JRPC_ROW("kotlinx-rpc", "KX-2.6a", "a failure is -32000 with class and stack trace"),
      .response = describe_failure, .when = JRPC_OUTCOME_FAILURE | JRPC_OUTCOME_UNKNOWN}},
    {"eth-",
     {JRPC_ROW("ethereum", "ETH-1a", "methods of a node of Ethereum, whose chain is empty"),
      .response = jrpc_ethereum_response, .when = JRPC_OUTCOME_UNKNOWN}},
    {"lsp-",
     {JRPC_ROW("lsp", "J2-6a", "no batches: they are dropped; initialize first, exit last"),
      JRPC_ROW_INPUT(is_batch, JRPC_DEED_DROP), .received = jrpc_lsp_received,
      .message = jrpc_lsp_message, .response = jrpc_lsp_response, .when = JRPC_OUTCOME_UNKNOWN}},
    {"or-",
     {JRPC_ROW("openrpc", "OR-1a", "rpc.discover describes some of the methods"),
      .response = jrpc_openrpc_response, .when = JRPC_OUTCOME_UNKNOWN}},
    {"mcp-",
     {JRPC_ROW("mcp", "J2-6a",
               "the Model Context Protocol with a handshake, 2025-11-25: no batches, null or "
               "fractional ids, params by position"),
      JRPC_ROW_INPUT(is_batch, JRPC_DEED_REFUSE), .message = jrpc_mcp_message,
      .response = jrpc_mcp_response, .when = JRPC_MCP_WHEN,
      OVER_HTTP(jrpc_mcp_http_request, jrpc_mcp_http_reply)}},
    {"mcp-2026-07-28-",
     {JRPC_ROW("mcp-2026-07-28", "J2-6a",
               "the same without a handshake: each request says in _meta what it speaks"),
      JRPC_ROW_INPUT(is_batch, JRPC_DEED_REFUSE), .message = jrpc_mcp_modern_message,
      .response = jrpc_mcp_modern_response, .when = JRPC_MCP_WHEN,
      OVER_HTTP(jrpc_mcp_modern_http_request, jrpc_mcp_modern_http_reply)}},
};

const jrpc_fault *jrpc_habit_find(const char *name)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        if (strcmp(habits[i].row.name, name) == 0) {
            return &habits[i].row;
        }
    }
    return NULL;
}

const jrpc_fault *jrpc_habit_of_fault(const char *fault)
{
    const jrpc_fault *found = NULL;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        if (strncmp(fault, habits[i].prefix, strlen(habits[i].prefix)) == 0) {
            found = &habits[i].row; // the longest prefix stands last
        }
    }
    return found;
}

static bool is_flow(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, "\"flow\"");
}

static bool is_next(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, NEXT_VALUE);
}

static bool is_cancel(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, CANCEL_FLOW);
}

// The result of the calls that the row is about passes through its function.
static void flow_result(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (bend->fault->is(bend, message)) {
        response->result = bend->fault->respell(bend, response->result);
    }
}

static jrpc_slice in_array(jrpc_bend *bend, jrpc_slice spelling)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_char(&out, '[');
    jrpc_buffer_append(&out, spelling);
    jrpc_buffer_append_char(&out, ']');
    return jrpc_buffer_slice(&out);
}

static jrpc_slice one_more(jrpc_bend *bend, jrpc_slice spelling)
{
    int64_t value = 0;
    char text[24];
    (void)jrpc_json_int64(jrpc_bend_json(bend, spelling), &value);
    (void)snprintf(text, sizeof text, "%" PRId64, value + 1);
    return jrpc_bend_copy(bend, jrpc_slice_str(text));
}

static jrpc_slice as_spelled(jrpc_bend *bend, jrpc_slice spelling)
{
    (void)spelling;
    return jrpc_slice_str(bend->fault->spelling);
}

static void flow_id_of_request(jrpc_bend *bend, const jrpc_message *message,
                               jrpc_response *response)
{
    if (message != NULL && is_flow(bend, message)) {
        response->result = jrpc_json_spelling(message->id);
    }
}

// Whether a flow came to its end: nextFlowValue was answered by the code of completion.
static bool is_end(const jrpc_bend *bend, const jrpc_response *response)
{
    return jrpc_bend_calls(bend, NEXT_VALUE) && jrpc_slice_is(response->code, "-32001");
}

static void end_with_null(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (is_end(bend, response)) {
        response->code = response->message = response->data = (jrpc_slice){NULL, 0};
        response->result = JRPC_SLICE("null");
    }
}

static void end_with_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (is_end(bend, response)) {
        response->code = jrpc_slice_str(bend->fault->spelling);
    }
}

static void own_error_as_end(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (jrpc_bend_calls(bend, NEXT_VALUE)) {
        response->code = JRPC_SLICE("-32001");
    }
}

static void cancel_ignored(jrpc_bend *bend, jrpc_message *message)
{
    if (is_cancel(bend, message)) {
        jrpc_bend_member(bend, message, "method", JRPC_SLICE("\"update\""));
    }
}

// All flows are the first one.
static void flows_mixed(jrpc_bend *bend, jrpc_message *message)
{
    if (is_next(bend, message)) {
        jrpc_bend_member(bend, message, "params", JRPC_SLICE("[1]"));
    }
}

static void push_values(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)response;
    if (is_flow(bend, message)) {
        (void)jrpc_connection_send(
            bend->connection,
            JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"flow.value\",\"params\":[0]}"));
    }
}

static bool is_context_call(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return jrpc_json_exists(jrpc_json_get(message->params, "<context0>"));
}

static bool calls_reserved(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, "\"rpc.defined\"");
}

static bool names_context(jrpc_bend *bend, const jrpc_message *message)
{
    return jrpc_bend_calls(bend, "\"context\"") && is_context_call(bend, message);
}

static void optional_demanded(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    if (jrpc_slice_is(call->method, "optional") && !jrpc_json_exists(call->arguments[1])) {
        *ok = false;
    }
}

static void optional_swapped(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    (void)ok;
    if (jrpc_slice_is(call->method, "optional") && jrpc_json_is(call->params, JRPC_JSON_OBJECT)) {
        jrpc_json first = call->arguments[0];
        call->arguments[0] = call->arguments[1];
        call->arguments[1] = first;
    }
}

// Codes beyond 32 bits keep their low ones.
static void code_int32(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    int64_t code;
    char text[24];
    (void)message;
    if (jrpc_json_int64(jrpc_bend_json(bend, response->code), &code)) {
        (void)snprintf(text, sizeof text, "%" PRId32, (int32_t)(uint32_t)(uint64_t)code);
        response->code = jrpc_bend_copy(bend, jrpc_slice_str(text));
    }
}

static void run_anyway(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    if (!*ok && jrpc_slice_is(call->method, "signed")) {
        atomic_fetch_add(&bend->connection->server->effects, 1);
    }
}

static bool calls_notification_method(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, "\"notify_hello\"");
}

static void serve_null_id(jrpc_bend *bend, jrpc_message *message)
{
    if (jrpc_json_is(message->id, JRPC_JSON_NULL)) {
        *message = jrpc_message_classify(message->value);
        bend->connection->method = jrpc_json_spelling(message->method);
    }
}

// Errors without an id go to the end of the Array.
static void anonymous_last(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    size_t kept = 0;
    jrpc_slice *last = jrpc_arena_array(bend->arena, reply->count + 1, sizeof *last);
    size_t last_count = 0;
    for (size_t i = 0; last != NULL && i < reply->count; i++) {
        jrpc_json id = jrpc_json_get(jrpc_bend_json(bend, reply->elements[i]), "id");
        if (jrpc_json_is(id, JRPC_JSON_NULL)) {
            last[last_count++] = reply->elements[i];
        } else {
            reply->elements[kept++] = reply->elements[i];
        }
    }
    for (size_t i = 0; i < last_count; i++) {
        reply->elements[kept++] = last[i];
    }
}

#define FLOW_RESULT(which, function)                                                               \
    .response = flow_result, .when = JRPC_OUTCOME_SUCCESS, .is = which, .respell = function

static const jrpc_fault rows[] = {
    {JRPC_ROW("jr-empty-batch-invalid-request", "JR-a", "an empty batch is answered -32600"),
     JRPC_ROW_CODE(JRPC_OUTCOME_EMPTY_BATCH, "-32600")},
    {JRPC_ROW("jr-anonymous-errors-last", "JR-b",
              "in a batch answer the errors with id null stand behind all others"),
     .batch = anonymous_last},
    {JRPC_ROW("kd-null-id-served", "KD-5.2", "a call with id null is served"),
     .message = serve_null_id},
    {JRPC_ROW("kd-code-int32", "KD-5.4", "the code of an error is reduced to 32 bits"),
     .response = code_int32, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("kd-notification-method-silent", "KD-7.1",
              "a call with an id of notify_hello is not answered"),
     JRPC_ROW_MESSAGE(calls_notification_method, JRPC_DEED_SILENCE)},
    {JRPC_ROW("kd-optional-demanded", "KD-7.2",
              "a parameter that may be left out is missed: -32602"),
     .bind = optional_demanded},
    {JRPC_ROW("kd-optional-swapped", "KD-7.2",
              "params of optional by name reach its handler the other way round"),
     .bind = optional_swapped},
    {JRPC_ROW("kd-invalid-params-run-handler", "KD-7.3",
              "a call of signed whose params do not fit takes effect before it is refused"),
     .bind = run_anyway},
    {JRPC_ROW("kx-notification-method-refused", "KX-2.1b",
              "a call with an id of notify_hello is answered -32600"),
     JRPC_ROW_MESSAGE(calls_notification_method, JRPC_DEED_REFUSE)},
    {JRPC_ROW("kx-reserved-name-refused", "KX-2.2",
              "a call of rpc.defined, which is a method, is answered -32600"),
     JRPC_ROW_MESSAGE(calls_reserved, JRPC_DEED_REFUSE)},
    {JRPC_ROW("kx-context-names-refused", "KX-2.3b",
              "params of context with a member <context0> are answered -32600"),
     JRPC_ROW_MESSAGE(names_context, JRPC_DEED_REFUSE)},
    {JRPC_ROW("jr-metrics-shown", "JR-e", "rpc.serverInfo gives the metrics of the server"),
     .response = show_metrics, .when = JRPC_OUTCOME_UNKNOWN},
    {JRPC_ROW("kx-failure-internal-error", "KX-2.6a", "a handler that fails gives -32603"),
     JRPC_ROW_CODE(JRPC_OUTCOME_FAILURE, "-32603")},
    {JRPC_ROW("kx-exception-message-lost", "KX-2.6b",
              "the message of an error that a handler has chosen is \"Server error\""),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_APPLICATION, message, "\"Server error\"")},
    {JRPC_ROW("kx-plain-message-lost", "KX-2.6b",
              "the message of a handler that fails without a code is \"Internal error\""),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_FAILURE, message, "\"Internal error\"")},
    {JRPC_ROW("kx-failure-data-missing", "KX-2.6c", "a handler that fails gives no data"),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_FAILURE, data, "")},
    {JRPC_ROW("kx-failure-data-empty", "KX-2.6c", "a handler that fails gives \"data\": {}"),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_FAILURE, data, "{}")},
    {JRPC_ROW("kx-failure-data-null", "KX-2.6c", "a handler that fails gives \"data\": null"),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_FAILURE, data, "null")},
    {JRPC_ROW("kx-failure-data-text", "KX-2.6c",
              "a handler that fails gives its message as data, without class and trace"),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_FAILURE, data, "{\"message\":\"the handler failed\"}")},
    {JRPC_ROW("kx-failure-data-class-only", "KX-2.6e",
              "a handler that fails gives the class of the exception alone"),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_FAILURE, data,
                     "{\"class\":\"java.lang.IllegalStateException\"}")},
    {JRPC_ROW("kx-flow-id-in-array", "KX-4a", "flow gives its id within an Array"),
     FLOW_RESULT(is_flow, in_array)},
    {JRPC_ROW("kx-flow-null", "KX-4a", "flow gives null"), FLOW_RESULT(is_flow, as_spelled),
     .spelling = "null"},
    {JRPC_ROW("kx-flow-value-skipped", "KX-4b", "nextFlowValue gives 1, 2, 3"),
     FLOW_RESULT(is_next, one_more)},
    {JRPC_ROW("kx-flow-value-repeated", "KX-4b", "nextFlowValue gives 0 until the end"),
     FLOW_RESULT(is_next, as_spelled), .spelling = "0"},
    {JRPC_ROW("kx-flow-value-in-array", "KX-4b", "nextFlowValue gives its item within an Array"),
     FLOW_RESULT(is_next, in_array)},
    {JRPC_ROW("kx-flow-end-null", "KX-4c", "the end of a flow is \"result\": null"),
     .response = end_with_null},
    {JRPC_ROW("kx-flow-end-server-error", "KX-4c", "the end of a flow is -32000"),
     .response = end_with_code, .spelling = "-32000"},
    {JRPC_ROW("kx-flow-cancel-silent", "KX-4d", "cancelFlow is not answered"),
     JRPC_ROW_MESSAGE(is_cancel, JRPC_DEED_SILENCE)},
    {JRPC_ROW("kx-flow-cancel-ignored", "KX-4d", "a cancelled flow gives its items all the same"),
     .message = cancel_ignored},
    {JRPC_ROW("kx-flow-id-shared", "KX-4e", "the id of every flow is 1"),
     FLOW_RESULT(is_flow, as_spelled), .spelling = "1"},
    {JRPC_ROW("kx-flow-id-of-request", "KX-4e", "the id of a flow is that of the request for it"),
     .response = flow_id_of_request, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("kx-flows-mixed", "KX-4f", "nextFlowValue takes the items of the first flow always"),
     .message = flows_mixed},
    {JRPC_ROW("kx-flow-error-as-end", "KX-4g", "an error of the flow itself is -32001"),
     .response = own_error_as_end, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("kx-flow-value-pushed", "KX-4h", "flow sends its first item before it is asked for"),
     .response = push_values, .when = JRPC_OUTCOME_SUCCESS},
};

const jrpc_fault_table jrpc_faults_profile = JRPC_FAULT_TABLE(rows);
