// Fences: calls whose answer proves that everything before them has been dealt with.
//
// A fence is a call with an id used nowhere else. Its answer is told by that id; on a target that
// answers it without the id (a defect that a case of its own reports) by the form its first answer
// had. A target that ignores unknown methods, or calls without params, is fenced in another style,
// found out when a connection is greeted.
#ifndef JCK_LINK_FENCE_H
#define JCK_LINK_FENCE_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jck_fence_style {
    char method[128]; // JSON spelling of the method called
    bool with_params; // carries an empty Array of params
    bool by_form;     // answers lack our id: told by `form`
    char form[512];   // the first answer's spelling
    size_t form_len;
} jck_fence_style;

// Appends fence number `serial` (from 1) to `out`.
bool jck_fence_write(const jck_fence_style *style, uint32_t nonce, uint32_t serial,
                     jrpc_buffer *out);
// The number of the fence that a received value answers, told by its id; 0 if it answers none.
uint32_t jck_fence_answered(uint32_t nonce, jrpc_json value);
// Whether a received value has the form that answers to fences have on this target.
bool jck_fence_has_form(const jck_fence_style *style, jrpc_json value);
// Whether a received value is one of our fences, sent back.
bool jck_fence_echoed(uint32_t nonce, jrpc_json value);
// Learns from the first answer to a fence that came without its id.
void jck_fence_learn(jck_fence_style *style, jrpc_json value);

#endif
