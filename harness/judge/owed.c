#include "harness/judge/owed.h"

#include "harness/evidence/evidence.h"

static bool calls_absent(const jrpc_message *message, jrpc_slice absent)
{
    return message->kind == JRPC_MESSAGE_CALL &&
           jrpc_slice_equal(jrpc_json_spelling(message->method), absent);
}

static void owed_for_batch(jrpc_json root, jrpc_slice absent, jck_owed *owed)
{
    owed->batch = root;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
        jrpc_message message = jrpc_message_classify(it.value);
        owed->calls += message.reply_owed;
        owed->notifications += message.kind == JRPC_MESSAGE_NOTIFICATION;
        owed->absent = owed->absent || calls_absent(&message, absent);
    }
    owed->kind = owed->calls > 0 ? JCK_OWED_BATCH : JCK_OWED_NOTHING;
}

static void owed_for_single(jrpc_json root, jrpc_slice absent, jck_owed *owed)
{
    owed->message = jrpc_message_classify(root);
    owed->kind = owed->message.reply_owed ? JCK_OWED_RESPONSE : JCK_OWED_NOTHING;
    owed->code = owed->message.reply_code;
    owed->id = owed->message.reply_id;
    owed->id_sent = owed->message.reply_owed && jrpc_json_exists(owed->id);
    owed->absent = calls_absent(&owed->message, absent);
    if (owed->absent) {
        owed->code = JRPC_METHOD_NOT_FOUND;
    }
}

// Whether every bracket outside strings has its partner, whatever else the text is: a text nested
// too deep to be read that lacks a closing bracket is still a parse error.
static bool brackets_balance(jrpc_slice text)
{
    size_t open = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            open++;
        } else if ((c == ']' || c == '}') && open-- == 0) {
            return false;
        }
    }
    return open == 0 && !in_string;
}

jck_owed jck_owed_for(jrpc_slice sent, jrpc_slice absent, jrpc_json_document *document)
{
    jck_owed owed = {.kind = JCK_OWED_RESPONSE};
    jrpc_error error = {0};
    owed.input = jrpc_input_read(document, sent, JCK_MESSAGE_DEPTH, &error);
    bool deep = error.code == JRPC_ERROR_LIMIT;
    if (error.code == JRPC_ERROR_MEMORY || (deep && brackets_balance(sent))) {
        owed.kind = JCK_OWED_UNKNOWN;
        owed.starved = error.code == JRPC_ERROR_MEMORY;
        return owed;
    }
    switch (owed.input) {
    case JRPC_INPUT_PARSE_ERROR:
        owed.code = JRPC_PARSE_ERROR;
        break;
    case JRPC_INPUT_EMPTY_BATCH:
        owed.code = JRPC_INVALID_REQUEST;
        break;
    case JRPC_INPUT_BATCH:
        owed_for_batch(jrpc_json_root(document), absent, &owed);
        break;
    case JRPC_INPUT_SINGLE:
        owed_for_single(jrpc_json_root(document), absent, &owed);
        break;
    }
    return owed;
}

jck_role jck_owed_code_role(int code)
{
    switch (code) {
    case JRPC_PARSE_ERROR:
        return JCK_ROLE_PARSE_ERROR;
    case JRPC_INVALID_REQUEST:
        return JCK_ROLE_INVALID_REQUEST;
    case JRPC_METHOD_NOT_FOUND:
        return JCK_ROLE_METHOD_NOT_FOUND;
    case JRPC_INVALID_PARAMS:
        return JCK_ROLE_INVALID_PARAMS;
    case JRPC_INTERNAL_ERROR:
        return JCK_ROLE_INTERNAL_ERROR;
    default:
        return JCK_ROLE_NONE;
    }
}
