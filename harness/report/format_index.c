// What each of many runs breaks, as one small JSON document: what `jrpcheck explain` reads.
#include "harness/report/formats.h"
#include "harness/report/page.h"
#include "reference/json/write.h"

#define INDEX_SCHEMA 1

static void text(jrpc_buffer *out, const char *before, jrpc_slice value)
{
    (void)jrpc_buffer_append_str(out, before);
    (void)jrpc_buffer_append_char(out, '"');
    (void)jck_safe_append(out, JCK_SAFE_JSON, value);
    (void)jrpc_buffer_append_char(out, '"');
}

// One line per run, so that a diff is readable.
static bool end(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    const jck_reading_start *start = &tally->start;
    jrpc_buffer *out = &page->text;
    if (page->runs == 1) {
        (void)jrpc_buffer_printf(out, "{\"schema\":%d,\"runs\":[", INDEX_SCHEMA);
    }
    text(out, page->runs == 1 ? "\n{\"target\":" : ",\n{\"target\":", start->target);
    text(out, ",\"implementation\":", start->implementation);
    text(out, ",\"version\":", start->version);
    text(out, ",\"language\":", start->language);
    text(out, ",\"started\":", start->started);
    text(out, ",\"tool\":", start->tool);
    (void)jrpc_buffer_printf(out, ",\"complete\":%s,\"cases\":%zu,\"broken\":{",
                             jck_tally_complete(tally) ? "true" : "false", tally->cases);
    for (const jck_group *rule = tally->rules.first; rule != NULL; rule = rule->next) {
        text(out, rule == tally->rules.first ? "" : ",", rule->name);
        (void)jrpc_buffer_printf(out, ":[\"%s\",%zu", jck_level_name(rule->level), rule->count);
        text(out, ",", rule->example);
        (void)jrpc_buffer_append_char(out, ']');
    }
    jck_page_str(page, "}}");
    return true;
}

static bool finish(jck_page *page)
{
    if (page->runs > 0) {
        jck_page_str(page, "\n]}\n");
    }
    return true;
}

static const jck_page_style style = {.without_exchange = true, .end = end, .close = finish};

static void *open_index(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_index = {
    .name = "index",
    .summary = "a JSON summary of what each of many runs breaks",
    .open = open_index,
    .event = jck_page_event,
    .close = jck_page_close,
};
