#include "harness/session/collect.h"

#include "harness/judge/match.h"
#include "reference/json/read.h"

// What was owed has come: learns how long it took if the messages were long.
static void note_reading(const jck_exec *exec, char connection, size_t bytes)
{
    jck_link *link = exec->session->link;
    int64_t asked_us = jck_link_connection(link, connection)->asked_us;
    jck_reading_note(&link->learned.reading, bytes, jrpc_clock_now_us(link->clock) - asked_us);
}

// Begins a wait: an attempt that decides, and is not a first look, has patience with a process of
// ours.
static void begin_allowance(const jck_exec *exec, jck_allowance *allowance)
{
    jck_link *link = exec->session->link;
    bool decides = exec->watch != JCK_WATCH_FENCES && link->timing.listen_ms == 0;
    *allowance = (jck_allowance){0};
    if (decides) {
        jck_allowance_begin(allowance, link->clock, jck_link_process(link), link->timing.elastic,
                            &link->learned.worked_in_vain);
    }
}

// When an attempt after which the connection is listened to looks whether the target still works on
// what it was sent. If it does not, the answer is missing for now.
#define IDLE_LOOK_MS 50

static int64_t look_at(const jck_exec *exec, int64_t deadline_us)
{
    const jck_link *link = exec->session->link;
    int64_t look_us = jrpc_deadline_in_ms(link->clock, IDLE_LOOK_MS);
    return link->timing.listen_ms > 0 && look_us < deadline_us ? look_us : deadline_us;
}

bool jck_collect(jck_exec *exec, char connection, size_t count, int64_t within_ms)
{
    jck_link *link = exec->session->link;
    jck_allowance allowance = {0};
    if (count > 0) {
        begin_allowance(exec, &allowance);
    }
    int64_t deadline = jrpc_deadline_in_ms(link->clock, within_ms);
    int64_t look_us = look_at(exec, deadline);
    const bool waits = count > 0;
    jck_exec_settle(exec, JCK_SETTLED);
    while (count > 0 && jck_exec_goes_on(exec)) {
        switch (jck_exec_hear(exec, connection, look_us)) {
        case JCK_HEARD_MESSAGE:
        case JCK_HEARD_ECHO:
            count--;
            break;
        case JCK_HEARD_DEFERRED:
            deadline = jrpc_deadline_in_ms(link->clock, within_ms);
            look_us = deadline;
            break;
        case JCK_HEARD_SILENCE:
            if (link->target->events_url != NULL) {
                break; // it may still come as an event
            }
            jck_exec_settle(exec, JCK_TRANSPORT_END);
            return false;
        case JCK_HEARD_TIMEOUT:
            if (look_us < deadline && !jck_link_has_nothing_to_do(link)) {
                look_us = look_at(exec, deadline);
                break;
            }
            if (jck_allowance_lasts(&allowance, link->clock)) {
                deadline = jrpc_deadline_in_ms(link->clock, JCK_ALLOWANCE_LOOK_MS);
                look_us = deadline;
                break;
            }
            exec->session->timers_expired++;
            return false;
        case JCK_HEARD_FENCE:
        case JCK_HEARD_LATE_FENCE:
        case JCK_HEARD_PUSH:
        case JCK_HEARD_REQUEST:
        case JCK_HEARD_NOISE:
        case JCK_HEARD_END:
        case JCK_HEARD_FLOOD:
        case JCK_HEARD_INTERRUPT:
        case JCK_HEARD_FAULT:
            break;
        }
    }
    if (waits && count == 0) {
        jck_allowance_rewarded(&allowance);
        note_reading(exec, connection, jck_link_connection(link, connection)->bytes_since);
    }
    return count == 0;
}

void jck_collect_for(jck_exec *exec, char connection, int64_t window_ms)
{
    jck_link *link = exec->session->link;
    int64_t deadline = jrpc_deadline_in_ms(link->clock, window_ms);
    const jck_connection *open = jck_link_connection(link, connection);
    while (jck_exec_goes_on(exec) && jck_connection_is_open(open) &&
           jck_exec_hear(exec, connection, deadline) != JCK_HEARD_TIMEOUT) {
    }
}

void jck_collect_quiet(jck_exec *exec, char connection)
{
    jck_collect_for(exec, connection, exec->session->link->timing.quiet_ms);
}

