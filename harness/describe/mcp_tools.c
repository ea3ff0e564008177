#include "harness/describe/mcp_tools.h"

static void put(jrpc_buffer *out, const char *text)
{
    (void)jrpc_buffer_append_str(out, text);
}

static void describe(jrpc_json name, jrpc_json schema, jrpc_buffer *out)
{
    put(out, "{\"name\":\"tools/call\",\"paramStructure\":\"by-name\",\"x-root\":");
    (void)jrpc_buffer_append(out, jrpc_json_spelling(schema));
    put(out, ",\"params\":[{\"name\":\"name\",\"required\":true,\"schema\":{\"const\":");
    (void)jrpc_buffer_append(out, jrpc_json_spelling(name));
    put(out, "}},{\"name\":\"arguments\",\"required\":true,\"schema\":{\"$ref\":\"#\"}}]}");
}

bool jck_mcp_tools_describe(jrpc_json result, jrpc_buffer *out, jrpc_error *error)
{
    size_t count = 0;
    put(out,
        "{\"openrpc\":\"1.3.2\",\"info\":{\"title\":\"tools\",\"version\":\"1\"},\"methods\":[");
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(result, "tools"));
         jrpc_json_step(&it);) {
        jrpc_json name = jrpc_json_get(it.value, "name");
        jrpc_json schema = jrpc_json_get(it.value, "inputSchema");
        if (jrpc_json_is(name, JRPC_JSON_STRING) && jrpc_json_is(schema, JRPC_JSON_OBJECT)) {
            put(out, count++ > 0 ? "," : "");
            describe(name, schema, out);
        }
    }
    put(out, "]}");
    if (count == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "the target lists no tools");
    }
    return !out->failed || jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the tools");
}
