#include "harness/link/synchronise.h"

#include "harness/link/open.h"

// How long a fence is waited for before a second one is sent, and before a second connection is
// asked whether the target is alive.
#define KNOCK_MS 300
// The least of that, for a target that answers only when more comes, and how soon it then does.
#define KNOCK_LEAST_MS 4
#define PROMPT_US 20000
#define SOON_MS 1500
// The same at a first look, after which the connection is listened to from the side.
#define SOON_FIRST_MS 500
#define QUIET_FIRST_MS 100
// How often an answer that comes while a fence is waited for gives that fence its time anew.
#define EXTENSIONS_MAX 3
// How long a target that was seen to lose fences is left alone between a message and the fence.
#define APART_MS 25
// A stream of events is listened to for so many times the time of one answer.
#define EXCHANGE_PATIENCE 4
// A target that works on each message is given so many times what it was seen to need for one, for
// each of them; but no more than so many times the time of one answer. What it needs is not known
// at first: a guess must do, and has to do with less.
#define WORK_PATIENCE 3
#define WORK_MOST 20
#define WORK_GUESS_US 250000
#define WORK_GUESS_MOST 4
// Reading a long message takes time: slow is not wrong. Ten seconds for a megabyte, and no more for
// longer ones: a target that drops them would hold the run up for minutes.
#define READING_US_PER_BYTE 10
#define READING_MOST_US 10000000

#define FENCE_BYTES 1024

// One synchronisation under way.
typedef struct sync {
    jck_link *link;
    char connection;
    size_t *missing;
    const jck_ear *ear;
    uint64_t *expired;
    jrpc_error *error;
    int64_t deadline_us; // of the wait under way
    int64_t last_us;     // when it is given up
    unsigned extensions; // that are left
    bool knocked;        // a second fence is out
    int64_t knocked_us;  // … since then; 0: none is, whatever `knocked` says
} sync;

jck_heard_kind jck_hear_with(jck_link *link, char connection, int64_t deadline_us,
                             const jck_ear *ear, jrpc_error *error)
{
    jck_heard heard = jck_link_hear(link, connection, deadline_us, error);
    return ear->heard(ear->context, connection, &heard);
}

static jck_sync end_of(jck_heard_kind kind)
{
    return kind == JCK_HEARD_END         ? JCK_SYNC_ENDED
           : kind == JCK_HEARD_FLOOD     ? JCK_SYNC_FLOODED
           : kind == JCK_HEARD_INTERRUPT ? JCK_SYNC_INTERRUPTED
                                         : JCK_SYNC_FAULT;
}

static int64_t work_us(int64_t messages, int64_t each_us, int64_t most_us)
{
    return each_us > 0 && messages > most_us / each_us ? most_us : each_us * messages;
}

int64_t jck_reading_us(size_t bytes)
{
    return bytes < READING_MOST_US / READING_US_PER_BYTE ? (int64_t)bytes * READING_US_PER_BYTE
                                                         : READING_MOST_US;
}

// When to give up: a target that takes its time for each message, or for each of its bytes, is
// given it.
static int64_t last_moment(const jck_link *link, const jck_connection *open, int64_t reply_ms)
{
    int64_t reply_us = reply_ms * 1000 + jck_reading_us(open->bytes_since);
    int64_t messages = (int64_t)open->messages_since;
    int64_t seen =
        work_us(messages, link->habits.us_per_message * WORK_PATIENCE, reply_us * WORK_MOST);
    int64_t guess = work_us(messages, WORK_GUESS_US, reply_us * WORK_GUESS_MOST);
    int64_t work = seen > guess ? seen : guess;
    return jrpc_clock_now_us(link->clock) + (work > reply_us ? work : reply_us);
}

// The connection is mute. Where that was a first look, it is listened to from the side.
static jck_sync give_up(const sync *now, jck_sync as)
{
    jck_link *link = now->link;
    jck_connection *open = jck_link_connection(link, now->connection);
    ++*now->expired;
    if (link->timing.listen_ms > 0) {
        open->keep_us = last_moment(link, open, link->timing.listen_ms);
        link->mute = open->number;
    }
    jck_connection_fail(open, JCK_CONNECTION_MUTE);
    return as;
}

