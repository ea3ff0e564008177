// From replies to a verdict on one case. Pure.
#ifndef JCK_PARSER_JUDGE_H
#define JCK_PARSER_JUDGE_H

#include "harness/judge/judge.h"
#include "harness/parser/weigh.h"

// One step of a case: the text that was sent, and the reply to it.
typedef struct jck_parser_exchange {
    jrpc_slice text;
    jck_reply reply;
} jck_parser_exchange;

// What cases are judged with.
typedef struct jck_bench {
    const jck_suite *suite;
    jck_scale *scale;
    // The parser reads one value and ignores whatever follows it: one deviation, reported under its
    // own rule, not again under the rule for each thing that may follow.
    bool ignores_rest;
} jck_bench;

// Judges the first `count` steps of a case; there may be more steps that were not sent, because one
// failed or the parser is slow. A deviation that breaks no rule of the case itself is reported
// under the rule that lists its class. Everything in the verdict lives in `arena`.
void jck_parser_judge(const jck_bench *bench, const jck_case *test_case,
                      const jck_parser_exchange *exchanges, size_t count, jrpc_arena *arena,
                      jck_verdict *ret_verdict);
// Sets the outcome from the findings of a verdict and from how the replies ended.
void jck_parser_conclude(const jck_parser_exchange *exchanges, size_t count, jck_verdict *verdict);
// Whether the class is what the step tests: the refusal of a text that must be accepted, or the
// other way round.
bool jck_is_about(const jck_step *step, jck_class class);
// Whether the step leaves the choice between refusing and accepting the text to the parser.
bool jck_is_choice(const jck_step *step, jck_class class);
// One sentence about a deviation, for use in a finding; in `arena`.
const char *jck_describe_deviation(const jck_weight *weight, const jck_loss *deviation,
                                   const jck_reply *reply, jrpc_arena *arena);

#endif
