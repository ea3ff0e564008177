// Reports: each format is a reader of the event stream, line by line, and of nothing else. The same
// code serves a run that is going on and a stream that was kept.
#ifndef JCK_REPORT_REPORT_H
#define JCK_REPORT_REPORT_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct jck_report_options {
    bool color;        // the output is a terminal that shows colours (or --color always)
    bool terminal;     // the output is a terminal: a live progress line is welcome
    bool quiet;        // only what is wrong, and the summary
    unsigned verbose;  // 1: every case that is wrong, as it happens; 2: every case
    unsigned examples; // of each cause that is shown; 0: one, as long as it fits
    bool no_examples;  // a line for each cause
    // Where the whole report goes, or NULL. Borrowed until the report is closed.
    const char *elsewhere;
    // The matrix links each run to TARGET.html beside it, and to the rule there.
    bool links;
    // Two runs are fed, and reports tell what changed from the first to the second.
    bool since;
} jck_report_options;

// One format. The state is the format's own.
typedef struct jck_report_format {
    const char *name;    // "console"
    const char *summary; // one line for --help
    // Whether a file is written in its place, line by line, because what is there at any moment is
    // whole in itself. All others are written beside it and renamed when complete.
    bool in_place;
    // Begins a report on `out` (borrowed until close). NULL when memory is out.
    void *(*open)(FILE *out, const jck_report_options *options);
    // Takes one event; `line` is its text without the line feed. Kinds that a format does not know
    // are ignored. False with *error when memory is out (write errors are found at close).
    bool (*event)(void *state, jrpc_json event, jrpc_slice line, jrpc_error *error);
    // Writes what is left, frees the state. A stream that had no `finish` is reported as cut short.
    // False with *error when the output could not be written.
    bool (*close)(void *state, jrpc_error *error);
} jck_report_format;

// All formats, terminated by NULL. Those that tell what changed are not among them.
const jck_report_format *const *jck_report_formats(void);
const jck_report_format *jck_report_format_named(jrpc_slice name); // or NULL

// Several reports fed with one stream.
typedef struct jck_reports jck_reports;

jck_reports *jck_reports_new(void); // NULL when memory is out
// Adds a report: `spec` is FORMAT or FORMAT=PATH ("-" or no path: standard output). USAGE for an
// unknown format (the known ones are named) and for a place that another report has taken; SYSTEM
// if the file cannot be written. Files are written beside their place and renamed when complete, so
// that no half report stands there; only a format that is whole at any moment (ndjson), and a place
// that is not a regular file (a pipe, a link, /dev/null), is written in place. `options` are
// copied.
bool jck_reports_add(jck_reports *reports, const char *spec, const jck_report_options *options,
                     jrpc_error *error);
// Whether a spec is one that jck_reports_add would take, as far as its words tell: nothing is
// opened. False with USAGE.
bool jck_reports_check(const char *spec, bool since, jrpc_error *error);
// Feeds one line (with or without its line feed) to every report. SYNTAX if it is not a JSON
// object.
bool jck_reports_feed(jck_reports *reports, jrpc_slice line, jrpc_error *error);
// Closes every report, frees. Where nothing was fed no file takes its place. False with the first
// *error. Accepts NULL.
bool jck_reports_close(jck_reports *reports, jrpc_error *error);

#endif
