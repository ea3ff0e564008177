// What a run has reported so far, so that one deviation is presented as one: a finding that repeats
// a difference already reported several times is marked as known. It still counts for the outcome
// of its case, which must not depend on the order of cases.
// Two findings are the same difference if the judge gives both the same name ("error -32603 where
// -32600 is owed", under any rule). Findings without a name are, if rule, sentence and the shape of
// what is quoted agree: strings that are not member names, numbers that are not error codes, and
// anything nested deeper than an error's members may differ.
// A finding at MUST is reported once more if only lower ones were: they do not say that it is
// there. What a server accepts although it is invalid is reported at least once under each rule,
// even under one name: it may be another mistake.
// A case that could only show again what a ground case has shown, namely that batches are refused,
// or params of one shape, is blocked.
#ifndef JCK_JUDGE_REPEATS_H
#define JCK_JUDGE_REPEATS_H

#include "harness/judge/finding.h"
#include "harness/judge/response.h"

#include <stdint.h>

// How often a difference is reported in full.
#define JCK_REPEATS_REPORTED 3u
// How many differences are remembered; further ones are never marked as known.
#define JCK_REPEATS_MAX 4096u

typedef struct jck_repeats_entry {
    uint64_t difference;
    unsigned times;
    jck_level level; // the highest that was reported
} jck_repeats_entry;

typedef struct jck_repeats {
    jck_repeats_entry seen[JCK_REPEATS_MAX];
    size_t count;
} jck_repeats;

// Marks the findings that repeat a difference, and counts the others. A zeroed table is empty.
void jck_repeats_mark(jck_repeats *repeats, jck_findings *findings);
// A number for the difference that a finding reports.
uint64_t jck_repeats_difference(jrpc_slice rule, jrpc_slice text);

// Whether the target read text that is not JSON as an Array, as it may, and refused it in the way
// it is known to refuse batches: then the rule about the Array of a batch blocks the case.
bool jck_blocked_by_batches(jck_trial *trial, const jck_answers *answers);
// The same if the profile allows servers to refuse batches: then it is only recorded.
bool jck_observed_as_batch(jck_trial *trial, const jck_answers *answers);
// Whether the target refused a call because of the shape of its params, as it is known to, in a
// case about something else: then the rule about params of that shape blocks the case.
bool jck_blocked_by_params_shape(jck_trial *trial, const jck_answers *answers);

#endif
