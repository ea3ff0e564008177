// Fences: how they are spelled, and how their answers are told from everything else.
#include "harness/link/fence.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define NONCE 0xabcdu

typedef struct fixture {
    jck_fences fences;
    jck_fence_style style;
    jrpc_random random;
    jrpc_buffer out;
    jrpc_json_document document;
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){.style = {.method = "\"m\\u0000\""}};
    jrpc_random_init(&f->random, 7);
    jrpc_buffer_init(&f->out, jrpc_allocator_heap(), 1024);
    jrpc_json_document_init(&f->document, jrpc_allocator_heap());
}

static void end(fixture *f)
{
    jrpc_buffer_done(&f->out);
    jrpc_json_document_done(&f->document);
}

static jrpc_json parse(fixture *f, jrpc_slice text)
{
    if (!jrpc_json_read(&f->document, text, JRPC_LIMIT_DEPTH, NULL)) {
        fail_msg("no JSON: %.*s", (int)text.len, text.ptr);
    }
    return jrpc_json_root(&f->document);
}

// Sends a fence and gives its id, without quotes.
static void send_fence(fixture *f, char id[64])
{
    jrpc_buffer_clear(&f->out);
    assert_true(jck_fence_write(&f->fences, &f->style, NONCE, &f->random, &f->out));
    jrpc_slice spelling =
        jrpc_json_spelling(jrpc_json_get(parse(f, jrpc_buffer_slice(&f->out)), "id"));
    jrpc_slice content =
        f->style.number ? spelling : jrpc_slice_of(spelling.ptr + 1, spelling.len - 2);
    (void)snprintf(id, 64, "%.*s", (int)content.len, content.ptr);
}

// What a message is in which the id's content stands in the place of the first '@'.
static jck_fence_role role_of(fixture *f, const char *form, const char *id, uint32_t *number)
{
    char text[256];
    size_t before = strcspn(form, "@");
    const char *after = form[before] == '@' ? form + before + 1 : "";
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)before, form, form[before] == '@' ? id : "",
                   after);
    return jck_fence_recognize(&f->fences, &f->style, NONCE, parse(f, jrpc_slice_str(text)),
                               number);
}

#define ANSWER "{\"error\":{},\"id\":\"@\"}"

static void a_fence_is_a_call_with_an_id_of_ours(void **state)
{
    (void)state;
    fixture f;
    char id[64];
    begin(&f);
    send_fence(&f, id);
    char expected[256];
    (void)snprintf(expected, sizeof expected,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"m\\u0000\",\"id\":\"%s\"}", id);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&f.out), expected));
    assert_memory_equal(id, "jck-fence-0000abcd-", 19);
    (void)snprintf(f.style.params, sizeof f.style.params, "[42,23]");
    send_fence(&f, id);
    (void)snprintf(expected, sizeof expected,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"m\\u0000\",\"params\":[42,23],\"id\":\"%s\"}",
                   id);
    assert_true(jrpc_slice_is(jrpc_buffer_slice(&f.out), expected));
    jrpc_buffer small;
    jrpc_buffer_init(&small, jrpc_allocator_heap(), 20);
    assert_false(jck_fence_write(&f.fences, &f.style, NONCE, &f.random, &small));
    assert_int_equal(f.fences.count, 2); // one that could not be written is not waited for
    jrpc_buffer_done(&small);
    end(&f);
}

static void an_answer_is_recognized_by_the_value_of_its_id(void **state)
{
    (void)state;
    fixture f;
    char id[64];
    uint32_t number = 9;
    begin(&f);
    assert_true(jck_fences_are_answered(&f.fences));
    send_fence(&f, id);
    assert_false(jck_fences_are_answered(&f.fences));
    // Escaped characters are the same characters.
    assert_int_equal(role_of(&f, "{\"result\":1,\"id\":\"\\u006a@\"}", id + 1, &number),
                     JCK_FENCE_ANSWER);
    assert_int_equal(number, 1);
    assert_true(jck_fences_are_answered(&f.fences));
    assert_int_equal(role_of(&f, ANSWER, id, &number), JCK_FENCE_AGAIN);
    assert_int_equal(role_of(&f, "{\"method\":\"m\\u0000\",\"id\":\"@\"}", id, &number),
                     JCK_FENCE_ECHO);
    assert_int_equal(role_of(&f, "{\"method\":\"jrpcheck.x\",\"id\":\"@\"}", id, &number),
                     JCK_FENCE_ECHO);
    // A target that wraps the answer to a single call has answered it.
    assert_int_equal(role_of(&f, "[" ANSWER "]", id, &number), JCK_FENCE_AGAIN);
    assert_int_equal(role_of(&f, "[" ANSWER ",1]", id, &number), JCK_FENCE_NONE);
    assert_int_equal(role_of(&f, "[{\"method\":\"m\",\"id\":\"@\"}]", id, &number), JCK_FENCE_NONE);
    // A request of the target's own may use any id.
    assert_int_equal(role_of(&f, "{\"method\":\"m\",\"id\":\"@\"}", id, &number), JCK_FENCE_NONE);
    static const char *const others[] = {
        "{\"id\":7,\"error\":{}}",
        "{\"id\":null,\"error\":{}}",
        "{\"error\":{}}",
        "{\"id\":\"jck-fence-\"}",
        "{\"id\":\"x@\"}",
        "[{\"id\":\"@\"}]",
        "\"@\"",
        "[]",
        "{\"id\":\"jck-fence-0000abce-0123456789abcdef\",\"result\":1}",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (role_of(&f, others[i], id, &number) != JCK_FENCE_NONE) {
            fail_msg("%s", others[i]);
        }
    }
    end(&f);
}

