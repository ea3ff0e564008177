// A stream of operations on a buffer, an arena, a router's methods and a decoder, each beside a
// model that any reader can check: an array of bytes, a list of blocks, a list of names.
//
// Every operation is a byte that says what, a byte that says how much, and as many bytes as that.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/rpc/router.h"

#include <inttypes.h>
#include <stdio.h>
#include <wchar.h>

enum {
    BUFFER_MAXIMUM = 300,
    ARENA_LIMIT = 4096,
    NAMES = 40,
    BLOCKS = 64,
    UNSPEAKABLE = 0x7FFFFFFF
};

typedef struct models {
    jrpc_buffer buffer;
    char bytes[BUFFER_MAXIMUM];
    size_t len;
    bool failed;

    jrpc_arena arena;
    jrpc_failing_allocator failing;
    jrpc_slice blocks[BLOCKS]; // each filled with its own number
    size_t block_count;
    size_t taken; // bytes of the arena's limit

    jrpc_router *router;
    jrpc_slice names[NAMES];
    size_t name_count;
    tree_pool pool;
} models;

static void require_buffer(models *m)
{
    FUZZ_REQUIRE(m->buffer.failed == m->failed);
    FUZZ_REQUIRE(m->buffer.len == m->len && m->buffer.len <= BUFFER_MAXIMUM);
    FUZZ_REQUIRE(m->buffer.len <= m->buffer.capacity || m->buffer.len == 0);
    FUZZ_REQUIRE(m->len == 0 || memcmp(m->buffer.ptr, m->bytes, m->len) == 0);
}

static void append(models *m, jrpc_slice bytes)
{
    bool fits = !m->failed && bytes.len <= BUFFER_MAXIMUM - m->len;
    FUZZ_REQUIRE(jrpc_buffer_append(&m->buffer, bytes) == fits);
    if (fits && bytes.len != 0) {
        memcpy(m->bytes + m->len, bytes.ptr, bytes.len);
        m->len += bytes.len;
    }
    m->failed = !fits;
}

static void require_number(int64_t number)
{
    char expected[24];
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), sizeof expected);
    (void)snprintf(expected, sizeof expected, "%" PRId64, number);
    FUZZ_REQUIRE(jrpc_buffer_append_number(&out, number) &&
                 jrpc_slice_is(jrpc_buffer_slice(&out), expected));
    jrpc_buffer_done(&out);
}

static void append_printed(models *m, size_t number)
{
    const int64_t numbers[] = {(int64_t)number, -(int64_t)number, INT64_MIN + (int64_t)number,
                               INT64_MAX - (int64_t)number};
    require_number(numbers[m->len % 4]);
    require_number(numbers[(m->len + 2) % 4]);
    char text[32];
    int len = snprintf(text, sizeof text, "<%zu>", number);
    bool fits = !m->failed && (size_t)len <= BUFFER_MAXIMUM - m->len;
    FUZZ_REQUIRE(jrpc_buffer_printf(&m->buffer, "<%zu>", number) == fits);
    if (fits) {
        memcpy(m->bytes + m->len, text, (size_t)len);
        m->len += (size_t)len;
    }
    m->failed = !fits;
}

static void reserve(models *m, jrpc_slice bytes)
{
    char *room = NULL;
    bool fits = !m->failed && bytes.len <= BUFFER_MAXIMUM - m->len;
    FUZZ_REQUIRE(jrpc_buffer_reserve(&m->buffer, bytes.len, &room) == fits);
    if (fits && bytes.len != 0) {
        memcpy(room, bytes.ptr, bytes.len);
        jrpc_buffer_grew(&m->buffer, bytes.len);
        memcpy(m->bytes + m->len, bytes.ptr, bytes.len);
        m->len += bytes.len;
    }
    m->failed = !fits;
}

static void consume(models *m, size_t wanted)
{
    size_t bytes = wanted < m->len ? wanted : m->len;
    jrpc_buffer_consume(&m->buffer, bytes);
    memmove(m->bytes, m->bytes + bytes, m->len - bytes);
    m->len -= bytes;
}

static void truncate_to(models *m, size_t wanted)
{
    m->len = wanted < m->len ? wanted : m->len;
    jrpc_buffer_truncate(&m->buffer, m->len);
}

