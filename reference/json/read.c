#include "reference/json/read.h"

#include "reference/base/checked.h"
#include "reference/base/limits.h"
#include "reference/json/read_string.h"
#include "reference/json/scan.h"

#include <assert.h>

#define NO_PARENT UINT32_MAX
#define SMALL_TEXT_BYTES ((size_t)4096)

// Everything that the main loop does not keep in registers.
typedef struct reader {
    jrpc_json_document *document;
    const char *base;
    const char *end;
    uint32_t max_depth;
    jrpc_error_code code;
    jrpc_json_stop stop;
} reader;

static bool set_stop(reader *in, const char *at, const char *message)
{
    in->code = JRPC_ERROR_SYNTAX;
    in->stop = (jrpc_json_stop){at, message};
    return false;
}

static size_t text_len(const reader *in)
{
    return (size_t)(in->end - in->base);
}

static bool resize_nodes(reader *in, uint32_t capacity)
{
    jrpc_json_document *document = in->document;
    jrpc_json_node *nodes = NULL;
    size_t bytes;
    if (jrpc_checked_multiply(capacity, sizeof *nodes, &bytes)) {
        nodes = jrpc_reallocate(document->allocator, document->nodes, bytes);
    }
    if (nodes == NULL) {
        in->code = JRPC_ERROR_MEMORY;
        in->stop = (jrpc_json_stop){in->base, "there is no memory for the values of this text"};
        return false;
    }
    document->nodes = nodes;
    document->capacity = capacity;
    return true;
}

// In a complete text a value takes two bytes, its own and that of a comma or bracket after it, so
// a small text gets room for all that it can hold; a large one for what is usual.
static bool reserve_nodes(reader *in)
{
    size_t len = text_len(in);
    size_t estimate = len <= SMALL_TEXT_BYTES ? len / 2 + 1 : len / 8;
    return in->document->capacity >= estimate || resize_nodes(in, (uint32_t)estimate);
}

static bool grow_nodes(reader *in)
{
    // Every value has a byte of its own: more nodes than bytes are never needed.
    size_t most = text_len(in);
    uint32_t capacity = in->document->capacity;
    assert(capacity < most);
    return resize_nodes(in, capacity > most / 2 ? (uint32_t)most : capacity * 2);
}

// null, true, false: `word` is known to begin with *p.
static const char *read_literal(reader *in, const char *p, const char *word, size_t len)
{
    if ((size_t)(in->end - p) >= len && memcmp(p, word, len) == 0) {
        return p + len;
    }
    while (p != in->end && *p == *word) {
        p++;
        word++;
    }
    (void)set_stop(in, p,
                   p == in->end ? "the text ends inside a literal"
                                : "a literal must be one of true, false and null");
    return NULL;
}

static const char *no_digit(reader *in, const char *p, const char *message)
{
    (void)set_stop(in, p, p == in->end ? "the text ends inside a number" : message);
    return NULL;
}

// RFC 8259 section 6. What follows the number is the caller's business: in 01 the 1 is what is
// wrong.
static inline const char *read_number(reader *in, const char *p, uint8_t *ret_flags)
{
    const char *end = in->end;
    uint8_t flags = 0;
    if (*p == '-') {
        p++;
    }
    if (p == end || !jrpc_scan_is_digit(*p)) {
        return no_digit(in, p, "a minus sign must be followed by a digit");
    }
    p = *p == '0' ? p + 1 : jrpc_scan_digits(p + 1, end);
    if (p != end && *p == '.') {
        flags = JRPC_JSON_FRACTIONAL;
        p++;
        if (p == end || !jrpc_scan_is_digit(*p)) {
            return no_digit(in, p, "a decimal point must be followed by a digit");
        }
        p = jrpc_scan_digits(p + 1, end);
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
        flags = JRPC_JSON_FRACTIONAL;
        p++;
        if (p != end && (*p == '+' || *p == '-')) {
            p++;
        }
        if (p == end || !jrpc_scan_is_digit(*p)) {
            return no_digit(in, p, "an exponent must have a digit");
        }
        p = jrpc_scan_digits(p + 1, end);
    }
    *ret_flags = flags;
    return p;
}

static bool no_value(reader *in, const char *p)
{
    if (p == in->end) {
        return set_stop(in, p, "the text ends where a value must begin");
    }
    if (p == in->base && (unsigned char)*p == 0xEF) {
        return set_stop(in, p, "the text must not begin with a byte-order mark");
    }
    return set_stop(in, p, "a value must begin here");
}

static bool no_name(reader *in, const char *p, bool first)
{
    if (p == in->end) {
        return set_stop(in, p, "the text ends inside an object");
    }
    return set_stop(in, p,
                    first ? "an object must hold a member name in quotes or end with }"
                          : "a comma in an object must be followed by a member name in quotes");
}

static bool no_colon(reader *in, const char *p)
{
    return set_stop(in, p,
                    p == in->end ? "the text ends inside an object"
                                 : "a colon must follow a member name");
}

static bool no_separator(reader *in, const char *p, bool in_object)
{
    if (p == in->end) {
        return set_stop(
            in, p, in_object ? "the text ends inside an object" : "the text ends inside an array");
    }
    return set_stop(in, p,
                    in_object ? "a comma or } must follow an object member"
                              : "a comma or ] must follow an array element");
}

static bool too_deep(reader *in, const char *p)
{
    in->code = JRPC_ERROR_LIMIT;
    in->stop = (jrpc_json_stop){p, "arrays and objects are nested too deeply"};
    return false;
}

