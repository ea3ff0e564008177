#include "harness/judge/unwrap.h"

#include "reference/json/equal.h"

// A call that was sent and whose result is wrapped.
typedef struct wrapped_call {
    const jck_call *call;
    jrpc_json id;
    const struct wrapped_call *before; // the previous call
} wrapped_call;

static bool is_wrapped(const jck_call *call)
{
    return call != NULL && (call->result.len > 0 || call->in_text);
}

static const wrapped_call *add_message(jck_trial *trial, jrpc_json message,
                                       const wrapped_call *before)
{
    const jck_call *call = jck_call_in(message, jck_variables_call, trial->variables);
    wrapped_call *kept = is_wrapped(call) ? jrpc_arena_alloc(trial->arena, sizeof *kept) : NULL;
    if (kept == NULL) {
        return before;
    }
    *kept = (wrapped_call){call, jck_pattern_value(&trial->matching, jrpc_json_get(message, "id")),
                           before};
    return kept;
}

// The calls of all steps that were run, the last one first.
static const wrapped_call *find_calls(jck_trial *trial)
{
    const wrapped_call *last = NULL;
    for (size_t i = 0; i < trial->test_case->step_count; i++) {
        const jck_step *step = &trial->test_case->steps[i];
        if (step->kind != JCK_STEP_SEND || step->payload.kind != JCK_PAYLOAD_JSON ||
            trial->evidence->settled[i] == JCK_NOT_RUN) {
            continue;
        }
        jck_variables_set_step(trial->variables, (int)i);
        last = add_message(trial, step->payload.json, last);
        if (!jrpc_json_is(step->payload.json, JRPC_JSON_ARRAY)) {
            continue;
        }
        for (jrpc_json_iterator it = jrpc_json_iterate(step->payload.json); jrpc_json_step(&it);) {
            last = add_message(trial, it.value, last);
        }
    }
    return last;
}

// The result inside a wrapped one, as spelled; empty if there is none.
static jrpc_slice inner_result(jck_trial *trial, const jck_call *call, jrpc_json result)
{
    jrpc_json found = jrpc_json_pointer(result, call->result);
    jrpc_slice text = {NULL, 0};
    if (!call->in_text) {
        return jrpc_json_spelling(found);
    }
    bool json = jrpc_json_is(found, JRPC_JSON_STRING) &&
                jrpc_json_string(found, trial->arena, &text) &&
                jrpc_json_exists(jck_trial_read(trial, text, NULL));
    return json ? text : (jrpc_slice){NULL, 0};
}

// Appends the text up to the result of a Response, then the result inside it. `*copied` is how far
// the text was appended.
static void unwrap_response(jck_trial *trial, const wrapped_call *calls, jrpc_json response,
                            jrpc_slice text, size_t *copied, jrpc_buffer *out)
{
    jrpc_json result = jrpc_json_get(response, "result");
    jrpc_json id = jrpc_json_get(response, "id");
    if (!jrpc_json_exists(result)) {
        return;
    }
    // A result with a wrong id is that of the only call: then only the id is wrong.
    const wrapped_call *only = calls != NULL && calls->before == NULL ? calls : NULL;
    while (calls != NULL && !jrpc_json_equal(calls->id, id)) {
        calls = calls->before;
    }
    calls = calls == NULL ? only : calls;
    jrpc_slice inner =
        calls == NULL ? (jrpc_slice){NULL, 0} : inner_result(trial, calls->call, result);
    if (inner.len > 0) {
        size_t at = jrpc_json_offset(result);
        (void)jrpc_buffer_append(out, jrpc_slice_of(text.ptr + *copied, at - *copied));
        (void)jrpc_buffer_append(out, inner);
        *copied = at + jrpc_json_spelling(result).len;
    }
}

static bool unwrap_message(jck_trial *trial, const wrapped_call *calls, jck_message *message)
{
    bool answer = message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
                  !message->broken && message->true_len == message->bytes.len;
    jrpc_json root = answer ? jck_trial_read(trial, message->bytes, NULL) : JRPC_JSON_ABSENT;
    jrpc_slice text = message->bytes;
    size_t copied = 0;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), text.len);
    unwrap_response(trial, calls, root, text, &copied, &out);
    if (jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
            unwrap_response(trial, calls, it.value, text, &copied, &out);
        }
    }
    bool done = true;
    if (copied > 0) {
        (void)jrpc_buffer_append(&out, jrpc_slice_from(text, copied));
        done =
            !out.failed && jrpc_arena_copy(trial->arena, jrpc_buffer_slice(&out), &message->bytes);
        message->true_len = message->bytes.len;
    }
    jrpc_buffer_done(&out);
    return done;
}

const jck_evidence *jck_unwrapped(jck_trial *trial)
{
    const wrapped_call *calls = find_calls(trial);
    const jck_evidence *seen = trial->evidence;
    if (calls == NULL || seen->count == 0) {
        return seen;
    }
    jck_evidence *copy = jrpc_arena_alloc(trial->arena, sizeof *copy);
    jck_message *messages = jrpc_arena_array(trial->arena, seen->count, sizeof *messages);
    if (copy == NULL || messages == NULL) {
        return seen; // the arena has failed, and the verdict records that
    }
    memcpy(messages, seen->messages, seen->count * sizeof *messages);
    for (size_t i = 0; i < seen->count; i++) {
        if (!unwrap_message(trial, calls, &messages[i])) {
            trial->arena->failed = true;
        }
    }
    *copy = *seen;
    copy->messages = messages;
    return copy;
}
