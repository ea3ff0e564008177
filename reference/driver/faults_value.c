// What is reported to the caller of a result or an error.
#include "reference/driver/change.h"

#include "reference/json/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_null(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_NULL);
}

static bool is_falsy(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_FALSE) ||
           (jrpc_json_is(value, JRPC_JSON_STRING) && jrpc_json_count(value) == 0) ||
           jrpc_slice_is(jrpc_json_spelling(value), "0");
}

static bool is_empty(jrpc_json value)
{
    return (jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_is(value, JRPC_JSON_OBJECT)) &&
           jrpc_json_count(value) == 0;
}

static bool is_string(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_STRING);
}

static jrpc_slice constant(jrpc_change *change, jrpc_slice spelling)
{
    (void)spelling;
    return jrpc_slice_str(change->fault->spelling);
}

static jrpc_slice of_leaves(jrpc_change *change, jrpc_slice text, jrpc_json_kind kind,
                            jrpc_slice (*respell)(jrpc_change *change, jrpc_slice spelling))
{
    return jrpc_json_spelling(
        jrpc_change_leaves(change, jrpc_change_json(change, text), kind, respell));
}

static jrpc_slice rounded(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_NUMBER, jrpc_change_round);
}

static jrpc_slice huge_to_null(jrpc_change *change, jrpc_slice spelling)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append(&out, spelling);
    jrpc_buffer_append_char(&out, '\0');
    return isfinite(strtod(out.ptr, NULL)) ? spelling : JRPC_SLICE("null");
}

static jrpc_slice huge_lost(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_NUMBER, huge_to_null);
}

static jrpc_slice cut_fraction(jrpc_change *change, jrpc_slice spelling)
{
    const char *dot = memchr(spelling.ptr, '.', spelling.len);
    (void)change;
    return dot == NULL ? spelling : jrpc_slice_of(spelling.ptr, (size_t)(dot - spelling.ptr));
}

static jrpc_slice fractions_cut(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_NUMBER, cut_fraction);
}

// As %g of printf writes it: six digits.
static jrpc_slice keep_six_digits(jrpc_change *change, jrpc_slice spelling)
{
    if (memchr(spelling.ptr, '.', spelling.len) == NULL) {
        return spelling;
    }
    jrpc_buffer text = jrpc_change_buffer(change);
    jrpc_buffer_append(&text, spelling);
    jrpc_buffer_append_char(&text, '\0');
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_buffer_printf(&out, "%g", strtod(text.ptr, NULL));
    return jrpc_buffer_slice(&out);
}

static jrpc_slice digits_cut(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_NUMBER, keep_six_digits);
}

static jrpc_slice quote_large(jrpc_change *change, jrpc_slice spelling)
{
    enum { DIGITS = 15 };
    if (spelling.len <= DIGITS) {
        return spelling;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_json_quote(&out, spelling);
    return jrpc_buffer_slice(&out);
}

static jrpc_slice large_quoted(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_NUMBER, quote_large);
}

// Changes a String's content and spells it again.
static jrpc_slice cut_at_nul(jrpc_change *change, jrpc_slice spelling)
{
    jrpc_slice content;
    if (!jrpc_json_string(jrpc_change_json(change, spelling), change->arena, &content)) {
        return spelling;
    }
    const char *nul = content.len > 0 ? memchr(content.ptr, '\0', content.len) : NULL;
    if (nul == NULL) {
        return spelling;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_json_quote(&out, jrpc_slice_of(content.ptr, (size_t)(nul - content.ptr)));
    return jrpc_buffer_slice(&out);
}

static jrpc_slice strings_cut(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_STRING, cut_at_nul);
}

