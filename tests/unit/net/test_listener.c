// Listeners: connections in, one thread each, an orderly stop.
#include "reference/net/listener.h"
#include "reference/net/peer.h"
#include "reference/net/socket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, CONNECTIONS = 40 };

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

static void echo_bytes(void *context, int input, int output)
{
    (void)context;
    char bytes[1000];
    ssize_t got;
    while ((got = read(input, bytes, sizeof bytes)) > 0 &&
           send(output, bytes, (size_t)got, MSG_NOSIGNAL) == got) {
    }
}

static void *run(void *listener)
{
    jrpc_listener_run(listener, CONNECTIONS, echo_bytes, NULL);
    return NULL;
}

static jrpc_peer *connect_to(const jrpc_listener *listener)
{
    const char *address = jrpc_listener_address(listener);
    bool tcp = strncmp(address, "tcp://127.0.0.1:", 16) == 0;
    const jrpc_endpoint endpoint = {
        .transport = tcp ? JRPC_TRANSPORT_TCP : JRPC_TRANSPORT_UNIX,
        .framing = JRPC_FRAMING_LINE,
        .host = "127.0.0.1",
        .port = tcp ? address + 16 : NULL,
        .path = tcp ? NULL : address + 5,
        .interrupt_fd = -1,
        .allocator = jrpc_allocator_heap(),
        .clock = jrpc_clock_monotonic(),
    };
    jrpc_peer *peer = jrpc_peer_open(&endpoint, patience(), NULL);
    assert_non_null(peer);
    return peer;
}

// The other direction: a peer is made of a connection that was accepted here.
static void an_accepted_connection_becomes_a_peer(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    const jrpc_endpoint endpoint = {.transport = JRPC_TRANSPORT_UNIX,
                                    .role = JRPC_ROLE_SERVER,
                                    .framing = JRPC_FRAMING_CONTENT_LENGTH,
                                    .interrupt_fd = -1,
                                    .allocator = jrpc_allocator_heap(),
                                    .clock = jrpc_clock_monotonic()};
    jrpc_peer *peer = jrpc_peer_adopt(&endpoint, ends[0], NULL);
    assert_non_null(peer);
    static const char request[] = "Content-Length: 2\r\n\r\n{}";
    assert_int_equal(write(ends[1], request, sizeof request - 1), sizeof request - 1);
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_MESSAGE);
    assert_true(jrpc_slice_is(received.bytes, "{}"));
    assert_int_equal(jrpc_peer_send(peer, JRPC_SLICE("[]"), patience(), NULL), JRPC_PEER_MESSAGE);
    char answer[64] = "";
    assert_true(read(ends[1], answer, sizeof answer - 1) > 0);
    assert_string_equal(answer, "Content-Length: 2\r\n\r\n[]");
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_ENDED);
    jrpc_peer_close(peer, 0);
    // What is no descriptor is refused, with the reason.
    jrpc_error error = {0};
    assert_null(jrpc_peer_adopt(&endpoint, -1, &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
}

// As many descriptors as there are, but for the ones that a listener needs besides its pipe.
static void a_listener_without_a_pipe_closes_nothing_of_others(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(STDERR_FILENO);
    assert_true(next >= 0 && fcntl(STDIN_FILENO, F_GETFD) >= 0);
    (void)close(next);
    struct rlimit none = {.rlim_cur = (rlim_t)next, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    jrpc_error error = {0};
    jrpc_listener *listener = jrpc_listener_tcp("127.0.0.1", "0", &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_null(listener);
    assert_non_null(strstr(error.message, "pipe"));
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
}

static void every_connection_is_served_until_the_stop(jrpc_listener *listener)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, listener), 0);
    jrpc_peer *peers[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) {
        peers[i] = connect_to(listener);
        char text[16];
        (void)snprintf(text, sizeof text, "[%d]", i);
        assert_int_equal(jrpc_peer_send(peers[i], jrpc_slice_str(text), patience(), NULL),
                         JRPC_PEER_MESSAGE);
    }
    for (int i = 0; i < CONNECTIONS; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "[%d]", i);
        jrpc_received received;
        assert_int_equal(jrpc_peer_receive(peers[i], patience(), &received, NULL),
                         JRPC_PEER_MESSAGE);
        assert_true(jrpc_slice_is(received.bytes, text));
    }
    jrpc_listener_stop(listener);
    assert_int_equal(pthread_join(thread, NULL), 0);
    for (int i = 0; i < CONNECTIONS; i++) {
        jrpc_received received;
        assert_int_equal(jrpc_peer_receive(peers[i], patience(), &received, NULL), JRPC_PEER_ENDED);
        assert_int_equal(jrpc_peer_end(peers[i], patience()).kind, JRPC_END_CLOSED);
        jrpc_peer_close(peers[i], 0);
    }
    jrpc_listener_free(listener);
}

