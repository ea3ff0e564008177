// SARIF 2.1.0: each finding, located in its case, for code scanning and editors.
#include "harness/report/formats.h"
#include "harness/report/page.h"
#include "harness/report/rulebook.h"
#include "harness/report/words.h"
#include "reference/base/limits.h"

typedef struct sarif {
    jrpc_arena arena;
    jck_rulebook book;
    jrpc_buffer results; // JSON, without the brackets around it
    bool unnamed;        // a result is listed under the rule UNNAMED
} sarif;

#define UNNAMED "jrpcheck"

// `before` is written unescaped: punctuation and a member's name.
static void text(jrpc_buffer *out, const char *before, jrpc_slice value)
{
    (void)jrpc_buffer_append_str(out, before);
    (void)jrpc_buffer_append_char(out, '"');
    (void)jck_safe_append(out, JCK_SAFE_JSON, value);
    (void)jrpc_buffer_append_char(out, '"');
}

static void forget(sarif *own)
{
    jrpc_arena_done(&own->arena);
    jrpc_buffer_done(&own->results);
}

static bool begin(jck_page *page)
{
    sarif *own = page->own;
    forget(own);
    jrpc_arena_init(&own->arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&own->results, jrpc_allocator_heap(), page->text.maximum);
    jck_rulebook_init(&own->book, &own->arena);
    own->unnamed = false;
    if (page->runs == 1) {
        jck_page_str(page, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                           "\"version\":\"2.1.0\",\"runs\":[");
    }
    return true;
}

static bool report_rule(jck_page *page, const jck_reading_rule *rule)
{
    return jck_rulebook_take(&((sarif *)page->own)->book, rule);
}

static const char *severity(jck_level level)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[level];
}

// A reference to a file has no byte that a URI cannot have.
static void write_uri(jrpc_buffer *out, const jck_reading_case *test_case)
{
    jrpc_slice path = test_case->file.len > 0 ? test_case->file : test_case->suite;
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/";
    (void)jrpc_buffer_append_str(out, "cases/");
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] != '\0' && strchr(plain, path.ptr[i]) != NULL) {
            (void)jrpc_buffer_append_char(out, path.ptr[i]);
        } else {
            (void)jrpc_buffer_printf(out, "%%%02X", (unsigned)(unsigned char)path.ptr[i]);
        }
    }
}

// Viewers make links of [text](target) and fill in {0}; a peer's text is neither.
static void write_message(jrpc_buffer *out, jrpc_slice id, jrpc_slice sentence)
{
    jrpc_buffer plain;
    jrpc_buffer_init(&plain, jrpc_allocator_heap(), out->maximum);
    (void)jck_safe_append(&plain, JCK_SAFE_PLAIN, id);
    (void)jrpc_buffer_append_str(&plain, ": ");
    (void)jck_safe_append_sentence(&plain, JCK_SAFE_PLAIN, sentence, SIZE_MAX);
    for (size_t i = 0; i < plain.len; i++) {
        char next = i + 1 < plain.len ? plain.ptr[i + 1] : '\0';
        if (plain.ptr[i] == ']' && next == '(') {
            (void)jrpc_buffer_append_str(out, "\\\\");
        } else if (plain.ptr[i] == '{' && next >= '0' && next <= '9') {
            (void)jrpc_buffer_append_char(out, '{');
        }
        if (plain.ptr[i] == '"' || plain.ptr[i] == '\\') {
            (void)jrpc_buffer_append_char(out, '\\');
        }
        (void)jrpc_buffer_append_char(out, plain.ptr[i]);
    }
    out->failed = out->failed || plain.failed;
    jrpc_buffer_done(&plain);
}

