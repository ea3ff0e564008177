#include "fuzz/session/right.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/witness.h"
#include "fuzz/session/stale.h"
#include "reference/json/read.h"

#include <stdlib.h>

enum { SENT_BYTES = 1 << 14, ANSWER_BYTES = 1 << 16, TIMES_MAX = 40, DEPTH = 4096 };

const right_defect right_defects[RIGHT_DEFECTS] = {
    {"\"jsonrpc\":\"2.0\"", "\"jsonrpc\":\"2.1\""},
    {"\"jsonrpc\":", "\"jsonrqc\":"},
    {"\"code\":-32", "\"code\":\"32"},
    {"\"message\":\"", "\"massage\":\""},
    {"\"error\":", "\"errar\":"},
    {",\"id\":", ",\"ix\":"},
};

size_t right_spoil(const right_defect *bad, jrpc_buffer *text)
{
    size_t len = strlen(bad->from);
    size_t count = 0;
    for (size_t i = 0; i + len <= text->len; i++) {
        if (memcmp(text->ptr + i, bad->from, len) == 0) {
            memcpy(text->ptr + i, bad->to, len);
            count++;
        }
    }
    return count;
}

static bool of_1_0(const exchange *e)
{
    return jrpc_slice_is(e->test_case->suite, "jsonrpc-1.0");
}

static bool put(exchange *e, jrpc_json pattern, jrpc_buffer *out)
{
    return witness_put(pattern, jck_variables_resolve, &e->variables, out);
}

// A code that any error may have: those of the specification, the first and last that are free for
// servers, those beside what it reserves.
static void put_code(const exchange *e, jrpc_buffer *out)
{
    static const int codes[] = {-32601, -32099, -32000, -32769, -31999, 1, -32603};
    size_t count = sizeof codes / sizeof *codes;
    (void)jrpc_buffer_printf(out, "{\"code\":%d,", codes[e->choice / 8 % count]);
}

// An error Object: what every error has is put in where the pattern leaves it open.
static bool put_error(exchange *e, jrpc_json pattern, jrpc_buffer *out)
{
    static const char *const every[] = {"code", "message"};
    if (!jrpc_json_is(pattern, JRPC_JSON_OBJECT)) {
        return put(e, pattern, out);
    }
    bool open[2];
    for (size_t i = 0; i < 2; i++) {
        jrpc_json wanted = jrpc_json_get(pattern, every[i]);
        open[i] = !jrpc_json_exists(wanted) || witness_is_anything(wanted);
    }
    if (open[0]) {
        put_code(e, out);
    } else {
        jrpc_buffer_append_char(out, '{');
    }
    jrpc_buffer_append_str(out, open[1] ? "\"message\":\"m\"," : "");
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        bool is_put = witness_is_absence(it.value);
        for (size_t i = 0; i < 2; i++) {
            is_put = is_put || (open[i] && jrpc_json_string_is(it.key, jrpc_slice_str(every[i])));
        }
        if (is_put) {
            continue;
        }
        jrpc_buffer_append(out, jrpc_json_spelling(it.key));
        jrpc_buffer_append_char(out, ':');
        if (!put(e, it.value, out)) {
            return false;
        }
        jrpc_buffer_append_char(out, ',');
    }
    if (out->failed) {
        return false;
    }
    out->ptr[out->len - 1] = '}'; // in the place of the last comma
    return true;
}

// Members of a message that a pattern has beside the message's own, or that are put in elsewhere.
static bool is_beside(jrpc_json key)
{
    static const char *const names[] = {"id", "as", "rule", "jsonrpc", "$times", "$rule"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (jrpc_json_string_is(key, jrpc_slice_str(names[i]))) {
            return true;
        }
    }
    return false;
}

static void put_name(jrpc_json key, jrpc_buffer *out)
{
    jrpc_buffer_append_char(out, ',');
    jrpc_buffer_append(out, jrpc_json_spelling(key));
    jrpc_buffer_append_char(out, ':');
}

