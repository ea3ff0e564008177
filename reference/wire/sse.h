// Server-sent events: bytes of a text/event-stream in, the data of each event out; no I/O.
//
// The format is that of WHATWG HTML, section 9.2.6: lines end with LF, CR or CRLF, a line that
// begins with a colon is a comment, the data lines of an event are joined by LF, an empty line ends
// the event. Names and ids of events carry nothing for JSON-RPC and are passed over.
#ifndef JRPC_WIRE_SSE_H
#define JRPC_WIRE_SSE_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/wire/framing.h"

#include <stdbool.h>

typedef struct jrpc_sse {
    jrpc_buffer line; // the line that is being read
    jrpc_buffer data; // the data lines of the event so far, each with a LF after it
    bool taken;       // data was handed out and goes with the next call
    bool after_cr;    // a LF that follows belongs to the CR before it
    bool begun;       // a byte-order mark can no longer come
    bool oversize;    // this event was refused; its rest is passed over
} jrpc_sse;

// Initializes caller's storage. `allocator` is borrowed; `max_message` bounds the bytes of one
// event.
void jrpc_sse_init(jrpc_sse *sse, size_t max_message, const jrpc_allocator *allocator);
void jrpc_sse_done(jrpc_sse *sse);  // accepts a zeroed reader
void jrpc_sse_clear(jrpc_sse *sse); // begins a new stream

// Reads on in *input, which is moved after what was read. DONE: *ret_data is the data of an event,
// borrowed until the next call; call again with the rest. MORE: all of *input was read. BAD with
// LIMIT: an event is longer than a message may be; it is passed over. Events without data are no
// events. What stands after the last empty line of a stream is discarded, as the format asks.
jrpc_decoded jrpc_sse_next(jrpc_sse *sse, jrpc_slice *input, jrpc_slice *ret_data,
                           jrpc_error *error);

// Appends one event that carries `data`, which may have several lines. False when the buffer is
// full.
bool jrpc_sse_encode(jrpc_slice data, jrpc_buffer *out);

#endif
