// The parts of a run: which of them are missing, what does not belong to it, and what they come to
// together.
#include "harness/report/shards.h"
#include "tests/unit/report/report_test.h"

#include "reference/json/read.h"

enum { PARTS = 4, LINE_BYTES = 256 };

static bool add(jck_shards *shards, size_t part, size_t of, jrpc_error *error)
{
    char line[LINE_BYTES];
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    (void)snprintf(line, sizeof line,
                   "{\"event\":\"start\",\"target\":{\"name\":\"t\"},\"shard\":{\"index\":%zu,"
                   "\"of\":%zu}}",
                   part, of);
    assert_true(jrpc_json_read(&document, jrpc_slice_str(line), JRPC_LIMIT_DEPTH, NULL));
    jrpc_json start = jrpc_json_root(&document);
    assert_true(jck_is_shard(start));
    jrpc_error_clear(error);
    bool added = jck_shards_start(shards, start, jrpc_slice_str(line), error);
    jrpc_json_document_done(&document);
    return added;
}

static void each_part_that_is_missing_is_named_be_it_the_first_or_the_last(void **state)
{
    (void)state;
    for (size_t missing = 0; missing <= PARTS; missing++) {
        jck_shards shards;
        jrpc_error error = {0};
        jck_shards_init(&shards);
        for (size_t part = PARTS; part > 0; part--) {
            assert_true(part == missing || add(&shards, part, PARTS, &error));
        }
        char named[LINE_BYTES];
        (void)snprintf(named, sizeof named, "part %zu of %d is missing", missing, PARTS);
        jrpc_error_clear(&error);
        assert_int_equal(jck_shards_are_whole(&shards, &error), missing == 0);
        assert_true(missing == 0 || strstr(error.message, named) != NULL);
        jck_shards_done(&shards);
    }
}

static void a_part_beyond_the_last_or_given_twice_is_refused(void **state)
{
    (void)state;
    jck_shards shards;
    jrpc_error error = {0};
    jck_shards_init(&shards);
    assert_true(add(&shards, PARTS, PARTS, &error));
    assert_false(add(&shards, PARTS + 1, PARTS, &error));
    assert_false(add(&shards, 0, PARTS, &error));
    assert_false(add(&shards, 1, PARTS + 1, &error));
    assert_non_null(strstr(error.message, "of another run"));
    assert_false(add(&shards, PARTS, PARTS, &error));
    assert_non_null(strstr(error.message, "given twice"));
    jck_shards_done(&shards);
    jck_shards_init(&shards);
    assert_true(add(&shards, JCK_SHARDS_MAX, JCK_SHARDS_MAX, &error));
    jck_shards_done(&shards);
    jck_shards_init(&shards);
    assert_false(add(&shards, 1, JCK_SHARDS_MAX + 1, &error));
    jck_shards_done(&shards);
}

// One part, as its stream says it: its start has more than the parts have in common.
static bool start_as(jck_shards *shards, const char *line, jrpc_error *error)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(line), JRPC_LIMIT_DEPTH, NULL));
    jrpc_error_clear(error);
    bool added = jck_shards_start(shards, jrpc_json_root(&document), jrpc_slice_str(line), error);
    jrpc_json_document_done(&document);
    return added;
}

#define FIRST                                                                                      \
    "{\"event\":\"start\",\"tool\":{\"name\":\"jrpcheck\",\"version\":\"1\"},"                     \
    "\"suite\":{\"cases\":9,\"selected\":5},\"role\":\"client\",\"target\":{\"name\":\"t\"},"      \
    "\"profile\":\"mcp\",\"strict\":true,\"command\":\"c\",\"shard\":{\"index\":1,\"of\":2}}"

static void a_part_belongs_to_a_run_if_all_that_names_the_run_is_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool same;
    } table[] = {
        {"{\"event\":\"start\",\"tool\":{\"version\":\"1\"},\"role\":\"client\",\"target\":{"
         "\"name\":"
         "\"t\"},\"profile\":\"mcp\",\"strict\":true,\"shard\":{\"index\":2,\"of\":2}}",
         true},
        {"{\"event\":\"start\",\"tool\":{\"version\":\"2\"},\"role\":\"client\",\"target\":{"
         "\"name\":"
         "\"t\"},\"profile\":\"mcp\",\"strict\":true,\"shard\":{\"index\":2,\"of\":2}}",
         false},
        {"{\"event\":\"start\",\"tool\":{\"version\":\"1\"},\"target\":{\"name\":"
         "\"t\"},\"profile\":\"mcp\",\"strict\":true,\"shard\":{\"index\":2,\"of\":2}}",
         false},
        {"{\"event\":\"start\",\"tool\":{\"version\":\"1\"},\"role\":\"client\",\"target\":{"
         "\"name\":"
         "\"u\"},\"profile\":\"mcp\",\"strict\":true,\"shard\":{\"index\":2,\"of\":2}}",
         false},
        {"{\"event\":\"start\",\"tool\":{\"version\":\"1\"},\"role\":\"client\",\"target\":{"
         "\"name\":"
         "\"t\"},\"profile\":\"lsp\",\"strict\":true,\"shard\":{\"index\":2,\"of\":2}}",
         false},
        {"{\"event\":\"start\",\"tool\":{\"version\":\"1\"},\"role\":\"client\",\"target\":{"
         "\"name\":"
         "\"t\"},\"profile\":\"mcp\",\"strict\":false,\"shard\":{\"index\":2,\"of\":2}}",
         false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jck_shards shards;
        jrpc_error error = {0};
        jck_shards_init(&shards);
        assert_true(start_as(&shards, FIRST, &error));
        assert_int_equal(start_as(&shards, table[i].line, &error), table[i].same);
        assert_true(table[i].same || strstr(error.message, "of another run") != NULL);
        jck_shards_done(&shards);
    }
}

