// A baseline's text, checked.
#include "harness/baseline/baseline_private.h"
#include "harness/suite/nearest.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct reading {
    jck_baseline *baseline;
    const char *file;
    jrpc_slice text;
    bool unfinished;
    jck_diagnose diagnose;
    void *context;
    bool wrong;
    size_t without_reason; // entries, and the first of them
    jrpc_json first_without_reason;
} reading;

#define SHOWN(slice) (int)((slice).len > 120 ? 120 : (slice).len), (slice).ptr

static void report(reading *state, jrpc_error *error, size_t offset)
{
    state->wrong = true;
    (void)jrpc_error_locate(error, state->file, state->text, offset);
    if (state->diagnose != NULL) {
        state->diagnose(state->context, error);
    }
}

static void wrong(reading *state, jrpc_json at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void wrong(reading *state, jrpc_json at, const char *format, ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    jrpc_error error = {0};
    (void)jrpc_error_set(&error, JRPC_ERROR_INVALID, "%s", words);
    report(state, &error, jrpc_json_offset(at));
}

// A non-empty String member; false after a diagnostic.
static bool read_word(reading *state, jrpc_json object, const char *name, const char *remedy,
                      jrpc_slice *ret)
{
    jrpc_json member = jrpc_json_get(object, name);
    if (!jrpc_json_exists(member)) {
        wrong(state, object, "the member \"%s\" is missing; %s", name, remedy);
        return false;
    }
    if (!jrpc_json_string(member, &state->baseline->arena, ret) || ret->len == 0) {
        wrong(state, member, "\"%s\" is not a non-empty String; %s", name, remedy);
        return false;
    }
    return true;
}

static const jck_case *read_case(reading *state, jrpc_json object)
{
    const jck_suite *suite = state->baseline->suite;
    jrpc_slice id;
    if (!read_word(state, object, "case", "it is the id of a case", &id)) {
        return NULL;
    }
    const jck_case *test_case = jck_suite_find_case(suite, id);
    if (test_case == NULL) {
        jck_nearest nearest;
        char hint[160];
        jck_nearest_init(&nearest, id);
        for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
            jck_nearest_offer(&nearest, jck_suite_case(suite, i)->id);
        }
        wrong(state, jrpc_json_get(object, "case"),
              "there is no case \"%.*s\"%s; remove the entry or name a case that exists", SHOWN(id),
              jck_nearest_hint(&nearest, hint, sizeof hint));
    }
    return test_case;
}

// Outcomes that an entry can let pass: those that can make a run non-conformant.
static bool read_outcome(reading *state, jrpc_json object, jck_outcome *ret)
{
    static const jck_outcome known[] = {JCK_OUTCOME_FAIL,  JCK_OUTCOME_CRASH, JCK_OUTCOME_HANG,
                                        JCK_OUTCOME_STUCK, JCK_OUTCOME_ENDED, JCK_OUTCOME_WARN};
    static const char remedy[] = "write fail, crash, hang, stuck, ended, or warn for --strict";
    jrpc_slice name;
    if (!read_word(state, object, "outcome", remedy, &name)) {
        return false;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (jrpc_slice_is(name, jck_outcome_name(known[i]))) {
            *ret = known[i];
            return true;
        }
    }
    wrong(state, jrpc_json_get(object, "outcome"),
          "\"%.*s\" is not an outcome that a baseline can expect; %s", SHOWN(name), remedy);
    return false;
}

static void check_reason(reading *state, jrpc_json object)
{
    jrpc_slice reason;
    jrpc_json member = jrpc_json_get(object, "reason");
    bool empty = jrpc_json_is(member, JRPC_JSON_STRING) && jrpc_json_count(member) == 0;
    if (jrpc_json_exists(member) && !empty) {
        (void)read_word(state, object, "reason", "say why this failure is accepted", &reason);
    } else if (state->without_reason++ == 0) {
        state->first_without_reason = jrpc_json_exists(member) ? member : object;
    }
}

// One sentence for all of them: a first baseline has as many as there are failures.
static void report_without_reason(reading *state)
{
    if (state->unfinished || state->without_reason == 0) {
        return;
    }
    if (state->without_reason == 1) {
        wrong(state, state->first_without_reason,
              "this entry has no \"reason\"; say why its failure is accepted, so that somebody can "
              "remove the entry later");
    } else {
        wrong(state, state->first_without_reason,
              "%zu entries have no \"reason\"; this is the first one. Say why their failures are "
              "accepted, or give all of them the same reason: --update-baseline --reason TEXT",
              state->without_reason);
    }
}

