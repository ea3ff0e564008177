// Faults in how messages travel over HTTP.
#include "reference/server/bend.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void replace_body(jrpc_http_reply *reply, int status, const char *type, const char *text)
{
    reply->status = status;
    reply->content_type = type;
    jrpc_buffer_clear(&reply->body);
    (void)jrpc_buffer_append_str(&reply->body, text);
}

static bool contains(jrpc_slice text, const char *part)
{
    return jrpc_slice_contains(text, jrpc_slice_str(part));
}

static bool is_post(const jrpc_http_request *request)
{
    return strcmp(request->method, "POST") == 0;
}

static bool is_error(const jrpc_http_reply *reply)
{
    return contains(jrpc_buffer_slice(&reply->body), "\"error\":");
}

// The rows' data: `spelling` is a content type, `number` a status.
static void answer_as(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    if (is_post(request) && reply->body.len > 0) {
        reply->content_type =
            bend->fault->spelling != NULL ? bend->fault->spelling : reply->content_type;
        reply->status = bend->fault->number != 0 ? bend->fault->number : reply->status;
    }
}

static void untyped(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    (void)bend;
    (void)request;
    reply->content_type = NULL;
}

static void fill_silence(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    if (is_post(request) && reply->status == 204) {
        replace_body(reply, 200, "application/json", bend->fault->spelling);
    }
}

static void silence_status(jrpc_bend *bend, const jrpc_http_request *request,
                           jrpc_http_reply *reply)
{
    if (is_post(request) && reply->status == 204) {
        reply->status = bend->fault->number;
    }
}

// An error of the row's code (`spelling`), or, where it names none, to a message with params: so
// that calls without them still show that the server answers.
static bool is_chosen(const jrpc_bend *bend, const jrpc_http_request *request,
                      const jrpc_http_reply *reply)
{
    const char *code = bend->fault->spelling;
    return is_post(request) && is_error(reply) &&
           (code == NULL ? contains(request->body, "\"params\"")
                         : contains(jrpc_buffer_slice(&reply->body), code));
}

static void page_for_errors(jrpc_bend *bend, const jrpc_http_request *request,
                            jrpc_http_reply *reply)
{
    if (is_chosen(bend, request, reply)) {
        replace_body(reply, bend->fault->number, "text/html",
                     "<!doctype html><title>Error</title><h1>Something went wrong</h1>");
    }
}

static void error_without_body(jrpc_bend *bend, const jrpc_http_request *request,
                               jrpc_http_reply *reply)
{
    if (is_chosen(bend, request, reply)) {
        replace_body(reply, bend->fault->number, NULL, "");
    }
}

static void status_for_errors(jrpc_bend *bend, const jrpc_http_request *request,
                              jrpc_http_reply *reply)
{
    if (is_post(request) && is_error(reply)) {
        reply->status = bend->fault->number;
    }
}

static bool serve_page(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    if (strcmp(request->method, bend->fault->spelling) != 0) {
        return true;
    }
    replace_body(reply, 200, "text/html", "<!doctype html><title>JSON-RPC</title>");
    return false;
}

static bool crash_on_method(jrpc_bend *bend, const jrpc_http_request *request,
                            jrpc_http_reply *reply)
{
    (void)reply;
    if (strcmp(request->method, bend->fault->spelling) == 0) {
        abort();
    }
    return true;
}

static bool refuse(jrpc_bend *bend, jrpc_http_reply *reply)
{
    replace_body(reply, bend->fault->number, "text/plain", "refused\n");
    return false;
}

static bool refuse_empty(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    return !is_post(request) || request->body.len > 0 || refuse(bend, reply);
}

static bool refuse_type(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    const char *type = request->content_type;
    return !is_post(request) || (type != NULL && strncasecmp(type, "application/json", 16) == 0) ||
           refuse(bend, reply);
}

static bool refuse_charset(jrpc_bend *bend, const jrpc_http_request *request,
                           jrpc_http_reply *reply)
{
    const char *type = request->content_type;
    return !is_post(request) || type == NULL || strchr(type, ';') == NULL || refuse(bend, reply);
}

