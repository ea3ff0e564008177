#include "harness/suite/project.h"

#include "harness/suite/load.h"
#include "harness/suite/target_private.h"

#include <sys/stat.h>
#include <unistd.h>

// How many parent folders are searched.
#define CLIMB_MAX 64

static const char *const members[] = {"schema",   "target",  "profile", "methods",
                                      "baseline", "reports", NULL};

static bool is_ours(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_uid == geteuid() || status.st_uid == 0);
}

const char *jck_project_find(jrpc_arena *arena, const char *folder)
{
    const char *path = jrpc_arena_printf(arena, "%s", folder);
    for (int i = 0; i < CLIMB_MAX && path != NULL; i++) {
        const char *file = jrpc_arena_printf(arena, "%s/" JCK_PROJECT_FILE, path);
        if (file != NULL && is_ours(file)) {
            return jck_absolute(arena, file);
        }
        struct stat here;
        struct stat above;
        const char *next = jrpc_arena_printf(arena, "%s/..", path);
        bool top = next == NULL || stat(path, &here) != 0 || stat(next, &above) != 0 ||
                   (here.st_dev == above.st_dev && here.st_ino == above.st_ino);
        path = top ? NULL : next;
    }
    return NULL;
}

// The state while a project file is read.
typedef struct loading {
    jck_reader reader;
    jck_target *target;
    const char *folder;
    const char *targets_directory;
    jrpc_json root;
} loading;

static const char *from_folder(const loading *load, const char *path)
{
    return path[0] == '/' ? path
                          : jrpc_arena_printf(load->reader.arena, "%s/%s", load->folder, path);
}

static bool load_command(loading *load, jrpc_json words)
{
    size_t count = 0;
    char **argv = jck_reader_array(&load->reader, (size_t)jrpc_json_count(words) + 1, sizeof *argv);
    for (jrpc_json_iterator it = jrpc_json_iterate(words); argv != NULL && jrpc_json_step(&it);) {
        const char *word;
        if (!jck_read_string_value(&load->reader, it.value, "target", &word)) {
            return false;
        }
        // The arena's bytes are ours to write to: argv of a new program is not const.
        argv[count++] = (char *)(uintptr_t)word;
    }
    if (argv == NULL || count == 0 || argv[0][0] == '\0') {
        return jck_wrong(&load->reader, words, "target names no program");
    }
    argv[count] = NULL;
    load->target->command = argv;
    load->target->directory = load->folder;
    return jck_target_name_command(load->target, argv, NULL) || jck_reader_starve(&load->reader);
}

// Whether the file says how to reach the target outside "target", as a target file does. Then it is
// refused, and the message says where that member belongs.
static bool belongs_inside_target(loading *load)
{
    static const char *const of_target[] = {"command", "url",     "start",     "host",
                                            "port",    "headers", "env",       "cwd",
                                            "ready",   "framing", "transport", "prelude"};
    for (size_t i = 0; i < sizeof of_target / sizeof *of_target; i++) {
        jrpc_json value = jrpc_json_get(load->root, of_target[i]);
        if (jrpc_json_exists(value)) {
            (void)jck_wrong(&load->reader, value,
                            "\"%s\" belongs inside \"target\": write \"target\": {\"%s\": ...}",
                            of_target[i], of_target[i]);
            return true;
        }
    }
    return false;
}

// A target as on a command line; a file is relative to the project's folder.
static bool load_word(loading *load, jrpc_json value)
{
    const char *word;
    jrpc_error error = {0};
    if (!jck_read_string_value(&load->reader, value, "target", &word)) {
        return false;
    }
    size_t len = strlen(word);
    bool file = len > strlen(".json") && strcmp(word + len - strlen(".json"), ".json") == 0;
    const char *path = file && !jck_is_url(word) ? from_folder(load, word) : word;
    if (path == NULL) {
        return jck_reader_starve(&load->reader);
    }
    return jck_target_read_word(load->target, path, load->targets_directory, &error) ||
           (error.source[0] != '\0' ? jck_reader_report(&load->reader, &error)
                                    : jck_wrong(&load->reader, value, "%s", error.message));
}

static bool load_target(loading *load)
{
    jrpc_json value = jrpc_json_get(load->root, "target");
    if (jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return load_command(load, value);
    }
    if (jrpc_json_is(value, JRPC_JSON_STRING)) {
        return load_word(load, value);
    }
    if (jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return jck_target_read_members(load->target, &load->reader, value, load->targets_directory);
    }
    return jck_wrong(&load->reader, jrpc_json_exists(value) ? value : load->root,
                     "a project needs \"target\": a command (an Array of words), a word as on the "
                     "command line, or the members of a target file");
}

static void load_rest(loading *load, jck_project *ret_project)
{
    jck_reader *reader = &load->reader;
    const jck_scope nothing = {0};
    jrpc_json reports = jrpc_json_get(load->root, "reports");
    jrpc_json baseline = jrpc_json_get(load->root, "baseline");
    const char *path;
    jck_read_schema(reader, load->root);
    (void)jck_read_word(reader, load->root, "profile", false, &load->target->profile);
    jck_load_methods(reader, &nothing, jrpc_json_get(load->root, "methods"),
                     &load->target->mappings, &load->target->mapping_count);
    if (jrpc_json_exists(baseline) && jck_read_string_value(reader, baseline, "baseline", &path)) {
        load->target->baseline = from_folder(load, path);
    }
    size_t count = 0;
    const char **specs =
        jck_reader_array(reader, (size_t)jrpc_json_count(reports) + 1, sizeof *specs);
    if (jrpc_json_exists(reports) && !jck_read_kind(reader, reports, "reports", JRPC_JSON_ARRAY)) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(reports);
         specs != NULL && jrpc_json_step(&it);) {
        if (jck_read_string_value(reader, it.value, "reports", &path)) {
            const char *equals = strchr(path, '=');
            bool to_file = equals != NULL && equals[1] != '/' && strcmp(equals + 1, "-") != 0;
            specs[count++] =
                to_file ? jrpc_arena_printf(reader->arena, "%.*s=%s/%s", (int)(equals - path), path,
                                            load->folder, equals + 1)
                        : path;
        }
    }
    if (specs != NULL) {
        specs[count] = NULL;
        ret_project->reports = specs;
    }
}

bool jck_project_read(jck_target *target, const char *file, const char *targets_directory,
                      jck_project *ret_project, jrpc_error *error)
{
    loading load = {.target = target, .targets_directory = targets_directory};
    *ret_project = (jck_project){0};
    jck_target_init(target);
    jck_reader_init(&load.reader, &target->arena, NULL, NULL, error);
    if (!jck_reader_open(&load.reader, file, &load.root) || belongs_inside_target(&load) ||
        !jck_read_object(&load.reader, load.root, "a project file", members)) {
        return false;
    }
    load.folder = jck_folder_of(&target->arena, file);
    if (load.folder == NULL) {
        return jck_reader_starve(&load.reader);
    }
    if (load_target(&load)) {
        load_rest(&load, ret_project);
    }
    target->file = load.reader.file;
    return load.reader.wrong == 0;
}
