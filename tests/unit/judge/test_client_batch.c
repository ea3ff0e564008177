// What a client writes in batches and to the server, and what it hands out of messages that the
// server sends unasked.
#include "tests/unit/judge/client_bench.h"

#define BOTH                                                                                       \
    "[" ASK("1", "one", "[1]") "," SAY("\"method\":\"note\",\"params\":[0]") "," SAY(              \
        "\"method\":\"two\",\"id\":2") "]"
#define BOTH_GIVEN "[" GIVE("2", "\"second\"") "," GIVE("1", "\"first\"") "]"
#define LIST "\"list\":[{\"result\":\"first\"},null,{\"result\":\"second\"}]"
// A batch of two calls and a notification, answered at once.
#define MIXED(report)                                                                              \
    {                                                                                              \
        AT(0, 0, BATCH_OF), AT(1, 1, "? " BOTH), AT(2, 2, "! " BOTH_GIVEN), AT(3, 3, report)       \
    }
#define NOTES                                                                                      \
    "? [" SAY("\"method\":\"n1\",\"params\":[1]") "," SAY("\"method\":\"n2\",\"params\":[2]") "]"
#define CALL_2 "> {\"do\":\"call\",\"tag\":2}"
#define AFTER_IT(ms)                                                                               \
    AT(ms, 3, CALL_2), AT((ms) + 1, 4, REQUEST("7", "after", "[3]")),                              \
        AT((ms) + 2, 5, ANSWER("7", "\"after it\"")), AT((ms) + 3, 6, RESULT("2", "\"after it\""))
// A batch of two calls; before it is answered comes a call with this id.
#define BESIDE_A_CALL(id, answers, ms, report)                                                     \
    {                                                                                              \
        AT(0, 0, BATCH_OF), AT(1, 1, "? [" ASK("1", "one", "[1]") "," ASK("2", "two", "[2]") "]"), \
            AT(2, 2, CALL_2), AT(3, 3, REQUEST(id, "beside", "[3]")),                              \
            AT(4, 4, ANSWER(id, "\"beside it\"")), AT(5, 5, RESULT("2", "\"beside it\"")),         \
            AT(6, 6, "! " answers), AT(ms, 7, report)                                              \
    }

