// Faults in the heads of what the server writes after Content-Length.
#include "reference/server/bend.h"
#include "reference/wire/websocket_handshake.h"

static bool is_framed(const jrpc_bend *bend)
{
    return bend->connection->server->framing == JRPC_FRAMING_CONTENT_LENGTH;
}

// Writes a head anew, if there is one, with that length.
static void rewrite_head(jrpc_bend *bend, jrpc_slice *bytes, size_t head, size_t length,
                         const char *line_end)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_printf(&out, "Content-Length: %zu%s%s", length, line_end, line_end);
    jrpc_buffer_append(&out, jrpc_slice_from(*bytes, head));
    *bytes = head > 0 ? jrpc_buffer_slice(&out) : *bytes;
}

static void count_characters(jrpc_bend *bend, jrpc_slice *bytes)
{
    size_t head = is_framed(bend) ? jrpc_head_length(*bytes) : 0;
    size_t characters = 0;
    for (size_t i = head; i < bytes->len; i++) {
        characters += ((unsigned char)bytes->ptr[i] & 0xC0u) != 0x80u;
    }
    rewrite_head(bend, bytes, head, characters, "\r\n");
}

static void count_one_more(jrpc_bend *bend, jrpc_slice *bytes)
{
    bool bent = is_framed(bend) && jrpc_bend_has_params(bend);
    size_t head = bent ? jrpc_head_length(*bytes) : 0;
    rewrite_head(bend, bytes, head, bytes->len - head + 1, "\r\n");
}

static void end_lines_bare(jrpc_bend *bend, jrpc_slice *bytes)
{
    size_t head = is_framed(bend) ? jrpc_head_length(*bytes) : 0;
    rewrite_head(bend, bytes, head, bytes->len - head, "\n");
}

static void line_break_behind(jrpc_bend *bend, jrpc_slice *bytes)
{
    if (is_framed(bend) && bytes->len > 0) {
        jrpc_buffer out = jrpc_bend_buffer(bend);
        jrpc_buffer_append(&out, *bytes);
        jrpc_buffer_append(&out, JRPC_SLICE("\r\n"));
        *bytes = jrpc_buffer_slice(&out);
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("answer-length-counts-characters", "FR-b",
              "N is the number of characters, not bytes, of the message"),
     .framed = count_characters},
    {JRPC_ROW("answer-head-bare-feeds", "FR-b", "the lines of the head end in a line feed alone"),
     .framed = end_lines_bare},
    {JRPC_ROW("answer-length-one-more", "FR-b",
              "N is one more than the bytes of the answer to a call with params"),
     .message = jrpc_bend_note_params, .framed = count_one_more},
    {JRPC_ROW("answer-line-break-uncounted", "FR-b",
              "CR LF, which N does not count, behind each message"),
     .framed = line_break_behind},
};

const jrpc_fault_table jrpc_faults_heads = JRPC_FAULT_TABLE(rows);
