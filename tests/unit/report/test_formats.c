// Every format against kept streams. JCK_UPDATE_GOLDEN=1 in the environment writes the expected
// files anew: read the difference before it is committed.
#include "tests/unit/report/report_test.h"

typedef struct sample {
    const char *stream;
    const char *format;
    const char *expected;
    jck_report_options options;
} sample;

static const sample samples[] = {
    {"mixed.ndjson", "console", "mixed.console.txt", {.color = false}},
    {"mixed.ndjson", "console", "mixed.quiet.txt", {.quiet = true}},
    {"mixed.ndjson", "console", "mixed.failing.txt", {.verbose = 1}},
    {"mixed.ndjson", "console", "mixed.examples.txt", {.examples = 3, .elsewhere = "out.html"}},
    {"mixed.ndjson", "console", "mixed.bare.txt", {.no_examples = true}},
    {"mixed.ndjson", "console", "mixed.verbose.txt", {.verbose = 2}},
    {"mixed.ndjson", "console", "mixed.terminal.txt", {.terminal = true, .color = true}},
    {"mixed.ndjson", "junit", "mixed.junit.xml", {.color = false}},
    {"mixed.ndjson", "tap", "mixed.tap", {.color = false}},
    {"mixed.ndjson", "markdown", "mixed.md", {.color = false}},
    {"mixed.ndjson", "json", "mixed.json", {.color = false}},
    {"mixed.ndjson", "ndjson", "mixed.ndjson", {.color = false}},
    {"mixed.ndjson", "sarif", "mixed.sarif.json", {.color = false}},
    {"mixed.ndjson", "badge", "mixed.badge.svg", {.color = false}},
    {"mixed.ndjson", "badge-json", "mixed.badge.json", {.color = false}},
    {"mixed.ndjson", "index", "mixed.index.json", {.color = false}},
    // A stream of schema 1, as version 0.1.0 wrote it.
    {"old.ndjson", "console", "old.console.txt", {.color = false}},
    {"old.ndjson", "markdown", "old.md", {.color = false}},
    {"old.ndjson", "json", "old.json", {.color = false}},
    {"conformant.ndjson", "badge-json", "conformant.badge.json", {.color = false}},
    {"stopped.ndjson", "badge-json", "stopped.badge.json", {.color = false}},
    {"conformant.ndjson", "console", "conformant.console.txt", {.color = false}},
    {"cut-short.ndjson", "junit", "cut-short.junit.xml", {.color = false}},
    {"cut-short.ndjson", "tap", "cut-short.tap", {.color = false}},
    {"stopped.ndjson", "console", "stopped.console.txt", {.color = false}},
    // Two runs, with everything that an event can contain.
    {"rich.ndjson", "console", "rich.console.txt", {.examples = 2}},
    {"rich.ndjson", "console", "rich.failing.txt", {.verbose = 1}},
    {"rich.ndjson", "markdown", "rich.md", {.color = false}},
    {"rich.ndjson", "junit", "rich.junit.xml", {.color = false}},
    {"rich.ndjson", "tap", "rich.tap", {.color = false}},
    {"rich.ndjson", "sarif", "rich.sarif.json", {.color = false}},
    {"rich.ndjson", "json", "rich.json", {.color = false}},
    {"rich.ndjson", "badge-json", "rich.badge.json", {.color = false}},
    {"rich.ndjson", "index", "rich.index.json", {.color = false}},
};

static char *sampled(const sample *of)
{
    char *stream = golden(of->stream);
    char *text = rendered(of->format, jrpc_slice_str(stream), of->options);
    free(stream);
    return text;
}

static void update(const sample *of, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "tests/unit/report/golden/%s", of->expected);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void each_format_writes_what_is_expected_of_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char *text = sampled(&samples[i]);
        if (getenv("JCK_UPDATE_GOLDEN") != NULL) {
            update(&samples[i], text);
        }
        char *expected = golden(samples[i].expected);
        if (strcmp(text, expected) != 0) {
            print_error("%s differs\n", samples[i].expected);
        }
        assert_string_equal(text, expected);
        free(expected);
        free(text);
    }
}

