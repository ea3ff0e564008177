// A case file that is anything: every diagnostic has its place; loading is deterministic and does
// not depend on the spelling between tokens; what was loaded is complete, and its payloads are
// bounded; memory that runs out is told, once, and nothing is half loaded.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/suite/load.h"
#include "reference/json/read.h"

enum { DEPTH = 64, ROOM = 1 << 20, PAYLOAD_ROOM = 1 << 16 };

typedef struct loaded {
    size_t diagnostics, cases, steps;
    bool starved;
} loaded;

static void check_place(void *context, const jrpc_error *error)
{
    ++*(size_t *)context;
    FUZZ_REQUIRE(error->message[0] != '\0');
    FUZZ_REQUIRE(error->code == JRPC_ERROR_MEMORY || error->source[0] != '\0');
    FUZZ_REQUIRE(error->code == JRPC_ERROR_MEMORY || error->line != 0);
}

static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    (void)name;
    *ret_spelling = JRPC_SLICE("\"v\"");
    return true;
}

static void require_payload(const jck_payload *payload)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), PAYLOAD_ROOM);
    jrpc_error error = {.code = JRPC_OK};
    bool expanded = jck_payload_expand(payload, resolve, NULL, &out, &error);
    FUZZ_REQUIRE(expanded || error.code == JRPC_ERROR_LIMIT);
    FUZZ_REQUIRE(out.len <= PAYLOAD_ROOM);
    for (size_t i = 0; i < payload->chunk_count; i++) {
        FUZZ_REQUIRE(i == 0 || payload->chunks[i] >= payload->chunks[i - 1]);
    }
    jrpc_buffer_done(&out);
}

static void require_case(const jck_case *one, loaded *sum)
{
    FUZZ_REQUIRE(one->id.len != 0 && one->rule_count != 0 && one->step_count != 0);
    FUZZ_REQUIRE(one->line != 0 && one->file != NULL);
    for (size_t i = 0; i < one->rule_count; i++) {
        FUZZ_REQUIRE(jck_suite_find_rule(fuzz_suite(), one->rules[i]) != NULL);
    }
    for (size_t i = 0; i < one->step_count; i++) {
        if (one->steps[i].kind == JCK_STEP_SEND) {
            require_payload(&one->steps[i].payload);
        }
    }
    sum->steps += one->step_count;
}

static loaded load(jrpc_slice text, const jrpc_allocator *allocator)
{
    loaded sum = {0};
    const jck_suite *rules = fuzz_suite();
    jck_suite suite = {.rules = rules->rules, .rule_count = rules->rule_count};
    jrpc_arena_init(&suite.arena, allocator, (size_t)64 << 20);
    jck_reader reader;
    jrpc_error first = {.code = JRPC_OK};
    jck_reader_init(&reader, &suite.arena, check_place, &sum.diagnostics, &first);
    reader.file = "cases/fuzz.json";
    reader.text = text;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, text, DEPTH, NULL)) {
        bool whole = jck_load_cases(&reader, &suite, jrpc_json_root(&document), "jsonrpc-2.0");
        FUZZ_REQUIRE(whole || reader.wrong != 0);
        FUZZ_REQUIRE((reader.wrong != 0) == (first.code != JRPC_OK));
        FUZZ_REQUIRE(reader.wrong == sum.diagnostics);
        for (size_t i = 0; reader.wrong == 0 && i < suite.case_count; i++) {
            require_case(&suite.cases[i], &sum);
        }
        sum.cases = suite.case_count;
        sum.starved = reader.starved;
    }
    jrpc_json_document_done(&document);
    jrpc_arena_done(&suite.arena);
    return sum;
}

// The same text as a catalogue: what was loaded of it is complete.
static loaded load_rules(jrpc_slice text, const jrpc_allocator *allocator)
{
    loaded sum = {0};
    jck_suite suite = {.rules = NULL};
    jrpc_arena_init(&suite.arena, allocator, (size_t)64 << 20);
    jck_reader reader;
    jrpc_error first = {.code = JRPC_OK};
    jck_reader_init(&reader, &suite.arena, check_place, &sum.diagnostics, &first);
    reader.file = "cases/rules/fuzz.json";
    reader.text = text;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, text, DEPTH, NULL) &&
        jrpc_json_exists(jrpc_json_get(jrpc_json_root(&document), "rules"))) {
        bool whole = jck_load_rules(&reader, &suite, jrpc_json_root(&document));
        FUZZ_REQUIRE(whole || reader.wrong != 0);
        for (size_t i = 0; reader.wrong == 0 && i < suite.rule_count; i++) {
            FUZZ_REQUIRE(suite.rules[i].id.len != 0 && suite.rules[i].sentence.len != 0);
        }
        sum.cases = suite.rule_count;
        sum.starved = reader.starved;
    }
    jrpc_json_document_done(&document);
    jrpc_arena_done(&suite.arena);
    return sum;
}

static void require_same(const loaded *a, const loaded *b)
{
    FUZZ_REQUIRE(a->diagnostics == b->diagnostics);
    FUZZ_REQUIRE(a->cases == b->cases && a->steps == b->steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (grammar_check(input.text, DEPTH).verdict != GRAMMAR_JSON) {
        return 0;
    }
    loaded plain = load(input.text, jrpc_allocator_heap());
    FUZZ_REQUIRE(!plain.starved);
    loaded rules = load_rules(input.text, jrpc_allocator_heap());
    FUZZ_REQUIRE(!rules.starved);
    tree_pool pool = {NULL};
    jrpc_random random;
    jrpc_random_init(&random, fuzz_input_seed(&input));
    jrpc_buffer anew;
    jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
    tree_write(&anew, tree_read(&pool, input.text), TREE_SPACE, &random);
    loaded again = load(jrpc_buffer_slice(&anew), jrpc_allocator_heap());
    require_same(&plain, &again);
    again = load_rules(jrpc_buffer_slice(&anew), jrpc_allocator_heap());
    require_same(&rules, &again);
    if (input.options[1] != 0) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, input.options[1] - 1u);
        (void)load_rules(input.text, &failing.allocator);
        jrpc_failing_allocator_init(&failing, input.options[1] - 1u);
        loaded starved = load(input.text, &failing.allocator);
        FUZZ_REQUIRE(starved.starved == (failing.count > input.options[1] - 1u));
        if (!starved.starved) {
            require_same(&plain, &starved);
        }
    }
    jrpc_buffer_done(&anew);
    tree_pool_done(&pool);
    return 0;
}
