// Where two parsers disagree about a text, and what each of them did that the other did not. Pure:
// each is judged by the bundled reader, never by the other one.
#ifndef JCK_PARSER_CONTRAST_H
#define JCK_PARSER_CONTRAST_H

#include "harness/parser/weigh.h"

// The two sides, as indexes.
enum { JCK_TARGET, JCK_OTHER, JCK_SIDES };

// What one side did, without what the other did as well.
typedef struct jck_trait {
    int side;
    jck_class class;
    uint64_t cause; // see jck_deed_cause
} jck_trait;

typedef struct jck_contrast {
    bool failed;  // memory is out: nothing of it means anything
    bool differs; // accepted and refused, or read as different values; or one failed
    // Where they differ.
    jck_weight weights[JCK_SIDES];
    jck_trait traits[JCK_SIDES * JCK_LOSSES_MAX];
    size_t trait_count;
} jck_contrast;

void jck_contrast_find(jck_scale *scale, jrpc_slice text, const jck_reply replies[JCK_SIDES],
                       jck_contrast *ret_contrast);
// Whether a disagreement is another one's, or a part of it: none of its traits is new.
bool jck_contrast_is_within(const jck_contrast *part, const jck_contrast *whole);
// The same for the same traits.
uint64_t jck_contrast_key(const jck_contrast *contrast);
// The deed of a trait; NULL where the trait is not of that contrast.
const jck_loss *jck_contrast_deed(const jck_contrast *contrast, const jck_trait *trait);

#endif
