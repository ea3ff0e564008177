#include "harness/suite/target.h"

#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/parse.h"
#include "harness/suite/secret.h"
#include "harness/suite/target_private.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <string.h>
#include <unistd.h>

#define QUERY_BYTES ((size_t)4 << 20)

const jrpc_traits *jck_target_traits(const jck_target *target)
{
    return jrpc_transport_traits(target->transport);
}

bool jck_target_can_push(const jck_target *target)
{
    return jck_target_traits(target)->can_push || target->events_url != NULL;
}

void jck_target_init(jck_target *target)
{
    *target = (jck_target){.transport = JRPC_TRANSPORT_STDIO, .framing = JRPC_FRAMING_LINE};
    jrpc_arena_init(&target->arena, jrpc_allocator_heap(), JCK_LIMIT_TARGET_BYTES);
}

void jck_target_done(jck_target *target)
{
    jrpc_arena_done(&target->arena);
    if (target->port_claim > 0) {
        (void)close(target->port_claim);
    }
    *target = (jck_target){0};
}

void *jck_target_alloc(jck_target *target, size_t count, size_t size, jrpc_error *error)
{
    void *room = jrpc_arena_array(&target->arena, count, size);
    if (room == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    return room;
}

bool jck_target_set_name(jck_target *target, jrpc_slice words, jrpc_error *error)
{
    jrpc_buffer masked;
    jrpc_buffer_init(&masked, jrpc_allocator_heap(), SIZE_MAX);
    bool named = jck_mask_secrets(&masked, words) &&
                 jrpc_arena_copy(&target->arena, jrpc_buffer_slice(&masked), &target->name);
    jrpc_buffer_done(&masked);
    return named || jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
}

const char *jck_target_copy(jck_target *target, jrpc_slice text, jrpc_error *error)
{
    jrpc_slice copy = {NULL, 0};
    if (!jrpc_arena_copy(&target->arena, text, &copy)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    return copy.ptr;
}

bool jck_target_name_command(jck_target *target, char *const *words, jrpc_error *error)
{
    jrpc_buffer name;
    jrpc_buffer_init(&name, jrpc_allocator_heap(), JCK_LIMIT_TARGET_BYTES);
    for (size_t i = 0; words[i] != NULL; i++) {
        (void)jrpc_buffer_append_str(&name, i > 0 ? " " : "");
        (void)jrpc_buffer_append_str(&name, words[i]);
    }
    bool named = name.failed ? jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory")
                             : jck_target_set_name(target, jrpc_buffer_slice(&name), error);
    jrpc_buffer_done(&name);
    return named;
}

bool jck_target_from_command(jck_target *target, char *const *argv, jrpc_error *error)
{
    jck_target_init(target);
    size_t count = 0;
    while (argv[count] != NULL) {
        count++;
    }
    if (count == 0 || argv[0][0] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "there is no command after --; write -- ./my-server ARGS");
    }
    char **words = jck_target_alloc(target, count + 1, sizeof *words, error);
    for (size_t i = 0; i < count && words != NULL; i++) {
        jrpc_slice copy;
        if (!jrpc_arena_copy(&target->arena, jrpc_slice_str(argv[i]), &copy)) {
            return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
        }
        // The arena's bytes are writable: argv of a new program is not const.
        words[i] = (char *)(uintptr_t)copy.ptr;
    }
    if (words == NULL) {
        return false;
    }
    target->command = words;
    return jck_target_name_command(target, words, error);
}

static const jck_mapping *find_mapping(const jck_mapping *list, size_t count, jrpc_slice capability)
{
    for (size_t i = 0; i < count; i++) {
        if (jrpc_slice_equal(list[i].capability, capability)) {
            return &list[i];
        }
    }
    return NULL;
}

const jck_mapping *jck_target_mapping(const jck_target *target, jrpc_slice capability)
{
    return find_mapping(target->mappings, target->mapping_count, capability);
}

const jck_mapping *jck_target_candidate(const jck_target *target, jrpc_slice capability)
{
    return find_mapping(target->candidates, target->candidate_count, capability);
}

bool jck_mapping_add(jrpc_arena *arena, const jck_mapping **list, size_t *count,
                     const jck_mapping *given, jrpc_error *error)
{
    jck_mapping mapping = *given;
    jrpc_buffer spelling;
    jrpc_buffer_init(&spelling, arena->allocator, given->method.len * 6 + 2);
    bool done = jrpc_json_quote(&spelling, given->method) &&
                jrpc_arena_copy(arena, jrpc_buffer_slice(&spelling), &mapping.method) &&
                jrpc_arena_copy(arena, given->capability, &mapping.capability);
    jrpc_buffer_done(&spelling);
    jck_mapping *mappings = jrpc_arena_array(arena, *count + 1, sizeof *mappings);
    if (!done || mappings == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (!jrpc_slice_equal((*list)[i].capability, given->capability)) {
            mappings[kept++] = (*list)[i];
        }
    }
    mappings[kept++] = mapping;
    *list = mappings;
    *count = kept;
    return true;
}

bool jck_target_declare(jck_target *target, jrpc_slice word)
{
    size_t count = target->declare_count;
    jrpc_slice *grown = jrpc_arena_array(&target->arena, count + 1, sizeof *grown);
    if (grown == NULL || !jrpc_arena_copy(&target->arena, word, &grown[count])) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        grown[i] = target->declares[i];
    }
    target->declares = grown;
    target->declare_count = count + 1;
    return true;
}

