// Where one JSON value ends in a stream of them, seen from strings, escapes and brackets alone.
// The kind of a bracket does not matter here; the JSON reader checks it.
#ifndef JRPC_WIRE_BOUNDS_H
#define JRPC_WIRE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum jrpc_bounds_state {
    JRPC_BOUNDS_BETWEEN, // between values
    JRPC_BOUNDS_BARE,    // in a number or literal
    JRPC_BOUNDS_OPEN,    // between brackets
    JRPC_BOUNDS_STRING,
    JRPC_BOUNDS_ESCAPE, // after the backslash of a string
    JRPC_BOUNDS_NOISE,  // in bytes that no value begins with
} jrpc_bounds_state;

typedef struct jrpc_bounds {
    jrpc_bounds_state state;
    size_t depth; // open brackets
} jrpc_bounds;

typedef enum jrpc_bound {
    JRPC_BOUND_SPACE,  // the byte is white space between values
    JRPC_BOUND_FIRST,  // the byte begins a value, or noise: see the state
    JRPC_BOUND_INSIDE, // the byte belongs to what was begun
    JRPC_BOUND_LAST,   // the byte is the last of its value
    JRPC_BOUND_BEHIND, // what was begun ended before this byte: give the byte again
} jrpc_bound;

// Takes one byte. Begins zeroed. Noise ends before the next opening bracket.
jrpc_bound jrpc_bounds_step(jrpc_bounds *bounds, char byte);

#endif
