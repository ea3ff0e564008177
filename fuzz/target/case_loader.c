// A case file that is anything: every diagnostic has its place; loading is deterministic and does
// not depend on the spelling between tokens, or on the order of members; what was loaded is
// complete, and its payloads are bounded; memory that runs out is reported, once, and nothing is
// half loaded.
//
// Options: one byte that is free, the n-th allocation that fails.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/tree.h"
#include "fuzz/told.h"
#include "harness/suite/load.h"
#include "reference/json/read.h"

enum { DEPTH = 64, ROOM = 1 << 20, PAYLOAD_ROOM = 1 << 16 };

typedef struct loaded {
    fuzz_told told;
    size_t cases, steps;
    bool starved;
} loaded;

// `context` is whether the variable "absent" was asked for.
static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    *(bool *)context = *(bool *)context || jrpc_slice_is(name, "absent");
    *ret_spelling = JRPC_SLICE("\"v\"");
    return true;
}

static bool require_payload(const jck_payload *payload, bool *asked)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), PAYLOAD_ROOM);
    jrpc_error error = {.code = JRPC_OK};
    bool expanded = jck_payload_expand(payload, resolve, asked, &out, &error);
    FUZZ_REQUIRE(expanded || error.code == JRPC_ERROR_LIMIT);
    FUZZ_REQUIRE(out.len <= PAYLOAD_ROOM);
    for (size_t i = 0; i < payload->chunk_count; i++) {
        FUZZ_REQUIRE(i == 0 || payload->chunks[i] >= payload->chunks[i - 1]);
    }
    jrpc_buffer_done(&out);
    return expanded;
}

// Whether the id consists of two or more parts, separated by slashes. A part consists of lower-case
// letters, digits, '.', '-' and '_'.
static bool is_slug(jrpc_slice id)
{
    size_t parts = 0;
    while (id.len != 0) {
        size_t len = 0;
        while (len < id.len && id.ptr[len] != '\0' &&
               strchr("abcdefghijklmnopqrstuvwxyz0123456789.-_", id.ptr[len]) != NULL) {
            len++;
        }
        bool last = len == id.len;
        if (len == 0 || (!last && (id.ptr[len] != '/' || len + 1 == id.len))) {
            return false;
        }
        parts++;
        id = jrpc_slice_from(id, last ? len : len + 1);
    }
    return parts > 1;
}

// Whether a message has the id null, alone or in a batch.
static bool sends_null(const jck_payload *payload)
{
    jrpc_json message = payload->json;
    if (payload->kind != JCK_PAYLOAD_JSON) {
        return false;
    }
    bool batch = jrpc_json_is(message, JRPC_JSON_ARRAY);
    bool sends = false;
    for (uint32_t i = 0; i < (batch ? jrpc_json_count(message) : 1); i++) {
        jrpc_json one = batch ? jrpc_json_element(message, i) : message;
        jrpc_json id = jrpc_json_pointer(one, JRPC_SLICE("/id"));
        sends = sends || (jrpc_json_is(one, JRPC_JSON_OBJECT) && jrpc_json_is(id, JRPC_JSON_NULL));
    }
    return sends;
}

// A question about a whole case is answered as its single steps say.
static void require_summary(const jck_case *one)
{
    bool receives = false;
    bool sits_out = false;
    bool only_responses = true;
    bool waits = jck_case_mentions(one, "slow");
    bool null_id = false;
    for (size_t i = 0; i < one->step_count; i++) {
        const jck_step *step = &one->steps[i];
        bool receive = step->kind == JCK_STEP_RECEIVE;
        receives = receives || receive;
        sits_out = sits_out || (receive && jrpc_slice_is(step->within, "rest"));
        for (uint32_t k = 0; receive && k < jrpc_json_count(step->patterns); k++) {
            jrpc_json pattern = jrpc_json_element(step->patterns, k);
            only_responses = only_responses && jck_pattern_is_of_response(pattern);
        }
        only_responses = only_responses && !(receive && jrpc_slice_is(step->within, "async"));
        waits = waits || step->kind == JCK_STEP_CLOSE || jrpc_slice_is(step->within, "pause") ||
                step->manner.bytes != JRPC_BYTES_USUAL || step->manner.http_method != NULL;
        null_id = null_id || (step->kind == JCK_STEP_SEND && sends_null(&step->payload));
    }
    FUZZ_REQUIRE(jck_case_receives(one) == receives && jck_case_sits_out(one) == sits_out);
    FUZZ_REQUIRE(jck_case_receives_responses(one) == only_responses);
    FUZZ_REQUIRE(jck_case_waits(one) == waits && jck_case_sends_null_id(one) == null_id);
    for (size_t i = 0; i < one->rule_count; i++) {
        FUZZ_REQUIRE(jck_case_names(one, one->rules[i]));
    }
    FUZZ_REQUIRE(!jck_case_names(one, JRPC_SLICE("no-such-rule")));
}

