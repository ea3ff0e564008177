// A corpus of streams for each framing: any split gives the same messages.
#include "tests/unit/wire/stream.h"

typedef struct stream_case {
    const char *name;
    jrpc_framing framing;
    size_t max_message;
    jrpc_slice stream;
    jrpc_slice events;
} stream_case;

#define LINE JRPC_FRAMING_LINE
#define HEADER JRPC_FRAMING_CONTENT_LENGTH
#define VALUES JRPC_FRAMING_CONCATENATED
#define PREFIX JRPC_FRAMING_LENGTH32
#define ROW(name, framing, max, stream, events)                                                    \
    {                                                                                              \
        name, framing, max, JRPC_SLICE_INIT(stream), JRPC_SLICE_INIT(events)                       \
    }

static const stream_case cases[] = {
    ROW("an empty stream of lines holds nothing", LINE, 8, "", ""),
    ROW("each line is a message", LINE, 8, "{}\n[1]\n", "D({})D([1])"),
    ROW("a carriage return before the line feed is dropped", LINE, 8, "{}\r\n", "D({})"),
    ROW("only one carriage return is dropped", LINE, 8, "{}\r\r\n", "D({}\r)"),
    ROW("a carriage return inside a line stays", LINE, 8, "a\rb\n", "D(a\rb)"),
    ROW("an empty line is an empty message", LINE, 8, "\n\r\n1\n", "D()D()D(1)"),
    ROW("a last line needs no line feed", LINE, 8, "1\n22", "D(1)D(22)"),
    ROW("a line of exactly the maximum fits", LINE, 4, "1234\n5678\r\n", "D(1234)D(5678)"),
    ROW("a line past the maximum is shown once and skipped", LINE, 4, "12345\n6\n", "L(1234)D(6)"),
    ROW("a much longer line is shown once", LINE, 4, "123456789abcdef\n6\n", "L(1234)D(6)"),
    ROW("a carriage return counts unless it ends the line", LINE, 4, "1234\rx\n6\n", "L(1234)D(6)"),
    ROW("a line past the maximum may be the last", LINE, 4, "12345", "L(1234)"),
    ROW("a much longer last line is shown once", LINE, 4, "123456789", "L(1234)"),
    ROW("NUL bytes travel in lines", LINE, 8, "a\0b\n", "D(a\0b)"),

    ROW("a frame with its length", HEADER, 64, "Content-Length: 2\r\n\r\n{}", "D({})"),
    ROW("frames follow without a gap", HEADER, 64,
        "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1", "D({})D(1)"),
    ROW("header names are matched without case", HEADER, 64, "cONTENT-lENGTH: 2\r\n\r\n{}",
        "D({})"),
    ROW("lines of a head may end with a line feed alone", HEADER, 64, "Content-Length: 2\n\n{}",
        "D({})"),
    ROW("other headers are passed over", HEADER, 64,
        "Content-Type: a/b; c=d\r\nContent-Length: 2\r\nX-Y:\r\n\r\n{}", "D({})"),
    ROW("white space around the value is optional", HEADER, 64,
        "Content-Length:2\r\n\r\n{}Content-Length: \t 2 \t\r\n\r\n[]", "D({})D([])"),
    ROW("a length of zero is an empty message", HEADER, 64, "Content-Length: 0\r\n\r\n", "D()"),
    ROW("the same length may be said twice", HEADER, 64,
        "Content-Length: 2\r\nContent-Length: 02\r\n\r\n{}", "D({})"),
    ROW("different lengths are no head", HEADER, 64,
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: 2\r\nContent-Length: 3\r\n\r\n)S({}\n)D(1)"),
    ROW("a negative length is no head", HEADER, 64,
        "Content-Length: -2\r\n\r\n{}\r\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: -2\r\n\r\n)S({}\r\n)D(1)"),
    ROW("a length that is not a number is no head", HEADER, 64,
        "Content-Length: 0x2\r\n\r\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: 0x2\r\n\r\n)D(1)"),
    ROW("a signed length is no head", HEADER, 64,
        "Content-Length: +2\r\n\r\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: +2\r\n\r\n)D(1)"),
    ROW("an empty length is no head", HEADER, 64,
        "Content-Length: \r\n\r\nContent-Length: 1\r\n\r\n1", "S(Content-Length: \r\n\r\n)D(1)"),
    ROW("a length past every size is no head", HEADER, 64,
        "Content-Length: 99999999999999999999999999\r\n\r\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: 99999999999999999999999999\r\n\r\n)D(1)"),
    ROW("the first number past every size is no head", HEADER, 64,
        "Content-Length: 18446744073709551616\r\n\r\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: 18446744073709551616\r\n\r\n)D(1)"),
    ROW("a head without a length is no head", HEADER, 64,
        "Content-Type: a\r\n\r\n{}\nContent-Length: 1\r\n\r\n1",
        "S(Content-Type: a\r\n\r\n)S({}\n)D(1)"),
    ROW("after a bad head only Content-Length starts a frame", HEADER, 64,
        "Content-Type: a\r\n\r\nA: b\nContent-Length: 1\r\n\r\n1",
        "S(Content-Type: a\r\n\r\n)S(A: b\n)D(1)"),
    ROW("a frame found again may have other headers", HEADER, 64,
        "Content-Length: x\r\n\r\n{}\nContent-Length: 1\r\nA: b\r\n\r\n1",
        "S(Content-Length: x\r\n\r\n)S({}\n)D(1)"),
    ROW("a log line before a head is skipped", HEADER, 64,
        "server is up\nContent-Length: 1\r\n\r\n1", "S(server is up\n)D(1)"),
    ROW("each log line is skipped by itself", HEADER, 64,
        "one line\nanother one\r\nContent-Length: 1\r\n\r\n1",
        "S(one line\n)S(another one\r\n)D(1)"),
    ROW("a log line that looks like a header goes with the next", HEADER, 64,
        "INFO: up\nserver is up\nContent-Length: 1\r\n\r\n1", "S(INFO: up\nserver is up\n)D(1)"),
    ROW("a log line between frames is skipped", HEADER, 64,
        "Content-Length: 1\r\n\r\n1now idle\nContent-Length: 1\r\n\r\n2", "D(1)S(now idle\n)D(2)"),
    ROW("an empty line before a head is no head", HEADER, 64, "\r\nContent-Length: 1\r\n\r\n1",
        "S(\r\n)D(1)"),
    ROW("a line inside a head that is not a header ends it", HEADER, 64,
        "Content-Length: 1\r\nno header\r\nContent-Length: 1\r\n\r\n1",
        "S(Content-Length: 1\r\nno header\r\n)D(1)"),
    ROW("a length that was too short is survived", HEADER, 64,
        "Content-Length: 6\r\n\r\n{\"a\":1}Content-Length: 1\r\n\r\n1", "D({\"a\":1)S(})D(1)"),
    ROW("the frame behind a body of unknown length is found", HEADER, 64,
        "Content-Length: x\r\n\r\n{\"a\":1}content-length: 1\r\n\r\n1",
        "S(Content-Length: x\r\n\r\n)S({\"a\":1})D(1)"),
    ROW("a header name that only ends in Content-Length is another", HEADER, 64,
        "X-Content-Length: 5\r\nContent-Length: 1\r\n\r\n1", "D(1)"),
    ROW("a body past the maximum is shown once and skipped", HEADER, 4,
        "Content-Length: 10\r\n\r\n0123456789Content-Length: 1\r\n\r\n1", "L(0123)D(1)"),
    ROW("a body of exactly the maximum fits", HEADER, 4, "Content-Length: 4\r\n\r\n0123",
        "D(0123)"),
    ROW("a body that is cut off is not a frame", HEADER, 64, "Content-Length: 4\r\n\r\n01",
        "S(01)"),
    ROW("a body that never began is not a frame", HEADER, 64, "Content-Length: 4\r\n\r\n", "S()"),
    ROW("a head that is cut off is not a frame", HEADER, 64, "Content-Length: 4\r\n",
        "S(Content-Length: 4\r\n)"),
    ROW("a body that was too long may be cut off", HEADER, 4, "Content-Length: 10\r\n\r\n012345",
        "L(0123)"),

    ROW("values follow without a gap", VALUES, 64, "{}[]{\"a\":[1]}", "D({})D([])D({\"a\":[1]})"),
    ROW("white space between values belongs to none", VALUES, 64, " \t{}\r\n [1] \n",
        "D({})D([1])"),
    ROW("white space inside a value stays", VALUES, 64, "{ \n}", "D({ \n})"),
    ROW("brackets in strings do not count", VALUES, 64, "[\"}]\"]{\"[\":1}",
        "D([\"}]\"])D({\"[\":1})"),
    ROW("an escaped quote does not end a string", VALUES, 64, "[\"\\\"]\"]1 ",
        "D([\"\\\"]\"])D(1)"),
    ROW("an escaped backslash does not escape the quote", VALUES, 64, "[\"\\\\\"]2 ",
        "D([\"\\\\\"])D(2)"),
    ROW("a string is a value", VALUES, 64, "\"a b\"\"{\"", "D(\"a b\")D(\"{\")"),
    ROW("white space ends a number", VALUES, 64, "12 -3.5e1\ttrue\nnull\rfalse ",
        "D(12)D(-3.5e1)D(true)D(null)D(false)"),
    ROW("a structural byte ends a number", VALUES, 64, "1{}2[]3\"a\"",
        "D(1)D({})D(2)D([])D(3)D(\"a\")"),
    ROW("the end ends a number", VALUES, 64, "{}42", "D({})D(42)"),
    ROW("a stray closing bracket is no value", VALUES, 64, "}{}", "S(})D({})"),
    ROW("noise goes up to the next opening bracket", VALUES, 64, "up: 1 \"{}[1]",
        "S(up: 1 \")D({})D([1])"),
    ROW("noise may be the last", VALUES, 64, "{}Hello 1 ", "D({})S(Hello 1 )"),
    ROW("a comma behind a number is noise", VALUES, 64, "1,2{}", "D(1)S(,2)D({})"),
    ROW("a byte-order mark is noise", VALUES, 64, "\xef\xbb\xbf{}", "S(\xef\xbb\xbf)D({})"),
    ROW("an object that is cut off is no value", VALUES, 64, "{}{\"a\":", "D({})S({\"a\":)"),
    ROW("a string that is cut off is no value", VALUES, 64, "\"a\\", "S(\"a\\)"),
    ROW("a value of exactly the maximum fits", VALUES, 4, "[12]1234 5", "D([12])D(1234)D(5)"),
    ROW("a value past the maximum is shown once and skipped", VALUES, 4, "[[\"]\"],1]{}",
        "L([[\"])D({})"),
    ROW("a number past the maximum is shown once and skipped", VALUES, 4, "1234567{}",
        "L(1234)D({})"),
    ROW("a string past the maximum is shown once and skipped", VALUES, 4, "\"abc\"\"a\"",
        "L(\"abc)D(\"a\")"),
    ROW("noise past the maximum is shown once and skipped", VALUES, 4, "Hello there{}",
        "L(Hell)D({})"),
    ROW("a value past the maximum may be cut off", VALUES, 4, "[1,2,3", "L([1,2)"),

    ROW("a frame behind its 32 bits", PREFIX, 64,
        "\0\0\0\2{}\0\0\0\1"
        "1",
        "D({})D(1)"),
    ROW("a frame of no bytes is an empty message", PREFIX, 64,
        "\0\0\0\0\0\0\0\1"
        "1",
        "D()D(1)"),
    ROW("a frame past the maximum is shown once and skipped", PREFIX, 4,
        "\0\0\0\6"
        "012345"
        "\0\0\0\1"
        "1",
        "L(0123)D(1)"),
    ROW("the length is big-endian", PREFIX, 4,
        "\0\0\1\0"
        "01234567",
        "L(0123)"),
    ROW("a length that is cut off is not a frame", PREFIX, 64, "\0\0\0", "S(\0\0\0)"),
    ROW("a frame that is cut off is not a frame", PREFIX, 64, "\0\0\0\4ab", "S(ab)"),
    ROW("a frame that never began is not a frame", PREFIX, 64, "\0\0\0\4", "S()"),
};

static void any_split_gives_the_same_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("  %s\n", cases[i].name);
        stream_check(cases[i].framing, cases[i].max_message, cases[i].stream, cases[i].events);
    }
}

static void a_second_end_finds_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        jrpc_decoder decoder;
        jrpc_decoder_init(&decoder, cases[i].framing, cases[i].max_message, jrpc_allocator_heap());
        jrpc_buffer events;
        jrpc_buffer_init(&events, jrpc_allocator_heap(), STREAM_EVENTS_BYTES);
        assert_true(jrpc_decoder_feed(&decoder, cases[i].stream, NULL));
        stream_drain(&decoder, jrpc_decoder_end, &events);
        size_t before = events.len;
        stream_drain(&decoder, jrpc_decoder_end, &events);
        assert_int_equal(events.len, before);
        jrpc_buffer_done(&events);
        jrpc_decoder_done(&decoder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_split_gives_the_same_messages),
        cmocka_unit_test(a_second_end_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
