// A target that is a process of ours: whether it is still at work on what it was sent.
#include "tests/unit/link/child_group.h"
#include "tests/unit/link/scripted_link.h"

enum { HURRIED_MS = 400, LONG_BYTES = 200000 };

static void say_nothing(scripted *c, const char *text, bool is_fence)
{
    (void)c;
    (void)text;
    (void)is_fence;
}

// How long a first look waits for the answer to a long message that does not come, and for how long
// the connection is listened to afterwards.
static int64_t wait_in_vain(scripted_link *f, int64_t process, int64_t *ret_kept_ms)
{
    static char text[LONG_BYTES + 1];
    static const jrpc_manner as_usual = {.chunked = false};
    memset(text, '[', LONG_BYTES);
    scripted_link_begin(f, JRPC_TRANSPORT_STDIO);
    assert_int_equal(scripted_link_open(f), JCK_LINK_OK);
    f->side.process = process;
    f->side.on_message = say_nothing;
    f->link.timing.listen_ms = f->link.timing.reply_ms;
    f->link.timing.reply_ms = HURRIED_MS;
    assert_int_equal(jck_link_send(&f->link, 'a', jrpc_slice_str(text), &as_usual, &f->error),
                     JRPC_PEER_MESSAGE);
    int64_t began_us = f->side.now_us;
    scripted_notes n = {0};
    size_t missing = 1;
    assert_int_equal(scripted_link_prove(f, &n, &missing), JCK_SYNC_MUTE);
    *ret_kept_ms = (scripted_link_first(f)->keep_us - began_us) / 1000;
    return scripted_link_ms(f, began_us);
}

static void an_idle_target_is_not_waited_for_as_if_it_were_reading(void **state)
{
    (void)state;
    scripted_link f;
    int64_t kept_ms = 0;
    pid_t idle = start_idle();
    int64_t waited_ms = wait_in_vain(&f, idle, &kept_ms);
    assert_in_range(waited_ms, HURRIED_MS, 2 * HURRIED_MS);
    assert_in_range(kept_ms, SCRIPT_REPLY_MS, SCRIPT_REPLY_MS + waited_ms);
    scripted_link_end(&f);
    // One that is seen to take its time without working may do so again.
    scripted_link_begin(&f, JRPC_TRANSPORT_STDIO);
    f.side.process = idle;
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    assert_true(jck_link_has_nothing_to_do(&f.link));
    for (size_t i = 0; i < 3; i++) {
        jck_learn_work(&f.link.learned, 1, 100000);
    }
    assert_false(jck_link_has_nothing_to_do(&f.link));
    scripted_link_end(&f);
    end_child(idle);
}

static void a_target_that_works_or_is_unknown_is_given_the_time_for_reading(void **state)
{
    (void)state;
    const int64_t processes[] = {0, getpgrp()}; // none is known; this one
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        scripted_link f;
        int64_t kept_ms = 0;
        int64_t waited_ms = wait_in_vain(&f, processes[i], &kept_ms);
        int64_t reading_ms = jck_reading_most_us(LONG_BYTES) / 1000;
        assert_true(waited_ms >= HURRIED_MS + reading_ms);
        assert_true(kept_ms >= SCRIPT_REPLY_MS + reading_ms);
        scripted_link_end(&f);
    }
}

// How long a first look waits for an answer that does not come, if an idle process has IDLE_MS for
// it.
enum { IDLE_MS = 50 };

static int64_t wait_for_short(jrpc_transport transport, int64_t process, size_t *ret_sent)
{
    static const jrpc_manner as_usual = {.chunked = false};
    scripted_link f;
    scripted_link_begin(&f, transport);
    assert_int_equal(scripted_link_open(&f), JCK_LINK_OK);
    f.side.process = process;
    f.side.on_message = say_nothing;
    f.side.exchanges = false; // the end of the exchange does not come by itself
    scripted_link_peer(&f)->count = 0;
    f.link.timing.listen_ms = f.link.timing.reply_ms;
    f.link.timing.reply_ms = HURRIED_MS;
    f.link.timing.idle_ms = IDLE_MS;
    assert_int_equal(jck_link_send(&f.link, 'a', JRPC_SLICE("{}"), &as_usual, &f.error),
                     JRPC_PEER_MESSAGE);
    scripted_link_peer(&f)->silent = false;
    int64_t began_us = f.side.now_us;
    scripted_notes n = {0};
    size_t missing = 1;
    assert_int_equal(scripted_link_prove(&f, &n, &missing), JCK_SYNC_MUTE);
    // What was waited for already is part of the full time.
    assert_in_range(scripted_link_first(&f)->keep_us - began_us, SCRIPT_REPLY_MS * 1000,
                    (SCRIPT_REPLY_MS + 1) * 1000);
    *ret_sent = n.fences;
    int64_t waited_ms = scripted_link_ms(&f, began_us);
    scripted_link_end(&f);
    return waited_ms;
}

static void an_idle_target_has_little_time_for_its_answer_in_a_first_look(void **state)
{
    (void)state;
    size_t sent = 0;
    pid_t idle = start_idle();
    // Over a stream a second fence goes out first, as the target may have lost one.
    assert_in_range(wait_for_short(JRPC_TRANSPORT_STDIO, idle, &sent), 2 * IDLE_MS, 3 * IDLE_MS);
    assert_int_equal(sent, 2);
    assert_in_range(wait_for_short(JRPC_TRANSPORT_HTTP, idle, &sent), IDLE_MS, 2 * IDLE_MS);
    end_child(idle);
    // This process works.
    assert_true(wait_for_short(JRPC_TRANSPORT_STDIO, getpgrp(), &sent) >= HURRIED_MS);
    assert_true(wait_for_short(JRPC_TRANSPORT_HTTP, getpgrp(), &sent) >= HURRIED_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_target_is_not_waited_for_as_if_it_were_reading),
        cmocka_unit_test(an_idle_target_has_little_time_for_its_answer_in_a_first_look),
        cmocka_unit_test(a_target_that_works_or_is_unknown_is_given_the_time_for_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
