// What is expected and what came: which rule a difference breaks, in single answers.
#include "tests/unit/judge/bench.h"

#define SEND(rules, send, expect) "\"rules\":[" rules "],\"send\":" send ",\"expect\":" expect

static void what_a_notification_gets(void **state)
{
    (void)state;
    static const row rows[] = {
        {"an error with the id null, under X-must",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4.1c/M"},
        {"a Response with an id, under X-must",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "3")},
         "fail* J2-4.1c/M"},
        {"an error without an id, under X-must",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-4.1c/M"},
        {"an error with the id null, under J2-4.1a",
         SEND("\"J2-4.1a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4.1c/M"},
        {"a Response with an id, under J2-4.1a",
         SEND("\"J2-4.1a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "3")},
         "fail* J2-4.1c/M"},
        {"an error without an id, under J2-4.1a",
         SEND("\"J2-4.1a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-4.1c/M"},
        {"an error with the id null, under J2-4.1d",
         SEND("\"J2-4.1d\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4.1c/M"},
        {"a Response with an id, under J2-4.1d",
         SEND("\"J2-4.1d\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "3")},
         "fail* J2-4.1c/M"},
        {"an error without an id, under J2-4.1d",
         SEND("\"J2-4.1d\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-4.1c/M"},
        {"an error with the id null, under J2-4.1c",
         SEND("\"J2-4.1c\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4.1c/M"},
        {"a Response with an id, under J2-4.1c",
         SEND("\"J2-4.1c\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "3")},
         "fail* J2-4.1c/M"},
        {"an error without an id, under J2-4.1c",
         SEND("\"J2-4.1c\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-4.1c/M"},
        {"an error with the id null, under J2-5a",
         SEND("\"J2-5a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4.1c/M"},
        {"a Response with an id, under J2-5a",
         SEND("\"J2-5a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {ERROR_ANSWER("-32601", "3")},
         "fail* J2-4.1c/M"},
        {"an error without an id, under J2-5a",
         SEND("\"J2-5a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {"{\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-4.1c/M"},
        {"among alternatives, with a rule for all else",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}",
              "{\"any-of\":[{\"nothing\":true}],\"else\":\"X-should\"}"),
         {ERROR_ANSWER("-32601", "3")},
         "warn X-should/S"},
        {"among alternatives, of nobody",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}",
              "{\"any-of\":[{\"nothing\":true}],\"else\":\"X-should\"}"),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4.1c/M"},
        {"nothing, and END_CLOSED",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {NULL},
         "pass connection=closed",
         END_CLOSED},
        {"nothing, and END_STUCK",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {NULL},
         "stuck* SEC-l/M",
         END_STUCK},
        {"nothing, and END_UNSENT",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {NULL},
         "stuck* SEC-l/M",
         END_UNSENT},
        {"nothing, and END_ORDERLY",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {NULL},
         "ended",
         END_ORDERLY},
    };
    BENCH_CHECK(rows);
}

#define FENCE_ID "\"jck-f\""
#define INVALID "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":7}"
#define RAW                                                                                        \
    "\"rules\":[\"X-must\"],\"steps\":[{\"raw\":true,\"send-text\":\"{{\",\"expect\":{\"error\":{" \
    "\"code\":-32700},\"id\":null}}]"

static void the_right_answer_with_the_id_of_a_fence(void **state)
{
    (void)state;
    static const row rows[] = {
        {"to a call",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@fence @again " ERROR_ANSWER("-32601", FENCE_ID)},
         "fail* J2-4e/M"},
        {"to an invalid one",
         SEND("\"X-must\"", INVALID, "{\"error\":{\"code\":-32600}}"),
         {"@fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* J2-4e/M"},
        {"with another code",
         SEND("\"X-must\"", INVALID, "{\"error\":{\"code\":-32600}}"),
         {"@fence @again " ERROR_ANSWER("-32603", FENCE_ID)},
         "fail* J2-5a/M"},
        {"on another connection",
         SEND("\"X-must\"", INVALID, "{\"error\":{\"code\":-32600}}"),
         {"@b @fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* J2-5a/M"},
        {"a late answer to a fence",
         SEND("\"X-must\"", INVALID, "{\"error\":{\"code\":-32600}}"),
         {"@fence @late " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* X-must/M"},
        {"beside the right one",
         SEND("\"X-must\"", INVALID, "{\"error\":{\"code\":-32600}}"),
         {ERROR_ANSWER("-32600", "7"), "@fence @again " ERROR_ANSWER("-32600", FENCE_ID)},
         "fail* J2-5a/M"},
        {"to a notification",
         SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {"@fence @again " ERROR_ANSWER("-32601", FENCE_ID)},
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
}

#define FAILS_WITH(data)                                                                           \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":\"" data          \
    "\"},\"id\":7}"

static void a_trace_in_an_error(void **state)
{
    (void)state;
    static const row rows[] = {
        {"of Python",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {FAILS_WITH("Traceback (most recent call last)")},
         "warn SEC-j/S"},
        {"of Java", SEND("\"X-must\"", CALL, UNKNOWN), {FAILS_WITH("x\\n\\tat y")}, "warn SEC-j/S"},
        {"of JavaScript",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {FAILS_WITH("x\\n    at y")},
         "warn SEC-j/S"},
        {"of JavaScript, from its first line",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {FAILS_WITH("    at y")},
         "warn SEC-j/S"},
        {"none", SEND("\"X-must\"", CALL, UNKNOWN), {FAILS_WITH("x at y")}, "pass"},
    };
    BENCH_CHECK(rows);
}

static void an_id_that_alone_is_wrong(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the id is left to the specification; 8 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601}},{\"error\":{\"code\":5},\"as\":\"warn\","
              "\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "8")},
         "fail* J2-4e/M"},
        {"the id is left to the specification; null came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601}},{\"error\":{\"code\":5},\"as\":\"warn\","
              "\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M"},
        {"the id is left to the specification; 7 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601}},{\"error\":{\"code\":5},\"as\":\"warn\","
              "\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "7")},
         "pass"},
        {"null with -32700; 8 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32700},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32700", "8")},
         "fail* J2-4e/M"},
        {"null with -32700; null came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32700},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32700", "null")},
         "pass"},
        {"null with -32700; 7 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32700},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32700", "7")},
         "fail* J2-4e/M"},
        {"null with -32600; 8 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32600},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32600", "8")},
         "fail* J2-4e/M"},
        {"null with -32600; null came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32600},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32600", "null")},
         "pass"},
        {"null with -32600; 7 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32600},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32600", "7")},
         "fail* J2-4e/M"},
        {"null with -32601; 8 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "8")},
         "fail* X-must/M"},
        {"null with -32601; null came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "null")},
         "pass"},
        {"null with -32601; 7 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"id\":null},{\"error\":{\"code\":5},"
              "\"as\":\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "7")},
         "fail* X-must/M"},
        {"a Number; 8 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":5},\"as\":"
              "\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "8")},
         "fail* X-must/M"},
        {"a Number; null came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":5},\"as\":"
              "\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "null")},
         "fail* J2-4e/M"},
        {"a Number; 7 came",
         SEND("\"X-must\"", CALL,
              "{\"any-of\":[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":5},\"as\":"
              "\"warn\",\"rule\":\"X-should\"}]}"),
         {ERROR_ANSWER("-32601", "7")},
         "pass"},
    };
    BENCH_CHECK(rows);
}

