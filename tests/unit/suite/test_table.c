// Tables in case files: what their rows become, and how everything wrong in them is reported.
#include "harness/suite/load.h"

#include "tests/unit/suite/folder.h"

static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"url\":\"u\",\"rules\":[\n"
    "{\"id\":\"S-1\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"x\","
    "\"source\":\"y\"}]}";

#define FILE_BEGIN "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\",\"cases\":[\n"
#define FILE_END "]}"
// A template on line 2 whose table, all of it, stands from line 3 on.
#define TEMPLATE(members, table)                                                                   \
    FILE_BEGIN "{\"id\":\"a/${row.name}\",\"title\":\"${row.name} it\",\"rules\":[\"S-1\"],"       \
               "\"expect\":\"nothing\"," members ",\n\"table\":" table "}" FILE_END

static jck_suite *load(folder *f, const char *text, diagnostics *t)
{
    jrpc_error error = {0};
    *t = (diagnostics){0};
    folder_make(f);
    folder_add(f, "rules");
    folder_add(f, "s");
    folder_write(f, "rules/s.json", jrpc_slice_str(rules));
    folder_write(f, "s/01.json", jrpc_slice_str(text));
    return jck_suite_load(f->path, tell, t, &error);
}

static jck_suite *load_right(folder *f, const char *text)
{
    diagnostics t;
    jck_suite *suite = load(f, text, &t);
    if (suite == NULL) {
        fail_msg("%zu:%zu: %s", t.all[0].line, t.all[0].column, t.all[0].message);
    }
    return suite;
}

// What the first step of a case sends.
static void assert_sends(const jck_suite *suite, const char *id, const char *wanted)
{
    const jck_case *test_case = jck_suite_find_case(suite, jrpc_slice_str(id));
    jrpc_buffer sent;
    jrpc_error error = {0};
    if (test_case == NULL) {
        fail_msg("there is no case %s", id);
        return;
    }
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), (size_t)1 << 20);
    assert_true(jck_payload_expand(&test_case->steps[0].payload, NULL, NULL, &sent, &error));
    assert_true(jrpc_buffer_append_char(&sent, '\0'));
    assert_string_equal(sent.ptr, wanted);
    jrpc_buffer_done(&sent);
}

static void each_row_becomes_a_case_of_its_own(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite =
        load_right(&f, TEMPLATE("\"send\":{\"a\":\"${row.value}\",\"b\":[\"${row.value}\"]}",
                                "{\"columns\":[\"name\",\"value\"],\"rows\":[\n"
                                "[\"number\",1.0],[\"null\",null],\n"
                                "[\"object\",{\"x\" : [1, \"y\"]}],[\"text\",\"\\u0041\\\"\"]]}"));
    assert_int_equal(jck_suite_case_count(suite), 4);
    assert_true(jrpc_slice_is(jck_suite_case(suite, 0)->id, "a/number"));
    assert_true(jrpc_slice_is(jck_suite_case(suite, 0)->title, "number it"));
    assert_true(jrpc_slice_is(jck_suite_case(suite, 3)->id, "a/text"));
    assert_sends(suite, "a/number", "{\"a\":1.0,\"b\":[1.0]}");
    assert_sends(suite, "a/null", "{\"a\":null,\"b\":[null]}");
    assert_sends(suite, "a/object", "{\"a\":{\"x\":[1,\"y\"]},\"b\":[{\"x\":[1,\"y\"]}]}");
    assert_sends(suite, "a/text", "{\"a\":\"\\u0041\\\"\",\"b\":[\"\\u0041\\\"\"]}");
    // A case stands where its row stands.
    assert_int_equal(jck_suite_case(suite, 0)->line, 4);
    assert_int_equal(jck_suite_case(suite, 2)->line, 5);
    jck_suite_free(suite);
    folder_remove(&f);
}

