// The faults that jrpc-reference, jrpc-reference-client and jrpc-reference-parser offer: the names
// that `catches` may use.
#ifndef JCK_CLI_FAULTS_H
#define JCK_CLI_FAULTS_H

#include "harness/cli/options.h"
#include "harness/suite/case.h"
#include "reference/base/slice.h"

typedef struct jck_fault_line {
    jrpc_slice name, rule, description;
    jck_side side; // the side that has the fault
} jck_fault_line;

typedef struct jck_faults {
    jrpc_arena arena; // owns everything below
    jck_fault_line *items;
    size_t count;
    bool known[JCK_SIDE_PARSER + 1]; // the sides whose faults are included
} jck_faults;

// Reads --faults FILE, else asks the jrpc-reference in the same folder as this program, and
// jrpc-reference-client and jrpc-reference-parser if they exist. False with SYSTEM or TIMEOUT (it
// cannot be asked) or SYNTAX (its output is not a list). Free with jck_faults_done in any case.
bool jck_faults_load(jck_faults *faults, jck_options *options, jrpc_error *error);
void jck_faults_done(jck_faults *faults);
// The fault of that name on that side; NULL if there is none.
const jck_fault_line *jck_faults_find(const jck_faults *faults, jrpc_slice name, jck_side side);
// The program that has the faults of a side: "jrpc-reference", …
const char *jck_faults_program(jck_side side);

#endif
