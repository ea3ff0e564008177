// A whole suite from a data folder.
#include "harness/suite/file.h"
#include "harness/suite/load.h"

#include <stdio.h>

// The most memory that a whole suite may take.
#define SUITE_BYTES ((size_t)512 << 20)

// Whether a folder of the data folder holds cases: all but the catalogue, the profiles and the
// schemas of the formats.
static bool holds_cases(const char *name)
{
    return strcmp(name, "rules") != 0 && strcmp(name, "profiles") != 0 &&
           strcmp(name, "schema") != 0;
}

static bool ends_with_json(const char *name)
{
    size_t len = strlen(name);
    return len > 5 && strcmp(name + len - 5, ".json") == 0;
}

// The names in a folder, sorted. False after a diagnostic unless `optional`.
static bool list(jck_reader *reader, const char *folder, bool optional, const char ***ret_names,
                 size_t *ret_count)
{
    jrpc_error error = {0};
    if (jck_file_list(folder, reader->arena, ret_names, ret_count, &error)) {
        return true;
    }
    if (error.code == JRPC_ERROR_MEMORY) {
        return jck_reader_starve(reader);
    }
    return !optional && jck_reader_report(reader, &error);
}

// Loads the *.json files of one folder: rules, or the cases of the suite named `folder`.
static void load_folder(jck_reader *reader, jck_suite *suite, const char *directory,
                        const char *folder)
{
    const char **names = NULL;
    size_t count = 0;
    const char *path = jrpc_arena_printf(reader->arena, "%s/%s", directory, folder);
    if (path == NULL) {
        (void)jck_reader_starve(reader);
        return;
    }
    // What is not a folder (a README beside the suites) is skipped.
    bool rules = !holds_cases(folder);
    if (!list(reader, path, !rules, &names, &count)) {
        return;
    }
    for (size_t i = 0; i < count && !reader->starved; i++) {
        jrpc_json root;
        if (!ends_with_json(names[i])) {
            continue;
        }
        const char *file = jrpc_arena_printf(reader->arena, "%s/%s", path, names[i]);
        if (file == NULL) {
            (void)jck_reader_starve(reader);
        } else if (jck_reader_open(reader, file, &root)) {
            (void)(rules ? jck_load_rules(reader, suite, root)
                         : jck_load_cases(reader, suite, root, folder));
        }
    }
}

// Checks what depends on all rules being known.
static void check_stands_on(jck_reader *reader, const jck_suite *suite)
{
    for (size_t i = 0; i < suite->rule_count; i++) {
        const jck_rule *rule = &suite->rules[i];
        for (size_t j = 0; j < rule->stands_on_count; j++) {
            if (jck_suite_find_rule(suite, rule->stands_on[j]) != NULL) {
                continue;
            }
            jrpc_error error = {0};
            (void)jrpc_error_set(
                &error, JRPC_ERROR_INVALID,
                "the rule %.*s stands on \"%.*s\", which the catalogue does not have",
                JCK_WORD(rule->id), JCK_WORD(rule->stands_on[j]));
            (void)jrpc_error_locate(&error, rule->file, (jrpc_slice){NULL, 0}, 0);
            error.line = rule->line;
            error.column = 0;
            (void)jck_reader_report(reader, &error);
        }
    }
}

// Loads the suites of a folder, each in a folder of its own.
static void load_suites(jck_reader *reader, jck_suite *suite, const char *directory)
{
    const char **folders = NULL;
    size_t count = 0;
    if (!list(reader, directory, false, &folders, &count)) {
        return;
    }
    for (size_t i = 0; i < count && !reader->starved; i++) {
        if (holds_cases(folders[i])) {
            load_folder(reader, suite, directory, folders[i]);
        }
    }
}

static jck_suite *load(const jrpc_allocator *allocator, const char *base, const char *directory,
                       jck_diagnose diagnose, void *context, jrpc_error *error)
{
    jck_suite *suite = jrpc_allocate(allocator, sizeof *suite);
    if (suite == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory while loading %s", directory);
        return NULL;
    }
    *suite = (jck_suite){0};
    jrpc_arena_init(&suite->arena, allocator, SUITE_BYTES);
    jck_reader reader;
    jck_reader_init(&reader, &suite->arena, diagnose, context, error);
    load_folder(&reader, suite, base != NULL ? base : directory, "rules");
    check_stands_on(&reader, suite);
    jck_load_roles(&reader, suite);
    if (base != NULL) {
        load_suites(&reader, suite, base);
        suite->base_count = suite->case_count;
    }
    load_suites(&reader, suite, directory);
    if (reader.wrong > 0) {
        jck_suite_free(suite);
        return NULL;
    }
    return suite;
}

jck_suite *jck_suite_load_with(const jrpc_allocator *allocator, const char *directory,
                               jck_diagnose diagnose, void *context, jrpc_error *error)
{
    return load(allocator, NULL, directory, diagnose, context, error);
}

jck_suite *jck_suite_load(const char *directory, jck_diagnose diagnose, void *context,
                          jrpc_error *error)
{
    return load(jrpc_allocator_heap(), NULL, directory, diagnose, context, error);
}

jck_suite *jck_suite_load_beside(const char *base, const char *directory, jck_diagnose diagnose,
                                 void *context, jrpc_error *error)
{
    return load(jrpc_allocator_heap(), base, directory, diagnose, context, error);
}

bool jck_suite_has_rules(const char *directory)
{
    char path[4096];
    int len = snprintf(path, sizeof path, "%s/rules", directory);
    return len > 0 && (size_t)len < sizeof path && jck_file_kind_of(path) == JCK_FILE_FOLDER;
}
