#include "harness/schema/pattern.h"

#include "reference/base/buffer.h"
#include "reference/json/scan.h"

#include <regex.h>
#include <stdbool.h>
#include <string.h>

#define PATTERN_BYTES ((size_t)1000)
#define TEXT_BYTES ((size_t)1 << 20)
// The product of all counted repetitions, which the size of the matcher grows with.
#define REPEATS_MAX 2000

typedef struct translating {
    jrpc_slice in;
    size_t at;
    jrpc_buffer out;
    unsigned repeats;
    bool understood;
} translating;

static char peek(const translating *self, size_t ahead)
{
    return self->at + ahead < self->in.len ? self->in.ptr[self->at + ahead] : '\0';
}

static void put(translating *self, const char *text)
{
    (void)jrpc_buffer_append_str(&self->out, text);
}

static void put_char(translating *self, char c)
{
    (void)jrpc_buffer_append_char(&self->out, c);
}

static void put_literal(translating *self, char c)
{
    if (strchr(".[]()*+?{}|^$\\", c) != NULL) {
        put_char(self, '\\');
    }
    put_char(self, c);
}

// What a class such as \d stands for between brackets; NULL for another letter.
static const char *class_of(char letter)
{
    switch (letter) {
    case 'd':
        return "0-9";
    case 'w':
        return "A-Za-z0-9_";
    case 's':
        return " \t\n\v\f\r";
    default:
        return NULL;
    }
}

// A character that an escape stands for; '\0' for none that is known here.
static char escaped(char letter)
{
    static const char letters[] = "tnvfr";
    static const char meant[] = "\t\n\v\f\r";
    const char *known = strchr(letters, letter);
    bool plain = letter == ' ' || (letter > ' ' && strchr("/-_,:;!\"#%&'<>=@`~", letter) != NULL) ||
                 strchr(".[]()*+?{}|^$\\", letter) != NULL;
    if (letter == '\0') {
        return '\0';
    }
    return known != NULL ? meant[known - letters] : plain ? letter : '\0';
}

static void translate_escape(translating *self)
{
    char letter = peek(self, 1);
    const char *class = class_of(letter);
    const char *negated = letter >= 'A' && letter <= 'Z' ? class_of((char)(letter + 32)) : NULL;
    if (class != NULL || negated != NULL) {
        put(self, negated != NULL ? "[^" : "[");
        put(self, negated != NULL ? negated : class);
        put(self, "]");
    } else if (escaped(letter) != '\0') {
        put_literal(self, escaped(letter));
    } else {
        self->understood = false;
    }
    self->at += 2;
}

// Which special characters a bracket has: between the brackets of POSIX a backslash is an ordinary
// character, and so are ], ^ and -, but each only in one place, where translate_bracket puts it.
typedef struct bracket {
    bool closing, caret, dash;
} bracket;

// One character or range of a bracket.
static void translate_member(translating *self, bracket *seen)
{
    char c = peek(self, 0);
    size_t length = 1;
    if (c == '\\') {
        const char *class = class_of(peek(self, 1));
        length = 2;
        if (class != NULL) {
            put(self, class);
            self->at += length;
            return;
        }
        c = escaped(peek(self, 1));
    }
    bool range = peek(self, length) == '-' && peek(self, length + 1) != ']';
    bool special = c == ']' || c == '^' || c == '-' || c == '[';
    bool named = c == '[' && strchr(".:=", peek(self, length)) != NULL;
    if (c == '\0' || named || (special && range) || (range && peek(self, length + 1) == '\\')) {
        self->understood = false; // \S, a class of POSIX, a range from or to such a character
        self->at += length;
        return;
    }
    seen->closing = seen->closing || c == ']';
    seen->caret = seen->caret || c == '^';
    seen->dash = seen->dash || c == '-';
    if (c != ']' && c != '^' && c != '-') {
        put_char(self, c);
    }
    if (range) {
        put_char(self, '-');
        put_char(self, peek(self, length + 1));
        length += 2;
    }
    self->at += length;
}

