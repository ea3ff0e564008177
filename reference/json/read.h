// The strict reader: RFC 8259 and nothing else, one pass, no recursion, nothing lost.
//
// Decisions where the RFC leaves room: a byte-order mark is an error (section 8.1 lets a parser
// ignore it; section 8.1 also forbids sending it); invalid UTF-8 is an error; \u0000 and escaped
// lone surrogates are kept; duplicate member names are kept, all of them; numbers of any length are
// kept as spelled; nesting past `max_depth` is a LIMIT error, as is text past
// JRPC_LIMIT_DOCUMENT_BYTES.
#ifndef JRPC_JSON_READ_H
#define JRPC_JSON_READ_H

#include "reference/base/error.h"
#include "reference/json/value.h"

// Reads `text`, which must be exactly one JSON value with optional white space around it, into
// `document` (initialized; what it held before is dropped, its memory reused). `text` is borrowed
// by the document. `max_depth` is the deepest nesting accepted: 1 accepts `[]`, 0 only scalars.
// False with SYNTAX (error->offset is the byte where the text stops being JSON; its length if it
// ended too early), LIMIT or MEMORY; the document is then empty. Line and column are not computed:
// see jrpc_error_locate.
bool jrpc_json_read(jrpc_json_document *document, jrpc_slice text, uint32_t max_depth,
                    jrpc_error *error);

#endif
