// Readers that accept what is not JSON: RFC 8259.
#include "reference/json/read.h"
#include "reference/json/scan.h"
#include "reference/server/lenient.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
    return is_letter(c) || jrpc_scan_is_digit(c) || c == '_' || c == '$';
}

static char at_or_nul(jrpc_slice text, size_t at)
{
    return at < text.len ? text.ptr[at] : '\0';
}

static size_t skip_space(jrpc_slice text, size_t at)
{
    while (at < text.len && jrpc_scan_is_space(text.ptr[at])) {
        at++;
    }
    return at;
}

static size_t drop_trailing_comma(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    (void)out;
    char next = at_or_nul(text, skip_space(text, at + 1));
    return text.ptr[at] == ',' && (next == ']' || next == '}') ? 1 : 0;
}

static size_t line_end(jrpc_slice text, size_t at)
{
    while (at < text.len && text.ptr[at] != '\n') {
        at++;
    }
    return at;
}

static size_t block_end(jrpc_slice text, size_t at)
{
    for (size_t i = at + 2; i + 1 < text.len; i++) {
        if (text.ptr[i] == '*' && text.ptr[i + 1] == '/') {
            return i + 2;
        }
    }
    return text.len;
}

static size_t skip_comment(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    char c = text.ptr[at];
    char next = at_or_nul(text, at + 1);
    size_t end = at;
    if (c == '/' && next == '*') {
        end = block_end(text, at);
    } else if (c == '#' || (c == '/' && next == '/')) {
        end = line_end(text, at);
    }
    if (end > at) {
        jrpc_buffer_append_char(out, ' ');
    }
    return end - at;
}

static void strip_everywhere(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < text->len;) {
        char c = text->ptr[i];
        char next = at_or_nul(*text, i + 1);
        if (c == '/' && next == '*') {
            i = block_end(*text, i);
        } else if (c == '#' || (c == '/' && next == '/')) {
            while (i < text->len && text->ptr[i] != '"') {
                i++;
            }
        } else {
            jrpc_buffer_append_char(&out, c);
            i++;
        }
    }
    *text = jrpc_buffer_slice(&out);
}

static size_t single_quoted(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    if (text.ptr[at] != '\'') {
        return 0;
    }
    jrpc_buffer_append_char(out, '"');
    size_t i = at + 1;
    for (; i < text.len && text.ptr[i] != '\''; i++) {
        if (text.ptr[i] == '\\' && i + 1 < text.len) {
            i++;
            jrpc_buffer_append_str(out, text.ptr[i] == '\'' ? "" : "\\");
        } else if (text.ptr[i] == '"') {
            jrpc_buffer_append_char(out, '\\');
        }
        jrpc_buffer_append_char(out, text.ptr[i]);
    }
    jrpc_buffer_append_char(out, '"');
    return (i < text.len ? i + 1 : i) - at;
}

static size_t bare_name(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t before = at;
    while (before > 0 && jrpc_scan_is_space(text.ptr[before - 1])) {
        before--;
    }
    if (!is_word(text.ptr[at]) || before == 0 ||
        (text.ptr[before - 1] != '{' && text.ptr[before - 1] != ',')) {
        return 0;
    }
    size_t end = at;
    while (end < text.len && is_word(text.ptr[end])) {
        end++;
    }
    if (at_or_nul(text, skip_space(text, end)) != ':') {
        return 0;
    }
    jrpc_buffer_append_char(out, '"');
    jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, end - at));
    jrpc_buffer_append_char(out, '"');
    return end - at;
}

static bool begins_caseless(jrpc_slice word, const char *lower)
{
    size_t len = strlen(lower);
    for (size_t i = 0; i < len; i++) {
        if (i >= word.len || (word.ptr[i] | 0x20) != lower[i]) {
            return false;
        }
    }
    return true;
}

static size_t any_literal(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    if (!is_letter(text.ptr[at]) || (at > 0 && is_word(text.ptr[at - 1]))) {
        return 0;
    }
    size_t end = at;
    while (end < text.len && is_letter(text.ptr[end])) {
        end++;
    }
    jrpc_slice word = jrpc_slice_of(text.ptr + at, end - at);
    const char *literal = begins_caseless(word, "true")    ? "true"
                          : begins_caseless(word, "false") ? "false"
                                                           : "null";
    jrpc_buffer_append_str(out, literal);
    return end - at;
}

static bool is_number(jrpc_slice token)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool valid = jrpc_json_read(&document, token, 0, NULL);
    jrpc_json_document_done(&document);
    return valid;
}

