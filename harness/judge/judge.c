#include "harness/judge/judge.h"

#include "harness/judge/blame.h"
#include "harness/judge/circumstances.h"
#include "harness/judge/client.h"
#include "harness/judge/envelope.h"
#include "harness/judge/expectation.h"
#include "harness/judge/explain.h"
#include "harness/judge/http.h"
#include "harness/judge/receive.h"
#include "harness/judge/response.h"
#include "harness/judge/results.h"
#include "harness/judge/surplus.h"
#include "harness/judge/trial.h"
#include "harness/judge/unwrap.h"

#include <string.h>

const char *jck_outcome_name(jck_outcome outcome)
{
    static const char *const names[] = {"pass",  "skip",  "observe", "warn",  "blocked", "fail",
                                        "ended", "stuck", "hang",    "crash", "error"};
    return names[outcome];
}

static const jck_calibration uncalibrated = {.absent_answers = true};

// Whether the target took a message for several before it seemed mute. It then reads the following
// bytes from the wrong place, and its answers no longer match our messages.
static bool is_out_of_step(const jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; i < evidence->step_count; i++) {
        if (evidence->settled[i] == JCK_MUTE && jck_torn_rule(trial, (int)i).len > 0) {
            return true;
        }
    }
    return false;
}

// Whether something that is not JSON was received before the target seemed mute: the fence's answer
// may be in it, and cannot be read; that has been reported. The same if its answers go to another
// connection, or repeat those of earlier calls, or if it has lost the place in what it reads.
static bool explains_muteness(const jck_trial *trial)
{
    jrpc_slice strict = jck_trial_rule(trial, JCK_ROLE_STRICT_JSON);
    jrpc_slice own_connection = jck_trial_rule(trial, JCK_ROLE_OWN_CONNECTION);
    for (size_t i = 0; i < trial->findings->count; i++) {
        const jck_finding *finding = &trial->findings->items[i];
        bool elsewhere = trial->evidence->muteness == JCK_STUCK &&
                         jrpc_slice_equal(finding->rule, own_connection);
        if (finding->level == JCK_LEVEL_MUST &&
            (elsewhere || jrpc_slice_equal(finding->rule, strict))) {
            return true;
        }
    }
    return jck_is_answered_again(trial, -1) || is_out_of_step(trial) ||
           jck_has_misread_length(trial);
}

// The rule that an end of the target breaks.
static jck_role surviving(jck_trial *trial)
{
    if (trial->test_case->side == JCK_SIDE_CLIENT) {
        return JCK_ROLE_CLIENT_SURVIVES;
    }
    if (jck_trial_is_for(trial, JCK_ROLE_FRAME_HEAD)) {
        return JCK_ROLE_FRAME_HEAD; // heads that are right, though they are sent as raw bytes
    }
    return jck_sent_valid_alone(trial) ? JCK_ROLE_SURVIVES_VALID : JCK_ROLE_SURVIVES_MALFORMED;
}

// Whether a process that is the connection (stdio) has exited, with any status, after bytes that
// make the connection unusable: a header without a length.
static bool left_broken_frames(const jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    return evidence->process_gone && evidence->end.kind == JRPC_END_EXITED &&
           evidence->generation == 0 && jck_trial_is_for(trial, JCK_ROLE_FRAME_LENGTH) &&
           trial->test_case->side != JCK_SIDE_CLIENT;
}

// The step at which the connection stopped answering, though a new one answers; -1: none.
static int stuck_step(const jck_evidence *evidence)
{
    for (size_t i = 0; evidence->muteness == JCK_STUCK && i < evidence->step_count; i++) {
        if (evidence->settled[i] == JCK_UNSENT || evidence->settled[i] == JCK_MUTE) {
            return (int)i;
        }
    }
    return -1;
}

// Whether the connection only seems mute because the target keeps the answer to a GET or HEAD open,
// as servers do if they may send events later. POST uses another connection.
static bool holds_stream(const jck_trial *trial, int step)
{
    const char *method = trial->test_case->steps[step].manner.http_method;
    return trial->evidence->settled[step] == JCK_MUTE && method != NULL &&
           (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0);
}

