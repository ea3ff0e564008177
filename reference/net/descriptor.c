#include "reference/net/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

bool jrpc_descriptor_unblock(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
}

void jrpc_descriptor_close(int *descriptor)
{
    if (*descriptor >= 0) {
        int saved = errno;
        // Not repeated on EINTR: Linux has closed the descriptor by then, and another thread may
        // already have got the same number.
        (void)close(*descriptor);
        errno = saved;
        *descriptor = -1;
    }
}

void jrpc_descriptor_reset_when_closed(int descriptor)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

int jrpc_descriptor_poll(struct pollfd *entries, size_t count, const jrpc_clock *clock,
                         int64_t deadline_us)
{
    for (;;) {
        int ready = poll(entries, (nfds_t)count, jrpc_deadline_poll_ms(clock, deadline_us));
        if (ready >= 0 || errno != EINTR) {
            return ready;
        }
        if (jrpc_deadline_poll_ms(clock, deadline_us) == 0) {
            return 0;
        }
    }
}
