#include "harness/live/scan.h"

#include "reference/json/equal.h"

#include <string.h>
#include <strings.h>

// Above these sizes a refusal is justified by limits that the specifications leave to
// implementations.
#define DEPTH_PLAIN 30u
#define WIDTH_PLAIN 8u
#define TEXT_PLAIN 128u
#define MESSAGE_PLAIN ((size_t)4 << 10)
// Digits that a double keeps.
#define DIGITS_KEPT 15u
// Wider Objects are not searched for duplicate members, but assumed to have some.
#define NAMES_COMPARED 40u

// Whether it is a whole number with few digits, other than -0.
static bool is_short_whole(jrpc_json value, jrpc_slice text)
{
    bool minus = text.ptr[0] == '-';
    return (jrpc_json_flags(value) & JRPC_JSON_FRACTIONAL) == 0 &&
           text.len <= DIGITS_KEPT + (minus ? 1u : 0u) && !(minus && text.ptr[1] == '0');
}

static unsigned scan_number(jrpc_json value)
{
    jrpc_slice text = jrpc_json_spelling(value);
    if (is_short_whole(value, text)) {
        return 0; // the usual case
    }
    size_t digits = 0;
    size_t at = 0;
    for (; at < text.len && text.ptr[at] != 'e' && text.ptr[at] != 'E'; at++) {
        digits += text.ptr[at] >= '0' && text.ptr[at] <= '9';
    }
    size_t exponent = text.len - at;
    bool fraction = (jrpc_json_flags(value) & JRPC_JSON_FRACTIONAL) != 0;
    bool minus_zero = text.len > 1 && text.ptr[0] == '-' && text.ptr[1] == '0';
    bool kept = digits <= DIGITS_KEPT && exponent <= 3;
    int64_t whole;
    bool integer = jrpc_json_int64(value, &whole);
    if (integer && whole <= INT64_C(9007199254740991) && whole >= -INT64_C(9007199254740991)) {
        kept = digits <= 16 && exponent <= 4;
    }
    return (fraction || minus_zero ? JCK_ODD_FRACTION : 0u) | (kept ? 0u : JCK_ODD_NUMBER);
}

static bool names_are_equal(jrpc_json a, jrpc_json b)
{
    bool plain = ((jrpc_json_flags(a) | jrpc_json_flags(b)) & JRPC_JSON_ESCAPED) == 0;
    return plain ? jrpc_slice_equal(jrpc_json_spelling(a), jrpc_json_spelling(b))
                 : jrpc_json_equal(a, b);
}

static bool has_twice(jrpc_json object)
{
    if (jrpc_json_count(object) > NAMES_COMPARED) {
        return true;
    }
    jrpc_json names[NAMES_COMPARED];
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it); count++) {
        for (size_t i = 0; i < count; i++) {
            if (jrpc_json_count(names[i]) == jrpc_json_count(it.key) &&
                names_are_equal(names[i], it.key)) {
                return true;
            }
        }
        names[count] = it.key;
    }
    return false;
}

static unsigned scan_node(jrpc_json value)
{
    unsigned flags = jrpc_json_flags(value);
    switch (jrpc_json_kind_of(value)) {
    case JRPC_JSON_NUMBER:
        return scan_number(value);
    case JRPC_JSON_STRING:
        return ((flags & (JRPC_JSON_LONE_SURROGATE | JRPC_JSON_HAS_NUL)) != 0 ? JCK_ODD_STRING
                                                                              : 0u) |
               (jrpc_json_count(value) > TEXT_PLAIN ? JCK_ODD_SIZE : 0u);
    case JRPC_JSON_OBJECT:
        return (has_twice(value) ? JCK_ODD_TWICE : 0u) |
               (jrpc_json_count(value) > WIDTH_PLAIN ? JCK_ODD_SIZE : 0u);
    case JRPC_JSON_ARRAY:
        return jrpc_json_count(value) > WIDTH_PLAIN ? JCK_ODD_SIZE : 0u;
    case JRPC_JSON_NONE:
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
        break;
    }
    return 0;
}

