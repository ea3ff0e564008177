#include "harness/suite/nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The number of edits from one word to the other (swapping two neighbours is one edit); SIZE_MAX
// for words that are too long to compare, or as soon as it is known to be at least `limit`: most
// candidates are far away.
static size_t edit_distance(jrpc_slice a, jrpc_slice b, size_t limit)
{
    size_t apart = a.len < b.len ? b.len - a.len : a.len - b.len;
    if (a.len > JCK_NEAREST_BYTES || b.len > JCK_NEAREST_BYTES || apart >= limit) {
        return SIZE_MAX;
    }
    size_t rows[3][JCK_NEAREST_BYTES + 1];
    for (size_t j = 0; j <= b.len; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        const size_t *top = rows[(i + 1) % 3]; // two above
        size_t nearest = i;
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            bool same = a.ptr[i - 1] == b.ptr[j - 1];
            bool swapped =
                i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1];
            size_t replaced = above[j - 1] + (same ? 0 : 1);
            size_t least = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
            least = replaced < least ? replaced : least;
            row[j] = swapped && top[j - 2] + 1 < least ? top[j - 2] + 1 : least;
            nearest = row[j] < nearest ? row[j] : nearest;
        }
        if (nearest >= limit) {
            return SIZE_MAX;
        }
    }
    return rows[a.len % 3][b.len];
}

// A third of the word may be mistyped.
static size_t hinted_edits(jrpc_slice word)
{
    return (word.len + 2) / 3;
}

// A bit for each byte, shared by those that are the same modulo 64.
static uint64_t bytes_of(jrpc_slice word)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < word.len; i++) {
        bytes |= (uint64_t)1 << ((unsigned char)word.ptr[i] % 64);
    }
    return bytes;
}

// An edit takes away one byte of the word at most, so as many edits are needed at least as the word
// has bytes that the candidate lacks.
static bool lacks_many(uint64_t word, uint64_t candidate, size_t limit)
{
    size_t lacking = 0;
    for (uint64_t left = word & ~candidate; left != 0 && lacking < limit; left &= left - 1) {
        lacking++;
    }
    return lacking >= limit;
}

void jck_nearest_init(jck_nearest *nearest, jrpc_slice word)
{
    // What is farther away than a hint may be need not be compared to its end.
    *nearest = (jck_nearest){
        .word = word, .distance = 2 * hinted_edits(word) + 2, .bytes = bytes_of(word)};
}

void jck_nearest_offer(jck_nearest *nearest, jrpc_slice candidate)
{
    // People seldom mistype the first letter: of two words at the same distance, the one with the
    // same first letter is nearer.
    bool alike =
        nearest->word.len > 0 && candidate.len > 0 && nearest->word.ptr[0] == candidate.ptr[0];
    size_t more = alike || nearest->word.len == 0 ? 0 : 1;
    size_t limit = nearest->distance / 2 + (nearest->distance % 2 > more ? 1 : 0);
    if (lacks_many(nearest->bytes, bytes_of(candidate), limit)) {
        return;
    }
    size_t edits = edit_distance(nearest->word, candidate, limit);
    if (edits < limit) {
        nearest->distance = 2 * edits + more;
        nearest->found = candidate;
    }
}

void jck_nearest_offer_all(jck_nearest *nearest, const char *const *candidates)
{
    // Most words are right, so no distance has to be computed for them.
    for (size_t i = 0; candidates[i] != NULL; i++) {
        if (jrpc_slice_is(nearest->word, candidates[i])) {
            jck_nearest_offer(nearest, jrpc_slice_str(candidates[i]));
            return;
        }
    }
    for (; *candidates != NULL; candidates++) {
        jck_nearest_offer(nearest, jrpc_slice_str(*candidates));
    }
}

const char *jck_nearest_hint(const jck_nearest *nearest, char *out, size_t out_size)
{
    out[0] = '\0';
    if (nearest->found.len > 0 && nearest->distance / 2 <= hinted_edits(nearest->word)) {
        (void)snprintf(out, out_size, "; did you mean \"%.*s\"?", (int)nearest->found.len,
                       nearest->found.ptr);
    }
    return out;
}

const char *jck_word_list(const char *const *words, char *out, size_t out_size)
{
    size_t len = 0;
    out[0] = '\0';
    for (; *words != NULL; words++) {
        size_t word_len = strlen(*words);
        if (len + word_len + 3 > out_size) {
            break;
        }
        if (len > 0) {
            memcpy(out + len, ", ", 2);
            len += 2;
        }
        memcpy(out + len, *words, word_len + 1);
        len += word_len;
    }
    return out;
}