static void only_the_start_of_a_part_is_one(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool part;
    } table[] = {
        {"{\"event\":\"start\",\"shard\":{\"index\":1,\"of\":2}}", true},
        {"{\"event\":\"start\",\"shard\":1}", false},
        {"{\"event\":\"start\"}", false},
        {"{\"event\":\"finish\",\"shard\":{\"index\":1,\"of\":2}}", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        jrpc_slice line = jrpc_slice_str(table[i].line);
        assert_true(jrpc_json_read(&document, line, JRPC_LIMIT_DEPTH, NULL));
        assert_int_equal(jck_is_shard(jrpc_json_root(&document)), table[i].part);
        jrpc_json_document_done(&document);
    }
}

static void the_start_of_the_whole_counts_the_cases_of_all_parts(void **state)
{
    (void)state;
    jck_shards shards;
    jrpc_error error = {0};
    jrpc_buffer out;
    jck_shards_init(&shards);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 16);
    assert_true(start_as(&shards, FIRST, &error));
    assert_true(
        start_as(&shards,
                 "{\"event\":\"start\",\"tool\":{\"version\":\"1\"},\"suite\":{\"selected\":"
                 "4},\"role\":\"client\",\"target\":{\"name\":\"t\"},\"profile\":\"mcp\","
                 "\"strict\":true,\"shard\":{\"index\":2,\"of\":2}}",
                 &error));
    assert_true(jck_shards_write_start(&shards, &out));
    assert_true(jrpc_slice_is(
        jrpc_buffer_slice(&out),
        "{\"event\":\"start\",\"tool\":{\"name\":\"jrpcheck\",\"version\":\"1\"},"
        "\"suite\":{\"cases\":9,\"selected\":9},\"role\":\"client\",\"target\":{\"name\":\"t\"},"
        "\"profile\":\"mcp\",\"strict\":true}\n"));
    jrpc_buffer_done(&out);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 20);
    assert_false(jck_shards_write_start(&shards, &out));
    jrpc_buffer_done(&out);
    jck_shards_done(&shards);
}

// The verdict of the whole from what its parts say of theirs.
static void finish_as(jck_shards *shards, const char *line)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(line), JRPC_LIMIT_DEPTH, NULL));
    assert_true(jck_shards_finish(shards, jrpc_json_root(&document)));
    jrpc_json_document_done(&document);
}

#define GOOD "{\"event\":\"finish\",\"judged\":2,\"conformant\":true}"

