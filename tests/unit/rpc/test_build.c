// Building requests and result messages: what comes out, and what is refused with which words.
#include "reference/rpc/build.h"
#include "tests/unit/rpc/rpc_test.h"

#include <string.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define S(text) JRPC_SLICE_INIT(text)
#define V "\"jsonrpc\":\"2.0\""

static const struct {
    jrpc_request_parts parts;
    const char *text;
} requests[] = {
    {{.resource = S("user"), .verb = S("get"), .target = S("\"42\""), .id = S("1")},
     "{" V ",\"method\":\"user.get\",\"resource\":\"user\",\"target\":\"42\",\"verb\":\"get\","
     "\"id\":1}"},
    {{.resource = S("repo"),
      .verb = S("get"),
      .subresource = S("issue"),
      .parent = S("\"99\""),
      .target = S("\"7\""),
      .id = S("2")},
     "{" V ",\"method\":\"repo.issue.get\",\"resource\":\"repo\",\"parent\":\"99\","
     "\"subresource\":\"issue\",\"target\":\"7\",\"verb\":\"get\",\"id\":2}"},
    {{.resource = S("attachment"),
      .verb = S("create"),
      .params = S("{ \"filename\" :\n\"report.pdf\" }"),
      .id = S("\"req-001\"")},
     "{" V ",\"method\":\"attachment.create\",\"resource\":\"attachment\",\"verb\":\"create\","
     "\"params\":{\"filename\":\"report.pdf\"},\"id\":\"req-001\"}"},
    {{.resource = S("user"),
      .verb = S("get"),
      .target = S(" 1.0e0 "),
      .cache = S("no-cache"),
      .id = S("null")},
     "{" V ",\"method\":\"user.get\",\"resource\":\"user\",\"target\":1.0e0,\"verb\":\"get\","
     "\"cache\":\"no-cache\",\"id\":null}"},
    {{.resource = S("a"), .verb = S("b"), .params = S("[]")},
     "{" V ",\"method\":\"a.b\",\"resource\":\"a\",\"verb\":\"b\",\"params\":[]}"},
    {{.resource = S("a\"\\\n\0"), .verb = S("\xC3\xA9\xF0\x9D\x84\x9E"), .subresource = S(" ")},
     "{" V ",\"method\":\"a\\\"\\\\\\n\\u0000. .\xC3\xA9\xF0\x9D\x84\x9E\","
     "\"resource\":\"a\\\"\\\\\\n\\u0000\",\"subresource\":\" \","
     "\"verb\":\"\xC3\xA9\xF0\x9D\x84\x9E\"}"},
    {{.resource = S("yield"), .verb = S("yielded")},
     "{" V ",\"method\":\"yield.yielded\",\"resource\":\"yield\",\"verb\":\"yielded\"}"},
    {{.resource = S("x"), .verb = S("rpc")},
     "{" V ",\"method\":\"x.rpc\",\"resource\":\"x\",\"verb\":\"rpc\"}"},
};

static void a_request_says_its_parts_and_derives_its_method(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(requests); i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
        jrpc_error error = {.code = JRPC_OK};
        if (!jrpc_build_request(&out, &requests[i].parts, &error) ||
            !jrpc_slice_is(jrpc_buffer_slice(&out), requests[i].text)) {
            fail_msg("got      %.*s %s\n  expected %s", (int)out.len, out.ptr, error.message,
                     requests[i].text);
        }
        jrpc_buffer_done(&out);
    }
}

