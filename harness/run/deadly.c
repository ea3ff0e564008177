#include "harness/run/deadly.h"

#include "harness/evidence/evidence.h"
#include "reference/base/utf8.h"
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

// The bit of text with a well-formed character of several bytes; 0 for other text.
static unsigned bit_of_width(jrpc_slice text)
{
    bool wide = false;
    for (size_t at = 0; at < text.len && !wide; at++) {
        size_t viable = 0;
        wide = jrpc_utf8_sequence(text.ptr + at, text.len - at, &viable) > 1;
    }
    return wide ? 1U << JCK_DEADLY_WIDE : 0;
}

// The kind of a text, as the bit of one value of JSON, or of text that is none.
static unsigned bit_of_text(jrpc_slice text)
{
    unsigned bit = 0;
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

// The kinds of a payload, as far as the file spells it out, one bit each.
static unsigned bits_of(const jck_payload *payload)
{
    if (payload->raw) {
        return 0;
    }
    if (payload->kind == JCK_PAYLOAD_REPEAT) {
        return 1U << JCK_DEADLY_REPEATED | bit_of_width(payload->unit);
    }
    jrpc_slice text =
        payload->kind == JCK_PAYLOAD_JSON ? jrpc_json_spelling(payload->json) : payload->text;
    return jrpc_utf8_is_valid(text.ptr, text.len) ? bit_of_text(text) | bit_of_width(text)
                                                  : 1U << JCK_DEADLY_BYTES;
}

// The kinds of all messages of a case, one bit each.
static unsigned kinds_of(const jck_case *test_case)
{
    unsigned bits = 0;
    for (size_t i = 0; i < test_case->step_count; i++) {
        bits |=
            test_case->steps[i].kind == JCK_STEP_SEND ? bits_of(&test_case->steps[i].payload) : 0;
    }
    return bits;
}

// Where the texts that break the first rule of a case are counted; text_count: none were noted.
static size_t place_of(const jck_deadly *deadly, const jck_case *test_case)
{
    size_t i = 0;
    while (i < deadly->text_count &&
           !jrpc_slice_equal(deadly->texts[i].rule, test_case->rules[0])) {
        i++;
    }
    return i;
}

static void note(jck_fates *fates, jck_fate fate, const jck_rule *rule)
{
    fates->cases[fate]++;
    fates->rule = rule == NULL ? fates->rule : rule;
}

void jck_deadly_note(jck_deadly *deadly, const jck_case *test_case, jck_fate fate,
                     const jck_rule *rule)
{
    unsigned bits = kinds_of(test_case);
    for (unsigned kind = 0; kind < JCK_DEADLY_COUNT; kind++) {
        if ((bits >> kind & 1U) != 0) {
            note(&deadly->kinds[kind], fate, rule);
        }
    }
    size_t place = place_of(deadly, test_case);
    if ((bits >> JCK_DEADLY_TEXT & 1U) != 0 && place < JCK_DEADLY_RULES_MAX) {
        deadly->texts[place].rule = test_case->rules[0];
        deadly->text_count += place == deadly->text_count;
        note(&deadly->texts[place].fates, fate, rule);
    }
}

static unsigned count_lost(const jck_fates *fates)
{
    return fates->cases[JCK_FATE_MUTE] + fates->cases[JCK_FATE_ENDED] +
           fates->cases[JCK_FATE_KILLED];
}

// What befell most of the cases, if no case survived. Else SURVIVED.
static jck_fate expected_of(const jck_fates *fates)
{
    const unsigned *cases = fates->cases;
    jck_fate usual = JCK_FATE_KILLED;
    usual = cases[JCK_FATE_ENDED] > cases[usual] ? JCK_FATE_ENDED : usual;
    usual = cases[JCK_FATE_MUTE] > cases[usual] ? JCK_FATE_MUTE : usual;
    return cases[JCK_FATE_SURVIVED] > 0 || cases[usual] == 0 ? JCK_FATE_SURVIVED : usual;
}

jck_fate jck_deadly_expects(const jck_deadly *deadly, const jck_case *test_case, unsigned times,
                            const jck_rule **ret_rule)
{
    static const jck_fates none = {{0}, NULL};
    unsigned bits = kinds_of(test_case);
    size_t place = place_of(deadly, test_case);
    const jck_fates *texts = place < deadly->text_count ? &deadly->texts[place].fates : &none;
    for (unsigned kind = 0; kind < JCK_DEADLY_COUNT; kind++) {
        const jck_fates *all = &deadly->kinds[kind];
        const jck_fates *alike = kind == JCK_DEADLY_TEXT ? texts : all;
        jck_fate fate = expected_of(alike);
        if ((bits >> kind & 1U) != 0 && fate != JCK_FATE_SURVIVED && count_lost(all) >= times) {
            *ret_rule = alike->rule;
            return fate;
        }
    }
    return JCK_FATE_SURVIVED;
}
