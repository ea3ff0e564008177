// A main for a target under any compiler: replays files and folders, and can mutate what it finds.
//
//   fuzz_TARGET [-mutate=N] [-repeat=N] [-seed=S] [-max_len=BYTES] [-print] [PATH...]
//
// Each file of each folder (subfolders too, hidden files left out) is one input; with -mutate every
// input is also mutated N times by the structure-aware mutator, with -repeat run N times more, to
// see what the target alone costs; only the file itself is tried by every claim that takes turns.
// The exit code is 0 if all claims held, 2 where a path could not be read or there was no input.
#include "fuzz/fuzz.h"
#include "fuzz/mutator/mutator.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct replay {
    unsigned long mutations;
    unsigned long repeats;
    unsigned long seed;
    size_t max_len;
    bool print;
    size_t inputs, executions;
} replay;

static void run_one(replay *all, const uint8_t *data, size_t size)
{
    (void)LLVMFuzzerTestOneInput(data, size);
    all->executions++;
}

// A block of exactly the input's size, so that a sanitizer sees every byte read past it.
static void run_exact(replay *all, const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size == 0 ? 1 : size);
    FUZZ_REQUIRE(exact != NULL);
    if (size != 0) {
        memcpy(exact, data, size);
    }
    run_one(all, exact, size);
    free(exact);
}

static void mutate(replay *all, const uint8_t *data, size_t size)
{
    size_t room = size > all->max_len ? size : all->max_len;
    uint8_t *work = malloc(room);
    FUZZ_REQUIRE(work != NULL);
    for (unsigned long i = 0; i < all->mutations; i++) {
        memcpy(work, data, size);
        size_t len = size;
        for (unsigned long n = 0; n <= i % 3; n++) {
            len = mutator_mutate(work, len, room, all->seed + i * 31 + n);
        }
        run_exact(all, work, len);
    }
    free(work);
}

static bool run_file(replay *all, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size == 0 ? 1 : size);
    FUZZ_REQUIRE(data != NULL);
    size_t got = fread(data, 1, size, file);
    (void)fclose(file);
    if (all->print) {
        (void)fprintf(stderr, "%s\n", path);
    }
    fuzz_every_claim = true;
    run_exact(all, data, got);
    fuzz_every_claim = false;
    all->inputs++;
    for (unsigned long i = 0; i < all->repeats; i++) {
        run_one(all, data, got);
    }
    mutate(all, data, got);
    free(data);
    return true;
}

static bool run_path(replay *all, const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return run_file(all, path);
    }
    bool ok = true;
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char inner[4096];
        if (entry->d_name[0] == '.' ||
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner) {
            continue;
        }
        ok = run_path(all, inner) && ok;
    }
    (void)closedir(folder);
    return ok;
}

static bool option(const char *arg, const char *name, unsigned long *ret)
{
    size_t len = strlen(name);
    if (strncmp(arg, name, len) != 0) {
        return false;
    }
    *ret = strtoul(arg + len, NULL, 10);
    return true;
}

int main(int argc, char **argv)
{
    replay all = {.max_len = 4096};
    bool ok = true;
    for (int i = 1; i < argc; i++) {
        unsigned long bytes = 0;
        if (option(argv[i], "-mutate=", &all.mutations) ||
            option(argv[i], "-repeat=", &all.repeats) || option(argv[i], "-seed=", &all.seed)) {
            continue;
        }
        if (option(argv[i], "-max_len=", &bytes)) {
            all.max_len = bytes;
        } else if (strcmp(argv[i], "-print") == 0) {
            all.print = true;
        } else {
            ok = run_path(&all, argv[i]) && ok;
        }
    }
    (void)printf("%zu inputs, %zu executions, every claim held\n", all.inputs, all.executions);
    if (all.inputs == 0) {
        (void)fprintf(stderr, "there was no input\n");
        return 2;
    }
    return ok ? 0 : 2;
}
