#include "harness/suite/write_case.h"

#include "harness/suite/parse.h"
#include "reference/base/utf8.h"
#include "reference/json/write.h"

// Columns by which a member of a case is indented relative to the case.
#define INDENT 2

// An Object that is being written: one member per line, or all on one line.
typedef struct sheet {
    jrpc_buffer *out;
    bool lines;
    unsigned indent; // of the lines
    bool first;      // no member has been written yet
} sheet;

static sheet begin(jrpc_buffer *out, bool lines, unsigned indent)
{
    (void)jrpc_buffer_append_char(out, '{');
    return (sheet){.out = out, .lines = lines, .indent = indent, .first = true};
}

static sheet begin_inline(jrpc_buffer *out)
{
    return begin(out, false, 0);
}

static void end(const sheet *s)
{
    (void)jrpc_buffer_append_str(s->out, s->first ? "}" : " }");
}

static void break_line(jrpc_buffer *out, unsigned indent)
{
    (void)jrpc_buffer_printf(out, "\n%*s", (int)indent, "");
}

// Writes what precedes the name of a member.
static void next(sheet *s)
{
    if (!s->first) {
        (void)jrpc_buffer_append_char(s->out, ',');
    }
    if (s->lines && !s->first) {
        break_line(s->out, s->indent);
    } else {
        (void)jrpc_buffer_append_char(s->out, ' ');
    }
    s->first = false;
}

// Writes the name of a member; its value follows.
static jrpc_buffer *name(sheet *s, const char *member)
{
    next(s);
    (void)jrpc_json_quote(s->out, jrpc_slice_str(member));
    (void)jrpc_buffer_append_str(s->out, ": ");
    return s->out;
}

static void put_text(sheet *s, const char *member, jrpc_slice text)
{
    (void)jrpc_json_quote(name(s, member), text);
}

// The same, but an empty text is omitted.
static void put_word(sheet *s, const char *member, jrpc_slice text)
{
    if (text.len > 0) {
        put_text(s, member, text);
    }
}

static void put_flag(sheet *s, const char *member, bool value)
{
    if (value) {
        (void)jrpc_buffer_append_str(name(s, member), "true");
    }
}

static void put_json(sheet *s, const char *member, jrpc_json value)
{
    if (jrpc_json_exists(value)) {
        (void)jrpc_json_compact(name(s, member), value);
    }
}

static void put_words(sheet *s, const char *member, const jrpc_slice *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_append_str(i == 0 ? name(s, member) : s->out, i == 0 ? "[" : ", ");
        (void)jrpc_json_quote(s->out, words[i]);
    }
    (void)jrpc_buffer_append_str(s->out, count > 0 ? "]" : "");
}

static void write_hex(jrpc_buffer *out, jrpc_slice bytes)
{
    (void)jrpc_buffer_append_char(out, '"');
    for (size_t i = 0; i < bytes.len; i++) {
        (void)jrpc_buffer_printf(out, "%s%02x", i == 0 ? "" : " ", (unsigned char)bytes.ptr[i]);
    }
    (void)jrpc_buffer_append_char(out, '"');
}

static void write_repeat(jrpc_buffer *out, const jck_payload *payload)
{
    sheet s = begin_inline(out);
    put_word(&s, "prefix", payload->prefix);
    put_text(&s, "unit", payload->unit);
    (void)jrpc_buffer_printf(name(&s, "times"), "%zu", payload->times);
    put_word(&s, "middle", payload->middle);
    put_word(&s, "close", payload->close);
    put_word(&s, "suffix", payload->suffix);
    put_words(&s, "digits", payload->digits, payload->digit_count);
    end(&s);
}

static void put_payload(sheet *s, const jck_payload *payload)
{
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        put_json(s, "send", payload->json);
        break;
    case JCK_PAYLOAD_TEXT:
        put_text(s, "send-text", payload->text);
        break;
    case JCK_PAYLOAD_BYTES:
        write_hex(name(s, "send-hex"), payload->text);
        break;
    case JCK_PAYLOAD_REPEAT:
        write_repeat(name(s, "send-repeat"), payload);
        break;
    }
    for (size_t i = 0; i < payload->chunk_count; i++) {
        (void)jrpc_buffer_printf(i == 0 ? name(s, "chunks") : s->out, "%s%zu", i == 0 ? "[" : ", ",
                                 payload->chunks[i]);
    }
    (void)jrpc_buffer_append_str(s->out, payload->chunk_count > 0 ? "]" : "");
    put_flag(s, "raw", payload->raw);
}