static bool is_wide_digit(jrpc_slice text, size_t at)
{
    return at + 2 < text.len && memcmp(text.ptr + at, "\xEF\xBC", 2) == 0 &&
           (unsigned char)text.ptr[at + 2] >= 0x90 && (unsigned char)text.ptr[at + 2] <= 0x99;
}

static size_t any_base(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t first = text.ptr[at] == '-' ? at + 1 : at;
    char before = at == 0 ? ' ' : text.ptr[at - 1];
    if (is_word(before) || before == '.' || before == '+' || before == '-' ||
        (!jrpc_scan_is_digit(at_or_nul(text, first)) && !is_wide_digit(text, first))) {
        return 0;
    }
    size_t end = first;
    for (bool more = true; more && end < text.len;) {
        char c = text.ptr[end];
        bool sign = (c == '+' || c == '-') && (text.ptr[end - 1] | 0x20) == 'e';
        size_t wide = is_wide_digit(text, end) ? 3 : 0;
        more = is_word(c) || c == '.' || sign || wide > 0;
        end += more ? (wide > 0 ? wide : 1) : 0;
    }
    jrpc_slice token = jrpc_slice_of(text.ptr + at, end - at);
    jrpc_buffer_append(out, is_number(token) ? token : JRPC_SLICE("0"));
    return end - at;
}

static size_t leading_zero(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = jrpc_lenient_number_run(text, at);
    size_t digits = at;
    if (len > 0 && text.ptr[at] == '-') {
        jrpc_buffer_append_char(out, '-');
        digits++;
    }
    size_t begin = digits;
    while (begin + 1 < at + len && text.ptr[begin] == '0' &&
           jrpc_scan_is_digit(text.ptr[begin + 1])) {
        begin++;
    }
    jrpc_buffer_append(out, jrpc_slice_of(text.ptr + begin, at + len - begin));
    return len;
}

static size_t leading_plus(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = jrpc_lenient_number_run(text, at);
    size_t begin = at;
    while (begin < at + len && text.ptr[begin] == '+') {
        begin++;
    }
    jrpc_buffer_append(out, jrpc_slice_of(text.ptr + begin, at + len - begin));
    return len;
}

static size_t digits_end(jrpc_slice text, size_t at, size_t end)
{
    while (at < end && jrpc_scan_is_digit(text.ptr[at])) {
        at++;
    }
    return at;
}

static size_t bare_fraction(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = jrpc_lenient_number_run(text, at);
    size_t end = at + len;
    size_t i = at;
    if (len > 0 && text.ptr[i] == '-') {
        jrpc_buffer_append_char(out, '-');
        i++;
    }
    size_t point = digits_end(text, i, end);
    if (len == 0 || point == end || text.ptr[point] != '.') {
        jrpc_buffer_append(out, jrpc_slice_of(text.ptr + i, end - i));
        return len;
    }
    jrpc_buffer_append_str(out, point == i ? "0" : "");
    jrpc_buffer_append(out, jrpc_slice_of(text.ptr + i, point + 1 - i));
    size_t rest = digits_end(text, point + 1, end);
    jrpc_buffer_append_str(out, rest == point + 1 ? "0" : "");
    jrpc_buffer_append(out, jrpc_slice_of(text.ptr + point + 1, rest - point - 1));
    while (rest < end && text.ptr[rest] == '.') {
        rest = digits_end(text, rest + 1, end);
    }
    jrpc_buffer_append(out, jrpc_slice_of(text.ptr + rest, end - rest));
    return len;
}

static size_t any_exponent(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = jrpc_lenient_number_run(text, at);
    jrpc_slice token = jrpc_slice_of(text.ptr + at, len);
    if (len > 0 && !is_number(token)) {
        token.len = 0;
        while (token.len < len && (token.ptr[token.len] | 0x20) != 'e') {
            token.len++;
        }
    }
    jrpc_buffer_append(out, token);
    return len;
}

static size_t lone_minus(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    char before = at == 0 ? ' ' : text.ptr[at - 1];
    if (text.ptr[at] != '-' || is_word(before) || jrpc_scan_is_digit(at_or_nul(text, at + 1))) {
        return 0;
    }
    size_t end = at;
    while (end < text.len && (text.ptr[end] == '-' || text.ptr[end] == ' ' ||
                              is_letter(text.ptr[end]) || jrpc_scan_is_digit(text.ptr[end]))) {
        end++;
    }
    jrpc_buffer_append_char(out, '0');
    return end - at;
}

