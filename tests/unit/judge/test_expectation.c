// Every form of expectation and of alternative, and the rule that a difference is held against.
#include "tests/unit/judge/bench_starve.h"

#define LONG(times)                                                                                \
    "\"rules\":[\"X-must\"],\"send-repeat\":{\"prefix\":\"{\\\"jsonrpc\\\":\\\"2.0\\\","           \
    "\\\"method\\\":\\\"${absent}\\\",\\\"id\\\":7,\\\"params\\\":[1\",\"unit\":\"1\","            \
    "\"times\":" times ",\"suffix\":\"]}\"},\"expect\":" UNKNOWN

static void response_is_judged_by_members_code_and_id(void **state)
{
    static const row rows[] = {
        {"the expected error passes", ON_CALL(UNKNOWN), {ANSWER}, "pass"},
        {
            "white space and member order do not matter",
            ON_CALL(UNKNOWN),
            {" { \"id\" : 7,\"error\":{\"message\":\"\",\"code\":-32601},\"jsonrpc\":\"2.0\"}\n"},
            "pass",
        },
        {
            "a code spelled as a decimal is the same number",
            ON_CALL(UNKNOWN),
            {ERROR_ANSWER("-32601.0", "7")},
            "pass",
        },
        {
            "an id spelled as a decimal is the same number",
            ON_CALL(UNKNOWN),
            {ERROR_ANSWER("-32601", "70e-1")},
            "pass",
        },
        {"an id of another type is J2-4e",
         ON_CALL(UNKNOWN),
         {ERROR_ANSWER("-32601", "\"7\"")},
         "fail* J2-4e/M"},
        {"an id that is the same double is not the same Number, but nearly",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":0.3}",
              "{\"error\":{}}"),
         {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not found\"},"
          "\"id\":0.29999999999999999}"},
         "warn J2-4k/S"},
        {"a null id is J2-4e where one was sent",
         ON_CALL(UNKNOWN),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M"},
        {"a missing id is J2-5f and nothing else",
         ON_CALL(UNKNOWN),
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-5f/M"},
        {"a fresh id is matched as it was made",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":\"${id}\"}",
              "{\"error\":{\"code\":-32601},\"id\":\"${id}\"}"),
         {ERROR_ANSWER("-32601", "$ID")},
         "pass"},
        {"an escaped spelling of a String id is the same id",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":\"a\\u0062\"}",
              UNKNOWN),
         {ERROR_ANSWER("-32601", "\"\\u0061b\"")},
         "pass"},
        {"a wrong code is the first rule's where the case does not list the code's own",
         ON_CALL(UNKNOWN),
         {ERROR_ANSWER("-32000", "7")},
         "fail* X-must/M"},
        {"a wrong code is the code's own rule where the case lists it",
         SEND("\"X-should\",\"J2-5.1f\"", CALL, UNKNOWN),
         {ERROR_ANSWER("-32000", "7")},
         "fail* J2-5.1f/M"},
        {"a result in place of an error is the first rule's, also where the code's own is listed",
         SEND("\"X-should\",\"J2-5.1f\"", CALL, UNKNOWN),
         {"{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":7}"},
         "warn X-should/S"},
        {"a wrong code with a wrong id is told as the code",
         ON_CALL(UNKNOWN),
         {ERROR_ANSWER("-32000", "8")},
         "fail* X-must/M"},
        {"a wrong error code of the parse error is J2-5.1d",
         SEND_TEXT("\"X-must\",\"J2-5.1d\"", "{", "{\"error\":{\"code\":-32700},\"id\":null}"),
         {ERROR_ANSWER("-32603", "null")},
         "fail* J2-5.1d/M"},
        {"another id than null on a parse error is J2-5g",
         SEND_TEXT("\"X-must\"", "{", "{\"error\":{\"code\":-32700},\"id\":null}"),
         {ERROR_ANSWER("-32700", "0")},
         "fail* J2-5g/M"},
        {"the expected result passes",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7}",
              "{\"result\":[1,2]}"),
         {"{\"jsonrpc\":\"2.0\",\"result\":[1,2.0],\"id\":7}"},
         "pass"},
        {"another result is the first rule's",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7}",
              "{\"result\":[1,2]}"),
         {"{\"jsonrpc\":\"2.0\",\"result\":[2,1],\"id\":7}"},
         "fail* X-must/M"},
        {
            "a result with one member more is another result",
            SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7}",
                 "{\"result\":{\"a\":1}}"),
            {"{\"jsonrpc\":\"2.0\",\"result\":{\"a\":1,\"b\":2},\"id\":7}"},
            "fail* X-must/M",
        },
        {"an error may carry data that nobody asked for",
         ON_CALL(UNKNOWN),
         {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"\",\"data\":[]},\"id\":"
          "7}"},
         "pass"},
        {"of two Responses the one with the id that was sent is judged, the other is J2-5a",
         ON_CALL(UNKNOWN),
         {ERROR_ANSWER("-32000", "9"), ANSWER},
         "fail* J2-5a/M"},
        {
            "two right answers are one too many",
            ON_CALL(UNKNOWN),
            {ANSWER, ANSWER},
            "fail* J2-5a/M",
        },
        {"an Array around a Response is not one Object",
         ON_CALL(UNKNOWN),
         {"[" ANSWER "]"},
         "fail* J2-5a/M"},
        {"a scalar in place of a Response is J2-5h and the first rule's",
         ON_CALL(UNKNOWN),
         {"7"},
         "fail* J2-5h/M X-must/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void nothing_closed_and_anything_are_what_they_say(void **state)
{
#define NOTIFY "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}"
#define QUIET SEND("\"J2-4.1a\"", NOTIFY, "\"nothing\"")
#define SHUT SEND_TEXT("\"X-must\"", "{", "{\"closed\":true}")
    static const row rows[] = {
        {"silence is nothing", QUIET, {0}, "pass"},
        {"the answer to the fence is nothing", QUIET, {"@fence " ANSWER}, "pass"},
        {
            "the answer in a session's own exchange is nothing",
            QUIET,
            {"@session " ANSWER},
            "pass",
        },
        {
            "a Response is not nothing",
            QUIET,
            {ERROR_ANSWER("-32601", "null")},
            "fail* J2-4.1c/M",
        },
        {
            "a Response that is not JSON is not nothing",
            QUIET,
            {"{]"},
            "fail* J2-4.1c/M",
        },
        {
            "a Response says nothing of the effect of a notification, but breaks section 4.1",
            SEND("\"J2-4.1d\"", NOTIFY, "\"nothing\""),
            {ERROR_ANSWER("-32601", "null")},
            "fail* J2-4.1c/M",
        },
        {
            "nor does the answer to a batch of notifications",
            SEND("\"J2-4.1d\"", "[" NOTIFY "]", "\"nothing\""),
            {"[" ERROR_ANSWER("-32601", "null") "]"},
            "fail* J2-6f/M",
        },
        {
            "an Object without an id, result and error breaks nothing but the silence",
            QUIET,
            {"{\"jsonrpc\":\"2.0\"}"},
            "fail* J2-4.1c/M",
        },
        {
            "nor where the case takes an error as well",
            "\"rules\":[\"X-should\"],\"send\":" NOTIFY
            ",\"expect\":{\"any-of\":[{\"nothing\":true},"
            "{\"error\":{\"code\":-32600},\"id\":null,\"as\":\"warn\"}],\"else\":\"X-should\"}",
            {"{\"jsonrpc\":\"2.0\"}"},
            "fail* J2-4.1c/M",
        },
        {"a log line is not a Response", QUIET, {"INFO hello"}, "warn FR-f/S"},
        {"a blank line is nothing at all", QUIET, {" \t\r"}, "pass"},
        {"a closed connection is seen", QUIET, {0}, "pass connection=closed", .end = END_CLOSED},
        {"closed is closed", SHUT, {0}, "pass connection=closed", .end = END_CLOSED},
        {"an orderly exit closes too", SHUT, {0}, "ended", .end = END_ORDERLY},
        {"a crash is no close", SHUT, {0}, "crash* X-must/M SEC-b/M", .end = END_EXITED},
        {"an open connection is not closed", SHUT, {0}, "fail* X-must/M"},
        {"an answer before the end is not what was asked for",
         SHUT,
         {ERROR_ANSWER("-32700", "null")},
         "fail* X-must/M connection=closed",
         .end = END_CLOSED},
        {"something unreadable before the end neither",
         SHUT,
         {"{]"},
         "fail* J2-5j/M X-must/M connection=closed",
         .end = END_CLOSED},
        {"anything is silence", ON_CALL("\"anything\""), {0}, "pass"},
        {
            "anything is any Response",
            ON_CALL("\"anything\""),
            {ERROR_ANSWER("-1", "8")},
            "pass",
        },
        {"a Response is checked though anything is expected",
         ON_CALL("\"anything\""),
         {"{\"error\":{\"code\":1,\"message\":\"\"},\"id\":7}"},
         "fail* J2-5b/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_rejection_is_32600_with_the_id_or_null(void **state)
{
#define ODD                                                                                        \
    SEND("\"J2-4a\"", "{\"jsonrpc\":\"1.0\",\"method\":\"${absent}\",\"id\":7}",                   \
         "{\"rejected\":\"J2-4a\"}")
#define NO_ID                                                                                      \
    SEND("\"J2-4a\"", "{\"jsonrpc\":\"1.0\",\"method\":\"${absent}\"}", "{\"rejected\":\"J2-4a\"}")
    static const jck_calibration as_32000 = {
        .absent_answers = true, .absent_code_differs = true, .absent_code = -32000};
    static const jck_calibration as_32600 = {
        .absent_answers = true, .absent_code_differs = true, .absent_code = -32600};
    static const row rows[] = {
        {"-32600 with the id passes and is seen",
         ODD,
         {ERROR_ANSWER("-32600", "7")},
         "pass invalid-request-id=echoed"},
        {"-32600 with null passes and is seen",
         ODD,
         {ERROR_ANSWER("-32600", "null")},
         "pass invalid-request-id=null"},
        {
            "-32600 with another id is J2-5g",
            ODD,
            {ERROR_ANSWER("-32600", "8")},
            "fail* J2-5g/M",
        },
        {"-32600 without an id is J2-5f alone",
         ODD,
         {"{\"jsonrpc\":\"2.0\"," ERROR_CODE("-32600") "}"},
         "fail* J2-5f/M"},
        {"-32600 with null is right where no id was sent",
         NO_ID,
         {ERROR_ANSWER("-32600", "null")},
         "pass"},
        {"-32600 with an id from nowhere is J2-5g",
         NO_ID,
         {ERROR_ANSWER("-32600", "1")},
         "fail* J2-5g/M"},
        {"a result is lenient",
         ODD,
         {"{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":7}"},
         "warn J2-4a/S"},
        {"looking the method up is lenient", ODD, {ANSWER}, "warn J2-4a/S"},
        {"looking it up by the target's own code is lenient",
         ODD,
         {ERROR_ANSWER("-32000", "7")},
         "warn J2-4a/S",
         .known = &as_32000},
        {"that code is a wrong rejection where it is not known to mean that",
         ODD,
         {ERROR_ANSWER("-32000", "7")},
         "fail* J2-5.1e/M"},
        {"-32600 stays a rejection on a target that says it for unknown methods",
         ODD,
         {ERROR_ANSWER("-32600", "7")},
         "pass invalid-request-id=echoed",
         .known = &as_32600},
        {
            "another code is J2-5.1e",
            ODD,
            {ERROR_ANSWER("-32700", "null")},
            "fail* J2-5.1e/M",
        },
        {"a result beside an error object is no service",
         ODD,
         {"{\"jsonrpc\":\"2.0\",\"result\":null," ERROR_CODE("-32603") ",\"id\":7}"},
         "fail* J2-5d/M J2-5.1e/M"},
        {"silence is no rejection but J2-5a", ODD, {0}, "fail* J2-5a/M"},
        {
            "two rejections are one too many",
            ODD,
            {ERROR_ANSWER("-32600", "7"), ERROR_ANSWER("-32600", "7")},
            "fail* J2-5a/M invalid-request-id=echoed",
        },
        {"a rule that only observes gets an observation's level",
         SEND("\"X-open\"", "{\"jsonrpc\":\"1.0\",\"method\":\"${absent}\",\"id\":7}",
              "{\"rejected\":\"X-open\"}"),
         {ANSWER},
         "observe X-open/O"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void the_first_alternative_that_matches_decides(void **state)
{
#define ANY(list) ON_CALL("{\"any-of\":[" list "]}")
#define WARN_32600 "{\"error\":{\"code\":-32600},\"as\":\"warn\"}"
#define SEEN_32603 "{\"error\":{\"code\":-32603},\"id\":{\"$any\":true},\"as\":\"observe:inner\"}"
#define THREE ANY(UNKNOWN "," WARN_32600 "," SEEN_32603)
    static const row rows[] = {
        {"the first one passes", THREE, {ANSWER}, "pass"},
        {"a tolerated one warns under the first rule",
         THREE,
         {ERROR_ANSWER("-32600", "7")},
         "warn X-must/S"},
        {"a tolerated one warns under the rule that it names",
         ANY(UNKNOWN ",{\"error\":{\"code\":-32600},\"as\":\"warn\",\"rule\":\"J2-4d\"}"),
         {ERROR_ANSWER("-32600", "7")},
         "warn J2-4d/S"},
        {"an observed one is seen by name under the first rule",
         THREE,
         {ERROR_ANSWER("-32603", "null")},
         "pass X-must=inner"},
        {"an observation is kept under the rule that the alternative names",
         ANY("{\"error\":{\"code\":-32600},\"as\":\"observe:no\",\"rule\":\"X-open\"}"),
         {ERROR_ANSWER("-32600", "7")},
         "pass X-open=no"},
        {"a case whose rule only observes is an observation",
         SEND("\"X-open\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"as\":\"observe:yes\"}]}"),
         {ANSWER},
         "observe X-open=yes"},
        {"right but for the id is J2-4e alone",
         THREE,
         {ERROR_ANSWER("-32601", "8")},
         "fail* J2-4e/M"},
        {"right but for a missing id is J2-5f alone",
         THREE,
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-5f/M"},
        {"an alternative that states its id is not right but for it",
         ANY("{\"error\":{\"code\":-32601},\"id\":7}"),
         {ERROR_ANSWER("-32601", "8")},
         "fail* X-must/M"},
        {"none of them is a finding of the first rule",
         THREE,
         {ERROR_ANSWER("-5", "7")},
         "fail* X-must/M"},
        {"none of them is a finding of else",
         ON_CALL("{\"any-of\":[" UNKNOWN "],\"else\":\"J2-5.1h\"}"),
         {ERROR_ANSWER("-5", "7")},
         "warn J2-5.1h/S"},
        {"a wrong code is the code's own rule, before else",
         SEND("\"X-must\",\"J2-5.1f\"", CALL, "{\"any-of\":[" UNKNOWN "],\"else\":\"J2-5.1h\"}"),
         {ERROR_ANSWER("-5", "7")},
         "fail* J2-5.1f/M"},
        {"a refusal of the params of an unknown method breaks no rule about Responses as such",
         SEND("\"J2-5a\"", CALL, UNKNOWN),
         {ERROR_ANSWER("-32602", "7")},
         "fail* J2-5.1f/M"},
        {"another refusal does",
         SEND("\"J2-5a\"", CALL, UNKNOWN),
         {ERROR_ANSWER("-5", "7")},
         "fail* J2-5a/M"},
        {"silence is else's",
         ON_CALL("{\"any-of\":[" UNKNOWN "],\"else\":\"J2-4f\"}"),
         {0},
         "fail* J2-4f/M"},
        {
            "silence under a weak else is J2-5a",
            ON_CALL("{\"any-of\":[" UNKNOWN "],\"else\":\"J2-5.1h\"}"),
            {0},
            "fail* J2-5a/M",
        },
        {
            "two Responses to one call are J2-5a alone",
            THREE,
            {ANSWER, ANSWER},
            "fail* J2-5a/M",
        },
        {"nothing is an alternative",
         ANY(UNKNOWN ",{\"nothing\":true,\"as\":\"warn\"}"),
         {0},
         "warn X-must/S"},
        {"nothing is not what a mute connection gives",
         ANY(UNKNOWN ",{\"nothing\":true,\"as\":\"warn\"}"),
         {0},
         "stuck* SEC-l/M",
         .end = END_STUCK},
        {"nor one that did not take all bytes",
         ANY(UNKNOWN ",{\"nothing\":true,\"as\":\"warn\"}"),
         {0},
         "stuck* SEC-l/M",
         .end = END_UNSENT},
        {"nor one that was closed",
         ANY(UNKNOWN ",{\"nothing\":true,\"as\":\"warn\"}"),
         {0},
         "fail* X-must/M connection=closed",
         .end = END_CLOSED},
        {"the beginning of the id is a wrong id, whatever the alternatives are",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":"
         "\"abcdefgh\"},\"expect\":{\"any-of\":[" UNKNOWN ",{\"error\":{\"code\":-32600},\"id\":"
         "\"abcdefgh\"}]}",
         {ERROR_ANSWER("-32600", "\"abcdef\"")},
         "fail* J2-4e/M"},
        {"another String is not the beginning of it",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":"
         "\"abcdefgh\"},\"expect\":{\"any-of\":[" UNKNOWN ",{\"error\":{\"code\":-32600},\"id\":"
         "\"abcdefgh\"}]}",
         {ERROR_ANSWER("-32600", "\"abcdxf\"")},
         "fail* X-must/M"},
        {"nor is a whole id, though another one begins with it",
         "\"rules\":[\"X-must\"],\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":"
         "\"abcdefgh\"},{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":\"abcdef\"}],"
         "\"expect\":{\"any-of\":[" UNKNOWN ",{\"error\":{\"code\":-32600},\"id\":null}]}",
         {ERROR_ANSWER("-32600", "\"abcdef\"")},
         "fail* J2-5g/M"},
        {"closed is an alternative",
         ANY(UNKNOWN ",{\"closed\":true,\"as\":\"observe:closed\"}"),
         {0},
         "pass X-must=closed connection=closed",
         .end = END_CLOSED},
        {"a crash is no close",
         ANY(UNKNOWN ",{\"closed\":true}"),
         {0},
         "crash* SEC-l/M",
         .end = END_SIGNALED},
        {"anything takes the rest",
         ANY(UNKNOWN ",{\"anything\":true,\"as\":\"warn\"}"),
         {ERROR_ANSWER("-5", "8")},
         "warn X-must/S"},
        {"a rejection is an alternative",
         SEND("\"X-must\"", "{\"jsonrpc\":\"1.0\",\"method\":\"m\",\"id\":7}",
              "{\"any-of\":[{\"rejected\":\"J2-4a\"},{\"result\":1,\"as\":\"warn\"}]}"),
         {ERROR_ANSWER("-32600", "null")},
         "pass invalid-request-id=null"},
        {"a batch is an alternative, in any order",
         SEND("\"X-must\"", "[" CALL ",1]",
              "{\"any-of\":[{\"error\":{\"code\":-32600},\"id\":null},"
              "{\"batch\":[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32600},"
              "\"id\":null}],\"as\":\"observe:each\"}]}"),
         {"[" ERROR_ANSWER("-32600", "null") "," ANSWER "]"},
         "pass X-must=each"},
        {"a batch with a Response too many is another one",
         SEND(
             "\"X-must\"", "[" CALL ",1]",
             "{\"any-of\":[{\"batch\":[{\"error\":{\"code\":-32601},\"id\":7}],\"as\":\"warn\"}]}"),
         {"[" ANSWER "," ERROR_ANSWER("-32600", "null") "]"},
         "warn J2-6b/S"},
        {"a batch that came bare is told as its form",
         SEND("\"X-must\"", "[" CALL ",1]",
              "{\"any-of\":[{\"batch\":[{\"error\":{\"code\":-32601},\"id\":7},"
              "{\"error\":{\"code\":-32600},\"id\":null}]}]}"),
         {ERROR_ANSWER("-32600", "null"), ANSWER},
         "warn J2-6a/S"},
        {"an unreadable answer is told once", THREE, {"{]"}, "fail* J2-5j/M"},
        {"what follows an answer that breaks off is its rest",
         THREE,
         {"{\"jsonrpc\":\"2.0\"", "@noise }}"},
         "fail* J2-5j/M"},
        {"a long message may be refused unread, with a code of the server's own",
         LONG("5000"),
         {ERROR_ANSWER("-32001", "null")},
         "pass long-message=refused"},
        {"but not with another predefined one",
         LONG("5000"),
         {ERROR_ANSWER("-32603", "null")},
         "fail* X-must/M"},
        {"nor a short one", LONG("10"), {ERROR_ANSWER("-32001", "null")}, "fail* X-must/M"},
        {"a Response on a connection that did not call is the other's",
         ON_CALL(UNKNOWN),
         {"@b \"x\"", ANSWER, "{\"jsonrpc\":\"2.0\"," OK_ERROR ",\"id\":\"jck-other\"}"},
         "fail* X-must/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(response_is_judged_by_members_code_and_id),
        cmocka_unit_test(nothing_closed_and_anything_are_what_they_say),
        cmocka_unit_test(a_rejection_is_32600_with_the_id_or_null),
        cmocka_unit_test(the_first_alternative_that_matches_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
