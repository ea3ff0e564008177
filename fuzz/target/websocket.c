// Bytes of a WebSocket give the same messages and the same answers however they are split; what one
// side sends, whatever the fragments, the other side reads; nobody answers with what the other side
// must refuse. Frames of a server that masks come out as a naive reader unmasks them, and a frame
// ends where its head says.
//
// Options: the role and the longest message, flags of a message, the longest piece, where it is
// cut.
#include "reference/wire/websocket.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/frames.h"
#include "reference/base/utf8.h"
#include "reference/wire/close_frame.h"
#include "reference/wire/frame_flaw.h"
#include "reference/wire/frame_head.h"
#include "reference/wire/frame_place.h"
#include "reference/wire/unmask.h"

enum {
    CLIENT = 1,
    BINARY = 1,
    PINGED = 2,
    SEED = 5,
    PROTOCOL_ERROR = 1002,
    NO_UTF8 = 1007,
    TOO_BIG = 1009,
    LONG = 0x77,
    LONG_BYTES = 70000,
};

typedef struct heard {
    frames list; // the code of each: its event
    jrpc_slice answer;
    int close_code, pongs;
    bool closed;
    bool flawed; // the Close broke something
} heard;

static void take_all(jrpc_websocket *socket, tree_pool *pool, size_t max_message, heard *all)
{
    jrpc_slice payload = {NULL, 0};
    jrpc_websocket_event event;
    while ((event = jrpc_websocket_next(socket, &payload)) != JRPC_WEBSOCKET_NONE) {
        FUZZ_REQUIRE(payload.len <= max_message || event == JRPC_WEBSOCKET_PONG);
        // Nothing comes after the end.
        FUZZ_REQUIRE(!all->closed);
        all->closed = event == JRPC_WEBSOCKET_CLOSE;
        frames_add(&all->list, pool, true, payload, (jrpc_error_code)event);
    }
}

// Feeds a stream in pieces of 1 to `most` bytes and gathers what comes of it.
static heard hear(bool client, jrpc_slice stream, size_t max_message, size_t most, uint64_t seed,
                  tree_pool *pool)
{
    heard all = {.closed = false};
    frames_init(&all.list);
    jrpc_random random;
    jrpc_random_init(&random, seed);
    jrpc_websocket socket;
    FUZZ_REQUIRE(jrpc_websocket_init(&socket, client, max_message, SEED, jrpc_allocator_heap()));
    while (stream.len != 0) {
        size_t len = 1 + (size_t)jrpc_random_below(&random, most);
        jrpc_slice piece = {stream.ptr, len < stream.len ? len : stream.len};
        stream = jrpc_slice_from(stream, piece.len);
        FUZZ_REQUIRE(jrpc_websocket_feed(&socket, piece));
        take_all(&socket, pool, max_message, &all);
    }
    char *copy = tree_alloc(pool, socket.out.len + 1);
    if (socket.out.len != 0) {
        memcpy(copy, socket.out.ptr, socket.out.len);
    }
    all.answer = jrpc_slice_of(copy, socket.out.len);
    all.close_code = socket.close_code;
    all.pongs = socket.pongs;
    all.flawed = socket.close_flaw != NULL;
    jrpc_websocket_done(&socket);
    return all;
}

static bool is_breach(int close_code)
{
    return close_code == PROTOCOL_ERROR || close_code == NO_UTF8 || close_code == TOO_BIG;
}

// The same messages, and in the end the same. wslay 1.1.1 overlooks a close whose reason is no
// UTF-8 where it comes in pieces, so a breach that one of them saw decides nothing about the other.
static void require_same(const heard *a, const heard *b)
{
    bool breach = is_breach(a->close_code) || is_breach(b->close_code);
    const frame *x = a->list.first;
    const frame *y = b->list.first;
    for (; x != NULL && y != NULL; x = x->next, y = y->next) {
        FUZZ_REQUIRE(x->code == y->code && jrpc_slice_equal(x->bytes, y->bytes));
    }
    const frame *rest = x == NULL ? y : x;
    FUZZ_REQUIRE(rest == NULL || (breach && rest->next == NULL &&
                                  (jrpc_websocket_event)rest->code == JRPC_WEBSOCKET_CLOSE));
    FUZZ_REQUIRE(breach || (a->closed == b->closed && a->close_code == b->close_code));
    FUZZ_REQUIRE(a->pongs == b->pongs);
    // Behind a close nobody waits for a pong: whether one is still sent may depend on the split.
    FUZZ_REQUIRE(a->closed || b->closed || jrpc_slice_equal(a->answer, b->answer));
}

