#include "harness/live/round.h"

#include "harness/link/open.h"
#include "harness/link/synchronise.h"
#include "harness/live/scan.h"
#include "reference/base/utf8.h"
#include "reference/json/scan.h"

#include <string.h>

#define FRAMED_BYTES ((size_t)16 << 20)
#define NODES_BYTES ((size_t)128 << 20)
// How many proofs are requested while answers are missing: a target that works on several messages
// at once may answer the first proof before them.
#define PROOFS_MOST 3
#define CUTS_MOST 8
#define SECOND_US INT64_C(1000000)

void jck_round_init(jck_round *round, jck_link *link, const jck_due_context *context)
{
    *round = (jck_round){.link = link, .context = context};
    jck_account_init(&round->account, context);
    jrpc_buffer_init(&round->bytes, jrpc_allocator_heap(), JCK_ROUND_BYTES);
    jrpc_buffer_init(&round->framed, jrpc_allocator_heap(), FRAMED_BYTES);
    jrpc_arena_init(&round->nodes, jrpc_allocator_heap(), NODES_BYTES);
    jrpc_json_document_init(&round->reading, jrpc_allocator_heap());
}

void jck_round_done(jck_round *round)
{
    jrpc_json_document_done(&round->reading);
    jrpc_arena_done(&round->nodes);
    jrpc_buffer_done(&round->framed);
    jrpc_buffer_done(&round->bytes);
    jck_account_done(&round->account);
}

void jck_round_clear(jck_round *round)
{
    round->count = 0;
    round->loose_count = 0;
    jck_taken_return(&round->taken, 0);
    jrpc_buffer_clear(&round->bytes);
    jrpc_arena_clear(&round->nodes);
}

static bool is_blank(jrpc_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        if (!jrpc_scan_is_space(bytes.ptr[i])) {
            return false;
        }
    }
    return true;
}

bool jck_round_carries(const jck_round *round, jrpc_slice bytes)
{
    const jck_target *target = round->link->target;
    const jrpc_traits *traits = jck_target_traits(target);
    if (is_blank(bytes) || (traits->text_is_utf8 && !jrpc_utf8_is_valid(bytes.ptr, bytes.len))) {
        return false;
    }
    if (!traits->byte_stream) {
        return true;
    }
    bool lines = target->framing == JRPC_FRAMING_LINE;
    return !(lines && memchr(bytes.ptr, '\r', bytes.len) != NULL) &&
           jrpc_framing_carries(target->framing, bytes, NULL);
}

static bool is_loose(const jck_due *due)
{
    return jrpc_json_is(due->id, JRPC_JSON_NUMBER) && (due->odd & JCK_ODD_ID) != 0;
}

// Whether the answers to two messages may have the same id because one id is a Number that a target
// may change.
static bool may_be_confused(const jck_due *a, const jck_due *b)
{
    return jrpc_json_is(a->id, JRPC_JSON_NUMBER) && jrpc_json_is(b->id, JRPC_JSON_NUMBER) &&
           (is_loose(a) || is_loose(b)) &&
           (jck_id_number_may_return_as(a->id_number, b->id_number) ||
            jck_id_number_may_return_as(b->id_number, a->id_number));
}

// Whether an earlier message on the connection has the same id, so that an answer could belong to
// either, or the target could refuse the second.
static bool is_taken(jck_round *round, char connection, const jck_due *due)
{
    const bool loose = is_loose(due);
    const size_t others = loose                                     ? round->count - 1
                          : jrpc_json_is(due->id, JRPC_JSON_NUMBER) ? round->loose_count
                                                                    : 0;
    for (size_t i = 0; i < others; i++) {
        const jck_sent *other = &round->sent[loose ? i : round->loose[i]];
        if (other->connection == connection && may_be_confused(&other->due, due)) {
            return true;
        }
    }
    return !jck_taken_add(&round->taken, connection, (uint16_t)round->count, due->value);
}

// Reads the message and derives what is due for it. False if out of memory.
static bool derive(jck_round *round, jck_sent *sent)
{
    sent->document = round->reading;
    sent->due = jck_due_for(round->context, sent->bytes, &sent->document);
    round->reading = sent->document; // it may have grown
    size_t bytes = sent->document.count * sizeof *sent->document.nodes;
    sent->document.nodes = jrpc_arena_alloc(&round->nodes, bytes);
    sent->document.capacity = sent->document.count;
    if (sent->document.nodes != NULL && bytes > 0) {
        memcpy(sent->document.nodes, round->reading.nodes, bytes);
    }
    return sent->document.nodes != NULL;
}

