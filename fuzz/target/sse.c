// A stream of server-sent events gives the data that the model sees, however it is split, also to a
// reader that was cleared in the middle of another; what is encoded as an event is read again.
//
// Options: the longest event, the longest piece, the n-th allocation that fails.
#include "reference/wire/sse.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/events.h"

enum { ROOM = 1 << 20 };

static void decode_with(jrpc_sse *sse, jrpc_slice stream, size_t most, jrpc_random *random,
                        tree_pool *pool, frames *list)
{
    frames_init(list);
    while (stream.len != 0) {
        size_t len = 1 + (size_t)jrpc_random_below(random, most);
        jrpc_slice piece = {stream.ptr, len < stream.len ? len : stream.len};
        stream = jrpc_slice_from(stream, piece.len);
        for (;;) {
            jrpc_slice data = {NULL, 0};
            static jrpc_error error; // not filled with zeros for each piece
            error.code = JRPC_OK;
            jrpc_decoded decoded = jrpc_sse_next(sse, &piece, &data, &error);
            FUZZ_REQUIRE((decoded == JRPC_DECODED_BAD) == (error.code != JRPC_OK));
            if (decoded == JRPC_DECODED_MORE) {
                break;
            }
            frames_add(list, pool, decoded == JRPC_DECODED_DONE, data, error.code);
        }
        FUZZ_REQUIRE(piece.len == 0);
    }
}

static void decode(jrpc_slice stream, size_t max_message, size_t most, jrpc_random *random,
                   tree_pool *pool, frames *list)
{
    jrpc_sse sse;
    jrpc_sse_init(&sse, max_message, jrpc_allocator_heap());
    decode_with(&sse, stream, most, random, pool, list);
    jrpc_sse_done(&sse);
}

static void require_same(const frames *a, const frames *b)
{
    FUZZ_REQUIRE(a->count == b->count);
    for (const frame *x = a->first, *y = b->first; x != NULL; x = x->next, y = y->next) {
        FUZZ_REQUIRE(x->good == y->good && x->code == y->code);
        FUZZ_REQUIRE(jrpc_slice_equal(x->bytes, y->bytes));
    }
}

// A cleared reader behaves like a new one, wherever the previous stream was cut off.
static void require_new(const fuzz_input *input, size_t max_message, jrpc_random *random,
                        tree_pool *pool, const frames *expected)
{
    jrpc_slice stream = input->text;
    jrpc_sse sse;
    frames list;
    jrpc_sse_init(&sse, max_message, jrpc_allocator_heap());
    const size_t half = stream.len / 2;
    const size_t cuts[] = {stream.len, half, 1, half + 1};
    for (unsigned i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        if (!fuzz_turn(input, i, 32)) {
            continue;
        }
        size_t cut = cuts[i] < stream.len ? cuts[i] : stream.len;
        decode_with(&sse, jrpc_slice_of(stream.ptr, cut), SIZE_MAX / 2, random, pool, &list);
        jrpc_sse_clear(&sse);
        decode_with(&sse, stream, SIZE_MAX / 2, random, pool, &list);
        require_same(expected, &list);
        jrpc_sse_clear(&sse);
    }
    jrpc_sse_done(&sse);
}

// The text as an event between others; line ends of any kind come back as LF.
static void require_round_trip(jrpc_slice text, jrpc_random *random, tree_pool *pool)
{
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&stream, ": hello\nid: 1\n\n"));
    for (int i = 0; i < 2; i++) {
        FUZZ_REQUIRE(jrpc_sse_encode(text, &stream));
    }
    frames received;
    decode(jrpc_buffer_slice(&stream), text.len, 64, random, pool, &received);
    FUZZ_REQUIRE(received.count == 2);
    for (const frame *f = received.first; f != NULL; f = f->next) {
        FUZZ_REQUIRE(f->good && f->bytes.len == text.len);
        for (size_t i = 0; i < text.len; i++) {
            FUZZ_REQUIRE(f->bytes.ptr[i] == (text.ptr[i] == '\r' ? '\n' : text.ptr[i]));
        }
    }
    jrpc_buffer_done(&stream);
}

// Memory that runs out loses events, and makes none up.
static void require_bounded(jrpc_slice stream, size_t max_message, size_t successes,
                            const frames *expected)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    jrpc_sse sse;
    jrpc_sse_init(&sse, max_message, &failing.allocator);
    jrpc_slice data;
    const frame *next = expected->first;
    for (jrpc_decoded decoded = JRPC_DECODED_DONE; decoded != JRPC_DECODED_MORE;) {
        decoded = jrpc_sse_next(&sse, &stream, &data, NULL);
        while (decoded == JRPC_DECODED_DONE &&
               (next == NULL || !next->good || !jrpc_slice_equal(next->bytes, data))) {
            FUZZ_REQUIRE(next != NULL);
            next = next->next;
        }
        next = decoded == JRPC_DECODED_DONE ? next->next : next;
    }
    jrpc_sse_done(&sse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t limits[] = {1 << 16, 0, 1, 5, 16, 64, 100, 200};
    fuzz_input input = fuzz_input_of(data, size);
    size_t max_message = limits[input.options[0] & 7];
    jrpc_random random;
    jrpc_random_init(&random, fuzz_input_seed(&input));
    tree_pool pool = {NULL};
    frames whole;
    frames pieces;
    frames expected;
    decode(input.text, max_message, SIZE_MAX / 2, &random, &pool, &whole);
    events_expected(&expected, &pool, input.text, max_message);
    require_same(&whole, &expected);
    if (fuzz_turn(&input, 0, 2)) {
        decode(input.text, max_message, 1 + input.options[1] % 16u, &random, &pool, &pieces);
        require_same(&pieces, &expected);
    }
    if (fuzz_turn(&input, 1, 2)) {
        require_round_trip(input.text, &random, &pool);
    }
    require_new(&input, max_message, &random, &pool, &whole);
    if (input.options[2] != 0) {
        require_bounded(input.text, max_message, input.options[2] - 1u, &whole);
    }
    tree_pool_done(&pool);
    return 0;
}
