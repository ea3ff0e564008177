// What a received text means for the calls under way.
#include "reference/calls/calls_private.h"

#include "reference/json/read.h"
#include "reference/json/write.h"

// The text at hand.
typedef struct taking {
    jrpc_calls *calls;
    uint64_t scope;
    bool in_array;
} taking;

static void stray(taking *at, jrpc_stray_kind kind, jrpc_json value, const char *why)
{
    const jrpc_calls_ear *ear = &at->calls->ear;
    if (ear->stray != NULL) {
        ear->stray(ear->context, kind, jrpc_json_spelling(value), why);
    }
}

// Why a Response that names a call cannot be read (section 5); NULL if it can.
static const char *reason_broken(const jrpc_message *message)
{
    if (message->reason != JRPC_VALID) {
        // Without `result` and `error` it is classified as a Request.
        return jrpc_json_exists(message->result) || jrpc_json_exists(message->error)
                   ? jrpc_invalid_reason_text(message->reason)
                   : jrpc_invalid_reason_text(JRPC_INVALID_RESPONSE);
    }
    if (!jrpc_json_exists(message->error)) {
        return NULL;
    }
    if (!jrpc_json_is(message->error, JRPC_JSON_OBJECT)) {
        return "`error` is not an Object";
    }
    if (!jrpc_json_is_integer(jrpc_json_get(message->error, "code"))) {
        return "the error has no integer `code`";
    }
    if (!jrpc_json_is(jrpc_json_get(message->error, "message"), JRPC_JSON_STRING)) {
        return "the error has no String `message`";
    }
    return NULL;
}

static jrpc_answer answer_of(const jrpc_message *message)
{
    jrpc_answer answer = {.kind = JRPC_ANSWER_BROKEN, .value = message->value, .why = ""};
    const char *broken = reason_broken(message);
    if (broken != NULL) {
        answer.why = broken;
    } else if (jrpc_json_exists(message->error)) {
        answer.kind = JRPC_ANSWER_ERROR;
        answer.value = message->error;
        (void)jrpc_json_int64(jrpc_json_get(message->error, "code"), &answer.code);
    } else {
        answer.kind = JRPC_ANSWER_RESULT;
        answer.value = message->result;
    }
    return answer;
}

// A Response whose id is null or missing: an error that may belong to the only message under way.
static void take_nameless(taking *at, const jrpc_message *message)
{
    jrpc_calls *calls = at->calls;
    if (!jrpc_json_exists(message->error)) {
        stray(at, JRPC_STRAY_INVALID, message->value, "a Response with neither id nor error");
        return;
    }
    const jrpc_sent *sent = at->scope != 0 ? jrpc_table_message(&calls->table, at->scope)
                                           : jrpc_table_only(&calls->table);
    if (sent == NULL) {
        stray(at, JRPC_STRAY_REFUSAL, message->value,
              calls->table.live == 0 ? "an error with id null, and no call is under way"
                                     : "an error with id null, which may belong to any of the "
                                       "calls under way");
        return;
    }
    jrpc_answer answer = answer_of(message);
    if (answer.kind == JRPC_ANSWER_ERROR) {
        answer.kind = JRPC_ANSWER_REFUSED;
        answer.why = "the server could not read the Request: its error has id null";
    }
    jrpc_calls_end_message(calls, sent->first, message, &answer);
}

static uint64_t id_of(taking *at, const jrpc_message *message)
{
    int64_t number = 0;
    bool fits = jrpc_json_int64(message->id, &number) && number > 0;
    uint64_t id = fits ? (uint64_t)number : 0;
    if (at->calls->hooks.match != NULL) {
        at->calls->hooks.match(at->calls->hooks.context, message, &id);
    }
    return id;
}

static void take_response(taking *at, const jrpc_message *message)
{
    jrpc_calls *calls = at->calls;
    uint64_t id = id_of(at, message);
    if (id == 0 && (!jrpc_json_exists(message->id) || jrpc_json_is(message->id, JRPC_JSON_NULL))) {
        take_nameless(at, message);
        return;
    }
    if (id == 0 || id >= calls->table.next_id) {
        stray(at, JRPC_STRAY_UNKNOWN_ID, message->value, "no call had this id");
        return;
    }
    jrpc_sent *sent = NULL;
    if (jrpc_table_find(&calls->table, id, &sent) == NULL) {
        stray(at, JRPC_STRAY_OVER, message->value, "the call of this id is over already");
        return;
    }
    if (at->scope != 0 && sent->first != at->scope) {
        stray(at, JRPC_STRAY_UNKNOWN_ID, message->value, "this is the answer to another message");
        return;
    }
    sent->heard = at->in_array;
    (void)jrpc_calls_end(calls, id, message, answer_of(message));
}

