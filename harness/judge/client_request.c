// What a client writes: each Request by itself, and compared with its driver's command.
#include "harness/judge/client_view.h"
#include "harness/judge/doubles.h"
#include "harness/suite/redirect.h"
#include "reference/json/equal.h"
#include "reference/rpc/message.h"

#include <string.h>

enum { TEMPORARY_REDIRECT = 307, SHOWN_METHOD_BYTES = 20 };

typedef struct writing {
    jck_client_view *view;
    jck_trial *trial;
    const jck_message *message;
    int step;
} writing;

static bool is_of(jrpc_json value, const jrpc_json_kind kinds[], size_t count)
{
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is = is || jrpc_json_is(value, kinds[i]);
    }
    return is;
}

// Whether the case is about JSON-RPC 1.0: no jsonrpc, params always an Array, the id of a
// notification null.
static bool is_of_1_0(const writing *w)
{
    return jck_trial_dialect(w->trial) == JCK_DIALECT_1_0;
}

static void check_version(const writing *w, jrpc_json object)
{
    jrpc_json version = jrpc_json_get(object, "jsonrpc");
    if (is_of_1_0(w)) {
        jck_observe_role(w->trial->findings, JCK_ROLE_REQUEST_VERSION,
                         jrpc_json_exists(version) ? JRPC_SLICE("there") : JRPC_SLICE("left out"));
    } else if (!jrpc_json_string_is(version, JRPC_SLICE("2.0"))) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_REQUEST_VERSION,
                        jrpc_json_exists(version) ? "jsonrpc is %s, not \"2.0\""
                                                  : "the member jsonrpc is missing%s",
                        jrpc_json_exists(version) ? jck_shown(w->trial, version) : "");
    }
}

// Whether the rule of a role is more than an observation, under this profile.
static bool is_asked_for(const writing *w, jck_role role)
{
    const jck_findings *findings = w->trial->findings;
    const jck_rule *rule = jck_suite_find_rule(findings->suite, jck_findings_rule(findings, role));
    return rule != NULL && jck_case_level(w->trial->test_case, rule) != JCK_LEVEL_OBSERVE;
}

static void check_id(const writing *w, jrpc_json id)
{
    static const jrpc_json_kind kinds[] = {JRPC_JSON_STRING, JRPC_JSON_NUMBER, JRPC_JSON_NULL};
    jck_findings *findings = w->trial->findings;
    if (!jrpc_json_exists(id) || is_of_1_0(w)) {
        return; // in 1.0 it may have any type, and is null in a notification
    }
    if (!is_of(id, kinds, sizeof kinds / sizeof *kinds)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_ID,
                        "the id is %s; it must be a String, a Number or null",
                        jck_shown(w->trial, id));
    } else if (jrpc_json_is(id, JRPC_JSON_NULL)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_ID_NULL, "the id of a call is null");
    } else if (jrpc_json_is(id, JRPC_JSON_NUMBER) && !jrpc_json_is_integer(id)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_ID_FRACTION,
                        "the id %s has a fractional part", jck_shown(w->trial, id));
    } else if (!jrpc_json_is(id, JRPC_JSON_NUMBER) && is_asked_for(w, JCK_ROLE_REQUEST_ID_NUMBER)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_ID_NUMBER, "the id %s is not a Number",
                        jck_shown(w->trial, id));
    }
    jck_observe(findings, JRPC_SLICE("id"),
                jrpc_json_is(id, JRPC_JSON_STRING)   ? JRPC_SLICE("String")
                : jrpc_json_is(id, JRPC_JSON_NUMBER) ? JRPC_SLICE("Number")
                                                     : JRPC_SLICE("other"));
}

static void check_members(const writing *w, jrpc_json object)
{
    static const char *const known[] = {"jsonrpc", "method", "params", "id"};
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            is_known = is_known || jrpc_json_string_is(it.key, jrpc_slice_str(known[i]));
        }
        if (!is_known) {
            jck_observe(w->trial->findings, JRPC_SLICE("further-member"),
                        jrpc_slice_str(jck_shown(w->trial, it.key)));
        }
    }
}

