// Asynchronous results of RO-JRPC: their form, what they belong to, and that they end.
#include "tests/unit/judge/bench_starve.h"

#define RO .suite = "ro-jrpc-1.0"
#define SENT                                                                                       \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\","   \
    "\"id\":7}},{\"receive\":[{\"id\":7}]}]"
#define REPLY "{\"jsonrpc\":\"2.0\"," OK_ERROR ",\"id\":7}"
#define MESSAGE(verb, more)                                                                        \
    "{\"jsonrpc\":\"2.0\",\"method\":\"job." verb "\",\"resource\":\"job\",\"verb\":\"" verb       \
    "\"," more "}"
#define OF_7 ",\"target\":\"j\",\"request_id\":7"
#define OF_TARGET(target) ",\"target\":\"" target "\""
#define STATUS(status) "\"result\":{\"status\":\"" status "\"}"
#define YIELD(of) MESSAGE("yield", STATUS("pending") of)
#define RETURN(of) MESSAGE("return", STATUS("done") of)
#define HERE " RO-19j=on the connection of the request"

static void a_result_has_the_form_of_a_notification_with_its_fields(void **state)
{
    static const row rows[] = {
        {"yield and return", SENT, {REPLY, YIELD(OF_7), RETURN(OF_7)}, "pass" HERE, RO},
        {"the results may come before the Response", SENT, {RETURN(OF_7), REPLY}, "pass" HERE, RO},
        {"with a subresource",
         SENT,
         {REPLY, "{\"jsonrpc\":\"2.0\",\"method\":\"a.b.return\",\"resource\":\"a\","
                 "\"subresource\":\"b\",\"verb\":\"return\"," STATUS("done") OF_7 "}"},
         "pass" HERE,
         RO},
        {"a method of another verb",
         SENT,
         {REPLY, "{\"jsonrpc\":\"2.0\",\"method\":\"job.yield\",\"resource\":\"job\","
                 "\"verb\":\"return\"," STATUS("done") OF_7 "}"},
         "warn RO-19b/S" HERE,
         RO},
        {"no resource",
         SENT,
         {REPLY, "{\"jsonrpc\":\"2.0\",\"method\":\"job.return\",\"verb\":\"return\"," STATUS(
                     "done") OF_7 "}"},
         "warn RO-19b/S" HERE,
         RO},
        {"no verb, but meant so",
         SENT,
         {REPLY, "{\"jsonrpc\":\"2.0\",\"method\":\"job.return\",\"resource\":\"job\"," STATUS(
                     "error") OF_7 "}"},
         "fail* PUSH-a/M@1 RO-19b/S RO-19i/S" HERE,
         RO},
        {"no result",
         SENT,
         {REPLY, MESSAGE("yield", "\"request_id\":7")},
         "warn RO-19b/S RO-19c/S" HERE,
         RO},
        {"another notification is none of them",
         SENT,
         {REPLY, "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"request_id\":1}"},
         "pass",
         RO},
        {"in another suite nobody looks", SENT, {REPLY, YIELD(",\"request_id\":1")}, "pass"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_status_agrees_with_its_verb(void **state)
{
    static const row rows[] = {
        {"accepted", SENT, {REPLY, MESSAGE("yield", STATUS("accepted") OF_7)}, "pass" HERE, RO},
        {"error", SENT, {REPLY, MESSAGE("return", STATUS("error") OF_7)}, "pass" HERE, RO},
        {"another word",
         SENT,
         {REPLY, MESSAGE("yield", STATUS("working") OF_7)},
         "warn RO-19c/S" HERE,
         RO},
        {"in capitals",
         SENT,
         {REPLY, MESSAGE("return", STATUS("DONE") OF_7)},
         "warn RO-19c/S" HERE,
         RO},
        {"none", SENT, {REPLY, MESSAGE("return", "\"result\":[]" OF_7)}, "warn RO-19c/S" HERE, RO},
        {"a yield that is done",
         SENT,
         {REPLY, MESSAGE("yield", STATUS("done") OF_7)},
         "warn RO-19i/S" HERE,
         RO},
        {"a return that is pending",
         SENT,
         {REPLY, MESSAGE("return", STATUS("pending") OF_7)},
         "warn RO-19i/S" HERE,
         RO},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_request_id_is_the_id_of_a_call_with_its_type(void **state)
{
#define BATCH                                                                                      \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\","  \
    "\"id\":6},{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":7}],\"expect\":\"anything\"}]"
    static const row rows[] = {
        {"as a String", SENT, {REPLY, RETURN(",\"request_id\":\"7\"")}, "warn RO-19e/S", RO},
        {"in an Array", SENT, {REPLY, RETURN(",\"request_id\":[7]")}, "warn RO-19e/S", RO},
        {"of nobody", SENT, {REPLY, RETURN(",\"request_id\":8")}, "warn RO-19e/S", RO},
        {"null", SENT, {REPLY, RETURN(",\"request_id\":null")}, "warn RO-19e/S", RO},
        {"spelled otherwise", SENT, {REPLY, RETURN(",\"request_id\":7.0")}, "pass" HERE, RO},
        {"of an execution before",
         SENT,
         {REPLY, RETURN(",\"request_id\":\"jck-0000abcd-4-0\"")},
         "pass",
         RO},
        {"of a call in a batch", BATCH, {RETURN(OF_7)}, "pass" HERE, RO},
        {"of another call in it", BATCH, {RETURN(",\"request_id\":6")}, "pass" HERE, RO},
        {"on another connection",
         SENT,
         {REPLY, "@b " RETURN(OF_7)},
         "pass RO-19j=on another connection",
         RO},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void nothing_comes_behind_the_final_message_of_a_correlation(void **state)
{
    static const row rows[] = {
        {"a yield behind the return",
         SENT,
         {REPLY, RETURN(OF_7), YIELD(OF_7)},
         "fail* RO-19d/M" HERE,
         RO},
        {"a second return", SENT, {REPLY, RETURN(OF_7), RETURN(OF_7)}, "fail* RO-19d/M" HERE, RO},
        {"of another resource, which plays no part",
         SENT,
         {REPLY, RETURN(OF_7),
          "{\"jsonrpc\":\"2.0\",\"method\":\"task.yield\",\"resource\":\"task\","
          "\"verb\":\"yield\"," STATUS("pending") ",\"request_id\":7}"},
         "fail* RO-19d/M" HERE,
         RO},
        {"behind a status error, whatever the verb",
         SENT,
         {REPLY, MESSAGE("yield", STATUS("error") OF_7), YIELD(OF_7)},
         "fail* RO-19i/S RO-19d/M" HERE,
         RO},
        {"behind a status done that was a yield, which only implies it",
         SENT,
         {REPLY, MESSAGE("yield", STATUS("done") OF_7), RETURN(OF_7)},
         "warn RO-19i/S RO-19d/S" HERE,
         RO},
        {"on another connection",
         SENT,
         {REPLY, RETURN(OF_7), "@b " YIELD(OF_7)},
         "fail* RO-19d/M RO-19j=on the connection of the request RO-19j=on another connection",
         RO},
        {"by target where there is no request_id",
         SENT,
         {REPLY, RETURN(OF_TARGET("s1")), YIELD(OF_TARGET("s1"))},
         "fail* RO-19d/M",
         RO},
        {"another target goes on",
         SENT,
         {REPLY, RETURN(OF_TARGET("s1")), YIELD(OF_TARGET("s2")), RETURN(OF_TARGET("s2"))},
         "pass",
         RO},
        {"the same target of another resource goes on",
         SENT,
         {REPLY, RETURN(OF_TARGET("9")),
          "{\"jsonrpc\":\"2.0\",\"method\":\"log.yield\",\"resource\":\"log\","
          "\"verb\":\"yield\"," STATUS("pending") OF_TARGET("9") "}"},
         "pass",
         RO},
        {"a target is not the one of results with a request_id",
         SENT,
         {REPLY, RETURN(OF_7), YIELD(OF_TARGET("j"))},
         "pass" HERE,
         RO},
        {"with neither nothing is known", SENT, {REPLY, RETURN(""), YIELD("")}, "pass", RO},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_has_the_form_of_a_notification_with_its_fields),
        cmocka_unit_test(a_status_agrees_with_its_verb),
        cmocka_unit_test(a_request_id_is_the_id_of_a_call_with_its_type),
        cmocka_unit_test(nothing_comes_behind_the_final_message_of_a_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
