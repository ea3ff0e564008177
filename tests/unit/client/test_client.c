// A client over one end of a socket pair; the test is the server at the other.
#include "reference/client/address.h"
#include "reference/client/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define V "{\"jsonrpc\":\"2.0\","

enum { PATIENCE_MS = 10000 };

typedef struct rig {
    jrpc_client *client;
    int server; // blocking
    char log[512];
    unsigned refused; // calls that callbacks could not start
} rig;

static void log_printf(rig *self, const char *what, jrpc_slice text)
{
    size_t used = strlen(self->log);
    (void)snprintf(self->log + used, sizeof self->log - used, "%s %.*s;", what, (int)text.len,
                   text.ptr == NULL ? "" : text.ptr);
}

static void log_own(void *context, const jrpc_message *message)
{
    log_printf(context, "own", jrpc_json_spelling(message->method));
}

static void log_stray(void *context, jrpc_stray_kind kind, jrpc_slice text, const char *why)
{
    (void)kind;
    (void)why;
    log_printf(context, "stray", text);
}

static void log_answer(void *context, const jrpc_answer *answer)
{
    log_printf(context, jrpc_answer_kind_name(answer->kind), jrpc_json_spelling(answer->value));
}

static void rig_open(rig *self, const jrpc_router *router)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    jrpc_client_address address;
    jrpc_endpoint endpoint;
    assert_true(jrpc_client_address_read("unix:/nowhere", &address, &endpoint, NULL));
    *self = (rig){.server = ends[1]};
    const jrpc_client_options options = {
        .endpoint = &endpoint,
        .router = router,
        .ear = {.context = self, .own = log_own, .stray = log_stray},
        .timeout_ms = PATIENCE_MS};
    jrpc_peer *peer = jrpc_peer_adopt(&endpoint, ends[0], NULL);
    assert_non_null(peer);
    self->client = jrpc_client_adopt(&options, peer, NULL);
    assert_non_null(self->client);
}

static void rig_close(rig *self)
{
    jrpc_client_close(self->client);
    if (self->server >= 0) {
        (void)close(self->server);
    }
}

static void say(const rig *self, const char *text)
{
    assert_int_equal(write(self->server, text, strlen(text)), strlen(text));
}

static void hear(const rig *self, const char *expected)
{
    char got[512];
    size_t len = strlen(expected);
    assert_true(len < sizeof got);
    ssize_t count = recv(self->server, got, len, MSG_WAITALL);
    assert_true(count >= 0);
    got[count] = '\0';
    assert_string_equal(got, expected);
}

static void expect_log(rig *self, const char *expected)
{
    assert_string_equal(self->log, expected);
    self->log[0] = '\0';
}

static uint64_t start(rig *self, jrpc_answered *answered)
{
    const jrpc_call_parts parts = {
        .method = JRPC_SLICE("m"), .answered = answered, .context = self};
    uint64_t id = 0;
    assert_true(jrpc_client_start(self->client, &parts, &id, NULL));
    return id;
}

static int64_t patience(void)
{
    return jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS);
}

static void a_call_is_sent_and_gives_its_result(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    say(&self, V "\"result\":[19],\"id\":1}\n");
    jrpc_answer answer;
    jrpc_error error = {.code = JRPC_OK};
    assert_true(jrpc_client_call(self.client, "subtract", "[42,23]", 0, &answer, &error));
    assert_true(jrpc_slice_is(jrpc_json_spelling(answer.value), "[19]"));
    hear(&self, V "\"method\":\"subtract\",\"params\":[42,23],\"id\":1}\n");
    assert_true(jrpc_client_notify(self.client, "update", NULL, NULL));
    hear(&self, V "\"method\":\"update\"}\n");
    rig_close(&self);
}

