// jrpc-reference: reads its command line, listens, serves, ends orderly on SIGTERM and SIGINT.
#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/listener.h"
#include "reference/server/access_log.h"
#include "reference/server/http.h"
#include "reference/server/http_sessions.h"
#include "reference/server/methods.h"
#include "reference/server/options.h"
#include "reference/server/websocket.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_START = 3 };

typedef struct listening {
    jrpc_listener *listener;
#if JRPC_HTTP
    jrpc_http_listener *http; // instead of `listener`: it has threads of its own
#endif
    jrpc_serve serve;
    char address[300];
    jrpc_server *server;
    pthread_t thread;
} listening;

static volatile sig_atomic_t stop_fd = -1;

static void on_signal(int signal_number)
{
    (void)signal_number;
    int saved = errno;
    ssize_t ignored = write(stop_fd, "", 1);
    (void)ignored;
    errno = saved;
}

static bool watch_signals(int *ret_stop)
{
    int ends[2];
    if (!jrpc_os_pipe(ends)) {
        return false;
    }
    stop_fd = ends[1];
    *ret_stop = ends[0];
    struct sigaction stop = {.sa_handler = on_signal};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&stop.sa_mask);
    sigemptyset(&ignore.sa_mask);
    // A client that goes away gives EPIPE on stdout, not a signal.
    return sigaction(SIGTERM, &stop, NULL) == 0 && sigaction(SIGINT, &stop, NULL) == 0 &&
           sigaction(SIGPIPE, &ignore, NULL) == 0;
}

static int complain(const jrpc_error *error, int status)
{
    (void)fprintf(stderr, "jrpc-reference: %s\n", error->message);
    return status;
}

static void *run_listener(void *context)
{
    listening *self = context;
    jrpc_listener_run(self->listener, self->server->max_connections, self->serve, self->server);
    return NULL;
}

// Opens one listener and starts its thread; what to print as its address, or NULL with *error.
static const char *open_listener(const jrpc_listen_at *at, listening *self, jrpc_error *error)
{
#if JRPC_HTTP
    bool by_hand = at->kind == JRPC_LISTEN_HTTP && jrpc_server_is_http_by_hand(self->server);
    if (at->kind == JRPC_LISTEN_HTTP && !by_hand) {
        self->http = jrpc_server_http(self->server, at->host, at->port, error);
        return self->http == NULL ? NULL : jrpc_http_listener_address(self->http);
    }
#endif
    self->listener = at->kind == JRPC_LISTEN_UNIX ? jrpc_listener_unix(at->path, error)
                                                  : jrpc_listener_tcp(at->host, at->port, error);
    if (self->listener == NULL) {
        return NULL;
    }
    const char *address = jrpc_listener_address(self->listener);
    (void)snprintf(self->address, sizeof self->address, "%s", address);
    self->serve = jrpc_server_serve;
#if JRPC_HTTP
    if (at->kind == JRPC_LISTEN_WEBSOCKET) {
        (void)snprintf(self->address, sizeof self->address, "ws%s/", address + strlen("tcp"));
        self->serve = jrpc_server_websocket;
    }
    if (by_hand) {
        (void)snprintf(self->address, sizeof self->address, "http%s/", address + strlen("tcp"));
        self->serve = jrpc_server_http_by_hand;
    }
#endif
    int failure = pthread_create(&self->thread, NULL, run_listener, self);
    if (failure != 0) {
        (void)jrpc_error_set_errno(error, failure, "cannot start a thread");
        jrpc_listener_free(self->listener);
        return NULL;
    }
    return self->address;
}

// Opens all listeners and starts their threads; how many run. Fewer than asked for: *error says.
static size_t open_listeners(const jrpc_server_options *options, jrpc_server *server,
                             listening *listeners, jrpc_error *error)
{
    for (size_t i = 0; i < options->listener_count; i++) {
        listeners[i] = (listening){.server = server};
        const char *address = open_listener(&options->listeners[i], &listeners[i], error);
        if (address == NULL) {
            return i;
        }
        (void)fprintf(stderr, "listening on %s\n", address);
    }
    return options->listener_count;
}

static void close_listeners(listening *listeners, size_t count)
{
    for (size_t i = 0; i < count; i++) {
#if JRPC_HTTP
        if (listeners[i].http != NULL) {
            jrpc_http_listener_free(listeners[i].http);
            continue;
        }
#endif
        jrpc_listener_stop(listeners[i].listener);
        pthread_join(listeners[i].thread, NULL);
        jrpc_listener_free(listeners[i].listener);
    }
}

