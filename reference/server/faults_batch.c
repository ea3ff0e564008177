// Faults in batches: section 6 of the specification.
#include "reference/json/equal.h"
#include "reference/server/bend.h"

#include <stdlib.h>

enum { BATCH_LIMIT = 100, WIDE = 1000, LONG_TEXT = 65536 };

#define ERROR_TEXT(code, message)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" code ",\"message\":\"" message "\"},\"id\":null}"
#define PARSE_ERROR ERROR_TEXT("-32700", "Parse error")
#define INVALID_REQUEST ERROR_TEXT("-32600", "Invalid Request")

static bool is_batch(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)root;
    return kind == JRPC_INPUT_BATCH;
}

static bool is_empty(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)root;
    return kind == JRPC_INPUT_EMPTY_BATCH;
}

static bool has_index(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)kind;
    return jrpc_json_is(root, JRPC_JSON_OBJECT) && jrpc_json_exists(jrpc_json_get(root, "0"));
}

static bool is_broken_batch(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)root;
    return kind == JRPC_INPUT_PARSE_ERROR &&
           jrpc_slice_starts_with(jrpc_bend_trim(bend->exchange->input), JRPC_SLICE("["));
}

static bool has_invalid_element(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    bool found = false;
    jrpc_json_iterator it = jrpc_json_iterate(root);
    while (kind == JRPC_INPUT_BATCH && !found && jrpc_json_step(&it)) {
        found = jrpc_message_classify(it.value).kind == JRPC_MESSAGE_INVALID;
    }
    return found;
}

static bool is_wide(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)kind;
    for (uint32_t i = 0; jrpc_json_exists(root) && i < root.document->count; i++) {
        const jrpc_json_node *node = &root.document->nodes[i];
        if ((node->kind == JRPC_JSON_ARRAY || node->kind == JRPC_JSON_OBJECT) &&
            node->count > WIDE) {
            return true;
        }
    }
    return false;
}

static bool is_long(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)root;
    (void)kind;
    return bend->exchange->input.len > LONG_TEXT;
}

static bool is_invalid_object(jrpc_bend *bend, const jrpc_message *message)
{
    return bend->exchange->in_batch && message->kind == JRPC_MESSAGE_INVALID &&
           jrpc_json_is(message->value, JRPC_JSON_OBJECT);
}

static bool is_nested(jrpc_bend *bend, const jrpc_message *message)
{
    return bend->exchange->in_batch && jrpc_json_is(message->value, JRPC_JSON_ARRAY);
}

// Rewrites a batch: elements after the row's number are left out, nested Arrays are dissolved if
// that number is 0.
static void rewrite_batch(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_json root = jrpc_bend_json(bend, *text);
    size_t most = (size_t)bend->fault->number;
    if (!jrpc_json_is(root, JRPC_JSON_ARRAY) || jrpc_json_count(root) == 0 ||
        (most > 0 && jrpc_json_count(root) <= most)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
        bool dissolve = most == 0 && jrpc_json_is(it.value, JRPC_JSON_ARRAY);
        jrpc_slice spelling = jrpc_json_spelling(it.value);
        spelling = dissolve ? jrpc_slice_of(spelling.ptr + 1, spelling.len - 2) : spelling;
        if ((most > 0 && count >= most) || (dissolve && jrpc_json_count(it.value) == 0)) {
            continue;
        }
        jrpc_buffer_append_char(&out, count++ == 0 ? '[' : ',');
        jrpc_buffer_append(&out, spelling);
    }
    jrpc_buffer_append_str(&out, count == 0 ? "[]" : "]");
    *text = jrpc_buffer_slice(&out);
}

static void answer_apart(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    for (size_t i = 0; i < reply->count; i++) {
        (void)jrpc_connection_send(bend->connection, reply->elements[i]);
    }
    reply->count = 0;
}

static void first_only(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    reply->count = reply->count > 1 ? 1 : reply->count;
    reply->bare = true;
}

static void bare_if_one(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    reply->bare = reply->requested == 1;
}