// What applies to every Request, whoever asked for it.
static void check_request(const writing *w, jrpc_json object)
{
    static const jrpc_json_kind structured[] = {JRPC_JSON_ARRAY, JRPC_JSON_OBJECT};
    jck_findings *findings = w->trial->findings;
    jrpc_json method = jrpc_json_get(object, "method");
    jrpc_json params = jrpc_json_get(object, "params");
    check_version(w, object);
    if (!jrpc_json_is(method, JRPC_JSON_STRING)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_METHOD,
                        jrpc_json_exists(method) ? "method is %s, not a String"
                                                 : "the member method is missing%s",
                        jrpc_json_exists(method) ? jck_shown(w->trial, method) : "");
    }
    if (is_of_1_0(w) && !jrpc_json_is(params, JRPC_JSON_ARRAY)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_PARAMS,
                        "params is %s; it must be an Array",
                        jrpc_json_exists(params) ? jck_shown(w->trial, params) : "missing");
    } else if (jrpc_json_exists(params) &&
               !is_of(params, structured, sizeof structured / sizeof *structured)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_PARAMS,
                        "params is %s; it must be an Array or an Object, or be left out",
                        jck_shown(w->trial, params));
    }
    check_id(w, jrpc_json_get(object, "id"));
    check_members(w, object);
}

// Whether two Objects have the same names of members.
static bool has_same_names(jrpc_json a, jrpc_json b)
{
    bool same = jrpc_json_count(a) == jrpc_json_count(b);
    for (jrpc_json_iterator it = jrpc_json_iterate(a); same && jrpc_json_step(&it);) {
        bool found = false;
        for (jrpc_json_iterator other = jrpc_json_iterate(b); !found && jrpc_json_step(&other);) {
            found = jrpc_json_equal(it.key, other.key);
        }
        same = found;
    }
    return same;
}

// A value that many JSON libraries cannot read has changed: in the client, or in its driver.
static void note_doubt(const writing *w)
{
    jck_observe(w->trial->findings, JRPC_SLICE("values"),
                JRPC_SLICE("changed by the client or its driver"));
}

// Compares params with those that the command gave: their form, then their values.
static void compare_params(const writing *w, const jck_request *request, jrpc_json params)
{
    jrpc_json wanted = request->params;
    jck_findings *findings = w->trial->findings;
    if (jrpc_json_count(wanted) == 0 && jrpc_json_count(params) == 0) {
        jck_observe(findings, JRPC_SLICE("no-params"),
                    !jrpc_json_exists(params)               ? JRPC_SLICE("left out")
                    : jrpc_json_is(params, JRPC_JSON_ARRAY) ? JRPC_SLICE("[]")
                                                            : JRPC_SLICE("{}"));
        return;
    }
    bool form = jrpc_json_kind_of(wanted) == jrpc_json_kind_of(params) &&
                jrpc_json_count(wanted) == jrpc_json_count(params) &&
                (!jrpc_json_is(wanted, JRPC_JSON_OBJECT) || has_same_names(wanted, params));
    if (w->view->doubtful && (!form || !jck_equal_in_doubles(w->trial, wanted, params))) {
        note_doubt(w);
    } else if (!form) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_PARAMS_AS_ASKED,
                        "asked for the params %s; the Request has %s",
                        jrpc_json_exists(wanted) ? jck_shown(w->trial, wanted) : "none",
                        jrpc_json_exists(params) ? jck_shown(w->trial, params) : "none");
    } else if (!jck_equal_in_doubles(w->trial, wanted, params)) {
        size_t before = findings->count;
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_VALUES,
                        "asked for the params %s; the Request has other values: %s",
                        jck_shown(w->trial, wanted), jck_shown(w->trial, params));
        if (jck_equal_when_rounded(w->trial, wanted, params)) {
            jck_name_difference(findings, before, JCK_DIFFERENCE_ROUNDED);
        }
    }
}

// Whether another unanswered call on the same connection has the same id.
static const jck_asked *find_twin(const jck_client_view *view, const jck_asked *asked, jrpc_json id)
{
    for (size_t i = 0; i < view->asked.count; i++) {
        const jck_asked *other = &view->asked.items[i];
        if (other != asked && other->heard && !other->request->notify && other->id.len == 0 &&
            other->connection == asked->connection && jrpc_json_exists(id) &&
            jrpc_json_equal(jrpc_json_get(other->came, "id"), id)) {
            return other;
        }
    }
    return NULL;
}

