// Whatever an event stream holds, a report of it is well formed and counts what the stream counts.
// The input names the format. Nothing in it is more than text to a terminal or a browser, the same
// stream gives the same report, and a file that ends early is reported.
#include "fuzz/model/grammar.h"
#include "fuzz/model/listed.h"
#include "fuzz/model/markdown.h"
#include "fuzz/model/markup.h"
#include "fuzz/model/plain.h"
#include "fuzz/model/sarif.h"
#include "fuzz/model/unsafe.h"
#include "fuzz/render.h"
#include "harness/report/assets.h"

#include <stdio.h>
#include <stdlib.h>

enum { MARKDOWN_EXAMPLES = 30 }; // in a run

// What was rendered, and what the model makes of the same events.
typedef struct rendered {
    jrpc_slice text;
    const render_events *events;
    const jck_report_options *options;
    const runs *told;
} rendered;

static size_t cases_of(const rendered *all)
{
    size_t cases = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        cases += run->cases;
    }
    return cases;
}

static size_t outcomes_of(const rendered *all, int outcome)
{
    size_t count = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        count += run->counts[outcome];
    }
    return count;
}

// "9 cases: 7 passed, 1 failed" of every run, one after the other.
static void require_counts(const rendered *all)
{
    static const struct {
        int outcome;
        const char *word;
    } words[] = {
        {RUNS_PASS, "passed"},  {RUNS_ERROR, "harness error"}, {RUNS_CRASH, "crashed"},
        {RUNS_HANG, "hung"},    {RUNS_STUCK, "got stuck"},     {RUNS_ENDED, "ended the connection"},
        {RUNS_FAIL, "failed"},  {RUNS_WARN, "warned"},         {RUNS_OBSERVE, "observed"},
        {RUNS_SKIP, "skipped"}, {RUNS_BLOCKED, "blocked"},
    };
    jrpc_slice rest = all->text;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        char line[400];
        int len =
            snprintf(line, sizeof line, "\n%zu case%s: ", run->cases, run->cases == 1 ? "" : "s");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t count = run->counts[words[i].outcome];
            if (count != 0 || i == 0) {
                bool many = words[i].outcome == RUNS_ERROR && count != 1;
                len += snprintf(line + len, sizeof line - (size_t)len, "%s%zu %s%s",
                                i == 0 ? "" : ", ", count, words[i].word, many ? "s" : "");
            }
        }
        size_t end = plain_find(rest, line);
        FUZZ_REQUIRE(end != SIZE_MAX);
        rest = jrpc_slice_from(rest, end);
        FUZZ_REQUIRE(plain_begins(rest, "\n") || plain_begins(rest, ";"));
        FUZZ_REQUIRE(listed_is_duration(jrpc_slice_from(rest, strlen("; ")), run));
    }
}

// Only the console's own sequences, where they were asked for; after them no control is left.
static void check_console(const rendered *all)
{
    static const char *const own[] = {"\033[1;31m", "\033[33m", "\033[32m", "\033[2m",
                                      "\033[1m",    "\033[0m",  "\r\033[K"};
    enum { PAINTS = 6, OWN = 7 };
    for (jrpc_slice rest = all->text; rest.len != 0;) {
        size_t len = plain_character(rest);
        for (size_t i = 0; i < OWN && len == 0; i++) {
            bool allowed = i < PAINTS ? all->options->color : all->options->terminal;
            if (allowed && jrpc_slice_starts_with(rest, jrpc_slice_str(own[i]))) {
                len = strlen(own[i]);
            }
        }
        FUZZ_REQUIRE(len != 0);
        rest = jrpc_slice_from(rest, len);
    }
    if (!all->options->quiet) {
        require_counts(all);
    }
}

static void check_ndjson(const rendered *all)
{
    jrpc_slice rest = all->text;
    for (size_t i = 0; i < all->events->count; i++) {
        FUZZ_REQUIRE(jrpc_slice_starts_with(rest, all->events->lines[i]));
        rest = jrpc_slice_from(rest, all->events->lines[i].len);
        FUZZ_REQUIRE(rest.len != 0 && rest.ptr[0] == '\n');
        rest = jrpc_slice_from(rest, 1);
    }
    FUZZ_REQUIRE(rest.len == 0);
}

