// The whole judge: how it ended, root causes, calibration, noise, echoes, messages of the server's
// own, text that is not JSON, the dialect of 1.0.
#include "tests/unit/judge/bench_starve.h"

#define CASE(rules) SEND(rules, CALL, UNKNOWN)
#define MUST CASE("\"X-must\"")
#define PUSH "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":[1]}"

static void the_end_has_a_weight_of_its_own(void **state)
{
    static const row rows[] = {
        {"a standing connection has none", MUST, {ANSWER}, "pass"},
        {"HTTP proves the end of an exchange", MUST, {ANSWER}, "pass", .end = END_TRANSPORT},
        {"a closed connection is seen",
         MUST,
         {ANSWER},
         "pass connection=closed",
         .end = END_CLOSED},
        {"an orderly exit is no failure", MUST, {ANSWER}, "ended", .end = END_ORDERLY},
        {"an orderly exit in place of the answer is the rule's",
         MUST,
         {0},
         "ended* X-must/M",
         .end = END_ORDERLY},
        {"another exit status is a crash", MUST, {ANSWER}, "crash* SEC-l/M", .end = END_EXITED},
        {"a signal is a crash", MUST, {ANSWER}, "crash* SEC-l/M", .end = END_SIGNALED},
        {"a crash in place of the answer is the crash alone, whatever the case is after",
         MUST,
         {0},
         "crash* SEC-l/M",
         .end = END_SIGNALED},
        {"a mute connection is stuck", MUST, {ANSWER}, "stuck* SEC-l/M", .end = END_STUCK},
        {"a mute target hangs", MUST, {0}, "hang* SEC-l/M", .end = END_HUNG},
        {"a connection that takes no bytes is stuck",
         MUST,
         {0},
         "stuck* SEC-l/M",
         .end = END_UNSENT},
        {"a closed connection in place of the answer is the rule's",
         MUST,
         {0},
         "fail* X-must/M connection=closed",
         .end = END_CLOSED},
        {"a crash is no conformance, whatever weight its rule has",
         "\"level-of\":{\"SEC-l\":\"S\"}," MUST,
         {ANSWER},
         "crash* SEC-l/S",
         .end = END_SIGNALED},
        {"nothing was run", MUST, {0}, "pass", .end = END_NOT_RUN},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void one_root_cause_counts_once(void **state)
{
    static const jrpc_slice broken[] = {JRPC_SLICE_INIT("J2-5b"), JRPC_SLICE_INIT("J2-6a"),
                                        JRPC_SLICE_INIT("J2-5.1d"), JRPC_SLICE_INIT("X-must")};
    static const jck_calibration known = {
        .absent_answers = true, .broken = broken, .broken_count = 4};
#define OLD "{\"jsonrpc\":\"1.0\"," OK_ERROR ",\"id\":7}"
#define PARSE(rules)                                                                               \
    "\"rules\":[" rules "],\"send-text\":\"{\",\"expect\":{\"error\":{\"code\":-32700},\"id\":"    \
    "null}"
    static const row rows[] = {
        {"a finding is told in full where nothing is known",
         CASE("\"J2-5.1f\""),
         {OLD},
         "fail* J2-5b/M"},
        {"a known one has no weight", CASE("\"J2-5.1f\""), {OLD}, "pass J2-5b/M?", .known = &known},
        {"a known one keeps its weight in the case of its own",
         CASE("\"J2-5b\""),
         {OLD},
         "fail* J2-5b/M",
         .known = &known},
        {"the first rule is the case's own also where it is known",
         MUST,
         {ERROR_ANSWER("-1", "7")},
         "fail* X-must/M",
         .known = &known},
        {"a known one hides no other",
         CASE("\"J2-5.1f\""),
         {"{\"jsonrpc\":\"1.0\"," ERROR_CODE("-1") ",\"id\":7}"},
         "fail* J2-5b/M? J2-5.1f/M",
         .known = &known},
        {"silence to a parse error blocks where that is known",
         PARSE("\"J2-5g\""),
         {0},
         "blocked J2-5.1d/M?",
         .known = &known},
        {"silence to a parse error is the rule's in the case of its own",
         PARSE("\"J2-5.1d\""),
         {0},
         "fail* J2-5.1d/M",
         .known = &known},
        {"silence to a parse error is the rule's where nothing is known",
         PARSE("\"J2-5g\""),
         {0},
         "fail* J2-5.1d/M"},
        {"a crash is never hidden behind a known cause",
         PARSE("\"J2-5g\""),
         {0},
         "crash* SEC-b/M",
         .end = END_SIGNALED,
         .known = &known},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_blocked_verdict_says_by_what(void **state)
{
    static const jrpc_slice broken[] = {JRPC_SLICE_INIT("J2-6a")};
    static const jck_calibration known = {
        .absent_answers = true, .broken = broken, .broken_count = 1};
    static const row rows[] = {{"",
                                "\"rules\":[\"X-must\"],\"send\":[" CALL
                                "],\"expect\":[{\"error\":{\"code\":-32601},\"id\":7}]",
                                {0},
                                "",
                                .known = &known}};
    bench b;
    execution run;
    jrpc_arena arena;
    jck_verdict verdict;
    (void)state;
    bench_load(&b, rows, 1);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    bench_execute(&b, 0, &run, &arena, &verdict);
    assert_int_equal(verdict.outcome, JCK_OUTCOME_BLOCKED);
    assert_true(jrpc_slice_is(verdict.blocked_by, "J2-6a"));
    bench_forget(&run);
    jrpc_arena_done(&arena);
    bench_done(&b);
}

static void another_answer_to_unknown_methods_is_taken_where_it_is_known(void **state)
{
    static const jck_calibration as_32000 = {
        .absent_answers = true, .absent_code_differs = true, .absent_code = -32000};
    static const jck_calibration as_result = {.absent_answers = true, .absent_gives_result = true};
#define RESULT "{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":7}"
    static const row rows[] = {
        {"the known code passes", MUST, {ERROR_ANSWER("-32000", "7")}, "pass", .known = &as_32000},
        {"the right code passes too", MUST, {ANSWER}, "pass", .known = &as_32000},
        {"a third code does not",
         MUST,
         {ERROR_ANSWER("-32099", "7")},
         "fail* X-must/M",
         .known = &as_32000},
        {"the known code is wrong where J2-5.1f is on trial",
         CASE("\"J2-5.1f\""),
         {ERROR_ANSWER("-32000", "7")},
         "fail* J2-5.1f/M",
         .known = &as_32000},
        {"the id is compared all the same",
         MUST,
         {ERROR_ANSWER("-32000", "8")},
         "fail* J2-4e/M",
         .known = &as_32000},
        {"the known code stands for -32601 only",
         "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":{\"error\":{\"code\":-32602}}",
         {ERROR_ANSWER("-32000", "7")},
         "fail* X-must/M",
         .known = &as_32000},
        {"the known code stands for it whatever method was called",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"other\",\"id\":7},"
         "\"expect\":" UNKNOWN,
         {ERROR_ANSWER("-32000", "7")},
         "pass",
         .known = &as_32000},
        {"a known result stands for it where the absent method was called, and nowhere else",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"other\",\"id\":7},"
         "\"expect\":" UNKNOWN,
         {RESULT},
         "fail* X-must/M",
         .known = &as_result},
        {"a known result passes", MUST, {RESULT}, "pass", .known = &as_result},
        {"an error does not, where results are known",
         MUST,
         {ERROR_ANSWER("-32000", "7")},
         "fail* X-must/M",
         .known = &as_result},
        {"a result is wrong where J2-5.1f is on trial",
         CASE("\"J2-5.1f\""),
         {RESULT},
         "fail* J2-5.1f/M",
         .known = &as_result},
        {"a result is wrong where nothing is known", MUST, {RESULT}, "fail* X-must/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void what_is_refused_for_the_shape_of_its_params_shows_nothing_else(void **state)
{
    static const jck_calibration objects_only = {
        .absent_answers = true, .positional = {false, true, -32602, 0}, .named = {.silent = true}};
#define SHAPED(rules, params)                                                                      \
    "\"rules\":[" rules                                                                            \
    "],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"params\":" params                  \
    ",\"id\":7},\"expect\":" UNKNOWN
#define NEEDING(params) "\"needs\":[\"subtract\"]," SHAPED("\"X-must\"", params)
    static const jck_calibration no_arrays = {.absent_answers = true,
                                              .positional = {.by_error = true, .code = -32600}};
    static const row rows[] = {
        {"the known code for an Array blocks",
         SHAPED("\"X-must\"", "[1]"),
         {ERROR_ANSWER("-32602", "null")},
         "blocked",
         .known = &objects_only},
        {"the right answer passes all the same",
         SHAPED("\"X-must\"", "[1]"),
         {ANSWER},
         "pass",
         .known = &objects_only},
        {"another code is a finding",
         SHAPED("\"X-must\"", "[1]"),
         {ERROR_ANSWER("-32603", "7")},
         "fail* X-must/M",
         .known = &objects_only},
        {"silence to an Object blocks where it is known",
         SHAPED("\"X-must\"", "{}"),
         {0},
         "blocked",
         .known = &objects_only},
        {"silence to an Array is told where a code is known",
         SHAPED("\"X-must\"", "[1]"),
         {0},
         "fail* X-must/M",
         .known = &objects_only},
        {"a case about unknown methods shows nothing either",
         SHAPED("\"J2-5.1f\"", "[1]"),
         {ERROR_ANSWER("-32602", "7")},
         "blocked",
         .known = &objects_only},
        {"a case that needs a method is judged where a method may answer so",
         NEEDING("[1]"),
         {ERROR_ANSWER("-32602", "7")},
         "fail* X-must/M",
         .known = &objects_only},
        {"a case that needs a method shows nothing where all Arrays are no valid Request",
         NEEDING("[1]"),
         {ERROR_ANSWER("-32600", "7")},
         "blocked",
         .known = &no_arrays},
        {"a case about the shape is judged",
         SHAPED("\"J2-4.2a\"", "[1]"),
         {ERROR_ANSWER("-32602", "7")},
         "fail* J2-4.2a/M",
         .known = &objects_only},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void what_is_no_json_is_reported_once_and_for_what_it_is(void **state)
{
    static const row rows[] = {
        {"NaN is not JSON",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"\",\"data\":NaN},\"id\":"
          "7}"},
         "fail* J2-5j/M"},
        {"a byte-order mark is not JSON", MUST, {"\xEF\xBB\xBF" ANSWER}, "fail* J2-5j/M"},
        {"invalid UTF-8 is not JSON",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"\xC3\"},\"id\":7}"},
         "fail* J2-5j/M"},
        {"a raw line feed in a String is not JSON",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"a\nb\"},\"id\":7}"},
         "fail* J2-5j/M"},
        {"glued documents are no JSON", MUST, {ANSWER ANSWER}, "fail* J2-5j/M"},
        {"an Array that breaks off is not JSON", MUST, {" [1,"}, "fail* J2-5j/M"},
        {"a log line is noise, and the answer is judged",
         MUST,
         {"INFO started", ANSWER},
         "warn FR-f/S"},
        {"a log line that begins with a level in brackets is noise",
         MUST,
         {"[info] started", ANSWER},
         "warn FR-f/S"},
        {"a log line that begins with a time in brackets is noise",
         MUST,
         {"[2026-01-31 12:00:00] started", ANSWER},
         "warn FR-f/S"},
        {"an Array of a word that breaks off is not JSON", MUST, {"[null"}, "fail* J2-5j/M"},
        {"bytes outside any frame are noise, also when they look like JSON",
         MUST,
         {"@noise {x", ANSWER},
         "warn FR-f/S"},
        {"an HTML page is noise, and no Response", MUST, {"<html>"}, "fail* FR-f/S X-must/M"},
        {"blank lines are nothing", MUST, {"", " \r", ANSWER}, "pass"},
        {"two members of one name are a matter of taste",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"id\":7," OK_ERROR ",\"id\":7}"},
         "warn J2-5j/S"},
        {"of two members the last one counts",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"id\":7," OK_ERROR ",\"id\":8}"},
         "fail* J2-5j/S J2-4e/M"},
        {"a Response that was capped is not judged", MUST, {"@cut {\"jsonrpc\":\"1"}, "pass"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void messages_of_the_servers_own_are_no_replies(void **state)
{
    static const row rows[] = {
        {"a notification beside the reply", MUST, {PUSH, ANSWER}, "pass"},
        {"a call beside the reply",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"method\":\"ask\",\"id\":7}", ANSWER},
         "pass"},
        {"a notification alone is no reply", MUST, {PUSH}, "fail* X-must/M"},
        {"a notification is nothing",
         "\"rules\":[\"J2-4.1a\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"m\"},"
         "\"expect\":\"nothing\"",
         {PUSH},
         "pass"},
        {"a malformed one is PUSH-a", MUST, {"{\"method\":\"log\"}", ANSWER}, "fail* PUSH-a/M"},
        {"one with a result is PUSH-a",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"result\":1}", ANSWER},
         "fail* PUSH-a/M"},
        {"one with an error is PUSH-a",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"error\":1}", ANSWER},
         "fail* PUSH-a/M"},
        {"an asynchronous result is one of RO-JRPC",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\","
          "\"result\":{}}",
          ANSWER},
         "pass"},
        {"our own message come back is an echo", CASE("\"X-should\""), {"@echo "}, "fail* J2-5a/M"},
        {"an echo is no PUSH-a, also of an invalid message",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"3\",\"method\":\"m\",\"id\":7},"
         "\"expect\":{\"error\":{\"code\":-32600},\"id\":7}",
         {"@echo "},
         "fail* J2-5a/M"},
        {"an echo beside the reply does not count", MUST, {"@echo ", ANSWER}, "pass"},
        {"another message with our id is none",
         MUST,
         {"{\"jsonrpc\":\"2.0\",\"method\":\"ask\",\"id\":7}"},
         "fail* X-must/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_specification_is_blamed_under_its_own_rules_alone(void **state)
{
#define OWN "\"rules\":[\"OWN-must\"],\"send\":" CALL ",\"expect\":{\"error\":{\"code\":-32601}}"
    static const row rows[] = {
        {"what plays no role is held against the rule of the case",
         OWN,
         {"{\"jsonrpc\":\"2.1\"," OK_ERROR ",\"id\":7}"},
         "fail* OWN-must/M",
         .suite = "own"},
        {"silence too", OWN, {0}, "fail* OWN-must/M", .suite = "own"},
        {"a crash too", OWN, {ANSWER}, "crash* OWN-must/M", .end = END_SIGNALED, .suite = "own"},
        {"what plays a role is named",
         OWN,
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "warn OWN-id/S",
         .suite = "own"},
        {"a role that only advises weighs no more in its place",
         OWN,
         {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"a\\nb\"},\"id\":7}"},
         "warn OWN-must/S",
         .suite = "own"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void the_dialect_of_1_0_is_judged_by_its_own_rules(void **state)
{
#define OLD_CALL                                                                                   \
    "\"rules\":[\"X-must\"],\"send\":{\"method\":\"m\",\"params\":[],\"id\":7},\"expect\":{"       \
    "\"result\":1}"
#define OLD_ANY                                                                                    \
    "\"rules\":[\"X-open\"],\"send\":{\"method\":\"m\",\"id\":7},\"expect\":\"anything\""
    static const row rows[] = {
        {"both members, one null",
         OLD_CALL,
         {"{\"result\":1,\"error\":null,\"id\":7}"},
         "pass",
         .suite = "jsonrpc-1.0"},
        {"an answer with jsonrpc is J1-a",
         OLD_CALL,
         {"{\"jsonrpc\":\"2.0\",\"result\":1,\"error\":null,\"id\":7}"},
         "fail* J1-a/M",
         .suite = "jsonrpc-1.0"},
        {"one member alone is J1-b",
         OLD_CALL,
         {"{\"result\":1,\"id\":7}"},
         "fail* J1-b/M",
         .suite = "jsonrpc-1.0"},
        {"both members and none null is J1-b",
         OLD_CALL,
         {"{\"result\":1,\"error\":1,\"id\":7}"},
         "fail* J1-b/M",
         .suite = "jsonrpc-1.0"},
        {"an error of any shape is right there",
         "\"rules\":[\"X-must\"],\"send\":{\"method\":\"m\",\"params\":[],\"id\":7},"
         "\"expect\":{\"result\":null}",
         {"{\"result\":null,\"error\":\"no\",\"id\":7}"},
         "pass",
         .suite = "jsonrpc-1.0"},
        {"a request without jsonrpc may be answered in the style of 1.0",
         OLD_ANY,
         {"{\"result\":1,\"error\":null,\"id\":7}"},
         "observe"},
        {"a request without jsonrpc may be answered in the style of 2.0",
         OLD_ANY,
         {ERROR_ANSWER("-32600", "7")},
         "observe"},
        {"an answer with jsonrpc is judged as one",
         OLD_ANY,
         {"{\"jsonrpc\":\"2.0\",\"result\":1,\"error\":null,\"id\":7}"},
         "fail* J2-5e/M"},
        {"a request whose jsonrpc is null may be answered in the style of 1.0",
         "\"rules\":[\"X-open\"],\"send\":{\"jsonrpc\":null,\"method\":\"m\",\"id\":7},"
         "\"expect\":\"anything\"",
         {"{\"result\":1,\"error\":null,\"id\":7}"},
         "observe"},
        {"an answer in the style of 1.0 to a request of 2.0 is none",
         MUST,
         {"{\"result\":null," OK_ERROR ",\"id\":7}"},
         "fail* J2-5b/M J2-5d/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_target_far_away_that_is_reached_without_encryption_is_recorded_once(void **state)
{
    static const struct {
        const char *url;
        const char *verdict;
    } targets[] = {
        {"http://192.0.2.2:8080/rpc", "pass SEC-k=unencrypted"},
        {"ws://rpc.example.org/", "pass SEC-k=unencrypted"},
        {"tcp://192.0.2.2:4000", "pass SEC-k=unencrypted"},
        {"https://192.0.2.2/rpc", "pass"},
        {"wss://rpc.example.org/", "pass"},
        {"http://127.0.0.1:8080/rpc", "pass"},
        {"http://localhost/", "pass"},
        {"http://[::1]:8080/", "pass"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        const row rows[] = {
            {targets[i].url, MUST, {ANSWER}, targets[i].verdict, .url = targets[i].url},
            {"a case that is not the first", MUST, {ANSWER}, "pass", .url = targets[i].url},
        };
        BENCH_CHECK(rows);
    }
}

static void outcomes_are_named_from_best_to_worst(void **state)
{
    static const char *const names[] = {"pass",  "skip",  "observe", "warn",  "blocked", "fail",
                                        "ended", "stuck", "hang",    "crash", "error"};
    (void)state;
    assert_int_equal(sizeof names / sizeof names[0], JCK_OUTCOME_COUNT);
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        assert_string_equal(jck_outcome_name((jck_outcome)i), names[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_has_a_weight_of_its_own),
        cmocka_unit_test(one_root_cause_counts_once),
        cmocka_unit_test(a_blocked_verdict_says_by_what),
        cmocka_unit_test(another_answer_to_unknown_methods_is_taken_where_it_is_known),
        cmocka_unit_test(what_is_refused_for_the_shape_of_its_params_shows_nothing_else),
        cmocka_unit_test(what_is_no_json_is_reported_once_and_for_what_it_is),
        cmocka_unit_test(messages_of_the_servers_own_are_no_replies),
        cmocka_unit_test(a_specification_is_blamed_under_its_own_rules_alone),
        cmocka_unit_test(the_dialect_of_1_0_is_judged_by_its_own_rules),
        cmocka_unit_test(a_target_far_away_that_is_reached_without_encryption_is_recorded_once),
        cmocka_unit_test(outcomes_are_named_from_best_to_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
