// One text in, one answer of the adapter protocol out.
#ifndef JRPC_ADAPTER_ANSWER_H
#define JRPC_ADAPTER_ANSWER_H

#include "reference/adapter/fault.h"
#include "reference/base/buffer.h"
#include "reference/json/value.h"

// Appends the answer, without its length, to `out`: 'A' and the text as read and written, or 'R'
// and the reason. `document` is reused from text to text. False if out of memory.
bool jrpc_parser_answer(jrpc_parser_fault fault, jrpc_slice text, jrpc_json_document *document,
                        jrpc_buffer *out);

#endif