static void the_error_of_a_call_is_reported_in_a_sentence(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    say(&self,
        V "\"error\":{\"code\":-32601,\"message\":\"Method not found\",\"data\":0},\"id\":1}\n");
    jrpc_answer answer;
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_client_call(self.client, "m", NULL, 0, &answer, &error));
    assert_int_equal(answer.kind, JRPC_ANSWER_ERROR);
    assert_int_equal(answer.code, -32601);
    assert_true(jrpc_json_exists(jrpc_json_get(answer.value, "data")));
    assert_string_equal(error.message,
                        "the server answered with error -32601: \"Method not found\"");
    // A call that cannot be made has no id.
    jrpc_error_clear(&error);
    assert_false(jrpc_client_call(self.client, "m", "7", 0, &answer, &error));
    assert_int_equal(answer.id, 0);
    assert_int_equal(error.code, JRPC_ERROR_INVALID);
    rig_close(&self);
}

static void a_call_without_an_answer_ends_at_its_deadline(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    jrpc_answer answer;
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_client_call(self.client, "m", NULL, 1, &answer, &error));
    assert_int_equal(answer.kind, JRPC_ANSWER_TIMED_OUT);
    assert_int_equal(error.code, JRPC_ERROR_TIMEOUT);
    // Its late answer is nobody else's.
    say(&self, V "\"result\":1,\"id\":1}\n" V "\"result\":2,\"id\":2}\n");
    assert_true(jrpc_client_call(self.client, "m", NULL, 0, &answer, NULL));
    assert_true(jrpc_slice_is(jrpc_json_spelling(answer.value), "2"));
    expect_log(&self, "stray " V "\"result\":1,\"id\":1};");
    rig_close(&self);
}

static void a_batch_is_answered_in_any_order(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    jrpc_call_parts parts[3];
    for (size_t i = 0; i < 3; i++) {
        parts[i] = (jrpc_call_parts){.method = JRPC_SLICE("m"),
                                     .notification = i == 1,
                                     .answered = log_answer,
                                     .context = &self};
    }
    assert_true(jrpc_client_start_batch(self.client, parts, 3, NULL, NULL));
    hear(&self, "[" V "\"method\":\"m\",\"id\":1}," V "\"method\":\"m\"}," V
                "\"method\":\"m\",\"id\":2}]\n");
    say(&self, "[" V "\"result\":\"b\",\"id\":2}," V "\"result\":\"a\",\"id\":1}]\n");
    assert_true(jrpc_client_wait(self.client, patience(), NULL));
    expect_log(&self, "result \"b\";result \"a\";");
    rig_close(&self);
}

static void the_end_of_the_connection_ends_what_is_under_way(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    (void)start(&self, log_answer);
    (void)start(&self, log_answer);
    (void)close(self.server);
    self.server = -1;
    assert_int_equal(jrpc_client_turn(self.client, patience(), -1, NULL), JRPC_CLIENT_ENDED);
    expect_log(&self, "closed ;closed ;");
    assert_false(jrpc_client_is_open(self.client));
    jrpc_answer answer;
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_client_call(self.client, "m", NULL, 0, &answer, &error));
    assert_int_equal(error.code, JRPC_ERROR_CLOSED);
    rig_close(&self);
}

static void closing_ends_what_is_under_way(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    (void)start(&self, log_answer);
    uint64_t second = start(&self, log_answer);
    assert_true(jrpc_client_cancel(self.client, second));
    assert_false(jrpc_client_cancel(self.client, second));
    rig_close(&self);
    expect_log(&self, "cancelled ;closed ;");
}

static bool answer_ping(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json_write_str(call->result, "pong");
    return true;
}

static void the_server_may_send_of_its_own(void **state)
{
    (void)state;
    rig self;
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_CLIENT, NULL);
    const jrpc_method ping = {.name = "ping"};
    assert_true(jrpc_router_add(router, &ping, answer_ping, NULL, NULL));
    rig_open(&self, router);
    say(&self, V "\"method\":\"ping\",\"id\":\"x\"}\n" V "\"method\":\"log\"}\n" V
                 "\"method\":\"other\",\"id\":7}\n\n" V "\"result\":1,\"id\":1}\n");
    jrpc_answer answer;
    assert_true(jrpc_client_call(self.client, "m", NULL, 0, &answer, NULL));
    hear(&self, V "\"method\":\"m\",\"id\":1}\n" V "\"result\":\"pong\",\"id\":\"x\"}\n" V
                  "\"error\":{\"code\":-32601,\"message\":\"Method not found\"},\"id\":7}\n");
    expect_log(&self, "own \"ping\";own \"log\";own \"other\";stray ;");
    rig_close(&self);
    jrpc_router_free(router);
}

