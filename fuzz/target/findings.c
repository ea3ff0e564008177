// The judge's record: a finding is under the rule that has its role, or the case's own, once in
// each step, at the level that the rule has in the case, the profile sets or the caller chose; what
// a profile has switched off is not recorded, nothing is lost or doubled when the lists grow, and a
// difference counts as repeated after it was reported as often as it is. All that is what a list of
// them says.
//
// Three bytes of the text make one operation. Options: the case (two bytes), the profile, the n-th
// allocation that fails.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "harness/judge/finding.h"
#include "harness/judge/repeats.h"
#include "harness/suite/load.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 512, BYTES_OF_ONE = 3, STEPS = 4, LETTERS = 5, NAME_BYTES = 16 };

typedef struct told {
    jrpc_slice rule;
    jck_level level;
    int step;
    char text[NAME_BYTES];
    char name[NAME_BYTES]; // of the difference
} told;

typedef struct seen {
    const char *name; // of the difference, or …
    jrpc_slice rule;  // … if it has none, the rule and the text
    const char *text;
    unsigned times;
    jck_level level;
} seen;

typedef struct model {
    const jck_suite *suite;
    const jck_case *test_case;
    jck_findings real;
    jrpc_arena arena;
    told findings[MOST];
    size_t count;
    char observed[MOST][2][NAME_BYTES];
    size_t observed_count;
    seen repeated[MOST * 4];
    size_t repeated_count;
} model;

static const jck_rule *find_rule(const model *m, jrpc_slice id)
{
    for (size_t i = 0; i < m->suite->rule_count; i++) {
        if (jrpc_slice_equal(m->suite->rules[i].id, id)) {
            return &m->suite->rules[i];
        }
    }
    return NULL;
}

static jck_level lower(jck_level a, jck_level b)
{
    return a < b ? a : b;
}

// Whether the record took one more, which then says this.
static void expect(model *m, int step, jrpc_slice id, const jck_level *chosen, jck_level most,
                   const char *text)
{
    const jck_rule *rule = find_rule(m, id);
    bool there = rule != NULL && rule->off;
    for (size_t i = 0; i < m->count; i++) {
        there = there || (m->findings[i].step == step && jrpc_slice_equal(m->findings[i].rule, id));
    }
    if (there) {
        return;
    }
    jck_level own = rule == NULL ? JCK_LEVEL_MUST : jck_case_level(m->test_case, rule);
    jck_level level = chosen == NULL                   ? own
                      : rule != NULL && rule->profiled ? lower(own, *chosen)
                                                       : *chosen;
    told *one = &m->findings[m->count++];
    *one = (told){.rule = id, .level = lower(level, most), .step = step};
    (void)snprintf(one->text, sizeof one->text, "%s", text);
}

static void add(model *m, const unsigned char *how)
{
    static const jck_level levels[] = {JCK_LEVEL_OBSERVE, JCK_LEVEL_SHOULD, JCK_LEVEL_MUST};
    int step = how[1] % STEPS;
    jck_level chosen = levels[how[1] / STEPS % 3];
    jck_role role = (jck_role)(how[2] % (JCK_ROLE_COUNT + 1));
    const jck_specification *by = jck_suite_specification_of(m->suite, m->test_case);
    const jck_rule *of_role = by == NULL || role == JCK_ROLE_NONE ? NULL : by->roles[role];
    jrpc_slice id = of_role == NULL ? m->test_case->rules[0] : of_role->id;
    jck_level most = of_role == NULL ? jck_role_level(role) : JCK_LEVEL_MUST;
    char text[] = {'t', (char)('a' + how[2] % 3), '\0'};
    jrpc_slice given = how[2] % 16 == 15 ? JRPC_SLICE("no-such-rule")
                                         : m->suite->rules[how[2] * 7u % m->suite->rule_count].id;
    switch (how[0] % 4) {
    case 0:
        jck_add_finding(&m->real, step, role, "%s", text);
        expect(m, step, id, NULL, most, text);
        break;
    case 1:
        jck_add_finding_at(&m->real, step, role, chosen, "%s", text);
        expect(m, step, id, &chosen, most, text);
        break;
    case 2:
        jck_add_finding_of(&m->real, step, given, "%s", text);
        expect(m, step, given, NULL, JCK_LEVEL_MUST, text);
        break;
    default:
        jck_add_finding_of_at(&m->real, step, given, chosen, "%s", text);
        expect(m, step, given, &chosen, JCK_LEVEL_MUST, text);
        break;
    }
}

static void observe(model *m, const unsigned char *how)
{
    char name[NAME_BYTES];
    char value[NAME_BYTES];
    (void)snprintf(name, sizeof name, "n%d", how[1] % 16);
    (void)snprintf(value, sizeof value, "v%d", how[2] % 16);
    jck_observe(&m->real, jrpc_slice_str(name), jrpc_slice_str(value));
    bool there = false;
    for (size_t i = 0; i < m->observed_count; i++) {
        there = there ||
                (strcmp(m->observed[i][0], name) == 0 && strcmp(m->observed[i][1], value) == 0);
    }
    if (!there) {
        (void)snprintf(m->observed[m->observed_count][0], NAME_BYTES, "%s", name);
        (void)snprintf(m->observed[m->observed_count++][1], NAME_BYTES, "%s", value);
    }
    FUZZ_REQUIRE(m->real.failed || jck_has_observed(&m->real, name, value));
}

