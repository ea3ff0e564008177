#include "reference/net/process.h"

#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/children.h"
#include "reference/net/descriptor.h"
#include "reference/net/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct jrpc_process {
    pid_t pid;
    int input;    // our end of the child's stdin
    int output;   // our end of the child's stdout
    int ended[2]; // the watcher closes the write end when the child has ended
    pthread_t watcher;
    jrpc_drain *drain;
    // Written by the watcher before it closes ended[1], read only after ended[0] shows that.
    atomic_int end_code; // CLD_EXITED, CLD_KILLED, CLD_DUMPED
    atomic_int end_status;
};

// The child stays a zombie until jrpc_process_free, so that its pid, which names its group too, is
// nobody else's while we send signals to it.
static void *watch(void *context)
{
    jrpc_process *process = context;
    siginfo_t end = {.si_code = CLD_EXITED};
    while (waitid(P_PID, (id_t)process->pid, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    atomic_store(&process->end_code, end.si_code);
    atomic_store(&process->end_status, end.si_status);
    jrpc_descriptor_close(&process->ended[1]);
    return NULL;
}

static bool same_variable(const char *a, const char *b)
{
    size_t name = strcspn(a, "=");
    return strncmp(a, b, name) == 0 && b[name] == '=';
}

// Ours with the additions, which win. Owned by the caller (the array only); NULL without memory.
static char **merged_environment(const char *const *additions)
{
    size_t ours = 0;
    size_t added = 0;
    while (environ[ours] != NULL) {
        ours++;
    }
    while (additions != NULL && additions[added] != NULL) {
        added++;
    }
    char **merged = calloc(ours + added + 1, sizeof *merged);
    size_t count = 0;
    for (size_t i = 0; merged != NULL && i < ours; i++) {
        bool replaced = false;
        for (size_t j = 0; j < added && !replaced; j++) {
            replaced = same_variable(additions[j], environ[i]);
        }
        if (!replaced) {
            merged[count++] = environ[i];
        }
    }
    if (merged != NULL && added > 0) {
        // posix_spawn takes `char *const *` and writes to none of them.
        memcpy(merged + count, additions, added * sizeof *merged);
    }
    return merged;
}

// The ends of the pipes that the child gets.
typedef struct child_ends {
    int input, output, errors;
} child_ends;

static bool open_pipes(jrpc_process *process, bool talk, child_ends *ends, int *ret_errors)
{
    int errors[2];
    if (!jrpc_os_pipe(process->ended) || !jrpc_os_pipe(errors)) {
        return false;
    }
    *ret_errors = errors[0];
    ends->errors = errors[1];
    if (!jrpc_descriptor_unblock(errors[0])) {
        return false;
    }
    if (!talk) {
        return true;
    }
    int pipe_ends[2];
    if (!jrpc_os_pipe(pipe_ends)) {
        return false;
    }
    ends->input = pipe_ends[0];
    process->input = pipe_ends[1];
    if (!jrpc_os_pipe(pipe_ends)) {
        return false;
    }
    ends->output = pipe_ends[1];
    process->output = pipe_ends[0];
    return jrpc_descriptor_unblock(process->input) && jrpc_descriptor_unblock(process->output);
}

static int prepare_actions(posix_spawn_file_actions_t *actions, const child_ends *ends,
                           const char *directory)
{
    int failure =
        ends->input >= 0
            ? posix_spawn_file_actions_adddup2(actions, ends->input, STDIN_FILENO)
            : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failure == 0) {
        failure = posix_spawn_file_actions_adddup2(
            actions, ends->output >= 0 ? ends->output : ends->errors, STDOUT_FILENO);
    }
    if (failure == 0) {
        failure = posix_spawn_file_actions_adddup2(actions, ends->errors, STDERR_FILENO);
    }
    if (failure == 0 && directory != NULL) {
        failure = jrpc_os_spawn_chdir(actions, directory);
    }
    return failure;
}

// A group of its own, no blocked signals, and the default action for those that we ignore.
static int prepare_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    const int reset[] = {SIGPIPE, SIGINT,  SIGTERM, SIGQUIT, SIGHUP,
                         SIGCHLD, SIGUSR1, SIGUSR2, SIGXFSZ};
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++) {
        sigaddset(&defaults, reset[i]);
    }
    int failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (failure == 0) {
        failure = posix_spawnattr_setpgroup(attributes, 0);
    }
    if (failure == 0) {
        failure = posix_spawnattr_setsigmask(attributes, &none);
    }
    return failure == 0 ? posix_spawnattr_setsigdefault(attributes, &defaults) : failure;
}

