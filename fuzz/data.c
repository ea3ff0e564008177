#include "fuzz/data.h"

#include "fuzz/fuzz.h"

#include <stdio.h>
#include <unistd.h>

enum { CAPABILITIES_MAX = 64 };

// Where the program itself stands: OSS-Fuzz moves it away from the source tree.
static jck_suite *load_beside_program(void)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 16);
    while (len > 0 && path[len - 1] != '/') {
        len--;
    }
    if (len <= 0) {
        return NULL;
    }
    memcpy(path + len, "cases", sizeof "cases");
    return jck_suite_load(path, NULL, NULL, NULL);
}

const jck_suite *fuzz_suite(void)
{
    static jck_suite *suite;
    if (suite == NULL) {
        jrpc_error error = {.code = JRPC_OK};
        suite = jck_suite_load(JRPC_FUZZ_DATA "/cases", NULL, NULL, &error);
        suite = suite == NULL ? load_beside_program() : suite;
        if (suite == NULL) {
            char text[900];
            jrpc_error_format(&error, text, sizeof text);
            (void)fprintf(stderr, "%s\n", text);
            fuzz_fail(__FILE__, __LINE__, "the suite can be loaded");
        }
    }
    return suite;
}

const jck_target *fuzz_target(void)
{
    static jck_mapping mappings[CAPABILITIES_MAX];
    static char spellings[CAPABILITIES_MAX][64];
    static jck_target target;
    const char *const *names = jck_capabilities();
    for (size_t i = 0; target.mappings == NULL && names[i] != NULL && i < CAPABILITIES_MAX; i++) {
        (void)snprintf(spellings[i], sizeof spellings[i], "\"%s\"", names[i]);
        mappings[i] =
            (jck_mapping){jrpc_slice_str(names[i]), jrpc_slice_str(spellings[i]), true, true};
        target.mapping_count = i + 1;
    }
    target.mappings = mappings;
    return &target;
}
