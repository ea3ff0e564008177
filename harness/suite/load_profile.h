// What the files that load a profile share. Private to the suite room.
#ifndef JCK_SUITE_LOAD_PROFILE_H
#define JCK_SUITE_LOAD_PROFILE_H

#include "harness/suite/load.h"
#include "harness/suite/profile.h"
#include "harness/suite/recognise.h"

// A profile while its file is read.
typedef struct jck_profile_loading {
    jck_reader reader;
    jck_suite *suite;
    const char *directory;
    jrpc_json root;
    jck_profile *profile;
    jck_change *changes; // of the profiles that it extends, then its own
    size_t change_count;
} jck_profile_loading;

// Loads "levels", "accept" and "leave-out" after the changes that the profile already has.
void jck_load_changes(jck_profile_loading *load);
// The names of the profiles in the folder, sorted, NULL-terminated; just the default one if there
// is no folder. NULL if out of memory.
const char **jck_profile_names(jrpc_arena *arena, const char *directory);
// The member `refusals` of a profile's file; nothing if it is missing.
void jck_load_refusals(jck_reader *reader, jrpc_json root, const jck_denial **ret,
                       size_t *ret_count);
// The member `recognise` of a profile's file. False if it is missing or wrong.
bool jck_load_recognition(jck_reader *reader, jrpc_json root, jck_recognition *ret);

#endif
