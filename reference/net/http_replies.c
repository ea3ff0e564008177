#include "reference/net/http_replies.h"

#include "reference/net/gzip.h"
#include "reference/net/http_chunking.h"
#include "reference/net/manner.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NO_CONTENT = 204, DATE_BYTES = 64 };

typedef enum coding { NOT_CODED, CODED_IF_LISTED, CODED } coding;

// How an answer is written. Zeroed: as most servers write it.
typedef struct jrpc_http_reply_form {
    const char *word;
    const char *interim; // the heads of answers before the final one; NULL: none
    const char *version; // NULL: HTTP/1.1
    const char *reason;  // NULL: that of the status
    const char *fields;  // additional field lines, each with its end; NULL: none
    const char *padding; // between the colons of header fields and their values; NULL: a space
    const char *after;   // behind the values; NULL: nothing
    jrpc_names names;
    const jrpc_http_chunking *chunks; // NULL: the body has a length
    const char *coding;               // NULL: "chunked"
    bool sized_as_well;               // chunked, and a Content-Length that says less
    bool unsized;                     // neither: the body ends with the connection
    bool closes;                      // the connection ends after the answer
    bool in_pieces;                   // written in several parts
    coding gzip;                      // of the body, which has a length
} jrpc_http_reply_form;

static const jrpc_http_chunking halves = {false, "", "", 0, "0\r\n\r\n"};
static const jrpc_http_chunking extended = {false, ";part=1", ";part=\"2;\";last", 0,
                                            "0;end\r\n\r\n"};
static const jrpc_http_chunking padded = {true, "", "", 11, "000\r\n\r\n"};
static const jrpc_http_chunking trailed = {false, "", "", 0,
                                           "0\r\nJrpcheck-Sum: 1\r\nJrpcheck-Time: 2\r\n\r\n"};

// Fields that no client knows, that are empty, long, or repeated.
#define UNKNOWN_FIELDS                                                                             \
    "X-Trace: a: b\r\nX-Empty:\r\nVary: Origin\r\nSet-Cookie: a=1; Path=/\r\n"                     \
    "Set-Cookie: b=\"2\"; HttpOnly\r\nAccess-Control-Allow-Origin: *\r\n"                          \
    "X_Odd.Name~1: !#$%&'*+-.^_`|~\r\n"                                                            \
    "Content-Security-Policy: default-src 'none'; connect-src 'self' https://a.example "           \
    "https://b.example https://c.example https://d.example https://e.example; "                    \
    "frame-ancestors 'none'\r\n"

