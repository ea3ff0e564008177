// Batches: pairing in any order, what is lacking or too many, Arrays that were split or unwrapped.
#include "tests/unit/judge/bench_starve.h"

#include <time.h>

#define TWO_CALLS                                                                                  \
    "[{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":7},"                                    \
    "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":\"8\"}]"
#define TWO_ERRORS                                                                                 \
    "[{\"error\":{\"code\":-32601},\"id\":7},{\"error\":{\"code\":-32601},\"id\":\"8\"}]"
#define CASE(rules) "\"rules\":[" rules "],\"send\":" TWO_CALLS ",\"expect\":" TWO_ERRORS
#define A7 ERROR_ANSWER("-32601", "7")
#define A8 ERROR_ANSWER("-32601", "\"8\"")
#define MIXED(rules)                                                                               \
    "\"rules\":[" rules "],\"send\":[1,2," CALL "],\"expect\":[{\"error\":{\"code\":-32600},"      \
    "\"id\":null},{\"error\":{\"code\":-32600},\"id\":null},{\"error\":{\"code\":-32601},\"id\":"  \
    "7}]"
#define NULL_32600 ERROR_ANSWER("-32600", "null")
#define ONE(rules)                                                                                 \
    "\"rules\":[" rules "],\"send\":[" CALL "],\"expect\":[{\"error\":{\"code\":-32601},\"id\":7}" \
    "]"

#define EITHER(rules)                                                                              \
    "\"rules\":[" rules "],\"send\":" TWO_CALLS ",\"expect\":{\"any-of\":[{\"batch\":" TWO_ERRORS  \
    "},{\"error\":{\"code\":-32600},\"id\":null,\"as\":\"observe:refused\"}]}"

#define ANY_ERROR                                                                                  \
    "\"rules\":[\"X-must\"],\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"fails\",\"id\":null},1],"  \
    "\"expect\":[{\"error\":{},\"id\":null},{\"error\":{\"code\":-32600},\"id\":null}]"

#define NULL_OR_KEPT                                                                               \
    "\"rules\":[\"X-must\"],\"send\":[{\"jsonrpc\":\"2.0\",\"id\":\"8\"}," CALL                    \
    "],\"expect\":{\"any-of\":[{\"batch\":[{\"error\":{\"code\":-32600},\"id\":null},{\"error\":{" \
    "},"                                                                                           \
    "\"id\":7}],\"as\":\"observe:null\"},{\"batch\":[{\"error\":{\"code\":-32600},\"id\":\"8\"},"  \
    "{\"error\":{},\"id\":7}],\"as\":\"observe:kept\"}]}"

