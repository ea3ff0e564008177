// What changed since another run, for people: on the console, in Markdown, in HTML.
#include "harness/report/console.h"
#include "harness/report/formats.h"
#include "harness/report/html.h"
#include "harness/report/since.h"

typedef struct since_report {
    jck_since since;
} since_report;

static jck_since *since_of(jck_page *page)
{
    return &((since_report *)page->own)->since;
}

static bool begin(jck_page *page)
{
    return jck_since_begin(page, since_of(page));
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    return jck_since_take_case(page, since_of(page), test_case);
}

static bool end(jck_page *page)
{
    (void)page;
    return true;
}

// Whether such cases are named one by one; of the others only the number is given.
static bool is_listed(jck_change_kind kind)
{
    return kind != JCK_CHANGE_ADDED && kind != JCK_CHANGE_GONE;
}

static size_t changes(const jck_since *since)
{
    size_t sum = 0;
    for (int i = 0; i < JCK_CHANGE_COUNT; i++) {
        sum += since->counts[i];
    }
    return sum;
}

// "2 broken, 1 fixed".
static void write_counts(jck_page *page)
{
    const jck_since *since = since_of(page);
    const char *between = "";
    for (int i = 0; i < JCK_CHANGE_COUNT; i++) {
        if (since->counts[i] > 0) {
            (void)jrpc_buffer_printf(&page->text, "%s%zu %s", between, since->counts[i],
                                     jck_change_word((jck_change_kind)i));
            between = ", ";
        }
    }
    jck_page_str(page, changes(since) == 0 ? "nothing changed" : "");
}

// "target (2026-…), since 2026-…".
static void write_names(jck_page *page, jck_safe_place place)
{
    const jck_since *since = since_of(page);
    jck_page_safe(page, place, since->target);
    jck_page_str(page, " (");
    jck_page_safe(page, place, since->started);
    jck_page_str(page, ") since ");
    if (!jrpc_slice_equal(since->old_target, since->target)) {
        jck_page_safe(page, place, since->old_target);
        jck_page_str(page, " ");
    }
    jck_page_safe(page, place, since->old_started);
}

// The result of the case on the side that says more.
static void write_account(jck_page *page, jck_safe_place place, const jck_since_case *test_case,
                          jck_change_kind kind)
{
    const jck_since_side *side =
        test_case->now.there && kind != JCK_CHANGE_FIXED ? &test_case->now : &test_case->old;
    if (kind == JCK_CHANGE_CHOICE) {
        static const jrpc_slice nothing = {"the usual answer", 16};
        jck_page_safe(page, place,
                      test_case->old.observed.len > 0 ? test_case->old.observed : nothing);
        jck_page_str(page, " \xe2\x86\x92 ");
        jck_page_safe(page, place,
                      test_case->now.observed.len > 0 ? test_case->now.observed : nothing);
        return;
    }
    (void)jck_safe_append_sentence(&page->text, place, side->account, 400);
}

static const char *outcome_of(const jck_since_side *side)
{
    return side->there ? jck_outcome_name(side->outcome) : "none";
}

// The cases of one kind: each between `before` and `behind`, by `write`.
static void each(jck_page *page, jck_change_kind kind,
                 void (*write)(jck_page *page, const jck_since_case *test_case,
                               jck_change_kind kind))
{
    for (const jck_since_case *at = since_of(page)->first; at != NULL; at = at->next) {
        jck_change_kind found;
        if (jck_since_kind(at, &found) && found == kind) {
            write(page, at, kind);
        }
    }
}

static void console_case(jck_page *page, const jck_since_case *test_case, jck_change_kind kind)
{
    jck_page_str(page, "  ");
    jck_page_safe(page, JCK_SAFE_PLAIN, test_case->id);
    (void)jrpc_buffer_printf(&page->text, "  %s \xe2\x86\x92 %s  ", outcome_of(&test_case->old),
                             outcome_of(&test_case->now));
    write_account(page, JCK_SAFE_PLAIN, test_case, kind);
    jck_page_str(page, "\n");
}

static bool write_console(jck_page *page)
{
    static const jck_paint paints[JCK_CHANGE_COUNT] = {
        JCK_PAINT_BAD,   JCK_PAINT_BAD,      JCK_PAINT_GOOD,  JCK_PAINT_DOUBTFUL,
        JCK_PAINT_FAINT, JCK_PAINT_DOUBTFUL, JCK_PAINT_FAINT, JCK_PAINT_FAINT};
    jck_since_count(since_of(page));
    write_names(page, JCK_SAFE_PLAIN);
    jck_page_str(page, ": ");
    write_counts(page);
    jck_page_str(page, "\n");
    for (int i = 0; i < JCK_CHANGE_COUNT; i++) {
        jck_change_kind kind = (jck_change_kind)i;
        bool quiet = page->options.quiet && kind > JCK_CHANGE_NEW_WRONG;
        bool listed = page->options.verbose || is_listed(kind);
        if (since_of(page)->counts[i] > 0 && listed && !quiet) {
            jck_console_paint(page, paints[i], jck_change_heading(kind));
            jck_page_str(page, "\n");
            each(page, kind, console_case);
        }
    }
    return true;
}