static bool is_utf8(jrpc_slice text);

// What a server's Close says of itself (RFC 6455, sections 5.5.1 and 7.4), in one frame.
static void require_close(jrpc_slice body, tree_pool *pool)
{
    char bytes[2 + 125] = {(char)0x88};
    size_t len = body.len < 125 ? body.len : 125;
    bytes[1] = (char)len;
    if (len != 0) {
        memcpy(bytes + 2, body.ptr, len);
    }
    body = jrpc_slice_of(bytes + 2, len);
    unsigned code =
        len < 2 ? 1005
                : (unsigned)(unsigned char)body.ptr[0] << 8 | (unsigned)(unsigned char)body.ptr[1];
    bool flawed =
        len == 1 || (len >= 2 && (code < 1000 || (code >= 1004 && code <= 1006) || code == 1015 ||
                                  code >= 5000 || !is_utf8(jrpc_slice_from(body, 2))));
    heard said = hear(true, jrpc_slice_of(bytes, 2 + len), 1 << 16, SIZE_MAX / 2, 1, pool);
    FUZZ_REQUIRE(said.closed && said.list.count == 1);
    FUZZ_REQUIRE(said.flawed == flawed);
    FUZZ_REQUIRE(len == 1 || said.close_code == (int)code);
}

static bool is_utf8(jrpc_slice text)
{
    while (text.len != 0) {
        size_t len = jrpc_utf8_sequence(text.ptr, text.len, NULL);
        if (len == 0) {
            return false;
        }
        text = jrpc_slice_from(text, len);
    }
    return true;
}

// What the other side makes of one message, a ping before it and a close after it.
static void require_delivered(bool client, jrpc_slice payload, const fuzz_input *input,
                              tree_pool *pool)
{
    bool binary = (input->options[1] & BINARY) != 0;
    bool pinged = (input->options[1] & PINGED) != 0;
    size_t cut = 1 + input->options[3];
    const size_t offsets[] = {cut, cut, 2 * cut, payload.len};
    jrpc_websocket socket;
    FUZZ_REQUIRE(jrpc_websocket_init(&socket, client, SIZE_MAX / 2, SEED, jrpc_allocator_heap()));
    FUZZ_REQUIRE(!pinged || jrpc_websocket_ping(&socket));
    FUZZ_REQUIRE(jrpc_websocket_send(&socket, binary, payload, offsets, input->options[3] % 5u));
    FUZZ_REQUIRE(jrpc_websocket_close(&socket, 1000, JRPC_SLICE("")));
    heard other = hear(!client, jrpc_buffer_slice(&socket.out), 1 << 20,
                       1 + input->options[2] % 32u, 3, pool);
    if (binary || is_utf8(payload)) {
        FUZZ_REQUIRE(other.list.count == 2 && other.closed && other.close_code == 1000);
        const frame *message = other.list.first;
        jrpc_websocket_event wanted = binary ? JRPC_WEBSOCKET_BINARY : JRPC_WEBSOCKET_TEXT;
        FUZZ_REQUIRE((jrpc_websocket_event)message->code == wanted);
        FUZZ_REQUIRE(jrpc_slice_equal(message->bytes, payload));
    } else {
        FUZZ_REQUIRE(other.list.count == 1 && other.closed && other.close_code == NO_UTF8);
    }
    // What it answered: perhaps a pong to the ping, and a close to the close.
    heard echo = hear(client, other.answer, 1 << 20, 7, 3, pool);
    FUZZ_REQUIRE(echo.closed && echo.close_code == other.close_code);
    FUZZ_REQUIRE(echo.pongs <= (pinged ? 1 : 0));
    jrpc_websocket_done(&socket);
}

