// The fixture methods of the reference server: what the suite's cases call.
//
//   subtract(minuend, subtrahend)  the exact difference of two integers of 64 bits
//   sum(integers…)                 the exact sum of an Array of integers
//   get_data()                     ["hello", 5]
//   update(…), notify_hello(…), notify_sum(…)   nothing but an effect that `count` counts
//   count()                        effects since the process started
//   echo(…)                        its params as spelled, null if there are none
//   fail(…)                        fails without saying why: -32603
//   app_error(code, message?, data?)  fails as told
//   slow(ms)                       null after 0 to 60000 milliseconds
//   push(…)                        sends the notification push.note with these params first, then
//   null
//   optional(a, b?)                [a, b], null for a b that is not there
//   context(<context0>, <context1>)  both in an Array: its context parameters are unnamed (KX 2.3)
//   rpc.defined(…)                 null, with --as kotlinx-rpc alone: the name is a reserved one
//   denied(…)                      always refused, without effect: -32001
//   restricted(…)                  true and an effect; -32001 for a token (--token-key) without
//                                  the role admin
//   nonce(nonce, timestamp)        true; -32002 if seen before or over 300 s old
//   signed(message, signature?)    true and an effect; -32003 without the signature of README.md
//   sign(message)                  the signature that `signed` takes for this message
//   flow()                         the id of a new flow
//   failing_flow()                 the same; its values are 0, then errors -32004
//   kotlinx.rpc.jsonrpc.internal.nextFlowValue(id)   0, 1, 2, then -32001
//   kotlinx.rpc.jsonrpc.internal.cancelFlow(id)      null, and the flow has no more values
//   tokens(message)                the message; in a stream of events, before it a Response of the
//                                  event start and one for each character, after it [DONE]
//   stream(n)                      sends the notifications stream.item [0] to [n-1] first, then
//   null
//
// And the routes of RO-JRPC, for structured callers and those that give the method alone; without
// `target` or `parent` beside the method these are looked for in params:
//
//   user.get       {"id": target, "name": "Alice"}, to be kept for 60 seconds
//   user.create(…) {"id": "99"} with the members of params, and an effect
//   user.list      two users
//   user.update(name)  the name of that target from now on, and an effect
//   user.delete    denied to everybody: -32001
//   repo.issue.delete   denied to everybody: -32001
//   repo.get, repo.issue.get, project.task.list   what the README of RO-JRPC prints
//   attachment.create(filename, fail?)  accepted; then a job's yield and its return, which is an
//                                       error if `fail` is true
//   session.start  accepted; then the events of a session
#ifndef JRPC_SERVER_METHODS_H
#define JRPC_SERVER_METHODS_H

#include "reference/server/connection.h"

// Registers all of them with the server's router. False with MEMORY.
bool jrpc_server_add_methods(jrpc_server *server, jrpc_error *error);

#endif
