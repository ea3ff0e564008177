#include "reference/wire/http_body.h"

#include "reference/wire/websocket_handshake.h"

#include <string.h>
#include <strings.h>

// A number in digits of this base, as long as they go; false where there is none or it is too long.
static bool read_number(jrpc_slice text, unsigned base, size_t *ret_number, size_t *ret_digits)
{
    static const char digits[] = "0123456789abcdef";
    *ret_number = 0;
    *ret_digits = 0;
    while (*ret_digits < text.len) {
        char c = text.ptr[*ret_digits];
        c = c >= 'A' && c <= 'F' ? (char)(c + ('a' - 'A')) : c;
        const char *found = memchr(digits, c, base);
        if (found == NULL || *ret_number > SIZE_MAX / base - base) {
            break;
        }
        *ret_number = *ret_number * base + (size_t)(found - digits);
        (*ret_digits)++;
    }
    return *ret_digits > 0;
}

// The line at `at`, without its line end; *ret_next is where the next one begins. False while its
// end has not come.
static bool read_line(jrpc_slice bytes, size_t at, jrpc_slice *ret_line, size_t *ret_next)
{
    const char *end = memchr(bytes.ptr + at, '\n', bytes.len - at);
    if (end == NULL) {
        return false;
    }
    *ret_next = (size_t)(end - bytes.ptr) + 1;
    size_t len = *ret_next - at - 1;
    len -= len > 0 && bytes.ptr[at + len - 1] == '\r' ? 1 : 0;
    *ret_line = jrpc_slice_of(bytes.ptr + at, len);
    return true;
}

static jrpc_decoded read_chunks(jrpc_slice rest, jrpc_buffer *content, jrpc_http_body *body)
{
    jrpc_slice line;
    size_t at = 0;
    for (size_t size = 1; size > 0;) {
        size_t digits;
        if (!read_line(rest, at, &line, &at)) {
            return JRPC_DECODED_MORE;
        }
        if (!read_number(line, 16, &size, &digits)) {
            return JRPC_DECODED_BAD;
        }
        body->extensions = body->extensions || memchr(line.ptr, ';', line.len) != NULL;
        if (size > 0 && (rest.len - at < size || !read_line(rest, at + size, &line, &at))) {
            return JRPC_DECODED_MORE;
        }
        if (size > 0 && !jrpc_buffer_append(content, jrpc_slice_of(line.ptr - size, size))) {
            return JRPC_DECODED_BAD;
        }
    }
    size_t last = at;
    size_t fields = 0;
    do { // the trailer
        if (!read_line(rest, at, &line, &at)) {
            return JRPC_DECODED_MORE;
        }
        fields += line.len > 0 ? 1 : 0;
    } while (line.len > 0);
    body->used = at;
    body->trailer = fields > 0 ? at - last : 0;
    return JRPC_DECODED_DONE;
}

static bool is_chunked(jrpc_slice head)
{
    jrpc_slice coding = jrpc_head_value(head, "Transfer-Encoding");
    return coding.len == strlen("chunked") && strncasecmp(coding.ptr, "chunked", coding.len) == 0;
}

jrpc_decoded jrpc_http_body_read(jrpc_slice head, jrpc_slice rest, bool endless, bool ended,
                                 jrpc_buffer *content, jrpc_http_body *ret_body)
{
    *ret_body = (jrpc_http_body){.chunked = is_chunked(head)};
    if (ret_body->chunked) {
        jrpc_decoded read =
            rest.len == 0 ? JRPC_DECODED_MORE : read_chunks(rest, content, ret_body);
        return read == JRPC_DECODED_MORE && ended ? JRPC_DECODED_BAD : read;
    }
    jrpc_slice length = jrpc_head_value(head, "Content-Length");
    size_t digits;
    if (length.ptr == NULL && !endless) {
        return JRPC_DECODED_DONE;
    }
    if (length.ptr == NULL) {
        ret_body->used = rest.len;
    } else if (!read_number(length, 10, &ret_body->used, &digits) || digits < length.len) {
        return JRPC_DECODED_BAD;
    }
    if (rest.len < ret_body->used || (length.ptr == NULL && !ended)) {
        return ended ? JRPC_DECODED_BAD : JRPC_DECODED_MORE;
    }
    return jrpc_buffer_append(content, jrpc_slice_of(rest.ptr, ret_body->used)) ? JRPC_DECODED_DONE
                                                                                : JRPC_DECODED_BAD;
}
