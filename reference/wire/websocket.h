// WebSocket messages (RFC 6455) over wslay: bytes in, messages out, and the other way round; no
// I/O. Pings are answered, a close is answered with a close.
#ifndef JRPC_WIRE_WEBSOCKET_H
#define JRPC_WIRE_WEBSOCKET_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/wire/frame_place.h"
#include "reference/wire/unmask.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jrpc_websocket_event {
    JRPC_WEBSOCKET_NONE, // more bytes are needed
    JRPC_WEBSOCKET_TEXT,
    JRPC_WEBSOCKET_BINARY,
    JRPC_WEBSOCKET_PONG,
    JRPC_WEBSOCKET_CLOSE, // the other side closed, or broke the protocol: see close_code
} jrpc_websocket_event;

typedef struct jrpc_websocket {
    struct wslay_event_context *context; // owned
    bool client;
    jrpc_random random;     // masks of a client
    jrpc_slice input;       // while fed
    jrpc_unmask unmask;     // `flaw` says what the frames of the other side break
    jrpc_buffer plain;      // … and what it wrote, without masks, as far as it was read last
    bool masks;             // a server: masks its frames all the same
    jrpc_buffer out;        // bytes to write; the owner consumes them
    jrpc_frame_place place; // … where the frames in them stand,
    jrpc_buffer owed;       // … and what has to wait for the end of the last one: pongs, a Close
    jrpc_buffer messages;   // contents, one after the other
    jrpc_buffer items;      // where they stand: private
    size_t item_taken;
    int pongs;      // received so far, with the data of our pings
    int close_code; // of the other side's close (1005: none given), or ours for what it did wrong
    bool closed;    // nothing more will be read
    bool broken;    // … because of what the other side did wrong: close_code is ours
    // What the body of the other side's Close breaks, in words; NULL: nothing. close_code is
    // the one in it.
    const char *close_flaw;
    bool failed; // memory is out
} jrpc_websocket;

// Initializes caller's storage. `max_message` in bytes; longer ones are refused with code 1009.
// False without memory.
bool jrpc_websocket_init(jrpc_websocket *socket, bool client, size_t max_message, uint64_t seed,
                         const jrpc_allocator *allocator);
void jrpc_websocket_done(jrpc_websocket *socket); // accepts a zeroed one

// Takes received bytes, all of them. False without memory.
bool jrpc_websocket_feed(jrpc_websocket *socket, jrpc_slice bytes);
// What came next; *ret_payload is borrowed until the next call.
jrpc_websocket_event jrpc_websocket_next(jrpc_websocket *socket, jrpc_slice *ret_payload);
// Whether all that came was taken.
bool jrpc_websocket_is_taken(const jrpc_websocket *socket);

// Each appends to `out`; false when memory is out.
// Bytes as they are: frames, whole or in part. What the other side is owed (the answer to a Ping or
// a Close) waits while the last frame is incomplete.
bool jrpc_websocket_send_raw(jrpc_websocket *socket, jrpc_slice bytes);
// A message; `count` ascending offsets cut it into fragments.
bool jrpc_websocket_send(jrpc_websocket *socket, bool binary, jrpc_slice payload,
                         const size_t *offsets, size_t count);
// The same with a ping after the first fragment, if there is more than one.
bool jrpc_websocket_send_pinged(jrpc_websocket *socket, bool binary, jrpc_slice payload,
                                const size_t *offsets, size_t count);
bool jrpc_websocket_ping(jrpc_websocket *socket);
// The same message with a mask that a server's frames must not have, or with reserved bits.
bool jrpc_websocket_send_wrongly(jrpc_websocket *socket, jrpc_slice payload, bool masked,
                                 unsigned reserved_bits);
// A Close with that status code and reason, which is not read without a code; 0: without one.
bool jrpc_websocket_close(jrpc_websocket *socket, int code, jrpc_slice reason);

#endif
