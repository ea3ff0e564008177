#include "harness/cli/company.h"

#include "harness/cli/number.h"
#include "harness/cli/words.h"
#include "harness/suite/join.h"
#include "harness/suite/nearest.h"

#include <string.h>

// The most cases that may run before one.
#define COMPANY_MAX 512

typedef struct company {
    const jck_case *cases[COMPANY_MAX + 1];
    size_t count;
} company;

const jck_case *jck_find_case(const jck_suite *suite, const char *id)
{
    const jck_case *test_case = jck_suite_find_case(suite, jrpc_slice_str(id));
    if (test_case == NULL) {
        jck_nearest nearest;
        char hint[160];
        jck_nearest_init(&nearest, jrpc_slice_str(id));
        for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
            jck_nearest_offer(&nearest, jck_suite_case(suite, i)->id);
        }
        (void)jck_complain_of("there is no case \"%.100s\"%s", id,
                              jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0'
                                  ? hint
                                  : "; jrpcheck list shows them all");
    }
    return test_case;
}

static bool add(company *all, const jck_case *test_case, uint64_t times)
{
    if (times > COMPANY_MAX - all->count) {
        return jck_complain_of("more than %d cases to send first", COMPANY_MAX);
    }
    while (times-- > 0) {
        all->cases[all->count++] = test_case;
    }
    return true;
}

// "ID" or "ID*N".
static bool add_word(jck_options *options, const jck_suite *suite, const char *word, company *all)
{
    const char *star = strchr(word, '*');
    uint64_t times = 1;
    if (star != NULL && !jck_number(star + 1, 1, COMPANY_MAX, &times)) {
        return jck_complain_of("--after '%.80s': after * comes a count from 1 to %d", word,
                               COMPANY_MAX);
    }
    const char *id =
        star == NULL ? word : jrpc_arena_printf(&options->arena, "%.*s", (int)(star - word), word);
    const jck_case *test_case = id == NULL ? NULL : jck_find_case(suite, id);
    return test_case != NULL && add(all, test_case, times);
}

static bool join(jck_options *options, company *all, const jck_case *test_case,
                 jck_case *ret_joined)
{
    all->cases[all->count++] = test_case;
    return jck_case_join(&options->arena, all->cases, all->count, ret_joined) ||
           jck_complain_of("out of memory for %zu cases", all->count);
}

bool jck_company_of_options(jck_options *options, const jck_suite *suite, const jck_case *test_case,
                            jck_case *ret_joined)
{
    company all = {.count = 0};
    for (size_t i = 0; i < options->after.count; i++) {
        if (!add_word(options, suite, options->after.items[i], &all)) {
            return false;
        }
    }
    return join(options, &all, test_case, ret_joined);
}

bool jck_company_of_event(jck_options *options, const jck_suite *suite, jrpc_json ids,
                          const jck_case *test_case, jck_case *ret_joined)
{
    company all = {.count = 0};
    for (jrpc_json_iterator it = jrpc_json_iterate(ids); jrpc_json_step(&it);) {
        jrpc_slice id;
        const jck_case *other = jrpc_json_string(it.value, &options->arena, &id)
                                    ? jck_suite_find_case(suite, id)
                                    : NULL;
        if (other != NULL && !add(&all, other, 1)) {
            return false;
        }
    }
    return join(options, &all, test_case, ret_joined);
}
