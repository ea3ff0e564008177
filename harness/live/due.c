#include "harness/live/due.h"

#include "harness/generate/name.h"

#include "harness/evidence/evidence.h"
#include "harness/live/near.h"
#include "harness/live/result.h"
#include "harness/live/scan.h"
#include "reference/base/hash.h"
#include "reference/json/scan.h"

#include <string.h>

// A batch with more ids is assumed to have duplicates.
#define IDS_COMPARED 2048u
// Longer names are near no other.
#define NAME_BYTES ((size_t)4 << 10)

// Whether a text that is not JSON is truncated: something that was opened is not closed at its end.
// No extension of JSON gives such a text a meaning.
static bool is_cut(jrpc_slice text)
{
    size_t at = 0;
    while (at < text.len && jrpc_scan_is_space(text.ptr[at])) {
        at++;
    }
    if (at == text.len || (text.ptr[at] != '{' && text.ptr[at] != '[')) {
        return false;
    }
    char closers[64];
    size_t open = 0;
    bool quoted = false;
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (quoted) {
            at += c == '\\';
            quoted = c != '"';
        } else if (c == '\'' || c == '/' || c == '#') {
            return false; // another kind of quote, or a comment, may hold the rest
        } else if (c == '[' || c == '{') {
            if (open == sizeof closers) {
                return false;
            }
            closers[open++] = c == '[' ? ']' : '}';
        } else if (c == ']' || c == '}') {
            if (open == 0 || closers[--open] != c || open == 0) {
                return false; // some ignore what follows, and all refuse crossed brackets
            }
        } else {
            quoted = c == '"';
        }
    }
    return open > 0 || quoted;
}

// Whether this id of a Response shows which call it answers.
static bool is_echoed(jrpc_json id)
{
    return jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER);
}

static void note_id(jck_due *due, jrpc_json id)
{
    bool usable = is_echoed(id) || jrpc_json_is(id, JRPC_JSON_NULL);
    due->id = usable ? id : JRPC_JSON_ABSENT;
    due->id_key = usable ? jck_id_key(id) : 0;
    due->id_number = usable ? jck_id_number(id) : 0;
    due->null_id = due->null_id || !usable || jrpc_json_is(id, JRPC_JSON_NULL);
}

// Whether a String, however it is spelled, is the same as that of a spelling without escapes.
static bool is_named(jrpc_json string, jrpc_slice spelling)
{
    return jrpc_slice_equal(jrpc_json_spelling(string), spelling) ||
           jrpc_json_string_is(string, jrpc_slice_inside(spelling));
}

// Why a name cannot be that of a method. `arena` is for a name with escapes.
// *ret_mapping: the method whose name it is near, if another one may have it all the same.
static jck_due_name near_known(const jck_due_context *context, jrpc_json method, jrpc_arena *arena,
                               const jck_mapping **ret_mapping)
{
    const jck_target *target = context->target;
    jrpc_slice name;
    if (!jrpc_json_string(method, arena, &name)) {
        return JCK_NAME_ANY;
    }
    if (context->cut != NULL && name.len > 0 &&
        jrpc_slice_starts_with(jrpc_slice_inside(context->cut->method), name)) {
        return JCK_NAME_CHANGED;
    }
    jck_due_name near = jck_name_is_inherited(name) ? JCK_NAME_INHERITED : JCK_NAME_ANY;
    for (size_t i = 0; i < target->mapping_count && near == JCK_NAME_ANY; i++) {
        jrpc_slice absent = jrpc_slice_inside(context->absent);
        near = jck_near(name, jrpc_slice_inside(target->mappings[i].method), absent);
        bool free = near == JCK_NAME_SPELLED || near == JCK_NAME_CHANGED;
        *ret_mapping = free && !jrpc_slice_contains(name, absent) ? &target->mappings[i] : NULL;
    }
    return near;
}

