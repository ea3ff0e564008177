// From a suspicious round to the messages that cause the finding: a single one, or as few as
// possible of the round.
#include "harness/generate/minimize.h"
#include "harness/live/live_private.h"
#include "harness/live/repeat.h"
#include "reference/base/hash.h"

#include <string.h>

// Messages of one round that are tried alone.
#define SINGLES_MOST 12u
// … and attempts with messages of one form that showed the same symptom.
#define LOOKS_MOST 40u
// Rounds that are repeated to find the cause of one.
#define ROUNDS_MOST 60u
// Messages before and after the place where the answers stop that are suspected of ending a
// connection.
#define BEFORE_END 3u

// How many messages of a round are repeated; how often each is sent at first and at most, because
// each missing answer costs a wait; and how many of one kind are tried.
#define REPEATED_MOST 2u
#define REPEATS_FIRST 4u
#define REPEATS_MORE 3u // times as many
#define REPEATS_MOST 108u
#define REPEATED_OF_KIND 6u
// Fences among the calls that show how often answers go missing.
#define FENCES_MOST 40u
#define REPEATED_BYTES ((size_t)64 << 10)
// Rounds are not made shorter than this.
#define AIM_LEAST 2u

// A suspicion, by the class of the message and what became of it.
static uint64_t doubt_of(const jck_sent *sent, jck_symptom symptom)
{
    uint64_t doubt = jrpc_hash_number(jck_due_class(&sent->due), symptom);
    return symptom == JCK_SYMPTOM_WRONG ? jrpc_hash_number(doubt, sent->behaviour) : doubt;
}

// The same with fewer details of the message: attempts that lead to known findings are counted by
// it.
static uint64_t kind_of(const jck_sent *sent, jck_symptom end)
{
    uint64_t kind = jrpc_hash_number(JRPC_HASH_START, sent->due.form);
    kind = jrpc_hash_number(kind, sent->symptom);
    return jrpc_hash_number(kind, end);
}

// A suspicion of the round as a whole.
static uint64_t doubt_of_round(const jck_round *round)
{
    uint64_t doubt = jrpc_hash_number(JRPC_HASH_START, round->end);
    if (round->end == JCK_SYMPTOM_NONE && round->account.extras > 0) {
        doubt = jrpc_hash_number(doubt, round->account.behaviour);
    }
    return doubt;
}

// What a round showed, copied, since the round is repeated to find the cause.
typedef struct evidence {
    jrpc_arena arena;
    jck_shot *shots;
    jck_symptom *symptoms;
    uint64_t *doubts;
    uint64_t *classes;
    uint64_t *kinds; // of suspicion, coarser than doubts
    jck_due_form *forms;
    bool *tried;   // alone
    bool *refuted; // sent alone, it gets the same answer, and the judge accepts that
    size_t count;
    size_t next; // after the last message that was answered
    jck_symptom end;
    size_t extras;
    uint64_t doubt; // of the whole round
} evidence;

#define EVIDENCE_BYTES ((size_t)8 << 20)
static bool copy_round(const jck_round *round, evidence *ret)
{
    *ret = (evidence){.count = round->count,
                      .end = round->end,
                      .extras = round->account.extras,
                      .doubt = doubt_of_round(round)};
    jrpc_arena_init(&ret->arena, jrpc_allocator_heap(), EVIDENCE_BYTES);
    size_t room = round->count + 1;
    ret->shots = jrpc_arena_array(&ret->arena, room, sizeof *ret->shots);
    ret->symptoms = jrpc_arena_array(&ret->arena, room, sizeof *ret->symptoms);
    ret->doubts = jrpc_arena_array(&ret->arena, room, sizeof *ret->doubts);
    ret->classes = jrpc_arena_array(&ret->arena, room, sizeof *ret->classes);
    ret->kinds = jrpc_arena_array(&ret->arena, room, sizeof *ret->kinds);
    ret->forms = jrpc_arena_array(&ret->arena, room, sizeof *ret->forms);
    ret->tried = jrpc_arena_array(&ret->arena, room, sizeof *ret->tried);
    ret->refuted = jrpc_arena_array(&ret->arena, room, sizeof *ret->refuted);
    for (size_t i = 0; !ret->arena.failed && i < round->count; i++) {
        const jck_sent *sent = &round->sent[i];
        ret->shots[i].connection = sent->connection;
        ret->shots[i].travel = sent->travel;
        ret->symptoms[i] = sent->symptom;
        ret->doubts[i] = doubt_of(sent, sent->symptom);
        ret->tried[i] = ret->refuted[i] = false;
        ret->classes[i] = jck_due_class(&sent->due);
        ret->kinds[i] = kind_of(sent, round->end);
        ret->forms[i] = sent->due.form;
        ret->next = sent->answered ? i + 1 : ret->next;
        (void)jrpc_arena_copy(&ret->arena, sent->bytes, &ret->shots[i].bytes);
    }
    return !ret->arena.failed;
}

