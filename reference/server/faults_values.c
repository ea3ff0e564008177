// Faults that only certain values bring out: numbers and Strings of certain sizes, wide params and
// batches, long messages, false and empty data.
#include "reference/json/equal.h"
#include "reference/server/bend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAIN_ID_BYTES = 14,
    LONG_TEXT = 1000,
    WIDE_PARAMS = 8,
    BATCH_MOST = 16,
    EXPONENT_DIGITS = 18,
    NUMBER_BYTES = 64,
};

static bool is_call(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_CALL;
}

// Ids with a hyphen, as the suite's own have it, stay whole: a server that damages those is never
// taken for one.
static jrpc_slice cut_plain_id(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content) || content.len <= PLAIN_ID_BYTES ||
        memchr(content.ptr, '-', content.len) != NULL) {
        return id;
    }
    content.len = PLAIN_ID_BYTES;
    return jrpc_bend_quote(bend, content, id);
}

// Params by position of which the difference is beyond a double.
static bool overflows(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    jrpc_slice first = jrpc_json_spelling(jrpc_json_element(message->params, 0));
    return is_call(message) && jrpc_json_is(message->params, JRPC_JSON_ARRAY) &&
           jrpc_slice_is(first, "1e308");
}

// Two params by position of which the second is 0.5.
static bool takes_half(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) && jrpc_json_is(message->params, JRPC_JSON_ARRAY) &&
           jrpc_slice_is(jrpc_json_spelling(jrpc_json_element(message->params, 1)), "0.5");
}

static bool is_within(double value, double most)
{
    return value <= most && value >= -most;
}

// Of a value that an int64_t can hold.
static bool is_whole(double value)
{
    return (double)(int64_t)value == value;
}

// An integer without a point, everything else with as many digits as a float has.
static jrpc_slice print_number(jrpc_bend *bend, double value)
{
    char text[NUMBER_BYTES];
    int len = is_within(value, 9007199254740992.0) && is_whole(value)
                  ? snprintf(text, sizeof text, "%.0f", value)
                  : snprintf(text, sizeof text, "%.9g", value);
    return jrpc_bend_copy(bend, jrpc_slice_of(text, (size_t)len));
}

static bool as_double(jrpc_bend *bend, jrpc_slice spelling, double *ret)
{
    if (spelling.len == 0 ||
        (spelling.ptr[0] != '-' && (spelling.ptr[0] < '0' || spelling.ptr[0] > '9'))) {
        return false;
    }
    jrpc_buffer text = jrpc_bend_buffer(bend);
    jrpc_buffer_append(&text, spelling);
    jrpc_buffer_append_char(&text, '\0');
    *ret = strtod(text.ptr, NULL);
    return true;
}

static jrpc_slice through_float(jrpc_bend *bend, jrpc_slice id)
{
    double value;
    return as_double(bend, id, &value) && is_within(value, 1e15)
               ? print_number(bend, (double)(float)value)
               : id;
}

static jrpc_slice through_int16(jrpc_bend *bend, jrpc_slice id)
{
    double value;
    if (!as_double(bend, id, &value) || !is_within(value, 70000) || !is_whole(value)) {
        return id;
    }
    return print_number(bend, (double)(int16_t)(uint16_t)(int)value);
}

// A String id that holds a Number or a structure is written as what it holds.
static jrpc_slice read_once_more(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content)) {
        return id;
    }
    jrpc_json held = jrpc_bend_json(bend, content);
    bool read = jrpc_json_is(held, JRPC_JSON_NUMBER) || jrpc_json_is(held, JRPC_JSON_ARRAY) ||
                jrpc_json_is(held, JRPC_JSON_OBJECT);
    return read ? jrpc_json_spelling(held) : id;
}

static jrpc_slice lose_zeros(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content)) {
        return id;
    }
    size_t zeros = 0;
    while (zeros + 1 < content.len && content.ptr[zeros] == '0') {
        zeros++;
    }
    jrpc_slice left = jrpc_slice_from(content, zeros);
    return zeros > 0 && jrpc_json_is(jrpc_bend_json(bend, left), JRPC_JSON_NUMBER) ? left : id;
}

static jrpc_slice lose_nothings(jrpc_bend *bend, jrpc_slice id)
{
    (void)bend;
    static const char *const nothings[] = {"\"undefined\"", "\"None\"", "\"NaN\"", "\"nil\""};
    for (size_t i = 0; i < sizeof nothings / sizeof *nothings; i++) {
        id = jrpc_slice_is(id, nothings[i]) ? JRPC_SLICE("null") : id;
    }
    return id;
}

// Only letters, digits, and what ids are usually made of.
static jrpc_slice sanitize(jrpc_bend *bend, jrpc_slice id)
{
    jrpc_slice content;
    if (!jrpc_bend_content(bend, id, &content)) {
        return id;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < content.len; i++) {
        if (strchr("%+{}[]()$`;'=&<>*|", content.ptr[i]) == NULL) {
            jrpc_buffer_append_char(&out, content.ptr[i]);
        }
    }
    return jrpc_bend_quote(bend, jrpc_buffer_slice(&out), id);
}

