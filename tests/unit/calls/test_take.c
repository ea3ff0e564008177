// What a received text means for the calls under way.
#include "tests/unit/calls/calls_test.h"

#define R(id, result) V "\"result\":" result ",\"id\":" id "}"
#define E(id) V "\"error\":{\"code\":-32600,\"message\":\"no\"},\"id\":" id "}"
#define ERROR "{\"code\":-32600,\"message\":\"no\"}"

// Two calls, 1 and 2, are under way in each row.
static const struct {
    const char *text;
    const char *expected;
} alone[] = {
    {R("1", "19"), "1 result 19;"},
    {R("2", "null"), "2 result null;"},
    {R("1", "false"), "1 result false;"},
    {R("1", "\"\""), "1 result \"\";"},
    {R("1", "9007199254740993"), "1 result 9007199254740993;"},
    {R("1", "1e400"), "1 result 1e400;"},
    {" \t\r\n" R("1", "[ 1 , { } ]") "\r\n", "1 result [1,{}];"},
    {E("2"), "2 error " ERROR ";"},
    {V "\"error\":{\"code\":1,\"message\":\"\",\"data\":null},\"id\":1}",
     "1 error {\"code\":1,\"message\":\"\",\"data\":null};"},
    // An id is a value, not a spelling; a String is another value.
    {R("1.0", "7"), "1 result 7;"},
    {R("10e-1", "7"), "1 result 7;"},
    {R("\"1\"", "7"), "stray unknown id;"},
    {R("1.5", "7"), "stray unknown id;"},
    {R("0", "7"), "stray unknown id;"},
    {R("-1", "7"), "stray unknown id;"},
    {R("3", "7"), "stray unknown id;"},
    {R("18446744073709551617", "7"), "stray unknown id;"},
    {R("[1]", "7"), "stray unknown id;"},
    {R("true", "7"), "stray unknown id;"},
    // Responses that break section 5 are answers all the same.
    {"{\"result\":7,\"id\":1}", "1 broken {\"result\":7,\"id\":1};"},
    {"{\"jsonrpc\":\"1.0\",\"result\":7,\"id\":1}",
     "1 broken {\"jsonrpc\":\"1.0\",\"result\":7,\"id\":1};"},
    {"{\"jsonrpc\":2.0,\"result\":7,\"id\":1}",
     "1 broken {\"jsonrpc\":2.0,\"result\":7,\"id\":1};"},
    {V "\"result\":7,\"error\":null,\"id\":1}",
     "1 broken " V "\"result\":7,\"error\":null,\"id\":1};"},
    {V "\"id\":1}", "1 broken " V "\"id\":1};"},
    {V "\"error\":null,\"id\":1}", "1 broken " V "\"error\":null,\"id\":1};"},
    {V "\"error\":{\"code\":1.5,\"message\":\"\"},\"id\":1}",
     "1 broken " V "\"error\":{\"code\":1.5,\"message\":\"\"},\"id\":1};"},
    {V "\"error\":{\"code\":1},\"id\":1}", "1 broken " V "\"error\":{\"code\":1},\"id\":1};"},
    // Nobody knows whose these are.
    {E("null"), "stray refusal;"},
    {V "\"error\":{\"code\":1,\"message\":\"\"}}", "stray refusal;"},
    {R("null", "7"), "stray invalid;"},
    {V "\"result\":7}", "stray invalid;"},
    {"", "stray not JSON;"},
    {"{", "stray not JSON;"},
    {"log line", "stray not JSON;"},
    {R("1", "7") R("2", "8"), "stray not JSON;"},
    {"null", "stray invalid;"},
    {"1", "stray invalid;"},
    {"{}", "stray invalid;"},
    {"[]", "stray invalid;"},
    {"[1,[]]", "stray invalid;stray invalid;"},
    // An Array around single answers, in any order.
    {"[" R("2", "8") "," R("1", "7") "]", "2 result 8;1 result 7;"},
    {"[" R("1", "7") "," R("1", "8") "]", "1 result 7;stray over;"},
    // An error that names no call is taken last: it belongs to the call that nothing else answers.
    {"[" E("null") "," R("2", "8") "," R("1", "7") "]", "2 result 8;1 result 7;stray refusal;"},
    {"[" E("null") "," R("2", "8") "]", "2 result 8;1 refused " ERROR ";"},
    // The server's own messages.
    {V "\"method\":\"n\",\"params\":[1]}",
     "own \"n\";serve " V "\"method\":\"n\",\"params\":[1]};"},
    {V "\"method\":\"c\",\"id\":1}", "own \"c\";serve " V "\"method\":\"c\",\"id\":1};"},
    {V "\"method\":1,\"id\":1}", "serve " V "\"method\":1,\"id\":1};"},
    {"[" V "\"method\":\"n\"}," R("1", "7") "," V "\"method\":\"c\",\"id\":1}]",
     "own \"n\";1 result 7;own \"c\";serve [" V "\"method\":\"n\"}," V
     "\"method\":\"c\",\"id\":1}];"},
};

static void a_text_means_what_the_header_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(alone); i++) {
        rig self;
        rig_open(&self, jrpc_allocator_heap(), NULL, 0);
        assert_int_equal(rig_call(&self, 0), 1);
        assert_int_equal(rig_call(&self, 0), 2);
        rig_expect(&self, alone[i].text, 0, alone[i].expected);
        rig_close(&self);
    }
}

