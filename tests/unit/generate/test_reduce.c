// What is left of a text is the little that shows what is looked for.
#include "harness/generate/reduce.h"

#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct wanted {
    const char *part;    // must be in the text
    const char *another; // and so must this one; NULL: none
    size_t probes;
    size_t stops_after; // 0: never
} wanted;

static jck_probe try_text(void *context, jrpc_slice text)
{
    wanted *w = context;
    w->probes++;
    if (w->stops_after > 0 && w->probes > w->stops_after) {
        return JCK_PROBE_STOPS;
    }
    return jrpc_slice_contains(text, jrpc_slice_str(w->part)) &&
                   (w->another == NULL || jrpc_slice_contains(text, jrpc_slice_str(w->another)))
               ? JCK_PROBE_SHOWS
               : JCK_PROBE_LACKS;
}

static void reduce(const char *from, wanted *w, size_t probes_max, jrpc_buffer *text)
{
    jrpc_buffer_init(text, jrpc_allocator_heap(), 4096);
    assert_true(jrpc_buffer_append_str(text, from));
    size_t probes = jck_reduce(text, probes_max, try_text, w);
    assert_true(probes <= probes_max);
    assert_int_equal(probes, w->probes);
}

static void test_members_elements_and_bytes_that_do_not_matter_go(void **state)
{
    (void)state;
    static const struct {
        const char *from, *part, *another, *left;
    } rows[] = {
        {"{\"a\":[1,2,3],\"b\":{\"c\":\"x!y\"},\"d\":null}", "!", NULL, "!"},
        {"[0,0,0,0,{\"k\":17},0,0]", "\"k\":17", NULL, "\"k\":17"},
        {"{\"a\":1,\"b\":2,\"c\":3}", "\"a\":1", "\"c\":3", "\"a\":1\"c\":3"},
        {"no json at all, but a #", "#", NULL, "#"},
        {"[\"a\xE2\x82\"]", "\xE2", NULL, "\xE2"},
        {"[\"a\xE2\x82\xAC\"]", "\xE2", NULL, "\xE2\x82\xAC"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wanted w = {rows[i].part, rows[i].another, 0, 0};
        jrpc_buffer text;
        reduce(rows[i].from, &w, 1000, &text);
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&text), rows[i].left));
        jrpc_buffer_done(&text);
    }
}

static void test_by_values_what_is_json_stays_json(void **state)
{
    (void)state;
    static const char from[] = "{\"params\":{\"id\":7,\"b\":[1,2]},\"c\":\"long\"}";
    wanted w = {":{\"id\":", "{", 0, 0};
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 4096);
    assert_true(jrpc_buffer_append_str(&text, from));
    size_t probes = jck_reduce_values(&text, 1000, try_text, &w);
    assert_int_equal(probes, w.probes);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&text), "{\"\":{\"id\":7}}"));
    jrpc_buffer_done(&text);
}

static void test_neighbours_at_the_end_go_with_the_comma_before_them(void **state)
{
    (void)state;
    static const struct {
        const char *from, *part;
    } rows[] = {
        {"{\"a\":\"!\",\"b\":1,\"c\":2,\"d\":3}", ":\"!\""},
        {"{ \"a\" : \"!\" , \"b\" : 1 , \"c\" : 2 , \"d\" : 3 }", ": \"!\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wanted w = {rows[i].part, "{", 0, 0};
        jrpc_buffer text;
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        jrpc_buffer_init(&text, jrpc_allocator_heap(), 4096);
        assert_true(jrpc_buffer_append_str(&text, rows[i].from));
        (void)jck_reduce_values(&text, 1000, try_text, &w);
        assert_true(jrpc_json_read(&document, jrpc_buffer_slice(&text), 4, NULL));
        assert_int_equal(jrpc_json_count(jrpc_json_root(&document)), 1);
        jrpc_buffer_done(&text);
        jrpc_json_document_done(&document);
    }
}

// Shows it only where the text is still an Object.
static jck_probe try_object(void *context, jrpc_slice text)
{
    bool object = text.len >= 2 && text.ptr[0] == '{' && text.ptr[text.len - 1] == '}';
    return object ? try_text(context, text) : JCK_PROBE_LACKS;
}

static void test_what_must_stay_whole_stays(void **state)
{
    (void)state;
    wanted w = {"\"id\":7", NULL, 0, 0};
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 4096);
    assert_true(jrpc_buffer_append_str(
        &text, "{\"jsonrpc\":\"2.0\",\"params\":[[],[{}]],\"id\":7,\"method\":\"x\"}"));
    (void)jck_reduce(&text, 1000, try_object, &w);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&text), "{\"id\":7}"));
    jrpc_buffer_done(&text);
}

static void test_what_was_won_is_kept_when_the_probes_run_out_or_stop(void **state)
{
    (void)state;
    static const char from[] =
        "{\"a\":[1,2,3],\"b\":{\"c\":\"x!y\"},\"d\":null,\"e\":\"long enough\"}";
    for (size_t limit = 0; limit < 30; limit++) {
        wanted w = {"!", NULL, 0, 0};
        jrpc_buffer text;
        reduce(from, &w, limit, &text);
        assert_true(jrpc_slice_contains(jrpc_buffer_slice(&text), JRPC_SLICE("!")));
        jrpc_buffer_done(&text);
        wanted stopped = {"!", NULL, 0, limit + 1};
        reduce(from, &stopped, 1000, &text);
        assert_true(jrpc_slice_contains(jrpc_buffer_slice(&text), JRPC_SLICE("!")));
        jrpc_buffer_done(&text);
    }
}

// Shows it where the text is an Array of 17 elements.
static jck_probe try_seventeen(void *context, jrpc_slice text)
{
    wanted *w = context;
    size_t commas = 0;
    w->probes++;
    for (size_t i = 0, depth = 0; i < text.len; i++) {
        depth += text.ptr[i] == '{' ? 1 : 0;
        depth -= text.ptr[i] == '}' && depth > 0 ? 1 : 0;
        commas += text.ptr[i] == ',' && depth == 0 ? 1 : 0;
    }
    const bool array = text.len > 2 && text.ptr[0] == '[' && text.ptr[text.len - 1] == ']';
    return array && commas == 16 && !jrpc_slice_contains(text, JRPC_SLICE(",]")) &&
                   !jrpc_slice_contains(text, JRPC_SLICE(",,"))
               ? JCK_PROBE_SHOWS
               : JCK_PROBE_LACKS;
}

static void test_of_elements_whose_number_matters_each_is_the_same_small_one(void **state)
{
    (void)state;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 4096);
    for (size_t i = 0; i < 17; i++) {
        assert_true(
            jrpc_buffer_printf(&text, "%s{\"a\":\"],}[\\\"\",\"id\":%zu}", i == 0 ? "[" : ",", i));
    }
    assert_true(jrpc_buffer_append_char(&text, ']'));
    wanted w = {"", NULL, 0, 0};
    // One by one, 17 elements would take many times as many probes.
    (void)jck_reduce(&text, 3, try_seventeen, &w);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&text), "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]"));
    jrpc_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_values_what_is_json_stays_json),
        cmocka_unit_test(test_neighbours_at_the_end_go_with_the_comma_before_them),
        cmocka_unit_test(test_members_elements_and_bytes_that_do_not_matter_go),
        cmocka_unit_test(test_of_elements_whose_number_matters_each_is_the_same_small_one),
        cmocka_unit_test(test_what_must_stay_whole_stays),
        cmocka_unit_test(test_what_was_won_is_kept_when_the_probes_run_out_or_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
