#include "harness/run/deadly.h"

#include "harness/evidence/evidence.h"
#include "reference/rpc/message.h"

static bool holds_objects_only(jrpc_json array)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        if (!jrpc_json_is(it.value, JRPC_JSON_OBJECT)) {
            return false;
        }
    }
    return true;
}

// The kind of one JSON value as a bit; 0: a call, which every server must expect.
static unsigned bit_of_single(jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return 1U << JCK_DEADLY_SCALAR;
    }
    switch (jrpc_message_classify(value).kind) {
    case JRPC_MESSAGE_CALL:
        break;
    case JRPC_MESSAGE_NOTIFICATION:
        return 1U << JCK_DEADLY_NOTIFICATION;
    case JRPC_MESSAGE_RESPONSE:
    case JRPC_MESSAGE_RESULT:
        return 1U << JCK_DEADLY_RESPONSE;
    case JRPC_MESSAGE_INVALID:
        return 1U << JCK_DEADLY_INVALID;
    }
    return 0;
}

// The kind of a payload, as far as the file spells it out.
static unsigned bit_of(const jck_payload *payload)
{
    unsigned bit = 0;
    if (payload->raw) {
        return 0;
    }
    if (payload->kind == JCK_PAYLOAD_REPEAT) {
        return 1U << JCK_DEADLY_REPEATED;
    }
    jrpc_slice text =
        payload->kind == JCK_PAYLOAD_JSON ? jrpc_json_spelling(payload->json) : payload->text;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    switch (jrpc_input_read(&document, text, JCK_MESSAGE_DEPTH, NULL)) {
    case JRPC_INPUT_PARSE_ERROR:
        bit = 1U << JCK_DEADLY_TEXT;
        break;
    case JRPC_INPUT_EMPTY_BATCH:
        bit = 1U << JCK_DEADLY_EMPTY_BATCH;
        break;
    case JRPC_INPUT_BATCH:
        bit = 1U << (holds_objects_only(jrpc_json_root(&document)) ? JCK_DEADLY_BATCH
                                                                   : JCK_DEADLY_STRANGE_BATCH);
        break;
    case JRPC_INPUT_SINGLE:
        bit = bit_of_single(jrpc_json_root(&document));
        break;
    }
    jrpc_json_document_done(&document);
    return bit;
}

// The kinds of all messages of a case, one bit each.
static unsigned kinds_of(const jck_case *test_case)
{
    unsigned bits = 0;
    for (size_t i = 0; i < test_case->step_count; i++) {
        bits |=
            test_case->steps[i].kind == JCK_STEP_SEND ? bit_of(&test_case->steps[i].payload) : 0;
    }
    return bits;
}

void jck_deadly_note(jck_deadly *deadly, const jck_case *test_case, bool killed)
{
    unsigned bits = kinds_of(test_case);
    for (unsigned kind = 0; kind < JCK_DEADLY_COUNT; kind++) {
        if ((bits >> kind & 1U) != 0) {
            deadly->kinds[kind].killed += killed;
            deadly->kinds[kind].survived += !killed;
        }
    }
}

bool jck_deadly_expects(const jck_deadly *deadly, const jck_case *test_case, unsigned times)
{
    unsigned bits = kinds_of(test_case);
    for (unsigned kind = 0; kind < JCK_DEADLY_COUNT; kind++) {
        if ((bits >> kind & 1U) != 0 && deadly->kinds[kind].killed >= times &&
            deadly->kinds[kind].survived == 0) {
            return true;
        }
    }
    return false;
}