static void compare_id_of_1_0(const writing *w, bool notify, jrpc_json id)
{
    const char *shown = jrpc_json_exists(id) ? jck_shown(w->trial, id) : "missing";
    if (notify && !jrpc_json_is(id, JRPC_JSON_NULL)) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_NOTIFICATION_WITHOUT_ID,
                        "a notification was asked for; its id is %s, not null", shown);
    } else if (!notify && (!jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL))) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_REQUEST_OWED,
                        "a call was asked for; its id is %s, so nothing answers it", shown);
    }
}

static void compare(const writing *w, jck_asked *asked, jrpc_json object)
{
    jck_findings *findings = w->trial->findings;
    jrpc_json id = jrpc_json_get(object, "id");
    jrpc_json method = jrpc_json_get(object, "method");
    bool other =
        jrpc_json_is(method, JRPC_JSON_STRING) && !jrpc_json_equal(asked->request->method, method);
    if (other && w->view->doubtful) {
        note_doubt(w);
    } else if (other) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_AS_ASKED,
                        "asked for the method %s; the Request has %s",
                        jck_shown(w->trial, asked->request->method), jck_shown(w->trial, method));
    }
    compare_params(w, asked->request, jrpc_json_get(object, "params"));
    if (jrpc_json_exists(asked->request->routing)) {
        jck_judge_routing(w->trial, w->step, asked->request->routing, object);
    }
    if (is_of_1_0(w)) {
        compare_id_of_1_0(w, asked->request->notify, id);
    } else if (asked->request->notify && jrpc_json_exists(id)) {
        jck_add_finding(findings, w->step, JCK_ROLE_NOTIFICATION_WITHOUT_ID,
                        "a notification was asked for; the Request has the id %s",
                        jck_shown(w->trial, id));
    } else if (!asked->request->notify && !jrpc_json_exists(id)) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_OWED,
                        "a call was asked for; the Request has no id, so nothing answers it");
    }
    if (!asked->request->notify && find_twin(w->view, asked, id) != NULL) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_ID_OF_ITS_OWN,
                        "the id %s belongs to a call that is still under way",
                        jck_shown(w->trial, id));
    }
    const jck_driver_command *command = &w->trial->test_case->steps[asked->step].command;
    if (command->action == JCK_ACTION_BATCH && command->request_count == 1) {
        jck_observe(findings, JRPC_SLICE("batch-of-one"),
                    asked->in_batch ? JRPC_SLICE("an Array") : JRPC_SLICE("a single Request"));
    } else if (command->action == JCK_ACTION_BATCH && !asked->in_batch) {
        jck_add_finding(findings, w->step, JCK_ROLE_REQUEST_BATCH,
                        "a batch was asked for; its Requests came one by one");
    } else if (command->action != JCK_ACTION_BATCH && asked->in_batch) {
        jck_observe(findings, JRPC_SLICE("calls"), JRPC_SLICE("joined into a batch"));
    }
}

// A Request that the driver was not commanded to send: one that was sent before, or the library's
// own.
static void judge_unasked(const writing *w, jrpc_json object)
{
    jrpc_json method = jrpc_json_get(object, "method");
    for (size_t i = 0; i < w->view->asked.count; i++) {
        const jck_asked *asked = &w->view->asked.items[i];
        if (asked->heard && jrpc_json_equal(asked->request->method, method)) {
            jck_add_finding(w->trial->findings, w->step, JCK_ROLE_UNASKED_MESSAGES,
                            "the Request for %s came a second time", jck_shown(w->trial, method));
            return;
        }
    }
    w->view->odd_method = jck_shown(w->trial, method);
    w->view->odd = object;
    w->view->odd_at_us = w->message->at_us;
    jck_observe(w->trial->findings, JRPC_SLICE("unasked-request"),
                jrpc_slice_str(w->view->odd_method));
}

// Whether something we sent requires such an answer: one with this id, or one with id null, which a
// receiver sends for what is not a message.
static bool is_owed(const writing *w, jrpc_json id)
{
    const jck_evidence *evidence = w->trial->evidence;
    bool owed = false;
    for (size_t i = 0; i < evidence->count && &evidence->messages[i] != w->message && !owed; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction != JCK_SENT || sent->role != JCK_MESSAGE_OF_CASE) {
            continue;
        }
        jrpc_json root = jck_trial_read(w->trial, sent->bytes, NULL);
        bool array = jrpc_json_is(root, JRPC_JSON_ARRAY) && jrpc_json_count(root) > 0;
        for (uint32_t k = 0; k < (array ? jrpc_json_count(root) : 1) && !owed; k++) {
            jrpc_json one = array ? jrpc_json_element(root, k) : root;
            bool invalid =
                !jrpc_json_exists(one) || jrpc_message_classify(one).kind == JRPC_MESSAGE_INVALID;
            owed = (jrpc_json_exists(jrpc_json_get(one, "method")) &&
                    jrpc_json_equal(jrpc_json_get(one, "id"), id)) ||
                   (invalid && jrpc_json_is(id, JRPC_JSON_NULL));
        }
    }
    return owed;
}

