// From replies to a verdict on one case. Pure.
#ifndef JCK_PARSER_JUDGE_H
#define JCK_PARSER_JUDGE_H

#include "harness/judge/judge.h"
#include "harness/parser/weigh.h"

// One step of a case: the text that went out, and what came of it.
typedef struct jck_tried {
    jrpc_slice text;
    jck_reply reply;
} jck_tried;

// Judges the first `count` steps of a case; fewer than it has where one of them failed. What breaks
// no rule of the case itself is held against the rule that lists its class. Everything in the
// verdict lives in `arena`.
void jck_parser_judge(const jck_suite *suite, const jck_case *test_case, const jck_tried *tried,
                      size_t count, jck_scale *scale, jrpc_arena *arena, jck_verdict *ret_verdict);
// One sentence about a deed, as findings have it; in `arena`.
const char *jck_describe_deed(const jck_weight *weight, const jck_loss *deed,
                              const jck_reply *reply, jrpc_arena *arena);

#endif
