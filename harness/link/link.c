#include "harness/link/link.h"

#include "harness/link/mirror.h"

#include <assert.h>
#include <errno.h>
#include <sys/socket.h>

// Ten seconds for a megabyte, and no more for longer messages: a target that drops them would delay
// the run for minutes.
#define READING_US_PER_BYTE 10
#define READING_MOST_US 10000000
#define READING_LONG_US 500000
// After this many answers to long messages, the reading speed is known. Others are given this many
// times the slowest, because nesting is harder to read than text, and at least a second.
#define READING_ANSWERS 2
#define READING_TIMES 50
#define READING_LEAST_US 1000000
#define MIB ((int64_t)1 << 20)

#define CAPTURES_BYTES ((size_t)1 << 20)
#define RECORD_BYTES ((size_t)64 << 20)

// A document's nodes are bounded, because a message of nothing but brackets would cost twenty times
// its text. A message with more nodes counts as one whose content is not known.
#define NODES_BYTES ((size_t)32 << 20)

static void *resize_bounded(void *context, void *ptr, size_t size)
{
    const jrpc_allocator *heap = context;
    return size > NODES_BYTES ? NULL : heap->resize(heap->context, ptr, size);
}

void jck_link_init(jck_link *link, jck_target *target, const jck_timing *timing,
                   const jrpc_clock *clock, int interrupt_fd, uint32_t nonce, jck_host *host)
{
    *link = (jck_link){
        .target = target, .timing = *timing, .clock = clock, .nonce = nonce, .host = host};
    link->endpoint = (jrpc_endpoint){
        .transport = target->transport,
        .role = JRPC_ROLE_CLIENT,
        .framing = target->framing,
        .argv = target->command,
        .directory = target->directory,
        .environment = target->environment,
        .dial = target->dial,
        .dial_context = target->dial_context,
        .host = target->host,
        .port = target->port,
        .path = target->path,
        .url = target->url,
        .headers = target->headers,
        .mirror = jck_mirror_headers,
        .mirror_context = target,
        .ca_file = target->ca_file,
        .insecure = target->insecure,
        .cert_file = target->cert_file,
        .key_file = target->key_file,
        .proxy = target->proxy,
        .memory = target->memory,
        .events_url = target->events_url,
        .max_message = target->max_message > 0 ? target->max_message : JCK_RECEIVED_BYTES,
        .interrupt_fd = interrupt_fd,
        .allocator = jrpc_allocator_heap(),
        .clock = clock,
    };
    // The heap's allocator is only read, although the context of an allocator is not declared
    // const.
    union {
        const jrpc_allocator *heap;
        void *context;
    } bounded = {.heap = jrpc_allocator_heap()};
    link->nodes = (jrpc_allocator){resize_bounded, bounded.context};
    jrpc_arena_init(&link->arena, jrpc_allocator_heap(), CAPTURES_BYTES);
    jrpc_arena_init(&link->record, jrpc_allocator_heap(), RECORD_BYTES);
    jrpc_random_init(&link->random, jrpc_random_seed());
    // A serial that no execution has, so that no case uses an id of the prelude again.
    jck_variables_init(&link->captured, &link->arena, target, nonce, UINT32_MAX);
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_connection_init(&link->connections[i], &link->nodes);
    }
}

bool jck_link_learn_from(jck_link *link, const jck_link *other)
{
    link->learned = other->learned;
    return jck_variables_inherit(&link->captured, other->captured.first);
}

jck_connection *jck_link_connection(jck_link *link, char connection)
{
    assert(connection >= 'a' && connection < 'a' + JCK_CONNECTIONS_MAX);
    return &link->connections[connection - 'a'];
}

