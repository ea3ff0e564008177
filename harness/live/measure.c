// What messages cost: one kind of message at a time is sent ever longer, or again and again.
#include "harness/live/cost.h"
#include "harness/live/live_private.h"
#include "reference/base/hash.h"
#include "reference/base/os_linux.h"

#include <string.h>

// Something is measured after this many rounds, or this much time; once everything was measured,
// after ROUNDS_LATER times as much of either.
#define ROUNDS_BETWEEN 14u
#define TIME_BETWEEN_US 1000000
#define ROUNDS_LATER 8u
// Sizes begin with this many units. They end when a message takes TIME_ENOUGH_US, would be longer
// than MESSAGE_MOST bytes, or, if units nest, has UNITS_NESTED of them.
#define UNITS_FIRST 64u
#define UNITS_NESTED 512u
#define TIME_ENOUGH_US 400000
// The resolution of processor times.
#define WORK_STEP_US INT64_C(10000)
#define MESSAGE_MOST ((size_t)256 << 10)
// A wrong answer to a message up to this length is investigated. Longer ones meet limits of proxies
// and frameworks, which answer as they like.
#define HUNTED_MOST ((size_t)160 << 10)
#define ARENA_BYTES ((size_t)1 << 20)
#define REPEATS 3

// A message of any length: `unit` repeated, with its number for "#".
typedef struct growing {
    const char *before, *unit, *after; // "@" is the name of the absent method, without quotes
    const char *close;                 // once for each unit, before `after`; may be NULL
    bool batch, text;                  // what the target must have been seen to answer
} growing;

#define CALL_BEGIN "{\"jsonrpc\":\"2.0\",\"method\":\"@\",\"params\":"
#define CALL_END ",\"id\":\"cost\"}"

static const growing kinds[] = {
    {.before = "[",
     .unit = "{\"jsonrpc\":\"2.0\",\"method\":\"@\",\"params\":[],\"id\":#}",
     .after = "]",
     .batch = true},
    {.before = CALL_BEGIN "[\"", .unit = "\\u0061", .after = "\"]" CALL_END},
    {.before = CALL_BEGIN "{", .unit = "\"m#\":0", .after = "}" CALL_END},
    {.before = "{\"jsonrpc\":\"2.0\",\"method\":\"@",
     .unit = "m",
     .after = "\",\"params\":[],\"id\":\"cost\"}"},
    {.before = CALL_BEGIN "[\"", .unit = "a", .after = "\"]" CALL_END},
    {.before = CALL_BEGIN "[", .unit = "0", .after = "]" CALL_END},
    {.before = "{\"jsonrpc\":\"2.0\",\"method\":\"@\",\"params\":[],\"id\":\"",
     .unit = "i",
     .after = "\"}"},
    {.before = CALL_BEGIN "[", .unit = "[", .after = "]" CALL_END, .close = "]"},
    {.before = CALL_BEGIN, .unit = " ", .after = "[]" CALL_END},
    {.before = CALL_BEGIN "[\"", .unit = "\\\\", .after = "\"]" CALL_END},
    {.before = CALL_BEGIN "[\"", .unit = "\xF0\x9F\x98\x80", .after = "\"]" CALL_END},
    {.before = "{\"jsonrpc\":\"2.0\",\"params\":[],\"method\":\"@\",\"x",
     .unit = "\":0,\"y#",
     .after = "\":0,\"id\":\"cost\"}"},
    {.before = CALL_BEGIN, .unit = "[", .after = "", .text = true},
};
#define KINDS (sizeof kinds / sizeof *kinds)

// Messages that are repeated, entirely in `before`; "#" is their number. Those with ids need
// different ones, since several are in flight.
static const growing repeated[] = {
    {.before = CALL_BEGIN "[],\"id\":\"#\"}"},
    {.before = "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":\"#\"}"},
    {.before = "{\"jsonrpc\":\"2.0\",\"method\":\"@#\",\"params\":[],\"id\":\"#\"}"},
    {.before = "{\"jsonrpc\":\"2.0\",\"method\":\"@\",\"params\":[#]}"},
    {.before = "{\"jsonrpc\":\"2.0\",\"method\":\"@\",\"id", .text = true},
    {.before = "[" CALL_BEGIN "[],\"id\":\"#\"},1]", .batch = true},
};
#define REPEATED (sizeof repeated / sizeof *repeated)

