#include "harness/run/execution.h"

#include "harness/judge/owed.h"
#include "reference/rpc/message.h"

#include <stdlib.h>
#include <string.h>

// Memory that one attempt may use, for its record and its verdict.
#define ATTEMPT_BYTES ((size_t)512 << 20)

jck_execution *jck_execution_new(const jck_case *test_case, const char *kind)
{
    jck_execution *execution = calloc(1, sizeof *execution);
    if (execution != NULL) {
        execution->test_case = test_case;
        execution->kind = kind;
    }
    return execution;
}

void jck_execution_free(jck_execution *execution)
{
    if (execution != NULL) {
        jck_attempt_free(execution->attempt);
        free(execution);
    }
}

jck_attempt *jck_attempt_new(const jck_case *test_case, const jck_target *target, uint32_t nonce,
                             uint32_t serial)
{
    jck_attempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        return NULL;
    }
    jrpc_arena_init(&attempt->arena, jrpc_allocator_heap(), ATTEMPT_BYTES);
    jck_variables_init(&attempt->variables, &attempt->arena, target, nonce, serial);
    if (!jck_evidence_init(&attempt->evidence, &attempt->arena, test_case->step_count)) {
        jck_attempt_free(attempt);
        return NULL;
    }
    return attempt;
}

void jck_attempt_free(jck_attempt *attempt)
{
    while (attempt != NULL) {
        jck_attempt *before = attempt->before;
        jrpc_arena_done(&attempt->arena);
        free(attempt);
        attempt = before;
    }
}

void jck_execution_decide(jck_execution *execution, jck_attempt *attempt, jck_way way)
{
    attempt->before = execution->attempt;
    execution->attempt = attempt;
    execution->company.way = way;
    jck_execution_conclude(execution);
}

void jck_execution_conclude(jck_execution *execution)
{
    jck_attempt *attempt = execution->attempt;
    execution->judged = true;
    execution->outcome = attempt->verdict.outcome;
    execution->reason = (jck_reason){.code = JCK_REASON_NONE};
    if (execution->outcome == JCK_OUTCOME_BLOCKED) {
        const char *mistake = attempt->verdict.driver_mistake;
        execution->reason = mistake == NULL
                                ? jck_reason_broken(&attempt->arena, attempt->verdict.blocked_by)
                                : (jck_reason){.code = JCK_REASON_DRIVER_MISTAKE, .text = mistake};
    } else if (execution->outcome == JCK_OUTCOME_ERROR) {
        execution->reason = (jck_reason){.code = JCK_REASON_OUT_OF_MEMORY,
                                         .text = "out of memory while the case was judged"};
    }
}

bool jck_attempt_has_finding(const jck_attempt *attempt)
{
    jck_outcome outcome = attempt->verdict.outcome;
    return outcome >= JCK_OUTCOME_WARN && outcome != JCK_OUTCOME_BLOCKED &&
           outcome != JCK_OUTCOME_ERROR && attempt->verdict.driver_mistake == NULL;
}

bool jck_attempt_crashed(const jck_attempt *attempt)
{
    return attempt->evidence.process_gone && !attempt->evidence.orderly;
}

const jck_message *jck_attempt_foreign(const jck_attempt *attempt)
{
    for (size_t i = 0; i < attempt->evidence.count; i++) {
        const jck_message *message = &attempt->evidence.messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
            !message->own_id && !message->originated) {
            return message;
        }
    }
    return NULL;
}

static bool is_of_step(const jck_message *message, jck_direction direction, int step)
{
    return message->direction == direction && message->role == JCK_MESSAGE_OF_CASE &&
           message->step == step;
}

static bool is_owed_an_answer(const jck_attempt *attempt, jrpc_slice sent)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_slice absent = jck_variables_absent(&attempt->variables);
    jck_owed_kind kind = jck_owed_for(sent, absent, &document).kind;
    jrpc_json_document_done(&document);
    return kind != JCK_OWED_NOTHING;
}

