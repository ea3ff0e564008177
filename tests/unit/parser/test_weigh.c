// What one reply shows about one text: every class, and what is no loss.
#include "harness/parser/finding_kinds.h"
#include "harness/parser/growth.h"
#include "harness/parser/protocol.h"
#include "harness/parser/weigh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct row {
    const char *sent, *back;
    jck_class class;
} row;

static jck_class class_of(const char *sent, const char *back)
{
    jck_scale scale;
    jck_weight weight;
    jck_reply reply = {.kind = JCK_REPLY_ACCEPTED, .text = jrpc_slice_str(back)};
    jck_scale_init(&scale);
    jck_weigh(&scale, jrpc_slice_str(sent), &reply, &weight);
    assert_false(weight.deviations.failed);
    assert_true(weight.deviations.count <= 1); // one root is reported once
    jck_class class =
        weight.deviations.count == 0 ? JCK_CLASS_NONE : weight.deviations.items[0].class;
    jck_scale_done(&scale);
    return class;
}

static void check(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        jck_class class = class_of(rows[i].sent, rows[i].back);
        if (class != rows[i].class) {
            fail_msg("%s as %s: %s, not %s", rows[i].sent, rows[i].back, jck_class_name(class),
                     jck_class_name(rows[i].class));
        }
    }
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof *(rows))

static void spelling_and_order_are_no_loss(void **state)
{
    (void)state;
    static const row rows[] = {
        {"[1.0,1e2,0.10]", "[1,100,1E-1]", JCK_CLASS_NONE},
        {"\"\\u00e9\\/\"", "\"\xC3\xA9/\"", JCK_CLASS_NONE},
        {"\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\"", JCK_CLASS_NONE},
        {"\"\\ud800\"", "\"\\uD800\"", JCK_CLASS_NONE},
        {"{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", " {\"b\":{\"d\":3,\"c\":2}, \"a\":1} ",
         JCK_CLASS_NONE},
        {"{\"a\":1,\"a\":2}", "{\"a\":1, \"a\":2}", JCK_CLASS_NONE},
        {"[[[]],{}]", "[[[]] ,{}]", JCK_CLASS_NONE},
    };
    CHECK(rows);
}

static void numbers_are_told_by_how_far_they_are_off(void **state)
{
    (void)state;
    static const row rows[] = {
        {"9007199254740993", "9007199254740992", JCK_CLASS_NUMBER_ROUNDED},
        {"0.1234567890123456789", "0.12345678901234568", JCK_CLASS_NUMBER_ROUNDED},
        {"0.1", "0.100000001", JCK_CLASS_NUMBER_COARSE},
        {"9007199254740993", "9007199254740000", JCK_CLASS_NUMBER_COARSE},
        {"1", "2", JCK_CLASS_NUMBER_CHANGED},
        {"-1", "1", JCK_CLASS_NUMBER_CHANGED},
        {"4294967296", "0", JCK_CLASS_NUMBER_CHANGED},
        {"18446744073709551616", "0", JCK_CLASS_NUMBER_WRAPPED},
        {"1e400", "1.7976931348623157e308", JCK_CLASS_NUMBER_INFINITE},
        {"1e400", "null", JCK_CLASS_NUMBER_INFINITE},
        {"1e400", "0", JCK_CLASS_NUMBER_INFINITE},
        {"1e400", "9223372036854775807", JCK_CLASS_NUMBER_INFINITE},
        {"1e4294967297", "10", JCK_CLASS_NUMBER_WRAPPED},
        {"1e-400", "0", JCK_CLASS_NUMBER_ZERO},
        {"1e-300", "0", JCK_CLASS_NUMBER_COARSE},
        {"-0", "0", JCK_CLASS_NUMBER_SIGN},
        {"-0.0", "-0", JCK_CLASS_NONE},
        {"1", "\"1\"", JCK_CLASS_KIND_CHANGED},
        {"1", "null", JCK_CLASS_KIND_CHANGED},
    };
    CHECK(rows);
}