#define OF_ID(id)                                                                                  \
    SEND("\"X-must\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":" id "}", UNKNOWN)

static void ids_that_doubles_cannot_tell_apart(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the same",
         OF_ID("9007199254740993"),
         {ERROR_ANSWER("-32601", "9007199254740993")},
         "pass"},
        {"the same double",
         OF_ID("9007199254740993"),
         {ERROR_ANSWER("-32601", "9007199254740992")},
         "warn J2-4k/S"},
        {"another double",
         OF_ID("9007199254740993"),
         {ERROR_ANSWER("-32601", "9007199254740990")},
         "fail* J2-4e/M"},
        {"a larger double",
         OF_ID("9007199254740993"),
         {ERROR_ANSWER("-32601", "9007199254740999")},
         "fail* J2-4e/M"},
        {"as a String",
         OF_ID("9007199254740993"),
         {ERROR_ANSWER("-32601", "\"9007199254740992\"")},
         "fail* J2-4e/M"},
        {"zero for less than a double holds",
         OF_ID("1e-400"),
         {ERROR_ANSWER("-32601", "0")},
         "fail* J2-4e/M"},
        {"beyond doubles", OF_ID("1e400"), {ERROR_ANSWER("-32601", "2e400")}, "fail* J2-4e/M"},
        {"longer than is compared",
         OF_ID("10000000000000000000000000000000000000000000000000000000000000000"),
         {ERROR_ANSWER("-32601", "1e64")},
         "pass"},
        {"longer came back",
         OF_ID("1e64"),
         {ERROR_ANSWER("-32601",
                       "10000000000000000000000000000000000000000000000000000000000000001")},
         "fail* J2-4e/M"},
        {"null", OF_ID("9007199254740993"), {ERROR_ANSWER("-32601", "null")}, "fail* J2-4e/M"},
    };
    BENCH_CHECK(rows);
}

static void statuses_that_say_why(void **state)
{
    (void)state;
    static const row rows[] = {
        {"200 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 200 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"299 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 299 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"300 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 300 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"399 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 399 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"400 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 400 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"401 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 401 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"403 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 403 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"404 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 404 x "},
         "fail* X-must/M",
         END_TRANSPORT},
        {"500 without a Response",
         SEND("\"X-must\"", CALL, UNKNOWN),
         {"@session @http 500 x "},
         "fail* X-must/M",
         END_TRANSPORT},
    };
    BENCH_CHECK(rows);
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
