#include "fuzz/model/digest.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>

enum { BLOCK = 64, ROUNDS = 64 };

// The first 32 bits after the point of the root of a prime: the largest x below it with
// x * x (or x * x * x) <= prime * 2^64 (or 2^96).
static uint32_t root_of(unsigned prime, bool cube)
{
    uint64_t low = 0;
    uint64_t high = (uint64_t)32 << 32;
    while (high - low > 1) {
        uint64_t x = low + (high - low) / 2;
        __extension__ unsigned __int128 power = (unsigned __int128)x * x * (cube ? x : 1);
        __extension__ unsigned __int128 wanted = (unsigned __int128)prime << (cube ? 96 : 64);
        bool fits = power <= wanted;
        low = fits ? x : low;
        high = fits ? high : x;
    }
    return (uint32_t)low;
}

static bool is_prime(unsigned number)
{
    for (unsigned i = 2; i * i <= number; i++) {
        if (number % i == 0) {
            return false;
        }
    }
    return true;
}

// The constants of section 4.2.2 and the first state of section 5.3.3, from what they are made of.
typedef struct constants {
    uint32_t round[ROUNDS], state[8];
} constants;

static const constants *make(void)
{
    static constants made;
    for (unsigned number = 2, count = 0; made.round[ROUNDS - 1] == 0; number++) {
        if (is_prime(number)) {
            made.round[count] = root_of(number, true);
            if (count < 8) {
                made.state[count] = root_of(number, false);
            }
            count++;
        }
    }
    return &made;
}

static uint32_t turn(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void mix(uint32_t state[8], const unsigned char *block, const uint32_t *round)
{
    uint32_t w[ROUNDS];
    uint32_t s[8];
    memcpy(s, state, sizeof s);
    for (size_t t = 0; t < ROUNDS; t++) {
        if (t < 16) {
            w[t] = 0;
            for (size_t i = 0; i < 4; i++) {
                w[t] = w[t] * 256 + block[4 * t + i];
            }
        } else {
            uint32_t x = w[t - 2];
            uint32_t y = w[t - 15];
            w[t] = (turn(x, 17) ^ turn(x, 19) ^ x >> 10) + w[t - 7] +
                   (turn(y, 7) ^ turn(y, 18) ^ y >> 3) + w[t - 16];
        }
        uint32_t choice = (s[4] & s[5]) | (~s[4] & s[6]);
        uint32_t most = (s[0] & s[1]) | (s[0] & s[2]) | (s[1] & s[2]);
        uint32_t one =
            s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choice + round[t] + w[t];
        uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + most;
        for (size_t i = 7; i > 0; i--) {
            s[i] = s[i - 1];
        }
        s[4] += one;
        s[0] = one + two;
    }
    for (size_t i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

static void hash(const unsigned char *bytes, size_t len, unsigned char *ret_digest)
{
    const constants *all = make();
    uint32_t state[8];
    size_t whole = (len + 8) / BLOCK * BLOCK + BLOCK;
    unsigned char *padded = calloc(whole, 1);
    FUZZ_REQUIRE(padded != NULL);
    memcpy(state, all->state, sizeof state);
    memcpy(padded, bytes, len);
    padded[len] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        padded[whole - 1 - i] = (unsigned char)((uint64_t)len * 8 >> 8 * i);
    }
    for (size_t at = 0; at < whole; at += BLOCK) {
        mix(state, padded + at, all->round);
    }
    free(padded);
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        ret_digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void digest_hmac(jrpc_slice key, jrpc_slice message, unsigned char ret_code[DIGEST_BYTES])
{
    unsigned char short_key[BLOCK] = {0};
    if (key.len > BLOCK) {
        hash((const unsigned char *)key.ptr, key.len, short_key);
    } else if (key.len > 0) {
        memcpy(short_key, key.ptr, key.len);
    }
    size_t room = BLOCK + message.len + DIGEST_BYTES;
    unsigned char *text = calloc(room, 1);
    FUZZ_REQUIRE(text != NULL);
    for (size_t i = 0; i < BLOCK; i++) {
        text[i] = short_key[i] ^ 0x36;
    }
    if (message.len > 0) {
        memcpy(text + BLOCK, message.ptr, message.len);
    }
    unsigned char inner[DIGEST_BYTES];
    hash(text, BLOCK + message.len, inner);
    for (size_t i = 0; i < BLOCK; i++) {
        text[i] = short_key[i] ^ 0x5c;
    }
    memcpy(text + BLOCK, inner, DIGEST_BYTES);
    hash(text, BLOCK + DIGEST_BYTES, ret_code);
    free(text);
}
