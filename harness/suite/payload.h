// Walking through what a payload spells: literal bytes and variables. Private to the suite room.
#ifndef JCK_SUITE_PAYLOAD_H
#define JCK_SUITE_PAYLOAD_H

#include "harness/suite/case.h"

// What is called for the parts of a payload, in order. Slices are borrowed from the payload.
typedef struct jck_payload_visitor {
    // Bytes that go out as they are. NULL: not wanted. False stops the walk.
    bool (*literal)(void *context, jrpc_slice bytes);
    // A variable. `quoted`: the whole String token is replaced, so its spelling goes out with
    // quotes.
    bool (*variable)(void *context, jrpc_slice name, bool quoted);
    // "${" that is neither a whole token nor "$${": in `text` it stands at byte `at`. NULL: the
    // bytes go out as they are.
    bool (*misplaced)(void *context, jrpc_slice text, size_t at);
    void *context;
} jck_payload_visitor;

// Walks through a payload once, also through what send-repeat repeats. False if a function of the
// visitor said so.
bool jck_payload_visit(const jck_payload *payload, const jck_payload_visitor *visitor);
// The same for one JSON text, or a part of one between tokens.
bool jck_payload_visit_json(jrpc_slice spelling, const jck_payload_visitor *visitor);

// How many digits each number of `times` units has where there are `digit_count` digits (2 or
// more): all have the same.
size_t jck_payload_digits(size_t times, size_t digit_count);

// What payloads are expanded with: the visitor's context while bytes go out. All borrowed.
typedef struct jck_expansion {
    jck_resolve resolve;
    void *context; // of `resolve`
    jrpc_buffer *out;
    jrpc_error *error;
    bool tokens; // as in jck_payload
} jck_expansion;

// The visitor that appends what it is shown to the expansion's buffer; variables are resolved.
jck_payload_visitor jck_expansion_visitor(jck_expansion *expansion);
// The name in "${name}" if that is all of `text`.
bool jck_variable_name(jrpc_slice text, jrpc_slice *ret_name);

#endif
