// The prelude of a target, what it captures, and the headers made of that; and the good-bye.
#include "harness/link/capture.h"
#include "harness/link/prelude.h"

#include "reference/json/read.h"
#include "tests/unit/link/scripted_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STEPS = 2 };

typedef struct fixture {
    scripted_link s;
    jck_step steps[STEPS];
    jck_capture capture;
    jrpc_json_document pattern;
} fixture;

// A prelude of one call that expects a result, and one notification.
static void begin(fixture *f, jrpc_transport transport)
{
    memset(f, 0, sizeof *f);
    scripted_link_begin(&f->s, transport);
    jrpc_json_document_init(&f->pattern, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&f->pattern, JRPC_SLICE("{\"result\":{}}"), 10, NULL));
    f->capture = (jck_capture){.name = JRPC_SLICE("token"), .from = JRPC_SLICE("/result/token")};
    f->steps[0] =
        (jck_step){.kind = JCK_STEP_SEND,
                   .connection = 'a',
                   .payload = {.kind = JCK_PAYLOAD_TEXT,
                               .text = JRPC_SLICE(
                                   "{\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"id\":\"${id}\"}")},
                   .expect = {.kind = JCK_EXPECT_RESPONSE, .pattern = jrpc_json_root(&f->pattern)},
                   .captures = &f->capture,
                   .capture_count = 1};
    f->steps[1] =
        (jck_step){.kind = JCK_STEP_SEND,
                   .connection = 'a',
                   .payload = {.kind = JCK_PAYLOAD_TEXT,
                               .text = JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"ready\"}")},
                   .expect = {.kind = JCK_EXPECT_UNSTATED}};
    f->s.target.prelude = f->steps;
    f->s.target.prelude_count = STEPS;
}

static void end(fixture *f)
{
    scripted_link_end(&f->s);
    jrpc_json_document_done(&f->pattern);
}

static void welcome(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    if (is_fence) {
        script_answer(c, 1, text);
    } else if (strstr(text, "\"hello\"") != NULL) {
        script_id(text, id);
        script_say(c, 1, "{\"jsonrpc\":\"2.0\",\"method\":\"log\"}");
        (void)snprintf(answer, sizeof answer,
                       "{\"jsonrpc\":\"2.0\",\"result\":{\"token\":\"%s\"},\"id\":%s}",
                       c->of->state == 1 ? "a\\nb" : "t-1", id);
        script_say(c, 2, answer);
    }
    if (c->of->exchanges) {
        script_status(c, 3, 200);
    }
}

static void a_prelude_is_run_before_the_first_fence(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_TCP);
    f.s.side.on_message = welcome;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    assert_non_null(strstr(f.s.side.sent[0], "hello"));
    assert_non_null(strstr(f.s.side.sent[1], "ready"));
    assert_non_null(strstr(f.s.side.sent[2], "jck-fence"));
    assert_int_equal(f.s.link.learned.use, JCK_USE_UNKNOWN); // a prelude needs its connection
    jrpc_slice token;
    assert_true(jck_variables_resolve(&f.s.link.captured, JRPC_SLICE("token"), &token));
    assert_true(jrpc_slice_is(token, "\"t-1\""));
    end(&f);
}

// A connection without a prelude has the names of one before it, be it of another link.
static void names_outlive_their_connection(void **state)
{
    (void)state;
    fixture f;
    fixture other;
    begin(&f, JRPC_TRANSPORT_TCP);
    begin(&other, JRPC_TRANSPORT_TCP);
    f.s.side.on_message = welcome;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    assert_true(jck_link_learn_from(&other.s.link, &f.s.link));
    scripted_link *const links[] = {&f.s, &other.s};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        jrpc_error error = {0};
        size_t sent = links[i]->side.sent_count;
        assert_int_equal(jck_link_begin_case(&links[i]->link, true, &error), JCK_LINK_OK);
        assert_int_equal(links[i]->side.sent_count, sent); // no prelude, no fence
        jck_variables names = {.first = scripted_link_first(links[i])->captured};
        jrpc_slice token = {NULL, 0};
        assert_true(jck_variables_resolve(&names, JRPC_SLICE("token"), &token));
        assert_true(jrpc_slice_is(token, "\"t-1\""));
    }
    end(&other);
    end(&f);
}

