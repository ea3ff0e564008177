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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

bool jrpc_os_become_subreaper(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) == 0;
}

// The parent of a process from /proc/PID/stat: "pid (name) state ppid …". The name may hold
// anything, also parentheses, so the fields are counted from the last one. -1 if it has gone.
static pid_t parent_of(const char *pid_text)
{
    char path[64];
    int len = snprintf(path, sizeof path, "/proc/%.20s/stat", pid_text);
    if (len < 0 || (size_t)len >= sizeof path) {
        return -1;
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    char text[512];
    ssize_t got = read(file, text, sizeof text - 1);
    (void)close(file);
    if (got <= 0) {
        return -1;
    }
    text[got] = '\0';
    const char *name_end = strrchr(text, ')');
    if (name_end == NULL || strlen(name_end) < 5) {
        return -1;
    }
    return (pid_t)strtol(name_end + 4, NULL, 10);
}

bool jrpc_os_each_child(void (*visit)(void *context, pid_t pid), void *context)
{
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

void jrpc_os_acknowledge_at_once(int socket)
{
    int on = 1;
    (void)setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}
