// Bytes on their way to one client that reads a body without an end: written by any thread, read by
// the one that serves the client's connection.
#ifndef JRPC_NET_HTTP_STREAM_H
#define JRPC_NET_HTTP_STREAM_H

#include "reference/base/allocator.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct jrpc_http_stream jrpc_http_stream;

// A stream with one reference, which jrpc_http_stream_unref gives back. What waits in it is at most
// `max` bytes. NULL with neither memory nor descriptors.
jrpc_http_stream *jrpc_http_stream_new(size_t max, const jrpc_allocator *allocator);
jrpc_http_stream *jrpc_http_stream_ref(jrpc_http_stream *stream); // the same, for one more owner
void jrpc_http_stream_unref(jrpc_http_stream *stream);            // accepts NULL

// Appends bytes. False once it is closed or full.
bool jrpc_http_stream_put(jrpc_http_stream *stream, jrpc_slice bytes);
// Ends it after what waits in it.
void jrpc_http_stream_close(jrpc_http_stream *stream);
// Moves at most `max` bytes into `room`, waiting for the first of them; -1 at the end, or when
// `stop_fd` becomes readable. After `idle_ms` without a byte it returns 0.
ssize_t jrpc_http_stream_read(jrpc_http_stream *stream, char *room, size_t max, int stop_fd,
                              int idle_ms);

#endif
