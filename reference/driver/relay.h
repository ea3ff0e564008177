// A stand-in for the network between the client and its server, for faults of transports: it passes
// on what they say, and changes it as the rows of faults say. The client itself stays right.
#ifndef JRPC_DRIVER_RELAY_H
#define JRPC_DRIVER_RELAY_H

#include "reference/base/error.h"
#include "reference/base/slice.h"
#include "reference/driver/relay_frames.h"

#include <stdbool.h>
#include <stddef.h>

// An answer over HTTP as far as it has come.
typedef struct jrpc_relay_answer {
    jrpc_slice bytes; // of the interim answers, too
    jrpc_slice head;  // of the final one, its empty line included; empty while it is not complete
    bool whole;       // the body is complete
    bool extensions;  // … and has chunk extensions,
    bool trailers;    // … or trailer fields
} jrpc_relay_answer;

// What becomes of a frame over WebSocket.
typedef enum jrpc_relay_verdict {
    JRPC_RELAY_PASS,
    JRPC_RELAY_DROP,
    JRPC_RELAY_CUT, // the connection is cut
} jrpc_relay_verdict;

// What is remembered of the frames of a connection.
typedef struct jrpc_relay_memory {
    bool in_fragments;
} jrpc_relay_memory;

// What is changed. Zeroed: nothing.
typedef struct jrpc_relay_way {
    // Of the head of a request: the line of a header field that takes the place of the one with
    // this name, or comes in addition if there is none; "" leaves it out.
    const char *name, *line;
    const char *from, *to; // … and a text in it, and what takes its place
    // Whether the client cannot read an answer: the connection is cut before the answer is
    // complete.
    bool (*chokes)(const jrpc_relay_answer *answer);
    // A request that the client sends by itself after an answer with status 307, which it does not
    // see; NULL: none.
    const char *follows;
    // Whether the client fails to notice that the connection ends after an answer: its next one is
    // cut.
    bool (*stays)(const jrpc_relay_answer *answer);
    // Whether the client accepts this answer to its handshake with that key: it gets a right one.
    bool (*forgives)(jrpc_slice head, jrpc_slice key);
    // What becomes of frames: of the client, and of the server.
    jrpc_relay_verdict (*up)(jrpc_relay_frame *frame, jrpc_relay_memory *memory);
    jrpc_relay_verdict (*down)(jrpc_relay_frame *frame, jrpc_relay_memory *memory);
} jrpc_relay_way;

typedef struct jrpc_relay jrpc_relay;

// Listens for the client, and passes on to the server at `url` ("http://HOST:PORT/…" or "ws://…").
// Copies the ways, not what they point to. NULL with SYSTEM, USAGE or MEMORY. Owned.
jrpc_relay *jrpc_relay_new(const char *url, const jrpc_relay_way *const *ways, size_t count,
                           jrpc_error *error);
// The URL for the client. Borrowed.
const char *jrpc_relay_url(const jrpc_relay *relay);
// Ends all connections and frees. Accepts NULL.
void jrpc_relay_free(jrpc_relay *relay);

#endif
