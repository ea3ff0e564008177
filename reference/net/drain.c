#include "reference/net/drain.h"

#include "reference/base/limits.h"
#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DRAIN_CHUNK = 4096,
    // One pull stops here: a writer without end must not keep a caller of jrpc_drain_tail for ever.
    DRAIN_PULL_MAXIMUM = 1 << 20,
};
#define DRAIN_KEPT (2 * JRPC_LIMIT_STDERR_TAIL_BYTES + DRAIN_CHUNK)

struct jrpc_drain {
    pthread_t thread;
    pthread_mutex_t lock;
    int input;
    int stop[2]; // the write end is closed to end the thread
    int news[2]; // gets a byte when what a waiter looks for came, and at the end of the stream
    // Guarded by lock:
    bool ended;        // the stream came to its end
    jrpc_slice wanted; // what a waiter looks for, borrowed from it; empty: nobody waits
    bool seen;         // it came
    size_t kept_len;
    char kept[DRAIN_KEPT];
};

static bool holds(const char *bytes, size_t len, jrpc_slice text)
{
    return jrpc_slice_contains(jrpc_slice_of(bytes, len), text);
}

// Appends to the kept bytes; the oldest go. Called with the lock held.
static void keep(jrpc_drain *drain, const char *bytes, size_t len)
{
    if (drain->kept_len + len > DRAIN_KEPT) {
        size_t drop = drain->kept_len - JRPC_LIMIT_STDERR_TAIL_BYTES;
        memmove(drain->kept, drain->kept + drop, JRPC_LIMIT_STDERR_TAIL_BYTES);
        drain->kept_len = JRPC_LIMIT_STDERR_TAIL_BYTES;
    }
    memcpy(drain->kept + drain->kept_len, bytes, len);
    size_t from = drain->kept_len;
    drain->kept_len += len;
    // Looked for here and not by the waiter, past whom a fast writer could push it.
    if (drain->wanted.len > 0 && !drain->seen) {
        from -= drain->wanted.len - 1 < from ? drain->wanted.len - 1 : from;
        drain->seen = holds(drain->kept + from, drain->kept_len - from, drain->wanted);
    }
}

// Reads what is there. Called with the lock held.
static void pull(jrpc_drain *drain)
{
    bool seen = drain->seen;
    char chunk[DRAIN_CHUNK];
    for (size_t total = 0; !drain->ended && total < DRAIN_PULL_MAXIMUM;) {
        ssize_t got = read(drain->input, chunk, sizeof chunk);
        if (got > 0) {
            keep(drain, chunk, (size_t)got);
            total += (size_t)got;
        } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
            drain->ended = true;
        } else if (errno == EAGAIN) {
            break;
        }
    }
    if (drain->ended || drain->seen != seen) {
        ssize_t ignored = write(drain->news[1], "", 1); // full: the waiter is awake already
        (void)ignored;
    }
}

static void *drain_main(void *context)
{
    jrpc_drain *drain = context;
    struct pollfd entries[2] = {{.fd = drain->input, .events = POLLIN},
                                {.fd = drain->stop[0], .events = POLLIN}};
    bool open = true;
    while (open) {
        if (jrpc_descriptor_poll(entries, 2, jrpc_clock_monotonic(), JRPC_DEADLINE_NEVER) < 0 ||
            entries[1].revents != 0) {
            break;
        }
        pthread_mutex_lock(&drain->lock);
        pull(drain);
        open = !drain->ended;
        pthread_mutex_unlock(&drain->lock);
    }
    return NULL;
}

static void drain_destroy(jrpc_drain *drain, bool initialized)
{
    jrpc_descriptor_close(&drain->input);
    jrpc_descriptor_close(&drain->stop[0]);
    jrpc_descriptor_close(&drain->stop[1]);
    jrpc_descriptor_close(&drain->news[0]);
    jrpc_descriptor_close(&drain->news[1]);
    if (initialized) {
        pthread_mutex_destroy(&drain->lock);
    }
    free(drain);
}

static jrpc_drain *drain_refuse(jrpc_drain *drain, bool initialized, int errno_value,
                                jrpc_error *error)
{
    (void)jrpc_error_set_errno(error, errno_value, "cannot read the output of a child");
    drain_destroy(drain, initialized);
    return NULL;
}

