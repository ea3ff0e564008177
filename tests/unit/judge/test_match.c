// Patterns: every matcher, exact equality, what is exact and what is a subset, variables.
#include "harness/judge/match.h"

#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

// Rows end where nothing but zeros would follow.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

// One variable: v stands for "a\u0062", n for 1.50, o for {"x":[1]}.
static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    static const struct {
        const char *name;
        const char *spelling;
    } known[] = {{"v", "\"a\\u0062\""},
                 {"n", "1.50"},
                 {"o", "{\"x\":[1]}"},
                 {"bad", "{"},
                 {"s", "{\"properties\":{\"a\":{\"type\":\"string\"}}}"}};
    (void)context;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (jrpc_slice_is(name, known[i].name)) {
            *ret_spelling = jrpc_slice_str(known[i].spelling);
            return true;
        }
    }
    return false;
}

static jrpc_json parse(jrpc_json_document *document, const char *text)
{
    jrpc_json_document_init(document, jrpc_allocator_heap());
    if (text != NULL && !jrpc_json_read(document, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL)) {
        fail_msg("no JSON: %s", text);
    }
    return jrpc_json_root(document);
}

static void a_value_matches_as_the_pattern_says(void **state)
{
    static const struct {
        const char *pattern;
        const char *value; // NULL: absent
        bool matches;
        bool subset_differs; // the subset match says the opposite
    } rows[] = {
        {"{\"$fits\":\"${s}\"}", "{\"a\":\"b\"}", true},
        {"{\"$fits\":\"${s}\"}", "{\"a\":1}", false},
        {"{\"$fits\":\"${s}\"}", NULL, false},
        {"{\"$fits\":\"${unknown}\"}", "1", true},
        {"1", "1.0", true},
        {"1", "1e0", true},
        {"1", "\"1\"", false},
        {"1", "1.0000000000000000000000001", false},
        {"9007199254740993", "9007199254740992", false},
        {"null", "null", true},
        {"null", NULL, false},
        {"null", "false", false},
        {"true", "true", true},
        {"true", "false", false},
        {"\"ab\"", "\"\\u0061b\"", true},
        {"\"a\\u0000b\"", "\"a\"", false},
        {"[1,2]", "[1,2]", true},
        {"[1,2]", "[2,1]", false},
        {"[1,2]", "[1]", false},
        {"[1]", "[1,2]", false},
        {"[]", "{}", false},
        {"[{\"$any\":true}]", "[[]]", true},
        {"{}", "{}", true},
        {"{}", "[]", false},
        {"{}", "{\"a\":1}", false, true},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", false, true},
        {"{\"a\":1}", "{\"A\":1}", false},
        {"{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1,\"c\":2}}", false},
        {"{\"\\u0061\":1}", "{\"a\":1}", true},
        {"{\"a\":{\"$absent\":true}}", "{}", true},
        {"{\"a\":{\"$absent\":true}}", "{\"a\":null}", false},
        {"{\"$absent\":true}", NULL, true},
        {"{\"$absent\":true}", "null", false},
        {"{\"$any\":true}", "null", true},
        {"{\"$any\":true}", NULL, false},
        {"{\"$type\":\"string\"}", "\"\"", true},
        {"{\"$type\":\"string\"}", "1", false},
        {"{\"$type\":\"number\"}", "1.5", true},
        {"{\"$type\":\"number\"}", "\"1\"", false},
        {"{\"$type\":\"integer\"}", "1.0", true},
        {"{\"$type\":\"integer\"}", "1.5", false},
        {"{\"$type\":\"integer\"}", "\"1\"", false},
        {"{\"$type\":\"boolean\"}", "true", true},
        {"{\"$type\":\"boolean\"}", "false", true},
        {"{\"$type\":\"boolean\"}", "null", false},
        {"{\"$type\":\"null\"}", "null", true},
        {"{\"$type\":\"null\"}", NULL, false},
        {"{\"$type\":\"object\"}", "{\"a\":1}", true},
        {"{\"$type\":\"object\"}", "[]", false},
        {"{\"$type\":\"array\"}", "[1]", true},
        {"{\"$type\":\"array\"}", "{}", false},
        {"{\"$type\":\"text\"}", "\"\"", false},
        {"{\"$range\":[-32099,-32000]}", "-32000", true},
        {"{\"$range\":[-32099,-32000]}", "-32099.0", true},
        {"{\"$range\":[-32099,-32000]}", "-31999.9", false},
        {"{\"$range\":[-32099,-32000]}", "-32099.1", false},
        {"{\"$range\":[-32099,-32000]}", "\"-32000\"", false},
        {"{\"$range\":[0,1e400]}", "1e399", true},
        {"{\"$in\":[1,\"a\",{\"$type\":\"null\"}]}", "\"a\"", true},
        {"{\"$in\":[1,\"a\",{\"$type\":\"null\"}]}", "null", true},
        {"{\"$in\":[1,\"a\",{\"$type\":\"null\"}]}", "2", false},
        {"{\"$in\":[1]}", NULL, false},
        {"{\"$contains\":\"b\\n\"}", "\"ab\\nc\"", true},
        {"{\"$contains\":\"\"}", "\"\"", true},
        {"{\"$contains\":\"abc\"}", "\"ab\"", false},
        {"{\"$contains\":\"${v}\"}", "\"xabx\"", true},
        {"{\"$contains\":1}", "\"1\"", false},
        {"{\"$contains\":2}", "[1,2]", true},
        {"{\"$contains\":3}", "[1,2]", false},
        {"{\"$contains\":3}", "3", false},
        {"{\"$contains\":{\"a\":1}}", "{\"a\":1,\"b\":2}", true},
        {"{\"$contains\":{\"a\":1}}", "{\"b\":2}", false},
        {"{\"$contains\":{\"a\":1}}", "[{\"a\":1}]", true},
        {"{\"$each\":{\"$type\":\"number\"}}", "[1,2]", true},
        {"{\"$each\":{\"$type\":\"number\"}}", "[1,\"2\"]", false},
        {"{\"$each\":{\"$type\":\"number\"}}", "[]", true},
        {"{\"$each\":{\"$type\":\"number\"}}", "{\"a\":1}", true},
        {"{\"$each\":{\"$type\":\"number\"}}", "{\"a\":null}", false},
        {"{\"$each\":{\"$any\":true}}", "1", false},
        {"{\"$each\":{\"$any\":true}}", NULL, false},
        {"{\"$somewhere\":1}", "1", true},
        {"{\"$somewhere\":1}", "[[2,{\"a\":[1]}]]", true},
        {"{\"$somewhere\":1}", "[[2],{\"1\":3}]", false},
        {"{\"$somewhere\":\"a\"}", "{\"a\":[\"b\"]}", false},
        {"{\"$somewhere\":\"${v}\"}", "{\"a\":[\"ab\"]}", true},
        {"{\"$somewhere\":{\"$contains\":{\"${v}\":{\"$any\":true}}}}", "[{\"ab\":0,\"c\":1}]",
         true},
        {"{\"$somewhere\":{\"$contains\":{\"${v}\":{\"$any\":true}}}}", "[{\"v\":0}]", false},
        {"{\"$somewhere\":{\"$any\":true}}", NULL, false},
        {"{\"$no\":true}", "true", false},
        {"\"${v}\"", "\"ab\"", true},
        {"\"${v}\"", "\"${v}\"", false},
        {"\"${n}\"", "1.5", true},
        {"\"${n}\"", "\"1.50\"", false},
        {"\"${o}\"", "{\"x\":[1.0]}", true},
        {"\"${unknown}\"", "\"${unknown}\"", true},
        {"\"${bad}\"", "\"x\"", false},
        {"{\"$chars\":\"A-C_\"}", "\"AB_C\"", true},
        {"{\"$chars\":\"A-C_\"}", "\"D\"", false},
        {"{\"$chars\":\"A-C_\"}", "\"@\"", false},
        {"{\"$chars\":\"A-C_\"}", "\"-\"", false},
        {"{\"$chars\":\"a-\"}", "\"a-\"", true},
        {"{\"$chars\":\"a-\"}", "\"b\"", false},
        {"{\"$chars\":\"-a\"}", "\"-a\"", true},
        {"{\"$chars\":\"\"}", "\"\"", true},
        {"{\"$chars\":\"\"}", "\"a\"", false},
        {"{\"$chars\":\"a-c\"}", "\"\"", true},
        {"{\"$chars\":\"a-c\"}", "1", false},
        {"{\"$chars\":\"a-c\"}", NULL, false},
        {"{\"$chars\":1}", "\"1\"", false},
        {"{\"$length\":[2,3]}", "\"a\"", false},
        {"{\"$length\":[2,3]}", "\"ab\"", true},
        {"{\"$length\":[2,3]}", "\"abc\"", true},
        {"{\"$length\":[2,3]}", "\"abcd\"", false},
        {"{\"$length\":[2,3]}", "\"é\"", true},
        {"{\"$length\":[2,3]}", "[1]", false},
        {"{\"$length\":[2,3]}", "[1,2]", true},
        {"{\"$length\":[2,3]}", "[1,2,3,4]", false},
        {"{\"$length\":[2,3]}", "{\"a\":1}", false},
        {"{\"$length\":[2,3]}", "{\"a\":1,\"b\":2}", true},
        {"{\"$length\":[2,3]}", "12", false},
        {"{\"$length\":[2,3]}", NULL, false},
        {"{\"$length\":[\"2\",3]}", "\"ab\"", false},
        {"{\"$length\":[2]}", "\"ab\"", false},
        {"{\"$unique\":\"/n\"}", "[]", true},
        {"{\"$unique\":\"/n\"}", "[{\"n\":1},{\"n\":2}]", true},
        {"{\"$unique\":\"/n\"}", "[{\"n\":1},{\"n\":1.0}]", false},
        {"{\"$unique\":\"/n\"}", "[{\"n\":1},{},{\"n\":2},{}]", true},
        {"{\"$unique\":\"/n\"}", "[{},{\"n\":1},{\"n\":1}]", false},
        {"{\"$unique\":\"/n\"}", "[{\"n\":1},{\"n\":2},{\"n\":1}]", false},
        {"{\"$unique\":\"/n\"}", "{\"n\":1}", false},
        {"{\"$unique\":\"/n\"}", NULL, false},
        {"{\"$unique\":1}", "[]", false},
        {"{\"$json-schema\":true}", "{\"type\":\"string\"}", true},
        {"{\"$json-schema\":true}", "{\"type\":\"text\"}", false},
        {"{\"$printed\":1}", "1", false},
        {"{\"$printed\":\"/x\"}", NULL, false},
        {"{\"$printed\":\"/x\"}", "1", false},
        {"{\"$openrpc\":1}", "{}", false},
        {"[1,{\"$any\":true}]", "[1]", false},
        {"[\"${n}\",{\"k\":\"${v}\"}]", "[1.5,{\"k\":\"ab\"}]", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_arena arena;
        jrpc_json_document documents[2];
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 16);
        const jck_matching matching = {resolve, NULL, &arena, JRPC_JSON_ABSENT};
        jrpc_json pattern = parse(&documents[0], rows[i].pattern);
        jrpc_json value = parse(&documents[1], rows[i].value);
        bool subset = rows[i].matches != rows[i].subset_differs;
        if (jck_match(&matching, pattern, value) != rows[i].matches ||
            jck_match_subset(&matching, pattern, value) != subset) {
            fail_msg("%s against %s", rows[i].pattern, rows[i].value);
        }
        jrpc_json_document_done(&documents[0]);
        jrpc_json_document_done(&documents[1]);
        jrpc_arena_done(&arena);
    }
}

