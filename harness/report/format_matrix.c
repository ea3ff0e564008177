// Many streams in one HTML file: implementations × rules, and what each answers where the
// specification leaves it open.
#include "harness/report/formats.h"
#include "harness/report/html.h"
#include "harness/report/matrix.h"
#include "reference/base/plural.h"

typedef struct matrix_report {
    jck_matrix matrix;
    bool ready;
} matrix_report;

static bool begin(jck_page *page)
{
    matrix_report *own = page->own;
    if (!own->ready) {
        own->ready = true;
        if (!jck_matrix_init(&own->matrix)) {
            return false;
        }
    }
    return jck_matrix_begin(&own->matrix, &page->tally.start);
}

static bool report_rule(jck_page *page, const jck_reading_rule *rule)
{
    return jck_rulebook_take(&((matrix_report *)page->own)->matrix.book, rule);
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    return jck_matrix_take_case(&((matrix_report *)page->own)->matrix, test_case);
}

static bool end(jck_page *page)
{
    jck_matrix_end(&((matrix_report *)page->own)->matrix, &page->tally);
    return true;
}

static void number_cell(jrpc_buffer *out, const char *style, size_t number)
{
    (void)jrpc_buffer_printf(out, "<td class=\"n %s\">%zu</td>", number == 0 ? "zero" : style,
                             number);
}

static void overview_row(jrpc_buffer *out, const jck_matrix_run *run, bool links)
{
    const jck_reading_start *start = &run->start;
    size_t shares[JCK_SHARE_COUNT];
    jck_html_shares(run->counts, shares);
    jck_html_str(out, "<tr><th scope=\"row\">");
    if (links) {
        jck_html_str(out, "<a href=\"");
        jck_html_file_name(out, start->target);
        jck_html_str(out, ".html\">");
    }
    jck_html_short(out, start->target.len > 0 ? start->target : JRPC_SLICE("unnamed"), 80);
    jck_html_str(out, links ? "</a>" : "");
    jck_html_str(out, "<span class=\"soft\">");
    if (start->implementation.len > 0) {
        jck_html_short(out, start->version, 80);
        jck_html_str(out, start->language.len > 0 ? " · " : "");
        jck_html_short(out, start->language, 80);
        jck_html_str(out, " · ");
    }
    jck_html_short(out, start->transport, 40);
    jck_html_str(out, start->framing.len > 0 ? ", " : "");
    jck_html_short(out, start->framing, 40);
    if (start->profile.len > 0) {
        jck_html_str(out, " · profile ");
        jck_html_short(out, start->profile, 40);
    }
    jck_html_str(out, run->complete ? "" : " · not complete");
    jck_html_str(out, "</span></th>");
    number_cell(out, "must", run->musts);
    number_cell(out, "should", run->shoulds);
    number_cell(out, "dead", shares[JCK_SHARE_DEAD]);
    (void)jrpc_buffer_printf(out, "<td class=\"n\">%zu</td><td>",
                             run->cases - shares[JCK_SHARE_NONE]);
    jck_html_bar(out, shares);
    jck_html_str(out, "</td>");
    jck_html_str(out, "<td class=\"n soft\">");
    jck_html_short(
        out, jrpc_slice_of(start->started.ptr, start->started.len < 10 ? start->started.len : 10),
        10);
    jck_html_str(out, "</td></tr>\n");
}

static void overview(jrpc_buffer *out, const jck_matrix *matrix, bool links)
{
    jck_html_str(
        out, "<section>\n<h2 id=\"overview\">Overview</h2>\n<p class=\"lead\">Rules that "
             "are broken, and cases in which the implementation went down.</p>\n"
             "<div class=\"scroll flat\"><table><thead><tr><th>Implementation</th>"
             "<th class=\"n\">MUST</th><th class=\"n\">SHOULD</th><th class=\"n\">Crash, hang</th>"
             "<th class=\"n\">Judged</th><th>Cases</th>"
             "<th class=\"n\">Run on</th></tr></thead>\n<tbody>\n");
    size_t counts[JCK_OUTCOME_COUNT] = {0};
    for (size_t i = 0; i < matrix->run_count; i++) {
        overview_row(out, matrix->runs[i], links);
        for (int k = 0; k < JCK_OUTCOME_COUNT; k++) {
            counts[k] += matrix->runs[i]->counts[k];
        }
    }
    size_t shares[JCK_SHARE_COUNT];
    jck_html_shares(counts, shares);
    jck_html_str(out, "</tbody></table></div>\n");
    jck_html_legend(out, shares);
    jck_html_str(out, "</section>\n");
}

static bool finish(jck_page *page)
{
    matrix_report *own = page->own;
    jck_matrix *matrix = &own->matrix;
    jrpc_buffer *out = &page->text;
    bool ok = true;
    if (matrix->run_count > 0) {
        jck_html_begin(out, "JSON-RPC conformance", (jrpc_slice){"", 0});
        (void)jrpc_buffer_printf(
            out,
            "<header class=\"top\">\n<p class=\"kicker\">JSON-RPC conformance</p>\n"
            "<h1>%zu implementation%s, %zu rule%s</h1>\n<p class=\"soft\">What each does with "
            "%zu case%s, judged by the sentences of the specification.</p>\n</header>\n"
            "<nav aria-label=\"Sections\"><ul><li><a href=\"#overview\">Overview</a></li>"
            "<li><a href=\"#rules\">Rules <span class=\"n\">%zu</span></a></li>"
            "<li><a href=\"#open\">Interoperability <span class=\"n\">%zu</span></a></li></ul>"
            "</nav>\n<main>\n",
            matrix->run_count, jrpc_plural(matrix->run_count), matrix->book.count,
            jrpc_plural(matrix->book.count), matrix->case_count, jrpc_plural(matrix->case_count),
            matrix->book.count, matrix->question_count);
        if (matrix->left_out > 0) {
            (void)jrpc_buffer_printf(
                out, "<p>%zu %s left out to save memory.</p>\n", matrix->left_out,
                matrix->left_out == 1 ? "run or case was" : "runs or cases were");
        }
        overview(out, matrix, page->options.links);
        ok = jck_matrix_rules_write(out, matrix, page->options.links) &&
             jck_matrix_open_write(out, matrix);
        jck_html_str(out, "</main>\n");
        jck_html_end(out, matrix->runs[0]->start.tool);
    }
    jck_matrix_done(matrix);
    return ok;
}

static const jck_page_style style = {.own_size = sizeof(matrix_report),
                                     .without_exchange = true,
                                     .begin = begin,
                                     .rule = report_rule,
                                     .test_case = report_case,
                                     .end = end,
                                     .close = finish};

static void *open_matrix(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_matrix = {
    .name = "matrix",
    .summary = "one HTML file of many streams: implementations and rules",
    .open = open_matrix,
    .event = jck_page_event,
    .close = jck_page_close,
};
