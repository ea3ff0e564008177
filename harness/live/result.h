// The result that is due for a call of a method whose contract is known
// (docs/describing-a-target.md).
#ifndef JCK_LIVE_RESULT_H
#define JCK_LIVE_RESULT_H

#include "harness/live/due.h"

// Appends the result of a KNOWN call as JSON. False, with nothing appended, if its params do not
// fit or contain something that JSON readers may read differently, or the method has no such
// contract.
bool jck_result_write(const jck_due *due, jrpc_buffer *out);

// The same for the method that a call with a name near it must not run (due->mapping). False if
// there is none, or its result is not known.
bool jck_result_of_near(const jck_due *due, jrpc_buffer *out);

// Whether the method fails whatever it gets, or gives the error that its params say.
bool jck_contract_is_to_fail(const jck_mapping *mapping);
bool jck_contract_gives_error(const jck_mapping *mapping);

// The error that a call of such a method asks for.
typedef struct jck_error_given {
    int64_t code;
    jrpc_json data; // ABSENT: it asks for none
} jck_error_given;

// False if its params do not say, or ask for something that no method may give.
bool jck_error_given_of(const jck_due *due, jck_error_given *ret);

#endif
