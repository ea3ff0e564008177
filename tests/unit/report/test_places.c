// Where reports go: files, standard output, pipes; and when they stand there.
#include "tests/unit/report/report_test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const jck_report_options plain;
static const jrpc_slice begin = JRPC_SLICE_INIT("{\"event\":\"start\"}\n");

static int make_folder(void **state)
{
    char *folder = strdup("/tmp/jrpcheck-report-XXXXXX");
    assert_non_null(folder);
    assert_non_null(mkdtemp(folder));
    *state = folder;
    return 0;
}

static int drop_folder(void **state)
{
    char *folder = *state;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path);
    }
    (void)closedir(listing);
    int status = rmdir(folder);
    free(folder);
    return status;
}

static size_t file_count(const char *folder)
{
    size_t count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(listing);
    return count;
}

// Size of a file of the folder, or -1 if there is none.
static long size_of(const char *folder, const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    struct stat status;
    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

static bool add(jck_reports *reports, const char *format, const char *folder, const char *name,
                jrpc_error *error)
{
    char spec[512];
    (void)snprintf(spec, sizeof spec, "%s=%s/%s", format, folder, name);
    return jck_reports_add(reports, spec, &plain, error);
}

static void a_report_takes_its_place_when_it_is_complete(void **state)
{
    const char *folder = *state;
    jrpc_error error = {0};
    jck_reports *reports = jck_reports_new();
    assert_true(add(reports, "junit", folder, "out.xml", &error));
    assert_true(add(reports, "tap", folder, "out.tap", &error));
    assert_true(jck_reports_feed(reports, begin, &error));
    assert_int_equal(size_of(folder, "out.xml"), -1);
    assert_int_equal(size_of(folder, "out.tap"), -1);
    assert_true(jck_reports_close(reports, &error));
    assert_true(size_of(folder, "out.xml") > 0);
    assert_true(size_of(folder, "out.tap") > 0);
    assert_int_equal(file_count(folder), 2);
}

static void the_stream_itself_stands_there_line_by_line(void **state)
{
    const char *folder = *state;
    jrpc_error error = {0};
    jck_reports *reports = jck_reports_new();
    assert_true(add(reports, "ndjson", folder, "run.ndjson", &error));
    assert_true(jck_reports_feed(reports, begin, &error));
    assert_int_equal(size_of(folder, "run.ndjson"), (long)begin.len);
    assert_true(jck_reports_close(reports, &error));
    assert_int_equal(size_of(folder, "run.ndjson"), (long)begin.len);
}

static void without_an_event_an_older_report_stays(void **state)
{
    const char *folder = *state;
    jrpc_error error = {0};
    for (int round = 0; round < 2; round++) {
        jck_reports *reports = jck_reports_new();
        assert_true(add(reports, "tap", folder, "out.tap", &error));
        assert_true(round == 1 || jck_reports_feed(reports, begin, &error));
        assert_true(jck_reports_close(reports, &error));
        assert_true(size_of(folder, "out.tap") > 0);
        assert_int_equal(file_count(folder), 1);
    }
}

static void a_link_is_written_through_and_stays_a_link(void **state)
{
    const char *folder = *state;
    char link[512];
    (void)snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("real", link), 0);
    jrpc_error error = {0};
    jck_reports *reports = jck_reports_new();
    assert_true(add(reports, "tap", folder, "link", &error));
    assert_true(jck_reports_feed(reports, begin, &error));
    assert_true(jck_reports_close(reports, &error));
    struct stat status;
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(size_of(folder, "real") > 0);
}

static void wrong_words_are_reported_with_a_remedy(void **state)
{
    const char *folder = *state;
    static const struct {
        const char *spec;
        const char *message;
    } table[] = {
        {"xml=a",
         "there is no report format \"xml\"; choose one of console, ndjson, json, junit, tap, "
         "markdown"},
        {"", "there is no report format \"\""},
        {"tap=", "the tap report has no file name after the \"=\""},
        {"tap", "only one report can go to standard output, and console does already"},
        {"junit=-", "only one report can go to standard output"},
    };
    jck_reports *reports = jck_reports_new();
    jrpc_error error = {0};
    assert_true(jck_reports_add(reports, "console", &plain, &error));
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_error_clear(&error);
        assert_false(jck_reports_add(reports, table[i].spec, &plain, &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
        assert_non_null(strstr(error.message, table[i].message));
    }
    jrpc_error_clear(&error);
    assert_true(add(reports, "tap", folder, "same", &error));
    assert_false(add(reports, "json", folder, "same", &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    assert_true(jck_reports_close(reports, NULL));
    assert_int_equal(file_count(folder), 0);
}

// The full device is reached through a link in the test's own folder: a report room that has
// forgotten to spare what is not a regular file would replace the link, and never the device.
static void a_place_that_cannot_be_written_is_reported(void **state)
{
    const char *folder = *state;
    jrpc_error error = {0};
    jck_reports *reports = jck_reports_new();
    assert_false(add(reports, "tap", folder, "no/such/folder", &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "no/such/folder"));
    jrpc_error_clear(&error);
    assert_true(add(reports, "json", folder, "out.json", &error));
    struct stat status;
    bool has_full = stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode);
    if (has_full) {
        char link[512];
        (void)snprintf(link, sizeof link, "%s/full", folder);
        assert_int_equal(symlink("/dev/full", link), 0);
        assert_true(add(reports, "tap", folder, "full", &error));
    }
    assert_true(jck_reports_feed(reports, begin, &error));
    assert_int_equal(jck_reports_close(reports, &error), !has_full);
    assert_int_equal(error.code, has_full ? JRPC_ERROR_SYSTEM : JRPC_OK);
    // One report that fails takes no other with it.
    assert_true(size_of(folder, "out.json") > 0);
}

static void a_line_that_is_no_event_is_reported(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "[]", "7", "{\"event\":", "{} {}", "null\n"};
    jck_reports *reports = jck_reports_new();
    assert_non_null(reports);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        jrpc_error error = {0};
        assert_false(jck_reports_feed(reports, jrpc_slice_str(lines[i]), &error));
        assert_int_equal(error.code, JRPC_ERROR_SYNTAX);
        assert_non_null(strstr(error.message, "this is not an event"));
    }
    jrpc_error error = {0};
    assert_true(jck_reports_feed(reports, JRPC_SLICE("{}\r\n"), &error));
    assert_true(jck_reports_close(reports, NULL));
    assert_true(jck_reports_close(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_report_takes_its_place_when_it_is_complete, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(the_stream_itself_stands_there_line_by_line, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(without_an_event_an_older_report_stays, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(a_link_is_written_through_and_stays_a_link, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(wrong_words_are_reported_with_a_remedy, make_folder,
                                        drop_folder),
        cmocka_unit_test_setup_teardown(a_place_that_cannot_be_written_is_reported, make_folder,
                                        drop_folder),
        cmocka_unit_test(a_line_that_is_no_event_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
