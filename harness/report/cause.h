// What went wrong in a run, grouped by cause: how often, what depends on it, and the smallest
// examples. Every report that lists what is broken takes it from here, in this order.
#ifndef JCK_REPORT_CAUSE_H
#define JCK_REPORT_CAUSE_H

#include "harness/report/words.h"

// The most examples kept of one cause.
#define JCK_EXHIBITS_MAX ((size_t)20)
// The most rules that are named beside an outcome.
#define JCK_CAUSE_RULES_MAX ((size_t)4)
// Bytes of a message, and of an example, that are kept for display.
#define JCK_EXHIBIT_BYTES ((size_t)4096)

// One case, as far as an example shows it.
typedef struct jck_exhibit {
    jrpc_slice id;
    jrpc_slice title; // of the case
    jrpc_slice text;  // what is wrong, in one sentence
    // The message of the step that failed, and the first one received in it.
    bool has_sent, has_received;
    jck_reading_message sent, received;
    size_t sent_count, received_count;   // in the whole case
    const jck_reading_message *sequence; // what must be sent first, if one message is not enough
    size_t sequence_count;
    jrpc_slice after; // as in jck_reading_case
    const jck_reading_example *expected;
    size_t expected_count;
    jrpc_slice end; // as in jck_reading_case
    int64_t end_value;
    int64_t http_status;   // of the only message that was sent; 0: none
    jrpc_slice last_words; // the end of the target's stderr
    size_t size;           // how much there is to read; the smallest are kept
} jck_exhibit;

typedef struct jck_cause {
    jck_outcome outcome; // CRASH, HANG, STUCK, ERROR: the outcome itself; FAIL: `rule` is broken
    jrpc_slice rule;     // empty if the cause is an outcome
    jrpc_slice rules[JCK_CAUSE_RULES_MAX]; // that such an outcome breaks
    size_t rule_count;
    jrpc_slice sentence;
    const jck_role_words *tested; // words for the thing under test
    jck_level level;
    size_t cases;
    size_t cases_at[JCK_LEVEL_MUST + 1]; // … of which break it at this level at worst
    size_t unexpected;                   // … that are not in the baseline
    jck_level unexpected_level;          // the worst level among those
    size_t repeats;                      // cases in which it showed again, besides what they test
    size_t blocks;                       // cases that could not be judged because of it
    jck_exhibit exhibits[JCK_EXHIBITS_MAX];
    size_t exhibit_count;
    struct jck_cause *next;
} jck_cause;

typedef struct jck_causes {
    jrpc_arena *arena;            // borrowed
    const jck_role_words *tested; // for the causes that will be added
    size_t examples;              // kept of each cause
    jck_cause *first;
    size_t count; // of causes in the list, including those without a case
} jck_causes;

// The most causes that are distinguished: far more than a catalogue has rules.
#define JCK_CAUSES_MAX ((size_t)1000)

void jck_causes_init(jck_causes *causes, jrpc_arena *arena, size_t examples);
// Adds a case. False if out of memory.
bool jck_causes_take(jck_causes *causes, const jck_reading_case *test_case);
// Worst first, those in the baseline last; among equals, those that others depend on come first.
// Causes without a case are dropped.
void jck_causes_sort(jck_causes *causes);

#endif
