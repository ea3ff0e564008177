#include "harness/report/exhibit.h"

#include "harness/report/cut.h"
#include "harness/report/words.h"
#include "reference/base/plural.h"

#include <inttypes.h>

#define HTTP_OK 200

const char *jck_cause_word(const jck_cause *cause)
{
    switch (cause->outcome) {
    case JCK_OUTCOME_CRASH:
        return "CRASH";
    case JCK_OUTCOME_HANG:
        return "HANG";
    case JCK_OUTCOME_STUCK:
        return "STUCK";
    case JCK_OUTCOME_ERROR:
        return "ERROR";
    case JCK_OUTCOME_PASS:
    case JCK_OUTCOME_SKIP:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_WARN:
    case JCK_OUTCOME_BLOCKED:
    case JCK_OUTCOME_FAIL:
    case JCK_OUTCOME_ENDED:
        break;
    }
    return jck_level_name(cause->level);
}

void jck_append_cause_counts(jrpc_buffer *out, const jck_cause *cause)
{
    size_t worst = cause->cases_at[cause->level];
    (void)jrpc_buffer_printf(out, "%zu case%s", worst, jrpc_plural(worst));
    if (cause->cases > worst) {
        (void)jrpc_buffer_printf(out, " and %zu more as a %s", cause->cases - worst,
                                 jck_level_name(JCK_LEVEL_SHOULD));
    }
    if (cause->repeats > 0) {
        (void)jrpc_buffer_printf(out, ", also seen in %zu other%s", cause->repeats,
                                 jrpc_plural(cause->repeats));
    }
    if (cause->blocks > 0) {
        (void)jrpc_buffer_printf(out, ", %zu not judged because of it", cause->blocks);
    }
    if (cause->unexpected == 0) {
        (void)jrpc_buffer_append_str(out, ", in the baseline");
    }
}

void jck_append_cause_sentence(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause)
{
    const char *words = NULL;
    switch (cause->outcome) {
    case JCK_OUTCOME_CRASH:
        words = cause->tested->ended;
        break;
    case JCK_OUTCOME_HANG:
        words = cause->tested->mute;
        break;
    case JCK_OUTCOME_STUCK:
        words = "the connection stays open, but nothing more is answered on it";
        break;
    case JCK_OUTCOME_ERROR:
        words = "jrpcheck itself failed";
        break;
    case JCK_OUTCOME_PASS:
    case JCK_OUTCOME_SKIP:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_WARN:
    case JCK_OUTCOME_BLOCKED:
    case JCK_OUTCOME_FAIL:
    case JCK_OUTCOME_ENDED:
        break;
    }
    jrpc_slice said = cause->sentence;
    if (words == NULL && said.len == 0 && cause->exhibit_count > 0) {
        said = cause->exhibits[0].text;
    }
    (void)jck_safe_append_sentence(out, place, words != NULL ? jrpc_slice_str(words) : said,
                                   SIZE_MAX);
    for (size_t i = 0; i < cause->rule_count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? " (breaks " : ", ");
        (void)jck_safe_append(out, place, cause->rules[i]);
    }
    (void)jrpc_buffer_append_str(out, cause->rule_count > 0 ? ")" : "");
}

static void append_message(jrpc_buffer *out, jck_safe_place place,
                           const jck_reading_message *message, jrpc_slice beside, size_t max)
{
    size_t from = 0;
    size_t to = 0;
    if (beside.len > 0) {
        jck_difference_of(message->bytes, beside, &from, &to);
    }
    if (message->bytes.len == 0) {
        (void)jrpc_buffer_append_str(out, "(no bytes)");
    } else {
        jck_append_cut(out, place, message->bytes, message->true_len, max, from, to);
    }
}

// Whether it is HTTP around the messages that is wrong: its status, or its headers.
static bool is_about_http(const jck_exhibit *exhibit)
{
    return exhibit->expected_count > 0 && jrpc_slice_is(exhibit->expected[0].kind, "http");
}

void jck_append_sent(jrpc_buffer *out, jck_safe_place place, const jck_exhibit *exhibit, size_t max)
{
    jrpc_slice nothing = {"", 0};
    if (exhibit->sequence_count > 0) {
        for (size_t i = 0; i < exhibit->sequence_count && i < 4; i++) {
            (void)jrpc_buffer_append_str(out, i == 0 ? "" : ", then ");
            append_message(out, place, &exhibit->sequence[i], nothing, max / 2);
        }
        if (exhibit->sequence_count > 4) {
            (void)jrpc_buffer_printf(out, ", and %zu more", exhibit->sequence_count - 4);
        }
        return;
    }
    if (!exhibit->has_sent) {
        (void)jrpc_buffer_append_str(out, "nothing");
        return;
    }
    append_message(out, place, &exhibit->sent, nothing, max);
    if (exhibit->sent_count > 1) {
        (void)jrpc_buffer_printf(out, " (one of %zu messages)", exhibit->sent_count);
    }
    if (is_about_http(exhibit)) {
        (void)jrpc_buffer_append_str(out, "; the case: ");
        (void)jck_safe_append_sentence(out, place, exhibit->title, max);
    }
}