// Every string of this stream tries to break out of every format.
static void no_format_lets_a_peer_out_of_its_text(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *forbidden[6];
    } table[] = {
        {"console", {NULL}},
        {"junit", {"<script", "]]>", "alert(\"", NULL}},
        {"tap", {"\n---", "# @", NULL}},
        {"markdown", {"<script", "`", "**b", "[x]", "@everyone", NULL}},
        {"json", {NULL}},
        {"html", {"<script>alert", "</details><script", "<b>owned", "]]>", "<img", NULL}},
        {"sarif", {NULL}},
        {"index", {NULL}},
        {"matrix", {"<script>alert", "<b>owned", "]]>", "<img", NULL}},
    };
    static const char *const everywhere[] = {
        "\033",
        "\a",
        "\r",
        "\x7f",
        "\xe2\x80\xae",
        "\xe2\x81\xa6",
        "\xe2\x80\x8b",
        "\xc2\x85",
        "\xef\xbb\xbf",
        "\xef\xbf\xbe",
        "\xf3\xa0\x81\x81",
        "\xed\xa0\x80",
    };
    char *stream = golden("hostile.ndjson");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (int verbose = 0; verbose < 2; verbose++) {
            jck_report_options options = {.verbose = verbose == 1 ? 2 : 0};
            char *text = rendered(table[i].format, jrpc_slice_str(stream), options);
            assert_non_null(strstr(text, "owned"));
            for (size_t k = 0; k < sizeof everywhere / sizeof everywhere[0]; k++) {
                assert_null(strstr(text, everywhere[k]));
            }
            for (const char *const *bad = table[i].forbidden; *bad != NULL; bad++) {
                if (strstr(text, *bad) != NULL) {
                    fail_msg("%s holds %s: %.60s", table[i].format, *bad, strstr(text, *bad));
                }
            }
            free(text);
        }
    }
    free(stream);
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

// A cell that broke its row, or a line that broke its list, would change these numbers.
static void a_peer_cannot_add_cells_or_test_points(void **state)
{
    (void)state;
    char *stream = golden("hostile.ndjson");
    char *markdown = rendered("markdown", jrpc_slice_str(stream), (jck_report_options){0});
    assert_int_equal(occurrences(markdown, "|"), 0);
    assert_int_equal(occurrences(markdown, "<pre>"), occurrences(markdown, "</pre>"));
    assert_int_equal(occurrences(markdown, "\n- "), 3);
    free(markdown);
    char *tap = rendered("tap", jrpc_slice_str(stream), (jck_report_options){0});
    assert_int_equal(occurrences(tap, "\nok "), 4);
    assert_int_equal(occurrences(tap, "\nnot ok "), 1);
    assert_int_equal(occurrences(tap, " # SKIP "), 3);
    free(tap);
    free(stream);
}

static void off_a_terminal_nothing_moves_the_cursor(void **state)
{
    (void)state;
    char *stream = golden("mixed.ndjson");
    char *text = rendered("console", jrpc_slice_str(stream), (jck_report_options){0});
    assert_null(strchr(text, '\r'));
    assert_null(strchr(text, '\033'));
    free(text);
    text = rendered("console", jrpc_slice_str(stream), (jck_report_options){.color = true});
    assert_null(strchr(text, '\r'));
    assert_non_null(strchr(text, '\033'));
    free(text);
    free(stream);
}

// The stream with what is tested said at its beginning: owned, free().
static char *with_role(const char *stream, const char *role)
{
    const char *rest = strchr(stream, ',');
    size_t size = strlen(stream) + 64;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snprintf(text, size, "%.*s,\"role\":\"%s\"%s", (int)(rest - stream), stream, role, rest);
    return text;
}

static void what_is_tested_is_called_what_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *role;
        const char *reported;
        const char *quoted; // where an apostrophe is an entity
    } table[] = {
        {"client", "the client's process ended", "the client&#39;s process ended"},
        {"parser", "the parser's process ended", "the parser&#39;s process ended"},
        {"server", "the server's process ended", "the server&#39;s process ended"},
        {"<b>", "the server's process ended", "the server&#39;s process ended"},
    };
    static const char *const formats[] = {"console", "markdown", "html", "junit"};
    char *stream = golden("mixed.ndjson");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *reported = with_role(stream, table[i].role);
        for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
            char *text = rendered(formats[k], jrpc_slice_str(reported), (jck_report_options){0});
            size_t server = occurrences(text, "the server");
            size_t named =
                occurrences(text, table[i].reported) + occurrences(text, table[i].quoted);
            assert_true(k == 3 || named > 0);
            assert_true(server == 0 || i >= 2);
            free(text);
        }
        free(reported);
    }
    free(stream);
}

static void several_runs_are_reported_one_after_the_other(void **state)
{
    (void)state;
    char *first = golden("cut-short.ndjson");
    char *second = golden("conformant.ndjson");
    jrpc_buffer both;
    jrpc_buffer_init(&both, jrpc_allocator_heap(), 1 << 20);
    assert_true(jrpc_buffer_append_str(&both, first));
    assert_true(jrpc_buffer_append_str(&both, second));
    static const struct {
        const char *format;
        const char *mark;
        size_t count;
    } table[] = {
        {"console", "CUT SHORT", 1},    {"console", "\nCONFORMANT", 1},
        {"junit", "</testsuites>", 1},  {"junit", "<testsuite name=\"jsonrpc-2.0 section 4\"", 2},
        {"junit", "<error", 1},         {"tap", "TAP version 14", 1},
        {"markdown", "## jrpcheck", 2}, {"json", "\"verdict\":", 2},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = rendered(table[i].format, jrpc_buffer_slice(&both), (jck_report_options){0});
        assert_int_equal(occurrences(text, table[i].mark), table[i].count);
        free(text);
    }
    jrpc_buffer_done(&both);
    free(first);
    free(second);
}

