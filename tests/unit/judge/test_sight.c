// What shows of a client that runs by itself, and what counts as a difference.
#include "harness/judge/sight.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { EXITS = JRPC_END_EXITED, RUNS_ON = JRPC_END_OPEN };

// One run: what it sent, what it printed, separated by '|', and how it ended.
typedef struct shown {
    const char *sent, *printed;
    int end, status;
} shown;

static const struct {
    const char *name;
    shown first, other;
    jck_sameness same;
    const char *difference; // a part of it; NULL: none
} rows[] = {
    {"nothing differs",
     {"{\"method\":\"a\",\"id\":1}", "1", EXITS, 0},
     {"{\"method\":\"a\",\"id\":1}", "1", EXITS, 0},
     JCK_SAME_EVERYTHING,
     NULL},
    {"ids and spelling are not compared",
     {"{\"method\":\"a\",\"params\":[1],\"id\":1}", "", EXITS, 0},
     {"{ \"id\": \"x\", \"params\": [ 1 ], \"method\": \"a\" }", "", EXITS, 0},
     JCK_SAME_EVERYTHING,
     NULL},
    {"the order of requests and lines is not compared",
     {"{\"method\":\"a\",\"id\":1}|{\"method\":\"b\",\"id\":2}", "x|y", EXITS, 0},
     {"[{\"method\":\"b\",\"id\":1},{\"method\":\"a\",\"id\":2}]", "y|x", EXITS, 0},
     JCK_SAME_EVERYTHING,
     NULL},
    {"a call that became a notification",
     {"{\"method\":\"a\",\"id\":1}", "", EXITS, 0},
     {"{\"method\":\"a\"}", "", EXITS, 0},
     JCK_SAME_EVERYTHING,
     "sent (notification) \"a\" instead of \"a\""},
    {"a line instead of another",
     {"", "19", EXITS, 0},
     {"", "of nobody", EXITS, 0},
     JCK_SAME_EVERYTHING,
     "printed of nobody instead of 19"},
    {"a line twice",
     {"", "a", EXITS, 0},
     {"", "a|a", EXITS, 0},
     JCK_SAME_EVERYTHING,
     "also printed a"},
    {"more is enough", {"", "a", EXITS, 0}, {"", "a|news", EXITS, 0}, JCK_SAME_AT_LEAST, NULL},
    {"less is not", {"", "a|b", EXITS, 0}, {"", "a|news", EXITS, 0}, JCK_SAME_AT_LEAST, "b"},
    {"another status",
     {"", "", EXITS, 0},
     {"", "", EXITS, 1},
     JCK_SAME_EVERYTHING,
     "ended with status 1, where it otherwise ended with status 0"},
    {"another status, where only the end counts",
     {"", "a", EXITS, 0},
     {"", "", EXITS, 1},
     JCK_SAME_ENDING,
     NULL},
    {"no end any more", {"", "", EXITS, 0}, {"", "", RUNS_ON, 0}, JCK_SAME_ENDING, "did not end"},
    {"no end as before", {"", "", RUNS_ON, 0}, {"", "", RUNS_ON, 0}, JCK_SAME_ENDING, NULL},
    {"how often, where it runs on",
     {"", "tick|tick|tick", RUNS_ON, 0},
     {"", "tick", RUNS_ON, 0},
     JCK_SAME_EVERYTHING,
     NULL},
};

static void add(jck_evidence *evidence, int step, jck_role_of_message role, const char *texts)
{
    while (*texts != '\0') {
        size_t len = strcspn(texts, "|");
        const jck_message message = {.direction = JCK_RECEIVED,
                                     .role = role,
                                     .connection = 'a',
                                     .step = step,
                                     .bytes = jrpc_slice_of(texts, len)};
        assert_true(jck_evidence_add(evidence, &message));
        texts += len + (texts[len] == '|');
    }
}

static void add_run(jck_evidence *evidence, int step, const shown *run)
{
    add(evidence, step, JCK_MESSAGE_OF_CASE, run->sent);
    add(evidence, step, JCK_MESSAGE_OF_DRIVER, run->printed);
    evidence->ends[step] = (jrpc_peer_ending){(jrpc_end_kind)run->end, run->status};
}

static void what_differs_is_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_arena arena;
        jck_evidence evidence;
        jck_sight first;
        jck_sight other;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 20);
        assert_true(jck_evidence_init(&evidence, &arena, 2));
        add_run(&evidence, 0, &rows[i].first);
        add_run(&evidence, 1, &rows[i].other);
        assert_true(jck_sight_of(&evidence, 0, &arena, &first));
        assert_true(jck_sight_of(&evidence, 1, &arena, &other));
        const char *difference = jck_sight_difference(&first, &other, rows[i].same, &arena);
        if ((difference == NULL) != (rows[i].difference == NULL) ||
            (difference != NULL && strstr(difference, rows[i].difference) == NULL)) {
            fail_msg("%s: %s", rows[i].name, difference == NULL ? "nothing" : difference);
        }
        jrpc_arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_differs_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