void jck_collect_while_busy(jck_exec *exec, char connection)
{
    jck_link *link = exec->session->link;
    int64_t deadline_us = jrpc_deadline_in_ms(link->clock, link->timing.quiet_ms);
    int64_t look_us = look_at(exec, deadline_us);
    const jck_connection *open = jck_link_connection(link, connection);
    while (jck_exec_goes_on(exec) && jck_connection_is_open(open)) {
        bool over = jck_exec_hear(exec, connection, look_us) == JCK_HEARD_TIMEOUT;
        if (over && (look_us >= deadline_us || jck_link_has_nothing_to_do(link))) {
            return;
        }
        look_us = over ? look_at(exec, deadline_us) : look_us;
    }
}

void jck_collect_surplus(jck_exec *exec, char connection, bool came)
{
    bool hurries = came && exec->session->link->timing.listen_ms > 0;
    (hurries ? jck_collect_while_busy : jck_collect_quiet)(exec, connection);
}

// How often an answer to a long message is waited for in vain before it is believed that such
// messages get none; once is enough if this many were answered before the fence after them.
#define VAIN_MAX 2
#define IN_ORDER_MIN 2
// The part of the time that reading a long message may take for which a first look waits.
#define FIRST_LOOK_PART 20

static bool seems_in_order(const jck_learned *learned)
{
    return learned->overtaken == 0 && learned->in_order >= IN_ORDER_MIN;
}

bool jck_answers_in_order(const jck_learned *learned)
{
    return learned->overtaken == 0 &&
           learned->waited_in_vain >= (seems_in_order(learned) ? 1 : VAIN_MAX);
}

int64_t jck_overtaken_us(const jck_learned *learned, size_t bytes)
{
    return seems_in_order(learned) ? jck_reading_learned_us(&learned->reading, bytes)
                                   : jck_reading_most_us(bytes);
}

// For many messages, a target is given this many times what it was seen to need for one message,
// for each of them, but no more than this many times the time of one answer.
#define MANY_PATIENCE 3

// Listens while the process works, as it may work on the missing answer, until it has had the time
// that reading that many bytes may take. Returns how many messages are still missing.
static size_t collect_from_working(jck_exec *exec, char connection, size_t missing, size_t bytes)
{
    jck_link *link = exec->session->link;
    const int64_t last_us = jrpc_clock_now_us(link->clock) + jck_reading_most_us(bytes);
    jck_allowance allowance;
    jck_allowance_begin(&allowance, link->clock, jck_link_process(link), link->timing.elastic,
                        &link->learned.worked_in_vain);
    while (missing > 0 && link->learned.worked_in_vain < JCK_ALLOWANCE_IN_VAIN_MAX &&
           jck_exec_goes_on(exec) &&
           jck_connection_is_open(jck_link_connection(link, connection)) &&
           jck_process_is_busy(jck_link_process(link))) {
        if (jrpc_clock_now_us(link->clock) >= last_us &&
            !jck_allowance_lasts(&allowance, link->clock)) {
            link->learned.worked_in_vain += allowance.process != 0; // otherwise it was counted
            return missing;
        }
        jck_heard_kind kind = jck_exec_hear(
            exec, connection, jrpc_deadline_in_ms(link->clock, JCK_ALLOWANCE_LOOK_MS));
        missing -= kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_ECHO ? 1 : 0;
    }
    if (missing == 0) {
        link->learned.worked_in_vain = 0;
    }
    return missing;
}

// An answer that a fence has overtaken may take this many times as long as the slowest one so far.
#define LATE_TIMES 2

// How long a concurrent target may still work on many messages that a fence overtook: what it was
// seen to need for each, several times, within limits.
static int64_t many_us(const jck_link *link, size_t messages)
{
    const jck_timing *timing = &link->timing;
    int64_t reply_ms = timing->listen_ms > 0 ? timing->listen_ms : timing->reply_ms;
    int64_t most_us = reply_ms * 1000 * JCK_MANY_REPLIES;
    int64_t each_us = jck_work_mean_us(&link->learned.work) * MANY_PATIENCE;
    int64_t late_us = link->learned.late_each_us * LATE_TIMES;
    each_us = late_us > each_us ? late_us : each_us;
    return each_us > 0 && (int64_t)messages > most_us / each_us ? most_us
                                                                : each_us * (int64_t)messages;
}