// 60 broken MUST rules, 20 SHOULD rules, 20 methods that are not mapped, 20 other reasons.
static void append_long_run(jrpc_buffer *stream)
{
    assert_true(jrpc_buffer_append_str(stream, "{\"event\":\"start\",\"strict\":false}\n"));
    for (int i = 0; i < 60; i++) {
        assert_true(jrpc_buffer_printf(
            stream,
            "{\"event\":\"case\",\"id\":\"f/%d\",\"outcome\":\"fail\",\"findings\":"
            "[{\"rule\":\"M-%d\",\"level\":\"MUST\"}]}\n",
            i, i));
    }
    for (int i = 0; i < 20; i++) {
        assert_true(jrpc_buffer_printf(
            stream,
            "{\"event\":\"case\",\"id\":\"w/%d\",\"outcome\":\"warn\",\"findings\":"
            "[{\"rule\":\"S-%d\",\"level\":\"SHOULD\"}]}\n"
            "{\"event\":\"case\",\"outcome\":\"skip\",\"reason_code\":\"no-method\","
            "\"reason\":\"no method\",\"capability\":\"c%d\"}\n"
            "{\"event\":\"case\",\"outcome\":\"skip\",\"reason\":\"reason %d\"}\n",
            i, i, i, i));
    }
}

static void long_lists_are_cut_but_never_what_must_be_kept(void **state)
{
    (void)state;
    jrpc_buffer stream;
    jrpc_buffer_init(&stream, jrpc_allocator_heap(), 1 << 20);
    append_long_run(&stream);
    char *text = rendered("console", jrpc_buffer_slice(&stream), (jck_report_options){0});
    assert_true(occurrences(text, "\n") <= 60);
    assert_int_equal(occurrences(text, "\n  sent "), 3);
    size_t reported = occurrences(text, "\nMUST ");
    char more[64];
    (void)snprintf(more, sizeof more, "\n… and %zu more broken rules", 80 - reported);
    assert_true(reported > 20);
    assert_non_null(strstr(text, more));
    assert_non_null(strstr(text, "c0 unlocks 1; c1 1, "));
    assert_non_null(strstr(text, "c7 1, …\n"));
    assert_null(strstr(text, "c8"));
    assert_int_equal(occurrences(text, "\n  1: reason "), 4);
    assert_int_equal(occurrences(text, "  … for 16 more reasons"), 1);
    free(text);
    static const jck_report_options asked[] = {{.verbose = 1}, {.quiet = true}, {.examples = 2}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        text = rendered("console", jrpc_buffer_slice(&stream), asked[i]);
        assert_int_equal(occurrences(text, "\nMUST M-"), 60);
        assert_int_equal(occurrences(text, "\nSHOULD S-"), 20);
        assert_int_equal(occurrences(text, "\n  1: reason "), i == 0 ? 20 : i == 1 ? 0 : 4);
        free(text);
    }
    text = rendered("markdown", jrpc_buffer_slice(&stream), (jck_report_options){0});
    assert_int_equal(occurrences(text, "<details>"), 50);
    assert_int_equal(occurrences(text, "\n- <b>fail</b>"), 10);
    assert_int_equal(occurrences(text, "\n<b>MUST</b> <code>"), 60);
    assert_int_equal(occurrences(text, "\n- 1: a method"), 12);
    assert_int_equal(occurrences(text, "\n- 1: reason "), 12);
    assert_int_equal(occurrences(text, "more reasons\n"), 2);
    free(text);
    jrpc_buffer_done(&stream);
}

static void a_quiet_terminal_shows_no_progress(void **state)
{
    (void)state;
    char *stream = golden("mixed.ndjson");
    char *text = rendered("console", jrpc_slice_str(stream),
                          (jck_report_options){.quiet = true, .terminal = true});
    assert_null(strchr(text, '\r'));
    free(text);
    free(stream);
}

