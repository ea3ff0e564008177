// A case about a text that is in no case file: generated and compared texts are reported this way.
#ifndef JCK_PARSER_MADE_CASE_H
#define JCK_PARSER_MADE_CASE_H

#include "harness/parser/class.h"

// Must not be moved: the case points into it.
typedef struct jck_made_case {
    char id[96], title[160];
    jrpc_slice rule;
    jck_step step;
    jck_case test_case;
} jck_made_case;

// Makes the case GROUP/CLASS-NUMBER of the rule, with one step about the text (borrowed). `what`
// says in the title what the text is: "a generated text".
void jck_made_case_fill(jck_made_case *made, const char *group, const char *what, jck_class class,
                        size_t number, const jck_rule *rule, jrpc_slice text, jck_parser_owes owes);
// Makes a case without a step, for reporting about all texts together.
void jck_made_case_fill_sum(jck_made_case *made, const char *id, const char *title,
                            const jck_rule *rule);

#endif
