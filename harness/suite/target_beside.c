// A second copy of a server that is started on a port chosen for the run.
#include "harness/suite/port.h"
#include "harness/suite/target_private.h"
#include "reference/base/buffer.h"
#include "reference/json/scan.h"

// The same text with another port. The old one is a number that was chosen for this run, so where
// it stands as a whole number, it stands for ${port}.
static jrpc_slice with_port(jck_target *copy, jrpc_slice text, jrpc_slice old, jrpc_error *error)
{
    jrpc_buffer out;
    jrpc_slice changed = {NULL, 0};
    jrpc_slice port = jrpc_slice_str(copy->own_port);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), JCK_LIMIT_TARGET_BYTES);
    for (size_t i = 0; i < text.len;) {
        jrpc_slice rest = jrpc_slice_from(text, i);
        bool inside = i > 0 && jrpc_scan_is_digit(text.ptr[i - 1]);
        bool goes_on = rest.len > old.len && jrpc_scan_is_digit(rest.ptr[old.len]);
        bool is_port = !inside && !goes_on && jrpc_slice_starts_with(rest, old);
        (void)jrpc_buffer_append(&out, is_port ? port : jrpc_slice_of(rest.ptr, 1));
        i += is_port ? old.len : 1;
    }
    if (out.failed || !jrpc_arena_copy(&copy->arena, jrpc_buffer_slice(&out), &changed)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
        changed = (jrpc_slice){NULL, 0};
    }
    jrpc_buffer_done(&out);
    return changed;
}

// Changes one member of the copy; NULL stays.
static bool change(jck_target *copy, const char **text, jrpc_slice old, jrpc_error *error)
{
    if (*text != NULL) {
        *text = with_port(copy, jrpc_slice_str(*text), old, error).ptr;
        return *text != NULL;
    }
    return true;
}

// The same for a NULL-terminated list.
static bool change_all(jck_target *copy, const char *const **list, jrpc_slice old,
                       jrpc_error *error)
{
    size_t count = 0;
    while (*list != NULL && (*list)[count] != NULL) {
        count++;
    }
    const char **changed = jck_target_alloc(copy, count + 1, sizeof *changed, error);
    bool done = changed != NULL;
    for (size_t i = 0; i < count && done; i++) {
        changed[i] = (*list)[i];
        done = change(copy, &changed[i], old, error);
    }
    *list = *list == NULL ? NULL : changed;
    return done;
}

// The same for the words of the command, which argv wants writable.
static bool change_start(jck_target *copy, jrpc_slice old, jrpc_error *error)
{
    char *const *words = copy->start;
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    char **changed = jck_target_alloc(copy, count + 1, sizeof *changed, error);
    for (size_t i = 0; i < count && changed != NULL; i++) {
        jrpc_slice word = with_port(copy, jrpc_slice_str(words[i]), old, error);
        if (word.ptr == NULL) {
            return false;
        }
        changed[i] = (char *)(uintptr_t)word.ptr; // the arena's bytes are writable
    }
    copy->start = changed;
    return changed != NULL;
}

bool jck_target_has_own_port(const jck_target *target)
{
    return target->own_port != NULL && target->start != NULL && target->dial == NULL;
}

bool jck_target_beside(jck_target *copy, const jck_target *target, const char *after,
                       jrpc_error *error)
{
    *copy = *target;
    copy->port_claim = 0;
    jrpc_arena_init(&copy->arena, jrpc_allocator_heap(), JCK_LIMIT_TARGET_BYTES);
    if (!jck_target_has_own_port(target)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "the target has no ${port} of its own");
    }
    jrpc_slice old = jrpc_slice_str(target->own_port);
    copy->own_port = jck_port_take(&copy->arena, after == NULL ? target->own_port : after,
                                   &copy->port_claim, error);
    if (copy->own_port == NULL || !change_start(copy, old, error) ||
        !change_all(copy, &copy->environment, old, error) ||
        !change_all(copy, &copy->headers, old, error) ||
        !change_all(copy, &copy->session_headers, old, error)) {
        return false;
    }
    return change(copy, &copy->port, old, error) && change(copy, &copy->path, old, error) &&
           change(copy, &copy->url, old, error) && change(copy, &copy->events_url, old, error) &&
           change(copy, &copy->streams_url, old, error);
}
