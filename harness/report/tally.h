// The totals of a run: counts, broken rules, why cases were not judged, and the verdict in one
// line. Filled event by event; every report's summary is made from it.
#ifndef JCK_REPORT_TALLY_H
#define JCK_REPORT_TALLY_H

#include "harness/report/cause.h"
#include "harness/report/safe.h"
#include "reference/base/buffer.h"

// Something that happened in several cases.
typedef struct jck_group {
    jrpc_slice name;            // a rule, a reason, a capability, …
    jrpc_slice value;           // rules: the sentence; observations: the value
    jrpc_slice example;         // the first case
    jck_level level;            // rules
    size_t count;               // cases
    size_t unexpected;          // … that are not in the baseline
    jck_level unexpected_level; // … and the worst level among those
    struct jck_group *next;
} jck_group;

// In the order of first appearance, until sorted.
typedef struct jck_groups {
    jck_group *first;
    size_t count;    // groups
    size_t cases;    // cases in all groups, and in those for which there was no room
    size_t left_out; // cases whose group did not fit
} jck_groups;

// The most groups of one kind that are distinguished: far more than a catalogue has rules.
#define JCK_GROUPS_MAX 1000

typedef struct jck_tally {
    jrpc_arena arena;
    bool started, finished;
    jck_reading_start start;
    jck_reading_finish finish;
    size_t cases;
    size_t counts[JCK_OUTCOME_COUNT];
    size_t expected[JCK_OUTCOME_COUNT]; // … of which are in the baseline
    size_t breaches;                    // cases that make the run non-conformant
    jck_causes causes;                  // what went wrong
    jck_groups rules;                   // that a finding names
    jck_groups outcomes;                // crash, hang, stuck, error: by name
    jck_groups endings;                 // cases in which the process ended in an orderly way
    jck_groups capabilities;            // skipped: they need a method that was not named
    jck_groups sightings;               // what was seen of such a method: the reason
    jck_groups reasons;                 // skipped or blocked for another reason
    jck_groups blocking;                // broken rules that blocked cases depend on
    jck_groups observations;
} jck_tally;

// `examples`: how many are kept of each cause.
void jck_tally_init(jck_tally *tally, size_t examples);
void jck_tally_done(jck_tally *tally);
// Clears everything for the next run.
void jck_tally_clear(jck_tally *tally);

// Each copies what it keeps. False if out of memory. Ground cases are left out.
bool jck_tally_start(jck_tally *tally, const jck_reading_start *start);
bool jck_tally_case(jck_tally *tally, const jck_reading_case *test_case);
bool jck_tally_finish(jck_tally *tally, const jck_reading_finish *finish);

// Sorts every kind of groups, worst first: by level, then by the number of cases.
void jck_tally_sort(jck_tally *tally);

// Rules of a level that a case outside the baseline breaks.
size_t jck_tally_broken(const jck_tally *tally, jck_level level);
// Rules whose worst finding has this level, in the baseline or not.
size_t jck_tally_broken_at_all(const jck_tally *tally, jck_level level);
// Whether the run finished: not cut short, not interrupted, not stopped because of its target.
bool jck_tally_complete(const jck_tally *tally);
// Whether the run itself reports that the target conforms.
bool jck_tally_conformant(const jck_tally *tally);
// Whether more than half of the cases were not judged: then it means little that no rule was seen
// broken.
bool jck_tally_is_mostly_unjudged(const jck_tally *tally);
// Appends the verdict as one line without a line feed, e.g. "NOT CONFORMANT: 2 MUST rules broken".
void jck_tally_verdict(const jck_tally *tally, jck_safe_place place, jrpc_buffer *out);
// Appends "9 cases: 7 passed, 1 failed, 1 skipped".
void jck_tally_counts(const jck_tally *tally, jrpc_buffer *out);
// Appends a duration for people: "412 ms", "3.2 s", "2 min 05 s".
void jck_append_duration(jrpc_buffer *out, int64_t duration_us);

#endif