// Whether a message may have ended the connection: it is where the answers stop.
static bool may_have_ended(const evidence *seen, size_t index)
{
    return seen->end != JCK_SYMPTOM_NONE && index + BEFORE_END >= seen->next &&
           index < seen->next + BEFORE_END;
}

// The doubt about a message; if it may have ended the connection, the doubt about that.
static uint64_t doubt_about(const evidence *seen, size_t index)
{
    return may_have_ended(seen, index) ? jrpc_hash_number(seen->classes[index], seen->end)
                                       : seen->doubts[index];
}

// Whether a message shows its symptom in a round of its own too. Then its neighbours are not the
// cause, but the account is stricter than the judge.
static bool is_so_alone(jck_fuzzer *fuzzer, const evidence *seen, size_t index)
{
    jck_round *round = fuzzer->round;
    jrpc_error error = {0};
    if (seen->end != JCK_SYMPTOM_NONE || seen->symptoms[index] != JCK_SYMPTOM_WRONG) {
        return false;
    }
    jck_round_clear(round);
    return jck_round_add(round, 'a', seen->shots[index].bytes, &seen->shots[index].travel) &&
           jck_round_run(round, NULL, &error) == JCK_ROUND_SUSPICIOUS &&
           round->end == JCK_SYMPTOM_NONE && round->sent[0].symptom == JCK_SYMPTOM_WRONG;
}

// Tries each suspected message alone. If the connection had ended, a finding ends the search, since
// the rest of the round shows nothing.
static jck_hunted try_singles(jck_fuzzer *fuzzer, const evidence *seen)
{
    jck_kind_set *kinds = &fuzzer->live->kinds;
    jck_hunted result = JCK_HUNTED_NOTHING;
    size_t tried = 0;
    for (size_t i = 0; i < seen->count && tried < SINGLES_MOST; i++) {
        bool ended = may_have_ended(seen, i);
        uint64_t doubt = doubt_about(seen, i);
        bool suspected =
            ended || (seen->end == JCK_SYMPTOM_NONE ? seen->symptoms[i] != JCK_SYMPTOM_NONE
                                                    : seen->symptoms[i] == JCK_SYMPTOM_WRONG);
        if (!suspected || !jck_kinds_is_open(kinds, doubt) ||
            !jck_kinds_spend(kinds, seen->kinds[i], LOOKS_MOST) ||
            jck_live_is_over(fuzzer->live, fuzzer->worker)) {
            continue;
        }
        tried++;
        // What came too late or too often may still be on its way.
        bool fresh = tried == 1 && (seen->end != JCK_SYMPTOM_NONE || seen->extras > 0 ||
                                    seen->symptoms[i] != JCK_SYMPTOM_WRONG);
        jck_hunted now = jck_fuzzer_try(fuzzer, &seen->shots[i], 1, fresh, false);
        if (now == JCK_HUNTED_STOP) {
            return JCK_HUNTED_STOP;
        }
        bool known = now == JCK_HUNTED_NOTHING && fuzzer->replay.known;
        jck_kinds_settle(kinds, doubt, now == JCK_HUNTED_FINDING || known);
        seen->tried[i] = true;
        seen->refuted[i] = known || (now == JCK_HUNTED_NOTHING && is_so_alone(fuzzer, seen, i));
        if (now == JCK_HUNTED_FINDING) {
            result = JCK_HUNTED_FINDING;
            if (ended || seen->symptoms[i] == JCK_SYMPTOM_MISSING) {
                jck_kinds_avoid(kinds, seen->classes[i]);
            }
            if (ended) {
                break;
            }
        }
    }
    return result;
}

// The state of a search through rounds.
typedef struct search {
    jck_fuzzer *fuzzer;
    const evidence *seen;
    bool stopped;
} search;

