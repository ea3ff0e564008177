// Sending and hearing on one connection: what was heard is recognized, counted, and answered where
// it asks; the state of the connection follows.
#ifndef JCK_LINK_HEAR_H
#define JCK_LINK_HEAR_H

#include "harness/link/link.h"

// What was heard on a connection.
typedef enum jck_heard_kind {
    JCK_HEARD_MESSAGE,    // a JSON text or not: `value` is ABSENT if not
    JCK_HEARD_FENCE,      // the answer to the fence that is outstanding
    JCK_HEARD_LATE_FENCE, // any other answer to a fence: `fence` says which
    JCK_HEARD_ECHO,       // our own fence, sent back
    JCK_HEARD_PUSH,       // the target's own notification: no answer to anything
    JCK_HEARD_REQUEST,    // the target's own, answered with `reply` (empty: it reads no answers)
    JCK_HEARD_NOISE,
    JCK_HEARD_SILENCE,  // the transport proves that nothing more comes
    JCK_HEARD_DEFERRED, // it asked us to come later (HTTP 429), and we did: it is waited for anew
    JCK_HEARD_END,
    JCK_HEARD_TIMEOUT,
    JCK_HEARD_FLOOD, // it writes more than any case makes a target say
    JCK_HEARD_INTERRUPT,
    JCK_HEARD_FAULT,
} jck_heard_kind;

typedef struct jck_heard {
    jck_heard_kind kind;
    jrpc_received received;
    jrpc_json value;
    jck_fence_role fence;
    jrpc_slice reply;
    bool broken; // it is not valid JSON (and not only too deep or too wide to be looked into)
} jck_heard;

// Whether a connection is over after that, or the run.
bool jck_heard_is_end(jck_heard_kind kind);
// Whether it is no use to wait on for an answer: after such an end, a time-out, or the transport's
// proof that nothing more comes.
bool jck_heard_ends_wait(jck_heard_kind kind);

// Waits for one message. The target's own requests are answered as the target's description says,
// else with -32601. What is returned is borrowed until the next call for this connection.
jck_heard jck_link_hear(jck_link *link, char connection, int64_t deadline_us, jrpc_error *error);
// Begins to count anew what a target writes, for the next case.
void jck_link_hear_anew(jck_link *link);

// Sends one message, when its turn has come if the target is to be given time between messages.
// Contract of jrpc_peer_send_as.
jrpc_peer_event jck_link_send(jck_link *link, char connection, jrpc_slice payload,
                              const jrpc_manner *manner, jrpc_error *error);
// The same in chunks: offsets into the framed message, or, `raw`, into bytes that are not framed.
jrpc_peer_event jck_link_send_chunks(jck_link *link, char connection, const jck_payload *how,
                                     jrpc_slice payload, jrpc_error *error);
// Sends `messages` messages that have been framed already, one after the other, over a transport
// that carries raw bytes; in pieces, where `how` names offsets into them.
jrpc_peer_event jck_link_send_many(jck_link *link, char connection, jrpc_slice framed,
                                   size_t messages, const jck_payload *how, jrpc_error *error);
// Sends the next fence. `sent` (initialized) receives its bytes.
jrpc_peer_event jck_link_send_fence(jck_link *link, char connection, jrpc_buffer *sent,
                                    jrpc_error *error);

#endif