static void a_message_matches_when_it_has_every_member_that_is_named(void **state)
{
    static const struct {
        const char *pattern;
        const char *message;
        bool matches;
    } rows[] = {
        {"{}", "{\"a\":1}", true},
        {"{}", "[]", false},
        {"{\"$batch\":[1,2]}", "[{},{}]", true},
        {"{\"$batch\":[1,2]}", "[{}]", false},
        {"{\"$batch\":[1,2]}", "{\"a\":1,\"b\":2}", false},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", true},
        {"{\"a\":1,\"$times\":3}", "{\"a\":1}", true},
        {"{\"a\":1,\"$rising\":\"/a\"}", "{\"a\":1}", true},
        {"{\"a\":1,\"$rule\":\"R\"}", "{\"a\":1}", true},
        {"{\"a\":1,\"$rules\":\"R\"}", "{\"a\":1}", false},
        {"{\"a\":{\"x\":1}}", "{\"a\":{\"x\":1,\"y\":2}}", true},
        {"{\"a\":{\"x\":1}}", "{\"a\":{\"y\":1}}", false},
        {"{\"a\":{\"$absent\":true}}", "{}", true},
        {"{\"a\":{\"$absent\":true}}", "{\"a\":null}", false},
        {"{\"a\":\"${v}\"}", "{\"a\":\"ab\"}", true},
        {"{\"\\u0061\":1}", "{\"a\":1}", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_arena arena;
        jrpc_json_document documents[2];
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 16);
        const jck_matching matching = {resolve, NULL, &arena, JRPC_JSON_ABSENT};
        jrpc_json pattern = parse(&documents[0], rows[i].pattern);
        jrpc_json message = parse(&documents[1], rows[i].message);
        if (jck_match_message(&matching, pattern, message) != rows[i].matches) {
            fail_msg("%s against %s", rows[i].pattern, rows[i].message);
        }
        jrpc_json_document_done(&documents[0]);
        jrpc_json_document_done(&documents[1]);
        jrpc_arena_done(&arena);
    }
}

