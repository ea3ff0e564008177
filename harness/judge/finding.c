#include "harness/judge/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 1024 };

void jck_findings_init(jck_findings *findings, jrpc_arena *arena, const jck_suite *suite,
                       const jck_case *test_case)
{
    *findings = (jck_findings){
        .arena = arena,
        .suite = suite,
        .test_case = test_case,
        .judged_by = jck_suite_specification_of(suite, test_case),
    };
}

// Makes room for one more item of `size` bytes; NULL if out of memory.
static void *grown(jck_findings *findings, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    size_t wanted = *capacity == 0 ? 4 : *capacity * 2;
    void *larger = jrpc_arena_array(findings->arena, wanted, size);
    if (larger == NULL) {
        findings->failed = true;
        return NULL;
    }
    if (count > 0) {
        memcpy(larger, items, count * size);
    }
    *capacity = wanted;
    return larger;
}

// A rule is recorded once per step: the first finding counts.
static bool is_written(const jck_findings *findings, int step, jrpc_slice rule)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->items[i].step == step && jrpc_slice_equal(findings->items[i].rule, rule)) {
            return true;
        }
    }
    return false;
}

static void add(jck_findings *findings, int step, jrpc_slice rule, jck_level level,
                const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

static void add(jck_findings *findings, int step, jrpc_slice rule, jck_level level,
                const char *format, va_list arguments)
{
    jck_finding *items = grown(findings, findings->items, findings->count, &findings->capacity,
                               sizeof *findings->items);
    if (items == NULL) {
        return;
    }
    findings->items = items;
    char text[TEXT_MAX];
    (void)vsnprintf(text, sizeof text, format, arguments);
    jck_finding finding = {.level = level, .step = step};
    if (!jrpc_arena_copy(findings->arena, rule, &finding.rule) ||
        !jrpc_arena_copy(findings->arena, jrpc_slice_str(text), &finding.text)) {
        findings->failed = true;
        return;
    }
    findings->items[findings->count++] = finding;
}

// Upper bounds of a finding's level: a level chosen by the judge is bounded by the one set by a
// profile, and a finding under the case's own rule on behalf of another rule by that rule's level.
typedef struct bounds {
    bool chosen; // the judge has chosen `level`; else the rule's level in this case applies
    jck_level level;
    jck_level most;
} bounds;

static void add_bounded(jck_findings *findings, int step, jrpc_slice rule, bounds of,
                        const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

static void add_bounded(jck_findings *findings, int step, jrpc_slice rule, bounds of,
                        const char *format, va_list arguments)
{
    const jck_rule *known = jck_suite_find_rule(findings->suite, rule);
    if (is_written(findings, step, rule) || (known != NULL && known->off)) {
        return;
    }
    jck_level level = known == NULL ? JCK_LEVEL_MUST : jck_case_level(findings->test_case, known);
    if (of.chosen && (known == NULL || !known->profiled || level > of.level)) {
        level = of.level;
    }
    add(findings, step, rule, level > of.most ? of.most : level, format, arguments);
}

static const jck_rule *rule_of_role(const jck_findings *findings, jck_role role)
{
    return findings->judged_by == NULL || role == JCK_ROLE_NONE ? NULL
                                                                : findings->judged_by->roles[role];
}

jrpc_slice jck_findings_rule(const jck_findings *findings, jck_role role)
{
    const jck_rule *rule = rule_of_role(findings, role);
    return rule == NULL ? findings->test_case->rules[0] : rule->id;
}

// The highest level of a finding for a role.
static jck_level most_of(const jck_findings *findings, jck_role role)
{
    return rule_of_role(findings, role) == NULL ? jck_role_level(role) : JCK_LEVEL_MUST;
}

void jck_add_finding(jck_findings *findings, int step, jck_role role, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_bounded(findings, step, jck_findings_rule(findings, role),
                (bounds){.most = most_of(findings, role)}, format, arguments);
    va_end(arguments);
}

void jck_add_finding_at(jck_findings *findings, int step, jck_role role, jck_level level,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_bounded(findings, step, jck_findings_rule(findings, role),
                (bounds){.chosen = true, .level = level, .most = most_of(findings, role)}, format,
                arguments);
    va_end(arguments);
}

void jck_add_finding_of(jck_findings *findings, int step, jrpc_slice rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_bounded(findings, step, rule, (bounds){.most = JCK_LEVEL_MUST}, format, arguments);
    va_end(arguments);
}

void jck_add_finding_of_at(jck_findings *findings, int step, jrpc_slice rule, jck_level level,
                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_bounded(findings, step, rule,
                (bounds){.chosen = true, .level = level, .most = JCK_LEVEL_MUST}, format,
                arguments);
    va_end(arguments);
}

static bool is_observed(const jck_findings *findings, jrpc_slice name, jrpc_slice value)
{
    for (size_t i = 0; i < findings->observation_count; i++) {
        const jck_observation *seen = &findings->observations[i];
        if (jrpc_slice_equal(seen->name, name) && jrpc_slice_equal(seen->value, value)) {
            return true;
        }
    }
    return false;
}

bool jck_has_observed(const jck_findings *findings, const char *name, const char *value)
{
    return is_observed(findings, jrpc_slice_str(name), jrpc_slice_str(value));
}

void jck_observe(jck_findings *findings, jrpc_slice name, jrpc_slice value)
{
    if (is_observed(findings, name, value)) {
        return;
    }
    jck_observation *items = grown(findings, findings->observations, findings->observation_count,
                                   &findings->observation_capacity, sizeof *findings->observations);
    if (items == NULL) {
        return;
    }
    findings->observations = items;
    jck_observation observation = {0};
    if (!jrpc_arena_copy(findings->arena, name, &observation.name) ||
        !jrpc_arena_copy(findings->arena, value, &observation.value)) {
        findings->failed = true;
        return;
    }
    findings->observations[findings->observation_count++] = observation;
}

void jck_observe_count(jck_findings *findings, const char *name, size_t count)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%zu", count);
    jck_observe(findings, jrpc_slice_str(name), jrpc_slice_of(text, (size_t)len));
}

void jck_observe_role(jck_findings *findings, jck_role role, jrpc_slice value)
{
    const jck_rule *rule = rule_of_role(findings, role);
    if (rule != NULL) {
        jck_observe(findings, rule->id, value);
    }
}

void jck_name_difference(jck_findings *findings, size_t first, const char *format, ...)
{
    if (findings->count <= first) {
        return;
    }
    char text[TEXT_MAX];
    jrpc_slice name = {NULL, 0};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!jrpc_arena_copy(findings->arena, jrpc_slice_str(text), &name)) {
        findings->failed = true;
        return;
    }
    for (size_t i = first; i < findings->count; i++) {
        findings->items[i].difference = name;
    }
}

bool jck_has_difference(const jck_findings *findings, size_t first, const char *name)
{
    for (size_t i = first; i < findings->count; i++) {
        if (jrpc_slice_is(findings->items[i].difference, name)) {
            return true;
        }
    }
    return false;
}

int64_t jck_difference_code(jrpc_slice difference)
{
    jrpc_slice word = JRPC_SLICE("error ");
    return jrpc_slice_starts_with(difference, word) ? strtoll(difference.ptr + word.len, NULL, 10)
                                                    : 0; // a NUL follows each name
}

const char *jck_example_word(jck_example_kind kind)
{
    static const char *const words[JCK_EXAMPLE_KINDS] = {"response", "batch", "nothing", "closed",
                                                         "message",  "http",  "alive"};
    return words[kind];
}

const char *jck_came_word(jck_came came)
{
    static const char *const words[JCK_CAME_KINDS] = {"nothing", "answer", "closed", "exited"};
    return words[came];
}
