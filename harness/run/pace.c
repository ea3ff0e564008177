#include "harness/run/pace.h"

#define ANSWERS_ENOUGH 100
// After so many, a first guess is made.
#define ANSWERS_FEW 12
// How many times the mean answer, how many times the slowest, and how many milliseconds at least:
// also while only a few answers were seen.
typedef struct measure {
    int64_t means, slowest, least_ms, least_early_ms;
} measure;

static const measure of_reply = {
    .means = 100, .slowest = 5, .least_ms = 400, .least_early_ms = 1000};
// What has not come when the fence is answered is also waited for in the background.
static const measure of_quiet = {.means = 10, .slowest = 2, .least_ms = 20, .least_early_ms = 100};
// A fence may be sent earlier, because it alone cannot cause a finding.
static const measure of_patience = {
    .means = 10, .slowest = 1, .least_ms = 10, .least_early_ms = 50};
// A target that took this part of the longest time for several answers is strained.
#define STRAINED_PART 8
// After going wrong this often, hurrying is given up.
#define MISJUDGED_MAX 4

// When what a received message answers was sent: the first message of its step, or the last fence.
static int64_t asked_at(const jck_evidence *evidence, size_t received)
{
    const jck_message *answer = &evidence->messages[received];
    int64_t at_us = -1;
    for (size_t i = 0; i < received; i++) {
        const jck_message *sent = &evidence->messages[i];
        bool same = sent->direction == JCK_SENT && sent->role == answer->role &&
                    sent->step == answer->step && sent->connection == answer->connection;
        if (same && (at_us < 0 || answer->role == JCK_MESSAGE_OF_FENCE)) {
            at_us = sent->at_us;
        }
    }
    return at_us;
}

void jck_pace_note(jck_pace *pace, const jck_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        bool answers =
            message->direction == JCK_RECEIVED &&
            (message->role == JCK_MESSAGE_OF_CASE || message->role == JCK_MESSAGE_OF_FENCE);
        int64_t asked_us = answers ? asked_at(evidence, i) : -1;
        if (asked_us < 0) {
            continue;
        }
        int64_t took_us = message->at_us - asked_us;
        pace->answers++;
        pace->results += jrpc_slice_contains(message->bytes, JRPC_SLICE("\"result\""));
        pace->total_us += took_us;
        for (size_t k = 0; k < JCK_SLOWEST; k++) {
            if (took_us > pace->slowest_us[k]) {
                int64_t faster_us = pace->slowest_us[k];
                pace->slowest_us[k] = took_us;
                took_us = faster_us;
            }
        }
    }
}

bool jck_pace_is_known(const jck_pace *pace)
{
    size_t enough = pace->early ? ANSWERS_FEW : ANSWERS_ENOUGH;
    return pace->answers >= enough && pace->misjudged < MISJUDGED_MAX;
}

static int64_t learned(const jck_pace *pace, const measure *by, int64_t full_ms)
{
    int64_t usual_ms = jck_pace_mean_us(pace) * by->means / 1000;
    int64_t worst_ms = pace->slowest_us[JCK_SLOWEST - 1] * by->slowest / 1000;
    int64_t ms = usual_ms > worst_ms ? usual_ms : worst_ms;
    int64_t least_ms = pace->answers < ANSWERS_ENOUGH ? by->least_early_ms : by->least_ms;
    ms = ms > least_ms ? ms : least_ms;
    return ms < full_ms ? ms : full_ms;
}

// How many times as long as the slowest answers a missing one is waited for.
#define FULL_SLOWEST 30
// After so many results, that goes for the results of methods as well.
#define RESULTS_ENOUGH 20

jck_timing jck_pace_full(const jck_pace *pace, const jck_timing *most, bool does_work)
{
    jck_timing full = *most;
    bool known = jck_pace_is_known(pace) && pace->answers >= ANSWERS_ENOUGH &&
                 (!does_work || pace->results >= RESULTS_ENOUGH);
    if (most->reply_least_ms > 0 && known) {
        int64_t ms = pace->slowest_us[JCK_SLOWEST - 1] * FULL_SLOWEST / 1000;
        ms = ms > most->reply_least_ms ? ms : most->reply_least_ms;
        full.reply_ms = ms < most->reply_ms ? ms : most->reply_ms;
    }
    return full;
}

