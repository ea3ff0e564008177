// What the specification leaves open, side by side: a row for each question, a cell for each run.
#include "tests/unit/report/report_test.h"

#define START                                                                                      \
    "{\"event\":\"start\",\"schema\":2,\"target\":{\"name\":\"t\"}}\n"                             \
    "{\"event\":\"rule\",\"id\":\"O-1\",\"level\":\"OBSERVE\",\"sentence\":\"an open one\"}\n"
#define FINISH "{\"event\":\"finish\",\"conformant\":true}\n"
#define ONE(outcome, observed)                                                                     \
    START "{\"event\":\"case\",\"id\":\"a/one\",\"rules\":[\"O-1\"],\"outcome\":\"" outcome        \
          "\",\"observed\":{" observed "}}\n" FINISH
#define FIRST ONE("observe", "\"O-1\":\"first\"")
#define LAST ONE("observe", "\"O-1\":\"last\"")
#define BOTH ONE("observe", "\"O-1\":[\"first\",\"last\"]")
#define WITHOUT(outcome) ONE(outcome, "")
#define MANY(value) ONE("observe", "\"order\":\"" value "\"")
#define NOT_ASKED START FINISH

#define OPEN "<td class=\"u\">\xc2\xb7</td>"
#define USUAL "<td class=\"k\">\xe2\x9c\x93</td>"
#define ONCE(value)                                                                                \
    value " \xc3\x97"                                                                              \
          "1"
#define CELL(class, text) "<td class=\"" class "\">" text "</td>"

static void a_question_is_one_row_with_a_cell_for_each_run(void **state)
{
    (void)state;
    static const struct {
        const char *stream;
        bool differ;
        const char *cells;
    } table[] = {
        {FIRST FIRST, false, CELL("v0", "first") CELL("v0", "first")},
        {FIRST LAST, true, CELL("v0", "first") CELL("v1", "last")},
        {FIRST LAST FIRST, true, CELL("v0", "first") CELL("v1", "last") CELL("v0", "first")},
        {FIRST BOTH, true, CELL("v0", "first") CELL("v0", "first<br>last")},
        // An answer that passes and an answer that is only recorded are two different answers.
        {FIRST WITHOUT("pass"), true, CELL("v0", "first") USUAL},
        {FIRST WITHOUT("observe"), true, CELL("v0", "first") USUAL},
        {FIRST WITHOUT("warn"), true, CELL("v0", "first") CELL("s", "warn")},
        {FIRST WITHOUT("ended"), true, CELL("v0", "first") CELL("s", "ended")},
        {FIRST WITHOUT("fail"), true, CELL("v0", "first") CELL("m", "fail")},
        {FIRST WITHOUT("crash"), true, CELL("v0", "first") CELL("m", "crash")},
        // A missing answer is not an answer.
        {FIRST WITHOUT("skip"), false, CELL("v0", "first") OPEN},
        {FIRST WITHOUT("blocked"), false, CELL("v0", "first") OPEN},
        {FIRST WITHOUT("error"), false, CELL("v0", "first") OPEN},
        {FIRST NOT_ASKED, false, CELL("v0", "first") OPEN},
        {NOT_ASKED FIRST, false, OPEN CELL("v0", "first")},
        // If many cases ask the same question, all answers are counted.
        {MANY("x") MANY("x"), false, CELL("v0", ONCE("x")) CELL("v0", ONCE("x"))},
        {MANY("x") MANY("y"), true, CELL("v0", ONCE("x")) CELL("v1", ONCE("y"))},
        {MANY("x") NOT_ASKED, false, CELL("v0", ONCE("x")) OPEN},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = rendered("matrix", jrpc_slice_str(table[i].stream), (jck_report_options){0});
        char row[400];
        (void)snprintf(row, sizeof row, "</th>%s</tr>\n", table[i].cells);
        const char *open = strstr(text, "id=\"open\"");
        assert_non_null(open);
        const char *begin = strstr(open, "<tr data-is=\"");
        assert_non_null(begin);
        const char *end = strstr(begin, "</tr>\n");
        assert_non_null(end);
        const char *differ = "<tr data-is=\"differ\">";
        bool right = strstr(begin, row) != NULL && strstr(begin, row) < end &&
                     (strncmp(begin, differ, strlen(differ)) == 0) == table[i].differ;
        if (!right) {
            fail_msg("row %zu: expected %s, got %.*s", i, table[i].cells, (int)(end - begin),
                     begin);
        }
        free(text);
    }
}

// A run may give many answers to one question; the first seventeen are kept.
static void seventeen_answers_of_a_run_are_kept(void **state)
{
    (void)state;
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), 1 << 16);
    assert_true(jrpc_buffer_append_str(&stream,
                                       START "{\"event\":\"case\",\"id\":\"a/one\",\"rules\":["
                                             "\"O-1\"],\"outcome\":\"observe\",\"observed\":{"
                                             "\"order\":["));
    for (int i = 0; i < 19; i++) {
        assert_true(jrpc_buffer_printf(&stream, "%s\"answer-%d-\"", i == 0 ? "" : ",", i));
    }
    assert_true(jrpc_buffer_append_str(&stream, "]}}\n" FINISH));
    char *text = rendered("matrix", jrpc_buffer_slice(&stream), (jck_report_options){0});
    assert_non_null(strstr(text, "answer-16-"));
    assert_null(strstr(text, "answer-17-"));
    free(text);
    jrpc_buffer_done(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_one_row_with_a_cell_for_each_run),
        cmocka_unit_test(seventeen_answers_of_a_run_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
