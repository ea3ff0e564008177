// The process that all workers of a run share: its generations, and how each of them ended.
#include "harness/link/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, GRACE_MS = 100 };

static char program[] = "sh";
static char option[] = "-c";

typedef struct fixture {
    char *argv[4];
    jck_target target;
    jck_host host;
} fixture;

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

static void begin(fixture *f, char *script, int interrupt_fd)
{
    *f = (fixture){.argv = {program, option, script, NULL}};
    f->target = (jck_target){.transport = JRPC_TRANSPORT_TCP, .start = f->argv};
    assert_true(
        jck_host_init(&f->host, &f->target, jrpc_clock_monotonic(), GRACE_MS, interrupt_fd));
}

static void a_process_is_started_once_and_again_when_it_is_gone(void **state)
{
    (void)state;
    fixture f;
    char script[] = "echo gone >&2; exit 7";
    begin(&f, script, -1);
    uint32_t generation = 0;
    jck_host_end end;
    assert_true(jck_host_is_used(&f.host));
    assert_false(jck_host_is_gone(&f.host, generation, 0, &end)); // none was started
    assert_true(jck_host_start(&f.host, patience(), &generation, NULL));
    assert_int_equal(generation, 1);
    assert_true(jck_host_is_starting(&f.host, 1));
    assert_true(jck_host_is_gone(&f.host, 1, patience(), &end));
    assert_int_equal(end.ending.kind, JRPC_END_EXITED);
    assert_int_equal(end.ending.value, 7);
    assert_false(end.by_us);
    assert_true(jck_host_start(&f.host, patience(), &generation, NULL));
    assert_int_equal(generation, 2);
    assert_true(jck_host_is_gone(&f.host, 1, 0, &end)); // still known
    assert_int_equal(end.ending.value, 7);
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), 1000);
    jck_host_stderr_tail(&f.host, 1, &tail);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&tail), "gone\n"));
    jrpc_buffer_done(&tail);
    jck_host_done(&f.host);
}

static void what_a_worker_ended_says_nothing_about_the_target(void **state)
{
    (void)state;
    fixture f;
    char script[] = "exec sleep 60";
    begin(&f, script, -1);
    uint32_t generation = 0;
    jck_host_end end;
    assert_true(jck_host_start(&f.host, patience(), &generation, NULL));
    assert_false(jck_host_has_answered(&f.host));
    jck_host_answers(&f.host, generation);
    assert_true(jck_host_has_answered(&f.host));
    assert_false(jck_host_is_starting(&f.host, generation));
    assert_false(jck_host_is_gone(&f.host, generation, 0, &end));
    assert_false(end.by_us); // nothing is said of one that lives
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), 1000);
    jck_host_stderr_tail(&f.host, generation, &tail);
    assert_int_equal(tail.len, 0);
    jrpc_buffer_done(&tail);
    jck_host_stop(&f.host, generation + 1); // of another generation: nothing is ended
    assert_false(jck_host_is_gone(&f.host, generation, 0, &end));
    jck_host_stop(&f.host, generation);
    assert_true(jck_host_is_gone(&f.host, generation, 0, &end));
    assert_true(end.by_us);
    jck_host_done(&f.host);
}

static void waiting_for_a_process_to_be_ready_ends_in_time_and_when_interrupted(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        fixture f;
        char script[] = "exec sleep 60";
        begin(&f, script, ends[0]);
        f.target.ready = JCK_READY_LINE;
        f.target.ready_text = JRPC_SLICE("listening");
        jrpc_error error = {0};
        uint32_t generation = 0;
        if (interrupted) {
            assert_int_equal(write(ends[1], "", 1), 1);
        }
        int64_t deadline =
            interrupted ? patience() : jrpc_deadline_in_ms(jrpc_clock_monotonic(), 50);
        assert_false(jck_host_start(&f.host, deadline, &generation, &error));
        assert_int_equal(error.code, interrupted ? JRPC_ERROR_INTERRUPTED : JRPC_ERROR_TIMEOUT);
        jck_host_done(&f.host);
    }
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void a_command_that_cannot_be_started_is_an_error(void **state)
{
    (void)state;
    fixture f;
    char script[] = "";
    char missing[] = "jrpcheck-no-such-program";
    begin(&f, script, -1);
    f.argv[0] = missing;
    jrpc_error error = {0};
    uint32_t generation = 0;
    assert_false(jck_host_start(&f.host, patience(), &generation, &error));
    assert_int_equal(generation, 0);
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    jck_host_done(&f.host);
}

// No time passes, however slow the machine is.
static int64_t stand_still(void *context)
{
    (void)context;
    return 1;
}

static void the_end_of_a_process_that_works_is_waited_for(void **state)
{
    (void)state;
    fixture f;
    char works[] = "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done; exit 7";
    uint32_t generation = 0;
    jck_host_end end;
    begin(&f, works, -1);
    const jrpc_clock stopped = {.now_us = stand_still};
    f.host.clock = &stopped;
    assert_true(jck_host_start(&f.host, patience(), &generation, NULL));
    assert_true(jck_host_follows(&f.host, generation, 0, &end));
    assert_int_equal(end.ending.value, 7);
    jck_host_done(&f.host);
}

static void one_that_goes_on_is_waited_for_shorter_each_time(void **state)
{
    (void)state;
    fixture f;
    char busy[] = "while :; do :; done";
    uint32_t generation = 0;
    jck_host_end end;
    begin(&f, busy, -1);
    assert_true(jck_host_start(&f.host, patience(), &generation, NULL));
    atomic_store(&f.host.followed_in_vain, 4);
    for (unsigned vain = 5; vain < 10; vain++) {
        assert_false(jck_host_follows(&f.host, generation, 0, &end));
        assert_int_equal(atomic_load(&f.host.followed_in_vain), vain < 8 ? vain : 8);
    }
    jck_host_done(&f.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_started_once_and_again_when_it_is_gone),
        cmocka_unit_test(what_a_worker_ended_says_nothing_about_the_target),
        cmocka_unit_test(waiting_for_a_process_to_be_ready_ends_in_time_and_when_interrupted),
        cmocka_unit_test(a_command_that_cannot_be_started_is_an_error),
        cmocka_unit_test(the_end_of_a_process_that_works_is_waited_for),
        cmocka_unit_test(one_that_goes_on_is_waited_for_shorter_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
