// A project file: what `jrpcheck` tests when called without arguments. It is kept with the sources.
//
//   { "schema": 1, "target": ["./server", "--stdio"], "profile": "strict",
//     "methods": { "echo": "tools.echo" }, "baseline": "known.json", "reports":
//     ["html=report.html"] }
#ifndef JCK_SUITE_PROJECT_H
#define JCK_SUITE_PROJECT_H

#include "harness/suite/target.h"

#define JCK_PROJECT_FILE "jrpcheck.json"

typedef struct jck_project {
    const char **reports; // "FORMAT=PATH", NULL-terminated
} jck_project;

// Finds the file in a folder or in one of its parents. NULL if there is none; the path is in
// `arena`. Only a file owned by the user or by root is accepted, since its commands are run.
const char *jck_project_find(jrpc_arena *arena, const char *folder);
// Fills the target from the file: `target` is a command (an Array of words, run in the file's
// folder), a target as named on a command line, or the members of a target file; profile, methods
// and baseline are those of the target. Paths are relative to the file's folder. Fails as
// jck_target_load does; the target is initialized and must be freed in any case.
bool jck_project_read(jck_target *target, const char *file, const char *targets_directory,
                      jck_project *ret_project, jrpc_error *error);

#endif