static void translate_bracket(translating *self)
{
    jrpc_buffer around = self->out;
    bracket seen = {false, false, false};
    jrpc_buffer_init(&self->out, around.allocator, 8 * PATTERN_BYTES);
    self->at++;
    bool negated = peek(self, 0) == '^';
    self->at += negated ? 1 : 0;
    while (self->understood && self->at < self->in.len && peek(self, 0) != ']') {
        translate_member(self, &seen);
    }
    jrpc_buffer inside = self->out;
    self->out = around;
    bool others = inside.len > 0 || seen.closing || seen.dash;
    // POSIX has no [], which matches nothing, and no [^], which matches anything.
    self->understood = self->understood && self->at < self->in.len && (others || seen.caret);
    if (seen.caret && !others && !negated) {
        put(self, "\\^");
    } else {
        put(self, negated ? "[^" : "[");
        put(self, seen.closing ? "]" : seen.dash ? "-" : "");
        (void)jrpc_buffer_append(&self->out, jrpc_buffer_slice(&inside));
        put(self, seen.caret ? "^" : "");
        put(self, seen.closing && seen.dash ? "-]" : "]");
    }
    jrpc_buffer_done(&inside);
    self->at++;
}

// {n}, {n,} or {n,m}; anything else is not understood.
static void translate_braces(translating *self)
{
    size_t end = self->at + 1;
    unsigned numbers[2] = {0, 0};
    size_t number = 0;
    bool digits = false;
    for (; end < self->in.len && self->in.ptr[end] != '}'; end++) {
        char c = self->in.ptr[end];
        bool digit = jrpc_scan_is_digit(c);
        if (c == ',' && number == 0 && digits) {
            number = 1;
            continue;
        }
        if (!digit || numbers[number] > REPEATS_MAX) {
            self->understood = false;
            return;
        }
        digits = true;
        numbers[number] = numbers[number] * 10 + (unsigned)(c - '0');
    }
    unsigned most = numbers[0] > numbers[1] ? numbers[0] : numbers[1];
    self->repeats *= most > 1 ? most : 1;
    self->understood = digits && end < self->in.len && self->repeats <= REPEATS_MAX &&
                       peek(self, end + 1 - self->at) != '?';
    (void)jrpc_buffer_append(&self->out,
                             jrpc_slice_of(self->in.ptr + self->at, end + 1 - self->at));
    self->at = end + 1;
}

static void translate_one(translating *self)
{
    char c = peek(self, 0);
    switch (c) {
    case '\\':
        translate_escape(self);
        return;
    case '[':
        translate_bracket(self);
        return;
    case '{':
        translate_braces(self);
        return;
    case '(':
        put_char(self, c);
        self->at += 1;
        if (peek(self, 0) == '?') {
            self->understood = peek(self, 1) == ':';
            self->at += 2;
        }
        return;
    case '*':
    case '+':
    case '?':
        self->understood = peek(self, 1) != '?';
        break;
    case '.':
        put(self, "[^\n\r]"); // as in ECMA 262
        self->at += 1;
        return;
    default:
        break;
    }
    put_char(self, c);
    self->at += 1;
}

static bool is_ascii(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\0' || (unsigned char)text.ptr[i] > 0x7e) {
            return false;
        }
    }
    return true;
}

// Runs a pattern of POSIX; both are NUL-terminated.
static jck_found run(const char *pattern, const char *text)
{
    regex_t matcher;
    if (regcomp(&matcher, pattern, REG_EXTENDED | REG_NOSUB) != 0) {
        return JCK_FOUND_UNSURE;
    }
    int result = regexec(&matcher, text, 0, NULL, 0);
    regfree(&matcher);
    return result == 0 ? JCK_FOUND : result == REG_NOMATCH ? JCK_FOUND_NOT : JCK_FOUND_UNSURE;
}

jck_found jck_pattern_find(jrpc_slice pattern, jrpc_slice text)
{
    if (pattern.len == 0) {
        return JCK_FOUND;
    }
    if (pattern.len > PATTERN_BYTES || text.len > TEXT_BYTES || !is_ascii(pattern) ||
        !is_ascii(text)) {
        return JCK_FOUND_UNSURE;
    }
    translating self = {.in = pattern, .repeats = 1, .understood = true};
    jrpc_buffer copy;
    jrpc_buffer_init(&self.out, jrpc_allocator_heap(), 8 * PATTERN_BYTES);
    jrpc_buffer_init(&copy, jrpc_allocator_heap(), TEXT_BYTES + 1);
    while (self.understood && self.at < pattern.len) {
        translate_one(&self);
    }
    bool ready = self.understood && jrpc_buffer_append_char(&self.out, '\0') &&
                 jrpc_buffer_append(&copy, text) && jrpc_buffer_append_char(&copy, '\0');
    jck_found found = ready ? run(self.out.ptr, copy.ptr) : JCK_FOUND_UNSURE;
    jrpc_buffer_done(&copy);
    jrpc_buffer_done(&self.out);
    return found;
}
