#include "harness/run/values.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

// Lines with two calls are short.
#define LINE_MAX_BYTES ((size_t)4096)

// Whether a message of that step is the answer to the call.
static bool is_answered(const jck_evidence *evidence, int step, jrpc_json call)
{
    bool answered = false;
    for (size_t i = 0; i < evidence->count && !answered; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction != JCK_RECEIVED || message->role != JCK_MESSAGE_OF_CASE ||
            message->step != step) {
            continue;
        }
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        answered = jrpc_json_read(&document, message->bytes, JRPC_LIMIT_DEPTH, NULL) &&
                   jrpc_json_equal(jrpc_json_get(jrpc_json_root(&document), "id"),
                                   jrpc_json_get(call, "id"));
        jrpc_json_document_done(&document);
    }
    return answered;
}

static bool is_call(jrpc_json value)
{
    return jrpc_json_is(jrpc_json_get(value, "id"), JRPC_JSON_STRING) &&
           jrpc_json_exists(jrpc_json_get(value, "method"));
}

// Whether a line is two calls, and both of them were answered.
static bool are_both_answered(const jck_evidence *evidence, const jck_message *line)
{
    jrpc_decoder decoder;
    jrpc_slice value;
    size_t calls = 0;
    bool answered = true;
    jrpc_decoder_init(&decoder, JRPC_FRAMING_CONCATENATED, LINE_MAX_BYTES, jrpc_allocator_heap());
    if (jrpc_decoder_feed(&decoder, line->bytes, NULL)) {
        while (answered && jrpc_decoder_next(&decoder, &value, NULL) == JRPC_DECODED_DONE) {
            jrpc_json_document document;
            jrpc_json_document_init(&document, jrpc_allocator_heap());
            answered = jrpc_json_read(&document, value, JRPC_LIMIT_DEPTH, NULL) &&
                       is_call(jrpc_json_root(&document)) &&
                       is_answered(evidence, line->step, jrpc_json_root(&document));
            jrpc_json_document_done(&document);
            calls++;
        }
    }
    jrpc_decoder_done(&decoder);
    return answered && calls == 2;
}

bool jck_values_shown(const jck_target *target, const jck_evidence *evidence)
{
    bool shown = false;
    if (evidence == NULL || !jck_target_traits(target)->byte_stream || target->framing_given ||
        target->framing != JRPC_FRAMING_LINE) {
        return false;
    }
    for (size_t i = 0; i < evidence->count && !shown; i++) {
        const jck_message *line = &evidence->messages[i];
        shown = line->direction == JCK_SENT && line->role == JCK_MESSAGE_OF_CASE &&
                line->bytes.len == line->true_len && line->bytes.len <= LINE_MAX_BYTES &&
                memchr(line->bytes.ptr, '\n', line->bytes.len) == NULL &&
                jrpc_slice_contains(line->bytes, JRPC_SLICE("}{")) &&
                are_both_answered(evidence, line);
    }
    return shown;
}
