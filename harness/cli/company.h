// A case with those to be run before it, as --after and event streams name them.
#ifndef JCK_CLI_COMPANY_H
#define JCK_CLI_COMPANY_H

#include "harness/cli/options.h"
#include "harness/suite/suite.h"
#include "reference/json/value.h"

// The case with this id; NULL after the reason, with the nearest id, was reported.
const jck_case *jck_find_case(const jck_suite *suite, const char *id);
// Joins the cases that --after names ("ID", or "ID*N" for N times) and the case itself into one, in
// the options' arena. Without --after it is the case unchanged. False after the reason was
// reported.
bool jck_company_of_options(jck_options *options, const jck_suite *suite, const jck_case *test_case,
                            jck_case *ret_joined);
// The same for the Array of ids in the event of a case; ABSENT: none.
bool jck_company_of_event(jck_options *options, const jck_suite *suite, jrpc_json ids,
                          const jck_case *test_case, jck_case *ret_joined);

#endif
