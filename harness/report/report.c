#include "harness/report/report.h"

#include "harness/report/formats.h"
#include "reference/base/file.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <unistd.h>

static const jck_report_format *const formats[] = {
    &jck_format_console,
    &jck_format_ndjson,
    &jck_format_json,
    &jck_format_junit,
    &jck_format_tap,
    &jck_format_markdown,
    &jck_format_html,
    &jck_format_sarif,
    &jck_format_badge,
    &jck_format_badge_json,
    &jck_format_matrix,
    &jck_format_index,
    NULL,
};

static const jck_report_format *const since_formats[] = {
    &jck_since_console,
    &jck_since_markdown,
    &jck_since_html,
    NULL,
};

// One format that is written to one place.
typedef struct open_report {
    const jck_report_format *format;
    void *state;
    FILE *out;             // standard output, or that of `file`
    char *path;            // owned; NULL for standard output
    jrpc_file_writer file; // if there is a path
    struct open_report *next;
} open_report;

struct jck_reports {
    open_report *first;
    open_report **end;
    jrpc_json_document document;
    bool fed;
};

const jck_report_format *const *jck_report_formats(void)
{
    return formats;
}

jck_reports *jck_reports_new(void)
{
    jck_reports *reports = jrpc_allocate(jrpc_allocator_heap(), sizeof *reports);
    if (reports != NULL) {
        *reports = (jck_reports){0};
        reports->end = &reports->first;
        jrpc_json_document_init(&reports->document, jrpc_allocator_heap());
    }
    return reports;
}

static bool out_of_memory(jrpc_error *error)
{
    return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a report");
}

static char *copied(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = jrpc_allocate(jrpc_allocator_heap(), size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

static const jck_report_format *named(const jck_report_format *const *table, jrpc_slice name)
{
    for (size_t i = 0; table[i] != NULL; i++) {
        if (jrpc_slice_is(name, table[i]->name)) {
            return table[i];
        }
    }
    return NULL;
}

static bool unknown_format(const jck_report_format *const *table, jrpc_slice name,
                           jrpc_error *error)
{
    char known[512] = "";
    size_t len = 0;
    for (size_t i = 0; table[i] != NULL; i++) {
        size_t more = strlen(table[i]->name);
        if (len + more + 2 < sizeof known) {
            memcpy(known + len, i == 0 ? "" : ", ", i == 0 ? 0 : 2);
            len += i == 0 ? 0 : 2;
            memcpy(known + len, table[i]->name, more + 1);
            len += more;
        }
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "there is no report format \"%.*s\"%s; choose one of %s",
                          (int)(name.len < 64 ? name.len : 64), name.ptr,
                          table == formats ? "" : " of what changed", known);
}

const jck_report_format *jck_report_format_named(jrpc_slice name)
{
    return named(formats, name);
}

static bool place_is_free(const jck_reports *reports, const char *path, jrpc_error *error)
{
    for (const open_report *other = reports->first; other != NULL; other = other->next) {
        if (path == NULL && other->path == NULL) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "only one report can go to standard output, and %s does already: "
                                  "give the other one a file (FORMAT=PATH)",
                                  other->format->name);
        }
        if (path != NULL && other->path != NULL && strcmp(path, other->path) == 0) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "two reports cannot go to the same file: %s", path);
        }
    }
    return true;
}

// Closes the file, and discards it or moves it into place.
static bool settle_file(open_report *report, bool complete, jrpc_error *error)
{
    return report->path == NULL || jrpc_file_writer_done(&report->file, complete, error);
}

static void free_report(open_report *report)
{
    jrpc_deallocate(jrpc_allocator_heap(), report->path);
    jrpc_deallocate(jrpc_allocator_heap(), report);
}

