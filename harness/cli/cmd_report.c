#include "harness/cli/commands.h"
#include "harness/cli/outputs.h"
#include "harness/cli/words.h"
#include "reference/base/limits.h"

#include <errno.h>
#include <stdlib.h>

// Feeds one file line by line. False after *error, which says the file and the line.
static bool feed(jck_reports *reports, const char *path, FILE *stream, jrpc_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    size_t number = 0;
    bool fed = true;
    ssize_t len;
    errno = 0;
    while (fed && (len = getline(&line, &capacity, stream)) >= 0) {
        number++;
        bool blank = len == 1 && line[0] == '\n';
        if ((size_t)len > JRPC_LIMIT_DOCUMENT_BYTES) {
            fed = jrpc_error_set(error, JRPC_ERROR_LIMIT, "the line is too long for an event");
        } else if (!blank) {
            fed = jck_reports_feed(reports, jrpc_slice_of(line, (size_t)len), error);
        }
        if (!fed) {
            (void)jrpc_error_prefix(error, "%.200s:%zu", path, number);
        }
    }
    int reason = ferror(stream) != 0 ? errno : 0;
    free(line);
    if (fed && reason != 0) {
        return jrpc_error_set_errno(error, reason, "cannot read %.200s", path);
    }
    if (fed && number == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "%.200s is empty: it holds no event stream (made by --report "
                              "ndjson=FILE)",
                              path);
    }
    return fed;
}

static bool feed_file(jck_reports *reports, const char *path, jrpc_error *error)
{
    if (strcmp(path, "-") == 0) {
        return feed(reports, "standard input", stdin, error);
    }
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return jrpc_error_set_errno(error, errno, "cannot open '%.200s'", path);
    }
    bool fed = feed(reports, path, stream, error);
    (void)fclose(stream);
    return fed;
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
    jrpc_error error = {0};
    jck_reports *reports = jck_outputs_open(options, options->verbose, NULL, &error);
    if (reports == NULL) {
        (void)jck_complain(&error);
        return JCK_EXIT_USAGE;
    }
    jck_exit status = JCK_EXIT_CONFORMANT;
    if (options->since != NULL && !feed_file(reports, options->since, &error)) {
        (void)jck_complain(&error);
        status = JCK_EXIT_USAGE;
    }
    for (size_t i = 0; i < options->operands.count && status == JCK_EXIT_CONFORMANT; i++) {
        if (!feed_file(reports, options->operands.items[i], &error)) {
            (void)jck_complain(&error);
            status = JCK_EXIT_USAGE;
        }
    }
    jrpc_error closing = {0};
    if (!jck_reports_close(reports, &closing) && status == JCK_EXIT_CONFORMANT) {
        (void)jck_complain(&closing);
        status = JCK_EXIT_FAULT;
    }
    return status;
}