// Memory that runs out in our buffers is reported.
static void require_starved(bool client, jrpc_slice stream, size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    jrpc_websocket socket;
    FUZZ_REQUIRE(jrpc_websocket_init(&socket, client, 1 << 16, SEED, &failing.allocator));
    bool fed = jrpc_websocket_feed(&socket, stream);
    bool sent = jrpc_websocket_send(&socket, true, stream, NULL, 0) && jrpc_websocket_ping(&socket);
    FUZZ_REQUIRE((fed && sent) || failing.count > successes);
    bool closed = jrpc_websocket_close(&socket, 1000, JRPC_SLICE(""));
    FUZZ_REQUIRE(closed || socket.closed || failing.count > successes);
    FUZZ_REQUIRE(fed || socket.failed);
    jrpc_websocket_done(&socket);
    jrpc_websocket none = {.context = NULL};
    jrpc_websocket_done(&none);
}

// A length is written in as few bytes as possible (RFC 6455, section 5.2) and reads back equal.
static void require_head(uint64_t length, bool masked)
{
    char room[JRPC_FRAME_PLAIN_MAX + JRPC_FRAME_MASK_BYTES] = {0};
    size_t len = jrpc_frame_head_write(room, 0x82, masked, length);
    FUZZ_REQUIRE(len == (length < 126 ? 2U : length < 65536 ? 4U : 10U));
    jrpc_slice head = jrpc_slice_of(room, len);
    FUZZ_REQUIRE(jrpc_frame_payload_length(head) == length);
    FUZZ_REQUIRE(jrpc_frame_head_length(head) == len + (masked ? 4 : 0));
}

// A Close may have the status codes that sections 7.4.1 and 7.4.2 do not forbid.
static void require_code(unsigned code)
{
    char body[2] = {(char)(unsigned char)(code >> 8), (char)(unsigned char)(code & 0xFF)};
    bool forbidden = code < 1000 || (code >= 1004 && code <= 1006) || code == 1015 || code >= 5000;
    FUZZ_REQUIRE((jrpc_close_flaw(jrpc_slice_of(body, 2)) != NULL) == forbidden);
    FUZZ_REQUIRE(jrpc_close_code(jrpc_slice_of(body, 2)) == (int)code);
}

// At each limit, below it and above it, and wherever the input leads.
static void require_limits(jrpc_slice text)
{
    static const uint64_t lengths[] = {0, 125, 126, 127, 65535, 65536, UINT64_MAX >> 1};
    static const unsigned codes[] = {0,    999,  1000, 1003, 1004, 1006, 1007, 1014,
                                     1015, 1016, 2999, 3000, 4999, 5000, 5001, 65535};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        require_head(lengths[i], i % 2 == 0);
    }
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        require_code(codes[i]);
    }
    if (text.len >= 2) {
        unsigned two = (unsigned)(unsigned char)text.ptr[0] << 8 | (unsigned char)text.ptr[1];
        require_head(two, true);
        require_code(two);
    }
}

// The frames of a stream without masks and reserved bits, with the shortest lengths.
static void put_unmasked(jrpc_slice stream, jrpc_buffer *out)
{
    const unsigned char *at = (const unsigned char *)stream.ptr;
    for (size_t left = stream.len; left >= 2;) {
        size_t wide = (at[1] & 127) == 127 ? 8 : (at[1] & 127) == 126 ? 2 : 0;
        size_t head = 2 + wide + (at[1] >= 128 ? 4 : 0);
        uint64_t len = wide == 0 ? at[1] & 127u : 0;
        if (left < head) {
            return;
        }
        for (size_t i = 0; i < wide; i++) {
            len = len << 8 | at[2 + i];
        }
        const int bytes = len < 126 ? 0 : len <= 0xFFFF ? 2 : 8;
        (void)jrpc_buffer_append_char(out, (char)(at[0] & 0x8F));
        (void)jrpc_buffer_append_char(out, (char)(bytes == 0 ? len : bytes == 2 ? 126 : 127));
        for (int i = bytes - 1; i >= 0; i--) {
            (void)jrpc_buffer_append_char(out, (char)(len >> (8 * i)));
        }
        for (size_t i = 0; i < len && head + i < left; i++) {
            unsigned mask = at[1] >= 128 ? at[head - 4 + i % 4] : 0;
            (void)jrpc_buffer_append_char(out, (char)(at[head + i] ^ mask));
        }
        if (len >= left - head) {
            return;
        }
        at += head + (size_t)len;
        left -= head + (size_t)len;
    }
}

