// What makes a client fail, and what it sends to a server that did not ask.
#include "reference/driver/change.h"

#include <stdlib.h>
#include <string.h>

static bool is_notification(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_NOTIFICATION;
}

static bool is_call(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_CALL;
}

static bool own_lost(jrpc_change *change, const jrpc_message *message)
{
    return !change->fault->is(message);
}

static bool own_lost_under_way(jrpc_change *change, const jrpc_message *message)
{
    return !is_notification(message) || change->driver->memory.under_way_count == 0;
}

static jrpc_slice first_byte(jrpc_slice text)
{
    while (text.len > 0 && strchr(" \t\r\n", text.ptr[0]) != NULL) {
        text = jrpc_slice_from(text, 1);
    }
    return text;
}

static void crash_empty(jrpc_change *change, jrpc_slice *text)
{
    (void)change;
    if (first_byte(*text).len == 0) {
        abort();
    }
}

static void crash_rubbish(jrpc_change *change, jrpc_slice *text)
{
    if (first_byte(*text).len > 0 && !jrpc_json_exists(jrpc_change_json(change, *text))) {
        abort();
    }
}

static void crash_scalar(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    if (jrpc_json_exists(value) && !jrpc_json_is(value, JRPC_JSON_OBJECT) &&
        !jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        abort();
    }
}

static void crash_empty_array(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    if (jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) == 0) {
        abort();
    }
}

static void crash_deep(jrpc_change *change, jrpc_slice *text)
{
    enum { DEEPEST = 500 };
    size_t depth = 0;
    (void)change;
    for (size_t i = 0; i < text->len; i++) {
        depth += text->ptr[i] == '[';
        depth -= text->ptr[i] == ']' && depth > 0;
        if (depth > DEEPEST) {
            abort();
        }
    }
}

static void crash_long(jrpc_change *change, jrpc_slice *text)
{
    enum { LONGEST = 500000 };
    (void)change;
    if (text->len > LONGEST) {
        abort();
    }
}

static bool crash_broken(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)change;
    (void)message;
    if (answer->kind == JRPC_ANSWER_BROKEN) {
        abort();
    }
    return true;
}

static bool crash_closed(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    // Unless our own command closed it: then the driver has dropped the client already, or is about
    // to.
    if (answer->kind == JRPC_ANSWER_CLOSED &&
        strstr(answer->why, "the client was closed") == NULL) {
        abort();
    }
    (void)change;
    return true;
}

// Nothing is read any more.
static void deaf_after_rubbish(jrpc_change *change, jrpc_slice *text)
{
    jrpc_driver_memory *memory = &change->driver->memory;
    memory->muted = memory->muted || !jrpc_json_exists(jrpc_change_json(change, *text));
    *text = memory->muted ? JRPC_SLICE("") : *text;
}

static void deaf_after_own(jrpc_change *change, jrpc_slice *text)
{
    jrpc_driver_memory *memory = &change->driver->memory;
    if (memory->muted) {
        *text = JRPC_SLICE("");
    }
    jrpc_json value = jrpc_change_json(change, *text);
    memory->muted = memory->muted || jrpc_json_exists(jrpc_json_get(value, "method"));
}

// A request of the server with the id of a call in flight is mistaken for its answer.
static void request_as_answer(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    jrpc_json id = jrpc_json_get(value, "id");
    int64_t number = 0;
    if (jrpc_json_exists(jrpc_json_get(value, "method")) && jrpc_json_int64(id, &number) &&
        number > 0 && jrpc_change_is_under_way(change->driver, (uint64_t)number)) {
        jrpc_buffer out = jrpc_change_buffer(change);
        (void)jrpc_buffer_printf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%lld}", (long long)number);
        *text = jrpc_buffer_slice(&out);
    }
}

static void padded_refused(jrpc_change *change, jrpc_slice *text)
{
    (void)change;
    if (text->len > 0 && (strchr(" \t\r", text->ptr[0]) != NULL ||
                          strchr(" \t\r", text->ptr[text->len - 1]) != NULL)) {
        *text = JRPC_SLICE("");
    }
}

