// The command line asks for POSIX.1-2008 alone; this is the one file that asks for more.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): the documented feature-test macro

#include "reference/base/os_linux.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool jrpc_os_pipe(int ret_ends[2])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    ret_ends[0] = ends[0];
    ret_ends[1] = ends[1];
    return true;
}

int jrpc_os_accept(int listener)
{
    int accepted;
    do {
        accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    } while (accepted < 0 && errno == EINTR);
    return accepted;
}

int jrpc_os_socket(int family, int type, int protocol)
{
    return socket(family, type | SOCK_CLOEXEC, protocol);
}

// An address in Linux's abstract namespace: it begins with a NUL, and vanishes with its socket.
int jrpc_os_claim(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = strlen(name);
    if (len > sizeof address.sun_path - 1) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path + 1, name, len);
    socklen_t used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len);
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0 && bind(descriptor, (const struct sockaddr *)&address, used) != 0) {
        int problem = errno;
        (void)close(descriptor);
        errno = problem;
        return -1;
    }
    return descriptor;
}

bool jrpc_os_become_subreaper(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) == 0;
}

// Reads a small file of /proc, NUL-terminated. False if it has gone.
static bool read_proc(const char *path, char *out, size_t out_size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    size_t len = fread(out, 1, out_size - 1, file);
    (void)fclose(file);
    out[len] = '\0';
    return len > 0;
}

// What stands after the name in a stat file of /proc, "pid (name) state ppid pgrp …". The name may
// hold anything, also parentheses, so that is after the last one. NULL without.
static const char *fields_of(const char *stat)
{
    const char *end = strrchr(stat, ')');
    return end == NULL || end[1] != ' ' ? NULL : end + 2;
}

// The field that comes `index` fields after the first; an empty text if there is none.
static const char *field_at(const char *fields, int index)
{
    for (int i = 0; i < index && fields != NULL; i++) {
        fields = strchr(fields, ' ');
        fields = fields == NULL ? NULL : fields + 1;
    }
    return fields == NULL ? "" : fields;
}

// The parent of a process; -1 if it has gone.
static pid_t parent_of(const char *pid_text)
{
    char path[64];
    char stat[512];
    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", pid_text);
    const char *fields = read_proc(path, stat, sizeof stat) ? fields_of(stat) : NULL;
    return fields == NULL ? -1 : (pid_t)strtol(field_at(fields, 1), NULL, 10);
}

// Whether this process has a child. If it has none, the list of all processes need not be read.
static bool has_child(void)
{
    siginfo_t ignored = {0};
    int options = WEXITED | WNOHANG | WNOWAIT | __WALL;
    return waitid(P_ALL, 0, &ignored, options) == 0 || errno != ECHILD;
}

bool jrpc_os_each_child(void (*visit)(void *context, pid_t pid), void *context)
{
    if (!has_child()) {
        return true;
    }
    // Not /proc/self/task/*/children: the kernel may leave out a child there while another exits.
    DIR *processes = opendir("/proc");
    if (processes == NULL) {
        return false;
    }
    pid_t self = getpid();
    const struct dirent *entry;
    while ((entry = readdir(processes)) != NULL) {
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == self) {
            visit(context, (pid_t)strtol(entry->d_name, NULL, 10));
        }
    }
    (void)closedir(processes);
    return true;
}

uint64_t jrpc_os_peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0) {
        return 0;
    }
    return (uint64_t)usage.ru_maxrss * 1024;
}