// Whether the method is meant for notifications: a server may say that it cannot be called.
static bool is_for_notifications(const jck_mapping *mapping)
{
    return jrpc_slice_is(mapping->capability, "update") ||
           jrpc_slice_starts_with(mapping->capability, JRPC_SLICE("notify_"));
}

static jck_due_form form_of_method(const jck_due_context *context, jrpc_json method,
                                   jck_due *ret_due)
{
    jrpc_slice spelling = jrpc_json_spelling(method);
    jrpc_slice absent = jrpc_slice_of(context->absent.ptr, context->absent.len - 1);
    // `rpc.` followed by the absent name does not exist either.
    static const jrpc_slice reserved = JRPC_SLICE_INIT("\"rpc.");
    bool system =
        jrpc_slice_starts_with(spelling, reserved) &&
        jrpc_slice_starts_with(jrpc_slice_from(spelling, reserved.len), jrpc_slice_from(absent, 1));
    const bool decorated =
        jck_near_is_decorated(jrpc_slice_inside(spelling), jrpc_slice_inside(context->absent));
    if (system || decorated || jrpc_slice_starts_with(spelling, absent) ||
        is_named(method, context->absent)) {
        ret_due->name = system ? JCK_NAME_RESERVED : decorated ? JCK_NAME_DECORATED : JCK_NAME_ANY;
        return JCK_FORM_CALL;
    }
    for (size_t i = 0; i < context->target->mapping_count; i++) {
        const jck_mapping *mapping = &context->target->mappings[i];
        if (is_named(method, mapping->method)) {
            ret_due->mapping = mapping;
            return is_for_notifications(mapping) ? JCK_FORM_OTHER : JCK_FORM_KNOWN;
        }
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), NAME_BYTES);
    ret_due->name = near_known(context, method, &arena, &ret_due->mapping);
    jrpc_arena_done(&arena);
    return ret_due->name == JCK_NAME_ANY ? JCK_FORM_OTHER : JCK_FORM_NEAR;
}

static void due_for_call(const jck_due_context *context, const jrpc_message *message, jck_due *due)
{
    const jck_calibration *calibration = context->calibration;
    due->kind = JCK_DUE_ONE;
    note_id(due, message->id);
    due->params = message->params;
    due->form = form_of_method(context, message->method, due);
    due->result = due->form == JCK_FORM_OTHER ||
                  (due->form == JCK_FORM_KNOWN && !jck_contract_is_to_fail(due->mapping));
    if (due->form == JCK_FORM_KNOWN && jck_contract_gives_error(due->mapping)) {
        jck_error_given given;
        due->kind = jck_error_given_of(due, &given) ? JCK_DUE_ONE : JCK_DUE_ANY;
    }
    // Where every unknown name gets a result, one more proves nothing.
    due->result = due->result || (due->form == JCK_FORM_NEAR && calibration->absent_gives_result);
    if (due->form == JCK_FORM_CALL) {
        due->code = calibration->absent_code_differs ? (int)calibration->absent_code
                                                     : JRPC_METHOD_NOT_FOUND;
        due->result = calibration->absent_gives_result;
        due->kind = calibration->absent_answers ? JCK_DUE_ONE : JCK_DUE_MAYBE;
    }
}

// What may be read as a different message.
static bool is_ambiguous(unsigned odd)
{
    return (odd & JCK_ODD_REQUEST) != 0;
}

