#include "harness/judge/transport.h"

#include "harness/judge/envelope.h"
#include "harness/judge/http.h"
#include "harness/judge/response.h"
#include "reference/json/equal.h"

#include <limits.h>

// Whether the process exited by itself, but not with the expected exit status.
static bool has_another_status(const jck_evidence *evidence, const jck_expect *expect)
{
    return expect->with_status && evidence->process_gone && evidence->end.kind == JRPC_END_EXITED &&
           evidence->end.value != expect->status;
}

bool jck_is_closed(const jck_trial *trial, const jck_expect *expect, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    // Over WebSocket a close is answered with a close (RFC 6455, section 5.5.1).
    bool answered = !trial->test_case->steps[answers->step].manner.close ||
                    evidence->end.kind == JRPC_END_WS_CLOSE;
    return answers->count == 0 && !answers->unreadable &&
           evidence->settled[answers->step] == JCK_GONE && answered &&
           (!evidence->process_gone || evidence->orderly) && !has_another_status(evidence, expect);
}

void jck_judge_closed(jck_trial *trial, const jck_expect *expect, const jck_answers *answers)
{
    jrpc_slice rule = trial->test_case->rules[0];
    if (jck_is_closed(trial, expect, answers)) {
        return;
    }
    if (has_another_status(trial->evidence, expect)) {
        jck_add_finding_of(trial->findings, answers->step, rule,
                           "expected exit status %d; the process ended with status %d",
                           expect->status, trial->evidence->end.value);
        return;
    }
    jck_add_finding_of(trial->findings, answers->step, rule, "%s",
                       trial->test_case->steps[answers->step].manner.close
                           ? "expected a close in answer to the close, and nothing else"
                           : "expected the connection to be closed without a Response");
}

bool jck_is_closed_for_size(const jck_trial *trial, const jck_answers *answers)
{
    enum { MESSAGE_TOO_BIG = 1009 };
    const jck_evidence *evidence = trial->evidence;
    return evidence->settled[answers->step] == JCK_GONE &&
           evidence->end.kind == JRPC_END_WS_CLOSE && evidence->end.value == MESSAGE_TOO_BIG &&
           jck_sent_long(trial, INT_MIN, answers->step, '\0');
}

bool jck_is_closed_after_refusal(const jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    bool closed = evidence->settled[answers->step] == JCK_GONE &&
                  (!evidence->process_gone || evidence->orderly) &&
                  jck_sent_long(trial, INT_MIN, answers->step, answers->connection);
    bool refused = false;
    for (size_t i = 0; closed && i < answers->count && !refused; i++) {
        refused = jck_code_of(answers->replies[i]) != 0 &&
                  jrpc_json_is(jrpc_json_get(answers->replies[i], "id"), JRPC_JSON_NULL);
    }
    return refused;
}

bool jck_is_refused_for_size(const jck_trial *trial, const jck_answers *answers)
{
    return jck_is_closed_for_size(trial, answers) ||
           jck_refused_for_size(trial, answers->step, answers->connection);
}

// The role of the rule that a flaw breaks. Transports of whole messages have frames instead of
// headers.
static jck_role role_of_flaw(const jck_evidence *evidence, const jck_message *message)
{
    switch (message->flaw_of) {
    case JRPC_FLAW_CLOSE:
        return JCK_ROLE_FRAME_CLOSE;
    case JRPC_FLAW_END:
        return JCK_ROLE_FRAME_END;
    case JRPC_FLAW_HANDSHAKE:
        return JCK_ROLE_HANDSHAKE_ANSWER;
    case JRPC_FLAW_LENGTH:
    case JRPC_FLAW_SHORT:
        return JCK_ROLE_HTTP_LENGTH;
    case JRPC_FLAW_FIELDS:
        return JCK_ROLE_HTTP_FIELDS;
    case JRPC_FLAW_FRAME:
    case JRPC_FLAW_BREAK:
    case JRPC_FLAW_HOST: // of a client
    case JRPC_FLAW_PONG:
    case JRPC_FLAW_GOES_ON:
    case JRPC_FLAW_UNASKED:
        break;
    }
    return evidence->of_messages ? JCK_ROLE_FRAME_FORM : JCK_ROLE_FRAME_HEAD;
}

