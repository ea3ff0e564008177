// The parts of a run come to one verdict: conformant if all of them ended, none was stopped or
// interrupted, some case was judged, and each part that judged any is; and their numbers to one
// sum, their durations to the longest. A run that lacks one of its parts is not whole.
//
// A line of the text is the finish of a part.
#include "harness/report/shards.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "reference/json/read.h"

#include <stdio.h>

enum { PARTS_MOST = 9, ROOM = 1 << 20, MOST = 1 << 20 };

typedef struct sum {
    size_t parts, ended, judged, skipped, passed, longest, spent;
    bool broken, halted, unsure;
} sum;

static bool is_true(const tree *finish, const char *name)
{
    const tree *member = tree_member(finish, name);
    return member != NULL && member->kind == 'b' && member->spelling.ptr[0] == 't';
}

static size_t number_in(const tree *member, sum *all)
{
    size_t number = 0;
    if (member == NULL || member->kind != '0') {
        return 0;
    }
    for (size_t i = 0; i < member->spelling.len; i++) {
        char digit = member->spelling.ptr[i];
        all->unsure = all->unsure || digit < '0' || digit > '9' || number > MOST;
        number = all->unsure ? 0 : number * 10 + (size_t)(digit - '0');
    }
    return number;
}

static size_t number_of(const tree *object, const char *name, sum *all)
{
    return number_in(object == NULL || object->kind != 'o' ? NULL : tree_member(object, name), all);
}

// Adds up the time spent on purpose `a` with kind `b`; duplicate members all count.
static void add_spent(sum *all, const tree *purposes)
{
    for (size_t i = 0; purposes != NULL && purposes->kind == 'o' && i < purposes->count; i++) {
        const tree *kinds = purposes->items[i];
        bool asked = tree_is_text(purposes->names[i], "a") && kinds->kind == 'o';
        for (size_t k = 0; asked && k < kinds->count; k++) {
            if (tree_is_text(kinds->names[k], "b")) {
                all->spent += number_in(kinds->items[k], all);
            }
        }
    }
}

static void add(sum *all, const tree *finish)
{
    const tree *stopped = tree_member(finish, "stopped");
    size_t judged = number_of(finish, "judged", all);
    all->ended++;
    all->judged += judged;
    all->skipped += number_of(finish, "skipped", all);
    all->passed += number_of(tree_member(finish, "counts"), "pass", all);
    size_t duration = number_of(finish, "duration_us", all);
    all->longest = duration > all->longest ? duration : all->longest;
    add_spent(all, tree_member(finish, "spent_ms"));
    all->broken = all->broken || (judged > 0 && !is_true(finish, "conformant"));
    all->halted = all->halted || is_true(finish, "interrupted") ||
                  (stopped != NULL && stopped->kind == 's' && stopped->content.len > 0);
}

static void start(jck_shards *shards, size_t part, size_t of)
{
    char line[80];
    jrpc_json_document document;
    jrpc_error error = {.code = JRPC_OK};
    (void)snprintf(line, sizeof line, "{\"event\":\"start\",\"shard\":{\"index\":%zu,\"of\":%zu}}",
                   part, of);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_slice_str(line), 8, NULL));
    FUZZ_REQUIRE(jck_shards_start(shards, jrpc_json_root(&document), jrpc_slice_str(line), &error));
    jrpc_json_document_done(&document);
}

// What is written of the whole says the same.
static void require_written(const jck_shards *shards, const sum *all, tree_pool *pool)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jck_shards_write_finish(shards, &out));
    FUZZ_REQUIRE(grammar_check(jrpc_buffer_slice(&out), TREE_DEPTH).verdict == GRAMMAR_JSON);
    const tree *whole = tree_read(pool, jrpc_buffer_slice(&out));
    sum read = {.parts = 1};
    add(&read, whole);
    // A sum may be greater than what is read of a part.
    FUZZ_REQUIRE(read.unsure || (read.judged == all->judged && read.skipped == all->skipped &&
                                 read.passed == all->passed && read.spent == all->spent &&
                                 read.longest == all->longest));
    FUZZ_REQUIRE(read.halted == all->halted);
    FUZZ_REQUIRE(is_true(whole, "conformant") == jck_shards_conformant(shards));
    jrpc_buffer_done(&out);
}

// A run of which one part is missing is not whole, whichever it is.
static void require_missed(size_t parts)
{
    for (size_t missing = 1; missing <= parts; missing++) {
        jck_shards shards;
        jrpc_error error = {.code = JRPC_OK};
        jck_shards_init(&shards);
        for (size_t part = 1; part <= parts; part++) {
            if (part != missing) {
                start(&shards, part, parts);
            }
        }
        FUZZ_REQUIRE(parts == 1 || !jck_shards_are_whole(&shards, &error));
        FUZZ_REQUIRE(parts == 1 || error.code == JRPC_ERROR_INVALID);
        jck_shards_done(&shards);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    jck_shards shards;
    sum all = {.parts = 0};
    jrpc_slice lines[PARTS_MOST] = {{NULL, 0}};
    jrpc_slice rest = input.text;
    while (all.parts < PARTS_MOST && jrpc_slice_take_line(&rest, &lines[all.parts])) {
        all.parts++;
    }
    jck_shards_init(&shards);
    for (size_t part = all.parts; part > 0; part--) {
        start(&shards, part, all.parts);
    }
    FUZZ_REQUIRE(jck_shards_are_whole(&shards, NULL));
    if (fuzz_turn(&input, 0, 4)) {
        require_missed(all.parts);
    }
    for (size_t i = 0; i < all.parts; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        if (grammar_check(lines[i], TREE_DEPTH).verdict == GRAMMAR_JSON &&
            jrpc_json_read(&document, lines[i], TREE_DEPTH, NULL) &&
            jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_OBJECT)) {
            add(&all, tree_read(&pool, lines[i]));
            FUZZ_REQUIRE(jck_shards_finish(&shards, jrpc_json_root(&document)));
        }
        jrpc_json_document_done(&document);
    }
    bool conformant =
        all.ended == all.parts && all.parts > 0 && all.judged > 0 && !all.broken && !all.halted;
    FUZZ_REQUIRE(all.unsure || jck_shards_conformant(&shards) == conformant);
    if (!all.unsure) {
        require_written(&shards, &all, &pool);
    }
    jck_shards_done(&shards);
    tree_pool_done(&pool);
    return 0;
}
