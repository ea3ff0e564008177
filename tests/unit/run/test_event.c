// Event lines: JSON that agrees with the published schema, whatever bytes a peer sent.
#include "harness/run/event.h"

#include "tests/unit/judge/bench.h"
#include "tests/unit/run/schema.h"

static const row rows[] = {
    {"",
     "\"rules\":[\"X-must\",\"J2-5.1f\"],\"send\":" CALL ",\"expect\":" UNKNOWN,
     {ERROR_ANSWER("-1", "7")},
     ""},
};

typedef struct fixture {
    bench b;
    schema published;
    execution run;
    jrpc_buffer line;
    jrpc_json_document read;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    bench_load(&f.b, rows, 1);
    schema_open(&f.published, "docs/event.schema.json");
    bench_send(&f.b, 0, &f.run);
    jrpc_buffer_init(&f.line, jrpc_allocator_heap(), BENCH_BYTES);
    jrpc_json_document_init(&f.read, jrpc_allocator_heap());
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    jrpc_json_document_done(&f->read);
    jrpc_buffer_done(&f->line);
    bench_forget(&f->run);
    schema_close(&f->published);
    bench_done(&f->b);
    return 0;
}

// Reads the one line that was written, and holds it against the schema.
static jrpc_json check_line(fixture *f)
{
    jrpc_slice line = jrpc_buffer_slice(&f->line);
    assert_true(line.len > 0 && line.ptr[line.len - 1] == '\n');
    assert_ptr_equal(memchr(line.ptr, '\n', line.len), line.ptr + line.len - 1);
    jrpc_error error = {0};
    if (!jrpc_json_read(&f->read, line, JRPC_LIMIT_DEPTH, &error)) {
        fail_msg("%s at %zu", error.message, error.offset);
    }
    f->published.why[0] = '\0';
    if (!schema_holds(&f->published, jrpc_json_root(&f->published.document),
                      jrpc_json_root(&f->read))) {
        fail_msg("%s", f->published.why);
    }
    return jrpc_json_root(&f->read);
}

static jrpc_json write_case(fixture *f, const jck_verdict *verdict, jck_outcome outcome,
                            const jck_reason *reason)
{
    const jck_case_event event = {.kind = "case",
                                  .test_case = f->run.test_case,
                                  .verdict = verdict,
                                  .outcome = outcome,
                                  .reason = reason,
                                  .evidence = verdict == NULL ? NULL : &f->run.evidence};
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_case(&f->line, &event));
    return check_line(f);
}

static jrpc_json judge_and_write(fixture *f, jrpc_arena *arena)
{
    jck_verdict verdict;
    bench_judge(&f->b, 0, &f->run, arena, &verdict);
    return write_case(f, &verdict, verdict.outcome, NULL);
}

static void receive(fixture *f, jrpc_slice bytes)
{
    const jck_message message = {
        .direction = JCK_RECEIVED, .connection = 'a', .bytes = bytes, .true_len = bytes.len};
    assert_true(jck_evidence_add(&f->run.evidence, &message));
}

static jrpc_json message_of(jrpc_json event, uint32_t index)
{
    return jrpc_json_element(jrpc_json_get(jrpc_json_get(event, "exchange"), "messages"), index);
}

static bool says(jrpc_json object, const char *name, const char *text)
{
    return jrpc_json_string_is(jrpc_json_get(object, name), jrpc_slice_str(text));
}

