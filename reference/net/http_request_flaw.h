// Flaws in the heads of HTTP requests that can be understood nevertheless. Private to this room;
// does no I/O.
#ifndef JRPC_NET_HTTP_REQUEST_FLAW_H
#define JRPC_NET_HTTP_REQUEST_FLAW_H

#include "reference/base/slice.h"
#include "reference/net/flaw.h"

// What is wrong with the head of a request (its empty line included) to a server at this address,
// such as "http://127.0.0.1:8080/", and what that concerns. NULL: nothing; a constant otherwise.
const char *jrpc_http_flaw_of_request(jrpc_slice head, const char *address, jrpc_flaw *ret_of);

#endif
