// Faults in the members of a Response: section 5 of the specification.
#include "reference/server/bend.h"

#include <string.h>

#define NOTHING ((jrpc_slice){NULL, 0})

static bool is_single(jrpc_bend *bend, const jrpc_message *message)
{
    (void)message;
    return !bend->exchange->in_batch;
}

// A spelling between two texts.
static jrpc_slice wrapped(jrpc_bend *bend, const char *before, jrpc_slice middle, const char *after)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_str(&out, before);
    jrpc_buffer_append(&out, middle);
    jrpc_buffer_append_str(&out, after);
    return jrpc_buffer_slice(&out);
}

static void echo_version(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    if (message != NULL && jrpc_json_exists(message->version)) {
        response->version = jrpc_json_spelling(message->version);
    }
}

static void omit_null(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    if (jrpc_slice_is(response->result, "null")) {
        response->result = NOTHING;
    }
}

static void omit_falsy(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    static const char *const falsy[] = {"null", "0", "false", "\"\"", "[]", "{}"};
    for (size_t i = 0; i < sizeof falsy / sizeof *falsy; i++) {
        if (jrpc_slice_is(response->result, falsy[i])) {
            response->result = NOTHING;
        }
    }
}

// The row's spelling where the id is null.
static void null_id_as(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    bool sent = message != NULL && jrpc_json_is(message->id, JRPC_JSON_NULL);
    if (jrpc_slice_is(response->id, "null") && (!sent || bend->fault->spelling[0] == '\0')) {
        response->id = jrpc_slice_str(bend->fault->spelling);
    }
}

static void last_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    jrpc_buffer *last = &bend->connection->last_id;
    if (bend->outcome == JRPC_OUTCOME_PARSE_ERROR && last->len > 0) {
        response->id = jrpc_buffer_slice(last);
    } else if (message != NULL && message->kind == JRPC_MESSAGE_CALL) {
        jrpc_buffer_clear(last);
        jrpc_buffer_append(last, response->id);
    }
}

static void guess_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_slice text = bend->exchange->input;
    static const char name[] = "\"id\":";
    for (size_t i = 0; i + sizeof name - 1 < text.len; i++) {
        if (memcmp(text.ptr + i, name, sizeof name - 1) != 0) {
            continue;
        }
        size_t begin = i + sizeof name - 1;
        while (begin < text.len && text.ptr[begin] == ' ') {
            begin++;
        }
        size_t end = begin;
        if (begin < text.len && text.ptr[begin] == '"') {
            end = jrpc_bend_string_end(text, begin);
        } else {
            while (end < text.len && strchr("-+.eE0123456789", text.ptr[end]) != NULL) {
                end++;
            }
        }
        jrpc_slice found = jrpc_slice_of(text.ptr + begin, end - begin);
        if (jrpc_json_exists(jrpc_bend_json(bend, found))) {
            response->id = found;
            return;
        }
    }
}

static void no_outcome(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    response->code = response->message = response->data = NOTHING;
}

static void error_string(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    (void)message;
    response->error = response->message;
}

static void error_array(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append_char(&out, '[');
    jrpc_buffer_append(&out, response->code);
    jrpc_buffer_append_char(&out, ',');
    jrpc_buffer_append(&out, response->message);
    jrpc_buffer_append_char(&out, ']');
    response->error = jrpc_buffer_slice(&out);
}

static bool has_params(const jrpc_message *message)
{
    return message != NULL && jrpc_json_exists(message->params);
}

static void spoil_message(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (has_params(message)) {
        response->message = jrpc_slice_str(bend->fault->spelling);
    }
}

// Servers that look at a text in two stages give each stage a code of its own. What this one finds
// first is a member without a value.
static void note_missing_value(jrpc_bend *bend, jrpc_slice *text)
{
    for (size_t i = 0; i < text->len; i++) {
        size_t behind = i + 1;
        while (text->ptr[i] == ':' && behind < text->len && text->ptr[behind] == ' ') {
            behind++;
        }
        if (text->ptr[i] == ':' && behind < text->len && text->ptr[behind] == ',') {
            bend->connection->marks++;
        }
    }
}

static void late_parse_error(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (bend->connection->marks == 0) {
        response->code = jrpc_slice_str(bend->fault->spelling);
    }
}

static void single_quotes(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (has_params(message) && response->message.len >= 2) {
        response->message = wrapped(
            bend, "'", jrpc_slice_of(response->message.ptr + 1, response->message.len - 2), "'");
    }
}

