// What a parser's answer has lost of the text that it was given. Pure.
// Not losses: different white space, escapes, order of members, or spelling of an equal number.
// Each class is reported once, at the first place where it appears.
#ifndef JCK_PARSER_LOSS_H
#define JCK_PARSER_LOSS_H

#include "harness/parser/class.h"
#include "reference/json/value.h"

#define JCK_LOSSES_MAX 8

typedef struct jck_loss {
    jck_class class;
    jrpc_slice sent; // as spelled; for a lost member, its name
    jrpc_slice back; // empty if there is nothing
} jck_loss;

typedef struct jck_losses {
    jck_loss items[JCK_LOSSES_MAX];
    size_t count;
    bool failed; // out of memory: the rest is not valid
} jck_losses;

// Compares two values of any depth and size: no recursion, n log n.
void jck_losses_find(jrpc_json sent, jrpc_json back, jck_losses *ret_losses);

// The class of the difference between two numbers (valid spellings); NONE if they are equal.
jck_class jck_loss_of_number(jrpc_slice sent, jrpc_slice back);
// The class of the difference between the contents of two strings (generalized UTF-8).
jck_class jck_loss_of_string(jrpc_slice sent, jrpc_slice back);

#endif
