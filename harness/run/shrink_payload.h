// Private to shrinking: one message made smaller.
#ifndef JCK_RUN_SHRINK_PAYLOAD_H
#define JCK_RUN_SHRINK_PAYLOAD_H

#include "harness/generate/minimize.h"
#include "harness/suite/case.h"
#include "reference/base/arena.h"

// Tries a payload; what it points to may be gone afterwards.
typedef jck_probe jck_try_payload(void *context, const jck_payload *payload);

// Makes the payload smaller while the tries show what is looked for: JSON by its values, text by
// its bytes, repetitions by their number. What is left lives in `arena`. False when memory is out.
bool jck_shrink_payload(jck_payload *payload, jrpc_arena *arena, jck_try_payload *try_payload,
                        void *context);
// How many bytes the payload is, as a case file spells it: variables count by their names.
size_t jck_payload_spelled(const jck_payload *payload);

#endif
