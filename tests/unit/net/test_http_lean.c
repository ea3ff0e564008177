// Exchanges over a plain connection of their own: what is written, and what is read from any
// answer. The server is played here, one step at a time.
#include "reference/net/http_lean.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, ROOM = 4096 };

typedef struct scene {
    int listener;
    int server; // the accepted connection
    char url[64];
    jrpc_endpoint endpoint;
    jrpc_http_lean lean;
    jrpc_http_answer answer;
} scene;

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

static int set_up(void **state)
{
    static scene now;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    now = (scene){.server = -1, .listener = socket(AF_INET, SOCK_STREAM, 0)};
    assert_int_equal(bind(now.listener, (const struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(now.listener, 4), 0);
    assert_int_equal(getsockname(now.listener, (struct sockaddr *)&address, &size), 0);
    (void)snprintf(now.url, sizeof now.url, "http://127.0.0.1:%d/rpc", ntohs(address.sin_port));
    now.endpoint = (jrpc_endpoint){.transport = JRPC_TRANSPORT_HTTP,
                                   .url = now.url,
                                   .interrupt_fd = -1,
                                   .allocator = jrpc_allocator_heap(),
                                   .clock = jrpc_clock_monotonic()};
    jrpc_http_lean_init(&now.lean, &now.endpoint);
    jrpc_http_answer_init(&now.answer, ROOM, jrpc_allocator_heap());
    *state = &now;
    return 0;
}

static void hang_up(scene *now)
{
    if (now->server >= 0) {
        (void)close(now->server);
    }
    now->server = -1;
}

static int tear_down(void **state)
{
    scene *now = *state;
    hang_up(now);
    (void)close(now->listener);
    jrpc_http_lean_done(&now->lean);
    jrpc_http_answer_done(&now->answer);
    return 0;
}

static void take_connection(scene *now)
{
    hang_up(now);
    now->server = accept(now->listener, NULL, NULL);
    assert_true(now->server >= 0);
}

static void send_as(scene *now, const char *text, const jrpc_manner *manner)
{
    jrpc_error error = {0};
    assert_true(jrpc_http_lean_suits(&now->lean, manner));
    assert_int_equal(
        jrpc_http_lean_send(&now->lean, jrpc_slice_str(text), manner, patience(), &error),
        JRPC_PEER_MESSAGE);
}

static const jrpc_manner usual = {.lean = true};

// Reads a request that ends so, and looks for lines in it; `lines` ends with NULL.
static void reads(const scene *now, const char *end, const char *const *lines)
{
    char text[ROOM] = "";
    size_t len = 0;
    while (len < strlen(end) || strcmp(text + len - strlen(end), end) != 0) {
        ssize_t got = read(now->server, text + len, sizeof text - 1 - len);
        if (got <= 0) {
            fail_msg("the request ends with: %s", text);
        }
        len += (size_t)got;
        text[len] = '\0';
    }
    for (; lines != NULL && *lines != NULL; lines++) {
        if (strstr(text, *lines) == NULL) {
            fail_msg("no %s in %s", *lines, text);
        }
    }
}

static void answers(const scene *now, const char *text)
{
    assert_int_equal(write(now->server, text, strlen(text)), (ssize_t)strlen(text));
}

static jrpc_peer_event receive(scene *now)
{
    jrpc_error error = {0};
    return jrpc_http_lean_receive(&now->lean, &now->answer, patience(), &error);
}

// The text of the answer; "" if it has none.
static void is_answer(scene *now, int status, const char *text)
{
    jrpc_received received = {0};
    assert_int_equal(receive(now), JRPC_PEER_MESSAGE);
    bool there = jrpc_http_answer_take(&now->answer, &received);
    assert_int_equal(now->answer.status, status);
    assert_true(there == (text[0] != '\0'));
    if (there && !jrpc_slice_is(received.bytes, text)) {
        fail_msg("expected %s, got %.*s", text, (int)received.bytes.len, received.bytes.ptr);
    }
}

#define JSON "Content-Type: application/json\r\n"
#define TWO "HTTP/1.1 200 OK\r\n" JSON "Content-Length: 2\r\n\r\n{}"

static const struct {
    const char *answer;
    int status;
    const char *text;
} rows[] = {
    {TWO, 200, "{}"},
    {"HTTP/1.1 100 Continue\r\n\r\n" TWO, 200, "{}"},
    {"HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
    {"HTTP/1.1 200 OK\r\n" JSON "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
     200, "{}"},
    {"HTTP/1.1 400 Bad Request\r\n" JSON "Content-Length: 2\r\nConnection: close\r\n\r\n[]", 400,
     "[]"},
    {TWO TWO, 200, "{}"},
};

static void whatever_comes_the_next_exchange_gets_its_own_answer(void **state)
{
    scene *now = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool fresh = now->lean.descriptor < 0;
        send_as(now, "[1]", &usual);
        if (fresh) {
            take_connection(now);
        }
        reads(now, "\r\n\r\n[1]", NULL);
        answers(now, rows[i].answer);
        is_answer(now, rows[i].status, rows[i].text);
    }
    assert_true(now->lean.descriptor < 0); // the second answer of the last row belongs to nobody
}

static void a_request_has_what_the_endpoint_and_its_manner_say(void **state)
{
    scene *now = *state;
    static const char *const mine[] = {"X-Mine: 1", "Accept: text/plain", NULL};
    static const char *const theirs[] = {"accept: a/b", "X-Empty;", "User-Agent:", NULL};
    const size_t pieces[] = {1};
    now->endpoint.headers = mine;
    send_as(now, "{}", &usual);
    take_connection(now);
    reads(now, "\r\nContent-Length: 2\r\n\r\n{}",
          (const char *const[]){"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:", "\r\nX-Mine: 1\r\n",
                                "\r\nAccept: text/plain\r\n",
                                "\r\nContent-Type: application/json\r\n", NULL});
    answers(now, TWO);
    is_answer(now, 200, "{}");
    const jrpc_manner odd = {.lean = true,
                             .chunked = true,
                             .headers = theirs,
                             .content_type = "",
                             .pieces = pieces,
                             .piece_count = 1};
    send_as(now, "[7]", &odd);
    reads(now, "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n2\r\n7]\r\n0\r\n\r\n",
          (const char *const[]){"\r\naccept: a/b\r\n", "\r\nX-Empty:\r\n", "\r\nContent-Type:\r\n",
                                NULL});
    answers(now, TWO);
    is_answer(now, 200, "{}");
    const jrpc_manner head = {.lean = true, .http_method = "HEAD"};
    send_as(now, "[7]", &head);
    reads(now, "\r\n\r\n", (const char *const[]){"HEAD /rpc HTTP/1.1\r\n", NULL});
    answers(now, "HTTP/1.1 200 OK\r\n" JSON "Content-Length: 2\r\n\r\n");
    is_answer(now, 200, "");
}

// Answers one request on the next connection.
static void *serve_once(void *context)
{
    scene *now = context;
    char text[ROOM] = "";
    size_t len = 0;
    now->server = accept(now->listener, NULL, NULL);
    while (now->server >= 0 && len < sizeof text - 1 && strstr(text, "\r\n\r\n[2]") == NULL) {
        ssize_t got = read(now->server, text + len, sizeof text - 1 - len);
        if (got <= 0) {
            return NULL;
        }
        len += (size_t)got;
    }
    (void)(write(now->server, TWO, strlen(TWO)) > 0);
    return NULL;
}

static void a_request_that_meets_a_closed_connection_is_sent_again(void **state)
{
    scene *now = *state;
    send_as(now, "[1]", &usual);
    take_connection(now);
    reads(now, "[1]", NULL);
    answers(now, TWO);
    is_answer(now, 200, "{}");
    hang_up(now);
    send_as(now, "[2]", &usual);
    pthread_t server;
    assert_int_equal(pthread_create(&server, NULL, serve_once, now), 0);
    is_answer(now, 200, "{}");
    assert_int_equal(pthread_join(server, NULL), 0);
}

static void an_end_without_an_answer_is_an_end(void **state)
{
    scene *now = *state;
    send_as(now, "[1]", &usual);
    take_connection(now);
    reads(now, "[1]", NULL);
    hang_up(now);
    assert_int_equal(receive(now), JRPC_PEER_ENDED);
}

static void an_answer_that_breaks_off_is_no_message(void **state)
{
    scene *now = *state;
    send_as(now, "[1]", &usual);
    take_connection(now);
    reads(now, "[1]", NULL);
    answers(now, "HTTP/1.1 200 OK\r\n" JSON "Content-Length: 9\r\n\r\n{}");
    hang_up(now);
    is_answer(now, 200, "");
    assert_true(now->lean.descriptor < 0);
}

static void an_answer_that_does_not_come_is_waited_for(void **state)
{
    scene *now = *state;
    jrpc_error error = {0};
    send_as(now, "[1]", &usual);
    take_connection(now);
    answers(now, "HTTP/1.1 200 OK\r\n");
    assert_int_equal(jrpc_http_lean_receive(&now->lean, &now->answer,
                                            jrpc_clock_now_us(jrpc_clock_monotonic()), &error),
                     JRPC_PEER_TIMEOUT);
    answers(now, JSON "Content-Length: 2\r\n\r\n{}");
    is_answer(now, 200, "{}");
}

static void other_manners_do_not_suit(void **state)
{
    scene *now = *state;
    const jrpc_manner others[] = {
        {.lean = false},
        {.lean = true, .bytes = JRPC_BYTES_EXPECT},
        {.lean = true, .url = "http://127.0.0.1/"},
        {.lean = true, .names = JRPC_NAMES_LOWER},
        {.lean = true, .aside = true},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(jrpc_http_lean_suits(&now->lean, &others[i]));
    }
    now->endpoint.url = "https://127.0.0.1/";
    assert_false(jrpc_http_lean_suits(&now->lean, &usual));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whatever_comes_the_next_exchange_gets_its_own_answer,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_request_has_what_the_endpoint_and_its_manner_say, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_request_that_meets_a_closed_connection_is_sent_again,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_end_without_an_answer_is_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_that_breaks_off_is_no_message, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_that_does_not_come_is_waited_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(other_manners_do_not_suit, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