static int spawn(jrpc_process *process, const jrpc_process_options *options, const child_ends *ends)
{
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) {
        return failure;
    }
    posix_spawnattr_t attributes;
    failure = posix_spawnattr_init(&attributes);
    if (failure == 0) {
        char **environment = merged_environment(options->environment);
        failure = environment == NULL ? ENOMEM : prepare_attributes(&attributes);
        if (failure == 0) {
            failure = prepare_actions(&actions, ends, options->directory);
        }
        if (failure == 0) {
            failure = jrpc_children_spawn(&process->pid, options->argv[0], &actions, &attributes,
                                          options->argv, environment);
        }
        if (failure == 0 && options->memory > 0) {
            jrpc_os_limit_memory(process->pid, options->memory);
        }
        free(environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

// The kernel says ENOENT also of what a program that exists needs to be started: false unless that
// is so; `out` names it then.
static bool names_missing_part(const char *program, char *out, size_t out_size)
{
    char head[256];
    if (strchr(program, '/') == NULL || access(program, F_OK) != 0) {
        return false;
    }
    int file = open(program, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : read(file, head, sizeof head - 1);
    if (file >= 0) {
        (void)close(file);
    }
    head[got < 0 ? 0 : got] = '\0';
    if (strncmp(head, "#!", 2) == 0) {
        const char *name = head + 2 + strspn(head + 2, " \t");
        (void)snprintf(out, out_size, "its interpreter '%.*s'", (int)strcspn(name, " \t\r\n"),
                       name);
    } else {
        (void)snprintf(out, out_size, "the loader that it was linked to");
    }
    return true;
}

static void explain_spawn_failure(const jrpc_process_options *options, int failure,
                                  jrpc_error *error)
{
    const char *program = options->argv[0];
    struct stat status;
    if (options->directory != NULL &&
        (stat(options->directory, &status) != 0 || !S_ISDIR(status.st_mode))) {
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                             "cannot start '%s': its working directory '%s' is not a directory; "
                             "check the path",
                             program, options->directory);
        return;
    }
    char part[300];
    if (failure == ENOENT && options->directory == NULL &&
        names_missing_part(program, part, sizeof part)) {
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot start '%s': %s is missing here",
                             program, part);
        return;
    }
    const char *remedy = "see the system's limits";
    if (failure == ENOENT && strchr(program, '/') == NULL && access(program, F_OK) == 0) {
        remedy =
            "to start the file in this folder, write ./ before its name, or name its interpreter";
    } else if (failure == ENOENT) {
        remedy = "check the path";
    } else if (failure == EACCES) {
        remedy = "make it executable (chmod +x), or start its interpreter";
    } else if (failure == ENOEXEC) {
        remedy = "give the script a #! line, or start its interpreter";
    }
    (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot start '%s': %s; %s", program,
                         strerror(failure), remedy);
}

static void close_all(jrpc_process *process)
{
    jrpc_descriptor_close(&process->input);
    jrpc_descriptor_close(&process->output);
    jrpc_descriptor_close(&process->ended[0]);
    jrpc_descriptor_close(&process->ended[1]);
}

// Writing into the pipe of a child that has gone must give EPIPE and not kill us. A handler or a
// disposition that the program chose itself is left alone.
static void ignore_broken_pipes(void)
{
    struct sigaction action;
    if (sigaction(SIGPIPE, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
        action.sa_handler == SIG_DFL) {
        action.sa_handler = SIG_IGN;
        (void)sigaction(SIGPIPE, &action, NULL);
    }
}

jrpc_process *jrpc_process_start(const jrpc_process_options *options, jrpc_error *error)
{
    jrpc_process *process = calloc(1, sizeof *process);
    if (process == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to start '%s'", options->argv[0]);
        return NULL;
    }
    ignore_broken_pipes();
    process->input = process->output = process->ended[0] = process->ended[1] = -1;
    child_ends ends = {-1, -1, -1};
    int errors = -1;
    int failure = 0;
    if (!open_pipes(process, options->talk, &ends, &errors)) {
        int reason = errno;
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot make the pipes for '%s': %s%s",
                             options->argv[0], strerror(reason),
                             reason == EMFILE ? "; raise the limit (ulimit -n 64)" : "");
        failure = -1;
    } else if ((failure = spawn(process, options, &ends)) != 0) {
        explain_spawn_failure(options, failure, error);
    }
    jrpc_descriptor_close(&ends.input);
    jrpc_descriptor_close(&ends.output);
    jrpc_descriptor_close(&ends.errors);
    if (failure != 0) {
        jrpc_descriptor_close(&errors);
        close_all(process);
        free(process);
        return NULL;
    }
    process->drain = jrpc_drain_start(errors, error);
    failure = process->drain == NULL ? -1 : pthread_create(&process->watcher, NULL, watch, process);
    if (failure != 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot watch '%s': no thread",
                             options->argv[0]);
        (void)kill(-process->pid, SIGKILL);
        jrpc_children_reap(process->pid);
        jrpc_drain_free(process->drain);
        close_all(process);
        free(process);
        return NULL;
    }
    return process;
}