static void a_judged_case_tells_rules_findings_and_the_exchange(void **state)
{
    fixture *f = *state;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    bench_receive(&f->run, rows[0].came[0]);
    f->run.evidence.end = (jrpc_peer_ending){JRPC_END_EXITED, 3};
    f->run.evidence.duration_us = 12;
    f->run.evidence.stderr_tail = JRPC_SLICE("a\xFF\0b\n");
    jrpc_json event = judge_and_write(f, &arena);
    assert_true(says(event, "event", "case") && says(event, "id", "t/0"));
    assert_true(says(event, "outcome", "fail"));
    jrpc_json finding = jrpc_json_element(jrpc_json_get(event, "findings"), 0);
    assert_true(says(finding, "rule", "J2-5.1f") && says(finding, "level", "MUST"));
    assert_true(says(finding, "sentence", "s"));
    assert_false(jrpc_json_exists(jrpc_json_get(finding, "known")));
    assert_true(says(finding, "came", "answer"));
    jrpc_json expected = jrpc_json_element(jrpc_json_get(finding, "expected"), 0);
    assert_true(says(expected, "kind", "response"));
    assert_true(says(expected, "text",
                     "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,"
                     "\"message\":\"Method not found\"},\"id\":7}"));
    assert_true(jrpc_json_is(jrpc_json_get(event, "expected"), JRPC_JSON_FALSE));
    assert_true(says(message_of(event, 0), "dir", "sent"));
    assert_true(says(message_of(event, 1), "dir", "received"));
    assert_true(says(message_of(event, 1), "text", rows[0].came[0]));
    jrpc_json end = jrpc_json_get(jrpc_json_get(event, "exchange"), "end");
    assert_true(says(end, "kind", "exited"));
    assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(end, "status")), "3"));
    jrpc_arena_done(&arena);
}

static void every_reason_is_in_the_schema_with_what_it_is_about(void **state)
{
    fixture *f = *state;
    for (int code = JCK_REASON_NONE + 1; code < JCK_REASON_COUNT; code++) {
        const jck_reason reason = {.code = (jck_reason_code)code,
                                   .text = "t",
                                   .capability = JRPC_SLICE("echo"),
                                   .rule = JRPC_SLICE("J2-6a"),
                                   .unlock = "--method echo=NAME"};
        jrpc_json event = write_case(f, NULL, JCK_OUTCOME_SKIP, &reason);
        assert_true(says(event, "reason_code", jck_reason_word(reason.code)));
        assert_true(says(event, "reason", "t") && says(event, "capability", "echo"));
        assert_true(says(event, "blocked_by", "J2-6a"));
        assert_true(says(event, "unlock", "--method echo=NAME"));
    }
    const jck_reason none = {.code = JCK_REASON_NONE};
    jrpc_json event = write_case(f, NULL, JCK_OUTCOME_PASS, &none);
    assert_false(jrpc_json_exists(jrpc_json_get(event, "reason_code")));
}

static void a_sequence_of_messages_is_in_the_schema(void **state)
{
    fixture *f = *state;
    const jck_message messages[] = {
        {.connection = 'a', .bytes = JRPC_SLICE_INIT("[]"), .true_len = 2},
        {.connection = 'b', .bytes = JRPC_SLICE_INIT("\xff"), .true_len = 9},
    };
    const jck_case_event event = {.kind = "case",
                                  .test_case = f->run.test_case,
                                  .outcome = JCK_OUTCOME_PASS,
                                  .sequence = messages,
                                  .sequence_count = 2};
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_case(&f->line, &event));
    jrpc_json sequence = jrpc_json_get(check_line(f), "sequence");
    assert_int_equal(jrpc_json_count(sequence), 2);
    assert_true(says(jrpc_json_element(sequence, 0), "text", "[]"));
    assert_true(says(jrpc_json_element(sequence, 1), "base64", "/w=="));
}

static void every_kind_of_end_and_outcome_is_in_the_schema(void **state)
{
    fixture *f = *state;
    static const char *const kinds[] = {"open",   "closed",   "reset",
                                        "exited", "signaled", "ws-close"};
    jck_verdict verdict = {0};
    for (int end = JRPC_END_OPEN; end <= JRPC_END_WS_CLOSE; end++) {
        f->run.evidence.end = (jrpc_peer_ending){(jrpc_end_kind)end, 9};
        jrpc_json event = write_case(f, &verdict, JCK_OUTCOME_PASS, NULL);
        assert_true(
            says(jrpc_json_get(jrpc_json_get(event, "exchange"), "end"), "kind", kinds[end]));
    }
    for (int outcome = 0; outcome < JCK_OUTCOME_COUNT; outcome++) {
        const jck_reason reason = {.code = JCK_REASON_NO_METHOD, .text = "a \"reason\"\n\xC3"};
        jrpc_json event = write_case(f, NULL, (jck_outcome)outcome, &reason);
        assert_true(says(event, "outcome", jck_outcome_name((jck_outcome)outcome)));
        assert_false(jrpc_json_exists(jrpc_json_get(event, "exchange")));
    }
}

