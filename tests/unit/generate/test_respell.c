// Another spelling of a value is the same value.
#include "harness/generate/respell.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 500 };

static const char *const texts[] = {
    "null",
    "0",
    "-0",
    "10",
    "1e400",
    "\"\"",
    "\"a\\\"b\\\\ \\ud83d\\ude00\"",
    "\"\xC3\xA9\xF0\x9F\x98\x80\x7F\"",
    "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":9007199254740993}",
    "[{\"a\":1,\"b\":{\"c\":[],\"d\":{}}},-1,100,[true,false]]",
    "{\"a\":1,\"a\":2,\"\\u0061\":3}",
};
enum { TEXTS = sizeof texts / sizeof *texts };

typedef struct pair {
    jrpc_json_document before, after;
    jrpc_buffer text;
} pair;

static void begin(pair *p, const char *text)
{
    jrpc_json_document_init(&p->before, jrpc_allocator_heap());
    jrpc_json_document_init(&p->after, jrpc_allocator_heap());
    jrpc_buffer_init(&p->text, jrpc_allocator_heap(), 1 << 20);
    assert_true(jrpc_json_read(&p->before, jrpc_slice_str(text), JRPC_LIMIT_DEPTH + 1, NULL));
}

static void end(pair *p)
{
    jrpc_json_document_done(&p->before);
    jrpc_json_document_done(&p->after);
    jrpc_buffer_done(&p->text);
}

static void test_a_respelling_is_the_same_value_in_another_spelling(void **state)
{
    (void)state;
    size_t changed = 0;
    for (size_t t = 0; t < TEXTS; t++) {
        pair p;
        begin(&p, texts[t]);
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            jrpc_random random;
            jrpc_random_init(&random, seed);
            jrpc_buffer_clear(&p.text);
            assert_true(
                jck_respell(jrpc_json_root(&p.before), (unsigned)(seed % 16), &random, &p.text));
            jrpc_slice respelled = jrpc_buffer_slice(&p.text);
            assert_true(jrpc_json_read(&p.after, respelled, JRPC_LIMIT_DEPTH, NULL));
            assert_true(jrpc_json_equal(jrpc_json_root(&p.before), jrpc_json_root(&p.after)));
            assert_null(memchr(respelled.ptr, '\n', respelled.len));
            changed += !jrpc_slice_is(respelled, texts[t]);
        }
        end(&p);
    }
    assert_true(changed > (size_t)TEXTS * ROUNDS / 4);
}

static void test_nothing_else_changes_than_what_may(void **state)
{
    (void)state;
    pair p;
    begin(&p, texts[8]);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        jrpc_random random;
        jrpc_random_init(&random, seed);
        jrpc_buffer_clear(&p.text);
        assert_true(jck_respell(jrpc_json_root(&p.before), 0, &random, &p.text));
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&p.text), texts[8]));
        jrpc_buffer_clear(&p.text);
        assert_true(jck_respell(jrpc_json_root(&p.before), JCK_RESPELL_ORDER, &random, &p.text));
        assert_int_equal(p.text.len, strlen(texts[8]));
    }
    end(&p);
}

static void test_what_has_no_room_or_is_too_deep_is_refused(void **state)
{
    (void)state;
    jrpc_random random;
    jrpc_random_init(&random, 1);
    pair p;
    begin(&p, texts[8]);
    jrpc_buffer small;
    jrpc_buffer_init(&small, jrpc_allocator_heap(), 10);
    assert_false(jck_respell(jrpc_json_root(&p.before), 0, &random, &small));
    jrpc_buffer_done(&small);
    end(&p);
    char deep[2 * JRPC_LIMIT_DEPTH + 3];
    memset(deep, '[', JRPC_LIMIT_DEPTH + 1);
    memset(deep + JRPC_LIMIT_DEPTH + 1, ']', JRPC_LIMIT_DEPTH + 1);
    deep[2 * JRPC_LIMIT_DEPTH + 2] = '\0';
    begin(&p, deep);
    assert_false(jck_respell(jrpc_json_root(&p.before), 0, &random, &p.text));
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_respelling_is_the_same_value_in_another_spelling),
        cmocka_unit_test(test_nothing_else_changes_than_what_may),
        cmocka_unit_test(test_what_has_no_room_or_is_too_deep_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
