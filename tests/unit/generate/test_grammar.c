// Messages are the same for the same seed, of every kind, and calls that are to be plain are.
#include "harness/generate/grammar.h"

#include "harness/generate/values.h"
#include "reference/json/read.h"
#include "reference/rpc/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BYTES ((size_t)1 << 20)

static const jck_method methods[] = {
    {.name = {"\"subtract\"", 10},
     .taste = JCK_TASTE_DIFFERENCE,
     .by_position = true,
     .by_name = true},
    {.name = {"\"echo\"", 6}, .taste = JCK_TASTE_ANYTHING, .by_position = true},
    {.name = {"\"get_data\"", 10}, .taste = JCK_TASTE_NONE},
};
static const jck_grammar grammar = {
    .methods = methods,
    .method_count = 3,
    .absent = {"\"nobody\"", 8},
    .batches = true,
    .texts = true,
    .batch_most = 20,
    .text_most = 200,
};

static void make(uint64_t seed, const jck_grammar *of, jrpc_buffer *out)
{
    jrpc_random random;
    jrpc_random_init(&random, seed);
    jrpc_buffer_clear(out);
    assert_true(jck_grammar_message(of, &random, out));
}

static void test_the_same_seed_gives_the_same_message(void **state)
{
    (void)state;
    jrpc_buffer a;
    jrpc_buffer b;
    jrpc_buffer_init(&a, jrpc_allocator_heap(), BYTES);
    jrpc_buffer_init(&b, jrpc_allocator_heap(), BYTES);
    size_t different = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        make(seed, &grammar, &a);
        make(seed, &grammar, &b);
        assert_true(jrpc_slice_equal(jrpc_buffer_slice(&a), jrpc_buffer_slice(&b)));
        make(seed + 1, &grammar, &b);
        different += jrpc_slice_equal(jrpc_buffer_slice(&a), jrpc_buffer_slice(&b)) ? 0 : 1;
    }
    assert_true(different > 480);
    jrpc_buffer_done(&b);
    jrpc_buffer_done(&a);
}

static void test_messages_of_every_kind_are_made(void **state)
{
    (void)state;
    size_t inputs[JRPC_INPUT_EMPTY_BATCH + 1] = {0};
    size_t kinds[JRPC_MESSAGE_RESULT + 1] = {0};
    size_t reasons[JRPC_INVALID_RESPONSE + 1] = {0};
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (uint64_t seed = 0; seed < 5000; seed++) {
        make(seed, &grammar, &out);
        jrpc_input_kind input = jrpc_input_read(&document, jrpc_buffer_slice(&out), 20000, NULL);
        inputs[input]++;
        if (input == JRPC_INPUT_SINGLE) {
            jrpc_message message = jrpc_message_classify(jrpc_json_root(&document));
            kinds[message.kind]++;
            reasons[message.reason]++;
        }
    }
    for (size_t i = 0; i <= JRPC_INPUT_EMPTY_BATCH; i++) {
        assert_true(inputs[i] > 5);
    }
    for (size_t i = 0; i < JRPC_MESSAGE_RESULT; i++) {
        assert_true(kinds[i] > 20);
    }
    for (size_t i = 0; i <= JRPC_INVALID_ID_TYPE; i++) {
        assert_true(reasons[i] > 5);
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
}

static void test_what_is_not_asked_for_is_not_made(void **state)
{
    (void)state;
    jck_grammar few = grammar;
    few.batches = false;
    few.texts = false;
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (uint64_t seed = 0; seed < 2000; seed++) {
        make(seed, &few, &out);
        assert_true(jrpc_json_read(&document, jrpc_buffer_slice(&out), 20000, NULL));
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
}

static void test_a_call_is_valid(void **state)
{
    (void)state;
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_random random;
    jrpc_random_init(&random, 7);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (int i = 0; i < 2000; i++) {
        jrpc_buffer_clear(&out);
        assert_true(jck_grammar_call(&grammar, &random, &out));
        assert_true(jrpc_json_read(&document, jrpc_buffer_slice(&out), 100, NULL));
        jrpc_message message = jrpc_message_classify(jrpc_json_root(&document));
        assert_int_equal(message.kind, JRPC_MESSAGE_CALL);
        assert_false(jrpc_json_is(message.id, JRPC_JSON_NULL));
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
}

static void test_sizes_stand_around_powers_of_two_and_within_their_bound(void **state)
{
    (void)state;
    bool seen[131] = {false};
    jrpc_random random;
    jrpc_random_init(&random, 1);
    for (int i = 0; i < 20000; i++) {
        size_t size = jck_value_size(&random, 130);
        assert_true(size <= 130);
        seen[size] = true;
    }
    static const size_t wanted[] = {0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(seen[wanted[i]]);
    }
    assert_int_equal(jck_value_size(&random, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_seed_gives_the_same_message),
        cmocka_unit_test(test_messages_of_every_kind_are_made),
        cmocka_unit_test(test_what_is_not_asked_for_is_not_made),
        cmocka_unit_test(test_a_call_is_valid),
        cmocka_unit_test(test_sizes_stand_around_powers_of_two_and_within_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
