// Every class, every reason and every kind of id.
#include "tests/unit/rpc/rpc_test.h"

typedef struct row {
    const char *name;
    const char *text;
    jrpc_message_kind kind;
    jrpc_invalid_reason reason;
    bool owed;
    int code;
    const char *reply_id; // NULL: absent
} row;

#define INV JRPC_MESSAGE_INVALID
#define BAD JRPC_INVALID_REQUEST
#define V "\"jsonrpc\":\"2.0\""

static const row rows[] = {
    {"a call", "{" V ",\"method\":\"m\",\"id\":1}", JRPC_MESSAGE_CALL, JRPC_VALID, true, 0, "1"},
    {"a call with a String id", "{" V ",\"method\":\"m\",\"id\":\"a\\u0000\"}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "\"a\\u0000\""},
    {"a call with an empty String id", "{" V ",\"method\":\"m\",\"id\":\"\"}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "\"\""},
    {"a call with a fractional id", "{" V ",\"method\":\"m\",\"id\":1.50}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "1.50"},
    {"a call with an id past every double", "{" V ",\"method\":\"m\",\"id\":-1e4000}",
     JRPC_MESSAGE_CALL, JRPC_VALID, true, 0, "-1e4000"},
    {"a call with the id null", "{" V ",\"method\":\"m\",\"id\":null}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "null"},
    {"a notification", "{" V ",\"method\":\"m\"}", JRPC_MESSAGE_NOTIFICATION, JRPC_VALID, false, 0,
     NULL},
    {"params in an Array", "{" V ",\"method\":\"m\",\"params\":[],\"id\":1}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "1"},
    {"params in an Object", "{" V ",\"method\":\"m\",\"params\":{},\"id\":1}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "1"},
    {"escapes in member names", "{\"jsonrp\\u0063\":\"2.0\",\"\\u006dethod\":\"m\",\"i\\u0064\":1}",
     JRPC_MESSAGE_CALL, JRPC_VALID, true, 0, "1"},
    {"escapes in the version", "{\"jsonrpc\":\"2\\u002e0\",\"method\":\"m\",\"id\":1}",
     JRPC_MESSAGE_CALL, JRPC_VALID, true, 0, "1"},
    {"members in another order", "{\"id\":1,\"method\":\"m\"," V "}", JRPC_MESSAGE_CALL, JRPC_VALID,
     true, 0, "1"},
    {"unknown members", "{\"x\":[{\"id\":2}]," V ",\"method\":\"m\",\"id\":1,\"ID\":3}",
     JRPC_MESSAGE_CALL, JRPC_VALID, true, 0, "1"},
    {"the last of two ids counts", "{" V ",\"id\":1,\"method\":\"m\",\"id\":2}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "2"},
    {"the last of two methods counts", "{" V ",\"id\":1,\"method\":\"m\",\"method\":1}", INV,
     JRPC_INVALID_METHOD_TYPE, true, BAD, "1"},
    {"a request with a result member", "{" V ",\"method\":\"m\",\"result\":1,\"id\":1}",
     JRPC_MESSAGE_CALL, JRPC_VALID, true, 0, "1"},

    {"a String", "\"m\"", INV, JRPC_INVALID_NOT_OBJECT, true, BAD, NULL},
    {"a Number", "1", INV, JRPC_INVALID_NOT_OBJECT, true, BAD, NULL},
    {"null", "null", INV, JRPC_INVALID_NOT_OBJECT, true, BAD, NULL},
    {"an Array", "[{" V ",\"method\":\"m\",\"id\":1}]", INV, JRPC_INVALID_NOT_OBJECT, true, BAD,
     NULL},
    {"an empty Object", "{}", INV, JRPC_INVALID_VERSION_MISSING, true, BAD, NULL},
    {"no version", "{\"method\":\"m\",\"id\":1}", INV, JRPC_INVALID_VERSION_MISSING, true, BAD,
     "1"},
    {"no version and no id", "{\"method\":\"m\"}", INV, JRPC_INVALID_VERSION_MISSING, true, BAD,
     NULL},
    {"version 1.0", "{\"jsonrpc\":\"1.0\",\"method\":\"m\",\"id\":\"a\"}", INV,
     JRPC_INVALID_VERSION, true, BAD, "\"a\""},
    {"the Number 2.0 as version", "{\"jsonrpc\":2.0,\"method\":\"m\",\"id\":1}", INV,
     JRPC_INVALID_VERSION, true, BAD, "1"},
    {"null as version", "{\"jsonrpc\":null,\"method\":\"m\",\"id\":1}", INV, JRPC_INVALID_VERSION,
     true, BAD, "1"},
    {"a longer version", "{\"jsonrpc\":\"2.0\\u0000\",\"method\":\"m\",\"id\":1}", INV,
     JRPC_INVALID_VERSION, true, BAD, "1"},
    {"a version name in another case", "{\"JSONRPC\":\"2.0\",\"method\":\"m\",\"id\":1}", INV,
     JRPC_INVALID_VERSION_MISSING, true, BAD, "1"},
    {"no method", "{" V ",\"id\":1}", INV, JRPC_INVALID_METHOD_MISSING, true, BAD, "1"},
    {"a method name in another case", "{" V ",\"Method\":\"m\",\"id\":1}", INV,
     JRPC_INVALID_METHOD_MISSING, true, BAD, "1"},
    {"a Number as method", "{" V ",\"method\":1,\"params\":\"bar\"}", INV, JRPC_INVALID_METHOD_TYPE,
     true, BAD, NULL},
    {"null as method", "{" V ",\"method\":null,\"id\":null}", INV, JRPC_INVALID_METHOD_TYPE, true,
     BAD, "null"},
    {"a String as params", "{" V ",\"method\":\"m\",\"params\":\"bar\",\"id\":1}", INV,
     JRPC_INVALID_PARAMS_TYPE, true, BAD, "1"},
    {"null as params", "{" V ",\"method\":\"m\",\"params\":null,\"id\":1}", INV,
     JRPC_INVALID_PARAMS_TYPE, true, BAD, "1"},
    {"null as params without an id", "{" V ",\"method\":\"m\",\"params\":null}", INV,
     JRPC_INVALID_PARAMS_TYPE, true, BAD, NULL},
    {"a Boolean id", "{" V ",\"method\":\"m\",\"id\":false}", INV, JRPC_INVALID_ID_TYPE, true, BAD,
     NULL},
    {"an Array id", "{" V ",\"method\":\"m\",\"id\":[1]}", INV, JRPC_INVALID_ID_TYPE, true, BAD,
     NULL},
    {"an Object id", "{" V ",\"method\":\"m\",\"id\":{}}", INV, JRPC_INVALID_ID_TYPE, true, BAD,
     NULL},
    {"an Array id beside another fault", "{\"method\":\"m\",\"id\":[1]}", INV,
     JRPC_INVALID_VERSION_MISSING, true, BAD, NULL},

    {"a Response", "{" V ",\"result\":null,\"id\":1}", JRPC_MESSAGE_RESPONSE, JRPC_VALID, false, 0,
     NULL},
    {"an error Response", "{" V ",\"error\":{},\"id\":null}", JRPC_MESSAGE_RESPONSE, JRPC_VALID,
     false, 0, NULL},
    {"a Response with both", "{" V ",\"result\":1,\"error\":null,\"id\":1}", INV,
     JRPC_INVALID_RESPONSE, false, 0, NULL},
    {"a Response without an id", "{" V ",\"result\":1}", INV, JRPC_INVALID_RESPONSE, false, 0,
     NULL},
    {"a Response with an Array id", "{" V ",\"result\":1,\"id\":[]}", INV, JRPC_INVALID_ID_TYPE,
     false, 0, NULL},
    {"a Response without a version", "{\"result\":1,\"id\":1}", INV, JRPC_INVALID_VERSION_MISSING,
     false, 0, NULL},

    {"a yield",
     "{" V ",\"method\":\"job.yield\",\"resource\":\"job\",\"verb\":\"yield\",\"result\":{}}",
     JRPC_MESSAGE_RESULT, JRPC_VALID, false, 0, NULL},
    {"a return", "{" V ",\"method\":\"job.return\",\"verb\":\"return\",\"result\":null}",
     JRPC_MESSAGE_RESULT, JRPC_VALID, false, 0, NULL},
    {"a yield without a result", "{" V ",\"method\":\"job.yield\",\"verb\":\"yield\"}",
     JRPC_MESSAGE_NOTIFICATION, JRPC_VALID, false, 0, NULL},
    {"a result with another verb", "{" V ",\"method\":\"job.get\",\"verb\":\"get\",\"result\":1}",
     JRPC_MESSAGE_NOTIFICATION, JRPC_VALID, false, 0, NULL},
    {"a yield with an id",
     "{" V ",\"method\":\"job.yield\",\"verb\":\"yield\",\"result\":1,\"id\":7}", JRPC_MESSAGE_CALL,
     JRPC_VALID, true, 0, "7"},
};

static void every_message_has_its_class(void **state)
{
    (void)state;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        jrpc_input_read(&document, jrpc_slice_str(r->text), JRPC_LIMIT_DEPTH, NULL);
        assert_true(jrpc_json_exists(jrpc_json_root(&document)));
        jrpc_message m = jrpc_message_classify(jrpc_json_root(&document));
        jrpc_slice id = jrpc_json_spelling(m.reply_id);
        if (m.kind != r->kind || m.reason != r->reason || m.reply_owed != r->owed ||
            m.reply_code != r->code || jrpc_json_exists(m.reply_id) != (r->reply_id != NULL) ||
            !jrpc_slice_is(id, r->reply_id)) {
            fail_msg("%s: kind %d, reason %d, owed %d, code %d, id %.*s", r->name, (int)m.kind,
                     (int)m.reason, m.reply_owed, m.reply_code, (int)id.len,
                     id.len == 0 ? "" : id.ptr);
        }
    }
    jrpc_json_document_done(&document);
}

static void no_value_is_no_object(void **state)
{
    (void)state;
    jrpc_message message = jrpc_message_classify(JRPC_JSON_ABSENT);
    assert_int_equal(message.reason, JRPC_INVALID_NOT_OBJECT);
    assert_int_equal(message.reply_code, JRPC_INVALID_REQUEST);
}

static void every_reason_has_a_sentence_of_its_own(void **state)
{
    (void)state;
    for (int i = JRPC_VALID; i <= JRPC_INVALID_RESPONSE; i++) {
        for (int j = JRPC_VALID; j < i; j++) {
            assert_string_not_equal(jrpc_invalid_reason_text((jrpc_invalid_reason)i),
                                    jrpc_invalid_reason_text((jrpc_invalid_reason)j));
        }
    }
}

static void a_text_is_one_message_a_batch_or_no_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        jrpc_input_kind kind;
        jrpc_error_code code;
    } inputs[] = {
        {"{}", JRPC_INPUT_SINGLE, JRPC_OK},
        {" 1 ", JRPC_INPUT_SINGLE, JRPC_OK},
        {"[1]", JRPC_INPUT_BATCH, JRPC_OK},
        {"[[]]", JRPC_INPUT_BATCH, JRPC_OK},
        {" [ ] ", JRPC_INPUT_EMPTY_BATCH, JRPC_OK},
        {"", JRPC_INPUT_PARSE_ERROR, JRPC_ERROR_SYNTAX},
        {"[1,]", JRPC_INPUT_PARSE_ERROR, JRPC_ERROR_SYNTAX},
        {"[[[1]]]", JRPC_INPUT_PARSE_ERROR, JRPC_ERROR_LIMIT},
    };
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        jrpc_error error = {.code = JRPC_OK};
        assert_int_equal(jrpc_input_read(&document, jrpc_slice_str(inputs[i].text), 2, &error),
                         inputs[i].kind);
        assert_int_equal(error.code, inputs[i].code);
    }
    jrpc_json_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_has_its_class),
        cmocka_unit_test(no_value_is_no_object),
        cmocka_unit_test(every_reason_has_a_sentence_of_its_own),
        cmocka_unit_test(a_text_is_one_message_a_batch_or_no_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
