// From messages that show a finding to a report: the smallest ones that show it in three of three
// attempts.
#include "harness/generate/minimize.h"
#include "harness/generate/reduce.h"
#include "harness/live/behaviour.h"
#include "harness/live/cause.h"
#include "harness/live/live_private.h"
#include "harness/live/repeat.h"
#include "harness/live/save.h"
#include "harness/live/scan.h"
#include "reference/base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Three attempts must show the finding; the last of them is reported. The last one waits the full
// time, as did the attempt with everything that was sent. The two before it need not.
#define CONFIRMATIONS_BEFORE_REPORT 2
// Replays while a finding is reduced: for each message, and for the sequence.
#define PROBES_MOST 160u
#define SHOTS_MOST JCK_LOSS_MOST
// A sequence of more than JCK_SHOTS_REDUCED messages is made shorter with fewer replays, and so is
// the message of which all are copies; others stay as they are.
#define PROBES_LONG 24u
#define BYTES_MOST ((size_t)1 << 20)
#define ARENA_BYTES ((size_t)16 << 20)
#define TEXT_BYTES 240
#define RULE_BYTES 64

// A finding that is being reduced and confirmed.
typedef struct pursuit {
    jck_fuzzer *fuzzer;
    jck_shot shots[SHOTS_MOST];
    size_t count;
    size_t at;           // the message being reduced
    bool visited;        // clients leave
    bool repeated;       // all are copies of the first, reduced together
    jrpc_arena copies;   // of a probe, if repeated
    uint64_t difference; // that must recur
    uint64_t cause;      // of it; 0: none was found
    uint64_t limit;      // that the smallest message meets; 0: none
    int64_t full_us;     // what the last attempt with the full time took
    bool hasty;          // it last showed after a wait shorter than the full time
    bool stopped;
    char text[TEXT_BYTES]; // of the finding
    char rule[RULE_BYTES]; // that it breaks
} pursuit;

static void keep_words(pursuit *p, const jck_finding *finding)
{
    (void)snprintf(p->text, sizeof p->text, "%.*s", (int)finding->text.len, finding->text.ptr);
    (void)snprintf(p->rule, sizeof p->rule, "%.*s", (int)finding->rule.len, finding->rule.ptr);
    p->hasty = p->fuzzer->replay.attempt->hasty;
}

// Sends messages, and returns what they show.
static jck_probe look(pursuit *p, const jck_shot *shots, size_t count, jck_watch watch, bool fresh,
                      uint64_t *ret_difference)
{
    jck_found found;
    const jck_composition composition = {
        .id = JRPC_SLICE("fuzz/finding"),
        .title = JRPC_SLICE("a finding being made smaller"),
        .shots = shots,
        .shot_count = count,
    };
    jck_replayed replayed = jck_replay_run(&p->fuzzer->replay, &composition, watch, fresh, &found);
    jck_live_count(p->fuzzer->live, p->fuzzer->worker, count);
    switch (replayed) {
    case JCK_REPLAYED_FINE:
        return JCK_PROBE_LACKS;
    case JCK_REPLAYED_STOP:
        p->stopped = true;
        return JCK_PROBE_STOPS;
    case JCK_REPLAYED_FINDS:
        break;
    }
    *ret_difference = found.difference;
    keep_words(p, found.finding);
    return JCK_PROBE_SHOWS;
}

// Whether the messages still show the difference.
static jck_probe shows(pursuit *p, const jck_shot *shots, size_t count, jck_watch watch, bool fresh)
{
    uint64_t difference = 0;
    jck_probe probe = look(p, shots, count, watch, fresh, &difference);
    return probe == JCK_PROBE_SHOWS && difference != p->difference ? JCK_PROBE_LACKS : probe;
}