static void clear(models *m)
{
    jrpc_buffer_clear(&m->buffer);
    m->len = 0;
    m->failed = false;
}

static void require_blocks(const models *m)
{
    for (size_t i = 0; i < m->block_count; i++) {
        // Its first byte is right, and each byte is as the one before it.
        const jrpc_slice block = m->blocks[i];
        FUZZ_REQUIRE(block.len == 0 || (unsigned char)block.ptr[0] == i + 1);
        FUZZ_REQUIRE(block.len < 2 || memcmp(block.ptr, block.ptr + 1, block.len - 1) == 0);
    }
    FUZZ_REQUIRE(m->arena.used <= ARENA_LIMIT);
}

static void allocate(models *m, size_t size)
{
    if (m->block_count == BLOCKS) {
        return;
    }
    const size_t alignment = _Alignof(max_align_t);
    size_t left = ARENA_LIMIT - m->taken;
    char *block = jrpc_arena_alloc(&m->arena, size);
    FUZZ_REQUIRE(block != NULL ? size <= left : size > left || m->failing.remaining == 0);
    if (block == NULL) {
        return;
    }
    FUZZ_REQUIRE((uintptr_t)block % alignment == 0);
    for (size_t i = 0; i < size; i++) {
        FUZZ_REQUIRE(block[i] == 0);
    }
    memset(block, (int)m->block_count + 1, size);
    m->blocks[m->block_count++] = jrpc_slice_of(block, size);
    // Rounding up takes of the limit, but refuses nothing that fits.
    size_t units = size == 0 ? 1 : (size + alignment - 1) / alignment;
    size_t rounded = units * alignment;
    m->taken += rounded < left ? rounded : left;
}

static void clear_arena(models *m)
{
    jrpc_arena_clear(&m->arena);
    m->block_count = 0;
    m->taken = 0;
}

static bool answer_index(void *context, jrpc_call *call)
{
    jrpc_json_write_int(call->result, (int64_t)((const jrpc_slice *)context)->len);
    return true;
}

static size_t find_name(const models *m, jrpc_slice name)
{
    size_t i = 0;
    while (i < m->name_count && !jrpc_slice_equal(m->names[i], name)) {
        i++;
    }
    return i;
}

static void add_method(models *m, jrpc_slice bytes)
{
    if (m->name_count == NAMES) {
        return;
    }
    char *name = tree_alloc(&m->pool, bytes.len + 1);
    if (bytes.len != 0) {
        memcpy(name, bytes.ptr, bytes.len);
    }
    jrpc_slice spelled = jrpc_slice_str(name);
    bool allowed =
        spelled.len != 0 && strncmp(name, "rpc.", 4) != 0 && find_name(m, spelled) == m->name_count;
    m->names[m->name_count] = spelled;
    jrpc_method method = {.name = name, .any_params = true};
    jrpc_error error = {.code = JRPC_OK};
    bool added =
        jrpc_router_add(m->router, &method, answer_index, &m->names[m->name_count], &error);
    FUZZ_REQUIRE(added == allowed);
    FUZZ_REQUIRE(added || error.code == JRPC_ERROR_INVALID);
    m->name_count += added ? 1 : 0;
    // Every name is still known: it cannot be registered twice.
    for (size_t i = 0; i < m->name_count; i++) {
        method.name = m->names[i].ptr;
        FUZZ_REQUIRE(!jrpc_router_add(m->router, &method, answer_index, NULL, NULL));
    }
    FUZZ_REQUIRE(jrpc_router_method_count(m->router) == m->name_count);
}

static void call_method(models *m, jrpc_slice name)
{
    jrpc_buffer text;
    jrpc_buffer answer;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 1 << 16);
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), 1 << 16);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"));
    FUZZ_REQUIRE(jrpc_json_quote(&text, name));
    FUZZ_REQUIRE(jrpc_buffer_append_str(&text, "}"));
    FUZZ_REQUIRE(jrpc_router_handle(m->router, jrpc_buffer_slice(&text), 8, NULL, &answer, NULL) ==
                 JRPC_REPLY_TEXT);
    size_t index = find_name(m, name);
    char expected[96];
    // What is no UTF-8 is quoted as another name, so only plain names are looked up.
    bool plain = true;
    for (size_t i = 0; i < name.len; i++) {
        plain = plain && (signed char)name.ptr[i] >= 0;
    }
    if (index < m->name_count) {
        (void)snprintf(expected, sizeof expected, "{\"jsonrpc\":\"2.0\",\"result\":%zu,\"id\":1}",
                       m->names[index].len);
    } else {
        (void)snprintf(expected, sizeof expected,
                       "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not "
                       "found\"},\"id\":1}");
    }
    FUZZ_REQUIRE(!plain || jrpc_slice_is(jrpc_buffer_slice(&answer), expected));
    jrpc_buffer_done(&answer);
    jrpc_buffer_done(&text);
}

