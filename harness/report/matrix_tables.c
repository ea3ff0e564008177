// The tables of the matrix report.
#include "harness/report/html.h"
#include "harness/report/matrix.h"
#include "reference/base/plural.h"

#define TEXT_BYTES 600

// The column headings, one per run.
static void heads(jrpc_buffer *out, const jck_matrix *matrix, const char *corner, bool links)
{
    (void)jrpc_buffer_printf(out, "<thead><tr><th scope=\"col\">%s</th>", corner);
    for (size_t i = 0; i < matrix->run_count; i++) {
        jrpc_slice name = matrix->runs[i]->start.target;
        jck_html_str(out, "<th scope=\"col\"><span>");
        if (links) {
            jck_html_str(out, "<a href=\"");
            jck_html_file_name(out, name);
            jck_html_str(out, ".html\">");
        }
        jck_html_short(out, name, 60);
        jck_html_str(out, links ? "</a>" : "");
        jrpc_slice profile = matrix->runs[i]->start.profile;
        if (profile.len > 0 && !jrpc_slice_is(profile, "spec")) {
            jck_html_str(out, " (");
            jck_html_short(out, profile, 40);
            jck_html_str(out, ")");
        }
        jck_html_str(out, "</span></th>");
    }
    jck_html_str(out, "</tr></thead>\n<tbody>\n");
}

static void write_cell(jrpc_buffer *out, const jck_matrix_run *run, const jck_ruling *ruling,
                       bool links)
{
    static const char *const plain[] = {"<td class=\"u\">\xc2\xb7</td>",
                                        "<td class=\"k\">\xe2\x9c\x93</td>",
                                        "<td class=\"o\">\xe2\x97\x8b</td>"};
    static const char letters[] = "ukosmd";
    const jck_matrix_cell *cell = &run->cells[ruling->index];
    if (cell->worst < JCK_STANDING_SHOULD) {
        jck_html_str(out, plain[cell->worst]);
        return;
    }
    (void)jrpc_buffer_printf(out, "<td class=\"%c\" title=\"", letters[cell->worst]);
    jck_html_short(out, run->start.target, 60);
    (void)jrpc_buffer_printf(out, ": %u of %u case%s\">", cell->broken, cell->judged,
                             jrpc_plural(cell->judged));
    if (links) {
        jck_html_str(out, "<a href=\"");
        jck_html_file_name(out, run->start.target);
        jck_html_str(out, ".html#");
        jck_html_anchor(out, 'r', 1, ruling->id);
        jck_html_str(out, "\">");
    }
    (void)jrpc_buffer_printf(out, "%u%s</td>", cell->broken, links ? "</a>" : "");
}

// The groups that the buttons select: whether a run breaks the rule, and how.
static const char *kind_of_row(const jck_matrix *matrix, const jck_ruling *ruling)
{
    jck_standing worst = JCK_STANDING_UNTESTED;
    for (size_t i = 0; i < matrix->run_count; i++) {
        const jck_matrix_cell *cell = &matrix->runs[i]->cells[ruling->index];
        worst = cell->worst > worst ? cell->worst : worst;
    }
    return worst >= JCK_STANDING_MUST ? "fail" : worst == JCK_STANDING_SHOULD ? "warn" : "pass";
}

static void write_row(jrpc_buffer *out, const jck_matrix *matrix, const jck_ruling *ruling,
                      bool links)
{
    (void)jrpc_buffer_printf(out, "<tr data-is=\"%s\"><th scope=\"row\"><code>",
                             kind_of_row(matrix, ruling));
    jck_html_short(out, ruling->id, 60);
    jck_html_str(out, "</code> ");
    jck_html_level(out, ruling->level);
    jck_html_str(out, "<span class=\"soft\">");
    jck_html_short(out, ruling->sentence.len > 0 ? ruling->sentence : ruling->title, TEXT_BYTES);
    jck_html_str(out, "</span></th>");
    for (size_t i = 0; i < matrix->run_count; i++) {
        write_cell(out, matrix->runs[i], ruling, links);
    }
    jck_html_str(out, "</tr>\n");
}

