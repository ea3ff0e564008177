// What a client writes: each Request by itself, and compared with what its driver was told to send.
#include "tests/unit/judge/client_bench.h"

// A call of `subtract` with the params [42,23], written like this; it works whatever was written.
#define WRITTEN(text) EXCHANGE(SUBTRACT, "? " text, ANSWER("7", "19"), RESULT("1", "19"))
#define MEMBERS(text) WRITTEN("{" text "}")
#define VERSION "\"jsonrpc\":\"2.0\","
#define METHOD "\"method\":\"subtract\","
#define PARAMS "\"params\":[42,23],"
#define ID "\"id\":7"
#define RIGHT_REQUEST "{" VERSION METHOD PARAMS ID "}"

static void each_member_of_a_request(void **state)
{
    (void)state;
    static const row rows[] = {
        {"all is right", "client-call/result", MEMBERS(VERSION METHOD PARAMS ID), "pass"},
        {"another version", "client-call/result", MEMBERS("\"jsonrpc\":\"1.0\"," METHOD PARAMS ID),
         "fail CL-1"},
        {"a version that is a Number", "client-call/result",
         MEMBERS("\"jsonrpc\":2.0," METHOD PARAMS ID), "fail CL-1"},
        {"a method that is no String", "client-call/result",
         MEMBERS(VERSION "\"method\":7," PARAMS ID), "fail CL-2"},
        {"no method", "client-call/result", MEMBERS(VERSION PARAMS ID), "fail CL-2"},
        {"another method with the same params", "client-call/result",
         MEMBERS(VERSION "\"method\":\"add\"," PARAMS ID), "fail CL-2"},
        {"params that are a Number", "client-call/result",
         MEMBERS(VERSION METHOD "\"params\":42," ID), "fail CL-3"},
        {"params that are null", "client-call/result",
         MEMBERS(VERSION METHOD "\"params\":null," ID), "fail CL-3"},
        {"no params", "client-call/result", MEMBERS(VERSION METHOD ID), "fail CL-3"},
        {"params by name", "client-call/result",
         MEMBERS(VERSION METHOD "\"params\":{\"a\":42,\"b\":23}," ID), "fail CL-3"},
        {"too few params", "client-call/result", MEMBERS(VERSION METHOD "\"params\":[42]," ID),
         "fail CL-3"},
        {"params of other values", "client-call/result",
         MEMBERS(VERSION METHOD "\"params\":[42,24]," ID), "warn CL-3v"},
        {"an id that is a String", "client-call/result",
         MEMBERS(VERSION METHOD PARAMS "\"id\":\"7\""), "pass id=String"},
        {"an id that is null", "client-call/result", MEMBERS(VERSION METHOD PARAMS "\"id\":null"),
         "warn CL-4n id=other"},
        {"an id with a fraction", "client-call/result", MEMBERS(VERSION METHOD PARAMS "\"id\":7.5"),
         "warn CL-4f"},
        {"an id that is an Array", "client-call/result",
         MEMBERS(VERSION METHOD PARAMS "\"id\":[7]"), "fail CL-4 id=other"},
        {"an id that is true", "client-call/result", MEMBERS(VERSION METHOD PARAMS "\"id\":true"),
         "fail CL-4 id=other"},
        {"no id", "client-call/result", MEMBERS("\"jsonrpc\":\"2.0\"," METHOD "\"params\":[42,23]"),
         "warn CL-4m"},
        {"a further member", "client-call/result", MEMBERS(VERSION METHOD PARAMS "\"x\":1," ID),
         "pass further-member=\"x\""},
        {"a batch of one for a call", "client-call/result", WRITTEN("[" RIGHT_REQUEST "]"),
         "pass calls=joined into a batch"},
        {"text that is not JSON", "client-call/result", WRITTEN("{jsonrpc:2.0}"), "fail CL-7"},
        {"an empty message", "client-call/result", WRITTEN(""), "warn CL-10"},
        {"an empty batch", "client-call/result", WRITTEN("[]"), "warn CL-8 CL-9"},
        {"a Number", "client-call/result", WRITTEN("7"), "fail CL-2 CL-9"},
        {"a batch with a Number", "client-call/result", WRITTEN("[" RIGHT_REQUEST ",7]"),
         "fail CL-2 calls=joined into a batch"},
        {"a result that nobody asked for", "client-call/result",
         WRITTEN("{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":7}"), "warn CL-17 CL-9"},
        {"an error that nobody asked for", "client-call/result",
         WRITTEN("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"m\"},\"id\":7}"),
         "warn CL-17 CL-9"},
        {"a result without id", "client-call/result", WRITTEN("{\"jsonrpc\":\"2.0\",\"result\":1}"),
         "warn CL-17 CL-9"},
        {"a method beside a result", "client-call/result",
         WRITTEN("{" VERSION METHOD PARAMS "\"result\":1," ID "}"),
         "pass further-member=\"result\""},
    };
    JUDGE_ALL(rows);
}

// The same call, with lines that differ.
#define SENT AT(0, 0, SUBTRACT)
#define HEARD AT(1, 1, "? " RIGHT_REQUEST)
#define ANSWERED AT(2, 2, ANSWER("7", "19"))
#define REPORTED AT(3, 3, RESULT("1", "19"))

static void what_comes_beside_a_request(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a Request of the library's own",
         "client-call/result",
         {SENT, {1, 1, REQUEST("0", "hello", "[1]")}, HEARD, ANSWERED, REPORTED},
         "pass unasked-request=\"hello\""},
        {"a Request of another method in its place",
         "client-call/result",
         {SENT, {1, 1, "? {\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"id\":0}"}, REPORTED},
         "fail CL-2 unasked-request=\"hello\""},
        {"a Request of another method with other params, and the call ends",
         "client-call/result",
         {SENT, {1, 1, REQUEST("0", "hello", "[1]")}, REPORTED},
         "warn CL-9 unasked-request=\"hello\""},
        {"one that came before the command",
         "client-call/result",
         {{0, 0, "? {\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"id\":0}"},
          {1, 0, SUBTRACT},
          REPORTED},
         "warn CL-9 unasked-request=\"hello\""},
        {"nothing is written, and the call fails",
         "client-call/result",
         {SENT, {3, 3, FAILED("1")}},
         "warn CLR-4"},
        {"nothing is written, and nothing is reported", "client-call/result", {SENT}, "warn CLR-4"},
        {"nothing is written, and the call ends with a result",
         "client-call/result",
         {SENT, REPORTED},
         "warn CL-9"},
        {"nothing is written, and the call ends with an error",
         "client-call/result",
         {SENT, {3, 3, REPORT("1", "\"error\":{\"code\":1,\"message\":\"m\"}")}},
         "warn CLR-4"},
        {"bytes that are no message",
         "client-call/result",
         {SENT, {1, 1, "% xx"}, HEARD, ANSWERED, REPORTED},
         "warn CL-10"},
        {"bytes that are no message, in place of the Request",
         "client-call/result",
         {SENT, {1, 1, "% xx"}, {3, 3, FAILED("1")}},
         "warn CL-10 CLR-4"},
        {"text that is not JSON, in place of the Request",
         "client-call/result",
         {SENT, {1, 1, "? {"}, {3, 3, FAILED("1")}},
         "fail CL-7 CLR-4"},
        {"a line of the driver that is none",
         "client-call/result",
         {SENT, {1, 1, "~ hello"}, HEARD, ANSWERED, REPORTED},
         "blocked CLD-1=no frame"},
        {"two of them",
         "client-call/result",
         {SENT, {1, 1, "~ hello"}, {1, 1, "~ again"}, HEARD, ANSWERED, REPORTED},
         "blocked CLD-1=no frame"},
        {"a fence says nothing about the client",
         "client-call/result",
         {SENT, HEARD, {2, 1, "# {}"}, ANSWERED, REPORTED},
         "pass"},
        {"a report about another tag",
         "client-call/result",
         {SENT, HEARD, ANSWERED, {3, 3, RESULT("2", "5")}, REPORTED},
         "pass"},
        {"a report without a tag",
         "client-call/result",
         {SENT, HEARD, ANSWERED, {3, 3, "< {\"result\":5}"}, REPORTED},
         "pass"},
        {"a command that is not the case's",
         "client-call/result",
         {{0, 0, "> {\"do\":\"ping\",\"tag\":9}"}, SENT, HEARD, ANSWERED, REPORTED},
         "pass"},
        {"a final ping in the last step",
         "client-call/result",
         {SENT,
          HEARD,
          ANSWERED,
          REPORTED,
          {4, 3, "> {\"do\":\"ping\",\"tag\":9}"},
          {4, 3, "< {\"tag\":9}"}},
         "pass"},
        {"the driver's process ends",
         "client-call/result",
         {SENT, HEARD},
         "crash CLR-9",
         CLIENT_GONE},
        {"the driver gets stuck", "client-call/result", {SENT, HEARD}, "stuck CLR-9", CLIENT_STUCK},
        {"the client writes without end",
         "client-call/result",
         {SENT, HEARD},
         "warn CLR-9",
         CLIENT_FLOODS},
        {"the last step was not reached",
         "client-call/result",
         {SENT, HEARD, ANSWERED},
         "warn CLR-4",
         CLIENT_NOT_RUN},
    };
    JUDGE_ALL(rows);
}

