// The record of an exchange.
#include "harness/evidence/evidence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)256 << 20)

static void an_empty_record_has_reached_no_step(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_evidence evidence;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    assert_true(jck_evidence_init(&evidence, &arena, 3));
    assert_int_equal(evidence.step_count, 3);
    assert_int_equal(evidence.count, 0);
    assert_int_equal(evidence.end.kind, JRPC_END_OPEN);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(evidence.settled[i], JCK_NOT_RUN);
    }
    assert_true(jck_evidence_init(&evidence, &arena, 0));
    assert_non_null(evidence.settled);
    jrpc_arena_done(&arena);
}

static void messages_are_copied_and_kept_in_order(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_evidence evidence;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    assert_true(jck_evidence_init(&evidence, &arena, 1));
    for (int i = 0; i < 100; i++) {
        char bytes[2] = {(char)i, 'x'};
        char headers[] = "A: b";
        char why[] = "no frame";
        jck_message message = {.direction = i % 2 == 0 ? JCK_SENT : JCK_RECEIVED,
                               .step = i,
                               .bytes = jrpc_slice_of(bytes, sizeof bytes),
                               .why = i == 7 ? why : NULL,
                               .http_headers = jrpc_slice_str(headers)};
        assert_true(jck_evidence_add(&evidence, &message));
        bytes[0] = headers[0] = why[0] = '!';
    }
    assert_int_equal(evidence.count, 100);
    assert_int_equal(evidence.kept_bytes, 200);
    for (int i = 0; i < 100; i++) {
        const jck_message *message = &evidence.messages[i];
        assert_int_equal(message->step, i);
        assert_int_equal(message->bytes.len, 2);
        assert_int_equal(message->bytes.ptr[0], i);
        assert_int_equal(message->true_len, 2);
        assert_true(jrpc_slice_is(message->http_headers, "A: b"));
        assert_true(i == 7 ? strcmp(message->why, "no frame") == 0 : message->why == NULL);
    }
    jrpc_arena_done(&arena);
}

static void long_messages_are_capped_and_say_how_long_they_were(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_evidence evidence;
    size_t len = JCK_EVIDENCE_MESSAGE_BYTES + 1;
    char *bytes = calloc(1, len);
    assert_non_null(bytes);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    assert_true(jck_evidence_init(&evidence, &arena, 1));
    jck_message message = {.bytes = jrpc_slice_of(bytes, len - 1)};
    assert_true(jck_evidence_add(&evidence, &message));
    assert_int_equal(evidence.messages[0].bytes.len, JCK_EVIDENCE_MESSAGE_BYTES);
    assert_int_equal(evidence.messages[0].true_len, JCK_EVIDENCE_MESSAGE_BYTES);
    message.bytes.len = len;
    assert_true(jck_evidence_add(&evidence, &message));
    assert_int_equal(evidence.messages[1].bytes.len, JCK_EVIDENCE_MESSAGE_BYTES);
    assert_int_equal(evidence.messages[1].true_len, len);
    // What the transport cut already keeps the length it had.
    message.true_len = len * 2;
    assert_true(jck_evidence_add(&evidence, &message));
    assert_int_equal(evidence.messages[2].true_len, len * 2);
    message.true_len = 0;
    while (evidence.kept_bytes < JCK_EVIDENCE_EXCHANGE_BYTES) {
        assert_true(jck_evidence_add(&evidence, &message));
    }
    assert_true(jck_evidence_add(&evidence, &message));
    assert_int_equal(evidence.messages[evidence.count - 1].bytes.len, 0);
    assert_int_equal(evidence.messages[evidence.count - 1].true_len, len);
    assert_int_equal(evidence.kept_bytes, JCK_EVIDENCE_EXCHANGE_BYTES);
    jrpc_arena_done(&arena);
    free(bytes);
}

static void an_answer_is_received_of_the_case_at_its_step_and_connection(void **state)
{
    (void)state;
    const jck_message answer = {
        .direction = JCK_RECEIVED, .role = JCK_MESSAGE_OF_CASE, .connection = 'b', .step = 2};
    jck_message other = answer;
    assert_true(jck_evidence_is_answer(&answer, 2, 'b'));
    assert_false(jck_evidence_is_answer(&answer, 1, 'b'));
    assert_false(jck_evidence_is_answer(&answer, 2, 'a'));
    other.direction = JCK_SENT;
    assert_false(jck_evidence_is_answer(&other, 2, 'b'));
    other = answer;
    other.role = JCK_MESSAGE_OF_FENCE;
    assert_false(jck_evidence_is_answer(&other, 2, 'b'));
    other.role = JCK_MESSAGE_NOISE;
    assert_false(jck_evidence_is_answer(&other, 2, 'b'));
}

