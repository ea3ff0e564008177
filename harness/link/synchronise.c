#include "harness/link/synchronise.h"

#include "harness/link/open.h"

// How soon a target that answers only when more is sent then answers.
#define PROMPT_US 20000
// When a second connection is tried to see whether the target is alive.
#define SOON_MS 1500
// The same for a first look, after which the connection is listened to in the background.
#define SOON_FIRST_MS 500
#define QUIET_FIRST_MS 100
// How often an answer that comes during the wait for a fence restarts that wait.
#define EXTENSIONS_MAX 3
// How long to pause between a message and its fence if the target was seen to lose fences.
#define APART_MS 25
// How many times the time of one answer a stream of events is listened to.
#define EXCHANGE_PATIENCE 4
// Once all that is owed has come, the fence is given so many times the time of one answer.
#define REST_PATIENCE 2
// A message that comes in small pieces is waited for as long as it grows by this much in a second,
// up to this many times the time of one answer.
#define GROWTH_BYTES_PER_S 256
#define GROWTH_PATIENCE 4

// How often a first look that lasts longer than one answer takes looks whether the target works.
#define LOOK_AGAIN_MS 50

#define FENCE_BYTES 1024

static int64_t now_us(const jck_sync *sync)
{
    return jrpc_clock_now_us(sync->link->clock);
}

static int64_t in_ms(const jck_sync *sync, int64_t ms)
{
    return jrpc_deadline_in_ms(sync->link->clock, ms);
}

// A time for reading, or the time that sending suggests if that is longer.
static int64_t at_least_sending_us(const jck_sync *sync, int64_t read_us)
{
    return read_us > sync->sending_us ? read_us : sync->sending_us;
}

// How long reading what was sent since the last proof may take. A first look waits only as long as
// was learned, because the connection is listened to afterwards.
static int64_t reading_us(const jck_sync *sync, const jck_connection *open)
{
    const jck_link *link = sync->link;
    int64_t read_us = link->timing.listen_ms > 0
                          ? jck_reading_learned_us(&link->learned.reading, open->bytes_since)
                          : jck_reading_most_us(open->bytes_since);
    return at_least_sending_us(sync, read_us);
}

// The same for the fence of a proof. Once all that is owed has come, little but the fence itself is
// left to work on: what the target needs for each message no longer counts.
static int64_t last_of_proof(const jck_sync *sync, int64_t reply_ms, int64_t read_us)
{
    const jck_link *link = sync->link;
    const jck_connection *open = jck_link_connection(sync->link, sync->connection);
    int64_t last_us = jck_last_moment(link, open, reply_ms, read_us, sync->missing);
    int64_t alone_us = in_ms(sync, reply_ms * REST_PATIENCE);
    return sync->owed > 0 && sync->missing == 0 && alone_us < last_us ? alone_us : last_us;
}

static void settle(jck_sync *sync, jck_sync_end end)
{
    sync->phase = JCK_SYNC_SETTLED;
    sync->end = end;
}

static void settle_by(jck_sync *sync, jck_heard_kind end)
{
    settle(sync, end == JCK_HEARD_END         ? JCK_SYNC_ENDED
                 : end == JCK_HEARD_FLOOD     ? JCK_SYNC_FLOODED
                 : end == JCK_HEARD_INTERRUPT ? JCK_SYNC_INTERRUPTED
                                              : JCK_SYNC_FAULT);
}

static void count_down(jck_sync *sync, jck_heard_kind kind)
{
    sync->missing -= kind == JCK_HEARD_MESSAGE && sync->missing > 0 ? 1 : 0;
}

// The connection is mute. After a first look it is listened to in the background.
static void give_up(jck_sync *sync, jck_sync_end as)
{
    jck_link *link = sync->link;
    jck_connection *open = jck_link_connection(link, sync->connection);
    sync->expired++;
    if (link->timing.listen_ms > 0) {
        int64_t read_us = at_least_sending_us(sync, jck_reading_most_us(open->bytes_since));
        int64_t waited_us = now_us(sync) - sync->planned_us;
        int64_t full_us = in_ms(sync, link->timing.listen_ms) - waited_us;
        open->keep_us =
            sync->idle ? full_us : last_of_proof(sync, link->timing.listen_ms, read_us) - waited_us;
        open->idle_us = jck_link_is_prompt(link) ? full_us : 0;
        link->mute = open->number;
    }
    jck_connection_fail(open, JCK_CONNECTION_MUTE);
    settle(sync, as);
}