static void start_another(void *context, const jrpc_answer *answer)
{
    rig *self = context;
    log_answer(context, answer);
    const jrpc_call_parts parts = {
        .method = JRPC_SLICE("again"), .answered = log_answer, .context = self};
    self->refused += !jrpc_client_start(self->client, &parts, NULL, NULL);
}

static void a_callback_may_start_another_call(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, NULL);
    (void)start(&self, start_another);
    say(&self, V "\"result\":1,\"id\":1}\n" V "\"result\":2,\"id\":2}\n");
    assert_true(jrpc_client_wait(self.client, patience(), NULL));
    expect_log(&self, "result 1;result 2;");
    (void)start(&self, start_another);
    rig_close(&self);
    expect_log(&self, "closed ;");
    assert_int_equal(self.refused, 1);
}

static void waiting_can_be_ended_and_sending_cannot(void **state)
{
    (void)state;
    rig self;
    int ends[2];
    rig_open(&self, NULL);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "", 1), 1);
    assert_int_equal(jrpc_client_turn(self.client, patience(), ends[0], NULL), JRPC_CLIENT_WOKEN);
    (void)start(&self, log_answer);
    hear(&self, V "\"method\":\"m\",\"id\":1}\n");
    assert_int_equal(jrpc_client_turn(self.client, 0, -1, NULL), JRPC_CLIENT_TIMEOUT);
    assert_false(jrpc_client_wait(self.client, 0, NULL));
    (void)close(ends[0]);
    (void)close(ends[1]);
    rig_close(&self);
}

static void addresses_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        jrpc_transport transport;
        const char *host, *port, *path, *url;
    } rows[] = {
        {"tcp://127.0.0.1:4000", JRPC_TRANSPORT_TCP, "127.0.0.1", "4000", NULL, NULL},
        {"tcp://[::1]:http", JRPC_TRANSPORT_TCP, "::1", "http", NULL, NULL},
        {"unix:/run/x.sock", JRPC_TRANSPORT_UNIX, NULL, NULL, "/run/x.sock", NULL},
        {"http://h:1/rpc", JRPC_TRANSPORT_HTTP, NULL, NULL, NULL, "http://h:1/rpc"},
        {"ws://h:1/", JRPC_TRANSPORT_WEBSOCKET, NULL, NULL, NULL, "ws://h:1/"},
    };
    jrpc_client_address address;
    jrpc_endpoint endpoint;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(jrpc_client_address_read(rows[i].text, &address, &endpoint, NULL));
        assert_int_equal(endpoint.transport, rows[i].transport);
        const char *const pairs[][2] = {{rows[i].host, endpoint.host},
                                        {rows[i].port, endpoint.port},
                                        {rows[i].path, endpoint.path},
                                        {rows[i].url, endpoint.url}};
        for (size_t j = 0; j < sizeof pairs / sizeof *pairs; j++) {
            assert_int_equal(pairs[j][0] == NULL, pairs[j][1] == NULL);
            assert_true(pairs[j][0] == NULL || strcmp(pairs[j][0], pairs[j][1]) == 0);
        }
    }
    static const char *const bad[] = {"",        "127.0.0.1:1", "tcp://",
                                      "tcp://h", "tcp://:1",    "tcp://h:"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jrpc_error error = {.code = JRPC_OK};
        assert_false(jrpc_client_address_read(bad[i], &address, &endpoint, &error));
        assert_int_equal(error.code, JRPC_ERROR_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_sent_and_gives_its_result),
        cmocka_unit_test(the_error_of_a_call_is_reported_in_a_sentence),
        cmocka_unit_test(a_call_without_an_answer_ends_at_its_deadline),
        cmocka_unit_test(a_batch_is_answered_in_any_order),
        cmocka_unit_test(the_end_of_the_connection_ends_what_is_under_way),
        cmocka_unit_test(closing_ends_what_is_under_way),
        cmocka_unit_test(the_server_may_send_of_its_own),
        cmocka_unit_test(a_callback_may_start_another_call),
        cmocka_unit_test(waiting_can_be_ended_and_sending_cannot),
        cmocka_unit_test(addresses_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
