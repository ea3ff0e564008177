// Answers that come on another connection than their calls, and messages that cannot be read on
// one.
#include "tests/unit/judge/bench_starve.h"

#define TWO "in-flight/unknown-on-two-connections"
#define OURS "\"jck-never-sent\""
#define APART "connections/kept-apart"
#define FENCE(id) "@sent @fence {\"jsonrpc\":\"2.0\",\"method\":\"f\",\"id\":" id "}"
#define RIGHT "@2 " NOT_FOUND("$ID.a")
#define ON_B(id) NOT_FOUND("$ID.one"), "@1 @b " NOT_FOUND(id), "@2 " NOT_FOUND("$ID.three")

// The link knows the Numbers of its fences on all connections: no other Number is taken for one.
static void an_id_of_a_fence_shows_the_other_connection(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a Number of a fence",
         IN(APART, "fail* CON-b/M@1", NOT_FOUND("$ID.one"),
            "@1 @b @invented " NOT_FOUND("600000001"), "@2 " NOT_FOUND("$ID.three"))},
        {"another Number, though a fence has a similar one",
         IN(APART, "fail* J2-4e/M@1", FENCE("600000000"), ON_B("600000001"))},
        {"no Number", IN(APART, "fail* J2-4e/M@1", FENCE("600000000"), ON_B("\"600000000\""))},
        {"a Number that was sent on the other connection",
         IN(APART, "fail* CON-b/M@1", FENCE("600000000"), ON_B("600000000"))},
        {"a Number, and what has one came from the target",
         IN(APART, "fail* J2-4e/M@1", "@fence " NOT_FOUND("600000000"), ON_B("600000001"))},
    };
    BENCH_CHECK(rows);
}

static void a_second_answer_may_be_that_of_the_other_connection(void **state)
{
    (void)state;
    static const row rows[] = {
        {"each connection its own answer",
         IN("connections/same-id", "pass", NOT_FOUND("$ID.same"), "@1 @b " NOT_FOUND("$ID.same"),
            "@2 " NOT_FOUND("$ID.same"))},
        {"both answers on the first",
         IN("connections/same-id", "fail* CON-b/M CON-b/M@1", NOT_FOUND("$ID.same"),
            NOT_FOUND("$ID.same"), "@2 " NOT_FOUND("$ID.same"))},
        {"the second has another id",
         IN("connections/same-id", "fail* J2-5a/M", NOT_FOUND("$ID.same"), NOT_FOUND("7"),
            "@1 @b " NOT_FOUND("$ID.same"), "@2 " NOT_FOUND("$ID.same"))},
        {"the first has another id",
         IN("connections/same-id", "fail* J2-5a/M", NOT_FOUND("7"), NOT_FOUND("$ID.same"),
            "@1 @b " NOT_FOUND("$ID.same"), "@2 " NOT_FOUND("$ID.same"))},
        {"the second has no id",
         IN("connections/same-id", "fail* J2-5f/M J2-5a/M", NOT_FOUND("$ID.same"),
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"}}",
            "@1 @b " NOT_FOUND("$ID.same"), "@2 " NOT_FOUND("$ID.same"))},
    };
    BENCH_CHECK(rows);
}

#define HALF "connections/half-closed"
static void
an_answer_that_is_given_up_once_the_client_has_closed_its_side_is_a_missing_one(void **state)
{
    (void)state;
    static const row rows[] = {
        {"both answers",
         IN(HALF, "pass", "@3 @b " NOT_FOUND("$ID.one"), "@3 @b " NOT_FOUND("$ID.two"))},
        {"none", IN(HALF, "warn J2-5a/S@3", "")},
        {"the beginning of one", IN(HALF, "warn J2-5a/S@3", "@3 @b {\"")},
        {"what no answer begins with", IN(HALF, "fail* J2-5j/M@3", "@3 @b {jsonrpc}")},
        {"the beginning of one, and another",
         IN(HALF, "fail* J2-5j/M@3", "@3 @b {\"", "@3 @b " NOT_FOUND("$ID.two"))},
    };
    BENCH_CHECK(rows);
}

