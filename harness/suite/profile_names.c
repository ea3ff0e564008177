#include "harness/suite/file.h"
#include "harness/suite/load_profile.h"

const char **jck_profile_names(jrpc_arena *arena, const char *directory)
{
    const char **names;
    size_t count;
    size_t kept = 0;
    jrpc_error error = {0};
    const char *folder = jrpc_arena_printf(arena, "%s/profiles", directory);
    if (folder == NULL || (!jck_file_list(folder, arena, &names, &count, &error) &&
                           error.code == JRPC_ERROR_MEMORY)) {
        return NULL;
    }
    if (error.code != JRPC_OK) {
        names = jrpc_arena_array(arena, 2, sizeof *names);
        count = 0;
    }
    for (size_t i = 0; names != NULL && i < count; i++) {
        size_t len = strlen(names[i]);
        jrpc_slice copy;
        if (len > 5 && strcmp(names[i] + len - 5, ".json") == 0 &&
            jrpc_arena_copy(arena, jrpc_slice_of(names[i], len - 5), &copy)) {
            names[kept++] = copy.ptr;
        }
    }
    if (names != NULL && kept == 0) {
        names[kept++] = JCK_PROFILE_DEFAULT;
    }
    if (names != NULL) {
        names[kept] = NULL;
    }
    return names;
}
