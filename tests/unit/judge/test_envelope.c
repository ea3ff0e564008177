// What every Response must satisfy, whatever the case: sections 5 and 5.1.
#include "harness/judge/envelope.h"
#include "tests/unit/judge/bench_starve.h"

#define ANY "\"rules\":[\"X-must\"],\"send\":" CALL ",\"expect\":\"anything\""
#define SERVED                                                                                     \
    "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":7},"             \
    "\"expect\":\"anything\""
#define R(members) "{\"jsonrpc\":\"2.0\"," members ",\"id\":7}"
#define E(members) R("\"error\":{" members "}")
#define MESSAGE(text) E("\"code\":1,\"message\":\"" text "\"")
#define DATA(value) E("\"code\":1,\"message\":\"\",\"data\":" value)

static void the_members_of_a_response_are_those_of_section_5(void **state)
{
    static const row rows[] = {
        {"a result", ANY, {R("\"result\":null")}, "pass"},
        {"no jsonrpc", ANY, {"{\"result\":1,\"id\":7}"}, "fail* J2-5b/M"},
        {"jsonrpc in other letters",
         ANY,
         {"{\"JSONRPC\":\"2.0\",\"result\":1,\"id\":7}"},
         "fail* J2-5b/M J2-5l=\"JSONRPC\""},
        {"a null jsonrpc", ANY, {"{\"jsonrpc\":null,\"result\":1,\"id\":7}"}, "fail* J2-5b/M"},
        {"an escaped spelling of 2.0 is 2.0",
         ANY,
         {"{\"jsonrpc\":\"\\u0032.0\",\"result\":1,\"id\":7}"},
         "pass"},
        {"a null error beside a result", ANY, {R("\"result\":1,\"error\":null")}, "fail* J2-5e/M"},
        {"an error that is nothing, beside a result",
         ANY,
         {R("\"result\":1,\"error\":false")},
         "fail* J2-5e/M"},
        {"a String for an error beside a null result",
         ANY,
         {R("\"result\":null,\"error\":\"no\"")},
         "fail* J2-5d/M J2-5k/M"},
        {"a null result beside an error",
         ANY,
         {R("\"result\":null,\"error\":{\"code\":1,\"message\":\"\"}")},
         "fail* J2-5d/M"},
        {"neither, to a call of the absent method",
         ANY,
         {R("\"x\":1")},
         "fail* J2-5h/M J2-5l=\"x\""},
        {"neither, where a success is owed", SERVED, {R("\"x\":1")}, "fail* J2-5c/M J2-5l=\"x\""},
        {"a null error alone, where a success is owed",
         SERVED,
         {R("\"error\":null")},
         "fail* J2-5c/M"},
        {"a null error alone", ANY, {R("\"error\":null")}, "fail* J2-5h/M"},
        {"no id", ANY, {"{\"jsonrpc\":\"2.0\",\"result\":1}"}, "fail* J2-5f/M"},
        {"a null id is there", ANY, {"{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":null}"}, "pass"},
        {"members nobody knows are seen",
         ANY,
         {R("\"result\":1,\"meta\":{},\"cache\":1")},
         "pass J2-5l=\"meta\" J2-5l=\"cache\""},
        {"a scalar", ANY, {"\"ok\""}, "fail* J2-5h/M"},
        {"a scalar in an Array", ANY, {"[null]"}, "fail* J2-5h/M"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void the_members_of_an_error_are_those_of_section_5_1(void **state)
{
    static const row rows[] = {
        {"an error", ANY, {MESSAGE("no")}, "pass"},
        {"an error that is a String", ANY, {R("\"error\":\"no\"")}, "fail* J2-5k/M"},
        {"an error that is false", ANY, {R("\"error\":false")}, "fail* J2-5k/M"},
        {"no code", ANY, {E("\"message\":\"\"")}, "fail* J2-5.1a/M"},
        {"a code in a String", ANY, {E("\"code\":\"1\",\"message\":\"\"")}, "fail* J2-5.1a/M"},
        {"a broken code", ANY, {E("\"code\":1.5,\"message\":\"\"")}, "fail* J2-5.1a/M"},
        {"an integer in other words", ANY, {E("\"code\":1e2,\"message\":\"\"")}, "pass"},
        {"a code beyond 64 bits", ANY, {E("\"code\":1e30,\"message\":\"\"")}, "fail* J2-5.1a/M"},
        {"no message", ANY, {E("\"code\":1")}, "fail* J2-5.1b/M"},
        {"a message that is an Object", ANY, {E("\"code\":1,\"message\":{}")}, "fail* J2-5.1b/M"},
        {"an empty message", ANY, {MESSAGE("")}, "pass"},
        {"a message of two lines", ANY, {MESSAGE("a\\nb")}, "warn J2-5.1c/S"},
        {"lines that are repeated from the request are lines",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"a\\nb\",\"id\":7},"
         "\"expect\":\"anything\"",
         {MESSAGE("a\\nb")},
         "warn J2-5.1c/S"},
        {"a trace is SEC-c and not J2-5.1c",
         ANY,
         {MESSAGE("Traceback (most recent call last):\\n x")},
         "warn SEC-c/S"},
        {"a trace in data",
         ANY,
         {DATA("[\"Traceback (most recent call last):\"]")},
         "warn SEC-j/S"},
        {"a trace in data, line by line",
         ANY,
         {DATA("{\"stack\":[\"    at f (x.js:1)\"]}")},
         "warn SEC-j/S"},
        {"a trace in a member beside data",
         ANY,
         {E("\"code\":1,\"message\":\"\",\"stack\":\"Error: no\\n    at f (x.js:1)\"")},
         "warn SEC-j/S"},
        {"any other data", ANY, {DATA("null")}, "pass"},
        {"an answer that nobody is owed needs no id",
         "\"rules\":[\"X-must\"],\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"m\"},"
         "\"expect\":\"anything\"",
         {"{\"jsonrpc\":\"2.0\",\"result\":1}"},
         "pass"},
    };
    (void)state;
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void the_reserved_codes_are_those_of_section_5_1(void **state)
{
    static const struct {
        const char *code;
        bool right;
    } codes[] = {{"-32769", true},  {"-32768", false}, {"-32701", false}, {"-32700", true},
                 {"-32699", false}, {"-32604", false}, {"-32603", true},  {"-32602", true},
                 {"-32601", true},  {"-32600", true},  {"-32599", false}, {"-32100", false},
                 {"-32099", true},  {"-32000", true},  {"-31999", true},  {"0", true},
                 {"32700", true}};
    row rows[sizeof codes / sizeof codes[0]];
    char answers[sizeof codes / sizeof codes[0]][80];
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        (void)snprintf(answers[i], sizeof answers[i], E("\"code\":%s,\"message\":\"\""),
                       codes[i].code);
        rows[i] = (row){.name = codes[i].code,
                        .members = ANY,
                        .came = {answers[i]},
                        .verdict = codes[i].right ? "pass" : "fail* J2-5.1i/M"};
    }
    BENCH_CHECK(rows);
    BENCH_STARVE(rows, bench_starve_blocks, bench_starve_room);
}

static void traces_are_told_from_text(void **state)
{
    static const struct {
        const char *text;
        bool trace;
    } texts[] = {
        {"x\nTraceback (most recent call last):\n", true},
        {"Error: no\n    at f (/a.js:1:2)", true},
        {"E: no\n\tat a.b.C(D.java:1)", true},
        {"no\n   at A.B() in C.cs", true},
        {"panicked\nstack backtrace:\n", true},
        {"goroutine 1 [running]:\nmain.go:3", true},
        {"goroutine 1 is busy", false},
        {"look at main.go:3", false},
        {"no method at all", false},
        {"two\nlines", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(jck_looks_like_trace(jrpc_slice_str(texts[i].text)), texts[i].trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_members_of_a_response_are_those_of_section_5),
        cmocka_unit_test(the_members_of_an_error_are_those_of_section_5_1),
        cmocka_unit_test(the_reserved_codes_are_those_of_section_5_1),
        cmocka_unit_test(traces_are_told_from_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
