// Shared by the files about needs: reasons why a target lacks one, and capabilities. Private to the
// suite room.
#ifndef JCK_SUITE_NEEDS_PRIVATE_H
#define JCK_SUITE_NEEDS_PRIVATE_H

#include "harness/suite/target.h"

// The target that a need is checked against, and the memory for the text of a reason.
typedef struct jck_asking {
    const jck_target *target;
    jrpc_arena *arena;
} jck_asking;

// `text`, or a sentence without particulars if it is NULL (no memory for it).
const char *jck_worded(const char *text);
// Always false: the target lacks it, and *ret_reason is made of `code` and `text` (may be NULL).
bool jck_lacks(jck_reason *ret_reason, jck_reason_code code, const char *text);
// The same with a text in three pieces.
bool jck_lacks_word(const jck_asking *of, jck_reason *ret_reason, jck_reason_code code,
                    const char *before, jrpc_slice word, const char *after);

// Whether a need is a capability, alone or with a shape: "subtract", "subtract/by-name".
// *ret_capability is the need without its shape, in either case.
bool jck_is_capability_need(jrpc_slice need, jrpc_slice *ret_capability);
// Whether the target has the capability of such a need in its shape; if not, *ret_reason says why.
bool jck_offers_capability(const jck_asking *of, jrpc_slice need, jck_reason *ret_reason);

#endif
