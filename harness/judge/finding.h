// What the judge records: findings (a rule was broken, and how) and observations (what a target
// chose where the specification leaves it open).
#ifndef JCK_JUDGE_FINDING_H
#define JCK_JUDGE_FINDING_H

#include "harness/evidence/evidence.h"
#include "harness/suite/suite.h"
#include "reference/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// What would have been right for a step of a case: an example of every answer that it accepts.
typedef enum jck_example_kind {
    JCK_EXAMPLE_RESPONSE, // one Response, spelled out in `text`
    JCK_EXAMPLE_BATCH,    // one Array of Responses, in any order unless the case says otherwise
    JCK_EXAMPLE_NOTHING,  // no answer
    JCK_EXAMPLE_CLOSED,   // the connection closed, without an answer
    JCK_EXAMPLE_MESSAGE,  // a message that belongs to the step; all of this kind are expected
    JCK_EXAMPLE_HTTP,     // members of the HTTP answer
    JCK_EXAMPLE_ALIVE,    // any answer is right, but the target must keep working
} jck_example_kind;
#define JCK_EXAMPLE_KINDS (JCK_EXAMPLE_ALIVE + 1)

typedef struct jck_example {
    jck_example_kind kind;
    // JSON, with … for whatever the target may choose; empty if the kind says everything.
    jrpc_slice text;
} jck_example;

// "response", "batch", … in the order of the kinds.
const char *jck_example_word(jck_example_kind kind);

// What was received in the step of a finding.
typedef enum jck_came {
    JCK_CAME_NOTHING,
    JCK_CAME_ANSWER, // one message or more
    JCK_CAME_CLOSED, // nothing, and the connection ended
    JCK_CAME_EXITED, // nothing, and the process ended
} jck_came;
#define JCK_CAME_KINDS (JCK_CAME_EXITED + 1)

const char *jck_came_word(jck_came came); // "nothing", "answer", "closed", "exited"

// The most examples that are given, and their maximum length.
#define JCK_EXAMPLES_MAX ((size_t)4)
#define JCK_EXAMPLE_BYTES ((size_t)4096)

// What a finding is about, as far as that determines what would have been right.
typedef enum jck_about {
    JCK_ABOUT_ANSWER, // the answer to a step, or its absence
    JCK_ABOUT_HTTP,   // the HTTP response around it
    JCK_ABOUT_END,    // the target ended, fell silent, or writes without end
} jck_about;

// The name of the difference if an answer came only when the next message was sent. On a busy
// machine this may be chance.
#define JCK_WITHHELD "an answer withheld until the next message"

typedef struct jck_finding {
    jrpc_slice rule;
    jck_level level;
    jrpc_slice text; // one sentence; printable
    int step;
    // The ground case of this rule has already shown that the target breaks it everywhere: kept for
    // the record, without effect on the outcome (a root cause counts once).
    bool known;
    // The run has reported the same difference several times before (repeats.h): kept for the
    // record as well, but it counts.
    bool repeats;
    // What distinguishes this difference from others if its text does not (see
    // jck_name_difference).
    jrpc_slice difference;
    jck_about about;
    // What would have been right in this step, and what was received: filled in if the finding
    // counts.
    const jck_example *expected;
    size_t expected_count;
    jck_came came;
} jck_finding;

typedef struct jck_observation {
    jrpc_slice name;  // the rule, or a topic such as "invalid-request-id"
    jrpc_slice value; // "refused", "null", …
} jck_observation;

// Findings and observations of one case; grows in an arena.
typedef struct jck_findings {
    jrpc_arena *arena;                  // borrowed
    const jck_suite *suite;             // borrowed: rules and their levels
    const jck_case *test_case;          // borrowed
    const jck_specification *judged_by; // borrowed: the rules that have the roles; NULL if none
    jck_finding *items;
    size_t count;
    size_t capacity;
    jck_observation *observations;
    size_t observation_count;
    size_t observation_capacity;
    bool failed; // out of memory: the verdict is an error of the harness
} jck_findings;

void jck_findings_init(jck_findings *findings, jrpc_arena *arena, const jck_suite *suite,
                       const jck_case *test_case);
// The rule that has a role for the case, or the case's own first rule if none has.
jrpc_slice jck_findings_rule(const jck_findings *findings, jck_role role);
// Adds a finding for the rule that has `role`, with the level of the rule in this case. If no rule
// has the role, the case's own first rule gets the finding, at most at the level of the role. A
// rule gets at most one finding per step, and none if a profile has switched it off.
void jck_add_finding(jck_findings *findings, int step, jck_role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same with a level chosen by the caller, or the level set by a profile if that is lower.
void jck_add_finding_at(jck_findings *findings, int step, jck_role role, jck_level level,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));
// Both for a rule given by its id. A rule that the catalogue does not know counts as MUST.
void jck_add_finding_of(jck_findings *findings, int step, jrpc_slice rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void jck_add_finding_of_at(jck_findings *findings, int step, jrpc_slice rule, jck_level level,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));
// Names the difference that the findings from `first` on report: the run treats findings with the
// same name as the same difference, whatever their texts quote and under any rule.
void jck_name_difference(jck_findings *findings, size_t first, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Whether one of the findings from `first` on reports the difference of this name.
bool jck_has_difference(const jck_findings *findings, size_t first, const char *name);
// The name of the difference that a result was received where an error is required: the method's
// value is simply returned, so the result itself means nothing.
#define JCK_DIFFERENCE_RESULT "a result where an error is owed"
// The name of the difference that a text was read which is not JSON.
#define JCK_DIFFERENCE_READ "a text that is not JSON was read"
// The name of the difference that a message which is not a valid Request was carried out as a call.
#define JCK_DIFFERENCE_SERVED "a message that is not a valid Request was served"
// The name of the difference that a Response to a call on another connection was received.
#define JCK_DIFFERENCE_FOREIGN "a Response on another connection"
// The name of the difference that something that is not JSON was received where nothing is due.
#define JCK_DIFFERENCE_NOISE_FOR_SILENCE "silence broken by what is not JSON"
// The name of the difference that a client rounds numbers, or has null for those out of its range.
#define JCK_DIFFERENCE_ROUNDED "numbers that a double cannot hold are changed"
// The name of the difference that one message got its answer twice.
#define JCK_DIFFERENCE_TWICE "a call answered twice"
// The name of the difference that one of several calls under way got no answer.
#define JCK_DIFFERENCE_LOST "a concurrent call without its answer"
// The name of the difference that an answer has the id of another call.
#define JCK_DIFFERENCE_OTHER_ID "the id of another call"
// How the text of a finding begins if HTTP answered a message, but not with a Response.
#define JCK_TEXT_NO_RESPONSE "the HTTP answer carries no Response"
// How the name of a difference begins that is about an error that was received; takes its code.
#define JCK_DIFFERENCE_ERROR "error %lld "
// The code in such a name; 0 if the name begins differently.
int64_t jck_difference_code(jrpc_slice difference);
// Adds an observation under the rule that has `role`; does nothing if none has.
void jck_observe_role(jck_findings *findings, jck_role role, jrpc_slice value);
// Whether this value was observed under this name.
bool jck_has_observed(const jck_findings *findings, const char *name, const char *value);
// Adds an observation (copied), unless it is already there with the same value.
void jck_observe(jck_findings *findings, jrpc_slice name, jrpc_slice value);
void jck_observe_count(jck_findings *findings, const char *name, size_t count);

#endif