static void markdown_case(jck_page *page, const jck_since_case *test_case, jck_change_kind kind)
{
    jck_page_str(page, "| <code>");
    jck_page_safe(page, JCK_SAFE_MARKDOWN, test_case->id);
    (void)jrpc_buffer_printf(&page->text, "</code> | %s \xe2\x86\x92 %s | ",
                             outcome_of(&test_case->old), outcome_of(&test_case->now));
    write_account(page, JCK_SAFE_MARKDOWN, test_case, kind);
    jck_page_str(page, " |\n");
}

static bool write_markdown(jck_page *page)
{
    jck_since_count(since_of(page));
    jck_page_str(page, "## jrpcheck: ");
    write_names(page, JCK_SAFE_MARKDOWN);
    jck_page_str(page, "\n\n**");
    write_counts(page);
    jck_page_str(page, "**\n");
    for (int i = 0; i < JCK_CHANGE_COUNT; i++) {
        jck_change_kind kind = (jck_change_kind)i;
        if (since_of(page)->counts[i] > 0 && is_listed(kind)) {
            (void)jrpc_buffer_printf(&page->text,
                                     "\n### %s\n\n| Case | Outcome | What |\n|---|---|---|\n",
                                     jck_change_heading(kind));
            each(page, kind, markdown_case);
        }
    }
    return true;
}

static void html_case(jck_page *page, const jck_since_case *test_case, jck_change_kind kind)
{
    jrpc_buffer *out = &page->text;
    jck_html_str(out, "<tr><th scope=\"row\"><code>");
    jck_html_short(out, test_case->id, 200);
    jck_html_str(out, "</code><span class=\"soft\">");
    jck_html_short(out, test_case->title, 400);
    jck_html_str(out, "</span></th><td>");
    for (int i = 0; i < 2; i++) {
        const jck_since_side *side = i == 0 ? &test_case->old : &test_case->now;
        jck_html_str(out, i == 0 ? "" : " \xe2\x86\x92 ");
        if (side->there) {
            jck_html_outcome(out, side->outcome);
        } else {
            jck_html_str(out, "<span class=\"tag\">none</span>");
        }
    }
    jck_html_str(out, "</td><td>");
    write_account(page, JCK_SAFE_HTML, test_case, kind);
    jck_html_str(out, "</td></tr>\n");
}

static bool write_html(jck_page *page)
{
    jck_since *since = since_of(page);
    jrpc_buffer *out = &page->text;
    jck_since_count(since);
    bool worse = since->counts[JCK_CHANGE_BROKEN] + since->counts[JCK_CHANGE_NEW_WRONG] > 0;
    jck_html_begin(out, "what changed", since->target);
    jck_html_str(out, "<header class=\"top\"><p class=\"kicker\">What changed</p>\n<h1>");
    jck_html_short(out, since->target, 300);
    (void)jrpc_buffer_printf(out, "</h1>\n<div class=\"verdict %s\"><strong>",
                             worse ? "bad" : "ok");
    write_counts(page);
    jck_html_str(out, "</strong><p>");
    write_names(page, JCK_SAFE_HTML);
    jck_html_str(out, "</p></div></header>\n<main>\n");
    for (int i = 0; i < JCK_CHANGE_COUNT; i++) {
        jck_change_kind kind = (jck_change_kind)i;
        if (since->counts[i] > 0) {
            (void)jrpc_buffer_printf(
                out,
                "<section><h2>%s <span class=\"soft num\">%zu</span></h2>\n<div class=\"scroll "
                "flat\"><table><thead><tr><th>Case</th><th>Outcome</th><th>What</th></tr></thead>"
                "<tbody>\n",
                jck_change_heading(kind), since->counts[i]);
            each(page, kind, html_case);
            jck_html_str(out, "</tbody></table></div></section>\n");
        }
    }
    jck_html_str(out, "</main>\n");
    jck_html_end(out, since->tool);
    return true;
}

static bool finish(jck_page *page, bool (*write)(jck_page *page))
{
    bool ok = page->runs == 0 || write(page);
    jrpc_arena_done(&since_of(page)->arena);
    return ok;
}

static bool finish_console(jck_page *page)
{
    return finish(page, write_console);
}

static bool finish_markdown(jck_page *page)
{
    return finish(page, write_markdown);
}

static bool finish_html(jck_page *page)
{
    return finish(page, write_html);
}

#define STYLE(finisher)                                                                            \
    {                                                                                              \
        .own_size = sizeof(since_report), .begin = begin, .test_case = report_case, .end = end,    \
        .close = (finisher)                                                                        \
    }
static const jck_page_style styles[] = {STYLE(finish_console), STYLE(finish_markdown),
                                        STYLE(finish_html)};

static void *open_console(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&styles[0], out, options);
}

static void *open_markdown(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&styles[1], out, options);
}

static void *open_html(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&styles[2], out, options);
}

const jck_report_format jck_since_console = {
    .name = "console",
    .summary = "for people: what changed",
    .open = open_console,
    .event = jck_page_event,
    .close = jck_page_close,
};

const jck_report_format jck_since_markdown = {
    .name = "markdown",
    .summary = "Markdown, for the summary page of a CI job",
    .open = open_markdown,
    .event = jck_page_event,
    .close = jck_page_close,
};

const jck_report_format jck_since_html = {
    .name = "html",
    .summary = "one HTML file",
    .open = open_html,
    .event = jck_page_event,
    .close = jck_page_close,
};
