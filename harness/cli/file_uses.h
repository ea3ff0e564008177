// The files that one command reads and writes, compared by identity, not by name, so that no output
// destroys an input or another output.
#ifndef JCK_CLI_FILE_USES_H
#define JCK_CLI_FILE_USES_H

#include "harness/cli/options.h"
#include "harness/suite/suite.h"
#include "harness/suite/target.h"

typedef struct jck_file_use jck_file_use;

typedef struct jck_file_uses {
    jrpc_arena *arena; // borrowed
    jck_file_use *first;
    bool starved;
} jck_file_uses;

void jck_file_uses_init(jck_file_uses *uses, jrpc_arena *arena);
// Records that a file is read; `what` names it for the user ("the baseline") and is borrowed, as
// `path` is. NULL and anything but a regular file are ignored.
void jck_file_uses_read(jck_file_uses *uses, const char *what, const char *path);
// The same for the file that a descriptor is open on, such as standard input.
void jck_file_uses_read_from(jck_file_uses *uses, const char *what, int descriptor);
// Records that a file will be written; it need not exist. Pipes and devices are ignored.
void jck_file_uses_write(jck_file_uses *uses, const char *what, const char *path);
// Records what the options read and write, for any command.
void jck_file_uses_of_options(jck_file_uses *uses, const jck_options *options);
// Records what a run reads: target, case files, and what the target's command line names.
void jck_file_uses_of_run(jck_file_uses *uses, const jck_suite *suite, const jck_target *target);
// False with USAGE if a file would be both written and read, or written twice.
bool jck_file_uses_check(const jck_file_uses *uses, jrpc_error *error);

#endif
