#include "harness/judge/repeats.h"

#include "reference/base/hash.h"

#include <string.h>

// Objects nested deeper than this are not examined: `error` within a Response is.
#define DEPTH_SEEN 2u

// The state while the shape of a text is read.
typedef struct shape {
    jrpc_slice text;
    size_t at;
    unsigned depth;
    uint64_t hash;
} shape;

static void add_byte(shape *of, char c)
{
    of->hash = jrpc_hash_byte(of->hash, (unsigned char)c);
}

static void add_range(shape *of, size_t from, size_t to)
{
    for (size_t i = from; i < to && of->depth <= DEPTH_SEEN; i++) {
        add_byte(of, of->text.ptr[i]);
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_of_number(char c)
{
    return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

// A String: a member's name counts, all others are treated as equal.
static void read_string(shape *of)
{
    size_t from = of->at++;
    while (of->at < of->text.len && of->text.ptr[of->at] != '"') {
        of->at += of->text.ptr[of->at] == '\\' ? 2 : 1;
    }
    of->at = of->at < of->text.len ? of->at + 1 : of->text.len;
    if (of->at < of->text.len && of->text.ptr[of->at] == ':') {
        add_range(of, from, of->at);
    } else {
        add_range(of, from, from + 1);
    }
}

// A number: a predefined error code counts, all others are treated as equal.
static void read_number(shape *of)
{
    size_t from = of->at;
    while (of->at < of->text.len && is_of_number(of->text.ptr[of->at])) {
        of->at++;
    }
    jrpc_slice number = jrpc_slice_of(of->text.ptr + from, of->at - from);
    if (number.len == strlen("-32600") && jrpc_slice_starts_with(number, JRPC_SLICE("-32"))) {
        add_range(of, from, of->at);
    } else if (of->depth <= DEPTH_SEEN) {
        add_byte(of, '0');
    }
}

// The content of an Array is ignored, except that it has elements; the same for an Object.
static void read_opening(shape *of, char c)
{
    bool is_empty = of->at + 1 < of->text.len && of->text.ptr[of->at + 1] == (c == '{' ? '}' : ']');
    add_range(of, of->at, of->at + 1 + (is_empty ? 1 : 0));
    of->depth += c == '[' ? DEPTH_SEEN + 1 : 1;
    of->at++;
}

static void read_closing(shape *of, char c)
{
    unsigned levels = c == ']' ? DEPTH_SEEN + 1 : 1;
    of->depth -= of->depth < levels ? of->depth : levels;
    add_range(of, of->at, of->at + 1);
    of->at++;
}

// Whether bytes of the peer begin here that are not JSON: what is quoted after a colon.
static bool begins_raw(const shape *of)
{
    if (of->depth > 0 || of->at < 2 || of->text.ptr[of->at - 1] != ' ' ||
        of->text.ptr[of->at - 2] != ':') {
        return false;
    }
    jrpc_slice rest = jrpc_slice_from(of->text, of->at);
    return strchr("{[\"-0123456789", rest.ptr[0]) == NULL &&
           !jrpc_slice_starts_with(rest, JRPC_SLICE("null")) &&
           !jrpc_slice_starts_with(rest, JRPC_SLICE("true")) &&
           !jrpc_slice_starts_with(rest, JRPC_SLICE("false"));
}

uint64_t jck_repeats_difference(jrpc_slice rule, jrpc_slice text)
{
    shape of = {.text = rule, .hash = JRPC_HASH_START};
    add_range(&of, 0, rule.len);
    add_byte(&of, '\0');
    of.text = text;
    // The expectation differs from case to case; what was received is the difference.
    while (of.at < text.len &&
           !jrpc_slice_starts_with(jrpc_slice_from(text, of.at), JRPC_SLICE("; got "))) {
        of.at++;
    }
    of.at = of.at == text.len ? 0 : of.at;
    while (of.at < text.len && !begins_raw(&of)) {
        char c = text.ptr[of.at];
        bool word = of.at > 0 && text.ptr[of.at - 1] != ' ' && of.depth == 0;
        if (c == '"') {
            read_string(&of);
        } else if (c == '{' || c == '[') {
            read_opening(&of, c);
        } else if (c == '}' || c == ']') {
            read_closing(&of, c);
        } else if (is_digit(c) || (c == '-' && !word)) {
            read_number(&of);
        } else {
            add_range(&of, of.at, of.at + 1);
            of.at++;
        }
    }
    return of.hash;
}

// Whether a difference may have another root cause under each rule: servers check each kind of
// text, and each member, in a place of its own.
static bool differs_with_rule(jrpc_slice name)
{
    return jrpc_slice_is(name, JCK_DIFFERENCE_READ) || jrpc_slice_is(name, JCK_DIFFERENCE_RESULT) ||
           jrpc_slice_is(name, JCK_DIFFERENCE_SERVED);
}

// The entry of a difference, which is added if it is new; NULL if the table is full.
static jck_repeats_entry *find(jck_repeats *repeats, uint64_t difference)
{
    size_t at = 0;
    while (at < repeats->count && repeats->seen[at].difference != difference) {
        at++;
    }
    if (at == JCK_REPEATS_MAX) {
        return NULL;
    }
    if (at == repeats->count) {
        repeats->seen[repeats->count++].difference = difference;
    }
    return &repeats->seen[at];
}

void jck_repeats_mark(jck_repeats *repeats, jck_findings *findings)
{
    static const jrpc_slice nobody = {NULL, 0};
    for (size_t i = 0; i < findings->count; i++) {
        jck_finding *finding = &findings->items[i];
        if (finding->known || finding->level == JCK_LEVEL_OBSERVE) {
            continue;
        }
        jrpc_slice name = finding->difference;
        jck_repeats_entry *seen =
            find(repeats, name.len > 0 ? jck_repeats_difference(nobody, name)
                                       : jck_repeats_difference(finding->rule, finding->text));
        jck_repeats_entry *of_rule =
            differs_with_rule(name) ? find(repeats, jck_repeats_difference(finding->rule, name))
                                    : seen;
        if (seen == NULL || of_rule == NULL) {
            continue;
        }
        finding->repeats = seen->times >= JCK_REPEATS_REPORTED && of_rule->times > 0 &&
                           finding->level <= seen->level;
        if (!finding->repeats) {
            seen->times++;
            seen->level = finding->level > seen->level ? finding->level : seen->level;
            of_rule->times += of_rule == seen ? 0 : 1;
        }
    }
}

// Whether text that is not JSON but begins like a batch was refused as a batch is.
static bool is_refused_as_batch(const jck_trial *trial, const jck_answers *answers)
{
    return answers->owed.input == JRPC_INPUT_PARSE_ERROR && answers->count == 1 &&
           jrpc_slice_starts_with(answers->sent, JRPC_SLICE("[")) &&
           jck_code_of(answers->replies[0]) == JRPC_INVALID_REQUEST &&
           !jck_trial_is_broken(trial, JCK_ROLE_PARSE_ERROR);
}

bool jck_observed_as_batch(jck_trial *trial, const jck_answers *answers)
{
    bool allowed = trial->calibration->batches_refused &&
                   !jck_trial_is_broken(trial, JCK_ROLE_BATCH_ARRAY) &&
                   is_refused_as_batch(trial, answers);
    if (allowed) {
        jck_observe_role(trial->findings, JCK_ROLE_PARSE_ERROR, JRPC_SLICE("refused-as-a-batch"));
    }
    return allowed;
}

bool jck_blocked_by_batches(jck_trial *trial, const jck_answers *answers)
{
    if (!is_refused_as_batch(trial, answers) || !jck_trial_is_broken(trial, JCK_ROLE_BATCH_ARRAY)) {
        return false;
    }
    trial->blocked_by = jck_trial_rule(trial, JCK_ROLE_BATCH_ARRAY);
    return true;
}

static bool is_error_of(jrpc_json reply, const jck_refusal *known)
{
    jrpc_json error = jrpc_json_get(reply, "error");
    return known->by_error && jrpc_json_is(error, JRPC_JSON_OBJECT) &&
           jck_code_of(reply) == known->code;
}

// Whether the answer comes from the server and not from a method: a method that does not exist gets
// the same error for such params.
static bool is_given_before_methods(const jck_answers *answers, const jck_refusal *known)
{
    jrpc_json error =
        jrpc_json_get(answers->count == 0 ? JRPC_JSON_ABSENT : answers->replies[0], "error");
    return known->code == JRPC_INVALID_REQUEST ||
           (jrpc_json_is(jrpc_json_get(error, "message"), JRPC_JSON_STRING) &&
            jrpc_hash_bytes(jrpc_json_spelling(jrpc_json_get(error, "message"))) == known->message);
}

bool jck_blocked_by_params_shape(jck_trial *trial, const jck_answers *answers)
{
    if (!jck_is_call_owed(answers) || answers->count > 1 ||
        jck_trial_names(trial, JCK_ROLE_INVALID_PARAMS)) {
        return false;
    }
    bool array = jrpc_json_is(answers->owed.message.params, JRPC_JSON_ARRAY);
    bool object = jrpc_json_is(answers->owed.message.params, JRPC_JSON_OBJECT);
    if (!array && !object) {
        return false;
    }
    const jck_refusal *known = array ? &trial->calibration->positional : &trial->calibration->named;
    jck_role role = array ? JCK_ROLE_PARAMS_BY_POSITION : JCK_ROLE_PARAMS_BY_NAME;
    // A case that needs a method (if there was no answer: that needs anything) is run because the
    // target is said to accept such params there.
    bool for_another = answers->count == 0 ? trial->test_case->need_count > 0
                                           : jck_case_needs_method(trial->test_case);
    if (for_another && !is_given_before_methods(answers, known)) {
        return false;
    }
    bool refused = answers->count == 0 ? known->silent : is_error_of(answers->replies[0], known);
    if (!refused || jck_trial_names(trial, role)) {
        return false;
    }
    trial->blocked_by = jck_trial_rule(trial, role);
    return true;
}
