// Messages that a target takes for several, or does not read to their end: the rule that this
// breaks depends on how messages are framed.
#include "tests/unit/judge/bench.h"

#define PARSE_ERROR ERROR_ANSWER("-32700", "null")
#define X10 "xxxxxxxxxx"
#define X100 X10 X10 X10 X10 X10 X10 X10 X10 X10 X10
#define LONG_CALL                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"params\":[\"" X100 X100 X100 X100 X100 X100   \
        X100 X100 X100 X100 "\"],\"id\":7}"
#define WIDE_CALL "{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\xa9\",\"id\":7}"
#define IN_PIECES(call)                                                                            \
    "\"rules\":[\"X-must\"],\"send\":" call ",\"chunks\":[9],\"expect\":" UNKNOWN
#define ON(call) SEND("\"X-must\"", call, UNKNOWN)
// A call, and a step after it that waits for nothing.
#define THEN_WAIT(call)                                                                            \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" call ",\"expect\":" UNKNOWN                     \
    "},{\"receive\":[{\"id\":8,\"result\":1}],\"within\":\"reply\"}]"
#define SEVERAL "a message taken for several"
#define MISREAD "a Content-Length that was not read as it is"

static const jrpc_framing line = JRPC_FRAMING_LINE;
static const jrpc_framing headed = JRPC_FRAMING_CONTENT_LENGTH;
static const jrpc_framing sized = JRPC_FRAMING_LENGTH32;
static const jrpc_framing concatenated = JRPC_FRAMING_CONCATENATED;

// It answers calls of unknown methods with -32099.
static const jck_calibration usual = {
    .absent_answers = true, .absent_code_differs = true, .absent_code = -32099};

// All findings of a row, each as "RULE: difference" and a line feed.
static void require_found(const bench *b, size_t index)
{
    execution run;
    jrpc_arena arena;
    jck_verdict verdict;
    char text[1000] = "";
    size_t len = 0;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
    bench_execute(b, index, &run, &arena, &verdict);
    for (size_t i = 0; i < verdict.findings.count; i++) {
        const jck_finding *one = &verdict.findings.items[i];
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%.*s: %.*s", i == 0 ? "" : "\n",
                                (int)one->rule.len, one->rule.ptr, (int)one->difference.len,
                                one->difference.len == 0 ? "" : one->difference.ptr);
        assert_true(len < sizeof text);
    }
    if (strcmp(text, b->rows[index].verdict) != 0) {
        print_error("%s:\n%s\nexpected:\n%s\n", b->rows[index].name, text, b->rows[index].verdict);
        fail();
    }
    jrpc_arena_done(&arena);
    bench_forget(&run);
}

