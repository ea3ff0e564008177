// The slowest cases of a run.
#ifndef JCK_CLI_SLOWEST_H
#define JCK_CLI_SLOWEST_H

#include "harness/report/reading.h"

#define JCK_SLOWEST_MAX 1000

typedef struct jck_slow_case {
    jrpc_slice id; // in the arena of the list
    jck_outcome outcome;
    int64_t duration_us;
} jck_slow_case;

typedef struct jck_slowest {
    jrpc_arena arena;
    jck_slow_case *cases; // the slowest first
    size_t count, most;
} jck_slowest;

// `most`: how many are kept; 0: none, and nothing is recorded. False if out of memory.
bool jck_slowest_init(jck_slowest *slowest, size_t most);
void jck_slowest_done(jck_slowest *slowest);
void jck_slowest_record(jck_slowest *slowest, const jck_reading_case *test_case);
// Prints them on standard error, which no report uses.
void jck_slowest_show(const jck_slowest *slowest);

#endif
