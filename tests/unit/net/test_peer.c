// Peers over a child's pipes: sending, receiving, ends, interruption.
#include "reference/base/os_linux.h"
#include "reference/net/peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, GRACE_MS = 100, BIG = 4 << 20 };

static char program[] = "sh";
static char option[] = "-c";

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

static jrpc_peer *open_shell(char *script, int interrupt_fd)
{
    char *const argv[] = {program, option, script, NULL};
    const jrpc_endpoint endpoint = {.transport = JRPC_TRANSPORT_STDIO,
                                    .framing = JRPC_FRAMING_LINE,
                                    .argv = argv,
                                    .interrupt_fd = interrupt_fd,
                                    .max_message = (size_t)2 * BIG,
                                    .allocator = jrpc_allocator_heap(),
                                    .clock = jrpc_clock_monotonic()};
    jrpc_peer *peer = jrpc_peer_open(&endpoint, patience(), NULL);
    assert_non_null(peer);
    return peer;
}

static void expect_message(jrpc_peer *peer, const char *text)
{
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_MESSAGE);
    assert_true(jrpc_slice_is(received.bytes, text));
    assert_int_equal(received.true_len, received.bytes.len);
}

static void a_message_goes_out_and_comes_back(void **state)
{
    (void)state;
    char script[] = "exec cat";
    jrpc_peer *peer = open_shell(script, -1);
    assert_int_equal(jrpc_peer_send(peer, JRPC_SLICE("{}"), patience(), NULL), JRPC_PEER_MESSAGE);
    expect_message(peer, "{}");
    assert_int_equal(jrpc_peer_end(peer, patience()).kind, JRPC_END_OPEN);
    jrpc_peer_close_write(peer);
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_ENDED);
    jrpc_peer_ending ending = jrpc_peer_end(peer, patience());
    assert_int_equal(ending.kind, JRPC_END_EXITED);
    assert_int_equal(ending.value, 0);
    jrpc_peer_close(peer, GRACE_MS);
}

static void two_sides_that_both_write_never_lock(void **state)
{
    (void)state;
    char script[] = "exec cat";
    jrpc_peer *peer = open_shell(script, -1);
    char *big = malloc(BIG);
    assert_non_null(big);
    memset(big, 'x', BIG);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(jrpc_peer_send(peer, jrpc_slice_of(big, BIG), patience(), NULL),
                         JRPC_PEER_MESSAGE);
    }
    for (int i = 0; i < 3; i++) {
        jrpc_received received;
        assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_MESSAGE);
        assert_int_equal(received.bytes.len, BIG);
    }
    free(big);
    jrpc_peer_close(peer, GRACE_MS);
}

static void what_was_said_before_dying_is_delivered_first(void **state)
{
    (void)state;
    char script[] = "echo first; echo second; echo why >&2; kill -ABRT $$";
    jrpc_peer *peer = open_shell(script, -1);
    expect_message(peer, "first");
    expect_message(peer, "second");
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_ENDED);
    jrpc_peer_ending ending = jrpc_peer_end(peer, patience());
    assert_int_equal(ending.kind, JRPC_END_SIGNALED);
    assert_int_equal(ending.value, SIGABRT);
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), 1000);
    jrpc_peer_stderr_tail(peer, &tail);
    assert_true(tail.len >= 4);
    assert_memory_equal(tail.ptr, "why\n", 4);
    jrpc_buffer_done(&tail);
    jrpc_peer_close(peer, GRACE_MS);
}

static void writing_to_a_child_that_has_gone_is_an_end_and_no_signal(void **state)
{
    (void)state;
    char script[] = "exit 3";
    jrpc_peer *peer = open_shell(script, -1);
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_ENDED);
    // The system closes the descriptors of a process one after the other: only once it is gone is
    // its reading end closed for sure.
    assert_int_equal(jrpc_peer_end(peer, patience()).value, 3);
    assert_int_equal(jrpc_peer_send(peer, JRPC_SLICE("{}"), patience(), NULL), JRPC_PEER_ENDED);
    jrpc_peer_close(peer, GRACE_MS);
}

static void a_mute_peer_is_a_timeout_and_not_an_end(void **state)
{
    (void)state;
    char script[] = "read line";
    jrpc_peer *peer = open_shell(script, -1);
    const jrpc_clock *clock = jrpc_clock_monotonic();
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, jrpc_clock_now_us(clock), &received, NULL),
                     JRPC_PEER_TIMEOUT);
    assert_int_equal(jrpc_peer_end(peer, patience()).kind, JRPC_END_OPEN);
    jrpc_peer_close(peer, GRACE_MS);
}

