// Flaws in the heads of HTTP answers that can be understood nevertheless. Private to this room;
// does no I/O.
#ifndef JRPC_NET_HTTP_FLAW_H
#define JRPC_NET_HTTP_FLAW_H

#include "reference/base/slice.h"

#include <stdbool.h>

// What is wrong with the head of an answer, whose final status line and fields `head` ends with
// (trailer fields may follow). `status` is that of the answer; `plain`: its body is JSON as it
// stands, in no coding. NULL: nothing; a constant otherwise.
const char *jrpc_http_flaw_of_head(jrpc_slice head, int status, bool plain);

#endif
