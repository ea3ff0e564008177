// The end of a run on the console: the verdict, then what is broken, what was not judged, and where
// to read on; short enough to be read.
#include "harness/report/console.h"

#include "harness/report/exhibit.h"
#include "harness/report/words.h"
#include "reference/base/plural.h"

// Lines that the summary may take unless more was asked for, and lines of one list in it.
#define SUMMARY_LINES ((size_t)60)
#define LIST_LINES ((size_t)4)
// Lines of a cause with one example, including the empty one after it; how many examples are shown
// even if there are many causes.
#define BLOCK_LINES ((size_t)6)
#define BLOCKS_LEAST ((size_t)3)
#define MESSAGE_BYTES ((size_t)200)

static size_t lines_in(jrpc_slice text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text.len; i++) {
        lines += text.ptr[i] == '\n';
    }
    return lines;
}

// "MUST J2-6d, 2 cases: A server answers an empty Array by …"
static void report_cause(jck_page *page, const jck_cause *cause)
{
    jck_console_paint(page,
                      cause->unexpected == 0 || cause->level != JCK_LEVEL_MUST ? JCK_PAINT_DOUBTFUL
                                                                               : JCK_PAINT_BAD,
                      jck_cause_word(cause));
    if (cause->rule.len > 0) {
        jck_page_str(page, " ");
        jck_page_safe(page, JCK_SAFE_PLAIN, cause->rule);
    }
    jck_page_str(page, ", ");
    jck_append_cause_counts(&page->text, cause);
    jck_page_str(page, ": ");
    jck_append_cause_sentence(&page->text, JCK_SAFE_PLAIN, cause);
    jck_page_str(page, "\n");
}

static void report_exhibit(jck_page *page, const jck_cause *cause, const jck_exhibit *exhibit)
{
    jrpc_buffer *out = &page->text;
    jck_page_str(page, "  sent      ");
    jck_append_sent(out, JCK_SAFE_PLAIN, exhibit, MESSAGE_BYTES);
    jck_page_str(page, "\n  came      ");
    jck_append_came(out, JCK_SAFE_PLAIN, cause, exhibit, MESSAGE_BYTES);
    if (exhibit->expected_count > 0) {
        jck_page_str(page, "\n  expected  ");
        jck_append_expected(out, JCK_SAFE_PLAIN, cause, exhibit, MESSAGE_BYTES);
    } else if (exhibit->text.len > 0) {
        jck_page_str(page, "\n  wrong     ");
        (void)jck_safe_append_sentence(out, JCK_SAFE_PLAIN, exhibit->text, MESSAGE_BYTES);
    }
    jck_page_str(page, "\n  ");
    jck_append_repeat(out, JCK_SAFE_PLAIN, &page->tally.start, exhibit);
    jck_page_str(page, "\n");
}

// How many causes are shown with an example: as many as leave a line for each of the others.
static size_t blocks_that_fit(size_t causes, size_t room)
{
    size_t blocks = causes;
    while (blocks > BLOCKS_LEAST && blocks * BLOCK_LINES + (causes - blocks) + 1 > room) {
        blocks--;
    }
    return blocks < causes ? blocks : causes;
}

// Writes at most `room` lines, unless more was asked for.
static void report_causes(jck_page *page, size_t room)
{
    const jck_causes *causes = &page->tally.causes;
    const jck_report_options *options = &page->options;
    bool terse = options->quiet || options->no_examples || options->verbose > 0 ||
                 page->tally.start.against.len > 0; // already shown
    bool all = options->examples > 1;
    size_t blocks = terse ? 0 : all ? causes->count : blocks_that_fit(causes->count, room);
    size_t lines = blocks * BLOCK_LINES + 1 < room ? room - blocks * BLOCK_LINES - 1 : 0;
    size_t shown = 0;
    for (const jck_cause *cause = causes->first; cause != NULL; cause = cause->next, shown++) {
        bool in_full = shown < blocks;
        bool last = cause->next == NULL;
        if (!terse && !in_full && shown - blocks + (last ? 0 : 1) >= lines) {
            (void)jrpc_buffer_printf(
                &page->text, "… and %zu more broken rules (-q lists them all, one a line)\n",
                causes->count - shown);
            break;
        }
        report_cause(page, cause);
        for (size_t i = 0; in_full && i < cause->exhibit_count; i++) {
            report_exhibit(page, cause, &cause->exhibits[i]);
        }
        jck_page_str(page, in_full ? "\n" : "");
    }
    jck_page_str(page, shown > blocks && !options->quiet ? "\n" : "");
}

