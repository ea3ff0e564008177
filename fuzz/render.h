// Reports of an event stream, rendered in memory: what the targets of the report writers share.
#ifndef JRPC_FUZZ_RENDER_H
#define JRPC_FUZZ_RENDER_H

#include "fuzz/fuzz.h"
#include "fuzz/model/runs.h"
#include "harness/report/report.h"

// The events of a text: its lines that are JSON Objects, at most RENDER_LINES of them.
#define RENDER_LINES 24
typedef struct render_events {
    size_t count;
    jrpc_slice lines[RENDER_LINES];
} render_events;

void render_events_of(jrpc_slice text, render_events *ret_events);

// Tells the model the same events.
void render_runs_of(const render_events *events, runs *told);

// How an input wants its report, in the bits of options[1].
enum {
    RENDER_VERBOSE = 1,
    RENDER_QUIET = 2,
    RENDER_COLOR = 4,
    RENDER_TERMINAL = 8,
    RENDER_FAILING = 16,
    RENDER_LINKS = 32,
    RENDER_SHORT_FILE = 64, // once more, to a file that ends early
    RENDER_AGAIN = 128      // once more, to the same
};
jck_report_options render_options_of(const fuzz_input *input);

// Everything that one format writes of the events, fed `times` times; valid until the next call.
// Opening, feeding and closing must succeed.
jrpc_slice render(const jck_report_format *format, const jck_report_options *options,
                  const render_events *events, int times);

// Fails unless a report whose `which`-th buffer or arena has only room for `room` bytes is refused
// or `whole`. What is left behind then is for the sanitizer to see.
void render_require_short(const jck_report_format *format, const jck_report_options *options,
                          const render_events *events, size_t which, size_t room, jrpc_slice whole);

// As RENDER_SHORT_FILE and RENDER_AGAIN ask: fails unless a report that could not be written is
// told so, and the same events give `text` again.
void render_require_again(const fuzz_input *input, const jck_report_format *format,
                          const jck_report_options *options, const render_events *events, int times,
                          jrpc_slice text);

// Fails unless a report that shows the worst of all runs stays as it is if the first run comes once
// more, at the end.
void render_require_worst(const jck_report_format *format, const jck_report_options *options,
                          const render_events *events);

#endif
