// Writing what was read gives the same tokens without the white space between them, and reading
// that gives the same values; contents are what the tree model decodes; quoting is undone by
// reading.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

// Looking up is linear: only the first children are looked up, or wide objects would cost too much.
enum { ROOM = 1 << 20, FOUND_MAX = 8 };

// The text without white space outside strings.
static void strip(jrpc_buffer *out, jrpc_slice text)
{
    bool inside = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!inside && strchr(" \t\r\n", c) != NULL) {
            continue;
        }
        FUZZ_REQUIRE(jrpc_buffer_append_char(out, c));
        if (inside && c == '\\') {
            FUZZ_REQUIRE(jrpc_buffer_append_char(out, text.ptr[++i]));
        } else if (c == '"') {
            inside = !inside;
        }
    }
}

static void require_same_tokens(const jrpc_json_document *a, const jrpc_json_document *b)
{
    FUZZ_REQUIRE(a->count == b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const jrpc_json_node *left = &a->nodes[i];
        const jrpc_json_node *right = &b->nodes[i];
        FUZZ_REQUIRE(left->kind == right->kind && left->count == right->count);
        FUZZ_REQUIRE(left->next == right->next && left->flags == right->flags);
        if (left->kind != JRPC_JSON_ARRAY && left->kind != JRPC_JSON_OBJECT) {
            FUZZ_REQUIRE(jrpc_slice_equal(jrpc_json_spelling((jrpc_json){a, i}),
                                          jrpc_json_spelling((jrpc_json){b, i})));
        }
    }
}

static bool has_lone_surrogate(const tree *string)
{
    for (size_t i = 0; i + 1 < string->content.len; i++) {
        if (string->content.ptr[i] == '\xED' && (string->content.ptr[i + 1] & 0x20) != 0) {
            return true;
        }
    }
    return false;
}

// A string as the tree model sees it, and quoted anew.
static void require_string(jrpc_json value, const tree *expected, jrpc_arena *arena)
{
    jrpc_slice content;
    FUZZ_REQUIRE(jrpc_json_string(value, arena, &content));
    FUZZ_REQUIRE(jrpc_slice_equal(content, expected->content));
    FUZZ_REQUIRE(jrpc_json_count(value) == content.len);
    FUZZ_REQUIRE(jrpc_json_string_is(value, content));
    unsigned flags = jrpc_json_flags(value);
    bool nul = content.len != 0 && memchr(content.ptr, 0, content.len) != NULL;
    FUZZ_REQUIRE(((flags & JRPC_JSON_HAS_NUL) != 0) == nul);
    FUZZ_REQUIRE(((flags & JRPC_JSON_LONE_SURROGATE) != 0) == has_lone_surrogate(expected));
    FUZZ_REQUIRE(((flags & JRPC_JSON_ESCAPED) != 0) ==
                 (memchr(expected->spelling.ptr, '\\', expected->spelling.len) != NULL));

    jrpc_buffer quoted;
    jrpc_buffer_init(&quoted, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_json_quote(&quoted, content));
    jrpc_json_document again;
    jrpc_json_document_init(&again, jrpc_allocator_heap());
    FUZZ_REQUIRE(jrpc_json_read(&again, jrpc_buffer_slice(&quoted), 0, NULL));
    FUZZ_REQUIRE(jrpc_json_string_is(jrpc_json_root(&again), content));
    jrpc_json_document_done(&again);
    jrpc_buffer_done(&quoted);
}

static const tree *last_named(const tree *object, jrpc_slice name, uint32_t *ret_count)
{
    const tree *found = NULL;
    *ret_count = 0;
    for (size_t i = 0; i < object->count; i++) {
        if (jrpc_slice_equal(object->names[i]->content, name)) {
            found = object->items[i];
            ++*ret_count;
        }
    }
    return found;
}

// One step of a JSON Pointer (RFC 6901): a name, `~` and `/` escaped.
static void append_step(jrpc_buffer *pointer, jrpc_slice name)
{
    FUZZ_REQUIRE(jrpc_buffer_append_char(pointer, '/'));
    for (size_t i = 0; i < name.len; i++) {
        bool marked = name.ptr[i] == '~' || name.ptr[i] == '/';
        FUZZ_REQUIRE(marked ? jrpc_buffer_append_str(pointer, name.ptr[i] == '~' ? "~0" : "~1")
                            : jrpc_buffer_append_char(pointer, name.ptr[i]));
    }
}