static void put(const jck_fuzzer *fuzzer, const char *text, uint64_t number, jrpc_buffer *out)
{
    jrpc_slice absent = fuzzer->context.absent;
    while (*text != '\0') {
        size_t plain = strcspn(text, "@#");
        (void)jrpc_buffer_append(out, jrpc_slice_of(text, plain));
        text += plain;
        if (*text == '@') {
            (void)jrpc_buffer_append(out, jrpc_slice_inside(absent));
        } else if (*text == '#') {
            (void)jrpc_buffer_append_number(out, (int64_t)number);
        }
        text += *text != '\0' ? 1 : 0;
    }
}

// Repeats what the buffer has from `begin` on until it is there `times` times.
static void repeat(jrpc_buffer *out, size_t begin, size_t times)
{
    size_t len = out->len - begin;
    char *room;
    if (times == 0 || !jrpc_buffer_reserve(out, len * (times - 1), &room)) {
        return;
    }
    for (size_t done = 1; done < times;) {
        size_t more = times - done < done ? times - done : done;
        (void)jrpc_buffer_append(out, jrpc_slice_of(out->ptr + begin, len * more));
        done += more;
    }
}

// `unit` with each of the numbers, a comma between them if `commas`.
static void put_units(const jck_fuzzer *fuzzer, const char *unit, size_t units, bool commas,
                      jrpc_buffer *out)
{
    size_t different = strchr(unit, '#') != NULL ? units : units < 2 ? units : 2;
    size_t last = out->len;
    for (size_t i = 0; i < different && !out->failed; i++) {
        last = out->len;
        put(fuzzer, i > 0 && commas ? "," : "", 0, out);
        put(fuzzer, unit, i, out);
    }
    if (different < units && !out->failed) {
        repeat(out, last, units - 1);
    }
}

static void make(const jck_fuzzer *fuzzer, const growing *kind, size_t units, jrpc_buffer *out)
{
    // Elements and members need a comma between them.
    char last = kind->unit[0] == '\0' ? '\0' : kind->unit[strlen(kind->unit) - 1];
    bool commas = last == '0' || last == '}';
    jrpc_buffer_clear(out);
    put(fuzzer, kind->before, 0, out);
    put_units(fuzzer, kind->unit, units, commas, out);
    put_units(fuzzer, kind->close == NULL ? "" : kind->close, units, false, out);
    put(fuzzer, kind->after, units, out);
}

static bool is_possible(const jck_fuzzer *fuzzer, const growing *kind)
{
    return (fuzzer->grammar.batches || !kind->batch) && (fuzzer->grammar.texts || !kind->text);
}

// The processor time used so far by a process that we started and its group; -1: unknown.
static int64_t busy_us(const jck_fuzzer *fuzzer)
{
    pid_t process = (pid_t)jck_link_process(&fuzzer->worker->link);
    jrpc_os_work work;
    return process != 0 && jrpc_os_work_of_group(process, &work) ? work.cpu_us : -1;
}

// Sends the message alone, and investigates a wrong answer. Returns the time it took; -1: it was
// not answered, or the run was stopped. A process of ours may have had to wait on a busy machine:
// with `work`, its processor time is used if that is less.
static int64_t time_message(jck_fuzzer *fuzzer, bool work, bool *ret_goes_on)
{
    const jrpc_clock *clock = fuzzer->worker->link.clock;
    jck_round *round = fuzzer->round;
    jrpc_error error = {0};
    jck_round_clear(round);
    if (!jck_round_add(round, 'a', jrpc_buffer_slice(&fuzzer->message), NULL)) {
        return -1;
    }
    int64_t busy_before = work ? busy_us(fuzzer) : -1;
    int64_t before = jrpc_clock_now_us(clock);
    jck_round_outcome outcome = jck_round_run(round, NULL, &error);
    int64_t took = jrpc_clock_now_us(clock) - before;
    int64_t busy_after = busy_before >= 0 ? busy_us(fuzzer) : -1;
    if (busy_before >= 0 && busy_after >= busy_before) {
        int64_t worked = busy_after - busy_before + WORK_STEP_US;
        took = worked < took ? worked : took;
    }
    jck_live_count(fuzzer->live, fuzzer->worker, 1);
    took = round->end == JCK_SYMPTOM_NONE ? took : -1;
    *ret_goes_on = !jck_live_stop_for(fuzzer->worker, outcome, &error) &&
                   (outcome != JCK_ROUND_SUSPICIOUS || fuzzer->message.len > HUNTED_MOST ||
                    jck_fuzzer_hunt(fuzzer));
    return *ret_goes_on ? took : -1;
}

