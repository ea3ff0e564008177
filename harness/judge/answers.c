// Gathers the answers of a step and checks what applies to every one of them.
#include "harness/judge/answers.h"

#include "harness/judge/envelope.h"
#include "harness/judge/http.h"
#include "harness/judge/response.h"
#include "harness/judge/results.h"
#include "harness/judge/transport.h"

#include "reference/json/equal.h"

// Up to this length an answer is never too long for its request.
#define EXCESS_BYTES ((size_t)64 << 10)

// The most lines of one event that are examined.
#define EVENT_LINES_MAX 256

// An echo appears among the first messages; in a flood every message would be compared with every
// other.
#define ECHOES_LOOKED_FOR 100

// Whether something that is not JSON was received where a message was due: it looks like one, or
// came as one over a transport of messages. Otherwise it is bytes between the messages.
static bool is_due(const jck_trial *trial, const jck_message *message)
{
    const jck_target *target = trial->variables->target;
    bool empty = target != NULL && target->framing == JRPC_FRAMING_CONTENT_LENGTH &&
                 message->true_len == 0; // its head says so
    bool framed = (trial->evidence->of_messages || empty) && message->role != JCK_MESSAGE_NOISE;
    return framed || (message->role != JCK_MESSAGE_NOISE && jck_claims_to_be_json(message->bytes));
}

// Names what is wrong with text that is not JSON: the same wherever it ends, and whatever it says.
static void name_unreadable(jck_trial *trial, size_t first, const jrpc_error *error)
{
    bool ends = strncmp(error->message, "the text ends", strlen("the text ends")) == 0;
    jck_name_difference(trial->findings, first, "not valid JSON: %s",
                        ends ? "it breaks off" : error->message);
}

bool jck_is_notification(const jck_answers *answers)
{
    const jck_owed *owed = &answers->owed;
    return owed->kind == JCK_OWED_NOTHING &&
           (owed->input == JRPC_INPUT_SINGLE
                ? owed->message.kind == JRPC_MESSAGE_NOTIFICATION
                : owed->notifications > 0 && owed->notifications == jrpc_json_count(owed->batch));
}

// Whether a message came that could not be taken because its text is not UTF-8, so that the
// connection was closed with the status code for that. In a case about frames, their lengths may
// be the reason.
static bool is_not_utf8(const jck_trial *trial, const jck_message *message)
{
    enum { NOT_UTF8 = 1007 };
    const jck_rule *first = jck_suite_find_rule(trial->findings->suite, trial->test_case->rules[0]);
    return !jck_is_about_frames(first) && trial->evidence->of_messages &&
           message->role == JCK_MESSAGE_NOISE && message->bytes.len == 0 && message->why != NULL &&
           message->http_status == 0 && trial->evidence->end.kind == JRPC_END_WS_CLOSE &&
           trial->evidence->end.value == NOT_UTF8;
}

static void gather_unreadable(jck_trial *trial, jck_answers *answers, const jck_message *message,
                              const jrpc_error *error)
{
    const char *text = jck_excerpt(trial->arena, message->bytes, 120);
    size_t before = trial->findings->count;
    if (is_not_utf8(trial, message)) {
        answers->unreadable = true;
        jck_add_finding_at(trial->findings, answers->step, JCK_ROLE_STRICT_JSON, JCK_LEVEL_MUST,
                           "what the target wrote is not valid UTF-8: %s", message->why);
        jck_name_difference(trial->findings, before, "a text that is not UTF-8");
        return;
    }
    if (!is_due(trial, message)) {
        // After a truncated message, the rest of it is not reported too.
        if (!jck_is_blank(message->bytes) && !answers->unreadable &&
            !jck_was_cut_by_length(trial)) {
            jck_add_finding(trial->findings, answers->step, JCK_ROLE_MESSAGES_ONLY,
                            "the channel is for messages only; the target wrote something else: %s",
                            text);
        }
        return;
    }
    if (jck_is_blank(message->bytes) && !jck_is_notification(answers) &&
        jck_has_sent_notification(trial)) {
        jck_add_finding(trial->findings, answers->step, JCK_ROLE_NOTIFICATION_SILENT,
                        "expected no Response to the notification; got an empty message");
        jck_name_difference(trial->findings, before, JCK_DIFFERENCE_NOISE_FOR_SILENCE);
        return;
    }
    if (jck_is_given_up(trial, message, answers->step, error->offset)) {
        return; // what is missing is reported
    }
    answers->unreadable = true;
    if (trial->test_case->steps[answers->step].expect.kind == JCK_EXPECT_NOTHING ||
        (jck_is_blank(message->bytes) && jck_is_notification(answers))) {
        return; // its arrival is the violation, and reported
    }
    if (jck_add_cut_by_length(trial, message, answers->step)) {
        return;
    }
    // A case may lower the rule's level for what it looks at itself; invalid JSON is never a
    // trifle.
    jck_add_finding_at(trial->findings, answers->step, JCK_ROLE_STRICT_JSON, JCK_LEVEL_MUST,
                       "what the target wrote is not valid JSON (%s, at byte %zu): %s",
                       error->message, error->offset, text);
    name_unreadable(trial, before, error);
}

