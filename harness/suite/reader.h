// Reads our own JSON files: every mistake becomes a diagnostic with its place, and reading goes on,
// so that one run reports all of them. Private to the suite room.
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

// The most bytes of a case, catalogue or target file.
#define JCK_LIMIT_FILE_BYTES ((size_t)16 << 20)

struct jck_origin; // see origin.h

typedef struct jck_reader {
    jrpc_arena *arena; // borrowed: everything that is read lives there
    jck_diagnose diagnose;
    void *context;
    jrpc_error *first; // the first diagnostic; may be NULL
    size_t wrong;      // diagnostics so far
    bool starved;      // out of memory, which is reported once
    const char *file;  // the file being read, "" before there is one
    jrpc_slice text;
    // The line of the offset asked for last: files are read from start to end.
    const char *line_text;
    size_t line_offset, line;
    const struct jck_origin *origin; // where `text` comes from, if not from the file itself
} jck_reader;

// For "%.*s".
#define JCK_WORD(slice)                                                                            \
    (int)((slice).len > 120 ? 120 : (slice).len), (slice).len == 0 ? "" : (slice).ptr

// Initializes caller's storage; all pointers are borrowed; all but `arena` may be NULL.
void jck_reader_init(jck_reader *reader, jrpc_arena *arena, jck_diagnose diagnose, void *context,
                     jrpc_error *first);
// Reads a file and parses it; *ret_root lives as long as the arena. False after a diagnostic
// (SYSTEM: the file cannot be read; SYNTAX: not JSON; LIMIT; MEMORY).
bool jck_reader_open(jck_reader *reader, const char *file, jrpc_json *ret_root);

// Parses the reader's text; *ret_root lives as long as the arena. False after a diagnostic.
bool jck_reader_parse(jck_reader *reader, jrpc_json *ret_root);

// Reports a mistake at a value (or, with JRPC_JSON_ABSENT, in the file as a whole). Always false.
bool jck_wrong(jck_reader *reader, jrpc_json at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same at a byte offset of the file's text.
bool jck_wrong_at(jck_reader *reader, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Reports once that memory is out. Always false.
bool jck_reader_starve(jck_reader *reader);
// Reports what `error` says about a member, or that memory is out. Always false.
bool jck_reader_refuse(jck_reader *reader, jrpc_json value, const char *name,
                       const jrpc_error *error);
// Passes on an error that was found elsewhere. Always false.
bool jck_reader_report(jck_reader *reader, const jrpc_error *error);
// The line of a value in the file.
size_t jck_reader_line(jck_reader *reader, jrpc_json value);
// Room for `count` items (at least one) in the arena; NULL after a diagnostic.
void *jck_reader_array(jck_reader *reader, size_t count, size_t size);

// Whether `value` is an Object whose members are all in the NULL-terminated list `known`, none of
// them twice; `what` names the thing ("a case"). Only a wrong type returns false.
bool jck_read_object(jck_reader *reader, jrpc_json value, const char *what,
                     const char *const *known);
// "a String", "an Array", … for messages.
const char *jck_kind_name(jrpc_json_kind kind);
// Whether `value` is of the kind; reports it if not. `name` is the member's name for the message.
bool jck_read_kind(jck_reader *reader, jrpc_json value, const char *name, jrpc_json_kind kind);

// Members by name. Each returns true and fills *ret if the member is there and valid; if it is
// missing it returns false, with a diagnostic if `required`.
bool jck_read_text(jck_reader *reader, jrpc_json object, const char *name, bool required,
                   jrpc_slice *ret);
// The same, but not empty.
bool jck_read_word(jck_reader *reader, jrpc_json object, const char *name, bool required,
                   jrpc_slice *ret);
// A list of distinct non-empty Strings.
bool jck_read_words(jck_reader *reader, jrpc_json object, const char *name, bool required,
                    const jrpc_slice **ret, size_t *ret_count);
bool jck_read_flag(jck_reader *reader, jrpc_json object, const char *name, bool *ret);
// An integer from `least` to `most`.
bool jck_read_integer(jck_reader *reader, jrpc_json object, const char *name, bool required,
                      int64_t least, int64_t most, int64_t *ret);
// The member "statuses": exit statuses that count as an orderly end; nothing if it is missing.
void jck_read_statuses(jck_reader *reader, jrpc_json object, const int **ret, size_t *ret_count);
// The member "framing" of an Object; nothing if it is missing.
void jck_read_framing(jck_reader *reader, jrpc_json object, bool *ret_given, jrpc_framing *ret);
// A String as NUL-terminated text: U+0000 is refused.
bool jck_read_string_value(jck_reader *reader, jrpc_json value, const char *name, const char **ret);
// Checks the member "schema": there is one version.
void jck_read_schema(jck_reader *reader, jrpc_json object);

#endif
