// Values for a schema fit it, and some of those that are to be nearly right do not.
#include "harness/generate/fitting.h"

#include "harness/schema/fit.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DRAWS 200

static const char object[] =
    "{\"type\":\"object\",\"required\":[\"a\"],\"additionalProperties\":false,"
    "\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"integer\",\"maximum\":3}}}";
static const char reference[] =
    "{\"$ref\":\"#/definitions/%66ew\","
    "\"definitions\":{\"few\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":2}}}";

static const char *const schemas[] = {
    "{\"type\":\"integer\"}",
    "{\"type\":\"integer\",\"minimum\":1,\"maximum\":5}",
    "{\"type\":\"integer\",\"exclusiveMinimum\":3,\"exclusiveMaximum\":6}",
    "{\"type\":\"integer\",\"exclusiveMinimum\":9007199254740993}",
    "{\"type\":\"number\",\"minimum\":-7}",
    "{\"type\":\"string\",\"minLength\":3,\"maxLength\":4}",
    "{\"type\":\"boolean\"}",
    "{\"type\":[\"null\",\"boolean\"]}",
    "{\"enum\":[\"red\",7,null]}",
    "{\"const\":{\"a\":[1]}}",
    "{\"type\":\"array\",\"minItems\":1,\"maxItems\":3,\"items\":{\"type\":\"integer\"}}",
    object,
    "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}",
    reference,
};
enum { SCHEMAS = sizeof schemas / sizeof *schemas };

// How many of the values drawn fit.
static unsigned count_fitting(const char *text, bool near)
{
    jrpc_json_document schema;
    jrpc_json_document value;
    jrpc_buffer out;
    jrpc_arena arena;
    jrpc_random random;
    unsigned fitting = 0;
    jrpc_json_document_init(&schema, jrpc_allocator_heap());
    jrpc_json_document_init(&value, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 16);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)16 << 20);
    jrpc_random_init(&random, 1);
    assert_true(jrpc_json_read(&schema, jrpc_slice_str(text), 64, NULL));
    jrpc_json root = jrpc_json_root(&schema);
    for (unsigned i = 0; i < DRAWS; i++) {
        jrpc_buffer_clear(&out);
        jrpc_arena_clear(&arena);
        jck_value_fitting(root, root, near, 3, &random, &out);
        assert_true(jrpc_json_read(&value, jrpc_buffer_slice(&out), 64, NULL));
        bool fits = jck_schema_fit(root, root, jrpc_json_root(&value), &arena, NULL) == JCK_FIT_YES;
        if (!fits && !near) {
            fail_msg("%s: %.*s", text, (int)out.len, out.ptr);
        }
        fitting += fits ? 1 : 0;
    }
    jrpc_arena_done(&arena);
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&value);
    jrpc_json_document_done(&schema);
    return fitting;
}

static void test_values_fit_their_schema(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCHEMAS; i++) {
        assert_int_equal(count_fitting(schemas[i], false), DRAWS);
    }
}

static void test_values_that_are_nearly_right_are_mostly_wrong(void **state)
{
    (void)state;
    assert_true(count_fitting("{\"type\":\"integer\",\"minimum\":1,\"maximum\":5}", true) <
                DRAWS / 2);
    assert_true(count_fitting("{\"type\":\"string\",\"maxLength\":4}", true) < DRAWS / 2);
    assert_true(count_fitting(object, true) < DRAWS);
}

static void test_what_refers_to_itself_ends(void **state)
{
    (void)state;
    (void)count_fitting("{\"$ref\":\"#\"}", true);
    (void)count_fitting("{\"type\":\"array\",\"minItems\":2,\"items\":{\"$ref\":\"#\"}}", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_fit_their_schema),
        cmocka_unit_test(test_values_that_are_nearly_right_are_mostly_wrong),
        cmocka_unit_test(test_what_refers_to_itself_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
