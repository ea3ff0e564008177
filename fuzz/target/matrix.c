// Streams side by side have a column each, and what changed is counted right. Whatever they hold,
// the matrix and what is told of changes is well formed; a stream beside itself has not changed.
#include "fuzz/model/markdown.h"
#include "fuzz/model/markup.h"
#include "fuzz/model/plain.h"
#include "fuzz/render.h"
#include "harness/report/assets.h"
#include "harness/report/formats.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONG_FAMILY = 50 }; // bytes

// What was rendered, and what the model makes of the same events.
typedef struct side_by_side {
    jrpc_slice text;
    const runs *told;
    const jck_report_options *options;
    bool twice; // the same events a second time after themselves
} side_by_side;

// The body of what must be an HTML page.
static jrpc_slice require_page(jrpc_slice text)
{
    const markup_assets assets = {
        jrpc_slice_of((const char *)jck_asset_css.text, jck_asset_css.len),
        jrpc_slice_of((const char *)jck_asset_js.text, jck_asset_js.len)};
    markup_require(text, MARKUP_HTML, &assets);
    return markup_body(text, &assets);
}

// The numbers of a row of the overview, after its name.
static void require_overview(jrpc_slice text, const runs *told)
{
    for (const runs_run *run = told->first; run != NULL; run = run->next) {
        size_t dead = run->counts[RUNS_CRASH] + run->counts[RUNS_HANG] + run->counts[RUNS_STUCK];
        size_t judged = run->cases - run->counts[RUNS_SKIP] - run->counts[RUNS_BLOCKED] -
                        run->counts[RUNS_ERROR];
        char cells[200];
        (void)snprintf(cells, sizeof cells,
                       "<td class=\"n %s\">%zu</td><td class=\"n\">%zu</td><td>"
                       "<svg class=\"bar\"",
                       dead == 0 ? "zero" : "dead", dead, judged);
        size_t end = plain_find(text, cells);
        FUZZ_REQUIRE(end != SIZE_MAX);
        text = jrpc_slice_from(text, end);
    }
}

// The name of the specification in the id of the row that a text begins with.
static jrpc_slice family_of(jrpc_slice row)
{
    size_t len = 0;
    while (len < row.len && row.ptr[len] != '-' && row.ptr[len] != '<') {
        len++;
    }
    return jrpc_slice_of(row.ptr, len);
}

// In the table of rules, each specification has exactly one body, which it shares with no other.
static void require_families(jrpc_slice text)
{
    static const char row[] = "<th scope=\"row\"><code>";
    static const char body[] = "</tbody>\n<tbody>\n";
    size_t begin = plain_find(text, "<h2 id=\"rules\">");
    FUZZ_REQUIRE(begin != SIZE_MAX);
    jrpc_slice rest = jrpc_slice_from(text, begin);
    jrpc_slice last = {NULL, 0};
    for (size_t at = plain_find(rest, row); at != SIZE_MAX; at = plain_find(rest, row)) {
        jrpc_slice before = jrpc_slice_of(rest.ptr, at);
        jrpc_slice family = family_of(jrpc_slice_from(rest, at));
        if (family.len >= LONG_FAMILY) {
            return; // long ids are cut
        }
        bool anew = last.ptr != NULL && !jrpc_slice_equal(family, last);
        FUZZ_REQUIRE(anew == (plain_find(before, body) != SIZE_MAX));
        last = family;
        rest = jrpc_slice_from(rest, at);
    }
}