// What a client answers to a request of the server, for reports: a result, or the error's code.
static jrpc_slice name_answer(const writing *w, jrpc_json object)
{
    jrpc_json code = jrpc_json_pointer(object, JRPC_SLICE("/error/code"));
    return jrpc_json_exists(code) ? jrpc_slice_str(jck_shown(w->trial, code))
                                  : JRPC_SLICE("a result");
}

// A client that answers acts as a server for this message, so section 5 binds it.
static void check_answer(const writing *w, jrpc_json object)
{
    jrpc_json error = jrpc_json_get(object, "error");
    jrpc_json version = jrpc_json_get(object, "jsonrpc");
    bool both = jrpc_json_exists(error) && jrpc_json_exists(jrpc_json_get(object, "result"));
    bool odd_error = jrpc_json_exists(error) &&
                     (!jrpc_json_is_integer(jrpc_json_get(error, "code")) ||
                      !jrpc_json_is(jrpc_json_get(error, "message"), JRPC_JSON_STRING));
    const char *why = !jrpc_json_string_is(version, JRPC_SLICE("2.0")) ? "jsonrpc is not \"2.0\""
                      : both      ? "it has both result and error"
                      : odd_error ? "its error has no integer as code, or no String as message"
                                  : NULL;
    if (why != NULL) {
        jck_add_finding(
            w->trial->findings, w->step, JCK_ROLE_ANSWER_FORM,
            "the client answers a request with something that is not a Response: %s: %s", why,
            jck_shown(w->trial, object));
    }
}

static void judge_answer(const writing *w, jrpc_json object)
{
    jrpc_json id = jrpc_json_get(object, "id");
    if (jrpc_json_exists(id) && is_owed(w, id)) {
        check_answer(w, object);
        jck_observe(w->trial->findings, JRPC_SLICE("answers"), name_answer(w, object));
        return;
    }
    jck_add_finding(w->trial->findings, w->step, JCK_ROLE_UNASKED_ANSWERS,
                    "the client writes an answer that nobody asked for: %s",
                    jck_shown(w->trial, object));
}

static void judge_object(const writing *w, jrpc_json object, bool in_batch)
{
    if (!jrpc_json_is(object, JRPC_JSON_OBJECT)) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_REQUEST_METHOD,
                        "the client writes %s, which is not a Request Object",
                        jck_shown(w->trial, object));
        return;
    }
    if (jck_asked_is_answer(object)) {
        judge_answer(w, object);
        return;
    }
    check_request(w, object);
    if (w->trial->test_case->undriven) {
        return; // nobody asked for anything
    }
    jck_asked *asked = jck_asked_find(&w->view->asked, object);
    if (asked == NULL) {
        judge_unasked(w, object);
        return;
    }
    asked->heard = true;
    asked->message = (size_t)(w->message - w->trial->evidence->messages);
    asked->came = object;
    asked->connection = w->message->connection;
    asked->in_batch = in_batch;
    compare(w, asked, object);
}

// The value of a header field, whatever the case of its name; without a pointer if there is none.
static jrpc_slice field_of(jrpc_slice head, const char *name)
{
    size_t len = strlen(name);
    while (head.len > 0) {
        const char *end = memchr(head.ptr, '\n', head.len);
        jrpc_slice line = {head.ptr, end == NULL ? head.len : (size_t)(end - head.ptr)};
        head = jrpc_slice_from(head, end == NULL ? head.len : line.len + 1);
        bool named = line.len > len && line.ptr[len] == ':';
        for (size_t i = 0; named && i < len; i++) {
            char c = line.ptr[i];
            named = (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) == name[i];
        }
        if (named) {
            line = jrpc_slice_from(line, len + 1);
            while (line.len > 0 && (line.ptr[0] == ' ' || line.ptr[0] == '\t')) {
                line = jrpc_slice_from(line, 1);
            }
            return line;
        }
    }
    return (jrpc_slice){NULL, 0};
}

