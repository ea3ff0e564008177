// What is due for a message: which answers are right at first sight, and how certain that is.
// It builds on what the specification owes (harness/judge/owed.h). Where the specification or RFC
// 8259 leaves a choice, no answer within it is a finding; where nothing can be derived, any answer
// is right.
#ifndef JCK_LIVE_DUE_H
#define JCK_LIVE_DUE_H

#include "harness/judge/judge.h"
#include "harness/live/identity.h"
#include "harness/suite/target.h"
#include "reference/base/arena.h"
#include "reference/rpc/message.h"

typedef enum jck_due_kind {
    JCK_DUE_NOTHING,
    JCK_DUE_ONE,   // one Response
    JCK_DUE_MAYBE, // one Response or nothing
    JCK_DUE_BATCH, // one Array of Responses
    JCK_DUE_ANY,   // anything, or nothing
} jck_due_kind;

// Kinds of messages, as far as they decide what is due.
typedef enum jck_due_form {
    JCK_FORM_CUT,     // a text that ends before its value does
    JCK_FORM_TEXT,    // any other text that is not JSON: an extension of JSON may give it a meaning
    JCK_FORM_SCALAR,  // JSON, and neither Object nor Array
    JCK_FORM_EMPTY,   // []
    JCK_FORM_CALL,    // of the method that does not exist
    JCK_FORM_NEAR,    // of one that cannot exist, although its name is close to one that may
    JCK_FORM_KNOWN,   // of a known one
    JCK_FORM_OTHER,   // of one that may exist
    JCK_FORM_NOTIFY,  // a notification
    JCK_FORM_INVALID, // not a valid Request
    JCK_FORM_RESPONSE,  // a Response, or half of one
    JCK_FORM_BATCH,     // an Array of messages whose answers are all clear
    JCK_FORM_UNCLEAR,   // any other Array
    JCK_FORM_UNREADABLE // too deep to be looked into
} jck_due_form;

// Why no method of the target has this name.
typedef enum jck_due_name {
    JCK_NAME_ANY,       // a method may have it, or it is the name that is known not to exist
    JCK_NAME_RESERVED,  // section 8 reserves it
    JCK_NAME_SPELLED,   // a known name with white space around it, written as in a URL, in other
                        // cases of letters, full width, or with hyphens for underscores
    JCK_NAME_CHANGED,   // a known name with something added, or cut short
    JCK_NAME_INHERITED, // every object of some language has a member of this name
    JCK_NAME_DECORATED, // the name that does not exist, after a prefix such as "$/"
} jck_due_name;

typedef struct jck_due {
    jck_due_kind kind;
    jck_due_form form;
    jrpc_invalid_reason reason; // INVALID
    unsigned odd;               // jck_oddity
    unsigned travel;            // how it travels (jck_travel_class)
    jrpc_json value;            // the message
    jrpc_json id;               // that a Response can echo, or ABSENT
    uint64_t id_key;            // jck_id_key of it
    double id_number;           // jck_id_number of it
    bool null_id;               // an id of null is (also) right
    bool result;                // a result is right at first sight
    int code; // the error code that is right; 0: any except those of the protocol itself
    const jck_mapping *mapping; // KNOWN; NEAR: the known one that it must not run, if a method of
                                // its own may have this name
    jck_due_name name;          // CALL, NEAR
    jrpc_json params;
    size_t calls;   // BATCH: Responses in the Array
    size_t length;  // BATCH: elements
    size_t invalid; // BATCH: elements that are not valid Requests
    size_t nested;  // BATCH: … and are Arrays
} jck_due;

// Whether it is a call that is a valid Request, of whatever method.
static inline bool jck_due_is_call(const jck_due *due)
{
    return due->form == JCK_FORM_CALL || due->form == JCK_FORM_NEAR ||
           due->form == JCK_FORM_KNOWN || due->form == JCK_FORM_OTHER;
}

// What the derivation knows about the target.
typedef struct jck_due_context {
    const jck_target *target;           // borrowed
    const jck_calibration *calibration; // borrowed
    jrpc_slice absent;                  // JSON spelling of the method that does not exist
    // A known method that the target also runs under prefixes of its name, borrowed; NULL: none.
    const jck_mapping *cut;
} jck_due_context;

// Derives what is due for a text (without framing); `document` is the caller's, initialized; the
// result points into it and into `text`. Never fails.
jck_due jck_due_for(const jck_due_context *context, jrpc_slice text, jrpc_json_document *document);
// The same for one value, such as an element of a batch.
jck_due jck_due_of(const jck_due_context *context, jrpc_json value);
// A number for the class of the message, for counting by class.
uint64_t jck_due_class(const jck_due *due);

#endif
