// How a disagreement between parsers is reported. Private to the parser room.
#ifndef JCK_PARSER_AGAINST_REPORT_H
#define JCK_PARSER_AGAINST_REPORT_H

#include "harness/parser/contrast.h"
#include "harness/parser/run_state.h"

typedef struct jck_compared {
    size_t texts, differing;
    size_t apart[JCK_SIDES_MAX]; // texts that this side read otherwise than the target
    size_t reported;
} jck_compared;

typedef struct jck_disagreement {
    jrpc_slice text;
    const jck_case *origin; // the case that the text comes from, whole or reduced; NULL: none
    const jck_contrast *contrast;
    const jck_reply *replies; // one of each side
} jck_disagreement;

// Reports the disagreement as a case of its own: findings for the rules that the target breaks, and
// an observation that says whose fault it is. False: stop.
bool jck_against_report(jck_parser_run_state *run, jck_compared *sum,
                        const jck_disagreement *disagreement);
// Reports the number of texts.
void jck_against_report_sum(jck_parser_run_state *run, const jck_compared *sum);

#endif
