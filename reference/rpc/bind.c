#include "reference/rpc/bind.h"

static bool bind_positions(const jrpc_registered *method, jrpc_call *call)
{
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it); count++) {
        if (count == method->parameter_count) {
            return false;
        }
        call->arguments[count] = it.value;
    }
    return count >= method->required_count;
}

static bool bind_name(const jrpc_registered *method, jrpc_call *call, jrpc_json key,
                      jrpc_json value)
{
    for (size_t i = 0; i < method->parameter_count; i++) {
        if (jrpc_json_string_is(key, method->parameters[i].name)) {
            call->arguments[i] = value;
            return true;
        }
    }
    return false;
}

static bool bind_names(const jrpc_registered *method, jrpc_call *call)
{
    bool known = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        known = bind_name(method, call, it.key, it.value) && known;
    }
    for (size_t i = 0; i < method->required_count; i++) {
        if (!jrpc_json_exists(call->arguments[i])) {
            return false;
        }
    }
    return known;
}

bool jrpc_bind(const jrpc_registered *method, jrpc_call *call)
{
    call->argument_count = method->parameter_count;
    for (size_t i = 0; i < JRPC_CALL_ARGUMENTS_MAX; i++) {
        call->arguments[i] = JRPC_JSON_ABSENT;
    }
    switch (jrpc_json_kind_of(call->params)) {
    case JRPC_JSON_NONE:
        return method->required_count == 0;
    case JRPC_JSON_ARRAY:
        return method->any_params || bind_positions(method, call);
    case JRPC_JSON_OBJECT:
        return method->any_params || bind_names(method, call);
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
    case JRPC_JSON_NUMBER:
    case JRPC_JSON_STRING:
        return false;
    }
    return false;
}
