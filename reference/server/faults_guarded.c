// Faults in what is refused: denied calls, replays, signatures.
#include "reference/server/bend.h"

#include "reference/server/fixture.h"

// Of a message that sign_beginning looks at.
#define SIGNED_BYTES ((size_t)4)
// What once says to a known id.
#define KNOWN_ID "\"Id seen before\""

static void denied_takes_effect(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    if (jrpc_slice_is(call->method, "denied")) {
        atomic_fetch_add(&bend->connection->server->effects, 1);
    }
}

// Turns an error with the row's message into a success.
static void accept(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (jrpc_slice_is(response->message, bend->fault->spelling) &&
        (bend->fault->is == NULL || bend->fault->is(bend, message))) {
        response->code = response->message = response->data = JRPC_SLICE("");
        response->result = JRPC_SLICE("true");
    }
}

static bool is_denied(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return message != NULL && jrpc_json_string_is(message->method, JRPC_SLICE("denied"));
}

static bool is_overdue(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, "\"overdue\"");
}

// Refuses a call of once, after it took effect a second time.
static void repeat_effect(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (jrpc_slice_is(response->message, bend->fault->spelling)) {
        atomic_fetch_add(&bend->connection->server->effects, 1);
    }
}

static void accept_with_effect(jrpc_bend *bend, const jrpc_message *message,
                               jrpc_response *response)
{
    repeat_effect(bend, message, response);
    accept(bend, message, response);
}

static bool is_once(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return jrpc_bend_calls(bend, "\"once\"");
}

static void show_everybody(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (jrpc_bend_calls(bend, "\"debug\"")) {
        response->data = JRPC_SLICE(JRPC_DEBUG_DATA);
    }
}

static void sign_unasked(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    jrpc_slice message;
    if (!*ok || !jrpc_slice_is(call->method, "signed") ||
        !jrpc_json_string(call->arguments[0], bend->arena, &message)) {
        return;
    }
    char digits[JRPC_SIGNATURE_BYTES];
    jrpc_fixture_sign(message, digits);
    jrpc_slice right =
        jrpc_bend_quote(bend, jrpc_slice_of(digits, sizeof digits), JRPC_SLICE("null"));
    call->arguments[1] = jrpc_bend_json(bend, right);
}

// Only the beginning of a message is signed, and looked at.
static void sign_beginning(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    jrpc_slice message;
    bool concerned = jrpc_slice_is(call->method, "signed") || jrpc_slice_is(call->method, "sign");
    if (!*ok || !concerned || !jrpc_json_string(call->arguments[0], bend->arena, &message)) {
        return;
    }
    jrpc_slice first =
        jrpc_slice_of(message.ptr, message.len < SIGNED_BYTES ? message.len : SIGNED_BYTES);
    call->arguments[0] = jrpc_bend_json(bend, jrpc_bend_quote(bend, first, JRPC_SLICE("null")));
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("denied-served", "SEC-h", "a denied call is answered by true instead of an error"),
     .response = accept, .when = JRPC_OUTCOME_APPLICATION, .is = is_denied,
     .spelling = "\"Denied\""},
    {JRPC_ROW("overdue-served", "SEC-p", "a call that takes too long is answered by true"),
     .response = accept, .when = JRPC_OUTCOME_APPLICATION, .spelling = "\"Request timeout\""},
    {JRPC_ROW("overdue-silent", "SEC-p", "a call that takes too long is never answered"),
     .response = jrpc_row_withhold, .when = JRPC_OUTCOME_APPLICATION, .is = is_overdue},
    {JRPC_ROW("denied-has-effect", "SEC-h",
              "a denied call takes effect before its error is answered"),
     .bind = denied_takes_effect},
    {JRPC_ROW("replay-accepted", "SEC-f", "a nonce seen before is accepted again"),
     .response = accept, .when = JRPC_OUTCOME_APPLICATION, .spelling = "\"Nonce seen before\""},
    {JRPC_ROW("stale-accepted", "SEC-f", "a timestamp of any age is accepted"), .response = accept,
     .when = JRPC_OUTCOME_APPLICATION, .spelling = "\"Timestamp too old\""},
    {JRPC_ROW("id-replay-answered", "SEC-s",
              "once answers a call whose id was seen before as it did then, without effect"),
     .response = accept, .when = JRPC_OUTCOME_APPLICATION, .spelling = KNOWN_ID},
    {JRPC_ROW("id-replay-accepted", "SEC-q", "once takes effect again for an id seen before"),
     .response = accept_with_effect, .when = JRPC_OUTCOME_APPLICATION, .spelling = KNOWN_ID},
    {JRPC_ROW("id-replay-has-effect", "SEC-q",
              "once takes effect for an id seen before, and refuses it then"),
     .response = repeat_effect, .when = JRPC_OUTCOME_APPLICATION, .spelling = KNOWN_ID},
    {JRPC_ROW("id-replay-only", "SEC-q", "once refuses every call"),
     JRPC_ROW_MESSAGE(is_once, JRPC_DEED_REFUSE)},
    {JRPC_ROW("debug-shown-to-all", "SEC-r", "debug shows its stack trace to every identity"),
     .response = show_everybody, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("signature-unchecked", "SEC-i", "any signature is right, and so is none"),
     .bind = sign_unasked},
    {JRPC_ROW("signature-of-beginning", "SEC-i",
              "only the first four bytes of a message are signed, whatever comes after them"),
     .bind = sign_beginning},
};

const jrpc_fault_table jrpc_faults_guarded = JRPC_FAULT_TABLE(rows);
