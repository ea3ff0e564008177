// The judge on what lies around messages, with cases of the project: fences and their answers,
// openings, other connections, and HTTP.
#include "tests/unit/judge/bench_starve.h"

#define UNREADABLE(id)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"x\"},\"id\":" id "}"
#define CALL_OF(id) "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":" id "}"
#define OURS "\"jck-never-sent\""

static void fences_and_what_answers_them(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a call after a notification",
         IN("notification/then-call", "pass", "@1 " NOT_FOUND("$ID"))},
        {"a call answered again", IN("notification/then-call", "fail* J2-5a/M",
                                     "@fence @again " NOT_FOUND(OURS), "@1 " NOT_FOUND("$ID"))},
        {"an answer to a fence that was never sent",
         IN("notification/then-call", "fail* J2-4.1c/M J2-5a/M", "@invented " NOT_FOUND(OURS),
            "@1 " NOT_FOUND("$ID"))},
        {"a late answer to a fence", IN("notification/then-call", "pass",
                                        "@fence @late " NOT_FOUND(OURS), "@1 " NOT_FOUND("$ID"))},
        {"a call answered twice", IN("notification/then-call", "fail* J2-5a/M@1",
                                     "@1 " NOT_FOUND("$ID"), "@1 " NOT_FOUND("$ID"))},
        {"a call answered twice, differently",
         IN("notification/then-call", "fail* J2-5a/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 {\"jsonrpc\":\"2.0\",\"result\":1,\"id\":$ID}")},
        {"an answer in place of that of a fence",
         IN("notification/then-call", "fail* J2-4e/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @fence @sent " CALL_OF("\"jck-f\""), "@1 @fence @sent " CALL_OF("\"jck-g\""),
            "@1 @fence @answer " NOT_FOUND("\"jck-g\""), "@1 " NOT_FOUND("null"))},
        {"another message in place of that of a fence",
         IN("notification/then-call", "fail* SEC-l/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @fence @sent " CALL_OF("\"jck-f\""), "@1 @fence @sent " CALL_OF("\"jck-g\""),
            "@1 @fence @answer " NOT_FOUND("\"jck-g\""),
            "@1 {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"x\"},\"id\":null}")},
        {"… with an error that has another id",
         IN("notification/then-call", "fail* SEC-l/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @fence @sent " CALL_OF("\"jck-f\""), "@1 @fence @sent " CALL_OF("\"jck-g\""),
            "@1 @fence @answer " NOT_FOUND("\"jck-g\""), "@1 " NOT_FOUND("7"))},
        {"… where all fences were answered",
         IN("notification/then-call", "fail* J2-5a/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @fence @sent " CALL_OF("\"jck-g\""), "@1 @fence @answer " NOT_FOUND("\"jck-g\""),
            "@1 " NOT_FOUND("null"))},
        {"… where no fence was answered",
         IN("notification/then-call", "fail* J2-5a/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @fence @sent " CALL_OF("\"jck-f\""), "@1 " NOT_FOUND("null"))},
        {"… where the fences are of another connection",
         IN("notification/then-call", "fail* J2-5a/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @b @fence @sent " CALL_OF("\"jck-f\""), "@1 @b @fence @sent " CALL_OF("\"jck-g\""),
            "@1 @b @fence @answer " NOT_FOUND("\"jck-g\""), "@1 " NOT_FOUND("null"))},
        {"… where a late answer is the one that came",
         IN("notification/then-call", "fail* J2-4e/M@1", "@1 " NOT_FOUND("$ID"),
            "@1 @fence @sent " CALL_OF("\"jck-f\""), "@1 @fence @sent " CALL_OF("\"jck-g\""),
            "@1 @fence @late " NOT_FOUND("\"jck-f\""), "@1 " NOT_FOUND("null"))},
        {"a parse error with the id of a fence",
         IN("alone/unprompted-parse-error", "fail* J2-5g/M@1", "@1 @again " UNREADABLE(OURS))},
        {"the answer has the id of no call",
         IN("notification/then-call", "fail* J2-4e/M@1", "@1 " NOT_FOUND(OURS))},
        {"the answer has another id",
         IN("notification/then-call", "fail* J2-4e/M@1", "@1 " NOT_FOUND("7"))},
        {"the answer has an id from the message itself",
         IN("notification/then-call", "fail* J2-4e/M@1", "@1 " NOT_FOUND("\"2.0\""))},
        {"each call is answered in its turn",
         IN("alone/each-answer-in-its-turn", "pass", NOT_FOUND("$ID.one"),
            "@1 " NOT_FOUND("$ID.two"), "@2 " NOT_FOUND("$ID.three"))},
        {"the first answer comes again",
         IN("alone/each-answer-in-its-turn", "fail* J2-5a/M@1", NOT_FOUND("$ID.one"),
            "@1 " NOT_FOUND("$ID.one"), "@1 " NOT_FOUND("$ID.two"), "@2 " NOT_FOUND("$ID.three"))},
        {"the first answer comes in place of the second",
         IN("alone/each-answer-in-its-turn", "fail* J2-5a/M@1", NOT_FOUND("$ID.one"),
            "@1 " NOT_FOUND("$ID.one"), "@2 " NOT_FOUND("$ID.three"))},
        {"an answer with the first id that is another one",
         IN("alone/each-answer-in-its-turn", "fail* J2-5a/M@1", NOT_FOUND("$ID.one"),
            "@1 {\"jsonrpc\":\"2.0\",\"result\":1,\"id\":$ID.one}", "@1 " NOT_FOUND("$ID.two"),
            "@2 " NOT_FOUND("$ID.three"))},
    };
    BENCH_CHECK(rows);
}

