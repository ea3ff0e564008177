// Shows people what a case sends and expects.
#ifndef JCK_CLI_SHOW_H
#define JCK_CLI_SHOW_H

#include "harness/cli/sample.h"

// Prints a label and text, wrapped between words and indented to the column after the label.
void jck_show_text(const char *label, jrpc_slice text);
// The same for a list of words, separated by commas.
void jck_show_words(const char *label, const jrpc_slice *words, size_t count);
// Prints the steps of a case: what is sent, expanded, and what is expected.
void jck_show_steps(jck_sample *sample, const jck_case *test_case);
// Prints bytes as one line, cut at `max` bytes; what is not printable is spelled \xNN.
void jck_show_bytes(jrpc_slice bytes, size_t max);

#endif
