#include "reference/net/listener.h"

#include "reference/base/clock.h"
#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"
#include "reference/net/socket.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 128,
    SHORTAGE_MS = 100,
};

typedef struct connection {
    jrpc_listener *listener;
    pthread_t thread;
    int socket;    // -1 once the thread is through with it; guarded by the listener's lock
    bool used;     // has a thread that was not joined yet
    bool finished; // guarded by the listener's lock
} connection;

struct jrpc_listener {
    int socket;
    int wake[2]; // written to by jrpc_listener_stop and by finished connections
    atomic_bool stopping;
    char address[300];
    struct sockaddr_un path; // the socket file to remove; sun_path empty for TCP
    jrpc_serve serve;
    void *context;
    pthread_mutex_t lock;
    unsigned most; // of the connections below that are used
    connection connections[JRPC_LIMIT_CONNECTIONS];
};

static jrpc_listener *listener_new(jrpc_error *error)
{
    jrpc_listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a listener");
        return NULL;
    }
    listener->socket = listener->wake[0] = listener->wake[1] = -1;
    // Both ends never block: a full pipe means that waking is under way already, and
    // jrpc_listener_stop may run in a signal handler.
    if (pthread_mutex_init(&listener->lock, NULL) != 0) {
        free(listener);
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot make a lock");
        return NULL;
    }
    if (!jrpc_os_pipe(listener->wake) || !jrpc_descriptor_unblock(listener->wake[0]) ||
        !jrpc_descriptor_unblock(listener->wake[1])) {
        (void)jrpc_error_set_errno(error, errno, "cannot make a pipe");
        jrpc_listener_free(listener);
        return NULL;
    }
    return listener;
}

// Binds and listens. 0 or an errno value.
static int bind_to(jrpc_listener *listener, int family, const struct sockaddr *address,
                   socklen_t address_len)
{
    int on = 1;
    jrpc_descriptor_close(&listener->socket);
    listener->socket = jrpc_os_socket(family, SOCK_STREAM, 0);
    if (listener->socket < 0 ||
        (family != AF_UNIX &&
         setsockopt(listener->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) ||
        bind(listener->socket, address, address_len) != 0 ||
        listen(listener->socket, BACKLOG) != 0 || !jrpc_descriptor_unblock(listener->socket)) {
        return errno;
    }
    return 0;
}

static bool name_address(jrpc_listener *listener)
{
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    char host[128];
    char port[16];
    if (getsockname(listener->socket, (struct sockaddr *)&bound, &size) != 0 ||
        getnameinfo((struct sockaddr *)&bound, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return false;
    }
    bool six = bound.ss_family == AF_INET6;
    int len = snprintf(listener->address, sizeof listener->address, "tcp://%s%s%s:%s",
                       six ? "[" : "", host, six ? "]" : "", port);
    return len > 0 && (size_t)len < sizeof listener->address;
}

jrpc_listener *jrpc_listener_tcp(const char *host, const char *port, jrpc_error *error)
{
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *addresses = NULL;
    int unresolved = getaddrinfo(host, port, &hints, &addresses);
    if (unresolved != 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE,
                             "cannot listen on %s:%s: %s; give an address of this machine and a "
                             "port number",
                             host, port, gai_strerror(unresolved));
        return NULL;
    }
    jrpc_listener *listener = listener_new(error);
    int failure = EADDRNOTAVAIL;
    for (const struct addrinfo *a = addresses; listener != NULL && a != NULL && failure != 0;
         a = a->ai_next) {
        failure = bind_to(listener, a->ai_family, a->ai_addr, a->ai_addrlen);
    }
    freeaddrinfo(addresses);
    if (listener == NULL) {
        return NULL;
    }
    if (failure != 0) {
        (void)jrpc_error_set_errno(error, failure, "cannot listen on %s:%s", host, port);
    } else if (!name_address(listener)) {
        failure = -1;
        (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                             "cannot find the address that %s:%s stands for", host, port);
    }
    if (failure != 0) {
        jrpc_listener_free(listener);
        return NULL;
    }
    return listener;
}

// Removes the file of a socket that nobody listens on. False, with the reason, for anything else.
static bool remove_stale(const struct sockaddr_un *address, jrpc_error *error)
{
    struct stat status;
    if (lstat(address->sun_path, &status) != 0) {
        return errno == ENOENT ||
               jrpc_error_set_errno(error, errno, "cannot listen on unix:%s", address->sun_path);
    }
    if (!S_ISSOCK(status.st_mode)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "cannot listen on unix:%s: a file of that name is there and is not a "
                              "socket; choose another path",
                              address->sun_path);
    }
    const jrpc_clock *clock = jrpc_clock_monotonic();
    int probe = jrpc_socket_connect_unix(address->sun_path, clock, jrpc_deadline_in_ms(clock, 1000),
                                         -1, NULL);
    if (probe >= 0) {
        jrpc_descriptor_close(&probe);
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "cannot listen on unix:%s: another process listens there",
                              address->sun_path);
    }
    if (unlink(address->sun_path) != 0) {
        return jrpc_error_set_errno(error, errno, "cannot replace the stale socket %s",
                                    address->sun_path);
    }
    return true;
}

