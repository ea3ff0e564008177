#include "harness/judge/wanted.h"

#include "harness/judge/response.h"
#include "reference/base/limits.h"
#include "reference/base/plural.h"
#include "reference/json/equal.h"
#include "reference/json/write.h"
#include "reference/rpc/message.h"

// Alternatives that are named before the rest is omitted.
#define NAMED_MAX 4

static const char *printed(jck_trial *trial, const char *text)
{
    if (text == NULL) {
        trial->findings->failed = true;
        return "";
    }
    return text;
}

#define PRINT(trial, ...) printed((trial), jrpc_arena_printf((trial)->arena, __VA_ARGS__))

static bool is_any(jrpc_json pattern)
{
    return jrpc_json_exists(jrpc_json_get(pattern, "$any"));
}

// "-32600 or -32700" for the codes that a pattern accepts; "" if it accepts any.
static const char *describe_codes(jck_trial *trial, jrpc_json code)
{
    jrpc_json among = jrpc_json_get(code, "$in");
    jrpc_json range = jrpc_json_get(code, "$range");
    if (!jrpc_json_exists(code) || is_any(code)) {
        return "";
    }
    if (jrpc_json_exists(range)) {
        return PRINT(trial, " %s to %s", jck_shown(trial, jrpc_json_element(range, 0)),
                     jck_shown(trial, jrpc_json_element(range, 1)));
    }
    if (!jrpc_json_exists(among)) {
        return PRINT(trial, " %s", jck_shown(trial, jck_pattern_value(&trial->matching, code)));
    }
    const char *text = "";
    const char *between = " ";
    for (jrpc_json_iterator it = jrpc_json_iterate(among); jrpc_json_step(&it);) {
        text = PRINT(trial, "%s%s%s", text, between, jck_shown(trial, it.value));
        between = " or ";
    }
    return text;
}

static const char *describe_result(jck_trial *trial, jrpc_json result)
{
    if (!jrpc_json_exists(result) || is_any(result)) {
        return "a result";
    }
    jrpc_json fits = jrpc_json_get(result, "$fits");
    if (jrpc_json_exists(fits)) {
        return PRINT(trial, "a result that fits %s", jck_shown(trial, fits));
    }
    if (jrpc_json_exists(jrpc_json_get(result, "$openrpc"))) {
        return "an OpenRPC document";
    }
    jrpc_json all = jrpc_json_get(result, "$all");
    result = jrpc_json_exists(all) ? jrpc_json_element(all, 0) : result;
    return PRINT(trial, "result %s", jck_shown(trial, jck_pattern_value(&trial->matching, result)));
}

const char *jck_describe_response(jck_trial *trial, jrpc_json pattern)
{
    jrpc_json error = jrpc_json_get(pattern, "error");
    jrpc_json result = jrpc_json_get(pattern, "result");
    jrpc_json id = jrpc_json_get(pattern, "id");
    const char *what = "a Response";
    if (jrpc_json_is(error, JRPC_JSON_OBJECT) &&
        !jrpc_json_exists(jrpc_json_get(error, "$absent"))) {
        const char *codes = describe_codes(trial, jrpc_json_get(error, "code"));
        what = PRINT(trial, "%s%s", codes[0] == '\0' ? "an error" : "error", codes);
    } else if (jrpc_json_exists(result)) {
        what = describe_result(trial, result);
    }
    jrpc_json value = jck_pattern_value(&trial->matching, id);
    if (!jrpc_json_exists(id) || jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return what;
    }
    return PRINT(trial, "%s with id %s", what, jck_shown(trial, value));
}

const char *jck_describe_message(jck_trial *trial, jrpc_json pattern)
{
    static const char *const members[] = {"method", "verb"};
    jrpc_json batch = jrpc_json_get(pattern, "$batch");
    if (jrpc_json_exists(batch)) {
        return PRINT(trial, "an Array of %u Responses", jrpc_json_count(batch));
    }
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        jrpc_json value = jck_pattern_value(&trial->matching, jrpc_json_get(pattern, members[i]));
        if (jrpc_json_exists(value)) {
            return jrpc_json_is(value, JRPC_JSON_STRING)
                       ? PRINT(trial, "a message with %s %s", members[i], jck_shown(trial, value))
                       : PRINT(trial, "a message with a %s", members[i]);
        }
    }
    return jck_describe_response(trial, pattern);
}

