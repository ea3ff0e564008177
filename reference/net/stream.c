// Peers over a byte stream: a child's pipes, a TCP or a Unix socket.
#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"
#include "reference/net/inbox.h"
#include "reference/net/peer_private.h"
#include "reference/net/process.h"
#include "reference/net/socket.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READ_BYTES = 64 << 10,
    // How long a piece of a message may wait to be read by the other side before the next follows.
    PIECE_WAIT_US = 20000,
    PIECE_STEP_US = 1000,
    // How long a child that has ended may leave its end of the pipe open without anything coming:
    // somebody else holds it, or is about to go on in its place.
    LEFT_WAIT_US = 250000,
};

typedef struct stream {
    jrpc_peer peer;
    const jrpc_allocator *allocator;
    const jrpc_clock *clock;
    int interrupt_fd;
    jrpc_framing framing;
    jrpc_process *process; // NULL for sockets
    int socket;            // -1 for children
    jrpc_inbox inbox;
    jrpc_buffer outgoing;
    jrpc_error noise; // why the last received bytes are no frame
    bool reset;       // the other side broke the connection or closed its reading end
    int64_t left_us;  // when the child was seen to have ended, or when it last wrote after that
    uint64_t told;    // bytes that had arrived when something was last handed out
    char piece[READ_BYTES];
} stream;

static stream *of(jrpc_peer *peer)
{
    return (stream *)peer; // `peer` is the first member
}

static int reading_end(const stream *self)
{
    return self->process != NULL ? jrpc_process_stdout(self->process) : self->socket;
}

static int writing_end(const stream *self)
{
    return self->process != NULL ? jrpc_process_stdin(self->process) : self->socket;
}

// Reads one piece that poll said is there. False without memory.
static bool take_piece(stream *self, jrpc_error *error)
{
    ssize_t got = read(reading_end(self), self->piece, sizeof self->piece);
    if (got > 0) {
        if (!jrpc_inbox_add(&self->inbox, jrpc_slice_of(self->piece, (size_t)got),
                            jrpc_clock_now_us(self->clock))) {
            return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for received messages");
        }
        if (self->left_us != 0) {
            self->left_us = jrpc_clock_now_us(self->clock);
        }
    } else if (got == 0) {
        jrpc_inbox_end(&self->inbox);
    } else if (errno != EAGAIN && errno != EINTR) {
        self->reset = true;
        jrpc_inbox_end(&self->inbox);
    }
    return true;
}

// Writes what the other side takes at this moment. False once it takes nothing any more.
static bool put_piece(stream *self, jrpc_slice *left)
{
    ssize_t put = self->process != NULL
                      ? write(jrpc_process_stdin(self->process), left->ptr, left->len)
                      : send(self->socket, left->ptr, left->len, MSG_NOSIGNAL);
    if (put >= 0) {
        *left = jrpc_slice_from(*left, (size_t)put);
    } else if (errno != EAGAIN && errno != EINTR) {
        self->reset = true;
        return false;
    }
    return true;
}

// One poll: reads, and writes if `left` is not NULL. MESSAGE when something moved.
static jrpc_peer_event turn(stream *self, jrpc_slice *left, int64_t deadline_us, jrpc_error *error)
{
    bool reads = !self->inbox.ended && jrpc_inbox_has_room(&self->inbox);
    bool watches = self->process != NULL && self->left_us == 0;
    struct pollfd entries[4] = {
        {.fd = self->interrupt_fd, .events = POLLIN},
        {.fd = reads ? reading_end(self) : -1, .events = POLLIN},
        {.fd = left != NULL ? writing_end(self) : -1, .events = POLLOUT},
        {.fd = watches ? jrpc_process_ended(self->process) : -1, .events = POLLIN},
    };
    int ready = jrpc_descriptor_poll(entries, 4, self->clock, deadline_us);
    if (ready < 0) {
        (void)jrpc_error_set_errno(error, errno, "cannot wait for the peer");
        return JRPC_PEER_FAULT;
    }
    if (entries[0].revents != 0) {
        return JRPC_PEER_INTERRUPTED;
    }
    if (ready == 0) {
        return JRPC_PEER_TIMEOUT;
    }
    if (entries[1].revents != 0 && !take_piece(self, error)) {
        return JRPC_PEER_FAULT;
    }
    if (left != NULL && entries[2].revents != 0 && !put_piece(self, left)) {
        return JRPC_PEER_ENDED;
    }
    if (entries[3].revents != 0) {
        self->left_us = jrpc_clock_now_us(self->clock);
    }
    return JRPC_PEER_MESSAGE;
}