// Whether it recurs `times` times in a row, on new connections.
static bool comes_again(pursuit *p, int times, jck_watch watch)
{
    bool again = true;
    for (int i = 0; i < times && again; i++) {
        int64_t began_us = jrpc_clock_now_us(p->fuzzer->worker->link.clock);
        again = shows(p, p->shots, p->count, watch, true) == JCK_PROBE_SHOWS ||
                // A process that ends because a client left does so at any moment, perhaps after
                // the last call was answered.
                (p->visited && !p->stopped &&
                 shows(p, p->shots, p->count, watch, true) == JCK_PROBE_SHOWS);
        p->full_us = watch == JCK_WATCH_QUIET
                         ? jrpc_clock_now_us(p->fuzzer->worker->link.clock) - began_us
                         : p->full_us;
    }
    return again;
}

// Whether the run must end, or would end during the report: then the result so far is used.
static bool is_late(const pursuit *p)
{
    jck_worker *worker = p->fuzzer->worker;
    return jck_live_is_over(p->fuzzer->live, worker) ||
           worker->ledger->deadline_us - jrpc_clock_now_us(worker->link.clock) < p->full_us;
}

static jck_probe try_shots(void *context, const size_t *parts, size_t count)
{
    pursuit *p = context;
    jck_shot some[SHOTS_MOST];
    for (size_t i = 0; i < count; i++) {
        some[i] = p->shots[parts[i]];
    }
    return is_late(p) ? JCK_PROBE_STOPS : shows(p, some, count, JCK_WATCH_FENCES, true);
}

static jck_probe try_text(void *context, jrpc_slice text)
{
    pursuit *p = context;
    jck_shot changed[SHOTS_MOST];
    if (!jck_round_carries(p->fuzzer->round, text)) {
        return JCK_PROBE_LACKS;
    }
    memcpy(changed, p->shots, p->count * sizeof *changed);
    changed[p->at].bytes = text;
    jck_travel_fit(&changed[p->at].travel, text.len);
    if (p->repeated) {
        jrpc_arena_clear(&p->copies);
        if (!jck_repeat(changed, 1, p->count, &p->copies, changed)) {
            return JCK_PROBE_LACKS;
        }
    }
    return is_late(p) ? JCK_PROBE_STOPS
                      : shows(p, changed, p->count, JCK_WATCH_FENCES, p->count > 1 && !p->repeated);
}

static jck_probe try_shot(void *context, const jck_shot *shot, uint64_t *ret_difference)
{
    pursuit *p = context;
    if (!jck_round_carries(p->fuzzer->round, shot->bytes) || is_late(p)) {
        return JCK_PROBE_LACKS;
    }
    return look(p, shot, 1, JCK_WATCH_FENCES, true, ret_difference);
}

static void reduce_text(pursuit *p, jrpc_arena *arena)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), BYTES_MOST);
    if (p->shots[p->at].bytes.len > 0 && jrpc_buffer_append(&text, p->shots[p->at].bytes)) {
        // A probe of an answer that does not come waits the whole time for it.
        const bool slow =
            p->count > JCK_SHOTS_REDUCED || p->shots[p->at].parting == JCK_PARTING_ALONE;
        (void)jck_reduce(&text, slow ? PROBES_LONG : PROBES_MOST, try_text, p);
        (void)jrpc_arena_copy(arena, jrpc_buffer_slice(&text), &p->shots[p->at].bytes);
        jck_travel_fit(&p->shots[p->at].travel, text.len);
    }
    jrpc_buffer_done(&text);
}

// Whether the first message is the plain call that a search for losses sends.
static bool is_plain_call(const pursuit *p)
{
    static const jrpc_slice begin = JRPC_SLICE_INIT("{\"jsonrpc\":\"2.0\",\"method\":");
    static const jrpc_slice then = JRPC_SLICE_INIT(",\"params\":[],\"id\":");
    const jrpc_slice absent = p->fuzzer->context.absent;
    const jrpc_slice bytes = p->shots[0].bytes;
    jrpc_slice rest = jrpc_slice_from(bytes, begin.len);
    return jrpc_slice_starts_with(bytes, begin) && jrpc_slice_starts_with(rest, absent) &&
           jrpc_slice_starts_with(jrpc_slice_from(rest, absent.len), then);
}