// Members in an unusual order are not recognized.
static void order_needed(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    jrpc_json_iterator it = jrpc_json_iterate(value);
    if (jrpc_json_is(value, JRPC_JSON_OBJECT) && jrpc_json_step(&it) &&
        !jrpc_json_string_is(it.key, JRPC_SLICE("jsonrpc"))) {
        *text = JRPC_SLICE("");
    }
}

// Members that section 5 does not name are not accepted.
static void extra_refused(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    if (jrpc_json_is(value, JRPC_JSON_OBJECT) && jrpc_json_count(value) > 3 &&
        !jrpc_json_exists(jrpc_json_get(value, "method")) &&
        !(jrpc_json_exists(jrpc_json_get(value, "result")) &&
          jrpc_json_exists(jrpc_json_get(value, "error")))) {
        *text = JRPC_SLICE("");
    }
}

static bool is_answer_of_ours(jrpc_change *change, jrpc_slice text)
{
    return !jrpc_change_is_asking(change, text);
}

static jrpc_peer_event never_answer(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                                    int64_t deadline_us, jrpc_error *error)
{
    return is_answer_of_ours(change, text) ? JRPC_PEER_MESSAGE
                                           : jrpc_peer_send(peer, text, deadline_us, error);
}

// Claims to have done what is not implemented here.
static void claim_success(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(value, "id"));
    if (is_answer_of_ours(change, *text) && id.len > 0) {
        jrpc_buffer out = jrpc_change_buffer(change);
        jrpc_buffer_append_str(&out, "{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":");
        jrpc_buffer_append(&out, id);
        jrpc_buffer_append_char(&out, '}');
        *text = jrpc_buffer_slice(&out);
    }
}

// Sends an answer of ours with `spelling` instead of its member jsonrpc.
static void answer_oddly(jrpc_change *change, jrpc_slice *text)
{
    if (is_answer_of_ours(change, *text)) {
        *text = jrpc_change_replace(change, *text, "\"jsonrpc\":\"2.0\"", change->fault->spelling);
    }
}

static void answer_id(jrpc_change *change, jrpc_slice *text)
{
    if (is_answer_of_ours(change, *text)) {
        *text = JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method "
                           "not found\"},\"id\":null}");
    }
}

// Turns a notification into a call, so that the router answers it.
static void answer_notifications(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    if (jrpc_json_exists(jrpc_json_get(value, "method")) &&
        !jrpc_json_exists(jrpc_json_get(value, "id"))) {
        jrpc_buffer out = jrpc_change_buffer(change);
        jrpc_buffer_append(&out, jrpc_slice_of(text->ptr, text->len - 1));
        jrpc_buffer_append_str(&out, ",\"id\":null}");
        *text = jrpc_buffer_slice(&out);
    }
}

// Turns a stray Response into an invalid Request, so that the router refuses it.
static void answer_responses(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    int64_t id = 0;
    jrpc_json given = jrpc_json_get(value, "id");
    if (jrpc_json_exists(given) && !jrpc_json_exists(jrpc_json_get(value, "method")) &&
        !(jrpc_json_int64(given, &id) && jrpc_change_is_under_way(change->driver, (uint64_t)id))) {
        *text = JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":1}");
    }
}

