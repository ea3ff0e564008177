#include "harness/cli/file_uses.h"

#include <sys/stat.h>
#include <unistd.h>

struct jck_file_use {
    const char *what;
    const char *path;
    bool written;
    // The identity of the file: device and inode, or those of its folder plus the name that it will
    // have.
    dev_t device;
    ino_t inode;
    jrpc_slice name; // empty for a file that exists
    jck_file_use *next;
};

void jck_file_uses_init(jck_file_uses *uses, jrpc_arena *arena)
{
    *uses = (jck_file_uses){.arena = arena};
}

static void add(jck_file_uses *uses, const jck_file_use *use)
{
    jck_file_use *kept = jrpc_arena_alloc(uses->arena, sizeof *kept);
    if (kept == NULL) {
        uses->starved = true;
        return;
    }
    *kept = *use;
    kept->next = uses->first;
    uses->first = kept;
}

static void add_existing(jck_file_uses *uses, jck_file_use use, const struct stat *status)
{
    if (S_ISREG(status->st_mode)) {
        use.device = status->st_dev;
        use.inode = status->st_ino;
        add(uses, &use);
    }
}

void jck_file_uses_read(jck_file_uses *uses, const char *what, const char *path)
{
    struct stat status;
    if (path != NULL && stat(path, &status) == 0) {
        add_existing(uses, (jck_file_use){.what = what, .path = path}, &status);
    }
}

void jck_file_uses_read_from(jck_file_uses *uses, const char *what, int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) == 0) {
        add_existing(uses, (jck_file_use){.what = what, .path = what}, &status);
    }
}

// A file that does not exist yet is identified by its folder and its name.
static void add_new(jck_file_uses *uses, const char *what, const char *path)
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    jrpc_slice folder = {NULL, 0};
    if (!jrpc_arena_copy(uses->arena, len == 0 ? JRPC_SLICE(".") : jrpc_slice_of(path, len),
                         &folder)) {
        uses->starved = true;
    } else if (stat(folder.ptr, &status) == 0) {
        add(uses, &(jck_file_use){.what = what,
                                  .path = path,
                                  .written = true,
                                  .device = status.st_dev,
                                  .inode = status.st_ino,
                                  .name = jrpc_slice_str(slash == NULL ? path : slash + 1)});
    }
}

void jck_file_uses_write(jck_file_uses *uses, const char *what, const char *path)
{
    struct stat status;
    if (path == NULL) {
        return;
    }
    if (stat(path, &status) == 0) {
        add_existing(uses, (jck_file_use){.what = what, .path = path, .written = true}, &status);
    } else {
        add_new(uses, what, path);
    }
}

void jck_file_uses_of_options(jck_file_uses *uses, const jck_options *options)
{
    const struct {
        const char *what, *path;
    } read[] = {
        {"the prelude", options->prelude},
        {"the certificates of --ca", options->ca_file},
        {"the certificate of --cert", options->cert_file},
        {"the key of --key", options->key_file},
        {"the stream of --only-failed", options->only_failed},
        {"the profile", options->profile},
        {"the secret of --jwt-secret", options->jwt_secret},
        {"the description of --openrpc", options->openrpc},
        {"the project file", options->project},
        {"the list of faults", options->faults},
        {"the stream of --since", options->since},
    };
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        jck_file_uses_read(uses, read[i].what, read[i].path);
    }
    for (size_t i = 0; i < options->header_files.count; i++) {
        jck_file_uses_read(uses, "a file of headers", options->header_files.items[i]);
    }
    for (size_t i = 0; i < options->reports.count; i++) {
        const char *spec = options->reports.items[i];
        const char *equals = strchr(spec, '=');
        if (equals != NULL && strcmp(equals + 1, "-") != 0) {
            jck_file_uses_write(uses, "a report", equals + 1);
        }
    }
    jck_file_uses_write(uses, "the transcript", options->transcript);
    jck_file_uses_write(uses, "the saved case", options->save);
}

static void of_words(jck_file_uses *uses, char *const *words)
{
    for (; words != NULL && *words != NULL; words++) {
        jck_file_uses_read(uses, "a file of the target's command line", *words);
    }
}

void jck_file_uses_of_run(jck_file_uses *uses, const jck_suite *suite, const jck_target *target)
{
    const char *file = NULL;
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const char *next = jck_suite_case(suite, i)->file;
        if (next == NULL) {
            continue; // the case was made, not loaded
        }
        if (file == NULL || strcmp(file, next) != 0) {
            jck_file_uses_read(uses, "a case file", next);
        }
        file = next;
    }
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const char *next = jck_suite_rule(suite, i)->file;
        if (file == NULL || strcmp(file, next) != 0) {
            jck_file_uses_read(uses, "a file of rules", next);
        }
        file = next;
    }
    jck_file_uses_read(uses, "the description of the target", target->file);
    of_words(uses, target->command);
    of_words(uses, target->start);
}

static bool is_same(const jck_file_use *one, const jck_file_use *other)
{
    return one->device == other->device && one->inode == other->inode &&
           jrpc_slice_equal(one->name, other->name);
}

bool jck_file_uses_check(const jck_file_uses *uses, jrpc_error *error)
{
    for (const jck_file_use *one = uses->first; one != NULL; one = one->next) {
        for (const jck_file_use *other = uses->first; one->written && other != NULL;
             other = other->next) {
            if (one == other || !is_same(one, other)) {
                continue;
            }
            return jrpc_error_set(
                error, JRPC_ERROR_USAGE,
                "%s would be written over %s: '%.150s' and '%.150s' are one file", one->what,
                other->written && strcmp(one->what, other->what) == 0 ? "another one" : other->what,
                one->path, other->path);
        }
    }
    return !uses->starved || jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
}
