// What is sent, and how calls end without an answer.
#include "tests/unit/calls/calls_test.h"

#include <stdio.h>

#define S(text) JRPC_SLICE_INIT(text)

static const jrpc_request_parts structured = {
    .resource = S("user"), .verb = S("get"), .target = S("\"42\"")};

static const struct {
    jrpc_call_parts parts;
    const char *text; // NULL: refused
} requests[] = {
    {{.method = S("m")}, V "\"method\":\"m\",\"id\":1}"},
    {{.method = S("m"), .params = S("[]")}, V "\"method\":\"m\",\"params\":[],\"id\":1}"},
    {{.method = S("m"), .params = S(" { \"a\" :\n1e400 } ")},
     V "\"method\":\"m\",\"params\":{\"a\":1e400},\"id\":1}"},
    {{.method = S("m"), .notification = true}, V "\"method\":\"m\"}"},
    {{.method = S("a\"\n\xC3\xA9"), .params = S("[42,23]"), .notification = true},
     V "\"method\":\"a\\\"\\n\xC3\xA9\",\"params\":[42,23]}"},
    {{.structured = &structured, .params = S("[1]")},
     V "\"method\":\"user.get\",\"resource\":\"user\",\"target\":\"42\",\"verb\":\"get\","
       "\"params\":[1],\"id\":1}"},
    {{.method = S("")}, NULL},
    {{.method = S("\xFF")}, NULL},
    {{.method = S("m"), .params = S("1")}, NULL},
    {{.method = S("m"), .params = S("null")}, NULL},
    {{.method = S("m"), .params = S("[")}, NULL},
    {{.method = S("m"), .params = S("[],[]")}, NULL},
};

static void a_request_is_what_its_parts_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(requests); i++) {
        rig self;
        rig_open(&self, jrpc_allocator_heap(), NULL, 0);
        jrpc_error error = {.code = JRPC_OK};
        uint64_t id = 77;
        bool ok = jrpc_calls_begin(self.calls, &requests[i].parts, &self.out, &id, &error);
        assert_int_equal(ok, requests[i].text != NULL);
        if (ok) {
            assert_true(jrpc_slice_is(jrpc_buffer_slice(&self.out), requests[i].text));
            assert_int_equal(id, requests[i].parts.notification ? 0 : 1);
        } else {
            assert_int_equal(error.code, JRPC_ERROR_INVALID);
            assert_int_equal(self.out.len, 0);
            assert_false(self.out.failed);
        }
        assert_int_equal(jrpc_calls_count(self.calls), ok && id != 0 ? 1 : 0);
        rig_close(&self);
    }
}

static void a_batch_is_one_array_and_never_empty(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    const jrpc_call_parts parts[] = {{.method = S("a")},
                                     {.method = S("b"), .notification = true},
                                     {.method = S("c"), .params = S("[1]")}};
    uint64_t ids[3];
    assert_true(jrpc_calls_begin_batch(self.calls, parts, 3, &self.out, ids, NULL));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&self.out),
                              "[" V "\"method\":\"a\",\"id\":1}," V "\"method\":\"b\"}," V
                              "\"method\":\"c\",\"params\":[1],\"id\":2}]"));
    assert_int_equal(ids[0], 1);
    assert_int_equal(ids[1], 0);
    assert_int_equal(ids[2], 2);
    assert_int_equal(jrpc_calls_count_of(self.calls, 1), 2);
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_calls_begin_batch(self.calls, parts, 0, &self.out, ids, &error));
    assert_int_equal(error.code, JRPC_ERROR_INVALID);
    // Nothing but notifications: nothing is under way.
    assert_true(jrpc_calls_begin_batch(self.calls, parts + 1, 1, &self.out, ids, NULL));
    assert_int_equal(jrpc_calls_count(self.calls), 2);
    assert_int_equal(rig_call(&self, 0), 3);
    rig_close(&self);
}

