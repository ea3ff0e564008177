#include "reference/server/ethereum.h"

#include "reference/json/scan.h"
#include "reference/server/keccak.h"
#include "reference/server/mcp.h"

#define SUBSCRIPTION "\"0x9ce59a13059e417087c02d3236a0b1cc\""

// One call of a method of the chain.
typedef struct asked {
    jrpc_bend *bend;
    const jrpc_message *message;
    jrpc_response *response;
} asked;

static bool errs(const asked *now, const char *fault)
{
    return jrpc_mcp_errs(now->bend, fault);
}

static void give(const asked *now, const char *result)
{
    now->response->code = now->response->message = now->response->data = (jrpc_slice){NULL, 0};
    now->response->result = jrpc_slice_str(result);
}

static void refuse(const asked *now, const char *code, const char *message)
{
    now->response->code = jrpc_slice_str(code);
    now->response->message = jrpc_slice_str(message);
}

// Data: "0x" and two digits for each byte. False for anything else.
static bool read_data(jrpc_bend *bend, jrpc_json value, jrpc_slice *ret_bytes)
{
    jrpc_slice text;
    jrpc_buffer bytes = jrpc_bend_buffer(bend);
    if (!jrpc_json_string(value, bend->arena, &text) ||
        !jrpc_slice_starts_with(text, JRPC_SLICE("0x")) || text.len % 2 != 0) {
        return false;
    }
    for (size_t i = 2; i < text.len; i += 2) {
        int byte = jrpc_scan_hex_pair(text.ptr + i);
        if (byte < 0) {
            return false;
        }
        (void)jrpc_buffer_append_char(&bytes, (char)byte);
    }
    *ret_bytes = jrpc_buffer_slice(&bytes);
    return true;
}

static void refuse_params(const asked *now)
{
    if (errs(now, "eth-bad-params-internal-error")) {
        refuse(now, "-32603", "\"Internal error\"");
    } else {
        refuse(now, "-32602", "\"Invalid params\"");
    }
}

static void hash(const asked *now)
{
    jrpc_slice bytes;
    uint8_t sum[JRPC_KECCAK_BYTES];
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    if (!read_data(now->bend, jrpc_json_element(now->message->params, 0), &bytes)) {
        refuse_params(now);
        return;
    }
    jrpc_keccak_256(bytes, errs(now, "eth-sha3-of-fips-202") ? 0x06 : JRPC_KECCAK_PADDING, sum);
    (void)jrpc_buffer_append_str(&out, "\"0x");
    for (size_t i = 0; i < sizeof sum; i++) {
        (void)jrpc_buffer_printf(&out, "%02x", sum[i]);
    }
    (void)jrpc_buffer_append_str(&out, "\"");
    give(now, "");
    now->response->result = jrpc_buffer_slice(&out);
}

static void give_chain(const asked *now)
{
    give(now, errs(now, "eth-quantity-number")   ? "1337"
              : errs(now, "eth-quantity-padded") ? "\"0x0539\""
                                                 : "\"0x539\"");
}

static void give_height(const asked *now)
{
    give(now, errs(now, "eth-zero-empty") ? "\"0x\"" : "\"0x0\"");
}

static void give_capabilities(const asked *now)
{
    give(now, errs(now, "eth-capabilities-object") ? "{\"engine_newPayloadV1\":true}"
              : errs(now, "eth-capabilities-of-itself")
                  ? "[\"engine_newPayloadV1\",\"engine_exchangeCapabilities\"]"
                  : "[\"engine_newPayloadV1\"]");
}

// Whether the first param is an address, and so the call one that can be answered.
static bool has_address(const asked *now)
{
    enum { ADDRESS_BYTES = 20 };
    jrpc_slice address;
    bool has = read_data(now->bend, jrpc_json_element(now->message->params, 0), &address) &&
               address.len == ADDRESS_BYTES;
    if (!has) {
        refuse_params(now);
    }
    return has;
}

static void give_balance(const asked *now)
{
    if (has_address(now)) {
        give(now, errs(now, "eth-balance-padded") ? "\"0x00\"" : "\"0x0\"");
    }
}

static void give_count(const asked *now)
{
    if (has_address(now)) {
        give_height(now);
    }
}

#define SLOT "\"0x0000000000000000000000000000000000000000000000000000000000000000\""

static void give_code(const asked *now)
{
    if (has_address(now)) {
        give(now, errs(now, "eth-code-half-byte") ? "\"0x0\"" : "\"0x\"");
    }
}

static void give_slot(const asked *now)
{
    if (has_address(now)) {
        give(now, errs(now, "eth-storage-half-byte") ? "\"0x0\"" : SLOT);
    }
}

// The answer to a question about something that is not in the chain.
static void find_nothing(const asked *now)
{
    if (errs(now, "eth-unknown-refused")) {
        refuse(now, "-32001", "\"Resource not found\"");
    } else {
        give(now, errs(now, "eth-unknown-empty") ? "{}" : "null");
    }
}

