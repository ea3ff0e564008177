// Where in its file a case or a rule stands: what was loaded knows the line only.
#ifndef JCK_CLI_LINT_PLACE_H
#define JCK_CLI_LINT_PLACE_H

#include "harness/suite/index.h"
#include "harness/suite/suite.h"
#include "reference/base/buffer.h"
#include "reference/json/value.h"

// The file looked at last, parsed again.
typedef struct jck_place {
    const char *file;
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_arena arena;
    jck_index index; // the ids of its cases or rules: numbers of nodes
} jck_place;

void jck_place_init(jck_place *place);
void jck_place_done(jck_place *place);
// The Object of a case, or a rule, in its file; JRPC_JSON_ABSENT if it cannot be read again. Valid
// until another file is looked at.
jrpc_json jck_place_of_case(jck_place *place, const jck_case *test_case);
jrpc_json jck_place_of_rule(jck_place *place, const jck_rule *rule);
// The step `index` of a case as its Object stands in the file: the case itself where it has no
// "steps".
jrpc_json jck_place_of_step(jrpc_json of_case, size_t index);
// Puts file, line and column of a value into the error; of a value that is ABSENT the line given.
void jck_place_locate(const jck_place *place, jrpc_json value, const char *file, size_t line,
                      jrpc_error *error);

#endif