bool jck_matrix_rules_write(jrpc_buffer *out, const jck_matrix *matrix, bool links)
{
    jck_ruling **rules = jck_rulebook_sorted(&matrix->book);
    if (rules == NULL) {
        return false;
    }
    jck_html_str(
        out,
        "<section data-filter>\n<h2 id=\"rules\">Rules</h2>\n<p class=\"lead\">Which sentence of "
        "the specification which implementation breaks, and in how many cases.</p>\n"
        "<ul class=\"key\"><li><b class=\"m\">3</b>a MUST, broken in 3 cases</li><li><b "
        "class=\"s\">3</b>a SHOULD</li><li><b class=\"d\">3</b>crashed or hung</li>"
        "<li><b class=\"k\">\xe2\x9c\x93</b>kept</li><li><b class=\"o\">\xe2\x97\x8b</b>a choice "
        "was recorded</li><li><b class=\"u\">\xc2\xb7</b>not judged</li></ul>\n"
        "<div class=\"tools\" hidden><input type=\"search\" placeholder=\"Search rules\" "
        "aria-label=\"Search rules\"><button type=\"button\" data-show=\"fail\" "
        "aria-pressed=\"false\">MUST broken by some</button><button type=\"button\" "
        "data-show=\"warn\" aria-pressed=\"false\">SHOULD broken by some</button><button "
        "type=\"button\" data-show=\"pass\" aria-pressed=\"false\">broken by none</button></div>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Rules by "
        "implementation\"><table class=\"grid\">\n");
    heads(out, matrix, "Rule", links);
    for (size_t i = 0; i < matrix->book.count; i++) {
        if (i > 0 && rules[i]->family != rules[i - 1]->family) {
            jck_html_str(out, "</tbody>\n<tbody>\n");
        }
        write_row(out, matrix, rules[i], links);
    }
    jck_html_str(out, "</tbody></table></div>\n<p class=\"none\" hidden>No such rule.</p>\n"
                      "</section>\n");
    return true;
}

// Distinct values of one question get a colour each, in the order they appear.
#define CAMPS 5

static size_t camp_of(const jck_matrix_question *question, jrpc_slice value)
{
    size_t camp = 0;
    for (const jck_matrix_answer *at = question->first; at != NULL; at = at->next) {
        if (jrpc_slice_equal(at->value, value)) {
            return camp;
        }
        bool again = false;
        for (const jck_matrix_answer *k = question->first; k != at && !again; k = k->next) {
            again = jrpc_slice_equal(k->value, at->value);
        }
        camp += !again;
    }
    return camp;
}

static void write_answers(jrpc_buffer *out, const jck_matrix *matrix,
                          const jck_matrix_question *question, size_t run)
{
    size_t reported = 0;
    for (const jck_matrix_answer *at = question->first; at != NULL; at = at->next) {
        if (at->run != run) {
            continue;
        }
        if (reported++ == 0) {
            (void)jrpc_buffer_printf(out, "<td class=\"v%zu\">",
                                     camp_of(question, at->value) % CAMPS);
        } else {
            jck_html_str(out, "<br>");
        }
        jck_html_short(out, at->value, 60);
        if (question->test_case == JCK_MATRIX_MANY) {
            (void)jrpc_buffer_printf(out, " \xc3\x97%zu", at->count);
        }
    }
    if (reported > 0) {
        jck_html_str(out, "</td>");
        return;
    }
    unsigned outcome = question->test_case == JCK_MATRIX_MANY
                           ? 0
                           : matrix->runs[run]->outcomes[question->test_case];
    switch (outcome) {
    case 0:
    case JCK_OUTCOME_SKIP + 1:
    case JCK_OUTCOME_BLOCKED + 1:
    case JCK_OUTCOME_ERROR + 1:
        jck_html_str(out, "<td class=\"u\">\xc2\xb7</td>");
        break;
    case JCK_OUTCOME_PASS + 1:
    case JCK_OUTCOME_OBSERVE + 1:
        jck_html_str(out, "<td class=\"k\">\xe2\x9c\x93</td>");
        break;
    default:
        (void)jrpc_buffer_printf(
            out, "<td class=\"%s\">%s</td>",
            outcome == JCK_OUTCOME_WARN + 1 || outcome == JCK_OUTCOME_ENDED + 1 ? "s" : "m",
            jck_outcome_name((jck_outcome)(outcome - 1)));
        break;
    }
}

// Questions about rules come in the order of the rules, others after them; those of the same name
// by case.
static bool stands_before(const jck_matrix *matrix, const jck_matrix_question *a,
                          const jck_matrix_question *b)
{
    const jck_ruling *left = jck_rulebook_find(&matrix->book, a->name);
    const jck_ruling *right = jck_rulebook_find(&matrix->book, b->name);
    if ((left == NULL) != (right == NULL)) {
        return left != NULL;
    }
    int order = left == NULL ? jck_natural_order(a->name, b->name)
                             : jck_rulebook_order(&matrix->book, left, right);
    return order < 0 || (order == 0 && a->test_case < b->test_case);
}

// Insertion sort: there are a few hundred, mostly in order.
static void sort_questions(const jck_matrix *matrix)
{
    for (size_t i = 1; i < matrix->question_count; i++) {
        jck_matrix_question *moved = matrix->questions[i];
        size_t at = i;
        for (; at > 0 && stands_before(matrix, moved, matrix->questions[at - 1]); at--) {
            matrix->questions[at] = matrix->questions[at - 1];
        }
        matrix->questions[at] = moved;
    }
}

