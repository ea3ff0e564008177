// The same messages many times, and what differs between them.
#include "harness/live/repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROOM 8u

typedef struct row {
    const char *text;
    const char *second, *fifth; // copies, if the message alone is repeated
} row;

static const row rows[] = {
    {"{\"id\":\"a\"}", "{\"id\":\"300a\"}", "{\"id\":\"1200a\"}"},
    {"{\"id\":\"\",\"x\":{\"id\":1}}", "{\"id\":\"300\",\"x\":{\"id\":1}}",
     "{\"id\":\"1200\",\"x\":{\"id\":1}}"},
    {"{\"id\":12,\"method\":\"m\"}", "{\"id\":7000300,\"method\":\"m\"}",
     "{\"id\":7001200,\"method\":\"m\"}"},
    {"{\"id\":-1.5e3}", "{\"id\":7000300}", "{\"id\":7001200}"},
    {"[{\"id\":1},2,{\"id\":\"b\"}]", "[{\"id\":7000300},2,{\"id\":\"301b\"}]",
     "[{\"id\":7001200},2,{\"id\":\"1201b\"}]"},
    // Without an id that could be in use: all are the same.
    {"{\"id\":null}", "{\"id\":null}", "{\"id\":null}"},
    {"{\"params\":{\"id\":\"a\"}}", "{\"params\":{\"id\":\"a\"}}", "{\"params\":{\"id\":\"a\"}}"},
    {"{\"id\":", "{\"id\":", "{\"id\":"},
};

static void is_text(const jck_shot *shot, const char *wanted)
{
    if (!jrpc_slice_is(shot->bytes, wanted)) {
        fail_msg("expected %s, got %.*s", wanted, (int)shot->bytes.len, shot->bytes.ptr);
    }
    assert_int_equal(shot->connection, 'b');
}

static jck_shot shot_of(const char *text)
{
    return (jck_shot){.connection = 'b', .bytes = jrpc_slice_str(text)};
}

static void copies_differ_in_the_id_alone(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1u << 16);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_shot copies[ROOM];
        const jck_shot one = shot_of(rows[i].text);
        assert_true(jck_repeat(&one, 1, 5, &arena, copies));
        is_text(&copies[0], rows[i].text);
        is_text(&copies[1], rows[i].second);
        is_text(&copies[4], rows[i].fifth);
    }
    jrpc_arena_done(&arena);
}

static void several_messages_come_in_turn_and_in_place(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1u << 16);
    jck_shot shots[ROOM] = {shot_of("{\"id\":\"a\"}"), shot_of("[]")};
    assert_true(jck_repeat(shots, 2, 5, &arena, shots));
    is_text(&shots[0], "{\"id\":\"a\"}");
    is_text(&shots[1], "[]");
    is_text(&shots[2], "{\"id\":\"600a\"}");
    is_text(&shots[3], "[]");
    is_text(&shots[4], "{\"id\":\"1200a\"}");
    jrpc_arena_done(&arena);
}

static void pieces_fit_the_copies(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1u << 16);
    jck_shot one = shot_of("{\"id\":123456789}");
    one.travel.piece_count = 1;
    one.travel.pieces[0] = one.bytes.len - 1;
    jck_shot copies[ROOM];
    assert_true(jck_repeat(&one, 1, 2, &arena, copies));
    is_text(&copies[1], "{\"id\":7000300}");
    assert_true(copies[1].travel.piece_count == 0 ||
                copies[1].travel.pieces[0] <= copies[1].bytes.len);
    jrpc_arena_done(&arena);
}

static void copies_of_a_call_may_have_other_names(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1u << 16);
    const jrpc_slice absent = JRPC_SLICE("\"no\"");
    jck_shot copies[ROOM];
    const jck_shot first = shot_of("{\"method\":\"no\",\"id\":\"a\"}");
    assert_true(jck_repeat_renamed(&first, absent, 3, &arena, copies));
    is_text(&copies[0], "{\"method\":\"no\",\"id\":\"a\"}");
    is_text(&copies[2], "{\"method\":\"no600\",\"id\":\"601a\"}");
    const jck_shot last = shot_of("{\"id\":\"a\",\"method\":\"none\"}");
    assert_true(jck_repeat_renamed(&last, absent, 2, &arena, copies));
    is_text(&copies[1], "{\"id\":\"300a\",\"method\":\"none301\"}");
    const jck_shot other = shot_of("{\"method\":\"sum\",\"id\":1}");
    assert_false(jck_repeat_renamed(&other, absent, 2, &arena, copies));
    const jck_shot text = shot_of("{\"method\":\"no\"");
    assert_false(jck_repeat_renamed(&text, absent, 2, &arena, copies));
    jrpc_arena_done(&arena);
}

static void without_room_nothing_is_made(void **state)
{
    (void)state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 8);
    const jck_shot one = shot_of("{\"id\":\"a\",\"method\":\"long enough\"}");
    jck_shot copies[ROOM];
    assert_false(jck_repeat(&one, 1, ROOM, &arena, copies));
    jrpc_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_differ_in_the_id_alone),
        cmocka_unit_test(several_messages_come_in_turn_and_in_place),
        cmocka_unit_test(pieces_fit_the_copies),
        cmocka_unit_test(copies_of_a_call_may_have_other_names),
        cmocka_unit_test(without_room_nothing_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