#define TYPE "Content-Type: application/json\r\n"
#define POSTED(head)                                                                               \
    {                                                                                              \
        SENT, {1, 1, "? " RIGHT_REQUEST, head}, ANSWERED, REPORTED                                 \
    }

static void the_head_around_a_request(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a POST of JSON", "client-call/result",
         POSTED("POST / HTTP/1.1\r\n" TYPE "Accept: application/json\r\n"), "pass accept=JSON"},
        {"a POST of JSON-RPC", "client-call/result",
         POSTED("POST / HTTP/1.1\r\nContent-Type: application/json-rpc\r\nAccept: */*\r\n"),
         "pass accept=anything"},
        {"a jsonrequest", "client-call/result",
         POSTED(
             "POST / HTTP/1.1\r\nContent-Type: application/jsonrequest\r\nAccept: application/*"),
         "pass accept=anything"},
        {"another media type", "client-call/result",
         POSTED("POST / HTTP/1.1\r\nContent-Type: text/plain\r\nAccept: text/html\r\n"),
         "warn CL-10 accept=something else"},
        {"no media type", "client-call/result", POSTED("POST / HTTP/1.1\r\n"),
         "warn CL-10 accept=none"},
        {"a PUT", "client-call/result", POSTED("PUT / HTTP/1.1\r\n" TYPE),
         "warn CL-10 accept=none"},
        {"a message of WebSocket that is binary", "client-call/result", POSTED("binary"),
         "pass websocket=binary messages"},
    };
    JUDGE_ALL(rows);
}

