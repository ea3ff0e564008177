// Where parsers disagree about a text, and what each of them did that another did not. Pure: each
// is judged by the bundled reader, never by another parser.
#ifndef JCK_PARSER_CONTRAST_H
#define JCK_PARSER_CONTRAST_H

#include "harness/parser/weigh.h"

// The sides, as indexes: the target, then the parsers that it is compared with. Reports name each
// with a letter.
enum { JCK_TARGET, JCK_OTHER };
#define JCK_SIDES_MAX 26

// What one side did and not all others did.
typedef struct jck_trait {
    size_t side;
    jck_class class;
    uint64_t cause; // see jck_deviation_cause
} jck_trait;

typedef struct jck_traits {
    jck_trait items[JCK_SIDES_MAX * JCK_LOSSES_MAX];
    size_t count;
} jck_traits;

typedef struct jck_contrast {
    size_t sides;
    bool failed;               // out of memory: the rest is not valid
    bool differs;              // accepted and refused, or read as different values; or one failed
    bool apart[JCK_SIDES_MAX]; // this side and the target
    // If they differ:
    jck_weight weights[JCK_SIDES_MAX];
    jck_traits traits;
} jck_contrast;

// `replies`: one for each of `sides` sides.
void jck_contrast_find(jck_scale *scale, jrpc_slice text, const jck_reply *replies, size_t sides,
                       jck_contrast *ret_contrast);
// Whether a disagreement is the same as the one with the traits `whole`, or part of it: it has no
// trait that the other lacks.
bool jck_contrast_is_within(const jck_contrast *part, const jck_traits *whole);
// A hash of the traits: the same traits give the same number.
uint64_t jck_traits_key(const jck_traits *traits);
// The deviation of a trait; NULL if the contrast does not have it.
const jck_loss *jck_contrast_deviation(const jck_contrast *contrast, const jck_trait *trait);

#endif
