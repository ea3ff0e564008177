// One case in the HTML report: what broke, the bytes both ways, how it ended, how to repeat it.
#ifndef JCK_REPORT_HTML_CASE_H
#define JCK_REPORT_HTML_CASE_H

#include "harness/report/html.h"

typedef struct jck_html_case_style {
    size_t run;                     // of the document, from 1: part of every anchor
    const jck_reading_start *start; // for the lines that repeat a case; NULL: none
    size_t evidence;                // bytes of exchanges written so far
    bool capped;                    // an exchange was left out because there was no room
} jck_html_case_style;

// Bytes of all exchanges shown in one document: with their markup a report of a run in which
// everything fails stays below 5 MB.
#define JCK_HTML_EVIDENCE_BYTES ((size_t)3 << 20)
#define JCK_HTML_EVIDENCE_WORDS "3 MiB"

void jck_html_case(jrpc_buffer *out, jck_html_case_style *style, const jck_reading_case *test_case);

#endif
