// What both benchmarks of the suite share: the payloads of a run, in file order, and the run
// itself.
#ifndef JRPC_BENCH_PLAN_H
#define JRPC_BENCH_PLAN_H

#include "harness/suite/suite.h"
#include "harness/suite/target.h"
#include "reference/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_payload {
    jrpc_slice bytes;
    bool answered; // something is owed for it
} bench_payload;

typedef struct bench_plan {
    jrpc_arena arena;
    bench_payload *payloads;
    size_t count;
} bench_plan;

// Ends the program with a sentence. `error` may be NULL.
_Noreturn void bench_fail(const char *what, const jrpc_error *error);
// Every payload of the selected cases that the target offers what they need for, each with a line
// feed after it if `lines`; those that lines cannot carry are left out then.
void bench_plan_make(const jck_suite *suite, const bool *selected, jck_target *target, bool lines,
                     bench_plan *ret_plan);
// How long a command of jrpcheck takes, in milliseconds. Ends the program unless it exits with 0
// within two minutes.
double bench_suite_ms(char *const *argv);

#endif
