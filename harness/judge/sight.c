#include "harness/judge/sight.h"

#include "harness/evidence/evidence.h"
#include "reference/base/buffer.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES ((size_t)16 << 20)
enum { SHOWN_BYTES = 100, FIRST_ROOM = 16 };

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(jck_sight_list *list)
{
    if (list->count > 1) {
        qsort(list->items, list->count, sizeof *list->items, compare_texts);
    }
}

// False if out of memory, also for `text` itself (NULL).
static bool add(jck_sight_list *list, const char *text, jrpc_arena *arena)
{
    if (list->count == list->room) {
        size_t room = 2 * list->count + FIRST_ROOM;
        const char **items = jrpc_arena_array(arena, room, sizeof *items);
        if (items == NULL) {
            return false;
        }
        for (size_t i = 0; i < list->count; i++) {
            items[i] = list->items[i];
        }
        list->items = items;
        list->room = room;
    }
    if (text != NULL) {
        list->items[list->count++] = text;
    }
    return text != NULL;
}

// Adds a Request without its id: two runs may use different ones.
static bool add_request(jck_sight_list *list, jrpc_json object, jrpc_arena *arena)
{
    if (!jrpc_json_exists(jrpc_json_get(object, "method"))) {
        return true; // it answers, or is not a Request at all
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), TEXT_BYTES);
    bool call = jrpc_json_exists(jrpc_json_get(object, "id"));
    jrpc_json params = jrpc_json_get(object, "params");
    (void)jrpc_buffer_append_str(&text, call ? "" : "(notification) ");
    (void)jrpc_json_compact(&text, jrpc_json_get(object, "method"));
    if (jrpc_json_exists(params)) {
        (void)jrpc_buffer_append_char(&text, ' ');
        (void)jrpc_json_compact(&text, params);
    }
    bool done =
        !text.failed && add(list, jrpc_arena_printf(arena, "%.*s", (int)text.len, text.ptr), arena);
    jrpc_buffer_done(&text);
    return done;
}

static bool add_message(jck_sight_list *list, jrpc_json root, jrpc_arena *arena)
{
    if (!jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        return add_request(list, root, arena);
    }
    bool done = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); done && jrpc_json_step(&it);) {
        done = add_request(list, it.value, arena);
    }
    return done;
}

static bool is_of(const jck_message *message, int step, jck_role_of_message role)
{
    return message->step == step && message->direction == JCK_RECEIVED && message->role == role;
}

bool jck_sight_of(const jck_evidence *evidence, int step, jrpc_arena *arena, jck_sight *ret_sight)
{
    jck_sight sight = {.end = evidence->ends[step]};
    bool done = true;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < evidence->count && done; i++) {
        const jck_message *message = &evidence->messages[i];
        if (is_of(message, step, JCK_MESSAGE_OF_DRIVER)) {
            const char *line =
                jrpc_arena_printf(arena, "%.*s", (int)message->bytes.len, message->bytes.ptr);
            done = add(&sight.printed, line, arena);
        } else if (is_of(message, step, JCK_MESSAGE_OF_CASE) &&
                   jrpc_json_read(&document, message->bytes, JCK_MESSAGE_DEPTH, NULL)) {
            done = add_message(&sight.requests, jrpc_json_root(&document), arena);
        }
    }
    jrpc_json_document_done(&document);
    sort(&sight.requests);
    sort(&sight.printed);
    *ret_sight = sight;
    return done;
}

// The first text that one list has more often than the other, or, if only kinds are compared, that
// the other one lacks; NULL: there is none.
static const char *surplus(const jck_sight_list *list, const jck_sight_list *other, bool kinds)
{
    size_t k = 0;
    for (size_t i = 0; i < list->count; i++) {
        while (k < other->count && strcmp(other->items[k], list->items[i]) < 0) {
            k++;
        }
        if (k == other->count || strcmp(other->items[k], list->items[i]) != 0) {
            return list->items[i];
        }
        k += !kinds;
    }
    return NULL;
}

static const char *shown(jrpc_arena *arena, const char *text)
{
    return jck_excerpt(arena, jrpc_slice_str(text), SHOWN_BYTES);
}

static const char *lists_difference(const jck_sight_list *first, const jck_sight_list *other,
                                    const char *verb, jck_sameness same, bool kinds,
                                    jrpc_arena *arena)
{
    const char *lacking = surplus(first, other, kinds);
    bool more = same == JCK_SAME_AT_LEAST && lacking == NULL;
    const char *further = more ? NULL : surplus(other, first, kinds);
    if (lacking != NULL && further != NULL) {
        return jrpc_arena_printf(arena, "%s %s instead of %s", verb, shown(arena, further),
                                 shown(arena, lacking));
    }
    if (lacking != NULL) {
        return jrpc_arena_printf(arena, "no longer %s %s", verb, shown(arena, lacking));
    }
    return further == NULL ? NULL
                           : jrpc_arena_printf(arena, "also %s %s", verb, shown(arena, further));
}

static const char *ending_shown(jrpc_peer_ending end, jrpc_arena *arena)
{
    switch (end.kind) {
    case JRPC_END_EXITED:
        return jrpc_arena_printf(arena, "ended with status %d", end.value);
    case JRPC_END_SIGNALED:
        return jrpc_arena_printf(arena, "was ended by signal %d", end.value);
    case JRPC_END_OPEN:
    case JRPC_END_CLOSED:
    case JRPC_END_RESET:
    case JRPC_END_WS_CLOSE:
        break;
    }
    return "did not end";
}

static bool came_to_an_end(jrpc_peer_ending end)
{
    return end.kind == JRPC_END_EXITED || end.kind == JRPC_END_SIGNALED;
}

const char *jck_sight_difference(const jck_sight *first, const jck_sight *other, jck_sameness same,
                                 jrpc_arena *arena)
{
    const char *difference = NULL;
    bool ends = came_to_an_end(first->end) == came_to_an_end(other->end);
    switch (same) {
    case JCK_SAME_NOTHING:
        return NULL;
    case JCK_SAME_ENDING:
        return came_to_an_end(first->end) && !ends ? ending_shown(other->end, arena) : NULL;
    case JCK_SAME_AT_LEAST:
    case JCK_SAME_EVERYTHING:
        break;
    }
    bool kinds = !came_to_an_end(first->end); // how often depends on when it was stopped
    difference = lists_difference(&first->printed, &other->printed, "printed", same, kinds, arena);
    if (difference == NULL) {
        difference =
            lists_difference(&first->requests, &other->requests, "sent", same, kinds, arena);
    }
    ends = ends && (!came_to_an_end(first->end) ||
                    (first->end.kind == other->end.kind && first->end.value == other->end.value));
    if (ends) {
        return difference;
    }
    const char *end = ending_shown(other->end, arena);
    const char *instead = ending_shown(first->end, arena);
    return jrpc_arena_printf(arena, "%s, where it otherwise %s%s%s", end, instead,
                             difference == NULL ? "" : "; it ",
                             difference == NULL ? "" : difference);
}