// Takes `path` (NULL: standard output).
static bool add(jck_reports *reports, const jck_report_format *format, char *path,
                const jck_report_options *options, jrpc_error *error)
{
    open_report *report = jrpc_allocate(jrpc_allocator_heap(), sizeof *report);
    if (report == NULL) {
        jrpc_deallocate(jrpc_allocator_heap(), path);
        return out_of_memory(error);
    }
    *report = (open_report){.format = format, .path = path};
    if (path != NULL && !jrpc_file_writer_open(&report->file, path, format->in_place, error)) {
        free_report(report);
        return jrpc_error_prefix(error, "the %s report", format->name);
    }
    report->out = path == NULL ? stdout : report->file.stream;
    report->state = format->open(report->out, options);
    if (report->state == NULL) {
        (void)settle_file(report, false, NULL);
        free_report(report);
        return out_of_memory(error);
    }
    *reports->end = report;
    reports->end = &report->next;
    return true;
}

// The format that a spec names, and the place after it ("-" if there is none); NULL with USAGE.
static const jck_report_format *read_spec(const char *spec, bool since, const char **ret_place,
                                          jrpc_error *error)
{
    const char *equals = strchr(spec, '=');
    jrpc_slice name = jrpc_slice_of(spec, equals == NULL ? strlen(spec) : (size_t)(equals - spec));
    const jck_report_format *const *table = since ? since_formats : formats;
    const jck_report_format *format = named(table, name);
    *ret_place = equals == NULL ? "-" : equals + 1;
    if (format == NULL) {
        (void)unknown_format(table, name, error);
    } else if (**ret_place == '\0') {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE,
                             "the %s report has no file name after the \"=\"", format->name);
        format = NULL;
    }
    return format;
}

bool jck_reports_check(const char *spec, bool since, jrpc_error *error)
{
    const char *place;
    return read_spec(spec, since, &place, error) != NULL;
}

bool jck_reports_add(jck_reports *reports, const char *spec, const jck_report_options *options,
                     jrpc_error *error)
{
    const char *place;
    const jck_report_format *format = read_spec(spec, options->since, &place, error);
    if (format == NULL) {
        return false;
    }
    bool to_stdout = strcmp(place, "-") == 0;
    if (!place_is_free(reports, to_stdout ? NULL : place, error)) {
        return false;
    }
    char *path = to_stdout ? NULL : copied(place);
    if (!to_stdout && path == NULL) {
        return out_of_memory(error);
    }
    return add(reports, format, path, options, error);
}

bool jck_reports_feed(jck_reports *reports, jrpc_slice line, jrpc_error *error)
{
    while (line.len > 0 && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r')) {
        line.len--;
    }
    if (!jrpc_json_read(&reports->document, line, JRPC_LIMIT_DEPTH, error)) {
        return jrpc_error_prefix(error, "this is not an event");
    }
    jrpc_json event = jrpc_json_root(&reports->document);
    if (!jrpc_json_is(event, JRPC_JSON_OBJECT)) {
        return jrpc_error_set(error, JRPC_ERROR_SYNTAX,
                              "this is not an event: an event is an Object");
    }
    reports->fed = true;
    bool ok = true;
    for (open_report *report = reports->first; report != NULL; report = report->next) {
        // If one report runs out of memory, the others still get the line.
        ok = report->format->event(report->state, event, line, ok ? error : NULL) && ok;
    }
    return ok;
}

bool jck_reports_close(jck_reports *reports, jrpc_error *error)
{
    if (reports == NULL) {
        return true;
    }
    bool ok = true;
    for (open_report *report = reports->first; report != NULL;) {
        open_report *next = report->next;
        bool complete = report->format->close(report->state, ok ? error : NULL);
        if (!complete && ok && report->path != NULL) {
            (void)jrpc_error_prefix(error, "%s=%s", report->format->name, report->path);
        }
        complete = settle_file(report, complete && reports->fed, complete && ok ? error : NULL) &&
                   complete;
        ok = ok && complete;
        free_report(report);
        report = next;
    }
    jrpc_json_document_done(&reports->document);
    jrpc_deallocate(jrpc_allocator_heap(), reports);
    return ok;
}