static void due_for_object(const jck_due_context *context, jck_due *due)
{
    jrpc_message message = jrpc_message_classify(due->value);
    due->reason = message.reason;
    if (is_ambiguous(due->odd)) {
        due->kind = JCK_DUE_ANY;
        due->form = JCK_FORM_UNCLEAR;
        return;
    }
    bool half = jrpc_json_exists(message.result) || jrpc_json_exists(message.error);
    if (half && message.kind != JRPC_MESSAGE_INVALID) {
        // Where there is a method too, some take it for a Request and others for a Response.
        due->form = JCK_FORM_RESPONSE;
        due->kind = JCK_DUE_ANY;
        return;
    }
    switch (message.kind) {
    case JRPC_MESSAGE_CALL:
        due_for_call(context, &message, due);
        return;
    case JRPC_MESSAGE_NOTIFICATION:
        due->form = JCK_FORM_NOTIFY;
        due->kind =
            due->odd == 0 && jrpc_json_count(message.method) > 0 ? JCK_DUE_NOTHING : JCK_DUE_MAYBE;
        due->code = JRPC_INVALID_REQUEST;
        due->null_id = true;
        return;
    case JRPC_MESSAGE_RESPONSE:
    case JRPC_MESSAGE_RESULT:
        due->form = JCK_FORM_RESPONSE;
        due->kind = JCK_DUE_ANY;
        return;
    case JRPC_MESSAGE_INVALID:
        break;
    }
    due->form = half ? JCK_FORM_RESPONSE : JCK_FORM_INVALID;
    bool identified = jrpc_json_exists(message.id) && !jrpc_json_is(message.id, JRPC_JSON_NULL);
    due->kind = half ? JCK_DUE_ANY : identified ? JCK_DUE_ONE : JCK_DUE_MAYBE;
    due->code = JRPC_INVALID_REQUEST;
    due->null_id = true;
    due->params = message.params;
    note_id(due, message.id);
}

jck_due jck_due_of(const jck_due_context *context, jrpc_json value)
{
    jck_due due = {.value = value, .odd = jck_scan_message(value)};
    if (jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        due_for_object(context, &due);
        return due;
    }
    due.kind = JCK_DUE_ONE;
    due.form = JCK_FORM_SCALAR;
    due.reason = JRPC_INVALID_NOT_OBJECT;
    due.code = JRPC_INVALID_REQUEST;
    due.null_id = true;
    return due;
}

// What occurs twice in a batch.
typedef enum twins {
    TWINS_NONE,
    TWINS_OF_CALLS, // an id that a Response can echo: no sentence requires distinct ids
    TWINS_OTHER,    // null, or an id that cannot be used: what happens then is left open
} twins;

// Whether one of the ids is equal to `id`, whose key is `key`.
static bool is_among(const jrpc_json *ids, const uint64_t *keys, size_t count, jrpc_json id,
                     uint64_t key)
{
    for (size_t i = 0; i < count; i++) {
        if (jck_id_keys_may_agree(keys[i], key) && jck_ids_equal(ids[i], id)) {
            return true;
        }
    }
    return false;
}

static twins find_twins(jrpc_json batch)
{
    jrpc_json ids[IDS_COMPARED];
    uint64_t keys[IDS_COMPARED];
    size_t count = 0;
    twins found = TWINS_NONE;
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        jrpc_json id = jrpc_json_get(it.value, "id");
        if (!jrpc_json_exists(id)) {
            continue;
        }
        if (count == IDS_COMPARED) {
            return TWINS_OTHER;
        }
        ids[count] = id;
        keys[count] = jck_id_key(id);
        if (is_among(ids, keys, count, id, keys[count])) {
            if (!is_echoed(id)) {
                return TWINS_OTHER;
            }
            found = TWINS_OF_CALLS;
        }
        count++;
    }
    return found;
}

// Whether the answer to an element of a batch is certain. If it may be one of several, the Array
// can be anything.
static bool is_clear(const jck_due *element, twins said_twice)
{
    // Section 4: a Number in an id should have no fractional part, so a server may refuse one that
    // does. Many readers take 1e0 for such a Number too.
    if (jrpc_json_is(element->id, JRPC_JSON_NUMBER) &&
        (jrpc_json_flags(element->id) & JRPC_JSON_FRACTIONAL) != 0) {
        return false;
    }
    if (element->name == JCK_NAME_DECORATED) {
        return false;
    }
    bool reason = element->reason == JRPC_INVALID_METHOD_MISSING ||
                  element->reason == JRPC_INVALID_METHOD_TYPE;
    bool single = element->form == JCK_FORM_SCALAR ||
                  (element->form == JCK_FORM_INVALID && reason && said_twice == TWINS_NONE);
    return (element->kind == JCK_DUE_ONE || element->kind == JCK_DUE_NOTHING) &&
           (element->odd & ~(unsigned)JCK_ODD_FRACTION) == 0 &&
           (single || element->form == JCK_FORM_CALL || element->form == JCK_FORM_NOTIFY ||
            element->form == JCK_FORM_KNOWN);
}