static void a_cell_may_be_a_part_of_a_text_a_name_or_a_list(void **state)
{
    (void)state;
    folder f;
    jck_suite *suite = load_right(
        &f, TEMPLATE("\"send\":{\"${row.key}\":\"a ${row.key}, ${row.count} and $${row.key}\"},"
                     "\"catches\":\"${row.faults}\"",
                     "{\"columns\":[\"name\",\"key\",\"count\",\"faults\"],\"rows\":["
                     "[\"one\",\"k\",7,[\"f\",\"g\"]]]}"));
    assert_sends(suite, "a/one", "{\"k\":\"a k, 7 and ${row.key}\"}");
    assert_int_equal(jck_suite_case(suite, 0)->catch_count, 2);
    assert_true(jrpc_slice_is(jck_suite_case(suite, 0)->catches[1], "g"));
    jck_suite_free(suite);
    folder_remove(&f);
}

static void crossed_tables_become_every_pair_the_last_changing_fastest(void **state)
{
    static const char *const ids[] = {"a/x-1", "a/x-2", "a/x-3", "a/y-1", "a/y-2", "a/y-3"};
    (void)state;
    folder f;
    jck_suite *suite = load_right(
        &f, FILE_BEGIN "{\"id\":\"a/${row.p}-${row.q}\",\"title\":\"t\",\"rules\":[\"S-1\"],"
                       "\"send\":[\"${row.p}\",\"${row.q}\"],\"expect\":\"nothing\",\"table\":["
                       "{\"columns\":[\"p\"],\"rows\":[[\"x\"],[\"y\"]]},"
                       "{\"columns\":[\"q\"],\"rows\":[[1],[2],[3]]}]}" FILE_END);
    assert_int_equal(jck_suite_case_count(suite), 6);
    for (size_t i = 0; i < 6; i++) {
        assert_true(jrpc_slice_is(jck_suite_case(suite, i)->id, ids[i]));
    }
    assert_sends(suite, "a/y-3", "[\"y\",3]");
    jck_suite_free(suite);
    folder_remove(&f);
}

