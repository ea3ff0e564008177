// Text in target descriptions: places, environment.

// realpath is in POSIX, but in its XSI option.
#define _XOPEN_SOURCE 700

#include "harness/suite/port.h"
#include "harness/suite/target_private.h"
#include "reference/base/buffer.h"

#include <stdlib.h>

#define FILLED_BYTES ((size_t)64 << 10)

static const char *from_environment(jck_places *places, jrpc_slice name, jrpc_error *error)
{
    jrpc_slice copy;
    if (!jrpc_arena_copy(places->arena, name, &copy)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    const char *value = getenv(copy.ptr);
    if (value == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_INVALID,
                             "the environment variable %s is not set; set it before the run",
                             copy.ptr);
    }
    return value;
}

// The value of ${name}; NULL with an error.
static const char *value_of(jck_places *places, jrpc_slice name, bool environment,
                            jrpc_error *error)
{
    const char *value = NULL;
    if (jrpc_slice_is(name, "port")) {
        if (places->port == NULL) {
            places->port = jck_port_take(places->arena, NULL, &places->claim, error);
        }
        return places->port;
    }
    if (environment && jrpc_slice_starts_with(name, JRPC_SLICE("env:"))) {
        return from_environment(places, jrpc_slice_from(name, 4), error);
    }
    if (jrpc_slice_is(name, "here")) {
        value = places->here;
    } else if (jrpc_slice_is(name, "zoo")) {
        value = places->zoo;
    }
    if (value == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_INVALID,
                             "${%.*s} means nothing here; known are ${here}, ${zoo}, ${port}%s",
                             JCK_WORD(name), environment ? " and ${env:NAME}" : "");
    }
    return value;
}

static bool comes_later(const jck_places *places, jrpc_slice name)
{
    for (size_t i = 0; i < places->later_count; i++) {
        if (jrpc_slice_equal(places->later[i], name)) {
            return true;
        }
    }
    return false;
}

// Whether the text has a "${name}" whose value is known only later.
static bool has_later(const jck_places *places, jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        jrpc_slice rest = jrpc_slice_from(text, i);
        const char *brace = memchr(rest.ptr, '}', rest.len);
        if (jrpc_slice_starts_with(rest, JRPC_SLICE("$${"))) {
            i += 2;
        } else if (jrpc_slice_starts_with(rest, JRPC_SLICE("${")) && brace != NULL &&
                   comes_later(places,
                               jrpc_slice_of(rest.ptr + 2, (size_t)(brace - rest.ptr) - 2))) {
            return true;
        }
    }
    return false;
}

static bool fill(jck_places *places, jrpc_slice text, bool environment, jrpc_buffer *out,
                 jrpc_error *error)
{
    places->has_later = has_later(places, text);
    for (size_t i = 0; i < text.len;) {
        jrpc_slice rest = jrpc_slice_from(text, i);
        const char *brace = memchr(rest.ptr, '}', rest.len);
        if (jrpc_slice_starts_with(rest, JRPC_SLICE("$${"))) {
            (void)jrpc_buffer_append(out, places->has_later ? JRPC_SLICE("$${") : JRPC_SLICE("${"));
            i += 3;
        } else if (jrpc_slice_starts_with(rest, JRPC_SLICE("${")) && brace != NULL) {
            size_t len = (size_t)(brace - rest.ptr);
            jrpc_slice name = jrpc_slice_of(rest.ptr + 2, len - 2);
            if (comes_later(places, name)) {
                (void)jrpc_buffer_append(out, jrpc_slice_of(rest.ptr, len + 1));
                i += len + 1;
                continue;
            }
            const char *value = value_of(places, name, environment, error);
            if (value == NULL) {
                return false;
            }
            (void)jrpc_buffer_append_str(out, value);
            i += len + 1;
        } else {
            (void)jrpc_buffer_append_char(out, rest.ptr[0]);
            i++;
        }
    }
    return true;
}

const char *jck_places_fill(jck_places *places, const char *text, bool environment,
                            jrpc_error *error)
{
    jrpc_buffer out;
    jrpc_slice filled = {NULL, 0};
    jrpc_buffer_init(&out, places->arena->allocator, FILLED_BYTES);
    char *room;
    // With all the memory reserved, an append can only fail because the text is too long.
    bool has_room = jrpc_buffer_reserve(&out, FILLED_BYTES, &room);
    bool done = has_room && fill(places, jrpc_slice_str(text), environment, &out, error);
    if (done && out.failed) {
        done = jrpc_error_set(error, JRPC_ERROR_LIMIT, "the text is too long once it is filled in");
    }
    if (!has_room || (done && !jrpc_arena_copy(places->arena, jrpc_buffer_slice(&out), &filled))) {
        done = jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    jrpc_buffer_done(&out);
    return done ? filled.ptr : NULL;
}

const char *jck_absolute(jrpc_arena *arena, const char *path)
{
    jrpc_slice copy = {NULL, 0};
    char *resolved = realpath(path, NULL);
    (void)jrpc_arena_copy(arena, jrpc_slice_str(resolved == NULL ? path : resolved), &copy);
    free(resolved);
    return copy.ptr;
}

const char *jck_folder_of(jrpc_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return ".";
    }
    size_t len = slash == path ? 1 : (size_t)(slash - path);
    jrpc_slice copy = {NULL, 0};
    (void)jrpc_arena_copy(arena, jrpc_slice_of(path, len), &copy);
    return copy.ptr;
}
