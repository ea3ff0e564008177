#include "reference/net/http_head.h"

#include "reference/wire/websocket_handshake.h"

enum { STATUS_AT = 9, STATUS_DIGITS = 3 }; // in "HTTP/1.1 200"

size_t jrpc_http_head_length(jrpc_slice bytes)
{
    for (size_t i = 1; i < bytes.len; i++) {
        bool empty = bytes.ptr[i - 1] == '\n' ||
                     (i > 1 && bytes.ptr[i - 1] == '\r' && bytes.ptr[i - 2] == '\n');
        if (bytes.ptr[i] == '\n' && empty) {
            return i + 1;
        }
    }
    return 0;
}

int jrpc_http_head_status(jrpc_slice head)
{
    int status = 0;
    for (size_t i = STATUS_AT; i < STATUS_AT + STATUS_DIGITS && i < head.len; i++) {
        bool digit = head.ptr[i] >= '0' && head.ptr[i] <= '9';
        status = status * 10 + (digit ? head.ptr[i] - '0' : 0);
    }
    return status;
}

bool jrpc_http_has_body(int status)
{
    return status >= JRPC_HTTP_FINAL && status != JRPC_HTTP_NO_CONTENT &&
           status != JRPC_HTTP_NOT_MODIFIED;
}

bool jrpc_http_head_announces_close(jrpc_slice head)
{
    jrpc_slice options = jrpc_head_value(head, "Connection");
    bool old = jrpc_slice_starts_with(head, JRPC_SLICE("HTTP/1.0"));
    return jrpc_head_lists(options, "close") || (old && !jrpc_head_lists(options, "keep-alive"));
}