static void wrong_tables_are_reported_with_their_place(void **state)
{
#define SEND "\"send\":\"${row.name}\""
    static const struct {
        const char *text;
        size_t line, column;
        const char *says;
    } wrongs[] = {
        {TEMPLATE(SEND, "1"), 3, 9, "a table is a Number"},
        {TEMPLATE(SEND, "[]"), 3, 9, "the table has no row"},
        {TEMPLATE(SEND, "{\"rows\":[[1]]}"), 3, 9, "\"columns\" is missing"},
        {TEMPLATE(SEND, "{\"columns\":[\"name\"]}"), 3, 9, "\"rows\" is missing"},
        {TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[]}"), 3, 36, "no row"},
        {TEMPLATE(SEND, "{\"columns\":[],\"rows\":[[]]}"), 3, 20, "columns is empty"},
        {TEMPLATE(SEND, "{\"columns\":[\"na me\"],\"rows\":[[1]]}"), 3, 21, "cannot name"},
        {TEMPLATE(SEND, "{\"columns\":[\"name\"],\"row\":1,\"rows\":[[1]]}"), 3, 29,
         "did you mean \"rows\"?"},
        {TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[[\"x\"],\n[\"y\",2]]}"), 4, 1,
         "2 cells where there is 1 column"},
        {TEMPLATE(SEND, "[{\"columns\":[\"name\"],\"rows\":[[\"x\"]]},\n"
                        "{\"columns\":[\"name\"],\"rows\":[[\"x\"]]}]"),
         4, 13, "crossed tables has a column \"name\" too"},
        {TEMPLATE(SEND, "{\"columns\":[\"name\",\"more\"],\"rows\":[[\"x\",1]]}"), 3, 9,
         "the column \"more\" is never used"},
        {TEMPLATE("\"send\":\"${row.nam}\"", "{\"columns\":[\"name\"],\"rows\":[[\"x\"]]}"), 2, 90,
         "no column \"nam\"; did you mean \"name\"?"},
        {TEMPLATE("\"send\":\"a ${row.name\"", "{\"columns\":[\"name\"],\"rows\":[[\"x\"]]}"), 2,
         93, "lacks its closing brace"},
        {TEMPLATE("\"send\":{\"${row.v}\":1}", "{\"columns\":[\"name\",\"v\"],"
                                               "\"rows\":[[\"x\",\n7]]}"),
         4, 1, "must be a String"},
        {TEMPLATE("\"send\":\"a ${row.v}\"", "{\"columns\":[\"name\",\"v\"],"
                                             "\"rows\":[[\"x\",\n[7]]]}"),
         4, 1, "cannot be an Array"},
        {TEMPLATE("\"send\":1,\"${row.v}\":1", "{\"columns\":[\"name\",\"v\"],"
                                               "\"rows\":[[\"x\",\"table\"]]}"),
         2, 103, "a row of a table cannot become a table"},
        // What a row becomes is checked like any case, and told where its bytes stand.
        {TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[[\"x\"],\n[\"Y\"]]}"), 2, 7,
         "not a slug; write section/name in small letters, digits, - and . (in the row \"Y\")"},
        {TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[[\"x\"],\n[\"x\"]]}"), 2, 7,
         "is taken by the case at"},
        {TEMPLATE("\"send\":1,\"needs\":\"${row.v}\"", "{\"columns\":[\"name\",\"v\"],"
                                                       "\"rows\":[[\"x\",[\"echo\"]],\n"
                                                       "[\"y\",[\"ecko\"]]]}"),
         4, 7, "did you mean \"echo\"? (in the row \"y\")"},
        {TEMPLATE("\"send\":{\"a\":\"${row.v}\"}", "{\"columns\":[\"name\",\"v\"],"
                                                   "\"rows\":[[\"x\",\n{\"m\":\"${nothing}\"}]]}"),
         4, 6, "unknown variable \"nothing\""},
    };
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        folder f;
        diagnostics t;
        assert_null(load(&f, wrongs[i].text, &t));
        const jrpc_error *first = &t.all[0];
        if (strstr(first->message, wrongs[i].says) == NULL || first->line != wrongs[i].line ||
            first->column != wrongs[i].column || t.count != 1) {
            print_error("row %zu: %zu of them, %zu:%zu: %s\n", i, t.count, first->line,
                        first->column, first->message);
            wrong++;
        }
        folder_remove(&f);
    }
    assert_int_equal(wrong, 0);
}

// The place of a mistake is found even if a row is made of many pieces of the file.
static void a_mistake_has_its_place_in_each_of_many_pieces(void **state)
{
    (void)state;
    enum { STRINGS = 70, FIRST_LINE = 2 };
    for (int bad = 0; bad < STRINGS; bad++) {
        char text[4096];
        size_t len = (size_t)snprintf(text, sizeof text, "%s",
                                      FILE_BEGIN "{\"id\":\"a/${row.n}\",\"title\":\"t\",\"rules\":"
                                                 "[\"S-1\"],\"expect\":\"nothing\",\"send\":[");
        for (int i = 0; i < STRINGS; i++) {
            len += (size_t)snprintf(text + len, sizeof text - len, "%s\n\"%s\"", i == 0 ? "" : ",",
                                    i == bad ? "${nothing}" : "a");
        }
        (void)snprintf(text + len, sizeof text - len, "%s",
                       "],\"table\":{\"columns\":[\"n\"],\"rows\":[[\"x\"]]}}" FILE_END);
        folder f;
        diagnostics t;
        assert_null(load(&f, text, &t));
        assert_non_null(strstr(t.all[0].message, "unknown variable \"nothing\""));
        assert_int_equal(t.all[0].line, FIRST_LINE + 1 + bad);
        folder_remove(&f);
    }
}

static void a_table_of_too_many_cases_is_refused(void **state)
{
#define TEN "[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9]]"
#define AXIS(name) "{\"columns\":[\"" name "\"],\"rows\":" TEN "}"
    (void)state;
    folder f;
    diagnostics t;
    assert_null(load(&f,
                     FILE_BEGIN
                     "{\"id\":\"a/${row.p}-${row.q}-${row.r}-${row.s}\",\"title\":\"t\","
                     "\"rules\":[\"S-1\"],\"send\":1,\"expect\":\"nothing\",\"table\":[" AXIS(
                         "p") "," AXIS("q") "," AXIS("r") "," AXIS("s") "]}" FILE_END,
                     &t));
    assert_non_null(strstr(t.all[0].message, "more than 4096 cases"));
    folder_remove(&f);
    assert_null(load(&f,
                     FILE_BEGIN
                     "{\"id\":\"a/${row.p}\",\"title\":\"t\",\"rules\":[\"S-1\"],\"send\":1,"
                     "\"expect\":\"nothing\",\"table\":[" AXIS("p") "," AXIS("q") "," AXIS(
                         "r") "," AXIS("s") "," AXIS("t") "]}" FILE_END,
                     &t));
    assert_non_null(strstr(t.all[0].message, "more than 4 tables are crossed"));
    folder_remove(&f);
}

// Every prefix of the file, so that a table may end anywhere.
static void every_prefix_of_a_table_is_reported_and_none_crashes(void **state)
{
    static const char text[] = TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[[\"x\"]]}");
    (void)state;
    for (size_t len = 0; len + 1 < sizeof text; len++) {
        char part[sizeof text];
        folder f;
        diagnostics t;
        memcpy(part, text, len);
        part[len] = '\0';
        assert_null(load(&f, part, &t));
        assert_int_equal(t.count, 1);
        folder_remove(&f);
    }
}

static void running_out_of_memory_anywhere_is_reported(void **state)
{
    (void)state;
    folder f;
    size_t failures = 0;
    jck_suite_free(
        load_right(&f, TEMPLATE(SEND ",\"why\":\"a ${row.long}\"",
                                "[{\"columns\":[\"name\"],\"rows\":[[\"x\"],[\"y\"]]},"
                                "{\"columns\":[\"long\"],\"rows\":[[\"something\"]]}]")));
    for (size_t n = 0;; n++) {
        jrpc_failing_allocator failing;
        jrpc_error error = {0};
        jrpc_failing_allocator_init(&failing, n);
        jck_suite *suite = jck_suite_load_with(&failing.allocator, f.path, NULL, NULL, &error);
        if (suite != NULL) {
            assert_int_equal(jck_suite_case_count(suite), 2);
            jck_suite_free(suite);
            break;
        }
        assert_int_equal(error.code, JRPC_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 5);
    folder_remove(&f);
}

// What a message shows of a row is cut within no character and obeys no terminal.
static void the_name_of_a_row_is_fit_to_be_shown(void **state)
{
    (void)state;
    folder f;
    diagnostics t;
    assert_null(load(&f,
                     TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[[\"aaaaaaaaaaaaaaaaaaaaaaaa"
                                    "aaaaaaaaaaaaaa\xc3\xa9\"]]}"),
                     &t));
    assert_non_null(strstr(t.all[0].message, "aaa"));
    assert_null(strstr(t.all[0].message, "\xc3)"));
    folder_remove(&f);
    assert_null(load(&f, TEMPLATE(SEND, "{\"columns\":[\"name\"],\"rows\":[[\"\xc2\x9b\"]]}"), &t));
    assert_null(strstr(t.all[0].message, "\xc2\x9b"));
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_becomes_a_case_of_its_own),
        cmocka_unit_test(a_cell_may_be_a_part_of_a_text_a_name_or_a_list),
        cmocka_unit_test(crossed_tables_become_every_pair_the_last_changing_fastest),
        cmocka_unit_test(wrong_tables_are_reported_with_their_place),
        cmocka_unit_test(a_mistake_has_its_place_in_each_of_many_pieces),
        cmocka_unit_test(a_table_of_too_many_cases_is_refused),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported),
        cmocka_unit_test(the_name_of_a_row_is_fit_to_be_shown),
        cmocka_unit_test(every_prefix_of_a_table_is_reported_and_none_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
