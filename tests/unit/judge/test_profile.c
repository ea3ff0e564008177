// What a profile makes of the same answers: levels, answers that are accepted, Arrays in order.
#include "tests/unit/judge/bench.h"

#define WHY "\"sentence\":\"s\",\"source\":\"s\"}"
#define LEVEL(rule, level) "\"levels\":[{\"rules\":[\"" rule "\"],\"level\":\"" level "\"," WHY "]"
#define ACCEPT(about, answers) "\"accept\":[{" about ",\"answers\":[" answers "]," WHY "]"
#define CASE(rule, send, expect) SEND("\"" rule "\"", send, expect)
#define NULL_CALL "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":null}"
#define REFUSED "{\"jsonrpc\":\"2.0\"," ERROR_CODE("-32600") ",\"id\":null}"

static void a_level_of_a_profile_outweighs_the_catalogue(void **state)
{
    static const row lowered[] = {
        {"a MUST is only recorded",
         CASE("X-must", CALL, UNKNOWN),
         {ERROR_ANSWER("-32000", "7")},
         "observe X-must/O"},
        {"another rule keeps its level",
         CASE("X-should", CALL, UNKNOWN),
         {ERROR_ANSWER("-32000", "7")},
         "warn X-should/S"},
    };
    static const row off[] = {
        {"nothing is held against a rule that is off",
         CASE("X-must", CALL, UNKNOWN),
         {ERROR_ANSWER("-32000", "7")},
         "pass"},
    };
    static const row lenient[] = {
        {"what is served is a MUST where the profile raises the rule",
         CASE("J2-4a", "{\"jsonrpc\":\"3\",\"method\":\"${absent}\",\"id\":7}",
              "{\"rejected\":\"J2-4a\"}"),
         {ANSWER},
         "fail* J2-4a/M"},
    };
    (void)state;
    BENCH_CHECK_UNDER(LEVEL("X-must", "O"), lowered);
    BENCH_CHECK_UNDER(LEVEL("X-must", "off"), off);
    BENCH_CHECK_UNDER(LEVEL("J2-4a", "M"), lenient);
}

static void a_level_that_the_judge_chose_is_bounded(void **state)
{
    // No JSON is always a MUST, whatever a case says; a profile may still say otherwise.
    static const row rows[] = {
        {"bounded", CASE("X-must", CALL, "\"anything\""), {"{\"jsonrpc\":"}, "warn J2-5j/S"},
    };
    static const row raised[] = {
        {"not raised",
         CASE("X-should", CALL, "{\"any-of\":[{\"error\":{},\"as\":\"warn\"}]}"),
         {ANSWER},
         "warn X-should/S"},
    };
    (void)state;
    BENCH_CHECK_UNDER(LEVEL("J2-5j", "S"), rows);
    BENCH_CHECK_UNDER(LEVEL("X-should", "M"), raised);
}

static void what_is_accepted_is_tried_before_what_is_expected(void **state)
{
    static const row null_ids[] = {
        {"a refusal is recorded by name",
         CASE("J2-4f", NULL_CALL, UNKNOWN),
         {REFUSED},
         "pass X-open=refused"},
        {"silence is a warning of the rule that is named",
         CASE("J2-4f", NULL_CALL, UNKNOWN),
         {NULL},
         "warn X-should/S"},
        {"what was asked for passes still",
         CASE("J2-4f", NULL_CALL, UNKNOWN),
         {ERROR_ANSWER("-32601", "null")},
         "pass"},
        {"anything else is judged as ever",
         CASE("J2-4f", NULL_CALL, UNKNOWN),
         {ERROR_ANSWER("-32000", "null")},
         "fail* J2-4f/M"},
        {"two answers are two",
         CASE("J2-4f", NULL_CALL, UNKNOWN),
         {REFUSED, ERROR_ANSWER("-32601", "null")},
         "fail* J2-5a/M J2-4f/M"},
        {"a call with another id has no part in it",
         CASE("J2-4f", CALL, UNKNOWN),
         {REFUSED},
         "fail* J2-4f/M"},
    };
    static const row batches[] = {
        {"an Array is refused by one Response",
         CASE("J2-6a", "[" CALL "]", "[{\"id\":7}]"),
         {REFUSED},
         "pass"},
        {"or dropped", CASE("J2-6a", "[" CALL "]", "[{\"id\":7}]"), {NULL}, "pass X-open=dropped"},
        {"also where nothing is owed for it",
         CASE("J2-6f", "[{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}]", "\"nothing\""),
         {REFUSED},
         "pass"},
        {"a notification alone gets silence",
         CASE("J2-4.1a", "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}", "\"nothing\""),
         {REFUSED},
         "fail* J2-4.1c/M"},
    };
    (void)state;
    BENCH_CHECK_UNDER(ACCEPT("\"sends\":[\"null-id\"]",
                             "{\"error\":{\"code\":-32600},\"id\":null,\"as\":\"observe:refused\","
                             "\"rule\":\"X-open\"},{\"nothing\":true,\"as\":\"warn\","
                             "\"rule\":\"X-should\"}"),
                      null_ids);
    BENCH_CHECK_UNDER(ACCEPT("\"sends\":[\"batch\"]",
                             "{\"error\":{\"code\":-32600},\"id\":null},{\"nothing\":true,"
                             "\"as\":\"observe:dropped\",\"rule\":\"X-open\"}"),
                      batches);
}

#define TWO                                                                                        \
    "[{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":7},"                                    \
    "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8}]"
#define SEVEN ERROR_ANSWER("-32601", "7")
#define EIGHT ERROR_ANSWER("-32601", "8")
#define PATTERNS "[{\"error\":{},\"id\":7},{\"error\":{},\"id\":8}]"
#define IN_ORDER "{\"batch\":" PATTERNS ",\"in-order\":true}"

static void a_batch_is_in_order_where_that_is_asked_for(void **state)
{
    static const row rows[] = {
        {"in order", CASE("X-must", TWO, IN_ORDER), {"[" SEVEN "," EIGHT "]"}, "pass"},
        {"the other way round",
         CASE("X-must", TWO, IN_ORDER),
         {"[" EIGHT "," SEVEN "]"},
         "fail* X-must/M"},
        {"any order is right elsewhere",
         CASE("X-must", TWO, PATTERNS),
         {"[" EIGHT "," SEVEN "]"},
         "pass"},
        {"one that is missing is not out of order",
         CASE("X-must", TWO, IN_ORDER),
         {"[" EIGHT "]"},
         "warn J2-6b/S"},
    };
    (void)state;
    BENCH_CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_of_a_profile_outweighs_the_catalogue),
        cmocka_unit_test(a_level_that_the_judge_chose_is_bounded),
        cmocka_unit_test(what_is_accepted_is_tried_before_what_is_expected),
        cmocka_unit_test(a_batch_is_in_order_where_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
