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
#ifndef JRPC_SERVER_METHODS_H
#define JRPC_SERVER_METHODS_H

#include "reference/server/connection.h"

// Registers all of them with the server's router. False with MEMORY.
bool jrpc_server_add_methods(jrpc_server *server, jrpc_error *error);

#endif