static const char *describe_one(jck_trial *trial, const jck_expect *expect)
{
    switch (expect->kind) {
    case JCK_EXPECT_UNSTATED:
    case JCK_EXPECT_ANYTHING:
        return "any answer";
    case JCK_EXPECT_NOTHING:
        return "no Response";
    case JCK_EXPECT_CLOSED:
        return expect->with_status ? PRINT(trial, "an end with exit status %d", expect->status)
                                   : "a closed connection";
    case JCK_EXPECT_RESPONSE:
        return jck_describe_response(trial, expect->pattern);
    case JCK_EXPECT_BATCH: {
        size_t count = jrpc_json_count(expect->pattern);
        return PRINT(trial, "an Array of %zu Response%s", count, jrpc_plural(count));
    }
    case JCK_EXPECT_REJECTED:
        return "error -32600";
    case JCK_EXPECT_OWED:
        return "what is owed";
    case JCK_EXPECT_PARSER: // judged in harness/parser
    case JCK_EXPECT_ANY_OF: // alternatives do not nest
        break;
    }
    return "another answer";
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

const char *jck_describe_expectation(jck_trial *trial, const jck_expect *expect)
{
    if (expect->kind != JCK_EXPECT_ANY_OF) {
        return describe_one(trial, expect);
    }
    const char *names[NAMED_MAX];
    const char *text = "";
    size_t named = 0;
    // What passes is named; only if nothing does, what is accepted with a warning.
    for (int warned = 0; warned < 2 && named == 0; warned++) {
        for (size_t i = 0; i < expect->alternative_count && named < NAMED_MAX; i++) {
            const jck_expect *alternative = &expect->alternatives[i];
            if ((alternative->taken_as == JCK_TAKEN_AS_WARN) == (warned == 1)) {
                const char *one = describe_one(trial, alternative);
                if (!is_among(names, named, one)) {
                    text = PRINT(trial, "%s%s%s", text, named == 0 ? "" : " or ", one);
                    names[named++] = one;
                }
            }
        }
    }
    return named == 0 ? "another answer" : text;
}

static bool is_error(jrpc_json response)
{
    return jrpc_json_is(jrpc_json_get(response, "error"), JRPC_JSON_OBJECT);
}

// How one Response differs from one pattern.
const char *jck_describe_response_difference(jck_trial *trial, jrpc_json pattern,
                                             const jck_answers *answers, jrpc_json response)
{
    jck_difference how = JCK_DIFFERENCE_SHAPE;
    if (!jrpc_json_is(response, JRPC_JSON_OBJECT)) {
        return jrpc_json_is(response, JRPC_JSON_ARRAY) ? "it is an Array, not one Response"
                                                       : "it is not a Response";
    }
    bool error_owed = jrpc_json_is(jrpc_json_get(pattern, "error"), JRPC_JSON_OBJECT);
    if (jck_response_matches(trial, pattern, response, jck_id_owed(answers), answers->owed.absent,
                             &how)) {
        return "more than one message came";
    }
    if (how == JCK_DIFFERENCE_ID) {
        return "the id differs";
    }
    if (error_owed && !is_error(response)) {
        return "it is not an error";
    }
    if (!error_owed && is_error(response) && jrpc_json_exists(jrpc_json_get(pattern, "result"))) {
        return "it is an error";
    }
    return error_owed ? "the error differs" : "the result differs";
}

const char *jck_describe_reason(jck_trial *trial, jrpc_json pattern, jrpc_json response)
{
    jrpc_json result = jrpc_json_get(response, "result");
    return jrpc_json_exists(result)
               ? jck_matching_reason(&trial->matching, jrpc_json_get(pattern, "result"), result)
               : NULL;
}

const char *jck_describe_reasons(jck_trial *trial, const jck_expect *expect, jrpc_json response)
{
    const char *reason = expect->kind == JCK_EXPECT_RESPONSE
                             ? jck_describe_reason(trial, expect->pattern, response)
                             : NULL;
    for (size_t i = 0; i < expect->alternative_count && reason == NULL; i++) {
        reason = jck_describe_reason(trial, expect->alternatives[i].pattern, response);
    }
    return reason;
}

const char *jck_describe_contrast(jck_trial *trial, jrpc_json response, const char *reason,
                                  const char *difference)
{
    const char *came = jck_shown(trial, response);
    return reason != NULL ? PRINT(trial, ": %s; got %s", reason, came)
                          : PRINT(trial, "; got %s: %s", came, difference);
}

const char *jck_describe_difference(jck_trial *trial, const jck_expect *expect,
                                    const jck_answers *answers, jrpc_json response)
{
    if (answers->owed.kind == JCK_OWED_NOTHING) {
        return "nothing is owed";
    }
    const char *why = NULL;
    for (size_t i = 0; i < expect->alternative_count; i++) {
        const jck_expect *alternative = &expect->alternatives[i];
        if (alternative->kind == JCK_EXPECT_RESPONSE &&
            (why == NULL || strcmp(why, "the id differs") != 0)) {
            const char *of_one =
                jck_describe_response_difference(trial, alternative->pattern, answers, response);
            why = why == NULL || strcmp(of_one, "the id differs") == 0 ? of_one : why;
        }
    }
    return why == NULL ? "it is none of these" : why;
}

static const char *params_word(jrpc_json params)
{
    return jrpc_json_is(params, JRPC_JSON_ARRAY)    ? "by position"
           : jrpc_json_is(params, JRPC_JSON_OBJECT) ? "by name"
                                                    : "none";
}

void jck_name_other_result(jck_trial *trial, size_t first, jrpc_json call)
{
    jrpc_slice method = jrpc_json_spelling(jrpc_json_get(call, "method"));
    jck_name_difference(trial->findings, first, "another result of %.*s with params %s",
                        (int)(method.len < 200 ? method.len : 200),
                        method.len == 0 ? "" : method.ptr,
                        params_word(jrpc_json_get(call, "params")));
}

bool jck_name_taken_for_call(jck_trial *trial, size_t first, const jck_answers *answers,
                             jrpc_json response)
{
    jrpc_json sent = answers->owed.message.value;
    bool taken = answers->owed.input == JRPC_INPUT_SINGLE && jrpc_json_is(sent, JRPC_JSON_OBJECT) &&
                 !jrpc_json_is(jrpc_json_get(sent, "method"), JRPC_JSON_STRING) &&
                 jck_code_of(response) == JRPC_METHOD_NOT_FOUND;
    if (taken) {
        jck_name_difference(trial->findings, first, "a message without a method taken for a call");
    }
    return taken;
}

bool jck_name_result(jck_trial *trial, size_t first, jrpc_json pattern, const jck_answers *answers,
                     jrpc_json response)
{
    int64_t demanded = jck_code_of(pattern);
    int64_t owed = demanded != 0 ? demanded : answers->owed.code;
    jrpc_json error = jrpc_json_get(pattern, "error");
    // A case about names that must run nothing wants an error, whatever the server knows.
    bool unknown = jck_trial_is_for(trial, JCK_ROLE_REGISTERED_ALONE);
    bool error_owed = owed != 0 || unknown ||
                      (jrpc_json_is(error, JRPC_JSON_OBJECT) &&
                       !jrpc_json_exists(jrpc_json_get(error, "$absent")));
    bool result = error_owed && answers->owed.input == JRPC_INPUT_SINGLE &&
                  jrpc_json_exists(jrpc_json_get(response, "result"));
    if (result) {
        jck_name_difference(trial->findings, first, "%s",
                            owed == JRPC_METHOD_NOT_FOUND
                                ? "a result for a method that does not exist"
                            : unknown ? "a result for a name that no method has"
                                      : JCK_DIFFERENCE_RESULT);
    }
    return result;
}

void jck_name_response_difference(jck_trial *trial, size_t first, jrpc_json pattern,
                                  const jck_answers *answers, jrpc_json response)
{
    int64_t demanded = jck_code_of(pattern);
    long long owed = demanded != 0 ? (long long)demanded : answers->owed.code;
    bool result_owed = owed == 0 && jrpc_json_exists(jrpc_json_get(pattern, "result"));
    bool single = answers->owed.input == JRPC_INPUT_SINGLE;
    if (jck_name_taken_for_call(trial, first, answers, response) ||
        jck_name_refused_call(trial, first, answers, response) ||
        jck_name_refused_text(trial, first, answers, response)) {
        return;
    }
    bool null = jrpc_json_is(jrpc_json_get(response, "id"), JRPC_JSON_NULL);
    bool refused = jck_code_of(response) == JRPC_PARSE_ERROR ||
                   (jck_code_of(response) == JRPC_INVALID_REQUEST && null);
    if (jck_is_parse_error_owed(answers) && !refused) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_READ);
        return;
    }
    bool exists = single && answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.code == 0 &&
                  jck_case_needs_method(trial->test_case);
    if (exists && jck_code_of(response) == JRPC_METHOD_NOT_FOUND) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_ERROR "for a method that exists",
                            (long long)JRPC_METHOD_NOT_FOUND);
    } else if (jck_name_result(trial, first, pattern, answers, response)) {
        return;
    } else if (jck_code_of(response) == JRPC_METHOD_NOT_FOUND && owed == JRPC_INVALID_REQUEST) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_SERVED);
    } else if (jck_code_of(response) != 0 && owed != 0) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_ERROR "where %lld is owed",
                            (long long)jck_code_of(response), owed);
    } else if (jck_code_of(response) != 0 && result_owed && single) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_ERROR "to a call with params %s",
                            (long long)jck_code_of(response),
                            params_word(answers->owed.message.params));
    } else if (result_owed && single && jrpc_json_exists(jrpc_json_get(response, "result")) &&
               !jck_trial_is_about(trial, JCK_TOPIC_TEXT)) {
        jck_name_other_result(trial, first, answers->owed.message.value);
    } else if (jck_code_of(response) == JRPC_INTERNAL_ERROR) {
        jck_name_difference(trial->findings, first,
                            JCK_DIFFERENCE_ERROR "where another answer is owed",
                            (long long)JRPC_INTERNAL_ERROR);
    }
}