static void bytes_that_are_no_text_are_reported_in_base64(void **state)
{
    fixture *f = *state;
    static const struct {
        jrpc_slice bytes;
        const char *base64; // NULL: told as text
    } spelled[] = {
        {JRPC_SLICE_INIT(""), NULL},
        {JRPC_SLICE_INIT("plain \xC3\xA9 \xF0\x9F\x98\x80 \x01\x7F\"\\"), NULL},
        {JRPC_SLICE_INIT("\xFF"), "/w=="},
        {JRPC_SLICE_INIT("\xFF\xFE"), "//4="},
        {JRPC_SLICE_INIT("\xFF\xFE\xFD"), "//79"},
        {JRPC_SLICE_INIT("\0"), "AA=="},
        {JRPC_SLICE_INIT("\0\x10\x83\x10"), "ABCDEA=="},
        {JRPC_SLICE_INIT("\0\x10\x83\x10\x51"), "ABCDEFE="},
        {JRPC_SLICE_INIT("\0\x10\x83\x10\x51\x87"), "ABCDEFGH"},
        {JRPC_SLICE_INIT("\0\x10\x83\x10\x51\x87\x20"), "ABCDEFGHIA=="},
        {JRPC_SLICE_INIT("\xFB\xFF\xBF"), "+/+/"},
        {JRPC_SLICE_INIT("a\0b"), "YQBi"},
        {JRPC_SLICE_INIT("\xC3"), "ww=="},
        {JRPC_SLICE_INIT("\xED\xA0\x80"), "7aCA"},
        {JRPC_SLICE_INIT("\xC0\x80"), "wIA="},
        {JRPC_SLICE_INIT("\xF4\x90\x80\x80"), "9JCAgA=="},
    };
    jck_verdict verdict = {0};
    for (size_t i = 0; i < sizeof spelled / sizeof spelled[0]; i++) {
        receive(f, spelled[i].bytes);
        jrpc_json event = write_case(f, &verdict, JCK_OUTCOME_PASS, NULL);
        jrpc_json message = message_of(event, (uint32_t)i + 1);
        const char *name = spelled[i].base64 == NULL ? "text" : "base64";
        jrpc_slice content =
            spelled[i].base64 == NULL ? spelled[i].bytes : jrpc_slice_str(spelled[i].base64);
        assert_true(jrpc_json_string_is(jrpc_json_get(message, name), content));
        assert_false(jrpc_json_exists(jrpc_json_get(message, "length")));
    }
}

