// Children: starting, talking, waiting, ending.
#include "reference/net/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, GRACE_MS = 100 };

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

static jrpc_process *start_shell(const char *script, bool talk)
{
    char program[] = "sh";
    char option[] = "-c";
    char *text = strdup(script);
    char *const argv[] = {program, option, text, NULL};
    const jrpc_process_options options = {.argv = argv, .talk = talk};
    jrpc_error error;
    jrpc_error_clear(&error);
    jrpc_process *process = jrpc_process_start(&options, &error);
    free(text);
    assert_non_null(process);
    return process;
}

static void a_missing_program_is_named_with_a_remedy(void **state)
{
    (void)state;
    char program[] = "./no-such-program";
    char *const argv[] = {program, NULL};
    const jrpc_process_options options = {.argv = argv, .talk = true};
    jrpc_error error;
    jrpc_error_clear(&error);
    assert_null(jrpc_process_start(&options, &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_string_equal(error.message,
                        "cannot start './no-such-program': No such file or directory; check the "
                        "path");
}

static void a_missing_working_directory_is_named(void **state)
{
    (void)state;
    char program[] = "sh";
    char *const argv[] = {program, NULL};
    const jrpc_process_options options = {.argv = argv, .directory = "/no/such/folder"};
    jrpc_error error;
    jrpc_error_clear(&error);
    assert_null(jrpc_process_start(&options, &error));
    assert_non_null(strstr(error.message, "'/no/such/folder' is not a directory"));
}

static void the_exit_status_and_the_signal_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        jrpc_process_state state;
        int value;
    } cases[] = {
        {"exit 0", JRPC_PROCESS_EXITED, 0},
        {"exit 7", JRPC_PROCESS_EXITED, 7},
        {"kill -SEGV $$", JRPC_PROCESS_SIGNALED, SIGSEGV},
        {"kill -PIPE $$", JRPC_PROCESS_SIGNALED, SIGPIPE}, // its action is the default again
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jrpc_process *process = start_shell(cases[i].script, true);
        int value = -1;
        assert_int_equal(jrpc_process_wait(process, jrpc_clock_monotonic(), patience(), &value),
                         cases[i].state);
        assert_int_equal(value, cases[i].value);
        jrpc_process_free(process, GRACE_MS);
    }
}

static void a_running_child_is_running_at_the_deadline(void **state)
{
    (void)state;
    jrpc_process *process = start_shell("read line", true);
    const jrpc_clock *clock = jrpc_clock_monotonic();
    assert_int_equal(jrpc_process_wait(process, clock, jrpc_clock_now_us(clock), NULL),
                     JRPC_PROCESS_RUNNING);
    jrpc_process_free(process, GRACE_MS);
}

static void the_environment_is_ours_with_the_additions(void **state)
{
    (void)state;
    assert_int_equal(setenv("JRPC_TEST_OLD", "old", 1), 0);
    assert_int_equal(setenv("JRPC_TEST_KEPT", "kept", 1), 0);
    static const char *const additions[] = {"JRPC_TEST_OLD=new", NULL};
    char program[] = "sh";
    char option[] = "-c";
    char script[] = "echo \"$JRPC_TEST_OLD $JRPC_TEST_KEPT\"";
    char *const argv[] = {program, option, script, NULL};
    const jrpc_process_options options = {.argv = argv, .environment = additions};
    jrpc_process *process = jrpc_process_start(&options, NULL);
    assert_non_null(process);
    assert_true(jrpc_process_wait_output(process, JRPC_SLICE("new kept"), jrpc_clock_monotonic(),
                                         patience(), -1, NULL));
    jrpc_process_free(process, GRACE_MS);
}

static void the_end_of_stderr_is_kept_however_much_came(void **state)
{
    (void)state;
    jrpc_process *process = start_shell(
        "i=0; while [ $i -lt 3000 ]; do echo 'a line of stderr that goes on' >&2; i=$((i+1)); "
        "done; echo last words >&2",
        true);
    assert_int_equal(jrpc_process_wait(process, jrpc_clock_monotonic(), patience(), NULL),
                     JRPC_PROCESS_EXITED);
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), 1 << 20);
    jrpc_process_stderr_tail(process, &tail);
    assert_int_equal(tail.len, 8 << 10);
    assert_memory_equal(tail.ptr + tail.len - 11, "last words\n", 11);
    jrpc_buffer_done(&tail);
    jrpc_process_free(process, GRACE_MS);
}

