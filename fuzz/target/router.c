// The router's answer is, byte for byte, the naive model's; the same question spelled anew gets an
// equal answer; with memory running out anywhere it gives the same answer or none at all.
#include "reference/rpc/router.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/answer.h"
#include "fuzz/model/grammar.h"
#include "fuzz/starve.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

enum { ROOM = 8 << 20, MAX_DEPTH = 64, ENDLESS = 0xEE };

static bool subtract(void *calls, jrpc_call *call)
{
    ++*(size_t *)calls;
    jrpc_json_write_begin_array(call->result);
    jrpc_json_write_raw(call->result, jrpc_json_spelling(call->arguments[0]));
    jrpc_json_write_raw(call->result, jrpc_json_spelling(call->arguments[1]));
    jrpc_json_write_end_array(call->result);
    return true;
}

static bool app_error(void *calls, jrpc_call *call)
{
    ++*(size_t *)calls;
    return jrpc_call_fail(call, -31000, ANSWER_APP_MESSAGE, jrpc_json_spelling(call->arguments[2]));
}

static bool echo(void *calls, jrpc_call *call)
{
    ++*(size_t *)calls;
    if (jrpc_json_exists(call->params)) {
        jrpc_json_write_raw(call->result, jrpc_json_spelling(call->params));
    }
    return true;
}

static bool fail(void *calls, jrpc_call *call)
{
    (void)call;
    ++*(size_t *)calls;
    return false;
}

static bool get_data(void *calls, jrpc_call *call)
{
    ++*(size_t *)calls;
    jrpc_json_write_begin_array(call->result);
    jrpc_json_write_str(call->result, "hello");
    jrpc_json_write_int(call->result, 5);
    jrpc_json_write_end_array(call->result);
    return true;
}

static bool update(void *calls, jrpc_call *call)
{
    (void)call;
    ++*(size_t *)calls;
    return true;
}

static jrpc_router *make_router(const jrpc_allocator *allocator, jrpc_role role,
                                const jrpc_hooks *hooks, size_t *calls)
{
    static const jrpc_parameter of_subtract[] = {{"minuend", false}, {"subtrahend", false}};
    static const jrpc_parameter of_error[] = {{"code", false}, {"message", true}, {"data", true}};
    static const struct {
        jrpc_method method;
        jrpc_handler handler;
    } methods[] = {
        {{"subtract", of_subtract, 2, false}, subtract},
        {{"app_error", of_error, 3, false}, app_error},
        {{"echo", NULL, 0, true}, echo},
        {{"fail", NULL, 0, true}, fail},
        {{"get_data", NULL, 0, false}, get_data},
        {{"update", NULL, 0, true}, update},
    };
    jrpc_router *router = jrpc_router_new(allocator, role, hooks);
    for (size_t i = 0; router != NULL && i < sizeof methods / sizeof *methods; i++) {
        if (!jrpc_router_add(router, &methods[i].method, methods[i].handler, calls, NULL)) {
            jrpc_router_free(router);
            return NULL;
        }
    }
    return router;
}

// A router is as good as new after each question, so one of each kind serves all inputs.
typedef struct lasting {
    jrpc_router *routers[2]; // by role
    size_t calls;            // since it was last asked for
} lasting;

static const jrpc_router *lasting_router(lasting *self, jrpc_role role, const jrpc_hooks *hooks)
{
    jrpc_router **router = &self->routers[role == JRPC_ROLE_CLIENT];
    if (*router == NULL) {
        *router = make_router(jrpc_allocator_heap(), role, hooks, &self->calls);
        FUZZ_REQUIRE(*router != NULL);
    }
    self->calls = 0;
    return *router;
}