// What a Response must have, and a result of RO-JRPC, where the pattern does not say.
static void put_rest(const exchange *e, jrpc_json pattern, jrpc_buffer *out)
{
    bool result = jrpc_json_exists(jrpc_json_get(pattern, "result"));
    bool error = jrpc_json_exists(jrpc_json_get(pattern, "error"));
    bool method = jrpc_json_exists(jrpc_json_get(pattern, "method"));
    jrpc_json verb = jrpc_json_get(pattern, "verb");
    bool ends = jrpc_json_string_is(verb, JRPC_SLICE("return"));
    if (jrpc_json_exists(verb) && !method) {
        jrpc_buffer_append_str(out, ends ? ",\"resource\":\"r\",\"method\":\"r.return\""
                                         : ",\"resource\":\"r\",\"method\":\"r.yield\"");
        jrpc_buffer_append_str(out, result ? ""
                                    : ends ? ",\"result\":{\"status\":\"done\"}"
                                           : ",\"result\":{\"status\":\"pending\"}");
    } else if (of_1_0(e) && !method) {
        jrpc_buffer_append_str(out, result && error ? ""
                                    : result        ? ",\"error\":null"
                                    : error         ? ",\"result\":null"
                                                    : ",\"result\":0,\"error\":null");
    } else if (!method && !result && !error) {
        jrpc_buffer_append_str(out, ",\"error\":{\"code\":-32601,\"message\":\"m\"}");
    }
}

// `id` is the spelling where the pattern says none; empty: no id is put in then.
static bool put_message(exchange *e, jrpc_json pattern, jrpc_slice id, jrpc_buffer *out)
{
    jrpc_json version = jrpc_json_get(pattern, "jsonrpc");
    size_t begin = out->len;
    if (jrpc_json_exists(version) && !witness_is_absence(version)) {
        jrpc_buffer_append_str(out, ",\"jsonrpc\":");
        if (!put(e, version, out)) {
            return false;
        }
    } else if (!jrpc_json_exists(version) && !of_1_0(e)) {
        jrpc_buffer_append_str(out, ",\"jsonrpc\":\"2.0\"");
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(pattern); jrpc_json_step(&it);) {
        bool error = jrpc_json_string_is(it.key, JRPC_SLICE("error"));
        if (is_beside(it.key) || witness_is_absence(it.value)) {
            continue;
        }
        put_name(it.key, out);
        if (!(error ? put_error(e, it.value, out) : put(e, it.value, out))) {
            return false;
        }
    }
    put_rest(e, pattern, out);
    jrpc_json stated = jrpc_json_get(pattern, "id");
    if (jrpc_json_exists(stated) ? !witness_is_absence(stated) : id.len > 0) {
        jrpc_buffer_append_str(out, ",\"id\":");
        if (jrpc_json_exists(stated) ? !put(e, stated, out) : !jrpc_buffer_append(out, id)) {
            return false;
        }
    }
    jrpc_buffer_append_char(out, '}');
    if (out->failed) {
        return false;
    }
    out->ptr[begin] = '{';
    return true;
}

// The id that a Response to a text must carry: its own where it is a String or a Number, else null.
static bool put_id(jrpc_slice sent, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool is_read = jrpc_json_read(&document, sent, DEPTH, NULL);
    jrpc_json id = jrpc_json_get(is_read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT, "id");
    bool own = jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER);
    bool ok =
        own ? jrpc_buffer_append(out, jrpc_json_spelling(id)) : jrpc_buffer_append_str(out, "null");
    jrpc_json_document_done(&document);
    return ok;
}

static bool put_batch(exchange *e, jrpc_json patterns, jrpc_buffer *out)
{
    const char *between = "[";
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        jrpc_buffer_append_str(out, between);
        between = ",";
        if (!put_message(e, it.value, JRPC_SLICE("null"), out)) {
            return false;
        }
    }
    return jrpc_buffer_append_char(out, ']');
}

static bool put_expected(exchange *e, const jck_expect *expect, jrpc_slice id, jrpc_buffer *out)
{
    switch (expect->kind) {
    case JCK_EXPECT_UNSTATED:
    case JCK_EXPECT_ANYTHING:
    case JCK_EXPECT_NOTHING:
    case JCK_EXPECT_CLOSED:
        return true;
    case JCK_EXPECT_RESPONSE:
        return put_message(e, expect->pattern, id, out);
    case JCK_EXPECT_BATCH:
        return jrpc_json_count(expect->pattern) > 0 && put_batch(e, expect->pattern, out);
    case JCK_EXPECT_REJECTED:
        jrpc_buffer_append_str(out, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
                                    "\"message\":\"m\"},\"id\":");
        jrpc_buffer_append(out, id);
        return jrpc_buffer_append_char(out, '}');
    case JCK_EXPECT_OWED:
    case JCK_EXPECT_PARSER:
    case JCK_EXPECT_ANY_OF:
        break;
    }
    return false;
}

