// Where parsers disagree, and what of a text may be refused.
#include "harness/parser/contrast.h"
#include "harness/parser/leeway.h"
#include "harness/parser/lessen.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// "R…" refused, "A…" accepted and written, "a" accepted.
static jck_reply reply_of(const char *answer)
{
    jck_reply_kind kind = answer[0] == 'R'   ? JCK_REPLY_REFUSED
                          : answer[0] == 'a' ? JCK_REPLY_TAKEN
                          : answer[0] == '!' ? JCK_REPLY_CRASHED
                                             : JCK_REPLY_ACCEPTED;
    return (jck_reply){.kind = kind, .text = jrpc_slice_str(answer + 1)};
}

static void contrast(const char *text, const char *target, const char *other, jck_contrast *ret)
{
    jck_scale scale;
    const jck_reply replies[] = {reply_of(target), reply_of(other)};
    jck_scale_init(&scale);
    jck_contrast_find(&scale, jrpc_slice_str(text), replies, 2, ret);
    jck_scale_done(&scale);
    assert_false(ret->failed);
}

static void parsers_disagree_where_one_accepts_or_reads_another_value(void **state)
{
    (void)state;
    static const struct {
        const char *text, *target, *other;
        bool differs;
    } rows[] = {
        {"[1.0]", "A[1.0]", "A[ 1]", false},
        {"[1]", "A[1]", "Rno", true},
        {"[1]", "Ryes", "Rno", false},
        {"[1]", "a", "A[2]", false}, // what it read is not known
        {"[1]", "a", "Rno", true},
        {"-0", "A-0", "A0", true},
        {"-0", "A0", "A-0", true},
        {"{\"a\":1,\"a\":2}", "A{\"a\":1}", "A{\"a\":2}", true},
        {"NaN", "ANaN", "ANaN", false},
        {"NaN", "ANaN", "Anull", true},
        {"[", "!", "Rno", true},
        {"[", "!", "!", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_contrast found;
        contrast(rows[i].text, rows[i].target, rows[i].other, &found);
        if (found.differs != rows[i].differs) {
            fail_msg("%s: %s and %s", rows[i].text, rows[i].target, rows[i].other);
        }
    }
}

static void what_both_did_is_nobodys_trait(void **state)
{
    (void)state;
    jck_contrast found;
    contrast("[9007199254740993,{\"a\":1,\"a\":2}]", "A[9007199254740992,{\"a\":2}]",
             "A[9007199254740993,{\"a\":2}]", &found);
    assert_int_equal(found.traits.count, 1);
    assert_int_equal(found.traits.items[0].side, JCK_TARGET);
    assert_int_equal(found.traits.items[0].class, JCK_CLASS_NUMBER_ROUNDED);
    assert_non_null(jck_contrast_deviation(&found, &found.traits.items[0]));
    // Both changed it, to different numbers: both are reported.
    contrast("[1]", "A[2]", "A[3]", &found);
    assert_int_equal(found.traits.count, 2);
}

static void of_several_parsers_any_two_may_disagree(void **state)
{
    (void)state;
    static const struct {
        const char *text, *answers[4];
        bool differs;
        const char *apart; // the sides that differ from the target
        const char *sides; // of the traits
    } rows[] = {
        {"[1.0]", {"A[1.0]", "A[1]", "A[ 1]", "A[1e0]"}, false, "", ""},
        {"-0", {"A-0", "A-0", "A0", "A-0"}, true, "c", "c"},
        {"-0", {"A0", "A-0", "A0", "A0"}, true, "b", "acd"},
        {"NaN", {"Rno", "ANaN", "ANaN", "Rno"}, true, "bc", "bc"},
        {"1", {"a", "A1", "A1", "A2"}, true, "", "d"}, // nobody knows what the target read
        {"1", {"a", "a", "A1", "A1"}, false, "", ""},
        {"[", {"Rno", "!", "Rno", "a"}, true, "bd", "bd"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jck_scale scale;
        jck_contrast found;
        jck_reply replies[4];
        char apart[8] = "";
        char sides[16] = "";
        for (size_t side = 0; side < 4; side++) {
            replies[side] = reply_of(rows[i].answers[side]);
        }
        jck_scale_init(&scale);
        jck_contrast_find(&scale, jrpc_slice_str(rows[i].text), replies, 4, &found);
        jck_scale_done(&scale);
        for (size_t side = 0; side < 4; side++) {
            apart[strlen(apart)] = (char)(found.apart[side] ? 'a' + side : 0);
        }
        for (size_t k = 0; k < found.traits.count; k++) {
            sides[k] = (char)('a' + found.traits.items[k].side);
        }
        assert_int_equal(found.differs, rows[i].differs);
        assert_string_equal(apart, rows[i].apart);
        assert_string_equal(sides, rows[i].sides);
    }
}

static void a_smaller_disagreement_has_no_new_traits(void **state)
{
    (void)state;
    jck_contrast whole;
    jck_contrast part;
    contrast("[-0,9007199254740993]", "A[0,9007199254740992]", "A[-0,9007199254740993]", &whole);
    contrast("-0", "A0", "A-0", &part);
    assert_true(jck_contrast_is_within(&part, &whole.traits));
    assert_false(jck_contrast_is_within(&whole, &part.traits));
    assert_true(jck_traits_key(&part.traits) != jck_traits_key(&whole.traits));
    contrast("-0", "A-0", "A0", &whole); // of the other side
    assert_false(jck_contrast_is_within(&part, &whole.traits));
    contrast("1", "A1", "A1", &part);
    assert_false(jck_contrast_is_within(&part, &whole.traits)); // no disagreement at all
}

static void a_refusal_is_open_where_the_text_holds_what_is_left_open(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        jck_class class;
    } rows[] = {
        {"[1,2.5,-3e10,1e300,0.1]", JCK_CLASS_REFUSES_JSON},
        {"[9007199254740991]", JCK_CLASS_REFUSES_JSON},
        {"[9007199254740993]", JCK_CLASS_REFUSES_NUMBER},
        {"[1e400]", JCK_CLASS_REFUSES_NUMBER},
        {"[1e-400]", JCK_CLASS_REFUSES_NUMBER},
        {"[0.12345678901234567]", JCK_CLASS_REFUSES_NUMBER},
        {"[0.0000000000000000001]", JCK_CLASS_REFUSES_JSON},
        {"[\"\\ud83d\\ude00\"]", JCK_CLASS_REFUSES_JSON},
        {"[\"\\ud83d\"]", JCK_CLASS_REFUSES_SURROGATE},
        {"{\"a\\u0000\":1}", JCK_CLASS_REFUSES_NUL},
        {"{\"\\ude00\":1}", JCK_CLASS_REFUSES_SURROGATE},
        {"{\"a\":1,\"b\":{\"a\":1}}", JCK_CLASS_REFUSES_JSON},
        {"[{\"a\":1,\"\\u0061\":2}]", JCK_CLASS_REFUSES_DUPLICATE},
        {"[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]", JCK_CLASS_REFUSES_JSON},
        {"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", JCK_CLASS_REFUSES_DEPTH},
        {"[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]],[[]]]", JCK_CLASS_REFUSES_JSON},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, jrpc_slice_str(rows[i].text), 100, NULL));
        jck_class class = jck_leeway_of(jrpc_json_root(&document));
        jrpc_json_document_done(&document);
        if (class != rows[i].class) {
            fail_msg("%s: %s", rows[i].text, jck_class_name(class));
        }
    }
}