static void a_second_answer_and_a_late_one_change_nothing(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    (void)rig_call(&self, 100);
    (void)rig_call(&self, 200);
    rig_expect(&self, R("2", "8"), 0, "2 result 8;");
    rig_expect(&self, R("2", "9"), 0, "stray over;");
    jrpc_buffer_clear(&self.log);
    jrpc_calls_expire(self.calls, 100);
    rig_expect_log(&self, "1 timed out ;");
    assert_int_equal(rig_call(&self, 0), 3);
    rig_expect(&self, R("1", "7"), 0, "stray over;");
    rig_expect(&self, R("3", "9"), 0, "3 result 9;");
    assert_int_equal(jrpc_calls_count(self.calls), 0);
    rig_close(&self);
}

static void an_error_with_id_null_ends_the_only_message_under_way(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    rig_expect(&self, E("null"), 0, "stray refusal;");
    (void)rig_call(&self, 0);
    rig_expect(&self, E("null"), 0, "1 refused " ERROR ";");
    rig_batch(&self, 2);
    rig_expect(&self, E("null"), 0, "2 refused " ERROR ";3 refused " ERROR ";");
    (void)rig_call(&self, 0);
    rig_expect(&self, V "\"error\":" ERROR "}", 0, "4 broken " V "\"error\":" ERROR "};");
    rig_expect(&self, E("null"), 0, "stray refusal;");
    rig_close(&self);
}

static void what_the_answer_to_a_batch_leaves_out_is_missing(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    rig_batch(&self, 3);
    (void)rig_call(&self, 0);
    rig_expect(&self, "[" R("3", "9") "," R("77", "0") "," E("1") "]", 0,
               "3 result 9;stray unknown id;1 error " ERROR ";2 missing ;");
    rig_expect(&self, R("4", "1"), 0, "4 result 1;");
    // One that is answered by itself leaves the others waiting.
    rig_batch(&self, 2);
    rig_expect(&self, R("6", "6"), 0, "6 result 6;");
    rig_expect(&self, R("5", "5"), 0, "5 result 5;");
    rig_close(&self);
}

static void an_answer_of_known_scope_answers_nothing_else(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    (void)rig_call(&self, 0);
    (void)rig_call(&self, 0);
    rig_expect(&self, R("2", "8"), 1, "stray unknown id;");
    rig_expect(&self, E("null"), UINT64_MAX, "stray refusal;");
    rig_expect(&self, E("null"), 2, "2 refused " ERROR ";");
    rig_expect(&self, R("1", "7"), UINT64_MAX, "stray unknown id;");
    jrpc_buffer_clear(&self.log);
    jrpc_calls_conclude(self.calls, 1, JRPC_ANSWER_MISSING, "the exchange is over");
    rig_expect_log(&self, "1 missing ;");
    rig_close(&self);
}

static void answers_may_be_deeper_and_longer_than_any_default(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    rig self;
    jrpc_buffer text;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    jrpc_buffer_init(&text, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    (void)rig_call(&self, 0);
    jrpc_buffer_append_str(&text, V "\"id\":1,\"result\":");
    for (int i = 0; i < DEPTH; i++) {
        jrpc_buffer_append_char(&text, '[');
    }
    for (int i = 0; i < DEPTH; i++) {
        jrpc_buffer_append_char(&text, ']');
    }
    assert_true(jrpc_buffer_append_char(&text, '}'));
    assert_true(jrpc_calls_take(self.calls, jrpc_buffer_slice(&text), 0, NULL));
    assert_int_equal(self.log.len, sizeof "1 result ;" - 1 + (size_t)2 * DEPTH);
    jrpc_buffer_done(&text);
    rig_close(&self);
}

// Begins another call whenever one is over.
static void call_again(void *context, const jrpc_answer *answer)
{
    log_answer(context, answer);
    (void)rig_call(context, answer->kind == JRPC_ANSWER_TIMED_OUT ? 50 : 0);
}

static void calls_may_be_begun_where_others_end(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    jrpc_call_parts parts[40];
    for (size_t i = 0; i < LENGTH(parts); i++) {
        parts[i] = (jrpc_call_parts){
            .method = JRPC_SLICE("m"), .deadline_us = 10, .answered = call_again, .context = &self};
        assert_true(jrpc_calls_begin(self.calls, &parts[i], &self.out, NULL, NULL));
    }
    rig_expect(&self, R("40", "7"), 0, "40 result 7;");
    jrpc_calls_expire(self.calls, 20);
    assert_int_equal(jrpc_calls_count(self.calls), LENGTH(parts));
    assert_int_equal(jrpc_calls_next_deadline(self.calls), 50);
    jrpc_calls_conclude(self.calls, 0, JRPC_ANSWER_CLOSED, "gone");
    assert_int_equal(jrpc_calls_count(self.calls), 0);
    rig_close(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_means_what_the_header_says),
        cmocka_unit_test(a_second_answer_and_a_late_one_change_nothing),
        cmocka_unit_test(an_error_with_id_null_ends_the_only_message_under_way),
        cmocka_unit_test(what_the_answer_to_a_batch_leaves_out_is_missing),
        cmocka_unit_test(an_answer_of_known_scope_answers_nothing_else),
        cmocka_unit_test(answers_may_be_deeper_and_longer_than_any_default),
        cmocka_unit_test(calls_may_be_begun_where_others_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
