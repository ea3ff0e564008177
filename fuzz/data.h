// The suite that targets of the harness judge with: the catalogue and the cases, loaded once.
#ifndef JRPC_FUZZ_DATA_H
#define JRPC_FUZZ_DATA_H

#include "harness/suite/suite.h"
#include "harness/suite/target.h"

// The suite of the source tree, or of a folder `cases` beside the program. Never NULL: without it
// the program ends. The same pointer on every call; lives as long as the process.
const jck_suite *fuzz_suite(void);

// The case that a number chooses. Cases stand on a ring by a hash of their ids, and a number takes
// the next one: a case that is added takes inputs from one other, and re-aims none of the rest.
#define FUZZ_CASE_FIRST 255u    // positions, with two option bytes that are not 0 …
#define FUZZ_CASES_APART 64770u // … so many of them
const jck_case *fuzz_case(size_t number);

// The same under a profile of the suite's own, by its name; at most FUZZ_PROFILES_MAX of them.
#define FUZZ_PROFILES_MAX 4
const jck_suite *fuzz_suite_under(const char *profile);

// A target that offers every capability under its own name; as above.
const jck_target *fuzz_target(void);

#endif
