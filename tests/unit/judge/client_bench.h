// A bench for the judge on clients: recorded exchanges of real cases. The verdict is spelled as one
// line that a row can state: the outcome, then each finding as " RULE", then each observation as
// " name=value", without the usual id=Number.
#ifndef TESTS_UNIT_JUDGE_CLIENT_BENCH_H
#define TESTS_UNIT_JUDGE_CLIENT_BENCH_H

#include "harness/judge/client.h"
#include "harness/judge/judge.h"
#include "harness/suite/variables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Rows end where nothing but zeros would follow.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define ARENA_BYTES ((size_t)1 << 24)
enum { LINES_MAX = 16, CALL_MS = 400 };

// A line of a record: when and in which step; "> " a command for the driver, "< " what it reports,
// "? " what the client writes, "! " what it gets; "~ " bytes of the driver and "% " of the client
// that are no message, "# " a fence. A "b" in place of the space: over another connection.
typedef struct line {
    int ms, step;
    const char *text;
    const char *http; // the head of the request
} line;

typedef enum client_end {
    CLIENT_GOES_ON,
    CLIENT_LEFT,    // it closed the connection by itself
    CLIENT_GONE,    // the driver's process ended
    CLIENT_STUCK,   // the driver answers no more
    CLIENT_FLOODS,  // it writes without end
    CLIENT_MUTE,    // the last step ended only after other messages had stopped
    CLIENT_NOT_RUN, // the last step was not reached
} client_end;

typedef struct row {
    const char *name; // a sentence: what holds
    const char *test_case;
    line lines[LINES_MAX];
    const char *verdict;
    client_end end;
    int call_ms; // how long a call takes to time out; 0: CALL_MS, -1: calls do not time out
    jrpc_peer_ending ends[3]; // of a client that runs by itself, in each run
} row;

static jck_suite *suite; // of all tests: loading it takes longer than they do

static inline int load_suite(void **state)
{
    (void)state;
    jrpc_error error = {.code = JRPC_OK};
    suite = jck_suite_load("cases", NULL, NULL, &error);
    return suite == NULL;
}

static inline int free_suite(void **state)
{
    (void)state;
    jck_suite_free(suite);
    return 0;
}

static inline void record(jck_evidence *evidence, const line *heard)
{
    const char *text = heard->text + 2;
    const char mark = heard->text[0];
    bool of_driver = strchr("><~", mark) != NULL;
    bool sent = mark == '>' || mark == '!';
    assert_non_null(strchr("><?!~%#", mark));
    jck_message message = {.direction = sent ? JCK_SENT : JCK_RECEIVED,
                           .role = of_driver ? JCK_MESSAGE_OF_DRIVER : JCK_MESSAGE_OF_CASE,
                           .connection = of_driver               ? '-'
                                         : heard->text[1] == 'b' ? 'b'
                                                                 : 'a',
                           .step = heard->step,
                           .at_us = (int64_t)heard->ms * 1000,
                           .bytes = jrpc_slice_str(text),
                           .true_len = strlen(text)};
    if (mark == '~' || mark == '%') {
        message.role = JCK_MESSAGE_NOISE;
        message.why = "no frame";
    } else if (mark == '#') {
        message.role = JCK_MESSAGE_OF_FENCE;
    }
    if (heard->http != NULL) {
        message.http_headers = jrpc_slice_str(heard->http);
    }
    assert_true(jck_evidence_add(evidence, &message));
}

// Spells a verdict.
static inline const char *spell(const jck_verdict *verdict, jrpc_arena *arena)
{
    const char *text = jck_outcome_name(verdict->outcome);
    for (size_t i = 0; i < verdict->findings.count; i++) {
        jrpc_slice rule = verdict->findings.items[i].rule;
        text = jrpc_arena_printf(arena, "%s %.*s", text, (int)rule.len, rule.ptr);
    }
    for (size_t i = 0; i < verdict->findings.observation_count; i++) {
        const jck_observation *seen = &verdict->findings.observations[i];
        if (jrpc_slice_is(seen->name, "id") && jrpc_slice_is(seen->value, "Number")) {
            continue;
        }
        text = jrpc_arena_printf(arena, "%s %.*s=%.*s", text, (int)seen->name.len, seen->name.ptr,
                                 (int)seen->value.len, seen->value.ptr);
    }
    return text;
}

static inline void end_with(jck_evidence *evidence, client_end end)
{
    const size_t last = evidence->step_count - 1;
    evidence->caller_left = end == CLIENT_LEFT;
    evidence->process_gone = end == CLIENT_GONE;
    evidence->muteness = end == CLIENT_STUCK ? JCK_STUCK : JCK_NOT_MUTE;
    evidence->flood_messages = end == CLIENT_FLOODS ? 1000 : 0;
    evidence->settled[last] = end == CLIENT_MUTE      ? JCK_MUTE
                              : end == CLIENT_NOT_RUN ? JCK_NOT_RUN
                                                      : JCK_SETTLED;
}

