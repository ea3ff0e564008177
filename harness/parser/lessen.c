#include "harness/parser/lessen.h"

typedef struct lessening {
    jck_try_text *try_text;
    void *context;
    bool stopped;
} lessening;

static jck_probe try_and_note(void *context, jrpc_slice text)
{
    lessening *self = context;
    jck_probe probe = self->try_text(self->context, text);
    self->stopped = self->stopped || probe == JCK_PROBE_STOPS;
    return probe;
}

bool jck_lessen(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context)
{
    lessening self = {.try_text = try_text, .context = context};
    (void)jck_reduce(text, probes_max, try_and_note, &self);
    return !self.stopped;
}
