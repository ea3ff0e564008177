// Walks through the parts of a payload: literal bytes and variables. Private to the suite room.
#ifndef JCK_SUITE_PAYLOAD_H
#define JCK_SUITE_PAYLOAD_H

#include "harness/suite/case.h"

// Callbacks for the parts of a payload, called in order. Slices are borrowed from the payload.
typedef struct jck_payload_visitor {
    // Bytes that are sent unchanged. NULL: ignored. False stops the walk.
    bool (*literal)(void *context, jrpc_slice bytes);
    // A variable. `quoted`: it replaces a whole String token, so its spelling is sent with quotes.
    bool (*variable)(void *context, jrpc_slice name, bool quoted);
    // "${" that is neither a whole token nor "$${", at byte `at` of `text`. NULL: the bytes are
    // sent unchanged.
    bool (*misplaced)(void *context, jrpc_slice text, size_t at);
    void *context;
} jck_payload_visitor;

// Walks through a payload once, including what send-repeat repeats. False if a callback returned
// false.
bool jck_payload_visit(const jck_payload *payload, const jck_payload_visitor *visitor);
// The same for one JSON text, or a part of one between tokens.
bool jck_payload_visit_json(jrpc_slice spelling, const jck_payload_visitor *visitor);

// How many digits (the same for all) the number of each unit has, for `times` units and
// `digit_count` different digits (2 or more).
size_t jck_payload_digits(size_t times, size_t digit_count);

// The visitor's context when a payload is expanded. All borrowed.
typedef struct jck_expansion {
    jck_resolve resolve;
    void *context; // of `resolve`
    jrpc_buffer *out;
    jrpc_error *error;
    bool tokens; // as in jck_payload
} jck_expansion;

// A visitor that appends the parts to the expansion's buffer, with variables resolved.
jck_payload_visitor jck_expansion_visitor(jck_expansion *expansion);
// The name in "${name}" if that is all of `text`.
bool jck_variable_name(jrpc_slice text, jrpc_slice *ret_name);

#endif