// The rules of an entry are for the reader, but a name that is none helps nobody.
static void check_rules(reading *state, jrpc_json object)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(object, "rules"));
         jrpc_json_step(&it);) {
        jrpc_slice rule = {NULL, 0};
        bool known = jrpc_json_string(it.value, &state->baseline->arena, &rule) &&
                     jck_suite_find_rule(state->baseline->suite, rule) != NULL;
        if (known) {
            continue;
        }
        jck_nearest nearest;
        char hint[160];
        jck_nearest_init(&nearest, rule);
        for (size_t i = 0; i < jck_suite_rule_count(state->baseline->suite); i++) {
            jck_nearest_offer(&nearest, jck_suite_rule(state->baseline->suite, i)->id);
        }
        wrong(state, it.value, "there is no rule \"%.*s\"%s; jrpcheck list --rules shows them all",
              SHOWN(rule), jck_nearest_hint(&nearest, hint, sizeof hint));
    }
}

static bool read_flaky(reading *state, jrpc_json object)
{
    jrpc_json member = jrpc_json_get(object, "flaky");
    if (jrpc_json_exists(member) && !jrpc_json_is(member, JRPC_JSON_TRUE)) {
        wrong(state, member,
              "set \"flaky\" to true only if the target sometimes gives this outcome and sometimes "
              "passes");
    }
    return jrpc_json_exists(member);
}

static void read_entry(reading *state, jrpc_json object)
{
    if (!jrpc_json_is(object, JRPC_JSON_OBJECT)) {
        wrong(state, object, "an entry is an Object with \"case\", \"outcome\" and \"reason\"");
        return;
    }
    const jck_case *test_case = read_case(state, object);
    jck_outcome outcome = JCK_OUTCOME_FAIL;
    bool complete = read_outcome(state, object, &outcome) && test_case != NULL;
    check_reason(state, object);
    check_rules(state, object);
    bool flaky = read_flaky(state, object);
    if (!complete) {
        return;
    }
    for (size_t i = 0; i < state->baseline->count; i++) {
        if (state->baseline->entries[i].test_case == test_case) {
            wrong(state, object, "the case \"%.*s\" already has an entry at line %zu; keep one",
                  SHOWN(test_case->id), state->baseline->entries[i].line);
            return;
        }
    }
    jck_entry *entry = jck_baseline_add(state->baseline);
    if (entry == NULL) {
        wrong(state, object, "out of memory");
        return;
    }
    entry->test_case = test_case;
    entry->outcome = outcome;
    entry->flaky = flaky;
    entry->json = object;
    jrpc_text_position(state->text, jrpc_json_offset(object), &entry->line, &entry->column);
}

static void read_root(reading *state, jrpc_json root)
{
    int64_t schema = 0;
    if (!jrpc_json_is(root, JRPC_JSON_OBJECT)) {
        wrong(state, root, "a baseline is an Object with \"schema\", \"target\" and \"entries\"");
        return;
    }
    jrpc_json version = jrpc_json_get(root, "schema");
    if (!jrpc_json_int64(version, &schema) || schema != 1) {
        wrong(state, jrpc_json_exists(version) ? version : root,
              "a baseline needs \"schema\": 1, the version this program reads");
    }
    jrpc_json entries = jrpc_json_get(root, "entries");
    if (!jrpc_json_is(entries, JRPC_JSON_ARRAY)) {
        wrong(state, jrpc_json_exists(entries) ? entries : root,
              "a baseline needs \"entries\", an Array");
        return;
    }
    jrpc_json_iterator it = jrpc_json_iterate(entries);
    while (jrpc_json_step(&it)) {
        read_entry(state, it.value);
    }
    report_without_reason(state);
}

bool jck_baseline_read(jck_baseline *baseline, jrpc_slice text, const char *file, bool unfinished,
                       jck_diagnose diagnose, void *context)
{
    reading state = {.baseline = baseline,
                     .file = file,
                     .text = text,
                     .unfinished = unfinished,
                     .diagnose = diagnose,
                     .context = context};
    jrpc_error error = {0};
    jrpc_slice copy = {NULL, 0};
    if (!jrpc_arena_copy(&baseline->arena, text, &copy)) {
        (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory");
        report(&state, &error, 0);
        return false;
    }
    if (!jrpc_json_read(&baseline->document, copy, JRPC_LIMIT_DEPTH, &error)) {
        report(&state, &error, error.offset);
        return false;
    }
    read_root(&state, jrpc_json_root(&baseline->document));
    return !state.wrong;
}
