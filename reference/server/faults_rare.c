// Faults that appear only with messages that clients seldom send, or after a certain number of
// messages.
#include "reference/server/bend.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    LONG_NOTE_BYTES = 1000,
    FIRST_INVALID = 10, // the element of a batch, counted from 0, from which it refuses
    VISITORS = 32,      // so many connections that end without sending anything use up all places
};

static bool is_long_note(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return message->kind == JRPC_MESSAGE_NOTIFICATION &&
           jrpc_json_spelling(message->value).len > LONG_NOTE_BYTES;
}

static void refuse_late_element(jrpc_bend *bend, const jrpc_message *message,
                                jrpc_response *response)
{
    (void)message;
    if (bend->exchange->in_batch && bend->exchange->batch_index >= FIRST_INVALID) {
        response->code = JRPC_SLICE("-32600");
    }
}

// Answers a notification in a batch like a call if the element before it calls the same method.
static void answer_like_before(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_buffer *last = &bend->connection->last_method;
    jrpc_slice method = jrpc_json_spelling(message->method);
    bool later = bend->exchange->in_batch && bend->exchange->batch_index > 0;
    bool same = later && jrpc_slice_equal(method, jrpc_buffer_slice(last)) &&
                !jrpc_slice_starts_with(method, JRPC_SLICE("\"jrpcheck."));
    bool calls = message->kind == JRPC_MESSAGE_CALL;
    if (message->kind == JRPC_MESSAGE_NOTIFICATION && same) {
        jrpc_bend_member(bend, message, "id", JRPC_SLICE("null"));
    }
    jrpc_buffer_clear(last);
    if (calls) {
        jrpc_buffer_append(last, method);
    }
}

static bool calls_with_dollar(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return message->kind == JRPC_MESSAGE_CALL &&
           jrpc_slice_starts_with(jrpc_json_spelling(message->method), JRPC_SLICE("\"$/"));
}

static bool has_empty_names(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return message->kind == JRPC_MESSAGE_CALL && jrpc_json_is(message->params, JRPC_JSON_OBJECT) &&
           jrpc_json_count(message->params) == 0;
}

// Params of the kind in `number`.
static void lose_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if ((int)jrpc_json_kind_of(message->params) == bend->fault->number) {
        response->id = JRPC_SLICE("null");
    }
}

static void release_held(jrpc_bend *bend)
{
    jrpc_buffer *held = &bend->connection->held;
    for (jrpc_slice left = jrpc_buffer_slice(held); left.len > 0;) {
        (void)jrpc_connection_send_plain(bend->connection, jrpc_bend_take_record(&left));
    }
    jrpc_buffer_clear(held);
}

// Keeps an answer until the next one that must not be kept. True if the answer goes out now.
static bool hold_if(jrpc_bend *bend, jrpc_slice payload, bool keep)
{
    if (keep) {
        jrpc_bend_put_record(&bend->connection->held, payload);
    } else {
        release_held(bend);
    }
    return !keep;
}

static bool hold_array(jrpc_bend *bend, jrpc_slice *payload)
{
    return hold_if(bend, *payload, jrpc_slice_starts_with(*payload, JRPC_SLICE("[")));
}

static bool hold_anonymous(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_json id = jrpc_json_get(jrpc_bend_json(bend, *payload), "id");
    return hold_if(bend, *payload, jrpc_json_is(id, JRPC_JSON_NULL));
}

static void note_words(jrpc_bend *bend, jrpc_slice *bytes)
{
    bend->connection->calls += bytes->len > 0;
}

static void lose_place(jrpc_bend *bend)
{
    if (bend->connection->calls == 0) {
        atomic_fetch_add(&bend->connection->server->lost_places, 1);
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("notification-long-answered", "J2-4.1c",
              "a notification of more than 1000 bytes is answered with -32600 and id null"),
     JRPC_ROW_MESSAGE(is_long_note, JRPC_DEED_REFUSE_NULL)},
    {JRPC_ROW("method-dollar-silent", "J2-5a",
              "calls of methods that begin with $/ are not answered"),
     JRPC_ROW_MESSAGE(calls_with_dollar, JRPC_DEED_DROP)},
    {JRPC_ROW("params-empty-object-refused", "J2-4.2e",
              "a call whose params are an empty Object is answered with -32600 and its id"),
     JRPC_ROW_MESSAGE(has_empty_names, JRPC_DEED_REFUSE)},
    {JRPC_ROW("misfit-names-id-null", "J2-4e", "the error for invalid params by name has id null"),
     .response = lose_id, .when = JRPC_OUTCOME_BAD_PARAMS, .number = JRPC_JSON_OBJECT},
    {JRPC_ROW("misfit-positions-id-null", "J2-4e",
              "the error for invalid params by position has id null"),
     .response = lose_id, .when = JRPC_OUTCOME_BAD_PARAMS, .number = JRPC_JSON_ARRAY},
    {JRPC_ROW("batch-eleventh-invalid", "J2-5.1f",
              "from the eleventh element of a batch on, an unknown method has code -32600"),
     .response = refuse_late_element, .when = JRPC_OUTCOME_UNKNOWN},
    {JRPC_ROW("batch-same-method-answered", "J2-4.1b",
              "in a batch, a notification just after a call of the same known method is answered "
              "with id null"),
     .message = answer_like_before},
    {JRPC_ROW("batch-answer-held", "J2-5a",
              "the answer to a batch is held back until the next answer that is not an Array"),
     .outgoing = hold_array, .ended = release_held},
    {JRPC_ROW("error-without-id-held", "J2-5a",
              "an error with id null is held back until the next answer that has an id"),
     .outgoing = hold_anonymous, .ended = release_held},
    {JRPC_ROW("silent-visitors-leak", "CON-b",
              "once 32 connections have ended without sending anything, new ones are accepted, "
              "but nothing on them is answered"),
     .received = note_words, .incoming = jrpc_bend_has_place, .ended = lose_place,
     .number = VISITORS},
};

const jrpc_fault_table jrpc_faults_rare = JRPC_FAULT_TABLE(rows);