static void a_batch(void **state)
{
    (void)state;
    static const row rows[] = {
        {"one Array with all of them", "client-batch/mixed", MIXED(REPORT("1", LIST)),
         "pass no-params=left out"},
        {"its Requests one by one",
         "client-batch/mixed",
         {{0, 0, BATCH_OF},
          {1, 1, REQUEST("1", "one", "[1]")},
          {1, 1, "? " SAY("\"method\":\"note\",\"params\":[0]")},
          {1, 1, "? " SAY("\"method\":\"two\",\"id\":2")},
          {2, 2, "! " BOTH_GIVEN},
          {3, 3, REPORT("1", LIST)}},
         "warn CL-8 no-params=left out"},
        {"two Requests with one id",
         "client-batch/mixed",
         {{0, 0, BATCH_OF},
          {1, 1,
           "? [" ASK("2", "one", "[1]") "," SAY("\"method\":\"two\",\"id\":2") "," SAY(
               "\"method\":\"note\",\"params\":[0]") "]"},
          {2, 2, "! " BOTH_GIVEN},
          {3, 3, REPORT("1", LIST)}},
         "warn CL-5 no-params=left out"},
        {"three calls of one method, in another order",
         "client-batch/same-method",
         {AT(0, 0, BATCH_OF),
          AT(1, 1,
             "? [" ASK("2", "take", "[2]") "," ASK("3", "take", "[3]") "," ASK("1", "take",
                                                                               "[1]") "]"),
          AT(2, 2,
             "! [" GIVE("3", "\"third\"") "," GIVE("1", "\"first\"") "," GIVE("2",
                                                                              "\"second\"") "]"),
          AT(3, 3,
             REPORT("1", "\"list\":[{\"result\":\"first\"},{\"result\":\"second\"},{"
                         "\"result\":\"third\"}]"))},
         "pass"},
        {"a notification that has an outcome", "client-batch/mixed",
         MIXED(REPORT(
             "1", "\"list\":[{\"result\":\"first\"},{\"result\":null},{\"result\":\"second\"}]")),
         "warn CL-14 no-params=left out"},
        {"an outcome that is missing", "client-batch/mixed",
         MIXED(REPORT("1", "\"list\":[{\"result\":\"first\"},null]")),
         "warn CL-14 no-params=left out"},
        {"outcomes that are no list", "client-batch/mixed",
         MIXED(REPORT("1", "\"list\":{\"result\":\"first\"}")), "warn CL-14 no-params=left out"},
        {"outcomes in the order of the answers", "client-batch/mixed",
         MIXED(REPORT("1", "\"list\":[{\"result\":\"second\"},null,{\"result\":\"first\"}]")),
         "warn CL-14 no-params=left out"},
        {"no list", "client-batch/mixed", MIXED(RESULT("1", "1")), "warn CL-14 no-params=left out"},
        {"the whole batch fails", "client-batch/mixed", MIXED(REPORT("1", "\"failed\":\"no\"")),
         "warn CL-14 no-params=left out"},
        {"nothing is written, and it is reported as failed",
         "client-batch/mixed",
         {{0, 0, BATCH_OF}, {3, 3, REPORT("1", "\"failed\":\"no\"")}},
         "warn CL-14"},
        {"a batch of one is an Array",
         "client-batch/of-one",
         {{0, 0, BATCH_OF},
          {1, 1, "? [" ASK("1", "one", "[1]") "]"},
          {2, 2, "! [" GIVE("1", "\"first\"") "]"},
          {3, 3, REPORT("1", "\"list\":[{\"result\":\"first\"}]")}},
         "observe batch-of-one=an Array"},
        {"a batch of one is a single Request",
         "client-batch/of-one",
         {{0, 0, BATCH_OF},
          {1, 1, REQUEST("1", "one", "[1]")},
          {2, 2, "! [" GIVE("1", "\"first\"") "]"},
          {3, 3, REPORT("1", "\"failed\":\"x\"")}},
         "observe batch-of-one=a single Request CL-8=an Array does not answer it"},
        {"a batch of notifications ends without an answer",
         "client-batch/notifications",
         {{0, 0, BATCH_OF},
          {1, 1, NOTES},
          {2, 2, REPORT("1", "\"list\":[null,null]")},
          AFTER_IT(4)},
         "pass"},
        {"a batch of notifications never ends",
         "client-batch/notifications",
         {{0, 0, BATCH_OF}, {1, 1, NOTES}, AFTER_IT(4)},
         "warn CLR-11"},
        {"a batch of notifications that is refused",
         "client-batch/notifications",
         {{0, 0, BATCH_OF}, {2, 2, REPORT("1", "\"failed\":\"no\"")}, AFTER_IT(4)},
         "pass CLR-11=refused"},
        {"a batch of notifications that times out",
         "client-batch/notifications",
         {{0, 0, BATCH_OF},
          {1, 1, NOTES},
          {402, 2, REPORT("1", "\"failed\":\"no\"")},
          AFTER_IT(404)},
         "warn CLR-11"},
        {"a call beside a batch", "client-batch/beside-a-call",
         BESIDE_A_CALL("3", BOTH_GIVEN, 7,
                       REPORT("1", "\"list\":[{\"result\":\"first\"},{\"result\":\"second\"}]")),
         "pass"},
        {"a call with an id of the batch", "client-batch/beside-a-call",
         BESIDE_A_CALL("2", BOTH_GIVEN, 7,
                       REPORT("1", "\"list\":[{\"result\":\"first\"},{\"result\":\"second\"}]")),
         "warn CL-5"},
        {"a batch that was answered at once, and timed out", "client-batch/beside-a-call",
         BESIDE_A_CALL("3", BOTH_GIVEN, 700, FAILED("1")), "warn CL-11 CLR-9"},
        {"a batch with an answer twice may time out", "client-batch/beside-a-call",
         BESIDE_A_CALL(
             "3",
             "[" GIVE("2", "\"second\"") "," GIVE("2", "\"second\"") "," GIVE("1", "\"first\"") "]",
             700, FAILED("1")),
         "warn CL-11"},
        {"a batch with an answer that is none may time out", "client-batch/beside-a-call",
         BESIDE_A_CALL("3", "[" SAY("\"id\":2") "," GIVE("1", "\"first\"") "]", 700, FAILED("1")),
         "warn CL-11"},
        {"a batch that gets no Array may time out", "client-batch/beside-a-call",
         BESIDE_A_CALL("3", GIVE("2", "\"second\""), 700, FAILED("1")), "warn CL-11"},
    };
    JUDGE_ALL(rows);
}

