// What faults do to the content of a string, once its escapes are resolved.
#ifndef JRPC_ADAPTER_CONTENT_H
#define JRPC_ADAPTER_CONTENT_H

#include "reference/adapter/fault.h"
#include "reference/base/buffer.h"

#include <stdbool.h>
#include <stdint.h>

// Appends a code point, or a surrogate, in generalized UTF-8.
bool jrpc_content_append(jrpc_buffer *content, uint32_t code);
// Whether the fault refuses such a string. `escaped`: an escape was in its spelling.
bool jrpc_content_refused(jrpc_parser_fault fault, const jrpc_buffer *content, bool name,
                          bool escaped);
// Changes the content as the fault does.
void jrpc_content_change(jrpc_parser_fault fault, jrpc_buffer *content, bool name);

#endif
