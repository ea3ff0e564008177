#include "fuzz/data.h"

#include "fuzz/fuzz.h"
#include "harness/suite/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CAPABILITIES_MAX = 64 };

// The folder of the source tree, or else the one beside the program: OSS-Fuzz moves it away.
static const char *folders(size_t index)
{
    static char path[4096];
    ssize_t len = index == 0 ? 0 : readlink("/proc/self/exe", path, sizeof path - 16);
    while (len > 0 && path[len - 1] != '/') {
        len--;
    }
    if (len > 0) {
        memcpy(path + len, "cases", sizeof "cases");
    }
    return index == 0 ? JRPC_FUZZ_DATA "/cases" : path;
}

_Noreturn static void give_up(const jrpc_error *error)
{
    char text[900];
    jrpc_error_format(error, text, sizeof text);
    (void)fprintf(stderr, "%s\n", text);
    fuzz_fail(__FILE__, __LINE__, "the suite can be loaded");
}

// `profile` NULL: none.
static jck_suite *load(const char *profile)
{
    jrpc_error error = {.code = JRPC_OK};
    for (size_t i = 0; i < 2; i++) {
        jck_suite *suite = jck_suite_load(folders(i), NULL, NULL, &error);
        if (suite == NULL) {
            continue;
        }
        const jck_profile *known =
            profile == NULL ? NULL
                            : jck_profile_load(suite, folders(i), profile, NULL, NULL, &error);
        if (profile == NULL || (known != NULL && jck_profile_apply(suite, known, &error))) {
            return suite;
        }
        jck_suite_free(suite);
    }
    give_up(&error);
}

const jck_suite *fuzz_suite(void)
{
    static jck_suite *suite;
    suite = suite == NULL ? load(NULL) : suite;
    return suite;
}

// FNV-1a; fuzz/tools/seeds.py computes the same.
static size_t position_of(jrpc_slice id)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < id.len; i++) {
        hash = (hash ^ (unsigned char)id.ptr[i]) * 16777619u;
    }
    return FUZZ_CASE_FIRST + hash % FUZZ_CASES_APART;
}

typedef struct placed {
    size_t position;
    const jck_case *test_case;
} placed;

// By position; cases of the same one stay in the order of the suite.
static int compare_places(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    int by_case = (x->test_case > y->test_case) - (x->test_case < y->test_case);
    return x->position == y->position ? by_case : x->position < y->position ? -1 : 1;
}

const jck_case *fuzz_case(size_t number)
{
    enum { CASES_MAX = 8192 };
    static placed places[CASES_MAX];
    static size_t count;
    if (count == 0) {
        const jck_suite *suite = fuzz_suite();
        FUZZ_REQUIRE(jck_suite_case_count(suite) <= CASES_MAX);
        for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
            const jck_case *one = jck_suite_case(suite, i);
            if (one->side != JCK_SIDE_PARSER) { // which is asked of no server
                places[count++] = (placed){position_of(one->id), one};
            }
        }
        qsort(places, count, sizeof *places, compare_places);
    }
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (places[middle].position < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return places[low == count ? 0 : low].test_case;
}

const jck_suite *fuzz_suite_under(const char *profile)
{
    static struct {
        const char *profile;
        jck_suite *suite;
    } loaded[FUZZ_PROFILES_MAX];
    size_t i = 0;
    while (i + 1 < FUZZ_PROFILES_MAX && loaded[i].suite != NULL &&
           strcmp(loaded[i].profile, profile) != 0) {
        i++;
    }
    if (loaded[i].suite == NULL) {
        loaded[i].profile = profile;
        loaded[i].suite = load(profile);
    }
    FUZZ_REQUIRE(strcmp(loaded[i].profile, profile) == 0);
    return loaded[i].suite;
}

const jck_target *fuzz_target(void)
{
    static jck_mapping mappings[CAPABILITIES_MAX];
    static char spellings[CAPABILITIES_MAX][64];
    static jck_target target;
    const char *const *names = jck_capabilities();
    for (size_t i = 0; target.mappings == NULL && names[i] != NULL && i < CAPABILITIES_MAX; i++) {
        (void)snprintf(spellings[i], sizeof spellings[i], "\"%s\"", names[i]);
        mappings[i] = (jck_mapping){
            jrpc_slice_str(names[i]), jrpc_slice_str(spellings[i]), true, true, NULL, false, false};
        target.mapping_count = i + 1;
    }
    target.mappings = mappings;
    return &target;
}
