// What the caller of a client saw, as its driver reports it.
#include "harness/judge/client_view.h"
#include "harness/judge/doubles.h"
#include "harness/judge/trial.h"
#include "reference/json/equal.h"

enum { SHOWN_BYTES = 300 };

static bool matches(jck_trial *trial, jrpc_json pattern, jrpc_json line);

// The outcomes of a batch, one for each of its Requests; null for a notification.
static bool matches_list(jck_trial *trial, jrpc_json patterns, jrpc_json list)
{
    bool same =
        jrpc_json_is(list, JRPC_JSON_ARRAY) && jrpc_json_count(list) == jrpc_json_count(patterns);
    for (uint32_t i = 0; same && i < jrpc_json_count(patterns); i++) {
        jrpc_json pattern = jrpc_json_element(patterns, i);
        jrpc_json element = jrpc_json_element(list, i);
        same = jrpc_json_is(pattern, JRPC_JSON_OBJECT) ? matches(trial, pattern, element)
                                                       : jrpc_json_equal(pattern, element);
    }
    return same;
}

// Whether a member of the driver's report matches; an error may have further members.
static bool fits(const jck_trial *trial, jrpc_slice name, jrpc_json pattern, jrpc_json value)
{
    return jrpc_slice_is(name, "error") ? jck_match_subset(&trial->matching, pattern, value)
                                        : jck_match(&trial->matching, pattern, value);
}

// Whether the driver's report has every member that the pattern names, with a matching value.
// `failed` is a text of the library's own and is never compared; `hangs-up` is not a member of the
// report: it asks whether the client has closed a connection by itself.
static bool matches(jck_trial *trial, jrpc_json pattern, jrpc_json line)
{
    bool same = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); same && jrpc_json_step(&it);) {
        jrpc_slice name;
        if (!jrpc_json_string(it.key, trial->arena, &name)) {
            return false;
        }
        jrpc_json value = jrpc_json_member(line, name);
        if (jrpc_slice_is(name, "failed")) {
            same = jrpc_json_exists(value);
        } else if (jrpc_slice_is(name, "hangs-up")) {
            same = trial->evidence->caller_left;
        } else if (jrpc_slice_is(name, "list")) {
            same = matches_list(trial, it.value, value);
        } else {
            same = fits(trial, name, it.value, value) ||
                   (jrpc_json_exists(value) && fits(trial, name, jck_in_doubles(trial, it.value),
                                                    jck_in_doubles(trial, value)));
        }
    }
    return same;
}

bool jck_is_failure(jrpc_json outcome)
{
    return jrpc_json_exists(jrpc_json_get(outcome, "failed")) ||
           jrpc_json_exists(jrpc_json_get(outcome, "error"));
}

static bool accepts(jck_trial *trial, const jck_expect *expect, jrpc_json line)
{
    return expect->kind == JCK_EXPECT_ANYTHING ||
           (expect->kind == JCK_EXPECT_RESPONSE && matches(trial, expect->pattern, line));
}

// The specification of JSON-RPC does not say what a caller sees, so a violation is not a MUST,
// unless the rule is one of a transport or a profile's documents make it one.
// `accepted`: the case accepts the outcome with a warning.
static jck_level level_of_outcome(const jck_trial *trial, jrpc_slice rule, bool accepted)
{
    const jck_rule *known = jck_suite_find_rule(trial->findings->suite, rule);
    bool binds =
        known != NULL && (known->profiled || (known->level == JCK_LEVEL_MUST && !accepted));
    return binds ? known->level : JCK_LEVEL_SHOULD;
}

// Records an alternative that fits.
static void take(jck_trial *trial, const jck_expect *alternative, int index, const char *shown)
{
    jrpc_slice rule = alternative->rule.len > 0 ? alternative->rule : trial->test_case->rules[0];
    switch (alternative->taken_as) {
    case JCK_TAKEN_AS_PASS:
        break;
    case JCK_TAKEN_AS_WARN:
        jck_add_finding_of_at(trial->findings, index, rule, level_of_outcome(trial, rule, true),
                              "the caller got %s", shown);
        break;
    case JCK_TAKEN_AS_OBSERVE:
    case JCK_TAKEN_AS_ENOUGH:
        jck_observe(trial->findings, rule, alternative->observation);
        trial->enough = alternative->taken_as == JCK_TAKEN_AS_ENOUGH;
        break;
    }
}

