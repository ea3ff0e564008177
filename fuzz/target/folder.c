// A folder of rules and cases. The suite has what its files have, in the order of their names. A
// mistake in any file is reported with its place, and then no suite is returned. So is a rule that
// stands on a rule which does not exist. When memory runs out, that is reported once.
//
// The input is an Array: each element is a file. One with `rules` is a catalogue, one with `cases`
// stands in the folder of its suite, a String is a file of another kind, all else stands anywhere.
// Options: one byte that is free, the n-th allocation that fails.
#include "fuzz/folder.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "fuzz/told.h"
#include "harness/suite/load.h"

#include <stdio.h>

enum { DEPTH = 64, FILES = 12, NAME_BYTES = 24 };

typedef struct file {
    char path[NAME_BYTES + 32];
    jrpc_slice text;
    bool rules;
    bool cases;    // read as cases
    size_t order;  // of its folder: rules, then by name
    size_t number; // its name
} file;

typedef struct files {
    file all[FILES];
    size_t count;
} files;

// Every folder that a suite may stand in, in the order of their names.
static const char *const folders[] = {"a-suite", "json", "jsonrpc-2.0", "s"};
enum { FOLDERS = 4, ANYWHERE = FOLDERS - 1 };

static size_t folder_of(const tree *value)
{
    const tree *suite = tree_member(value, "suite");
    for (size_t i = 0; i < ANYWHERE; i++) {
        if (tree_is_text(suite, folders[i])) {
            return i;
        }
    }
    return ANYWHERE;
}

static void add_file(files *laid, const tree *value)
{
    file *one = &laid->all[laid->count];
    bool text = value->kind == 's';
    size_t folder = folder_of(value);
    *one = (file){.text = text ? value->content : value->spelling,
                  .rules = tree_member(value, "rules") != NULL,
                  .order = folder + 1};
    one->cases = !one->rules && !text;
    if (one->rules) {
        one->order = 0;
    }
    // Names out of order, whichever way the system lists them.
    one->number = (laid->count * 7 + 3) % FILES;
    (void)snprintf(one->path, sizeof one->path, "%s/%02zu.%s",
                   one->rules ? "rules" : folders[folder], one->number, text ? "txt" : "json");
    fuzz_folder_put(one->path, one->text);
    laid->count++;
}

static void lay_out(files *laid, const tree *all)
{
    fuzz_folder_clear();
    // Hidden files are nobody's, and what is not a folder holds no cases.
    fuzz_folder_put("rules/.hidden.json", JRPC_SLICE("{"));
    fuzz_folder_put("schema/case.json", JRPC_SLICE("{"));
    fuzz_folder_put("README.md", JRPC_SLICE("{"));
    for (size_t i = 0; i < all->count && laid->count < FILES; i++) {
        add_file(laid, all->items[i]);
    }
}

// One file alone, after those before it.
static void load_file(jck_suite *suite, const file *one, fuzz_told *told)
{
    char path[512];
    jrpc_json root;
    jck_reader reader;
    jck_reader_init(&reader, &suite->arena, fuzz_tell, told, NULL);
    (void)snprintf(path, sizeof path, "%s/%s", fuzz_folder(), one->path);
    if (!jck_reader_open(&reader, path, &root)) {
        return;
    }
    if (one->rules) {
        (void)jck_load_rules(&reader, suite, root);
    } else {
        jrpc_slice folder = jrpc_slice_str(folders[one->order - 1]);
        (void)jck_load_cases(&reader, suite, root, folder.ptr);
    }
}

static bool has_rule(const jck_suite *suite, jrpc_slice id)
{
    for (size_t i = 0; i < suite->rule_count; i++) {
        if (jrpc_slice_equal(suite->rules[i].id, id)) {
            return true;
        }
    }
    return false;
}

static size_t count_unfounded(const jck_suite *suite)
{
    size_t count = 0;
    for (size_t i = 0; i < suite->rule_count; i++) {
        for (size_t s = 0; s < suite->rules[i].stands_on_count; s++) {
            count += has_rule(suite, suite->rules[i].stands_on[s]) ? 0 : 1;
        }
    }
    return count;
}

static const file *find_file(const files *laid, size_t order, size_t number)
{
    for (size_t i = 0; i < laid->count; i++) {
        if (laid->all[i].order == order && laid->all[i].number == number) {
            return &laid->all[i];
        }
    }
    return NULL;
}

