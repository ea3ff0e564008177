// What an HTTP answer is taken for: heads, a body, trailers, in any pieces. One message a body, or
// one an event; nothing is lost, made up or longer than allowed; trailers change nothing.
// A body in chunks, or of the length that its head says, with its text as content, is read as it
// was; a length that is not a number, or too large for one, is refused.
//
// Options: the longest message, flags (breaks off, has trailers), the longest piece, the n-th
// allocation that fails.
#include "fuzz/fuzz.h"
#include "fuzz/model/events.h"
#include "reference/net/http_answer.h"
#include "reference/wire/http_body.h"

#include <stdio.h>
#include <strings.h>

enum { BREAKS_OFF = 1, HAS_TRAILERS = 2, AT_US = 42 };

// A text as an exchange: the head that counts (its lines, without the empty one) and the body.
typedef struct exchange {
    jrpc_slice interim; // heads before it
    jrpc_slice head;
    jrpc_slice body;
} exchange;

// Takes lines up to an empty one; *text is moved after it.
static jrpc_slice take_head(jrpc_slice *text)
{
    const char *begin = text->ptr;
    size_t len = 0;
    while (text->len != 0) {
        const char *feed = memchr(text->ptr, '\n', text->len);
        size_t line = feed == NULL ? text->len : (size_t)(feed - text->ptr) + 1;
        bool empty = line == 1 || (line == 2 && text->ptr[0] == '\r' && feed != NULL);
        *text = jrpc_slice_from(*text, line);
        if (empty) {
            break;
        }
        len += line;
    }
    return jrpc_slice_of(begin, len);
}

static exchange exchange_of(jrpc_slice text)
{
    static const jrpc_slice status = JRPC_SLICE_INIT("HTTP/");
    exchange e = {.interim = {text.ptr, 0}};
    e.head = take_head(&text);
    while (jrpc_slice_starts_with(e.head, status) && jrpc_slice_starts_with(text, status)) {
        e.interim.len = (size_t)(e.head.ptr - e.interim.ptr) + e.head.len;
        e.head = take_head(&text);
    }
    e.body = text;
    return e;
}

// Lines as a library hands them over: one a call, an empty one after them.
static void give_lines(jrpc_http_answer *answer, jrpc_slice lines)
{
    while (lines.len != 0) {
        const char *feed = memchr(lines.ptr, '\n', lines.len);
        size_t len = feed == NULL ? lines.len : (size_t)(feed - lines.ptr) + 1;
        jrpc_http_answer_header(answer, jrpc_slice_of(lines.ptr, len));
        lines = jrpc_slice_from(lines, len);
    }
    jrpc_http_answer_header(answer, JRPC_SLICE("\r\n"));
}

static bool says(jrpc_slice text, const char *word)
{
    for (size_t i = 0; i + strlen(word) <= text.len; i++) {
        if (strncasecmp(text.ptr + i, word, strlen(word)) == 0) {
            return true;
        }
    }
    return false;
}

// The last line of that name, or an empty slice without a pointer. *ret_json: whether any of them
// says "json".
static jrpc_slice last_line(jrpc_slice head, const char *name, bool *ret_json)
{
    jrpc_slice found = {NULL, 0};
    *ret_json = false;
    while (head.len != 0) {
        const char *feed = memchr(head.ptr, '\n', head.len);
        size_t len = feed == NULL ? head.len : (size_t)(feed - head.ptr) + 1;
        if (len >= strlen(name) && strncasecmp(head.ptr, name, strlen(name)) == 0) {
            found = jrpc_slice_of(head.ptr, len);
            *ret_json = *ret_json || says(found, "json");
        }
        head = jrpc_slice_from(head, len);
    }
    return found;
}

static void run(jrpc_http_answer *answer, const exchange *e, unsigned flags, size_t most,
                jrpc_random *random)
{
    if (e->interim.len != 0) {
        give_lines(answer, e->interim);
    }
    give_lines(answer, e->head);
    bool wanted = true;
    for (jrpc_slice rest = e->body; rest.len != 0 && wanted;) {
        size_t len = 1 + (size_t)jrpc_random_below(random, most);
        len = len < rest.len ? len : rest.len;
        wanted = jrpc_http_answer_body(answer, jrpc_slice_of(rest.ptr, len), AT_US);
        rest = jrpc_slice_from(rest, len);
    }
    if ((flags & HAS_TRAILERS) != 0 && wanted) {
        give_lines(answer, JRPC_SLICE("Content-Type: text/event-stream\r\nContent-Length: 99\r\n"));
    }
    jrpc_http_answer_end(answer, AT_US, (flags & BREAKS_OFF) != 0 ? "it was cut" : NULL);
}

