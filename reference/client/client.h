// A client: calls, notifications and batches over any transport, and what the server sends of its
// own.
//
// Either call and wait:
//     if (jrpc_client_call(client, "subtract", "[42,23]", 0, &answer, &error)) use(answer.value);
// or start calls, each with a function that is told when it is over, and turn until all are.
// What a received message means for which call is written in calls.h.
//
// A client belongs to one thread at a time. Its callbacks run inside of the function that received
// the message; they may start and cancel calls, and may not wait (call, turn, wait, close).
#ifndef JRPC_CLIENT_CLIENT_H
#define JRPC_CLIENT_CLIENT_H

#include "reference/calls/calls.h"
#include "reference/net/peer.h"
#include "reference/rpc/router.h"

typedef struct jrpc_client jrpc_client;

// Places where a fault table can change what is sent; needed by nobody else.
typedef struct jrpc_client_hooks {
    void *context;
    // In the place of jrpc_peer_send, for every message.
    jrpc_peer_event (*send)(void *context, jrpc_peer *peer, jrpc_slice text, int64_t deadline_us,
                            jrpc_error *error);
} jrpc_client_hooks;

typedef struct jrpc_client_options {
    const jrpc_endpoint *endpoint; // copied, what it points to is borrowed; see address.h
    // Methods that the server may call: a router of JRPC_ROLE_CLIENT. Borrowed. NULL: there are
    // none, and its calls are answered with -32601.
    const jrpc_router *router;
    // `own` hears of everything that the server sends of its own, `stray` of what belongs to no
    // call; `serve` is the client's.
    jrpc_calls_ear ear;
    int64_t timeout_ms; // of every call without a deadline, and of connecting and sending; 0: 30 s
    size_t most_calls;  // under way at once, 0: JRPC_LIMIT_BATCH_ELEMENTS
    const jrpc_calls_hooks *calls_hooks;   // copied; NULL: none
    const jrpc_client_hooks *client_hooks; // copied; NULL: none
} jrpc_client_options;

// Connects (or starts the server, over stdio). NULL with what jrpc_peer_open says, or MEMORY.
// Owned: free with jrpc_client_close.
jrpc_client *jrpc_client_open(const jrpc_client_options *options, jrpc_error *error);
// The same over a connection that is open already, which is taken, also on failure.
jrpc_client *jrpc_client_adopt(const jrpc_client_options *options, jrpc_peer *peer,
                               jrpc_error *error);
// Ends all calls under way as CLOSED, closes the connection and frees. A child gets 2 s to end by
// itself. Accepts NULL.
void jrpc_client_close(jrpc_client *client);
// Whether calls can be made. Over a stream a connection that has ended stays so; over HTTP the next
// message opens another.
bool jrpc_client_is_open(const jrpc_client *client);

// Calls and waits at most `timeout_ms` (0: the client's). `params` is the JSON of an Array or
// Object; NULL: none. True for a result. Else false, and *error says what happened in one sentence;
// ret_answer->kind is ERROR for the server's own error, whose code, message and data are in
// ret_answer->value. Where no call was made ret_answer->id is 0. The answer's value is borrowed
// until the next call of any function on this client.
bool jrpc_client_call(jrpc_client *client, const char *method, const char *params,
                      int64_t timeout_ms, jrpc_answer *ret_answer, jrpc_error *error);
// Sends a notification. True says that it was handed over, not that it arrived (section 4.1).
bool jrpc_client_notify(jrpc_client *client, const char *method, const char *params,
                        jrpc_error *error);

// Starts a call (or sends a notification), and returns. `parts->answered` is called once, when it
// is over; that may be before this returns, where sending fails. False with what jrpc_calls_begin
// says, or CLOSED: then nothing was started.
bool jrpc_client_start(jrpc_client *client, const jrpc_call_parts *parts, uint64_t *ret_id,
                       jrpc_error *error);
// The same for a batch of `count` Requests; see jrpc_calls_begin_batch.
bool jrpc_client_start_batch(jrpc_client *client, const jrpc_call_parts *parts, size_t count,
                             uint64_t *ret_ids, jrpc_error *error);
// Gives a call up: it ends as CANCELLED, and whatever still comes for it is stray. False if it is
// not under way.
bool jrpc_client_cancel(jrpc_client *client, uint64_t id);
// How many calls are under way.
size_t jrpc_client_count(const jrpc_client *client);

typedef enum jrpc_client_event {
    JRPC_CLIENT_MOVED,   // a message was taken, or a deadline passed
    JRPC_CLIENT_TIMEOUT, // nothing happened until the deadline
    JRPC_CLIENT_WOKEN,   // wake_fd is readable
    JRPC_CLIENT_ENDED,   // the connection has ended; all its calls are over
    JRPC_CLIENT_FAULT,   // our own failure (memory): *error says; the connection has ended
} jrpc_client_event;

// Waits for one thing to happen and does what it asks for, at most until the deadline (0 looks only
// at what is there). `wake_fd` ends the wait when it is readable; -1: none.
jrpc_client_event jrpc_client_turn(jrpc_client *client, int64_t deadline_us, int wake_fd,
                                   jrpc_error *error);
// Turns until no call is under way. False when the deadline passed before.
bool jrpc_client_wait(jrpc_client *client, int64_t deadline_us, jrpc_error *error);

#endif