static void require_case(const jck_case *one, loaded *sum)
{
    FUZZ_REQUIRE(is_slug(one->id));
    FUZZ_REQUIRE(one->id.len != 0 && one->rule_count != 0 && one->step_count != 0);
    FUZZ_REQUIRE(one->line != 0 && one->file != NULL);
    for (size_t i = 0; i < one->rule_count; i++) {
        FUZZ_REQUIRE(jck_suite_find_rule(fuzz_suite(), one->rules[i]) != NULL);
    }
    bool asked = false;
    bool whole = true;
    for (size_t i = 0; i < one->step_count; i++) {
        const jck_expect *expect = &one->steps[i].expect;
        FUZZ_REQUIRE(one->side != JCK_SIDE_PARSER || expect->kind != JCK_EXPECT_PARSER ||
                     (expect->observation.len > 0) == (expect->parser == JCK_PARSER_CHOOSES));
        if (one->steps[i].kind == JCK_STEP_SEND) {
            whole = require_payload(&one->steps[i].payload, &asked) && whole;
        }
    }
    FUZZ_REQUIRE(!whole || jck_case_mentions(one, "absent") == asked);
    require_summary(one);
    sum->steps += one->step_count;
}

static void start(loaded *sum, jck_suite *suite, jck_reader *reader, jrpc_slice text,
                  const jrpc_allocator *allocator, jrpc_error *first)
{
    *sum = (loaded){.told = {.lines = fuzz_count_lines(text), .text = text}};
    jrpc_arena_init(&suite->arena, allocator, (size_t)64 << 20);
    jck_reader_init(reader, &suite->arena, fuzz_tell, &sum->told, first);
    reader->text = text;
}

static void finish(loaded *sum, jck_suite *suite, const jck_reader *reader, bool whole,
                   const jrpc_error *first)
{
    FUZZ_REQUIRE(whole || reader->wrong != 0);
    FUZZ_REQUIRE((reader->wrong != 0) == (first->code != JRPC_OK));
    FUZZ_REQUIRE(reader->wrong == sum->told.count);
    FUZZ_REQUIRE(reader->starved == (sum->told.memory == 1));
    sum->starved = reader->starved;
    jrpc_arena_done(&suite->arena);
}

static loaded load_cases(jrpc_json root, jrpc_slice text, const jrpc_allocator *allocator)
{
    loaded sum;
    const jck_suite *rules = fuzz_suite();
    jck_suite suite = {.rules = rules->rules, .rule_count = rules->rule_count};
    jck_reader reader;
    jrpc_error first = {.code = JRPC_OK};
    start(&sum, &suite, &reader, text, allocator, &first);
    reader.file = "cases/fuzz.json";
    bool whole = jck_load_cases(&reader, &suite, root, "jsonrpc-2.0");
    for (size_t i = 0; reader.wrong == 0 && i < suite.case_count; i++) {
        require_case(&suite.cases[i], &sum);
    }
    sum.cases = suite.case_count;
    finish(&sum, &suite, &reader, whole, &first);
    return sum;
}

// The same text as a catalogue: what was loaded of it is complete.
static loaded load_rules(jrpc_json root, jrpc_slice text, const jrpc_allocator *allocator)
{
    loaded sum;
    jck_suite suite = {.rules = NULL};
    jck_reader reader;
    jrpc_error first = {.code = JRPC_OK};
    start(&sum, &suite, &reader, text, allocator, &first);
    reader.file = "cases/rules/fuzz.json";
    bool whole = jck_load_rules(&reader, &suite, root);
    for (size_t i = 0; reader.wrong == 0 && i < suite.rule_count; i++) {
        FUZZ_REQUIRE(suite.rules[i].id.len != 0 && suite.rules[i].sentence.len != 0);
    }
    sum.cases = suite.rule_count;
    finish(&sum, &suite, &reader, whole, &first);
    return sum;
}

typedef loaded load_function(jrpc_json root, jrpc_slice text, const jrpc_allocator *allocator);

static void require_same(const loaded *a, const loaded *b)
{
    FUZZ_REQUIRE(a->told.count == b->told.count);
    FUZZ_REQUIRE(a->cases == b->cases && a->steps == b->steps);
}

