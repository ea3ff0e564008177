// A folder of files for one test, and the diagnostics of loading it.
#ifndef TESTS_UNIT_SUITE_FOLDER_H
#define TESTS_UNIT_SUITE_FOLDER_H

#include "reference/base/error.h"
#include "reference/base/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct folder {
    char path[64];
    char made[12][128]; // what was made, in order
    size_t count;
} folder;

static inline void folder_make(folder *f)
{
    *f = (folder){.path = "/tmp/jrpcheck-test-XXXXXX"};
    assert_non_null(mkdtemp(f->path));
}

static inline const char *folder_path(const folder *f, const char *name, char out[256])
{
    (void)snprintf(out, 256, "%s/%s", f->path, name);
    return out;
}

static inline void folder_remember(folder *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->made[i], name) == 0) {
            return;
        }
    }
    assert_true(f->count < sizeof f->made / sizeof f->made[0]);
    (void)snprintf(f->made[f->count++], sizeof f->made[0], "%s", name);
}

static inline void folder_add(folder *f, const char *name)
{
    char path[256];
    assert_int_equal(mkdir(folder_path(f, name, path), 0700), 0);
    folder_remember(f, name);
}

static inline void folder_write(folder *f, const char *name, jrpc_slice text)
{
    char path[256];
    FILE *stream = fopen(folder_path(f, name, path), "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text.ptr, 1, text.len, stream), text.len);
    assert_int_equal(fclose(stream), 0);
    folder_remember(f, name);
}

static inline void folder_remove(folder *f)
{
    char path[256];
    while (f->count > 0) {
        assert_int_equal(remove(folder_path(f, f->made[--f->count], path)), 0);
    }
    assert_int_equal(rmdir(f->path), 0);
}

// What jck_suite_load told.
typedef struct diagnostics {
    size_t count;
    jrpc_error all[16];
} diagnostics;

static inline void tell(void *context, const jrpc_error *error)
{
    diagnostics *t = context;
    if (t->count < sizeof t->all / sizeof t->all[0]) {
        t->all[t->count] = *error;
    }
    t->count++;
}

#endif
