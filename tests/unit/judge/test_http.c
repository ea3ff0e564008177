// The judge on what HTTP says around a message, and on a Content-Length that is not that of the
// message, with cases of the project.
#include "tests/unit/judge/bench_starve.h"

#define HEAD(status, lines) "@head " #status " HTTP/1.1 " #status " x|" lines "| "
#define DATED HEAD(200, "Content-Type: application/json|Date: Thu, 01 Jan 1970 00:00:00 GMT|")
#define PLAIN HEAD(200, "Content-Type: application/json|")

static void headers_are_found_in_the_last_head(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the header is there", IN("http/date", "pass", DATED NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"… in other letters", IN("http/date", "pass", HEAD(200, "dAtE: x|") NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"… without a value", IN("http/date", "pass", HEAD(200, "Date:|") NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"the header is missing", IN("http/date", "warn HT-v/S", PLAIN NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a name that begins with it",
         IN("http/date", "warn HT-v/S", HEAD(200, "Dated: x|") NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a name of its length",
         IN("http/date", "warn HT-v/S", HEAD(200, "Gate: x|") NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"only in an interim answer",
         IN("http/date", "warn HT-v/S",
            "@head 200 HTTP/1.1 103 Early Hints|Date: x||HTTP/1.1 200 OK|| " NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"not there, and another status",
         IN("http/date", "pass HT-v=another-status", HEAD(404, "A: b|") NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"kept alive",
         IN("http/keep-alive", "pass", PLAIN NOT_FOUND("$ID.first"),
            "@1 @reused " PLAIN NOT_FOUND("$ID.second")),
         .end = END_TRANSPORT},
        {"closed and said so",
         IN("http/keep-alive", "pass HT-f=closes", PLAIN NOT_FOUND("$ID.first"),
            "@1 " HEAD(200, "Connection:close|") NOT_FOUND("$ID.second")),
         .end = END_TRANSPORT},
        {"… with blanks around it",
         IN("http/keep-alive", "pass HT-f=closes", PLAIN NOT_FOUND("$ID.first"),
            "@1 " HEAD(200, "Connection: \t close \t|") NOT_FOUND("$ID.second")),
         .end = END_TRANSPORT},
        {"the first of two headers counts",
         IN("http/keep-alive", "warn HT-f/S@1", PLAIN NOT_FOUND("$ID.first"),
            "@1 " HEAD(200, "Connection: x|Connection: close|") NOT_FOUND("$ID.second")),
         .end = END_TRANSPORT},
        {"closed without saying so",
         IN("http/keep-alive", "warn HT-f/S@1", PLAIN NOT_FOUND("$ID.first"),
            "@1 " PLAIN NOT_FOUND("$ID.second")),
         .end = END_TRANSPORT},
        {"405 with the methods that are allowed",
         IN("http/method-patch", "observe HT-d=405", "@session " HEAD(405, "Allow: POST|"),
            "@1 " PLAIN NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"405 without the methods",
         IN("http/method-patch", "fail* HT-k/M", "@session " HEAD(405, "A: b|"),
            "@1 " PLAIN NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"another refusal needs none",
         IN("http/method-patch", "observe HT-d=refused", "@session " HEAD(403, "A: b|"),
            "@1 " PLAIN NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

#define AFTER "@1 " PLAIN NOT_FOUND("$ID.after")
#define NEXT "@1 " PLAIN NOT_FOUND("$ID")
static void what_became_of_the_connection(void **state)
{
    (void)state;
    static const row rows[] = {
        {"100 before the answer",
         IN("http/expect-continue", "pass",
            "@head 200 HTTP/1.1 100 Continue||HTTP/1.1 200 OK|| " NOT_FOUND("$ID.expects"), AFTER),
         .end = END_TRANSPORT},
        {"a version that has no 100",
         IN("http/expect-continue", "pass", "@head 200 HTTP/1.0 200 OK|| " NOT_FOUND("$ID.expects"),
            AFTER),
         .end = END_TRANSPORT},
        {"no 100",
         IN("http/expect-continue", "fail* HT-l/M", PLAIN NOT_FOUND("$ID.expects"), AFTER),
         .end = END_TRANSPORT},
        {"refused before the body was sent",
         IN("http/expect-continue", "pass HT-l=refused", "@session @early " HEAD(417, "A: b|"),
            AFTER),
         .end = END_TRANSPORT},
        {"no 100, and refused once the body came",
         IN("http/expect-continue", "fail* HT-l/M", "@head 400 A: b|| " NOT_FOUND("$ID.expects"),
            AFTER),
         .end = END_TRANSPORT},
        {"closed where that was asked for",
         IN("http/close", "pass", "@closed " PLAIN NOT_FOUND("$ID.close"), NEXT),
         .end = END_TRANSPORT},
        {"kept open", IN("http/close", "fail* HT-o/M", PLAIN NOT_FOUND("$ID.close"), NEXT),
         .end = END_TRANSPORT},
        {"HEAD without content",
         IN("http/head-content", "pass", "@session " HEAD(200, "A: b|"), NEXT),
         .end = END_TRANSPORT},
        {"HEAD with content",
         IN("http/head-content", "fail* HT-n/M", "@session @surplus " HEAD(200, "A: b|"), NEXT),
         .end = END_TRANSPORT},
        {"HEAD without an answer", IN("http/head-content", "warn HT-w/S", NEXT),
         .end = END_TRANSPORT},
        {"… where the target is stuck", IN("http/head-content", "stuck* SEC-l/M@1", NULL),
         .end = END_MUTE_FROM_FIRST},
        {"… where the process crashed", IN("http/head-content", "crash* SEC-l/M@1", NULL),
         .end = END_SIGNALED},
        {"all of many requests were answered",
         IN("http/many", "pass", PLAIN NOT_FOUND("$ID.many"), NEXT), .end = END_TRANSPORT},
        {"some were left unread",
         IN("http/many", "warn HT-f/S", "@left some " PLAIN NOT_FOUND("$ID.many"), NEXT),
         .end = END_TRANSPORT},
        {"a stream of events that does not end",
         IN("http/error-response", "fail* SE-b/M HT-a=event-stream",
            HEAD(200, "Content-Type: text/event-stream|") NOT_FOUND("$ID")),
         .end = END_QUIET},
        {"… that does",
         IN("http/error-response", "pass HT-a=event-stream",
            HEAD(200, "Content-Type: text/event-stream|") NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"an answer that is not a stream, after silence",
         IN("http/error-response", "pass HT-a=200", PLAIN NOT_FOUND("$ID")), .end = END_QUIET},
    };
    BENCH_CHECK(rows);
}

static void bodies_that_are_no_response(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a String for a notification", IN("http/notification", "fail* HT-b/M", PLAIN "\"ok\""),
         .end = END_TRANSPORT},
        {"a number", IN("http/notification", "fail* HT-b/M", PLAIN "1"), .end = END_TRANSPORT},
        {"an Object of its own",
         IN("http/notification", "fail* HT-b/M", PLAIN "{\"status\":\"ok\"}"),
         .end = END_TRANSPORT},
        {"an Object with an id",
         IN("http/notification", "fail* HT-b/M J2-5b/M J2-4.1c/M", PLAIN "{\"id\":1}"),
         .end = END_TRANSPORT},
        {"an Object with an error",
         IN("http/notification", "fail* J2-5b/M J2-5k/M J2-4.1c/M", PLAIN "{\"error\":\"no\"}"),
         .end = END_TRANSPORT},
        {"a Response, which breaks the rule about notifications alone",
         IN("http/notification", "fail* J2-4.1c/M", PLAIN NOT_FOUND("null")), .end = END_TRANSPORT},
        {"an Array", IN("http/notification", "fail* HT-b/M J2-4.1c/M", PLAIN "[]"),
         .end = END_TRANSPORT},
        {"an Object of its own, for a call, with a status that refuses",
         IN("http/error-body", "fail* HT-c/S J2-5a/M", HEAD(500, "A: b|") "{\"status\":500}"),
         .end = END_TRANSPORT},
        {"… with the first such status",
         IN("http/error-body", "fail* HT-c/S J2-5a/M", HEAD(400, "A: b|") "{\"status\":400}"),
         .end = END_TRANSPORT},
        {"… with the last one that does not refuse",
         IN("http/error-body", "fail* J2-5h/M HT-c/S", HEAD(399, "A: b|") "{\"status\":399}"),
         .end = END_TRANSPORT},
        {"an Object with a result, for a call, with a status that refuses",
         IN("http/error-body", "fail* J2-5b/M J2-5f/M HT-c/S", HEAD(500, "A: b|") "{\"result\":1}"),
         .end = END_TRANSPORT},
        {"a number for a call", IN("http/error-body", "fail* J2-5h/M HT-c/S", PLAIN "1"),
         .end = END_TRANSPORT},
        {"null for a batch of notifications",
         IN("http/notification-batch", "fail* J2-6f/M", PLAIN "null"), .end = END_TRANSPORT},
        {"a String for it", IN("http/notification-batch", "fail* HT-b/M", PLAIN "\"ok\""),
         .end = END_TRANSPORT},
    };
    BENCH_CHECK(rows);
}

#define PLAIN_ID "\"é€😀-fr-plain\""
#define WHOLE(id) "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"},\"id\":" id
static void a_content_length_that_is_not_that_of_the_message(void **state)
{
    (void)state;
    static const row rows[] = {
        {"one byte too few",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID), "@noise }")},
        {"… with white space after it",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID), "@noise }\n")},
        {"many, which come in pieces",
         IN("framing-header/plain", "fail* FR-b/M", "@broken {\"jsonrpc\":\"2.0\",\"id\":[",
            "@noise 1", "@noise 2", "@noise ]}")},
        {"… of which one came with an HTTP status",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken {\"a\":[",
            "@noise @http 200 text/html ]}")},
        {"bytes that do not complete it",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken {\"a\":[", "@noise hello")},
        {"bytes that end like JSON, but do not complete it",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken {\"a\":[", "@noise 1}")},
        {"bytes that were not kept whole",
         IN("framing-header/plain", "fail* J2-5j/M FR-f/S", "@broken {\"a\":[", "@cut @noise ]}")},
        {"nothing after it", IN("framing-header/plain", "fail* J2-5j/M", "@broken {\"a\":[")},
        {"a message after it",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken {\"a\":[", "]}")},
        {"bytes on another connection after it",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken {\"a\":[", "@b @noise ]}")},
        {"too many, up to the next head", IN("framing-header/plain", "fail* FR-b/M",
                                             "@broken " WHOLE(PLAIN_ID) "}Content-Length: 5")},
        {"… in other letters",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID) "}content-length:")},
        {"… of which a part came after it",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID) "}Conte",
            "@noise nt-Length: 5")},
        {"… of which exactly the rest came",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID) "}Conte",
            "@noise nt-Length:")},
        {"… of which too little came", IN("framing-header/plain", "fail* J2-5j/M",
                                          "@broken " WHOLE(PLAIN_ID) "}Conte", "@noise nt-Length")},
        {"… of which something else came",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken " WHOLE(PLAIN_ID) "}Conte",
            "@noise st-Length: 5")},
        {"… of which nothing came",
         IN("framing-header/plain", "fail* J2-5j/M", "@broken " WHOLE(PLAIN_ID) "}Conte")},
        {"a message that goes on with something else",
         IN("framing-header/plain", "fail* J2-5j/M",
            "@broken " WHOLE(PLAIN_ID) "}Kontent-Length: 5")},
        {"a message that goes on and was not kept whole",
         IN("framing-header/plain", "fail* J2-5j/M",
            "@cut @broken " WHOLE(PLAIN_ID) "}Content-Length: 5")},
        {"one byte too few, and words after it",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID), "@noise }",
            "@noise hello")},
        {"too many, and words after it",
         IN("framing-header/plain", "fail* FR-b/M", "@broken " WHOLE(PLAIN_ID) "}Content-Length: 5",
            "@noise hello")},
        {"the first words on a connection",
         IN("notification/then-call", "fail* FR-b/M", "@opening {\"a\":1}Content-Length: 5",
            "@1 " NOT_FOUND("$ID"))},
        {"… one byte too few: the rest of them is not another finding",
         IN("notification/then-call", "fail* FR-b/M", "@opening @broken {\"a\":[1]", "@noise }",
            "@1 " NOT_FOUND("$ID"))},
        {"… with something between them and their rest",
         IN("notification/then-call", "fail* J2-5j/M FR-f/S@1", "@opening @broken {\"a\":[1]",
            "@1 " NOT_FOUND("$ID"), "@1 @noise }")},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks);
}

