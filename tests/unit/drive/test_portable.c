// Which values every JSON library reads as they are meant.
#include "harness/drive/portable.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { DEEP = 65 };

static bool is_portable(const char *text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(text), DEEP + 1, NULL));
    bool portable = jck_is_portable(jrpc_json_root(&document));
    jrpc_json_document_done(&document);
    return portable;
}

static void what_every_library_reads(void **state)
{
    static const char *const texts[] = {"null",
                                        "[]",
                                        "{}",
                                        "0",
                                        "-1",
                                        "0.1",
                                        "1.5",
                                        "[1, -0.5, 9007199254740992]",
                                        "[0.1234130859375, 16777217.5, 4503599627370495.5]",
                                        "1e22",
                                        "10.00",
                                        "100e-1",
                                        "\"a\\u0001b\"",
                                        "\"\\ud83d\\ude00\"",
                                        "{\"a\": [{\"b\": null}], \"A\": \"\"}",
                                        "[{\"a\": 1}, {\"a\": 1}]"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!is_portable(texts[i])) {
            fail_msg("%s is not portable", texts[i]);
        }
    }
    assert_true(jck_is_portable(JRPC_JSON_ABSENT));
}

static void what_some_libraries_refuse_or_change(void **state)
{
    static const char *const texts[] = {"1e400",
                                        "[9007199254740993]",
                                        "[[-0]]",
                                        "-0.0",
                                        "1e-400",
                                        "0.10000000000000000001",
                                        "\"a\\u0000b\"",
                                        "{\"a\\u0000\": 1}",
                                        "\"\\ud83d\"",
                                        "[{\"a\": 1, \"b\": 2, \"a\": 3}]",
                                        "{\"a\": {\"b\": [1, 2, 18446744073709551615]}}"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (is_portable(texts[i])) {
            fail_msg("%s is portable", texts[i]);
        }
    }
}

static void many_levels(void **state)
{
    char text[2 * DEEP + 1] = "";
    (void)state;
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    assert_false(is_portable(text));
    text[2 * DEEP - 1] = '\0'; // one level less
    assert_true(is_portable(text + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_every_library_reads),
                                       cmocka_unit_test(what_some_libraries_refuse_or_change),
                                       cmocka_unit_test(many_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
