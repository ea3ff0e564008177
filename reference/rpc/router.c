#include "reference/rpc/router.h"

#include "reference/base/limits.h"
#include "reference/rpc/bind.h"
#include "reference/rpc/failure.h"
#include "reference/rpc/methods.h"
#include "reference/rpc/routes.h"

struct jrpc_router {
    const jrpc_allocator *allocator;
    jrpc_role role;
    jrpc_hooks hooks;
    jrpc_methods methods;
    jrpc_routes routes;
    jrpc_authorization may; // NULL: everybody may call every route
    void *may_context;
};

// One text on its way: what its parts share. `public` is what hooks see.
typedef struct run {
    const jrpc_router *router;
    jrpc_exchange public;
    jrpc_arena arena;
    jrpc_json_document document;
    jrpc_buffer result;  // what the present handler writes
    jrpc_buffer replies; // a batch's Responses, one after the other
    jrpc_buffer *out;
} run;

jrpc_router *jrpc_router_new(const jrpc_allocator *allocator, jrpc_role role,
                             const jrpc_hooks *hooks)
{
    jrpc_router *router = jrpc_allocate(allocator, sizeof *router);
    if (router == NULL) {
        return NULL;
    }
    *router = (jrpc_router){.allocator = allocator, .role = role};
    if (hooks != NULL) {
        router->hooks = *hooks;
    }
    jrpc_methods_init(&router->methods, allocator);
    jrpc_routes_init(&router->routes, allocator);
    return router;
}

void jrpc_router_free(jrpc_router *router)
{
    if (router == NULL) {
        return;
    }
    jrpc_methods_done(&router->methods);
    jrpc_routes_done(&router->routes);
    jrpc_deallocate(router->allocator, router);
}

bool jrpc_router_add(jrpc_router *router, const jrpc_method *method, jrpc_handler handler,
                     void *context, jrpc_error *error)
{
    return jrpc_methods_add(&router->methods, method, NULL, handler, context, error);
}

bool jrpc_router_add_route(jrpc_router *router, const jrpc_route *route, const jrpc_method *takes,
                           jrpc_handler handler, void *context, jrpc_error *error)
{
    struct jrpc_routes_entry *entry;
    if (!jrpc_routes_prepare(&router->routes, route, router->role, &entry, error)) {
        return false;
    }
    jrpc_method method = *takes;
    method.name = jrpc_routes_name(entry);
    if (!jrpc_methods_add(&router->methods, &method, jrpc_routes_route(entry), handler, context,
                          error)) {
        return false;
    }
    jrpc_routes_commit(&router->routes, entry);
    return true;
}

void jrpc_router_authorize(jrpc_router *router, jrpc_authorization may, void *context)
{
    router->may = may;
    router->may_context = context;
}

size_t jrpc_router_method_count(const jrpc_router *router)
{
    return router->methods.count;
}

// Writes a Response that is filled but for its version and id. False when memory is out.
static bool respond(run *at, jrpc_buffer *out, const jrpc_message *message, jrpc_response *response)
{
    response->version = JRPC_SLICE("\"2.0\"");
    response->id = message == NULL ? JRPC_SLICE("null") : jrpc_json_spelling(message->reply_id);
    if (response->id.len == 0) {
        response->id = JRPC_SLICE("null");
    }
    const jrpc_hooks *hooks = &at->router->hooks;
    if (hooks->response != NULL) {
        hooks->response(hooks->context, &at->public, message, response);
    }
    return jrpc_response_write(out, response);
}

static bool respond_error(run *at, jrpc_buffer *out, const jrpc_message *message, int code)
{
    jrpc_response response = {.suppressed = false};
    return jrpc_failure_fill(&response, &at->arena, code) && respond(at, out, message, &response);
}

// An Invalid Request, with what is wrong about its structured members as data.
static bool refuse_fields(run *at, jrpc_resource_reason reason, jrpc_response *response)
{
    const char *text = jrpc_resource_reason_text(reason);
    const char *data = jrpc_arena_printf(&at->arena, "\"%s\"", text);
    response->data = jrpc_slice_str(data);
    return data != NULL && jrpc_failure_fill(response, &at->arena, JRPC_INVALID_REQUEST);
}

// What is wrong about a message's structured members, where they count.
static jrpc_resource_reason check_fields(const run *at, const jrpc_message *message,
                                         const jrpc_call *call)
{
    if (at->router->routes.count == 0) {
        return JRPC_RESOURCE_VALID;
    }
    jrpc_resource_reason reason = jrpc_resource_check(call->fields, call->method);
    if (reason == JRPC_RESOURCE_VALID && message->kind != JRPC_MESSAGE_RESULT &&
        (jrpc_json_string_is(call->fields->verb, JRPC_SLICE("yield")) ||
         jrpc_json_string_is(call->fields->verb, JRPC_SLICE("return")))) {
        return JRPC_RESOURCE_RESERVED_VERB;
    }
    return reason;
}