static jrpc_slice lose_planes(jrpc_change *change, jrpc_slice spelling)
{
    jrpc_slice content;
    if (!jrpc_json_string(jrpc_change_json(change, spelling), change->arena, &content)) {
        return spelling;
    }
    jrpc_buffer changed = jrpc_change_buffer(change);
    for (size_t i = 0; i < content.len; i++) {
        unsigned char byte = (unsigned char)content.ptr[i];
        if (byte >= 0xF0) {
            jrpc_buffer_append_char(&changed, '?');
            i += 3;
        } else {
            jrpc_buffer_append_char(&changed, content.ptr[i]);
        }
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_json_quote(&out, jrpc_buffer_slice(&changed));
    return jrpc_buffer_slice(&out);
}

static jrpc_slice planes_lost(jrpc_change *change, jrpc_slice text)
{
    return of_leaves(change, text, JRPC_JSON_STRING, lose_planes);
}

// Whether a String begins like 2026-11-22T.
static bool is_date(jrpc_json value)
{
    static const char form[] = "\"0000-00-00T";
    jrpc_slice text = jrpc_json_spelling(value);
    bool date = text.len > sizeof form;
    for (size_t i = 0; i < sizeof form - 1 && date; i++) {
        date = form[i] == '0' ? text.ptr[i] >= '0' && text.ptr[i] <= '9' : text.ptr[i] == form[i];
    }
    return date;
}

static jrpc_slice trim(jrpc_change *change, jrpc_slice spelling)
{
    jrpc_slice inside = jrpc_slice_of(spelling.ptr + 1, spelling.len - 2);
    while (inside.len > 0 && inside.ptr[0] == ' ') {
        inside = jrpc_slice_from(inside, 1);
    }
    while (inside.len > 0 && inside.ptr[inside.len - 1] == ' ') {
        inside.len--;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_char(&out, '"');
    jrpc_buffer_append(&out, inside);
    jrpc_buffer_append_char(&out, '"');
    return jrpc_buffer_slice(&out);
}

static jrpc_slice first_of_one(jrpc_change *change, jrpc_slice text)
{
    jrpc_json value = jrpc_change_json(change, text);
    return jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) == 1
               ? jrpc_json_spelling(jrpc_json_element(value, 0))
               : text;
}

static bool null_result_fails(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)change;
    (void)message;
    if (answer->kind == JRPC_ANSWER_RESULT && is_null(answer->value)) {
        answer->kind = JRPC_ANSWER_BROKEN;
        answer->why = "the Response has no result";
    }
    return true;
}

// Replaces the members of an error by `code`, `message` and `data`; an empty `data` is left out.
static void set_error(jrpc_change *change, jrpc_answer *answer, jrpc_slice code, jrpc_slice message,
                      jrpc_slice data)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_str(&out, "{\"code\":");
    jrpc_buffer_append(&out, code);
    jrpc_buffer_append_str(&out, ",\"message\":");
    jrpc_buffer_append(&out, message);
    jrpc_buffer_append_str(&out, data.len > 0 ? ",\"data\":" : "");
    jrpc_buffer_append(&out, data);
    jrpc_buffer_append_char(&out, '}');
    answer->value = jrpc_change_json(change, jrpc_buffer_slice(&out));
}

static jrpc_slice member_of(const jrpc_answer *answer, const char *name)
{
    return jrpc_json_spelling(jrpc_json_get(answer->value, name));
}

static bool is_error(const jrpc_answer *answer)
{
    return answer->kind == JRPC_ANSWER_ERROR || answer->kind == JRPC_ANSWER_REFUSED;
}

static bool data_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    if (is_error(answer)) {
        set_error(change, answer, member_of(answer, "code"), member_of(answer, "message"),
                  JRPC_SLICE(""));
    }
    return true;
}

static bool falsy_data_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    jrpc_json data = jrpc_json_get(answer->value, "data");
    return is_error(answer) && (is_falsy(data) || is_null(data))
               ? data_lost(change, message, answer)
               : true;
}

static bool code_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    if (is_error(answer)) {
        set_error(change, answer, jrpc_slice_str(change->fault->spelling),
                  member_of(answer, "message"), member_of(answer, "data"));
    }
    return true;
}

static bool code_positive(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    jrpc_slice code = member_of(answer, "code");
    if (is_error(answer) && code.len > 0 && code.ptr[0] == '-') {
        set_error(change, answer, jrpc_slice_from(code, 1), member_of(answer, "message"),
                  member_of(answer, "data"));
    }
    return true;
}

static bool message_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    if (is_error(answer)) {
        set_error(change, answer, member_of(answer, "code"), JRPC_SLICE("\"Error\""),
                  member_of(answer, "data"));
    }
    return true;
}

// Replaces the message of an error: of one with a predefined code by the message that the
// specification prints, or, if the fault has a spelling, of one in the server's range by that.
static bool message_reworded(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    static const struct {
        int64_t code;
        const char *words;
    } printed[] = {{-32700, "\"Parse error\""},
                   {-32600, "\"Invalid Request\""},
                   {-32601, "\"Method not found\""},
                   {-32602, "\"Invalid params\""},
                   {-32603, "\"Internal error\""}};
    const char *words = NULL;
    (void)message;
    if (change->fault->spelling != NULL) {
        words = jrpc_code_is_of_server(answer->code) ? change->fault->spelling : NULL;
    } else {
        for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
            words = answer->code == printed[i].code ? printed[i].words : words;
        }
    }
    if (is_error(answer) && words != NULL) {
        set_error(change, answer, member_of(answer, "code"), jrpc_slice_str(words),
                  member_of(answer, "data"));
    }
    return true;
}

static bool reserved_data_lost(jrpc_change *change, const jrpc_message *message,
                               jrpc_answer *answer)
{
    return is_error(answer) && answer->code >= JRPC_RESERVED_FIRST &&
                   answer->code <= JRPC_RESERVED_LAST
               ? data_lost(change, message, answer)
               : true;
}

static bool error_as_result(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)change;
    (void)message;
    answer->kind = answer->kind == JRPC_ANSWER_ERROR ? JRPC_ANSWER_RESULT : answer->kind;
    return true;
}

