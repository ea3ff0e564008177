// Whose sentence a missing answer breaks, or one whose form hides what is missing.
#include "tests/unit/judge/bench_starve.h"

static void silence_is_held_against_the_rule_that_asks_for_an_answer(void **state)
{
    static const jrpc_slice batches[] = {JRPC_SLICE_INIT("J2-6a")};
    static const jck_calibration no_batches = {
        .absent_answers = true, .broken = batches, .broken_count = 1};
    static const row rows[] = {
        {
            "silence is the first rule's where that binds",
            ON_CALL(UNKNOWN),
            {0},
            "fail* X-must/M",
        },
        {"silence to a call is J2-5a where the case lists the code's own rule",
         SEND("\"X-must\",\"J2-5.1f\"", CALL, UNKNOWN),
         {0},
         "fail* J2-5a/M"},
        {"a rejection by another code is about the code, though its id is null",
         ON_CALL("{\"any-of\":[{\"error\":{\"code\":-32600},\"id\":{\"$in\":[null,7]},"
                 "\"as\":\"observe:refused\"},{\"error\":{}}]}"),
         {ERROR_ANSWER("-32700", "null")},
         "fail* J2-5.1e/M"},
        {"silence to a call is J2-5a where the case is about its id",
         SEND("\"J2-4e\"", CALL, UNKNOWN),
         {0},
         "fail* J2-5a/M"},
        {"silence to what is not JSON is the code's own rule where the case lists it",
         SEND_TEXT("\"X-must\",\"J2-5.1d\"", "{", "{\"error\":{\"code\":-32700}}"),
         {0},
         "fail* J2-5.1d/M"},
        {"silence to a call is J2-5a where the rule is weak",
         SEND("\"X-should\"", CALL, UNKNOWN),
         {0},
         "fail* J2-5a/M"},
        {"silence to a call is J2-5a where the rule only observes",
         SEND("\"X-open\"", CALL, UNKNOWN),
         {0},
         "fail* J2-5a/M"},
        {"silence to a call is J2-5a where the method takes the params",
         "\"needs\":[\"echo\"]," SEND("\"J2-4.2a\"", CALL, UNKNOWN),
         {0},
         "fail* J2-5a/M"},
        {"silence to a call whose params are null is J2-5a where the rule is weak",
         SEND("\"X-should\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":null,\"id\":7}",
              "{\"error\":{\"code\":-32600},\"id\":7}"),
         {0},
         "fail* J2-5a/M"},
        {"silence to what is no call stays with the weak rule",
         SEND("\"X-should\"", "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":7}",
              "{\"error\":{\"code\":-32600},\"id\":7}"),
         {0},
         "warn X-should/S"},
        {"a level that the case raises makes the rule strong again",
         "\"level-of\":{\"X-should\":\"M\"}," SEND("\"X-should\"", CALL, UNKNOWN),
         {0},
         "fail* X-should/M"},
        {"silence is not told again where what came was not JSON",
         ON_CALL(UNKNOWN),
         {"{\"id\":7,"},
         "fail* J2-5j/M"},
        {"silence to a call under a rule on the form of Responses is J2-5a",
         SEND("\"J2-5b\"", CALL, UNKNOWN),
         {0},
         "fail* J2-5a/M"},
        {"silence under a rule on the form of Responses is J2-5a where no code is owed",
         SEND("\"J2-5b\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7}", "{\"result\":1}"),
         {0},
         "fail* J2-5a/M"},
        {"silence to a batch under a rule on the form of Responses is J2-6a",
         SEND("\"J2-5b\"", "[" CALL "]", "[{\"error\":{\"code\":-32601},\"id\":7}]"),
         {0},
         "warn J2-6a/S"},
        {"silence to a batch is J2-6b where the case is about the notification in it",
         SEND("\"J2-4.1d\"", "[" CALL "]", "[{\"error\":{\"code\":-32601},\"id\":7}]"),
         {0},
         "warn J2-6b/S"},
        {"a call of a batch that got no Response is J2-6b where the case is about notifications",
         SEND("\"J2-4.1c\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":8}]",
              "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{},\"id\":8}]"),
         {"[" ERROR_ANSWER("-32600", "8") "]"},
         "warn J2-6b/S"},
        {"silence to a call is J2-5a where the case is about the form of a success",
         SEND("\"J2-5c\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7}", "{\"result\":1}"),
         {0},
         "fail* J2-5a/M"},
        {"silence to an empty batch is J2-6d, whatever else the case is about",
         SEND("\"J2-5f\"", "[]", "{\"error\":{\"code\":-32600},\"id\":null}"),
         {0},
         "fail* J2-6d/M"},
        {"an Array as the answer to an empty batch is J2-6d, whatever else the case is about",
         SEND("\"X-must\"", "[]", "{\"error\":{\"code\":-32600},\"id\":null}"),
         {"[" ERROR_ANSWER("-32600", "null") "]"},
         "fail* J2-6d/M"},
        {"several messages for a batch are told as its form, not as too many for a call",
         SEND("\"X-must\"", "[" CALL ",{\"jsonrpc\":\"2.0\",\"method\":\"n\"}]",
              "{\"any-of\":[{\"batch\":[{\"error\":{},\"id\":7}]},{\"error\":{},\"id\":null}]}"),
         {ANSWER, ERROR_ANSWER("-32601", "null")},
         "fail* J2-6a/S J2-4.1b/M"},
        {"silence to a batch is J2-6a, and blocks, where batches are known not to be answered",
         SEND("\"X-must\"", "[" CALL "]", "[{\"error\":{\"code\":-32601},\"id\":7}]"),
         {0},
         "blocked J2-6a/S?",
         .known = &no_batches},
        {"silence of a single call is no matter of batches",
         ON_CALL(UNKNOWN),
         {0},
         "fail* X-must/M",
         .known = &no_batches},
        {"a capped answer is an answer, whose content is not judged",
         ON_CALL(UNKNOWN),
         {"@cut {\"jsonrpc\":"},
         "pass"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void text_that_was_read_as_a_batch_stands_on_batches(void **state)
{
    static const jrpc_slice batches[] = {JRPC_SLICE_INIT("J2-6a")};
    static const jck_calibration no_batches = {
        .absent_answers = true, .broken = batches, .broken_count = 1};
#define STRAY(text)                                                                                \
    SEND_TEXT("\"X-must\"", text,                                                                  \
              "{\"any-of\":[{\"error\":{\"code\":-32700},\"id\":null}],\"else\":\"J2-5.1d\"}")
    static const row rows[] = {
        {"an Array that a lenient reader takes is refused as every batch is",
         STRAY("[1,]"),
         {ERROR_ANSWER("-32600", "null")},
         "blocked",
         .known = &no_batches},
        {"where batches are known, it is the wrong code",
         STRAY("[1,]"),
         {ERROR_ANSWER("-32600", "null")},
         "fail* J2-5.1d/M"},
        {"what is not an Array is no batch",
         STRAY("{1,}"),
         {ERROR_ANSWER("-32600", "null")},
         "fail* J2-5.1d/M",
         .known = &no_batches},
        {"another code is no refusal of batches",
         STRAY("[1,]"),
         {ERROR_ANSWER("-32603", "null")},
         "fail* J2-5.1d/M",
         .known = &no_batches},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_is_held_against_the_rule_that_asks_for_an_answer),
        cmocka_unit_test(text_that_was_read_as_a_batch_stands_on_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
