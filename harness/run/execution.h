// One case of the plan on its way to a verdict: the attempts made at it, and what follows from
// them.
#ifndef JCK_RUN_EXECUTION_H
#define JCK_RUN_EXECUTION_H

#include "harness/evidence/evidence.h"
#include "harness/judge/judge.h"
#include "harness/suite/variables.h"

// One attempt: what was exchanged, and the judge's verdict on it. Lives on the heap, so that
// pointers into it stay valid while the execution moves through the worker's queue.
typedef struct jck_attempt {
    struct jck_attempt *before; // an earlier attempt at the same case, owned; or NULL
    jrpc_arena arena;
    jck_variables variables;
    jck_evidence evidence;
    jck_verdict verdict;
    bool hasty; // a wait shorter than the full time ended in vain
    // The connection that is listened to for the rest of the full time; 0: none.
    uint64_t listening;
    int64_t full_ms;       // the full time, as far as it is known
    bool waits_in_full;    // `until_us` is when that is over
    int64_t until_us;      // … until then; 0: it went mute, and the link knows how long
    int64_t long_until_us; // … if a long message may be answered after later ones
} jck_attempt;

// How an execution came to its verdict. "In company" means after the cases before it, on the
// connection that they used; "alone" on a fresh one, with a quiet window where silence matters.
typedef enum jck_way {
    JCK_WAY_COMPANY,   // in company, and there is no reason to doubt that verdict
    JCK_WAY_ALIKE,     // in company; others of that kind also failed alone
    JCK_WAY_ALONE,     // seen in company, and alone as well
    JCK_WAY_AGAIN,     // not alone, but again in the same company on a fresh process: a finding
    JCK_WAY_REPEATED,  // not alone, but of a kind for which the verdict AGAIN was reached before
    JCK_WAY_NEIGHBOUR, // not alone: what was seen belongs to another case, which reports it
    JCK_WAY_ONCE,      // only in company, and did not appear again
    JCK_WAY_UNTRIED,   // only in company, and there was no time left to try again
} jck_way;
#define JCK_WAY_COUNT (JCK_WAY_UNTRIED + 1)

// What part earlier cases had in the verdict on an execution.
typedef struct jck_company {
    jck_way way;
    // AGAIN: the cases after which it fails, reduced to few; REPEATED and NEIGHBOUR: the case that
    // has the finding.
    const jck_case *const *cases; // in the attempt's arena
    size_t case_count;
    const jck_message *messages; // AGAIN: what those cases and the case itself sent
    size_t message_count;
} jck_company;

typedef struct jck_execution {
    struct jck_execution *next; // in the worker's queue
    const jck_case *test_case;
    const char *kind; // "case" or "ground"
    // The attempt whose verdict counts; earlier ones are linked by its `before`.
    jck_attempt *attempt;
    jck_outcome outcome;
    jck_reason reason; // why there is no verdict; code NONE if there is one
    bool judged;       // `attempt` has a verdict
    bool pending;      // its verdict is final once nothing came where the attempt is listening
    bool fate_noted;   // what it did to the target is counted
    bool again;        // it was run once more, because listening did not settle its verdict
    // A ground case whose verdict may still change, and what it has taught by then: its outcome,
    // and how many messages it received (see provisional.h).
    bool provisional;
    jck_outcome taught;
    size_t taught_by;
    jck_company company;
} jck_execution;

// A new execution without an attempt; NULL when memory is out.
jck_execution *jck_execution_new(const jck_case *test_case, const char *kind);
void jck_execution_free(jck_execution *execution); // and its attempts; accepts NULL
// An empty attempt; NULL when memory is out.
jck_attempt *jck_attempt_new(const jck_case *test_case, const jck_target *target, uint32_t nonce,
                             uint32_t serial);
void jck_attempt_free(jck_attempt *attempt); // and the earlier ones; accepts NULL
// Makes an attempt (owned from now on) the one that counts; the previous one is kept as earlier.
void jck_execution_decide(jck_execution *execution, jck_attempt *attempt, jck_way way);
// Sets the outcome from the attempt that counts, after it was judged again.
void jck_execution_conclude(jck_execution *execution);

// Whether the verdict on an attempt holds anything against the target: a warning or worse.
bool jck_attempt_has_finding(const jck_attempt *attempt);
// Whether the target's process ended during the attempt, and not in an orderly way.
bool jck_attempt_crashed(const jck_attempt *attempt);
// Whether no other execution can have caused anything that is in the record or is missing from it:
// every answer carries an id of this one, and the connection is in order.
bool jck_attempt_is_attributed(const jck_attempt *attempt);
// Whether a finding, even one that is only recorded, is about a step that waits for messages of the
// target's own, and some came: an earlier case may have asked for them.
bool jck_attempt_may_hear_earlier(const jck_attempt *attempt, const jck_case *test_case);
// The first finding with weight; NULL if there is none.
const jck_finding *jck_attempt_first_finding(const jck_attempt *attempt);
// Whether an Internal error, or one that the target defines, came in the place of another answer:
// what was sent before may be at fault, and not what the case sent.
bool jck_attempt_is_own_error(const jck_attempt *attempt);
// Whether it fails because nothing came, although later messages were answered: a target that works
// on several calls at once may only be slower with this one.
bool jck_attempt_was_overtaken(const jck_attempt *attempt);
// Whether it only fails because the answer did not come until the next message was sent.
bool jck_attempt_was_withheld(const jck_attempt *attempt);
// Whether its findings, if any, need a second look: it waited less than the full time, the answer
// is an error of the target's own or may belong to another case, or only the next message released
// it.
bool jck_attempt_is_doubtful(const jck_attempt *attempt);
// Whether an answer to the case came after the answer to a later fence: the target works on several
// calls at once, and needs longer for this one.
bool jck_attempt_outlasts_fence(const jck_attempt *attempt);
// The first message of the case that carries no id of this attempt and may be the answer to another
// case; NULL if there is none. Requests and notifications of the target's own are not answers.
const jck_message *jck_attempt_foreign(const jck_attempt *attempt);
// How many steps sent a message that is or may be owed an answer, and have received nothing.
size_t jck_attempt_left_open(const jck_attempt *attempt);
// Whether a step has its own answer and also one that carries no id of this attempt, which may be
// the late answer to another case.
bool jck_attempt_has_surplus(const jck_attempt *attempt);
// Whether `again` shows what `seen` showed: the same end, or a finding of the same rule.
bool jck_attempt_repeats(const jck_attempt *again, const jck_attempt *seen);
// How often a message with these bytes came during the attempt and was counted as the case's.
size_t jck_attempt_heard(const jck_attempt *attempt, jrpc_slice bytes);
// How many messages came during the attempt and were counted as the case's.
size_t jck_attempt_heard_all(const jck_attempt *attempt);
// Whether it went mute because every answer comes one message late: what was sent last is not
// answered, and everything before it was, each time after the next message had gone out.
bool jck_attempt_lags(const jck_attempt *attempt);
// Whether it was run in company, was owed no answer and has got none so far: one may still come
// late.
bool jck_execution_kept_silence(const jck_execution *execution);
// Whether silence is right, or part of what is right, anywhere in the case.
bool jck_case_owes_silence(const jck_case *test_case);

#endif
