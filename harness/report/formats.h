// The formats, one per file. report.c lists them.
#ifndef JCK_REPORT_FORMATS_H
#define JCK_REPORT_FORMATS_H

#include "harness/report/report.h"

extern const jck_report_format jck_format_badge;
extern const jck_report_format jck_format_badge_json;
extern const jck_report_format jck_format_console;
extern const jck_report_format jck_format_html;
extern const jck_report_format jck_format_index;
extern const jck_report_format jck_format_json;
extern const jck_report_format jck_format_junit;
extern const jck_report_format jck_format_markdown;
extern const jck_report_format jck_format_matrix;
extern const jck_report_format jck_format_ndjson;
extern const jck_report_format jck_format_sarif;
extern const jck_report_format jck_format_tap;

// For --since: what changed between the first run and the next.
extern const jck_report_format jck_since_console;
extern const jck_report_format jck_since_html;
extern const jck_report_format jck_since_markdown;

#endif