static int run(const jrpc_server_options *options, jrpc_server *server)
{
    listening listeners[JRPC_LISTENERS_MAX];
    jrpc_error error;
    jrpc_error_clear(&error);
    int status = EXIT_SUCCESS;
    size_t open = open_listeners(options, server, listeners, &error);
    if (open < options->listener_count) {
        status = complain(&error, EXIT_START);
    } else if (options->stdio) {
        jrpc_server_serve(server, STDIN_FILENO, STDOUT_FILENO);
        status = atomic_load(&server->exit_status);
    } else {
        struct pollfd stop = {.fd = server->stop_fd, .events = POLLIN};
        while (poll(&stop, 1, -1) < 0 && errno == EINTR) {
        }
    }
    // Nothing is read from it: it stays readable and ends every connection.
    on_signal(0);
    close_listeners(listeners, open);
    return status;
}

static bool open_sessions(const jrpc_server_options *options, jrpc_server *server)
{
#if JRPC_HTTP
    if (options->sessions) {
        server->sessions = jrpc_http_sessions_new(server->allocator);
        return server->sessions != NULL;
    }
#endif
    (void)options;
    (void)server;
    return true;
}

static void close_sessions(jrpc_server *server)
{
#if JRPC_HTTP
    jrpc_http_sessions_free(server->sessions);
#endif
    server->sessions = NULL;
}

static int serve(const jrpc_server_options *options)
{
    jrpc_error error;
    jrpc_error_clear(&error);
    jrpc_server server = {.allocator = jrpc_allocator_heap(),
                          .framing = options->framing,
                          .max_message = options->max_message,
                          .max_connections = options->max_connections,
                          .idle_s = options->idle_s,
                          .delay_ms = options->delay_ms,
                          .origins = options->origin_count > 0 ? options->origins : NULL,
                          .origin_count = options->origin_count,
                          .token_key = options->token_key,
                          .max_depth = JRPC_LIMIT_DEPTH};
    if (options->v1) {
        server.faults[server.fault_count++] = &jrpc_version1;
    }
    if (options->habit != NULL) {
        server.faults[server.fault_count++] = options->habit;
    }
    for (size_t i = 0; i < options->fault_count; i++) {
        server.faults[server.fault_count++] = options->faults[i];
    }
    jrpc_fault_install(&server);
    if (options->access_log != NULL) {
        server.access_log = jrpc_access_log_open(options->access_log, &error);
        if (server.access_log == NULL) {
            return complain(&error, EXIT_START);
        }
    }
    int failure = watch_signals(&server.stop_fd) ? pthread_mutex_init(&server.lock, NULL) : errno;
    if (failure != 0) {
        (void)jrpc_error_set_errno(&error, failure, "cannot start");
        return complain(&error, EXIT_START);
    }
    server.router = jrpc_router_new(server.allocator, JRPC_ROLE_SERVER, &server.hooks);
    if (server.router == NULL || !jrpc_server_add_methods(&server, &error)) {
        (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "no memory to start");
        jrpc_router_free(server.router);
        return complain(&error, EXIT_START);
    }
    if (!open_sessions(options, &server)) {
        jrpc_router_free(server.router);
        (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "no memory to start");
        return complain(&error, EXIT_START);
    }
    int status = run(options, &server);
    close_sessions(&server);
    jrpc_access_log_close(server.access_log);
    jrpc_router_free(server.router);
    pthread_mutex_destroy(&server.lock);
    return status;
}

int main(int argc, char **argv)
{
    // Else a connection could get the number of standard output.
    if (!jrpc_os_open_standard()) {
        return EXIT_START;
    }
    jrpc_server_options options;
    jrpc_error error;
    jrpc_error_clear(&error);
    if (!jrpc_server_options_read(argc, argv, &options, &error)) {
        return complain(&error, EXIT_USAGE);
    }
    switch (options.action) {
    case JRPC_SERVER_RUN:
        return serve(&options);
    case JRPC_SERVER_HELP:
        (void)fputs(jrpc_server_help(), stdout);
        break;
    case JRPC_SERVER_VERSION:
        (void)puts("jrpc-reference " JRPCHECK_VERSION);
        break;
    case JRPC_SERVER_LIST_FAULTS:
        jrpc_fault_list(stdout);
        break;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_START;
}
