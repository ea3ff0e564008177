// A peer: one connection to another JSON-RPC endpoint, whatever carries it.
//
// One interface over child process, TCP and Unix socket, HTTP and WebSocket: open, send a message,
// receive until a deadline, close one half, ask how it ended. Calls block, each with a deadline;
// sending reads at the same time, so two sides that both write never lock.
#ifndef JRPC_NET_PEER_H
#define JRPC_NET_PEER_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/net/ending.h"
#include "reference/net/endpoint.h"
#include "reference/net/flaw.h"
#include "reference/net/manner.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jrpc_peer jrpc_peer;

typedef enum jrpc_peer_event {
    JRPC_PEER_MESSAGE,     // one message
    JRPC_PEER_NOISE,       // bytes that are no frame (a log line before a header): evidence
    JRPC_PEER_SILENT,      // the transport proves that nothing more comes for what was sent (HTTP)
    JRPC_PEER_ENDED,       // the other side closed or is gone: ask jrpc_peer_end
    JRPC_PEER_TIMEOUT,     // the deadline passed
    JRPC_PEER_INTERRUPTED, // interrupt_fd became readable
    JRPC_PEER_FAULT,       // our own failure (memory): *error says
} jrpc_peer_event;

// One received message; borrowed until the next call on the peer.
typedef struct jrpc_received {
    jrpc_slice bytes;
    int64_t at_us;   // when its last byte arrived, on the endpoint's clock
    const char *why; // for NOISE: what is wrong with it
    // for MESSAGE: what the server broke before or with it, though it can be read; for NOISE: the
    // same as `why` if WebSocket has a sentence against it; NULL: nothing
    const char *flaw;
    jrpc_flaw flaw_of; // where there is one
    // More than bytes.len when it was cut at max_message. For TIMEOUT: how many bytes have come of
    // a message that is not whole yet, where the transport knows.
    size_t true_len;
    // 0 where there is none; filled for SILENT, and for TIMEOUT where an answer has begun and not
    // ended
    int http_status;
    jrpc_slice http_headers; // raw header block
    bool http_reused;        // the exchange before this one went over the same connection
    // The server closed the connection after the answer, as it was asked to; and more bytes came
    // before that than the answer has (JRPC_BYTES_CLOSE, _HEAD and _OLD).
    bool http_closed, http_surplus;
    bool http_early; // an answer, or "100 Continue", came before the body (JRPC_BYTES_EXPECT)
    // How the server closed the connection of JRPC_BYTES_MANY before the last request; NULL: it did
    // not close it, or announced that.
    const char *http_left;
    bool http_marked; // for SILENT: the stream of events ended with [DONE]
} jrpc_received;

// Opens a connection (starts the child, connects). NULL with SYSTEM, TIMEOUT, CLOSED, INTERRUPTED
// or USAGE; the message names the target and a remedy. Owned: close with jrpc_peer_close.
jrpc_peer *jrpc_peer_open(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error);
// Makes a peer of a connected socket, such as one that was accepted: it is spoken to in the
// endpoint's framing, wherever the endpoint may be. The descriptor is taken, also on failure. NULL
// with MEMORY or SYSTEM. Owned like one that was opened.
jrpc_peer *jrpc_peer_adopt(const jrpc_endpoint *endpoint, int descriptor, jrpc_error *error);
// Frames and sends one message. MESSAGE when all of it was handed over; else ENDED (the other side
// stopped reading for good), TIMEOUT (not all bytes were taken), INTERRUPTED, FAULT. Messages that
// arrive meanwhile wait in an inbox (bounded by JRPC_LIMIT_INBOX_BYTES, then reading stops).
jrpc_peer_event jrpc_peer_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                               jrpc_error *error);
// The same in another manner; a transport takes of it what it knows.
jrpc_peer_event jrpc_peer_send_as(jrpc_peer *peer, jrpc_slice payload, const jrpc_manner *manner,
                                  int64_t deadline_us, jrpc_error *error);
// Takes other headers from the next message on (NULL-terminated, borrowed until the peer is closed
// or gets others). Of effect over HTTP only.
void jrpc_peer_set_headers(jrpc_peer *peer, const char *const *headers);
// Another descriptor that ends every blocking call once it is readable, in the place of the
// endpoint's interrupt_fd; -1: none. So that waiting can be interrupted, and sending not.
void jrpc_peer_set_interrupt(jrpc_peer *peer, int interrupt_fd);
// Opens the stream of events at the endpoint's events_url, beside the exchanges; its events come as
// messages of this peer. It is opened again before the next message when the other side ends it.
// MESSAGE; else FAULT (with *error: a refusal is named by its status) or INTERRUPTED. A server that
// does not say within two seconds whether it offers the stream is taken to do so. Of effect over
// HTTP only.
jrpc_peer_event jrpc_peer_listen(jrpc_peer *peer, int64_t deadline_us, jrpc_error *error);
// Sends bytes as they are, without framing. Over HTTP, which has no such thing, a message of its
// own.
jrpc_peer_event jrpc_peer_send_raw(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                   jrpc_error *error);
// Sends one framed message in pieces: after each offset (ascending, counted in the framed bytes if
// `count` offsets are given) the piece is flushed and the other side given the chance to read it.
jrpc_peer_event jrpc_peer_send_chunks(jrpc_peer *peer, jrpc_slice payload, const size_t *offsets,
                                      size_t count, int64_t deadline_us, jrpc_error *error);
// The next message, or what happened instead. Messages that arrived before an end are delivered
// before ENDED. Over HTTP, SILENT comes (again and again) while no exchange is under way, with the
// status and the headers of the last one; once only while a stream of events is open, which may
// bring more.
jrpc_peer_event jrpc_peer_receive(jrpc_peer *peer, int64_t deadline_us, jrpc_received *ret_received,
                                  jrpc_error *error);
// Says that we send no more (closes the child's stdin, shuts the socket's write side down).
void jrpc_peer_close_write(jrpc_peer *peer);
// Lets the next jrpc_peer_close break the connection off: what has not been sent or read is lost,
// and the other side sees a reset. Of effect on sockets, whatever they carry.
void jrpc_peer_close_hard(jrpc_peer *peer);
// How it ended; waits until the deadline for a child behind a closed stream to be reaped.
jrpc_peer_ending jrpc_peer_end(jrpc_peer *peer, int64_t deadline_us);
// What the other side still has to send because of the protocol of the transport, in words: the
// answer to a Ping or a Close. *ret_of is what it concerns. NULL: nothing.
const char *jrpc_peer_debt(const jrpc_peer *peer, jrpc_flaw *ret_of);
// Appends the end of a child's stderr.
void jrpc_peer_stderr_tail(jrpc_peer *peer, jrpc_buffer *out);
// The id of the process on the other side if it is a child of ours; else 0.
int64_t jrpc_peer_process(const jrpc_peer *peer);
// For poll, by whoever waits for several peers: readable when something may have come, so that
// jrpc_peer_receive has to be asked (until TIMEOUT); -1 where the transport has no such thing.
int jrpc_peer_descriptor(const jrpc_peer *peer);
// Closes and frees; a child is ended with `grace_ms` for each stage (see jrpc_process_free). NULL
// ok.
void jrpc_peer_close(jrpc_peer *peer, int64_t grace_ms);

#endif
