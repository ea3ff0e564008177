#include "harness/suite/redirect.h"

#include "reference/net/http_replies.h"

bool jck_is_redirected(jrpc_slice head)
{
    size_t line = 0;
    while (line < head.len && head.ptr[line] != '\n') {
        line++;
    }
    return jrpc_slice_contains(jrpc_slice_of(head.ptr, line),
                               JRPC_SLICE(" " JRPC_HTTP_REDIRECTED " "));
}