// Whether the outcome is the answer to another call. Cases give every answer its own value, so a
// value shows which call it belongs to; null, true, false and small values do not.
static bool is_of_another(jck_client_view *view, const jck_commanded *of, jrpc_json result)
{
    jck_trial *trial = view->trial;
    jrpc_json_kind kind = jrpc_json_kind_of(result);
    if (kind < JRPC_JSON_NUMBER || of->step->command.request_count != 1) {
        return false;
    }
    const jck_asked *own = NULL;
    for (size_t i = 0; i < view->asked.count && own == NULL; i++) {
        own = view->asked.items[i].step == of->index ? &view->asked.items[i] : NULL;
    }
    jrpc_json id = own == NULL || !own->heard ? JRPC_JSON_ABSENT : jrpc_json_get(own->came, "id");
    bool another = false;
    jck_sent_walk walk = jck_walk_sent_of_case(trial);
    while (jck_sent_step(&walk)) {
        if (!jrpc_json_equal(jrpc_json_get(walk.value, "result"), result)) {
            continue;
        }
        if (jrpc_json_exists(id) && jrpc_json_equal(jrpc_json_get(walk.value, "id"), id)) {
            return false;
        }
        another = true;
    }
    return another;
}

static const char *shown_line(jck_trial *trial, jrpc_json line)
{
    static const char *const members[] = {"result", "error", "failed", "list", "unwritable"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        jrpc_json value = jrpc_json_get(line, members[i]);
        if (jrpc_json_exists(value)) {
            const char *text = jrpc_arena_printf(
                trial->arena, "%s %s", members[i],
                jck_excerpt(trial->arena, jrpc_json_spelling(value), SHOWN_BYTES));
            return text == NULL ? "?" : text;
        }
    }
    return jck_excerpt(trial->arena, jrpc_json_spelling(line), SHOWN_BYTES);
}

// The pattern of the first right outcome; ABSENT if any outcome is right.
static jrpc_json first_pattern(const jck_expect *expect)
{
    const jck_expect *first = expect->kind == JCK_EXPECT_ANY_OF && expect->alternative_count > 0
                                  ? expect->alternatives
                                  : expect;
    return first->kind == JCK_EXPECT_RESPONSE ? first->pattern : JRPC_JSON_ABSENT;
}

static const char *shown_expect(jck_trial *trial, jrpc_json pattern)
{
    return jrpc_json_exists(pattern) ? shown_line(trial, pattern) : "whatever ends the call";
}

// Whether a rule is about how a Request is written.
static bool is_of_requests(jck_trial *trial, jrpc_slice rule)
{
    bool is = false;
    for (int role = JCK_ROLE_REQUEST_VERSION; role <= JCK_ROLE_UNASKED_ANSWERS && !is; role++) {
        is = jck_trial_has_role(trial, rule, (jck_role)role);
    }
    return is;
}

bool jck_is_of_notifications(const jck_step *step)
{
    size_t notifications = 0;
    for (size_t i = 0; i < step->command.request_count; i++) {
        notifications += step->command.requests[i].notify;
    }
    return notifications > 0 && notifications == step->command.request_count;
}

// Whether the client wrote anything between a command and its end.
static bool wrote_for(jck_trial *trial, const jck_commanded *of)
{
    bool wrote = false;
    for (size_t i = 0; i < trial->evidence->count && !wrote; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        wrote = message->step >= of->index && message->at_us <= of->ended_us &&
                message->direction == JCK_RECEIVED && message->connection != '-';
    }
    return wrote;
}

static bool has_finding(const jck_trial *trial, jrpc_slice rule)
{
    for (size_t i = 0; i < trial->findings->count; i++) {
        if (jrpc_slice_equal(trial->findings->items[i].rule, rule)) {
            return true;
        }
    }
    return false;
}