// Bytes of which only the beginning was kept, and that are known not to be JSON.
static void gather_cut(jck_trial *trial, jck_answers *answers, const jck_message *message)
{
    const char *text = jck_excerpt(trial->arena, message->bytes, 60);
    bool noise = !is_due(trial, message);
    if (message->bytes.len > 0) {
        jck_add_finding(trial->findings, answers->step,
                        noise ? JCK_ROLE_MESSAGES_ONLY : JCK_ROLE_STRICT_JSON, "%s (%zu bytes): %s",
                        noise ? "the channel is for messages only; the target wrote something else"
                              : "what the target wrote is not valid JSON",
                        message->true_len, text);
    }
    answers->unreadable = answers->unreadable || !noise;
}

// An answer that cannot be judged and is too much longer than the request to be an echo of it does
// not pass.
static void find_excess(jck_trial *trial, const jck_answers *answers, const jck_message *message)
{
    if (message->true_len / 8 > answers->sent.len && message->true_len > EXCESS_BYTES) {
        jck_add_finding_at(trial->findings, answers->step, JCK_ROLE_RESPONSE_OWED, JCK_LEVEL_SHOULD,
                           "the answer is too long or too deep to be judged (%zu bytes): %s",
                           message->true_len, jck_excerpt(trial->arena, message->bytes, 60));
    }
}

// Our own message returned: same method and, for a call, same id as something that was sent.
static bool is_echo(jck_trial *trial, jrpc_json value)
{
    jrpc_slice method = jrpc_json_spelling(jrpc_json_get(value, "method"));
    if (method.len == 0 || jrpc_json_exists(jrpc_json_get(value, "result"))) {
        return false;
    }
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction != JCK_SENT || sent->role == JCK_MESSAGE_OF_SESSION ||
            sent->bytes.len > (1u << 16)) {
            continue;
        }
        jrpc_json ours = jck_trial_read(trial, sent->bytes, NULL);
        if (jrpc_json_exists(ours) && jrpc_json_equal(ours, value)) {
            return true;
        }
    }
    return false;
}

// Servers that still support 1.0 read a null version as none: their answer is not 2.0 either.
static bool is_versionless(jrpc_json version)
{
    return !jrpc_json_exists(version) || jrpc_json_is(version, JRPC_JSON_NULL);
}

static jck_dialect dialect_of(const jck_trial *trial, const jck_answers *answers)
{
    if (jck_trial_dialect(trial) == JCK_DIALECT_1_0) {
        return JCK_DIALECT_1_0;
    }
    bool versionless = answers->owed.input == JRPC_INPUT_SINGLE &&
                       jrpc_json_is(answers->owed.message.value, JRPC_JSON_OBJECT) &&
                       is_versionless(answers->owed.message.version);
    return versionless ? JCK_DIALECT_EITHER : JCK_DIALECT_2_0;
}

static bool is_versionless_element(jrpc_json element)
{
    return jrpc_json_is(element, JRPC_JSON_OBJECT) &&
           is_versionless(jrpc_json_get(element, "jsonrpc"));
}