// The answer appended to `out`; true if there is one.
static bool ask(const jrpc_router *router, jrpc_slice text, jrpc_buffer *out)
{
    jrpc_error error = {.code = JRPC_OK};
    size_t before = out->len;
    jrpc_reply reply = jrpc_router_handle(router, text, MAX_DEPTH, NULL, out, &error);
    FUZZ_REQUIRE(reply != JRPC_REPLY_FAILED);
    FUZZ_REQUIRE((reply == JRPC_REPLY_TEXT) == (out->len != before));
    return reply == JRPC_REPLY_TEXT;
}

static void require_equal_answers(tree_pool *pool, jrpc_slice a, jrpc_slice b)
{
    FUZZ_REQUIRE((a.len == 0) == (b.len == 0));
    FUZZ_REQUIRE(a.len == 0 ||
                 tree_equal(tree_read(pool, a), tree_read(pool, b)) != TREE_DIFFERENT);
}

static void ask_anew(const jrpc_router *router, tree_pool *pool, jrpc_slice text, jrpc_slice answer,
                     uint64_t seed)
{
    jrpc_random random;
    jrpc_random_init(&random, seed);
    jrpc_buffer anew;
    jrpc_buffer second;
    jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&second, jrpc_allocator_heap(), ROOM);
    tree_write(&anew, tree_read(pool, text),
               TREE_SPACE | TREE_ORDER | TREE_ESCAPE | TREE_UNKNOWN_MEMBERS, &random);
    (void)ask(router, jrpc_buffer_slice(&anew), &second);
    require_equal_answers(pool, answer, jrpc_buffer_slice(&second));
    jrpc_buffer_done(&second);
    jrpc_buffer_done(&anew);
}

// Everything over an allocator that says no at its n-th time, or from then on: what has failed once
// is not told as if it had not.
static void ask_starved(jrpc_role role, jrpc_slice text, jrpc_slice answer, size_t successes,
                        bool once)
{
    fuzz_starve starve;
    fuzz_starve_init(&starve, successes, once);
    size_t calls = 0;
    jrpc_router *router = make_router(&starve.allocator, role, NULL, &calls);
    if (router == NULL) {
        FUZZ_REQUIRE(fuzz_starve_failed(&starve) && starve.live == 0);
        return;
    }
    jrpc_buffer out;
    jrpc_buffer_init(&out, &starve.allocator, ROOM);
    jrpc_error error = {.code = JRPC_OK};
    jrpc_reply reply = jrpc_router_handle(router, text, MAX_DEPTH, NULL, &out, &error);
    if (reply == JRPC_REPLY_FAILED) {
        FUZZ_REQUIRE(fuzz_starve_failed(&starve) && out.len == 0);
        FUZZ_REQUIRE(error.code == JRPC_ERROR_MEMORY);
    } else {
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&out), answer));
    }
    jrpc_buffer_done(&out);
    jrpc_router_free(router);
    FUZZ_REQUIRE(starve.live == 0);
}

// Hooks at every place; how often each was asked, and whether Responses are to be written.
typedef struct watch {
    size_t texts, inputs, messages, binds, responses, batches;
    bool mute;
} watch;

static void on_text(void *context, jrpc_exchange *exchange, jrpc_slice *text)
{
    ((watch *)context)->texts++;
    FUZZ_REQUIRE(jrpc_slice_equal(exchange->input, *text));
}

static void on_input(void *context, jrpc_exchange *exchange, jrpc_json root, jrpc_input_kind *kind)
{
    (void)exchange;
    ((watch *)context)->inputs++;
    FUZZ_REQUIRE((*kind == JRPC_INPUT_PARSE_ERROR) == !jrpc_json_exists(root));
}

static void on_message(void *context, jrpc_exchange *exchange, jrpc_message *message)
{
    FUZZ_REQUIRE(!exchange->in_batch || exchange->batch_index == ((watch *)context)->messages);
    FUZZ_REQUIRE(message->kind != JRPC_MESSAGE_INVALID || message->reason != JRPC_VALID);
    ((watch *)context)->messages++;
}

