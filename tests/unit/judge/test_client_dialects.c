// What a client writes in JSON-RPC 1.0 and in RO-JRPC.
#include "tests/unit/judge/client_bench.h"

#define OLD(members) "? {\"method\":\"subtract\"," members "}"
#define OLD_CALL(request)                                                                          \
    EXCHANGE(SUBTRACT, request, "! {\"result\":19,\"error\":null,\"id\":7}", RESULT("1", "19"))
#define OLD_NOTIFICATION(members)                                                                  \
    {                                                                                              \
        AT(0, 0, "> {\"do\":\"notify\",\"tag\":1}"),                                               \
            AT(1, 1, "? {\"method\":\"update\",\"params\":[1,2]" members "}"),                     \
            AT(2, 2, RESULT("1", "null")), AT(3, 3, COMMAND("2", "after")),                        \
            AT(4, 4, "? {\"method\":\"after\",\"params\":[1],\"id\":2}"),                          \
            AT(5, 5, "! {\"result\":\"after it\",\"error\":null,\"id\":2}"),                       \
            AT(6, 6, RESULT("2", "\"after it\""))                                                  \
    }
#define STRING_FOR_ERROR(report)                                                                   \
    EXCHANGE(COMMAND("1", "get"), "? {\"method\":\"get\",\"params\":[1],\"id\":7}",                \
             "! {\"result\":null,\"error\":\"wrong\",\"id\":7}", report)

static void requests_of_1_0(void **state)
{
    (void)state;
    static const row rows[] = {
        {"all is right", "client-1.0/result", OLD_CALL(OLD("\"params\":[42,23],\"id\":7")),
         "pass J1C-1=left out"},
        {"a version is no mistake", "client-1.0/result",
         OLD_CALL(OLD("\"jsonrpc\":\"1.0\",\"params\":[42,23],\"id\":7")), "pass J1C-1=there"},
        {"params by name", "client-1.0/result", OLD_CALL(OLD("\"params\":{\"a\":42},\"id\":7")),
         "fail J1C-2 CL-3 J1C-1=left out"},
        {"no params", "client-1.0/result", OLD_CALL(OLD("\"id\":7")),
         "fail J1C-2 CL-3 J1C-1=left out"},
        {"an id that is null", "client-1.0/result", OLD_CALL(OLD("\"params\":[42,23],\"id\":null")),
         "fail J1C-3 J1C-1=left out"},
        {"no id", "client-1.0/result", OLD_CALL("? {\"method\":\"subtract\",\"params\":[42,23]}"),
         "fail J1C-3 J1C-1=left out"},
        {"an id that is an Array", "client-1.0/result",
         OLD_CALL(OLD("\"params\":[42,23],\"id\":[7]")), "pass J1C-1=left out"},
        {"a notification with the id null", "client-1.0/notification",
         OLD_NOTIFICATION(",\"id\":null"), "pass J1C-1=left out"},
        {"a notification with an id", "client-1.0/notification", OLD_NOTIFICATION(",\"id\":1"),
         "fail J1C-4 J1C-1=left out"},
        {"a notification without an id", "client-1.0/notification", OLD_NOTIFICATION(""),
         "fail J1C-4 J1C-1=left out"},
        {"named arguments are refused",
         "client-1.0/by-name",
         {{0, 0, SUBTRACT}, {3, 3, REPORT("1", "\"failed\":\"1.0 has no names\"")}},
         "pass"},
        {"named arguments are refused by an error",
         "client-1.0/by-name",
         {{0, 0, SUBTRACT}, {3, 3, REPORT("1", "\"error\":{\"code\":-32602}")}},
         "pass J1C-5=by an error"},
        {"named arguments are written",
         "client-1.0/by-name",
         {{0, 0, SUBTRACT},
          {1, 1,
           "? {\"method\":\"subtract\",\"params\":{\"minuend\":42,\"subtrahend\":23},\"id\":7}"},
          {2, 2, "! {\"result\":19,\"error\":null,\"id\":7}"},
          {3, 3, RESULT("1", "19")}},
         "fail J1C-2 J1C-5 J1C-1=left out"},
        {"an error that is a String, as a failure", "client-1.0-answer/error-string",
         STRING_FOR_ERROR(REPORT("1", "\"failed\":\"wrong\"")), "pass J1C-1=left out"},
        {"an error that is a String, as a result", "client-1.0-answer/error-string",
         STRING_FOR_ERROR(RESULT("1", "null")), "warn J1C-6 J1C-1=left out"},
    };
    JUDGE_ALL(rows);
}

// A call of one instance of a subresource.
#define ROUTED(method, members)                                                                    \
    EXCHANGE(COMMAND("1", "repo.issue.get"),                                                       \
             "? " SAY("\"method\":\"" method "\",\"id\":7" members),                               \
             ANSWER("7", "{\"name\":\"of one\"}"), RESULT("1", "{\"name\":\"of one\"}"))
#define RESOURCE ",\"resource\":\"repo\""
#define SUB ",\"subresource\":\"issue\""
#define PARENT ",\"parent\":\"99\""
#define TARGET ",\"target\":\"7\""
#define VERB ",\"verb\":\"get\""
#define ROUTE "repo.issue.get"
// What is recorded if all five routing members came.
#define ALL_FIVE                                                                                   \
    "further-member=\"resource\" further-member=\"subresource\" further-member=\"parent\" "        \
    "further-member=\"target\" further-member=\"verb\" "
