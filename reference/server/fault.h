// Faults: things that the reference server does wrong on demand, so that the suite can prove that
// it notices them.
//
// A fault is one row of a table: a name, the rule it breaks, what it does, and functions for the
// points where it bends the way of a message. Each gets its one thing wrong and leaves all else
// right. The rows stand in faults_*.c by theme.
#ifndef JRPC_SERVER_FAULT_H
#define JRPC_SERVER_FAULT_H

#include "reference/net/http_listener.h"
#include "reference/server/connection.h"

#include <stdio.h>

// What a fault's function is given.
typedef struct jrpc_bend {
    const struct jrpc_fault *fault;
    jrpc_connection *connection;
    jrpc_exchange *exchange; // NULL outside of the router
    jrpc_arena *arena;       // lives until the answer was sent
    jrpc_outcome outcome;    // in `response`
} jrpc_bend;

// What happens to a whole input or one message that a row's condition meets.
typedef enum jrpc_deed {
    JRPC_DEED_NONE,
    JRPC_DEED_CRASH,        // abort()
    JRPC_DEED_SILENCE,      // served, but given no Response
    JRPC_DEED_DROP,         // neither served nor given a Response
    JRPC_DEED_REFUSE,       // -32600 with its id
    JRPC_DEED_REFUSE_NULL,  // -32600 with id null
    JRPC_DEED_PARSE_ERROR,  // -32700 with id null (a whole input only)
    JRPC_DEED_NOTIFICATION, // served as if it had no id
    JRPC_DEED_ANSWER,       // the row's `spelling` is sent instead (a whole input only)
} jrpc_deed;

// A message on its way out over WebSocket.
typedef struct jrpc_websocket_reply {
    jrpc_slice payload;
    bool binary;
    bool split; // in two messages
    bool masked;
} jrpc_websocket_reply;

// What is wrong with the bytes of HTTP, in a server that reads and writes them by hand.
typedef enum jrpc_http_bytes_fault {
    JRPC_HTTP_BYTES_RIGHT,
    JRPC_HTTP_BYTES_FORGETS,     // bytes that were read after a request are dropped
    JRPC_HTTP_BYTES_CROSSES,     // of requests that were read together, the last is answered first
    JRPC_HTTP_BYTES_PLAIN,       // a chunk with an extension is refused
    JRPC_HTTP_BYTES_204_LENGTH,  // an answer with status 204 has a Content-Length
    JRPC_HTTP_BYTES_204_BODY,    // an answer with status 204 is followed by null
    JRPC_HTTP_BYTES_UNREAD,      // the body of a request other than POST is read as the next one
    JRPC_HTTP_BYTES_NO_100,      // "100 Continue" is never sent
    JRPC_HTTP_BYTES_STAYS,       // the connection stays open after "Connection: close"
    JRPC_HTTP_BYTES_HEAD,        // HEAD is answered with a body
    JRPC_HTTP_BYTES_CHUNKS,      // answers come in chunks, even to HTTP/1.0
    JRPC_HTTP_BYTES_NO_HOST,     // a request needs no Host
    JRPC_HTTP_BYTES_LENGTHS,     // the first of two Content-Lengths counts
    JRPC_HTTP_BYTES_SPACED,      // white space may stand before the colon of a header
    JRPC_HTTP_BYTES_ABSOLUTE,    // a whole URL in the request line is not found
    JRPC_HTTP_BYTES_DECIMAL,     // chunk sizes with only decimal digits are read as decimal
    JRPC_HTTP_BYTES_NO_ZEROS,    // a chunk size must not begin with a zero
    JRPC_HTTP_BYTES_LENGTH_WINS, // Content-Length counts even if the body is chunked
    JRPC_HTTP_BYTES_TRAILERS,    // trailer fields are read as the next request
    JRPC_HTTP_BYTES_REMEMBERS,   // after a chunked body, all bodies are read as chunked
    JRPC_HTTP_BYTES_BY_READS,    // the result of one read is taken for the whole body
    JRPC_HTTP_BYTES_GIVES_UP,    // bytes that were read after invalid JSON are dropped
    JRPC_HTTP_BYTES_EXACT,       // Connection: close counts only in lower case
    JRPC_HTTP_BYTES_ALONE,       // … and only without other options
    JRPC_HTTP_BYTES_OLD_STAYS,   // the connection stays open after an HTTP/1.0 request
    JRPC_HTTP_BYTES_NO_DATE,     // answers have no Date
    JRPC_HTTP_BYTES_SEVENTH,     // the connection is closed after seven answers
    JRPC_HTTP_BYTES_NO_LENGTH,   // a parse error has no Content-Length
    JRPC_HTTP_BYTES_NO_HEAD,     // HEAD closes the connection without an answer
    JRPC_HTTP_BYTES_TWENTIETH,   // the twentieth request on a connection is not answered
    JRPC_HTTP_BYTES_CHARACTERS,  // Content-Length counts characters
    JRPC_HTTP_BYTES_LARGER,      // … is larger than the body, if there is an error in it
    JRPC_HTTP_BYTES_UNENDED,     // long answers come in chunks, of which the last is missing
    JRPC_HTTP_BYTES_SAYS_CLOSE,  // answers have no length, say "Connection: close", and lie
    JRPC_HTTP_BYTES_TYPES,       // answers have two Content-Types
    JRPC_HTTP_BYTES_ENCODING,    // long answers are said to be compressed, but are not
    JRPC_HTTP_BYTES_DATE_FORM,   // the Date is written in another form
    JRPC_HTTP_BYTES_LINE_FEED,   // the status line ends with a line feed alone
    JRPC_HTTP_BYTES_LINE_FEEDS,  // … and so do all lines of a head
    JRPC_HTTP_BYTES_204_CODING,  // an answer with status 204 has a Transfer-Encoding
    JRPC_HTTP_BYTES_LETTERS,     // a chunk size with a letter in it is refused
    JRPC_HTTP_BYTES_UNSPACED,    // a header field without a space after the colon is refused
    JRPC_HTTP_BYTES_TABBED,      // … and one with a tab
    JRPC_HTTP_BYTES_EMPTY_LINE,  // an empty line before a request is refused
    JRPC_HTTP_BYTES_SILENCE_CLOSES, // the connection is closed after an answer with status 204
    JRPC_HTTP_BYTES_CUT,            // a body is cut after 64 KiB
} jrpc_http_bytes_fault;

