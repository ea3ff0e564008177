// What one reply shows about one text: the oracle for all tests of parsers. Pure.
//
// The bundled reader decides whether the text is JSON and what it says; the reader itself is
// checked against an automaton and a tree in fuzz/model.
#ifndef JCK_PARSER_WEIGH_H
#define JCK_PARSER_WEIGH_H

#include "harness/parser/loss.h"
#include "harness/parser/reply.h"
#include "reference/base/error.h"

typedef struct jck_weight {
    bool is_json;   // the text conforms to the grammar of RFC 8259
    jrpc_error why; // … or why not, and where
    // What the parser did that it must not do or need not do, if anything. The spellings are
    // borrowed from the text and the reply.
    jck_losses deviations;
    jrpc_error unwritten; // WRITES_NO_JSON: what is wrong with its answer, and where
} jck_weight;

// Documents, kept so that their memory is reused.
typedef struct jck_scale {
    jrpc_json_document sent, back;
} jck_scale;

void jck_scale_init(jck_scale *scale);
void jck_scale_done(jck_scale *scale);
void jck_weigh(jck_scale *scale, jrpc_slice text, const jck_reply *reply, jck_weight *ret_weight);
// Whether `class` is among the deviations.
bool jck_weight_has(const jck_weight *weight, jck_class class);

#endif