static const tree *read_json(const rendered *all)
{
    FUZZ_REQUIRE(grammar_check(all->text, 12).verdict == GRAMMAR_JSON);
    return tree_read(all->told->pool, all->text);
}

static void require_number(const tree *object, const char *name, size_t number)
{
    const tree *value = tree_member(object, name);
    char text[24];
    (void)snprintf(text, sizeof text, "%zu", number);
    FUZZ_REQUIRE(value != NULL && value->kind == '0' && jrpc_slice_is(value->spelling, text));
}

static void require_flag(const tree *object, const char *name, bool flag)
{
    const tree *value = tree_member(object, name);
    FUZZ_REQUIRE(value != NULL && jrpc_slice_is(value->spelling, flag ? "true" : "false"));
}

static const tree *list_of(const tree *object, const char *name, size_t count)
{
    const tree *list = tree_member(object, name);
    FUZZ_REQUIRE(list != NULL && list->kind == 'a' && list->count == count);
    return list;
}

// Whether a text has no half of a surrogate pair, which no UTF-8 spells.
static bool is_whole(jrpc_slice text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((unsigned char)text.ptr[i] == 0xED && (unsigned char)text.ptr[i + 1] >= 0xA0) {
            return false;
        }
    }
    return true;
}

static void check_json(const rendered *all)
{
    const tree *list = list_of(read_json(all), "runs", all->told->count);
    size_t at = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        const tree *object = list->items[at++];
        const tree *cases = list_of(object, "cases", run->cases);
        size_t number = 0;
        for (const runs_case *told = run->first; told != NULL; told = told->next) {
            const tree *one = cases->items[number++];
            const tree *id = tree_member(one, "id");
            FUZZ_REQUIRE(id != NULL && id->kind == 's');
            FUZZ_REQUIRE(!is_whole(told->id) || jrpc_slice_equal(id->content, told->id));
            FUZZ_REQUIRE(tree_is_text(tree_member(one, "outcome"), runs_outcomes[told->outcome]));
            require_flag(one, "expected", told->expected);
            require_flag(one, "breach", told->breach);
            (void)list_of(one, "findings", told->findings);
        }
        for (int i = 0; i < RUNS_OUTCOMES; i++) {
            require_number(tree_member(object, "counts"), runs_outcomes[i], run->counts[i]);
        }
        require_flag(tree_member(object, "verdict"), "conformant", run->conformant);
        listed_require_json(all->told->pool, object, run);
    }
}

static void check_index(const rendered *all)
{
    const tree *list = list_of(read_json(all), "runs", all->told->count);
    size_t at = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next, at++) {
        require_number(list->items[at], "cases", run->cases);
        require_flag(list->items[at], "complete", run->complete);
    }
}

// Each result names a rule of its run, none of which is reported twice.
static void require_results(const tree *run, const runs_run *told)
{
    size_t expected = 0;
    for (const runs_case *one = told->first; one != NULL; one = one->next) {
        expected += one->weighty != 0 ? one->weighty : one->breach;
    }
    const tree *driver = tree_member(tree_member(run, "tool"), "driver");
    const tree *rules = tree_member(driver, "rules");
    const tree *results = list_of(run, "results", expected);
    FUZZ_REQUIRE(rules != NULL && rules->kind == 'a');
    for (size_t i = 0; i < rules->count + results->count; i++) {
        const tree *id = i < rules->count ? tree_member(rules->items[i], "id")
                                          : tree_member(results->items[i - rules->count], "ruleId");
        size_t named = 0;
        FUZZ_REQUIRE(tree_has_text(id));
        for (size_t k = 0; k < rules->count; k++) {
            named += jrpc_slice_equal(tree_member(rules->items[k], "id")->content, id->content);
        }
        FUZZ_REQUIRE(named == 1);
    }
    for (size_t i = 0; i < results->count; i++) {
        const tree *level = tree_member(results->items[i], "level");
        FUZZ_REQUIRE(tree_is_text(level, "error") || tree_is_text(level, "warning") ||
                     tree_is_text(level, "note"));
        const tree *message = tree_member(tree_member(results->items[i], "message"), "text");
        FUZZ_REQUIRE(tree_has_text(message));
        plain_require(message->content);
        list_of(results->items[i], "locations", 1);
    }
}