static bool has_versionless(jrpc_json batch)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        if (is_versionless_element(it.value)) {
            return true;
        }
    }
    return false;
}

// The dialect of an element of a batch answer: that of the element of the batch with its id. It is
// only looked up if any of them has no version: a peer can answer with millions of elements.
static jck_dialect dialect_of_element(const jck_trial *trial, const jck_answers *answers,
                                      jrpc_json response)
{
    jck_dialect dialect = dialect_of(trial, answers);
    jrpc_json id = jrpc_json_get(response, "id");
    if (dialect != JCK_DIALECT_2_0 || !answers->versionless || !jrpc_json_exists(id)) {
        return dialect;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(answers->owed.batch); jrpc_json_step(&it);) {
        if (is_versionless_element(it.value) &&
            jrpc_json_equal(jrpc_json_get(it.value, "id"), id)) {
            return JCK_DIALECT_EITHER;
        }
    }
    return dialect;
}

static bool has_nested(jrpc_json batch)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(batch); jrpc_json_step(&it);) {
        if (jrpc_json_is(it.value, JRPC_JSON_ARRAY)) {
            return true;
        }
    }
    return false;
}

static void gather_value(jck_trial *trial, jck_answers *answers, jrpc_json value)
{
    jck_envelope envelope = {
        .findings = trial->findings,
        .dialect = dialect_of(trial, answers),
        .step = answers->step,
        .sent = answers->sent,
        .result_expected = answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.code == 0 &&
                           !answers->owed.absent,
        .unowed = answers->owed.kind == JCK_OWED_NOTHING,
    };
    // A result message without a method is not a Response (its form is judged separately).
    if (jck_is_result(trial, value) && !jrpc_json_exists(jrpc_json_get(value, "method"))) {
        answers->originated[answers->originated_count++] = value;
        return;
    }
    switch (jck_answer_kind_of(value)) {
    case JCK_ANSWER_ORIGINATED:
        if (answers->originated_count < ECHOES_LOOKED_FOR && is_echo(trial, value)) {
            answers->echoed = true;
            return;
        }
        jck_envelope_check_originated(&envelope, value);
        answers->originated[answers->originated_count++] = value;
        return;
    case JCK_ANSWER_BATCH:
        for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
            envelope.dialect = dialect_of_element(trial, answers, it.value);
            // The answer to a nested Array is judged by the case: it was read as a batch.
            if (!jrpc_json_is(it.value, JRPC_JSON_ARRAY) || !has_nested(answers->owed.batch)) {
                jck_envelope_check(&envelope, it.value);
            }
        }
        break;
    case JCK_ANSWER_SCALAR:
        if (answers->unreadable) {
            return; // the rest of a truncated message is not another one
        }
        if (!envelope.unowed) { // then it is wrong whatever it is
            jck_envelope_check(&envelope, value);
        }
        break;
    case JCK_ANSWER_RESPONSE:
        jck_envelope_check(&envelope, value);
        break;
    }
    answers->replies[answers->count++] = value;
}

static bool is_about_streams(const jck_trial *trial)
{
    for (size_t i = 0; i < trial->test_case->need_count; i++) {
        if (jrpc_slice_is(trial->test_case->needs[i], "stream")) {
            return true;
        }
    }
    return false;
}

// The lines of one event, each as a message. False if one of them is not a message.
static bool gather_lines(jck_trial *trial, jck_answers *answers, const jck_message *message)
{
    jrpc_slice rest = message->bytes;
    jrpc_json *values = jrpc_arena_array(trial->arena, EVENT_LINES_MAX, sizeof *values);
    size_t count = 0;
    while (values != NULL && rest.len > 0) {
        const char *feed = memchr(rest.ptr, '\n', rest.len);
        size_t len = feed == NULL ? rest.len : (size_t)(feed - rest.ptr);
        jrpc_json value = jck_trial_read(trial, jrpc_slice_of(rest.ptr, len), NULL);
        if (!jrpc_json_exists(value) || count == EVENT_LINES_MAX) {
            return false;
        }
        values[count++] = value;
        rest = jrpc_slice_from(rest, feed == NULL ? len : len + 1);
    }
    // They count as one answer, as the stream does: the last one.
    if (count > 0) {
        jck_observe_role(trial->findings, JCK_ROLE_EVENT_LINES, JRPC_SLICE("run-together"));
        gather_value(trial, answers, values[count - 1]);
    }
    return count > 0;
}