// Learns how long the answer to this many messages took, which a fence had overtaken.
static void note_late(const jck_exec *exec, size_t messages, bool came, int64_t asked_us)
{
    jck_learned *learned = &exec->session->link->learned;
    int64_t took_us = jrpc_clock_now_us(exec->session->link->clock) - asked_us;
    int64_t each_us = took_us / (int64_t)(messages > 0 ? messages : 1);
    learned->late_us = came && took_us > learned->late_us ? took_us : learned->late_us;
    learned->late_each_us =
        came && each_us > learned->late_each_us ? each_us : learned->late_each_us;
}

// The same as below for many short messages, which all of them take time.
static bool await_many(jck_exec *exec, char connection, size_t missing, size_t messages,
                       int64_t asked_us)
{
    jck_link *link = exec->session->link;
    if (link->learned.many_in_vain >= VAIN_MAX) {
        jck_collect_while_busy(exec, connection);
        return false;
    }
    int64_t wait_ms = link->timing.reply_ms + many_us(link, messages) / 1000;
    bool came = jck_collect(exec, connection, missing, wait_ms);
    note_late(exec, messages, came, asked_us);
    link->learned.many_in_vain = came ? 0 : link->learned.many_in_vain + 1;
    if (came) {
        link->learned.many.overtaken++;
        jck_learn_work(&link->learned, messages, jrpc_clock_now_us(link->clock) - asked_us);
    }
    jck_exec_settle(exec, JCK_FENCED);
    return came;
}

// If a fence overtakes an answer, an attempt alone waits for it with the full time-out. After this
// many such waits in vain, it waits only LATE_LEAST_MS.
#define WHOLE_IN_VAIN_MAX 2
#define LATE_LEAST_MS 1000
// … or LATE_TIMES as long as the slowest answer of that kind, if that is longer.

// Whether an attempt alone leaves the rest of the time for an answer that a fence has overtaken to
// the background. It does not for a batch that may take longer, because that time is not known
// there.
static bool leaves_the_rest(const jck_exec *exec, size_t messages)
{
    const jck_link *link = exec->session->link;
    bool as_one = messages <= 1 || many_us(link, messages) <= link->timing.listen_ms * 1000;
    return exec->watch != JCK_WATCH_FENCES && link->timing.listen_ms > 0 && as_one;
}

// How long to wait for an answer that a fence has overtaken. An attempt alone decides whether it is
// missing at all, so it uses the full time-out, and more for a batch whose calls are slow, unless
// that was in vain too often. If it leaves the rest to the background, it waits only as long as an
// answer takes.
static int64_t overtaken_ms(const jck_exec *exec, size_t messages)
{
    const jck_timing *timing = &exec->session->link->timing;
    const jck_learned *learned = &exec->session->link->learned;
    int64_t reply_ms = timing->listen_ms > 0 ? timing->listen_ms : timing->reply_ms;
    int64_t batch_ms = messages > 1 ? many_us(exec->session->link, messages) / 1000 : 0;
    int64_t whole_ms = batch_ms > reply_ms ? batch_ms : reply_ms;
    int64_t ms = timing->quiet_ms;
    int64_t seen_ms = learned->late_us * LATE_TIMES / 1000;
    ms = learned->overtaken_in_vain < WHOLE_IN_VAIN_MAX && seen_ms > ms ? seen_ms : ms;
    if (exec->watch != JCK_WATCH_FENCES) {
        bool leaves = leaves_the_rest(exec, messages);
        int64_t least_ms = leaves ? timing->quiet_ms : LATE_LEAST_MS;
        ms = seen_ms > least_ms ? seen_ms : least_ms;
        ms = !leaves && learned->overtaken_in_vain < WHOLE_IN_VAIN_MAX ? whole_ms : ms;
    }
    return ms < whole_ms ? ms : whole_ms;
}

// Waits for an answer to short messages that a fence has overtaken: a concurrent target may need
// longer for them than for the fence. Whether it came.
static bool await_slow(jck_exec *exec, char connection, size_t missing, size_t messages,
                       int64_t asked_us)
{
    jck_link *link = exec->session->link;
    if (exec->usually_silent) {
        return false;
    }
    int64_t wait_ms = overtaken_ms(exec, messages);
    if (wait_ms <= link->timing.quiet_ms && !leaves_the_rest(exec, messages)) {
        jck_collect_while_busy(exec, connection);
        return false;
    }
    bool came = jck_collect(exec, connection, missing, wait_ms);
    bool counts = !leaves_the_rest(exec, messages); // a wait that was cut short was not in vain
    link->learned.overtaken_in_vain = came ? 0 : link->learned.overtaken_in_vain + counts;
    note_late(exec, messages, came, asked_us);
    jck_exec_settle(exec, JCK_FENCED);
    return came;
}

