// What a run of cases and a fuzzing run share: open adapters, a ledger, and the stream from start
// to finish. Private to the parser room.
#ifndef JCK_PARSER_RUN_STATE_H
#define JCK_PARSER_RUN_STATE_H

#include "harness/parser/adapter.h"
#include "harness/parser/contrast.h"
#include "harness/parser/judge.h"
#include "harness/run/ledger.h"
#include "harness/run/plan.h"

// Cases whose texts are sent together.
#define JCK_BATCH_CASES 1024

// The state of a run.
typedef struct jck_parser_run_state {
    const jck_run_options *options;
    jck_ledger ledger;
    jck_plan plan;
    jck_adapter *adapter;
    jck_adapter *others[JCK_SIDES_MAX - 1]; // the parsers that it is compared with
    size_t other_count;
    jck_scale scale;
    bool ignores_rest;   // see jck_bench
    jrpc_arena *lasting; // as long as the run
    jrpc_arena arena;    // of the case that is being judged
    jrpc_buffer texts;   // of the batch
    jrpc_error error;
    // The batch: cases of one step each.
    const jck_case *cases[JCK_BATCH_CASES];
    size_t begins[JCK_BATCH_CASES];
    jrpc_slice questions[JCK_BATCH_CASES];
    size_t count;
} jck_parser_run_state;

// What happens between the start and the finish of the stream.
typedef void jck_parser_body(jck_parser_run_state *self);
// `of_cases`: the cases of the plan are run, so their number can be announced.
void jck_parser_run_with(const jck_run_options *options, bool of_cases, jck_parser_body *body,
                         jck_run_result *ret_result);
// Appends the text of a step to self->texts. False: stop.
bool jck_parser_expand(jck_parser_run_state *self, const jck_case *test_case, size_t step);
// Decides what the end of a batch means for the run. False: stop.
bool jck_parser_asked(jck_parser_run_state *self, jck_ask_status status);
// Judges a case, counts and reports it. False: stop.
bool jck_parser_report(jck_parser_run_state *self, const jck_case *test_case,
                       const jck_parser_exchange *exchanges, size_t count);

#endif
