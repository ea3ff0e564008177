// How often messages should take effect, and where this is not certain.
#include "harness/live/effects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define UPDATE "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,-20]}"
#define BESIDE_OTHER "[" UPDATE ",{\"jsonrpc\":\"2.0\",\"method\":\"other\"}]"
#define NOBODY "{\"jsonrpc\":\"2.0\",\"method\":\"nobody\""

static const jck_mapping mappings[] = {
    {.capability = {"update", 6}, .method = {"\"set\"", 5}, .by_position = true},
};
static const jck_target target = {.mappings = mappings, .mapping_count = 1};
static const jck_calibration calibration = {.absent_answers = true};
static const jck_due_context context = {&target, &calibration, {"\"nobody\"", 8}, NULL};

static void test_certain(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t effects;
    } rows[] = {
        {UPDATE, 1},
        {"[" UPDATE "]", 1},
        {"[" UPDATE "," NOBODY ",\"id\":1}," UPDATE "," NOBODY "}]", 2},
        {NOBODY "}", 0},
        {NOBODY ",\"id\":1}", 0},
        {"{\"jsonrpc\":\"1.0\",\"method\":\"set\",\"params\":[1,2],\"id\":7}", 0},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,2],\"id\":{}}", 0},
        {"[" UPDATE ",{\"jsonrpc\":", 0},
        {"[]", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t effects = 0;
        assert_true(jck_effects_of(&context, jrpc_slice_str(rows[i].text), &effects));
        assert_int_equal(effects, rows[i].effects);
    }
}

// A server may refuse these, or do with them what it likes.
static void test_uncertain(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1]}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,\"2\"]}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,2.5]}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,12345678901]}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,2],\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":[1,2],\"extra\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"other\",\"params\":[1,2]}",
        "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":1}",
        (BESIDE_OTHER),
        "NaN",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t effects = 0;
        assert_false(jck_effects_of(&context, jrpc_slice_str(texts[i]), &effects));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certain),
        cmocka_unit_test(test_uncertain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
