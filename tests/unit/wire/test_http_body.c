// Where the body of an HTTP message ends, at every length of what has come so far.
#include "reference/wire/http_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEAD(fields) "HTTP/1.1 200 OK\r\n" fields "\r\n"
#define CHUNKED HEAD("Transfer-Encoding: chunked\r\n")

typedef struct sample {
    const char *head, *rest;
    bool endless;
    const char *content; // NULL: it is no body
    size_t used;
    bool extensions;
} sample;

static jrpc_decoded read_body(const sample *row, size_t len, bool ended, jrpc_buffer *content,
                              jrpc_http_body *ret_body)
{
    jrpc_buffer_init(content, jrpc_allocator_heap(), 1024);
    return jrpc_http_body_read(jrpc_slice_str(row->head), jrpc_slice_of(row->rest, len),
                               row->endless, ended, content, ret_body);
}

static void a_body_ends_where_its_head_says(void **state)
{
    (void)state;
    static const sample rows[] = {
        {HEAD("Content-Length: 3\r\n"), "abcdef", false, "abc", 3, false},
        {HEAD("content-length: 0\r\n"), "x", true, "", 0, false},
        {HEAD("X: y\r\n"), "abc", false, "", 0, false},
        {CHUNKED, "3\r\nabc\r\n0\r\n\r\nrest", true, "abc", 13, false},
        {CHUNKED, "2\r\nab\r\nA\r\n0123456789\r\n0\r\n\r\n", true, "ab0123456789", 27, false},
        {CHUNKED, "1;q=\"2\";z\r\na\r\n0\r\nTrailer: x\r\n\r\n", true, "a", 31, true},
        {HEAD("Transfer-Encoding: CHUNKED\r\n"), "1\na\n0\n\n", true, "a", 7, false},
        {HEAD("Content-Length: 3x\r\n"), "abc", true, NULL, 0, false},
        {HEAD("Content-Length: \r\n"), "abc", true, NULL, 0, false},
        {HEAD("Content-Length: 99999999999999999999999999\r\n"), "abc", true, NULL, 0, false},
        // 3 more than the numbers of 64 bits: not a body of 3 bytes.
        {HEAD("Content-Length: 18446744073709551619\r\n"), "abc", true, NULL, 0, false},
        {CHUNKED, "10000000000000003\r\nabc\r\n0\r\n\r\n", true, NULL, 0, false},
        {CHUNKED, "x\r\n", true, NULL, 0, false},
        {HEAD("Transfer-Encoding: deflate\r\nContent-Length: 1\r\n"), "ab", true, "a", 1, false},
        {CHUNKED, "-1\r\n", true, NULL, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sample *row = &rows[i];
        jrpc_buffer content;
        jrpc_http_body body;
        size_t least = row->content == NULL ? strlen(row->rest) : row->used;
        for (size_t len = 0; len <= strlen(row->rest); len++) {
            jrpc_decoded read = read_body(row, len, false, &content, &body);
            bool whole = row->content != NULL && len >= least;
            if (whole) {
                assert_int_equal(read, JRPC_DECODED_DONE);
                assert_int_equal(body.used, row->used);
                assert_int_equal(body.extensions, row->extensions);
                assert_true(
                    jrpc_slice_equal(jrpc_buffer_slice(&content), jrpc_slice_str(row->content)));
            } else {
                assert_int_not_equal(read, JRPC_DECODED_DONE);
            }
            jrpc_buffer_done(&content);
            read = read_body(row, len, true, &content, &body);
            assert_int_equal(read, whole ? JRPC_DECODED_DONE : JRPC_DECODED_BAD);
            jrpc_buffer_done(&content);
        }
    }
}

static void an_answer_without_a_length_ends_with_the_connection(void **state)
{
    (void)state;
    static const sample row = {HEAD("X: y\r\n"), "abc", true, "abc", 3, false};
    jrpc_buffer content;
    jrpc_http_body body;
    assert_int_equal(read_body(&row, 3, false, &content, &body), JRPC_DECODED_MORE);
    jrpc_buffer_done(&content);
    assert_int_equal(read_body(&row, 3, true, &content, &body), JRPC_DECODED_DONE);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&content), "abc"));
    assert_int_equal(body.used, 3);
    jrpc_buffer_done(&content);
}

static void a_body_that_is_longer_than_its_reader_takes_is_refused(void **state)
{
    (void)state;
    static const char *const rests[] = {"3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n", "abcd"};
    static const char *const heads[] = {CHUNKED, HEAD("Content-Length: 4\r\n")};
    for (size_t i = 0; i < 2; i++) {
        for (size_t most = 0; most <= 5; most++) {
            jrpc_buffer content;
            jrpc_http_body body;
            jrpc_buffer_init(&content, jrpc_allocator_heap(), most);
            assert_int_equal(jrpc_http_body_read(jrpc_slice_str(heads[i]), jrpc_slice_str(rests[i]),
                                                 false, true, &content, &body),
                             most < 4 ? JRPC_DECODED_BAD : JRPC_DECODED_DONE);
            jrpc_buffer_done(&content);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_ends_where_its_head_says),
        cmocka_unit_test(an_answer_without_a_length_ends_with_the_connection),
        cmocka_unit_test(a_body_that_is_longer_than_its_reader_takes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
