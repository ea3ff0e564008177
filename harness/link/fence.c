#include "harness/link/fence.h"

#include <stdio.h>

enum { ID_MAX = 48 };

bool jck_fence_write(const jck_fence_style *style, uint32_t nonce, uint32_t serial,
                     jrpc_buffer *out)
{
    return jrpc_buffer_printf(
        out, "{\"jsonrpc\":\"2.0\",\"method\":%s,%s\"id\":\"jck-fence-%08x-%u\"}", style->method,
        style->with_params ? "\"params\":[]," : "", nonce, serial);
}

// The number in an id of ours, spelled as a JSON String; 0 if it is none.
static uint32_t serial_in(uint32_t nonce, jrpc_json id)
{
    char prefix[ID_MAX];
    int len = snprintf(prefix, sizeof prefix, "\"jck-fence-%08x-", nonce);
    jrpc_slice spelling = jrpc_json_spelling(id);
    if (!jrpc_slice_starts_with(spelling, jrpc_slice_of(prefix, (size_t)len))) {
        return 0;
    }
    uint32_t serial = 0;
    for (size_t i = (size_t)len; i + 1 < spelling.len; i++) {
        if (spelling.ptr[i] < '0' || spelling.ptr[i] > '9') {
            return 0;
        }
        serial = serial * 10 + (uint32_t)(spelling.ptr[i] - '0');
    }
    return serial;
}

static bool is_response(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_OBJECT) &&
           !jrpc_json_exists(jrpc_json_get(value, "method"));
}

uint32_t jck_fence_answered(uint32_t nonce, jrpc_json value)
{
    return is_response(value) ? serial_in(nonce, jrpc_json_get(value, "id")) : 0;
}

bool jck_fence_has_form(const jck_fence_style *style, jrpc_json value)
{
    return style->by_form && is_response(value) &&
           jrpc_slice_equal(jrpc_json_spelling(value), jrpc_slice_of(style->form, style->form_len));
}

bool jck_fence_echoed(uint32_t nonce, jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_OBJECT) && !is_response(value) &&
           serial_in(nonce, jrpc_json_get(value, "id")) != 0;
}

void jck_fence_learn(jck_fence_style *style, jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    if (spelling.len > 0 && spelling.len <= sizeof style->form) {
        memcpy(style->form, spelling.ptr, spelling.len);
        style->form_len = spelling.len;
        style->by_form = true;
    }
}
