// Which values every JSON library reads as they are meant. What others lose says nothing about a
// client: it is lost in the driver, on the way to the client.
#ifndef JCK_DRIVE_PORTABLE_H
#define JCK_DRIVE_PORTABLE_H

#include "reference/json/value.h"

#include <stdbool.h>

// False for a value that has, at any depth, one of these: a number that no double holds exactly
// (1e400, 9007199254740993; but not 0.1, which is the shortest spelling of its double), -0, U+0000,
// a surrogate without a partner, two members with one name, or many levels. No value is portable.
bool jck_is_portable(jrpc_json value);

#endif
