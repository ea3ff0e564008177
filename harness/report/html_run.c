#include "harness/report/html_run.h"

#include "harness/report/words.h"
#include "reference/base/plural.h"

static size_t total(const size_t *counts)
{
    size_t sum = 0;
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        sum += counts[i];
    }
    return sum;
}

// The verdict, together with what a baseline hides.
static void write_verdict(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    bool as_expected = total(tally->expected) > 0;
    bool conformant = jck_tally_complete(tally) && jck_tally_conformant(tally);
    const char *style = "bad";
    const char *word = "Not conformant";
    if (!jck_tally_complete(tally)) {
        style = "cut";
        word = "The run is not complete";
    } else if (conformant && jck_tally_is_mostly_unjudged(tally)) {
        style = "cut";
        word = "Mostly not judged";
    } else if (conformant) {
        style = as_expected ? "known" : "ok";
        word = as_expected ? "Breaks only what its baseline lists" : "Conformant";
    }
    (void)jrpc_buffer_printf(&page->text, "<div class=\"verdict %s\"><strong>%s</strong>\n<p>",
                             style, word);
    if (conformant && as_expected) {
        size_t count = total(tally->expected);
        (void)jrpc_buffer_printf(&page->text,
                                 "%zu case%s the outcome that the baseline expects. All figures "
                                 "below count %s too.</p></div>\n",
                                 count, count == 1 ? " has" : "s have", count == 1 ? "it" : "them");
        return;
    }
    jrpc_buffer sentence;
    jrpc_buffer_init(&sentence, jrpc_allocator_heap(), page->text.maximum);
    jck_tally_verdict(tally, JCK_SAFE_HTML, &sentence);
    // The heading already has what comes before the colon.
    jrpc_slice rest = jrpc_buffer_slice(&sentence);
    const char *colon = rest.len == 0 ? NULL : memchr(rest.ptr, ':', rest.len);
    if (jck_tally_complete(tally) && colon != NULL) {
        rest = jrpc_slice_from(rest, (size_t)(colon - rest.ptr) + 2);
    }
    (void)jrpc_buffer_append(&page->text, rest);
    page->text.failed = page->text.failed || sentence.failed;
    jrpc_buffer_done(&sentence);
    jck_html_str(&page->text, "</p></div>\n");
}

static void figure(jrpc_buffer *out, const char *style, size_t number, const char *label)
{
    (void)jrpc_buffer_printf(out, "<div class=\"%s\"><b>%zu</b><span>%s</span></div>\n",
                             number == 0 ? "zero" : style, number, label);
}

static void write_figures(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    jrpc_buffer *out = &page->text;
    size_t shares[JCK_SHARE_COUNT];
    jck_html_shares(tally->counts, shares);
    jck_html_str(out, "<div class=\"figures\">\n");
    figure(out, "must", jck_tally_broken_at_all(tally, JCK_LEVEL_MUST), "MUST rules broken");
    figure(out, "should", jck_tally_broken_at_all(tally, JCK_LEVEL_SHOULD), "SHOULD rules broken");
    figure(out, "dead", shares[JCK_SHARE_DEAD], "crashes and hangs");
    (void)jrpc_buffer_printf(
        out, "<div><b>%zu</b><span>of %zu case%s judged</span></div>\n</div>\n",
        tally->cases - shares[JCK_SHARE_NONE], tally->cases, jrpc_plural(tally->cases));
    jck_html_bar(out, shares);
    jck_html_str(out, "\n");
    jck_html_legend(out, shares);
}

// The line that repeats the run; if the stream does not say it, just the target's words.
static void write_command(jck_page *page, const jck_html_run *run)
{
    jrpc_buffer *out = &page->text;
    size_t before = out->len;
    jck_html_str(out, "<div><dt>Command</dt><dd><code>");
    if (jck_append_command(out, JCK_SAFE_HTML, &page->tally.start)) {
        jck_html_str(out, "</code></dd></div>\n");
        return;
    }
    jrpc_buffer_truncate(out, before);
    if (run->style.start != NULL) {
        jck_html_str(out, "<div><dt>Target</dt><dd><code>");
        jck_append_target_words(out, JCK_SAFE_HTML, run->style.start);
        jck_html_str(out, "</code></dd></div>\n");
    }
}

