// Why a case gets no verdict: a code that programs can rely on, what it is about, and a sentence.
#ifndef JCK_SUITE_REASON_H
#define JCK_SUITE_REASON_H

#include "reference/base/arena.h"
#include "reference/base/slice.h"

typedef enum jck_reason_code {
    JCK_REASON_NONE,
    // Skipped: what the target lacks.
    JCK_REASON_NO_METHOD,         // no method or resource is mapped to `capability`
    JCK_REASON_PARAMS_SHAPE,      // its method takes no params of this shape
    JCK_REASON_WRAPPED,           // the target's description wraps it in another method's params
    JCK_REASON_SAME_NAME,         // the name of its method cannot be respelled as the case needs it
    JCK_REASON_NO_SUBRESOURCE,    // `capability` needs RESOURCE/SUBRESOURCE
    JCK_REASON_ONE_CONNECTION,    // the transport has one connection only
    JCK_REASON_SECOND_CONNECTION, // the target serves one client at a time
    JCK_REASON_TOO_SLOW,          // the target would need longer than we wait for it
    JCK_REASON_NO_SERVER_MESSAGES,
    JCK_REASON_NO_EVENT_STREAM,
    JCK_REASON_NOT_STDIO,
    JCK_REASON_NOT_LOCAL,
    JCK_REASON_OTHER_FRAMING,
    JCK_REASON_OTHER_TRANSPORT,
    JCK_REASON_NOT_DECLARED,
    JCK_REASON_DECLARED, // … and what it declares rules the case out
    JCK_REASON_NO_LIMIT,
    JCK_REASON_NOT_DRIVEN,    // the driver of a client cannot do it
    JCK_REASON_NOT_CARRIED,   // the framing or transport cannot carry the bytes
    JCK_REASON_UNKNOWN_NEED,  // the case needs something that the suite does not know
    JCK_REASON_REPEATS_CRASH, // it would only cause a crash that is already reported
    JCK_REASON_REPEATS_END,   // it would only end the process again, as is already reported
    JCK_REASON_REPEATS_MUTE,  // it would only leave the target mute, as is already reported
    // Blocked: it could not show anything.
    JCK_REASON_RULE_BROKEN,    // it depends on `rule`, which the target breaks
    JCK_REASON_DRIVER_MISTAKE, // the driver of a client broke its protocol
    // Error: the harness failed.
    JCK_REASON_OUT_OF_MEMORY,
} jck_reason_code;
#define JCK_REASON_COUNT (JCK_REASON_OUT_OF_MEMORY + 1)

typedef struct jck_reason {
    jck_reason_code code;  // NONE: nothing keeps the case from running
    const char *text;      // one sentence for people; or NULL
    jrpc_slice capability; // the missing capability, if it is one; else empty
    jrpc_slice rule;       // the broken rule; else empty
    const char *unlock;    // the option that would let the case run, or NULL
} jck_reason;

// The name of a code: "no-method", …; it never changes. NULL for NONE.
const char *jck_reason_word(jck_reason_code code);
// The reason of a case that depends on a rule which the target breaks. The text is in `arena`.
jck_reason jck_reason_broken(jrpc_arena *arena, jrpc_slice rule);

#endif