static void strings_are_told_by_what_happened_to_them(void **state)
{
    (void)state;
    static const row rows[] = {
        {"\"a\\u0000b\"", "\"a\"", JCK_CLASS_STRING_CUT_AT_NUL},
        {"\"\\u0000\"", "\"\"", JCK_CLASS_STRING_CUT_AT_NUL},
        {"\"abc\"", "\"ab\"", JCK_CLASS_STRING_CUT},
        {"\"\xF0\x9F\x98\x80\"", "\"\xEF\xBF\xBD\"", JCK_CLASS_STRING_REPLACED},
        {"\"abc\"", "\"abd\"", JCK_CLASS_STRING_CHANGED},
        {"\"a\\ud800b\"",
         "\"a\xEF\xBF\xBD"
         "b\"",
         JCK_CLASS_SURROGATE_REPLACED},
        {"\"\\ud800\"", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"", JCK_CLASS_SURROGATE_REPLACED},
        {"\"a\\ud800\"", "\"a?\"", JCK_CLASS_SURROGATE_REPLACED},
        {"\"a\\ud800b\"", "\"ab\"", JCK_CLASS_SURROGATE_CHANGED},
        {"true", "false", JCK_CLASS_KIND_CHANGED},
    };
    CHECK(rows);
}

static void members_and_elements_are_counted(void **state)
{
    (void)state;
    static const row rows[] = {
        {"{\"a\":1,\"a\":2}", "{\"a\":1}", JCK_CLASS_DUPLICATE_FIRST},
        {"{\"a\":1,\"a\":2}", "{\"a\":2}", JCK_CLASS_DUPLICATE_LAST},
        {"{\"a\":1,\"a\":1}", "{\"a\":1}", JCK_CLASS_DUPLICATE_ONE},
        {"{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}", JCK_CLASS_NONE},
        {"{\"a\":{\"x\":1},\"a\":{\"y\":2}}", "{\"a\":{\"x\":1,\"y\":2}}",
         JCK_CLASS_DUPLICATE_MERGED},
        {"{\"a\":1,\"a\":2}", "{\"a\":[1,2]}", JCK_CLASS_DUPLICATE_OTHER},
        {"{\"a\":1,\"b\":2}", "{\"a\":1}", JCK_CLASS_MEMBER_LOST},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", JCK_CLASS_MEMBER_ADDED},
        {"{\"a\\u0000b\":1}", "{\"a\":1}", JCK_CLASS_STRING_CUT_AT_NUL},
        {"{\"\\ud800\":1,\"\\ud801\":2}", "{\"\xEF\xBF\xBD\":2}", JCK_CLASS_SURROGATE_REPLACED},
        {"{\"\\ud800\":1,\"\\ud801\":2}", "{\"\xEF\xBF\xBD\":1}", JCK_CLASS_SURROGATE_REPLACED},
        // Names were replaced, and members come in another order: no value has changed.
        {"{\"\\ud800\":1,\"\\ud801\":2}", "{\"\xEF\xBF\xBD\":2,\"\xEF\xBF\xBD\":1}",
         JCK_CLASS_SURROGATE_REPLACED},
        {"{\"\\ud800\":0,\"{\\ud801\":\"\"}", "{\"{\xEF\xBF\xBD\":\"\",\"\xEF\xBF\xBD\":0}",
         JCK_CLASS_SURROGATE_REPLACED},
        {"{\"a\":1,\"e\":2}", "{\"a\":2}", JCK_CLASS_MEMBER_LOST},
        {"{\"a\":1,\"e\":2}", "{\"a\":1}", JCK_CLASS_MEMBER_LOST},
        {"[1,2]", "[1]", JCK_CLASS_ELEMENTS_CHANGED},
        {"[1,\"a\"]", "[\"a\",1]", JCK_CLASS_ELEMENTS_CHANGED},
        {"[]", "{}", JCK_CLASS_KIND_CHANGED},
        {"{}", "null", JCK_CLASS_KIND_CHANGED},
    };
    CHECK(rows);
}

