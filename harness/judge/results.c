#include "harness/judge/results.h"

#include "harness/judge/trial.h"
#include "reference/json/equal.h"

// A result message as received.
typedef struct result {
    const jck_message *message;
    jrpc_json value;
    jrpc_json request_id;
    jrpc_json key; // what it belongs to: request_id, or target if there is none
    bool of_request;
} result;

static bool is_final_verb(jrpc_json value)
{
    return jrpc_json_string_is(jrpc_json_get(value, "verb"), JRPC_SLICE("return"));
}

static bool ends_with(jrpc_slice text, const char *suffix)
{
    jrpc_slice end = jrpc_slice_str(suffix);
    return text.len >= end.len && jrpc_slice_equal(jrpc_slice_from(text, text.len - end.len), end);
}

bool jck_is_result(const jck_trial *trial, jrpc_json value)
{
    const jck_specification *by = trial->findings->judged_by;
    jrpc_json verb = jrpc_json_get(value, "verb");
    jrpc_slice method = {NULL, 0};
    if (by == NULL || by->roles[JCK_ROLE_RESULT_FORM] == NULL ||
        !jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return false;
    }
    if (jrpc_json_string_is(verb, JRPC_SLICE("yield")) || is_final_verb(value)) {
        return true;
    }
    return jrpc_json_exists(jrpc_json_get(value, "result")) &&
           jrpc_json_string(jrpc_json_get(value, "method"), trial->arena, &method) &&
           (ends_with(method, ".yield") || ends_with(method, ".return"));
}

// Whether the id was generated in an earlier execution.
static bool is_of_another_execution(const jck_trial *trial, jrpc_json id)
{
    int step = 0;
    return jck_variables_origin(trial->variables, id, &step) == JCK_ID_OF_ANOTHER ||
           jck_variables_is_earlier_number(trial->variables, id);
}

// "<resource>.<verb>" or "<resource>.<subresource>.<verb>".
static bool method_agrees(jck_trial *trial, jrpc_json value)
{
    static const char *const parts[] = {"resource", "subresource", "verb"};
    jrpc_slice method = {NULL, 0};
    const char *derived = "";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && derived != NULL; i++) {
        jrpc_json part = jrpc_json_get(value, parts[i]);
        jrpc_slice word = {NULL, 0};
        if (!jrpc_json_exists(part) && i == 1) {
            continue;
        }
        if (!jrpc_json_string(part, trial->arena, &word)) {
            return false;
        }
        derived = jrpc_arena_printf(trial->arena, "%s%s%.*s", derived, i == 0 ? "" : ".",
                                    (int)word.len, word.len == 0 ? "" : word.ptr);
    }
    return derived != NULL &&
           jrpc_json_string(jrpc_json_get(value, "method"), trial->arena, &method) &&
           jrpc_slice_is(method, derived);
}

static void judge_form(jck_trial *trial, const result *one)
{
    static const struct {
        const char *member;
        jrpc_json_kind kind; // NONE: any
        const char *sentence;
    } wanted[] = {
        {"resource", JRPC_JSON_STRING, "a result message has a `resource`, a String"},
        {"verb", JRPC_JSON_STRING, "a result message has a `verb`, yield or return"},
        {"method", JRPC_JSON_STRING, "a result message has a `method`"},
        {"result", JRPC_JSON_NONE, "a result message has a `result`"},
    };
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && wrong == NULL; i++) {
        jrpc_json member = jrpc_json_get(one->value, wanted[i].member);
        bool there = wanted[i].kind == JRPC_JSON_NONE ? jrpc_json_exists(member)
                                                      : jrpc_json_is(member, wanted[i].kind);
        wrong = there ? NULL : wanted[i].sentence;
    }
    if (wrong == NULL && jrpc_json_exists(jrpc_json_get(one->value, "id"))) {
        wrong = "a result message is a notification: it has no `id`";
    }
    if (wrong == NULL && !method_agrees(trial, one->value)) {
        wrong = "the `method` of a result message is <resource>.<verb>";
    }
    if (wrong != NULL) {
        jck_add_finding(trial->findings, one->message->step, JCK_ROLE_RESULT_FORM, "%s: %s", wrong,
                        jck_shown(trial, one->value));
    }
}

// What a status means, and the verb used with it.
static const struct {
    const char *status;
    bool final;
} statuses[] = {{"accepted", false}, {"pending", false}, {"done", true}, {"error", true}};

static void judge_status(jck_trial *trial, const result *one)
{
    jrpc_json status = jrpc_json_get(jrpc_json_get(one->value, "result"), "status");
    size_t count = sizeof statuses / sizeof statuses[0];
    size_t i = 0;
    while (i < count && !jrpc_json_string_is(status, jrpc_slice_str(statuses[i].status))) {
        i++;
    }
    if (i == count) {
        jck_add_finding(trial->findings, one->message->step, JCK_ROLE_RESULT_STATUS,
                        "`result.status` is to be accepted, pending, done or error: %s",
                        jck_shown(trial, one->value));
    } else if (statuses[i].final != is_final_verb(one->value)) {
        jck_add_finding(trial->findings, one->message->step, JCK_ROLE_RESULT_STATUS_OF_VERB,
                        "a yield carries accepted or pending, a return done or error: %s",
                        jck_shown(trial, one->value));
    }
}