static void waiting_for_a_line_ends_when_the_output_does(void **state)
{
    (void)state;
    jrpc_process *process = start_shell("echo something else", false);
    jrpc_error error;
    jrpc_error_clear(&error);
    assert_false(jrpc_process_wait_output(process, JRPC_SLICE("ready"), jrpc_clock_monotonic(),
                                          patience(), -1, &error));
    assert_int_equal(error.code, JRPC_ERROR_CLOSED);
    jrpc_process_free(process, GRACE_MS);
}

static void waiting_for_a_line_ends_at_an_interruption(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "", 1), 1);
    jrpc_process *process = start_shell("exec cat", true);
    jrpc_error error = {0};
    assert_false(jrpc_process_wait_output(process, JRPC_SLICE("ready"), jrpc_clock_monotonic(),
                                          patience(), ends[0], &error));
    assert_int_equal(error.code, JRPC_ERROR_INTERRUPTED);
    jrpc_process_free(process, GRACE_MS);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static pid_t printed_pid(jrpc_process *process)
{
    assert_true(jrpc_process_wait_output(process, JRPC_SLICE("\n"), jrpc_clock_monotonic(),
                                         patience(), -1, NULL));
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), 1 << 20);
    jrpc_process_stderr_tail(process, &tail);
    assert_true(jrpc_buffer_append_char(&tail, '\0'));
    long pid = strtol(tail.ptr, NULL, 10);
    jrpc_buffer_done(&tail);
    assert_true(pid > 1);
    return (pid_t)pid;
}

static void a_child_that_ignores_everything_is_ended_with_its_group(void **state)
{
    (void)state;
    jrpc_process_own_descendants(); // who else would reap the grandchild, and when
    jrpc_process *process =
        start_shell("trap '' TERM; (trap '' TERM; exec tail -f /dev/null) & echo $! >&2; "
                    "while :; do wait; done",
                    true);
    pid_t grandchild = printed_pid(process);
    pid_t child = (pid_t)jrpc_process_pid(process);
    jrpc_process_free(process, GRACE_MS);
    assert_int_equal(kill(child, 0), -1);
    assert_int_equal(errno, ESRCH);
    assert_int_equal(kill(grandchild, 0), -1);
    assert_int_equal(errno, ESRCH);
}

// Runs before this program takes its descendants for its own: as inside somebody else's program.
static void a_child_that_somebody_else_started_is_left_alone(void **state)
{
    (void)state;
    jrpc_process *before = start_shell("exec cat", true);
    pid_t foreign = fork();
    if (foreign == 0) {
        (void)pause();
        _exit(0);
    }
    assert_true(foreign > 0);
    jrpc_process_free(before, GRACE_MS);
    jrpc_process_kill_descendants();
    assert_int_equal(kill(foreign, 0), 0);
    assert_int_equal(waitpid(foreign, NULL, WNOHANG), 0);
    assert_int_equal(kill(foreign, SIGKILL), 0);
    assert_int_equal(waitpid(foreign, NULL, 0), foreign);
}

static void a_grandchild_in_a_session_of_its_own_is_ended_too(void **state)
{
    (void)state;
    jrpc_process_own_descendants();
    jrpc_process *process =
        start_shell("setsid tail -f /dev/null & echo $! >&2; exec cat >/dev/null", true);
    pid_t grandchild = printed_pid(process);
    jrpc_process_free(process, GRACE_MS);
    assert_int_equal(kill(grandchild, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void nothing_is_left_open_after_many_children(void **state)
{
    (void)state;
    int before = dup(STDIN_FILENO);
    assert_true(before >= 0);
    (void)close(before);
    for (int i = 0; i < 20; i++) {
        jrpc_process_free(start_shell("cat", true), GRACE_MS);
    }
    int after = dup(STDIN_FILENO);
    (void)close(after);
    assert_int_equal(after, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_program_is_named_with_a_remedy),
        cmocka_unit_test(a_missing_working_directory_is_named),
        cmocka_unit_test(the_exit_status_and_the_signal_are_told_apart),
        cmocka_unit_test(a_running_child_is_running_at_the_deadline),
        cmocka_unit_test(the_environment_is_ours_with_the_additions),
        cmocka_unit_test(the_end_of_stderr_is_kept_however_much_came),
        cmocka_unit_test(waiting_for_a_line_ends_when_the_output_does),
        cmocka_unit_test(waiting_for_a_line_ends_at_an_interruption),
        cmocka_unit_test(a_child_that_somebody_else_started_is_left_alone),
        cmocka_unit_test(a_child_that_ignores_everything_is_ended_with_its_group),
        cmocka_unit_test(a_grandchild_in_a_session_of_its_own_is_ended_too),
        cmocka_unit_test(nothing_is_left_open_after_many_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
