#include "harness/schema/fit_private.h"
#include "reference/base/hash.h"

// A power of two.
#define SLOTS ((size_t)4096)

struct jck_answer {
    jrpc_json target, value, base;
    unsigned round;
    int depth; // where the answer was given
    jck_fit fit;
};

static struct jck_answer *slot_of(const jck_fitting *self, jrpc_json target, jrpc_json value)
{
    uint64_t hash = jrpc_hash_number(JRPC_HASH_START, target.index);
    hash = jrpc_hash_number(hash, value.index);
    hash = jrpc_hash_number(hash, self->base.index);
    return &self->answers.slots[hash % SLOTS];
}

bool jck_answers_find(const jck_fitting *self, jrpc_json target, jrpc_json value, jck_fit *ret_fit)
{
    if (self->answers.slots == NULL) {
        return false;
    }
    const struct jck_answer *slot = slot_of(self, target, value);
    if (!jck_is_same(slot->target, target) || !jck_is_same(slot->value, value) ||
        !jck_is_same(slot->base, self->base)) {
        return false;
    }
    if (slot->fit == JCK_FIT_UNSURE &&
        (slot->round != self->answers.round || slot->depth > self->depth)) {
        return false;
    }
    *ret_fit = slot->fit;
    return true;
}

void jck_answers_keep(jck_fitting *self, jrpc_json target, jrpc_json value, jck_fit fit)
{
    jck_answers *all = &self->answers;
    if (all->slots == NULL) {
        size_t size = SLOTS * sizeof *all->slots;
        all->slots = jrpc_allocate(jrpc_allocator_heap(), size);
        if (all->slots == NULL) {
            return;
        }
        memset(all->slots, 0, size);
    }
    all->sure += fit == JCK_FIT_UNSURE ? 0 : 1;
    *slot_of(self, target, value) =
        (struct jck_answer){target, value, self->base, all->round, self->depth, fit};
}

void jck_answers_done(jck_answers *answers)
{
    jrpc_deallocate(jrpc_allocator_heap(), answers->slots);
    answers->slots = NULL;
}
