#include "harness/live/save.h"

#include "harness/evidence/evidence.h"
#include "harness/suite/write_case.h"
#include "reference/base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FILE_BYTES ((size_t)64 << 20)
#define PATH_BYTES 4096
// Bytes of a message in a title.
#define TITLE_BYTES 80
// Bytes of what was seen, in the reason.
#define REASON_BYTES 200

bool jck_save_begin(const char *folder, jrpc_error *error)
{
    char suite[PATH_BYTES];
    int len = snprintf(suite, sizeof suite, "%s/" JCK_SAVE_SUITE, folder);
    if (len < 0 || (size_t)len >= sizeof suite) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "the folder of --save has too long a name");
    }
    return jrpc_file_make_folder(suite, error) || jrpc_error_prefix(error, "--save");
}

// What is special about the sequence, in words for a title (", in pieces"); empty if nothing is.
static const char *words_for(const jck_composition *composition)
{
    if (jck_composition_has_visits(composition)) {
        return ", after clients that left";
    }
    return jck_composition_is_related(composition)
               ? ", in two forms"
               : jck_travel_words(&composition->shots[composition->shot_count - 1].travel);
}

void jck_save_name(jrpc_slice rule, uint64_t difference, const char *seen, jrpc_arena *arena,
                   jck_composition *composition)
{
    const jck_shot *shot = &composition->shots[composition->shot_count - 1];
    char slug[48] = "";
    for (size_t i = 0; i < rule.len && i + 1 < sizeof slug; i++) {
        char c = rule.ptr[i];
        slug[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        slug[i + 1] = '\0';
    }
    const char *id =
        jrpc_arena_printf(arena, JCK_SAVE_SUITE "/%s-%08" PRIx64, slug, difference & 0xFFFFFFFFu);
    const char *title = jrpc_arena_printf(arena, "found by fuzzing%s: %s", words_for(composition),
                                          jck_excerpt(arena, shot->bytes, TITLE_BYTES));
    const char *why = jrpc_arena_printf(arena, "A server was seen to get this wrong: %s.",
                                        jck_excerpt(arena, jrpc_slice_str(seen), REASON_BYTES));
    composition->why = why == NULL ? (jrpc_slice){NULL, 0} : jrpc_slice_str(why);
    composition->id = id == NULL ? JRPC_SLICE("fuzz/finding") : jrpc_slice_str(id);
    composition->title = title == NULL ? JRPC_SLICE("found by fuzzing") : jrpc_slice_str(title);
}

bool jck_save_case(const char *folder, const jck_case *test_case, jrpc_error *error)
{
    static const jck_case_heading heading = {
        .suite = {JCK_SAVE_SUITE, sizeof JCK_SAVE_SUITE - 1},
        .section = {JCK_SAVE_SUITE, sizeof JCK_SAVE_SUITE - 1},
        .title = {"Found by fuzzing", sizeof "Found by fuzzing" - 1},
    };
    char path[PATH_BYTES];
    int len = snprintf(path, sizeof path, "%s/%.*s.json", folder, (int)test_case->id.len,
                       test_case->id.ptr);
    if (len < 0 || (size_t)len >= sizeof path) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "the folder of --save has too long a name");
    }
    jrpc_buffer file;
    jrpc_buffer_init(&file, jrpc_allocator_heap(), FILE_BYTES);
    bool saved = (jck_case_write_file(&file, &heading, test_case, 1) ||
                  jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a case")) &&
                 jrpc_file_replace(path, jrpc_buffer_slice(&file), error);
    jrpc_buffer_done(&file);
    return saved;
}
