#include "harness/link/kept.h"

bool jck_kept_put(jck_kept *kept, jrpc_peer *peer, uint64_t number, int64_t until_us, bool mute,
                  const jck_allowance *allowance)
{
    jck_kept_peer *room = NULL;
    size_t mute_ones = mute;
    for (size_t i = 0; i < JCK_KEPT_MAX; i++) {
        jck_kept_peer *one = &kept->peers[i];
        mute_ones += one->peer != NULL && one->mute;
        room = one->peer == NULL ? one : room;
    }
    if (room == NULL || mute_ones > JCK_KEPT_MUTE_MAX) {
        return false;
    }
    *room = (jck_kept_peer){.peer = peer,
                            .number = number,
                            .until_us = until_us,
                            .mute = mute,
                            .allowance = *allowance};
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

static void close_one(jck_kept_peer *one, int64_t grace_ms)
{
    jrpc_peer_close(one->peer, grace_ms);
    *one = (jck_kept_peer){0};
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
    if (!came && over && jck_allowance_lasts(&one->allowance, clock)) {
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

void jck_kept_close(jck_kept *kept, uint64_t number, int64_t grace_ms)
{
    jck_kept_peer *one = find(kept, number);
    if (one != NULL) {
        close_one(one, grace_ms);
    }
}

void jck_kept_dismiss(jck_kept *kept, jrpc_peer *peer, int64_t grace_ms)
{
    jrpc_peer_close(kept->leaving[0], grace_ms);
    for (size_t i = 1; i < JCK_LEAVING_MAX; i++) {
        kept->leaving[i - 1] = kept->leaving[i];
    }
    jrpc_peer_close_write(peer);
    kept->leaving[JCK_LEAVING_MAX - 1] = peer;
}

void jck_kept_drop(jck_kept *kept, int64_t grace_ms)
{
    for (size_t i = 0; i < JCK_LEAVING_MAX; i++) {
        jrpc_peer_close(kept->leaving[i], grace_ms);
        kept->leaving[i] = NULL;
    }
    for (size_t i = 0; i < JCK_KEPT_MAX; i++) {
        if (kept->peers[i].peer != NULL) {
            close_one(&kept->peers[i], grace_ms);
        }
    }
}
