// A link over a scripted peer: no process, no socket, no time that passes by itself.
#ifndef JCK_TEST_SCRIPTED_LINK_H
#define JCK_TEST_SCRIPTED_LINK_H

#include "harness/link/open.h"
#include "harness/link/synchronise.h"
#include "tests/unit/net/scripted_peer.h"

enum {
    SCRIPT_REPLY_MS = 5000,
    SCRIPT_START_MS = 15000,
    SCRIPT_PATIENCE_MS = 250,
    SCRIPT_QUIET_MS = 100
};

typedef struct scripted_link {
    script side;
    jck_target target;
    jck_host host;
    jck_link link;
    jrpc_error error;
} scripted_link;

static inline void scripted_link_begin(scripted_link *f, jrpc_transport transport)
{
    const jck_timing timing = {.start_ms = SCRIPT_START_MS,
                               .reply_ms = SCRIPT_REPLY_MS,
                               .patience_ms = SCRIPT_PATIENCE_MS,
                               .quiet_ms = SCRIPT_QUIET_MS,
                               .grace_ms = 100};
    memset(f, 0, sizeof *f);
    script_init(&f->side);
    f->target = (jck_target){.transport = transport, .host = "h", .port = "1", .url = "http://h/"};
    f->side.exchanges = jck_target_traits(&f->target)->exchanges;
    if (!jck_host_init(&f->host, &f->target, &f->side.clock, 100, -1)) {
        abort();
    }
    jck_link_init(&f->link, &f->target, &timing, &f->side.clock, -1, 0xabcdu, &f->host);
    f->link.endpoint.dial = scripted_dial;
    f->link.endpoint.dial_context = &f->side;
}

static inline void scripted_link_end(scripted_link *f)
{
    jck_link_done(&f->link);
    jck_host_done(&f->host);
    script_done(&f->side);
    if (f->side.opened != f->side.closed) {
        abort(); // a connection was left open
    }
}

static inline jck_link_status scripted_link_open(scripted_link *f)
{
    jrpc_error_clear(&f->error);
    return jck_link_open(&f->link, 'a', &f->error);
}

static inline jck_connection *scripted_link_first(scripted_link *f)
{
    return jck_link_connection(&f->link, 'a');
}

// The other side of that connection.
static inline scripted *scripted_link_peer(scripted_link *f)
{
    return scripted_of(scripted_link_first(f)->peer);
}

// How long ago the clock stood at `since`, in milliseconds.
static inline int64_t scripted_link_ms(const scripted_link *f, int64_t since)
{
    return (f->side.now_us - since) / 1000;
}

typedef struct scripted_notes {
    size_t messages;
    size_t fences;
} scripted_notes;

// Turns the proof on the first connection until it is over; counts what was heard and sent.
static inline jck_sync_end scripted_link_prove(scripted_link *f, scripted_notes *notes,
                                               size_t *missing)
{
    jck_sync sync;
    jck_sync_begin(&sync, &f->link, 'a', *missing, &f->error);
    for (jck_sync_turn turn; (turn = jck_sync_next(&sync)) != JCK_SYNC_TURN_OVER;) {
        notes->fences += turn == JCK_SYNC_TURN_FENCE;
        if (turn == JCK_SYNC_TURN_HEARD) {
            notes->messages += sync.heard.kind == JCK_HEARD_MESSAGE;
            jck_sync_take(&sync, sync.heard.kind);
        }
    }
    *missing = sync.missing;
    return jck_sync_done(&sync);
}

#endif