static size_t more_space(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    static const jrpc_slice spaces[] = {
        JRPC_SLICE_INIT("\v"),           JRPC_SLICE_INIT("\f"),
        JRPC_SLICE_INIT("\xC2\xA0"),     JRPC_SLICE_INIT("\xE2\x80\xA8"),
        JRPC_SLICE_INIT("\xE2\x80\x8B"), JRPC_SLICE_INIT("\0"),
        JRPC_SLICE_INIT("\xEF\xBB\xBF")};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (jrpc_slice_starts_with(jrpc_slice_from(text, at), spaces[i])) {
            jrpc_buffer_append_char(out, ' ');
            return spaces[i].len;
        }
    }
    return 0;
}

static size_t escape_controls(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    unsigned char c = (unsigned char)text.ptr[at];
    if (c >= 0x20) {
        return 0;
    }
    jrpc_buffer_printf(out, "\\u%04x", c);
    return 1;
}

static bool is_hex4(jrpc_slice text, size_t at)
{
    return at + 4 <= text.len && jrpc_scan_hex_pair(text.ptr + at) >= 0 &&
           jrpc_scan_hex_pair(text.ptr + at + 2) >= 0;
}

static size_t loose_escape(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    char next = at_or_nul(text, at + 1);
    if (text.ptr[at] != '\\' || (next == 'u' && is_hex4(text, at + 2)) ||
        (next != '\0' && strchr("\"\\/bfnrt", next) != NULL)) {
        return 0;
    }
    if (next == '\n') {
        jrpc_buffer_append_str(out, "\\n");
        return 2;
    }
    return 1;
}

// Outside of a string an escape is what it stands for, if that is ASCII.
static size_t escape_outside(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    if (text.ptr[at] != '\\') {
        return 0;
    }
    if (at_or_nul(text, at + 1) == 'u' && is_hex4(text, at + 2) && text.ptr[at + 2] == '0' &&
        text.ptr[at + 3] == '0' && text.ptr[at + 4] == '3' &&
        jrpc_scan_is_digit(text.ptr[at + 5])) {
        // The digits, which are what can stand outside of a string and be JSON again.
        jrpc_buffer_append_char(out, '0');
        return 6;
    }
    return 1;
}

static const jrpc_fault outside_of_escapes = {.step = escape_outside};

static void loose_escapes(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_lenient_inside(bend, text);
    jrpc_bend outside = *bend;
    outside.fault = &outside_of_escapes;
    jrpc_lenient_outside(&outside, text);
}

static void first_value(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, bend->connection->server->allocator);
    jrpc_error error;
    jrpc_error_clear(&error);
    if (!jrpc_json_read(&document, *text, bend->connection->server->max_depth, &error) &&
        error.code == JRPC_ERROR_SYNTAX && error.offset < text->len) {
        jrpc_slice prefix = jrpc_slice_of(text->ptr, error.offset);
        if (jrpc_json_read(&document, prefix, bend->connection->server->max_depth, NULL)) {
            *text = prefix;
        }
    }
    jrpc_json_document_done(&document);
}

static void skip_marks(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_slice mark = JRPC_SLICE("\xEF\xBB\xBF");
    bool some = jrpc_slice_starts_with(*text, mark);
    while (jrpc_slice_starts_with(*text, mark)) {
        *text = jrpc_slice_from(*text, mark.len);
    }
    if (some && text->len == 0) {
        bend->connection->mute = true;
    }
}

#define OUTSIDE(function) .text = jrpc_lenient_outside, .step = function
#define STRUCTURE(mistake) .text = jrpc_lenient_structure, .number = mistake

