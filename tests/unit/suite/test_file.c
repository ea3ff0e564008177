// The files of the suite: the file system's, and the copy that a program may carry.
#include "harness/suite/file.h"

#include "tests/unit/suite/folder.h"

#define BYTES_MAX ((size_t)16 << 20)

static void the_names_of_a_folder_are_in_order_and_hidden_ones_are_left_out(void **state)
{
    (void)state;
    folder f;
    jrpc_arena arena;
    jrpc_error error = {0};
    const char **names;
    size_t count;
    folder_make(&f);
    folder_add(&f, "c");
    folder_write(&f, "b.json", JRPC_SLICE("{}"));
    folder_write(&f, "a", JRPC_SLICE(""));
    folder_write(&f, ".hidden", JRPC_SLICE(""));
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BYTES_MAX);
    assert_true(jck_file_list(f.path, &arena, &names, &count, &error));
    assert_int_equal(count, 3);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "b.json");
    assert_string_equal(names[2], "c");
    assert_null(names[3]);
    jrpc_arena_done(&arena);
    folder_remove(&f);
}

// Lists a folder of `count` files and one that is hidden.
static bool list_of(size_t count, size_t *ret_count, jrpc_error *error)
{
    folder f;
    jrpc_arena arena;
    char path[256];
    char name[24];
    const char **names;
    folder_make(&f);
    folder_write(&f, ".hidden", JRPC_SLICE(""));
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "%zu", i);
        assert_int_equal(symlink("nowhere", folder_path(&f, name, path)), 0);
    }
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BYTES_MAX);
    bool listed = jck_file_list(f.path, &arena, &names, ret_count, error);
    if (listed) {
        assert_null(names[*ret_count]);
    }
    jrpc_arena_done(&arena);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "%zu", i);
        assert_int_equal(remove(folder_path(&f, name, path)), 0);
    }
    folder_remove(&f);
    return listed;
}

static void a_folder_has_at_most_so_many_entries(void **state)
{
    (void)state;
    for (size_t count = 4095; count <= 4096; count++) {
        jrpc_error error = {0};
        size_t listed = 0;
        assert_true(list_of(count, &listed, &error));
        assert_int_equal(listed, count);
    }
    jrpc_error error = {0};
    size_t listed = 0;
    assert_false(list_of(4097, &listed, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 4096 entries"));
    assert_int_equal(listed, 0);
}

// Reads with room for `maximum` bytes and checks the outcome; returns the bytes read.
static size_t read_expecting(const char *path, size_t maximum, jrpc_error_code code)
{
    jrpc_error error = {0};
    jrpc_buffer content;
    jrpc_buffer_init(&content, jrpc_allocator_heap(), maximum);
    assert_int_equal(jck_file_read(path, &content, &error), code == JRPC_OK);
    assert_int_equal(error.code, code);
    assert_true(code == JRPC_OK || strstr(error.source, "a.json") != NULL);
    size_t len = content.len;
    jrpc_buffer_done(&content);
    return len;
}

static void a_file_is_read_whole_or_refused(void **state)
{
    (void)state;
    folder f;
    char path[256];
    folder_make(&f);
    folder_write(&f, "a.json", JRPC_SLICE("12345"));
    (void)folder_path(&f, "a.json", path);
    assert_int_equal(jck_file_kind_of(path), JCK_FILE_PLAIN);
    assert_int_equal(jck_file_kind_of(f.path), JCK_FILE_FOLDER);
    assert_int_equal(read_expecting(path, 5, JRPC_OK), 5);
    (void)read_expecting(path, 4, JRPC_ERROR_LIMIT);
    folder_remove(&f);
    assert_int_equal(jck_file_kind_of(path), JCK_FILE_MISSING);
    (void)read_expecting(path, 5, JRPC_ERROR_SYSTEM);
    (void)read_expecting("builtin:/none/a.json", 5, JRPC_ERROR_SYSTEM);
}

static void skip_without_a_copy(void)
{
    if (jck_file_kind_of("builtin:/cases") == JCK_FILE_MISSING) {
        skip();
    }
}

// The tests run in the root of the project.
static size_t compare_folder(jrpc_arena *arena, const char *at)
{
    const char **here;
    const char **carried;
    size_t here_count;
    size_t carried_count;
    size_t compared = 0;
    jrpc_error error = {0};
    const char *inside = jrpc_arena_printf(arena, "builtin:/%s", at);
    assert_int_equal(jck_file_kind_of(inside), JCK_FILE_FOLDER);
    assert_true(jck_file_list(at, arena, &here, &here_count, &error));
    assert_true(jck_file_list(inside, arena, &carried, &carried_count, &error));
    for (size_t i = 0, j = 0; i < here_count; i++) {
        const char *path = jrpc_arena_printf(arena, "%s/%s", at, here[i]);
        const char *copy = jrpc_arena_printf(arena, "%s/%s", inside, here[i]);
        bool is_folder = jck_file_kind_of(path) == JCK_FILE_FOLDER;
        if (!is_folder && strstr(here[i], ".json") == NULL) {
            continue; // a README
        }
        if (is_folder && jck_file_kind_of(copy) == JCK_FILE_MISSING) {
            continue; // nothing but such
        }
        assert_true(j < carried_count);
        assert_string_equal(here[i], carried[j++]);
        if (is_folder) {
            compared += compare_folder(arena, path);
            continue;
        }
        jrpc_buffer a;
        jrpc_buffer b;
        jrpc_buffer_init(&a, arena->allocator, BYTES_MAX);
        jrpc_buffer_init(&b, arena->allocator, BYTES_MAX);
        assert_true(jck_file_read(path, &a, &error) && jck_file_read(copy, &b, &error));
        assert_int_equal(a.len, b.len);
        assert_memory_equal(a.ptr, b.ptr, a.len);
        jrpc_buffer_done(&a);
        jrpc_buffer_done(&b);
        compared++;
    }
    return compared;
}

static void the_copy_in_the_program_is_what_the_project_has(void **state)
{
    (void)state;
    skip_without_a_copy();
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)64 << 20);
    assert_true(compare_folder(&arena, "cases") > 50);
    jrpc_arena_done(&arena);
}

static void what_is_not_in_the_copy_is_missing(void **state)
{
    (void)state;
    skip_without_a_copy();
    jrpc_arena arena;
    jrpc_error error = {0};
    const char **names;
    size_t count;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BYTES_MAX);
    assert_false(jck_file_list("builtin:/case", &arena, &names, &count, &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_int_equal(jck_file_kind_of("builtin:/case"), JCK_FILE_MISSING);
    assert_int_equal(jck_file_kind_of("builtin:/cases/rules/none.json"), JCK_FILE_MISSING);
    (void)read_expecting("builtin:/cases/rules/a.json", BYTES_MAX, JRPC_ERROR_SYSTEM);
    jrpc_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_names_of_a_folder_are_in_order_and_hidden_ones_are_left_out),
        cmocka_unit_test(a_folder_has_at_most_so_many_entries),
        cmocka_unit_test(a_file_is_read_whole_or_refused),
        cmocka_unit_test(the_copy_in_the_program_is_what_the_project_has),
        cmocka_unit_test(what_is_not_in_the_copy_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
