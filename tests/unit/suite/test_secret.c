// Secrets in text: what is masked, and what stays.
#include "harness/suite/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
    const char *text;
    const char *masked; // NULL: as it was
} rows[] = {
    {"https://user:pa:s@s@host:1/p?a=b", "https://user:***@host:1/p?a=b"},
    {"https://s3cret@host/", "https://***@host/"},
    {"http://user:geh\xc3\xa9im@host/", "http://user:***@host/"},
    {"https://host/a@b", NULL},
    {"https://host/?x=a@b", NULL},
    {"ws://h/?token=abc&x=1#y", "ws://h/?token=***&x=1#y"},
    {"http://h/?x=1&API_KEY=abc;y", "http://h/?x=1&API_KEY=***;y"},
    {"http://h/?key=abc", "http://h/?key=***"},
    {"http://h/?access_token=", NULL},
    {"'http://u:p@h/' and http://v:q@h", "'http://u:***@h/' and http://v:***@h"},
    {"./server --password=x --port=1", "./server --password=*** --port=1"},
    {"./server --key=cert.pem --method=a", NULL},
    {"GITHUB_TOKEN=x ./server", "GITHUB_TOKEN=*** ./server"},
    {"--method subtract=math.minus", NULL},
    {"tcp://127.0.0.1:4000", NULL},
    {"a = b, ==, =", NULL},
    {"", NULL},
};

static void secrets_are_masked_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1024);
        assert_true(jck_mask_secrets(&out, jrpc_slice_str(rows[i].text)));
        assert_true(jrpc_buffer_append_char(&out, '\0'));
        assert_string_equal(out.ptr, rows[i].masked == NULL ? rows[i].text : rows[i].masked);
        // What is masked once stays as it is.
        jrpc_buffer again;
        jrpc_buffer_init(&again, jrpc_allocator_heap(), 1024);
        assert_true(jck_mask_secrets(&again, jrpc_slice_str(out.ptr)));
        assert_true(jrpc_buffer_append_char(&again, '\0'));
        assert_string_equal(again.ptr, out.ptr);
        jrpc_buffer_done(&again);
        jrpc_buffer_done(&out);
    }
}

static void headers_are_masked_by_their_names(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"Authorization: Bearer x", "Authorization: ***"},
        {"proxy-authorization:x", "proxy-authorization: ***"},
        {"Set-Cookie: a=b", "Set-Cookie: ***"},
        {"X-API-Key: 1", "X-API-Key: ***"},
        {"Mcp-Session-Id: 1", "Mcp-Session-Id: ***"},
        {"Accept: text/event-stream", "Accept: text/event-stream"},
        {"Location: /?token=1", "Location: /?token=***"},
        {"no header", "no header"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1024);
        assert_true(jck_mask_header(&out, jrpc_slice_str(table[i][0])));
        assert_true(jrpc_buffer_append_char(&out, '\0'));
        assert_string_equal(out.ptr, table[i][1]);
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_masked_and_nothing_else),
        cmocka_unit_test(headers_are_masked_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
