// A JSON text that lives as long as an arena. Private to the harness.
#ifndef JCK_SUITE_PARSE_H
#define JCK_SUITE_PARSE_H

#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/json/value.h"

// Reads a JSON text; the value lives in the arena and borrows `text`. Fails as jrpc_json_read does.
bool jck_parse(jrpc_arena *arena, jrpc_slice text, jrpc_json *ret_value, jrpc_error *error);

#endif
