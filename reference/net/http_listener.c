#include "reference/net/http_listener.h"

#include "reference/base/clock.h"
#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"
#include "reference/net/listener.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Memory that the library may use for one connection: the head of a request, above all.
enum { CONNECTION_BYTES = 128 << 10, COMMENT_MS = 200, PAUSE_MS = 1000 };

struct jrpc_http_listener {
    struct MHD_Daemon *daemon;
    int stop[2]; // readable when the listener is about to end
    jrpc_http_handlers handlers;
    jrpc_http_limits limits;
    const jrpc_allocator *allocator;
    char address[320];
};

// One request on its way in.
typedef struct incoming {
    jrpc_buffer body;
    bool oversize;
} incoming;

static incoming *incoming_new(const jrpc_http_listener *listener)
{
    incoming *request = jrpc_allocate(listener->allocator, sizeof *request);
    if (request != NULL) {
        request->oversize = false;
        jrpc_buffer_init(&request->body, listener->allocator, listener->limits.body);
    }
    return request;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **slot,
                         enum MHD_RequestTerminationCode how)
{
    (void)connection;
    (void)how;
    const jrpc_http_listener *listener = context;
    incoming *request = *slot;
    if (request != NULL) {
        jrpc_buffer_done(&request->body);
        jrpc_deallocate(listener->allocator, request);
        *slot = NULL;
    }
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what)
{
    (void)connection;
    const jrpc_http_listener *listener = context;
    switch (what) {
    case MHD_CONNECTION_NOTIFY_STARTED:
        *state = listener->handlers.opened(listener->handlers.context);
        break;
    case MHD_CONNECTION_NOTIFY_CLOSED:
        if (*state != NULL) {
            listener->handlers.closed(listener->handlers.context, *state);
            *state = NULL;
        }
        break;
    }
}

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value != NULL) {
        (void)MHD_add_response_header(response, name, value);
    }
}

// A stream, and the listener whose end is its end too.
typedef struct streaming {
    const jrpc_http_listener *listener;
    jrpc_http_stream *stream;
} streaming;

static ssize_t read_stream(void *context, uint64_t position, char *room, size_t max)
{
    (void)position;
    const streaming *self = context;
    ssize_t got = jrpc_http_stream_read(self->stream, room, max, self->listener->stop[0], PAUSE_MS);
    if (got == 0) {
        // That the client has left shows by writing to it.
        static const jrpc_slice comment = JRPC_SLICE_INIT(":\n\n");
        memcpy(room, comment.ptr, comment.len);
        got = (ssize_t)comment.len;
    }
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void free_stream(void *context)
{
    streaming *self = context;
    jrpc_http_stream_close(self->stream);
    jrpc_http_stream_unref(self->stream);
    jrpc_deallocate(self->listener->allocator, self);
}

// Takes the stream over, also when it fails.
static struct MHD_Response *stream_response(const jrpc_http_listener *listener,
                                            jrpc_http_stream *stream)
{
    streaming *self = jrpc_allocate(listener->allocator, sizeof *self);
    if (self == NULL) {
        jrpc_http_stream_unref(stream);
        return NULL;
    }
    *self = (streaming){listener, stream};
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, self, free_stream);
    if (response == NULL) {
        free_stream(self);
    }
    return response;
}

// A body that a callback sends.
typedef struct callback_body {
    const jrpc_http_listener *listener;
    jrpc_buffer body;
    size_t cuts[JRPC_HTTP_CUTS_MAX]; // as in jrpc_http_reply
    size_t cut_count;
} callback_body;

static void free_body(void *context)
{
    callback_body *self = context;
    jrpc_buffer_done(&self->body);
    jrpc_deallocate(self->listener->allocator, self);
}

// `read` gets a callback_body as its context. NULL if out of memory.
static struct MHD_Response *callback_response(const jrpc_http_listener *listener,
                                              const jrpc_http_reply *reply,
                                              MHD_ContentReaderCallback read)
{
    callback_body *self = jrpc_allocate(listener->allocator, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->listener = listener;
    self->cut_count = reply->cut_count < JRPC_HTTP_CUTS_MAX ? reply->cut_count : JRPC_HTTP_CUTS_MAX;
    memcpy(self->cuts, reply->cuts, self->cut_count * sizeof *self->cuts);
    jrpc_buffer_init(&self->body, listener->allocator, SIZE_MAX / 2);
    struct MHD_Response *response = NULL;
    if (jrpc_buffer_append(&self->body, jrpc_buffer_slice(&reply->body))) {
        response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, self, free_body);
    }
    if (response == NULL) {
        free_body(self);
    }
    return response;
}