static void take_all(jrpc_http_answer *answer, tree_pool *pool, frames *list)
{
    frames_init(list);
    jrpc_received received;
    while (!jrpc_http_answer_is_taken(answer)) {
        FUZZ_REQUIRE(jrpc_http_answer_take(answer, &received));
        FUZZ_REQUIRE(received.at_us == AT_US && received.true_len >= received.bytes.len);
        FUZZ_REQUIRE(received.http_status == answer->status);
        FUZZ_REQUIRE(received.why == NULL || received.why[0] != '\0');
        frames_add(list, pool, received.why == NULL, received.bytes, JRPC_OK);
    }
    FUZZ_REQUIRE(!jrpc_http_answer_take(answer, &received));
}

// `events`: one that is "[DONE]" is the end of a stream, by the custom of some servers, and one
// whose data is empty carries an id alone.
static void require_frames(const frames *list, const frames *expected, bool events)
{
    const frame *x = list->first;
    for (const frame *y = expected->first; y != NULL; y = y->next) {
        if (events && y->good && (y->bytes.len == 0 || jrpc_slice_is(y->bytes, "[DONE]"))) {
            continue;
        }
        FUZZ_REQUIRE(x != NULL && x->good == y->good && jrpc_slice_equal(x->bytes, y->bytes));
        x = x->next;
    }
    FUZZ_REQUIRE(x == NULL);
}

static bool is_bracketed(jrpc_slice body)
{
    while (body.len != 0 && memchr(" \t\r\n", body.ptr[0], 4) != NULL) {
        body = jrpc_slice_from(body, 1);
    }
    while (body.len != 0 && memchr(" \t\r\n", body.ptr[body.len - 1], 4) != NULL) {
        body.len--;
    }
    return body.len > 1 && ((body.ptr[0] == '{' && body.ptr[body.len - 1] == '}') ||
                            (body.ptr[0] == '[' && body.ptr[body.len - 1] == ']'));
}

// What the exchange comes to, said in another way.
static void expect(const exchange *e, unsigned flags, size_t max_message, tree_pool *pool,
                   frames *list)
{
    bool json;
    jrpc_slice type = last_line(e->head, "content-type:", &json);
    bool broken = (flags & BREAKS_OFF) != 0;
    if (says(type, "text/event-stream")) {
        events_expected(list, pool, e->body, max_message);
        if (broken) {
            frames_add(list, pool, false, (jrpc_slice){NULL, 0}, JRPC_OK);
        }
        return;
    }
    frames_init(list);
    jrpc_slice body = e->body;
    body.len = body.len < max_message ? body.len : max_message;
    if (body.len != 0 || broken) {
        frames_add(list, pool, !broken && (json || is_bracketed(body)), body, JRPC_OK);
    }
}

static void require_status(const exchange *e, int status)
{
    const jrpc_slice head = e->head;
    if (head.len > 12 && jrpc_slice_starts_with(head, JRPC_SLICE("HTTP/1.1 ")) &&
        strspn(head.ptr + 9, "0123456789") >= 3) {
        FUZZ_REQUIRE(status ==
                     (head.ptr[9] - '0') * 100 + (head.ptr[10] - '0') * 10 + (head.ptr[11] - '0'));
    }
    FUZZ_REQUIRE(status >= 0 && status <= 999);
}

static void check(const exchange *e, unsigned flags, size_t max_message, size_t most,
                  const jrpc_allocator *allocator, jrpc_random *random)
{
    tree_pool pool = {NULL};
    frames list;
    frames expected;
    jrpc_http_answer answer;
    jrpc_http_answer_init(&answer, max_message, allocator);
    // The second time over what the first left behind.
    for (int i = 0; i < 2; i++) {
        jrpc_http_answer_clear(&answer);
        run(&answer, e, flags, most, random);
        bool failed = answer.failed;
        take_all(&answer, &pool, &list);
        if (allocator == jrpc_allocator_heap()) {
            FUZZ_REQUIRE(!failed);
            expect(e, flags, max_message, &pool, &expected);
            require_frames(&list, &expected, answer.events);
            require_status(e, answer.status);
        }
    }
    jrpc_http_answer_done(&answer);
    tree_pool_done(&pool);
}

