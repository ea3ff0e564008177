// The cause of a finding: what the answer depends on and must not.
#include "harness/live/cause.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)1 << 20)

typedef bool is_mistaken(const jck_shot *shot);

typedef struct mistaken_target {
    is_mistaken *mistaken;
    size_t asked;
} mistaken_target;

// A target that is mistaken about some messages.
static jck_probe ask(void *context, const jck_shot *shot, uint64_t *ret_difference)
{
    mistaken_target *target = context;
    target->asked++;
    *ret_difference = shot->bytes.ptr[0] == '[' ? 2 : 1;
    return target->mistaken(shot) ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

static bool holds(const jck_shot *shot, const char *text)
{
    return jrpc_slice_contains(shot->bytes, jrpc_slice_str(text));
}

static bool at_escapes(const jck_shot *shot)
{
    return holds(shot, "\\u00");
}

static bool at_spaces(const jck_shot *shot)
{
    return holds(shot, " ");
}

static bool at_pieces(const jck_shot *shot)
{
    return shot->travel.piece_count > 1;
}

static bool at_sevens(const jck_shot *shot)
{
    return holds(shot, "7");
}

static const struct row {
    is_mistaken *mistaken;
    const char *text, *left;
    uint64_t difference;
    int like; // the row whose cause it has; -1: none
} rows[] = {
    {at_escapes, "{ \"\\u0069d\":1}", "{\"\\u0069d\":1}", 1, 0},
    {at_escapes, "[{},{\"x\":\"\\u0041\"}]", "{\"x\":\"\\u0041\"}", 1, 0},
    {at_spaces, "[1, 2]", "[1, 2]", 2, 2},
    {at_spaces, "{\"\\u0069d\": 1}", "{\"id\": 1}", 1, 2},
    {at_sevens, "[{},{\"id\" : 7}]", "{\"id\":7}", 1, -1},
    {at_sevens, "{\"id\":7", "{\"id\":7", 1, -1},
    {at_pieces, "{\"id\" :7}", "{\"id\":7}", 1, 6},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void test_findings_of_one_cause_are_recognized(void **state)
{
    (void)state;
    uint64_t causes[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
        is_mistaken *mistaken = rows[i].mistaken;
        mistaken_target target = {.mistaken = mistaken};
        jck_cause_search search = {.try_shot = ask, .context = &target, .arena = &arena};
        jck_shot shot = {.connection = 'a',
                         .bytes = jrpc_slice_str(rows[i].text),
                         .travel = {.ping = true, .pieces = {1, 2, 3}, .piece_count = 3}};
        uint64_t difference = rows[i].text[0] == '[' ? 2 : 1;
        causes[i] = jck_cause_find(&search, &shot, &difference);
        assert_true(jrpc_slice_is(shot.bytes, rows[i].left));
        assert_int_equal(difference, rows[i].difference);
        assert_int_equal(shot.travel.piece_count, mistaken == at_pieces ? 2 : 0);
        assert_false(shot.travel.ping);
        assert_true(rows[i].like >= 0 ? causes[i] == causes[rows[i].like] && causes[i] != 0
                                      : causes[i] == 0);
        jrpc_arena_done(&arena);
    }
    assert_true(causes[0] != causes[2] && causes[2] != causes[6] && causes[0] != causes[6]);
}

static bool at_many(const jck_shot *shot)
{
    return shot->bytes.len > 100;
}

static void test_few_elements_that_are_alike_but_for_digits_are_tried(void **state)
{
    (void)state;
    char text[1024] = "[{}";
    for (int i = 0; i < 60; i++) {
        size_t len = strlen(text);
        (void)snprintf(text + len, sizeof text - len, ",{\"id\":%d}%s", i, i == 59 ? "]" : "");
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    mistaken_target target = {.mistaken = at_many};
    jck_cause_search search = {.try_shot = ask, .context = &target, .arena = &arena};
    jck_shot shot = {.connection = 'a', .bytes = jrpc_slice_str(text)};
    uint64_t difference = 2;
    assert_int_equal(jck_cause_find(&search, &shot, &difference), 0);
    assert_int_equal(target.asked, 4); // "{}", and three of the others
    assert_int_equal(shot.bytes.len, strlen(text));
    jrpc_arena_done(&arena);
}

static bool at_null_ids(const jck_shot *shot)
{
    return jrpc_slice_contains(shot->bytes, JRPC_SLICE("\"id\":null")) ||
           jrpc_slice_contains(shot->bytes, JRPC_SLICE("\"method\":\"mute\""));
}

static void
test_a_call_without_answer_is_replaced_by_a_plain_one_if_the_id_is_the_cause(void **state)
{
    (void)state;
    static const struct {
        const char *text, *left;
        bool silent;
    } table[] = {
        {"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1],\"id\":null}",
         "{\"jsonrpc\":\"2.0\",\"method\":\"nobody\",\"id\":null}", true},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"mute\",\"params\":[1],\"id\":1}",
         "{\"jsonrpc\":\"2.0\",\"method\":\"mute\",\"params\":[1],\"id\":1}", true},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1],\"id\":null}",
         "{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1],\"id\":null}", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
        mistaken_target target = {.mistaken = at_null_ids};
        jck_cause_search search = {.try_shot = ask, .context = &target, .arena = &arena};
        if (table[i].silent) {
            search.absent = JRPC_SLICE("\"nobody\"");
        }
        jck_shot shot = {.connection = 'a', .bytes = jrpc_slice_str(table[i].text)};
        uint64_t difference = 1;
        (void)jck_cause_find(&search, &shot, &difference);
        if (!jrpc_slice_is(shot.bytes, table[i].left)) {
            fail_msg("row %zu: %.*s is left", i, (int)shot.bytes.len, shot.bytes.ptr);
        }
        jrpc_arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_of_one_cause_are_recognized),
        cmocka_unit_test(
            test_a_call_without_answer_is_replaced_by_a_plain_one_if_the_id_is_the_cause),
        cmocka_unit_test(test_few_elements_that_are_alike_but_for_digits_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
