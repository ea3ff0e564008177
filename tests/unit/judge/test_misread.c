// Messages whose length was not read as it is, answers in Arrays, and rounds of a case.
#include "tests/unit/judge/bench_starve.h"

#define PARSE_ERROR ERROR_ANSWER("-32700", "null")
#define WIDE_CALL "{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\xa9\",\"id\":7}"
#define ON(call) SEND("\"X-must\"", call, UNKNOWN)
#define IN_PIECES(call)                                                                            \
    "\"rules\":[\"X-must\"],\"send\":" call ",\"chunks\":[9],\"expect\":" UNKNOWN
#define FENCE "@sent @fence {\"jsonrpc\":\"2.0\",\"method\":\"f\",\"id\":8}"
#define FENCED "@fence @answer " NOT_FOUND("8")

static const jrpc_framing headed = JRPC_FRAMING_CONTENT_LENGTH;
static const jrpc_framing line = JRPC_FRAMING_LINE;

// A length in bytes that was read as one in characters: the rest of the message is missing, until
// bytes of the next one complete it.
static void a_length_in_bytes_that_was_read_in_characters(void **state)
{
    (void)state;
    static const row rows[] = {
        {"refused, then mute",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCE},
         "fail* FR-b/M",
         END_STUCK,
         .framing = &headed},
        {"… and the next call is answered",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCE, FENCED},
         "fail* X-must/M",
         END_STUCK,
         .framing = &headed},
        {"… and the answer to another call comes before it",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCED, FENCE},
         "fail* FR-b/M",
         END_STUCK,
         .framing = &headed},
        {"… and that answer is one of another step",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCE, "@1 " FENCED},
         "fail* FR-b/M",
         END_STUCK,
         .framing = &headed},
        {"refused with the next",
         ON(WIDE_CALL),
         {FENCE, PARSE_ERROR},
         "fail* FR-b/M",
         END_STUCK,
         .framing = &headed},
        {"refused with the next, twice",
         ON(WIDE_CALL),
         {FENCE, PARSE_ERROR, PARSE_ERROR},
         "fail* FR-b/M",
         END_STUCK,
         .framing = &headed},
        {"refused before the next and with it",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCE, PARSE_ERROR},
         "fail* J2-5a/M X-must/M",
         END_STUCK,
         .framing = &headed},
        {"refused with the next, and another answer",
         ON(WIDE_CALL),
         {FENCE, PARSE_ERROR, NOT_FOUND("9")},
         "fail* J2-5a/M X-must/M",
         END_STUCK,
         .framing = &headed},
        {"answered, then mute",
         ON(WIDE_CALL),
         {NOT_FOUND("7"), FENCE},
         "stuck* SEC-l/M",
         END_STUCK,
         .framing = &headed},
        {"characters of one byte",
         ON(CALL),
         {PARSE_ERROR, FENCE},
         "fail* X-must/M",
         END_STUCK,
         .framing = &headed},
        {"over lines",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCE},
         "fail* X-must/M",
         END_STUCK,
         .framing = &line},
        {"over a transport of messages",
         ON(WIDE_CALL),
         {"@messages " PARSE_ERROR, FENCE},
         "fail* X-must/M",
         END_STUCK,
         .framing = &headed},
        {"of a target of which nothing is known",
         ON(WIDE_CALL),
         {PARSE_ERROR, FENCE},
         "fail* X-must/M",
         END_STUCK},
        {"refused, then gone",
         ON(WIDE_CALL),
         {PARSE_ERROR},
         "ended* FR-b/M",
         END_ORDERLY,
         .framing = &headed},
        {"refused, then crashed",
         ON(WIDE_CALL),
         {PARSE_ERROR},
         "crash* FR-b/M SEC-l/M",
         END_SIGNALED,
         .framing = &headed},
        {"refused, and nothing else",
         ON(WIDE_CALL),
         {PARSE_ERROR},
         "fail* X-must/M",
         .framing = &headed},
        {"in pieces, refused, then mute",
         IN_PIECES(CALL),
         {PARSE_ERROR, FENCE},
         "fail* FR-b/M",
         END_STUCK,
         .framing = &headed},
        {"in pieces, not over heads",
         IN_PIECES(CALL),
         {PARSE_ERROR, FENCE},
         "fail* X-must/M",
         END_STUCK,
         .framing = &line},
        {"in pieces, over a transport of messages",
         IN_PIECES(CALL),
         {"@messages " PARSE_ERROR, FENCE},
         "fail* X-must/M",
         END_STUCK,
         .framing = &headed},
    };
    BENCH_CHECK(rows);
}

#define ROUNDS(more)                                                                               \
    "\"rules\":[\"X-must\"],\"steps\":[{\"repeat\":3,\"steps\":[{\"send\":" CALL                   \
    ",\"expect\":" UNKNOWN "}]}" more "]"
#define LAST                                                                                       \
    ",{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":8},\"expect\":" UNKNOWN "}"

static void rounds_are_judged_until_one_fails(void **state)
{
    (void)state;
    static const row rows[] = {
        {"all are right", ROUNDS(""), {ANSWER, "@1 " ANSWER, "@2 " ANSWER}, "pass"},
        {"the second fails and the third does not",
         ROUNDS(""),
         {ANSWER, "@1 " NOT_FOUND("9"), "@2 " ANSWER},
         "fail* J2-4e/M@1"},
        {"two fail, and the first is reported",
         ROUNDS(""),
         {ANSWER, "@1 " NOT_FOUND("9"), "@2 " ERROR_ANSWER("-32600", "7")},
         "fail* J2-4e/M@1"},
        {"there was no time for the last", ROUNDS(""), {ANSWER, "@1 " ANSWER}, "pass", END_NOT_RUN},
        {"no time for the step after them",
         ROUNDS(LAST),
         {ANSWER, "@1 " ANSWER, "@2 " ANSWER},
         "pass",
         END_NOT_RUN},
        {"the step after them fails",
         ROUNDS(LAST),
         {ANSWER, "@1 " ANSWER, "@2 " ANSWER, "@3 " NOT_FOUND("9")},
         "fail* J2-4e/M@3"},
    };
    BENCH_CHECK(rows);
}