static void report_more(jck_page *page, size_t groups, size_t shown)
{
    if (groups > shown) {
        size_t more = groups - shown;
        (void)jrpc_buffer_printf(&page->text, "  … for %zu more reason%s (-v lists them)\n", more,
                                 jrpc_plural(more));
    }
}

// "12 need a method that is not named: --method echo=NAME unlocks 8; sum 2, …"
static void report_unmapped(jck_page *page)
{
    enum { NAMED = 8 };
    const jck_tally *tally = &page->tally;
    const jck_group *capability = tally->capabilities.first;
    if (capability == NULL) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text, "  %zu need%s a method that was not named: ",
                             tally->capabilities.cases, tally->capabilities.cases == 1 ? "s" : "");
    if (capability->value.len > 0) {
        jck_page_safe(page, JCK_SAFE_PLAIN, capability->value);
    } else {
        jck_page_safe(page, JCK_SAFE_PLAIN, capability->name);
    }
    (void)jrpc_buffer_printf(&page->text, " unlocks %zu", capability->count);
    size_t named = 1;
    for (capability = capability->next; capability != NULL; capability = capability->next) {
        if (named++ >= NAMED && page->options.verbose == 0) {
            jck_page_str(page, ", …");
            break;
        }
        jck_page_str(page, named == 2 ? "; " : ", ");
        jck_page_safe(page, JCK_SAFE_PLAIN, capability->name);
        (void)jrpc_buffer_printf(&page->text, " %zu", capability->count);
    }
    jck_page_str(page, "\n");
}

// What was seen of methods that were not named, a line for each.
static void report_sightings(jck_page *page)
{
    const jck_groups *sightings = &page->tally.sightings;
    size_t shown = 0;
    for (const jck_group *seen = sightings->first; seen != NULL && shown < LIST_LINES;
         seen = seen->next, shown++) {
        jck_page_str(page, "    ");
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, seen->name, MESSAGE_BYTES);
        jck_page_str(page, "\n");
    }
}

static void report_reasons(jck_page *page)
{
    const jck_groups *reasons = &page->tally.reasons;
    size_t shown = 0;
    for (const jck_group *reason = reasons->first; reason != NULL; reason = reason->next) {
        if (shown >= LIST_LINES && page->options.verbose == 0) {
            break;
        }
        (void)jrpc_buffer_printf(&page->text, "  %zu: ", reason->count);
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, reason->name, MESSAGE_BYTES);
        jck_page_str(page, "\n");
        shown++;
    }
    report_more(page, reasons->count, shown);
}

static void report_blocked(jck_page *page)
{
    const jck_groups *blocking = &page->tally.blocking;
    if (blocking->cases == 0) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text,
                             "  %zu depend%s on a rule that is broken, or whose case crashed: ",
                             blocking->cases, blocking->cases == 1 ? "s" : "");
    size_t named = 0;
    for (const jck_group *rule = blocking->first; rule != NULL; rule = rule->next) {
        if (named == 8 && page->options.verbose == 0) {
            jck_page_str(page, ", …");
            break;
        }
        jck_page_str(page, named++ == 0 ? "" : ", ");
        (void)jck_safe_append_capped(&page->text, JCK_SAFE_PLAIN, rule->name, MESSAGE_BYTES,
                                     rule->name.len);
        (void)jrpc_buffer_printf(&page->text, " %zu", rule->count);
    }
    jck_page_str(page, "\n");
}

static void report_unjudged(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    size_t unjudged = tally->counts[JCK_OUTCOME_SKIP] + tally->counts[JCK_OUTCOME_BLOCKED];
    if (unjudged == 0) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text, "Not judged: %zu case%s\n", unjudged,
                             jrpc_plural(unjudged));
    report_unmapped(page);
    report_sightings(page);
    report_blocked(page);
    report_reasons(page);
}

static void report_observed(jck_page *page)
{
    const jck_groups *groups = &page->tally.observations;
    if (groups->count == 0) {
        return;
    }
    bool compared = page->tally.start.against.len > 0;
    bool listed = page->options.verbose > 0 || compared;
    if (compared) {
        jck_page_str(page, "Compared with ");
        jck_page_safe(page, JCK_SAFE_PLAIN, page->tally.start.against);
        jck_page_str(page, "\n");
    } else {
        (void)jrpc_buffer_printf(
            &page->text,
            "Recorded: %zu choice%s where the specification leaves the answer open%s\n",
            groups->count, jrpc_plural(groups->count), listed ? "" : " (-v lists them)");
    }
    for (const jck_group *seen = groups->first; listed && seen != NULL; seen = seen->next) {
        jck_page_str(page, "  ");
        jck_page_safe(page, JCK_SAFE_PLAIN, seen->name);
        jck_page_str(page, " = ");
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, seen->value, SIZE_MAX);
        (void)jrpc_buffer_printf(&page->text, " (%zu)\n", seen->count);
    }
}

