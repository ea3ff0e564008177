#include "harness/suite/payload.h"

#include "reference/base/checked.h"
#include "reference/json/scan.h"

#include <assert.h>
#include <string.h>

// The length of the name in text that begins after "${", or 0 if no "}" ends a name there.
static size_t name_length(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '}') {
            return i;
        }
        if (c == '{' || c == '$' || c == '"' || c == '\\' || (unsigned char)c <= ' ') {
            return 0;
        }
    }
    return 0;
}

static bool opens_variable(jrpc_slice text)
{
    return jrpc_slice_starts_with(text, JRPC_SLICE("${"));
}

bool jck_variable_name(jrpc_slice text, jrpc_slice *ret_name)
{
    if (!opens_variable(text)) {
        return false;
    }
    jrpc_slice behind = jrpc_slice_from(text, 2);
    size_t len = name_length(behind);
    if (len == 0 || len + 1 != behind.len) {
        return false;
    }
    *ret_name = jrpc_slice_of(behind.ptr, len);
    return true;
}

bool jck_is_variable(jrpc_json string, jrpc_slice *ret_name)
{
    if (!jrpc_json_is(string, JRPC_JSON_STRING)) {
        return false;
    }
    jrpc_slice spelling = jrpc_json_spelling(string);
    assert(spelling.ptr != NULL && spelling.len >= 2);
    return jck_variable_name(jrpc_slice_inside(spelling), ret_name);
}

static bool emit(const jck_payload_visitor *visitor, jrpc_slice bytes)
{
    return bytes.len == 0 || visitor->literal == NULL || visitor->literal(visitor->context, bytes);
}

// The nearest byte before `at`, or from `at` on, that is not white space; NUL if there is none.
static char byte_before(jrpc_slice text, size_t at)
{
    while (at > 0 && jrpc_scan_is_space(text.ptr[at - 1])) {
        at--;
    }
    return at > 0 ? text.ptr[at - 1] : '\0';
}

static char byte_from(jrpc_slice text, size_t at)
{
    while (at < text.len && jrpc_scan_is_space(text.ptr[at])) {
        at++;
    }
    return at < text.len ? text.ptr[at] : '\0';
}

// Whether text[from, to) is a whole JSON value, as in `"id":${id}}` or `[1, ${id}]`: a String then
// needs its quotes.
static bool is_a_value(jrpc_slice text, size_t from, size_t to)
{
    char before = byte_before(text, from);
    char behind = byte_from(text, to);
    return (before == ':' || before == ',' || before == '[') &&
           (behind == ',' || behind == ']' || behind == '}');
}

// Text in which "$${" spells "${" and, if `variables` is set, "${name}" is a variable; otherwise a
// bare "${" is misplaced.
static bool visit_text(jrpc_slice text, bool variables, const jck_payload_visitor *visitor)
{
    size_t begin = 0;
    if (text.len == 0) {
        return true;
    }
    for (size_t i = 0; i < text.len; i++) {
        const char *dollar = memchr(text.ptr + i, '$', text.len - i);
        if (dollar == NULL) {
            break;
        }
        i = (size_t)(dollar - text.ptr);
        jrpc_slice rest = jrpc_slice_from(text, i);
        if (jrpc_slice_starts_with(rest, JRPC_SLICE("$${"))) {
            if (!emit(visitor, jrpc_slice_of(text.ptr + begin, i - begin))) {
                return false;
            }
            begin = i + 1; // the second '$' and the brace are sent
            i += 2;
            continue;
        }
        if (!opens_variable(rest)) {
            continue;
        }
        size_t len = variables ? name_length(jrpc_slice_from(rest, 2)) : 0;
        if (len == 0) {
            if (visitor->misplaced != NULL && !visitor->misplaced(visitor->context, text, i)) {
                return false;
            }
            continue;
        }
        if (!emit(visitor, jrpc_slice_of(text.ptr + begin, i - begin)) ||
            !visitor->variable(visitor->context, jrpc_slice_of(rest.ptr + 2, len),
                               is_a_value(text, i, i + len + 3))) {
            return false;
        }
        i += len + 2;
        begin = i + 1;
    }
    return emit(visitor, jrpc_slice_of(text.ptr + begin, text.len - begin));
}

// The length of the String token at the start of `text`.
static size_t token_length(jrpc_slice text)
{
    size_t i = 1;
    while (i < text.len && text.ptr[i] != '"') {
        i += text.ptr[i] == '\\' ? 2 : 1;
    }
    return i + 1 < text.len ? i + 1 : text.len;
}

