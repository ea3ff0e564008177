// Opening a connection: start, connect, prelude, first fence.
#ifndef JCK_LINK_OPEN_H
#define JCK_LINK_OPEN_H

#include "harness/link/hear.h"

// Makes sure that the connection is open and that the target answers on it. What was learned is in
// link->opening. A target that closes each connection after its first answer is recognized here
// (learned.use); from then on it is connected to without a fence.
jck_link_status jck_link_open(jck_link *link, char connection, jrpc_error *error);
// The same with a different credential in the handshake (one that must be refused, or that of
// another identity), and with `handshake`, lines in the place of other headers there; NULL: none.
// The caller closes or spends the connection.
jck_link_status jck_link_open_as(jck_link *link, char connection, jck_credential shown,
                                 const char *const *handshake, jrpc_error *error);
// Makes the link ready for a case: closes the connections that the case must not use, opens
// connection 'a', and starts counting what the target writes. A `bare` case gets new connections,
// opened without prelude and fence.
jck_link_status jck_link_begin_case(jck_link *link, bool bare, jrpc_error *error);
// Whether the target answers a fence on an open connection. Anything else that comes is dropped.
bool jck_link_answers(jck_link *link, char connection);
// Whether a SPENT connection turns out to be in step: a fence is answered in time, and nothing else
// comes. If so, the connection becomes READY.
bool jck_link_is_in_step(jck_link *link, char connection);
// Whether the target answers a fence on a new connection ('h'), which is then closed.
bool jck_link_answers_elsewhere(jck_link *link);

// Explains in *error why a target that accepted the connection does not answer, or is gone: what it
// wrote instead, how its process ended, and what to do about it. Private to the opening.
void jck_explain_silence(const jck_link *link, jrpc_error *error);
void jck_explain_end(jck_link *link, char connection, jrpc_error *error);
// If the command that was started for the target has ended, replaces *error: how it ended, and its
// last output.
void jck_explain_start(jck_link *link, jrpc_error *error);
// Explains in `out`, from what HTTP says, why there is no Response: "no Response: nothing is served
// at this path; check the URL".
#define JCK_EXPLANATION_BYTES 600
const char *jck_explain_http(const jck_link *link, char *out, size_t size);
// Keeps what the head of an HTTP answer said.
void jck_remember_http(jck_link *link, const jck_heard *heard);
// Keeps the beginning of a target's output, if nothing is kept yet.
void jck_remember_words(jck_link *link, jrpc_slice bytes);

#endif
