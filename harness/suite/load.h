// From JSON to rules, cases, steps and expectations. Private to the suite room.
#ifndef JCK_SUITE_LOAD_H
#define JCK_SUITE_LOAD_H

#include "harness/suite/index.h"
#include "harness/suite/reader.h"
#include "harness/suite/specification.h"
#include "harness/suite/suite.h"

// The most files of one catalogue.
#define JCK_LIMIT_SPECIFICATIONS 64

struct jck_suite {
    jrpc_arena arena; // owns everything below
    jck_rule *rules;
    size_t rule_count;
    size_t rule_capacity;
    jck_specification specifications[JCK_LIMIT_SPECIFICATIONS];
    size_t specification_count;
    jck_case *cases;
    size_t case_count;
    size_t case_capacity;
    size_t base_count; // cases of the base folder, if another one was loaded beside it
    // Ids of rules, ids and aliases of cases; how many of each have been added.
    jck_index rule_index, case_index;
    size_t rules_indexed, cases_indexed;
    jrpc_json description; // of the service (borrowed), or ABSENT
};

// The most names that one case (or prelude) may capture.
#define JCK_LIMIT_CAPTURES 64
// The most bytes that one payload may expand to.
#define JCK_LIMIT_PAYLOAD_BYTES ((int64_t)64 << 20)

// The most rounds of a repeated group of steps.
#define JCK_LIMIT_ROUNDS 4096

// What the steps of one case share while they are loaded.
typedef struct jck_scope {
    const jck_suite *suite; // to look up rules; NULL: rule names are not checked (preludes)
    jrpc_slice captured[JCK_LIMIT_CAPTURES];
    size_t captured_count;
    bool other_connection; // a step names a connection other than "a"
    bool judges;           // a step states what it expects
    // In a case that tests a client: what the driver was asked for so far.
    jrpc_slice asked[JCK_LIMIT_CAPTURES];
    size_t asked_count;
} jck_scope;

// jck_suite_load with an allocator that a test can make fail.
jck_suite *jck_suite_load_with(const jrpc_allocator *allocator, const char *directory,
                               jck_diagnose diagnose, void *context, jrpc_error *error);
// Loads one file's rules, or cases, into the suite. False after diagnostics that end the file.
bool jck_load_rules(jck_reader *reader, jck_suite *suite, jrpc_json root);
bool jck_load_cases(jck_reader *reader, jck_suite *suite, jrpc_json root, const char *folder);
// Once all rules are loaded: reports specifications that are built on but do not exist and roles
// that one specification fills twice, and finds the rule for every role.
void jck_load_roles(jck_reader *reader, jck_suite *suite);
// The members `since` and `until` of a rule or a case.
void jck_load_span(jck_reader *reader, jrpc_json object, jck_span *ret);
// One "M", "S" or "O".
bool jck_level_from_letter(jrpc_json value, jck_level *ret_level);

// An Array of steps.
bool jck_load_steps(jck_reader *reader, jck_scope *scope, jrpc_json array, const jck_step **ret,
                    size_t *ret_count);
// The same for a case that tests a client.
bool jck_load_client_steps(jck_reader *reader, jck_scope *scope, jrpc_json array,
                           const jck_step **ret, size_t *ret_count);
// The payload that an Object spells with the members that begin with `verb` ("send", "answer"):
// VERB, VERB-text, VERB-hex or VERB-repeat. False if there is none.
bool jck_load_payload_of(jck_reader *reader, const jck_scope *scope, jrpc_json object,
                         const char *verb, jck_payload *ret_payload);
// The offsets in the member `chunks`.
void jck_load_chunks(jck_reader *reader, jrpc_json object, jck_payload *ret);
// The sending members (send…, chunks, raw, on, expect, capture) of an Object as one step. False if
// it has no send….
bool jck_load_send_step(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret_step);
// The payload that an Object's send, send-text, send-hex or send-repeat spells. False if there is
// none.
bool jck_load_payload(jck_reader *reader, const jck_scope *scope, jrpc_json object,
                      jck_payload *ret_payload);
// The members `http` and `websocket` of an Object that sends.
void jck_load_manner(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret);
// The member `listen` of a command for a client.
void jck_load_welcome(jck_reader *reader, jrpc_json object, jck_step *ret);
// Checks what a driver may report about a command, or about what the server sent.
void jck_check_outcome(jck_reader *reader, const jck_scope *scope, jrpc_json pattern);
bool jck_load_expect(jck_reader *reader, const jck_scope *scope, jrpc_json value,
                     jck_expect *ret_expect);
// The alternatives of an "any-of", an Array, as those of *ret.
void jck_load_alternatives(jck_reader *reader, const jck_scope *scope, jrpc_json array,
                           jck_expect *ret);
// Checks everything inside a pattern: matchers and variables.
void jck_check_pattern(jck_reader *reader, const jck_scope *scope, jrpc_json pattern);
// Reports it if `name`, found at byte `place` of the file, is not a variable known at that point.
bool jck_check_variable(jck_reader *reader, const jck_scope *scope, size_t place, jrpc_slice name);
// Reports it if the String `at` names no rule of the catalogue; *ret is its content.
bool jck_check_rule(jck_reader *reader, const jck_scope *scope, jrpc_json at, jrpc_slice *ret);
// Reports a `needs` word that the suite does not know.
bool jck_check_need(jck_reader *reader, jrpc_json at, jrpc_slice need);

#endif
