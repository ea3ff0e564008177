#include "reference/rpc/request.h"

#include "reference/json/write.h"

bool jrpc_request_write(jrpc_buffer *out, const jrpc_request *request)
{
    const struct {
        const char *name;
        jrpc_slice spelling;
    } members[] = {
        {"jsonrpc", request->version},
        {"method", request->method},
        {"params", request->params},
        {"id", request->id},
    };
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, out);
    jrpc_json_write_begin_object(&writer);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (members[i].spelling.len > 0) {
            jrpc_json_write_key(&writer, members[i].name);
            jrpc_json_write_raw(&writer, members[i].spelling);
        }
    }
    jrpc_json_write_end_object(&writer);
    return !out->failed;
}
