// The cause of a finding: what the answer depends on and must not.
#include "harness/live/cause.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)1 << 20)

typedef bool is_mistaken(const jck_shot *shot);

// A target that is mistaken about some messages.
static jck_probe ask(void *context, const jck_shot *shot, uint64_t *ret_difference)
{
    is_mistaken *const *mistaken = context;
    *ret_difference = shot->bytes.ptr[0] == '[' ? 2 : 1;
    return (*mistaken)(shot) ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
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
        jck_cause_search search = {.try_shot = ask, .context = &mistaken, .arena = &arena};
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_findings_of_one_cause_are_recognized)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
