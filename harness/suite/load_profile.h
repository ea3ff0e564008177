// What the files that load a profile share. Private to the suite room.
#ifndef JCK_SUITE_LOAD_PROFILE_H
#define JCK_SUITE_LOAD_PROFILE_H

#include "harness/suite/load.h"
#include "harness/suite/profile.h"

// One profile while its file is read.
typedef struct jck_profile_loading {
    jck_reader reader;
    jck_suite *suite;
    const char *directory;
    jrpc_json root;
    jck_profile *profile;
    jck_change *changes; // of the profiles that it extends, then its own
    size_t change_count;
} jck_profile_loading;

// Loads "levels", "accept" and "leave-out" behind the changes that the profile has already.
void jck_load_changes(jck_profile_loading *load);

#endif
