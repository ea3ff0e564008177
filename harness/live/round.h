// A round: many messages sent one after the other, with a proof at the end that all have been
// processed, and a check of each for the answer that is due.
#ifndef JCK_LIVE_ROUND_H
#define JCK_LIVE_ROUND_H

#include "harness/link/link.h"
#include "harness/live/account.h"
#include "harness/live/taken.h"
#include "reference/base/random.h"

#define JCK_ROUND_MOST JCK_ACCOUNT_MOST
#define JCK_ROUND_BYTES ((size_t)4 << 20)

typedef struct jck_round {
    jck_link *link;                 // borrowed
    const jck_due_context *context; // borrowed
    jck_account account;
    jck_sent sent[JCK_ROUND_MOST];
    size_t count;
    jck_taken taken;
    uint16_t loose[JCK_ROUND_MOST]; // messages whose id may come back as another Number
    size_t loose_count;
    jrpc_buffer bytes; // of all messages, one after the other
    jrpc_arena nodes;  // of the documents of all messages
    // Into which each message is read first: what is written again and again stays in the
    // processor's cache, and only as many nodes are kept as the message has.
    jrpc_json_document reading;
    jrpc_buffer framed;
    // Called when all is sent, before answers are heard; may be NULL. Whoever reads each answer as
    // soon as it comes is woken for each, and the target waits for that.
    void (*rest)(void *context);
    void *rest_context;
    bool rested;     // it was called for this round
    int status;      // HTTP status of the exchange under way; 0: none
    jck_symptom end; // ENDED, MUTE, FLOOD, or NONE
    bool interrupted;
    uint64_t expired;
    int64_t heard_us; // when the last answer came; before it, when the round was sent
} jck_round;

typedef enum jck_round_outcome {
    JCK_ROUND_CLEAN,
    JCK_ROUND_SUSPICIOUS,
    JCK_ROUND_UNOPENED, // the target could not be reached: *error
    JCK_ROUND_INTERRUPTED,
    JCK_ROUND_FAULT,
} jck_round_outcome;

void jck_round_init(jck_round *round, jck_link *link, const jck_due_context *context);
void jck_round_done(jck_round *round);
// Begins a round without messages.
void jck_round_clear(jck_round *round);
// Whether the target's framing and transport can carry the message, and every reader sees it as a
// single message.
bool jck_round_carries(const jck_round *round, jrpc_slice bytes);
// Adds a message if the target's framing can carry it, there is room, and no other message has its
// id. Returns whether it was added. `travel` may be NULL.
bool jck_round_add(jck_round *round, char connection, jrpc_slice bytes, const jck_travel *travel);
// Removes the message that was added last.
void jck_round_take_back(jck_round *round);
// Sends what was added, if the transport allows several messages in flight. CLEAN if answers can be
// awaited. `random` (may be NULL) chooses where the bytes are split into writes.
jck_round_outcome jck_round_send(jck_round *round, jrpc_random *random, jrpc_error *error);
// Receives the answers to a round that was sent, and accounts for them.
jck_round_outcome jck_round_listen(jck_round *round, jrpc_error *error);
// Sends, then listens.
jck_round_outcome jck_round_run(jck_round *round, jrpc_random *random, jrpc_error *error);

#endif