// Puts a connection aside if it is to be listened to and something can still come on it.
static bool put_aside(jck_link *link, jck_connection *open)
{
    bool mute = open->state == JCK_CONNECTION_MUTE;
    if ((!jck_connection_is_open(open) && !mute) ||
        open->keep_us <= jrpc_clock_now_us(link->clock)) {
        return false;
    }
    jck_kept_peer one = {.peer = open->peer,
                         .number = open->number,
                         .until_us = open->keep_us,
                         .idle_us = open->idle_us,
                         .mute = mute};
    jck_allowance_begin(&one.allowance, link->clock, jck_link_process(link), link->timing.elastic,
                        &link->learned.worked_in_vain);
    if (!jck_kept_put(&link->kept, &one)) {
        return false;
    }
    static const char *const none[] = {NULL};
    jrpc_peer_set_headers(open->peer, none); // its headers live as long as the connection
    (void)jck_connection_take(open);
    return true;
}

void jck_link_close(jck_link *link, char connection)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (open->state == JCK_CONNECTION_CLOSED || put_aside(link, open)) {
        return;
    }
    jck_spent_kind before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_CLOSING);
    if (jck_target_traits(link->target)->is_child && jck_connection_is_open(open)) {
        jck_kept_dismiss(&link->kept, jck_connection_take(open), link->clock,
                         link->timing.grace_ms);
    } else {
        bool mute = open->state == JCK_CONNECTION_MUTE;
        jck_connection_close(open, jck_kept_grace_ms(mute, link->timing.grace_ms));
    }
    (void)jck_spent_begin(&link->spent, link->clock, before);
}

void jck_link_spare(jck_link *link)
{
    (void)put_aside(link, jck_link_connection(link, 'a'));
}

jck_kept_state jck_link_look_aside(jck_link *link, uint64_t number, int64_t until_us,
                                   int64_t deadline_us)
{
    jck_spent_kind before = jck_spent_listen(&link->spent, link->clock);
    jck_kept_state state =
        jck_kept_look(&link->kept, number, link->clock,
                      deadline_us < until_us ? deadline_us : until_us, link->timing.grace_ms);
    if (state == JCK_KEPT_LISTENS && jrpc_clock_now_us(link->clock) >= until_us) {
        state = JCK_KEPT_QUIET; // others may still be waited for
    }
    bool in_vain = state == JCK_KEPT_LISTENS || state == JCK_KEPT_QUIET;
    jck_spent_heard(&link->spent, link->clock, before, in_vain);
    return state;
}

void jck_link_hasten(jck_link *link, uint64_t number, int64_t by_us)
{
    jck_kept_hasten(&link->kept, number, by_us);
}

void jck_link_forget(jck_link *link, uint64_t number)
{
    jck_spent_kind before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_CLOSING);
    jck_kept_close(&link->kept, number, link->timing.grace_ms);
    (void)jck_spent_begin(&link->spent, link->clock, before);
}

void jck_link_drop_aside(jck_link *link)
{
    jck_spent_kind before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_CLOSING);
    jck_kept_drop(&link->kept, link->clock, link->timing.grace_ms);
    (void)jck_spent_begin(&link->spent, link->clock, before);
}

void jck_link_stderr_tail(jck_link *link, uint32_t generation, jrpc_buffer *out)
{
    const jck_connection *first = jck_link_connection(link, 'a');
    if (jck_host_is_used(link->host)) {
        jck_host_stderr_tail(link->host, generation, out);
    } else if (first->state != JCK_CONNECTION_CLOSED) {
        jrpc_peer_stderr_tail(first->peer, out);
    }
}

void jck_link_drop(jck_link *link)
{
    for (int i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_link_close(link, (char)('a' + i));
    }
}

void jck_link_stop(jck_link *link)
{
    jck_link_drop(link);
    jck_spent_kind before = jck_spent_begin(&link->spent, link->clock, JCK_SPENT_CLOSING);
    jck_host_stop(link->host, link->generation);
    (void)jck_spent_begin(&link->spent, link->clock, before);
}

void jck_link_done(jck_link *link)
{
    jck_link_drop(link);
    jck_kept_drop(&link->kept, link->clock, link->timing.grace_ms);
    jrpc_arena_done(&link->record);
    jrpc_arena_done(&link->arena);
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_connection_done(&link->connections[i]);
    }
}

