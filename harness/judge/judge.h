// The judge: evidence in, findings and one outcome out. Pure: no I/O, no time, no state.
#ifndef JCK_JUDGE_JUDGE_H
#define JCK_JUDGE_JUDGE_H

#include "harness/evidence/evidence.h"
#include "harness/judge/finding.h"
#include "harness/suite/suite.h"
#include "harness/suite/variables.h"

// Outcomes from best to worst.
typedef enum jck_outcome {
    JCK_OUTCOME_PASS,
    JCK_OUTCOME_SKIP,
    JCK_OUTCOME_OBSERVE,
    JCK_OUTCOME_WARN,
    JCK_OUTCOME_BLOCKED,
    JCK_OUTCOME_FAIL,
    JCK_OUTCOME_ENDED, // an orderly exit; no failure on its own
    JCK_OUTCOME_STUCK,
    JCK_OUTCOME_HANG,
    JCK_OUTCOME_CRASH,
    JCK_OUTCOME_ERROR, // the harness itself
} jck_outcome;
#define JCK_OUTCOME_COUNT (JCK_OUTCOME_ERROR + 1)

const char *jck_outcome_name(jck_outcome outcome); // "pass", …

// How a target refuses all calls with params of a certain shape.
typedef struct jck_refusal {
    bool silent;   // by not answering
    bool by_error; // by an error with this code and a message with this hash
    int64_t code;
    uint64_t message;
} jck_refusal;

// What the ground cases showed about this target, so that a root cause counts once.
typedef struct jck_calibration {
    // How the target answers a call of a method that does not exist, if not with -32601: that
    // answer counts as "method not found" in all cases that do not test J2-5.1f itself.
    bool absent_answers;      // it answers at all
    bool absent_code_differs; // with error code `absent_code`
    int64_t absent_code;
    bool absent_gives_result;      // with a result
    bool batches_refused;          // it answers a batch with one error of code -32600
    bool joins_messages;           // it does not serve two messages that come in one write
    jck_refusal positional, named; // how it refuses such a call because of the shape of its params
    const jrpc_slice *broken;      // rules about which their ground case has a finding
    size_t broken_count;
} jck_calibration;

// Whether the ground case of a rule has shown that the target breaks it.
bool jck_is_broken(const jck_calibration *calibration, jrpc_slice rule);

typedef struct jck_verdict {
    jck_outcome outcome;
    bool conformant; // no MUST broken, no crash, hang or stuck
    // BLOCKED: the driver of a client broke its protocol, and how; else NULL.
    const char *driver_mistake;
    jrpc_slice blocked_by; // BLOCKED: the broken rule that the case depends on; else empty
    jck_findings findings;
} jck_verdict;

// Sets outcome and conformity from the findings of a verdict: the outcome is `least`, or worse if a
// finding requires it. `end` is the outcome of the end of the exchange alone; it affects only the
// conformity.
void jck_verdict_weigh(jck_verdict *verdict, jck_outcome least, jck_outcome end);

// Judges one execution. `variables` must be those that the session used (same nonce and serial,
// captures included). `calibration` may be NULL (as for ground cases). Everything in the verdict
// lives in `arena`. A verdict whose findings ran out of memory is JCK_OUTCOME_ERROR.
void jck_judge(const jck_suite *suite, const jck_case *test_case, jck_variables *variables,
               const jck_evidence *evidence, const jck_calibration *calibration, jrpc_arena *arena,
               jck_verdict *ret_verdict);

#endif
