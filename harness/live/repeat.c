#include "harness/live/repeat.h"

#include "reference/base/buffer.h"
#include "reference/json/read.h"

#include <string.h>

#define DEPTH_MOST 64u
#define DIGITS_MOST 20u
// Number ids count up from here, so that no other message has them.
#define NUMBER_FIRST 7000000u

// Where the part of a message that differs is: `len` bytes at `at` are replaced by a number. A
// message may have many of them: each element of a batch has its id.
typedef struct changing {
    size_t at, len;
    size_t first; // what is added to the number
} changing;

#define CHANGING_MOST 300u

static void note_changing(jrpc_slice text, jrpc_json message, changing *list, size_t *count)
{
    jrpc_json id = jrpc_json_get(message, "id");
    jrpc_slice spelling = jrpc_json_spelling(id);
    if (*count == CHANGING_MOST) {
        return;
    }
    if (jrpc_json_is(id, JRPC_JSON_STRING)) { // the number is put after the opening quote
        list[(*count)++] = (changing){(size_t)(spelling.ptr - text.ptr) + 1, 0, 0};
    } else if (jrpc_json_is(id, JRPC_JSON_NUMBER)) {
        list[(*count)++] =
            (changing){(size_t)(spelling.ptr - text.ptr), spelling.len, NUMBER_FIRST};
    }
}

static size_t find_changing(jrpc_slice text, changing *list)
{
    jrpc_json_document document;
    size_t count = 0;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, text, DEPTH_MOST, NULL)) {
        jrpc_json root = jrpc_json_root(&document);
        note_changing(text, root, list, &count);
        if (jrpc_json_is(root, JRPC_JSON_ARRAY)) {
            for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
                note_changing(text, it.value, list, &count);
            }
        }
    }
    jrpc_json_document_done(&document);
    return count;
}

// Copies a message and writes new numbers into all its places for ids.
static bool copy(const jck_shot *shot, const changing *places, size_t count, size_t number,
                 jrpc_arena *arena, jck_shot *ret)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), shot->bytes.len + count * DIGITS_MOST);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_append(&text, jrpc_slice_of(shot->bytes.ptr + at, places[i].at - at));
        (void)jrpc_buffer_printf(&text, "%zu", places[i].first + number * CHANGING_MOST + i);
        at = places[i].at + places[i].len;
    }
    *ret = *shot;
    bool done = jrpc_buffer_append(&text, jrpc_slice_from(shot->bytes, at)) && !text.failed &&
                jrpc_arena_copy(arena, jrpc_buffer_slice(&text), &ret->bytes);
    jrpc_buffer_done(&text);
    jck_travel_fit(&ret->travel, ret->bytes.len);
    return done;
}

// Adds the end of a method's name, before its quote, in the order of the text. False if the method
// is another one.
static bool add_name(jrpc_slice text, jrpc_slice absent, changing *list, size_t *count)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, text, DEPTH_MOST, NULL);
    jrpc_slice name = jrpc_json_spelling(
        jrpc_json_get(read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT, "method"));
    bool begins = name.len > 1 && absent.len > 1 && *count < CHANGING_MOST &&
                  jrpc_slice_starts_with(name, jrpc_slice_of(absent.ptr, absent.len - 1));
    if (begins) {
        const changing end = {(size_t)(name.ptr - text.ptr) + name.len - 1, 0, 0};
        size_t at = *count;
        for (; at > 0 && list[at - 1].at > end.at; at--) {
            list[at] = list[at - 1];
        }
        list[at] = end;
        (*count)++;
    }
    jrpc_json_document_done(&document);
    return begins;
}

bool jck_repeat_renamed(const jck_shot *shot, jrpc_slice absent, size_t count, jrpc_arena *arena,
                        jck_shot *ret_shots)
{
    changing places[CHANGING_MOST];
    size_t place_count = find_changing(shot->bytes, places);
    const jck_shot first = *shot;
    bool done = add_name(first.bytes, absent, places, &place_count);
    ret_shots[0] = first;
    for (size_t i = 1; i < count && done; i++) {
        done = copy(&first, places, place_count, i, arena, &ret_shots[i]);
    }
    return done;
}

bool jck_repeat(const jck_shot *shots, size_t shot_count, size_t count, jrpc_arena *arena,
                jck_shot *ret_shots)
{
    memmove(ret_shots, shots, (shot_count < count ? shot_count : count) * sizeof *shots);
    for (size_t s = 0; s < shot_count && s + shot_count < count; s++) {
        changing places[CHANGING_MOST];
        const size_t place_count = find_changing(ret_shots[s].bytes, places);
        for (size_t i = s + shot_count; i < count; i += shot_count) {
            if (!copy(&ret_shots[s], places, place_count, i, arena, &ret_shots[i])) {
                return false;
            }
        }
    }
    return true;
}
