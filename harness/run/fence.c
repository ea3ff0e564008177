#include "harness/run/fence.h"

#include <stdio.h>

enum { ID_MAX = 48 };

static jrpc_slice id_of(uint32_t nonce, uint32_t serial, char *out)
{
    int len = snprintf(out, ID_MAX, "jck-fence-%08x-%u", nonce, serial);
    return jrpc_slice_of(out, (size_t)len);
}

bool jck_fence_write(const jck_fence_style *style, uint32_t nonce, uint32_t serial, jrpc_buffer *out)
{
    char id[ID_MAX];
    (void)id_of(nonce, serial, id);
    return jrpc_buffer_printf(out, "{\"jsonrpc\":\"2.0\",\"method\":%s,\"id\":\"%s\"}", style->method,
                              id);
}

bool jck_fence_answered(const jck_fence_style *style, uint32_t nonce, uint32_t serial,
                        jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT) || jrpc_json_exists(jrpc_json_get(value, "method"))) {
        return false;
    }
    char id[ID_MAX];
    if (jrpc_json_string_is(jrpc_json_get(value, "id"), id_of(nonce, serial, id))) {
        return true;
    }
    return style->by_form && jrpc_slice_equal(jrpc_json_spelling(value),
                                              jrpc_slice_of(style->form, style->form_len));
}

bool jck_fence_echoed(const jck_fence_style *style, uint32_t nonce, uint32_t serial, jrpc_json value)
{
    char id[ID_MAX];
    return jrpc_json_is(value, JRPC_JSON_OBJECT) &&
           jrpc_slice_is(jrpc_json_spelling(jrpc_json_get(value, "method")), style->method) &&
           jrpc_json_string_is(jrpc_json_get(value, "id"), id_of(nonce, serial, id));
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
