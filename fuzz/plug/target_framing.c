// A decoder of a framing as a fuzz target: it never crashes; what our encoder frames it decodes
// again; the same bytes give the same messages however they are split; and up to the first broken
// frame they are the messages that the model sees (fuzz/model/frames.h).
#include "fuzz/fuzz.h"
#include "fuzz/model/frames.h"
#include "fuzz/plug/finding.h"
#include "fuzz/plug/plug_framing.h"

#include <stdlib.h>

// A byte at a time costs a call each: longer streams come in larger pieces, and without the model.
enum { ROOM = 64 << 20, SHOWN_BYTES = 160, LONG_BYTES = 1 << 16 };

static const plug_kind loses = {"loses", "does not decode what was framed rightly", false};
static const plug_kind splits = {"split", "gives other messages when bytes come otherwise", false};
static const plug_kind differs = {"differs", "gives other messages than are in the stream", false};

static jrpc_framing framing(void)
{
    jrpc_framing found = JRPC_FRAMING_LINE;
    if (!jrpc_framing_from_name(jrpc_slice_str(plug_framing()), &found)) {
        (void)fprintf(stderr,
                      "plug_framing() is %s; it can be line, content-length, length32 or "
                      "concatenated\n",
                      plug_framing());
        exit(2);
    }
    return found;
}

typedef struct taking {
    frames *list;
    tree_pool *pool;
} taking;

static void take(void *context, const char *payload, size_t len)
{
    taking *to = context;
    frames_add(to->list, to->pool, true, jrpc_slice_of(payload, len), JRPC_OK);
}

// The stream in pieces of `piece` bytes, each in a block of its own size.
static void decode(frames *list, tree_pool *pool, jrpc_slice stream, size_t piece)
{
    frames_init(list);
    taking to = {list, pool};
    void *decoder = plug_decoder_new();
    bool alive = true;
    while (stream.len != 0 && alive) {
        size_t len = stream.len < piece ? stream.len : piece;
        char *bytes = malloc(len);
        FUZZ_REQUIRE(bytes != NULL);
        memcpy(bytes, stream.ptr, len);
        alive = plug_decoder_feed(decoder, bytes, len, take, &to);
        free(bytes);
        stream = jrpc_slice_from(stream, len);
    }
    plug_decoder_free(decoder);
}

// The index of the first message that is not the same in both, at most `most`; -1 if there is none.
static long first_difference(const frames *a, const frames *b, size_t most)
{
    const frame *x = a->first;
    const frame *y = b->first;
    for (size_t i = 0; i < most; i++) {
        if (x == NULL && y == NULL) {
            return -1;
        }
        if (x == NULL || y == NULL || !jrpc_slice_equal(x->bytes, y->bytes)) {
            return (long)i;
        }
        x = x->next;
        y = y->next;
    }
    return -1;
}

// How many of the model's messages come before the first that is none. The end of a stream is never
// said to a plug: what only it would end does not count.
static size_t sound(const frames *expected, jrpc_slice stream)
{
    size_t count = 0;
    const frame *f = expected->first;
    while (f != NULL && f->good) {
        count++;
        f = f->next;
    }
    bool open = framing() == JRPC_FRAMING_LINE && f == NULL && stream.len != 0 &&
                stream.ptr[stream.len - 1] != '\n';
    return open ? count - 1 : count;
}