static const jck_expect *choose(const jck_expect *expect, unsigned choice)
{
    return expect->kind == JCK_EXPECT_ANY_OF
               ? &expect->alternatives[choice % expect->alternative_count]
               : expect;
}

bool right_answer(exchange *e, size_t step, unsigned choice, jrpc_buffer *out)
{
    const jck_step *of_case = &e->test_case->steps[step];
    jrpc_buffer id;
    jrpc_buffer_init(&id, jrpc_allocator_heap(), SENT_BYTES);
    jck_variables_set_step(&e->variables, (int)step);
    e->choice = choice;
    bool told = of_case->kind == JCK_STEP_SEND && put_id(exchange_sent(e, step), &id) &&
                put_expected(e, choose(&of_case->expect, choice), jrpc_buffer_slice(&id), out);
    jrpc_buffer_done(&id);
    return told && !out->failed;
}

enum { METHOD_NOT_ALLOWED = 405 };

// The headers that an HTTP answer must have, each on its own line. False if a line cannot hold a
// value that fits one of them.
static bool put_headers(exchange *e, jrpc_json wanted, jrpc_buffer *head)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(wanted); jrpc_json_step(&it);) {
        jrpc_slice name = jrpc_slice_inside(jrpc_json_spelling(it.key));
        if (witness_is_absence(it.value)) {
            continue;
        }
        jrpc_buffer_append_str(head, "\r\n");
        jrpc_buffer_append(head, name);
        size_t begin = head->len + 1;
        jrpc_buffer_append_char(head, ':');
        if (!put(e, it.value, head) || head->len < begin + 2 || head->ptr[begin] != '"' ||
            memchr(head->ptr + begin, '\\', head->len - begin) != NULL) {
            return false;
        }
        head->ptr[begin] = ' '; // its quotes
        head->ptr[head->len - 1] = ' ';
    }
    return true;
}

// The HTTP answer around a message, where the step says what it may be like.
static bool describe_http(exchange *e, const jck_step *step, unsigned choice, jrpc_buffer *head,
                          jck_message *message)
{
    uint32_t count = jrpc_json_count(step->http_answers);
    jrpc_json wanted = jrpc_json_element(step->http_answers, count == 0 ? 0 : choice % count);
    jrpc_json type = jrpc_json_get(wanted, "content-type");
    jrpc_json empty = jrpc_json_get(wanted, "empty");
    int64_t status = message->bytes.len == 0 ? 204 : 200;
    jrpc_buffer number;
    jrpc_buffer_init(&number, jrpc_allocator_heap(), 64);
    if (jrpc_json_exists(jrpc_json_get(wanted, "status")) &&
        put(e, jrpc_json_get(wanted, "status"), &number) &&
        jrpc_buffer_append_char(&number, '\0')) {
        status = strtol(number.ptr, NULL, 10);
    }
    jrpc_buffer_done(&number);
    size_t begin = 0;
    if (jrpc_json_is(jrpc_json_get(wanted, "continued"), JRPC_JSON_TRUE)) {
        jrpc_buffer_append_str(head, "HTTP/1.1 100 Continue\r\n\r\n");
    }
    if (choice / 4 % 2 != 0) { // what an interim answer says is not said of the message
        jrpc_buffer_append_str(head, "HTTP/1.1 103 Early Hints\r\nContent-Type: text/plain\r\n"
                                     "Allow: GET\r\n\r\n");
    }
    jrpc_buffer_append_str(head, "HTTP/1.1 200 OK\r\nContent-Type: ");
    begin = head->len;
    if (jrpc_json_exists(type) ? !put(e, type, head)
                               : !jrpc_buffer_append_str(head, "\"application/json\"")) {
        return false;
    }
    head->ptr[begin] = ' '; // its quotes
    head->ptr[head->len - 1] = ';';
    for (size_t i = begin; i < head->len && choice % 2 != 0; i++) {
        bool lower = head->ptr[i] >= 'a' && head->ptr[i] <= 'z'; // a media type has no case
        head->ptr[i] = (char)(head->ptr[i] - (lower ? 'a' - 'A' : 0));
    }
    if (status == METHOD_NOT_ALLOWED) {
        jrpc_buffer_append_str(head, "\r\nAllow: POST"); // RFC 9110, section 15.5.6
    }
    message->http_status = (int)status;
    message->http_reused = true;
    message->http_closed = jrpc_json_is(jrpc_json_get(wanted, "closed"), JRPC_JSON_TRUE);
    message->role = message->bytes.len == 0 ? JCK_MESSAGE_OF_SESSION : JCK_MESSAGE_OF_CASE;
    return put_headers(e, jrpc_json_get(wanted, "headers"), head) &&
           (!jrpc_json_is(empty, JRPC_JSON_TRUE) || message->bytes.len == 0);
}

