// What is due for a message, and where nothing is.
#include "harness/live/due.h"
#include "harness/live/expect.h"
#include "harness/live/result.h"
#include "harness/live/scan.h"

#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define CALL "{\"jsonrpc\":\"2.0\",\"method\":\"nobody\""
#define ID ",\"id\":1}"

static const jck_mapping mappings[] = {
    {.capability = {"subtract", 8},
     .method = {"\"minus\"", 7},
     .by_position = true,
     .by_name = true},
    {.capability = {"echo", 4}, .method = {"\"echo\"", 6}, .by_position = true, .by_name = true},
    {.capability = {"sum", 3}, .method = {"\"sum\"", 5}, .by_position = true},
    {.capability = {"get_data", 8}, .method = {"\"get_data\"", 10}, .by_position = true},
    {.capability = {"fail", 4}, .method = {"\"fail\"", 6}, .by_position = true},
    {.capability = {"app_error", 9},
     .method = {"\"app_error\"", 11},
     .by_position = true,
     .by_name = true},
};
static const jck_target target = {.mappings = mappings, .mapping_count = 6};
static const jck_calibration calibration = {.absent_answers = true};
static const jck_due_context context = {&target, &calibration, {"\"nobody\"", 8}, NULL};

typedef struct row {
    const char *text;
    jck_due_kind kind;
    jck_due_form form;
    int code;
} row;

static const row rows[] = {
    {CALL ID, JCK_DUE_ONE, JCK_FORM_CALL, -32601},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\\u006eobody\",\"id\":1}", JCK_DUE_ONE, JCK_FORM_CALL,
     -32601},
    {CALL ",\"id\":null}", JCK_DUE_ONE, JCK_FORM_CALL, -32601},
    {CALL "}", JCK_DUE_NOTHING, JCK_FORM_NOTIFY, -32600},
    {CALL ",\"extra\":1}", JCK_DUE_MAYBE, JCK_FORM_NOTIFY, -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\"}", JCK_DUE_MAYBE, JCK_FORM_NOTIFY, -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minus\",\"params\":[1,2]" ID, JCK_DUE_ONE, JCK_FORM_KNOWN,
     0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\\u006dinus\"" ID, JCK_DUE_ONE, JCK_FORM_KNOWN, 0},
    // Methods that a target may have beside "minus".
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minu\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minus2\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"math.minus\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minus.nobody\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"/nobody/minus\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minus\\u0000x\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minus \\n\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\\tminus\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\u3000minus\\u00a0\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"m%69nus\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"m%70nus\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"minus%\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"rpc.minus\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"rpc.nobody\"" ID, JCK_DUE_ONE, JCK_FORM_CALL, -32601},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"rpc.other\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"constructor\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"__p\\u0072oto__\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"constructors\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"toString\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"mi nus\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"Minus\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"get-data\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\uff4dinus\"" ID, JCK_DUE_ONE, JCK_FORM_NEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\uff4cinus\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"$/nobody\"" ID, JCK_DUE_ONE, JCK_FORM_CALL, -32601},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"%/nobody\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"[{\"jsonrpc\":\"2.0\",\"method\":\"$/nobody\"" ID "]", JCK_DUE_ANY, JCK_FORM_UNCLEAR, 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"other\"" ID, JCK_DUE_ONE, JCK_FORM_OTHER, 0},
    {"{\"jsonrpc\":\"1.0\",\"method\":\"nobody\"" ID, JCK_DUE_ONE, JCK_FORM_INVALID, -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":1}", JCK_DUE_MAYBE, JCK_FORM_INVALID, -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":null}", JCK_DUE_MAYBE, JCK_FORM_INVALID, -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"nobody\",\"id\":[]}", JCK_DUE_ONE, JCK_FORM_INVALID,
     -32600},
    {"{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":1}", JCK_DUE_ANY, JCK_FORM_RESPONSE, 0},
    {CALL ",\"id\":1,\"id\":2}", JCK_DUE_ANY, JCK_FORM_UNCLEAR, 0},
    {"[]", JCK_DUE_ONE, JCK_FORM_EMPTY, -32600},
    {"1", JCK_DUE_ONE, JCK_FORM_SCALAR, -32600},
    {"[1]", JCK_DUE_BATCH, JCK_FORM_BATCH, 0},
    {"[" CALL "}]", JCK_DUE_NOTHING, JCK_FORM_BATCH, 0},
    {"[" CALL ID ",[]]", JCK_DUE_BATCH, JCK_FORM_BATCH, 0},
    // No sentence asks for distinct ids: both are answered.
    {"[" CALL ID "," CALL ID "]", JCK_DUE_BATCH, JCK_FORM_BATCH, 0},
    {"[" CALL ",\"id\":null}," CALL ",\"id\":null}]", JCK_DUE_ANY, JCK_FORM_UNCLEAR, 0},
    {"[" CALL ID ",{\"jsonrpc\":\"2.0\",\"id\":1}]", JCK_DUE_ANY, JCK_FORM_UNCLEAR, 0},
    {"[{\"jsonrpc\":\"1.0\",\"method\":\"nobody\"" ID "]", JCK_DUE_ANY, JCK_FORM_UNCLEAR, 0},
    {CALL, JCK_DUE_ONE, JCK_FORM_CUT, -32700},
    {"{\"a\":\"b", JCK_DUE_ONE, JCK_FORM_CUT, -32700},
    {"[1,2", JCK_DUE_ONE, JCK_FORM_CUT, -32700},
    // What an extension of JSON, or a reader of several values, may take.
    {"[1,]", JCK_DUE_ANY, JCK_FORM_TEXT, -32700},
    {"{'a':1", JCK_DUE_ANY, JCK_FORM_TEXT, -32700},
    {"{\"a\":1 // }", JCK_DUE_ANY, JCK_FORM_TEXT, -32700},
    {"{}{", JCK_DUE_ANY, JCK_FORM_TEXT, -32700},
    {"hello", JCK_DUE_ANY, JCK_FORM_TEXT, -32700},
};

