#include "fuzz/model/answer.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"

// A member's kind in one letter: '-' absent, else as tree.kind; '2' the version "2.0", 'x' another
// version; 'y' the verb yield or return.
typedef struct row {
    const char *version, *method, *params, *id, *result, *error, *verb; // NULL: whatever it is
    jrpc_message_kind kind;
    jrpc_invalid_reason reason;
    bool owed;
} row;

#define PRESENT "zb0sao"
#define NO_ID "bao"

// Sections 4 and 5; the first row that fits decides.
static const row rows[] = {
    // Without a method and with a result or an error it is a Response: nothing is owed for it.
    {"-", "-", 0, 0, PRESENT, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_VERSION_MISSING, false},
    {"-", "-", 0, 0, 0, PRESENT, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_VERSION_MISSING, false},
    {"x", "-", 0, 0, PRESENT, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_VERSION, false},
    {"x", "-", 0, 0, 0, PRESENT, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_VERSION, false},
    {"2", "-", 0, 0, PRESENT, PRESENT, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_RESPONSE, false},
    {"2", "-", 0, "-", PRESENT, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_RESPONSE, false},
    {"2", "-", 0, "-", 0, PRESENT, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_RESPONSE, false},
    {"2", "-", 0, NO_ID, PRESENT, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_ID_TYPE, false},
    {"2", "-", 0, NO_ID, 0, PRESENT, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_ID_TYPE, false},
    {"2", "-", 0, 0, PRESENT, 0, 0, JRPC_MESSAGE_RESPONSE, JRPC_VALID, false},
    {"2", "-", 0, 0, 0, PRESENT, 0, JRPC_MESSAGE_RESPONSE, JRPC_VALID, false},
    // Everything else was meant as a request.
    {"-", 0, 0, 0, 0, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_VERSION_MISSING, true},
    {"x", 0, 0, 0, 0, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_VERSION, true},
    {"2", "-", 0, 0, 0, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_METHOD_MISSING, true},
    {"2", "zb0ao", 0, 0, 0, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_METHOD_TYPE, true},
    {"2", "s", "zb0s", 0, 0, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_PARAMS_TYPE, true},
    {"2", "s", 0, NO_ID, 0, 0, 0, JRPC_MESSAGE_INVALID, JRPC_INVALID_ID_TYPE, true},
    {"2", "s", 0, "zs0", 0, 0, 0, JRPC_MESSAGE_CALL, JRPC_VALID, true},
    {"2", "s", 0, "-", PRESENT, 0, "y", JRPC_MESSAGE_RESULT, JRPC_VALID, false},
    {"2", "s", 0, "-", 0, 0, 0, JRPC_MESSAGE_NOTIFICATION, JRPC_VALID, false},
};

static bool fits(const char *allowed, char letter)
{
    return allowed == NULL || strchr(allowed, letter) != NULL;
}

static char letter_of(const tree *member)
{
    return member == NULL ? '-' : member->kind;
}

answer_class answer_classify(const tree *message)
{
    answer_class found = {JRPC_MESSAGE_INVALID, JRPC_INVALID_NOT_OBJECT, true, NULL};
    if (message->kind != 'o') {
        return found;
    }
    const tree *version = tree_member(message, "jsonrpc");
    const tree *verb = tree_member(message, "verb");
    const tree *id = tree_member(message, "id");
    char v = version == NULL ? '-' : tree_is_text(version, "2.0") ? '2' : 'x';
    char w = tree_is_text(verb, "yield") || tree_is_text(verb, "return") ? 'y' : 'x';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        if (fits(r->version, v) && fits(r->method, letter_of(tree_member(message, "method"))) &&
            fits(r->params, letter_of(tree_member(message, "params"))) &&
            fits(r->id, letter_of(id)) &&
            fits(r->result, letter_of(tree_member(message, "result"))) &&
            fits(r->error, letter_of(tree_member(message, "error"))) && fits(r->verb, w)) {
            found.kind = r->kind;
            found.reason = r->reason;
            found.owed = r->owed;
            found.id = fits("zs0", letter_of(id)) ? id : NULL;
            return found;
        }
    }
    fuzz_fail(__FILE__, __LINE__, "the table has a row for every message");
}

typedef struct model_method {
    const char *name;
    const char *parameters[4]; // in order, then NULL
    size_t required;
    bool any;
} model_method;

static const model_method methods[] = {
    {"subtract", {"minuend", "subtrahend"}, 2, false},
    {"app_error", {"code", "message", "data"}, 1, false},
    {"echo", {0}, 0, true},
    {"fail", {0}, 0, true},
    {"get_data", {0}, 0, false},
    {"update", {0}, 0, true},
};

static size_t parameter_count(const model_method *method)
{
    size_t count = 0;
    while (method->parameters[count] != NULL) {
        count++;
    }
    return count;
}

// Section 4.2. Fills `arguments` and says whether the params fit.
static bool bind(const model_method *method, const tree *params, const tree **arguments)
{
    size_t declared = parameter_count(method);
    if (params == NULL) {
        return method->required == 0;
    }
    if (method->any) {
        return true;
    }
    if (params->kind == 'a') {
        for (size_t i = 0; i < params->count && i < declared; i++) {
            arguments[i] = params->items[i];
        }
        return params->count >= method->required && params->count <= declared;
    }
    for (size_t i = 0; i < params->count; i++) {
        bool known = false;
        for (size_t j = 0; j < declared; j++) {
            known = known || tree_is_text(params->names[i], method->parameters[j]);
        }
        if (!known) {
            return false;
        }
    }
    for (size_t j = 0; j < declared; j++) {
        arguments[j] = tree_member(params, method->parameters[j]);
        if (j < method->required && arguments[j] == NULL) {
            return false;
        }
    }
    return true;
}

