// JUnit XML, as CI servers read it: a test suite for each section of a suite.
#include "harness/report/formats.h"
#include "harness/report/page.h"
#include "harness/report/words.h"

#include <inttypes.h>

// Bytes of one message that are shown.
#define MESSAGE_BYTES 4096

// One test suite: its test cases as XML, written after the run, when their number is known.
typedef struct section {
    jrpc_slice suite, section; // in the tally's arena
    jrpc_buffer xml;
    size_t tests, failures, errors, skipped;
    int64_t duration_us;
    struct section *next;
} section;

typedef struct junit {
    section *sections;
} junit;

static section *find_section(jck_page *page, const jck_reading_case *test_case)
{
    section **place = &((junit *)page->own)->sections;
    for (; *place != NULL; place = &(*place)->next) {
        if (jrpc_slice_equal((*place)->suite, test_case->suite) &&
            jrpc_slice_equal((*place)->section, test_case->section)) {
            return *place;
        }
    }
    section *made = jrpc_arena_alloc(&page->tally.arena, sizeof *made);
    if (made == NULL || !jrpc_arena_copy(&page->tally.arena, test_case->suite, &made->suite) ||
        !jrpc_arena_copy(&page->tally.arena, test_case->section, &made->section)) {
        return NULL;
    }
    jrpc_buffer_init(&made->xml, jrpc_allocator_heap(), page->text.maximum);
    *place = made;
    return made;
}

static void append_seconds(jrpc_buffer *out, int64_t duration_us)
{
    int64_t us = duration_us < 0 ? 0 : duration_us;
    (void)jrpc_buffer_printf(out, "%" PRId64 ".%06" PRId64, us / 1000000, us % 1000000);
}

static void append_details(jrpc_buffer *xml, const jck_reading_case *test_case)
{
    static const jck_details how = {
        .place = JCK_SAFE_XML, .before = "", .behind = "\n", .message_bytes = MESSAGE_BYTES};
    jck_append_details(xml, &how, test_case);
}

// <failure> or <error>: the account as its message, the rule as its type, the bytes inside.
static void append_breach(jrpc_buffer *xml, const char *element, const jck_reading_case *test_case)
{
    const jck_reading_finding *finding = jck_decisive_finding(test_case);
    (void)jrpc_buffer_printf(xml, "      <%s type=\"", element);
    (void)jck_safe_append(xml, JCK_SAFE_XML,
                          finding != NULL ? finding->rule
                                          : jrpc_slice_str(jck_outcome_name(test_case->outcome)));
    (void)jrpc_buffer_append_str(xml, "\" message=\"");
    jck_append_account(xml, JCK_SAFE_XML, test_case);
    (void)jrpc_buffer_append_str(xml, "\">");
    (void)jrpc_buffer_printf(xml, "%s\n", jck_outcome_name(test_case->outcome));
    append_details(xml, test_case);
    (void)jrpc_buffer_printf(xml, "</%s>\n", element);
}

static void append_skipped(section *in, const char *why, const jck_reading_case *test_case)
{
    in->skipped++;
    (void)jrpc_buffer_printf(&in->xml, "      <skipped message=\"%s", why);
    jck_append_account(&in->xml, JCK_SAFE_XML, test_case);
    (void)jrpc_buffer_append_str(&in->xml, "\"/>\n");
}

// What is reported without failing the test: warnings, observations, an orderly end.
static void append_output(jrpc_buffer *xml, const jck_reading_case *test_case)
{
    (void)jrpc_buffer_printf(xml, "      <system-out>%s\n", jck_outcome_name(test_case->outcome));
    for (size_t i = 0; i < test_case->observation_count; i++) {
        (void)jrpc_buffer_append_str(xml, "observed ");
        (void)jck_safe_append(xml, JCK_SAFE_XML, test_case->observations[i].name);
        (void)jrpc_buffer_append_str(xml, " = ");
        (void)jck_safe_append_sentence(xml, JCK_SAFE_XML, test_case->observations[i].value,
                                       SIZE_MAX);
        (void)jrpc_buffer_append_str(xml, "\n");
    }
    append_details(xml, test_case);
    (void)jrpc_buffer_append_str(xml, "</system-out>\n");
}

