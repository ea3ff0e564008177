// Tables in case files: one template of a case and its rows. Private to the suite room.
//
// A case that has a member `table` is a template. For each row its text is copied with every
// ${row.COLUMN} replaced by the row's cell, and what comes out is a case like any other. Several
// tables in an Array are crossed: every row of one with every row of the others.
#ifndef JCK_SUITE_LOAD_TABLE_H
#define JCK_SUITE_LOAD_TABLE_H

#include "harness/suite/reader.h"

#define JCK_LIMIT_TABLES 4         // that are crossed
#define JCK_LIMIT_TABLE_COLUMNS 16 // of all of them
#define JCK_LIMIT_TABLE_CASES 4096 // that one template becomes

// A run of bytes of an expanded text, and where it was copied from.
typedef struct jck_piece {
    size_t at;   // offset in the expanded text
    size_t from; // offset in the file
} jck_piece;

// Where an expanded text comes from.
struct jck_origin {
    jrpc_slice text;         // of the file
    const jck_piece *pieces; // ascending by `at`, the first at 0
    size_t count;
    const char *row; // what the row is called, for messages
};

// The offset in the file of an offset in the expanded text.
size_t jck_origin_offset(const struct jck_origin *origin, size_t offset);

// Called with a case that a row has become; while it runs the reader tells places in the file.
typedef void (*jck_take_row)(void *context, jrpc_json object);

// Expands the template `object` (an Object with a member `table`) and gives each of its cases to
// `take`, in the order of the rows, the last table's rows changing fastest. What is wrong in the
// table itself is told to the reader, and then nothing is given.
void jck_load_table(jck_reader *reader, jrpc_json object, jck_take_row take, void *context);

#endif
