// Ids that resemble another: always a String or a Number, and never the same id.
#include "harness/suite/kin.h"

#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const jck_kin every[] = {JCK_KIN_WIDER, JCK_KIN_NEGATIVE, JCK_KIN_FRACTION, JCK_KIN_TENFOLD,
                                JCK_KIN_RETYPED};
enum { KINS = sizeof every / sizeof *every };

static const struct {
    const char *id;
    const char *kins[KINS];
} rows[] = {
    {"7", {"4294967303", "-7", "7.5", "7e1", "\"7\""}},
    {"-7", {"4294967289", "7", "-7.5", "-7e1", "\"-7\""}},
    {"0", {"4294967296", "-1", "0.5", "1e1", "\"0\""}},
    {"2251799813685247",
     {"2251804108652543", "-2251799813685247", "2251799813685247.5", "2251799813685247e1",
      "\"2251799813685247\""}},
    {"2251799813685248", // one more: whose half a double no longer holds
     {"2251804108652544", "-2251799813685248", "1125899906842624.5", "2251799813685248e1",
      "\"2251799813685248\""}},
    {"-9007199254740990", // whose half is lost in a double
     {"-9007194959773694", "9007199254740990", "-2251799813685247.5", "-9007199254740990e1",
      "\"-9007199254740990\""}},
    {"\"7\"", {"\"74294967296\"", "\"-7\"", "\"7.5\"", "\"70\"", "7"}},
    {"\"a-1\"", {"\"a-14294967296\"", "\"-a-1\"", "\"a-1.5\"", "\"a-10\"", "\"a-1?\""}},
    {"\"\"", {"\"4294967296\"", "\"-\"", "\".5\"", "\"0\"", "\"?\""}},
    {"7.5", {"\"jck-nobody\"", "-7.5", "\"jck-nobody\"", "7.5e1", "\"7.5\""}},
    {"-7.5", {"\"jck-nobody\"", "7.5", "\"jck-nobody\"", "-7.5e1", "\"-7.5\""}},
    {"-0", {"4294967296", "-1", "0.5", "1e1", "\"0\""}},
};
// Where only the promise of the header is asked for.
static const char *const others[] = {"0.0",        "7e3", "1e400",     "123456789012345678901",
                                     "null",       "[7]", "{\"n\":7}", "true",
                                     "\"\\u0041\""};

static jrpc_json parsed(jrpc_json_document *document, jrpc_slice text)
{
    jrpc_json_document_init(document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(document, text, 8, NULL));
    return jrpc_json_root(document);
}

static void assert_kin(jck_kin kin, const char *id, const char *expected)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 256);
    assert_true(jck_kin_spell(kin, jrpc_slice_str(id), &out));
    jrpc_json_document mine;
    jrpc_json_document theirs;
    jrpc_json is = parsed(&mine, jrpc_buffer_slice(&out));
    assert_true(jrpc_json_is(is, JRPC_JSON_STRING) || jrpc_json_is(is, JRPC_JSON_NUMBER));
    assert_false(jrpc_json_equal(is, parsed(&theirs, jrpc_slice_str(id))));
    assert_true(jrpc_buffer_append_char(&out, '\0'));
    if (expected != NULL) {
        assert_string_equal(out.ptr, expected);
    }
    if (out.ptr[0] != '"' && (id[0] == '-' || (id[0] >= '0' && id[0] <= '9'))) {
        double value = strtod(out.ptr, NULL); // as a reader of doubles sees it
        double other = strtod(id, NULL);
        assert_true(value < other || value > other);
    }
    jrpc_json_document_done(&mine);
    jrpc_json_document_done(&theirs);
    jrpc_buffer_done(&out);
}

static void an_id_that_resembles_another_is_not_it(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINS; k++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            assert_kin(every[k], rows[i].id, rows[i].kins[k]);
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            assert_kin(every[k], others[i], NULL);
        }
    }
}

static void the_name_says_whose_and_how(void **state)
{
    (void)state;
    jrpc_slice request;
    jck_kin kin;
    assert_true(jck_kin_from_name(JRPC_SLICE("one-retyped"), &request, &kin));
    assert_true(jrpc_slice_is(request, "one") && kin == JCK_KIN_RETYPED);
    assert_true(jck_kin_from_name(JRPC_SLICE("a-wider-negative"), &request, &kin));
    assert_true(jrpc_slice_is(request, "a-wider") && kin == JCK_KIN_NEGATIVE);
    assert_false(jck_kin_from_name(JRPC_SLICE("-wider"), &request, &kin));
    assert_false(jck_kin_from_name(JRPC_SLICE("one"), &request, &kin));
    assert_false(jck_kin_from_name(JRPC_SLICE("one-larger"), &request, &kin));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_that_resembles_another_is_not_it),
        cmocka_unit_test(the_name_says_whose_and_how),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