static jck_probe try_round(void *context, const size_t *parts, size_t count)
{
    search *now = context;
    jck_round *round = now->fuzzer->round;
    jrpc_error error = {0};
    if (jck_live_is_over(now->fuzzer->live, now->fuzzer->worker)) {
        return JCK_PROBE_STOPS;
    }
    jck_link_drop(&now->fuzzer->worker->link);
    jck_round_clear(round);
    for (size_t i = 0; i < count; i++) {
        const jck_shot *shot = &now->seen->shots[parts[i]];
        (void)jck_round_add(round, shot->connection, shot->bytes, &shot->travel);
    }
    jck_fuzzer_hurry(now->fuzzer);
    jck_round_outcome outcome = jck_round_run(round, NULL, &error);
    jck_live_count(now->fuzzer->live, now->fuzzer->worker, round->count);
    if (jck_live_stop_for(now->fuzzer->worker, outcome, &error)) {
        now->stopped = true;
        return JCK_PROBE_STOPS;
    }
    bool same = outcome == JCK_ROUND_SUSPICIOUS && round->end == now->seen->end &&
                (now->seen->extras == 0 || round->account.extras > 0);
    return same ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

// For one form after the other, leaves out all its messages if the rest still shows the same.
// Returns how many parts are left.
static size_t leave_out_forms(search *now, size_t *parts, size_t count)
{
    size_t rest[JCK_ROUND_MOST];
    for (int form = JCK_FORM_CUT; form <= JCK_FORM_UNREADABLE; form++) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            rest[left] = parts[i];
            left += (int)now->seen->forms[parts[i]] == form ? 0 : 1;
        }
        if (left > 0 && left < count && try_round(now, rest, left) == JCK_PROBE_SHOWS) {
            memcpy(parts, rest, left * sizeof *parts);
            count = left;
        }
    }
    return count;
}

// Reports what a round showed as a suspicion: how it ended, or its first symptom.
static void suspect_round(jck_fuzzer *fuzzer, const evidence *seen, const char *why)
{
    size_t at = seen->next < seen->count ? seen->next : seen->count - 1;
    jck_symptom symptom = seen->end;
    for (size_t i = seen->count; seen->end == JCK_SYMPTOM_NONE && i > 0; i--) {
        bool shows = seen->symptoms[i - 1] != JCK_SYMPTOM_NONE;
        symptom = shows ? seen->symptoms[i - 1] : symptom;
        at = shows ? i - 1 : at;
    }
    jck_fuzzer_suspect_round(fuzzer, seen->shots, seen->count == 0 ? 0 : at + 1, symptom, why);
}

// Looks for the fewest messages of the round that still make a round suspicious in the same manner.
static jck_hunted try_together(jck_fuzzer *fuzzer, const evidence *seen)
{
    size_t parts[JCK_ROUND_MOST];
    size_t scratch[JCK_ROUND_MOST];
    search now = {.fuzzer = fuzzer, .seen = seen};
    for (size_t i = 0; i < seen->count; i++) {
        parts[i] = i;
    }
    jck_probe again = try_round(&now, parts, seen->count);
    if (again != JCK_PROBE_SHOWS) {
        if (again == JCK_PROBE_LACKS) {
            suspect_round(fuzzer, seen, "sent again, the messages show nothing");
        }
        return now.stopped ? JCK_HUNTED_STOP : JCK_HUNTED_NOTHING;
    }
    size_t count = leave_out_forms(&now, parts, seen->count);
    count = jck_minimize(parts, count, scratch, ROUNDS_MOST, try_round, &now);
    if (now.stopped) {
        return JCK_HUNTED_STOP;
    }
    jck_shot few[JCK_SHOTS_REDUCED];
    for (size_t i = 0; i < count && i < JCK_SHOTS_REDUCED; i++) {
        few[i] = seen->shots[parts[i]];
    }
    jck_hunted result = count > JCK_SHOTS_REDUCED ? JCK_HUNTED_NOTHING
                                                  : jck_fuzzer_try(fuzzer, few, count, true, false);
    if (result == JCK_HUNTED_NOTHING && count == 1) { // which the judge accepts
        jck_kinds_avoid(&fuzzer->live->kinds, seen->classes[parts[0]]);
    } else if (result == JCK_HUNTED_NOTHING &&
               (count > JCK_SHOTS_REDUCED || !fuzzer->replay.known)) {
        suspect_round(fuzzer, seen, "it comes again, but no few messages show it");
    }
    return result;
}

// Whether answers that are missing are all that is wrong with the round; after the end of a
// connection they all are.
static bool only_misses(const evidence *seen)
{
    bool misses = false;
    for (size_t i = 0; i < seen->count; i++) {
        misses = misses || seen->symptoms[i] == JCK_SYMPTOM_MISSING;
    }
    return (misses || seen->end != JCK_SYMPTOM_NONE) && seen->extras == 0;
}

static uint64_t key_of_losses(const evidence *seen)
{
    return jrpc_hash_number(jrpc_hash_bytes(JRPC_SLICE("losses")), seen->end);
}

