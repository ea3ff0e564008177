// Steps that wait for messages: how many times, in which order, and what nobody asked for.
#include "tests/unit/judge/bench_starve.h"

#define PUSH(method) "{\"jsonrpc\":\"2.0\",\"method\":\"" method "\"}"
#define WAIT(patterns) STEP(patterns, "")
#define EXACT(patterns) STEP(patterns, ",\"order\":\"exact\"")
#define STEP(patterns, more)                                                                       \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL "},{\"receive\":[" patterns "]" more "}]"
#define ANSWERED "{\"id\":7,\"error\":{\"code\":-32601}}"
#define YIELD(times) "{\"method\":\"y\",\"$times\":" times "}"
#define NO_ID "{\"jsonrpc\":\"2.0\"," OK_ERROR "}"
#define IN_FLIGHT(rule, params)                                                                    \
    "\"rules\":[\"" rule "\"],\"steps\":[{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\""  \
    "," params "\"id\":7}},{\"send\":{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}},"                \
    "{\"receive\":[" ANSWERED ",{\"id\":{\"$in\":[8,null]},\"error\":{},\"$times\":[0,1]}]}]"
#define NOTHING_MORE                                                                               \
    {                                                                                              \
        0                                                                                          \
    }

static void every_pattern_is_met_as_often_as_it_says(void **state)
{
    static const row rows[] = {
        {"one is the default", WAIT(ANSWERED), {ANSWER}, "pass"},
        {"none is too few", WAIT(ANSWERED), NOTHING_MORE, "fail* X-must/M@1"},
        {"a second Response is one that nothing asked for",
         WAIT(ANSWERED),
         {ANSWER, "@1 " ANSWER},
         "fail* X-must/M@1"},
        {"in a case about silence, a second answer to one call is one too many",
         IN_FLIGHT("J2-4.1c", ""),
         {ERROR_ANSWER("-32601", "7"), ERROR_ANSWER("-32601", "7")},
         "fail* J2-5a/M@2"},
        {"a Response that nothing asked for",
         WAIT(ANSWERED),
         {ANSWER, "@1 " ERROR_ANSWER("-32601", "9")},
         "fail* X-must/M@1"},
        {"a push of the server's own is allowed beside it",
         WAIT(ANSWERED),
         {PUSH("log"), "@1 " ANSWER},
         "pass"},
        {"exactly two",
         WAIT(ANSWERED "," YIELD("2")),
         {ANSWER, PUSH("y"), "@1 " PUSH("y")},
         "pass"},
        {"one where two are asked for",
         WAIT(ANSWERED "," YIELD("2")),
         {ANSWER, PUSH("y")},
         "fail* X-must/M@1"},
        {"a push beyond the most is one too many",
         WAIT(ANSWERED "," YIELD("1")),
         {ANSWER, PUSH("y"), PUSH("y")},
         "fail* X-must/M@1"},
        {"a push that must not come",
         WAIT(ANSWERED "," YIELD("0")),
         {ANSWER, PUSH("y")},
         "fail* X-must/M@1"},
        {"one that is missing, held against the rule that its pattern names",
         WAIT(ANSWERED ",{\"method\":\"y\",\"$rule\":\"X-should\"}"),
         {ANSWER},
         "warn X-should/S@1"},
        {"the rule of a pattern is not a member of the message",
         WAIT(ANSWERED ",{\"method\":\"y\",\"$rule\":\"X-should\"}"),
         {ANSWER, PUSH("y")},
         "pass"},
        {"none of any number", WAIT(ANSWERED "," YIELD("[0,\"*\"]")), {ANSWER}, "pass"},
        {"three of any number",
         WAIT(ANSWERED "," YIELD("[0,\"*\"]")),
         {ANSWER, PUSH("y"), PUSH("y"), PUSH("y")},
         "pass"},
        {"fewer than the least",
         WAIT(ANSWERED "," YIELD("[2,3]")),
         {ANSWER, PUSH("y")},
         "fail* X-must/M@1"},
        {"an error that is not an Object stands for the one that may come",
         WAIT(ANSWERED ",{\"id\":{\"$in\":[8,null]},\"error\":{},\"$times\":[0,1]}"),
         {ANSWER, "{\"jsonrpc\":\"2.0\",\"error\":\"no\",\"id\":8}"},
         "fail* J2-5k/M@1"},
        {"what a crash prevents is not missing besides", WAIT(ANSWERED), NOTHING_MORE,
         "crash* SEC-l/M@1", .end = END_EXITED},
        {"a reply beyond the most is one that nothing asked for",
         WAIT("{\"id\":7,\"$times\":[1,2]}"),
         {ANSWER, ANSWER, ANSWER},
         "fail* X-must/M@1"},
        {"each message counts for one pattern only",
         WAIT("{\"id\":7},{\"id\":7}"),
         {ANSWER},
         "fail* X-must/M@1"},
        {"patterns that are met by two messages",
         WAIT("{\"id\":7},{\"id\":7}"),
         {ANSWER, ANSWER},
         "pass"},
        {"a pattern asks for the members that it names only",
         WAIT("{\"error\":{\"code\":-32601}}"),
         {ANSWER},
         "pass"},
        {"another value is no match", WAIT("{\"id\":8}"), {ANSWER}, "fail* X-must/M@1"},
        {"a Response without an id takes no pattern's own answer away",
         WAIT("{\"id\":7,\"error\":{}},{\"id\":8,\"error\":{}},"
              "{\"id\":null,\"error\":{},\"$times\":[0,1]}"),
         {ERROR_ANSWER("-32601", "7"), NO_ID, ERROR_ANSWER("-32601", "8")},
         "fail* J2-5f/M@1"},
        {"a Response without an id stands for the one that may come with id null",
         WAIT("{\"id\":7,\"error\":{}},{\"id\":null,\"error\":{},\"$times\":[0,1]}"),
         {NO_ID, ERROR_ANSWER("-32601", "7")},
         "fail* J2-5f/M@1"},
        {"Responses without an id stand for those that must come first",
         WAIT("{\"id\":7,\"error\":{}},{\"id\":null,\"error\":{},\"$times\":[0,1]},"
              "{\"id\":8,\"error\":{}}"),
         {NO_ID, NO_ID},
         "fail* J2-5f/M@1"},
        {"a Response without an id is the answer where no better one came",
         WAIT("{\"id\":7,\"error\":{}}"),
         {NO_ID},
         "fail* J2-5f/M@1"},
        {"an error without the id of its call is not the one that may come with id null",
         WAIT("{\"id\":7,\"error\":{}},{\"id\":{\"$in\":[8,null]},\"error\":{},\"$times\":[0,1]}"),
         {ERROR_ANSWER("-32601", "null"), ERROR_ANSWER("-32600", "8")},
         "fail* J2-4e/M@1"},
        {"… nor where that one has id null",
         WAIT("{\"id\":7,\"error\":{}},{\"id\":null,\"error\":{},\"$times\":[0,1]}"),
         {ERROR_ANSWER("-32601", "null"), ERROR_ANSWER("-32600", "null")},
         "fail* J2-4e/M@1"},
        {"two ids are lost, and one of the answers is taken for the one that may come with id null",
         WAIT("{\"id\":7,\"error\":{}},{\"id\":8,\"error\":{}},"
              "{\"id\":{\"$in\":[9,null]},\"error\":{},\"$times\":[0,1]}"),
         {ERROR_ANSWER("-32601", "null"), ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M@1"},
        {"a Response to a call in an Array",
         WAIT(ANSWERED),
         {"[" ERROR_ANSWER("-32601", "7") "]"},
         "fail* J2-5a/M@1"},
        {"an unreadable message is told once", WAIT(ANSWERED), {"{]"}, "fail* J2-5j/M@1"},
        {"a push is checked",
         WAIT(ANSWERED),
         {ANSWER, "{\"jsonrpc\":\"2.0\",\"method\":1}"},
         "fail* PUSH-a/M@1"},
        {"messages of another connection are not ours, but tell where the answer went",
         WAIT(ANSWERED),
         {"@b " ANSWER},
         "fail* X-must/M@1 X-must/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void another_answer_in_flight_breaks_the_sentence_about_it(void **state)
{
    static const jck_calibration no_names = {.absent_answers = true,
                                             .named = {.by_error = true, .code = -32602}};
    static const row rows[] = {
        {"the code that the other message is owed: they may be mixed up",
         IN_FLIGHT("CON-a", ""),
         {ERROR_ANSWER("-32600", "7")},
         "fail* CON-a/M@2"},
        {"a code that nothing is owed: it is the wrong one",
         IN_FLIGHT("CON-a", ""),
         {ERROR_ANSWER("-32000", "7")},
         "fail* J2-5.1f/M@2"},
        {"params by name, by a target that is known to refuse them",
         IN_FLIGHT("CON-a", "\"params\":{\"n\":1},"),
         {ERROR_ANSWER("-32602", "7")},
         "blocked",
         .known = &no_names},
        {"a call of a known method that is refused for its params: the rule about those",
         "\"rules\":[\"CON-a\"],\"steps\":[{\"send\":"
         "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":7}},"
         "{\"receive\":[{\"id\":7,\"result\":19}]}]",
         {"@1 " ERROR_ANSWER("-32602", "7")},
         "fail* J2-4.2a/M@1"},
        {"the id of another type",
         IN_FLIGHT("CON-a", ""),
         {ERROR_ANSWER("-32601", "\"7\"")},
         "fail* J2-4e/M@2"},
        {"the same where the id may be null as well",
         WAIT("{\"id\":{\"$in\":[7,null]},\"error\":{}}"),
         {ERROR_ANSWER("-32601", "\"7\"")},
         "fail* J2-4e/M@1"},
        {"no answer to a call, in a case about silence: J2-5a", IN_FLIGHT("J2-4.1c", ""),
         NOTHING_MORE, "fail* J2-5a/M@2"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define TWO_CALLS                                                                                  \
    "\"rules\":[\"CON-a\"],\"steps\":[{\"send\":" CALL "},{\"send\":{\"jsonrpc\":\"2.0\","         \
    "\"method\":\"${absent}\",\"id\":8}},{\"receive\":[" ANSWERED                                  \
    ",{\"id\":8,\"error\":{\"code\":-32601}}]}]"
#define MINUS(id) "{\"jsonrpc\":\"2.0\",\"result\":-19,\"id\":" id "}"
#define TWO_RESULTS                                                                                \
    "\"rules\":[\"CON-a\"],\"steps\":[{\"send\":" CALL "},{\"send\":{\"jsonrpc\":\"2.0\","         \
    "\"method\":\"${absent}\",\"id\":8}},{\"receive\":[{\"id\":7,\"result\":19},"                  \
    "{\"id\":8,\"result\":-19}]}]"
#define TWO_TEXTS                                                                                  \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send-text\":\"{\"},{\"send-text\":\"{\"},"               \
    "{\"receive\":[{\"id\":null,\"error\":{\"code\":-32700},\"$times\":2}]}]"

static void an_answer_under_the_id_of_another_call_has_the_wrong_id(void **state)
{
    static const row rows[] = {
        {"both have the id of the newest: the other answer is not reported as missing",
         TWO_CALLS,
         {ERROR_ANSWER("-32601", "8"), ERROR_ANSWER("-32601", "8")},
         "fail* J2-4e/M@2"},
        {"one result came for both calls: there is no second answer beside the missing one",
         TWO_RESULTS,
         {MINUS("8"), MINUS("8")},
         "fail* CON-a/M@2"},
        {"the other call has its own answer only: this one is missing",
         TWO_CALLS,
         {ERROR_ANSWER("-32601", "8")},
         "fail* CON-a/M@2"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

// A call after a malformed message, whose answer shows only that the message does no harm.
#define CALL_AFTER_TEXT                                                                            \
    "\"rules\":[\"SEC-b\"],\"steps\":[{\"send-text\":\"{\"},{\"send\":" CALL "},"                  \
    "{\"receive\":[{\"id\":7,\"error\":{},\"$rule\":\"SEC-b\"}]}]"

static void a_target_may_close_after_it_has_refused_what_is_malformed(void **state)
{
    static const row rows[] = {
        {"the first text is refused, and the connection closed",
         TWO_TEXTS,
         {ERROR_ANSWER("-32700", "null")},
         "pass connection=closed",
         .end = END_CLOSED},
        {"the connection stands", TWO_TEXTS, {ERROR_ANSWER("-32700", "null")}, "fail* X-must/M@2"},
        {"it is closed without a word",
         TWO_TEXTS,
         {0},
         "fail* X-must/M@2 connection=closed",
         .end = END_CLOSED},
        {"it is closed without a word, where only the harm to the next call is judged",
         CALL_AFTER_TEXT,
         {0},
         "pass connection=closed",
         .end = END_CLOSED},
        {"it is closed at a malformed message that comes after a call",
         IN_FLIGHT("CON-a", ""),
         {0},
         "pass connection=closed",
         .end = END_CLOSED},
        {"the next call is lost, and the connection stands",
         CALL_AFTER_TEXT,
         {0},
         "fail* SEC-b/M@2"},
        {"a valid call is no reason to close",
         TWO_CALLS,
         {ERROR_ANSWER("-32601", "8")},
         "fail* CON-a/M@2 connection=closed",
         .end = END_CLOSED},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void order_counts_where_the_step_says_so(void **state)
{
#define TWO "{\"id\":1},{\"id\":2}"
#define R(id) "{\"jsonrpc\":\"2.0\",\"result\":0,\"id\":" id "}"
    static const row rows[] = {
        {"in order", EXACT(TWO), {R("1"), R("2")}, "pass"},
        {"out of order", EXACT(TWO), {R("2"), R("1")}, "fail* X-must/M@1"},
        {"out of order where any will do", WAIT(TWO), {R("2"), R("1")}, "pass"},
        {"one that may be lacking has no place in the order",
         EXACT("{\"id\":1},{\"id\":3,\"$times\":[0,1]},{\"id\":2}"),
         {R("1"), R("2")},
         "pass"},
        {"out of order around one that is lacking",
         EXACT("{\"id\":1},{\"id\":3,\"$times\":[0,1]},{\"id\":2}"),
         {R("2"), R("1")},
         "fail* X-must/M@1"},
        {"a push behind the reply, as asked",
         EXACT("{\"id\":1}," YIELD("1")),
         {R("1"), PUSH("y")},
         "pass"},
        {"a push before the reply, as asked",
         EXACT(YIELD("1") ",{\"id\":1}"),
         {PUSH("y"), R("1")},
         "pass"},
        {"a push on the wrong side of the reply",
         EXACT("{\"id\":1}," YIELD("1")),
         {PUSH("y"), R("1")},
         "fail* X-must/M@1"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_known_stand_in_for_method_not_found_is_taken_here_too(void **state)
{
    static const jck_calibration as_result = {.absent_answers = true, .absent_gives_result = true};
    static const jck_calibration as_32000 = {
        .absent_answers = true, .absent_code_differs = true, .absent_code = -32000};
    static const row rows[] = {
        {"another code", WAIT(ANSWERED), {ERROR_ANSWER("-32000", "7")}, "pass", .known = &as_32000},
        {"a result",
         WAIT(ANSWERED),
         {"{\"jsonrpc\":\"2.0\",\"result\":0,\"id\":7}"},
         "pass",
         .known = &as_result},
        {"the wrong id stays wrong",
         WAIT(ANSWERED),
         {ERROR_ANSWER("-32000", "8")},
         "fail* J2-4e/M@1",
         .known = &as_32000},
        {"an unknown code stays wrong",
         WAIT(ANSWERED),
         {ERROR_ANSWER("-32001", "7")},
         "fail* X-must/M@1",
         .known = &as_32000},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void answers_go_to_the_step_that_has_to_account_for_them(void **state)
{
#define THEN(first, second)                                                                        \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL first "},{\"send\":" CALL                  \
    ",\"expect\":" second "}]"
    static const row rows[] = {
        {"each step has its own",
         THEN(",\"expect\":" UNKNOWN, UNKNOWN),
         {ANSWER, "@1 " ANSWER},
         "pass"},
        {"both in the first are one too many there, and lack in the second",
         THEN(",\"expect\":" UNKNOWN, UNKNOWN),
         {ANSWER, ANSWER},
         "fail* J2-5a/M X-must/M@1"},
        {"a second finding of one rule in one step is not written down",
         THEN(",\"expect\":" UNKNOWN, UNKNOWN),
         {0},
         "fail* X-must/M X-must/M@1"},
        {"what an unjudged step got is nobody's where the next one sends",
         THEN("", UNKNOWN),
         {ANSWER, "@1 " ANSWER},
         "pass"},
        {"a step that was not reached is not judged",
         THEN(",\"expect\":" UNKNOWN, UNKNOWN),
         {ANSWER},
         "pass",
         .end = END_NOT_RUN},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void an_answer_that_waited_for_the_next_message_was_withheld(void **state)
{
#define OF_16(text) text text text text text text text text text text text text text text text text
#define PAGE OF_16(OF_16("12345678"))
#define LATER(first)                                                                               \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" first ",\"expect\":\"anything\"},"              \
    "{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8},\"expect\":\"anything\"}]"
    static const row rows[] = {
        {"a second of silence, and the answer comes with the next message",
         LATER(CALL),
         {"@1 " ERROR_ANSWER("-32601", "7"), "@1 " ERROR_ANSWER("-32601", "8")},
         "fail* J2-5a/M@1",
         .apart_us = 1000000},
        {"messages that follow each other closely",
         LATER(CALL),
         {"@1 " ERROR_ANSWER("-32601", "7"), "@1 " ERROR_ANSWER("-32601", "8")},
         "pass",
         .apart_us = 900000},
        {"a call that may not have been read before",
         LATER("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7,\"params\":[\"" PAGE "\"]}"),
         {"@1 " ERROR_ANSWER("-32601", "7"), "@1 " ERROR_ANSWER("-32601", "8")},
         "pass",
         .apart_us = 1000000},
        {"after a notification, a message of the server's own",
         LATER(PUSH("log")),
         {"@1 " PUSH("note"), "@1 " ERROR_ANSWER("-32601", "8")},
         "pass",
         .apart_us = 1000000},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void what_comes_only_after_the_fence_is_missing_where_nothing_may_prompt_it(void **state)
{
#define UNPROMPTED(pattern) STEP(pattern, ",\"within\":\"unprompted\"")
#define FENCE_ANSWER "@1 @fence " ERROR_ANSWER("-32601", "\"f\"")
#define PAIR "[" ERROR_ANSWER("-32601", "1") "," ERROR_ANSWER("-32601", "2") "]"
    static const row rows[] = {
        {"before the fence", UNPROMPTED(ANSWERED), {"@1 " ANSWER, FENCE_ANSWER}, "pass"},
        {"after the fence", UNPROMPTED(ANSWERED), {FENCE_ANSWER, "@1 " ANSWER}, "fail* X-must/M@1"},
        {"after the fence, where that does not matter",
         WAIT(ANSWERED),
         {FENCE_ANSWER, "@1 " ANSWER},
         "pass"},
        {"an Array of two",
         UNPROMPTED("{\"$batch\":[{\"id\":1},{\"id\":2}]}"),
         {"@1 " PAIR, FENCE_ANSWER},
         "pass"},
        {"an Array of two where one is wanted",
         UNPROMPTED("{\"$batch\":[{\"id\":1}]}"),
         {"@1 " PAIR, FENCE_ANSWER},
         "warn J2-6b/S@1"},
        {"an Array of one where two are wanted",
         UNPROMPTED("{\"$batch\":[{\"id\":1},{\"id\":2}]}"),
         {"@1 [" ERROR_ANSWER("-32601", "1") "]", FENCE_ANSWER},
         "warn J2-6b/S@1"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_waited_for_the_next_message_was_withheld),
        cmocka_unit_test(what_comes_only_after_the_fence_is_missing_where_nothing_may_prompt_it),
        cmocka_unit_test(every_pattern_is_met_as_often_as_it_says),
        cmocka_unit_test(another_answer_in_flight_breaks_the_sentence_about_it),
        cmocka_unit_test(an_answer_under_the_id_of_another_call_has_the_wrong_id),
        cmocka_unit_test(a_target_may_close_after_it_has_refused_what_is_malformed),
        cmocka_unit_test(order_counts_where_the_step_says_so),
        cmocka_unit_test(a_known_stand_in_for_method_not_found_is_taken_here_too),
        cmocka_unit_test(answers_go_to_the_step_that_has_to_account_for_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
