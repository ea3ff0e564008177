#include "harness/report/stream.h"

#include "reference/base/plural.h"

#include <stdio.h>
#include <string.h>

// The newest schema that can be read.
#define NEWEST_SCHEMA 2

void jck_stream_init(jck_stream *stream)
{
    *stream = (jck_stream){0};
}

static bool wrong(jrpc_error *error, const char *sentence)
{
    return jrpc_error_set(error, JRPC_ERROR_INVALID, "%s", sentence);
}

static bool take_start(jck_stream *stream, jrpc_json event, jrpc_error *error)
{
    int64_t schema = 0;
    if (stream->in_run) {
        return wrong(error, "a run begins before the previous one has ended: the stream was cut "
                            "short, or two were mixed");
    }
    if (jrpc_json_int64(jrpc_json_get(event, "schema"), &schema) && schema > NEWEST_SCHEMA) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the stream has schema %lld; this jrpcheck reads schemas 1 to %d",
                              (long long)schema, NEWEST_SCHEMA);
    }
    char identity[sizeof stream->identities[0]];
    jrpc_slice started = jrpc_json_spelling(jrpc_json_get(event, "started"));
    jrpc_slice seed = jrpc_json_spelling(jrpc_json_get(event, "seed"));
    (void)snprintf(identity, sizeof identity, "%.*s %.*s",
                   (int)(started.len < 40 ? started.len : 40), started.len > 0 ? started.ptr : "",
                   (int)(seed.len < 24 ? seed.len : 24), seed.len > 0 ? seed.ptr : "");
    for (size_t i = 0; i < stream->runs && i < JCK_STREAM_RUNS_MAX; i++) {
        if (started.len > 0 && strcmp(stream->identities[i], identity) == 0) {
            return wrong(error, "the stream contains the same run twice");
        }
    }
    if (stream->runs < JCK_STREAM_RUNS_MAX) {
        memcpy(stream->identities[stream->runs], identity, sizeof identity);
    }
    stream->runs++;
    stream->in_run = true;
    stream->cases = 0;
    memset(stream->counts, 0, sizeof stream->counts);
    return true;
}

static bool take_finish(jck_stream *stream, jrpc_json event, jrpc_error *error)
{
    jrpc_json counts = jrpc_json_get(event, "counts");
    size_t reported = 0;
    bool differs = false;
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        int64_t count = 0;
        jrpc_json stated = jrpc_json_get(counts, jck_outcome_name((jck_outcome)i));
        bool any = jrpc_json_int64(stated, &count) && count >= 0;
        reported += any ? (size_t)count : 0;
        differs = differs || (any && (size_t)count != stream->counts[i]);
    }
    if (differs) {
        return jrpc_error_set(
            error, JRPC_ERROR_INVALID,
            "the run ends with %zu cases, and the stream has %zu, or others: lines "
            "are missing, repeated or changed",
            reported, stream->cases);
    }
    stream->in_run = false;
    return true;
}

static void count_case(jck_stream *stream, jrpc_json event)
{
    jrpc_json name = jrpc_json_get(event, "outcome");
    stream->cases++;
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        stream->counts[i] +=
            jrpc_json_string_is(name, jrpc_slice_str(jck_outcome_name((jck_outcome)i)));
    }
}

bool jck_stream_take(jck_stream *stream, jrpc_json event, jrpc_error *error)
{
    jck_event_kind kind = jck_reading_kind(event);
    if (!jrpc_json_is(jrpc_json_get(event, "event"), JRPC_JSON_STRING)) {
        return wrong(error, "this is not an event of jrpcheck: it has no member \"event\"");
    }
    if (kind == JCK_EVENT_START) {
        return take_start(stream, event, error);
    }
    if (!stream->in_run) {
        return wrong(error,
                     stream->runs == 0
                         ? "the stream does not begin with the start of a run: its beginning "
                           "is missing, or its lines are in another order"
                         : "an event comes after the end of the run: lines are in another "
                           "order, or a beginning is missing");
    }
    switch (kind) {
    case JCK_EVENT_CASE:
        count_case(stream, event);
        return true;
    case JCK_EVENT_FINISH:
        return take_finish(stream, event, error);
    case JCK_EVENT_OTHER:
    case JCK_EVENT_START:
    case JCK_EVENT_GROUND:
    case JCK_EVENT_RULE:
        break;
    }
    return true;
}

bool jck_stream_end(const jck_stream *stream, jrpc_error *error)
{
    if (stream->in_run) {
        return jrpc_error_set(
            error, JRPC_ERROR_INVALID,
            "the stream ends before the run did, after %zu case%s: a report of it is not a verdict",
            stream->cases, jrpc_plural(stream->cases));
    }
    return stream->runs > 0 || wrong(error, "it contains no run");
}
