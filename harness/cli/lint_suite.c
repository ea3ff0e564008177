#include "harness/cli/lint_suite.h"

#include "harness/cli/lint_owed.h"
#include "harness/cli/lint_place.h"
#include "harness/cli/sample.h"
#include "harness/suite/nearest.h"
#include "reference/json/read.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct linting {
    const jck_suite *suite;
    const jck_faults *faults;
    jck_diagnose diagnose;
    void *context;
    jck_place place;
    jck_sample sample;
    jrpc_json_document sent;
    jrpc_buffer bytes;
} linting;

#define SHOWN(slice) (int)((slice).len > 120 ? 120 : (slice).len), (slice).ptr

static void report(linting *lint, jrpc_json at, const char *file, size_t line, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));

static void report(linting *lint, jrpc_json at, const char *file, size_t line, const char *format,
                   ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    jrpc_error error = {0};
    (void)jrpc_error_set(&error, JRPC_ERROR_INVALID, "%s", words);
    jck_place_locate(&lint->place, at, file, line, &error);
    lint->diagnose(lint->context, &error);
}

static bool has_case(const jck_suite *suite, jrpc_slice rule)
{
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        for (size_t k = 0; k < test_case->rule_count; k++) {
            if (jrpc_slice_equal(test_case->rules[k], rule)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_folder(const jck_suite *suite, jrpc_slice specification)
{
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        if (jrpc_slice_equal(jck_suite_case(suite, i)->suite, specification)) {
            return true;
        }
    }
    return false;
}

static bool is_stood_on(const jck_suite *suite, jrpc_slice id)
{
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        for (size_t k = 0; k < rule->stands_on_count; k++) {
            if (jrpc_slice_equal(rule->stands_on[k], id)) {
                return true;
            }
        }
    }
    return false;
}

static void lint_rule(linting *lint, const jck_rule *rule)
{
    const jck_suite *suite = lint->suite;
    bool excused = rule->untestable.len > 0 || rule->client.len > 0 || rule->judge.len > 0;
    if (!excused && has_folder(suite, rule->specification) && !has_case(suite, rule->id)) {
        report(
            lint, jck_place_of_rule(&lint->place, rule), rule->file, rule->line,
            "the rule %.*s has no case; write one, or say why with \"untestable\", \"client\" or "
            "\"judge\"",
            SHOWN(rule->id));
    }
    if (rule->ground.len > 0 && jck_suite_find_case(suite, rule->ground) == NULL) {
        jrpc_json at = jck_place_of_rule(&lint->place, rule);
        report(lint, jrpc_json_get(at, "ground"), rule->file, rule->line,
               "the ground case \"%.*s\" of the rule %.*s does not exist", SHOWN(rule->ground),
               SHOWN(rule->id));
    }
    if (rule->ground.len == 0 && is_stood_on(suite, rule->id)) {
        report(lint, jck_place_of_rule(&lint->place, rule), rule->file, rule->line,
               "other rules stand on %.*s, so it needs a \"ground\" case that shows whether it is "
               "broken",
               SHOWN(rule->id));
    }
}

static void lint_catches(linting *lint, const jck_case *test_case, jrpc_json at)
{
    if (test_case->catch_count == 0 && test_case->found.len == 0) {
        report(lint, at, test_case->file, test_case->line,
               "the case catches no fault, so nothing proves that it can fail; name one in "
               "\"catches\", or say in \"found\" on which target it failed");
    }
    bool known = lint->faults != NULL && lint->faults->known[test_case->side];
    for (size_t i = 0; i < test_case->catch_count && known; i++) {
        jrpc_slice name = test_case->catches[i];
        if (jck_faults_find(lint->faults, name, test_case->side) != NULL) {
            continue;
        }
        jck_nearest nearest;
        char hint[160];
        jck_nearest_init(&nearest, name);
        for (size_t k = 0; k < lint->faults->count; k++) {
            jck_nearest_offer(&nearest, lint->faults->items[k].name);
        }
        bool found = jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0';
        report(lint, jrpc_json_element(jrpc_json_get(at, "catches"), (uint32_t)i), test_case->file,
               test_case->line, "there is no fault \"%.*s\"%s%s%s", SHOWN(name),
               found ? hint : "; ", found ? "" : jck_faults_program(test_case->side),
               found ? "" : " --list-faults shows them all");
    }
}

// What is required of a parser depends on whether the text is JSON; the bundled reader decides
// that.
static void lint_text(linting *lint, const jck_case *test_case, const jck_expect *expect,
                      jrpc_json where)
{
    jrpc_error why = {0};
    bool is_json = jrpc_json_read(&lint->sent, jrpc_buffer_slice(&lint->bytes), UINT32_MAX, &why);
    bool right =
        expect->kind == JCK_EXPECT_PARSER &&
        (expect->parser == JCK_PARSER_CHOOSES || is_json == (expect->parser == JCK_PARSER_ACCEPTS));
    if (!right) {
        report(lint, where, test_case->file, test_case->line, "%.*s: the text is %sJSON%s%s",
               SHOWN(test_case->id), is_json ? "" : "not ", is_json ? "" : ": ", why.message);
    }
}

static bool lint_send(linting *lint, const jck_case *test_case, size_t index, jrpc_json at,
                      jrpc_error *error)
{
    const jck_step *step = &test_case->steps[index];
    char sentence[200];
    if (step->payload.raw) {
        return true;
    }
    jrpc_buffer_clear(&lint->bytes);
    if (!jck_sample_bytes(&lint->sample, step, index, &lint->bytes, error)) {
        return jrpc_error_prefix(error, "%.*s", SHOWN(test_case->id));
    }
    if (test_case->side == JCK_SIDE_PARSER) {
        lint_text(lint, test_case, &step->expect, jck_place_of_step(at, index));
        return true;
    }
    jck_owed owed = jck_owed_for(jrpc_buffer_slice(&lint->bytes),
                                 jck_variables_absent(&lint->sample.variables), &lint->sent);
    if (jck_lint_contradicts(&step->expect, &owed, sentence, sizeof sentence)) {
        jrpc_json where = jck_place_of_step(at, index);
        jrpc_json expect = jrpc_json_get(where, "expect");
        report(lint, jrpc_json_exists(expect) ? expect : where, test_case->file, test_case->line,
               "%.*s: %s", SHOWN(test_case->id), sentence);
    }
    return true;
}

// The requirements are derived from JSON-RPC 2.0; they differ for a target that declares 1.0, and
// for cases of a rule that departs from 2.0.
static bool owes_otherwise(const jck_suite *suite, const jck_case *test_case)
{
    const jck_rule *decisive = jck_suite_find_rule(suite, test_case->rules[0]);
    if (decisive != NULL && decisive->departs) {
        return true;
    }
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (jrpc_slice_is(test_case->needs[i], "declares:1.0")) {
            return true;
        }
    }
    return false;
}

