// The class of every message, its reason and what is owed for it are what the table says.
#include "fuzz/fuzz.h"
#include "fuzz/model/answer.h"
#include "fuzz/model/grammar.h"
#include "reference/json/read.h"

static void require_same(jrpc_json value, const tree *expected)
{
    FUZZ_REQUIRE(jrpc_json_exists(value) == (expected != NULL));
    FUZZ_REQUIRE(expected == NULL ||
                 jrpc_slice_equal(jrpc_json_spelling(value), expected->spelling));
}

static void require_message(jrpc_json value, const tree *model)
{
    jrpc_message message = jrpc_message_classify(value);
    answer_class expected = answer_classify(model);
    FUZZ_REQUIRE(message.kind == expected.kind);
    FUZZ_REQUIRE(message.reason == expected.reason);
    FUZZ_REQUIRE(message.reply_owed == expected.owed);
    FUZZ_REQUIRE(!message.reply_owed ||
                 message.reply_code ==
                     (message.kind == JRPC_MESSAGE_INVALID ? JRPC_INVALID_REQUEST : 0));
    if (message.reply_owed) {
        require_same(message.reply_id, expected.id);
    }
    require_same(message.method, tree_member(model, "method"));
    require_same(message.params, tree_member(model, "params"));
    require_same(message.id, tree_member(model, "id"));
    require_same(message.version, tree_member(model, "jsonrpc"));
    require_same(message.result, tree_member(model, "result"));
    require_same(message.error, tree_member(model, "error"));
    FUZZ_REQUIRE(jrpc_invalid_reason_text(message.reason)[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jrpc_slice text = fuzz_input_of(data, size).text;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error error = {.code = JRPC_OK};
    jrpc_input_kind kind = jrpc_input_read(&document, text, TREE_DEPTH, &error);
    if (grammar_check(text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        FUZZ_REQUIRE(kind == JRPC_INPUT_PARSE_ERROR && error.code != JRPC_OK);
        jrpc_json_document_done(&document);
        return 0;
    }
    tree_pool pool = {NULL};
    tree *model = tree_read(&pool, text);
    jrpc_input_kind expected = model->kind != 'a'  ? JRPC_INPUT_SINGLE
                               : model->count == 0 ? JRPC_INPUT_EMPTY_BATCH
                                                   : JRPC_INPUT_BATCH;
    FUZZ_REQUIRE(kind == expected);
    require_message(jrpc_json_root(&document), model);
    size_t i = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document)); jrpc_json_step(&it);
         i++) {
        require_message(it.value, model->items[i]);
    }
    tree_pool_done(&pool);
    jrpc_json_document_done(&document);
    return 0;
}