// What a client accepts, for reports: from the header Accept of its request.
static jrpc_slice name_accept(jrpc_slice head)
{
    jrpc_slice value = field_of(head, "accept");
    if (value.ptr == NULL) {
        return JRPC_SLICE("none");
    }
    return jrpc_slice_contains(value, JRPC_SLICE("application/json")) ? JRPC_SLICE("JSON")
           : jrpc_slice_contains(value, JRPC_SLICE("*/*")) ||
                   jrpc_slice_contains(value, JRPC_SLICE("application/*"))
               ? JRPC_SLICE("anything")
               : JRPC_SLICE("something else");
}

// Whether a value begins with a media type, in any case (RFC 9110, section 8.3.1).
static bool is_type(jrpc_slice value, const char *type)
{
    size_t len = strlen(type);
    bool same = value.len >= len;
    for (size_t i = 0; same && i < len; i++) {
        char c = value.ptr[i];
        same = (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) == type[i];
    }
    return same;
}

// Checks the HTTP request around a message. `head` is the request line and the headers.
static void check_http(const writing *w, jrpc_slice head)
{
    static const char *const types[] = {"application/json", "application/jsonrequest"};
    if (!jrpc_slice_starts_with(head, JRPC_SLICE("POST "))) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_REQUEST_HTTP,
                        "the message was not sent as a POST: %s",
                        jck_excerpt(w->trial->arena, head, 40));
    }
    bool json = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        json = json || is_type(field_of(head, "content-type"), types[i]);
    }
    if (!json) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_REQUEST_HTTP,
                        "the Content-Type is not application/json: %s",
                        jck_excerpt(w->trial->arena, field_of(head, "content-type"), 160));
    }
    jck_observe(w->trial->findings, JRPC_SLICE("accept"), name_accept(head));
}

// Whether the case answers with the status 307, which leaves a client no choice of the method.
static bool keeps_method(const jck_case *test_case)
{
    bool keeps = false;
    for (size_t i = 0; i < test_case->step_count; i++) {
        keeps = keeps || test_case->steps[i].manner.status == TEMPORARY_REDIRECT;
    }
    return keeps;
}

// A request that follows a redirect.
static void judge_redirected(const writing *w, jrpc_slice head)
{
    const char *space = memchr(head.ptr, ' ', head.len);
    jrpc_slice method = jrpc_slice_of(head.ptr, space == NULL ? 0 : (size_t)(space - head.ptr));
    if (!jrpc_slice_is(method, "POST") && keeps_method(w->trial->test_case)) {
        jck_add_finding(w->trial->findings, w->step, JCK_ROLE_REQUEST_REDIRECTED,
                        "the client follows a redirect with status 307 with the method %s, not "
                        "POST",
                        jck_excerpt(w->trial->arena, method, SHOWN_METHOD_BYTES));
    }
    jck_observe(w->trial->findings, JRPC_SLICE("redirect"), method);
}

void jck_judge_written(jck_client_view *view, const jck_message *message, jrpc_json value)
{
    const writing w = {view, view->trial, message, message->step};
    if (jck_is_redirected(message->http_headers)) {
        judge_redirected(&w, message->http_headers);
        return;
    }
    if (jrpc_slice_is(message->http_headers, "binary")) {
        jck_observe(view->trial->findings, JRPC_SLICE("websocket"), JRPC_SLICE("binary messages"));
    } else if (message->http_headers.len > 0) {
        check_http(&w, message->http_headers);
    }
    if (!jrpc_json_exists(value)) {
        bool empty = message->bytes.len == 0;
        jck_add_finding(view->trial->findings, w.step,
                        empty ? JCK_ROLE_REQUEST_FRAMING : JCK_ROLE_REQUEST_JSON,
                        empty ? "the client writes an empty message%s"
                              : "the client writes text that is not JSON: %s",
                        empty ? "" : jck_excerpt(view->trial->arena, message->bytes, 120));
        return;
    }
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        judge_object(&w, value, false);
        return;
    }
    if (jrpc_json_count(value) == 0) {
        jck_add_finding(view->trial->findings, w.step, JCK_ROLE_REQUEST_BATCH_EMPTY,
                        "the client writes an empty batch");
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        judge_object(&w, it.value, true);
    }
}
