// The formats, one file each. report.c lists them.
#ifndef JCK_REPORT_FORMATS_H
#define JCK_REPORT_FORMATS_H

#include "harness/report/report.h"

extern const jck_report_format jck_format_console;
extern const jck_report_format jck_format_html;
extern const jck_report_format jck_format_json;
extern const jck_report_format jck_format_junit;
extern const jck_report_format jck_format_markdown;
extern const jck_report_format jck_format_matrix;
extern const jck_report_format jck_format_ndjson;
extern const jck_report_format jck_format_tap;

#endif
