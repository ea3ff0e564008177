// Asynchronous results of one call, or the events of one stream (RO-JRPC 1.0, section 19): messages
// that a handler sends on its own, while and after its call is answered.
//
// The call itself still gets exactly one Response. A handler begins a jrpc_results, keeps it as
// long as it likes and sends through it from any one thread at a time; the order of the messages
// and their end are kept here: nothing goes out after a return.
#ifndef JRPC_RPC_RESULTS_H
#define JRPC_RPC_RESULTS_H

#include "reference/base/arena.h"
#include "reference/rpc/build.h"

// The way back to whoever called. `send` takes one whole message and returns false once the other
// side takes nothing any more; the transport answers for its thread-safety and for outliving every
// jrpc_results that has it.
typedef struct jrpc_sink {
    bool (*send)(void *context, jrpc_slice message);
    void *context;
} jrpc_sink;

typedef struct jrpc_results {
    jrpc_sink sink;
    jrpc_arena arena;        // owned: copies of the next
    jrpc_result_parts scope; // what every message says
    bool ended;
} jrpc_results;

// Initializes caller's storage: results of the resource, subresource, target, parent and request_id
// of `scope`, which are copied (its other parts are ignored; request_id is the spelling of the id
// of the call, or empty for a stream). `allocator` is borrowed until done. False with MEMORY.
bool jrpc_results_begin(jrpc_results *results, const jrpc_allocator *allocator, jrpc_sink sink,
                        const jrpc_result_parts *scope, jrpc_error *error);
// Sends an intermediate result, accepted or pending: `members` is the spelling of an Object without
// `status`, or empty. False with INVALID (it has ended; another status; see jrpc_build_result),
// LIMIT (memory) or CLOSED (the sink takes nothing).
bool jrpc_results_yield(jrpc_results *results, jrpc_status status, jrpc_slice members,
                        jrpc_error *error);
// The same with a final result, done or error. It has ended then, unless the message could not
// be built.
bool jrpc_results_return(jrpc_results *results, jrpc_status status, jrpc_slice members,
                         jrpc_error *error);
// Frees the copies; sends nothing. Accepts a zeroed one.
void jrpc_results_done(jrpc_results *results);

#endif