static void add_answer(exchange *e, jck_message *message, right_session *how, jrpc_buffer *text)
{
    if (++how->answers == how->left_out) {
        how->missed = e->test_case->steps[message->step].kind == JCK_STEP_RECEIVE ||
                      e->test_case->steps[message->step].expect.kind == JCK_EXPECT_RESPONSE ||
                      e->test_case->steps[message->step].expect.kind == JCK_EXPECT_BATCH;
        return;
    }
    how->spoilt += how->bad == NULL ? 0 : right_spoil(how->bad, text);
    if (how->answers == how->stale && stale_put(e, message, text)) {
        how->repeated = message->step;
    }
    message->bytes = jrpc_buffer_slice(text);
    message->true_len = text->len;
    exchange_add(e, message);
}

static bool play_send(exchange *e, size_t step, right_session *how)
{
    const jck_step *of_case = &e->test_case->steps[step];
    const jck_expect *taken = choose(&of_case->expect, how->choice);
    bool over_http = jrpc_json_exists(of_case->http_answers);
    jrpc_buffer text;
    jrpc_buffer head;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ANSWER_BYTES);
    jrpc_buffer_init(&head, jrpc_allocator_heap(), ANSWER_BYTES);
    bool told = exchange_send(e, step, SENT_BYTES) && right_answer(e, step, how->choice, &text);
    jck_message message = exchange_answer(e, step, jrpc_buffer_slice(&text));
    told = told && (!over_http || describe_http(e, of_case, how->choice, &head, &message));
    message.http_headers = jrpc_buffer_slice(&head);
    if (told && (text.len > 0 || over_http)) {
        add_answer(e, &message, how, &text);
    }
    if (taken->kind == JCK_EXPECT_CLOSED) {
        e->evidence.settled[step] = JCK_GONE;
        e->evidence.end.kind = of_case->manner.close ? JRPC_END_WS_CLOSE : JRPC_END_CLOSED;
    }
    how->strict = how->strict &&
                  (taken == &of_case->expect || of_case->expect.kind != JCK_EXPECT_ANY_OF) &&
                  (taken->kind == JCK_EXPECT_RESPONSE || taken->kind == JCK_EXPECT_BATCH);
    jrpc_buffer_done(&head);
    jrpc_buffer_done(&text);
    return told;
}

// The fewest times that a pattern wants to be met.
static int64_t least_times(jrpc_json pattern)
{
    jrpc_json given = jrpc_json_get(pattern, "$times");
    int64_t least = 1;
    (void)jrpc_json_int64(
        jrpc_json_is(given, JRPC_JSON_ARRAY) ? jrpc_json_element(given, 0) : given, &least);
    return least;
}

static bool play_receive(exchange *e, size_t step, right_session *how)
{
    bool told = true;
    how->strict = false;
    jck_variables_set_step(&e->variables, (int)step);
    for (jrpc_json_iterator it = jrpc_json_iterate(e->test_case->steps[step].patterns);
         told && jrpc_json_step(&it);) {
        int64_t times = least_times(it.value);
        told = times <= TIMES_MAX;
        for (int64_t n = 0; told && n < times; n++) {
            jrpc_buffer text;
            jrpc_buffer_init(&text, jrpc_allocator_heap(), ANSWER_BYTES);
            jrpc_json batch = jrpc_json_get(it.value, "$batch");
            told = jrpc_json_exists(batch) ? put_batch(e, batch, &text)
                                           : put_message(e, it.value, (jrpc_slice){NULL, 0}, &text);
            jck_message message = exchange_answer(e, step, jrpc_buffer_slice(&text));
            if (told) {
                add_answer(e, &message, how, &text);
            }
            jrpc_buffer_done(&text);
        }
    }
    return told;
}

