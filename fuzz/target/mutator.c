// The mutator is bounded and gives the same for the same seed, on any bytes. Other spellings of a
// text, and the usual one, are JSON of the same value.
#include "fuzz/mutator/mutator.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/generate/normalize.h"
#include "harness/generate/respell.h"
#include "reference/json/read.h"

#include <stdlib.h>

static void require_mutation(const uint8_t *data, size_t size, size_t room, uint64_t seed)
{
    uint8_t *one = malloc(room == 0 ? 1 : room);
    uint8_t *two = malloc(room == 0 ? 1 : room);
    FUZZ_REQUIRE(one != NULL && two != NULL);
    memcpy(one, data, size);
    memcpy(two, data, size);
    size_t len = mutator_mutate(one, size, room, seed);
    FUZZ_REQUIRE(len <= room);
    FUZZ_REQUIRE(mutator_mutate(two, size, room, seed) == len);
    FUZZ_REQUIRE(memcmp(one, two, len) == 0);
    FUZZ_REQUIRE(mutator_cross(data, size, one, len, two, room, seed) <= room);
    free(two);
    free(one);
}

static void require_same(tree_pool *pool, const tree *value, const jrpc_buffer *spelled)
{
    jrpc_slice text = jrpc_buffer_slice(spelled);
    FUZZ_REQUIRE(grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON);
    FUZZ_REQUIRE(tree_equal(value, tree_read(pool, text)) != TREE_DIFFERENT);
}

// Every kind of value, and every kind of number.
static const jrpc_slice every_kind = JRPC_SLICE_INIT(
    "{\"a\":[0,-0,1,-1,10,-10,100,1.5,0.0,-0.0,1e2,1E-2,12345678901234567890],\"\":{},\"\xC3\xA9\":"
    "\"\xF0\x9F\x98\x80/"
    "\\\"\\\\\\n\\u0000\\ud800\x7F\",\"b\":[[],{\"c\":true,\"d\":null}],\"jsonrpc\":\"2.0\"}");

// What a shrinker and a generator make of a text that is JSON.
static void require_spellings(jrpc_slice text, uint64_t seed, unsigned how)
{
    tree_pool pool = {NULL};
    jrpc_json_document document;
    jrpc_buffer out;
    jrpc_random random;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), 1 << 20);
    jrpc_random_init(&random, seed);
    if (grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON &&
        jrpc_json_read(&document, text, TREE_DEPTH, NULL)) {
        const tree *value = tree_read(&pool, text);
        FUZZ_REQUIRE(jck_normalize(text, how & ~(unsigned)JCK_RESPELL_NUMBERS, &out));
        require_same(&pool, value, &out);
        jrpc_buffer_clear(&out);
        if (jck_respell(jrpc_json_root(&document), how, &random, &out)) {
            require_same(&pool, value, &out);
        }
    }
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&document);
    tree_pool_done(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    static const size_t rooms[] = {0, 64, 4096};
    for (unsigned i = 0; i < 24; i++) {
        if (fuzz_turn(&input, i, 24)) {
            require_mutation(data, size, size + rooms[i % 3], fuzz_input_seed(&input) + i);
        }
    }
    for (unsigned how = 1; how <= JCK_RESPELL_ALL; how++) {
        if (fuzz_turn(&input, how - 1, JCK_RESPELL_ALL)) {
            require_spellings(input.text, fuzz_input_seed(&input), how);
            require_spellings(every_kind, fuzz_input_seed(&input) + input.turn, how);
        }
    }
    return 0;
}