static void a_child_that_never_reads_gives_a_timeout(void **state)
{
    (void)state;
    char script[] = "exec tail -f /dev/null";
    jrpc_peer *peer = open_shell(script, -1);
    char *big = calloc(1, BIG);
    assert_non_null(big);
    int64_t soon = jrpc_deadline_in_ms(jrpc_clock_monotonic(), 50);
    assert_int_equal(jrpc_peer_send(peer, jrpc_slice_of(big, BIG), soon, NULL), JRPC_PEER_TIMEOUT);
    free(big);
    jrpc_peer_close(peer, GRACE_MS);
}

static void an_interruption_ends_every_wait_at_once(void **state)
{
    (void)state;
    int ends[2];
    assert_true(jrpc_os_pipe(ends));
    assert_int_equal(write(ends[1], "", 1), 1);
    char script[] = "exec tail -f /dev/null";
    jrpc_peer *peer = open_shell(script, ends[0]);
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, JRPC_DEADLINE_NEVER, &received, NULL),
                     JRPC_PEER_INTERRUPTED);
    assert_int_equal(jrpc_peer_send(peer, JRPC_SLICE("{}"), JRPC_DEADLINE_NEVER, NULL),
                     JRPC_PEER_INTERRUPTED);
    jrpc_peer_close(peer, GRACE_MS);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void pieces_arrive_as_one_message(void **state)
{
    (void)state;
    char script[] = "exec cat";
    jrpc_peer *peer = open_shell(script, -1);
    static const size_t offsets[] = {1, 2, 5, 500};
    assert_int_equal(
        jrpc_peer_send_chunks(peer, JRPC_SLICE("[1,2,3]"), offsets, 4, patience(), NULL),
        JRPC_PEER_MESSAGE);
    expect_message(peer, "[1,2,3]");
    jrpc_peer_close(peer, GRACE_MS);
}

static void a_refused_connection_names_the_target_and_a_remedy(void **state)
{
    (void)state;
    const jrpc_endpoint endpoint = {.transport = JRPC_TRANSPORT_TCP,
                                    .host = "127.0.0.1",
                                    .port = "1",
                                    .interrupt_fd = -1,
                                    .allocator = jrpc_allocator_heap(),
                                    .clock = jrpc_clock_monotonic()};
    jrpc_error error;
    jrpc_error_clear(&error);
    assert_null(jrpc_peer_open(&endpoint, patience(), &error));
    assert_int_equal(error.code, JRPC_ERROR_CLOSED);
    assert_string_equal(error.message, "cannot connect to tcp://127.0.0.1:1: connection refused; "
                                       "is the server running, and on this port?");
}

static void an_endless_line_is_left_at_the_deadline_and_told_while_it_comes(void **state)
{
    (void)state;
    char script[] = "exec yes x | exec tr -d '\\n'";
    jrpc_peer *peer = open_shell(script, -1);
    jrpc_received received;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_NOISE);
        assert_true(received.true_len >= (size_t)2 * BIG);
        assert_non_null(received.why);
        assert_true(i == 0 || received.bytes.len == 0);
    }
    // The deadline has passed and bytes are there all the time: that must not go on.
    int64_t began = jrpc_clock_now_us(jrpc_clock_monotonic());
    jrpc_peer_event event = JRPC_PEER_NOISE;
    while (event == JRPC_PEER_NOISE) {
        event = jrpc_peer_receive(peer, began, &received, NULL);
    }
    assert_int_equal(event, JRPC_PEER_TIMEOUT);
    jrpc_peer_close(peer, GRACE_MS);
}

static void a_child_that_left_its_pipe_to_somebody_else_has_ended(void **state)
{
    (void)state;
    char script[] = "sleep 1000 & printf last; exit 7";
    jrpc_peer *peer = open_shell(script, -1);
    expect_message(peer, "last");
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_ENDED);
    jrpc_peer_ending ending = jrpc_peer_end(peer, patience());
    assert_int_equal(ending.kind, JRPC_END_EXITED);
    assert_int_equal(ending.value, 7);
    jrpc_peer_close(peer, GRACE_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_line_is_left_at_the_deadline_and_told_while_it_comes),
        cmocka_unit_test(a_child_that_left_its_pipe_to_somebody_else_has_ended),
        cmocka_unit_test(a_message_goes_out_and_comes_back),
        cmocka_unit_test(two_sides_that_both_write_never_lock),
        cmocka_unit_test(what_was_said_before_dying_is_delivered_first),
        cmocka_unit_test(writing_to_a_child_that_has_gone_is_an_end_and_no_signal),
        cmocka_unit_test(a_mute_peer_is_a_timeout_and_not_an_end),
        cmocka_unit_test(a_child_that_never_reads_gives_a_timeout),
        cmocka_unit_test(an_interruption_ends_every_wait_at_once),
        cmocka_unit_test(pieces_arrive_as_one_message),
        cmocka_unit_test(a_refused_connection_names_the_target_and_a_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
