// A JSON document as read: nothing lost, nothing converted.
//
// A document is one array of nodes in document order over the source text. A node knows where its
// spelling stands, so numbers keep their digits, strings their escapes, objects their duplicate
// members and their order. A value is a handle of two words: pass it by value. Handles, spans and
// spellings stay valid as long as both the document and the text it was read from.
#ifndef JRPC_JSON_VALUE_H
#define JRPC_JSON_VALUE_H

#include "reference/base/allocator.h"
#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jrpc_json_kind {
    JRPC_JSON_NONE = 0, // no value: an absent member, an error
    JRPC_JSON_NULL,
    JRPC_JSON_FALSE,
    JRPC_JSON_TRUE,
    JRPC_JSON_NUMBER,
    JRPC_JSON_STRING,
    JRPC_JSON_ARRAY,
    JRPC_JSON_OBJECT,
} jrpc_json_kind;

enum {
    JRPC_JSON_ESCAPED = 1,        // a string whose spelling holds a backslash
    JRPC_JSON_LONE_SURROGATE = 2, // a string with an escaped surrogate that has no partner
    JRPC_JSON_HAS_NUL = 4,        // a string with U+0000
    JRPC_JSON_FRACTIONAL = 8,     // a number spelled with a fraction or an exponent
};

typedef struct jrpc_json_node {
    uint32_t begin; // byte offset of the value's first byte in the text
    uint32_t end;   // byte offset just after it
    uint32_t count; // elements of an array, members of an object; decoded bytes of a string
    uint32_t next;  // index of the node after this value and everything in it
    uint8_t kind;   // jrpc_json_kind
    uint8_t flags;
} jrpc_json_node;

typedef struct jrpc_json_document {
    const jrpc_allocator *allocator; // borrowed
    jrpc_slice text;                 // borrowed
    jrpc_json_node *nodes;           // owned; an object's members are key node, value subtree, …
    uint32_t count;
    uint32_t capacity;
} jrpc_json_document;

typedef struct jrpc_json {
    const jrpc_json_document *document; // NULL: no value
    uint32_t index;
} jrpc_json;

#define JRPC_JSON_ABSENT ((jrpc_json){NULL, 0})

// An empty document on caller's storage.
void jrpc_json_document_init(jrpc_json_document *document, const jrpc_allocator *allocator);
// Frees the nodes (never the text). Accepts a zeroed document.
void jrpc_json_document_done(jrpc_json_document *document);

// The document's one value; JRPC_JSON_ABSENT before anything was read.
static inline jrpc_json jrpc_json_root(const jrpc_json_document *document)
{
    return document->count == 0 ? JRPC_JSON_ABSENT : (jrpc_json){document, 0};
}

static inline jrpc_json_kind jrpc_json_kind_of(jrpc_json value)
{
    return value.document == NULL ? JRPC_JSON_NONE
                                  : (jrpc_json_kind)value.document->nodes[value.index].kind;
}

static inline bool jrpc_json_is(jrpc_json value, jrpc_json_kind kind)
{
    return jrpc_json_kind_of(value) == kind;
}

static inline bool jrpc_json_exists(jrpc_json value)
{
    return value.document != NULL;
}

// Elements, members, or decoded bytes of a string; 0 for everything else.
static inline uint32_t jrpc_json_count(jrpc_json value)
{
    return value.document == NULL ? 0 : value.document->nodes[value.index].count;
}

static inline unsigned jrpc_json_flags(jrpc_json value)
{
    return value.document == NULL ? 0 : value.document->nodes[value.index].flags;
}

// The value as spelled in the source (a string with its quotes); empty for no value.
static inline jrpc_slice jrpc_json_spelling(jrpc_json value)
{
    if (value.document == NULL) {
        return (jrpc_slice){NULL, 0};
    }
    const jrpc_json_node *node = &value.document->nodes[value.index];
    return (jrpc_slice){value.document->text.ptr + node->begin, node->end - node->begin};
}

// Byte offset of the value in the text it was read from; 0 for no value.
static inline size_t jrpc_json_offset(jrpc_json value)
{
    return value.document == NULL ? 0 : value.document->nodes[value.index].begin;
}

// Walks an array's elements or an object's members in source order, duplicates included:
//   for (jrpc_json_iterator it = jrpc_json_iterate(v); jrpc_json_step(&it);) use(it.key, it.value);
// `key` is JRPC_JSON_ABSENT in arrays. Values that are no container give no steps.
typedef struct jrpc_json_iterator {
    jrpc_json key;
    jrpc_json value;
    const jrpc_json_document *document;
    uint32_t next;
    uint32_t left;
    bool members;
} jrpc_json_iterator;

jrpc_json_iterator jrpc_json_iterate(jrpc_json container);
bool jrpc_json_step(jrpc_json_iterator *iterator);

// The member of an object whose name, escapes resolved, equals `name` byte for byte; of duplicates
// the last one. JRPC_JSON_ABSENT if there is none or `object` is not an object. Linear in the
// members.
jrpc_json jrpc_json_member(jrpc_json object, jrpc_slice name);
// The same for a C string.
jrpc_json jrpc_json_get(jrpc_json object, const char *name);
// How many members have that name.
uint32_t jrpc_json_member_occurrences(jrpc_json object, jrpc_slice name);
// Element `index` of an array (linear); JRPC_JSON_ABSENT past the end or if it is not an array.
jrpc_json jrpc_json_element(jrpc_json array, uint32_t index);
// Follows a JSON Pointer (RFC 6901); "" is the value itself. JRPC_JSON_ABSENT where it leads
// nowhere.
jrpc_json jrpc_json_pointer(jrpc_json value, jrpc_slice pointer);

// Whether the content of a string, which is known to have as many bytes, equals these.
bool jrpc_json_string_reads(jrpc_json string, jrpc_slice content);
// Whether a string's content, escapes resolved, equals these bytes. A lone surrogate compares as
// its three-byte generalized UTF-8 form. False for anything that is not a string.
static inline bool jrpc_json_string_is(jrpc_json string, jrpc_slice content)
{
    // Most differ in length, which is seen without a call.
    return jrpc_json_is(string, JRPC_JSON_STRING) && jrpc_json_count(string) == content.len &&
           jrpc_json_string_reads(string, content);
}
// The string's content, escapes resolved (may hold NUL; lone surrogates in generalized UTF-8).
// Without escapes it is borrowed from the text, else owned by `arena`. False if it is not a string
// or memory is out.
bool jrpc_json_string(jrpc_json string, jrpc_arena *arena, jrpc_slice *ret_content);

// Whether the Number's value is an integer (1.0 and 1e2 are, 1.5 is not).
bool jrpc_json_is_integer(jrpc_json value);
// The value of an integer Number that fits; false (and *ret untouched) otherwise. Never goes
// through a double: 1.0, 1e0 and 10e-1 give 1.
bool jrpc_json_int64(jrpc_json value, int64_t *ret);

#endif
