#include "harness/judge/circumstances.h"

#include "reference/json/equal.h"

#include <string.h>

// Longer messages may reach a server in several reads, or in more than its buffer holds.
#define LONG_BYTES ((size_t)1000)

// What was received in answer to a message that could be torn.
typedef struct tear {
    bool is_long;   // a long message was sent
    bool in_pieces; // a message was sent in pieces
    bool refused;   // something that was received is a parse error
    bool rejected;  // … or says that a message is not a valid Request
    size_t came;
} tear;

static bool is_of_parse_error(const jck_message *message)
{
    return jrpc_slice_contains(message->bytes, JRPC_SLICE("-32700"));
}

static tear look_at(const jck_trial *trial, int step)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_step *of_case = &trial->test_case->steps[step];
    bool receives = of_case->kind == JCK_STEP_RECEIVE;
    tear seen = {.in_pieces = of_case->kind == JCK_STEP_SEND && of_case->payload.chunk_count > 0};
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        bool here = message->role == JCK_MESSAGE_OF_CASE &&
                    (message->step == step || (receives && message->step < step));
        if (here && message->direction == JCK_SENT) {
            seen.is_long = seen.is_long || message->true_len > LONG_BYTES;
        } else if (here && message->step == step) {
            seen.came++;
            seen.refused = seen.refused || is_of_parse_error(message);
            seen.rejected = seen.refused || seen.rejected ||
                            jrpc_slice_contains(message->bytes, JRPC_SLICE("-32600"));
        }
    }
    return seen;
}

// Whether parse errors are among the answers, and more came than the message can have.
static bool is_answered_as_several(const jck_trial *trial, int step, const tear *seen)
{
    bool receives = trial->test_case->steps[step].kind == JCK_STEP_RECEIVE;
    return (seen->is_long || seen->in_pieces) && seen->refused && (seen->came > 1 || receives);
}

bool jck_is_torn(const jck_trial *trial, int step)
{
    tear seen = look_at(trial, step);
    return (seen.is_long && trial->evidence->settled[step] == JCK_GONE) ||
           is_answered_as_several(trial, step, &seen);
}

jrpc_slice jck_torn_rule(const jck_trial *trial, int step)
{
    static const jrpc_slice none = {NULL, 0};
    const jck_target *target = trial->variables->target;
    tear seen = look_at(trial, step);
    if (!is_answered_as_several(trial, step, &seen)) {
        return none;
    }
    if (seen.in_pieces) {
        return trial->test_case->rules[0];
    }
    if (target == NULL || trial->evidence->of_messages) {
        return none;
    }
    switch (target->framing) {
    case JRPC_FRAMING_LINE:
        return jck_trial_rule(trial, JCK_ROLE_ONE_LINE);
    case JRPC_FRAMING_CONTENT_LENGTH:
        return jck_trial_rule(trial, JCK_ROLE_FRAME_HEAD);
    case JRPC_FRAMING_CONCATENATED:
    case JRPC_FRAMING_LENGTH32:
        break;
    }
    return none;
}

// The name of the difference that a message was not read to the end that its length says.
#define MISREAD_LENGTH "a Content-Length that was not read as it is"

// Whether a step sent a message that has fewer characters than bytes, over a framing that states
// the bytes.
static bool has_sent_wide(const jck_trial *trial, int step)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_target *target = trial->variables->target;
    bool stated =
        target != NULL && target->framing == JRPC_FRAMING_CONTENT_LENGTH && !evidence->of_messages;
    bool wide = false;
    for (size_t i = 0; stated && i < evidence->count && !wide; i++) {
        const jck_message *message = &evidence->messages[i];
        bool sent = message->direction == JCK_SENT && message->role == JCK_MESSAGE_OF_CASE &&
                    message->step == step;
        for (size_t at = 0; sent && at < message->bytes.len && !wide; at++) {
            wide = (unsigned char)message->bytes.ptr[at] >= 0x80;
        }
    }
    return wide;
}

// Whether a call of the suite's own was answered that was sent after the message of a step.
static bool is_in_step(const jck_trial *trial, int step)
{
    const jck_evidence *evidence = trial->evidence;
    bool sent = false;
    bool answered = false;
    for (size_t i = 0; i < evidence->count && !answered; i++) {
        const jck_message *message = &evidence->messages[i];
        bool fence = message->step == step && message->role == JCK_MESSAGE_OF_FENCE;
        sent = sent || (fence && message->direction == JCK_SENT);
        answered = sent && fence && message->direction == JCK_RECEIVED;
    }
    return answered;
}