static bool id_is_negative(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    jrpc_slice id = jrpc_json_spelling(message->id);
    return is_call(message) && jrpc_slice_starts_with(id, JRPC_SLICE("-"));
}

static bool has_wide_params(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return is_call(message) && jrpc_json_count(message->params) > WIDE_PARAMS;
}

static bool has_null_params(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return jrpc_json_is(message->params, JRPC_JSON_NULL);
}

static void ignore_null_params(jrpc_bend *bend, jrpc_message *message)
{
    if (has_null_params(bend, message)) {
        jrpc_bend_member(bend, message, "params", JRPC_SLICE(""));
    }
}

static bool is_long_text(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)root;
    (void)kind;
    return bend->exchange->input.len > LONG_TEXT;
}

static bool is_long_batch(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    return kind == JRPC_INPUT_BATCH && jrpc_json_count(root) > BATCH_MOST;
}

// Whether any number of the text has an exponent of more digits than a counter of 64 bits takes.
static bool has_long_exponent(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)root;
    (void)kind;
    jrpc_slice text = bend->exchange->input;
    size_t digits = 0;
    bool counting = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool digit = c >= '0' && c <= '9';
        bool behind_digit = i > 0 && text.ptr[i - 1] >= '0' && text.ptr[i - 1] <= '9';
        if (c == '"') {
            i = jrpc_bend_string_end(text, i) - 1;
            counting = false;
        } else if ((c == 'e' || c == 'E') && behind_digit) {
            counting = true;
            digits = 0;
        } else if (counting && digit && ++digits > EXPONENT_DIGITS) {
            return true;
        } else {
            counting = counting && (digit || c == '+' || c == '-');
        }
    }
    return false;
}

static void cut_batch(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    reply->count = reply->count > BATCH_MOST ? BATCH_MOST : reply->count;
}

static bool is_falsy(jrpc_slice value)
{
    static const char *const falsy[] = {"null", "false", "0", "\"\"", "[]", "{}"};
    bool found = false;
    for (size_t i = 0; i < sizeof falsy / sizeof *falsy; i++) {
        found = found || jrpc_slice_is(value, falsy[i]);
    }
    return found;
}

static void omit_falsy_data(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    if (is_falsy(response->data)) {
        response->data = (jrpc_slice){NULL, 0};
    }
}

// A code of the range that section 5.1 leaves to servers.
static void replace_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    if (jrpc_slice_starts_with(response->code, JRPC_SLICE("-320"))) {
        response->code = JRPC_SLICE("-32000");
    }
}

static void miss_zero(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    for (size_t i = 0; i < call->argument_count && jrpc_json_is(call->params, JRPC_JSON_OBJECT);
         i++) {
        *ok = *ok && !jrpc_slice_is(jrpc_json_spelling(call->arguments[i]), "0");
    }
}

static jrpc_slice result_to_int32(jrpc_bend *bend, jrpc_slice result)
{
    double value;
    return as_double(bend, result, &value) && is_within(value, 9007199254740992.0)
               ? print_number(bend, (double)(int32_t)(uint32_t)(int64_t)value)
               : result;
}

static jrpc_slice result_without_sign(jrpc_bend *bend, jrpc_slice result)
{
    (void)bend;
    return jrpc_slice_starts_with(result, JRPC_SLICE("-")) ? jrpc_slice_from(result, 1) : result;
}

static jrpc_slice echo_to_ascii(jrpc_bend *bend, jrpc_slice result)
{
    if (!jrpc_bend_calls(bend, "\"echo\"")) {
        return result;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < result.len; i++) {
        unsigned char c = (unsigned char)result.ptr[i];
        if (c < 0x80) {
            jrpc_buffer_append_char(&out, (char)c);
        } else if (c >= 0xC0) {
            jrpc_buffer_append_char(&out, '?');
        }
    }
    return jrpc_buffer_slice(&out);
}