static void write_result(jrpc_buffer *out, const jck_reading_case *test_case, jrpc_slice rule,
                         jck_level level, jrpc_slice message)
{
    text(out, out->len == 0 ? "\n{\"ruleId\":" : ",\n{\"ruleId\":", rule);
    (void)jrpc_buffer_printf(out, ",\"level\":\"%s\",\"kind\":\"fail\"", severity(level));
    (void)jrpc_buffer_append_str(out, ",\"message\":{\"text\":\"");
    write_message(out, test_case->id, message);
    (void)jrpc_buffer_append_str(
        out, "\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
    write_uri(out, test_case);
    (void)jrpc_buffer_append_str(out, "\"}");
    if (test_case->file.len > 0 && test_case->line > 0) {
        (void)jrpc_buffer_printf(out, ",\"region\":{\"startLine\":%zu}", test_case->line);
    }
    text(out,
         "},\"logicalLocations\":[{\"kind\":\"object\",\"fullyQualifiedName\":", test_case->id);
    (void)jrpc_buffer_append_str(out, "}]}],\"partialFingerprints\":{\"caseAndRule/v1\":\"");
    (void)jck_safe_append(out, JCK_SAFE_JSON, test_case->id);
    (void)jrpc_buffer_append_char(out, ' ');
    (void)jck_safe_append(out, JCK_SAFE_JSON, rule);
    (void)jrpc_buffer_append_str(out, "\"}");
    if (test_case->expected) {
        (void)jrpc_buffer_append_str(
            out, ",\"suppressions\":[{\"kind\":\"external\",\"justification\":\"in the "
                 "baseline\"}]");
    }
    (void)jrpc_buffer_printf(out, ",\"properties\":{\"outcome\":\"%s\"}}",
                             jck_outcome_name(test_case->outcome));
}

// A result names a rule that its run lists: the suite's own if the stream names none, or more than
// a book holds.
static jrpc_slice rule_of(sarif *own, jrpc_slice named)
{
    const jck_ruling *ruling = jck_rulebook_find(&own->book, named);
    own->unnamed = own->unnamed || ruling == NULL;
    return ruling == NULL ? JRPC_SLICE(UNNAMED) : ruling->id;
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    sarif *own = page->own;
    if (test_case->ground || !jck_rulebook_read(&own->book, test_case)) {
        return test_case->ground;
    }
    size_t reported = 0;
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        if (!finding->known && finding->level != JCK_LEVEL_OBSERVE) {
            write_result(&own->results, test_case, rule_of(own, finding->rule), finding->level,
                         finding->text);
            reported++;
        }
    }
    // A crash that no sentence forbids is reported too, under the case's own rule.
    if (reported == 0 && jck_reading_is_breach(test_case, page->tally.start.strict)) {
        jrpc_slice first = test_case->rule_count > 0 ? test_case->rules[0] : (jrpc_slice){"", 0};
        jrpc_buffer account;
        jrpc_buffer_init(&account, jrpc_allocator_heap(), page->text.maximum);
        jck_append_account(&account, JCK_SAFE_PLAIN, test_case);
        write_result(&own->results, test_case, rule_of(own, first), JCK_LEVEL_MUST,
                     jrpc_buffer_slice(&account));
        own->results.failed = own->results.failed || account.failed;
        jrpc_buffer_done(&account);
    }
    return !own->results.failed;
}

static void write_rules(jck_page *page, jck_ruling *const *rules, size_t count)
{
    jrpc_buffer *out = &page->text;
    const sarif *own = page->own;
    for (size_t i = 0; i < count; i++) {
        const jck_ruling *rule = rules[i];
        text(out, i == 0 ? "\n{\"id\":" : ",\n{\"id\":", rule->id);
        if (rule->title.len > 0) {
            text(out, ",\"shortDescription\":{\"text\":", rule->title);
            jck_page_str(page, "}");
        }
        if (rule->sentence.len > 0) {
            text(out, ",\"fullDescription\":{\"text\":", rule->sentence);
            jck_page_str(page, "}");
        }
        (void)jrpc_buffer_printf(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}}",
                                 severity(rule->level));
    }
    if (own->unnamed && jck_rulebook_find(&own->book, JRPC_SLICE(UNNAMED)) == NULL) {
        text(out, count == 0 ? "\n{\"id\":" : ",\n{\"id\":", JRPC_SLICE(UNNAMED));
        jck_page_str(page, "}");
    }
}

static bool end(jck_page *page)
{
    sarif *own = page->own;
    const jck_tally *tally = &page->tally;
    jrpc_buffer *out = &page->text;
    jck_ruling **rules = jck_rulebook_sorted(&own->book);
    if (rules == NULL) {
        return false;
    }
    jck_page_str(page, page->runs > 1 ? ",\n" : "\n");
    text(out, "{\"tool\":{\"driver\":{\"name\":\"jrpcheck\",\"version\":", tally->start.tool);
    jck_page_str(page, ",\"informationUri\":\"https://www.jsonrpc.org/specification\",\"rules\":[");
    write_rules(page, rules, own->book.count);
    jck_page_str(page, "]}},");
    text(out, "\"automationDetails\":{\"id\":", tally->start.target);
    (void)jrpc_buffer_printf(out, "},\"invocations\":[{\"executionSuccessful\":%s",
                             jck_tally_complete(tally) ? "true" : "false");
    // A note about the run, not about a rule or a case.
    jck_append_likeness(
        out, JCK_SAFE_JSON, &tally->start,
        ",\"toolExecutionNotifications\":[{\"level\":\"note\",\"message\":{\"text\":\"", "\"}}]");
    jck_page_str(page, "}],\"columnKind\":\"unicodeCodePoints\",\"results\":[");
    (void)jrpc_buffer_append(out, jrpc_buffer_slice(&own->results));
    jck_page_str(page, "]}");
    return true;
}

static bool finish(jck_page *page)
{
    if (page->runs > 0) {
        jck_page_str(page, "\n]}\n");
    }
    forget(page->own);
    return true;
}

static const jck_page_style style = {.own_size = sizeof(sarif),
                                     .without_exchange = false,
                                     .begin = begin,
                                     .rule = report_rule,
                                     .test_case = report_case,
                                     .end = end,
                                     .close = finish};

static void *open_sarif(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_sarif = {
    .name = "sarif",
    .summary = "SARIF 2.1.0, for code scanning and editors",
    .open = open_sarif,
    .event = jck_page_event,
    .close = jck_page_close,
};
