// The values behind ${…}.
#include "harness/suite/variables.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)64 << 20)

static jrpc_slice get(jck_variables *variables, const char *name)
{
    jrpc_slice spelling = {NULL, 0};
    if (!jck_variables_resolve(variables, jrpc_slice_str(name), &spelling)) {
        fail_msg("no variable %s", name);
    }
    return spelling;
}

static void ids_are_fixed_for_their_step_or_their_case(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_variables v;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&v, &arena, NULL, 0xabc, 7);
    jrpc_slice first = get(&v, "id");
    jrpc_slice number = get(&v, "id:int");
    jrpc_slice named = get(&v, "id.x");
    jrpc_slice named_number = get(&v, "id:int.x");
    assert_true(jrpc_slice_is(first, "\"jck-00000abc-7-0\""));
    assert_true(jrpc_slice_is(named, "\"jck-00000abc-7-x\""));
    assert_true(jrpc_slice_equal(get(&v, "id"), first));
    jck_variables_set_step(&v, 1);
    assert_true(jrpc_slice_is(get(&v, "id"), "\"jck-00000abc-7-1\""));
    assert_false(jrpc_slice_equal(get(&v, "id:int"), number));
    assert_true(jrpc_slice_equal(get(&v, "id.x"), named));
    assert_true(jrpc_slice_equal(get(&v, "id:int.x"), named_number));
    jck_variables_set_step(&v, 0);
    assert_true(jrpc_slice_equal(get(&v, "id"), first));
    assert_true(jrpc_slice_equal(get(&v, "id:int"), number));
    jrpc_arena_done(&arena);
}

static bool is_earlier(const jck_variables *variables, jrpc_slice number)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, number, 8, NULL));
    bool earlier = jck_variables_is_earlier_number(variables, jrpc_json_root(&document));
    jrpc_json_document_done(&document);
    return earlier;
}

static void numbers_of_earlier_executions_are_known(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_variables earlier;
    jck_variables now;
    for (uint32_t nonce = 1; nonce < 4000000000u; nonce = nonce * 3 + 1) {
        jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
        jck_variables_init(&earlier, &arena, NULL, nonce, 6);
        jck_variables_init(&now, &arena, NULL, nonce, 7);
        assert_true(is_earlier(&now, get(&earlier, "id:int")));
        assert_false(is_earlier(&now, get(&now, "id:int")));
        assert_false(is_earlier(&earlier, get(&now, "id:int")));
        assert_false(is_earlier(&now, get(&now, "id")));
        assert_false(is_earlier(&now, JRPC_SLICE("999")));
        jrpc_arena_done(&arena);
    }
}

static void the_same_nonce_serial_and_step_give_the_same_ids(void **state)
{
    (void)state;
    static const char *const names[] = {"id", "id:int", "id.a", "id:int.b", "absent"};
    jrpc_arena arena;
    jck_variables one;
    jck_variables two;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&one, &arena, NULL, 5, 6);
    jck_variables_init(&two, &arena, NULL, 5, 6);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_true(jrpc_slice_equal(get(&one, names[i]), get(&two, names[i])));
    }
    jck_variables_init(&two, &arena, NULL, 6, 6);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_false(jrpc_slice_equal(get(&one, names[i]), get(&two, names[i])));
    }
    jrpc_arena_done(&arena);
}

static int compare_numbers(const void *a, const void *b)
{
    long left = *(const long *)a;
    long right = *(const long *)b;
    return (left > right) - (left < right);
}

static void numbers_are_unique_positive_and_fit_31_bits(void **state)
{
    (void)state;
    enum { SERIALS = 200, EACH = 256 };
    static const uint32_t nonces[] = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0xDEADBEEF};
    long *seen = malloc(sizeof *seen * SERIALS * EACH);
    assert_non_null(seen);
    for (size_t n = 0; n < sizeof nonces / sizeof nonces[0]; n++) {
        size_t count = 0;
        for (uint32_t serial = 0; serial < SERIALS; serial++) {
            jrpc_arena arena;
            jck_variables v;
            jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
            jck_variables_init(&v, &arena, NULL, nonces[n], serial);
            for (int step = 0; step < EACH; step++) {
                char digits[32];
                jck_variables_set_step(&v, step);
                jrpc_slice spelling = get(&v, "id:int");
                assert_true(spelling.len < sizeof digits);
                (void)snprintf(digits, sizeof digits, "%.*s", (int)spelling.len, spelling.ptr);
                long value = strtol(digits, NULL, 10);
                assert_true(value >= 1000 && value <= 0x7FFFFFFF);
                seen[count++] = value;
            }
            jck_variables_set_step(&v, EACH);
            jrpc_slice none;
            assert_false(jck_variables_resolve(&v, JRPC_SLICE("id:int"), &none));
            jrpc_arena_done(&arena);
        }
        qsort(seen, count, sizeof *seen, compare_numbers);
        for (size_t i = 1; i < count; i++) {
            assert_true(seen[i - 1] != seen[i]);
        }
    }
    free(seen);
}

