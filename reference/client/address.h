// Where a server is, as people write it.
#ifndef JRPC_CLIENT_ADDRESS_H
#define JRPC_CLIENT_ADDRESS_H

#include "reference/net/endpoint.h"

#define JRPC_CLIENT_ADDRESS_BYTES 2048

// The text that an endpoint made of an address points into: keep it as long as the endpoint.
typedef struct jrpc_client_address {
    char text[JRPC_CLIENT_ADDRESS_BYTES];
} jrpc_client_address;

// Makes an endpoint of "tcp://HOST:PORT" (an IPv6 address in brackets), "unix:PATH", "http://…",
// "https://…", "ws://…" or "wss://…": framing line, the heap, the monotonic clock, nothing to
// interrupt it. False with USAGE.
bool jrpc_client_address_read(const char *address, jrpc_client_address *storage,
                              jrpc_endpoint *ret_endpoint, jrpc_error *error);
// The same for a server that is started as a child: its words, NULL-terminated, borrowed.
void jrpc_client_address_of_command(char *const *argv, jrpc_endpoint *ret_endpoint);

#endif
