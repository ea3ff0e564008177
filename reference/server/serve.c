#include "reference/server/connection.h"

#include "reference/base/clock.h"
#include "reference/base/limits.h"
#include "reference/server/access_log.h"
#include "reference/server/bend.h"
#include "reference/server/collect.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10 };

// A pipe that poll calls writable takes this much without blocking; sockets are asked not to block.
#ifdef PIPE_BUF
#define WRITE_BYTES PIPE_BUF
#else
#define WRITE_BYTES _POSIX_PIPE_BUF
#endif

// Waits until `descriptor` is ready for `events`. False when the server stops.
static bool await(const jrpc_connection *connection, int descriptor, short events)
{
    struct pollfd entries[2] = {{.fd = descriptor, .events = events},
                                {.fd = connection->server->stop_fd, .events = POLLIN}};
    while (poll(entries, 2, -1) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return entries[1].revents == 0;
}

// Called with the connection's lock held.
static bool write_all(jrpc_connection *connection, jrpc_slice bytes)
{
    while (bytes.len > 0 && !connection->broken) {
        if (!await(connection, connection->output, POLLOUT)) {
            connection->broken = true;
            break;
        }
        size_t piece = bytes.len < WRITE_BYTES ? bytes.len : WRITE_BYTES;
        ssize_t put = connection->socket ? send(connection->output, bytes.ptr, bytes.len,
                                                MSG_NOSIGNAL | MSG_DONTWAIT)
                                         : write(connection->output, bytes.ptr, piece);
        if (put >= 0) {
            bytes = jrpc_slice_from(bytes, (size_t)put);
        } else if (errno != EINTR && errno != EAGAIN) {
            connection->broken = true;
        }
    }
    return !connection->broken;
}

bool jrpc_connection_write(jrpc_connection *connection, jrpc_slice bytes)
{
    if (connection->deliver != NULL) {
        return true; // there are no bytes beside messages
    }
    pthread_mutex_lock(&connection->lock);
    bool ok = write_all(connection, bytes);
    pthread_mutex_unlock(&connection->lock);
    return ok;
}

bool jrpc_connection_send_plain(jrpc_connection *connection, jrpc_slice payload)
{
    pthread_mutex_lock(&connection->lock);
    if (connection->deliver != NULL) {
        bool taken = connection->deliver(connection, payload);
        pthread_mutex_unlock(&connection->lock);
        return taken;
    }
    jrpc_buffer_clear(&connection->framed);
    bool ok = jrpc_framing_encode(connection->server->framing, payload, &connection->framed);
    if (ok) {
        jrpc_slice bytes = jrpc_buffer_slice(&connection->framed);
        jrpc_fault_framed(connection, &bytes);
        ok = write_all(connection, bytes);
    }
    pthread_mutex_unlock(&connection->lock);
    return ok;
}

bool jrpc_connection_send(jrpc_connection *connection, jrpc_slice payload)
{
    return !jrpc_fault_outgoing(connection, &payload) ||
           jrpc_connection_send_plain(connection, payload);
}

// False where an answer could not be written: the other side is gone.
static bool send_answer(jrpc_connection *connection, jrpc_slice answer, bool owed)
{
    bool written = true;
    if (connection->replacement.ptr != NULL) {
        answer = connection->replacement;
        owed = true;
    }
    if (owed && !connection->mute) {
        connection->answering = true;
        written = jrpc_connection_send(connection, answer);
        connection->answering = false;
    }
    return written;
}

static bool send_later(void *context, jrpc_slice message)
{
    jrpc_connection *connection = context;
    jrpc_bend_put_record(&connection->later, message);
    return !connection->later.failed;
}

jrpc_sink jrpc_connection_sink(jrpc_connection *connection)
{
    return (jrpc_sink){.send = send_later, .context = connection};
}

static void send_what_was_left(jrpc_connection *connection)
{
    jrpc_slice left = jrpc_buffer_slice(&connection->later);
    while (left.len > 0 && jrpc_connection_send(connection, jrpc_bend_take_record(&left))) {
    }
    jrpc_buffer_clear(&connection->later);
}

// Lets the time pass that a server far away takes; a stop cuts it short.
static void delay(const jrpc_server *server)
{
    struct pollfd stop = {.fd = server->stop_fd, .events = POLLIN};
    (void)(server->delay_ms > 0 && poll(&stop, 1, (int)server->delay_ms) < 0);
}

void jrpc_connection_handle(jrpc_connection *connection, jrpc_slice text)
{
    delay(connection->server);
    if (jrpc_collect_takes(connection, text)) {
        return;
    }
    if (jrpc_fault_incoming(connection, text)) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, connection->server->allocator, SIZE_MAX / 2);
        jrpc_error error;
        jrpc_error_clear(&error);
        const jrpc_clock *clock = jrpc_clock_monotonic();
        int64_t began_us = jrpc_clock_now_us(clock);
        bool written = true;
        switch (jrpc_router_handle(connection->server->router, text, connection->server->max_depth,
                                   connection, &out, &error)) {
        case JRPC_REPLY_NOTHING:
            written = send_answer(connection, jrpc_buffer_slice(&out), false);
            break;
        case JRPC_REPLY_TEXT:
            written = send_answer(connection, jrpc_buffer_slice(&out), true);
            break;
        case JRPC_REPLY_FAILED:
            connection->closing = true; // no memory even to say so
            break;
        }
        if (connection->server->access_log != NULL) {
            const jrpc_access access = {.transport = connection->transport,
                                        .connection = connection->number,
                                        .lost = !written,
                                        .latency_us = jrpc_clock_now_us(clock) - began_us};
            jrpc_access_log_write(connection->server->access_log, &access, text,
                                  jrpc_buffer_slice(&out));
        }
        jrpc_buffer_done(&out);
    }
    send_what_was_left(connection);
    connection->mute = false;
    connection->replacement = (jrpc_slice){NULL, 0};
    connection->marks = 0;
    jrpc_arena_clear(&connection->arena);
}