// A call without params.
#define BARE(members)                                                                              \
    EXCHANGE(COMMAND("1", "get_data"), "? {" VERSION "\"method\":\"get_data\"," members ID "}",    \
             ANSWER("7", "[\"hello\",5]"), RESULT("1", "[\"hello\",5]"))
static void params_as_asked_for(void **state)
{
    (void)state;
    static const row rows[] = {
        {"left out", "client-params/none", BARE(""), "pass no-params=left out"},
        {"an empty Array", "client-params/none", BARE("\"params\":[],"), "pass no-params=[]"},
        {"an empty Object", "client-params/none", BARE("\"params\":{},"), "pass no-params={}"},
        {"params that nobody gave", "client-params/none", BARE("\"params\":[null],"), "fail CL-3"},
        {"by name, as they were given", "client-params/by-name",
         TAKE("{\"subtrahend\":23,\"minuend\":42}"), "pass"},
        {"by name, in another order", "client-params/by-name",
         TAKE("{\"minuend\":42,\"subtrahend\":23}"), "pass"},
        {"by name, with one name changed", "client-params/by-name",
         TAKE("{\"subtrahend\":23,\"minuendo\":42}"), "fail CL-3"},
        {"by name, with one name less", "client-params/by-name", TAKE("{\"subtrahend\":23}"),
         "fail CL-3"},
        {"by name, with another value", "client-params/by-name",
         TAKE("{\"subtrahend\":23,\"minuend\":43}"), "warn CL-3v"},
        {"by name, with a name twice and one lost", "client-params/by-name",
         TAKE("{\"subtrahend\":23,\"subtrahend\":42}"), "fail CL-3"},
        {"by position in place of names", "client-params/by-name", TAKE("[23,42]"), "fail CL-3"},
    };
    JUDGE_ALL(rows);
}

#define NOTIFY "> {\"do\":\"notify\",\"tag\":1,\"method\":\"update\"}"
#define AFTER_IT                                                                                   \
    AT(3, 3, COMMAND("2", "after")), AT(4, 4, REQUEST("7", "after", "[1]")),                       \
        AT(5, 5, ANSWER("7", "\"after it\"")), AT(6, 6, RESULT("2", "\"after it\""))
#define NOTIFIED(members, report)                                                                  \
    {                                                                                              \
        AT(0, 0, NOTIFY), AT(1, 1, "? {" VERSION "\"method\":\"update\",\"params\":" members "}"), \
            AT(2, 2, REPORT("1", report)), AFTER_IT                                                \
    }

static void notifications(void **state)
{
    (void)state;
    static const row rows[] = {
        {"it has no id", "client-notify/by-position", NOTIFIED("[1,2,3]", "\"result\":null"),
         "pass"},
        {"it has an id", "client-notify/by-position",
         NOTIFIED("[1,2,3],\"id\":3", "\"result\":null"), "fail CL-6"},
        {"it has the id null", "client-notify/by-position",
         NOTIFIED("[1,2,3],\"id\":null", "\"result\":null"), "fail CL-4n CL-6 id=other"},
        {"its caller gets a result", "client-notify/by-position",
         NOTIFIED("[1,2,3]", "\"result\":5"), "warn CLR-11"},
        {"it fails although it was sent", "client-notify/by-position",
         NOTIFIED("[1,2,3]", "\"failed\":\"no answer\""), "warn CLR-11"},
        {"other params", "client-notify/by-position", NOTIFIED("[1,2]", "\"result\":null"),
         "fail CL-3"},
        {"it is refused without a word to the server",
         "client-notify/by-position",
         {{0, 0, NOTIFY}, {2, 2, REPORT("1", "\"failed\":\"not possible\"")}, AFTER_IT},
         "pass CLR-11=refused"},
        {"it never ends",
         "client-notify/by-position",
         {{0, 0, NOTIFY},
          {1, 1, "? {" VERSION "\"method\":\"update\",\"params\":[1,2,3]}"},
          AFTER_IT},
         "warn CLR-11"},
    };
    JUDGE_ALL(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_of_a_request),
        cmocka_unit_test(what_comes_beside_a_request),
        cmocka_unit_test(the_head_around_a_request),
        cmocka_unit_test(params_as_asked_for),
        cmocka_unit_test(notifications),
    };
    return cmocka_run_group_tests(tests, load_suite, free_suite);
}