// "headers": lines "Name: value" as members; "Name:" leaves a header out. NULL: nothing is written.
static void put_headers(sheet *of, const char *const *lines)
{
    if (lines == NULL) {
        return;
    }
    jrpc_buffer *out = name(of, "headers");
    sheet s = begin_inline(out);
    for (; *lines != NULL; lines++) {
        const char *colon = strchr(*lines, ':');
        size_t len = colon == NULL ? strlen(*lines) : (size_t)(colon - *lines);
        next(&s);
        (void)jrpc_json_quote(out, jrpc_slice_of(*lines, len));
        (void)jrpc_buffer_append_str(out, ": ");
        if (colon == NULL || colon[1] == '\0') {
            (void)jrpc_buffer_append_str(out, "null");
        } else {
            (void)jrpc_json_quote(out, jrpc_slice_str(colon[1] == ' ' ? colon + 2 : colon + 1));
        }
    }
    end(&s);
}

static void put_manner(sheet *s, const jck_step *step)
{
    const jrpc_manner *manner = &step->manner;
    bool with_credential = step->credential != JCK_CREDENTIAL_RIGHT;
    bool with_message = with_credential && !step->shakes_anew;
    if (manner->http_method != NULL || manner->content_type != NULL || manner->headers != NULL ||
        with_message || manner->chunked || manner->bytes != JRPC_BYTES_USUAL ||
        manner->status > 0 || manner->names != JRPC_NAMES_USUAL ||
        jrpc_json_exists(step->http_answers)) {
        sheet http = begin_inline(name(s, "http"));
        if (manner->http_method != NULL) {
            put_text(&http, "method", jrpc_slice_str(manner->http_method));
        }
        if (manner->content_type != NULL) {
            put_text(&http, "content-type", jrpc_slice_str(manner->content_type));
        }
        if (manner->status > 0) {
            (void)jrpc_buffer_printf(name(&http, "status"), "%u", manner->status);
        }
        put_headers(&http, manner->headers);
        if (with_message) {
            put_text(&http, "credential", jrpc_slice_str(jck_credential_word(step->credential)));
        }
        if (manner->names != JRPC_NAMES_USUAL) {
            put_text(&http, "names",
                     manner->names == JRPC_NAMES_LOWER ? JRPC_SLICE("lower") : JRPC_SLICE("upper"));
        }
        put_word(&http, "bytes", jrpc_slice_str(jck_bytes_word(manner->bytes)));
        put_flag(&http, "chunked", manner->chunked);
        put_flag(&http, "query", step->in_query);
        put_json(&http, "answer", step->http_answers);
        end(&http);
    }
    if (manner->binary || manner->ping || manner->close || step->shakes_anew) {
        sheet websocket = begin_inline(name(s, "websocket"));
        if (with_credential && step->shakes_anew) {
            put_text(&websocket, "credential",
                     jrpc_slice_str(jck_credential_word(step->credential)));
        }
        put_flag(&websocket, "binary", manner->binary);
        put_flag(&websocket, "ping", manner->ping);
        bool coded = manner->close_code != 0; // another code than 1000 is for clients only
        put_word(&websocket, "close", jrpc_slice_str(manner->close && !coded ? "empty" : ""));
        put_flag(&websocket, "close", manner->close && coded);
        put_headers(&websocket, step->handshake);
        end(&websocket);
    }
}

// The members of a Response, one by one: the pattern of an alternative lacks some that are in its
// text (see load_expect.c).
static void put_response(sheet *s, jrpc_json pattern)
{
    jrpc_json_iterator members = jrpc_json_iterate(pattern);
    while (jrpc_json_step(&members)) {
        next(s);
        (void)jrpc_json_compact(s->out, members.key);
        (void)jrpc_buffer_append_str(s->out, ": ");
        (void)jrpc_json_compact(s->out, members.value);
    }
}

static void put_expectation(sheet *s, const jck_expect *expect);

// What makes an expectation an alternative.
static void put_taken_as(sheet *s, const jck_expect *alternative)
{
    jrpc_buffer word;
    jrpc_buffer_init(&word, s->out->allocator, s->out->maximum);
    switch (alternative->taken_as) {
    case JCK_TAKEN_AS_PASS:
        break;
    case JCK_TAKEN_AS_WARN:
        put_text(s, "as", JRPC_SLICE("warn"));
        break;
    case JCK_TAKEN_AS_OBSERVE:
    case JCK_TAKEN_AS_ENOUGH:
        (void)jrpc_buffer_append_str(
            &word, alternative->taken_as == JCK_TAKEN_AS_ENOUGH ? "enough:" : "observe:");
        (void)jrpc_buffer_append(&word, alternative->observation);
        put_text(s, "as", jrpc_buffer_slice(&word));
        break;
    }
    s->out->failed = s->out->failed || word.failed;
    jrpc_buffer_done(&word);
    if (alternative->kind != JCK_EXPECT_REJECTED) {
        put_word(s, "rule", alternative->rule);
    }
}