// A concurrent target may answer a fence while it still reads an earlier long message: an answer
// counts as missing only after the time that reading takes. Whether it came.
static bool await_overtaken(jck_exec *exec, char connection, size_t missing, size_t bytes,
                            size_t messages, int64_t asked_us)
{
    const jck_timing *timing = &exec->session->link->timing;
    jck_learned *learned = &exec->session->link->learned;
    bool first_look = timing->listen_ms > 0;
    bool enough = first_look && (seems_in_order(learned) ||
                                 (learned->overtaken == 0 && learned->looked_in_vain >= VAIN_MAX));
    bool is_long = jck_reading_is_long(bytes);
    if (!is_long && messages >= JCK_MANY_MESSAGES) {
        return await_many(exec, connection, missing, messages, asked_us);
    }
    if (!is_long) {
        return await_slow(exec, connection, missing, messages, asked_us);
    }
    missing = collect_from_working(exec, connection, missing, bytes);
    if (missing > 0 && (jck_answers_in_order(learned) || enough ||
                        (first_look && jck_link_has_nothing_to_do(exec->session->link)))) {
        return await_slow(exec, connection, missing, messages, asked_us);
    }
    int64_t wait_us = first_look ? jck_reading_most_us(bytes) / FIRST_LOOK_PART
                                 : jck_overtaken_us(learned, bytes);
    wait_us += messages > 1 ? many_us(exec->session->link, messages) : 0;
    bool came =
        missing == 0 || jck_collect(exec, connection, missing, timing->reply_ms + wait_us / 1000);
    learned->overtaken += came ? 1 : 0;
    learned->waited_in_vain += came || first_look ? 0 : 1;
    learned->looked_in_vain += came ? 0 : 1;
    jck_exec_settle(exec, JCK_FENCED);
    return came;
}

// Drives the proof that nothing more comes until it is over, and records what was sent and heard
// for it. *missing is counted down.
static jck_sync_end synchronise(jck_exec *exec, char connection, size_t *missing)
{
    jck_sync sync;
    jck_sync_begin(&sync, exec->session->link, connection, *missing, exec->error);
    for (jck_sync_turn turn; (turn = jck_sync_next(&sync)) != JCK_SYNC_TURN_OVER;) {
        if (turn == JCK_SYNC_TURN_FENCE) {
            jck_exec_sent(exec, connection, JCK_MESSAGE_OF_FENCE, jrpc_buffer_slice(&sync.fence));
        } else {
            jck_sync_take(&sync, jck_exec_note_heard(exec, connection, &sync.heard));
        }
    }
    *missing = sync.missing;
    exec->session->timers_expired += sync.expired;
    return jck_sync_done(&sync);
}

bool jck_collect_all(jck_exec *exec, char connection, size_t missing)
{
    jck_session *session = exec->session;
    if (!jck_link_exchanges(session->link) &&
        exec->evidence->settled[exec->step] == JCK_TRANSPORT_END) {
        return missing == 0; // the transport has proved more than a fence could
    }
    const size_t bytes = jck_link_connection(session->link, connection)->bytes_since;
    const size_t messages = jck_link_connection(session->link, connection)->messages_since;
    const int64_t asked_us = jck_link_connection(session->link, connection)->asked_us;
    jck_exec_settle(exec, JCK_SETTLED);
    const size_t owed = missing;
    switch (synchronise(exec, connection, &missing)) {
    case JCK_SYNC_FENCED:
        jck_exec_settle(exec, JCK_FENCED);
        if (missing == 0 && owed > 0 && jck_reading_is_long(bytes)) {
            session->link->learned.in_order++;
        }
        return missing == 0 ||
               await_overtaken(exec, connection, missing, bytes, messages, asked_us);
    case JCK_SYNC_OVER:
        jck_exec_settle(exec, JCK_TRANSPORT_END);
        if (missing == 0 && owed > 0) {
            note_reading(exec, connection, bytes);
        }
        return missing == 0;
    case JCK_SYNC_MUTE:
        jck_exec_settle(exec, JCK_MUTE);
        break;
    case JCK_SYNC_UNSENT:
        jck_exec_settle(exec, JCK_UNSENT);
        break;
    case JCK_SYNC_INTERRUPTED:
        exec->status = JCK_SESSION_INTERRUPTED;
        break;
    case JCK_SYNC_FAULT:
        exec->status = JCK_SESSION_FAULT;
        break;
    case JCK_SYNC_LEFT:
    case JCK_SYNC_ENDED:   // the record says so already
    case JCK_SYNC_FLOODED: // likewise
        break;
    }
    return false;
}

