// A cause and its examples as text, the same in every report.
#ifndef JCK_REPORT_EXHIBIT_H
#define JCK_REPORT_EXHIBIT_H

#include "harness/report/cause.h"
#include "harness/report/safe.h"

// "MUST", "SHOULD", "CRASH", "HANG", "STUCK" or "ERROR".
const char *jck_cause_word(const jck_cause *cause);
// "3 cases", with what depends on it: "41 cases, 23 more not judged because of it".
void jck_append_cause_counts(jrpc_buffer *out, const jck_cause *cause);
// What the cause is, as a sentence: the rule's, or what happened to the target.
void jck_append_cause_sentence(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause);

// Each appends one line without a line feed, with at most about `max` bytes of a message.
void jck_append_sent(jrpc_buffer *out, jck_safe_place place, const jck_exhibit *exhibit,
                     size_t max);
void jck_append_came(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause,
                     const jck_exhibit *exhibit, size_t max);
// What would have been right. Nothing if the stream does not say.
void jck_append_expected(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause,
                         const jck_exhibit *exhibit, size_t max);
// "repeat    jrpcheck repro batch/empty -- ./server"; "case      batch/empty" if the stream does
// not name a target that can be opened.
void jck_append_repeat(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start,
                       const jck_exhibit *exhibit);

#endif
