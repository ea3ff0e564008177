// Writes cases: the opposite of loading them. The output loads as the same case, and `jrpcheck
// lint` accepts it.
#ifndef JCK_SUITE_WRITE_CASE_H
#define JCK_SUITE_WRITE_CASE_H

#include "harness/suite/case.h"
#include "reference/base/arena.h"
#include "reference/base/buffer.h"

// Appends one case as the Object that a case file has in its Array "cases", over several lines,
// each but the first indented by `indent` columns. Slices that hold text are UTF-8 (lone surrogates
// as generalized UTF-8), as in a loaded case; other bytes must be sent as JCK_PAYLOAD_BYTES.
// Answers added by a profile are not written. False if the buffer is full.
bool jck_case_write(jrpc_buffer *out, const jck_case *test_case, unsigned indent);

// What a case file says about itself.
typedef struct jck_case_heading {
    jrpc_slice suite; // the name of the file's folder
    jrpc_slice section;
    jrpc_slice title;
} jck_case_heading;

// Appends a whole case file. False if the buffer is full.
bool jck_case_write_file(jrpc_buffer *out, const jck_case_heading *heading, const jck_case *cases,
                         size_t count);

// The payload that sends exactly `bytes`, in the most readable form: as JSON if the bytes are JSON
// without white space between tokens, as text if they are UTF-8, else in hexadecimal. It lives in
// `arena`; the bytes are copied. False if out of memory.
bool jck_payload_of_bytes(jrpc_arena *arena, jrpc_slice bytes, jck_payload *ret_payload);

#endif
