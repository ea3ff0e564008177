#include "fuzz/plug/compare.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "fuzz/plug/plug.h"
#include "reference/base/limits.h"

#include <stdlib.h>

enum { DEEP = 100 };

static const char *const texts[PLUG_CLASS_COUNT] = {
    [PLUG_AGREES] = "agrees",
    [PLUG_TAKES_BOM] = "takes a byte-order mark",
    [PLUG_TAKES_TRAILING] = "takes bytes behind the value",
    [PLUG_TAKES_NUL] = "takes a NUL byte",
    [PLUG_TAKES_UTF8] = "takes invalid UTF-8",
    [PLUG_TAKES_CONTROL] = "takes a raw control character in a string",
    [PLUG_TAKES_ESCAPE] = "takes an escape that is none",
    [PLUG_TAKES_NUMBER] = "takes a number that is none",
    [PLUG_TAKES_LITERAL] = "takes a literal that is none",
    [PLUG_TAKES_SPACE] = "takes white space that is none",
    [PLUG_TAKES_DEEP] = "takes nesting deeper than 1024",
    [PLUG_TAKES_UNFINISHED] = "takes a text that is cut off",
    [PLUG_TAKES_OTHER] = "takes another break of the grammar",
    [PLUG_REFUSES_DEEP] = "refuses deep nesting",
    [PLUG_REFUSES_SURROGATE] = "refuses lone surrogates",
    [PLUG_REFUSES_NUL] = "refuses \\u0000",
    [PLUG_REFUSES_NUMBER] = "refuses long or far numbers",
    [PLUG_REFUSES_OTHER] = "refuses other JSON",
    [PLUG_CHANGES_NUL] = "cuts strings at \\u0000",
    [PLUG_CHANGES_SURROGATE] = "changes lone surrogates",
    [PLUG_CHANGES_NUMBER] = "changes numbers",
    [PLUG_CHANGES_DUPLICATES] = "changes members of the same name",
    [PLUG_CHANGES_OTHER] = "changes other values",
    [PLUG_WRITES_NO_JSON] = "writes what is no JSON",
};

const char *plug_class_text(plug_class class)
{
    return texts[class];
}

static plug_class takes(jrpc_slice text, grammar_result result)
{
    if (result.verdict == GRAMMAR_DEEP) {
        return PLUG_TAKES_DEEP;
    }
    if (jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF"))) {
        return PLUG_TAKES_BOM;
    }
    if (result.verdict == GRAMMAR_UNFINISHED) {
        return PLUG_TAKES_UNFINISHED;
    }
    unsigned char byte = (unsigned char)text.ptr[result.offset];
    if (byte == 0) {
        return PLUG_TAKES_NUL;
    }
    bool space = byte < 0x20 || byte == 0x7F;
    switch (result.place) {
    case GRAMMAR_BEHIND:
        return space ? PLUG_TAKES_SPACE : PLUG_TAKES_TRAILING;
    case GRAMMAR_STRING:
        return byte < 0x20 ? PLUG_TAKES_CONTROL : PLUG_TAKES_UTF8;
    case GRAMMAR_UTF8:
        return PLUG_TAKES_UTF8;
    case GRAMMAR_ESCAPE:
        return PLUG_TAKES_ESCAPE;
    case GRAMMAR_NUMBER:
        return space ? PLUG_TAKES_SPACE : PLUG_TAKES_NUMBER;
    case GRAMMAR_LITERAL:
        return PLUG_TAKES_LITERAL;
    case GRAMMAR_BETWEEN:
        break;
    }
    bool number = byte == '+' || byte == '.' || byte == 'N' || byte == 'I';
    return space ? PLUG_TAKES_SPACE : number ? PLUG_TAKES_NUMBER : PLUG_TAKES_OTHER;
}

// What a value holds that parsers are known to stumble over.
typedef struct features {
    bool nul, surrogate, number, duplicates;
} features;

static void look(const tree *value, features *found)
{
    if (value->kind == 's') {
        jrpc_slice content = value->content;
        for (size_t i = 0; i < content.len; i++) {
            found->nul = found->nul || content.ptr[i] == 0;
            found->surrogate =
                found->surrogate || (content.ptr[i] == '\xED' && (content.ptr[i + 1] & 0x20) != 0);
        }
    }
    // An integer of up to 15 digits is exact in a double; anything else may not be.
    found->number = found->number ||
                    (value->kind == '0' && (value->spelling.len > 15 ||
                                            memchr(value->spelling.ptr, '.', value->spelling.len) ||
                                            memchr(value->spelling.ptr, 'e', value->spelling.len) ||
                                            memchr(value->spelling.ptr, 'E', value->spelling.len)));
    for (size_t i = 0; i < value->count; i++) {
        if (value->kind == 'o') {
            look(value->names[i], found);
            for (size_t j = 0; j < i; j++) {
                found->duplicates = found->duplicates || jrpc_slice_equal(value->names[i]->content,
                                                                          value->names[j]->content);
            }
        }
        look(value->items[i], found);
    }
}

static plug_class refuses(const tree *value)
{
    features found = {0};
    look(value, &found);
    return found.surrogate ? PLUG_REFUSES_SURROGATE
           : found.nul     ? PLUG_REFUSES_NUL
           : found.number  ? PLUG_REFUSES_NUMBER
                           : PLUG_REFUSES_OTHER;
}

static plug_class changes(tree_pool *pool, const tree *value, const char *spelled)
{
    features found = {0};
    look(value, &found);
    jrpc_slice written = jrpc_slice_str(spelled);
    grammar_result result = grammar_check(written, TREE_DEPTH);
    if (result.verdict == GRAMMAR_JSON &&
        tree_equal(value, tree_read(pool, written)) != TREE_DIFFERENT) {
        return PLUG_AGREES;
    }
    if (found.nul) {
        return PLUG_CHANGES_NUL;
    }
    if (found.surrogate) {
        return PLUG_CHANGES_SURROGATE;
    }
    if (result.verdict != GRAMMAR_JSON) {
        return PLUG_WRITES_NO_JSON;
    }
    return found.number       ? PLUG_CHANGES_NUMBER
           : found.duplicates ? PLUG_CHANGES_DUPLICATES
                              : PLUG_CHANGES_OTHER;
}

plug_class plug_compare(jrpc_slice text)
{
    char *copy = malloc(text.len + 1);
    FUZZ_REQUIRE(copy != NULL);
    if (text.len != 0) {
        memcpy(copy, text.ptr, text.len);
    }
    copy[text.len] = '\0';
    char *spelled = NULL;
    bool taken = plug_parse(copy, text.len, &spelled);
    grammar_result result = grammar_check(text, JRPC_LIMIT_DEPTH);
    tree_pool pool = {NULL};
    plug_class class = PLUG_AGREES;
    if (result.verdict != GRAMMAR_JSON) {
        class = taken ? takes(text, result) : PLUG_AGREES;
    } else if (grammar_check(text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        class = taken ? PLUG_AGREES : PLUG_REFUSES_DEEP;
    } else if (!taken && grammar_check(text, DEEP).verdict != GRAMMAR_JSON) {
        class = PLUG_REFUSES_DEEP;
    } else if (!taken) {
        class = refuses(tree_read(&pool, text));
    } else if (spelled != NULL) {
        class = changes(&pool, tree_read(&pool, text), spelled);
    }
    tree_pool_done(&pool);
    free(spelled);
    free(copy);
    return class;
}
