#include "harness/judge/explain.h"

#include "harness/judge/match.h"
#include "harness/judge/owed.h"
#include "harness/judge/transport.h"
#include "reference/json/write.h"

#define ANYTHING "…"

// The examples of one step while they are written.
typedef struct writing {
    jck_trial *trial;
    jrpc_buffer text;
    jck_example items[JCK_EXAMPLES_MAX];
    size_t count;
    int step;
    jrpc_slice sent;
    jck_owed owed;
} writing;

// Ends one example, the content of the buffer. It is dropped if it is too long or already there.
static void add(writing *w, jck_example_kind kind)
{
    jck_example example = {.kind = kind, .text = {"", 0}};
    bool kept = !w->text.failed && w->count < JCK_EXAMPLES_MAX &&
                (w->text.len == 0 ||
                 jrpc_arena_copy(w->trial->arena, jrpc_buffer_slice(&w->text), &example.text));
    for (size_t i = 0; i < w->count; i++) {
        kept =
            kept && (w->items[i].kind != kind || !jrpc_slice_equal(w->items[i].text, example.text));
    }
    if (kept) {
        w->items[w->count++] = example;
    }
    jrpc_buffer_clear(&w->text);
}

static void append_pattern(writing *w, jrpc_json pattern);

static void append_type(writing *w, jrpc_json type)
{
    static const struct {
        const char *name;
        const char *example;
    } types[] = {
        {"string", "\"" ANYTHING "\""},
        {"boolean", "true"},
        {"null", "null"},
        {"object", "{" ANYTHING "}"},
        {"array", "[" ANYTHING "]"},
        {"integer", "1"},
        {"number", "1"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (jrpc_json_string_is(type, jrpc_slice_str(types[i].name))) {
            (void)jrpc_buffer_append_str(&w->text, types[i].example);
            return;
        }
    }
    (void)jrpc_buffer_append_str(&w->text, ANYTHING);
}

// The first value that a matcher accepts.
static void append_matched(writing *w, jrpc_json name, jrpc_json argument)
{
    if (jrpc_json_string_is(name, JRPC_SLICE("$type"))) {
        append_type(w, argument);
    } else if (jrpc_json_string_is(name, JRPC_SLICE("$range")) ||
               jrpc_json_string_is(name, JRPC_SLICE("$in"))) {
        append_pattern(w, jrpc_json_element(argument, 0));
    } else if (jrpc_json_string_is(name, JRPC_SLICE("$each"))) {
        (void)jrpc_buffer_append_char(&w->text, '[');
        append_pattern(w, argument);
        (void)jrpc_buffer_append_str(&w->text, ", " ANYTHING "]");
    } else if (jrpc_json_string_is(name, JRPC_SLICE("$all"))) {
        append_pattern(w, jrpc_json_element(argument, 0));
    } else if (jrpc_json_string_is(name, JRPC_SLICE("$contains")) ||
               jrpc_json_string_is(name, JRPC_SLICE("$somewhere"))) {
        (void)jrpc_buffer_append_str(&w->text, ANYTHING);
        append_pattern(w, argument);
        (void)jrpc_buffer_append_str(&w->text, ANYTHING);
    } else {
        (void)jrpc_buffer_append_str(&w->text, ANYTHING);
    }
}

// Whether a matcher requires a member to be absent.
static bool asks_for_absence(jrpc_json pattern)
{
    return jrpc_json_is(jrpc_json_get(pattern, "$absent"), JRPC_JSON_TRUE);
}

static void append_object(writing *w, jrpc_json pattern)
{
    const char *between = "{";
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        if (!asks_for_absence(it.value)) {
            (void)jrpc_buffer_append_str(&w->text, between);
            (void)jrpc_json_compact(&w->text, it.key);
            (void)jrpc_buffer_append_char(&w->text, ':');
            append_pattern(w, it.value);
            between = ",";
        }
    }
    (void)jrpc_buffer_append_str(&w->text, *between == '{' ? "{}" : "}");
}

