#include "reference/net/socket.h"

#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>

void jrpc_socket_no_delay(int descriptor)
{
    int on = 1;
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// Waits for a connect under way. 0, an errno value, ETIMEDOUT at the deadline, EINTR when
// interrupted.
static int finish_connect(int descriptor, const jrpc_clock *clock, int64_t deadline_us,
                          int interrupt_fd)
{
    struct pollfd entries[2] = {{.fd = descriptor, .events = POLLOUT},
                                {.fd = interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, clock, deadline_us);
    if (ready <= 0) {
        return ready == 0 ? ETIMEDOUT : errno;
    }
    if (entries[1].revents != 0) {
        return EINTR;
    }
    int failure = 0;
    socklen_t size = sizeof failure;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) != 0) {
        return errno;
    }
    return failure;
}

// A connected descriptor, or -1 with *ret_failure.
static int connect_to(int family, int type, int protocol, const struct sockaddr *address,
                      socklen_t address_len, const jrpc_clock *clock, int64_t deadline_us,
                      int interrupt_fd, int *ret_failure)
{
    int descriptor = jrpc_os_socket(family, type, protocol);
    int failure = 0;
    if (descriptor < 0 || !jrpc_descriptor_unblock(descriptor)) {
        failure = errno;
    } else if (connect(descriptor, address, address_len) != 0) {
        failure = errno == EINPROGRESS || errno == EINTR
                      ? finish_connect(descriptor, clock, deadline_us, interrupt_fd)
                      : errno;
    }
    if (failure != 0) {
        jrpc_descriptor_close(&descriptor);
        *ret_failure = failure;
    }
    return descriptor;
}

// How often to look whether a Unix socket has room in its queue: nothing announces it.
#define QUEUE_LOOK_US 5000

// Waits a moment for room in a full queue. False, with *ret_failure, at the deadline or when
// interrupted.
static bool waits_for_room(const jrpc_clock *clock, int64_t deadline_us, int interrupt_fd,
                           int *ret_failure)
{
    struct pollfd interrupt = {.fd = interrupt_fd, .events = POLLIN};
    int64_t look_us = jrpc_clock_now_us(clock) + QUEUE_LOOK_US;
    int ready =
        jrpc_descriptor_poll(&interrupt, 1, clock, look_us < deadline_us ? look_us : deadline_us);
    bool over = jrpc_clock_now_us(clock) >= deadline_us;
    *ret_failure = ready != 0 ? EINTR : over ? ETIMEDOUT : 0;
    return *ret_failure == 0;
}

static bool is_loopback(const struct sockaddr *address)
{
    union {
        const struct sockaddr *any;
        const struct sockaddr_in *v4;
        const struct sockaddr_in6 *v6;
    } as = {.any = address};
    return address->sa_family == AF_INET    ? ntohl(as.v4->sin_addr.s_addr) >> 24 == 127
           : address->sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&as.v6->sin6_addr)
                                            : false;
}

// A connected descriptor, or -1 with *ret_failure.
static int connect_in_time(const struct addrinfo *to, const jrpc_clock *clock, int64_t deadline_us,
                           int interrupt_fd, int *ret_failure)
{
    int64_t wait_ms = JRPC_SOCKET_QUEUED_MS;
    for (;;) {
        int64_t until_us = jrpc_deadline_in_ms(clock, wait_ms);
        bool last = !is_loopback(to->ai_addr) || until_us >= deadline_us;
        int descriptor =
            connect_to(to->ai_family, to->ai_socktype, to->ai_protocol, to->ai_addr, to->ai_addrlen,
                       clock, last ? deadline_us : until_us, interrupt_fd, ret_failure);
        if (descriptor >= 0 || *ret_failure != ETIMEDOUT || last) {
            return descriptor;
        }
        wait_ms *= 2;
    }
}

static void explain(const char *target, int failure, const char *nobody, jrpc_error *error)
{
    if (failure == ECONNREFUSED || failure == ENOENT) {
        (void)jrpc_error_set(error, JRPC_ERROR_CLOSED, "cannot connect to %s: %s; %s", target,
                             failure == ENOENT ? "there is no such socket" : "connection refused",
                             nobody);
    } else if (failure == ETIMEDOUT) {
        (void)jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                             "cannot connect to %s: no answer in time; check the address, or "
                             "allow more time with --timeout",
                             target);
    } else if (failure == EINTR) {
        (void)jrpc_error_set(error, JRPC_ERROR_INTERRUPTED, "connecting to %s was interrupted",
                             target);
    } else {
        (void)jrpc_error_set_errno(error, failure, "cannot connect to %s", target);
    }
}

int jrpc_socket_connect_tcp(const char *host, const char *port, const jrpc_clock *clock,
                            int64_t deadline_us, int interrupt_fd, jrpc_error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    int unresolved = getaddrinfo(host, port, &hints, &addresses);
    if (unresolved != 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                             "cannot find %s:%s: %s; check the host name and the port", host, port,
                             gai_strerror(unresolved));
        return -1;
    }
    int descriptor = -1;
    int failure = ECONNREFUSED;
    for (const struct addrinfo *a = addresses; a != NULL && descriptor < 0 && failure != EINTR;
         a = a->ai_next) {
        descriptor = connect_in_time(a, clock, deadline_us, interrupt_fd, &failure);
    }
    freeaddrinfo(addresses);
    if (descriptor < 0) {
        char target[300];
        int len = snprintf(target, sizeof target, "tcp://%s:%s", host, port);
        explain(len < 0 ? host : target, failure, "is the server running, and on this port?",
                error);
        return -1;
    }
    jrpc_socket_no_delay(descriptor);
    return descriptor;
}

bool jrpc_socket_unix_address(const char *path, struct sockaddr_un *ret_address, jrpc_error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof address.sun_path) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "the socket path '%s' has %zu bytes; it must have 1 to %zu, so "
                              "choose a shorter one",
                              path, len, sizeof address.sun_path - 1);
    }
    memcpy(address.sun_path, path, len + 1);
    *ret_address = address;
    return true;
}

int jrpc_socket_connect_unix(const char *path, const jrpc_clock *clock, int64_t deadline_us,
                             int interrupt_fd, jrpc_error *error)
{
    struct sockaddr_un address;
    if (!jrpc_socket_unix_address(path, &address, error)) {
        return -1;
    }
    int failure = 0;
    int descriptor = -1;
    do {
        descriptor = connect_to(AF_UNIX, SOCK_STREAM, 0, (const struct sockaddr *)&address,
                                sizeof address, clock, deadline_us, interrupt_fd, &failure);
    } while (descriptor < 0 && failure == EAGAIN &&
             waits_for_room(clock, deadline_us, interrupt_fd, &failure));
    if (descriptor < 0) {
        char target[sizeof address.sun_path + 8];
        int len = snprintf(target, sizeof target, "unix:%s", path);
        explain(len < 0 ? path : target, failure, "is the server running, and on this path?",
                error);
    }
    return descriptor;
}