jck_timing jck_pace_timing(const jck_pace *pace, const jck_timing *full)
{
    jck_timing timing = *full;
    if (jck_pace_is_known(pace)) {
        timing.reply_ms = learned(pace, &of_reply, full->reply_ms);
        timing.quiet_ms = learned(pace, &of_quiet, full->quiet_ms);
        timing.patience_ms = learned(pace, &of_patience, full->patience_ms);
    }
    return timing;
}

bool jck_pace_is_strained(const jck_pace *pace, const jck_timing *most)
{
    return pace->slowest_us[JCK_SLOWEST - 1] >= (int64_t)most->reply_ms * 1000 / STRAINED_PART;
}

int64_t jck_pace_mean_us(const jck_pace *pace)
{
    return pace->answers == 0 ? 0 : pace->total_us / (int64_t)pace->answers;
}

static int64_t at_most(int64_t ms, int64_t full_ms)
{
    return ms < full_ms ? ms : full_ms;
}

jck_timing jck_pace_at_first(const jck_timing *full)
{
    jck_timing timing = *full;
    timing.reply_ms = at_most(of_reply.least_early_ms, full->reply_ms);
    timing.quiet_ms = at_most(of_quiet.least_early_ms, full->quiet_ms);
    timing.patience_ms = at_most(of_patience.least_early_ms, full->patience_ms);
    return timing;
}

// How many times as long as in a first look an attempt aside waits, and how many milliseconds at
// least.
#define ASIDE_TIMES 4
#define ASIDE_QUIET_MS 100
#define ASIDE_PATIENCE_MS 50

static int64_t aside(int64_t first_ms, int64_t least_ms, int64_t full_ms)
{
    int64_t ms = first_ms * ASIDE_TIMES;
    return at_most(ms > least_ms ? ms : least_ms, full_ms);
}

jck_timing jck_pace_aside(const jck_timing *first, const jck_timing *full)
{
    jck_timing timing = *first;
    timing.quiet_ms = aside(first->quiet_ms, ASIDE_QUIET_MS, full->quiet_ms);
    timing.patience_ms = aside(first->patience_ms, ASIDE_PATIENCE_MS, full->patience_ms);
    return timing;
}

// So many messages of a kind must be left unanswered before their answers are not waited for.
#define UNANSWERED_ENOUGH 2

static bool is_answered(const jck_evidence *evidence, int step)
{
    bool answered = false;
    for (size_t i = 0; i < evidence->count && !answered; i++) {
        const jck_message *message = &evidence->messages[i];
        answered = jck_evidence_is_received_in(message, step) && !message->originated;
    }
    return answered;
}

static void note(jck_silences *silences, uint32_t bits, bool answered)
{
    silences->answered |= answered ? bits : 0;
    for (unsigned kind = 0; kind < JCK_OWED_KINDS && !answered; kind++) {
        silences->unanswered[kind] += bits >> kind & 1U;
        silences->any = silences->any || bits != 0;
    }
}

void jck_silences_note(jck_silences *silences, const jck_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction != JCK_SENT || sent->role != JCK_MESSAGE_OF_CASE || sent->step < 0 ||
            (evidence->settled[sent->step] != JCK_FENCED &&
             evidence->settled[sent->step] != JCK_SETTLED)) {
            continue;
        }
        bool answered = is_answered(evidence, sent->step);
        bool missing = !answered && evidence->settled[sent->step] == JCK_FENCED;
        if (missing || (answered && silences->any)) { // nothing to do for most targets
            note(silences, jck_owed_bit(sent->bytes), answered);
        }
    }
}

uint32_t jck_silences_usual(const jck_silences *silences)
{
    uint32_t bits = 0;
    for (unsigned kind = 0; kind < JCK_OWED_KINDS; kind++) {
        bits |= silences->unanswered[kind] >= UNANSWERED_ENOUGH ? 1U << kind : 0;
    }
    return bits & ~silences->answered;
}
