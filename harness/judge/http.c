// Judges what a step says about the HTTP response around the message: status, content type, whether
// the connection was kept. These belong to the rules of the transport and never decide about a
// Response.
#include "harness/judge/http.h"

#include "harness/judge/envelope.h"
#include "harness/judge/response.h"

#include "reference/base/limits.h"
#include "reference/json/write.h"
#include <stdio.h>
#include <strings.h>

enum { TYPE_BYTES = 128 };

// The last HTTP response of the step, or NULL; *ret_empty says whether none of them had a body.
static const jck_message *find_answer(const jck_trial *trial, int step, char connection,
                                      bool *ret_empty)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *found = NULL;
    *ret_empty = true;
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction != JCK_RECEIVED || message->step != step ||
            message->connection != connection || message->http_status == 0 ||
            message->role == JCK_MESSAGE_OF_OPENING) {
            continue;
        }
        found = message;
        *ret_empty = *ret_empty && message->role == JCK_MESSAGE_OF_SESSION;
    }
    return found;
}

// The value of the first header with that name in the last head, without blanks around it; ptr is
// NULL if there is none.
static jrpc_slice find_header(jrpc_slice headers, jrpc_slice name)
{
    jrpc_slice value = {NULL, 0};
    for (size_t at = 0; at < headers.len;) {
        const char *end = memchr(headers.ptr + at, '\n', headers.len - at);
        size_t next = end == NULL ? headers.len : (size_t)(end - headers.ptr) + 1;
        jrpc_slice line = jrpc_slice_of(headers.ptr + at, next - at);
        if (jrpc_slice_starts_with(line, JRPC_SLICE("HTTP/"))) {
            value = (jrpc_slice){NULL, 0}; // what came before was an interim answer
        }
        if (value.ptr == NULL && line.len > name.len && line.ptr[name.len] == ':' &&
            strncasecmp(line.ptr, name.ptr, name.len) == 0) {
            value = jrpc_slice_from(line, name.len + 1);
            while (value.len > 0 && strchr(" \t", value.ptr[0]) != NULL) {
                value = jrpc_slice_from(value, 1);
            }
            while (value.len > 0 && strchr(" \t\r\n", value.ptr[value.len - 1]) != NULL) {
                value.len--;
            }
        }
        at = next;
    }
    return value;
}

// The media type in lower case, without parameters; "" if there is none.
static void type_of(jrpc_slice headers, char *out)
{
    jrpc_slice value = find_header(headers, JRPC_SLICE("content-type"));
    size_t len = 0;
    for (size_t i = 0; i < value.len && value.ptr[i] != ';' && len + 1 < TYPE_BYTES; i++) {
        char c = value.ptr[i];
        if (c != ' ' && c != '\t') {
            out[len++] = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
        }
    }
    out[len] = '\0';
}

// Whether the server said "100 Continue" or answered before it was sent the body, or speaks
// HTTP/1.0, which has no such thing.
static bool has_continued(const jck_message *answer)
{
    return answer->http_early ||
           jrpc_slice_starts_with(answer->http_headers, JRPC_SLICE("HTTP/1.1 100")) ||
           jrpc_slice_starts_with(answer->http_headers, JRPC_SLICE("HTTP/1.0"));
}

// What HTTP demands of some answers, where they have it or not.
static void describe_demands(const jck_step *step, const jck_message *answer, jrpc_buffer *text)
{
    enum { METHOD_NOT_ALLOWED = 405 };
    if (step->manner.bytes == JRPC_BYTES_EXPECT) {
        (void)jrpc_buffer_printf(text, ",\"continued\":%s",
                                 has_continued(answer) ? "true" : "false");
    }
    if (step->manner.bytes >= JRPC_BYTES_CLOSE) {
        (void)jrpc_buffer_printf(text, ",\"closed\":%s,\"surplus\":%s",
                                 answer->http_closed ? "true" : "false",
                                 answer->http_surplus ? "true" : "false");
    }
    if (answer->http_left != NULL) {
        (void)jrpc_buffer_printf(text, ",\"left\":\"%s\"", answer->http_left);
    }
    if (answer->http_status == METHOD_NOT_ALLOWED) {
        jrpc_slice allow = find_header(answer->http_headers, JRPC_SLICE("allow"));
        (void)jrpc_buffer_append_str(text, ",\"allow\":");
        (void)(allow.ptr == NULL ? jrpc_buffer_append_str(text, "null")
                                 : jrpc_json_quote(text, allow));
    }
}

