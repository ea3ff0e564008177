// TAP version 14: a test point for each case, with a YAML block if there is something to report.
#include "harness/report/formats.h"
#include "harness/report/page.h"
#include "harness/report/words.h"

// Bytes of one message that are shown.
#define MESSAGE_BYTES 1000

typedef struct tap {
    size_t points;
    bool bailed_out;
} tap;

// A directive that source checks would mistake for a note to ourselves.
#define EXPECTED_TO_FAIL                                                                           \
    " # TO"                                                                                        \
    "DO the baseline expects it"

static bool begin(jck_page *page)
{
    if (page->runs == 1) {
        jck_page_str(page, "TAP version 14\n");
    }
    jck_page_str(page, "# jrpcheck ");
    jck_page_safe(page, JCK_SAFE_PLAIN, page->tally.start.tool);
    jck_page_str(page, ": ");
    jck_page_safe(page, JCK_SAFE_PLAIN, page->tally.start.target);
    jck_page_str(page, "\n");
    jck_append_likeness(&page->text, JCK_SAFE_PLAIN, &page->tally.start, "# ", "\n");
    return true;
}

// A YAML scalar in double quotes. The text is made plain first, so that no escape remains whose
// meaning differs between YAML and JSON.
static void append_quoted(jck_page *page, jrpc_slice text)
{
    jck_page_str(page, "\"");
    jck_page_safe(page, JCK_SAFE_JSON, text);
    jck_page_str(page, "\"\n");
}

static void report_member(jck_page *page, const char *name, jrpc_slice value)
{
    (void)jrpc_buffer_printf(&page->text, "  %s: ", name);
    append_quoted(page, value);
}

// Whether the details could be gathered.
static bool report_details(jck_page *page, const jck_reading_case *test_case)
{
    static const jck_details how = {
        .place = JCK_SAFE_PLAIN, .before = "", .behind = "\n", .message_bytes = MESSAGE_BYTES};
    jrpc_buffer plain;
    jrpc_buffer_init(&plain, jrpc_allocator_heap(), page->text.maximum);
    jck_append_account(&plain, JCK_SAFE_PLAIN, test_case);
    size_t account = plain.len;
    jck_append_details(&plain, &how, test_case);
    for (size_t i = 0; i < test_case->observation_count; i++) {
        (void)jrpc_buffer_append_str(&plain, "observed ");
        (void)jck_safe_append(&plain, JCK_SAFE_PLAIN, test_case->observations[i].name);
        (void)jrpc_buffer_append_str(&plain, " = ");
        (void)jck_safe_append_sentence(&plain, JCK_SAFE_PLAIN, test_case->observations[i].value,
                                       SIZE_MAX);
        (void)jrpc_buffer_append_str(&plain, "\n");
    }
    bool ok = !plain.failed;
    if (ok) {
        jck_page_str(page, "  ---\n");
        report_member(page, "message", jrpc_slice_of(plain.ptr, account));
        report_member(page, "outcome", jrpc_slice_str(jck_outcome_name(test_case->outcome)));
        jrpc_slice rest = jrpc_slice_from(jrpc_buffer_slice(&plain), account);
        jck_page_str(page, rest.len > 0 ? "  details:\n" : "");
        for (jrpc_slice line; jrpc_slice_take_line(&rest, &line);) {
            jck_page_str(page, "    - ");
            append_quoted(page, line);
        }
        jck_page_str(page, "  ...\n");
    }
    jrpc_buffer_done(&plain);
    return ok;
}

static bool report_case(jck_page *page, const jck_reading_case *test_case)
{
    if (test_case->ground) {
        return true;
    }
    tap *own = page->own;
    jck_outcome outcome = test_case->outcome;
    bool left_out = outcome == JCK_OUTCOME_SKIP || outcome == JCK_OUTCOME_BLOCKED;
    bool breach = jck_reading_is_breach(test_case, page->tally.start.strict);
    (void)jrpc_buffer_printf(&page->text, "%sok %zu - ", breach ? "not " : "", ++own->points);
    jck_page_safe(page, JCK_SAFE_TAP, test_case->id);
    if (test_case->title.len > 0) {
        jck_page_str(page, " (");
        jck_page_safe(page, JCK_SAFE_TAP, test_case->title);
        jck_page_str(page, ")");
    }
    if (left_out) {
        jck_page_str(page, outcome == JCK_OUTCOME_SKIP ? " # SKIP " : " # SKIP blocked: ");
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, test_case->reason, SIZE_MAX);
    } else if (breach && test_case->expected) {
        jck_page_str(page, EXPECTED_TO_FAIL);
    }
    jck_page_str(page, "\n");
    return left_out || outcome == JCK_OUTCOME_PASS || report_details(page, test_case);
}

static bool end(jck_page *page)
{
    const jck_tally *tally = &page->tally;
    bool complete = jck_tally_complete(tally);
    ((tap *)page->own)->bailed_out |= !complete;
    jck_page_str(page, complete ? "# " : "Bail out! ");
    jck_tally_verdict(tally, JCK_SAFE_PLAIN, &page->text);
    jck_page_str(page, "\n");
    return true;
}

// The plan comes at the end, when it is known.
static bool finish(jck_page *page)
{
    const tap *own = page->own;
    if (page->runs > 0 && !own->bailed_out) {
        (void)jrpc_buffer_printf(&page->text, "1..%zu\n", own->points);
    }
    return true;
}

static const jck_page_style style = {
    .own_size = sizeof(tap), .begin = begin, .test_case = report_case, .end = end, .close = finish};

static void *open_tap(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&style, out, options);
}

const jck_report_format jck_format_tap = {
    .name = "tap",
    .summary = "TAP version 14, for test harnesses",
    .open = open_tap,
    .event = jck_page_event,
    .close = jck_page_close,
};
