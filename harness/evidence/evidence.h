// The record of one execution of one case: every message both ways, and how it ended. Written by
// run, read by judge, live and report. Holds facts only, no opinion.
#ifndef JCK_EVIDENCE_EVIDENCE_H
#define JCK_EVIDENCE_EVIDENCE_H

#include "reference/base/arena.h"
#include "reference/base/slice.h"
#include "reference/net/ending.h"
#include "reference/net/flaw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jck_direction {
    JCK_SENT,
    JCK_RECEIVED,
} jck_direction;

typedef enum jck_role_of_message {
    JCK_MESSAGE_OF_CASE,    // belongs to the case
    JCK_MESSAGE_OF_FENCE,   // the fence or its answer
    JCK_MESSAGE_OF_SESSION, // prelude, probe, our answer to a request of the server
    JCK_MESSAGE_NOISE,      // bytes that are no frame
    JCK_MESSAGE_OF_DRIVER,  // a command for the driver of a client, or what it reports
    JCK_MESSAGE_OF_OPENING, // what opening the connection brought, before any case asked for it
} jck_role_of_message;

// What a received message has to do with fences.
typedef enum jck_fence_role {
    JCK_FENCE_NONE,     // nothing
    JCK_FENCE_ANSWER,   // the answer to the fence sent last
    JCK_FENCE_LATE,     // the answer to one sent before
    JCK_FENCE_AGAIN,    // another answer to a fence that was answered
    JCK_FENCE_INVENTED, // an answer to a fence that was never sent on this connection
    JCK_FENCE_ECHO,     // a fence, sent back
} jck_fence_role;

typedef struct jck_message {
    jck_direction direction;
    jck_role_of_message role;
    char connection;  // 'a', 'b', …
    int step;         // index of the step it was sent or collected in
    int64_t at_us;    // since the execution began
    jrpc_slice bytes; // the payload, without framing; owned by the evidence's arena
    size_t true_len;  // more than bytes.len where the record is capped
    bool broken;      // it was looked into whole when it came, and is not JSON
    bool own_id;      // it, or an element of it, carries an id made up for this execution
    bool originated;  // a request or notification of the target's own
    jck_fence_role fence;
    const char *why;  // NOISE: what is wrong with it; else NULL
    const char *flaw; // what the target broke before or with it, though it could be read; else NULL
    jrpc_flaw flaw_of; // … where there is one
    int http_status;   // 0 where there is none
    jrpc_slice http_headers;
    bool http_reused;                           // over the connection of the exchange before
    bool http_closed, http_surplus, http_early; // as in jrpc_received
    const char *http_left;                      // … ; a constant
} jck_message;

// How the collection after a step ended.
typedef enum jck_settled {
    JCK_NOT_RUN,       // the step was not reached
    JCK_SETTLED,       // what was owed came (no proof that no more would come)
    JCK_FENCED,        // a fence after it was answered: nothing more belongs to the step
    JCK_TRANSPORT_END, // the transport itself proves that nothing more comes (HTTP)
    JCK_MUTE,          // neither an answer nor the fence's, until the deadline
    JCK_GONE,          // the connection ended
    JCK_UNSENT,        // not all bytes were taken until the deadline
    JCK_REFUSED,       // nothing was sent: the handshake of the step was refused, another is not
    JCK_FLOODED,       // more came than any case makes a target say; listening was given up
} jck_settled;

// Why it is JCK_MUTE. From JCK_STUCK on, nothing more is to be expected of the connection.
typedef enum jck_muteness {
    JCK_NOT_MUTE,
    JCK_UNFINISHED, // it was still writing its answer when it was waited for no longer
    JCK_STUCK,      // open but mute, while the target answers on a new connection
    JCK_HUNG,       // the target answers nowhere any more
} jck_muteness;

