#include "harness/live/effects.h"

#define PARAMS 2u
// Longer numbers may be refused.
#define NUMBER_MOST 6u

static bool are_params_plain(jrpc_json params)
{
    bool plain = jrpc_json_is(params, JRPC_JSON_ARRAY) && jrpc_json_count(params) == PARAMS;
    for (jrpc_json_iterator it = jrpc_json_iterate(params); plain && jrpc_json_step(&it);) {
        plain = jrpc_json_is(it.value, JRPC_JSON_NUMBER) &&
                (jrpc_json_flags(it.value) & JRPC_JSON_FRACTIONAL) == 0 &&
                jrpc_json_spelling(it.value).len <= NUMBER_MOST;
    }
    return plain;
}

// The effects of one value that is not a batch.
static bool add_effects(const jck_due_context *context, const jck_due *due, size_t *effects)
{
    const jrpc_json method = jrpc_json_get(due->value, "method");
    const jck_mapping *update = jck_target_mapping(context->target, JRPC_SLICE("update"));
    const bool updates =
        update != NULL && jrpc_json_string_is(method, jrpc_slice_inside(update->method));
    const bool absent = jrpc_json_string_is(method, jrpc_slice_inside(context->absent));
    if (due->odd != 0) {
        return false;
    }
    switch (due->form) {
    case JCK_FORM_NOTIFY:
        *effects += updates ? 1 : 0;
        return updates ? are_params_plain(jrpc_json_get(due->value, "params")) : absent;
    case JCK_FORM_CALL:
    case JCK_FORM_SCALAR:
    case JCK_FORM_EMPTY:
    case JCK_FORM_INVALID:
    case JCK_FORM_CUT:
        return true;
    case JCK_FORM_TEXT:
    case JCK_FORM_NEAR:
    case JCK_FORM_KNOWN:
    case JCK_FORM_OTHER:
    case JCK_FORM_RESPONSE:
    case JCK_FORM_BATCH:
    case JCK_FORM_UNCLEAR:
    case JCK_FORM_UNREADABLE:
        return false;
    }
    return false;
}

bool jck_effects_of(const jck_due_context *context, jrpc_slice text, size_t *effects)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    const jck_due due = jck_due_for(context, text, &document);
    bool certain = true;
    if (due.form == JCK_FORM_BATCH) {
        for (jrpc_json_iterator it = jrpc_json_iterate(due.value);
             certain && jrpc_json_step(&it);) {
            const jck_due element = jck_due_of(context, it.value);
            certain = add_effects(context, &element, effects);
        }
    } else {
        certain = add_effects(context, &due, effects);
    }
    jrpc_json_document_done(&document);
    return certain;
}
