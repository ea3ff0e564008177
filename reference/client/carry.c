#include "reference/client/carry.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>

static int64_t soon(const jrpc_client *client)
{
    return jrpc_deadline_in_ms(client->clock, client->timeout_ms);
}

void jrpc_carry_end(jrpc_client *client, const char *why)
{
    client->ended = true;
    client->running = false;
    jrpc_peer_close(client->peer, 0);
    client->peer = NULL;
    jrpc_calls_conclude(client->calls, 0, JRPC_ANSWER_CLOSED, why);
}

// Over HTTP only the exchange is lost: the next message opens another connection.
static void lose(jrpc_client *client, uint64_t scope, const char *why)
{
    if (!client->exchanges) {
        jrpc_carry_end(client, why);
        return;
    }
    client->running = false;
    jrpc_peer_close(client->peer, 0);
    client->peer = NULL;
    if (scope != 0) {
        jrpc_calls_conclude(client->calls, scope, JRPC_ANSWER_CLOSED, why);
    }
}

static const char *reason_unsent(jrpc_peer_event event)
{
    switch (event) {
    case JRPC_PEER_ENDED:
        return "the server has closed the connection";
    case JRPC_PEER_TIMEOUT:
        return "the server stopped reading";
    case JRPC_PEER_MESSAGE:
    case JRPC_PEER_NOISE:
    case JRPC_PEER_SILENT:
    case JRPC_PEER_INTERRUPTED:
    case JRPC_PEER_FAULT:
        break;
    }
    return "the message could not be sent";
}

static bool send_now(jrpc_client *client, jrpc_slice text, uint64_t scope, jrpc_error *error)
{
    jrpc_error failure = {.code = JRPC_OK};
    int64_t deadline = soon(client);
    if (client->peer == NULL) {
        client->peer = jrpc_peer_open(&client->endpoint, deadline, &failure);
    }
    jrpc_peer_event event = JRPC_PEER_FAULT;
    if (client->peer != NULL && client->hooks.send != NULL) {
        event = client->hooks.send(client->hooks.context, client->peer, text, deadline, &failure);
    } else if (client->peer != NULL) {
        event = jrpc_peer_send(client->peer, text, deadline, &failure);
    }
    if (event != JRPC_PEER_MESSAGE) {
        const char *why = failure.code != JRPC_OK ? failure.message : reason_unsent(event);
        (void)jrpc_error_set(error, JRPC_ERROR_CLOSED, "%s", why);
        lose(client, scope, why);
        return false;
    }
    client->running = client->exchanges;
    client->scope = scope;
    client->deadline_us = scope != 0 ? JRPC_DEADLINE_NEVER : deadline;
    client->why[0] = '\0';
    return true;
}

// Begins the next exchange that somebody still waits for.
static void next(jrpc_client *client)
{
    jrpc_queued *entry;
    while (!client->running && (entry = jrpc_queue_take(&client->queue)) != NULL) {
        if (entry->scope == 0 || jrpc_calls_count_of(client->calls, entry->scope) > 0) {
            (void)send_now(client, jrpc_slice_of(entry->text, entry->len), entry->scope, NULL);
        }
        jrpc_deallocate(client->allocator, entry);
    }
}

bool jrpc_carry_send(jrpc_client *client, jrpc_slice text, uint64_t scope, jrpc_error *error)
{
    if (!client->running) {
        return send_now(client, text, scope, error);
    }
    if (jrpc_queue_add(&client->queue, text, scope)) {
        return true;
    }
    if (scope != 0) {
        jrpc_calls_conclude(client->calls, scope, JRPC_ANSWER_CLOSED, "no memory to send it");
    }
    return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to send a message");
}

void jrpc_carry_reply(jrpc_client *client, jrpc_slice text)
{
    static const jrpc_manner aside = {.aside = true};
    if (client->running && client->peer != NULL) {
        (void)jrpc_peer_send_as(client->peer, text, &aside, soon(client), NULL);
    } else {
        (void)jrpc_carry_send(client, text, 0, NULL);
    }
}

// The exchange under way is over: what it did not answer stays unanswered.
static void exchanged(jrpc_client *client, int http_status)
{
    uint64_t scope = client->scope;
    client->running = false;
    if (scope == 0 || jrpc_calls_count_of(client->calls, scope) == 0) {
        return;
    }
    char why[JRPC_CLIENT_WHY_BYTES + 64];
    if (client->why[0] != '\0') {
        (void)snprintf(why, sizeof why, "no Response in the answer: %s", client->why);
    } else {
        (void)snprintf(why, sizeof why, "no Response in the answer (HTTP status %d)", http_status);
    }
    jrpc_calls_conclude(client->calls, scope, JRPC_ANSWER_MISSING, why);
}

static void abandon(jrpc_client *client)
{
    client->running = false;
    if (client->peer != NULL) {
        jrpc_peer_close_write(client->peer);
    }
}

void jrpc_carry_give_up(jrpc_client *client)
{
    if (client->running && client->scope != 0 &&
        jrpc_calls_count_of(client->calls, client->scope) == 0) {
        abandon(client);
        next(client);
    }
}

