// The mutator: bounded, repeatable, and it reaches what it is there to reach.
#include "harness/generate/mutate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 512, ROUNDS = 2000 };

static const jrpc_slice names[] = {JRPC_SLICE_INIT("\"jsonrpc\""), JRPC_SLICE_INIT("\"id\"")};
static const jrpc_slice scalars[] = {JRPC_SLICE_INIT("null"), JRPC_SLICE_INIT("9007199254740993")};
static const jrpc_slice messages[] = {JRPC_SLICE_INIT("{\"method\":\"other\",\"id\":7}")};
static const jrpc_slice bytes[] = {JRPC_SLICE_INIT("\xFF\xFE")};
static const jck_vocabulary vocabulary = {{names, 2}, {scalars, 2}, {messages, 1}, {bytes, 1}};
static const jck_vocabulary no_words = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};

static const char *const texts[] = {
    "",
    "{}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}",
    "[{\"a\":1},[],\"x\"]",
    "no JSON at all",
    "[[[[[[[[",
    "\"unended",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static bool contains(const uint8_t *text, size_t len, const char *wanted)
{
    return jrpc_slice_contains(jrpc_slice_of((const char *)text, len), jrpc_slice_str(wanted));
}

static void test_a_mutation_stays_within_its_room_and_is_the_same_for_a_seed(void **state)
{
    (void)state;
    jck_mutator mutator;
    jck_mutator_init(&mutator, &vocabulary);
    for (size_t t = 0; t < TEXTS; t++) {
        size_t size = strlen(texts[t]);
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            uint8_t one[ROOM + 1];
            uint8_t two[ROOM + 1];
            size_t room = size + seed % (ROOM - size);
            memcpy(one, texts[t], size);
            memcpy(two, texts[t], size);
            one[room] = 0xA5;
            size_t len = jck_mutate(&mutator, one, size, room, seed);
            assert_true(len <= room);
            assert_int_equal(one[room], 0xA5);
            assert_int_equal(jck_mutate(&mutator, two, size, room, seed), len);
            assert_memory_equal(one, two, len);
        }
    }
}

// How many of the rounds bring a text about that holds `wanted`.
static unsigned hits(const char *text, const char *wanted)
{
    jck_mutator mutator;
    jck_mutator_init(&mutator, &vocabulary);
    unsigned found = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t data[ROOM];
        memcpy(data, text, strlen(text));
        size_t len = jck_mutate(&mutator, data, strlen(text), ROOM, seed);
        found += contains(data, len, wanted);
    }
    return found;
}

static void test_words_of_every_list_are_put_in(void **state)
{
    (void)state;
    assert_true(hits(texts[2], "9007199254740993") > 0);
    assert_true(hits(texts[2], "\"other\"") > 0);
    assert_true(hits(texts[2], "\"id\":") > 0);
    assert_true(hits(texts[4], "\xFF\xFE") > 0);
}

static void test_structure_is_changed_as_structure(void **state)
{
    (void)state;
    const char *text = "{\"a\":[1,2],\"b\":\"x\"}";
    assert_true(hits(text, "[1,2],\"a\":[1,2]") > 0); // doubled
    assert_true(hits(text, "[{\"a\"") > 0);           // a batch
    assert_true(hits(text, "{\"b\":\"x\"}") > 0);     // deleted
    assert_true(hits(text, "\\u0078") > 0);           // another spelling
    assert_true(hits(text, "[[[[[[[[") > 0);          // nested
}

static void test_without_words_it_still_mutates(void **state)
{
    (void)state;
    jck_mutator mutator;
    jck_mutator_init(&mutator, &no_words);
    unsigned changed = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t data[ROOM];
        size_t size = strlen(texts[2]);
        memcpy(data, texts[2], size);
        size_t len = jck_mutate(&mutator, data, size, ROOM, seed);
        changed += len != size || memcmp(data, texts[2], size) != 0;
    }
    assert_true(changed > ROUNDS / 2);
}

static void test_a_cross_puts_a_value_of_the_other_in(void **state)
{
    (void)state;
    jck_mutator mutator;
    jck_mutator_init(&mutator, &vocabulary);
    static const uint8_t a[] = "{\"keep\":0}";
    static const uint8_t b[] = "[\"donor\"]";
    unsigned crossed = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        uint8_t out[ROOM];
        size_t len = jck_cross(&mutator, a, sizeof a - 1, b, sizeof b - 1, out, ROOM, seed);
        assert_true(len <= ROOM);
        crossed += contains(out, len, "keep") && contains(out, len, "donor");
        len = jck_cross(&mutator, a, sizeof a - 1, b, sizeof b - 1, out, 4, seed);
        assert_true(len <= 4);
    }
    assert_true(crossed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mutation_stays_within_its_room_and_is_the_same_for_a_seed),
        cmocka_unit_test(test_words_of_every_list_are_put_in),
        cmocka_unit_test(test_structure_is_changed_as_structure),
        cmocka_unit_test(test_without_words_it_still_mutates),
        cmocka_unit_test(test_a_cross_puts_a_value_of_the_other_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