// Up to this many elements, another order is looked for; longer Arrays are compared by position.
static void elements_out_of_order_are_seen_up_to_a_number_of_them(void **state)
{
    (void)state;
    for (int count = 63; count <= 66; count++) {
        char sent[512] = "";
        char back[512] = "";
        size_t sent_len = 0;
        size_t back_len = 0;
        for (int i = 0; i < count; i++) {
            const char *end = i + 1 < count ? "," : "]";
            sent_len += (size_t)snprintf(sent + sent_len, sizeof sent - sent_len, "%s%d%s",
                                         i == 0 ? "[" : "", i, end);
            back_len += (size_t)snprintf(back + back_len, sizeof back - back_len, "%s%d%s",
                                         i == 0 ? "[" : "", (i + 1) % count, end);
        }
        const row rows[] = {
            {sent, back, count <= 64 ? JCK_CLASS_ELEMENTS_CHANGED : JCK_CLASS_NUMBER_CHANGED}};
        CHECK(rows);
    }
}

static jrpc_slice kept_text(jck_parser_kinds *kinds, const char *text)
{
    const jck_weight weight = {.is_json = true};
    const jck_loss deviation = {.class = JCK_CLASS_NUMBER_ROUNDED};
    const jck_reply reply = {.kind = JCK_REPLY_ACCEPTED};
    jck_parser_kind *kind =
        jck_parser_kinds_add(kinds, &weight, &deviation, &reply, jrpc_slice_str(text));
    assert_non_null(kind);
    return jrpc_buffer_slice(&kind->text);
}

static void the_smallest_text_of_a_kind_is_kept_and_of_equals_the_first(void **state)
{
    (void)state;
    jck_parser_kinds kinds;
    jck_parser_kinds_init(&kinds);
    assert_true(jrpc_slice_is(kept_text(&kinds, "[1.0]"), "[1.0]"));
    assert_true(jrpc_slice_is(kept_text(&kinds, "[[1.0]]"), "[1.0]"));
    assert_true(jrpc_slice_is(kept_text(&kinds, "1.0"), "1.0"));
    assert_true(jrpc_slice_is(kept_text(&kinds, "2.0"), "1.0"));
    assert_int_equal(kinds.count, 1);
    jck_parser_kinds_done(&kinds);
}

static void what_is_not_json_is_told_by_its_breach(void **state)
{
    (void)state;
    static const row rows[] = {
        {"[1,]", "[1]", JCK_CLASS_ACCEPTS_OTHER},
        {"[1}", "[1]", JCK_CLASS_ACCEPTS_MISMATCHED},
        {"[[],{\"a\\\"[\":\"}\"]", "[]", JCK_CLASS_ACCEPTS_MISMATCHED},
        {"{\"a\":[1]]", "{}", JCK_CLASS_ACCEPTS_MISMATCHED},
        {"{\"\\\\\":[\"[\"]]", "{}", JCK_CLASS_ACCEPTS_MISMATCHED},
        {"{\"[\\\\\",1]", "{}", JCK_CLASS_ACCEPTS_OTHER},
        {"[\"\\\\\\\"{\"}", "[]", JCK_CLASS_ACCEPTS_MISMATCHED},
        {"[1", "[1]", JCK_CLASS_ACCEPTS_TRUNCATED},
        {"1.", "1", JCK_CLASS_ACCEPTS_OTHER},
        {"", "null", JCK_CLASS_ACCEPTS_OTHER},
        {"[1]x", "[1]", JCK_CLASS_ACCEPTS_TRAILING},
        {"\"\xFF\"", "\"?\"", JCK_CLASS_ACCEPTS_INVALID_UTF8},
        {"[NaN]", "[NaN]", JCK_CLASS_ACCEPTS_OTHER},
        {"[1e400]", "[Infinity]", JCK_CLASS_WRITES_NO_JSON},
    };
    CHECK(rows);
}

static void deep_values_are_compared_without_recursion(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *deep = malloc((size_t)2 * DEPTH + 2);
    char *other = malloc((size_t)2 * DEPTH + 2);
    assert_non_null(deep);
    assert_non_null(other);
    memset(deep, '[', DEPTH);
    memset(deep + DEPTH, ']', DEPTH);
    deep[(size_t)2 * DEPTH] = '\0';
    memcpy(other, deep, (size_t)2 * DEPTH + 1);
    other[(size_t)2 * DEPTH] = ' ';
    other[(size_t)2 * DEPTH + 1] = '\0';
    assert_int_equal(class_of(deep, other), JCK_CLASS_NONE);
    free(deep);
    free(other);
}

