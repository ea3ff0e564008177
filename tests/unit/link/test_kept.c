// Connections that are listened to from the side, and the account of what was waited for.
#include "tests/unit/link/child_group.h"
#include "tests/unit/link/scripted_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FIRST_LOOK_MS = 400, LATE_MS = 2000 };

// Answers nothing but, if it is `late`, long after a first look.
static void is_mute(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (c->of->state == 1) {
        script_answer(c, LATE_MS, text);
    }
}

// A connection goes mute at a first look; returns its number.
static uint64_t go_mute(scripted_link *f, int late)
{
    scripted_notes notes = {0};
    size_t missing = 1;
    f->side.on_message = NULL;
    f->link.timing.reply_ms = SCRIPT_REPLY_MS;
    assert_int_equal(scripted_link_open(f), JCK_LINK_OK);
    f->side.on_message = is_mute;
    f->side.state = late;
    f->link.timing.reply_ms = FIRST_LOOK_MS;
    f->link.timing.listen_ms = SCRIPT_REPLY_MS;
    const jrpc_manner manner = {0};
    assert_int_equal(jck_link_send(&f->link, 'a',
                                   JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}"),
                                   &manner, &f->error),
                     JRPC_PEER_MESSAGE);
    assert_int_equal(scripted_link_prove(f, &notes, &missing), JCK_SYNC_MUTE);
    uint64_t number = scripted_link_first(f)->number;
    assert_int_equal(f->link.mute, number);
    jck_link_drop(&f->link);
    return number;
}

// Opens a connection that is to be listened to for so long; returns its number.
static uint64_t open_to_keep(scripted_link *f, int64_t ms)
{
    assert_int_equal(scripted_link_open(f), JCK_LINK_OK);
    jck_connection *open = scripted_link_first(f);
    open->keep_us = f->side.now_us + ms * 1000;
    return open->number;
}

static jck_kept_state look(scripted_link *f, uint64_t number, int64_t deadline_us)
{
    return jck_link_look_aside(&f->link, number, INT64_MAX, deadline_us);
}

static void a_mute_connection_is_listened_to_for_the_full_time(void **state)
{
    (void)state;
    for (int late = 0; late <= 1; late++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
        int64_t began_us = f.side.now_us;
        uint64_t number = go_mute(&f, late);
        assert_true(scripted_link_ms(&f, began_us) < LATE_MS);
        f.link.timing.listen_ms = 0;
        // Meanwhile another connection serves.
        f.side.on_message = NULL;
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        assert_int_equal(look(&f, number, 0), JCK_KEPT_LISTENS);
        assert_int_equal(look(&f, number, INT64_MAX), late ? JCK_KEPT_SPOKE : JCK_KEPT_QUIET);
        assert_true(scripted_link_ms(&f, began_us) >= (late ? LATE_MS : SCRIPT_REPLY_MS));
        assert_int_equal(look(&f, number, INT64_MAX), JCK_KEPT_LOST);
        scripted_link_end(&f);
    }
}

static void only_the_end_of_a_connection_is_told_from_an_answer(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    uint64_t number = open_to_keep(&f, SCRIPT_REPLY_MS);
    script_end(scripted_link_peer(&f), LATE_MS, JRPC_END_CLOSED, 0);
    jck_link_drop(&f.link);
    assert_int_equal(look(&f, number, 0), JCK_KEPT_LISTENS);
    assert_int_equal(look(&f, number, INT64_MAX), JCK_KEPT_ENDED);
    assert_int_equal(look(&f, number, INT64_MAX), JCK_KEPT_LOST);
    scripted_link_end(&f);
}

static void what_finds_no_room_is_lost(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    uint64_t numbers[JCK_KEPT_MUTE_MAX + 1];
    for (size_t i = 0; i <= JCK_KEPT_MUTE_MAX; i++) {
        numbers[i] = go_mute(&f, 0);
        assert_int_equal(look(&f, numbers[i], 0),
                         i < JCK_KEPT_MUTE_MAX ? JCK_KEPT_LISTENS : JCK_KEPT_LOST);
    }
    // There is room for some that are in order.
    f.side.on_message = NULL;
    f.link.timing.listen_ms = 0;
    for (size_t i = JCK_KEPT_MUTE_MAX; i <= JCK_KEPT_MAX; i++) {
        uint64_t number = open_to_keep(&f, SCRIPT_REPLY_MS);
        jck_link_drop(&f.link);
        assert_int_equal(look(&f, number, 0), i < JCK_KEPT_MAX ? JCK_KEPT_LISTENS : JCK_KEPT_LOST);
    }
    jck_link_forget(&f.link, numbers[0]);
    assert_int_equal(look(&f, numbers[0], 0), JCK_KEPT_LOST);
    jck_link_drop_aside(&f.link);
    assert_int_equal(look(&f, numbers[1], 0), JCK_KEPT_LOST);
    scripted_link_end(&f); // closed all of them, or this aborts
}

static void a_connection_in_order_is_put_aside_when_it_would_be_closed(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    uint64_t number = open_to_keep(&f, SCRIPT_QUIET_MS);
    int64_t soon_us = f.side.now_us + 1000;
    jck_link_drop(&f.link);
    assert_int_equal(f.side.closed, 0);
    assert_int_equal(jck_link_look_aside(&f.link, number, soon_us, 0), JCK_KEPT_LISTENS);
    assert_int_equal(jck_link_look_aside(&f.link, number, soon_us, soon_us), JCK_KEPT_QUIET);
    assert_int_equal(look(&f, number, INT64_MAX), JCK_KEPT_QUIET);
    assert_int_equal(f.side.closed, 1);
    (void)open_to_keep(&f, 0); // its time is over
    jck_link_drop(&f.link);
    assert_int_equal(look(&f, number + 1, 0), JCK_KEPT_LOST);
    scripted_link_end(&f);
}

