// What carries messages between two endpoints.
#ifndef JRPC_NET_TRANSPORT_H
#define JRPC_NET_TRANSPORT_H

typedef enum jrpc_transport {
    JRPC_TRANSPORT_STDIO,
    JRPC_TRANSPORT_TCP,
    JRPC_TRANSPORT_UNIX,
    JRPC_TRANSPORT_HTTP,
    JRPC_TRANSPORT_WEBSOCKET,
} jrpc_transport;

#endif
