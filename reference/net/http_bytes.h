// Exchanges of HTTP whose bytes are written by hand, over a connection of their own: requests in
// one write before any answer, extensions of chunks, and a wait for "100 Continue", none of which
// the library sends. Private to this room.
#ifndef JRPC_NET_HTTP_BYTES_H
#define JRPC_NET_HTTP_BYTES_H

#include "reference/net/http_answer.h"

// Sends the payload in the way that manner->bytes says, and waits for what answers it until the
// deadline: each answer is added to `answer`, which is cleared first. Requests that are left
// unanswered because the server closed the connection after an answer, or announced that it would,
// are sent again over a new connection: servers may do so (RFC 9112, sections 9.3.2 and 9.6).
// MESSAGE, INTERRUPTED, ENDED (it could not be sent) or FAULT.
jrpc_peer_event jrpc_http_bytes_exchange(const jrpc_endpoint *endpoint, jrpc_slice payload,
                                         const jrpc_manner *manner, jrpc_http_answer *answer,
                                         int64_t deadline_us, jrpc_error *error);

#endif
