// What all written formats have in common: they read events, keep a tally, and write text through
// one bounded buffer. A format only says what to write when.
#ifndef JCK_REPORT_PAGE_H
#define JCK_REPORT_PAGE_H

#include "harness/report/report.h"
#include "harness/report/tally.h"

typedef struct jck_page jck_page;

// Each appends to page->text, which is written out afterwards. False if out of memory.
typedef struct jck_page_style {
    size_t own_size;               // bytes of page->own; zeroed when the report begins
    bool without_exchange;         // no message is shown, so none is read
    bool (*begin)(jck_page *page); // of a run, or NULL
    bool (*rule)(jck_page *page, const jck_reading_rule *rule); // or NULL
    bool (*test_case)(jck_page *page,
                      const jck_reading_case *test_case); // also for ground cases; or NULL
    // The end of a run; the tally is complete and sorted. Without a finish event the run was cut
    // short.
    bool (*end)(jck_page *page);
    // The end of the report; also frees what `own` owns, so it is called even if page->failed; or
    // NULL.
    bool (*close)(jck_page *page);
} jck_page_style;

struct jck_page {
    const jck_page_style *style;
    FILE *out; // borrowed
    jck_report_options options;
    jrpc_buffer text;
    jrpc_arena arena; // of one event
    jck_tally tally;
    size_t runs; // begun so far
    bool in_run;
    bool failed; // memory ran out: nothing more is written, and the report is refused
    void *own;   // the format's own data
};

// The three functions of a jck_report_format, for a style.
void *jck_page_open(const jck_page_style *style, FILE *out, const jck_report_options *options);
bool jck_page_event(void *state, jrpc_json event, jrpc_slice line, jrpc_error *error);
bool jck_page_close(void *state, jrpc_error *error);

// Shorthands of formats.
void jck_page_str(jck_page *page, const char *text);
void jck_page_safe(jck_page *page, jck_safe_place place, jrpc_slice text);

#endif