int jrpc_process_stdin(const jrpc_process *process)
{
    return process->input;
}

int jrpc_process_stdout(const jrpc_process *process)
{
    return process->output;
}

int jrpc_process_ended(const jrpc_process *process)
{
    return process->ended[0];
}

void jrpc_process_close_stdin(jrpc_process *process)
{
    jrpc_descriptor_close(&process->input);
}

int64_t jrpc_process_pid(const jrpc_process *process)
{
    return process->pid;
}

jrpc_process_state jrpc_process_wait(jrpc_process *process, const jrpc_clock *clock,
                                     int64_t deadline_us, int *ret_value)
{
    struct pollfd entry = {.fd = process->ended[0], .events = POLLIN};
    siginfo_t end = {.si_code = 0};
    if (jrpc_descriptor_poll(&entry, 1, clock, deadline_us) > 0) {
        end.si_code = atomic_load(&process->end_code);
        end.si_status = atomic_load(&process->end_status);
    } else if (waitid(P_PID, (id_t)process->pid, &end, WEXITED | WNOWAIT | WNOHANG) != 0 ||
               end.si_pid != process->pid) {
        // The system was asked, too: the watcher's thread may not have run since the end.
        return JRPC_PROCESS_RUNNING;
    }
    if (ret_value != NULL) {
        *ret_value = end.si_status;
    }
    return end.si_code == CLD_EXITED ? JRPC_PROCESS_EXITED : JRPC_PROCESS_SIGNALED;
}

void jrpc_process_stderr_tail(jrpc_process *process, jrpc_buffer *out)
{
    jrpc_drain_tail(process->drain, out);
}

bool jrpc_process_wait_output(jrpc_process *process, jrpc_slice text, const jrpc_clock *clock,
                              int64_t deadline_us, int interrupt_fd, jrpc_error *error)
{
    return jrpc_drain_wait(process->drain, text, clock, deadline_us, interrupt_fd, error);
}

void jrpc_process_free(jrpc_process *process, int64_t grace_ms)
{
    if (process == NULL) {
        return;
    }
    const jrpc_clock *clock = jrpc_clock_monotonic();
    bool talks = process->output >= 0;
    jrpc_descriptor_close(&process->input);
    // Nobody reads any more: a child that writes for ever gets SIGPIPE rather than a full pipe.
    jrpc_descriptor_close(&process->output);
    // To a child that we do not talk to the end of its input says nothing.
    int64_t patience_ms = talks ? grace_ms : 0;
    if (jrpc_process_wait(process, clock, jrpc_deadline_in_ms(clock, patience_ms), NULL) ==
        JRPC_PROCESS_RUNNING) {
        (void)kill(-process->pid, SIGTERM);
        (void)jrpc_process_wait(process, clock, jrpc_deadline_in_ms(clock, grace_ms), NULL);
    }
    // Also when the child itself has ended: others of its group may be left.
    (void)kill(-process->pid, SIGKILL);
    pthread_join(process->watcher, NULL);
    jrpc_children_reap(process->pid);
    jrpc_drain_free(process->drain);
    close_all(process);
    free(process);
}
