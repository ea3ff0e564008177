#include "harness/cli/commands.h"
#include "harness/cli/file_uses.h"
#include "harness/cli/lines.h"
#include "harness/cli/outputs.h"
#include "harness/cli/words.h"
#include "harness/report/shards.h"
#include "harness/report/stream.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <sys/stat.h>
#include <unistd.h>

// One stream that is fed to the reports.
typedef struct feeding {
    jck_reports *reports;
    bool *incomplete;   // set if a run has no finish
    jck_shards *shards; // the run that the stream is a part of; NULL: it is a whole run itself
    bool first_only;    // only the first event is looked at
    jck_exit *stopped;  // set if the run was stopped because of its target; NULL: not needed
    jck_stream checked;
    jrpc_json_document document;
} feeding;

// The exit code of a run that stopped because of its target; CONFORMANT if it did not.
static jck_exit exit_of_stop(jrpc_slice stop)
{
    return jrpc_slice_is(stop, "unopened") ? JCK_EXIT_UNOPENED
           : jrpc_slice_is(stop, "mute")   ? JCK_EXIT_BROKEN
           : jrpc_slice_is(stop, "fault")  ? JCK_EXIT_FAULT
                                           : JCK_EXIT_CONFORMANT;
}

// A part's start and finish are not those of the whole run.
static bool pass_on(feeding *self, jrpc_json event, jrpc_slice line, jrpc_error *error)
{
    jck_event_kind kind = jck_reading_kind(event);
    if (self->shards != NULL && kind == JCK_EVENT_FINISH) {
        return jck_shards_finish(self->shards, event) ||
               jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the parts of a run");
    }
    if (self->stopped != NULL && kind == JCK_EVENT_FINISH) {
        jrpc_json stop = jrpc_json_get(event, "stop");
        *self->stopped = jrpc_json_is(stop, JRPC_JSON_STRING)
                             ? exit_of_stop(jrpc_slice_inside(jrpc_json_spelling(stop)))
                             : JCK_EXIT_CONFORMANT;
    }
    return (self->shards != NULL && kind == JCK_EVENT_START) ||
           jck_reports_feed(self->reports, line, error);
}

static bool take_event(void *context, jrpc_slice line, jrpc_error *error)
{
    feeding *self = context;
    if (!jrpc_json_read(&self->document, line, JRPC_LIMIT_DEPTH, error)) {
        return jrpc_error_prefix(error, "this is not an event");
    }
    jrpc_json event = jrpc_json_root(&self->document);
    if (self->first_only) {
        return !jck_is_shard(event) || jck_shards_start(self->shards, event, line, error);
    }
    return jck_stream_take(&self->checked, event, error) && pass_on(self, event, line, error);
}

static bool feed_file(feeding *self, const char *path, jrpc_error *error)
{
    jrpc_json_document_init(&self->document, jrpc_allocator_heap());
    jck_stream_init(&self->checked);
    bool fed = jck_lines_each(path, self->first_only ? 1 : 0, take_event, self, error);
    // A truncated stream is reported as such, and the other streams are still processed.
    jrpc_error ending = {0};
    if (fed && !self->first_only && !jck_stream_end(&self->checked, &ending)) {
        (void)jrpc_error_prefix(&ending, "%.200s", jck_lines_name(path));
        *self->incomplete = true;
        (void)jck_complain(&ending);
    }
    jrpc_json_document_done(&self->document);
    return fed;
}

// Whether no report would overwrite a stream that it is made from, or another report.
static bool check_files(jck_options *options)
{
    jrpc_error error = {0};
    jck_file_uses uses;
    jck_file_uses_init(&uses, &options->arena);
    jck_file_uses_of_options(&uses, options);
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *path = options->operands.items[i];
        if (strcmp(path, "-") == 0) {
            jck_file_uses_read_from(&uses, "standard input", STDIN_FILENO);
        } else {
            jck_file_uses_read(&uses, "the stream", path);
        }
    }
    return jck_file_uses_check(&uses, &error) || jck_complain(&error);
}