// Waits for something to read. A child that has ended and whose pipe nobody writes to any more has
// ended the stream too, although a process that it left behind may hold the pipe open for ever.
static jrpc_peer_event turn_to_read(stream *self, int64_t deadline_us, jrpc_error *error)
{
    int64_t until = self->left_us == 0 ? JRPC_DEADLINE_NEVER : self->left_us + LEFT_WAIT_US;
    jrpc_peer_event event = turn(self, NULL, until < deadline_us ? until : deadline_us, error);
    if (event == JRPC_PEER_TIMEOUT && until <= jrpc_clock_now_us(self->clock)) {
        jrpc_inbox_end(&self->inbox);
        return JRPC_PEER_MESSAGE;
    }
    return event;
}

// Whether so many bytes came since something was handed out that the decoder must be throwing them
// away: that is told from time to time, so that nobody listens to an endless line without knowing.
static bool skips(stream *self, jrpc_received *ret_received)
{
    uint64_t skipped = self->inbox.arrived - self->told;
    if (skipped <= self->inbox.decoder.max_message + READ_BYTES) {
        return false;
    }
    self->told = self->inbox.arrived;
    *ret_received = (jrpc_received){.true_len = (size_t)skipped,
                                    .at_us = jrpc_clock_now_us(self->clock),
                                    .why = "bytes without end that belong to no message"};
    return true;
}

