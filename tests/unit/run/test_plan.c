// Plans: grounds first and once, hazards last, shards that together are the whole, orders that a
// seed repeats.
#include "harness/run/plan.h"

#include "tests/unit/suite/folder.h"

#define RULE(id, more)                                                                             \
    "{\"id\":\"" id "\",\"level\":\"M\",\"section\":\"1\",\"title\":\"t\",\"sentence\":\"s\","     \
    "\"source\":\"s\"" more "}"
// clang-format off
static const char rules[] =
    "{\"schema\":1,\"specification\":\"s\",\"title\":\"t\",\"rules\":["
    RULE("A-1", ",\"ground\":\"t/2\"") ","
    RULE("A-2", "") ","
    RULE("A-5", ",\"ground\":\"t/4\",\"roles\":[\"method-not-found\"]") ","
    RULE("A-3", ",\"ground\":\"t/2\"") ","
    RULE("A-4", ",\"ground\":\"t/no-such-case\"") "]}";
// clang-format on
#define ONE(id, more)                                                                              \
    "{\"id\":\"t/" id                                                                              \
    "\",\"title\":\"t\",\"rules\":[\"A-1\"],\"send\":1,\"expect\":\"nothing\"" more "}"
#define LONG(id)                                                                                   \
    "{\"id\":\"t/" id                                                                              \
    "\",\"title\":\"t\",\"rules\":[\"A-1\"],\"steps\":[{\"send\":1},{\"send\":2,\"expect\":"       \
    "\"nothing\"}]}"
#define NULL_ID(id)                                                                                \
    "{\"id\":\"t/" id                                                                              \
    "\",\"title\":\"t\",\"rules\":[\"A-1\"],\"send\":[1,{\"id\":null}],\"expect\":\"nothing\"}"
#define HAZARD ",\"hazard\":true"
static const char cases[] =
    "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\","
    "\"cases\":[" ONE("0", "") "," ONE("1", HAZARD) "," ONE("2", "") "," ONE(
        "3",
        ",\"bare\":true") "," ONE("4",
                                  "") "," ONE("5",
                                              HAZARD) "," ONE("6",
                                                              "") "," LONG("7") "," NULL_ID("8") "]"
                                                                                                 "}";
#define CASES 9

typedef struct fixture {
    folder files;
    jck_suite *suite;
    jrpc_arena arena;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    jrpc_error error = {0};
    folder_make(&f.files);
    folder_add(&f.files, "rules");
    folder_add(&f.files, "s");
    folder_write(&f.files, "rules/s.json", jrpc_slice_str(rules));
    folder_write(&f.files, "s/01.json", jrpc_slice_str(cases));
    f.suite = jck_suite_load(f.files.path, NULL, NULL, &error);
    if (f.suite == NULL) {
        fail_msg("%s", error.message);
    }
    jrpc_arena_init(&f.arena, jrpc_allocator_heap(), 1 << 20);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    jrpc_arena_done(&f->arena);
    jck_suite_free(f->suite);
    folder_remove(&f->files);
    return 0;
}

static const bool all[CASES] = {true, true, true, true, true, true, true, true, true};

// The last characters of the cases' ids, in order.
static const char *spelled(fixture *f, const jck_case **list, size_t count)
{
    char *text = jrpc_arena_alloc(&f->arena, count + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        text[i] = list[i]->id.ptr[list[i]->id.len - 1];
    }
    return text;
}

static const char *planned(fixture *f, jck_plan_options options)
{
    jck_plan plan;
    options.shard_count = options.shard_count == 0 ? 1 : options.shard_count;
    options.shard_index = options.shard_index == 0 ? 1 : options.shard_index;
    options.repeat = options.repeat == 0 ? 1 : options.repeat;
    assert_true(jck_plan_make(f->suite, &options, &f->arena, &plan));
    assert_string_equal(spelled(f, plan.grounds, plan.ground_count), "42");
    return spelled(f, plan.cases, plan.case_count);
}

// What is often left unanswered comes early.
static void grounds_come_first_and_hazards_last(void **state)
{
    fixture *f = *state;
    static const bool some[CASES] = {true, false, true, false, false, true, true, false, false};
    static const bool none[CASES] = {false};
    assert_string_equal(planned(f, (jck_plan_options){.selected = all}), "8036715");
    assert_string_equal(planned(f, (jck_plan_options){.selected = some}), "065");
    assert_string_equal(planned(f, (jck_plan_options){.selected = none}), "");
    assert_string_equal(planned(f, (jck_plan_options){.selected = all, .long_steps = 2}),
                        "8703615");
    assert_string_equal(planned(f, (jck_plan_options){.selected = all, .long_steps = 1}),
                        "8036715");
}

