// What the ground cases show about a target, and which cases cannot be judged because of that.
#include "harness/run/ledger.h"

#include "reference/base/hash.h"
#include "reference/json/read.h"
#include "reference/rpc/message.h"

// What came for a ground case: whether anything did, and what the last message says.
typedef struct answered {
    bool any, result, error;
    int64_t code;
    uint64_t message; // of the error, hashed
} answered;

static void read_answer(answered *seen, jrpc_slice bytes)
{
    seen->any = true;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, bytes, JCK_MESSAGE_DEPTH, NULL)) {
        jrpc_json root = jrpc_json_root(&document);
        jrpc_json error = jrpc_json_get(root, "error");
        jrpc_json code = jrpc_json_get(error, "code");
        seen->message = jrpc_hash_bytes(jrpc_json_spelling(jrpc_json_get(error, "message")));
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

// Whether a target that otherwise answers unknown methods refuses params of one shape, from the
// ground case of J2-4.2a or J2-4.2b.
static jck_refusal learn_refusal(const jck_calibration *known, const answered *seen)
{
    int64_t code = seen->code;
    int64_t usual = known->absent_code_differs ? known->absent_code : JRPC_METHOD_NOT_FOUND;
    return (jck_refusal){
        .silent = known->absent_answers && !seen->any,
        .by_error = seen->error && code != usual && code != JRPC_METHOD_NOT_FOUND,
        .code = code,
        .message = seen->message,
    };
}

// Once per rule: findings in several steps, or a ground case that ran twice, add nothing.
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
    if (jck_case_is_ground_of(suite, ground, JCK_ROLE_METHOD_NOT_FOUND)) {
        learn_absence(&ledger->calibration, &seen);
    }
    if (jck_case_is_ground_of(suite, ground, JCK_ROLE_PARAMS_BY_POSITION)) {
        ledger->calibration.positional = learn_refusal(&ledger->calibration, &seen);
    }
    if (jck_case_is_ground_of(suite, ground, JCK_ROLE_PARAMS_BY_NAME)) {
        ledger->calibration.named = learn_refusal(&ledger->calibration, &seen);
    }
    ledger->silent_on_parse_error =
        ledger->silent_on_parse_error ||
        (!seen.any && jck_case_is_ground_of(suite, ground, JCK_ROLE_PARSE_ERROR));
    ledger->mute_on_parse_error =
        ledger->mute_on_parse_error ||
        (jck_case_is_ground_of(suite, ground, JCK_ROLE_PARSE_ERROR) &&
         (evidence->muteness != JCK_NOT_MUTE || (evidence->process_gone && !evidence->orderly)));
    ledger->calibration.batches_refused =
        ledger->calibration.batches_refused ||
        (seen.error && seen.code == JRPC_INVALID_REQUEST &&
         jck_case_is_ground_of(suite, ground, JCK_ROLE_BATCH_ARRAY));
    ledger->silent_on_batch =
        ledger->silent_on_batch ||
        (!seen.any && jck_case_is_ground_of(suite, ground, JCK_ROLE_BATCH_ARRAY));
    ledger->calibration.joins_messages = ledger->calibration.joins_messages ||
                                         (verdict->outcome == JCK_OUTCOME_FAIL &&
                                          jck_case_is_ground_of(suite, ground, JCK_ROLE_WRITES));
    ledger->mixes_connections = ledger->mixes_connections ||
                                (verdict->outcome == JCK_OUTCOME_FAIL &&
                                 jck_case_is_ground_of(suite, ground, JCK_ROLE_OWN_CONNECTION));
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

// What a payload is, as far as the file spells it out; false if it is not examined.
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

// Whether the rule that plays the role is broken, for a case that does not test that rule itself,
// and which rule that is.
static bool blocks(const jck_ledger *ledger, const jck_case *test_case, jck_role role,
                   jrpc_slice *ret_rule)
{
    const jck_suite *suite = ledger->options->suite;
    const jck_rule *rule = jck_suite_role(suite, test_case, role);
    if (rule == NULL || !jck_ledger_is_broken(ledger, rule->id) ||
        jck_case_is_for(suite, test_case, role)) {
        return false;
    }
    *ret_rule = rule->id;
    return true;
}

// Whether a case repeats an exchange that the specification prints, at a higher level than the
// broken rule: a printed exchange is owed exactly as it is, whatever else is broken.
static bool is_printed(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice broken)
{
    const jck_suite *suite = ledger->options->suite;
    const jck_rule *root = jck_suite_find_rule(suite, broken);
    const jck_rule *first = jck_suite_find_rule(suite, test_case->rules[0]);
    return root != NULL && first != NULL && first->level > root->level &&
           jck_rule_has_role(first, JCK_ROLE_PRINTED_EXCHANGES);
}

static bool find_root(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice *ret_rule)
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
    // After such text the connection answers nothing any more, so only cases about that are run.
    const jck_rule *parse_error =
        jck_suite_role(ledger->options->suite, test_case, JCK_ROLE_PARSE_ERROR);
    if (ledger->mute_on_parse_error && parse_error != NULL &&
        sends(test_case, JRPC_INPUT_PARSE_ERROR) &&
        !jck_case_is_for(ledger->options->suite, test_case, JCK_ROLE_SURVIVES_MALFORMED)) {
        *ret_rule = parse_error->id;
        return true;
    }
    if (sends(test_case, JRPC_INPUT_BATCH) &&
        blocks(ledger, test_case, JCK_ROLE_BATCH_ARRAY, ret_rule)) {
        return true;
    }
    const jck_rule *absent =
        jck_suite_role(ledger->options->suite, test_case, JCK_ROLE_METHOD_NOT_FOUND);
    if (!ledger->calibration.absent_answers && absent != NULL &&
        jck_case_mentions(test_case, "absent")) {
        *ret_rule = absent->id;
        return true;
    }
    return false;
}

bool jck_ledger_blocks(const jck_ledger *ledger, const jck_case *test_case, jrpc_slice *ret_rule)
{
    return find_root(ledger, test_case, ret_rule) && !is_printed(ledger, test_case, *ret_rule);
}
