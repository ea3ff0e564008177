// Several reports of one stream: each is in its file whole or not at all, and as its format alone
// writes it. Lines that are not events are refused. Places that are taken or cannot be written are
// reported, and no half-written file is left.
#include "fuzz/model/grammar.h"
#include "fuzz/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// In a place, @ is the folder of this execution.
typedef struct plan {
    struct {
        const char *spec;
        bool refused;
    } reports[3];
    bool since;
    bool full; // the first of them cannot be written
} plan;

static const plan plans[] = {
    {{{"json=@/a", false}, {"tap=@/b", false}}, false, false},
    {{{"ndjson=@/a", false}, {"badge=@/b", false}, {"index=@/c", false}}, false, false},
    {{{"console=@/a", false}, {"json=@/a", true}, {"markdown=@/b", false}}, false, false},
    {{{"nothing=@/a", true}, {"junit=", true}, {"junit=@/a", false}}, false, false},
    {{{"sarif=@/missing/a", true}, {"sarif=@", true}, {"sarif=@/a", false}}, false, false},
    {{{"json=/dev/full", false}, {"tap=@/a", false}}, false, true},
    {{{"ndjson=/dev/full", false}, {"html=/dev/null", false}}, false, true},
    {{{"markdown=@/a", false}, {"html=@/b", false}, {"console=@/c", false}}, true, false},
    {{{"json=@/a", true}, {"console=@/b", false}}, true, false},
    {{{"matrix=@/a", false}, {"badge-json=@/b", false}}, false, false},
};
enum { PLANS = sizeof plans / sizeof *plans, PATH_BYTES = 200, NAMES = 3 };

static char folder[40];

static void path_in_folder(char *out, const char *name)
{
    FUZZ_REQUIRE(snprintf(out, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES);
}

static void clear_folder(void)
{
    static const char *const names[NAMES] = {"a", "b", "c"};
    for (size_t i = 0; i < NAMES; i++) {
        char path[PATH_BYTES];
        path_in_folder(path, names[i]);
        (void)unlink(path);
    }
}

// In memory, where the system has that.
static void make_folder(void)
{
    static const char *const places[] = {"/dev/shm/jrpc-reports-XXXXXX",
                                         "/tmp/jrpc-reports-XXXXXX"};
    for (size_t i = 0; i < 2; i++) {
        memcpy(folder, places[i], strlen(places[i]) + 1);
        if (mkdtemp(folder) != NULL) {
            return;
        }
    }
    fuzz_fail(__FILE__, __LINE__, "a folder can be made");
}

static void spell(char *out, const char *spec)
{
    const char *at = strchr(spec, '@');
    int len = at == NULL
                  ? snprintf(out, PATH_BYTES, "%s", spec)
                  : snprintf(out, PATH_BYTES, "%.*s%s%s", (int)(at - spec), spec, folder, at + 1);
    FUZZ_REQUIRE(len > 0 && len < PATH_BYTES);
}

static void add_all(jck_reports *reports, const plan *chosen, const jck_report_options *options)
{
    for (size_t i = 0; i < 3 && chosen->reports[i].spec != NULL; i++) {
        char spec[PATH_BYTES];
        jrpc_error error = {.code = JRPC_OK};
        spell(spec, chosen->reports[i].spec);
        bool ok = jck_reports_add(reports, spec, options, &error);
        FUZZ_REQUIRE(ok == !chosen->reports[i].refused);
        FUZZ_REQUIRE(ok == (error.code == JRPC_OK));
    }
}

// Feeds every line, with its line feed where it has one; events that it must take go to
// *ret_events.
static void feed_all(jck_reports *reports, jrpc_slice text, render_events *ret_events)
{
    ret_events->count = 0;
    for (size_t n = 0; n < RENDER_LINES && text.len != 0; n++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end == NULL ? text.len : (size_t)(end - text.ptr) + 1;
        jrpc_slice whole = jrpc_slice_of(text.ptr, len);
        jrpc_slice line = whole;
        text = jrpc_slice_from(text, len);
        while (line.len != 0 && strchr("\r\n", line.ptr[line.len - 1]) != NULL &&
               line.ptr[line.len - 1] != '\0') {
            line.len--;
        }
        grammar_verdict verdict = grammar_check(line, 64).verdict;
        if (verdict == GRAMMAR_DEEP) {
            continue;
        }
        size_t first = 0;
        while (verdict == GRAMMAR_JSON && strchr(" \t\r\n", line.ptr[first]) != NULL) {
            first++;
        }
        bool is_event = verdict == GRAMMAR_JSON && line.ptr[first] == '{';
        jrpc_error error = {.code = JRPC_OK};
        FUZZ_REQUIRE(jck_reports_feed(reports, whole, &error) == is_event);
        FUZZ_REQUIRE(is_event || error.code == JRPC_ERROR_SYNTAX);
        if (is_event) {
            ret_events->lines[ret_events->count++] = line;
        }
    }
}

static bool read_file(const char *path, char **ret_text, size_t *ret_len)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL) {
        return false;
    }
    FUZZ_REQUIRE(fstat(fileno(file), &status) == 0);
    *ret_len = (size_t)status.st_size;
    *ret_text = malloc(*ret_len + 1);
    FUZZ_REQUIRE(*ret_text != NULL && fread(*ret_text, 1, *ret_len, file) == *ret_len);
    (void)fclose(file);
    return true;
}

// Changes are reported in formats of their own, which only jck_reports knows.
static void require_file(const char *spec, const jck_report_options *options,
                         const render_events *events)
{
    char path[PATH_BYTES];
    char *text;
    size_t len;
    const char *equals = strchr(spec, '=');
    spell(path, equals + 1);
    bool there = read_file(path, &text, &len);
    bool in_place = strncmp(spec, "ndjson=", 7) == 0;
    FUZZ_REQUIRE(there == (in_place || events->count != 0));
    if (there) {
        const jck_report_format *format =
            jck_report_format_named(jrpc_slice_of(spec, (size_t)(equals - spec)));
        FUZZ_REQUIRE(options->since || jrpc_slice_equal(render(format, options, events, 1),
                                                        jrpc_slice_of(text, len)));
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    const plan *chosen = &plans[input.options[0] % PLANS];
    jck_report_options options = render_options_of(&input);
    options.since = chosen->since;
    make_folder();
    jck_reports *reports = jck_reports_new();
    FUZZ_REQUIRE(reports != NULL);
    add_all(reports, chosen, &options);
    render_events events;
    feed_all(reports, input.text, &events);
    jrpc_error error = {.code = JRPC_OK};
    bool ok = jck_reports_close(reports, &error);
    FUZZ_REQUIRE(ok == (error.code == JRPC_OK));
    FUZZ_REQUIRE(ok || chosen->full);
    for (size_t i = 0; i < 3 && chosen->reports[i].spec != NULL; i++) {
        const char *spec = chosen->reports[i].spec;
        if (i == 0 && chosen->full) {
            const char *equals = strchr(spec, '=');
            const jck_report_format *format =
                jck_report_format_named(jrpc_slice_of(spec, (size_t)(equals - spec)));
            FUZZ_REQUIRE(ok == (render(format, &options, &events, 1).len == 0));
        } else if (!chosen->reports[i].refused && strchr(spec, '@') != NULL) {
            require_file(spec, &options, &events);
        }
    }
    // Nothing but what was asked for: then the folder is empty.
    clear_folder();
    FUZZ_REQUIRE(rmdir(folder) == 0);
    return 0;
}
