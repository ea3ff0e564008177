#include "harness/baseline/baseline.h"
#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/lint_suite.h"
#include "harness/cli/words.h"
#include "harness/suite/file.h"
#include "harness/suite/profile.h"
#include "harness/suite/project.h"
#include "harness/suite/target.h"
#include "reference/base/file.h"
#include "reference/base/limits.h"
#include "reference/base/plural.h"
#include "reference/json/read.h"

#include <sys/stat.h>

#define FILE_BYTES ((size_t)16 << 20)

typedef struct findings {
    size_t count;
    const char *only;  // the one file to check, as the user spelled it, or NULL
    const char *below; // the one folder to check, or NULL
} findings;

static bool same_file(const char *a, const char *b)
{
    struct stat one;
    struct stat other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static void report(void *context, const jrpc_error *error)
{
    findings *found = context;
    char line[sizeof error->message + sizeof error->source + 64];
    size_t below = found->below == NULL ? 0 : strlen(found->below);
    if ((found->only != NULL && !same_file(error->source, found->only)) ||
        (below > 0 && strncmp(error->source, found->below, below) != 0)) {
        return;
    }
    found->count++;
    jrpc_error shown = *error;
    if (found->only != NULL) {
        (void)snprintf(shown.source, sizeof shown.source, "%s", found->only);
    }
    jrpc_error_format(&shown, line, sizeof line);
    (void)printf("%s\n", line);
}

// Checks one folder of case files; false if that could not be done.
static bool lint_folder(jck_options *options, const char *folder, findings *found)
{
    jrpc_error error = {0};
    size_t before = found->count;
    found->below = jck_suite_has_rules(folder) ? NULL : folder;
    jck_suite *suite = jck_data_load(options, folder, report, found, &error);
    if (suite == NULL) {
        // If the only mistakes are in files that were not to be checked, the rest could not be
        // checked.
        return found->count > before || jck_complain(&error);
    }
    jck_faults faults;
    jrpc_error unasked = {0};
    bool known = jck_faults_load(&faults, options, &unasked);
    bool done = known || options->faults == NULL || jck_complain(&unasked);
    if (!known && done) {
        (void)jck_complain_of("the names in \"catches\" are not checked (%s); name a list with "
                              "--faults FILE",
                              unasked.message);
    }
    done =
        done &&
        ((jck_lint_suite(suite, known ? &faults : NULL, report, found, &error) &&
          (found->below != NULL || jck_profile_check_all(suite, folder, report, found, &error))) ||
         jck_complain(&error));
    if (done && !options->quiet && found->only == NULL) {
        size_t base = jck_suite_base_count(suite);
        size_t cases = jck_suite_case_count(suite) - base;
        size_t rules = found->below != NULL ? 0 : jck_suite_rule_count(suite);
        (void)printf("%s: %zu case%s, %zu rule%s\n", folder, cases, jrpc_plural(cases), rules,
                     jrpc_plural(rules));
    }
    jck_faults_done(&faults);
    jck_suite_free(suite);
    return done;
}

static bool lint_baseline(jck_options *options, const char *file, jrpc_slice text, findings *found)
{
    jck_baseline baseline;
    jck_suite *suite = jck_data_load_suite(options);
    if (suite == NULL) {
        return false;
    }
    jck_baseline_init(&baseline, suite);
    (void)jck_baseline_read(&baseline, text, file, false, report, found);
    jck_baseline_done(&baseline);
    jck_suite_free(suite);
    return true;
}

// Against the project's cases, or those of --cases.
static bool lint_profile(jck_options *options, const char *file, findings *found)
{
    jrpc_error error = {0};
    const char *folder = jck_data_cases(options, &error);
    if (folder == NULL) {
        return jck_complain(&error);
    }
    jck_suite *suite = jck_data_load_suite(options);
    if (suite == NULL) {
        return false;
    }
    (void)jck_profile_load(suite, folder, file, report, found, &error);
    jck_suite_free(suite);
    return true;
}

// A target file, or a project file, which has a member that is one.
static bool lint_target(jck_options *options, const char *file, bool project, findings *found)
{
    jck_target target;
    jck_project unused;
    jrpc_error error = {0};
    bool done = true;
    const char *folder = jck_data_targets(options);
    bool loaded = project ? jck_project_read(&target, file, folder, &unused, &error)
                          : jck_target_load(&target, file, folder, &error);
    if (!loaded) {
        report(found, &error);
    } else if (target.profile.len > 0) {
        const char *word =
            jrpc_arena_printf(&options->arena, "%.*s", (int)target.profile.len, target.profile.ptr);
        done = word != NULL ? lint_profile(options, word, found) : jck_complain_of("out of memory");
    }
    jck_target_done(&target);
    return done;
}

// The folder of `path`, in the options' arena; NULL if out of memory.
static const char *folder_of(jck_options *options, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return strcmp(path, ".") == 0 ? ".." : ".";
    }
    bool climbs = strcmp(slash, "/..") == 0;
    return climbs ? jrpc_arena_printf(&options->arena, "%s/..", path)
                  : jrpc_arena_printf(&options->arena, "%.*s", (int)(slash - path), path);
}

