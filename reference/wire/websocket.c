#include "reference/wire/websocket.h"

#include "reference/wire/close_frame.h"

#include <stdio.h>
#include <wslay/wslay.h>

enum {
    QUEUE_BYTES = 192 << 20,
    UNREAD_BYTES = 1 << 20,
};

// The data of our pings, as long as allowed. Some of it is not UTF-8: it is data, not text. A pong
// to a ping has the same data (section 5.5.3); an unsolicited pong need not.
#define PING_DATA                                                                                  \
    JRPC_SLICE("jrpcheck 0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ "        \
               "0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFG\0\x01\x80\xC3(\xFF")

typedef struct item {
    jrpc_websocket_event event;
    size_t at, len;
} item;

static ssize_t on_recv(wslay_event_context_ptr context, uint8_t *room, size_t len, int flags,
                       void *user)
{
    (void)flags;
    jrpc_websocket *socket = user;
    if (socket->input.len == 0) {
        wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    len = socket->input.len < len ? socket->input.len : len;
    memcpy(room, socket->input.ptr, len);
    socket->input = jrpc_slice_from(socket->input, len);
    return (ssize_t)len;
}

static ssize_t on_send(wslay_event_context_ptr context, const uint8_t *bytes, size_t len, int flags,
                       void *user)
{
    (void)flags;
    jrpc_websocket *socket = user;
    if (socket->out.len + socket->owed.len > UNREAD_BYTES) {
        return (ssize_t)len; // the other side pings and pings and does not read: it gets no pongs
    }
    jrpc_buffer *to = jrpc_frame_is_begun(&socket->place) ? &socket->owed : &socket->out;
    if (!jrpc_buffer_append(to, jrpc_slice_of((const char *)bytes, len))) {
        socket->failed = true;
        wslay_event_set_error(context, WSLAY_ERR_CALLBACK_FAILURE);
        return -1;
    }
    return (ssize_t)len;
}

static void fill_random(jrpc_websocket *socket, uint8_t *room, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        room[i] = (uint8_t)(jrpc_random_next(&socket->random) >> 56);
    }
}

static int on_mask(wslay_event_context_ptr context, uint8_t *room, size_t len, void *user)
{
    (void)context;
    fill_random(user, room, len);
    return 0;
}

static void add(jrpc_websocket *socket, jrpc_websocket_event event, jrpc_slice payload)
{
    if (socket->item_taken == socket->items.len) {
        jrpc_buffer_clear(&socket->items);
        jrpc_buffer_clear(&socket->messages);
        socket->item_taken = 0;
    }
    const item entry = {event, socket->messages.len, payload.len};
    bool kept =
        jrpc_buffer_append(&socket->messages, payload) &&
        jrpc_buffer_append(&socket->items, jrpc_slice_of((const char *)&entry, sizeof entry));
    socket->failed = socket->failed || !kept;
}

static void on_message(wslay_event_context_ptr context,
                       const struct wslay_event_on_msg_recv_arg *message, void *user)
{
    (void)context;
    jrpc_websocket *socket = user;
    jrpc_slice payload = {(const char *)message->msg, message->msg_length};
    switch (message->opcode) {
    case WSLAY_TEXT_FRAME:
        add(socket, JRPC_WEBSOCKET_TEXT, payload);
        break;
    case WSLAY_BINARY_FRAME:
        add(socket, JRPC_WEBSOCKET_BINARY, payload);
        break;
    case WSLAY_PONG:
        socket->pongs += jrpc_slice_equal(payload, PING_DATA) ? 1 : 0;
        add(socket, JRPC_WEBSOCKET_PONG, payload);
        break;
    case WSLAY_CONNECTION_CLOSE:
        socket->close_code =
            message->status_code == 0 ? WSLAY_CODE_NO_STATUS_RCVD : message->status_code;
        break;
    default:
        break; // a ping: answered by the library
    }
}