static void the_end_of_stderr_is_shown_from_the_first_line_that_has_room(void **state)
{
    (void)state;
    static const char head[] =
        "{\"event\":\"case\",\"id\":\"a\",\"outcome\":\"crash\",\"exchange\":{\"stderr\":\"";
    static const struct {
        const char *lines;
        size_t shown;
        bool first;
    } table[] = {
        {"1\\n2\\n3\\n4\\n5\\n6\\n7\\n8", 8, true},
        {"1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n", 8, false},
        {"1", 1, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char line[256];
        (void)snprintf(line, sizeof line, "%s%s\"}}\n", head, table[i].lines);
        char *text = rendered("console", jrpc_slice_str(line), (jck_report_options){.verbose = 1});
        assert_int_equal(occurrences(text, "stderr: "), table[i].shown);
        assert_int_equal(strstr(text, "stderr: 1\n") != NULL, table[i].first);
        free(text);
    }
}

static void the_first_of_the_worst_new_findings_decides(void **state)
{
    (void)state;
    static const char stream[] =
        "{\"event\":\"case\",\"id\":\"a\",\"outcome\":\"fail\",\"findings\":["
        "{\"rule\":\"M-0\",\"level\":\"MUST\",\"known\":true,\"text\":\"old\"},"
        "{\"rule\":\"S-1\",\"level\":\"SHOULD\",\"text\":\"mild\"},"
        "{\"rule\":\"M-2\",\"level\":\"MUST\",\"text\":\"new\"},"
        "{\"rule\":\"M-3\",\"level\":\"MUST\",\"text\":\"later\"}]}\n"
        "{\"event\":\"case\",\"id\":\"b\",\"outcome\":\"error\",\"reason\":\"out of ids\"}\n";
    char *text = rendered("junit", jrpc_slice_str(stream), (jck_report_options){0});
    assert_non_null(strstr(text, "<failure type=\"M-2\" message=\"M-2: new\">"));
    assert_non_null(strstr(text, "<error type=\"error\" message=\"out of ids\">"));
    assert_non_null(strstr(text, " failures=\"1\" errors=\"1\" "));
    free(text);
}

static void a_foreign_stream_offers_a_shell_words_only(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool offered;
    } table[] = {
        {"--method a=b -- ./server", true},
        {"-- x 'it'\\\\''s; fine'", true},
        {"-- x; reboot", false},
        {"-- $(reboot)", false},
        {"-- 'x", false},
        {"-- x > y", false},
        {"-- 'a' & b", false},
        {"", false},
        {"-- x\\ny", false},
        {"-- x\\u0000y", false},
        {"-- x\\\\", false},
        {"-- x\\\\y", false},
        {"-- 'x\\\\' y", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char line[256];
        (void)snprintf(line, sizeof line,
                       "{\"event\":\"start\",\"target\":{\"words\":\"%s\"}}\n"
                       "{\"event\":\"case\",\"outcome\":\"fail\",\"id\":\"a/b\",\"findings\":["
                       "{\"rule\":\"M-1\"}]}\n",
                       table[i].words);
        char *text = rendered("console", jrpc_slice_str(line), (jck_report_options){0});
        assert_int_equal(strstr(text, " jrpcheck repro a/b ") != NULL, table[i].offered);
        free(text);
    }
}

static void the_console_offers_a_shell_only_slugs(void **state)
{
    (void)state;
    static const char head[] = "{\"event\":\"start\",\"target\":{\"words\":\"-- X\"}}\n"
                               "{\"event\":\"case\",\"outcome\":\"fail\",\"findings\":["
                               "{\"rule\":\"M-1\"}],\"id\":\"";
    static const struct {
        const char *id;
        bool offered;
    } table[] = {
        {"batch/empty-array", true},
        {"id/1.0_x+y", true},
        {"a b", false},
        {"$(reboot)", false},
        {"a;b", false},
        {"-x", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char line[240];
        (void)snprintf(line, sizeof line, "%s%s\"}\n", head, table[i].id);
        for (unsigned verbose = 0; verbose < 2; verbose++) {
            char *text =
                rendered("console", jrpc_slice_str(line), (jck_report_options){.verbose = verbose});
            assert_int_equal(strstr(text, " jrpcheck repro ") != NULL, table[i].offered);
            free(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_writes_what_is_expected_of_it),
        cmocka_unit_test(no_format_lets_a_peer_out_of_its_text),
        cmocka_unit_test(a_peer_cannot_add_cells_or_test_points),
        cmocka_unit_test(off_a_terminal_nothing_moves_the_cursor),
        cmocka_unit_test(what_is_tested_is_called_what_it_is),
        cmocka_unit_test(several_runs_are_reported_one_after_the_other),
        cmocka_unit_test(long_lists_are_cut_but_never_what_must_be_kept),
        cmocka_unit_test(a_quiet_terminal_shows_no_progress),
        cmocka_unit_test(the_end_of_stderr_is_shown_from_the_first_line_that_has_room),
        cmocka_unit_test(the_first_of_the_worst_new_findings_decides),
        cmocka_unit_test(the_console_offers_a_shell_only_slugs),
        cmocka_unit_test(a_foreign_stream_offers_a_shell_words_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
