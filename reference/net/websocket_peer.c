#include "reference/net/websocket_peer.h"

#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/websocket_forms.h"

#include <errno.h>
#include <string.h>

enum {
    CODE_NORMAL = 1000,
    CODE_PROTOCOL = 1002,
    END_US = 2000000, // how long after the closing handshake the other side may take to end TCP
};

static jrpc_websocket_peer *of(jrpc_peer *peer)
{
    return (jrpc_websocket_peer *)peer; // `peer` is the first member
}

static bool is_over(const jrpc_websocket_peer *self)
{
    return self->ended || self->refused || self->wire.closed;
}

static jrpc_peer_event no_memory(jrpc_error *error)
{
    (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for messages");
    return JRPC_PEER_FAULT;
}

bool jrpc_websocket_peer_take(jrpc_websocket_peer *self, jrpc_slice bytes)
{
    return self->handshaken ? jrpc_websocket_feed(&self->wire, bytes)
                            : self->link->shake(self, bytes);
}

// Reads what is there. False when nothing was.
static bool read_some(jrpc_websocket_peer *self, jrpc_peer_event *ret_event, jrpc_error *error)
{
    ptrdiff_t got = self->link->read(self, self->piece, sizeof self->piece);
    if (got == JRPC_WEBSOCKET_WAIT) {
        return false;
    }
    if (got < 0) {
        self->ended = true;
        self->reset = got == JRPC_WEBSOCKET_BROKEN;
    } else if (!jrpc_websocket_peer_take(self, jrpc_slice_of(self->piece, (size_t)got))) {
        *ret_event = no_memory(error);
    }
    return true;
}

// Writes what is waiting and the other side takes at this moment.
static void write_some(jrpc_websocket_peer *self)
{
    jrpc_buffer *out = &self->wire.out;
    while (out->len > 0) {
        ptrdiff_t put = self->link->write(self, jrpc_buffer_slice(out));
        if (put == JRPC_WEBSOCKET_WAIT) {
            return;
        }
        if (put < 0) {
            self->reset = true;
            jrpc_buffer_clear(out); // what it said before it left is still to be read
            return;
        }
        jrpc_buffer_consume(out, (size_t)put);
    }
}

jrpc_peer_event jrpc_websocket_peer_turn(jrpc_websocket_peer *self, int64_t deadline_us,
                                         jrpc_error *error)
{
    jrpc_peer_event event = JRPC_PEER_MESSAGE;
    size_t before = self->wire.out.len;
    write_some(self);
    bool moved = self->wire.out.len < before;
    // TLS may hold bytes that poll does not see: reading comes first, and poll when there are none.
    if (!self->ended && read_some(self, &event, error)) {
        write_some(self); // what they are owed: the answer to a handshake, a ping, a close
        moved = true;
    }
    if (moved) {
        return event;
    }
    struct pollfd entries[2] = {
        {.fd = self->socket, .events = (short)(POLLIN | (self->wire.out.len > 0 ? POLLOUT : 0))},
        {.fd = self->endpoint.interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, self->endpoint.clock, deadline_us);
    if (ready < 0) {
        (void)jrpc_error_set_errno(error, errno, "cannot wait for the peer");
        return JRPC_PEER_FAULT;
    }
    if (entries[1].revents != 0) {
        return JRPC_PEER_INTERRUPTED;
    }
    return ready == 0 ? JRPC_PEER_TIMEOUT : JRPC_PEER_MESSAGE;
}

static int64_t now_us(const jrpc_websocket_peer *self)
{
    return jrpc_clock_now_us(self->endpoint.clock);
}

// The same until the deadline: something always moves where the other side pings and pings.
static jrpc_peer_event turn_in_time(jrpc_websocket_peer *self, int64_t deadline_us,
                                    jrpc_error *error)
{
    jrpc_peer_event event = jrpc_websocket_peer_turn(self, deadline_us, error);
    return event == JRPC_PEER_MESSAGE && now_us(self) > deadline_us ? JRPC_PEER_TIMEOUT : event;
}

static jrpc_peer_event flush(jrpc_websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    write_some(self);
    while (self->wire.out.len > 0) {
        if (is_over(self)) {
            return JRPC_PEER_ENDED;
        }
        jrpc_peer_event event = turn_in_time(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event send_fragments(jrpc_peer *peer, bool binary, jrpc_slice payload,
                                      const size_t *offsets, size_t count, int64_t deadline_us,
                                      jrpc_error *error)
{
    jrpc_websocket_peer *self = of(peer);
    if (is_over(self) || !self->handshaken) {
        return JRPC_PEER_ENDED;
    }
    return jrpc_websocket_send(&self->wire, binary, payload, offsets, count)
               ? flush(self, deadline_us, error)
               : no_memory(error);
}

static jrpc_peer_event peer_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                                 jrpc_error *error)
{
    return send_fragments(peer, false, payload, NULL, 0, deadline_us, error);
}

// Whether the pongs that are owed came; what else comes meanwhile stays in line.
static jrpc_peer_event await_pong(jrpc_websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    while (self->wire.pongs < self->pings && !is_over(self)) {
        jrpc_peer_event event = turn_in_time(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event ping(jrpc_websocket_peer *self, int64_t deadline_us, jrpc_error *error)
{
    self->pings++;
    if (!jrpc_websocket_ping(&self->wire)) {
        return no_memory(error);
    }
    // A client that was pinged may be busy with what it asks: nobody waits for its pong.
    return self->wire.client ? await_pong(self, deadline_us, error) : JRPC_PEER_MESSAGE;
}

static jrpc_peer_event peer_send_as(jrpc_peer *peer, jrpc_slice payload, const jrpc_manner *manner,
                                    int64_t deadline_us, jrpc_error *error)
{
    jrpc_websocket_peer *self = of(peer);
    if (is_over(self) || !self->handshaken) {
        return JRPC_PEER_ENDED;
    }
    if (manner->close) {
        self->closing = true;
        return jrpc_websocket_close(&self->wire, (int)manner->close_code, payload)
                   ? flush(self, deadline_us, error)
                   : no_memory(error);
    }
    if (manner->form != NULL) {
        const jrpc_websocket_form *form = manner->form;
        return jrpc_websocket_send_raw(&self->wire,
                                       jrpc_slice_of(form->before, form->before_len)) &&
                       jrpc_websocket_send_wrongly(&self->wire, payload, form->masked,
                                                   form->reserved_bits)
                   ? flush(self, deadline_us, error)
                   : no_memory(error);
    }
    if (manner->ping && manner->piece_count > 0 && manner->pieces[0] < payload.len) {
        self->pings++;
        bool put = jrpc_websocket_send_pinged(&self->wire, manner->binary, payload, manner->pieces,
                                              manner->piece_count);
        jrpc_peer_event sent = put ? flush(self, deadline_us, error) : no_memory(error);
        return sent == JRPC_PEER_MESSAGE && self->wire.client ? await_pong(self, deadline_us, error)
                                                              : sent;
    }
    jrpc_peer_event event = manner->ping ? ping(self, deadline_us, error) : JRPC_PEER_MESSAGE;
    return event == JRPC_PEER_MESSAGE
               ? send_fragments(peer, manner->binary, payload, manner->pieces, manner->piece_count,
                                deadline_us, error)
               : event;
}

static jrpc_peer_event peer_send_raw(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                     jrpc_error *error)
{
    jrpc_websocket_peer *self = of(peer);
    if (is_over(self)) {
        return JRPC_PEER_ENDED;
    }
    return jrpc_websocket_send_raw(&self->wire, bytes) ? flush(self, deadline_us, error)
                                                       : no_memory(error);
}

static jrpc_peer_event peer_send_chunks(jrpc_peer *peer, jrpc_slice payload, const size_t *offsets,
                                        size_t count, int64_t deadline_us, jrpc_error *error)
{
    return send_fragments(peer, false, payload, offsets, count, deadline_us, error);
}

// Sets `flaw` and `flaw_of` to what the other side did wrong at the end of the connection; false:
// nothing.
static bool find_flaw_of_end(const jrpc_websocket_peer *self, jrpc_received *received)
{
    const jrpc_websocket *wire = &self->wire;
    if (wire->close_flaw != NULL) {
        received->flaw = wire->close_flaw;
        received->flaw_of = JRPC_FLAW_CLOSE;
    } else if (wire->unmask.flaw != NULL) {
        received->flaw = wire->unmask.flaw;
        received->flaw_of = wire->broken ? JRPC_FLAW_BREAK : JRPC_FLAW_FRAME;
    } else if (self->lingers) {
        received->flaw = "the server does not close TCP after the closing handshake (RFC 6455, "
                         "section 5.5.1)";
        received->flaw_of = JRPC_FLAW_END;
    }
    return received->flaw != NULL;
}

// Reports once what the other side did wrong, if that ended the connection or came with its end.
static bool report_breach(jrpc_websocket_peer *self, jrpc_received *ret_received)
{
    // The time allowed for closing TCP does not count as time that the Close took.
    jrpc_received breach = {.at_us = self->lingers ? self->end_by_us - END_US : now_us(self)};
    breach.why = find_flaw_of_end(self, &breach) ? breach.flaw : self->link->breach(self);
    if (breach.why == NULL || self->told) {
        return false;
    }
    self->told = true;
    if (self->refused) {
        breach.flaw = self->handshake_flaw;
        breach.flaw_of = self->handshake_flaw_of;
        breach.bytes = jrpc_buffer_slice(&self->head);
        breach.true_len = self->head.len;
    }
    *ret_received = breach;
    return true;
}

static void give(jrpc_websocket_peer *self, bool binary, jrpc_slice payload,
                 jrpc_received *ret_received)
{
    *ret_received =
        (jrpc_received){.bytes = payload, .true_len = payload.len, .at_us = now_us(self)};
    const char *of_frame = self->wire.unmask.flaw;
    ret_received->flaw = of_frame != NULL ? of_frame : self->handshake_flaw;
    ret_received->flaw_of = of_frame != NULL ? JRPC_FLAW_FRAME : self->handshake_flaw_of;
    self->wire.unmask.flaw = NULL; // it is reported
    if (binary && !self->wire.client) {
        ret_received->http_headers = JRPC_SLICE("binary");
    }
}

// Whether our closing handshake is complete and the other side still has to close TCP.
static bool is_ending(jrpc_websocket_peer *self)
{
    bool ending = self->wire.client && self->closing && self->wire.closed && !self->wire.broken &&
                  !self->ended;
    if (ending && self->end_by_us == 0) {
        self->end_by_us = now_us(self) + END_US;
    }
    self->lingers = ending && now_us(self) >= self->end_by_us;
    return ending && !self->lingers;
}

// Ends a connection that a client has to fail (RFC 6455, section 7.1.7).
static void fail_connection(jrpc_websocket_peer *self)
{
    if (!self->wire.closed &&
        jrpc_websocket_close(&self->wire, CODE_PROTOCOL, (jrpc_slice){NULL, 0})) {
        write_some(self);
    }
    self->ended = true;
}

// Whatever arrives on a connection that the client had to fail is not taken for a message.
static jrpc_peer_event look_at_welcome(const jrpc_websocket_peer *self, jrpc_received *received)
{
    const char *flaw = jrpc_websocket_welcome_flaw(self->endpoint.welcome, &received->flaw_of);
    if (flaw == NULL) {
        return JRPC_PEER_MESSAGE;
    }
    received->flaw = received->why = flaw;
    return JRPC_PEER_NOISE;
}

static jrpc_peer_event peer_receive(jrpc_peer *peer, int64_t deadline_us,
                                    jrpc_received *ret_received, jrpc_error *error)
{
    jrpc_websocket_peer *self = of(peer);
    bool late = false;
    for (;;) {
        jrpc_slice payload = {NULL, 0};
        jrpc_websocket_event event =
            self->handshaken ? jrpc_websocket_next(&self->wire, &payload) : JRPC_WEBSOCKET_NONE;
        switch (event) {
        case JRPC_WEBSOCKET_TEXT:
        case JRPC_WEBSOCKET_BINARY:
            if (self->endpoint.strict && self->wire.unmask.flaw != NULL) {
                fail_connection(self);
                return JRPC_PEER_ENDED;
            }
            give(self, event == JRPC_WEBSOCKET_BINARY, payload, ret_received);
            return look_at_welcome(self, ret_received);
        case JRPC_WEBSOCKET_PONG:
            continue;
        case JRPC_WEBSOCKET_CLOSE:
        case JRPC_WEBSOCKET_NONE:
            break;
        }
        if (is_over(self) && !is_ending(self)) {
            write_some(self); // our half of the closing handshake, or the refusal
            return report_breach(self, ret_received) ? JRPC_PEER_NOISE : JRPC_PEER_ENDED;
        }
        if (late) {
            return JRPC_PEER_TIMEOUT; // also where it goes on writing what is not a message
        }
        // Closing TCP may take longer than the deadline, because everything that the caller
        // needs has come.
        bool ending = is_ending(self);
        late = !ending && now_us(self) >= deadline_us;
        jrpc_peer_event moved =
            jrpc_websocket_peer_turn(self, ending ? self->end_by_us : deadline_us, error);
        if (moved != JRPC_PEER_MESSAGE && !(ending && moved == JRPC_PEER_TIMEOUT)) {
            return moved;
        }
    }
}

static const char *peer_debt(const jrpc_peer *peer, jrpc_flaw *ret_of)
{
    const jrpc_websocket_peer *self = (const jrpc_websocket_peer *)peer;
    bool pong = self->wire.pongs < self->pings && !self->wire.closed && !self->ended;
    *ret_of = pong ? JRPC_FLAW_PONG : JRPC_FLAW_CLOSE;
    return pong ? "a Ping is not answered with a Pong that has its data (RFC 6455, section 5.5.3)"
           : self->closing && !self->wire.closed && !self->reset // a reset may overtake a Close
               ? "a Close is not answered with a Close (RFC 6455, section 5.5.1)"
               : NULL;
}

static void peer_set_interrupt(jrpc_peer *peer, int interrupt_fd)
{
    of(peer)->endpoint.interrupt_fd = interrupt_fd;
}

static void peer_close_write(jrpc_peer *peer)
{
    jrpc_websocket_peer *self = of(peer);
    if (self->handshaken && !is_over(self) &&
        jrpc_websocket_close(&self->wire, CODE_NORMAL, (jrpc_slice){NULL, 0})) {
        write_some(self);
    }
}

static void peer_close_hard(jrpc_peer *peer)
{
    jrpc_descriptor_reset_when_closed(of(peer)->socket);
}

static jrpc_peer_ending peer_end(jrpc_peer *peer, int64_t deadline_us)
{
    (void)deadline_us;
    const jrpc_websocket_peer *self = of(peer);
    if (self->wire.closed) {
        return (jrpc_peer_ending){JRPC_END_WS_CLOSE, self->wire.close_code};
    }
    return (jrpc_peer_ending){self->reset                    ? JRPC_END_RESET
                              : self->ended || self->refused ? JRPC_END_CLOSED
                                                             : JRPC_END_OPEN,
                              0};
}

static void peer_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    (void)peer;
    (void)out;
}

// On a client's end poll alone is not enough: see jrpc_websocket_peer_turn.
static int peer_descriptor(const jrpc_peer *peer)
{
    const jrpc_websocket_peer *self = (const jrpc_websocket_peer *)peer;
    return self->wire.client ? -1 : self->socket;
}

static void peer_close(jrpc_peer *peer, int64_t grace_ms)
{
    (void)grace_ms;
    jrpc_websocket_peer *self = of(peer);
    peer_close_write(peer);
    self->link->close(self);
    jrpc_websocket_done(&self->wire);
    jrpc_buffer_done(&self->head);
    jrpc_deallocate(self->endpoint.allocator, self);
}

static const jrpc_peer_operations operations = {
    .send = peer_send,
    .set_interrupt = peer_set_interrupt,
    .send_as = peer_send_as,
    .debt = peer_debt,
    .send_raw = peer_send_raw,
    .send_chunks = peer_send_chunks,
    .receive = peer_receive,
    .close_write = peer_close_write,
    .close_hard = peer_close_hard,
    .end = peer_end,
    .stderr_tail = peer_stderr_tail,
    .descriptor = peer_descriptor,
    .close = peer_close,
};

jrpc_websocket_peer *jrpc_websocket_peer_new(const jrpc_endpoint *endpoint, bool client, int socket,
                                             const jrpc_websocket_link *link, jrpc_error *error)
{
    jrpc_websocket_peer *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        (void)no_memory(error);
        return NULL;
    }
    memset(self, 0, offsetof(jrpc_websocket_peer, piece));
    self->peer.operations = &operations;
    self->link = link;
    self->endpoint = *endpoint;
    self->socket = socket;
    jrpc_buffer_init(&self->head, endpoint->allocator, JRPC_LIMIT_HEADER_BYTES * 4);
    size_t max_message =
        endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES : endpoint->max_message;
    if (!jrpc_websocket_init(&self->wire, client, max_message, client ? jrpc_random_seed() : 0,
                             endpoint->allocator)) {
        (void)no_memory(error);
        jrpc_websocket_done(&self->wire);
        jrpc_deallocate(endpoint->allocator, self);
        return NULL;
    }
    return self;
}