static void parts_that_cannot_stand_together_are_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        jrpc_request_parts parts;
        const char *words;
    } rows[] = {
        {{.verb = S("b")}, "the resource is empty"},
        {{.resource = S("a")}, "the verb is empty"},
        {{.resource = S("rpc"), .verb = S("describe")}, "the resource rpc is reserved"},
        {{.resource = S("a.b"), .verb = S("c")}, "the resource a.b holds a dot"},
        {{.resource = S("a"), .verb = S("b.")}, "the verb b. holds a dot"},
        {{.resource = S("a"), .verb = S("b"), .subresource = S(".")}, "the subresource . holds"},
        {{.resource = S("a\xFF"), .verb = S("b")}, "the resource is no UTF-8"},
        {{.resource = S("a"), .verb = S("\xED\xA0\x80")}, "the verb is no UTF-8"},
        {{.resource = S("a"), .verb = S("yield")}, "the verb yield is reserved"},
        {{.resource = S("a"), .verb = S("return")}, "the verb return is reserved"},
        {{.resource = S("a"), .verb = S("b"), .parent = S("1")}, "a parent needs a subresource"},
        {{.resource = S("a"), .verb = S("b"), .target = S("{}")},
         "the target {} is not a String or Number"},
        {{.resource = S("a"), .verb = S("b"), .target = S("null")},
         "the target null is not a String or Number"},
        {{.resource = S("a"), .verb = S("b"), .target = S("true")}, "the target true is no"},
        {{.resource = S("a"), .verb = S("b"), .target = S("42x")}, "the target 42x is not JSON"},
        {{.resource = S("a"), .verb = S("b"), .subresource = S("s"), .parent = S("[1]")},
         "the parent [1] is not a String or Number"},
        {{.resource = S("a"), .verb = S("b"), .params = S("7")},
         "the params 7 is not an Array or Object"},
        {{.resource = S("a"), .verb = S("b"), .params = S("null")},
         "the params null is not an Array"},
        {{.resource = S("a"), .verb = S("b"), .params = S("{\"a\":}")}, "is not JSON"},
        {{.resource = S("a"), .verb = S("b"), .id = S("[]")},
         "the id [] is not a String, Number or null"},
        {{.resource = S("a"), .verb = S("b"), .id = S("true")}, "the id true is not a String"},
        {{.resource = S("a"), .verb = S("b"), .cache = S("no-store")}, "the cache no-store is not"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
        assert_true(jrpc_buffer_append_str(&out, "before"));
        jrpc_error error = {.code = JRPC_OK};
        assert_false(jrpc_build_request(&out, &rows[i].parts, &error));
        assert_int_equal(error.code, JRPC_ERROR_INVALID);
        if (strstr(error.message, rows[i].words) == NULL) {
            fail_msg("got \"%s\", expected \"%s\"", error.message, rows[i].words);
        }
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), "before"));
        jrpc_buffer_done(&out);
    }
}

#define JOB .resource = S("job"), .target = S("\"job-123\"")

static const struct {
    jrpc_result_parts parts;
    const char *text;  // what stands behind the target
    const char *words; // instead: the error
} results[] = {
    {{JOB, .status = JRPC_STATUS_PENDING,
      .result = S("{\"progress\": 60, \"stage\": \"scanning\"}"), .request_id = S("\"req-001\"")},
     "yield\",\"result\":{\"status\":\"pending\",\"progress\":60,\"stage\":\"scanning\"},"
     "\"request_id\":\"req-001\"}",
     NULL},
    {{JOB, .final = true, .status = JRPC_STATUS_DONE, .request_id = S("1e0")},
     "return\",\"result\":{\"status\":\"done\"},\"request_id\":1e0}",
     NULL},
    {{JOB, .final = true, .status = JRPC_STATUS_ERROR, .result = S("{}")},
     "return\",\"result\":{\"status\":\"error\"}}",
     NULL},
    {{JOB, .result = S("{\"a\":1,\"status\":\"accepted\"}"), .request_id = S("null")},
     "yield\",\"result\":{\"a\":1,\"status\":\"accepted\"},\"request_id\":null}",
     NULL},
    {{JOB, .result = S("[1]")}, "yield\",\"result\":[1]}", NULL},
    {{JOB, .final = true, .result = S("{\"Status\":\"x\"}")},
     "return\",\"result\":{\"Status\":\"x\"}}",
     NULL},
    {{JOB, .status = JRPC_STATUS_PENDING, .result = S("{\"\\u0061.\":[{}]}")},
     "yield\",\"result\":{\"status\":\"pending\",\"\\u0061.\":[{}]}}",
     NULL},
    {{JOB}, NULL, "needs a result or a status"},
    {{JOB, .status = JRPC_STATUS_DONE}, NULL, "a yield carries the status accepted or pending"},
    {{JOB, .status = JRPC_STATUS_ERROR}, NULL, "not error"},
    {{JOB, .final = true, .status = JRPC_STATUS_PENDING}, NULL, "a return carries the status done"},
    {{JOB, .final = true, .status = JRPC_STATUS_ACCEPTED}, NULL, "not accepted"},
    {{JOB, .status = JRPC_STATUS_UNKNOWN}, NULL, "the status is none of"},
    {{JOB, .result = S("{\"status\":\"done\"}")}, NULL, "a yield carries"},
    {{JOB, .final = true, .result = S("{\"status\":\"pending\"}")}, NULL, "a return carries"},
    {{JOB, .result = S("{\"status\":7}")}, NULL, "the status is none of"},
    {{JOB, .status = JRPC_STATUS_PENDING, .result = S("{\"status\":\"pending\"}")},
     NULL,
     "a status beside the one given"},
    {{JOB, .status = JRPC_STATUS_PENDING, .result = S("[]")},
     NULL,
     "the result [] is not an Object"},
    {{JOB, .result = S("}")}, NULL, "the result } is not JSON"},
    {{JOB, .result = S("1"), .request_id = S("[]")}, NULL, "the request_id [] is not a String"},
    {{.resource = S("job"), .parent = S("1"), .result = S("1")}, NULL, "a parent needs"},
    {{.result = S("1")}, NULL, "the resource is empty"},
};