static void connections_over_tcp_are_served_until_the_stop(void **state)
{
    (void)state;
    jrpc_listener *listener = jrpc_listener_tcp("127.0.0.1", "0", NULL);
    assert_non_null(listener);
    every_connection_is_served_until_the_stop(listener);
}

static void a_unix_socket_replaces_a_stale_one_and_nothing_else(void **state)
{
    (void)state;
    char folder[] = "/tmp/jrpc-listener-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[100];
    (void)snprintf(path, sizeof path, "%s/socket", folder);
    jrpc_listener *first = jrpc_listener_unix(path, NULL);
    assert_non_null(first);
    jrpc_error error;
    jrpc_error_clear(&error);
    assert_null(jrpc_listener_unix(path, &error));
    assert_non_null(strstr(error.message, "another process listens there"));
    every_connection_is_served_until_the_stop(first);
    struct stat status;
    assert_int_equal(stat(path, &status), -1);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fclose(file);
    jrpc_error_clear(&error);
    assert_null(jrpc_listener_unix(path, &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    assert_int_equal(stat(path, &status), 0);
    (void)unlink(path);
    (void)rmdir(folder);
}

static void a_path_that_is_too_long_is_refused_with_its_length(void **state)
{
    (void)state;
    char path[300];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    jrpc_error error;
    jrpc_error_clear(&error);
    assert_null(jrpc_listener_unix(path, &error));
    assert_int_equal(error.code, JRPC_ERROR_USAGE);
    assert_non_null(strstr(error.message, "has 299 bytes"));
}

static void *accept_all(void *listener)
{
    for (int descriptor; (descriptor = accept(*(int *)listener, NULL, NULL)) >= 0;) {
        (void)close(descriptor);
    }
    return NULL;
}

static int connect_until(const char *path, int64_t deadline_us, int interrupt_fd, jrpc_error *error)
{
    jrpc_error_clear(error);
    return jrpc_socket_connect_unix(path, jrpc_clock_monotonic(), deadline_us, interrupt_fd, error);
}

static void a_full_queue_is_waited_for(void **state)
{
    (void)state;
    char folder[] = "/tmp/jrpc-queue-XXXXXX";
    char path[64];
    struct sockaddr_un address;
    jrpc_error error = {0};
    int ends[2];
    pthread_t thread;
    int connected = 0;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/s", folder);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(jrpc_socket_unix_address(path, &address, NULL));
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    // Nobody accepts: until the deadline, and until an interruption.
    for (int descriptor; (descriptor = connect_until(path, 0, -1, &error)) >= 0; connected++) {
        assert_int_equal(close(descriptor), 0);
    }
    assert_int_not_equal(connected, 0);
    assert_int_equal(error.code, JRPC_ERROR_TIMEOUT);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "", 1), 1);
    assert_int_equal(connect_until(path, patience(), ends[0], &error), -1);
    assert_int_equal(error.code, JRPC_ERROR_INTERRUPTED);
    // Until there is room.
    assert_int_equal(pthread_create(&thread, NULL, accept_all, &listener), 0);
    int descriptor = connect_until(path, patience(), -1, &error);
    assert_true(descriptor >= 0);
    assert_int_equal(shutdown(listener, SHUT_RDWR), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(close(descriptor) + close(listener) + close(ends[0]) + close(ends[1]), 0);
    assert_int_equal(unlink(path) + rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accepted_connection_becomes_a_peer),
        cmocka_unit_test(a_listener_without_a_pipe_closes_nothing_of_others),
        cmocka_unit_test(connections_over_tcp_are_served_until_the_stop),
        cmocka_unit_test(a_unix_socket_replaces_a_stale_one_and_nothing_else),
        cmocka_unit_test(a_path_that_is_too_long_is_refused_with_its_length),
        cmocka_unit_test(a_full_queue_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