// How deep the brackets of a value nest.
static size_t depth_of(jrpc_slice text)
{
    size_t depth = 0;
    size_t deepest = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '[' || c == '{') {
            depth++;
            deepest = depth > deepest ? depth : deepest;
        } else if (c == ']' || c == '}') {
            depth--;
        } else {
            quoted = c == '"';
        }
    }
    return deepest;
}

unsigned jck_scan_value(jrpc_json value)
{
    if (!jrpc_json_exists(value)) {
        return 0;
    }
    jrpc_slice text = jrpc_json_spelling(value);
    unsigned odd = text.len > MESSAGE_PLAIN ? JCK_ODD_SIZE : 0u;
    uint32_t end = value.document->nodes[value.index].next;
    size_t containers = 0;
    for (jrpc_json at = value; at.index < end; at.index++) {
        odd |= scan_node(at);
        containers += jrpc_json_kind_of(at) >= JRPC_JSON_ARRAY ? 1 : 0;
    }
    bool deep = containers > DEPTH_PLAIN && depth_of(text) > DEPTH_PLAIN;
    return odd | (deep ? JCK_ODD_DEPTH : 0u);
}

// Whether an id may come back as another value: a Number that a double does not keep, or a String
// with a lone surrogate, for which UTF-8 has no bytes.
static bool is_loose_id(jrpc_json id)
{
    if (jrpc_json_is(id, JRPC_JSON_STRING)) {
        return (jrpc_json_flags(id) & JRPC_JSON_LONE_SURROGATE) != 0;
    }
    if (!jrpc_json_is(id, JRPC_JSON_NUMBER)) {
        return false;
    }
    unsigned odd = scan_number(id);
    jrpc_slice text = jrpc_json_spelling(id);
    if (jrpc_json_is_integer(id) && (odd & JCK_ODD_NUMBER) == 0) {
        int64_t whole; // 1e23 has one digit, and no double is that number
        return !jrpc_json_int64(id, &whole);
    }
    bool halves = text.len < 12 && text.len > 2 && text.ptr[text.len - 2] == '.' &&
                  (text.ptr[text.len - 1] == '5' || text.ptr[text.len - 1] == '0');
    return (odd & JCK_ODD_NUMBER) != 0 ||
           ((odd & JCK_ODD_FRACTION) != 0 && !halves && !jrpc_json_is_integer(id));
}

// Whether a name is a known one in other cases of letters.
static bool is_cased(jrpc_json key, const jrpc_slice *known, size_t count)
{
    jrpc_slice name = jrpc_slice_inside(jrpc_json_spelling(key));
    bool cased = false;
    for (size_t i = 0; i < count && !cased && name.ptr != NULL; i++) {
        cased = name.len == known[i].len && strncasecmp(name.ptr, known[i].ptr, name.len) == 0;
    }
    return cased;
}

unsigned jck_scan_message(jrpc_json message)
{
    static const jrpc_slice known[] = {JRPC_SLICE_INIT("jsonrpc"), JRPC_SLICE_INIT("method"),
                                       JRPC_SLICE_INIT("params"), JRPC_SLICE_INIT("id")};
    enum { KNOWN = sizeof known / sizeof *known };
    unsigned odd = jck_scan_value(message);
    if (!jrpc_json_is(message, JRPC_JSON_OBJECT)) {
        return odd;
    }
    unsigned seen = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(message); jrpc_json_step(&it);) {
        size_t i = 0;
        while (i < KNOWN && !jrpc_json_string_is(it.key, known[i])) {
            i++;
        }
        if (i == KNOWN && is_cased(it.key, known, KNOWN)) {
            odd |= JCK_ODD_REQUEST; // section 2 only says that names should be told apart by case
        }
        odd |= i == KNOWN ? JCK_ODD_MEMBER : (seen & 1u << i) != 0 ? JCK_ODD_REQUEST : 0u;
        seen |= 1u << i;
    }
    return odd | (is_loose_id(jrpc_json_get(message, "id")) ? JCK_ODD_ID : 0u);
}