static void a_batch_with_one_request_that_cannot_be_made_is_not_begun(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    const jrpc_call_parts parts[] = {{.method = S("a")}, {.method = S("b"), .params = S("1")}};
    jrpc_buffer_append_str(&self.out, "before");
    assert_false(jrpc_calls_begin_batch(self.calls, parts, 2, &self.out, NULL, NULL));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&self.out), "before"));
    assert_int_equal(jrpc_calls_count(self.calls), 0);
    assert_int_equal(rig_call(&self, 0), 1);
    rig_close(&self);
}

static void there_is_a_limit_to_what_is_under_way(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 2);
    (void)rig_call(&self, 0);
    jrpc_call_parts parts[2] = {{.method = S("m")}, {.method = S("m")}};
    jrpc_error error = {.code = JRPC_OK};
    assert_false(jrpc_calls_begin_batch(self.calls, parts, 2, &self.out, NULL, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    parts[1].notification = true;
    assert_true(jrpc_calls_begin_batch(self.calls, parts, 2, &self.out, NULL, NULL));
    rig_close(&self);
}

static void deadlines_pass_in_any_order(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    assert_int_equal(jrpc_calls_next_deadline(self.calls), JRPC_DEADLINE_NEVER);
    (void)rig_call(&self, 300);
    (void)rig_call(&self, 100);
    jrpc_calls_set_default_deadline(self.calls, 200);
    (void)rig_call(&self, 0);
    assert_int_equal(jrpc_calls_next_deadline(self.calls), 100);
    jrpc_calls_expire(self.calls, 99);
    rig_expect_log(&self, "");
    jrpc_calls_expire(self.calls, 100);
    rig_expect_log(&self, "2 timed out ;");
    assert_int_equal(jrpc_calls_next_deadline(self.calls), 200);
    jrpc_calls_expire(self.calls, 1000);
    rig_expect_log(&self, "1 timed out ;3 timed out ;");
    assert_int_equal(jrpc_calls_next_deadline(self.calls), JRPC_DEADLINE_NEVER);
    rig_close(&self);
}

static void a_cancelled_call_is_over(void **state)
{
    (void)state;
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    uint64_t id = rig_call(&self, 0);
    assert_true(jrpc_calls_cancel(self.calls, id));
    rig_expect_log(&self, "1 cancelled ;");
    assert_false(jrpc_calls_cancel(self.calls, id));
    assert_false(jrpc_calls_cancel(self.calls, 0));
    assert_false(jrpc_calls_cancel(self.calls, 2));
    rig_expect(&self, V "\"result\":1,\"id\":1}", 0, "stray over;");
    rig_close(&self);
}

static void many_calls_end_in_any_order(void **state)
{
    (void)state;
    enum { CALLS = 5000, PRIME = 1777 };
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    for (unsigned i = 0; i < CALLS; i++) {
        (void)rig_call(&self, 0);
    }
    for (unsigned i = 0; i < CALLS; i++) {
        char text[64];
        char expected[64];
        unsigned id = i * PRIME % CALLS + 1;
        (void)snprintf(text, sizeof text, V "\"result\":%u,\"id\":%u}", id, id);
        (void)snprintf(expected, sizeof expected, "%u result %u;", id, id);
        rig_expect(&self, text, 0, expected);
        if (i % 3 == 0) {
            (void)rig_call(&self, 0);
        }
    }
    assert_int_equal(jrpc_calls_count(self.calls), (CALLS + 2) / 3);
    jrpc_calls_conclude(self.calls, 0, JRPC_ANSWER_CLOSED, "gone");
    assert_int_equal(jrpc_calls_count(self.calls), 0);
    rig_close(&self);
}

// Begins, takes and ends with the n-th allocation failing, until none does.
static void memory_may_be_out_at_any_point(void **state)
{
    (void)state;
    bool passed = false;
    for (size_t successes = 0; !passed; successes++) {
        assert_true(successes < 1000);
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, successes);
        rig self;
        rig_open(&self, &failing.allocator, NULL, 0);
        if (self.calls != NULL) {
            jrpc_call_parts parts[30];
            for (size_t i = 0; i < LENGTH(parts); i++) {
                parts[i] = (jrpc_call_parts){.method = S("m"),
                                             .params = S("[1,[2]]"),
                                             .answered = log_answer,
                                             .context = &self};
            }
            size_t begun = 0;
            for (size_t i = 0; i < LENGTH(parts); i++) {
                begun += jrpc_calls_begin(self.calls, &parts[i], &self.out, NULL, NULL);
            }
            assert_int_equal(jrpc_calls_count(self.calls), begun);
            bool batch =
                jrpc_calls_begin_batch(self.calls, parts, LENGTH(parts), &self.out, NULL, NULL);
            passed =
                begun == LENGTH(parts) && batch &&
                jrpc_calls_take(self.calls,
                                JRPC_SLICE("[" V "\"result\":1,\"id\":1}," V "\"method\":\"n\"}]"),
                                0, NULL);
        }
        rig_close(&self);
    }
}