// What becomes of a handshake of WebSocket.
typedef enum jrpc_handshake {
    JRPC_HANDSHAKE_CHECKED, // what RFC 6455 says
    JRPC_HANDSHAKE_ACCEPTED,
    JRPC_HANDSHAKE_REFUSED, // with status 400
} jrpc_handshake;

typedef struct jrpc_fault {
    const char *name;
    const char *rule;
    const char *description;
    // At the hook points of the router (see rpc/router.h), each may be NULL.
    void (*text)(jrpc_bend *bend, jrpc_slice *text);
    void (*input)(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind);
    void (*message)(jrpc_bend *bend, jrpc_message *message);
    void (*bind)(jrpc_bend *bend, jrpc_call *call, bool *ok);
    void (*response)(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
    void (*batch)(jrpc_bend *bend, jrpc_batch_reply *reply);
    // Around it: bytes of one read before framing; one message before the router (false drops it);
    // one message before and after it was framed (false drops it).
    void (*received)(jrpc_bend *bend, jrpc_slice *bytes);
    bool (*incoming)(jrpc_bend *bend, jrpc_slice text);
    bool (*outgoing)(jrpc_bend *bend, jrpc_slice *payload);
    void (*framed)(jrpc_bend *bend, jrpc_slice *bytes);
    void (*started)(jrpc_bend *bend); // before the first byte is read
    void (*ended)(jrpc_bend *bend);   // when no more will be read
    // Over HTTP: before a request is served (false: the reply is filled, and it is not), and before
    // the reply goes out.
    bool (*http_request)(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply);
    void (*http_reply)(jrpc_bend *bend, const jrpc_http_request *request, jrpc_http_reply *reply);
    void (*stream_event)(jrpc_bend *bend, jrpc_buffer *event); // on a session's stream, encoded
    jrpc_http_bytes_fault http_bytes; // in bytes that are read and written by hand
    // Over WebSocket: the head of the handshake's request; bytes of one read; what the wire has
    // made for the other side (handshake, pong, close) before it is written; a message before it
    // goes out, and its frames.
    jrpc_handshake (*websocket_handshake)(jrpc_bend *bend, jrpc_slice head);
    void (*websocket_received)(jrpc_bend *bend, jrpc_slice *bytes);
    void (*websocket_out)(jrpc_bend *bend, jrpc_buffer *out);
    void (*websocket_send)(jrpc_bend *bend, jrpc_websocket_reply *reply);
    void (*websocket_framed)(jrpc_bend *bend, jrpc_buffer *out);
    // Data for the functions above.
    unsigned when; // jrpc_outcome bits, 0: any
    jrpc_deed deed;
    bool (*is)(jrpc_bend *bend, const jrpc_message *message);
    bool (*is_input)(jrpc_bend *bend, jrpc_json root, jrpc_input_kind kind);
    jrpc_slice (*respell)(jrpc_bend *bend, jrpc_slice spelling);
    // At a byte outside (or inside) of a string: appends to `out` what it is read as and returns
    // how many bytes of `text` that covers; 0: the byte is taken as it is.
    size_t (*step)(jrpc_slice text, size_t at, jrpc_buffer *out);
    size_t member; // of jrpc_response, by offsetof
    const char *spelling;
    int number;
} jrpc_fault;

// A fault by name; NULL if there is none.
const jrpc_fault *jrpc_fault_find(const char *name);
// Whether the server of the connection runs with the fault of that name.
bool jrpc_fault_is_on(const jrpc_connection *connection, const char *name);
// Writes all faults: name, tab, rule, tab, description, one a line.
void jrpc_fault_list(FILE *out);
size_t jrpc_fault_count(void);
const jrpc_fault *jrpc_fault_at(size_t index);

// Sets server->hooks so that they lead to server->faults.
void jrpc_fault_install(jrpc_server *server);
// The points outside of the router; each applies every fault of the connection's server in turn.
void jrpc_fault_received(jrpc_connection *connection, jrpc_slice *bytes);
bool jrpc_fault_incoming(jrpc_connection *connection, jrpc_slice text);
bool jrpc_fault_outgoing(jrpc_connection *connection, jrpc_slice *payload);
void jrpc_fault_framed(jrpc_connection *connection, jrpc_slice *bytes);
void jrpc_fault_started(jrpc_connection *connection);
void jrpc_fault_ended(jrpc_connection *connection);
bool jrpc_fault_http_request(jrpc_connection *connection, const jrpc_http_request *request,
                             jrpc_http_reply *reply);
void jrpc_fault_http_reply(jrpc_connection *connection, const jrpc_http_request *request,
                           jrpc_http_reply *reply);
void jrpc_fault_stream_event(jrpc_connection *connection, jrpc_buffer *event);
jrpc_handshake jrpc_fault_websocket_handshake(jrpc_connection *connection, jrpc_slice head);
void jrpc_fault_websocket_received(jrpc_connection *connection, jrpc_slice *bytes);
void jrpc_fault_websocket_out(jrpc_connection *connection, jrpc_buffer *out);
void jrpc_fault_websocket_send(jrpc_connection *connection, jrpc_websocket_reply *reply);
void jrpc_fault_websocket_framed(jrpc_connection *connection, jrpc_buffer *out);

// No fault, but made like one: serves requests of JSON-RPC 1.0 beside those of 2.0 (--v1). It comes
// before every fault.
extern const jrpc_fault jrpc_version1;

// The same for the servers that follow a text beside the specification (--as NAME): "jrpc2",
// "ethereum", "kotlin-design", "kotlinx-rpc", "lsp", "mcp", "mcp-2026-07-28", "openrpc". NULL for
// another name.
const jrpc_fault *jrpc_habit_find(const char *name);
// The one that a fault is a fault in, by its name; NULL: none.
const jrpc_fault *jrpc_habit_of_fault(const char *fault);

// The tables.
typedef struct jrpc_fault_table {
    const jrpc_fault *faults;
    size_t count;
} jrpc_fault_table;
extern const jrpc_fault_table jrpc_faults_batch, jrpc_faults_bytes, jrpc_faults_count,
    jrpc_faults_credentials, jrpc_faults_encoding, jrpc_faults_collect, jrpc_faults_flow,
    jrpc_faults_guarded, jrpc_faults_http, jrpc_faults_http_bytes, jrpc_faults_id, jrpc_faults_json,
    jrpc_faults_lengths, jrpc_faults_lenient, jrpc_faults_mcp, jrpc_faults_method,
    jrpc_faults_names, jrpc_faults_output, jrpc_faults_profile, jrpc_faults_rare,
    jrpc_faults_request, jrpc_faults_resource, jrpc_faults_resource_data, jrpc_faults_response,
    jrpc_faults_results, jrpc_faults_session, jrpc_faults_state, jrpc_faults_stream,
    jrpc_faults_transport, jrpc_faults_values, jrpc_faults_version1, jrpc_faults_websocket,
    jrpc_faults_fragments, jrpc_faults_heads;
#define JRPC_FAULT_TABLE(rows)                                                                     \
    {                                                                                              \
        rows, sizeof(rows) / sizeof *(rows)                                                        \
    }

#endif
