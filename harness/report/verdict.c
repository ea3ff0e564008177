// The result of a run, in words.
#include "harness/report/tally.h"

#include "reference/base/plural.h"

#include <inttypes.h>

size_t jck_tally_broken(const jck_tally *tally, jck_level level)
{
    size_t broken = 0;
    for (const jck_group *rule = tally->rules.first; rule != NULL; rule = rule->next) {
        broken += rule->unexpected_level == level && rule->unexpected > 0;
    }
    return broken;
}

size_t jck_tally_broken_at_all(const jck_tally *tally, jck_level level)
{
    size_t broken = 0;
    for (const jck_group *rule = tally->rules.first; rule != NULL; rule = rule->next) {
        broken += rule->level == level;
    }
    return broken;
}

bool jck_tally_complete(const jck_tally *tally)
{
    return tally->finished && !tally->finish.interrupted && tally->finish.stopped.len == 0;
}

static size_t count_unjudged(const jck_tally *tally)
{
    return tally->counts[JCK_OUTCOME_SKIP] + tally->counts[JCK_OUTCOME_BLOCKED];
}

bool jck_tally_is_mostly_unjudged(const jck_tally *tally)
{
    return count_unjudged(tally) > tally->cases - count_unjudged(tally);
}

bool jck_tally_conformant(const jck_tally *tally)
{
    return tally->finished && tally->finish.conformant;
}

// Appends ", " before every part but the first.
static void part(jrpc_buffer *out, bool *first)
{
    if (!*first) {
        (void)jrpc_buffer_append_str(out, ", ");
    }
    *first = false;
}

// Cases that fail as the baseline says.
static size_t known_cases(const jck_tally *tally)
{
    size_t known = 0;
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        known += tally->expected[i];
    }
    return known;
}

// "2 MUST rules broken, 1 SHOULD rule broken, 1 crash".
static void append_breaches(const jck_tally *tally, jrpc_buffer *out)
{
    static const struct {
        jck_outcome outcome;
        const char *one;
        const char *several;
    } ends[] = {
        {JCK_OUTCOME_CRASH, "crash", "crashes"},
        {JCK_OUTCOME_HANG, "hang", "hangs"},
        {JCK_OUTCOME_STUCK, "stuck connection", "stuck connections"},
        {JCK_OUTCOME_ERROR, "error of the harness", "errors of the harness"},
    };
    bool first = true;
    size_t known = known_cases(tally);
    size_t musts = jck_tally_broken(tally, JCK_LEVEL_MUST);
    size_t shoulds = jck_tally_broken(tally, JCK_LEVEL_SHOULD);
    if (musts > 0) {
        part(out, &first);
        (void)jrpc_buffer_printf(out, "%zu MUST rule%s broken", musts, jrpc_plural(musts));
    } else if (tally->breaches == 0 && known > 0) {
        part(out, &first);
        (void)jrpc_buffer_printf(out, "no new breach (%zu known)", known);
    } else if (tally->breaches == 0) {
        part(out, &first);
        (void)jrpc_buffer_append_str(out, "no MUST rule broken");
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t count = tally->counts[ends[i].outcome] - tally->expected[ends[i].outcome];
        if (count > 0) {
            part(out, &first);
            (void)jrpc_buffer_printf(out, "%zu %s", count,
                                     count == 1 ? ends[i].one : ends[i].several);
        }
    }
    if (shoulds > 0) {
        part(out, &first);
        (void)jrpc_buffer_printf(out, "%zu SHOULD rule%s broken%s", shoulds, jrpc_plural(shoulds),
                                 tally->start.strict ? " (strict)" : "");
    }
    if (tally->breaches > 0 && known > 0) {
        part(out, &first);
        (void)jrpc_buffer_printf(out, "%zu more known from the baseline", known);
    }
}

static void append_progress(const jck_tally *tally, jrpc_buffer *out)
{
    (void)jrpc_buffer_printf(out, " after %zu of %zu case%s", tally->cases, tally->start.selected,
                             jrpc_plural(tally->start.selected));
}