static void the_whole_is_conformant_if_each_part_that_judged_is(void **state)
{
    (void)state;
    static const struct {
        const char *parts[3];
        bool conformant;
    } table[] = {
        {{GOOD, GOOD, GOOD}, true},
        // In each place, so that neither the first nor the last decides.
        {{"{\"judged\":3,\"conformant\":false}", GOOD, GOOD}, false},
        {{GOOD, "{\"judged\":3,\"conformant\":false}", GOOD}, false},
        {{GOOD, GOOD, "{\"judged\":3,\"conformant\":false}"}, false},
        {{GOOD, GOOD, "{\"judged\":3}"}, false},
        // A part that had nothing to judge says nothing of the whole, unless no part had.
        {{"{\"judged\":0,\"conformant\":false}", GOOD, GOOD}, true},
        {{GOOD, "{\"judged\":-1,\"conformant\":false}", GOOD}, true},
        {{"{\"judged\":0}", "{\"judged\":0,\"conformant\":true}", "{}"}, false},
        // A run that did not come to its end is not conformant.
        {{"{\"judged\":1,\"conformant\":true,\"interrupted\":true}", GOOD, GOOD}, false},
        {{GOOD, "{\"judged\":1,\"conformant\":true,\"stopped\":\"why\"}", GOOD}, false},
        {{GOOD, GOOD, NULL}, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        jck_shards shards;
        jrpc_error error = {0};
        jck_shards_init(&shards);
        for (size_t part = 0; part < 3; part++) {
            assert_true(add(&shards, part + 1, 3, &error));
        }
        for (size_t part = 0; part < 3 && table[i].parts[part] != NULL; part++) {
            finish_as(&shards, table[i].parts[part]);
        }
        assert_int_equal(jck_shards_conformant(&shards), table[i].conformant);
        jck_shards_done(&shards);
    }
}

static jrpc_json written_finish(const jck_shards *shards, jrpc_buffer *out,
                                jrpc_json_document *document)
{
    jrpc_buffer_init(out, jrpc_allocator_heap(), 1 << 16);
    jrpc_json_document_init(document, jrpc_allocator_heap());
    assert_true(jck_shards_write_finish(shards, out));
    assert_int_equal(out->ptr[out->len - 1], '\n');
    assert_true(jrpc_json_read(document, jrpc_buffer_slice(out), JRPC_LIMIT_DEPTH, NULL));
    return jrpc_json_root(document);
}

static void assert_written(jrpc_json finish, const char *member, const char *spelling)
{
    jrpc_json value = jrpc_json_get(finish, member);
    if (!jrpc_slice_is(jrpc_json_spelling(value), spelling)) {
        jrpc_slice got = jrpc_json_spelling(value);
        fail_msg("%s: %s expected, %.*s", member, spelling, (int)got.len, got.ptr);
    }
}

static void the_finish_of_the_whole_sums_up_its_parts(void **state)
{
    (void)state;
    jck_shards shards;
    jrpc_error error = {0};
    jck_shards_init(&shards);
    for (size_t part = 1; part <= 3; part++) {
        assert_true(add(&shards, part, 3, &error));
    }
    finish_as(&shards,
              "{\"counts\":{\"pass\":3,\"fail\":1},\"judged\":4,\"skipped\":2,\"unexpected\":1,"
              "\"rules_untested\":[\"A\",\"B\",7,\"C\"],\"duration_us\":10,\"timers_expired\":1,"
              "\"only_in_company\":1,\"sessions_lost\":2,"
              "\"spent_ms\":{\"cases\":{\"work\":5,\"fences\":2},\"searching\":{}}}");
    finish_as(&shards,
              "{\"counts\":{\"pass\":5,\"crash\":2},\"judged\":7,\"skipped\":1,"
              "\"rules_untested\":[\"C\",\"A\",\"D\"],\"duration_us\":30,\"timers_expired\":2,"
              "\"spent_ms\":{\"cases\":{\"mute\":7,\"work\":4},\"confirming\":{\"work\":1}},"
              "\"sessions_lost\":3,\"stop\":\"mute\",\"stopped\":\"it is mute\"}");
    finish_as(&shards, "{\"counts\":{\"pass\":\"x\",\"fail\":-1},\"judged\":1,\"unexpected\":2,"
                       "\"rules_untested\":[\"E\",\"A\"],\"duration_us\":20,\"only_in_company\":3,"
                       "\"interrupted\":true,\"stop\":\"fault\",\"stopped\":\"another\"}");
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_json finish = written_finish(&shards, &out, &document);
    assert_written(finish, "event", "\"finish\"");
    assert_written(jrpc_json_get(finish, "counts"), "pass", "8");
    assert_written(jrpc_json_get(finish, "counts"), "fail", "1");
    assert_written(jrpc_json_get(finish, "counts"), "crash", "2");
    assert_written(jrpc_json_get(finish, "counts"), "observe", "0");
    assert_written(finish, "judged", "12");
    assert_written(finish, "skipped", "3");
    assert_written(finish, "unexpected", "3");
    assert_written(finish, "rules_untested", "[\"A\"]"); // what some part tested is tested
    assert_written(finish, "duration_us", "30");         // they ran beside each other
    assert_written(finish, "timers_expired", "3");
    assert_written(finish, "only_in_company", "4");
    assert_written(finish, "sessions_lost", "5");
    assert_written(finish, "spent_ms",
                   "{\"cases\":{\"work\":9,\"fences\":2,\"mute\":7},\"searching\":{},"
                   "\"confirming\":{\"work\":1}}");
    assert_written(finish, "interrupted", "true");
    assert_written(finish, "conformant", "false");
    assert_written(finish, "stop", "\"mute\""); // the first that was stopped says why
    assert_written(finish, "stopped", "\"it is mute\"");
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
    jck_shards_done(&shards);
}

// A part comes from a file, which may say anything.
static void what_was_spent_is_added_as_far_as_it_is_known(void **state)
{
    (void)state;
    jck_shards shards;
    jrpc_error error = {0};
    jck_shards_init(&shards);
    for (size_t part = 1; part <= 4; part++) {
        assert_true(add(&shards, part, 4, &error));
    }
    finish_as(&shards, "{\"judged\":1,\"spent_ms\":{\"cases\":{\"work\":9223372036854775800,"
                       "\"idle\":0,\"\":3,\"odd\":\"x\",\"less\":-1},\"searching\":7}}");
    finish_as(&shards, "{\"judged\":1,\"spent_ms\":{\"cases\":{\"work\":7,\"idle\":0}}}");
    finish_as(&shards, "{\"judged\":1,\"spent_ms\":{\"cases\":{\"work\":1,\"idle\":2}}}");
    finish_as(&shards, "{\"judged\":1,\"spent_ms\":[{\"cases\":{\"work\":1}}]}");
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_json finish = written_finish(&shards, &out, &document);
    assert_written(finish, "spent_ms",
                   "{\"cases\":{\"work\":9223372036854775807,\"idle\":2},\"searching\":{}}");
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
    jck_shards_done(&shards);
}

static void what_did_not_occur_is_absent_from_the_finish_of_the_whole(void **state)
{
    (void)state;
    jck_shards shards;
    jrpc_error error = {0};
    jck_shards_init(&shards);
    assert_true(add(&shards, 1, 1, &error));
    finish_as(&shards, GOOD);
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_json finish = written_finish(&shards, &out, &document);
    assert_written(finish, "conformant", "true");
    assert_written(finish, "interrupted", "false");
    assert_written(finish, "rules_untested", "[]");
    assert_false(jrpc_json_exists(jrpc_json_get(finish, "stop")));
    assert_false(jrpc_json_exists(jrpc_json_get(finish, "stopped")));
    assert_false(jrpc_json_exists(jrpc_json_get(finish, "sessions_lost")));
    assert_false(jrpc_json_exists(jrpc_json_get(finish, "spent_ms")));
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 20);
    assert_false(jck_shards_write_finish(&shards, &out));
    jrpc_buffer_done(&out);
    jck_shards_done(&shards);
}

