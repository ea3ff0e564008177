// Framings: how messages are told apart on a byte stream. Bytes in, messages out; no I/O.
//
// One interface, four implementations (line, content_length, concatenated, length32), each in a
// file of its own and each fed in any chunks: the same bytes give the same messages however they
// are split.
#ifndef JRPC_WIRE_FRAMING_H
#define JRPC_WIRE_FRAMING_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/base/slice.h"

#include <stdbool.h>

typedef enum jrpc_framing {
    JRPC_FRAMING_LINE,           // one message a line; LF ends it, a CR before it is dropped
    JRPC_FRAMING_CONTENT_LENGTH, // "Content-Length: N\r\n\r\n" and N bytes
    JRPC_FRAMING_CONCATENATED,   // JSON values one after the other
    JRPC_FRAMING_LENGTH32,       // a 32-bit big-endian length and that many bytes
} jrpc_framing;

// "line", "content-length", "concatenated", "length32".
const char *jrpc_framing_name(jrpc_framing framing);
bool jrpc_framing_from_name(jrpc_slice name, jrpc_framing *ret_framing);

// Whether a payload can travel: INVALID with the reason where it cannot (a line feed over lines;
// over concatenated everything whose end cannot be seen: text that is not one balanced JSON value).
bool jrpc_framing_carries(jrpc_framing framing, jrpc_slice payload, jrpc_error *error);
// Whether the framing has a delimiter of its own, so that the end of any payload is known.
bool jrpc_framing_delimited(jrpc_framing framing);
// Appends the framed payload to `out`. False when the buffer is full. The payload is not checked.
// Concatenated: a line feed follows a number or literal, whose end could not be seen without it.
bool jrpc_framing_encode(jrpc_framing framing, jrpc_slice payload, jrpc_buffer *out);

typedef enum jrpc_decoded {
    JRPC_DECODED_DONE, // one message
    JRPC_DECODED_MORE, // more bytes are needed
    JRPC_DECODED_BAD,  // bytes that are no frame; they are skipped and the decoder goes on
} jrpc_decoded;

typedef struct jrpc_decoder {
    jrpc_framing framing;
    size_t max_message; // bytes of one payload
    jrpc_buffer input;  // bytes received, the ones used up in front
    size_t scanned;     // bytes of input that were looked at already (no byte is scanned twice)
    size_t taken;       // bytes of input that are used up; dropped when they outweigh the rest
    size_t depth;       // concatenated: open brackets
    int state;          // private to the framing
    size_t discarding;  // private: bytes of an oversize frame still to be thrown away
    size_t mark;        // private: where the line begins that is being looked at
    const char *flaw;   // what the head of the message handed out last breaks, though it can be
                        // read; NULL: nothing
    size_t body;        // bytes that the last length read announced for a payload
    bool behind_body;   // private: nothing but empty lines came since the last payload
    bool uncounted;     // private: … and there were some
} jrpc_decoder;

// Initializes caller's storage. `allocator` is borrowed.
void jrpc_decoder_init(jrpc_decoder *decoder, jrpc_framing framing, size_t max_message,
                       const jrpc_allocator *allocator);
void jrpc_decoder_done(jrpc_decoder *decoder); // accepts a zeroed decoder
// Adds received bytes. False, with nothing added, with MEMORY, or with LIMIT when more than
// max_message and one header block wait already: take messages first (a flood without a frame comes
// out of jrpc_decoder_next as BAD), then feed again. Whoever takes until MORE before each feed
// never sees LIMIT, and the decoder never holds more than those bytes and one chunk.
bool jrpc_decoder_feed(jrpc_decoder *decoder, jrpc_slice bytes, jrpc_error *error);
// The next message. DONE: *ret_payload is the payload. BAD: *ret_payload is what was skipped and
// *error says why (SYNTAX: no frame; LIMIT: a frame over max_message, of which the first bytes are
// shown). Payloads are borrowed until the next call on this decoder. An empty line is a message of
// length zero on the line framing.
jrpc_decoded jrpc_decoder_next(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);
// At the end of the stream: what is left over. DONE for a last line without its line feed and for a
// last number or literal of concatenated; BAD for a frame that is cut off; MORE if nothing is left.
// Call it until it says MORE; the decoder is then as new, for another stream.
jrpc_decoded jrpc_decoder_end(jrpc_decoder *decoder, jrpc_slice *ret_payload, jrpc_error *error);

#endif