typedef struct jck_evidence {
    jrpc_arena *arena;     // borrowed
    jck_message *messages; // in order of time
    size_t count;
    size_t capacity;
    jck_settled *settled; // one a step
    size_t step_count;
    // One a step: how a client that ran by itself ended; JRPC_END_OPEN: it ran on, and was stopped.
    jrpc_peer_ending *ends;
    jrpc_peer_ending end;      // how connection 'a' ended, or JRPC_END_OPEN
    bool process_gone;         // the process behind the target has ended
    bool left_with_connection; // it ended in an orderly way once we left the connection
    bool orderly;              // … with a status the target declares orderly
    jck_muteness muteness;
    bool tried_anew;       // … and a new connection was tried, which only some transports allow
    size_t flood_messages; // how many messages, and how many bytes, came before listening was given
    size_t flood_bytes;    // up; 0: it never was
    jrpc_slice stderr_tail; // the end of the target's stderr, when something went wrong
    bool params_wanted;     // sent as spelled to a target known to answer no call without params
    bool of_messages;       // the transport carries messages; there are no bytes between them
    bool marked;            // a stream of events that answered ended with [DONE]
    bool isolated;          // run alone on a fresh connection with a quiet window
    size_t strays;          // messages that came meanwhile and belong to an execution before
    const char *unread;     // the driver of a client cannot read a command of the case: a sentence,
                            // in `arena`; NULL: it can
    bool caller_left;       // a client closed a connection by itself
    int64_t call_us;        // the time-out that the calls of a client were to have; 0: none
    // What was sent before it, if the failure depends on that; NULL: unknown or nothing. Borrowed.
    const struct jck_evidence *earlier;
    uint32_t generation; // number of the process that --start started; 0: none
    int64_t began_us;    // by the clock of the run; the times of messages count from it
    int64_t duration_us;
    size_t kept_bytes; // bytes of messages held
} jck_evidence;

// The deepest nesting of a message that is looked into. The reader does not recurse and could go
// on, but a tree of a million levels costs twenty times the text; what is deeper counts as a
// message whose content is not known.
#define JCK_MESSAGE_DEPTH 20000u
// Bytes of one message and of one exchange that are kept; what is longer is capped, and says so.
#define JCK_EVIDENCE_MESSAGE_BYTES ((size_t)4 << 20)
#define JCK_EVIDENCE_EXCHANGE_BYTES ((size_t)16 << 20)

// An empty record for a case of `step_count` steps. False when memory is out.
bool jck_evidence_init(jck_evidence *evidence, jrpc_arena *arena, size_t step_count);
// Appends a message (everything is copied; bytes are capped at JCK_EVIDENCE_MESSAGE_BYTES and at
// what is left of JCK_EVIDENCE_EXCHANGE_BYTES, true_len says how long they were). False when memory
// is out.
bool jck_evidence_add(jck_evidence *evidence, const jck_message *message);
// Whether a received message belongs to the case at `step` on `connection`.
bool jck_evidence_is_answer(const jck_message *message, int step, char connection);

// Whether it was received in a step: a message, asked for or not, or bytes that are not a message.
bool jck_evidence_is_received_in(const jck_message *message, int step);

// The line of error output that says most: the last one, unless runtimes write it below every error
// (a frame of the stack, the version of Node.js, a hint); then the last one above it that names an
// error, if there is any. Empty where nothing was written.
jrpc_slice jck_last_words(jrpc_slice error_output);

// Bytes of a peer, made printable for a sentence: at most `max` bytes of `bytes`, "…" where it was
// cut. Characters that print as themselves stay (see jrpc_visible_sequence), every other byte is
// spelled \xNN, and so is a backslash before an `x`, so that nobody can imitate this spelling. In
// `arena`; never NULL ("?" when memory is out).
const char *jck_excerpt(jrpc_arena *arena, jrpc_slice bytes, size_t max);

// The end of error output as one line for a sentence: its last few lines with spaces between them,
// or of a stack trace only the line that says most (jck_last_words). Up to 200 bytes are excerpted
// (jck_excerpt), with 2 KiB of `arena`. Never NULL; "" if nothing was written, "?" without memory.
const char *jck_quote_last_words(jrpc_arena *arena, jrpc_slice error_output);

#endif
