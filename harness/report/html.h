// What the HTML reports share: the frame of the document, and small pieces of markup. All text of
// an event goes through jck_html_text or jck_html_bytes; nothing else may write it out.
#ifndef JCK_REPORT_HTML_H
#define JCK_REPORT_HTML_H

#include "harness/report/reading.h"
#include "harness/report/safe.h"
#include "harness/report/tally.h"

// Begins a document that fetches nothing: it contains its one style and one script, and a
// Content-Security-Policy with their hashes forbids any others.
void jck_html_begin(jrpc_buffer *out, const char *kind, jrpc_slice title);
void jck_html_end(jrpc_buffer *out, jrpc_slice tool);

void jck_html_str(jrpc_buffer *out, const char *markup);
void jck_html_text(jrpc_buffer *out, jrpc_slice text);
// Text of at most `max` bytes; longer text is cut, and its length added.
void jck_html_short(jrpc_buffer *out, jrpc_slice text, size_t max);
// The same for a sentence of an event (see jck_safe_append_sentence).
void jck_html_sentence(jrpc_buffer *out, jrpc_slice sentence, size_t max);
// Bytes of a peer; those that are not visible are spelled out and marked.
void jck_html_bytes(jrpc_buffer *out, jrpc_slice bytes, size_t max, size_t true_len);
// A name with letters, digits and "-._/" unchanged and every other byte as ~XX: for id="" and
// href="#". `run` distinguishes the runs of one document, counted from 1.
void jck_html_anchor(jrpc_buffer *out, char kind, size_t run, jrpc_slice name);
// The same for a file name: "/" becomes "-".
void jck_html_file_name(jrpc_buffer *out, jrpc_slice name);

void jck_html_level(jrpc_buffer *out, jck_level level);
void jck_html_outcome(jrpc_buffer *out, jck_outcome outcome);
// "<div><dt>label</dt><dd>text</dd></div>"; nothing for empty text.
void jck_html_fact(jrpc_buffer *out, const char *label, jrpc_slice text);

// Outcomes of cases, grouped as a reader would ask for them.
typedef enum jck_share {
    JCK_SHARE_PASS,
    JCK_SHARE_OBSERVE,
    JCK_SHARE_WARN, // and an orderly exit
    JCK_SHARE_FAIL,
    JCK_SHARE_DEAD, // crash, hang, stuck
    JCK_SHARE_NONE, // skipped, blocked, an error of the harness
    JCK_SHARE_COUNT,
} jck_share;

void jck_html_shares(const size_t *outcome_counts, size_t *ret_shares);
// A bar of coloured parts, with the same as text for those who cannot see it.
void jck_html_bar(jrpc_buffer *out, const size_t *shares);
void jck_html_legend(jrpc_buffer *out, const size_t *shares);

#endif
