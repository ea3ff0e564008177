#include "harness/live/replay.h"

#include "harness/judge/repeats.h"
#include "harness/live/relation.h"
#include "harness/live/save.h"
#include "reference/base/hash.h"

#define CASE_BYTES ((size_t)256 << 20)
#define TEXT_BYTES ((size_t)64 << 20)
// An error message that quotes more than this may be long only because of the quotation.
#define QUOTED_MOST 200u

void jck_replay_init(jck_replay *replay, jck_worker *worker, const jck_due_context *context,
                     const jck_profile *profile)
{
    static const jrpc_slice folder = {"jsonrpc-2.0", sizeof "jsonrpc-2.0" - 1};
    *replay = (jck_replay){
        .worker = worker,
        .context = context,
        .profile = profile,
        .rules = jck_live_rules_of(worker->ledger->options->suite, folder),
    };
    jrpc_arena_init(&replay->arena, jrpc_allocator_heap(), CASE_BYTES);
    jrpc_buffer_init(&replay->text, jrpc_allocator_heap(), TEXT_BYTES);
}

void jck_replay_done(jck_replay *replay)
{
    jck_attempt_free(replay->attempt);
    jrpc_buffer_done(&replay->text);
    jrpc_arena_done(&replay->arena);
}

static uint64_t number_for(jrpc_slice what, uint64_t which)
{
    return jrpc_hash_number(jrpc_hash_bytes(what), which) | 1u;
}

