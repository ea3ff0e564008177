// Tables in case files: a template and its rows become what the naive model says, case for case,
// payload for payload. A table that breaks the rules of the manual is reported with its place. Each
// case has its row's line. Memory that runs out is reported, once, and no case is made up.
//
// Options: one byte that is free, the n-th allocation that fails.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/rows.h"
#include "fuzz/told.h"
#include "harness/suite/load.h"
#include "reference/json/read.h"

// More than MOST cases are not compared: what a table may become is known long before.
enum { DEPTH = 64, ROOM = 4 << 20, MOST = 256, PAYLOAD_ROOM = 1 << 16 };

typedef struct loaded {
    jck_suite suite;
    jrpc_json_document document;
    fuzz_told told;
    bool starved;
} loaded;

static void load(loaded *ret, jrpc_slice text, const jrpc_allocator *allocator)
{
    const jck_suite *rules = fuzz_suite();
    *ret = (loaded){.suite = {.rules = rules->rules, .rule_count = rules->rule_count},
                    .told = {.lines = fuzz_count_lines(text)}};
    jrpc_arena_init(&ret->suite.arena, allocator, (size_t)64 << 20);
    jrpc_json_document_init(&ret->document, jrpc_allocator_heap());
    jck_reader reader;
    jrpc_error first = {.code = JRPC_OK};
    jck_reader_init(&reader, &ret->suite.arena, fuzz_tell, &ret->told, &first);
    reader.file = "cases/fuzz.json";
    reader.text = text;
    // A row may put as deep a value as a file holds at the deepest place of its template.
    FUZZ_REQUIRE(jrpc_json_read(&ret->document, text, 2 * DEPTH, NULL));
    bool whole =
        jck_load_cases(&reader, &ret->suite, jrpc_json_root(&ret->document), "jsonrpc-2.0");
    FUZZ_REQUIRE(whole || reader.wrong != 0);
    FUZZ_REQUIRE(reader.wrong == ret->told.count && (reader.wrong == 0) == (first.code == JRPC_OK));
    FUZZ_REQUIRE(reader.starved == (ret->told.memory == 1));
    // Whoever reads on after a table reads the file again.
    FUZZ_REQUIRE(reader.text.ptr == text.ptr && reader.origin == NULL);
    ret->starved = reader.starved;
}

static void unload(loaded *one)
{
    jrpc_json_document_done(&one->document);
    jrpc_arena_done(&one->suite.arena);
}

static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    (void)name;
    *ret_spelling = JRPC_SLICE("\"v\"");
    return true;
}

static void require_same_payload(const jck_payload *a, const jck_payload *b)
{
    jrpc_buffer bytes[2];
    const jck_payload *payloads[] = {a, b};
    for (size_t i = 0; i < 2; i++) {
        jrpc_buffer_init(&bytes[i], jrpc_allocator_heap(), PAYLOAD_ROOM);
        (void)jck_payload_expand(payloads[i], resolve, NULL, &bytes[i], NULL);
    }
    FUZZ_REQUIRE(bytes[0].failed == bytes[1].failed);
    FUZZ_REQUIRE(bytes[0].failed ||
                 jrpc_slice_equal(jrpc_buffer_slice(&bytes[0]), jrpc_buffer_slice(&bytes[1])));
    FUZZ_REQUIRE(a->raw == b->raw && a->chunk_count == b->chunk_count);
    jrpc_buffer_done(&bytes[0]);
    jrpc_buffer_done(&bytes[1]);
}

static void require_same_words(const jrpc_slice *a, size_t a_count, const jrpc_slice *b,
                               size_t b_count)
{
    FUZZ_REQUIRE(a_count == b_count);
    for (size_t i = 0; i < a_count; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(a[i], b[i]));
    }
}