// Of a list, a part of the element that is meant is captured, or nothing.
static void a_part_of_one_element_is_captured(void **state)
{
    (void)state;
    static const struct {
        const char *where, *take;
        const char *captured; // NULL: nothing is
    } rows[] = {
        {"{\"/n\":\"b\"}", "/s", "2"},
        {"{\"/n\":\"b\",\"/s\":2.0}", "/n", "\"b\""},
        {"{\"/n\":\"a\"}", "/s", NULL}, // it has no `s`
        {"{}", "/s", "2"},
        {"{\"/s\":{\"$absent\":true}}", "/n", "\"a\""},
        {"{\"/n\":\"c\"}", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_json_document where;
        jrpc_json_document answer;
        jrpc_arena arena;
        jck_variables variables;
        jrpc_slice spelling = {NULL, 0};
        jrpc_json_document_init(&where, jrpc_allocator_heap());
        jrpc_json_document_init(&answer, jrpc_allocator_heap());
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 1000);
        assert_true(jrpc_json_read(&where, jrpc_slice_str(rows[i].where), 10, NULL));
        assert_true(jrpc_json_read(
            &answer, JRPC_SLICE("{\"result\":[{\"n\":\"a\"},{\"n\":\"b\",\"s\":2}]}"), 10, NULL));
        const jck_capture capture = {.name = JRPC_SLICE("x"),
                                     .from = JRPC_SLICE("/result"),
                                     .where = jrpc_json_root(&where),
                                     .take = jrpc_slice_str(rows[i].take)};
        const jck_step step = {.captures = &capture, .capture_count = 1};
        jck_variables_init(&variables, &arena, NULL, 1, 1);
        jck_capture_from(&step, &(jck_heard){.value = jrpc_json_root(&answer)}, &variables);
        assert_int_equal(jck_variables_resolve(&variables, JRPC_SLICE("x"), &spelling),
                         rows[i].captured != NULL);
        assert_true(rows[i].captured == NULL || jrpc_slice_is(spelling, rows[i].captured));
        jrpc_arena_done(&arena);
        jrpc_json_document_done(&answer);
        jrpc_json_document_done(&where);
    }
}

static void refuse(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    script_answer(c, 1, text);
}

static void leave(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_end(c, 1, JRPC_END_SIGNALED, 9);
}

static void stop(scripted *c, const char *text, bool is_fence)
{
    (void)text;
    (void)is_fence;
    script_happen(c, 1, JRPC_PEER_INTERRUPTED);
}

static void silence(scripted *c, const char *text, bool is_fence)
{
    (void)c;
    (void)text;
    (void)is_fence;
}

static void a_prelude_that_fails_says_why(void **state)
{
    (void)state;
    static const struct {
        void (*on_message)(scripted *, const char *, bool);
        jck_link_status status;
        const char *words;
    } rows[] = {
        {refuse, JCK_LINK_UNOPENED, "step 1 of the prelude was refused"},
        {leave, JCK_LINK_UNOPENED, "was ended by signal 9"},
        {silence, JCK_LINK_UNOPENED, "step 1 of the prelude was not answered"},
        {stop, JCK_LINK_INTERRUPTED, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        begin(&f, JRPC_TRANSPORT_TCP);
        f.s.side.on_message = rows[i].on_message;
        assert_int_equal(scripted_link_open(&f.s), rows[i].status);
        if (strstr(f.s.error.message, rows[i].words) == NULL) {
            fail_msg("%s: %s", rows[i].words, f.s.error.message);
        }
        end(&f);
    }
    fixture f;
    begin(&f, JRPC_TRANSPORT_TCP);
    f.s.side.send_event = JRPC_PEER_ENDED;
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_UNOPENED);
    end(&f);
}

static void what_was_captured_stands_in_headers_unless_it_would_begin_another(void **state)
{
    (void)state;
    static const char *const plain[] = {"Accept: a", NULL};
    static const char *const made[] = {"X-Token: ${token}", "X-Other: ${unknown}", NULL};
    for (int i = 0; i < 2; i++) {
        fixture f;
        begin(&f, JRPC_TRANSPORT_HTTP);
        f.s.side.on_message = welcome;
        f.s.side.state = i; // 1: the token holds a line feed
        f.s.target.headers = plain;
        f.s.target.session_headers = made;
        assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
        assert_string_equal(f.s.side.headers[0], "Accept: a");
        assert_string_equal(f.s.side.headers[1], i == 0 ? "X-Token: t-1" : "");
        assert_string_equal(f.s.side.headers[2], "");
        end(&f);
    }
}

static void good_bye_is_said_on_an_open_connection_and_not_waited_for_long(void **state)
{
    (void)state;
    fixture f;
    begin(&f, JRPC_TRANSPORT_TCP);
    f.s.side.on_message = welcome;
    f.s.target.postlude = f.steps;
    f.s.target.postlude_count = STEPS;
    jck_link_farewell(&f.s.link); // nothing is open
    assert_int_equal(f.s.side.sent_count, 0);
    assert_int_equal(scripted_link_open(&f.s), JCK_LINK_OK);
    size_t before = f.s.side.sent_count;
    jck_link_farewell(&f.s.link);
    assert_int_equal(f.s.side.sent_count, before + STEPS);
    f.s.side.on_message = silence;
    int64_t began = f.s.side.now_us;
    jck_link_farewell(&f.s.link);
    assert_true(scripted_link_ms(&f.s, began) <= 1000);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prelude_is_run_before_the_first_fence),
        cmocka_unit_test(names_outlive_their_connection),
        cmocka_unit_test(a_part_of_one_element_is_captured),
        cmocka_unit_test(a_prelude_that_fails_says_why),
        cmocka_unit_test(what_was_captured_stands_in_headers_unless_it_would_begin_another),
        cmocka_unit_test(good_bye_is_said_on_an_open_connection_and_not_waited_for_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