static void append_pattern(writing *w, jrpc_json pattern)
{
    jrpc_json name;
    jrpc_json argument;
    jrpc_json printed = jrpc_json_get(pattern, "$printed");
    if (jrpc_json_exists(printed)) {
        (void)jrpc_json_compact(&w->text, jck_pattern_value(&w->trial->matching, pattern));
    } else if (jck_is_matcher(pattern, &name, &argument)) {
        append_matched(w, name, argument);
    } else if (jrpc_json_is(pattern, JRPC_JSON_OBJECT)) {
        append_object(w, pattern);
    } else if (jrpc_json_is(pattern, JRPC_JSON_ARRAY)) {
        const char *between = "[";
        for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
            (void)jrpc_buffer_append_str(&w->text, between);
            append_pattern(w, it.value);
            between = ",";
        }
        (void)jrpc_buffer_append_str(&w->text, *between == '[' ? "[]" : "]");
    } else {
        (void)jrpc_json_compact(&w->text, jck_pattern_value(&w->trial->matching, pattern));
    }
}

// The messages in the table of section 5.1.
static const char *message_of(int64_t code)
{
    switch (code) {
    case JRPC_PARSE_ERROR:
        return "Parse error";
    case JRPC_INVALID_REQUEST:
        return "Invalid Request";
    case JRPC_METHOD_NOT_FOUND:
        return "Method not found";
    case JRPC_INVALID_PARAMS:
        return "Invalid params";
    case JRPC_INTERNAL_ERROR:
        return "Internal error";
    default:
        return ANYTHING;
    }
}

static void append_code(writing *w, int64_t code)
{
    (void)jrpc_buffer_printf(&w->text, "{\"code\":%lld,\"message\":\"%s\"}", (long long)code,
                             message_of(code));
}

static void append_error(writing *w, jrpc_json pattern)
{
    int64_t code = 0;
    jrpc_json stated = jrpc_json_get(pattern, "code");
    if (!jrpc_json_is(pattern, JRPC_JSON_OBJECT) ||
        jrpc_json_exists(jrpc_json_get(pattern, "message"))) {
        append_pattern(w, pattern);
        return;
    }
    jrpc_json in = jrpc_json_get(stated, "$in");
    if (jrpc_json_exists(in)) {
        stated = jrpc_json_element(in, 0);
    }
    if (jrpc_json_int64(stated, &code)) {
        append_code(w, code);
        return;
    }
    (void)jrpc_buffer_append_str(&w->text, "{\"code\":");
    if (jrpc_json_exists(stated)) {
        append_pattern(w, stated);
    } else {
        (void)jrpc_buffer_append_str(&w->text, ANYTHING);
    }
    (void)jrpc_buffer_append_str(&w->text, ",\"message\":\"" ANYTHING "\"}");
}

static bool is_of_1_0(const writing *w)
{
    return jck_trial_dialect(w->trial) == JCK_DIALECT_1_0;
}

// The members before the id: in 1.0 both are present, and one of them is null.
static void begin_response(writing *w, bool is_error)
{
    (void)jrpc_buffer_append_str(&w->text, is_of_1_0(w) ? (is_error ? "{\"result\":null,\"error\":"
                                                                    : "{\"error\":null,\"result\":")
                                           : is_error   ? "{\"jsonrpc\":\"2.0\",\"error\":"
                                                        : "{\"jsonrpc\":\"2.0\",\"result\":");
}

static void end_response(writing *w, jrpc_json id)
{
    (void)jrpc_buffer_append_str(&w->text, ",\"id\":");
    if (jrpc_json_exists(id)) {
        append_pattern(w, id);
    } else {
        (void)jrpc_buffer_append_str(&w->text, "null");
    }
    (void)jrpc_buffer_append_char(&w->text, '}');
}

static void append_response(writing *w, jrpc_json pattern, jrpc_json id_owed)
{
    jrpc_json error = jrpc_json_get(pattern, "error");
    jrpc_json result = jrpc_json_get(pattern, "result");
    jrpc_json id = jrpc_json_get(pattern, "id");
    bool is_error =
        jrpc_json_exists(error) && !asks_for_absence(error) && !jrpc_json_is(error, JRPC_JSON_NULL);
    begin_response(w, is_error);
    if (is_error) {
        append_error(w, error);
    } else if (jrpc_json_exists(result) && !asks_for_absence(result)) {
        append_pattern(w, result);
    } else {
        (void)jrpc_buffer_append_str(&w->text, ANYTHING);
    }
    end_response(w, jrpc_json_exists(id) ? id : id_owed);
}

static void add_batch(writing *w, jrpc_json patterns)
{
    const char *between = "[";
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        (void)jrpc_buffer_append_str(&w->text, between);
        append_response(w, it.value, JRPC_JSON_ABSENT);
        between = ",";
    }
    (void)jrpc_buffer_append_str(&w->text, *between == '[' ? "[]" : "]");
    add(w, JCK_EXAMPLE_BATCH);
}

