#include "reference/server/http_reply_bytes.h"

#include <string.h>
#include <time.h>

enum { DATE_BYTES = 64, LONG_BYTES = 1000, LONGER_BYTES = 2000, STATUS_NO_CONTENT = 204 };

static const char *line_end(jrpc_http_reply_bytes how)
{
    return how.fault == JRPC_HTTP_BYTES_LINE_FEEDS ? "\n" : "\r\n";
}

static void put_field(jrpc_buffer *out, jrpc_http_reply_bytes how, const char *name,
                      const char *value)
{
    (void)jrpc_buffer_printf(out, "%s: %s%s", name, value, line_end(how));
}

// The value of Content-Length.
static size_t length_of(jrpc_slice body, jrpc_http_reply_bytes how)
{
    size_t length = body.len;
    for (size_t i = 0; i < body.len && how.fault == JRPC_HTTP_BYTES_CHARACTERS; i++) {
        length -= ((unsigned char)body.ptr[i] & 0xC0u) == 0x80u ? 1 : 0;
    }
    bool larger =
        how.fault == JRPC_HTTP_BYTES_LARGER && jrpc_slice_contains(body, JRPC_SLICE("\"error\""));
    return length + (larger ? 2 : 0);
}

// Whether the answer does not say how long its body is.
static bool is_lengthless(const jrpc_http_reply *reply, jrpc_slice body, jrpc_http_reply_bytes how)
{
    switch (how.fault) {
    case JRPC_HTTP_BYTES_NO_LENGTH:
        return jrpc_slice_contains(body, JRPC_SLICE("-32700"));
    case JRPC_HTTP_BYTES_SAYS_CLOSE:
        return true;
    case JRPC_HTTP_BYTES_204_LENGTH:
        return false;
    default:
        return reply->status == STATUS_NO_CONTENT;
    }
}

static void write_body(const jrpc_http_reply *reply, jrpc_http_reply_bytes how, jrpc_buffer *out)
{
    jrpc_slice body = jrpc_buffer_slice(&reply->body);
    bool unended = how.fault == JRPC_HTTP_BYTES_UNENDED && body.len > LONGER_BYTES;
    if ((how.chunks || unended) && body.len > 0) {
        put_field(out, how, "Transfer-Encoding", "chunked");
        (void)jrpc_buffer_printf(out, "\r\n%zx\r\n%.*s\r\n%s", body.len, (int)body.len, body.ptr,
                                 unended ? "" : "0\r\n\r\n");
        return;
    }
    if (reply->status == STATUS_NO_CONTENT && how.fault == JRPC_HTTP_BYTES_204_CODING) {
        put_field(out, how, "Transfer-Encoding", "chunked");
    }
    if (!is_lengthless(reply, body, how)) {
        (void)jrpc_buffer_printf(out, "Content-Length: %zu%s", length_of(body, how), line_end(how));
    }
    (void)jrpc_buffer_append_str(out, line_end(how));
    if (reply->status == STATUS_NO_CONTENT && how.fault == JRPC_HTTP_BYTES_204_BODY) {
        (void)jrpc_buffer_append_str(out, "null");
    }
    if (!how.bodyless) {
        (void)jrpc_buffer_append(out, body);
    }
}

static void write_date(jrpc_buffer *out, jrpc_http_reply_bytes how)
{
    char text[DATE_BYTES];
    time_t now = time(NULL);
    struct tm parts;
    bool other = how.fault == JRPC_HTTP_BYTES_DATE_FORM;
    if (gmtime_r(&now, &parts) == NULL) {
        return;
    }
    size_t len = other ? strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)
                       : strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    if (len > 0) {
        put_field(out, how, "Date", text);
    }
}

void jrpc_http_reply_write(const jrpc_http_reply *reply, jrpc_http_reply_bytes how,
                           jrpc_buffer *out)
{
    (void)jrpc_buffer_printf(out, "HTTP/1.1 %d Said%s", reply->status,
                             how.fault == JRPC_HTTP_BYTES_LINE_FEED ? "\n" : line_end(how));
    if (how.fault != JRPC_HTTP_BYTES_NO_DATE) {
        write_date(out, how);
    }
    if (reply->content_type != NULL) {
        put_field(out, how, "Content-Type", reply->content_type);
    }
    if (how.fault == JRPC_HTTP_BYTES_TYPES) {
        put_field(out, how, "Content-Type", "text/plain");
    }
    if (how.fault == JRPC_HTTP_BYTES_ENCODING && reply->body.len > LONG_BYTES) {
        put_field(out, how, "Content-Encoding", "gzip");
    }
    if (reply->allow != NULL) {
        put_field(out, how, "Allow", reply->allow);
    }
    if (reply->close || how.fault == JRPC_HTTP_BYTES_SAYS_CLOSE) {
        put_field(out, how, "Connection", "close");
    }
    write_body(reply, how, out);
}