// RO-JRPC 1.0, section 11.
static bool describe(run *at, const jrpc_call *call, jrpc_response *response)
{
    if (jrpc_json_count(call->params) != 0) {
        return jrpc_failure_fill(response, &at->arena, JRPC_INVALID_PARAMS);
    }
    jrpc_routes_describe(&at->router->routes, call->result);
    response->result = jrpc_buffer_slice(&at->result);
    return !at->result.failed;
}

// Fills the Response of a call that its handler has taken. False when memory is out.
static bool conclude(run *at, const jrpc_call *call, bool succeeded, jrpc_response *response)
{
    if (succeeded) {
        response->result =
            at->result.len == 0 ? JRPC_SLICE("null") : jrpc_buffer_slice(&at->result);
        response->cache = call->cache;
        return !at->result.failed;
    }
    if (call->memory_out) {
        return false;
    }
    if (call->code.len == 0) {
        return jrpc_failure_fill(response, &at->arena,
                                 call->allowed ? JRPC_INTERNAL_ERROR : JRPC_DENIED);
    }
    response->code = call->code;
    response->message = call->message;
    response->data = call->data;
    return true;
}

// Looks the method up, binds and calls; fills the Response. False when memory is out.
static bool dispatch(run *at, const jrpc_message *message, jrpc_response *response)
{
    jrpc_json_writer writer;
    jrpc_buffer_clear(&at->result);
    jrpc_json_writer_init(&writer, &at->result);
    const jrpc_resource fields =
        jrpc_resource_read(at->router->routes.count == 0 ? JRPC_JSON_ABSENT : message->value);
    jrpc_call call = {
        .fields = &fields,
        .allowed = true,
        .params = message->params,
        .notification = message->kind != JRPC_MESSAGE_CALL,
        .id = message->id,
        .arena = &at->arena,
        .result = &writer,
        .connection = at->public.connection,
        .source = message,
    };
    if (!jrpc_json_is(message->method, JRPC_JSON_STRING)) {
        call.method = jrpc_json_spelling(message->method); // only where a hook called it valid
    } else if (!jrpc_json_string(message->method, &at->arena, &call.method)) {
        return false;
    }
    jrpc_resource_reason reason = check_fields(at, message, &call);
    if (reason != JRPC_RESOURCE_VALID) {
        return refuse_fields(at, reason, response);
    }
    const jrpc_registered *method = jrpc_methods_find(&at->router->methods, call.method);
    if (method == NULL) {
        if (at->router->routes.count != 0 && jrpc_slice_is(call.method, "rpc.describe")) {
            return describe(at, &call, response);
        }
        return jrpc_failure_fill(response, &at->arena, JRPC_METHOD_NOT_FOUND);
    }
    call.route = method->route;
    bool fits = jrpc_bind(method, &call);
    if (call.route != NULL && at->router->may != NULL) {
        call.allowed = at->router->may(at->router->may_context, &call);
    }
    const jrpc_hooks *hooks = &at->router->hooks;
    if (hooks->bind != NULL) {
        hooks->bind(hooks->context, &at->public, &call, &fits);
    }
    if (!call.allowed) {
        return conclude(at, &call, false, response);
    }
    if (!fits) {
        return jrpc_failure_fill(response, &at->arena, JRPC_INVALID_PARAMS);
    }
    call.code = call.message = call.data = (jrpc_slice){NULL, 0};
    return conclude(at, &call, method->handler(method->context, &call), response);
}

static bool is_dispatched(const jrpc_router *router, const jrpc_message *message)
{
    if (message->reply_code != 0) {
        return false;
    }
    bool dispatched = false;
    switch (message->kind) {
    case JRPC_MESSAGE_CALL:
    case JRPC_MESSAGE_NOTIFICATION:
        dispatched = true;
        break;
    case JRPC_MESSAGE_RESULT:
        dispatched = router->role == JRPC_ROLE_CLIENT;
        break;
    case JRPC_MESSAGE_INVALID:
    case JRPC_MESSAGE_RESPONSE:
        break;
    }
    return dispatched;
}

// One message; its Response, if one is owed, goes to `out`. False when memory is out.
static bool handle_message(run *at, jrpc_json value, jrpc_buffer *out)
{
    jrpc_message message = jrpc_message_classify(value);
    const jrpc_hooks *hooks = &at->router->hooks;
    if (hooks->message != NULL) {
        hooks->message(hooks->context, &at->public, &message);
    }
    if (!is_dispatched(at->router, &message)) {
        int code = message.reply_code == 0 ? JRPC_INVALID_REQUEST : message.reply_code;
        return !message.reply_owed || respond_error(at, out, &message, code);
    }
    jrpc_response response = {.suppressed = false};
    if (!dispatch(at, &message, &response)) {
        return false;
    }
    return !message.reply_owed || respond(at, out, &message, &response);
}