// A file of cases or rules is checked with the folder that it belongs to, two levels up.
static bool lint_case_file(jck_options *options, const char *file, findings *found)
{
    const char *suite = folder_of(options, file);
    const char *folder = suite == NULL ? NULL : folder_of(options, suite);
    if (folder == NULL) {
        return jck_complain_of("out of memory");
    }
    found->only = file;
    bool done = lint_folder(options, folder, found);
    found->only = NULL;
    return done;
}

// A target may name a profile too, but it also has a location.
static bool is_profile(jrpc_json root)
{
    return jrpc_json_exists(jrpc_json_get(root, "profile")) &&
           !jrpc_json_exists(jrpc_json_get(root, "command")) &&
           !jrpc_json_exists(jrpc_json_get(root, "url"));
}

// The members of a file show what kind of file it is.
static bool lint_file(jck_options *options, const char *file, findings *found)
{
    jrpc_error error = {0};
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), FILE_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool done = jrpc_file_read(file, &text, &error) || jck_complain(&error);
    jrpc_slice content = jrpc_buffer_slice(&text);
    if (done && !jrpc_json_read(&document, content, JRPC_LIMIT_DEPTH, &error)) {
        (void)jrpc_error_locate(&error, file, content, error.offset);
        report(found, &error);
    } else if (done) {
        jrpc_json root = jrpc_json_root(&document);
        if (jrpc_json_exists(jrpc_json_get(root, "entries"))) {
            done = lint_baseline(options, file, content, found);
        } else if (jrpc_json_exists(jrpc_json_get(root, "cases")) ||
                   jrpc_json_exists(jrpc_json_get(root, "rules"))) {
            done = lint_case_file(options, file, found);
        } else if (jrpc_json_exists(jrpc_json_get(root, "target"))) {
            done = lint_target(options, file, true, found);
        } else if (is_profile(root)) {
            done = lint_profile(options, file, found);
        } else {
            done = lint_target(options, file, false, found);
        }
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&text);
    return done;
}

static bool lint_path(jck_options *options, const char *path, findings *found)
{
    switch (jck_file_kind_of(path)) {
    case JCK_FILE_MISSING:
        return jck_complain_of("there is no file or folder '%.200s'", path);
    case JCK_FILE_FOLDER:
        return lint_folder(options, path, found);
    case JCK_FILE_PLAIN:
        return lint_file(options, path, found);
    }
    return false;
}

jck_exit jck_cmd_lint(jck_options *options)
{
    findings found = {0};
    bool done = true;
    if (options->behind != NULL) {
        (void)jck_complain_of("jrpcheck lint takes files and folders, not a command after --");
        return JCK_EXIT_USAGE;
    }
    if (options->operands.count == 0) {
        jrpc_error error = {0};
        const char *folder = jck_data_cases(options, &error);
        done = folder != NULL ? lint_folder(options, folder, &found) : jck_complain(&error);
    }
    for (size_t i = 0; i < options->operands.count; i++) {
        done = lint_path(options, options->operands.items[i], &found) && done;
    }
    if (done && found.count == 0 && !options->quiet) {
        (void)puts("no problems");
    } else if (found.count > 0) {
        (void)printf("%zu problem%s\n", found.count, jrpc_plural(found.count));
    }
    return done && found.count == 0 ? JCK_EXIT_CONFORMANT : JCK_EXIT_USAGE;
}
