// The inbox: bytes in with times, messages out with the time of their last byte.
#include "reference/net/inbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void messages_carry_the_time_of_their_last_byte(void **state)
{
    (void)state;
    jrpc_inbox inbox;
    jrpc_inbox_init(&inbox, JRPC_FRAMING_LINE, 1000, jrpc_allocator_heap());
    assert_true(jrpc_inbox_add(&inbox, JRPC_SLICE("on"), 10));
    assert_true(jrpc_inbox_add(&inbox, JRPC_SLICE("e\ntwo\nth"), 20));
    assert_true(jrpc_inbox_add(&inbox, JRPC_SLICE("ree\n"), 30));
    static const struct {
        const char *text;
        int64_t at_us;
    } expected[] = {{"one", 20}, {"two", 20}, {"three", 30}};
    jrpc_slice bytes;
    int64_t at_us;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_MESSAGE);
        assert_true(jrpc_slice_is(bytes, expected[i].text));
        assert_int_equal(at_us, expected[i].at_us);
    }
    assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_EMPTY);
    jrpc_inbox_done(&inbox);
}

static void what_came_before_the_end_is_delivered_before_it(void **state)
{
    (void)state;
    jrpc_inbox inbox;
    jrpc_inbox_init(&inbox, JRPC_FRAMING_LINE, 1000, jrpc_allocator_heap());
    assert_true(jrpc_inbox_add(&inbox, JRPC_SLICE("one\nlast without a line feed"), 1));
    jrpc_inbox_end(&inbox);
    jrpc_slice bytes;
    int64_t at_us;
    assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_MESSAGE);
    assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_MESSAGE);
    assert_true(jrpc_slice_is(bytes, "last without a line feed"));
    assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_ENDED);
    assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_ENDED);
    jrpc_inbox_done(&inbox);
}

static void more_reads_than_marks_lose_no_message(void **state)
{
    (void)state;
    jrpc_inbox inbox;
    jrpc_inbox_init(&inbox, JRPC_FRAMING_LINE, 1000, jrpc_allocator_heap());
    for (int i = 0; i < 3 * JRPC_INBOX_MARKS; i++) {
        assert_true(jrpc_inbox_add(&inbox, JRPC_SLICE("x\n"), i));
    }
    jrpc_slice bytes;
    int64_t at_us;
    int64_t last = -1;
    for (int i = 0; i < 3 * JRPC_INBOX_MARKS; i++) {
        assert_int_equal(jrpc_inbox_next(&inbox, &bytes, &at_us, NULL), JRPC_INBOX_MESSAGE);
        assert_true(at_us >= last);
        last = at_us;
    }
    jrpc_inbox_done(&inbox);
}

static void failing_memory_is_said_and_nothing_is_lost_before_it(void **state)
{
    (void)state;
    for (size_t successes = 0; successes < 8; successes++) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, successes);
        jrpc_inbox inbox;
        jrpc_inbox_init(&inbox, JRPC_FRAMING_LINE, 1000, &failing.allocator);
        jrpc_slice bytes;
        int64_t at_us;
        jrpc_error error;
        jrpc_error_clear(&error);
        if (jrpc_inbox_add(&inbox, JRPC_SLICE("one\n"), 1)) {
            jrpc_inbox_state got = jrpc_inbox_next(&inbox, &bytes, &at_us, &error);
            if (got == JRPC_INBOX_FAULT) {
                assert_int_equal(error.code, JRPC_ERROR_MEMORY);
            } else {
                assert_int_equal(got, JRPC_INBOX_MESSAGE);
            }
        }
        jrpc_inbox_done(&inbox);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_carry_the_time_of_their_last_byte),
        cmocka_unit_test(what_came_before_the_end_is_delivered_before_it),
        cmocka_unit_test(more_reads_than_marks_lose_no_message),
        cmocka_unit_test(failing_memory_is_said_and_nothing_is_lost_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