static void an_answer_to_a_fence_that_was_never_sent_proves_nothing(void **state)
{
    (void)state;
    fixture f;
    fixture other;
    char id[64];
    char elsewhere[64];
    char next[64];
    uint32_t number = 9;
    begin(&f);
    begin(&other);
    send_fence(&f, id);
    (void)jrpc_random_next(&other.random);
    send_fence(&other, elsewhere);
    // Made of the one before by counting on, and one that was sent on another connection.
    (void)snprintf(next, sizeof next, "%s", id);
    next[strlen(next) - 1] = next[strlen(next) - 1] == '0' ? '1' : '0';
    assert_int_equal(role_of(&f, ANSWER, next, &number), JCK_FENCE_INVENTED);
    assert_int_equal(number, 0);
    assert_int_equal(role_of(&f, ANSWER, elsewhere, &number), JCK_FENCE_INVENTED);
    assert_false(jck_fences_are_answered(&f.fences));
    end(&other);
    end(&f);
}

static void numbers_of_fences_are_known_on_all_connections(void **state)
{
    (void)state;
    fixture f;
    jck_fence_numbers numbers = {.count = 0};
    char first[64];
    char id[64];
    char text[128];
    begin(&f);
    f.style.number = true;
    send_fence(&f, first);
    assert_int_equal(strspn(first, "0123456789"), strlen(first));
    (void)snprintf(text, sizeof text, "{\"result\":1,\"id\":%s}", first);
    assert_false(jck_fence_numbers_have(&numbers, parse(&f, jrpc_slice_str(text))));
    jck_fence_numbers_add(&numbers, &f.fences);
    assert_true(jck_fence_numbers_have(&numbers, parse(&f, jrpc_slice_str(text))));
    (void)snprintf(text, sizeof text, "{\"method\":\"m\",\"id\":%s}", first);
    assert_false(jck_fence_numbers_have(&numbers, parse(&f, jrpc_slice_str(text))));
    (void)snprintf(text, sizeof text, "{\"result\":1,\"id\":\"%s\"}", first);
    assert_false(jck_fence_numbers_have(&numbers, parse(&f, jrpc_slice_str(text))));
    (void)snprintf(text, sizeof text, "{\"result\":1,\"id\":%s}", first);
    for (size_t i = 0; i < JCK_FENCE_NUMBERS_KEPT; i++) {
        assert_true(jck_fence_numbers_have(&numbers, parse(&f, jrpc_slice_str(text))));
        send_fence(&f, id);
        jck_fence_numbers_add(&numbers, &f.fences);
    }
    assert_false(jck_fence_numbers_have(&numbers, parse(&f, jrpc_slice_str(text))));
    end(&f);
}

static void an_earlier_fence_is_answered_late_and_a_forgotten_one_not_at_all(void **state)
{
    (void)state;
    fixture f;
    char first[64];
    char second[64];
    char last[64];
    uint32_t number = 0;
    begin(&f);
    send_fence(&f, first);
    send_fence(&f, second);
    assert_string_not_equal(first, second);
    assert_int_equal(role_of(&f, ANSWER, first, &number), JCK_FENCE_LATE);
    assert_int_equal(number, 1);
    assert_int_equal(role_of(&f, ANSWER, second, &number), JCK_FENCE_ANSWER);
    for (int i = 0; i < JCK_FENCES_KEPT; i++) {
        send_fence(&f, last);
    }
    assert_int_equal(role_of(&f, ANSWER, first, &number), JCK_FENCE_INVENTED);
    assert_int_equal(role_of(&f, ANSWER, last, &number), JCK_FENCE_ANSWER);
    assert_int_equal(number, f.fences.count);
    end(&f);
}

