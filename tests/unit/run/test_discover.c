// The search for methods before the first case: how long it waits for what does not come.
#include "harness/run/discover.h"
#include "reference/json/read.h"
#include "tests/unit/link/child_group.h"
#include "tests/unit/link/scripted_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TARGET_BYTES = 1 << 20, LONG_MS = 900 };

static void begin(scripted_link *f, void (*behave)(scripted *c, const char *text, bool is_fence))
{
    scripted_link_begin(f, JRPC_TRANSPORT_STDIO);
    jrpc_arena_init(&f->target.arena, jrpc_allocator_heap(), TARGET_BYTES);
    f->side.on_message = behave;
    assert_int_equal(scripted_link_open(f), JCK_LINK_OK);
}

static void end(scripted_link *f)
{
    jrpc_arena_done(&f->target.arena);
    scripted_link_end(f);
}

// Drops calls whose params are an Array, and answers all others.
static void drop_arrays(scripted *c, const char *text, bool is_fence)
{
    char params[256];
    (void)is_fence;
    script_member(text, "params", params, sizeof params);
    if (params[0] != '[') {
        script_answer(c, 1, text);
    }
}

// Refuses calls whose params are an Array, without their id, and answers all others.
static void refuse_arrays(scripted *c, const char *text, bool is_fence)
{
    char params[256];
    (void)is_fence;
    script_member(text, "params", params, sizeof params);
    if (params[0] == '[') {
        script_say(c, 1,
                   "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Invalid\"}}");
    } else {
        script_answer(c, 1, text);
    }
}

static void a_refusal_without_the_id_of_the_call_is_its_answer(void **state)
{
    (void)state;
    scripted_link f;
    begin(&f, refuse_arrays);
    int64_t began_us = f.side.now_us;
    jck_discover(&f.link, true);
    assert_true(scripted_link_ms(&f, began_us) < SCRIPT_PATIENCE_MS);
    end(&f);
}

static void calls_that_a_target_drops_are_not_waited_for_in_full(void **state)
{
    (void)state;
    scripted_link f;
    begin(&f, drop_arrays);
    int64_t began_us = f.side.now_us;
    jck_discover(&f.link, true);
    assert_true(scripted_link_ms(&f, began_us) < SCRIPT_REPLY_MS);
    end(&f);
}

// Works on several calls at once, and longest on sums.
static void sum_slowly(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    (void)is_fence;
    if (strstr(text, "\"sum\"") == NULL) {
        script_answer(c, 1, text);
        return;
    }
    script_id(text, id);
    (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"result\":%d,\"id\":%s}",
                   strstr(text, "[1,2,4]") != NULL ? 7 : 8, id);
    script_say(c, LONG_MS, answer);
}

static void a_method_that_takes_longer_than_others_is_found(void **state)
{
    (void)state;
    scripted_link f;
    begin(&f, sum_slowly);
    jck_discover(&f.link, true);
    assert_non_null(jck_target_mapping(&f.target, JRPC_SLICE("sum")));
    assert_null(jck_target_mapping(&f.target, JRPC_SLICE("subtract")));
    end(&f);
}

// Refuses calls without params, and gives the data of section 7 for an empty Array.
static void want_params(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    (void)is_fence;
    script_id(text, id);
    bool right = strstr(text, "\"get_data\"") != NULL && strstr(text, "\"params\":[]") != NULL;
    (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",%s,\"id\":%s}",
                   right ? "\"result\":[\"hello\",5]"
                         : "\"error\":{\"code\":-32602,\"message\":\"no params\"}",
                   id);
    script_say(c, 1, answer);
}

static void a_method_that_wants_an_empty_array_is_found(void **state)
{
    (void)state;
    scripted_link f;
    begin(&f, want_params);
    jck_discover(&f.link, true);
    assert_non_null(jck_target_mapping(&f.target, JRPC_SLICE("get_data")));
    assert_null(jck_target_mapping(&f.target, JRPC_SLICE("subtract")));
    end(&f);
}

// Drops every call, and has nothing else to do.
static void drop_all(scripted *c, const char *text, bool is_fence)
{
    if (is_fence) {
        script_answer(c, 1, text);
    }
}

