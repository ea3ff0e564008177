// Acceptors: whoever connects becomes a peer of its own, over every transport that listens.
#include "reference/net/acceptor.h"
#include "reference/net/descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000 };

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

// A transport, and a socket file for the one that needs it.
typedef struct place {
    char folder[40];
    char path[48];
    jrpc_endpoint endpoint;
    jrpc_acceptor *acceptor;
} place;

static void set_up(place *where, jrpc_transport transport)
{
    (void)snprintf(where->folder, sizeof where->folder, "/tmp/jrpc-acceptor-XXXXXX");
    assert_non_null(mkdtemp(where->folder));
    (void)snprintf(where->path, sizeof where->path, "%s/s", where->folder);
    where->endpoint = (jrpc_endpoint){
        .transport = transport,
        .role = JRPC_ROLE_SERVER,
        .framing = JRPC_FRAMING_LINE,
        .host = "127.0.0.1",
        .port = "0",
        .path = where->path,
        .max_message = 1 << 20,
        .interrupt_fd = -1,
        .allocator = jrpc_allocator_heap(),
        .clock = jrpc_clock_monotonic(),
    };
    where->acceptor = jrpc_acceptor_new(&where->endpoint, NULL);
    assert_non_null(where->acceptor);
}

static void tear_down(place *where)
{
    jrpc_acceptor_free(where->acceptor);
    assert_int_equal(rmdir(where->folder), 0); // the socket file is gone
}

// A client of the acceptor.
static jrpc_peer *connect_to(const place *where)
{
    const char *address = jrpc_acceptor_address(where->acceptor);
    jrpc_transport transport;
    const char *rest = NULL;
    assert_true(jrpc_transport_from_address(address, &transport, &rest));
    assert_int_equal(transport, where->endpoint.transport);
    const jrpc_endpoint endpoint = {
        .transport = transport,
        .framing = JRPC_FRAMING_LINE,
        .host = "127.0.0.1",
        .port = transport == JRPC_TRANSPORT_TCP ? strrchr(rest, ':') + 1 : NULL,
        .path = rest,
        .url = address,
        .interrupt_fd = -1,
        .allocator = jrpc_allocator_heap(),
        .clock = jrpc_clock_monotonic(),
    };
    jrpc_peer *peer = jrpc_peer_open(&endpoint, patience(), NULL);
    assert_non_null(peer);
    return peer;
}

static void wait_for(int descriptor)
{
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    (void)jrpc_descriptor_poll(&entry, 1, jrpc_clock_monotonic(), patience());
}

static jrpc_peer *take(const place *where)
{
    jrpc_peer *peer;
    int64_t deadline = patience();
    do {
        wait_for(jrpc_acceptor_descriptor(where->acceptor));
        jrpc_error error = {0};
        peer = jrpc_acceptor_take(where->acceptor, &error);
        assert_int_equal(error.code, JRPC_OK);
    } while (peer == NULL && jrpc_clock_now_us(jrpc_clock_monotonic()) < deadline);
    assert_non_null(peer);
    return peer;
}

static void assert_receives(jrpc_peer *peer, const char *text)
{
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(peer, patience(), &received, NULL), JRPC_PEER_MESSAGE);
    assert_true(jrpc_slice_is(received.bytes, text));
}

static void assert_sends(jrpc_peer *peer, const char *text)
{
    assert_int_equal(jrpc_peer_send(peer, jrpc_slice_str(text), patience(), NULL),
                     JRPC_PEER_MESSAGE);
}

// A client that connects and speaks at once, while the acceptor shakes hands with it.
typedef struct meeting {
    const place *where;
    const char *text;
    jrpc_peer *client, *server;
} meeting;

static void *come(void *context)
{
    meeting *met = context;
    met->client = connect_to(met->where);
    assert_sends(met->client, met->text);
    return NULL;
}

static meeting meet(const place *where, const char *text)
{
    meeting met = {.where = where, .text = text};
    pthread_t coming;
    assert_int_equal(pthread_create(&coming, NULL, come, &met), 0);
    met.server = take(where);
    assert_receives(met.server, text);
    assert_int_equal(pthread_join(coming, NULL), 0);
    return met;
}

static void part(const meeting *met)
{
    jrpc_peer_close(met->client, 0);
    jrpc_peer_close(met->server, 0);
}