static void write_family(jrpc_buffer *out, const jck_matrix *matrix, jrpc_slice name)
{
    const jck_ruling *ruling = jck_rulebook_find(&matrix->book, name);
    jck_html_str(out, "</tbody>\n<tbody data-group>\n<tr class=\"family\"><th><code>");
    jck_html_short(out, name, 60);
    jck_html_str(out, "</code>");
    if (ruling != NULL) {
        jck_html_str(out, " <span class=\"soft\">");
        jck_html_short(out, ruling->sentence.len > 0 ? ruling->sentence : ruling->title,
                       TEXT_BYTES);
        jck_html_str(out, "</span>");
    }
    (void)jrpc_buffer_printf(out, "</th><td colspan=\"%zu\"></td></tr>\n", matrix->run_count);
}

// Whether two runs that were judged answered differently.
static bool answers_differ(const jck_matrix *matrix, const jck_matrix_question *question)
{
    bool usual = false;
    for (size_t run = 0; run < matrix->run_count && question->test_case != JCK_MATRIX_MANY; run++) {
        bool chose = false;
        for (const jck_matrix_answer *at = question->first; at != NULL && !chose; at = at->next) {
            chose = at->run == run;
        }
        unsigned outcome = matrix->runs[run]->outcomes[question->test_case];
        usual = usual || (!chose && outcome != 0 && outcome != JCK_OUTCOME_SKIP + 1 &&
                          outcome != JCK_OUTCOME_BLOCKED + 1 && outcome != JCK_OUTCOME_ERROR + 1);
    }
    for (const jck_matrix_answer *at = question->first; at != NULL; at = at->next) {
        if (usual || !jrpc_slice_equal(at->value, question->first->value)) {
            return true;
        }
    }
    return false;
}

static void write_question(jrpc_buffer *out, const jck_matrix *matrix,
                           const jck_matrix_question *question)
{
    (void)jrpc_buffer_printf(out, "<tr data-is=\"%s\"><th scope=\"row\">",
                             answers_differ(matrix, question) ? "differ" : "alike");
    if (question->test_case == JCK_MATRIX_MANY) {
        jck_html_str(out, "in all cases together");
    } else {
        const jck_matrix_case *test_case = matrix->cases[question->test_case];
        jck_html_short(out, test_case->title.len > 0 ? test_case->title : test_case->id,
                       TEXT_BYTES);
        jck_html_str(out, "<span class=\"soft\"><code>");
        jck_html_short(out, test_case->id, 100);
        jck_html_str(out, "</code></span>");
    }
    jck_html_str(out, "</th>");
    for (size_t run = 0; run < matrix->run_count; run++) {
        write_answers(out, matrix, question, run);
    }
    jck_html_str(out, "</tr>\n");
}

bool jck_matrix_open_write(jrpc_buffer *out, const jck_matrix *matrix)
{
    sort_questions(matrix);
    jck_html_str(
        out,
        "<section data-filter>\n<h2 id=\"open\">Interoperability: what the specification leaves "
        "open</h2>\n<p class=\"lead\">No answer is wrong here, but a client that relies on one of "
        "them works with some servers only. One row for each question; equal answers have the same "
        "background.</p>\n<ul class=\"key\"><li><b class=\"k\">\xe2\x9c\x93</b>the usual answer, "
        "which the case passes</li><li><b class=\"m\">fail</b><b class=\"s\">warn</b>an answer "
        "that no reading allows</li><li><b class=\"u\">\xc2\xb7</b>not judged, or not "
        "asked</li></ul>\n"
        "<div class=\"tools\" hidden><input type=\"search\" placeholder=\"Search questions\" "
        "aria-label=\"Search questions\"><button type=\"button\" data-show=\"differ\" "
        "aria-pressed=\"false\">answers differ</button><button type=\"button\" "
        "data-show=\"alike\" aria-pressed=\"false\">all alike</button></div>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Open questions by "
        "implementation\"><table class=\"grid words\">\n");
    heads(out, matrix, "Question", false);
    for (size_t i = 0; i < matrix->question_count; i++) {
        if (i == 0 ||
            !jrpc_slice_equal(matrix->questions[i]->name, matrix->questions[i - 1]->name)) {
            write_family(out, matrix, matrix->questions[i]->name);
        }
        write_question(out, matrix, matrix->questions[i]);
    }
    (void)jrpc_buffer_printf(out,
                             "</tbody></table></div>\n<p class=\"none\"%s>No question matches."
                             "</p>\n</section>\n",
                             matrix->question_count > 0 ? " hidden" : "");
    return true;
}