size_t jck_attempt_left_open(const jck_attempt *attempt)
{
    const jck_evidence *evidence = &attempt->evidence;
    size_t open = 0;
    for (int step = 0; step < (int)evidence->step_count; step++) {
        bool owed = false;
        bool came = false;
        for (size_t i = 0; i < evidence->count; i++) {
            const jck_message *message = &evidence->messages[i];
            came = came || is_of_step(message, JCK_RECEIVED, step);
            owed = owed || (is_of_step(message, JCK_SENT, step) &&
                            is_owed_an_answer(attempt, message->bytes));
        }
        open += owed && !came;
    }
    return open;
}

bool jck_attempt_has_surplus(const jck_attempt *attempt)
{
    const jck_evidence *evidence = &attempt->evidence;
    const jck_message *foreign = jck_attempt_foreign(attempt);
    for (size_t i = 0; i < evidence->count && foreign != NULL; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
            message->own_id && message->step == foreign->step) {
            return true;
        }
    }
    return false;
}

bool jck_attempt_is_attributed(const jck_attempt *attempt)
{
    return jck_attempt_foreign(attempt) == NULL && attempt->evidence.muteness == JCK_NOT_MUTE &&
           attempt->evidence.end.kind == JRPC_END_OPEN;
}

// Whether the target said something of its own in a step.
static bool spoke_unasked(const jck_evidence *evidence, int step)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->originated && jck_evidence_is_received_in(message, step)) {
            return true;
        }
    }
    return false;
}

bool jck_attempt_may_hear_earlier(const jck_attempt *attempt, const jck_case *test_case)
{
    const jck_findings *findings = &attempt->verdict.findings;
    for (size_t i = 0; i < findings->count; i++) {
        const jck_finding *finding = &findings->items[i];
        if (!finding->known && finding->step >= 0 && !test_case->bare &&
            test_case->steps[finding->step].kind == JCK_STEP_RECEIVE &&
            spoke_unasked(&attempt->evidence, finding->step)) {
            return true;
        }
    }
    return false;
}

const jck_finding *jck_attempt_first_finding(const jck_attempt *attempt)
{
    const jck_findings *findings = &attempt->verdict.findings;
    for (size_t i = 0; i < findings->count; i++) {
        if (!findings->items[i].known) {
            return &findings->items[i];
        }
    }
    return NULL;
}

bool jck_attempt_is_own_error(const jck_attempt *attempt)
{
    const jck_finding *first = jck_attempt_first_finding(attempt);
    int64_t code = first == NULL ? 0 : jck_difference_code(first->difference);
    return code == JRPC_INTERNAL_ERROR || jrpc_code_is_of_server(code);
}

// Whether nothing came in a step, apart from requests and notifications of the target's own.
static bool is_unanswered(const jck_evidence *evidence, int step)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (jck_evidence_is_received_in(message, step) && !message->originated) {
            return false;
        }
    }
    return true;
}

bool jck_attempt_was_overtaken(const jck_attempt *attempt)
{
    const jck_findings *findings = &attempt->verdict.findings;
    for (size_t i = 0; i < findings->count; i++) {
        const jck_finding *finding = &findings->items[i];
        if (!finding->known && finding->level != JCK_LEVEL_OBSERVE && finding->step >= 0 &&
            attempt->evidence.settled[finding->step] == JCK_FENCED &&
            is_unanswered(&attempt->evidence, finding->step)) {
            return true;
        }
    }
    return false;
}

bool jck_attempt_was_withheld(const jck_attempt *attempt)
{
    const jck_finding *first = jck_attempt_first_finding(attempt);
    return first != NULL && jrpc_slice_is(first->difference, JCK_WITHHELD);
}

bool jck_attempt_is_doubtful(const jck_attempt *attempt)
{
    return attempt->hasty || jck_attempt_is_own_error(attempt) ||
           jck_attempt_was_withheld(attempt) || !jck_attempt_is_attributed(attempt);
}

bool jck_attempt_outlasts_fence(const jck_attempt *attempt)
{
    int fenced = -1; // the step whose fence was answered last
    for (size_t i = 0; i < attempt->evidence.count; i++) {
        const jck_message *message = &attempt->evidence.messages[i];
        if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_FENCE) {
            fenced = message->step;
        } else if (message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
                   message->step <= fenced) {
            return true;
        }
    }
    return false;
}