static bool refuse_odd_names(jrpc_bend *bend, const jrpc_http_request *request,
                             jrpc_http_reply *reply)
{
    return !is_post(request) || !jrpc_http_request_has_odd_names(request) || refuse(bend, reply);
}

static bool refuse_chunked(jrpc_bend *bend, const jrpc_http_request *request,
                           jrpc_http_reply *reply)
{
    return !request->chunked || refuse(bend, reply);
}

static bool refuse_other_coding(jrpc_bend *bend, const jrpc_http_request *request,
                                jrpc_http_reply *reply)
{
    const char *coding = jrpc_http_request_header(request, "Transfer-Encoding");
    return coding == NULL || strcmp(coding, "chunked") == 0 || refuse(bend, reply);
}

static void forget_allow(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    (void)bend;
    (void)request;
    reply->allow = NULL;
}

static bool find_chunked_empty(jrpc_bend *bend, const jrpc_http_request *request,
                               jrpc_http_reply *reply)
{
    if (request->chunked) {
        replace_body(reply, bend->fault->number, "application/json",
                     "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"Parse error\"},"
                     "\"id\":null}");
    }
    return !request->chunked;
}

static bool refuse_accept(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    const char *accept = request->accept;
    return !is_post(request) || (accept != NULL && strcmp(accept, "application/json") == 0) ||
           refuse(bend, reply);
}

static bool refuse_json_rpc_type(jrpc_bend *bend, const jrpc_http_request *request,
                                 jrpc_http_reply *reply)
{
    const char *type = request->content_type;
    return !is_post(request) || type == NULL || strcmp(type, "application/json-rpc") != 0 ||
           refuse(bend, reply);
}

static void close_always(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    (void)bend;
    (void)request;
    reply->close = true;
}

// A stream of events that answers a message with params: calls without them show that the server
// answers.
static bool is_events(const jrpc_http_request *request, const jrpc_http_reply *reply)
{
    return contains(request->body, "\"params\"") && reply->content_type != NULL &&
           strcmp(reply->content_type, "text/event-stream") == 0;
}

static void forget_ids(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    jrpc_slice body = jrpc_buffer_slice(&reply->body);
    jrpc_buffer kept = jrpc_bend_buffer(bend);
    for (size_t i = 0; is_events(request, reply) && i < body.len;) {
        bool id = jrpc_slice_starts_with(jrpc_slice_from(body, i), JRPC_SLICE(",\"id\":"));
        const char *end = id ? memchr(body.ptr + i, '\n', body.len - i) : NULL;
        if (end != NULL) {
            (void)jrpc_buffer_append_char(&kept, '}');
        } else {
            (void)jrpc_buffer_append_char(&kept, body.ptr[i]);
        }
        i = end != NULL ? (size_t)(end - body.ptr) : i + 1;
    }
    if (kept.len > 0) {
        jrpc_buffer_clear(&reply->body);
        (void)jrpc_buffer_append(&reply->body, jrpc_buffer_slice(&kept));
    }
}

static void go_on(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    (void)bend;
    reply->endless = is_events(request, reply);
}

static void one_event(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    if (!is_events(request, reply)) {
        return;
    }
    // Events lose the empty line between them, or begin with words that are no data.
    jrpc_buffer kept = jrpc_bend_buffer(bend);
    jrpc_slice body = jrpc_buffer_slice(&reply->body);
    for (size_t i = 0; i < body.len; i++) {
        bool gap = i + 1 < body.len && body.ptr[i] == '\n' && body.ptr[i + 1] == '\n';
        if (!gap) {
            (void)jrpc_buffer_append_char(&kept, body.ptr[i]);
        }
    }
    jrpc_buffer_clear(&reply->body);
    (void)jrpc_buffer_append(&reply->body, jrpc_buffer_slice(&kept));
}

