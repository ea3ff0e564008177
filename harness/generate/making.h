// Private to the generation of messages: a message being made, and what is put into it.
#ifndef JCK_GENERATE_MAKING_H
#define JCK_GENERATE_MAKING_H

#include "harness/generate/grammar.h"
#include "reference/base/buffer.h"
#include "reference/base/random.h"

typedef struct jck_making {
    const jck_grammar *grammar;
    jrpc_random *random;
    jrpc_buffer *out;
} jck_making;

// True once in so many times.
static inline bool jck_one_in(const jck_making *m, uint64_t bound)
{
    return jrpc_random_below(m->random, bound) == 0;
}

static inline void jck_put(const jck_making *m, const char *text)
{
    (void)jrpc_buffer_append_str(m->out, text);
}

static inline void jck_put_index(const jck_making *m, size_t index)
{
    (void)jrpc_buffer_append_number(m->out, (int64_t)index);
}

#endif