bool jck_round_add(jck_round *round, char connection, jrpc_slice bytes, const jck_travel *travel)
{
    static const jck_travel as_usual = {.piece_count = 0};
    // Slices of messages point into the buffer, so it is allocated before the first one.
    char *room;
    if (round->count == JCK_ROUND_MOST || bytes.len == 0 || !jck_round_carries(round, bytes) ||
        round->bytes.len + bytes.len > JCK_ROUND_BYTES ||
        (round->count == 0 && !jrpc_buffer_reserve(&round->bytes, JCK_ROUND_BYTES, &room))) {
        return false;
    }
    size_t at = round->bytes.len;
    if (!jrpc_buffer_append(&round->bytes, bytes)) {
        return false;
    }
    jck_sent *sent = &round->sent[round->count];
    sent->connection = connection;
    sent->bytes = jrpc_slice_of(round->bytes.ptr + at, bytes.len);
    sent->travel = travel == NULL ? as_usual : *travel;
    if (!derive(round, sent)) {
        jrpc_buffer_truncate(&round->bytes, at);
        return false;
    }
    sent->due.kind = sent->travel.open ? JCK_DUE_ANY : sent->due.kind;
    sent->due.travel = jck_travel_class(&sent->travel);
    sent->taken = round->taken.count;
    round->count++;
    const bool taken = is_taken(round, connection, &sent->due);
    if (is_loose(&sent->due)) {
        round->loose[round->loose_count++] = (uint16_t)(round->count - 1);
    }
    if (taken) {
        jck_round_take_back(round);
    }
    return !taken;
}

void jck_round_take_back(jck_round *round)
{
    round->count--;
    round->loose_count -= is_loose(&round->sent[round->count].due) ? 1 : 0;
    jck_taken_return(&round->taken, round->sent[round->count].taken);
    jrpc_buffer_truncate(&round->bytes, round->bytes.len - round->sent[round->count].bytes.len);
}

// Records how a wait ended. Returns whether the round goes on.
static bool note_end(jck_round *round, jck_sync_end end)
{
    switch (end) {
    case JCK_SYNC_FENCED:
    case JCK_SYNC_OVER:
    case JCK_SYNC_LEFT:
        return true;
    case JCK_SYNC_MUTE:
    case JCK_SYNC_UNSENT:
        round->end = JCK_SYMPTOM_MUTE;
        return false;
    case JCK_SYNC_ENDED:
        round->end = JCK_SYMPTOM_ENDED;
        return false;
    case JCK_SYNC_FLOODED:
        round->end = JCK_SYMPTOM_FLOOD;
        return false;
    case JCK_SYNC_INTERRUPTED:
    case JCK_SYNC_FAULT:
        round->interrupted = true;
        return false;
    }
    return false;
}

// 0 for less than a second, 1 for less than ten, and so on.
static unsigned magnitude_of(int64_t us)
{
    unsigned magnitude = 0;
    for (; us >= SECOND_US; us /= 10) {
        magnitude++;
    }
    return magnitude;
}

// Enters an answer on a stream, and how long it took after the one before.
static void hear(jck_round *round, char connection, const jck_heard *heard)
{
    const int64_t now_us = jrpc_clock_now_us(round->link->clock);
    jck_account_hear(&round->account, connection, heard->value, heard->broken);
    if (!jck_link_exchanges(round->link)) {
        jck_account_note_last(&round->account, magnitude_of(now_us - round->heard_us));
    }
    round->heard_us = now_us;
}

// Runs the proof to its end, and enters what is received meanwhile in the account.
static jck_sync_end synchronise(jck_round *round, char connection, size_t missing,
                                jrpc_error *error)
{
    jck_sync sync;
    jck_sync_begin(&sync, round->link, connection, missing, error);
    for (jck_sync_turn turn; (turn = jck_sync_next(&sync)) != JCK_SYNC_TURN_OVER;) {
        jck_heard_kind kind = sync.heard.kind;
        if (turn == JCK_SYNC_TURN_FENCE && round->rest != NULL && !round->rested) {
            round->rested = true;
            round->rest(round->rest_context);
        }
        if (turn == JCK_SYNC_TURN_HEARD) {
            round->status = sync.heard.received.http_status > 0 ? sync.heard.received.http_status
                                                                : round->status;
            if (kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_ECHO) {
                hear(round, connection, &sync.heard);
            }
            jck_sync_take(&sync, kind);
        }
    }
    round->expired += sync.expired;
    return jck_sync_done(&sync);
}

