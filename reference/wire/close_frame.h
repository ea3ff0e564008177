// The body of a Close frame (RFC 6455, section 5.5.1): a status code and a reason. No I/O. Private
// to this room.
#ifndef JRPC_WIRE_CLOSE_FRAME_H
#define JRPC_WIRE_CLOSE_FRAME_H

#include "reference/base/slice.h"

enum { JRPC_CLOSE_NO_CODE = 1005 };

// The status code of a Close; JRPC_CLOSE_NO_CODE if it has none.
int jrpc_close_code(jrpc_slice body);
// What the body of a Close breaks, in words with the section: a code that must not be sent (section
// 7.4), a body of one byte, or a reason that is not UTF-8. NULL: nothing. A code that RFC 6455 does
// not name breaks nothing, because later specifications register more of them.
const char *jrpc_close_flaw(jrpc_slice body);

#endif
