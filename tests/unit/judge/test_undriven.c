// Clients that run by themselves: what they write, and what they do under another kind of answer.
#include "tests/unit/judge/client_bench.h"

#define EXITS(status)                                                                              \
    {                                                                                              \
        JRPC_END_EXITED, status                                                                    \
    }
#define KILLED                                                                                     \
    {                                                                                              \
        JRPC_END_SIGNALED, 11                                                                      \
    }
#define ASKS(step) AT(1, step, REQUEST("1", "a", "[1]"))
#define IS_ANSWERED(step) AT(2, step, ANSWER("1", "1"))
#define CALLS(step) ASKS(step), IS_ANSWERED(step)
#define PRINTS(step, text) AT(3, step, "< " text)

static const row requests[] = {
    {"a call, and an end",
     "undriven/requests",
     {CALLS(0)},
     "pass calls=1 ends=with status 0",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0)}},
    {"an end by a signal",
     "undriven/requests",
     {CALLS(0)},
     "pass calls=1 ends=by signal 11",
     CLIENT_GOES_ON,
     .ends = {KILLED}},
    {"no end of its own",
     "undriven/requests",
     {CALLS(0)},
     "pass calls=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"an id twice at once",
     "undriven/requests",
     {ASKS(0), ASKS(0)},
     "warn CL-5 calls=2 ends=not by itself",
     CLIENT_GOES_ON},
    {"an id again after its answer",
     "undriven/requests",
     {CALLS(0), ASKS(0)},
     "pass calls=2 ends=not by itself",
     CLIENT_GOES_ON},
    {"an id again after the answer to another call",
     "undriven/requests",
     {ASKS(0), {2, 0, ANSWER("2", "1")}, ASKS(0)},
     "warn CL-5 calls=2 ends=not by itself",
     CLIENT_GOES_ON},
    {"an id on two connections",
     "undriven/requests",
     {ASKS(0), {1, 0, "?b" ASK("1", "a", "[1]")}, {2, 0, "!b" GIVE("1", "1")}, ASKS(0)},
     "warn CL-5 calls=3 ends=not by itself",
     CLIENT_GOES_ON},
    {"an id again in the next run",
     "undriven/requests",
     {ASKS(0), ASKS(1)},
     "pass calls=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"a batch with an id twice",
     "undriven/requests",
     {{1, 0, "? [" ASK("1", "a", "[1]") "," ASK("1", "a", "[1]") "]"}},
     "warn CL-5 calls=2 batches=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"a batch that is answered, and its ids again",
     "undriven/requests",
     {{1, 0, "? [" ASK("1", "a", "[1]") "," ASK("2", "a", "[1]") "]"},
      {2, 0, "! [" GIVE("2", "1") "," GIVE("1", "1") "]"},
      ASKS(0),
      {1, 0, REQUEST("2", "a", "[1]")}},
     "pass calls=4 batches=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"a notification",
     "undriven/requests",
     {{1, 0, "? " SAY("\"method\":\"n\"")}},
     "pass notifications=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"notifications and calls of the second run are not counted",
     "undriven/requests",
     {ASKS(0), {1, 1, "? " SAY("\"method\":\"n\"")}, ASKS(1)},
     "pass calls=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"bytes that are no message",
     "undriven/requests",
     {{1, 0, "% x"}},
     "warn CL-10 ends=not by itself",
     CLIENT_GOES_ON},
    {"what it prints",
     "undriven/requests",
     {ASKS(0), {1, 0, "< hello"}},
     "pass calls=1 ends=not by itself",
     CLIENT_GOES_ON},
    {"an answer of its own",
     "undriven/requests",
     {{1, 0, "? " GIVE("7", "1")}},
     "warn CL-17 ends=not by itself",
     CLIENT_GOES_ON},
    {"a Request without a method",
     "undriven/requests",
     {{1, 0, "? " SAY("\"id\":1")}},
     "fail CL-2 ends=not by itself",
     CLIENT_GOES_ON},
};