static bool refused(models *m, const jrpc_method *method, jrpc_handler handler)
{
    jrpc_error error = {.code = JRPC_OK};
    bool added = jrpc_router_add(m->router, method, handler, NULL, &error);
    return !added && error.code == JRPC_ERROR_INVALID && error.message[0] != '\0';
}

// Registrations that no router takes.
static void refuse_methods(models *m)
{
    jrpc_parameter many[JRPC_CALL_ARGUMENTS_MAX + 1];
    char names[JRPC_CALL_ARGUMENTS_MAX + 1][4];
    for (size_t i = 0; i <= JRPC_CALL_ARGUMENTS_MAX; i++) {
        (void)snprintf(names[i], sizeof names[i], "p%zu", i);
        many[i] = (jrpc_parameter){names[i], false};
    }
    static const jrpc_parameter unnamed[] = {{"a", false}, {"", false}};
    static const jrpc_parameter nameless[] = {{NULL, false}};
    static const jrpc_parameter twice[] = {{"a", false}, {"b", false}, {"a", false}};
    static const jrpc_parameter late[] = {{"a", true}, {"b", false}};
    const jrpc_method wrong[] = {
        {.name = NULL, .any_params = true},
        {"~any", many, 1, true},
        {"~many", many, JRPC_CALL_ARGUMENTS_MAX + 1, false},
        {"~unnamed", unnamed, 2, false},
        {"~nameless", nameless, 1, false},
        {"~twice", twice, 3, false},
        {"~late", late, 2, false},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FUZZ_REQUIRE(refused(m, &wrong[i], answer_index));
    }
    // A call may have as many arguments as the limit says. They have a router of their own, because
    // routes cannot be removed.
    jrpc_router *full = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    const jrpc_method most = {"~most", many, JRPC_CALL_ARGUMENTS_MAX, false};
    FUZZ_REQUIRE(full != NULL && jrpc_router_add(full, &most, answer_index, NULL, NULL));
    jrpc_router_free(full);
    static const jrpc_method unhandled = {.name = "~unhandled", .any_params = true};
    FUZZ_REQUIRE(refused(m, &unhandled, NULL));
    FUZZ_REQUIRE(jrpc_router_method_count(m->router) == m->name_count);
}

// Sizes that no memory has, and what must be harmless.
static void refuse_sizes(void)
{
    jrpc_arena arena;
    jrpc_failing_allocator none;
    jrpc_failing_allocator_init(&none, 0);
    jrpc_arena_init(&arena, &none.allocator, SIZE_MAX);
    jrpc_slice copy = {NULL, 7};
    FUZZ_REQUIRE(jrpc_arena_alloc(&arena, SIZE_MAX) == NULL && arena.failed);
    FUZZ_REQUIRE(jrpc_arena_alloc(&arena, SIZE_MAX - 20) == NULL);
    FUZZ_REQUIRE(jrpc_arena_array(&arena, SIZE_MAX, 2) == NULL);
    FUZZ_REQUIRE(!jrpc_arena_copy(&arena, jrpc_slice_of("", SIZE_MAX), &copy) && copy.len == 7);
    jrpc_arena_done(&arena);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), SIZE_MAX);
    FUZZ_REQUIRE(jrpc_arena_alloc(&arena, 0) != NULL && !arena.failed);
    FUZZ_REQUIRE(jrpc_arena_printf(&arena, "%0*d", 100, 1) != NULL);
    // A character that no locale can spell.
    FUZZ_REQUIRE(jrpc_arena_printf(&arena, "%lc", (wint_t)UNSPEAKABLE) == NULL);
    jrpc_arena_done(&arena);
    jrpc_buffer buffer;
    char *room = NULL;
    jrpc_buffer_init(&buffer, &none.allocator, SIZE_MAX);
    FUZZ_REQUIRE(!jrpc_buffer_reserve(&buffer, SIZE_MAX, &room) && buffer.failed);
    jrpc_buffer_clear(&buffer);
    FUZZ_REQUIRE(!jrpc_buffer_reserve(&buffer, SIZE_MAX - 2, &room) && buffer.failed);
    jrpc_buffer_clear(&buffer);
    FUZZ_REQUIRE(!jrpc_buffer_printf(&buffer, "%lc", (wint_t)UNSPEAKABLE) && buffer.failed);
    FUZZ_REQUIRE(room == NULL && buffer.len == 0);
    jrpc_buffer_done(&buffer);
    void *nothing = jrpc_allocate(jrpc_allocator_heap(), 0);
    FUZZ_REQUIRE(nothing != NULL);
    jrpc_deallocate(jrpc_allocator_heap(), nothing);
    jrpc_router_free(NULL);
}

