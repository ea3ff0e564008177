// One case on the console.
#include "harness/report/console.h"
#include "harness/report/words.h"

#include <assert.h>
#include <ctype.h>

#define INDENT "      "

// Lines of the target's stderr shown for a crash.
#define STDERR_LINES 8

// Also if two parsers are compared: the disagreements are the whole result.
static bool is_everything(const jck_page *page)
{
    return page->options.verbose > 1 || page->tally.start.against.len > 0;
}

static bool is_loud(const jck_page *page, const jck_reading_case *test_case)
{
    return !test_case->ground && !test_case->expected &&
           jck_reading_is_breach(test_case, page->tally.start.strict);
}

bool jck_console_shows(const jck_page *page, const jck_reading_case *test_case)
{
    bool compared = page->tally.start.against.len > 0;
    if ((page->options.verbose == 0 && !compared) || page->options.quiet) {
        return false;
    }
    bool doubtful =
        test_case->outcome == JCK_OUTCOME_WARN || test_case->outcome == JCK_OUTCOME_ENDED;
    return is_everything(page) || is_loud(page, test_case) ||
           (!test_case->ground && !test_case->expected && doubtful);
}

static jck_paint paint_of(const jck_reading_case *test_case)
{
    switch (test_case->outcome) {
    case JCK_OUTCOME_PASS:
        return JCK_PAINT_GOOD;
    case JCK_OUTCOME_SKIP:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_BLOCKED:
        return JCK_PAINT_FAINT;
    case JCK_OUTCOME_WARN:
    case JCK_OUTCOME_ENDED:
        return JCK_PAINT_DOUBTFUL;
    case JCK_OUTCOME_FAIL:
    case JCK_OUTCOME_STUCK:
    case JCK_OUTCOME_HANG:
    case JCK_OUTCOME_CRASH:
    case JCK_OUTCOME_ERROR:
        break;
    }
    return test_case->expected ? JCK_PAINT_DOUBTFUL : JCK_PAINT_BAD;
}

// "FAIL    batch/empty-array"
static void report_head(jck_page *page, const jck_reading_case *test_case)
{
    char word[16] = ""; // there is room for every name
    const char *name = jck_outcome_name(test_case->outcome);
    size_t len = strlen(name);
    assert(len < sizeof word);
    for (size_t i = 0; i < len; i++) {
        word[i] = (char)toupper((unsigned char)name[i]);
    }
    jck_console_paint(page, paint_of(test_case), word);
    (void)jrpc_buffer_printf(&page->text, "%*s", (int)(len < 8 ? 8 - len : 1), "");
    jck_page_safe(page, JCK_SAFE_PLAIN, test_case->id);
}

static void report_notes(jck_page *page, const jck_reading_case *test_case)
{
    if (test_case->ground) {
        (void)jrpc_buffer_printf(&page->text, " (not selected; run to learn about the %s)",
                                 jck_words_of_role(page->tally.start.role)->role);
    }
    if (test_case->expected) {
        jck_page_str(page, " (in the baseline)");
    }
    if (is_everything(page) && test_case->duration_us >= 0) {
        jck_page_str(page, " (");
        jck_append_duration(&page->text, test_case->duration_us);
        jck_page_str(page, ")");
    }
}

static void report_reason(jck_page *page, const jck_reading_case *test_case)
{
    if (test_case->reason.len > 0) {
        jck_page_str(page, INDENT);
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, test_case->reason, SIZE_MAX);
        jck_page_str(page, "\n");
    }
}

static void report_finding(jck_page *page, const jck_reading_finding *finding)
{
    jck_page_str(page, INDENT);
    jck_page_safe(page, JCK_SAFE_PLAIN, finding->rule);
    (void)jrpc_buffer_printf(&page->text, " %s", jck_level_name(finding->level));
    if (finding->known) {
        jck_page_str(page, " (already reported)");
    }
    if (finding->sentence.len > 0) {
        jck_page_str(page, "  ");
        jck_page_safe(page, JCK_SAFE_PLAIN, finding->sentence);
    }
    jck_page_str(page, "\n" INDENT "  ");
    (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, finding->text, SIZE_MAX);
    jck_page_str(page, "\n");
}

// Whether everything that counts in the case was already reported in full several times, and the
// case ended in order.
static bool only_repeats(const jck_reading_case *test_case)
{
    size_t repeats = 0;
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        if (!finding->known && !finding->repeats && finding->level != JCK_LEVEL_OBSERVE) {
            return false;
        }
        repeats += finding->repeats ? 1 : 0;
    }
    return repeats > 0 && test_case->outcome < JCK_OUTCOME_STUCK;
}

// "FAIL    id  J2-5a again".
static void report_repeats(jck_page *page, const jck_reading_case *test_case)
{
    const char *between = "  ";
    report_head(page, test_case);
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (test_case->findings[i].repeats) {
            jck_page_str(page, between);
            jck_page_safe(page, JCK_SAFE_PLAIN, test_case->findings[i].rule);
            between = ", ";
        }
    }
    jck_page_str(page, " again\n");
}

static void report_observations(jck_page *page, const jck_reading_case *test_case)
{
    for (size_t i = 0; i < test_case->observation_count; i++) {
        jck_page_str(page, INDENT "observed ");
        jck_page_safe(page, JCK_SAFE_PLAIN, test_case->observations[i].name);
        jck_page_str(page, " = ");
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN,
                                       test_case->observations[i].value, SIZE_MAX);
        jck_page_str(page, "\n");
    }
}

static bool has_second_connection(const jck_reading_case *test_case)
{
    for (size_t i = 1; i < test_case->message_count; i++) {
        if (!jrpc_slice_equal(test_case->messages[i].connection,
                              test_case->messages[0].connection)) {
            return true;
        }
    }
    return false;
}