static const jrpc_http_reply_form forms[] = {
    {.word = "chunked", .chunks = &halves},
    {.word = "chunk-extensions", .chunks = &extended},
    {.word = "chunk-zeros", .chunks = &padded},
    {.word = "chunk-trailers", .chunks = &trailed},
    {.word = "chunk-capitals", .chunks = &halves, .coding = "Chunked"},
    {.word = "both-lengths", .chunks = &halves, .sized_as_well = true},
    {.word = "continue", .interim = "HTTP/1.1 100 Continue\r\n\r\n"},
    {.word = "early-hints",
     .interim = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"},
    {.word = "interims",
     .interim = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"},
    {.word = "lower-names", .names = JRPC_NAMES_LOWER},
    {.word = "upper-names", .names = JRPC_NAMES_UPPER},
    {.word = "unspaced", .padding = ""},
    {.word = "tabbed", .padding = "\t "},
    {.word = "space-after", .after = "  "},
    {.word = "tab-after", .after = "\t"},
    {.word = "close", .fields = "Connection: close\r\n", .closes = true},
    {.word = "close-case", .fields = "Connection: Close\r\n", .closes = true},
    {.word = "close-silently", .closes = true},
    {.word = "until-end", .fields = "Connection: close\r\n", .unsized = true, .closes = true},
    {.word = "until-end-silently", .unsized = true, .closes = true},
    {.word = "http-1.0", .version = "HTTP/1.0", .closes = true},
    {.word = "http-1.0-until-end", .version = "HTTP/1.0", .unsized = true, .closes = true},
    {.word = "no-reason", .reason = ""},
    {.word = "other-reason", .reason = "Fine: 404 (not) an Error"},
    {.word = "unknown-fields", .fields = UNKNOWN_FIELDS},
    {.word = "keep-alive",
     .fields = "Connection: keep-alive\r\nKeep-Alive: timeout=5, max=100\r\n"},
    {.word = "pieces", .in_pieces = true},
    {.word = "chunked-pieces", .chunks = &halves, .in_pieces = true},
    {.word = "gzip-if-listed", .gzip = CODED_IF_LISTED},
    {.word = "gzip", .gzip = CODED},
    {.word = "redirect", .fields = "Location: " JRPC_HTTP_REDIRECTED "\r\n"},
};
enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

const jrpc_http_reply_form *jrpc_http_reply_find(jrpc_slice word)
{
    for (size_t i = 0; i < FORM_COUNT; i++) {
        if (jrpc_slice_is(word, forms[i].word)) {
            return &forms[i];
        }
    }
    return NULL;
}

const char *jrpc_http_reply_words(void)
{
    return "chunked, chunk-extensions, chunk-zeros, chunk-trailers, chunk-capitals, both-lengths, "
           "continue, early-hints, interims, lower-names, upper-names, unspaced, tabbed, "
           "space-after, tab-after, close, close-case, close-silently, until-end, "
           "until-end-silently, "
           "http-1.0, http-1.0-until-end, no-reason, other-reason, unknown-fields, keep-alive, "
           "pieces, chunked-pieces, gzip-if-listed, gzip or redirect";
}

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {204, "No Content"},
        {301, "Moved Permanently"},
        {302, "Found"},
        {303, "See Other"},
        {307, "Temporary Redirect"},
        {308, "Permanent Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {404, "Not Found"},
        {413, "Content Too Large"},
        {429, "Too Many Requests"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {500, "Internal Server Error"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Other";
}

// A line "Name: value", spelled as the form says.
static bool put_field(const jrpc_http_reply_form *form, jrpc_buffer *out, const char *name,
                      const char *value)
{
    size_t from = out->len;
    if (!jrpc_buffer_printf(out, "%s:", name)) {
        return false;
    }
    for (size_t i = from; form->names != JRPC_NAMES_USUAL && i < out->len; i++) {
        unsigned char c = (unsigned char)out->ptr[i];
        out->ptr[i] = (char)(form->names == JRPC_NAMES_LOWER ? tolower(c) : toupper(c));
    }
    return jrpc_buffer_printf(out, "%s%s%s\r\n", form->padding == NULL ? " " : form->padding, value,
                              form->after == NULL ? "" : form->after);
}

static bool put_date(const jrpc_http_reply_form *form, jrpc_buffer *out)
{
    char date[DATE_BYTES];
    struct tm parts;
    time_t now = time(NULL);
    bool told = gmtime_r(&now, &parts) != NULL &&
                strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &parts) > 0;
    return !told || put_field(form, out, "Date", date);
}

// The chunks that end at the offsets.
static bool put_cut(jrpc_buffer *out, const jrpc_http_reply_parts *parts)
{
    size_t from = 0;
    bool put = true;
    for (size_t i = 0; put && i <= parts->cut_count; i++) {
        size_t to = i < parts->cut_count && parts->cuts[i] < parts->body.len ? parts->cuts[i]
                                                                             : parts->body.len;
        put = to <= from ||
              (jrpc_buffer_printf(out, "%zx\r\n", to - from) &&
               jrpc_buffer_append(out, jrpc_slice_of(parts->body.ptr + from, to - from)) &&
               jrpc_buffer_append_str(out, "\r\n"));
        from = to > from ? to : from;
    }
    return put && jrpc_buffer_append_str(out, "0\r\n\r\n");
}

static bool put_length(const jrpc_http_reply_form *form, jrpc_buffer *out, size_t length)
{
    char digits[DATE_BYTES];
    (void)snprintf(digits, sizeof digits, "%zu", length);
    return put_field(form, out, "Content-Length", digits);
}

static bool put_head(const jrpc_http_reply_parts *parts, const jrpc_http_reply_form *form,
                     bool chunked, jrpc_buffer *out)
{
    bool bodyless = parts->status == NO_CONTENT;
    bool sized = !chunked && !form->unsized && !bodyless;
    bool put =
        (form->interim == NULL || parts->old || jrpc_buffer_append_str(out, form->interim)) &&
        jrpc_buffer_printf(out, "%s %d %s\r\n", form->version == NULL ? "HTTP/1.1" : form->version,
                           parts->status,
                           form->reason == NULL ? reason_of(parts->status) : form->reason) &&
        put_date(form, out);
    put = put && (parts->body.len == 0 || parts->content_type == NULL ||
                  put_field(form, out, "Content-Type", parts->content_type));
    put = put && (!sized || put_length(form, out, parts->body.len));
    put = put && (!chunked || put_field(form, out, "Transfer-Encoding",
                                        form->coding == NULL ? "chunked" : form->coding));
    put = put && (!form->sized_as_well || !chunked ||
                  put_length(form, out, parts->body.len - (parts->body.len > 0 ? 1 : 0)));
    put = put && (!parts->close || form->closes || put_field(form, out, "Connection", "close"));
    put = put && (form->fields == NULL || jrpc_buffer_append_str(out, form->fields));
    return put && jrpc_buffer_append_str(out, "\r\n");
}

static bool put_reply(const jrpc_http_reply_parts *parts, jrpc_buffer *out,
                      jrpc_http_reply_end *ret_end)
{
    static const jrpc_http_reply_form usual = {.word = ""};
    const jrpc_http_reply_form *form = parts->form == NULL ? &usual : parts->form;
    bool cut = parts->cut_count > 0 && form->chunks == NULL && !form->unsized;
    bool chunked = !parts->old && (form->chunks != NULL || cut) && parts->status != NO_CONTENT;
    *ret_end =
        (jrpc_http_reply_end){.close = form->closes || parts->close, .in_pieces = form->in_pieces};
    if (!put_head(parts, form, chunked, out)) {
        return false;
    }
    return parts->status == NO_CONTENT ? true
           : chunked && cut            ? put_cut(out, parts)
           : chunked                   ? jrpc_http_put_chunks(out, form->chunks, parts->body)
                                       : jrpc_buffer_append(out, parts->body);
}

bool jrpc_http_reply_put(const jrpc_http_reply_parts *parts, jrpc_buffer *out,
                         jrpc_http_reply_end *ret_end)
{
    coding wanted = parts->form == NULL ? NOT_CODED : parts->form->gzip;
    if (wanted == NOT_CODED || (wanted == CODED_IF_LISTED && !parts->takes_gzip)) {
        return put_reply(parts, out, ret_end);
    }
    jrpc_http_reply_form form = *parts->form;
    jrpc_http_reply_parts coded = *parts;
    jrpc_buffer body;
    jrpc_buffer_init(&body, jrpc_allocator_heap(), SIZE_MAX / 2);
    form.fields = "Content-Encoding: gzip\r\n";
    coded.form = &form;
    bool put = jrpc_gzip_put(&body, parts->body);
    coded.body = jrpc_buffer_slice(&body);
    put = put && put_reply(&coded, out, ret_end);
    jrpc_buffer_done(&body);
    return put;
}
