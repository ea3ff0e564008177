// Which revisions of a protocol a target speaks: each is tried with its own prelude.
#ifndef JCK_RUN_REVISION_H
#define JCK_RUN_REVISION_H

#include "harness/link/link.h"

// The result of a trial.
typedef enum jck_revision_answer {
    JCK_REVISION_SPOKEN,      // the prelude captured the revision that was asked for
    JCK_REVISION_OTHER,       // … another one
    JCK_REVISION_UNOPENED,    // the target could not be reached
    JCK_REVISION_REFUSED,     // the prelude was refused or not answered
    JCK_REVISION_INTERRUPTED, // the user asked to stop
} jck_revision_answer;

typedef struct jck_revision_trial {
    jck_target *target;  // with the profile to be tried adopted; borrowed, like all that follows
    jck_host *host;      // its --start command, which keeps running from one trial to the next
    jrpc_slice revision; // what its prelude captures under the name "revision" if the target speaks
                         // it: a String, or one of an Array of Strings
    bool beside_others;  // the target has to name others as well
    const jck_timing *timing;
    const jrpc_clock *clock;
    int interrupt_fd;
    uint32_t nonce;
} jck_revision_trial;

// Starts the target if necessary, opens one connection, and closes it. `spoken` receives
// the spelling of what was captured, cut to `size`, or is empty. *error says why the target
// refused.
jck_revision_answer jck_revision_try(const jck_revision_trial *trial, char *spoken, size_t size,
                                     jrpc_error *error);

#endif