#define TELL SEND("\"J2-4.1a\"", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\"")
#define REFUSED "{\"jsonrpc\":\"2.0\"," ERROR_CODE("-32600") "}"
static void a_refusal_that_a_profile_accepts(void **state)
{
    (void)state;
    static const row rows[] = {
        {"with its status",
         TELL,
         {"@http 400 application/json " REFUSED},
         "pass X-open=refused",
         .end = END_TRANSPORT},
        {"with the last one",
         TELL,
         {"@http 499 application/json " REFUSED},
         "pass X-open=refused",
         .end = END_TRANSPORT},
        {"with the one before the first",
         TELL,
         {"@http 399 application/json " REFUSED},
         "fail* J2-4.1c/M",
         .end = END_TRANSPORT},
        {"with the one after the last",
         TELL,
         {"@http 500 application/json " REFUSED},
         "fail* J2-4.1c/M",
         .end = END_TRANSPORT},
        {"without any", TELL, {REFUSED}, "fail* J2-4.1c/M", .end = END_TRANSPORT},
        {"a result with its status",
         TELL,
         {"@http 400 application/json {\"jsonrpc\":\"2.0\",\"result\":1}"},
         "fail* J2-4.1c/M",
         .end = END_TRANSPORT},
    };
    bench_check_under("\"accept\":[{\"sends\":[\"notification\"],\"answers\":[{\"http-status\":"
                      "{\"$range\":[400,499]},\"error\":{},\"id\":{\"$absent\":true},"
                      "\"as\":\"observe:refused\",\"rule\":\"X-open\"}],\"sentence\":\"s\","
                      "\"source\":\"s\"}]",
                      rows, sizeof rows / sizeof rows[0]);
}