// What a message is that does not belong to the case.
static void report_role(jck_page *page, const jck_reading_message *message)
{
    static const struct {
        const char *role;
        const char *words;
    } roles[] = {
        {"noise", "not a JSON-RPC message"},
        {"fence", "a call that only proves that nothing more comes"},
        {"session", "not part of the case"},
        {"opening", "came when the connection was opened"},
        {"driver", "its driver"},
    };
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (jrpc_slice_is(message->role, roles[i].role)) {
            (void)jrpc_buffer_printf(&page->text, "  (%s)", roles[i].words);
            return;
        }
    }
    if (message->role.len > 0) {
        jck_page_str(page, "  (");
        jck_page_safe(page, JCK_SAFE_PLAIN, message->role);
        jck_page_str(page, ")");
    }
}

static void report_exchange(jck_page *page, const jck_reading_case *test_case)
{
    bool all = is_everything(page);
    bool named = has_second_connection(test_case);
    for (size_t i = 0; i < test_case->message_count; i++) {
        const jck_reading_message *message = &test_case->messages[i];
        // Over HTTP a message without bytes and of no case is the end of an answer.
        if (!jck_is_of_case(message) && (!all || message->bytes.len == 0)) {
            continue;
        }
        jck_page_str(page, INDENT);
        if (named) {
            jck_page_safe(page, JCK_SAFE_PLAIN, message->connection);
            jck_page_str(page, " ");
        }
        jck_append_message(&page->text, JCK_SAFE_PLAIN, message,
                           all ? SIZE_MAX : JCK_CONSOLE_MESSAGE_BYTES);
        report_role(page, message);
        jck_page_str(page, "\n");
    }
    if (test_case->left_out > 0) {
        (void)jrpc_buffer_printf(&page->text, INDENT "… and %zu more messages\n",
                                 test_case->left_out);
    }
}

static void report_stderr(jck_page *page, const jck_reading_case *test_case)
{
    size_t lines = 0;
    jrpc_slice line;
    for (jrpc_slice rest = test_case->error_output; jrpc_slice_take_line(&rest, &line);) {
        lines++;
    }
    size_t left_out = is_everything(page) || lines <= STDERR_LINES ? 0 : lines - STDERR_LINES;
    for (jrpc_slice rest = test_case->error_output; jrpc_slice_take_line(&rest, &line);) {
        if (left_out > 0) {
            left_out--;
            continue;
        }
        jck_page_str(page, INDENT "stderr: ");
        (void)jck_safe_append_capped(&page->text, JCK_SAFE_PLAIN, line, JCK_CONSOLE_MESSAGE_BYTES,
                                     line.len);
        jck_page_str(page, "\n");
    }
}

static void report_end(jck_page *page, const jck_reading_case *test_case)
{
    size_t before = page->text.len;
    jck_page_str(page, INDENT);
    size_t indented = page->text.len;
    jck_append_end(&page->text, JCK_SAFE_PLAIN, test_case);
    if (page->text.len == indented) {
        jrpc_buffer_truncate(&page->text, before);
    } else {
        jck_page_str(page, "\n");
    }
}

// "$ jrpcheck repro batch/empty -- ./server", if the stream says what the target was.
static void report_repeat_line(jck_page *page, const jck_reading_case *test_case)
{
    size_t before = page->text.len;
    jck_page_str(page, INDENT "$ ");
    if (jck_append_repro(&page->text, JCK_SAFE_PLAIN, &page->tally.start, test_case->id,
                         test_case->after)) {
        jck_page_str(page, "\n");
    } else {
        jrpc_buffer_truncate(&page->text, before);
    }
}

// Everything: what broke, the bytes both ways, how it ended, how to repeat it.
static void report_block(jck_page *page, const jck_reading_case *test_case)
{
    report_head(page, test_case);
    report_notes(page, test_case);
    if (test_case->title.len > 0) {
        jck_page_str(page, "  ");
        jck_page_safe(page, JCK_SAFE_PLAIN, test_case->title);
    }
    jck_page_str(page, "\n");
    report_reason(page, test_case);
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (is_everything(page) || !test_case->findings[i].known) {
            report_finding(page, &test_case->findings[i]);
        }
    }
    if (is_everything(page)) {
        report_observations(page, test_case);
    }
    report_exchange(page, test_case);
    report_end(page, test_case);
    report_stderr(page, test_case);
    if (jck_is_slug(test_case->id) && jck_reading_is_breach(test_case, true)) {
        report_repeat_line(page, test_case);
    }
}

// A line for each finding: "WARN    id  J2-4a: text".
static void report_lines(jck_page *page, const jck_reading_case *test_case)
{
    size_t reported = 0;
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        if (finding->known || finding->level == JCK_LEVEL_OBSERVE) {
            continue;
        }
        reported++;
        report_head(page, test_case);
        jck_page_str(page, "  ");
        jck_page_safe(page, JCK_SAFE_PLAIN, finding->rule);
        jck_page_str(page, ": ");
        (void)jck_safe_append_sentence(&page->text, JCK_SAFE_PLAIN, finding->text, SIZE_MAX);
        jck_page_str(page, "\n");
    }
    if (reported == 0) {
        report_head(page, test_case);
        jck_page_str(page, "  ");
        jck_append_end(&page->text, JCK_SAFE_PLAIN, test_case);
        jck_page_str(page, "\n");
    }
}

void jck_console_case(jck_page *page, const jck_reading_case *test_case)
{
    if (!is_everything(page) && only_repeats(test_case)) {
        report_repeats(page, test_case);
    } else if (is_everything(page) || is_loud(page, test_case)) {
        report_block(page, test_case);
    } else {
        report_lines(page, test_case);
    }
}
