#include "reference/net/guardian.h"

#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// Children that are watched at once; more of them are left to themselves.
enum { WATCHED_MAXIMUM = 1024 };

// What is told of a child. Shorter than PIPE_BUF, so that it arrives as one.
typedef struct news {
    pid_t child;
    bool started;
} news;

static void report(int guardian, pid_t child, bool started)
{
    const news told = {child, started};
    while (guardian >= 0 && write(guardian, &told, sizeof told) < 0 && errno == EINTR) {
    }
}

void jrpc_guardian_watch(int guardian, pid_t child)
{
    report(guardian, child, true);
}

void jrpc_guardian_forget(int guardian, pid_t child)
{
    report(guardian, child, false);
}

// Out of the way of signals from the terminal, and of whoever waits for the end of our output.
static void step_aside(void)
{
    const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        (void)signal(ignored[i], SIG_IGN);
    }
    (void)setpgid(0, 0);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = STDIN_FILENO; nowhere >= 0 && i <= STDERR_FILENO; i++) {
        (void)dup2(nowhere, i);
    }
}

static void note(pid_t *watched, size_t *count, const news *told)
{
    for (size_t i = 0; i < *count; i++) {
        if (watched[i] == told->child) {
            watched[i] = watched[--*count];
            break;
        }
    }
    if (told->started && *count < WATCHED_MAXIMUM) {
        watched[(*count)++] = told->child;
    }
}

// Until the pipe closes.
static void guard(int from)
{
    pid_t watched[WATCHED_MAXIMUM];
    size_t count = 0;
    for (;;) {
        news told;
        ssize_t got = read(from, &told, sizeof told);
        if (got == (ssize_t)sizeof told) {
            note(watched, &count, &told);
        } else if (got >= 0 || errno != EINTR) {
            break;
        }
    }
    for (size_t i = 0; i < count; i++) {
        (void)kill(-watched[i], SIGKILL);
        (void)kill(watched[i], SIGKILL);
    }
}

int jrpc_guardian_start(void)
{
    int ends[2];
    if (!jrpc_os_pipe(ends)) {
        return -1;
    }
    pid_t between = fork();
    if (between == 0) {
        // The child of a child that is gone is nobody's but the system's.
        jrpc_descriptor_close(&ends[1]);
        pid_t guardian = fork();
        if (guardian == 0) {
            step_aside();
            guard(ends[0]);
        }
        _exit(guardian < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    int status = EXIT_FAILURE;
    while (between > 0 && waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    jrpc_descriptor_close(&ends[0]);
    if (between < 0 || status != EXIT_SUCCESS) {
        jrpc_descriptor_close(&ends[1]);
    }
    return ends[1];
}
