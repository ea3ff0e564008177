// The arguments of a command line that name a target.
#include "harness/suite/nearest.h"
#include "harness/suite/target_private.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char forms[] = "a target is tcp://HOST:PORT, unix:PATH, http(s)://…, ws(s)://…, "
                            "FILE.json, a name in targets/, or "
                            "-- COMMAND ARGS";

static bool ends_with(const char *word, const char *end)
{
    size_t word_len = strlen(word);
    size_t end_len = strlen(end);
    return word_len >= end_len && strcmp(word + word_len - end_len, end) == 0;
}

static bool is_file(const char *path)
{
    struct stat status;
    return path != NULL && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// A file that is not a description is a program: says how to start it.
static bool refuse_program(const char *word, jrpc_error *error)
{
    static const struct {
        const char *end, *interpreter;
    } scripts[] = {
        {".py", "python3 "}, {".js", "node "}, {".mjs", "node "},      {".ts", "npx tsx "},
        {".rb", "ruby "},    {".pl", "perl "}, {".jar", "java -jar "}, {".php", "php "},
        {".lua", "lua "},    {".sh", "sh "},
    };
    const char *interpreter = "";
    bool runs = access(word, X_OK) == 0;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts && !runs; i++) {
        interpreter = ends_with(word, scripts[i].end) ? scripts[i].interpreter : interpreter;
    }
    bool found = runs && strchr(word, '/') == NULL;
    return jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "%s is a file but does not describe a target; did you mean jrpcheck -- "
                          "%s%s%s?",
                          word, interpreter, found ? "./" : "", word);
}

// A path that does not exist: suggests the nearest file in its folder. False if there is none.
static bool refuse_path(const char *word, jrpc_error *error)
{
    char folder[1024];
    char kept[JCK_NEAREST_BYTES + 1] = "";
    const char *slash = strrchr(word, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - word) + 1;
    if (slash == NULL || len >= sizeof folder) {
        return false;
    }
    memcpy(folder, word, len);
    folder[len] = '\0';
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, jrpc_slice_str(word + len));
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        size_t before = nearest.distance;
        if (entry->d_name[0] != '.' && strlen(entry->d_name) < sizeof kept) {
            jck_nearest_offer(&nearest, jrpc_slice_str(entry->d_name));
        }
        if (nearest.distance < before) {
            // The entry does not outlive the next readdir.
            size_t found = nearest.found.len;
            memcpy(kept, nearest.found.ptr, found);
            kept[found] = '\0';
            nearest.found = jrpc_slice_of(kept, found);
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    if (jck_nearest_hint(&nearest, hint, sizeof hint)[0] == '\0') {
        return false;
    }
    (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "there is no file %s; did you mean %s%s?", word,
                         folder, kept);
    return true;
}

// Reports that no target has this name, and what was probably meant.
static bool refuse_name(const char *word, const char *targets_directory, jrpc_error *error)
{
    jck_nearest nearest;
    char hint[160];
    char kept[JCK_NEAREST_BYTES + 1];
    jck_nearest_init(&nearest, jrpc_slice_str(word));
    DIR *stream = targets_directory == NULL ? NULL : opendir(targets_directory);
    struct dirent *entry;
    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        size_t before = nearest.distance;
        if (entry->d_name[0] != '.' && strlen(entry->d_name) < sizeof kept) {
            jck_nearest_offer(&nearest, jrpc_slice_str(entry->d_name));
        }
        if (nearest.distance < before) {
            // The entry does not outlive the next readdir.
            size_t len = nearest.found.len;
            memcpy(kept, nearest.found.ptr, len);
            nearest.found = jrpc_slice_of(kept, len);
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    if (word[0] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "the target is empty; %s", forms);
    }
    if (is_file(word)) {
        return refuse_program(word, error);
    }
    struct stat status;
    if (stat(word, &status) == 0 && S_ISDIR(status.st_mode)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "%s is a folder; %s", word, forms);
    }
    const char *colon = strrchr(word, ':');
    if (colon != NULL && colon > word && colon[1] != '\0' &&
        strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "there is no target %s; did you mean tcp://%s or http://%s/?", word,
                              word, word);
    }
    if (refuse_path(word, error)) {
        return false;
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE, "there is no target %s%s %s", word,
                          jck_nearest_hint(&nearest, hint, sizeof hint)[0] == '\0' ? ";" : hint,
                          forms);
}

// The description of a name in the folder of targets: NAME/target.json, or NAME.json for a second
// description ("jrpc2/header") in the same folder.
static const char *find_description(jck_target *target, const char *word,
                                    const char *targets_directory)
{
    if (targets_directory == NULL || word[0] == '\0' || word[0] == '.') {
        return NULL;
    }
    const char *path =
        jrpc_arena_printf(&target->arena, "%s/%s/target.json", targets_directory, word);
    if (is_file(path)) {
        return path;
    }
    path = jrpc_arena_printf(&target->arena, "%s/%s.json", targets_directory, word);
    return is_file(path) ? path : NULL;
}

bool jck_target_load(jck_target *target, const char *word, const char *targets_directory,
                     jrpc_error *error)
{
    jck_target_init(target);
    return jck_target_read_word(target, word, targets_directory, error);
}

bool jck_target_read_word(jck_target *target, const char *word, const char *targets_directory,
                          jrpc_error *error)
{
    if (!jck_target_set_name(target, jrpc_slice_str(word), error)) {
        return false;
    }
    if (jck_is_url(word)) {
        return jck_target_set_url(target, word, error);
    }
    const char *file =
        ends_with(word, ".json") ? word : find_description(target, word, targets_directory);
    if (file == NULL) {
        return refuse_name(word, targets_directory, error);
    }
    return jck_target_read_file(target, file, targets_directory, error);
}
