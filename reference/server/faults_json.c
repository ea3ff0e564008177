// Faults in reading strings and numbers, in depth, and in what is echoed: RFC 8259.
#include "reference/json/equal.h"
#include "reference/server/lenient.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 1000, DEEP_ECHO = 32, LONG_NUMBER = 1000, EXPONENT_DIGITS = 5 };

typedef bool node_is(jrpc_slice spelling, const jrpc_json_node *node);

static bool any_node(jrpc_json root, node_is *is)
{
    for (uint32_t i = 0; jrpc_json_exists(root) && i < root.document->count; i++) {
        if (is(jrpc_json_spelling((jrpc_json){root.document, i}), &root.document->nodes[i])) {
            return true;
        }
    }
    return false;
}

static bool is_fraction(jrpc_slice spelling, const jrpc_json_node *node)
{
    (void)spelling;
    return node->kind == JRPC_JSON_NUMBER && (node->flags & JRPC_JSON_FRACTIONAL) != 0;
}

static bool is_long_number(jrpc_slice spelling, const jrpc_json_node *node)
{
    return node->kind == JRPC_JSON_NUMBER && spelling.len > LONG_NUMBER;
}

static bool is_lone(jrpc_slice spelling, const jrpc_json_node *node)
{
    (void)spelling;
    return (node->flags & JRPC_JSON_LONE_SURROGATE) != 0;
}

static bool has_huge_exponent(jrpc_slice spelling, const jrpc_json_node *node)
{
    size_t e = 0;
    while (e < spelling.len && (spelling.ptr[e] | 0x20) != 'e') {
        e++;
    }
    jrpc_slice exponent = jrpc_slice_from(spelling, e + 1);
    if (node->kind != JRPC_JSON_NUMBER || exponent.len == 0 || exponent.ptr[0] == '-') {
        return false;
    }
    return exponent.len - (exponent.ptr[0] == '+') > EXPONENT_DIGITS;
}

static bool has_fraction(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)kind;
    return any_node(root, is_fraction);
}

static bool has_long_number(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)kind;
    return any_node(root, is_long_number);
}

static bool has_lone_surrogate(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind)
{
    (void)bend;
    (void)kind;
    return any_node(root, is_lone);
}

static void hang(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind)
{
    (void)kind;
    if (!any_node(root, has_huge_exponent)) {
        return;
    }
    // No events asked for: poll reports only that the other side has gone, or that we stop.
    struct pollfd entries[2] = {{.fd = bend->connection->input},
                                {.fd = bend->connection->server->stop_fd, .events = POLLIN}};
    while (poll(entries, 2, -1) < 0 && errno == EINTR) {
    }
    bend->connection->mute = true;
    bend->connection->closing = true;
}

// How deep brackets and braces outside of strings nest, also in text that is not JSON.
static size_t depth_of(jrpc_slice text)
{
    size_t depth = 0;
    size_t deepest = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '"') {
            i = jrpc_bend_string_end(text, i) - 1;
        } else if (c == '[' || c == '{') {
            depth++;
            deepest = depth > deepest ? depth : deepest;
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return deepest;
}

static void crash_on_depth(jrpc_bend *bend, jrpc_slice *text)
{
    (void)bend;
    if (depth_of(*text) > DEEP) {
        abort();
    }
}

static void silent_on_depth(jrpc_bend *bend, jrpc_slice *text)
{
    if (depth_of(*text) > DEEP_ECHO) {
        *text = JRPC_SLICE("[]");
        bend->connection->mute = true;
    }
}

// Drops a line that looks like a comment of some language.
static void drop_comment(jrpc_bend *bend, jrpc_slice *text)
{
    static const char *const marks[] = {"#", "//", ";", "--", "%"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (jrpc_slice_starts_with(*text, jrpc_slice_str(marks[i]))) {
            *text = JRPC_SLICE("[]");
            bend->connection->mute = true;
            return;
        }
    }
}