// The same for copies of one message: the fewest that show it, then the smallest message.
static void shrink_repeated(pursuit *p, jrpc_arena *arena)
{
    size_t lacks = 0;
    const size_t first = p->count;
    for (size_t shown = p->count; lacks + 1 < shown;) {
        // Usually all copies are needed, so try with one less first.
        size_t middle = shown == first ? shown - 1 : lacks + (shown - lacks) / 2;
        jck_probe probe =
            is_late(p) ? JCK_PROBE_STOPS : shows(p, p->shots, middle, JCK_WATCH_FENCES, true);
        if (probe == JCK_PROBE_STOPS) {
            break;
        }
        lacks = probe == JCK_PROBE_SHOWS ? lacks : middle;
        shown = probe == JCK_PROBE_SHOWS ? middle : shown;
        p->count = shown;
    }
    p->at = 0;
    if (is_plain_call(p)) { // already as small as can be
        return;
    }
    jrpc_arena_init(&p->copies, jrpc_allocator_heap(), ARENA_BYTES);
    reduce_text(p, arena);
    jrpc_arena_done(&p->copies);
    p->stopped = p->stopped || !jck_repeat(p->shots, 1, p->count, arena, p->shots);
}

// Shortens the sequence, then each of its messages. The arena keeps the result.
static void shrink(pursuit *p, jrpc_arena *arena)
{
    if (p->shots[0].relation != JCK_RELATION_NONE) { // every message of it is needed
        return;
    }
    if (p->repeated) {
        shrink_repeated(p, arena);
        return;
    }
    size_t parts[SHOTS_MOST];
    size_t scratch[SHOTS_MOST];
    for (size_t i = 0; i < p->count; i++) {
        parts[i] = i;
    }
    bool is_long = p->count > JCK_SHOTS_REDUCED;
    size_t count =
        jck_minimize(parts, p->count, scratch, is_long ? PROBES_LONG : PROBES_MOST, try_shots, p);
    for (size_t i = 0; i < count; i++) {
        p->shots[i] = p->shots[parts[i]];
    }
    p->count = count;
    bool reducible = p->count <= JCK_SHOTS_REDUCED;
    for (p->at = 0; reducible && p->at < p->count && !p->stopped; p->at++) {
        // Whoever stays makes a plain call, so that the finding is about those who left.
        if (!p->visited || p->shots[p->at].parting != JCK_PARTING_NONE) {
            reduce_text(p, arena);
        }
    }
}

// Runs the final case for the last time, under its own name and rule, and reports it. Returns
// whether it recurred.
static bool report(pursuit *p, jrpc_arena *arena)
{
    jck_fuzzer *fuzzer = p->fuzzer;
    jck_found found;
    jck_composition composition = {.shots = p->shots, .shot_count = p->count};
    composition.rule = jrpc_slice_str(p->rule);
    jck_save_name(composition.rule, p->difference, p->text, arena, &composition);
    jck_replayed replayed =
        jck_replay_run(&fuzzer->replay, &composition, JCK_WATCH_QUIET, true, &found);
    if (replayed == JCK_REPLAYED_FINE && p->visited) {
        replayed = jck_replay_run(&fuzzer->replay, &composition, JCK_WATCH_QUIET, true, &found);
    }
    p->stopped = p->stopped || replayed == JCK_REPLAYED_STOP;
    if (replayed != JCK_REPLAYED_FINDS) {
        return false;
    }
    if (jck_live_leaves_out(fuzzer->live, composition.rule)) {
        return true;
    }
    jck_replay *replay = &fuzzer->replay;
    jck_ledger_report_verdict(fuzzer->worker->ledger, &replay->test_case, &replay->attempt->verdict,
                              &replay->attempt->evidence);
    jck_live_count_finding(fuzzer->live, found.finding, p->shots[p->count - 1].bytes);
    if (fuzzer->live->options.save != NULL) {
        jrpc_error error = {0};
        replay->test_case.found = fuzzer->context.target->name;
        if (!jck_save_case(fuzzer->live->options.save, &replay->test_case, &error)) {
            jck_live_note_trouble(fuzzer->live, &error);
        }
    }
    return true;
}

static bool confirm_and_report(pursuit *p, jrpc_arena *arena)
{
    return comes_again(p, CONFIRMATIONS_BEFORE_REPORT, JCK_WATCH_FENCES) && report(p, arena);
}