// The outcome that the end of the exchange has by itself, and a finding if nothing else reports
// that the target broke.
static jck_outcome judge_end(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    jck_role role = surviving(trial);
    int last = (int)evidence->step_count - 1;
    if (left_broken_frames(trial)) {
        // Closing the connection is allowed, and this is the only way to close it. No text says
        // with which status the process then exits.
        jck_observe(trial->findings, JRPC_SLICE("process"), JRPC_SLICE("ended"));
        return JCK_OUTCOME_PASS;
    }
    if (evidence->process_gone && !evidence->orderly) {
        jck_add_finding(trial->findings, last, role,
                        evidence->end.kind == JRPC_END_SIGNALED
                            ? "the target crashed with signal %d"
                            : "the target exited with status %d",
                        evidence->end.value);
        return JCK_OUTCOME_CRASH;
    }
    int stuck = stuck_step(evidence);
    if (stuck >= 0 && trial->test_case->steps[stuck].manner.ping) {
        jck_add_finding(trial->findings, stuck, JCK_ROLE_PONG,
                        "no pong came that has the data of the ping");
        return JCK_OUTCOME_FAIL;
    }
    if (stuck >= 0 && holds_stream(trial, stuck)) {
        jck_observe(trial->findings, JRPC_SLICE("answer"), JRPC_SLICE("held-open"));
        return JCK_OUTCOME_OBSERVE;
    }
    switch (explains_muteness(trial) ? JCK_NOT_MUTE : evidence->muteness) {
    case JCK_HUNG:
        jck_add_finding(trial->findings, last, role,
                        evidence->tried_anew
                            ? "the target no longer answers, not even on a new connection"
                            : "the target no longer answers");
        return JCK_OUTCOME_HANG;
    case JCK_STUCK:
        jck_add_finding(trial->findings, last, role,
                        "the connection is open but no longer answers; a new one does");
        return JCK_OUTCOME_STUCK;
    case JCK_UNFINISHED:
        jck_observe(trial->findings, JRPC_SLICE("answer"), JRPC_SLICE("unfinished"));
        return JCK_OUTCOME_OBSERVE;
    case JCK_NOT_MUTE:
        break;
    }
    if (evidence->process_gone) {
        const jck_step *step = &trial->test_case->steps[last];
        bool wanted = trial->test_case->bare && step->expect.kind == JCK_EXPECT_CLOSED &&
                      evidence->settled[last] == JCK_GONE;
        return wanted ? JCK_OUTCOME_PASS : JCK_OUTCOME_ENDED;
    }
    if (evidence->left_with_connection) {
        jck_observe(trial->findings, JRPC_SLICE("process"), JRPC_SLICE("left-with-connection"));
    }
    if (evidence->end.kind == JRPC_END_CLOSED || evidence->end.kind == JRPC_END_RESET) {
        jck_observe(trial->findings, JRPC_SLICE("connection"), JRPC_SLICE("closed"));
    }
    return JCK_OUTCOME_PASS;
}

// A target that writes without end is at fault whatever it was sent: the following messages are not
// answered, or nobody can tell which of a thousand answers is theirs.
static void judge_flood(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    if (evidence->flood_messages > 0) {
        jck_add_finding_at(
            trial->findings, (int)evidence->step_count - 1, surviving(trial),
            trial->test_case->side == JCK_SIDE_CLIENT ? JCK_LEVEL_SHOULD : JCK_LEVEL_MUST,
            "the target writes without end: the suite stopped reading after %zu messages of "
            "%zu bytes in all",
            evidence->flood_messages, evidence->flood_bytes);
    }
}

// Sets what the findings from `first` on are about.
static void mark_about(jck_trial *trial, size_t first, jck_about about)
{
    for (size_t i = first; i < trial->findings->count; i++) {
        trial->findings->items[i].about = about;
    }
}

static void mark_known(jck_trial *trial)
{
    for (size_t i = 0; i < trial->findings->count; i++) {
        jck_finding *finding = &trial->findings->items[i];
        finding->known =
            finding->known || (jck_is_broken(trial->calibration, finding->rule) &&
                               !jrpc_slice_equal(trial->test_case->rules[0], finding->rule));
    }
}

