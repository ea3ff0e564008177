// Started by a client as its server: forwards standard input to the suite's socket, and the suite's
// messages back.
#include "harness/cli/commands.h"
#include "harness/cli/words.h"
#include "reference/net/descriptor.h"
#include "reference/net/socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE_BYTES = 64 << 10, CONNECT_MS = 10000 };

typedef struct lane {
    int from, to;
    char bytes[PIECE_BYTES];
    size_t begin, end; // what was read and is not yet written
    bool over;         // the end of input was reached and passed on
} lane;

// Reads or writes whatever is possible now. False if the other side accepts nothing more.
static bool move(lane *self, short readable, short writable)
{
    if (self->begin < self->end && writable != 0) {
        ssize_t put = write(self->to, self->bytes + self->begin, self->end - self->begin);
        if (put < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        self->begin += put > 0 ? (size_t)put : 0;
    } else if (self->begin == self->end && readable != 0) {
        ssize_t got = read(self->from, self->bytes, sizeof self->bytes);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            self->over = true;
            (void)shutdown(self->to, SHUT_WR); // if it is a socket
            return true;
        }
        self->begin = 0;
        self->end = got > 0 ? (size_t)got : 0;
    }
    return true;
}

// Copies both ways until the suite is gone; the end of the client's input is passed on.
static void copy(int socket)
{
    lane lanes[2] = {{.from = STDIN_FILENO, .to = socket}, {.from = socket, .to = STDOUT_FILENO}};
    while (!lanes[1].over) {
        struct pollfd entries[4];
        for (size_t i = 0; i < 2; i++) {
            bool full = lanes[i].begin < lanes[i].end;
            bool reads = !full && !lanes[i].over;
            entries[2 * i] = (struct pollfd){.fd = reads ? lanes[i].from : -1, .events = POLLIN};
            entries[2 * i + 1] = (struct pollfd){.fd = full ? lanes[i].to : -1, .events = POLLOUT};
        }
        if (jrpc_descriptor_poll(entries, 4, jrpc_clock_monotonic(), JRPC_DEADLINE_NEVER) < 0 ||
            !move(&lanes[0], entries[0].revents, entries[1].revents) ||
            !move(&lanes[1], entries[2].revents, entries[3].revents)) {
            break;
        }
    }
}

jck_exit jck_cmd_bridge(jck_options *options)
{
    jrpc_error error = {0};
    const char *address = options->operands.count == 1 ? options->operands.items[0] : "";
    if (strncmp(address, "unix:", strlen("unix:")) != 0) {
        (void)jck_complain_of("jrpcheck bridge needs unix:PATH, which jrpcheck client passes to "
                              "the driver in JRPCHECK_SERVER");
        return JCK_EXIT_USAGE;
    }
    const jrpc_clock *clock = jrpc_clock_monotonic();
    int socket = jrpc_socket_connect_unix(address + strlen("unix:"), clock,
                                          jrpc_deadline_in_ms(clock, CONNECT_MS), -1, &error);
    if (socket < 0) {
        (void)jck_complain(&error);
        return JCK_EXIT_UNOPENED;
    }
    copy(socket);
    jrpc_descriptor_close(&socket);
    return JCK_EXIT_CONFORMANT;
}
