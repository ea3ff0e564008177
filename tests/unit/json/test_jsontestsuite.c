// The public JSON test suite: y_ files must be accepted, n_ files refused, i_ files answered.
// JSONTESTSUITE_DIR names its folder test_parsing.
#include "reference/json/read.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void load(const char *folder, const char *name, jrpc_buffer *text)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t got;
    do {
        char *room = NULL;
        assert_true(jrpc_buffer_reserve(text, 65536, &room));
        got = fread(room, 1, 65536, file);
        jrpc_buffer_grew(text, got);
    } while (got > 0);
    assert_int_equal(fclose(file), 0);
}

static void the_reader_judges_every_file_of_the_public_suite_rightly(void **state)
{
    (void)state;
    const char *folder = getenv("JSONTESTSUITE_DIR");
    DIR *files = folder == NULL ? NULL : opendir(folder);
    if (files == NULL) {
        print_message("JSONTESTSUITE_DIR names no folder: skipped\n");
        skip();
    }
    jrpc_json_document document;
    jrpc_buffer text;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&text, jrpc_allocator_heap(), (size_t)16 << 20);
    size_t accept = 0;
    size_t refuse = 0;
    size_t either = 0;
    size_t wrong = 0;
    const struct dirent *entry;
    while ((entry = readdir(files)) != NULL) {
        const char *name = entry->d_name;
        if (name[0] == '\0' || name[1] != '_') {
            continue;
        }
        jrpc_buffer_clear(&text);
        load(folder, name, &text);
        jrpc_error error = {0};
        bool read = jrpc_json_read(&document, jrpc_buffer_slice(&text), 1024, &error);
        accept += name[0] == 'y';
        refuse += name[0] == 'n';
        either += name[0] == 'i';
        if ((name[0] == 'y' && !read) || (name[0] == 'n' && read)) {
            print_message("%s: %s\n", name, read ? "accepted" : error.message);
            wrong++;
        }
        if (!read) {
            assert_true(error.offset <= text.len);
        }
    }
    (void)closedir(files);
    print_message("read %zu files: %zu must be accepted, %zu refused, %zu either\n",
                  accept + refuse + either, accept, refuse, either);
    jrpc_buffer_done(&text);
    jrpc_json_document_done(&document);
    assert_int_equal(wrong, 0);
    assert_true(accept > 0 && refuse > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_judges_every_file_of_the_public_suite_rightly),
    };
    return cmocka_run_group_tests_name("json/jsontestsuite", tests, NULL, NULL);
}