// The rule about where a message ends, if the target took the beginning of the step's message for
// all of it: a message that is JSON is long, or was sent in pieces, and only refused. Else empty.
static jrpc_slice rule_of_cut(const jck_trial *trial, const jck_answers *answers, const tear *seen)
{
    const jck_target *target = trial->variables->target;
    bool could = (seen->is_long || seen->in_pieces) && answers->owed.kind != JCK_OWED_UNKNOWN &&
                 answers->owed.input != JRPC_INPUT_PARSE_ERROR;
    bool framed = target != NULL && target->framing == JRPC_FRAMING_CONTENT_LENGTH &&
                  !trial->evidence->of_messages;
    return could && framed ? jck_trial_rule(trial, JCK_ROLE_FRAME_HEAD) : (jrpc_slice){NULL, 0};
}

// Whether everything that came in a step is a parse error and came after the call of the suite's
// own that follows the step's message: only bytes of that call completed the message, and the rest
// of the call was refused too.
static bool is_refused_with_next(const jck_trial *trial, int step)
{
    const jck_evidence *evidence = trial->evidence;
    bool sent = false;
    bool came = false;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        bool fence = message->role == JCK_MESSAGE_OF_FENCE;
        if (message->step != step) {
            continue;
        }
        sent = sent || (fence && message->direction == JCK_SENT);
        if (!fence && message->direction == JCK_RECEIVED) {
            if (!sent || !is_of_parse_error(message)) {
                return false;
            }
            came = true;
        }
    }
    return came;
}

bool jck_add_misread_length(jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    int step = answers->step;
    bool lost = evidence->muteness != JCK_NOT_MUTE || evidence->process_gone;
    if (!lost) {
        return false;
    }
    tear seen = look_at(trial, step);
    if (!seen.refused || is_in_step(trial, step)) {
        return false;
    }
    // A target may refuse a text that is long or is not JSON, and then exit. That does not show
    // that it misread the length.
    bool left = evidence->process_gone && evidence->orderly;
    if (left && (seen.is_long || answers->owed.input == JRPC_INPUT_PARSE_ERROR)) {
        return false;
    }
    jrpc_slice cut = seen.came == 1 ? rule_of_cut(trial, answers, &seen) : (jrpc_slice){NULL, 0};
    bool wide = cut.len == 0 && has_sent_wide(trial, step) &&
                (seen.came == 1 || is_refused_with_next(trial, step));
    size_t before = trial->findings->count;
    if (cut.len > 0) {
        jck_add_finding_of(trial->findings, step, cut,
                           "expected an answer to the message; the target took the beginning of it "
                           "for the whole, and the rest for the next message");
    } else if (wide) {
        jck_add_finding(trial->findings, step, JCK_ROLE_FRAME_HEAD,
                        "expected an answer to the message; the target took the next one for its "
                        "end, as if the Content-Length were a number of characters");
    }
    jck_name_difference(trial->findings, before, MISREAD_LENGTH);
    return cut.len > 0 || wide;
}

bool jck_has_misread_length(const jck_trial *trial)
{
    return jck_has_difference(trial->findings, 0, MISREAD_LENGTH);
}

// If the target refused a call of the suite's own that it answers otherwise, with an error that
// servers define for themselves, such as that they are busy: the name of that difference. Else
// NULL.
static const char *name_of_refusal(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    const char *refused = NULL;
    for (size_t i = 0; i < evidence->count && refused == NULL; i++) {
        const jck_message *message = &evidence->messages[i];
        bool fence = message->direction == JCK_RECEIVED && message->fence == JCK_FENCE_ANSWER &&
                     message->bytes.len == message->true_len;
        jrpc_json value = fence ? jck_trial_read(trial, message->bytes, NULL) : JRPC_JSON_ABSENT;
        int64_t code = jck_code_of(value);
        bool usual =
            trial->calibration->absent_code_differs && trial->calibration->absent_code == code;
        refused =
            jrpc_code_is_of_server(code) && !usual
                ? jrpc_arena_printf(trial->arena, "every call refused with %lld", (long long)code)
                : NULL;
    }
    return refused;
}

// Whether a sent message may be read as several texts: it is long, or has several lines.
static bool may_be_several(const jck_message *sent)
{
    return sent->true_len > LONG_BYTES || jrpc_slice_has_several_lines(sent->bytes);
}

