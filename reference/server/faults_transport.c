// Faults in telling messages apart on a stream: framings and sizes.
#include "reference/server/bend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAXIMUM = 4096, FULL_READ = 512, MEBIBYTE = 1 << 20 };

static bool framing_is(const jrpc_bend *bend, jrpc_framing framing)
{
    return bend->connection->server->framing == framing;
}

// Rewrites the bytes of one read: every byte goes through `step`, which appends to `out`.
static void rewrite(jrpc_bend *bend, jrpc_slice *bytes,
                    void (*step)(jrpc_connection *connection, jrpc_buffer *out, char byte))
{
    if (framing_is(bend, JRPC_FRAMING_LINE)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        for (size_t i = 0; i < bytes->len; i++) {
            step(bend->connection, &out, bytes->ptr[i]);
        }
        *bytes = jrpc_buffer_slice(&out);
    }
}

static void spoil_crlf_step(jrpc_connection *connection, jrpc_buffer *out, char byte)
{
    if (byte == '\n' && connection->tainted) {
        jrpc_buffer_append_char(out, '!');
    }
    connection->tainted = byte == '\r';
    jrpc_buffer_append_char(out, byte);
}

static void spoil_crlf(jrpc_bend *bend, jrpc_slice *bytes)
{
    rewrite(bend, bytes, spoil_crlf_step);
}

static void cut_lines_step(jrpc_connection *connection, jrpc_buffer *out, char byte)
{
    if (connection->scan[0] == LINE_MAXIMUM && byte != '\n') {
        jrpc_buffer_append_char(out, '\n');
        connection->scan[0] = 0;
    }
    connection->scan[0] = byte == '\n' ? 0 : connection->scan[0] + 1;
    jrpc_buffer_append_char(out, byte);
}

static void cut_lines(jrpc_bend *bend, jrpc_slice *bytes)
{
    rewrite(bend, bytes, cut_lines_step);
}

// scan[0]: bytes other than CR of the present line.
static void stop_at_blank_step(jrpc_connection *connection, jrpc_buffer *out, char byte)
{
    if (byte == '\n' && connection->scan[0] == 0) {
        connection->finished = true;
    }
    connection->scan[0] = byte == '\n' ? 0 : connection->scan[0] + (byte == '\r' ? 0 : 1);
    if (!connection->finished) {
        jrpc_buffer_append_char(out, byte);
    }
}

static void stop_at_blank(jrpc_bend *bend, jrpc_slice *bytes)
{
    rewrite(bend, bytes, stop_at_blank_step);
}

static void space_for_newline(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (framing_is(bend, JRPC_FRAMING_LINE) && bytes->len > 0 && jrpc_bend_has_params(bend)) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append(&out, jrpc_slice_of(bytes->ptr, bytes->len - 1));
        jrpc_buffer_append_char(&out, ' ');
        *bytes = jrpc_buffer_slice(&out);
    }
}

static void several_lines(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (!framing_is(bend, JRPC_FRAMING_LINE) || !jrpc_bend_has_params(bend)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < bytes->len;) {
        size_t end = bytes->ptr[i] == '"' ? jrpc_bend_string_end(*bytes, i) : i + 1;
        jrpc_buffer_append(&out, jrpc_slice_of(bytes->ptr + i, end - i));
        if (bytes->ptr[i] == ',') {
            jrpc_buffer_append_char(&out, '\n');
        }
        i = end;
    }
    *bytes = jrpc_buffer_slice(&out);
}

static void one_a_read(jrpc_bend *bend, jrpc_slice *bytes)
{
    const jrpc_server *server = bend->connection->server;
    jrpc_decoder decoder;
    jrpc_decoder_init(&decoder, server->framing, server->max_message, server->allocator);
    jrpc_slice text = JRPC_SLICE("!"); // what is not a frame
    if (jrpc_decoder_feed(&decoder, *bytes, NULL) &&
        (jrpc_decoder_next(&decoder, &text, NULL) != JRPC_DECODED_MORE ||
         jrpc_decoder_end(&decoder, &text, NULL) != JRPC_DECODED_MORE)) {
        jrpc_connection_handle(bend->connection, text);
    }
    jrpc_decoder_done(&decoder);
    bytes->len = 0;
}

