#include "harness/judge/derive.h"

#include "reference/base/limits.h"
#include "reference/json/write.h"
#include "reference/rpc/message.h"

// Appends the pattern of the Response that one message requires.
static void append_pattern(const jck_trial *trial, const jrpc_message *message, jrpc_buffer *out)
{
    bool absent = jrpc_slice_equal(jrpc_json_spelling(message->method),
                                   jck_variables_absent(trial->variables));
    (void)jrpc_buffer_append_char(out, '{');
    if (message->reply_code != 0) {
        (void)jrpc_buffer_printf(out, "\"error\":{\"code\":%d},", message->reply_code);
    } else if (absent) {
        (void)jrpc_buffer_append_str(out, "\"error\":{},");
    }
    (void)jrpc_buffer_append_str(out, "\"id\":");
    if (!jrpc_json_exists(message->reply_id)) {
        (void)jrpc_buffer_append_str(out, "null");
    } else if (message->reply_code != 0) {
        // The server may or may not have found the id of something that is not a valid Request.
        (void)jrpc_buffer_append_str(out, "{\"$in\":[null,");
        (void)jrpc_json_compact(out, message->reply_id);
        (void)jrpc_buffer_append_str(out, "]}");
    } else {
        (void)jrpc_json_compact(out, message->reply_id);
    }
    (void)jrpc_buffer_append_char(out, '}');
}

static void append_batch(const jck_trial *trial, jrpc_json batch, jrpc_buffer *out)
{
    const char *between = "[";
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        jrpc_message message = jrpc_message_classify(it.value);
        if (message.reply_owed) {
            (void)jrpc_buffer_append_str(out, between);
            append_pattern(trial, &message, out);
            between = ",";
        }
    }
    (void)jrpc_buffer_append_char(out, ']');
}

// An expectation with the pattern in `pattern`, which is kept for the trial.
static jck_expect keep(jck_trial *trial, jck_expect_kind kind, const jrpc_buffer *pattern)
{
    jrpc_slice text = {NULL, 0};
    jck_expect expect = {.kind = JCK_EXPECT_ANYTHING};
    jrpc_error ignored = {0};
    if (!pattern->failed && jrpc_arena_copy(trial->arena, jrpc_buffer_slice(pattern), &text)) {
        expect.pattern = jck_trial_read(trial, text, &ignored);
        expect.kind = jrpc_json_exists(expect.pattern) ? kind : JCK_EXPECT_ANYTHING;
    }
    return expect;
}

static jck_expect derive_response(jck_trial *trial, const jck_owed *owed)
{
    if (owed->input == JRPC_INPUT_SINGLE && owed->code == JRPC_INVALID_REQUEST) {
        // Serving it anyway gives a warning, as in any case about such a message.
        return (jck_expect){.kind = JCK_EXPECT_REJECTED,
                            .rule = jck_trial_rule(trial, JCK_ROLE_INVALID_REQUEST)};
    }
    jrpc_buffer pattern;
    jrpc_buffer_init(&pattern, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    if (owed->input == JRPC_INPUT_SINGLE) {
        append_pattern(trial, &owed->message, &pattern);
    } else {
        (void)jrpc_buffer_printf(&pattern, "{\"error\":{\"code\":%d},\"id\":null}", owed->code);
    }
    jck_expect expect = keep(trial, JCK_EXPECT_RESPONSE, &pattern);
    jrpc_buffer_done(&pattern);
    return expect;
}

static jck_expect derive_batch(jck_trial *trial, const jck_owed *owed)
{
    jrpc_buffer pattern;
    jrpc_buffer_init(&pattern, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    append_batch(trial, owed->batch, &pattern);
    jck_expect expect = keep(trial, JCK_EXPECT_BATCH, &pattern);
    jrpc_buffer_done(&pattern);
    return expect;
}

jck_expect jck_derive_expectation(jck_trial *trial, const jck_answers *answers)
{
    const jck_owed *owed = &answers->owed;
    switch (owed->kind) {
    case JCK_OWED_NOTHING: {
        // A Response that was sent requires no answer either, but nothing forbids an error.
        bool silent = owed->input == JRPC_INPUT_SINGLE
                          ? owed->message.kind == JRPC_MESSAGE_NOTIFICATION
                          : owed->notifications == jrpc_json_count(owed->batch);
        return (jck_expect){.kind = silent ? JCK_EXPECT_NOTHING : JCK_EXPECT_ANYTHING};
    }
    case JCK_OWED_RESPONSE:
        return derive_response(trial, owed);
    case JCK_OWED_BATCH:
        return derive_batch(trial, owed);
    case JCK_OWED_UNKNOWN:
        break;
    }
    return (jck_expect){.kind = JCK_EXPECT_ANYTHING};
}