static void put(jrpc_buffer *out, const char *text)
{
    FUZZ_REQUIRE(jrpc_buffer_append_str(out, text));
}

static void put_value(jrpc_buffer *out, const tree *value)
{
    if (value == NULL) {
        put(out, "null");
    } else {
        FUZZ_REQUIRE(jrpc_buffer_append(out, value->spelling));
    }
}

void answer_put_error(jrpc_buffer *out, const char *code_and_message, const tree *id)
{
    put(out, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":");
    put(out, code_and_message);
    put(out, "},\"id\":");
    put_value(out, id);
    put(out, "}");
}

static const char invalid_request[] = "-32600,\"message\":\"Invalid Request\"";
static const char not_found[] = "-32601,\"message\":\"Method not found\"";
static const char invalid_params[] = "-32602,\"message\":\"Invalid params\"";
static const char internal_error[] = "-32603,\"message\":\"Internal error\"";
static const char parse_error[] = "-32700,\"message\":\"Parse error\"";

static void put_result(jrpc_buffer *out, const model_method *method, const tree *params,
                       const tree **arguments)
{
    if (strcmp(method->name, "subtract") == 0) {
        put(out, "[");
        put_value(out, arguments[0]);
        put(out, ",");
        put_value(out, arguments[1]);
        put(out, "]");
    } else if (strcmp(method->name, "get_data") == 0) {
        put(out, "[\"hello\",5]");
    } else {
        put_value(out, strcmp(method->name, "echo") == 0 ? params : NULL);
    }
}

// A message that is valid and names a method, or does not.
static void call_method(const tree *message, const answer_class *class, jrpc_buffer *out,
                        size_t *calls)
{
    const tree *params = tree_member(message, "params");
    const tree *arguments[4] = {0};
    const model_method *method = NULL;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (tree_is_text(tree_member(message, "method"), methods[i].name)) {
            method = &methods[i];
        }
    }
    if (method == NULL) {
        answer_put_error(out, not_found, class->id);
    } else if (!bind(method, params, arguments)) {
        answer_put_error(out, invalid_params, class->id);
    } else if (strcmp(method->name, "fail") == 0) {
        ++*calls;
        answer_put_error(out, internal_error, class->id);
    } else if (strcmp(method->name, "app_error") == 0) {
        ++*calls;
        put(out, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" ANSWER_APP_CODE
                 ",\"message\":\"no \\\"such\\\"\\tthing\"");
        if (arguments[2] != NULL) {
            put(out, ",\"data\":");
            put_value(out, arguments[2]);
        }
        put(out, "},\"id\":");
        put_value(out, class->id);
        put(out, "}");
    } else {
        ++*calls;
        put(out, "{\"jsonrpc\":\"2.0\",\"result\":");
        put_result(out, method, params, arguments);
        put(out, ",\"id\":");
        put_value(out, class->id);
        put(out, "}");
    }
}

static void answer_message(const tree *message, bool client, answer_call *call, jrpc_buffer *out,
                           size_t *calls)
{
    answer_class class = answer_classify(message);
    size_t before = out->len;
    if (class.kind == JRPC_MESSAGE_INVALID) {
        answer_put_error(out, invalid_request, class.id);
    } else if (class.kind != JRPC_MESSAGE_RESPONSE &&
               (class.kind != JRPC_MESSAGE_RESULT || client)) {
        call(message, &class, out, calls);
    }
    if (!class.owed) {
        jrpc_buffer_truncate(out, before);
    }
}

bool answer_expected(tree_pool *pool, jrpc_slice text, uint32_t max_depth, bool client,
                     jrpc_buffer *out, size_t *ret_calls)
{
    return answer_expected_by(pool, text, max_depth, client, call_method, out, ret_calls);
}

bool answer_expected_by(tree_pool *pool, jrpc_slice text, uint32_t max_depth, bool client,
                        answer_call *call, jrpc_buffer *out, size_t *ret_calls)
{
    *ret_calls = 0;
    if (grammar_check(text, max_depth).verdict != GRAMMAR_JSON) {
        answer_put_error(out, parse_error, NULL);
        return true;
    }
    if (max_depth > TREE_DEPTH && grammar_check(text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        return false;
    }
    const tree *root = tree_read(pool, text);
    if (root->kind != 'a') {
        answer_message(root, client, call, out, ret_calls);
        return true;
    }
    if (root->count == 0) {
        answer_put_error(out, invalid_request, NULL);
        return true;
    }
    size_t begin = out->len;
    for (size_t i = 0; i < root->count; i++) {
        size_t before = out->len;
        put(out, before == begin ? "[" : ",");
        size_t opened = out->len;
        answer_message(root->items[i], client, call, out, ret_calls);
        if (out->len == opened) {
            jrpc_buffer_truncate(out, before);
        }
    }
    if (out->len != begin) {
        put(out, "]");
    }
    return true;
}