static jck_due due_for(const char *text, jrpc_json_document *document)
{
    return jck_due_for(&context, jrpc_slice_str(text), document);
}

static void test_what_is_due_follows_from_the_text(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_due due = due_for(rows[i].text, &document);
        if (due.kind != rows[i].kind || due.form != rows[i].form || due.code != rows[i].code) {
            fail_msg("%s: kind %d, form %d, code %d", rows[i].text, (int)due.kind, (int)due.form,
                     due.code);
        }
    }
    jrpc_json_document_done(&document);
}

// Brackets that are not closed are counted up to a depth; deeper texts are not called truncated.
static void test_a_text_is_cut_up_to_a_depth(void **state)
{
    (void)state;
    enum { COUNTED = 64 };
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (int depth = COUNTED - 1; depth <= COUNTED + 1; depth++) {
        char text[COUNTED + 2] = "";
        memset(text, '[', (size_t)depth);
        jck_due due = due_for(text, &document);
        assert_int_equal(due.form, depth <= COUNTED ? JCK_FORM_CUT : JCK_FORM_TEXT);
    }
    jrpc_json_document_done(&document);
}

static void test_what_readers_may_differ_about_is_seen(void **state)
{
    (void)state;
    static const struct {
        const char *params;
        unsigned odd;
    } table[] = {
        {"[1,\"a\",{\"b\":null}]", 0},
        {"[1.5]", JCK_ODD_FRACTION},
        {"[9007199254740993]", JCK_ODD_NUMBER},
        {"[-0]", JCK_ODD_FRACTION},
        {"[1e00000000000000000001]", JCK_ODD_FRACTION | JCK_ODD_NUMBER},
        {"[\"\\u0000\"]", JCK_ODD_STRING},
        {"[\"\\ud800\"]", JCK_ODD_STRING},
        {"[\"\\ud83d\\ude00\"]", 0},
        {"{\"a\":1,\"a\":2}", JCK_ODD_TWICE},
        {"[1,2,3,4,5,6,7,8,9]", JCK_ODD_SIZE},
        {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", JCK_ODD_DEPTH},
    };
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, CALL ",\"params\":%s" ID, table[i].params);
        assert_int_equal(due_for(text, &document).odd, table[i].odd);
    }
    jrpc_json_document_done(&document);
}

static void test_an_id_that_need_not_come_back_is_loose(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        bool loose;
    } table[] = {{"1", false},          {"1.0", false},
                 {"1e2", false},        {"0.5", false},
                 {"0.1", true},         {"9007199254740993", true},
                 {"\"a\"", false},      {"\"\\ud83d\\ude00\"", false},
                 {"\"\\ud800\"", true}, {"2147483648", false},
                 {"1e400", true},       {"1e23", true},
                 {"1e18", false}};
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, CALL ",\"id\":%s}", table[i].id);
        bool loose = (due_for(text, &document).odd & JCK_ODD_ID) != 0;
        if (loose != table[i].loose) {
            fail_msg("id %s", table[i].id);
        }
    }
    jrpc_json_document_done(&document);
}

