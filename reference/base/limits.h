// Every limit that a peer or a file can reach, by name. Sizes are bytes unless the name says more.
#ifndef JRPC_BASE_LIMITS_H
#define JRPC_BASE_LIMITS_H

#include <stddef.h>

#define JRPC_LIMIT_DOCUMENT_BYTES ((size_t)256 << 20)  // one JSON text; offsets fit 32 bits
#define JRPC_LIMIT_DEPTH 1024u                         // default nesting of the reader
#define JRPC_LIMIT_MESSAGE_BYTES ((size_t)64 << 20)    // default for one framed message
#define JRPC_LIMIT_HEADER_BYTES ((size_t)16 << 10)     // the header block of a Content-Length frame
#define JRPC_LIMIT_BATCH_ELEMENTS 100000u              // elements a batch may have
#define JRPC_LIMIT_METHOD_BYTES ((size_t)64 << 20)     // a method name is bounded by its message
#define JRPC_LIMIT_STDERR_TAIL_BYTES ((size_t)8 << 10) // the end of a child's stderr that is kept
#define JRPC_LIMIT_CONNECTIONS 256u                    // simultaneous connections of the server
#define JRPC_LIMIT_INBOX_BYTES ((size_t)32 << 20)      // received and not yet read, one peer

#endif
