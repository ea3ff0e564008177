// The place of a case or a rule in its file: loaded data has only the line.
#ifndef JCK_CLI_LINT_PLACE_H
#define JCK_CLI_LINT_PLACE_H

#include "harness/suite/index.h"
#include "harness/suite/suite.h"
#include "reference/base/buffer.h"
#include "reference/json/value.h"

// The file used last, parsed again.
typedef struct jck_place {
    const char *file;
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_arena arena;
    jck_index index; // the ids of its cases or rules: numbers of nodes
} jck_place;

void jck_place_init(jck_place *place);
void jck_place_done(jck_place *place);
// The Object of a case, or a rule, in its file; JRPC_JSON_ABSENT if the file cannot be read again.
// Valid until another file is used.
jrpc_json jck_place_of_case(jck_place *place, const jck_case *test_case);
jrpc_json jck_place_of_rule(jck_place *place, const jck_rule *rule);
// The step `index` of a case in the file: the case itself if it has no "steps".
jrpc_json jck_place_of_step(jrpc_json of_case, size_t index);
// Sets file, line and column of a value in the error; if the value is ABSENT, the given line.
void jck_place_locate(const jck_place *place, jrpc_json value, const char *file, size_t line,
                      jrpc_error *error);

#endif