// Child `i` is found by its name or place, and by a pointer.
static void require_found(jrpc_json container, const tree *expected, size_t i)
{
    jrpc_buffer pointer;
    jrpc_buffer_init(&pointer, jrpc_allocator_heap(), ROOM);
    const tree *child = expected->items[i];
    jrpc_json found = jrpc_json_element(container, (uint32_t)i);
    if (expected->kind == 'o') {
        uint32_t count;
        jrpc_slice name = expected->names[i]->content;
        FUZZ_REQUIRE(!jrpc_json_exists(found));
        child = last_named(expected, name, &count);
        found = jrpc_json_member(container, name);
        FUZZ_REQUIRE(jrpc_json_member_occurrences(container, name) == count);
        append_step(&pointer, name);
    } else {
        FUZZ_REQUIRE(jrpc_buffer_printf(&pointer, "/%zu", i));
    }
    jrpc_slice spelling = jrpc_json_spelling(found);
    FUZZ_REQUIRE(spelling.ptr == child->spelling.ptr && spelling.len == child->spelling.len);
    jrpc_json pointed = jrpc_json_pointer(container, jrpc_buffer_slice(&pointer));
    FUZZ_REQUIRE(pointed.document == found.document && pointed.index == found.index);
    jrpc_buffer_done(&pointer);
}

// What a pointer finds (RFC 6901), step by step over the tree: the token is decoded, then looked
// up.
static const tree *pointed(tree_pool *pool, const tree *value, jrpc_slice pointer)
{
    while (pointer.len != 0 && value != NULL) {
        if (pointer.ptr[0] != '/') {
            return NULL;
        }
        char *token = tree_alloc(pool, pointer.len);
        size_t len = 0;
        size_t at = 1;
        bool digits = true;
        for (; at < pointer.len && pointer.ptr[at] != '/'; at++) {
            char byte = pointer.ptr[at];
            if (byte == '~') {
                at++;
                if (at == pointer.len || (pointer.ptr[at] != '0' && pointer.ptr[at] != '1')) {
                    return NULL;
                }
                byte = pointer.ptr[at] == '0' ? '~' : '/';
            }
            digits = digits && byte >= '0' && byte <= '9';
            token[len++] = byte;
        }
        uint32_t count;
        if (value->kind == 'o') {
            value = last_named(value, jrpc_slice_of(token, len), &count);
        } else if (value->kind == 'a' && digits && len != 0 && len < 10 &&
                   (len == 1 || token[0] != '0')) {
            size_t index = 0;
            for (size_t i = 0; i < len; i++) {
                index = index * 10 + (size_t)(token[i] - '0');
            }
            value = index < value->count ? value->items[index] : NULL;
        } else {
            value = NULL;
        }
        pointer = jrpc_slice_from(pointer, at);
    }
    return value;
}

// The text itself, and strings in it, as pointers into it.
static void require_pointers(const jrpc_json_document *document, tree_pool *pool,
                             const tree *expected, jrpc_slice text, jrpc_arena *arena)
{
    jrpc_json root = jrpc_json_root(document);
    size_t tried = 0;
    for (uint32_t i = 0; i <= document->count && tried < FOUND_MAX; i++) {
        jrpc_slice pointer = text;
        if (i != 0) {
            jrpc_json value = {document, i - 1};
            if (!jrpc_json_string(value, arena, &pointer)) {
                continue;
            }
        }
        tried++;
        jrpc_json found = jrpc_json_pointer(root, pointer);
        const tree *wanted = pointed(pool, expected, pointer);
        FUZZ_REQUIRE(jrpc_json_exists(found) == (wanted != NULL));
        FUZZ_REQUIRE(wanted == NULL || jrpc_json_spelling(found).ptr == wanted->spelling.ptr);
    }
    FUZZ_REQUIRE(jrpc_json_member_occurrences(JRPC_JSON_ABSENT, text) == 0);
    FUZZ_REQUIRE(jrpc_json_kind_of(root) == JRPC_JSON_OBJECT ||
                 jrpc_json_member_occurrences(root, text) == 0);
}

