// Writing cases: the opposite of loading them. What a writer made is read back into the same case,
// and `jrpcheck lint` accepts it.
#ifndef JCK_SUITE_WRITE_CASE_H
#define JCK_SUITE_WRITE_CASE_H

#include "harness/suite/case.h"
#include "reference/base/arena.h"
#include "reference/base/buffer.h"

// Appends one case as the Object that a case file has in its Array "cases", over several lines,
// each but the first `indent` columns in. Slices that hold text are UTF-8 (lone surrogates as
// generalized UTF-8), as they are in a case that was loaded; bytes that are none are sent as
// JCK_PAYLOAD_BYTES. What a profile accepts besides is the profile's, and is not written. False
// when the buffer is full.
bool jck_case_write(jrpc_buffer *out, const jck_case *test_case, unsigned indent);

// What a case file says of itself.
typedef struct jck_case_heading {
    jrpc_slice suite; // the name of the folder that the file stands in
    jrpc_slice section;
    jrpc_slice title;
} jck_case_heading;

// Appends a whole case file. False when the buffer is full.
bool jck_case_write_file(jrpc_buffer *out, const jck_case_heading *heading, const jck_case *cases,
                         size_t count);

// The payload that sends exactly `bytes`, in the form that reads best: as JSON where the bytes are
// JSON without white space between tokens, as text where they are UTF-8, else in hexadecimal. It
// lives in `arena`; the bytes are copied. False when memory is out.
bool jck_payload_of_bytes(jrpc_arena *arena, jrpc_slice bytes, jck_payload *ret_payload);

#endif
