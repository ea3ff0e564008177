// What the workers share about failures that come only in company.
#include "harness/run/ledger.h"

#include "reference/base/hash.h"
#include "reference/json/scan.h"

#include <string.h>

// How much time a whole run may spend on cases that failed in company but not alone.
#define DOUBTS_US ((int64_t)12 * 1000000)
// How often a kind of failure must be confirmed alone before it is believed in company: once for an
// answer whose case is in doubt, twice for an end and for what a hasty look shows.
#define CONFIRMED_ENOUGH 1
#define ENDS_ENOUGH 2
// After this many cases of a kind for which nothing came in the full time, the end of a run does
// not wait for others of that kind.
#define WAITED_ENOUGH 2
// An end is believed in any case after this many with the same last output of the process.
#define WORDS_ENOUGH 3
// … or after this many ends that are alike in how the process ended, whatever was sent.
#define ENDS_MANY 12
// How many late answers are waited for: further ones would show nothing new.
#define LATE_CASES_MAX 2
// The wait is one and a half times as long as a late answer was seen to take.
#define LATE_PART 2

// Workers that share a target leave it one by one while an answer takes at least this part of what
// it would take if all of their messages waited in one queue; this many of them stay. Each time,
// this many answers for each of them are looked at.
#define QUEUED_PART 2
#define CROWD_LEAST 3
#define CROWD_ANSWERS 2

static jrpc_slice rule_of(const jck_attempt *attempt)
{
    const jck_finding *first = jck_attempt_first_finding(attempt);
    return first == NULL ? (jrpc_slice){NULL, 0} : first->rule;
}

// Two failures are of one kind if they end alike or, without that, break the same rule, or both are
// errors of the target's own: a wrong state shows in any call. So does a target that counts.
static bool is_of_kind(const jck_kind *kind, const jck_attempt *attempt)
{
    jck_outcome outcome = attempt->verdict.outcome;
    return kind->outcome == outcome &&
           (outcome >= JCK_OUTCOME_ENDED || jrpc_slice_equal(kind->rule, rule_of(attempt)) ||
            (kind->own_error && jck_attempt_is_own_error(attempt)) ||
            (kind->by_number && jck_attempt_was_overtaken(attempt)));
}

// Called with the lock held. NULL if the kind is new.
static jck_kind *kind_of(jck_ledger *ledger, const jck_attempt *attempt)
{
    for (size_t i = 0; i < ledger->kind_count; i++) {
        if (is_of_kind(&ledger->kinds[i], attempt)) {
            return &ledger->kinds[i];
        }
    }
    return NULL;
}

const jck_case *jck_ledger_kind(jck_ledger *ledger, const jck_attempt *attempt)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_kind *kind = kind_of(ledger, attempt);
    // If answers come late, one without an id in the middle of another case is most likely late
    // too.
    const jck_case *late = jck_attempt_foreign(attempt) == NULL ? NULL : ledger->late_case;
    const jck_case *known = kind == NULL ? late : kind->first;
    (void)pthread_mutex_unlock(&ledger->lock);
    return known;
}

