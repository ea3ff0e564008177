// Text from peers and files, made safe for where it is printed. A target's answer may contain
// escape sequences that repaint a terminal, characters that reverse the direction of text, or
// markup of the report's format: what is not visible as itself is spelled \xNN, byte by byte, and
// markup is escaped.
#ifndef JCK_REPORT_SAFE_H
#define JCK_REPORT_SAFE_H

#include "reference/base/buffer.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum jck_safe_place {
    JCK_SAFE_PLAIN, // a terminal, a log; one line
    JCK_SAFE_XML,   // XML 1.0, element content and attribute values
    JCK_SAFE_HTML,  // HTML 5, element content and attribute values between double quotes
    // HTML 5, element content only: every \xNN is marked, <b> around an invalid UTF-8 byte, <i>
    // around a byte of a character that is not visible.
    JCK_SAFE_HTML_BYTES,
    JCK_SAFE_MARKDOWN, // GitHub-flavoured Markdown: running text and table cells, never markup
    JCK_SAFE_TAP,      // the description of a TAP 14 test point
    JCK_SAFE_JSON,     // between the quotes of a JSON string; lossless: \uNNNN instead of \xNN
} jck_safe_place;

// Appends `text` as one line that shows its content: visible characters stay; every other byte
// (controls, line feeds, invalid UTF-8, invisible characters, characters that change the direction
// of writing) becomes \xNN. A backslash before an `x` becomes \x5c, so that nobody can imitate this
// spelling. False if the buffer is full.
bool jck_safe_append(jrpc_buffer *out, jck_safe_place place, jrpc_slice text);

// The same for a message of `true_len` bytes of which `bytes` are known: at most `max` bytes are
// shown, and if something is missing "… (N bytes in all)" follows.
bool jck_safe_append_capped(jrpc_buffer *out, jck_safe_place place, jrpc_slice bytes, size_t max,
                            size_t true_len);

// The same for a sentence of an event, where jck_excerpt (harness/evidence/evidence.h) has spelled
// what a peer sent: \xNN is kept as it is. At most `max` bytes are shown. Not for
// JCK_SAFE_HTML_BYTES, which marks the bytes of a message.
bool jck_safe_append_sentence(jrpc_buffer *out, jck_safe_place place, jrpc_slice sentence,
                              size_t max);

// Prints text to a stream as JCK_SAFE_PLAIN does. False if the stream failed.
bool jck_print_safe(FILE *out, jrpc_slice text);

#endif