static void rename_method(void *context, const jrpc_call_parts *parts, jrpc_request *request)
{
    (void)context;
    (void)parts;
    request->method = JRPC_SLICE("\"x\"");
}

static void replace_text(void *context, jrpc_slice *text)
{
    (void)context;
    if (jrpc_slice_is(*text, "replace")) {
        *text = JRPC_SLICE(V "\"result\":5,\"id\":9}");
    }
}

static void match_first(void *context, const jrpc_message *message, uint64_t *id)
{
    (void)context;
    (void)message;
    *id = *id == 9 ? 1 : *id;
}

static bool keep_first(void *context, const jrpc_message *message, jrpc_answer *answer)
{
    int *left = context;
    (void)message;
    answer->code = 7;
    return --*left < 0;
}

static void hooks_change_what_goes_out_and_what_comes_in(void **state)
{
    (void)state;
    int left = 1;
    const jrpc_calls_hooks hooks = {.context = &left,
                                    .request = rename_method,
                                    .text = replace_text,
                                    .match = match_first,
                                    .answer = keep_first};
    rig self;
    rig_open(&self, jrpc_allocator_heap(), &hooks, 0);
    (void)rig_call(&self, 0);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&self.out), V "\"method\":\"x\",\"id\":1}"));
    rig_expect(&self, "replace", 0, "");
    assert_int_equal(jrpc_calls_count(self.calls), 1);
    rig_expect(&self, "replace", 0, "1 result 5;");
    rig_close(&self);
}

static void a_call_without_room_leaves_the_buffer_as_it_was(void **state)
{
    (void)state;
    const jrpc_call_parts longer = {.method = S("m"), .params = S("[\"0123456789\"]")};
    const jrpc_call_parts parts[] = {{.method = S("m")}, longer};
    const char first[] = V "\"method\":\"m\",\"id\":1}";
    rig self;
    rig_open(&self, jrpc_allocator_heap(), NULL, 0);
    jrpc_error error = {.code = JRPC_OK};
    self.out.maximum = sizeof first - 1;
    assert_false(jrpc_calls_begin(self.calls, &longer, &self.out, NULL, &error));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    assert_false(jrpc_calls_begin_batch(self.calls, parts, 2, &self.out, NULL, &error));
    assert_int_equal(self.out.len, 0);
    assert_false(self.out.failed);
    assert_true(jrpc_calls_begin(self.calls, parts, &self.out, NULL, NULL));
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&self.out), first));
    rig_close(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_what_its_parts_say),
        cmocka_unit_test(a_batch_is_one_array_and_never_empty),
        cmocka_unit_test(a_batch_with_one_request_that_cannot_be_made_is_not_begun),
        cmocka_unit_test(a_call_without_room_leaves_the_buffer_as_it_was),
        cmocka_unit_test(there_is_a_limit_to_what_is_under_way),
        cmocka_unit_test(deadlines_pass_in_any_order),
        cmocka_unit_test(a_cancelled_call_is_over),
        cmocka_unit_test(many_calls_end_in_any_order),
        cmocka_unit_test(memory_may_be_out_at_any_point),
        cmocka_unit_test(hooks_change_what_goes_out_and_what_comes_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
