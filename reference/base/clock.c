#include "reference/base/clock.h"

#include "reference/base/os_linux.h"

#include <limits.h>
#include <stdio.h>
#include <time.h>

static int64_t monotonic_now_us(void *context)
{
    (void)context;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0;
    }
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static unsigned slowdown_of_machine(void *context)
{
    (void)context;
    unsigned ready = 0;
    unsigned processors = 0;
    bool known = jrpc_os_ready_threads(&ready, &processors) && processors > 0;
    return known && ready > processors ? ready / processors : 1;
}

const jrpc_clock *jrpc_clock_monotonic(void)
{
    static const jrpc_clock monotonic = {.now_us = monotonic_now_us,
                                         .slowdown = slowdown_of_machine};
    return &monotonic;
}

int jrpc_deadline_poll_ms(const jrpc_clock *clock, int64_t deadline_us)
{
    if (deadline_us == JRPC_DEADLINE_NEVER) {
        return -1;
    }
    int64_t now = jrpc_clock_now_us(clock);
    if (deadline_us <= now) {
        return 0;
    }
    // Rounded up: rounding down would make the last millisecond a busy loop.
    int64_t left_us = deadline_us - now;
    int64_t left_ms = left_us / 1000 + (left_us % 1000 != 0);
    return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

void jrpc_clock_rfc3339(char *out)
{
    enum { SIZE = 21 };
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL ||
        strftime(out, SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc) != SIZE - 1) {
        (void)snprintf(out, SIZE, "1970-01-01T00:00:00Z");
    }
}
