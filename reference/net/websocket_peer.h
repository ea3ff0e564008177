// A connection of WebSocket after (and while) it is made: what a peer does with it, whichever side
// it is on. How bytes come and go, and the handshake, are the link's. Private to this room.
#ifndef JRPC_NET_WEBSOCKET_PEER_H
#define JRPC_NET_WEBSOCKET_PEER_H

#include "reference/net/peer_private.h"
#include "reference/wire/websocket.h"

enum {
    JRPC_WEBSOCKET_READ_BYTES = 64 << 10,
    // Of reading and writing, in the place of how many bytes there were.
    JRPC_WEBSOCKET_WAIT = 0,    // none at this moment
    JRPC_WEBSOCKET_ENDED = -1,  // none any more: the other side has closed
    JRPC_WEBSOCKET_BROKEN = -2, // … or the connection broke
};

typedef struct jrpc_websocket_peer jrpc_websocket_peer;

// What is different at the two ends.
typedef struct jrpc_websocket_link {
    // Reads and writes what can be at this moment: how many bytes, or one of the above.
    ptrdiff_t (*read)(jrpc_websocket_peer *self, char *into, size_t room);
    ptrdiff_t (*write)(jrpc_websocket_peer *self, jrpc_slice bytes);
    // Takes bytes that come before the handshake is made. False without memory.
    bool (*shake)(jrpc_websocket_peer *self, jrpc_slice bytes);
    // What the other side did wrong, where that ended the connection; NULL if it did not.
    const char *(*breach)(const jrpc_websocket_peer *self);
    // Frees the connection.
    void (*close)(jrpc_websocket_peer *self);
} jrpc_websocket_link;

struct jrpc_websocket_peer {
    jrpc_peer peer; // first
    const jrpc_websocket_link *link;
    void *handle; // the link's own
    jrpc_endpoint endpoint;
    int socket;
    bool handshaken;
    bool refused;     // the other side's handshake was not one of WebSocket
    jrpc_buffer head; // of what the other side says in the handshake
    jrpc_websocket wire;
    int pings;                  // of ours, answered or not
    const char *handshake_flaw; // what the other side's half of the handshake breaks,
    jrpc_flaw handshake_flaw_of;
    bool closing;      // we began the closing handshake
    int64_t end_by_us; // … when the other side has to have ended TCP; 0: not known yet
    bool lingers;      // … and has not
    bool ended, reset;
    bool told; // why the connection was ended for what the other side did
    char piece[JRPC_WEBSOCKET_READ_BYTES];
};

// One end of a connection: `socket` is what is polled, and the link's to close (-1: not known yet).
// NULL with MEMORY. Owned: jrpc_peer_close.
jrpc_websocket_peer *jrpc_websocket_peer_new(const jrpc_endpoint *endpoint, bool client, int socket,
                                             const jrpc_websocket_link *link, jrpc_error *error);
// Takes received bytes, of the handshake or of frames. False without memory.
bool jrpc_websocket_peer_take(jrpc_websocket_peer *self, jrpc_slice bytes);
// Reads and writes what moves; waits if nothing does. MESSAGE when something moved.
jrpc_peer_event jrpc_websocket_peer_turn(jrpc_websocket_peer *self, int64_t deadline_us,
                                         jrpc_error *error);

#endif
