#include "harness/cli/sample.h"

#include <stdio.h>

#define SAMPLE_BYTES ((size_t)64 << 20)

// Gives a target every capability and every credential.
static bool map_all(jck_target *target, jrpc_error *error)
{
    for (int i = 0; i < JCK_CREDENTIAL_COUNT; i++) {
        target->credentials[i] = "Authorization: Bearer sample";
    }
    for (const char *const *name = jck_capabilities(); *name != NULL; name++) {
        char mapping[160];
        (void)snprintf(mapping, sizeof mapping, "%s=%s", *name, *name);
        if (!jck_target_add_mapping(target, mapping, error)) {
            return false;
        }
    }
    return true;
}

bool jck_sample_init(jck_sample *sample, const jck_target *target, uint32_t nonce,
                     jrpc_error *error)
{
    char name[] = "sample";
    char *const words[] = {name, NULL};
    *sample = (jck_sample){.target = target, .variables = {.nonce = nonce}};
    jrpc_arena_init(&sample->arena, jrpc_allocator_heap(), SAMPLE_BYTES);
    if (target != NULL) {
        return true;
    }
    sample->target = &sample->stand_in;
    return jck_target_from_command(&sample->stand_in, words, error) &&
           map_all(&sample->stand_in, error);
}

void jck_sample_done(jck_sample *sample)
{
    jck_target_done(&sample->stand_in);
    jrpc_arena_done(&sample->arena);
}

static bool capture(jck_sample *sample, jrpc_slice name, jrpc_error *error)
{
    return jck_variables_capture(&sample->variables, name, JRPC_SLICE("\"captured\"")) ||
           jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a sample");
}

// The names that the prelude gives to a case.
static bool capture_declared(jck_sample *sample, jrpc_error *error)
{
    static const jrpc_slice declares = JRPC_SLICE_INIT("declares:");
    for (size_t i = 0; sample->of != NULL && i < sample->of->need_count; i++) {
        jrpc_slice need = sample->of->needs[i];
        if (jrpc_slice_starts_with(need, declares) &&
            !capture(sample, jrpc_slice_from(need, declares.len), error)) {
            return false;
        }
    }
    return true;
}

bool jck_sample_turn(jck_sample *sample, const jck_step *steps, size_t step_count,
                     jrpc_error *error)
{
    jrpc_arena_clear(&sample->arena);
    jck_variables_init(&sample->variables, &sample->arena, sample->target, sample->variables.nonce,
                       1);
    for (size_t i = 0; i < step_count; i++) {
        for (size_t k = 0; k < steps[i].capture_count; k++) {
            if (!capture(sample, steps[i].captures[k].name, error)) {
                return false;
            }
        }
    }
    return capture_declared(sample, error);
}

bool jck_sample_bytes(jck_sample *sample, const jck_step *step, size_t index, jrpc_buffer *out,
                      jrpc_error *error)
{
    jck_variables_set_step(&sample->variables, (int)index);
    return jck_variables_expand(&sample->variables, &step->payload, out, error);
}