static jrpc_slice cut_depth(jrpc_bend *bend, jrpc_slice result)
{
    if (!jrpc_bend_calls(bend, "\"echo\"")) {
        return result;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    size_t depth = 0;
    for (size_t i = 0; i < result.len;) {
        char c = result.ptr[i];
        size_t end = c == '"' ? jrpc_bend_string_end(result, i) : i + 1;
        depth += c == '[' || c == '{';
        if (depth <= DEEP_ECHO) {
            jrpc_buffer_append(&out, jrpc_slice_of(result.ptr + i, end - i));
        } else if (depth == DEEP_ECHO + 1 && (c == '[' || c == '{')) {
            jrpc_buffer_append_str(&out, "null");
        }
        depth -= c == ']' || c == '}';
        i = end;
    }
    return jrpc_buffer_slice(&out);
}

static void number_as_string(jrpc_slice number, jrpc_buffer *out)
{
    jrpc_buffer_append_char(out, '"');
    jrpc_buffer_append(out, number);
    jrpc_buffer_append_char(out, '"');
}

static void number_through_double(jrpc_slice number, jrpc_buffer *out)
{
    char spelling[512];
    size_t len = number.len < sizeof spelling - 1 ? number.len : sizeof spelling - 1;
    memcpy(spelling, number.ptr, len);
    spelling[len] = '\0';
    char text[64];
    (void)snprintf(text, sizeof text, "%.17g", strtod(spelling, NULL));
    jrpc_buffer_append_str(out, text);
}

static void big_number_null(jrpc_slice number, jrpc_buffer *out)
{
    bool big = jrpc_json_number_compare(number, JRPC_SLICE("9007199254740992")) > 0 ||
               jrpc_json_number_compare(number, JRPC_SLICE("-9007199254740992")) < 0;
    jrpc_buffer_append(out, big ? JRPC_SLICE("null") : number);
}

static void (*const number_writers[])(jrpc_slice number, jrpc_buffer *out) = {
    number_as_string, number_through_double, big_number_null};

// Every number of an echoed value goes through the writer of the row's `number`.
static jrpc_slice rewrite_numbers(jrpc_bend *bend, jrpc_slice result)
{
    if (!jrpc_bend_calls(bend, "\"echo\"")) {
        return result;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < result.len;) {
        size_t end = result.ptr[i] == '"' ? jrpc_bend_string_end(result, i) : i + 1;
        size_t run = result.ptr[i] == '"' ? 0 : jrpc_lenient_number_run(result, i);
        if (run > 0) {
            number_writers[bend->fault->number](jrpc_slice_of(result.ptr + i, run), &out);
            end = i + run;
        } else {
            jrpc_buffer_append(&out, jrpc_slice_of(result.ptr + i, end - i));
        }
        i = end;
    }
    return jrpc_buffer_slice(&out);
}

static void first_members(jrpc_buffer *out, jrpc_json object, bool inside)
{
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        bool again = false;
        for (jrpc_json_iterator earlier = jrpc_json_iterate(object);
             jrpc_json_step(&earlier) && earlier.key.index < it.key.index;) {
            again = again || jrpc_json_equal(earlier.key, it.key);
        }
        if (again) {
            continue;
        }
        jrpc_buffer_append_char(out, count++ == 0 ? '{' : ',');
        jrpc_buffer_append(out, jrpc_json_spelling(it.key));
        jrpc_buffer_append_char(out, ':');
        if (!inside && jrpc_json_is(it.value, JRPC_JSON_OBJECT) &&
            jrpc_json_string_is(it.key, JRPC_SLICE("params"))) {
            first_members(out, it.value, true); // one level: never deeper
        } else {
            jrpc_buffer_append(out, jrpc_json_spelling(it.value));
        }
    }
    jrpc_buffer_append_str(out, count == 0 ? "{}" : "}");
}

static void first_of_duplicates(jrpc_bend *bend, jrpc_message *message)
{
    if (jrpc_json_is(message->value, JRPC_JSON_OBJECT)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        first_members(&out, message->value, false);
        jrpc_bend_respell(bend, message, jrpc_buffer_slice(&out));
    }
}

