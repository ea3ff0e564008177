// Checks that lines are an event stream as a run writes it: complete from `start` to `finish`, and
// in order. Reports are made from nothing else.
#ifndef JCK_REPORT_STREAM_H
#define JCK_REPORT_STREAM_H

#include "harness/report/reading.h"
#include "reference/base/error.h"

// The most runs of one stream that are remembered to find duplicates.
#define JCK_STREAM_RUNS_MAX 64

typedef struct jck_stream {
    bool in_run;
    size_t runs;
    size_t cases; // of the run
    size_t counts[JCK_OUTCOME_COUNT];
    char identities[JCK_STREAM_RUNS_MAX][96]; // when each run began, and its seed
} jck_stream;

void jck_stream_init(jck_stream *stream);
// Takes the next event. False with INVALID, which says what is wrong with the stream: the event
// must not be given to any report then. A finish with a wrong number of cases is refused, so that a
// report of the lines before it says that it is incomplete.
bool jck_stream_take(jck_stream *stream, jrpc_json event, jrpc_error *error);
// At the end of the stream: false with INVALID if a run has no finish.
bool jck_stream_end(const jck_stream *stream, jrpc_error *error);

#endif