// Five megabytes of a two-byte character after one byte: a cap falls into the middle of one.
static void long_messages_are_capped_with_their_true_length(void **state)
{
    fixture *f = *state;
    enum { BYTES = (5 << 20) + 1 };
    char *bytes = malloc(BYTES);
    assert_non_null(bytes);
    bytes[0] = 'x';
    for (size_t i = 1; i < BYTES; i += 2) {
        memcpy(bytes + i, "\xC3\xA9", 2);
    }
    jck_verdict verdict = {0};
    receive(f, jrpc_slice_of(bytes, BYTES));
    jrpc_json message = message_of(write_case(f, &verdict, JCK_OUTCOME_PASS, NULL), 1);
    assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(message, "length")), "5242881"));
    assert_int_equal(jrpc_json_count(jrpc_json_get(message, "text")), JCK_EVENT_MESSAGE_BYTES - 1);
    bytes[0] = '\0';
    receive(f, jrpc_slice_of(bytes, BYTES));
    message = message_of(write_case(f, &verdict, JCK_OUTCOME_PASS, NULL), 2);
    assert_int_equal(jrpc_json_count(jrpc_json_get(message, "base64")),
                     (JCK_EVENT_MESSAGE_BYTES + 2) / 3 * 4);
    // What the event has no room for is counted.
    for (int i = 0; i < 40; i++) {
        receive(f, jrpc_slice_of(bytes, 20000));
    }
    jrpc_json exchange = jrpc_json_get(write_case(f, &verdict, JCK_OUTCOME_PASS, NULL), "exchange");
    jrpc_json whole = jrpc_json_element(jrpc_json_get(exchange, "messages"), 3); // in the record
    assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(whole, "length")), "20000"));
    int64_t left_out = 0;
    assert_true(jrpc_json_int64(jrpc_json_get(exchange, "left_out"), &left_out));
    assert_int_equal(jrpc_json_count(jrpc_json_get(exchange, "messages")) + left_out, 43);
    assert_true(f->line.len < 2 * JCK_EVENT_EXCHANGE_BYTES);
    free(bytes);
}

static void roles_http_and_observations_are_reported(void **state)
{
    fixture *f = *state;
    static const char *const roles[] = {NULL, "fence", "session", "noise"};
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    for (int role = 0; role <= JCK_MESSAGE_NOISE; role++) {
        const jck_message message = {.direction = JCK_RECEIVED,
                                     .role = (jck_role_of_message)role,
                                     .connection = 'b',
                                     .http_status = role == 0 ? 404 : 0,
                                     .http_headers = JRPC_SLICE("A: \xFF\r\n")};
        assert_true(jck_evidence_add(&f->run.evidence, &message));
    }
    jck_verdict verdict = {0};
    jck_findings_init(&verdict.findings, &arena, f->b.suite, f->run.test_case);
    jck_observe(&verdict.findings, JRPC_SLICE("one"), JRPC_SLICE("\"1\"\xFF"));
    jck_observe(&verdict.findings, JRPC_SLICE("two"), JRPC_SLICE("a"));
    jck_observe(&verdict.findings, JRPC_SLICE("two"), JRPC_SLICE("b"));
    jck_observe(&verdict.findings, JRPC_SLICE("two"), JRPC_SLICE("a"));
    jck_add_finding_of(&verdict.findings, 0, JRPC_SLICE("No-rule"), "a %s", "b");
    verdict.findings.items[0].known = true;
    jrpc_json event = write_case(f, &verdict, JCK_OUTCOME_FAIL, NULL);
    for (uint32_t role = 0; role <= JCK_MESSAGE_NOISE; role++) {
        jrpc_json message = message_of(event, role + 1);
        assert_true(says(message, "connection", "b"));
        assert_int_equal(jrpc_json_exists(jrpc_json_get(message, "role")), roles[role] != NULL);
        assert_true(roles[role] == NULL || says(message, "role", roles[role]));
    }
    jrpc_json http = jrpc_json_get(jrpc_json_get(event, "exchange"), "http");
    assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(http, "status")), "404"));
    jrpc_json two = jrpc_json_get(jrpc_json_get(event, "observed"), "two");
    assert_true(jrpc_slice_is(jrpc_json_spelling(two), "[\"a\",\"b\"]"));
    assert_true(
        jrpc_json_is(jrpc_json_get(jrpc_json_get(event, "observed"), "one"), JRPC_JSON_STRING));
    jrpc_json finding = jrpc_json_element(jrpc_json_get(event, "findings"), 0);
    assert_true(jrpc_json_is(jrpc_json_get(finding, "known"), JRPC_JSON_TRUE));
    assert_false(jrpc_json_exists(jrpc_json_get(finding, "sentence")));
    jrpc_arena_done(&arena);
}