#define OPENS "@opening @sent " CALL_OF("\"first\"")
static void the_first_words_on_a_connection(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the answer to the first call",
         IN("notification/then-call", "pass", OPENS, "@opening " NOT_FOUND("\"first\""),
            "@1 " NOT_FOUND("$ID"))},
        {"an answer with another id",
         IN("notification/then-call", "fail* J2-4e/M", OPENS, "@opening " NOT_FOUND("\"second\""),
            "@1 " NOT_FOUND("$ID"))},
        {"an answer without an id",
         IN("notification/then-call", "pass", OPENS, "@opening {\"jsonrpc\":\"2.0\",\"result\":1}",
            "@1 " NOT_FOUND("$ID"))},
        {"an answer before anything was sent",
         IN("notification/then-call", "pass", "@opening " NOT_FOUND("\"second\""),
            "@1 " NOT_FOUND("$ID"))},
        {"a first call on another connection",
         IN("notification/then-call", "pass", "@b " OPENS, "@opening " NOT_FOUND("\"second\""),
            "@1 " NOT_FOUND("$ID"))},
        {"a banner",
         IN("notification/then-call", "warn FR-f/S", "@opening hello", "@1 " NOT_FOUND("$ID"))},
        {"JSON that is cut",
         IN("notification/then-call", "fail* J2-5j/M", "@opening {\"a\":", "@1 " NOT_FOUND("$ID"))},
        {"JSON that was not kept whole",
         IN("notification/then-call", "pass", "@cut @opening {\"a\":", "@1 " NOT_FOUND("$ID"))},
        {"an empty message",
         IN("notification/then-call", "pass", "@opening ", "@1 " NOT_FOUND("$ID"))},
        {"bytes that are no message",
         IN("notification/then-call", "warn FR-f/S", "@noise @opening x", "@1 " NOT_FOUND("$ID"))},
        {"a value that is no Response",
         IN("notification/then-call", "pass", "@opening [1]", "@1 " NOT_FOUND("$ID"))},
        {"the answer to a fence, with an error that has no code",
         IN("notification/then-call", "fail* J2-5.1a/M",
            "@opening @answer {\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"no\"},\"id\":1}",
            "@1 " NOT_FOUND("$ID"))},
        {"a late answer to a fence, with the same",
         IN("notification/then-call", "pass",
            "@opening @late {\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"no\"},\"id\":1}",
            "@1 " NOT_FOUND("$ID"))},
    };
    BENCH_CHECK(rows);
}

static void answers_that_wait_for_the_next_message(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the first answer comes when all has been sent",
         IN("notification/before-and-after", "fail* J2-5a/M@3", "@3 " NOT_FOUND("$ID.a"),
            "@3 " NOT_FOUND("$ID.b")),
         .apart_us = 600000},
        {"… after less than a second",
         IN("notification/before-and-after", "pass", "@3 " NOT_FOUND("$ID.a"),
            "@3 " NOT_FOUND("$ID.b")),
         .apart_us = 400000},
        {"… but not at once",
         IN("notification/before-and-after", "pass", "@3 @after 51 " NOT_FOUND("$ID.a"),
            "@3 " NOT_FOUND("$ID.b")),
         .apart_us = 600000},
        {"… just in time",
         IN("notification/before-and-after", "fail* J2-5a/M@3", "@3 @after 50 " NOT_FOUND("$ID.a"),
            "@3 " NOT_FOUND("$ID.b")),
         .apart_us = 600000},
        {"only the last message is answered late",
         IN("notification/before-and-after", "pass", "@3 " NOT_FOUND("$ID.b"),
            "@3 " NOT_FOUND("$ID.a")),
         .apart_us = 600000},
    };
    BENCH_CHECK(rows);
}

