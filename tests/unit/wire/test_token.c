// Digests, codes and tokens, against what their RFCs print.
#include "reference/wire/sha256.h"
#include "reference/wire/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check_digits(const unsigned char bytes[JRPC_SHA256_BYTES], const char *digits)
{
    char text[2 * JRPC_SHA256_BYTES + 1];
    for (size_t i = 0; i < JRPC_SHA256_BYTES; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    }
    assert_string_equal(text, digits);
}

static void a_digest_is_that_of_the_standard(void **state)
{
    static const struct {
        const char *text;
        size_t times;
        const char *digits;
    } rows[] = {
        {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"0123456701234567012345670123456701234567012345670123456701234567", 10,
         "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_buffer text;
        unsigned char bytes[JRPC_SHA256_BYTES];
        jrpc_buffer_init(&text, jrpc_allocator_heap(), 4096);
        for (size_t n = 0; n < rows[i].times; n++) {
            assert_true(jrpc_buffer_append_str(&text, rows[i].text));
        }
        jrpc_slice all = jrpc_buffer_slice(&text);
        for (size_t cut = 0; cut <= all.len; cut += 13) {
            jrpc_sha256(jrpc_slice_of(all.ptr, cut), jrpc_slice_from(all, cut), bytes);
            check_digits(bytes, rows[i].digits);
        }
        jrpc_buffer_done(&text);
    }
}

static void a_code_is_that_of_rfc_4231(void **state)
{
    char key[131];
    unsigned char bytes[JRPC_SHA256_BYTES];
    (void)state;
    jrpc_hmac_sha256(JRPC_SLICE("Jefe"), JRPC_SLICE("what do ya want for nothing?"), bytes);
    check_digits(bytes, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    jrpc_hmac_sha256(jrpc_slice_of(key, sizeof key),
                     JRPC_SLICE("Test Using Larger Than Block-Size Key - Hash Key First"), bytes);
    check_digits(bytes, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void a_token_is_read_as_it_was_written(void **state)
{
    static const jrpc_slice claims = JRPC_SLICE_INIT("{\"sub\":\"jrpcheck\",\"exp\":1700000000}");
    const jrpc_slice nothing = {NULL, 0};
    jrpc_buffer token;
    jrpc_buffer read;
    (void)state;
    jrpc_buffer_init(&token, jrpc_allocator_heap(), 4096);
    jrpc_buffer_init(&read, jrpc_allocator_heap(), 4096);
    assert_true(jrpc_token_write(claims, JRPC_SLICE("key"), &token));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&token),
                              "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
                              ".eyJzdWIiOiJqcnBjaGVjayIsImV4cCI6MTcwMDAwMDAwMH0"
                              ".rxXtzHIKniEvkEm0wWLsEfEJBS9urW0BdY1UYocMOZc"));
    assert_int_equal(jrpc_token_read(jrpc_buffer_slice(&token), JRPC_SLICE("key"), &read),
                     JRPC_TOKEN_SIGNED);
    assert_true(jrpc_slice_equal(jrpc_buffer_slice(&read), claims));
    assert_int_equal(jrpc_token_read(jrpc_buffer_slice(&token), JRPC_SLICE("other"), &read),
                     JRPC_TOKEN_FORGED);
    token.ptr[60]++;
    assert_int_equal(jrpc_token_read(jrpc_buffer_slice(&token), JRPC_SLICE("key"), &read),
                     JRPC_TOKEN_FORGED);
    jrpc_buffer_clear(&token);
    assert_true(jrpc_token_write(claims, nothing, &token));
    assert_int_equal(jrpc_token_read(jrpc_buffer_slice(&token), JRPC_SLICE("key"), &read),
                     JRPC_TOKEN_UNSIGNED);
    jrpc_buffer_done(&token);
    jrpc_buffer_done(&read);
}

static void what_is_not_a_token_is_malformed(void **state)
{
    static const char *const texts[] = {
        "",         ".",        "..",     "a.b.c",       "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
        "e30.",     "e30.e30.", "!.e30.", "e30.e30.e30", "e30.!.e30",
        "e30.a.e30"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        jrpc_buffer read;
        jrpc_buffer_init(&read, jrpc_allocator_heap(), 4096);
        assert_int_equal(jrpc_token_read(jrpc_slice_str(texts[i]), JRPC_SLICE("key"), &read),
                         JRPC_TOKEN_MALFORMED);
        jrpc_buffer_done(&read);
    }
}

static void a_token_is_written_whole_or_not_at_all(void **state)
{
    static const jrpc_slice keys[] = {JRPC_SLICE_INIT("key"), {NULL, 0}};
    static char claims[JRPC_TOKEN_CLAIMS_MAX + 1];
    (void)state;
    memset(claims, ' ', sizeof claims);
    for (size_t i = 0; i < 2; i++) {
        bool written = false;
        for (size_t most = 0; !written; most++) {
            jrpc_buffer token;
            jrpc_buffer read;
            jrpc_buffer_init(&token, jrpc_allocator_heap(), most);
            jrpc_buffer_init(&read, jrpc_allocator_heap(), 4);
            written = jrpc_token_write(JRPC_SLICE("{\"a\":1}"), keys[i], &token);
            assert_true(most < 200);
            if (written) {
                assert_int_equal(token.len, most);
                // Nor is it read without room for what it claims.
                assert_int_equal(jrpc_token_read(jrpc_buffer_slice(&token), keys[0], &read),
                                 JRPC_TOKEN_MALFORMED);
            }
            jrpc_buffer_done(&read);
            jrpc_buffer_done(&token);
        }
    }
    for (size_t more = 0; more <= 1; more++) {
        jrpc_buffer token;
        jrpc_buffer_init(&token, jrpc_allocator_heap(), 4 * sizeof claims);
        assert_int_equal(
            jrpc_token_write(jrpc_slice_of(claims, JRPC_TOKEN_CLAIMS_MAX + more), keys[0], &token),
            more == 0);
        jrpc_buffer_done(&token);
    }
}

static void a_code_that_is_cut_or_longer_is_forged(void **state)
{
    jrpc_buffer token;
    (void)state;
    jrpc_buffer_init(&token, jrpc_allocator_heap(), 4096);
    assert_true(jrpc_token_write(JRPC_SLICE("{}"), JRPC_SLICE("key"), &token));
    size_t len = token.len;
    assert_true(jrpc_buffer_append_char(&token, 'A'));
    for (size_t shown = len - 43; shown <= len + 1; shown++) {
        jrpc_buffer read;
        jrpc_buffer_init(&read, jrpc_allocator_heap(), 4096);
        assert_int_equal(jrpc_token_read(jrpc_slice_of(token.ptr, shown), JRPC_SLICE("key"), &read),
                         shown == len ? JRPC_TOKEN_SIGNED : JRPC_TOKEN_FORGED);
        jrpc_buffer_done(&read);
    }
    jrpc_buffer_done(&token);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_that_of_the_standard),
        cmocka_unit_test(a_code_is_that_of_rfc_4231),
        cmocka_unit_test(a_token_is_read_as_it_was_written),
        cmocka_unit_test(what_is_not_a_token_is_malformed),
        cmocka_unit_test(a_token_is_written_whole_or_not_at_all),
        cmocka_unit_test(a_code_that_is_cut_or_longer_is_forged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
