#include "harness/cli/data.h"

#include "harness/cli/revisions.h"
#include "harness/cli/words.h"
#include "harness/suite/file.h"
#include "reference/base/os_linux.h"

#include <stdio.h>
#include <stdlib.h>

// Diagnostics that are shown one by one; the others are only counted.
#define SHOWN_MAX 20

// The folder of this program; false if that is unknown.
static bool own_folder(char *out, size_t out_size)
{
    if (!jrpc_os_program_path(out, out_size)) {
        return false;
    }
    char *slash = strrchr(out, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

// Tries each place where data may be, best first, until `folder` exists there.
static const char *find(jck_options *options, const char *folder)
{
    char own[4096];
    const char *given = getenv("JRPCHECK_DATA");
    const char *beside = own_folder(own, sizeof own)
                             ? jrpc_arena_printf(&options->arena, "%s/../share/jrpcheck", own)
                             : NULL;
    const char *const places[] = {given, beside, JRPCHECK_INSTALL_DATA, JRPCHECK_SOURCE_DATA,
                                  JCK_FILE_BUILTIN};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = places[i] == NULL || places[i][0] == '\0'
                               ? NULL
                               : jrpc_arena_printf(&options->arena, "%s/%s", places[i], folder);
        if (path != NULL && jck_file_kind_of(path) == JCK_FILE_FOLDER) {
            return path;
        }
    }
    return NULL;
}

bool jck_data_check(jrpc_error *error)
{
    const char *given = getenv("JRPCHECK_DATA");
    return given == NULL || given[0] == '\0' || jck_file_kind_of(given) == JCK_FILE_FOLDER ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "JRPCHECK_DATA is '%.200s', which is not a folder; unset it, or set it "
                          "to the folder that contains cases/",
                          given);
}

const char *jck_data_cases(jck_options *options, jrpc_error *error)
{
    if (options->cases != NULL && jck_file_kind_of(options->cases) != JCK_FILE_FOLDER) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE,
                             "--cases '%.200s' is not a folder; name the one that contains the "
                             "suites (and rules/ if they have rules of their own)",
                             options->cases);
        return NULL;
    }
    if (options->cases != NULL && jck_suite_has_rules(options->cases)) {
        return options->cases;
    }
    const char *found = find(options, "cases");
    if (found == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE,
                             "the case files are not found in $JRPCHECK_DATA/cases, "
                             "share/jrpcheck/cases next to the program or " JRPCHECK_INSTALL_DATA
                             "/cases; name their folder with --cases DIR");
    }
    return found;
}

const char *jck_data_targets(jck_options *options)
{
    return find(options, "targets");
}

const char *jck_data_index(jck_options *options)
{
    const char *folder = find(options, "reports");
    return folder == NULL ? NULL : jrpc_arena_printf(&options->arena, "%s/index.json", folder);
}

const char *jck_data_program(jck_options *options, const char *name)
{
    char own[4096];
    return own_folder(own, sizeof own) ? jrpc_arena_printf(&options->arena, "%s/%s", own, name)
                                       : NULL;
}

static void report(void *context, const jrpc_error *error)
{
    size_t *count = context;
    if (++*count <= SHOWN_MAX) {
        (void)jck_complain(error);
    }
}

// The profile to use; `target` may be NULL. NULL after the reason was reported.
static const jck_profile *load_profile(jck_options *options, jck_suite *suite, jck_target *target)
{
    jrpc_error error = {0};
    size_t wrong = 0;
    const char *word = options->profile;
    if (word == NULL && target != NULL && target->profile.len > 0) {
        word = jrpc_arena_printf(&options->arena, "%.*s", (int)target->profile.len,
                                 target->profile.ptr);
    }
    const char *folder = jck_data_cases(options, &error);
    const jck_profile *profile =
        folder == NULL ? NULL
                       : jck_profile_load(suite, folder, word == NULL ? JCK_PROFILE_DEFAULT : word,
                                          report, &wrong, &error);
    if (profile == NULL && wrong == 0) {
        (void)jck_complain(&error);
    }
    if (profile != NULL && target != NULL && word == NULL && target->prelude == NULL) {
        target->recognitions = jck_recognitions_load(suite, folder, &target->recognition_count);
    }
    return profile == NULL || target == NULL
               ? profile
               : jck_revisions_choose(options, suite, folder, profile, target);
}

