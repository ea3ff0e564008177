#include "harness/run/shrink_payload.h"

#include "harness/generate/reduce.h"
#include "harness/suite/parse.h"
#include "reference/json/write.h"

// Memory of one try, and the most tries for one message: the caller has limits of its own.
#define TRY_BYTES ((size_t)256 << 20)
#define PROBES_MAX 100000

typedef struct reducing {
    jck_payload_kind kind;
    jrpc_arena scratch; // of one try
    jck_try_payload *try_payload;
    void *context;
} reducing;

size_t jck_payload_spelled(const jck_payload *payload)
{
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        return jrpc_json_spelling(payload->json).len;
    case JCK_PAYLOAD_TEXT:
    case JCK_PAYLOAD_BYTES:
        return payload->text.len;
    case JCK_PAYLOAD_REPEAT:
        return payload->prefix.len + payload->middle.len + payload->suffix.len +
               (payload->unit.len + payload->close.len) * payload->times;
    }
    return 0;
}

static bool payload_of(jck_payload_kind kind, jrpc_arena *arena, jrpc_slice text, jck_payload *ret)
{
    *ret = (jck_payload){.kind = kind, .json = JRPC_JSON_ABSENT};
    return jrpc_arena_copy(arena, text, &ret->text) &&
           (kind != JCK_PAYLOAD_JSON || jck_parse(arena, ret->text, &ret->json, NULL));
}

static jck_probe try_text(void *context, jrpc_slice text)
{
    reducing *r = context;
    jck_payload payload;
    jrpc_arena_clear(&r->scratch);
    return payload_of(r->kind, &r->scratch, text, &payload) ? r->try_payload(r->context, &payload)
                                                            : JCK_PROBE_LACKS;
}

// Fewer repetitions: halves first, then one less at a time.
static void shrink_times(jck_payload *payload, jck_try_payload *try_payload, void *context)
{
    for (size_t less = payload->times / 2; less > 0;) {
        jck_payload fewer = *payload;
        fewer.times -= less;
        switch (try_payload(context, &fewer)) {
        case JCK_PROBE_SHOWS:
            payload->times = fewer.times;
            less = less < payload->times ? less : payload->times / 2;
            break;
        case JCK_PROBE_LACKS:
            less /= 2;
            break;
        case JCK_PROBE_STOPS:
            return;
        }
    }
}

bool jck_shrink_payload(jck_payload *payload, jrpc_arena *arena, jck_try_payload *try_payload,
                        void *context)
{
    reducing r = {.kind = payload->kind, .try_payload = try_payload, .context = context};
    if (payload->kind == JCK_PAYLOAD_REPEAT) {
        shrink_times(payload, try_payload, context);
        return true;
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), jck_payload_spelled(payload) + 16);
    jrpc_arena_init(&r.scratch, jrpc_allocator_heap(), TRY_BYTES);
    bool json = payload->kind == JCK_PAYLOAD_JSON;
    bool done =
        json ? jrpc_json_compact(&text, payload->json) : jrpc_buffer_append(&text, payload->text);
    if (done && json) {
        (void)jck_reduce_values(&text, PROBES_MAX, try_text, &r);
    } else if (done) {
        (void)jck_reduce(&text, PROBES_MAX, try_text, &r);
    }
    done = done && payload_of(r.kind, arena, jrpc_buffer_slice(&text), payload);
    jrpc_arena_done(&r.scratch);
    jrpc_buffer_done(&text);
    return done;
}
