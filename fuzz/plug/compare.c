#include "fuzz/plug/compare.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "fuzz/plug/difference.h"
#include "fuzz/plug/plug.h"
#include "reference/base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 100 };

static const plug_kind kinds[PLUG_CLASS_COUNT] = {
    [PLUG_AGREES] = {"agrees", "agrees", true},
    // RFC 8259, section 8.1: a parser MAY ignore it.
    [PLUG_TAKES_BOM] = {"takes-bom", "takes a byte-order mark", true},
    [PLUG_TAKES_TRAILING] = {"takes-trailing", "takes bytes after the value", false},
    [PLUG_TAKES_NUL] = {"takes-nul", "takes a NUL byte", false},
    [PLUG_TAKES_UTF8] = {"takes-utf8", "takes invalid UTF-8", false},
    [PLUG_TAKES_CONTROL] = {"takes-control", "takes a raw control character in a string", false},
    [PLUG_TAKES_ESCAPE] = {"takes-escape", "takes an escape that is none", false},
    [PLUG_TAKES_NUMBER] = {"takes-number", "takes a number that is none", false},
    [PLUG_TAKES_LITERAL] = {"takes-literal", "takes a literal that is none", false},
    [PLUG_TAKES_SPACE] = {"takes-space", "takes white space that is none", false},
    [PLUG_TAKES_COMMA] = {"takes-comma", "takes a comma too many", false},
    [PLUG_TAKES_QUOTES] = {"takes-quotes", "takes a text without double quotes", false},
    [PLUG_TAKES_COMMENT] = {"takes-comment", "takes a comment", false},
    // Section 9: limits on the depth, on numbers and on strings are an implementation's own.
    [PLUG_TAKES_DEEP] = {"takes-deep", "takes nesting deeper than 1024", true},
    [PLUG_TAKES_UNFINISHED] = {"takes-unfinished", "takes a text that is cut off", false},
    [PLUG_TAKES_OTHER] = {"takes-other", "takes another break of the grammar", false},
    [PLUG_REFUSES_DEEP] = {"refuses-deep", "refuses deep nesting", true},
    [PLUG_REFUSES_SURROGATE] = {"refuses-surrogate", "refuses lone surrogates", true},
    [PLUG_REFUSES_NUL] = {"refuses-nul", "refuses \\u0000", false},
    [PLUG_REFUSES_NUMBER] = {"refuses-number", "refuses long or far numbers", true},
    [PLUG_REFUSES_DUPLICATES] = {"refuses-duplicates", "refuses members of the same name", true},
    [PLUG_REFUSES_OTHER] = {"refuses-other", "refuses other JSON", false},
    [PLUG_CHANGES_NUL] = {"changes-nul", "cuts strings at \\u0000", false},
    // Section 8.2: what becomes of them is unpredictable. Sections 4 and 6: so is what becomes of
    // members of the same name, and of numbers that a double does not hold.
    [PLUG_CHANGES_SURROGATE] = {"changes-surrogate", "changes lone surrogates", true},
    [PLUG_CHANGES_NUMBER] = {"changes-number", "changes numbers", true},
    [PLUG_CHANGES_DUPLICATES] = {"changes-duplicates", "changes members of the same name", true},
    [PLUG_CHANGES_ELEMENTS] = {"changes-elements", "loses or adds elements of an array", false},
    [PLUG_CHANGES_MEMBERS] = {"changes-members", "loses or adds members", false},
    [PLUG_CHANGES_OTHER] = {"changes-other", "changes other values", false},
    [PLUG_WRITES_NO_UTF8] = {"writes-no-utf8", "writes strings that are not UTF-8", false},
    [PLUG_WRITES_NO_JSON] = {"writes-no-json", "writes what is not JSON", false},
};

const plug_kind *plug_kind_of(plug_class class)
{
    return &kinds[class];
}

// A comma where a value or a name must begin, or a bracket closed after one.
static bool is_comma(jrpc_slice text, grammar_result result)
{
    char byte = text.ptr[result.offset];
    size_t before = result.offset;
    while (before > 0 && strchr(" \t\r\n", text.ptr[before - 1]) != NULL) {
        before--;
    }
    char last = before == 0 ? '\0' : text.ptr[before - 1];
    return byte == ',' ? last == ',' || last == '[' || last == '{'
                       : last == ',' && (byte == ']' || byte == '}');
}

static bool is_word(unsigned char byte)
{
    return byte == '\'' || byte == '_' || byte == '$' || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

static bool may_be_between(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static plug_class takes(jrpc_slice text, grammar_result result)
{
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
    case GRAMMAR_NUMBER: // "1." before white space that JSON allows is a wrong number
        return space && !may_be_between(byte) ? PLUG_TAKES_SPACE : PLUG_TAKES_NUMBER;
    case GRAMMAR_LITERAL:
        return PLUG_TAKES_LITERAL;
    case GRAMMAR_BETWEEN:
        break;
    }
    bool number = byte == '+' || byte == '.' || byte == 'N' || byte == 'I';
    return space                        ? PLUG_TAKES_SPACE
           : number                     ? PLUG_TAKES_NUMBER
           : byte == '/' || byte == '#' ? PLUG_TAKES_COMMENT
           : is_comma(text, result)     ? PLUG_TAKES_COMMA
           : is_word(byte)              ? PLUG_TAKES_QUOTES
                                        : PLUG_TAKES_OTHER;
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
        }
        look(value->items[i], found);
    }
    found->duplicates =
        found->duplicates || (value->kind == 'o' && difference_has_duplicates(value));
}

