// Messages of JSON-RPC: valid ones, those with one mistake, batches of any mixture, and texts that
// are not messages. The same state of `random` gives the same message.
#ifndef JCK_GENERATE_GRAMMAR_H
#define JCK_GENERATE_GRAMMAR_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/base/slice.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stddef.h>

// Which params a method takes, for messages that are to fit it.
typedef enum jck_taste {
    JCK_TASTE_ANYTHING,   // any params, or none
    JCK_TASTE_NONE,       // none
    JCK_TASTE_DIFFERENCE, // two Numbers, or minuend and subtrahend
    JCK_TASTE_NUMBERS,    // any count of Numbers
    JCK_TASTE_MEMBERS,    // members with the names of `names`
    JCK_TASTE_ERROR,      // the code, message and data of the error that it gives
    JCK_TASTE_DESCRIBED,  // as `params` describes
} jck_taste;

typedef struct jck_method {
    jrpc_slice name; // JSON spelling, with quotes
    jck_taste taste;
    bool by_position, by_name;
    const jrpc_slice *names; // MEMBERS: JSON spellings
    size_t name_count;
    jrpc_json params; // DESCRIBED: an Array of content descriptors (OpenRPC)
    jrpc_json root;   // … and the document in which references of their schemas are resolved
} jck_method;

// What messages are made of; all borrowed.
typedef struct jck_grammar {
    const jck_method *methods;
    size_t method_count;
    jrpc_slice absent; // JSON spelling of the name of a method that does not exist
    bool batches;      // also make batches
    bool texts;        // also make texts that are not valid JSON
    bool params;       // nearly all calls have params
    bool clear;        // only kinds of messages of which most have one certain answer
    size_t batch_most; // elements
    size_t text_most;  // bytes of one String, elements of one Array
} jck_grammar;

// Appends a message to `out`. False if there was no room.
bool jck_grammar_message(const jck_grammar *grammar, jrpc_random *random, jrpc_buffer *out);
// A valid call, of an existing method or of the absent one, that every server can answer.
bool jck_grammar_call(const jck_grammar *grammar, jrpc_random *random, jrpc_buffer *out);
// A call under another name (without quotes), with params that fit the method and a Number as its
// id.
bool jck_grammar_renamed(const jck_grammar *grammar, const jck_method *method, jrpc_slice name,
                         size_t id, jrpc_random *random, jrpc_buffer *out);

#endif
