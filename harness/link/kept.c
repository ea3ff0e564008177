#include "harness/link/kept.h"

bool jck_kept_put(jck_kept *kept, const jck_kept_peer *one)
{
    jck_kept_peer *room = NULL;
    size_t mute_ones = one->mute;
    for (size_t i = 0; i < JCK_KEPT_MAX; i++) {
        jck_kept_peer *at = &kept->peers[i];
        mute_ones += at->peer != NULL && at->mute;
        room = at->peer == NULL ? at : room;
    }
    if (room == NULL || mute_ones > JCK_KEPT_MUTE_MAX) {
        return false;
    }
    *room = *one;
    return true;
}

static jck_kept_peer *find(jck_kept *kept, uint64_t number)
{
    for (size_t i = 0; i < JCK_KEPT_MAX; i++) {
        if (kept->peers[i].peer != NULL && kept->peers[i].number == number) {
            return &kept->peers[i];
        }
    }
    return NULL;
}

// A process that has gone mute is not expected to exit by itself.
#define MUTE_GRACE_MS 50

int64_t jck_kept_grace_ms(bool mute, int64_t grace_ms)
{
    return mute && grace_ms > MUTE_GRACE_MS ? MUTE_GRACE_MS : grace_ms;
}

static void close_one(jck_kept_peer *one, int64_t grace_ms)
{
    jrpc_peer_close(one->peer, jck_kept_grace_ms(one->mute, grace_ms));
    *one = (jck_kept_peer){0};
}

// Whether the process has done all that it was sent, and had time to say so.
static bool is_idle(const jck_kept_peer *one, const jrpc_clock *clock)
{
    return one->idle_us > 0 && jrpc_clock_now_us(clock) >= one->idle_us &&
           one->allowance.process != 0 && !jck_process_is_busy(one->allowance.process);
}

jck_kept_state jck_kept_look(jck_kept *kept, uint64_t number, const jrpc_clock *clock,
                             int64_t deadline_us, int64_t grace_ms)
{
    jck_kept_peer *one = find(kept, number);
    if (one == NULL) {
        return JCK_KEPT_LOST;
    }
    jrpc_received received;
    jrpc_error ignored = {0};
    int64_t until_us = deadline_us < one->until_us ? deadline_us : one->until_us;
    jrpc_peer_event event = jrpc_peer_receive(one->peer, until_us, &received, &ignored);
    bool came = event != JRPC_PEER_TIMEOUT;
    bool over = jrpc_clock_now_us(clock) >= one->until_us;
    if (!came && !over && is_idle(one, clock)) {
        over = true;
    } else if (!came && over && jck_allowance_lasts(&one->allowance, clock)) {
        one->until_us = jrpc_deadline_in_ms(clock, JCK_ALLOWANCE_LOOK_MS);
        over = false;
    }
    if (came || over) {
        close_one(one, grace_ms);
    }
    return event == JRPC_PEER_ENDED ? JCK_KEPT_ENDED
           : came                   ? JCK_KEPT_SPOKE
           : over                   ? JCK_KEPT_QUIET
                                    : JCK_KEPT_LISTENS;
}

void jck_kept_hasten(jck_kept *kept, uint64_t number, int64_t by_us)
{
    jck_kept_peer *one = find(kept, number);
    if (one != NULL) {
        one->until_us -= by_us;
        one->idle_us -= one->idle_us > 0 ? by_us : 0;
    }
}

void jck_kept_close(jck_kept *kept, uint64_t number, int64_t grace_ms)
{
    jck_kept_peer *one = find(kept, number);
    if (one != NULL) {
        close_one(one, grace_ms);
    }
}

// Ends a child that was let go: its time has begun then.
static void close_leaving(jck_leaving *one, const jrpc_clock *clock, int64_t grace_ms)
{
    int64_t left_ms = grace_ms - (jrpc_clock_now_us(clock) - one->since_us) / 1000;
    jrpc_peer_close(one->peer, left_ms > 0 ? left_ms : 0);
    *one = (jck_leaving){0};
}

void jck_kept_dismiss(jck_kept *kept, jrpc_peer *peer, const jrpc_clock *clock, int64_t grace_ms)
{
    close_leaving(&kept->leaving[0], clock, grace_ms);
    for (size_t i = 1; i < JCK_LEAVING_MAX; i++) {
        kept->leaving[i - 1] = kept->leaving[i];
    }
    jrpc_peer_close_write(peer);
    kept->leaving[JCK_LEAVING_MAX - 1] =
        (jck_leaving){.peer = peer, .since_us = jrpc_clock_now_us(clock)};
}

void jck_kept_drop(jck_kept *kept, const jrpc_clock *clock, int64_t grace_ms)
{
    for (size_t i = 0; i < JCK_LEAVING_MAX; i++) {
        close_leaving(&kept->leaving[i], clock, grace_ms);
    }
    for (size_t i = 0; i < JCK_KEPT_MAX; i++) {
        if (kept->peers[i].peer != NULL) {
            close_one(&kept->peers[i], grace_ms);
        }
    }
}