// Sends a fence. FENCED if it went out, or the target may still have said something before it left.
static jck_sync send_fence(const sync *now)
{
    jrpc_buffer fence;
    jrpc_buffer_init(&fence, jrpc_allocator_heap(), FENCE_BYTES);
    jrpc_peer_event event = jck_link_send_fence(now->link, now->connection, &fence, now->error);
    now->ear->fenced(now->ear->context, now->connection, jrpc_buffer_slice(&fence));
    jrpc_buffer_done(&fence);
    return event == JRPC_PEER_TIMEOUT       ? give_up(now, JCK_SYNC_UNSENT)
           : event == JRPC_PEER_INTERRUPTED ? JCK_SYNC_INTERRUPTED
           : event == JRPC_PEER_FAULT       ? JCK_SYNC_FAULT
                                            : JCK_SYNC_FENCED;
}

// Learns how long the target took for each message since the last proof.
static void learn_pace(jck_link *link, const jck_connection *open)
{
    if (open->messages_since > 0) {
        int64_t took = jrpc_clock_now_us(link->clock) - open->asked_us;
        int64_t each = took / (int64_t)open->messages_since;
        link->habits.us_per_message =
            each > link->habits.us_per_message ? each : link->habits.us_per_message;
    }
}

// A target that was seen to lose fences is left alone for a moment between a message and the fence.
static jck_heard_kind keep_apart(const sync *now)
{
    int64_t until = jrpc_deadline_in_ms(now->link->clock, now->link->habits.fence_apart_ms);
    jck_heard_kind kind = JCK_HEARD_TIMEOUT;
    do {
        kind = jck_hear_with(now->link, now->connection, until, now->ear, now->error);
        *now->missing -= kind == JCK_HEARD_MESSAGE && *now->missing > 0 ? 1 : 0;
    } while (kind != JCK_HEARD_TIMEOUT && !jck_heard_is_end(kind));
    return kind;
}

// How long a fence is waited for before a second one is sent: less with each that helped at once.
static int64_t knock_ms(const jck_link *link)
{
    unsigned helped = link->habits.knocked;
    int64_t ms = helped < 8 ? KNOCK_MS >> helped : 0;
    return ms > KNOCK_LEAST_MS ? ms : KNOCK_LEAST_MS;
}

// Learns whether a second fence makes the target answer.
static void learn_knock(const sync *now)
{
    bool helped =
        now->knocked_us > 0 && jrpc_clock_now_us(now->link->clock) - now->knocked_us < PROMPT_US;
    now->link->habits.knocked = helped ? now->link->habits.knocked + 1 : 0;
}

// The wait ran out. A reader that takes each read for one message has lost a fence right after the
// message: a second one is sent. Then a target that answers on a new connection has had time to
// answer on this one. FENCED: it is waited on.
static jck_sync wait_on(sync *now, int64_t soon_us)
{
    jck_link *link = now->link;
    if (!now->knocked) {
        now->knocked = true;
        now->knocked_us = jrpc_clock_now_us(link->clock);
        now->deadline_us = soon_us > jrpc_clock_now_us(link->clock) ? soon_us : now->last_us;
        return send_fence(now);
    }
    if (now->deadline_us >= now->last_us) {
        return give_up(now, JCK_SYNC_MUTE);
    }
    if (jck_link_answers_elsewhere(link)) {
        bool first_look = link->timing.listen_ms > 0 && link->timing.quiet_ms > QUIET_FIRST_MS;
        now->last_us =
            jrpc_deadline_in_ms(link->clock, first_look ? QUIET_FIRST_MS : link->timing.quiet_ms);
    }
    now->deadline_us = now->last_us;
    return JCK_SYNC_FENCED;
}

