// What is expected and what came: which rule a difference breaks, in single answers.
#include "tests/unit/judge/bench_starve.h"

#define ABSENT_NOTIFICATION "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}"
#define SEND_NOTIFICATION(rule) SEND("\"" rule "\"", ABSENT_NOTIFICATION, "\"nothing\"")
#define UNDER(rule, what, came, verdict)                                                           \
    {                                                                                              \
        what ", under " rule, SEND_NOTIFICATION(rule), {came}, verdict                             \
    }

// Whatever a case tests, an answer to its notification of an unknown method breaks J2-4.1c.
#define ANSWERED(rule)                                                                             \
    UNDER(rule, "an error with the id null", NOT_FOUND("null"), "fail* J2-4.1c/M"),                \
        UNDER(rule, "a Response with an id", NOT_FOUND("3"), "fail* J2-4.1c/M"),                   \
        UNDER(rule, "an error without an id", "{\"jsonrpc\":\"2.0\"," OK_ERROR "}",                \
              "fail* J2-4.1c/M")

static void what_a_notification_gets(void **state)
{
    (void)state;
    static const row rows[] = {
        ANSWERED("X-must"),
        ANSWERED("J2-4.1a"),
        ANSWERED("J2-4.1d"),
        ANSWERED("J2-4.1c"),
        ANSWERED("J2-5a"),
        {"among alternatives, with a rule for all else",
         SEND("\"X-must\"", ABSENT_NOTIFICATION,
              "{\"any-of\":[{\"nothing\":true}],\"else\":\"X-should\"}"),
         {NOT_FOUND("3")},
         "warn X-should/S"},
        {"among alternatives, of nobody",
         SEND("\"X-must\"", ABSENT_NOTIFICATION,
              "{\"any-of\":[{\"nothing\":true}],\"else\":\"X-should\"}"),
         {NOT_FOUND("null")},
         "fail* J2-4.1c/M"},
        {"nothing, and END_CLOSED",
         SEND_NOTIFICATION("X-must"),
         {NULL},
         "pass connection=closed",
         END_CLOSED},
        {"nothing, and END_STUCK",
         SEND_NOTIFICATION("X-must"),
         {NULL},
         "stuck* SEC-l/M",
         END_STUCK},
        {"nothing, and END_UNSENT",
         SEND_NOTIFICATION("X-must"),
         {NULL},
         "stuck* SEC-l/M",
         END_UNSENT},
        {"nothing, and END_ORDERLY", SEND_NOTIFICATION("X-must"), {NULL}, "ended", END_ORDERLY},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define FENCE_ID "\"jck-f\""
#define INVALID "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":7}"
#define RAW                                                                                        \
    "\"rules\":[\"X-must\"],\"steps\":[{\"raw\":true,\"send-text\":\"{{\",\"expect\":{\"error\":{" \
    "\"code\":-32700},\"id\":null}}]"

#define ON_INVALID SEND("\"X-must\"", INVALID, "{\"error\":{\"code\":-32600}}")

static void the_right_answer_with_the_id_of_a_fence(void **state)
{
    (void)state;
    static const row rows[] = {
        {"to a call", ON_CALL(UNKNOWN), {"@fence @again " NOT_FOUND(FENCE_ID)}, "fail* J2-4e/M"},
        {"to an invalid one",
         ON_INVALID,
         {"@fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* J2-4e/M"},
        {"with another code",
         ON_INVALID,
         {"@fence @again " ERROR_ANSWER("-32603", FENCE_ID)},
         "fail* J2-5a/M"},
        {"on another connection",
         ON_INVALID,
         {"@b @fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* J2-5a/M"},
        {"a late answer to a fence",
         ON_INVALID,
         {"@fence @late " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* X-must/M"},
        {"beside the right one",
         ON_INVALID,
         {ERROR_ANSWER("-32600", "7"), "@fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* J2-5a/M"},
        {"to a notification",
         SEND_NOTIFICATION("X-must"),
         {"@fence @again " NOT_FOUND(FENCE_ID)},
         "fail* J2-5a/M"},
        {"to text of which nothing is known, with -32700",
         RAW,
         {"@fence @again " ERROR_ANSWER("-32700", FENCE_ID)},
         "fail* J2-5g/M"},
        {"to text of which nothing is known, with -32600",
         RAW,
         {"@fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* X-must/M"},
        {"to text of which nothing is known, with -32603",
         RAW,
         {"@fence @again " ERROR_ANSWER("-32603", FENCE_ID)},
         "fail* J2-5a/M"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define FAILS_WITH(data)                                                                           \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":\"" data          \
    "\"},\"id\":7}"

static void a_trace_in_an_error(void **state)
{
    (void)state;
    static const row rows[] = {
        {"of Python",
         ON_CALL(UNKNOWN),
         {FAILS_WITH("Traceback (most recent call last)")},
         "warn SEC-j/S"},
        {"of Java", ON_CALL(UNKNOWN), {FAILS_WITH("x\\n\\tat y")}, "warn SEC-j/S"},
        {"of JavaScript", ON_CALL(UNKNOWN), {FAILS_WITH("x\\n    at y")}, "warn SEC-j/S"},
        {"of JavaScript, from its first line",
         ON_CALL(UNKNOWN),
         {FAILS_WITH("    at y")},
         "warn SEC-j/S"},
        {"none", ON_CALL(UNKNOWN), {FAILS_WITH("x at y")}, "pass"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

// This answer is right; error 5 would be a warning.
#define OR_WARNED(answer)                                                                          \
    ON_CALL("{\"any-of\":[" answer                                                                 \
            ",{\"error\":{\"code\":5},\"as\":\"warn\",\"rule\":\"X-should\"}]}")
static void an_id_that_alone_is_wrong(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the id is left to the specification; 8 came",
         OR_WARNED("{\"error\":{\"code\":-32601}}"),
         {NOT_FOUND("8")},
         "fail* J2-4e/M"},
        {"the id is left to the specification; null came",
         OR_WARNED("{\"error\":{\"code\":-32601}}"),
         {NOT_FOUND("null")},
         "fail* J2-4e/M"},
        {"the id is left to the specification; 7 came",
         OR_WARNED("{\"error\":{\"code\":-32601}}"),
         {NOT_FOUND("7")},
         "pass"},
        {"null with -32700; 8 came",
         OR_WARNED("{\"error\":{\"code\":-32700},\"id\":null}"),
         {ERROR_ANSWER("-32700", "8")},
         "fail* J2-4e/M"},
        {"null with -32700; null came",
         OR_WARNED("{\"error\":{\"code\":-32700},\"id\":null}"),
         {ERROR_ANSWER("-32700", "null")},
         "pass"},
        {"null with -32700; 7 came",
         OR_WARNED("{\"error\":{\"code\":-32700},\"id\":null}"),
         {ERROR_ANSWER("-32700", "7")},
         "fail* J2-4e/M"},
        {"null with -32600; 8 came",
         OR_WARNED("{\"error\":{\"code\":-32600},\"id\":null}"),
         {ERROR_ANSWER("-32600", "8")},
         "fail* J2-4e/M"},
        {"null with -32600; null came",
         OR_WARNED("{\"error\":{\"code\":-32600},\"id\":null}"),
         {ERROR_ANSWER("-32600", "null")},
         "pass"},
        {"null with -32600; 7 came",
         OR_WARNED("{\"error\":{\"code\":-32600},\"id\":null}"),
         {ERROR_ANSWER("-32600", "7")},
         "fail* J2-4e/M"},
        {"null with -32601; 8 came",
         OR_WARNED("{\"error\":{\"code\":-32601},\"id\":null}"),
         {NOT_FOUND("8")},
         "fail* X-must/M"},
        {"null with -32601; null came",
         OR_WARNED("{\"error\":{\"code\":-32601},\"id\":null}"),
         {NOT_FOUND("null")},
         "pass"},
        {"null with -32601; 7 came",
         OR_WARNED("{\"error\":{\"code\":-32601},\"id\":null}"),
         {NOT_FOUND("7")},
         "fail* X-must/M"},
        {"a Number; 8 came",
         OR_WARNED("{\"error\":{\"code\":-32601},\"id\":7}"),
         {NOT_FOUND("8")},
         "fail* X-must/M"},
        {"a Number; null came",
         OR_WARNED("{\"error\":{\"code\":-32601},\"id\":7}"),
         {NOT_FOUND("null")},
         "fail* J2-4e/M"},
        {"a Number; 7 came",
         OR_WARNED("{\"error\":{\"code\":-32601},\"id\":7}"),
         {NOT_FOUND("7")},
         "pass"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define OF_ID(id)                                                                                  \
    SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":" id "}", UNKNOWN)

static void ids_that_doubles_cannot_tell_apart(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the same", OF_ID("9007199254740993"), {NOT_FOUND("9007199254740993")}, "pass"},
        {"the same double",
         OF_ID("9007199254740993"),
         {NOT_FOUND("9007199254740992")},
         "warn J2-4k/S"},
        {"another double",
         OF_ID("9007199254740993"),
         {NOT_FOUND("9007199254740990")},
         "fail* J2-4e/M"},
        {"a larger double",
         OF_ID("9007199254740993"),
         {NOT_FOUND("9007199254740999")},
         "fail* J2-4e/M"},
        {"as a String",
         OF_ID("9007199254740993"),
         {NOT_FOUND("\"9007199254740992\"")},
         "fail* J2-4e/M"},
        {"zero for less than a double holds", OF_ID("1e-400"), {NOT_FOUND("0")}, "fail* J2-4e/M"},
        {"beyond doubles", OF_ID("1e400"), {NOT_FOUND("2e400")}, "fail* J2-4e/M"},
        {"longer than is compared",
         OF_ID("10000000000000000000000000000000000000000000000000000000000000000"),
         {NOT_FOUND("1e64")},
         "pass"},
        {"longer came back",
         OF_ID("1e64"),
         {ERROR_ANSWER("-32601",
                       "10000000000000000000000000000000000000000000000000000000000000001")},
         "fail* J2-4e/M"},
        {"null", OF_ID("9007199254740993"), {NOT_FOUND("null")}, "fail* J2-4e/M"},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define STATUS(status, verdict)                                                                    \
    {                                                                                              \
        status " without a Response", ON_CALL(UNKNOWN), {"@session @http " status " x "}, verdict, \
            END_TRANSPORT                                                                          \
    }
static void statuses_that_say_why(void **state)
{
    (void)state;
    static const row rows[] = {
        STATUS("200", "fail* X-must/M"), STATUS("299", "fail* X-must/M"),
        STATUS("300", "fail* X-must/M"), STATUS("399", "fail* X-must/M"),
        STATUS("400", "fail* X-must/M"), STATUS("401", "fail* X-must/M"),
        STATUS("403", "fail* X-must/M"), STATUS("404", "fail* X-must/M"),
        STATUS("500", "fail* X-must/M"),
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_notification_gets),
        cmocka_unit_test(the_right_answer_with_the_id_of_a_fence),
        cmocka_unit_test(a_trace_in_an_error),
        cmocka_unit_test(an_id_that_alone_is_wrong),
        cmocka_unit_test(ids_that_doubles_cannot_tell_apart),
        cmocka_unit_test(statuses_that_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