// For a run that did not finish. False if it did.
static bool append_unfinished(const jck_tally *tally, jck_safe_place place, jrpc_buffer *out)
{
    jrpc_slice stopped = tally->finish.stopped;
    if (!tally->finished) {
        (void)jrpc_buffer_append_str(out, "CUT SHORT");
        append_progress(tally, out);
        (void)jrpc_buffer_append_str(out, ": the stream ends before the run did");
    } else if (tally->finish.interrupted) {
        (void)jrpc_buffer_append_str(out, "INTERRUPTED");
        append_progress(tally, out);
    } else if (stopped.len > 0) {
        (void)jrpc_buffer_append_str(out, "STOPPED");
        append_progress(tally, out);
        (void)jrpc_buffer_append_str(out, ": ");
        (void)jck_safe_append_sentence(out, place, stopped, SIZE_MAX);
    } else {
        return false;
    }
    if (tally->cases > 0) {
        (void)jrpc_buffer_append_str(out, tally->breaches > 0 ? "; NOT CONFORMANT so far: "
                                                              : "; so far ");
        append_breaches(tally, out);
    }
    return true;
}

void jck_tally_verdict(const jck_tally *tally, jck_safe_place place, jrpc_buffer *out)
{
    if (append_unfinished(tally, place, out)) {
        return;
    }
    if (!tally->finish.conformant && tally->breaches == 0) {
        (void)jrpc_buffer_append_str(
            out, tally->finish.judged == 0
                     ? "NOTHING WAS JUDGED: every selected case was skipped or blocked"
                     : "NOT CONFORMANT: the run says so but names no broken rule");
        return;
    }
    (void)jrpc_buffer_append_str(out, !tally->finish.conformant             ? "NOT CONFORMANT: "
                                      : jck_tally_is_mostly_unjudged(tally) ? "MOSTLY NOT JUDGED: "
                                                                            : "CONFORMANT: ");
    append_breaches(tally, out);
    size_t unjudged = count_unjudged(tally);
    if (unjudged > 0) {
        (void)jrpc_buffer_printf(out, "; %zu of %zu case%s not judged", unjudged, tally->cases,
                                 jrpc_plural(tally->cases));
    }
    if (tally->start.shards > 1) {
        (void)jrpc_buffer_printf(out, "; part %zu of %zu only", tally->start.shard,
                                 tally->start.shards);
    }
    if (tally->cases < tally->start.selected) {
        (void)jrpc_buffer_append_str(out, "; stopped");
        append_progress(tally, out);
    }
}

void jck_tally_counts(const jck_tally *tally, jrpc_buffer *out)
{
    static const struct {
        jck_outcome outcome;
        const char *word;
    } words[] = {
        {JCK_OUTCOME_PASS, "passed"},      {JCK_OUTCOME_ERROR, "harness error"},
        {JCK_OUTCOME_CRASH, "crashed"},    {JCK_OUTCOME_HANG, "hung"},
        {JCK_OUTCOME_STUCK, "got stuck"},  {JCK_OUTCOME_ENDED, "ended the connection"},
        {JCK_OUTCOME_FAIL, "failed"},      {JCK_OUTCOME_WARN, "warned"},
        {JCK_OUTCOME_OBSERVE, "observed"}, {JCK_OUTCOME_SKIP, "skipped"},
        {JCK_OUTCOME_BLOCKED, "blocked"},
    };
    (void)jrpc_buffer_printf(out, "%zu case%s: ", tally->cases, jrpc_plural(tally->cases));
    bool first = true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t count = tally->counts[words[i].outcome];
        if (count > 0 || words[i].outcome == JCK_OUTCOME_PASS) {
            part(out, &first);
            bool noun = words[i].outcome == JCK_OUTCOME_ERROR; // the only one with a plural
            (void)jrpc_buffer_printf(out, "%zu %s%s", count, words[i].word,
                                     noun ? jrpc_plural(count) : "");
        }
    }
}

void jck_append_duration(jrpc_buffer *out, int64_t duration_us)
{
    int64_t ms = duration_us < 0 ? 0 : duration_us / 1000;
    if (ms < 1000) {
        (void)jrpc_buffer_printf(out, "%" PRId64 " ms", ms);
    } else if (ms < 60000) {
        (void)jrpc_buffer_printf(out, "%" PRId64 ".%" PRId64 " s", ms / 1000, ms % 1000 / 100);
    } else {
        (void)jrpc_buffer_printf(out, "%" PRId64 " min %02" PRId64 " s", ms / 60000,
                                 ms / 1000 % 60);
    }
}