// Sends a fence. If the target has left, listens all the same: it may have sent something before.
static void send_fence(jck_sync *sync)
{
    jrpc_buffer_clear(&sync->fence);
    sync->phase = JCK_SYNC_LISTENING;
    sync->fence_us = now_us(sync);
    switch (jck_link_send_fence(sync->link, sync->connection, &sync->fence, sync->error)) {
    case JRPC_PEER_TIMEOUT:
        give_up(sync, JCK_SYNC_UNSENT);
        break;
    case JRPC_PEER_INTERRUPTED:
        settle(sync, JCK_SYNC_INTERRUPTED);
        break;
    case JRPC_PEER_FAULT:
        settle(sync, JCK_SYNC_FAULT);
        break;
    case JRPC_PEER_MESSAGE:
    case JRPC_PEER_NOISE:
    case JRPC_PEER_SILENT:
    case JRPC_PEER_ENDED:
        break;
    }
}

// Whether the target answers as soon as the last fence was sent.
static bool is_prompt(const jck_sync *sync)
{
    return now_us(sync) - sync->fence_us < PROMPT_US;
}

// Learns whether a second fence makes the target answer; nothing where none was needed, as a target
// may hold back only some of its answers.
static void learn_knock(const jck_sync *sync)
{
    if (sync->fenced_twice) {
        sync->link->learned.knocked = is_prompt(sync) ? sync->link->learned.knocked + 1 : 0;
    }
}

// Decides how long to wait for the answer to the fence that is sent next.
static void plan_fence(jck_sync *sync)
{
    const jck_link *link = sync->link;
    const jck_connection *open = jck_link_connection(sync->link, sync->connection);
    sync->last_us =
        jck_last_moment(link, open, link->timing.reply_ms, reading_us(sync, open), sync->missing);
    int64_t soon_ms = link->timing.listen_ms > 0 ? SOON_FIRST_MS : SOON_MS;
    int64_t soon = in_ms(sync, soon_ms) + reading_us(sync, open);
    int64_t knock = in_ms(sync, jck_link_knock_ms(link));
    bool asks = jck_target_traits(link->target)->can_reconnect && soon < sync->last_us;
    sync->soon_us = asks ? soon : sync->last_us;
    sync->deadline_us = knock < sync->soon_us ? knock : sync->soon_us;
    sync->knocked = sync->deadline_us == sync->soon_us;
    sync->extensions = EXTENSIONS_MAX;
    sync->planned_us = now_us(sync);
    sync->look_us = jck_link_first_look_us(link, open);
    sync->phase = JCK_SYNC_SENDING;
}

// Pauses for a moment between a message and the fence if the target was seen to lose fences.
static void begin_fence(jck_sync *sync)
{
    if (sync->link->learned.fence_apart_ms > 0) {
        sync->deadline_us = in_ms(sync, sync->link->learned.fence_apart_ms);
        sync->phase = JCK_SYNC_APART;
    } else {
        plan_fence(sync);
    }
}

static void take_apart(jck_sync *sync, jck_heard_kind kind)
{
    count_down(sync, kind);
    if (kind == JCK_HEARD_TIMEOUT) {
        plan_fence(sync);
    } else if (jck_heard_is_end(kind)) {
        settle_by(sync, kind);
    }
}

// Whether an incomplete message has grown since the last look, so that it is worth waiting a little
// longer: the target is not mute but still writing.
static bool grows(jck_sync *sync)
{
    int64_t now = now_us(sync);
    int64_t reply_ms = sync->link->timing.reply_ms;
    size_t begun = sync->heard.received.true_len;
    size_t more = begun > sync->begun ? begun - sync->begun : 0;
    size_t least = (size_t)((now - sync->begun_us) / 1000 * GROWTH_BYTES_PER_S / 1000);
    bool first = sync->whole_by_us == 0;
    if (begun == 0 || (!first && (more == 0 || more < least))) {
        return false;
    }
    sync->whole_by_us = first ? in_ms(sync, GROWTH_PATIENCE * reply_ms) : sync->whole_by_us;
    sync->begun = begun;
    sync->begun_us = now;
    jck_connection *open = jck_link_connection(sync->link, sync->connection);
    open->unfinished = now >= sync->whole_by_us;
    return !open->unfinished;
}

