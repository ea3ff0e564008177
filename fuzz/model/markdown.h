// Markdown line by line: the second opinion on what the reports write for the page of a CI job.
//
// Only the markup that the reports are known to use, where they use it. In all other text no byte
// is left that GitHub reads as markup: what a peer said stands there as character references.
#ifndef JRPC_FUZZ_MODEL_MARKDOWN_H
#define JRPC_FUZZ_MODEL_MARKDOWN_H

#include "reference/base/slice.h"

// Fails unless every line is one of those, tables have rows of one length, and tags are closed.
void markdown_require(jrpc_slice text);

#endif