static void require_unmasked(jrpc_slice stream, size_t most)
{
    jrpc_unmask unmask = {.head_len = 0};
    jrpc_buffer out;
    jrpc_buffer expected;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), (size_t)4 << 20);
    jrpc_buffer_init(&expected, jrpc_allocator_heap(), (size_t)4 << 20);
    put_unmasked(stream, &expected);
    while (stream.len != 0) {
        jrpc_slice piece = jrpc_slice_of(stream.ptr, most < stream.len ? most : stream.len);
        stream = jrpc_slice_from(stream, piece.len);
        while (piece.len != 0) {
            FUZZ_REQUIRE(jrpc_unmask_feed(&unmask, &piece, &out));
        }
    }
    FUZZ_REQUIRE(!expected.failed);
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&out), jrpc_buffer_slice(&expected)));
    jrpc_buffer_done(&expected);
    jrpc_buffer_done(&out);
}

// RFC 6455, sections 5.1 to 5.5, for a server's frame of which the first two bytes, and the length,
// are known.
static bool has_flaw(unsigned first, unsigned second, uint64_t length, const bool *fragments,
                     const bool *closed)
{
    unsigned opcode = first % 16;
    bool known = opcode <= 2 || (opcode >= 8 && opcode <= 10);
    bool final = first >= 128;
    bool shortest = second == (length < 126 ? length : length < 65536 ? 126 : 127);
    if (second >= 128 || first / 16 % 8 != 0 || !known || !shortest) {
        return true;
    }
    return opcode >= 8 ? !final || length > 125 : *closed || *fragments != (opcode == 0);
}

// The bytes as heads of frames, one after the other.
static void require_flaws(jrpc_slice bytes)
{
    jrpc_frame_order order = {.masked = false};
    bool fragments = false;
    bool closed = false;
    while (bytes.len >= JRPC_FRAME_HEAD_MAX) {
        const unsigned char *u = (const unsigned char *)bytes.ptr;
        unsigned extra = u[1] % 128 == 127 ? 8 : u[1] % 128 == 126 ? 2 : 0;
        uint64_t length = extra == 0 ? u[1] % 128 : 0;
        for (unsigned i = 0; i < extra; i++) {
            length = length * 256 + u[2 + i];
        }
        size_t len = 2 + extra + (u[1] >= 128 ? JRPC_FRAME_MASK_BYTES : 0);
        const char *flaw = jrpc_frame_flaw(&order, jrpc_slice_of(bytes.ptr, len));
        FUZZ_REQUIRE((flaw != NULL) == has_flaw(u[0], u[1], length, &fragments, &closed));
        fragments = u[0] % 16 < 8 ? u[0] < 128 : fragments;
        closed = closed || u[0] % 16 == 8;
        FUZZ_REQUIRE(order.in_fragments == fragments && order.closed == closed);
        bytes = jrpc_slice_from(bytes, len);
    }
}

// The bytes of the first frame of a stream; 0 if the stream ends before that.
static uint64_t frame_length(jrpc_slice stream)
{
    const unsigned char *at = (const unsigned char *)stream.ptr;
    if (stream.len < 2) {
        return 0;
    }
    size_t wide = (at[1] & 127) == 127 ? 8 : (at[1] & 127) == 126 ? 2 : 0;
    size_t head = 2 + wide + (at[1] >= 128 ? 4 : 0);
    uint64_t len = wide == 0 ? at[1] & 127u : 0;
    for (size_t i = 0; i < wide && stream.len >= head; i++) {
        len = len << 8 | at[2 + i];
    }
    return stream.len < head || stream.len - head < len ? 0 : head + len;
}

