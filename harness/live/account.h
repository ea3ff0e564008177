// Which message an answer belongs to, and whether it is the one that is due. Pure: no I/O.
// It is quick and knows little: if it is in doubt, a separate case decides (replay.h). What it
// accepts as right, the judge would accept too.
#ifndef JCK_LIVE_ACCOUNT_H
#define JCK_LIVE_ACCOUNT_H

#include "harness/live/due.h"
#include "harness/live/travel.h"

// What became of a message, as far as this is visible when many are sent together.
typedef enum jck_symptom {
    JCK_SYMPTOM_NONE,    // answered correctly, or nothing was due and nothing came
    JCK_SYMPTOM_WRONG,   // answered incorrectly
    JCK_SYMPTOM_MISSING, // an answer is due, but none came
    JCK_SYMPTOM_EXTRA,   // an answer came, but none was due
    JCK_SYMPTOM_ENDED,   // the connection ended
    JCK_SYMPTOM_MUTE,    // it stopped answering
    JCK_SYMPTOM_FLOOD,   // it wrote without end
} jck_symptom;

const char *jck_symptom_name(jck_symptom symptom);

// A message in flight.
typedef struct jck_sent {
    char connection;
    jrpc_slice bytes;
    jck_travel travel;
    jrpc_json_document document; // what `due` points into
    jck_due due;
    size_t taken; // ids of the earlier messages in its round (jck_round)
    bool answered;
    bool failed; // with an error
    size_t turn; // the number of its answer among those heard
    jck_symptom symptom;
    uint64_t noted;     // part of `behaviour` (jck_account_note)
    uint64_t behaviour; // identifies how it was dealt with; 0: nothing came
} jck_sent;

// A Response with id null or without a usable id: which message it belongs to is decided when all
// Responses have come.
typedef struct jck_unassigned {
    char connection;
    bool valid;  // it is JSON, or need not be
    bool plain;  // it has the form that every Response must have
    bool result; // it has a result and no error
    int64_t code;
    size_t turn; // its number among the answers heard
    uint64_t behaviour;
} jck_unassigned;

#define JCK_UNASSIGNED_MOST 1024u
#define JCK_ACCOUNT_MOST 256u // messages

typedef struct jck_account {
    const jck_due_context *context; // borrowed
    jck_sent *sent;                 // borrowed
    size_t count;
    size_t first;  // all messages before this one have their answers
    size_t after;  // the message after the one that was answered last
    bool lenient;  // one of the messages may be answered with anything
    bool open;     // what is not JSON may be an answer too: over HTTP it may be a page, for example
    size_t heard;  // answers so far
    size_t extras; // answers that belong to no message
    uint64_t behaviour; // of the last of them
    jck_unassigned unassigned[JCK_UNASSIGNED_MOST];
    size_t unassigned_count;
    jrpc_arena arena; // for texts of one answer
    jrpc_json_document expected;
    jrpc_buffer result;
} jck_account;

void jck_account_init(jck_account *account, const jck_due_context *context);
void jck_account_done(jck_account *account);
// Begins with at most JCK_ACCOUNT_MOST messages that have no answers yet. Ids that a Response can
// echo must all differ.
void jck_account_begin(jck_account *account, jck_sent *sent, size_t count);
// Enters an answer: `value` is ABSENT if it cannot be read, and `broken` says that it is not JSON.
void jck_account_hear(jck_account *account, char connection, jrpc_json value, bool broken);
// After an exchange of its own: the HTTP status and the order of magnitude of its time, which are
// part of the message's behaviour even if no answer came; 0: neither is known.
void jck_account_note(jck_account *account, size_t index, int status, unsigned magnitude);
// The same for the message whose answer was heard last, on a stream: the order of magnitude of the
// time since the answer before.
void jck_account_note_last(jck_account *account, unsigned magnitude);
// How many answers are still due on a connection.
size_t jck_account_missing(const jck_account *account, char connection);
// No more answers are coming: those still due are MISSING. Returns the number of symptoms.
size_t jck_account_close(jck_account *account);

#endif