static void report_elsewhere(jck_page *page)
{
    const char *place = page->options.elsewhere;
    if (page->tally.cases == 0 || (place != NULL && place[0] == '\0')) {
        return;
    }
    jck_page_str(page, "The whole report: ");
    if (place != NULL) {
        jck_page_safe(page, JCK_SAFE_PLAIN, jrpc_slice_str(place));
        jck_page_str(page, "\n");
    } else {
        jck_page_str(page, page->options.verbose > 0
                               ? "add --report html=report.html\n"
                               : "add --report html=report.html, or -v for every failing case\n");
    }
}

// An orderly exit breaks no rule by itself, but the reader of the report should know about it.
static void report_endings(jck_page *page)
{
    const jck_group *ended = page->tally.endings.first;
    if (ended == NULL) {
        return;
    }
    (void)jrpc_buffer_printf(&page->text,
                             "Ended: in %zu case%s the target's process exited in an orderly way, "
                             "which breaks no rule, for example in ",
                             ended->count, jrpc_plural(ended->count));
    jck_page_safe(page, JCK_SAFE_PLAIN, ended->example);
    jck_page_str(page, "\n");
}

// What follows the causes: written first, to know how many lines are left for them.
static void report_rest(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    report_unjudged(page);
    report_endings(page);
    if (tally->finish.only_in_company > 0) {
        (void)jrpc_buffer_printf(
            &page->text,
            "Not counted: %zu case%s failed together with others and passed when run alone\n",
            tally->finish.only_in_company, jrpc_plural(tally->finish.only_in_company));
    }
    if (tally->finish.sessions_lost > 0) {
        (void)jrpc_buffer_printf(&page->text,
                                 "The server ended its session %zu time%s with HTTP status 404; "
                                 "each time a new one was started\n",
                                 tally->finish.sessions_lost,
                                 jrpc_plural(tally->finish.sessions_lost));
    }
    report_observed(page);
    report_elsewhere(page);
}

static void report_verdict(jck_page *page)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), page->text.maximum);
    jck_tally_verdict(&page->tally, JCK_SAFE_PLAIN, &line);
    (void)jrpc_buffer_append_char(&line, '\0');
    page->text.failed = page->text.failed || line.failed;
    if (!line.failed) {
        jck_console_paint(page,
                          !jck_tally_conformant(&page->tally)          ? JCK_PAINT_BAD
                          : jck_tally_is_mostly_unjudged(&page->tally) ? JCK_PAINT_DOUBTFUL
                                                                       : JCK_PAINT_GOOD,
                          line.ptr);
        jck_page_str(page, "\n");
    }
    jrpc_buffer_done(&line);
}

// "1134 cases: …; 3.2 s; python3 server.py over stdio (line), profile spec, seed 7"
static void report_counts(jck_page *page)
{
    const jck_reading_start *start = &page->tally.start;
    jck_tally_counts(&page->tally, &page->text);
    if (page->tally.finished) {
        jck_page_str(page, "; ");
        jck_append_duration(&page->text, page->tally.finish.duration_us);
    }
    jck_page_str(page, "\n");
    if (start->target.len > 0) {
        jck_console_target(page);
    }
}

void jck_console_summary(jck_page *page)
{
    report_verdict(page);
    jck_append_likeness(&page->text, JCK_SAFE_PLAIN, &page->tally.start, "", "\n");
    jck_append_hint(&page->text, JCK_SAFE_PLAIN, &page->tally.finish, "", "\n");
    if (page->options.quiet) {
        report_causes(page, SIZE_MAX);
        return;
    }
    report_counts(page);
    jck_page_str(page, "\n");
    size_t before = page->text.len;
    report_rest(page);
    jrpc_slice rest = jrpc_slice_from(jrpc_buffer_slice(&page->text), before);
    size_t used = lines_in(jrpc_buffer_slice(&page->text));
    jrpc_buffer kept;
    jrpc_buffer_init(&kept, jrpc_allocator_heap(), page->text.maximum);
    (void)jrpc_buffer_append(&kept, rest);
    jrpc_buffer_truncate(&page->text, before);
    report_causes(page, used < SUMMARY_LINES ? SUMMARY_LINES - used : 0);
    (void)jrpc_buffer_append(&page->text, jrpc_buffer_slice(&kept));
    page->text.failed = page->text.failed || kept.failed;
    jrpc_buffer_done(&kept);
}