// A value as spelled: white space between tokens is dropped, String tokens are visited.
bool jck_payload_visit_json(jrpc_slice spelling, const jck_payload_visitor *visitor)
{
    size_t begin = 0;
    size_t i = 0;
    while (i < spelling.len) {
        char c = spelling.ptr[i];
        if (c != '"' && c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            i++;
            continue;
        }
        if (!emit(visitor, jrpc_slice_of(spelling.ptr + begin, i - begin))) {
            return false;
        }
        if (c == '"') {
            jrpc_slice token =
                jrpc_slice_of(spelling.ptr + i, token_length(jrpc_slice_from(spelling, i)));
            jrpc_slice name;
            bool is_variable = jck_variable_name(jrpc_slice_inside(token), &name);
            if (is_variable ? !visitor->variable(visitor->context, name, true)
                            : !visit_text(token, false, visitor)) {
                return false;
            }
            i += token.len;
        } else {
            i++;
        }
        begin = i;
    }
    return emit(visitor, jrpc_slice_of(spelling.ptr + begin, i - begin));
}

bool jck_payload_visit(const jck_payload *payload, const jck_payload_visitor *visitor)
{
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        return jck_payload_visit_json(jrpc_json_spelling(payload->json), visitor);
    case JCK_PAYLOAD_TEXT:
        return visit_text(payload->text, true, visitor);
    case JCK_PAYLOAD_BYTES:
        return emit(visitor, payload->text);
    case JCK_PAYLOAD_REPEAT:
        return visit_text(payload->prefix, true, visitor) &&
               visit_text(payload->unit, true, visitor) &&
               visit_text(payload->middle, true, visitor) &&
               visit_text(payload->close, true, visitor) &&
               visit_text(payload->suffix, true, visitor);
    }
    return false;
}

static bool refuse_length(const jck_expansion *state)
{
    return jrpc_error_set(state->error, JRPC_ERROR_LIMIT,
                          "the message is longer than the %zu bytes that a message may have",
                          state->out->maximum);
}

static bool append(const jck_expansion *state, jrpc_slice bytes)
{
    return jrpc_buffer_append(state->out, bytes) || refuse_length(state);
}

static bool expand_literal(void *context, jrpc_slice bytes)
{
    return append(context, bytes);
}

static bool expand_variable(void *context, jrpc_slice name, bool quoted)
{
    const jck_expansion *state = context;
    jrpc_slice spelling;
    if (state->resolve == NULL || !state->resolve(state->context, name, &spelling)) {
        return jrpc_error_set(state->error, JRPC_ERROR_INVALID, "no variable has the name \"%.*s\"",
                              (int)(name.len < 100 ? name.len : 100), name.ptr);
    }
    if (!quoted && !state->tokens && spelling.len >= 2 && spelling.ptr[0] == '"') {
        spelling = jrpc_slice_inside(spelling);
    }
    return append(state, spelling);
}

jck_payload_visitor jck_expansion_visitor(jck_expansion *expansion)
{
    return (jck_payload_visitor){
        .literal = expand_literal, .variable = expand_variable, .context = expansion};
}

// Expands a text once and copies the output until it is there `times` times.
static bool expand_times(jrpc_slice text, size_t times, const jck_payload_visitor *visitor)
{
    const jck_expansion *state = visitor->context;
    size_t begin = state->out->len;
    size_t whole = 0;
    if (times == 0 || text.len == 0) {
        return true;
    }
    if (!visit_text(text, true, visitor)) {
        return false;
    }
    if (!jrpc_checked_multiply(state->out->len - begin, times, &whole) ||
        whole > state->out->maximum) {
        return refuse_length(state);
    }
    while (state->out->len - begin < whole) {
        size_t there = state->out->len - begin;
        size_t more = whole - there < there ? whole - there : there;
        char *room = NULL;
        if (!jrpc_buffer_reserve(state->out, more, &room)) {
            return refuse_length(state);
        }
        memcpy(room, state->out->ptr + begin, more);
        jrpc_buffer_grew(state->out, more);
    }
    return true;
}

size_t jck_payload_digits(size_t times, size_t digit_count)
{
    size_t width = 1;
    for (size_t most = times - 1; most >= digit_count; width++) {
        most /= digit_count;
    }
    return width;
}

// The units, each with its number instead of "#".
static bool expand_numbered(const jck_payload *payload, const jck_payload_visitor *visitor)
{
    const jck_expansion *state = visitor->context;
    size_t place = (size_t)((const char *)memchr(payload->unit.ptr, '#', payload->unit.len) -
                            payload->unit.ptr);
    jrpc_slice before = jrpc_slice_of(payload->unit.ptr, place);
    jrpc_slice after = jrpc_slice_from(payload->unit, place + 1);
    size_t width = jck_payload_digits(payload->times, payload->digit_count);
    size_t weight = 1;
    for (size_t i = 1; i < width; i++) {
        weight *= payload->digit_count;
    }
    for (size_t i = 0; i < payload->times; i++) {
        if (!visit_text(before, true, visitor)) {
            return false;
        }
        for (size_t of = weight; of > 0; of /= payload->digit_count) {
            if (!append(state, payload->digits[i / of % payload->digit_count])) {
                return false;
            }
        }
        if (!visit_text(after, true, visitor)) {
            return false;
        }
    }
    return true;
}

