#include "harness/judge/finding.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_MAX = 1024 };

void jck_findings_init(jck_findings *findings, jrpc_arena *arena, const jck_suite *suite,
                       const jck_case *test_case)
{
    *findings = (jck_findings){.arena = arena, .suite = suite, .test_case = test_case};
}

// Makes room for one more item of `size` bytes; NULL when memory is out.
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

// The same rule is written down once a step, and the first finding of it stands.
static bool is_told(const jck_findings *findings, int step, jrpc_slice rule)
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

void jck_find(jck_findings *findings, int step, jrpc_slice rule, const char *format, ...)
{
    if (is_told(findings, step, rule)) {
        return;
    }
    const jck_rule *known = jck_suite_find_rule(findings->suite, rule);
    jck_level level = known == NULL ? JCK_LEVEL_MUST : jck_case_level(findings->test_case, known);
    if (known == NULL || !known->off) {
        va_list arguments;
        va_start(arguments, format);
        add(findings, step, rule, level, format, arguments);
        va_end(arguments);
    }
}

void jck_find_at(jck_findings *findings, int step, jrpc_slice rule, jck_level level,
                 const char *format, ...)
{
    if (is_told(findings, step, rule)) {
        return;
    }
    const jck_rule *known = jck_suite_find_rule(findings->suite, rule);
    // A level of the judge's own choice is bounded by the one that a profile has set.
    bool bounded = known != NULL && known->profiled && known->level < level;
    if (known == NULL || !known->off) {
        va_list arguments;
        va_start(arguments, format);
        add(findings, step, rule, bounded ? known->level : level, format, arguments);
        va_end(arguments);
    }
}

void jck_observe(jck_findings *findings, jrpc_slice name, jrpc_slice value)
{
    for (size_t i = 0; i < findings->observation_count; i++) {
        const jck_observation *seen = &findings->observations[i];
        if (jrpc_slice_equal(seen->name, name) && jrpc_slice_equal(seen->value, value)) {
            return;
        }
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