static void drop_last(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    reply->count -= reply->count >= 2 ? 1 : 0;
}

static int64_t code_of(jrpc_bend *bend, jrpc_slice element)
{
    int64_t code = 0;
    (void)jrpc_json_int64(
        jrpc_json_pointer(jrpc_bend_json(bend, element), JRPC_SLICE("/error/code")), &code);
    return code;
}

static void drop_errors(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    bool success = false;
    for (size_t i = 0; i < reply->count; i++) {
        success = success || jrpc_json_exists(
                                 jrpc_json_get(jrpc_bend_json(bend, reply->elements[i]), "result"));
    }
    size_t kept = 0;
    for (size_t i = 0; i < reply->count; i++) {
        if (!success || code_of(bend, reply->elements[i]) != JRPC_METHOD_NOT_FOUND) {
            reply->elements[kept++] = reply->elements[i];
        }
    }
    reply->count = kept;
}

static void answer_silence(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    if (reply->count == 0) {
        bend->connection->replacement = jrpc_slice_str(bend->fault->spelling);
    }
}

static void mark_notification(jrpc_bend *bend, jrpc_message *message)
{
    if (bend->exchange->in_batch && message->kind == JRPC_MESSAGE_NOTIFICATION) {
        message->reply_owed = true;
    }
}

// An element that the batch hook fills in: it is written as {}, which no Response is.
static void leave_blank(jrpc_response *response)
{
    *response = (jrpc_response){.suppressed = false};
}

static void blank_notification(jrpc_bend *bend, const jrpc_message *message,
                               jrpc_response *response)
{
    if (bend->exchange->in_batch && message->kind == JRPC_MESSAGE_NOTIFICATION) {
        leave_blank(response);
    }
}

static void fill_null(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    for (size_t i = 0; i < reply->count; i++) {
        if (jrpc_slice_is(reply->elements[i], "{}")) {
            reply->elements[i] = JRPC_SLICE("null");
        }
    }
}

static void blank_nested(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (message != NULL && is_nested(bend, message)) {
        leave_blank(response);
    }
}

static void recurse(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    const jrpc_server *server = bend->connection->server;
    jrpc_json root = jrpc_bend_json(bend, bend->exchange->input);
    jrpc_json_iterator it = jrpc_json_iterate(root);
    size_t kept = 0;
    for (size_t i = 0; i < reply->count; i++) {
        jrpc_slice element = reply->elements[i];
        bool more = jrpc_slice_is(element, "{}");
        while (more && (more = jrpc_json_step(&it)) && !jrpc_json_is(it.value, JRPC_JSON_ARRAY)) {
        }
        if (more) {
            jrpc_buffer out = jrpc_bend_buffer(bend);
            (void)jrpc_router_handle(server->router, jrpc_json_spelling(it.value),
                                     server->max_depth, bend->connection, &out, NULL);
            element = jrpc_buffer_slice(&out);
        }
        if (element.len > 0) {
            reply->elements[kept++] = element;
        }
    }
    reply->count = kept;
}

static void invalid_once(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (bend->exchange->in_batch) {
        response->id = JRPC_SLICE("null");
        response->suppressed = bend->connection->marks++ > 0;
    }
}

static void invalid_as_parse_error(jrpc_bend *bend, const jrpc_message *message,
                                   jrpc_response *response)
{
    (void)message;
    if (bend->exchange->in_batch) {
        response->code = JRPC_SLICE("-32700");
    }
}

static bool is_aborted(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return bend->exchange->in_batch && bend->connection->marks > 0;
}

static void abort_batch(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    (void)response;
    bend->connection->marks++;
}

static void abort_on_invalid(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (!jrpc_slice_is(response->code, "-32601")) {
        abort_batch(bend, message, response);
    }
}

static void drop_third(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    reply->count = reply->count > 2 ? 2 : reply->count;
}