static void the_parsers_that_a_target_is_compared_with_are_in_the_schema(void **state)
{
    fixture *f = *state;
    const jck_target target = {.name = JRPC_SLICE("t")};
    const jck_target others[] = {
        {.name = JRPC_SLICE_INIT("o\xFF"), .implementation = {.name = JRPC_SLICE_INIT("orjson")}},
        {.name = JRPC_SLICE_INIT("p")},
    };
    static const char *const spelled[] = {
        NULL,
        "{\"name\":\"o\xEF\xBF\xBD\",\"implementation\":{\"name\":\"orjson\"}}",
        "[{\"name\":\"o\xEF\xBF\xBD\",\"implementation\":{\"name\":\"orjson\"}},{\"name\":\"p\"}]",
    };
    for (size_t count = 0; count <= 2; count++) {
        const jck_start_event start = {.suite = f->b.suite,
                                       .target = &target,
                                       .against = others,
                                       .against_count = count,
                                       .side = JCK_SIDE_PARSER,
                                       .started = "2026-01-01T00:00:00Z"};
        jrpc_buffer_clear(&f->line);
        assert_true(jck_event_write_start(&f->line, &start));
        jrpc_json against = jrpc_json_get(check_line(f), "against");
        assert_int_equal(jrpc_json_exists(against), count > 0);
        assert_true(count == 0 || jrpc_slice_is(jrpc_json_spelling(against), spelled[count]));
    }
}

static void start_and_finish_agree_with_the_schema(void **state)
{
    fixture *f = *state;
    static const jck_mapping mappings[] = {
        {JRPC_SLICE_INIT("sum"), JRPC_SLICE_INIT("\"m\\u0001\""), true, false},
        {JRPC_SLICE_INIT("echo"), JRPC_SLICE_INIT("\"e\""), true, false},
    };
    jck_target target = {.name = JRPC_SLICE("n\xFF\n"), .mappings = mappings, .mapping_count = 2};
    const jck_start_event start = {.suite = f->b.suite,
                                   .target = &target,
                                   .side = JCK_SIDE_CLIENT,
                                   .selected = 3,
                                   .seed = UINT64_MAX,
                                   .started = "2026-01-01T00:00:00Z",
                                   .mapped = 1,
                                   .shard_index = 2,
                                   .shard_count = 3};
    for (int transport = 0; transport < JRPC_TRANSPORT_COUNT; transport++) {
        target.transport = (jrpc_transport)transport;
        jrpc_buffer_clear(&f->line);
        assert_true(jck_event_write_start(&f->line, &start));
        jrpc_json event = check_line(f);
        assert_true(says(event, "seed", "18446744073709551615"));
        assert_true(says(event, "profile", "spec"));
        assert_true(says(event, "role", "client"));
        assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(event, "shard")),
                                  "{\"index\":2,\"of\":3}"));
        jrpc_json of_target = jrpc_json_get(event, "target");
        assert_int_equal(jrpc_json_exists(jrpc_json_get(of_target, "framing")),
                         jck_target_traits(&target)->byte_stream);
        assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(of_target, "discovered")),
                                  "[\"echo\"]"));
        assert_true(says(jrpc_json_get(of_target, "methods"), "sum", "m\x01"));
        assert_int_equal(jrpc_json_exists(jrpc_json_get(of_target, "implementation")),
                         transport > 0);
        target.implementation = (jck_implementation){
            .name = JRPC_SLICE("n\xFF"), .version = JRPC_SLICE("1"), .language = JRPC_SLICE("C")};
    }
    bool tested[64] = {true};
    size_t counts[JCK_OUTCOME_COUNT] = {1, 2};
    assert_true(jck_suite_rule_count(f->b.suite) <= sizeof tested);
    const jck_spent spent = {.us = {[JCK_SPENT_ON_CONFIRMING] = {[JCK_SPENT_MUTE] = 2500000}}};
    const jck_finish_event finish = {.counts = counts,
                                     .spent = &spent,
                                     .suite = f->b.suite,
                                     .rules_tested = tested,
                                     .only_in_company = 4,
                                     .stop = "mute",
                                     .stopped = "\xFF",
                                     .conformant = true};
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_finish(&f->line, &finish));
    jrpc_json event = check_line(f);
    assert_true(jrpc_json_count(jrpc_json_get(event, "rules_untested")) > 1);
    // Of a specification that no selected case tests, no rule is listed.
    bool *selected = calloc(jck_suite_case_count(f->b.suite) + 1, sizeof *selected);
    assert_non_null(selected);
    jck_finish_event none = finish;
    none.selected = selected;
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_finish(&f->line, &none));
    event = check_line(f);
    assert_int_equal(jrpc_json_count(jrpc_json_get(event, "rules_untested")), 0);
    // One case: all rules of the specifications that it tests are listed, but for the tested one.
    const jck_case *test_case = jck_suite_case(f->b.suite, 0);
    size_t listed = 0;
    selected[0] = true;
    for (size_t i = 1; i < jck_suite_rule_count(f->b.suite); i++) {
        bool of_it = false;
        for (size_t k = 0; k < jck_suite_rule_count(f->b.suite); k++) {
            const jck_rule *rule = jck_suite_rule(f->b.suite, k);
            of_it = of_it || (jck_case_names(test_case, rule->id) &&
                              jrpc_slice_equal(rule->specification,
                                               jck_suite_rule(f->b.suite, i)->specification));
        }
        listed += of_it;
    }
    assert_true(listed > 0);
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_finish(&f->line, &none));
    event = check_line(f);
    assert_int_equal(jrpc_json_count(jrpc_json_get(event, "rules_untested")), listed);
    free(selected);
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_finish(&f->line, &finish));
    event = check_line(f);
    assert_true(jrpc_slice_is(
        jrpc_json_spelling(jrpc_json_get(jrpc_json_get(event, "counts"), "skip")), "2"));
    assert_true(jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(event, "spent_ms")),
                              "{\"cases\":{},\"confirming\":{\"mute\":2500},\"searching\":{}}"));
}

