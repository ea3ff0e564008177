// One sequence of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
#ifndef JRPC_BASE_UTF8_H
#define JRPC_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The length (1 to 4) of the well-formed sequence that begins at `ptr`, of `len` bytes (at least
// 1); 0 if there is none. *ret_viable (NULL is allowed) gets how many bytes from `ptr` on begin a
// well-formed sequence: the place of the first byte that is wrong, or `len` if the text ended.
size_t jrpc_utf8_sequence(const char *ptr, size_t len, size_t *ret_viable);
// Whether all of the bytes are well-formed sequences.
bool jrpc_utf8_is_valid(const char *ptr, size_t len);
// Where a text of `len` bytes can be cut: `at`, at most `len`, or the beginning of the character
// that it would cut in two. Bytes that are in no well-formed sequence may be cut anywhere.
size_t jrpc_utf8_boundary(const char *ptr, size_t len, size_t at);
// Writes a code point, at most 0x1FFFFF, and returns its length, 1 to 4. Generalized: a surrogate
// gets three bytes like its neighbours.
size_t jrpc_utf8_encode(uint32_t code, char ret_bytes[4]);

#endif