// Every element of an echoed Array that a truth test calls false is written as null.
static jrpc_slice echo_falsy_null(jrpc_bend *bend, jrpc_slice result)
{
    jrpc_json root = jrpc_bend_json(bend, result);
    if (!jrpc_bend_calls(bend, "\"echo\"") || !jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        return result;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
        jrpc_slice spelling = jrpc_json_spelling(it.value);
        jrpc_buffer_append_char(&out, out.len == 0 ? '[' : ',');
        jrpc_buffer_append(&out, is_falsy(spelling) ? JRPC_SLICE("null") : spelling);
    }
    jrpc_buffer_append_str(&out, out.len == 0 ? "[]" : "]");
    return jrpc_buffer_slice(&out);
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("id-plain-cut", "J2-4e", "a String id without a hyphen is cut to 14 bytes"),
     JRPC_ROW_ID(cut_plain_id)},
    {JRPC_ROW("id-read-once-more", "J2-4e",
              "a String id that holds a Number, an Array or an Object is written as that"),
     JRPC_ROW_ID(read_once_more)},
    {JRPC_ROW("id-leading-zeros-lost", "J2-4e",
              "a String id of digits that begins with 0 is written as the Number that it spells"),
     JRPC_ROW_ID(lose_zeros)},
    {JRPC_ROW("id-nothing-null", "J2-4e",
              "the String ids undefined, None, NaN and nil are written as null"),
     JRPC_ROW_ID(lose_nothings)},
    {JRPC_ROW("id-sanitized", "J2-4e", "any of %+{}[]()$`;'=&<>*| in a String id is left out"),
     JRPC_ROW_ID(sanitize)},
    {JRPC_ROW("id-float32", "J2-4e",
              "a Number id below 10^15 is written as what a float of 32 bits keeps of it"),
     JRPC_ROW_ID(through_float)},
    {JRPC_ROW("id-int16", "J2-4e",
              "an integer Number id between -70000 and 70000 is reduced to 16 bits signed"),
     JRPC_ROW_ID(through_int16)},
    {JRPC_ROW("id-negative-refused", "J2-4d",
              "a call whose id is a Number with a minus sign is answered -32600 with its id"),
     JRPC_ROW_MESSAGE(id_is_negative, JRPC_DEED_REFUSE)},
    {JRPC_ROW("exponent-long-silent", "JS-number",
              "a text with an exponent of more than 18 digits is answered by nothing"),
     JRPC_ROW_INPUT(has_long_exponent, JRPC_DEED_SILENCE)},
    {JRPC_ROW("params-wide-crash", "SEC-e", "abort() on a call with more than eight params"),
     JRPC_ROW_MESSAGE(has_wide_params, JRPC_DEED_CRASH)},
    {JRPC_ROW("params-wide-internal-error", "J2-5.1g",
              "a call with more than eight params is answered -32603 with its id"),
     JRPC_ROW_MESSAGE(has_wide_params, JRPC_DEED_REFUSE), .number = JRPC_INTERNAL_ERROR},
    {JRPC_ROW("params-null-crash", "J2-4c", "abort() where params is null"),
     JRPC_ROW_MESSAGE(has_null_params, JRPC_DEED_CRASH)},
    {JRPC_ROW("params-null-taken", "J2-4c", "params null counts as absent"),
     .message = ignore_null_params},
    {JRPC_ROW("params-null-internal-error", "J2-4c",
              "a message whose params is null is answered -32603"),
     JRPC_ROW_MESSAGE(has_null_params, JRPC_DEED_REFUSE), .number = JRPC_INTERNAL_ERROR},
    {JRPC_ROW("text-1000-silent", "SEC-e", "a text of more than 1000 bytes is answered by nothing"),
     JRPC_ROW_INPUT(is_long_text, JRPC_DEED_SILENCE)},
    {JRPC_ROW("batch-17-cut", "J2-6b", "Responses of a batch behind the 16th are left out"),
     .batch = cut_batch},
    {JRPC_ROW("batch-17-crash", "SEC-e", "abort() on a batch of more than 16 elements"),
     JRPC_ROW_INPUT(is_long_batch, JRPC_DEED_CRASH)},
    {JRPC_ROW("data-falsy-omitted", "J2-5.1j",
              "data that is null, false, 0, \"\", [] or {} is left out"),
     .response = omit_falsy_data, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("app-code-replaced", "J2-5.1k",
              "a code of a method that begins with -320 is written as -32000"),
     .response = replace_code, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("overflow-as-infinity", "J2-5j",
              "a call with params by position of which the first is 1e308 has the result Infinity"),
     .response = jrpc_row_null_result, .is = overflows,
     .when = JRPC_OUTCOME_BAD_PARAMS | JRPC_OUTCOME_SUCCESS, .spelling = "Infinity"},
    {JRPC_ROW("number-point-first", "J2-5j",
              "a call with params by position of which the second is 0.5 has the result .5"),
     .response = jrpc_row_null_result, .is = takes_half,
     .when = JRPC_OUTCOME_BAD_PARAMS | JRPC_OUTCOME_SUCCESS, .spelling = ".5"},
    {JRPC_ROW("named-zero-missing", "J2-4.2b",
              "a parameter by name whose value is 0 is taken for missing: -32602"),
     .bind = miss_zero},
    {JRPC_ROW("result-int32", "J2-4.2a", "a result that is a Number is reduced to 32 bits signed"),
     JRPC_ROW_RESULT(result_to_int32)},
    {JRPC_ROW("result-sign-lost", "J2-4.2a", "a result that is a Number has no minus sign"),
     JRPC_ROW_RESULT(result_without_sign)},
    {JRPC_ROW("echo-ascii", "J2-4.2a",
              "characters beyond U+007F in the result of echo are written as ?"),
     JRPC_ROW_RESULT(echo_to_ascii)},
    {JRPC_ROW("echo-falsy-null", "J2-4.2a",
              "false, 0 and empty values in an Array that echo returns are written as null"),
     JRPC_ROW_RESULT(echo_falsy_null)},
};

const jrpc_fault_table jrpc_faults_values = JRPC_FAULT_TABLE(rows);
