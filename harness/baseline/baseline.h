// A baseline: the failures of one target that are known, each with the reason why it is let pass.
//
//   { "schema": 1, "target": "name",
//     "entries": [ { "case": "batch/empty-array", "outcome": "fail", "reason": "upstream issue 12",
//                    "rules": ["J2-6d"] } ] }
//
// What is expected is the case and its outcome; `rules` are for the reader, and any other member is
// a comment. An entry that no longer holds is an error: a baseline may only shrink on purpose. Only
// where the target itself throws dice, `"flaky": true` lets the case pass as well as fail, and lets
// a crash count as a hang and the other way round; the reason says why.
// Pure: text in, text out.
#ifndef JCK_BASELINE_BASELINE_H
#define JCK_BASELINE_BASELINE_H

#include "harness/judge/judge.h"
#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum jck_entry_state {
    JCK_ENTRY_UNRUN,   // its case was not judged: nothing is said about it
    JCK_ENTRY_HOLDS,   // the case had the expected outcome every time
    JCK_ENTRY_STALE,   // the case breaks nothing any more
    JCK_ENTRY_CHANGED, // the case had another outcome that is none to let pass silently
} jck_entry_state;

typedef struct jck_entry {
    const jck_case *test_case;
    jck_outcome outcome; // expected
    bool flaky;          // it may break nothing as well, or lose the target in another way
    jrpc_json json;      // as it stands in the file; ABSENT for an entry that a run added
    size_t line, column;
    jck_entry_state state;
    jck_outcome found;       // the outcome that made it STALE or CHANGED, or of a new entry
    const jrpc_slice *rules; // of a new entry: the rules that were found broken
    size_t rule_count;
} jck_entry;

typedef struct jck_baseline {
    const jck_suite *suite; // borrowed
    jrpc_arena arena;       // owns the text and everything below
    jrpc_json_document document;
    jck_entry *entries;
    size_t count;
    size_t capacity;
    const char
        *reason; // of the entries that a run adds; borrowed; NULL: empty, for a human to fill
    bool failed; // memory ran out while a run was recorded
} jck_baseline;

// One judged execution, as the event stream reports it.
typedef struct jck_recorded {
    jrpc_slice id;
    jck_outcome outcome;
    bool breach;             // it makes the run non-conformant
    const jrpc_slice *rules; // that were found broken; borrowed
    size_t rule_count;
} jck_recorded;

// An empty baseline on caller's storage; free with jck_baseline_done, which accepts a zeroed one.
void jck_baseline_init(jck_baseline *baseline, const jck_suite *suite);
void jck_baseline_done(jck_baseline *baseline);

// Reads a file's text (copied) into an empty baseline; `file` is its name for messages. Everything
// wrong is reported to `diagnose` with line and column: what is not JSON or has a wrong type, a
// case that does not exist (the nearest one is named) or stands there twice, an outcome that breaks
// nothing, a reason that is missing or empty (allowed with `unfinished`, when the file is about to
// be rewritten). False if anything was wrong.
bool jck_baseline_read(jck_baseline *baseline, jrpc_slice text, const char *file, bool unfinished,
                       jck_diagnose diagnose, void *context);

// Whether the baseline expects this outcome of this case: jck_run_options.expects.
bool jck_baseline_expects(void *baseline, const jck_case *test_case, jck_outcome outcome);
// Takes note of what a case did; of several executions the worst state stays. With `adding`, a
// breach that no entry expects becomes a new entry.
void jck_baseline_record(jck_baseline *baseline, const jck_recorded *recorded, bool adding);

// Appends the baseline as it should be after what was recorded: stale entries are left out, changed
// ones get the outcome that was found, new ones an empty reason that a human has to fill in; all
// else stays as it was spelled. False with MEMORY or LIMIT.
bool jck_baseline_write(const jck_baseline *baseline, jrpc_slice target, jrpc_buffer *out,
                        jrpc_error *error);

#endif