static const jrpc_fault rows[] = {
    {JRPC_ROW("lenient-truncated", "JS-trunc",
              "where reading fails at the end of the text: a cut string is closed (an unfinished "
              "escape in it is dropped), a cut literal is completed (nul to null), a cut number "
              "loses what is not a number at its end (1e to 1, - to 0), a member name without "
              "value gets null, a comma at the end is dropped, then every open bracket and brace "
              "is closed in order; the result is served"),
     STRUCTURE(JRPC_LENIENT_TRUNCATED)},
    {JRPC_ROW("lenient-brackets", "JS-bracket",
              "outside of strings any of ] and } closes the innermost open array or object, "
              "whichever it is; those that are missing at the end are supplied, those that close "
              "nothing are dropped; the result is served"),
     STRUCTURE(JRPC_LENIENT_BRACKETS)},
    {JRPC_ROW("lenient-trailing-comma", "JS-comma",
              "outside of strings a comma directly before (white space aside) ] or } is dropped"),
     OUTSIDE(drop_trailing_comma)},
    {JRPC_ROW("lenient-commas", "JS-comma",
              "outside of strings commas that separate nothing (leading, doubled, alone, trailing) "
              "are dropped, a missing comma between two values or members is supplied, and ; (also "
              ": inside of an array) counts as a comma"),
     STRUCTURE(JRPC_LENIENT_COMMAS)},
    {JRPC_ROW("lenient-colons", "JS-colon",
              "after a member name any run of : = and , counts as one colon; a value directly "
              "behind the name gets its colon; where } follows instead of a value, the value is "
              "null ({\"a\"} and {\"a\":} are {\"a\":null})"),
     STRUCTURE(JRPC_LENIENT_COLONS)},
    {JRPC_ROW("lenient-single-quotes", "JS-singlequote",
              "strings may stand in single quotes, as values and as names"),
     OUTSIDE(single_quoted)},
    {JRPC_ROW("lenient-bare-keys", "JS-barekey",
              "a member name may be any run of letters, digits, _ and $ without quotation marks "
              "({a:1}, {1:1}, {null:1})"),
     OUTSIDE(bare_name)},
    {JRPC_ROW("lenient-literals", "JS-literal",
              "a run of letters in the place of a value is a literal: true and false in any case "
              "(also truee), everything else (NULL, None, nil, undefined, Inf, abc) is null"),
     OUTSIDE(any_literal)},
    {JRPC_ROW("lenient-comments", "JS-comment",
              "outside of strings /* … */ (also one that is never closed), // … and # … up to a "
              "line feed or the end are white space"),
     OUTSIDE(skip_comment)},
    {JRPC_ROW("comments-stripped-everywhere", "J2-4e",
              "/* … */ is cut out and // or # cuts the text up to the next quotation mark, also "
              "inside of strings, before the text is read (\"http://a/*b*/#c\" becomes \"http:\")"),
     .text = strip_everywhere},
    {JRPC_ROW("lenient-number-bases", "JS-hex",
              "a token that begins with a digit (also a full-width digit U+FF10..U+FF19, or a "
              "minus and a digit) may go on with any of ASCII letters, digits, _ and .; where it "
              "is not a JSON number it is read as 0 (0x1F, 0o17, 0b101, 1_000, 1a)"),
     OUTSIDE(any_base)},
    {JRPC_ROW("lenient-leading-zero", "JS-leadzero",
              "leading zeros of a number are skipped (01 is 1, -01 is -1, 00 is 0, 00.5 is 0.5; 0 "
              "and 7 digits behind it are the number without the 0)"),
     OUTSIDE(leading_zero)},
    {JRPC_ROW("lenient-leading-plus", "JS-leadplus",
              "plus signs directly before a number are skipped (+1, +-1)"),
     OUTSIDE(leading_plus)},
    {JRPC_ROW("lenient-bare-fraction", "JS-barefraction",
              "digits missing on either side of a decimal point are a 0 (1. is 1.0, .5 is 0.5, "
              "-.5, 1.e2), and a second fraction is dropped (1.2.3 is 1.2)"),
     OUTSIDE(bare_fraction)},
    {JRPC_ROW(
         "lenient-exponent", "JS-exponent",
         "what follows a number's first e or E in a run of digits, e, E, +, - and . is dropped, "
         "with that letter, where it is not a valid exponent (1e, 1e+, 1.5E-, 1eE2, 1e2.5)"),
     OUTSIDE(any_exponent)},
    {JRPC_ROW("lenient-minus", "JS-minus",
              "one or more minus signs that no digit follows directly are read as 0, together with "
              "the spaces, letters and digits behind them (-, --1, - 1, -foo)"),
     OUTSIDE(lone_minus)},
    {JRPC_ROW("lenient-control-characters", "JS-control",
              "raw control characters U+0000..U+001F inside of strings (values, names, ids) are "
              "taken as if they were written as \\u escapes"),
     .text = jrpc_lenient_inside, .step = escape_controls},
    {JRPC_ROW("lenient-escapes", "JS-escape",
              "a backslash that begins no legal escape is dropped, inside of strings and outside "
              "(\\q is q, \\x41 is x41, \\u004 is u004, \\u is u, an escaped raw line feed is \\n; "
              "outside of a string \\u0031 is 0)"),
     .text = loose_escapes, .step = loose_escape},
    {JRPC_ROW("lenient-trailing-bytes", "JS-trailing",
              "reading stops behind the first complete value; all that follows is ignored"),
     .text = first_value},
    {JRPC_ROW("lenient-space", "JS-space",
              "outside of strings U+000B, U+000C, U+00A0, U+2028, U+200B, U+0000 and U+FEFF "
              "between tokens are white space"),
     OUTSIDE(more_space)},
    {JRPC_ROW("bom-ignored", "JS-bom",
              "all byte-order marks (EF BB BF) at the beginning are dropped; a message of nothing "
              "else is answered by nothing"),
     .text = skip_marks},
};

const jrpc_fault_table jrpc_faults_lenient = JRPC_FAULT_TABLE(rows);