// Up to the first line feed without a carriage return: whether a head may have such lines is left
// open.
static jrpc_slice strict_part(jrpc_slice stream)
{
    for (size_t i = 0; framing() == JRPC_FRAMING_CONTENT_LENGTH && i < stream.len; i++) {
        if (stream.ptr[i] == '\n' && (i == 0 || stream.ptr[i - 1] != '\r')) {
            return jrpc_slice_of(stream.ptr, i);
        }
    }
    return stream;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

// The lines of the input, each framed.
static void frame_lines(jrpc_slice text, frames *sent, tree_pool *pool, jrpc_buffer *stream)
{
    frames_init(sent);
    while (text.len != 0) {
        size_t len = 0;
        while (len < text.len && text.ptr[len] != '\n') {
            len++;
        }
        jrpc_slice payload = jrpc_slice_of(text.ptr, len);
        text = jrpc_slice_from(text, len < text.len ? len + 1 : len);
        bool carriage_return = len != 0 && payload.ptr[len - 1] == '\r';
        if (!jrpc_framing_carries(framing(), payload, NULL) ||
            (carriage_return && framing() == JRPC_FRAMING_LINE)) {
            continue;
        }
        FUZZ_REQUIRE(jrpc_framing_encode(framing(), payload, stream));
        if (framing() == JRPC_FRAMING_CONCATENATED) {
            while (payload.len != 0 && is_blank(*payload.ptr)) {
                payload = jrpc_slice_from(payload, 1);
            }
            while (payload.len != 0 && is_blank(payload.ptr[payload.len - 1])) {
                payload.len--;
            }
        }
        frames_add(sent, pool, true, payload, JRPC_OK);
    }
}

typedef struct verdict {
    const plug_kind *kind; // NULL: agrees
    frames expected, came;
    long at;
} verdict;

static verdict judge(tree_pool *pool, jrpc_slice text)
{
    const bool is_long = text.len > LONG_BYTES;
    const size_t pieces[] = {SIZE_MAX, is_long ? 4096 : 1, is_long ? 65521 : 7};
    verdict found = {NULL, {0}, {0}, -1};
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), ROOM);
    frame_lines(text, &found.expected, pool, &stream);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces && found.at < 0; i++) {
        decode(&found.came, pool, jrpc_buffer_slice(&stream), pieces[i]);
        found.at = first_difference(&found.expected, &found.came, SIZE_MAX);
        found.kind = found.at < 0 ? NULL : &loses;
    }
    jrpc_buffer_done(&stream);
    if (found.kind != NULL) {
        return found;
    }
    decode(&found.expected, pool, text, SIZE_MAX);
    for (size_t i = 1; i < sizeof pieces / sizeof *pieces; i++) {
        decode(&found.came, pool, text, pieces[i]);
        found.at = first_difference(&found.expected, &found.came, SIZE_MAX);
        if (found.at >= 0) {
            found.kind = &splits;
            return found;
        }
    }
    if (is_long) {
        return found;
    }
    bool exact;
    jrpc_slice strict = strict_part(text);
    frames_expected(&found.expected, pool, framing(), strict, ROOM, &exact);
    found.at = first_difference(&found.expected, &found.came, sound(&found.expected, strict));
    found.kind = found.at < 0 ? NULL : &differs;
    return found;
}

static void print_message(FILE *out, const frames *list, long at)
{
    const frame *f = list->first;
    for (long i = 0; i < at && f != NULL; i++) {
        f = f->next;
    }
    if (f == NULL) {
        (void)fprintf(out, "no message %ld (there are %zu)\n", at + 1, list->count);
    } else {
        (void)fprintf(out, "message %ld: ", at + 1);
        plug_show(out, f->bytes, SHOWN_BYTES);
        (void)fprintf(out, "\n");
    }
}

static void explain(FILE *out, jrpc_slice text)
{
    tree_pool pool = {NULL};
    verdict found = judge(&pool, text);
    (void)fprintf(out, "  expected  ");
    print_message(out, &found.expected, found.at);
    (void)fprintf(out, "  came      ");
    print_message(out, &found.came, found.at);
    tree_pool_done(&pool);
}

// Whoever drives the program asks which streams it wants.
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    (void)fprintf(stderr, "framing: %s\n", jrpc_framing_name(framing()));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jrpc_slice text = jrpc_slice_of((const char *)data, size);
    tree_pool pool = {NULL};
    const plug_kind *kind = judge(&pool, text).kind;
    if (kind != NULL) {
        plug_found(kind, text, explain);
    }
    tree_pool_done(&pool);
    return 0;
}
