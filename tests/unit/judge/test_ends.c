// The judge on how connections and processes end, with cases of the project.
#include "tests/unit/judge/bench.h"

#define NO(id) "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"no\"},\"id\":" id "}"
#define GIVE(id) "{\"jsonrpc\":\"2.0\",\"result\":{\"capabilities\":{}},\"id\":" id "}"
#define IN(id, how, verdict, ...) NULL, {__VA_ARGS__}, verdict, .test_case = id, .end = how

static void a_process_that_is_told_to_exit(void **state)
{
    (void)state;
    static const row rows[] = {
        {"after shutdown: END_ORDERLY", IN("lsp-exit/first", END_ORDERLY, "pass", NULL)},
        {"after shutdown: END_STATUS_1", IN("lsp-exit/first", END_STATUS_1, "pass", NULL)},
        {"after shutdown: END_EXITED",
         IN("lsp-exit/first", END_EXITED, "crash* LSP-4e/S SEC-l/M", NULL)},
        {"after shutdown: END_SIGNALED",
         IN("lsp-exit/first", END_SIGNALED, "crash* LSP-4e/S SEC-l/M", NULL)},
        {"after shutdown: END_OPEN", IN("lsp-exit/first", END_OPEN, "warn LSP-4e/S", NULL)},
        {"after shutdown: END_CLOSED",
         IN("lsp-exit/first", END_CLOSED, "pass connection=closed", NULL)},
        {"with a status that is stated: END_ORDERLY",
         IN("lsp-exit/without-shutdown", END_ORDERLY, "warn LSP-4d/S@2", GIVE("$ID"))},
        {"with a status that is stated: END_STATUS_1",
         IN("lsp-exit/without-shutdown", END_STATUS_1, "pass", GIVE("$ID"))},
        {"with a status that is stated: END_EXITED",
         IN("lsp-exit/without-shutdown", END_EXITED, "crash* LSP-4d/S@2 SEC-l/M@2", GIVE("$ID"))},
        {"with a status that is stated: END_CLOSED",
         IN("lsp-exit/without-shutdown", END_CLOSED, "pass connection=closed", GIVE("$ID"))},
        {"with a status that is stated: END_OPEN",
         IN("lsp-exit/without-shutdown", END_OPEN, "warn LSP-4d/S@2", GIVE("$ID"))},
        {"a message before it", IN("lsp-exit/first", END_ORDERLY, "warn LSP-4e/S", NO("null"))},
        {"text before it", IN("lsp-exit/first", END_ORDERLY, "fail* J2-5j/M LSP-4e/S", "{\"a")},
    };
    BENCH_CHECK(rows);
}

static void a_frame_that_leaves_no_way_on(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the process or connection: END_EXITED",
         IN("framing-header/length-of-31-digits", END_EXITED, "observe FR-h=other process=ended",
            NO("$ID.before"))},
        {"the process or connection: END_ORDERLY",
         IN("framing-header/length-of-31-digits", END_ORDERLY, "observe FR-h=closed process=ended",
            NO("$ID.before"))},
        {"the process or connection: END_SIGNALED",
         IN("framing-header/length-of-31-digits", END_SIGNALED, "crash* SEC-b/M@1 FR-h=other",
            NO("$ID.before"))},
        {"the process or connection: END_CLOSED",
         IN("framing-header/length-of-31-digits", END_CLOSED,
            "observe FR-h=closed connection=closed", NO("$ID.before"))},
        {"the process or connection: END_STUCK",
         IN("framing-header/length-of-31-digits", END_STUCK, "stuck* SEC-b/M@1 FR-h=other",
            NO("$ID.before"))},
        {"the process or connection: END_OPEN", IN("framing-header/length-of-31-digits", END_OPEN,
                                                   "observe FR-h=waits", NO("$ID.before"))},
    };
    BENCH_CHECK(rows);
}

static void a_websocket(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the pong: END_OPEN", IN("websocket/ping", END_OPEN, "pass", NO("$ID"))},
        {"the pong: END_STUCK", IN("websocket/ping", END_STUCK, "fail* WS-c/M", NO("$ID"))},
        {"the pong: END_UNSENT", IN("websocket/ping", END_UNSENT, "fail* WS-c/M", NO("$ID"))},
        {"the pong: END_HUNG", IN("websocket/ping", END_HUNG, "hang* SEC-l/M", NO("$ID"))},
        {"the close: END_WS_CLOSE", IN("websocket/close", END_WS_CLOSE, "pass", NO("$ID"))},
        {"the close: END_CLOSED",
         IN("websocket/close", END_CLOSED, "fail* WS-c/M@1 connection=closed", NO("$ID"))},
        {"the close: END_OPEN", IN("websocket/close", END_OPEN, "fail* WS-c/M@1", NO("$ID"))},
        {"the close: END_TOO_BIG", IN("websocket/close", END_TOO_BIG, "pass", NO("$ID"))},
        {"an answer in place of the close",
         IN("websocket/close", END_WS_CLOSE, "fail* WS-c/M@1", NO("$ID"), "@1 " NO("null"))},
        {"a long message: END_TOO_BIG",
         IN("framing-line/64-kibibytes", END_TOO_BIG,
            "pass SEC-e=refused for its size with WebSocket status code 1009", NULL)},
        {"a long message: END_WS_CLOSE",
         IN("framing-line/64-kibibytes", END_WS_CLOSE, "warn FR-e/S", NULL)},
        {"a long message: END_CLOSED",
         IN("framing-line/64-kibibytes", END_CLOSED, "warn FR-e/S connection=closed", NULL)},
        {"a short message: END_TOO_BIG",
         IN("websocket/unmasked", END_TOO_BIG, "fail* J2-5a/M", NULL)},
        {"a long message refused by HTTP",
         IN("framing-line/64-kibibytes", END_TRANSPORT, "warn HT-c/S", "@session @http 413 x ")},
        {"a long message refused by an error of the server",
         IN("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32050,\"message\":\"long\"},\"id\":null}")},
        {"a long message refused with -32000",
         IN("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with -32099",
         IN("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32099,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with -31999",
         IN("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-31999,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with -32769",
         IN("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32769,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with -32100",
         IN("framing-line/64-kibibytes", END_OPEN, "fail* J2-5.1i/S FR-a/M",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32100,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with -32600",
         IN("framing-line/64-kibibytes", END_OPEN, "pass FR-a=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with 1",
         IN("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"long\"},\"id\":$ID}")},
        {"a long message refused with an id of nobody",
         IN("framing-line/64-kibibytes", END_OPEN, "fail* FR-a/M",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32050,\"message\":\"long\"},\"id\":7}")},
        {"a long message answered with a result",
         IN("framing-line/64-kibibytes", END_OPEN, "fail* FR-a/M",
            "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":$ID}")},
    };
    BENCH_CHECK(rows);
}

static void an_answer_that_is_kept_open(void **state)
{
    (void)state;
    static const row rows[] = {
        {"to a GET", IN("http/get", END_MUTE_FROM_FIRST, "observe HT-d/O answer=held-open", NULL)},
        {"to a PUT", IN("http/put", END_MUTE_FROM_FIRST, "stuck* HT-d/O SEC-l/M@1", NULL)},
        {"to a POST",
         IN("http/error-response", END_MUTE_FROM_FIRST, "stuck* HT-a/S SEC-l/M", NULL)},
    };
    BENCH_CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_is_told_to_exit),
        cmocka_unit_test(a_frame_that_leaves_no_way_on),
        cmocka_unit_test(a_websocket),
        cmocka_unit_test(an_answer_that_is_kept_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
