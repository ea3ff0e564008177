// What the tests of this room share.
#ifndef JRPC_TESTS_RPC_TEST_H
#define JRPC_TESTS_RPC_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/base/limits.h"
#include "reference/rpc/router.h"

#define OUT_BYTES ((size_t)16 << 20)

// Handles `text` and compares the whole answer; an empty `expected` means that nothing is owed.
static inline void assert_answer_of(const jrpc_router *router, const char *text,
                                    const char *expected)
{
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), OUT_BYTES);
    jrpc_error error = {.code = JRPC_OK};
    jrpc_reply reply =
        jrpc_router_handle(router, jrpc_slice_str(text), JRPC_LIMIT_DEPTH, NULL, &out, &error);
    if (reply == JRPC_REPLY_FAILED || !jrpc_slice_is(jrpc_buffer_slice(&out), expected)) {
        fail_msg("%s\n  got      %.*s\n  expected %s", text, (int)out.len,
                 out.ptr == NULL ? "" : out.ptr, expected);
    }
    assert_int_equal(reply, expected[0] == '\0' ? JRPC_REPLY_NOTHING : JRPC_REPLY_TEXT);
    jrpc_buffer_done(&out);
}

// Adds a method that must be accepted.
static inline void add_method(jrpc_router *router, const char *name,
                              const jrpc_parameter *parameters, size_t count, bool any_params,
                              jrpc_handler handler, void *context)
{
    jrpc_method method = {name, parameters, count, any_params};
    assert_true(jrpc_router_add(router, &method, handler, context, NULL));
}

// Handlers. Each counts its calls in *context, if there is one.
static inline bool handle_subtract(void *context, jrpc_call *call)
{
    int64_t a;
    int64_t b;
    if (context != NULL) {
        ++*(int *)context;
    }
    if (!jrpc_json_int64(call->arguments[0], &a) || !jrpc_json_int64(call->arguments[1], &b)) {
        return jrpc_call_fail(call, JRPC_INVALID_PARAMS, "Invalid params", JRPC_SLICE(""));
    }
    jrpc_json_write_int(call->result, a - b);
    return true;
}

static inline bool handle_echo(void *context, jrpc_call *call)
{
    if (context != NULL) {
        ++*(int *)context;
    }
    if (jrpc_json_exists(call->params)) {
        jrpc_json_write_value(call->result, call->params);
    }
    return true;
}

static inline bool handle_fail(void *context, jrpc_call *call)
{
    if (context != NULL) {
        ++*(int *)context;
    }
    jrpc_json_write_str(call->result, "half of an answer");
    return false;
}

static inline bool handle_app_error(void *context, jrpc_call *call)
{
    (void)context;
    return jrpc_call_fail(call, 42, "no \"more\"", JRPC_SLICE("{\"a\":[1]}"));
}

// Writes the arguments in declared order as an Array, absent ones as "absent".
static inline bool handle_arguments(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json_write_begin_array(call->result);
    for (size_t i = 0; i < call->argument_count; i++) {
        if (jrpc_json_exists(call->arguments[i])) {
            jrpc_json_write_value(call->result, call->arguments[i]);
        } else {
            jrpc_json_write_str(call->result, "absent");
        }
    }
    jrpc_json_write_end_array(call->result);
    return true;
}

// A router with subtract(minuend, subtrahend), arguments(a, b?, c?), none(), echo(any), fail(any)
// and app_error(any); `calls` (may be NULL) counts subtract, echo and fail.
static inline jrpc_router *make_router(const jrpc_allocator *allocator, jrpc_role role,
                                       const jrpc_hooks *hooks, int *calls)
{
    static const jrpc_parameter subtract[] = {{"minuend", false}, {"subtrahend", false}};
    static const jrpc_parameter optional[] = {{"a", false}, {"b", true}, {"c", true}};
    jrpc_router *router = jrpc_router_new(allocator, role, hooks);
    assert_non_null(router);
    add_method(router, "subtract", subtract, 2, false, handle_subtract, calls);
    add_method(router, "arguments", optional, 3, false, handle_arguments, NULL);
    add_method(router, "none", NULL, 0, false, handle_arguments, NULL);
    add_method(router, "echo", NULL, 0, true, handle_echo, calls);
    add_method(router, "fail", NULL, 0, true, handle_fail, calls);
    add_method(router, "app_error", NULL, 0, true, handle_app_error, NULL);
    return router;
}

#endif