void jck_ledger_note_kind(jck_ledger *ledger, const jck_attempt *attempt, const jck_case *found,
                          bool by_number)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_kind *kind = kind_of(ledger, attempt);
    if (kind == NULL && ledger->kind_count < JCK_KINDS_MAX) {
        // The rule's name is taken from the suite if it has it, because the attempt is freed before
        // the ledger.
        const jck_rule *rule = jck_suite_find_rule(ledger->options->suite, rule_of(attempt));
        kind = &ledger->kinds[ledger->kind_count++];
        *kind = (jck_kind){.outcome = attempt->verdict.outcome,
                           .own_error = jck_attempt_is_own_error(attempt),
                           .by_number = by_number && jck_attempt_was_overtaken(attempt),
                           .first = found};
        kind->rule = rule == NULL ? kind->rule : rule->id;
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

// Why a first look needs a second one.
static jck_look look_of(const jck_attempt *seen)
{
    return jck_attempt_was_overtaken(seen) ? JCK_LOOK_OVERTAKEN
           : seen->hasty                   ? JCK_LOOK_HASTY
                                           : JCK_LOOK_PLAIN;
}

// Whether a failure means the same in any case that shows it. An end may come late and hit a case
// that did not cause it, and a hasty look proves little.
static bool speaks_for_itself(const jck_attempt *seen)
{
    return look_of(seen) != JCK_LOOK_HASTY && seen->verdict.outcome < JCK_OUTCOME_ENDED;
}

// The part of a case's id before '/', if it is needed to distinguish kinds of failure.
static jrpc_slice group_of(const jck_case *test_case, const jck_attempt *seen)
{
    if (speaks_for_itself(seen)) {
        return (jrpc_slice){NULL, 0};
    }
    const char *end = memchr(test_case->id.ptr, '/', test_case->id.len);
    size_t len = end == NULL ? test_case->id.len : (size_t)(end - test_case->id.ptr);
    return jrpc_slice_of(test_case->id.ptr, len);
}

// What the process said last, as a number: its last words without digits, as they are addresses,
// lines and times. 0: it said nothing, or did not end.
static uint64_t words_of(const jck_attempt *seen)
{
    jrpc_slice words = jck_last_words(seen->evidence.stderr_tail);
    uint64_t hash = JRPC_HASH_START;
    for (size_t i = 0; i < words.len; i++) {
        if (!jrpc_scan_is_digit(words.ptr[i])) {
            hash = jrpc_hash_byte(hash, (unsigned char)words.ptr[i]);
        }
    }
    return seen->evidence.process_gone && words.len > 0 ? hash : 0;
}

static bool has_ending(const jck_trusted *kind, const jck_attempt *seen)
{
    return kind->outcome == seen->verdict.outcome && kind->look == look_of(seen) &&
           kind->ending.kind == seen->evidence.end.kind &&
           kind->ending.value == seen->evidence.end.value;
}

static bool ends_alike(const jck_trusted *kind, const jck_attempt *seen)
{
    return has_ending(kind, seen) && jrpc_slice_equal(kind->rule, rule_of(seen));
}

// Called with the lock held. NULL if there is none.
static jck_trusted *trusted_of(jck_ledger *ledger, const jck_case *test_case,
                               const jck_attempt *seen)
{
    jrpc_slice group = group_of(test_case, seen);
    uint64_t words = words_of(seen);
    for (size_t i = 0; i < ledger->trusted_count; i++) {
        jck_trusted *kind = &ledger->trusted[i];
        if (ends_alike(kind, seen) && jrpc_slice_equal(kind->group, group) &&
            kind->words == words) {
            return kind;
        }
    }
    return NULL;
}

static jck_fate fate_that_is(jck_outcome outcome)
{
    return outcome == JCK_OUTCOME_CRASH   ? JCK_FATE_KILLED
           : outcome == JCK_OUTCOME_ENDED ? JCK_FATE_ENDED
                                          : JCK_FATE_MUTE;
}

// Whether the target was lost as before, in cases of any group: with the same last output, or in
// cases that send what ended it each time, or in many. Called with the lock held.
static bool dies_as_before(const jck_ledger *ledger, const jck_case *test_case,
                           const jck_attempt *seen)
{
    uint64_t words = words_of(seen);
    unsigned confirmed = 0;
    unsigned all = 0;
    for (size_t i = 0; i < ledger->trusted_count; i++) {
        const jck_trusted *kind = &ledger->trusted[i];
        confirmed += ends_alike(kind, seen) && kind->words == words ? kind->confirmed : 0;
        all += has_ending(kind, seen) ? kind->confirmed : 0;
    }
    const jck_rule *rule = NULL;
    bool deadly = confirmed >= ENDS_ENOUGH &&
                  jck_deadly_expects(&ledger->deadly, test_case, ENDS_ENOUGH, &rule) ==
                      fate_that_is(seen->verdict.outcome);
    bool lost = seen->verdict.outcome >= JCK_OUTCOME_ENDED;
    return lost && (deadly || (words != 0 && confirmed >= WORDS_ENOUGH) || all >= ENDS_MANY);
}

bool jck_ledger_trusts(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_trusted *kind = trusted_of(ledger, test_case, seen);
    unsigned enough = speaks_for_itself(seen) ? CONFIRMED_ENOUGH : ENDS_ENOUGH;
    bool trusts =
        ledger->refuted[look_of(seen)] == 0 && !jck_attempt_has_surplus(seen) &&
        ((kind != NULL && kind->confirmed >= enough) || dies_as_before(ledger, test_case, seen));
    (void)pthread_mutex_unlock(&ledger->lock);
    return trusts;
}

// Called with the lock held. NULL if there is no room for another kind.
static jck_trusted *trusted_or_new(jck_ledger *ledger, const jck_case *test_case,
                                   const jck_attempt *seen)
{
    jck_trusted *kind = trusted_of(ledger, test_case, seen);
    if (kind == NULL && ledger->trusted_count < JCK_TRUSTED_MAX) {
        const jck_rule *rule = jck_suite_find_rule(ledger->options->suite, rule_of(seen));
        kind = &ledger->trusted[ledger->trusted_count++];
        *kind = (jck_trusted){.outcome = seen->verdict.outcome,
                              .ending = seen->evidence.end,
                              .group = group_of(test_case, seen),
                              .words = words_of(seen),
                              .look = look_of(seen)};
        kind->rule = rule == NULL ? kind->rule : rule->id;
    }
    return kind;
}

void jck_ledger_note_waited(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_trusted *kind = trusted_or_new(ledger, test_case, seen);
    if (kind != NULL) {
        kind->waited++;
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_has_waited(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_trusted *kind = trusted_of(ledger, test_case, seen);
    bool enough = kind != NULL && kind->waited >= WAITED_ENOUGH &&
                  ledger->refuted[look_of(seen)] == 0 && ledger->pace.misjudged == 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return enough;
}

bool jck_ledger_was_waited(jck_ledger *ledger, const jck_case *test_case, const jck_attempt *seen)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_trusted *kind = trusted_of(ledger, test_case, seen);
    bool waited = kind != NULL && kind->waited > 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return waited;
}

void jck_ledger_note_confirmed(jck_ledger *ledger, const jck_case *test_case,
                               const jck_attempt *seen, bool same)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_trusted *kind = same ? trusted_or_new(ledger, test_case, seen) : NULL;
    if (kind != NULL) {
        kind->confirmed++;
    }
    ledger->refuted[look_of(seen)] += !same;
    (void)pthread_mutex_unlock(&ledger->lock);
}

// Whether the target no longer answered after a case.
static bool is_left_mute(const jck_execution *execution)
{
    return execution->judged && execution->attempt->evidence.muteness > JCK_UNFINISHED;
}

// Whether what a case did to the target was certainly its own doing.
static bool is_own_doing(const jck_execution *execution)
{
    jck_way way = execution->company.way;
    return way == JCK_WAY_COMPANY || way == JCK_WAY_ALIKE || way == JCK_WAY_ALONE;
}

static void note_fate(jck_ledger *ledger, const jck_execution *execution, jck_fate fate)
{
    const jck_rule *rule =
        fate == JCK_FATE_SURVIVED
            ? NULL
            : jck_suite_find_rule(ledger->options->suite, rule_of(execution->attempt));
    (void)pthread_mutex_lock(&ledger->lock);
    jck_deadly_note(&ledger->deadly, execution->test_case, fate, rule);
    (void)pthread_mutex_unlock(&ledger->lock);
}

static jck_fate fate_of(const jck_execution *execution)
{
    bool gone = execution->attempt->evidence.process_gone;
    return execution->outcome == JCK_OUTCOME_CRASH           ? JCK_FATE_KILLED
           : execution->outcome == JCK_OUTCOME_ENDED && gone ? JCK_FATE_ENDED
           : is_left_mute(execution)                         ? JCK_FATE_MUTE
                                                             : JCK_FATE_SURVIVED;
}

void jck_ledger_note_fate(jck_ledger *ledger, jck_execution *execution, bool final)
{
    if (!execution->judged || execution->fate_noted) {
        return;
    }
    jck_fate fate = fate_of(execution);
    bool lost = fate != JCK_FATE_SURVIVED;
    // A mute target may still turn out to be late, unless others like it were waited for.
    const jck_attempt *seen = execution->attempt;
    bool known = fate != JCK_FATE_MUTE || final || !execution->pending ||
                 (jck_ledger_trusts(ledger, execution->test_case, seen) &&
                  jck_ledger_was_waited(ledger, execution->test_case, seen));
    bool counts = lost ? is_own_doing(execution) && jck_attempt_has_finding(seen)
                       : execution->outcome < JCK_OUTCOME_ENDED;
    if (known && counts) {
        note_fate(ledger, execution, fate);
        execution->fate_noted = true;
    }
}

jck_fate jck_ledger_expects(jck_ledger *ledger, const jck_case *test_case,
                            const jck_rule **ret_rule)
{
    const jck_rule *first = jck_suite_find_rule(ledger->options->suite, test_case->rules[0]);
    bool printed = first != NULL && jck_rule_has_role(first, JCK_ROLE_PRINTED_EXCHANGES);
    (void)pthread_mutex_lock(&ledger->lock);
    jck_fate fate = jck_deadly_expects(&ledger->deadly, test_case, JCK_DEADLY_ENOUGH, ret_rule);
    (void)pthread_mutex_unlock(&ledger->lock);
    return printed ? JCK_FATE_SURVIVED : fate;
}

void jck_ledger_note_pace(jck_ledger *ledger, const jck_evidence *evidence)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_pace_note(&ledger->pace, evidence);
    if (jck_pace_is_known(&ledger->pace)) {
        atomic_store(&ledger->quiet_ms,
                     (int)jck_pace_timing(&ledger->pace, &ledger->options->timing).quiet_ms);
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_note_silences(jck_ledger *ledger, const jck_evidence *evidence)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_silences_note(&ledger->silences, evidence);
    (void)pthread_mutex_unlock(&ledger->lock);
}

uint32_t jck_ledger_silences(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    uint32_t bits = jck_silences_usual(&ledger->silences);
    (void)pthread_mutex_unlock(&ledger->lock);
    return bits;
}

void jck_ledger_note_misjudged(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->pace.misjudged++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_begin_crowd(jck_ledger *ledger, unsigned workers)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->crowd = workers;
    ledger->alone_us = jck_pace_mean_us(&ledger->pace);
    ledger->before_crowd = ledger->pace;
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_is_crowded(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_pace *now = &ledger->pace;
    const jck_pace *before = &ledger->before_crowd;
    size_t answers = now->answers - before->answers;
    int64_t queued_us = ledger->alone_us * ledger->crowd / QUEUED_PART;
    bool crowded = ledger->crowd > CROWD_LEAST && ledger->alone_us > 0 &&
                   answers >= (size_t)ledger->crowd * CROWD_ANSWERS &&
                   now->total_us - before->total_us > queued_us * (int64_t)answers;
    if (crowded) {
        ledger->crowd--;
        ledger->before_crowd = *now;
    }
    (void)pthread_mutex_unlock(&ledger->lock);
    return crowded;
}

bool jck_ledger_has_room(jck_ledger *ledger, unsigned more, int64_t part)
{
    const jck_pace *now = &ledger->pace;
    const jck_pace *before = &ledger->before_crowd;
    size_t answers = now->answers - before->answers;
    int64_t most_us = ledger->alone_us + ledger->alone_us / part;
    bool room = answers >= (size_t)ledger->crowd &&
                now->total_us - before->total_us <= most_us * (int64_t)answers;
    if (room) {
        ledger->crowd += more;
        ledger->before_crowd = *now;
    }
    return room;
}

unsigned jck_ledger_restarts_in_vain(jck_ledger *ledger, unsigned more)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->restarts_in_vain += more;
    unsigned all = ledger->restarts_in_vain;
    (void)pthread_mutex_unlock(&ledger->lock);
    return all;
}

jck_timing jck_ledger_timing(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_timing full = jck_pace_full(&ledger->pace, &ledger->options->timing, false);
    jck_timing timing = jck_pace_timing(&ledger->pace, &full);
    (void)pthread_mutex_unlock(&ledger->lock);
    return timing;
}

bool jck_ledger_is_strained(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool strained = ledger->jobs > 1 && !ledger->apart &&
                    jck_pace_is_strained(&ledger->pace, &ledger->options->timing);
    (void)pthread_mutex_unlock(&ledger->lock);
    return strained;
}

jck_timing jck_ledger_full(jck_ledger *ledger, bool does_work)
{
    (void)pthread_mutex_lock(&ledger->lock);
    jck_timing full = jck_pace_full(&ledger->pace, &ledger->options->timing, does_work);
    (void)pthread_mutex_unlock(&ledger->lock);
    return full;
}

void jck_ledger_share_many(jck_ledger *ledger, jck_many *many)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool mine = jck_work_mean_us(&many->work) > jck_work_mean_us(&ledger->many.work);
    unsigned overtaken =
        many->overtaken > ledger->many.overtaken ? many->overtaken : ledger->many.overtaken;
    ledger->many = mine ? *many : ledger->many;
    ledger->many.overtaken = overtaken;
    *many = ledger->many;
    (void)pthread_mutex_unlock(&ledger->lock);
}

