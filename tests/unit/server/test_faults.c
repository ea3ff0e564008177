// The fault tables as data.
#include "reference/server/fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static bool bends_something(const jrpc_fault *fault)
{
    return fault->text != NULL || fault->input != NULL || fault->message != NULL ||
           fault->bind != NULL || fault->response != NULL || fault->batch != NULL ||
           fault->received != NULL || fault->incoming != NULL || fault->outgoing != NULL ||
           fault->framed != NULL || fault->started != NULL || fault->ended != NULL ||
           fault->http_request != NULL || fault->http_reply != NULL ||
           fault->stream_event != NULL || fault->websocket_received != NULL ||
           fault->websocket_handshake != NULL || fault->websocket_out != NULL ||
           fault->websocket_send != NULL || fault->websocket_framed != NULL ||
           fault->http_bytes != JRPC_HTTP_BYTES_RIGHT;
}

static void every_fault_has_a_name_a_rule_a_sentence_and_a_hook(void **state)
{
    (void)state;
    assert_true(jrpc_fault_count() > 250);
    for (size_t i = 0; i < jrpc_fault_count(); i++) {
        const jrpc_fault *fault = jrpc_fault_at(i);
        assert_non_null(fault);
        assert_true(strspn(fault->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
                    strlen(fault->name));
        assert_non_null(strchr(fault->rule, '-'));
        assert_true(strlen(fault->description) > 10);
        assert_null(strpbrk(fault->description, "\t\n"));
        // What follows MCP, LSP, Ethereum or OpenRPC asks for the faults in it by name (mcp.h).
        assert_true(bends_something(fault) || strncmp(fault->name, "mcp-", 4) == 0 ||
                    strncmp(fault->name, "lsp-", 4) == 0 || strncmp(fault->name, "eth-", 4) == 0 ||
                    strncmp(fault->name, "or-", 3) == 0 ||
                    strncmp(fault->name, "credential-", 11) == 0 ||
                    strncmp(fault->name, "sse-query-", 10) == 0 ||
                    strncmp(fault->name, "kx-collect-", 11) == 0);
    }
    assert_null(jrpc_fault_at(jrpc_fault_count()));
}

static void every_name_leads_to_its_own_fault(void **state)
{
    (void)state;
    for (size_t i = 0; i < jrpc_fault_count(); i++) {
        assert_ptr_equal(jrpc_fault_find(jrpc_fault_at(i)->name), jrpc_fault_at(i));
    }
    assert_null(jrpc_fault_find("no-such-fault"));
    assert_null(jrpc_fault_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_a_name_a_rule_a_sentence_and_a_hook),
        cmocka_unit_test(every_name_leads_to_its_own_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
