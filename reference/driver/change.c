#include "reference/driver/change.h"

#include "reference/json/read.h"
#include "reference/json/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A fault is a test tool: if out of memory it must not pass for correct behaviour.
static const jrpc_allocator *arena_allocator(jrpc_change *change)
{
    const jrpc_allocator *allocator = jrpc_arena_allocator(change->arena);
    if (allocator == NULL) {
        abort();
    }
    return allocator;
}

jrpc_buffer jrpc_change_buffer(jrpc_change *change)
{
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, arena_allocator(change), SIZE_MAX / 4);
    return buffer;
}

jrpc_json jrpc_change_json(jrpc_change *change, jrpc_slice text)
{
    jrpc_json_document *document = jrpc_arena_alloc(change->arena, sizeof *document);
    if (document == NULL) {
        abort();
    }
    jrpc_json_document_init(document, arena_allocator(change));
    return jrpc_json_read(document, text, UINT32_MAX, NULL) ? jrpc_json_root(document)
                                                            : JRPC_JSON_ABSENT;
}

static void append_leaves(jrpc_change *change, jrpc_buffer *out, jrpc_json value,
                          jrpc_json_kind kind,
                          jrpc_slice (*respell)(jrpc_change *change, jrpc_slice spelling))
{
    jrpc_json_kind is = jrpc_json_kind_of(value);
    if (is != JRPC_JSON_ARRAY && is != JRPC_JSON_OBJECT) {
        jrpc_slice spelling = jrpc_json_spelling(value);
        jrpc_buffer_append(out, is == kind ? respell(change, spelling) : spelling);
        return;
    }
    bool first = true;
    jrpc_buffer_append_char(out, is == JRPC_JSON_ARRAY ? '[' : '{');
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        jrpc_buffer_append_str(out, first ? "" : ",");
        first = false;
        if (jrpc_json_exists(it.key)) {
            jrpc_buffer_append(out, jrpc_json_spelling(it.key));
            jrpc_buffer_append_char(out, ':');
        }
        append_leaves(change, out, it.value, kind, respell);
    }
    jrpc_buffer_append_char(out, is == JRPC_JSON_ARRAY ? ']' : '}');
}

jrpc_json jrpc_change_leaves(jrpc_change *change, jrpc_json value, jrpc_json_kind kind,
                             jrpc_slice (*respell)(jrpc_change *change, jrpc_slice spelling))
{
    enum { DEEPEST = 1000 };
    jrpc_slice text = jrpc_json_spelling(value);
    jrpc_json_document unused;
    jrpc_json_document_init(&unused, jrpc_allocator_heap());
    bool shallow = jrpc_json_read(&unused, text, DEEPEST, NULL);
    jrpc_json_document_done(&unused);
    if (!shallow) {
        return value;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    append_leaves(change, &out, value, kind, respell);
    return jrpc_change_json(change, jrpc_buffer_slice(&out));
}

jrpc_slice jrpc_change_round(jrpc_change *change, jrpc_slice spelling)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append(&out, spelling);
    jrpc_buffer_append_char(&out, '\0');
    double value = strtod(out.ptr, NULL);
    jrpc_buffer_clear(&out);
    if (!isfinite(value)) {
        return spelling;
    }
    for (int digits = 1; digits <= 17; digits++) {
        jrpc_buffer_clear(&out);
        jrpc_buffer_printf(&out, "%.*g", digits, value);
        jrpc_buffer_append_char(&out, '\0');
        if (strtod(out.ptr, NULL) == value) {
            break;
        }
    }
    return jrpc_slice_of(out.ptr, out.len - 1);
}

jrpc_slice jrpc_change_replace(jrpc_change *change, jrpc_slice text, const char *from,
                               const char *to)
{
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_slice part = jrpc_slice_str(from);
    for (size_t at = 0; at < text.len;) {
        if (jrpc_slice_starts_with(jrpc_slice_from(text, at), part)) {
            jrpc_buffer_append_str(&out, to);
            at += part.len;
        } else {
            jrpc_buffer_append_char(&out, text.ptr[at++]);
        }
    }
    return jrpc_buffer_slice(&out);
}

bool jrpc_change_is_asking(jrpc_change *change, jrpc_slice text)
{
    jrpc_json root = jrpc_change_json(change, text);
    jrpc_json first = jrpc_json_is(root, JRPC_JSON_ARRAY) ? jrpc_json_element(root, 0) : root;
    return jrpc_json_exists(jrpc_json_get(first, "method"));
}

void jrpc_change_note_call(jrpc_driver *driver, jrpc_slice id)
{
    jrpc_driver_memory *memory = &driver->memory;
    size_t most = sizeof memory->under_way / sizeof *memory->under_way;
    if (id.len > 0 && memory->under_way_count < most) {
        uint64_t number = 0;
        for (size_t i = 0; i < id.len; i++) {
            number = number * 10 + (uint64_t)(id.ptr[i] - '0');
        }
        memory->under_way[memory->under_way_count++] = number;
    }
}

void jrpc_change_forget_call(jrpc_driver *driver, uint64_t id)
{
    jrpc_driver_memory *memory = &driver->memory;
    size_t kept = 0;
    for (size_t i = 0; i < memory->under_way_count; i++) {
        if (memory->under_way[i] != id) {
            memory->under_way[kept++] = memory->under_way[i];
        }
    }
    memory->under_way_count = kept;
}

bool jrpc_change_is_under_way(const jrpc_driver *driver, uint64_t id)
{
    for (size_t i = 0; i < driver->memory.under_way_count; i++) {
        if (driver->memory.under_way[i] == id) {
            return true;
        }
    }
    return false;
}

static void set_member(jrpc_change *change, jrpc_request *request)
{
    jrpc_slice *member = (jrpc_slice *)(void *)((char *)request + change->fault->member);
    *member = jrpc_slice_str(change->fault->spelling);
}

void jrpc_row_request_member(jrpc_change *change, const jrpc_call_parts *parts,
                             jrpc_request *request)
{
    (void)parts;
    set_member(change, request);
}

void jrpc_row_call_member(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    if (!parts->notification) {
        set_member(change, request);
    }
}

void jrpc_row_notification_member(jrpc_change *change, const jrpc_call_parts *parts,
                                  jrpc_request *request)
{
    if (parts->notification) {
        set_member(change, request);
    }
}

void jrpc_row_params(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    (void)parts;
    if (request->params.len > 0) {
        request->params = change->fault->respell(change, request->params);
    }
}

void jrpc_row_outgoing(jrpc_change *change, jrpc_slice *text)
{
    if (jrpc_change_is_asking(change, *text)) {
        *text = change->fault->respell(change, *text);
    }
}

bool jrpc_row_result(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    const jrpc_client_fault *fault = change->fault;
    if (answer->kind == JRPC_ANSWER_RESULT &&
        (fault->is_value == NULL || fault->is_value(answer->value))) {
        answer->value =
            jrpc_change_json(change, fault->respell(change, jrpc_json_spelling(answer->value)));
    }
    return true;
}

bool jrpc_row_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    return answer->kind != change->fault->ends;
}

bool jrpc_row_crash_own(jrpc_change *change, const jrpc_message *message)
{
    if (change->fault->is(message)) {
        abort();
    }
    return true;
}

void jrpc_row_crash_stray(jrpc_change *change, jrpc_stray_kind kind, jrpc_slice text)
{
    (void)text;
    if (kind == change->fault->kind) {
        abort();
    }
}