static void on_bind(void *context, jrpc_exchange *exchange, jrpc_call *call, bool *ok)
{
    (void)exchange;
    ((watch *)context)->binds++;
    FUZZ_REQUIRE(!*ok || call->argument_count <= JRPC_CALL_ARGUMENTS_MAX);
}

// Puts the error as one value in the place of its parts, which says the same.
static void on_response(void *context, jrpc_exchange *exchange, const jrpc_message *message,
                        jrpc_response *response)
{
    watch *seen = context;
    seen->responses++;
    FUZZ_REQUIRE(message == NULL || message->reply_owed);
    FUZZ_REQUIRE((response->result.len == 0) == (response->code.len != 0));
    response->suppressed = seen->mute;
    if (response->code.len != 0) {
        bool data = response->data.len != 0;
        const char *error = jrpc_arena_printf(
            exchange->arena, "{\"code\":%.*s,\"message\":%.*s%s%.*s}", (int)response->code.len,
            response->code.ptr, (int)response->message.len, response->message.ptr,
            data ? ",\"data\":" : "", (int)response->data.len, data ? response->data.ptr : "");
        FUZZ_REQUIRE(error != NULL);
        response->error = jrpc_slice_str(error);
    }
}

static void on_batch(void *context, jrpc_exchange *exchange, jrpc_batch_reply *reply)
{
    (void)exchange;
    watch *seen = context;
    seen->batches++;
    FUZZ_REQUIRE(reply->requested == seen->messages && reply->count <= reply->requested);
    FUZZ_REQUIRE(reply->count == (seen->mute ? 0 : seen->responses));
    reply->bare = reply->count == 0;
}

// Hooks that change nothing change nothing; where Responses are not written nothing is answered.
static void ask_watched(jrpc_role role, jrpc_slice text, jrpc_slice answer, bool mute)
{
    static watch seen;
    static lasting watched;
    const jrpc_hooks hooks = {&seen, on_text, on_input, on_message, on_bind, on_response, on_batch};
    const jrpc_router *router = lasting_router(&watched, role, &hooks);
    seen = (watch){.mute = mute};
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    bool answered = ask(router, text, &out);
    FUZZ_REQUIRE(mute ? !answered : jrpc_slice_equal(jrpc_buffer_slice(&out), answer));
    FUZZ_REQUIRE(seen.texts == 1 && seen.inputs == 1 && seen.batches <= 1);
    FUZZ_REQUIRE(seen.binds >= watched.calls);
    jrpc_buffer_done(&out);
}

static void let_through(void *context, jrpc_exchange *exchange, jrpc_message *message)
{
    (void)exchange;
    if (message->reason == JRPC_INVALID_METHOD_TYPE) {
        message->kind = JRPC_MESSAGE_CALL;
        message->reply_code = 0;
        ++*(size_t *)context;
    }
}

static size_t count_unknown(jrpc_slice answer)
{
    static const char code[] = "\"code\":-32601";
    size_t count = 0;
    for (size_t i = 0; i < answer.len; i++) {
        count += jrpc_slice_starts_with(jrpc_slice_from(answer, i), jrpc_slice_str(code)) ? 1 : 0;
    }
    return count;
}

// A method that is not a String, let through by a hook, is a method that nobody has: every such
// message is answered -32601 instead of -32600, and nothing else changes.
static void ask_lenient(jrpc_role role, jrpc_slice text, jrpc_slice answer)
{
    static size_t let;
    static lasting lenient_ones;
    const jrpc_hooks hooks = {.context = &let, .message = let_through};
    const jrpc_router *router = lasting_router(&lenient_ones, role, &hooks);
    let = 0;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(ask(router, text, &out) == (answer.len != 0));
    jrpc_slice lenient = jrpc_buffer_slice(&out);
    FUZZ_REQUIRE(count_unknown(lenient) == count_unknown(answer) + let);
    FUZZ_REQUIRE(let != 0 || jrpc_slice_equal(lenient, answer));
    jrpc_buffer_done(&out);
}

