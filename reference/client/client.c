#include "reference/client/client.h"

#include "reference/base/limits.h"
#include "reference/base/plural.h"
#include "reference/client/carry.h"

#include <assert.h>

enum { TIMEOUT_MS = 30000, GRACE_MS = 2000 };

static void own(void *context, const jrpc_message *message)
{
    const jrpc_client *client = context;
    if (client->ear.own != NULL) {
        client->ear.own(client->ear.context, message);
    }
}

static void stray(void *context, jrpc_stray_kind kind, jrpc_slice text, const char *why)
{
    const jrpc_client *client = context;
    if (client->ear.stray != NULL) {
        client->ear.stray(client->ear.context, kind, text, why);
    }
}

// What the server asks for is answered by the router.
static void serve(void *context, jrpc_slice text)
{
    jrpc_client *client = context;
    jrpc_buffer_clear(&client->reply);
    if (jrpc_router_handle(client->router, text, JRPC_LIMIT_DEPTH, NULL, &client->reply, NULL) ==
        JRPC_REPLY_TEXT) {
        jrpc_carry_reply(client, jrpc_buffer_slice(&client->reply));
    }
}

static void release(jrpc_client *client)
{
    jrpc_calls_free(client->calls);
    jrpc_router_free(client->nobody);
    jrpc_queue_done(&client->queue);
    jrpc_buffer_done(&client->outgoing);
    jrpc_buffer_done(&client->incoming);
    jrpc_buffer_done(&client->reply);
    jrpc_deallocate(client->allocator, client);
}

static jrpc_client *client_new(const jrpc_client_options *options)
{
    const jrpc_endpoint *endpoint = options->endpoint;
    jrpc_client *client = jrpc_allocate(endpoint->allocator, sizeof *client);
    if (client == NULL) {
        return NULL;
    }
    *client = (jrpc_client){
        .endpoint = *endpoint,
        .allocator = endpoint->allocator,
        .clock = endpoint->clock,
        .router = options->router,
        .ear = options->ear,
        .timeout_ms = options->timeout_ms == 0 ? TIMEOUT_MS : options->timeout_ms,
        .exchanges = jrpc_transport_traits(endpoint->transport)->exchanges,
    };
    client->endpoint.strict = true;
    client->endpoint.interrupt_fd = -1;
    if (options->client_hooks != NULL) {
        client->hooks = *options->client_hooks;
    }
    jrpc_queue_init(&client->queue, client->allocator);
    jrpc_buffer_init(&client->outgoing, client->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&client->incoming, client->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&client->reply, client->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    const jrpc_calls_ear ear = {.context = client, .own = own, .serve = serve, .stray = stray};
    client->calls =
        jrpc_calls_new(client->allocator, &ear, options->calls_hooks, options->most_calls);
    if (client->router == NULL) {
        client->router = client->nobody =
            jrpc_router_new(client->allocator, JRPC_ROLE_CLIENT, NULL);
    }
    return client;
}

jrpc_client *jrpc_client_adopt(const jrpc_client_options *options, jrpc_peer *peer,
                               jrpc_error *error)
{
    jrpc_client *client = client_new(options);
    if (client == NULL || client->router == NULL || client->calls == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a client");
        jrpc_peer_close(peer, GRACE_MS);
        if (client != NULL) {
            release(client);
        }
        return NULL;
    }
    client->peer = peer;
    return client;
}

jrpc_client *jrpc_client_open(const jrpc_client_options *options, jrpc_error *error)
{
    int64_t timeout_ms = options->timeout_ms == 0 ? TIMEOUT_MS : options->timeout_ms;
    int64_t deadline = jrpc_deadline_in_ms(options->endpoint->clock, timeout_ms);
    jrpc_endpoint endpoint = *options->endpoint;
    endpoint.strict = true;
    jrpc_peer *peer = jrpc_peer_open(&endpoint, deadline, error);
    return peer == NULL ? NULL : jrpc_client_adopt(options, peer, error);
}

void jrpc_client_close(jrpc_client *client)
{
    if (client == NULL) {
        return;
    }
    assert(!client->in_callback);
    client->ended = true; // what the callbacks start is refused
    client->in_callback = true;
    jrpc_calls_conclude(client->calls, 0, JRPC_ANSWER_CLOSED, "the client was closed");
    jrpc_peer_close(client->peer, GRACE_MS);
    release(client);
}

bool jrpc_client_is_open(const jrpc_client *client)
{
    return !client->ended;
}

size_t jrpc_client_count(const jrpc_client *client)
{
    return jrpc_calls_count(client->calls);
}

static bool refuse_ended(const jrpc_client *client, jrpc_error *error)
{
    return !client->ended || jrpc_error_set(error, JRPC_ERROR_CLOSED, "the connection has ended");
}

// Sends what was begun; the id of its first call is `scope`.
static bool start(jrpc_client *client, uint64_t scope, jrpc_error *error)
{
    bool outer = client->in_callback;
    client->in_callback = true; // a failure ends calls
    bool sent = jrpc_carry_send(client, jrpc_buffer_slice(&client->outgoing), scope, error);
    client->in_callback = outer;
    // The failure of calls is told by their callbacks.
    return sent || scope != 0;
}

static void prepare(jrpc_client *client)
{
    jrpc_buffer_clear(&client->outgoing);
    jrpc_calls_set_default_deadline(client->calls,
                                    jrpc_deadline_in_ms(client->clock, client->timeout_ms));
}

bool jrpc_client_start(jrpc_client *client, const jrpc_call_parts *parts, uint64_t *ret_id,
                       jrpc_error *error)
{
    prepare(client);
    uint64_t id = 0;
    if (!refuse_ended(client, error) ||
        !jrpc_calls_begin(client->calls, parts, &client->outgoing, &id, error)) {
        return false;
    }
    if (ret_id != NULL) {
        *ret_id = id;
    }
    return start(client, id, error);
}

bool jrpc_client_start_batch(jrpc_client *client, const jrpc_call_parts *parts, size_t count,
                             uint64_t *ret_ids, jrpc_error *error)
{
    prepare(client);
    uint64_t scope = jrpc_calls_next_id(client->calls);
    if (!refuse_ended(client, error) ||
        !jrpc_calls_begin_batch(client->calls, parts, count, &client->outgoing, ret_ids, error)) {
        return false;
    }
    return start(client, jrpc_calls_next_id(client->calls) > scope ? scope : 0, error);
}

bool jrpc_client_cancel(jrpc_client *client, uint64_t id)
{
    bool outer = client->in_callback;
    client->in_callback = true;
    bool cancelled = jrpc_calls_cancel(client->calls, id);
    client->in_callback = outer;
    if (cancelled && !outer) {
        jrpc_carry_give_up(client);
    }
    return cancelled;
}

bool jrpc_client_notify(jrpc_client *client, const char *method, const char *params,
                        jrpc_error *error)
{
    const jrpc_call_parts parts = {
        .method = jrpc_slice_str(method), .params = jrpc_slice_str(params), .notification = true};
    return jrpc_client_start(client, &parts, NULL, error);
}

jrpc_client_event jrpc_client_turn(jrpc_client *client, int64_t deadline_us, int wake_fd,
                                   jrpc_error *error)
{
    assert(!client->in_callback);
    return jrpc_carry_turn(client, deadline_us, wake_fd, error);
}

bool jrpc_client_wait(jrpc_client *client, int64_t deadline_us, jrpc_error *error)
{
    while (jrpc_client_count(client) > 0) {
        if (jrpc_client_turn(client, deadline_us, -1, error) == JRPC_CLIENT_TIMEOUT) {
            size_t count = jrpc_client_count(client);
            return jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                                  "%zu call%s still waiting for an answer", count,
                                  jrpc_plural(count));
        }
    }
    return true;
}

