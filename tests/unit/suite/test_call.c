// A capability that a method of the target wraps: what goes out in its place.
#include "harness/suite/call.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// The one capability that is wrapped, and its template as text.
typedef struct wrapping {
    jck_call call;
} wrapping;

static const jck_call *call_of(void *context, jrpc_slice capability)
{
    const wrapping *self = context;
    return jrpc_slice_is(capability, "subtract") ? &self->call : NULL;
}

static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    *ret_spelling = jrpc_slice_is(name, "subtract") ? JRPC_SLICE("\"call\"")
                    : jrpc_slice_is(name, "id")     ? JRPC_SLICE("7")
                                                    : JRPC_SLICE("\"other\"");
    return true;
}

static jrpc_json read(jrpc_json_document *document, const char *text)
{
    jrpc_json_document_init(document, jrpc_allocator_heap());
    if (text != NULL) {
        assert_true(jrpc_json_read(document, jrpc_slice_str(text), 64, NULL));
    }
    return jrpc_json_root(document);
}

static const char *const template = "{\"name\":\"s\",\"arguments\":\"${params}\"}";
static const char *const parts = "{\"a\":\"${params/0}\",\"b\":[\"${params/1}\", 1.0]}";

static const struct {
    const char *params, *names, *payload, *expected;
} rows[] = {
    {template, NULL, "{\"method\": \"${subtract}\", \"params\": [1.0, \"${id}\"], \"id\": 1}",
     "{\"method\":\"call\",\"params\":{\"name\":\"s\",\"arguments\":[1.0,7]},\"id\":1}"},
    {template, NULL, "{\"params\":{\"x\": 1},\"method\":\"${subtract}\"}",
     "{\"params\":{\"name\":\"s\",\"arguments\":{\"x\":1}},\"method\":\"call\"}"},
    {template, NULL, "{\"method\":\"${subtract}\",\"id\":\"${id}\"}",
     "{\"method\":\"call\",\"id\":7,\"params\":{\"name\":\"s\"}}"},
    {template, NULL,
     "[{\"method\":\"${subtract}\",\"params\":[]}, 1, {\"method\":\"${echo}\",\"params\":[2]},"
     "{\"method\":\"${subtract}\"}]",
     "[{\"method\":\"call\",\"params\":{\"name\":\"s\",\"arguments\":[]}},1,"
     "{\"method\":\"other\",\"params\":[2]},{\"method\":\"call\",\"params\":{\"name\":\"s\"}}]"},
    {parts, NULL, "{\"method\":\"${subtract}\",\"params\":[[3], 4]}",
     "{\"method\":\"call\",\"params\":{\"a\":[3],\"b\":[4,1.0]}}"},
    {parts, NULL, "{\"method\":\"${subtract}\",\"params\":[3]}",
     "{\"method\":\"call\",\"params\":{\"a\":3,\"b\":[1.0]}}"},
    {NULL, "{\"x\":\"y\"}",
     "{\"method\":\"${subtract}\",\"params\":{\"x\":1,\"z\":2,\"\\u0078\":3}}",
     "{\"method\":\"call\",\"params\":{\"y\":1,\"z\":2,\"y\":3}}"},
    {template, "{\"x\":\"y\"}", "{\"method\":\"${subtract}\",\"params\":{\"x\":1}}",
     "{\"method\":\"call\",\"params\":{\"name\":\"s\",\"arguments\":{\"y\":1}}}"},
    // What is no call of it stays as it is.
    {template, NULL, "{\"method\":\"${subtract}\",\"params\":\"bar\"}",
     "{\"method\":\"call\",\"params\":\"bar\"}"},
    {template, NULL, "{\"method\":\"x\",\"method\":\"${subtract}\"}",
     "{\"method\":\"x\",\"method\":\"call\"}"},
    {template, NULL, "{\"a\":{\"method\":\"${subtract}\"}}", "{\"a\":{\"method\":\"call\"}}"},
};

static void a_message_goes_out_as_the_template_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_json_document documents[3];
        jrpc_buffer out;
        jrpc_error error = {0};
        wrapping wraps = {.call = {.params = read(&documents[0], rows[i].params),
                                   .names = read(&documents[1], rows[i].names)}};
        jck_payload payload = {.kind = JCK_PAYLOAD_JSON,
                               .json = read(&documents[2], rows[i].payload)};
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1000);
        assert_true(jck_call_expand(&payload, resolve, call_of, &wraps, &out, &error));
        if (!jrpc_slice_is(jrpc_buffer_slice(&out), rows[i].expected)) {
            fail_msg("%s: %.*s", rows[i].payload, (int)out.len, out.ptr);
        }
        // Whatever is not enough room is reported.
        for (size_t room = 0; room < strlen(rows[i].expected); room++) {
            jrpc_buffer_done(&out);
            jrpc_buffer_init(&out, jrpc_allocator_heap(), room);
            jrpc_error_clear(&error);
            assert_false(jck_call_expand(&payload, resolve, call_of, &wraps, &out, &error));
            assert_int_equal(error.code, JRPC_ERROR_LIMIT);
        }
        jrpc_buffer_done(&out);
        for (size_t k = 0; k < 3; k++) {
            jrpc_json_document_done(&documents[k]);
        }
    }
}

static void what_cannot_be_wrapped_is_known(void **state)
{
    (void)state;
    static const struct {
        jck_payload_kind kind;
        const char *text;
        bool spelled_out;
    } table[] = {
        {JCK_PAYLOAD_JSON, "{\"method\":\"${subtract}\",\"params\":[]}", false},
        {JCK_PAYLOAD_JSON, "[{\"method\":\"${subtract}\"},{\"method\":\"${echo}\"}]", false},
        {JCK_PAYLOAD_JSON, "{\"method\":\"${subtract}\",\"params\":1}", true},
        {JCK_PAYLOAD_JSON, "[{\"method\":\"${subtract}\"},{\"x\":\"${subtract}\"}]", true},
        {JCK_PAYLOAD_JSON, "{\"method\":\"${subtract}\",\"method\":\"x\"}", true},
        {JCK_PAYLOAD_TEXT, "{\"method\":\"${subtract}\"}", true},
        {JCK_PAYLOAD_TEXT, "{\"method\":\"${echo}\"}", false},
    };
    wrapping wraps = {.call = {.params = JRPC_JSON_ABSENT}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jrpc_json_document document;
        jck_payload payload = {.kind = table[i].kind,
                               .json = read(&document, table[i].text),
                               .text = jrpc_slice_str(table[i].text)};
        if (jck_call_is_spelled_out(&payload, call_of, &wraps) != table[i].spelled_out) {
            fail_msg("%s", table[i].text);
        }
        jrpc_json_document_done(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_goes_out_as_the_template_says),
        cmocka_unit_test(what_cannot_be_wrapped_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
