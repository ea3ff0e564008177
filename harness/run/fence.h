// Fences: calls whose answer proves that everything before them has been dealt with.
//
// A fence is a call with an id used nowhere else. Its answer is told by that id; on a target that
// answers it without the id (a defect that a case of its own reports) by the form its first answer
// had. A target that ignores unknown methods is fenced with a method that it is known to have.
#ifndef JCK_RUN_FENCE_H
#define JCK_RUN_FENCE_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jck_fence_style {
    char method[128];     // JSON spelling of the method called
    bool by_form;         // answers lack our id: told by `form`
    char form[512];       // the first answer's spelling
    size_t form_len;
} jck_fence_style;

// Appends fence number `serial` to `out`.
bool jck_fence_write(const jck_fence_style *style, uint32_t nonce, uint32_t serial, jrpc_buffer *out);
// Whether a received value answers fence number `serial`.
bool jck_fence_answered(const jck_fence_style *style, uint32_t nonce, uint32_t serial,
                        jrpc_json value);
// Whether a received value is the fence itself, sent back.
bool jck_fence_echoed(const jck_fence_style *style, uint32_t nonce, uint32_t serial, jrpc_json value);
// Learns from the first answer to a fence that came without its id.
void jck_fence_learn(jck_fence_style *style, jrpc_json value);

#endif