// The files one by one, in the order of their folders and names. What is wrong is counted.
static size_t load_one_by_one(jck_suite *suite, const files *laid)
{
    fuzz_told told = {0};
    for (size_t order = 0; order <= FOLDERS; order++) {
        for (size_t number = 0; number < FILES; number++) {
            const file *one = find_file(laid, order, number);
            if (one != NULL && (one->rules || one->cases)) {
                load_file(suite, one, &told);
            }
        }
    }
    return told.count + count_unfounded(suite);
}

static void require_same(const jck_suite *suite, const jck_suite *expected)
{
    FUZZ_REQUIRE(jck_suite_rule_count(suite) == expected->rule_count);
    FUZZ_REQUIRE(jck_suite_case_count(suite) == expected->case_count);
    for (size_t i = 0; i < expected->rule_count; i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        FUZZ_REQUIRE(jrpc_slice_equal(rule->id, expected->rules[i].id));
        FUZZ_REQUIRE(rule->line == expected->rules[i].line);
        FUZZ_REQUIRE(jck_suite_find_rule(suite, rule->id) == rule);
    }
    for (size_t i = 0; i < expected->case_count; i++) {
        const jck_case *one = jck_suite_case(suite, i);
        FUZZ_REQUIRE(jrpc_slice_equal(one->id, expected->cases[i].id));
        FUZZ_REQUIRE(strcmp(one->file, expected->cases[i].file) == 0);
        FUZZ_REQUIRE(one->line == expected->cases[i].line);
        FUZZ_REQUIRE(jck_suite_find_case(suite, one->id) == one);
        for (size_t k = 0; k < one->alias_count; k++) {
            FUZZ_REQUIRE(jck_suite_find_case(suite, one->aliases[k]) == one);
        }
    }
    FUZZ_REQUIRE(jck_suite_find_case(suite, JRPC_SLICE("?")) == NULL);
}

// As fuzz_tell, except that an error about a whole rule needs no column.
static void tell(void *context, const jrpc_error *error)
{
    jrpc_error placed = *error;
    placed.column = error->column == 0 ? 1 : error->column;
    fuzz_tell(context, &placed);
}

static void check_starved(const jck_suite *plain, size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    fuzz_told told = {0};
    jrpc_error error = {.code = JRPC_OK};
    jck_suite *suite = jck_suite_load_with(&failing.allocator, fuzz_folder(), tell, &told, &error);
    bool starved = failing.count > successes;
    FUZZ_REQUIRE((suite == NULL) == (error.code != JRPC_OK));
    FUZZ_REQUIRE((suite != NULL) == (plain != NULL && !starved));
    FUZZ_REQUIRE(!starved || plain == NULL || error.code == JRPC_ERROR_MEMORY);
    FUZZ_REQUIRE(!starved || told.memory == 1 || successes == 0);
    if (suite != NULL) {
        require_same(suite, plain);
    }
    jck_suite_free(suite);
}

static void check(const fuzz_input *input, tree_pool *pool)
{
    const tree *all = tree_read(pool, input->text);
    files laid = {.count = 0};
    if (all->kind != 'a') {
        return;
    }
    lay_out(&laid, all);
    jck_suite expected = {.rules = NULL};
    jrpc_arena_init(&expected.arena, jrpc_allocator_heap(), (size_t)64 << 20);
    size_t wrong = load_one_by_one(&expected, &laid);
    fuzz_told told = {0};
    jrpc_error error = {.code = JRPC_OK};
    jck_suite *suite = jck_suite_load(fuzz_folder(), tell, &told, &error);
    FUZZ_REQUIRE(told.count == wrong && told.memory == 0);
    FUZZ_REQUIRE((suite == NULL) == (wrong != 0));
    FUZZ_REQUIRE((suite == NULL) == (error.code != JRPC_OK));
    if (suite != NULL) {
        require_same(suite, &expected);
    }
    if (input->options[1] != 0) {
        check_starved(suite, input->options[1] - 1u);
    }
    jck_suite_free(suite);
    jrpc_arena_done(&expected.arena);
}

// A folder that is not there is reported by its name.
static void check_missing(void)
{
    fuzz_told told = {0};
    jrpc_error error = {.code = JRPC_OK};
    FUZZ_REQUIRE(jck_suite_load("/nowhere/at/all", NULL, &told, &error) == NULL);
    FUZZ_REQUIRE(error.code == JRPC_ERROR_SYSTEM && strstr(error.message, "/nowhere") != NULL);
    jck_suite_free(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (grammar_check(input.text, DEPTH).verdict == GRAMMAR_JSON) {
        tree_pool pool = {NULL};
        check(&input, &pool);
        tree_pool_done(&pool);
    } else {
        check_missing();
    }
    return 0;
}
