// Events of any shape: a stream may come from any file.
#include "tests/unit/report/report_test.h"

#include "harness/report/reading.h"

typedef struct reader {
    jrpc_json_document document;
    jrpc_arena arena;
} reader;

static jrpc_json read_into(reader *of, const char *text)
{
    jrpc_json_document_init(&of->document, jrpc_allocator_heap());
    jrpc_arena_init(&of->arena, jrpc_allocator_heap(), 1 << 20);
    assert_true(jrpc_json_read(&of->document, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL));
    return jrpc_json_root(&of->document);
}

static void done(reader *of)
{
    jrpc_json_document_done(&of->document);
    jrpc_arena_done(&of->arena);
}

// Reads the event of a case. Free `of` with done when what was read is no longer needed.
static jck_reading_case read_case(reader *of, const char *text)
{
    jck_reading_case read;
    assert_true(jck_reading_of_case(read_into(of, text), &of->arena, &read));
    return read;
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        jck_event_kind kind;
    } table[] = {
        {"{\"event\":\"start\"}", JCK_EVENT_START},
        {"{\"event\":\"case\"}", JCK_EVENT_CASE},
        {"{\"event\":\"ground\"}", JCK_EVENT_GROUND},
        {"{\"event\":\"finish\"}", JCK_EVENT_FINISH},
        {"{\"event\":\"progress\"}", JCK_EVENT_OTHER},
        {"{\"event\":1}", JCK_EVENT_OTHER},
        {"{}", JCK_EVENT_OTHER},
        {"{\"Event\":\"case\"}", JCK_EVENT_OTHER},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        reader of;
        assert_int_equal(jck_reading_kind(read_into(&of, table[i].text)), table[i].kind);
        done(&of);
    }
}

// The options that repeat a failure in company, if each case can be a word of a shell.
static void company_is_named_whole_or_not_at_all(void **state)
{
    (void)state;
#define AGAIN(cases) "{\"way\":\"again\",\"cases\":" cases "}"
    static const struct {
        const char *company;
        const char *after;
    } table[] = {
        {AGAIN("[\"a/b\"]"), " --after a/b"},
        {AGAIN("[\"az09/.-_\"]"), " --after az09/.-_"},
        {AGAIN("[\"a\",\"a\",\"b\",\"a\"]"), " --after a'*2' --after b --after a"},
        {AGAIN("[]"), ""},
        {AGAIN("7"), ""},
        {"{\"way\":\"once\",\"cases\":[\"a\"]}", ""},
        {"7", ""},
        {AGAIN("[\"a\",\"B\"]"), ""},
        {AGAIN("[\"a\",\"`\"]"), ""},
        {AGAIN("[\"a\",\"{\"]"), ""},
        {AGAIN("[\"a\",\":\"]"), ""},
        {AGAIN("[\"a\",\"a;b\"]"), ""},
        {AGAIN("[\"a\",\"\"]"), ""},
        {AGAIN("[\"a\",1]"), ""},
    };
#undef AGAIN
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "{\"event\":\"case\",\"company\":%s}", table[i].company);
        reader of;
        jck_reading_case read = read_case(&of, text);
        if (!jrpc_slice_is(read.after, table[i].after)) {
            fail_msg("%s: %.*s", table[i].company, (int)read.after.len, read.after.ptr);
        }
        done(&of);
    }
}

// By the name of its library; where that does not tell it apart, as it was typed.
static void other_parsers_are_named_so_that_they_differ(void **state)
{
    (void)state;
#define OTHER(name, library) "{\"name\":\"" name "\",\"implementation\":{\"name\":\"" library "\"}}"
    static const struct {
        const char *against;
        const char *names;
    } table[] = {
        {OTHER("b.json", "orjson"), "orjson"},
        {"{\"name\":\"b.json\"}", "b.json"},
        {"{}", ""},
        {"7", ""},
        {"[]", ""},
        {"[" OTHER("b.json", "orjson") "]", "b: orjson"},
        {"[" OTHER("b.json", "orjson") "," OTHER("c.json", "simdjson") "]",
         "b: orjson, c: simdjson"},
        {"[" OTHER("b.json", "orjson") "," OTHER("c.json", "orjson") ",{\"name\":\"d\"}]",
         "b: b.json, c: c.json, d: d"},
        {"[7," OTHER("c.json", "orjson") "]", "b: , c: orjson"},
    };
#undef OTHER
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[512];
        reader of;
        jck_reading_start read;
        (void)snprintf(text, sizeof text, "{\"event\":\"start\",\"against\":%s}", table[i].against);
        assert_true(jck_reading_of_start(read_into(&of, text), &of.arena, &read));
        if (!jrpc_slice_is(read.against, table[i].names)) {
            fail_msg("%s: %.*s", table[i].against, (int)read.against.len, read.against.ptr);
        }
        done(&of);
    }
}

