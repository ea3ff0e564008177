#include "reference/json/read_string.h"

#include "reference/base/utf8.h"

typedef struct progress {
    const char *end;
    const char *high_end; // just after an escaped high surrogate that may still get its partner
    uint32_t saved;       // bytes by which the content is shorter than its spelling
    uint32_t lone;        // escaped surrogates without a partner, so far
    uint8_t flags;
    jrpc_json_stop *stop;
} progress;

static const char *stop_at(const progress *in, const char *at, const char *message)
{
    *in->stop = (jrpc_json_stop){at, message};
    return NULL;
}

// RFC 8259 section 7: surrogate pairs are two escapes; one without its partner is kept as the three
// bytes of generalized UTF-8.
static void count_unit(progress *in, const char *escape, unsigned unit)
{
    const uint32_t spelled = 6;
    if (unit >= 0xDC00 && unit <= 0xDFFF && in->high_end == escape) {
        // The pair is four bytes, of which the high half counted three.
        in->saved += spelled - 1;
        in->lone--;
        in->high_end = NULL;
        return;
    }
    in->saved += spelled - (unit < 0x80 ? 1U : unit < 0x800 ? 2U : 3U);
    if (unit >= 0xD800 && unit <= 0xDFFF) {
        in->lone++;
        in->high_end = unit < 0xDC00 ? escape + spelled : NULL;
    } else if (unit == 0) {
        in->flags |= JRPC_JSON_HAS_NUL;
    }
}

// `p` is at the backslash.
static const char *read_escape(progress *in, const char *p)
{
    const char *escape = p++;
    if (p == in->end) {
        return stop_at(in, p, "the text ends inside an escape");
    }
    in->flags |= JRPC_JSON_ESCAPED;
    switch (*p) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        in->saved++;
        return p + 1;
    case 'u':
        break;
    default:
        return stop_at(in, p, "a backslash must be followed by one of \"\\/bfnrtu");
    }
    unsigned unit = 0;
    p++;
    for (int i = 0; i < 4; i++, p++) {
        if (p == in->end) {
            return stop_at(in, p, "the text ends inside an escape");
        }
        int digit = jrpc_scan_hex(*p);
        if (digit < 0) {
            return stop_at(in, p, "\\u must be followed by four hexadecimal digits");
        }
        unit = unit * 16 + (unsigned)digit;
    }
    count_unit(in, escape, unit);
    return p;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

// `p` is at a byte of 0x80 or more. Two- and three-byte sequences, which are most text that is not
// ASCII, are recognized here; the rest, and all errors, by the careful way.
static const char *read_non_ascii(progress *in, const char *p)
{
    while (p != in->end && (unsigned char)*p >= 0x80) {
        unsigned char lead = (unsigned char)*p;
        if (lead >= 0xC2 && lead < 0xE0 && in->end - p >= 2 && is_continuation(p[1])) {
            p += 2;
            continue;
        }
        if (lead > 0xE0 && lead < 0xF0 && lead != 0xED && in->end - p >= 3 &&
            is_continuation(p[1]) && is_continuation(p[2])) {
            p += 3;
            continue;
        }
        size_t viable;
        size_t len = jrpc_utf8_sequence(p, (size_t)(in->end - p), &viable);
        if (len == 0) {
            p += viable;
            return stop_at(in, p,
                           p == in->end ? "the text ends inside a UTF-8 sequence"
                                        : "a string must be valid UTF-8");
        }
        p += len;
    }
    return p;
}

const char *jrpc_json_read_string_rest(const char *base, const char *p, const char *end,
                                       jrpc_json_node *node, jrpc_json_stop *stop)
{
    progress in = {.end = end, .stop = stop};
    for (;;) {
        if (p == end) {
            return stop_at(&in, p, "the text ends inside a string");
        }
        if (*p == '"') {
            break;
        }
        if (*p == '\\') {
            p = read_escape(&in, p);
        } else if ((unsigned char)*p >= 0x80) {
            p = read_non_ascii(&in, p);
        } else {
            return stop_at(&in, p, "a control character in a string must be escaped");
        }
        if (p == NULL) {
            return NULL;
        }
        p = jrpc_scan_plain(p, end);
    }
    uint32_t content = node->begin + 1;
    uint32_t quote = (uint32_t)(p - base);
    node->end = quote + 1;
    node->count = quote - content - in.saved;
    node->kind = JRPC_JSON_STRING;
    node->flags = in.flags;
    if (in.lone > 0) {
        node->flags |= JRPC_JSON_LONE_SURROGATE;
    }
    return p + 1;
}