static void every_spelling_is_one_json_value(void **state)
{
    (void)state;
    static const char *const names[] = {"id", "id:int", "id.a-b", "id:int.b", "absent", "echo"};
    jck_target target;
    jrpc_arena arena;
    jck_variables v;
    jrpc_error error = {0};
    char program[] = "x";
    char *argv[] = {program, NULL};
    assert_true(jck_target_from_command(&target, argv, &error));
    assert_true(jck_target_add_mapping(&target, "echo=a\"b", &error));
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&v, &arena, &target, 1, 2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, get(&v, names[i]), 0, &error));
        jrpc_json_document_done(&document);
    }
    assert_true(jrpc_slice_is(get(&v, "echo"), "\"a\\\"b\""));
    jrpc_arena_done(&arena);
    jck_target_done(&target);
}

static void what_is_captured_is_found_and_may_hide_a_capability(void **state)
{
    (void)state;
    jck_target target;
    jrpc_arena arena;
    jck_variables v;
    jrpc_error error = {0};
    char program[] = "x";
    char *argv[] = {program, NULL};
    assert_true(jck_target_from_command(&target, argv, &error));
    assert_true(jck_target_add_mapping(&target, "flow=f", &error));
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&v, &arena, &target, 1, 2);
    assert_true(jrpc_slice_is(get(&v, "flow"), "\"f\""));
    char value[] = "{\"a\":1}";
    assert_true(jck_variables_capture(&v, JRPC_SLICE("flow"), jrpc_slice_str(value)));
    value[0] = 'x'; // copied
    jck_variables_set_step(&v, 3);
    assert_true(jrpc_slice_is(get(&v, "flow"), "{\"a\":1}"));
    assert_true(jck_variables_capture(&v, JRPC_SLICE("flow"), JRPC_SLICE("2")));
    assert_true(jrpc_slice_is(get(&v, "flow"), "2"));
    jrpc_arena_done(&arena);
    jck_target_done(&target);
}

static void other_names_are_unknown(void **state)
{
    (void)state;
    static const char *const names[] = {"",     "i",  "idx",     "id.",     "id.1", "id:",
                                        "id.ä", "ID", "id:int:", "id:int.", "echo", "id:string"};
    jrpc_arena arena;
    jck_variables v;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&v, &arena, NULL, 1, 2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        jrpc_slice spelling;
        if (jck_variables_resolve(&v, jrpc_slice_str(names[i]), &spelling)) {
            fail_msg("\"%s\" is a variable", names[i]);
        }
    }
    jrpc_arena_done(&arena);
}

static void memory_that_is_out_is_no_value(void **state)
{
    (void)state;
    jrpc_failing_allocator failing;
    jrpc_arena arena;
    jck_variables v;
    jrpc_slice spelling;
    jrpc_failing_allocator_init(&failing, 0);
    jrpc_arena_init(&arena, &failing.allocator, ARENA_BYTES);
    jck_variables_init(&v, &arena, NULL, 1, 2);
    assert_false(jck_variables_resolve(&v, JRPC_SLICE("id"), &spelling));
    assert_false(jck_variables_resolve(&v, JRPC_SLICE("id:int"), &spelling));
    assert_false(jck_variables_resolve(&v, JRPC_SLICE("absent"), &spelling));
    assert_false(jck_variables_capture(&v, JRPC_SLICE("x"), JRPC_SLICE("1")));
    jrpc_arena_done(&arena);
}