static void test_where_every_name_gets_a_result_a_near_one_may_get_one(void **state)
{
    (void)state;
    static const jck_calibration gives = {.absent_answers = true, .absent_gives_result = true};
    const jck_due_context other = {&target, &gives, {"\"nobody\"", 8}, NULL};
    const jrpc_slice text = JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.minus\"" ID);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_false(jck_due_for(&context, text, &document).result);
    assert_true(jck_due_for(&other, text, &document).result);
    jrpc_json_document_done(&document);
}

static void test_the_error_that_a_method_is_asked_for_is_known_where_it_may_give_it(void **state)
{
    (void)state;
    static const struct {
        const char *params;
        bool given;
        int64_t code;
        const char *data; // NULL: none
    } table[] = {
        {"{\"code\":404,\"data\":{\"a\":[]}}", true, 404, "{\"a\":[]}"},
        {"{\"code\":-32050}", true, -32050, NULL},
        {"{\"code\":5,\"data\":null}", true, 5, NULL},
        {"[-1,\"no\"]", true, -1, NULL},
        {"[-1,\"no\",null]", false, 0, NULL}, // the second may be the message or the data
        {"[-1,{}]", false, 0, NULL},
        {"{\"message\":\"no\",\"code\":-32050}", false, 0, NULL}, // a name that it may not have
        {"{\"code\":-32603,\"data\":1}", false, 0, NULL},         // the protocol's own
        {"{\"code\":-32100}", false, 0, NULL},                    // reserved
        {"{\"code\":1.5}", false, 0, NULL},
        {"{\"code\":1,\"data\":0.1}", false, 0, NULL}, // readers may differ
        {"{\"code\":1,\"message\":2}", false, 0, NULL},
        {"{\"code\":1,\"more\":2}", false, 0, NULL},
        {"[1]", false, 0, NULL},
        {"{}", false, 0, NULL},
    };
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[256];
        jck_error_given given = {0};
        (void)snprintf(text, sizeof text,
                       "{\"jsonrpc\":\"2.0\",\"method\":\"app_error\",\"params\":%s" ID,
                       table[i].params);
        jck_due due = due_for(text, &document);
        assert_false(due.result);
        assert_int_equal(due.kind, table[i].given ? JCK_DUE_ONE : JCK_DUE_ANY);
        assert_int_equal(jck_error_given_of(&due, &given), table[i].given);
        if (table[i].given) {
            assert_int_equal(given.code, table[i].code);
            assert_true(table[i].data == NULL
                            ? !jrpc_json_exists(given.data)
                            : jrpc_slice_is(jrpc_json_spelling(given.data), table[i].data));
        }
    }
    jck_due due = due_for("{\"jsonrpc\":\"2.0\",\"method\":\"fail\"" ID, &document);
    assert_false(due.result);
    assert_int_equal(due.kind, JCK_DUE_ONE);
    jrpc_json_document_done(&document);
}

static void test_the_result_of_a_known_method_is_known_where_all_readers_agree(void **state)
{
    (void)state;
    static const struct {
        const char *method, *params, *result; // NULL: not known
    } table[] = {
        {"minus", "[42,23]", "19"},
        {"minus", "{\"subtrahend\":23,\"minuend\":42}", "19"},
        {"minus", "[42,23,1]", NULL},
        {"minus", "[1.5,1]", NULL},
        {"minus", "[4294967295,-1]", "4294967296"},
        {"minus", "[9999999999999,1]", NULL},
        {"echo", "[1,2,3,4,5,6,7,8,9]", "[1,2,3,4,5,6,7,8,9]"},
        {"sum", "[1,2,3]", "6"},
        {"sum", "{\"a\":1}", NULL},
        {"echo", "[1,\"a\"]", "[1,\"a\"]"},
        {"echo", "[0.1]", NULL},
        {"echo", "[\"\\u0000\"]", NULL},
        {"echo", "[\"${id}\"]", NULL},
        {"echo", "[]", NULL},
    };
    jrpc_json_document document;
    jrpc_buffer out;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 1024);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s" ID,
                       table[i].method, table[i].params);
        jck_due due = due_for(text, &document);
        jrpc_buffer_clear(&out);
        assert_int_equal(jck_result_write(&due, &out), table[i].result != NULL);
        assert_true(
            jrpc_slice_is(jrpc_buffer_slice(&out), table[i].result == NULL ? "" : table[i].result));
    }
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&document);
}