bool jck_payload_expand(const jck_payload *payload, jck_resolve resolve, void *context,
                        jrpc_buffer *out, jrpc_error *error)
{
    jck_expansion state = {resolve, context, out, error, payload->tokens};
    jck_payload_visitor visitor = jck_expansion_visitor(&state);
    if (payload->kind != JCK_PAYLOAD_REPEAT) {
        return jck_payload_visit(payload, &visitor);
    }
    return visit_text(payload->prefix, true, &visitor) &&
           (payload->digit_count > 0 ? expand_numbered(payload, &visitor)
                                     : expand_times(payload->unit, payload->times, &visitor)) &&
           visit_text(payload->middle, true, &visitor) &&
           expand_times(payload->close, payload->times, &visitor) &&
           visit_text(payload->suffix, true, &visitor);
}

typedef struct mention {
    const char *name;
    bool found;
} mention;

static bool compare_variable(void *context, jrpc_slice name, bool quoted)
{
    (void)quoted;
    mention *wanted = context;
    wanted->found = jrpc_slice_is(name, wanted->name);
    return !wanted->found;
}

bool jck_case_mentions(const jck_case *test_case, const char *name)
{
    mention wanted = {name, false};
    jck_payload_visitor visitor = {.variable = compare_variable, .context = &wanted};
    for (size_t i = 0; i < test_case->step_count && !wanted.found; i++) {
        if (test_case->steps[i].kind == JCK_STEP_SEND) {
            (void)jck_payload_visit(&test_case->steps[i].payload, &visitor);
        }
    }
    return wanted.found;
}

bool jck_pattern_is_of_response(jrpc_json pattern)
{
    jrpc_json id = jrpc_json_get(pattern, "id");
    return jrpc_json_exists(id) && !jrpc_json_exists(jrpc_json_get(id, "$absent"));
}

bool jck_case_waits(const jck_case *test_case)
{
    bool waits = jck_case_mentions(test_case, "slow");
    for (size_t i = 0; i < test_case->step_count && !waits; i++) {
        const jck_step *step = &test_case->steps[i];
        waits = step->kind == JCK_STEP_CLOSE || jrpc_slice_is(step->within, "pause") ||
                step->manner.bytes != JRPC_BYTES_USUAL || step->manner.http_method != NULL;
    }
    return waits;
}

static bool has_null_id(jrpc_json message) // or batch
{
    if (!jrpc_json_is(message, JRPC_JSON_ARRAY)) {
        return jrpc_json_is(jrpc_json_get(message, "id"), JRPC_JSON_NULL);
    }
    bool has = false;
    for (jrpc_json_iterator it = jrpc_json_iterate(message); jrpc_json_step(&it);) {
        has = has || jrpc_json_is(jrpc_json_get(it.value, "id"), JRPC_JSON_NULL);
    }
    return has;
}

bool jck_case_sends_null_id(const jck_case *test_case)
{
    bool sends = false;
    for (size_t i = 0; i < test_case->step_count && !sends; i++) {
        const jck_step *step = &test_case->steps[i];
        sends = step->kind == JCK_STEP_SEND && step->payload.kind == JCK_PAYLOAD_JSON &&
                has_null_id(step->payload.json);
    }
    return sends;
}

bool jck_case_receives(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].kind == JCK_STEP_RECEIVE) {
            return true;
        }
    }
    return false;
}

static bool awaits_responses(const jck_step *step)
{
    jrpc_json_iterator it = jrpc_json_iterate(step->patterns);
    bool all = !jrpc_slice_is(step->within, "async");
    while (all && jrpc_json_step(&it)) {
        all = jck_pattern_is_of_response(it.value);
    }
    return all;
}

bool jck_case_sits_out(const jck_case *test_case)
{
    bool sits_out = false;
    for (size_t i = 0; i < test_case->step_count && !sits_out; i++) {
        sits_out = test_case->steps[i].kind == JCK_STEP_RECEIVE &&
                   jrpc_slice_is(test_case->steps[i].within, "rest");
    }
    return sits_out;
}

bool jck_case_receives_responses(const jck_case *test_case)
{
    bool all = true;
    for (size_t i = 0; i < test_case->step_count && all; i++) {
        const jck_step *step = &test_case->steps[i];
        all = step->kind != JCK_STEP_RECEIVE || awaits_responses(step);
    }
    return all;
}

static bool has_result(jrpc_json pattern)
{
    bool has = jrpc_json_exists(jrpc_json_get(pattern, "result"));
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern);
         !has && jrpc_json_is(pattern, JRPC_JSON_ARRAY) && jrpc_json_step(&it);) {
        has = jrpc_json_exists(jrpc_json_get(it.value, "result"));
    }
    return has;
}

bool jck_case_expects_result(const jck_case *test_case)
{
    bool expects = false;
    for (size_t i = 0; i < test_case->step_count && !expects; i++) {
        const jck_expect *expect = &test_case->steps[i].expect;
        expects = has_result(expect->pattern);
        for (size_t k = 0; k < expect->alternative_count && !expects; k++) {
            expects = has_result(expect->alternatives[k].pattern);
        }
    }
    return expects;
}