static void an_answer_without_the_id_is_recognized_by_the_form_learned(void **state)
{
    (void)state;
    static const char form[] = "{\"error\":{\"code\":-32601},\"id\":null}";
    fixture f;
    char id[64];
    uint32_t number = 0;
    begin(&f);
    send_fence(&f, id);
    assert_int_equal(role_of(&f, form, "", &number), JCK_FENCE_NONE);
    jck_fence_learn(&f.fences, &f.style, parse(&f, jrpc_slice_str(form)));
    assert_true(f.style.by_form && jck_fences_are_answered(&f.fences));
    assert_int_equal(role_of(&f, form, "", &number), JCK_FENCE_NONE); // none is outstanding
    send_fence(&f, id);
    assert_int_equal(role_of(&f, "{\"error\":{\"code\":-32602},\"id\":null}", "", &number),
                     JCK_FENCE_NONE);
    assert_int_equal(role_of(&f, form, "", &number), JCK_FENCE_ANSWER);
    assert_int_equal(number, 2);
    // A message of the server's own is not an answer, whatever was learned.
    jck_fence_learn(&f.fences, &f.style, parse(&f, JRPC_SLICE("{\"method\":\"m\"}")));
    send_fence(&f, id);
    assert_int_equal(role_of(&f, "{\"method\":\"m\"}", "", &number), JCK_FENCE_NONE);
    end(&f);
}

static void an_id_can_be_a_number(void **state)
{
    (void)state;
    fixture f;
    char text[64];
    uint32_t number = 0;
    begin(&f);
    f.style.number = true;
    jrpc_buffer_clear(&f.out);
    assert_true(jck_fence_write(&f.fences, &f.style, NONCE, &f.random, &f.out));
    jrpc_json id = jrpc_json_get(parse(&f, jrpc_buffer_slice(&f.out)), "id");
    int64_t given = 0;
    assert_true(jrpc_json_int64(id, &given) && given >= 1 << 29 && given < 1 << 30);
    (void)snprintf(text, sizeof text, "{\"error\":{},\"id\":%lld}", (long long)given + 1);
    assert_int_equal(role_of(&f, text, "", &number), JCK_FENCE_NONE);
    (void)snprintf(text, sizeof text, "{\"error\":{},\"id\":%lld.0}", (long long)given);
    assert_int_equal(role_of(&f, text, "", &number), JCK_FENCE_ANSWER);
    assert_int_equal(number, 1);
    end(&f);
}

static void a_form_is_learned_without_an_id_that_is_wrong_each_time(void **state)
{
    (void)state;
    fixture f;
    char id[64];
    uint32_t number = 0;
    begin(&f);
    send_fence(&f, id);
    jck_fence_learn(&f.fences, &f.style,
                    parse(&f, JRPC_SLICE("{\"error\":{\"code\":-32601},\"id\":5}")));
    send_fence(&f, id);
    assert_int_equal(role_of(&f, "{\"error\":{\"code\":-32600},\"id\":6}", "", &number),
                     JCK_FENCE_NONE);
    assert_int_equal(role_of(&f, "{\"error\":{\"code\":-32601},\"id\":null}", "", &number),
                     JCK_FENCE_NONE);
    assert_int_equal(role_of(&f, "{\"error\":{\"code\":-32601},\"id\":6}", "", &number),
                     JCK_FENCE_ANSWER);
    end(&f);
}

static void a_form_that_is_too_long_is_not_learned(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    for (size_t len = sizeof f.style.form - 1; len <= sizeof f.style.form + 1; len++) {
        char text[sizeof f.style.form + 2] = "{\"e\":\"";
        f.style.by_form = false;
        memset(text + 6, 'x', len - 8);
        memcpy(text + len - 2, "\"}", 3);
        jck_fence_learn(&f.fences, &f.style, parse(&f, jrpc_slice_str(text)));
        assert_int_equal(f.style.by_form, len <= sizeof f.style.form);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_is_a_call_with_an_id_of_ours),
        cmocka_unit_test(an_answer_is_recognized_by_the_value_of_its_id),
        cmocka_unit_test(an_answer_to_a_fence_that_was_never_sent_proves_nothing),
        cmocka_unit_test(numbers_of_fences_are_known_on_all_connections),
        cmocka_unit_test(an_earlier_fence_is_answered_late_and_a_forgotten_one_not_at_all),
        cmocka_unit_test(an_answer_without_the_id_is_recognized_by_the_form_learned),
        cmocka_unit_test(an_id_can_be_a_number),
        cmocka_unit_test(a_form_is_learned_without_an_id_that_is_wrong_each_time),
        cmocka_unit_test(a_form_that_is_too_long_is_not_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