static jrpc_json describe(jck_trial *trial, const jck_step *step, const jck_message *answer,
                          const char *type, bool empty)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 4096);
    jrpc_buffer_printf(
        &text, "{\"status\":%d,\"reused\":%s,\"empty\":%s,\"content-type\":", answer->http_status,
        answer->http_reused ? "true" : "false", empty ? "true" : "false");
    (void)jrpc_json_quote(&text, jrpc_slice_str(type));
    describe_demands(step, answer, &text);
    jrpc_buffer_append_char(&text, '}');
    jrpc_slice kept = {NULL, 0};
    bool copied = !text.failed && jrpc_arena_copy(trial->arena, jrpc_buffer_slice(&text), &kept);
    jrpc_buffer_done(&text);
    if (!copied) {
        trial->findings->failed = true;
        return JRPC_JSON_ABSENT;
    }
    return jck_trial_read(trial, kept, NULL);
}

// One header of the response, as a String; ABSENT if it has none with that name.
static jrpc_json header_value(jck_trial *trial, jrpc_slice headers, jrpc_json key)
{
    jrpc_slice name;
    if (!jrpc_json_string(key, trial->arena, &name)) {
        return JRPC_JSON_ABSENT;
    }
    jrpc_slice value = find_header(headers, name);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
    jrpc_slice kept = {NULL, 0};
    bool quoted = value.ptr != NULL && jrpc_json_quote(&text, value) &&
                  jrpc_arena_copy(trial->arena, jrpc_buffer_slice(&text), &kept);
    jrpc_buffer_done(&text);
    return quoted ? jck_trial_read(trial, kept, NULL) : JRPC_JSON_ABSENT;
}

static bool headers_match(jck_trial *trial, jrpc_json patterns, jrpc_slice headers)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        if (!jck_match(&trial->matching, it.value, header_value(trial, headers, it.key))) {
            return false;
        }
    }
    return true;
}

static bool matches(jck_trial *trial, jrpc_json alternative, jrpc_json answer, jrpc_slice headers)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(alternative); jrpc_json_step(&it);) {
        jrpc_slice name;
        if (jrpc_json_string_is(it.key, JRPC_SLICE("as")) ||
            jrpc_json_string_is(it.key, JRPC_SLICE("rule")) ||
            !jrpc_json_string(it.key, trial->arena, &name)) {
            continue;
        }
        if (jrpc_slice_is(name, "headers")) {
            if (!headers_match(trial, it.value, headers)) {
                return false;
            }
            continue;
        }
        if (!jck_match(&trial->matching, it.value, jrpc_json_member(answer, name))) {
            return false;
        }
    }
    return true;
}

static void take(jck_trial *trial, int step, jrpc_json alternative, const char *shown)
{
    jrpc_slice rule = trial->test_case->rules[0];
    jrpc_slice as = {NULL, 0};
    jrpc_slice name = {NULL, 0};
    jck_taken_as taken = JCK_TAKEN_AS_PASS;
    bool named = jrpc_json_string(jrpc_json_get(alternative, "rule"), trial->arena, &rule);
    if (named && !jrpc_json_exists(jrpc_json_get(alternative, "as"))) {
        jck_add_finding_of(trial->findings, step, rule, "the HTTP answer is %s", shown);
        return;
    }
    if (!jrpc_json_string(jrpc_json_get(alternative, "as"), trial->arena, &as) ||
        !jck_taken_from_word(as, &taken, &name)) {
        return;
    }
    switch (taken) {
    case JCK_TAKEN_AS_PASS:
        break;
    case JCK_TAKEN_AS_WARN:
        jck_add_finding_of_at(
            trial->findings, step, rule, JCK_LEVEL_SHOULD,
            "accepted, but the specification asks for another HTTP answer; got %s", shown);
        break;
    case JCK_TAKEN_AS_OBSERVE:
    case JCK_TAKEN_AS_ENOUGH:
        jck_observe(trial->findings, rule, name);
        trial->enough = taken == JCK_TAKEN_AS_ENOUGH;
        break;
    }
}