// The verdict of a row with `arena`, spelled in `spelling`.
static inline const char *verdict_of(const row *wanted, jrpc_arena *arena, jrpc_arena *spelling)
{
    jrpc_arena own;
    jck_evidence evidence;
    jck_variables variables;
    jck_verdict verdict;
    jrpc_arena_init(&own, jrpc_allocator_heap(), ARENA_BYTES);
    const jck_case *test_case = jck_suite_find_case(suite, jrpc_slice_str(wanted->test_case));
    if (test_case == NULL) {
        fail_msg("there is no case %s", wanted->test_case);
    }
    assert_true(jck_evidence_init(&evidence, &own, test_case->step_count));
    jck_variables_init(&variables, &own, NULL, 1, 1);
    evidence.call_us = wanted->call_ms < 0    ? 0
                       : wanted->call_ms == 0 ? (int64_t)CALL_MS * 1000
                                              : (int64_t)wanted->call_ms * 1000;
    for (size_t i = 0; i < test_case->step_count; i++) {
        evidence.settled[i] = JCK_SETTLED;
        evidence.ends[i] = wanted->ends[i < 3 ? i : 0];
    }
    end_with(&evidence, wanted->end);
    for (size_t i = 0; i < LINES_MAX && wanted->lines[i].text != NULL; i++) {
        record(&evidence, &wanted->lines[i]);
    }
    jck_judge(suite, test_case, &variables, &evidence, NULL, arena, &verdict);
    const char *spelled = spell(&verdict, spelling);
    jrpc_arena_done(&own);
    return spelled;
}

static inline bool judge(const row *wanted)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    const char *got = verdict_of(wanted, &arena, &arena);
    bool same = strcmp(got, wanted->verdict) == 0;
    if (!same) {
        print_error("%s:\n  expected %s\n  got      %s\n", wanted->name, wanted->verdict, got);
    }
    jrpc_arena_done(&arena);
    return same;
}

// Judges a row with an arena of every small size: the verdict is an error, or the right one.
static inline void judge_starved(const row *wanted)
{
    enum { ENOUGH = 20 }; // rounds without an error show that there is room for all
    size_t in_a_row = 0;
    for (size_t room = 0; in_a_row < ENOUGH; room += 16) {
        jrpc_arena arena;
        jrpc_arena spelling;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), room);
        jrpc_arena_init(&spelling, jrpc_allocator_heap(), ARENA_BYTES);
        const char *got = verdict_of(wanted, &arena, &spelling);
        bool error = strncmp(got, "error", 5) == 0;
        if (!error && strcmp(got, wanted->verdict) != 0) {
            fail_msg("%s, %zu bytes: %s", wanted->name, room, got);
        }
        in_a_row = error ? 0 : in_a_row + 1;
        jrpc_arena_done(&spelling);
        jrpc_arena_done(&arena);
    }
}

static inline void judge_all(const row *rows, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        wrong += !judge(&rows[i]);
    }
    assert_int_equal(wrong, 0);
}

#define JUDGE_ALL(rows) judge_all(rows, sizeof(rows) / sizeof *(rows))

// Texts of messages.
#define SAY(members) "{\"jsonrpc\":\"2.0\"," members "}"
#define ASK(id, method, params) SAY("\"method\":\"" method "\",\"params\":" params ",\"id\":" id)
#define GIVE(id, result) SAY("\"result\":" result ",\"id\":" id)
#define FAIL(id) SAY("\"error\":{\"code\":7,\"message\":\"m\"},\"id\":" id)

// Texts of lines.
#define COMMAND(tag, method) "> {\"do\":\"call\",\"tag\":" tag ",\"method\":\"" method "\"}"
#define BATCH_OF "> {\"do\":\"batch\",\"tag\":1}"
#define REQUEST(id, method, params) "? " ASK(id, method, params)
#define ANSWER(id, result) "! " GIVE(id, result)
#define REPORT(tag, members) "< {\"tag\":" tag "," members "}"
#define RESULT(tag, result) REPORT(tag, "\"result\":" result)
#define FAILED(tag) REPORT(tag, "\"failed\":\"time-out\"")
#define SUBTRACT COMMAND("1", "subtract")

// A line, for use in other macros.
#define AT(ms, step, text)                                                                         \
    {                                                                                              \
        ms, step, text                                                                             \
    }

// One call: the command, the Request, its answer, and what the driver reports.
#define EXCHANGE(command, request, answer, report)                                                 \
    {                                                                                              \
        AT(0, 0, command), AT(1, 1, request), AT(2, 2, answer), AT(3, 3, report)                   \
    }

// A call of `take` whose Request has these params; it works whatever they are.
#define TAKE(params)                                                                               \
    EXCHANGE(COMMAND("1", "take"), REQUEST("7", "take", params), ANSWER("7", "\"taken\""),         \
             RESULT("1", "\"taken\""))

// The first two of several calls; each Request comes at once.
#define CALL_ONE AT(0, 0, COMMAND("1", "one")), AT(1, 1, REQUEST("1", "one", "[1]"))
#define CALL_TWO(id) AT(2, 2, COMMAND("2", "two")), AT(3, 3, REQUEST(id, "two", "[2]"))

// Three calls under way at once, the last two with these ids; all are answered in their order.
#define THREE_AT_ONCE(second_id, third_id, first_report, second_report)                            \
    {                                                                                              \
        CALL_ONE, CALL_TWO(second_id), AT(4, 4, COMMAND("3", "three")),                            \
            AT(5, 5, REQUEST(third_id, "three", "[3]")), AT(6, 6, ANSWER("1", "\"first\"")),       \
            AT(7, 7, ANSWER(second_id, "\"second\"")), AT(8, 8, ANSWER(third_id, "\"third\"")),    \
            AT(9, 9, first_report), AT(9, 10, second_report), AT(9, 11, RESULT("3", "\"third\""))  \
    }

#endif