// If answers are still missing after the last proof, the target may answer in another order: we
// listen, without sending, until it falls silent. Returns whether the round goes on.
static bool wait_for_rest(jck_round *round, char connection, jrpc_error *error)
{
    const jck_link *link = round->link;
    jck_heard_kind kind = JCK_HEARD_MESSAGE;
    while (jck_account_missing(&round->account, connection) > 0 && kind != JCK_HEARD_TIMEOUT) {
        int64_t deadline = jrpc_deadline_in_ms(link->clock, link->timing.quiet_ms);
        jck_heard heard = jck_link_hear(round->link, connection, deadline, error);
        kind = heard.kind;
        if (jck_heard_is_end(kind)) {
            return note_end(round, kind == JCK_HEARD_END     ? JCK_SYNC_ENDED
                                   : kind == JCK_HEARD_FLOOD ? JCK_SYNC_FLOODED
                                                             : JCK_SYNC_INTERRUPTED);
        }
        if (kind == JCK_HEARD_MESSAGE || kind == JCK_HEARD_ECHO) {
            hear(round, connection, &heard);
        }
    }
    return true;
}

static bool listen_to(jck_round *round, char connection, jrpc_error *error)
{
    bool exchanges = jck_link_exchanges(round->link);
    for (int proof = 0; proof < (exchanges ? 1 : PROOFS_MOST); proof++) {
        size_t missing = jck_account_missing(&round->account, connection);
        if (proof > 0 && missing == 0) {
            break;
        }
        if (!note_end(round, synchronise(round, connection, missing, error))) {
            return false;
        }
    }
    return exchanges || wait_for_rest(round, connection, error);
}

// Handles a failure to send. Returns whether the round goes on: what the target wrote before it
// left must still be read.
static bool note_event(jck_round *round, jrpc_peer_event event)
{
    round->interrupted = event == JRPC_PEER_INTERRUPTED || event == JRPC_PEER_FAULT;
    if (event == JRPC_PEER_TIMEOUT) {
        round->end = JCK_SYMPTOM_MUTE;
    }
    return event == JRPC_PEER_MESSAGE || event == JRPC_PEER_ENDED;
}

// Sends the messages of one connection, from message `from` on: all framed together if the
// transport is a byte stream. *ret_next is the first that was not sent.
static bool send_stream(jck_round *round, size_t from, size_t *ret_next, jrpc_random *random,
                        jrpc_error *error)
{
    char connection = round->sent[from].connection;
    size_t to = from;
    jrpc_buffer_clear(&round->framed);
    while (
        to < round->count && round->sent[to].connection == connection &&
        jck_travel_is_usual(&round->sent[to].travel) &&
        jrpc_framing_encode(round->link->target->framing, round->sent[to].bytes, &round->framed)) {
        to++;
    }
    size_t cuts[CUTS_MOST];
    jck_payload how = {.raw = true, .chunks = cuts};
    if (random != NULL && jrpc_random_below(random, 8) == 0) {
        how.chunk_count = 1 + (size_t)jrpc_random_below(random, CUTS_MOST);
        for (size_t i = 0; i < how.chunk_count; i++) {
            size_t before = i == 0 ? 0 : cuts[i - 1];
            cuts[i] = before + (size_t)jrpc_random_below(random, round->framed.len - before + 1);
        }
    }
    *ret_next = to;
    return note_event(round,
                      jck_link_send_many(round->link, connection, jrpc_buffer_slice(&round->framed),
                                         to - from, &how, error));
}

static bool send_one(jck_round *round, size_t index, jrpc_error *error)
{
    const jck_sent *sent = &round->sent[index];
    const jck_travel *travel = &sent->travel;
    if (jck_target_traits(round->link->target)->byte_stream && travel->piece_count > 0) {
        const jck_payload how = {.chunks = travel->pieces, .chunk_count = travel->piece_count};
        return note_event(
            round, jck_link_send_chunks(round->link, sent->connection, &how, sent->bytes, error));
    }
    jrpc_manner manner = jck_travel_manner(travel);
    manner.lean = round->link->target->mirrors == NULL;
    return note_event(round,
                      jck_link_send(round->link, sent->connection, sent->bytes, &manner, error));
}