// Bytes that are no frame, or more than we take.
static void refuse(jrpc_connection *connection, const jrpc_error *error)
{
    if (error->code == JRPC_ERROR_LIMIT) {
        (void)jrpc_connection_send(connection,
                                   JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
                                              "\"message\":\"Invalid Request\"},\"id\":null}"));
    } else {
        // What came was not a message, so even if it happens to be JSON it is answered as what is
        // none.
        jrpc_connection_handle(connection, JRPC_SLICE("!"));
    }
}

typedef jrpc_decoded decode(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);

static void handle_all(jrpc_connection *connection, jrpc_decoder *decoder, decode *next)
{
    while (!connection->broken && !connection->closing) {
        jrpc_slice text;
        jrpc_error error;
        jrpc_error_clear(&error);
        switch (next(decoder, &text, &error)) {
        case JRPC_DECODED_DONE:
            jrpc_connection_handle(connection, text);
            break;
        case JRPC_DECODED_BAD:
            refuse(connection, &error);
            break;
        case JRPC_DECODED_MORE:
            return;
        }
    }
}

static void serve_messages(jrpc_connection *connection)
{
    jrpc_decoder decoder;
    jrpc_decoder_init(&decoder, connection->server->framing, connection->server->max_message,
                      connection->server->allocator);
    char bytes[READ_BYTES];
    jrpc_fault_started(connection);
    while (!connection->broken && !connection->closing &&
           await(connection, connection->input, POLLIN)) {
        ssize_t got = read(connection->input, bytes, sizeof bytes);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        connection->broken = connection->broken || got < 0; // it was reset
        if (got <= 0) {
            handle_all(connection, &decoder, jrpc_decoder_end);
            break;
        }
        jrpc_slice received = jrpc_slice_of(bytes, (size_t)got);
        jrpc_fault_received(connection, &received);
        if (!jrpc_decoder_feed(&decoder, received, NULL)) {
            break; // no memory
        }
        handle_all(connection, &decoder, jrpc_decoder_next);
        if (connection->finished) {
            handle_all(connection, &decoder, jrpc_decoder_end);
            break;
        }
    }
    jrpc_fault_ended(connection);
    jrpc_decoder_done(&decoder);
}

bool jrpc_server_allows(const jrpc_server *server, const char *origin)
{
    bool allowed = server->origins == NULL || origin == NULL;
    for (size_t i = 0; !allowed && i < server->origin_count; i++) {
        allowed = strcasecmp(server->origins[i], origin) == 0;
    }
    return allowed;
}

static void enter(jrpc_connection *connection)
{
    jrpc_server *server = connection->server;
    pthread_mutex_lock(&server->lock);
    connection->next = server->open;
    server->open = connection;
    pthread_mutex_unlock(&server->lock);
}

static void leave(jrpc_connection *connection)
{
    jrpc_server *server = connection->server;
    pthread_mutex_lock(&server->lock);
    for (jrpc_connection **at = &server->open; *at != NULL; at = &(*at)->next) {
        if (*at == connection) {
            *at = connection->next;
            break;
        }
    }
    pthread_mutex_unlock(&server->lock);
}

#define CONNECTION_BUFFERS(connection)                                                             \
    {                                                                                              \
        &(connection)->framed, &(connection)->last_id, &(connection)->last_method,                 \
            &(connection)->seen, &(connection)->held, &(connection)->later,                        \
            &(connection)->collect.id, &(connection)->collect.flow                                 \
    }

bool jrpc_connection_init(jrpc_connection *connection, jrpc_server *server)
{
    connection->server = server;
    connection->number = atomic_fetch_add(&server->connections, 1) + 1;
    if (pthread_mutex_init(&connection->lock, NULL) != 0) {
        return false;
    }
    jrpc_buffer *const buffers[] = CONNECTION_BUFFERS(connection);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_init(buffers[i], server->allocator, SIZE_MAX / 2);
    }
    jrpc_arena_init(&connection->arena, server->allocator, SIZE_MAX / 2);
    enter(connection);
    return true;
}

void jrpc_connection_done(jrpc_connection *connection)
{
    leave(connection);
    jrpc_arena_done(&connection->arena);
    jrpc_buffer *const buffers[] = CONNECTION_BUFFERS(connection);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        jrpc_buffer_done(buffers[i]);
    }
    pthread_mutex_destroy(&connection->lock);
}

void jrpc_server_serve(void *context, int input, int output)
{
    jrpc_connection connection = {.input = input,
                                  .output = output,
                                  .socket = input == output,
                                  .transport = input == output ? "socket" : "stdio"};
    if (jrpc_connection_init(&connection, context)) {
        serve_messages(&connection);
        jrpc_connection_done(&connection);
    }
}