static void a_torn_message_breaks_the_rule_of_its_framing(void **state)
{
    static const row rows[] = {
        {"a long line, refused twice",
         ON(LONG_CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "FR-a: " SEVERAL "\nX-must: " SEVERAL,
         .framing = &line},
        {"a long message behind a head, refused twice",
         ON(LONG_CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "FR-b: " SEVERAL "\nX-must: " SEVERAL,
         .framing = &headed},
        {"a long message that ends where its JSON ends, refused twice",
         ON(LONG_CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "J2-5a: " SEVERAL "\nX-must: " SEVERAL,
         .framing = &concatenated},
        {"a long message behind its length, refused twice",
         ON(LONG_CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "J2-5a: " SEVERAL "\nX-must: " SEVERAL,
         .framing = &sized},
        {"a long message over a transport of messages",
         ON(LONG_CALL),
         {"@messages " PARSE_ERROR, PARSE_ERROR},
         "J2-5a: " SEVERAL "\nX-must: " SEVERAL,
         .framing = &line},
        {"a long message to a target of which nothing is known",
         ON(LONG_CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "J2-5a: " SEVERAL "\nX-must: " SEVERAL},
        {"a short message, refused twice",
         ON(CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "J2-5a: a call answered twice"
         "\nX-must: error -32700 where -32601 is owed",
         .framing = &line},
        {"a long message, answered twice without a parse error",
         ON(LONG_CALL),
         {NOT_FOUND("7"), NOT_FOUND("7")},
         "J2-5a: a call answered twice",
         .framing = &line},
        {"a message in pieces, refused twice",
         IN_PIECES(CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "X-must: " SEVERAL,
         .framing = &line},
        {"a long message, and its connection is closed",
         ON(LONG_CALL),
         {NOT_FOUND("8")},
         "J2-4e: " SEVERAL,
         .end = END_CLOSED,
         .framing = &line},
        {"a short message, and its connection is closed",
         ON(CALL),
         {NOT_FOUND("8")},
         "J2-4e: another Number in place of an id",
         .end = END_CLOSED,
         .framing = &line},
        {"a parse error that comes in the step after a long message",
         THEN_WAIT(LONG_CALL),
         {NOT_FOUND("7"), "@1 " PARSE_ERROR},
         "X-must: " SEVERAL "\nFR-a: " SEVERAL,
         .framing = &line},
        {"a parse error that comes in the step after a short message",
         THEN_WAIT(CALL),
         {NOT_FOUND("7"), "@1 " PARSE_ERROR},
         "X-must: a concurrent call without its answer",
         .framing = &line},
        {"characters of two bytes, refused, and the next message is taken for the end",
         ON(WIDE_CALL),
         {PARSE_ERROR, "@sent @fence f"},
         "FR-b: " MISREAD,
         .end = END_STUCK,
         .framing = &headed},
        {"the same, but a call after it is answered",
         ON(WIDE_CALL),
         {PARSE_ERROR, "@sent @fence f", "@fence f"},
         "X-must: error -32700 where -32601 is owed",
         .end = END_STUCK,
         .framing = &headed},
        {"the same over lines",
         ON(WIDE_CALL),
         {PARSE_ERROR},
         "X-must: error -32700 where -32601 is owed",
         .end = END_STUCK,
         .framing = &line},
        {"the same over a transport of messages",
         ON(WIDE_CALL),
         {"@messages " PARSE_ERROR},
         "X-must: error -32700 where -32601 is owed",
         .end = END_STUCK,
         .framing = &headed},
        {"the same, of a target of which nothing is known",
         ON(WIDE_CALL),
         {PARSE_ERROR},
         "X-must: error -32700 where -32601 is owed",
         .end = END_STUCK},
        {"characters of one byte, refused, and then nothing more",
         ON(CALL),
         {PARSE_ERROR},
         "X-must: error -32700 where -32601 is owed",
         .end = END_STUCK,
         .framing = &headed},
        {"a long message of which the beginning was taken for all of it",
         ON(LONG_CALL),
         {PARSE_ERROR},
         "FR-b: " MISREAD,
         .end = END_STUCK,
         .framing = &headed},
        {"the same of a message in pieces",
         IN_PIECES(CALL),
         {PARSE_ERROR},
         "FR-b: " MISREAD,
         .end = END_STUCK,
         .framing = &headed},
        {"a long message, refused, and the target leaves",
         ON(LONG_CALL),
         {PARSE_ERROR},
         "X-must: " SEVERAL,
         .end = END_ORDERLY,
         .framing = &headed},
        {"a short message with characters of two bytes, refused, and the target leaves",
         ON(WIDE_CALL),
         {PARSE_ERROR},
         "FR-b: " MISREAD,
         .end = END_ORDERLY,
         .framing = &headed},
        {"bytes that are not JSON, refused, and the target leaves",
         SEND_TEXT("\"X-must\"", "{\xc3\xa9", "{\"error\":{\"code\":-32600},\"id\":null}"),
         {PARSE_ERROR},
         "X-must: error -32700 where -32600 is owed",
         .end = END_ORDERLY,
         .framing = &headed},
        {"a long message of which the beginning was refused, over lines",
         ON(LONG_CALL),
         {PARSE_ERROR},
         "X-must: error -32700 where -32601 is owed",
         .end = END_STUCK,
         .framing = &line},
        {"what was refused twice was not cut",
         ON(LONG_CALL),
         {PARSE_ERROR, PARSE_ERROR},
         "FR-b: " SEVERAL "\nX-must: " SEVERAL,
         .end = END_STUCK,
         .framing = &headed},
        {"a long text that is not JSON is refused",
         SEND_TEXT("\"X-must\"", "{" X100 X100 X100 X100 X100 X100 X100 X100 X100 X100 X10,
                   "{\"error\":{\"code\":-32600},\"id\":null}"),
         {PARSE_ERROR},
         "X-must: error -32700 where -32600 is owed",
         .end = END_STUCK,
         .framing = &headed},
        {"every call refused",
         ON(CALL),
         {ERROR_ANSWER("-32099", "7"), "@sent @fence f",
          "@fence @answer " ERROR_ANSWER("-32099", "8")},
         "X-must: every call refused with -32099",
         .framing = &line},
        {"a refusal that was cut",
         ON(CALL),
         {ERROR_ANSWER("-32099", "7"), "@fence @answer @cut " ERROR_ANSWER("-32099", "8")},
         "X-must: error -32099 where -32601 is owed",
         .framing = &line},
        {"every call refused with the code that the target has for unknown methods",
         ON(CALL),
         {ERROR_ANSWER("-32050", "7"), "@fence @answer " ERROR_ANSWER("-32099", "8")},
         "X-must: error -32050 where -32601 is owed",
         .framing = &line,
         .known = &usual},
        {"another code than usual",
         ON(CALL),
         {ERROR_ANSWER("-32050", "7"), "@fence @answer " ERROR_ANSWER("-32098", "8")},
         "X-must: every call refused with -32098",
         .framing = &line,
         .known = &usual},
    };
    (void)state;
    bench b;
    bench_load(&b, rows, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < b.count; i++) {
        require_found(&b, i);
    }
    bench_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torn_message_breaks_the_rule_of_its_framing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