static void append_outcome(jck_page *page, section *in, const jck_reading_case *test_case)
{
    jck_outcome outcome = test_case->outcome;
    if (outcome == JCK_OUTCOME_PASS) {
        return;
    }
    if (outcome == JCK_OUTCOME_SKIP || outcome == JCK_OUTCOME_BLOCKED) {
        append_skipped(in, outcome == JCK_OUTCOME_BLOCKED ? "blocked: " : "", test_case);
    } else if (!jck_reading_is_breach(test_case, page->tally.start.strict)) {
        append_output(&in->xml, test_case);
    } else if (test_case->expected) {
        append_skipped(in, "as the baseline expects: ", test_case);
    } else if (outcome == JCK_OUTCOME_ERROR) {
        in->errors++;
        append_breach(&in->xml, "error", test_case);
    } else {
        in->failures++;
        append_breach(&in->xml, "failure", test_case);
    }
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    if (test_case->ground) {
        return true;
    }
    section *in = find_section(page, test_case);
    if (in == NULL) {
        return false;
    }
    jrpc_buffer *xml = &in->xml;
    in->tests++;
    in->duration_us += test_case->duration_us > 0 ? test_case->duration_us : 0;
    (void)jrpc_buffer_append_str(xml, "    <testcase classname=\"");
    (void)jck_safe_append(xml, JCK_SAFE_XML, test_case->suite);
    (void)jrpc_buffer_append_str(xml, ".");
    (void)jck_safe_append(xml, JCK_SAFE_XML, test_case->section);
    (void)jrpc_buffer_append_str(xml, "\" name=\"");
    (void)jck_safe_append(xml, JCK_SAFE_XML, test_case->id);
    (void)jrpc_buffer_append_str(xml, "\" time=\"");
    append_seconds(xml, test_case->duration_us);
    (void)jrpc_buffer_append_str(xml, "\">\n");
    append_outcome(page, in, test_case);
    (void)jrpc_buffer_append_str(xml, "    </testcase>\n");
    return !xml->failed;
}

static bool begin(jck_page *page)
{
    if (page->runs == 1) {
        jck_page_str(page, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<testsuites name=\"jrpcheck\">\n");
    }
    return true;
}

static void write_properties(jck_page *page)
{
    const jck_reading_start *start = &page->tally.start;
    const struct {
        const char *name;
        jrpc_slice value;
    } properties[] = {
        {"target", start->target},   {"transport", start->transport}, {"framing", start->framing},
        {"profile", start->profile}, {"seed", start->seed},           {"jrpcheck", start->tool},
    };
    jck_page_str(page, "    <properties>\n");
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        (void)jrpc_buffer_printf(&page->text, "      <property name=\"%s\" value=\"",
                                 properties[i].name);
        jck_page_safe(page, JCK_SAFE_XML, properties[i].value);
        jck_page_str(page, "\"/>\n");
    }
    jck_append_likeness(&page->text, JCK_SAFE_XML, start, "      <property name=\"hint\" value=\"",
                        "\"/>\n");
    jck_page_str(page, "    </properties>\n");
}

static void write_section(jck_page *page, const section *in)
{
    jck_page_str(page, "  <testsuite name=\"");
    jck_page_safe(page, JCK_SAFE_XML, in->suite);
    jck_page_str(page, " section ");
    jck_page_safe(page, JCK_SAFE_XML, in->section);
    (void)jrpc_buffer_printf(
        &page->text, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"",
        in->tests, in->failures, in->errors, in->skipped);
    append_seconds(&page->text, in->duration_us);
    if (page->tally.start.started.len > 0) {
        jck_page_str(page, "\" timestamp=\"");
        jck_page_safe(page, JCK_SAFE_XML, page->tally.start.started);
    }
    jck_page_str(page, "\">\n");
    write_properties(page);
    (void)jrpc_buffer_append(&page->text, jrpc_buffer_slice(&in->xml));
    jck_page_str(page, "  </testsuite>\n");
}

// A run that is not complete must not look like one that passed.
static void write_end_of_run(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    if (jck_tally_complete(tally) && (jck_tally_conformant(tally) || tally->breaches > 0)) {
        return;
    }
    jck_page_str(page, "  <testsuite name=\"the run\" tests=\"1\" failures=\"0\" errors=\"1\" "
                       "skipped=\"0\" time=\"0\">\n"
                       "    <testcase classname=\"jrpcheck\" name=\"the run is complete\" "
                       "time=\"0\">\n"
                       "      <error type=\"run\" message=\"");
    jck_tally_verdict(tally, JCK_SAFE_XML, &page->text);
    jck_page_str(page, "\"/>\n    </testcase>\n  </testsuite>\n");
}

static void forget_sections(junit *own)
{
    for (section *in = own->sections; in != NULL; in = in->next) {
        jrpc_buffer_done(&in->xml);
    }
    own->sections = NULL;
}

static bool end(jck_page *page)
{
    bool ok = true;
    for (section *in = ((junit *)page->own)->sections; in != NULL; in = in->next) {
        ok = ok && !in->xml.failed;
        write_section(page, in);
    }
    forget_sections(page->own);
    write_end_of_run(page);
    return ok;
}

static bool finish(jck_page *page)
{
    if (page->runs > 0) {
        jck_page_str(page, "</testsuites>\n");
    }
    forget_sections(page->own);
    return true;
}

static const jck_page_style style = {.own_size = sizeof(junit),
                                     .begin = begin,
                                     .test_case = report_case,
                                     .end = end,
                                     .close = finish};

static void *open_junit(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_junit = {
    .name = "junit",
    .summary = "JUnit XML, for CI servers",
    .open = open_junit,
    .event = jck_page_event,
    .close = jck_page_close,
};
