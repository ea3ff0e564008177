#include "harness/live/repeat.h"

#include "reference/json/read.h"

#include <string.h>

#define DEPTH_MOST 64u
#define DIGITS_MOST 9u
// Ids that are Numbers count up from here, so that none is that of another message.
#define NUMBER_FIRST 7000000u

// Where the part of a message that differs is: `len` bytes at `at` are replaced by a number.
typedef struct changing {
    size_t at, len;
    size_t first; // the number of the first copy but one
    bool any;
} changing;

static bool is_short_integer(jrpc_slice number)
{
    for (size_t i = 0; i < number.len; i++) {
        if (number.ptr[i] < '0' || number.ptr[i] > '9') {
            return false;
        }
    }
    return number.len <= DIGITS_MOST;
}

static changing find_changing(jrpc_slice text)
{
    jrpc_json_document document;
    changing found = {.any = false};
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, text, DEPTH_MOST, NULL)) {
        jrpc_json id = jrpc_json_get(jrpc_json_root(&document), "id");
        jrpc_slice spelling = jrpc_json_spelling(id);
        if (jrpc_json_is(id, JRPC_JSON_STRING)) { // the number is put before the closing quote
            found = (changing){(size_t)(spelling.ptr - text.ptr) + spelling.len - 1, 0, 0, true};
        } else if (jrpc_json_is(id, JRPC_JSON_NUMBER) && is_short_integer(spelling)) {
            found = (changing){(size_t)(spelling.ptr - text.ptr), spelling.len, NUMBER_FIRST, true};
        }
    }
    jrpc_json_document_done(&document);
    return found;
}

// Copies a message, with a number of its own if it has a place for one.
static bool copy(const jck_shot *shot, size_t number, jrpc_arena *arena, jck_shot *ret)
{
    const jrpc_slice text = shot->bytes;
    const changing part = find_changing(text);
    *ret = *shot;
    if (!part.any) {
        return true;
    }
    const char *digits = jrpc_arena_printf(arena, "%zu", part.first + number);
    size_t digit_count = digits == NULL ? 0 : strlen(digits);
    size_t len = text.len - part.len + digit_count;
    char *bytes = jrpc_arena_alloc(arena, len);
    if (digits == NULL || bytes == NULL) {
        return false;
    }
    memcpy(bytes, text.ptr, part.at);
    memcpy(bytes + part.at, digits, digit_count);
    memcpy(bytes + part.at + digit_count, text.ptr + part.at + part.len,
           text.len - part.at - part.len);
    ret->bytes = jrpc_slice_of(bytes, len);
    jck_travel_fit(&ret->travel, len);
    return true;
}

bool jck_repeat(const jck_shot *shots, size_t shot_count, size_t count, jrpc_arena *arena,
                jck_shot *ret_shots)
{
    memmove(ret_shots, shots, (shot_count < count ? shot_count : count) * sizeof *shots);
    for (size_t i = shot_count; i < count; i++) {
        if (!copy(&ret_shots[i % shot_count], i, arena, &ret_shots[i])) {
            return false;
        }
    }
    return true;
}