static void write_alternatives(jrpc_buffer *out, const jck_expect *expect)
{
    for (size_t i = 0; i < expect->alternative_count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "[ " : ", ");
        sheet s = begin_inline(out);
        put_expectation(&s, &expect->alternatives[i]);
        put_taken_as(&s, &expect->alternatives[i]);
        end(&s);
    }
    (void)jrpc_buffer_append_str(out, " ]");
}

// An expectation as the members of an Object.
static void put_expectation(sheet *s, const jck_expect *expect)
{
    switch (expect->kind) {
    case JCK_EXPECT_UNSTATED:
        break;
    case JCK_EXPECT_ANYTHING:
        put_flag(s, "anything", true);
        break;
    case JCK_EXPECT_NOTHING:
        put_flag(s, "nothing", true);
        break;
    case JCK_EXPECT_CLOSED:
        put_flag(s, "closed", true);
        if (expect->with_status) {
            (void)jrpc_buffer_printf(name(s, "status"), "%d", expect->status);
        }
        break;
    case JCK_EXPECT_OWED:
        put_flag(s, "owed", true);
        break;
    case JCK_EXPECT_RESPONSE:
        put_response(s, expect->pattern);
        break;
    case JCK_EXPECT_BATCH:
        put_json(s, "batch", expect->pattern);
        put_flag(s, "in-order", expect->in_order);
        break;
    case JCK_EXPECT_REJECTED:
        put_text(s, "rejected", expect->rule);
        break;
    case JCK_EXPECT_PARSER:
        put_text(s, "parser", jrpc_slice_str(jck_parser_owes_word(expect->parser)));
        put_word(s, "observe", expect->observation);
        break;
    case JCK_EXPECT_ANY_OF:
        write_alternatives(name(s, "any-of"), expect);
        put_word(s, "else", expect->otherwise);
        break;
    }
}

// An expectation in its shortest form.
static void put_expect(sheet *s, const jck_expect *expect)
{
    if (expect->kind == JCK_EXPECT_UNSTATED) {
        return;
    }
    (void)name(s, "expect");
    if (expect->kind == JCK_EXPECT_ANYTHING || expect->kind == JCK_EXPECT_NOTHING ||
        expect->kind == JCK_EXPECT_OWED) {
        const char *word = expect->kind == JCK_EXPECT_ANYTHING  ? "\"anything\""
                           : expect->kind == JCK_EXPECT_NOTHING ? "\"nothing\""
                                                                : "\"owed\"";
        (void)jrpc_buffer_append_str(s->out, word);
    } else if (expect->kind == JCK_EXPECT_BATCH && !expect->in_order) {
        (void)jrpc_json_compact(s->out, expect->pattern);
    } else {
        sheet inner = begin_inline(s->out);
        put_expectation(&inner, expect);
        end(&inner);
    }
}

static void put_source(sheet *s, const jck_capture *capture)
{
    if (jrpc_json_exists(capture->where)) {
        sheet of = begin_inline(s->out);
        put_text(&of, "in", capture->from);
        put_json(&of, "where", capture->where);
        put_text(&of, "take", capture->take);
        end(&of);
    } else {
        (void)jrpc_json_quote(s->out, capture->from);
    }
}

static void put_captures(sheet *s, const jck_step *step)
{
    if (step->capture_count == 0) {
        return;
    }
    sheet captures = begin_inline(name(s, "capture"));
    for (size_t i = 0; i < step->capture_count; i++) {
        next(&captures);
        (void)jrpc_json_quote(s->out, step->captures[i].name);
        (void)jrpc_buffer_append_str(s->out, ": ");
        put_source(s, &step->captures[i]);
    }
    end(&captures);
}

// The members of a step; those of an only step are members of the case.
static void put_step(sheet *s, const jck_step *step)
{
    if (step->connection != 'a') {
        put_text(s, "on", jrpc_slice_of(&step->connection, 1));
    }
    switch (step->kind) {
    case JCK_STEP_SEND:
        put_payload(s, &step->payload);
        put_manner(s, step);
        put_expect(s, &step->expect);
        put_captures(s, step);
        break;
    case JCK_STEP_RECEIVE:
        put_json(s, "receive", step->patterns);
        put_word(s, "order", step->exact_order ? JRPC_SLICE("exact") : (jrpc_slice){NULL, 0});
        if (!jrpc_slice_is(step->within, "reply")) {
            put_word(s, "within", step->within);
        }
        break;
    case JCK_STEP_REPLY:
        put_json(s, "reply", step->reply);
        break;
    case JCK_STEP_FENCE:
        put_flag(s, "fence", true);
        break;
    case JCK_STEP_CLOSE:
        put_text(s, "close", step->half ? JRPC_SLICE("write") : JRPC_SLICE("both"));
        break;
    case JCK_STEP_DO:
    case JCK_STEP_HEAR:
    case JCK_STEP_ANSWER:
    case JCK_STEP_OUTCOME:
    case JCK_STEP_LEAVE:
    case JCK_STEP_SERVE:
        break; // of cases that test a client, which are never written
    }
}

