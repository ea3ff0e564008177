// The event stream: what a run tells, one JSON object a line. Every report reads it and nothing
// else.
#ifndef JCK_RUN_EVENT_H
#define JCK_RUN_EVENT_H

#include "harness/evidence/evidence.h"
#include "harness/judge/judge.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"
#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stdint.h>

#define JCK_EVENT_SCHEMA 1

typedef struct jck_start_event {
    const jck_suite *suite;
    const jck_target *target;
    size_t selected; // executions that are planned
    uint64_t seed;
    const char *started; // RFC 3339
    bool strict;
    size_t mapped; // mappings of the target that were given; those behind them were discovered
} jck_start_event;

typedef struct jck_case_event {
    const char *kind; // "case" or "ground"
    const jck_case *test_case;
    const jck_verdict *verdict; // NULL for skip and blocked
    jck_outcome outcome;
    const char *reason;           // skip, blocked, error: why; else NULL
    const jck_evidence *evidence; // NULL where nothing was run
    bool expected;                // in the baseline
} jck_case_event;

typedef struct jck_finish_event {
    const size_t *counts; // one for each outcome
    size_t judged;
    size_t skipped;
    size_t unexpected; // cases that make the run non-conformant and are in no baseline
    const jck_suite *suite;
    const bool *rules_tested; // one for each rule of the suite
    int64_t duration_us;
    uint64_t timers_expired;
    bool interrupted;
    bool conformant;
    const char *stopped; // why the run ended before all cases ran, or NULL
} jck_finish_event;

// Each appends one line, line feed included. False when the buffer is full.
bool jck_event_write_start(jrpc_buffer *out, const jck_start_event *event);
// A rule that a selected case tests: told behind the start, so that a report can say what was asked
// where nothing was found, and what it is that the specification leaves open.
bool jck_event_write_rule(jrpc_buffer *out, const jck_rule *rule);
bool jck_event_write_case(jrpc_buffer *out, const jck_case_event *event);
bool jck_event_write_finish(jrpc_buffer *out, const jck_finish_event *event);

// Bytes of one message, and of all messages of one case, that an event carries; what is longer is
// capped, and the true length told.
#define JCK_EVENT_MESSAGE_BYTES ((size_t)16 << 10)
#define JCK_EVENT_EXCHANGE_BYTES ((size_t)256 << 10)

#endif