#define CRASH_OWN(cond) .own = jrpc_row_crash_own, .is = cond
#define CRASH_STRAY(kind_) .stray = jrpc_row_crash_stray, .kind = kind_

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("crash-notification", "CLR-9", "abort() on a notification of the server's"),
     CRASH_OWN(is_notification)},
    {JRPC_CLIENT_ROW("crash-request", "CLR-9", "abort() on a call of the server's"),
     CRASH_OWN(is_call)},
    {JRPC_CLIENT_ROW("crash-unknown-id", "CLR-9", "abort() on an answer with an unknown id"),
     CRASH_STRAY(JRPC_STRAY_UNKNOWN_ID)},
    {JRPC_CLIENT_ROW("crash-second-answer", "CLR-9",
                     "abort() on a second answer, and on one that comes late"),
     CRASH_STRAY(JRPC_STRAY_OVER)},
    {JRPC_CLIENT_ROW("crash-refusal", "CLR-9",
                     "abort() on an error with id null that belongs to no call"),
     CRASH_STRAY(JRPC_STRAY_REFUSAL)},
    {JRPC_CLIENT_ROW("crash-invalid", "CLR-9", "abort() on JSON that is not a message"),
     CRASH_STRAY(JRPC_STRAY_INVALID)},
    {JRPC_CLIENT_ROW("crash-not-json", "CLR-9", "abort() on text that is not JSON"),
     .incoming = crash_rubbish},
    {JRPC_CLIENT_ROW("crash-empty", "CLR-9", "abort() on an empty message"),
     .incoming = crash_empty},
    {JRPC_CLIENT_ROW("crash-scalar", "CLR-9", "abort() on a message that is a scalar"),
     .incoming = crash_scalar},
    {JRPC_CLIENT_ROW("crash-empty-array", "CLR-9", "abort() on []"), .incoming = crash_empty_array},
    {JRPC_CLIENT_ROW("crash-deep", "CLR-9", "abort() on more than 500 open brackets"),
     .incoming = crash_deep},
    {JRPC_CLIENT_ROW("crash-long", "CLR-9", "abort() on more than 500 000 bytes"),
     .incoming = crash_long},
    {JRPC_CLIENT_ROW("crash-broken", "CLR-9", "abort() on an answer that breaks section 5"),
     .answer = crash_broken},
    {JRPC_CLIENT_ROW("crash-closed", "CLR-9",
                     "abort() when the connection ends with calls under way"),
     .answer = crash_closed},
    {JRPC_CLIENT_ROW("deaf-after-not-json", "CLR-9",
                     "after text that is not JSON nothing is read any more"),
     .incoming = deaf_after_rubbish},
    {JRPC_CLIENT_ROW("deaf-after-own", "CLR-9",
                     "after a message of the server's own nothing is read any more"),
     .incoming = deaf_after_own},
    {JRPC_CLIENT_ROW("request-as-answer", "CL-11",
                     "a request of the server's ends the call that has the same id"),
     .incoming = request_as_answer},
    {JRPC_CLIENT_ROW("padded-answer-lost", "CL-15",
                     "an answer with white space around it is not read"),
     .incoming = padded_refused},
    {JRPC_CLIENT_ROW("order-needed", "CL-15",
                     "an answer that does not begin with jsonrpc is not read"),
     .incoming = order_needed},
    {JRPC_CLIENT_ROW("extra-member-refused", "CL-15",
                     "an answer with a further member is not read"),
     .incoming = extra_refused},
    {JRPC_CLIENT_ROW("notification-unreported", "CLR-10",
                     "the server's notifications are not reported"),
     .own = own_lost, .is = is_notification},
    {JRPC_CLIENT_ROW("notification-lost-under-way", "CLR-12",
                     "the server's notifications are not reported while a call is under way"),
     .own = own_lost_under_way},
    {JRPC_CLIENT_ROW("request-unreported", "CLR-10", "the server's calls are not reported"),
     .own = own_lost, .is = is_call},
    {JRPC_CLIENT_ROW("request-unanswered", "CL-16", "the server's calls are not answered"),
     .send = never_answer},
    {JRPC_CLIENT_ROW("request-claimed", "CL-16",
                     "the server's calls of unknown methods are answered with null"),
     .outgoing = claim_success},
    {JRPC_CLIENT_ROW("request-answered-with-null-id", "CL-16",
                     "the server's calls are answered with id null"),
     .outgoing = answer_id},
    {JRPC_CLIENT_ROW("answer-with-both", "CL-18",
                     "the server's calls are answered with result and error"),
     .outgoing = answer_oddly, .spelling = "\"jsonrpc\":\"2.0\",\"result\":null"},
    {JRPC_CLIENT_ROW("answer-without-version", "CL-18",
                     "the server's calls are answered without jsonrpc"),
     .outgoing = answer_oddly, .spelling = "\"version\":2"},
    {JRPC_CLIENT_ROW("notification-answered", "CL-17",
                     "the server's notifications are answered with id null"),
     .incoming = answer_notifications},
    {JRPC_CLIENT_ROW("response-answered", "CL-17",
                     "a Response to no call is answered with an error"),
     .incoming = answer_responses},
};

const jrpc_client_fault_table jrpc_client_faults_survive = JRPC_CLIENT_FAULT_TABLE(rows);
