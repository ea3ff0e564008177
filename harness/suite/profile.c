#include "harness/suite/profile.h"

#include "harness/suite/load.h"
#include "harness/suite/select.h"
#include "harness/suite/sends.h"

#include <string.h>
#include <strings.h>

bool jck_change_concerns_rule(const jck_change *change, jrpc_slice rule)
{
    for (size_t i = 0; change->kind == JCK_CHANGE_LEVEL && i < change->name_count; i++) {
        if (jrpc_slice_equal(change->names[i], rule)) {
            return true;
        }
    }
    return false;
}

static bool is_named(const jck_change *change, const jck_case *test_case)
{
    for (size_t i = 0; i < change->name_count; i++) {
        if (jck_pattern_matches_case(change->names[i].ptr, test_case)) {
            return true;
        }
    }
    return false;
}

// Answers that a profile accepts for whole kinds of message modify JSON-RPC 2.0: a case whose
// decisive rule departs from JSON-RPC 2.0 states itself what it wants.
static bool sends_one_of(const jck_change *change, const jck_case *test_case)
{
    bool sends = false;
    for (size_t i = 0; i < change->send_count && !sends; i++) {
        sends = jck_case_sends(test_case, change->sends[i]);
    }
    return sends && !(change->kind == JCK_CHANGE_ACCEPT && test_case->departs);
}

bool jck_change_concerns_case(const jck_change *change, const jck_case *test_case)
{
    if (change->kind == JCK_CHANGE_LEVEL) {
        return false;
    }
    if (change->kind == JCK_CHANGE_LEAVE_OUT &&
        ((change->hazards && test_case->hazard) ||
         (change->methods && jck_case_needs_method(test_case)))) {
        return true;
    }
    return sends_one_of(change, test_case) || is_named(change, test_case);
}

static void set_levels(jck_suite *suite, const jck_change *change)
{
    for (size_t i = 0; i < suite->rule_count; i++) {
        jck_rule *rule = &suite->rules[i];
        if (jck_change_concerns_rule(change, rule->id)) {
            rule->level = change->off ? rule->level : change->level;
            rule->off = change->off;
            rule->profiled = true;
        }
    }
}

// What a profile accepts is tried before what the profile it extends accepts.
static bool accept_in_step(jrpc_arena *arena, const jck_change *change, jck_step *step)
{
    size_t count = change->answer_count + step->expect.accepted_count;
    jck_expect *accepted = jrpc_arena_array(arena, count, sizeof *accepted);
    if (accepted == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        accepted[i] = i < change->answer_count ? change->answers[i]
                                               : step->expect.accepted[i - change->answer_count];
    }
    step->expect.accepted = accepted;
    step->expect.accepted_count = count;
    return true;
}

// Whether what is accepted refuses a notification, which may then come wherever one was sent.
static bool is_about_notifications(const jck_change *change)
{
    return change->send_count == 1 && jrpc_slice_is(change->sends[0], "notification") &&
           change->name_count == 0;
}

// The answers are accepted for the steps that send such messages, in a named case for every step.
// Notifications still get silence, unless the profile names notifications; a refused batch gets one
// Response whatever it contains.
static bool is_accepted_in(const jck_change *change, const jck_case *test_case,
                           const jck_step *step, bool named)
{
    bool silent = step->expect.kind == JCK_EXPECT_NOTHING;
    bool does = named && !silent;
    for (size_t i = 0; i < change->send_count && !does && !test_case->departs; i++) {
        does = jck_step_sends(step, change->sends[i]) &&
               (!silent || jrpc_slice_is(change->sends[i], "batch") ||
                jrpc_slice_is(change->sends[i], "notification"));
    }
    return does && step->kind == JCK_STEP_SEND &&
           (step->expect.kind != JCK_EXPECT_UNSTATED || is_about_notifications(change));
}

static bool accept_in_case(jrpc_arena *arena, const jck_change *change, jck_case *test_case)
{
    bool named = is_named(change, test_case);
    jck_step *steps = jrpc_arena_array(arena, test_case->step_count, sizeof *steps);
    if (steps == NULL) {
        return false;
    }
    for (size_t i = 0; i < test_case->step_count; i++) {
        steps[i] = test_case->steps[i];
        if (is_accepted_in(change, test_case, &steps[i], named) &&
            !accept_in_step(arena, change, &steps[i])) {
            return false;
        }
    }
    test_case->steps = steps;
    return true;
}

// What the revision does not have yet, or no longer has, is not tested.
static void drop_other_revisions(jck_suite *suite, jrpc_slice revision)
{
    for (size_t i = 0; i < suite->rule_count; i++) {
        jck_rule *rule = &suite->rules[i];
        if (!jck_span_has(&rule->span, revision)) {
            rule->off = true;
            rule->profiled = true;
        }
    }
}

static bool set_answers(jck_suite *suite, const jck_change *change)
{
    for (size_t i = 0; i < suite->case_count; i++) {
        if (jck_change_concerns_case(change, &suite->cases[i]) &&
            !accept_in_case(&suite->arena, change, &suite->cases[i])) {
            return false;
        }
    }
    return true;
}

bool jck_profile_apply(jck_suite *suite, const jck_profile *profile, jrpc_error *error)
{
    drop_other_revisions(suite, profile->revision);
    for (size_t i = 0; i < profile->change_count; i++) {
        const jck_change *change = &profile->changes[i];
        switch (change->kind) {
        case JCK_CHANGE_LEVEL:
            set_levels(suite, change);
            break;
        case JCK_CHANGE_ACCEPT:
            if (!set_answers(suite, change)) {
                return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the profile");
            }
            break;
        case JCK_CHANGE_LEAVE_OUT:
            break;
        }
    }
    return true;
}