const jck_profile *jck_data_profile(jck_options *options, jck_suite *suite, jck_target *target)
{
    jrpc_error error = {0};
    const jck_profile *profile = load_profile(options, suite, target);
    if (profile == NULL) {
        return NULL;
    }
    if (!jck_profile_apply(suite, profile, &error)) {
        (void)jck_complain(&error);
        return NULL;
    }
    options->strict = options->strict || profile->strict;
    options->no_discover = options->no_discover || profile->no_discover;
    if (target != NULL && !jck_profile_adopt(profile, target, &error)) {
        (void)jck_complain(&error);
        return NULL;
    }
    return profile;
}

bool jck_data_adopt(jck_options *options, jck_suite *suite, jck_target *target)
{
    jrpc_error error = {0};
    const jck_profile *profile = load_profile(options, suite, target);
    return profile != NULL && (jck_profile_adopt(profile, target, &error) || jck_complain(&error));
}

// Selects the suites in `folder`, unless others are named.
static bool mean_own_suites(jck_options *options, const jck_suite *suite)
{
    size_t count = jck_suite_case_count(suite);
    size_t base = jck_suite_base_count(suite);
    if (options->suites.count > 0) {
        return true;
    }
    options->suites.items =
        jrpc_arena_array(&options->arena, count - base, sizeof *options->suites.items);
    for (size_t i = base; options->suites.items != NULL && i < count; i++) {
        jrpc_slice name = jck_suite_case(suite, i)->suite;
        if (i == base || !jrpc_slice_equal(name, jck_suite_case(suite, i - 1)->suite)) {
            jrpc_slice copy = {"", 0};
            (void)jrpc_arena_copy(&options->arena, name, &copy);
            options->suites.items[options->suites.count++] = copy.ptr;
        }
    }
    return options->suites.items != NULL || jck_complain_of("out of memory for the suites");
}

jck_suite *jck_data_load(jck_options *options, const char *folder, jck_diagnose diagnose,
                         void *context, jrpc_error *error)
{
    const char *base = jck_suite_has_rules(folder) ? NULL : find(options, "cases");
    if (base == NULL) {
        return jck_suite_load(folder, diagnose, context, error);
    }
    jck_suite *suite = jck_suite_load_beside(base, folder, diagnose, context, error);
    if (suite != NULL && jck_suite_base_count(suite) == jck_suite_case_count(suite)) {
        (void)jrpc_error_set(
            error, JRPC_ERROR_USAGE,
            "'%.200s' contains neither rules/ nor a suite (a folder of case files); if it is a "
            "suite itself, name the folder above it",
            folder);
        jck_suite_free(suite);
        return NULL;
    }
    return suite;
}

jck_suite *jck_data_load_suite(jck_options *options)
{
    jrpc_error error = {0};
    const char *own = jck_data_cases(options, &error);
    if (own == NULL) {
        (void)jck_complain(&error);
        return NULL;
    }
    size_t wrong = 0;
    const char *folder = options->cases != NULL ? options->cases : own;
    jck_suite *suite = jck_data_load(options, folder, report, &wrong, &error);
    if (wrong > SHOWN_MAX) {
        (void)jck_complain_of("and %zu more; jrpcheck lint shows them all", wrong - SHOWN_MAX);
    } else if (suite == NULL && wrong == 0) {
        (void)jck_complain(&error);
    }
    if (suite != NULL && folder != own && !mean_own_suites(options, suite)) {
        jck_suite_free(suite);
        return NULL;
    }
    return suite;
}
