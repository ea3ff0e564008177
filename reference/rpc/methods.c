#include "reference/rpc/methods.h"

#include "reference/base/checked.h"
#include "reference/base/hash.h"
#include "reference/base/limits.h"

enum { FIRST_SLOTS = 16 };

void jrpc_methods_init(jrpc_methods *methods, const jrpc_allocator *allocator)
{
    *methods = (jrpc_methods){.allocator = allocator};
    jrpc_arena_init(&methods->names, allocator, JRPC_LIMIT_METHOD_BYTES);
}

void jrpc_methods_done(jrpc_methods *methods)
{
    jrpc_deallocate(methods->allocator, methods->slots);
    jrpc_arena_done(&methods->names);
}

// The slot of a name, or the free one where it would go. The table is never full. Only what the
// program registers is in it, so a peer cannot make names collide.
static jrpc_registered *slot_of(jrpc_registered *slots, size_t slot_count, jrpc_slice name,
                                uint64_t hash)
{
    size_t mask = slot_count - 1;
    for (size_t at = (size_t)hash & mask;; at = (at + 1) & mask) {
        jrpc_registered *slot = &slots[at];
        if (slot->handler == NULL || (slot->hash == hash && jrpc_slice_equal(slot->name, name))) {
            return slot;
        }
    }
}

const jrpc_registered *jrpc_methods_find(const jrpc_methods *methods, jrpc_slice name)
{
    if (methods->slot_count == 0) {
        return NULL;
    }
    const jrpc_registered *slot =
        slot_of(methods->slots, methods->slot_count, name, jrpc_hash_bytes(name));
    return slot->handler == NULL ? NULL : slot;
}

// Makes room for one more while at most half of the slots are taken.
static bool grow(jrpc_methods *methods)
{
    if (methods->count < methods->slot_count / 2) {
        return true;
    }
    size_t slot_count = methods->slot_count == 0 ? FIRST_SLOTS : methods->slot_count * 2;
    size_t bytes;
    if (!jrpc_checked_multiply(slot_count, sizeof(jrpc_registered), &bytes)) {
        return false;
    }
    jrpc_registered *slots = jrpc_allocate(methods->allocator, bytes);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < slot_count; i++) {
        slots[i] = (jrpc_registered){.handler = NULL};
    }
    for (size_t i = 0; i < methods->slot_count; i++) {
        const jrpc_registered *old = &methods->slots[i];
        if (old->handler != NULL) {
            *slot_of(slots, slot_count, old->name, old->hash) = *old;
        }
    }
    jrpc_deallocate(methods->allocator, methods->slots);
    methods->slots = slots;
    methods->slot_count = slot_count;
    return true;
}

static bool name_is_new(const jrpc_method *method, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(method->parameters[i].name, method->parameters[index].name) == 0) {
            return false;
        }
    }
    return true;
}

static bool check_parameters(const jrpc_method *method, jrpc_error *error)
{
    if (method->any_params && method->parameter_count != 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "method %s takes any params and declares some", method->name);
    }
    if (method->parameter_count > JRPC_CALL_ARGUMENTS_MAX) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "method %s declares more than %d parameters", method->name,
                              JRPC_CALL_ARGUMENTS_MAX);
    }
    for (size_t i = 0; i < method->parameter_count; i++) {
        const jrpc_parameter *parameter = &method->parameters[i];
        if (parameter->name == NULL || parameter->name[0] == '\0') {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "parameter %zu of method %s has no name", i + 1, method->name);
        }
        if (!name_is_new(method, i)) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "method %s declares the parameter %s twice", method->name,
                                  parameter->name);
        }
        if (i != 0 && !parameter->optional && method->parameters[i - 1].optional) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "parameter %s of method %s is required behind an optional one",
                                  parameter->name, method->name);
        }
    }
    return true;
}

static bool check_method(const jrpc_methods *methods, const jrpc_method *method,
                         jrpc_handler handler, jrpc_error *error)
{
    if (method->name == NULL || method->name[0] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "a method needs a name");
    }
    if (handler == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "method %s needs a handler", method->name);
    }
    jrpc_slice name = jrpc_slice_str(method->name);
    if (jrpc_slice_starts_with(name, JRPC_SLICE("rpc."))) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "method %s: names that begin with rpc. are reserved", method->name);
    }
    if (jrpc_methods_find(methods, name) != NULL) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "method %s is registered already",
                              method->name);
    }
    return check_parameters(method, error);
}

// Copies what must outlive the caller's description.
static bool copy_method(jrpc_arena *arena, const jrpc_method *method, jrpc_registered *ret_entry)
{
    jrpc_registered entry = {.parameter_count = method->parameter_count,
                             .any_params = method->any_params};
    if (!jrpc_arena_copy(arena, jrpc_slice_str(method->name), &entry.name)) {
        return false;
    }
    if (method->parameter_count != 0) {
        jrpc_bound_parameter *parameters =
            jrpc_arena_array(arena, method->parameter_count, sizeof *parameters);
        if (parameters == NULL) {
            return false;
        }
        for (size_t i = 0; i < method->parameter_count; i++) {
            parameters[i].optional = method->parameters[i].optional;
            entry.required_count += parameters[i].optional ? 0 : 1;
            if (!jrpc_arena_copy(arena, jrpc_slice_str(method->parameters[i].name),
                                 &parameters[i].name)) {
                return false;
            }
        }
        entry.parameters = parameters;
    }
    *ret_entry = entry;
    return true;
}

bool jrpc_methods_add(jrpc_methods *methods, const jrpc_method *method, const jrpc_route *route,
                      jrpc_handler handler, void *context, jrpc_error *error)
{
    if (!check_method(methods, method, handler, error)) {
        return false;
    }
    jrpc_registered entry;
    if (!grow(methods) || !copy_method(&methods->names, method, &entry)) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for method %s", method->name);
    }
    entry.hash = jrpc_hash_bytes(entry.name);
    entry.handler = handler;
    entry.context = context;
    entry.route = route;
    *slot_of(methods->slots, methods->slot_count, entry.name, entry.hash) = entry;
    methods->count++;
    return true;
}
