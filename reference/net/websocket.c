#include "reference/net/peer_private.h"

jrpc_peer *jrpc_websocket_open(const jrpc_endpoint *endpoint, int64_t deadline_us,
                               jrpc_error *error)
{
    (void)deadline_us;
    (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "cannot speak to %s yet", endpoint->url);
    return NULL;
}