int64_t jck_ledger_mean_us(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    int64_t mean_us = jck_pace_mean_us(&ledger->pace);
    (void)pthread_mutex_unlock(&ledger->lock);
    return mean_us;
}

int64_t jck_ledger_doubt(jck_ledger *ledger, int64_t spent_us)
{
    unsigned slower = jck_busy_times(ledger->options->clock, JCK_DOUBT_TIMES_MOST);
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->doubts_us += spent_us / slower;
    int64_t left = DOUBTS_US - ledger->doubts_us;
    (void)pthread_mutex_unlock(&ledger->lock);
    return left > 0 ? left : 0;
}

void jck_ledger_note_late(jck_ledger *ledger, int64_t late_us, const jck_case *answered)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->late_case = ledger->late_case == NULL ? answered : ledger->late_case;
    ledger->late_us = late_us > ledger->late_us ? late_us : ledger->late_us;
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_reports_swallowing(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool first = !ledger->swallowing_reported;
    ledger->swallowing_reported = true;
    (void)pthread_mutex_unlock(&ledger->lock);
    return first;
}

bool jck_ledger_asks_late(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool first = ledger->late_asked++ == 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return first;
}

int64_t jck_ledger_lateness(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool wait = ledger->late_us > 0 && ledger->late_seen < LATE_CASES_MAX;
    ledger->late_seen += wait;
    int64_t wait_us = wait ? ledger->late_us + ledger->late_us / LATE_PART : 0;
    (void)pthread_mutex_unlock(&ledger->lock);
    return (wait_us + 999) / 1000;
}
