#include "harness/suite/amend.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

// What is nested deeper than an answer may be is sent unchanged.
#define AMENDED_DEPTH 20000u

typedef struct amending {
    jrpc_json members;
    jrpc_slice text;
    size_t copied; // how much of the text was written
    jrpc_buffer *out;
} amending;

static bool has_once(jrpc_json message, jrpc_slice name)
{
    return jrpc_json_member_occurrences(message, name) == 1;
}

static bool is_request(jrpc_json message)
{
    return jrpc_json_is(message, JRPC_JSON_OBJECT) && has_once(message, JRPC_SLICE("method")) &&
           jrpc_json_exists(jrpc_json_get(message, "id")) &&
           jrpc_json_member_occurrences(message, JRPC_SLICE("params")) <= 1 &&
           !jrpc_json_exists(jrpc_json_get(message, "result")) &&
           !jrpc_json_exists(jrpc_json_get(message, "error"));
}

static bool copy_to(amending *self, size_t end)
{
    jrpc_slice part = jrpc_slice_of(self->text.ptr + self->copied, end - self->copied);
    self->copied = end;
    return jrpc_buffer_append(self->out, part);
}

static bool is_among(jrpc_json object, jrpc_json key)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        if (jrpc_json_equal(it.key, key)) {
            return true;
        }
    }
    return false;
}

// The members that `params` (may be ABSENT) lacks, each followed by a comma if more follow.
static bool write_members(const amending *self, jrpc_json params)
{
    bool more = jrpc_json_exists(params) && jrpc_json_count(params) > 0;
    const char *between = "";
    bool done = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(self->members); done && jrpc_json_step(&it);) {
        if (jrpc_json_exists(params) && is_among(params, it.key)) {
            continue;
        }
        done = jrpc_buffer_append_str(self->out, between) &&
               jrpc_buffer_append(self->out, jrpc_json_spelling(it.key)) &&
               jrpc_buffer_append_char(self->out, ':') &&
               jrpc_buffer_append(self->out, jrpc_json_spelling(it.value));
        between = ",";
    }
    return done && (between[0] == '\0' || !more || jrpc_buffer_append_char(self->out, ','));
}

static bool amend_message(amending *self, jrpc_json message)
{
    jrpc_json params = jrpc_json_get(message, "params");
    if (!is_request(message)) {
        return true;
    }
    if (!jrpc_json_exists(params)) {
        size_t brace = jrpc_json_offset(message) + jrpc_json_spelling(message).len - 1;
        return copy_to(self, brace) && jrpc_buffer_append_str(self->out, ",\"params\":{") &&
               write_members(self, params) && jrpc_buffer_append_char(self->out, '}');
    }
    return !jrpc_json_is(params, JRPC_JSON_OBJECT) ||
           (copy_to(self, jrpc_json_offset(params) + 1) && write_members(self, params));
}

static bool amend_all(amending *self, jrpc_json root)
{
    bool done = amend_message(self, root);
    for (jrpc_json_iterator it = jrpc_json_iterate(root);
         done && jrpc_json_is(root, JRPC_JSON_ARRAY) && jrpc_json_step(&it);) {
        done = amend_message(self, it.value);
    }
    return done && copy_to(self, self->text.len);
}

bool jck_amend(jrpc_json members, jrpc_buffer *text, size_t from)
{
    if (!jrpc_json_is(members, JRPC_JSON_OBJECT)) {
        return true;
    }
    jrpc_json_document document;
    jrpc_buffer out;
    bool done = true;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), text->maximum);
    amending self = {
        .members = members, .text = jrpc_slice_from(jrpc_buffer_slice(text), from), .out = &out};
    if (jrpc_json_read(&document, self.text, AMENDED_DEPTH, NULL)) {
        done = amend_all(&self, jrpc_json_root(&document));
        if (done) {
            jrpc_buffer_truncate(text, from);
            done = jrpc_buffer_append(text, jrpc_buffer_slice(&out));
        }
    }
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&document);
    return done;
}