// Names the difference if a text that is not JSON was accepted: a reader that accepts too much
// shows one difference, whatever the text.
static void name_text_read(jck_trial *trial, size_t first, const jck_answers *answers,
                           const jck_expect *alternative)
{
    if (jck_is_parse_error_owed(answers) && alternative->kind == JCK_EXPECT_RESPONSE &&
        jck_trial_is_about(trial, JCK_TOPIC_TEXT) &&
        jck_code_of(answers->replies[0]) != JRPC_PARSE_ERROR) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_READ);
    }
}

void jck_name_accepted(jck_trial *trial, size_t first, const jck_answers *answers,
                       const jck_expect *alternative)
{
    jrpc_json reply = answers->replies[0];
    if (answers->owed.code != 0 && jck_code_of(reply) == JRPC_INTERNAL_ERROR) {
        jck_name_difference(trial->findings, first, JCK_DIFFERENCE_ERROR "where %lld is owed",
                            (long long)JRPC_INTERNAL_ERROR, (long long)answers->owed.code);
    }
    (void)jck_name_result(trial, first, JRPC_JSON_ABSENT, answers, reply);
    jck_name_wrong_id(trial, first, jck_id_owed(answers), jrpc_json_get(reply, "id"));
    name_text_read(trial, first, answers, alternative);
}