static void write_steps(jrpc_buffer *out, const jck_case *test_case, unsigned indent)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        (void)jrpc_buffer_append_char(out, i == 0 ? '[' : ',');
        break_line(out, indent + INDENT);
        sheet s = begin_inline(out);
        put_step(&s, &test_case->steps[i]);
        end(&s);
    }
    (void)jrpc_buffer_append_str(out, " ]");
}

bool jck_case_write(jrpc_buffer *out, const jck_case *test_case, unsigned indent)
{
    sheet s = begin(out, true, indent + INDENT);
    put_text(&s, "id", test_case->id);
    put_text(&s, "title", test_case->title);
    put_words(&s, "rules", test_case->rules, test_case->rule_count);
    put_words(&s, "catches", test_case->catches, test_case->catch_count);
    put_word(&s, "found", test_case->found);
    put_word(&s, "role",
             test_case->side == JCK_SIDE_SERVER ? (jrpc_slice){NULL, 0}
                                                : jrpc_slice_str(jck_side_name(test_case->side)));
    put_words(&s, "needs", test_case->needs, test_case->need_count);
    put_words(&s, "aliases", test_case->aliases, test_case->alias_count);
    put_json(&s, "level-of", test_case->level_of);
    put_json(&s, "requests", test_case->requests);
    put_flag(&s, "hazard", test_case->hazard);
    put_flag(&s, "bare", test_case->bare);
    put_word(&s, "since", test_case->span.since);
    put_word(&s, "until", test_case->span.until);
    put_word(&s, "why", test_case->why);
    bool single = test_case->step_count == 1 && test_case->steps[0].kind == JCK_STEP_SEND;
    if (single) {
        put_step(&s, &test_case->steps[0]);
    } else {
        write_steps(name(&s, "steps"), test_case, indent + INDENT);
    }
    end(&s);
    return !out->failed;
}

bool jck_case_write_file(jrpc_buffer *out, const jck_case_heading *heading, const jck_case *cases,
                         size_t count)
{
    sheet s = begin(out, true, INDENT);
    (void)jrpc_buffer_append_str(name(&s, "schema"), "1");
    put_text(&s, "suite", heading->suite);
    put_text(&s, "section", heading->section);
    put_text(&s, "title", heading->title);
    (void)jrpc_buffer_append_str(name(&s, "cases"), "[");
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : ",");
        break_line(out, 2 * INDENT);
        (void)jck_case_write(out, &cases[i], 2 * INDENT);
    }
    (void)jrpc_buffer_append_str(out, " ]");
    end(&s);
    return jrpc_buffer_append_char(out, '\n');
}

// Appends bytes literally: "${" in them is escaped.
static bool append_literally(jrpc_buffer *out, jrpc_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        jrpc_slice rest = jrpc_slice_from(bytes, i);
        (void)jrpc_buffer_append_str(out,
                                     jrpc_slice_starts_with(rest, JRPC_SLICE("${")) ? "$" : "");
        (void)jrpc_buffer_append_char(out, bytes.ptr[i]);
    }
    return !out->failed;
}

// Whether `text` is one JSON value without white space between its tokens.
static bool is_compact(jrpc_arena *arena, jrpc_slice text, jrpc_json *ret_value)
{
    jrpc_buffer compact;
    jrpc_buffer_init(&compact, arena->allocator, text.len + 1);
    bool done = jck_parse(arena, text, ret_value, NULL) &&
                jrpc_json_compact(&compact, *ret_value) &&
                jrpc_slice_equal(jrpc_buffer_slice(&compact), text);
    jrpc_buffer_done(&compact);
    return done;
}

bool jck_payload_of_bytes(jrpc_arena *arena, jrpc_slice bytes, jck_payload *ret_payload)
{
    jck_payload payload = {.kind = JCK_PAYLOAD_BYTES};
    jrpc_buffer literal;
    jrpc_buffer_init(&literal, arena->allocator, 2 * bytes.len + 1);
    bool text = jrpc_utf8_is_valid(bytes.ptr, bytes.len);
    bool done = text ? append_literally(&literal, bytes) : jrpc_buffer_append(&literal, bytes);
    done = done && jrpc_arena_copy(arena, jrpc_buffer_slice(&literal), &payload.text);
    jrpc_buffer_done(&literal);
    if (done && text) {
        payload.kind =
            is_compact(arena, payload.text, &payload.json) ? JCK_PAYLOAD_JSON : JCK_PAYLOAD_TEXT;
    }
    *ret_payload = payload;
    return done;
}
