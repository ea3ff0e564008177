#include "reference/rpc/message.h"

#include "reference/json/read.h"

typedef struct members {
    jrpc_json version, method, params, id, result, error, verb;
} members;

// Every member in one pass; the last of duplicates stays.
static members read_members(jrpc_json object)
{
    members found = {JRPC_JSON_ABSENT, JRPC_JSON_ABSENT, JRPC_JSON_ABSENT, JRPC_JSON_ABSENT,
                     JRPC_JSON_ABSENT, JRPC_JSON_ABSENT, JRPC_JSON_ABSENT};
    const struct {
        jrpc_slice name;
        jrpc_json *value;
    } wanted[] = {
        {JRPC_SLICE("jsonrpc"), &found.version}, {JRPC_SLICE("method"), &found.method},
        {JRPC_SLICE("params"), &found.params},   {JRPC_SLICE("id"), &found.id},
        {JRPC_SLICE("result"), &found.result},   {JRPC_SLICE("error"), &found.error},
        {JRPC_SLICE("verb"), &found.verb},
    };
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            if (jrpc_json_count(it.key) == wanted[i].name.len &&
                jrpc_json_string_is(it.key, wanted[i].name)) {
                *wanted[i].value = it.value;
                break;
            }
        }
    }
    return found;
}

static bool is_id(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_STRING) || jrpc_json_is(value, JRPC_JSON_NUMBER) ||
           jrpc_json_is(value, JRPC_JSON_NULL);
}

static bool is_structured(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_is(value, JRPC_JSON_OBJECT);
}

static jrpc_invalid_reason check_version(const jrpc_message *message)
{
    if (!jrpc_json_exists(message->version)) {
        return JRPC_INVALID_VERSION_MISSING;
    }
    return jrpc_json_string_is(message->version, JRPC_SLICE("2.0")) ? JRPC_VALID
                                                                    : JRPC_INVALID_VERSION;
}

// Section 4.
static jrpc_invalid_reason check_request(const jrpc_message *message)
{
    jrpc_invalid_reason reason = check_version(message);
    if (reason != JRPC_VALID) {
        return reason;
    }
    if (!jrpc_json_exists(message->method)) {
        return JRPC_INVALID_METHOD_MISSING;
    }
    if (!jrpc_json_is(message->method, JRPC_JSON_STRING)) {
        return JRPC_INVALID_METHOD_TYPE;
    }
    if (jrpc_json_exists(message->params) && !is_structured(message->params)) {
        return JRPC_INVALID_PARAMS_TYPE;
    }
    if (jrpc_json_exists(message->id) && !is_id(message->id)) {
        return JRPC_INVALID_ID_TYPE;
    }
    return JRPC_VALID;
}

// Section 5.
static jrpc_invalid_reason check_response(const jrpc_message *message)
{
    jrpc_invalid_reason reason = check_version(message);
    if (reason != JRPC_VALID) {
        return reason;
    }
    if (jrpc_json_exists(message->result) == jrpc_json_exists(message->error) ||
        !jrpc_json_exists(message->id)) {
        return JRPC_INVALID_RESPONSE;
    }
    return is_id(message->id) ? JRPC_VALID : JRPC_INVALID_ID_TYPE;
}

static bool is_result_verb(jrpc_json verb)
{
    return jrpc_json_string_is(verb, JRPC_SLICE("yield")) ||
           jrpc_json_string_is(verb, JRPC_SLICE("return"));
}

static void refuse(jrpc_message *message, jrpc_invalid_reason reason)
{
    message->kind = JRPC_MESSAGE_INVALID;
    message->reason = reason;
    message->reply_owed = true;
    message->reply_code = JRPC_INVALID_REQUEST;
    message->reply_id = is_id(message->id) ? message->id : JRPC_JSON_ABSENT;
}

jrpc_message jrpc_message_classify(jrpc_json value)
{
    members found = read_members(jrpc_json_is(value, JRPC_JSON_OBJECT) ? value : JRPC_JSON_ABSENT);
    jrpc_message message = {
        .kind = JRPC_MESSAGE_INVALID,
        .reason = JRPC_VALID,
        .value = value,
        .version = found.version,
        .method = found.method,
        .params = found.params,
        .id = found.id,
        .result = found.result,
        .error = found.error,
        .reply_id = JRPC_JSON_ABSENT,
    };
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        refuse(&message, JRPC_INVALID_NOT_OBJECT);
        return message;
    }
    if (!jrpc_json_exists(message.method) &&
        (jrpc_json_exists(message.result) || jrpc_json_exists(message.error))) {
        message.reason = check_response(&message);
        message.kind = message.reason == JRPC_VALID ? JRPC_MESSAGE_RESPONSE : JRPC_MESSAGE_INVALID;
        return message;
    }
    jrpc_invalid_reason reason = check_request(&message);
    if (reason != JRPC_VALID) {
        refuse(&message, reason);
    } else if (jrpc_json_exists(message.id)) {
        message.kind = JRPC_MESSAGE_CALL;
        message.reply_owed = true;
        message.reply_id = message.id;
    } else if (jrpc_json_exists(message.result) && is_result_verb(found.verb)) {
        message.kind = JRPC_MESSAGE_RESULT;
    } else {
        message.kind = JRPC_MESSAGE_NOTIFICATION;
    }
    return message;
}

const char *jrpc_invalid_reason_text(jrpc_invalid_reason reason)
{
    const char *text = "the message is valid";
    switch (reason) {
    case JRPC_VALID:
        break;
    case JRPC_INVALID_NOT_OBJECT:
        text = "the message is not an Object";
        break;
    case JRPC_INVALID_VERSION_MISSING:
        text = "`jsonrpc` is missing";
        break;
    case JRPC_INVALID_VERSION:
        text = "`jsonrpc` is not the String \"2.0\"";
        break;
    case JRPC_INVALID_METHOD_MISSING:
        text = "`method` is missing";
        break;
    case JRPC_INVALID_METHOD_TYPE:
        text = "`method` is not a String";
        break;
    case JRPC_INVALID_PARAMS_TYPE:
        text = "`params` is neither Array nor Object";
        break;
    case JRPC_INVALID_ID_TYPE:
        text = "`id` is neither String nor Number nor Null";
        break;
    case JRPC_INVALID_RESPONSE:
        text = "the Response has not exactly one of `result` and `error`, or no `id`";
        break;
    }
    return text;
}

jrpc_input_kind jrpc_input_read(jrpc_json_document *document, jrpc_slice text, uint32_t max_depth,
                                jrpc_error *error)
{
    if (!jrpc_json_read(document, text, max_depth, error)) {
        return JRPC_INPUT_PARSE_ERROR;
    }
    jrpc_json root = jrpc_json_root(document);
    if (!jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        return JRPC_INPUT_SINGLE;
    }
    return jrpc_json_count(root) == 0 ? JRPC_INPUT_EMPTY_BATCH : JRPC_INPUT_BATCH;
}
