#include "harness/suite/call.h"

#include "harness/suite/payload.h"
#include "reference/json/equal.h"

typedef struct writing {
    const jck_payload_visitor *visitor;
    const jck_call *call;
    jrpc_json params; // of the case; or ABSENT
} writing;

static bool write_value(const writing *self, jrpc_json value);

static bool write_text(const writing *self, jrpc_slice spelling)
{
    return jck_payload_visit_json(spelling, self->visitor);
}

static bool write_str(const writing *self, const char *text)
{
    return self->visitor->literal == NULL ||
           self->visitor->literal(self->visitor->context, jrpc_slice_str(text));
}

// The method's name for a param of the case.
static jrpc_json renamed(const jck_call *call, jrpc_json key)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(call->names); jrpc_json_step(&it);) {
        if (jrpc_json_equal(it.key, key)) {
            return it.value;
        }
    }
    return key;
}

static bool write_params(const writing *self)
{
    if (!jrpc_json_is(self->params, JRPC_JSON_OBJECT)) {
        return write_text(self, jrpc_json_spelling(self->params));
    }
    bool done = write_str(self, "{");
    const char *between = "";
    for (jrpc_json_iterator it = jrpc_json_iterate(self->params); done && jrpc_json_step(&it);) {
        done = write_str(self, between) &&
               write_text(self, jrpc_json_spelling(renamed(self->call, it.key))) &&
               write_str(self, ":") && write_text(self, jrpc_json_spelling(it.value));
        between = ",";
    }
    return done && write_str(self, "}");
}

bool jck_is_params_variable(jrpc_json token, jrpc_slice *ret_pointer)
{
    jrpc_slice name;
    if (!jck_is_variable(token, &name) || !jrpc_slice_starts_with(name, JRPC_SLICE("params"))) {
        return false;
    }
    *ret_pointer = jrpc_slice_from(name, strlen("params"));
    return ret_pointer->len == 0 || ret_pointer->ptr[0] == '/';
}

// Whether a value of the template is a part of the params that the case does not have.
static bool is_left_out(const writing *self, jrpc_json value)
{
    jrpc_slice pointer;
    return jck_is_params_variable(value, &pointer) &&
           !jrpc_json_exists(jrpc_json_pointer(self->params, pointer));
}

static bool write_container(const writing *self, jrpc_json container, const char *open,
                            const char *close)
{
    bool done = write_str(self, open);
    const char *between = "";
    for (jrpc_json_iterator it = jrpc_json_iterate(container); done && jrpc_json_step(&it);) {
        if (is_left_out(self, it.value)) {
            continue;
        }
        done = write_str(self, between) &&
               (!it.members ||
                (write_text(self, jrpc_json_spelling(it.key)) && write_str(self, ":"))) &&
               write_value(self, it.value);
        between = ",";
    }
    return done && write_str(self, close);
}

// A value of the template.
static bool write_value(const writing *self, jrpc_json value)
{
    jrpc_slice pointer;
    if (jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return write_container(self, value, "{", "}");
    }
    if (jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        return write_container(self, value, "[", "]");
    }
    if (jck_is_params_variable(value, &pointer)) {
        return pointer.len == 0
                   ? write_params(self)
                   : write_text(self, jrpc_json_spelling(jrpc_json_pointer(self->params, pointer)));
    }
    return write_text(self, jrpc_json_spelling(value));
}

const jck_call *jck_call_in(jrpc_json message, jck_call_of call_of, void *context)
{
    jrpc_slice capability;
    jrpc_json params = jrpc_json_get(message, "params");
    bool callable = jck_is_variable(jrpc_json_get(message, "method"), &capability) &&
                    jrpc_json_member_occurrences(message, JRPC_SLICE("method")) == 1 &&
                    jrpc_json_member_occurrences(message, JRPC_SLICE("params")) <= 1 &&
                    (!jrpc_json_exists(params) || jrpc_json_is(params, JRPC_JSON_ARRAY) ||
                     jrpc_json_is(params, JRPC_JSON_OBJECT));
    return callable ? call_of(context, capability) : NULL;
}

