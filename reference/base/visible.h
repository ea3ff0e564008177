// Which characters show what they are when they are printed.
#ifndef JRPC_BASE_VISIBLE_H
#define JRPC_BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a code point is printed as itself: no control, no invisible character, no mark that
// changes the direction of writing, no line separator, no non-character.
bool jrpc_code_is_visible(uint32_t code);
// The code point of a well-formed sequence of `len` bytes (see jrpc_utf8_sequence).
uint32_t jrpc_utf8_code(const char *ptr, size_t len);
// The length of the character that begins at `ptr`, of `len` bytes (at least 1), if it is well
// formed and visible; else 0.
size_t jrpc_visible_sequence(const char *ptr, size_t len);

#endif