static void find_sent(jck_trial *trial, jck_answers *answers)
{
    jck_stretch stretch = jck_trial_stretch(trial, answers->step, answers->step);
    for (size_t i = stretch.from; i < stretch.to; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction == JCK_SENT && message->role == JCK_MESSAGE_OF_CASE &&
            message->step == answers->step) {
            answers->sent = message->bytes;
            break;
        }
    }
}

// Whether a Response refuses the text that was sent, if the judge does not know what the
// specification requires for that text.
static bool refuses_text(const jck_answers *answers, jrpc_json response)
{
    int64_t code = jck_code_of(response);
    return answers->owed.kind == JCK_OWED_UNKNOWN && answers->sent.len > 0 &&
           (code == JRPC_PARSE_ERROR || code == JRPC_INVALID_REQUEST);
}

// Takes a second answer to a fence as the answer of the step, if there was no other and it is the
// right one: the step's message was answered, but with the id of a fence. Only the id is wrong
// then.
static void gather_astray(jck_trial *trial, jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    bool lacks = answers->count == 0 && !answers->unreadable && !answers->echoed;
    jck_stretch stretch = jck_trial_stretch(trial, answers->step, answers->step);
    for (size_t i = stretch.from; lacks && i < stretch.to; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->fence != JCK_FENCE_AGAIN || message->step != answers->step ||
            message->connection != answers->connection || message->direction != JCK_RECEIVED) {
            continue;
        }
        jrpc_json response = jck_trial_read(trial, message->bytes, NULL);
        bool right_but_for_id =
            answers->owed.kind == JCK_OWED_RESPONSE &&
            (answers->owed.absent || jck_code_of(response) == answers->owed.code);
        if (right_but_for_id || refuses_text(answers, response)) {
            trial->taken[i] = true;
            gather_value(trial, answers, response);
            return;
        }
    }
}

jck_owed jck_trial_owed(jck_trial *trial, jrpc_slice sent)
{
    jrpc_json_document *document = jck_trial_document(trial);
    if (document == NULL) {
        return (jck_owed){.kind = JCK_OWED_UNKNOWN};
    }
    jck_owed owed = jck_owed_for(sent, jck_variables_absent(trial->variables), document);
    trial->findings->failed = trial->findings->failed || owed.starved;
    return owed;
}