static void what_the_description_prints_is_matched(void **state)
{
    static const struct {
        const char *pattern, *value; // NULL: absent
        bool matches;
    } rows[] = {
        {"{\"$printed\":\"#/a/b\"}", "[1,2]", true},  {"{\"$printed\":\"#/a/b\"}", "[1.0,2]", true},
        {"{\"$printed\":\"#/a/b\"}", "[2,1]", false}, {"{\"$printed\":\"#/a/b\"}", NULL, false},
        {"{\"$printed\":\"#/a/c\"}", "[1,2]", false}, {"{\"$printed\":\"#/a/c\"}", NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_arena arena;
        jrpc_json_document documents[3];
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 16);
        const jck_matching matching = {resolve, NULL, &arena,
                                       parse(&documents[0], "{\"a\":{\"b\":[1,2]}}")};
        if (jck_match(&matching, parse(&documents[1], rows[i].pattern),
                      parse(&documents[2], rows[i].value)) != rows[i].matches) {
            fail_msg("%s against %s", rows[i].pattern, rows[i].value);
        }
        for (size_t k = 0; k < 3; k++) {
            jrpc_json_document_done(&documents[k]);
        }
        jrpc_arena_done(&arena);
    }
}

static void the_reason_leads_to_the_part_that_does_not_fit(void **state)
{
    static const struct {
        const char *pattern, *value;
        const char *reason; // NULL: none
    } rows[] = {
        {"{\"$contains\":{\"m\":{\"$fits\":\"${s}\"}}}", "{\"m\":{\"a\":1}}",
         "result/m/a does not fit its schema: type \"string\""},
        {"{\"$contains\":{\"m\":{\"$fits\":\"${s}\"}}}", "{}", "result/m is missing"},
        {"{\"$contains\":{\"m\":{\"$fits\":\"${s}\"}}}", "{\"m\":{\"a\":\"\"}}", NULL},
        {"{\"$all\":[{\"$type\":\"object\"},{\"$fits\":\"${s}\"}]}", "{\"a\":1}",
         "result/a does not fit its schema: type \"string\""},
        {"{\"$contains\":\"a\"}", "[\"b\"]", NULL},
        {"{\"$contains\":{\"\":{\"$fits\":\"${s}\"}}}", "{\"\":{\"a\":1}}",
         "result/a does not fit its schema: type \"string\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_json_document pattern;
        jrpc_json_document value;
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 10000);
        const jck_matching matching = {resolve, NULL, &arena, JRPC_JSON_ABSENT};
        const char *reason = jck_matching_reason(&matching, parse(&pattern, rows[i].pattern),
                                                 parse(&value, rows[i].value));
        assert_int_equal(reason == NULL, rows[i].reason == NULL);
        if (reason != NULL) {
            assert_string_equal(reason, rows[i].reason);
        }
        jrpc_arena_done(&arena);
        jrpc_json_document_done(&value);
        jrpc_json_document_done(&pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_matches_as_the_pattern_says),
        cmocka_unit_test(what_the_description_prints_is_matched),
        cmocka_unit_test(the_reason_leads_to_the_part_that_does_not_fit),
        cmocka_unit_test(a_message_matches_when_it_has_every_member_that_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
