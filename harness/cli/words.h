// Sentences for the user, and arguments quoted for a shell.
#ifndef JCK_CLI_WORDS_H
#define JCK_CLI_WORDS_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"

// Prints "jrpcheck: place: sentence" on standard error. Returns false.
bool jck_complain(const jrpc_error *error);
// The same for a sentence of our own; the arguments' unprintable bytes are replaced.
bool jck_complain_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Appends a word so that a POSIX shell reads it back unchanged; plain words are not quoted.
bool jck_quote_word(jrpc_buffer *out, const char *word);
// The same with its secrets masked, for lines that are shown and kept; `is_header`: the word is
// "Name: value" (or an option with such a value).
bool jck_quote_masked(jrpc_buffer *out, const char *word, bool is_header);
// Appends the format argument, with quotes, of a shell's `printf '…'` that writes these bytes.
// Everything but printable ASCII is spelled in octal.
bool jck_quote_printf(jrpc_buffer *out, jrpc_slice bytes);

#endif
