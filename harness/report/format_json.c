// One JSON document: the results of each run, by case and by rule, without the exchanges.
#include "harness/report/formats.h"
#include "harness/report/page.h"
#include "reference/json/write.h"

#define JSON_REPORT_SCHEMA 1

typedef struct json_report {
    jrpc_json_writer writer; // continues from event to event
} json_report;

static jrpc_json_writer *writer_of(jck_page *page)
{
    return &((json_report *)page->own)->writer;
}

static void text_value(jck_page *page, jrpc_slice text)
{
    jrpc_json_write_raw(writer_of(page), JRPC_SLICE("\""));
    jck_page_safe(page, JCK_SAFE_JSON, text);
    jck_page_str(page, "\"");
}

static void text(jck_page *page, const char *name, jrpc_slice value)
{
    jrpc_json_write_key(writer_of(page), name);
    text_value(page, value);
}

static void number(jck_page *page, const char *name, int64_t value)
{
    jrpc_json_write_key(writer_of(page), name);
    jrpc_json_write_int(writer_of(page), value);
}

static void flag(jck_page *page, const char *name, bool value)
{
    jrpc_json_write_key(writer_of(page), name);
    jrpc_json_write_bool(writer_of(page), value);
}

static void begin_list(jck_page *page, const char *name)
{
    jrpc_json_write_key(writer_of(page), name);
    jrpc_json_write_begin_array(writer_of(page));
}

static bool begin(jck_page *page)
{
    jrpc_json_writer *writer = writer_of(page);
    const jck_reading_start *start = &page->tally.start;
    if (page->runs == 1) {
        jrpc_json_writer_init(writer, &page->text);
        jrpc_json_write_begin_object(writer);
        number(page, "schema", JSON_REPORT_SCHEMA);
        begin_list(page, "runs");
    }
    jrpc_json_write_begin_object(writer);
    text(page, "tool", start->tool);
    text(page, "target", start->target);
    text(page, "transport", start->transport);
    text(page, "framing", start->framing);
    text(page, "profile", start->profile);
    if (start->profile_to_name.len > 0) {
        text(page, "looks_like", start->looks_like);
        text(page, "profile_to_name", start->profile_to_name);
    }
    text(page, "started", start->started);
    text(page, "seed", start->seed);
    flag(page, "strict", start->strict);
    number(page, "selected", (int64_t)start->selected);
    begin_list(page, "cases");
    return true;
}

static void write_findings(jck_page *page, const jck_reading_case *test_case)
{
    begin_list(page, "findings");
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        jrpc_json_write_begin_object(writer_of(page));
        text(page, "rule", finding->rule);
        text(page, "level", jrpc_slice_str(jck_level_name(finding->level)));
        text(page, "text", finding->text);
        flag(page, "known", finding->known);
        jrpc_json_write_end_object(writer_of(page));
    }
    jrpc_json_write_end_array(writer_of(page));
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    if (test_case->ground) {
        return true;
    }
    jrpc_json_write_begin_object(writer_of(page));
    text(page, "id", test_case->id);
    text(page, "suite", test_case->suite);
    text(page, "section", test_case->section);
    text(page, "outcome", jrpc_slice_str(jck_outcome_name(test_case->outcome)));
    flag(page, "expected", test_case->expected);
    flag(page, "breach", jck_reading_is_breach(test_case, page->tally.start.strict));
    if (test_case->reason.len > 0) {
        text(page, "reason", test_case->reason);
    }
    write_findings(page, test_case);
    if (test_case->duration_us >= 0) {
        number(page, "duration_us", test_case->duration_us);
    }
    jrpc_json_write_end_object(writer_of(page));
    return true;
}

// `of_rule`: the groups are rules, with a level and a sentence; `valued`: observations.
static void write_groups(jck_page *page, const char *name, const jck_groups *groups, bool of_rule,
                         bool valued)
{
    begin_list(page, name);
    for (const jck_group *group = groups->first; group != NULL; group = group->next) {
        jrpc_json_write_begin_object(writer_of(page));
        text(page, "name", group->name);
        if (of_rule) {
            text(page, "level", jrpc_slice_str(jck_level_name(group->level)));
            text(page, "sentence", group->value);
            flag(page, "expected", group->unexpected == 0);
        }
        if (valued) {
            text(page, "value", group->value);
        }
        number(page, "cases", (int64_t)group->count);
        text(page, "example", group->example);
        jrpc_json_write_end_object(writer_of(page));
    }
    jrpc_json_write_end_array(writer_of(page));
}

static void write_verdict(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    jrpc_json_write_key(writer_of(page), "verdict");
    jrpc_json_write_begin_object(writer_of(page));
    flag(page, "conformant", jck_tally_conformant(tally));
    flag(page, "finished", tally->finished);
    flag(page, "interrupted", tally->finish.interrupted);
    if (tally->finish.stopped.len > 0) {
        text(page, "stopped", tally->finish.stopped);
    }
    jrpc_json_write_key(writer_of(page), "sentence");
    jrpc_json_write_raw(writer_of(page), JRPC_SLICE("\""));
    jck_tally_verdict(tally, JCK_SAFE_JSON, &page->text);
    jck_page_str(page, "\"");
    number(page, "duration_us", tally->finish.duration_us);
    jrpc_json_write_end_object(writer_of(page));
}

static bool end(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    jrpc_json_write_end_array(writer_of(page));
    jrpc_json_write_key(writer_of(page), "counts");
    jrpc_json_write_begin_object(writer_of(page));
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        number(page, jck_outcome_name((jck_outcome)i), (int64_t)tally->counts[i]);
    }
    jrpc_json_write_end_object(writer_of(page));
    write_groups(page, "broken", &tally->rules, true, false);
    write_groups(page, "unmapped", &tally->capabilities, false, false);
    write_groups(page, "skipped", &tally->reasons, false, false);
    write_groups(page, "blocked", &tally->blocking, false, false);
    write_groups(page, "observed", &tally->observations, false, true);
    write_verdict(page);
    jrpc_json_write_end_object(writer_of(page));
    return true;
}

static bool finish(jck_page *page)
{
    if (page->runs > 0 && !page->failed) {
        jrpc_json_write_end_array(writer_of(page));
        jrpc_json_write_end_object(writer_of(page));
        jck_page_str(page, "\n");
    }
    return true;
}

static const jck_page_style style = {.own_size = sizeof(json_report),
                                     .begin = begin,
                                     .test_case = report_case,
                                     .end = end,
                                     .close = finish};

static void *open_json(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_json = {
    .name = "json",
    .summary = "one JSON document: the verdict, the counts, every case and rule",
    .open = open_json,
    .event = jck_page_event,
    .close = jck_page_close,
};
