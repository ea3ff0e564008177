// The content coding gzip, without compression.
#include "reference/net/gzip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LONG_BYTES = 70000, BLOCK_BYTES = 0xffff, HEAD_BYTES = 10, BLOCK_HEAD_BYTES = 5 };

static void a_short_content_is_one_stored_block(void **state)
{
    // Python's gzip.decompress() gives {"a":1}.
    static const char wanted[] = "\x1f\x8b\x08\0\0\0\0\0\0\xff"
                                 "\x01\x07\0\xf8\xff"
                                 "{\"a\":1}"
                                 "\xaf\xac\x1b\x56\x07\0\0";
    jrpc_buffer out;
    (void)state;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), LONG_BYTES);
    assert_true(jrpc_gzip_put(&out, JRPC_SLICE("{\"a\":1}")));
    assert_int_equal(out.len, sizeof wanted);
    assert_memory_equal(out.ptr, wanted, sizeof wanted);
    jrpc_buffer_done(&out);
}

static void a_long_content_is_several_blocks(void **state)
{
    static char content[LONG_BYTES];
    jrpc_buffer out;
    (void)state;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 2 * sizeof content);
    assert_true(jrpc_gzip_put(&out, jrpc_slice_of(content, sizeof content)));
    assert_int_equal(out.ptr[HEAD_BYTES], 0);
    assert_int_equal(out.ptr[HEAD_BYTES + BLOCK_HEAD_BYTES + BLOCK_BYTES], 1); // the last one
    jrpc_buffer_done(&out);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), HEAD_BYTES);
    assert_false(jrpc_gzip_put(&out, jrpc_slice_of(content, sizeof content)));
    jrpc_buffer_done(&out);
}

static void an_accept_encoding_lists_gzip_or_not(void **state)
{
    static const struct {
        const char *value;
        bool listed;
    } rows[] = {{"gzip", true},      {"br, GZip;q=0.5", true},   {"deflate,x-gzip", true},
                {"gzip;q=1", true},  {"gzip; q=0", false},       {"gzip;q=0.000, br", false},
                {"identity", false}, {"br;q=1, deflate", false}, {"", false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(jrpc_gzip_is_listed(jrpc_slice_str(rows[i].value)), rows[i].listed);
    }
    assert_false(jrpc_gzip_is_listed((jrpc_slice){NULL, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_short_content_is_one_stored_block),
                                       cmocka_unit_test(a_long_content_is_several_blocks),
                                       cmocka_unit_test(an_accept_encoding_lists_gzip_or_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
