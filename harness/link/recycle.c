#include "harness/link/recycle.h"

#include "harness/link/open.h"

// A concurrent target may still answer so many messages while it closes.
#define UNDER_WAY 2

// Sends fences over a new connection until it is closed or has carried `most` messages.
static void count_messages(jck_link *link, size_t most)
{
    jck_learned *learned = &link->learned;
    jrpc_error ignored = {0};
    const int64_t until_us = jrpc_deadline_in_ms(link->clock, link->timing.start_ms);
    jck_link_drop(link);
    link->bare = false;
    if (jck_link_open(link, 'a', &ignored) != JCK_LINK_OK) {
        return;
    }
    const jck_connection *open = jck_link_connection(link, 'a');
    bool answers = true;
    while (answers && open->carried <= most && jrpc_clock_now_us(link->clock) < until_us) {
        answers = jck_link_answers(link, 'a');
    }
    if (!answers && open->state == JCK_CONNECTION_ENDED) {
        learned->recycled_after = open->carried - 1; // without the one that was not answered
    } else if (answers) {
        learned->kept_after = most;
    }
    jck_link_drop(link);
}

bool jck_link_recycles(jck_link *link, size_t carried)
{
    const jck_learned *learned = &link->learned;
    if (learned->recycled_after == 0 && carried > learned->kept_after) {
        count_messages(link, carried);
    }
    return learned->recycled_after > 0 && carried + UNDER_WAY >= learned->recycled_after;
}