static void frames_say_what_happened(void **state)
{
    (void)state;
    static const struct {
        const char *frame;
        jck_frame_kind kind;
        jck_reply_kind reply;
    } rows[] = {
        {"A[1]", JCK_FRAME_REPLY, JCK_REPLY_ACCEPTED},  {"A", JCK_FRAME_REPLY, JCK_REPLY_ACCEPTED},
        {"a", JCK_FRAME_REPLY, JCK_REPLY_TAKEN},        {"R", JCK_FRAME_REPLY, JCK_REPLY_REFUSED},
        {"Rno", JCK_FRAME_REPLY, JCK_REPLY_REFUSED},    {"ab", JCK_FRAME_BAD, JCK_REPLY_RUBBISH},
        {"", JCK_FRAME_BAD, JCK_REPLY_RUBBISH},         {"x", JCK_FRAME_BAD, JCK_REPLY_RUBBISH},
        {"I{}", JCK_FRAME_IDENTITY, JCK_REPLY_RUBBISH},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_reply reply;
        assert_int_equal(jck_protocol_read(jrpc_slice_str(rows[i].frame), &reply), rows[i].kind);
        assert_int_equal(reply.kind, rows[i].reply);
        assert_true(rows[i].kind != JCK_FRAME_BAD || reply.why != NULL);
    }
}

#define HUNG (-2)

typedef const char *judge_growth(const jck_parser_exchange *exchanges, size_t count,
                                 jrpc_arena *arena);

static const char *judge_unsure(const jck_parser_exchange *exchanges, size_t count,
                                jrpc_arena *arena)
{
    (void)arena;
    return jck_growth_is_unsure(exchanges, count) ? "unsure" : NULL;
}

// Whether growth is found where each amount is the time in microseconds, and the memory in
// mebibytes, that a text took which is four times as long as the one before.
static bool finds(judge_growth *judge, const int64_t *amounts, size_t count)
{
    static char text[1];
    jck_parser_exchange exchanges[8];
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 1 << 16);
    size_t len = 16000;
    for (size_t i = 0; i < count; i++, len *= 4) {
        bool hung = amounts[i] == HUNG;
        exchanges[i] =
            (jck_parser_exchange){.text = jrpc_slice_of(text, len),
                                  .reply = {.kind = hung ? JCK_REPLY_HUNG : JCK_REPLY_TAKEN,
                                            .cpu_us = amounts[i],
                                            .memory = amounts[i] < 0 ? -1 : amounts[i] << 20}};
    }
    bool found = judge(exchanges, count, &arena) != NULL;
    jrpc_arena_done(&arena);
    return found;
}

static bool grows(const int64_t *times_us, size_t count)
{
    return finds(jck_growth_sentence, times_us, count);
}

static bool unsure(const int64_t *times_us, size_t count)
{
    return finds(judge_unsure, times_us, count);
}

static bool hoards(const int64_t *mebibytes, size_t count)
{
    return finds(jck_growth_of_memory, mebibytes, count);
}

static void memory_that_grows_faster_than_the_text_is_reported(void **state)
{
    (void)state;
    assert_true(hoards((int64_t[]){0, 4, 40, 640}, 4));
    assert_true(hoards((int64_t[]){1, 10, 160, HUNG}, 4));
    assert_false(hoards((int64_t[]){2, 10, 41, 170}, 4));
    assert_false(hoards((int64_t[]){0, 0, 8, 164}, 4)); // a heap that was not collected
    assert_false(hoards((int64_t[]){0, 0, 3, 48}, 4));  // heaps grow in steps
    assert_false(hoards((int64_t[]){0, 0, 0, 100}, 4)); // what it kept of earlier texts was enough
    assert_false(hoards((int64_t[]){-1, -1, -1, -1}, 4));
    assert_false(hoards((int64_t[]){160}, 1));
}