static void answers_on_another_connection(void **state)
{
    (void)state;
    static const row rows[] = {
        {"each on its own", IN("in-flight/unknown-on-two-connections", "pass",
                               "@2 " NOT_FOUND("$ID.a"), "@3 @b " NOT_FOUND("$ID.b"))},
        {"the two are swapped",
         IN("in-flight/unknown-on-two-connections", "fail* J2-4e/M@2 J2-4e/M@3 CON-b/M@2 CON-b/M@3",
            "@2 " NOT_FOUND("$ID.b"), "@3 @b " NOT_FOUND("$ID.a"))},
        {"one of them comes twice",
         IN("in-flight/unknown-on-two-connections", "fail* CON-b/M@3", "@2 " NOT_FOUND("$ID.a"),
            "@3 @b " NOT_FOUND("$ID.b"), "@3 @b " NOT_FOUND("$ID.a"))},
        {"one comes on the other, and its own is stuck",
         IN("in-flight/unknown-on-two-connections", "fail* CON-b/M@2", "@2 " NOT_FOUND("$ID.a"),
            "@2 " NOT_FOUND("$ID.b")),
         .end = END_STUCK},
        {"one has an id that nobody sent",
         IN("in-flight/unknown-on-two-connections", "fail* J2-4e/M@3", "@2 " NOT_FOUND("$ID.a"),
            "@3 @b " NOT_FOUND(OURS))},
        {"one has the id null", IN("in-flight/unknown-on-two-connections", "fail* J2-4e/M@3",
                                   "@2 " NOT_FOUND("$ID.a"), "@3 @b " NOT_FOUND("null"))},
        {"none comes, and the target is stuck",
         IN("in-flight/unknown-on-two-connections", "stuck* SEC-l/M@3", "@2 " NOT_FOUND("$ID.a")),
         .end = END_STUCK},
        {"one comes on the other before its own, for which nobody waits",
         IN("connections/kept-apart", "fail* CON-b/M@1", NOT_FOUND("$ID.one"),
            "@1 @b " NOT_FOUND("$ID.one"), "@2 " NOT_FOUND("$ID.three"))},
        {"the answer to a fence of the other comes",
         IN("connections/kept-apart", "fail* CON-b/M@1", NOT_FOUND("$ID.one"),
            "@1 @b @invented " NOT_FOUND(OURS), "@2 " NOT_FOUND("$ID.three"))},
        {"the answer to a fence of a connection that the case does not use",
         IN("notification/then-call", "fail* CON-b/M", "@invented " NOT_FOUND(OURS),
            "@1 " NOT_FOUND("$ID")),
         .url = "tcp://127.0.0.1:1"},
        {"a parse error with the id of a call, which need not be that of another connection",
         IN("connections/bad-neighbour", "fail* J2-5g/M@1", NOT_FOUND("$ID.one"),
            "@1 @b " UNREADABLE(OURS), "@2 " NOT_FOUND("$ID.two"))},
        {"parse errors for the pieces of one message, sent as raw frames",
         IN("websocket/empty-first-fragment", "fail* WS-a/M", "@messages " UNREADABLE("null"),
            "@messages " UNREADABLE("null"))},
        {"bytes come on the other",
         IN("in-flight/unknown-on-two-connections", "warn FR-f/S@3", "@2 " NOT_FOUND("$ID.a"),
            "@3 @b " NOT_FOUND("$ID.b"), "@3 @noise @b x")},
    };
    BENCH_CHECK(rows);
}

