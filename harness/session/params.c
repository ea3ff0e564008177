#include "harness/session/params.h"

#include "harness/evidence/evidence.h"
#include "reference/json/value.h"
#include "reference/rpc/message.h"

static const char *const empty_params = ",\"params\":[]";

static bool lacks_params(jrpc_json value)
{
    return jrpc_json_exists(jrpc_json_get(value, "method")) &&
           !jrpc_json_exists(jrpc_json_get(value, "params")) &&
           !jrpc_json_exists(jrpc_json_get(value, "result")) &&
           !jrpc_json_exists(jrpc_json_get(value, "error"));
}

// Appends the text from `*copied` up to the brace that ends `value`, then the params.
static bool complete(jrpc_json value, jrpc_slice text, size_t *copied, jrpc_buffer *out)
{
    if (!lacks_params(value)) {
        return true;
    }
    size_t brace = jrpc_json_offset(value) + jrpc_json_spelling(value).len - 1;
    jrpc_slice before = jrpc_slice_of(text.ptr + *copied, brace - *copied);
    *copied = brace;
    return jrpc_buffer_append(out, before) && jrpc_buffer_append_str(out, empty_params);
}

static bool complete_all(jrpc_json root, jrpc_slice text, jrpc_buffer *out)
{
    size_t copied = 0;
    bool written = complete(root, text, &copied, out);
    if (jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        for (jrpc_json_iterator it = jrpc_json_iterate(root); written && jrpc_json_step(&it);) {
            written = complete(it.value, text, &copied, out);
        }
    }
    return written && jrpc_buffer_append(out, jrpc_slice_from(text, copied));
}

bool jck_params_complete(jrpc_buffer *payload)
{
    jrpc_json_document document;
    jrpc_buffer out;
    jrpc_slice text = jrpc_buffer_slice(payload);
    bool done = true;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), payload->maximum);
    if (jrpc_input_read(&document, text, JCK_MESSAGE_DEPTH, NULL) != JRPC_INPUT_PARSE_ERROR) {
        done = complete_all(jrpc_json_root(&document), text, &out);
        if (done) {
            jrpc_buffer_clear(payload);
            done = jrpc_buffer_append(payload, jrpc_buffer_slice(&out));
        }
    }
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&document);
    return done;
}