static void check_sarif(const rendered *all)
{
    const tree *list = list_of(read_json(all), "runs", all->told->count);
    size_t at = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        require_results(list->items[at], run);
        sarif_require(all->told->pool, list->items[at], run);
        const tree *invocations = list_of(list->items[at++], "invocations", 1);
        require_flag(invocations->items[0], "executionSuccessful", run->complete);
    }
}

// Of several runs the worst is reported, and none is worse than one that is not complete.
static void require_badge(const rendered *all)
{
    bool incomplete = false;
    bool conformant = true;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        incomplete = incomplete || !run->complete;
        conformant = conformant && run->conformant;
    }
    FUZZ_REQUIRE((plain_find(all->text, "run incomplete") != SIZE_MAX) == incomplete);
    FUZZ_REQUIRE(plain_find(all->text, "\"conformant\"") == SIZE_MAX ||
                 (conformant && !incomplete));
}

static void check_badge(const rendered *all)
{
    markup_require(all->text, MARKUP_SVG, NULL);
    require_badge(all);
}

static void check_badge_json(const rendered *all)
{
    require_number(read_json(all), "schemaVersion", 1);
    require_badge(all);
}

// Each case is a test of its name, within the section that it belongs to.
static void require_tests(const rendered *all)
{
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        for (const runs_case *one = run->first; one != NULL; one = one->next) {
            bool found = !is_whole(one->id);
            jrpc_slice rest = all->text;
            for (size_t at = 0; !found && (at = plain_find(rest, "<testcase ")) != SIZE_MAX;) {
                rest = jrpc_slice_from(rest, at);
                rest = jrpc_slice_from(rest, plain_find(rest, "\" name=\""));
                size_t len = plain_find(rest, "\"") - 1;
                jrpc_slice name = unsafe_from_markup(all->told->pool, jrpc_slice_of(rest.ptr, len));
                found = jrpc_slice_equal(unsafe_bytes(all->told->pool, name), one->id);
            }
            FUZZ_REQUIRE(found);
        }
    }
}

// The time of a case is in seconds, to the microsecond.
static void require_time(jrpc_slice text, const tree *event)
{
    const tree *duration = tree_member(event, "duration_us");
    bool unsure = false;
    char spelled[40];
    if (duration == NULL || !tree_is_between(duration, 0, 1000000000, &unsure) || unsure) {
        return;
    }
    (void)snprintf(spelled, sizeof spelled, " time=\"%.6f\"",
                   strtod(duration->spelling.ptr, NULL) / 1e6);
    FUZZ_REQUIRE(plain_count(text, spelled) != 0);
}

static void check_junit(const rendered *all)
{
    markup_require(all->text, MARKUP_JUNIT, NULL);
    require_tests(all);
    size_t tests = cases_of(all);
    size_t failures = 0;
    size_t errors = 0;
    size_t skipped = outcomes_of(all, RUNS_SKIP) + outcomes_of(all, RUNS_BLOCKED);
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        bool told = run->complete && (run->conformant || run->breaches != 0);
        tests += !told;
        errors += !told;
        for (const runs_case *one = run->first; one != NULL; one = one->next) {
            skipped += one->breach && one->expected;
            require_time(all->text, one->event);
            bool counts = one->breach && !one->expected;
            errors += counts && one->outcome == RUNS_ERROR;
            failures += counts && one->outcome != RUNS_ERROR;
        }
    }
    FUZZ_REQUIRE(plain_count(all->text, "<testcase ") == tests);
    FUZZ_REQUIRE(plain_sum(all->text, " tests=\"") == tests);
    FUZZ_REQUIRE(plain_count(all->text, "<failure ") == failures);
    FUZZ_REQUIRE(plain_sum(all->text, " failures=\"") == failures);
    FUZZ_REQUIRE(plain_count(all->text, "<error ") == errors);
    FUZZ_REQUIRE(plain_sum(all->text, " errors=\"") == errors);
    FUZZ_REQUIRE(plain_count(all->text, "<skipped ") == skipped);
    FUZZ_REQUIRE(plain_sum(all->text, " skipped=\"") == skipped);
}