static void id_twice(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->extra = wrapped(bend, "\"id\":", response->id, "");
}

static void code_string(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->code = wrapped(bend, "\"", response->code, "\"");
}

static void code_fraction(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->code = wrapped(bend, "", response->code, ".5");
}

static void message_object(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->message = wrapped(bend, "{\"text\":", response->message, "}");
}

// The row's spelling goes after the text of the message.
static void message_longer(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_slice text = response->message;
    if (text.len >= 2) {
        response->message =
            wrapped(bend, "", jrpc_slice_of(text.ptr, text.len - 1), bend->fault->spelling);
    }
}

static void data_string(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (response->data.len > 0 && response->data.ptr[0] != '"') {
        response->data = jrpc_bend_quote(bend, response->data, response->data);
    }
}

static jrpc_slice result_string(jrpc_bend *bend, jrpc_slice result)
{
    return result.len > 0 && result.ptr[0] != '"' ? jrpc_bend_quote(bend, result, result) : result;
}

static void data_trace(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (response->data.len == 0) {
        response->data = jrpc_slice_str(bend->fault->spelling);
    }
}

static void data_request(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)bend;
    if (response->data.len == 0 && message != NULL) {
        response->data = jrpc_json_spelling(message->value);
    }
}

static bool code_value(jrpc_bend *bend, const jrpc_response *response, int64_t *ret)
{
    return jrpc_json_int64(jrpc_bend_json(bend, response->code), ret);
}

static void clamp_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    int64_t code;
    if (!code_value(bend, response, &code) || !jrpc_code_is_of_server(code)) {
        response->code = JRPC_SLICE("-32000");
    }
}

static void code_int16(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    int64_t code;
    if (code_value(bend, response, &code)) {
        int64_t low = (int64_t)((uint64_t)code & 0xFFFFu);
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_printf(&out, "%d", (int)(low > INT16_MAX ? low - 65536 : low));
        response->code = jrpc_buffer_slice(&out);
    }
}

static void drop_connection(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->suppressed = true;
    bend->connection->closing = true;
}

static void html_page(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    (void)response;
    bend->connection->replacement = jrpc_slice_str(bend->fault->spelling);
}

static void message_as_result(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->result = response->message;
    no_outcome(bend, message, response);
}

#define UNKNOWN JRPC_OUTCOME_UNKNOWN
#define INVALID JRPC_OUTCOME_INVALID
#define PARSE JRPC_OUTCOME_PARSE_ERROR
#define FAILURE JRPC_OUTCOME_FAILURE
#define SUCCESS JRPC_OUTCOME_SUCCESS
#define ERRORS JRPC_OUTCOME_ERRORS
#define TRACE                                                                                      \
    "Traceback (most recent call last):\\n  File \\\"/srv/app/server.py\\\", line 10, in handle"

