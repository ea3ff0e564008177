#include "harness/suite/redirect.h"

#include "reference/net/http_replies.h"

bool jck_is_redirected(jrpc_slice head)
{
    jrpc_slice line;
    return jrpc_slice_take_line(&head, &line) &&
           jrpc_slice_contains(line, JRPC_SLICE(" " JRPC_HTTP_REDIRECTED " "));
}