static void fail_all(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    jrpc_slice error = {NULL, 0};
    for (size_t i = 0; i < reply->count && error.len == 0; i++) {
        error =
            jrpc_json_spelling(jrpc_json_get(jrpc_bend_json(bend, reply->elements[i]), "error"));
    }
    for (size_t i = 0; i < reply->count && error.len > 0; i++) {
        jrpc_json element = jrpc_bend_json(bend, reply->elements[i]);
        jrpc_response response = {.version = JRPC_SLICE("\"2.0\""),
                                  .error = error,
                                  .id = jrpc_json_spelling(jrpc_json_get(element, "id"))};
        jrpc_buffer out = jrpc_bend_buffer(bend);
        if (jrpc_response_write(&out, &response)) {
            reply->elements[i] = jrpc_buffer_slice(&out);
        }
    }
}

static void merge_same_ids(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    jrpc_json *ids = jrpc_arena_array(bend->arena, reply->count + 1, sizeof *ids);
    size_t kept = 0;
    for (size_t i = 0; ids != NULL && i < reply->count; i++) {
        ids[i] = jrpc_json_get(jrpc_bend_json(bend, reply->elements[i]), "id");
    }
    for (size_t i = 0; ids != NULL && i < reply->count; i++) {
        bool again = false;
        for (size_t j = i + 1; j < reply->count && !again; j++) {
            again = !jrpc_json_is(ids[i], JRPC_JSON_NULL) && jrpc_json_equal(ids[i], ids[j]);
        }
        if (again && bend->fault->deed == JRPC_DEED_CRASH) {
            abort();
        }
        if (!again) {
            reply->elements[kept++] = reply->elements[i];
        }
    }
    reply->count = kept;
}

// Runs the first element of a broken batch that is complete.
static void run_first(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind)
{
    jrpc_slice text = bend->exchange->input;
    if (!is_broken_batch(bend, root, *kind)) {
        return;
    }
    while (text.ptr[0] != '{' && text.len > 1) {
        text = jrpc_slice_from(text, 1);
    }
    for (size_t end = 1; end <= text.len; end++) {
        jrpc_slice element = jrpc_slice_of(text.ptr, end);
        if (text.ptr[end - 1] == '}' && jrpc_json_exists(jrpc_bend_json(bend, element))) {
            jrpc_buffer out = jrpc_bend_buffer(bend);
            (void)jrpc_router_handle(bend->connection->server->router, element,
                                     bend->connection->server->max_depth, bend->connection, &out,
                                     NULL);
            return;
        }
    }
}

#define INVALID JRPC_OUTCOME_INVALID

static void lose_of_null_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)response;
    if (bend->exchange->in_batch && jrpc_json_is(message->id, JRPC_JSON_NULL)) {
        bend->connection->withhold = true;
    }
}

