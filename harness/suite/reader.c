#include "harness/suite/reader.h"

#include "harness/suite/file.h"
#include "harness/suite/nearest.h"
#include "harness/suite/origin.h"
#include "harness/suite/parse.h"

#include <stdarg.h>
#include <stdio.h>

void jck_reader_init(jck_reader *reader, jrpc_arena *arena, jck_diagnose diagnose, void *context,
                     jrpc_error *first)
{
    *reader = (jck_reader){
        .arena = arena, .diagnose = diagnose, .context = context, .first = first, .file = ""};
}

bool jck_reader_report(jck_reader *reader, const jrpc_error *error)
{
    reader->wrong++;
    if (reader->first != NULL && reader->first->code == JRPC_OK) {
        *reader->first = *error;
    }
    if (reader->diagnose != NULL) {
        reader->diagnose(reader->context, error);
    }
    return false;
}

bool jck_reader_starve(jck_reader *reader)
{
    if (reader->starved) {
        return false;
    }
    reader->starved = true;
    jrpc_error error = {0};
    (void)jrpc_error_set(&error, JRPC_ERROR_MEMORY, "out of memory while reading %s",
                         reader->file[0] == '\0' ? "the files" : reader->file);
    return jck_reader_report(reader, &error);
}

bool jck_reader_refuse(jck_reader *reader, jrpc_json value, const char *name,
                       const jrpc_error *error)
{
    return error->code == JRPC_ERROR_MEMORY
               ? jck_reader_starve(reader)
               : jck_wrong(reader, value, "%s: %s", name, error->message);
}

// The message of an error while it is written.
typedef struct sentence {
    char words[sizeof((jrpc_error *)NULL)->message];
} sentence;

// Gives an error its place in the file; for an expanded text it names the row too.
static void locate(const jck_reader *reader, size_t offset, jrpc_error *error)
{
    if (reader->origin == NULL) {
        (void)jrpc_error_locate(error, reader->file, reader->text, offset);
        return;
    }
    jrpc_error named = {0};
    (void)jrpc_error_set(&named, error->code, "%s (in the row %s)", error->message,
                         reader->origin->row);
    (void)jrpc_error_locate(&named, reader->file, reader->origin->text,
                            jck_origin_offset(reader->origin, offset));
    *error = named;
}

static bool wrong_at(jck_reader *reader, size_t offset, bool placed, const sentence *message)
{
    jrpc_error error = {0};
    (void)jrpc_error_set(&error, JRPC_ERROR_INVALID, "%s", message->words);
    locate(reader, offset, &error);
    if (!placed) {
        error.line = 0;
        error.column = 0;
    }
    return jck_reader_report(reader, &error);
}

bool jck_wrong(jck_reader *reader, jrpc_json at, const char *format, ...)
{
    sentence message;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message.words, sizeof message.words, format, arguments);
    va_end(arguments);
    return wrong_at(reader, jrpc_json_offset(at), jrpc_json_exists(at), &message);
}

bool jck_wrong_at(jck_reader *reader, size_t offset, const char *format, ...)
{
    sentence message;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message.words, sizeof message.words, format, arguments);
    va_end(arguments);
    return wrong_at(reader, offset, true, &message);
}

size_t jck_reader_line(jck_reader *reader, jrpc_json value)
{
    bool expanded = reader->origin != NULL;
    jrpc_slice text = expanded ? reader->origin->text : reader->text;
    size_t offset = jrpc_json_offset(value);
    offset = expanded ? jck_origin_offset(reader->origin, offset) : offset;
    if (reader->line_text != text.ptr || reader->line_offset > offset) {
        reader->line_text = text.ptr;
        reader->line_offset = 0;
        reader->line = 1;
    }
    size_t more;
    size_t column;
    jrpc_text_position(jrpc_slice_from(text, reader->line_offset), offset - reader->line_offset,
                       &more, &column);
    reader->line += more - 1;
    reader->line_offset = offset;
    return reader->line;
}

void *jck_reader_array(jck_reader *reader, size_t count, size_t size)
{
    void *array = jrpc_arena_array(reader->arena, count == 0 ? 1 : count, size);
    if (array == NULL) {
        (void)jck_reader_starve(reader);
    }
    return array;
}

// Appends the content of a file; errors are reported without a place in the text.
static bool read_file(jck_reader *reader, jrpc_buffer *content)
{
    jrpc_error error = {0};
    if (jck_file_read(reader->file, content, &error)) {
        return true;
    }
    return error.code == JRPC_ERROR_MEMORY ? jck_reader_starve(reader)
                                           : jck_reader_report(reader, &error);
}

bool jck_reader_parse(jck_reader *reader, jrpc_json *ret_root)
{
    jrpc_error error = {0};
    if (jck_parse(reader->arena, reader->text, ret_root, &error)) {
        return true;
    }
    if (error.code == JRPC_ERROR_MEMORY) {
        return jck_reader_starve(reader);
    }
    locate(reader, error.offset, &error);
    return jck_reader_report(reader, &error);
}

bool jck_reader_open(jck_reader *reader, const char *file, jrpc_json *ret_root)
{
    jrpc_slice name;
    if (!jrpc_arena_copy(reader->arena, jrpc_slice_str(file), &name)) {
        return jck_reader_starve(reader);
    }
    reader->file = name.ptr;
    reader->text = (jrpc_slice){NULL, 0};
    jrpc_buffer content;
    jrpc_buffer_init(&content, reader->arena->allocator, JCK_LIMIT_FILE_BYTES);
    bool done = read_file(reader, &content);
    if (done && !jrpc_arena_copy(reader->arena, jrpc_buffer_slice(&content), &reader->text)) {
        done = jck_reader_starve(reader);
    }
    jrpc_buffer_done(&content);
    return done && jck_reader_parse(reader, ret_root);
}
