#include "reference/rpc/response.h"

// Appends `"name":value` after a comma, if one is due, unless the value is empty.
static void member(jrpc_buffer *out, bool *first, const char *quoted_name, jrpc_slice value)
{
    if (value.len == 0) {
        return;
    }
    jrpc_buffer_append_char(out, *first ? '{' : ',');
    *first = false;
    jrpc_buffer_append_str(out, quoted_name);
    jrpc_buffer_append(out, value);
}

static void made_error(jrpc_buffer *out, bool *first, const jrpc_response *response)
{
    if (response->code.len == 0 && response->message.len == 0 && response->data.len == 0) {
        return;
    }
    jrpc_buffer_append_str(out, *first ? "{\"error\":" : ",\"error\":");
    *first = false;
    bool first_inside = true;
    member(out, &first_inside, "\"code\":", response->code);
    member(out, &first_inside, "\"message\":", response->message);
    member(out, &first_inside, "\"data\":", response->data);
    jrpc_buffer_append_char(out, '}');
}

bool jrpc_response_write(jrpc_buffer *out, const jrpc_response *response)
{
    if (response->suppressed) {
        return !out->failed;
    }
    bool first = true;
    member(out, &first, "\"jsonrpc\":", response->version);
    member(out, &first, "\"result\":", response->result);
    if (response->error.len != 0) {
        member(out, &first, "\"error\":", response->error);
    } else {
        made_error(out, &first, response);
    }
    member(out, &first, "\"cache\":", response->cache);
    member(out, &first, "\"id\":", response->id);
    member(out, &first, "", response->extra);
    jrpc_buffer_append_str(out, first ? "{}" : "}");
    return !out->failed;
}