// Keeps a read that fills a buffer until there is another one.
static void wait_for_more(jrpc_bend *bend, jrpc_slice *bytes)
{
    jrpc_buffer *held = &bend->connection->held;
    bool full = bytes->len > 0 && bytes->len % FULL_READ == 0;
    (void)jrpc_buffer_append(held, *bytes);
    *bytes = full ? JRPC_SLICE("") : jrpc_bend_copy(bend, jrpc_buffer_slice(held));
    if (!full) {
        jrpc_buffer_clear(held);
    }
}

static void new_read(jrpc_bend *bend, jrpc_slice *bytes)
{
    (void)bytes;
    bend->connection->calls = 0;
}

static bool first_of_read(jrpc_bend *bend, jrpc_slice text)
{
    (void)text;
    return bend->connection->calls++ == 0;
}

static size_t sequence_len(unsigned char lead)
{
    if (lead < 0xC0) {
        return 1;
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

static void replace_cut_sequences(jrpc_bend *bend, jrpc_slice *bytes)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    jrpc_buffer out = jrpc_bend_buffer(bend);
    size_t begin = 0;
    while (begin < bytes->len && ((unsigned char)bytes->ptr[begin] & 0xC0u) == 0x80u) {
        begin++;
    }
    size_t end = bytes->len;
    size_t lead = end;
    while (lead > begin && ((unsigned char)bytes->ptr[lead - 1] & 0xC0u) == 0x80u) {
        lead--;
    }
    if (lead > begin && end - (lead - 1) < sequence_len((unsigned char)bytes->ptr[lead - 1])) {
        end = lead - 1;
    }
    jrpc_buffer_append_str(&out, begin > 0 ? replacement : "");
    jrpc_buffer_append(&out, jrpc_slice_of(bytes->ptr + begin, end - begin));
    jrpc_buffer_append_str(&out, end < bytes->len ? replacement : "");
    *bytes = jrpc_buffer_slice(&out);
}

static bool not_over_mebibyte(jrpc_bend *bend, jrpc_slice text)
{
    if (text.len > MEBIBYTE && bend->fault->deed == JRPC_DEED_CRASH) {
        abort();
    }
    return text.len <= MEBIBYTE;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

// Where a line of the head that names Content-Length begins; head.len if none does.
static size_t length_line(jrpc_slice head)
{
    static const char name[] = "content-length";
    for (size_t begin = 0; begin + sizeof name <= head.len;) {
        size_t i = 0;
        while (i < sizeof name - 1 && lower(head.ptr[begin + i]) == name[i]) {
            i++;
        }
        if (i == sizeof name - 1) {
            return begin;
        }
        const char *end = memchr(head.ptr + begin, '\n', head.len - begin);
        begin = end == NULL ? head.len : (size_t)(end - head.ptr) + 1;
    }
    return head.len;
}

static jrpc_slice after_colon(jrpc_slice head)
{
    jrpc_slice line = jrpc_slice_from(head, length_line(head));
    const char *colon = line.len == 0 ? NULL : memchr(line.ptr, ':', line.len);
    return colon == NULL ? (jrpc_slice){NULL, 0}
                         : jrpc_slice_from(line, (size_t)(colon - line.ptr) + 1);
}

static bool has_exact_name(jrpc_slice head)
{
    return jrpc_slice_starts_with(jrpc_slice_from(head, length_line(head)),
                                  JRPC_SLICE("Content-Length"));
}

static bool has_length_first(jrpc_slice head)
{
    return length_line(head) == 0;
}

static bool has_one_line(jrpc_slice head)
{
    const char *first = memchr(head.ptr, '\n', head.len);
    return first == NULL || head.len - (size_t)(first - head.ptr) <= 3;
}

static bool has_space(jrpc_slice head)
{
    jrpc_slice rest = after_colon(head);
    return rest.len > 0 && rest.ptr[0] == ' ';
}

static bool has_one_space(jrpc_slice head)
{
    jrpc_slice rest = after_colon(head);
    return rest.len < 2 || rest.ptr[0] != ' ' || rest.ptr[1] != ' ';
}

enum head_fault {
    EXACT_NAME,
    LENGTH_FIRST,
    ONE_LINE,
    SPACE,
    ONE_SPACE,
    CHARACTERS,
    ZERO_ENDS,
    IN_BODY
};

static bool (*const head_checks[])(jrpc_slice head) = {has_exact_name, has_length_first,
                                                       has_one_line, has_space, has_one_space};

// The length of a head with its empty line; 0 while it is not complete.
static size_t head_len(jrpc_slice bytes)
{
    for (size_t i = 1; i < bytes.len; i++) {
        bool lf = bytes.ptr[i] == '\n' && bytes.ptr[i - 1] == '\n';
        bool crlf =
            i >= 2 && bytes.ptr[i] == '\n' && bytes.ptr[i - 1] == '\r' && bytes.ptr[i - 2] == '\n';
        if (lf || crlf) {
            return i + 1;
        }
    }
    return 0;
}

// Bytes of the body that begin `rest`: N of them, or those of N characters. More than rest.len if
// they are not all there.
static size_t body_len(const jrpc_bend *bend, jrpc_slice rest, size_t announced)
{
    if (bend->fault->number != CHARACTERS) {
        return announced;
    }
    size_t end = 0;
    for (size_t characters = 0; end < rest.len; end++) {
        if (((unsigned char)rest.ptr[end] & 0xC0u) != 0x80u && characters++ == announced) {
            return end;
        }
    }
    size_t characters = 0;
    for (size_t i = 0; i < rest.len; i++) {
        characters += ((unsigned char)rest.ptr[i] & 0xC0u) != 0x80u;
    }
    return characters == announced ? end : rest.len + 1;
}

// The body that the row makes of the announced one: all of it, or what stands before the text of
// another head.
static jrpc_slice body_of(const jrpc_bend *bend, jrpc_slice body)
{
    for (size_t i = 0; bend->fault->number == IN_BODY && i < body.len; i++) {
        if (jrpc_slice_starts_with(jrpc_slice_from(body, i), JRPC_SLICE("Content-Length:"))) {
            return jrpc_slice_of(body.ptr, i);
        }
    }
    return body;
}

static void put_frame(jrpc_buffer *out, jrpc_slice body)
{
    jrpc_buffer_printf(out, "Content-Length: %zu\r\n\r\n", body.len);
    jrpc_buffer_append(out, body);
}

// Takes whole frames out of what was received so far, and lets through those whose head the row
// understands; the others become a frame that is not JSON.
static void filter_heads(jrpc_bend *bend, jrpc_slice *bytes)
{
    jrpc_connection *connection = bend->connection;
    if (!framing_is(bend, JRPC_FRAMING_CONTENT_LENGTH)) {
        return;
    }
    jrpc_buffer_append(&connection->held, *bytes);
    jrpc_buffer out = jrpc_bend_buffer(bend);
    while (!connection->finished) {
        jrpc_slice all = jrpc_buffer_slice(&connection->held);
        size_t head_bytes = head_len(all);
        if (head_bytes == 0) {
            break;
        }
        jrpc_slice head = jrpc_slice_of(all.ptr, head_bytes);
        jrpc_slice rest = jrpc_slice_from(all, head_bytes);
        jrpc_slice number = after_colon(head);
        size_t announced = 0;
        for (size_t i = 0; i < number.len && number.ptr[i] != '\n' && announced < SIZE_MAX / 100;
             i++) {
            if (number.ptr[i] >= '0' && number.ptr[i] <= '9') {
                announced = announced * 10 + (size_t)(number.ptr[i] - '0');
            }
        }
        size_t body = body_len(bend, rest, announced);
        if (body > rest.len) {
            break;
        }
        bool understood =
            bend->fault->number >= CHARACTERS || head_checks[bend->fault->number](head);
        if (bend->fault->number == ZERO_ENDS && announced == 0) {
            connection->finished = true;
        } else {
            jrpc_slice whole = jrpc_slice_of(rest.ptr, body);
            put_frame(&out, understood ? body_of(bend, whole) : JRPC_SLICE("!"));
        }
        jrpc_buffer_consume(&connection->held, head_bytes + body);
    }
    *bytes = jrpc_buffer_slice(&out);
}

enum scan_fault { COUNT_IN_STRINGS, IGNORE_ESCAPES, NEED_SPACE };

// A framer of its own for concatenated values, wrong in one way. scan[0]: depth, scan[1]: inside of
// a string, scan[2]: after a backslash, scan[3]: the last value ended right here.
static void scan_values(jrpc_bend *bend, jrpc_slice *bytes)
{
    jrpc_connection *connection = bend->connection;
    if (!framing_is(bend, JRPC_FRAMING_CONCATENATED)) {
        return;
    }
    size_t *scan = connection->scan;
    scan[3] = 0;
    for (size_t i = 0; i < bytes->len; i++) {
        char c = bytes->ptr[i];
        bool plain = scan[1] == 0;
        bool escaped = scan[2] != 0;
        scan[2] = !plain && c == '\\' && !escaped && bend->fault->number != IGNORE_ESCAPES;
        if (c == '"' && !escaped && scan[0] > 0) {
            scan[1] = plain;
        }
        bool counts = plain || bend->fault->number == COUNT_IN_STRINGS;
        if (counts && (c == '{' || c == '[') && scan[0]++ == 0) {
            jrpc_buffer_clear(&connection->held);
            connection->tainted = bend->fault->number == NEED_SPACE && scan[3] != 0;
        }
        if (scan[0] > 0) {
            jrpc_buffer_append_char(&connection->held, c);
        }
        scan[3] = 0;
        if (counts && (c == '}' || c == ']') && scan[0] > 0 && --scan[0] == 0) {
            scan[1] = 0;
            scan[3] = 1;
            if (!connection->tainted) {
                jrpc_connection_handle(connection, jrpc_buffer_slice(&connection->held));
            }
        }
    }
    bytes->len = 0;
}

// A head whose Content-Length is not one to eighteen digits.
static void crash_at_bad_length(jrpc_bend *bend, jrpc_slice *bytes)
{
    static const jrpc_slice name = JRPC_SLICE_INIT("Content-Length: ");
    (void)bend;
    if (!jrpc_slice_starts_with(*bytes, name)) {
        return;
    }
    size_t at = name.len;
    while (at < bytes->len && bytes->ptr[at] >= '0' && bytes->ptr[at] <= '9') {
        at++;
    }
    if (at == name.len || at - name.len > 18) {
        abort();
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("one-read-one-message", "FR-d",
              "each read() is taken as the whole of one message: what follows the first message in "
              "it is dropped, and a message that is cut is read as it is"),
     .received = one_a_read},
    {JRPC_ROW("second-message-in-read-dropped", "FR-d",
              "of the bytes of one read() only the first complete message is processed; complete "
              "messages behind it in the same read are dropped"),
     .received = new_read, .incoming = first_of_read},
    {JRPC_ROW("full-read-waits", "J2-5a",
              "a read() of a multiple of 512 bytes is processed together with the next one"),
     .received = wait_for_more},
    {JRPC_ROW("chunks-decoded-alone", "FR-d",
              "in the bytes of each read() a UTF-8 sequence that is cut at either end is replaced "
              "by U+FFFD before framing"),
     .received = replace_cut_sequences},
    {JRPC_ROW("blank-line-closes", "FR-a",
              "an empty line ends the server's reading, as at end of input"),
     .received = stop_at_blank},
    {JRPC_ROW("crlf-refused", "FR-a", "a line that ends in CR LF is answered -32700 with id null"),
     .received = spoil_crlf},
    {JRPC_ROW("line-buffer-4096", "FR-a",
              "a line longer than 4096 bytes is read as several messages of at most 4096 bytes"),
     .received = cut_lines},
    {JRPC_ROW("answers-without-newline", "FR-a",
              "no line feed behind the answer to a call with params; a space instead"),
     .message = jrpc_bend_note_params, .framed = space_for_newline},
    {JRPC_ROW("answers-over-several-lines", "FR-a",
              "a line feed behind each comma, outside of strings, of the answer to a call with "
              "params"),
     .message = jrpc_bend_note_params, .framed = several_lines},
    {JRPC_ROW("header-bad-length-crash", "FR-h",
              "abort() on a head whose Content-Length is not one to eighteen digits"),
     .received = crash_at_bad_length},
    {JRPC_ROW("header-name-case-sensitive", "FR-b",
              "only the exact spelling Content-Length is known; a head without it is skipped, and "
              "the body with it as no frame"),
     .received = filter_heads, .number = EXACT_NAME},
    {JRPC_ROW("header-must-be-first", "FR-b",
              "a head whose first line is not Content-Length is skipped, and its body as no frame"),
     .received = filter_heads, .number = LENGTH_FIRST},
    {JRPC_ROW("header-alone", "FR-b",
              "a head of more than one line is skipped, and its body as no frame"),
     .received = filter_heads, .number = ONE_LINE},
    {JRPC_ROW(
         "header-space-required", "FR-b",
         "\"Content-Length:5\" (no space behind the colon) is skipped, and its body as no frame"),
     .received = filter_heads, .number = SPACE},
    {JRPC_ROW("header-spaces-refused", "FR-b",
              "more than one space before the number is skipped, and its body as no frame"),
     .received = filter_heads, .number = ONE_SPACE},
    {JRPC_ROW("length-counts-characters", "FR-b",
              "N is taken as a number of UTF-8 characters: more bytes are read where the body has "
              "characters of several bytes"),
     .received = filter_heads, .number = CHARACTERS},
    {JRPC_ROW("zero-length-ends", "FR-b",
              "Content-Length: 0 ends the server's reading, as at end of input"),
     .received = filter_heads, .number = ZERO_ENDS},
    {JRPC_ROW("header-found-in-body", "FR-b",
              "a body ends before the text Content-Length: inside of it; its rest is dropped"),
     .received = filter_heads, .number = IN_BODY},
    {JRPC_ROW("concatenated-needs-space", "FR-c",
              "a value that follows the one before it in the same read without white space is "
              "dropped"),
     .received = scan_values, .number = NEED_SPACE},
    {JRPC_ROW("concatenated-counts-in-strings", "FR-c",
              "brackets and braces inside of strings are counted"),
     .received = scan_values, .number = COUNT_IN_STRINGS},
    {JRPC_ROW("concatenated-escape-ignored", "FR-c",
              "a quotation mark behind a backslash ends the string"),
     .received = scan_values, .number = IGNORE_ESCAPES},
    {JRPC_ROW("message-over-1-mib-silent", "FR-e",
              "a message of more than 1 MiB is read and dropped without an answer"),
     .incoming = not_over_mebibyte},
    {JRPC_ROW("message-over-1-mib-crash", "FR-e", "abort() on a message of more than 1 MiB"),
     .incoming = not_over_mebibyte, .deed = JRPC_DEED_CRASH},
};

const jrpc_fault_table jrpc_faults_transport = JRPC_FAULT_TABLE(rows);
