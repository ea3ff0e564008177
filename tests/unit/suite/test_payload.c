// What a payload puts on the wire.
#include "harness/suite/payload.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// id is a String, int a Number, quote a String with an escape; nothing else is known.
static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    static const struct {
        const char *name;
        const char *spelling;
    } known[] = {{"id", "\"fresh\""}, {"int", "4711"}, {"quote", "\"a\\\"b\""}, {"null", "null"}};
    (void)context;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (jrpc_slice_is(name, known[i].name)) {
            *ret_spelling = jrpc_slice_str(known[i].spelling);
            return true;
        }
    }
    return false;
}

static void check(const jck_payload *payload, const char *expected)
{
    jrpc_buffer out;
    jrpc_error error = {0};
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 10000);
    bool done = jck_payload_expand(payload, resolve, NULL, &out, &error);
    if (!done || !jrpc_slice_is(jrpc_buffer_slice(&out), expected)) {
        fail_msg("%s: %.*s, not %s", error.message, (int)out.len, out.ptr, expected);
    }
    jrpc_buffer_done(&out);
}

static const char *const spelled[][2] = {
    {" { \"a\" : 1.0 ,\n\"a\":\t1E+2 } ", "{\"a\":1.0,\"a\":1E+2}"},
    {"[\"\\u0041 b\\n\", \"\\\"\", \" \"]", "[\"\\u0041 b\\n\",\"\\\"\",\" \"]"},
    {"{\"id\" : \"${id}\"}", "{\"id\":\"fresh\"}"},
    {"[\"${int}\",\"${null}\",\"${quote}\"]", "[4711,null,\"a\\\"b\"]"},
    {"{\"${id}\":1}", "{\"fresh\":1}"},
    {"[\"$${id}\",\"a$${b}c$${\"]", "[\"${id}\",\"a${b}c${\"]"},
    {"[\"\\u0024{id}\",\"${id}x\",\"${i d}\",\"$\",\"${}\"]",
     "[\"\\u0024{id}\",\"${id}x\",\"${i d}\",\"$\",\"${}\"]"},
    {"[\"\\\\\", 1]", "[\"\\\\\",1]"},
    {"[]", "[]"},
    {" 12 ", "12"},
    {"\"${id}\"", "\"fresh\""},
};

static void send_goes_out_token_by_token_as_spelled(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spelled / sizeof spelled[0]; i++) {
        jrpc_json_document document;
        jrpc_error error = {0};
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, jrpc_slice_str(spelled[i][0]), 64, &error));
        jck_payload payload = {.kind = JCK_PAYLOAD_JSON, .json = jrpc_json_root(&document)};
        check(&payload, spelled[i][1]);
        jrpc_json_document_done(&document);
    }
}

static const char *const texts[][2] = {
    {"{\"id\":\"${id}\",\"n\":${int}}", "{\"id\":\"fresh\",\"n\":4711}"},
    {"{\"id\":${id},\"n\":[1, ${id} ]}", "{\"id\":\"fresh\",\"n\":[1, \"fresh\" ]}"},
    {"{\"id\":${id}\",\"n\":\"${id}}", "{\"id\":fresh\",\"n\":\"fresh}"},
    {"${quote}", "a\\\"b"},
    {"  white  space\n", "  white  space\n"},
    {"$${id} $${ $ ${id}${id}", "${id} ${ $ freshfresh"},
    {"${ not closed", "${ not closed"},
    {"$$${id}", "$${id}"},
    {"", ""},
};

static void text_goes_out_with_variables_in_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        jck_payload payload = {.kind = JCK_PAYLOAD_TEXT, .text = jrpc_slice_str(texts[i][0])};
        check(&payload, texts[i][1]);
    }
}

static void bytes_go_out_untouched(void **state)
{
    (void)state;
    jck_payload payload = {.kind = JCK_PAYLOAD_BYTES, .text = JRPC_SLICE("${id} $${")};
    check(&payload, "${id} $${");
}

