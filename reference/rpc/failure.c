#include "reference/rpc/failure.h"

#include "reference/rpc/router.h"

#include <inttypes.h>

static const struct {
    int code;
    jrpc_slice spelling;
    jrpc_slice message;
} standard[] = {
    {JRPC_PARSE_ERROR, JRPC_SLICE_INIT("-32700"), JRPC_SLICE_INIT("\"Parse error\"")},
    {JRPC_INVALID_REQUEST, JRPC_SLICE_INIT("-32600"), JRPC_SLICE_INIT("\"Invalid Request\"")},
    {JRPC_METHOD_NOT_FOUND, JRPC_SLICE_INIT("-32601"), JRPC_SLICE_INIT("\"Method not found\"")},
    {JRPC_INVALID_PARAMS, JRPC_SLICE_INIT("-32602"), JRPC_SLICE_INIT("\"Invalid params\"")},
    {JRPC_INTERNAL_ERROR, JRPC_SLICE_INIT("-32603"), JRPC_SLICE_INIT("\"Internal error\"")},
};

bool jrpc_failure_spell_code(jrpc_arena *arena, int64_t code, jrpc_slice *ret_spelling)
{
    const char *spelling = jrpc_arena_printf(arena, "%" PRId64, code);
    if (spelling == NULL) {
        return false;
    }
    *ret_spelling = jrpc_slice_str(spelling);
    return true;
}

bool jrpc_failure_fill(jrpc_response *response, jrpc_arena *arena, int code)
{
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++) {
        if (standard[i].code == code) {
            response->code = standard[i].spelling;
            response->message = standard[i].message;
            return true;
        }
    }
    response->message = JRPC_SLICE("\"Server error\"");
    return jrpc_failure_spell_code(arena, code, &response->code);
}

static bool describe(jrpc_call *call, int64_t code, const char *message, jrpc_slice data)
{
    jrpc_slice code_spelling;
    if (!jrpc_failure_spell_code(call->arena, code, &code_spelling)) {
        return false;
    }
    jrpc_slice content = jrpc_slice_str(message);
    jrpc_buffer quoted;
    jrpc_buffer_init(&quoted, call->arena->allocator, call->arena->limit);
    jrpc_slice message_copy;
    bool ok = jrpc_json_quote(&quoted, content) &&
              jrpc_arena_copy(call->arena, jrpc_buffer_slice(&quoted), &message_copy);
    jrpc_buffer_done(&quoted);
    jrpc_slice data_copy = {NULL, 0};
    if (!ok || (data.len != 0 && !jrpc_arena_copy(call->arena, data, &data_copy))) {
        return false;
    }
    call->code = code_spelling;
    call->message = message_copy;
    call->data = data_copy;
    return true;
}

bool jrpc_call_fail(jrpc_call *call, int64_t code, const char *message, jrpc_slice data)
{
    if (!describe(call, code, message, data)) {
        call->memory_out = true;
    }
    return false;
}
