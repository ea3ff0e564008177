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

// From here on, numbers are read in different ways.
#define SAFE_DIGITS 15

typedef enum message_kind {
    KIND_TEXT, // not JSON
    KIND_EMPTY_BATCH,
    KIND_BATCH,
    KIND_NULL_ID,
    KIND_STRANGE_ID, // a long number, or one that is not written as an integer
    KIND_INVALID,    // and one more for each reason
} message_kind;

_Static_assert(KIND_INVALID + JRPC_INVALID_RESPONSE < JCK_OWED_KINDS, "a bit for each");

static bool is_strange_number(jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    int64_t integer = 0;
    return jrpc_json_is(value, JRPC_JSON_NUMBER) &&
           (spelling.len > SAFE_DIGITS || !jrpc_json_int64(value, &integer));
}

static uint32_t bit_of_single(const jrpc_message *message)
{
    switch (message->kind) {
    case JRPC_MESSAGE_INVALID:
        return 1U << (KIND_INVALID + message->reason);
    case JRPC_MESSAGE_CALL:
        return jrpc_json_is(message->id, JRPC_JSON_NULL) ? 1U << KIND_NULL_ID
               : is_strange_number(message->id)          ? 1U << KIND_STRANGE_ID
                                                         : 0;
    case JRPC_MESSAGE_NOTIFICATION:
    case JRPC_MESSAGE_RESPONSE:
    case JRPC_MESSAGE_RESULT:
        break;
    }
    return 0;
}

static uint32_t bit_of(const jck_owed *owed)
{
    if (owed->kind != JCK_OWED_RESPONSE && owed->kind != JCK_OWED_BATCH) {
        return 0;
    }
    switch (owed->input) {
    case JRPC_INPUT_PARSE_ERROR:
        return 1U << KIND_TEXT;
    case JRPC_INPUT_EMPTY_BATCH:
        return 1U << KIND_EMPTY_BATCH;
    case JRPC_INPUT_BATCH:
        return 1U << KIND_BATCH;
    case JRPC_INPUT_SINGLE:
        break;
    }
    return bit_of_single(&owed->message);
}

uint32_t jck_owed_bit(jrpc_slice message)
{
    static const jrpc_slice nobody = {NULL, 0};
    if (message.len > JCK_SHORT_BYTES) {
        return 0;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_owed owed = jck_owed_for(message, nobody, &document);
    uint32_t bit = bit_of(&owed);
    jrpc_json_document_done(&document);
    return bit;
}
