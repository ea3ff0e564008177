// How a connection ended, and what is known of the process on its other side.
#ifndef JRPC_NET_ENDING_H
#define JRPC_NET_ENDING_H

typedef enum jrpc_end_kind {
    JRPC_END_OPEN,     // not ended
    JRPC_END_CLOSED,   // end of stream; the process behind it, if any, still runs or is unknown
    JRPC_END_RESET,    // connection reset or a broken pipe
    JRPC_END_EXITED,   // `value` is the exit status
    JRPC_END_SIGNALED, // `value` is the signal
    JRPC_END_WS_CLOSE, // `value` is the close code
} jrpc_end_kind;

typedef struct jrpc_peer_ending {
    jrpc_end_kind kind;
    int value;
} jrpc_peer_ending;

#endif