static void add_error(writing *w, int64_t code, jrpc_json id)
{
    begin_response(w, true);
    append_code(w, code);
    end_response(w, id);
    add(w, JCK_EXAMPLE_RESPONSE);
}

static jrpc_json owed_id(const writing *w)
{
    return w->owed.id_sent ? w->owed.id : JRPC_JSON_ABSENT;
}

// What the specification requires for what was sent, if the case does not say.
static void add_owed(writing *w)
{
    switch (w->owed.kind) {
    case JCK_OWED_NOTHING:
        add(w, JCK_EXAMPLE_NOTHING);
        break;
    case JCK_OWED_RESPONSE:
        if (w->owed.code != 0) {
            add_error(w, w->owed.code, owed_id(w));
        } else {
            begin_response(w, false);
            (void)jrpc_buffer_append_str(&w->text, ANYTHING);
            end_response(w, owed_id(w));
            add(w, JCK_EXAMPLE_RESPONSE);
        }
        break;
    case JCK_OWED_BATCH:
        (void)jrpc_buffer_append_str(&w->text, "[" ANYTHING "]");
        add(w, JCK_EXAMPLE_BATCH);
        break;
    case JCK_OWED_UNKNOWN:
        break;
    }
}

static void add_expected(writing *w, const jck_expect *expect);

static void add_taken(writing *w, const jck_expect *list, size_t count, jck_taken_as as)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].taken_as == as) {
            add_expected(w, &list[i]);
        }
    }
}

// What passes comes first, then what is only recorded. What gives a warning is not right.
static void add_alternatives(writing *w, const jck_expect *list, size_t count)
{
    add_taken(w, list, count, JCK_TAKEN_AS_PASS);
    add_taken(w, list, count, JCK_TAKEN_AS_OBSERVE);
    add_taken(w, list, count, JCK_TAKEN_AS_ENOUGH);
}

static void add_expected(writing *w, const jck_expect *expect)
{
    switch (expect->kind) {
    case JCK_EXPECT_PARSER: // judged in harness/parser
        break;
    case JCK_EXPECT_UNSTATED:
    case JCK_EXPECT_ANYTHING:
    case JCK_EXPECT_OWED:
        add_owed(w);
        break;
    case JCK_EXPECT_NOTHING:
        add(w, JCK_EXAMPLE_NOTHING);
        break;
    case JCK_EXPECT_CLOSED:
        add(w, JCK_EXAMPLE_CLOSED);
        break;
    case JCK_EXPECT_RESPONSE:
        if (jrpc_json_exists(jrpc_json_get(jrpc_json_get(expect->pattern, "result"), "$openrpc"))) {
            break; // the sentence of the finding says what is wrong; an example would not
        }
        append_response(w, expect->pattern, owed_id(w));
        add(w, JCK_EXAMPLE_RESPONSE);
        break;
    case JCK_EXPECT_BATCH:
        add_batch(w, expect->pattern);
        break;
    case JCK_EXPECT_REJECTED:
        add_error(w, JRPC_INVALID_REQUEST, owed_id(w));
        add_error(w, JRPC_INVALID_REQUEST, JRPC_JSON_ABSENT);
        break;
    case JCK_EXPECT_ANY_OF:
        add_alternatives(w, expect->alternatives, expect->alternative_count);
        break;
    }
    add_alternatives(w, expect->accepted, expect->accepted_count);
}

// The messages that a `receive` waits for: each is a Response or a message that the server sends
// unasked.
static void add_received(writing *w, jrpc_json patterns)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        int64_t times = 1;
        (void)jrpc_json_int64(jrpc_json_get(it.value, "$times"), &times);
        if (times == 0) {
            continue; // what must not be received
        }
        bool reply = jrpc_json_exists(jrpc_json_get(it.value, "error")) ||
                     jrpc_json_exists(jrpc_json_get(it.value, "result"));
        jrpc_json batch = jrpc_json_get(it.value, "$batch");
        if (jrpc_json_exists(batch)) {
            add_batch(w, batch);
            continue;
        }
        if (reply) {
            append_response(w, it.value, JRPC_JSON_ABSENT);
        } else {
            const char *between = "{";
            for (jrpc_json_iterator of = jrpc_json_iterate(it.value); jrpc_json_step(&of);) {
                if (!jrpc_slice_starts_with(jrpc_json_spelling(of.key), JRPC_SLICE("\"$"))) {
                    (void)jrpc_buffer_append_str(&w->text, between);
                    (void)jrpc_json_compact(&w->text, of.key);
                    (void)jrpc_buffer_append_char(&w->text, ':');
                    append_pattern(w, of.value);
                    between = ",";
                }
            }
            (void)jrpc_buffer_append_str(&w->text, *between == '{' ? "{}" : ",…}");
        }
        add(w, JCK_EXAMPLE_MESSAGE);
    }
}