static plug_class refuses(const tree *value)
{
    features found = {0};
    look(value, &found);
    return found.surrogate    ? PLUG_REFUSES_SURROGATE
           : found.nul        ? PLUG_REFUSES_NUL
           : found.number     ? PLUG_REFUSES_NUMBER
           : found.duplicates ? PLUG_REFUSES_DUPLICATES
                              : PLUG_REFUSES_OTHER;
}

static double number_of(const tree *number)
{
    char *copy = strndup(number->spelling.ptr, number->spelling.len);
    FUZZ_REQUIRE(copy != NULL);
    double value = strtod(copy, NULL);
    free(copy);
    return value;
}

// Whether a number that fits into a double came back as a clearly different number.
static bool is_another_number(const tree *sent, const tree *back)
{
    const double coarse = 1.0 / 1024;
    if (sent->kind != '0' || back->kind != '0') {
        return false;
    }
    double value = number_of(sent);
    return isnormal(value) && fabs(number_of(back) - value) > fabs(value) * coarse;
}

// How two values differ. The innermost difference decides, not what is beside it or inside it.
static plug_class class_of(const difference *where)
{
    features found = {0};
    const tree *scalar = where->kind == DIFFERENCE_MEMBERS ? where->lost : where->left;
    if (scalar != NULL && scalar->kind != 'a' && scalar->kind != 'o') {
        look(scalar, &found);
    }
    if (found.nul || found.surrogate) {
        return found.nul ? PLUG_CHANGES_NUL : PLUG_CHANGES_SURROGATE;
    }
    if (where->duplicated) {
        return PLUG_CHANGES_DUPLICATES;
    }
    switch (where->kind) {
    case DIFFERENCE_ELEMENTS:
        return PLUG_CHANGES_ELEMENTS;
    case DIFFERENCE_MEMBERS:
        return PLUG_CHANGES_MEMBERS;
    case DIFFERENCE_VALUE:
        break;
    }
    return found.number && !is_another_number(where->left, where->right) ? PLUG_CHANGES_NUMBER
                                                                         : PLUG_CHANGES_OTHER;
}

static plug_class changes(tree_pool *pool, const tree *value, const char *spelled)
{
    jrpc_slice written = jrpc_slice_str(spelled);
    if (grammar_check(written, TREE_DEPTH).verdict == GRAMMAR_JSON) {
        const tree *again = tree_read(pool, written);
        if (tree_equal(value, again) != TREE_DIFFERENT) {
            return PLUG_AGREES;
        }
        difference where;
        difference_find(&where, value, again);
        return class_of(&where);
    }
    // It may be invalid because of what it cannot write: a text that ends at NUL is unfinished, and
    // half of a pair is not a character.
    features found = {0};
    look(value, &found);
    grammar_result wrong = grammar_check(written, TREE_DEPTH);
    if (found.nul && wrong.verdict == GRAMMAR_UNFINISHED) {
        return PLUG_CHANGES_NUL;
    }
    bool no_utf8 = wrong.place == GRAMMAR_UTF8;
    return !no_utf8          ? PLUG_WRITES_NO_JSON
           : found.surrogate ? PLUG_CHANGES_SURROGATE
                             : PLUG_WRITES_NO_UTF8;
}

bool plug_parse_slice(jrpc_slice text, char **ret_spelled)
{
    char *copy = malloc(text.len + 1);
    FUZZ_REQUIRE(copy != NULL);
    if (text.len != 0) {
        memcpy(copy, text.ptr, text.len);
    }
    copy[text.len] = '\0';
    *ret_spelled = NULL;
    bool taken = plug_parse(copy, text.len, ret_spelled);
    free(copy);
    return taken;
}

grammar_result plug_grammar(jrpc_slice text)
{
    return grammar_check(text, UINT32_MAX);
}

plug_class plug_compare(jrpc_slice text)
{
    char *spelled = NULL;
    bool taken = plug_parse_slice(text, &spelled);
    grammar_result result = plug_grammar(text);
    tree_pool pool = {NULL};
    plug_class class = PLUG_AGREES;
    if (result.verdict != GRAMMAR_JSON) {
        class = taken ? takes(text, result) : PLUG_AGREES;
    } else if (grammar_check(text, JRPC_LIMIT_DEPTH).verdict != GRAMMAR_JSON) {
        class = taken ? PLUG_TAKES_DEEP : PLUG_AGREES;
    } else if (grammar_check(text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        class = taken ? PLUG_AGREES : PLUG_REFUSES_DEEP;
    } else if (!taken && grammar_check(text, DEEP).verdict != GRAMMAR_JSON) {
        class = PLUG_REFUSES_DEEP;
    } else if (!taken) {
        class = refuses(tree_read(&pool, text));
    } else if (spelled != NULL) {
        class = changes(&pool, tree_read(&pool, text), spelled);
    }
    if (class == PLUG_AGREES && taken && spelled != NULL &&
        plug_grammar(jrpc_slice_str(spelled)).verdict != GRAMMAR_JSON) {
        class = PLUG_WRITES_NO_JSON;
    }
    tree_pool_done(&pool);
    free(spelled);
    return class;
}