// Looks whether the target has nothing to do. One that has begun a message still writes it.
static void look(jck_sync *sync)
{
    bool begun = sync->heard.received.true_len > 0;
    sync->idle = !begun && jck_link_has_nothing_to_do(sync->link);
    sync->look_us = in_ms(sync, LOOK_AGAIN_MS);
}

// The wait ran out. A target that treats each read as one message may have lost a fence sent right
// after the message, so a second fence is sent. If that is not answered either, but a new
// connection is, the target has had time to answer on this one.
static void wait_on(jck_sync *sync)
{
    jck_link *link = sync->link;
    if (now_us(sync) < sync->deadline_us) {
        look(sync);
        if (sync->idle && sync->knocked) {
            give_up(sync, JCK_SYNC_MUTE);
        }
        if (!sync->idle || sync->knocked) {
            return;
        }
    }
    if (!sync->knocked) {
        sync->knocked = true;
        sync->fenced_twice = true;
        int64_t again_us = in_ms(sync, LOOK_AGAIN_MS);
        sync->look_us = sync->look_us > again_us ? sync->look_us : again_us;
        bool asks = sync->soon_us > now_us(sync) && sync->soon_us < sync->last_us;
        sync->deadline_us = asks ? sync->soon_us : sync->last_us;
        sync->lost = true;
        sync->phase = JCK_SYNC_SENDING;
        return;
    }
    if (sync->deadline_us >= sync->last_us &&
        (grows(sync) || jck_allowance_lasts(&sync->allowance, link->clock))) {
        sync->last_us = in_ms(sync, link->timing.reply_ms);
        sync->deadline_us = sync->last_us;
        return;
    }
    if (sync->deadline_us >= sync->last_us) {
        give_up(sync, JCK_SYNC_MUTE);
        return;
    }
    // On a busy machine, another thread may answer there while one still works on this connection.
    bool busy = link->timing.elastic && jck_busy_times(link->clock, 2) > 1;
    if (!busy && jck_link_answers_elsewhere(link)) {
        bool first_look = link->timing.listen_ms > 0 && link->timing.quiet_ms > QUIET_FIRST_MS;
        sync->last_us = in_ms(sync, first_look ? QUIET_FIRST_MS : link->timing.quiet_ms);
    }
    sync->deadline_us = sync->last_us;
}

// Learns how long the target took. If it answers the fence promptly, it was idle before, and the
// time between the last answer and the fence does not count.
static void learn_work(const jck_sync *sync)
{
    const jck_connection *open = jck_link_connection(sync->link, sync->connection);
    int64_t from_us = is_prompt(sync) ? sync->fence_us - sync->answers_us : open->asked_us;
    jck_learn_work(&sync->link->learned, open->messages_since, now_us(sync) - from_us);
}

static void take_answer(jck_sync *sync)
{
    jck_link *link = sync->link;
    jck_connection *open = jck_link_connection(link, sync->connection);
    // Otherwise the fence overtook messages that the target still works on.
    if (sync->missing == 0) {
        learn_work(sync);
    }
    learn_knock(sync);
    jck_allowance_rewarded(&sync->allowance);
    jck_connection_settled(open);
    link->learned.fence_apart_ms = sync->lost ? APART_MS : link->learned.fence_apart_ms;
    if (jck_link_exchanges(link)) {
        jck_link_close(link, sync->connection); // that was its one answer
    }
    settle(sync, JCK_SYNC_FENCED);
}

// One answer fewer is missing, so less time is needed for the rest.
static void shorten(jck_sync *sync)
{
    const jck_link *link = sync->link;
    const jck_connection *open = jck_link_connection(sync->link, sync->connection);
    int64_t last_us =
        jck_last_moment(link, open, link->timing.reply_ms, reading_us(sync, open), sync->missing);
    sync->last_us = last_us < sync->last_us ? last_us : sync->last_us;
    sync->deadline_us = sync->deadline_us < sync->last_us ? sync->deadline_us : sync->last_us;
}

