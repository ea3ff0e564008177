// A finding as a case file, in a folder of cases that `jrpcheck --cases` loads in addition to the
// project's.
#ifndef JCK_LIVE_SAVE_H
#define JCK_LIVE_SAVE_H

#include "harness/live/compose.h"
#include "reference/base/error.h"

// The suite of the cases that fuzzing writes.
#define JCK_SAVE_SUITE "fuzz"

// Makes the folder. False with SYSTEM.
bool jck_save_begin(const char *folder, jrpc_error *error);
// Gives a composition the id, title and reason of a finding, in the arena. `seen`: what a server
// did wrong.
void jck_save_name(jrpc_slice rule, uint64_t difference, const char *seen, jrpc_arena *arena,
                   jck_composition *composition);
// Writes one case to a file of its own. A file of the same finding is replaced. False with SYSTEM,
// for example if the disk is full.
bool jck_save_case(const char *folder, const jck_case *test_case, jrpc_error *error);

#endif
