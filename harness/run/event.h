// The event stream: what a run reports, one JSON object a line (docs/event.schema.json). Every
// report reads it and nothing else: whatever a report needs to know is a member, never part of a
// sentence.
#ifndef JCK_RUN_EVENT_H
#define JCK_RUN_EVENT_H

#include "harness/evidence/evidence.h"
#include "harness/judge/judge.h"
#include "harness/link/spent.h"
#include "harness/run/execution.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"
#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stdint.h>

#define JCK_EVENT_SCHEMA 2

typedef struct jck_start_event {
    const jck_suite *suite;
    const jck_target *target;
    const jck_target *against; // the targets that it is compared with
    size_t against_count;
    jck_side side;   // the side that is tested
    size_t selected; // planned executions
    uint64_t seed;
    const char *started; // RFC 3339
    bool strict;
    size_t mapped;        // how many mappings of the target were given; the others were discovered
    const char *words;    // as in jck_run_options
    const char *command;  // likewise
    unsigned shard_index; // 1-based
    unsigned shard_count; // 0 or 1: the whole
} jck_start_event;

typedef struct jck_case_event {
    const char *kind; // "case" or "ground"
    const jck_case *test_case;
    const jck_verdict *verdict; // NULL for skip and blocked
    jck_outcome outcome;
    const jck_reason *reason;     // why there is no verdict; NULL or code NONE if there is one
    const jck_evidence *evidence; // NULL if nothing was run
    bool expected;                // in the baseline
    // The shortest sequence of messages that causes the finding, if one message alone does not;
    // only connection, bytes and true_len of each are read.
    const jck_message *sequence;
    size_t sequence_count;
    const jck_company *company;  // how other cases contributed to the verdict; NULL: not at all
    const jck_attempt *attempts; // earlier attempts than the decisive one, linked; NULL: none
} jck_case_event;

typedef struct jck_finish_event {
    const size_t *counts; // one for each outcome
    size_t judged;
    size_t skipped;
    size_t unexpected; // cases that make the run non-conformant and are in no baseline
    const jck_suite *suite;
    const bool *rules_tested; // one for each rule of the suite
    const bool *selected;     // one for each case of the suite; NULL: all
    int64_t duration_us;
    uint64_t timers_expired;
    size_t sessions_lost;   // reported only if there are any
    const jck_spent *spent; // the sum of all workers
    bool interrupted;
    bool conformant;
    // Cases that failed after other cases, but neither alone nor again after the same cases.
    size_t only_in_company;
    const char
        *stop; // why the run ended before all cases ran: "unopened", "mute", "fault", or NULL
    const char *stopped; // the same as a sentence, or NULL
    const char *hint;    // what the user should try instead, as a sentence, or NULL
    const char *note;    // what else is to be known about the run, as a sentence, or NULL
} jck_finish_event;

// How far live fuzzing has come.
typedef struct jck_fuzz_event {
    int64_t elapsed_us;
    uint64_t messages;
    size_t behaviours; // ways of answering that were seen
    size_t edges;      // of the target's code; 0: it does not show them
    size_t findings;
    size_t suspicions; // that were not confirmed
} jck_fuzz_event;

// Each appends one line, line feed included. False when the buffer is full.
bool jck_event_write_start(jrpc_buffer *out, const jck_start_event *event);
// A rule that a selected case tests. Reported after the start, so that a report can say what was
// tested even where nothing was found, and what it is that the specification leaves open.
bool jck_event_write_rule(jrpc_buffer *out, const jck_rule *rule);
bool jck_event_write_case(jrpc_buffer *out, const jck_case_event *event);
bool jck_event_write_fuzz(jrpc_buffer *out, const jck_fuzz_event *event);
bool jck_event_write_finish(jrpc_buffer *out, const jck_finish_event *event);

// Bytes of one message, and of all messages of one case, that an event carries; longer messages are
// cut, and their true length is given beside them.
#define JCK_EVENT_MESSAGE_BYTES ((size_t)16 << 10)
#define JCK_EVENT_EXCHANGE_BYTES ((size_t)256 << 10)

#endif