// The tree written by the writer's calls: leaves in whichever way there is for them.
static void write_tree(jrpc_json_writer *writer, const tree *value, jrpc_json source)
{
    switch (value->kind) {
    case 'z':
        jrpc_json_write_null(writer);
        return;
    case 'b':
        jrpc_json_write_bool(writer, value->spelling.ptr[0] == 't');
        return;
    case 's':
    case '0':
        jrpc_json_write_value(writer, source);
        return;
    case 'a':
        jrpc_json_write_begin_array(writer);
        break;
    default:
        jrpc_json_write_begin_object(writer);
        break;
    }
    size_t i = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(source); jrpc_json_step(&it); i++) {
        if (value->kind == 'o') {
            jrpc_json_write_key_slice(writer, value->names[i]->content);
        }
        write_tree(writer, value->items[i], it.value);
    }
    if (value->kind == 'a') {
        jrpc_json_write_end_array(writer);
    } else {
        jrpc_json_write_end_object(writer);
    }
}

static void require_written(tree_pool *pool, const tree *expected, jrpc_json root, jrpc_slice text)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, &out);
    write_tree(&writer, expected, root);
    bool fits = grammar_check(text, JRPC_JSON_WRITER_DEPTH).verdict == GRAMMAR_JSON;
    FUZZ_REQUIRE(out.failed == !fits);
    if (fits) {
        jrpc_slice written = jrpc_buffer_slice(&out);
        FUZZ_REQUIRE(grammar_check(written, TREE_DEPTH).verdict == GRAMMAR_JSON);
        FUZZ_REQUIRE(tree_equal(expected, tree_read(pool, written)) != TREE_DIFFERENT);
    }
    jrpc_buffer_done(&out);
}

// A buffer with less room than the text takes is full, at whatever byte that happens.
static void require_full(jrpc_json root, size_t needed, size_t room)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), room % needed);
    FUZZ_REQUIRE(!jrpc_json_compact(&out, root));
    jrpc_buffer_done(&out);
}

static void require_values(jrpc_json value, const tree *expected, jrpc_arena *arena)
{
    static const char kinds[] = {'-', 'z', 'b', 'b', '0', 's', 'a', 'o'};
    FUZZ_REQUIRE(kinds[jrpc_json_kind_of(value)] == expected->kind);
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_json_spelling(value), expected->spelling));
    if (expected->kind == 's') {
        require_string(value, expected, arena);
    }
    size_t i = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it); i++) {
        FUZZ_REQUIRE(i < expected->count);
        if (i < FOUND_MAX) {
            require_found(value, expected, i);
        }
        if (expected->kind == 'o') {
            require_values(it.key, expected->names[i], arena);
        }
        require_values(it.value, expected->items[i], arena);
    }
    FUZZ_REQUIRE(i == expected->count);
}

// What was read, written: the text without its white space, which reads as the same.
static void require_compact(const jrpc_json_document *first, jrpc_slice text, size_t room)
{
    jrpc_buffer stripped;
    jrpc_buffer written;
    jrpc_buffer_init(&stripped, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&written, jrpc_allocator_heap(), ROOM);
    strip(&stripped, text);
    FUZZ_REQUIRE(jrpc_json_compact(&written, jrpc_json_root(first)));
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&stripped), jrpc_buffer_slice(&written)));
    require_full(jrpc_json_root(first), written.len, room);
    jrpc_json_document second;
    jrpc_json_document_init(&second, jrpc_allocator_heap());
    FUZZ_REQUIRE(jrpc_json_read(&second, jrpc_buffer_slice(&written), 1024, NULL));
    require_same_tokens(first, &second);
    FUZZ_REQUIRE(jrpc_json_equal(jrpc_json_root(first), jrpc_json_root(&second)));
    jrpc_json_document_done(&second);
    jrpc_buffer_done(&written);
    jrpc_buffer_done(&stripped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_slice text = input.text;
    jrpc_json_document first;
    jrpc_json_document_init(&first, jrpc_allocator_heap());
    if (jrpc_json_read(&first, text, 1024, NULL)) {
        if (fuzz_turn(&input, 0, 3)) {
            require_compact(&first, text, input.options[0] * (size_t)7);
        }
        if (grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON) {
            tree_pool pool = {NULL};
            jrpc_arena arena;
            jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
            const tree *model = tree_read(&pool, text);
            if (fuzz_turn(&input, 1, 3)) {
                require_values(jrpc_json_root(&first), model, &arena);
                require_pointers(&first, &pool, model, text, &arena);
            }
            if (fuzz_turn(&input, 2, 3)) {
                require_written(&pool, model, jrpc_json_root(&first), text);
            }
            jrpc_arena_done(&arena);
            tree_pool_done(&pool);
        }
    }
    jrpc_json_document_done(&first);
    return 0;
}