static void write_facts(jck_page *page, const jck_html_run *run)
{
    const jck_tally *tally = &page->tally;
    jrpc_buffer *out = &page->text;
    jck_append_likeness(out, JCK_SAFE_HTML, &tally->start, "<p>", "</p>\n");
    jck_append_hint(out, JCK_SAFE_HTML, &tally->finish, "<p>", "</p>\n");
    jck_html_str(out, "<dl class=\"facts\">\n");
    jck_html_fact(out, "Transport", tally->start.transport);
    jck_html_fact(out, "Framing", tally->start.framing);
    jck_html_fact(out, "Profile", tally->start.profile);
    jck_html_fact(out, "Started", tally->start.started);
    if (tally->finished) {
        jck_html_str(out, "<div><dt>Took</dt><dd>");
        jck_append_duration(out, tally->finish.duration_us);
        jck_html_str(out, "</dd></div>\n");
    }
    jck_html_fact(out, "Seed", tally->start.seed);
    jck_html_fact(out, "jrpcheck", tally->start.tool);
    write_command(page, run);
    jck_html_str(out, "</dl>\n");
}

static void write_header(jck_page *page, const jck_html_run *run)
{
    const jck_reading_start *start = &page->tally.start;
    jrpc_buffer *out = &page->text;
    jck_html_str(out, "<header class=\"top\">\n<p class=\"kicker\">JSON-RPC conformance</p>\n<h1>");
    jck_html_short(out, start->target.len > 0 ? start->target : JRPC_SLICE("an unnamed target"),
                   300);
    jck_html_str(out, "</h1>\n");
    if (start->implementation.len > 0) {
        jck_html_str(out, "<p class=\"soft\">");
        jck_html_short(out, start->implementation, 300);
        jck_html_str(out, " ");
        jck_html_short(out, start->version, 300);
        jck_html_str(out, start->language.len > 0 ? ", " : "");
        jck_html_short(out, start->language, 300);
        jck_html_str(out, "</p>\n");
    }
    write_verdict(page);
    write_figures(page);
    write_facts(page, run);
    jck_html_str(out, "</header>\n");
}

static void link_to(jrpc_buffer *out, char section, size_t run, const char *word, size_t count)
{
    jck_html_str(out, "<li><a href=\"#");
    jck_html_anchor(out, 's', run, jrpc_slice_of(&section, 1));
    (void)jrpc_buffer_printf(out, "\">%s <span class=\"n\">%zu</span></a></li>\n", word, count);
}

static void write_nav(jck_page *page, const jck_html_run *run)
{
    const jck_tally *tally = &page->tally;
    jrpc_buffer *out = &page->text;
    size_t unjudged = tally->counts[JCK_OUTCOME_SKIP] + tally->counts[JCK_OUTCOME_BLOCKED];
    jck_html_str(out, "<nav aria-label=\"Sections\"><ul>\n");
    link_to(out, 'b', run->style.run, "Broken", tally->causes.count);
    link_to(out, 'c', run->style.run, "Cases", tally->cases);
    link_to(out, 'r', run->style.run, "Rules", run->book.count);
    link_to(out, 'o', run->style.run, "Left open", tally->observations.count);
    if (unjudged > 0) {
        link_to(out, 'u', run->style.run, "Not judged", unjudged);
    }
    jck_html_str(out, "</ul></nav>\n");
}

bool jck_html_run_write(jck_page *page, jck_html_run *run)
{
    jrpc_buffer *out = &page->text;
    jck_html_str(out, "<div>\n");
    write_header(page, run);
    write_nav(page, run);
    jck_html_str(out, "<main>\n");
    jck_html_causes_write(out, page, run);
    jck_html_cases_write(out, run);
    if (!jck_html_rules_write(out, run)) {
        return false;
    }
    jck_html_open_write(out, page, run);
    jck_html_unjudged_write(out, page);
    jck_html_str(out, "</main>\n</div>\n");
    return true;
}
