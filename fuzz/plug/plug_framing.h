// Bring your own framing: a decoder that takes a stream in pieces and gives messages, beside a
// model.
//
// Copy framing_template.c, fill it in, and say: scripts/fuzz plug my_framing.c
#ifndef JRPC_FUZZ_PLUG_PLUG_FRAMING_H
#define JRPC_FUZZ_PLUG_PLUG_FRAMING_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The decoder's name and version. Constant.
const char *plug_name(void);

// What it decodes: "line" (a message a line; a CR before the LF is not a part of it),
// "content-length", "length32" (four bytes, the first the highest) or "concatenated" (JSON values
// one after the other).
const char *plug_framing(void);

// Called with each message, in order.
typedef void plug_message(void *context, const char *payload, size_t len);

// A decoder at the beginning of a stream; never NULL.
void *plug_decoder_new(void);
// More bytes of the stream: gives every message that is complete now. False once the stream is
// broken and the decoder gives up; it is not fed again then.
bool plug_decoder_feed(void *decoder, const char *bytes, size_t len, plug_message *on_message,
                       void *context);
void plug_decoder_free(void *decoder);

#ifdef __cplusplus
}
#endif

#endif
