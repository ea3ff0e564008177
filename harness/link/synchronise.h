// Proof that nothing more comes for what was sent on a connection.
// There are two ways. On a stream, a fence follows the requests: a call whose answer shows that
// everything before it has been dealt with. Over HTTP, and with a target that closes the connection
// after its answer, the transport proves it.
//
// The caller keeps the record, and drives the proof turn by turn until it is over:
//
//   jck_sync_begin(&sync, link, connection, missing, error);
//   for (jck_sync_turn turn; (turn = jck_sync_next(&sync)) != JCK_SYNC_TURN_OVER;) {
//       // FENCE: sync.fence went out. HEARD: sync.heard came.
//       if (turn == JCK_SYNC_TURN_HEARD) { jck_sync_take(&sync, what it is to us); }
//   }
//   jck_sync_end end = jck_sync_done(&sync);
#ifndef JCK_LINK_SYNCHRONISE_H
#define JCK_LINK_SYNCHRONISE_H

#include "harness/link/hear.h"

// How it ended.
typedef enum jck_sync_end {
    JCK_SYNC_FENCED,  // a fence was answered
    JCK_SYNC_OVER,    // the transport proved it
    JCK_SYNC_LEFT,    // a stream of events did not end, and was left
    JCK_SYNC_MUTE,    // the proof did not come in time
    JCK_SYNC_UNSENT,  // the target did not accept the fence in time
    JCK_SYNC_ENDED,   // the connection is over
    JCK_SYNC_FLOODED, // the target writes more than is read
    JCK_SYNC_INTERRUPTED,
    JCK_SYNC_FAULT, // our own failure
} jck_sync_end;

// What is due next.
typedef enum jck_sync_phase {
    JCK_SYNC_APART,   // to listen for a moment, so that the fence does not arrive together with the
                      // message
    JCK_SYNC_SENDING, // to send a fence
    JCK_SYNC_LISTENING, // to listen for its answer
    JCK_SYNC_EXCHANGE,  // to listen until the exchange is over
    JCK_SYNC_SETTLED,   // nothing: `end` says how it ended
} jck_sync_phase;

typedef struct jck_sync {
    size_t missing;    // messages still waited for: each answer gives a slow target more time
    uint64_t expired;  // waits that ran into their deadline
    jck_heard heard;   // HEARD: borrowed until the next turn
    jrpc_buffer fence; // FENCE: its bytes
    // Private from here on.
    size_t owed; // messages that were missing at the beginning
    jck_link *link;
    char connection;
    jrpc_error *error;
    jck_sync_phase phase;
    jck_sync_end end;
    jck_spent_kind spent_before;
    int64_t deadline_us;     // of the current wait
    int64_t soon_us;         // when to try a second connection, to see whether the target is alive
    int64_t sending_us;      // what reading may take by what sending took
    int64_t last_us;         // when to give up
    int64_t answers_us;      // from the first message to the last answer before the first fence
    int64_t fence_us;        // when the last fence was sent
    int64_t planned_us;      // from when the current wait counts
    int64_t look_us;         // when to look whether the target works; INT64_MAX: never
    bool idle;               // it does not
    unsigned extensions;     // still to be granted
    bool knocked;            // a second fence is out, or none is to be sent
    bool fenced_twice;       // a second fence is out
    bool lost;               // a second fence went out, and the first was never answered
    bool talks;              // something came in the exchange
    size_t begun;            // bytes of an incomplete message when last looked at …
    int64_t begun_us;        // … and when that was
    int64_t whole_by_us;     // when the wait for it ends even if it still grows; 0: none has begun
    int64_t patient_us;      // when to look what the process has done; INT64_MAX: not any more
    jck_allowance allowance; // of a process of ours
} jck_sync;

typedef enum jck_sync_turn {
    JCK_SYNC_TURN_FENCE, // a fence went out, or was to
    JCK_SYNC_TURN_HEARD, // something was heard, even if only that nothing came in time
    JCK_SYNC_TURN_OVER,
} jck_sync_turn;

// Begins; `missing` messages are waited for. Borrows `link` and `error`.
void jck_sync_begin(jck_sync *sync, jck_link *link, char connection, size_t missing,
                    jrpc_error *error);
// Does what is due next: sends or hears.
jck_sync_turn jck_sync_next(jck_sync *sync);
// After HEARD: continues from what was heard. `kind` is what the caller takes sync->heard for,
// which differs from its own kind if it turned out not to answer the step.
void jck_sync_take(jck_sync *sync, jck_heard_kind kind);
// After OVER: how it ended. Frees what the proof holds.
jck_sync_end jck_sync_done(jck_sync *sync);

#endif
