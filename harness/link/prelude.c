#include "harness/link/prelude.h"

#include "harness/evidence/evidence.h"
#include "harness/link/capture.h"
#include "harness/link/hear.h"
#include "harness/link/open.h"
#include "reference/base/limits.h"

// Whether a step that expects a result got an error.
static bool is_refusal(const jck_step *step, jrpc_json answer)
{
    return step->expect.kind == JCK_EXPECT_RESPONSE &&
           jrpc_json_exists(jrpc_json_get(step->expect.pattern, "result")) &&
           jrpc_json_is(jrpc_json_get(answer, "error"), JRPC_JSON_OBJECT) &&
           !jrpc_json_exists(jrpc_json_get(answer, "result"));
}

static void report_refusal(int index, jrpc_slice answer, jrpc_error *error)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    jrpc_error_set(error, JRPC_ERROR_INVALID,
                   "step %d of the prelude was refused: %s; is the profile, or the prelude, the "
                   "one for this target?",
                   index + 1, jck_excerpt(&arena, answer, 400));
    jrpc_arena_done(&arena);
}

static void report_silence(const jck_link *link, int index, jrpc_error *error)
{
    if (link->opening.http_status == 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_TIMEOUT, "step %d of the prelude was not answered",
                             index + 1);
        return;
    }
    char words[JCK_EXPLANATION_BYTES];
    (void)jrpc_error_set(
        error, JRPC_ERROR_INVALID, "step %d of the prelude was answered with HTTP status %d and %s",
        index + 1, link->opening.http_status, jck_explain_http(link, words, sizeof words));
}

jck_link_status jck_prelude_step(jck_link *link, char connection, const jck_step *step, int index,
                                 int64_t deadline_us, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    jrpc_buffer payload;
    jrpc_buffer_init(&payload, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
    jck_variables_set_step(&link->captured, index);
    jrpc_peer_event event = JRPC_PEER_FAULT;
    if (jck_variables_expand(&link->captured, &step->payload, &payload, error)) {
        event = jrpc_peer_send_as(open->peer, jrpc_buffer_slice(&payload), &step->manner,
                                  deadline_us, error);
    }
    jrpc_buffer_done(&payload);
    if (event != JRPC_PEER_MESSAGE) {
        jrpc_error_set(error, JRPC_ERROR_CLOSED, "step %d of the prelude could not be sent",
                       index + 1);
        return event == JRPC_PEER_INTERRUPTED ? JCK_LINK_INTERRUPTED : JCK_LINK_UNOPENED;
    }
    bool answered =
        step->expect.kind == JCK_EXPECT_UNSTATED || step->expect.kind == JCK_EXPECT_NOTHING;
    while (!answered) {
        jck_heard heard = jck_link_hear(link, connection, deadline_us, error);
        switch (heard.kind) {
        case JCK_HEARD_MESSAGE:
            answered = jrpc_json_exists(jrpc_json_get(heard.value, "id")) &&
                       !jrpc_json_exists(jrpc_json_get(heard.value, "method"));
            if (answered && is_refusal(step, heard.value)) {
                report_refusal(index, heard.received.bytes, error);
                return JCK_LINK_UNOPENED;
            }
            if (answered && step->capture_count > 0) {
                jck_capture_from(step, &heard, &link->captured);
                if (!jck_capture_into_headers(link, connection)) {
                    return JCK_LINK_FAULT;
                }
            }
            break;
        case JCK_HEARD_FENCE:
        case JCK_HEARD_LATE_FENCE:
        case JCK_HEARD_ECHO:
        case JCK_HEARD_PUSH:
        case JCK_HEARD_REQUEST:
        case JCK_HEARD_NOISE:
        case JCK_HEARD_DEFERRED:
            break;
        case JCK_HEARD_INTERRUPT:
            return JCK_LINK_INTERRUPTED;
        case JCK_HEARD_SILENCE:
        case JCK_HEARD_END:
        case JCK_HEARD_TIMEOUT:
        case JCK_HEARD_FLOOD:
        case JCK_HEARD_FAULT:
            jck_remember_http(link, &heard);
            report_silence(link, index, error);
            return JCK_LINK_UNOPENED;
        }
    }
    return JCK_LINK_OK;
}

bool jck_prelude_applies(const jck_target *target, const jck_step *step)
{
    const jrpc_traits *traits = jck_target_traits(target);
    return step->manner.http_method == NULL || (traits->is_web && traits->exchanges);
}

// How long a postlude may take.
#define FAREWELL_MS 1000

void jck_link_farewell(jck_link *link)
{
    int64_t deadline = jrpc_deadline_in_ms(link->clock, FAREWELL_MS);
    jrpc_error ignored = {0};
    bool heard = jck_connection_is_open(jck_link_connection(link, 'a'));
    for (size_t i = 0; heard && i < link->target->postlude_count; i++) {
        const jck_step *step = &link->target->postlude[i];
        heard = !jck_prelude_applies(link->target, step) ||
                jck_prelude_step(link, 'a', step, (int)i, deadline, &ignored) == JCK_LINK_OK;
    }
}