static jck_sync by_fence(sync *now)
{
    jck_link *link = now->link;
    jck_connection *open = jck_link_connection(link, now->connection);
    if (link->habits.fence_apart_ms > 0) {
        jck_heard_kind kind = keep_apart(now);
        if (jck_heard_is_end(kind)) {
            return end_of(kind);
        }
    }
    now->last_us = last_moment(link, open, link->timing.reply_ms);
    int64_t soon_ms = link->timing.listen_ms > 0 ? SOON_FIRST_MS : SOON_MS;
    int64_t soon = jrpc_deadline_in_ms(link->clock, soon_ms) + jck_reading_us(open->bytes_since);
    int64_t knock = jrpc_deadline_in_ms(link->clock, knock_ms(link));
    soon =
        jck_target_traits(link->target)->can_reconnect && soon < now->last_us ? soon : now->last_us;
    now->deadline_us = knock < soon ? knock : soon;
    now->knocked = now->deadline_us == soon;
    now->extensions = EXTENSIONS_MAX;
    bool lost = false; // a second fence went out, and the first was never answered
    jck_sync state = send_fence(now);
    while (state == JCK_SYNC_FENCED) {
        bool knocked = now->knocked;
        jck_heard_kind kind =
            jck_hear_with(link, now->connection, now->deadline_us, now->ear, now->error);
        if (kind == JCK_HEARD_FENCE) {
            learn_pace(link, open);
            learn_knock(now);
            jck_connection_settled(open);
            link->habits.fence_apart_ms = lost ? APART_MS : link->habits.fence_apart_ms;
            return JCK_SYNC_FENCED;
        }
        if (kind == JCK_HEARD_SILENCE) {
            return JCK_SYNC_OVER; // it closed after its answer, as it does
        }
        if (kind == JCK_HEARD_ECHO) {
            jck_connection_fail(open, JCK_CONNECTION_MUTE);
            return JCK_SYNC_MUTE;
        }
        if (jck_heard_is_end(kind)) {
            return end_of(kind);
        }
        if (kind == JCK_HEARD_TIMEOUT) {
            state = wait_on(now, soon);
            lost = lost || now->knocked != knocked;
            continue;
        }
        lost = lost && kind != JCK_HEARD_LATE_FENCE;
        *now->missing -= kind == JCK_HEARD_MESSAGE && *now->missing > 0 ? 1 : 0;
        if ((kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_LATE_FENCE) && now->extensions > 0) {
            // A target that answers one call after the other has only now begun with the fence.
            now->extensions--;
            now->last_us = last_moment(link, open, link->timing.reply_ms);
            now->deadline_us =
                now->knocked ? now->last_us : jrpc_deadline_in_ms(link->clock, knock_ms(link));
        }
    }
    return state;
}

// Over when the exchange is. Where an exchange is a connection that the target closes after its
// answer, and it does not, a fence makes it answer.
static jck_sync by_transport(sync *now)
{
    jck_link *link = now->link;
    jck_connection *open = jck_link_connection(link, now->connection);
    if (!jck_connection_is_open(open) ||
        (open->state != JCK_CONNECTION_ASKED && link->target->events_url != NULL)) {
        return JCK_SYNC_OVER; // that it is over was heard before
    }
    int64_t reply_ms = link->timing.reply_ms;
    int64_t first_ms = reply_ms + jck_reading_us(open->bytes_since) / 1000;
    bool closes = link->habits.use == JCK_USE_ONE;
    now->deadline_us =
        jrpc_deadline_in_ms(link->clock, closes ? link->timing.patience_ms : first_ms);
    now->last_us = jrpc_deadline_in_ms(link->clock, first_ms + (EXCHANGE_PATIENCE - 1) * reply_ms);
    bool heard = false;
    for (;;) {
        jck_heard_kind kind =
            jck_hear_with(link, now->connection, now->deadline_us, now->ear, now->error);
        if (kind == JCK_HEARD_SILENCE) {
            return JCK_SYNC_OVER;
        }
        if (jck_heard_is_end(kind)) {
            return end_of(kind);
        }
        if (kind == JCK_HEARD_TIMEOUT && closes) {
            jck_sync proof = by_fence(now);
            if (proof == JCK_SYNC_FENCED) {
                jck_link_close(link, now->connection); // that was its one answer
            }
            return proof;
        }
        if (kind == JCK_HEARD_TIMEOUT && heard) {
            ++*now->expired;
            jck_connection_spend(open);
            return JCK_SYNC_LEFT;
        }
        if (kind == JCK_HEARD_TIMEOUT) {
            return give_up(now, JCK_SYNC_MUTE);
        }
        if (kind == JCK_HEARD_DEFERRED) {
            now->last_us = jrpc_deadline_in_ms(link->clock, EXCHANGE_PATIENCE * reply_ms);
        }
        if (kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_ECHO || kind == JCK_HEARD_DEFERRED) {
            heard = heard || kind != JCK_HEARD_DEFERRED;
            *now->missing -= kind == JCK_HEARD_MESSAGE && *now->missing > 0 ? 1 : 0;
            int64_t next = jrpc_deadline_in_ms(link->clock, reply_ms);
            now->deadline_us = next < now->last_us ? next : now->last_us;
        }
    }
}

jck_sync jck_synchronise(jck_link *link, char connection, size_t *missing, const jck_ear *ear,
                         uint64_t *expired, jrpc_error *error)
{
    sync now = {.link = link,
                .connection = connection,
                .missing = missing,
                .ear = ear,
                .expired = expired,
                .error = error};
    jck_spent_kind before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_FENCES);
    jck_sync end = jck_link_exchanges(link) ? by_transport(&now) : by_fence(&now);
    (void)jck_spent_begin(&link->spent, link->clock, before);
    return end;
}