#define TOLD "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"
#define OK_PAGE "@http 200 text/plain \"ok\""
static void pages_beside_notifications(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a page for the notification, before the answer to the call",
         IN("notification/then-call", "pass", "@1 " OK_PAGE, "@1 " PLAIN NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a page alone: the call has no answer",
         IN("notification/then-call", "fail* J2-5a/M@1", "@1 " OK_PAGE), .end = END_TRANSPORT},
        {"no notification was sent", IN("http/error-body", "fail* J2-5h/M HT-c/S", PLAIN "\"ok\""),
         .end = END_TRANSPORT},
        {"… as a message of the case",
         IN("http/error-body", "fail* J2-5h/M HT-c/S", "@answer @sent " TOLD, PLAIN "\"ok\""),
         .end = END_TRANSPORT},
        {"… on this connection",
         IN("http/error-body", "fail* J2-5h/M HT-c/S", "@b @sent " TOLD, PLAIN "\"ok\""),
         .end = END_TRANSPORT},
        {"one was sent beside the call",
         IN("http/error-body", "fail* HT-c/S J2-5a/M", "@sent " TOLD, PLAIN "\"ok\""),
         .end = END_TRANSPORT},
    };
    BENCH_CHECK(rows);
}

// A page in the place of an answer that is waited for: the call has none.
static void pages_where_an_answer_is_waited_for(void **state)
{
    (void)state;
#define WAIT                                                                                       \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL "},{\"receive\":[{\"id\":7,\"error\":{}}]" \
    "}]"
    static const row rows[] = {
        {"the answer", WAIT, {"@1 " ANSWER}, "pass", .end = END_TRANSPORT},
        {"a page",
         WAIT,
         {"@1 @noise @http 502 text/html no"},
         "fail* J2-5a/M@1",
         .end = END_TRANSPORT},
        {"a page on another connection",
         WAIT,
         {"@1 @b @noise @http 502 text/html no"},
         "fail* X-must/M@1",
         .end = END_TRANSPORT},
        {"nothing", WAIT, {NULL}, "fail* X-must/M@1", .end = END_TRANSPORT},
        {"bytes outside of HTTP",
         WAIT,
         {"@1 @noise no"},
         "fail* FR-f/S@1 X-must/M@1",
         .end = END_TRANSPORT},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

// A step that states nothing: what a profile accepts is not an answer to the next call. Anything
// else is one: the call then has a Response too many (section 5: a Response), without an id.
static void a_refusal_of_a_notification_that_nobody_looks_at(void **state)
{
    (void)state;
#define TELL_AND_CALL                                                                              \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}}," \
    "{\"send\":" CALL ",\"expect\":" UNKNOWN "}]"
    static const row rows[] = {
        {"with its status",
         TELL_AND_CALL,
         {"@1 @http 400 application/json " REFUSED, "@1 " PLAIN ANSWER},
         "pass X-open=refused",
         .end = END_TRANSPORT},
        {"with another one",
         TELL_AND_CALL,
         {"@1 @http 399 application/json " REFUSED, "@1 " PLAIN ANSWER},
         "fail* J2-5f/M@1 J2-5a/M@1",
         .end = END_TRANSPORT},
        {"with a result",
         TELL_AND_CALL,
         {"@1 @http 400 application/json {\"jsonrpc\":\"2.0\",\"result\":1}", "@1 " PLAIN ANSWER},
         "fail* J2-5f/M@1 J2-5a/M@1",
         .end = END_TRANSPORT},
        {"none", TELL_AND_CALL, {"@1 " PLAIN ANSWER}, "pass", .end = END_TRANSPORT},
    };
    bench_check_under("\"accept\":[{\"sends\":[\"notification\"],\"answers\":[{\"http-status\":"
                      "{\"$range\":[400,499]},\"error\":{},\"id\":{\"$absent\":true},"
                      "\"as\":\"observe:refused\",\"rule\":\"X-open\"}],\"sentence\":\"s\","
                      "\"source\":\"s\"}]",
                      rows, sizeof rows / sizeof rows[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_found_in_the_last_head),
        cmocka_unit_test(what_became_of_the_connection),
        cmocka_unit_test(bodies_that_are_no_response),
        cmocka_unit_test(a_refusal_that_a_profile_accepts),
        cmocka_unit_test(pages_beside_notifications),
        cmocka_unit_test(pages_where_an_answer_is_waited_for),
        cmocka_unit_test(a_refusal_of_a_notification_that_nobody_looks_at),
        cmocka_unit_test(a_content_length_that_is_not_that_of_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
