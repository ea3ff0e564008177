#include "reference/net/peer.h"

#include "reference/net/peer_private.h"

#include <stddef.h>

static jrpc_dial *const openers[JRPC_TRANSPORT_COUNT] = {
    [JRPC_TRANSPORT_STDIO] = jrpc_stream_open, [JRPC_TRANSPORT_TCP] = jrpc_stream_open,
    [JRPC_TRANSPORT_UNIX] = jrpc_stream_open,
#if JRPC_HTTP
    [JRPC_TRANSPORT_HTTP] = jrpc_http_open,    [JRPC_TRANSPORT_WEBSOCKET] = jrpc_websocket_open,
#endif
};

jrpc_peer *jrpc_peer_open(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error)
{
    jrpc_dial *open = endpoint->dial != NULL ? endpoint->dial : openers[endpoint->transport];
    if (open == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE,
                             "cannot speak to %s: this build has no HTTP and no WebSocket",
                             endpoint->url == NULL ? "a URL" : endpoint->url);
        return NULL;
    }
    return open(endpoint, deadline_us, error);
}

jrpc_peer_event jrpc_peer_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                               jrpc_error *error)
{
    return peer->operations->send(peer, payload, deadline_us, error);
}

jrpc_peer_event jrpc_peer_send_as(jrpc_peer *peer, jrpc_slice payload, const jrpc_manner *manner,
                                  int64_t deadline_us, jrpc_error *error)
{
    if (peer->operations->send_as == NULL) {
        return peer->operations->send(peer, payload, deadline_us, error);
    }
    return peer->operations->send_as(peer, payload, manner, deadline_us, error);
}

void jrpc_peer_set_headers(jrpc_peer *peer, const char *const *headers)
{
    if (peer->operations->set_headers != NULL) {
        peer->operations->set_headers(peer, headers);
    }
}

void jrpc_peer_set_interrupt(jrpc_peer *peer, int interrupt_fd)
{
    peer->operations->set_interrupt(peer, interrupt_fd);
}

jrpc_peer_event jrpc_peer_listen(jrpc_peer *peer, int64_t deadline_us, jrpc_error *error)
{
    return peer->operations->listen == NULL ? JRPC_PEER_MESSAGE
                                            : peer->operations->listen(peer, deadline_us, error);
}

jrpc_peer_event jrpc_peer_send_raw(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                   jrpc_error *error)
{
    return peer->operations->send_raw(peer, bytes, deadline_us, error);
}

jrpc_peer_event jrpc_peer_send_chunks(jrpc_peer *peer, jrpc_slice payload, const size_t *offsets,
                                      size_t count, int64_t deadline_us, jrpc_error *error)
{
    return peer->operations->send_chunks(peer, payload, offsets, count, deadline_us, error);
}

jrpc_peer_event jrpc_peer_receive(jrpc_peer *peer, int64_t deadline_us, jrpc_received *ret_received,
                                  jrpc_error *error)
{
    return peer->operations->receive(peer, deadline_us, ret_received, error);
}

void jrpc_peer_close_write(jrpc_peer *peer)
{
    peer->operations->close_write(peer);
}

void jrpc_peer_close_hard(jrpc_peer *peer)
{
    if (peer->operations->close_hard != NULL) {
        peer->operations->close_hard(peer);
    }
}

const char *jrpc_peer_debt(const jrpc_peer *peer, jrpc_flaw *ret_of)
{
    return peer->operations->debt == NULL ? NULL : peer->operations->debt(peer, ret_of);
}

jrpc_peer_ending jrpc_peer_end(jrpc_peer *peer, int64_t deadline_us)
{
    return peer->operations->end(peer, deadline_us);
}

void jrpc_peer_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    peer->operations->stderr_tail(peer, out);
}

int64_t jrpc_peer_process(const jrpc_peer *peer)
{
    return peer->operations->process == NULL ? 0 : peer->operations->process(peer);
}

int jrpc_peer_descriptor(const jrpc_peer *peer)
{
    return peer->operations->descriptor == NULL ? -1 : peer->operations->descriptor(peer);
}

void jrpc_peer_close(jrpc_peer *peer, int64_t grace_ms)
{
    if (peer != NULL) {
        peer->operations->close(peer, grace_ms);
    }
}