static void every_rule_agrees_with_the_schema(void **state)
{
    fixture *f = *state;
    assert_true(jck_suite_rule_count(f->b.suite) > 0);
    for (size_t i = 0; i < jck_suite_rule_count(f->b.suite); i++) {
        const jck_rule *rule = jck_suite_rule(f->b.suite, i);
        jrpc_buffer_clear(&f->line);
        assert_true(jck_event_write_rule(&f->line, rule));
        assert_true(jrpc_json_string_is(jrpc_json_get(check_line(f), "id"), rule->id));
    }
}

static void a_line_that_does_not_fit_is_refused(void **state)
{
    fixture *f = *state;
    const jck_case_event event = {
        .kind = "case", .test_case = f->run.test_case, .outcome = JCK_OUTCOME_SKIP};
    jrpc_buffer_clear(&f->line);
    assert_true(jck_event_write_case(&f->line, &event));
    size_t needed = f->line.len;
    for (size_t maximum = 0; maximum <= needed; maximum++) {
        jrpc_buffer small;
        jrpc_buffer_init(&small, jrpc_allocator_heap(), maximum);
        assert_int_equal(jck_event_write_case(&small, &event), maximum == needed);
        jrpc_buffer_done(&small);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_judged_case_tells_rules_findings_and_the_exchange),
        TEST(every_kind_of_end_and_outcome_is_in_the_schema),
        TEST(bytes_that_are_no_text_are_reported_in_base64),
        TEST(long_messages_are_capped_with_their_true_length),
        TEST(roles_http_and_observations_are_reported),
        TEST(every_reason_is_in_the_schema_with_what_it_is_about),
        TEST(a_sequence_of_messages_is_in_the_schema),
        TEST(start_and_finish_agree_with_the_schema),
        TEST(the_parsers_that_a_target_is_compared_with_are_in_the_schema),
        TEST(every_rule_agrees_with_the_schema),
        TEST(a_line_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
