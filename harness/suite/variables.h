// The values of ${…} for one execution of one case. Deterministic: the same nonce, serial and step
// give the same ids, so the judge sees exactly what the session sent.
#ifndef JCK_SUITE_VARIABLES_H
#define JCK_SUITE_VARIABLES_H

#include "harness/suite/target.h"
#include "reference/base/arena.h"
#include "reference/base/slice.h"

typedef struct jck_variable {
    jrpc_slice name;
    jrpc_slice spelling;
    int step; // -1: for the whole case
    struct jck_variable *next;
} jck_variable;

typedef struct jck_variables {
    jrpc_arena *arena;        // borrowed: spellings live there
    const jck_target *target; // borrowed: capabilities
    uint32_t nonce;           // differs from run to run
    uint32_t serial;          // differs from execution to execution within a run
    int step;                 // the step that ${id} belongs to
    uint32_t numbers;         // fresh Numbers given so far
    jck_variable *first;
} jck_variables;

void jck_variables_init(jck_variables *variables, jrpc_arena *arena, const jck_target *target,
                        uint32_t nonce, uint32_t serial);
void jck_variables_set_step(jck_variables *variables, int step);
// A jck_resolve (fresh Numbers are given in the order in which they are first asked for: the judge
// asks the same object that the session filled). Known: id, id:int, id.NAME, id:int.NAME, absent,
// the target's capabilities (also respelled), parts of its resources, its credentials, captured
// values, and ids that resemble them (harness/suite/kin.h).
bool jck_variables_resolve(void *variables, jrpc_slice name, jrpc_slice *ret_spelling);
// Appends the bytes that a payload puts on the wire, with capabilities called as the target
// requires. Fails as jck_payload_expand does.
bool jck_variables_expand(jck_variables *variables, const jck_payload *payload, jrpc_buffer *out,
                          jrpc_error *error);
// How the target wants a capability to be called (a jck_call_of); NULL: like any method.
const jck_call *jck_variables_call(void *variables, jrpc_slice capability);
// Binds a captured name to a JSON spelling (copied). False if out of memory.
bool jck_variables_capture(jck_variables *variables, jrpc_slice name, jrpc_slice spelling);
// Captures what was captured elsewhere: it is valid here too, but the ids are not, because
// everything that is executed has its own. False without memory.
bool jck_variables_inherit(jck_variables *variables, const jck_variable *captured);
// Whose id a received value is. It is compared as a value, however it is spelled.
typedef enum jck_id_origin {
    JCK_ID_UNKNOWN,    // a Number, or not generated here
    JCK_ID_OF_STEP,    // of this execution, for one step
    JCK_ID_OF_CASE,    // of this execution, by name
    JCK_ID_OF_ANOTHER, // of another execution in this run
} jck_id_origin;

// *ret_step is the step of an id OF_STEP, else untouched.
jck_id_origin jck_variables_origin(const jck_variables *variables, jrpc_json id, int *ret_step);
// Whether a Number may have been an `${id:int}` of an earlier execution. It may also be a literal
// of a case by chance: a hint, not a proof.
bool jck_variables_is_earlier_number(const jck_variables *variables, jrpc_json id);
// The method name that ${absent} stands for, as a JSON spelling.
jrpc_slice jck_variables_absent(const jck_variables *variables);

// Whether `name` is one of id, id:int, id.NAME, id:int.NAME; *ret_name is the NAME or empty.
bool jck_is_id_variable(jrpc_slice name, bool *ret_number, jrpc_slice *ret_name);
// Whether `name` asks for a part of a resource of the RO-JRPC fixture: "CAP.VERB" is the method for
// a verb, "CAP:resource" and "CAP:subresource" are the two parts of CAP, and ".VERB" may follow
// those too.
bool jck_is_resource_variable(jrpc_slice name, jrpc_slice *ret_capability, jrpc_slice *ret_part);
// Whether `name` asks for a token of the target's credentials, without its header: "credential" is
// the right one, "credential:WORD" another (harness/suite/credential.h).
bool jck_is_credential_variable(jrpc_slice name, jck_credential *ret_credential);
// Whether a word can name a variable: a letter, then letters, digits, "-", "_"; at most 64 bytes.
bool jck_is_plain_name(jrpc_slice name);

#endif
