#include "reference/net/http_stream.h"

#include "reference/base/buffer.h"
#include "reference/base/clock.h"
#include "reference/base/os_linux.h"
#include "reference/net/descriptor.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct jrpc_http_stream {
    const jrpc_allocator *allocator;
    pthread_mutex_t lock; // of all below
    unsigned references;
    jrpc_buffer waiting;
    bool closed;
    int wake[2]; // readable while something changed that the reader has not seen
};

jrpc_http_stream *jrpc_http_stream_new(size_t max, const jrpc_allocator *allocator)
{
    jrpc_http_stream *stream = jrpc_allocate(allocator, sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    *stream = (jrpc_http_stream){.allocator = allocator, .references = 1, .wake = {-1, -1}};
    jrpc_buffer_init(&stream->waiting, allocator, max);
    if (!jrpc_os_pipe(stream->wake) || !jrpc_descriptor_unblock(stream->wake[0]) ||
        !jrpc_descriptor_unblock(stream->wake[1]) || pthread_mutex_init(&stream->lock, NULL) != 0) {
        jrpc_descriptor_close(&stream->wake[0]);
        jrpc_descriptor_close(&stream->wake[1]);
        jrpc_deallocate(allocator, stream);
        return NULL;
    }
    return stream;
}

jrpc_http_stream *jrpc_http_stream_ref(jrpc_http_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->references++;
    pthread_mutex_unlock(&stream->lock);
    return stream;
}

void jrpc_http_stream_unref(jrpc_http_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    pthread_mutex_lock(&stream->lock);
    bool last = --stream->references == 0;
    pthread_mutex_unlock(&stream->lock);
    if (last) {
        jrpc_buffer_done(&stream->waiting);
        jrpc_descriptor_close(&stream->wake[0]);
        jrpc_descriptor_close(&stream->wake[1]);
        pthread_mutex_destroy(&stream->lock);
        jrpc_deallocate(stream->allocator, stream);
    }
}

// Called with the lock held. The pipe does not block: one byte in it is as good as many.
static void wake_reader(const jrpc_http_stream *stream)
{
    ssize_t ignored = write(stream->wake[1], "", 1);
    (void)ignored;
}

bool jrpc_http_stream_put(jrpc_http_stream *stream, jrpc_slice bytes)
{
    pthread_mutex_lock(&stream->lock);
    bool put = !stream->closed && jrpc_buffer_append(&stream->waiting, bytes);
    wake_reader(stream);
    pthread_mutex_unlock(&stream->lock);
    return put;
}

void jrpc_http_stream_close(jrpc_http_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->closed = true;
    wake_reader(stream);
    pthread_mutex_unlock(&stream->lock);
}

ssize_t jrpc_http_stream_read(jrpc_http_stream *stream, char *room, size_t max, int stop_fd,
                              int idle_ms)
{
    const jrpc_clock *clock = jrpc_clock_monotonic();
    int64_t deadline = jrpc_deadline_in_ms(clock, idle_ms);
    for (;;) {
        char seen[64];
        pthread_mutex_lock(&stream->lock);
        while (read(stream->wake[0], seen, sizeof seen) > 0) {
        }
        size_t len = stream->waiting.len < max ? stream->waiting.len : max;
        bool over = stream->closed && len == 0;
        if (len > 0) {
            memcpy(room, stream->waiting.ptr, len);
            jrpc_buffer_consume(&stream->waiting, len);
        }
        pthread_mutex_unlock(&stream->lock);
        if (len > 0 || over) {
            return over ? -1 : (ssize_t)len;
        }
        struct pollfd entries[2] = {{.fd = stream->wake[0], .events = POLLIN},
                                    {.fd = stop_fd, .events = POLLIN}};
        int ready = jrpc_descriptor_poll(entries, 2, clock, deadline);
        if (ready < 0 || entries[1].revents != 0) {
            return -1;
        }
        if (ready == 0) {
            return 0;
        }
    }
}
