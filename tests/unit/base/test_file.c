#include "reference/base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct folder {
    char path[64];
    char file[128];
} folder;

static int set_up(void **state)
{
    folder *made = calloc(1, sizeof *made);
    assert_non_null(made);
    (void)snprintf(made->path, sizeof made->path, "/tmp/jck-file-XXXXXX");
    assert_non_null(mkdtemp(made->path));
    (void)snprintf(made->file, sizeof made->file, "%s/file", made->path);
    *state = made;
    return 0;
}

static int tear_down(void **state)
{
    folder *made = *state;
    (void)unlink(made->file);
    // Fails, and with it the test, where anything else was left behind.
    assert_int_equal(rmdir(made->path), 0);
    free(made);
    return 0;
}

static void put(const folder *in, const char *text)
{
    jrpc_error error = {0};
    assert_true(jrpc_file_replace(in->file, jrpc_slice_str(text), &error));
}

static bool holds(const folder *in, const char *text)
{
    jrpc_buffer content;
    jrpc_error error = {0};
    jrpc_buffer_init(&content, jrpc_allocator_heap(), 100);
    bool same = jrpc_file_read(in->file, &content, &error) &&
                jrpc_slice_is(jrpc_buffer_slice(&content), text);
    jrpc_buffer_done(&content);
    return same;
}

static void folders_that_are_missing_are_made(void **state)
{
    const folder *in = *state;
    char inner[256];
    char outer[160];
    jrpc_error error = {0};
    (void)snprintf(outer, sizeof outer, "%s/a", in->path);
    (void)snprintf(inner, sizeof inner, "%s/b", outer);
    assert_true(jrpc_file_make_folder(inner, &error));
    assert_true(jrpc_file_make_folder(inner, &error));
    assert_int_equal(rmdir(inner), 0);
    assert_int_equal(rmdir(outer), 0);
    put(in, "a file");
    (void)snprintf(inner, sizeof inner, "%s/b", in->file);
    assert_false(jrpc_file_make_folder(inner, &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
}

static void a_file_takes_its_place_when_it_is_complete(void **state)
{
    const folder *in = *state;
    jrpc_file_writer writer;
    jrpc_error error = {0};
    put(in, "old");
    assert_true(jrpc_file_writer_open(&writer, in->file, false, &error));
    assert_true(fputs("new", writer.stream) >= 0 && fflush(writer.stream) == 0);
    assert_true(holds(in, "old"));
    assert_true(jrpc_file_writer_done(&writer, true, &error));
    assert_true(holds(in, "new"));
    assert_true(jrpc_file_writer_open(&writer, in->file, false, &error));
    assert_true(fputs("dropped", writer.stream) >= 0);
    assert_true(jrpc_file_writer_done(&writer, false, &error));
    assert_true(holds(in, "new"));
}

static void a_file_in_place_is_seen_at_once(void **state)
{
    const folder *in = *state;
    jrpc_file_writer writer;
    jrpc_error error = {0};
    assert_true(jrpc_file_writer_open(&writer, in->file, true, &error));
    assert_true(fputs("now", writer.stream) >= 0 && fflush(writer.stream) == 0);
    assert_true(holds(in, "now"));
    assert_true(jrpc_file_writer_done(&writer, false, &error));
    assert_true(holds(in, "now"));
}

static void a_full_device_is_reported_and_changes_nothing(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_false(jrpc_file_replace("/dev/full", JRPC_SLICE("x"), &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "No space left"));
}

static void a_pipe_without_its_other_end_is_refused(void **state)
{
    const folder *in = *state;
    jrpc_buffer content;
    jrpc_error error = {0};
    jrpc_file_writer writer;
    assert_int_equal(mkfifo(in->file, 0600), 0);
    jrpc_buffer_init(&content, jrpc_allocator_heap(), 100);
    assert_false(jrpc_file_read(in->file, &content, &error));
    assert_non_null(strstr(error.message, "nobody has written"));
    jrpc_error_clear(&error);
    assert_false(jrpc_file_writer_open(&writer, in->file, false, &error));
    assert_non_null(strstr(error.message, "nobody reads"));
}

static void what_is_no_file_is_refused_and_what_is_long_is_bounded(void **state)
{
    const folder *in = *state;
    static const struct {
        const char *path, *message;
    } rows[] = {
        {"/dev/zero", "this is a device"},
        {"/tmp", "this is a folder"},
        {"/nowhere/at/all", "cannot open the file"},
    };
    jrpc_buffer content;
    jrpc_buffer_init(&content, jrpc_allocator_heap(), 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_error error = {0};
        assert_false(jrpc_file_read(rows[i].path, &content, &error));
        assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
        assert_non_null(strstr(error.message, rows[i].message));
        assert_string_equal(error.source, rows[i].path);
    }
    jrpc_error error = {0};
    put(in, "12345");
    assert_false(jrpc_file_read(in->file, &content, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    jrpc_buffer_done(&content);
}

static void temporary_files_go_where_the_user_wants_them(void **state)
{
    (void)state;
    char path[64];
    char least[JRPC_FILE_TEMPORARY_LEAST];
    assert_int_equal(setenv("TMPDIR", "/some/where", 1), 0);
    jrpc_file_temporary(path, sizeof path);
    assert_string_equal(path, "/some/where/jrpcheck-XXXXXX");
    jrpc_file_temporary(least, sizeof least);
    assert_string_equal(least, "/tmp/jrpcheck-XXXXXX");
    assert_int_equal(setenv("TMPDIR", "", 1), 0);
    jrpc_file_temporary(path, sizeof path);
    assert_string_equal(path, "/tmp/jrpcheck-XXXXXX");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_takes_its_place_when_it_is_complete, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(folders_that_are_missing_are_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_in_place_is_seen_at_once, set_up, tear_down),
        cmocka_unit_test(a_full_device_is_reported_and_changes_nothing),
        cmocka_unit_test_setup_teardown(a_pipe_without_its_other_end_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused_and_what_is_long_is_bounded,
                                        set_up, tear_down),
        cmocka_unit_test(temporary_files_go_where_the_user_wants_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
