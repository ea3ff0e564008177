// How a client's messages travel: at once over a stream, one exchange after another over HTTP.
// Private to this room.
#ifndef JRPC_CLIENT_CARRY_H
#define JRPC_CLIENT_CARRY_H

#include "reference/client/client.h"
#include "reference/client/queue.h"

enum { JRPC_CLIENT_WHY_BYTES = 400 };

struct jrpc_client {
    jrpc_endpoint endpoint;
    const jrpc_allocator *allocator;
    const jrpc_clock *clock;
    jrpc_peer *peer; // NULL: over HTTP, none is open at the moment; else the connection has ended
    jrpc_calls *calls;
    jrpc_router *nobody; // a router without methods, where the caller gave none
    const jrpc_router *router;
    jrpc_calls_ear ear; // the caller's
    jrpc_client_hooks hooks;
    int64_t timeout_ms;
    jrpc_buffer outgoing;
    jrpc_buffer incoming; // a copy of the message at hand: sending may overwrite the peer's
    jrpc_buffer reply;
    bool in_callback;
    bool ended; // for good
    // Over HTTP: the exchange under way.
    bool exchanges;
    bool running;
    uint64_t scope;      // the message that it answers, 0 if that has no calls
    int64_t deadline_us; // when it is given up, whether or not its calls are over
    jrpc_queue queue;
    char why[JRPC_CLIENT_WHY_BYTES]; // what was wrong with its answer, "" if nothing was
};

// Sends a message whose first call is `scope`, now or when its turn comes. A failure ends the calls
// that it concerns as CLOSED and is told in *error.
bool jrpc_carry_send(jrpc_client *client, jrpc_slice text, uint64_t scope, jrpc_error *error);
// Sends what a call of the server's own is owed.
void jrpc_carry_reply(jrpc_client *client, jrpc_slice text);
// Gives up the exchange under way if all of its calls are over without an answer.
void jrpc_carry_give_up(jrpc_client *client);
// See jrpc_client_turn.
jrpc_client_event jrpc_carry_turn(jrpc_client *client, int64_t deadline_us, int wake_fd,
                                  jrpc_error *error);
// Ends the connection and all calls under way, with a sentence that says why.
void jrpc_carry_end(jrpc_client *client, const char *why);

#endif