static void a_batch_among_alternatives(void **state)
{
    static const row rows[] = {
        {"in an Array", EITHER("\"X-must\""), {"[" A7 "," A8 "]"}, "pass"},
        {"in the other order", EITHER("\"X-must\""), {"[" A8 "," A7 "]"}, "pass"},
        {"the other alternative", EITHER("\"X-must\""), {NULL_32600}, "pass X-must=refused"},
        {"without an Array", EITHER("\"X-must\""), {A7, A8}, "warn J2-6a/S"},
        {"one of them without an Array", EITHER("\"X-must\""), {A7}, "warn J2-6a/S J2-6b/S"},
        {"a Response to none of them without an Array",
         EITHER("\"X-must\""),
         {ERROR_ANSWER("-32601", "9")},
         "fail* X-must/M"},
        {"another one without an Array",
         EITHER("\"X-must\""),
         {A7, ERROR_ANSWER("-32601", "9")},
         "fail* J2-6a/S J2-4e/M"},
        {"too many without an Array", EITHER("\"X-must\""), {A7, A8, A8}, "warn J2-6a/S J2-6b/S"},
        {"one is lacking", EITHER("\"X-must\""), {"[" A7 "]"}, "warn J2-6b/S"},
        {"one is another",
         EITHER("\"X-must\""),
         {"[" A7 "," ERROR_ANSWER("-32601", "9") "]"},
         "fail* J2-4e/M"},
        {"one is too many", EITHER("\"X-must\""), {"[" A7 "," A8 "," A8 "]"}, "warn J2-6b/S"},
        {"the alternative that agrees with most of it",
         NULL_OR_KEPT,
         {"[" ERROR_ANSWER("-32601", "null") "," ERROR_ANSWER("-32600", "\"8\"") "]"},
         "fail* J2-4e/M"},
        {"one is lacking where each alternative is only recorded",
         NULL_OR_KEPT,
         {"[" ERROR_ANSWER("-32600", "\"8\"") "]"},
         "warn J2-6b/S"},
        {"all are refused where each alternative is only recorded",
         NULL_OR_KEPT,
         {NULL_32600},
         "warn J2-6a/S"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void elements_are_paired_by_id_in_any_order(void **state)
{
    static const row rows[] = {
        {"in order", CASE("\"X-must\""), {"[" A7 "," A8 "]"}, "pass"},
        {"in the other order", CASE("\"X-must\""), {"[" A8 "," A7 "]"}, "pass"},
        {"equal elements are counted",
         MIXED("\"X-must\""),
         {"[" A7 "," NULL_32600 "," NULL_32600 "]"},
         "pass"},
        {"any error and a certain one with the same id",
         ANY_ERROR,
         {"[" ERROR_ANSWER("-32001", "null") "," NULL_32600 "]"},
         "pass"},
        {"… in the other order",
         ANY_ERROR,
         {"[" NULL_32600 "," ERROR_ANSWER("-32001", "null") "]"},
         "pass"},
        {"one of equal elements is lacking",
         MIXED("\"X-must\""),
         {"[" NULL_32600 "," A7 "]"},
         "fail* J2-6g/M"},
        {"one equal element too many",
         MIXED("\"X-must\""),
         {"[" NULL_32600 "," A7 "," NULL_32600 "," NULL_32600 "]"},
         "warn J2-6b/S"},
        {"a Response is lacking", CASE("\"J2-6b\""), {"[" A7 "]"}, "warn J2-6b/S"},
        {"a Response is too many", CASE("\"X-must\""), {"[" A7 "," A8 "," A7 "]"}, "warn J2-6b/S"},
        {"an empty Array lacks all", CASE("\"X-must\""), {"[]"}, "warn J2-6b/S"},
        {"a wrong code is told under the id",
         CASE("\"X-must\""),
         {"[" ERROR_ANSWER("-32000", "7") "," A8 "]"},
         "fail* X-must/M"},
        {"an id that lost its type is J2-4e alone",
         CASE("\"X-must\""),
         {"[" A7 "," ERROR_ANSWER("-32601", "8") "]"},
         "fail* J2-4e/M"},
        {"an id that is missing is J2-5f alone",
         CASE("\"X-must\""),
         {"[" A7 ",{\"jsonrpc\":\"2.0\"," OK_ERROR "}]"},
         "fail* J2-5f/M"},
        {"crossed codes are two wrong codes, told once",
         "\"rules\":[\"X-must\"],\"send\":" TWO_CALLS ",\"expect\":[{\"error\":{\"code\":-32601},"
         "\"id\":7},{\"error\":{\"code\":-32602},\"id\":\"8\"}]",
         {"[" ERROR_ANSWER("-32602", "7") "," A8 "]"},
         "fail* J2-4e/M"},
        {"every element's envelope is checked",
         CASE("\"X-must\""),
         {"[" A7 ",{\"jsonrpc\":\"1.0\"," OK_ERROR ",\"id\":\"8\"}]"},
         "fail* J2-5b/M"},
        {"a scalar in the Array is not a Response",
         CASE("\"X-must\""),
         {"[" A7 "," A8 ",7]"},
         "fail* J2-5h/M J2-6b/S"},
        {"a whole answer is silence when nothing came", CASE("\"J2-6a\""), {0}, "warn J2-6a/S"},
        {"an unreadable answer is told once", CASE("\"X-must\""), {"[{]"}, "fail* J2-5j/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void an_answer_that_is_no_array_is_a_matter_of_form(void **state)
{
    static const row rows[] = {
        {"split into two messages, in a case on the form: that rule",
         CASE("\"J2-6a\""),
         {A7, A8},
         "warn J2-6a/S"},
        {"split into two messages, elsewhere: J2-6a, and the Responses are judged",
         CASE("\"X-must\""),
         {A7, A8},
         "warn J2-6a/S"},
        {"split, and one of them wrong",
         CASE("\"X-must\""),
         {A7, ERROR_ANSWER("-1", "\"8\"")},
         "fail* J2-6a/S X-must/M"},
        {"split, and one of them lacking", CASE("\"X-must\""), {A7}, "warn J2-6a/S J2-6b/S"},
        {"refused whole: none of the elements has a wrong id",
         CASE("\"X-must\""),
         {ERROR_ANSWER("-32601", "null")},
         "warn J2-6a/S"},
        {"split, in section 7's exchange: its own rule",
         CASE("\"J2-7\""),
         {A7, A8},
         "fail* J2-7/M"},
        {"a batch of one, unwrapped, elsewhere: J2-6h", ONE("\"X-must\""), {A7}, "warn J2-6h/S"},
        {"one Response to a batch of several, unwrapped: J2-6a",
         "\"rules\":[\"X-must\"],\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}," CALL "],"
         "\"expect\":[{\"error\":{\"code\":-32601},\"id\":7}]",
         {ANSWER},
         "warn J2-6a/S"},
        {"a parse error in an Array, whatever the case is after: J2-6e",
         "\"rules\":[\"X-must\"],\"send-text\":\"[1\",\"expect\":{\"any-of\":["
         "{\"error\":{\"code\":-32700},\"id\":null},{\"closed\":true}]}",
         {"[" ERROR_ANSWER("-32700", "null") "]"},
         "fail* J2-6e/M"},
        {"a wrong id in a batch for which several answers are recorded is reported as that",
         "\"rules\":[\"X-must\"],\"send\":[{\"method\":\"m\",\"id\":1}," CALL "],\"expect\":{"
         "\"any-of\":[{\"batch\":[{\"error\":{\"code\":-32600},\"id\":null},{\"error\":{},\"id\":7}"
         "],"
         "\"as\":\"observe:a\"},{\"batch\":[{\"error\":{},\"id\":1},{\"error\":{},\"id\":7}],"
         "\"as\":\"observe:b\"}]}",
         {"[" NULL_32600 "," ERROR_ANSWER("-32601", "null") "]"},
         "fail* J2-4e/M"},
        {"a batch of one, in its Array", ONE("\"X-must\""), {"[" A7 "]"}, "pass"},
        {"two Arrays are none", CASE("\"J2-6a\""), {"[" A7 "]", "[" A8 "]"}, "warn J2-6a/S"},
        {"an empty batch is one Response, not an Array",
         "\"rules\":[\"J2-6d\"],\"send\":[],\"expect\":{\"error\":{\"code\":-32600},\"id\":null}",
         {"[" NULL_32600 "]"},
         "fail* J2-6d/M"},
        {"an empty batch is not answered by an empty Array",
         "\"rules\":[\"J2-6d\"],\"send\":[],\"expect\":{\"error\":{\"code\":-32600},\"id\":null}",
         {"[]"},
         "fail* J2-6d/M"},
        {"an empty batch is answered by one Response",
         "\"rules\":[\"J2-6d\"],\"send\":[],\"expect\":{\"error\":{\"code\":-32600},\"id\":null}",
         {NULL_32600},
         "pass"},
        {"an empty Array as an answer is told by its own rule where a case is about white space",
         "\"rules\":[\"X-must\"],\"send-text\":\"[ ]\",\"expect\":{\"any-of\":["
         "{\"error\":{\"code\":-32600},\"id\":null},{\"closed\":true}]}",
         {"[]"},
         "fail* J2-6d/M"},
        {"so is one to an Array within a batch",
         "\"rules\":[\"X-must\"],\"send\":[[1]],\"expect\":{\"any-of\":["
         "{\"error\":{\"code\":-32600},\"id\":null},{\"closed\":true}]}",
         {"[]"},
         "fail* J2-6i/M"},
        {"an answer without an id does not take the place of the one with it",
         "\"rules\":[\"X-must\"],\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}," CALL "],"
         "\"expect\":[{\"error\":{\"code\":-32601},\"id\":7}]",
         {"[{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"\"}}," A7 "]"},
         "fail* J2-5f/M J2-4.1b/M"},
        {"a notification in a batch that is answered is told where a case is after its width",
         "\"rules\":[\"X-must\"],\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}," CALL "],"
         "\"expect\":{\"any-of\":[{\"batch\":[{\"error\":{\"code\":-32601},\"id\":7}]},"
         "{\"closed\":true}]}",
         {"[" NULL_32600 "," A7 "]"},
         "fail* J2-4.1b/M"},
        {"a batch of notifications is not answered by an empty Array",
         "\"rules\":[\"J2-6f\"],\"send\":[{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\"}],"
         "\"expect\":\"nothing\"",
         {"[]"},
         "fail* J2-6f/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_calibrated_code_stands_for_method_not_found_in_batches(void **state)
{
    static const jck_calibration as_32000 = {
        .absent_answers = true, .absent_code_differs = true, .absent_code = -32000};
    static const row rows[] = {
        {"the known code passes",
         ONE("\"X-must\""),
         {"[" ERROR_ANSWER("-32000", "7") "]"},
         "pass",
         .known = &as_32000},
        {"another one does not",
         ONE("\"X-must\""),
         {"[" ERROR_ANSWER("-32001", "7") "]"},
         "fail* X-must/M",
         .known = &as_32000},
        {"the right one does", ONE("\"X-must\""), {"[" A7 "]"}, "pass", .known = &as_32000},
        {"where the code is on trial it does not",
         ONE("\"J2-5.1f\""),
         {"[" ERROR_ANSWER("-32000", "7") "]"},
         "fail* J2-5.1f/M",
         .known = &as_32000},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

// A peer chooses how many elements its answer has: the work may grow with their number, not with
// that number times the one of the calls. The limit is a hundred times what it takes.
static void a_long_answer_to_a_long_batch_is_judged_in_time(void **state)
{
    enum { ELEMENTS = 40000, SECONDS = 20 };
    static const row rows[] = {
        {"a long batch",
         "\"rules\":[\"X-must\"],\"send-repeat\":{\"prefix\":\"[\",\"unit\":\"{\\\"jsonrpc\\\":"
         "\\\"2.0\\\"},\",\"times\":20000,\"suffix\":\"1]\"},\"expect\":\"anything\"",
         {NULL},
         ""},
    };
    bench b;
    execution run;
    jrpc_arena arena;
    jck_verdict verdict;
    jrpc_buffer text;
    (void)state;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), BENCH_BYTES);
    for (size_t i = 0; i < ELEMENTS; i++) {
        jrpc_buffer_append_str(&text, i == 0 ? "[" A7 : "," A7);
    }
    jrpc_buffer_append_char(&text, ']');
    assert_false(text.failed);
    bench_load(&b, rows, 1);
    bench_send(&b, 0, &run);
    const jck_message message = {.direction = JCK_RECEIVED,
                                 .connection = 'a',
                                 .bytes = jrpc_buffer_slice(&text),
                                 .true_len = text.len};
    assert_true(jck_evidence_add(&run.evidence, &message));
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)1 << 30);
    clock_t before = clock();
    bench_judge(&b, 0, &run, &arena, &verdict);
    assert_true((clock() - before) / CLOCKS_PER_SEC < SECONDS);
    assert_string_equal(bench_spell(&verdict, &arena), "pass");
    jrpc_arena_done(&arena);
    bench_forget(&run);
    bench_done(&b);
    jrpc_buffer_done(&text);
}

// "owed" is judged as if what is owed had been written.
static void what_is_owed_can_be_expected_without_a_pattern(void **state)
{
#define OWED(payload) "\"rules\":[\"X-must\"],\"send\":" payload ",\"expect\":\"owed\""
    static const row rows[] = {
        {"a call", OWED(CALL), {A7}, "pass"},
        {"a call, with another id", OWED(CALL), {A8}, "fail* J2-4e/M"},
        {"a call, and silence", OWED(CALL), {0}, "fail* X-must/M"},
        {"no valid Request",
         OWED("{\"id\":7}"),
         {ERROR_ANSWER("-32600", "7")},
         "pass invalid-request-id=echoed"},
        {"no valid Request, served",
         OWED("{\"method\":\"${absent}\",\"id\":7}"),
         {A7},
         "warn J2-5.1e/S"},
        {"another code for it", OWED("7"), {ERROR_ANSWER("-32700", "null")}, "fail* J2-5.1e/M"},
        {"an empty Array", OWED("[]"), {NULL_32600}, "pass"},
        {"a notification", OWED("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"), {0}, "pass"},
        {"a notification that is answered",
         OWED("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"),
         {NULL_32600},
         "fail* J2-4.1a/M"},
        {"a Response", OWED("{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":7}"), {NULL_32600}, "pass"},
        {"a batch",
         OWED("[1," CALL ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]"),
         {"[" NULL_32600 "," A7 "]"},
         "pass"},
        {"a batch in which an id of its own stands after one that is null",
         OWED("[{\"id\":7},1]"),
         {"[" NULL_32600 "," ERROR_ANSWER("-32600", "7") "]"},
         "pass"},
        {"a batch that lacks one", OWED("[1," CALL "]"), {"[" A7 "]"}, "fail* J2-6g/M"},
        {"text that is not JSON",
         "\"rules\":[\"X-must\"],\"send-text\":\"{\",\"expect\":\"owed\"",
         {ERROR_ANSWER("-32700", "null")},
         "pass"},
        {"text that is not JSON, answered otherwise",
         "\"rules\":[\"X-must\"],\"send-text\":\"{\",\"expect\":\"owed\"",
         {NULL_32600},
         "fail* X-must/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_owed_can_be_expected_without_a_pattern),
        cmocka_unit_test(a_batch_among_alternatives),
        cmocka_unit_test(elements_are_paired_by_id_in_any_order),
        cmocka_unit_test(an_answer_that_is_no_array_is_a_matter_of_form),
        cmocka_unit_test(a_calibrated_code_stands_for_method_not_found_in_batches),
        cmocka_unit_test(a_long_answer_to_a_long_batch_is_judged_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
