#include "reference/adapter/lenient.h"

#include "reference/base/limits.h"

static bool take_any(jrpc_lenient *in, const char *const *texts)
{
    for (size_t i = 0; texts[i] != NULL; i++) {
        if (jrpc_lenient_take(in, texts[i])) {
            return true;
        }
    }
    return false;
}

static bool take_comment(jrpc_lenient *in)
{
    bool open = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_OPEN_COMMENTS);
    if ((jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LINE_COMMENTS) && jrpc_lenient_take(in, "//")) ||
        (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_HASH_COMMENTS) && jrpc_lenient_take(in, "#"))) {
        jrpc_lenient_skip_to(in, "\n");
        return true;
    }
    if ((open || jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_BLOCK_COMMENTS)) &&
        jrpc_lenient_take(in, "/*")) {
        while (in->p < in->end && !jrpc_lenient_take(in, "*/")) {
            in->p++;
        }
        return open || in->p[-1] == '/';
    }
    return false;
}

static bool take_odd_space(jrpc_lenient *in)
{
    static const char *const ascii[] = {"\f", "\v", "\x7F", "\\n", NULL};
    static const char *const unicode[] = {
        "\xC2\xA0", "\xE2\x80\xA8", "\xE2\x80\x8B", "\xE2\x81\xA0", "\xE3\x80\x80", "\xEF\xBB\xBF",
        NULL};
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_NUL_AS_SPACE) && jrpc_lenient_peek(in) == '\0') {
        in->p++;
        return true;
    }
    return (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_OTHER_SPACE) && take_any(in, ascii)) ||
           (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_UNICODE_SPACE) && take_any(in, unicode)) ||
           take_comment(in);
}

bool jrpc_lenient_space(jrpc_lenient *in)
{
    for (;;) {
        int c = jrpc_lenient_peek(in);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            bool inner = in->depth > 0;
            if ((jrpc_lenient_has(in, JRPC_FAULT_REFUSES_TAB) && c == '\t') ||
                (jrpc_lenient_has(in, JRPC_FAULT_REFUSES_RETURN) && c == '\r') ||
                (jrpc_lenient_has(in, JRPC_FAULT_REFUSES_INNER_SPACE) && inner) ||
                (jrpc_lenient_has(in, JRPC_FAULT_REFUSES_LEADING_SPACE) && !inner && !in->behind) ||
                (jrpc_lenient_has(in, JRPC_FAULT_REFUSES_TRAILING_SPACE) && in->behind)) {
                return false;
            }
            in->p++;
        } else if (!take_odd_space(in)) {
            return true;
        }
    }
}

bool jrpc_lenient_value(jrpc_lenient *in)
{
    if (!jrpc_lenient_space(in)) {
        return false;
    }
    int c = jrpc_lenient_peek(in);
    bool round = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_ROUND_BRACKETS);
    if (jrpc_lenient_is_quote(in)) {
        return jrpc_lenient_string(in) && jrpc_lenient_put(in, false);
    }
    if (c == '[' || (round && (c == '(' || c == '<'))) {
        return jrpc_lenient_array(in);
    }
    if (c == '{') {
        return jrpc_lenient_object(in);
    }
    bool sign = c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9');
    const char *begin = in->p;
    if (sign && jrpc_lenient_number(in)) {
        return true;
    }
    in->p = begin;
    return jrpc_lenient_word(in);
}

// What may follow the value, under a fault.
static bool take_rest(jrpc_lenient *in)
{
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_TRAILING_BYTES)) {
        return true;
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_SURPLUS_CLOSE)) {
        while (in->p < in->end && (*in->p == ']' || *in->p == '}')) {
            in->p++;
        }
    }
    size_t kept = in->out->len;
    while (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_TWO_VALUES) && in->p < in->end &&
           jrpc_lenient_value(in) && jrpc_lenient_space(in)) {
        jrpc_buffer_truncate(in->out, kept);
    }
    return in->p == in->end;
}

static bool read_text(jrpc_lenient *in)
{
    bool blank = jrpc_lenient_has(in, JRPC_FAULT_EMPTY_AS_NULL);
    if (blank || jrpc_lenient_has(in, JRPC_FAULT_IGNORES_BOM)) {
        (void)jrpc_lenient_take(in, "\xEF\xBB\xBF");
    }
    if (!jrpc_lenient_space(in)) {
        return false;
    }
    if ((blank && in->p == in->end) ||
        (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_SURPLUS_CLOSE) &&
         (jrpc_lenient_take(in, "]") || jrpc_lenient_take(in, "}")))) {
        return jrpc_buffer_append_str(in->out, "null");
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LEADING_COMMA)) {
        (void)jrpc_lenient_take(in, ",");
    }
    bool container = jrpc_lenient_peek(in) == '[' || jrpc_lenient_peek(in) == '{';
    if ((jrpc_lenient_has(in, JRPC_FAULT_REFUSES_TOP_SCALAR) && !container) ||
        !jrpc_lenient_value(in)) {
        return false;
    }
    in->behind = true;
    return jrpc_lenient_space(in) && take_rest(in);
}

bool jrpc_lenient_read(jrpc_parser_fault fault, jrpc_slice text, jrpc_buffer *out)
{
    const char *begin = text.len == 0 ? "" : text.ptr;
    jrpc_lenient in = {
        .fault = fault, .begin = begin, .p = begin, .end = begin + text.len, .out = out};
    jrpc_buffer_init(&in.content, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    bool done = read_text(&in) && !out->failed && !in.content.failed;
    jrpc_buffer_done(&in.content);
    return done;
}