static bool lint_case(linting *lint, const jck_case *test_case, jrpc_error *error)
{
    jrpc_json at = jck_place_of_case(&lint->place, test_case);
    lint_catches(lint, test_case, at);
    if (test_case->side == JCK_SIDE_CLIENT) {
        return true;
    }
    if (owes_otherwise(lint->suite, test_case)) {
        return true;
    }
    lint->sample.of = test_case;
    if (!jck_sample_turn(&lint->sample, test_case->steps, test_case->step_count, error)) {
        return false;
    }
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].kind == JCK_STEP_SEND &&
            !lint_send(lint, test_case, i, at, error)) {
            return false;
        }
    }
    return true;
}

bool jck_lint_suite(const jck_suite *suite, const jck_faults *faults, jck_diagnose diagnose,
                    void *context, jrpc_error *error)
{
    linting lint = {.suite = suite, .faults = faults, .diagnose = diagnose, .context = context};
    jck_place_init(&lint.place);
    jrpc_json_document_init(&lint.sent, jrpc_allocator_heap());
    jrpc_buffer_init(&lint.bytes, jrpc_allocator_heap(), JCK_SAMPLE_PAYLOAD_BYTES);
    bool done = jck_sample_init(&lint.sample, NULL, 1, error);
    for (size_t i = 0; i < jck_suite_rule_count(suite) && done; i++) {
        lint_rule(&lint, jck_suite_rule(suite, i));
    }
    for (size_t i = 0; i < jck_suite_case_count(suite) && done; i++) {
        done = lint_case(&lint, jck_suite_case(suite, i), error);
    }
    jck_sample_done(&lint.sample);
    jrpc_buffer_done(&lint.bytes);
    jrpc_json_document_done(&lint.sent);
    jck_place_done(&lint.place);
    return done;
}