int64_t jck_link_process(jck_link *link)
{
    const jck_connection *open = jck_link_connection(link, 'a');
    int64_t child = open->peer == NULL ? 0 : jrpc_peer_process(open->peer);
    return child != 0 ? child : jck_host_process(link->host, link->generation);
}

bool jck_link_exchanges(const jck_link *link)
{
    return jck_target_traits(link->target)->exchanges || link->learned.use == JCK_USE_ONE;
}

// Whether the other side has closed a connection, without a further message, before the next case
// used it. Earlier messages may not have been proved to be dealt with, as on the second connection
// of a case.
static bool is_left(const jck_connection *connection)
{
    char byte;
    bool waits =
        connection->state == JCK_CONNECTION_READY || connection->state == JCK_CONNECTION_ASKED;
    int descriptor = waits ? jrpc_peer_descriptor(connection->peer) : -1;
    if (descriptor < 0) {
        return false;
    }
    ssize_t got = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && (errno == ECONNRESET || errno == EPIPE));
}

void jck_link_leave_used(jck_link *link)
{
    jck_host_end end;
    bool anew = jck_target_traits(link->target)->can_reconnect;
    for (int i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        const jck_connection *connection = &link->connections[i];
        bool used = link->learned.use == JCK_USE_ONE && connection->state != JCK_CONNECTION_READY;
        // The end of a connection may be seen before the end of its process, which is not idleness.
        if (used || (anew && is_left(connection) &&
                     !jck_host_is_gone(link->host, link->generation,
                                       jrpc_deadline_in_ms(link->clock, JCK_FOLLOW_MS), &end))) {
            jck_link_close(link, (char)('a' + i));
        }
    }
}

int64_t jck_reading_most_us(size_t bytes)
{
    return bytes < READING_MOST_US / READING_US_PER_BYTE ? (int64_t)bytes * READING_US_PER_BYTE
                                                         : READING_MOST_US;
}

bool jck_reading_is_long(size_t bytes)
{
    return jck_reading_most_us(bytes) > READING_LONG_US;
}

void jck_reading_note(jck_reading *reading, size_t bytes, int64_t took_us)
{
    if (jck_reading_is_long(bytes) && took_us >= 0) {
        int64_t us_per_mib = took_us * MIB / (int64_t)bytes;
        reading->answers++;
        reading->us_per_mib = us_per_mib > reading->us_per_mib ? us_per_mib : reading->us_per_mib;
    }
}

int64_t jck_reading_learned_us(const jck_reading *reading, size_t bytes)
{
    int64_t most_us = jck_reading_most_us(bytes);
    if (reading->answers < READING_ANSWERS || reading->us_per_mib > READING_MOST_US) {
        return most_us;
    }
    int64_t mib = (int64_t)(bytes / (size_t)MIB) + 1;
    int64_t seen_us = reading->us_per_mib * READING_TIMES * mib;
    seen_us = seen_us > READING_LEAST_US ? seen_us : READING_LEAST_US;
    return seen_us < most_us ? seen_us : most_us;
}

int64_t jck_work_mean_us(const jck_work *work)
{
    return work->messages > 0 ? work->us / work->messages : 0;
}

// For many messages, a target is given this many times what it was seen to need for one message,
// for each of them, but no more than this many times the time of one answer. At first its needs are
// not known: then a guess is used, with a lower limit.
#define WORK_PATIENCE 3
#define WORK_MOST 20
#define WORK_GUESS_US 250000
#define WORK_GUESS_MOST 4
// If the timing is brisk, a target may still be working on this many messages for each missing
// answer, and this many more, because some messages get no answer.
#define BRISK_TIMES 2
#define BRISK_MORE 8

static int64_t work_us(int64_t messages, int64_t each_us, int64_t most_us)
{
    return each_us > 0 && messages > most_us / each_us ? most_us : each_us * messages;
}