static void nobody_has_come(jrpc_transport transport)
{
    place where = {.acceptor = NULL};
    jrpc_error error = {0};
    set_up(&where, transport);
    assert_null(jrpc_acceptor_take(where.acceptor, &error));
    assert_int_equal(error.code, JRPC_OK);
    tear_down(&where);
}

// Answers go back to whoever asked, also in another order.
static void two_clients_have_a_peer_each(jrpc_transport transport)
{
    place where = {.acceptor = NULL};
    set_up(&where, transport);
    meeting first = meet(&where, "[1]");
    meeting other = meet(&where, "[2]");
    assert_sends(other.server, "\"two\"");
    assert_sends(first.server, "\"one\"");
    assert_receives(first.client, "\"one\"");
    assert_receives(other.client, "\"two\"");
    part(&first);
    part(&other);
    tear_down(&where);
}

// A client that goes away without a word leaves a peer that has ended, and the next one is served.
static void a_client_that_leaves_harms_nobody(jrpc_transport transport)
{
    place where = {.acceptor = NULL};
    set_up(&where, transport);
    meeting gone = meet(&where, "[1]");
    jrpc_peer_close(gone.client, 0);
    jrpc_received received;
    assert_int_equal(jrpc_peer_receive(gone.server, patience(), &received, NULL), JRPC_PEER_ENDED);
    jrpc_peer_close(gone.server, 0);
    meeting next = meet(&where, "[2]");
    part(&next);
    tear_down(&where);
}

static const jrpc_transport listening[] = {
    JRPC_TRANSPORT_TCP,
    JRPC_TRANSPORT_UNIX,
#if JRPC_HTTP
    JRPC_TRANSPORT_WEBSOCKET,
    JRPC_TRANSPORT_HTTP,
#endif
};

#if JRPC_HTTP
// The status of an answer is the one that its manner says.
static void an_answer_over_http_has_the_status_that_is_asked_for(void **state)
{
    static const struct {
        jrpc_manner manner;
        const char *body;
        int status;
    } rows[] = {
        {{.status = 0}, "{}", 200},
        {{.status = 500}, "{}", 500},
        {{.status = 404, .content_type = "application/json; charset=utf-8"}, "[2]", 404},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        place where = {.acceptor = NULL};
        set_up(&where, JRPC_TRANSPORT_HTTP);
        meeting met = meet(&where, "[1]");
        jrpc_received received;
        assert_int_equal(jrpc_peer_send_as(met.server, jrpc_slice_str(rows[i].body),
                                           &rows[i].manner, patience(), NULL),
                         JRPC_PEER_MESSAGE);
        assert_int_equal(jrpc_peer_receive(met.client, patience(), &received, NULL),
                         JRPC_PEER_MESSAGE);
        assert_int_equal(received.http_status, rows[i].status);
        assert_true(jrpc_slice_is(received.bytes, rows[i].body));
        part(&met);
        tear_down(&where);
    }
}
#endif

static void over_every_transport(void (*check)(jrpc_transport transport), bool connections)
{
    for (size_t i = 0; i < sizeof listening / sizeof *listening; i++) {
        if (!connections || !jrpc_transport_traits(listening[i])->exchanges) {
            check(listening[i]);
        }
    }
}

static void before_anybody_connects_there_is_no_peer_and_no_error(void **state)
{
    (void)state;
    over_every_transport(nobody_has_come, false);
}

static void every_client_has_a_peer_of_its_own(void **state)
{
    (void)state;
    over_every_transport(two_clients_have_a_peer_each, false);
}

static void a_client_may_leave_without_a_word(void **state)
{
    (void)state;
    over_every_transport(a_client_that_leaves_harms_nobody, true);
}

// The address that is in use is named.
static void a_path_that_is_taken_is_refused(void **state)
{
    (void)state;
    place where = {.acceptor = NULL};
    set_up(&where, JRPC_TRANSPORT_TCP);
    jrpc_endpoint same = where.endpoint;
    jrpc_error error = {0};
    same.port = strrchr(jrpc_acceptor_address(where.acceptor), ':') + 1;
    assert_null(jrpc_acceptor_new(&same, &error));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, same.port));
    tear_down(&where);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_anybody_connects_there_is_no_peer_and_no_error),
        cmocka_unit_test(every_client_has_a_peer_of_its_own),
        cmocka_unit_test(a_client_may_leave_without_a_word),
        cmocka_unit_test(a_path_that_is_taken_is_refused),
#if JRPC_HTTP
        cmocka_unit_test(an_answer_over_http_has_the_status_that_is_asked_for),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
