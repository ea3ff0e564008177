// For people: a progress line on a terminal, and a summary at the end; failures as they happen if
// asked for.
#include "harness/report/console.h"
#include "harness/report/formats.h"
#include "harness/report/words.h"
#include "reference/base/plural.h"

static void hide_progress(jck_page *page)
{
    jck_console *console = page->own;
    if (console->progress_shown) {
        jck_page_str(page, "\r\033[K");
        console->progress_shown = false;
    }
}

// "[57/210] 2 failures  jsonrpc-2.0 6": one line that is rewritten for each case.
static void show_progress(jck_page *page, const jck_reading_case *test_case)
{
    if (!page->options.terminal || page->options.quiet) {
        return;
    }
    jck_console *console = page->own;
    const jck_tally *tally = &page->tally;
    (void)jrpc_buffer_printf(&page->text, "[%zu/%zu] %zu failure%s", tally->cases,
                             tally->start.selected, tally->breaches, jrpc_plural(tally->breaches));
    if (test_case != NULL) {
        jck_page_str(page, "  ");
        (void)jck_safe_append_capped(&page->text, JCK_SAFE_PLAIN, test_case->suite, 24,
                                     test_case->suite.len > 24 ? 24 : test_case->suite.len);
        jck_page_str(page, " ");
        (void)jck_safe_append_capped(&page->text, JCK_SAFE_PLAIN, test_case->section, 8,
                                     test_case->section.len > 8 ? 8 : test_case->section.len);
    }
    console->progress_shown = true;
}

static bool begin(jck_page *page)
{
    show_progress(page, NULL);
    return true;
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    hide_progress(page);
    if (jck_console_shows(page, test_case)) {
        jck_console_case(page, test_case);
        ((jck_console *)page->own)->written = true;
    }
    show_progress(page, test_case);
    return true;
}

static bool end(jck_page *page)
{
    hide_progress(page);
    if (((jck_console *)page->own)->written) {
        jck_page_str(page, "\n");
        ((jck_console *)page->own)->written = false;
    }
    if (page->runs > 1) {
        jck_page_str(page, "\n");
    }
    jck_console_summary(page);
    return true;
}

static const jck_page_style style = {
    .own_size = sizeof(jck_console),
    .begin = begin,
    .test_case = report_case,
    .end = end,
};

static void *open_console(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_console = {
    .name = "console",
    .summary = "for people: the verdict and the reasons for it, in at most 60 lines",
    .open = open_console,
    .event = jck_page_event,
    .close = jck_page_close,
};
