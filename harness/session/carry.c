// What the target's framing and transport can carry.
#include "harness/link/link.h"
#include "harness/session/exec.h"
#include "reference/base/utf8.h"

#include <string.h>

// What the framing can carry, and what readers of lines agree on: many, such as Python's text files
// and Node.js, also end a line at a carriage return. Right before the line feed it makes no
// difference.
static bool carries(jrpc_framing framing, jrpc_slice payload, jrpc_error *error)
{
    if (framing == JRPC_FRAMING_LINE && payload.len > 1 &&
        memchr(payload.ptr, '\r', payload.len - 1) != NULL) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "a carriage return ends the message for many readers of lines");
    }
    return jrpc_framing_carries(framing, payload, error);
}

// Whether a step that sends does so on a connection on which an earlier step sent a message whose
// answer is to be received later.
static bool is_pipelined(const jck_case *test_case, size_t index)
{
    const jck_step *step = &test_case->steps[index];
    bool pending = false;
    for (size_t i = 0; i < index; i++) {
        const jck_step *before = &test_case->steps[i];
        if (before->connection == step->connection && before->kind == JCK_STEP_SEND) {
            pending = before->expect.kind == JCK_EXPECT_UNSTATED;
        }
    }
    return pending;
}

// Whether a step repeats so many messages that the target, at its known pace, cannot finish them
// before the wait is over.
static bool takes_too_long(const jck_session *session, const jck_step *step, jrpc_arena *arena,
                           jck_reason *ret_reason)
{
    int64_t us_each = 0;
    bool batch = jrpc_slice_starts_with(step->payload.prefix, JRPC_SLICE("[")) &&
                 jrpc_slice_starts_with(step->payload.unit, JRPC_SLICE("{\"jsonrpc\""));
    if (!batch || !jck_takes_too_long(session->link, step->payload.times, &us_each)) {
        return false;
    }
    const char *text = jrpc_arena_printf(
        arena, "the target works %lld ms on each message of a batch, and this one has %zu",
        (long long)(us_each / 1000), step->payload.times);
    *ret_reason = (jck_reason){.code = JCK_REASON_TOO_SLOW,
                               .text = text == NULL ? "the target is too slow for it" : text};
    return true;
}

// The bytes that a step sends, until the next call. False if they are not known yet: a captured
// name has no value before it is captured, and what such a payload becomes is not checked.
static bool text_of(jck_session *session, const jck_case *test_case, size_t index,
                    jck_variables *variables, jrpc_slice *ret_text)
{
    jrpc_error ignored = {0};
    jck_variables_set_step(variables, (int)index);
    if (!jck_session_expand(session, &test_case->steps[index].payload, variables, &ignored)) {
        return false;
    }
    *ret_text = jrpc_buffer_slice(&session->payload);
    return true;
}

// Why a step that sends cannot be carried; NULL: it can be, or that is not known yet.
static const char *obstacle(jck_session *session, const jck_case *test_case, size_t index,
                            jck_variables *variables, jrpc_arena *arena)
{
    static const char one_message[] = "the target takes one message per connection, then closes it";
    const jck_step *step = &test_case->steps[index];
    const jck_target *target = session->link->target;
    const jrpc_traits *traits = jck_target_traits(target);
    const bool one = session->link->learned.use == JCK_USE_ONE;
    const bool raw = step->payload.raw;
    const bool utf8 = traits->text_is_utf8 && !step->manner.binary;
    const bool matters = raw ? one : utf8 || traits->byte_stream;
    jrpc_slice text;
    jrpc_error error = {0};
    if (one && is_pipelined(test_case, index)) {
        return one_message;
    }
    if (raw && !traits->carries_raw) {
        return "HTTP carries messages only, no raw bytes: test it over a stream";
    }
    if (!matters || !text_of(session, test_case, index, variables, &text)) {
        return NULL;
    }
    if (raw) { // several lines in one write are several messages
        return jrpc_slice_has_several_lines(text) ? one_message : NULL;
    }
    if (utf8 && !jrpc_utf8_is_valid(text.ptr, text.len)) {
        return "a text message of WebSocket is UTF-8 (RFC 6455, section 8.1): it cannot be sent "
               "there";
    }
    if (!traits->byte_stream || carries(target->framing, text, &error)) {
        return NULL;
    }
    const char *why = jrpc_arena_printf(arena, "the %s framing cannot carry it: %s",
                                        jrpc_framing_name(target->framing), error.message);
    return why == NULL ? "the framing cannot carry it" : why;
}

bool jck_session_can_carry(jck_session *session, const jck_case *test_case,
                           jck_variables *variables, jrpc_arena *arena, jck_reason *ret_reason)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_step *step = &test_case->steps[i];
        if (step->kind != JCK_STEP_SEND) {
            continue;
        }
        if (jck_call_is_spelled_out(&step->payload, jck_variables_call, variables)) {
            *ret_reason = (jck_reason){
                .code = JCK_REASON_WRAPPED,
                .text = "the target's description wraps the method that is called, and the "
                        "message has a form that cannot be wrapped"};
            return false;
        }
        if (takes_too_long(session, step, arena, ret_reason)) {
            return false;
        }
        const char *why = obstacle(session, test_case, i, variables, arena);
        if (why != NULL) {
            *ret_reason = (jck_reason){.code = JCK_REASON_NOT_CARRIED, .text = why};
            return false;
        }
    }
    return true;
}