// Two values at each depth that a writer has, and one level more.
static void require_depths(void)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), (size_t)8 * JRPC_JSON_WRITER_DEPTH);
    for (size_t depth = 1; depth <= JRPC_JSON_WRITER_DEPTH + 1; depth++) {
        jrpc_json_writer writer;
        jrpc_buffer_clear(&out);
        jrpc_json_writer_init(&writer, &out);
        for (size_t i = 0; i < depth; i++) {
            jrpc_json_write_begin_array(&writer);
        }
        jrpc_json_write_null(&writer);
        for (size_t i = 0; i < depth; i++) {
            jrpc_json_write_null(&writer);
            jrpc_json_write_end_array(&writer);
        }
        FUZZ_REQUIRE(out.failed == (depth > JRPC_JSON_WRITER_DEPTH));
        FUZZ_REQUIRE(out.failed ||
                     grammar_check(jrpc_buffer_slice(&out), UINT32_MAX).verdict == GRAMMAR_JSON);
    }
    jrpc_buffer_done(&out);
}

static void operate(models *m, unsigned operation, size_t number, jrpc_slice bytes)
{
    switch (operation % 12) {
    case 0:
        append(m, bytes);
        break;
    case 1:
        append_printed(m, number);
        break;
    case 2:
        reserve(m, bytes);
        break;
    case 3:
        consume(m, number);
        break;
    case 4:
        truncate_to(m, number);
        break;
    case 5:
        clear(m);
        break;
    case 6:
    case 7:
        allocate(m, number * (operation / 12 + 1));
        break;
    case 8:
        clear_arena(m);
        break;
    case 9:
    case 10:
        add_method(m, bytes);
        break;
    default:
        call_method(m, bytes);
        break;
    }
    // What the operation was about; the others must not have changed at the end.
    if (operation % 12 < 6) {
        require_buffer(m);
    } else if (operation % 12 < 9) {
        require_blocks(m);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    models m = {.len = 0};
    jrpc_buffer_init(&m.buffer, jrpc_allocator_heap(), BUFFER_MAXIMUM);
    jrpc_failing_allocator_init(&m.failing,
                                input.options[0] == 0 ? SIZE_MAX : input.options[0] - 1u);
    jrpc_arena_init(&m.arena, &m.failing.allocator, ARENA_LIMIT);
    m.router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    FUZZ_REQUIRE(m.router != NULL);
    jrpc_slice rest = input.text;
    if (input.options[1] != 0 && fuzz_turn(&input, 0, 8)) {
        refuse_methods(&m);
        refuse_sizes();
        require_depths();
    }
    while (rest.len >= 2) {
        size_t number = (unsigned char)rest.ptr[1];
        size_t len = number < rest.len - 2 ? number : rest.len - 2;
        unsigned operation = (unsigned char)rest.ptr[0];
        bool takes = operation % 12 == 0 || operation % 12 == 2 || operation % 12 >= 9;
        operate(&m, operation, number, jrpc_slice_of(rest.ptr + 2, takes ? len : 0));
        rest = jrpc_slice_from(rest, 2 + (takes ? len : 0));
    }
    require_buffer(&m);
    require_blocks(&m);
    jrpc_router_free(m.router);
    jrpc_arena_done(&m.arena);
    jrpc_buffer_done(&m.buffer);
    tree_pool_done(&m.pool);
    return 0;
}
