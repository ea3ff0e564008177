#include "reference/wire/head.h"

#include <stdint.h>

static const jrpc_slice content_length = JRPC_SLICE_INIT("content-length:");

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool begins_content_length(jrpc_slice text)
{
    if (text.len < content_length.len) {
        return false;
    }
    for (size_t i = 0; i < content_length.len; i++) {
        if (lower(text.ptr[i]) != content_length.ptr[i]) {
            return false;
        }
    }
    return true;
}

// A byte that a header name may hold (RFC 9110, section 5.6.2).
static bool is_token(char byte)
{
    char small = lower(byte);
    return (small >= 'a' && small <= 'z') || (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static jrpc_slice without_carriage_return(jrpc_slice line)
{
    if (line.len != 0 && line.ptr[line.len - 1] == '\r') {
        line.len--;
    }
    return line;
}

jrpc_head_line jrpc_head_line_kind(jrpc_slice line)
{
    line = without_carriage_return(line);
    if (line.len == 0) {
        return JRPC_HEAD_LINE_EMPTY;
    }
    if (begins_content_length(line)) {
        return JRPC_HEAD_LINE_CONTENT_LENGTH;
    }
    size_t name = 0;
    while (name < line.len && is_token(line.ptr[name])) {
        name++;
    }
    return name != 0 && name < line.len && line.ptr[name] == ':' ? JRPC_HEAD_LINE_OTHER
                                                                 : JRPC_HEAD_LINE_NONE;
}

static const char *read_length(jrpc_slice value, size_t *ret_length)
{
    while (value.len != 0 && is_blank(value.ptr[0])) {
        value = jrpc_slice_from(value, 1);
    }
    while (value.len != 0 && is_blank(value.ptr[value.len - 1])) {
        value.len--;
    }
    if (value.len == 0) {
        return "Content-Length has no value";
    }
    size_t length = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9') {
            return "Content-Length is not a decimal number";
        }
        size_t digit = (size_t)(value.ptr[i] - '0');
        if (length > (SIZE_MAX - digit) / 10) {
            return "Content-Length is too large a number";
        }
        length = length * 10 + digit;
    }
    *ret_length = length;
    return NULL;
}

const char *jrpc_head_read(jrpc_slice head, size_t *ret_length)
{
    bool found = false;
    size_t length = 0;
    while (head.len != 0) {
        const char *feed = memchr(head.ptr, '\n', head.len);
        size_t len = feed == NULL ? head.len : (size_t)(feed - head.ptr);
        jrpc_slice line = without_carriage_return(jrpc_slice_of(head.ptr, len));
        head = jrpc_slice_from(head, feed == NULL ? len : len + 1);
        if (!begins_content_length(line)) {
            continue;
        }
        size_t said;
        const char *why = read_length(jrpc_slice_from(line, content_length.len), &said);
        if (why != NULL) {
            return why;
        }
        if (found && said != length) {
            return "Content-Length is said twice, with different values";
        }
        found = true;
        length = said;
    }
    if (!found) {
        return "the head has no Content-Length";
    }
    *ret_length = length;
    return NULL;
}

size_t jrpc_head_behind_body(jrpc_slice line)
{
    for (size_t i = 1; i < line.len; i++) {
        if ((line.ptr[i - 1] == '}' || line.ptr[i - 1] == ']') &&
            begins_content_length(jrpc_slice_from(line, i))) {
            return i;
        }
    }
    return line.len;
}
