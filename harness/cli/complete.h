// Completions for the word that is being typed in a shell. All of it is made here from the tables
// of commands and options, so that the shells' own files (packaging/completions) only pass words
// on.
#ifndef JCK_CLI_COMPLETE_H
#define JCK_CLI_COMPLETE_H

#include "harness/cli/options.h"

#include <stdio.h>

// Prints the completions of the last of `words` (NULL-terminated, without the program's name; none
// counts as one empty word), one per line: the whole word, a tab, what it means. What only the
// shell knows is a line of its own: ":files", ":folders" or ":commands", for the part of the word
// after its last "=". Rules, cases and suites are read from the folder that --cases names among the
// words, else from the usual one; if they cannot be read they are left out.
void jck_complete(jck_options *options, char *const *words, FILE *out);

#endif