static void require_same_case(const jck_case *a, const jck_case *b)
{
    FUZZ_REQUIRE(jrpc_slice_equal(a->id, b->id) && jrpc_slice_equal(a->title, b->title));
    FUZZ_REQUIRE(jrpc_slice_equal(a->why, b->why) && a->hazard == b->hazard);
    require_same_words(a->rules, a->rule_count, b->rules, b->rule_count);
    require_same_words(a->catches, a->catch_count, b->catches, b->catch_count);
    require_same_words(a->needs, a->need_count, b->needs, b->need_count);
    require_same_words(a->aliases, a->alias_count, b->aliases, b->alias_count);
    FUZZ_REQUIRE(a->step_count == b->step_count);
    for (size_t i = 0; i < a->step_count; i++) {
        const jck_step *left = &a->steps[i];
        const jck_step *right = &b->steps[i];
        FUZZ_REQUIRE(left->kind == right->kind && left->connection == right->connection);
        FUZZ_REQUIRE(left->capture_count == right->capture_count);
        FUZZ_REQUIRE(left->expect.kind == right->expect.kind);
        FUZZ_REQUIRE(left->expect.alternative_count == right->expect.alternative_count);
        if (left->kind == JCK_STEP_SEND) {
            require_same_payload(&left->payload, &right->payload);
        }
    }
}

static size_t line_of(jrpc_slice text, const char *place)
{
    return fuzz_count_lines(jrpc_slice_of(text.ptr, (size_t)(place - text.ptr)));
}

static void require_distinct_ids(const jck_suite *suite)
{
    for (size_t i = 0; i < suite->case_count; i++) {
        FUZZ_REQUIRE(jck_suite_find_case(suite, suite->cases[i].id) == &suite->cases[i]);
    }
}

// What the table's file became beside what the model's file without tables became.
static void require_expanded(const loaded *table, jrpc_slice text, const rows_result *model,
                             jrpc_slice plain)
{
    loaded expected;
    load(&expected, plain, jrpc_allocator_heap());
    FUZZ_REQUIRE((table->told.count == 0) == (expected.told.count == 0));
    if (table->told.count == 0) {
        FUZZ_REQUIRE(table->suite.case_count == model->count);
        FUZZ_REQUIRE(expected.suite.case_count == model->count);
        for (size_t i = 0; i < model->count; i++) {
            require_same_case(&table->suite.cases[i], &expected.suite.cases[i]);
            FUZZ_REQUIRE(table->suite.cases[i].line == line_of(text, model->places[i]));
        }
        require_distinct_ids(&table->suite);
    }
    unload(&expected);
}

static void require_starved(const loaded *plain, jrpc_slice text, size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    loaded starved;
    load(&starved, text, &failing.allocator);
    FUZZ_REQUIRE(starved.starved == (failing.count > successes));
    if (!starved.starved) {
        FUZZ_REQUIRE(starved.told.count == plain->told.count);
        FUZZ_REQUIRE(starved.suite.case_count == plain->suite.case_count);
    } else {
        FUZZ_REQUIRE(starved.suite.case_count <= plain->suite.case_count);
    }
    unload(&starved);
}

// A file that the model has an opinion about: an Object with one Array `cases`.
static bool has_cases(const tree *file)
{
    size_t found = 0;
    for (size_t i = 0; file->kind == 'o' && i < file->count; i++) {
        found += tree_is_text(file->names[i], "cases") ? 1 : 0;
    }
    return found == 1 && tree_member(file, "cases")->kind == 'a';
}

static void check_file(const fuzz_input *input, tree_pool *pool)
{
    const tree *file = tree_read(pool, input->text);
    if (!has_cases(file)) {
        return;
    }
    jrpc_buffer plain;
    jrpc_buffer_init(&plain, jrpc_allocator_heap(), ROOM);
    rows_result model = rows_expand(pool, file, MOST, &plain);
    if (!model.sound || model.count <= MOST) {
        loaded table;
        load(&table, input->text, jrpc_allocator_heap());
        FUZZ_REQUIRE(!table.starved);
        FUZZ_REQUIRE(model.sound || table.told.count != 0);
        if (model.sound) {
            require_expanded(&table, input->text, &model, jrpc_buffer_slice(&plain));
        }
        if (input->options[1] != 0) {
            require_starved(&table, input->text, input->options[1] - 1u);
        }
        unload(&table);
    }
    jrpc_buffer_done(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (grammar_check(input.text, DEPTH).verdict == GRAMMAR_JSON) {
        tree_pool pool = {NULL};
        check_file(&input, &pool);
        tree_pool_done(&pool);
    }
    return 0;
}