jrpc_json jck_single_pattern(const jck_expect *expect)
{
    jrpc_json found = JRPC_JSON_ABSENT;
    for (size_t i = 0; i < expect->alternative_count; i++) {
        const jck_expect *alternative = &expect->alternatives[i];
        if (alternative->taken_as == JCK_TAKEN_AS_PASS &&
            alternative->kind == JCK_EXPECT_RESPONSE) {
            if (jrpc_json_exists(found)) {
                return JRPC_JSON_ABSENT;
            }
            found = alternative->pattern;
        }
    }
    return found;
}

// Appends the pattern of the Response that one message requires.
static void append_pattern(const jck_trial *trial, const jrpc_message *message, jrpc_buffer *out)
{
    bool absent = jrpc_slice_equal(jrpc_json_spelling(message->method),
                                   jck_variables_absent(trial->variables));
    (void)jrpc_buffer_append_char(out, '{');
    if (message->reply_code != 0) {
        (void)jrpc_buffer_printf(out, "\"error\":{\"code\":%d},", message->reply_code);
    } else if (absent) {
        (void)jrpc_buffer_append_str(out, "\"error\":{},");
    }
    (void)jrpc_buffer_append_str(out, "\"id\":");
    if (!jrpc_json_exists(message->reply_id)) {
        (void)jrpc_buffer_append_str(out, "null");
    } else if (message->reply_code != 0) {
        // The server may or may not have found the id of something that is not a valid Request.
        (void)jrpc_buffer_append_str(out, "{\"$in\":[null,");
        (void)jrpc_json_compact(out, message->reply_id);
        (void)jrpc_buffer_append_str(out, "]}");
    } else {
        (void)jrpc_json_compact(out, message->reply_id);
    }
    (void)jrpc_buffer_append_char(out, '}');
}