// The genesis block. It has no transactions, unless a fault needs one.
static void give_block(const asked *now)
{
    jrpc_slice number;
    bool whole = jrpc_json_is(jrpc_json_element(now->message->params, 1), JRPC_JSON_TRUE);
    jrpc_buffer out = jrpc_bend_buffer(now->bend);
    if (jrpc_json_string(jrpc_json_element(now->message->params, 0), now->bend->arena, &number) &&
        jrpc_slice_starts_with(number, JRPC_SLICE("0x7"))) {
        find_nothing(now);
        return;
    }
    (void)jrpc_buffer_printf(
        &out,
        "{\"number\":%s,\"gasLimit\":\"0x1c9c380\",\"gasUsed\":\"0x0\",\"timestamp\":\"0x0\","
        "\"hash\":" SLOT ",\"parentHash\":" SLOT ",\"extraData\":%s,\"size\":%s,"
        "\"transactions\":[%s]}",
        errs(now, "eth-block-number-number") ? "0" : "\"0x0\"",
        errs(now, "eth-block-extra-half-byte") ? "\"0x0\"" : "\"0x\"",
        errs(now, "eth-block-size-padded") ? "\"0x0200\"" : "\"0x200\"",
        whole && errs(now, "eth-transaction-nonce-number") ? "{\"hash\":" SLOT
                                                             ",\"input\":\"0x\",\"nonce\":7}"
                                                           : "");
    give(now, "");
    now->response->result = jrpc_buffer_slice(&out);
}

// No hash is in the chain.
static void find(const asked *now)
{
    jrpc_slice name;
    if (!read_data(now->bend, jrpc_json_element(now->message->params, 0), &name) ||
        name.len != JRPC_KECCAK_BYTES) {
        refuse_params(now);
    } else {
        find_nothing(now);
    }
}

static bool can_push(const jrpc_connection *connection)
{
    return !connection->one_answer;
}

static void subscribe(const asked *now)
{
    if (!can_push(now->bend->connection)) {
        refuse(now, "-32601", "\"Method not found\"");
        return;
    }
    now->bend->connection->tainted = true;
    give(now, errs(now, "eth-subscription-number") ? "1" : SUBSCRIPTION);
}

static void unsubscribe(const asked *now)
{
    bool subscribed = now->bend->connection->tainted;
    now->bend->connection->tainted = errs(now, "eth-push-after-end");
    give(now, errs(now, "eth-unsubscribe-null") ? "null" : subscribed ? "true" : "false");
}

// A method is served by a function, or it always gives `result`, and `otherwise` under the fault.
static const struct {
    const char *method;
    void (*serve)(const asked *now);
    const char *result, *fault, *otherwise;
} methods[] = {
    {"web3_clientVersion", NULL, "\"jrpc-reference/v1/linux/c17\"", "eth-client-version-object",
     "{\"name\":\"jrpc-reference\"}"},
    {"net_version", NULL, "\"1337\"", "eth-net-version-number", "1337"},
    {"eth_syncing", NULL, "false", "eth-syncing-null", "null"},
    {"net_listening", NULL, "true", "eth-listening-text", "\"true\""},
    {"eth_accounts", NULL, "[]", "eth-accounts-null", "null"},
    {"eth_getLogs", NULL, "[]", "eth-no-logs-null", "null"},
    {"web3_sha3", .serve = hash},
    {"eth_chainId", .serve = give_chain},
    {"eth_blockNumber", .serve = give_height},
    {"eth_gasPrice", .serve = give_height},
    {"eth_getBalance", .serve = give_balance},
    {"eth_getTransactionCount", .serve = give_count},
    {"eth_getStorageAt", .serve = give_slot},
    {"eth_getBlockByNumber", .serve = give_block},
    {"eth_getBlockByHash", .serve = find},
    {"engine_exchangeCapabilities", .serve = give_capabilities},
    {"eth_getTransactionByHash", .serve = find},
    {"eth_getTransactionReceipt", .serve = find},
    {"eth_maxPriorityFeePerGas", .serve = give_height},
    {"eth_blobBaseFee", .serve = give_height},
    {"eth_getBlockTransactionCountByNumber", .serve = give_height},
    {"eth_getUncleCountByBlockNumber", .serve = give_height},
    {"net_peerCount", .serve = give_height},
    {"eth_getCode", .serve = give_code},
    {"eth_getTransactionByBlockNumberAndIndex", .serve = find_nothing},
    {"eth_subscribe", .serve = subscribe},
    {"eth_unsubscribe", .serve = unsubscribe},
};

enum { METHODS = sizeof methods / sizeof methods[0] };

// A head beside each answer, as one of a chain that grows, while somebody is subscribed.
static void push_head(const asked *now)
{
    jrpc_connection *connection = now->bend->connection;
    jrpc_buffer head = jrpc_bend_buffer(now->bend);
    if (!connection->tainted) {
        return;
    }
    (void)jrpc_buffer_printf(
        &head,
        "{\"jsonrpc\":\"2.0\",%s\"method\":\"eth_subscription\",\"params\":{\"subscription\":%s%s}"
        "}",
        errs(now, "eth-push-with-id") ? "\"id\":1," : "",
        errs(now, "eth-push-of-another") ? "\"0x1\"" : SUBSCRIPTION,
        errs(now, "eth-push-without-result") ? "" : ",\"result\":{\"number\":\"0x0\"}");
    jrpc_bend_put_record(&connection->later, jrpc_buffer_slice(&head));
}

void jrpc_ethereum_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    const asked now = {bend, message, response};
    size_t index = 0;
    if (message == NULL || message->kind != JRPC_MESSAGE_CALL) {
        return;
    }
    while (index < METHODS && !jrpc_mcp_calls(message, methods[index].method)) {
        index++;
    }
    if (index == METHODS) {
        return;
    }
    // Under the fault, what a message asks first is what all of it is answered with.
    if (bend->connection->marks == 0) {
        bend->connection->marks = (unsigned)index + 1;
    } else if (errs(&now, "eth-batch-results-shared")) {
        index = bend->connection->marks - 1;
    }
    if (methods[index].serve != NULL) {
        methods[index].serve(&now);
    } else {
        give(&now,
             errs(&now, methods[index].fault) ? methods[index].otherwise : methods[index].result);
    }
    push_head(&now);
}