static const jrpc_fault rows[] = {
    {JRPC_ROW("call-unanswered", "J2-5a",
              "no Response to a call of an unknown method outside of a batch"),
     .response = jrpc_row_withhold, .when = UNKNOWN, .is = is_single},
    {JRPC_ROW("response-version-missing", "J2-5b", "no jsonrpc member"),
     JRPC_ROW_MEMBER(0, version, "")},
    {JRPC_ROW("response-version-number", "J2-5b", "jsonrpc is the Number 2.0"),
     JRPC_ROW_MEMBER(0, version, "2.0")},
    {JRPC_ROW("response-version-1", "J2-5b", "jsonrpc is \"1.0\""),
     JRPC_ROW_MEMBER(0, version, "\"1.0\"")},
    {JRPC_ROW("response-version-echoed", "J2-5b",
              "jsonrpc is what the request had (as spelled; \"2.0\" where it had none)"),
     .response = echo_version},
    {JRPC_ROW("result-null-omitted", "J2-5c", "a result of null is left out"),
     .response = omit_null, .when = SUCCESS},
    {JRPC_ROW("result-falsy-omitted", "J2-5c",
              "a result of null, 0, false, \"\", [] or {} is left out"),
     .response = omit_falsy, .when = SUCCESS},
    {JRPC_ROW("result-beside-error", "J2-5d", "\"result\": null beside an error"),
     JRPC_ROW_MEMBER(ERRORS, result, "null")},
    {JRPC_ROW("error-null-beside-result", "J2-5e", "\"error\": null beside a result"),
     JRPC_ROW_MEMBER(SUCCESS, error, "null")},
    {JRPC_ROW("response-id-omitted", "J2-5f", "no id member where it would be null"),
     .response = null_id_as, .spelling = ""},
    {JRPC_ROW("response-id-omitted-on-error", "J2-5f", "no id member in any error Response"),
     JRPC_ROW_MEMBER(ERRORS, id, "")},
    {JRPC_ROW("parse-error-id-zero", "J2-5g",
              "id 0 where it should be null (parse error, invalid request without a readable id, "
              "empty batch)"),
     .response = null_id_as, .when = PARSE | INVALID | JRPC_OUTCOME_EMPTY_BATCH, .spelling = "0"},
    {JRPC_ROW("parse-error-id-empty", "J2-5g", "id \"\" where it should be null for a parse error"),
     .response = null_id_as, .when = PARSE, .spelling = "\"\""},
    {JRPC_ROW(
         "parse-error-last-id", "J2-5g",
         "for a parse error the id of the last call of this connection (null if there was none)"),
     .response = last_id},
    {JRPC_ROW("parse-error-id-guessed", "J2-5g",
              "for a parse error the String or Number that follows \"id\": in the broken text, if "
              "there is one"),
     .response = guess_id, .when = PARSE},
    {JRPC_ROW("invalid-request-null-id", "J2-5g",
              "an Invalid Request is always answered with id null, also where the id can be read"),
     JRPC_ROW_MEMBER(INVALID, id, "null")},
    {JRPC_ROW("response-without-outcome", "J2-5h", "error Responses have neither result nor error"),
     .response = no_outcome, .when = ERRORS},
    {JRPC_ROW("error-as-string", "J2-5k", "error is the message as a String"),
     .response = error_string, .when = ERRORS},
    {JRPC_ROW("error-as-array", "J2-5k", "error is an Array [code, message]"),
     .response = error_array, .when = ERRORS},
    {JRPC_ROW("response-raw-control", "J2-5j",
              "error.message in the Response to a call with params holds a raw tab character"),
     .response = spoil_message, .when = ERRORS, .spelling = "\"An error\toccurred\""},
    {JRPC_ROW("response-invalid-utf8", "J2-5j",
              "error.message in the Response to a call with params holds the single byte 0xE9"),
     .response = spoil_message, .when = ERRORS, .spelling = "\"\xE9\""},
    {JRPC_ROW("response-single-quotes", "J2-5j",
              "error.message in the Response to a call with params is written in single quotes"),
     .response = single_quotes, .when = ERRORS},
    {JRPC_ROW("response-duplicate-member", "J2-5j", "the member id is written twice (same value)"),
     .response = id_twice},
    {JRPC_ROW("code-as-string", "J2-5.1a", "code is a String (\"-32601\")"),
     .response = code_string, .when = ERRORS},
    {JRPC_ROW("code-fractional", "J2-5.1a", "code is a fraction (-32601.5 for -32601)"),
     .response = code_fraction, .when = ERRORS},
    {JRPC_ROW("code-missing", "J2-5.1a", "error has no code"), JRPC_ROW_MEMBER(ERRORS, code, "")},
    {JRPC_ROW("message-missing", "J2-5.1b", "error has no message"),
     JRPC_ROW_MEMBER(ERRORS, message, "")},
    {JRPC_ROW("message-missing-of-bad-params", "J2-5.1b", "the error of params has no message"),
     JRPC_ROW_MEMBER(JRPC_OUTCOME_BAD_PARAMS, message, "")},
    {JRPC_ROW("message-null", "J2-5.1b", "error.message is null"),
     JRPC_ROW_MEMBER(ERRORS, message, "null")},
    {JRPC_ROW("message-object", "J2-5.1b", "error.message is an Object {\"text\":…}"),
     .response = message_object, .when = ERRORS},
    {JRPC_ROW(
         "message-with-trace", "SEC-c",
         "error.message has several lines: the message, then \"Traceback (most recent call "
         "last):\", then \"  File \\\"/srv/app/server.py\\\", line 10, in handle\" (escaped \\n)"),
     .response = message_longer, .when = ERRORS, .spelling = "\\n" TRACE "\""},
    {JRPC_ROW("message-with-path", "SEC-c",
              "error.message is one line ending in \" at /srv/app/server.c:10\""),
     .response = message_longer, .when = ERRORS, .spelling = " at /srv/app/server.c:10\""},
    {JRPC_ROW("data-stringified", "J2-5.1j",
              "data that is not a String is written as a String of its JSON text"),
     .response = data_string},
    {JRPC_ROW("data-dropped", "J2-5.1j", "data is left out"), JRPC_ROW_MEMBER(ERRORS, data, "")},
    {JRPC_ROW("data-with-trace", "SEC-j",
              "every error has \"data\": \"Traceback (most recent call last):\\n  File "
              "\\\"/srv/app/server.py\\\", line 10, in handle\" (where the method gave no data of "
              "its own)"),
     .response = data_trace, .when = ERRORS, .spelling = "\"" TRACE "\""},
    {JRPC_ROW("error-echoes-request", "SEC-g",
              "every error of a request has \"data\" with the whole request as spelled (where the "
              "method gave no data of its own)"),
     .response = data_request, .when = ERRORS},
    {JRPC_ROW("app-code-clamped", "J2-5.1k",
              "a code of a method that lies outside -32099..-32000 is written as -32000"),
     .response = clamp_code, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("app-code-int16", "J2-5.1k", "a code of a method is reduced to 16 bits signed"),
     .response = code_int16, .when = JRPC_OUTCOME_APPLICATION},
    {JRPC_ROW("parse-error-as-invalid-request", "J2-5.1d", "a parse error has code -32600"),
     JRPC_ROW_CODE(PARSE, "-32600")},
    {JRPC_ROW("late-parse-error-as-invalid-request", "J2-5.1d",
              "a parse error has code -32600, but for that of a member without a value"),
     .text = note_missing_value, .response = late_parse_error, .when = PARSE, .spelling = "-32600"},
    {JRPC_ROW("parse-error-internal", "J2-5.1d", "a parse error has code -32603"),
     JRPC_ROW_CODE(PARSE, "-32603")},
    {JRPC_ROW("parse-error-zero", "J2-5.1d", "a parse error has code 0"),
     JRPC_ROW_CODE(PARSE, "0")},
    {JRPC_ROW("parse-error-silent", "J2-5.1d", "a parse error is answered by nothing"),
     .response = jrpc_row_withhold, .when = PARSE},
    {JRPC_ROW("parse-error-drop", "J2-5.1d",
              "a parse error closes the connection without an answer (on stdio: orderly exit 0)"),
     .response = drop_connection, .when = PARSE},
    {JRPC_ROW("parse-error-crash", "J2-5.1d", "abort() on a parse error"),
     .response = jrpc_row_crash, .when = PARSE},
    {JRPC_ROW("parse-error-html", "J2-5.1d",
              "a parse error is answered by the text <html><body>400 Bad Request</body></html>"),
     .response = html_page, .when = PARSE, .spelling = "<html><body>400 Bad Request</body></html>"},
    {JRPC_ROW("invalid-request-as-parse-error", "J2-5.1e",
              "an Invalid Request (an invalid Object; not the empty batch) has code -32700"),
     JRPC_ROW_CODE(INVALID, "-32700")},
    {JRPC_ROW("invalid-request-internal-error", "J2-5.1e", "an Invalid Request has code -32603"),
     JRPC_ROW_CODE(INVALID, "-32603")},
    {JRPC_ROW("invalid-request-as-invalid-params", "J2-5.1e", "an Invalid Request has code -32602"),
     JRPC_ROW_CODE(INVALID, "-32602")},
    {JRPC_ROW("failure-silent", "J2-5.1h",
              "no Response where a handler fails without a code of its own (fail)"),
     .response = jrpc_row_withhold, .when = FAILURE},
    {JRPC_ROW("failure-crash", "J2-5.1h",
              "abort() where a handler fails without a code of its own (fail)"),
     .response = jrpc_row_crash, .when = FAILURE},
    {JRPC_ROW("failure-as-result", "J2-5.1h",
              "where a handler fails without a code of its own, the message is the result and "
              "there is no error"),
     .response = message_as_result, .when = FAILURE},
    {JRPC_ROW("failure-undefined-code", "J2-5.1i",
              "where a handler fails without a code of its own, the code is -32604"),
     JRPC_ROW_CODE(FAILURE, "-32604")},
    {JRPC_ROW("result-stringified", "J2-7",
              "a result that is not a String is written as a String of its JSON text"),
     JRPC_ROW_RESULT(result_string)},
    {JRPC_ROW("message-multiline", "J2-5.1c",
              "error.message has two lines without a trace: the message, an escaped \\n, then "
              "\"see the log\""),
     .response = message_longer, .when = ERRORS, .spelling = "\\nsee the log\""},
};

const jrpc_fault_table jrpc_faults_response = JRPC_FAULT_TABLE(rows);
