#include "reference/base/error.h"

#include "reference/base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Makes text fit to be shown on a terminal: control characters (also the C1 controls U+0080 to
// U+009F, which terminals obey) and invalid UTF-8 become "?"; a sequence cut by the end goes.
static void make_printable(char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len;) {
        unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x20 && byte < 0x7F) {
            i++;
            continue;
        }
        size_t viable;
        size_t sequence = jrpc_utf8_sequence(text + i, len - i, &viable);
        if (sequence == 0 && viable == len - i) {
            text[i] = '\0';
            return;
        }
        bool c1 = byte == 0xC2 && sequence == 2 && (unsigned char)text[i + 1] < 0xA0;
        if (sequence <= 1) {
            text[i] = '?';
            i++;
        } else if (c1) {
            text[i] = '?';
            text[i + 1] = '?';
            i += 2;
        } else {
            i += sequence;
        }
    }
}

static void copy_text(char *out, size_t out_size, const char *text)
{
    size_t len = strlen(text);
    if (len >= out_size) {
        len = out_size - 1;
    }
    memmove(out, text, len);
    out[len] = '\0';
    make_printable(out);
}

bool jrpc_error_set(jrpc_error *error, jrpc_error_code code, const char *format, ...)
{
    if (error == NULL || error->code != JRPC_OK) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    make_printable(error->message);
    error->code = code;
    return false;
}

bool jrpc_error_set_sentence(jrpc_error *error, jrpc_error_code code, const char *sentence)
{
    if (error == NULL || error->code != JRPC_OK) {
        return false;
    }
    size_t len = strlen(sentence);
    assert(len < sizeof error->message);
    memcpy(error->message, sentence, len + 1);
    error->code = code;
    return false;
}

bool jrpc_error_set_errno(jrpc_error *error, int errno_value, const char *format, ...)
{
    if (error == NULL || error->code != JRPC_OK) {
        return false;
    }
    char words[sizeof error->message];
    char reason[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (strerror_r(errno_value, reason, sizeof reason) != 0) {
        (void)snprintf(reason, sizeof reason, "error %d", errno_value);
    }
    return jrpc_error_set(error, JRPC_ERROR_SYSTEM, "%.380s: %s", words, reason);
}

bool jrpc_error_prefix(jrpc_error *error, const char *format, ...)
{
    if (error == NULL) {
        return false;
    }
    char words[sizeof error->message];
    char joined[sizeof words + sizeof error->message + 2];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    (void)snprintf(joined, sizeof joined, "%s: %s", words, error->message);
    copy_text(error->message, sizeof error->message, joined);
    return false;
}

bool jrpc_error_append(jrpc_error *error, const char *format, ...)
{
    if (error == NULL) {
        return false;
    }
    size_t len = strlen(error->message);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->message + len, sizeof error->message - len, format, arguments);
    va_end(arguments);
    make_printable(error->message);
    return false;
}

bool jrpc_error_locate(jrpc_error *error, const char *source, jrpc_slice text, size_t offset)
{
    if (error == NULL) {
        return false;
    }
    copy_text(error->source, sizeof error->source, source == NULL ? "" : source);
    error->offset = offset;
    jrpc_text_position(text, offset, &error->line, &error->column);
    return false;
}

void jrpc_error_clear(jrpc_error *error)
{
    if (error != NULL) {
        error->code = JRPC_OK;
        error->message[0] = error->source[0] = '\0';
        error->line = error->column = error->offset = 0;
    }
}

void jrpc_text_position(jrpc_slice text, size_t offset, size_t *ret_line, size_t *ret_column)
{
    size_t stop = offset < text.len ? offset : text.len;
    size_t line = 1;
    size_t line_begin = 0;
    const char *feed;
    while (line_begin < stop &&
           (feed = memchr(text.ptr + line_begin, '\n', stop - line_begin)) != NULL) {
        line++;
        line_begin = (size_t)(feed - text.ptr) + 1;
    }
    *ret_line = line;
    *ret_column = stop - line_begin + 1;
}

void jrpc_error_format(const jrpc_error *error, char *out, size_t out_size)
{
    if (out_size == 0) {
        return;
    }
    char place[64] = "";
    if (error->line != 0 && error->column != 0) {
        (void)snprintf(place, sizeof place, "%zu:%zu", error->line, error->column);
    } else if (error->line != 0) {
        (void)snprintf(place, sizeof place, "%zu", error->line);
    }
    (void)snprintf(out, out_size, "%s%s%s%s%s", error->source,
                   error->source[0] != '\0' && place[0] != '\0' ? ":" : "", place,
                   error->source[0] != '\0' || place[0] != '\0' ? ": " : "", error->message);
}