static void a_slow_parser_is_not_asked_what_takes_too_long(void **state)
{
    (void)state;
    static char text[1];
    jck_parser_exchange exchanges[] = {
        {.text = jrpc_slice_of(text, 16000), .reply = {.cpu_us = 200000, .took_us = 200000}},
        {.text = jrpc_slice_of(text, 64000), .reply = {.cpu_us = 800000, .took_us = 800000}},
    };
    assert_true(jck_growth_can_stop(exchanges, 2, 256000, 2500000));
    assert_false(jck_growth_can_stop(exchanges, 2, 256000, 5000000));
    assert_false(jck_growth_can_stop(exchanges, 1, 64000, 2500));
    exchanges[0].reply.cpu_us = 50000; // not merely slow
    assert_false(jck_growth_can_stop(exchanges, 2, 256000, 2500000));
    // Where three have shown it, the fourth need not hang.
    const jck_parser_exchange three[] = {
        {.text = jrpc_slice_of(text, 4000), .reply = {.cpu_us = 3200}},
        exchanges[0],
        exchanges[1],
    };
    assert_true(jck_growth_can_stop(three, 3, 256000, 2500000));
    assert_false(jck_growth_can_stop(three, 3, 256000, 20000000));
    assert_false(jck_growth_can_stop(three + 1, 2, 256000, 2500000));
}

static void only_clear_growth_is_reported(void **state)
{
    (void)state;
    assert_true(grows((int64_t[]){1000, 16000, 256000, 4096000}, 4));
    assert_true(grows((int64_t[]){200, 3200, 51200}, 3));
    assert_false(grows((int64_t[]){1000, 4000, 16000, 64000}, 4));
    assert_false(grows((int64_t[]){1000, 5000, 25000, 130000}, 4)); // n log n, and a cache
    assert_false(grows((int64_t[]){10, 160, 2560, 15000}, 4));      // too short to be measured
    assert_false(grows((int64_t[]){1000, 4000, 16000, 150000}, 4)); // one step alone
    assert_false(grows((int64_t[]){1000, 16000}, 2));
    assert_true(grows((int64_t[]){1000, 16000, 256000, HUNG}, 4));
    assert_false(grows((int64_t[]){1000, 4000, 16000, HUNG}, 4));
}

static void times_that_nearly_show_growth_are_measured_again(void **state)
{
    (void)state;
    assert_true(unsure((int64_t[]){1000, 16000, 256000}, 3));  // growth
    assert_true(unsure((int64_t[]){10000, 16000, 256000}, 3)); // the first time is too long
    assert_true(unsure((int64_t[]){1000, 80000, 256000}, 3));  // the second
    assert_true(unsure((int64_t[]){1000, 4000, 16000, 150000}, 4));
    assert_true(unsure((int64_t[]){16000, 256000}, 2));
    assert_true(unsure((int64_t[]){1000, 16000, 256000, HUNG}, 4));
    assert_false(unsure((int64_t[]){1000, 5000, 25000, 130000}, 4)); // n log n, and a cache
    assert_false(unsure((int64_t[]){1000, 4000, 16000, 64000}, 4));
    assert_false(unsure((int64_t[]){10, 160, 2560, 15000}, 4)); // too short to be measured
    assert_false(unsure((int64_t[]){256000}, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelling_and_order_are_no_loss),
        cmocka_unit_test(numbers_are_told_by_how_far_they_are_off),
        cmocka_unit_test(strings_are_told_by_what_happened_to_them),
        cmocka_unit_test(members_and_elements_are_counted),
        cmocka_unit_test(what_is_not_json_is_told_by_its_breach),
        cmocka_unit_test(elements_out_of_order_are_seen_up_to_a_number_of_them),
        cmocka_unit_test(the_smallest_text_of_a_kind_is_kept_and_of_equals_the_first),
        cmocka_unit_test(deep_values_are_compared_without_recursion),
        cmocka_unit_test(frames_say_what_happened),
        cmocka_unit_test(only_clear_growth_is_reported),
        cmocka_unit_test(times_that_nearly_show_growth_are_measured_again),
        cmocka_unit_test(memory_that_grows_faster_than_the_text_is_reported),
        cmocka_unit_test(a_slow_parser_is_not_asked_what_takes_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
