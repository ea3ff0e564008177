// Private to shrinking: one message made smaller.
#ifndef JCK_RUN_SHRINK_PAYLOAD_H
#define JCK_RUN_SHRINK_PAYLOAD_H

#include "harness/generate/minimize.h"
#include "harness/suite/case.h"
#include "reference/base/arena.h"

// Tries a payload, which is valid only during the call.
typedef jck_probe jck_try_payload(void *context, const jck_payload *payload);

// Makes the payload smaller as long as the tries still show the failure: JSON by its values, text
// by its bytes, repetitions by their number. The result lives in `arena`. False when memory is out.
bool jck_shrink_payload(jck_payload *payload, jrpc_arena *arena, jck_try_payload *try_payload,
                        void *context);
// How many bytes long the payload is as a case file spells it: variables count as their names.
size_t jck_payload_spelled(const jck_payload *payload);

#endif
