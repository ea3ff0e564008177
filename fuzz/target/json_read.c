// The reader agrees with the automaton on every text: what is JSON, where it stops being JSON,
// where it is too deep, and whether it only lacks its end; and the document it makes is sound.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <stdlib.h>
#include <string.h>

// Every node lies within its parent, after its elder sibling; counts are what they say.
static void require_sound(const jrpc_json_document *document)
{
    FUZZ_REQUIRE(document->count != 0);
    FUZZ_REQUIRE(document->nodes[0].next == document->count);
    for (uint32_t i = 0; i < document->count; i++) {
        const jrpc_json_node *node = &document->nodes[i];
        FUZZ_REQUIRE(node->begin < node->end && node->end <= document->text.len);
        FUZZ_REQUIRE(node->next > i && node->next <= document->count);
        bool container = node->kind == JRPC_JSON_ARRAY || node->kind == JRPC_JSON_OBJECT;
        FUZZ_REQUIRE(container || node->next == i + 1);
        uint32_t children = 0;
        uint32_t behind = node->begin + 1;
        for (uint32_t child = i + 1; child < node->next; child = document->nodes[child].next) {
            FUZZ_REQUIRE(document->nodes[child].begin >= behind);
            behind = document->nodes[child].end;
            children++;
        }
        FUZZ_REQUIRE(!container || behind < node->end);
        if (node->kind == JRPC_JSON_ARRAY) {
            FUZZ_REQUIRE(children == node->count);
        } else if (node->kind == JRPC_JSON_OBJECT) {
            FUZZ_REQUIRE(children == 2 * node->count);
        }
    }
}

// The first wrong byte stays where it is, whatever comes after it.
static void require_stable(jrpc_slice text, uint32_t max_depth, const jrpc_error *error)
{
    char *longer = malloc(text.len + 2);
    FUZZ_REQUIRE(longer != NULL);
    if (text.len != 0) {
        memcpy(longer, text.ptr, text.len);
    }
    longer[text.len] = ']';
    longer[text.len + 1] = '1';
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error again = {.code = JRPC_OK};
    FUZZ_REQUIRE(
        !jrpc_json_read(&document, jrpc_slice_of(longer, text.len + 2), max_depth, &again));
    FUZZ_REQUIRE(again.offset == error->offset && again.code == error->code);
    jrpc_json_document_done(&document);
    free(longer);
}

static void require_agreement(jrpc_slice text, uint32_t max_depth)
{
    grammar_result expected = grammar_check(text, max_depth);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error error = {.code = JRPC_OK};
    bool read = jrpc_json_read(&document, text, max_depth, &error);
    FUZZ_REQUIRE(read == (expected.verdict == GRAMMAR_JSON));
    if (read) {
        require_sound(&document);
    } else {
        FUZZ_REQUIRE(document.count == 0);
        FUZZ_REQUIRE((error.code == JRPC_ERROR_LIMIT) == (expected.verdict == GRAMMAR_DEEP));
        FUZZ_REQUIRE(error.offset == expected.offset);
        bool says_end = strstr(error.message, "the text ends") != NULL;
        FUZZ_REQUIRE(error.message[0] != '\0');
        FUZZ_REQUIRE(says_end == (expected.verdict == GRAMMAR_UNFINISHED));
        if (expected.verdict != GRAMMAR_UNFINISHED) {
            require_stable(text, max_depth, &error);
        }
    }
    jrpc_json_document_done(&document);
    // It is empty then, and can be used again.
    FUZZ_REQUIRE(document.count == 0 && !jrpc_json_exists(jrpc_json_root(&document)));
    FUZZ_REQUIRE(jrpc_json_read(&document, JRPC_SLICE("[0]"), 1, NULL) && document.count == 2);
    jrpc_json_document_done(&document);
}

// A text past the limit is refused by its length alone: `text` is all there is of it, so a look at
// the rest would be seen.
static void require_refused_unread(jrpc_slice text, size_t more)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error error = {.code = JRPC_OK};
    jrpc_slice longer = {text.ptr, JRPC_LIMIT_DOCUMENT_BYTES + more};
    FUZZ_REQUIRE(!jrpc_json_read(&document, longer, JRPC_LIMIT_DEPTH, &error));
    FUZZ_REQUIRE(error.code == JRPC_ERROR_LIMIT && error.offset == JRPC_LIMIT_DOCUMENT_BYTES);
    FUZZ_REQUIRE(document.count == 0);
    jrpc_json_document_done(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    require_agreement(input.text, JRPC_LIMIT_DEPTH);
    // A shallow limit, chosen by the input, and the whole input as text, its NULs and options too.
    require_agreement(input.text, input.options[0] % 8);
    if (input.options[1] != 0) {
        require_refused_unread(input.text, input.options[1]);
    }
    if (input.text.len != size) {
        require_agreement(jrpc_slice_of((const char *)data, size), JRPC_LIMIT_DEPTH);
    }
    return 0;
}