static void take_listening(jck_sync *sync, jck_heard_kind kind)
{
    jck_link *link = sync->link;
    jck_connection *open = jck_link_connection(link, sync->connection);
    if (kind == JCK_HEARD_FENCE) {
        take_answer(sync);
    } else if (kind == JCK_HEARD_SILENCE) {
        settle(sync, JCK_SYNC_OVER); // it closed after its answer, as it always does
    } else if (kind == JCK_HEARD_ECHO) {
        jck_connection_fail(open, JCK_CONNECTION_MUTE);
        settle(sync, JCK_SYNC_MUTE);
    } else if (jck_heard_is_end(kind)) {
        settle_by(sync, kind);
    } else if (kind == JCK_HEARD_TIMEOUT) {
        wait_on(sync);
    } else {
        sync->lost = sync->lost && kind != JCK_HEARD_LATE_FENCE;
        size_t missing = sync->missing;
        count_down(sync, kind);
        bool extends = kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_LATE_FENCE;
        bool was_last = missing > 0 && sync->missing == 0;
        if (link->timing.brisk && sync->missing < missing) {
            shorten(sync);
        }
        if (extends && (sync->extensions > 0 || was_last)) {
            // A target that answers calls one after the other has only now begun to work on the
            // fence.
            sync->extensions -= sync->extensions > 0;
            sync->planned_us = now_us(sync);
            sync->look_us = jck_link_first_look_us(link, open);
            sync->last_us = last_of_proof(sync, link->timing.reply_ms, reading_us(sync, open));
            sync->deadline_us =
                sync->knocked ? sync->last_us : in_ms(sync, jck_link_knock_ms(link));
        }
    }
}

// Over when the exchange is. If exchanges are connections that the target closes after its answer,
// but this one stays open, a fence makes it answer.
static void begin_exchange(jck_sync *sync)
{
    jck_link *link = sync->link;
    const jck_connection *open = jck_link_connection(link, sync->connection);
    if (!jck_connection_is_open(open) ||
        (open->state != JCK_CONNECTION_ASKED && link->target->events_url != NULL)) {
        settle(sync, JCK_SYNC_OVER); // that it is over was heard before
        return;
    }
    int64_t reply_ms = link->timing.reply_ms;
    bool closes = link->learned.use == JCK_USE_ONE;
    int64_t first_us = jck_last_moment(link, open, reply_ms, reading_us(sync, open), sync->missing);
    sync->deadline_us = closes ? in_ms(sync, link->timing.patience_ms) : first_us;
    sync->last_us = first_us + (EXCHANGE_PATIENCE - 1) * reply_ms * 1000;
    sync->planned_us = now_us(sync);
    sync->look_us = closes ? INT64_MAX : jck_link_idle_look_us(link, open);
    sync->phase = JCK_SYNC_EXCHANGE;
}

static void end_exchange(jck_sync *sync)
{
    jck_link *link = sync->link;
    if (link->learned.use == JCK_USE_ONE) {
        begin_fence(sync);
    } else if (sync->talks) {
        sync->expired++;
        jck_connection_spend(jck_link_connection(link, sync->connection));
        settle(sync, JCK_SYNC_LEFT);
    } else {
        give_up(sync, JCK_SYNC_MUTE);
    }
}

static void take_exchange(jck_sync *sync, jck_heard_kind kind)
{
    const jck_timing *timing = &sync->link->timing;
    int64_t reply_ms = timing->reply_ms;
    bool one = sync->link->learned.use == JCK_USE_ONE;
    if (kind == JCK_HEARD_TIMEOUT && now_us(sync) < sync->deadline_us) {
        look(sync);
        if (sync->idle) {
            end_exchange(sync);
        }
    } else if (kind == JCK_HEARD_SILENCE) {
        settle(sync, JCK_SYNC_OVER);
    } else if (jck_heard_is_end(kind)) {
        settle_by(sync, kind);
    } else if (kind == JCK_HEARD_TIMEOUT &&
               (grows(sync) || jck_allowance_lasts(&sync->allowance, sync->link->clock))) {
        sync->deadline_us = in_ms(sync, one ? timing->patience_ms : reply_ms);
    } else if (kind == JCK_HEARD_TIMEOUT) {
        end_exchange(sync);
    } else if (kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_ECHO || kind == JCK_HEARD_DEFERRED) {
        bool later = kind == JCK_HEARD_DEFERRED;
        sync->look_us = INT64_MAX; // it is at work, or has said something
        sync->last_us = later ? in_ms(sync, EXCHANGE_PATIENCE * reply_ms) : sync->last_us;
        sync->talks = sync->talks || !later;
        count_down(sync, kind);
        bool closes = one && sync->missing == 0 && !later;
        int64_t next = in_ms(sync, closes ? timing->patience_ms : reply_ms);
        sync->deadline_us = next < sync->last_us ? next : sync->last_us;
    }
}