#define TWO "in-flight/unknown-on-two-connections"
#define B "@3 @b " NOT_FOUND("$ID.b")

static void answers_that_were_called_alone_come_in_arrays(void **state)
{
    (void)state;
    static const row rows[] = {
        {"one of them", IN(TWO, "fail* J2-5a/M@2", "@2 [" NOT_FOUND("$ID.a") "]", B)},
        {"with another id", IN(TWO, "fail* CON-b/M@2", "@2 [" NOT_FOUND("9") "]", B)},
        {"with the id of the other connection",
         IN(TWO, "fail* CON-b/M@2", "@2 [" NOT_FOUND("$ID.b") "]", B)},
        {"two in one",
         IN(TWO, "fail* CON-b/M@2", "@2 [" NOT_FOUND("$ID.a") "," NOT_FOUND("$ID.a") "]", B)},
        {"what is no Response", IN(TWO, "fail* J2-5b/M@2 J2-5h/M@2 CON-b/M@2 J2-5l=\"method\"",
                                   "@2 [{\"id\":$ID.a,\"method\":\"x\"}]", B)},
        {"a String", IN(TWO, "fail* J2-5h/M@2 CON-b/M@2", "@2 [\"x\"]", B)},
        {"none", IN(TWO, "fail* CON-b/M@2", "@2 []", B)},
        {"beside the right one",
         IN(TWO, "fail* J2-5a/M@2", "@2 " NOT_FOUND("$ID.a"), "@2 [" NOT_FOUND("$ID.a") "]", B)},
    };
    BENCH_CHECK(rows);
}

#define MALFORMED                                                                                  \
    "\"rules\":[\"X-must\"],\"steps\":[{\"send-text\":\"{\"},{\"receive\":[" SENTENCE "]}]"
#define VALID "\"rules\":[\"X-must\"],\"steps\":[{\"send\":" CALL "},{\"receive\":[" SENTENCE "]}]"
#define SENTENCE "{\"id\":7,\"error\":{\"code\":-32601},\"$times\":[0,1]}"
#define FIRST "@1 " FENCE
#define SECOND "@1 @sent @fence {\"jsonrpc\":\"2.0\",\"method\":\"f\",\"id\":9}"
#define ONE_LOST FIRST, SECOND, "@1 " FENCED

static void what_comes_in_the_place_of_a_call_that_follows(void **state)
{
    (void)state;
    static const row rows[] = {
        {"a parse error after what is not JSON",
         MALFORMED,
         {ONE_LOST, "@1 " PARSE_ERROR},
         "fail* SEC-b/M@1"},
        {"… and both calls were answered",
         MALFORMED,
         {FIRST, "@1 " FENCED, "@1 " PARSE_ERROR},
         "fail* X-must/M@1"},
        {"a parse error after a call", VALID, {ONE_LOST, "@1 " PARSE_ERROR}, "fail* X-must/M@1"},
        {"a parse error with an id",
         MALFORMED,
         {ONE_LOST, "@1 " ERROR_ANSWER("-32700", "9")},
         "fail* X-must/M@1"},
        {"another error",
         MALFORMED,
         {ONE_LOST, "@1 " ERROR_ANSWER("-32600", "null")},
         "fail* X-must/M@1"},
        {"the answer without its id",
         MALFORMED,
         {ONE_LOST, "@1 " NOT_FOUND("null")},
         "fail* J2-4e/M@1"},
        {"an answer without any id",
         MALFORMED,
         {ONE_LOST, "@1 {\"jsonrpc\":\"2.0\"," OK_ERROR "}"},
         "fail* J2-5f/M@1"},
        {"an error without a code",
         MALFORMED,
         {"@1 {\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"x\"},\"id\":null}"},
         "fail* J2-5.1a/M@1"},
        {"… after a call",
         VALID,
         {"@1 {\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"x\"},\"id\":null}"},
         "fail* J2-5.1a/M@1 X-must/M@1"},
        {"… with the id of a call",
         MALFORMED,
         {"@1 {\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"x\"},\"id\":9}"},
         "fail* J2-5.1a/M@1 X-must/M@1"},
        {"what is no object", MALFORMED, {"@1 7"}, "fail* J2-5h/M@1 X-must/M@1"},
        {"a second answer", VALID, {"@1 " ANSWER, "@1 " ANSWER}, "fail* X-must/M@1"},
        {"a second answer with another error",
         VALID,
         {"@1 " ANSWER, "@1 " ERROR_ANSWER("-32600", "7")},
         "fail* X-must/M@1"},
        {"two of nobody",
         VALID,
         {"@1 " NOT_FOUND("null"), "@1 " NOT_FOUND("null")},
         "fail* X-must/M@1"},
    };
    BENCH_CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_in_bytes_that_was_read_in_characters),
        cmocka_unit_test(rounds_are_judged_until_one_fails),
        cmocka_unit_test(answers_that_were_called_alone_come_in_arrays),
        cmocka_unit_test(what_comes_in_the_place_of_a_call_that_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
