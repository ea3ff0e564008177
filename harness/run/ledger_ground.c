// What the ground cases teach about a target, and which cases cannot be judged for it.
#include "harness/run/ledger.h"

#include "reference/json/read.h"
#include "reference/rpc/message.h"

// What came back for a ground case: whether anything did, and what the last of it says.
typedef struct answered {
    bool any, result, error;
    int64_t code;
} answered;

static void read_answer(answered *seen, jrpc_slice bytes)
{
    seen->any = true;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, bytes, JCK_MESSAGE_DEPTH, NULL)) {
        jrpc_json root = jrpc_json_root(&document);
        jrpc_json code = jrpc_json_get(jrpc_json_get(root, "error"), "code");
        if (jrpc_json_int64(code, &seen->code)) {
            seen->error = true;
        } else {
            seen->result = jrpc_json_exists(jrpc_json_get(root, "result"));
        }
    }
    jrpc_json_document_done(&document);
}

static answered read_answers(const jck_evidence *evidence)
{
    answered seen = {.any = false};
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE) {
            read_answer(&seen, message->bytes);
        }
    }
    return seen;
}

// How the target answers a call of a method that does not exist, from the ground case of J2-5.1f.
static void learn_absence(jck_calibration *known, const answered *seen)
{
    known->absent_answers = seen->any;
    known->absent_gives_result = seen->result;
    if (seen->error) {
        known->absent_code_differs = seen->code != JRPC_METHOD_NOT_FOUND;
        known->absent_code = seen->code;
    }
}

// Whether a target that answers unknown methods otherwise refuses params of one shape, from the
// ground case of J2-4.2a or J2-4.2b.
static jck_refusal learn_refusal(const jck_calibration *known, const answered *seen)
{
    int64_t code = seen->code;
    int64_t usual = known->absent_code_differs ? known->absent_code : JRPC_METHOD_NOT_FOUND;
    return (jck_refusal){
        .silent = known->absent_answers && !seen->any,
        .code = code == usual || code == JRPC_METHOD_NOT_FOUND ? 0 : code,
    };
}

static bool is_ground_of(const jck_suite *suite, const char *rule, const jck_case *test_case)
{
    const jck_rule *known = jck_suite_find_rule(suite, jrpc_slice_str(rule));
    return known != NULL && jrpc_slice_equal(known->ground, test_case->id);
}

// Once a rule: a finding in each of several steps, or a ground that ran twice, is no news.
static void note_broken(jck_ledger *ledger, jrpc_slice rule)
{
    const jck_rule *known = jck_suite_find_rule(ledger->options->suite, rule);
    if (known != NULL && !jck_ledger_is_broken(ledger, rule)) {
        ledger->broken[ledger->calibration.broken_count++] = known->id;
    }
}

void jck_ledger_learn(jck_ledger *ledger, const jck_case *ground, const jck_verdict *verdict,
                      const jck_evidence *evidence)
{
    const jck_suite *suite = ledger->options->suite;
    const answered seen = read_answers(evidence);
    if (is_ground_of(suite, "J2-5.1f", ground)) {
        learn_absence(&ledger->calibration, &seen);
    }
    if (is_ground_of(suite, "J2-4.2a", ground)) {
        ledger->calibration.positional = learn_refusal(&ledger->calibration, &seen);
    }
    if (is_ground_of(suite, "J2-4.2b", ground)) {
        ledger->calibration.named = learn_refusal(&ledger->calibration, &seen);
    }
    ledger->silent_on_parse_error =
        ledger->silent_on_parse_error || (!seen.any && is_ground_of(suite, "J2-5.1d", ground));
    ledger->mute_on_parse_error =
        ledger->mute_on_parse_error ||
        (is_ground_of(suite, "J2-5.1d", ground) &&
         (evidence->muteness != JCK_NOT_MUTE || (evidence->process_gone && !evidence->orderly)));
    ledger->silent_on_batch =
        ledger->silent_on_batch || (!seen.any && is_ground_of(suite, "J2-6a", ground));
    for (size_t i = 0; i < verdict->findings.count; i++) {
        const jck_rule *rule = jck_suite_find_rule(suite, verdict->findings.items[i].rule);
        if (rule != NULL && jrpc_slice_equal(rule->ground, ground->id)) {
            note_broken(ledger, rule->id);
        }
    }
}

bool jck_ledger_is_broken(const jck_ledger *ledger, jrpc_slice rule)
{
    return jck_is_broken(&ledger->calibration, rule);
}

// What a payload is, as far as the file spells it out; false if that is not looked at.
static bool input_kind(const jck_payload *payload, jrpc_input_kind *ret_kind)
{
    if (payload->raw || payload->kind == JCK_PAYLOAD_REPEAT) {
        return false;
    }
    if (payload->kind == JCK_PAYLOAD_JSON) {
        bool array = jrpc_json_is(payload->json, JRPC_JSON_ARRAY);
        *ret_kind = !array                                ? JRPC_INPUT_SINGLE
                    : jrpc_json_count(payload->json) == 0 ? JRPC_INPUT_EMPTY_BATCH
                                                          : JRPC_INPUT_BATCH;
        return true;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    *ret_kind = jrpc_input_read(&document, payload->text, JCK_MESSAGE_DEPTH, NULL);
    jrpc_json_document_done(&document);
    return true;
}

static bool sends(const jck_case *test_case, jrpc_input_kind kind)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_step *step = &test_case->steps[i];
        jrpc_input_kind sent = JRPC_INPUT_SINGLE;
        if (step->kind == JCK_STEP_SEND && input_kind(&step->payload, &sent) && sent == kind) {
            return true;
        }
    }
    return false;
}

// A case that is after something else and sends a batch cannot see it on a target without batches.
static bool stands_on_batches(const jck_case *test_case)
{
    return sends(test_case, JRPC_INPUT_BATCH) && !jrpc_slice_is(test_case->rules[0], "J2-6a");
}

bool jck_ledger_blocks(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice *ret_rule)
{
    for (size_t i = 0; i < test_case->rule_count; i++) {
        const jck_rule *rule = jck_suite_find_rule(ledger->options->suite, test_case->rules[i]);
        for (size_t k = 0; rule != NULL && k < rule->stands_on_count; k++) {
            if (jck_ledger_is_broken(ledger, rule->stands_on[k])) {
                *ret_rule = rule->stands_on[k];
                return true;
            }
        }
    }
    static const jrpc_slice of_parse_errors = JRPC_SLICE_INIT("J2-5.1d");
    if (ledger->mute_on_parse_error && sends(test_case, JRPC_INPUT_PARSE_ERROR) &&
        !jrpc_slice_is(test_case->rules[0], "SEC-b")) {
        *ret_rule = of_parse_errors;
        return true;
    }
    static const jrpc_slice of_batches = JRPC_SLICE_INIT("J2-6a");
    if (jck_ledger_is_broken(ledger, of_batches) && stands_on_batches(test_case)) {
        *ret_rule = of_batches;
        return true;
    }
    if (!ledger->calibration.absent_answers && jck_case_mentions(test_case, "absent")) {
        *ret_rule = JRPC_SLICE("J2-5.1f");
        return true;
    }
    return false;
}