// A chunk as RFC 9112, section 7.1, allows to write it.
static void put_chunk(jrpc_buffer *out, jrpc_slice piece, unsigned manner)
{
    FUZZ_REQUIRE(jrpc_buffer_printf(out, manner % 2 == 0 ? "%zX" : "0%zx", piece.len));
    FUZZ_REQUIRE(jrpc_buffer_append_str(out, manner % 4 == 3 ? ";a=b\r\n" : "\r\n"));
    FUZZ_REQUIRE(jrpc_buffer_append(out, piece) && jrpc_buffer_append_str(out, "\r\n"));
}

// A body in chunks is read as it was, where its last byte has come and not before, whatever comes
// after it.
static void require_chunks(jrpc_slice body, jrpc_random *random)
{
    static const char trailer[] = "A: b\r\n";
    jrpc_slice head = JRPC_SLICE("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n");
    bool extended = false;
    bool trails = jrpc_random_below(random, 2) != 0;
    jrpc_buffer stream;
    jrpc_buffer content;
    jrpc_http_body read;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), SIZE_MAX);
    for (jrpc_slice rest = body; rest.len > 0;) {
        unsigned manner = (unsigned)jrpc_random_below(random, 8);
        size_t len = 1 + (size_t)jrpc_random_below(random, rest.len);
        put_chunk(&stream, jrpc_slice_of(rest.ptr, len), manner);
        extended = extended || manner % 4 == 3;
        rest = jrpc_slice_from(rest, len);
    }
    FUZZ_REQUIRE(jrpc_buffer_printf(&stream, "0\r\n%s\r\n", trails ? trailer : ""));
    size_t whole = stream.len;
    FUZZ_REQUIRE(jrpc_buffer_append_str(&stream, "5\r\n"));
    for (size_t less = 0; less < 4 && less < whole; less++) {
        jrpc_buffer_init(&content, jrpc_allocator_heap(), body.len);
        size_t len = less == 0 ? stream.len : whole - less;
        jrpc_decoded decoded =
            jrpc_http_body_read(head, jrpc_slice_of(stream.ptr, len), true, false, &content, &read);
        FUZZ_REQUIRE(decoded == (less == 0 ? JRPC_DECODED_DONE : JRPC_DECODED_MORE));
        FUZZ_REQUIRE(less != 0 || jrpc_slice_equal(jrpc_buffer_slice(&content), body));
        FUZZ_REQUIRE(less != 0 || (read.used == whole && read.chunked));
        FUZZ_REQUIRE(less != 0 || (read.extensions == extended &&
                                   (read.trailer == sizeof trailer + 1) == trails));
        jrpc_buffer_done(&content);
    }
    jrpc_buffer_done(&stream);
}

static jrpc_decoded read_body(jrpc_slice head, jrpc_slice rest, bool ended, jrpc_buffer *content,
                              jrpc_http_body *ret_body)
{
    jrpc_buffer_init(content, jrpc_allocator_heap(), rest.len);
    return jrpc_http_body_read(head, rest, false, ended, content, ret_body);
}

// The text has as many bytes as the head says, one more or one fewer.
static void require_length(jrpc_slice body)
{
    static const char *const zeros[] = {"", "0", "00000000000000000000000"};
    for (size_t i = 0; i < (size_t)3 * 3; i++) {
        char head[120];
        size_t length = body.len + i % 3;
        if (length == 0) {
            continue;
        }
        length--;
        int len = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\ncontent-length: %s%zu\r\n",
                           zeros[i / 3], length);
        jrpc_slice said = jrpc_slice_of(head, (size_t)len);
        for (int ended = 0; ended < 2; ended++) {
            jrpc_buffer content;
            jrpc_http_body read;
            jrpc_decoded decoded = read_body(said, body, ended != 0, &content, &read);
            FUZZ_REQUIRE(decoded == (length <= body.len ? JRPC_DECODED_DONE
                                     : ended != 0       ? JRPC_DECODED_BAD
                                                        : JRPC_DECODED_MORE));
            FUZZ_REQUIRE(
                decoded != JRPC_DECODED_DONE ||
                (read.used == length && !read.chunked &&
                 jrpc_slice_equal(jrpc_buffer_slice(&content), jrpc_slice_of(body.ptr, length))));
            jrpc_buffer_done(&content);
        }
    }
}