// Two calls; during the first one the server sends something, and the client answers it.
#define SERVER_SENDS(message, answer)                                                              \
    {                                                                                              \
        CALL_ONE, AT(2, 2, "! " message), AT(3, 2, "? " answer),                                   \
            AT(4, 3, ANSWER("1", "\"right\"")), AT(5, 4, RESULT("1", "\"right\"")),                \
            AT(6, 5, COMMAND("2", "two")), AT(7, 6, REQUEST("2", "two", "[2]")),                   \
            AT(8, 7, ANSWER("2", "\"next\"")), AT(9, 8, RESULT("2", "\"next\""))                   \
    }
#define S1 "\"server-1\""
#define QUESTION ASK(S1, "ask", "[1]")
#define PROGRESS(percent) SAY("\"method\":\"progress\",\"params\":{\"percent\":" percent "}")
static void an_answer_of_the_client(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a result", "client-own/request", SERVER_SENDS(QUESTION, GIVE(S1, "1")),
         "observe answers=a result"},
        {"an error", "client-own/request", SERVER_SENDS(QUESTION, FAIL(S1)), "observe answers=7"},
        {"an id of another type", "client-own/request", SERVER_SENDS(QUESTION, GIVE("1", "1")),
         "warn CL-17"},
        {"a result with id null", "client-own/request", SERVER_SENDS(QUESTION, GIVE("null", "1")),
         "warn CL-17"},
        {"a result without an id", "client-own/request",
         SERVER_SENDS(QUESTION, SAY("\"result\":1")), "warn CL-17"},
        {"result and error", "client-own/request",
         SERVER_SENDS(QUESTION,
                      SAY("\"result\":1,\"error\":{\"code\":7,\"message\":\"m\"},\"id\":" S1)),
         "fail CL-18 answers=7"},
        {"no version", "client-own/request", SERVER_SENDS(QUESTION, "{\"result\":1,\"id\":" S1 "}"),
         "fail CL-18 answers=a result"},
        {"an error without a message", "client-own/request",
         SERVER_SENDS(QUESTION, SAY("\"error\":{\"code\":7},\"id\":" S1)), "fail CL-18 answers=7"},
        {"an error whose code is a String", "client-own/request",
         SERVER_SENDS(QUESTION, SAY("\"error\":{\"code\":\"7\",\"message\":\"m\"},\"id\":" S1)),
         "fail CL-18 answers=\"7\""},
        {"an answer in a batch", "client-own/request",
         SERVER_SENDS(QUESTION, "[" GIVE(S1, "1") "]"), "observe answers=a result"},
        {"an answer to a notification", "client-own/notification",
         SERVER_SENDS(PROGRESS("50"), FAIL("null")), "warn CL-17"},
        {"an error with id null for what is not a message", "client-own/notification-odd",
         SERVER_SENDS(SAY("\"method\":7"), FAIL("null")), "pass answers=7"},
        {"an error with another id for what is not a message", "client-own/notification-odd",
         SERVER_SENDS(SAY("\"method\":7"), FAIL("5")), "warn CL-17"},
        {"an error with id null for an element that is none", "client-own/notifications",
         SERVER_SENDS("[" SAY("\"method\":\"a\"") ",7]", FAIL("null")), "pass answers=7"},
        {"an error with id null for an empty batch", "client-own/notifications",
         SERVER_SENDS("[]", FAIL("null")), "pass answers=7"},
        {"an error with id null for text that is not JSON", "client-own/notification-odd",
         SERVER_SENDS("{", FAIL("null")), "pass answers=7"},
        {"an error with id null for a batch of notifications", "client-own/notifications",
         SERVER_SENDS("[" SAY("\"method\":\"a\"") "," SAY("\"method\":\"b\",\"params\":[1]") "]",
                      FAIL("null")),
         "warn CL-17"},
        {"a result for a request in a batch", "client-own/notifications",
         SERVER_SENDS("[" SAY("\"method\":\"a\"") "," ASK("5", "b", "[1]") "]", GIVE("5", "1")),
         "pass answers=a result"},
    };
    JUDGE_ALL(rows);
}