static jck_link_status open_all(jck_round *round, jrpc_error *error)
{
    jck_link_status status = JCK_LINK_OK;
    bool opened[JCK_CONNECTIONS_MAX] = {false};
    for (size_t i = 0; i < round->count && status == JCK_LINK_OK; i++) {
        char connection = round->sent[i].connection;
        if (!opened[connection - 'a']) {
            opened[connection - 'a'] = true;
            jck_link_leave_used(round->link);
            status = jck_link_open(round->link, connection, error);
        }
    }
    return status;
}

// One exchange after the other, for transports on which each message is one.
static bool run_exchanges(jck_round *round, jrpc_error *error)
{
    const jrpc_clock *clock = round->link->clock;
    for (size_t i = 0; i < round->count; i++) {
        jck_link_leave_used(round->link);
        jck_link_status opened = jck_link_open(round->link, round->sent[i].connection, error);
        if (opened != JCK_LINK_OK) {
            round->interrupted = opened == JCK_LINK_INTERRUPTED || opened == JCK_LINK_FAULT;
            round->end = JCK_SYMPTOM_ENDED;
            round->count = i; // the rest was never sent
            return !round->interrupted;
        }
        int64_t began_us = jrpc_clock_now_us(clock);
        round->status = 0;
        bool goes_on =
            send_one(round, i, error) && listen_to(round, round->sent[i].connection, error);
        jck_account_note(&round->account, i, round->status,
                         magnitude_of(jrpc_clock_now_us(clock) - began_us));
        if (!goes_on) {
            round->count = i + 1;
            return !round->interrupted;
        }
    }
    return true;
}

static void send_all(jck_round *round, jrpc_random *random, jrpc_error *error)
{
    bool bytes = jck_target_traits(round->link->target)->carries_raw &&
                 jck_target_traits(round->link->target)->byte_stream;
    for (size_t i = 0; i < round->count && round->end == JCK_SYMPTOM_NONE;) {
        bool many = bytes && jck_travel_is_usual(&round->sent[i].travel);
        bool sent = many ? send_stream(round, i, &i, random, error) : send_one(round, i++, error);
        if (!sent) {
            break;
        }
    }
}

static bool listen_to_all(jck_round *round, jrpc_error *error)
{
    bool heard_of[JCK_CONNECTIONS_MAX] = {false};
    for (size_t i = 0; i < round->count && !round->interrupted; i++) {
        char connection = round->sent[i].connection;
        if (!heard_of[connection - 'a']) {
            heard_of[connection - 'a'] = true;
            (void)listen_to(round, connection, error);
        }
    }
    return !round->interrupted;
}

jck_round_outcome jck_round_send(jck_round *round, jrpc_random *random, jrpc_error *error)
{
    round->end = JCK_SYMPTOM_NONE;
    round->interrupted = false;
    round->rested = false;
    round->heard_us = jrpc_clock_now_us(round->link->clock);
    jck_account_begin(&round->account, round->sent, round->count);
    jck_link_hear_anew(round->link);
    jck_link_status opened = open_all(round, error);
    if (opened != JCK_LINK_OK) {
        return opened == JCK_LINK_INTERRUPTED ? JCK_ROUND_INTERRUPTED
               : opened == JCK_LINK_FAULT     ? JCK_ROUND_FAULT
                                              : JCK_ROUND_UNOPENED;
    }
    if (!jck_link_exchanges(round->link)) {
        send_all(round, random, error);
    }
    return JCK_ROUND_CLEAN;
}

jck_round_outcome jck_round_listen(jck_round *round, jrpc_error *error)
{
    bool exchanges = jck_link_exchanges(round->link);
    if (!(exchanges ? run_exchanges(round, error) : listen_to_all(round, error))) {
        return error->code == JRPC_OK || error->code == JRPC_ERROR_INTERRUPTED
                   ? JCK_ROUND_INTERRUPTED
                   : JCK_ROUND_FAULT;
    }
    round->account.count = round->count;
    size_t symptoms = jck_account_close(&round->account);
    if (round->end != JCK_SYMPTOM_NONE) {
        jck_link_drop(round->link);
    }
    return symptoms > 0 || round->end != JCK_SYMPTOM_NONE ? JCK_ROUND_SUSPICIOUS : JCK_ROUND_CLEAN;
}

jck_round_outcome jck_round_run(jck_round *round, jrpc_random *random, jrpc_error *error)
{
    jck_round_outcome sent = jck_round_send(round, random, error);
    return sent == JCK_ROUND_CLEAN ? jck_round_listen(round, error) : sent;
}
