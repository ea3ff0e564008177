// What a command that tests something needs: the target, the suite, and the profile for both.
#ifndef JCK_CLI_SETUP_H
#define JCK_CLI_SETUP_H

#include "harness/cli/execute.h"
#include "harness/suite/profile.h"

// Initialize with {0}, or with a suite that was loaded before; must not move until jck_setup_done.
typedef struct jck_setup {
    jck_target target;
    jck_suite *suite; // owned
    const jck_profile *profile;
    jck_assignment assignment; // of all of these
} jck_setup;

// Makes the target that the command line names (see jck_execute_target), for testing `side`: a
// server, the driver of a client, the adapter of a parser. Nothing is started yet. False after the
// reason was reported.
bool jck_setup_target(jck_setup *setup, jck_options *options, jck_side side, size_t at);
// Then loads the suite and its profile; the target may be asked which one it speaks. False after
// the reason was reported.
bool jck_setup_suite(jck_setup *setup);
// Both.
bool jck_setup_open(jck_setup *setup, jck_options *options, jck_side side, size_t at);
void jck_setup_done(jck_setup *setup);

#endif
