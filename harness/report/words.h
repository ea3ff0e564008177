// Words for what an event holds, shared by the formats.
#ifndef JCK_REPORT_WORDS_H
#define JCK_REPORT_WORDS_H

#include "harness/report/reading.h"
#include "harness/report/safe.h"
#include "reference/base/buffer.h"

// Appends how the connection ended, as a sentence without a full stop: "the target was killed by
// signal 11 (Segmentation fault)". Nothing where it stayed open or nothing was run.
void jck_append_end(jrpc_buffer *out, jck_safe_place place, const jck_reading_case *test_case);

// Appends one message: an arrow (→ sent, ← received), a space, at most `max` bytes of it.
void jck_append_message(jrpc_buffer *out, jck_safe_place place, const jck_reading_message *message,
                        size_t max);

// The next line of a text: cut off from *text, without its line feed. False at the end.
bool jck_next_line(jrpc_slice *text, jrpc_slice *ret_line);

#endif
