// The calls that POSIX.1-2008 lacks.
#include "reference/base/os_linux.h"

#include "reference/base/clock.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

static bool closes_on_exec(int descriptor)
{
    return (fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0;
}

static void pipes_and_sockets_close_on_exec(void **state)
{
    (void)state;
    int ends[2] = {-1, -1};
    char byte = 0;
    assert_true(jrpc_os_pipe(ends));
    assert_true(closes_on_exec(ends[0]) && closes_on_exec(ends[1]));
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(ends[0]);
    close(ends[1]);
    int descriptor = jrpc_os_socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(descriptor >= 0 && closes_on_exec(descriptor));
    close(descriptor);
    assert_int_equal(jrpc_os_socket(-1, SOCK_STREAM, 0), -1);
    assert_int_equal(jrpc_os_accept(-1), -1);
}

static pid_t spawn_in(const char *directory, const char *script, int out)
{
    posix_spawn_file_actions_t actions;
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, out, 1), 0);
    assert_int_equal(jrpc_os_spawn_chdir(&actions, directory), 0);
    char shell[] = "/bin/sh";
    char option[] = "-c";
    char text[256];
    assert_true(strlen(script) < sizeof text);
    memcpy(text, script, strlen(script) + 1);
    char *arguments[] = {shell, option, text, NULL};
    pid_t child = -1;
    assert_int_equal(posix_spawn(&child, shell, &actions, NULL, arguments, environ), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    return child;
}

static void a_child_starts_in_its_directory(void **state)
{
    (void)state;
    int ends[2];
    assert_true(jrpc_os_pipe(ends));
    pid_t child = spawn_in("/usr", "pwd", ends[1]);
    close(ends[1]);
    char text[16] = {0};
    assert_int_equal(read(ends[0], text, sizeof text - 1), 5);
    assert_string_equal(text, "/usr\n");
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
}

typedef struct search {
    pid_t wanted;
    int found;
    int others;
} search;

static void look(void *context, pid_t pid)
{
    search *s = context;
    s->found += pid == s->wanted;
    s->others += pid != s->wanted;
}

static void children_are_found_while_they_live(void **state)
{
    (void)state;
    int ends[2];
    assert_true(jrpc_os_pipe(ends));
    // Its standard input is the pipe's reading end: it lives until the other end is closed.
    int input = dup(0);
    assert_true(input >= 0);
    assert_int_equal(dup2(ends[0], 0), 0);
    pid_t child = spawn_in("/", "read line", 1);
    assert_int_equal(dup2(input, 0), 0);
    close(input);
    search s = {child, 0, 0};
    assert_true(jrpc_os_each_child(look, &s));
    assert_int_equal(s.found, 1);
    assert_int_equal(s.others, 0);
    close(ends[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
    s.found = 0;
    assert_true(jrpc_os_each_child(look, &s));
    assert_int_equal(s.found, 0);
}

static void orphans_come_to_a_subreaper(void **state)
{
    (void)state;
    assert_true(jrpc_os_become_subreaper());
    int ends[2];
    int hold[2];
    assert_true(jrpc_os_pipe(ends));
    assert_true(jrpc_os_pipe(hold));
    // A shell redirects from descriptors of one digit only.
    assert_int_equal(dup2(hold[0], 9), 9);
    // The shell leaves a grandchild behind that lives until we let go, says its pid and ends.
    pid_t child = spawn_in("/", "cat <&9 >/dev/null & echo $!", ends[1]);
    close(ends[1]);
    char text[32] = {0};
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    pid_t grandchild = (pid_t)strtol(text, NULL, 10);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(hold[1]);
    assert_int_equal(waitpid(grandchild, NULL, 0), grandchild);
    close(ends[0]);
    close(hold[0]);
    close(9);
}

static void this_program_and_its_memory_are_known(void **state)
{
    (void)state;
    char path[4096] = "";
    assert_true(jrpc_os_program_path(path, sizeof path));
    assert_int_equal(path[0], '/');
    assert_non_null(strstr(path, "test_os_linux"));
    assert_false(jrpc_os_program_path(path, 4));
    assert_false(jrpc_os_program_path(path, 0));
    assert_true(jrpc_os_peak_memory() > 100000);
}

static void bytes_that_nobody_took_are_counted(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(jrpc_os_unacknowledged(ends[0]), 0);
    assert_int_equal(write(ends[0], "hello", 5), 5);
    assert_true(jrpc_os_unacknowledged(ends[0]) >= 5);
    char text[8];
    assert_int_equal(read(ends[1], text, sizeof text), 5);
    assert_int_equal(jrpc_os_unacknowledged(ends[0]), 0);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(jrpc_os_unacknowledged(-1), 0);
}

static void what_a_process_uses_is_known(void **state)
{
    (void)state;
    jrpc_os_work work;
    uint64_t resident = 0;
    uint64_t peak = 0;
    assert_true(jrpc_os_work_of_group(getpgrp(), &work));
    assert_true(work.ready); // we run
    enum { MUCH = 32 << 20 };
    char *memory = malloc(MUCH);
    assert_non_null(memory);
    for (size_t i = 0; i < MUCH; i += 512) {
        ((volatile char *)memory)[i] = 1;
    }
    free(memory);
    assert_true(jrpc_os_memory_of(getpid(), &resident, &peak));
    assert_true(peak >= resident && peak > MUCH);
    if (jrpc_os_forget_peak(getpid())) {
        assert_true(jrpc_os_memory_of(getpid(), &resident, &peak));
        assert_true(peak < resident + MUCH / 2);
    }
    assert_false(jrpc_os_memory_of(-1, &resident, &peak));
    assert_false(jrpc_os_forget_peak(-1));
}

static void how_many_threads_want_a_processor_is_known(void **state)
{
    (void)state;
    unsigned ready = UINT_MAX;
    unsigned processors = 0;
    assert_true(jrpc_os_ready_threads(&ready, &processors));
    assert_true(ready < 1000000 && processors > 0);
    assert_true(jrpc_clock_slowdown(jrpc_clock_monotonic()) >= 1);
}

static void a_process_that_waits_is_not_ready(void **state)
{
    (void)state;
    jrpc_os_work work = {.ready = true};
    int pipe_ends[2];
    char byte = 0;
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)setpgid(0, 0);
        (void)!write(pipe_ends[1], "x", 1);
        for (;;) {
            (void)pause();
        }
    }
    assert_true(child > 0);
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    // It has still to fall asleep.
    for (int looks = 0; looks < 10000 && work.ready; looks++) {
        assert_true(jrpc_os_work_of_group(child, &work));
    }
    assert_false(work.ready);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_false(jrpc_os_work_of_group(child, &work));
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipes_and_sockets_close_on_exec),
        cmocka_unit_test(a_child_starts_in_its_directory),
        cmocka_unit_test(children_are_found_while_they_live),
        cmocka_unit_test(orphans_come_to_a_subreaper),
        cmocka_unit_test(this_program_and_its_memory_are_known),
        cmocka_unit_test(bytes_that_nobody_took_are_counted),
        cmocka_unit_test(what_a_process_uses_is_known),
        cmocka_unit_test(a_process_that_waits_is_not_ready),
        cmocka_unit_test(how_many_threads_want_a_processor_is_known),
    };
    return cmocka_run_group_tests_name("base/os_linux", tests, NULL, NULL);
}
