// Faults at exact lengths, in long messages, and in results with many elements.
#include "reference/server/bend.h"
#include "reference/wire/websocket_handshake.h"

#include <stdint.h>

enum { PAGE_BYTES = 1024, ANSWER_BYTES = 65000, WIDE = 100 };

// A text that fills whole pages except for the row's `number` of bytes loses its last byte.
static bool fills_pages(const jrpc_bend *bend, jrpc_slice text)
{
    return text.len >= PAGE_BYTES - 1 && (text.len + (size_t)bend->fault->number) % PAGE_BYTES == 0;
}

static void cut_text(jrpc_bend *bend, jrpc_slice *text)
{
    text->len -= fills_pages(bend, *text) ? 1 : 0;
}

static bool cut_answer(jrpc_bend *bend, jrpc_slice *payload)
{
    payload->len -= fills_pages(bend, *payload) ? 1 : 0;
    return true;
}

static bool cut_short_answer(jrpc_bend *bend, jrpc_slice *payload)
{
    (void)bend;
    payload->len -= payload->len == 128 || payload->len == 256 || payload->len == 512 ? 1 : 0;
    return true;
}

static bool is_wide(jrpc_bend *bend, jrpc_slice result)
{
    return result.len > WIDE && jrpc_json_count(jrpc_bend_json(bend, result)) > WIDE;
}

static void add_null_error(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (is_wide(bend, response->result)) {
        response->extra = JRPC_SLICE("\"error\":null");
    }
}

static jrpc_slice cut_wide_array(jrpc_bend *bend, jrpc_slice result)
{
    jrpc_json root = jrpc_bend_json(bend, result);
    if (!is_wide(bend, result)) {
        return result;
    }
    bool array = jrpc_json_is(root, JRPC_JSON_ARRAY);
    jrpc_buffer out = jrpc_bend_buffer(bend);
    int count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it) && count < WIDE;
         count++) {
        jrpc_buffer_append_char(&out, count > 0 ? ',' : array ? '[' : '{');
        if (!array) {
            jrpc_buffer_append(&out, jrpc_json_spelling(it.key));
            jrpc_buffer_append_char(&out, ':');
        }
        jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
    }
    jrpc_buffer_append_char(&out, array ? ']' : '}');
    return jrpc_buffer_slice(&out);
}

// A Response that does not fit into the remaining space is skipped; a later, shorter one may fit.
static void cut_long_batch(jrpc_bend *bend, jrpc_batch_reply *reply)
{
    (void)bend;
    size_t kept = 0;
    size_t length = 0;
    for (size_t i = 0; i < reply->count; i++) {
        if (length + reply->elements[i].len <= ANSWER_BYTES) {
            length += reply->elements[i].len;
            reply->elements[kept++] = reply->elements[i];
        }
    }
    reply->count = kept;
}

static bool is_number(jrpc_slice id)
{
    return id.len > 0 && (id.ptr[0] == '-' || (id.ptr[0] >= '0' && id.ptr[0] <= '9'));
}

static void third_connection_texts(jrpc_bend *bend, const jrpc_message *message,
                                   jrpc_response *response)
{
    (void)message;
    if (bend->connection->number % 3 == 0 && is_number(response->id)) {
        response->id = jrpc_bend_quote(bend, response->id, response->id);
    }
}

static void count_in_16_bits(jrpc_bend *bend, jrpc_slice *bytes)
{
    size_t head = jrpc_head_length(*bytes);
    jrpc_slice body = jrpc_slice_from(*bytes, head);
    if (head == 0 || !jrpc_slice_starts_with(*bytes, JRPC_SLICE("Content-Length:")) ||
        body.len <= UINT16_MAX) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_printf(&out, "Content-Length: %u\r\n\r\n", (unsigned)(uint16_t)body.len);
    jrpc_buffer_append(&out, body);
    *bytes = jrpc_buffer_slice(&out);
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("text-1024-cut", "J2-5.1f",
              "a text whose length is a multiple of 1024 bytes loses its last byte"),
     .text = cut_text},
    {JRPC_ROW("text-1023-cut", "J2-5.1f",
              "a text that is one byte shorter than a multiple of 1024 loses its last byte"),
     .text = cut_text, .number = 1},
    {JRPC_ROW("answer-1024-cut", "J2-5j",
              "an answer whose length is a multiple of 1024 bytes loses its last byte"),
     .outgoing = cut_answer},
    {JRPC_ROW("answer-1023-cut", "J2-5j",
              "an answer that is one byte shorter than a multiple of 1024 loses its last byte"),
     .outgoing = cut_answer, .number = 1},
    {JRPC_ROW("answer-short-cut", "J2-5j",
              "an answer of exactly 128, 256 or 512 bytes loses its last byte"),
     .outgoing = cut_short_answer},
    {JRPC_ROW("result-wide-error-null", "J2-5e",
              "a Response with a result of more than 100 elements or members also has error null"),
     .response = add_null_error, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("result-wide-cut", "J2-4.2a",
              "a result of more than 100 elements or members has only the first 100"),
     JRPC_ROW_RESULT(cut_wide_array)},
    {JRPC_ROW(
         "batch-answer-64k-cut", "J2-6b",
         "Responses that do not fit into the first 65000 bytes of a batch answer are left out"),
     .batch = cut_long_batch},
    {JRPC_ROW("answer-length-16-bits", "FR-b",
              "the Content-Length of an answer is its length modulo 65536"),
     .framed = count_in_16_bits},
    {JRPC_ROW("connection-each-third-ids-text", "J2-4e",
              "on every third connection, Number ids come back as Strings"),
     .response = third_connection_texts},
};

const jrpc_fault_table jrpc_faults_lengths = JRPC_FAULT_TABLE(rows);
