// Fences: calls whose answer proves that everything before them has been dealt with.
// A fence is a call whose id is used nowhere else and cannot be guessed: its answer proves
// something only because the target must have read the fence in order to write it. Answers are
// recognized by that id, compared as a value. For a target that changes String ids, Number ids are
// used. For one that answers without the id, or with a wrong id of either type (defects that are
// reported), answers are recognized by the form of the first one. For a target that ignores unknown
// methods, or calls without params, another style of fence is found when a connection is opened.
#ifndef JCK_LINK_FENCE_H
#define JCK_LINK_FENCE_H

#include "harness/evidence/evidence.h"
#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stdint.h>

#define JCK_FENCES_KEPT 128 // per connection; an answer to an older one counts as invented

// How fences are written, and their answers recognized.
typedef struct jck_fence_style {
    char method[128]; // JSON spelling of the method called
    char params[64];  // JSON spelling; empty: none
    bool with_params; // the target leaves calls without params unanswered
    bool number;      // ids are Numbers, because the target changes String ids
    bool by_form;     // answers lack our id: recognized by `form`
    char form[512];   // the first answer's spelling, without its id
    size_t form_len;
} jck_fence_style;

// The fences sent on one connection. Zeroed: none.
typedef struct jck_fences {
    uint32_t count; // sent so far; the last one is outstanding until it is answered
    struct {
        uint64_t token;   // in its id
        uint32_t answers; // that came
    } sent[JCK_FENCES_KEPT];
} jck_fences;

#define JCK_FENCE_NUMBERS_KEPT 256

// The Numbers that were ids of fences on any connection. A Number itself does not show that it was.
typedef struct jck_fence_numbers {
    int32_t kept[JCK_FENCE_NUMBERS_KEPT];
    size_t count; // so far; the oldest ones are forgotten
} jck_fence_numbers;

// Remembers the Number of the fence that was written last.
void jck_fence_numbers_add(jck_fence_numbers *numbers, const jck_fences *fences);
// Whether a received value is a Response with one of them.
bool jck_fence_numbers_have(const jck_fence_numbers *numbers, jrpc_json value);

// Appends another fence to `out` and remembers it. False without room.
bool jck_fence_write(jck_fences *fences, const jck_fence_style *style, uint32_t nonce,
                     jrpc_random *random, jrpc_buffer *out);
// Recognizes a received value and counts it. *ret_number is the fence that it answers (from 1).
jck_fence_role jck_fence_recognize(jck_fences *fences, const jck_fence_style *style, uint32_t nonce,
                                   jrpc_json value, uint32_t *ret_number);
// Whether the fence sent last has been answered; true if none was sent.
bool jck_fences_are_answered(const jck_fences *fences);
// Stops waiting for an answer to the last fence.
void jck_fences_settle(jck_fences *fences);
// Learns the form of a first answer that came without its fence's id, and counts it.
void jck_fence_learn(jck_fences *fences, jck_fence_style *style, jrpc_json value);

#endif
