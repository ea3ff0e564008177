// The manual page, made from the tables of commands, options and report formats.
#ifndef JCK_CLI_MAN_H
#define JCK_CLI_MAN_H

#include <stdio.h>

// Writes jrpcheck(1) in the language of man(7). Carries no date, so that it can be made anew from
// the same program without a difference.
void jck_print_man(FILE *out);

#endif
