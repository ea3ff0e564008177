#include "harness/suite/port.h"

#include "reference/base/os_linux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

// Ports below those that systems assign to clients, so that no connection opened meanwhile takes
// one.
#define PORT_FIRST 20000u
#define PORT_COUNT 12000u
// From a port in use to the next one to try: far from those of processes started just after this
// one.
#define PORT_STRIDE 4001u

// Whether nobody listens on the port. False also sets *ret_problem.
static bool is_free(unsigned port, int *ret_problem)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = jrpc_os_socket(AF_INET, SOCK_STREAM, 0);
    bool is =
        descriptor >= 0 && bind(descriptor, (const struct sockaddr *)&address, sizeof address) == 0;
    *ret_problem = errno;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return is;
}

// A target may not listen on its port yet when another process looks for one, so the port is
// claimed as well. False if another process has claimed it.
static bool claim(unsigned port, int *ret_claim)
{
    char name[32];
    (void)snprintf(name, sizeof name, "jrpcheck-port-%u", port);
    int descriptor = jrpc_os_claim(name);
    *ret_claim = descriptor > 0 ? descriptor : 0;
    return descriptor >= 0 || errno != EADDRINUSE;
}

static void let_go(int descriptor)
{
    if (descriptor > 0) {
        (void)close(descriptor);
    }
}

const char *jck_port_take(jrpc_arena *arena, const char *after, int *ret_claim, jrpc_error *error)
{
    unsigned first = after == NULL ? (unsigned)getpid() % PORT_COUNT
                                   : (unsigned)strtoul(after, NULL, 10) - PORT_FIRST + PORT_STRIDE;
    int problem = EADDRINUSE;
    for (unsigned i = 0; i < PORT_COUNT; i++) {
        unsigned port = PORT_FIRST + (first + i * PORT_STRIDE) % PORT_COUNT;
        if (!claim(port, ret_claim)) {
            continue;
        }
        if (is_free(port, &problem)) {
            const char *text = jrpc_arena_printf(arena, "%u", port);
            if (text == NULL) {
                let_go(*ret_claim);
                *ret_claim = 0;
                (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
            }
            return text;
        }
        let_go(*ret_claim);
    }
    *ret_claim = 0;
    (void)jrpc_error_set_errno(error, problem, "no free TCP port could be found for ${port}");
    return NULL;
}