// Whether a thread of a process runs or could.
static bool has_ready_thread(const char *pid_text)
{
    char path[96];
    char stat[512];
    (void)snprintf(path, sizeof path, "/proc/%.20s/task", pid_text);
    DIR *folder = opendir(path);
    bool ready = false;
    for (struct dirent *entry; folder != NULL && !ready && (entry = readdir(folder)) != NULL;) {
        (void)snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/stat", pid_text, entry->d_name);
        const char *fields =
            isdigit((unsigned char)entry->d_name[0]) != 0 && read_proc(path, stat, sizeof stat)
                ? fields_of(stat)
                : NULL;
        ready = fields != NULL && (fields[0] == 'R' || fields[0] == 'D');
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return ready;
}

bool jrpc_os_work_of_group(pid_t group, jrpc_os_work *ret_work)
{
    enum { GROUP = 2, USER_TIME = 11, SYSTEM_TIME = 12 };
    DIR *folder = opendir("/proc");
    long ticks = sysconf(_SC_CLK_TCK);
    long long used = 0;
    bool found = false;
    *ret_work = (jrpc_os_work){.ready = false};
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[64];
        char stat[512];
        (void)snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
        // Asking for the group first is much cheaper than reading about each process of the system.
        if (isdigit((unsigned char)entry->d_name[0]) == 0 ||
            getpgid((pid_t)strtol(entry->d_name, NULL, 10)) != group ||
            !read_proc(path, stat, sizeof stat)) {
            continue;
        }
        const char *fields = fields_of(stat);
        if (fields != NULL && strtol(field_at(fields, GROUP), NULL, 10) == (long)group) {
            found = true;
            used += strtoll(field_at(fields, USER_TIME), NULL, 10) +
                    strtoll(field_at(fields, SYSTEM_TIME), NULL, 10);
            ret_work->ready = ret_work->ready || has_ready_thread(entry->d_name);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    ret_work->cpu_us = ticks > 0 ? (int64_t)used * 1000000 / ticks : 0;
    return found && ticks > 0;
}

bool jrpc_os_ready_threads(unsigned *ret_ready, unsigned *ret_processors)
{
    char text[128];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors <= 0 || !read_proc("/proc/loadavg", text, sizeof text)) {
        return false;
    }
    // "0.20 0.18 0.12 1/80 11206": averages of 1, 5 and 15 minutes, and the ready threads of all.
    enum { READY = 3 };
    double average = strtod(text, NULL);
    long now = strtol(field_at(text, READY), NULL, 10) - 1;
    *ret_ready = now > (long)average ? (unsigned)now : (unsigned)average;
    *ret_processors = (unsigned)processors;
    return true;
}

// The same for one process. Its own time is exact, that of its children is in clock ticks.
static int64_t cpu_of(pid_t pid)
{
    enum { CHILDREN_USER_TIME = 13, CHILDREN_SYSTEM_TIME = 14 };
    clockid_t clock;
    struct timespec used;
    char path[64];
    char stat[512];
    long ticks = sysconf(_SC_CLK_TCK);
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0; // it has just ended
    }
    int64_t sum_us = (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    const char *fields = read_proc(path, stat, sizeof stat) ? fields_of(stat) : NULL;
    if (fields != NULL && ticks > 0) {
        sum_us += (strtoll(field_at(fields, CHILDREN_USER_TIME), NULL, 10) +
                   strtoll(field_at(fields, CHILDREN_SYSTEM_TIME), NULL, 10)) *
                  1000000 / ticks;
    }
    return sum_us;
}

int64_t jrpc_os_cpu_of_group(pid_t group)
{
    DIR *folder = opendir("/proc");
    int64_t sum_us = 0;
    bool found = false;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        pid_t pid = isdigit((unsigned char)entry->d_name[0]) == 0
                        ? 0
                        : (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && getpgid(pid) == group) {
            found = true;
            sum_us += cpu_of(pid);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return found ? sum_us : -1;
}

bool jrpc_os_forget_peak(pid_t pid)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/clear_refs", (long)pid);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, "5", 1) == 1;
    if (file >= 0) {
        (void)close(file);
    }
    return done;
}

// The kilobytes of a line of /proc/PID/status, in bytes; 0 without.
static uint64_t bytes_of(const char *status, const char *name)
{
    const char *line = strstr(status, name);
    return line == NULL ? 0 : strtoull(line + strlen(name), NULL, 10) * 1024;
}

bool jrpc_os_memory_of(pid_t pid, uint64_t *ret_resident, uint64_t *ret_peak)
{
    char path[64];
    char status[4096];
    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    if (!read_proc(path, status, sizeof status)) {
        return false;
    }
    *ret_resident = bytes_of(status, "\nVmRSS:");
    *ret_peak = bytes_of(status, "\nVmHWM:");
    return *ret_resident > 0 && *ret_peak > 0;
}

bool jrpc_os_process_name(pid_t pid, char *out, size_t out_size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    if (!read_proc(path, out, out_size)) {
        return false;
    }
    out[strcspn(out, "\n")] = '\0';
    return out[0] != '\0';
}

bool jrpc_os_program_path(char *out, size_t out_size)
{
    if (out_size == 0) {
        return false;
    }
    ssize_t len = readlink("/proc/self/exe", out, out_size);
    // A path that fills the room may have been cut.
    if (len < 0 || (size_t)len >= out_size) {
        out[0] = '\0';
        return false;
    }
    out[len] = '\0';
    return true;
}

size_t jrpc_os_unacknowledged(int socket)
{
    int bytes = 0;
    if (ioctl(socket, SIOCOUTQ, &bytes) != 0 || bytes < 0) {
        return 0;
    }
    return (size_t)bytes;
}

int jrpc_os_watch_new(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

bool jrpc_os_watch(int watch, int descriptor, bool reading, bool writing, void *context)
{
    struct epoll_event event = {.events = (reading ? (uint32_t)EPOLLIN : 0) |
                                          (writing ? (uint32_t)EPOLLOUT : 0),
                                .data.ptr = context};
    if (!reading && !writing) {
        return epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, &event) == 0 || errno == ENOENT;
    }
    return epoll_ctl(watch, EPOLL_CTL_MOD, descriptor, &event) == 0 ||
           (errno == ENOENT && epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

size_t jrpc_os_watch_ready(int watch, void **ret_contexts, size_t room)
{
    enum { AT_ONCE = 64 };
    struct epoll_event events[AT_ONCE];
    int count = epoll_wait(watch, events, room < AT_ONCE ? (int)room : AT_ONCE, 0);
    for (int i = 0; i < count; i++) {
        ret_contexts[i] = events[i].data.ptr;
    }
    return count < 0 ? 0 : (size_t)count;
}

void jrpc_os_limit_memory(pid_t pid, uint64_t bytes)
{
    // Not the address space: runtimes reserve hundreds of times what they use.
    const struct rlimit limit = {.rlim_cur = (rlim_t)bytes, .rlim_max = (rlim_t)bytes};
    (void)prlimit(pid, RLIMIT_DATA, &limit, NULL);
}

bool jrpc_os_open_standard(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        // The lowest free number is given: the one that was found closed.
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDWR) != descriptor) {
            return false;
        }
    }
    return true;
}

int jrpc_os_open_unnamed(const char *folder)
{
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

bool jrpc_os_name_file(int descriptor, const char *path)
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

int jrpc_os_spawn_chdir(posix_spawn_file_actions_t *actions, const char *directory)
{
    return posix_spawn_file_actions_addchdir_np(actions, directory);
}

void *jrpc_os_share_memory(size_t size, int *ret_number)
{
    int number = shmget(IPC_PRIVATE, size, IPC_CREAT | IPC_EXCL | 0600);
    void *memory = number < 0 ? NULL : shmat(number, NULL, 0);
    // Linux lets others attach it all the same, as long as somebody has it.
    if (number >= 0) {
        int reason = errno;
        (void)shmctl(number, IPC_RMID, NULL);
        errno = reason;
    }
    // shmat reports a failure by an address of its own.
    if (memory == NULL || (intptr_t)memory == -1) {
        return NULL;
    }
    *ret_number = number;
    return memory;
}

void jrpc_os_unshare_memory(void *memory)
{
    if (memory != NULL) {
        (void)shmdt(memory);
    }
}

void jrpc_os_acknowledge_at_once(int socket)
{
    int on = 1;
    (void)setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}
