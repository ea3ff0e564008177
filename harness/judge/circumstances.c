#include "harness/judge/circumstances.h"

// Longer messages may reach a server in several reads, or in more than its buffer holds.
#define LONG_BYTES ((size_t)1000)

// What was received in answer to a message that could be torn.
typedef struct tear {
    bool is_long;   // a long message was sent
    bool in_pieces; // a message was sent in pieces
    bool refused;   // something that was received is a parse error
    size_t came;
} tear;

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
            seen.refused =
                seen.refused || jrpc_slice_contains(message->bytes, JRPC_SLICE("-32700"));
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

bool jck_add_misread_length(jck_trial *trial, const jck_answers *answers)
{
    const jck_evidence *evidence = trial->evidence;
    int step = answers->step;
    tear seen = look_at(trial, step);
    bool lost = evidence->muteness != JCK_NOT_MUTE || evidence->process_gone;
    if (!lost || !seen.refused || seen.came != 1 || is_in_step(trial, step)) {
        return false;
    }
    jrpc_slice cut = rule_of_cut(trial, answers, &seen);
    bool wide = cut.len == 0 && has_sent_wide(trial, step);
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
        int64_t code = 0;
        bool fence = message->direction == JCK_RECEIVED && message->fence == JCK_FENCE_ANSWER &&
                     message->bytes.len == message->true_len;
        jrpc_json value = fence ? jck_trial_read(trial, message->bytes, NULL) : JRPC_JSON_ABSENT;
        bool read = jrpc_json_int64(jrpc_json_get(jrpc_json_get(value, "error"), "code"), &code);
        bool usual =
            trial->calibration->absent_code_differs && trial->calibration->absent_code == code;
        refused =
            read && jrpc_code_is_of_server(code) && !usual
                ? jrpc_arena_printf(trial->arena, "every call refused with %lld", (long long)code)
                : NULL;
    }
    return refused;
}

void jck_name_circumstances(jck_trial *trial)
{
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
        } else if (refused != NULL) {
            finding->difference = jrpc_slice_str(refused);
        } else if (jck_is_torn(trial, finding->step)) {
            finding->difference = JRPC_SLICE("a message taken for several");
        } else if (jck_rule_has_role(rule, JCK_ROLE_SURVIVES_MALFORMED)) {
            finding->difference = JRPC_SLICE("the next call is disturbed");
        }
    }
}
