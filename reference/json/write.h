// Writing JSON into a bounded buffer. Commas and colons are the writer's business.
#ifndef JRPC_JSON_WRITE_H
#define JRPC_JSON_WRITE_H

#include "reference/base/buffer.h"
#include "reference/json/value.h"

#include <stdint.h>

// Past this nesting a write fails. The writer is for documents that we design, so it is small.
#define JRPC_JSON_WRITER_DEPTH 64

typedef struct jrpc_json_writer {
    jrpc_buffer *buffer; // borrowed; its `failed` is the writer's error, checked once at the end
    unsigned depth;
    bool first[JRPC_JSON_WRITER_DEPTH];
    bool after_key;
} jrpc_json_writer;

void jrpc_json_writer_init(jrpc_json_writer *writer, jrpc_buffer *buffer);
void jrpc_json_write_begin_object(jrpc_json_writer *writer);
void jrpc_json_write_end_object(jrpc_json_writer *writer);
void jrpc_json_write_begin_array(jrpc_json_writer *writer);
void jrpc_json_write_end_array(jrpc_json_writer *writer);
void jrpc_json_write_key(jrpc_json_writer *writer, const char *name);
void jrpc_json_write_key_slice(jrpc_json_writer *writer, jrpc_slice name);
void jrpc_json_write_null(jrpc_json_writer *writer);
void jrpc_json_write_bool(jrpc_json_writer *writer, bool value);
void jrpc_json_write_int(jrpc_json_writer *writer, int64_t value);
// Content that is UTF-8, or generalized UTF-8 for lone surrogates, which are written as escapes;
// any other invalid byte is written as U+FFFD. Control characters are escaped.
void jrpc_json_write_string(jrpc_json_writer *writer, jrpc_slice content);
void jrpc_json_write_str(jrpc_json_writer *writer, const char *content);
// A value spelled already, copied as it is (the caller answers for it).
void jrpc_json_write_raw(jrpc_json_writer *writer, jrpc_slice spelling);
// A value token by token as spelled in its source, without the white space between tokens.
void jrpc_json_write_value(jrpc_json_writer *writer, jrpc_json value);

// Appends a value to a buffer as jrpc_json_write_value does. False when the buffer is full.
bool jrpc_json_compact(jrpc_buffer *buffer, jrpc_json value);
// Appends one quoted string with the escapes of jrpc_json_write_string.
bool jrpc_json_quote(jrpc_buffer *buffer, jrpc_slice content);

#endif
