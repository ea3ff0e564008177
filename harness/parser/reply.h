// What a parser did with one text.
#ifndef JCK_PARSER_REPLY_H
#define JCK_PARSER_REPLY_H

#include "reference/base/slice.h"
#include "reference/net/ending.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jck_reply_kind {
    JCK_REPLY_ACCEPTED, // `text` is what the library wrote for the value that it read
    JCK_REPLY_TAKEN,    // accepted; nothing was written
    JCK_REPLY_REFUSED,  // `text` is what the adapter says about it
    JCK_REPLY_CRASHED,  // the process ended: `ending`
    JCK_REPLY_HUNG,     // no answer until the deadline
    JCK_REPLY_RUBBISH,  // the answer breaks the protocol: `why`
} jck_reply_kind;

typedef struct jck_reply {
    jck_reply_kind kind;
    jrpc_slice frame; // as received, including the first byte; empty if nothing was received
    jrpc_slice text;
    jrpc_peer_ending ending;
    const char *why;
    int64_t took_us;  // from the text's turn until its answer
    int64_t cpu_us;   // processor time of the parser's processes for this text alone; -1: unknown
    int64_t memory;   // peak resident bytes of the process, beyond what it had before the text; -1:
                      // unknown
    jrpc_slice wrote; // RUBBISH: output that is not a frame; empty if unknown
    jrpc_slice stderr_tail; // CRASHED, HUNG, RUBBISH: the end of its standard error
} jck_reply;

// Whether the parser accepted the text.
static inline bool jck_reply_accepts(const jck_reply *reply)
{
    return reply->kind == JCK_REPLY_ACCEPTED || reply->kind == JCK_REPLY_TAKEN;
}

// Whether the process did not survive the text, or broke the protocol.
static inline bool jck_reply_fails(const jck_reply *reply)
{
    return !jck_reply_accepts(reply) && reply->kind != JCK_REPLY_REFUSED;
}

#endif