static const row others[] = {
    {"the same in each run",
     "undriven/answer-twice",
     {CALLS(0), PRINTS(0, "1"), CALLS(1), PRINTS(1, "1"), CALLS(2), PRINTS(2, "1")},
     "pass",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"another line",
     "undriven/answer-twice",
     {CALLS(0), PRINTS(0, "1"), CALLS(1), PRINTS(1, "2"), CALLS(2), PRINTS(2, "1")},
     "warn CLR-7",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"another line, and again another without a reason",
     "undriven/answer-twice",
     {CALLS(0), PRINTS(0, "1"), CALLS(1), PRINTS(1, "2"), CALLS(2), PRINTS(2, "3")},
     "pass repeatable=no",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"another line, and no third run",
     "undriven/answer-twice",
     {CALLS(0), PRINTS(0, "1"), CALLS(1), PRINTS(1, "2")},
     "warn CLR-7",
     CLIENT_NOT_RUN,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"another call",
     "undriven/answer-twice",
     {CALLS(0), CALLS(1), {4, 1, REQUEST("2", "b", "[1]")}, CALLS(2)},
     "warn CLR-7",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"the call is lost",
     "undriven/answer-twice",
     {CALLS(0), CALLS(2)},
     "warn CLR-7",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"a batch in its place, of the same calls",
     "undriven/answer-twice",
     {CALLS(0), {1, 1, "? [" ASK("9", "a", "[1]") "]"}, CALLS(2)},
     "pass",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"another status",
     "undriven/answer-twice",
     {CALLS(0), CALLS(1), CALLS(2)},
     "warn CLR-7",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(1), EXITS(0)}},
    {"it does not end any more",
     "undriven/answer-twice",
     {CALLS(0), CALLS(1), CALLS(2)},
     "warn CLR-7",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), {JRPC_END_OPEN, 0}, EXITS(0)}},
    {"it ended by a signal in the first run, and does not any more",
     "undriven/answer-twice",
     {CALLS(0), CALLS(1), CALLS(2)},
     "warn CLR-7",
     CLIENT_GOES_ON,
     .ends = {KILLED, EXITS(0), KILLED}},
    {"a crash is reported as such",
     "undriven/answer-twice",
     {CALLS(0), PRINTS(0, "1"), CALLS(1), CALLS(2)},
     "pass",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), KILLED, EXITS(0)}},
    {"text that is not JSON shows nothing",
     "undriven/answer-twice",
     {CALLS(0), CALLS(1), {4, 1, "? {"}, CALLS(2)},
     "pass",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(0), EXITS(0)}},
    {"the client comes to an end",
     "undriven/error-with-id-null",
     {CALLS(0), CALLS(1)},
     "pass",
     CLIENT_GOES_ON,
     .ends = {EXITS(0), EXITS(1)}},
    {"the client comes to no end",
     "undriven/error-with-id-null",
     {CALLS(0), CALLS(1)},
     "warn CLR-4",
     CLIENT_GOES_ON,
     .ends = {EXITS(0)}},
    {"the run was not reached",
     "undriven/error-with-id-null",
     {CALLS(0)},
     "pass",
     CLIENT_NOT_RUN,
     .ends = {EXITS(0)}},
};

static void what_it_writes(void **state)
{
    (void)state;
    JUDGE_ALL(requests);
}

static void what_it_does_otherwise(void **state)
{
    (void)state;
    JUDGE_ALL(others);
}

static void memory_that_runs_out_gives_an_error_or_the_right_verdict(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        judge_starved(&requests[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        judge_starved(&others[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_writes),
        cmocka_unit_test(what_it_does_otherwise),
        cmocka_unit_test(memory_that_runs_out_gives_an_error_or_the_right_verdict),
    };
    return cmocka_run_group_tests(tests, load_suite, free_suite);
}