// Sends the body once, and then comments every now and then.
static ssize_t read_endless(void *context, uint64_t position, char *room, size_t max)
{
    const callback_body *self = context;
    jrpc_slice left = jrpc_slice_from(jrpc_buffer_slice(&self->body), (size_t)position);
    if (left.len == 0) {
        // Time is the subject here: a stop cuts it short.
        struct pollfd stop = {.fd = self->listener->stop[0], .events = POLLIN};
        const jrpc_clock *clock = jrpc_clock_monotonic();
        if (jrpc_descriptor_poll(&stop, 1, clock, jrpc_deadline_in_ms(clock, COMMENT_MS)) != 0) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        }
        left = JRPC_SLICE(":\n\n");
    }
    size_t len = left.len < max ? left.len : max;
    memcpy(room, left.ptr, len);
    return (ssize_t)len;
}

// Sends the body up to the next cut: each call makes one chunk.
static ssize_t read_chunk(void *context, uint64_t position, char *room, size_t max)
{
    const callback_body *self = context;
    size_t end = self->body.len;
    for (size_t i = self->cut_count; i > 0; i--) {
        end = self->cuts[i - 1] > position ? self->cuts[i - 1] : end;
    }
    end = end < self->body.len ? end : self->body.len;
    if (end <= position) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    size_t len = end - (size_t)position < max ? end - (size_t)position : max;
    memcpy(room, self->body.ptr + position, len);
    return (ssize_t)len;
}

static enum MHD_Result send_reply(const jrpc_http_listener *listener,
                                  struct MHD_Connection *connection, const jrpc_http_reply *reply)
{
    if (reply->status == 0) {
        jrpc_http_stream_unref(reply->stream);
        return MHD_NO;
    }
    struct MHD_Response *response =
        reply->stream != NULL  ? stream_response(listener, reply->stream)
        : reply->endless       ? callback_response(listener, reply, read_endless)
        : reply->cut_count > 0 ? callback_response(listener, reply, read_chunk)
                               // The library copies the bytes, though it takes them as not const.
                               : MHD_create_response_from_buffer(reply->body.len, reply->body.ptr,
                                                                 MHD_RESPMEM_MUST_COPY);
    if (response == NULL) {
        return MHD_NO;
    }
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->content_type);
    add_header(response, MHD_HTTP_HEADER_ALLOW, reply->allow);
    add_header(response, listener->limits.session, reply->session);
    add_header(response, "X-Accel-Buffering", reply->unbuffered ? "no" : NULL);
    add_header(response, MHD_HTTP_HEADER_CONNECTION, reply->close ? "close" : NULL);
    enum MHD_Result queued = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return queued;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result note_odd_name(void *context, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    (void)kind;
    (void)value;
    bool *odd = context;
    static const char *const usual[] = {MHD_HTTP_HEADER_CONTENT_TYPE,
                                        MHD_HTTP_HEADER_CONTENT_LENGTH};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        *odd = *odd || (strcasecmp(name, usual[i]) == 0 && strcmp(name, usual[i]) != 0);
    }
    return MHD_YES;
}

// The library takes it as not const, though it only reads.
static struct MHD_Connection *connection_of(const jrpc_http_request *request)
{
    struct MHD_Connection *connection;
    memcpy(&connection, &request->head, sizeof connection);
    return connection;
}

bool jrpc_http_request_has_odd_names(const jrpc_http_request *request)
{
    bool odd = false;
    (void)MHD_get_connection_values(connection_of(request), MHD_HEADER_KIND, note_odd_name, &odd);
    return odd;
}

typedef struct taking {
    void (*take)(void *context, const char *name, const char *value);
    void *context;
} taking;

static enum MHD_Result take_argument(void *context, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    (void)kind;
    const taking *to = context;
    to->take(to->context, name, value);
    return MHD_YES;
}

void jrpc_http_request_arguments(const jrpc_http_request *request,
                                 void (*take)(void *context, const char *name, const char *value),
                                 void *context)
{
    taking to = {take, context};
    (void)MHD_get_connection_values(connection_of(request), MHD_GET_ARGUMENT_KIND, take_argument,
                                    &to);
}

const char *jrpc_http_request_header(const jrpc_http_request *request, const char *name)
{
    return header(connection_of(request), name);
}

static enum MHD_Result answer(const jrpc_http_listener *listener, struct MHD_Connection *connection,
                              const char *method, const char *path, const incoming *received)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    void *state = info == NULL ? NULL : info->socket_context;
    if (state == NULL) {
        return MHD_NO;
    }
    const jrpc_http_request request = {
        .method = method,
        .path = path,
        .content_type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
        .accept = header(connection, MHD_HTTP_HEADER_ACCEPT),
        .origin = header(connection, "Origin"),
        .session = header(connection, listener->limits.session),
        .chunked = header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL,
        .oversize = received->oversize,
        .body = jrpc_buffer_slice(&received->body),
        .head = connection,
    };
    jrpc_http_reply reply = {.status = MHD_HTTP_OK};
    jrpc_buffer_init(&reply.body, listener->allocator, SIZE_MAX / 2);
    listener->handlers.handle(listener->handlers.context, state, &request, &reply);
    enum MHD_Result queued = send_reply(listener, connection, &reply);
    jrpc_buffer_done(&reply.body);
    return queued;
}