// One pass, one loop (longer than a screen: its states share what must stay in registers): `value`
// reads what may stand where a value must, `after` what may follow one. An open container's parent
// is kept in its own node: `next` is free until the container is closed.
static bool read_nodes(reader *in)
{
    const char *const base = in->base;
    const char *const end = in->end;
    const char *p = base;
    jrpc_json_node *nodes = in->document->nodes;
    jrpc_json_node *node; // the one being read
    uint32_t count = 0;
    uint32_t capacity = in->document->capacity;
    uint32_t parent = NO_PARENT;
    uint32_t depth = 0;
    bool in_object = false;

// A macro, as it changes what the loop keeps in registers.
#define NEXT_NODE()                                                                                \
    do {                                                                                           \
        if (count == capacity) {                                                                   \
            if (!grow_nodes(in)) {                                                                 \
                return false;                                                                      \
            }                                                                                      \
            nodes = in->document->nodes;                                                           \
            capacity = in->document->capacity;                                                     \
        }                                                                                          \
        node = &nodes[count++];                                                                    \
        node->begin = (uint32_t)(p - base);                                                        \
        node->next = count;                                                                        \
    } while (0)

value:
    p = jrpc_scan_space(p, end);
    if (p == end) {
        return no_value(in, p);
    }
    switch (*p) {
    case '"':
        NEXT_NODE();
        p = jrpc_json_read_string(base, end, node, &in->stop);
        if (p == NULL) {
            return false;
        }
        goto after;
    case '{':
    case '[':
        if (depth == in->max_depth) {
            return too_deep(in, p);
        }
        NEXT_NODE();
        in_object = *p == '{';
        node->kind = in_object ? JRPC_JSON_OBJECT : JRPC_JSON_ARRAY;
        node->flags = 0;
        node->count = 0;
        node->next = parent;
        parent = count - 1;
        depth++;
        p = jrpc_scan_space(p + 1, end);
        if (p == end) {
            return no_separator(in, p, in_object);
        }
        if (*p == (in_object ? '}' : ']')) {
            goto close;
        }
        if (!in_object) {
            goto value;
        }
        if (*p != '"') {
            return no_name(in, p, true);
        }
        goto name;
    case 'n':
        NEXT_NODE();
        node->kind = JRPC_JSON_NULL;
        p = read_literal(in, p, "null", 4);
        goto scalar;
    case 't':
        NEXT_NODE();
        node->kind = JRPC_JSON_TRUE;
        p = read_literal(in, p, "true", 4);
        goto scalar;
    case 'f':
        NEXT_NODE();
        node->kind = JRPC_JSON_FALSE;
        p = read_literal(in, p, "false", 5);
    scalar:
        if (p == NULL) {
            return false;
        }
        node->end = (uint32_t)(p - base);
        node->flags = 0;
        node->count = 0;
        goto after;
    default:
        if (*p != '-' && !jrpc_scan_is_digit(*p)) {
            return no_value(in, p);
        }
        NEXT_NODE();
        node->kind = JRPC_JSON_NUMBER;
        node->count = 0;
        p = read_number(in, p, &node->flags);
        if (p == NULL) {
            return false;
        }
        node->end = (uint32_t)(p - base);
        goto after;
    }

name:
    NEXT_NODE();
    p = jrpc_json_read_string(base, end, node, &in->stop);
    if (p == NULL) {
        return false;
    }
    p = jrpc_scan_space(p, end);
    if (p == end || *p != ':') {
        return no_colon(in, p);
    }
    p++;
    goto value;

after:
    if (parent == NO_PARENT) {
        goto finish;
    }
    nodes[parent].count++;
    p = jrpc_scan_space(p, end);
    if (p == end) {
        return no_separator(in, p, in_object);
    }
    if (*p == ',') {
        p++;
        if (!in_object) {
            goto value;
        }
        p = jrpc_scan_space(p, end);
        if (p == end || *p != '"') {
            return no_name(in, p, false);
        }
        goto name;
    }
    if (*p != (in_object ? '}' : ']')) {
        return no_separator(in, p, in_object);
    }

close:
    p++;
    node = &nodes[parent];
    node->end = (uint32_t)(p - base);
    parent = node->next;
    node->next = count;
    depth--;
    in_object = parent != NO_PARENT && nodes[parent].kind == JRPC_JSON_OBJECT;
    goto after;

finish:
#undef NEXT_NODE
    p = jrpc_scan_space(p, end);
    if (p != end) {
        return set_stop(in, p, "nothing but white space may follow the value");
    }
    in->document->count = count;
    return true;
}

bool jrpc_json_read(jrpc_json_document *document, jrpc_slice text, uint32_t max_depth,
                    jrpc_error *error)
{
    const char *base = text.ptr == NULL ? "" : text.ptr;
    document->text = (jrpc_slice){NULL, 0};
    document->count = 0;
    reader in = {
        .document = document,
        .base = base,
        .end = base + text.len,
        .max_depth = max_depth,
        .code = JRPC_ERROR_SYNTAX,
    };
    if (text.len > JRPC_LIMIT_DOCUMENT_BYTES) {
        in.code = JRPC_ERROR_LIMIT;
        in.stop = (jrpc_json_stop){base + JRPC_LIMIT_DOCUMENT_BYTES, "the text is too long"};
    } else if (reserve_nodes(&in) && read_nodes(&in)) {
        document->text = jrpc_slice_of(base, text.len);
        return true;
    }
    if (error != NULL && error->code == JRPC_OK) {
        (void)jrpc_error_set(error, in.code, "%s", in.stop.message);
        error->offset = (size_t)(in.stop.at - base);
    }
    return false;
}
