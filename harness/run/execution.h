// One case of the plan on its way to a verdict: the attempts that were made at it, and what they
// amount to.
#ifndef JCK_RUN_EXECUTION_H
#define JCK_RUN_EXECUTION_H

#include "harness/evidence/evidence.h"
#include "harness/judge/judge.h"
#include "harness/suite/variables.h"

// One attempt: what was exchanged, and what the judge says of it. Lives on the heap, so that what
// points into it stays valid while the execution moves through the worker's queue.
typedef struct jck_attempt {
    struct jck_attempt *before; // an earlier attempt at the same case, owned; or NULL
    jrpc_arena arena;
    jck_variables variables;
    jck_evidence evidence;
    jck_verdict verdict;
    bool hasty; // something was waited for in vain, for less than the full time
    // The connection that is listened to for the rest of that time; 0: none.
    uint64_t listening;
    int64_t until_us;      // … until then; 0: it went mute, and the link knows until when
    int64_t long_until_us; // … where a long message may be answered after what follows it
} jck_attempt;

// How an execution came to its verdict. "In company" means after the cases before it, on the
// connection that they used; "alone" on a fresh one, with a quiet window where silence matters.
typedef enum jck_way {
    JCK_WAY_COMPANY,   // in company, and nothing speaks against that verdict
    JCK_WAY_ALIKE,     // in company; others of that kind were run alone and failed there as well
    JCK_WAY_ALONE,     // what was seen in company is seen alone as well
    JCK_WAY_AGAIN,     // not alone, but again in the same company on a fresh process: a finding
    JCK_WAY_REPEATED,  // not alone; in company it is of a kind that was found AGAIN before
    JCK_WAY_NEIGHBOUR, // not alone: what was seen belongs to another case, which reports it
    JCK_WAY_ONCE,      // only in company, and not again
    JCK_WAY_UNTRIED,   // only in company, and there was no time left to try again
} jck_way;
#define JCK_WAY_COUNT (JCK_WAY_UNTRIED + 1)

// What an execution owes to the cases before it.
typedef struct jck_company {
    jck_way way;
    // AGAIN: the cases after which it fails, as few as were found; REPEATED and NEIGHBOUR: the one
    // that has the finding.
    const jck_case *const *cases; // in the attempt's arena
    size_t case_count;
    const jck_message *messages; // AGAIN: what those cases sent, and the case itself
    size_t message_count;
} jck_company;

typedef struct jck_execution {
    struct jck_execution *next; // in the worker's queue
    const jck_case *test_case;
    const char *kind; // "case" or "ground"
    // The attempt whose verdict stands; the others that were made hang on its `before`.
    jck_attempt *attempt;
    jck_outcome outcome;
    jck_reason reason; // why there is no verdict; code NONE where there is one
    bool judged;       // `attempt` has a verdict
    bool pending;      // its verdict stands if nothing comes where the attempt is listening
    jck_company company;
} jck_execution;

// A new execution, nothing attempted yet; NULL when memory is out.
jck_execution *jck_execution_new(const jck_case *test_case, const char *kind);
void jck_execution_free(jck_execution *execution); // with its attempts; NULL is fine
// An empty attempt; NULL when memory is out.
jck_attempt *jck_attempt_new(const jck_case *test_case, const jck_target *target, uint32_t nonce,
                             uint32_t serial);
void jck_attempt_free(jck_attempt *attempt); // with those before it; NULL is fine
// Puts an attempt (owned from now on) in the place of the one that stood, which is kept.
void jck_execution_decide(jck_execution *execution, jck_attempt *attempt, jck_way way);
// Draws the outcome from the attempt that stands, after that was judged anew.
void jck_execution_conclude(jck_execution *execution);

// Whether the verdict of an attempt accuses the target of anything.
bool jck_attempt_accuses(const jck_attempt *attempt);
// Whether the process behind the target ended in the attempt as none should.
bool jck_attempt_crashed(const jck_attempt *attempt);
// Whether nothing in the record can have come from, or be missing because of, another execution:
// every answer carries an id of this one, and the connection is in order.
bool jck_attempt_is_attributed(const jck_attempt *attempt);
// Whether it is accused because nothing came, though what was sent later was answered: a target
// that works on several calls at once may only be slower with this one.
bool jck_attempt_was_overtaken(const jck_attempt *attempt);
// The first message of the case that carries no id of this attempt; NULL if there is none.
const jck_message *jck_attempt_foreign(const jck_attempt *attempt);
// Whether a step has its own answer, and one that carries no id of this attempt beside it: that may
// be the late answer to another case.
bool jck_attempt_has_surplus(const jck_attempt *attempt);
// Whether `again` shows what `seen` showed: the same end, or a finding of the same rule.
bool jck_attempt_repeats(const jck_attempt *again, const jck_attempt *seen);
// How often a message with these bytes came in the attempt and was counted as the case's.
size_t jck_attempt_heard(const jck_attempt *attempt, jrpc_slice bytes);
// Whether it went mute because every answer comes one message late: what was sent last is not
// answered, and everything before it was, each time after the next message had gone out.
bool jck_attempt_lags(const jck_attempt *attempt);
// Whether it was run in company, owed silence and kept it, as far as can be seen so far: something
// may still come late.
bool jck_execution_kept_silence(const jck_execution *execution);
// Whether silence is right, or part of what is right, somewhere in the case.
bool jck_case_owes_silence(const jck_case *test_case);

#endif