static void a_message_that_cannot_be_kept_changes_nothing(void **state)
{
    (void)state;
    bool kept = false;
    for (size_t n = 0; !kept; n++) {
        jrpc_failing_allocator failing;
        jrpc_arena arena;
        jck_evidence evidence;
        char bytes[9000] = {0};
        jck_message message = {.bytes = jrpc_slice_of(bytes, sizeof bytes), .why = "w"};
        jrpc_failing_allocator_init(&failing, n);
        jrpc_arena_init(&arena, &failing.allocator, ARENA_BYTES);
        if (jck_evidence_init(&evidence, &arena, 1)) {
            kept = jck_evidence_add(&evidence, &message);
            assert_int_equal(evidence.count, kept ? 1 : 0);
            assert_int_equal(evidence.kept_bytes, kept ? sizeof bytes : 0);
        } else {
            assert_int_equal(n, 0);
        }
        jrpc_arena_done(&arena);
    }
}

static void last_words_are_quoted_as_one_short_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *quoted;
    } rows[] = {
        {"", ""},
        {" \n", ""},
        {"one\ntwo\t\n", "one two"},
        {"Traceback:\n  at f\nValueError: no\n", "ValueError: no"},
        {"a\x01", "a\\x01"},
    };
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 2048);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_slice text = jrpc_slice_str(rows[i].text);
        assert_string_equal(jck_quote_last_words(&arena, text), rows[i].quoted);
    }
    jrpc_arena_done(&arena);
    // A line of a trace may be longer than the room for the sentence.
    char trace[8000];
    memset(trace, 'x', sizeof trace);
    memcpy(trace, "Traceback:\n  at f\nValueError: ", 30);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 2048);
    const char *quoted = jck_quote_last_words(&arena, jrpc_slice_of(trace, sizeof trace));
    assert_memory_equal(quoted, "ValueError: xxx", 15);
    assert_in_range(strlen(quoted), 200, 210);
    jrpc_arena_done(&arena);
}

static void the_last_words_are_those_that_name_the_error(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"", ""},
        {"\n \r\n", ""},
        {"one line", "one line"},
        {"Traceback (most recent call last):\n  File \"s.py\", line 1\nKeyError: 'id'\n",
         "KeyError: 'id'"},
        {"KeyError: 'id'\n\nDuring handling of the above\n\nservice.Down: later\n\n",
         "service.Down: later"},
        {"/s.js:3\n    m.id\n      ^\n\nTypeError: Cannot read m\n    at f (/s.js:3:5)\n\nNode.js "
         "v20.20.2\n",
         "TypeError: Cannot read m"},
        {"Error: listen EADDRINUSE {\r\n  code: 'EADDRINUSE'\r\n}\r\n\r\nNode.js v18\r\n",
         "Error: listen EADDRINUSE {"},
        {"panic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/s.go:5 +0x1d\nexit status 2\n",
         "panic: nil map"},
        {"thread 'main' panicked at s.rs:2:5:\nnote: run with `RUST_BACKTRACE=1`\n",
         "thread 'main' panicked at s.rs:2:5:"},
        {"Exception in thread \"main\" java.lang.Error: x\n\tat A.b(A.java:1)\nCaused by: "
         "java.io.IOException: y\n\tat A.c(A.java:2)\n",
         "Caused by: java.io.IOException: y"},
        {"  only an indented line\n", "  only an indented line"}, // nothing names an error
        {"Node.js v20\n", "Node.js v20"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_slice words = jck_last_words(jrpc_slice_str(rows[i].text));
        assert_int_equal(words.len, strlen(rows[i].expected));
        assert_memory_equal(words.ptr, rows[i].expected, words.len);
    }
    assert_int_equal(jck_last_words((jrpc_slice){NULL, 0}).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_record_has_reached_no_step),
        cmocka_unit_test(messages_are_copied_and_kept_in_order),
        cmocka_unit_test(long_messages_are_capped_and_say_how_long_they_were),
        cmocka_unit_test(an_answer_is_received_of_the_case_at_its_step_and_connection),
        cmocka_unit_test(last_words_are_quoted_as_one_short_line),
        cmocka_unit_test(the_last_words_are_those_that_name_the_error),
        cmocka_unit_test(a_message_that_cannot_be_kept_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