static void a_process_that_has_nothing_to_do_is_hardly_waited_for(void **state)
{
    (void)state;
    pid_t idle = start_idle();
    const pid_t processes[] = {idle, 0}; // none is known
    int64_t took_ms[2];
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        scripted_link f;
        begin(&f, drop_all);
        f.side.process = processes[i];
        int64_t began_us = f.side.now_us;
        jck_discover(&f.link, true);
        took_ms[i] = scripted_link_ms(&f, began_us);
        end(&f);
    }
    end_child(idle);
    assert_in_range(took_ms[0], 200, took_ms[1] / 2);
}

static int unit_ms; // of the param of sleep; 0: it is not slow

// Has one method, which answers after the time that its first param says.
static void sleep_for(scripted *c, const char *text, bool is_fence)
{
    char id[128];
    char answer[256];
    char params[256];
    (void)is_fence;
    if (strstr(text, "\"sleep\"") == NULL) {
        script_answer(c, 1, text);
        return;
    }
    script_id(text, id);
    script_member(text, "params", params, sizeof params);
    (void)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":%s}", id);
    script_say(c, 1 + strtol(params + 1, NULL, 10) * unit_ms, answer);
}

static void a_method_that_takes_milliseconds_is_found(void **state)
{
    (void)state;
    static const struct {
        int unit_ms;
        bool found;
    } rows[] = {{1, true}, {1000, false}, {0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scripted_link f;
        unit_ms = rows[i].unit_ms;
        begin(&f, sleep_for);
        int64_t began_us = f.side.now_us;
        jck_discover(&f.link, true);
        const jck_mapping *slow = jck_target_mapping(&f.target, JRPC_SLICE("slow"));
        assert_int_equal(slow != NULL, rows[i].found);
        assert_true(slow == NULL || jrpc_slice_is(slow->method, "\"sleep\""));
        assert_true(scripted_link_ms(&f, began_us) < SCRIPT_REPLY_MS); // no call for 40 seconds
        end(&f);
    }
}

static int messages;       // that a far target got
static bool takes_batches; // whether it answers them with an Array

// Answers after a while, as over a long way. It has no methods.
static void answer_from_afar(scripted *c, const char *text, bool is_fence)
{
    enum { FAR_MS = 60 };
    char id[128];
    jrpc_buffer answer;
    messages += !is_fence;
    if (text[0] != '[') {
        script_id(text, id);
        script_error(c, FAR_MS, -32601, id);
        return;
    }
    if (!takes_batches) {
        script_error(c, FAR_MS, -32600, "null");
        return;
    }
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), 1 << 16);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(text), SCRIPT_DEPTH, NULL));
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document));
         jrpc_json_step(&it);) {
        jrpc_slice own = jrpc_json_spelling(jrpc_json_get(it.value, "id"));
        (void)jrpc_buffer_printf(
            &answer,
            "%s{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"\"},\"id\":%.*s}",
            answer.len == 0 ? "[" : ",", (int)own.len, own.ptr);
    }
    jrpc_json_document_done(&document);
    (void)jrpc_buffer_append_char(&answer, ']');
    (void)jrpc_buffer_append_char(&answer, '\0');
    script_say(c, FAR_MS, answer.ptr);
    jrpc_buffer_done(&answer);
}

static void a_far_target_is_asked_in_one_batch_if_it_takes_batches(void **state)
{
    (void)state;
    int asked[2];
    for (int i = 0; i < 2; i++) {
        scripted_link f;
        begin(&f, answer_from_afar);
        takes_batches = i == 1;
        messages = 0;
        jck_discover(&f.link, true);
        asked[i] = messages;
        assert_null(jck_target_mapping(&f.target, JRPC_SLICE("echo")));
        end(&f);
    }
    assert_true(asked[0] > 20);
    assert_true(asked[1] < 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_a_target_drops_are_not_waited_for_in_full),
        cmocka_unit_test(a_refusal_without_the_id_of_the_call_is_its_answer),
        cmocka_unit_test(a_method_that_takes_longer_than_others_is_found),
        cmocka_unit_test(a_method_that_wants_an_empty_array_is_found),
        cmocka_unit_test(a_method_that_takes_milliseconds_is_found),
        cmocka_unit_test(a_far_target_is_asked_in_one_batch_if_it_takes_batches),
        cmocka_unit_test(a_process_that_has_nothing_to_do_is_hardly_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
