#include "harness/judge/trial.h"

#include "harness/judge/owed.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/scan.h"

#include <assert.h>
#include <strings.h>

#define EXCERPT 160

void jck_trial_survey(jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    trial->several_connections = false;
    trial->in_order = true;
    for (size_t i = 1; i < evidence->count; i++) {
        const jck_message *messages = evidence->messages;
        trial->several_connections =
            trial->several_connections || messages[i].connection != messages[0].connection;
        trial->in_order = trial->in_order && messages[i].step >= messages[i - 1].step;
    }
}

// The first message of a step or of a later one.
static size_t first_of_step(const jck_evidence *evidence, int step)
{
    size_t low = 0;
    for (size_t high = evidence->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (evidence->messages[middle].step < step) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

jck_stretch jck_trial_stretch(const jck_trial *trial, int first, int last)
{
    const jck_evidence *evidence = trial->evidence;
    assert(first <= last);
    return trial->in_order ? (jck_stretch){.from = first_of_step(evidence, first),
                                           .to = first_of_step(evidence, last + 1)}
                           : (jck_stretch){.from = 0, .to = evidence->count};
}

jrpc_json_document *jck_trial_document(jck_trial *trial)
{
    jck_read *read = jrpc_arena_alloc(trial->arena, sizeof *read);
    if (read == NULL) {
        trial->findings->failed = true;
        return NULL;
    }
    jrpc_json_document_init(&read->document, trial->arena->allocator);
    read->next = trial->reads;
    trial->reads = read;
    return &read->document;
}

jrpc_json jck_trial_read(jck_trial *trial, jrpc_slice text, jrpc_error *error)
{
    jrpc_json_document *document = jck_trial_document(trial);
    if (document == NULL) {
        return JRPC_JSON_ABSENT;
    }
    jrpc_error own = {0};
    jrpc_error *filled = error == NULL ? &own : error;
    if (!jrpc_json_read(document, text, JCK_MESSAGE_DEPTH, filled)) {
        trial->findings->failed = trial->findings->failed || filled->code == JRPC_ERROR_MEMORY;
        return JRPC_JSON_ABSENT;
    }
    return jrpc_json_root(document);
}

const char *jck_shown(jck_trial *trial, jrpc_json value)
{
    return jck_excerpt(trial->arena, jrpc_json_spelling(value), EXCERPT);
}

int64_t jck_code_of(jrpc_json response)
{
    int64_t code = 0;
    (void)jrpc_json_int64(jrpc_json_get(jrpc_json_get(response, "error"), "code"), &code);
    return code;
}

jrpc_slice jck_trial_rule(const jck_trial *trial, jck_role role)
{
    return jck_findings_rule(trial->findings, role);
}

jck_dialect jck_trial_dialect(const jck_trial *trial)
{
    const jck_specification *by = trial->findings->judged_by;
    return by == NULL ? JCK_DIALECT_2_0 : by->dialect;
}

bool jck_trial_names(const jck_trial *trial, jck_role role)
{
    return jck_case_names_role(trial->test_case, role);
}

bool jck_trial_is_for(const jck_trial *trial, jck_role role)
{
    return jck_case_is_for(trial->findings->suite, trial->test_case, role);
}

bool jck_trial_is_about(const jck_trial *trial, jck_topic topic)
{
    return jck_case_is_about(trial->findings->suite, trial->test_case, topic);
}

bool jck_trial_has_role(const jck_trial *trial, jrpc_slice rule, jck_role role)
{
    return jck_rule_has_role(jck_suite_find_rule(trial->findings->suite, rule), role);
}

bool jck_trial_has_topic(const jck_trial *trial, jrpc_slice rule, jck_topic topic)
{
    return jck_rule_is_about(jck_suite_find_rule(trial->findings->suite, rule), topic);
}

bool jck_trial_is_broken(const jck_trial *trial, jck_role role)
{
    const jck_specification *by = trial->findings->judged_by;
    const jck_rule *rule = by == NULL ? NULL : by->roles[role];
    return rule != NULL && jck_is_broken(trial->calibration, rule->id);
}

bool jck_is_broken(const jck_calibration *calibration, jrpc_slice rule)
{
    for (size_t i = 0; i < calibration->broken_count; i++) {
        if (jrpc_slice_equal(calibration->broken[i], rule)) {
            return true;
        }
    }
    return false;
}

jck_sent_walk jck_walk_sent_of_case(jck_trial *trial)
{
    return (jck_sent_walk){.trial = trial, .evidence = trial->evidence, .of_case = true};
}

jck_sent_walk jck_walk_sent_on(jck_trial *trial, char connection)
{
    return (jck_sent_walk){.trial = trial, .evidence = trial->evidence, .connection = connection};
}

static bool is_walked(const jck_sent_walk *walk, const jck_message *message)
{
    return message->direction == JCK_SENT &&
           (!walk->of_case || message->role == JCK_MESSAGE_OF_CASE) &&
           (walk->connection == '\0' || message->connection == walk->connection);
}

static bool next_message(jck_sent_walk *walk)
{
    while (walk->next < walk->evidence->count) {
        walk->message = &walk->evidence->messages[walk->next++];
        if (is_walked(walk, walk->message)) {
            return true;
        }
    }
    return false;
}

bool jck_sent_step(jck_sent_walk *walk)
{
    while (!jrpc_json_step(&walk->elements)) {
        if (!next_message(walk)) {
            return false;
        }
        walk->value = jck_trial_read(walk->trial, walk->message->bytes, NULL);
        if (!jrpc_json_is(walk->value, JRPC_JSON_ARRAY)) {
            return true;
        }
        walk->elements = jrpc_json_iterate(walk->value);
    }
    walk->value = walk->elements.value;
    return true;
}

bool jck_has_sent_notification(jck_trial *trial)
{
    jck_sent_walk walk = jck_walk_sent_of_case(trial);
    while (jck_sent_step(&walk)) {
        if (jrpc_message_classify(walk.value).kind == JRPC_MESSAGE_NOTIFICATION) {
            return true;
        }
    }
    return false;
}

bool jck_is_id_of_ours(jrpc_json id)
{
    return jrpc_slice_starts_with(jrpc_json_spelling(id), JRPC_SLICE("\"jck-"));
}

// An id of at most this many bytes, with quotes, is too short to be recognised as the beginning of
// another one.
#define SHORT_ID ((size_t)6)

// Whether a received id is only the beginning of the String that was sent as one.
static bool is_cut(jrpc_json sent, jrpc_json came)
{
    jrpc_slice whole = jrpc_json_spelling(sent);
    jrpc_slice part = jrpc_json_spelling(came);
    return jrpc_json_is(sent, JRPC_JSON_STRING) && jrpc_json_is(came, JRPC_JSON_STRING) &&
           part.len > SHORT_ID && part.len < whole.len &&
           jrpc_slice_starts_with(whole, jrpc_slice_of(part.ptr, part.len - 1));
}

bool jck_was_sent_bare(jck_trial *trial, jrpc_json id)
{
    for (jck_sent_walk walk = jck_walk_sent_of_case(trial); jck_sent_step(&walk);) {
        jrpc_json sent = jrpc_json_get(walk.value, "id");
        if (jrpc_json_exists(id) && jrpc_json_exists(sent) && jrpc_json_equal(sent, id)) {
            return !jrpc_json_exists(jrpc_json_get(walk.value, "params"));
        }
    }
    return false;
}

bool jck_was_sent_longer(jck_trial *trial, char connection, jrpc_json id)
{
    bool longer = false;
    jck_sent_walk walk = jck_walk_sent_on(trial, connection);
    while (jck_sent_step(&walk)) {
        jrpc_json sent = jrpc_json_get(walk.value, "id");
        if (jrpc_json_equal(sent, id)) {
            return false; // it was sent as an id, even if a longer one begins with it
        }
        longer = longer || is_cut(sent, id);
    }
    return longer;
}

// Whether any message or element that the walk still has to visit has the id.
static bool finds_id(jck_sent_walk *walk, jrpc_json id)
{
    while (jck_sent_step(walk)) {
        if (jrpc_json_equal(jrpc_json_get(walk->value, "id"), id)) {
            return true;
        }
    }
    return false;
}

bool jck_was_sent(jck_trial *trial, char connection, jrpc_json id)
{
    jck_sent_walk walk = jck_walk_sent_on(trial, connection);
    return finds_id(&walk, id);
}

// The names of the differences.
#define CUT_BY_LENGTH "a Content-Length that is less than the bytes"
#define JOINED_BY_LENGTH "a Content-Length that is more than the bytes"

// A message longer than this is not joined with its rest.
#define WHOLE_BYTES ((size_t)4 << 20)

// The bytes outside of any frame that came next on the connection after a message, or NULL.
static const jck_message *noise_after(const jck_trial *trial, const jck_message *message)
{
    const jck_evidence *evidence = trial->evidence;
    const jck_message *end = evidence->messages + evidence->count;
    for (const jck_message *next = message + 1; next < end; next++) {
        if (next->direction == JCK_RECEIVED && next->connection == message->connection) {
            return next->role == JCK_MESSAGE_NOISE && next->http_status == 0 ? next : NULL;
        }
    }
    return NULL;
}

static bool is_json(jck_trial *trial, jrpc_slice text)
{
    jrpc_json_document document;
    jrpc_error error = {0};
    jrpc_json_document_init(&document, trial->arena->allocator);
    bool read = jrpc_json_read(&document, text, JCK_MESSAGE_DEPTH, &error);
    trial->findings->failed = trial->findings->failed || (!read && error.code == JRPC_ERROR_MEMORY);
    jrpc_json_document_done(&document);
    return read;
}

// Appends the bytes of a piece; false if it was not recorded whole, or if the whole is too long.
static bool append_piece(jrpc_buffer *whole, const jck_message *piece)
{
    return piece->true_len <= piece->bytes.len && whole->len + piece->bytes.len <= WHOLE_BYTES &&
           jrpc_buffer_append(whole, piece->bytes);
}

// Whether a message that is not JSON becomes JSON together with the bytes that came right after it
// outside of any frame, which may have been received in several pieces; *ret_len is then the length
// of all in bytes.
static bool is_cut_by_its_length(jck_trial *trial, const jck_message *message, size_t *ret_len)
{
    const jck_message *rest = message->role == JCK_MESSAGE_NOISE || message->bytes.len == 0
                                  ? NULL
                                  : noise_after(trial, message);
    jrpc_buffer whole;
    jrpc_buffer_init(&whole, trial->arena->allocator, WHOLE_BYTES);
    bool fits = rest != NULL && append_piece(&whole, message);
    bool reads = false;
    for (; rest != NULL && fits && !reads; rest = noise_after(trial, rest)) {
        fits = append_piece(&whole, rest);
        // Only its last piece can end a message.
        char last = rest->bytes.len > 0 ? rest->bytes.ptr[rest->bytes.len - 1] : '\0';
        reads = fits && (last == '}' || last == ']' || jrpc_scan_is_space(last)) &&
                is_json(trial, jrpc_buffer_slice(&whole));
    }
    trial->findings->failed = trial->findings->failed || whole.failed;
    *ret_len = whole.len;
    jrpc_buffer_done(&whole);
    return reads;
}

// Whether a message that is not JSON is a JSON value followed by the beginning of the next head.
// The rest of that head may have come outside of any frame. *ret_len is then the length of the
// value in bytes.
static bool is_joined_by_its_length(jck_trial *trial, const jck_message *message, size_t *ret_len)
{
    static const jrpc_slice head = JRPC_SLICE_INIT("Content-Length:");
    jrpc_json_document document;
    jrpc_error error = {0};
    bool whole = message->role != JCK_MESSAGE_NOISE && message->true_len == message->bytes.len;
    jrpc_json_document_init(&document, trial->arena->allocator);
    bool broken = whole && !jrpc_json_read(&document, message->bytes, JCK_MESSAGE_DEPTH, &error);
    jrpc_json_document_done(&document);
    if (!broken || error.offset == 0 || error.offset >= message->bytes.len ||
        !is_json(trial, jrpc_slice_of(message->bytes.ptr, error.offset))) {
        return false;
    }
    jrpc_slice begun = jrpc_slice_from(message->bytes, error.offset);
    const jck_message *rest = begun.len < head.len ? noise_after(trial, message) : NULL;
    size_t left = begun.len < head.len ? head.len - begun.len : 0;
    *ret_len = error.offset;
    return (left == 0 || (rest != NULL && rest->bytes.len >= left)) &&
           strncasecmp(begun.ptr, head.ptr, head.len - left) == 0 &&
           (left == 0 || strncasecmp(rest->bytes.ptr, head.ptr + begun.len, left) == 0);
}

bool jck_add_cut_by_length(jck_trial *trial, const jck_message *message, int step)
{
    size_t len = 0;
    bool joined = is_joined_by_its_length(trial, message, &len);
    if (!joined && !is_cut_by_its_length(trial, message, &len)) {
        return false;
    }
    size_t before = trial->findings->count;
    jck_add_finding(trial->findings, step, JCK_ROLE_FRAME_HEAD,
                    "the Content-Length of a message is %zu, but the message has %zu bytes: %s",
                    message->bytes.len, len, jck_excerpt(trial->arena, message->bytes, 120));
    jck_name_difference(trial->findings, before, "%s", joined ? JOINED_BY_LENGTH : CUT_BY_LENGTH);
    return true;
}

bool jck_is_given_up(const jck_trial *trial, const jck_message *message, int step, size_t offset)
{
    const jck_evidence *evidence = trial->evidence;
    bool closed = false;
    for (int i = 0; i < step; i++) {
        const jck_step *before = &trial->test_case->steps[i];
        closed =
            closed || (before->kind == JCK_STEP_CLOSE && before->connection == message->connection);
    }
    bool last = true;
    for (size_t i = (size_t)(message - evidence->messages) + 1; i < evidence->count; i++) {
        last = last && evidence->messages[i].connection != message->connection;
    }
    return closed && last && offset == message->bytes.len;
}

bool jck_was_cut_by_length(const jck_trial *trial)
{
    return jck_has_difference(trial->findings, 0, CUT_BY_LENGTH) ||
           jck_has_difference(trial->findings, 0, JOINED_BY_LENGTH);
}

// Whether anything was received on the connection before `step`, starting at the message `index`.
static bool has_heard_since(const jck_evidence *evidence, size_t index, char connection, int step)
{
    for (size_t i = index; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction == JCK_RECEIVED && message->connection == connection &&
            message->step < step) {
            return true;
        }
    }
    return false;
}

bool jck_was_used_before(jck_trial *trial, char connection, int step, jrpc_json id)
{
    jck_sent_walk walk = jck_walk_sent_on(trial, connection);
    if (trial->evidence->earlier != NULL) {
        // The message is answered when it runs alone. If its id was used several times before and
        // most of those messages were answered, the repeated id is not the cause.
        walk.evidence = trial->evidence->earlier;
        return finds_id(&walk, id) && !finds_id(&walk, id);
    }
    while (jck_sent_step(&walk)) {
        // Once something was received after it, it is no longer in flight.
        if (walk.message->step < step && jrpc_json_equal(jrpc_json_get(walk.value, "id"), id) &&
            has_heard_since(trial->evidence, walk.next, connection, step)) {
            return true;
        }
    }
    return false;
}

bool jck_sent_long(const jck_trial *trial, int first, int last, char connection)
{
    const jck_evidence *evidence = trial->evidence;
    bool is_long = false;
    for (size_t i = 0; i < evidence->count && !is_long; i++) {
        const jck_message *sent = &evidence->messages[i];
        is_long = sent->direction == JCK_SENT && sent->step >= first && sent->step <= last &&
                  (connection == '\0' || sent->connection == connection) &&
                  sent->true_len > JCK_SHORT_BYTES;
    }
    return is_long;
}
