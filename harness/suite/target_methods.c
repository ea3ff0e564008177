// The methods of a target for the suite's capabilities.
#include "harness/suite/target_private.h"

// The state while one mapping is read.
typedef struct loading {
    jck_reader *reader;
    const jck_scope *captured;
    jck_call call;
    bool calls; // a member of `call` was given
} loading;

// "by-name": the case's name of a param → the method's.
static void load_names(loading *self, jrpc_json by_name)
{
    if (!jrpc_json_exists(by_name) ||
        !jck_read_kind(self->reader, by_name, "by-name", JRPC_JSON_OBJECT)) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(by_name); jrpc_json_step(&it);) {
        const char *name;
        if (jck_read_string_value(self->reader, it.value, "by-name", &name) &&
            !jrpc_json_string_is(it.key, jrpc_slice_str(name))) {
            self->calls = true;
            self->call.names = by_name;
        }
    }
}

// Every String of a template that begins like a variable must be one: the params, a part of them,
// or something that the prelude captures.
static void check_template(loading *self, jrpc_json template)
{
    const jrpc_json_document *document = template.document;
    uint32_t end = document->nodes[template.index].next;
    for (uint32_t i = template.index; i < end; i++) {
        jrpc_json token = {document, i};
        jrpc_slice name = {NULL, 0};
        jrpc_slice pointer;
        bool known = !jck_is_variable(token, &name) || jck_is_params_variable(token, &pointer);
        for (size_t k = 0; !known && k < self->captured->captured_count; k++) {
            known = jrpc_slice_equal(self->captured->captured[k], name);
        }
        if (!known) {
            (void)jck_wrong(self->reader, token,
                            "${%.*s} means nothing here; known are ${params}, ${params/POINTER} "
                            "and what the prelude captures",
                            JCK_WORD(name));
        }
    }
}

static void load_template(loading *self, jrpc_json params)
{
    if (!jrpc_json_exists(params)) {
        return;
    }
    if (!jrpc_json_is(params, JRPC_JSON_OBJECT) && !jrpc_json_is(params, JRPC_JSON_ARRAY)) {
        (void)jck_wrong(self->reader, params,
                        "params is an Object or an Array that holds \"${params}\" where the "
                        "params of a case go");
        return;
    }
    check_template(self, params);
    self->calls = true;
    self->call.params = params;
}

// "result": a JSON Pointer, or an Object {"at": POINTER, "as": "json-text"}.
static void load_result(loading *self, jrpc_json mapping)
{
    static const char *const members[] = {"at", "as", NULL};
    jrpc_json result = jrpc_json_get(mapping, "result");
    jrpc_json holder = mapping;
    const char *name = "result";
    if (jrpc_json_is(result, JRPC_JSON_OBJECT)) {
        jrpc_slice form = {NULL, 0};
        holder = result;
        name = "at";
        if (!jck_read_object(self->reader, result, "result", members)) {
            return;
        }
        if (jck_read_text(self->reader, result, "as", false, &form) &&
            !jrpc_slice_is(form, "json-text")) {
            (void)jck_wrong(self->reader, jrpc_json_get(result, "as"),
                            "as takes \"json-text\": a String that holds the result as JSON");
        }
        self->call.in_text = form.len > 0;
    }
    (void)jck_read_text(self->reader, holder, name, false, &self->call.result);
    if (self->call.result.len > 0 && self->call.result.ptr[0] != '/') {
        (void)jck_wrong(
            self->reader, jrpc_json_get(holder, name),
            "a JSON Pointer begins with a slash, such as \"/structuredContent/result\"");
    }
    self->calls = self->calls || self->call.result.len > 0 || self->call.in_text;
}

// A mapping that is an Object. False after a diagnostic that leaves nothing to map.
static bool load_object(loading *self, jrpc_json value, jck_mapping *ret)
{
    static const char *const members[] = {"method", "by-position", "by-name",
                                          "params", "result",      NULL};
    if (!jck_read_object(self->reader, value, "a mapping", members) ||
        !jck_read_text(self->reader, value, "method", true, &ret->method)) {
        return false;
    }
    jrpc_json by_position = jrpc_json_get(value, "by-position");
    jrpc_json by_name = jrpc_json_get(value, "by-name");
    if (jrpc_json_exists(by_position)) {
        (void)jck_read_kind(self->reader, by_position, "by-position", JRPC_JSON_ARRAY);
    }
    ret->by_position = jrpc_json_exists(by_position);
    ret->by_name = jrpc_json_exists(by_name);
    load_names(self, by_name);
    load_template(self, jrpc_json_get(value, "params"));
    load_result(self, value);
    if (self->calls) {
        jck_call *kept = jck_reader_array(self->reader, 1, sizeof *kept);
        if (kept == NULL) {
            return false;
        }
        *kept = self->call;
        ret->call = kept;
    }
    return true;
}

void jck_load_methods(jck_reader *reader, const jck_scope *captured, jrpc_json methods,
                      const jck_mapping **list, size_t *count)
{
    if (!jrpc_json_exists(methods) ||
        !jck_read_object(reader, methods, "methods", jck_capabilities())) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(methods); jrpc_json_step(&it);) {
        jrpc_error error = {0};
        jck_mapping mapping = {.by_position = true, .by_name = true};
        loading self = {.reader = reader, .captured = captured};
        bool plain = jrpc_json_is(it.value, JRPC_JSON_STRING);
        if (!jrpc_json_string(it.key, reader->arena, &mapping.capability) ||
            (plain && !jrpc_json_string(it.value, reader->arena, &mapping.method))) {
            (void)jck_reader_starve(reader);
            return;
        }
        if (!plain && !load_object(&self, it.value, &mapping)) {
            continue;
        }
        if (!jck_mapping_add(reader->arena, list, count, &mapping, &error)) {
            (void)jck_reader_starve(reader);
            return;
        }
    }
}