static void a_stuck_connection_is_explained_by_an_answer_elsewhere(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the other answer came on the first",
         IN(TWO, "fail* CON-b/M@2", RIGHT, "@2 " NOT_FOUND("$ID.b")), .end = END_STUCK},
        {"… as a message of the session",
         IN(TWO, "fail* CON-b/M@2", RIGHT, "@2 @session " NOT_FOUND("$ID.b")), .end = END_STUCK},
        {"an id that nobody used came on the first",
         IN(TWO, "fail* CON-b/M@2", RIGHT, "@2 " NOT_FOUND(OURS)), .end = END_STUCK},
        {"bytes came on the first", IN(TWO, "stuck* FR-f/S@2 SEC-l/M@3", RIGHT, "@2 @noise x"),
         .end = END_STUCK},
        {"what was said at the opening came on the first",
         IN(TWO, "stuck* SEC-l/M@3", RIGHT, "@2 @opening " NOT_FOUND("$ID.b")), .end = END_STUCK},
        {"the answer to a fence of the other came on the first",
         IN(TWO, "fail* CON-b/M@2", RIGHT, "@2 @invented " NOT_FOUND(OURS)), .end = END_STUCK},
    };
    BENCH_CHECK(rows);
}

static void a_close_with_1007_shows_a_text_that_is_not_utf8(void **state)
{
    (void)state;
    static const row rows[] = {
        {"such a message",
         IN("notification/then-call", "fail* J2-5j/M J2-4.1c/M J2-5a/M@1", "@messages @noise "),
         .end = END_NOT_UTF8},
        {"another code", IN("notification/then-call", "fail* J2-5a/M@1", "@messages @noise "),
         .end = END_WS_CLOSE},
        {"the connection was closed",
         IN("notification/then-call", "fail* J2-5a/M@1 connection=closed", "@messages @noise "),
         .end = END_CLOSED},
        {"over a byte stream", IN("notification/then-call", "fail* J2-5a/M@1", "@noise "),
         .end = END_NOT_UTF8},
        {"bytes that were kept",
         IN("notification/then-call", "fail* FR-f/S J2-5a/M@1", "@messages @noise x"),
         .end = END_NOT_UTF8},
        {"a message that was read",
         IN("notification/then-call", "fail* J2-4.1c/M J2-5a/M@1", "@messages "),
         .end = END_NOT_UTF8},
        {"an answer of HTTP",
         IN("notification/then-call", "fail* J2-5a/M@1", "@messages @noise @http 200 a/b "),
         .end = END_NOT_UTF8},
        {"in a case about frames",
         IN("websocket/empty-first-fragment", "fail* J2-5j/M", "@messages @noise "),
         .end = END_NOT_UTF8},
    };
    BENCH_CHECK(rows);
}

static const jrpc_framing headed = JRPC_FRAMING_CONTENT_LENGTH;
static const jrpc_framing line = JRPC_FRAMING_LINE;

static void an_empty_message_is_one_where_its_head_says_so(void **state)
{
    (void)state;
    static const row rows[] = {
        {"behind a head",
         IN("notification/then-call", "fail* J2-4.1c/M", "", "@1 " NOT_FOUND("$ID")),
         .framing = &headed},
        {"an empty line", IN("notification/then-call", "pass", "", "@1 " NOT_FOUND("$ID")),
         .framing = &line},
        {"text behind a head",
         IN("notification/then-call", "warn FR-f/S", "x", "@1 " NOT_FOUND("$ID")),
         .framing = &headed},
        {"a text in a line",
         IN("notification/then-call", "warn FR-f/S", "x", "@1 " NOT_FOUND("$ID")),
         .framing = &line},
        {"bytes that are no frame",
         IN("notification/then-call", "pass", "@noise ", "@1 " NOT_FOUND("$ID")),
         .framing = &headed},
        {"blank where a call is owed an answer",
         IN("notification/then-call", "fail* J2-5a/M@1", "@1  "), .framing = &line},
        {"a message over a transport of messages",
         IN("notification/then-call", "fail* J2-4.1c/M", "@messages x", "@1 " NOT_FOUND("$ID"))},
    };
    BENCH_CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_of_a_fence_shows_the_other_connection),
        cmocka_unit_test(a_second_answer_may_be_that_of_the_other_connection),
        cmocka_unit_test(
            an_answer_that_is_given_up_once_the_client_has_closed_its_side_is_a_missing_one),
        cmocka_unit_test(a_stuck_connection_is_explained_by_an_answer_elsewhere),
        cmocka_unit_test(a_close_with_1007_shows_a_text_that_is_not_utf8),
        cmocka_unit_test(an_empty_message_is_one_where_its_head_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