// Whether a body is an Object without any member of a Response, such as {"status":"accepted"}.
static bool is_foreign_object(jrpc_json value)
{
    static const char *const members[] = {"jsonrpc", "id", "result", "error", NULL};
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return false;
    }
    for (size_t i = 0; members[i] != NULL; i++) {
        if (jrpc_json_exists(jrpc_json_get(value, members[i]))) {
            return false;
        }
    }
    return true;
}

// Whether something was sent before this message to which no answer is due.
static bool answers_nothing(jck_trial *trial, const jck_message *message)
{
    const jck_evidence *evidence = trial->evidence;
    jrpc_json_document *document = jck_trial_document(trial);
    jrpc_slice absent = jck_variables_absent(trial->variables);
    for (size_t i = 0; document != NULL && i < evidence->count; i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction == JCK_SENT && sent->step <= message->step &&
            sent->connection == message->connection && sent->fence == JCK_FENCE_NONE &&
            jck_owed_for(sent->bytes, absent, document).kind == JCK_OWED_NOTHING) {
            return true;
        }
    }
    return false;
}

bool jck_gather_page(jck_trial *trial, const jck_owed *owed, const jck_message *message,
                     jrpc_json value)
{
    enum { FIRST_FAILURE = 400 };
    bool null = jrpc_json_is(value, JRPC_JSON_NULL);
    if (message->http_status == 0 ||
        (null && owed->kind == JCK_OWED_NOTHING && owed->input == JRPC_INPUT_BATCH)) {
        return false; // in the place of an answer to a batch
    }
    bool scalar = jrpc_json_exists(value) && !jrpc_json_is(value, JRPC_JSON_OBJECT) &&
                  !jrpc_json_is(value, JRPC_JSON_ARRAY);
    bool foreign = is_foreign_object(value);
    bool failed = message->http_status >= FIRST_FAILURE; // a framework wrote it
    bool nothing =
        (scalar || foreign) && (owed->kind == JCK_OWED_NOTHING || answers_nothing(trial, message));
    // Whatever type it claims to have.
    bool page = failed && !jrpc_json_exists(value) && !jck_claims_to_be_json(message->bytes);
    bool none = null || (foreign && failed) || nothing || page;
    if (message->role != JCK_MESSAGE_NOISE && !none) {
        return false;
    }
    const char *text = jck_excerpt(trial->arena, message->bytes, 120);
    if (owed->kind == JCK_OWED_NOTHING) {
        if (jck_trial_names(trial, JCK_ROLE_HTTP_EMPTY_BODY)) {
            jck_add_finding_at(trial->findings, message->step, JCK_ROLE_HTTP_EMPTY_BODY,
                               none ? JCK_LEVEL_MUST : JCK_LEVEL_SHOULD,
                               "expected an empty body, as no Response is due; got %s", text);
        }
    } else if (jck_trial_names(trial, JCK_ROLE_HTTP_ERROR_BODY)) {
        jck_add_finding(trial->findings, message->step, JCK_ROLE_HTTP_ERROR_BODY, "%s: %s",
                        message->why == NULL ? JCK_TEXT_NO_RESPONSE : message->why, text);
    }
    return true;
}

// Whether one of the answers that a profile accepts is this one, with this status.
static bool is_accepted(jck_trial *trial, const jck_expect *expect, const char *status,
                        jrpc_json value)
{
    for (size_t i = 0; i < expect->accepted_count; i++) {
        const jck_expect *one = &expect->accepted[i];
        jck_difference difference = JCK_DIFFERENCE_SHAPE;
        if (jrpc_json_exists(one->http_status) && one->kind == JCK_EXPECT_RESPONSE &&
            jck_match(&trial->matching, one->http_status,
                      jck_trial_read(trial, jrpc_slice_str(status), NULL)) &&
            jck_response_matches(trial, one->pattern, value, JRPC_JSON_ABSENT, false,
                                 &difference)) {
            jck_observe(trial->findings, one->rule, one->observation);
            return true;
        }
    }
    return false;
}

bool jck_is_accepted_refusal(jck_trial *trial, const jck_message *message, jrpc_json value)
{
    const char *status = message->http_status == 0
                             ? NULL
                             : jrpc_arena_printf(trial->arena, "%d", message->http_status);
    for (int step = 0; step <= message->step && status != NULL; step++) {
        const jck_expect *expect = &trial->test_case->steps[step].expect;
        if (expect->kind == JCK_EXPECT_UNSTATED && is_accepted(trial, expect, status, value)) {
            return true;
        }
    }
    return false;
}

