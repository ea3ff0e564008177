// What a command that tests something works with: the target, the suite, and the profile that goes
// with both.
#ifndef JCK_CLI_SETUP_H
#define JCK_CLI_SETUP_H

#include "harness/cli/execute.h"
#include "harness/suite/profile.h"

// Begins as {0}, or with a suite that was loaded before; must stay where it is until
// jck_setup_done.
typedef struct jck_setup {
    jck_target target;
    jck_target against; // of a parser, the one that it is compared with
    jck_suite *suite;   // owned
    const jck_profile *profile;
    jck_assignment assignment; // of all that
} jck_setup;

// Makes the target that the words of the command line name (see jck_execute_target), as one whose
// `side` is tested: a server as it stands, the driver of a client, the adapter of a parser. Nothing
// is started yet. False after the reason was reported.
bool jck_setup_target(jck_setup *setup, jck_options *options, jck_side side, size_t at);
// After that, the suite and its profile, for which the target may be asked what it speaks. False
// after the reason was reported.
bool jck_setup_suite(jck_setup *setup);
// Both.
bool jck_setup_open(jck_setup *setup, jck_options *options, jck_side side, size_t at);
void jck_setup_done(jck_setup *setup);

#endif
