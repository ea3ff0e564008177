// A plug beside our own second opinion on JSON (fuzz/model): what it does with a text, by class.
#ifndef JRPC_FUZZ_PLUG_COMPARE_H
#define JRPC_FUZZ_PLUG_COMPARE_H

#include "fuzz/model/grammar.h"
#include "fuzz/plug/finding.h"
#include "reference/base/slice.h"

typedef enum plug_class {
    PLUG_AGREES,
    // Accepted, and no JSON:
    PLUG_TAKES_BOM,
    PLUG_TAKES_TRAILING,   // bytes after the value
    PLUG_TAKES_NUL,        // a NUL byte outside or inside strings
    PLUG_TAKES_UTF8,       // invalid UTF-8 in a string
    PLUG_TAKES_CONTROL,    // a raw control character in a string
    PLUG_TAKES_ESCAPE,     // an escape that there is none
    PLUG_TAKES_NUMBER,     // a number spelled otherwise
    PLUG_TAKES_LITERAL,    // a literal spelled otherwise
    PLUG_TAKES_SPACE,      // white space that is none in JSON
    PLUG_TAKES_COMMA,      // a comma with nothing before or after it
    PLUG_TAKES_QUOTES,     // a name or string without double quotes
    PLUG_TAKES_COMMENT,    //
    PLUG_TAKES_DEEP,       // deeper than the reader's 1024
    PLUG_TAKES_UNFINISHED, // a text that is cut off
    PLUG_TAKES_OTHER,      // another break of the grammar
    // JSON, and refused:
    PLUG_REFUSES_DEEP, // deeper than 100
    PLUG_REFUSES_SURROGATE,
    PLUG_REFUSES_NUL,    // \u0000
    PLUG_REFUSES_NUMBER, // very long or far numbers
    PLUG_REFUSES_DUPLICATES,
    PLUG_REFUSES_OTHER,
    // Accepted by both, and written with another value:
    PLUG_CHANGES_NUL, // strings end at \u0000
    PLUG_CHANGES_SURROGATE,
    PLUG_CHANGES_NUMBER,
    PLUG_CHANGES_DUPLICATES, // members of the same name
    PLUG_CHANGES_ELEMENTS,   // an array has fewer of them, or more
    PLUG_CHANGES_MEMBERS,    // an object has fewer of them, or more
    PLUG_CHANGES_OTHER,
    PLUG_WRITES_NO_UTF8,
    PLUG_WRITES_NO_JSON,
    PLUG_CLASS_COUNT,
} plug_class;

const plug_kind *plug_kind_of(plug_class class);

// What the plug makes of a text. Total.
plug_class plug_compare(jrpc_slice text);

// What the plug does with a text, unjudged: `*ret_spelled` as plug_parse gives it.
bool plug_parse_slice(jrpc_slice text, char **ret_spelled);
// What the text is by the grammar, its depth no matter.
grammar_result plug_grammar(jrpc_slice text);

// Says of a disagreement what was expected and what came.
void plug_explain_text(FILE *out, jrpc_slice text);

#endif