jrpc_listener *jrpc_listener_unix(const char *path, jrpc_error *error)
{
    struct sockaddr_un address;
    if (!jrpc_socket_unix_address(path, &address, error) || !remove_stale(&address, error)) {
        return NULL;
    }
    jrpc_listener *listener = listener_new(error);
    if (listener == NULL) {
        return NULL;
    }
    int failure = bind_to(listener, AF_UNIX, (const struct sockaddr *)&address, sizeof address);
    if (failure != 0) {
        (void)jrpc_error_set_errno(error, failure, "cannot listen on unix:%s", path);
        jrpc_listener_free(listener);
        return NULL;
    }
    listener->path = address;
    (void)snprintf(listener->address, sizeof listener->address, "unix:%s", path);
    return listener;
}

const char *jrpc_listener_address(const jrpc_listener *listener)
{
    return listener->address;
}

int jrpc_listener_take_socket(jrpc_listener *listener)
{
    int socket = listener->socket;
    listener->socket = -1;
    return socket;
}

static void wake(const jrpc_listener *listener)
{
    int saved = errno;
    ssize_t ignored = write(listener->wake[1], "", 1);
    (void)ignored;
    errno = saved;
}

void jrpc_listener_stop(jrpc_listener *listener)
{
    atomic_store(&listener->stopping, true);
    wake(listener);
}

static void *connection_main(void *context)
{
    connection *self = context;
    jrpc_listener *listener = self->listener;
    listener->serve(listener->context, self->socket, self->socket);
    pthread_mutex_lock(&listener->lock);
    jrpc_descriptor_close(&self->socket);
    self->finished = true;
    pthread_mutex_unlock(&listener->lock);
    wake(listener);
    return NULL;
}

// Joins what has finished (everything if `all`); a slot for another connection, or NULL.
static connection *sweep(jrpc_listener *listener, bool all)
{
    connection *vacant = NULL;
    for (size_t i = 0; i < JRPC_LIMIT_CONNECTIONS; i++) {
        connection *entry = &listener->connections[i];
        pthread_mutex_lock(&listener->lock);
        bool join = entry->used && (all || entry->finished);
        if (join && entry->socket >= 0) {
            (void)shutdown(entry->socket, SHUT_RDWR);
        }
        pthread_mutex_unlock(&listener->lock);
        if (join) {
            pthread_join(entry->thread, NULL);
            entry->used = false;
        }
        if (!entry->used && i < listener->most) {
            vacant = entry;
        }
    }
    return vacant;
}

static void accept_one(jrpc_listener *listener, connection *slot)
{
    int socket = jrpc_os_accept(listener->socket);
    if (socket < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // The connection stays in the backlog and poll would report it at once, for ever. A
            // connection that ends, or a stop, cuts this short.
            struct pollfd entry = {.fd = listener->wake[0], .events = POLLIN};
            const jrpc_clock *clock = jrpc_clock_monotonic();
            (void)jrpc_descriptor_poll(&entry, 1, clock, jrpc_deadline_in_ms(clock, SHORTAGE_MS));
        }
        return;
    }
    jrpc_socket_no_delay(socket);
    *slot = (connection){.listener = listener, .socket = socket, .used = true};
    if (pthread_create(&slot->thread, NULL, connection_main, slot) != 0) {
        jrpc_descriptor_close(&slot->socket);
        slot->used = false;
    }
}

void jrpc_listener_run(jrpc_listener *listener, unsigned most, jrpc_serve serve, void *context)
{
    listener->most = most < JRPC_LIMIT_CONNECTIONS ? most : JRPC_LIMIT_CONNECTIONS;
    listener->serve = serve;
    listener->context = context;
    while (!atomic_load(&listener->stopping)) {
        connection *slot = sweep(listener, false);
        struct pollfd entries[2] = {{.fd = slot != NULL ? listener->socket : -1, .events = POLLIN},
                                    {.fd = listener->wake[0], .events = POLLIN}};
        if (jrpc_descriptor_poll(entries, 2, jrpc_clock_monotonic(), JRPC_DEADLINE_NEVER) < 0) {
            break;
        }
        char bytes[64];
        while (read(listener->wake[0], bytes, sizeof bytes) > 0) {
        }
        if (slot != NULL && entries[0].revents != 0 && !atomic_load(&listener->stopping)) {
            accept_one(listener, slot);
        }
    }
    (void)sweep(listener, true);
}

void jrpc_listener_free(jrpc_listener *listener)
{
    if (listener == NULL) {
        return;
    }
    jrpc_descriptor_close(&listener->socket);
    jrpc_descriptor_close(&listener->wake[0]);
    jrpc_descriptor_close(&listener->wake[1]);
    if (listener->path.sun_path[0] != '\0') {
        (void)unlink(listener->path.sun_path);
    }
    pthread_mutex_destroy(&listener->lock);
    free(listener);
}