static jrpc_slice first_expected(const jck_exhibit *exhibit)
{
    return exhibit->expected_count > 0 ? exhibit->expected[0].text : (jrpc_slice){"", 0};
}

void jck_append_came(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause,
                     const jck_exhibit *exhibit, size_t max)
{
    static const jrpc_slice answer = JRPC_SLICE_INIT("the HTTP answer is ");
    size_t before = out->len;
    if (is_about_http(exhibit) && jrpc_slice_starts_with(exhibit->text, answer)) {
        (void)jrpc_buffer_append_str(out, "an HTTP response with ");
        (void)jck_safe_append_sentence(out, place, jrpc_slice_from(exhibit->text, answer.len), max);
        return;
    }
    if (exhibit->has_received) {
        append_message(out, place, &exhibit->received, first_expected(exhibit), max);
        if (exhibit->received_count > 1) {
            (void)jrpc_buffer_printf(out, " (first of %zu messages)", exhibit->received_count);
        }
    }
    const jck_reading_case ended = {.end = exhibit->end, .end_value = exhibit->end_value};
    size_t received = out->len;
    (void)jrpc_buffer_append_str(out, received > before ? "; then " : "");
    size_t joined = out->len;
    jck_append_end(out, place, &ended);
    if (out->len == joined) {
        jrpc_buffer_truncate(out, received);
    }
    if (out->len == before) {
        (void)jrpc_buffer_append_str(out, cause->outcome >= JCK_OUTCOME_STUCK
                                              ? "no answer to this, nor to what was sent next"
                                              : "no answer");
    }
    if (exhibit->http_status != 0 && exhibit->http_status != HTTP_OK) {
        (void)jrpc_buffer_printf(out, " (HTTP status %" PRId64 ")", exhibit->http_status);
    }
    if (exhibit->last_words.len > 0) {
        (void)jrpc_buffer_append_str(out, "; its stderr ends with: ");
        (void)jck_safe_append_capped(out, place, exhibit->last_words, max / 2,
                                     exhibit->last_words.len);
    }
}

static void append_example(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause,
                           const jck_reading_example *example, jrpc_slice beside, size_t max)
{
    const struct {
        const char *kind;
        const char *words;
    } wordy[] = {
        {"nothing", "no answer"},
        {"closed", "the connection closed, without an answer"},
        {"alive", cause->tested->alive},
    };
    for (size_t i = 0; i < sizeof wordy / sizeof wordy[0]; i++) {
        if (jrpc_slice_is(example->kind, wordy[i].kind)) {
            (void)jrpc_buffer_append_str(out, wordy[i].words);
            return;
        }
    }
    if (jrpc_slice_is(example->kind, "http")) {
        (void)jrpc_buffer_append_str(out, "an HTTP response with ");
    }
    size_t from = 0;
    size_t to = 0;
    if (beside.len > 0) {
        jck_difference_of(example->text, beside, &from, &to);
    }
    jck_append_cut(out, place, example->text, example->text.len, max, from, to);
}

void jck_append_expected(jrpc_buffer *out, jck_safe_place place, const jck_cause *cause,
                         const jck_exhibit *exhibit, size_t max)
{
    if (exhibit->expected_count == 0) {
        return;
    }
    jrpc_slice beside = exhibit->has_received ? exhibit->received.bytes : (jrpc_slice){"", 0};
    append_example(out, place, cause, &exhibit->expected[0], beside, max);
    size_t others = exhibit->expected_count - 1;
    if (others > 0 && jrpc_slice_is(exhibit->expected[0].kind, "message")) {
        (void)jrpc_buffer_printf(out, ", and %zu more message%s", others, jrpc_plural(others));
    } else if (others == 1 && exhibit->expected[1].text.len == 0) {
        (void)jrpc_buffer_append_str(out, ", or ");
        append_example(out, place, cause, &exhibit->expected[1], beside, max);
    } else if (others == 1) {
        (void)jrpc_buffer_append_str(out, ", or one other answer (see jrpcheck explain)");
    } else if (others > 0) {
        (void)jrpc_buffer_printf(out, ", or one of %zu other answers (see jrpcheck explain)",
                                 others);
    }
}

void jck_append_repeat(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start,
                       const jck_exhibit *exhibit)
{
    size_t before = out->len;
    (void)jrpc_buffer_append_str(out, "repeat    ");
    if (!jck_append_repro(out, place, start, exhibit->id, exhibit->after)) {
        jrpc_buffer_truncate(out, before);
        (void)jrpc_buffer_append_str(out, "case      ");
        (void)jck_safe_append(out, place, exhibit->id);
    }
}
