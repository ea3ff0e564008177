// Connecting to TCP and Unix sockets, with a deadline.
#ifndef JRPC_NET_SOCKET_H
#define JRPC_NET_SOCKET_H

#include "reference/base/clock.h"
#include "reference/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

// A listener on this machine accepts a connection at once, unless its queue is full. The system
// then tries again only after a second. We try again after this many milliseconds, then after twice
// as many each time.
#define JRPC_SOCKET_QUEUED_MS 50

// A non-blocking, close-on-exec descriptor connected to host:port (every address of the name is
// tried) with TCP_NODELAY. A readable `interrupt_fd` (-1: none) ends the wait. -1 with SYSTEM,
// TIMEOUT or CLOSED (refused, interrupted); the message names the target and a remedy.
int jrpc_socket_connect_tcp(const char *host, const char *port, const jrpc_clock *clock,
                            int64_t deadline_us, int interrupt_fd, jrpc_error *error);
// The same for a Unix socket; also USAGE for a path that does not fit a socket address.
int jrpc_socket_connect_unix(const char *path, const jrpc_clock *clock, int64_t deadline_us,
                             int interrupt_fd, jrpc_error *error);
// Fills a Unix socket address. False with USAGE when the path is empty or too long.
bool jrpc_socket_unix_address(const char *path, struct sockaddr_un *ret_address, jrpc_error *error);
// Sends small segments at once (TCP_NODELAY); nothing happens on other sockets.
void jrpc_socket_no_delay(int descriptor);

#endif
