// AFL++'s custom mutator library (AFL_CUSTOM_MUTATOR_LIBRARY): one state for each fuzzer.
#include "fuzz/mutator/mutator.h"

#include <stdlib.h>
#include <string.h>

typedef struct afl_state {
    uint64_t seed;
    uint8_t *out; // owned
    size_t room;
} afl_state;

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf,
                       uint8_t *add_buf, size_t add_buf_size, size_t max_size);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    afl_state *state = calloc(1, sizeof *state);
    if (state != NULL) {
        state->seed = seed;
    }
    return state;
}

size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf,
                       uint8_t *add_buf, size_t add_buf_size, size_t max_size)
{
    afl_state *state = data;
    if (state->room < max_size) {
        uint8_t *larger = realloc(state->out, max_size);
        if (larger == NULL) {
            *out_buf = buf;
            return buf_size;
        }
        state->out = larger;
        state->room = max_size;
    }
    *out_buf = state->out;
    state->seed++;
    if (add_buf != NULL && state->seed % 8 == 0) {
        return mutator_cross(buf, buf_size, add_buf, add_buf_size, state->out, max_size,
                             state->seed);
    }
    size_t size = buf_size < max_size ? buf_size : max_size;
    memcpy(state->out, buf, size);
    return mutator_mutate(state->out, size, max_size, state->seed);
}

void afl_custom_deinit(void *data)
{
    afl_state *state = data;
    if (state != NULL) {
        free(state->out);
    }
    free(state);
}
