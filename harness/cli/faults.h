// What jrpc-reference and jrpc-reference-client can be told to get wrong: the names that `catches`
// may use.
#ifndef JCK_CLI_FAULTS_H
#define JCK_CLI_FAULTS_H

#include "harness/cli/options.h"
#include "reference/base/slice.h"

typedef struct jck_fault_line {
    jrpc_slice name, rule, description;
    bool of_client; // of jrpc-reference-client
} jck_fault_line;

typedef struct jck_faults {
    jrpc_arena arena; // owns everything below
    jck_fault_line *items;
    size_t count;
    bool of_clients; // those of jrpc-reference-client are among them
} jck_faults;

// Reads --faults FILE, else asks the jrpc-reference that stands beside this program, and the
// jrpc-reference-client where there is one. False with
// SYSTEM or TIMEOUT (it cannot be asked) or SYNTAX (what it says is no list). Free with
// jck_faults_done in any case.
bool jck_faults_load(jck_faults *faults, jck_options *options, jrpc_error *error);
void jck_faults_done(jck_faults *faults);
// Of jrpc-reference-client, or of jrpc-reference; NULL if there is none.
const jck_fault_line *jck_faults_find(const jck_faults *faults, jrpc_slice name, bool of_client);

#endif