static void append_batch(const jck_trial *trial, jrpc_json batch, jrpc_buffer *out)
{
    const char *between = "[";
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        jrpc_message message = jrpc_message_classify(it.value);
        if (message.reply_owed) {
            (void)jrpc_buffer_append_str(out, between);
            append_pattern(trial, &message, out);
            between = ",";
        }
    }
    (void)jrpc_buffer_append_char(out, ']');
}

// An expectation with the pattern in `pattern`, which is kept for the trial.
static jck_expect keep(jck_trial *trial, jck_expect_kind kind, const jrpc_buffer *pattern)
{
    jrpc_slice text = {NULL, 0};
    jck_expect expect = {.kind = JCK_EXPECT_ANYTHING};
    jrpc_error ignored = {0};
    if (!pattern->failed && jrpc_arena_copy(trial->arena, jrpc_buffer_slice(pattern), &text)) {
        expect.pattern = jck_trial_read(trial, text, &ignored);
        expect.kind = jrpc_json_exists(expect.pattern) ? kind : JCK_EXPECT_ANYTHING;
    }
    return expect;
}

static jck_expect derive_response(jck_trial *trial, const jck_owed *owed)
{
    if (owed->input == JRPC_INPUT_SINGLE && owed->code == JRPC_INVALID_REQUEST) {
        // Serving it anyway gives a warning, as in any case about such a message.
        return (jck_expect){.kind = JCK_EXPECT_REJECTED,
                            .rule = jck_trial_rule(trial, JCK_ROLE_INVALID_REQUEST)};
    }
    jrpc_buffer pattern;
    jrpc_buffer_init(&pattern, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    if (owed->input == JRPC_INPUT_SINGLE) {
        append_pattern(trial, &owed->message, &pattern);
    } else {
        (void)jrpc_buffer_printf(&pattern, "{\"error\":{\"code\":%d},\"id\":null}", owed->code);
    }
    jck_expect expect = keep(trial, JCK_EXPECT_RESPONSE, &pattern);
    jrpc_buffer_done(&pattern);
    return expect;
}

static jck_expect derive_batch(jck_trial *trial, const jck_owed *owed)
{
    jrpc_buffer pattern;
    jrpc_buffer_init(&pattern, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    append_batch(trial, owed->batch, &pattern);
    jck_expect expect = keep(trial, JCK_EXPECT_BATCH, &pattern);
    jrpc_buffer_done(&pattern);
    return expect;
}

jck_expect jck_derive_expectation(jck_trial *trial, const jck_answers *answers)
{
    const jck_owed *owed = &answers->owed;
    switch (owed->kind) {
    case JCK_OWED_NOTHING: {
        // A Response that was sent requires no answer either, but nothing forbids an error.
        bool silent = owed->input == JRPC_INPUT_SINGLE
                          ? owed->message.kind == JRPC_MESSAGE_NOTIFICATION
                          : owed->notifications == jrpc_json_count(owed->batch);
        return (jck_expect){.kind = silent ? JCK_EXPECT_NOTHING : JCK_EXPECT_ANYTHING};
    }
    case JCK_OWED_RESPONSE:
        return derive_response(trial, owed);
    case JCK_OWED_BATCH:
        return derive_batch(trial, owed);
    case JCK_OWED_UNKNOWN:
        break;
    }
    return (jck_expect){.kind = JCK_EXPECT_ANYTHING};
}