static void append_as_spelled(jrpc_buffer *out, jrpc_json object, bool is_message)
{
    bool first = true;
    jrpc_buffer_append_str(out, "{");
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it); first = false) {
        jrpc_slice name = jrpc_json_spelling(it.key);
        bool escaped = (jrpc_json_flags(it.key) & JRPC_JSON_ESCAPED) != 0;
        bool version = is_message && jrpc_json_string_is(it.key, JRPC_SLICE("jsonrpc")) &&
                       (jrpc_json_flags(it.value) & JRPC_JSON_ESCAPED) != 0;
        jrpc_buffer_append_str(out, first ? "\"" : ",\"");
        jrpc_buffer_append_str(out, escaped ? "\\\\" : ""); // so that it is not a known name
        jrpc_buffer_append(out, jrpc_slice_from(name, 1));
        jrpc_buffer_append_str(out, version ? ":\"\\\\" : ":");
        if (is_message && jrpc_json_string_is(it.key, JRPC_SLICE("params")) &&
            jrpc_json_is(it.value, JRPC_JSON_OBJECT)) {
            append_as_spelled(out, it.value, false);
        } else {
            jrpc_slice value = jrpc_json_spelling(it.value);
            jrpc_buffer_append(out, jrpc_slice_from(value, version ? 1 : 0));
        }
    }
    jrpc_buffer_append_str(out, "}");
}

static void as_spelled(jrpc_bend *bend, jrpc_message *message)
{
    if (jrpc_json_is(message->value, JRPC_JSON_OBJECT)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        append_as_spelled(&out, message->value, true);
        jrpc_bend_respell(bend, message, jrpc_buffer_slice(&out));
    }
}

static size_t cut_at_nul(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    (void)out;
    if (!jrpc_slice_starts_with(jrpc_slice_from(text, at), JRPC_SLICE("\\u0000"))) {
        return 0;
    }
    size_t end = at;
    while (end < text.len && text.ptr[end] != '"') {
        end += text.ptr[end] == '\\' && end + 1 < text.len ? 2 : 1;
    }
    return end - at;
}

static unsigned hex4(jrpc_slice text, size_t at)
{
    char digits[5] = {0};
    if (at + 6 > text.len || text.ptr[at] != '\\' || text.ptr[at + 1] != 'u') {
        return 0;
    }
    memcpy(digits, text.ptr + at + 2, 4);
    return (unsigned)strtoul(digits, NULL, 16);
}

// The bytes of an escaped surrogate pair at `at` (12), of one without a partner (6), or 0.
static size_t surrogate(jrpc_slice text, size_t at)
{
    unsigned first = hex4(text, at);
    unsigned second = hex4(text, at + 6);
    if (first < 0xD800 || first > 0xDFFF) {
        return 0;
    }
    return first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF ? 12 : 6;
}

static size_t replace_lone(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = surrogate(text, at);
    jrpc_buffer_append(out, len == 6 ? JRPC_SLICE("\\uFFFD") : jrpc_slice_of(text.ptr + at, len));
    return len;
}

// Writes the escaped surrogate at `at` as its three bytes of generalized UTF-8.
static void write_raw(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    unsigned unit = hex4(text, at);
    const char raw[] = {(char)0xED, (char)(0x80 | (unit >> 6 & 0x3F)),
                        (char)(0x80 | (unit & 0x3F))};
    jrpc_buffer_append(out, jrpc_slice_of(raw, sizeof raw));
}

static size_t write_lone_raw(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = surrogate(text, at);
    if (len == 6) {
        write_raw(text, at, out);
    } else {
        jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, len));
    }
    return len;
}

static size_t write_pair_raw(jrpc_slice text, size_t at, jrpc_buffer *out)
{
    size_t len = surrogate(text, at);
    if (len == 12) {
        write_raw(text, at, out);
        write_raw(text, at + 6, out);
    } else {
        jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, len));
    }
    return len;
}

static bool lenient_outgoing(jrpc_bend *bend, jrpc_slice *payload)
{
    jrpc_lenient_inside(bend, payload);
    return true;
}