static void starts_need_memory_for_the_names_of_other_parsers(void **state)
{
    (void)state;
    reader of;
    jrpc_json event = read_into(&of, "{\"event\":\"start\",\"against\":[{\"name\":\"b\\u0062\"},"
                                     "{\"name\":\"c\\u0063\"}]}");
    bool read_once = false;
    for (size_t room = 0; room < 256; room += 8) {
        jrpc_arena arena;
        jck_reading_start read;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), room);
        if (jck_reading_of_start(event, &arena, &read)) {
            assert_true(jrpc_slice_is(read.against, "b: bb, c: cc"));
            read_once = true;
        } else {
            assert_false(read_once);
        }
        jrpc_arena_done(&arena);
    }
    assert_true(read_once);
    done(&of);
}

// A line of options may have 400 bytes; a longer one is left out.
static void company_that_nobody_would_type_is_left_out(void **state)
{
    (void)state;
    for (size_t id_len = 390; id_len <= 392; id_len++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       "{\"event\":\"case\",\"company\":{\"way\":\"again\",\"cases\":[\"%0*d\"]}}",
                       (int)id_len, 0);
        reader of;
        jck_reading_case read = read_case(&of, text);
        size_t len = sizeof " --after " - 1 + id_len;
        assert_int_equal(read.after.len, len > 400 ? 0 : len);
        done(&of);
    }
}

static void a_finding_that_repeats_is_not_known(void **state)
{
    (void)state;
    static const struct {
        const char *members;
        bool known, repeats;
        int step;
    } table[] = {
        {"\"known\":true,\"step\":1", true, false, 1},
        {"\"known\":true,\"repeats\":true,\"step\":0", false, true, 0},
        {"\"repeats\":true,\"step\":-1", false, true, 0},
        {"\"step\":2147483646", false, false, 2147483646},
        {"\"step\":2147483647", false, false, 0},
        {"\"step\":9223372036854775807", false, false, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "{\"event\":\"case\",\"findings\":[{%s}]}",
                       table[i].members);
        reader of;
        jck_reading_case read = read_case(&of, text);
        assert_int_equal(read.finding_count, 1);
        assert_int_equal(read.findings[0].known, table[i].known);
        assert_int_equal(read.findings[0].repeats, table[i].repeats);
        assert_int_equal(read.findings[0].step, table[i].step);
        done(&of);
    }
}

static void a_message_is_its_text_or_its_base64(void **state)
{
    (void)state;
    static const struct {
        const char *message;
        jrpc_slice bytes;
        size_t true_len;
    } table[] = {
        {"{\"text\":\"a\\u0000b\"}", JRPC_SLICE_INIT("a\0b"), 3},
        {"{\"base64\":\"\"}", JRPC_SLICE_INIT(""), 0},
        {"{\"base64\":\"Zg==\"}", JRPC_SLICE_INIT("f"), 1},
        {"{\"base64\":\"Zm8=\"}", JRPC_SLICE_INIT("fo"), 2},
        {"{\"base64\":\"Zm9v\"}", JRPC_SLICE_INIT("foo"), 3},
        {"{\"base64\":\"Zm9vYmFy\",\"length\":900}", JRPC_SLICE_INIT("foobar"), 900},
        {"{\"base64\":\"//79\"}", JRPC_SLICE_INIT("\xff\xfe\xfd"), 3},
        {"{\"base64\":\"Zm9v!Zm9v\"}", JRPC_SLICE_INIT("foo"), 3},
        {"{\"text\":\"abc\",\"length\":-1}", JRPC_SLICE_INIT("abc"), 3},
        {"{\"text\":7}", JRPC_SLICE_INIT(""), 0},
        {"7", JRPC_SLICE_INIT(""), 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "{\"event\":\"case\",\"exchange\":{\"messages\":[%s]}}",
                       table[i].message);
        reader of;
        jck_reading_case read = read_case(&of, text);
        assert_int_equal(read.message_count, 1);
        assert_true(jrpc_slice_equal(read.messages[0].bytes, table[i].bytes));
        assert_int_equal(read.messages[0].true_len, table[i].true_len);
        done(&of);
    }
}

static void what_is_observed_several_times_is_read_several_times(void **state)
{
    (void)state;
    reader of;
    jck_reading_case read = read_case(
        &of, "{\"event\":\"case\",\"observed\":{\"a\":\"1\",\"b\":[\"2\",\"3\",4],\"c\":5}}");
    static const char *const expected[][2] = {
        {"a", "1"}, {"b", "2"}, {"b", "3"}, {"b", ""}, {"c", ""}};
    assert_int_equal(read.observation_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(jrpc_slice_is(read.observations[i].name, expected[i][0]));
        assert_true(jrpc_slice_is(read.observations[i].value, expected[i][1]));
    }
    done(&of);
}

