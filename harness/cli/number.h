// Integers on a command line.
#ifndef JCK_CLI_NUMBER_H
#define JCK_CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

// Reads decimal digits and nothing else. False, with *ret untouched, if the text is not an integer
// from `least` to `most`.
bool jck_number(const char *text, uint64_t least, uint64_t most, uint64_t *ret);

#endif