// Which message a received text answers: over HTTP that of the exchange, and where that has no
// calls, none.
static uint64_t scope_of_answer(const jrpc_client *client)
{
    if (!client->running) {
        return 0;
    }
    return client->scope == 0 ? UINT64_MAX : client->scope;
}

// Takes one received message.
static bool take(jrpc_client *client, jrpc_slice bytes, jrpc_error *error)
{
    jrpc_buffer_clear(&client->incoming);
    if (!jrpc_buffer_append(&client->incoming, bytes)) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a received message");
    }
    client->in_callback = true;
    bool ok = jrpc_calls_take(client->calls, jrpc_buffer_slice(&client->incoming),
                              scope_of_answer(client), error);
    client->in_callback = false;
    if (client->running && client->scope != 0 &&
        jrpc_calls_count_of(client->calls, client->scope) == 0) {
        // Only a stream of events goes on after its answer; nobody waits for its end for ever.
        int64_t latest = soon(client);
        client->deadline_us = client->deadline_us < latest ? client->deadline_us : latest;
    }
    return ok;
}

static void note_noise(jrpc_client *client, const jrpc_received *received)
{
    (void)snprintf(client->why, sizeof client->why, "%s", received->why);
}

static jrpc_client_event expire(jrpc_client *client, int64_t deadline_us)
{
    int64_t now = jrpc_clock_now_us(client->clock);
    bool moved = now >= jrpc_calls_next_deadline(client->calls);
    client->in_callback = true;
    jrpc_calls_expire(client->calls, now);
    client->in_callback = false;
    if (client->running && now >= client->deadline_us) {
        abandon(client);
        moved = true;
    } else if (moved) {
        jrpc_carry_give_up(client);
    }
    next(client);
    return moved || now < deadline_us ? JRPC_CLIENT_MOVED : JRPC_CLIENT_TIMEOUT;
}

// No exchange is under way: only time and `wake_fd` can bring anything.
static jrpc_client_event idle(jrpc_client *client, int64_t until_us, int64_t deadline_us,
                              int wake_fd, jrpc_error *error)
{
    struct pollfd entry = {.fd = wake_fd, .events = POLLIN};
    int ready = poll(&entry, 1, jrpc_deadline_poll_ms(client->clock, until_us));
    if (ready < 0 && errno != EINTR) {
        (void)jrpc_error_set_errno(error, errno, "cannot wait");
        return JRPC_CLIENT_FAULT;
    }
    if (ready > 0) {
        return JRPC_CLIENT_WOKEN;
    }
    return expire(client, deadline_us);
}

static jrpc_client_event received(jrpc_client *client, jrpc_peer_event event,
                                  const jrpc_received *message, int64_t deadline_us,
                                  jrpc_error *error)
{
    switch (event) {
    case JRPC_PEER_MESSAGE:
        if (take(client, message->bytes, error)) {
            return JRPC_CLIENT_MOVED;
        }
        break;
    case JRPC_PEER_NOISE:
        note_noise(client, message);
        return JRPC_CLIENT_MOVED;
    case JRPC_PEER_SILENT:
        client->in_callback = true;
        exchanged(client, message->http_status);
        client->in_callback = false;
        next(client);
        return JRPC_CLIENT_MOVED;
    case JRPC_PEER_ENDED:
        client->in_callback = true;
        lose(client, client->scope, "the server closed the connection before it answered");
        client->in_callback = false;
        next(client);
        return client->ended ? JRPC_CLIENT_ENDED : JRPC_CLIENT_MOVED;
    case JRPC_PEER_TIMEOUT:
        return expire(client, deadline_us);
    case JRPC_PEER_INTERRUPTED:
        return JRPC_CLIENT_WOKEN;
    case JRPC_PEER_FAULT:
        break;
    }
    jrpc_carry_end(client, "out of memory");
    return JRPC_CLIENT_FAULT;
}

jrpc_client_event jrpc_carry_turn(jrpc_client *client, int64_t deadline_us, int wake_fd,
                                  jrpc_error *error)
{
    if (client->ended) {
        return JRPC_CLIENT_ENDED;
    }
    int64_t until = jrpc_calls_next_deadline(client->calls);
    until = until < deadline_us ? until : deadline_us;
    if (client->exchanges && !client->running) {
        return idle(client, until, deadline_us, wake_fd, error);
    }
    until = client->running && client->deadline_us < until ? client->deadline_us : until;
    jrpc_received message = {.why = NULL};
    jrpc_peer_set_interrupt(client->peer, wake_fd);
    jrpc_peer_event event = jrpc_peer_receive(client->peer, until, &message, error);
    jrpc_peer_set_interrupt(client->peer, -1);
    jrpc_client_event moved = received(client, event, &message, deadline_us, error);
    if (moved == JRPC_CLIENT_MOVED && event != JRPC_PEER_TIMEOUT) {
        // A server that never pauses must not keep deadlines from passing.
        (void)expire(client, deadline_us);
    }
    return moved;
}
