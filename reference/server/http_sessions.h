// Sessions over HTTP, as the Model Context Protocol has them ("Streamable HTTP", Session
// Management): an id in a header that joins the exchanges of one client, and a stream of events
// opened by GET for what the server sends of its own.
#ifndef JRPC_SERVER_HTTP_SESSIONS_H
#define JRPC_SERVER_HTTP_SESSIONS_H

#include "reference/net/http_stream.h"

#define JRPC_SESSION_HEADER "Mcp-Session-Id"
#define JRPC_SESSION_ID_BYTES 33 // with its NUL
#define JRPC_SESSIONS_MAX 1024   // the oldest makes room for a new one

typedef struct jrpc_http_sessions jrpc_http_sessions;

// NULL without memory. Owned: jrpc_http_sessions_free, which ends the streams.
jrpc_http_sessions *jrpc_http_sessions_new(const jrpc_allocator *allocator);
void jrpc_http_sessions_free(jrpc_http_sessions *sessions); // accepts NULL

// Begins a session.
void jrpc_http_sessions_begin(jrpc_http_sessions *sessions, char ret_id[JRPC_SESSION_ID_BYTES]);
// Gives a session another id, for the fault that makes up bad ones. Nothing if there is none.
void jrpc_http_sessions_rename(jrpc_http_sessions *sessions, const char *id,
                               const char other[JRPC_SESSION_ID_BYTES]);
// Whether there is a session with this id. *ret_stream (a reference of the caller's, NULL: none is
// open) takes what the server sends of its own; `ret_stream` may be NULL.
bool jrpc_http_sessions_find(jrpc_http_sessions *sessions, const char *id,
                             jrpc_http_stream **ret_stream);
// Opens the session's stream, in place of an earlier one. A reference of the caller's; NULL if
// there is no such session, or no memory.
jrpc_http_stream *jrpc_http_sessions_open(jrpc_http_sessions *sessions, const char *id, size_t max);
// Ends a session and its stream. False if there is none.
bool jrpc_http_sessions_end(jrpc_http_sessions *sessions, const char *id);

#endif