// However a stream is split, each frame ends where it does.
static void require_placed(jrpc_slice stream, size_t most)
{
    jrpc_frame_place place = {.head_len = 0};
    FUZZ_REQUIRE(!jrpc_frame_is_begun(&place));
    while (stream.len != 0) {
        uint64_t whole = frame_length(stream);
        size_t end = whole == 0 ? stream.len : (size_t)whole;
        for (size_t at = 0; at < end;) {
            size_t piece = most < stream.len - at ? most : stream.len - at;
            size_t taken = jrpc_frame_advance(&place, jrpc_slice_of(stream.ptr + at, piece));
            FUZZ_REQUIRE(taken == (piece < end - at ? piece : end - at));
            at += taken;
            FUZZ_REQUIRE(jrpc_frame_is_begun(&place) == (at < end || whole == 0));
        }
        stream = jrpc_slice_from(stream, end);
    }
}

// The length of a frame may need more than 32 bits.
static void require_long_place(size_t piece)
{
    static const uint64_t lengths[] = {UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX >> 1};
    static const char bytes[32];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        jrpc_frame_place place = {.head_len = 0};
        char head[JRPC_FRAME_PLAIN_MAX];
        size_t len = jrpc_frame_head_write(head, 0x82, false, lengths[i]);
        FUZZ_REQUIRE(jrpc_frame_advance(&place, jrpc_slice_of(head, len)) == len);
        FUZZ_REQUIRE(jrpc_frame_advance(&place, jrpc_slice_of(bytes, piece)) == piece);
        FUZZ_REQUIRE(jrpc_frame_is_begun(&place) && place.left == lengths[i] - piece);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t limits[] = {1 << 16, 0, 1, 16, 64, 125, 126, 1000};
    fuzz_input input = fuzz_input_of(data, size);
    bool client = (input.options[0] & CLIENT) != 0;
    size_t max_message = limits[input.options[0] >> 1 & 7];
    // Frames hold NULs, so the stream is the whole input.
    jrpc_slice stream = jrpc_slice_of((const char *)data, size);
    tree_pool pool = {NULL};
    heard whole = hear(client, stream, max_message, SIZE_MAX / 2, 1, &pool);
    if (fuzz_turn(&input, 0, 2)) {
        heard pieces = hear(client, stream, max_message, 1 + input.options[2] % 32u,
                            fuzz_input_seed(&input), &pool);
        require_same(&whole, &pieces);
        heard other = hear(!client, whole.answer, 1 << 20, SIZE_MAX / 2, 1, &pool);
        FUZZ_REQUIRE(!other.closed || whole.closed);
    }
    if (fuzz_turn(&input, 1, 2)) {
        require_delivered(client, input.text, &input, &pool);
    }
    if (input.options[4] != 0) {
        require_starved(client, stream, input.options[4] - 1u);
    }
    require_limits(input.text);
    require_flaws(stream);
    require_close(stream, &pool);
    require_unmasked(stream, 1 + input.options[2] % 32u);
    require_placed(stream, 1 + input.options[2] % 32u);
    require_long_place(1 + input.options[2] % 32u);
    bool long_one = input.options[4] == LONG && input.options[5] == LONG && input.text.len != 0;
    if (long_one && fuzz_turn(&input, 0, 16)) {
        // Longer than two bytes can say.
        char *payload = tree_alloc(&pool, LONG_BYTES);
        memset(payload, input.text.ptr[0] & 0x7F, LONG_BYTES);
        input.options[2] |= 31;
        require_delivered(client, jrpc_slice_of(payload, LONG_BYTES), &input, &pool);
    }
    tree_pool_done(&pool);
    return 0;
}
