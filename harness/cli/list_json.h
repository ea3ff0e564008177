// Cases and rules for programs: one JSON object per line on standard output.
#ifndef JCK_CLI_LIST_JSON_H
#define JCK_CLI_LIST_JSON_H

#include "harness/suite/suite.h"

#include <stdbool.h>

// The selected cases, in the order of the suite: `id`, `suite`, `section`, `title`, `rules`,
// `needs`, `catches`, `file` (as it was opened), `line`. False if out of memory.
bool jck_list_cases_json(const jck_suite *suite, const bool *selected);
// The rules: `id`, `level` (MUST, SHOULD, OBSERVE), `specification`, `section`, `title`,
// `sentence`, `source`.
bool jck_list_rules_json(const jck_suite *suite);

#endif