// Only letters, digits and a few marks, and so short that nothing is cut or escaped.
static bool is_plain(const tree *value)
{
    enum { SHORT = 50 };
    bool plain = value != NULL && value->kind == 's' && value->content.len <= SHORT;
    for (size_t i = 0; plain && i < value->content.len; i++) {
        char c = value->content.ptr[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '.' || c == '-' || (c == ' ' && i > 0 && i + 1 < value->content.len);
    }
    return plain;
}

// Whether a finding describes a rule as well. It may be the first to give its sentence.
static bool is_found(const runs *told, const tree *id)
{
    for (const runs_run *run = told->first; run != NULL; run = run->next) {
        for (const runs_case *one = run->first; one != NULL; one = one->next) {
            const tree *findings = tree_member(one->event, "findings");
            for (size_t i = 0; findings != NULL && findings->kind == 'a' && i < findings->count;
                 i++) {
                const tree *rule = findings->items[i]->kind == 'o'
                                       ? tree_member(findings->items[i], "rule")
                                       : NULL;
                if (rule != NULL && rule->kind == 's' &&
                    jrpc_slice_equal(rule->content, id->content)) {
                    return true;
                }
            }
        }
    }
    return false;
}

// A rule that is described by a single event is shown with its sentence, or else with its title.
static void require_sentences(jrpc_slice text, const runs *told)
{
    size_t rules = 0;
    for (const runs_run *run = told->first; run != NULL; run = run->next) {
        for (const runs_rule *rule = run->rules; rule != NULL; rule = rule->next) {
            rules++;
        }
    }
    const runs_rule *only = rules == 1 && told->first->rules != NULL ? told->first->rules : NULL;
    const tree *id = only == NULL ? NULL : tree_member(only->event, "id");
    if (!is_plain(id) || id->content.len == 0 || is_found(told, id)) {
        return;
    }
    const tree *sentence = tree_member(only->event, "sentence");
    const tree *title = tree_member(only->event, "title");
    bool said = tree_has_text(sentence);
    const tree *shown = said ? sentence : title;
    char row[120];
    (void)snprintf(row, sizeof row, "<code>%.*s</code>", (int)id->content.len, id->content.ptr);
    size_t at = plain_find(text, row);
    if (is_plain(shown) && at != SIZE_MAX) {
        (void)snprintf(row, sizeof row, "<span class=\"soft\">%.*s</span>", (int)shown->content.len,
                       shown->content.ptr);
        FUZZ_REQUIRE(plain_find(jrpc_slice_from(text, at), row) != SIZE_MAX);
    }
}

static void check_matrix(const side_by_side *all)
{
    jrpc_slice text = require_page(all->text);
    const runs *told = all->told;
    // Two tables with a column a run and one for what the rows are.
    FUZZ_REQUIRE(plain_count(text, "<th scope=\"col\">") == 2 * (told->count + 1));
    FUZZ_REQUIRE(plain_sum(text, "<h1>") == told->count);
    // Beside each name, and in the first of the two tables.
    FUZZ_REQUIRE((plain_count(text, ".html\">") != 0) == all->options->links);
    require_overview(text, told);
    require_families(text);
    require_sentences(text, told);
}

static const char *const words[RUNS_CHANGES] = {
    "broken",         "new and wrong",    "fixed",         "wrong in another way",
    "another choice", "no longer judged", "new and right", "gone"};

// "2 broken, 1 fixed", in the order of the words and nothing else.
static void read_counts(jrpc_slice text, size_t *counts)
{
    bool nothing = jrpc_slice_is(text, "nothing changed");
    size_t told = 0;
    for (int i = 0; i < RUNS_CHANGES; i++) {
        size_t digits = 0;
        counts[i] = 0;
        jrpc_slice rest = told != 0 && jrpc_slice_starts_with(text, JRPC_SLICE(", "))
                              ? jrpc_slice_from(text, 2)
                              : text;
        while (!nothing && digits < rest.len && rest.ptr[digits] >= '0' &&
               rest.ptr[digits] <= '9') {
            digits++;
        }
        jrpc_slice word = jrpc_slice_from(rest, digits);
        size_t len = strlen(words[i]);
        if (digits != 0 && word.len > len && word.ptr[0] == ' ' &&
            memcmp(word.ptr + 1, words[i], len) == 0 &&
            (word.len == len + 1 || word.ptr[len + 1] == ',')) {
            counts[i] = strtoul(rest.ptr, NULL, 10);
            FUZZ_REQUIRE(counts[i] != 0);
            text = jrpc_slice_from(word, len + 1);
            told++;
        }
    }
    FUZZ_REQUIRE(nothing || text.len == 0);
}

// The text between the first `before` and the next `behind`.
static jrpc_slice between(jrpc_slice text, const char *before, const char *behind)
{
    size_t begin = plain_find(text, before);
    FUZZ_REQUIRE(begin != SIZE_MAX);
    jrpc_slice rest = jrpc_slice_from(text, begin);
    size_t end = plain_find(rest, behind);
    FUZZ_REQUIRE(end != SIZE_MAX);
    return jrpc_slice_of(rest.ptr, end - strlen(behind));
}

// What the first line says after its last ": ".
static jrpc_slice counts_of_console(jrpc_slice text)
{
    size_t feed = plain_find(text, "\n");
    FUZZ_REQUIRE(feed != SIZE_MAX);
    jrpc_slice line = jrpc_slice_of(text.ptr, feed - 1);
    for (size_t end = plain_find(line, ": "); end != SIZE_MAX; end = plain_find(line, ": ")) {
        line = jrpc_slice_from(line, end);
    }
    return line;
}

static size_t sum(const size_t *counts, int count)
{
    size_t result = 0;
    for (int i = 0; i < count; i++) {
        result += counts[i];
    }
    return result;
}

static void require_changes(jrpc_slice text, const runs *told, bool twice, size_t *counts)
{
    size_t expected[RUNS_CHANGES];
    read_counts(text, counts);
    runs_changes(told, expected);
    for (int i = 0; i < RUNS_CHANGES; i++) {
        FUZZ_REQUIRE(i == RUNS_CHOICE || counts[i] == expected[i]);
    }
    FUZZ_REQUIRE(!twice || told->count != 2 || jrpc_slice_is(text, "nothing changed"));
}

// Cases that are named, each on a line of its own.
static void check_since_console(const side_by_side *all)
{
    static const char *const paints[] = {"\033[1;31m", "\033[33m", "\033[32m", "\033[2m",
                                         "\033[0m"};
    size_t counts[RUNS_CHANGES];
    require_changes(counts_of_console(all->text), all->told, all->twice, counts);
    size_t listed = 0;
    for (jrpc_slice rest = all->text; rest.len != 0;) {
        size_t len = plain_character(rest);
        for (size_t i = 0; i < 5 && len == 0 && all->options->color; i++) {
            len = jrpc_slice_starts_with(rest, jrpc_slice_str(paints[i])) ? strlen(paints[i]) : 0;
        }
        FUZZ_REQUIRE(len != 0);
        rest = jrpc_slice_from(rest, len);
        listed += jrpc_slice_starts_with(rest, JRPC_SLICE("\n  "));
    }
    int kinds = all->options->quiet ? RUNS_NEW_WRONG + 1 : RUNS_CHANGES;
    size_t unlisted =
        all->options->verbose || all->options->quiet ? 0 : counts[RUNS_ADDED] + counts[RUNS_GONE];
    FUZZ_REQUIRE(listed == sum(counts, kinds) - unlisted);
}

static void check_since_markdown(const side_by_side *all)
{
    size_t counts[RUNS_CHANGES];
    markdown_require(all->text);
    require_changes(between(all->text, "\n\n**", "**\n"), all->told, all->twice, counts);
    FUZZ_REQUIRE(plain_count(all->text, "\n| <code>") ==
                 sum(counts, RUNS_CHANGES) - counts[RUNS_ADDED] - counts[RUNS_GONE]);
}

static void check_since_html(const side_by_side *all)
{
    size_t counts[RUNS_CHANGES];
    jrpc_slice body = require_page(all->text);
    require_changes(between(body, "\"><strong>", "</strong>"), all->told, all->twice, counts);
    FUZZ_REQUIRE(plain_count(body, "<tr><th scope=\"row\">") == sum(counts, RUNS_CHANGES));
    FUZZ_REQUIRE(plain_sum(body, " <span class=\"soft num\">") == sum(counts, RUNS_CHANGES));
}

static const struct {
    const jck_report_format *format;
    void (*check)(const side_by_side *all);
} claims[] = {
    {&jck_format_matrix, check_matrix},
    {&jck_since_html, check_since_html},
    {&jck_since_markdown, check_since_markdown},
    {&jck_since_console, check_since_console},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    size_t choice = input.options[0] % (2 * CLAIMS);
    const jck_report_format *format = claims[choice / 2].format;
    const int times = choice % 2 == 0 ? 1 : 2;
    const jck_report_options options = render_options_of(&input);
    render_events events;
    render_events_of(input.text, &events);
    tree_pool pool = {NULL};
    runs told = {.pool = &pool};
    for (int i = 0; i < times; i++) {
        render_runs_of(&events, &told);
    }
    side_by_side all = {render(format, &options, &events, times), &told, &options, times == 2};
    if (told.count != 0) {
        claims[choice / 2].check(&all);
    } else {
        FUZZ_REQUIRE(all.text.len == 0);
    }
    render_require_again(&input, format, &options, &events, times, all.text);
    tree_pool_done(&pool);
    return 0;
}