static jck_probe holds_x(void *context, jrpc_slice text)
{
    size_t *probes = context;
    (*probes)++;
    return jrpc_slice_contains(text, JRPC_SLICE("x")) ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

static void a_text_is_made_as_small_as_shows_it(void **state)
{
    (void)state;
    static const char *const texts[] = {"[1,{\"a\":[\"yxz\"]}]", "[1,xx", "x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        jrpc_buffer text;
        size_t probes = 0;
        jrpc_buffer_init(&text, jrpc_allocator_heap(), 64);
        assert_true(jrpc_buffer_append_str(&text, texts[i]));
        assert_true(jck_lessen(&text, 100, holds_x, &probes));
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&text), "x"));
        jrpc_buffer_done(&text);
    }
}

static jck_probe wants_no_more(void *context, jrpc_slice text)
{
    (void)context;
    (void)text;
    return JCK_PROBE_STOPS;
}

static void a_text_stays_whole_where_no_more_is_wanted(void **state)
{
    (void)state;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 64);
    assert_true(jrpc_buffer_append_str(&text, "[1,2]"));
    assert_false(jck_lessen(&text, 100, wants_no_more, NULL));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&text), "[1,2]"));
    jrpc_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsers_disagree_where_one_accepts_or_reads_another_value),
        cmocka_unit_test(what_both_did_is_nobodys_trait),
        cmocka_unit_test(of_several_parsers_any_two_may_disagree),
        cmocka_unit_test(a_smaller_disagreement_has_no_new_traits),
        cmocka_unit_test(a_refusal_is_open_where_the_text_holds_what_is_left_open),
        cmocka_unit_test(a_text_is_made_as_small_as_shows_it),
        cmocka_unit_test(a_text_stays_whole_where_no_more_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