bool jck_got_page(const jck_trial *trial, char connection)
{
    bool page = false;
    for (size_t i = 0; i < trial->evidence->count && !page; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        page = message->direction == JCK_RECEIVED && message->connection == connection &&
               message->role == JCK_MESSAGE_NOISE && message->http_status != 0;
    }
    return page;
}

int jck_http_status(const jck_trial *trial, int step)
{
    int status = 0;
    for (size_t i = 0; i < trial->evidence->count; i++) {
        const jck_message *message = &trial->evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->step == step) {
            status = message->http_status != 0 ? message->http_status : status;
        }
    }
    return status;
}

bool jck_has_http_status(jck_trial *trial, int step, jrpc_json pattern)
{
    const char *status = jrpc_arena_printf(trial->arena, "%d", jck_http_status(trial, step));
    return status != NULL && jck_match(&trial->matching, pattern,
                                       jck_trial_read(trial, jrpc_slice_str(status), NULL));
}

bool jck_refused_for_size(const jck_trial *trial, int step, char connection)
{
    enum { CONTENT_TOO_LARGE = 413 };
    bool empty;
    const jck_message *answer = find_answer(trial, step, connection, &empty);
    return answer != NULL && answer->http_status == CONTENT_TOO_LARGE &&
           jck_sent_long(trial, step, step, '\0');
}

// A request that got no HTTP answer: correct only if an alternative allows it.
static void judge_no_answer(jck_trial *trial, const jck_step *step, int index)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(step->http_answers); jrpc_json_step(&it);) {
        if (jrpc_json_exists(jrpc_json_get(it.value, "none"))) {
            if (trial->evidence->muteness == JCK_NOT_MUTE && !trial->evidence->process_gone) {
                // Otherwise, the end of the target is reported.
                take(trial, index, it.value, "none");
            }
            return;
        }
    }
    jck_add_finding_of(trial->findings, index, trial->test_case->rules[0],
                       "the request got no HTTP answer");
}

// Whether the body of a step to which no Response is due is a Response. That is reported under the
// rule about notifications; a second finding, that the body is not empty, would say the same.
static bool has_unwanted_response(jck_trial *trial, const jck_step *step, int index)
{
    const jck_evidence *evidence = trial->evidence;
    for (size_t i = 0; step->expect.kind == JCK_EXPECT_NOTHING && i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        jrpc_json body = message->direction == JCK_RECEIVED && message->step == index &&
                                 message->role == JCK_MESSAGE_OF_CASE
                             ? jck_trial_read(trial, message->bytes, NULL)
                             : JRPC_JSON_ABSENT;
        if (jrpc_json_is(body, JRPC_JSON_OBJECT) &&
            (jrpc_json_exists(jrpc_json_get(body, "result")) ||
             jrpc_json_exists(jrpc_json_get(body, "error")))) {
            return true;
        }
    }
    return false;
}

void jck_judge_http(jck_trial *trial, const jck_step *step, int index)
{
    bool empty;
    const jck_message *answer = find_answer(trial, index, step->connection, &empty);
    if (answer == NULL) {
        judge_no_answer(trial, step, index);
        return;
    }
    char type[TYPE_BYTES];
    type_of(answer->http_headers, type);
    if (strcmp(type, "text/event-stream") == 0 && trial->evidence->settled[index] == JCK_SETTLED &&
        step->expect.kind != JCK_EXPECT_UNSTATED) {
        jck_add_finding(trial->findings, index, JCK_ROLE_EVENTS_END,
                        "the stream of events did not end after the Response");
    }
    jrpc_json described = describe(trial, step, answer, type, empty);
    const char *shown = jck_shown(trial, described);
    for (jrpc_json_iterator it = jrpc_json_iterate(step->http_answers); jrpc_json_step(&it);) {
        if (matches(trial, it.value, described, answer->http_headers)) {
            take(trial, index, it.value, shown);
            return;
        }
    }
    if (has_unwanted_response(trial, step, index)) {
        return;
    }
    jck_add_finding_of(trial->findings, index, trial->test_case->rules[0], "the HTTP answer is %s",
                       shown);
}
