#include "reference/json/value.h"

#include "reference/json/content.h"
#include "reference/json/scan.h"

void jrpc_json_document_init(jrpc_json_document *document, const jrpc_allocator *allocator)
{
    *document = (jrpc_json_document){.allocator = allocator};
}

void jrpc_json_document_done(jrpc_json_document *document)
{
    if (document->nodes != NULL) {
        jrpc_deallocate(document->allocator, document->nodes);
    }
    *document = (jrpc_json_document){.allocator = document->allocator};
}

jrpc_json_iterator jrpc_json_iterate(jrpc_json container)
{
    jrpc_json_kind kind = jrpc_json_kind_of(container);
    if (kind != JRPC_JSON_ARRAY && kind != JRPC_JSON_OBJECT) {
        return (jrpc_json_iterator){.left = 0};
    }
    return (jrpc_json_iterator){
        .document = container.document,
        .next = container.index + 1,
        .left = jrpc_json_count(container),
        .members = kind == JRPC_JSON_OBJECT,
    };
}

bool jrpc_json_step(jrpc_json_iterator *iterator)
{
    if (iterator->left == 0) {
        iterator->key = JRPC_JSON_ABSENT;
        iterator->value = JRPC_JSON_ABSENT;
        return false;
    }
    iterator->left--;
    uint32_t index = iterator->next;
    if (iterator->members) {
        iterator->key = (jrpc_json){iterator->document, index};
        index++;
    }
    iterator->value = (jrpc_json){iterator->document, index};
    iterator->next = iterator->document->nodes[index].next;
    return true;
}

// Most names differ in length, which is seen without a call.
static bool is_named(jrpc_json key, jrpc_slice name)
{
    return jrpc_json_count(key) == name.len && jrpc_json_string_is(key, name);
}

jrpc_json jrpc_json_member(jrpc_json object, jrpc_slice name)
{
    if (!jrpc_json_is(object, JRPC_JSON_OBJECT)) {
        return JRPC_JSON_ABSENT;
    }
    // Without an iterator, because few functions are called as often.
    const jrpc_json_node *nodes = object.document->nodes;
    uint32_t found = 0;
    uint32_t key = object.index + 1;
    for (uint32_t left = nodes[object.index].count; left > 0; left--) {
        if (nodes[key].count == name.len &&
            jrpc_json_string_is((jrpc_json){object.document, key}, name)) {
            found = key + 1;
        }
        key = nodes[key + 1].next;
    }
    return found == 0 ? JRPC_JSON_ABSENT : (jrpc_json){object.document, found};
}

jrpc_json jrpc_json_get(jrpc_json object, const char *name)
{
    return jrpc_json_member(object, jrpc_slice_str(name));
}

uint32_t jrpc_json_member_occurrences(jrpc_json object, jrpc_slice name)
{
    uint32_t occurrences = 0;
    if (!jrpc_json_is(object, JRPC_JSON_OBJECT)) {
        return 0;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        occurrences += is_named(it.key, name) ? 1 : 0;
    }
    return occurrences;
}

jrpc_json jrpc_json_element(jrpc_json array, uint32_t index)
{
    if (!jrpc_json_is(array, JRPC_JSON_ARRAY) || index >= jrpc_json_count(array)) {
        return JRPC_JSON_ABSENT;
    }
    uint32_t at = array.index + 1;
    while (index-- > 0) {
        at = array.document->nodes[at].next;
    }
    return (jrpc_json){array.document, at};
}

// RFC 6901 section 4: digits without leading zeros; "-" names the element after the last, which is
// not there.
static bool read_index(jrpc_slice token, uint32_t *ret_index)
{
    if (token.len == 0 || (token.len > 1 && token.ptr[0] == '0')) {
        return false;
    }
    uint64_t index = 0;
    for (size_t i = 0; i < token.len; i++) {
        if (!jrpc_scan_is_digit(token.ptr[i])) {
            return false;
        }
        index = index * 10 + (uint64_t)(token.ptr[i] - '0');
        if (index > UINT32_MAX) {
            return false;
        }
    }
    *ret_index = (uint32_t)index;
    return true;
}

// Whether a member name is what a reference token means: ~1 is a slash, ~0 a tilde, ~ before
// anything else an error (RFC 6901 section 3).
static bool name_is_token(jrpc_json name, jrpc_slice token)
{
    jrpc_json_content content = jrpc_json_content_of(name);
    for (size_t i = 0; i < token.len; i++) {
        int wanted = (unsigned char)token.ptr[i];
        if (wanted == '~') {
            i++;
            if (i == token.len || (token.ptr[i] != '0' && token.ptr[i] != '1')) {
                return false;
            }
            wanted = token.ptr[i] == '0' ? '~' : '/';
        }
        if (jrpc_json_content_next(&content) != wanted) {
            return false;
        }
    }
    return jrpc_json_content_next(&content) < 0;
}

static jrpc_json follow_token(jrpc_json value, jrpc_slice token)
{
    jrpc_json found = JRPC_JSON_ABSENT;
    uint32_t index;
    if (jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return read_index(token, &index) ? jrpc_json_element(value, index) : found;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        if (name_is_token(it.key, token)) {
            found = it.value;
        }
    }
    return found;
}

jrpc_json jrpc_json_pointer(jrpc_json value, jrpc_slice pointer)
{
    while (pointer.len > 0 && jrpc_json_exists(value)) {
        if (pointer.ptr[0] != '/') {
            return JRPC_JSON_ABSENT;
        }
        pointer = jrpc_slice_from(pointer, 1);
        const char *slash = pointer.len == 0 ? NULL : memchr(pointer.ptr, '/', pointer.len);
        size_t len = slash == NULL ? pointer.len : (size_t)(slash - pointer.ptr);
        value = follow_token(value, jrpc_slice_of(pointer.ptr, len));
        pointer = jrpc_slice_from(pointer, len);
    }
    return value;
}

bool jrpc_json_string_reads(jrpc_json string, jrpc_slice content)
{
    if ((jrpc_json_flags(string) & JRPC_JSON_ESCAPED) == 0) {
        return content.len == 0 ||
               memcmp(jrpc_json_spelling(string).ptr + 1, content.ptr, content.len) == 0;
    }
    jrpc_json_content walk = jrpc_json_content_of(string);
    for (size_t i = 0; i < content.len; i++) {
        if (jrpc_json_content_next(&walk) != (unsigned char)content.ptr[i]) {
            return false;
        }
    }
    return true;
}

bool jrpc_json_string(jrpc_json string, jrpc_arena *arena, jrpc_slice *ret_content)
{
    if (!jrpc_json_is(string, JRPC_JSON_STRING)) {
        return false;
    }
    size_t len = jrpc_json_count(string);
    if ((jrpc_json_flags(string) & JRPC_JSON_ESCAPED) == 0) {
        *ret_content = jrpc_slice_of(jrpc_json_spelling(string).ptr + 1, len);
        return true;
    }
    char *bytes = jrpc_arena_alloc(arena, len);
    if (bytes == NULL) {
        return false;
    }
    jrpc_json_content walk = jrpc_json_content_of(string);
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)(unsigned char)jrpc_json_content_next(&walk);
    }
    *ret_content = jrpc_slice_of(bytes, len);
    return true;
}
