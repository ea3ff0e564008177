// One folder of files that a target lays out anew for every input, in memory where the system has
// such a place.
#ifndef JRPC_FUZZ_FOLDER_H
#define JRPC_FUZZ_FOLDER_H

#include "reference/base/slice.h"

// The folder's path. It is made at the first call and removed when the process exits; a process
// that is killed leaves it, empty but for one input.
const char *fuzz_folder(void);

// Writes `name`, which may stand in one subfolder ("profiles/a.json"); what was there is replaced.
void fuzz_folder_put(const char *name, jrpc_slice text);

// Removes all that was put. Subfolders stay, empty.
void fuzz_folder_clear(void);

#endif