static bool is_json(jck_trial *trial, jrpc_slice text)
{
    jrpc_error error = {0};
    return jrpc_json_exists(jck_trial_read(trial, text, &error)) || error.code == JRPC_ERROR_LIMIT;
}

// Whether the parse errors of a case came in pairs, one pair for each text that is not JSON: each
// was refused twice.
static bool is_refused_twice(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *last = NULL; // an error that is not the second of a pair
    size_t texts = 0;
    size_t errors = 0;
    size_t pairs = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        bool of_case = message->role == JCK_MESSAGE_OF_CASE && message->bytes.len > 0;
        if (of_case && message->direction == JCK_SENT) {
            if (may_be_several(message)) {
                return false;
            }
            texts += !is_json(trial, message->bytes);
        } else if (of_case) {
            jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
            bool error = jck_code_of(value) == JRPC_PARSE_ERROR;
            bool second = error && last != NULL && last->connection == message->connection &&
                          jrpc_slice_equal(last->bytes, message->bytes);
            errors += error;
            pairs += second;
            last = error && !second ? message : NULL;
        }
    }
    return pairs > 0 && pairs == texts && errors == 2 * pairs;
}

// The most messages of a case that are compared with each other.
#define COMPARED_MAX ((size_t)64)

// The id of a single call that was sent, or of a single Response that came; else ABSENT.
static jrpc_json id_of(jck_trial *trial, const jck_message *message)
{
    bool counts = message->role == JCK_MESSAGE_OF_CASE || message->role == JCK_MESSAGE_OF_FENCE;
    jrpc_json value = counts && message->bytes.len > 0 && message->bytes.len == message->true_len
                          ? jck_trial_read(trial, message->bytes, NULL)
                          : JRPC_JSON_ABSENT;
    jrpc_json id = jrpc_json_get(value, "id");
    return jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER)
               ? id
               : JRPC_JSON_ABSENT;
}

// The answers to a call on its connection, among messages whose ids are known.
typedef struct call_answers {
    size_t sent; // how often its id was sent
    size_t came;
    bool alike; // what came is the same, byte for byte
} call_answers;

static call_answers answers_of(const jck_evidence *evidence, const jrpc_json *ids, size_t call)
{
    const jck_message *first = NULL;
    call_answers of = {.alike = true};
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->connection != evidence->messages[call].connection ||
            !jrpc_json_exists(ids[i]) || !jrpc_json_equal(ids[i], ids[call])) {
            continue;
        }
        of.sent += message->direction == JCK_SENT;
        if (message->direction == JCK_RECEIVED) {
            first = first == NULL ? message : first;
            of.alike = of.alike && jrpc_slice_equal(first->bytes, message->bytes);
            of.came++;
        }
    }
    return of;
}

// What became of the calls of a case, as a bit for each connection.
typedef struct calls {
    uint32_t lost;    // one got no answer
    uint32_t doubled; // one got two that differ
    bool known;       // there were not too many to compare
} calls;

static calls look_at_calls(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    jrpc_json ids[COMPARED_MAX];
    calls seen = {.known = evidence->count <= COMPARED_MAX};
    for (size_t i = 0; seen.known && i < evidence->count; i++) {
        ids[i] = id_of(trial, &evidence->messages[i]);
    }
    for (size_t i = 0; seen.known && i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction != JCK_SENT || !jrpc_json_exists(ids[i])) {
            continue;
        }
        call_answers of = answers_of(evidence, ids, i);
        uint32_t connection = 1U << ((unsigned char)sent->connection & 31U);
        seen.lost |= of.sent == 1 && of.came == 0 ? connection : 0;
        seen.doubled |= of.sent == 1 && of.came == 2 && !of.alike ? connection : 0;
    }
    return seen;
}

// The name of a difference that two answers too many or too few show, or NULL. A parse error that
// came instead of the answer to a call is no second refusal of the text before it.
static const char *name_of_mixture(jck_trial *trial)
{
    calls seen = look_at_calls(trial);
    return (seen.lost & seen.doubled) != 0                           ? JCK_DIFFERENCE_OTHER_ID
           : seen.known && seen.lost == 0 && is_refused_twice(trial) ? JCK_DIFFERENCE_TWICE
                                                                     : NULL;
}

