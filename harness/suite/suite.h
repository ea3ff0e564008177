// The whole suite in memory: catalogue and cases, loaded from a data folder and checked.
#ifndef JCK_SUITE_SUITE_H
#define JCK_SUITE_SUITE_H

#include "harness/suite/case.h"
#include "harness/suite/rule.h"
#include "harness/suite/specification.h"
#include "reference/base/arena.h"
#include "reference/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct jck_suite jck_suite;

// Called once for each mistake in the files; `error` has source, line and column.
typedef void (*jck_diagnose)(void *context, const jrpc_error *error);

// Loads DIR/rules/*.json and DIR/*/*.json (files sorted by name) and checks every member (unknown
// members, wrong types, unknown rules, duplicate ids, unknown variables). Every mistake is reported
// to `diagnose` (may be NULL); if there was any, NULL is returned, with the first one in *error.
// Owned: free with jck_suite_free.
jck_suite *jck_suite_load(const char *directory, jck_diagnose diagnose, void *context,
                          jrpc_error *error);
// The same for a folder without rules of its own: it is loaded in addition to `base`, whose rules
// and cases come first.
jck_suite *jck_suite_load_beside(const char *base, const char *directory, jck_diagnose diagnose,
                                 void *context, jrpc_error *error);
// Whether a folder has rules of its own.
bool jck_suite_has_rules(const char *directory);
void jck_suite_free(jck_suite *suite); // accepts NULL
// Adds a case that is in no file; of two with the same id the first is found. Pointers returned
// earlier stay valid, but jck_suite_case no longer returns them. NULL if out of memory.
const jck_case *jck_suite_append(jck_suite *suite, const jck_case *test_case);

// Sets what the service under test says about itself (borrowed; see harness/describe), for cases
// that refer to it; ABSENT: nothing.
void jck_suite_describe(jck_suite *suite, jrpc_json description);
jrpc_json jck_suite_description(const jck_suite *suite);

size_t jck_suite_case_count(const jck_suite *suite);
size_t jck_suite_base_count(const jck_suite *suite); // how many of them come from the base
const jck_case *jck_suite_case(const jck_suite *suite, size_t index); // in file order
const jck_case *jck_suite_find_case(const jck_suite *suite,
                                    jrpc_slice id); // also by alias; or NULL
size_t jck_suite_rule_count(const jck_suite *suite);
const jck_rule *jck_suite_rule(const jck_suite *suite, size_t index);
const jck_rule *jck_suite_find_rule(const jck_suite *suite, jrpc_slice id); // or NULL
// Sets the flag of each rule that the case names; `marks` has one for each rule of the suite.
void jck_suite_mark_rules(const jck_suite *suite, const jck_case *test_case, bool *marks);
// The specification that a case is judged by: the one named like its suite, else the one of its
// decisive rule; NULL if the catalogue has neither.
const jck_specification *jck_suite_specification_of(const jck_suite *suite,
                                                    const jck_case *test_case);
// The rule that plays a role for the case, or NULL.
const jck_rule *jck_suite_role(const jck_suite *suite, const jck_case *test_case, jck_role role);
// Whether the case is the ground case of a rule that plays the role.
bool jck_case_is_ground_of(const jck_suite *suite, const jck_case *test_case, jck_role role);
// Whether the decisive rule of the case plays the role, or is about the topic.
bool jck_case_is_for(const jck_suite *suite, const jck_case *test_case, jck_role role);
bool jck_case_is_about(const jck_suite *suite, const jck_case *test_case, jck_topic topic);

#endif
