#include "fuzz/small.h"

#include "fuzz/data.h"
#include "fuzz/fuzz.h"

enum { ARENA = 16 << 20, RULES = 256, CASES = 96, COPIES = 8 };

// The section that an id begins with.
static jrpc_slice section_of(const jck_case *test_case)
{
    const char *slash = memchr(test_case->id.ptr, '/', test_case->id.len);
    FUZZ_REQUIRE(slash != NULL);
    return jrpc_slice_of(test_case->id.ptr, (size_t)(slash - test_case->id.ptr));
}

// Whether a case is among those that stand for all: the first of each section of the largest suite,
// two of every other, one that is expected to hurt.
static bool stands_for_others(const jck_suite *kept, const jck_case *test_case)
{
    bool same_section = false;
    bool hazard = false;
    size_t of_suite = 0;
    for (size_t i = 0; i < kept->case_count; i++) {
        const jck_case *one = &kept->cases[i];
        bool same_suite = jrpc_slice_equal(one->suite, test_case->suite);
        of_suite += same_suite ? 1 : 0;
        hazard = hazard || one->hazard;
        same_section = same_section ||
                       (same_suite && jrpc_slice_equal(section_of(one), section_of(test_case)));
    }
    return (jrpc_slice_is(test_case->suite, "jsonrpc-2.0") ? !same_section : of_suite < 2) ||
           (test_case->hazard && !hazard);
}

static bool is_named_by_case(const jck_suite *kept, const jck_rule *rule)
{
    for (size_t i = 0; i < kept->case_count; i++) {
        for (size_t r = 0; r < kept->cases[i].rule_count; r++) {
            if (jrpc_slice_equal(kept->cases[i].rules[r], rule->id)) {
                return true;
            }
        }
    }
    return false;
}

const jck_suite *fuzz_small_suite(void)
{
    static jck_rule rules[RULES];
    static jck_case cases[CASES];
    static jck_suite small = {.rules = rules, .cases = cases};
    if (small.case_count != 0) {
        return &small;
    }
    const jck_suite *whole = fuzz_suite();
    for (size_t i = 0; i < whole->case_count; i++) {
        if (stands_for_others(&small, &whole->cases[i])) {
            FUZZ_REQUIRE(small.case_count < CASES);
            cases[small.case_count++] = whole->cases[i];
        }
    }
    for (size_t i = 0; i < whole->rule_count; i++) {
        if (is_named_by_case(&small, &whole->rules[i])) {
            FUZZ_REQUIRE(small.rule_count < RULES);
            rules[small.rule_count++] = whole->rules[i];
        }
    }
    return &small;
}

void fuzz_small_copy(jck_suite *ret, const jrpc_allocator *allocator)
{
    static jck_rule rules[COPIES][RULES];
    static jck_case cases[COPIES][CASES];
    static size_t next;
    const jck_suite *small = fuzz_small_suite();
    next = (next + 1) % COPIES;
    *ret = (jck_suite){.rules = rules[next],
                       .rule_count = small->rule_count,
                       .cases = cases[next],
                       .case_count = small->case_count};
    jrpc_arena_init(&ret->arena, allocator, ARENA);
    memcpy(ret->rules, small->rules, small->rule_count * sizeof *ret->rules);
    memcpy(ret->cases, small->cases, small->case_count * sizeof *ret->cases);
}