bool jck_profile_admit(const jck_profile *profile, jrpc_arena *arena, jck_case *test_case)
{
    for (size_t i = 0; i < profile->change_count; i++) {
        const jck_change *change = &profile->changes[i];
        if (!jck_change_concerns_case(change, test_case)) {
            continue;
        }
        if (change->kind == JCK_CHANGE_LEAVE_OUT || !accept_in_case(arena, change, test_case)) {
            return false;
        }
    }
    return true;
}

void jck_profile_restrict(const jck_suite *suite, const jck_profile *profile, bool *selected)
{
    for (size_t i = 0; i < suite->case_count; i++) {
        const jck_case *test_case = &suite->cases[i];
        const jck_rule *decisive = jck_suite_find_rule(suite, test_case->rules[0]);
        bool out = (decisive != NULL && decisive->off) ||
                   !jck_span_has(&test_case->span, profile->revision);
        for (size_t c = 0; c < profile->change_count && !out; c++) {
            out = profile->changes[c].kind == JCK_CHANGE_LEAVE_OUT &&
                  jck_change_concerns_case(&profile->changes[c], test_case);
        }
        selected[i] = selected[i] && !out;
    }
}

static bool declare(const jck_profile *profile, jck_target *target)
{
    jrpc_slice *declares = jrpc_arena_array(
        &target->arena, target->declare_count + profile->declare_count + 1, sizeof *declares);
    size_t count = 0;
    if (declares == NULL) {
        return false;
    }
    for (; count < target->declare_count; count++) {
        declares[count] = target->declares[count];
    }
    for (size_t i = 0; i < profile->declare_count; i++) {
        declares[count++] = profile->declares[i];
    }
    target->declares = declares;
    target->declare_count = count;
    return true;
}

// The target's own mappings, plus those of the profile for capabilities that it does not map.
static bool map(const jck_profile *profile, jck_target *target)
{
    jck_mapping *items = jrpc_arena_array(
        &target->arena, target->mapping_count + profile->mapping_count + 1, sizeof *items);
    size_t count = 0;
    if (items == NULL) {
        return false;
    }
    for (; count < target->mapping_count; count++) {
        items[count] = target->mappings[count];
    }
    for (size_t i = 0; i < profile->mapping_count; i++) {
        if (jck_target_mapping(target, profile->mappings[i].capability) == NULL) {
            items[count++] = profile->mappings[i];
        }
    }
    target->mappings = items;
    target->mapping_count = count;
    return true;
}

// Whether one of the lines has the same name as `line`, ignoring case.
static bool has_header(const char *const *lines, const char *line)
{
    size_t len = strcspn(line, ":") + 1;
    for (; lines != NULL && *lines != NULL; lines++) {
        if (strncasecmp(*lines, line, len) == 0) {
            return true;
        }
    }
    return false;
}

// The target's own headers, plus those of `more` that neither list of the target names.
static bool add_headers(jck_target *target, const char *const *more, const char *const **list)
{
    size_t own = 0;
    size_t count = 0;
    while (*list != NULL && (*list)[own] != NULL) {
        own++;
    }
    while (more != NULL && more[count] != NULL) {
        count++;
    }
    if (count == 0) {
        return true;
    }
    const char **lines = jrpc_arena_array(&target->arena, own + count + 1, sizeof *lines);
    if (lines == NULL) {
        return false;
    }
    for (size_t i = 0; i < own; i++) {
        lines[i] = (*list)[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (!has_header(target->headers, more[i]) &&
            !has_header(target->session_headers, more[i])) {
            lines[own++] = more[i];
        }
    }
    *list = lines;
    return true;
}

static bool add_all_headers(const jck_profile *profile, jck_target *target)
{
    if (target->mirror_count == 0) {
        target->mirrors = profile->mirrors;
        target->mirror_count = profile->mirror_count;
    }
    return add_headers(target, profile->headers, &target->headers) &&
           add_headers(target, profile->session_headers, &target->session_headers);
}

bool jck_profile_adopt(const jck_profile *profile, jck_target *target, jrpc_error *error)
{
    target->profile = profile->name;
    target->refusals = profile->refusals;
    target->refusal_count = profile->refusal_count;
    if (profile->framing_given && !target->framing_given &&
        jck_target_traits(target)->byte_stream) {
        target->framing = profile->framing;
        target->framing_given = true;
    }
    if (target->orderly_statuses == NULL) {
        target->orderly_statuses = profile->orderly_statuses;
        target->orderly_status_count = profile->orderly_status_count;
    }
    // An empty list of steps is a statement too: no prelude.
    if (target->prelude == NULL) {
        target->prelude = profile->prelude;
        target->prelude_count = profile->prelude_count;
    }
    if (target->postlude == NULL) {
        target->postlude = profile->postlude;
        target->postlude_count = profile->postlude_count;
    }
    if (!jrpc_json_exists(target->requests)) {
        target->requests = profile->requests;
    }
    target->client_requests = profile->client_requests;
    if (!jrpc_json_exists(target->request_params)) {
        target->request_params = profile->request_params;
    }
    return (map(profile, target) && add_all_headers(profile, target) && declare(profile, target)) ||
           jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
}
