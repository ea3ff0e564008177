#include "reference/net/acceptor.h"

#include "reference/base/os_linux.h"
#include "reference/net/acceptor_private.h"
#include "reference/net/descriptor.h"
#include "reference/net/listener.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct socket_acceptor {
    jrpc_acceptor acceptor;
    const jrpc_endpoint *endpoint;
    jrpc_acceptor_adopt *adopt;
    jrpc_listener *listener; // keeps the address, and removes a socket file
    int socket;
    char address[320];
} socket_acceptor;

static socket_acceptor *of(jrpc_acceptor *acceptor)
{
    return (socket_acceptor *)acceptor; // `acceptor` is the first member
}

static const char *socket_address(const jrpc_acceptor *acceptor)
{
    return ((const socket_acceptor *)acceptor)->address;
}

static int socket_descriptor(const jrpc_acceptor *acceptor)
{
    return ((const socket_acceptor *)acceptor)->socket;
}

// Whether a failure of accept says only that nobody is there any more, or not yet.
static bool is_nobody(int failure)
{
    return failure == EAGAIN || failure == EWOULDBLOCK || failure == EINTR ||
           failure == ECONNABORTED;
}

static jrpc_peer *socket_take(jrpc_acceptor *acceptor, jrpc_error *error)
{
    socket_acceptor *self = of(acceptor);
    int descriptor = jrpc_os_accept(self->socket);
    if (descriptor < 0) {
        if (!is_nobody(errno)) {
            (void)jrpc_error_set_errno(error, errno, "cannot accept a connection");
        }
        return NULL;
    }
    return self->adopt(self->endpoint, descriptor, error);
}

static void socket_free(jrpc_acceptor *acceptor)
{
    socket_acceptor *self = of(acceptor);
    jrpc_descriptor_close(&self->socket);
    jrpc_listener_free(self->listener);
    jrpc_deallocate(self->endpoint->allocator, self);
}

static const jrpc_acceptor_operations socket_operations = {
    .address = socket_address,
    .descriptor = socket_descriptor,
    .take = socket_take,
    .free = socket_free,
};

jrpc_acceptor *jrpc_acceptor_of_sockets(const jrpc_endpoint *endpoint, const char *scheme,
                                        jrpc_acceptor_adopt *adopt, jrpc_error *error)
{
    socket_acceptor *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to listen");
        return NULL;
    }
    memset(self, 0, sizeof *self);
    self->acceptor.operations = &socket_operations;
    self->endpoint = endpoint;
    self->adopt = adopt;
    self->socket = -1;
    bool path = jrpc_transport_traits(endpoint->transport)->address == JRPC_ADDRESS_PATH;
    self->listener = path ? jrpc_listener_unix(endpoint->path, error)
                          : jrpc_listener_tcp(endpoint->host, endpoint->port, error);
    if (self->listener == NULL) {
        socket_free(&self->acceptor);
        return NULL;
    }
    self->socket = jrpc_listener_take_socket(self->listener);
    const char *address = jrpc_listener_address(self->listener);
    const char *rest = scheme == NULL ? NULL : strstr(address, "://");
    (void)snprintf(self->address, sizeof self->address, "%s%s%s", rest == NULL ? "" : scheme,
                   rest == NULL ? address : rest + strlen("://"), rest == NULL ? "" : "/");
    return &self->acceptor;
}

static jrpc_acceptor *sockets_new(const jrpc_endpoint *endpoint, jrpc_error *error)
{
    return jrpc_acceptor_of_sockets(endpoint, NULL, jrpc_peer_adopt, error);
}

// Those over which the other side can connect.
static jrpc_acceptor *(*const acceptors[JRPC_TRANSPORT_COUNT])(const jrpc_endpoint *endpoint,
                                                               jrpc_error *error) = {
    [JRPC_TRANSPORT_TCP] = sockets_new,
    [JRPC_TRANSPORT_UNIX] = sockets_new,
#if JRPC_HTTP
    [JRPC_TRANSPORT_HTTP] = jrpc_http_acceptor_new,
    [JRPC_TRANSPORT_WEBSOCKET] = jrpc_websocket_acceptor_new,
#endif
};

jrpc_acceptor *jrpc_acceptor_new(const jrpc_endpoint *endpoint, jrpc_error *error)
{
    const jrpc_traits *traits = jrpc_transport_traits(endpoint->transport);
    if (acceptors[endpoint->transport] != NULL) {
        return acceptors[endpoint->transport](endpoint, error);
    }
    if (traits->is_web) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "this build has no HTTP and no WebSocket");
    } else {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "nobody connects over %s: use a socket",
                             traits->name);
    }
    return NULL;
}

const char *jrpc_acceptor_address(const jrpc_acceptor *acceptor)
{
    return acceptor->operations->address(acceptor);
}

int jrpc_acceptor_descriptor(const jrpc_acceptor *acceptor)
{
    return acceptor->operations->descriptor(acceptor);
}

jrpc_peer *jrpc_acceptor_take(jrpc_acceptor *acceptor, jrpc_error *error)
{
    return acceptor->operations->take(acceptor, error);
}

void jrpc_acceptor_free(jrpc_acceptor *acceptor)
{
    if (acceptor != NULL) {
        acceptor->operations->free(acceptor);
    }
}
