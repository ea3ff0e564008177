// The manual page, made from the tables of commands, options and report formats.
#ifndef JCK_CLI_MAN_H
#define JCK_CLI_MAN_H

#include <stdio.h>

// Writes jrpcheck(1) as man(7) source. It contains no date, so that the same program always makes
// the same page.
void jck_print_man(FILE *out);

#endif
