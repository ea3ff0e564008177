#include "harness/cli/words.h"

#include "harness/suite/secret.h"

#include <stdarg.h>
#include <stdio.h>

bool jck_complain(const jrpc_error *error)
{
    char line[sizeof error->message + sizeof error->source + 64];
    jrpc_error_format(error, line, sizeof line);
    jrpc_buffer masked;
    jrpc_buffer_init(&masked, jrpc_allocator_heap(), sizeof line * 4);
    bool whole = jck_mask_secrets(&masked, jrpc_slice_str(line));
    (void)fprintf(stderr, "jrpcheck: %.*s\n", whole ? (int)masked.len : 0, whole ? masked.ptr : "");
    jrpc_buffer_done(&masked);
    return false;
}

bool jck_complain_of(const char *format, ...)
{
    jrpc_error error = {0};
    char words[sizeof error.message];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    (void)jrpc_error_set(&error, JRPC_ERROR_USAGE, "%s", words);
    return jck_complain(&error);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-_./:=,+@%", c) != NULL);
}

bool jck_quote_word(jrpc_buffer *out, const char *word)
{
    const char *p = word;
    while (is_plain(*p)) {
        p++;
    }
    if (*p == '\0' && p != word) {
        return jrpc_buffer_append_str(out, word);
    }
    (void)jrpc_buffer_append_char(out, '\'');
    for (p = word; *p != '\0'; p++) {
        if (*p == '\'') {
            (void)jrpc_buffer_append_str(out, "'\\''");
        } else {
            (void)jrpc_buffer_append_char(out, *p);
        }
    }
    return jrpc_buffer_append_char(out, '\'');
}

bool jck_quote_masked(jrpc_buffer *out, const char *word, bool is_header)
{
    static const jrpc_slice joined = JRPC_SLICE_INIT("--header=");
    jrpc_slice text = jrpc_slice_str(word);
    jrpc_buffer masked;
    jrpc_buffer_init(&masked, jrpc_allocator_heap(), out->maximum);
    bool option = jrpc_slice_starts_with(text, joined);
    if (option) {
        (void)jrpc_buffer_append(&masked, joined);
        text = jrpc_slice_from(text, joined.len);
    }
    (void)(is_header || option ? jck_mask_header(&masked, text) : jck_mask_secrets(&masked, text));
    (void)jrpc_buffer_append_char(&masked, '\0');
    out->failed = out->failed || masked.failed;
    bool quoted = !out->failed && jck_quote_word(out, masked.ptr);
    jrpc_buffer_done(&masked);
    return quoted;
}

bool jck_quote_printf(jrpc_buffer *out, jrpc_slice bytes)
{
    (void)jrpc_buffer_append_char(out, '\'');
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        if (byte == '\n') {
            (void)jrpc_buffer_append_str(out, "\\n");
        } else if (byte == '\r') {
            (void)jrpc_buffer_append_str(out, "\\r");
        } else if (byte == '\\') {
            (void)jrpc_buffer_append_str(out, "\\\\");
        } else if (byte == '%') {
            (void)jrpc_buffer_append_str(out, "%%");
        } else if (byte < 0x20 || byte >= 0x7F || byte == '\'') {
            (void)jrpc_buffer_printf(out, "\\%03o", byte);
        } else {
            (void)jrpc_buffer_append_char(out, (char)byte);
        }
    }
    return jrpc_buffer_append_char(out, '\'');
}