static bool keep_own(taking *at, const jrpc_message *message, jrpc_error *error)
{
    jrpc_calls *calls = at->calls;
    if (calls->ear.own != NULL && message->kind != JRPC_MESSAGE_INVALID) {
        calls->ear.own(calls->ear.context, message);
    }
    if (at->in_array) {
        jrpc_buffer_append_char(&calls->own, calls->own.len == 0 ? '[' : ',');
    }
    return jrpc_buffer_append(&calls->own, jrpc_json_spelling(message->value)) ||
           jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for what the server asks");
}

static bool take_value(taking *at, jrpc_json value, jrpc_error *error)
{
    const jrpc_message message = jrpc_message_classify(value);
    if (jrpc_json_exists(message.method)) {
        return keep_own(at, &message, error);
    }
    if (jrpc_json_exists(message.id) || jrpc_json_exists(message.result) ||
        jrpc_json_exists(message.error)) {
        take_response(at, &message);
    } else {
        stray(at, JRPC_STRAY_INVALID, value, "neither a Request nor a Response");
    }
    return true;
}

// Ends what the answers to batches left out.
static void end_unanswered(jrpc_calls *calls, uint64_t before)
{
    const jrpc_answer answer = {.kind = JRPC_ANSWER_MISSING,
                                .value = JRPC_JSON_ABSENT,
                                .why = "the answer to the batch has no Response to this call"};
    jrpc_sent *sent = NULL;
    for (uint64_t id = 0;
         (sent = jrpc_table_from(&calls->table, id)) != NULL && sent->first < before;) {
        id = sent->first + sent->count;
        if (sent->heard) {
            sent->heard = false;
            jrpc_calls_end_message(calls, sent->first, NULL, &answer);
        }
    }
}

// Whether an element is an error that names no call.
static bool is_nameless(jrpc_json value)
{
    jrpc_json id = jrpc_json_get(value, "id");
    return jrpc_json_exists(jrpc_json_get(value, "error")) &&
           !jrpc_json_exists(jrpc_json_get(value, "method")) &&
           (!jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL));
}

// Errors that name no call are taken last, wherever they stand in the Array: they belong to the
// calls that nothing else in it answers.
static bool take_array(taking *at, jrpc_json array, jrpc_error *error)
{
    if (jrpc_json_count(array) == 0) {
        stray(at, JRPC_STRAY_INVALID, array, "an empty Array is not an answer");
        return true;
    }
    uint64_t before = at->calls->table.next_id;
    at->in_array = true;
    bool ok = true;
    for (int nameless = 0; nameless < 2 && ok; nameless++) {
        for (jrpc_json_iterator it = jrpc_json_iterate(array); ok && jrpc_json_step(&it);) {
            if (is_nameless(it.value) == (nameless == 1)) {
                ok = take_value(at, it.value, error);
            }
        }
    }
    end_unanswered(at->calls, before);
    if (at->calls->own.len > 0) {
        jrpc_buffer_append_char(&at->calls->own, ']');
    }
    return ok;
}

bool jrpc_calls_take(jrpc_calls *calls, jrpc_slice text, uint64_t scope, jrpc_error *error)
{
    if (calls->hooks.text != NULL) {
        calls->hooks.text(calls->hooks.context, &text);
    }
    taking at = {.calls = calls, .scope = scope};
    jrpc_error unread = {.code = JRPC_OK};
    jrpc_buffer_clear(&calls->own);
    if (!jrpc_json_read(&calls->received, text, UINT32_MAX, &unread)) {
        if (unread.code == JRPC_ERROR_MEMORY) {
            return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a received message");
        }
        if (calls->ear.stray != NULL) {
            calls->ear.stray(calls->ear.context, JRPC_STRAY_NOT_JSON, text, unread.message);
        }
        return true;
    }
    jrpc_json root = jrpc_json_root(&calls->received);
    bool ok = jrpc_json_is(root, JRPC_JSON_ARRAY) ? take_array(&at, root, error)
                                                  : take_value(&at, root, error);
    if (ok && calls->own.len > 0 && calls->ear.serve != NULL) {
        calls->ear.serve(calls->ear.context, jrpc_buffer_slice(&calls->own));
    }
    return ok;
}
