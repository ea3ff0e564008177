#include "harness/report/page.h"

#include "reference/base/limits.h"

void *jck_page_open(const jck_page_style *style, FILE *out, const jck_report_options *options)
{
    jck_page *page = jrpc_allocate(jrpc_allocator_heap(), sizeof *page);
    void *own = jrpc_allocate(jrpc_allocator_heap(), style->own_size + 1);
    if (page == NULL || own == NULL) {
        jrpc_deallocate(jrpc_allocator_heap(), page);
        jrpc_deallocate(jrpc_allocator_heap(), own);
        return NULL;
    }
    memset(own, 0, style->own_size + 1);
    *page = (jck_page){.style = style, .out = out, .options = *options, .own = own};
    jrpc_buffer_init(&page->text, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES * 4);
    jrpc_arena_init(&page->arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES * 4);
    jck_tally_init(&page->tally, options->examples > 1 ? options->examples : 1);
    return page;
}

void jck_page_str(jck_page *page, const char *text)
{
    (void)jrpc_buffer_append_str(&page->text, text);
}

void jck_page_safe(jck_page *page, jck_safe_place place, jrpc_slice text)
{
    (void)jck_safe_append(&page->text, place, text);
}

// Ends the current run, if there is one.
static bool end_run(jck_page *page)
{
    if (!page->in_run) {
        return true;
    }
    page->in_run = false;
    jck_tally_sort(&page->tally);
    bool ok = page->style->end(page);
    jck_tally_clear(&page->tally);
    return ok;
}

static bool begin_run(jck_page *page, const jck_reading_start *start)
{
    page->in_run = true;
    page->runs++;
    return jck_tally_start(&page->tally, start) &&
           (page->style->begin == NULL || page->style->begin(page));
}

// A stream whose beginning is missing is still read.
static bool need_run(jck_page *page)
{
    static const jck_reading_start unknown = {.target = {"", 0}};
    return page->in_run || begin_run(page, &unknown);
}

static bool take(jck_page *page, jrpc_json event)
{
    jck_reading_start start;
    jck_reading_case test_case;
    jck_reading_finish finish;
    jck_reading_rule rule;
    switch (jck_reading_kind(event)) {
    case JCK_EVENT_OTHER:
        return true;
    case JCK_EVENT_START:
        return end_run(page) && jck_reading_of_start(event, &page->arena, &start) &&
               begin_run(page, &start);
    case JCK_EVENT_CASE:
    case JCK_EVENT_GROUND:
        return need_run(page) &&
               (page->style->without_exchange
                    ? jck_reading_of_verdict(event, &page->arena, &test_case)
                    : jck_reading_of_case(event, &page->arena, &test_case)) &&
               jck_tally_case(&page->tally, &test_case) &&
               (page->style->test_case == NULL || page->style->test_case(page, &test_case));
    case JCK_EVENT_RULE:
        return need_run(page) &&
               (page->style->rule == NULL || (jck_reading_of_rule(event, &page->arena, &rule) &&
                                              page->style->rule(page, &rule)));
    case JCK_EVENT_FINISH:
        return need_run(page) && jck_reading_of_finish(event, &page->arena, &finish) &&
               jck_tally_finish(&page->tally, &finish) && end_run(page);
    }
    return true;
}

// Write errors stay in the stream and are reported at close.
static void write_out(jck_page *page)
{
    if (page->text.len > 0) {
        (void)fwrite(page->text.ptr, 1, page->text.len, page->out);
        (void)fflush(page->out);
    }
}

static bool out_of_memory(jrpc_error *error)
{
    return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a report");
}

bool jck_page_event(void *state, jrpc_json event, jrpc_slice line, jrpc_error *error)
{
    (void)line;
    jck_page *page = state;
    jrpc_buffer_clear(&page->text);
    page->failed = page->failed || !take(page, event) || page->text.failed;
    write_out(page);
    jrpc_arena_clear(&page->arena);
    return !page->failed || out_of_memory(error);
}

bool jck_page_close(void *state, jrpc_error *error)
{
    jck_page *page = state;
    jrpc_buffer_clear(&page->text);
    // If an event could not be reported, half its text may be there, so the report cannot be
    // completed.
    page->failed = page->failed || !end_run(page);
    bool closed = page->style->close == NULL || page->style->close(page);
    bool ok = closed && !page->failed && !page->text.failed;
    write_out(page);
    if (!ok) {
        (void)out_of_memory(error);
    } else if (fflush(page->out) != 0 || ferror(page->out)) {
        ok = jrpc_error_set(
            error, JRPC_ERROR_SYSTEM,
            "a report could not be written (a full disk, or a reader that has gone)");
    }
    jck_tally_done(&page->tally);
    jrpc_arena_done(&page->arena);
    jrpc_buffer_done(&page->text);
    jrpc_deallocate(jrpc_allocator_heap(), page->own);
    jrpc_deallocate(jrpc_allocator_heap(), page);
    return ok;
}