static jck_outcome outcome_of(jck_level level)
{
    switch (level) {
    case JCK_LEVEL_MUST:
        return JCK_OUTCOME_FAIL;
    case JCK_LEVEL_SHOULD:
        return JCK_OUTCOME_WARN;
    case JCK_LEVEL_OBSERVE:
        return JCK_OUTCOME_OBSERVE;
    }
    return JCK_OUTCOME_FAIL;
}

static bool only_observes(const jck_trial *trial)
{
    const jck_rule *first = jck_suite_find_rule(trial->findings->suite, trial->test_case->rules[0]);
    return first != NULL && jck_case_level(trial->test_case, first) == JCK_LEVEL_OBSERVE;
}

void jck_verdict_weigh(jck_verdict *verdict, jck_outcome least, jck_outcome end)
{
    verdict->outcome = least;
    verdict->conformant = end < JCK_OUTCOME_STUCK;
    verdict->blocked_by = (jrpc_slice){NULL, 0};
    verdict->driver_mistake = NULL;
    for (size_t i = 0; i < verdict->findings.count; i++) {
        const jck_finding *finding = &verdict->findings.items[i];
        jck_outcome outcome = outcome_of(finding->level);
        if (!finding->known && outcome > verdict->outcome) {
            verdict->outcome = outcome;
        }
        verdict->conformant =
            verdict->conformant && (finding->known || finding->level != JCK_LEVEL_MUST);
    }
}

static void conclude(const jck_trial *trial, jck_outcome end, jck_verdict *verdict)
{
    jck_verdict_weigh(verdict, only_observes(trial) ? JCK_OUTCOME_OBSERVE : JCK_OUTCOME_PASS, end);
    if (trial->blocked_by.len > 0 && verdict->outcome <= JCK_OUTCOME_OBSERVE) {
        verdict->outcome = JCK_OUTCOME_BLOCKED;
        verdict->blocked_by = trial->blocked_by;
    }
    if (trial->driver_mistake != NULL && verdict->outcome <= JCK_OUTCOME_OBSERVE) {
        verdict->outcome = JCK_OUTCOME_BLOCKED; // nothing is known about the client
        verdict->driver_mistake = trial->driver_mistake;
    }
    if (end > verdict->outcome) {
        verdict->outcome = end;
    }
    if (trial->findings->failed || trial->arena->failed || trial->variables->arena->failed) {
        verdict->outcome = JCK_OUTCOME_ERROR;
        verdict->conformant = false;
    }
}

static void judge_unreached(jck_trial *trial, int unjudged, int step)
{
    const jck_step *of_case = &trial->test_case->steps[step];
    jck_answers answers;
    jck_variables_set_step(trial->variables, step);
    if (of_case->kind == JCK_STEP_RECEIVE && step > unjudged &&
        jck_gather(trial, unjudged, step, &answers)) {
        jck_judge_receive(trial, of_case, &answers);
    }
}

// What answers a step that expects nothing in particular (over HTTP: GET, another content type)
// need not be a Response; one that claims to be is judged as such.
static void judge_unasked(jck_trial *trial, int step)
{
    jck_stretch stretch = jck_trial_stretch(trial, step, step);
    for (size_t i = stretch.from; i < stretch.to; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction != JCK_RECEIVED || message->step != step ||
            message->role != JCK_MESSAGE_OF_CASE) {
            continue;
        }
        jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
        if (jrpc_json_is(value, JRPC_JSON_OBJECT) &&
            jrpc_json_string_is(jrpc_json_get(value, "jsonrpc"), JRPC_SLICE("2.0")) &&
            jck_answer_kind_of(value) == JCK_ANSWER_RESPONSE) {
            const jck_envelope envelope = {
                .findings = trial->findings, .dialect = jck_trial_dialect(trial), .step = step};
            jck_envelope_check(&envelope, value);
        }
    }
}