// What decides where a request goes and where it ends.
typedef struct framing {
    unsigned hosts;
    const char *length; // the first Content-Length
    bool lengths_differ;
    bool spaced; // white space stands before a colon
} framing;

static enum MHD_Result note_framing(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    (void)kind;
    framing *found = context;
    size_t len = strlen(name);
    found->spaced = found->spaced || (len > 0 && strchr(" \t", name[len - 1]) != NULL);
    if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0) {
        found->hosts++;
    }
    if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0 && value != NULL) {
        found->lengths_differ =
            found->lengths_differ || (found->length != NULL && strcmp(found->length, value) != 0);
        found->length = value;
    }
    return MHD_YES;
}

// Whether a request must be refused with 400 (RFC 9112, sections 3.2, 5.1 and 6.3). The library
// does not check this.
static bool is_badly_framed(struct MHD_Connection *connection, const char *version)
{
    framing found = {.hosts = 0};
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, note_framing, &found);
    bool needs_host = strcmp(version, MHD_HTTP_VERSION_1_1) == 0;
    return found.hosts > 1 || (needs_host && found.hosts == 0) || found.lengths_differ ||
           found.spaced;
}

static enum MHD_Result refuse(const jrpc_http_listener *listener, struct MHD_Connection *connection)
{
    jrpc_http_reply reply = {.status = MHD_HTTP_BAD_REQUEST, .close = true};
    jrpc_buffer_init(&reply.body, listener->allocator, 0);
    enum MHD_Result queued = send_reply(listener, connection, &reply);
    jrpc_buffer_done(&reply.body);
    return queued;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *upload, size_t *upload_len, void **slot)
{
    const jrpc_http_listener *listener = context;
    incoming *request = *slot;
    if (request == NULL && is_badly_framed(connection, version)) {
        return refuse(listener, connection);
    }
    if (request == NULL) {
        *slot = incoming_new(listener);
        return *slot == NULL ? MHD_NO : MHD_YES;
    }
    if (*upload_len > 0) {
        if (!request->oversize) {
            size_t room = listener->limits.body - request->body.len;
            request->oversize = *upload_len > room;
            size_t len = request->oversize ? room : *upload_len;
            if (!jrpc_buffer_append(&request->body, jrpc_slice_of(upload, len))) {
                return MHD_NO;
            }
        }
        *upload_len = 0;
        return MHD_YES;
    }
    return answer(listener, connection, method, path, request);
}

// The address of the socket, as http instead of tcp.
static bool name_address(jrpc_http_listener *listener, const jrpc_listener *socket)
{
    const char *address = jrpc_listener_address(socket);
    int len =
        snprintf(listener->address, sizeof listener->address, "http%s/", address + strlen("tcp"));
    return len > 0 && (size_t)len < sizeof listener->address;
}

static bool start(jrpc_http_listener *listener, int *socket)
{
    listener->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL,
        NULL, on_request, listener, MHD_OPTION_LISTEN_SOCKET, *socket, MHD_OPTION_CONNECTION_LIMIT,
        listener->limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, listener->limits.idle_s,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, listener, MHD_OPTION_NOTIFY_CONNECTION, on_connection, listener,
        MHD_OPTION_END);
    return listener->daemon != NULL;
}

jrpc_http_listener *jrpc_http_listener_new(const char *host, const char *port,
                                           const jrpc_http_handlers *handlers,
                                           const jrpc_http_limits *limits,
                                           const jrpc_allocator *allocator, jrpc_error *error)
{
    jrpc_listener *bound = jrpc_listener_tcp(host, port, error);
    if (bound == NULL) {
        return NULL;
    }
    jrpc_http_listener *listener = jrpc_allocate(allocator, sizeof *listener);
    bool done = false;
    if (listener == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a listener");
    } else {
        *listener = (jrpc_http_listener){
            .stop = {-1, -1}, .handlers = *handlers, .limits = *limits, .allocator = allocator};
        int socket = jrpc_listener_take_socket(bound);
        done = jrpc_os_pipe(listener->stop) && name_address(listener, bound) &&
               start(listener, &socket);
        if (!done) {
            jrpc_descriptor_close(&socket); // else it is the daemon's
            (void)jrpc_error_set(error, JRPC_ERROR_SYSTEM, "cannot serve HTTP on %s:%s", host,
                                 port);
        }
    }
    jrpc_listener_free(bound);
    if (!done && listener != NULL) {
        jrpc_descriptor_close(&listener->stop[0]);
        jrpc_descriptor_close(&listener->stop[1]);
        jrpc_deallocate(allocator, listener);
        listener = NULL;
    }
    return listener;
}

const char *jrpc_http_listener_address(const jrpc_http_listener *listener)
{
    return listener->address;
}

void jrpc_http_listener_free(jrpc_http_listener *listener)
{
    if (listener != NULL) {
        jrpc_descriptor_close(&listener->stop[1]); // the other end becomes readable
        MHD_stop_daemon(listener->daemon);
        jrpc_descriptor_close(&listener->stop[0]);
        jrpc_deallocate(listener->allocator, listener);
    }
}