typedef struct told_cases { // of all runs, one after the other
    const runs_run *run;
    const runs_case *now;
} told_cases;

static const runs_case *next_case(told_cases *at)
{
    at->now = at->now == NULL ? at->run == NULL ? NULL : at->run->first : at->now->next;
    while (at->now == NULL && at->run != NULL) {
        at->run = at->run->next;
        at->now = at->run == NULL ? NULL : at->run->first;
    }
    return at->now;
}

// The description of a test point is the name of its case and, in brackets, the title.
static void require_point(tree_pool *pool, jrpc_slice line, told_cases *told)
{
    const runs_case *one = next_case(told);
    size_t begin = plain_find(line, " - ");
    FUZZ_REQUIRE(one != NULL && begin != SIZE_MAX);
    jrpc_slice description = jrpc_slice_from(line, begin);
    size_t end = plain_find(description, " # ");
    description.len = end == SIZE_MAX ? description.len : end - 3;
    jrpc_slice shown = unsafe_bytes(pool, unsafe_from_tap(pool, description));
    const tree *title = tree_member(one->event, "title");
    if (!is_whole(one->id) || (title != NULL && !is_whole(title->content))) {
        return;
    }
    FUZZ_REQUIRE(jrpc_slice_starts_with(shown, one->id));
    shown = jrpc_slice_from(shown, one->id.len);
    if (tree_has_text(title)) {
        FUZZ_REQUIRE(jrpc_slice_starts_with(shown, JRPC_SLICE(" (")));
        shown = jrpc_slice_from(shown, 2);
        FUZZ_REQUIRE(jrpc_slice_starts_with(shown, title->content));
        FUZZ_REQUIRE(jrpc_slice_is(jrpc_slice_from(shown, title->content.len), ")"));
    } else {
        FUZZ_REQUIRE(shown.len == 0);
    }
}

// What a reader of YAML makes of a line of details is plain, too.
static void require_scalar(tree_pool *pool, jrpc_slice line)
{
    const char *quote = memchr(line.ptr, '"', line.len);
    if (quote != NULL) {
        jrpc_slice quoted = jrpc_slice_from(line, (size_t)(quote - line.ptr));
        FUZZ_REQUIRE(grammar_check(quoted, 1).verdict == GRAMMAR_JSON);
        plain_require(tree_read(pool, quoted)->content);
    }
}

// Every line is one that TAP knows; points are numbered in order, and the plan is their number.
static void check_tap(const rendered *all)
{
    told_cases told = {all->told->first, NULL};
    size_t points = 0;
    size_t wrong = 0;
    size_t plans = 0;
    size_t bails = 0;
    bool yaml = false;
    plain_require(all->text);
    for (jrpc_slice text = all->text; text.len != 0;) {
        const char *feed = memchr(text.ptr, '\n', text.len);
        FUZZ_REQUIRE(feed != NULL);
        jrpc_slice line = jrpc_slice_of(text.ptr, (size_t)(feed - text.ptr));
        text = jrpc_slice_from(text, line.len + 1);
        if (jrpc_slice_is(line, "  ---") || jrpc_slice_is(line, "  ...")) {
            FUZZ_REQUIRE(yaml == (line.ptr[2] == '.'));
            yaml = !yaml;
            continue;
        }
        bool ok = jrpc_slice_starts_with(line, JRPC_SLICE("ok "));
        bool not_ok = jrpc_slice_starts_with(line, JRPC_SLICE("not ok "));
        if (yaml) {
            FUZZ_REQUIRE(jrpc_slice_starts_with(line, JRPC_SLICE("  ")));
            require_scalar(all->told->pool, line);
        } else if (ok || not_ok) {
            require_point(all->told->pool, line, &told);
            wrong += not_ok;
            FUZZ_REQUIRE(strtoul(line.ptr + (ok ? 3 : 7), NULL, 10) == ++points);
        } else if (jrpc_slice_starts_with(line, JRPC_SLICE("1.."))) {
            FUZZ_REQUIRE(strtoul(line.ptr + 3, NULL, 10) == points && text.len == 0);
            plans++;
        } else if (jrpc_slice_starts_with(line, JRPC_SLICE("Bail out!"))) {
            bails++;
        } else {
            FUZZ_REQUIRE(jrpc_slice_is(line, "TAP version 14") || line.ptr[0] == '#');
        }
    }
    size_t breaches = 0;
    size_t incomplete = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        incomplete += !run->complete;
        for (const runs_case *one = run->first; one != NULL; one = one->next) {
            breaches += one->breach;
        }
    }
    FUZZ_REQUIRE(!yaml && points == cases_of(all) && wrong == breaches);
    FUZZ_REQUIRE(bails == incomplete && plans == (incomplete == 0));
}

