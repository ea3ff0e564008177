// Hooks: where each is called, and that each can bend what it is handed.
#include "tests/unit/rpc/rpc_test.h"

#define V "\"jsonrpc\":\"2.0\""

typedef struct script {
    char trace[256];    // a letter for each call
    bool replace_text;  // text: an echo call instead
    bool as_single;     // input: whatever came is one message
    bool as_batch;      // input: whatever came is a batch
    bool answer_silent; // message: a Response is owed in any case
    bool serve_invalid; // message: an invalid message is a call
    bool accept_all;    // bind: everything fits
    bool drop_id;       // response: no id
    bool suppress;      // response: nothing at all
    bool write_empty;   // batch: [] for nothing
    bool bare;          // batch: no Array
    bool saw_null;      // response: message was NULL
    size_t index;       // response: the batch index of the last
    size_t requested;   // batch
    size_t count;       // batch
    const void *connection;
} script;

static void note(script *s, char letter)
{
    size_t len = strlen(s->trace);
    assert_true(len + 1 < sizeof s->trace);
    s->trace[len] = letter;
}

static void on_text(void *context, jrpc_exchange *exchange, jrpc_slice *text)
{
    script *s = context;
    note(s, 't');
    s->connection = exchange->connection;
    assert_true(jrpc_slice_equal(exchange->input, *text));
    assert_non_null(exchange->arena);
    if (s->replace_text) {
        *text = JRPC_SLICE("{" V ",\"method\":\"echo\",\"id\":7}");
    }
}

static void on_input(void *context, jrpc_exchange *exchange, jrpc_json root, jrpc_input_kind *kind)
{
    script *s = context;
    (void)exchange;
    note(s, jrpc_json_exists(root) ? 'i' : 'I');
    assert_int_equal(jrpc_json_exists(root), *kind != JRPC_INPUT_PARSE_ERROR);
    if (s->as_single) {
        *kind = JRPC_INPUT_SINGLE;
    }
    if (s->as_batch) {
        *kind = JRPC_INPUT_BATCH;
    }
}

static void on_message(void *context, jrpc_exchange *exchange, jrpc_message *message)
{
    script *s = context;
    note(s, exchange->in_batch ? 'M' : 'm');
    if (s->answer_silent) {
        message->reply_owed = true;
    }
    if (s->serve_invalid && message->kind == JRPC_MESSAGE_INVALID) {
        message->kind = JRPC_MESSAGE_CALL;
        message->reply_code = 0;
    }
}

static void on_bind(void *context, jrpc_exchange *exchange, jrpc_call *call, bool *ok)
{
    script *s = context;
    (void)exchange;
    (void)call;
    note(s, *ok ? 'b' : 'B');
    *ok = *ok || s->accept_all;
}

static void on_response(void *context, jrpc_exchange *exchange, const jrpc_message *message,
                        jrpc_response *response)
{
    script *s = context;
    note(s, response->result.len != 0 ? 'r' : 'R');
    s->saw_null = message == NULL;
    s->index = exchange->batch_index;
    assert_true(jrpc_slice_is(response->version, "\"2.0\""));
    if (s->drop_id) {
        response->id = JRPC_SLICE("");
    }
    response->suppressed = s->suppress;
}

static void on_batch(void *context, jrpc_exchange *exchange, jrpc_batch_reply *reply)
{
    static jrpc_slice empty_array[1];
    script *s = context;
    (void)exchange;
    note(s, 'a');
    s->requested = reply->requested;
    s->count = reply->count;
    reply->bare = s->bare;
    if (s->write_empty && reply->count == 0) {
        empty_array[0] = JRPC_SLICE("[]");
        reply->elements = empty_array;
        reply->count = 1;
        reply->bare = true;
    }
}

static void assert_hooked(script s, const char *text, const char *answer, const char *trace,
                          script *ret_after)
{
    jrpc_hooks hooks = {&s, on_text, on_input, on_message, on_bind, on_response, on_batch};
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, &hooks, NULL);
    assert_answer_of(router, text, answer);
    assert_string_equal(s.trace, trace);
    jrpc_router_free(router);
    if (ret_after != NULL) {
        *ret_after = s;
    }
}

#define NONE ((script){.trace = ""})
#define ECHO "{" V ",\"method\":\"echo\",\"params\":[1],\"id\":1}"
#define ECHOED "{" V ",\"result\":[1],\"id\":1}"
#define INVALID "{" V ",\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"},\"id\":null}"
#define PARSE "{" V ",\"error\":{\"code\":-32700,\"message\":\"Parse error\"},\"id\":null}"

