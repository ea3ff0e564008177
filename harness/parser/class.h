// The classes of findings: what a parser does to a text that it must not do, or need not do. The
// catalogue says which rule a class breaks ("classes" of a rule).
#ifndef JCK_PARSER_CLASS_H
#define JCK_PARSER_CLASS_H

#include "harness/suite/suite.h"

typedef enum jck_class {
    JCK_CLASS_NONE,
    // Refused: the text is JSON and contains nothing that the specification leaves to the parser …
    JCK_CLASS_REFUSES_JSON,
    // … or contains something that it leaves to the parser.
    JCK_CLASS_REFUSES_DEPTH,
    JCK_CLASS_REFUSES_NUMBER,
    JCK_CLASS_REFUSES_SURROGATE,
    JCK_CLASS_REFUSES_DUPLICATE,
    JCK_CLASS_REFUSES_NUL, // in a string, as an escape
    // Accepted, and not JSON.
    JCK_CLASS_ACCEPTS_BOM, // before a text that is JSON
    JCK_CLASS_ACCEPTS_TRUNCATED,
    JCK_CLASS_ACCEPTS_INVALID_UTF8,
    JCK_CLASS_ACCEPTS_TRAILING,
    JCK_CLASS_ACCEPTS_MISMATCHED, // one kind of bracket closed with the other
    JCK_CLASS_ACCEPTS_OTHER,
    // Numbers.
    JCK_CLASS_NUMBER_ROUNDED,  // to the nearest binary64
    JCK_CLASS_NUMBER_COARSE,   // less exact than binary64, but still an approximation
    JCK_CLASS_NUMBER_CHANGED,  // a different number, although binary64 would suffice
    JCK_CLASS_NUMBER_WRAPPED,  // a different number, beyond 2^53
    JCK_CLASS_NUMBER_INFINITE, // beyond binary64: null, a string, the largest number, …
    JCK_CLASS_NUMBER_ZERO,     // too small for binary64: 0
    JCK_CLASS_NUMBER_SIGN,     // -0 as 0
    // Strings.
    JCK_CLASS_STRING_CUT_AT_NUL,
    JCK_CLASS_STRING_CUT,
    JCK_CLASS_STRING_REPLACED, // characters by U+FFFD
    JCK_CLASS_STRING_CHANGED,
    JCK_CLASS_SURROGATE_REPLACED, // a lone one, by U+FFFD or ?
    JCK_CLASS_SURROGATE_CHANGED,  // dropped, or anything else
    // Members.
    JCK_CLASS_DUPLICATE_FIRST,
    JCK_CLASS_DUPLICATE_LAST,
    JCK_CLASS_DUPLICATE_ONE, // they were equal
    JCK_CLASS_DUPLICATE_MERGED,
    JCK_CLASS_DUPLICATE_OTHER,
    JCK_CLASS_MEMBER_LOST,
    JCK_CLASS_MEMBER_ADDED,
    JCK_CLASS_ELEMENTS_CHANGED, // more or fewer of them, or in another order
    JCK_CLASS_KIND_CHANGED,     // a string for a number, …
    // The answer, and the process.
    JCK_CLASS_WRITES_NO_JSON,
    JCK_CLASS_CRASHES,
    JCK_CLASS_HANGS,
    JCK_CLASS_BREAKS_PROTOCOL,
    JCK_CLASS_TIME_GROWS,
    JCK_CLASS_MEMORY_GROWS,
} jck_class;
#define JCK_CLASS_COUNT (JCK_CLASS_MEMORY_GROWS + 1)

const char *jck_class_name(jck_class class); // "number-rounded", as in the catalogue
const char *
    jck_class_topic(jck_class class); // name of the observation if the choice is open: "numbers"
const char *jck_class_word(jck_class class); // … and its value: "rounded"
bool jck_class_is_fatal(jck_class class);    // the process does not survive it
bool jck_class_is_refusal(jck_class class);
bool jck_class_is_acceptance(jck_class class); // of a text that is not JSON
// The rule of the specification that lists the class; NULL if none does.
const jck_rule *jck_class_rule(const jck_suite *suite, jrpc_slice specification, jck_class class);

#endif