// Whether two messages of a case could reach the target in one read: one was sent while another was
// under way on its connection, or several in one write.
static bool has_sent_together(const jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    uint32_t under_way = 0; // a bit for each connection
    bool together = false;
    for (size_t i = 0; i < evidence->count && !together; i++) {
        const jck_message *message = &evidence->messages[i];
        uint32_t connection = 1U << ((unsigned char)message->connection & 31U);
        bool sent = message->direction == JCK_SENT;
        together =
            sent && ((under_way & connection) != 0 || jrpc_slice_has_several_lines(message->bytes));
        under_way = sent ? under_way | connection : under_way & ~connection;
    }
    return together;
}

// Whether a finding is explained by a target that takes what it reads at once for one message: what
// came says that a message cannot be read, or an answer is missing, and the case sent messages
// together or in pieces.
static bool is_of_joined(const jck_trial *trial, const jck_finding *finding)
{
    if (!trial->calibration->joins_messages && !jck_trial_is_for(trial, JCK_ROLE_WRITES)) {
        return false;
    }
    tear seen = look_at(trial, finding->step);
    bool explained =
        seen.rejected || seen.came == 0 || jrpc_slice_is(finding->difference, JCK_DIFFERENCE_LOST);
    return explained && (seen.is_long || seen.in_pieces || has_sent_together(trial));
}

// So many of its first bytes distinguish one thing that is not a message from another.
#define NOISE_BYTES 60

// Whether a finding says that something which is not a message came in a step.
static bool is_about_noise(jck_trial *trial, const jck_finding *finding, int step)
{
    return finding->step == step &&
           jck_trial_has_role(trial, finding->rule, JCK_ROLE_MESSAGES_ONLY);
}

// The first thing received in a step that is not a message, if a finding reports it; otherwise
// NULL.
static const jck_message *noise_in(jck_trial *trial, int step)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *noise = NULL;
    bool reported = false;
    for (size_t i = 0; i < trial->findings->count; i++) {
        reported = reported || is_about_noise(trial, &trial->findings->items[i], step);
    }
    for (size_t i = 0; reported && i < evidence->count && noise == NULL; i++) {
        const jck_message *message = &evidence->messages[i];
        bool here = message->direction == JCK_RECEIVED && message->step == step &&
                    message->bytes.len > 0 && message->role != JCK_MESSAGE_OF_FENCE;
        noise =
            here && !jrpc_json_exists(jck_trial_read(trial, message->bytes, NULL)) ? message : NULL;
    }
    return noise;
}

bool jck_name_noise(jck_trial *trial, size_t first, int step)
{
    const jck_message *noise = noise_in(trial, step);
    if (noise == NULL) {
        return false;
    }
    jck_name_difference(trial->findings, first, "in place of an answer, %s",
                        jck_excerpt(trial->arena, noise->bytes, NOISE_BYTES));
    for (size_t i = 0; i < first && first < trial->findings->count; i++) {
        jck_finding *finding = &trial->findings->items[i];
        if (is_about_noise(trial, finding, step)) {
            finding->difference = trial->findings->items[first].difference;
        }
    }
    return true;
}

void jck_name_circumstances(jck_trial *trial)
{
    const char *mixture = trial->findings->count > 0 ? name_of_mixture(trial) : NULL;
    // If a Response belongs to another connection, any other answer may have come late, or too
    // often, because of that.
    bool foreign = jck_has_difference(trial->findings, 0, JCK_DIFFERENCE_FOREIGN);
    const char *refused = trial->findings->count > 0 ? name_of_refusal(trial) : NULL;
    for (size_t i = 0; i < trial->findings->count; i++) {
        jck_finding *finding = &trial->findings->items[i];
        const jck_rule *rule = jck_suite_find_rule(trial->findings->suite, finding->rule);
        if (finding->about != JCK_ABOUT_ANSWER) {
            continue;
        }
        if (foreign) {
            finding->difference = JRPC_SLICE(JCK_DIFFERENCE_FOREIGN);
        } else if (mixture != NULL) {
            finding->difference = jrpc_slice_str(mixture);
        } else if (refused != NULL) {
            finding->difference = jrpc_slice_str(refused);
        } else if (is_of_joined(trial, finding)) {
            finding->difference = JRPC_SLICE("what is read at once taken for one message");
        } else if (jck_is_torn(trial, finding->step)) {
            finding->difference = JRPC_SLICE("a message taken for several");
        } else if (jck_rule_has_role(rule, JCK_ROLE_SURVIVES_MALFORMED)) {
            finding->difference = JRPC_SLICE("the next call is disturbed");
        }
    }
}