jrpc_drain *jrpc_drain_start(int descriptor, jrpc_error *error)
{
    jrpc_drain *drain = calloc(1, sizeof *drain);
    if (drain == NULL) {
        jrpc_descriptor_close(&descriptor);
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to read the output of a child");
        return NULL;
    }
    drain->input = descriptor;
    drain->stop[0] = drain->stop[1] = drain->news[0] = drain->news[1] = -1;
    int failure = pthread_mutex_init(&drain->lock, NULL);
    if (failure != 0) {
        return drain_refuse(drain, false, failure, error);
    }
    if (!jrpc_os_pipe(drain->stop) || !jrpc_os_pipe(drain->news) ||
        !jrpc_descriptor_unblock(drain->news[0]) || !jrpc_descriptor_unblock(drain->news[1])) {
        return drain_refuse(drain, true, errno, error);
    }
    failure = pthread_create(&drain->thread, NULL, drain_main, drain);
    if (failure != 0) {
        return drain_refuse(drain, true, failure, error);
    }
    return drain;
}

void jrpc_drain_tail(jrpc_drain *drain, jrpc_buffer *out)
{
    pthread_mutex_lock(&drain->lock);
    pull(drain);
    size_t len = drain->kept_len;
    if (len > JRPC_LIMIT_STDERR_TAIL_BYTES) {
        len = JRPC_LIMIT_STDERR_TAIL_BYTES;
    }
    size_t room = out->maximum - out->len;
    if (len > room) {
        len = room;
    }
    (void)jrpc_buffer_append(out, jrpc_slice_of(drain->kept + drain->kept_len - len, len));
    pthread_mutex_unlock(&drain->lock);
}

// Waits until there is news. False with the reason why none will come in time.
static bool await_news(jrpc_drain *drain, const jrpc_clock *clock, int64_t deadline_us,
                       int interrupt_fd, jrpc_error_code *ret_reason)
{
    struct pollfd entries[2] = {{.fd = drain->news[0], .events = POLLIN},
                                {.fd = interrupt_fd, .events = POLLIN}};
    int ready = jrpc_descriptor_poll(entries, 2, clock, deadline_us);
    *ret_reason = ready > 0 ? JRPC_ERROR_INTERRUPTED : JRPC_ERROR_TIMEOUT;
    char bytes[8];
    while (read(drain->news[0], bytes, sizeof bytes) > 0) {
    }
    return entries[0].revents != 0;
}

static const char *reason_of(jrpc_error_code outcome)
{
    return outcome == JRPC_ERROR_CLOSED        ? ": the output ended"
           : outcome == JRPC_ERROR_INTERRUPTED ? ": interrupted"
                                               : " in time";
}

bool jrpc_drain_wait(jrpc_drain *drain, jrpc_slice text, const jrpc_clock *clock,
                     int64_t deadline_us, int interrupt_fd, jrpc_error *error)
{
    if (text.len == 0 || text.len > JRPC_LIMIT_STDERR_TAIL_BYTES) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "the text to wait for must have 1 to %zu bytes",
                              JRPC_LIMIT_STDERR_TAIL_BYTES);
    }
    jrpc_error_code outcome = JRPC_OK;
    pthread_mutex_lock(&drain->lock);
    drain->wanted = text;
    drain->seen = holds(drain->kept, drain->kept_len, text);
    bool waits = true;
    while (!drain->seen && waits) {
        if (drain->ended) {
            outcome = JRPC_ERROR_CLOSED;
            break;
        }
        pthread_mutex_unlock(&drain->lock);
        waits = await_news(drain, clock, deadline_us, interrupt_fd, &outcome);
        pthread_mutex_lock(&drain->lock);
    }
    outcome = drain->seen ? JRPC_OK : outcome;
    drain->wanted = (jrpc_slice){NULL, 0};
    pthread_mutex_unlock(&drain->lock);
    if (outcome == JRPC_OK) {
        return true;
    }
    return jrpc_error_set(error, outcome, "the line \"%.*s\" did not come%s", (int)text.len,
                          text.ptr, reason_of(outcome));
}

void jrpc_drain_free(jrpc_drain *drain)
{
    if (drain == NULL) {
        return;
    }
    jrpc_descriptor_close(&drain->stop[1]);
    pthread_join(drain->thread, NULL);
    drain_destroy(drain, true);
}
