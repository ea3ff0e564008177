// Fences: how they are spelled, and how their answers are told from everything else.
#include "harness/link/fence.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define NONCE 0xabcdu

static const jck_fence_style plain = {.method = "\"m\\u0000\""};
static const jck_fence_style with_params = {.method = "\"m\"", .with_params = true};

static jrpc_json parse(jrpc_json_document *document, const char *text)
{
    jrpc_json_document_init(document, jrpc_allocator_heap());
    if (!jrpc_json_read(document, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL)) {
        fail_msg("no JSON: %s", text);
    }
    return jrpc_json_root(document);
}

static void a_fence_is_a_call_with_an_id_of_ours(void **state)
{
    static const struct {
        const jck_fence_style *style;
        uint32_t serial;
        const char *text;
    } rows[] = {
        {&plain, 1,
         "{\"jsonrpc\":\"2.0\",\"method\":\"m\\u0000\",\"id\":\"jck-fence-0000abcd-1\"}"},
        {&with_params, 4294967295u,
         "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[],"
         "\"id\":\"jck-fence-0000abcd-4294967295\"}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1024);
        assert_true(jck_fence_write(rows[i].style, NONCE, rows[i].serial, &out));
        assert_true(jrpc_slice_is(jrpc_buffer_slice(&out), rows[i].text));
        jrpc_json_document document;
        assert_true(jck_fence_echoed(NONCE, parse(&document, rows[i].text)));
        jrpc_json_document_done(&document);
        jrpc_buffer_done(&out);
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 20);
        assert_false(jck_fence_write(rows[i].style, NONCE, rows[i].serial, &out));
        jrpc_buffer_done(&out);
    }
}

#define ID(rest) "\"id\":\"jck-fence-" rest "\""

static void the_answer_to_a_fence_is_told_by_its_id(void **state)
{
    static const struct {
        const char *text;
        uint32_t answered;
        bool echoed;
    } rows[] = {
        {"{" ID("0000abcd-7") ",\"error\":{}}", 7, false},
        {"{\"result\":1," ID("0000abcd-4294967295") "}", 4294967295u, false},
        {"{" ID("0000abcd-12") "}", 12, false},
        {"{" ID("0000abce-7") ",\"error\":{}}", 0, false},
        {"{" ID("0000abcd-") ",\"error\":{}}", 0, false},
        {"{" ID("0000abcd-7x") ",\"error\":{}}", 0, false},
        {"{" ID("0000abcd--7") ",\"error\":{}}", 0, false},
        {"{\"id\":7,\"error\":{}}", 0, false},
        {"{\"id\":null,\"error\":{}}", 0, false},
        {"{\"error\":{}}", 0, false},
        {"[{" ID("0000abcd-7") ",\"error\":{}}]", 0, false},
        {"\"jck-fence-0000abcd-7\"", 0, false},
        {"{\"method\":\"m\"," ID("0000abcd-7") "}", 0, true},
        {"{\"method\":1," ID("0000abcd-7") ",\"result\":1}", 0, true},
        {"{\"method\":\"m\"," ID("0000abce-7") "}", 0, false},
        {"{\"method\":\"m\",\"id\":7}", 0, false},
        {"[]", 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_json_document document;
        jrpc_json value = parse(&document, rows[i].text);
        if (jck_fence_answered(NONCE, value) != rows[i].answered ||
            jck_fence_echoed(NONCE, value) != rows[i].echoed) {
            fail_msg("%s", rows[i].text);
        }
        jrpc_json_document_done(&document);
    }
}

static void an_answer_without_the_id_is_told_by_the_form_learned(void **state)
{
    static const char form[] = "{\"error\":{\"code\":-32601},\"id\":null}";
    static const struct {
        const char *text;
        bool has;
    } rows[] = {
        {form, true},
        {"{\"error\":{\"code\":-32602},\"id\":null}", false},
        {"{\"error\":{\"code\":-32601}, \"id\":null}", false},
        {"[]", false},
    };
    (void)state;
    jck_fence_style style = plain;
    jrpc_json_document document;
    assert_false(jck_fence_has_form(&style, parse(&document, form)));
    jck_fence_learn(&style, jrpc_json_root(&document));
    jrpc_json_document_done(&document);
    assert_true(style.by_form);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(jck_fence_has_form(&style, parse(&document, rows[i].text)), rows[i].has);
        jrpc_json_document_done(&document);
    }
    // A message of the server's own is no answer, whatever was learned.
    jck_fence_learn(&style, parse(&document, "{\"method\":\"m\"}"));
    assert_false(jck_fence_has_form(&style, jrpc_json_root(&document)));
    jrpc_json_document_done(&document);
}

static void a_form_that_is_too_long_is_not_learned(void **state)
{
    (void)state;
    for (size_t len = sizeof plain.form - 1; len <= sizeof plain.form + 1; len++) {
        char text[sizeof plain.form + 2] = "{\"e\":\"";
        jck_fence_style style = plain;
        memset(text + 6, 'x', len - 8);
        memcpy(text + len - 2, "\"}", 3);
        jrpc_json_document document;
        jck_fence_learn(&style, parse(&document, text));
        assert_int_equal(style.by_form, len <= sizeof style.form);
        assert_int_equal(jck_fence_has_form(&style, jrpc_json_root(&document)), style.by_form);
        jrpc_json_document_done(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_is_a_call_with_an_id_of_ours),
        cmocka_unit_test(the_answer_to_a_fence_is_told_by_its_id),
        cmocka_unit_test(an_answer_without_the_id_is_told_by_the_form_learned),
        cmocka_unit_test(a_form_that_is_too_long_is_not_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