static void routing_members(void **state)
{
    (void)state;
    static const row rows[] = {
        {"all is right", "ro-client-request/subresource",
         ROUTED(ROUTE, RESOURCE SUB PARENT TARGET VERB), "pass " ALL_FIVE "no-params=left out"},
        {"no routing members", "ro-client-request/subresource", ROUTED(ROUTE, ""),
         "fail RC-2 no-params=left out"},
        {"no verb", "ro-client-request/subresource", ROUTED(ROUTE, RESOURCE SUB PARENT TARGET),
         "fail RC-1 RC-2 further-member=\"resource\" further-member=\"subresource\" "
         "further-member=\"parent\" further-member=\"target\" no-params=left out"},
        {"no subresource", "ro-client-request/subresource",
         ROUTED(ROUTE, RESOURCE PARENT TARGET VERB),
         "fail RC-1 RC-2 further-member=\"resource\" further-member=\"parent\" "
         "further-member=\"target\" further-member=\"verb\" no-params=left out"},
        {"no resource", "ro-client-request/subresource", ROUTED(ROUTE, SUB PARENT TARGET VERB),
         "fail RC-1 RC-2 further-member=\"subresource\" further-member=\"parent\" "
         "further-member=\"target\" further-member=\"verb\" no-params=left out"},
        {"a parent alone", "ro-client-request/subresource", ROUTED(ROUTE, PARENT),
         "fail RC-1 RC-2 further-member=\"parent\" no-params=left out"},
        {"a subresource alone", "ro-client-request/subresource", ROUTED(ROUTE, SUB),
         "fail RC-1 RC-2 further-member=\"subresource\" no-params=left out"},
        {"no parent", "ro-client-request/subresource", ROUTED(ROUTE, RESOURCE SUB TARGET VERB),
         "fail RC-2 further-member=\"resource\" further-member=\"subresource\" "
         "further-member=\"target\" further-member=\"verb\" no-params=left out"},
        {"no target", "ro-client-request/subresource", ROUTED(ROUTE, RESOURCE SUB PARENT VERB),
         "fail RC-2 further-member=\"resource\" further-member=\"subresource\" "
         "further-member=\"parent\" further-member=\"verb\" no-params=left out"},
        {"a target of another type", "ro-client-request/subresource",
         ROUTED(ROUTE, RESOURCE SUB PARENT ",\"target\":7" VERB),
         "fail RC-2 " ALL_FIVE "no-params=left out"},
        {"a member that nobody asked for", "ro-client-request/subresource",
         ROUTED(ROUTE, RESOURCE SUB PARENT TARGET VERB ",\"cache\":\"no-cache\""),
         "fail RC-2 " ALL_FIVE "further-member=\"cache\" no-params=left out"},
        {"a method of another verb", "ro-client-request/subresource",
         ROUTED("repo.issue.list", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repo.issue.list\""},
        {"a method without the dot after its resource", "ro-client-request/subresource",
         ROUTED("repoissue.get", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repoissue.get\""},
        {"a method without the dot after its subresource", "ro-client-request/subresource",
         ROUTED("repo.issueget", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repo.issueget\""},
        {"a verb that is no String", "ro-client-request/subresource",
         ROUTED(ROUTE, RESOURCE SUB PARENT TARGET ",\"verb\":7"),
         "fail RC-1 RC-2 " ALL_FIVE "no-params=left out"},
        {"a method that ends early", "ro-client-request/subresource",
         ROUTED("repo.issue", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repo.issue\""},
        {"a method that is only the resource", "ro-client-request/subresource",
         ROUTED("repo", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repo\""},
        {"a method with more", "ro-client-request/subresource",
         ROUTED("repo.issue.get.x", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repo.issue.get.x\""},
        {"a method with another mark", "ro-client-request/subresource",
         ROUTED("repo/issue/get", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"repo/issue/get\""},
        {"a resource that is no String", "ro-client-request/subresource",
         ROUTED(ROUTE, ",\"resource\":7" SUB PARENT TARGET VERB),
         "fail RC-1 RC-2 " ALL_FIVE "no-params=left out"},
        {"a method with another resource", "ro-client-request/subresource",
         ROUTED("user.issue.get", RESOURCE SUB PARENT TARGET VERB),
         "fail RC-1 " ALL_FIVE "unasked-request=\"user.issue.get\""},
        {"a method that is no String", "ro-client-request/subresource",
         EXCHANGE(COMMAND("1", "x"),
                  "? " SAY("\"method\":7,\"id\":7" RESOURCE SUB PARENT TARGET VERB),
                  ANSWER("7", "{\"name\":\"of one\"}"), RESULT("1", "{\"name\":\"of one\"}")),
         "fail CL-2 RC-1 " ALL_FIVE "unasked-request=7"},
        {"parts that do not belong together are sent as they are",
         "ro-client-request/parent-alone",
         {{0, 0, COMMAND("1", "user.get")},
          {1, 1,
           "? " SAY("\"method\":\"user.get\",\"id\":7,\"resource\":\"user\",\"verb\":\"get\","
                    "\"parent\":\"99\",\"target\":\"44\"")},
          {2, 2, ANSWER("7", "\"right\"")},
          {3, 3, RESULT("1", "\"right\"")}},
         "fail RC-1 further-member=\"resource\" further-member=\"verb\" further-member=\"parent\" "
         "further-member=\"target\" no-params=left out RC-3=sent"},
        {"parts that do not belong together are refused",
         "ro-client-request/parent-alone",
         {{0, 0, COMMAND("1", "user.get")}, {3, 3, REPORT("1", "\"failed\":\"no\"")}},
         "observe RC-3=refused"},
    };
    JUDGE_ALL(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_1_0),
        cmocka_unit_test(routing_members),
    };
    return cmocka_run_group_tests(tests, load_suite, free_suite);
}