// Looks for answers that go missing whatever is asked. Where a connection can be opened again, it
// may be closed after any number of messages.
static jck_hunted try_losses(jck_fuzzer *fuzzer, evidence *seen)
{
    const uint64_t key = key_of_losses(seen);
    jck_shot calls[JCK_LOSS_MOST]; // the first, then its copies
    bool goes_on = true;
    if (!only_misses(seen) || (seen->end != JCK_SYMPTOM_NONE && !fuzzer->single) ||
        !jck_kinds_is_open(&fuzzer->live->kinds, key)) {
        return JCK_HUNTED_NOTHING;
    }
    size_t count = jck_fuzzer_find_loss(fuzzer, calls, &seen->arena, &goes_on);
    jck_hunted result = goes_on ? JCK_HUNTED_NOTHING : JCK_HUNTED_STOP;
    if (goes_on && count > 0) {
        // The target may count fences too, and a message that is sent alone has fewer of them.
        size_t more = count + FENCES_MOST < JCK_LOSS_MOST ? count + FENCES_MOST : JCK_LOSS_MOST;
        result = jck_repeat(calls, 1, more, &seen->arena, calls)
                     ? jck_fuzzer_try(fuzzer, calls, more, true, true)
                     : JCK_HUNTED_NOTHING;
    }
    if (result != JCK_HUNTED_STOP) {
        jck_kinds_settle(&fuzzer->live->kinds, key, result == JCK_HUNTED_FINDING);
    }
    return result;
}

static uint64_t key_of_repeats(const evidence *seen, size_t index)
{
    return jrpc_hash_number(jrpc_hash_bytes(JRPC_SLICE("repeats")), seen->kinds[index]);
}

// Repeats one message, more and more often; then a call with another name each time, since the
// target may count names.
static jck_hunted try_copies(jck_fuzzer *fuzzer, const jck_shot *shot, bool is_call,
                             jrpc_arena *arena)
{
    jck_shot copies[REPEATS_MOST];
    jck_hunted result = JCK_HUNTED_NOTHING;
    bool room = jck_repeat(shot, 1, REPEATS_MOST, arena, copies);
    for (size_t count = REPEATS_FIRST;
         room && count <= REPEATS_MOST && result == JCK_HUNTED_NOTHING; count *= REPEATS_MORE) {
        result = jck_fuzzer_try(fuzzer, copies, count, true, true);
    }
    // A plain call, since a target may refuse an unusual one for another reason.
    jck_shot plain = {.connection = shot->connection};
    const char *text =
        jrpc_arena_printf(arena, "{\"jsonrpc\":\"2.0\",\"method\":%.*s,\"params\":[],\"id\":1}",
                          (int)fuzzer->context.absent.len, fuzzer->context.absent.ptr);
    plain.bytes = text == NULL ? shot->bytes : jrpc_slice_str(text);
    bool renamed = result == JCK_HUNTED_NOTHING && is_call &&
                   jck_repeat_renamed(&plain, fuzzer->context.absent, REPEATS_MOST, arena, copies);
    return renamed ? jck_fuzzer_try(fuzzer, copies, REPEATS_MOST, true, false) : result;
}

// Repeats all messages of the same form in turn: the target may keep something from another one.
static jck_hunted try_form(jck_fuzzer *fuzzer, evidence *seen, size_t index)
{
    jck_shot copies[REPEATS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < seen->count && count < REPEATS_MOST / 2; i++) {
        // Messages on other connections may have the same ids.
        if (seen->forms[i] == seen->forms[index] && seen->shots[i].bytes.len <= REPEATED_BYTES &&
            seen->shots[i].connection == seen->shots[index].connection) {
            copies[count] = seen->shots[i];
            copies[count++].connection = 'a';
        }
    }
    return count > 1 && jck_repeat(copies, count, REPEATS_MOST, &seen->arena, copies)
               ? jck_fuzzer_try(fuzzer, copies, REPEATS_MOST, true, false)
               : JCK_HUNTED_NOTHING;
}

// Repeats suspected messages: the target may count them.
static jck_hunted try_repeated(jck_fuzzer *fuzzer, evidence *seen)
{
    jck_kind_set *kinds = &fuzzer->live->kinds;
    jck_hunted result = JCK_HUNTED_NOTHING;
    size_t tried = 0;
    for (size_t i = 0; i < seen->count && tried < REPEATED_MOST && result == JCK_HUNTED_NOTHING;
         i++) {
        const uint64_t key = key_of_repeats(seen, i);
        jck_shot one = seen->shots[i];
        bool suspected = seen->end == JCK_SYMPTOM_NONE && seen->symptoms[i] != JCK_SYMPTOM_NONE;
        if (!suspected || seen->refuted[i] || one.bytes.len > REPEATED_BYTES ||
            !jck_kinds_spend(kinds, key, REPEATED_OF_KIND)) {
            continue;
        }
        one.connection = 'a';
        tried++;
        result = try_copies(fuzzer, &one, seen->forms[i] == JCK_FORM_CALL, &seen->arena);
        result = result == JCK_HUNTED_NOTHING ? try_form(fuzzer, seen, i) : result;
        if (result == JCK_HUNTED_FINDING) {
            jck_kinds_settle(kinds, key, true);
        }
    }
    return result;
}