// A judge takes the first alternative that matches, which may be one before the one that was meant.
static jck_outcome worst_of(const jck_expect *expect, unsigned choice)
{
    jck_outcome worst = expect->accepted_count > 0 ? JCK_OUTCOME_WARN : JCK_OUTCOME_OBSERVE;
    for (size_t i = 0; expect->kind == JCK_EXPECT_ANY_OF && i <= choice % expect->alternative_count;
         i++) {
        if (expect->alternatives[i].taken_as == JCK_TAKEN_AS_WARN) {
            worst = JCK_OUTCOME_WARN;
        }
    }
    return worst;
}

// The same for what HTTP says around the message.
static jck_outcome worst_over_http(const jck_step *step, unsigned choice)
{
    uint32_t count = jrpc_json_count(step->http_answers);
    for (uint32_t i = 0; count > 0 && i <= choice % count; i++) {
        jrpc_json alternative = jrpc_json_element(step->http_answers, i);
        if (jrpc_json_string_is(jrpc_json_get(alternative, "as"), JRPC_SLICE("warn"))) {
            return JCK_OUTCOME_WARN;
        }
    }
    return JCK_OUTCOME_OBSERVE;
}

// Whether some answer ends the case early: a defect in the steps after it then goes unnoticed.
static bool can_be_enough(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_expect *expect = &test_case->steps[i].expect;
        for (size_t n = 0; n < expect->alternative_count; n++) {
            if (expect->alternatives[n].taken_as == JCK_TAKEN_AS_ENOUGH) {
                return true;
            }
        }
        jrpc_json_iterator around = jrpc_json_iterate(test_case->steps[i].http_answers);
        while (jrpc_json_step(&around)) {
            jrpc_slice as = jrpc_json_spelling(jrpc_json_get(around.value, "as"));
            if (jrpc_slice_starts_with(as, JRPC_SLICE("\"enough"))) {
                return true;
            }
        }
    }
    return false;
}

bool right_play(exchange *e, right_session *how)
{
    const jck_case *test_case = e->test_case;
    bool told = true;
    how->worst = JCK_OUTCOME_OBSERVE;
    how->spoilt = 0;
    how->answers = 0;
    how->missed = false;
    how->repeated = -1;
    how->strict = !of_1_0(e); // an error in 1.0 is anything
    for (size_t i = 0; i < test_case->step_count; i++) {
        for (size_t n = 0; n < test_case->steps[i].capture_count; n++) {
            FUZZ_REQUIRE(jck_variables_capture(&e->variables, test_case->steps[i].captures[n].name,
                                               JRPC_SLICE("\"captured\"")));
        }
    }
    for (size_t i = 0; i < test_case->step_count && told; i++) {
        const jck_step *step = &test_case->steps[i];
        jck_outcome worst = worst_of(&step->expect, how->choice);
        jck_outcome over_http = worst_over_http(step, how->choice);
        how->worst = worst > how->worst ? worst : how->worst;
        how->worst = over_http > how->worst ? over_http : how->worst;
        switch (step->kind) {
        case JCK_STEP_SEND:
            told = play_send(e, i, how);
            break;
        case JCK_STEP_RECEIVE:
            told = play_receive(e, i, how);
            break;
        case JCK_STEP_REPLY:
        case JCK_STEP_FENCE:
        case JCK_STEP_CLOSE:
        case JCK_STEP_DO:
        case JCK_STEP_HEAR:
        case JCK_STEP_ANSWER:
        case JCK_STEP_OUTCOME:
        case JCK_STEP_LEAVE:
        case JCK_STEP_SERVE:
            break;
        }
    }
    if (can_be_enough(test_case)) {
        how->missed = false;
        how->strict = false;
        how->repeated = -1;
    }
    return told;
}
