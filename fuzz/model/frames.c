#include "fuzz/model/frames.h"

#include "fuzz/model/grammar.h"
#include "fuzz/model/heads.h"

void frames_init(frames *list)
{
    *list = (frames){.last = &list->first};
}

void frames_add(frames *list, tree_pool *pool, bool good, jrpc_slice bytes, jrpc_error_code code)
{
    frame *added = tree_alloc(pool, sizeof *added + bytes.len);
    char *copy = (char *)(added + 1);
    if (bytes.len != 0) {
        memcpy(copy, bytes.ptr, bytes.len);
    }
    *added = (frame){good, {copy, bytes.len}, code, NULL};
    *list->last = added;
    list->last = &added->next;
    list->count++;
}

static void add_sized(frames *list, tree_pool *pool, jrpc_slice payload, size_t max_message)
{
    bool fits = payload.len <= max_message;
    payload.len = fits ? payload.len : max_message;
    frames_add(list, pool, fits, payload, fits ? JRPC_OK : JRPC_ERROR_LIMIT);
}

static void lines(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message)
{
    size_t begin = 0;
    for (size_t i = 0; i < stream.len; i++) {
        if (stream.ptr[i] != '\n') {
            continue;
        }
        size_t len = i - begin;
        if (len != 0 && stream.ptr[i - 1] == '\r') {
            len--;
        }
        add_sized(list, pool, jrpc_slice_of(stream.ptr + begin, len), max_message);
        begin = i + 1;
    }
    if (begin < stream.len) {
        add_sized(list, pool, jrpc_slice_from(stream, begin), max_message);
    }
}

static void counted(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message)
{
    while (stream.len != 0) {
        const unsigned char *u = (const unsigned char *)stream.ptr;
        size_t len = stream.len < 4 ? 0
                                    : (size_t)u[0] << 24 | (size_t)u[1] << 16 | (size_t)u[2] << 8 |
                                          (size_t)u[3];
        size_t want = len < max_message ? len : max_message;
        if (stream.len < 4 || stream.len - 4 < want) {
            size_t shown = stream.len < 4 ? 0 : 4;
            frames_add(list, pool, false, jrpc_slice_from(stream, shown), JRPC_ERROR_SYNTAX);
            return;
        }
        stream = jrpc_slice_from(stream, 4);
        add_sized(list, pool, jrpc_slice_of(stream.ptr, want < len ? want + 1 : len), max_message);
        stream = jrpc_slice_from(stream, len);
    }
}

static void values(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message)
{
    size_t len;
    while ((len = grammar_first_value(stream)) != 0) {
        size_t blank = 0;
        while (strchr(" \t\r\n", stream.ptr[blank]) != NULL) {
            blank++;
        }
        if (len - blank > max_message) {
            return;
        }
        frames_add(list, pool, true, jrpc_slice_of(stream.ptr + blank, len - blank), JRPC_OK);
        stream = jrpc_slice_from(stream, len);
    }
}

void frames_expected(frames *list, tree_pool *pool, jrpc_framing framing, jrpc_slice stream,
                     size_t max_message, bool *ret_exact)
{
    frames_init(list);
    *ret_exact = framing != JRPC_FRAMING_CONCATENATED;
    switch (framing) {
    case JRPC_FRAMING_LINE:
        lines(list, pool, stream, max_message);
        break;
    case JRPC_FRAMING_CONTENT_LENGTH:
        heads_expected(list, pool, stream, max_message);
        break;
    case JRPC_FRAMING_CONCATENATED:
        values(list, pool, stream, max_message);
        break;
    case JRPC_FRAMING_LENGTH32:
        counted(list, pool, stream, max_message);
        break;
    }
}
