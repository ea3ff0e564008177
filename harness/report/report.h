// Reports: each format reads the event stream, line by line, and nothing else. The same code serves
// a run in progress and a stored stream.
#ifndef JCK_REPORT_REPORT_H
#define JCK_REPORT_REPORT_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct jck_report_options {
    bool color;        // the output is a terminal that supports colours (or --color always)
    bool terminal;     // the output is a terminal: a live progress line may be shown
    bool quiet;        // only what is wrong, and the summary
    unsigned verbose;  // 1: every failing case, as it happens; 2: every case
    unsigned examples; // of each cause that is shown; 0: one, while they fit
    bool no_examples;  // one line per cause
    // Where the whole report is written, or NULL; empty: this is all there is. Borrowed until the
    // report is closed.
    const char *elsewhere;
    // The matrix links each run to TARGET.html beside it, and to the rule there.
    bool links;
    // Two runs are fed, and reports show what changed from the first to the second.
    bool since;
} jck_report_options;

// One format. The state is the format's own.
typedef struct jck_report_format {
    const char *name;    // "console"
    const char *summary; // one line for --help
    // Whether the file is written in place, line by line, because its content is complete at any
    // moment. All others are written beside it and renamed when complete.
    bool in_place;
    // Begins a report on `out` (borrowed until close). NULL if out of memory.
    void *(*open)(FILE *out, const jck_report_options *options);
    // Takes one event; `line` is its text without the line feed. Kinds that a format does not know
    // are ignored. False with *error if out of memory, for this event and all that follow (write
    // errors are reported by close).
    bool (*event)(void *state, jrpc_json event, jrpc_slice line, jrpc_error *error);
    // Writes what is left and frees the state. A stream without `finish` is reported as cut short.
    // False with *error if the output could not be written.
    bool (*close)(void *state, jrpc_error *error);
} jck_report_format;

// All formats, terminated by NULL. Those that show changes are not among them.
const jck_report_format *const *jck_report_formats(void);
const jck_report_format *jck_report_format_named(jrpc_slice name); // or NULL

// Several reports fed from one stream.
typedef struct jck_reports jck_reports;

jck_reports *jck_reports_new(void); // NULL if out of memory
// Adds a report: `spec` is FORMAT or FORMAT=PATH ("-" or no path: standard output). USAGE for an
// unknown format (the message names the known ones) and for a path that another report uses; SYSTEM
// if the file cannot be written. Files are written beside their path and renamed when complete, so
// that no partial report appears there; only a format that is complete at any moment (ndjson), and
// a path that is not a regular file (a pipe, a link, /dev/null), is written in place. `options` are
// copied.
bool jck_reports_add(jck_reports *reports, const char *spec, const jck_report_options *options,
                     jrpc_error *error);
// Whether jck_reports_add would accept a spec, as far as its text shows: nothing is opened. False
// with USAGE.
bool jck_reports_check(const char *spec, bool since, jrpc_error *error);
// Feeds one line (with or without its line feed) to every report. SYNTAX if it is not a JSON
// object. MEMORY if a report is out of memory: it is refused when it is closed, and replaces no
// file.
bool jck_reports_feed(jck_reports *reports, jrpc_slice line, jrpc_error *error);
// Closes every report and frees them. If nothing was fed, no file replaces its target. False with
// the first *error. Accepts NULL.
bool jck_reports_close(jck_reports *reports, jrpc_error *error);

#endif
