#include "reference/client/address.h"

#include <string.h>

static jrpc_endpoint blank(jrpc_transport transport)
{
    return (jrpc_endpoint){.transport = transport,
                           .role = JRPC_ROLE_CLIENT,
                           .framing = JRPC_FRAMING_LINE,
                           .interrupt_fd = -1,
                           .allocator = jrpc_allocator_heap(),
                           .clock = jrpc_clock_monotonic()};
}

// Splits HOST:PORT in place.
static bool split(char *text, jrpc_endpoint *endpoint)
{
    char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text || colon[1] == '\0') {
        return false;
    }
    *colon = '\0';
    char *host = text;
    size_t len = strlen(host);
    if (host[0] == '[' && host[len - 1] == ']') {
        host[len - 1] = '\0';
        host++;
    }
    endpoint->host = host;
    endpoint->port = colon + 1;
    return host[0] != '\0';
}

bool jrpc_client_address_read(const char *address, jrpc_client_address *storage,
                              jrpc_endpoint *ret_endpoint, jrpc_error *error)
{
    jrpc_transport transport = JRPC_TRANSPORT_STDIO;
    const char *rest = NULL;
    if (!jrpc_transport_from_address(address, &transport, &rest)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "%.200s is not an address: write tcp://HOST:PORT, unix:PATH, "
                              "http://… or ws://…",
                              address);
    }
    jrpc_endpoint endpoint = blank(transport);
    jrpc_address kind = jrpc_transport_traits(transport)->address;
    const char *kept = kind == JRPC_ADDRESS_URL ? address : rest;
    size_t len = strlen(kept);
    if (len >= sizeof storage->text) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "the address is too long");
    }
    memcpy(storage->text, kept, len + 1);
    switch (kind) {
    case JRPC_ADDRESS_URL:
        endpoint.url = storage->text;
        break;
    case JRPC_ADDRESS_PATH:
        endpoint.path = storage->text;
        break;
    case JRPC_ADDRESS_PORT:
        if (!split(storage->text, &endpoint)) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE, "%.200s names no host and port",
                                  address);
        }
        break;
    case JRPC_ADDRESS_COMMAND: // has no scheme
        break;
    }
    *ret_endpoint = endpoint;
    return true;
}

void jrpc_client_address_of_command(char *const *argv, jrpc_endpoint *ret_endpoint)
{
    *ret_endpoint = blank(JRPC_TRANSPORT_STDIO);
    ret_endpoint->argv = argv;
}
