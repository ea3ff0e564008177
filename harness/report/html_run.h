// One run in the HTML report: what was kept while its events were read, and the sections that are
// written at its end.
#ifndef JCK_REPORT_HTML_RUN_H
#define JCK_REPORT_HTML_RUN_H

#include "harness/report/html_case.h"
#include "harness/report/page.h"
#include "harness/report/rulebook.h"

// A case: where its markup is, and what lists of cases need.
typedef struct jck_html_entry {
    jrpc_slice id, suite, section;
    jck_outcome outcome;
    size_t at, len; // in the run's `cases`
    bool written;
    struct jck_html_entry *next;
} jck_html_entry;

typedef struct jck_html_mention {
    const jck_html_entry *entry;
    jck_standing standing;
    struct jck_html_mention *next;
} jck_html_mention;

// What the cases show about one rule.
typedef struct jck_html_rule {
    size_t counts[JCK_STANDING_DEAD + 1];
    jck_html_mention *first;
    jck_html_mention **end;
} jck_html_rule;

typedef struct jck_html_run {
    jrpc_arena arena;
    jck_rulebook book;
    jck_html_rule *rules; // JCK_RULINGS_MAX, by jck_ruling.index
    jck_html_entry *first;
    jck_html_entry **end;
    jrpc_buffer cases; // markup
    jck_html_case_style style;
} jck_html_run;

// The whole run, once its tally is complete.
bool jck_html_run_write(jck_page *page, jck_html_run *run);

// The worst that the cases show about a rule.
jck_standing jck_html_worst(const jck_html_rule *rule);

// Begins a section: `section` is the letter of its anchor.
void jck_html_heading(jrpc_buffer *out, char section, size_t run, const char *title,
                      const char *lead);
// The cases that show a rule broken, or the others, as links.
void jck_html_list_cases(jrpc_buffer *out, const jck_html_run *run, const jck_html_rule *rule,
                         bool broken);
// The sections below the header; each with its own heading.
void jck_html_causes_write(jrpc_buffer *out, const jck_page *page, const jck_html_run *run);
bool jck_html_rules_write(jrpc_buffer *out, const jck_html_run *run);
void jck_html_cases_write(jrpc_buffer *out, jck_html_run *run);
void jck_html_open_write(jrpc_buffer *out, const jck_page *page, const jck_html_run *run);
void jck_html_unjudged_write(jrpc_buffer *out, const jck_page *page);

#endif