bool jck_attempt_repeats(const jck_attempt *again, const jck_attempt *seen)
{
    if (!jck_attempt_has_finding(again)) {
        return false;
    }
    if (again->verdict.outcome == seen->verdict.outcome &&
        again->verdict.outcome >= JCK_OUTCOME_ENDED) {
        return true;
    }
    const jck_findings *now = &again->verdict.findings;
    const jck_findings *then = &seen->verdict.findings;
    for (size_t i = 0; i < now->count; i++) {
        for (size_t k = 0; k < then->count; k++) {
            if (!now->items[i].known && !then->items[k].known &&
                jrpc_slice_equal(now->items[i].rule, then->items[k].rule)) {
                return true;
            }
        }
    }
    return false;
}

size_t jck_attempt_heard(const jck_attempt *attempt, jrpc_slice bytes)
{
    size_t heard = 0;
    for (size_t i = 0; i < attempt->evidence.count; i++) {
        const jck_message *message = &attempt->evidence.messages[i];
        heard += message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
                 jrpc_slice_equal(message->bytes, bytes);
    }
    return heard;
}

// The id of a message of ours that stands in its bytes: from "jck- to the next quote.
static jrpc_slice id_in(jrpc_slice bytes)
{
    static const char begin[] = "\"jck-";
    for (size_t at = 0; at + sizeof begin - 1 <= bytes.len; at++) {
        if (memcmp(bytes.ptr + at, begin, sizeof begin - 1) == 0) {
            const char *end = memchr(bytes.ptr + at + 1, '"', bytes.len - at - 1);
            size_t len = end == NULL ? 0 : (size_t)(end - (bytes.ptr + at)) + 1;
            return jrpc_slice_of(bytes.ptr + at, len);
        }
    }
    return (jrpc_slice){NULL, 0};
}

// Whether a message between `from` and `to` contains an id.
static bool is_named(const jck_evidence *evidence, jrpc_slice id, jck_direction direction,
                     size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (evidence->messages[i].direction == direction &&
            jrpc_slice_contains(evidence->messages[i].bytes, id)) {
            return true;
        }
    }
    return false;
}

static size_t next_sent(const jck_evidence *evidence, size_t from)
{
    while (from < evidence->count && evidence->messages[from].direction != JCK_SENT) {
        from++;
    }
    return from;
}

bool jck_attempt_lags(const jck_attempt *attempt)
{
    const jck_evidence *evidence = &attempt->evidence;
    bool earlier = false; // an answer came to something sent earlier
    size_t late = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        jrpc_slice id = id_in(evidence->messages[i].bytes);
        if (id.len == 0) {
            continue;
        }
        if (evidence->messages[i].direction == JCK_RECEIVED) {
            earlier = earlier || !is_named(evidence, id, JCK_SENT, 0, i);
            continue;
        }
        size_t next = next_sent(evidence, i + 1);
        if (is_named(evidence, id, JCK_RECEIVED, i + 1, next)) {
            return false;
        }
        late += is_named(evidence, id, JCK_RECEIVED, next, evidence->count);
    }
    return evidence->muteness != JCK_NOT_MUTE && late > 0 && (earlier || late > 1);
}

bool jck_case_owes_silence(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        jck_expect_kind kind = test_case->steps[i].expect.kind;
        if (kind == JCK_EXPECT_NOTHING || kind == JCK_EXPECT_OWED) {
            return true;
        }
    }
    return false;
}

bool jck_execution_kept_silence(const jck_execution *execution)
{
    return execution->judged && execution->company.way == JCK_WAY_COMPANY &&
           jck_case_owes_silence(execution->test_case) &&
           !jck_attempt_has_finding(execution->attempt);
}

size_t jck_attempt_heard_all(const jck_attempt *attempt)
{
    size_t heard = 0;
    for (size_t i = 0; i < attempt->evidence.count; i++) {
        const jck_message *message = &attempt->evidence.messages[i];
        heard += message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE;
    }
    return heard;
}
