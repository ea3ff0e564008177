// Keccak-256: the hash of Ethereum, and with its other padding that of FIPS 202.
#include "reference/server/keccak.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

// As many bytes as fill a block of 136, one fewer, and more than two blocks.
static char many[300];

static void check(jrpc_slice bytes, uint8_t padding, const char *expected)
{
    uint8_t hash[JRPC_KECCAK_BYTES];
    char text[2 * JRPC_KECCAK_BYTES + 1];
    jrpc_keccak_256(bytes, padding, hash);
    for (size_t i = 0; i < sizeof hash; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
    }
    assert_string_equal(text, expected);
}

static void hashes_are_those_that_others_compute(void **state)
{
    (void)state;
    enum { FIPS_202 = 0x06 };
    memset(many, 'a', sizeof many);
    check(JRPC_SLICE(""), JRPC_KECCAK_PADDING,
          "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    check(JRPC_SLICE("hello world"), JRPC_KECCAK_PADDING,
          "47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad");
    check(JRPC_SLICE("hello world"), FIPS_202,
          "644bcc7e564373040999aac89e7622f3ca71fba1d972fd94a31c3bfbf24e3938");
    check(jrpc_slice_of(many, 135), FIPS_202,
          "8094bb53c44cfb1e67b7c30447f9a1c33696d2463ecc1d9c92538913392843c9");
    check(jrpc_slice_of(many, 136), FIPS_202,
          "3fc5559f14db8e453a0a3091edbd2bc25e11528d81c66fa570a4efdcc2695ee1");
    check(jrpc_slice_of(many, 300), FIPS_202,
          "8a5720b2ca0cae7b89ad399c5daab22c29f5c72bcf30ab81e807d9bda95b4580");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_are_those_that_others_compute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
