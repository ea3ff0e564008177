// The judge on how connections and processes end, with cases of the project.
#include "tests/unit/judge/bench_starve.h"

#define GIVE(id) "{\"jsonrpc\":\"2.0\",\"result\":{\"capabilities\":{}},\"id\":" id "}"
#define ENDING(id, how, verdict, ...) IN(id, verdict, __VA_ARGS__), .end = how

#define TOO_LONG(code, id)                                                                         \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" code ",\"message\":\"long\"},\"id\":" id "}"

static void a_process_that_is_told_to_exit(void **state)
{
    (void)state;
    static const row rows[] = {
        {"after shutdown: END_ORDERLY", ENDING("lsp-exit/first", END_ORDERLY, "pass", NULL)},
        {"after shutdown: END_STATUS_1", ENDING("lsp-exit/first", END_STATUS_1, "pass", NULL)},
        {"after shutdown: END_EXITED",
         ENDING("lsp-exit/first", END_EXITED, "crash* LSP-4e/S SEC-l/M", NULL)},
        {"after shutdown: END_SIGNALED",
         ENDING("lsp-exit/first", END_SIGNALED, "crash* LSP-4e/S SEC-l/M", NULL)},
        {"after shutdown: END_OPEN", ENDING("lsp-exit/first", END_OPEN, "warn LSP-4e/S", NULL)},
        {"after shutdown: END_CLOSED",
         ENDING("lsp-exit/first", END_CLOSED, "pass connection=closed", NULL)},
        {"with a status that is stated: END_ORDERLY",
         ENDING("lsp-exit/without-shutdown", END_ORDERLY, "warn LSP-4d/S@2", GIVE("$ID"))},
        {"with a status that is stated: END_STATUS_1",
         ENDING("lsp-exit/without-shutdown", END_STATUS_1, "pass", GIVE("$ID"))},
        {"with a status that is stated: END_EXITED",
         ENDING("lsp-exit/without-shutdown", END_EXITED, "crash* LSP-4d/S@2 SEC-l/M@2",
                GIVE("$ID"))},
        {"with a status that is stated: END_CLOSED",
         ENDING("lsp-exit/without-shutdown", END_CLOSED, "pass connection=closed", GIVE("$ID"))},
        {"with a status that is stated: END_OPEN",
         ENDING("lsp-exit/without-shutdown", END_OPEN, "warn LSP-4d/S@2", GIVE("$ID"))},
        {"a message before it",
         ENDING("lsp-exit/first", END_ORDERLY, "warn LSP-4e/S", NOT_FOUND("null"))},
        {"text before it", ENDING("lsp-exit/first", END_ORDERLY, "fail* J2-5j/M LSP-4e/S", "{\"a")},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_process_that_leaves_after_an_invalid_message(void **state)
{
    (void)state;
    static const row rows[] = {
        {"sent the next call before it was seen to leave",
         ENDING("alone/same-id-after-invalid", END_ORDERLY, "ended",
                ERROR_ANSWER("-32600", "$ID.again"))},
        {"the same, with another status",
         ENDING("alone/same-id-after-invalid", END_EXITED, "crash* SEC-b/M@1",
                ERROR_ANSWER("-32600", "$ID.again"))},
        {"after a valid call",
         ENDING("alone/first-call-after-notification", END_ORDERLY, "ended* J2-5a/M@2", NULL)},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_frame_that_leaves_no_way_on(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the process or connection: END_EXITED",
         ENDING("framing-header/length-of-31-digits", END_EXITED,
                "observe FR-h=other process=ended", NOT_FOUND("$ID.before"))},
        {"the process or connection: END_ORDERLY",
         ENDING("framing-header/length-of-31-digits", END_ORDERLY,
                "observe FR-h=closed process=ended", NOT_FOUND("$ID.before"))},
        {"the process or connection: END_SIGNALED",
         ENDING("framing-header/length-of-31-digits", END_SIGNALED, "crash* SEC-b/M@1 FR-h=other",
                NOT_FOUND("$ID.before"))},
        {"the process or connection: END_CLOSED",
         ENDING("framing-header/length-of-31-digits", END_CLOSED,
                "observe FR-h=closed connection=closed", NOT_FOUND("$ID.before"))},
        {"the process or connection: END_STUCK",
         ENDING("framing-header/length-of-31-digits", END_STUCK, "stuck* SEC-b/M@1 FR-h=other",
                NOT_FOUND("$ID.before"))},
        {"the process or connection: END_OPEN",
         ENDING("framing-header/length-of-31-digits", END_OPEN, "observe FR-h=waits",
                NOT_FOUND("$ID.before"))},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void a_websocket(void **state)
{
    (void)state;
    static const row rows[] = {
        {"the pong: END_OPEN", ENDING("websocket/ping", END_OPEN, "pass", NOT_FOUND("$ID"))},
        {"the pong: END_STUCK",
         ENDING("websocket/ping", END_STUCK, "fail* WS-c/M", NOT_FOUND("$ID"))},
        {"the pong: END_UNSENT",
         ENDING("websocket/ping", END_UNSENT, "fail* WS-c/M", NOT_FOUND("$ID"))},
        {"the pong: END_HUNG",
         ENDING("websocket/ping", END_HUNG, "hang* SEC-l/M", NOT_FOUND("$ID"))},
        {"the close: END_WS_CLOSE",
         ENDING("websocket/close", END_WS_CLOSE, "pass", NOT_FOUND("$ID"))},
        {"the close: END_CLOSED", ENDING("websocket/close", END_CLOSED,
                                         "fail* WS-c/M@1 connection=closed", NOT_FOUND("$ID"))},
        {"the close: END_OPEN",
         ENDING("websocket/close", END_OPEN, "fail* WS-c/M@1", NOT_FOUND("$ID"))},
        {"the close: END_TOO_BIG",
         ENDING("websocket/close", END_TOO_BIG, "pass", NOT_FOUND("$ID"))},
        {"an answer in place of the close",
         ENDING("websocket/close", END_WS_CLOSE, "fail* WS-c/M@1", NOT_FOUND("$ID"),
                "@1 " NOT_FOUND("null"))},
        {"a long message: END_TOO_BIG",
         ENDING("framing-line/64-kibibytes", END_TOO_BIG,
                "pass SEC-e=refused for its size with WebSocket status code 1009", NULL)},
        {"awaited after a long message: END_TOO_BIG",
         ENDING("alone/unprompted-of-8192", END_TOO_BIG, "pass", "@1 " NOT_FOUND("1931"))},
        {"awaited after a long message: END_WS_CLOSE",
         ENDING("alone/unprompted-of-8192", END_WS_CLOSE, "fail* J2-5a/M@3",
                "@1 " NOT_FOUND("1931"))},
        {"a long message: END_WS_CLOSE",
         ENDING("framing-line/64-kibibytes", END_WS_CLOSE, "warn FR-e/S", NULL)},
        {"a long message: END_CLOSED",
         ENDING("framing-line/64-kibibytes", END_CLOSED, "warn FR-e/S connection=closed", NULL)},
        {"a short message: END_TOO_BIG",
         ENDING("websocket/unmasked", END_TOO_BIG, "fail* J2-5a/M", NULL)},
        {"a long message refused by HTTP",
         ENDING("framing-line/64-kibibytes", END_TRANSPORT,
                "pass HT-c=refused for its size with HTTP status 413", "@session @http 413 x ")},
        {"a long message refused by an error of the server",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
                TOO_LONG("-32050", "null"))},
        {"a long message refused with -32000",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
                TOO_LONG("-32000", "$ID"))},
        {"a long message refused with -32099",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
                TOO_LONG("-32099", "$ID"))},
        {"a long message refused with -31999",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
                TOO_LONG("-31999", "$ID"))},
        {"a long message refused with -32769",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
                TOO_LONG("-32769", "$ID"))},
        {"a long message refused with -32100",
         ENDING("framing-line/64-kibibytes", END_OPEN, "fail* J2-5.1i/S FR-a/M",
                TOO_LONG("-32100", "$ID"))},
        {"a long message refused with -32600",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass FR-a=refused",
                TOO_LONG("-32600", "$ID"))},
        {"a long message refused with 1",
         ENDING("framing-line/64-kibibytes", END_OPEN, "pass long-message=refused",
                TOO_LONG("1", "$ID"))},
        {"a long message refused with an id of nobody",
         ENDING("framing-line/64-kibibytes", END_OPEN, "fail* FR-a/M", TOO_LONG("-32050", "7"))},
        {"a long message answered with a result",
         ENDING("framing-line/64-kibibytes", END_OPEN, "fail* FR-a/M",
                "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":$ID}")},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void an_answer_that_is_kept_open(void **state)
{
    (void)state;
    static const row rows[] = {
        {"to a GET",
         ENDING("http/get", END_MUTE_FROM_FIRST, "observe HT-d/O answer=held-open", NULL)},
        {"to a PUT", ENDING("http/put", END_MUTE_FROM_FIRST, "stuck* HT-d/O SEC-l/M@1", NULL)},
        {"to a POST",
         ENDING("http/error-response", END_MUTE_FROM_FIRST, "stuck* HT-a/S SEC-l/M", NULL)},
    };
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_is_told_to_exit),
        cmocka_unit_test(a_process_that_leaves_after_an_invalid_message),
        cmocka_unit_test(a_frame_that_leaves_no_way_on),
        cmocka_unit_test(a_websocket),
        cmocka_unit_test(an_answer_that_is_kept_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
