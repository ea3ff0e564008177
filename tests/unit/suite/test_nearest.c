// The nearest of some words: what is skipped unlooked at would not have been nearer.
#include "harness/suite/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { ROOM = 24 };

static const char *const words[] = {
    "J2-5b",  "J2-5.1d", "J2-4e",  "RO-19g", "SEC-b", "SEC-l",
    "expect", "expects", "excpet", "params", "aaaa",  "aa",
    "abab",   "baba",    "",       "x",      "y",     "\xC3\xA9t\xC3\xA9",
};
enum { WORDS = sizeof words / sizeof *words };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Every cell of the table, as the textbook has it.
static size_t edits(const char *a, const char *b)
{
    size_t cells[ROOM][ROOM];
    size_t a_len = strlen(a);
    size_t b_len = strlen(b);
    for (size_t i = 0; i <= a_len; i++) {
        for (size_t j = 0; j <= b_len; j++) {
            if (i == 0 || j == 0) {
                cells[i][j] = i + j;
                continue;
            }
            size_t cell = cells[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cell = least(cell, least(cells[i - 1][j], cells[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cell = least(cell, cells[i - 2][j - 2] + 1);
            }
            cells[i][j] = cell;
        }
    }
    return cells[a_len][b_len];
}

// The index of the nearest of all words but the `without`-th; WORDS if none is near enough.
static size_t nearest_of(const char *word, size_t without)
{
    size_t found = WORDS;
    size_t distance = SIZE_MAX;
    for (size_t i = 0; i < WORDS; i++) {
        size_t away = edits(word, words[i]);
        size_t rank = 2 * away + (word[0] != '\0' && word[0] != words[i][0] ? 1 : 0);
        if (i != without && away <= (strlen(word) + 2) / 3 && rank < distance) {
            found = i;
            distance = rank;
        }
    }
    return found;
}

static void require_hint(const char *word, size_t without)
{
    char hint[160];
    char expected[160] = "";
    jck_nearest nearest;
    jck_nearest_init(&nearest, jrpc_slice_str(word));
    for (size_t i = 0; i < WORDS; i++) {
        if (i != without) {
            jck_nearest_offer(&nearest, jrpc_slice_str(words[i]));
        }
    }
    size_t found = nearest_of(word, without);
    if (found < WORDS && words[found][0] != '\0') {
        (void)snprintf(expected, sizeof expected, "; did you mean \"%s\"?", words[found]);
    }
    assert_string_equal(jck_nearest_hint(&nearest, hint, sizeof hint), expected);
}

static void every_word_has_the_neighbour_that_the_whole_table_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORDS; i++) {
        require_hint(words[i], i);
        require_hint(words[i], WORDS);
    }
}

static void words_with_an_edit_have_the_neighbour_that_the_whole_table_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORDS; i++) {
        size_t len = strlen(words[i]);
        for (size_t at = 0; at < len; at++) {
            char word[ROOM];
            memcpy(word, words[i], len + 1);
            word[at] = 'q';
            require_hint(word, WORDS);
            memmove(word + at, word + at + 1, len - at);
            require_hint(word, WORDS);
            memcpy(word, words[i], len + 1);
            word[at] = words[i][(at + 1) % len];
            word[(at + 1) % len] = words[i][at];
            require_hint(word, WORDS);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_has_the_neighbour_that_the_whole_table_shows),
        cmocka_unit_test(words_with_an_edit_have_the_neighbour_that_the_whole_table_shows),
    };
    return cmocka_run_group_tests_name("suite/nearest", tests, NULL, NULL);
}