bool jck_takes_too_long(const jck_link *link, size_t messages, int64_t *ret_us_each)
{
    const jck_learned *learned = &link->learned;
    int64_t replies = learned->many.overtaken > 0 ? JCK_MANY_REPLIES : WORK_MOST;
    *ret_us_each = jck_work_mean_us(&learned->many.work);
    return messages > JCK_MANY_MESSAGES &&
           *ret_us_each > link->timing.reply_ms * 1000 * replies / (int64_t)messages;
}

// How many messages the target may still be working on, if so many answers are missing; some
// messages get none.
static int64_t messages_left(const jck_link *link, const jck_connection *open, size_t missing)
{
    size_t left = missing * BRISK_TIMES + BRISK_MORE;
    return (int64_t)(link->timing.brisk && left < open->messages_since ? left
                                                                       : open->messages_since);
}

int64_t jck_last_moment(const jck_link *link, const jck_connection *open, int64_t reply_ms,
                        int64_t read_us, size_t missing)
{
    int64_t reply_us = reply_ms * 1000 + read_us;
    int64_t messages = messages_left(link, open, missing);
    int64_t seen = work_us(messages, jck_work_mean_us(&link->learned.work) * WORK_PATIENCE,
                           reply_us * WORK_MOST);
    int64_t guess = work_us(messages, WORK_GUESS_US, reply_us * WORK_GUESS_MOST);
    int64_t work = seen > guess ? seen : guess;
    return jrpc_clock_now_us(link->clock) + (work > reply_us ? work : reply_us);
}

bool jck_link_is_prompt(const jck_link *link)
{
    return link->learned.tardy <= link->learned.prompt;
}

bool jck_link_has_nothing_to_do(jck_link *link)
{
    int64_t process = jck_link_process(link);
    return process != 0 && jck_link_is_prompt(link) && !jck_process_is_busy(process);
}

// Most servers that limit the number of calls count them per second.
#define REFUSED_PAUSE_US 1100000

void jck_link_pause(jck_link *link)
{
    link->sent_us = jrpc_clock_now_us(link->clock) + REFUSED_PAUSE_US;
}

// How long to wait for a fence before a second one is sent.
#define KNOCK_MS 300
// Twice what the target needs for a message, if that is longer, up to this.
#define KNOCK_TIMES 2
#define KNOCK_MOST_MS 1000
// The least of that, for a target that answers only when more is sent.
#define KNOCK_LEAST_MS 4
// After a long message, the target gets this many times the time that sending took, up to a minute:
// a target that accepts bytes slowly may still be reading.
#define SENDING_TIMES 2
#define SENDING_MOST_US ((int64_t)60000000)

int64_t jck_reading_by_sending_us(const jck_connection *open)
{
    if (!jck_reading_is_long(open->bytes_since)) {
        return 0;
    }
    int64_t us = open->sending_us * SENDING_TIMES;
    return us < SENDING_MOST_US ? us : SENDING_MOST_US;
}

int64_t jck_link_knock_ms(const jck_link *link)
{
    unsigned helped = link->learned.knocked;
    int64_t slow_ms = link->learned.us_per_message * KNOCK_TIMES / 1000;
    slow_ms = link->timing.listen_ms > 0 ? 0 : slow_ms < KNOCK_MOST_MS ? slow_ms : KNOCK_MOST_MS;
    int64_t first_ms = slow_ms > KNOCK_MS ? slow_ms : KNOCK_MS;
    int64_t ms = helped < 8 ? first_ms >> helped : 0;
    return ms > KNOCK_LEAST_MS ? ms : KNOCK_LEAST_MS;
}

int64_t jck_link_idle_look_us(const jck_link *link, const jck_connection *open)
{
    bool looks = link->timing.idle_ms > 0 && !jck_reading_is_long(open->bytes_since);
    return looks ? jrpc_deadline_in_ms(link->clock, link->timing.idle_ms) : INT64_MAX;
}

int64_t jck_link_first_look_us(const jck_link *link, const jck_connection *open)
{
    int64_t idle_us = jck_link_idle_look_us(link, open);
    return link->timing.listen_ms == 0 ? INT64_MAX
           : idle_us < INT64_MAX       ? idle_us
                                       : jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
}