// What a process may still read or work on is waited for, unless it has nothing to do.
static void an_idle_process_is_listened_to_for_the_time_of_an_answer_only(void **state)
{
    (void)state;
    pid_t idle = start_idle();
    const pid_t processes[] = {idle, getpgrp()}; // the other one is this process, which works
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        scripted_link f;
        scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
        uint64_t number = open_to_keep(&f, LATE_MS);
        scripted_link_first(&f)->idle_us = f.side.now_us + INT64_C(1000) * FIRST_LOOK_MS;
        f.side.process = processes[i];
        jck_link_drop(&f.link);
        f.side.now_us += INT64_C(1000) * (FIRST_LOOK_MS - 1);
        assert_int_equal(look(&f, number, 0), JCK_KEPT_LISTENS);
        f.side.now_us += 1000;
        bool works = processes[i] != idle;
        assert_int_equal(look(&f, number, 0), works ? JCK_KEPT_LISTENS : JCK_KEPT_QUIET);
        scripted_link_end(&f);
    }
    end_child(idle);
}

// Such a connection is listened to for less time once the target has turned out to be fast.
static void the_time_of_a_connection_that_was_put_aside_can_be_shortened(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    uint64_t number = open_to_keep(&f, LATE_MS);
    int64_t began_us = f.side.now_us;
    jck_link_drop(&f.link);
    jck_link_hasten(&f.link, number, INT64_C(1000) * (LATE_MS - FIRST_LOOK_MS));
    jck_link_hasten(&f.link, number + 1, INT64_C(1000) * LATE_MS); // there is none
    assert_int_equal(look(&f, number, INT64_MAX), JCK_KEPT_QUIET);
    assert_in_range(scripted_link_ms(&f, began_us), FIRST_LOOK_MS, FIRST_LOOK_MS + 1);
    scripted_link_end(&f);
}

static void a_child_is_not_waited_for_until_others_are_to_leave(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    for (unsigned i = 0; i < JCK_LEAVING_MAX + 2; i++) {
        assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
        jck_link_drop(&f.link);
        assert_int_equal(f.side.closed, i < JCK_LEAVING_MAX ? 0 : i + 1 - JCK_LEAVING_MAX);
    }
    jck_link_drop_aside(&f.link);
    assert_int_equal(f.side.closed, JCK_LEAVING_MAX + 2);
    scripted_link_end(&f);
}

static void waits_are_booked_by_their_kind(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    (void)go_mute(&f, 0);
    const jck_spent *spent = &f.link.spent;
    const int64_t *cases = spent->us[JCK_SPENT_ON_CASES];
    assert_in_range(cases[JCK_SPENT_MUTE], FIRST_LOOK_MS * 1000, FIRST_LOOK_MS * 1000 + 999);
    assert_int_equal(cases[JCK_SPENT_SILENCE], 0);
    (void)jck_spent_turn_to(&f.link.spent, &f.side.clock, JCK_SPENT_ON_SEARCHING);
    f.side.now_us += 7000;
    (void)jck_spent_begin(&f.link.spent, &f.side.clock, JCK_SPENT_OTHERS);
    f.side.now_us += 5000;
    (void)jck_spent_begin(&f.link.spent, &f.side.clock, JCK_SPENT_WORK);
    jck_spent sum = {0};
    jck_spent_add(&sum, spent);
    jck_spent_add(&sum, spent);
    assert_int_equal(sum.us[JCK_SPENT_ON_SEARCHING][JCK_SPENT_WORK], 14000);
    assert_int_equal(sum.us[JCK_SPENT_ON_SEARCHING][JCK_SPENT_OTHERS], 10000);
    assert_string_equal(jck_spent_kind_name(JCK_SPENT_OTHERS), "others");
    assert_string_equal(jck_spent_on_name(JCK_SPENT_ON_SEARCHING), "searching");
    scripted_link_end(&f);
}

typedef struct listening {
    jrpc_peer *peer;
    jrpc_clock *clock;
    int64_t took_us;
} listening;

// Listens in vain, for three seconds of its own time.
static void *listen_beside(void *context)
{
    listening *beside = context;
    jrpc_received received;
    int64_t began_us = jrpc_clock_now_us(beside->clock);
    (void)jrpc_peer_receive(beside->peer, began_us + 3000000, &received, NULL);
    beside->took_us = jrpc_clock_now_us(beside->clock) - began_us;
    return NULL;
}

static void who_waits_moves_no_time_but_its_own(void **state)
{
    (void)state;
    scripted_link f;
    scripted_link_begin(&f, JRPC_TRANSPORT_TCP);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    listening beside = {.peer = scripted_link_first(&f)->peer, .clock = &f.side.clock};
    int64_t began_us = jrpc_clock_now_us(&f.side.clock);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, listen_beside, &beside), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(beside.took_us, 3000000);
    assert_int_equal(jrpc_clock_now_us(&f.side.clock), began_us);
    scripted_link_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mute_connection_is_listened_to_for_the_full_time),
        cmocka_unit_test(only_the_end_of_a_connection_is_told_from_an_answer),
        cmocka_unit_test(what_finds_no_room_is_lost),
        cmocka_unit_test(a_connection_in_order_is_put_aside_when_it_would_be_closed),
        cmocka_unit_test(an_idle_process_is_listened_to_for_the_time_of_an_answer_only),
        cmocka_unit_test(the_time_of_a_connection_that_was_put_aside_can_be_shortened),
        cmocka_unit_test(a_child_is_not_waited_for_until_others_are_to_leave),
        cmocka_unit_test(waits_are_booked_by_their_kind),
        cmocka_unit_test(who_waits_moves_no_time_but_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