// A number for what a finding shows. A message that is not a valid Request can be wrong in the same
// way with any method and any id: the answer to it is one difference, unless it is a result. So is
// the answer to a call of a name that no method has, whatever its id is.
static uint64_t difference_of(const jck_replay *replay, const jck_composition *composition,
                              const jck_finding *finding)
{
    const jck_shot *shot = &composition->shots[jck_composition_shot(composition, finding->step)];
    if (jck_composition_is_related(composition)) {
        return number_for(JRPC_SLICE("related"), shot->relation);
    }
    // What clients that leave do to others shows in one way or another.
    if (jck_composition_has_visits(composition)) {
        return number_for(JRPC_SLICE("visits"), finding->level);
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    const jck_due due = jck_due_for(replay->context, shot->bytes, &document);
    jrpc_json_document_done(&document);
    // An answer that waits for the next message waits whatever it answers.
    if (shot->parting == JCK_PARTING_ALONE && finding->level == JCK_LEVEL_MUST) {
        return number_for(JRPC_SLICE("alone"), due.kind == JCK_DUE_BATCH ? 1 : 0);
    }
    if (due.name != JCK_NAME_ANY &&
        jrpc_slice_equal(finding->rule, jck_live_rule_for(&replay->rules, &due))) {
        uint64_t difference = jrpc_hash_number(jrpc_hash_bytes(finding->rule), due.name);
        return jrpc_hash_number(difference, finding->level) | 1u;
    }
    // What a method that fails should give differs with each call, and so does the number of
    // effects.
    if (jrpc_slice_equal(finding->rule, replay->rules.code) ||
        jrpc_slice_equal(finding->rule, replay->rules.data) ||
        jrpc_slice_equal(finding->rule, replay->rules.failure) ||
        jrpc_slice_equal(finding->rule, replay->rules.effect) ||
        jrpc_slice_equal(finding->rule, replay->rules.no_effect)) {
        return number_for(finding->rule, finding->level);
    }
    bool about_validity = jrpc_slice_equal(finding->rule, replay->rules.invalid);
    if (due.form != JCK_FORM_INVALID || !about_validity) {
        return jck_repeats_difference(
            finding->rule, finding->difference.len > 0 ? finding->difference : finding->text);
    }
    bool result = jrpc_slice_is(finding->difference, JCK_DIFFERENCE_RESULT);
    uint64_t difference = jrpc_hash_number(jrpc_hash_bytes(finding->rule), due.reason);
    return jrpc_hash_number(jrpc_hash_number(difference, finding->level), result ? 1 : 0) | 1u;
}

// Whether an exchange other than the first failed because the target had closed the connection
// after the exchange before, which is allowed (RFC 9112, section 9.6).
static bool is_of_kept_connection(const jck_replay *replay, const jck_finding *finding)
{
    const jck_evidence *evidence = &replay->attempt->evidence;
    return jck_target_traits(replay->context->target)->exchanges && finding->step > 0 &&
           evidence->settled[finding->step] == JCK_GONE && !evidence->process_gone;
}

// Whether the finding is that an error message is not concise, and what was sent has line breaks or
// is long: the message may quote it.
static bool is_of_quotation(const jck_composition *composition, const jck_findings *findings,
                            const jck_finding *finding)
{
    size_t at = finding->step >= 0 ? jck_composition_shot(composition, finding->step) : 0;
    jrpc_slice sent = composition->shots[at].bytes;
    jrpc_slice concise = jck_findings_rule(findings, JCK_ROLE_MESSAGE_CONCISE);
    bool breaks = jrpc_slice_contains(sent, JRPC_SLICE("\\n")) ||
                  jrpc_slice_contains(sent, JRPC_SLICE("\\r")) ||
                  jrpc_slice_contains(sent, JRPC_SLICE("\\u00")) ||
                  jrpc_slice_contains(sent, JRPC_SLICE("\n"));
    return jrpc_slice_equal(finding->rule, concise) && (breaks || sent.len > QUOTED_MOST);
}

// The worst finding that no ground case has already reported.
static bool find_worst(jck_replay *replay, const jck_composition *composition, jck_found *ret_found)
{
    const jck_ledger *ledger = replay->worker->ledger;
    const jck_findings *findings = &replay->attempt->verdict.findings;
    const jck_finding *worst = NULL;
    if (jck_composition_is_related(composition)) {
        const bool shown = jck_relation_is_shown(composition, findings, &worst);
        *ret_found = (jck_found){.finding = worst};
        ret_found->difference = shown ? difference_of(replay, composition, worst) : 0;
        return shown && !jck_ledger_is_broken(ledger, worst->rule);
    }
    for (size_t i = 0; i < findings->count; i++) {
        const jck_finding *finding = &findings->items[i];
        bool counts = finding->level != JCK_LEVEL_OBSERVE &&
                      !is_of_kept_connection(replay, finding) &&
                      !is_of_quotation(composition, findings, finding);
        bool known = finding->known || jck_ledger_is_broken(ledger, finding->rule);
        replay->known = replay->known || (counts && known);
        counts = counts && !known;
        if (counts && (worst == NULL || finding->level > worst->level)) {
            worst = finding;
        }
    }
    // That a message which should be refused has an effect is no news if it is known to be
    // accepted.
    if (worst == NULL ||
        (replay->known && jrpc_slice_equal(worst->rule, replay->rules.no_effect))) {
        return false;
    }
    *ret_found = (jck_found){
        .finding = worst,
        .difference = difference_of(replay, composition, worst),
    };
    return true;
}

// Reads the composition as a case; false if it is not a valid one, or the profile does not run such
// cases.
static bool compose(jck_replay *replay, const jck_composition *composition)
{
    jrpc_error ignored = {0};
    jck_composition whole = *composition;
    whole.context = replay->context;
    whole.rules = &replay->rules;
    jck_attempt_free(replay->attempt);
    replay->attempt = NULL;
    jrpc_arena_clear(&replay->arena);
    jrpc_buffer_clear(&replay->text);
    return jck_compose(&whole, &replay->text) &&
           jck_case_read(replay->worker->ledger->options->suite, jrpc_buffer_slice(&replay->text),
                         JRPC_SLICE(JCK_SAVE_SUITE), &replay->arena, &replay->test_case,
                         &ignored) &&
           (replay->profile == NULL ||
            jck_profile_admit(replay->profile, &replay->arena, &replay->test_case));
}

// A target of ours that stopped answering is ended, and started again by the next attempt, which
// would otherwise wait as long as a start may take. With several workers the others may be in the
// middle of something.
static void start_again_if_mute(const jck_replay *replay)
{
    const jck_outcome outcome = replay->attempt->verdict.outcome;
    if ((outcome == JCK_OUTCOME_STUCK || outcome == JCK_OUTCOME_HANG) &&
        replay->worker->ledger->jobs == 1) {
        jck_link_stop(&replay->worker->link);
    }
}

jck_replayed jck_replay_run(jck_replay *replay, const jck_composition *composition, jck_watch watch,
                            bool fresh, jck_found *ret_found)
{
    jck_worker *worker = replay->worker;
    jrpc_slice rule;
    replay->known = false;
    if (!compose(replay, composition) ||
        jck_ledger_blocks(worker->ledger, &replay->test_case, &rule)) {
        return JCK_REPLAYED_FINE;
    }
    if (fresh) {
        jck_link_drop(&worker->link);
    }
    switch (jck_worker_try(worker, &replay->test_case, watch, &replay->attempt)) {
    case JCK_TRIED:
        start_again_if_mute(replay);
        break;
    case JCK_TRIED_NO_ROOM:
    case JCK_TRIED_CUT_OFF:
    case JCK_TRIED_LIMITED:
        return JCK_REPLAYED_FINE;
    case JCK_TRIED_STOP:
        return JCK_REPLAYED_STOP;
    }
    return find_worst(replay, composition, ret_found) ? JCK_REPLAYED_FINDS : JCK_REPLAYED_FINE;
}
