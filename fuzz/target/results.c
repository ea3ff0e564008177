// Asynchronous results of a call: each is sent as the message that its parts make by themselves,
// and none after a return. A result that cannot be built sends nothing and does not end the call. A
// message that the other side does not take is reported. Lack of memory never sends a wrong
// message.
//
// The text is a message: its structured members are the scope, and its `result` is one of the
// members that may be sent. Each option is one operation; the last one is the n-th allocation that
// fails.
#include "reference/rpc/results.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"

enum { ROOM = 1 << 20, OPERATIONS = FUZZ_OPTION_BYTES - 1, STATUSES = 6, MEMBERS = 5 };

// The other side.
typedef struct peer {
    jrpc_buffer got; // the last message
    size_t count;
    bool gone; // takes nothing
} peer;

static bool take(void *context, jrpc_slice message)
{
    peer *self = context;
    if (self->gone) {
        return false;
    }
    self->count++;
    jrpc_buffer_clear(&self->got);
    return jrpc_buffer_append(&self->got, message);
}

static jrpc_slice spelling_of(const tree *message, const char *name)
{
    const tree *member =
        message == NULL || message->kind != 'o' ? NULL : tree_member(message, name);
    return member == NULL ? (jrpc_slice){NULL, 0} : member->spelling;
}

static jrpc_slice name_of(const tree *message, const char *name, jrpc_slice otherwise)
{
    const tree *member =
        message == NULL || message->kind != 'o' ? NULL : tree_member(message, name);
    return member != NULL && member->kind == 's' ? member->content : otherwise;
}

typedef struct operation {
    bool final, gone;
    jrpc_status status;
    jrpc_slice members;
} operation;

static operation operation_of(unsigned option, const tree *message)
{
    const jrpc_slice members[MEMBERS] = {
        {NULL, 0},
        JRPC_SLICE_INIT("{\"a\":1}"),
        JRPC_SLICE_INIT("{\"status\":\"done\"}"),
        JRPC_SLICE_INIT("[1]"),
        spelling_of(message, "result"),
    };
    return (operation){.final = (option & 1) != 0,
                       .gone = option >= 128,
                       .status = (jrpc_status)(option / 2 % STATUSES),
                       .members = members[option / 2 / STATUSES % MEMBERS]};
}

// The message that an operation makes, if its parts can stand together.
static bool build(const jrpc_result_parts *scope, const operation *next, jrpc_buffer *out)
{
    jrpc_result_parts parts = *scope;
    parts.status = next->status;
    parts.result = next->members;
    parts.final = next->final;
    return jrpc_build_result(out, &parts, NULL);
}

static jrpc_error_code send(jrpc_results *results, const operation *next)
{
    jrpc_error error = {.code = JRPC_OK};
    bool sent = next->final ? jrpc_results_return(results, next->status, next->members, &error)
                            : jrpc_results_yield(results, next->status, next->members, &error);
    FUZZ_REQUIRE(sent == (error.code == JRPC_OK));
    return error.code;
}

// One operation, beside what is known of those before it: *ended says whether a return went out.
static void try_one(jrpc_results *results, peer *other, const jrpc_result_parts *scope,
                    const operation *next, bool *ended)
{
    jrpc_buffer expected;
    jrpc_buffer_init(&expected, jrpc_allocator_heap(), ROOM);
    bool built = build(scope, next, &expected);
    size_t before = other->count;
    other->gone = next->gone;
    jrpc_error_code code = send(results, next);
    if (*ended || !built) {
        FUZZ_REQUIRE(code != JRPC_OK && code != JRPC_ERROR_CLOSED && other->count == before);
    } else if (next->gone) {
        FUZZ_REQUIRE(code == JRPC_ERROR_CLOSED && other->count == before);
    } else {
        FUZZ_REQUIRE(code == JRPC_OK && other->count == before + 1);
        FUZZ_REQUIRE(
            jrpc_slice_equal(jrpc_buffer_slice(&other->got), jrpc_buffer_slice(&expected)));
    }
    *ended = *ended || (next->final && built);
    jrpc_buffer_done(&expected);
}

static void require_order(const fuzz_input *input, const tree *message,
                          const jrpc_result_parts *scope)
{
    peer other = {.count = 0};
    jrpc_results results;
    bool ended = false;
    jrpc_buffer_init(&other.got, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_results_begin(&results, jrpc_allocator_heap(), (jrpc_sink){take, &other},
                                    scope, NULL));
    for (size_t i = 0; i < OPERATIONS; i++) {
        const operation next = operation_of(input->options[i], message);
        try_one(&results, &other, scope, &next, &ended);
    }
    jrpc_results_done(&results);
    jrpc_buffer_done(&other.got);
}

// Everything, with an allocator that fails from the n-th allocation on.
static void require_frugal(const fuzz_input *input, const tree *message,
                           const jrpc_result_parts *scope)
{
    jrpc_failing_allocator failing;
    peer other = {.count = 0};
    jrpc_results results;
    jrpc_error error = {.code = JRPC_OK};
    jrpc_failing_allocator_init(&failing, input->options[OPERATIONS] - 1u);
    jrpc_buffer_init(&other.got, jrpc_allocator_heap(), ROOM);
    bool begun =
        jrpc_results_begin(&results, &failing.allocator, (jrpc_sink){take, &other}, scope, &error);
    FUZZ_REQUIRE(begun || error.code == JRPC_ERROR_MEMORY);
    for (size_t i = 0; i < OPERATIONS; i++) {
        const operation next = operation_of(input->options[i], message);
        jrpc_buffer expected;
        jrpc_buffer_init(&expected, jrpc_allocator_heap(), ROOM);
        if (send(&results, &next) == JRPC_OK) {
            FUZZ_REQUIRE(begun && build(scope, &next, &expected));
            FUZZ_REQUIRE(
                jrpc_slice_equal(jrpc_buffer_slice(&other.got), jrpc_buffer_slice(&expected)));
        }
        jrpc_buffer_done(&expected);
    }
    jrpc_results_done(&results);
    jrpc_buffer_done(&other.got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    bool json = grammar_check(input.text, TREE_DEPTH).verdict == GRAMMAR_JSON;
    const tree *message = json ? tree_read(&pool, input.text) : NULL;
    const jrpc_result_parts scope = {
        .resource = name_of(message, "resource", JRPC_SLICE("r")),
        .subresource = name_of(message, "subresource", (jrpc_slice){NULL, 0}),
        .target = spelling_of(message, "target"),
        .parent = spelling_of(message, "parent"),
        .request_id = spelling_of(message, "request_id"),
    };
    require_order(&input, message, &scope);
    if (input.options[OPERATIONS] != 0) {
        require_frugal(&input, message, &scope);
    }
    tree_pool_done(&pool);
    return 0;
}