// Writes the payload's text up to the params of a message, then the params as its call wraps them.
// `*copied` is how far the text was written.
static bool write_message(jrpc_json message, const jck_call *call,
                          const jck_payload_visitor *visitor, size_t *copied)
{
    jrpc_slice text = message.document->text;
    jrpc_json params = jrpc_json_get(message, "params");
    bool given = jrpc_json_exists(params);
    writing self = {visitor, call, params};
    size_t brace = jrpc_json_offset(message) + jrpc_json_spelling(message).len - 1;
    size_t at = given ? jrpc_json_offset(params) : brace;
    size_t behind = given ? at + jrpc_json_spelling(params).len : brace;
    if (!given && !jrpc_json_exists(call->params)) {
        return true;
    }
    bool done =
        write_text(&self, jrpc_slice_of(text.ptr + *copied, at - *copied)) &&
        (given || write_str(&self, ",\"params\":")) &&
        (jrpc_json_exists(call->params) ? write_value(&self, call->params) : write_params(&self));
    *copied = behind;
    return done;
}

typedef struct calling {
    jck_call_of call_of;
    void *context;
    size_t mentions; // of capabilities that `call_of` wraps
} calling;

static bool count_mention(void *context, jrpc_slice name, bool quoted)
{
    (void)quoted;
    calling *with = context;
    with->mentions += with->call_of(with->context, name) != NULL ? 1 : 0;
    return true;
}

bool jck_call_is_spelled_out(const jck_payload *payload, jck_call_of call_of, void *context)
{
    calling with = {call_of, context, 0};
    const jck_payload_visitor visitor = {.variable = count_mention, .context = &with};
    (void)jck_payload_visit(payload, &visitor);
    size_t calls = 0;
    if (payload->kind == JCK_PAYLOAD_JSON && with.mentions > 0) {
        calls += jck_call_in(payload->json, call_of, context) != NULL ? 1 : 0;
        bool batch = jrpc_json_is(payload->json, JRPC_JSON_ARRAY);
        jrpc_json_iterator elements = jrpc_json_iterate(payload->json);
        while (batch && jrpc_json_step(&elements)) {
            calls += jck_call_in(elements.value, call_of, context) != NULL ? 1 : 0;
        }
    }
    return with.mentions > calls;
}

static bool write_payload(jrpc_json root, const calling *with, const jck_payload_visitor *visitor)
{
    jrpc_slice spelling = jrpc_json_spelling(root);
    size_t copied = jrpc_json_offset(root);
    size_t end = copied + spelling.len;
    const jck_call *call = jck_call_in(root, with->call_of, with->context);
    bool done = call == NULL || write_message(root, call, visitor, &copied);
    bool batch = jrpc_json_is(root, JRPC_JSON_ARRAY);
    jrpc_json_iterator elements = jrpc_json_iterate(root);
    while (done && batch && jrpc_json_step(&elements)) {
        call = jck_call_in(elements.value, with->call_of, with->context);
        done = call == NULL || write_message(elements.value, call, visitor, &copied);
    }
    jrpc_slice rest = {root.document->text.ptr + copied, end - copied};
    return done && jck_payload_visit_json(rest, visitor);
}

bool jck_call_expand(const jck_payload *payload, jck_resolve resolve, jck_call_of call_of,
                     void *context, jrpc_buffer *out, jrpc_error *error)
{
    if (payload->kind != JCK_PAYLOAD_JSON) {
        return jck_payload_expand(payload, resolve, context, out, error);
    }
    jck_expansion expansion = {resolve, context, out, error, payload->tokens};
    jck_payload_visitor visitor = jck_expansion_visitor(&expansion);
    return write_payload(payload->json, &(calling){call_of, context, 0}, &visitor);
}
