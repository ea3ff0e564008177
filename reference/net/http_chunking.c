#include "reference/net/http_chunking.h"

bool jrpc_http_put_chunks(jrpc_buffer *out, const jrpc_http_chunking *chunking, jrpc_slice body)
{
    size_t most = chunking->bytes == 0 ? body.len / 2 + 1 : chunking->bytes;
    const char *extension = chunking->first_extension;
    bool put = true;
    while (put && body.len > 0) {
        jrpc_slice part = jrpc_slice_of(body.ptr, body.len < most ? body.len : most);
        put = jrpc_buffer_printf(out, chunking->padded ? "%04zX" : "%zx", part.len) &&
              jrpc_buffer_printf(out, "%s\r\n", extension) && jrpc_buffer_append(out, part) &&
              jrpc_buffer_append_str(out, "\r\n");
        body = jrpc_slice_from(body, part.len);
        extension = chunking->second_extension;
    }
    return put && jrpc_buffer_append_str(out, chunking->end);
}