// Measures the message once more. Returns the smaller time; -1 as above.
static int64_t time_again(jck_fuzzer *fuzzer, int64_t first, bool *ret_goes_on)
{
    int64_t again = time_message(fuzzer, true, ret_goes_on);
    return again < first ? again : first;
}

// The smallest of several measurements; -1 as above.
static int64_t time_often(jck_fuzzer *fuzzer, const growing *kind, size_t units, int64_t first,
                          bool *ret_goes_on)
{
    int64_t least = first;
    for (int i = 0; i < REPEATS && least >= 0 && !jck_live_is_over(fuzzer->live, fuzzer->worker);
         i++) {
        make(fuzzer, kind, units, &fuzzer->message);
        int64_t now = time_message(fuzzer, true, ret_goes_on);
        least = now < least ? now : least;
    }
    return least;
}

// Reports the cost of the message in fuzzer->message, with the record of one exchange.
static bool report(jck_fuzzer *fuzzer, uint64_t key, jck_role role, const char *text)
{
    jck_replay *replay = &fuzzer->replay;
    jck_found found;
    const jck_shot shot = {.connection = 'a', .bytes = jrpc_buffer_slice(&fuzzer->message)};
    jck_composition composition = {
        .id = JRPC_SLICE("fuzz/cost"),
        .title = JRPC_SLICE("what messages cost"),
        .shots = &shot,
        .shot_count = 1,
    };
    if (text == NULL) {
        return true;
    }
    if (jck_replay_run(replay, &composition, JCK_WATCH_FENCES, false, &found) ==
        JCK_REPLAYED_STOP) {
        return false;
    }
    if (replay->attempt == NULL) {
        return true;
    }
    jck_verdict *verdict = &replay->attempt->verdict;
    size_t before = verdict->findings.count;
    jck_add_finding_at(&verdict->findings, 0, role, JCK_LEVEL_SHOULD, "%s", text);
    if (verdict->findings.count == before ||
        jck_live_leaves_out(fuzzer->live, verdict->findings.items[before].rule)) {
        return true;
    }
    if (verdict->outcome == JCK_OUTCOME_PASS || verdict->outcome == JCK_OUTCOME_OBSERVE) {
        verdict->outcome = JCK_OUTCOME_WARN;
    }
    jck_ledger_report_verdict(fuzzer->worker->ledger, &replay->test_case, verdict,
                              &replay->attempt->evidence);
    jck_live_count_finding(fuzzer->live, &verdict->findings.items[before], shot.bytes);
    jck_kinds_settle(&fuzzer->live->kinds, key, true);
    return true;
}

// Ever longer messages of one kind.
static bool measure_time(jck_fuzzer *fuzzer, const growing *kind, uint64_t key, jrpc_arena *arena)
{
    jck_cost_point points[JCK_COST_SIZES];
    size_t units[JCK_COST_SIZES];
    size_t count = 0;
    bool goes_on = true;
    int64_t base = time_often(fuzzer, kind, 1, INT64_MAX, &goes_on);
    size_t most = kind->close != NULL ? UNITS_NESTED : SIZE_MAX;
    for (size_t now = UNITS_FIRST; base >= 0 && count < JCK_COST_SIZES && now <= most; now *= 2) {
        make(fuzzer, kind, now, &fuzzer->message);
        if (fuzzer->message.failed || fuzzer->message.len > MESSAGE_MOST) {
            break;
        }
        // Asking for a process's processor time takes longer than most messages do.
        int64_t took = time_message(fuzzer, false, &goes_on);
        took = took > 2 * WORK_STEP_US ? time_again(fuzzer, took, &goes_on) : took;
        if (took < 0 || jck_live_is_over(fuzzer->live, fuzzer->worker)) {
            break;
        }
        units[count] = now;
        points[count++] = (jck_cost_point){fuzzer->message.len, took};
        if (took > TIME_ENOUGH_US && count >= 3) {
            break;
        }
    }
    if (!goes_on || !jck_cost_grows(points, count, base)) {
        return goes_on;
    }
    for (size_t i = count - 3; i < count; i++) { // another process may have interfered
        points[i].us = time_often(fuzzer, kind, units[i], points[i].us, &goes_on);
        if (points[i].us < 0) {
            return goes_on;
        }
    }
    return !jck_cost_grows(points, count, base) ||
           report(fuzzer, key, JCK_ROLE_BOUNDED_TIME, jck_cost_time_text(points, count, arena));
}