void jck_sync_begin(jck_sync *sync, jck_link *link, char connection, size_t missing,
                    jrpc_error *error)
{
    *sync = (jck_sync){.missing = missing,
                       .owed = missing,
                       .link = link,
                       .connection = connection,
                       .error = error};
    const jck_connection *open = jck_link_connection(link, connection);
    sync->sending_us = jck_reading_by_sending_us(open);
    sync->answers_us = open->heard_us > open->asked_us ? open->heard_us - open->asked_us : 0;
    // After a first look, the connection is listened to.
    sync->patient_us = link->timing.listen_ms == 0 ? in_ms(sync, LOOK_AGAIN_MS) : INT64_MAX;
    jrpc_buffer_init(&sync->fence, jrpc_allocator_heap(), FENCE_BYTES);
    sync->spent_before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_FENCES);
    if (jck_link_exchanges(link)) {
        begin_exchange(sync);
    } else {
        begin_fence(sync);
    }
}

// Until when to listen. After the time of one answer a first look looks now and then whether the
// target is still at work.
static int64_t wait_until(const jck_sync *sync)
{
    bool waits = sync->phase == JCK_SYNC_LISTENING || sync->phase == JCK_SYNC_EXCHANGE;
    bool looks = waits && sync->look_us < sync->deadline_us;
    return looks ? sync->look_us : sync->deadline_us;
}

// Most answers come sooner than it takes to find out what a process of ours has done so far, so
// that is only looked at in a longer wait.
static jck_heard hear(jck_sync *sync)
{
    jck_link *link = sync->link;
    if (sync->patient_us < wait_until(sync)) {
        jck_heard heard = jck_link_hear(link, sync->connection, sync->patient_us, sync->error);
        if (heard.kind != JCK_HEARD_TIMEOUT) {
            return heard;
        }
        sync->patient_us = INT64_MAX;
        jck_allowance_begin(&sync->allowance, link->clock, jck_link_process(link),
                            link->timing.elastic, &link->learned.worked_in_vain);
    }
    return jck_link_hear(link, sync->connection, wait_until(sync), sync->error);
}

jck_sync_turn jck_sync_next(jck_sync *sync)
{
    switch (sync->phase) {
    case JCK_SYNC_SENDING:
        send_fence(sync);
        return JCK_SYNC_TURN_FENCE;
    case JCK_SYNC_APART:
    case JCK_SYNC_LISTENING:
    case JCK_SYNC_EXCHANGE:
        sync->heard = hear(sync);
        return JCK_SYNC_TURN_HEARD;
    case JCK_SYNC_SETTLED:
        break;
    }
    return JCK_SYNC_TURN_OVER;
}

void jck_sync_take(jck_sync *sync, jck_heard_kind kind)
{
    switch (sync->phase) {
    case JCK_SYNC_APART:
        take_apart(sync, kind);
        break;
    case JCK_SYNC_LISTENING:
        take_listening(sync, kind);
        break;
    case JCK_SYNC_EXCHANGE:
        take_exchange(sync, kind);
        break;
    case JCK_SYNC_SENDING:
    case JCK_SYNC_SETTLED:
        break;
    }
}

jck_sync_end jck_sync_done(jck_sync *sync)
{
    jrpc_buffer_done(&sync->fence);
    (void)jck_spent_begin(&sync->link->spent, sync->link->clock, sync->spent_before);
    return sync->end;
}
