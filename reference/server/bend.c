#include "reference/server/bend.h"

#include "reference/base/limits.h"
#include "reference/json/read.h"
#include "reference/json/scan.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A fault is a tool of tests: without memory it must not pass for correct behaviour.
static const jrpc_allocator *arena_allocator(jrpc_arena *arena)
{
    const jrpc_allocator *allocator = jrpc_arena_allocator(arena);
    if (allocator == NULL) {
        abort();
    }
    return allocator;
}

jrpc_buffer jrpc_bend_buffer(jrpc_bend *bend)
{
    jrpc_buffer buffer;
    jrpc_buffer_init(&buffer, arena_allocator(bend->arena), SIZE_MAX / 4);
    return buffer;
}

jrpc_json jrpc_bend_json(jrpc_bend *bend, jrpc_slice text)
{
    jrpc_json_document *document = jrpc_arena_alloc(bend->arena, sizeof *document);
    if (document == NULL) {
        abort();
    }
    jrpc_json_document_init(document, arena_allocator(bend->arena));
    return jrpc_json_read(document, text, JRPC_LIMIT_DEPTH, NULL) ? jrpc_json_root(document)
                                                                  : JRPC_JSON_ABSENT;
}

bool jrpc_bend_content(jrpc_bend *bend, jrpc_slice spelling, jrpc_slice *ret_content)
{
    return spelling.len > 0 && spelling.ptr[0] == '"' &&
           jrpc_json_string(jrpc_bend_json(bend, spelling), bend->arena, ret_content);
}

jrpc_slice jrpc_bend_quote(jrpc_bend *bend, jrpc_slice content, jrpc_slice otherwise)
{
    jrpc_buffer buffer = jrpc_bend_buffer(bend);
    return jrpc_json_quote(&buffer, content) ? jrpc_buffer_slice(&buffer) : otherwise;
}

jrpc_slice jrpc_bend_copy(jrpc_bend *bend, jrpc_slice bytes)
{
    jrpc_slice copy;
    if (!jrpc_arena_copy(bend->arena, bytes, &copy)) {
        abort();
    }
    return copy;
}

jrpc_slice jrpc_bend_lower(jrpc_bend *bend, jrpc_slice bytes)
{
    jrpc_buffer buffer = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.ptr[i];
        jrpc_buffer_append_char(&buffer, c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c);
    }
    return jrpc_buffer_slice(&buffer);
}

jrpc_slice jrpc_bend_trim(jrpc_slice bytes)
{
    while (bytes.len > 0 && jrpc_scan_is_space(bytes.ptr[0])) {
        bytes = jrpc_slice_from(bytes, 1);
    }
    while (bytes.len > 0 && jrpc_scan_is_space(bytes.ptr[bytes.len - 1])) {
        bytes.len--;
    }
    return bytes;
}

bool jrpc_bend_calls(const jrpc_bend *bend, const char *spelling)
{
    return jrpc_slice_is(bend->connection->method, spelling);
}

bool jrpc_bend_has_place(jrpc_bend *bend, jrpc_slice text)
{
    jrpc_connection *connection = bend->connection;
    (void)text;
    if (connection->scan[0] == 0) {
        bool free = atomic_load(&connection->server->lost_places) < bend->fault->number;
        connection->scan[0] = free ? 1 : 2;
    }
    return connection->scan[0] == 1;
}

void jrpc_bend_put_record(jrpc_buffer *out, jrpc_slice bytes)
{
    jrpc_buffer_append(out, jrpc_slice_of((const char *)&bytes.len, sizeof bytes.len));
    jrpc_buffer_append(out, bytes);
}

jrpc_slice jrpc_bend_take_record(jrpc_slice *from)
{
    size_t len;
    memcpy(&len, from->ptr, sizeof len);
    jrpc_slice record = jrpc_slice_of(from->ptr + sizeof len, len);
    *from = jrpc_slice_from(*from, sizeof len + len);
    return record;
}

void jrpc_bend_respell(jrpc_bend *bend, jrpc_message *message, jrpc_slice text)
{
    jrpc_json value = jrpc_bend_json(bend, text);
    if (jrpc_json_exists(value)) {
        *message = jrpc_message_classify(value);
        bend->connection->method = jrpc_json_spelling(message->method);
    }
}

static void put_member(jrpc_buffer *out, jrpc_slice name, jrpc_slice value)
{
    if (value.len > 0) {
        jrpc_buffer_append_char(out, out->len == 0 ? '{' : ',');
        jrpc_buffer_append(out, name);
        jrpc_buffer_append_char(out, ':');
        jrpc_buffer_append(out, value);
    }
}

void jrpc_bend_member(jrpc_bend *bend, jrpc_message *message, const char *name, jrpc_slice spelling)
{
    if (!jrpc_json_is(message->value, JRPC_JSON_OBJECT)) {
        return;
    }
    jrpc_buffer out = jrpc_bend_buffer(bend);
    if (!jrpc_json_exists(jrpc_json_get(message->value, name))) {
        put_member(&out, jrpc_bend_quote(bend, jrpc_slice_str(name), JRPC_SLICE("")), spelling);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(message->value); jrpc_json_step(&it);) {
        bool it_is = jrpc_json_string_is(it.key, jrpc_slice_str(name));
        put_member(&out, jrpc_json_spelling(it.key),
                   it_is ? spelling : jrpc_json_spelling(it.value));
    }
    jrpc_buffer_append_str(&out, out.len == 0 ? "{}" : "}");
    jrpc_bend_respell(bend, message, jrpc_buffer_slice(&out));
}