#define PROGRESS_EVENT(percent)                                                                    \
    "< {\"event\":\"notification\",\"method\":\"progress\",\"params\":{\"percent\":" percent "}}"
// A call during which the server notifies, and what the driver reports after it.
#define HANDED_OUT(...)                                                                            \
    {                                                                                              \
        CALL_ONE, AT(2, 2, "! " PROGRESS("50")), AT(3, 3, ANSWER("1", "\"right\"")),               \
            AT(5, 4, RESULT("1", "\"right\"")), __VA_ARGS__                                        \
    }
// A notification after a call has ended, and one during the next call.
#define OUTSIDE_OF_A_CALL                                                                          \
    AT(0, 0, COMMAND("1", "first")), AT(1, 1, REQUEST("1", "first", "[1]")),                       \
        AT(2, 2, ANSWER("1", "\"right\"")), AT(3, 3, RESULT("1", "\"right\"")),                    \
        AT(4, 4, "! " PROGRESS("10"))
#define WITHIN_A_CALL                                                                              \
    AT(6, 6, COMMAND("2", "one")), AT(7, 7, REQUEST("2", "one", "[1]")),                           \
        AT(8, 8, "! " PROGRESS("60")), AT(9, 9, ANSWER("2", "\"right\"")),                         \
        AT(10, 10, RESULT("2", "\"right\""))

static void messages_that_are_handed_out(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the notification is handed out", "client-own/reported-notification",
         HANDED_OUT({6, 5, PROGRESS_EVENT("50")}), "observe CLR-10=handed out"},
        {"another event before it", "client-own/reported-notification",
         HANDED_OUT({6, 5, "< {\"event\":\"request\",\"method\":\"x\"}"},
                    {6, 5, PROGRESS_EVENT("50")}),
         "observe CLR-10=handed out"},
        {"it has other params", "client-own/reported-notification",
         HANDED_OUT({6, 5, PROGRESS_EVENT("51")}), "observe CLR-10=not handed out"},
        {"it has no params", "client-own/reported-notification",
         HANDED_OUT({6, 5, "< {\"event\":\"notification\",\"method\":\"progress\"}"}),
         "observe CLR-10=not handed out"},
        {"no event", "client-own/reported-notification", HANDED_OUT({6, 5, "< {\"tag\":9}"}),
         "observe CLR-10=not handed out"},
        {"one outside of a call and one within",
         "client-own/reported-under-way",
         {OUTSIDE_OF_A_CALL,
          {5, 5, PROGRESS_EVENT("10")},
          WITHIN_A_CALL,
          {11, 11, PROGRESS_EVENT("60")}},
         "observe CLR-10=handed out"},
        {"the one within a call is lost",
         "client-own/reported-under-way",
         {OUTSIDE_OF_A_CALL, {5, 5, PROGRESS_EVENT("10")}, WITHIN_A_CALL},
         "warn CLR-12 CLR-10=handed out"},
        {"neither is handed out",
         "client-own/reported-under-way",
         {OUTSIDE_OF_A_CALL, WITHIN_A_CALL},
         "observe CLR-10=not handed out"},
    };
    JUDGE_ALL(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch),
        cmocka_unit_test(an_answer_of_the_client),
        cmocka_unit_test(messages_that_are_handed_out),
    };
    return cmocka_run_group_tests(tests, load_suite, free_suite);
}
