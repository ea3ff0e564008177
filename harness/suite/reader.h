// Reading one of our own JSON files: every wrong thing becomes a diagnostic with its place, and
// reading goes on, so that one run reports all of them. Private to the suite room.
#ifndef JCK_SUITE_READER_H
#define JCK_SUITE_READER_H

#include "harness/suite/suite.h"
#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/json/value.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The largest case, catalogue or target file.
#define JCK_LIMIT_FILE_BYTES ((size_t)16 << 20)

struct jck_origin; // see origin.h

typedef struct jck_reader {
    jrpc_arena *arena; // borrowed: everything read lives there
    jck_diagnose diagnose;
    void *context;
    jrpc_error *first; // the first diagnostic; may be NULL
    size_t wrong;      // diagnostics so far
    bool starved;      // memory was out: reported once
    const char *file;  // the file being read, "" before one is
    jrpc_slice text;
    // The line of the offset that was asked for last: files are read from their beginning to their
    // end.
    const char *line_text;
    size_t line_offset, line;
    const struct jck_origin *origin; // where `text` comes from, if it is not the file's own
} jck_reader;

// For "%.*s".
#define JCK_WORD(slice)                                                                            \
    (int)((slice).len > 120 ? 120 : (slice).len), (slice).len == 0 ? "" : (slice).ptr

// Initializes caller's storage; all pointers are borrowed, all but `arena` may be NULL.
void jck_reader_init(jck_reader *reader, jrpc_arena *arena, jck_diagnose diagnose, void *context,
                     jrpc_error *first);
// Reads a file and parses it; *ret_root lives as long as the arena. False after a diagnostic (the
// file cannot be read: SYSTEM; not JSON: SYNTAX; LIMIT; MEMORY).
bool jck_reader_open(jck_reader *reader, const char *file, jrpc_json *ret_root);

// Parses the reader's text; *ret_root lives as long as the arena. False after a diagnostic.
bool jck_reader_parse(jck_reader *reader, jrpc_json *ret_root);

// Says what is wrong at a value (or, with JRPC_JSON_ABSENT, with the file as a whole). False.
bool jck_wrong(jck_reader *reader, jrpc_json at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same at a byte offset of the file's text.
bool jck_wrong_at(jck_reader *reader, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Says once that memory is out. False.
bool jck_reader_starve(jck_reader *reader);
// Reports what `error` says of a member, or that memory is out; always false.
bool jck_reader_refuse(jck_reader *reader, jrpc_json value, const char *name,
                       const jrpc_error *error);
// Passes on an error that was found elsewhere. False.
bool jck_reader_report(jck_reader *reader, const jrpc_error *error);
// The line of a value in the file.
size_t jck_reader_line(jck_reader *reader, jrpc_json value);
// Room for `count` items (at least one) in the arena; NULL after the diagnostic.
void *jck_reader_array(jck_reader *reader, size_t count, size_t size);

// Whether `value` is an Object whose members are all in the NULL-terminated list `known`, none of
// them twice; `what` names the thing ("a case"). Only a wrong type gives false.
bool jck_read_object(jck_reader *reader, jrpc_json value, const char *what,
                     const char *const *known);
// "a String", "an Array", … for messages.
const char *jck_kind_name(jrpc_json_kind kind);
// Whether `value` is of the kind; says so if not. `name` is the member's name for the message.
bool jck_read_kind(jck_reader *reader, jrpc_json value, const char *name, jrpc_json_kind kind);

// Members by name. Each returns true and fills *ret if the member is there and right; where it is
// missing it returns false, with a diagnostic if `required`.
bool jck_read_text(jck_reader *reader, jrpc_json object, const char *name, bool required,
                   jrpc_slice *ret);
// The same with at least one byte.
bool jck_read_word(jck_reader *reader, jrpc_json object, const char *name, bool required,
                   jrpc_slice *ret);
// A list of non-empty Strings without repetition.
bool jck_read_words(jck_reader *reader, jrpc_json object, const char *name, bool required,
                    const jrpc_slice **ret, size_t *ret_count);
bool jck_read_flag(jck_reader *reader, jrpc_json object, const char *name, bool *ret);
// An integer from `least` to `most`.
bool jck_read_integer(jck_reader *reader, jrpc_json object, const char *name, bool required,
                      int64_t least, int64_t most, int64_t *ret);
// The member "statuses", exit statuses that are an orderly end; nothing where it is missing.
void jck_read_statuses(jck_reader *reader, jrpc_json object, const int **ret, size_t *ret_count);
// The member "framing" of an Object; nothing where it is missing.
void jck_read_framing(jck_reader *reader, jrpc_json object, bool *ret_given, jrpc_framing *ret);
// A String that becomes NUL-terminated text: U+0000 is refused.
bool jck_read_string_value(jck_reader *reader, jrpc_json value, const char *name, const char **ret);
// Checks the member "schema" against the one version there is.
void jck_read_schema(jck_reader *reader, jrpc_json object);

#endif
