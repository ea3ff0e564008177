// The kinds of findings that a search over many texts has seen, each with its smallest text. Pure.
#ifndef JCK_PARSER_FINDING_KINDS_H
#define JCK_PARSER_FINDING_KINDS_H

#include "harness/parser/weigh.h"
#include "reference/base/buffer.h"

#define JCK_PARSER_KINDS_MAX 256
// One kind within a class, distinguished by why the text is not JSON or what the parser said about
// it.
#define JCK_PARSER_KINDS_OF_CLASS 6

typedef struct jck_parser_kind {
    jck_class class;
    uint64_t cause; // what distinguishes it within its class
    jrpc_buffer text;
    bool reported;
} jck_parser_kind;

typedef struct jck_parser_kinds {
    jck_parser_kind items[JCK_PARSER_KINDS_MAX];
    size_t count;
} jck_parser_kinds;

void jck_parser_kinds_init(jck_parser_kinds *kinds);
void jck_parser_kinds_done(jck_parser_kinds *kinds);
// What distinguishes a deviation within its class: why the text is not JSON, or what a refusal
// says, without positions and quotations.
uint64_t jck_deviation_cause(const jck_weight *weight, const jck_loss *deviation,
                             const jck_reply *reply);
// Records a deviation; a smaller text replaces the one kept so far. NULL if there is no room for
// another kind, or if out of memory.
jck_parser_kind *jck_parser_kinds_add(jck_parser_kinds *kinds, const jck_weight *weight,
                                      const jck_loss *deviation, const jck_reply *reply,
                                      jrpc_slice text);
// Whether the reply shows that kind.
bool jck_parser_kind_is_shown(const jck_parser_kind *kind, const jck_weight *weight,
                              const jck_reply *reply);

#endif