// With room for ever more: an error says that there is too little, or all is there.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    enum { ROOM = 4096, STEP = 8 };
    const char finish[] =
        "{\"rules_untested\":[\"A\\u0041\",\"B\"],\"judged\":1,\"stop\":\"mu\\u0074e\","
        "\"stopped\":\"t\\u0041\",\"spent_ms\":{\"c\\u0061ses\":{\"w\\u006frk\":1}}}";
    size_t unstarted = 0;
    size_t unfinished = 0;
    size_t whole = 0;
    for (size_t room = 0; room < ROOM; room += STEP) {
        jck_shards shards;
        jrpc_error error = {0};
        jrpc_json_document document;
        jck_shards_init(&shards);
        jrpc_arena_done(&shards.arena);
        jrpc_arena_init(&shards.arena, jrpc_allocator_heap(), room);
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, jrpc_slice_str(finish), JRPC_LIMIT_DEPTH, NULL));
        bool started = start_as(&shards, FIRST, &error);
        assert_true(started || error.code == JRPC_ERROR_MEMORY);
        bool finished = started && jck_shards_finish(&shards, jrpc_json_root(&document));
        if (finished) {
            assert_int_equal(shards.untested_count, 2);
            assert_true(jrpc_slice_is(shards.untested[0], "AA"));
            assert_true(jrpc_slice_is(shards.stop, "mute"));
            assert_true(jrpc_slice_is(shards.stopped, "tA"));
            assert_int_equal(shards.spent_count, 2);
            assert_true(jrpc_slice_is(shards.spent[1].on, "cases"));
            assert_true(jrpc_slice_is(shards.spent[1].kind, "work"));
        }
        unstarted += !started;
        unfinished += started && !finished;
        whole += finished;
        jrpc_json_document_done(&document);
        jck_shards_done(&shards);
    }
    assert_true(unstarted > 0 && unfinished > 0 && whole > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_that_is_missing_is_named_be_it_the_first_or_the_last),
        cmocka_unit_test(a_part_beyond_the_last_or_given_twice_is_refused),
        cmocka_unit_test(a_part_belongs_to_a_run_if_all_that_names_the_run_is_the_same),
        cmocka_unit_test(only_the_start_of_a_part_is_one),
        cmocka_unit_test(the_start_of_the_whole_counts_the_cases_of_all_parts),
        cmocka_unit_test(the_whole_is_conformant_if_each_part_that_judged_is),
        cmocka_unit_test(the_finish_of_the_whole_sums_up_its_parts),
        cmocka_unit_test(what_was_spent_is_added_as_far_as_it_is_known),
        cmocka_unit_test(what_did_not_occur_is_absent_from_the_finish_of_the_whole),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
