#include "harness/run/ledger.h"

#include "harness/run/event.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"
#include "reference/rpc/message.h"

bool jck_ledger_init(jck_ledger *ledger, const jck_run_options *options, jrpc_arena *arena)
{
    *ledger = (jck_ledger){.options = options, .calibration = {.absent_answers = true}};
    size_t rules = jck_suite_rule_count(options->suite);
    ledger->rules_tested = jrpc_arena_array(arena, rules + 1, sizeof *ledger->rules_tested);
    ledger->broken = jrpc_arena_array(arena, rules + 1, sizeof *ledger->broken);
    ledger->calibration.broken = ledger->broken;
    ledger->result.conformant = true;
    jrpc_buffer_init(&ledger->line, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    bool hosting =
        jck_host_init(&ledger->host, options->target, options->clock, options->timing.grace_ms);
    return hosting && ledger->rules_tested != NULL && ledger->broken != NULL &&
           pthread_mutex_init(&ledger->lock, NULL) == 0 &&
           pthread_cond_init(&ledger->left, NULL) == 0;
}

void jck_ledger_done(jck_ledger *ledger)
{
    jck_host_done(&ledger->host);
    jrpc_buffer_done(&ledger->line);
    (void)pthread_cond_destroy(&ledger->left);
    (void)pthread_mutex_destroy(&ledger->lock);
}

uint32_t jck_ledger_serial(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    uint32_t serial = ++ledger->serial;
    (void)pthread_mutex_unlock(&ledger->lock);
    return serial;
}

const jck_case *jck_ledger_take(jck_ledger *ledger, const jck_plan *plan)
{
    (void)pthread_mutex_lock(&ledger->lock);
    const jck_case *taken = NULL;
    if (!ledger->stopping && ledger->next < plan->case_count) {
        taken = plan->cases[ledger->next++];
    }
    (void)pthread_mutex_unlock(&ledger->lock);
    return taken;
}

void jck_ledger_enter(jck_ledger *ledger, bool alone)
{
    (void)pthread_mutex_lock(&ledger->lock);
    // Whoever waits to be alone goes before those that do not, or it would wait for the end.
    ledger->waiting += alone ? 1 : 0;
    while (ledger->alone || (alone ? ledger->running > 0 : ledger->waiting > 0)) {
        (void)pthread_cond_wait(&ledger->left, &ledger->lock);
    }
    ledger->waiting -= alone ? 1 : 0;
    ledger->alone = alone;
    ledger->running++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

void jck_ledger_leave(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->running--;
    ledger->alone = false;
    (void)pthread_cond_broadcast(&ledger->left);
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_offers(jck_ledger *ledger, jrpc_slice need, const char **ret_reason)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool offers = jck_target_offers(ledger->options->target, need, ret_reason);
    (void)pthread_mutex_unlock(&ledger->lock);
    return offers;
}

void jck_ledger_suspect(jck_ledger *ledger, uint32_t generation)
{
    (void)pthread_mutex_lock(&ledger->lock);
    size_t place = generation % JCK_GENERATIONS_KEPT;
    if (ledger->crashes[place].generation != generation) {
        ledger->crashes[place].generation = generation;
        ledger->crashes[place].suspects = 0;
        ledger->crashes[place].explained = false;
    }
    ledger->crashes[place].suspects++;
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_resolve(jck_ledger *ledger, uint32_t generation, bool guilty)
{
    (void)pthread_mutex_lock(&ledger->lock);
    size_t place = generation % JCK_GENERATIONS_KEPT;
    bool known = ledger->crashes[place].generation == generation;
    if (known) {
        ledger->crashes[place].suspects--;
        ledger->crashes[place].explained = ledger->crashes[place].explained || guilty;
    }
    bool unexplained =
        known && ledger->crashes[place].suspects == 0 && !ledger->crashes[place].explained;
    (void)pthread_mutex_unlock(&ledger->lock);
    return unexplained;
}

void jck_ledger_stop(jck_ledger *ledger, jck_run_end end, const jrpc_error *error)
{
    (void)pthread_mutex_lock(&ledger->lock);
    if (!ledger->stopping || ledger->result.end == JCK_RUN_FINISHED) {
        ledger->stopping = true;
        ledger->result.end = end;
        if (error != NULL) {
            ledger->result.error = *error;
        }
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_ledger_stopping(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    bool stopping = ledger->stopping;
    (void)pthread_mutex_unlock(&ledger->lock);
    return stopping;
}

static void mark_tested(jck_ledger *ledger, const jck_case *test_case)
{
    const jck_suite *suite = ledger->options->suite;
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        ledger->rules_tested[i] =
            ledger->rules_tested[i] || jck_case_names(test_case, jck_suite_rule(suite, i)->id);
    }
}

// Whether an outcome makes the run non-conformant.
static bool is_breach(const jck_ledger *ledger, const jck_told *told)
{
    return told->verdict != NULL &&
           (!told->verdict->conformant ||
            (ledger->options->strict && told->outcome == JCK_OUTCOME_WARN));
}

static void count(jck_ledger *ledger, const jck_told *told, bool expected)
{
    ledger->result.counts[told->outcome]++;
    if (told->verdict == NULL || told->outcome == JCK_OUTCOME_BLOCKED) {
        ledger->result.skipped++;
        return;
    }
    ledger->result.judged++;
    mark_tested(ledger, told->test_case);
    if (is_breach(ledger, told) && !expected) {
        ledger->result.unexpected++;
        ledger->result.conformant = false;
        ledger->stopping = ledger->stopping || ledger->options->fail_fast;
    }
}

void jck_ledger_tell(jck_ledger *ledger, const jck_told *told)
{
    const jck_run_options *options = ledger->options;
    (void)pthread_mutex_lock(&ledger->lock);
    bool expected = options->expects != NULL &&
                    options->expects(options->baseline, told->test_case, told->outcome);
    bool selected = strcmp(told->kind, "case") == 0;
    if (selected) {
        count(ledger, told, expected);
    }
    const jck_case_event event = {
        .kind = told->kind,
        .test_case = told->test_case,
        .verdict = told->verdict,
        .outcome = told->outcome,
        .reason = told->reason,
        .evidence = told->evidence,
        .expected = expected,
    };
    jrpc_buffer_clear(&ledger->line);
    if (jck_event_write_case(&ledger->line, &event)) {
        options->emit(options->context, jrpc_buffer_slice(&ledger->line));
    } else {
        ledger->result.end = JCK_RUN_FAULT;
        ledger->stopping = true;
        jrpc_error_set(&ledger->result.error, JRPC_ERROR_MEMORY, "out of memory for an event");
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

// How the target answers a call of a method that does not exist, from the ground case of J2-5.1f.
static void learn_absence(jck_ledger *ledger, const jck_evidence *evidence)
{
    jck_calibration *known = &ledger->calibration;
    known->absent_answers = false;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction != JCK_RECEIVED || message->role != JCK_MESSAGE_OF_CASE) {
            continue;
        }
        known->absent_answers = true;
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        if (jrpc_json_read(&document, message->bytes, JCK_MESSAGE_DEPTH, NULL)) {
            jrpc_json root = jrpc_json_root(&document);
            jrpc_json error = jrpc_json_get(root, "error");
            int64_t code = 0;
            if (jrpc_json_int64(jrpc_json_get(error, "code"), &code)) {
                known->absent_code_differs = code != JRPC_METHOD_NOT_FOUND;
                known->absent_code = code;
            } else {
                known->absent_gives_result = jrpc_json_exists(jrpc_json_get(root, "result"));
            }
        }
        jrpc_json_document_done(&document);
    }
}

static bool was_answered(const jck_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        if (evidence->messages[i].direction == JCK_RECEIVED &&
            evidence->messages[i].role == JCK_MESSAGE_OF_CASE) {
            return true;
        }
    }
    return false;
}

// The code of the one error that came, 0 if none came.
static int64_t code_answered(const jck_evidence *evidence)
{
    int64_t code = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
            jrpc_json_read(&document, message->bytes, JCK_MESSAGE_DEPTH, NULL)) {
            jrpc_json error = jrpc_json_get(jrpc_json_root(&document), "error");
            (void)jrpc_json_int64(jrpc_json_get(error, "code"), &code);
        }
        jrpc_json_document_done(&document);
    }
    return code;
}

// Whether a target that answers unknown methods otherwise refuses params of one shape, from the
// ground case of J2-4.2a or J2-4.2b.
static jck_refusal learn_refusal(const jck_calibration *known, const jck_evidence *evidence)
{
    int64_t code = code_answered(evidence);
    int64_t usual = known->absent_code_differs ? known->absent_code : JRPC_METHOD_NOT_FOUND;
    return (jck_refusal){
        .silent = known->absent_answers && !was_answered(evidence),
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
    if (is_ground_of(suite, "J2-5.1f", ground)) {
        learn_absence(ledger, evidence);
    }
    if (is_ground_of(suite, "J2-4.2a", ground)) {
        ledger->calibration.positional = learn_refusal(&ledger->calibration, evidence);
    }
    if (is_ground_of(suite, "J2-4.2b", ground)) {
        ledger->calibration.named = learn_refusal(&ledger->calibration, evidence);
    }
    bool silent = !was_answered(evidence);
    ledger->silent_on_parse_error =
        ledger->silent_on_parse_error || (silent && is_ground_of(suite, "J2-5.1d", ground));
    ledger->mute_on_parse_error =
        ledger->mute_on_parse_error ||
        (is_ground_of(suite, "J2-5.1d", ground) &&
         (evidence->muteness != JCK_NOT_MUTE || (evidence->process_gone && !evidence->orderly)));
    ledger->silent_on_batch =
        ledger->silent_on_batch || (silent && is_ground_of(suite, "J2-6a", ground));
    for (size_t i = 0; i < verdict->findings.count; i++) {
        const jck_rule *rule = jck_suite_find_rule(suite, verdict->findings.items[i].rule);
        if (rule != NULL && jrpc_slice_equal(rule->ground, ground->id)) {
            note_broken(ledger, rule->id);
        }
    }
}

bool jck_ledger_is_broken(const jck_ledger *ledger, jrpc_slice rule)
{
    for (size_t i = 0; i < ledger->calibration.broken_count; i++) {
        if (jrpc_slice_equal(ledger->calibration.broken[i], rule)) {
            return true;
        }
    }
    return false;
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