// A number that is too large for a size, or a word that is not a number, is not the length of a
// body or a chunk, whatever they would come to in 32 or 64 bits.
static void require_no_length(jrpc_slice body)
{
    static const char *const wrong[] = {"18446744073709551616",
                                        "18446744073709551617",
                                        "18446744073709551619",
                                        "18446744073709551620",
                                        "36893488147419103232",
                                        "184467440737095516160",
                                        "340282366920938463463374607431768211456",
                                        "+1",
                                        "-1",
                                        "0x1",
                                        "1 1",
                                        "1;",
                                        "1,1",
                                        "a",
                                        "1.0"};
    static const char *const large[] = {"9223372036854775807", "9223372036854775808", "4294967296",
                                        "4294967297", "18446744073709550000"};
    static const char *const chunks[] = {
        "10000000000000000", "10000000000000001", "FFFFFFFFFFFFFFFF", "ffffffffffffffff0",
        "100000001",         "100000000",         "8000000000000000", "7fffffffffffffff"};
    enum { WRONG = sizeof wrong / sizeof *wrong, LARGE = sizeof large / sizeof *large };
    for (size_t i = 0; i < WRONG + LARGE + sizeof chunks / sizeof *chunks; i++) {
        char head[120] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
        jrpc_buffer content;
        jrpc_buffer rest;
        jrpc_http_body read;
        jrpc_buffer_init(&rest, jrpc_allocator_heap(), SIZE_MAX);
        if (i < WRONG + LARGE) {
            (void)snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %s\r\n",
                           i < WRONG ? wrong[i] : large[i - WRONG]);
            FUZZ_REQUIRE(jrpc_buffer_append(&rest, body));
        } else {
            FUZZ_REQUIRE(jrpc_buffer_append_str(&rest, chunks[i - WRONG - LARGE]) &&
                         jrpc_buffer_append_str(&rest, "\r\n") && jrpc_buffer_append(&rest, body) &&
                         jrpc_buffer_append_str(&rest, "\r\n0\r\n\r\n"));
        }
        jrpc_decoded decoded =
            read_body(jrpc_slice_str(head), jrpc_buffer_slice(&rest), false, &content, &read);
        FUZZ_REQUIRE(i < WRONG ? decoded == JRPC_DECODED_BAD : decoded != JRPC_DECODED_DONE);
        jrpc_buffer_done(&content);
        jrpc_buffer_done(&rest);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t limits[] = {1 << 16, 0, 1, 6, 16, 64, 100, 200};
    fuzz_input input = fuzz_input_of(data, size);
    // The driver hands over a block without a NUL after it; lines are looked at as strings here.
    char text[4096];
    size_t len = input.text.len < sizeof text - 1 ? input.text.len : sizeof text - 1;
    memcpy(text, len == 0 ? "" : input.text.ptr, len);
    text[len] = '\0';
    exchange e = exchange_of(jrpc_slice_of(text, len));
    if (jrpc_slice_contains(e.head, JRPC_SLICE("\nHTTP/"))) {
        return 0; // no library takes a second status line for a header
    }
    size_t max_message = limits[input.options[0] & 7];
    unsigned flags = input.options[1];
    jrpc_random random;
    jrpc_random_init(&random, fuzz_input_seed(&input));
    if (fuzz_turn(&input, 0, 2)) {
        check(&e, flags, max_message, SIZE_MAX / 2, jrpc_allocator_heap(), &random);
    }
    if (fuzz_turn(&input, 1, 2)) {
        check(&e, flags, max_message, 1 + input.options[2] % 16u, jrpc_allocator_heap(), &random);
    }
    if (fuzz_turn(&input, 2, 3)) {
        require_chunks(input.text, &random);
    }
    if (fuzz_turn(&input, 3, 8)) {
        require_length(input.text);
        require_no_length(input.text);
    }
    if (input.options[3] != 0) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, input.options[3] - 1u);
        check(&e, flags, max_message, 64, &failing.allocator, &random);
    }
    return 0;
}
