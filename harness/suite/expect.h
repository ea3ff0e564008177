// What a step expects, as data. Patterns stay JSON (the matchers: harness/judge/match.h).
#ifndef JCK_SUITE_EXPECT_H
#define JCK_SUITE_EXPECT_H

#include "reference/base/slice.h"
#include "reference/json/value.h"

#include <stddef.h>

typedef enum jck_expect_kind {
    JCK_EXPECT_UNSTATED, // the step only sends; a later `receive` judges
    JCK_EXPECT_ANYTHING,
    JCK_EXPECT_NOTHING,
    JCK_EXPECT_CLOSED,   // the connection closed, or an orderly exit, without a Response
    JCK_EXPECT_RESPONSE, // one Response; `pattern` is an Object
    JCK_EXPECT_BATCH,    // one Array of Responses; `pattern` is an Array of Objects
    JCK_EXPECT_REJECTED, // shorthand for a lenient rule; `rule` names it
    JCK_EXPECT_OWED,     // what the specification requires for the message, whatever it is
    JCK_EXPECT_ANY_OF,   // the first of `alternatives` that matches
    JCK_EXPECT_PARSER,   // what a parser does with the text: `parser`
} jck_expect_kind;

// What is required of a parser that gets the payload as its text.
typedef enum jck_parser_owes {
    JCK_PARSER_ACCEPTS, // and keeps what the text says
    JCK_PARSER_REFUSES,
    JCK_PARSER_CHOOSES, // RFC 8259 leaves it open; the outcome is recorded as `observation`
} jck_parser_owes;

typedef enum jck_taken_as {
    JCK_TAKEN_AS_PASS,
    JCK_TAKEN_AS_WARN,
    JCK_TAKEN_AS_OBSERVE,
    JCK_TAKEN_AS_ENOUGH, // recorded, and the steps after it are not judged: they do not apply
} jck_taken_as;

// Reads "warn", "observe:NAME" or "enough:NAME"; *ret_name is NAME, else empty.
bool jck_taken_from_word(jrpc_slice word, jck_taken_as *ret_taken, jrpc_slice *ret_name);
#define JCK_TAKEN_WORDS "\"warn\", \"observe:NAME\" or \"enough:NAME\""

typedef struct jck_expect {
    jck_expect_kind kind;
    jrpc_json pattern;
    jrpc_slice rule;        // REJECTED: the rule; an alternative: the rule that a warning names
    jrpc_json http_status;  // alternatives only: of the HTTP answer; ABSENT: over any transport
    jck_taken_as taken_as;  // alternatives only
    jrpc_slice observation; // the NAME of "observe:NAME" or "enough:NAME"; PARSER: of "observe"
    jck_parser_owes parser; // PARSER
    bool with_status;       // CLOSED: if the process exits, it must be with …
    int status;             // … this exit status
    const struct jck_expect *alternatives;
    size_t alternative_count;
    bool in_order;        // BATCH: in the order of the pattern, which the specification leaves open
    jrpc_slice otherwise; // ANY_OF: "else"; empty: the case's first rule
    const struct jck_expect *accepted; // what a profile accepts instead, tried first
    size_t accepted_count;
} jck_expect;

const char *jck_parser_owes_word(jck_parser_owes owes); // "accepts", "refuses", "chooses"

#endif
