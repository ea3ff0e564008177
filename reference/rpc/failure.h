// Errors as spelled in a Response. Private to this room.
#ifndef JRPC_RPC_FAILURE_H
#define JRPC_RPC_FAILURE_H

#include "reference/base/arena.h"
#include "reference/rpc/response.h"

#include <stdbool.h>
#include <stdint.h>

// Fills code and message of a Response for one of the codes of section 5.1, with the message
// printed there; any other code gets "Server error". False when memory is out.
bool jrpc_failure_fill(jrpc_response *response, jrpc_arena *arena, int code);
// Spells an integer into the arena. False when memory is out.
bool jrpc_failure_spell_code(jrpc_arena *arena, int64_t code, jrpc_slice *ret_spelling);

#endif