static void cases_without_the_prelude_come_together_where_that_is_asked_for(void **state)
{
    fixture *f = *state;
    assert_string_equal(planned(f, (jck_plan_options){.selected = all, .bare_last = true}),
                        "8067315");
    assert_string_equal(planned(f, (jck_plan_options){.selected = all}), "8036715");
}

static void a_ground_that_was_selected_is_asked_for_in_the_first_shard(void **state)
{
    fixture *f = *state;
    static const bool some[CASES] = {[2] = true};
    const jck_case *two = jck_suite_case(f->suite, 2);
    const jck_case *four = jck_suite_case(f->suite, 4);
    jck_plan_options options = {.selected = some, .shard_index = 1, .shard_count = 2};
    assert_true(jck_plan_asks_for(f->suite, &options, two));
    assert_false(jck_plan_asks_for(f->suite, &options, four));
    options.shard_index = 2;
    assert_false(jck_plan_asks_for(f->suite, &options, two));
}

static void a_ground_is_a_case_again_when_it_is_repeated(void **state)
{
    fixture *f = *state;
    assert_string_equal(planned(f, (jck_plan_options){.selected = all, .repeat = 3}), "8036715"
                                                                                      "802346715"
                                                                                      "802346715");
}

static void the_shards_together_are_the_whole(void **state)
{
    fixture *f = *state;
    for (unsigned count = 1; count <= CASES + 2; count++) {
        size_t seen[CASES] = {0};
        for (unsigned index = 1; index <= count; index++) {
            const char *part = planned(
                f, (jck_plan_options){.selected = all, .shard_index = index, .shard_count = count});
            for (; *part != '\0'; part++) {
                seen[*part - '0']++;
            }
        }
        for (int i = 0; i < CASES; i++) {
            assert_int_equal(seen[i], i == 2 || i == 4 ? 0 : 1); // grounds stand elsewhere
        }
    }
    assert_string_equal(
        planned(f, (jck_plan_options){.selected = all, .shard_index = 2, .shard_count = 4}), "15");
    static const bool some[CASES] = {true, false, true, false, false, true, true, false, false};
    assert_string_equal(
        planned(f, (jck_plan_options){.selected = some, .shard_index = 1, .shard_count = 2}), "05");
}

static void a_seed_gives_one_order_and_hazards_stay_last(void **state)
{
    fixture *f = *state;
    bool differs = false;
    char first[8] = "";
    for (uint64_t seed = 0; seed < 20; seed++) {
        const jck_plan_options options = {.selected = all, .shuffle = true, .seed = seed};
        const char *order = planned(f, options);
        assert_string_equal(order, planned(f, options));
        assert_int_equal(strlen(order), 7);
        for (const char *c = "0367"; *c != '\0'; c++) {
            const char *at = strchr(order, *c);
            assert_true(at != NULL && at < order + 5);
        }
        differs = differs || (seed > 0 && strcmp(order, first) != 0);
        (void)snprintf(first, sizeof first, "%s", order);
    }
    assert_true(differs);
}

static void no_memory_is_no_plan(void **state)
{
    fixture *f = *state;
    const jck_plan_options options = {
        .selected = all, .shard_index = 1, .shard_count = 1, .repeat = 1};
    for (size_t limit = 0; limit < 11 * sizeof(void *); limit += 2 * sizeof(void *)) {
        jrpc_arena small;
        jck_plan plan = {.ground_count = 77};
        jrpc_arena_init(&small, jrpc_allocator_heap(), limit);
        assert_false(jck_plan_make(f->suite, &options, &small, &plan));
        assert_int_equal(plan.ground_count, 77);
        jrpc_arena_done(&small);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(grounds_come_first_and_hazards_last),
        TEST(cases_without_the_prelude_come_together_where_that_is_asked_for),
        TEST(a_ground_that_was_selected_is_asked_for_in_the_first_shard),
        TEST(a_ground_is_a_case_again_when_it_is_repeated),
        TEST(the_shards_together_are_the_whole),
        TEST(a_seed_gives_one_order_and_hazards_stay_last),
        TEST(no_memory_is_no_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
