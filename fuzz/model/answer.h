// JSON-RPC 2.0 as a table and a loop: the second opinion on what a message is and what is owed.
#ifndef JRPC_FUZZ_MODEL_ANSWER_H
#define JRPC_FUZZ_MODEL_ANSWER_H

#include "fuzz/model/tree.h"
#include "reference/rpc/message.h"

// What one message is, by the first row of a table over the kinds of its members.
typedef struct answer_class {
    jrpc_message_kind kind;
    jrpc_invalid_reason reason;
    bool owed;      // a Response
    const tree *id; // the id it must carry; NULL means null
} answer_class;

answer_class answer_classify(const tree *message);

// The methods that the router's target registers, and that this model answers for:
//   subtract(minuend, subtrahend)      [minuend, subtrahend]
//   app_error(code, message?, data?)   error -31000 with data
//   echo(…)                            its params as spelled, null without
//   fail(…)                            -32603
//   get_data()                         ["hello",5]
//   update(…)                          null
#define ANSWER_APP_CODE "-31000"
#define ANSWER_APP_MESSAGE "no \"such\"\tthing"

// Appends the text that a correct router answers to `text`, nothing where nothing is owed.
// *ret_calls is how many handlers are called. `client`: as jrpc_role. False where the model has no
// opinion (nested too deep for a tree).
bool answer_expected(tree_pool *pool, jrpc_slice text, uint32_t max_depth, bool client,
                     jrpc_buffer *out, size_t *ret_calls);

// The same with other methods: `call` appends the Response to a valid call, notification or result
// message (thrown away where none is owed) and counts the handlers that it takes to be called.
typedef void answer_call(const tree *message, const answer_class *class, jrpc_buffer *out,
                         size_t *calls);
bool answer_expected_by(tree_pool *pool, jrpc_slice text, uint32_t max_depth, bool client,
                        answer_call *call, jrpc_buffer *out, size_t *ret_calls);
// Appends an error Response; `code_and_message` is the inside of the error Object from the code on.
void answer_put_error(jrpc_buffer *out, const char *code_and_message, const tree *id);

#endif