static void check_anew(load_function *load, const fuzz_input *input, const loaded *plain)
{
    tree_pool pool = {NULL};
    jrpc_random random;
    jrpc_buffer anew;
    jrpc_json_document document;
    jrpc_random_init(&random, fuzz_input_seed(input));
    jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    tree_write(&anew, tree_read(&pool, input->text), TREE_SPACE | TREE_ORDER, &random);
    jrpc_slice text = jrpc_buffer_slice(&anew);
    FUZZ_REQUIRE(jrpc_json_read(&document, text, DEPTH, NULL));
    loaded again = load(jrpc_json_root(&document), text, jrpc_allocator_heap());
    require_same(plain, &again);
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&anew);
    tree_pool_done(&pool);
}

// Finds the matchers in the patterns of a case, except those within another matcher, and returns
// how many there are. `*ret_at` is where the name of the matcher with this number begins.
static size_t find_matchers(const tree *value, bool expected, size_t number, const char **ret_at)
{
    size_t count = 0;
    bool matcher = expected && value->kind == 'o' && value->count == 1 &&
                   value->names[0]->spelling.len > 3 && value->names[0]->spelling.ptr[1] == '$' &&
                   value->names[0]->spelling.ptr[2] >= 'a';
    if (matcher) {
        *ret_at = number == 0 ? value->names[0]->spelling.ptr + 2 : *ret_at;
        return 1;
    }
    for (size_t i = 0; (value->kind == 'a' || value->kind == 'o') && i < value->count; i++) {
        bool named = value->kind == 'o';
        bool sends = named && jrpc_slice_starts_with(value->names[i]->content, JRPC_SLICE("send"));
        bool expects = named && (tree_is_text(value->names[i], "expect") ||
                                 tree_is_text(value->names[i], "receive") ||
                                 tree_is_text(value->names[i], "http"));
        if (!sends) {
            count += find_matchers(value->items[i], expected || expects,
                                   number < count ? SIZE_MAX : number - count, ret_at);
        }
    }
    return count;
}

// In a file without mistakes, each matcher is known. If it is misspelled, that is reported,
// wherever it stands.
static void check_misspelled(load_function *load, const fuzz_input *input, const loaded *plain)
{
    tree_pool pool = {NULL};
    const tree *file = tree_read(&pool, input->text);
    const char *at = NULL;
    bool generated = tree_member(file, "cases") == NULL ||
                     jrpc_slice_contains(input->text, JRPC_SLICE("\"table\""));
    size_t count = generated || plain->told.count != 0 ? 0 : find_matchers(file, false, 0, &at);
    for (size_t i = fuzz_every_claim ? 0 : input->turn % (count + 1); i < count;
         i = fuzz_every_claim ? i + 1 : count) {
        jrpc_buffer spoilt;
        jrpc_json_document document;
        jrpc_buffer_init(&spoilt, jrpc_allocator_heap(), ROOM);
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        (void)find_matchers(file, false, i, &at);
        FUZZ_REQUIRE(jrpc_buffer_append(&spoilt, input->text));
        spoilt.ptr[at - input->text.ptr] = 'Q';
        jrpc_slice text = jrpc_buffer_slice(&spoilt);
        FUZZ_REQUIRE(jrpc_json_read(&document, text, DEPTH, NULL));
        FUZZ_REQUIRE(load(jrpc_json_root(&document), text, jrpc_allocator_heap()).told.count != 0);
        jrpc_json_document_done(&document);
        jrpc_buffer_done(&spoilt);
    }
    tree_pool_done(&pool);
}

static void check_starved(load_function *load, jrpc_json root, jrpc_slice text, const loaded *plain,
                          size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    loaded starved = load(root, text, &failing.allocator);
    FUZZ_REQUIRE(starved.starved == (failing.count > successes));
    if (!starved.starved) {
        require_same(plain, &starved);
    }
}

static void check(load_function *load, jrpc_json root, const fuzz_input *input)
{
    loaded plain = load(root, input->text, jrpc_allocator_heap());
    FUZZ_REQUIRE(!plain.starved);
    if (input->options[1] != 0) {
        check_starved(load, root, input->text, &plain, input->options[1] - 1u);
    }
    if (fuzz_turn(input, 0, 4)) {
        check_anew(load, input, &plain);
    }
    if (fuzz_turn(input, 1, 4)) {
        check_misspelled(load, input, &plain);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, input.text, DEPTH, NULL)) {
        jrpc_json root = jrpc_json_root(&document);
        // A catalogue says so; what does not is read as cases, and now and then as rules.
        bool rules = jrpc_json_exists(jrpc_json_get(root, "rules"));
        if (!rules || fuzz_turn(&input, 1, 8)) {
            check(load_cases, root, &input);
        }
        if (rules || fuzz_turn(&input, 2, 8)) {
            check(load_rules, root, &input);
        }
    }
    jrpc_json_document_done(&document);
    return 0;
}