// Sends one block of the same message with different numbers. Returns whether all went well.
static bool send_block(jck_fuzzer *fuzzer, const growing *kind, uint64_t *number, bool *ret_goes_on)
{
    jck_round *round = fuzzer->round;
    for (uint64_t sent = 0; sent < JCK_COST_BLOCK;) {
        jrpc_error error = {0};
        jck_round_clear(round);
        while (round->count < JCK_ROUND_MOST / 2 && round->count < fuzzer->pace) {
            jrpc_buffer_clear(&fuzzer->message);
            put(fuzzer, kind->before, (*number)++, &fuzzer->message);
            if (!jck_round_add(round, 'a', jrpc_buffer_slice(&fuzzer->message), NULL)) {
                return false;
            }
        }
        jck_round_outcome outcome = jck_round_run(round, NULL, &error);
        jck_live_count(fuzzer->live, fuzzer->worker, round->count);
        *ret_goes_on = !jck_live_stop_for(fuzzer->worker, outcome, &error) &&
                       (outcome != JCK_ROUND_SUSPICIOUS || jck_fuzzer_hunt(fuzzer));
        if (!*ret_goes_on || outcome == JCK_ROUND_SUSPICIOUS ||
            jck_live_is_over(fuzzer->live, fuzzer->worker)) {
            return false;
        }
        sent += round->count;
    }
    return true;
}

// The same message again and again, as long as the memory of the process grows.
static bool measure_memory(jck_fuzzer *fuzzer, const growing *kind, uint64_t key, jrpc_arena *arena)
{
    jck_link *link = &fuzzer->worker->link;
    pid_t process = (pid_t)jck_link_process(link);
    jck_cost_memory memory = {.count = 0};
    char name[64];
    uint64_t number = 0;
    uint64_t peak;
    bool goes_on = true;
    if (process == 0 || !jrpc_os_memory_of(process, &memory.resident[0], &peak)) {
        return true;
    }
    memory.count = 1;
    memory.collects =
        jrpc_os_process_name(process, name, sizeof name) && jck_cost_collects(jrpc_slice_str(name));
    while (memory.count <= JCK_COST_BLOCKS && (memory.count < 3 || jck_cost_may_leak(&memory))) {
        if (!send_block(fuzzer, kind, &number, &goes_on) || jck_link_process(link) != process ||
            !jrpc_os_memory_of(process, &memory.resident[memory.count], &peak)) {
            return goes_on;
        }
        memory.count++;
    }
    return report(fuzzer, key, JCK_ROLE_SURVIVES_VALID, jck_cost_memory_text(&memory, arena));
}

// Whether it is time to measure something. A run with a fixed number of messages must send the same
// ones on every machine, so only rounds count there.
static bool is_due(jck_fuzzer *fuzzer)
{
    unsigned times = fuzzer->measured < KINDS + REPEATED ? 1 : ROUNDS_LATER;
    int64_t now = jrpc_clock_now_us(fuzzer->worker->link.clock);
    fuzzer->measured_us = fuzzer->measured_us == 0 ? now : fuzzer->measured_us;
    bool late = fuzzer->live->options.max_messages == 0 &&
                now - fuzzer->measured_us >= (int64_t)TIME_BETWEEN_US * times;
    if (++fuzzer->rounds < ROUNDS_BETWEEN * times && !late) {
        return false;
    }
    fuzzer->rounds = 0;
    fuzzer->measured_us = now;
    return true;
}

bool jck_fuzzer_measure(jck_fuzzer *fuzzer)
{
    if (!is_due(fuzzer)) {
        return true;
    }
    // Time and memory take turns until memory has been measured with every message.
    size_t turn = fuzzer->measured++ % (KINDS + REPEATED);
    bool alternates = turn < 2 * REPEATED;
    bool memory = alternates && turn % 2 == 1;
    size_t index = alternates ? turn / 2 : turn - REPEATED;
    const growing *kind = memory ? &repeated[index] : &kinds[index];
    // Lost memory is one finding, whatever is sent.
    uint64_t key = jrpc_hash_number(JRPC_HASH_START, memory ? KINDS : index);
    if (!is_possible(fuzzer, kind) || jck_kinds_is_found(&fuzzer->live->kinds, key)) {
        return true;
    }
    jrpc_arena arena;
    fuzzer->worker->link.timing = fuzzer->worker->ledger->options->timing;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    bool goes_on = memory ? measure_memory(fuzzer, kind, key, &arena)
                          : measure_time(fuzzer, kind, key, &arena);
    jrpc_arena_done(&arena);
    return goes_on;
}