// Whether something in the round is explained neither by a known finding nor by a message that was
// tried alone. If only single messages are suspected, the first of them gives the doubt about the
// whole.
static bool is_unexplained(jck_fuzzer *fuzzer, evidence *seen)
{
    jck_kind_set *kinds = &fuzzer->live->kinds;
    bool whole = seen->end != JCK_SYMPTOM_NONE || seen->extras > 0;
    bool open = false;
    for (size_t i = 0; i < seen->count; i++) {
        uint64_t doubt = doubt_about(seen, i);
        bool suspected = may_have_ended(seen, i) || seen->symptoms[i] != JCK_SYMPTOM_NONE;
        if (suspected && (jck_kinds_is_found(kinds, doubt) ||
                          jck_kinds_is_found(kinds, key_of_repeats(seen, i)))) {
            return false;
        }
        if (seen->tried[i] && !open && !seen->refuted[i] && jck_kinds_is_open(kinds, doubt)) {
            open = true;
            // Not the doubt itself: it is already settled when the whole round is investigated.
            seen->doubt = whole ? seen->doubt : jrpc_hash_number(doubt, 1);
        }
    }
    return (whole || open) && jck_kinds_is_open(kinds, seen->doubt);
}

// A target that leaves most messages of a long round unanswered but answers each of them alone is
// slow or answers the last message first: it gets shorter rounds. Returns whether they were made
// shorter.
static bool learn_aim(jck_fuzzer *fuzzer, const evidence *seen)
{
    size_t missing = 0;
    for (size_t i = 0; i < seen->count; i++) {
        missing += seen->symptoms[i] == JCK_SYMPTOM_MISSING ? 1 : 0;
    }
    bool silent = seen->end == JCK_SYMPTOM_NONE || seen->end == JCK_SYMPTOM_MUTE;
    bool shorter = silent && fuzzer->aim > AIM_LEAST && missing * 2 > seen->count;
    const size_t quarter = fuzzer->aim / 4 > AIM_LEAST ? fuzzer->aim / 4 : AIM_LEAST;
    fuzzer->aim = shorter ? quarter : fuzzer->aim;
    return shorter;
}

bool jck_fuzzer_hunt(jck_fuzzer *fuzzer)
{
    evidence seen;
    jck_hunted result = JCK_HUNTED_NOTHING;
    const size_t before = fuzzer->suspicions;
    if (copy_round(fuzzer->round, &seen)) {
        result = try_singles(fuzzer, &seen);
        bool lossy =
            only_misses(&seen) && jck_kinds_is_found(&fuzzer->live->kinds, key_of_losses(&seen));
        bool slow = result == JCK_HUNTED_NOTHING && !lossy && learn_aim(fuzzer, &seen);
        bool together =
            result == JCK_HUNTED_NOTHING && !lossy && !slow && is_unexplained(fuzzer, &seen);
        if (together) {
            result = try_losses(fuzzer, &seen);
            result = result == JCK_HUNTED_NOTHING ? try_repeated(fuzzer, &seen) : result;
            result = result == JCK_HUNTED_NOTHING ? try_together(fuzzer, &seen) : result;
            if (result != JCK_HUNTED_STOP) {
                jck_kinds_settle(&fuzzer->live->kinds, seen.doubt, result == JCK_HUNTED_FINDING);
            }
        }
        // That the target is slow would only be confirmed by shorter rounds.
        bool cut =
            result == JCK_HUNTED_STOP || ((together || slow) && result == JCK_HUNTED_NOTHING &&
                                          jck_live_is_over(fuzzer->live, fuzzer->worker));
        if (cut && fuzzer->suspicions == before) {
            suspect_round(fuzzer, &seen, "the run ended before it was investigated");
        }
        if (together || seen.end != JCK_SYMPTOM_NONE || result != JCK_HUNTED_NOTHING) {
            jck_link_drop(&fuzzer->worker->link);
        }
    }
    jrpc_arena_done(&seen.arena);
    return result != JCK_HUNTED_STOP;
}
