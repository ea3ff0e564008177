// What calls.c and take.c share. Private to this room.
#ifndef JRPC_CALLS_PRIVATE_H
#define JRPC_CALLS_PRIVATE_H

#include "reference/calls/table.h"

struct jrpc_calls {
    const jrpc_allocator *allocator; // borrowed
    jrpc_calls_ear ear;
    jrpc_calls_hooks hooks;
    size_t most;
    int64_t default_deadline_us;
    jrpc_table table;
    jrpc_json_document received; // the text taken last
    jrpc_json_document params;   // of a Request about to be made
    jrpc_buffer own;             // the server's own messages from the text at hand
};

// Ends a call: takes it out of the table, then tells its caller. `answer` has everything but id and
// context; `message` is what ended it, NULL if nothing did. False if a hook kept it under way.
bool jrpc_calls_end(jrpc_calls *calls, uint64_t id, const jrpc_message *message,
                    jrpc_answer answer);
// Ends all that is left of a message, which may be gone by the end of it.
void jrpc_calls_end_message(jrpc_calls *calls, uint64_t first, const jrpc_message *message,
                            const jrpc_answer *answer);

#endif