static void test_every_expectation_is_json(void **state)
{
    (void)state;
    static const jck_live_rules rules = {
        .owed = {"A", 1}, .invalid = {"B", 1}, .absent = {"C", 1}, .reserved = {"D", 1}};
    jrpc_json_document document;
    jrpc_json_document written;
    jrpc_buffer out;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_json_document_init(&written, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 8192);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_due due = due_for(rows[i].text, &document);
        jrpc_buffer_clear(&out);
        assert_true(jck_expect_write(&context, &rules, &due, &out));
        if (!jrpc_json_read(&written, jrpc_buffer_slice(&out), 64, NULL)) {
            fail_msg("%s: %.*s", rows[i].text, (int)out.len, out.ptr);
        }
    }
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&written);
    jrpc_json_document_done(&document);
}

#define NAMED(name) "{\"jsonrpc\":\"2.0\",\"method\":\"" name "\",\"id\":1}"
#define GOOD NAMED("nobody")

static void test_a_message_is_about_the_rule_that_cases_like_it_name(void **state)
{
    (void)state;
    static const jck_live_rules rules = {.absent = {"absent", 6},
                                         .batch = {"batch", 5},
                                         .batch_invalid = {"invalid", 7},
                                         .batch_nested = {"nested", 6},
                                         .batch_silent = {"silent", 6},
                                         .reserved = {"reserved", 8},
                                         .registered = {"registered", 10}};
    static const struct {
        const char *text;
        const char *rule;
        bool lenient; // it is a SHOULD there
    } table[] = {
        {GOOD, "absent", false},
        {NAMED("rpc.nobody"), "reserved", false},
        {NAMED("rpc.minus"), "reserved", false},
        {NAMED("constructor"), "registered", false},
        {NAMED("minus\\u0000"), "registered", false},
        {NAMED("minus "), "registered", true},
        {NAMED("%6dinus"), "registered", true},
        {"[" GOOD "]", "batch", false},
        {"[{\"jsonrpc\":\"2.0\",\"method\":\"nobody\"}]", "silent", false},
        {"[0,0]", "invalid", false},
        {"[{}]", "invalid", false},
        {"[1," GOOD "]", "invalid", false},
        {"[[]]", "nested", false},
        {"[[],[1]]", "nested", false},
        {"[[],1]", "invalid", false},
    };
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jck_due due = due_for(table[i].text, &document);
        if (!jrpc_slice_is(jck_live_rule_for(&rules, &due), table[i].rule) ||
            jck_live_is_lenient(&due) != table[i].lenient) {
            fail_msg("%s", table[i].text);
        }
    }
    jrpc_json_document_done(&document);
}

static void test_equal_ids_have_keys_that_agree(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "1",    "1.0",   "10e-1",       "0",     "-0",
        "10",   "\"a\"", "\"\\u0061\"", "\"b\"", "\"1\"",
        "null", "true",  "[1]",         "{}",    "100000000000000000000"};
    enum { COUNT = sizeof ids / sizeof *ids };
    jrpc_json_document documents[COUNT];
    size_t apart = 0;
    for (size_t i = 0; i < COUNT; i++) {
        jrpc_json_document_init(&documents[i], jrpc_allocator_heap());
        assert_true(jrpc_json_read(&documents[i], jrpc_slice_str(ids[i]), 8, NULL));
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) {
            jrpc_json a = jrpc_json_root(&documents[i]);
            jrpc_json b = jrpc_json_root(&documents[k]);
            bool agree = jck_id_keys_may_agree(jck_id_key(a), jck_id_key(b));
            assert_true(agree || !jrpc_json_equal(a, b));
            assert_int_equal(jck_ids_equal(a, b), jrpc_json_equal(a, b));
            apart += agree ? 0 : 1;
        }
    }
    assert_true(apart > COUNT); // or they would be of no use
    for (size_t i = 0; i < COUNT; i++) {
        jrpc_json_document_done(&documents[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_due_follows_from_the_text),
        cmocka_unit_test(test_a_text_is_cut_up_to_a_depth),
        cmocka_unit_test(test_what_readers_may_differ_about_is_seen),
        cmocka_unit_test(test_an_id_that_need_not_come_back_is_loose),
        cmocka_unit_test(test_where_every_name_gets_a_result_a_near_one_may_get_one),
        cmocka_unit_test(test_the_error_that_a_method_is_asked_for_is_known_where_it_may_give_it),
        cmocka_unit_test(test_the_result_of_a_known_method_is_known_where_all_readers_agree),
        cmocka_unit_test(test_every_expectation_is_json),
        cmocka_unit_test(test_a_message_is_about_the_rule_that_cases_like_it_name),
        cmocka_unit_test(test_equal_ids_have_keys_that_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
