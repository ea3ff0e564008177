// Where two parsers disagree about a text, and what each of them did that the other did not. Pure:
// each is judged by the bundled reader, never by the other parser.
#ifndef JCK_PARSER_CONTRAST_H
#define JCK_PARSER_CONTRAST_H

#include "harness/parser/weigh.h"

// The two sides, as indexes.
enum { JCK_TARGET, JCK_OTHER, JCK_SIDES };

// What one side did and the other did not.
typedef struct jck_trait {
    int side;
    jck_class class;
    uint64_t cause; // see jck_deviation_cause
} jck_trait;

typedef struct jck_contrast {
    bool failed;  // out of memory: the rest is not valid
    bool differs; // accepted and refused, or read as different values; or one failed
    // If they differ:
    jck_weight weights[JCK_SIDES];
    jck_trait traits[JCK_SIDES * JCK_LOSSES_MAX];
    size_t trait_count;
} jck_contrast;

void jck_contrast_find(jck_scale *scale, jrpc_slice text, const jck_reply replies[JCK_SIDES],
                       jck_contrast *ret_contrast);
// Whether a disagreement is the same as another, or part of it: it has no trait that the other
// lacks.
bool jck_contrast_is_within(const jck_contrast *part, const jck_contrast *whole);
// A hash of the traits: the same traits give the same number.
uint64_t jck_contrast_key(const jck_contrast *contrast);
// The deviation of a trait; NULL if the contrast does not have it.
const jck_loss *jck_contrast_deviation(const jck_contrast *contrast, const jck_trait *trait);

#endif
