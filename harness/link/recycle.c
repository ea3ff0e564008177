#include "harness/link/recycle.h"

#include "harness/link/open.h"

// A concurrent target may still answer this many messages while it closes.
#define UNDER_WAY 2

// Opens a new connection 'a'; NULL if that fails.
static const jck_connection *open_anew(jck_link *link)
{
    jrpc_error ignored = {0};
    jck_link_drop(link);
    link->bare = false;
    return jck_link_open(link, 'a', &ignored) == JCK_LINK_OK ? jck_link_connection(link, 'a')
                                                             : NULL;
}

// Sends up to `most` fences over a new connection until one is not answered or the time is over.
// Returns how many were answered. The connection is left open.
static size_t count_answers(jck_link *link, size_t most, int64_t until_us)
{
    const jck_connection *open = open_anew(link);
    size_t answered = 0;
    while (open != NULL && answered < most && jrpc_clock_now_us(link->clock) < until_us &&
           jck_link_answers(link, 'a')) {
        answered++;
    }
    return answered;
}

// Whether connection 'a' is closed; sending may have failed because of that.
static bool has_ended(jck_link *link)
{
    jrpc_error ignored = {0};
    return jck_link_connection(link, 'a')->state == JCK_CONNECTION_ENDED ||
           jck_link_hear(link, 'a', jrpc_clock_now_us(link->clock), &ignored).kind == JCK_HEARD_END;
}

// Whether the target closes a connection after this many answers although nothing more is sent. If
// it stays open, one more message is sent. If the target then closes instead of answering, as it
// did before, that is noted: a limit of messages per second cannot be the reason.
static bool closes_unasked(jck_link *link, size_t answers, int64_t until_us)
{
    jrpc_error ignored = {0};
    if (count_answers(link, answers, until_us) < answers) {
        return false;
    }
    const int64_t deadline = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
    jck_heard_kind kind = JCK_HEARD_PUSH;
    while (!jck_heard_ends_wait(kind)) {
        kind = jck_link_hear(link, 'a', deadline, &ignored).kind;
    }
    if (kind == JCK_HEARD_TIMEOUT && !jck_link_answers(link, 'a') && has_ended(link)) {
        link->learned.swallowed_after = jck_link_connection(link, 'a')->carried - 1;
    }
    return kind == JCK_HEARD_END;
}

// Whether the process of a generation has ended.
static bool has_died(jck_link *link, uint32_t generation)
{
    jck_host_end end;
    return link->generation != generation ||
           jck_host_is_gone(link->host, generation, jrpc_deadline_in_ms(link->clock, JCK_FOLLOW_MS),
                            &end);
}

// Sends fences over a new connection until it is closed or has carried `most` messages.
static void count_messages(jck_link *link, size_t most)
{
    jck_learned *learned = &link->learned;
    const int64_t until_us = jrpc_deadline_in_ms(link->clock, link->timing.start_ms);
    const size_t answered = count_answers(link, most, until_us);
    const uint32_t generation = link->generation;
    const jck_connection *open = jck_link_connection(link, 'a');
    const size_t carried = open->carried;
    const bool ended = answered > 0 && answered < most && has_ended(link);
    const bool unasked = !jck_target_traits(link->target)->byte_stream ||
                         (ended && closes_unasked(link, answered, until_us));
    if (ended && has_died(link, generation)) {
        learned->kept_after = SIZE_MAX; // the connections end with a process that crashes
    } else if (ended && unasked) {
        learned->recycled_after = carried - 1; // without the one that was not answered
    } else if (ended) {
        learned->kept_after = SIZE_MAX; // it closes instead of answering
    } else if (answered == most) {
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
