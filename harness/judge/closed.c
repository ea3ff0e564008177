#include "harness/judge/closed.h"

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