static void name_difference(model *m, const unsigned char *how)
{
    size_t first = how[1] % (m->count + 1);
    char name[] = {'d', (char)('a' + how[2] % LETTERS), '\0'}; // numbers would all be alike
    jck_name_difference(&m->real, first, "%s", name);
    for (size_t i = first; i < m->count; i++) {
        (void)snprintf(m->findings[i].name, NAME_BYTES, "%s", name);
    }
    FUZZ_REQUIRE(m->real.failed || jck_has_difference(&m->real, first, name) == (first < m->count));
}

static seen *entry_of(model *m, const told *one)
{
    for (size_t i = 0; i < m->repeated_count; i++) {
        seen *entry = &m->repeated[i];
        bool same =
            entry->name[0] != '\0' || one->name[0] != '\0'
                ? strcmp(entry->name, one->name) == 0
                : jrpc_slice_equal(entry->rule, one->rule) && strcmp(entry->text, one->text) == 0;
        if (same) {
            return entry;
        }
    }
    FUZZ_REQUIRE(m->repeated_count < sizeof m->repeated / sizeof *m->repeated);
    m->repeated[m->repeated_count] =
        (seen){.name = one->name, .rule = one->rule, .text = one->text};
    return &m->repeated[m->repeated_count++];
}

// Cases with such findings, one after the other, some of what they found known already.
static void mark(model *m, const unsigned char *how)
{
    jck_repeats *repeats = calloc(1, sizeof *repeats);
    FUZZ_REQUIRE(repeats != NULL);
    m->repeated_count = 0;
    for (unsigned round = 0; round < 2 + how[1] % 4u; round++) {
        for (size_t i = 0; i < m->count; i++) {
            m->real.items[i].repeats = false;
            m->real.items[i].known = (i + round) % 8 < how[2] % 8u;
        }
        jck_repeats_mark(repeats, &m->real);
        for (size_t i = 0; i < m->count; i++) {
            const told *one = &m->findings[i];
            bool again = false;
            if (!m->real.items[i].known && one->level != JCK_LEVEL_OBSERVE) {
                seen *entry = entry_of(m, one);
                again = entry->times >= JCK_REPEATS_REPORTED && one->level <= entry->level;
                entry->times += again ? 0 : 1;
                entry->level = again || one->level < entry->level ? entry->level : one->level;
            }
            FUZZ_REQUIRE(m->real.items[i].repeats == again);
        }
    }
    free(repeats);
}

static void require_same(const model *m)
{
    FUZZ_REQUIRE(m->real.count == m->count && m->real.observation_count == m->observed_count);
    for (size_t i = 0; i < m->count; i++) {
        const jck_finding *real = &m->real.items[i];
        const told *one = &m->findings[i];
        FUZZ_REQUIRE(real->step == one->step && real->level == one->level);
        FUZZ_REQUIRE(jrpc_slice_equal(real->rule, one->rule));
        FUZZ_REQUIRE(jrpc_slice_is(real->text, one->text));
        FUZZ_REQUIRE(real->difference.len == strlen(one->name) &&
                     (real->difference.len == 0 || jrpc_slice_is(real->difference, one->name)));
    }
    for (size_t i = 0; i < m->observed_count; i++) {
        FUZZ_REQUIRE(jrpc_slice_is(m->real.observations[i].name, m->observed[i][0]));
        FUZZ_REQUIRE(jrpc_slice_is(m->real.observations[i].value, m->observed[i][1]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const profiles[] = {NULL, "mcp", "kotlinx-rpc", "strict"};
    static model m;
    fuzz_input input = fuzz_input_of(data, size);
    const char *profile = profiles[input.options[2] % 4];
    const jck_suite *suite = profile == NULL ? fuzz_suite() : fuzz_suite_under(profile);
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, input.options[3] == 0 ? SIZE_MAX : input.options[3] - 1u);
    m = (model){.suite = suite};
    m.test_case = jck_suite_case(suite, (input.options[0] + input.options[1] * (size_t)255) %
                                            jck_suite_case_count(suite));
    jrpc_arena_init(&m.arena, &failing.allocator, 1 << 20);
    jck_findings_init(&m.real, &m.arena, suite, m.test_case);
    for (size_t at = 0; at + BYTES_OF_ONE <= input.text.len && m.count < MOST &&
                        m.observed_count < MOST && !m.real.failed;
         at += BYTES_OF_ONE) {
        const unsigned char *how = (const unsigned char *)input.text.ptr + at;
        if (how[0] % 8 < 5) {
            add(&m, how);
        } else if (how[0] % 8 == 5) {
            observe(&m, how);
        } else if (how[0] % 8 == 6) {
            name_difference(&m, how);
        } else if (!m.real.failed) {
            mark(&m, how);
        }
    }
    FUZZ_REQUIRE(!m.real.failed || failing.count > input.options[3] - 1u);
    if (!m.real.failed) {
        require_same(&m);
        static const unsigned char last[] = {0, 3, 2};
        mark(&m, last);
    }
    jrpc_arena_done(&m.arena);
    return 0;
}
