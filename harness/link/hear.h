// Sending and hearing on one connection. What is heard is recognized and counted, requests are
// answered, and the state of the connection is updated.
#ifndef JCK_LINK_HEAR_H
#define JCK_LINK_HEAR_H

#include "harness/link/link.h"

// What was heard on a connection.
typedef enum jck_heard_kind {
    JCK_HEARD_MESSAGE,    // a JSON text or not: `value` is ABSENT if not
    JCK_HEARD_FENCE,      // the answer to the fence that is outstanding
    JCK_HEARD_LATE_FENCE, // any other answer to a fence: `fence` says which
    JCK_HEARD_ECHO,       // our own fence, sent back
    JCK_HEARD_PUSH,       // a notification from the target, which answers nothing
    JCK_HEARD_REQUEST,    // a request from the target, answered with `reply` (empty: it reads no
                          // answers)
    JCK_HEARD_NOISE,
    JCK_HEARD_SILENCE,  // the transport proves that nothing more comes
    JCK_HEARD_DEFERRED, // it asked us to try later (HTTP 429), and we did: wait for the answer anew
    JCK_HEARD_END,
    JCK_HEARD_TIMEOUT,
    JCK_HEARD_FLOOD, // it writes more than any case can call for
    JCK_HEARD_INTERRUPT,
    JCK_HEARD_FAULT,
} jck_heard_kind;

typedef struct jck_heard {
    jck_heard_kind kind;
    jrpc_received received;
    jrpc_json value;
    jck_fence_role fence;
    jrpc_slice reply;
    bool broken; // it is not valid JSON (rather than only too deep or too wide to be parsed)
} jck_heard;

// Whether this ends the connection, or the run.
bool jck_heard_is_end(jck_heard_kind kind);
// Whether there is no point in waiting longer for an answer: after such an end, a time-out, or the
// transport's proof that nothing more comes.
bool jck_heard_ends_wait(jck_heard_kind kind);

// Whether the user asked to stop.
bool jck_link_is_interrupted(const jck_link *link);
// Waits for one message. Requests from the target are answered as its description says, otherwise
// with -32601. What is returned is borrowed until the next call for this connection.
jck_heard jck_link_hear(jck_link *link, char connection, int64_t deadline_us, jrpc_error *error);
// Starts counting what a target writes from zero, for the next case.
void jck_link_hear_anew(jck_link *link);

// Sends one message, after a pause if the target is to be given time between messages. Contract of
// jrpc_peer_send_as.
jrpc_peer_event jck_link_send(jck_link *link, char connection, jrpc_slice payload,
                              const jrpc_manner *manner, jrpc_error *error);
// The same in chunks: offsets into the framed message, or, `raw`, into bytes that are not framed.
jrpc_peer_event jck_link_send_chunks(jck_link *link, char connection, const jck_payload *how,
                                     jrpc_slice payload, jrpc_error *error);
// Sends `messages` messages that are already framed, one after the other, over a transport that
// carries raw bytes; in pieces, if `how` names offsets into them.
jrpc_peer_event jck_link_send_many(jck_link *link, char connection, jrpc_slice framed,
                                   size_t messages, const jck_payload *how, jrpc_error *error);
// Sends the next fence. `sent` (initialized) receives its bytes.
jrpc_peer_event jck_link_send_fence(jck_link *link, char connection, jrpc_buffer *sent,
                                    jrpc_error *error);

// Learns how long the target needed for each of so many messages; together they took `took_us`.
void jck_learn_work(jck_learned *learned, size_t messages, int64_t took_us);
// Learns how long the target needed for each message since the last proof, which has just come.
void jck_learn_pace(jck_link *link, const jck_connection *open);

#endif