void jck_add_flaw(jck_trial *trial, const jck_message *message)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, message->step, role_of_flaw(trial->evidence, message), "%s",
                    message->flaw);
    // Servers send back any status code that they are sent: one difference, whatever the code.
    jck_name_difference(trial->findings, before, "%s",
                        message->flaw_of == JRPC_FLAW_CLOSE ? "a Close that must not be sent"
                                                            : message->flaw);
}

bool jck_is_about_frames(const jck_rule *rule)
{
    static const jck_role roles[] = {JCK_ROLE_FRAME_FORM, JCK_ROLE_FRAME_CLOSE, JCK_ROLE_FRAME_END,
                                     JCK_ROLE_HANDSHAKE_ANSWER, JCK_ROLE_PONG};
    bool found = false;
    for (size_t i = 0; i < sizeof roles / sizeof *roles && rule != NULL; i++) {
        found = found || jck_rule_has_role(rule, roles[i]);
    }
    return found;
}

// Whether a Response answers a fence that was never sent on the connection on which it came.
static bool is_of_fence(const jck_trial *trial, jrpc_json response)
{
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->bytes.ptr == response.document->text.ptr) {
            return message->direction == JCK_RECEIVED && message->fence == JCK_FENCE_INVENTED;
        }
    }
    return false;
}

// Whether a fence or a call with this id, which is not null, was sent on a connection other than
// this one.
static bool was_sent_elsewhere(jck_trial *trial, char connection, jrpc_json id)
{
    bool named = jrpc_json_exists(id) && !jrpc_json_is(id, JRPC_JSON_NULL);
    jck_sent_walk walk = jck_walk_sent_on(trial, '\0');
    while (named && jck_sent_step(&walk)) {
        if (walk.message->connection != connection &&
            jrpc_json_equal(jrpc_json_get(walk.value, "id"), id)) {
            return true;
        }
    }
    return false;
}

// Whether a message that is too deep to be read, or is not JSON, was sent on the connection and
// contains the id.
static bool may_be_in_unreadable(jck_trial *trial, char connection, jrpc_json id)
{
    jck_sent_walk walk = jck_walk_sent_on(trial, connection);
    while (jck_sent_step(&walk)) {
        if (!jrpc_json_exists(walk.value) &&
            jrpc_slice_contains(walk.message->bytes, jrpc_json_spelling(id))) {
            return true;
        }
    }
    return false;
}

bool jck_is_of_another_connection(jck_trial *trial, char connection, jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    return jrpc_json_exists(id) && trial->several_connections && !jck_is_parse_error(response) &&
           !jck_was_sent(trial, connection, id) &&
           (jck_is_id_of_ours(id) || is_of_fence(trial, response) ||
            was_sent_elsewhere(trial, connection, id)) &&
           !may_be_in_unreadable(trial, connection, id);
}

bool jck_is_fence_of_another_connection(jck_trial *trial, const jck_message *message)
{
    const jck_target *target = trial->variables->target;
    bool several = trial->several_connections || (target != NULL && target->command == NULL);
    // Its id cannot be guessed, so that the fence was sent somewhere.
    return message->direction == JCK_RECEIVED && message->fence == JCK_FENCE_INVENTED && several &&
           !jck_is_parse_error(jck_trial_read(trial, message->bytes, NULL));
}

void jck_add_foreign(jck_trial *trial, int step, jrpc_json response)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, step, JCK_ROLE_OWN_CONNECTION,
                    "a Response to a call on another connection came here: %s",
                    jck_shown(trial, response));
    jck_name_difference(trial->findings, before, JCK_DIFFERENCE_FOREIGN);
}

