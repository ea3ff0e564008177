// A stream of server-sent events as a list: the second opinion on their reader, taking a whole
// stream at once.
#ifndef JRPC_FUZZ_MODEL_EVENTS_H
#define JRPC_FUZZ_MODEL_EVENTS_H

#include "fuzz/model/frames.h"

// The data of each event of a stream (WHATWG HTML, section 9.2.6). One that is longer than
// `max_message` bytes, or has a line longer than that and EVENTS_FIELD_BYTES, is a bad frame
// without bytes.
#define EVENTS_FIELD_BYTES 64
void events_expected(frames *list, tree_pool *pool, jrpc_slice stream, size_t max_message);

#endif
