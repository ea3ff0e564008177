// The protocol of adapters: frames with a length of 32 bits, whose first byte says what happened.
// Bytes in, replies out; no I/O.
#ifndef JCK_PARSER_PROTOCOL_H
#define JCK_PARSER_PROTOCOL_H

#include "harness/parser/reply.h"
#include "reference/base/arena.h"

// Bytes of a refusal's reason that are kept.
#define JCK_REASON_BYTES ((size_t)4 << 10)

typedef enum jck_frame_kind {
    JCK_FRAME_REPLY,
    JCK_FRAME_IDENTITY, // 'I': the text after it names the parser
    JCK_FRAME_BAD,      // invalid: `why` of the reply says why
} jck_frame_kind;

// Reads one frame (borrowed by the reply). The caller checks whether an identity is allowed at this
// point.
jck_frame_kind jck_protocol_read(jrpc_slice frame, jck_reply *ret_reply);

// A copy that lives in `arena`. False if out of memory.
bool jck_reply_keep(jrpc_arena *arena, const jck_reply *reply, jck_reply *ret_kept);

#endif