// Several events become one: the empty lines between them go, that after the last stays.
static void run_together(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply)
{
    one_event(bend, request, reply);
    if (is_events(request, reply)) {
        (void)jrpc_buffer_append_char(&reply->body, '\n');
    }
}

static void lose_event(jrpc_bend *bend, jrpc_buffer *event)
{
    (void)bend;
    jrpc_buffer_clear(event);
}

static void split_event(jrpc_bend *bend, jrpc_buffer *event)
{
    jrpc_buffer halves = jrpc_bend_buffer(bend);
    jrpc_slice bytes = jrpc_buffer_slice(event);
    jrpc_slice first = jrpc_slice_of(bytes.ptr, bytes.len / 2);
    (void)jrpc_buffer_append(&halves, first);
    (void)jrpc_buffer_append_str(&halves, "\n\ndata: ");
    (void)jrpc_buffer_append(&halves, jrpc_slice_from(bytes, first.len));
    jrpc_buffer_clear(event);
    (void)jrpc_buffer_append(event, jrpc_buffer_slice(&halves));
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("http-type-text", "HT-a", "every Response over HTTP is of type text/plain"),
     .http_reply = answer_as, .spelling = "text/plain"},
    {JRPC_ROW("http-type-missing", "HT-a", "no answer over HTTP has a content type"),
     .http_reply = untyped},
    {JRPC_ROW("http-status-created", "HT-a", "every Response over HTTP has status 201"),
     .http_reply = answer_as, .number = 201},
    {JRPC_ROW("http-status-error", "HT-a", "every Response over HTTP has status 500"),
     .http_reply = answer_as, .number = 500},
    {JRPC_ROW("http-notification-null", "HT-b",
              "where nothing is owed over HTTP, the body is null and the status 200"),
     .http_reply = fill_silence, .spelling = "null"},
    {JRPC_ROW("http-notification-object", "HT-b",
              "where nothing is owed over HTTP, the body is {} and the status 200"),
     .http_reply = fill_silence, .spelling = "{}"},
    {JRPC_ROW("http-notification-response", "HT-b",
              "where nothing is owed over HTTP, the body is a Response with id null and result "
              "null"),
     .http_reply = fill_silence, .spelling = "{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":null}"},
    {JRPC_ROW("http-notification-202", "HT-b",
              "where nothing is owed over HTTP, the status is 202 instead of 204"),
     .http_reply = silence_status, .number = 202},
    {JRPC_ROW("http-error-page", "HT-c",
              "instead of a Response with an error, to a message with params, comes an HTML page "
              "of status 500"),
     .http_reply = page_for_errors, .number = 500},
    {JRPC_ROW("http-parse-error-page", "J2-5.1d",
              "instead of a Response of code -32700 comes an HTML page of status 400"),
     .http_reply = page_for_errors, .number = 400, .spelling = "\"code\":-32700"},
    {JRPC_ROW("http-error-empty", "HT-c",
              "instead of a Response with an error, to a message with params, comes an empty body "
              "of status 400"),
     .http_reply = error_without_body, .number = 400},
    {JRPC_ROW("http-invalid-page", "HT-c",
              "instead of a Response of code -32600 comes an HTML page of status 400"),
     .http_reply = page_for_errors, .number = 400, .spelling = "\"code\":-32600"},
    {JRPC_ROW("http-invalid-empty", "HT-c",
              "instead of a Response of code -32600 comes an empty body of status 400"),
     .http_reply = error_without_body, .number = 400, .spelling = "\"code\":-32600"},
    {JRPC_ROW("http-error-status", "HT-a",
              "a Response with an error has status 400, and is right otherwise"),
     .http_reply = status_for_errors, .number = 400},
    {JRPC_ROW("http-get-page", "HT-d", "GET is answered by an HTML page of status 200"),
     .http_request = serve_page, .spelling = "GET"},
    {JRPC_ROW("http-put-page", "HT-d", "PUT is answered by an HTML page of status 200"),
     .http_request = serve_page, .spelling = "PUT"},
    {JRPC_ROW("http-get-crash", "HT-d", "abort() on GET"), .http_request = crash_on_method,
     .spelling = "GET"},
    {JRPC_ROW("http-head-crash", "HT-d", "abort() on HEAD"), .http_request = crash_on_method,
     .spelling = "HEAD"},
    {JRPC_ROW("http-options-crash", "HT-d", "abort() on OPTIONS"), .http_request = crash_on_method,
     .spelling = "OPTIONS"},
    {JRPC_ROW("http-delete-crash", "HT-d", "abort() on DELETE"), .http_request = crash_on_method,
     .spelling = "DELETE"},
    {JRPC_ROW("http-patch-crash", "HT-d", "abort() on PATCH"), .http_request = crash_on_method,
     .spelling = "PATCH"},
    {JRPC_ROW("http-unknown-method-crash", "HT-d", "abort() on the HTTP method BREW"),
     .http_request = crash_on_method, .spelling = "BREW"},
    {JRPC_ROW("http-accept-required", "HT-i",
              "a POST whose Accept does not name application/json is answered 406 without a "
              "Response"),
     .http_request = refuse_accept, .number = 406},
    {JRPC_ROW("http-json-rpc-type-refused", "HT-e",
              "a POST of type application/json-rpc is answered 415 without a Response"),
     .http_request = refuse_json_rpc_type, .number = 415},
    {JRPC_ROW("http-empty-refused", "HT-d",
              "a POST with an empty body is answered 400 without a Response"),
     .http_request = refuse_empty, .number = 400},
    {JRPC_ROW("http-type-checked", "HT-e",
              "a POST of another type than application/json is answered 415 without a Response"),
     .http_request = refuse_type, .number = 415},
    {JRPC_ROW("http-closes", "HT-f", "the connection is closed behind every HTTP answer"),
     .http_reply = close_always},
    {JRPC_ROW("http-chunked-refused", "HT-g",
              "a POST in chunked coding is answered 411 without a Response"),
     .http_request = refuse_chunked, .number = 411},
    {JRPC_ROW("http-chunked-empty", "HT-g",
              "a POST in chunked coding is answered as if its body were empty: -32700"),
     .http_request = find_chunked_empty, .number = 200},
    {JRPC_ROW("http-chunked-by-case", "HT-g",
              "a POST whose Transfer-Encoding is not spelled chunked in small letters is answered "
              "501 without a Response"),
     .http_request = refuse_other_coding, .number = 501},
    {JRPC_ROW("http-allow-missing", "HT-k", "an answer of status 405 has no header field Allow"),
     .http_reply = forget_allow},
    {JRPC_ROW("http-charset-refused", "HT-h",
              "a POST whose content type has a parameter is answered 415 without a Response"),
     .http_request = refuse_charset, .number = 415},
    {JRPC_ROW("http-names-by-case", "HT-j",
              "a POST whose header fields are spelled in another case is answered 415"),
     .http_request = refuse_odd_names, .number = 415},
    {JRPC_ROW("sse-no-blank-lines", "SE-a",
              "the events that answer a message with params lose the empty lines behind them"),
     .http_reply = one_event},
    {JRPC_ROW("sse-id-missing", "SE-a",
              "an event that answers a message with params is a Response without an id"),
     .http_reply = forget_ids},
    {JRPC_ROW("sse-endless", "SE-b",
              "a stream of events that answers a message with params never ends"),
     .http_reply = go_on},
    {JRPC_ROW("sse-lines-run-together", "SE-d",
              "the events that answer a message with params are lines of one event"),
     .http_reply = run_together},
    {JRPC_ROW("sse-beside-lost", "SE-e",
              "what goes to the stream of events beside the exchanges never arrives"),
     .stream_event = lose_event},
    {JRPC_ROW("sse-beside-split", "SE-e",
              "each message on the stream of events beside the exchanges is two events"),
     .stream_event = split_event},
};

const jrpc_fault_table jrpc_faults_http = JRPC_FAULT_TABLE(rows);