static jrpc_peer_event stream_send_raw(jrpc_peer *peer, jrpc_slice bytes, int64_t deadline_us,
                                       jrpc_error *error)
{
    stream *self = of(peer);
    while (bytes.len > 0) {
        if (writing_end(self) < 0) {
            return JRPC_PEER_ENDED;
        }
        jrpc_peer_event event = turn(self, &bytes, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
    return JRPC_PEER_MESSAGE;
}

static bool frame(stream *self, jrpc_slice payload, jrpc_error *error)
{
    jrpc_buffer_clear(&self->outgoing);
    if (jrpc_framing_encode(self->framing, payload, &self->outgoing)) {
        return true;
    }
    return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to send a message of %zu bytes",
                          payload.len);
}

static jrpc_peer_event stream_send(jrpc_peer *peer, jrpc_slice payload, int64_t deadline_us,
                                   jrpc_error *error)
{
    stream *self = of(peer);
    if (!frame(self, payload, error)) {
        return JRPC_PEER_FAULT;
    }
    return stream_send_raw(peer, jrpc_buffer_slice(&self->outgoing), deadline_us, error);
}

// Bytes that we wrote and the other side has not taken, as far as the system tells.
static size_t unread(const stream *self)
{
    if (self->process == NULL) {
        return jrpc_os_unacknowledged(self->socket);
    }
    int bytes = 0;
    int input = jrpc_process_stdin(self->process);
    return input >= 0 && ioctl(input, FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

// Lets the other side read a piece on its own. That cannot be known for sure (TCP tells only that
// its kernel has it), so the last step is a short timed wait: here time is the subject.
static jrpc_peer_event let_read(stream *self, int64_t deadline_us, jrpc_error *error)
{
    int64_t until = jrpc_clock_now_us(self->clock) + PIECE_WAIT_US;
    until = until < deadline_us ? until : deadline_us;
    jrpc_peer_event event = JRPC_PEER_TIMEOUT;
    do {
        int64_t step = jrpc_clock_now_us(self->clock) + PIECE_STEP_US;
        do {
            event = turn(self, NULL, step < until ? step : until, error);
        } while (event == JRPC_PEER_MESSAGE && !self->inbox.ended);
    } while (event == JRPC_PEER_TIMEOUT && unread(self) > 0 &&
             jrpc_clock_now_us(self->clock) < until);
    return event == JRPC_PEER_TIMEOUT ? JRPC_PEER_MESSAGE : event;
}

static jrpc_peer_event stream_send_chunks(jrpc_peer *peer, jrpc_slice payload,
                                          const size_t *offsets, size_t count, int64_t deadline_us,
                                          jrpc_error *error)
{
    stream *self = of(peer);
    if (!frame(self, payload, error)) {
        return JRPC_PEER_FAULT;
    }
    size_t begin = 0;
    for (size_t i = 0; i <= count; i++) {
        size_t end = i < count && offsets[i] < self->outgoing.len ? offsets[i] : self->outgoing.len;
        if (end <= begin) {
            continue;
        }
        jrpc_peer_event event = stream_send_raw(
            peer, jrpc_slice_of(self->outgoing.ptr + begin, end - begin), deadline_us, error);
        if (event == JRPC_PEER_MESSAGE && end < self->outgoing.len) {
            event = let_read(self, deadline_us, error);
        }
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
        begin = end;
    }
    return JRPC_PEER_MESSAGE;
}

static jrpc_peer_event stream_receive(jrpc_peer *peer, int64_t deadline_us,
                                      jrpc_received *ret_received, jrpc_error *error)
{
    stream *self = of(peer);
    // Past the deadline is looked once at what is there, and no longer at what still comes: a peer
    // that writes without end would be read for ever.
    bool late = false;
    for (;;) {
        jrpc_received received = {.why = NULL};
        jrpc_error_clear(&self->noise);
        jrpc_inbox_state state =
            jrpc_inbox_next(&self->inbox, &received.bytes, &received.at_us, &self->noise);
        switch (state) {
        case JRPC_INBOX_MESSAGE:
        case JRPC_INBOX_NOISE:
            received.true_len = received.bytes.len;
            received.why = state == JRPC_INBOX_NOISE ? self->noise.message : NULL;
            received.flaw = state == JRPC_INBOX_NOISE ? NULL : self->inbox.decoder.flaw;
            self->told = self->inbox.arrived;
            *ret_received = received;
            return state == JRPC_INBOX_MESSAGE ? JRPC_PEER_MESSAGE : JRPC_PEER_NOISE;
        case JRPC_INBOX_ENDED:
            return JRPC_PEER_ENDED;
        case JRPC_INBOX_FAULT:
            (void)jrpc_error_set(error, self->noise.code, "%s", self->noise.message);
            return JRPC_PEER_FAULT;
        case JRPC_INBOX_EMPTY:
            break;
        }
        if (skips(self, ret_received)) {
            return JRPC_PEER_NOISE;
        }
        *ret_received = (jrpc_received){.true_len = (size_t)(self->inbox.arrived - self->told)};
        if (late) {
            return JRPC_PEER_TIMEOUT;
        }
        late = jrpc_clock_now_us(self->clock) >= deadline_us;
        jrpc_peer_event event = turn_to_read(self, deadline_us, error);
        if (event != JRPC_PEER_MESSAGE) {
            return event;
        }
    }
}

static void stream_set_interrupt(jrpc_peer *peer, int interrupt_fd)
{
    of(peer)->interrupt_fd = interrupt_fd;
}

static void stream_close_write(jrpc_peer *peer)
{
    stream *self = of(peer);
    if (self->process != NULL) {
        jrpc_process_close_stdin(self->process);
    } else {
        (void)shutdown(self->socket, SHUT_WR);
    }
}

static jrpc_peer_ending stream_end(jrpc_peer *peer, int64_t deadline_us)
{
    stream *self = of(peer);
    bool broken = self->reset || self->inbox.ended;
    if (self->process != NULL) {
        // A child that still talks is only looked at; one that fell silent for good is waited for.
        struct pollfd entries[2] = {{.fd = jrpc_process_ended(self->process), .events = POLLIN},
                                    {.fd = self->interrupt_fd, .events = POLLIN}};
        (void)jrpc_descriptor_poll(entries, 2, self->clock,
                                   broken ? deadline_us : jrpc_clock_now_us(self->clock));
        int value = 0;
        switch (
            jrpc_process_wait(self->process, self->clock, jrpc_clock_now_us(self->clock), &value)) {
        case JRPC_PROCESS_EXITED:
            return (jrpc_peer_ending){JRPC_END_EXITED, value};
        case JRPC_PROCESS_SIGNALED:
            return (jrpc_peer_ending){JRPC_END_SIGNALED, value};
        case JRPC_PROCESS_RUNNING:
            break;
        }
    }
    if (self->reset) {
        return (jrpc_peer_ending){JRPC_END_RESET, 0};
    }
    return (jrpc_peer_ending){broken ? JRPC_END_CLOSED : JRPC_END_OPEN, 0};
}

static int64_t stream_process(const jrpc_peer *peer)
{
    const stream *self = (const stream *)peer; // `peer` is the first member
    return self->process != NULL ? jrpc_process_pid(self->process) : 0;
}

static void stream_stderr_tail(jrpc_peer *peer, jrpc_buffer *out)
{
    stream *self = of(peer);
    if (self->process != NULL) {
        jrpc_process_stderr_tail(self->process, out);
    }
}

static int stream_descriptor(const jrpc_peer *peer)
{
    return reading_end((const stream *)peer);
}

static void stream_close_hard(jrpc_peer *peer)
{
    jrpc_descriptor_reset_when_closed(of(peer)->socket);
}

static void stream_close(jrpc_peer *peer, int64_t grace_ms)
{
    stream *self = of(peer);
    jrpc_process_free(self->process, grace_ms);
    jrpc_descriptor_close(&self->socket);
    jrpc_inbox_done(&self->inbox);
    jrpc_buffer_done(&self->outgoing);
    jrpc_deallocate(self->allocator, self);
}

static const jrpc_peer_operations stream_operations = {
    .send = stream_send,
    .set_interrupt = stream_set_interrupt,
    .send_raw = stream_send_raw,
    .send_chunks = stream_send_chunks,
    .receive = stream_receive,
    .close_write = stream_close_write,
    .close_hard = stream_close_hard,
    .end = stream_end,
    .stderr_tail = stream_stderr_tail,
    .descriptor = stream_descriptor,
    .process = stream_process,
    .close = stream_close,
};

static bool connect_stream(stream *self, const jrpc_endpoint *endpoint, int64_t deadline_us,
                           jrpc_error *error)
{
    const jrpc_traits *traits = jrpc_transport_traits(endpoint->transport);
    if (traits->is_child) {
        const jrpc_process_options options = {.argv = endpoint->argv,
                                              .directory = endpoint->directory,
                                              .environment = endpoint->environment,
                                              .memory = endpoint->memory,
                                              .talk = true};
        self->process = jrpc_process_start(&options, error);
        return self->process != NULL;
    }
    self->socket = traits->address == JRPC_ADDRESS_PORT
                       ? jrpc_socket_connect_tcp(endpoint->host, endpoint->port, self->clock,
                                                 deadline_us, self->interrupt_fd, error)
                       : jrpc_socket_connect_unix(endpoint->path, self->clock, deadline_us,
                                                  self->interrupt_fd, error);
    return self->socket >= 0;
}

static stream *stream_new(const jrpc_endpoint *endpoint, jrpc_error *error)
{
    stream *self = jrpc_allocate(endpoint->allocator, sizeof *self);
    if (self == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a connection");
        return NULL;
    }
    self->peer.operations = &stream_operations;
    self->allocator = endpoint->allocator;
    self->clock = endpoint->clock;
    self->interrupt_fd = endpoint->interrupt_fd;
    self->framing = endpoint->framing;
    self->process = NULL;
    self->socket = -1;
    self->reset = false;
    self->left_us = 0;
    self->told = 0;
    size_t max_message =
        endpoint->max_message == 0 ? JRPC_LIMIT_MESSAGE_BYTES : endpoint->max_message;
    jrpc_inbox_init(&self->inbox, endpoint->framing, max_message, endpoint->allocator);
    jrpc_buffer_init(&self->outgoing, endpoint->allocator, SIZE_MAX / 2);
    jrpc_error_clear(&self->noise);
    return self;
}

jrpc_peer *jrpc_peer_adopt(const jrpc_endpoint *endpoint, int descriptor, jrpc_error *error)
{
    stream *self = stream_new(endpoint, error);
    if (self == NULL) {
        jrpc_descriptor_close(&descriptor);
        return NULL;
    }
    self->socket = descriptor;
    jrpc_socket_no_delay(descriptor);
    if (!jrpc_descriptor_unblock(descriptor)) {
        (void)jrpc_error_set_errno(error, errno, "cannot speak over an accepted connection");
        stream_close(&self->peer, 0);
        return NULL;
    }
    return &self->peer;
}

jrpc_peer *jrpc_stream_open(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error)
{
    stream *self = stream_new(endpoint, error);
    if (self != NULL && !connect_stream(self, endpoint, deadline_us, error)) {
        stream_close(&self->peer, 0);
        return NULL;
    }
    return self == NULL ? NULL : &self->peer;
}