// Handles every element in order; where each Response ends in at->replies goes to `ends`.
static bool handle_elements(run *at, jrpc_json batch, size_t *ends, size_t *ret_count)
{
    size_t count = 0;
    at->public.in_batch = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        size_t before = at->replies.len;
        if (!handle_message(at, it.value, &at->replies)) {
            return false;
        }
        if (at->replies.len != before) {
            ends[count++] = at->replies.len;
        }
        at->public.batch_index++;
    }
    *ret_count = count;
    return true;
}

static bool write_batch(const jrpc_batch_reply *reply, jrpc_buffer *out)
{
    for (size_t i = 0; i < reply->count; i++) {
        if (i != 0 || !reply->bare) {
            jrpc_buffer_append_char(out, i == 0 ? '[' : ',');
        }
        jrpc_buffer_append(out, reply->elements[i]);
    }
    if (reply->count != 0 && !reply->bare) {
        jrpc_buffer_append_char(out, ']');
    }
    return !out->failed;
}

// Section 6.
static bool handle_batch(run *at, jrpc_json batch)
{
    size_t requested = jrpc_json_is(batch, JRPC_JSON_ARRAY) ? jrpc_json_count(batch) : 0;
    if (requested > JRPC_LIMIT_BATCH_ELEMENTS) {
        return respond_error(at, at->out, NULL, JRPC_INVALID_REQUEST);
    }
    jrpc_batch_reply reply = {.requested = requested};
    size_t *ends = jrpc_arena_array(&at->arena, requested + 1, sizeof *ends);
    if (ends == NULL || (requested != 0 && !handle_elements(at, batch, ends, &reply.count))) {
        return false;
    }
    reply.elements = jrpc_arena_array(&at->arena, reply.count + 1, sizeof *reply.elements);
    if (reply.elements == NULL) {
        return false;
    }
    for (size_t i = 0; i < reply.count; i++) {
        size_t begin = i == 0 ? 0 : ends[i - 1];
        reply.elements[i] = jrpc_slice_of(at->replies.ptr + begin, ends[i] - begin);
    }
    const jrpc_hooks *hooks = &at->router->hooks;
    if (hooks->batch != NULL) {
        hooks->batch(hooks->context, &at->public, &reply);
    }
    return write_batch(&reply, at->out);
}

static bool handle_text(run *at, jrpc_slice text, uint32_t max_depth)
{
    const jrpc_hooks *hooks = &at->router->hooks;
    if (hooks->text != NULL) {
        hooks->text(hooks->context, &at->public, &text);
    }
    jrpc_error unread = {.code = JRPC_OK};
    jrpc_input_kind kind = jrpc_input_read(&at->document, text, max_depth, &unread);
    if (unread.code == JRPC_ERROR_MEMORY) {
        return false;
    }
    jrpc_json root = jrpc_json_root(&at->document);
    if (hooks->input != NULL) {
        hooks->input(hooks->context, &at->public, root, &kind);
    }
    bool handled = false;
    switch (kind) {
    case JRPC_INPUT_PARSE_ERROR:
        handled = respond_error(at, at->out, NULL, JRPC_PARSE_ERROR);
        break;
    case JRPC_INPUT_EMPTY_BATCH:
        handled = respond_error(at, at->out, NULL, JRPC_INVALID_REQUEST);
        break;
    case JRPC_INPUT_BATCH:
        handled = handle_batch(at, root);
        break;
    case JRPC_INPUT_SINGLE:
        handled = handle_message(at, root, at->out);
        break;
    }
    return handled;
}

jrpc_reply jrpc_router_handle(const jrpc_router *router, jrpc_slice text, uint32_t max_depth,
                              void *connection, jrpc_buffer *out, jrpc_error *error)
{
    run at = {.router = router, .out = out};
    at.public = (jrpc_exchange){.input = text, .arena = &at.arena, .connection = connection};
    jrpc_arena_init(&at.arena, router->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_json_document_init(&at.document, router->allocator);
    jrpc_buffer_init(&at.result, router->allocator, out->maximum);
    jrpc_buffer_init(&at.replies, router->allocator, out->maximum);
    size_t before = out->len;
    jrpc_reply reply = JRPC_REPLY_FAILED;
    if (handle_text(&at, text, max_depth)) {
        reply = out->len == before ? JRPC_REPLY_NOTHING : JRPC_REPLY_TEXT;
    } else {
        jrpc_buffer_truncate(out, before);
        jrpc_error_set(error, JRPC_ERROR_MEMORY,
                       "memory is out, or the answer is longer than %zu bytes", out->maximum);
    }
    jrpc_buffer_done(&at.replies);
    jrpc_buffer_done(&at.result);
    jrpc_json_document_done(&at.document);
    jrpc_arena_done(&at.arena);
    return reply;
}