bool jrpc_websocket_init(jrpc_websocket *socket, bool client, size_t max_message, uint64_t seed,
                         const jrpc_allocator *allocator)
{
    static const struct wslay_event_callbacks callbacks = {
        .recv_callback = on_recv,
        .send_callback = on_send,
        .genmask_callback = on_mask,
        .on_msg_recv_callback = on_message,
    };
    *socket = (jrpc_websocket){.client = client, .unmask.of_client = !client};
    jrpc_random_init(&socket->random, seed);
    jrpc_buffer_init(&socket->out, allocator, QUEUE_BYTES);
    jrpc_buffer_init(&socket->owed, allocator, QUEUE_BYTES);
    jrpc_buffer_init(&socket->messages, allocator, QUEUE_BYTES);
    jrpc_buffer_init(&socket->items, allocator, QUEUE_BYTES);
    jrpc_buffer_init(&socket->plain, allocator, QUEUE_BYTES);
    int failure = client ? wslay_event_context_client_init(&socket->context, &callbacks, socket)
                         : wslay_event_context_server_init(&socket->context, &callbacks, socket);
    if (failure != 0) {
        return false;
    }
    wslay_event_config_set_max_recv_msg_length(socket->context, max_message);
    return true;
}

void jrpc_websocket_done(jrpc_websocket *socket)
{
    if (socket->context != NULL) {
        wslay_event_context_free(socket->context);
        socket->context = NULL;
    }
    jrpc_buffer_done(&socket->out);
    jrpc_buffer_done(&socket->owed);
    jrpc_buffer_done(&socket->messages);
    jrpc_buffer_done(&socket->items);
    jrpc_buffer_done(&socket->plain);
}

// Moves what the library wants to write into `out`.
static bool flush(jrpc_websocket *socket)
{
    return wslay_event_send(socket->context) == 0 && !socket->failed;
}

// The connection is over: what ended it.
static void note_close(jrpc_websocket *socket)
{
    socket->closed = true;
    if (jrpc_unmask_at_close(&socket->unmask)) {
        // The library refuses some bodies that are right and takes some that are not, in pieces.
        jrpc_slice body = jrpc_slice_of(socket->unmask.body, socket->unmask.body_len);
        socket->close_code = jrpc_close_code(body);
        socket->close_flaw = jrpc_close_flaw(body);
    } else if (socket->close_code == 0) {
        // What it did wrong is said by the close that the library has queued for it.
        socket->close_code = wslay_event_get_status_code_sent(socket->context);
        socket->broken = true;
    }
    add(socket, JRPC_WEBSOCKET_CLOSE, (jrpc_slice){NULL, 0});
}

// Takes bytes without masks.
static bool feed_plain(jrpc_websocket *socket, jrpc_slice bytes)
{
    socket->input = bytes;
    int failure = wslay_event_recv(socket->context);
    bool flushed = flush(socket);
    socket->input = (jrpc_slice){NULL, 0};
    if (failure == WSLAY_ERR_CALLBACK_FAILURE) {
        // Reading from memory cannot fail: bytes that are no frame come back as this, and the close
        // that the library has queued for them gives no reason.
        socket->close_code = WSLAY_CODE_PROTOCOL_ERROR;
        socket->broken = true;
    }
    if (wslay_event_get_read_enabled(socket->context) == 0) { // also after a Close
        note_close(socket);
    }
    return failure != WSLAY_ERR_NOMEM && flushed && !socket->failed;
}

// Takes the bytes of a client, which the library reads with their masks.
static bool feed_masked(jrpc_websocket *socket, jrpc_slice bytes)
{
    bool fed = true;
    while (fed && bytes.len > 0 && !socket->broken) {
        jrpc_slice before = bytes;
        jrpc_buffer_clear(&socket->plain);
        fed = jrpc_unmask_feed(&socket->unmask, &bytes, &socket->plain);
        before.len -= bytes.len;
        fed = fed && (socket->closed || feed_plain(socket, before));
    }
    return fed;
}

bool jrpc_websocket_feed(jrpc_websocket *socket, jrpc_slice bytes)
{
    if (!socket->client) {
        return feed_masked(socket, bytes);
    }
    bool fed = true;
    while (fed && bytes.len > 0 && !socket->broken) {
        // What comes after a Close is checked but not read.
        jrpc_buffer_clear(&socket->plain);
        fed = jrpc_unmask_feed(&socket->unmask, &bytes, &socket->plain) &&
              (socket->closed || feed_plain(socket, jrpc_buffer_slice(&socket->plain)));
    }
    return fed;
}

jrpc_websocket_event jrpc_websocket_next(jrpc_websocket *socket, jrpc_slice *ret_payload)
{
    if (jrpc_websocket_is_taken(socket)) {
        return JRPC_WEBSOCKET_NONE;
    }
    item entry;
    memcpy(&entry, socket->items.ptr + socket->item_taken, sizeof entry);
    socket->item_taken += sizeof entry;
    *ret_payload = (jrpc_slice){socket->messages.ptr + entry.at, entry.len};
    return entry.event;
}

