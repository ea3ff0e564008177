// What carries messages between two endpoints, and what each of them can do.
//
// Code that has to treat transports differently asks for a trait; only this table, the openers in
// peer.c and the endpoints know them one by one.
#ifndef JRPC_NET_TRANSPORT_H
#define JRPC_NET_TRANSPORT_H

#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum jrpc_transport {
    JRPC_TRANSPORT_STDIO,
    JRPC_TRANSPORT_TCP,
    JRPC_TRANSPORT_UNIX,
    JRPC_TRANSPORT_HTTP,
    JRPC_TRANSPORT_WEBSOCKET,
} jrpc_transport;

#define JRPC_TRANSPORT_COUNT 5

// What names the other side.
typedef enum jrpc_address {
    JRPC_ADDRESS_COMMAND, // words to start
    JRPC_ADDRESS_PORT,    // a host and a port
    JRPC_ADDRESS_PATH,    // a file
    JRPC_ADDRESS_URL,
} jrpc_address;

typedef struct jrpc_traits {
    const char *name;       // "stdio", "tcp", "unix", "http", "websocket"
    const char *schemes[3]; // what an address begins with, NULL-terminated
    jrpc_address address;   // what comes after the scheme
    bool byte_stream;       // a framing separates the messages; raw bytes can be sent
    bool carries_raw;       // bytes can be sent as they are, outside a message
    bool exchanges;         // each message is an exchange whose end proves silence
    bool can_push;          // the other side can send without having been asked
    bool can_reconnect;     // there can be a second connection, beside or after the first
    bool is_child;          // the other side is a process that we start; it is the connection
    bool text_is_utf8;      // a text message must be UTF-8
    bool is_web;            // speaks HTTP at first: headers and TLS apply
    bool upgrades;          // … and turns to another protocol afterwards
} jrpc_traits;

// The traits of a transport; static.
const jrpc_traits *jrpc_transport_traits(jrpc_transport transport);
// The transport of that name; false if there is none.
bool jrpc_transport_from_name(jrpc_slice name, jrpc_transport *ret_transport);
// Writes "stdio, tcp, …" into `out`, NUL-terminated, cut at `size` bytes.
void jrpc_transport_names(char *out, size_t size);
// The transport whose scheme an address begins with, and what comes after the scheme (borrowed from
// `address`); false if there is none.
bool jrpc_transport_from_address(const char *address, jrpc_transport *ret_transport,
                                 const char **ret_rest);

#endif
