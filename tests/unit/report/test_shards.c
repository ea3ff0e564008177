// The parts of a run: which of them are missing, and what does not belong to it.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_that_is_missing_is_named_be_it_the_first_or_the_last),
        cmocka_unit_test(a_part_beyond_the_last_or_given_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