bool jrpc_websocket_is_taken(const jrpc_websocket *socket)
{
    return socket->item_taken == socket->items.len;
}

bool jrpc_websocket_send_raw(jrpc_websocket *socket, jrpc_slice bytes)
{
    bool put = true;
    while (put && bytes.len > 0) {
        size_t len = jrpc_frame_advance(&socket->place, bytes);
        put = jrpc_buffer_append(&socket->out, jrpc_slice_of(bytes.ptr, len));
        if (put && !jrpc_frame_is_begun(&socket->place)) {
            put = jrpc_buffer_append(&socket->out, jrpc_buffer_slice(&socket->owed));
            jrpc_buffer_clear(&socket->owed);
        }
        bytes = jrpc_slice_from(bytes, len);
    }
    return put;
}

// One frame as it goes on the wire (section 5.2). The caller's frames are complete before it.
static bool put_frame(jrpc_websocket *socket, bool final, unsigned opcode, jrpc_slice payload)
{
    char head[JRPC_FRAME_HEAD_MAX];
    uint8_t mask[JRPC_FRAME_MASK_BYTES] = {0};
    bool masked = socket->client || socket->masks;
    size_t head_len =
        jrpc_frame_head_write(head, (final ? JRPC_FRAME_FINAL : 0u) | opcode, masked, payload.len);
    if (masked) {
        fill_random(socket, mask, sizeof mask);
        memcpy(head + head_len, mask, sizeof mask);
        head_len += sizeof mask;
    }
    char *room;
    if (!jrpc_buffer_append(&socket->out, jrpc_slice_of(head, head_len)) ||
        !jrpc_buffer_reserve(&socket->out, payload.len + 1, &room)) {
        socket->failed = true;
        return false;
    }
    for (size_t i = 0; i < payload.len; i++) {
        room[i] = (char)((uint8_t)payload.ptr[i] ^ mask[i % sizeof mask]);
    }
    jrpc_buffer_grew(&socket->out, payload.len);
    return true;
}

// A message in fragments, with a ping after the first of them if that is wanted.
static bool send_fragments(jrpc_websocket *socket, unsigned opcode, bool pinged, jrpc_slice payload,
                           const size_t *offsets, size_t count)
{
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        if (offsets[i] > begin && offsets[i] < payload.len) {
            if (!put_frame(socket, false, opcode,
                           jrpc_slice_of(payload.ptr + begin, offsets[i] - begin)) ||
                (pinged && begin == 0 && !jrpc_websocket_ping(socket))) {
                return false;
            }
            opcode = WSLAY_CONTINUATION_FRAME;
            begin = offsets[i];
        }
    }
    return put_frame(socket, true, opcode, jrpc_slice_from(payload, begin));
}

bool jrpc_websocket_send(jrpc_websocket *socket, bool binary, jrpc_slice payload,
                         const size_t *offsets, size_t count)
{
    return send_fragments(socket, binary ? WSLAY_BINARY_FRAME : WSLAY_TEXT_FRAME, false, payload,
                          offsets, count);
}

bool jrpc_websocket_send_pinged(jrpc_websocket *socket, bool binary, jrpc_slice payload,
                                const size_t *offsets, size_t count)
{
    return send_fragments(socket, binary ? WSLAY_BINARY_FRAME : WSLAY_TEXT_FRAME, true, payload,
                          offsets, count);
}

bool jrpc_websocket_send_wrongly(jrpc_websocket *socket, jrpc_slice payload, bool masked,
                                 unsigned reserved_bits)
{
    bool before = socket->masks;
    socket->masks = before || masked;
    bool put = put_frame(socket, true, reserved_bits | WSLAY_TEXT_FRAME, payload);
    socket->masks = before;
    return put;
}

bool jrpc_websocket_ping(jrpc_websocket *socket)
{
    return put_frame(socket, true, WSLAY_PING, PING_DATA);
}

bool jrpc_websocket_close(jrpc_websocket *socket, int code, jrpc_slice reason)
{
    return wslay_event_queue_close(socket->context, (uint16_t)code, (const uint8_t *)reason.ptr,
                                   code == 0 ? 0 : reason.len) == 0 &&
           flush(socket);
}