bool jck_gather(jck_trial *trial, int first_step, int step, jck_answers *ret_answers)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_step *of_case = &trial->test_case->steps[step];
    jck_answers answers = {.step = step, .connection = of_case->connection};
    const jck_stretch stretch = jck_trial_stretch(trial, first_step, step);
    const size_t most = stretch.to - stretch.from + 1;
    answers.replies = jrpc_arena_array(trial->arena, most, sizeof(jrpc_json));
    answers.originated = jrpc_arena_array(trial->arena, most, sizeof(jrpc_json));
    if (answers.replies == NULL || answers.originated == NULL) {
        trial->findings->failed = true;
        return false;
    }
    find_sent(trial, &answers);
    answers.streamed = is_about_streams(trial);
    answers.owed = (jck_owed){.kind = JCK_OWED_UNKNOWN};
    if (of_case->kind == JCK_STEP_SEND && !of_case->payload.raw) {
        answers.owed = jck_trial_owed(trial, answers.sent);
        answers.versionless =
            answers.owed.input == JRPC_INPUT_BATCH && has_versionless(answers.owed.batch);
    }
    for (size_t i = stretch.from; i < stretch.to; i++) {
        const jck_message *message = &evidence->messages[i];
        bool ours = message->direction == JCK_RECEIVED &&
                    message->connection == answers.connection && message->step >= first_step &&
                    message->step <= step && !jck_is_fence_of_another_connection(trial, message) &&
                    (message->role == JCK_MESSAGE_OF_CASE || message->role == JCK_MESSAGE_NOISE ||
                     (message->role == JCK_MESSAGE_OF_SESSION && message->flaw != NULL));
        if (!ours) {
            continue;
        }
        if (message->flaw != NULL) {
            jck_add_flaw(trial, message);
            if (message->role != JCK_MESSAGE_OF_CASE) {
                // Not an answer, but the answer may have been in a frame that cannot be read.
                answers.unreadable = answers.unreadable || message->flaw_of == JRPC_FLAW_BREAK ||
                                     message->flaw_of == JRPC_FLAW_SHORT;
                continue;
            }
        }
        jrpc_error error = {0};
        bool cut = message->true_len > message->bytes.len;
        jrpc_json value = cut || message->role == JCK_MESSAGE_NOISE
                              ? JRPC_JSON_ABSENT
                              : jck_trial_read(trial, message->bytes, &error);
        if (cut && (message->role == JCK_MESSAGE_NOISE || message->broken)) {
            gather_cut(trial, &answers, message);
        } else if (jck_gather_page(trial, &answers.owed, message, value) ||
                   jck_is_accepted_refusal(trial, message, value)) {
            continue;
        } else if (cut || error.code == JRPC_ERROR_LIMIT) {
            // Only its beginning was kept, or it is nested too deep: it counts as an answer, but
            // its content is not judged.
            answers.unreadable = true;
            find_excess(trial, &answers, message);
        } else if (jrpc_json_exists(value)) {
            gather_value(trial, &answers, value);
        } else if (answers.streamed && gather_lines(trial, &answers, message)) {
            continue;
        } else {
            gather_unreadable(trial, &answers, message, &error);
        }
    }
    gather_astray(trial, &answers);
    *ret_answers = answers;
    return !trial->findings->failed;
}

static bool is_request(jrpc_json value)
{
    jrpc_message_kind kind = jrpc_message_classify(value).kind;
    return kind == JRPC_MESSAGE_CALL || kind == JRPC_MESSAGE_NOTIFICATION;
}

static bool is_valid(jck_trial *trial, const jck_message *sent)
{
    const jck_step *step = &trial->test_case->steps[sent->step];
    if (step->manner.http_method != NULL) {
        return true; // an HTTP request that has no message, or needs none
    }
    if (step->payload.raw) {
        return false;
    }
    if (sent->true_len > sent->bytes.len) { // only its beginning was kept
        return !jck_trial_names(trial, JCK_ROLE_PARSE_ERROR);
    }
    jrpc_json root = jck_trial_read(trial, sent->bytes, NULL);
    if (!jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        return is_request(root);
    }
    bool valid = jrpc_json_count(root) > 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); valid && jrpc_json_step(&it);) {
        valid = is_request(it.value);
    }
    return valid;
}

bool jck_sent_valid_alone(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    bool any = false;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        any = any || (sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE);
    }
    return any && !jck_sent_invalid_before(trial, (int)evidence->step_count);
}

bool jck_sent_invalid_before(jck_trial *trial, int step)
{
    const jck_evidence *evidence = trial->evidence;
    bool invalid = false;
    for (size_t i = 0; i < evidence->count && !invalid; i++) {
        const jck_message *sent = &evidence->messages[i];
        invalid = sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE &&
                  sent->step < step && !is_valid(trial, sent);
    }
    return invalid;
}

bool jck_is_call_owed(const jck_answers *answers)
{
    return answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_SINGLE &&
           answers->owed.message.kind == JRPC_MESSAGE_CALL;
}

bool jck_is_parse_error_owed(const jck_answers *answers)
{
    return answers->owed.kind == JCK_OWED_RESPONSE && answers->owed.input == JRPC_INPUT_PARSE_ERROR;
}

jrpc_json jck_id_owed(const jck_answers *answers)
{
    return answers->owed.id_sent ? answers->owed.id : JRPC_JSON_ABSENT;
}