// Whether the cause of what one message shows has not been reported yet, for this difference or
// another.
static bool is_new_cause(pursuit *p, jrpc_arena *arena)
{
    if (p->count != 1) {
        return true;
    }
    jck_kind_set *kinds = &p->fuzzer->live->kinds;
    jck_cause_search search = {.try_shot = try_shot, .context = p, .arena = arena};
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_due due = jck_due_for(&p->fuzzer->context, p->shots[0].bytes, &document);
    jrpc_json_document_done(&document);
    if (jck_due_is_call(&due)) {
        search.absent = p->fuzzer->context.absent;
    }
    uint64_t before = p->difference;
    p->cause = jck_cause_find(&search, &p->shots[0], &p->difference);
    return !p->stopped && (p->difference == before || jck_kinds_is_first(kinds, p->difference)) &&
           (p->cause == 0 || jck_kinds_is_first(kinds, p->cause));
}

// A message that must be long or deep to show this meets a limit. Whether no other finding about
// the same limit says the same.
static bool is_new_limit(pursuit *p)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    const jck_due due = jck_due_for(&p->fuzzer->context, p->shots[0].bytes, &document);
    jrpc_json_document_done(&document);
    const unsigned limit = due.odd & (JCK_ODD_SIZE | JCK_ODD_DEPTH);
    if (p->count != 1 || limit == 0) {
        return true;
    }
    p->limit = jrpc_hash_number(jck_behaviour_of_text(jrpc_slice_str(p->text)), limit);
    return jck_kinds_is_first(&p->fuzzer->live->kinds, p->limit);
}

// An unconfirmed difference does not count as known, so that it can be found again.
static void forget(pursuit *p, uint64_t difference)
{
    jck_kind_set *kinds = &p->fuzzer->live->kinds;
    jck_kinds_forget(kinds, difference);
    jck_kinds_forget(kinds, p->difference);
    jck_kinds_forget(kinds, p->cause);
    jck_kinds_forget(kinds, p->limit);
    jck_fuzzer_suspect(p->fuzzer, p->shots, p->count, p->text);
}

// Makes a new finding as small as possible, confirms and reports it. Returns whether it was
// confirmed.
static bool follow_up(pursuit *p, const jck_shot *shots, size_t count)
{
    const uint64_t difference = p->difference;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    bool confirmed = true;
    if (is_new_cause(p, &arena)) {
        const jck_shot first = p->shots[0];
        shrink(p, &arena);
        const bool fresh = p->stopped || is_new_limit(p);
        confirmed = !p->stopped && (!fresh || confirm_and_report(p, &arena));
        if (!confirmed && !p->stopped) { // the smallest sequence may not be the most reliable one
            memcpy(p->shots, shots, count * sizeof *shots);
            p->shots[0] = first;
            p->count = count;
            confirmed = confirm_and_report(p, &arena);
        }
    }
    if (!confirmed || p->stopped) {
        forget(p, difference);
    }
    jrpc_arena_done(&arena);
    return confirmed;
}

bool jck_fuzzer_confirm(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count, bool repeated,
                        const jck_found *found, bool *ret_confirmed)
{
    pursuit p = {
        .fuzzer = fuzzer, .count = count, .repeated = repeated, .difference = found->difference};
    *ret_confirmed = false;
    if (count > SHOTS_MOST) {
        return true;
    }
    memcpy(p.shots, shots, count * sizeof *shots);
    const jck_composition composition = {.shots = shots, .shot_count = count};
    p.visited = jck_composition_has_visits(&composition);
    keep_words(&p, found->finding);
    const bool hasty = p.hasty;
    if (!comes_again(&p, 1, JCK_WATCH_QUIET)) {
        if (hasty && !p.stopped) {
            jck_ledger_note_misjudged(fuzzer->worker->ledger);
        }
        jck_fuzzer_suspect(fuzzer, p.shots, p.count, p.text);
        return !p.stopped;
    }
    *ret_confirmed =
        !jck_kinds_is_first(&fuzzer->live->kinds, p.difference) || follow_up(&p, shots, count);
    return !p.stopped;
}