static void judge_difference(jck_client_view *view, const jck_step *step, int index,
                             const jck_commanded *of)
{
    jck_trial *trial = view->trial;
    const char *shown = shown_line(trial, of->outcome);
    if (is_of_another(view, of, jrpc_json_get(of->outcome, "result"))) {
        jck_add_finding(trial->findings, index, JCK_ROLE_RESULT_OF_ITS_OWN,
                        "the caller got %s, which is the answer to another call", shown);
        return;
    }
    jrpc_slice rule =
        step->expect.otherwise.len > 0 ? step->expect.otherwise : trial->test_case->rules[0];
    if (jck_is_failure(of->outcome) && !wrote_for(trial, of) &&
        (is_of_requests(trial, rule) || jck_is_of_notifications(of->step))) {
        // What the library refuses to send breaks no rule about what is written.
        jck_observe(trial->findings, rule, JRPC_SLICE("refused"));
        return;
    }
    if (is_of_requests(trial, rule) && !(jck_is_failure(of->outcome) && has_finding(trial, rule))) {
        // A call may fail because its Request was written incorrectly, but that does not change a
        // result. A correct Request does not explain a failure.
        rule = jck_findings_rule(trial->findings, JCK_ROLE_RESULT_AS_SENT);
    }
    jrpc_json pattern = first_pattern(&step->expect);
    size_t before = trial->findings->count;
    jck_add_finding_of_at(trial->findings, index, rule, level_of_outcome(trial, rule, false),
                          "the caller got %s; expected %s", shown, shown_expect(trial, pattern));
    if (jck_equal_when_rounded(trial, jrpc_json_get(pattern, "result"),
                               jrpc_json_get(of->outcome, "result"))) {
        jck_name_difference(trial->findings, before, JCK_DIFFERENCE_ROUNDED);
    }
}

void jck_judge_outcome(jck_client_view *view, const jck_step *step, int index,
                       const jck_commanded *of)
{
    jck_trial *trial = view->trial;
    const jck_expect *expect = &step->expect;
    bool any_of = expect->kind == JCK_EXPECT_ANY_OF;
    size_t count = any_of ? expect->alternative_count : 1;
    for (size_t i = 0; i < count; i++) {
        const jck_expect *alternative = any_of ? &expect->alternatives[i] : expect;
        if (accepts(trial, alternative, of->outcome)) {
            take(trial, alternative, index, shown_line(trial, of->outcome));
            return;
        }
    }
    judge_difference(view, step, index, of);
}

void jck_judge_event(jck_client_view *view, const jck_step *step, int index)
{
    jck_trial *trial = view->trial;
    const jck_expect *expect = &step->expect;
    bool any_of = expect->kind == JCK_EXPECT_ANY_OF;
    const char *came = "nothing";
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->role != JCK_MESSAGE_OF_DRIVER || message->direction != JCK_RECEIVED) {
            continue;
        }
        jrpc_json line = jck_trial_read(trial, message->bytes, NULL);
        if (!jrpc_json_exists(jrpc_json_get(line, "event"))) {
            continue;
        }
        came = shown_line(trial, line);
        for (size_t k = 0; k < (any_of ? expect->alternative_count : 1); k++) {
            const jck_expect *alternative = any_of ? &expect->alternatives[k] : expect;
            if (accepts(trial, alternative, line)) {
                take(trial, alternative, index, came);
                return;
            }
        }
    }
    jrpc_slice id = expect->otherwise.len > 0 ? expect->otherwise : trial->test_case->rules[0];
    const jck_rule *rule = jck_suite_find_rule(trial->findings->suite, id);
    if (rule != NULL && jck_case_level(trial->test_case, rule) == JCK_LEVEL_OBSERVE) {
        jck_observe(trial->findings, id, JRPC_SLICE("not handed out"));
        trial->enough = true; // what a client does not expose now, it need not expose later either
        return;
    }
    jck_add_finding_of_at(trial->findings, index, id, JCK_LEVEL_SHOULD,
                          "the driver reports %s; expected %s", came,
                          shown_expect(trial, first_pattern(expect)));
}
