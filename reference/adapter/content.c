#include "reference/adapter/content.h"

#include "reference/base/utf8.h"
#include "reference/json/scan.h"

#include <ctype.h>
#include <stdlib.h>

bool jrpc_content_append(jrpc_buffer *content, uint32_t code)
{
    char bytes[4];
    return jrpc_buffer_append(content, jrpc_slice_of(bytes, jrpc_utf8_encode(code, bytes)));
}

// One character of generalized UTF-8.
static uint32_t next_code(jrpc_slice *rest)
{
    unsigned char lead = (unsigned char)rest->ptr[0];
    size_t len = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    uint32_t code = len == 1 ? lead : lead & (0xFFu >> (len + 1));
    len = len <= rest->len ? len : 1;
    for (size_t i = 1; i < len; i++) {
        code = code << 6 | ((unsigned char)rest->ptr[i] & 0x3F);
    }
    *rest = jrpc_slice_from(*rest, len);
    return code;
}

static bool is_noncharacter(uint32_t code)
{
    return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

static bool is_refused_code(jrpc_parser_fault fault, uint32_t code)
{
    return (fault == JRPC_FAULT_REFUSES_APOSTROPHES && code == '\'') ||
           (fault == JRPC_FAULT_REFUSES_DELETE && code == 0x7F) ||
           (fault == JRPC_FAULT_REFUSES_NONCHARACTERS && is_noncharacter(code)) ||
           (fault == JRPC_FAULT_REFUSES_REPLACEMENT && code == 0xFFFD) ||
           (fault == JRPC_FAULT_REFUSES_FOUR_BYTES && code >= 0x10000) ||
           (fault == JRPC_FAULT_BRACKETS_IN_STRINGS_COUNT && (code == '{' || code == '['));
}

bool jrpc_content_refused(jrpc_parser_fault fault, const jrpc_buffer *content, bool name,
                          bool escaped)
{
    if (name && ((fault == JRPC_FAULT_REFUSES_EMPTY_NAME && content->len == 0) ||
                 (fault == JRPC_FAULT_REFUSES_ESCAPED_NAME && escaped))) {
        return true;
    }
    jrpc_slice rest = jrpc_buffer_slice(content);
    while (rest.len > 0) {
        if (is_refused_code(fault, next_code(&rest))) {
            return true;
        }
    }
    return false;
}

static void replace(jrpc_buffer *content, size_t begin, size_t end, const char *bytes)
{
    size_t len = strlen(bytes);
    size_t tail = content->len - end;
    char *copy = malloc(tail + 1);
    if (copy == NULL) {
        return;
    }
    memcpy(copy, content->ptr + end, tail);
    jrpc_buffer_truncate(content, begin);
    jrpc_buffer_append(content, jrpc_slice_of(bytes, len));
    jrpc_buffer_append(content, jrpc_slice_of(copy, tail));
    free(copy);
}

// What a character is replaced with; NULL: it stays.
static const char *become(jrpc_parser_fault fault, uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x80 && code < 0xA0);
    if ((fault == JRPC_FAULT_DROPS_CONTROL && control) ||
        (fault == JRPC_FAULT_DROPS_BOM_IN_STRINGS && code == 0xFEFF) ||
        (fault == JRPC_FAULT_DROPS_PERCENT && (code == '%' || code == '$'))) {
        return "";
    }
    if (fault == JRPC_FAULT_LINE_FEEDS_CHANGE && (code == '\n' || code == '\r')) {
        return code == '\n' ? "\r\n" : "\n";
    }
    if (fault == JRPC_FAULT_ASCII_ONLY && code >= 0x80) {
        return "?";
    }
    if ((fault == JRPC_FAULT_REPLACES_BEYOND_BMP && code >= 0x10000) ||
        (fault == JRPC_FAULT_REPLACES_SURROGATES && code >= 0xD800 && code <= 0xDFFF)) {
        return "\xEF\xBF\xBD";
    }
    return NULL;
}

static void change_characters(jrpc_parser_fault fault, jrpc_buffer *content)
{
    size_t at = 0;
    while (at < content->len) {
        jrpc_slice rest = jrpc_slice_from(jrpc_buffer_slice(content), at);
        size_t before = rest.len;
        const char *other = become(fault, next_code(&rest));
        size_t len = before - rest.len;
        if (other == NULL) {
            at += len;
        } else {
            replace(content, at, at + len, other);
            at += strlen(other);
        }
    }
}

