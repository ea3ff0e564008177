// What in a JSON text the specification leaves to the parser, so that a refusal because of it
// breaks no rule. Pure.
#ifndef JCK_PARSER_LEEWAY_H
#define JCK_PARSER_LEEWAY_H

#include "harness/parser/class.h"
#include "reference/json/value.h"

// The class that a refusal of the text belongs to: because of its depth, a number that binary64
// cannot hold, a lone surrogate, two members with the same name, or U+0000 in a string, in that
// order; REFUSES_JSON if the text has none of these.
jck_class jck_leeway_of(jrpc_json root);

#endif