#define JSON "application/json "
#define OK_200 "@http 200 application/json "
static void what_http_says(void **state)
{
    (void)state;
    static const row rows[] = {
        {"status 200 and JSON", IN("http/error-response", "pass HT-a=200", OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"another media type",
         IN("http/error-response", "warn HT-a/S", "@http 200 text/html " NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a media type in capitals, with a parameter",
         IN("http/error-response", "pass HT-a=200",
            "@http 200 Application/JSON;charset=utf-8 " NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"another status",
         IN("http/error-response", "pass HT-a=another-status",
            "@http 500 application/json " NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"no answer", IN("http/error-response", "fail* HT-a/S J2-5a/M", NULL),
         .end = END_TRANSPORT},
        {"a message of another step",
         IN("http/error-response", "fail* HT-a/S J2-5a/M", "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a message of another connection",
         IN("http/error-response", "fail* HT-a/S J2-5a/M CON-b/M", "@b " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a message of the opening",
         IN("http/error-response", "fail* HT-a/S J2-5a/M", "@opening " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"an empty answer with 204",
         IN("http/notification", "pass HT-b=204", "@session @http 204 x "), .end = END_TRANSPORT},
        {"an empty answer with 202",
         IN("http/notification", "pass HT-b=202", "@session @http 202 x "), .end = END_TRANSPORT},
        {"an empty answer with 200",
         IN("http/notification", "pass HT-b=200", "@session @http 200 x "), .end = END_TRANSPORT},
        {"null as body", IN("http/notification", "fail* HT-b/M", "@http 200 application/json null"),
         .end = END_TRANSPORT},
        {"a page as body",
         IN("http/notification", "fail* HT-b/M", "@noise @http 200 text/html <html>"),
         .end = END_TRANSPORT},
        {"a Response as body",
         IN("http/notification", "fail* HT-b/M J2-4.1c/M", OK_200 NOT_FOUND("null")),
         .end = END_TRANSPORT},
        {"a Response", IN("http/error-body", "pass", OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a page",
         IN("http/error-body", "fail* HT-c/S J2-5a/M", "@noise @http 500 text/html <html>"),
         .end = END_TRANSPORT},
        {"null", IN("http/error-body", "fail* HT-c/S J2-5a/M", "@http 500 application/json null"),
         .end = END_TRANSPORT},
        {"refused with 405",
         IN("http/put", "observe HT-d=405", "@http 405 application/json " NOT_FOUND("$ID.put"),
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"refused with 400",
         IN("http/put", "observe HT-d=refused", "@http 400 application/json " NOT_FOUND("$ID.put"),
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"served",
         IN("http/put", "observe HT-d=served", "@http 200 application/json " NOT_FOUND("$ID.put"),
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"sent elsewhere",
         IN("http/put", "observe HT-d=other", "@http 301 application/json " NOT_FOUND("$ID.put"),
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a Response that breaks section 5 is judged",
         IN("http/put", "fail* J2-5.1a/M HT-d=served",
            "@http 200 application/json "
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":\"1\",\"message\":\"m\"},\"id\":1}",
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"what claims no version is not judged",
         IN("http/put", "observe HT-d=served",
            "@http 200 application/json {\"error\":{\"code\":\"1\"}}",
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"a request in place of a Response is not judged",
         IN("http/put", "observe HT-d=served",
            "@http 200 application/json {\"jsonrpc\":\"2.0\",\"method\":\"x\"}",
            "@1 " OK_200 NOT_FOUND("$ID")),
         .end = END_TRANSPORT},
        {"the connection is mute after a GET",
         IN("http/get", "stuck* SEC-l/M@1 HT-d=405", "@session @http 405 x "), .end = END_STUCK},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_room);
}

static void frames_with_a_flaw(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a frame, over a transport of messages",
         IN("websocket/unmasked", "fail* WS-e/M", "@messages @flaw 0 " NOT_FOUND("$ID"))},
        {"a frame, beside the answer",
         IN("websocket/unmasked", "fail* WS-e/M", "@messages @noise @flaw 0 x",
            "@messages " NOT_FOUND("$ID"))},
        {"a frame, in place of the answer",
         IN("websocket/unmasked", "fail* WS-e/M J2-5a/M", "@messages @noise @flaw 0 x")},
        {"a frame that cannot be read, over a transport of messages",
         IN("websocket/unmasked", "fail* WS-e/M", "@messages @flaw 1 " NOT_FOUND("$ID"))},
        {"a frame that cannot be read, beside the answer",
         IN("websocket/unmasked", "fail* WS-e/M", "@messages @noise @flaw 1 x",
            "@messages " NOT_FOUND("$ID"))},
        {"a frame that cannot be read, in place of the answer",
         IN("websocket/unmasked", "fail* WS-e/M", "@messages @noise @flaw 1 x")},
        {"a Close, over a transport of messages",
         IN("websocket/unmasked", "fail* WS-f/M", "@messages @flaw 2 " NOT_FOUND("$ID"))},
        {"a Close, beside the answer",
         IN("websocket/unmasked", "fail* WS-f/M", "@messages @noise @flaw 2 x",
            "@messages " NOT_FOUND("$ID"))},
        {"a Close, in place of the answer",
         IN("websocket/unmasked", "fail* WS-f/M J2-5a/M", "@messages @noise @flaw 2 x")},
        {"the end, over a transport of messages",
         IN("websocket/unmasked", "fail* WS-i/M", "@messages @flaw 3 " NOT_FOUND("$ID"))},
        {"the end, beside the answer",
         IN("websocket/unmasked", "fail* WS-i/M", "@messages @noise @flaw 3 x",
            "@messages " NOT_FOUND("$ID"))},
        {"the end, in place of the answer",
         IN("websocket/unmasked", "fail* WS-i/M J2-5a/M", "@messages @noise @flaw 3 x")},
        {"the handshake, over a transport of messages",
         IN("websocket/unmasked", "fail* WS-j/M", "@messages @flaw 4 " NOT_FOUND("$ID"))},
        {"the handshake, beside the answer",
         IN("websocket/unmasked", "fail* WS-j/M", "@messages @noise @flaw 4 x",
            "@messages " NOT_FOUND("$ID"))},
        {"the handshake, in place of the answer",
         IN("websocket/unmasked", "fail* WS-j/M J2-5a/M", "@messages @noise @flaw 4 x")},
        {"an answer without an end, over a transport of messages",
         IN("websocket/unmasked", "fail* HT-x/M", "@messages @flaw 5 " NOT_FOUND("$ID"))},
        {"a header", IN("framing-header/plain", "fail* FR-b/M",
                        "@flaw 0 "
                        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"},"
                        "\"id\":\"é€😀-fr-plain\"}")},
    };
    BENCH_CHECK(rows);
}

static void text_where_a_message_is_due(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a word in a message", IN("websocket/unmasked", "fail* J2-5j/M", "@messages hello")},
        {"a word between messages",
         IN("websocket/unmasked", "warn FR-f/S", "hello", NOT_FOUND("$ID"))},
        {"bytes between messages",
         IN("websocket/unmasked", "warn FR-f/S", "@messages @noise hello", NOT_FOUND("$ID"))},
        {"an empty message",
         IN("websocket/unmasked", "fail* J2-5j/M", "@messages ", NOT_FOUND("$ID"))},
        {"a blank line", IN("websocket/unmasked", "pass", "  ", NOT_FOUND("$ID"))},
        {"text of which only the beginning was kept",
         IN("websocket/unmasked", "fail* J2-5j/M", "@cut @broken {\"a")},
        {"a word of which only the beginning was kept",
         IN("websocket/unmasked", "warn FR-f/S", "@cut @broken hello", NOT_FOUND("$ID"))},
        {"bytes of which only the beginning was kept",
         IN("websocket/unmasked", "warn FR-f/S", "@cut @noise hello", NOT_FOUND("$ID"))},
        {"an answer of which only the beginning was kept",
         IN("websocket/unmasked", "pass", "@cut {\"a")},
        {"two texts", IN("websocket/unmasked", "fail* J2-5j/M", "{\"a", "{\"b")},
        {"a word after a text that is cut",
         IN("websocket/unmasked", "fail* J2-5j/M", "{\"a", "hello")},
        {"an opening with a word in a message",
         IN("notification/then-call", "fail* J2-5j/M", "@messages @opening hello",
            "@1 " NOT_FOUND("$ID"))},
        {"an opening that was not kept whole",
         IN("notification/then-call", "pass", "@cut @opening [1]", "@1 " NOT_FOUND("$ID"))},
        {"an opening on another connection",
         IN("notification/then-call", "pass", "@opening @sent " CALL_OF("\"f\""),
            "@b @opening " NOT_FOUND("\"g\""), "@1 " NOT_FOUND("$ID"))},
        {"an opening that was received before",
         IN("notification/then-call", "pass", "@opening " CALL_OF("\"f\""),
            "@opening " NOT_FOUND("\"g\""), "@1 " NOT_FOUND("$ID"))},
    };
    BENCH_CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fences_and_what_answers_them),
        cmocka_unit_test(the_first_words_on_a_connection),
        cmocka_unit_test(answers_that_wait_for_the_next_message),
        cmocka_unit_test(answers_on_another_connection),
        cmocka_unit_test(what_http_says),
        cmocka_unit_test(frames_with_a_flaw),
        cmocka_unit_test(text_where_a_message_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