bool jck_target_add_sighting(jck_target *target, jrpc_slice capability, const char *text)
{
    size_t count = target->sighting_count;
    jck_sighting *grown = jrpc_arena_array(&target->arena, count + 1, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        grown[i] = target->sightings[i];
    }
    jrpc_slice copy = {NULL, 0};
    if (!jrpc_arena_copy(&target->arena, capability, &grown[count].capability) ||
        !jrpc_arena_copy(&target->arena, jrpc_slice_str(text), &copy)) {
        return false;
    }
    grown[count].text = copy.ptr;
    target->sightings = grown;
    target->sighting_count = count + 1;
    return true;
}

// The mapping of a capability, in a copy of all mappings that may be changed; NULL if there is none
// or if out of memory.
static jck_mapping *change_mapping(jck_target *target, jrpc_slice capability)
{
    jck_mapping *mappings =
        jrpc_arena_array(&target->arena, target->mapping_count + 1, sizeof *mappings);
    jck_mapping *found = NULL;
    for (size_t i = 0; mappings != NULL && i < target->mapping_count; i++) {
        mappings[i] = target->mappings[i];
        found = jrpc_slice_equal(mappings[i].capability, capability) ? &mappings[i] : found;
    }
    target->mappings = mappings == NULL ? target->mappings : mappings;
    return found;
}

void jck_target_fix_params(jck_target *target, jrpc_slice capability)
{
    jck_mapping *mapping = change_mapping(target, capability);
    if (mapping != NULL) {
        mapping->fixed = true;
    }
}

void jck_target_keep_shapes(jck_target *target, jrpc_slice capability, bool by_position,
                            bool by_name)
{
    jck_mapping *mapping = change_mapping(target, capability);
    if (mapping != NULL) {
        mapping->by_position = by_position;
        mapping->by_name = by_name;
        mapping->assumed = false;
    }
}

bool jck_target_wrap_params(jck_target *target, jrpc_slice capability)
{
    jck_call *call = jrpc_arena_alloc(&target->arena, sizeof *call);
    jck_mapping *mapping = change_mapping(target, capability);
    if (call == NULL || mapping == NULL ||
        !jck_parse(&target->arena, JRPC_SLICE("[\"${params}\"]"), &call->params, NULL)) {
        return false;
    }
    mapping->call = call;
    return true;
}

bool jck_target_add_candidate(jck_target *target, const jck_mapping *candidate, jrpc_slice names)
{
    jck_mapping added = *candidate;
    if (names.len > 0) {
        jrpc_slice kept;
        jck_call *call = jrpc_arena_alloc(&target->arena, sizeof *call);
        if (call == NULL || !jrpc_arena_copy(&target->arena, names, &kept)) {
            return false;
        }
        *call = (jck_call){.params = JRPC_JSON_ABSENT};
        if (!jck_parse(&target->arena, kept, &call->names, NULL)) {
            return false;
        }
        added.call = call;
    }
    return jck_mapping_add(&target->arena, &target->candidates, &target->candidate_count, &added,
                           NULL);
}

bool jck_target_take_candidate(jck_target *target, const jck_mapping *candidate, bool by_position,
                               bool by_name)
{
    jrpc_slice method;
    jrpc_json spelled;
    if (!jck_parse(&target->arena, candidate->method, &spelled, NULL) ||
        !jrpc_json_string(spelled, &target->arena, &method)) {
        return false;
    }
    jck_mapping taken = *candidate;
    taken.method = method;
    taken.by_position = by_position;
    taken.by_name = by_name;
    return jck_mapping_add(&target->arena, &target->mappings, &target->mapping_count, &taken, NULL);
}

// Encodes text for a query: all but the unreserved characters of RFC 3986.
static void put_encoded(jrpc_buffer *out, jrpc_slice text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (size_t i = 0; i < text.len; i++) {
        bool unreserved = memchr(plain, text.ptr[i], sizeof plain - 1) != NULL;
        (void)(unreserved ? jrpc_buffer_append_char(out, text.ptr[i])
                          : jrpc_buffer_printf(out, "%%%02X", (unsigned char)text.ptr[i]));
    }
}

static void put_argument(jrpc_buffer *out, jrpc_slice name, jrpc_json value, jrpc_arena *arena)
{
    jrpc_slice text = jrpc_json_spelling(value);
    if (!jrpc_json_exists(value) ||
        (jrpc_json_is(value, JRPC_JSON_STRING) && !jrpc_json_string(value, arena, &text))) {
        return;
    }
    (void)jrpc_buffer_append_char(out, memchr(out->ptr, '?', out->len) == NULL ? '?' : '&');
    put_encoded(out, name);
    (void)jrpc_buffer_append_char(out, '=');
    put_encoded(out, text);
}

const char *jck_target_query(const jck_target *target, jrpc_slice message, jrpc_arena *arena)
{
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), QUERY_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    const char *url = NULL;
    if (jrpc_buffer_append_str(&out, target->streams_url) &&
        jrpc_json_read(&document, message, JRPC_LIMIT_DEPTH, NULL)) {
        jrpc_json call = jrpc_json_root(&document);
        put_argument(&out, JRPC_SLICE("method"), jrpc_json_get(call, "method"), arena);
        put_argument(&out, JRPC_SLICE("id"), jrpc_json_get(call, "id"), arena);
        jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(call, "params"));
        while (it.members && jrpc_json_step(&it)) {
            jrpc_slice name;
            if (jrpc_json_string(it.key, arena, &name)) {
                put_argument(&out, name, it.value, arena);
            }
        }
        url = out.failed ? NULL : jrpc_arena_printf(arena, "%.*s", (int)out.len, out.ptr);
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
    return url;
}