static void spell_code_in_batch(jrpc_bend *bend, const jrpc_message *message,
                                jrpc_response *response)
{
    (void)message;
    if (bend->exchange->in_batch) {
        response->code = jrpc_slice_str(bend->fault->spelling);
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("batch-answered-separately", "J2-6a",
              "each Response of a batch is a message of its own, without the Array"),
     .batch = answer_apart},
    {JRPC_ROW("batch-first-only", "J2-6a",
              "only the first Response of a batch is sent, as a bare Object"),
     .batch = first_only},
    {JRPC_ROW("batch-refused", "J2-6a", "a batch is answered by one -32600 with id null"),
     JRPC_ROW_INPUT(is_batch, JRPC_DEED_REFUSE)},
    {JRPC_ROW("batch-refused-parse-error", "J2-6a",
              "a batch is answered by one -32700 with id null"),
     JRPC_ROW_INPUT(is_batch, JRPC_DEED_PARSE_ERROR)},
    {JRPC_ROW("batch-silent", "J2-6a", "a batch is answered by nothing"),
     JRPC_ROW_INPUT(is_batch, JRPC_DEED_SILENCE)},
    {JRPC_ROW("batch-crash", "J2-6a", "abort() on a batch"),
     JRPC_ROW_INPUT(is_batch, JRPC_DEED_CRASH)},
    {JRPC_ROW("batch-last-call-dropped", "J2-6b",
              "the last Response is left out where there are two or more"),
     .batch = drop_last},
    {JRPC_ROW("batch-error-dropped", "J2-6b",
              "Responses that carry an error of code -32601 are left out of the Array where a "
              "successful one is in it"),
     .batch = drop_errors},
    {JRPC_ROW("batch-empty-answered-with-array", "J2-6d", "the empty batch is answered by []"),
     JRPC_ROW_INPUT(is_empty, JRPC_DEED_ANSWER), .spelling = "[]"},
    {JRPC_ROW("batch-empty-error-in-array", "J2-6d",
              "the empty batch is answered by an Array with the -32600 Response in it"),
     JRPC_ROW_INPUT(is_empty, JRPC_DEED_ANSWER), .spelling = "[" INVALID_REQUEST "]"},
    {JRPC_ROW("batch-empty-parse-error", "J2-6d", "the empty batch is answered by -32700"),
     JRPC_ROW_INPUT(is_empty, JRPC_DEED_PARSE_ERROR)},
    {JRPC_ROW("batch-empty-silent", "J2-6d", "the empty batch is answered by nothing"),
     JRPC_ROW_INPUT(is_empty, JRPC_DEED_SILENCE)},
    {JRPC_ROW("batch-empty-crash", "J2-6d", "abort() on the empty batch"),
     JRPC_ROW_INPUT(is_empty, JRPC_DEED_CRASH)},
    {JRPC_ROW(
         "batch-by-index", "J2-5a",
         "an Object with a member \"0\" is taken for a batch, and answered by an Array with the "
         "-32600 Response in it"),
     JRPC_ROW_INPUT(has_index, JRPC_DEED_ANSWER), .spelling = "[" INVALID_REQUEST "]"},
    {JRPC_ROW("batch-parse-error-in-array", "J2-6e",
              "a parse error of a text whose first byte that is no white space is [ is answered by "
              "an Array with the -32700 Response in it"),
     JRPC_ROW_INPUT(is_broken_batch, JRPC_DEED_ANSWER), .spelling = "[" PARSE_ERROR "]"},
    {JRPC_ROW("batch-parse-error-recovered", "J2-6e",
              "a parse error of a text that begins with [ is answered by an Array of two -32700 "
              "Responses"),
     JRPC_ROW_INPUT(is_broken_batch, JRPC_DEED_ANSWER),
     .spelling = "[" PARSE_ERROR "," PARSE_ERROR "]"},
    {JRPC_ROW("batch-of-notifications-answered", "J2-6f",
              "a batch of notifications only is answered by []"),
     .batch = answer_silence, .spelling = "[]"},
    {JRPC_ROW("batch-of-notifications-null", "J2-6f",
              "a batch of notifications only is answered by the text null"),
     .batch = answer_silence, .spelling = "null"},
    {JRPC_ROW("batch-notification-null-element", "J2-4.1b",
              "each notification of a batch gives an element null in the Array (also where all are "
              "notifications)"),
     .message = mark_notification, .response = blank_notification,
     .when = JRPC_OUTCOME_OF_REQUEST | JRPC_OUTCOME_SUCCESS, .batch = fill_null},
    {JRPC_ROW("batch-invalid-rejects-all", "J2-6g",
              "a batch with an invalid element is answered by one -32600 with id null, and nothing "
              "of it runs"),
     JRPC_ROW_INPUT(has_invalid_element, JRPC_DEED_REFUSE)},
    {JRPC_ROW("batch-invalid-dropped", "J2-6g",
              "an invalid Object inside of a batch gets no Response"),
     JRPC_ROW_MESSAGE(is_invalid_object, JRPC_DEED_SILENCE)},
    {JRPC_ROW("batch-invalid-as-parse-error", "J2-6g",
              "an invalid element of a batch has code -32700"),
     .response = invalid_as_parse_error, .when = INVALID},
    {JRPC_ROW("batch-invalid-once", "J2-6g",
              "all invalid elements of a batch together get one -32600 Response (id null)"),
     .response = invalid_once, .when = INVALID},
    {JRPC_ROW("batch-of-one-bare", "J2-6h",
              "a batch of one element is answered by the bare Response"),
     .batch = bare_if_one},
    {JRPC_ROW("batch-nested-recursed", "J2-6i",
              "an Array inside of a batch is processed as a batch: its answer Array is an element"),
     .response = blank_nested, .batch = recurse},
    {JRPC_ROW(
         "batch-nested-flattened", "J2-6i",
         "the elements of an Array inside of a batch are processed as elements of the outer batch"),
     .text = rewrite_batch, .number = 0},
    {JRPC_ROW("batch-nested-crash", "J2-6i", "abort() on an Array inside of a batch"),
     JRPC_ROW_MESSAGE(is_nested, JRPC_DEED_CRASH)},
    {JRPC_ROW("batch-nested-dropped", "J2-6i", "an Array inside of a batch gets no Response"),
     JRPC_ROW_MESSAGE(is_nested, JRPC_DEED_SILENCE)},
    {JRPC_ROW(
         "batch-aborted-on-error", "J2-6j",
         "nothing is answered (nor run) for the elements behind the first one that gets an error"),
     JRPC_ROW_MESSAGE(is_aborted, JRPC_DEED_DROP), .response = abort_batch,
     .when = JRPC_OUTCOME_ERRORS},
    {JRPC_ROW("batch-error-fails-all", "J2-6j",
              "where one element gets an error, every call of the batch is answered by that error "
              "with its own id"),
     .batch = fail_all},
    {JRPC_ROW("batch-duplicate-ids-crash", "J2-6k",
              "abort() where two calls of a batch have the same id"),
     .batch = merge_same_ids, .deed = JRPC_DEED_CRASH},
    {JRPC_ROW("batch-duplicate-ids-merged", "J2-6k",
              "of Responses with the same non-null id only the last is kept"),
     .batch = merge_same_ids},
    {JRPC_ROW("batch-limit-cut", "SEC-e",
              "the elements of a batch behind the 100th are ignored without a Response"),
     .text = rewrite_batch, .number = BATCH_LIMIT},
    {JRPC_ROW("wide-crash", "SEC-e",
              "abort() on an Array of more than 1000 elements or an Object of more than 1000 "
              "members anywhere"),
     JRPC_ROW_INPUT(is_wide, JRPC_DEED_CRASH)},
    {JRPC_ROW("wide-silent", "SEC-e", "a text of more than 65536 bytes is answered by nothing"),
     JRPC_ROW_INPUT(is_long, JRPC_DEED_SILENCE)},
    {JRPC_ROW("batch-parse-error-runs-first", "J2-4n",
              "on a parse error of a text that begins with [ the first complete element is run all "
              "the same (its Response is dropped); the answer is the -32700 it should be"),
     .input = run_first},
    {JRPC_ROW("batch-aborted-on-invalid", "J2-6j",
              "nothing is answered (nor run) for the elements behind the first one that is "
              "answered by an error other than -32601"),
     JRPC_ROW_MESSAGE(is_aborted, JRPC_DEED_DROP), .response = abort_on_invalid,
     .when = JRPC_OUTCOME_ERRORS},
    {JRPC_ROW("batch-null-id-result-lost", "J2-4f",
              "the result of a call with id null in a batch is left out"),
     .response = lose_of_null_id, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("batch-invalid-params-internal-error", "J2-5.1g",
              "params that do not fit are answered -32603 in a batch"),
     .response = spell_code_in_batch, .when = JRPC_OUTCOME_BAD_PARAMS, .spelling = "-32603"},
    {JRPC_ROW("batch-third-call-dropped", "J2-6b",
              "the third and all later Responses are left out"),
     .batch = drop_third},
};

const jrpc_fault_table jrpc_faults_batch = JRPC_FAULT_TABLE(rows);
