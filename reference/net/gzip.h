// The content coding gzip (RFC 1952), as far as a test of clients needs it: written, not read, and
// without compression, which is valid.
#ifndef JRPC_NET_GZIP_H
#define JRPC_NET_GZIP_H

#include "reference/base/buffer.h"

#include <stdbool.h>

// Appends the content in that coding. False without memory.
bool jrpc_gzip_put(jrpc_buffer *out, jrpc_slice content);
// Whether the value of an Accept-Encoding lists gzip, and not with a weight of zero (RFC 9110,
// section 12.5.3). One without a pointer does not.
bool jrpc_gzip_is_listed(jrpc_slice accept_encoding);

#endif