static void a_result_message_says_its_parts_or_why_it_cannot(void **state)
{
    (void)state;
    static const char before[] = "{" V ",\"method\":\"job.";
    for (size_t i = 0; i < LENGTH(results); i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
        jrpc_error error = {.code = JRPC_OK};
        bool built = jrpc_build_result(&out, &results[i].parts, &error);
        assert_int_equal(built, results[i].text != NULL);
        if (!built) {
            assert_int_equal(error.code, JRPC_ERROR_INVALID);
            if (strstr(error.message, results[i].words) == NULL) {
                fail_msg("got \"%s\", expected \"%s\"", error.message, results[i].words);
            }
            assert_int_equal(out.len, 0);
        } else {
            assert_true(jrpc_buffer_append_char(&out, '\0'));
            assert_true(strncmp(out.ptr, before, strlen(before)) == 0);
            const char *verb = strstr(out.ptr, "\"verb\":\"");
            assert_non_null(verb);
            assert_string_equal(verb + strlen("\"verb\":\""), results[i].text);
            assert_int_equal(strncmp(out.ptr + strlen(before), results[i].text, 5), 0);
        }
        jrpc_buffer_done(&out);
    }
}

static void a_full_output_or_no_memory_leaves_what_was_there(void **state)
{
    (void)state;
    size_t len = strlen(requests[1].text);
    for (size_t maximum = 1; maximum <= len + 1; maximum++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), maximum);
        assert_true(jrpc_buffer_append_char(&out, 'x'));
        jrpc_error error = {.code = JRPC_OK};
        bool built = jrpc_build_request(&out, &requests[1].parts, &error);
        assert_int_equal(built, maximum == len + 1);
        assert_int_equal(error.code, built ? JRPC_OK : JRPC_ERROR_LIMIT);
        assert_int_equal(out.len, built ? len + 1 : 1);
        jrpc_buffer_done(&out);
    }
    bool built = false;
    for (size_t n = 0; !built; n++) {
        assert_true(n < 100);
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, n);
        jrpc_buffer out;
        jrpc_buffer_init(&out, &failing.allocator, OUT_BYTES);
        jrpc_error error = {.code = JRPC_OK};
        built = jrpc_build_result(&out, &results[0].parts, &error);
        assert_int_equal(error.code, built ? JRPC_OK : JRPC_ERROR_LIMIT);
        assert_true(built || out.len == 0);
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_says_its_parts_and_derives_its_method),
        cmocka_unit_test(parts_that_cannot_stand_together_are_refused_in_words),
        cmocka_unit_test(a_result_message_says_its_parts_or_why_it_cannot),
        cmocka_unit_test(a_full_output_or_no_memory_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