bool jck_add_if_foreign(jck_trial *trial, const jck_answers *answers, jrpc_json response,
                        bool answered)
{
    bool foreign =
        jck_is_of_another_connection(trial, answers->connection, response) ||
        (answered && was_sent_elsewhere(trial, answers->connection, jrpc_json_get(response, "id")));
    if (foreign) {
        jck_add_foreign(trial, answers->step, response);
    }
    return foreign;
}

// Whether a reply with the id of the step's call follows another one, and the same id is in use on
// another connection: then one of the two is the answer to the call there.
static bool is_of_namesake(jck_trial *trial, const jck_answers *answers, size_t kept,
                           jrpc_json reply)
{
    jrpc_json id = jrpc_json_get(reply, "id");
    return kept > 0 && answers->owed.id_sent && jrpc_json_equal(id, answers->owed.id) &&
           jrpc_json_equal(id, jrpc_json_get(answers->replies[kept - 1], "id")) &&
           was_sent_elsewhere(trial, answers->connection, id);
}

void jck_fold_foreign(jck_trial *trial, jck_answers *answers)
{
    size_t kept = 0;
    jrpc_json foreign = JRPC_JSON_ABSENT;
    for (size_t i = 0; i < answers->count; i++) {
        if (jck_is_of_another_connection(trial, answers->connection, answers->replies[i]) ||
            is_of_namesake(trial, answers, kept, answers->replies[i])) {
            foreign = answers->replies[i];
        } else {
            answers->replies[kept++] = answers->replies[i];
        }
    }
    bool came = answers->count > 0;
    for (size_t i = 0; kept == 0 && i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        came = came || (jck_evidence_is_answer(message, answers->step, answers->connection) &&
                        jck_is_fence_of_another_connection(trial, message));
    }
    answers->displaced = answers->displaced || (kept == 0 && came);
    answers->count = kept;
    if (jrpc_json_exists(foreign)) {
        jck_add_foreign(trial, answers->step, foreign);
    }
}

void jck_judge_elsewhere(jck_trial *trial, const jck_message *message, bool taken)
{
    bool mute = trial->evidence->muteness == JCK_STUCK;
    if (message->role == JCK_MESSAGE_NOISE || message->role == JCK_MESSAGE_OF_OPENING ||
        (taken && !mute) || !trial->several_connections) {
        return;
    }
    jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
    jrpc_json id = jrpc_json_get(value, "id");
    bool positive = jck_answer_kind_of(value) == JCK_ANSWER_RESPONSE &&
                    !jck_was_sent(trial, message->connection, id) &&
                    was_sent_elsewhere(trial, message->connection, id);
    if (positive || (mute && message->role == JCK_MESSAGE_OF_CASE &&
                     jck_is_of_another_connection(trial, message->connection, value))) {
        jck_add_foreign(trial, message->step, value);
    }
}

// Whether an address belongs to this machine.
static bool is_near(jrpc_slice host)
{
    static const char *const near[] = {"127.", "localhost", "[::1]", "::1"};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        if (jrpc_slice_starts_with(host, jrpc_slice_str(near[i]))) {
            return true;
        }
    }
    return false;
}

void jck_observe_encryption(jck_trial *trial)
{
    static const char *const plain[] = {"http://", "ws://", "tcp://"};
    const jck_target *target = trial->variables->target;
    if (target == NULL) {
        return;
    }
    jrpc_slice host = jrpc_slice_str(target->host == NULL ? "" : target->host);
    for (size_t i = 0; target->url != NULL && i < sizeof plain / sizeof plain[0]; i++) {
        jrpc_slice scheme = jrpc_slice_str(plain[i]);
        if (jrpc_slice_starts_with(jrpc_slice_str(target->url), scheme)) {
            host = jrpc_slice_from(jrpc_slice_str(target->url), scheme.len);
        }
    }
    // The last question looks at every rule.
    if (host.len > 0 && !is_near(host) &&
        jck_case_is_ground_of(trial->findings->suite, trial->test_case,
                              JCK_ROLE_METHOD_NOT_FOUND)) {
        jck_observe_role(trial->findings, JCK_ROLE_ENCRYPTION, JRPC_SLICE("unencrypted"));
    }
}