// If silence is required, or if a notification was sent and an answer without an id was received,
// the envelope's findings about that message belong to the same difference.
static void name_unasked(jck_trial *trial, size_t first, const jck_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        bool of_nobody = jrpc_json_is(answers->replies[i], JRPC_JSON_OBJECT) &&
                         !jrpc_json_exists(jrpc_json_get(answers->replies[i], "id")) &&
                         jck_has_sent_notification(trial);
        if (answers->owed.kind == JCK_OWED_NOTHING || of_nobody) {
            jck_name_answer_to_notification(trial, first, answers->replies[i]);
            return;
        }
    }
}

static void judge_steps(jck_trial *trial)
{
    int unjudged = 0; // the first step whose answers have not been judged
    for (size_t i = 0; i < trial->test_case->step_count; i++) {
        const jck_step *step = &trial->test_case->steps[i];
        if (trial->evidence->settled[i] == JCK_NOT_RUN && step->round.index > 0) {
            continue; // there was no time for this round
        }
        if (trial->evidence->settled[i] == JCK_NOT_RUN) {
            // The end came first; what was sent for a later `receive` still requires its answers.
            judge_unreached(trial, unjudged, (int)i);
            return;
        }
        if (step->kind == JCK_STEP_SEND && jrpc_json_exists(step->http_answers)) {
            size_t before = trial->findings->count;
            jck_judge_http(trial, step, (int)i);
            mark_about(trial, before, JCK_ABOUT_HTTP);
            unjudged = (int)i + (step->expect.kind == JCK_EXPECT_UNSTATED ? 1 : 0);
            if (step->expect.kind == JCK_EXPECT_UNSTATED) {
                judge_unasked(trial, (int)i);
            }
            if (trial->enough) {
                return;
            }
        }
        bool sends = step->kind == JCK_STEP_SEND && step->expect.kind != JCK_EXPECT_UNSTATED;
        if (!sends && step->kind != JCK_STEP_RECEIVE) {
            continue;
        }
        jck_answers answers;
        size_t gathered = trial->findings->count;
        jck_variables_set_step(trial->variables, (int)i);
        if (!jck_gather(trial, sends ? (int)i : unjudged, (int)i, &answers)) {
            return;
        }
        name_unasked(trial, gathered, &answers);
        if (sends) {
            jck_judge_expectation(trial, &step->expect, &answers);
        } else {
            jck_judge_receive(trial, step, &answers);
        }
        bool shown = step->round.count > 0 && trial->findings->count > gathered;
        if (trial->enough || shown) {
            return; // further rounds could only show the same
        }
        unjudged = (int)i + 1;
    }
}

void jck_judge(const jck_suite *suite, const jck_case *test_case, jck_variables *variables,
               const jck_evidence *evidence, const jck_calibration *calibration, jrpc_arena *arena,
               jck_verdict *ret_verdict)
{
    jck_findings_init(&ret_verdict->findings, arena, suite, test_case);
    jck_trial trial = {
        .test_case = test_case,
        .variables = variables,
        .evidence = evidence,
        .calibration = calibration == NULL ? &uncalibrated : calibration,
        .findings = &ret_verdict->findings,
        .matching = {.resolve = jck_variables_resolve,
                     .context = variables,
                     .description = jck_suite_description(suite),
                     .arena = arena},
        .arena = arena,
    };
    trial.taken = jrpc_arena_array(arena, evidence->count + 1, sizeof *trial.taken);
    if (trial.taken == NULL) {
        trial.findings->failed = true;
        conclude(&trial, JCK_OUTCOME_ERROR, ret_verdict);
        return;
    }
    jck_trial_survey(&trial);
    if (test_case->side == JCK_SIDE_CLIENT) {
        jck_judge_client(&trial);
    } else {
        trial.evidence = jck_unwrapped(&trial);
        jck_trial_survey(&trial);
        jck_judge_openings(&trial);
        judge_steps(&trial);
        jck_judge_results(&trial);
        jck_judge_asides(&trial);
    }
    size_t answered = trial.findings->count;
    judge_flood(&trial);
    jck_outcome end = judge_end(&trial);
    mark_about(&trial, answered, JCK_ABOUT_END);
    mark_known(&trial);
    jck_name_circumstances(&trial);
    jck_explain_findings(&trial);
    conclude(&trial, end, ret_verdict);
    for (jck_read *read = trial.reads; read != NULL; read = read->next) {
        jrpc_json_document_done(&read->document);
    }
}