// How an id that was sent compares with a request_id.
typedef enum likeness {
    UNLIKE,
    SIMILAR, // the same content between quotes or brackets: another type
    SAME,
} likeness;

static likeness compare_ids(jrpc_json id, jrpc_json request_id)
{
    jrpc_slice inner = jrpc_json_spelling(id);
    jrpc_slice outer = jrpc_json_spelling(request_id);
    if (!jrpc_json_exists(id) || jrpc_json_equal(id, request_id)) {
        return jrpc_json_exists(id) ? SAME : UNLIKE;
    }
    if (inner.len > outer.len) {
        inner = jrpc_json_spelling(request_id);
        outer = jrpc_json_spelling(id);
    }
    jrpc_slice within = jrpc_slice_of(outer.ptr + 1, inner.len);
    return outer.len == inner.len + 2 && jrpc_slice_equal(within, inner) ? SIMILAR : UNLIKE;
}

// The message of ours with the call whose id is nearest to `request_id`; NULL if none resembles it.
static const jck_message *find_request(jck_trial *trial, jrpc_json request_id,
                                       likeness *ret_likeness)
{
    const jck_message *found = NULL;
    *ret_likeness = UNLIKE;
    jck_sent_walk walk = jck_walk_sent_of_case(trial);
    while (*ret_likeness < SAME && jck_sent_step(&walk)) {
        likeness here = compare_ids(jrpc_json_get(walk.value, "id"), request_id);
        if (here > *ret_likeness) {
            *ret_likeness = here;
            found = walk.message;
        }
    }
    return found;
}

static bool waits_for_messages(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].kind == JCK_STEP_RECEIVE) {
            return true;
        }
    }
    return false;
}

static void judge_request(jck_trial *trial, const result *one)
{
    likeness found = UNLIKE;
    if (!one->of_request) {
        return;
    }
    const jck_message *request = find_request(trial, one->request_id, &found);
    if (found == UNLIKE && !waits_for_messages(trial->test_case)) {
        return; // an earlier case may have sent the request without waiting for its results
    }
    if (found < SAME) {
        jck_add_finding(
            trial->findings, one->message->step, JCK_ROLE_RESULT_REQUEST,
            found == SIMILAR
                ? "`request_id` has the content of an id that was sent, but another type: "
                  "%s"
                : "`request_id` is not the id of any request that was sent: %s",
            jck_shown(trial, one->value));
        return;
    }
    jck_observe_role(trial->findings, JCK_ROLE_RESULT_CONNECTION,
                     request->connection == one->message->connection
                         ? JRPC_SLICE("on the connection of the request")
                         : JRPC_SLICE("on another connection"));
}

static bool is_status(jrpc_json value, const char *status)
{
    return jrpc_json_string_is(jrpc_json_get(jrpc_json_get(value, "result"), "status"),
                               jrpc_slice_str(status));
}

// Targets of two resources are different things, whatever their names.
static bool is_of_same_resource(jrpc_json a, jrpc_json b)
{
    jrpc_json left = jrpc_json_get(a, "resource");
    jrpc_json right = jrpc_json_get(b, "resource");
    return jrpc_json_exists(left) == jrpc_json_exists(right) &&
           (!jrpc_json_exists(left) || jrpc_json_equal(left, right));
}

// Nothing follows the final message of a correlation. That `done` in a yield is final too is only
// implied.
static void judge_order(jck_trial *trial, const result *results, size_t index)
{
    const result *one = &results[index];
    for (size_t i = 0; i < index; i++) {
        const result *before = &results[i];
        if (before->of_request != one->of_request || !jrpc_json_exists(one->key) ||
            !jrpc_json_equal(before->key, one->key) ||
            (!one->of_request && !is_of_same_resource(before->value, one->value))) {
            continue;
        }
        bool final = is_final_verb(before->value) || is_status(before->value, "error");
        if (final) {
            jck_add_finding_at(trial->findings, one->message->step, JCK_ROLE_RESULT_FINAL,
                               JCK_LEVEL_MUST, "after the final message %s came %s",
                               jck_shown(trial, before->value), jck_shown(trial, one->value));
            return;
        }
        if (is_status(before->value, "done")) {
            jck_add_finding_at(trial->findings, one->message->step, JCK_ROLE_RESULT_FINAL,
                               JCK_LEVEL_SHOULD, "after a message with status done came %s",
                               jck_shown(trial, one->value));
        }
    }
}

void jck_judge_results(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    result *results = jrpc_arena_array(trial->arena, evidence->count + 1, sizeof *results);
    size_t count = 0;
    if (results == NULL) {
        trial->findings->failed = true;
        return;
    }
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction != JCK_RECEIVED || message->role != JCK_MESSAGE_OF_CASE ||
            message->true_len > message->bytes.len) {
            continue;
        }
        jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
        jrpc_json request_id = jrpc_json_get(value, "request_id");
        if (!jck_is_result(trial, value) || is_of_another_execution(trial, request_id)) {
            continue;
        }
        bool of_request = jrpc_json_exists(request_id);
        results[count] =
            (result){message, value, request_id,
                     of_request ? request_id : jrpc_json_get(value, "target"), of_request};
        judge_form(trial, &results[count]);
        judge_status(trial, &results[count]);
        judge_request(trial, &results[count]);
        judge_order(trial, results, count);
        count++;
    }
}