static void unescape(jrpc_buffer *content)
{
    for (size_t i = 0; i + 1 < content->len; i++) {
        if (content->ptr[i] != '\\') {
            continue;
        }
        if (content->ptr[i + 1] == 'n') {
            replace(content, i, i + 2, "\n");
        } else if (content->ptr[i + 1] == 'u' && i + 6 <= content->len) {
            replace(content, i, i + 6, "A");
        }
    }
}

static void cut_at(jrpc_buffer *content, const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i + len <= content->len; i++) {
        if (memcmp(content->ptr + i, text, len) == 0) {
            jrpc_buffer_truncate(content, i);
        }
    }
}

static void trim(jrpc_buffer *content)
{
    while (content->len > 0 && content->ptr[content->len - 1] == ' ') {
        jrpc_buffer_truncate(content, content->len - 1);
    }
    while (content->len > 0 && content->ptr[0] == ' ') {
        jrpc_buffer_consume(content, 1);
    }
}

static void change_name(jrpc_parser_fault fault, jrpc_buffer *content)
{
    if (fault == JRPC_FAULT_NAMES_IGNORE_CASE) {
        for (size_t i = 0; i < content->len; i++) {
            content->ptr[i] = (char)tolower((unsigned char)content->ptr[i]);
        }
    } else if (fault == JRPC_FAULT_NUMERIC_NAMES_MERGE) {
        cut_at(content, ".0");
        if (content->len > 1 && content->ptr[0] == '0') {
            jrpc_buffer_consume(content, 1);
        }
    }
}

static bool is_date(const jrpc_buffer *content)
{
    return content->len > 10 && isdigit((unsigned char)content->ptr[0]) && content->ptr[4] == '-' &&
           content->ptr[7] == '-' && content->ptr[10] == 'T';
}

// As in a URI: %41 becomes A, + a space.
static void decode_percent(jrpc_buffer *content)
{
    for (size_t i = 0; i < content->len; i++) {
        bool percent = content->ptr[i] == '%' && i + 2 < content->len;
        int byte = percent ? jrpc_scan_hex_pair(content->ptr + i + 1) : -1;
        if (content->ptr[i] == '+') {
            content->ptr[i] = ' ';
        } else if (byte >= 0) {
            const char decoded[] = {(char)byte, '\0'};
            replace(content, i, i + 3, decoded);
        }
    }
}

void jrpc_content_change(jrpc_parser_fault fault, jrpc_buffer *content, bool name)
{
    if (name) {
        change_name(fault, content);
    }
    change_characters(fault, content);
    size_t most = fault == JRPC_FAULT_CUTS_STRINGS_AT_4   ? 4
                  : fault == JRPC_FAULT_CUTS_LONG_STRINGS ? 65535
                                                          : content->len;
    if (content->len > most) {
        jrpc_buffer_truncate(content, most);
    }
    // As if a small buffer were replaced by a larger one here.
    if (fault == JRPC_FAULT_DROPS_AT_256 && content->len > 256 &&
        isalpha((unsigned char)content->ptr[256]) && content->ptr[255] == '\n') {
        replace(content, 256, 257, "");
    }
    if (fault == JRPC_FAULT_CUTS_AT_NUL) {
        void *nul = content->len == 0 ? NULL : memchr(content->ptr, '\0', content->len);
        jrpc_buffer_truncate(content,
                             nul == NULL ? content->len : (size_t)((char *)nul - content->ptr));
    }
    if (fault == JRPC_FAULT_TRIMS_STRINGS) {
        trim(content);
    }
    if (fault == JRPC_FAULT_UNESCAPES_TWICE) {
        unescape(content);
    }
    if (fault == JRPC_FAULT_STRIPS_COMMENTS_IN_STRINGS) {
        cut_at(content, "//");
        cut_at(content, "/*");
    }
    if (fault == JRPC_FAULT_NAMES_NORMALIZE) {
        for (size_t i = 0; i + 3 <= content->len; i++) {
            if (memcmp(content->ptr + i, "e\xCC\x81", 3) == 0) {
                replace(content, i, i + 3, "\xC3\xA9");
            }
        }
    }
    if (fault == JRPC_FAULT_DECODES_PERCENT) {
        decode_percent(content);
    }
    if (fault == JRPC_FAULT_CHANGES_DATES && is_date(content)) {
        content->ptr[10] = ' ';
    }
}
