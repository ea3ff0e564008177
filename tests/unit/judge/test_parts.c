// Parts of the judge that are asked by themselves: whether the members of a Request of RO-JRPC
// agree, and whether two values are equal to a reader of doubles.
#include "harness/judge/client_view.h"
#include "harness/judge/doubles.h"
#include "harness/judge/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { ARENA_BYTES = 1 << 20 };

typedef struct fixture {
    jck_suite *suite;
    const jck_case *test_case;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    jrpc_error error = {.code = JRPC_OK};
    f.suite = jck_suite_load("cases", NULL, NULL, &error);
    assert_non_null(f.suite);
    f.test_case = jck_suite_find_case(f.suite, JRPC_SLICE("ro-client-request/subresource"));
    assert_non_null(f.test_case);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    const fixture *f = *state;
    jck_suite_free(f->suite);
    return 0;
}

static void begin(const fixture *f, jck_trial *trial, jck_findings *findings, jrpc_arena *arena)
{
    jrpc_arena_init(arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_findings_init(findings, arena, f->suite, f->test_case);
    *trial = (jck_trial){.test_case = f->test_case, .findings = findings, .arena = arena};
}

static void end(jck_trial *trial)
{
    for (jck_read *read = trial->reads; read != NULL; read = read->next) {
        jrpc_json_document_done(&read->document);
    }
    jrpc_arena_done(trial->arena);
}

static jrpc_json value_of(jck_trial *trial, const char *text)
{
    jrpc_json value = jck_trial_read(trial, jrpc_slice_str(text), NULL);
    assert_true(jrpc_json_exists(value) || text[0] == '\0');
    return value;
}

// The method of a routed Request is its resource, subresource and verb, joined by dots; a
// subresource needs a resource, a parent needs a subresource, and a resource needs a verb.
static void the_members_of_a_routed_request_agree(void **state)
{
    static const struct {
        const char *object;
        bool agrees;
    } table[] = {
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\"}", true},
        {"{\"method\":\"a.s.b\",\"resource\":\"a\",\"subresource\":\"s\",\"verb\":\"b\"}", true},
        {"{\"method\":\"a.b.c\",\"resource\":\"a\",\"verb\":\"b.c\"}", true},
        {"{\"method\":\"a.s.b\",\"resource\":\"a\",\"subresource\":\"s\",\"parent\":1,\"verb\":"
         "\"b\"}",
         true},
        {"{\"method\":\"a.b\"}", true},
        {"{\"method\":\"a.b\",\"verb\":\"b\"}", true},
        {"{\"method\":7,\"resource\":\"a\",\"verb\":\"b\"}", true}, // is reported elsewhere
        {"{\"resource\":\"a\",\"verb\":\"b\"}", true},
        {"{\"method\":\"ab\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a.\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a/b\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"x.b\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a.x\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a.b.c\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"\",\"resource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a.b\",\"resource\":7,\"verb\":\"b\"}", false},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"verb\":[]}", false},
        {"{\"method\":\"a.s\",\"resource\":\"a\",\"subresource\":\"s\",\"verb\":\"s\"}", false},
        {"{\"method\":\"a.b\",\"resource\":\"a\"}", false},
        {"{\"method\":\"a.b\",\"subresource\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a.b\",\"parent\":\"a\",\"verb\":\"b\"}", false},
        {"{\"method\":\"a.b\",\"resource\":\"a\",\"parent\":\"p\",\"verb\":\"b\"}", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jck_trial trial;
        jck_findings findings;
        jrpc_arena arena;
        begin(*state, &trial, &findings, &arena);
        jrpc_json object = value_of(&trial, table[i].object);
        jck_judge_routing(&trial, 0, object, object); // what came is what was asked for
        if ((findings.count == 0) != table[i].agrees) {
            fail_msg("%s: %zu findings", table[i].object, findings.count);
        }
        end(&trial);
    }
}

typedef struct pair {
    const char *a, *b;
    bool equal;
} pair;

static void compare_all(void **state, const pair *pairs, size_t count,
                        bool (*are_equal)(jck_trial *trial, jrpc_json a, jrpc_json b))
{
    for (size_t i = 0; i < count; i++) {
        jck_trial trial;
        jck_findings findings;
        jrpc_arena arena;
        begin(*state, &trial, &findings, &arena);
        jrpc_json a = value_of(&trial, pairs[i].a);
        jrpc_json b = value_of(&trial, pairs[i].b);
        if (are_equal(&trial, a, b) != pairs[i].equal ||
            are_equal(&trial, b, a) != pairs[i].equal) {
            fail_msg("%s and %s", pairs[i].a, pairs[i].b);
        }
        end(&trial);
    }
}

// Numbers with a fraction or an exponent are equal if they are one double (IEEE 754, binary64);
// integers, Strings and numbers beyond a double are equal only if they are exactly.
static void values_are_equal_to_a_reader_of_doubles(void **state)
{
    static const pair table[] = {
        {"0.1", "0.10000000000000001", true},
        {"0.1", "0.1000000000000001", false},
        {"1.0", "1", true},
        {"9007199254740992", "9007199254740993", false},
        {"9007199254740992.0", "9007199254740993.0", true},
        {"90071992547409920E-1", "90071992547409930e-1", true},
        {"12345678901234567890E-1", "1.2345678901234568e18", true},
        {"-0.1", "-0.10000000000000001", true},
        {"-0.1", "0.1", false},
        {"1e400", "2e400", false},
        {"1e400", "10e399", true},
        {"\"0.1\"", "\"0.10000000000000001\"", false},
        {"\"\\\"0.1\"", "\"\\\"0.10000000000000001\"", false},
        {"[0.1,\"x\",{\"a\":[-1.50]}]", "[0.10000000000000001,\"x\",{\"a\":[-15e-1]}]", true},
        {"[0.1,2]", "[0.10000000000000001,3]", false},
        {"{\"0.1\":1}", "{\"0.10000000000000001\":1}", false},
        {"null", "false", false},
        {"1", "", false},
        {"", "1.5", false},
    };
    compare_all(state, table, sizeof table / sizeof table[0], jck_equal_in_doubles);
}

static void rounding_explains_a_difference(void **state)
{
    static const pair table[] = {
        {"9007199254740993", "9007199254740992", true},
        {"[18446744073709551615]", "[18446744073709552000]", true},
        {"1e400", "null", true},
        {"9007199254740993", "9007199254740994.5", false},
        {"9007199254740993", "\"9007199254740993\"", false},
        {"1", "2", false},
        {"1", "", false},
    };
    compare_all(state, table, sizeof table / sizeof table[0], jck_equal_when_rounded);
}

static void without_memory_nothing_is_equal_in_doubles(void **state)
{
    jck_trial trial;
    jck_findings findings;
    jrpc_arena arena;
    begin(*state, &trial, &findings, &arena);
    jrpc_json a = value_of(&trial, "[0.1,0.25]");
    jrpc_json b = value_of(&trial, "[0.10000000000000001,0.25]");
    jrpc_arena none;
    jrpc_arena_init(&none, jrpc_allocator_heap(), 0);
    trial.arena = &none;
    assert_false(jck_equal_in_doubles(&trial, a, b));
    assert_false(jck_equal_when_rounded(&trial, a, b));
    trial.arena = &arena;
    jrpc_arena_done(&none);
    end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_members_of_a_routed_request_agree),
        cmocka_unit_test(values_are_equal_to_a_reader_of_doubles),
        cmocka_unit_test(rounding_explains_a_difference),
        cmocka_unit_test(without_memory_nothing_is_equal_in_doubles),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