static void each_hook_has_its_place(void **state)
{
    (void)state;
    script after;
    assert_hooked(NONE, ECHO, ECHOED, "timbr", &after);
    assert_false(after.saw_null);
    assert_hooked(NONE, "{" V ",\"method\":\"echo\"}", "", "timb", NULL);
    assert_hooked(NONE, "{" V ",\"result\":1,\"id\":1}", "", "tim", NULL);
    assert_hooked(NONE, "{" V ",\"method\":\"subtract\"}", "", "timB", NULL);
    assert_hooked(NONE, "{" V ",\"method\":\"foobar\"}", "", "tim", NULL);
    assert_hooked(NONE, "1", INVALID, "timR", &after);
    assert_false(after.saw_null);
    assert_hooked(NONE, "[", PARSE, "tIR", &after);
    assert_true(after.saw_null);
    assert_hooked(NONE, "[]", INVALID, "tiR", &after);
    assert_true(after.saw_null);
    assert_hooked(NONE, "[{" V ",\"method\":\"echo\"},1," ECHO "]", "[" INVALID "," ECHOED "]",
                  "tiMbMRMbra", &after);
    assert_int_equal(after.index, 2);
    assert_int_equal(after.requested, 3);
    assert_int_equal(after.count, 2);
    assert_hooked(NONE, "[{" V ",\"method\":\"echo\"}]", "", "tiMba", &after);
    assert_int_equal(after.count, 0);
}

static void each_hook_can_bend_its_place(void **state)
{
    (void)state;
    assert_hooked((script){.replace_text = true}, "[", "{" V ",\"result\":null,\"id\":7}", "timbr",
                  NULL);
    assert_hooked((script){.as_single = true}, "[", INVALID, "tImR", NULL);
    assert_hooked((script){.as_single = true}, "[" ECHO "]", INVALID, "timR", NULL);
    assert_hooked((script){.as_batch = true}, "[]", "", "tia", NULL);
    assert_hooked((script){.as_batch = true}, ECHO, "", "tia", NULL);
    assert_hooked((script){.answer_silent = true}, "{" V ",\"method\":\"echo\"}",
                  "{" V ",\"result\":null,\"id\":null}", "timbr", NULL);
    assert_hooked((script){.answer_silent = true}, "{" V ",\"result\":1,\"id\":1}", INVALID, "timR",
                  NULL);
    assert_hooked((script){.serve_invalid = true}, "{\"method\":\"echo\",\"id\":1}",
                  "{" V ",\"result\":null,\"id\":1}", "timbr", NULL);
    assert_hooked((script){.serve_invalid = true}, "{" V ",\"method\":1,\"id\":1}",
                  "{" V ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"},\"id\":1}",
                  "timR", NULL);
    assert_hooked((script){.accept_all = true},
                  "{" V ",\"method\":\"none\",\"params\":[1],\"id\":1}",
                  "{" V ",\"result\":[],\"id\":1}", "timBr", NULL);
    assert_hooked((script){.drop_id = true}, ECHO, "{" V ",\"result\":[1]}", "timbr", NULL);
    assert_hooked((script){.suppress = true}, ECHO, "", "timbr", NULL);
    assert_hooked((script){.suppress = true}, "[" ECHO "]", "", "tiMbra", NULL);
    assert_hooked((script){.write_empty = true}, "[{" V ",\"method\":\"echo\"}]", "[]", "tiMba",
                  NULL);
    assert_hooked((script){.bare = true}, "[" ECHO "]", ECHOED, "tiMbra", NULL);
    assert_hooked((script){.bare = true}, "[" ECHO ",1]", ECHOED "," INVALID, "tiMbrMRa", NULL);
}

static void hooks_and_handlers_see_the_connection(void **state)
{
    (void)state;
    script s = NONE;
    jrpc_hooks hooks = {.context = &s, .text = on_text};
    jrpc_router *router = make_router(jrpc_allocator_heap(), JRPC_ROLE_SERVER, &hooks, NULL);
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    int connection = 0;
    jrpc_router_handle(router, JRPC_SLICE(ECHO), 8, &connection, &out, NULL);
    assert_ptr_equal(s.connection, &connection);
    jrpc_buffer_done(&out);
    jrpc_router_free(router);
}

static bool deny(void *context, jrpc_call *call)
{
    (void)context;
    return jrpc_call_fail(call, 42, "denied", JRPC_SLICE(""));
}

static void allow(void *context, jrpc_exchange *exchange, jrpc_call *call, bool *ok)
{
    (void)context;
    (void)exchange;
    (void)ok;
    call->allowed = true;
}

static void what_the_authorization_said_can_be_bent_and_leaves_no_trace(void **state)
{
    (void)state;
    const jrpc_hooks hooks = {.bind = allow};
    const jrpc_route route = {"user", NULL, "delete"};
    const jrpc_method takes = {.any_params = true};
    jrpc_router *router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, &hooks);
    assert_true(jrpc_router_add_route(router, &route, &takes, handle_fail, NULL, NULL));
    jrpc_router_authorize(router, deny, NULL);
    assert_answer_of(router, "{" V ",\"method\":\"user.delete\",\"id\":1}",
                     "{" V ",\"error\":{\"code\":-32603,\"message\":\"Internal error\"},\"id\":1}");
    jrpc_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_hook_has_its_place),
        cmocka_unit_test(each_hook_can_bend_its_place),
        cmocka_unit_test(hooks_and_handlers_see_the_connection),
        cmocka_unit_test(what_the_authorization_said_can_be_bent_and_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