static void a_repeat_closes_what_it_opens(void **state)
{
    (void)state;
    jck_payload payload = {.kind = JCK_PAYLOAD_REPEAT,
                           .prefix = JRPC_SLICE("<${int}"),
                           .unit = JRPC_SLICE("[${id},"),
                           .times = 3,
                           .middle = JRPC_SLICE("-"),
                           .close = JRPC_SLICE("]"),
                           .suffix = JRPC_SLICE(">")};
    check(&payload, "<4711[\"fresh\",[\"fresh\",[\"fresh\",-]]]>");
    payload.close = (jrpc_slice){NULL, 0};
    payload.middle = (jrpc_slice){NULL, 0};
    payload.prefix = (jrpc_slice){NULL, 0};
    check(&payload, "[\"fresh\",[\"fresh\",[\"fresh\",>");
}

static void units_are_numbered_with_the_digits_given(void **state)
{
    (void)state;
    const jrpc_slice digits[] = {JRPC_SLICE("Aa"), JRPC_SLICE("BB")};
    jck_payload payload = {.kind = JCK_PAYLOAD_REPEAT,
                           .prefix = JRPC_SLICE("{"),
                           .unit = JRPC_SLICE("${id}#:1,"),
                           .times = 3,
                           .digits = digits,
                           .digit_count = 2,
                           .suffix = JRPC_SLICE("#}")};
    check(&payload, "{freshAaAa:1,freshAaBB:1,freshBBAa:1,#}");
    payload.times = 1;
    check(&payload, "{freshAa:1,#}");
    assert_int_equal(jck_payload_digits(2, 2), 1);
    assert_int_equal(jck_payload_digits(1000, 10), 3);
    assert_int_equal(jck_payload_digits(1001, 10), 4);
}

static void an_unknown_variable_is_named(void **state)
{
    (void)state;
    jck_payload payload = {.kind = JCK_PAYLOAD_TEXT, .text = JRPC_SLICE("${nobody}")};
    jrpc_buffer out;
    jrpc_error error = {0};
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 100);
    assert_false(jck_payload_expand(&payload, resolve, NULL, &out, &error));
    assert_int_equal(error.code, JRPC_ERROR_INVALID);
    assert_non_null(strstr(error.message, "nobody"));
    jrpc_buffer_done(&out);
}

static void a_payload_past_the_maximum_is_a_limit(void **state)
{
    (void)state;
    jck_payload payload = {.kind = JCK_PAYLOAD_REPEAT, .unit = JRPC_SLICE("x"), .times = 101};
    jrpc_buffer out;
    jrpc_error error = {0};
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 100);
    assert_false(jck_payload_expand(&payload, resolve, NULL, &out, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    jrpc_buffer_done(&out);
}

static void a_case_mentions_what_any_of_its_payloads_does(void **state)
{
    (void)state;
    jck_step steps[] = {
        {.kind = JCK_STEP_SEND, .payload = {.kind = JCK_PAYLOAD_TEXT, .text = JRPC_SLICE("$${a}")}},
        {.kind = JCK_STEP_FENCE},
        {.kind = JCK_STEP_SEND,
         .payload = {.kind = JCK_PAYLOAD_REPEAT,
                     .unit = JRPC_SLICE("x"),
                     .times = 1000000,
                     .suffix = JRPC_SLICE("${b}")}},
    };
    jck_case test_case = {.steps = steps, .step_count = 3};
    assert_false(jck_case_mentions(&test_case, "a"));
    assert_true(jck_case_mentions(&test_case, "b"));
    assert_false(jck_case_mentions(&test_case, "bb"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(send_goes_out_token_by_token_as_spelled),
        cmocka_unit_test(text_goes_out_with_variables_in_place),
        cmocka_unit_test(bytes_go_out_untouched),
        cmocka_unit_test(a_repeat_closes_what_it_opens),
        cmocka_unit_test(units_are_numbered_with_the_digits_given),
        cmocka_unit_test(an_unknown_variable_is_named),
        cmocka_unit_test(a_payload_past_the_maximum_is_a_limit),
        cmocka_unit_test(a_case_mentions_what_any_of_its_payloads_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
