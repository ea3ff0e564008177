// What the listening side of HTTP says of requests, and the answers that it can write.
#include "reference/net/http_replies.h"
#include "reference/net/http_request_flaw.h"
#include "reference/wire/http_body.h"
#include "reference/wire/websocket_handshake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define HOST "Host: 127.0.0.1:8080\r\n"
#define POST "POST / HTTP/1.1\r\n"

static void a_head_is_right_or_has_a_flaw_that_names_its_section(void **state)
{
    static const struct {
        const char *head;
        const char *section; // NULL: it is right
        jrpc_flaw of;
    } rows[] = {
        {POST HOST "\r\n", NULL, JRPC_FLAW_FIELDS},
        {POST "host:\tlocalhost:8080\r\ncontent-type:a\r\n\r\n", NULL, JRPC_FLAW_FIELDS},
        {"POST /a?b=c HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", NULL,
         JRPC_FLAW_FIELDS},
        {"POST / HTTP/1.0\r\n\r\n", NULL, JRPC_FLAW_FIELDS},
        {POST "\r\n", "section 3.2", JRPC_FLAW_HOST},
        {POST "Host: 127.0.0.1\r\n\r\n", "section 3.2", JRPC_FLAW_HOST},
        {POST "Host: 127.0.0.1:80\r\n\r\n", "section 3.2", JRPC_FLAW_HOST},
        {POST "Host: :8080\r\n\r\n", "section 3.2", JRPC_FLAW_HOST},
        {POST HOST HOST "\r\n", "section 3.2", JRPC_FLAW_HOST},
        {"POST / HTTP/1.1\n" HOST "\r\n", "section 2.1", JRPC_FLAW_FIELDS},
        {POST HOST "A: b\n\r\n", "section 2.1", JRPC_FLAW_FIELDS},
        {"POST  / HTTP/1.1\r\n" HOST "\r\n", "section 3)", JRPC_FLAW_FIELDS},
        {"POST /a b HTTP/1.1\r\n" HOST "\r\n", "section 3)", JRPC_FLAW_FIELDS},
        {"POST /#a HTTP/1.1\r\n" HOST "\r\n", "section 3)", JRPC_FLAW_FIELDS},
        {"POST http://127.0.0.1:8080/ HTTP/1.1\r\n" HOST "\r\n", "section 3.2.1", JRPC_FLAW_FIELDS},
        {POST HOST "A : b\r\n\r\n", "section 5.1", JRPC_FLAW_FIELDS},
        {POST HOST ": b\r\n\r\n", "section 5.1", JRPC_FLAW_FIELDS},
        {POST HOST "A: b\r\n c\r\n\r\n", "section 5.2", JRPC_FLAW_FIELDS},
        {POST HOST "A\r\n\r\n", "section 5)", JRPC_FLAW_FIELDS},
        {POST HOST "A: b\rc\r\n\r\n", "section 5.5", JRPC_FLAW_FIELDS},
        {POST HOST "Content-Type: a\r\nContent-type: a\r\n\r\n", "section 5.3", JRPC_FLAW_FIELDS},
        {POST HOST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n", "section 8.6",
         JRPC_FLAW_FIELDS},
        {POST HOST "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", "section 6.2",
         JRPC_FLAW_FIELDS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_flaw of = JRPC_FLAW_FIELDS;
        const char *flaw =
            jrpc_http_flaw_of_request(jrpc_slice_str(rows[i].head), "http://127.0.0.1:8080/", &of);
        if (rows[i].section == NULL) {
            assert_null(flaw);
        } else {
            assert_non_null(flaw);
            assert_non_null(strstr(flaw, rows[i].section));
            assert_int_equal(of, rows[i].of);
        }
    }
}

// The name of each form, from the list of all of them.
static jrpc_slice next_word(const char **list)
{
    *list += strspn(*list, ", ");
    size_t len = strcspn(*list, ", ");
    jrpc_slice word = jrpc_slice_of(*list, len);
    *list += len;
    return word;
}

static void an_answer_of_every_form_has_the_body_that_was_given(void **state)
{
    static const jrpc_slice body = JRPC_SLICE_INIT("{\"jsonrpc\":\"2.0\",\"result\":19,\"id\":1}");
    (void)state;
    size_t forms = 0;
    for (const char *list = jrpc_http_reply_words(); *list != '\0';) {
        jrpc_slice word = next_word(&list);
        if (jrpc_slice_is(word, "or")) {
            continue;
        }
        jrpc_http_reply_parts parts = {.form = jrpc_http_reply_find(word),
                                       .status = 200,
                                       .content_type = "application/json",
                                       .body = body};
        assert_non_null(parts.form);
        jrpc_buffer out;
        jrpc_buffer content;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 20);
        jrpc_buffer_init(&content, jrpc_allocator_heap(), 1 << 20);
        jrpc_http_reply_end end;
        assert_true(jrpc_http_reply_put(&parts, &out, &end));
        jrpc_slice rest = jrpc_buffer_slice(&out);
        while (jrpc_slice_starts_with(rest, JRPC_SLICE("HTTP/1.1 1"))) {
            rest = jrpc_slice_from(rest, jrpc_head_length(rest));
        }
        size_t len = jrpc_head_length(rest);
        jrpc_http_body read;
        assert_int_equal(jrpc_http_body_read(jrpc_slice_of(rest.ptr, len),
                                             jrpc_slice_from(rest, len), true, end.close, &content,
                                             &read),
                         JRPC_DECODED_DONE);
        bool coded = jrpc_slice_contains(rest, JRPC_SLICE("\r\nContent-Encoding: gzip\r\n"));
        assert_int_equal(coded, jrpc_slice_is(word, "gzip"));
        assert_true(coded ? jrpc_slice_contains(jrpc_buffer_slice(&content), body)
                          : jrpc_slice_equal(jrpc_buffer_slice(&content), body));
        assert_int_equal(read.used, rest.len - len);
        jrpc_buffer_done(&out);
        jrpc_buffer_done(&content);
        forms++;
    }
    assert_true(forms > 20);
    assert_null(jrpc_http_reply_find(JRPC_SLICE("no such form")));
}

// HTTP/1.0 has neither interim answers nor transfer codings (RFC 9112, section 6.1).
static void an_answer_to_an_old_client_has_no_coding(void **state)
{
    static const char *const words[] = {"chunked", "chunk-trailers", "early-hints"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const jrpc_http_reply_parts parts = {.form = jrpc_http_reply_find(jrpc_slice_str(words[i])),
                                             .status = 200,
                                             .content_type = "application/json",
                                             .body = JRPC_SLICE("{}"),
                                             .old = true,
                                             .close = true};
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 20);
        jrpc_http_reply_end end;
        assert_true(jrpc_http_reply_put(&parts, &out, &end));
        jrpc_slice answer = jrpc_buffer_slice(&out);
        assert_true(end.close);
        assert_true(jrpc_slice_starts_with(answer, JRPC_SLICE("HTTP/1.1 200 OK\r\n")));
        assert_true(jrpc_slice_contains(answer, JRPC_SLICE("\r\nContent-Length: 2\r\n")));
        assert_true(jrpc_slice_contains(answer, JRPC_SLICE("\r\nConnection: close\r\n")));
        assert_false(jrpc_slice_contains(answer, JRPC_SLICE("Transfer-Encoding")));
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_is_right_or_has_a_flaw_that_names_its_section),
        cmocka_unit_test(an_answer_of_every_form_has_the_body_that_was_given),
        cmocka_unit_test(an_answer_to_an_old_client_has_no_coding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
