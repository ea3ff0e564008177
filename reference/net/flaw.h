// What a flaw concerns: something that the other side did wrong but that can still be understood.
#ifndef JRPC_NET_FLAW_H
#define JRPC_NET_FLAW_H

typedef enum jrpc_flaw {
    JRPC_FLAW_FRAME,     // the frame of a message, or one beside it
    JRPC_FLAW_BREAK,     // WebSocket: a frame that cannot be read, and nothing after it
    JRPC_FLAW_CLOSE,     // WebSocket: the body of a Close
    JRPC_FLAW_END,       // WebSocket: what the server did after the closing handshake
    JRPC_FLAW_HANDSHAKE, // WebSocket: the answer to the opening handshake
    JRPC_FLAW_LENGTH,    // HTTP: an answer that does not show where it ends
    JRPC_FLAW_SHORT,     // HTTP: an answer that says that it ends before it does: it is cut
    JRPC_FLAW_FIELDS,    // HTTP: the head of an answer, or of a request
    JRPC_FLAW_HOST,      // HTTP and WebSocket: whom a request is for
    JRPC_FLAW_PONG,      // WebSocket: what a Ping is answered with
    JRPC_FLAW_GOES_ON,   // WebSocket: a connection that had to be failed
    JRPC_FLAW_UNASKED,   // … because of an extension or a subprotocol
} jrpc_flaw;

#endif
