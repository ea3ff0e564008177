// Tables in case files: one template of a case and its rows. Private to the suite room.
//
// A case that has a member `table` is a template. For each row its text is copied with every
// ${row.COLUMN} replaced by the row's cell, and the copy is a case like any other. Several tables
// in an Array are crossed: every row of one with every row of the others.
#ifndef JCK_SUITE_LOAD_TABLE_H
#define JCK_SUITE_LOAD_TABLE_H

#include "harness/suite/origin.h"
#include "harness/suite/reader.h"

#define JCK_LIMIT_TABLES 4         // that may be crossed
#define JCK_LIMIT_TABLE_COLUMNS 16 // of all crossed tables
#define JCK_LIMIT_TABLE_CASES 4096 // that one template may become

// Called with the case made from a row; during the call the reader reports places in the file.
typedef void (*jck_take_row)(void *context, jrpc_json object);

// Expands the template `object` (an Object with a member `table`) and gives each of its cases to
// `take`, in the order of the rows, the last table's rows changing fastest. If the table itself is
// invalid, that is reported to the reader and no case is given.
void jck_load_table(jck_reader *reader, jrpc_json object, jck_take_row take, void *context);

#endif