size_t jrpc_bend_string_end(jrpc_slice text, size_t at)
{
    for (size_t i = at + 1; i < text.len; i++) {
        if (text.ptr[i] == '\\') {
            i++;
        } else if (text.ptr[i] == '"') {
            return i + 1;
        }
    }
    return text.len;
}

bool jrpc_bend_is_fraction(jrpc_slice number)
{
    return number.len > 0 && number.ptr[0] != '"' &&
           (memchr(number.ptr, '.', number.len) != NULL ||
            (number.ptr[0] != 'n' && (memchr(number.ptr, 'e', number.len) != NULL ||
                                      memchr(number.ptr, 'E', number.len) != NULL)));
}

void jrpc_bend_refuse(jrpc_message *message, int code, jrpc_json id)
{
    message->kind = JRPC_MESSAGE_INVALID;
    message->reason = JRPC_VALID;
    message->reply_owed = true;
    message->reply_code = code;
    message->reply_id = id;
}

static bool is_id(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_STRING) || jrpc_json_is(value, JRPC_JSON_NUMBER);
}

void jrpc_row_message(jrpc_bend *bend, jrpc_message *message)
{
    if (!bend->fault->is(bend, message)) {
        return;
    }
    switch (bend->fault->deed) {
    case JRPC_DEED_CRASH:
        abort();
    case JRPC_DEED_SILENCE:
        bend->connection->withhold = true;
        break;
    case JRPC_DEED_DROP:
        message->kind = JRPC_MESSAGE_RESPONSE;
        message->reply_owed = false;
        break;
    case JRPC_DEED_REFUSE:
        jrpc_bend_refuse(message,
                         bend->fault->number == 0 ? JRPC_INVALID_REQUEST : bend->fault->number,
                         is_id(message->id) ? message->id : JRPC_JSON_ABSENT);
        break;
    case JRPC_DEED_REFUSE_NULL:
        jrpc_bend_refuse(message, JRPC_INVALID_REQUEST, JRPC_JSON_ABSENT);
        break;
    case JRPC_DEED_NOTIFICATION:
        jrpc_bend_member(bend, message, "id", JRPC_SLICE(""));
        break;
    case JRPC_DEED_NONE:
    case JRPC_DEED_PARSE_ERROR:
    case JRPC_DEED_ANSWER:
        break;
    }
}

void jrpc_row_input(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind)
{
    if (!bend->fault->is_input(bend, root, *kind)) {
        return;
    }
    switch (bend->fault->deed) {
    case JRPC_DEED_CRASH:
        abort();
    case JRPC_DEED_SILENCE:
    case JRPC_DEED_DROP:
        *kind = JRPC_INPUT_EMPTY_BATCH; // nothing of it runs
        bend->connection->mute = true;
        break;
    case JRPC_DEED_REFUSE:
    case JRPC_DEED_REFUSE_NULL:
        *kind = JRPC_INPUT_EMPTY_BATCH;
        break;
    case JRPC_DEED_PARSE_ERROR:
        *kind = JRPC_INPUT_PARSE_ERROR;
        break;
    case JRPC_DEED_ANSWER:
        *kind = JRPC_INPUT_EMPTY_BATCH;
        bend->connection->replacement = jrpc_slice_str(bend->fault->spelling);
        break;
    case JRPC_DEED_NONE:
    case JRPC_DEED_NOTIFICATION:
        break;
    }
}

void jrpc_bend_note_params(jrpc_bend *bend, jrpc_message *message)
{
    if (message->kind == JRPC_MESSAGE_CALL && jrpc_json_exists(message->params)) {
        bend->connection->marks++;
    }
}

bool jrpc_bend_has_params(const jrpc_bend *bend)
{
    return bend->connection->marks > 0;
}

void jrpc_row_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->code = jrpc_slice_str(bend->fault->spelling);
}

void jrpc_row_member(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_slice *member = (jrpc_slice *)(void *)((char *)response + bend->fault->member);
    *member = jrpc_slice_str(bend->fault->spelling);
}

void jrpc_row_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->id = bend->fault->respell(bend, response->id);
}

void jrpc_row_result(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    response->result = bend->fault->respell(bend, response->result);
}

void jrpc_row_null_result(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (bend->fault->is == NULL || bend->fault->is(bend, message)) {
        response->code = response->message = response->data = (jrpc_slice){NULL, 0};
        response->result = bend->fault->spelling == NULL ? JRPC_SLICE("null")
                                                         : jrpc_slice_str(bend->fault->spelling);
    }
}

void jrpc_row_withhold(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (bend->fault->is == NULL || bend->fault->is(bend, message)) {
        response->suppressed = true;
    }
}

void jrpc_row_crash(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)response;
    if (bend->fault->is == NULL || bend->fault->is(bend, message)) {
        abort();
    }
}