static void parts_of_a_resource_are_taken_from_its_mapping(void **state)
{
    static const struct {
        const char *name;
        const char *spelling; // NULL: there is no such variable
    } rows[] = {
        {"user", "\"account\""},
        {"user.get", "\"account.get\""},
        {"user:resource", "\"account\""},
        {"user:subresource", "\"\""},
        {"repo/issue", "\"code/bug\""},
        {"repo/issue.get", "\"code.bug.get\""},
        {"repo/issue:resource", "\"code\""},
        {"repo/issue:subresource", "\"bug\""},
        {"repo/issue:resource.get", "\"code.get\""},
        {"repo/issue:subresource.get", "\"bug.get\""},
        {"user.", NULL},
        {"user.2", NULL},
        {"user:verb", NULL},
        {"user:resource.", NULL},
        {"userget", NULL},
        {"echo.get", NULL},
        {"job.yield", NULL}, // not mapped
        {"echo:escaped", "\"\\u0065\\u0063\\u0068\\u006f\""},
        {"echo:shortened", "\"ech\""},
        {"echo:raised", "\"ECHO\""},
        {"echo:widened", "\"\uff45\uff43\uff48\uff4f\""},
        {"echo:hyphenated", NULL},
        {"get_data:hyphenated", "\"get-data.2\""},
        {"get_data:widened", "\"\uff47\uff45\uff54_\uff44\uff41\uff54\uff41.\uff12\""},
        {"echo:capital", NULL},
        {"sum:escaped", NULL}, // not mapped
    };
    (void)state;
    char program[] = "x";
    char *const words[] = {program, NULL};
    jck_target target;
    jrpc_arena arena;
    jck_variables v;
    jrpc_error error = {0};
    assert_true(jck_target_from_command(&target, words, &error));
    assert_true(jck_target_add_mapping(&target, "user=account", &error));
    assert_true(jck_target_add_mapping(&target, "echo=echo", &error));
    assert_true(jck_target_add_mapping(&target, "get_data=get_data.2", &error));
    assert_true(jck_target_add_mapping(&target, "repo/issue=code/bug", &error));
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&v, &arena, &target, 1, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_slice spelling = {NULL, 0};
        bool known = jck_variables_resolve(&v, jrpc_slice_str(rows[i].name), &spelling);
        if (known != (rows[i].spelling != NULL) ||
            (known && !jrpc_slice_is(spelling, rows[i].spelling))) {
            fail_msg("%s: %.*s", rows[i].name, (int)spelling.len, known ? spelling.ptr : "");
        }
    }
    jck_target_done(&target);
    jrpc_arena_done(&arena);
}

static jck_id_origin origin_of(const jck_variables *variables, const char *text)
{
    jrpc_json_document document;
    int step = -1;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL));
    jck_id_origin origin = jck_variables_origin(variables, jrpc_json_root(&document), &step);
    jrpc_json_document_done(&document);
    return origin;
}

static void an_id_that_was_cut_is_not_one_of_another_execution(void **state)
{
    (void)state;
    jrpc_arena arena;
    jck_variables v;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_variables_init(&v, &arena, NULL, 0xabc, 123);
    assert_int_equal(origin_of(&v, "\"jck-00000abc-123-0\""), JCK_ID_OF_STEP);
    assert_int_equal(origin_of(&v, "\"jck-00000abc-123-one\""), JCK_ID_OF_CASE);
    assert_int_equal(origin_of(&v, "\"jck-00000abc-12-0\""), JCK_ID_OF_ANOTHER);
    assert_int_equal(origin_of(&v, "\"jck-00000abc-12\""), JCK_ID_UNKNOWN);
    assert_int_equal(origin_of(&v, "\"jck-00000abc-12-\""), JCK_ID_UNKNOWN);
    assert_int_equal(origin_of(&v, "\"jck-00000abc-\""), JCK_ID_UNKNOWN);
    assert_int_equal(origin_of(&v, "\"jck-00000abd-12-0\""), JCK_ID_UNKNOWN);
    jrpc_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_that_was_cut_is_not_one_of_another_execution),
        cmocka_unit_test(ids_are_fixed_for_their_step_or_their_case),
        cmocka_unit_test(numbers_of_earlier_executions_are_known),
        cmocka_unit_test(the_same_nonce_serial_and_step_give_the_same_ids),
        cmocka_unit_test(numbers_are_unique_positive_and_fit_31_bits),
        cmocka_unit_test(every_spelling_is_one_json_value),
        cmocka_unit_test(what_is_captured_is_found_and_may_hide_a_capability),
        cmocka_unit_test(other_names_are_unknown),
        cmocka_unit_test(memory_that_is_out_is_no_value),
        cmocka_unit_test(parts_of_a_resource_are_taken_from_its_mapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
