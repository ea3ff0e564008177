#include "reference/server/keccak.h"

#include <string.h>

enum { LANES = 25, ROUNDS = 24, RATE = 136 };

static uint64_t rotate(uint64_t lane, unsigned by)
{
    return by == 0 ? lane : (lane << by) | (lane >> (64 - by));
}

// Theta: every lane takes in the parity of two columns beside it.
static void mix_columns(uint64_t *state)
{
    uint64_t parity[5];
    for (int x = 0; x < 5; x++) {
        parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    }
    for (int i = 0; i < LANES; i++) {
        state[i] ^= parity[(i + 4) % 5] ^ rotate(parity[(i + 1) % 5], 1);
    }
}

// Rho and pi: lanes are turned and change places along one path through all but the first.
static void move_lanes(uint64_t *state)
{
    int x = 1;
    int y = 0;
    uint64_t carried = state[1];
    for (unsigned step = 1; step < ROUNDS + 1; step++) {
        int next = (2 * x + 3 * y) % 5;
        x = y;
        y = next;
        uint64_t kept = state[x + 5 * y];
        state[x + 5 * y] = rotate(carried, step * (step + 1) / 2 % 64);
        carried = kept;
    }
}

// Chi: the only step that is not linear.
static void mix_rows(uint64_t *state)
{
    for (int row = 0; row < LANES; row += 5) {
        uint64_t old[5];
        memcpy(old, state + row, sizeof old);
        for (int x = 0; x < 5; x++) {
            state[row + x] = old[x] ^ (~old[(x + 1) % 5] & old[(x + 2) % 5]);
        }
    }
}

// Iota: the constants are bits of a shift register of eight bits.
static uint64_t next_constant(uint8_t *shift)
{
    uint64_t constant = 0;
    for (unsigned bit = 0; bit < 7; bit++) {
        constant |= (uint64_t)(*shift & 1) << ((1u << bit) - 1);
        *shift = (uint8_t)((*shift << 1) ^ (*shift >> 7 != 0 ? 0x71 : 0));
    }
    return constant;
}

static void permute(uint64_t *state)
{
    uint8_t shift = 1;
    for (int round = 0; round < ROUNDS; round++) {
        mix_columns(state);
        move_lanes(state);
        mix_rows(state);
        state[0] ^= next_constant(&shift);
    }
}

static void absorb(uint64_t *state, size_t at, uint8_t byte)
{
    state[at / 8] ^= (uint64_t)byte << (at % 8 * 8);
}

void jrpc_keccak_256(jrpc_slice bytes, uint8_t padding, uint8_t ret_hash[JRPC_KECCAK_BYTES])
{
    uint64_t state[LANES] = {0};
    size_t at = 0;
    for (size_t i = 0; i < bytes.len; i++) {
        absorb(state, at++, (uint8_t)bytes.ptr[i]);
        if (at == RATE) {
            permute(state);
            at = 0;
        }
    }
    absorb(state, at, padding);
    absorb(state, RATE - 1, 0x80);
    permute(state);
    for (size_t i = 0; i < JRPC_KECCAK_BYTES; i++) {
        ret_hash[i] = (uint8_t)(state[i / 8] >> (i % 8 * 8));
    }
}
