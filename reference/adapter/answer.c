#include "reference/adapter/answer.h"

#include "reference/adapter/behave.h"
#include "reference/adapter/lenient.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#define REFUSED_DEPTH 16
#define BLOCK ((size_t)4096)

static bool refuse(jrpc_buffer *out, const char *why)
{
    return jrpc_buffer_append_char(out, 'R') && jrpc_buffer_append_str(out, why);
}

static bool copy(jrpc_buffer *out, const jrpc_json_document *document)
{
    return jrpc_buffer_append_char(out, 'A') && jrpc_json_compact(out, jrpc_json_root(document));
}

static bool answer_strictly(jrpc_slice text, jrpc_json_document *document, jrpc_buffer *out)
{
    jrpc_error error = {0};
    return jrpc_json_read(document, text, UINT32_MAX, &error) ? copy(out, document)
                                                              : refuse(out, error.message);
}

// Narrows UTF-16 or UTF-32 to ASCII by dropping all other bytes.
static bool narrow(jrpc_slice text, jrpc_buffer *ret_text)
{
    bool wide = text.len > 3 &&
                (text.ptr[0] == '\0' || text.ptr[1] == '\0' || (unsigned char)text.ptr[0] >= 0xFE);
    for (size_t i = 0; i < text.len && wide; i++) {
        if (text.ptr[i] > 0) {
            jrpc_buffer_append_char(ret_text, text.ptr[i]);
        }
    }
    return wide;
}

// The text as a fault changes it. Borrowed from `made` or from the text.
static jrpc_slice reshape(jrpc_parser_fault fault, jrpc_slice text, jrpc_buffer *made)
{
    if (fault == JRPC_FAULT_ACCEPTS_UTF_16 && narrow(text, made)) {
        return jrpc_buffer_slice(made);
    }
    const char *nul =
        fault == JRPC_FAULT_STOPS_AT_NUL && text.len > 0 ? memchr(text.ptr, '\0', text.len) : NULL;
    return nul == NULL ? text : jrpc_slice_of(text.ptr, (size_t)(nul - text.ptr));
}

// Answers with a fault: everything is right except for one thing.
static bool answer_wrongly(jrpc_parser_fault fault, jrpc_slice text, jrpc_json_document *document,
                           jrpc_buffer *out)
{
    bool json = jrpc_json_read(document, text, UINT32_MAX, NULL);
    bool accepts = jrpc_fault_kind_of(fault) == JRPC_FAULT_ACCEPTS;
    if (json == accepts || (json && jrpc_depth_of(text) >= JRPC_LENIENT_DEPTH)) {
        return answer_strictly(text, document, out);
    }
    size_t begin = out->len;
    if (jrpc_buffer_append_char(out, 'A') && jrpc_lenient_read(fault, text, out)) {
        return true;
    }
    jrpc_buffer_truncate(out, begin);
    return refuse(out, accepts ? "not valid JSON" : "refused by the fault");
}

// Whether the word begins in one block of the text and ends in the next.
static bool crosses_block(jrpc_slice text, jrpc_slice word)
{
    for (size_t end = BLOCK; end < text.len; end += BLOCK) {
        for (size_t at = end - word.len + 1; at < end; at++) {
            if (jrpc_slice_starts_with(jrpc_slice_from(text, at), word)) {
                return true;
            }
        }
    }
    return false;
}

bool jrpc_parser_answer(jrpc_parser_fault fault, jrpc_slice text, jrpc_json_document *document,
                        jrpc_buffer *out)
{
    jrpc_buffer made;
    jrpc_behave(fault, text);
    jrpc_buffer_init(&made, jrpc_allocator_heap(), text.len + 1);
    jrpc_slice shaped = reshape(fault, text, &made);
    bool done = false;
    switch (jrpc_fault_kind_of(fault)) {
    case JRPC_FAULT_FREE:
    case JRPC_FAULT_BEHAVES:
        done = answer_strictly(shaped, document, out);
        break;
    case JRPC_FAULT_LIMITS:
        done = fault == JRPC_FAULT_REFUSES_ACROSS_BLOCKS && crosses_block(text, JRPC_SLICE("true"))
                   ? refuse(out, "an unknown word")
               : fault == JRPC_FAULT_REFUSES_DEPTH && jrpc_depth_of(text) > REFUSED_DEPTH
                   ? refuse(out, "nested too deeply")
                   : answer_strictly(shaped, document, out);
        break;
    case JRPC_FAULT_ACCEPTS:
    case JRPC_FAULT_CHANGES:
        done = answer_wrongly(fault, shaped, document, out);
        break;
    }
    jrpc_buffer_done(&made);
    return done && !out->failed;
}