static void add_http(writing *w, jrpc_json answers)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(answers); jrpc_json_step(&it);) {
        if (jrpc_json_string_is(jrpc_json_get(it.value, "as"), JRPC_SLICE("warn"))) {
            continue;
        }
        const char *between = "{";
        for (jrpc_json_iterator of = jrpc_json_iterate(it.value); jrpc_json_step(&of);) {
            if (!jrpc_json_string_is(of.key, JRPC_SLICE("as")) &&
                !jrpc_json_string_is(of.key, JRPC_SLICE("rule"))) {
                (void)jrpc_buffer_append_str(&w->text, between);
                (void)jrpc_json_compact(&w->text, of.key);
                (void)jrpc_buffer_append_char(&w->text, ':');
                append_pattern(w, of.value);
                between = ",";
            }
        }
        (void)jrpc_buffer_append_str(&w->text, *between == '{' ? "{}" : "}");
        add(w, JCK_EXAMPLE_HTTP);
    }
}

static jrpc_slice sent_in(const jck_evidence *evidence, int step)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->direction == JCK_SENT && message->role == JCK_MESSAGE_OF_CASE &&
            message->step == step && message->bytes.len == message->true_len) {
            return message->bytes;
        }
    }
    return (jrpc_slice){NULL, 0};
}

static void write_examples(writing *w, jck_about about)
{
    const jck_step *step = &w->trial->test_case->steps[w->step];
    switch (about) {
    case JCK_ABOUT_END:
        add(w, JCK_EXAMPLE_ALIVE);
        return;
    case JCK_ABOUT_HTTP:
        add_http(w, step->http_answers);
        return;
    case JCK_ABOUT_ANSWER:
        break;
    }
    if (step->kind == JCK_STEP_RECEIVE) {
        add_received(w, step->patterns);
    } else if (step->kind == JCK_STEP_SEND) {
        add_expected(w, &step->expect);
    }
}

static jck_came came_in(const jck_evidence *evidence, int step)
{
    for (size_t i = 0; i < evidence->count; i++) {
        if (jck_evidence_is_received_in(&evidence->messages[i], step)) {
            return JCK_CAME_ANSWER;
        }
    }
    if (evidence->process_gone) {
        return JCK_CAME_EXITED;
    }
    return evidence->settled[step] == JCK_GONE ? JCK_CAME_CLOSED : JCK_CAME_NOTHING;
}

static void explain(jck_trial *trial, jck_finding *finding)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    writing w = {.trial = trial, .step = finding->step, .owed = {.kind = JCK_OWED_UNKNOWN}};
    jrpc_buffer_init(&w.text, jrpc_allocator_heap(), JCK_EXAMPLE_BYTES);
    jck_variables_set_step(trial->variables, finding->step);
    w.sent = sent_in(trial->evidence, finding->step);
    if (w.sent.ptr != NULL) {
        w.owed = jck_owed_for(w.sent, jck_variables_absent(trial->variables), &document);
    }
    write_examples(&w, finding->about);
    finding->came = came_in(trial->evidence, finding->step);
    jck_example *kept = jrpc_arena_array(trial->arena, w.count + 1, sizeof *kept);
    if (kept != NULL) {
        memcpy(kept, w.items, w.count * sizeof *kept);
        finding->expected = kept;
        finding->expected_count = w.count;
    }
    jrpc_buffer_done(&w.text);
    jrpc_json_document_done(&document);
}

void jck_explain_findings(jck_trial *trial)
{
    for (size_t i = 0; i < trial->findings->count; i++) {
        jck_finding *finding = &trial->findings->items[i];
        bool placed = finding->step >= 0 && (size_t)finding->step < trial->test_case->step_count;
        // For a refused handshake and for frames, the sentence of the rule says everything.
        const jck_rule *rule = jck_suite_find_rule(trial->findings->suite, finding->rule);
        bool said = (placed && trial->evidence->settled[finding->step] == JCK_REFUSED) ||
                    jck_is_about_frames(rule);
        if (!finding->known && finding->level != JCK_LEVEL_OBSERVE && placed && !said) {
            explain(trial, finding);
        }
    }
}