// Looks at the first event of each stream: whether they are parts of one run.
static bool find_shards(const jck_options *options, jck_shards *shards, jrpc_error *error)
{
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *path = options->operands.items[i];
        struct stat status;
        // A stream that can be read only once is a run of its own.
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
            continue;
        }
        feeding self = {.shards = shards, .first_only = true};
        // Mistakes in a file are reported when it is read as a whole.
        jrpc_error first = {0};
        size_t before = shards->seen;
        if (!feed_file(&self, path, &first) && shards->of > 0 && first.code != JRPC_ERROR_SYNTAX) {
            *error = first;
            return false;
        }
        if (shards->of > 0 && shards->seen == before) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "%.200s is not part of the same run as the others", path);
        }
        if (shards->seen < i + 1 && shards->of > 0) {
            return jrpc_error_set(
                error, JRPC_ERROR_INVALID,
                "%.200s is one part of a sharded run, but the streams before it are not", path);
        }
    }
    // A single part is reported as such.
    if (shards->of > 0 && options->operands.count == 1) {
        shards->of = 0;
    }
    return shards->of == 0 || jck_shards_are_whole(shards, error);
}

static bool feed_written(jck_reports *reports, jrpc_buffer *line, bool written, jrpc_error *error)
{
    bool fed =
        written ? jck_reports_feed(reports, jrpc_buffer_slice(line), error)
                : jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the parts of a run");
    jrpc_buffer_clear(line);
    return fed;
}

// Feeds the streams one after the other, the parts of a run between its start and its finish.
static bool feed_all(const jck_options *options, jck_reports *reports, jck_shards *shards,
                     bool *incomplete, jck_exit *stopped, jrpc_error *error)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    bool fed = shards == NULL ||
               feed_written(reports, &line, jck_shards_write_start(shards, &line), error);
    for (size_t i = 0; i < options->operands.count && fed; i++) {
        feeding self = {.reports = reports,
                        .incomplete = incomplete,
                        .shards = shards,
                        .stopped = options->operands.count == 1 ? stopped : NULL};
        fed = feed_file(&self, options->operands.items[i], error);
    }
    if (fed && shards != NULL && !*incomplete) {
        fed = feed_written(reports, &line, jck_shards_write_finish(shards, &line), error);
    }
    jrpc_buffer_done(&line);
    return fed;
}

// The exit code of the run that these parts belong to.
static jck_exit exit_of(const jck_shards *shards)
{
    if (jck_shards_conformant(shards)) {
        return JCK_EXIT_CONFORMANT;
    }
    jck_exit stopped = exit_of_stop(shards->stop);
    return stopped == JCK_EXIT_FAULT || stopped == JCK_EXIT_UNOPENED ? stopped
           : shards->interrupted                                     ? JCK_EXIT_INTERRUPTED
                                                                     : JCK_EXIT_BROKEN;
}

jck_exit jck_cmd_report(jck_options *options)
{
    if (options->operands.count == 0 || options->behind != NULL) {
        (void)jck_complain_of("no event stream is named; write jrpcheck report run.ndjson --report "
                              "junit=run.xml");
        return JCK_EXIT_USAGE;
    }
    if (options->since != NULL && options->operands.count != 1) {
        (void)jck_complain_of("--since compares two runs; name one stream: jrpcheck report --since "
                              "old.ndjson new.ndjson");
        return JCK_EXIT_USAGE;
    }
    if (!check_files(options)) {
        return JCK_EXIT_USAGE;
    }
    jrpc_error error = {0};
    jck_reports *reports = jck_outputs_open(options, options->verbose, &error);
    if (reports == NULL) {
        (void)jck_complain(&error);
        return JCK_EXIT_USAGE;
    }
    jck_exit status = JCK_EXIT_CONFORMANT;
    jck_shards shards;
    jck_shards_init(&shards);
    bool incomplete = false;
    feeding earlier = {.reports = reports, .incomplete = &incomplete};
    bool fed =
        (options->since == NULL || feed_file(&earlier, options->since, &error)) &&
        find_shards(options, &shards, &error) &&
        feed_all(options, reports, shards.of > 0 ? &shards : NULL, &incomplete, &status, &error);
    if (!fed) {
        (void)jck_complain(&error);
        status = JCK_EXIT_USAGE;
    } else if (incomplete) {
        status = JCK_EXIT_USAGE;
    } else if (shards.of > 0) {
        status = exit_of(&shards);
    }
    jck_shards_done(&shards);
    jrpc_error closing = {0};
    if (!jck_reports_close(reports, &closing) && status != JCK_EXIT_USAGE) {
        (void)jck_complain(&closing);
        status = jck_exit_of(&closing);
    }
    return status;
}