static jck_due due_for_batch(const jck_due_context *context, jrpc_json batch)
{
    jck_due due = {.kind = JCK_DUE_NOTHING,
                   .form = JCK_FORM_BATCH,
                   .value = batch,
                   .length = jrpc_json_count(batch)};
    twins said_twice = find_twins(batch);
    bool clear = said_twice != TWINS_OTHER;
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); clear && jrpc_json_step(&it);) {
        jck_due element = jck_due_of(context, it.value);
        clear = is_clear(&element, said_twice);
        due.calls += element.kind == JCK_DUE_ONE ? 1 : 0;
        due.invalid += element.reason != JRPC_VALID ? 1 : 0;
        due.nested += jrpc_json_is(it.value, JRPC_JSON_ARRAY) ? 1 : 0;
    }
    if (!clear) {
        due.form = JCK_FORM_UNCLEAR;
        due.kind = JCK_DUE_ANY;
        return due;
    }
    due.kind = due.calls > 0 ? JCK_DUE_BATCH : JCK_DUE_NOTHING;
    due.odd |= due.length > 8 ? JCK_ODD_SIZE : 0u;
    due.odd |= said_twice == TWINS_OF_CALLS ? JCK_ODD_TWINS : 0u;
    return due;
}

static jck_due due_for_text(jrpc_slice text)
{
    jck_due due = {.kind = JCK_DUE_ANY, .form = JCK_FORM_TEXT, .code = JRPC_PARSE_ERROR};
    due.null_id = true;
    if (is_cut(text)) {
        due.kind = JCK_DUE_ONE;
        due.form = JCK_FORM_CUT;
    }
    return due;
}

jck_due jck_due_for(const jck_due_context *context, jrpc_slice text, jrpc_json_document *document)
{
    jrpc_error error = {0};
    jrpc_input_kind kind = jrpc_input_read(document, text, JCK_MESSAGE_DEPTH, &error);
    if (error.code == JRPC_ERROR_LIMIT || error.code == JRPC_ERROR_MEMORY) {
        return (jck_due){.kind = JCK_DUE_ANY, .form = JCK_FORM_UNREADABLE};
    }
    jrpc_json root = jrpc_json_root(document);
    switch (kind) {
    case JRPC_INPUT_PARSE_ERROR:
        return due_for_text(text);
    case JRPC_INPUT_SINGLE:
        return jck_due_of(context, root);
    case JRPC_INPUT_BATCH:
        return due_for_batch(context, root);
    case JRPC_INPUT_EMPTY_BATCH:
        break;
    }
    return (jck_due){.kind = JCK_DUE_ONE,
                     .form = JCK_FORM_EMPTY,
                     .value = root,
                     .code = JRPC_INVALID_REQUEST,
                     .null_id = true};
}

static unsigned magnitude(size_t number)
{
    unsigned bits = 0;
    for (; number > 0; number >>= 2) {
        bits++;
    }
    return bits;
}

uint64_t jck_due_class(const jck_due *due)
{
    const bool fails = due->mapping != NULL && jrpc_slice_is(due->mapping->capability, "fail");
    const char parts[] = {(char)due->kind,
                          (char)fails,
                          (char)due->form,
                          (char)due->reason,
                          (char)due->odd,
                          (char)(due->odd >> 8),
                          (char)due->travel,
                          (char)jrpc_json_kind_of(due->id),
                          (char)jrpc_json_kind_of(due->params),
                          (char)magnitude(due->length)};
    return jrpc_hash_bytes(jrpc_slice_of(parts, sizeof parts));
}
