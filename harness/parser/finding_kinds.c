#include "harness/parser/finding_kinds.h"

#include "reference/base/hash.h"

#define TEXT_BYTES ((size_t)1 << 20)

void jck_parser_kinds_init(jck_parser_kinds *kinds)
{
    kinds->count = 0;
}

void jck_parser_kinds_done(jck_parser_kinds *kinds)
{
    for (size_t i = 0; i < kinds->count; i++) {
        jrpc_buffer_done(&kinds->items[i].text);
    }
    kinds->count = 0;
}

// A hash of the letters outside quotation marks.
static uint64_t hash_words(jrpc_slice text)
{
    uint64_t hash = JRPC_HASH_START;
    char quote = '\0';
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
            continue;
        }
        if (c == '"' || c == '\'' || c == '`') {
            quote = c;
            continue;
        }
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter) {
            hash = jrpc_hash_byte(hash, (unsigned char)c);
        }
    }
    return hash;
}

uint64_t jck_deviation_cause(const jck_weight *weight, const jck_loss *deviation,
                             const jck_reply *reply)
{
    if (jck_class_is_acceptance(deviation->class)) {
        return hash_words(jrpc_slice_str(weight->why.message));
    }
    if (deviation->class == JCK_CLASS_REFUSES_JSON) {
        return hash_words(reply->text);
    }
    return deviation->class == JCK_CLASS_WRITES_NO_JSON
               ? hash_words(jrpc_slice_str(weight->unwritten.message))
               : 0; // one of each suffices
}

jck_parser_kind *jck_parser_kinds_add(jck_parser_kinds *kinds, const jck_weight *weight,
                                      const jck_loss *deviation, const jck_reply *reply,
                                      jrpc_slice text)
{
    uint64_t cause = jck_deviation_cause(weight, deviation, reply);
    size_t alike = 0;
    jck_parser_kind *kind = NULL;
    for (size_t i = 0; i < kinds->count && kind == NULL; i++) {
        bool same = kinds->items[i].class == deviation->class;
        alike += same ? 1 : 0;
        kind = same && kinds->items[i].cause == cause ? &kinds->items[i] : NULL;
    }
    if (kind == NULL) {
        if (kinds->count == JCK_PARSER_KINDS_MAX || alike == JCK_PARSER_KINDS_OF_CLASS) {
            return NULL;
        }
        kind = &kinds->items[kinds->count++];
        *kind = (jck_parser_kind){.class = deviation->class, .cause = cause};
        jrpc_buffer_init(&kind->text, jrpc_allocator_heap(), TEXT_BYTES);
    } else if (kind->reported || kind->text.len <= text.len) {
        return kind;
    }
    jrpc_buffer_clear(&kind->text);
    return jrpc_buffer_append(&kind->text, text) ? kind : NULL;
}

bool jck_parser_kind_is_shown(const jck_parser_kind *kind, const jck_weight *weight,
                              const jck_reply *reply)
{
    for (size_t i = 0; i < weight->deviations.count; i++) {
        const jck_loss *deviation = &weight->deviations.items[i];
        if (deviation->class == kind->class &&
            jck_deviation_cause(weight, deviation, reply) == kind->cause) {
            return true;
        }
    }
    return false;
}
