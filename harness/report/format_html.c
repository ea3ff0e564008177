// One HTML file, readable without a script and self-contained.
#include "harness/report/formats.h"
#include "harness/report/html_run.h"
#include "harness/report/words.h"
#include "reference/base/limits.h"

// A longer line is left out: it would be repeated in every case.
#define REPRO_BYTES_MAX ((size_t)4096)

typedef struct html {
    jck_html_run run;
    char tool[64];
} html;

static void forget(html *own)
{
    jrpc_arena_done(&own->run.arena);
    jrpc_buffer_done(&own->run.cases);
}

// Whether the stream says what the target is, briefly enough for every case.
static bool is_repeatable(jck_page *page, const jck_reading_start *start)
{
    jrpc_buffer words;
    jrpc_buffer_init(&words, jrpc_allocator_heap(), page->text.maximum);
    jck_append_target_words(&words, JCK_SAFE_HTML, start);
    bool is = words.len > 0 && words.len <= REPRO_BYTES_MAX;
    page->text.failed = page->text.failed || words.failed;
    jrpc_buffer_done(&words);
    return is;
}

static bool begin(jck_page *page)
{
    html *own = page->own;
    const jck_reading_start *start = &page->tally.start;
    size_t evidence = own->run.style.evidence;
    forget(own);
    jrpc_arena_init(&own->run.arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&own->run.cases, jrpc_allocator_heap(), page->text.maximum);
    jck_rulebook_init(&own->run.book, &own->run.arena);
    own->run.first = NULL;
    own->run.end = &own->run.first;
    own->run.rules = jrpc_arena_array(&own->run.arena, JCK_RULINGS_MAX, sizeof *own->run.rules);
    own->run.style = (jck_html_case_style){.run = page->runs,
                                           .start = is_repeatable(page, start) ? start : NULL,
                                           .evidence = evidence};
    (void)snprintf(own->tool, sizeof own->tool, "%.*s",
                   (int)(start->tool.len < 60 ? start->tool.len : 60), start->tool.ptr);
    return own->run.rules != NULL;
}

static bool report_rule(jck_page *page, const jck_reading_rule *rule)
{
    return jck_rulebook_take(&((html *)page->own)->run.book, rule);
}

static bool mention(jck_html_run *run, const jck_reading_case *test_case,
                    const jck_html_entry *entry)
{
    for (size_t i = 0; i < run->book.count; i++) {
        const jck_ruling *ruling = run->book.items[i];
        bool named = false;
        for (size_t k = 0; k < test_case->rule_count && !named; k++) {
            named = jrpc_slice_equal(test_case->rules[k], ruling->id);
        }
        for (size_t k = 0; k < test_case->finding_count && !named; k++) {
            named = jrpc_slice_equal(test_case->findings[k].rule, ruling->id);
        }
        if (!named) {
            continue;
        }
        jck_html_mention *added = jrpc_arena_alloc(&run->arena, sizeof *added);
        if (added == NULL) {
            return false;
        }
        *added =
            (jck_html_mention){.entry = entry, .standing = jck_standing_of(test_case, ruling->id)};
        jck_html_rule *rule = &run->rules[ruling->index];
        rule->counts[added->standing]++;
        if (rule->first == NULL) {
            rule->end = &rule->first;
        }
        *rule->end = added;
        rule->end = &added->next;
    }
    return true;
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    jck_html_run *run = &((html *)page->own)->run;
    if (test_case->ground) {
        return true;
    }
    jck_html_entry *entry = jrpc_arena_alloc(&run->arena, sizeof *entry);
    if (entry == NULL) {
        return false;
    }
    *entry = (jck_html_entry){.outcome = test_case->outcome, .at = run->cases.len};
    jck_html_case(&run->cases, &run->style, test_case);
    entry->len = run->cases.len - entry->at;
    *run->end = entry;
    run->end = &entry->next;
    (void)jrpc_arena_copy(&run->arena, test_case->id, &entry->id);
    (void)jrpc_arena_copy(&run->arena, test_case->suite, &entry->suite);
    (void)jrpc_arena_copy(&run->arena, test_case->section, &entry->section);
    return jck_rulebook_read(&run->book, test_case) && mention(run, test_case, entry) &&
           !run->arena.failed && !run->cases.failed;
}

static bool end(jck_page *page)
{
    html *own = page->own;
    if (page->runs == 1) {
        jck_html_begin(&page->text, "jrpcheck report", page->tally.start.target);
    }
    return jck_html_run_write(page, &own->run);
}

static bool finish(jck_page *page)
{
    html *own = page->own;
    if (page->runs > 0) {
        jck_html_end(&page->text, jrpc_slice_str(own->tool));
    }
    forget(own);
    return true;
}

static const jck_page_style style = {.own_size = sizeof(html),
                                     .begin = begin,
                                     .rule = report_rule,
                                     .test_case = report_case,
                                     .end = end,
                                     .close = finish};

static void *open_html(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_html = {
    .name = "html",
    .summary = "one HTML file: by rule and by case, with the exact bytes",
    .open = open_html,
    .event = jck_page_event,
    .close = jck_page_close,
};