static void check_markdown(const rendered *all)
{
    markdown_require(all->text);
    FUZZ_REQUIRE(plain_count(all->text, "<pre>sent ") <= MARKDOWN_EXAMPLES * all->told->count);
    require_counts(all);
    size_t breaches = 0;
    for (const runs_run *run = all->told->first; run != NULL; run = run->next) {
        breaches += run->breaches;
    }
    FUZZ_REQUIRE(plain_sum(all->text, "\n### Every failure: ") == breaches);
    FUZZ_REQUIRE(plain_sum(all->text, "\n### Not judged: ") ==
                 outcomes_of(all, RUNS_SKIP) + outcomes_of(all, RUNS_BLOCKED));
}

static void check_html(const rendered *all)
{
    const markup_assets assets = {
        jrpc_slice_of((const char *)jck_asset_css.text, jck_asset_css.len),
        jrpc_slice_of((const char *)jck_asset_js.text, jck_asset_js.len)};
    markup_require(all->text, MARKUP_HTML, &assets);
    jrpc_slice body = markup_body(all->text, &assets);
    size_t cases = cases_of(all);
    size_t unjudged = outcomes_of(all, RUNS_SKIP) + outcomes_of(all, RUNS_BLOCKED);
    FUZZ_REQUIRE(plain_count(body, " id=\"c") == cases);
    FUZZ_REQUIRE(plain_sum(body, "</b><span>of ") == cases);
    FUZZ_REQUIRE(plain_sum(body, "\">Cases <span class=\"n\">") == cases);
    FUZZ_REQUIRE(plain_sum(body, "\">Not judged <span class=\"n\">") == unjudged);
    FUZZ_REQUIRE(plain_count(body, "<h1>") == all->told->count);
}

static const struct {
    const char *format;
    void (*check)(const rendered *all);
    bool always; // written even where no run was reported
} claims[] = {
    {"html", check_html, false},
    {"json", check_json, false},
    {"junit", check_junit, false},
    {"markdown", check_markdown, false},
    {"sarif", check_sarif, false},
    {"tap", check_tap, false},
    {"console", check_console, false},
    {"badge", check_badge, false},
    {"badge-json", check_badge_json, false},
    {"index", check_index, false},
    {"ndjson", check_ndjson, true},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    size_t choice = input.options[0] % CLAIMS;
    const jck_report_format *format =
        jck_report_format_named(jrpc_slice_str(claims[choice].format));
    FUZZ_REQUIRE(format != NULL);
    const jck_report_options options = render_options_of(&input);
    render_events events;
    render_events_of(input.text, &events);
    tree_pool pool = {NULL};
    runs told = {.pool = &pool};
    render_runs_of(&events, &told);
    rendered all = {render(format, &options, &events, 1), &events, &options, &told};
    if (told.count != 0 || claims[choice].always) {
        claims[choice].check(&all);
    } else {
        FUZZ_REQUIRE(all.text.len == 0);
    }
    if (input.options[3] != 0) {
        render_require_short(format, &options, &events, input.options[3] - 1u,
                             (size_t)2 * input.options[4], all.text);
        all.text = render(format, &options, &events, 1);
    }
    render_require_again(&input, format, &options, &events, 1, all.text);
    if (strncmp(claims[choice].format, "badge", strlen("badge")) == 0) {
        render_require_worst(format, &options, &events);
    }
    tree_pool_done(&pool);
    return 0;
}