static bool error_as_null(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    if (answer->kind == JRPC_ANSWER_ERROR) {
        answer->value = jrpc_change_json(change, JRPC_SLICE("null"));
    }
    return error_as_result(change, message, answer);
}

static bool error_as_failure(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)change;
    (void)message;
    if (answer->kind == JRPC_ANSWER_ERROR &&
        (answer->code < JRPC_RESERVED_FIRST || answer->code > JRPC_RESERVED_LAST)) {
        answer->kind = JRPC_ANSWER_BROKEN;
        answer->why = "the server failed";
    }
    return true;
}

#define RESULT(function) .answer = jrpc_row_result, .respell = function

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("integers-rounded", "CL-12", "Numbers are doubles: 2^53+1 becomes 2^53"),
     RESULT(rounded)},
    {JRPC_CLIENT_ROW("huge-number-null", "CL-12", "a Number that no double can hold becomes null"),
     RESULT(huge_lost)},
    {JRPC_CLIENT_ROW("fractions-cut", "CL-12", "1.5 becomes 1"), RESULT(fractions_cut)},
    {JRPC_CLIENT_ROW("digits-cut", "CL-12", "a Number with a fraction keeps six digits"),
     RESULT(digits_cut)},
    {JRPC_CLIENT_ROW("large-number-as-string", "CL-12",
                     "a Number of more than 15 characters becomes a String"),
     RESULT(large_quoted)},
    {JRPC_CLIENT_ROW("strings-cut-at-nul", "CL-12", "a String ends at U+0000"),
     RESULT(strings_cut)},
    {JRPC_CLIENT_ROW("planes-lost", "CL-12", "a character past U+FFFF becomes ?"),
     RESULT(planes_lost)},
    {JRPC_CLIENT_ROW("strings-trimmed", "CL-12", "a String loses the spaces around it"),
     RESULT(trim), .is_value = is_string},
    {JRPC_CLIENT_ROW("falsy-result-null", "CL-12", "false, 0 and \"\" become null"),
     RESULT(constant), .is_value = is_falsy, .spelling = "null"},
    {JRPC_CLIENT_ROW("empty-result-null", "CL-12", "[] and {} become null"), RESULT(constant),
     .is_value = is_empty, .spelling = "null"},
    {JRPC_CLIENT_ROW("dates-converted", "CL-12", "a String that is a date gets another form"),
     RESULT(constant), .is_value = is_date, .spelling = "\"11/22/2026 17:00:00\""},
    {JRPC_CLIENT_ROW("null-result-object", "CL-12", "null becomes {}"), RESULT(constant),
     .is_value = is_null, .spelling = "{}"},
    {JRPC_CLIENT_ROW("array-of-one-unwrapped", "CL-12", "[7] becomes 7"), RESULT(first_of_one)},
    {JRPC_CLIENT_ROW("null-result-failed", "CL-12", "a result that is null is taken for none"),
     .answer = null_result_fails},
    {JRPC_CLIENT_ROW("error-data-lost", "CL-13", "an error loses its data"), .answer = data_lost},
    {JRPC_CLIENT_ROW("error-falsy-data-lost", "CL-13",
                     "an error loses data that is null, false, 0 or \"\""),
     .answer = falsy_data_lost},
    {JRPC_CLIENT_ROW("error-code-replaced", "CL-13", "every error has the code -32603"),
     .answer = code_lost, .spelling = "-32603"},
    {JRPC_CLIENT_ROW("error-code-positive", "CL-13", "an error's code loses its sign"),
     .answer = code_positive},
    {JRPC_CLIENT_ROW("error-message-replaced", "CL-13", "every error has the message \"Error\""),
     .answer = message_lost},
    {JRPC_CLIENT_ROW("error-predefined-reworded", "CL-13",
                     "a predefined error gets the message that the specification prints"),
     .answer = message_reworded},
    {JRPC_CLIENT_ROW("error-server-reworded", "CL-13",
                     "an error of the server's range gets the message \"Server error\""),
     .answer = message_reworded, .spelling = "\"Server error\""},
    {JRPC_CLIENT_ROW("error-reserved-data-lost", "CL-13",
                     "an error whose code is reserved loses its data"),
     .answer = reserved_data_lost},
    {JRPC_CLIENT_ROW("error-as-result", "CL-c", "an error is given as a result"),
     .answer = error_as_result},
    {JRPC_CLIENT_ROW("error-as-null", "CL-c", "instead of an error the result is null"),
     .answer = error_as_null},
    {JRPC_CLIENT_ROW("error-of-application-failed", "CL-c",
                     "an error whose code is not reserved is given as a failure of the client"),
     .answer = error_as_failure},
};

const jrpc_client_fault_table jrpc_client_faults_value = JRPC_CLIENT_FAULT_TABLE(rows);
