#include "fuzz/session/results.h"

#include "reference/json/read.h"

enum { SENT_BYTES = 1 << 14, RESULT_BYTES = 1 << 16, DEPTH = 64 };

// In a text, # is the id of the call.
#define TAIL(verb, status)                                                                         \
    "\"verb\":\"" verb "\",\"result\":{\"status\":\"" status "\"},\"request_id\":#}"
#define MESSAGE(verb, status)                                                                      \
    "{\"jsonrpc\":\"2.0\",\"method\":\"r.s." verb                                                  \
    "\",\"resource\":\"r\",\"subresource\":\"s\"," TAIL(verb, status)
#define YIELD MESSAGE("yield", "pending")
#define RETURN MESSAGE("return", "done")

static const struct sequence {
    const char *rule; // the one that the last message breaks
    const char *messages[3];
} sequences[] = {
    {NULL, {YIELD, RETURN}},
    {NULL, {MESSAGE("yield", "accepted"), YIELD, MESSAGE("return", "error")}},
    {NULL, {RETURN}},
    {"RO-19b", {YIELD, "{\"jsonrpc\":\"2.0\",\"method\":\"r.return\"," TAIL("return", "done")}},
    {"RO-19b",
     {YIELD,
      "{\"jsonrpc\":\"2.0\",\"resource\":1,\"method\":\"r.return\"," TAIL("return", "done")}},
    {"RO-19b",
     {"{\"jsonrpc\":\"2.0\",\"resource\":\"r\",\"method\":\"q.return\"," TAIL("return", "done")}},
    {"RO-19b",
     {"{\"jsonrpc\":\"2.0\",\"id\":9,\"resource\":\"r\",\"method\":\"r.yield\"," TAIL("yield",
                                                                                      "pending")}},
    {"RO-19b",
     {"{\"jsonrpc\":\"2.0\",\"resource\":\"r\",\"method\":\"r.yield\",\"result\":{"
      "\"status\":\"pending\"},\"request_id\":#}"}},
    {"RO-19b",
     {"{\"jsonrpc\":\"2.0\",\"resource\":\"r\",\"method\":\"r.yield\",\"verb\":\"yield\","
      "\"request_id\":#}"}},
    {"RO-19c", {YIELD, MESSAGE("return", "Done")}},
    {"RO-19c", {MESSAGE("yield", "working")}},
    {"RO-19i", {YIELD, MESSAGE("return", "pending")}},
    {"RO-19i", {MESSAGE("yield", "done")}},
    {"RO-19e",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"r.return\",\"resource\":\"r\",\"verb\":"
      "\"return\",\"result\":{\"status\":\"done\"},\"request_id\":[#]}"}},
    {"RO-19e",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"r.return\",\"resource\":\"r\",\"verb\":"
      "\"return\",\"result\":{\"status\":\"done\"},\"request_id\":\"no id of ours\"}"}},
    {"RO-19d", {YIELD, RETURN, YIELD}},
    {"RO-19d", {RETURN, RETURN}},
    {"RO-19d", {MESSAGE("yield", "error"), YIELD}},
    {"RO-19d", {MESSAGE("yield", "done"), RETURN}},
};
enum { SEQUENCES = sizeof sequences / sizeof *sequences, MESSAGES = 3 };

bool results_is_rule(jrpc_slice rule)
{
    static const char *const rules[] = {"RO-19b", "RO-19c", "RO-19d", "RO-19e", "RO-19i"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (jrpc_slice_is(rule, rules[i])) {
            return true;
        }
    }
    return false;
}

// The id of a call: of a text, or of the first element of a batch that has one.
static bool put_id(jrpc_slice sent, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool is_read = jrpc_json_read(&document, sent, DEPTH, NULL);
    jrpc_json root = is_read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT;
    jrpc_json_iterator elements =
        jrpc_json_iterate(jrpc_json_is(root, JRPC_JSON_ARRAY) ? root : JRPC_JSON_ABSENT);
    jrpc_json id = jrpc_json_get(root, "id");
    while (!jrpc_json_exists(id) && jrpc_json_step(&elements)) {
        id = jrpc_json_get(elements.value, "id");
    }
    bool usable = jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER);
    bool put = usable && jrpc_buffer_append(out, jrpc_json_spelling(id));
    jrpc_json_document_done(&document);
    return put;
}

static void add(exchange *e, size_t step, const char *text, jrpc_slice id, bool elsewhere)
{
    jrpc_buffer bytes;
    jrpc_buffer_init(&bytes, jrpc_allocator_heap(), RESULT_BYTES);
    const char *mark = strchr(text, '#');
    size_t before = mark == NULL ? strlen(text) : (size_t)(mark - text);
    jrpc_buffer_append(&bytes, jrpc_slice_of(text, before));
    if (mark != NULL) {
        jrpc_buffer_append(&bytes, id);
        jrpc_buffer_append_str(&bytes, mark + 1);
    }
    jck_message message = exchange_answer(e, step, jrpc_buffer_slice(&bytes));
    message.connection = elsewhere ? 'z' : message.connection;
    exchange_add(e, &message);
    jrpc_buffer_done(&bytes);
}

bool results_play(exchange *e, unsigned choice, const char **ret_rule)
{
    const struct sequence *played = &sequences[choice % SEQUENCES];
    size_t steps = e->test_case->step_count;
    jrpc_buffer id;
    bool called = false;
    bool waits = false;
    jrpc_buffer_init(&id, jrpc_allocator_heap(), SENT_BYTES);
    for (size_t i = 0; i < steps; i++) {
        waits = waits || e->test_case->steps[i].kind == JCK_STEP_RECEIVE;
        called = (exchange_send(e, i, SENT_BYTES) && !called && put_id(exchange_sent(e, i), &id)) ||
                 called;
    }
    called = called && jrpc_slice_starts_with(e->test_case->suite, JRPC_SLICE("ro-jrpc-"));
    for (size_t i = 0; called && i < MESSAGES && played->messages[i] != NULL; i++) {
        add(e, steps - 1, played->messages[i], jrpc_buffer_slice(&id), choice / SEQUENCES % 2 != 0);
    }
    // Where results are waited for, more is asked of them than that they are right.
    bool asks = waits || results_is_rule(e->test_case->rules[0]);
    // A case before may have sent a request of any id, and not have waited for its results.
    bool may_be_late = !waits && strchr(played->messages[0], '#') == NULL;
    *ret_rule = may_be_late ? NULL : played->rule;
    jrpc_buffer_done(&id);
    return called && !(asks && *ret_rule == NULL);
}