static void an_unknown_level_is_a_must_and_an_unknown_outcome_an_error(void **state)
{
    (void)state;
    reader of;
    jck_reading_case read = read_case(
        &of, "{\"event\":\"case\",\"outcome\":\"exploded\",\"findings\":[{\"level\":\"WILL\"},"
             "{\"level\":\"SHOULD\",\"known\":true}]}");
    assert_int_equal(read.outcome, JCK_OUTCOME_ERROR);
    assert_int_equal(read.finding_count, 2);
    assert_int_equal(read.findings[0].level, JCK_LEVEL_MUST);
    assert_int_equal(read.findings[1].level, JCK_LEVEL_SHOULD);
    assert_true(read.findings[1].known);
    assert_int_equal(read.duration_us, -1);
    done(&of);
}

static void memory_that_is_out_is_reported(void **state)
{
    (void)state;
    char *stream = golden("mixed.ndjson");
    const char *line = strchr(stream, '\n') + 1;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_of(line, strcspn(line, "\n")),
                               JRPC_LIMIT_DEPTH, NULL));
    size_t successes = 0;
    for (;; successes++) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, successes);
        jrpc_arena arena;
        jrpc_arena_init(&arena, &failing.allocator, 1 << 20);
        jck_reading_case read;
        bool ok = jck_reading_of_case(jrpc_json_root(&document), &arena, &read);
        jrpc_arena_done(&arena);
        if (ok) {
            break;
        }
        assert_true(successes < 100);
    }
    assert_true(successes > 0);
    jrpc_json_document_done(&document);
    free(stream);
}

// No shape of an event makes a format fail, and none is left out of the count silently.
static void every_format_takes_events_of_any_shape(void **state)
{
    (void)state;
    static const char stream[] =
        "{}\n"
        "{\"event\":\"later\",\"id\":\"x\"}\n"
        "{\"event\":\"case\"}\n"
        "{\"event\":\"case\",\"id\":1,\"rules\":{},\"outcome\":[],\"findings\":\"text\"}\n"
        "{\"event\":\"case\",\"outcome\":\"pass\",\"findings\":{\"a\":1},\"observed\":[1,2],"
        "\"exchange\":{\"messages\":{\"a\":1},\"end\":[],\"stderr\":null}}\n"
        "{\"event\":\"case\",\"outcome\":\"skip\"}\n"
        "{\"event\":\"case\",\"outcome\":\"skip\",\"reason_code\":\"no-method\"}\n"
        "{\"event\":\"case\",\"outcome\":\"skip\",\"reason_code\":7,\"capability\":[]}\n"
        "{\"event\":\"case\",\"outcome\":\"blocked\",\"blocked_by\":{},\"sequence\":[1,{}]}\n"
        "{\"event\":\"case\",\"outcome\":\"fail\",\"findings\":[{\"step\":-9,\"expected\":3},"
        "{\"step\":1e99,\"expected\":[null,{\"kind\":1}],\"came\":[]}]}\n"
        "{\"event\":\"case\",\"outcome\":\"ended\",\"exchange\":[]}\n"
        "{\"event\":\"case\",\"outcome\":\"crash\",\"duration_us\":-5,\"exchange\":{\"messages\":"
        "[null,[],{\"length\":1e9}],\"end\":{\"kind\":\"signaled\",\"signal\":"
        "99999999999999999999}}}\n"
        "{\"event\":\"finish\"}\n"
        "{\"event\":\"finish\",\"duration_us\":\"x\",\"stopped\":{}}\n";
    for (size_t i = 0; jck_report_formats()[i] != NULL; i++) {
        for (int loud = 0; loud < 2; loud++) {
            jck_report_options options = {.verbose = loud == 1 ? 2 : 0, .terminal = loud == 1};
            char *text = rendered(jck_report_formats()[i]->name, jrpc_slice_str(stream), options);
            assert_true(strlen(text) > 0);
            free(text);
        }
    }
    char *text = rendered("console", jrpc_slice_str(stream), (jck_report_options){0});
    assert_non_null(
        strstr(text, "\n10 cases: 1 passed, 2 harness errors, 1 crashed, 1 ended the connection, "
                     "1 failed, 3 skipped, 1 blocked"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(company_is_named_whole_or_not_at_all),
        cmocka_unit_test(other_parsers_are_named_so_that_they_differ),
        cmocka_unit_test(starts_need_memory_for_the_names_of_other_parsers),
        cmocka_unit_test(company_that_nobody_would_type_is_left_out),
        cmocka_unit_test(a_finding_that_repeats_is_not_known),
        cmocka_unit_test(a_message_is_its_text_or_its_base64),
        cmocka_unit_test(what_is_observed_several_times_is_read_several_times),
        cmocka_unit_test(an_unknown_level_is_a_must_and_an_unknown_outcome_an_error),
        cmocka_unit_test(memory_that_is_out_is_reported),
        cmocka_unit_test(every_format_takes_events_of_any_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
