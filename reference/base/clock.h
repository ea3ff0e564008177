// Monotonic time in microseconds, and deadlines on it. Time is injected: code takes a jrpc_clock.
#ifndef JRPC_BASE_CLOCK_H
#define JRPC_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrpc_clock {
    int64_t (*now_us)(void *context);
    void *context;
    unsigned (*slowdown)(void *context); // NULL: the machine is never busy
} jrpc_clock;

// CLOCK_MONOTONIC. Never NULL; valid for ever.
const jrpc_clock *jrpc_clock_monotonic(void);

static inline int64_t jrpc_clock_now_us(const jrpc_clock *clock)
{
    return clock->now_us(clock->context);
}

// How many times as long work takes at the moment because others use the processors; 1 on a machine
// that is not busy.
static inline unsigned jrpc_clock_slowdown(const jrpc_clock *clock)
{
    return clock->slowdown == NULL ? 1 : clock->slowdown(clock->context);
}

// A point in time on a clock; JRPC_DEADLINE_NEVER never passes.
#define JRPC_DEADLINE_NEVER INT64_MAX
static inline int64_t jrpc_deadline_in_ms(const jrpc_clock *clock, int64_t ms)
{
    return jrpc_clock_now_us(clock) + ms * 1000;
}
// Milliseconds until the deadline for poll(2): 0 when it has passed, rounded up, -1 for never.
int jrpc_deadline_poll_ms(const jrpc_clock *clock, int64_t deadline_us);

// The wall clock as RFC 3339 UTC with seconds into `out` (at least 21 bytes).
void jrpc_clock_rfc3339(char *out);

#endif
