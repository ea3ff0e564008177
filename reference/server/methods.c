#include "reference/server/methods.h"

#include "reference/base/clock.h"
#include "reference/server/fixture.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>

enum { SLOW_MAXIMUM_MS = 60000, PUSH_BYTES = 128 };

bool jrpc_fixture_bad_params(jrpc_call *call)
{
    return jrpc_call_fail(call, JRPC_INVALID_PARAMS, "Invalid params", JRPC_SLICE(""));
}

static bool add_checked(int64_t a, int64_t b, int64_t *ret)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
        return false;
    }
    *ret = a + b;
    return true;
}

static bool subtract(void *context, jrpc_call *call)
{
    (void)context;
    int64_t minuend;
    int64_t subtrahend;
    if (!jrpc_json_int64(call->arguments[0], &minuend) ||
        !jrpc_json_int64(call->arguments[1], &subtrahend) ||
        (subtrahend > 0 ? minuend < INT64_MIN + subtrahend : minuend > INT64_MAX + subtrahend)) {
        return jrpc_fixture_bad_params(call);
    }
    jrpc_json_write_int(call->result, minuend - subtrahend);
    return true;
}

static bool sum(void *context, jrpc_call *call)
{
    (void)context;
    if (!jrpc_json_is(call->params, JRPC_JSON_ARRAY)) {
        return jrpc_fixture_bad_params(call);
    }
    int64_t total = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        int64_t term;
        if (!jrpc_json_int64(it.value, &term) || !add_checked(total, term, &total)) {
            return jrpc_fixture_bad_params(call);
        }
    }
    jrpc_json_write_int(call->result, total);
    return true;
}

static bool get_data(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json_write_raw(call->result, JRPC_SLICE("[\"hello\",5]"));
    return true;
}

static bool effect(void *context, jrpc_call *call)
{
    (void)call;
    jrpc_server *server = context;
    atomic_fetch_add(&server->effects, 1);
    return true;
}

static bool count(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    jrpc_json_write_int(call->result, atomic_load(&server->effects));
    return true;
}

static bool echo(void *context, jrpc_call *call)
{
    (void)context;
    if (jrpc_json_exists(call->params)) {
        jrpc_json_write_raw(call->result, jrpc_json_spelling(call->params));
    }
    return true;
}

static bool fail(void *context, jrpc_call *call)
{
    (void)context;
    (void)call;
    return false;
}

static bool app_error(void *context, jrpc_call *call)
{
    (void)context;
    int64_t code;
    jrpc_slice message = JRPC_SLICE("Application error");
    jrpc_json given = call->arguments[1];
    if (!jrpc_json_int64(call->arguments[0], &code) ||
        (jrpc_json_exists(given) && !jrpc_json_string(given, call->arena, &message))) {
        return jrpc_fixture_bad_params(call);
    }
    (void)jrpc_call_fail(call, code, "Application error", jrpc_json_spelling(call->arguments[2]));
    if (jrpc_json_exists(given)) {
        call->message = jrpc_json_spelling(given);
    }
    return false;
}

static bool slow(void *context, jrpc_call *call)
{
    const jrpc_server *server = context;
    int64_t ms;
    if (!jrpc_json_int64(call->arguments[0], &ms) || ms < 0 || ms > SLOW_MAXIMUM_MS) {
        return jrpc_fixture_bad_params(call);
    }
    // Time is the subject here; a server that stops does not wait for it.
    const jrpc_clock *clock = jrpc_clock_monotonic();
    int64_t until = jrpc_deadline_in_ms(clock, ms);
    struct pollfd stop = {.fd = server->stop_fd, .events = POLLIN};
    while (poll(&stop, 1, jrpc_deadline_poll_ms(clock, until)) < 0 && errno == EINTR) {
    }
    return true;
}

static bool push(void *context, jrpc_call *call)
{
    (void)context;
    const jrpc_connection *connection = call->connection;
    if (connection->one_answer) {
        return true;
    }
    jrpc_slice params = jrpc_json_spelling(call->params);
    char *text = jrpc_arena_alloc(call->arena, params.len + PUSH_BYTES);
    if (text == NULL || params.len > INT_MAX) {
        return false;
    }
    int len = snprintf(text, params.len + PUSH_BYTES,
                       "{\"jsonrpc\":\"2.0\",\"method\":\"push.note\",\"params\":%.*s}",
                       params.len == 0 ? 2 : (int)params.len, params.len == 0 ? "{}" : params.ptr);
    return len > 0 && jrpc_connection_send(call->connection, jrpc_slice_of(text, (size_t)len));
}

// As sent, null where it was not: what a parameter gets that may be left out (KD 7.2).
static bool optional(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json_write_begin_array(call->result);
    for (size_t i = 0; i < call->argument_count; i++) {
        if (jrpc_json_exists(call->arguments[i])) {
            jrpc_json_write_raw(call->result, jrpc_json_spelling(call->arguments[i]));
        } else {
            jrpc_json_write_null(call->result);
        }
    }
    jrpc_json_write_end_array(call->result);
    return true;
}

#define NAMES(...)                                                                                 \
    .parameters = (const jrpc_parameter[])                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

bool jrpc_server_add_methods(jrpc_server *server, jrpc_error *error)
{
    const struct {
        jrpc_method method;
        jrpc_handler handler;
    } methods[] = {
        {{.name = "subtract",
          NAMES({"minuend", false}, {"subtrahend", false}),
          .parameter_count = 2},
         subtract},
        {{.name = "sum", .any_params = true}, sum},
        {{.name = "get_data"}, get_data},
        {{.name = "update", .any_params = true}, effect},
        {{.name = "notify_hello", .any_params = true}, effect},
        {{.name = "notify_sum", .any_params = true}, effect},
        {{.name = "count"}, count},
        {{.name = "echo", .any_params = true}, echo},
        {{.name = "fail", .any_params = true}, fail},
        {{.name = "throw", NAMES({"message", false}), .parameter_count = 1}, fail},
        {{.name = "app_error",
          NAMES({"code", false}, {"message", true}, {"data", true}),
          .parameter_count = 3},
         app_error},
        {{.name = "slow", NAMES({"ms", false}), .parameter_count = 1}, slow},
        {{.name = "push", .any_params = true}, push},
        {{.name = "optional", NAMES({"a", false}, {"b", true}), .parameter_count = 2}, optional},
        {{.name = "context",
          NAMES({"<context0>", false}, {"<context1>", false}),
          .parameter_count = 2},
         optional},
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!jrpc_router_add(server->router, &methods[i].method, methods[i].handler, server,
                             error)) {
            return false;
        }
    }
    return jrpc_fixture_add_guarded(server, error) && jrpc_fixture_add_flows(server, error) &&
           jrpc_fixture_add_resources(server, error);
}
