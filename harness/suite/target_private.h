// What the files that build a target share. Private to the suite room.
#ifndef JCK_SUITE_TARGET_PRIVATE_H
#define JCK_SUITE_TARGET_PRIVATE_H

#include "harness/suite/load.h"
#include "harness/suite/reader.h"
#include "harness/suite/target.h"

// The most bytes that one target may hold.
#define JCK_LIMIT_TARGET_BYTES ((size_t)64 << 20)

// The values of ${here}, ${zoo} and ${port} while a description is read.
typedef struct jck_places {
    jrpc_arena *arena; // borrowed
    const char *here;  // absolute folder of the file; or NULL
    const char *zoo;   // where third-party implementations are installed
    const char *port;  // a free TCP port once it was asked for, else NULL
    int claim;         // … and the descriptor that keeps other runs from it; 0: none
    // Names that get their values later: "${name}" stays unchanged, and so does a "$${" beside one.
    const jrpc_slice *later;
    size_t later_count;
    bool has_later; // the text filled last contains one of them
} jck_places;

// Clears *target and gives it an arena.
void jck_target_init(jck_target *target);
// Room in the target's arena; NULL with MEMORY.
void *jck_target_alloc(jck_target *target, size_t count, size_t size, jrpc_error *error);
// The default name of a target: the arguments that name it, with secrets masked.
bool jck_target_set_name(jck_target *target, jrpc_slice words, jrpc_error *error);
// A NUL-terminated copy; NULL with MEMORY.
const char *jck_target_copy(jck_target *target, jrpc_slice text, jrpc_error *error);
// Fills transport, host, port, path, url from "tcp://H:P", "unix:PATH", "http(s)://…", "ws(s)://…".
// False with USAGE if it is invalid.
bool jck_target_set_url(jck_target *target, const char *word, jrpc_error *error);
// Names a target after its command.
bool jck_target_name_command(jck_target *target, char *const *words, jrpc_error *error);
// Fills an initialized target from an argument of the command line, as jck_target_load does.
bool jck_target_read_word(jck_target *target, const char *word, const char *targets_directory,
                          jrpc_error *error);
// Fills a target from the members of a description in a file that `reader` has read.
bool jck_target_read_members(jck_target *target, jck_reader *reader, jrpc_json object,
                             const char *targets_directory);
// Fills everything from a description file. `targets_directory` may be NULL.
bool jck_target_read_file(jck_target *target, const char *file, const char *targets_directory,
                          jrpc_error *error);
// Adds a mapping to a list in `arena`, replacing an earlier one of the same capability; its
// `method` is the plain name here. Everything but `call` is copied.
bool jck_mapping_add(jrpc_arena *arena, const jck_mapping **list, size_t *count,
                     const jck_mapping *mapping, jrpc_error *error);
// Adds the mappings of an Object "methods"; `captured` are the names that a prelude captures.
void jck_load_methods(jck_reader *reader, const jck_scope *captured, jrpc_json methods,
                      const jck_mapping **list, size_t *count);

// The headers in an Object "headers".
typedef struct jck_header_lists {
    const char *const *plain;   // "Name: value", NULL-terminated
    const char *const *session; // those with a name that is known only later; or NULL
    const jck_mirror *mirrors;  // those that are made from each message
    size_t mirror_count;
} jck_header_lists;

// Reads them with `places` filled in. Mistakes are reported.
void jck_load_headers(jck_reader *reader, jck_places *places, jrpc_json headers,
                      jck_header_lists *ret);

// Reads an Object "credentials" into the target, and adds its header to the target's headers.
void jck_load_credentials(jck_reader *reader, jck_places *places, jrpc_json credentials,
                          jck_target *target);

// The text with ${here}, ${zoo}, ${port} (and, if `environment`, ${env:NAME}) replaced and "$${" as
// a literal "${"; NULL with INVALID (the message names what is unknown or unset), MEMORY or SYSTEM.
const char *jck_places_fill(jck_places *places, const char *text, bool environment,
                            jrpc_error *error);
// The absolute form of a path that exists, else the path itself; NULL if out of memory.
const char *jck_absolute(jrpc_arena *arena, const char *path);
// The folder of a path; NULL if out of memory.
const char *jck_folder_of(jrpc_arena *arena, const char *path);

#endif