// An answer that does not fit is not an answer: what stood in the buffer stays.
static void ask_cramped(const jrpc_router *router, jrpc_slice text, jrpc_slice answer, size_t room)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), room + 1);
    FUZZ_REQUIRE(jrpc_buffer_append_char(&out, '>'));
    jrpc_error error = {.code = JRPC_OK};
    jrpc_reply reply = jrpc_router_handle(router, text, MAX_DEPTH, NULL, &out, &error);
    FUZZ_REQUIRE(out.len >= 1 && out.ptr[0] == '>');
    if (reply == JRPC_REPLY_FAILED) {
        FUZZ_REQUIRE(error.code == JRPC_ERROR_MEMORY && out.len == 1);
    } else {
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_slice_from(jrpc_buffer_slice(&out), 1), answer));
    }
    jrpc_buffer_done(&out);
}

// More elements than a batch may have are refused as a whole.
static void ask_endless_batch(const jrpc_router *router)
{
    jrpc_buffer text;
    jrpc_buffer out;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    for (size_t i = 0; i <= JRPC_LIMIT_BATCH_ELEMENTS; i++) {
        FUZZ_REQUIRE(jrpc_buffer_append_str(&text, i == 0 ? "[1" : ",1"));
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(&text, ']'));
    FUZZ_REQUIRE(ask(router, jrpc_buffer_slice(&text), &out));
    FUZZ_REQUIRE(jrpc_slice_starts_with(
        jrpc_buffer_slice(&out), JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,")));
    jrpc_buffer_done(&out);
    jrpc_buffer_done(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    bool client = (input.options[0] & 1) != 0;
    jrpc_role role = client ? JRPC_ROLE_CLIENT : JRPC_ROLE_SERVER;
    tree_pool pool = {NULL};
    static lasting plain;
    const jrpc_router *router = lasting_router(&plain, role, NULL);
    jrpc_buffer answer;
    jrpc_buffer expected;
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&expected, jrpc_allocator_heap(), ROOM);

    bool answered = ask(router, input.text, &answer);
    size_t calls_made = plain.calls;
    size_t calls_expected;
    if (fuzz_turn(&input, 0, 2) &&
        answer_expected(&pool, input.text, MAX_DEPTH, client, &expected, &calls_expected)) {
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&answer), jrpc_buffer_slice(&expected)));
        FUZZ_REQUIRE(calls_made == calls_expected);
    }
    if (answered) {
        FUZZ_REQUIRE(grammar_check(jrpc_buffer_slice(&answer), MAX_DEPTH + 8).verdict ==
                     GRAMMAR_JSON);
    }
    if (fuzz_turn(&input, 1, 2) &&
        grammar_check(input.text, MAX_DEPTH - 2).verdict == GRAMMAR_JSON) {
        ask_anew(router, &pool, input.text, jrpc_buffer_slice(&answer), fuzz_input_seed(&input));
    }
    if (input.options[1] != 0) {
        for (unsigned once = 0; once < 2; once++) {
            if (fuzz_turn(&input, once, 2)) {
                ask_starved(role, input.text, jrpc_buffer_slice(&answer), input.options[1] - 1u,
                            once == 1);
            }
        }
    }
    if (input.options[2] != 0 && fuzz_turn(&input, 0, 2)) {
        ask_watched(role, input.text, jrpc_buffer_slice(&answer), (input.options[2] & 1) != 0);
    }
    if (input.options[2] != 0 && fuzz_turn(&input, 1, 2)) {
        ask_cramped(router, input.text, jrpc_buffer_slice(&answer), (size_t)2 * input.options[2]);
        ask_lenient(role, input.text, jrpc_buffer_slice(&answer));
    }
    if (input.options[2] == ENDLESS && input.options[3] == ENDLESS) {
        ask_endless_batch(router);
    }
    jrpc_buffer_done(&expected);
    jrpc_buffer_done(&answer);
    tree_pool_done(&pool);
    return 0;
}
