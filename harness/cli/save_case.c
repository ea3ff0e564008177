#include "harness/cli/save_case.h"

#include "harness/cli/words.h"
#include "harness/report/safe.h"
#include "harness/suite/write_case.h"
#include "reference/base/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES ((size_t)256 << 20)

static bool keep(jck_options *options, const char *text, jrpc_slice *ret)
{
    *ret = text == NULL ? (jrpc_slice){NULL, 0} : jrpc_slice_str(text);
    return text != NULL ||
           jck_complain_of("out of memory for a case (%zu words)", options->operands.count);
}

bool jck_mark_found(jck_options *options, const char *words, jck_case *test_case)
{
    jrpc_slice id = test_case->id;
    bool again = jrpc_slice_starts_with(id, JRPC_SLICE("found/"));
    test_case->catches = NULL;
    test_case->catch_count = 0;
    test_case->aliases = NULL;
    test_case->alias_count = 0;
    return keep(options,
                jrpc_arena_printf(&options->arena, "%s%.*s", again ? "" : "found/", (int)id.len,
                                  id.ptr),
                &test_case->id) &&
           keep(options,
                jrpc_arena_printf(&options->arena, "on %s, with jrpcheck %s",
                                  words == NULL ? "a target" : words, JRPCHECK_VERSION),
                &test_case->found);
}

// The path of the folder of a file, ending in a name: "." is resolved. NULL after the reason was
// reported.
static const char *folder_of(jck_options *options, const char *path)
{
    char here[4096];
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash == NULL ? "." : jrpc_arena_printf(&options->arena, "%.*s", (int)(slash - path), path);
    const char *last = folder == NULL ? NULL : strrchr(folder, '/');
    last = last == NULL ? folder : last + 1;
    if (last == NULL || last[0] == '\0' || strcmp(last, "..") == 0) {
        (void)jck_complain_of("--save '%.200s': a case file needs a folder with the name of its "
                              "suite, such as found/mine/case.json",
                              path);
        return NULL;
    }
    if (strcmp(last, ".") != 0) {
        return folder;
    }
    return getcwd(here, sizeof here) == NULL ? NULL
                                             : jrpc_arena_printf(&options->arena, "%s", here);
}

static bool write_file(const char *path, const char *folder, const jck_case *cases, size_t count)
{
    const char *slash = strrchr(folder, '/');
    const jck_case_heading heading = {
        .suite = jrpc_slice_str(slash == NULL || slash[1] == '\0' ? "found" : slash + 1),
        .section = cases[0].section,
        .title = JRPC_SLICE("Found"),
    };
    jrpc_error error = {0};
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), FILE_BYTES);
    bool done = jck_case_write_file(&text, &heading, cases, count)
                    ? (jrpc_file_make_folder(folder, &error) &&
                       jrpc_file_replace(path, jrpc_buffer_slice(&text), &error)) ||
                          jck_complain(&error)
                    : jck_complain_of("%s would be larger than a case file may be", path);
    jrpc_buffer_done(&text);
    return done;
}

bool jck_save_cases(jck_options *options, const jck_case *cases, size_t count)
{
    if (options->save == NULL) {
        return true;
    }
    const char *folder = folder_of(options, options->save);
    if (folder == NULL || !write_file(options->save, folder, cases, count)) {
        return false;
    }
    const char *slash = strrchr(folder, '/');
    (void)printf("saved: %s; jrpcheck --cases ", options->save);
    (void)jck_print_safe(stdout, slash == NULL ? JRPC_SLICE(".")
                                 : slash == folder
                                     ? JRPC_SLICE("/")
                                     : jrpc_slice_of(folder, (size_t)(slash - folder)));
    (void)puts(" runs it");
    return true;
}