// From this length on, a concurrent target may still be reading a message while it answers several
// fences.
#define LATE_LEAST_BYTES 4096

void jck_collect_late(jck_exec *exec, char connection, size_t bytes)
{
    jck_link *link = exec->session->link;
    bool gives_up = link->learned.late_in_vain >= VAIN_MAX && link->timing.listen_ms > 0;
    if (bytes < LATE_LEAST_BYTES || gives_up || !jck_exec_goes_on(exec) ||
        jck_exec_has_heard(exec)) {
        return;
    }
    int64_t quiet_us = link->timing.quiet_ms * 1000;
    int64_t learned_us = jck_reading_learned_us(&link->learned.reading, bytes);
    uint64_t before = exec->session->timers_expired;
    size_t missing = collect_from_working(exec, connection, 1, bytes);
    bool first_look = link->timing.listen_ms > 0;
    bool reads = jck_reading_is_long(bytes) && !(first_look && jck_link_has_nothing_to_do(link));
    int64_t wait_us = reads && learned_us > quiet_us ? learned_us : quiet_us;
    bool came = missing == 0 || jck_collect(exec, connection, missing, wait_us / 1000);
    exec->session->timers_excused += exec->session->timers_expired - before; // it may get none
    link->learned.late_in_vain = came ? 0 : link->learned.late_in_vain + 1;
    jck_exec_settle(exec, JCK_FENCED);
}

// How often a pattern must still be met at least.
static int64_t least_of(jrpc_json pattern)
{
    jrpc_json times = jrpc_json_get(pattern, "$times");
    int64_t least = 1;
    if (jrpc_json_is(times, JRPC_JSON_ARRAY)) {
        times = jrpc_json_element(times, 0);
    }
    if (jrpc_json_exists(times)) {
        (void)jrpc_json_int64(times, &least);
    }
    return least;
}

// Counts a message for the first pattern that still waits for it.
static void count_message(const jck_exec *exec, jrpc_json patterns, const jck_message *message,
                          int64_t *missing)
{
    const jck_matching matching = {.resolve = jck_variables_resolve,
                                   .context = exec->variables,
                                   .arena = exec->evidence->arena};
    jrpc_json_document document;
    size_t index = 0;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, message->bytes, JCK_MESSAGE_DEPTH, NULL)) {
        jrpc_json value = jrpc_json_root(&document);
        jrpc_json_iterator it = jrpc_json_iterate(patterns);
        for (bool counted = false; !counted && jrpc_json_step(&it); index++) {
            counted = missing[index] > 0 && jck_match_message(&matching, it.value, value);
            missing[index] -= counted ? 1 : 0;
        }
    }
    jrpc_json_document_done(&document);
}

static bool all_met(const int64_t *missing, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (missing[i] > 0) {
            return false;
        }
    }
    return true;
}

bool jck_await(jck_exec *exec, const jck_step *step, int64_t within_ms)
{
    jck_evidence *evidence = exec->evidence;
    const jrpc_clock *clock = exec->session->link->clock;
    int64_t deadline_us = jrpc_deadline_in_ms(clock, within_ms);
    size_t count = jrpc_json_count(step->patterns);
    int64_t *missing = jrpc_arena_array(evidence->arena, count + 1, sizeof *missing);
    if (missing == NULL) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for what is awaited");
        exec->status = JCK_SESSION_FAULT;
        return false;
    }
    size_t index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(step->patterns); jrpc_json_step(&it);) {
        missing[index++] = least_of(it.value);
    }
    size_t seen = evidence->count;
    while (!all_met(missing, count)) {
        int64_t left_ms = (deadline_us - jrpc_clock_now_us(clock)) / 1000;
        if (!jck_collect(exec, step->connection, 1, left_ms > 0 ? left_ms : 0)) {
            return false;
        }
        for (; seen < evidence->count; seen++) {
            const jck_message *message = &evidence->messages[seen];
            if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
                message->step == exec->step) {
                count_message(exec, step->patterns, message, missing);
            }
        }
    }
    jck_exec_settle(exec, JCK_SETTLED);
    return true;
}
