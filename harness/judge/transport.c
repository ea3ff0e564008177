#include "harness/judge/transport.h"

#include "harness/judge/http.h"

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
    enum { MESSAGE_TOO_BIG = 1009, LEAST_LIMIT = 4096 };
    const jck_evidence *evidence = trial->evidence;
    return evidence->settled[answers->step] == JCK_GONE &&
           evidence->end.kind == JRPC_END_WS_CLOSE && evidence->end.value == MESSAGE_TOO_BIG &&
           answers->sent.len > LEAST_LIMIT;
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
        break;
    }
    return evidence->of_messages ? JCK_ROLE_FRAME_FORM : JCK_ROLE_FRAME_HEAD;
}

void jck_add_flaw(jck_trial *trial, const jck_message *message)
{
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, message->step, role_of_flaw(trial->evidence, message), "%s",
                    message->flaw);
    jck_name_difference(trial->findings, before, "%s", message->flaw);
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