// A call that is waited for.
typedef struct waiting {
    bool over;
    jrpc_answer answer;
    jrpc_error *error;
} waiting;

static jrpc_error_code code_of(jrpc_answer_kind kind)
{
    switch (kind) {
    case JRPC_ANSWER_RESULT:
        return JRPC_OK;
    case JRPC_ANSWER_TIMED_OUT:
        return JRPC_ERROR_TIMEOUT;
    case JRPC_ANSWER_CANCELLED:
    case JRPC_ANSWER_CLOSED:
        return JRPC_ERROR_CLOSED;
    case JRPC_ANSWER_ERROR:
    case JRPC_ANSWER_REFUSED:
    case JRPC_ANSWER_BROKEN:
    case JRPC_ANSWER_MISSING:
        break;
    }
    return JRPC_ERROR_INVALID;
}

static void note(void *context, const jrpc_answer *answer)
{
    waiting *call = context;
    call->over = true;
    call->answer = *answer;
    call->answer.context = NULL;
    call->answer.why = ""; // it lives no longer than this callback: *error has it
    if (answer->kind == JRPC_ANSWER_ERROR) {
        jrpc_slice message = jrpc_json_spelling(jrpc_json_get(answer->value, "message"));
        jrpc_slice code = jrpc_json_spelling(jrpc_json_get(answer->value, "code"));
        (void)jrpc_error_set(call->error, JRPC_ERROR_INVALID,
                             "the server answered with error %.*s: %.*s", (int)code.len, code.ptr,
                             (int)message.len, message.ptr);
    } else if (answer->kind != JRPC_ANSWER_RESULT) {
        (void)jrpc_error_set(call->error, code_of(answer->kind), "%s", answer->why);
    }
}

bool jrpc_client_call(jrpc_client *client, const char *method, const char *params,
                      int64_t timeout_ms, jrpc_answer *ret_answer, jrpc_error *error)
{
    assert(!client->in_callback);
    waiting call = {.answer = {.kind = JRPC_ANSWER_CLOSED, .why = ""}, .error = error};
    const jrpc_call_parts parts = {
        .method = jrpc_slice_str(method),
        .params = jrpc_slice_str(params),
        .deadline_us = timeout_ms == 0 ? 0 : jrpc_deadline_in_ms(client->clock, timeout_ms),
        .answered = note,
        .context = &call};
    bool begun = jrpc_client_start(client, &parts, NULL, error);
    while (begun && !call.over) {
        (void)jrpc_client_turn(client, JRPC_DEADLINE_NEVER, -1, error);
    }
    *ret_answer = call.answer;
    return call.over && call.answer.kind == JRPC_ANSWER_RESULT;
}
