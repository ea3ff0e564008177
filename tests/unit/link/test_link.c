// The link to a hostile target: what is heard of one that writes without end or too late.
#include "harness/link/hear.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PATIENCE_MS = 20000, GRACE_MS = 100 };

static char program[] = "sh";
static char option[] = "-c";

typedef struct fixture {
    char *argv[4];
    jck_target target;
    jck_host host;
    jck_link link;
} fixture;

// Opens connection 'a' without greeting it: what is heard is all that the script writes.
static void open_script(fixture *f, char *script)
{
    *f = (fixture){.argv = {program, option, script, NULL}};
    f->target = (jck_target){.transport = JRPC_TRANSPORT_STDIO, .command = f->argv};
    const jck_timing timing = {.start_ms = PATIENCE_MS,
                               .reply_ms = PATIENCE_MS,
                               .patience_ms = GRACE_MS,
                               .quiet_ms = GRACE_MS,
                               .grace_ms = GRACE_MS};
    assert_true(jck_host_init(&f->host, &f->target, jrpc_clock_monotonic(), GRACE_MS, -1));
    jck_link_init(&f->link, &f->target, &timing, jrpc_clock_monotonic(), -1, 1, &f->host);
    jck_connection *open = jck_link_connection(&f->link, 'a');
    jrpc_peer *peer = jrpc_peer_open(
        &f->link.endpoint, jrpc_deadline_in_ms(jrpc_clock_monotonic(), PATIENCE_MS), NULL);
    assert_non_null(peer);
    jck_connection_begin(open, peer, 1);
}

static jck_heard hear(fixture *f, int64_t within_ms)
{
    return jck_link_hear(&f->link, 'a', jrpc_deadline_in_ms(jrpc_clock_monotonic(), within_ms),
                         NULL);
}

static void more_messages_than_a_case_can_cause_are_a_flood(void **state)
{
    (void)state;
    fixture f;
    char script[] = "exec yes '{}'";
    open_script(&f, script);
    for (unsigned i = 0; i < JCK_FLOOD_MESSAGES; i++) {
        assert_int_equal(hear(&f, PATIENCE_MS).kind, JCK_HEARD_MESSAGE);
    }
    assert_int_equal(hear(&f, PATIENCE_MS).kind, JCK_HEARD_FLOOD);
    jck_link_hear_anew(&f.link); // the next case counts from the beginning
    assert_int_equal(hear(&f, PATIENCE_MS).kind, JCK_HEARD_MESSAGE);
    jck_link_done(&f.link);
    jck_host_done(&f.host);
}

static void a_line_without_end_is_a_flood(void **state)
{
    (void)state;
    fixture f;
    char script[] = "yes x | tr -d '\\n'";
    open_script(&f, script);
    jck_heard_kind kind = JCK_HEARD_NOISE;
    size_t heard = 0;
    while (kind == JCK_HEARD_NOISE) {
        jck_heard one = hear(&f, PATIENCE_MS);
        kind = one.kind;
        heard += one.received.true_len;
    }
    assert_int_equal(kind, JCK_HEARD_FLOOD);
    assert_true(heard <= JCK_FLOOD_BYTES);
    jck_link_done(&f.link);
    jck_host_done(&f.host);
}

static void requests_without_end_from_a_target_that_reads_nothing_are_a_flood(void **state)
{
    (void)state;
    fixture f;
    char script[] = "exec yes '{\"jsonrpc\":\"2.0\",\"method\":\"more\",\"id\":1}'";
    open_script(&f, script);
    jck_heard_kind kind = JCK_HEARD_REQUEST;
    size_t answered = 0;
    for (unsigned i = 0; kind == JCK_HEARD_REQUEST; i++) {
        assert_true(i <= JCK_FLOOD_MESSAGES);
        jck_heard one = hear(&f, PATIENCE_MS);
        kind = one.kind;
        answered += kind == JCK_HEARD_REQUEST && one.reply.len > 0;
    }
    assert_in_range(answered, 1, JCK_FLOOD_MESSAGES - 1); // what is not sent is not said to be
    assert_int_equal(kind, JCK_HEARD_FLOOD);
    assert_true(jck_link_connection(&f.link, 'a')->replies_left > 0);
    jck_link_done(&f.link);
    jck_host_done(&f.host);
}

static void what_still_comes_behind_the_deadline_is_not_listened_to(void **state)
{
    (void)state;
    fixture f;
    char script[] = "exec yes \"[\\\"$(printf '%1000d' 0)\\\"]\"";
    open_script(&f, script);
    assert_int_equal(hear(&f, PATIENCE_MS).kind, JCK_HEARD_MESSAGE);
    int64_t passed = jrpc_clock_now_us(jrpc_clock_monotonic());
    jck_heard_kind kind = JCK_HEARD_MESSAGE;
    for (unsigned i = 0; kind == JCK_HEARD_MESSAGE; i++) {
        assert_true(i < JCK_FLOOD_MESSAGES);
        kind = jck_link_hear(&f.link, 'a', passed, NULL).kind;
    }
    assert_int_equal(kind, JCK_HEARD_TIMEOUT);
    assert_int_equal(jck_link_hear(&f.link, 'a', passed, NULL).kind, JCK_HEARD_TIMEOUT);
    jck_link_done(&f.link);
    jck_host_done(&f.host);
}

static void a_message_of_nothing_but_brackets_is_taken_and_not_looked_into(void **state)
{
    (void)state;
    fixture f;
    char script[] = "printf '['; yes '[],' | head -n 3000000 | tr -d '\\n'; echo '[]]'; read line";
    open_script(&f, script);
    jck_heard heard = hear(&f, PATIENCE_MS);
    assert_int_equal(heard.kind, JCK_HEARD_MESSAGE);
    assert_false(jrpc_json_exists(heard.value));
    assert_false(heard.broken); // that much is not known
    assert_true(heard.received.bytes.len > 9000000);
    jck_link_done(&f.link);
    jck_host_done(&f.host);
}

static void text_that_is_no_json_is_known_to_be_broken(void **state)
{
    (void)state;
    fixture f;
    char script[] = "echo '{\"a\":'; read line";
    open_script(&f, script);
    jck_heard heard = hear(&f, PATIENCE_MS);
    assert_int_equal(heard.kind, JCK_HEARD_MESSAGE);
    assert_true(heard.broken);
    jck_link_done(&f.link);
    jck_host_done(&f.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_messages_than_a_case_can_cause_are_a_flood),
        cmocka_unit_test(a_line_without_end_is_a_flood),
        cmocka_unit_test(requests_without_end_from_a_target_that_reads_nothing_are_a_flood),
        cmocka_unit_test(what_still_comes_behind_the_deadline_is_not_listened_to),
        cmocka_unit_test(a_message_of_nothing_but_brackets_is_taken_and_not_looked_into),
        cmocka_unit_test(text_that_is_no_json_is_known_to_be_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