static void refuse_controls(jrpc_bend *bend, jrpc_slice *text)
{
    (void)bend;
    for (size_t i = 0; i < text->len; i++) {
        jrpc_slice rest = jrpc_slice_from(*text, i);
        bool c1 = rest.len >= 2 && rest.ptr[0] == '\xC2' && (unsigned char)rest.ptr[1] < 0xA0;
        if (rest.ptr[0] == '\x7F' || c1 ||
            jrpc_slice_starts_with(rest, JRPC_SLICE("\xE2\x80\xA8")) ||
            jrpc_slice_starts_with(rest, JRPC_SLICE("\xE2\x80\xA9"))) {
            *text = JRPC_SLICE("!");
            return;
        }
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("numbers-integers-only", "JS-number",
              "a number with a fraction or an exponent is a parse error"),
     JRPC_ROW_INPUT(has_fraction, JRPC_DEED_PARSE_ERROR)},
    {JRPC_ROW("crash-on-long-number", "JS-number",
              "abort() where a number token is longer than 1000 bytes"),
     JRPC_ROW_INPUT(has_long_number, JRPC_DEED_CRASH)},
    {JRPC_ROW("long-number-silent", "JS-number",
              "a text with a number token longer than 1000 bytes is answered by nothing"),
     JRPC_ROW_INPUT(has_long_number, JRPC_DEED_SILENCE)},
    {JRPC_ROW("surrogate-silent", "JS-surrogate",
              "a text that has an escaped surrogate without its partner anywhere is answered by "
              "nothing"),
     JRPC_ROW_INPUT(has_lone_surrogate, JRPC_DEED_SILENCE)},
    {JRPC_ROW(
         "hang-on-huge-exponent", "JS-number",
         "where a number has an exponent of more than five digits that is not negative, the server "
         "never answers again (a loop that ends only with its input closed or a signal)"),
     .input = hang},
    {JRPC_ROW("crash-on-depth", "JS-depth",
              "abort() where brackets and braces outside of strings nest deeper than 1000 (counted "
              "over the bytes, also in text that is not JSON)"),
     .text = crash_on_depth},
    {JRPC_ROW("depth-silent", "JS-depth",
              "a text whose brackets and braces outside of strings nest deeper than 32 is answered "
              "by nothing"),
     .text = silent_on_depth},
    {JRPC_ROW("comment-lines-dropped", "JS-comment",
              "a text that begins with # // ; -- or % is answered by nothing"),
     .text = drop_comment},
    {JRPC_ROW("depth-cut", "JS-depth",
              "what nests deeper than 32 in an echoed value (echo) is written as null"),
     JRPC_ROW_RESULT(cut_depth)},
    {JRPC_ROW("echo-numbers-as-strings", "JS-number",
              "each number in an echoed value (echo) is written as a String of its spelling"),
     JRPC_ROW_RESULT(rewrite_numbers), .number = 0},
    {JRPC_ROW(
         "params-through-double", "JS-number",
         "each number in an echoed value (echo) is written as printf(\"%.17g\") of its double"),
     JRPC_ROW_RESULT(rewrite_numbers), .number = 1},
    {JRPC_ROW(
         "params-big-number-null", "JS-number",
         "each number in an echoed value (echo) with a magnitude over 2^53 is written as null"),
     JRPC_ROW_RESULT(rewrite_numbers), .number = 2},
    {JRPC_ROW("duplicates-first-wins", "JS-dup",
              "of members with the same name (after unescaping) the first counts: jsonrpc, method, "
              "params, id, and parameters by name"),
     .message = first_of_duplicates},
    {JRPC_ROW("names-compared-as-spelled", "JS-spelling",
              "the member names jsonrpc, method, params, id, parameter names and the version "
              "\"2.0\" are compared with the spelling in the text, escapes not resolved "
              "(\"\\u0069d\" is an unknown member, \"\\u0032.0\" another version)"),
     .message = as_spelled},
    {JRPC_ROW("nul-cut-strings", "JS-nul",
              "each string, value or member name, ends at its first escaped \\u0000: that and all "
              "behind it up to the closing quotation mark is dropped before the text is read"),
     .text = jrpc_lenient_inside, .step = cut_at_nul},
    {JRPC_ROW("surrogate-replaced", "JS-surrogate",
              "an escaped surrogate without its partner is read as U+FFFD"),
     .text = jrpc_lenient_inside, .step = replace_lone},
    {JRPC_ROW("surrogate-written-raw", "J2-5j",
              "an escaped surrogate without its partner in an id or an echoed value is written as "
              "its three bytes of generalized UTF-8"),
     .outgoing = lenient_outgoing, .step = write_lone_raw},
    {JRPC_ROW("pair-written-raw", "J2-5j",
              "an escaped surrogate pair in an id or an echoed value is written as two times three "
              "bytes of generalized UTF-8"),
     .outgoing = lenient_outgoing, .step = write_pair_raw},
    {JRPC_ROW("control-check-too-wide", "J2-4e",
              "U+007F..U+009F, U+2028 and U+2029 raw inside of a string are a parse error"),
     .text = refuse_controls},
};

const jrpc_fault_table jrpc_faults_json = JRPC_FAULT_TABLE(rows);
