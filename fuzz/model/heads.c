#include "fuzz/model/heads.h"

#include "reference/base/limits.h"

// What is left of a head that is too long: more than the longest beginning of the next one.
enum { KEPT_BYTES = 32 };

typedef enum line_kind { LINE_END, LINE_LENGTH, LINE_HEADER, LINE_NONE } line_kind;

static const char length_name[] = "content-length:";
enum { NAME_BYTES = sizeof length_name - 1 };

static bool names_length(jrpc_slice text)
{
    size_t i = 0;
    while (i < NAME_BYTES && i < text.len &&
           (text.ptr[i] == length_name[i] ||
            (length_name[i] >= 'a' && text.ptr[i] == length_name[i] - 'a' + 'A'))) {
        i++;
    }
    return i == NAME_BYTES;
}

// RFC 9110, section 5.6.2: the visible characters of ASCII but delimiters.
static bool is_token_byte(unsigned char byte)
{
    return byte > ' ' && byte < 0x7F && strchr("\"(),/:;<=>?@[\\]{}", byte) == NULL;
}

static line_kind kind_of(jrpc_slice line)
{
    if (line.len != 0 && line.ptr[line.len - 1] == '\r') {
        line.len--;
    }
    if (line.len == 0) {
        return LINE_END;
    }
    if (names_length(line)) {
        return LINE_LENGTH;
    }
    size_t i = 0;
    while (i < line.len && is_token_byte((unsigned char)line.ptr[i])) {
        i++;
    }
    return i > 0 && i < line.len && line.ptr[i] == ':' ? LINE_HEADER : LINE_NONE;
}

// The number that a header says, as digits without zeros in front; NULL where it says none.
static const char *digits_of(jrpc_slice line, size_t *ret_len)
{
    size_t begin = NAME_BYTES;
    size_t end = line.len;
    end -= end > 0 && line.ptr[end - 1] == '\r' ? 1 : 0;
    while (begin < end && (line.ptr[begin] == ' ' || line.ptr[begin] == '\t')) {
        begin++;
    }
    while (end > begin && (line.ptr[end - 1] == ' ' || line.ptr[end - 1] == '\t')) {
        end--;
    }
    for (size_t i = begin; i < end; i++) {
        if (strchr("0123456789", line.ptr[i]) == NULL || line.ptr[i] == '\0') {
            return NULL;
        }
    }
    if (begin == end) {
        return NULL;
    }
    while (begin + 1 < end && line.ptr[begin] == '0') {
        begin++;
    }
    *ret_len = end - begin;
    return line.ptr + begin;
}

// What a head says: every length in it a number, the same one, and one that 64 bits hold.
static bool length_of(jrpc_slice head, size_t *ret_length)
{
    static const char most[] = "18446744073709551615";
    const char *digits = NULL;
    size_t len = 0;
    for (size_t begin = 0, i = 0; i < head.len; i++) {
        if (head.ptr[i] != '\n') {
            continue;
        }
        jrpc_slice line = jrpc_slice_of(head.ptr + begin, i - begin);
        begin = i + 1;
        size_t said_len = 0;
        const char *said = NULL;
        if (!names_length(line)) {
            continue;
        }
        said = digits_of(line, &said_len);
        if (said == NULL || said_len > sizeof most - 1 ||
            (said_len == sizeof most - 1 && memcmp(said, most, said_len) > 0) ||
            (digits != NULL && (said_len != len || memcmp(said, digits, len) != 0))) {
            return false;
        }
        digits = said;
        len = said_len;
    }
    *ret_length = 0;
    for (size_t i = 0; i < len; i++) {
        *ret_length = *ret_length * 10 + (size_t)(digits[i] - '0');
    }
    return digits != NULL;
}

// Where a length is named directly after a bracket; `text.len` if nowhere.
static size_t after_bracket(jrpc_slice text)
{
    size_t at = 1;
    while (at < text.len && !((text.ptr[at - 1] == '}' || text.ptr[at - 1] == ']') &&
                              names_length(jrpc_slice_from(text, at)))) {
        at++;
    }
    return text.len == 0 ? 0 : at;
}

typedef struct reading {
    frames *list;
    tree_pool *pool;
    jrpc_slice rest;
    bool lost; // a body whose length nobody knows went before: only a length begins a head
} reading;

static void refuse(reading *self, size_t len, jrpc_error_code code)
{
    frames_add(self->list, self->pool, false, jrpc_slice_of(self->rest.ptr, len), code);
    self->rest = jrpc_slice_from(self->rest, len);
}

// The body of a head that was read.
static void take_body(reading *self, size_t length, size_t max_message)
{
    size_t shown = length < max_message ? length : max_message;
    if (self->rest.len < shown) {
        refuse(self, self->rest.len, JRPC_ERROR_SYNTAX);
        return;
    }
    frames_add(self->list, self->pool, shown == length, jrpc_slice_of(self->rest.ptr, shown),
               shown == length ? JRPC_OK : JRPC_ERROR_LIMIT);
    self->rest = jrpc_slice_from(self->rest, length < self->rest.len ? length : self->rest.len);
}

// Reads or refuses what comes next.
static void take_head(reading *self, size_t max_message)
{
    jrpc_slice rest = self->rest;
    bool full = rest.len >= JRPC_LIMIT_HEADER_BYTES;
    jrpc_slice window = jrpc_slice_of(rest.ptr, full ? JRPC_LIMIT_HEADER_BYTES : rest.len);
    for (size_t begin = 0;;) {
        size_t feed = begin;
        while (feed < window.len && window.ptr[feed] != '\n') {
            feed++;
        }
        if (feed == window.len) {
            size_t next = after_bracket(window);
            size_t cut = next < window.len ? next : window.len - KEPT_BYTES;
            self->lost = self->lost || full;
            refuse(self, full ? cut : rest.len, full ? JRPC_ERROR_LIMIT : JRPC_ERROR_SYNTAX);
            return;
        }
        jrpc_slice line = jrpc_slice_of(window.ptr + begin, feed - begin);
        line_kind kind = kind_of(line);
        if (kind == LINE_NONE || (kind == LINE_HEADER && begin == 0 && self->lost)) {
            size_t next = after_bracket(line);
            refuse(self, next < line.len ? begin + next : feed + 1, JRPC_ERROR_SYNTAX);
            return;
        }
        if (kind == LINE_END) {
            size_t length;
            self->lost = !length_of(jrpc_slice_of(rest.ptr, feed + 1), &length);
            if (self->lost) {
                refuse(self, feed + 1, JRPC_ERROR_SYNTAX);
                return;
            }
            self->rest = jrpc_slice_from(rest, feed + 1);
            take_body(self, length, max_message);
            return;
        }
        begin = feed + 1;
    }
}

void heads_expected(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message)
{
    reading self = {list, pool, stream, false};
    while (self.rest.len != 0) {
        take_head(&self, max_message);
    }
}
